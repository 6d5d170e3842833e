//! From structure to findings: one for each captured signal and pair of clocks, by the most precise rule.

mod captures;
mod clocking;
mod idle;
mod meetings;
mod pulses;
mod resets;
mod schemes;

use super::crossing::{Capture, End, Means, Structure};
use super::domains::{DomainId, Domains};
use super::rules;
use crate::net::{Gate, GateId, Lit, Names, Netlist};
use crate::source::{Diagnostic, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::rc::Rc;

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
    /// It was seen to count up in the usual gray code, and nothing else.
    pub counts: bool,
}

/// A scheme that was recognised, and what it promises.
#[derive(Clone, Debug)]
pub struct Scheme {
    /// Code of the rule that tells of it.
    pub rule: &'static str,
    /// The net that captures.
    pub path: String,
    /// Where it captures.
    pub span: Span,
    /// What must be true for the crossing to be safe.
    pub promise: Promise,
}

/// What a scheme promises.
#[derive(Clone, Debug)]
pub enum Promise {
    /// Of these senders never more than one changes at a time, unless the registers that capture them are reset.
    OneBit(Vec<GateId>, Vec<u32>),
    /// What arrives at some bits is stable when they take it.
    Stable {
        /// The bits.
        ends: Vec<End>,
        /// They take it while this is 1,
        enable: Lit,
        /// and only then is it asked for.
        filled: Option<Filled>,
    },
    /// The sender does not change again before the last register of its synchroniser has what it was, nor, if it
    /// waits for an answer, before the last register of that one's synchroniser says the same.
    Held { sender: GateId, arrived: u32, answer: Option<Answer> },
    /// What these bits take is what was sent before or after a change, never something in between.
    NoGlitch(Vec<End>),
    /// No asynchronous control of these registers is active but if it is meant to be.
    NoSpike(Vec<u32>),
    /// No asynchronous control of these registers goes at an edge of their clock.
    Released(Vec<u32>),
    /// Pointers in gray code, of the writer and of the reader, lowest bit first, of a buffer with so many words:
    /// neither passes the other.
    Apart { writer: Vec<GateId>, reader: Vec<GateId>, words: u64 },
}

/// A buffer has words for its reader while these differ.
#[derive(Clone, Debug)]
pub struct Filled {
    /// The last registers that the writer's pointer arrives at.
    pub arrived: Vec<u32>,
    /// The reader's pointer, in the same code.
    pub reader: Vec<GateId>,
}

/// The answer to a request, where it comes back.
#[derive(Clone, Copy, Debug)]
pub struct Answer {
    /// The last register of its synchroniser.
    pub register: u32,
    /// It says the opposite of the request while nothing is asked.
    pub opposite: bool,
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
    /// Schemes that were recognised.
    pub schemes: Vec<Scheme>,
}

struct Finder<'s> {
    s: &'s Structure<'s>,
    net: &'s Netlist,
    d: &'s Domains,
    names: Names<'s>,
    demands: &'s Demands,
    out: Found,
    /// Last stage of a synchroniser, with its number; those of resets left out.
    last: FxHashMap<u32, usize>,
    /// What a capturing clock does while a sending one says nothing.
    idle: RefCell<FxHashMap<(DomainId, DomainId), Rc<idle::Idle>>>,
}

/// Finds everything.
pub fn find(s: &Structure, demands: &Demands) -> Found {
    let captures = s.captures();
    let out =
        Found { findings: Vec::new(), captures, synchronisers: Vec::new(), vectors: Vec::new(), schemes: Vec::new() };
    let names = s.net.names();
    let mut f = Finder {
        s,
        net: s.net,
        d: s.domains,
        names,
        demands,
        out,
        last: FxHashMap::default(),
        idle: RefCell::default(),
    };
    f.synchronisers();
    f.vectors();
    f.captures();
    f.buffers();
    f.marked();
    f.pulses();
    f.fan_out();
    f.reconvergence();
    f.clocks();
    f.resets();
    f.inputs();
    f.outputs();
    f.most_precise();
    let rank = |x: &Finding| (x.diagnostic.severity, x.rule, x.path.clone());
    f.out.findings.sort_by_key(rank);
    f.out
}

/// Attributes that keep tools from touching registers.
const MARKS: &[&str] =
    &["async_reg", "keep", "dont_touch", "syn_keep", "preserve", "syn_preserve", "altera_attribute", "shreg_extract"];

/// Rules about the same chain of registers, from the most precise to the most general. The others are about bits that no
/// other finding is about.
const PRECISE: &[&str] = &["C010", "C016", "C003", "C011", "C004"];

impl Finder<'_> {
    /// Leaves one finding of each synchroniser: the worst, and of those the most precise.
    fn most_precise(&mut self) {
        let rank = |f: &Finding| PRECISE.iter().position(|r| *r == f.rule).map(|p| (f.diagnostic.severity, p));
        let mut best: FxHashMap<(String, String, String), (crate::source::Severity, usize)> = FxHashMap::default();
        for f in &self.out.findings {
            if let Some(r) = rank(f) {
                let b = best.entry((f.path.clone(), f.from.clone(), f.to.clone())).or_insert(r);
                *b = (*b).min(r);
            }
        }
        let keep =
            |f: &Finding| rank(f).is_none_or(|r| best.get(&(f.path.clone(), f.from.clone(), f.to.clone())) == Some(&r));
        self.out.findings.retain(keep);
    }

    fn name(&self, g: GateId) -> String {
        if let Gate::Read(m, ..) = self.net.gates[g.0 as usize] {
            return self.net.memories[m as usize].name.to_string();
        }
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

    /// The capturing bits of some captures.
    fn ends(&self, members: &[usize]) -> Vec<End> {
        members.iter().map(|m| self.out.captures[*m].end).collect()
    }

    /// Adds something to prove.
    fn promise(&mut self, rule: &'static str, path: &str, span: Span, promise: Promise) {
        self.out.schemes.push(Scheme { rule, path: path.to_string(), span, promise });
    }

    /// What is captured without a scheme would have to be stable at every edge.
    fn stable_always(&mut self, rule: &'static str, path: &str, ends: Vec<End>) {
        let registers: Vec<End> = ends.into_iter().filter(|e| matches!(e, End::Register(_))).collect();
        if let Some(first) = registers.first() {
            let span = self.end_span(*first);
            self.promise(rule, path, span, Promise::Stable { ends: registers, enable: Lit::TRUE, filled: None });
        }
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
                let last = stages[stages.len() - 1];
                let out = Lit::new(self.net.registers[last as usize].gate, false);
                if !self.s.is_reset(Lit::new(*launch, false)) && !self.s.is_reset(out) {
                    self.last.insert(last, self.out.synchronisers.len());
                }
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

    fn source_net(&self, g: GateId) -> Option<u32> {
        match self.net.gates[g.0 as usize] {
            Gate::Register(r) => Some(self.net.registers[r as usize].net.0),
            Gate::Input(p, _) => Some(u32::MAX - p),
            _ => None,
        }
    }

    fn is_clock(&self, g: GateId) -> bool {
        self.d.list.iter().any(|d| d.roots.contains(&g))
    }
}
