//! How states start: exactly as the file says, also where an initial value is an expression.
//!
//! Most initial values are constants, bit by bit, once the states they read are replaced by what those
//! start with. Where one is not, the state is read as `first ? initial value : state`, with a state `first`
//! that is 1 in the first step only. A bit that is nothing but a free bit of its own needs neither: it starts
//! with any value. That is how our writer, and others, say that some bits of a word are not initialised.

use super::operators::{Sort, Value};
use super::{Bit, Reader, bit_name};
use crate::net::{Gate, GateId, Lit};
use rustc_hash::{FxHashMap, FxHashSet};

impl Reader<'_> {
    /// A literal in the first step, as far as the initial values decide it. What they are does not
    /// change later, so what was found stays true.
    pub(super) fn at_start(&mut self, root: Lit) -> Lit {
        let mut open = vec![root.gate()];
        while let Some(&gate) = open.last() {
            if self.started.contains_key(&gate) {
                open.pop();
                continue;
            }
            let mut missing = false;
            let g = self.g.net.gates[gate.0 as usize];
            self.g.net.fanin(gate, |l| {
                if !self.started.contains_key(&l.gate()) {
                    open.push(l.gate());
                    missing = true;
                }
            });
            if missing {
                continue;
            }
            let at = |l: Lit| self.started[&l.gate()].xor(l.complement());
            let value = match g {
                Gate::And(a, b) => {
                    let (a, b) = (at(a), at(b));
                    self.g.and(a, b)
                }
                Gate::Xor(a, b) => {
                    let (a, b) = (at(a), at(b));
                    self.g.xor(a, b)
                }
                Gate::Mux(s, t, e) => {
                    let (s, t, e) = (at(s), at(t), at(e));
                    self.g.mux(s, t, e)
                }
                Gate::Register(i) => match self.states[i as usize].init {
                    Some(v) => Lit::FALSE.xor(v),
                    None => Lit::new(gate, false),
                },
                _ => Lit::new(gate, false),
            };
            self.started.insert(gate, value);
            open.pop();
        }
        self.started[&root.gate()].xor(root.complement())
    }

    /// 1 in the first step only.
    fn first(&mut self) -> Lit {
        if let Some(l) = self.first {
            return l;
        }
        let l = self.g.leaf(Gate::Register(self.states.len() as u32));
        self.states.push(Bit { name: "entail:first".into(), init: Some(true), next: Lit::FALSE });
        self.first = Some(l);
        l
    }

    /// A state and how it is read.
    pub(super) fn make_state(&mut self, id: u64, name: &str, sort: Sort, init: Option<Value>, moving: bool) -> Value {
        let count = sort.bits() as usize;
        let start: Option<Vec<Lit>> = init.map(|v| {
            // One word for an array is the value of all its words.
            (0..count).map(|i| self.at_start(v.bits[i % v.bits.len()])).collect()
        });
        let any = match &start {
            Some(bits) if moving => self.own_free_bits(id, bits),
            _ => FxHashSet::default(),
        };
        let start_of = self.outlook.only_start.get(&id).copied().filter(|_| start.is_none());
        let mut bits = Vec::with_capacity(count);
        let decided = |l: &Lit| l.as_const().is_some() || any.contains(&l.gate());
        let first = match &start {
            Some(s) if !moving || !s.iter().all(decided) => self.first(),
            _ => Lit::FALSE,
        };
        let from = self.states.len();
        for i in 0..count {
            let name = bit_name(name, sort, i);
            let init = start.as_ref().map(|s| s[i]);
            // A state without next value is an input: chosen anew in each step, but for the first if it has
            // an initial value.
            let leaf = if moving {
                let known = init.filter(|l| !any.contains(&l.gate()));
                let init = known.map(|l| l.as_const().unwrap_or(false));
                let leaf = self.g.leaf(Gate::Register(self.states.len() as u32));
                self.states.push(Bit { name, init, next: leaf });
                leaf
            } else {
                self.input(name, start_of)
            };
            bits.push(match init {
                Some(l) if !moving || !decided(&l) => self.g.mux(first, l, leaf),
                _ => leaf,
            });
        }
        if moving {
            self.rows.insert(id, from);
        }
        Value { sort, bits: bits.into() }
    }

    /// Those of the initial bits of a state that are each a free bit that nothing else depends on.
    fn own_free_bits(&self, id: u64, bits: &[Lit]) -> FxHashSet<GateId> {
        let mut count: FxHashMap<GateId, u32> = FxHashMap::default();
        let mut open = Vec::new();
        for l in bits {
            match self.g.net.gates[l.gate().0 as usize] {
                Gate::Input(i, _) if self.inputs[i as usize].start_of == Some(id) => {
                    *count.entry(l.gate()).or_default() += 1
                }
                _ => open.push(l.gate()),
            }
        }
        if count.is_empty() {
            return FxHashSet::default();
        }
        let mut seen = FxHashSet::default();
        while let Some(g) = open.pop() {
            if seen.insert(g) {
                self.g.net.fanin(g, |l| open.push(l.gate()));
            }
        }
        count.into_iter().filter(|(g, n)| *n == 1 && !seen.contains(g)).map(|(g, _)| g).collect()
    }
}
