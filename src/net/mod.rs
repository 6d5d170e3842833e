//! The gate-level netlist: and, exclusive-or and multiplexer gates with complemented edges,
//! registers, latches and (if not lowered) memories, each bit with its place in the source.
//!
//! Built from a [`crate::word::Design`] by [`lower()`]; simulated by [`sim`]. Invariant: gates are
//! in topological order (an operand's index is smaller), so one pass evaluates them; registers,
//! latches and memory words break every cycle. This module decides nothing about properties.

pub mod arith;
mod build;
mod cone;
mod lower;
mod names;
mod print;
pub mod sim;
mod stats;
#[cfg(test)]
mod tests;

pub use build::Builder;
pub use lower::{LowerOptions, lower};
pub use names::{Names, bit_name};
pub use sim::{Sim, SimOptions};
pub use stats::{ClockUse, Stats};

use crate::source::Span;
use smol_str::SmolStr;

/// Name of an input that ticks in every step of a model and counts them, where a rewritten netlist needs that.
pub const STEP: &str = "entail:step";

/// Attribute of a net in a rewritten netlist: the name of the net that says which of its bits are undecided.
pub const UNSTABLE: &str = "entail_unstable";

/// A gate output, possibly complemented.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lit(pub u32);

impl Lit {
    /// Constant 0.
    pub const FALSE: Lit = Lit(0);
    /// Constant 1.
    pub const TRUE: Lit = Lit(1);
    /// The plain output of a gate.
    pub fn new(gate: GateId, complement: bool) -> Lit {
        Lit(gate.0 << 1 | complement as u32)
    }
    /// The gate.
    pub fn gate(self) -> GateId {
        GateId(self.0 >> 1)
    }
    /// Whether it is complemented.
    pub fn complement(self) -> bool {
        self.0 & 1 == 1
    }
    /// Complemented if `c`.
    pub fn xor(self, c: bool) -> Lit {
        Lit(self.0 ^ c as u32)
    }
    /// The constant it is, if it is one.
    pub fn as_const(self) -> Option<bool> {
        (self.0 < 2).then_some(self.0 == 1)
    }
}
impl std::ops::Not for Lit {
    type Output = Lit;
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}
impl std::fmt::Debug for Lit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", if self.complement() { "!" } else { "" }, self.gate().0)
    }
}

/// Position of a gate in [`Netlist::gates`]; gate 0 is the constant 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct GateId(pub u32);

/// A gate. Leaves name the table and position they belong to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Gate {
    /// Constant 0 (gate 0 only).
    False,
    /// Bit of a primary input: port number, bit.
    Input(u32, u32),
    /// A free value: position in [`Netlist::frees`].
    Free(u32),
    /// Output of a register: position in [`Netlist::registers`].
    Register(u32),
    /// Output of a latch.
    Latch(u32),
    /// Bit of the word a memory read port delivers: memory, read port, bit. Evaluated after the
    /// port's address bits, which have smaller indices.
    Read(u32, u32, u32),
    /// And.
    And(Lit, Lit),
    /// Exclusive or.
    Xor(Lit, Lit),
    /// `select ? then : other`.
    Mux(Lit, Lit, Lit),
}

/// A named vector of bits, least significant first.
#[derive(Clone, Debug)]
pub struct Net {
    /// Hierarchical name.
    pub name: SmolStr,
    /// Declared (left, right) index if a plain vector.
    pub range: Option<(i64, i64)>,
    /// Its bits.
    pub bits: Vec<Lit>,
    /// Declaration.
    pub span: Span,
    /// Source attributes.
    pub attrs: Vec<(SmolStr, SmolStr)>,
}

/// One bit of edge-triggered state; the clock is rising-edge (complemented for a falling edge).
#[derive(Clone, Debug)]
pub struct Register {
    /// Its output gate.
    pub gate: GateId,
    /// Next value.
    pub next: Lit,
    /// Clock; a 0 to 1 change of this literal is the event.
    pub clock: Lit,
    /// (condition, value), the first active one wins.
    pub asyncs: Vec<(Lit, Lit)>,
    /// Value at the start, `None` if unconstrained.
    pub init: Option<bool>,
    /// Net and bit that carries it.
    pub net: (u32, u32),
    /// The assigning process.
    pub span: Span,
}

/// One bit of level-sensitive state.
#[derive(Clone, Debug)]
pub struct Latch {
    /// Its output gate.
    pub gate: GateId,
    /// Transparent while 1.
    pub enable: Lit,
    /// Data.
    pub data: Lit,
    /// Value at the start, `None` if unconstrained.
    pub init: Option<bool>,
    /// Net and bit that carries it.
    pub net: (u32, u32),
    /// The assigning process.
    pub span: Span,
}

/// A memory kept as such because it is larger than the lowering limit.
#[derive(Clone, Debug)]
pub struct Memory {
    /// Hierarchical name.
    pub name: SmolStr,
    /// Word width.
    pub width: u32,
    /// Number of words.
    pub size: u64,
    /// Initial words.
    pub init: Vec<(u64, crate::word::Bits)>,
    /// Asynchronous read ports: address bits, least significant first.
    pub reads: Vec<Vec<Lit>>,
    /// Write ports; of several in one step the last wins.
    pub writes: Vec<MemoryWrite>,
    /// Declaration.
    pub span: Span,
}

/// A clocked write port.
#[derive(Clone, Debug)]
pub struct MemoryWrite {
    /// Rising-edge clock.
    pub clock: Lit,
    /// Enable.
    pub enable: Lit,
    /// Address bits.
    pub addr: Vec<Lit>,
    /// Data bits.
    pub data: Vec<Lit>,
    /// Bits written.
    pub mask: Vec<Lit>,
}

/// A free value: an `x` literal, an undriven bit, an out-of-range read.
#[derive(Clone, Debug)]
pub struct Free {
    /// Its gate.
    pub gate: GateId,
    /// Why and where it arose.
    pub span: Span,
}

/// An assertion in bits.
#[derive(Clone, Debug)]
pub struct Assert {
    /// Assert, assume or cover.
    pub kind: crate::word::AssertKind,
    /// Hierarchical name.
    pub name: SmolStr,
    /// The statement is reached.
    pub enable: Lit,
    /// The property.
    pub condition: Lit,
    /// The assertion says something now: see [`crate::word::Assert::trigger`].
    pub trigger: Lit,
    /// Sampled at the rising edge of this literal, or always.
    pub clock: Option<Lit>,
    /// The statement.
    pub span: Span,
}

/// A gate-level netlist.
#[derive(Clone, Default, Debug)]
pub struct Netlist {
    /// Name of the top.
    pub name: SmolStr,
    /// Gates in topological order.
    pub gates: Vec<Gate>,
    /// Source place of each gate.
    pub spans: Vec<Span>,
    /// Primary inputs (bits are plain input gates).
    pub inputs: Vec<Net>,
    /// Primary outputs.
    pub outputs: Vec<Net>,
    /// Free values.
    pub frees: Vec<Free>,
    /// Registers.
    pub registers: Vec<Register>,
    /// Latches.
    pub latches: Vec<Latch>,
    /// Memories not lowered to registers.
    pub memories: Vec<Memory>,
    /// Every named net that survives.
    pub nets: Vec<Net>,
    /// Assertions.
    pub asserts: Vec<Assert>,
}
