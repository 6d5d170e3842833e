//! Formulas over symbolic vectors and over the values that nodes have at times.
//!
//! A formula is a gate of a graph of its own ([`crate::net::Builder`], so equal formulas are mostly one gate).
//! Its leaves are bits of symbolic vectors and *atoms*, a literal of the circuit at a time. Specifications are
//! elaborated elsewhere and [imported](Terms::import); this file knows no language.

use crate::net::{Builder, Gate, Lit, Netlist};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use smol_str::SmolStr;
use std::sync::atomic::{AtomicU64, Ordering};

/// Where a value of the circuit is found.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Place {
    /// A literal of the netlist.
    Node(u32),
    /// A bit of a word of a memory: memory, address, bit.
    Word(u32, u64, u32),
}

impl Place {
    /// The place of a literal.
    pub fn of(l: Lit) -> Place {
        Place::Node(l.0)
    }
}

/// A place at a time.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Atom {
    /// Where.
    pub place: Place,
    /// When, in cycles or phases as the circuit is clocked.
    pub time: u32,
}

/// What a formula is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Leaf {
    /// A bit of a symbolic vector.
    Var(u32, u32),
    /// A value of the circuit. Its literal is never complemented: that is up to the formula.
    Atom(Atom),
}

/// A symbolic vector.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Vector {
    /// Its name.
    pub name: SmolStr,
    /// Number of bits.
    pub width: u32,
}

/// A statement about one bit of the circuit, or about nothing but formulas.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Claim {
    /// What it is about; `None`: the value itself must be 1.
    pub atom: Option<Atom>,
    /// Where it says something.
    pub guard: Lit,
    /// What the atom is there.
    pub value: Lit,
    /// The sentence it comes from, for messages.
    pub origin: u32,
}

/// Formulas with shared parts.
pub struct Terms {
    builder: Builder,
    leaves: Vec<Leaf>,
    index: FxHashMap<Leaf, Lit>,
    id: u64,
    /// The symbolic vectors.
    pub vectors: Vec<Vector>,
}

static NUMBER: AtomicU64 = AtomicU64::new(1);

impl Terms {
    /// No formulas yet.
    pub fn new(vectors: Vec<Vector>) -> Terms {
        let id = NUMBER.fetch_add(1, Ordering::Relaxed);
        Terms { builder: Builder::new("terms"), leaves: Vec::new(), index: FxHashMap::default(), id, vectors }
    }

    /// Tells these formulas from all others of the process: a literal means something only here.
    pub fn id(&self) -> u64 {
        self.id
    }

    /// All gates, operands first; leaves are inputs of port 0, numbered as [`Terms::leaf_of`] knows them.
    pub fn gates(&self) -> &[Gate] {
        &self.builder.net.gates
    }

    /// The formula of a leaf.
    pub fn leaf(&mut self, leaf: Leaf) -> Lit {
        if let Leaf::Atom(Atom { place: Place::Node(l), time }) = leaf {
            let l = Lit(l);
            if let Some(c) = l.as_const() {
                return Lit::FALSE.xor(c);
            }
            if l.complement() {
                return !self.leaf(Leaf::Atom(Atom { place: Place::of(!l), time }));
            }
        }
        if let Some(l) = self.index.get(&leaf) {
            return *l;
        }
        let l = self.builder.leaf(Gate::Input(0, self.leaves.len() as u32));
        self.leaves.push(leaf);
        self.index.insert(leaf, l);
        l
    }

    /// What a leaf gate stands for.
    pub fn leaf_of(&self, g: Gate) -> Option<Leaf> {
        match g {
            Gate::Input(0, k) => self.leaves.get(k as usize).copied(),
            _ => None,
        }
    }

    /// A bit of a vector.
    pub fn var(&mut self, vector: u32, bit: u32) -> Lit {
        self.leaf(Leaf::Var(vector, bit))
    }

    /// And.
    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        self.builder.and(a, b)
    }

    /// Or.
    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        self.builder.or(a, b)
    }

    /// Exclusive or.
    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        self.builder.xor(a, b)
    }

    /// `s ? t : e`.
    pub fn mux(&mut self, s: Lit, t: Lit, e: Lit) -> Lit {
        self.builder.mux(s, t, e)
    }

    /// And of all.
    pub fn all(&mut self, list: &[Lit]) -> Lit {
        self.builder.all(list)
    }

    /// Or of all.
    pub fn any(&mut self, list: &[Lit]) -> Lit {
        self.builder.any(list)
    }

    /// What a claim says, as a formula.
    pub fn claim(&mut self, c: &Claim) -> Lit {
        let said = match c.atom {
            Some(a) => {
                let atom = self.leaf(Leaf::Atom(a));
                !self.xor(atom, c.value)
            }
            None => c.value,
        };
        self.or(!c.guard, said)
    }

    /// What claims say together.
    pub fn claims(&mut self, list: &[Claim]) -> Lit {
        let lits: Vec<Lit> = list.iter().map(|c| self.claim(c)).collect();
        self.all(&lits)
    }

    /// The gates some formulas are made of, operands first.
    pub fn cone(&self, roots: &[Lit]) -> Vec<u32> {
        cone(&self.builder.net.gates, roots)
    }

    /// The leaves of some formulas, in order of appearance.
    pub fn support(&self, roots: &[Lit]) -> Vec<Leaf> {
        self.cone(roots).into_iter().filter_map(|g| self.leaf_of(self.builder.net.gates[g as usize])).collect()
    }

    /// Formulas with some leaves replaced, all at once.
    pub fn substitute(&mut self, roots: &[Lit], by: &mut dyn FnMut(&mut Terms, Leaf) -> Option<Lit>) -> Vec<Lit> {
        let order = self.cone(roots);
        let mut map: FxHashMap<u32, Lit> = FxHashMap::default();
        for g in order {
            let gate = self.builder.net.gates[g as usize];
            let at = |l: Lit| map[&l.gate().0].xor(l.complement());
            let l = match gate {
                Gate::And(a, b) => self.builder.and(at(a), at(b)),
                Gate::Xor(a, b) => self.builder.xor(at(a), at(b)),
                Gate::Mux(s, t, e) => self.builder.mux(at(s), at(t), at(e)),
                _ => match self.leaf_of(gate) {
                    Some(leaf) => by(self, leaf).unwrap_or_else(|| Lit::new(crate::net::GateId(g), false)),
                    None => Lit::FALSE,
                },
            };
            map.insert(g, l);
        }
        roots.iter().map(|l| map[&l.gate().0].xor(l.complement())).collect()
    }

    /// Formulas of another netlist without state, given the formula of each of its input bits. `None` if one
    /// depends on something that is no input: a free value.
    pub fn import(
        &mut self,
        net: &Netlist,
        roots: &[Lit],
        input: &mut dyn FnMut(&mut Terms, u32, u32) -> Lit,
    ) -> Option<Vec<Lit>> {
        let mut map: FxHashMap<u32, Lit> = FxHashMap::default();
        for g in cone(&net.gates, roots) {
            let at = |l: Lit| map[&l.gate().0].xor(l.complement());
            let l = match net.gates[g as usize] {
                Gate::False => Lit::FALSE,
                Gate::Input(p, b) => input(self, p, b),
                Gate::And(a, b) => self.builder.and(at(a), at(b)),
                Gate::Xor(a, b) => self.builder.xor(at(a), at(b)),
                Gate::Mux(s, t, e) => self.builder.mux(at(s), at(t), at(e)),
                _ => return None,
            };
            map.insert(g, l);
        }
        Some(roots.iter().map(|l| map[&l.gate().0].xor(l.complement())).collect())
    }

    /// Formulas of other terms; `leaf` says what their leaves are here.
    pub fn copy(&mut self, from: &Terms, roots: &[Lit], leaf: &mut dyn FnMut(&mut Terms, Leaf) -> Lit) -> Vec<Lit> {
        let mut map: FxHashMap<u32, Lit> = FxHashMap::default();
        for g in from.cone(roots) {
            let gate = from.gates()[g as usize];
            let at = |l: Lit| map[&l.gate().0].xor(l.complement());
            let l = match gate {
                Gate::And(a, b) => self.builder.and(at(a), at(b)),
                Gate::Xor(a, b) => self.builder.xor(at(a), at(b)),
                Gate::Mux(s, t, e) => self.builder.mux(at(s), at(t), at(e)),
                _ => from.leaf_of(gate).map_or(Lit::FALSE, |x| leaf(self, x)),
            };
            map.insert(g, l);
        }
        roots.iter().map(|l| map[&l.gate().0].xor(l.complement())).collect()
    }

    /// The values of formulas, given those of the leaves.
    pub fn values(&self, roots: &[Lit], leaf: &mut dyn FnMut(Leaf) -> bool) -> Vec<bool> {
        let mut map: FxHashMap<u32, bool> = FxHashMap::default();
        for g in self.cone(roots) {
            let gate = self.builder.net.gates[g as usize];
            let at = |l: Lit| map[&l.gate().0] ^ l.complement();
            let v = match gate {
                Gate::And(a, b) => at(a) & at(b),
                Gate::Xor(a, b) => at(a) ^ at(b),
                Gate::Mux(s, t, e) => at(if at(s) { t } else { e }),
                _ => self.leaf_of(gate).is_some_and(&mut *leaf),
            };
            map.insert(g, v);
        }
        roots.iter().map(|l| map[&l.gate().0] ^ l.complement()).collect()
    }
}

/// The gates that literals depend on, operands first. Only gates without state are looked through.
fn cone(gates: &[Gate], roots: &[Lit]) -> Vec<u32> {
    let mut seen: rustc_hash::FxHashSet<u32> = Default::default();
    let mut open: Vec<u32> = roots.iter().map(|l| l.gate().0).collect();
    while let Some(g) = open.pop() {
        if seen.insert(g) {
            match gates[g as usize] {
                Gate::And(a, b) | Gate::Xor(a, b) => open.extend([a.gate().0, b.gate().0]),
                Gate::Mux(s, t, e) => open.extend([s.gate().0, t.gate().0, e.gate().0]),
                _ => {}
            }
        }
    }
    // Operands have smaller numbers.
    let mut list: Vec<u32> = seen.into_iter().collect();
    list.sort_unstable();
    list
}
