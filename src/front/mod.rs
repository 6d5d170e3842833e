//! Front ends: each turns source text of one language into a [`crate::word::Design`].

pub mod behave;
pub mod verilog;
pub mod vhdl;
