//! BTOR2, the word-level format of hardware model checkers (Niemetz, Preiner, Wolf, Biere, CAV 2018).
//!
//! [`write()`] goes from [`word::Design`](crate::word::Design), so words stay words and memories are arrays;
//! [`write_system`] writes a system of bits, and [`read()`] makes one of any file.
//! Registers, latches and memories are states; where a step is any moment ([`crate::model::steps`]), the
//! levels of the clocks before (`entail_before_…`) and a bit for the first step (`entail_first`)
//! are states too. Undefined and undriven values, and reads beyond a memory, are inputs, chosen
//! anew in each step. An assert is `bad` (reached and not held), an assume a `constraint`, a cover
//! an output `cover_NAME` that is 1 when it is hit.
//!
//! An initial value with unknown bits is taken from a state that has neither `init` nor `next`,
//! since BTOR2 allows no inputs there; so are the words of a memory that have no initial value.
//!
//! Signals are resolved through their drivers. Where a signal depends on itself as a word but not
//! bit by bit (`assign v[1] = v[0]`), and only there, bits are written one by one; a real loop is
//! refused.

mod expr;
mod make;
mod model;
mod print;
mod read;
mod state;
mod system;
mod term;

pub use read::{Limits, read, read_within};
pub use system::write_system;

use crate::source::{Diagnostic, SourceMap};
use crate::word::Design;

/// Writes a design as BTOR2.
pub fn write(d: &Design, map: &SourceMap) -> Result<String, Diagnostic> {
    Ok(print::text(&model::of(d)?, map))
}
