//! Transition systems and what is asked of them.
//!
//! A [`System`] is a set of state bits with a next-state function each, inputs that are chosen anew in
//! every step, and constraints that every step satisfies. A path starts in a state that the initial
//! values allow; only steps that satisfy all constraints exist, so a path that cannot go on is no
//! counterexample to liveness, and a bad step counts only if it satisfies the constraints itself.
//! Clocks are gone: a tick is an input ([`Role::Tick`]), and what a step is stands in [`steps`].
//!
//! This room builds and rewrites systems; it never solves anything.

mod aig;
pub mod live;
pub mod ltl;
pub mod matrix;
mod net;
pub mod order;
mod path;
pub(crate) mod reduce;
pub mod reset;
pub mod steps;
pub mod timing;

pub use aig::{Aig, Node};
pub use matrix::Matrix;
pub use net::{Clocks, Modelled, model, of_net};
pub use order::Slot;
pub use path::{Path, Replayed, replay};
pub use reduce::{Fact, Reduced, cone, reduce, reduce_all};

use crate::net::Lit;
use crate::source::Span;

/// Something with a name and a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    /// Hierarchical name.
    pub name: String,
    /// Where it comes from.
    pub span: Span,
}

impl Symbol {
    /// A name without a place.
    pub fn new(name: impl Into<String>) -> Symbol {
        Symbol { name: name.into(), span: Span::NONE }
    }
}

/// Where an input comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Bit of a primary input of the netlist: port, bit.
    Port(u32, u32),
    /// Whether a clock ticks: the input bit that is the clock, and whether the active edge falls.
    Tick {
        /// Port of the clock.
        port: u32,
        /// Bit of that port.
        bit: u32,
        /// A falling edge.
        falling: bool,
    },
    /// A value the design leaves open: position among the netlist's free values.
    Free(u32),
    /// A choice that a transformation of the model added.
    Choice,
}

/// An input bit.
#[derive(Clone, Debug)]
pub struct Input {
    /// Its leaf.
    pub lit: Lit,
    /// Name and place.
    pub symbol: Symbol,
    /// Where it comes from.
    pub role: Role,
}

/// What a state bit is in the netlist.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// A register, by position.
    Register(u32),
    /// A latch, by position.
    Latch(u32),
    /// Part of the model alone.
    Model,
}

/// A state bit.
#[derive(Clone, Debug)]
pub struct State {
    /// Its leaf.
    pub lit: Lit,
    /// Value after a step.
    pub next: Lit,
    /// Value at the start; `None` if unconstrained.
    pub init: Option<bool>,
    /// Name and place.
    pub symbol: Symbol,
    /// What it is in the netlist.
    pub origin: Origin,
}

/// What is asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Question {
    /// Safety: this must never be 1.
    Never(Lit),
    /// Reachability: this can be 1.
    Reach(Lit),
    /// Liveness: on no path do all of these, and the system's fairness, happen again and again.
    NotForever(Vec<Lit>),
}

/// A property of a system.
#[derive(Clone, Debug)]
pub struct Goal {
    /// Name and place of the property.
    pub symbol: Symbol,
    /// What is asked.
    pub question: Question,
    /// 1 when the property says something; if that never happens, it holds for no reason.
    pub trigger: Option<Lit>,
}

/// A transition system.
#[derive(Clone, Debug, Default)]
pub struct System {
    /// Name of the top.
    pub name: String,
    /// All functions.
    pub aig: Aig,
    /// Inputs.
    pub inputs: Vec<Input>,
    /// State bits.
    pub states: Vec<State>,
    /// Every step satisfies these.
    pub constraints: Vec<(Symbol, Lit)>,
    /// Each happens again and again on the paths that liveness looks at.
    pub fairness: Vec<Lit>,
    /// What can be seen.
    pub outputs: Vec<(Symbol, Lit)>,
    /// Properties.
    pub goals: Vec<Goal>,
    /// What a step is, in words.
    pub step: String,
}

impl System {
    /// A new input.
    pub fn input(&mut self, symbol: Symbol, role: Role) -> Lit {
        let lit = self.aig.leaf(Node::Input(self.inputs.len() as u32));
        self.inputs.push(Input { lit, symbol, role });
        lit
    }

    /// A new state bit that keeps its value until [`State::next`] is set.
    pub fn state(&mut self, symbol: Symbol, init: Option<bool>, origin: Origin) -> Lit {
        let lit = self.aig.leaf(Node::State(self.states.len() as u32));
        self.states.push(State { lit, next: lit, init, symbol, origin });
        lit
    }

    /// Sets the next value of the state a literal is the leaf of.
    pub fn set_next(&mut self, state: Lit, next: Lit) {
        match self.aig.node(state) {
            Node::State(i) if !state.complement() => self.states[i as usize].next = next,
            _ => unreachable!("not a state"),
        }
    }

    /// And of all constraints.
    pub fn constraint(&mut self) -> Lit {
        let all: Vec<Lit> = self.constraints.iter().map(|c| c.1).collect();
        self.aig.all(&all)
    }

    /// For each state whether the literals or the constraints depend on it, in this or a later step.
    pub fn cone(&self, roots: &[Lit]) -> Vec<bool> {
        let mut inside = vec![false; self.states.len()];
        let mut seen = vec![false; self.aig.len()];
        let mut open: Vec<Lit> = roots.iter().copied().chain(self.constraints.iter().map(|c| c.1)).collect();
        while let Some(l) = open.pop() {
            if std::mem::replace(&mut seen[l.gate().0 as usize], true) {
                continue;
            }
            match self.aig.node(l) {
                Node::And(a, b) => open.extend([a, b]),
                Node::State(i) => {
                    inside[i as usize] = true;
                    open.push(self.states[i as usize].next);
                }
                _ => {}
            }
        }
        inside
    }

    /// States with an initial value that is not fixed.
    pub fn free_states(&self) -> impl Iterator<Item = usize> + '_ {
        self.states.iter().enumerate().filter(|(_, s)| s.init.is_none()).map(|(i, _)| i)
    }
}
