//! Behaviour: processes of any language executed symbolically into a [`Design`].
//!
//! A front end declares its variables here, executes its statements through [`flow::Flow`] and the
//! places of [`Machine`], and says at the end of each process whether it was combinational or
//! clocked. What the assignments amount to (wires, latches, registers, memory ports, tri-states,
//! missing and double drivers) is decided here, once for all languages.
//!
//! Invariant: a value is a node over the signals as they were when the process woke up; locals and
//! flags live in the [`Env`] only.

pub mod clocked;
pub mod env;
mod finish;
pub mod flow;
mod latch;
mod memory;
pub mod place;
pub mod process;

use crate::source::{Code, Diagnostic, Span, codes};
use crate::word::{Bits, Design, MemoryId, NodeId, SignalId};
use env::Env;
use process::Process;
use rustc_hash::{FxHashMap, FxHashSet};

/// A boxed diagnostic, so that results stay small.
pub type Res<T> = Result<T, Box<Diagnostic>>;

pub fn error<T>(code: Code, message: impl Into<String>, span: Span, label: impl Into<String>) -> Res<T> {
    Err(Box::new(Diagnostic::error(code, message).at(span, label)))
}

/// The longest loop we unroll, so that a typing mistake is an error and not an exhausted machine.
pub const MAX_ITERATIONS: u32 = 1 << 17;

/// A net or variable that processes read and assign.
pub struct Var {
    pub signal: SignalId,
    pub width: u32,
    /// Whether it starts unknown; otherwise it starts as zero.
    pub four_state: bool,
    /// Driven from outside: no process may assign it.
    pub input: bool,
    /// Value given by a declaration or an initial block, unknown bits where none.
    pub init: Option<Bits>,
    /// The memory it became, if it did.
    pub memory: Option<MemoryId>,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct VarId(pub u32);

impl VarId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Everything that is the same for all languages while a design is built.
pub struct Machine {
    pub d: Design,
    pub vars: Vec<Var>,
    pub env: Env,
    /// State of the process being executed, if any.
    pub proc: Option<Process>,
    /// Literals keep their `x` and `z`: we are evaluating a constant or a pattern.
    pub const_mode: bool,
    pub diags: Vec<Diagnostic>,
    /// Elaboration is given up after a runaway.
    pub stop: bool,
    /// Variables that may lack a driver without a word.
    pub undriven_ok: FxHashSet<VarId>,
    /// Signals that are a process' own: state nobody reads is no state.
    pub temporaries: FxHashSet<SignalId>,
    /// What a select outside its object gives, by object and index: in VHDL one and the same select gives
    /// one value, so that bounds computed twice are equal. `None`: a new value each time.
    pub beyond: Option<FxHashMap<(NodeId, NodeId), NodeId>>,
    /// Large constants that a local is just being filled with, by local: private as long as nobody has
    /// read one as a whole.
    filling: FxHashMap<u32, NodeId>,
    /// Latches nobody asked for, and whether the process promised none.
    latch_kinds: FxHashMap<u32, bool>,
    read_signals: FxHashSet<SignalId>,
    floating: FxHashMap<NodeId, bool>,
    warned: FxHashSet<(Code, Span)>,
}

impl Default for Machine {
    fn default() -> Machine {
        Machine {
            d: Design::new(""),
            vars: Vec::new(),
            env: Env::default(),
            proc: None,
            const_mode: false,
            diags: Vec::new(),
            stop: false,
            undriven_ok: FxHashSet::default(),
            temporaries: FxHashSet::default(),
            beyond: None,
            filling: FxHashMap::default(),
            latch_kinds: FxHashMap::default(),
            read_signals: FxHashSet::default(),
            floating: FxHashMap::default(),
            warned: FxHashSet::default(),
        }
    }
}

impl Machine {
    pub fn add_var(&mut self, var: Var) -> VarId {
        self.vars.push(var);
        VarId(self.vars.len() as u32 - 1)
    }

    pub fn var(&self, v: VarId) -> &Var {
        &self.vars[v.index()]
    }

    #[allow(clippy::boxed_local)] // errors travel boxed; unboxing at every call would be noise
    pub fn report(&mut self, d: Box<Diagnostic>) {
        // What ran away once would run away in every instance.
        self.stop |= d.is_error() && [codes::E0302, codes::E0210, codes::E0312].contains(&d.code);
        if self.diags.len() < 500 {
            self.diags.push(*d);
        }
    }

    /// Reports a warning once per place.
    pub fn warn(&mut self, d: Diagnostic) {
        let span = d.primary().map_or(Span::NONE, |l| l.span);
        if self.warned.insert((d.code, span)) {
            self.report(Box::new(d));
        }
    }

    pub fn undef_or_zero(&mut self, width: u32, four_state: bool) -> NodeId {
        if four_state { self.x_value(width) } else { self.d.uint(0, width) }
    }

    /// An unknown value: as such in a constant, a free value in hardware.
    pub fn x_value(&mut self, width: u32) -> NodeId {
        if width == 0 {
            return self.d.constant(Bits::zero(0));
        }
        if self.const_mode { self.d.constant(Bits::x(width)) } else { self.d.undef(width) }
    }

    /// Constant bits, with unknown bits made free outside constants.
    pub fn literal(&mut self, b: &Bits) -> NodeId {
        if self.const_mode || !b.has_unknown() {
            return self.d.constant(b.clone());
        }
        if (0..b.width()).all(|i| b.is_z(i)) {
            return self.d.high_z(b.width());
        }
        // Runs of unknown bits become one free value each.
        let kind = |i: u32| (b.is_z(i), b.is_unknown(i));
        let mut parts = Vec::new();
        let mut hi = b.width();
        while hi > 0 {
            let mut lo = hi - 1;
            while lo > 0 && kind(lo - 1) == kind(hi - 1) {
                lo -= 1;
            }
            parts.push(match kind(lo) {
                (true, _) => self.d.high_z(hi - lo),
                (_, true) => self.d.undef(hi - lo),
                _ => self.d.constant(b.slice(lo, hi - lo)),
            });
            hi = lo;
        }
        self.d.concat(&parts)
    }
}
