//! Arithmetic circuits over vectors of literals, least significant bit first.
//!
//! Plain textbook structures, chosen for being easy to reason about: ripple-carry adders, a
//! carry-save array multiplier, a restoring divider, a barrel shifter. Multiplier and shifter are
//! made bit by bit on demand, so that a reader of few bits pays for few gates.

use super::*;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

impl Builder {
    /// `a + b + carry` modulo 2^width, by a ripple of full adders.
    pub fn add(&mut self, a: &[Lit], b: &[Lit], mut carry: Lit) -> Vec<Lit> {
        assert_eq!(a.len(), b.len(), "operands of different width");
        let mut sum = Vec::with_capacity(a.len());
        for (i, (&x, &y)) in a.iter().zip(b).enumerate() {
            let half = self.xor(x, y);
            sum.push(self.xor(half, carry));
            // The last carry is lost.
            if i + 1 < a.len() {
                carry = self.maj(x, y, carry);
            }
        }
        sum
    }

    /// `flip ? -a : a`.
    pub fn negate_if(&mut self, flip: Lit, a: &[Lit]) -> Vec<Lit> {
        let flipped: Vec<Lit> = a.iter().map(|&x| self.xor(x, flip)).collect();
        self.add(&flipped, &vec![Lit::FALSE; a.len()], flip)
    }

    /// `s ? t : e` on vectors.
    pub fn mux_all(&mut self, s: Lit, t: &[Lit], e: &[Lit]) -> Vec<Lit> {
        assert_eq!(t.len(), e.len(), "operands of different width");
        t.iter().zip(e).map(|(&t, &e)| self.mux(s, t, e)).collect()
    }

    /// Whether two vectors are equal.
    pub fn eq(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        assert_eq!(a.len(), b.len(), "operands of different width");
        let same: Vec<Lit> = a.iter().zip(b).map(|(&x, &y)| self.xnor(x, y)).collect();
        self.all(&same)
    }

    /// Whether `a < b` unsigned: the highest differing bit decides.
    pub fn ult(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        assert_eq!(a.len(), b.len(), "operands of different width");
        let mut less = Lit::FALSE;
        for (&x, &y) in a.iter().zip(b) {
            let differ = self.xor(x, y);
            less = self.mux(differ, y, less);
        }
        less
    }

    /// Whether `a < b` in two's complement: unsigned with the sign bits exchanged.
    pub fn slt(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let (mut x, mut y) = (a.to_vec(), b.to_vec());
        if let (Some(p), Some(q)) = (x.last_mut(), y.last_mut()) {
            std::mem::swap(p, q);
        }
        self.ult(&x, &y)
    }

    /// Product modulo 2^width.
    pub fn mul(&mut self, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        assert_eq!(a.len(), b.len(), "operands of different width");
        let mut product = Multiplier::default();
        (0..a.len()).map(|c| product.column(self, &a[..=c], &b[..=c], None)).collect()
    }

    /// Unsigned quotient and remainder by restoring division. A zero divisor gives all ones and
    /// the dividend, because every trial subtraction of zero succeeds.
    pub fn udivrem(&mut self, a: &[Lit], b: &[Lit]) -> (Vec<Lit>, Vec<Lit>) {
        assert_eq!(a.len(), b.len(), "operands of different width");
        let w = a.len();
        let mut quotient = vec![Lit::FALSE; w];
        let mut rest = vec![Lit::FALSE; w];
        let mut divisor: Vec<Lit> = b.to_vec();
        divisor.push(Lit::FALSE);
        for i in (0..w).rev() {
            // One bit wider than the divisor, so that the shifted remainder cannot overflow.
            let mut trial = vec![a[i]];
            trial.extend_from_slice(&rest);
            let less = self.ult(&trial, &divisor);
            quotient[i] = !less;
            let inverted: Vec<Lit> = divisor.iter().map(|&l| !l).collect();
            let difference = self.add(&trial, &inverted, Lit::TRUE);
            rest = self.mux_all(less, &trial[..w], &difference[..w]);
        }
        (quotient, rest)
    }

    /// Signed quotient (towards zero) and remainder (sign of the dividend), by dividing
    /// magnitudes. A zero divisor gives 1 or all ones by the sign, and the dividend.
    pub fn sdivrem(&mut self, a: &[Lit], b: &[Lit]) -> (Vec<Lit>, Vec<Lit>) {
        let (Some(&sa), Some(&sb)) = (a.last(), b.last()) else { return (Vec::new(), Vec::new()) };
        let (ua, ub) = (self.negate_if(sa, a), self.negate_if(sb, b));
        let (q, r) = self.udivrem(&ua, &ub);
        let opposite = self.xor(sa, sb);
        (self.negate_if(opposite, &q), self.negate_if(sa, &r))
    }

    /// One line for each address below `size`: whether `addr` is that address.
    pub fn decoder(&mut self, addr: &[Lit], size: u64) -> Vec<Lit> {
        let used = addr.len().min((64 - size.saturating_sub(1).leading_zeros()) as usize);
        let beyond = self.any(&addr[used..]);
        let mut lines = vec![!beyond];
        for k in (0..used).rev() {
            // Lines of subtrees that start at or above the size are never used.
            let keep = size.div_ceil(1 << k) as usize;
            let bit = addr[k];
            let mut split = Vec::with_capacity(lines.len() * 2);
            for l in lines {
                split.push(self.and(l, !bit));
                if split.len() < keep {
                    split.push(self.and(l, bit));
                }
            }
            lines = split;
        }
        // An address too narrow to reach all words never reaches the rest.
        lines.truncate(size as usize);
        lines.resize(size as usize, Lit::FALSE);
        lines
    }
}

/// A multiplier made column by column, lowest first: each column sums its partial products and the
/// carries of the column before by full adders, and leaves its carries to the next one.
#[derive(Default)]
pub struct Multiplier {
    carries: VecDeque<Lit>,
}

impl Multiplier {
    /// The next product bit; `a` and `b` are the operand bits up to this column.
    ///
    /// `sign` is the position of the sign bit of `b` if `b` is a sign extension from there. The
    /// rows above it are then replaced by one negative row, because its weight is -2^sign:
    /// `-(x << sign) = (!x << sign) + (1 << sign)`.
    pub fn column(&mut self, g: &mut Builder, a: &[Lit], b: &[Lit], sign: Option<usize>) -> Lit {
        let c = a.len() - 1;
        let mut products = VecDeque::new();
        for (r, &row) in b.iter().enumerate().take(sign.map_or(c + 1, |s| s + 1)) {
            let p = g.and(a[c - r], row);
            products.push_back(p.xor(sign == Some(r)));
        }
        if sign == Some(c) {
            products.push_back(Lit::TRUE);
        }
        products.retain(|&p| p != Lit::FALSE);
        let mut carries = std::mem::take(&mut self.carries);
        let Some(mut sum) = products.pop_front().or_else(|| carries.pop_front()) else { return Lit::FALSE };
        loop {
            let next = products.pop_front().or_else(|| carries.pop_front());
            let Some(p) = next else { return sum };
            let q = carries.pop_front().or_else(|| products.pop_front()).unwrap_or(Lit::FALSE);
            let (s, carry) = g.full_adder(p, q, sum);
            sum = s;
            if carry != Lit::FALSE {
                self.carries.push_back(carry);
            }
        }
    }
}

/// Which way a [`Barrel`] shifts and what it shifts in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shift {
    /// To higher bits, zeros come in.
    Left,
    /// To lower bits, zeros come in.
    Right,
    /// To lower bits, copies of the sign come in.
    RightSigned,
}

/// A barrel shifter whose gates are made when an output bit is asked for.
///
/// Stages run from the largest shift to the smallest. One output bit then reads two bits of the
/// last stage, four of the one before and so on: selecting one of N bits costs about N gates.
pub struct Barrel {
    shift: Shift,
    width: u32,
    amount: Vec<Lit>,
    /// Whether the amount is at least the next power of two above the width.
    beyond: Lit,
    stages: FxHashMap<(u32, u32), Lit>,
}

impl Barrel {
    /// A shifter of `width` bits by an amount of any width.
    pub fn new(g: &mut Builder, shift: Shift, width: u32, amount: &[Lit]) -> Barrel {
        let used = amount.len().min((32 - width.saturating_sub(1).leading_zeros()) as usize);
        let beyond = g.any(&amount[used..]);
        Barrel { shift, width, amount: amount[..used].to_vec(), beyond, stages: FxHashMap::default() }
    }

    /// Output bit `i`; `source` gives the operand's bits. A left shift reads only bits up to `i`,
    /// a right shift only bits from `i` on.
    pub fn bit(&mut self, g: &mut Builder, i: u32, source: &dyn Fn(u32) -> Lit) -> Lit {
        let shifted = self.stage(g, 0, i, source);
        let fill = self.fill(source);
        g.mux(self.beyond, fill, shifted)
    }

    fn fill(&self, source: &dyn Fn(u32) -> Lit) -> Lit {
        if self.shift == Shift::RightSigned { source(self.width - 1) } else { Lit::FALSE }
    }

    /// Bit `i` after all shifts by amount bits `k` and above.
    fn stage(&mut self, g: &mut Builder, k: u32, i: u32, source: &dyn Fn(u32) -> Lit) -> Lit {
        let Some(&select) = self.amount.get(k as usize) else { return source(i) };
        if let Some(&l) = self.stages.get(&(k, i)) {
            return l;
        }
        let distance = 1u32 << k;
        let from = match self.shift {
            Shift::Left => i.checked_sub(distance),
            _ => i.checked_add(distance).filter(|&j| j < self.width),
        };
        let stay = if select == Lit::TRUE { Lit::FALSE } else { self.stage(g, k + 1, i, source) };
        let moved = match from {
            _ if select == Lit::FALSE => stay,
            Some(j) => self.stage(g, k + 1, j, source),
            None => self.fill(source),
        };
        let l = g.mux(select, moved, stay);
        self.stages.insert((k, i), l);
        l
    }
}
