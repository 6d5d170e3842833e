//! Asynchronous controls: who releases them, what they are made of, and data between different ones.

use super::{Finder, Promise, Scheme};
use crate::cdc::crossing::End;
use crate::cdc::domains::{DomainId, NONE};
use crate::cdc::sets::{SetId, Sets};
use crate::net::{Gate, GateId};
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
        for n in 1..16 {
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
                if self.s.is_leaf(g) {
                    if !self.is_reset_chain(r) {
                        users.entry(g).or_default().entry(self.d.register[r as usize]).or_default().push(r);
                    }
                } else if glitch.insert(g) {
                    let name = self.end_name(End::Register(r));
                    let id = self.d.register[r as usize];
                    let text = format!("the asynchronous reset of `{name}` is made by logic");
                    let place = vec![
                        (self.net.registers[r as usize].span, "reset here".to_string()),
                        (self.net.spans[g.0 as usize], "made here".to_string()),
                    ];
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
                    let (path, span) = (name.clone(), self.net.registers[r as usize].span);
                    let promise = Promise::Released(registers.clone());
                    self.out.schemes.push(Scheme { rule: "C017", path, span, promise });
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
            if self.d.foreign(data.gate(), id).next().is_some() || self.s.resets_of(reg.gate) {
                continue;
            }
            let others: Vec<u32> =
                sets.get(value[data.gate().0 as usize]).iter().copied().filter(|x| *x != own).collect();
            for x in others {
                if told.insert((x, own, id)) {
                    let (a, b) = (self.name(GateId(x)), self.name(GateId(own)));
                    let name = self.end_name(End::Register(r));
                    let text = format!("`{name}`, reset by `{b}`, reads a register that `{a}` resets");
                    let place = vec![(reg.span, "read here".to_string())];
                    self.add("C018", name, (id, id), text, &place, Vec::new());
                }
            }
        }
    }
}
