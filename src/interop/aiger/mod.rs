//! AIGER 1.9, ascii and binary (Biere, Heljanko, Wieringa, "AIGER 1.9 and beyond", 2011).
//!
//! Inputs are the input bits (without a clock that is the step itself), then the free values, which
//! are chosen anew in each step. Latches are registers and level-sensitive latches; where a step is
//! any moment, they hold what was before the step (`entail:before:NAME`), and so do latches for the
//! levels of the clocks (`entail:clock:NAME`) and one for the first step (`entail:first`). A register without an initial
//! value resets to itself, which is how AIGER 1.9 says that it starts with either value. Outputs are the output
//! bits, then one per cover (`cover:NAME`, 1 when it is hit). An assert is a bad state (reached and
//! not held), an assume an invariant constraint, liveness a justice set. What a step is: see
//! [`crate::model::steps`]; the comment section says which kind was written, and where each symbol comes from.
//!
//! Memories must be lowered to registers first; a netlist that keeps one is refused.

mod read;
mod write;

pub use read::read;
pub use write::write_system;

use crate::model::{Clocks, of_net};
use crate::net::Netlist;
use crate::source::{Diagnostic, SourceMap};

/// Choices of the writer.
#[derive(Clone, Copy, Debug, Default)]
pub struct AigerOptions {
    /// The ascii format (`aag`) instead of the binary one (`aig`).
    pub ascii: bool,
}

/// Writes a netlist as an and-inverter graph; clocks are levels.
pub fn write(net: &Netlist, map: &SourceMap, options: AigerOptions) -> Result<Vec<u8>, Diagnostic> {
    Ok(write_system(&of_net(net, Clocks::Levels)?, map, options))
}
