//! Inputs of a clock that late gates read change only right after its edges, as if registers of that clock sent them.
//!
//! Without that an input could change in the very step of the edge and, where it meets a signal in flight, unsettle
//! gates that had long come to rest. Inputs that may change at any time are signals in flight themselves.

use super::writer::Writer;
use crate::cdc::clocks::is_reset_name;
use crate::cdc::domains::{DomainId, NONE};
use crate::net::{Assert, Gate, GateId, Lit, Netlist};
use crate::source::Span;
use crate::word::AssertKind;
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};

impl Writer<'_> {
    /// Adds the assumptions.
    pub(super) fn tie_inputs(&mut self) {
        for (domain, inputs) in self.own_inputs() {
            let moved: Vec<Lit> = self.edges_of(domain).into_iter().map(|c| self.ticked(c)).collect();
            let mut still = Vec::new();
            for g in inputs {
                let now = Lit::new(g, false);
                let was = self.was(now);
                still.push(self.b.xnor(now, was));
            }
            let (moved, still) = (self.b.any(&moved), self.b.all(&still));
            let condition = self.b.or(moved, still);
            let name = format!("entail:inputs of {}", self.s.domains.list[domain as usize].name);
            let step = self.step();
            self.b.net.asserts.push(Assert {
                kind: AssertKind::Assume,
                name: name.into(),
                enable: Lit::TRUE,
                condition,
                trigger: Lit::TRUE,
                clock: Some(step),
                span: Span::NONE,
            });
        }
    }

    /// The inputs that late gates read as signals of the capturing clock, by clock.
    fn own_inputs(&self) -> BTreeMap<DomainId, BTreeSet<GateId>> {
        let (net, d): (&Netlist, _) = (self.s.net, self.s.domains);
        let asked = self.asked_elsewhere();
        let (mut open, mut seen) = (self.own.clone(), FxHashSet::default());
        let mut found: BTreeMap<DomainId, BTreeSet<GateId>> = BTreeMap::new();
        while let Some(g) = open.pop() {
            if !seen.insert(g) {
                continue;
            }
            if let (Gate::Input(p, _), Some(domain)) = (net.gates[g.0 as usize], d.input.get(&g))
                && *domain != NONE
                && !asked.contains(&(g, *domain))
                && !is_reset_name(&net.inputs[p as usize].name)
                && !d.list.iter().any(|d| d.roots.contains(&g))
            {
                found.entry(*domain).or_default().insert(g);
            }
            net.fanin(g, |l| open.push(l.gate()));
        }
        found
    }

    /// Inputs that assertions look at with another clock: those may see them change at any time.
    fn asked_elsewhere(&self) -> FxHashSet<(GateId, DomainId)> {
        let (net, d): (&Netlist, _) = (self.s.net, self.s.domains);
        let mut found = FxHashSet::default();
        for a in &net.asserts {
            let (mut open, mut seen) = (vec![a.condition.gate(), a.enable.gate()], FxHashSet::default());
            while let Some(g) = open.pop() {
                if seen.insert(g) {
                    if let Some(domain) = d.input.get(&g)
                        && !a.clock.is_some_and(|c| self.clocks_of(*domain).contains(&c))
                    {
                        found.insert((g, *domain));
                    }
                    net.fanin(g, |l| open.push(l.gate()));
                }
            }
        }
        found
    }

    /// The edges after which inputs of a domain change: those of its clocks, not of what gates them, since a gate that
    /// an input closes would never let that input change again.
    fn edges_of(&self, domain: DomainId) -> BTreeSet<Lit> {
        let pins = self.clocks_of(domain);
        let mut edges = BTreeSet::new();
        for root in &self.s.domains.list[domain as usize].roots {
            let used = [false, true].map(|falls| Lit::new(*root, falls)).into_iter().filter(|l| pins.contains(l));
            edges.extend(used);
            if !edges.iter().any(|l| l.gate() == *root) {
                edges.insert(Lit::new(*root, false));
            }
        }
        edges
    }

    /// The clock pins of a domain.
    fn clocks_of(&self, domain: DomainId) -> BTreeSet<Lit> {
        let all = self.s.net.registers.iter().zip(&self.s.domains.register);
        all.filter(|(_, d)| **d == domain).map(|(r, _)| r.clock).collect()
    }

    /// Whether a clock ticked in the step before.
    fn ticked(&mut self, clock: Lit) -> Lit {
        let turns = self.register(format!("entail:turns:{}", self.name(clock)), Some(false));
        self.set_next(turns, !turns);
        if let Gate::Register(r) = self.b.net.gates[turns.gate().0 as usize] {
            self.b.net.registers[r as usize].clock = clock;
        }
        let was = self.was(turns);
        self.b.xor(turns, was)
    }
}
