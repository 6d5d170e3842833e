//! What one bit of each operator reads, and the gates it becomes.
//!
//! `dependency` and `make` are two views of one rule: `make` may read exactly the bits that
//! `dependency` listed. Some operators have hidden bits above their width that stand for "these
//! operand bits are made", so that a wide operator lists its operands once and not once per bit.

use super::walk::{Key, Lowering, drive_of};
use super::*;
use crate::net::arith::{Barrel, Shift};
use crate::word::{Op, SignalId};

impl Lowering<'_> {
    /// The `k`-th bit that must be made before bit `key`.
    pub(super) fn dependency(&mut self, key: Key, k: u32) -> Option<Key> {
        let d = self.d;
        let (i, float) = (key.bit, key.float);
        let Some(node) = d.nodes.get(key.item as usize) else {
            let s = SignalId(key.item - d.nodes.len() as u32);
            return match drive_of(&d.signals[s.index()], i)? {
                drive if k == 0 => match drive.source {
                    Source::Node(n) => Some(self.driver_key(s, i, n, i - drive.lo)),
                    _ => None,
                },
                _ => None,
            };
        };
        let w = node.width;
        let below = |n: NodeId, b: u32| self.table.below(n, b, float);
        let nth = |list: &[(NodeId, u32)]| list.get(k as usize).map(|&(n, b)| below(n, b));
        // Every bit of the operands, one after the other.
        let whole = |list: &[NodeId]| {
            let mut k = k;
            for &n in list {
                if k < d.width(n) {
                    return Some(below(n, k));
                }
                k -= d.width(n);
            }
            None
        };
        let previous = || Key { bit: i - 1, ..key };
        match &node.op {
            Op::Const(_) | Op::Undef(_) | Op::HighZ => None,
            Op::Signal(s) => (k == 0).then(|| self.signal_key(*s, i)),
            Op::Not(a) => nth(&[(*a, i)]),
            Op::And(a, b) | Op::Or(a, b) => {
                let absorbing = matches!(node.op, Op::Or(..));
                let (first, second) = self.constant_first(*a, *b);
                if k == 1 && self.table.operand(first, i, float).as_const() == Some(absorbing) {
                    return None;
                }
                nth(&[(first, i), (second, i)])
            }
            Op::Xor(a, b) => nth(&[(*a, i), (*b, i)]),
            Op::Neg(a) if i == 0 => nth(&[(*a, 0)]),
            Op::Add(a, b) | Op::Sub(a, b) | Op::Mul(a, b) if i == 0 => nth(&[(*a, 0), (*b, 0)]),
            Op::Neg(a) => match k {
                0 => Some(previous()),
                1 => Some(below(*a, i)),
                _ => None,
            },
            Op::Add(a, b) | Op::Sub(a, b) | Op::Mul(a, b) => match k {
                0 => Some(previous()),
                1 => Some(below(*a, i)),
                2 => Some(below(*b, i)),
                _ => None,
            },
            Op::RedAnd(a) | Op::RedOr(a) | Op::RedXor(a) => whole(&[*a]),
            Op::Eq(a, b) | Op::Ult(a, b) | Op::Slt(a, b) => whole(&[*a, *b]),
            Op::Udiv(a, b) | Op::Urem(a, b) | Op::Sdiv(a, b) | Op::Srem(a, b) => {
                if i < w {
                    (k == 0).then_some(Key { bit: w, ..key })
                } else {
                    whole(&[*a, *b])
                }
            }
            Op::Shl(a, n) | Op::Lshr(a, n) | Op::Ashr(a, n) => {
                if i < w {
                    return (k == 0).then_some(Key { bit: w + i, ..key });
                }
                // The hidden bit w+j: the amount, operand bit j and all that can be shifted to j.
                let j = i - w;
                let neighbour =
                    if matches!(node.op, Op::Shl(..)) { j.checked_sub(1) } else { Some(j + 1).filter(|&j| j < w) };
                match (k, neighbour) {
                    (0, _) => Some(below(*a, j)),
                    (1, Some(j)) => Some(Key { bit: w + j, ..key }),
                    (_, Some(_)) => None,
                    (_, None) => (k - 1 < d.width(*n)).then(|| below(*n, k - 1)),
                }
            }
            Op::Mux(c, t, e) => {
                if k == 0 {
                    return Some(below(*c, 0));
                }
                match (self.table.operand(*c, 0, float).as_const(), k) {
                    (None | Some(true), 1) => Some(below(*t, i)),
                    (Some(false), 1) | (None, 2) => Some(below(*e, i)),
                    _ => None,
                }
            }
            Op::Concat(parts) => {
                if k > 0 {
                    return None;
                }
                let (part, bit) = self.concat_part(NodeId(key.item), parts, i);
                Some(self.table.below(part, bit, float))
            }
            Op::Slice(a, lo) => nth(&[(*a, lo + i)]),
            Op::Zext(a) => {
                if i < d.width(*a) {
                    nth(&[(*a, i)])
                } else {
                    None
                }
            }
            Op::Sext(a) => nth(&[(*a, i.min(d.width(*a) - 1))]),
            Op::MemRead(_, a) => whole(&[*a]),
        }
    }

    /// Makes bit `key`; everything it depends on is made.
    pub(super) fn make(&mut self, key: Key) -> Lit {
        let d = self.d;
        let (i, float) = (key.bit, key.float);
        let Some(node) = d.nodes.get(key.item as usize) else {
            return self.make_signal_bit(SignalId(key.item - d.nodes.len() as u32), i);
        };
        self.g.here = d.spans[key.item as usize];
        let w = node.width;
        let at = |l: &Self, n: NodeId, b: u32| l.table.operand(n, b, float);
        let all = |l: &Self, n: NodeId| -> Vec<Lit> { (0..d.width(n)).map(|b| at(l, n, b)).collect() };
        match &node.op {
            Op::Const(b) => {
                // A constant with unknown bits does not occur in a finished design; reading one as
                // free is the only safe meaning.
                if b.is_unknown(i) { self.g.free() } else { Lit::FALSE.xor(b.bit(i)) }
            }
            Op::Undef(_) => self.g.free(),
            Op::HighZ => self.float_value(float),
            Op::Signal(s) => self.table.get(self.signal_key(*s, i)),
            Op::Not(a) => !at(self, *a, i),
            Op::And(a, b) | Op::Or(a, b) => {
                let absorbing = matches!(node.op, Op::Or(..));
                let (first, second) = self.constant_first(*a, *b);
                let x = at(self, first, i);
                if x.as_const() == Some(absorbing) {
                    return x;
                }
                let y = at(self, second, i);
                if absorbing { self.g.or(x, y) } else { self.g.and(x, y) }
            }
            Op::Xor(a, b) => {
                let (x, y) = (at(self, *a, i), at(self, *b, i));
                self.g.xor(x, y)
            }
            Op::Neg(a) => {
                let x = at(self, *a, i);
                self.sum_bit(key, Lit::FALSE, !x, Lit::TRUE)
            }
            Op::Add(a, b) => {
                let (x, y) = (at(self, *a, i), at(self, *b, i));
                self.sum_bit(key, x, y, Lit::FALSE)
            }
            Op::Sub(a, b) => {
                let (x, y) = (at(self, *a, i), at(self, *b, i));
                self.sum_bit(key, x, !y, Lit::TRUE)
            }
            Op::Mul(a, b) => self.product_bit(key, *a, *b),
            Op::RedAnd(a) => self.g.all(&all(self, *a)),
            Op::RedOr(a) => self.g.any(&all(self, *a)),
            Op::RedXor(a) => self.g.parity(&all(self, *a)),
            Op::Eq(a, b) => self.g.eq(&all(self, *a), &all(self, *b)),
            Op::Ult(a, b) => self.g.ult(&all(self, *a), &all(self, *b)),
            Op::Slt(a, b) => self.g.slt(&all(self, *a), &all(self, *b)),
            Op::Udiv(a, b) | Op::Urem(a, b) | Op::Sdiv(a, b) | Op::Srem(a, b) => {
                if i == w {
                    return Lit::FALSE;
                }
                let signed = matches!(node.op, Op::Sdiv(..) | Op::Srem(..));
                let which = (*a, *b, signed, float);
                if !self.dividers.contains_key(&which) {
                    let (x, y) = (all(self, *a), all(self, *b));
                    let made = if signed { self.g.sdivrem(&x, &y) } else { self.g.udivrem(&x, &y) };
                    self.dividers.insert(which, made);
                }
                let (quotient, rest) = &self.dividers[&which];
                if matches!(node.op, Op::Udiv(..) | Op::Sdiv(..)) { quotient[i as usize] } else { rest[i as usize] }
            }
            Op::Shl(a, n) => self.shift_bit(key, Shift::Left, *a, *n),
            Op::Lshr(a, n) => self.shift_bit(key, Shift::Right, *a, *n),
            Op::Ashr(a, n) => self.shift_bit(key, Shift::RightSigned, *a, *n),
            Op::Mux(c, t, e) => {
                let s = at(self, *c, 0);
                match s.as_const() {
                    Some(true) => at(self, *t, i),
                    Some(false) => at(self, *e, i),
                    None => {
                        let (x, y) = (at(self, *t, i), at(self, *e, i));
                        self.g.mux(s, x, y)
                    }
                }
            }
            Op::Concat(parts) => {
                let (part, bit) = self.concat_part(NodeId(key.item), parts, i);
                at(self, part, bit)
            }
            Op::Slice(a, lo) => at(self, *a, lo + i),
            Op::Zext(a) => {
                if i < d.width(*a) {
                    at(self, *a, i)
                } else {
                    Lit::FALSE
                }
            }
            Op::Sext(a) => at(self, *a, i.min(d.width(*a) - 1)),
            Op::MemRead(m, a) => {
                let addr = all(self, *a);
                self.read_bit(m.0, &addr, i)
            }
        }
    }

    fn make_signal_bit(&mut self, s: SignalId, i: u32) -> Lit {
        let sig = &self.d.signals[s.index()];
        let Some(drive) = drive_of(sig, i) else {
            self.g.here = sig.span;
            return self.g.free();
        };
        self.g.here = drive.span;
        match drive.source {
            Source::Node(n) => {
                let k = self.driver_key(s, i, n, i - drive.lo);
                self.table.get(k)
            }
            Source::Register(r) => {
                let j = self.register_base[r as usize] + i - self.d.registers[r as usize].lo;
                Lit::new(self.g.net.registers[j as usize].gate, false)
            }
            Source::Latch(r) => {
                let j = self.latch_base[r as usize] + i - self.d.latches[r as usize].lo;
                Lit::new(self.g.net.latches[j as usize].gate, false)
            }
            Source::Input => self.g.leaf(Gate::Input(self.ports[&s.0], i)),
            Source::Undriven => self.g.free(),
        }
    }

    /// Constants first: a bit they decide alone does not make the other operand.
    fn constant_first(&self, a: NodeId, b: NodeId) -> (NodeId, NodeId) {
        if self.d.as_const(b).is_some() { (b, a) } else { (a, b) }
    }

    fn concat_part(&mut self, n: NodeId, parts: &[NodeId], i: u32) -> (NodeId, u32) {
        let d = self.d;
        let low = self.offsets.entry(n).or_insert_with(|| {
            let mut top = d.width(n);
            parts.iter().map(|p| (top -= d.width(*p), top).1).collect()
        });
        // Offsets fall; the part is the first that starts at or below bit i.
        let p = low.partition_point(|&lo| lo > i);
        (parts[p], i - low[p])
    }

    /// The next bit of an adder. Bits are made from 0 up, since each depends on the one before.
    fn sum_bit(&mut self, key: Key, x: Lit, y: Lit, carry_in: Lit) -> Lit {
        let which = (key.item, key.float);
        let carry = if key.bit == 0 { Some(carry_in) } else { self.carries.get(&which).copied() };
        let carry = carry.unwrap_or_else(|| self.table.unmade());
        if key.bit + 1 < self.d.nodes[key.item as usize].width {
            let carry = self.g.maj(x, y, carry);
            self.carries.insert(which, carry);
        }
        let half = self.g.xor(x, y);
        self.g.xor(half, carry)
    }

    fn product_bit(&mut self, key: Key, a: NodeId, b: NodeId) -> Lit {
        // The operand with fewer significant bits gives the rows.
        let (a, b) = if self.rows(a) < self.rows(b) { (b, a) } else { (a, b) };
        let sign = match self.d.op(b) {
            Op::Sext(x) => Some(self.d.width(*x) as usize - 1),
            _ => None,
        };
        let bits = |n: NodeId| (0..=key.bit).map(|j| self.table.operand(n, j, key.float)).collect();
        let (x, y): (Vec<Lit>, Vec<Lit>) = (bits(a), bits(b));
        let multiplier = self.multipliers.entry((key.item, key.float)).or_default();
        multiplier.column(&mut self.g, &x, &y, sign)
    }

    /// Rows of partial products that a multiplier operand gives.
    fn rows(&self, n: NodeId) -> u32 {
        match self.d.op(n) {
            Op::Const(b) => b.count_ones(),
            Op::Zext(x) | Op::Sext(x) => self.d.width(*x),
            _ => self.d.width(n),
        }
    }

    fn shift_bit(&mut self, key: Key, shift: Shift, a: NodeId, n: NodeId) -> Lit {
        let w = self.d.width(a);
        if key.bit >= w {
            return Lit::FALSE;
        }
        let which = (key.item, key.float);
        let mut barrel = match self.barrels.remove(&which) {
            Some(b) => b,
            None => {
                let amount: Vec<Lit> = (0..self.d.width(n)).map(|b| self.table.operand(n, b, key.float)).collect();
                Barrel::new(&mut self.g, shift, w, &amount)
            }
        };
        let table = &self.table;
        let l = barrel.bit(&mut self.g, key.bit, &|b| table.operand(a, b, key.float));
        self.barrels.insert(which, barrel);
        l
    }
}
