//! Four-state constants of any width.
//!
//! A `Bits` is a value plane and an unknown plane. A bit whose unknown plane is set is `x`
//! (value plane 0) or `z` (value plane 1). Arithmetic on a value with any unknown bit is all
//! unknown; bitwise operators are exact bit by bit, as IEEE 1800 table 11-11 and its siblings say.
//! Bits above the width are always zero in both planes.

use num_bigint::{BigInt, BigUint, Sign};
use serde::{Deserialize, Serialize};
use smallvec::{SmallVec, smallvec};
use std::fmt;

type Words = SmallVec<[u64; 1]>;

/// A constant of `width` bits, each 0, 1, x or z.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "Planes")]
pub struct Bits {
    width: u32,
    val: Words,
    xz: Words,
}

/// Bits as a file may have them: nothing is known of the planes yet.
#[derive(Deserialize)]
struct Planes {
    width: u32,
    val: Words,
    xz: Words,
}

impl TryFrom<Planes> for Bits {
    type Error = &'static str;

    /// The planes must have as many words as the width needs, and no bits beyond it.
    fn try_from(p: Planes) -> Result<Bits, Self::Error> {
        let read = Bits { width: p.width, val: p.val, xz: p.xz };
        let n = words(read.width);
        if read.val.len() != n || read.xz.len() != n || read.clone().trimmed() != read {
            return Err("a constant with other bits than its width says");
        }
        Ok(read)
    }
}

fn words(width: u32) -> usize {
    (width as usize).div_ceil(64).max(1)
}

/// `width` bits of `from` starting at bit `lo` (bits beyond `from` are zero).
fn extract(from: &[u64], lo: u32, width: u32) -> Words {
    let (skip, shift) = ((lo / 64) as usize, lo % 64);
    let word = |i: usize| from.get(i).copied().unwrap_or(0);
    (0..words(width))
        .map(|i| {
            let low = word(skip + i) >> shift;
            if shift == 0 { low } else { low | word(skip + i + 1) << (64 - shift) }
        })
        .collect()
}

/// Ors `bits` into `to` from bit `lo` up.
fn insert(to: &mut [u64], lo: u32, bits: &[u64]) {
    let (skip, shift) = ((lo / 64) as usize, lo % 64);
    for (i, b) in bits.iter().enumerate() {
        if let Some(w) = to.get_mut(skip + i) {
            *w |= b << shift;
        }
        if shift != 0
            && let Some(w) = to.get_mut(skip + i + 1)
        {
            *w |= b >> (64 - shift);
        }
    }
}

impl Bits {
    /// All zero.
    pub fn zero(width: u32) -> Bits {
        let n = words(width);
        Bits { width, val: smallvec![0; n], xz: smallvec![0; n] }
    }
    /// All one.
    pub fn ones(width: u32) -> Bits {
        let n = words(width);
        Bits { width, val: smallvec![!0; n], xz: smallvec![0; n] }.trimmed()
    }
    /// All `x`.
    pub fn x(width: u32) -> Bits {
        let n = words(width);
        Bits { width, val: smallvec![0; n], xz: smallvec![!0; n] }.trimmed()
    }
    /// All `z`.
    pub fn z(width: u32) -> Bits {
        let n = words(width);
        Bits { width, val: smallvec![!0; n], xz: smallvec![!0; n] }.trimmed()
    }
    /// The low `width` bits of `v`.
    pub fn from_u64(v: u64, width: u32) -> Bits {
        let mut b = Bits::zero(width);
        b.val[0] = v;
        b.trimmed()
    }
    /// The two's-complement low `width` bits of `v`.
    pub fn from_i64(v: i64, width: u32) -> Bits {
        let mut b = if v < 0 { Bits::ones(width) } else { Bits::zero(width) };
        b.val[0] = v as u64;
        b.trimmed()
    }
    /// One bit.
    pub fn from_bool(v: bool) -> Bits {
        Bits::from_u64(v as u64, 1)
    }
    /// From bits, least significant first.
    pub fn from_bits(bits: impl IntoIterator<Item = bool>) -> Bits {
        let mut val: Words = SmallVec::new();
        let mut width = 0u32;
        for b in bits {
            if width.is_multiple_of(64) {
                val.push(0);
            }
            if b {
                val[(width / 64) as usize] |= 1 << (width % 64);
            }
            width += 1;
        }
        if val.is_empty() {
            val.push(0);
        }
        let xz = smallvec![0; val.len()];
        Bits { width, val, xz }
    }
    fn from_big(v: &BigUint, width: u32) -> Bits {
        let mut b = Bits::zero(width);
        for (i, d) in v.iter_u64_digits().enumerate().take(b.val.len()) {
            b.val[i] = d;
        }
        b.trimmed()
    }
    fn from_bigint(v: &BigInt, width: u32) -> Bits {
        let m = Bits::from_big(v.magnitude(), width);
        if v.sign() == Sign::Minus { m.neg() } else { m }
    }
    fn trimmed(mut self) -> Bits {
        let n = words(self.width);
        self.val.truncate(n);
        self.xz.truncate(n);
        let used = self.width % 64;
        if used != 0 || self.width == 0 {
            let mask = if self.width == 0 { 0 } else { (1u64 << used) - 1 };
            self.val[n - 1] &= mask;
            self.xz[n - 1] &= mask;
        }
        self
    }
    /// Number of bits.
    pub fn width(&self) -> u32 {
        self.width
    }
    /// The value bit `i` (false beyond the width; meaningless where unknown).
    pub fn bit(&self, i: u32) -> bool {
        i < self.width && self.val[(i / 64) as usize] >> (i % 64) & 1 == 1
    }
    /// Whether bit `i` is `x` or `z`.
    pub fn is_unknown(&self, i: u32) -> bool {
        i < self.width && self.xz[(i / 64) as usize] >> (i % 64) & 1 == 1
    }
    /// Whether bit `i` is `z`.
    pub fn is_z(&self, i: u32) -> bool {
        self.is_unknown(i) && self.bit(i)
    }
    /// Sets bit `i` to a known value.
    pub fn set(&mut self, i: u32, v: bool) {
        let (w, m) = ((i / 64) as usize, 1u64 << (i % 64));
        self.xz[w] &= !m;
        if v { self.val[w] |= m } else { self.val[w] &= !m }
    }
    /// Sets bit `i` to `x` (or `z`).
    pub fn set_unknown(&mut self, i: u32, z: bool) {
        self.set(i, z);
        self.xz[(i / 64) as usize] |= 1u64 << (i % 64);
    }
    /// Whether any bit is unknown.
    pub fn has_unknown(&self) -> bool {
        self.xz.iter().any(|w| *w != 0)
    }
    /// Whether every bit is a known 0.
    pub fn is_zero(&self) -> bool {
        !self.has_unknown() && self.val.iter().all(|w| *w == 0)
    }
    /// Whether every bit is a known 1.
    pub fn is_ones(&self) -> bool {
        !self.has_unknown() && *self == Bits::ones(self.width)
    }
    /// Whether some bit is a known 1 (the truth of a condition).
    pub fn is_true(&self) -> bool {
        self.val.iter().zip(&self.xz).any(|(v, x)| v & !x != 0)
    }
    /// The value, if known and it fits.
    pub fn to_u64(&self) -> Option<u64> {
        (!self.has_unknown() && self.val[1..].iter().all(|w| *w == 0)).then(|| self.val[0])
    }
    /// The value read as two's complement, if known and it fits.
    pub fn to_i64(&self) -> Option<i64> {
        if self.has_unknown() || self.width == 0 {
            return (self.width == 0).then_some(0);
        }
        if !self.bit(self.width - 1) {
            return self.to_u64().and_then(|v| i64::try_from(v).ok());
        }
        let wide = self.sext(self.width.max(64));
        let fits = wide.val[1..].iter().enumerate().all(|(i, w)| {
            let used = self.width.max(64) - 64 * (i as u32 + 1);
            *w == if used >= 64 { !0 } else { (1 << used) - 1 }
        });
        (fits && wide.val[0] >> 63 == 1).then_some(wide.val[0] as i64)
    }
    fn big(&self) -> BigUint {
        let mut d = Vec::with_capacity(self.val.len() * 2);
        for w in &self.val {
            d.push(*w as u32);
            d.push((*w >> 32) as u32);
        }
        BigUint::new(d)
    }
    fn bigint(&self) -> BigInt {
        if self.sign() { BigInt::from_biguint(Sign::Minus, self.neg().big()) } else { self.big().into() }
    }
    fn sign(&self) -> bool {
        self.width > 0 && self.bit(self.width - 1)
    }
    /// Bits `lo .. lo+width`; bits beyond the source are `x`.
    pub fn slice(&self, lo: u32, width: u32) -> Bits {
        if lo >= self.width {
            return Bits::x(width);
        }
        let inside = width.min(self.width - lo);
        let mut r = Bits { width: inside, val: extract(&self.val, lo, inside), xz: extract(&self.xz, lo, inside) };
        r = r.trimmed();
        if inside < width { Bits::x(width - inside).concat(&r) } else { r }
    }
    /// All parts in a row, the first one on top.
    pub fn join(parts: Vec<&Bits>) -> Bits {
        let mut at = parts.iter().map(|p| p.width).sum();
        let mut out = Bits::zero(at);
        for p in parts {
            at -= p.width;
            out.put(at, p);
        }
        out
    }
    /// Replaces the bits from `lo` up by `part`, which lies within.
    pub fn put(&mut self, lo: u32, part: &Bits) {
        assert!(lo + part.width <= self.width, "bits beyond their vector");
        for (to, from) in [(&mut self.val, &part.val), (&mut self.xz, &part.xz)] {
            let mut at = 0;
            while at < part.width {
                let (word, shift) = (((lo + at) / 64) as usize, (lo + at) % 64);
                let n = (64 - shift).min(part.width - at);
                let mask = if n == 64 { u64::MAX } else { (1 << n) - 1 };
                let bits = extract(from, at, n)[0] & mask;
                to[word] = to[word] & !(mask << shift) | bits << shift;
                at += n;
            }
        }
    }
    /// `{self, low}`.
    pub fn concat(&self, low: &Bits) -> Bits {
        let mut r = low.zext(self.width + low.width);
        insert(&mut r.val, low.width, &self.val);
        insert(&mut r.xz, low.width, &self.xz);
        r.trimmed()
    }
    /// Truncates or extends with zero.
    pub fn zext(&self, width: u32) -> Bits {
        let mut r = self.clone();
        r.width = width;
        r.val.resize(words(width), 0);
        r.xz.resize(words(width), 0);
        r.trimmed()
    }
    /// Truncates or extends with the top bit (an unknown top bit extends as itself).
    pub fn sext(&self, width: u32) -> Bits {
        let mut r = self.zext(width);
        if self.width == 0 {
            return r;
        }
        if self.sign() || self.is_unknown(self.width - 1) {
            let top = match (self.is_unknown(self.width - 1), self.sign()) {
                (false, _) => Bits::ones(width.saturating_sub(self.width)),
                (true, false) => Bits::x(width.saturating_sub(self.width)),
                (true, true) => Bits::z(width.saturating_sub(self.width)),
            };
            if width > self.width {
                r = top.concat(self);
            }
        }
        r
    }
    /// Truncates or extends by signedness.
    pub fn resize(&self, width: u32, signed: bool) -> Bits {
        if signed { self.sext(width) } else { self.zext(width) }
    }
    fn zip(&self, o: &Bits, f: impl Fn(u64, u64, u64, u64) -> (u64, u64)) -> Bits {
        let mut r = self.clone();
        for i in 0..r.val.len() {
            (r.val[i], r.xz[i]) = f(self.val[i], self.xz[i], o.val[i], o.xz[i]);
        }
        r.trimmed()
    }
    /// Bitwise complement.
    pub fn not(&self) -> Bits {
        self.zip(self, |v, x, _, _| (!v & !x, x))
    }
    /// Bitwise and.
    pub fn and(&self, o: &Bits) -> Bits {
        self.zip(o, |a, ax, b, bx| {
            let zero = (!a & !ax) | (!b & !bx);
            let x = (ax | bx) & !zero;
            (a & b & !x & !zero, x)
        })
    }
    /// Bitwise or.
    pub fn or(&self, o: &Bits) -> Bits {
        self.zip(o, |a, ax, b, bx| {
            let one = (a & !ax) | (b & !bx);
            let x = (ax | bx) & !one;
            (one, x)
        })
    }
    /// Bitwise exclusive or.
    pub fn xor(&self, o: &Bits) -> Bits {
        self.zip(o, |a, ax, b, bx| ((a ^ b) & !(ax | bx), ax | bx))
    }
    fn arith(&self, o: &Bits, width: u32, f: impl FnOnce() -> Bits) -> Bits {
        if self.has_unknown() || o.has_unknown() { Bits::x(width) } else { f() }
    }
    /// Two's-complement negation.
    pub fn neg(&self) -> Bits {
        self.not().add(&Bits::from_u64(1, self.width))
    }
    /// Sum modulo 2^width.
    pub fn add(&self, o: &Bits) -> Bits {
        self.arith(o, self.width, || {
            let mut r = Bits::zero(self.width);
            let mut carry = false;
            for i in 0..r.val.len() {
                let (s, c1) = self.val[i].overflowing_add(o.val[i]);
                let (s, c2) = s.overflowing_add(carry as u64);
                carry = c1 | c2;
                r.val[i] = s;
            }
            r.trimmed()
        })
    }
    /// Difference modulo 2^width.
    pub fn sub(&self, o: &Bits) -> Bits {
        self.add(&o.neg())
    }
    /// Product modulo 2^width.
    pub fn mul(&self, o: &Bits) -> Bits {
        self.arith(o, self.width, || {
            if self.width <= 64 {
                Bits::from_u64(self.val[0].wrapping_mul(o.val[0]), self.width)
            } else {
                Bits::from_big(&(self.big() * o.big()), self.width)
            }
        })
    }
    /// Unsigned quotient; all ones when the divisor is zero (as in SMT-LIB).
    pub fn udiv(&self, o: &Bits) -> Bits {
        self.arith(o, self.width, || {
            if o.is_zero() { Bits::ones(self.width) } else { Bits::from_big(&(self.big() / o.big()), self.width) }
        })
    }
    /// Unsigned remainder; the dividend when the divisor is zero.
    pub fn urem(&self, o: &Bits) -> Bits {
        self.arith(o, self.width, || {
            if o.is_zero() { self.clone() } else { Bits::from_big(&(self.big() % o.big()), self.width) }
        })
    }
    /// Signed quotient, truncated toward zero; by zero: 1 if negative, else all ones (SMT-LIB).
    pub fn sdiv(&self, o: &Bits) -> Bits {
        self.arith(o, self.width, || {
            if o.is_zero() {
                return if self.sign() { Bits::from_u64(1, self.width) } else { Bits::ones(self.width) };
            }
            Bits::from_bigint(&(self.bigint() / o.bigint()), self.width)
        })
    }
    /// Signed remainder with the dividend's sign; the dividend when the divisor is zero.
    pub fn srem(&self, o: &Bits) -> Bits {
        self.arith(o, self.width, || {
            if o.is_zero() { self.clone() } else { Bits::from_bigint(&(self.bigint() % o.bigint()), self.width) }
        })
    }
    fn shifted(&self, o: &Bits, f: impl Fn(u32) -> Bits) -> Bits {
        self.arith(o, self.width, || f(o.to_u64().map_or(self.width, |n| n.min(self.width as u64) as u32)))
    }
    /// Left shift by an unsigned amount.
    pub fn shl(&self, o: &Bits) -> Bits {
        self.shifted(o, |n| self.slice(0, self.width - n).concat(&Bits::zero(n)))
    }
    /// Logical right shift.
    pub fn lshr(&self, o: &Bits) -> Bits {
        self.shifted(o, |n| self.slice(n, self.width - n).zext(self.width))
    }
    /// Arithmetic right shift.
    pub fn ashr(&self, o: &Bits) -> Bits {
        self.shifted(o, |n| {
            let n = n.min(self.width.saturating_sub(1));
            self.slice(n, self.width - n).sext(self.width)
        })
    }
    /// Logical equality: unknown if a difference cannot be decided.
    pub fn eq(&self, o: &Bits) -> Bits {
        let mut unknown = false;
        for i in 0..self.val.len() {
            let x = self.xz[i] | o.xz[i];
            if (self.val[i] ^ o.val[i]) & !x != 0 {
                return Bits::from_bool(false);
            }
            unknown |= x != 0;
        }
        if unknown { Bits::x(1) } else { Bits::from_bool(true) }
    }
    /// Unsigned less-than.
    pub fn ult(&self, o: &Bits) -> Bits {
        self.arith(o, 1, || Bits::from_bool(self.val.iter().rev().lt(o.val.iter().rev())))
    }
    /// Signed less-than.
    pub fn slt(&self, o: &Bits) -> Bits {
        self.arith(o, 1, || match (self.sign(), o.sign()) {
            (true, false) => Bits::from_bool(true),
            (false, true) => Bits::from_bool(false),
            _ => self.ult(o),
        })
    }
    /// Number of known ones.
    pub fn count_ones(&self) -> u32 {
        self.val.iter().zip(&self.xz).map(|(v, x)| (v & !x).count_ones()).sum()
    }
    /// And of all bits.
    pub fn red_and(&self) -> Bits {
        let any_zero = (0..self.width).any(|i| !self.is_unknown(i) && !self.bit(i));
        if any_zero {
            Bits::from_bool(false)
        } else if self.has_unknown() {
            Bits::x(1)
        } else {
            Bits::from_bool(true)
        }
    }
    /// Or of all bits.
    pub fn red_or(&self) -> Bits {
        if self.is_true() {
            Bits::from_bool(true)
        } else if self.has_unknown() {
            Bits::x(1)
        } else {
            Bits::from_bool(false)
        }
    }
    /// Exclusive or of all bits.
    pub fn red_xor(&self) -> Bits {
        if self.has_unknown() { Bits::x(1) } else { Bits::from_bool(self.count_ones() % 2 == 1) }
    }
    /// `self ** exp` modulo 2^width, both unsigned or (if `signed`) both two's complement.
    pub fn pow(&self, exp: &Bits, signed: bool) -> Bits {
        self.arith(exp, self.width, || {
            if signed && exp.sign() {
                // IEEE 1800 table 11-4: a negative exponent gives 0 but for bases 1, -1 (and x for 0).
                return if self.is_zero() {
                    Bits::x(self.width)
                } else if *self == Bits::from_u64(1, self.width) {
                    self.clone()
                } else if self.is_ones() {
                    if exp.bit(0) { self.clone() } else { Bits::from_u64(1, self.width) }
                } else {
                    Bits::zero(self.width)
                };
            }
            let mut result = Bits::from_u64(1, self.width);
            let mut base = self.clone();
            for i in 0..exp.width {
                if exp.bit(i) {
                    result = result.mul(&base);
                }
                base = base.mul(&base);
            }
            result
        })
    }
    /// The value in decimal, read as signed or unsigned; unknown values print as `x`.
    pub fn to_decimal(&self, signed: bool) -> String {
        if self.has_unknown() {
            "x".into()
        } else if signed {
            self.bigint().to_string()
        } else {
            self.big().to_string()
        }
    }
    /// The bits as text, most significant first, of `0 1 x z`.
    pub fn to_binary(&self) -> String {
        (0..self.width)
            .rev()
            .map(|i| match (self.is_unknown(i), self.bit(i)) {
                (false, false) => '0',
                (false, true) => '1',
                (true, false) => 'x',
                (true, true) => 'z',
            })
            .collect()
    }
}

/// Verilog-style: `8'h3f`, or binary when a bit is unknown.
impl fmt::Display for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.has_unknown() {
            write!(f, "{}'b{}", self.width, self.to_binary())
        } else {
            write!(f, "{}'h{:x}", self.width, self.big())
        }
    }
}
impl fmt::Debug for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_agrees_with_the_host_on_random_words() {
        let mut rng = fastrand::Rng::with_seed(1);
        for _ in 0..2000 {
            let w = rng.u32(1..=64);
            let mask = if w == 64 { !0 } else { (1u64 << w) - 1 };
            let (a, b) = (rng.u64(..) & mask, rng.u64(..) & mask >> rng.u32(0..w));
            let (x, y) = (Bits::from_u64(a, w), Bits::from_u64(b, w));
            let sx = |v: u64| ((v << (64 - w)) as i64) >> (64 - w);
            assert_eq!(x.add(&y).to_u64(), Some(a.wrapping_add(b) & mask));
            assert_eq!(x.sub(&y).to_u64(), Some(a.wrapping_sub(b) & mask));
            assert_eq!(x.mul(&y).to_u64(), Some(a.wrapping_mul(b) & mask));
            assert_eq!(x.ult(&y).is_true(), a < b);
            assert_eq!(x.slt(&y).is_true(), sx(a) < sx(b));
            assert_eq!(x.to_i64(), Some(sx(a)));
            if b != 0 {
                assert_eq!(x.udiv(&y).to_u64(), a.checked_div(b));
                assert_eq!(x.urem(&y).to_u64(), a.checked_rem(b));
                assert_eq!(x.sdiv(&y).to_u64(), Some(sx(a).wrapping_div(sx(b)) as u64 & mask));
                assert_eq!(x.srem(&y).to_u64(), Some(sx(a).wrapping_rem(sx(b)) as u64 & mask));
            }
            let s = rng.u64(0..70);
            let sh = Bits::from_u64(s, 8);
            assert_eq!(x.shl(&sh).to_u64(), Some(if s >= 64 { 0 } else { a << s & mask }));
            assert_eq!(x.lshr(&sh).to_u64(), Some(if s >= 64 { 0 } else { a >> s }));
            assert_eq!(x.ashr(&sh).to_u64(), Some((sx(a) >> s.min(63)) as u64 & mask));
        }
    }

    #[test]
    fn unknown_bits_follow_the_standard_tables() {
        let x = Bits::x(1);
        let (zero, one) = (Bits::from_bool(false), Bits::from_bool(true));
        assert_eq!(x.and(&zero), zero);
        assert_eq!(x.and(&one), x);
        assert_eq!(x.or(&one), one);
        assert_eq!(x.or(&zero), x);
        assert_eq!(x.xor(&one), x);
        assert_eq!(Bits::x(4).add(&Bits::zero(4)), Bits::x(4));
    }

    #[test]
    fn wide_values_print_and_slice() {
        let b = Bits::from_u64(0xdead, 16).concat(&Bits::zero(64));
        assert_eq!(b.to_string(), "80'hdead0000000000000000");
        assert_eq!(b.slice(60, 8), Bits::from_u64(0xd0, 8));
        assert_eq!(Bits::from_i64(-3, 100).to_decimal(true), "-3");
    }
}
