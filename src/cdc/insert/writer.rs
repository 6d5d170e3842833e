//! Writing into a netlist: state that counts steps, and values that nothing decides.

use super::late::{Late, Watch};
use crate::cdc::crossing::Structure;
use crate::net::{Builder, Gate, GateId, Lit, Net, Register, STEP};
use crate::source::Span;
use rustc_hash::FxHashMap;

/// A netlist that is being rewritten.
pub(super) struct Writer<'s> {
    pub s: &'s Structure<'s>,
    pub b: Builder,
    pub step: Option<Lit>,
    pub first: Option<Lit>,
    /// Gates with late inputs, by gate and for whom.
    pub late: FxHashMap<(GateId, Watch), Late>,
    /// What gates behind a late one see of it, by what it goes to and whether it changes.
    pub unstable: FxHashMap<(Lit, Lit), Lit>,
    /// What a literal was one step before.
    pub before: FxHashMap<Lit, Lit>,
    /// Values of gates at the start, if they are known.
    pub start: FxHashMap<GateId, Option<bool>>,
    pub names: FxHashMap<GateId, String>,
    /// Gates of the capturing clocks that late gates read.
    pub own: Vec<GateId>,
    /// How often each name was given.
    pub named: FxHashMap<String, u32>,
    pub states: usize,
}

impl Writer<'_> {
    pub fn input(&mut self, name: String) -> Lit {
        let name = self.unique(name);
        let port = self.b.net.inputs.len() as u32;
        let l = self.b.leaf(Gate::Input(port, 0));
        self.b.net.inputs.push(Net { name: name.into(), range: None, bits: vec![l], span: Span::NONE, attrs: vec![] });
        l
    }

    /// A name that nothing new has yet.
    fn unique(&mut self, name: String) -> String {
        let n = self.named.entry(name.clone()).or_insert(0);
        *n += 1;
        if *n == 1 { name } else { format!("{name}#{n}") }
    }

    /// The clock that counts steps.
    pub fn step(&mut self) -> Lit {
        if let Some(l) = self.step {
            return l;
        }
        let l = self.input(STEP.into());
        self.step = Some(l);
        l
    }

    pub fn register(&mut self, name: String, init: Option<bool>) -> Lit {
        let name = self.unique(name);
        let step = self.step();
        let n = self.b.net.registers.len() as u32;
        let l = self.b.leaf(Gate::Register(n));
        let net = self.b.net.nets.len() as u32;
        let (gate, clock, span) = (l.gate(), step, Span::NONE);
        self.b.net.nets.push(Net { name: name.into(), range: None, bits: vec![l], span, attrs: vec![] });
        self.b.net.registers.push(Register { gate, next: l, clock, asyncs: vec![], init, net: (net, 0), span });
        self.states += 1;
        l
    }

    pub fn set_next(&mut self, register: Lit, next: Lit) {
        if let Gate::Register(r) = self.b.net.gates[register.gate().0 as usize] {
            self.b.net.registers[r as usize].next = next;
        }
    }

    pub fn name(&self, l: Lit) -> String {
        self.names.get(&l.gate()).cloned().unwrap_or_else(|| format!("gate{}", l.gate().0))
    }

    /// What a literal was one step before.
    pub fn was(&mut self, l: Lit) -> Lit {
        let plain = Lit::new(l.gate(), false);
        if let Some(p) = self.before.get(&plain) {
            return p.xor(l.complement());
        }
        let init = self.at_start(plain);
        let mut p = self.remember(plain, init);
        if init.is_none() {
            // Nothing is in flight at the start: whatever the value is, it was the same before.
            let first = self.first();
            p = self.b.mux(first, plain, p);
        }
        self.before.insert(plain, p);
        p.xor(l.complement())
    }

    /// A register that has what a literal was one step before.
    pub fn remember(&mut self, l: Lit, init: Option<bool>) -> Lit {
        let p = self.register(format!("entail:was:{}", self.name(l)), init);
        self.set_next(p, l);
        p
    }

    /// Whether this is the first step.
    pub fn first(&mut self) -> Lit {
        if let Some(l) = self.first {
            return l;
        }
        let l = self.register("entail:start".into(), Some(true));
        self.set_next(l, Lit::FALSE);
        self.first = Some(l);
        l
    }

    /// The value of a literal at the start; unknown if it depends on inputs or on state that is.
    pub fn at_start(&mut self, l: Lit) -> Option<bool> {
        let g = l.gate();
        let v = match self.start.get(&g) {
            Some(v) => *v,
            None => {
                let v = match self.b.net.gates[g.0 as usize] {
                    Gate::False => Some(false),
                    Gate::Register(r) => self.b.net.registers[r as usize].init,
                    Gate::Latch(r) => self.b.net.latches[r as usize].init,
                    Gate::And(x, y) => match (self.at_start(x), self.at_start(y)) {
                        (Some(false), _) | (_, Some(false)) => Some(false),
                        (Some(true), Some(true)) => Some(true),
                        _ => None,
                    },
                    Gate::Xor(x, y) => self.at_start(x).zip(self.at_start(y)).map(|(a, b)| a ^ b),
                    Gate::Mux(s, t, e) => match self.at_start(s) {
                        Some(s) => self.at_start(if s { t } else { e }),
                        None => {
                            let (t, e) = (self.at_start(t), self.at_start(e));
                            if t == e { t } else { None }
                        }
                    },
                    _ => None,
                };
                self.start.insert(g, v);
                v
            }
        };
        v.map(|v| v ^ l.complement())
    }
}
