//! A netlist together with what a moment of it is.
//!
//! A *run* is a sequence of phases; in each, inputs take values and the design settles as in
//! [`crate::net::sim`]: gates and latches first, then registers whose clock rose, again and again until all is
//! at rest. What a node *is* at a time is its value at rest.
//!
//! With [`Clocking::Phases`] a time is a phase, and clocks are inputs like others. With [`Clocking::Cycles`] a time is
//! a cycle of the named clocks: a phase in which they are low, at whose end nodes are looked at, and one in which
//! they are high and all other inputs stay as they are. So a register shows in cycle `t + 1` what it captured at the
//! end of cycle `t`.
//!
//! With [`Start::Any`] a run begins in any state, with any levels of the clocks before it: what follows the first few
//! moments of a run is a run, too, which is what makes statements about runs hold at any later time.

use super::terms::{Atom, Place};
use crate::net::{Gate, GateId, Lit, Net, Netlist};

/// What a time is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Clocking {
    /// A phase.
    Phases,
    /// A cycle of these inputs.
    Cycles(Vec<GateId>),
}

/// The state at the start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Start {
    /// Any.
    Any,
    /// As the design initialises it; any where it does not.
    Initial,
}

/// A netlist, its clocking and its start.
#[derive(Clone, Debug)]
pub struct Circuit {
    /// The netlist.
    pub net: Netlist,
    /// What a time is.
    pub clocking: Clocking,
    /// The state at the start.
    pub start: Start,
}

impl Circuit {
    /// A circuit.
    pub fn new(net: Netlist, clocking: Clocking, start: Start) -> Circuit {
        Circuit { net, clocking, start }
    }

    /// Different for circuits that can behave differently. Made anew each time: a circuit that was changed is another.
    pub fn hash(&self) -> blake3::Hash {
        hash(&self.net, &self.clocking, self.start)
    }

    /// Number of phases until all times up to this one are over.
    pub fn phases(&self, last: u32) -> u32 {
        match self.clocking {
            Clocking::Phases => last + 1,
            Clocking::Cycles(_) => 2 * last + 1,
        }
    }

    /// The time that ends with this phase.
    pub fn time(&self, phase: u32) -> Option<u32> {
        match self.clocking {
            Clocking::Phases => Some(phase),
            Clocking::Cycles(_) => phase.is_multiple_of(2).then_some(phase / 2),
        }
    }

    /// The time that a phase belongs to.
    pub fn time_of(&self, phase: u32) -> u32 {
        match self.clocking {
            Clocking::Phases => phase,
            Clocking::Cycles(_) => phase / 2,
        }
    }

    /// Whether inputs keep their values in this phase.
    pub fn holds_inputs(&self, phase: u32) -> bool {
        matches!(self.clocking, Clocking::Cycles(_)) && phase % 2 == 1
    }

    /// The level of an input that the clocking sets.
    pub fn level(&self, input: GateId, phase: u32) -> Option<bool> {
        match &self.clocking {
            Clocking::Cycles(clocks) if clocks.contains(&input) => Some(phase % 2 == 1),
            _ => None,
        }
    }

    /// Whether a place is a value of this circuit, and not a constant.
    pub fn has(&self, place: Place) -> bool {
        match place {
            Place::Node(l) => ((l >> 1) as usize) < self.net.gates.len() && l > 1,
            Place::Word(m, a, b) => self.net.memories.get(m as usize).is_some_and(|m| a < m.size && b < m.width),
        }
    }

    /// The input or state bit that carries a gate.
    pub fn is_leaf(&self, g: GateId) -> bool {
        !matches!(self.net.gates[g.0 as usize], Gate::And(..) | Gate::Xor(..) | Gate::Mux(..))
    }

    /// The net of that name.
    pub fn find(&self, name: &str) -> Option<&Net> {
        self.net.net_named(name).or_else(|| self.net.inputs.iter().chain(&self.net.outputs).find(|n| n.name == name))
    }

    /// An atom for people.
    pub fn atom_name(&self, names: &crate::net::Names, a: Atom) -> String {
        match a.place {
            Place::Node(l) => names.or_number(Lit(l)),
            Place::Word(m, addr, bit) => format!("{}[{addr}][{bit}]", self.net.memories[m as usize].name),
        }
    }
}

fn hash(net: &Netlist, clocking: &Clocking, start: Start) -> blake3::Hash {
    let mut h = blake3::Hasher::new();
    let mut number = |n: u64| {
        h.update(&n.to_le_bytes());
    };
    number(net.gates.len() as u64);
    for g in &net.gates {
        let (kind, a, b, c) = match *g {
            Gate::False => (0, 0, 0, 0),
            Gate::Input(p, b) => (1, p, b, 0),
            Gate::Free(n) => (2, n, 0, 0),
            Gate::Register(n) => (3, n, 0, 0),
            Gate::Latch(n) => (4, n, 0, 0),
            Gate::Read(m, p, b) => (5, m, p, b),
            Gate::And(a, b) => (6, a.0, b.0, 0),
            Gate::Xor(a, b) => (7, a.0, b.0, 0),
            Gate::Mux(s, t, e) => (8, s.0, t.0, e.0),
        };
        [kind, a, b, c].iter().for_each(|n| number(u64::from(*n)));
    }
    let init = |i: Option<bool>| i.map_or(2, u64::from);
    number(net.registers.len() as u64);
    for r in &net.registers {
        [r.gate.0, r.next.0, r.clock.0].iter().for_each(|n| number(u64::from(*n)));
        number(init(r.init));
        number(r.asyncs.len() as u64);
        r.asyncs.iter().for_each(|(c, v)| {
            number(u64::from(c.0));
            number(u64::from(v.0))
        });
    }
    number(net.latches.len() as u64);
    for l in &net.latches {
        [l.gate.0, l.enable.0, l.data.0].iter().for_each(|n| number(u64::from(*n)));
        number(init(l.init));
    }
    number(net.memories.len() as u64);
    for m in &net.memories {
        number(u64::from(m.width));
        number(m.size);
        number(m.reads.len() as u64);
        for r in &m.reads {
            number(r.len() as u64);
            r.iter().for_each(|l| number(u64::from(l.0)));
        }
        number(m.writes.len() as u64);
        for w in &m.writes {
            number(u64::from(w.clock.0));
            number(u64::from(w.enable.0));
            for list in [&w.addr, &w.data, &w.mask] {
                number(list.len() as u64);
                list.iter().for_each(|l| number(u64::from(l.0)));
            }
        }
        let init: std::collections::BTreeMap<_, _> = m.init.iter().cloned().collect();
        number(init.len() as u64);
        for (a, b) in &init {
            number(*a);
            for i in 0..b.width() {
                number(if b.is_unknown(i) { 2 } else { u64::from(b.bit(i)) });
            }
        }
    }
    match clocking {
        Clocking::Phases => number(0),
        Clocking::Cycles(list) => {
            number(1 + list.len() as u64);
            list.iter().for_each(|g| number(u64::from(g.0)));
        }
    }
    number(u64::from(start == Start::Initial));
    h.finalize()
}
