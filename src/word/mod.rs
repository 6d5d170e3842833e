//! The word-level IR in which all source languages meet.
//!
//! A [`Design`] is flat: instances are gone, only their hierarchical names remain. Expressions are
//! a hash-consed directed acyclic graph of [`Node`]s with explicit widths; signedness lives in the
//! operator, never in a value. State is explicit: [`Register`]s (clock, edge, asynchronous
//! controls, initial value), [`Latch`]es and [`Memory`]s. A value the source language calls `x` is
//! [`Op::Undef`], a fresh free value, never a constant.
//!
//! Invariant: in a finished design the [`Drive`]s of every signal are sorted, do not overlap and
//! cover each bit exactly once. This module never knows which language a design came from.

mod absorb;
mod bits;
mod build;
mod eval;
mod print;

pub use bits::Bits;
pub use eval::eval_node;

use crate::source::Span;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

/// Attribute of signals that belong to a check and not to the hardware.
pub const MONITOR: &str = "entail_monitor";

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub struct $name(pub u32);
        impl $name {
            /// Position in its table.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}
id!(
    /// An expression node of a [`Design`].
    NodeId
);
id!(
    /// A named signal of a [`Design`].
    SignalId
);
id!(
    /// A memory of a [`Design`].
    MemoryId
);

/// An operator with its operands. Operand widths are checked by the builders in `build.rs`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// A known constant (never has unknown bits in a finished design).
    Const(Bits),
    /// The present value of a signal.
    Signal(SignalId),
    /// A free value; the number makes each one different from all others.
    Undef(u32),
    /// A tri-state driver's "not driving"; only allowed under the drives of a net.
    HighZ,
    /// Bitwise complement.
    Not(NodeId),
    /// Two's-complement negation.
    Neg(NodeId),
    /// And of all bits (1 bit wide).
    RedAnd(NodeId),
    /// Or of all bits.
    RedOr(NodeId),
    /// Exclusive or of all bits.
    RedXor(NodeId),
    /// Bitwise and.
    And(NodeId, NodeId),
    /// Bitwise or.
    Or(NodeId, NodeId),
    /// Bitwise exclusive or.
    Xor(NodeId, NodeId),
    /// Sum modulo 2^width.
    Add(NodeId, NodeId),
    /// Difference modulo 2^width.
    Sub(NodeId, NodeId),
    /// Product modulo 2^width.
    Mul(NodeId, NodeId),
    /// Unsigned quotient; all ones if the divisor is zero.
    Udiv(NodeId, NodeId),
    /// Unsigned remainder; the dividend if the divisor is zero.
    Urem(NodeId, NodeId),
    /// Signed quotient rounded to zero; if the divisor is zero 1 or all ones by the sign.
    Sdiv(NodeId, NodeId),
    /// Signed remainder with the dividend's sign; the dividend if the divisor is zero.
    Srem(NodeId, NodeId),
    /// Left shift; the amount is unsigned and of any width.
    Shl(NodeId, NodeId),
    /// Logical right shift.
    Lshr(NodeId, NodeId),
    /// Arithmetic right shift.
    Ashr(NodeId, NodeId),
    /// Equality (1 bit wide).
    Eq(NodeId, NodeId),
    /// Unsigned less-than.
    Ult(NodeId, NodeId),
    /// Signed less-than.
    Slt(NodeId, NodeId),
    /// `cond ? then : other`, cond 1 bit wide.
    Mux(NodeId, NodeId, NodeId),
    /// Concatenation, most significant part first.
    Concat(Box<[NodeId]>),
    /// `width` bits from bit `lo` up.
    Slice(NodeId, u32),
    /// Zero extension.
    Zext(NodeId),
    /// Sign extension.
    Sext(NodeId),
    /// The word at an address; free when the address is beyond the memory.
    MemRead(MemoryId, NodeId),
}

/// An operator and the width of its result.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Node {
    /// What is computed.
    pub op: Op,
    /// Result width in bits.
    pub width: u32,
}

/// What role a signal plays at the boundary of the design.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// A primary input.
    Input,
    /// A primary output.
    Output,
    /// Anything else.
    Internal,
}

/// A named net or variable, flattened to a bit vector.
#[derive(Clone, Debug)]
pub struct Signal {
    /// Hierarchical name, dots between levels, without the top's own name.
    pub name: SmolStr,
    /// Total width in bits.
    pub width: u32,
    /// Declared index of the leftmost and rightmost bit if it is a plain vector.
    pub range: Option<(i64, i64)>,
    /// Where it was declared.
    pub span: Span,
    /// Boundary role.
    pub role: Role,
    /// Source attributes, e.g. `ASYNC_REG`.
    pub attrs: Vec<(SmolStr, SmolStr)>,
    /// Who drives which bits.
    pub drives: Vec<Drive>,
}

/// Bits `lo .. lo+width` of a signal come from `source`.
#[derive(Clone, Debug)]
pub struct Drive {
    /// First bit.
    pub lo: u32,
    /// Number of bits.
    pub width: u32,
    /// What drives them.
    pub source: Source,
    /// The driving statement.
    pub span: Span,
}

/// The driver of some bits of a signal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// A combinational value.
    Node(NodeId),
    /// Register number.
    Register(u32),
    /// Latch number.
    Latch(u32),
    /// The outside world.
    Input,
    /// Nobody: the bits are free values, and a diagnostic was given.
    Undriven,
}

/// Clock edge.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Edge {
    /// Rising.
    Pos,
    /// Falling.
    Neg,
}

/// While `condition` is 1 the register takes `value`, whatever the clock does.
#[derive(Clone, Debug)]
pub struct AsyncControl {
    /// 1-bit node, active high.
    pub condition: NodeId,
    /// Value taken.
    pub value: NodeId,
}

/// Edge-triggered state.
#[derive(Clone, Debug)]
pub struct Register {
    /// The signal whose bits it holds.
    pub signal: SignalId,
    /// First bit held.
    pub lo: u32,
    /// Number of bits held.
    pub width: u32,
    /// 1-bit clock.
    pub clock: NodeId,
    /// Which edge of the clock.
    pub edge: Edge,
    /// Next value at the edge (enables and synchronous resets are folded in).
    pub next: NodeId,
    /// Asynchronous controls, the first that is active wins.
    pub asyncs: Vec<AsyncControl>,
    /// Value before the first edge; unknown bits are unconstrained.
    pub init: Bits,
    /// The assigning process.
    pub span: Span,
}

/// Level-sensitive state: transparent while `enable` is 1.
#[derive(Clone, Debug)]
pub struct Latch {
    /// The signal whose bits it holds.
    pub signal: SignalId,
    /// First bit held.
    pub lo: u32,
    /// Number of bits held.
    pub width: u32,
    /// 1-bit enable.
    pub enable: NodeId,
    /// Value while enabled.
    pub data: NodeId,
    /// Value before the first opening; unknown bits are unconstrained.
    pub init: Bits,
    /// The assigning process.
    pub span: Span,
}

/// An addressable store of equal words.
#[derive(Clone, Debug)]
pub struct Memory {
    /// Hierarchical name.
    pub name: SmolStr,
    /// Word width.
    pub width: u32,
    /// Number of words; addresses run from 0.
    pub size: u64,
    /// Initial words (address, value); others are unconstrained.
    pub init: Vec<(u64, Bits)>,
    /// Clocked write ports; of two writes to one address in one step the later in this list wins.
    pub writes: Vec<WritePort>,
    /// Source attributes.
    pub attrs: Vec<(SmolStr, SmolStr)>,
    /// Declaration.
    pub span: Span,
}

/// A synchronous write port. A write to an address beyond the memory does nothing.
#[derive(Clone, Debug)]
pub struct WritePort {
    /// 1-bit clock.
    pub clock: NodeId,
    /// Which edge.
    pub edge: Edge,
    /// 1-bit enable.
    pub enable: NodeId,
    /// Word address.
    pub addr: NodeId,
    /// Word written.
    pub data: NodeId,
    /// Bits of the word that are written.
    pub mask: NodeId,
    /// The assigning statement.
    pub span: Span,
}

/// What a property statement asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AssertKind {
    /// Must hold.
    Assert,
    /// May be taken for granted.
    Assume,
    /// Must be reachable.
    Cover,
}

/// An assertion: whenever `enable`, `condition` is to hold. Concurrent assertions come as monitors: registers
/// that follow each attempt, and a `condition` that is false where one fails (true where a cover is hit).
#[derive(Clone, Debug)]
pub struct Assert {
    /// Assert, assume or cover.
    pub kind: AssertKind,
    /// Hierarchical name (label, or made from its line).
    pub name: SmolStr,
    /// 1-bit: the statement is reached.
    pub enable: NodeId,
    /// 1-bit: the property.
    pub condition: NodeId,
    /// 1-bit: the assertion says something now; never so means that it holds vacuously. Immediate: `enable`.
    /// Concurrent: an antecedent matches, or, without an antecedent, an attempt starts.
    pub trigger: NodeId,
    /// Sampled at this edge, or always if none.
    pub clock: Option<(NodeId, Edge)>,
    /// The statement.
    pub span: Span,
}

/// What the bits of a signal mean, if it is more than a vector.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shape {
    /// Bits from left to right index, the leftmost the most significant; `None`: no indices.
    Vector(Option<(i64, i64)>),
    /// Elements from left to right index, the leftmost the most significant.
    Array {
        /// Index of the most significant element.
        left: i64,
        /// Index of the least significant element.
        right: i64,
        /// Bits of an element.
        width: u32,
        /// An element.
        element: Box<Shape>,
    },
    /// Fields: name, lowest bit, width.
    Record(Vec<(SmolStr, u32, u32, Shape)>),
}

/// A flat design at word level.
#[derive(Clone)]
pub struct Design {
    /// Name of the top.
    pub name: SmolStr,
    /// Expression graph.
    pub nodes: Vec<Node>,
    /// Source place that first made each node.
    pub spans: Vec<Span>,
    /// Named signals.
    pub signals: Vec<Signal>,
    /// Registers.
    pub registers: Vec<Register>,
    /// Latches.
    pub latches: Vec<Latch>,
    /// Memories.
    pub memories: Vec<Memory>,
    /// Assertions.
    pub asserts: Vec<Assert>,
    /// What the bits of signals mean, by name, for those that are more than vectors.
    pub shapes: FxHashMap<SmolStr, Shape>,
    /// Place given to nodes made now (set by the front end as it walks).
    pub here: Span,
    unique: FxHashMap<Node, NodeId>,
    /// Slices already pushed through their operand: without it nested multiplexers are walked
    /// once per path.
    slices: FxHashMap<(NodeId, u32, u32), NodeId>,
    undefs: u32,
}

impl Design {
    /// An empty design.
    pub fn new(name: impl Into<SmolStr>) -> Design {
        Design {
            name: name.into(),
            nodes: Vec::new(),
            spans: Vec::new(),
            signals: Vec::new(),
            registers: Vec::new(),
            latches: Vec::new(),
            memories: Vec::new(),
            asserts: Vec::new(),
            shapes: FxHashMap::default(),
            here: Span::NONE,
            unique: FxHashMap::default(),
            slices: FxHashMap::default(),
            undefs: 0,
        }
    }
    /// Width of a node.
    pub fn width(&self, n: NodeId) -> u32 {
        self.nodes[n.index()].width
    }
    /// Operator of a node.
    pub fn op(&self, n: NodeId) -> &Op {
        &self.nodes[n.index()].op
    }
    /// The constant a node is, if it is one.
    pub fn as_const(&self, n: NodeId) -> Option<&Bits> {
        match self.op(n) {
            Op::Const(b) => Some(b),
            _ => None,
        }
    }
    /// The truth of a 1-bit constant node.
    pub fn as_bool(&self, n: NodeId) -> Option<bool> {
        self.as_const(n).filter(|b| !b.has_unknown()).map(Bits::is_true)
    }
    /// Primary inputs in declaration order.
    pub fn inputs(&self) -> impl Iterator<Item = SignalId> + '_ {
        self.with_role(Role::Input)
    }
    /// Primary outputs in declaration order.
    pub fn outputs(&self) -> impl Iterator<Item = SignalId> + '_ {
        self.with_role(Role::Output)
    }
    fn with_role(&self, role: Role) -> impl Iterator<Item = SignalId> + '_ {
        (0..self.signals.len() as u32).map(SignalId).filter(move |s| self.signals[s.index()].role == role)
    }
    /// The signal of that hierarchical name.
    pub fn signal_named(&self, name: &str) -> Option<SignalId> {
        self.signals.iter().position(|s| s.name == name).map(|i| SignalId(i as u32))
    }
}

impl Op {
    /// Calls `f` on each operand.
    pub fn operands(&self, mut f: impl FnMut(NodeId)) {
        use Op::*;
        match self {
            Const(_) | Signal(_) | Undef(_) | HighZ => {}
            Not(a) | Neg(a) | RedAnd(a) | RedOr(a) | RedXor(a) | Slice(a, _) | Zext(a) | Sext(a) | MemRead(_, a) => {
                f(*a)
            }
            And(a, b)
            | Or(a, b)
            | Xor(a, b)
            | Add(a, b)
            | Sub(a, b)
            | Mul(a, b)
            | Udiv(a, b)
            | Urem(a, b)
            | Sdiv(a, b)
            | Srem(a, b)
            | Shl(a, b)
            | Lshr(a, b)
            | Ashr(a, b)
            | Eq(a, b)
            | Ult(a, b)
            | Slt(a, b) => {
                f(*a);
                f(*b)
            }
            Mux(c, a, b) => {
                f(*c);
                f(*a);
                f(*b)
            }
            Concat(parts) => parts.iter().for_each(|p| f(*p)),
        }
    }
}
