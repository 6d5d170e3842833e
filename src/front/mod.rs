//! Front ends: each turns source text of one language into a [`crate::word::Design`]; `mixed` joins them.

pub mod attach;
pub mod behave;
pub mod guest;
pub mod mixed;
pub mod monitor;
pub mod verilog;
pub mod vhdl;
