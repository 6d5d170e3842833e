//! Captures through logic that waits for a synchronised signal.
//!
//! Such a capture is safe to look at as a scheme if nothing of the other clock gets through to it before a synchronised
//! signal of that clock says so, whatever else happens. That is decided by running the capturing clock alone, in
//! three values: what its synchronisers from the other clock show stays as it is after reset (resets that cross are
//! over), its registers begin as
//! after reset, everything else is unknown; what a register may become is joined with what it was until nothing
//! moves. If a signal of the other clock still gets through then, no synchronised signal holds it back. An enable, a
//! mask, a select or a state machine in between are all the same here.

use super::Finder;
use crate::cdc::crossing::{Capture, End};
use crate::cdc::domains::DomainId;
use crate::net::{Gate, GateId, Lit};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Registers of its own clock through which what controls a capture is followed.
pub(super) const FAR: u32 = 6;

/// Edges after a reset that are left out of account.
const SETTLE: u32 = 8;

/// The capturing clock while the other one says nothing.
pub(super) struct Idle {
    /// Value of each gate, if it is known.
    value: Vec<Option<bool>>,
    /// Whether a signal of the other clock gets through to each gate.
    reached: Vec<bool>,
}

impl Finder<'_> {
    /// Whether nothing of the other clock gets into a capture until a synchronised signal lets it.
    pub(super) fn is_held_back(&self, c: &Capture) -> bool {
        let (End::Register(r), [from]) = (c.end, c.sources.as_slice()) else { return false };
        let pair = (*from, c.domain);
        if !self.out.synchronisers.iter().any(|s| (s.from, s.to) == pair) {
            return false;
        }
        let known = self.idle.borrow().get(&pair).cloned();
        let idle = known.unwrap_or_else(|| {
            let idle = Rc::new(self.idle(pair));
            self.idle.borrow_mut().insert(pair, idle.clone());
            idle
        });
        !idle.reached[self.s.data[r as usize].gate().0 as usize]
    }

    fn idle(&self, (from, to): (DomainId, DomainId)) -> Idle {
        let mut fixed: FxHashMap<u32, bool> = FxHashMap::default();
        for s in self.out.synchronisers.iter().filter(|s| (s.from, s.to) == (from, to)) {
            let last = s.stages[s.stages.len() - 1];
            // A reset is over.
            let value = self.at_reset(last).unwrap_or(false) ^ !self.last.contains_key(&last);
            fixed.extend(s.stages.iter().map(|r| (*r, value)));
        }
        let own: Vec<u32> =
            (0..self.net.registers.len() as u32).filter(|r| self.d.register[*r as usize] == to).collect();
        let mut state: Vec<Option<bool>> = vec![None; self.net.registers.len()];
        for r in &own {
            state[*r as usize] = fixed.get(r).copied().or_else(|| self.at_reset(*r));
        }
        let mut idle = Idle { value: Vec::new(), reached: Vec::new() };
        // What a reset leaves behind works itself out first.
        for _ in 0..SETTLE {
            self.run_idle(&state, to, &mut idle);
            for r in own.iter().filter(|r| !fixed.contains_key(r)) {
                let data = self.s.data[*r as usize];
                state[*r as usize] = idle.value[data.gate().0 as usize].map(|v| v ^ data.complement());
            }
        }
        loop {
            self.run_idle(&state, to, &mut idle);
            let mut moved = false;
            for r in own.iter().filter(|r| !fixed.contains_key(r)) {
                let data = self.s.data[*r as usize];
                let next = idle.value[data.gate().0 as usize].map(|v| v ^ data.complement());
                let now = &mut state[*r as usize];
                if now.is_some() && *now != next {
                    *now = None;
                    moved = true;
                }
            }
            // Each round makes at least one register unknown for good.
            if !moved {
                return idle;
            }
        }
    }

    fn run_idle(&self, state: &[Option<bool>], to: DomainId, idle: &mut Idle) {
        idle.value.clear();
        idle.reached.clear();
        for g in 0..self.net.gates.len() {
            let v = |l: Lit| idle.value[l.gate().0 as usize].map(|v| v ^ l.complement());
            let reached = |l: Lit| idle.reached[l.gate().0 as usize];
            let (value, through) = match self.net.gates[g] {
                Gate::False => (Some(false), false),
                Gate::And(x, y) => match (v(x), v(y)) {
                    (Some(false), _) | (_, Some(false)) => (Some(false), false),
                    (Some(true), other) => (other, reached(y)),
                    (other, Some(true)) => (other, reached(x)),
                    _ => (None, reached(x) || reached(y)),
                },
                Gate::Xor(x, y) => (v(x).zip(v(y)).map(|(a, b)| a ^ b), reached(x) || reached(y)),
                Gate::Mux(s, t, e) => match v(s) {
                    Some(true) => (v(t), reached(t)),
                    Some(false) => (v(e), reached(e)),
                    None => {
                        let same = if v(t) == v(e) { v(t) } else { None };
                        (same, reached(s) || reached(t) || reached(e))
                    }
                },
                Gate::Register(r) if self.d.register[r as usize] == to => (state[r as usize], false),
                // State of another clock, an input, a word of a memory.
                _ => (None, self.d.foreign(GateId(g as u32), to).next().is_some()),
            };
            idle.value.push(value);
            idle.reached.push(through && value.is_none());
        }
    }

    /// Synchronisers in front of a literal, the nearest ones, from one clock to another.
    pub(super) fn nearest(&self, l: Lit, from: DomainId, to: DomainId, far: u32) -> Vec<usize> {
        for depth in 0..=far {
            let mut found = self.behind(l, to, depth);
            found.retain(|k| self.out.synchronisers[*k].from == from);
            if !found.is_empty() {
                return found;
            }
        }
        Vec::new()
    }
}
