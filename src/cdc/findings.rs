//! From structure to findings: one for each captured signal and pair of clocks, by the most precise rule.

use super::crossing::{Capture, End, Means, Structure};
use super::domains::{DomainId, Domains, NONE, input_name};
use super::gray::look_gray;
use super::rules;
use super::sets::{SetId, Sets};
use crate::net::{Gate, GateId, Lit, Names, Netlist};
use crate::source::{Diagnostic, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// What the user may set.
#[derive(Clone, Debug)]
pub struct Demands {
    /// Stages that a synchroniser must have.
    pub stages: usize,
    /// Registers through which reconvergence is followed.
    pub depth: u32,
}

impl Default for Demands {
    fn default() -> Demands {
        Demands { stages: 2, depth: 1 }
    }
}

/// A finding.
#[derive(Clone, Debug)]
pub struct Finding {
    /// Code of the rule.
    pub rule: &'static str,
    /// What captures: the path that waivers and baselines know it by.
    pub path: String,
    /// Clock that sends.
    pub from: String,
    /// Clock that captures.
    pub to: String,
    /// The finding for people.
    pub diagnostic: Diagnostic,
}

/// A synchroniser that was recognised.
#[derive(Clone, Debug)]
pub struct Synchroniser {
    /// What it synchronises.
    pub launch: GateId,
    /// Its registers, the first one first.
    pub stages: Vec<u32>,
    /// The clock that sends.
    pub from: DomainId,
    /// Its own clock.
    pub to: DomainId,
}

/// A vector that goes through synchronisers bit by bit.
#[derive(Clone, Debug)]
pub struct Vector {
    /// Registers or inputs that send, the lowest bit first.
    pub launches: Vec<GateId>,
    /// The net that captures.
    pub net: u32,
    /// Clocks.
    pub pair: (DomainId, DomainId),
    /// Never more than one bit was seen to change.
    pub gray: bool,
}

/// Everything found.
pub struct Found {
    /// Findings, the worst first.
    pub findings: Vec<Finding>,
    /// Captures.
    pub captures: Vec<Capture>,
    /// Synchronisers.
    pub synchronisers: Vec<Synchroniser>,
    /// Vectors through synchronisers.
    pub vectors: Vec<Vector>,
    /// Registers that capture data under the control of a synchronised signal, with that.
    pub held: Vec<(u32, Lit)>,
}

struct Finder<'s> {
    s: &'s Structure<'s>,
    net: &'s Netlist,
    d: &'s Domains,
    names: Names<'s>,
    demands: &'s Demands,
    out: Found,
    /// Last stage of a synchroniser, with its number.
    last: FxHashMap<u32, usize>,
}

/// Finds everything.
pub fn find(s: &Structure, demands: &Demands) -> Found {
    let captures = s.captures();
    let out =
        Found { findings: Vec::new(), captures, synchronisers: Vec::new(), vectors: Vec::new(), held: Vec::new() };
    let names = s.net.names();
    let mut f = Finder { s, net: s.net, d: s.domains, names, demands, out, last: FxHashMap::default() };
    f.synchronisers();
    f.captures();
    f.vectors();
    f.marked();
    f.fan_out();
    f.reconvergence();
    f.clocks();
    f.resets();
    f.inputs();
    let rank = |x: &Finding| (x.diagnostic.severity, x.rule, x.path.clone());
    f.out.findings.sort_by_key(rank);
    f.out
}

/// Attributes that keep tools from touching registers.
const MARKS: &[&str] = &["async_reg", "keep", "dont_touch", "syn_keep", "preserve", "syn_preserve", "altera_attribute"];

impl Finder<'_> {
    fn name(&self, g: GateId) -> String {
        self.names.or_number(Lit::new(g, false))
    }

    fn end_name(&self, end: End) -> String {
        match end {
            End::Register(r) => self.net.nets[self.net.registers[r as usize].net.0 as usize].name.to_string(),
            End::Latch(l) => self.net.nets[self.net.latches[l as usize].net.0 as usize].name.to_string(),
            End::Write(m, _) => self.net.memories[m as usize].name.to_string(),
        }
    }

    fn end_span(&self, end: End) -> Span {
        match end {
            End::Register(r) => self.net.registers[r as usize].span,
            End::Latch(l) => self.net.latches[l as usize].span,
            End::Write(m, _) => self.net.memories[m as usize].span,
        }
    }

    fn leaf_span(&self, g: GateId) -> Span {
        match self.net.gates[g.0 as usize] {
            Gate::Register(r) => self.net.registers[r as usize].span,
            Gate::Latch(l) => self.net.latches[l as usize].span,
            Gate::Input(p, _) => self.net.inputs[p as usize].span,
            Gate::Read(m, ..) => self.net.memories[m as usize].span,
            _ => self.net.spans[g.0 as usize],
        }
    }

    fn clock_name(&self, d: DomainId) -> String {
        self.d.list[d as usize].name.clone()
    }

    /// Adds a finding.
    fn add(
        &mut self,
        rule: &'static str,
        path: String,
        pair: (DomainId, DomainId),
        message: String,
        places: &[(Span, String)],
        notes: Vec<String>,
    ) {
        let text = rules::rule(rule);
        let severity = text.map_or(crate::source::Severity::Error, |r| r.severity());
        let mut d = Diagnostic::new(rules::code(rule), severity, message);
        for (i, (span, label)) in places.iter().enumerate() {
            d = if i == 0 { d.at(*span, label.clone()) } else { d.also(*span, label.clone()) };
        }
        for n in notes {
            d = d.note(n);
        }
        if let Some(r) = text {
            d = d.help(r.fix.trim().replace('\n', " "));
        }
        let (from, to) = (self.clock_name(pair.0), self.clock_name(pair.1));
        self.out.findings.push(Finding { rule, path, from, to, diagnostic: d });
    }

    fn attribute(&self, r: u32, wanted: impl Fn(&str) -> bool) -> Option<String> {
        let net = self.net.registers[r as usize].net.0;
        let attrs = &self.net.nets[net as usize].attrs;
        attrs.iter().find(|a| wanted(&a.0.to_ascii_lowercase())).map(|a| a.1.trim_matches('"').to_string())
    }

    fn synchronisers(&mut self) {
        for c in &self.out.captures {
            if let (Means::Chain(stages), [launch], [from]) = (&c.means, c.launches.as_slice(), c.sources.as_slice())
                && stages.len() > 1
            {
                self.last.insert(stages[stages.len() - 1], self.out.synchronisers.len());
                let (launch, stages, from, to) = (*launch, stages.clone(), *from, c.domain);
                self.out.synchronisers.push(Synchroniser { launch, stages, from, to });
            }
        }
    }

    /// Synchronisers in front of a literal, through so many registers of its own clock.
    fn behind(&self, from: Lit, domain: DomainId, mut depth: u32) -> Vec<usize> {
        let mut found = Vec::new();
        let mut seen = FxHashSet::default();
        let mut open = vec![from.gate()];
        loop {
            let mut next = Vec::new();
            while let Some(g) = open.pop() {
                if !seen.insert(g) || seen.len() > 20_000 {
                    continue;
                }
                if let Gate::Register(r) = self.net.gates[g.0 as usize] {
                    if let Some(k) = self.last.get(&r) {
                        found.push(*k);
                    }
                    if self.d.register[r as usize] == domain {
                        next.push(self.net.registers[r as usize].next.gate());
                    }
                    continue;
                }
                self.net.fanin(g, |l| open.push(l.gate()));
            }
            if depth == 0 || next.is_empty() {
                found.sort_unstable();
                found.dedup();
                return found;
            }
            depth -= 1;
            open = next;
        }
    }

    /// Captures, one finding for each net and pair of clocks.
    fn captures(&mut self) {
        let mut groups: BTreeMap<(String, Vec<DomainId>, DomainId, u8), Vec<usize>> = BTreeMap::new();
        for (i, c) in self.out.captures.iter().enumerate() {
            let class = match &c.means {
                _ if c.sources.len() > 1 => 0,
                Means::Latch(_) => 1,
                Means::Chain(chain) if chain.len() > 1 => 2,
                Means::LogicChain(_) => 3,
                Means::Held(_) => 4,
                Means::Selected => 5,
                Means::Chain(_) | Means::Plain => 6,
            };
            groups.entry((self.end_name(c.end), c.sources.clone(), c.domain, class)).or_default().push(i);
        }
        for ((name, sources, to, class), members) in groups {
            self.group(name, &sources, to, class, &members);
        }
    }

    fn group(&mut self, name: String, sources: &[DomainId], to: DomainId, class: u8, members: &[usize]) {
        let first = self.out.captures[members[0]].clone();
        let pair = (sources[0], to);
        let mut launches: Vec<GateId> = members.iter().flat_map(|m| self.out.captures[*m].launches.clone()).collect();
        launches.sort_unstable();
        launches.dedup();
        let shown = |f: &Self, list: &[GateId]| {
            let mut names: Vec<String> = list.iter().take(4).map(|g| format!("`{}`", f.name(*g))).collect();
            if list.len() > 4 {
                names.push(format!("{} more", list.len() - 4));
            }
            names.join(", ")
        };
        let (a, b) = (self.clock_name(pair.0), self.clock_name(pair.1));
        let way = match (first.gates, first.length) {
            (0, _) => "nothing between".to_string(),
            (g, l) => format!("{g} gates between, at most {} in a row", l.saturating_sub(1)),
        };
        let mut places = vec![(self.end_span(first.end), format!("captured here, by {b}"))];
        if let Some(g) = launches.first() {
            places.push((self.leaf_span(*g), format!("launched here, by {a}")));
        }
        let notes = vec![format!("from {} to `{name}`: {way}", shown(self, &launches))];
        let bits = members.len();
        let what = if bits > 1 { format!("{bits} bits of `{name}`") } else { format!("`{name}`") };
        match class {
            0 => {
                let all: Vec<String> = sources.iter().map(|d| self.clock_name(*d)).collect();
                let text = format!("{what} captures {} at once by {b}", all.join(" and "));
                self.add("C008", name, pair, text, &places, notes);
            }
            1 => {
                let text = format!("a latch stands between {a} and {what} of {b}");
                self.add("C022", name, pair, text, &places, notes);
            }
            2 => self.chains(name, pair, members, &places, notes),
            3 => {
                let text = format!("logic of {a} stands before the synchroniser {what} of {b}");
                self.add("C005", name, pair, text, &places, notes);
            }
            4 | 5 => self.schemes(name, pair, class, members, &launches, &places, notes),
            _ => self.plain(name, pair, bits, &first, &launches, &places, notes),
        }
    }

    /// Synchronisers of one net.
    fn chains(
        &mut self,
        name: String,
        pair: (DomainId, DomainId),
        members: &[usize],
        places: &[(Span, String)],
        notes: Vec<String>,
    ) {
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
            self.add("C003", name.clone(), pair, text, places, notes.clone());
        }
        let marked = |f: &Self, r: u32| f.attribute(r, |n| MARKS.contains(&n)).is_some();
        if !chain.iter().take(asked).all(|r| marked(self, *r)) {
            let text = format!("the synchroniser `{name}` from {a} to {b} carries no attribute that keeps it together");
            self.add("C004", name.clone(), pair, text, places, notes.clone());
        }
    }

    /// Vectors that go through synchronisers bit by bit, also where each bit has an instance of its own.
    fn vectors(&mut self) {
        let mut groups: BTreeMap<(u32, DomainId, DomainId), Vec<usize>> = BTreeMap::new();
        for (k, s) in self.out.synchronisers.iter().enumerate() {
            if let Some(net) = self.source_net(s.launch) {
                groups.entry((net, s.from, s.to)).or_default().push(k);
            }
        }
        let launches = |f: &Self, members: &[usize]| {
            let mut all: Vec<GateId> = members.iter().map(|k| f.out.synchronisers[*k].launch).collect();
            all.sort_unstable();
            all.dedup();
            all
        };
        let groups: Vec<(DomainId, DomainId, Vec<usize>, Vec<GateId>)> = groups
            .into_iter()
            .map(|((_, from, to), members)| (from, to, launches(self, &members), members))
            .filter(|g| g.2.len() > 1)
            .map(|(from, to, launches, members)| (from, to, members, launches))
            .collect();
        let all: Vec<Vec<GateId>> = groups.iter().map(|g| g.3.clone()).collect();
        let gray = look_gray(self.net, self.d, &all);
        for ((from, to, members, launches), gray) in groups.into_iter().zip(gray) {
            let first = &self.out.synchronisers[members[0]];
            let end = End::Register(first.stages[0]);
            let net = self.net.registers[first.stages[0] as usize].net.0;
            let whole =
                members.iter().all(|k| self.net.registers[self.out.synchronisers[*k].stages[0] as usize].net.0 == net);
            let lasts: Vec<u32> = members
                .iter()
                .map(|k| *self.out.synchronisers[*k].stages.last().expect("a chain has stages"))
                .collect();
            self.out.vectors.push(Vector { launches: launches.clone(), net, pair: (from, to), gray });
            // Bits that never meet again are signals of their own.
            if !gray && !whole && !self.meet(&lasts) {
                continue;
            }
            let (a, b, n) = (self.clock_name(from), self.clock_name(to), launches.len());
            let name = self.end_name(end);
            let source = self.source_net(launches[0]).and_then(|n| self.net.nets.get(n as usize));
            let source = source.map_or_else(|| self.name(launches[0]), |n| n.name.to_string());
            let places = vec![
                (self.end_span(end), format!("captured here, by {b}")),
                (self.leaf_span(launches[0]), format!("launched here, by {a}")),
            ];
            if gray {
                let text = format!("{n} bits of `{source}` cross from {a} to {b} with never more than one changing");
                self.add("C011", name, (from, to), text, &places, Vec::new());
            } else {
                let text =
                    format!("{n} bits of `{source}` cross from {a} to {b} one by one, and several change at once");
                self.add("C010", name, (from, to), text, &places, Vec::new());
            }
        }
    }

    /// Whether logic reads two of some registers.
    fn meet(&self, registers: &[u32]) -> bool {
        let mut mask: FxHashMap<GateId, u64> = FxHashMap::default();
        for (i, r) in registers.iter().enumerate().take(64) {
            mask.insert(self.net.registers[*r as usize].gate, 1 << i);
        }
        // A vector may go through one more register before it is used as one.
        for _ in 0..2 {
            let first = mask.keys().map(|g| g.0).min().unwrap_or(0);
            for g in first..self.net.gates.len() as u32 {
                let mut all = 0;
                self.net.fanin(GateId(g), |l| all |= mask.get(&l.gate()).copied().unwrap_or(0));
                if all.count_ones() > 1 && self.s.hard[g as usize] {
                    return true;
                }
                if all != 0 {
                    mask.insert(GateId(g), all);
                }
            }
            for reg in &self.net.registers {
                if let Some(m) = mask.get(&reg.next.gate()).copied() {
                    mask.entry(reg.gate).or_insert(m);
                }
            }
        }
        false
    }

    fn source_net(&self, g: GateId) -> Option<u32> {
        match self.net.gates[g.0 as usize] {
            Gate::Register(r) => Some(self.net.registers[r as usize].net.0),
            Gate::Input(p, _) => Some(u32::MAX - p),
            _ => None,
        }
    }

    /// Data that is taken under the control of something synchronised.
    fn schemes(
        &mut self,
        name: String,
        pair: (DomainId, DomainId),
        class: u8,
        members: &[usize],
        launches: &[GateId],
        places: &[(Span, String)],
        mut notes: Vec<String>,
    ) {
        let (a, b) = (self.clock_name(pair.0), self.clock_name(pair.1));
        let first = self.out.captures[members[0]].clone();
        let End::Register(r) = first.end else { return };
        let control = match first.means {
            Means::Held(enable) => enable,
            // What selects is everything of the own clock in front.
            _ => self.s.data[r as usize],
        };
        let forward: Vec<usize> = self.behind(control, pair.1, 6);
        let forward: Vec<usize> = forward.into_iter().filter(|k| self.out.synchronisers[*k].from == pair.0).collect();
        let bits = members.len();
        let what = if bits > 1 { format!("{bits} bits of `{name}`") } else { format!("`{name}`") };
        if forward.is_empty() {
            let first = self.out.captures[members[0]].clone();
            notes.push("what enables the capture does not come from a synchroniser".into());
            return self.plain(name, pair, bits, &first, launches, places, notes);
        }
        for m in members {
            if let (End::Register(r), Means::Held(e)) = (self.out.captures[*m].end, &self.out.captures[*m].means) {
                self.out.held.push((r, *e));
            }
        }
        let control = &self.out.synchronisers[forward[0]];
        notes.push(format!(
            "controlled by `{}`, which comes from `{}`",
            self.name(self.net.registers[control.stages[control.stages.len() - 1] as usize].gate),
            self.name(control.launch)
        ));
        let back = |l: &GateId| match self.net.gates[l.0 as usize] {
            Gate::Register(r) => {
                let next = self.net.registers[r as usize].next;
                self.behind(next, pair.0, 6).iter().any(|k| self.out.synchronisers[*k].from == pair.1)
            }
            Gate::Read(m, ..) => self.net.memories[m as usize]
                .writes
                .iter()
                .any(|w| self.behind(w.enable, pair.0, 6).iter().any(|k| self.out.synchronisers[*k].from == pair.1)),
            _ => false,
        };
        let answered = launches.iter().any(back);
        match (class, answered) {
            (5, true) => {
                let text = format!("{what} of {b} reads a buffer of {a} whose pointers cross both ways");
                self.add("C014", name, pair, text, places, notes);
            }
            (_, true) => {
                let text = format!("{what} of {b} takes data of {a} under a handshake");
                self.add("C013", name, pair, text, places, notes);
            }
            _ => {
                let text = format!("{what} of {b} takes data of {a} when a synchronised signal says so");
                self.add("C012", name, pair, text, places, notes);
            }
        }
    }

    fn plain(
        &mut self,
        name: String,
        pair: (DomainId, DomainId),
        bits: usize,
        first: &Capture,
        launches: &[GateId],
        places: &[(Span, String)],
        notes: Vec<String>,
    ) {
        let (a, b) = (self.clock_name(pair.0), self.clock_name(pair.1));
        // An input that several clocks use has a finding of its own.
        if pair.0 == NONE && launches.iter().all(|g| self.d.shared.contains(g)) {
            return;
        }
        if let (Means::Chain(_), End::Register(r), 1) = (&first.means, first.end, bits)
            && let Some(next) = self.second(r)
        {
            let n = self.end_name(End::Register(next));
            let text = format!(
                "logic stands between the first stage `{name}` and the second stage `{n}` of a synchroniser from {a} to {b}"
            );
            return self.add("C006", name, pair, text, places, notes);
        }
        if launches.iter().any(|g| self.is_clock(*g)) {
            let text = format!("the clock {a} is captured as data in `{name}` of {b}");
            return self.add("C023", name, pair, text, places, notes);
        }
        if bits > 1 {
            let text = format!("{bits} bits of {a} are captured in `{name}` by {b} without a synchroniser");
            self.add("C002", name, pair, text, places, notes);
        } else {
            let text = format!("{a} is captured in `{name}` by {b} without a synchroniser");
            self.add("C001", name, pair, text, places, notes);
        }
    }

    fn is_clock(&self, g: GateId) -> bool {
        self.d.list.iter().any(|d| d.roots.contains(&g))
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
    fn marked(&mut self) {
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

    /// One source, several synchronisers.
    fn fan_out(&mut self) {
        let mut by: BTreeMap<(GateId, DomainId), Vec<u32>> = BTreeMap::new();
        for s in &self.out.synchronisers {
            by.entry((s.launch, s.to)).or_default().push(s.stages[0]);
        }
        for ((launch, to), firsts) in by.into_iter().filter(|b| b.1.len() > 1) {
            let from = self.d.of_leaf(self.net, launch).unwrap_or(NONE);
            let name = self.name(launch);
            let ends: Vec<String> = firsts.iter().map(|r| format!("`{}`", self.end_name(End::Register(*r)))).collect();
            let (a, b) = (self.clock_name(from), self.clock_name(to));
            let text = format!("`{name}` of {a} goes into {} synchronisers of {b}: {}", firsts.len(), ends.join(", "));
            let mut places = vec![(self.leaf_span(launch), "launched here".to_string())];
            places.extend(
                firsts.iter().take(2).map(|r| (self.end_span(End::Register(*r)), "synchronised here".to_string())),
            );
            self.add("C007", name, (from, to), text, &places, Vec::new());
        }
    }

    /// Whether a sender waits for an answer from the clock it sends to.
    fn is_answered(&self, launch: GateId, from: DomainId, to: DomainId) -> bool {
        let Gate::Register(r) = self.net.gates[launch.0 as usize] else { return false };
        let next = self.net.registers[r as usize].next;
        self.behind(next, from, 3).iter().any(|k| self.out.synchronisers[*k].from == to)
    }

    /// Separately synchronised signals of one clock that meet again.
    fn reconvergence(&mut self) {
        // A synchronised signal, or a vector of them, is one source.
        let mut sets = Sets::default();
        let mut label: FxHashMap<u32, u32> = FxHashMap::default();
        let mut group: FxHashMap<(u32, DomainId, DomainId), u32> = FxHashMap::default();
        let mut of: Vec<usize> = Vec::new();
        // What is gray keeps its own order: several of them meeting is what arbiters are for.
        let gray: FxHashSet<GateId> =
            self.out.vectors.iter().filter(|v| v.gray).flat_map(|v| v.launches.clone()).collect();
        for (k, s) in self.out.synchronisers.iter().enumerate().filter(|(_, s)| !gray.contains(&s.launch)) {
            let net = self.source_net(s.launch).unwrap_or(u32::MAX / 2 + k as u32);
            let id = *group.entry((net, s.from, s.to)).or_insert_with(|| {
                of.push(k);
                of.len() as u32 - 1
            });
            label.insert(s.stages[s.stages.len() - 1], id);
        }
        if of.len() < 2 {
            return;
        }
        let mut carried: FxHashMap<u32, SetId> = FxHashMap::default();
        let mut told: FxHashSet<(SetId, DomainId)> = FxHashSet::default();
        for _ in 0..=self.demands.depth {
            let mut value: Vec<SetId> = vec![0; self.net.gates.len()];
            for g in 0..self.net.gates.len() {
                if !self.s.hard[g] {
                    continue;
                }
                let mut set = match self.net.gates[g] {
                    Gate::Register(r) => match label.get(&r) {
                        Some(id) => sets.of(&[*id]),
                        None => carried.get(&r).copied().unwrap_or(0),
                    },
                    _ => 0,
                };
                let mut grown = false;
                self.net.fanin(GateId(g as u32), |l| {
                    let other = value[l.gate().0 as usize];
                    let both = sets.union(set, other);
                    grown |= set != 0 && other != 0 && both != set && both != other;
                    set = if sets.get(both).len() > 8 { set } else { both };
                });
                value[g] = set;
                if grown {
                    self.meeting(g, set, &sets, &of, &mut told);
                }
            }
            for (r, reg) in self.net.registers.iter().enumerate() {
                let set = value[reg.next.gate().0 as usize];
                if set != 0 && !label.contains_key(&(r as u32)) {
                    carried.insert(r as u32, set);
                }
            }
        }
    }

    fn meeting(&mut self, g: usize, set: SetId, sets: &Sets, of: &[usize], told: &mut FxHashSet<(SetId, DomainId)>) {
        let members: Vec<usize> = sets.get(set).iter().map(|i| of[*i as usize]).collect();
        for from in members.iter().map(|k| self.out.synchronisers[*k].from).collect::<FxHashSet<_>>() {
            let same: Vec<usize> =
                members.iter().copied().filter(|k| self.out.synchronisers[*k].from == from).collect();
            // Two sides of handshakes keep their own order, too, unless a whole vector goes beside one.
            let single = |k: &&usize| {
                let s = &self.out.synchronisers[**k];
                !self.out.vectors.iter().any(|v| v.pair == (s.from, s.to) && v.launches.contains(&s.launch))
            };
            let answered = |k: &&usize| {
                let s = &self.out.synchronisers[**k];
                self.is_answered(s.launch, s.from, s.to)
            };
            let calm = same.iter().all(|k| single(&k)) && same.iter().filter(|k| !answered(k)).count() < 2;
            if from == NONE || same.len() < 2 || calm || !told.insert((set, from)) {
                continue;
            }
            // A set that contains one that was told of says nothing new.
            let subset = |t: &(SetId, DomainId)| {
                t.1 == from && t.0 != set && sets.get(t.0).iter().all(|m| sets.get(set).contains(m))
            };
            if told.iter().any(subset) {
                continue;
            }
            let to = self.out.synchronisers[same[0]].to;
            let list: Vec<String> =
                same.iter().map(|k| format!("`{}`", self.name(self.out.synchronisers[*k].launch))).collect();
            let (a, b) = (self.clock_name(from), self.clock_name(to));
            let text = format!("{} of {a} are synchronised to {b} one by one and meet again", list.join(" and "));
            let mut places = vec![(self.net.spans[g], "they meet here".to_string())];
            for k in &same {
                let s = &self.out.synchronisers[*k];
                places.push((self.leaf_span(s.launch), "launched here".to_string()));
            }
            let path = self.name(self.out.synchronisers[same[0]].launch);
            self.add("C009", path, (from, to), text, &places, Vec::new());
        }
    }

    /// Gated, multiplexed and missing clocks; clocks that are data.
    fn clocks(&mut self) {
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
            read[g] = self.is_clock(GateId(g as u32));
            let mut any = read[g];
            self.net.fanin(GateId(g as u32), |l| any |= read[l.gate().0 as usize]);
            read[g] = any;
        }
        let mut told = FxHashSet::default();
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
            if !direct && told.insert(name.clone()) {
                let text = format!("a clock is part of the data of `{name}`");
                let place = vec![(reg.span, "read here".to_string())];
                self.out_clock_data(name, id, text, place);
            }
        }
    }

    fn out_clock_data(&mut self, name: String, id: DomainId, text: String, place: Vec<(Span, String)>) {
        if !self.out.findings.iter().any(|f| f.rule == "C023" && f.path == name) {
            self.add("C023", name, (id, id), text, &place, Vec::new());
        }
    }

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
    fn resets(&mut self) {
        let mut users: BTreeMap<GateId, BTreeMap<DomainId, u32>> = BTreeMap::new();
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
                        users.entry(g).or_default().entry(self.d.register[r as usize]).or_insert(r);
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
            for (domain, r) in &by {
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
                        (self.net.registers[*r as usize].span, "reset here".to_string()),
                        (self.leaf_span(g), "comes from here".to_string()),
                    ];
                    let from = own.filter(|_| from_register).unwrap_or(NONE);
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

    /// Inputs that several clocks use.
    fn inputs(&mut self) {
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
