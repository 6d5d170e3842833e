//! `entail`: does this hardware design entail its specification?
//!
//! Text becomes syntax trees, trees become a word-level design, that becomes a gate-level netlist;
//! each stage is a room of its own and data flows one way. `ARCHITECTURE.md` beside this file is the
//! map.

pub mod algebra;
pub mod bdd;
pub mod cache;
pub mod cdc;
pub mod cli;
pub mod engine;
pub mod explore;
pub mod front;
pub mod interop;
pub mod model;
pub mod net;
pub mod process;
pub mod project;
pub mod proof;
pub mod report;
pub mod runner;
pub mod sat;
pub mod source;
pub mod ste;
pub mod trace;
pub mod word;
