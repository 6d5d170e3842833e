//! Clock trees: from a clock pin back to the clocks that it ticks with.
//!
//! A clock pin is followed through inverters, gates and multiplexers to the leaves of its cone. Inputs that are
//! somewhere a clock by themselves, or are declared to be, are *roots*; what else is in the cone gates or selects
//! them. A cone without a root whose leaves are registers is a divider: it ticks with the clocks of those.

use crate::net::{Gate, GateId, Lit, Netlist};
use rustc_hash::{FxHashMap, FxHashSet};

/// Where a clock comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    /// Inputs and declared gates it ticks with, in order; none if it could not be placed.
    pub roots: Vec<GateId>,
    /// What gates or selects it.
    pub controls: Vec<GateId>,
    /// It goes through registers: a divided clock.
    pub divided: bool,
    /// Whether there are gates on the way.
    pub gated: bool,
}

/// Clock trees of a netlist.
pub struct Clocks<'n> {
    net: &'n Netlist,
    /// Inputs, and gates that were declared, that are clocks beyond doubt.
    known: FxHashSet<GateId>,
    trees: FxHashMap<GateId, Tree>,
}

/// Whether a name is that of a clock.
pub fn is_clock_name(name: &str) -> bool {
    let last = name.rsplit('.').next().unwrap_or(name).to_ascii_lowercase();
    last.split(['_', '[', ']']).any(|w| {
        let w = w.trim_matches(|c: char| c.is_ascii_digit());
        ["clk", "clock", "ck", "clks"].contains(&w)
            || w.ends_with("clk")
            || w.ends_with("clock")
            || w.starts_with("clk")
    })
}

/// Whether a name is that of a reset.
pub fn is_reset_name(name: &str) -> bool {
    let last = name.rsplit('.').next().unwrap_or(name).to_ascii_lowercase();
    ["rst", "reset", "clr", "clear"].iter().any(|w| last.contains(w))
}

impl<'n> Clocks<'n> {
    /// Looks at the clock pins of a netlist; `declared` gates are clocks whatever they do.
    pub fn new(net: &'n Netlist, declared: impl IntoIterator<Item = GateId>) -> Clocks<'n> {
        let mut known: FxHashSet<GateId> = declared.into_iter().collect();
        let pins =
            net.registers.iter().map(|r| r.clock).chain(net.memories.iter().flat_map(|m| &m.writes).map(|w| w.clock));
        for l in pins {
            if let Gate::Input(..) = net.gates[l.gate().0 as usize] {
                known.insert(l.gate());
            }
        }
        Clocks { net, known, trees: FxHashMap::default() }
    }

    /// The tree behind a clock pin.
    pub fn tree(&mut self, pin: Lit) -> Tree {
        self.follow(pin.gate(), 0)
    }

    /// The tree behind the enable of a latch, if that is a clock.
    pub fn latch_tree(&mut self, enable: Lit) -> Option<Tree> {
        let leaves = self.leaves(enable.gate());
        let is_clock = |g: &GateId| self.known.contains(g) || is_clock_name(&self.name(*g));
        leaves.iter().any(is_clock).then(|| self.tree(enable))
    }

    fn leaves(&self, from: GateId) -> Vec<GateId> {
        let (mut open, mut seen, mut leaves) = (vec![from], FxHashSet::default(), Vec::new());
        while let Some(g) = open.pop() {
            if !seen.insert(g) {
                continue;
            }
            let before = open.len();
            // A clock that was declared is where its tree begins, whatever makes it.
            if !self.known.contains(&g) {
                self.net.fanin(g, |l| open.push(l.gate()));
            }
            if open.len() == before && g.0 != 0 {
                leaves.push(g);
            }
        }
        leaves.sort_unstable();
        leaves
    }

    fn name(&self, g: GateId) -> String {
        match self.net.gates[g.0 as usize] {
            Gate::Input(p, i) => self.net.inputs[p as usize].bit_name(i),
            _ => String::new(),
        }
    }

    fn follow(&mut self, pin: GateId, depth: u32) -> Tree {
        if let Some(t) = self.trees.get(&pin) {
            return t.clone();
        }
        let leaves = self.leaves(pin);
        let is_input = |g: &GateId| matches!(self.net.gates[g.0 as usize], Gate::Input(..));
        let mut roots: Vec<GateId> = leaves.iter().copied().filter(|g| self.known.contains(g)).collect();
        if roots.is_empty() {
            roots = leaves.iter().copied().filter(|g| is_input(g) && is_clock_name(&self.name(*g))).collect();
        }
        let inputs: Vec<GateId> = leaves.iter().copied().filter(is_input).collect();
        let states: Vec<GateId> = leaves.iter().copied().filter(|g| !is_input(g)).collect();
        if roots.is_empty() && inputs.len() == 1 && !states.is_empty() {
            roots = inputs.clone();
        }
        let mut t = Tree { gated: leaves.len() > 1, ..Tree::default() };
        if roots.is_empty() && inputs.is_empty() && depth < 64 {
            // A divider must not go round for ever: while it is followed, it has no roots.
            self.trees.insert(pin, Tree::default());
            for s in &states {
                if let Gate::Register(r) = self.net.gates[s.0 as usize] {
                    let clock = self.net.registers[r as usize].clock;
                    roots.extend(self.follow(clock.gate(), depth + 1).roots);
                    t.divided = true;
                }
            }
            roots.sort_unstable();
            roots.dedup();
        } else {
            t.controls = leaves.into_iter().filter(|g| !roots.contains(g)).collect();
        }
        t.roots = roots;
        self.trees.insert(pin, t.clone());
        t
    }
}
