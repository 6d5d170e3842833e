//! Support for the random VHDL tests: generators of VHDL-2008, GHDL which judges, the comparison with
//! entail, and shrinking. What does not depend on the language comes from [`crate::support`].

pub mod batch;
pub mod campaign;
pub mod choices;
pub mod decl;
pub mod entity;
pub mod expr;
pub mod item;
pub mod library;
pub mod make;
pub mod oracle;
pub mod scope;
pub mod standin;
pub mod stmt;
pub mod subject_vhdl;
pub mod types;
pub mod zoo;
