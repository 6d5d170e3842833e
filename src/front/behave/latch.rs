//! Which bits of a combinational process keep their old value, and when: those are latches.

use super::process::Latches;
use super::*;
use crate::word::{Latch, Op, Source, eval_node};

impl Machine {
    /// Splits bits into combinational and latched ones and drives them.
    pub fn drive_comb(&mut self, v: VarId, lo: u32, w: u32, value: NodeId, latches: Latches, span: Span) {
        let sig = self.vars[v.index()].signal;
        let mut memo = FxHashMap::default();
        let mask = self.holds(value, 0, sig, &mut memo);
        let held = self.d.slice(mask, lo, w);
        if self.d.as_const(held).is_some_and(Bits::is_zero) {
            let part = self.d.slice(value, lo, w);
            return self.drive(v, lo, w, Source::Node(part), span);
        }
        let mut i = lo;
        while i < lo + w {
            let h = self.d.slice(mask, i, 1);
            let mut j = i + 1;
            while j < lo + w && self.d.slice(mask, j, 1) == h {
                j += 1;
            }
            let part = self.d.slice(value, i, j - i);
            if self.d.as_bool(h) == Some(false) || self.never(h) {
                // It cannot hold, so what it would hold does not matter.
                let part = self.without_hold(part, i, sig, &mut FxHashMap::default());
                self.drive(v, i, j - i, Source::Node(part), span);
            } else {
                let enable = self.d.not(h);
                let init = self.init_of(v, i, j - i);
                self.d.latches.push(Latch { signal: sig, lo: i, width: j - i, enable, data: part, init, span });
                let n = self.d.latches.len() as u32 - 1;
                self.drive(v, i, j - i, Source::Latch(n), span);
                if latches != Latches::Wanted {
                    self.latch_kinds.insert(n, latches == Latches::Denied);
                }
            }
            i = j;
        }
    }

    /// Per bit of a signal's value: whether it is still the signal's own old value.
    pub fn held_bits(&mut self, value: NodeId, sig: SignalId) -> NodeId {
        self.holds(value, 0, sig, &mut FxHashMap::default())
    }

    /// Per bit of `n` (bit 0 of which is bit `at` of the signal): whether it is still the signal's
    /// own old value.
    fn holds(&mut self, n: NodeId, at: u32, sig: SignalId, memo: &mut FxHashMap<(NodeId, u32), NodeId>) -> NodeId {
        if let Some(r) = memo.get(&(n, at)) {
            return *r;
        }
        let w = self.d.width(n);
        let r = match self.d.op(n).clone() {
            Op::Signal(s) if s == sig && at == 0 => self.d.constant(Bits::ones(w)),
            Op::Slice(a, lo) if *self.d.op(a) == Op::Signal(sig) && lo == at => self.d.constant(Bits::ones(w)),
            Op::Mux(c, t, e) => {
                let (t, e) = (self.holds(t, at, sig, memo), self.holds(e, at, sig, memo));
                self.d.mux(c, t, e)
            }
            Op::Concat(parts) => {
                let mut top = at + w;
                let mut out = Vec::with_capacity(parts.len());
                for p in parts.iter() {
                    top -= self.d.width(*p);
                    out.push(self.holds(*p, top, sig, memo));
                }
                self.d.concat(&out)
            }
            // One-bit multiplexers with a constant arm were folded into gates: `c | q`, `!c & q`.
            Op::And(a, b) | Op::Or(a, b) if w == 1 => {
                let is_or = matches!(self.d.op(n), Op::Or(..));
                let (ha, hb) = (self.holds(a, at, sig, memo), self.holds(b, at, sig, memo));
                match (self.d.as_bool(ha) == Some(false), self.d.as_bool(hb) == Some(false)) {
                    (true, true) => self.d.bool(false),
                    // `a | hold(b)`: holds where b holds and a leaves it through.
                    (true, false) => {
                        let open = if is_or { self.d.not(a) } else { a };
                        self.d.and(open, hb)
                    }
                    (false, true) => {
                        let open = if is_or { self.d.not(b) } else { b };
                        self.d.and(open, ha)
                    }
                    (false, false) => self.d.or(ha, hb),
                }
            }
            _ => self.d.constant(Bits::zero(w)),
        };
        memo.insert((n, at), r);
        r
    }

    /// `n` with the places where [`Self::holds`] finds the signal's old value made free.
    fn without_hold(
        &mut self,
        n: NodeId,
        at: u32,
        sig: SignalId,
        memo: &mut FxHashMap<(NodeId, u32), NodeId>,
    ) -> NodeId {
        if let Some(r) = memo.get(&(n, at)) {
            return *r;
        }
        let w = self.d.width(n);
        let r = match self.d.op(n).clone() {
            Op::Signal(s) if s == sig && at == 0 => self.d.undef(w),
            Op::Slice(a, lo) if *self.d.op(a) == Op::Signal(sig) && lo == at => self.d.undef(w),
            Op::Mux(c, t, e) => {
                let (t, e) = (self.without_hold(t, at, sig, memo), self.without_hold(e, at, sig, memo));
                self.d.mux(c, t, e)
            }
            Op::Concat(parts) => {
                let mut top = at + w;
                let mut out = Vec::with_capacity(parts.len());
                for p in parts.iter() {
                    top -= self.d.width(*p);
                    out.push(self.without_hold(*p, top, sig, memo));
                }
                self.d.concat(&out)
            }
            Op::And(a, b) if w == 1 => {
                let (a, b) = (self.without_hold(a, at, sig, memo), self.without_hold(b, at, sig, memo));
                self.d.and(a, b)
            }
            Op::Or(a, b) if w == 1 => {
                let (a, b) = (self.without_hold(a, at, sig, memo), self.without_hold(b, at, sig, memo));
                self.d.or(a, b)
            }
            _ => n,
        };
        memo.insert((n, at), r);
        r
    }

    /// Whether a condition is false for all values of its (few) leaves.
    fn never(&mut self, c: NodeId) -> bool {
        let mut leaves: Vec<NodeId> = Vec::new();
        let mut seen = FxHashSet::default();
        let mut stack = vec![c];
        while let Some(n) = stack.pop() {
            if !seen.insert(n) {
                continue;
            }
            if seen.len() > 2000 {
                return false;
            }
            match self.d.op(n) {
                Op::Signal(_) | Op::Undef(_) | Op::MemRead(..) | Op::HighZ => leaves.push(n),
                // A comparison of a slice reads only those bits.
                Op::Slice(a, _) if matches!(self.d.op(*a), Op::Signal(_) | Op::Undef(_) | Op::MemRead(..)) => {
                    leaves.push(n)
                }
                op => op.operands(|a| stack.push(a)),
            }
        }
        let bits: u32 = leaves.iter().map(|l| self.d.width(*l)).sum();
        if bits > 12 {
            return false;
        }
        for v in 0..1u64 << bits {
            let mut memo: FxHashMap<NodeId, Bits> = FxHashMap::default();
            let mut at = 0;
            for l in &leaves {
                let w = self.d.width(*l);
                memo.insert(*l, Bits::from_u64(v >> at, w));
                at += w;
            }
            let r = eval_node(&self.d, c, &mut memo, &mut |_, w, _| Bits::zero(w));
            if r.is_true() {
                return false;
            }
        }
        true
    }
}
