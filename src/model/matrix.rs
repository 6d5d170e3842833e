//! What each event of a system reads, writes and copies.
//!
//! The steps of a system are the union of its *groups*: a group is what can happen when the inputs that
//! choose the event (the ticks of its clocks) have certain values. Fixing them shows what the others hide:
//! a register of a clock that does not tick is copied. The union over all values is exact, whatever inputs
//! were taken for events, so that choice is a matter of speed alone.
//!
//! The five kinds of dependency and the merging of rows follow Meijer, Kant, Blom and van de Pol, *Read,
//! Write and Copy Dependencies for Symbolic Model Checking* (HVC 2014).

use super::{Aig, Node, Role, System};
use crate::net::Lit;
use std::fmt::Write;

/// Events are told apart by at most this many inputs.
pub const MAX_SPLIT: usize = 4;

/// How a group depends on a state bit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Entry {
    /// It keeps its value, and nothing looks at it.
    Copy,
    /// It keeps its value; something looks at it.
    Read,
    /// It gets a value that does not depend on the old one; nothing looks at the old one.
    MustWrite,
    /// It gets a value or keeps its own; nothing else looks at that.
    MayWrite,
    /// Its value is looked at, and it may change.
    ReadWrite,
}

impl Entry {
    /// Whether the bit may change.
    pub fn writes(self) -> bool {
        matches!(self, Entry::MustWrite | Entry::MayWrite | Entry::ReadWrite)
    }

    /// Whether a group that has `other` here can stand for one that has this: only one that may write can
    /// copy as well.
    pub fn subsumed_by(self, other: Entry) -> bool {
        use Entry::*;
        self == other
            || other == ReadWrite
            || matches!((self, other), (Copy, Read) | (Copy, MayWrite) | (MustWrite, MayWrite))
    }

    fn symbol(self) -> char {
        match self {
            Entry::Copy => '-',
            Entry::Read => 'r',
            Entry::MustWrite => 'w',
            Entry::MayWrite => 'W',
            Entry::ReadWrite => '+',
        }
    }
}

/// A set of events.
#[derive(Clone, Debug)]
pub struct Group {
    /// What happens, in words.
    pub name: String,
    /// Values of the splitting inputs that belong here; bit `k` is the `k`-th of them.
    pub events: Vec<u32>,
    /// Next value of each state bit, in the matrix's own graph.
    pub next: Vec<Lit>,
    /// All of these are 1 in a step of this group.
    pub allowed: Vec<Lit>,
    /// How it depends on each state bit.
    pub row: Vec<Entry>,
}

impl Group {
    /// Whether it changes nothing.
    pub fn is_idle(&self) -> bool {
        !self.row.iter().any(|e| e.writes())
    }
}

/// The groups of a system.
#[derive(Clone, Debug)]
pub struct Matrix {
    /// The functions of the groups; leaves are numbered as in the system.
    pub aig: Aig,
    /// Leaf of each input.
    pub inputs: Vec<Lit>,
    /// Leaf of each state bit.
    pub states: Vec<Lit>,
    /// The inputs that tell events apart.
    pub split: Vec<usize>,
    /// The groups.
    pub groups: Vec<Group>,
    names: Vec<String>,
}

impl Matrix {
    /// The matrix by the system's clocks: one group for each set of clocks that can tick at once.
    pub fn new(sys: &System) -> Matrix {
        let ticks = |r: Role| matches!(r, Role::Tick { .. });
        let split: Vec<usize> = (0..sys.inputs.len()).filter(|i| ticks(sys.inputs[*i].role)).collect();
        Matrix::split_by(sys, if split.len() <= MAX_SPLIT { &split } else { &[] })
    }

    /// The matrix with one group for each set of values of some inputs.
    pub fn split_by(sys: &System, split: &[usize]) -> Matrix {
        let mut m = Matrix {
            aig: Aig::default(),
            inputs: Vec::new(),
            states: Vec::new(),
            split: split.to_vec(),
            groups: Vec::new(),
            names: sys.states.iter().map(|s| s.symbol.name.clone()).collect(),
        };
        m.inputs = (0..sys.inputs.len() as u32).map(|i| m.aig.leaf(Node::Input(i))).collect();
        m.states = (0..sys.states.len() as u32).map(|i| m.aig.leaf(Node::State(i))).collect();
        for event in 0..1u32 << split.len() {
            let g = m.group(sys, vec![event]);
            // Clocks that never tick together leave no step.
            if !g.allowed.contains(&Lit::FALSE) {
                m.groups.push(g);
            }
        }
        m
    }

    /// Inputs that tell events apart, for a system without clocks: those that, by one of their values, stop
    /// the most state bits. `least` bits must be stopped.
    pub fn stoppers(sys: &System, least: usize) -> Vec<usize> {
        let mut gain: Vec<(usize, usize)> = Vec::new();
        let base = sys.states.iter().filter(|s| s.next == s.lit).count();
        let roots: Vec<Lit> = sys.states.iter().map(|s| s.next).collect();
        // Each trial copies the graph; that is not worth it for the largest.
        if sys.inputs.len().saturating_mul(sys.aig.len()) > 50_000_000 {
            return Vec::new();
        }
        for i in 0..sys.inputs.len() {
            for value in [false, true] {
                let mut aig = Aig::default();
                let inputs: Vec<Lit> = (0..sys.inputs.len() as u32).map(|i| aig.leaf(Node::Input(i))).collect();
                let states: Vec<Lit> = (0..sys.states.len() as u32).map(|i| aig.leaf(Node::State(i))).collect();
                let made = sys.aig.copy_into(&mut aig, &roots, &mut |_, n| match n {
                    Node::Input(k) if k as usize == i => Lit::FALSE.xor(value),
                    Node::Input(k) => inputs[k as usize],
                    Node::State(k) => states[k as usize],
                    _ => Lit::FALSE,
                });
                let stopped = made.iter().zip(&states).filter(|(n, s)| n == s).count() - base;
                if stopped >= least.max(1) {
                    gain.push((stopped, i));
                }
            }
        }
        gain.sort_by_key(|g| (std::cmp::Reverse(g.0), g.1));
        let mut out: Vec<usize> = Vec::new();
        for (_, i) in gain {
            if !out.contains(&i) && out.len() < MAX_SPLIT {
                out.push(i);
            }
        }
        out.sort_unstable();
        out
    }

    /// Functions of the system as they are in a group, in the matrix's own graph.
    pub fn within(&mut self, sys: &System, group: usize, lits: &[Lit]) -> Vec<Lit> {
        let fixed = self.fixed(&self.groups[group].events);
        self.copy(sys, &fixed, lits)
    }

    /// The splitting inputs that have one value in all of some events.
    fn fixed(&self, events: &[u32]) -> Vec<Option<bool>> {
        let value = |k: usize| {
            let first = events[0] >> k & 1 == 1;
            events.iter().all(|e| (e >> k & 1 == 1) == first).then_some(first)
        };
        (0..self.split.len()).map(value).collect()
    }

    fn copy(&mut self, sys: &System, fixed: &[Option<bool>], lits: &[Lit]) -> Vec<Lit> {
        let (inputs, states, split) = (&self.inputs, &self.states, &self.split);
        sys.aig.copy_into(&mut self.aig, lits, &mut |_, n| match n {
            Node::Input(i) => match split.iter().position(|s| *s == i as usize).and_then(|k| fixed[k]) {
                Some(v) => Lit::FALSE.xor(v),
                None => inputs[i as usize],
            },
            Node::State(i) => states[i as usize],
            _ => Lit::FALSE,
        })
    }

    /// The group of some events.
    fn group(&mut self, sys: &System, events: Vec<u32>) -> Group {
        let fixed = self.fixed(&events);
        let mut roots: Vec<Lit> = sys.states.iter().map(|s| s.next).collect();
        roots.extend(sys.constraints.iter().map(|c| c.1));
        let mut made = self.copy(sys, &fixed, &roots);
        let mut allowed = made.split_off(sys.states.len());
        let open: Vec<usize> = (0..self.split.len()).filter(|k| fixed[*k].is_none()).collect();
        if events.len() < 1 << open.len() {
            let mut any = Vec::new();
            for e in &events {
                let all: Vec<Lit> = open.iter().map(|k| self.inputs[self.split[*k]].xor(e >> k & 1 == 0)).collect();
                any.push(self.aig.all(&all));
            }
            allowed.push(self.aig.any(&any));
        }
        allowed.retain(|l| *l != Lit::TRUE);
        let row = self.row(&made, &allowed);
        Group { name: self.name(sys, &events), events, next: made, allowed, row }
    }

    fn name(&self, sys: &System, events: &[u32]) -> String {
        if events.len() == 1 << self.split.len() {
            return "any".into();
        }
        let one = |e: &u32| {
            let on = (0..self.split.len()).filter(|k| e >> k & 1 == 1);
            let names: Vec<&str> = on.map(|k| sys.inputs[self.split[k]].symbol.name.as_str()).collect();
            if names.is_empty() { "none".to_string() } else { names.join("+") }
        };
        let names: Vec<String> = events.iter().map(one).collect();
        names.join(" | ")
    }

    /// The entries of a group.
    fn row(&self, next: &[Lit], allowed: &[Lit]) -> Vec<Entry> {
        let n = next.len();
        let mut read = vec![false; n];
        // Whether the old value matters to the bit itself: not at all, only to be kept, or more.
        let mut own: Vec<(bool, bool)> = vec![(false, false); n];
        let mut marks = Marks::new(self.aig.len());
        for (i, l) in next.iter().enumerate().filter(|(i, l)| **l != self.states[*i]) {
            marks.visit(&self.aig, *l, |s, negated| match s as usize == i {
                true if negated => own[i].1 = true,
                true => own[i].0 = true,
                false => read[s as usize] = true,
            });
        }
        for l in allowed {
            marks.visit(&self.aig, *l, |s, _| read[s as usize] = true);
        }
        let entry = |i: usize| {
            let written = next[i] != self.states[i];
            // A function that has its own old value only uncomplemented rises with it, so it is a choice
            // between that value and something that does not depend on it.
            match (read[i] || own[i].1, written) {
                (false, false) => Entry::Copy,
                (true, false) => Entry::Read,
                (true, true) => Entry::ReadWrite,
                (false, true) if own[i].0 => Entry::MayWrite,
                (false, true) => Entry::MustWrite,
            }
        };
        (0..n).map(entry).collect()
    }

    /// Merges each group into one whose row subsumes its own: fewer, larger groups.
    pub fn merge(&mut self, sys: &System) {
        loop {
            let pair = (0..self.groups.len())
                .flat_map(|i| (0..self.groups.len()).map(move |k| (i, k)))
                .find(|&(i, k)| i != k && self.subsumes(k, i));
            let Some((i, k)) = pair else { return };
            let mut events: Vec<u32> = self.groups[i].events.iter().chain(&self.groups[k].events).copied().collect();
            events.sort_unstable();
            let merged = self.group(sys, events);
            self.groups[k] = merged;
            self.groups.remove(i);
        }
    }

    fn subsumes(&self, large: usize, small: usize) -> bool {
        let (l, s) = (&self.groups[large].row, &self.groups[small].row);
        s.iter().zip(l).all(|(a, b)| a.subsumed_by(*b))
    }

    /// The cost of an order of the state bits: for each group and bit that it only reads, the bits that it
    /// only writes above that. What is read should come first.
    pub fn cost(&self, order: &[usize]) -> u64 {
        let mut cost = 0;
        for g in &self.groups {
            let mut writes = 0;
            for &s in order {
                match g.row[s] {
                    Entry::MustWrite | Entry::MayWrite => writes += 1,
                    Entry::Read => cost += writes,
                    _ => {}
                }
            }
        }
        cost
    }

    /// As text: the columns by number and name, then a line for each group.
    pub fn print(&self, order: &[usize]) -> String {
        let mut out = String::new();
        let _ = writeln!(out, "{} state bits, {} groups", self.names.len(), self.groups.len());
        for (column, s) in order.iter().enumerate() {
            let _ = writeln!(out, "{column:5} {}", self.names[*s]);
        }
        for g in &self.groups {
            let row: String = order.iter().map(|s| g.row[*s].symbol()).collect();
            let _ = writeln!(out, "{row}  {}", g.name);
        }
        let _ = writeln!(out, "- copied, r read, w written, W written or copied, + read and written");
        out
    }
}

/// Visits the state bits a function depends on, each with the polarities it occurs in.
pub(crate) struct Marks {
    seen: Vec<[u32; 2]>,
    round: u32,
    open: Vec<(Lit, bool)>,
}

impl Marks {
    pub(crate) fn new(nodes: usize) -> Marks {
        Marks { seen: vec![[0; 2]; nodes], round: 0, open: Vec::new() }
    }

    /// Calls back with the state bit and whether it occurs complemented.
    pub(crate) fn visit(&mut self, aig: &Aig, root: Lit, mut leaf: impl FnMut(u32, bool)) {
        self.leaves(aig, root, |n, negated| {
            if let Node::State(i) = n {
                leaf(i, negated);
            }
        });
    }

    /// The same for all leaves.
    pub(crate) fn leaves(&mut self, aig: &Aig, root: Lit, mut leaf: impl FnMut(Node, bool)) {
        self.round += 1;
        self.open.push((root, false));
        while let Some((l, negated)) = self.open.pop() {
            let negated = negated ^ l.complement();
            let seen = &mut self.seen[l.gate().0 as usize][negated as usize];
            if std::mem::replace(seen, self.round) == self.round {
                continue;
            }
            match aig.node(l) {
                Node::And(a, b) => self.open.extend([(b, negated), (a, negated)]),
                Node::False => {}
                n => leaf(n, negated),
            }
        }
    }
}
