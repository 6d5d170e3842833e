//! Places: a variable and the selects into it, for reading and for writing.

use super::env::Key;
use super::*;

#[derive(Clone, Copy)]
pub enum Root {
    Var(VarId),
    Local(u32),
    Value(NodeId),
}

/// One select. Offsets are normalised: element 0 is the least significant.
#[derive(Clone)]
pub enum Step {
    Fixed {
        lo: u32,
        width: u32,
    },
    /// Element `index` (of just enough bits) of `count` elements of `width` bits.
    Index {
        index: NodeId,
        in_range: NodeId,
        count: u32,
        width: u32,
    },
    /// `width` bits from bit `offset`, two's complement if it may be negative.
    Part {
        offset: NodeId,
        in_range: NodeId,
        width: u32,
    },
    /// A constant select outside the object.
    Outside {
        width: u32,
    },
}

impl Machine {
    /// The present value of a variable.
    pub fn now(&mut self, v: VarId) -> NodeId {
        if let Some(n) = self.env.get(Key::Now(v)) {
            return n;
        }
        if let Some(p) = &mut self.proc {
            p.reads.insert(v);
        }
        self.base(Key::Now(v))
    }

    /// What a key stands for before anything was assigned.
    pub fn base(&mut self, k: Key) -> NodeId {
        match k {
            Key::Now(v) | Key::Next(v) => {
                if self.proc.as_ref().is_some_and(|p| p.initial) {
                    let var = &self.vars[v.index()];
                    let b = var
                        .init
                        .clone()
                        .unwrap_or_else(|| if var.four_state { Bits::x(var.width) } else { Bits::zero(var.width) });
                    return self.d.constant(b);
                }
                let s = self.vars[v.index()].signal;
                self.d.signal(s)
            }
            Key::Local(_) | Key::Flag(_) => self.d.bool(false),
        }
    }

    /// The present value of a place; `four_state` says what lies outside it.
    pub fn read(&mut self, root: Root, steps: &[Step], width: u32, four_state: bool) -> Res<NodeId> {
        let mut steps = steps;
        let mut v = match root {
            Root::Value(n) => n,
            Root::Local(k) => match self.env.get(Key::Local(k)) {
                Some(n) => {
                    if steps.is_empty() {
                        self.filling.remove(&k);
                    }
                    n
                }
                None => return Ok(self.undef_or_zero(width, four_state)),
            },
            Root::Var(var) => match self.vars[var.index()].memory {
                Some(m) => {
                    let (first, rest) = steps.split_first().ok_or_else(|| {
                        Box::new(Diagnostic::error(codes::E0405, "a memory is read as a whole").at(Span::NONE, ""))
                    })?;
                    steps = rest;
                    self.read_memory(var, m, &first.clone())
                }
                None => self.now(var),
            },
        };
        for s in steps {
            v = self.apply(v, s, four_state);
        }
        Ok(v)
    }

    pub fn apply(&mut self, v: NodeId, s: &Step, four_state: bool) -> NodeId {
        let beyond = |e: &mut Self, w: u32| if four_state { e.x_value(w) } else { e.d.uint(0, w) };
        match *s {
            Step::Fixed { lo, width } => self.d.slice(v, lo, width),
            Step::Outside { width } => beyond(self, width),
            Step::Index { index, in_range, count, width } => {
                let r = self.select(v, index, count, width);
                if self.d.as_bool(in_range) == Some(true) {
                    return r;
                }
                let x = self.outside(v, index, width, four_state);
                self.d.mux(in_range, r, x)
            }
            Step::Part { offset, in_range, width } => {
                let vw = self.d.width(v);
                if let Some(o) = self.d.as_const(offset).and_then(Bits::to_i64) {
                    // Constant and partly outside.
                    let (lo, hi) = (o.max(0) as u32, (o + width as i64).min(vw as i64) as u32);
                    let inside = self.d.slice(v, lo, hi - lo);
                    let below = beyond(self, (lo as i64 - o) as u32);
                    let above = beyond(self, (o + width as i64 - hi as i64) as u32);
                    return self.d.concat(&[above, inside, below]);
                }
                if self.d.as_bool(in_range) == Some(true) {
                    let shifted = self.d.lshr(v, offset);
                    return self.d.zext(shifted, width);
                }
                if self.beyond.is_some() {
                    let shifted = self.d.lshr(v, offset);
                    let part = self.d.zext(shifted, width);
                    let x = self.outside(v, offset, width, four_state);
                    return self.d.mux(in_range, part, x);
                }
                // One part's width of unknown bits on either side takes what lies outside.
                let (above, below, none) = (beyond(self, width), beyond(self, width), beyond(self, width));
                let padded = self.d.concat(&[above, v, below]);
                let ow = self.d.width(offset).max(40) + 1;
                let off = self.d.sext(offset, ow);
                let pad = self.d.uint(width as u64, ow);
                let off = self.d.add(off, pad);
                let shifted = self.d.lshr(padded, off);
                let part = self.d.zext(shifted, width);
                let limit = self.d.uint(vw as u64 + width as u64, ow);
                let touches = self.d.ult(off, limit);
                self.d.mux(touches, part, none)
            }
        }
    }

    /// What a select by a value outside its object gives.
    fn outside(&mut self, v: NodeId, index: NodeId, width: u32, four_state: bool) -> NodeId {
        if let Some(x) = self.beyond.as_ref().and_then(|known| known.get(&(v, index)).copied())
            && self.d.width(x) == width
        {
            return x;
        }
        let x = self.undef_or_zero(width, four_state);
        if let Some(known) = &mut self.beyond {
            known.insert((v, index), x);
        }
        x
    }

    /// Element `index` of `v`.
    pub fn select(&mut self, v: NodeId, index: NodeId, count: u32, width: u32) -> NodeId {
        if width.is_power_of_two() {
            let zeros = self.d.uint(0, width.trailing_zeros());
            let amount = self.d.concat(&[index, zeros]);
            let shifted = self.d.lshr(v, amount);
            return self.d.slice(shifted, 0, width);
        }
        let mut level: Vec<NodeId> = (0..count).map(|k| self.d.slice(v, k * width, width)).collect();
        for bit in 0..self.d.width(index) {
            let s = self.d.slice(index, bit, 1);
            level = level
                .chunks(2)
                .map(|c| match c {
                    [a, b] => self.d.mux(s, *b, *a),
                    c => c[0],
                })
                .collect();
        }
        level[0]
    }

    /// `cur` with the selected part replaced by `value`.
    pub fn update(&mut self, cur: NodeId, steps: &[Step], value: NodeId) -> NodeId {
        let Some((s, rest)) = steps.split_first() else { return value };
        match *s {
            Step::Outside { .. } => cur,
            Step::Fixed { lo, width } => {
                let part = self.d.slice(cur, lo, width);
                let new = self.update(part, rest, value);
                self.d.splice(cur, lo, new)
            }
            Step::Index { index, in_range, count, width } => {
                let mut parts = Vec::with_capacity(count as usize);
                for k in (0..count).rev() {
                    let old = self.d.slice(cur, k * width, width);
                    let new = self.update(old, rest, value);
                    let kk = self.d.uint(k as u64, self.d.width(index));
                    let hit = self.d.eq(index, kk);
                    let hit = self.d.and(hit, in_range);
                    parts.push(self.d.mux(hit, new, old));
                }
                self.d.concat(&parts)
            }
            Step::Part { offset, width, .. } => {
                let vw = self.d.width(cur);
                // One part's width of room below takes what a negative offset would write there.
                let room = self.d.uint(0, width);
                let padded = self.d.concat(&[cur, room]);
                let ow = self.d.width(offset).max(40) + 1;
                let off = self.d.sext(offset, ow);
                let pad = self.d.uint(width as u64, ow);
                let off = self.d.add(off, pad);
                let old = self.d.lshr(padded, off);
                let old = self.d.zext(old, width);
                let new = self.update(old, rest, value);
                let pw = vw + width;
                let ones = self.d.constant(Bits::ones(width));
                let mask = self.d.zext(ones, pw);
                let mask = self.d.shl(mask, off);
                let new = self.d.zext(new, pw);
                let new = self.d.shl(new, off);
                let keep = self.d.not(mask);
                let kept = self.d.and(padded, keep);
                let all = self.d.or(kept, new);
                self.d.slice(all, width, vw)
            }
        }
    }

    /// Assigns to a place, now or (non-blocking) at the end of the step.
    pub fn write(&mut self, root: Root, steps: &[Step], value: NodeId, nonblocking: bool, span: Span) -> Res<()> {
        match root {
            Root::Value(_) => error(codes::E0506, "cannot assign to a constant or expression", span, "assigned here"),
            Root::Local(k) => {
                let key = Key::Local(k);
                let total = steps.is_empty();
                let cur = match self.env.get(key) {
                    Some(n) => n,
                    None if total => value,
                    None => return error(codes::E0204, "the variable is not alive here", span, "assigned here"),
                };
                if self.fill_constant(k, cur, steps, value) {
                    return Ok(());
                }
                let new = self.update(cur, steps, value);
                self.env.set(key, new);
                Ok(())
            }
            Root::Var(v) => {
                let var = &self.vars[v.index()];
                if self.proc.is_none() {
                    return error(codes::E0301, "a constant function cannot assign a signal", span, "assigned here");
                }
                if var.input {
                    let d = Diagnostic::error(codes::E0506, "an input port is assigned inside its module")
                        .at(span, "assigned here")
                        .also(var.span, "declared as an input here");
                    return Err(Box::new(d));
                }
                if let Some(m) = var.memory {
                    return self.write_memory(m, steps, value, nonblocking, span);
                }
                let key = if nonblocking { Key::Next(v) } else { Key::Now(v) };
                let cur = match self.env.get(key) {
                    Some(n) => n,
                    None => self.base(key),
                };
                let new = self.update(cur, steps, value);
                self.env.set(key, new);
                let width = self.vars[v.index()].width;
                let (lo, width) = touched(steps, width);
                if let Some(proc) = &mut self.proc {
                    proc.touch(v, lo, width, nonblocking, span);
                }
                Ok(())
            }
        }
    }
}

impl Machine {
    /// Assigns a constant to part of a large constant in place. Element by element, as functions fill
    /// tables, a new constant each time would take memory by the square.
    fn fill_constant(&mut self, k: u32, cur: NodeId, steps: &[Step], value: NodeId) -> bool {
        const LARGE: u32 = 4096;
        if self.env.path.is_some() || self.d.width(cur) < LARGE || steps.is_empty() {
            return false;
        }
        let fixed = steps.iter().all(|s| matches!(s, Step::Fixed { .. }));
        let (Some(b), Some(part)) = (self.d.as_const(cur), self.d.as_const(value)) else { return false };
        if !fixed {
            return false;
        }
        let part = part.clone();
        let (lo, _) = touched(steps, b.width());
        if self.filling.get(&k) == Some(&cur) {
            self.d.patch(cur, lo, &part);
            return true;
        }
        let mut bits = b.clone();
        bits.put(lo, &part);
        let new = self.d.private_constant(bits);
        self.filling.insert(k, new);
        self.env.set(Key::Local(k), new);
        true
    }
}

/// The constant part of a select: which bits an assignment can reach.
fn touched(steps: &[Step], width: u32) -> (u32, u32) {
    let (mut lo, mut w) = (0, width);
    for s in steps {
        match s {
            Step::Fixed { lo: l, width } => (lo, w) = (lo + l, *width),
            Step::Outside { .. } => return (lo, 0),
            _ => break,
        }
    }
    (lo, w)
}

/// Bits needed to count `n` elements from 0.
pub fn index_bits(n: u64) -> u32 {
    (64 - (n.max(1) - 1).leading_zeros()).max(1)
}
