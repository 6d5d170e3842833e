//! Captures through logic that a synchronised signal controls: what of the other clock gets through is chosen, held back
//! or masked by a signal of the capturing clock that came from there through a synchroniser.

use super::Finder;
use crate::cdc::crossing::{Capture, End};
use crate::cdc::domains::DomainId;
use crate::net::{Gate, GateId, Lit};
use rustc_hash::FxHashMap;

/// Registers of its own clock through which what chooses or enables is followed.
pub(super) const FAR: u32 = 6;
/// The same for what merely masks: an edge that was found in a synchronised signal, and little else.
const NEAR: u32 = 2;
/// Gates in a row that are looked through.
const DEEP: u32 = 400;

/// What one capture reads.
struct Cover<'f, 's> {
    f: &'f Finder<'s>,
    from: DomainId,
    to: DomainId,
    seen: FxHashMap<GateId, bool>,
    /// What controls, in the order in which it was met.
    controls: Vec<Lit>,
}

impl Finder<'_> {
    /// What controls a capture, if something does wherever a signal of the other clock gets through.
    pub(super) fn controls_of(&self, c: &Capture) -> Option<Vec<Lit>> {
        let (End::Register(r), [from]) = (c.end, c.sources.as_slice()) else { return None };
        let mut cover = Cover { f: self, from: *from, to: c.domain, seen: FxHashMap::default(), controls: Vec::new() };
        let covered = cover.covered(self.s.data[r as usize], 0);
        (covered && !cover.controls.is_empty()).then_some(cover.controls)
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

impl Cover<'_, '_> {
    fn is_apart(&self, l: Lit) -> bool {
        self.f.d.foreign(l.gate(), self.to).next().is_some()
    }

    fn is_control(&mut self, l: Lit, far: u32) -> bool {
        let key = (l.gate(), self.from, self.to, far);
        let known = self.f.controls.borrow().get(&key).copied();
        let is = known.unwrap_or_else(|| {
            let is = !self.is_apart(l)
                && self.f.behind(l, self.to, far).iter().any(|k| self.f.out.synchronisers[*k].from == self.from);
            self.f.controls.borrow_mut().insert(key, is);
            is
        });
        if is && !self.controls.contains(&l) {
            self.controls.push(l);
        }
        is
    }

    /// The value of a literal while a control in it holds it back.
    fn forced(&mut self, l: Lit) -> Option<bool> {
        let mut open = vec![Lit::new(l.gate(), false)];
        let mut parts = 0;
        while let Some(x) = open.pop() {
            parts += 1;
            // Only what is a factor of the whole can force it to 0.
            if let (Gate::And(a, b), false) = (self.f.net.gates[x.gate().0 as usize], x.complement() || parts > 64) {
                open.extend([a, b]);
            }
            if parts > 1 && self.is_control(x, FAR) {
                return Some(l.complement());
            }
        }
        None
    }

    fn covered(&mut self, l: Lit, depth: u32) -> bool {
        if !self.is_apart(l) {
            return true;
        }
        if depth > DEEP {
            return false;
        }
        if let Some(known) = self.seen.get(&l.gate()) {
            return *known;
        }
        let covered = match self.f.net.gates[l.gate().0 as usize] {
            Gate::And(x, y) => {
                self.is_control(x, NEAR)
                    || self.is_control(y, NEAR)
                    || self.covered(x, depth + 1) && self.covered(y, depth + 1)
            }
            Gate::Mux(s, t, e) => match self.forced(s) {
                _ if self.is_control(s, FAR) => true,
                // Held back, it takes one side for sure.
                Some(v) => self.covered(if v { t } else { e }, depth + 1),
                None => self.covered(s, depth + 1) && self.covered(t, depth + 1) && self.covered(e, depth + 1),
            },
            Gate::Xor(x, y) => self.covered(x, depth + 1) && self.covered(y, depth + 1),
            Gate::Read(m, p, _) => {
                let address = self.f.net.memories[m as usize].reads[p as usize].clone();
                address.iter().any(|a| self.is_control(*a, FAR))
            }
            _ => false,
        };
        self.seen.insert(l.gate(), covered);
        covered
    }
}
