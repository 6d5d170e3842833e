//! Captures: one finding for each net and pair of clocks, by the means of the capture.

use super::Promise;
use super::{Finder, MARKS};
use crate::cdc::crossing::{Capture, End, Means};
use crate::cdc::domains::{DomainId, NONE};
use crate::net::GateId;
use crate::source::Span;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// How bits of one net are captured.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Class {
    SeveralClocks,
    Latch,
    Chain,
    LogicChain,
    Controlled,
    Plain,
}

/// Bits of one net that are captured from the same clocks in the same way.
pub(super) struct Group {
    pub name: String,
    pub pair: (DomainId, DomainId),
    pub class: Class,
    /// Numbers of the captures.
    pub members: Vec<usize>,
    pub launches: Vec<GateId>,
    /// The first of the captures.
    pub first: Capture,
    pub places: Vec<(Span, String)>,
    pub notes: Vec<String>,
}

impl Group {
    /// The bits in words.
    pub fn what(&self) -> String {
        match self.members.len() {
            1 => format!("`{}`", self.name),
            n => format!("{n} bits of `{}`", self.name),
        }
    }
}

impl Finder<'_> {
    /// Captures, one finding for each net and pair of clocks.
    pub(super) fn captures(&mut self) {
        let mut groups: BTreeMap<(String, Vec<DomainId>, DomainId, Class), Vec<usize>> = BTreeMap::new();
        for (i, c) in self.out.captures.iter().enumerate() {
            let class = match &c.means {
                _ if c.sources.len() > 1 => Class::SeveralClocks,
                Means::Latch(_) => Class::Latch,
                Means::Chain(chain) if chain.len() > 1 => Class::Chain,
                Means::Chain(_) => Class::Plain,
                _ if self.is_held_back(c) || self.is_pointed_at(c) || self.is_chosen_in_turn(c) => Class::Controlled,
                Means::LogicChain(chain) if self.is_meant(chain[0], c.domain) => Class::LogicChain,
                _ => Class::Plain,
            };
            groups.entry((self.end_name(c.end), c.sources.clone(), c.domain, class)).or_default().push(i);
        }
        for ((name, sources, to, class), members) in groups {
            let group = self.group(name, (sources[0], to), class, members);
            self.judge(group, &sources);
        }
    }

    fn group(&self, name: String, pair: (DomainId, DomainId), class: Class, members: Vec<usize>) -> Group {
        let first = self.out.captures[members[0]].clone();
        let mut launches: Vec<GateId> = members.iter().flat_map(|m| self.out.captures[*m].launches.clone()).collect();
        launches.sort_unstable();
        launches.dedup();
        let (a, b) = (self.clock_name(pair.0), self.clock_name(pair.1));
        let way = match (first.gates, first.length) {
            (0, _) => "nothing between".to_string(),
            (1, _) => "1 gate between".to_string(),
            (g, l) => format!("{g} gates between, at most {} in a row", l.saturating_sub(1)),
        };
        let mut places = vec![(self.end_span(first.end), format!("captured here, by {b}"))];
        if let Some(g) = launches.first() {
            places.push((self.leaf_span(*g), format!("launched here, by {a}")));
        }
        let mut senders: Vec<String> = launches.iter().take(4).map(|g| format!("`{}`", self.name(*g))).collect();
        if launches.len() > 4 {
            senders.push(format!("{} more", launches.len() - 4));
        }
        let notes = vec![format!("from {} to `{name}`: {way}", senders.join(", "))];
        Group { name, pair, class, members, launches, first, places, notes }
    }

    pub(super) fn judge(&mut self, g: Group, sources: &[DomainId]) {
        let (a, b) = (self.clock_name(g.pair.0), self.clock_name(g.pair.1));
        let what = g.what();
        match g.class {
            Class::SeveralClocks => {
                let name = |d: &DomainId| match *d {
                    NONE => "inputs of no clock".to_string(),
                    d => format!("signals of {}", self.clock_name(d)),
                };
                let all: Vec<String> = sources.iter().map(name).collect();
                let text = format!("{} are captured at once in {what} by {b}", all.join(" and "));
                self.stable_always("C008", &g.name, self.ends(&g.members));
                self.add("C008", g.name, g.pair, text, &g.places, g.notes);
            }
            Class::Latch => {
                let text = format!("a latch stands between {a} and {what} of {b}");
                self.add("C022", g.name, g.pair, text, &g.places, g.notes);
            }
            Class::LogicChain => {
                let text = format!("logic of {a} stands before the synchroniser {what} of {b}");
                let ends = self.ends(&g.members);
                self.promise("C005", &g.name, self.end_span(ends[0]), Promise::NoGlitch(ends));
                self.add("C005", g.name, g.pair, text, &g.places, g.notes);
            }
            Class::Chain => self.chains(g),
            Class::Controlled => self.schemes(g),
            Class::Plain => self.plain(g),
        }
    }

    /// Whether a chain behind logic is meant as a synchroniser: it is marked as one, or the logic is all of the other
    /// clock. Other chains are pipelines.
    fn is_meant(&self, first: u32, to: DomainId) -> bool {
        if self.attribute(first, |n| MARKS.contains(&n)).is_some() {
            return true;
        }
        let set = self.d.sets.get(self.d.from[self.s.data[first as usize].gate().0 as usize]);
        set.iter().all(|d| self.d.is_apart(*d, to))
    }

    /// Synchronisers of one net.
    fn chains(&mut self, g: Group) {
        let Group { name, pair, members, places, notes, .. } = g;
        let (a, b) = (self.clock_name(pair.0), self.clock_name(pair.1));
        let stages = |f: &Self, m: &usize| match &f.out.captures[*m].means {
            Means::Chain(c) => c.clone(),
            _ => Vec::new(),
        };
        let chain = stages(self, &members[0]);
        let least = members.iter().map(|m| stages(self, m).len()).min().unwrap_or(0);
        let asked = self.attribute(chain[0], |n| n == "entail_stages").and_then(|v| v.parse().ok());
        let asked: usize = asked.unwrap_or(self.demands.stages);
        if least < asked {
            let text =
                format!("the synchroniser `{name}` from {a} to {b} has {least} stages, and {asked} are asked for");
            self.add("C003", name.clone(), pair, text, &places, notes.clone());
        }
        let marked = |f: &Self, r: u32| f.attribute(r, |n| MARKS.contains(&n)).is_some();
        if !chain.iter().take(asked).all(|r| marked(self, *r)) {
            let some = chain.iter().any(|r| marked(self, *r));
            let how = if some { "does not carry on all stages an" } else { "carries no" };
            let text = format!("the synchroniser `{name}` from {a} to {b} {how} attribute that keeps it together");
            self.add("C004", name.clone(), pair, text, &places, notes.clone());
        }
    }

    pub(super) fn plain(&mut self, g: Group) {
        let Group { name, pair, members, launches, first, places, notes, .. } = g;
        // A port takes all of its bits at once.
        let bits = if let End::Write(..) = first.end { launches.len() } else { members.len() };
        let (a, b) = (self.clock_name(pair.0), self.clock_name(pair.1));
        // An input that several clocks use has a finding of its own.
        if pair.0 == NONE && launches.iter().all(|g| self.d.shared.contains(g)) {
            return;
        }
        if let (Means::Chain(_), End::Register(r), 1) = (&first.means, first.end, bits)
            && let Some(next) = self.second(r)
        {
            let n = self.end_name(End::Register(next));
            self.stable_always("C006", &name, self.ends(&members));
            let text = format!(
                "logic stands between the first stage `{name}` and the second stage `{n}` of a synchroniser from {a} to {b}"
            );
            return self.add("C006", name, pair, text, &places, notes);
        }
        if launches.iter().any(|g| self.is_clock(*g)) {
            self.stable_always("C023", &name, self.ends(&members));
            let text = format!("the clock {a} is captured as data in `{name}` of {b}");
            return self.add("C023", name, pair, text, &places, notes);
        }
        // One bit may decide for many.
        let rule = if launches.len() > 1 && bits > 1 { "C002" } else { "C001" };
        self.stable_always(rule, &name, self.ends(&members));
        match launches.as_slice() {
            [one] => {
                let (what, into) = (self.name(*one), if bits > 1 { format!("{bits} bits of ") } else { String::new() });
                let text = format!("`{what}` of {a} is captured in {into}`{name}` by {b} without a synchroniser");
                self.add("C001", name, pair, text, &places, notes);
            }
            many if bits == 1 => {
                let text = format!(
                    "{} signals of {a} are captured together in `{name}` by {b} without a synchroniser",
                    many.len()
                );
                self.add("C001", name, pair, text, &places, notes);
            }
            _ => {
                let text = format!("{bits} bits of `{name}` capture signals of {a} by {b} without a synchroniser");
                self.add("C002", name, pair, text, &places, notes);
            }
        }
    }

    /// The register behind logic that was meant as the second stage: all that reads the first one leads there, and it
    /// is part of the same net or the first one is marked as a synchroniser.
    fn second(&self, r: u32) -> Option<u32> {
        let g = self.net.registers[r as usize].gate;
        let marked = self.attribute(r, |n| MARKS.contains(&n)).is_some();
        let mut reads: Vec<u32> = Vec::new();
        let mut hit = FxHashSet::from_iter([g]);
        for k in g.0 as usize + 1..self.net.gates.len() {
            let id = GateId(k as u32);
            let mut reached = false;
            self.net.fanin(id, |l| reached |= hit.contains(&l.gate()));
            if reached && self.s.hard[k] {
                hit.insert(id);
            }
        }
        for (i, x) in self.net.registers.iter().enumerate() {
            if self.s.hard[x.gate.0 as usize] && hit.contains(&x.next.gate()) {
                reads.push(i as u32);
            }
        }
        let shown = self.net.outputs.iter().flat_map(|o| &o.bits).any(|l| hit.contains(&l.gate()));
        match reads.as_slice() {
            [one] if !shown && *one != r => {
                let same = self.net.registers[*one as usize].net.0 == self.net.registers[r as usize].net.0;
                (same || marked).then_some(*one)
            }
            _ => None,
        }
    }

    /// Chains that are marked as synchronisers and are fed by logic, whatever that logic belongs to.
    pub(super) fn marked(&mut self) {
        let captured: FxHashSet<u32> = self
            .out
            .captures
            .iter()
            .filter_map(|c| if let End::Register(r) = c.end { Some(r) } else { None })
            .collect();
        let mut told: FxHashSet<String> =
            self.out.findings.iter().filter(|f| f.rule == "C005" || f.rule == "C006").map(|f| f.path.clone()).collect();
        for r in 0..self.net.registers.len() as u32 {
            let data = self.s.data[r as usize];
            let reg = &self.net.registers[r as usize];
            let logic = !self.s.is_leaf(data.gate()) && self.s.hold(r).is_none();
            let is_marked = self.attribute(r, |n| n == "async_reg").is_some();
            if !logic
                || captured.contains(&r)
                || !is_marked
                || !self.s.hard[reg.gate.0 as usize]
                || self.s.chain(r).len() < 2
            {
                continue;
            }
            let (name, to) = (self.end_name(End::Register(r)), self.d.register[r as usize]);
            if told.insert(name.clone()) {
                let clock = self.clock_name(to);
                let text = format!("logic stands before `{name}` of {clock}, which is marked as a synchroniser");
                let place = vec![
                    (reg.span, format!("captured here, by {clock}")),
                    (self.net.spans[data.gate().0 as usize], "made here".to_string()),
                ];
                self.add("C005", name, (NONE, to), text, &place, Vec::new());
            }
        }
    }
}
