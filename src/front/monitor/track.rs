//! One attempt followed through its ages, and the registers that remember it between ticks.
//!
//! A [`Track`] is what an attempt still has open: bits, as nodes over the registers of its age and the
//! letters of this tick. All bits zero means that there is no attempt of this age, or that it is decided;
//! so clearing the registers drops every attempt, and nothing more needs to be remembered: of
//! the two sides of an `and` that is still open, a side without bits has passed; of an `or`, it has failed.

use super::{Automaton, Prop, TooLarge};
use crate::source::Span;
use crate::word::{AsyncControl, Bits, Design, Drive, Edge, MONITOR, NodeId, Register, Role, Signal, Source};
use rustc_hash::FxHashMap;
use smol_str::{SmolStr, format_smolstr};
use std::rc::Rc;

/// The most register bits of one monitor.
const MAX_BITS: usize = 1 << 16;

/// Positions of an automaton that may read the letter of this tick, each with the bit that says so.
type States = Vec<(u32, NodeId)>;

enum Track {
    Seq(Rc<Automaton>, States),
    And(Box<Track>, Box<Track>),
    Or(Box<Track>, Box<Track>),
    Not(Box<Track>),
    /// The antecedent, the consequent, and one track of it for each match so far.
    Implies(Rc<Automaton>, Rc<Prop>, States, Vec<Track>),
}

/// What the attempts do at this tick: 1-bit nodes.
#[derive(Clone, Copy, Debug)]
pub struct Verdict {
    /// Some attempt fails.
    pub fail: NodeId,
    /// Some attempt succeeds.
    pub pass: NodeId,
    /// Some sequence that is not an antecedent starts.
    pub trigger: NodeId,
}

/// Makes the registers of one property.
pub struct Monitor<'d> {
    pub d: &'d mut Design,
    /// Hierarchical name, under which the registers lie.
    pub name: SmolStr,
    pub clock: NodeId,
    pub edge: Edge,
    /// A tick is an edge at which this holds.
    pub iff: Option<NodeId>,
    /// While it holds there are no attempts.
    pub disable: Option<NodeId>,
    pub span: Span,
    /// Sequences started at this tick, of attempts of any age.
    trigger: NodeId,
}

impl<'d> Monitor<'d> {
    pub fn new(d: &'d mut Design, name: SmolStr, clock: (NodeId, Edge), span: Span) -> Monitor<'d> {
        let trigger = d.bool(false);
        Monitor { d, name, clock: clock.0, edge: clock.1, iff: None, disable: None, span, trigger }
    }

    /// Follows `prop` in attempts that start at each tick at which `start` holds.
    pub fn build(&mut self, prop: &Prop, start: NodeId) -> Result<Verdict, TooLarge> {
        let no = self.d.bool(false);
        let (mut fail, mut pass) = (no, no);
        let mut track = self.start(prop, start);
        let (mut age, mut total) = (0, 0);
        loop {
            let (p, f) = self.step(&mut track);
            fail = self.d.or(fail, f);
            pass = self.d.or(pass, p);
            let mut bits: Vec<NodeId> = Vec::new();
            self.tidy(&mut track);
            track.visit(&mut |n| bits.push(*n));
            bits.sort();
            bits.dedup();
            if bits.is_empty() {
                return Ok(Verdict { fail, pass, trigger: self.trigger });
            }
            total += bits.len();
            if total > MAX_BITS {
                return Err(TooLarge);
            }
            age += 1;
            let held = self.register(&format_smolstr!("age{age}"), &bits);
            track.visit(&mut |n| *n = held[n]);
        }
    }

    /// A register that takes `bits` at each tick and starts with zeros; where each bit is held.
    fn register(&mut self, name: &str, bits: &[NodeId]) -> FxHashMap<NodeId, NodeId> {
        let width = bits.len() as u32;
        let name = format_smolstr!("{}.{name}", self.name);
        let (signal, value) = add_register(self.d, name, width, (self.clock, self.edge), Bits::zero(width), self.span);
        let parts: Vec<NodeId> = bits.iter().rev().copied().collect();
        let mut next = self.d.concat(&parts);
        if let Some(c) = self.iff {
            next = self.d.mux(c, next, value);
        }
        let zero = self.d.uint(0, width);
        let asyncs = self.disable.map(|condition| AsyncControl { condition, value: zero }).into_iter().collect();
        let register = &mut self.d.registers[signal];
        (register.next, register.asyncs) = (next, asyncs);
        bits.iter().enumerate().map(|(i, b)| (*b, self.d.slice(value, i as u32, 1))).collect()
    }

    fn any(&mut self, bits: impl IntoIterator<Item = NodeId>) -> NodeId {
        let no = self.d.bool(false);
        bits.into_iter().fold(no, |a, b| self.d.or(a, b))
    }

    fn start(&mut self, p: &Prop, on: NodeId) -> Track {
        match p {
            Prop::Seq(a) => {
                self.trigger = self.d.or(self.trigger, on);
                Track::Seq(a.clone(), a.first.iter().map(|q| (*q, on)).collect())
            }
            Prop::And(a, b) => Track::And(Box::new(self.start(a, on)), Box::new(self.start(b, on))),
            Prop::Or(a, b) => Track::Or(Box::new(self.start(a, on)), Box::new(self.start(b, on))),
            Prop::Not(a) => Track::Not(Box::new(self.start(a, on))),
            Prop::Implies(a, p) => {
                let states = a.first.iter().map(|q| (*q, on)).collect();
                Track::Implies(a.clone(), p.clone(), states, Vec::new())
            }
        }
    }

    /// Whether anything is open.
    fn open(&mut self, t: &mut Track) -> NodeId {
        let mut bits = Vec::new();
        t.visit(&mut |n| bits.push(*n));
        bits.sort();
        bits.dedup();
        self.any(bits)
    }

    /// Closes everything unless `keep`.
    fn gate(&mut self, t: &mut Track, keep: NodeId) {
        t.visit(&mut |n| *n = self.d.and(*n, keep));
    }

    /// Reads the letters of this tick: whether a match ends, and where the others go on.
    fn read(&mut self, a: &Automaton, states: &mut States) -> NodeId {
        let no = self.d.bool(false);
        let mut ends = no;
        let mut next: FxHashMap<u32, NodeId> = FxHashMap::default();
        let mut order = Vec::new();
        for (q, bit) in states.drain(..) {
            let hit = self.d.and(bit, a.letters[q as usize]);
            if hit == no {
                continue;
            }
            if a.last[q as usize] {
                ends = self.d.or(ends, hit);
            }
            for r in &a.follow[q as usize] {
                let old = next.insert(*r, hit);
                match old {
                    Some(old) => drop(next.insert(*r, self.d.or(old, hit))),
                    None => order.push(*r),
                }
            }
        }
        states.extend(order.into_iter().map(|r| (r, next[&r])));
        ends
    }

    /// One tick: whether the attempt passes now, whether it fails now; the track is then what is left.
    fn step(&mut self, t: &mut Track) -> (NodeId, NodeId) {
        let open = self.open(t);
        match t {
            Track::Seq(a, states) => {
                let a = a.clone();
                let pass = self.read(&a, states);
                let alive = self.any(states.iter().map(|s| s.1));
                let left = self.d.or(pass, alive);
                let none = self.d.not(left);
                let fail = self.d.and(open, none);
                let more = self.d.not(pass);
                self.gate(t, more);
                (pass, fail)
            }
            Track::And(a, b) => {
                let (pass, fail) = self.both(a, b, false);
                let keep = self.d.not(fail);
                self.gate(t, keep);
                (self.settled(open, fail, pass), fail)
            }
            Track::Or(a, b) => {
                let (fail, pass) = self.both(a, b, true);
                let keep = self.d.not(pass);
                self.gate(t, keep);
                (pass, self.settled(open, pass, fail))
            }
            Track::Not(a) => {
                let (pass, fail) = self.step(a);
                (fail, pass)
            }
            Track::Implies(a, p, states, runs) => {
                let (a, p) = (a.clone(), p.clone());
                let ends = self.read(&a, states);
                if self.d.as_bool(ends) != Some(false) {
                    runs.push(self.start(&p, ends));
                }
                let mut fail = self.d.bool(false);
                for r in runs {
                    let (_, f) = self.step(r);
                    fail = self.d.or(fail, f);
                }
                let keep = self.d.not(fail);
                let still = self.open(t);
                let done = self.d.not(still);
                self.gate(t, keep);
                (self.settled(open, fail, done), fail)
            }
        }
    }

    /// The two sides of an `and`: whether both are settled well, and whether one is not. With `swap` the
    /// same of an `or`, where failing is what settles.
    fn both(&mut self, a: &mut Track, b: &mut Track, swap: bool) -> (NodeId, NodeId) {
        let mut side = |t: &mut Track| {
            let open = self.open(t);
            let (pass, fail) = self.step(t);
            let (good, bad) = if swap { (fail, pass) } else { (pass, fail) };
            let earlier = self.d.not(open);
            (self.d.or(earlier, good), bad)
        };
        let ((good_a, bad_a), (good_b, bad_b)) = (side(a), side(b));
        (self.d.and(good_a, good_b), self.d.or(bad_a, bad_b))
    }

    /// `open & !other & good`.
    fn settled(&mut self, open: NodeId, other: NodeId, good: NodeId) -> NodeId {
        let not = self.d.not(other);
        let n = self.d.and(open, not);
        self.d.and(n, good)
    }

    /// Forgets bits that are never set, and consequents without any.
    fn tidy(&mut self, t: &mut Track) {
        let no = self.d.bool(false);
        match t {
            Track::Seq(_, states) => states.retain(|s| s.1 != no),
            Track::And(a, b) | Track::Or(a, b) => {
                self.tidy(a);
                self.tidy(b);
            }
            Track::Not(a) => self.tidy(a),
            Track::Implies(_, _, states, runs) => {
                states.retain(|s| s.1 != no);
                runs.iter_mut().for_each(|r| self.tidy(r));
                runs.retain_mut(|r| {
                    let mut some = false;
                    r.visit(&mut |_| some = true);
                    some
                });
            }
        }
    }
}

impl Track {
    /// Calls `f` on every bit.
    fn visit(&mut self, f: &mut dyn FnMut(&mut NodeId)) {
        match self {
            Track::Seq(_, states) => states.iter_mut().for_each(|s| f(&mut s.1)),
            Track::And(a, b) | Track::Or(a, b) => {
                a.visit(f);
                b.visit(f);
            }
            Track::Not(a) => a.visit(f),
            Track::Implies(_, _, states, runs) => {
                states.iter_mut().for_each(|s| f(&mut s.1));
                runs.iter_mut().for_each(|r| r.visit(f));
            }
        }
    }
}

/// Adds a signal that is a register holding its own value; gives the register's number and the signal's
/// value.
pub fn add_register(
    d: &mut Design,
    name: SmolStr,
    width: u32,
    clock: (NodeId, Edge),
    init: Bits,
    span: Span,
) -> (usize, NodeId) {
    let number = d.registers.len();
    let range = (width > 1).then_some((width as i64 - 1, 0));
    let drives = vec![Drive { lo: 0, width, source: Source::Register(number as u32), span }];
    // Part of a check, not of the hardware.
    let attrs = vec![(MONITOR.into(), "1".into())];
    let signal = d.add_signal(Signal { name, width, range, span, role: Role::Internal, attrs, drives });
    let next = d.signal(signal);
    let (clock, edge) = clock;
    d.registers.push(Register { signal, lo: 0, width, clock, edge, next, asyncs: Vec::new(), init, span });
    (number, next)
}
