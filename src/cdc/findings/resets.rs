//! Asynchronous controls: who releases them, what they are made of, and data between different ones.

use super::{Finder, Promise};
use crate::cdc::crossing::End;
use crate::cdc::domains::{DomainId, NONE};
use crate::cdc::sets::{SetId, Sets};
use crate::net::{Gate, GateId, Lit};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

impl Finder<'_> {
    /// Registers of a reset synchroniser: constant data, or the data of one before it, under the same reset.
    fn is_reset_chain(&self, r: u32) -> bool {
        self.reset_stages(r).is_some()
    }

    /// How many registers release a reset, counted from the constant to this one.
    fn reset_stages(&self, r: u32) -> Option<usize> {
        let mut at = r;
        // No chain is longer than all registers.
        for n in 1..=self.net.registers.len() {
            let reg = &self.net.registers[at as usize];
            let data = self.s.data[at as usize];
            // A synchronous reset of the chain itself is as good as the constant.
            if data.as_const().is_some()
                || self.s.is_reset(data)
                    && self.s.is_leaf(data.gate())
                    && n > 0
                    && !matches!(self.net.gates[data.gate().0 as usize], Gate::Register(_))
            {
                return Some(n);
            }
            match self.net.gates[data.gate().0 as usize] {
                Gate::Register(b)
                    if b != at
                        && self.net.registers[b as usize].asyncs.first().map(|a| a.0)
                            == reg.asyncs.first().map(|a| a.0) =>
                {
                    at = b;
                }
                _ => return None,
            }
        }
        None
    }

    /// The leaves of a control that is active as soon as one of them is: logic that can only pass on what it gets.
    fn any_of(&self, condition: Lit) -> Option<Vec<GateId>> {
        let (mut open, mut leaves) = (vec![condition], Vec::new());
        while let Some(l) = open.pop() {
            match self.net.gates[l.gate().0 as usize] {
                Gate::And(x, y) if l.complement() && leaves.len() + open.len() < 64 => open.extend([!x, !y]),
                _ if self.s.is_leaf(l.gate()) => leaves.push(l.gate()),
                _ => return None,
            }
        }
        Some(leaves)
    }

    /// What makes a reset active: inputs, and registers that a clock sets. What only releases a reset passes on what
    /// it is given.
    fn causes(&self, g: GateId, depth: u32) -> Vec<GateId> {
        let Gate::Register(r) = self.net.gates[g.0 as usize] else { return vec![g] };
        let asyncs = &self.net.registers[r as usize].asyncs;
        let leaves = asyncs.iter().map(|a| self.any_of(a.0).unwrap_or_else(|| vec![a.0.gate()]));
        let passed = leaves.flatten().flat_map(|g| if depth > 8 { vec![g] } else { self.causes(g, depth + 1) });
        let own = (asyncs.is_empty() || !self.is_reset_chain(r)).then_some(g);
        passed.chain(own).collect()
    }

    /// A reset and what makes it active at once, directly or through others.
    fn family(&self, g: GateId, depth: u32) -> Vec<GateId> {
        let mut all = vec![g];
        if let (Gate::Register(r), true) = (self.net.gates[g.0 as usize], depth < 8) {
            for (l, _) in &self.net.registers[r as usize].asyncs {
                let leaves = self.any_of(*l).unwrap_or_else(|| vec![l.gate()]);
                all.extend(leaves.into_iter().flat_map(|g| self.family(g, depth + 1)));
            }
        }
        all
    }

    /// Whether one reset, when it comes without a clock, always comes with another one.
    pub(super) fn comes_with(&self, one: GateId, other: GateId, clock: DomainId) -> bool {
        let also = self.family(other, 0);
        // A register of the reader's own clock resets in time.
        let in_time = |g: &GateId| match self.net.gates[g.0 as usize] {
            Gate::Register(r) => !self.d.is_apart(self.d.register[r as usize], clock),
            _ => false,
        };
        also.contains(&one) || self.causes(one, 0).iter().all(|g| also.contains(g) || in_time(g))
    }

    /// A register in front of a literal that is reset by a gate.
    fn reset_by(&self, data: Lit, reset: GateId) -> Option<u32> {
        let (mut open, mut seen) = (vec![data.gate()], FxHashSet::default());
        while let Some(g) = open.pop() {
            if !seen.insert(g) || seen.len() > 20_000 {
                continue;
            }
            if let Gate::Register(r) = self.net.gates[g.0 as usize]
                && self.net.registers[r as usize].asyncs.first().is_some_and(|a| a.0.gate() == reset)
            {
                return Some(r);
            }
            self.net.fanin(g, |l| open.push(l.gate()));
        }
        None
    }

    /// Asynchronous controls: released by whom, made of what, and data between different ones.
    pub(super) fn resets(&mut self) {
        let mut users: BTreeMap<GateId, BTreeMap<DomainId, Vec<u32>>> = BTreeMap::new();
        let mut glitch: FxHashSet<GateId> = FxHashSet::default();
        for r in 0..self.net.registers.len() as u32 {
            let reg = &self.net.registers[r as usize];
            if !self.s.hard[reg.gate.0 as usize] {
                continue;
            }
            for (condition, _) in reg.asyncs.clone() {
                let g = condition.gate();
                if condition.as_const().is_some() {
                    continue;
                }
                // What only a synchroniser reads may be taken at any time, and may be made of several resets.
                let chain = self.is_reset_chain(r);
                if self.s.is_leaf(g) {
                    if !chain && self.s.chain(r).len() <= self.demands.stages {
                        users.entry(g).or_default().entry(self.d.register[r as usize]).or_default().push(r);
                    }
                } else if chain && self.any_of(condition).is_some() {
                    continue;
                } else if glitch.insert(g) {
                    let name = self.end_name(End::Register(r));
                    let id = self.d.register[r as usize];
                    let text = format!("the asynchronous reset of `{name}` is made by logic");
                    let place = vec![
                        (self.net.registers[r as usize].span, "reset here".to_string()),
                        (self.net.spans[g.0 as usize], "made here".to_string()),
                    ];
                    let same = |x: &u32| self.net.registers[*x as usize].asyncs.iter().any(|a| a.0.gate() == g);
                    let all = (0..self.net.registers.len() as u32).filter(same).collect();
                    self.promise("C019", &name, self.net.registers[r as usize].span, Promise::NoSpike(all));
                    self.add("C019", name, (id, id), text, &place, Vec::new());
                }
            }
        }
        for (g, by) in users {
            let own = self.d.of_leaf(self.net, g);
            let from_register = matches!(self.net.gates[g.0 as usize], Gate::Register(_));
            if let Gate::Register(r) = self.net.gates[g.0 as usize]
                && let Some(n) = self.reset_stages(r).filter(|n| *n < self.demands.stages)
            {
                let (name, to) = (self.name(g), self.d.register[r as usize]);
                let clock = self.clock_name(to);
                let text = format!(
                    "the reset `{name}` is released to {clock} by {n} stages, and {} are asked for",
                    self.demands.stages
                );
                let place = vec![(self.leaf_span(g), "released here".to_string())];
                self.add("C003", name, (NONE, to), text, &place, Vec::new());
            }
            for (domain, registers) in &by {
                let r = registers[0];
                let apart = match own {
                    Some(d) if from_register => self.d.is_apart(d, *domain),
                    _ if self.d.loose.contains(&g) => true,
                    // An input that one clock alone uses is taken to be released with it.
                    _ => by.keys().any(|other| other != domain && self.d.is_apart(*other, *domain)),
                };
                if apart {
                    let name = self.name(g);
                    let clock = self.clock_name(*domain);
                    let text = format!(
                        "the asynchronous reset `{name}` is not released by {clock}, whose registers it resets"
                    );
                    let place = vec![
                        (self.net.registers[r as usize].span, "reset here".to_string()),
                        (self.leaf_span(g), "comes from here".to_string()),
                    ];
                    let from = own.filter(|_| from_register).unwrap_or(NONE);
                    let span = self.net.registers[r as usize].span;
                    self.promise("C017", &name, span, Promise::Released(registers.clone()));
                    self.add("C017", name, (from, *domain), text, &place, Vec::new());
                }
            }
        }
        self.reset_crossings();
    }

    fn reset_crossings(&mut self) {
        let mut sets = Sets::default();
        let of = |reg: &crate::net::Register| reg.asyncs.first().map(|a| a.0.gate().0).filter(|g| *g != 0);
        let mut value: Vec<SetId> = vec![0; self.net.gates.len()];
        for g in 0..self.net.gates.len() {
            let mut set = match self.net.gates[g] {
                Gate::Register(r) if !self.s.resets_of(GateId(g as u32)) => {
                    of(&self.net.registers[r as usize]).map_or(0, |x| sets.of(&[x]))
                }
                _ => 0,
            };
            self.net.fanin(GateId(g as u32), |l| set = sets.union(set, value[l.gate().0 as usize]));
            value[g] = set;
        }
        let mut told = FxHashSet::default();
        for r in 0..self.net.registers.len() as u32 {
            let reg = &self.net.registers[r as usize];
            let Some(own) = of(reg).filter(|_| self.s.hard[reg.gate.0 as usize]) else { continue };
            let id = self.d.register[r as usize];
            // Between clocks it is a crossing anyway; a synchroniser of resets reads none.
            let data = self.s.data[r as usize];
            let caught = self.s.chain(r).len() > self.demands.stages;
            if self.d.foreign(data.gate(), id).next().is_some() || self.s.resets_of(reg.gate) || caught {
                continue;
            }
            let others: Vec<u32> =
                sets.get(value[data.gate().0 as usize]).iter().copied().filter(|x| *x != own).collect();
            for x in others {
                if self.comes_with(GateId(x), GateId(own), id) {
                    continue;
                }
                if told.insert((x, own, id)) {
                    let (a, b) = (self.name(GateId(x)), self.name(GateId(own)));
                    let name = self.end_name(End::Register(r));
                    let source = self.reset_by(data, GateId(x));
                    let what =
                        source.map_or("a register".to_string(), |r| format!("`{}`", self.end_name(End::Register(r))));
                    let text = format!("`{name}`, reset by `{b}`, reads {what}, which `{a}` resets");
                    let mut place = vec![(reg.span, "read here".to_string())];
                    place.extend(source.map(|r| (self.net.registers[r as usize].span, format!("reset by `{a}`"))));
                    self.add("C018", name, (id, id), text, &place, Vec::new());
                }
            }
        }
    }
}
