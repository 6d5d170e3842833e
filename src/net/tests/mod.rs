//! The netlist against second sources: the word-level evaluator, hand calculations and Icarus
//! Verilog.

mod clocking;
mod loops;
mod memories;
mod random;
mod state;
mod support;
