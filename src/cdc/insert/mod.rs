//! Signals in flight: rewrites a netlist so that what goes from one clock to another is unstable for a while after
//! it changes.
//!
//! Two models, both of Smrčka et al. (FMICS 2006). *Delayed*: the output of every critical gate, and of the state
//! that sends, is a free value in the step in which it changes. *Destabilized*: what arrives at a capturing bit is
//! free for as many steps after a change of any sender as the longest way has gates. What does not cross is not
//! touched: gates that other readers share are doubled.
//!
//! Four points go beyond the paper. A change counts only if signals of the other clock cause it: those of the
//! capturing clock have settled by its next edge, which timing analysis has seen to. (Otherwise the second model
//! would not cover the first, since destabilizers do not watch them.) Each capturing bit decides for itself what
//! it takes an unstable signal for, as registers do. A register that captured an unstable signal is itself undecided
//! until its next edge, or for longer (`undecided`). And asynchronous controls, and latches that no clock opens, are
//! late like data, at each register at its own time, with glitches of the logic that makes them.
//!
//! Steps are counted by a clock of their own, the input [`STEP`](crate::net::STEP), which ticks in every step of a
//! model. What recognised schemes promise becomes assertions of the new netlist (`oblige`).

mod late;
mod oblige;
mod show;
mod tie;
mod undecided;
mod writer;

use super::crossing::{Capture, End, Structure};
use super::findings::Scheme;
use super::paths::reads;
use crate::net::{Builder, Lit, Netlist};
use late::Watch;
pub use oblige::Obligation;
use rustc_hash::FxHashMap;
use writer::Writer;

/// How a capturing bit is treated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// Every gate on the way is late.
    Delayed,
    /// One destabilizer at the end of the way.
    Destabilized,
}

/// A capturing bit in the rewritten netlist.
#[derive(Clone, Debug)]
pub struct Place {
    /// The bit.
    pub end: End,
    /// How it was treated.
    pub style: Style,
    /// What arrives.
    pub seen: Lit,
    /// What would without delays.
    pub calm: Lit,
    /// What arrives is not decided.
    pub unstable: Lit,
    /// The register that captured it is not decided.
    pub undecided: Option<Lit>,
    /// It is no data but an asynchronous control, which forces this value.
    pub control: Option<Lit>,
    /// Longest way in gates, the sender included.
    pub length: u32,
}

/// A rewritten netlist.
pub struct Inserted {
    /// The netlist.
    pub net: Netlist,
    /// Where something was inserted.
    pub places: Vec<Place>,
    /// What schemes promise, each an assertion of the netlist by that name.
    pub obligations: Vec<Obligation>,
    /// State bits that were added.
    pub states: usize,
}

/// Rewrites; `style` says how each capturing bit is treated, `undecided` through how many registers of a clock an
/// undecided value may go.
pub fn insert(
    s: &Structure,
    captures: &[Capture],
    style: impl Fn(&Capture) -> Style,
    undecided: u32,
    schemes: &[Scheme],
) -> Inserted {
    let mut w = Writer {
        s,
        b: Builder::on(s.net.clone()),
        step: None,
        first: None,
        late: FxHashMap::default(),
        unstable: FxHashMap::default(),
        before: FxHashMap::default(),
        start: FxHashMap::default(),
        names: s.net.names().owned(s.net),
        own: Vec::new(),
        named: FxHashMap::default(),
        states: 0,
    };
    let mut places = Vec::new();
    for c in captures {
        w.capture(c, style(c), &mut places);
    }
    w.controls(&mut places);
    w.loose_latches(&mut places);
    w.tie_inputs();
    debug_assert!(captures.iter().all(|c| !reads(s, c.end).is_empty()));
    // Obligations look at signals as they are sent, not at what becomes of them.
    let obligations: Vec<Obligation> = schemes.iter().flat_map(|x| w.oblige(x, &places)).collect();
    w.undecided(undecided, &mut places);
    w.show(&places);
    Inserted { states: w.states, net: w.b.finish(), places, obligations }
}

impl Writer<'_> {
    fn capture(&mut self, c: &Capture, style: Style, places: &mut Vec<Place>) {
        let s = self.s;
        let mut change = |w: &mut Self, l: Lit| {
            if s.domains.foreign(l.gate(), c.domain).next().is_none() {
                return l;
            }
            let (seen, unstable) = match style {
                Style::Delayed => w.delayed(l, Watch::Data(c.domain)),
                Style::Destabilized => w.destabilized(l, c),
            };
            places.push(Place {
                end: c.end,
                style,
                seen,
                calm: l,
                unstable,
                undecided: None,
                control: None,
                length: c.length,
            });
            seen
        };
        match c.end {
            End::Register(r) => {
                let next = change(self, s.read[r as usize]);
                self.b.net.registers[r as usize].next = next;
            }
            End::Latch(l) => {
                let data = change(self, s.latch_data(l as usize));
                self.b.net.latches[l as usize].data = data;
            }
            End::Write(m, p) => {
                let old = &s.net.memories[m as usize].writes[p as usize];
                let mut list = |w: &mut Self, all: &[Lit]| all.iter().map(|l| change(w, *l)).collect::<Vec<_>>();
                let (addr, data, mask) = (list(self, &old.addr), list(self, &old.data), list(self, &old.mask));
                let enable = change(self, old.enable);
                let port = &mut self.b.net.memories[m as usize].writes[p as usize];
                (port.addr, port.data, port.mask, port.enable) = (addr, data, mask, enable);
            }
        }
    }

    /// The longest way to a literal in gates, the leaf included.
    fn depth(&self, l: Lit) -> u32 {
        let mut far = std::collections::BTreeMap::from([(l.gate(), 1)]);
        let mut longest = 1;
        // Indices fall towards the leaves.
        while let Some((g, length)) = far.pop_last() {
            longest = longest.max(length);
            self.s.net.fanin(g, |l| {
                let at = far.entry(l.gate()).or_insert(0);
                *at = (length + 1).max(*at);
            });
        }
        longest
    }

    /// Asynchronous controls of registers that come from another clock: they take and release each register at its
    /// own time. Logic that makes them has glitches, whatever clock it belongs to.
    fn controls(&mut self, places: &mut Vec<Place>) {
        for (r, reg) in self.s.net.registers.iter().enumerate().filter(|(_, r)| self.s.hard[r.gate.0 as usize]) {
            let domain = self.s.domains.register[r];
            for (k, (l, value)) in reg.asyncs.iter().enumerate() {
                let (leaf, foreign) = (self.s.is_leaf(l.gate()), self.is_seen(l.gate(), Watch::Control(domain)));
                let watch = match (leaf, foreign) {
                    (true, false) => continue,
                    (true, true) => Watch::Control(domain),
                    (false, _) => Watch::Always,
                };
                let (seen, unstable) = self.delayed(*l, watch);
                // What its own clock does has come to rest by its next edge, glitches or not.
                let unstable = if foreign { unstable } else { Lit::FALSE };
                self.b.net.registers[r].asyncs[k].0 = seen;
                let (end, style, control) = (End::Register(r as u32), Style::Delayed, Some(*value));
                let length = self.depth(*l);
                places.push(Place { end, style, seen, calm: *l, unstable, undecided: None, control, length });
            }
        }
    }

    /// Latches that no clock opens: they close at any moment on what arrives, and logic in front of their enables
    /// opens them for a glitch.
    fn loose_latches(&mut self, places: &mut Vec<Place>) {
        for (i, latch) in self.s.net.latches.iter().enumerate().filter(|(_, l)| self.s.hard[l.gate.0 as usize]) {
            if self.s.domains.latch[i].is_some() {
                continue;
            }
            let end = End::Latch(i as u32);
            let data = self.s.latch_data(i);
            // If one clock opens it in the end, that clock's own signals are in time.
            let opens = self.s.domains.sets.get(self.s.domains.from[latch.enable.gate().0 as usize]);
            let watch = if let [one] = opens { Watch::Data(*one) } else { Watch::Always };
            let (seen, unstable) = self.delayed(data, watch);
            let (opened, glitch) = match self.s.is_leaf(latch.enable.gate()) {
                true => (latch.enable, Lit::FALSE),
                false => self.delayed(latch.enable, Watch::Always),
            };
            let new = &mut self.b.net.latches[i];
            (new.data, new.enable) = (seen, opened);
            let style = Style::Delayed;
            let (calm, undecided, length) = (data, None, self.depth(data));
            places.push(Place { end, style, seen, calm, unstable, undecided, control: None, length });
            let (seen, calm, unstable, control) = (opened, latch.enable, glitch, Some(Lit::FALSE));
            let length = self.depth(latch.enable);
            places.push(Place { end, style, seen, calm, unstable, undecided, control, length });
        }
    }
}

/// The style that needs fewer state bits for a capturing bit, by the cost of the paper: the gates on its ways against
/// the counter of a destabilizer and its output.
pub fn cheaper(c: &Capture) -> Style {
    let gates = (c.gates + c.launches.len()) as u32;
    let counter = 32 - c.length.leading_zeros();
    // Senders are remembered by both.
    if gates > counter + c.launches.len() as u32 { Style::Destabilized } else { Style::Delayed }
}
