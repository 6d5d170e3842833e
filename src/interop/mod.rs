//! Designs for other tools: gate-level Verilog, AIGER, BTOR2, SMV, Yosys' JSON netlist and Graphviz; and what
//! other tools write as AIGER or BTOR2.
//!
//! Every writer turns a finished design into text or bytes and nothing else; none reads files or
//! prints. Names lead back to the source, as symbols, as `src` attributes or as comments.
//!
//! Invariant: what is written means what the simulator ([`crate::net::sim`]) does. A design that a
//! format cannot express is refused with a diagnostic, never approximated. A value the design
//! leaves open (an `x`, an undriven net) becomes an extra input: the reader of the file may choose
//! it anew in every step, and nothing is assumed about it.
//!
//! The formats for model checkers, AIGER, BTOR2 and SMV, know steps but no clocks. What a step is there
//! is said in [`crate::model::steps`], which all share.

pub mod aiger;
pub mod btor2;
pub mod dot;
pub(crate) mod ident;
pub mod json;
pub mod smv;
pub mod verilog;

use crate::net::{Lit, Netlist};
use crate::source::{Diagnostic, SourceMap, Span, codes};

fn refused(format: &str, why: impl std::fmt::Display) -> Diagnostic {
    Diagnostic::error(codes::E0901, format!("this design cannot be written as {format}: {why}"))
}

/// The place as `file:line`, for symbol maps and comments.
fn line_of(map: &SourceMap, span: Span) -> Option<String> {
    let at = map.location(span)?;
    Some(format!("{}:{}", at.path.display(), at.line))
}

/// The place as Yosys writes it, `file:line.col-line.col`.
fn range_of(map: &SourceMap, span: Span) -> Option<String> {
    let at = map.location(span)?;
    Some(format!("{}:{}.{}-{}.{}", at.path.display(), at.line, at.col, at.end_line, at.end_col))
}

/// Whether a literal is a bit of a primary input, or its complement.
fn is_input(net: &Netlist, l: Lit) -> bool {
    matches!(net.gates[l.gate().0 as usize], crate::net::Gate::Input(..))
}

/// Free values for read ports that can reach beyond their memory, one per read bit in use, as
/// (memory, port, bit). The netlist has no gates for them: its simulator draws them itself.
fn reads_beyond(net: &Netlist) -> Vec<(u32, u32, u32)> {
    let mut list: Vec<_> = net
        .gates
        .iter()
        .filter_map(|g| match *g {
            crate::net::Gate::Read(m, p, b) => Some((m, p, b)),
            _ => None,
        })
        .filter(|&(m, p, _)| {
            let m = &net.memories[m as usize];
            can_exceed(&m.reads[p as usize], m.size)
        })
        .collect();
    list.sort_unstable();
    list
}

/// Whether some value of the address bits is `size` or more.
fn can_exceed(addr: &[Lit], size: u64) -> bool {
    let mut most = 0u128;
    for (i, l) in addr.iter().enumerate().filter(|(_, l)| **l != Lit::FALSE) {
        match 1u128.checked_shl(i as u32) {
            Some(bit) if i < 127 => most |= bit,
            _ => return *l != Lit::FALSE,
        }
    }
    most >= size as u128
}
