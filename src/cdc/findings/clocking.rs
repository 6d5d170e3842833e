//! Clocks that are gated, multiplexed or missing, clocks that are data, and inputs that belong to no clock.

use super::Finder;
use crate::cdc::crossing::{End, Means};
use crate::cdc::domains::{DomainId, NONE, input_name};
use crate::net::{Gate, GateId, Lit};
use crate::source::Span;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

impl Finder<'_> {
    /// Gated, multiplexed and missing clocks; clocks that are data.
    pub(super) fn clocks(&mut self) {
        let mut seen: FxHashSet<Lit> = FxHashSet::default();
        for r in 0..self.net.registers.len() {
            let reg = &self.net.registers[r];
            if !self.s.hard[reg.gate.0 as usize] || !seen.insert(reg.clock) {
                continue;
            }
            let tree = self.d.tree[r].clone();
            let (id, span) = (self.d.register[r], reg.span);
            let name = self.end_name(End::Register(r as u32));
            let pin = self.names.or_number(reg.clock);
            let place = vec![(span, "clocked here".to_string())];
            if tree.roots.is_empty() {
                let text = match reg.clock.as_const() {
                    Some(_) => format!("the clock of `{name}` is constant"),
                    None => format!("the clock `{pin}` of `{name}` comes from no clock"),
                };
                self.add("C025", name, (id, id), text, &place, Vec::new());
                continue;
            }
            if tree.roots.len() > 1 {
                let list: Vec<String> = tree.roots.iter().map(|g| input_name(self.net, *g)).collect();
                let text = format!("`{name}` is clocked by {}, selected while they run", list.join(" or "));
                self.add("C021", name, (id, id), text, &place, Vec::new());
            } else if !tree.controls.is_empty() {
                let clock = reg.clock;
                let bad: Vec<GateId> =
                    tree.controls.iter().copied().filter(|g| !self.is_quiet(*g, tree.roots[0], clock)).collect();
                if let Some(g) = bad.first() {
                    let what = self.name(*g);
                    let text = format!(
                        "the clock of `{name}` is gated by `{what}`, which may change while the clock is active"
                    );
                    let mut place = place;
                    place.push((self.leaf_span(*g), "this gates it".to_string()));
                    self.add("C020", name, (id, id), text, &place, Vec::new());
                }
            }
        }
        self.clock_as_data();
    }

    /// Whether a control of a gated clock changes only while the clock is inactive.
    fn is_quiet(&self, control: GateId, root: GateId, pin: Lit) -> bool {
        // The level of the clock at which the gate is closed, seen from the pin: an and passes the high level.
        let high = self.passes_high(pin, root);
        let inactive = |l: Lit| l.gate() == root && l.complement() == high;
        match self.net.gates[control.0 as usize] {
            Gate::Latch(l) => inactive(self.net.latches[l as usize].enable),
            // A register of the edge after which the clock is inactive.
            Gate::Register(r) => inactive(self.net.registers[r as usize].clock),
            // An input is the business of whoever drives it.
            Gate::Input(..) => true,
            _ => false,
        }
    }

    fn passes_high(&self, pin: Lit, root: GateId) -> bool {
        let (mut l, mut high) = (pin, true);
        for _ in 0..64 {
            if l.complement() {
                high = !high;
            }
            match self.net.gates[l.gate().0 as usize] {
                Gate::And(x, y) => {
                    let cone = |l: Lit| l.gate() == root || self.leads_to(l.gate(), root);
                    l = if cone(x) { x } else { y };
                }
                _ => break,
            }
        }
        high
    }

    fn leads_to(&self, from: GateId, root: GateId) -> bool {
        let (mut open, mut seen) = (vec![from], FxHashSet::default());
        while let Some(g) = open.pop() {
            if g == root {
                return true;
            }
            if seen.insert(g) && seen.len() < 1000 {
                self.net.fanin(g, |l| open.push(l.gate()));
            }
        }
        false
    }

    fn clock_as_data(&mut self) {
        let mut read: Vec<bool> = vec![false; self.net.gates.len()];
        for g in 0..self.net.gates.len() {
            // A divider reads itself; clocks from outside are no data.
            read[g] = matches!(self.net.gates[g], Gate::Input(..)) && self.is_clock(GateId(g as u32));
            let mut any = read[g];
            self.net.fanin(GateId(g as u32), |l| any |= read[l.gate().0 as usize]);
            read[g] = any;
        }
        let mut told: BTreeMap<DomainId, Vec<(String, Span)>> = BTreeMap::new();
        for (r, reg) in self.net.registers.iter().enumerate() {
            let data = self.s.data[r];
            if !self.s.hard[reg.gate.0 as usize] || !read[data.gate().0 as usize] {
                continue;
            }
            // As data of another clock it is a capture, told there.
            let name = self.end_name(End::Register(r as u32));
            let id = self.d.register[r];
            let direct =
                self.is_clock(data.gate()) && self.d.input.get(&data.gate()).is_some_and(|d| self.d.is_apart(*d, id));
            let list = told.entry(id).or_default();
            if !direct && !list.iter().any(|t| t.0 == name) {
                list.push((name, reg.span));
            }
        }
        for (id, mut list) in told {
            list.retain(|t| !self.out.findings.iter().any(|f| f.rule == "C023" && f.path == t.0));
            if let Some((name, span)) = list.first().cloned() {
                let more = if list.len() > 1 { format!(" and of {} more", list.len() - 1) } else { String::new() };
                let text = format!("a clock is part of the data of `{name}`{more}");
                self.add("C023", name, (id, id), text, &[(span, "read here".to_string())], Vec::new());
            }
        }
    }

    /// Outputs that were declared to belong to a clock which does not send them.
    pub(super) fn outputs(&mut self) {
        let bits: Vec<(usize, usize)> =
            self.net.outputs.iter().enumerate().flat_map(|(o, n)| (0..n.bits.len()).map(move |i| (o, i))).collect();
        let mut told = FxHashSet::default();
        for ((o, _), (g, claimed)) in bits.into_iter().zip(self.d.output.clone()) {
            let Some(to) = claimed.filter(|d| *d != NONE) else { continue };
            let senders: Vec<DomainId> = self.d.foreign(g, to).filter(|d| *d != NONE).collect();
            let Some(from) = senders.first().filter(|_| told.insert(o)).copied() else { continue };
            let (name, span) = (self.net.outputs[o].name.to_string(), self.net.outputs[o].span);
            let (a, b) = (self.clock_name(from), self.clock_name(to));
            let text = format!("the output `{name}` is declared to belong to {b}, but {a} sends it");
            let mut places = vec![(span, "declared here".to_string())];
            places.extend(
                self.s
                    .senders(Lit::new(g, false), to)
                    .first()
                    .map(|l| (self.leaf_span(*l), format!("launched here, by {a}"))),
            );
            self.add("C026", name, (from, to), text, &places, Vec::new());
        }
    }

    /// Inputs that several clocks use.
    pub(super) fn inputs(&mut self) {
        let mut told = FxHashSet::default();
        for g in self.d.shared.clone() {
            let Gate::Input(p, _) = self.net.gates[g.0 as usize] else { continue };
            let used = self
                .out
                .captures
                .iter()
                .filter(|c| c.launches.contains(&g) && !matches!(&c.means, Means::Chain(c) if c.len() > 1));
            let domains: std::collections::BTreeSet<DomainId> = used.map(|c| c.domain).collect();
            if domains.is_empty() || !told.insert(p) {
                continue;
            }
            let name = self.net.inputs[p as usize].name.to_string();
            let list: Vec<String> = domains.iter().map(|d| self.clock_name(*d)).collect();
            let text = format!("the input `{name}` belongs to no clock and is captured by {}", list.join(" and by "));
            let place = vec![(self.net.inputs[p as usize].span, "declared here".to_string())];
            let to = domains.iter().next().copied().unwrap_or(NONE);
            self.add("C024", name, (NONE, to), text, &place, Vec::new());
        }
    }
}
