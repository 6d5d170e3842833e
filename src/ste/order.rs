//! Orders of variables: by what the user says, then by how the circuit reads them.

use super::circuit::Circuit;
use super::terms::{Atom, Claim, Leaf, Place, Terms};
use crate::net::{Gate, GateId, Lit};
use rustc_hash::{FxHashMap, FxHashSet};

/// A wish about the order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Hint {
    /// Bits of these vectors in turns, the lowest first.
    Interleave(Vec<u32>),
    /// The same, the highest first.
    Down(Vec<u32>),
    /// Vectors of at most this many bits before all others.
    Narrow(u32),
}

/// Width up to which a vector counts as control.
pub const CONTROL: u32 = 8;

/// The variables that matter, the first at the top.
pub fn order(
    c: &Circuit,
    terms: &Terms,
    hints: &[Hint],
    antecedent: &[Claim],
    consequent: &[Claim],
    more: &[Lit],
) -> Vec<(u32, u32)> {
    let mut o = Order { list: Vec::new(), seen: FxHashSet::default(), walked: FxHashSet::default(), terms };
    let mut lits: Vec<Lit> = more.to_vec();
    lits.extend(antecedent.iter().chain(consequent).flat_map(|c| [c.guard, c.value]));
    let used: FxHashSet<(u32, u32)> = terms
        .support(&lits)
        .into_iter()
        .filter_map(|l| match l {
            Leaf::Var(v, b) => Some((v, b)),
            Leaf::Atom(_) => None,
        })
        .collect();
    for h in hints {
        match h {
            Hint::Interleave(vectors) => o.turns(vectors, false),
            Hint::Down(vectors) => o.turns(vectors, true),
            Hint::Narrow(most) => {
                for (v, vector) in terms.vectors.iter().enumerate().filter(|v| v.1.width <= *most) {
                    (0..vector.width).for_each(|b| o.push(v as u32, b));
                }
            }
        }
    }
    o.by_structure(c, antecedent, consequent);
    for (v, vector) in terms.vectors.iter().enumerate() {
        (0..vector.width).for_each(|b| o.push(v as u32, b));
    }
    o.list.retain(|v| used.contains(v));
    o.list
}

struct Order<'t> {
    list: Vec<(u32, u32)>,
    seen: FxHashSet<(u32, u32)>,
    /// Gates of formulas that were looked at.
    walked: FxHashSet<u32>,
    terms: &'t Terms,
}

impl Order<'_> {
    fn push(&mut self, v: u32, b: u32) {
        if self.seen.insert((v, b)) {
            self.list.push((v, b));
        }
    }

    fn turns(&mut self, vectors: &[u32], down: bool) {
        let width = |v: u32| self.terms.vectors[v as usize].width;
        let most = vectors.iter().map(|v| width(*v)).max().unwrap_or(0);
        let widths: Vec<u32> = vectors.iter().map(|v| width(*v)).collect();
        for i in 0..most {
            let bit = if down { most - 1 - i } else { i };
            for (v, _) in vectors.iter().zip(&widths).filter(|(_, w)| bit < **w) {
                self.push(*v, bit);
            }
        }
    }

    /// Depth first from the lowest wanted bit: variables that meet in a gate come to stand together.
    fn by_structure(&mut self, c: &Circuit, antecedent: &[Claim], consequent: &[Claim]) {
        let mut at: FxHashMap<u32, Vec<Lit>> = FxHashMap::default();
        for claim in antecedent {
            if let Some(Atom { place: Place::Node(l), .. }) = claim.atom {
                at.entry(l >> 1).or_default().extend([claim.guard, claim.value]);
            }
        }
        let mut visited: FxHashSet<u32> = FxHashSet::default();
        let known = constants(c, antecedent);
        for claim in consequent {
            self.formula(claim.guard);
            let roots = match claim.atom {
                Some(Atom { place: Place::Node(l), .. }) => vec![GateId(l >> 1)],
                Some(_) => Vec::new(),
                None => self.atoms(claim.value),
            };
            for root in roots {
                self.walk(c, root, &at, &known, &mut visited);
            }
            self.formula(claim.value);
        }
    }

    fn atoms(&self, l: Lit) -> Vec<GateId> {
        let support = self.terms.support(&[l]).into_iter();
        support
            .filter_map(|l| match l {
                Leaf::Atom(Atom { place: Place::Node(l), .. }) => Some(GateId(l >> 1)),
                _ => None,
            })
            .collect()
    }

    /// The variables of a formula that are new, in the order in which its leaves were made.
    fn formula(&mut self, l: Lit) {
        let mut open = vec![l.gate().0];
        let mut leaves = Vec::new();
        while let Some(g) = open.pop() {
            if !self.walked.insert(g) {
                continue;
            }
            match self.terms.gates()[g as usize] {
                Gate::And(a, b) | Gate::Xor(a, b) => open.extend([a.gate().0, b.gate().0]),
                Gate::Mux(s, t, e) => open.extend([s.gate().0, t.gate().0, e.gate().0]),
                _ => leaves.push(g),
            }
        }
        leaves.sort_unstable();
        for g in leaves {
            if let Some(Leaf::Var(v, b)) = self.terms.leaf_of(self.terms.gates()[g as usize]) {
                self.push(v, b);
            }
        }
    }

    fn walk(
        &mut self,
        c: &Circuit,
        root: GateId,
        at: &FxHashMap<u32, Vec<Lit>>,
        known: &[Option<bool>],
        visited: &mut FxHashSet<u32>,
    ) {
        let mut open = vec![root];
        while let Some(g) = open.pop() {
            if !visited.insert(g.0) {
                continue;
            }
            if let Some(list) = at.get(&g.0) {
                list.iter().for_each(|l| self.formula(*l));
            }
            let from = open.len();
            match c.net.gates[g.0 as usize] {
                Gate::Register(_) | Gate::Latch(_) => c.net.state_fanin(g, |l| open.push(l.gate())),
                Gate::Read(..) => {
                    c.net.fanin(g, |l| open.push(l.gate()));
                    c.net.state_fanin(g, |l| open.push(l.gate()));
                }
                // What a constant select or a 0 keeps out says nothing about a good order.
                Gate::Mux(s, t, e) if value(known, s).is_some() => {
                    open.push(if value(known, s) == Some(true) { t } else { e }.gate());
                }
                _ if known[g.0 as usize].is_some() => {}
                _ => c.net.fanin(g, |l| open.push(l.gate())),
            }
            // The first operand is looked at first.
            open[from..].reverse();
        }
    }
}

fn value(known: &[Option<bool>], l: Lit) -> Option<bool> {
    known[l.gate().0 as usize].map(|v| v ^ l.complement())
}

/// Gates that the antecedent makes constant, whenever it speaks of them.
fn constants(c: &Circuit, antecedent: &[Claim]) -> Vec<Option<bool>> {
    let mut given: FxHashMap<u32, Option<bool>> = FxHashMap::default();
    for claim in antecedent {
        if let Some(Atom { place: Place::Node(l), .. }) = claim.atom {
            let says = claim.value.as_const().filter(|_| claim.guard == Lit::TRUE).map(|v| v ^ (l & 1 == 1));
            let both = given.entry(l >> 1).or_insert(says);
            *both = both.filter(|b| says == Some(*b));
        }
    }
    let mut known: Vec<Option<bool>> = Vec::with_capacity(c.net.gates.len());
    for (i, g) in c.net.gates.iter().enumerate() {
        let at = |l: Lit| value(&known, l);
        let v = match (given.get(&(i as u32)), *g) {
            (Some(v), _) => *v,
            (_, Gate::False) => Some(false),
            (_, Gate::And(a, b)) => match (at(a), at(b)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
            (_, Gate::Xor(a, b)) => at(a).zip(at(b)).map(|(a, b)| a ^ b),
            (_, Gate::Mux(s, t, e)) => at(s).and_then(|s| at(if s { t } else { e })),
            _ => None,
        };
        known.push(v);
    }
    known
}
