//! Clock-domain crossings: which clock everything belongs to, where signals go from one to another, by what means,
//! and what is wrong with it. Models of signals in flight are made in [`insert`].
//!
//! Everything here follows from the structure of the netlist; what is left to prove is handed on as obligations.

pub mod census;
pub mod clocks;
pub mod crossing;
pub mod domains;
pub mod findings;
pub mod graph;
mod gray;
pub mod insert;
pub mod paths;
pub mod refine;
pub mod rules;
pub mod sdc;
pub mod sets;
mod tcl;
pub mod waive;

pub use domains::{DomainId, Domains};
pub use findings::{Demands, Finding, Found};
pub use sdc::Sdc;
