//! Words as polynomials: what is known of a node's value, and how wiring and arithmetic change it.
//!
//! Invariant of a [`Value`]: at every point of the inputs `poly` is congruent to the node's value modulo
//! 2^width and lies in [lo, hi]; if `bits` are there, bit i of the value is exactly `bits[i]`, which is 0 or 1
//! at every point. Truncation is then free, but what looks at the upper end of a word (extension, an upper
//! slice, all but the first part of a concatenation) must know the word's value as an integer: see
//! [`Maker::exact`], the only place where a congruence becomes an equality.

use super::poly::{Budget, Exhausted, Poly, Reading};
use num_bigint::BigInt;
use std::rc::Rc;

/// Cases are distinguished over so many variables to bound a polynomial.
const CASES: u32 = 4;

/// What is known of a word.
#[derive(Clone)]
pub(super) struct Value {
    /// Number of bits.
    pub width: u32,
    /// Congruent modulo 2^width.
    pub poly: Rc<Poly>,
    /// Least value `poly` may take.
    pub lo: BigInt,
    /// Greatest value `poly` may take.
    pub hi: BigInt,
    /// The bits, least significant first.
    pub bits: Option<Rc<[Rc<Poly>]>>,
}

/// A polynomial that is the reading of a word, and its least and greatest value.
pub(super) type Exact = (Rc<Poly>, BigInt, BigInt);

/// Why a value cannot be made.
#[derive(Debug)]
pub(super) enum Trouble {
    /// It is not known to be a polynomial.
    Not(&'static str),
    /// It is too large.
    Large,
}

impl From<Exhausted> for Trouble {
    fn from(_: Exhausted) -> Trouble {
        Trouble::Large
    }
}

/// Makes values from values.
pub(super) struct Maker {
    /// Terms that may still be made.
    pub budget: Budget,
    /// A word of at most so many variables may be taken apart into bits by its table of values.
    pub table: usize,
}

fn power(k: u32) -> BigInt {
    BigInt::from(1) << k
}

/// If a polynomial in [lo, hi] stays between two neighbouring multiples of 2^w (counted from the least value of
/// the reading), subtracting the lower one makes it the reading itself: congruent, and in range. The multiple.
fn wrap(lo: &BigInt, hi: &BigInt, w: u32, reading: Reading) -> Option<BigInt> {
    let least = reading.least(w);
    let (k, l) = ((lo - &least) >> w, (hi - &least) >> w);
    (k == l).then(|| k << w)
}

/// The polynomial moved by a multiple of 2^w into the range of the reading, if its bounds allow that.
fn moved(poly: &Rc<Poly>, lo: &BigInt, hi: &BigInt, w: u32, reading: Reading) -> Option<Exact> {
    let k = wrap(lo, hi, w, reading)?;
    let poly = if k == BigInt::ZERO { poly.clone() } else { Rc::new(poly.plus(-&k)) };
    Some((poly, lo - &k, hi - &k))
}

impl Maker {
    /// A value from a polynomial congruent to it that lies in [lo, hi].
    pub fn settle(&self, width: u32, poly: Poly, lo: BigInt, hi: BigInt) -> Value {
        let (below, above) = poly.bounds();
        let (lo, hi) = (lo.max(below), hi.min(above));
        let wraps = |reading| wrap(&lo, &hi, width, reading);
        let (unsigned, signed) = (wraps(Reading::Unsigned), wraps(Reading::Signed));
        if [&unsigned, &signed].contains(&&Some(BigInt::ZERO)) {
            return Value { width, poly: Rc::new(poly), lo, hi, bits: None };
        }
        if let Some(k) = unsigned.or(signed) {
            return Value { width, poly: Rc::new(poly.plus(-&k)), lo: lo - &k, hi: hi - k, bits: None };
        }
        // Neither reading: only the residues count, and small ones stay small.
        let poly = poly.reduced(width, Reading::Signed);
        let (lo, hi) = poly.bounds();
        Value { width, poly: Rc::new(poly), lo, hi, bits: None }
    }
    /// The value with these bits, least significant first.
    pub fn of_bits(&self, bits: Vec<Rc<Poly>>) -> Result<Value, Trouble> {
        let width = bits.len() as u32;
        let poly = self.weighted(&bits, Reading::Unsigned)?;
        let mut v = self.settle(width, poly, BigInt::ZERO, power(width) - 1);
        v.bits = Some(bits.into());
        Ok(v)
    }
    fn weighted(&self, bits: &[Rc<Poly>], reading: Reading) -> Result<Poly, Exhausted> {
        let top = bits.len().saturating_sub(1);
        let weight = |i: usize| if i == top && reading == Reading::Signed { -power(i as u32) } else { power(i as u32) };
        let parts: Vec<(BigInt, &Poly)> = bits.iter().enumerate().map(|(i, b)| (weight(i), b.as_ref())).collect();
        Poly::sum(&parts, &self.budget)
    }
    /// A constant.
    pub fn constant(&self, width: u32, bit: impl Fn(u32) -> bool) -> Result<Value, Trouble> {
        let mut v =
            self.of_bits((0..width).map(|i| Rc::new(Poly::constant(BigInt::from(u8::from(bit(i)))))).collect())?;
        // Negative constants are written as such, so that their multiples have small bounds.
        if let Some(c) = v.poly.as_constant() {
            let c = Reading::Signed.residue(&c, width);
            (v.poly, v.lo, v.hi) = (Rc::new(Poly::constant(c.clone())), c.clone(), c);
        }
        Ok(v)
    }
    /// A polynomial equal to the reading of the value, not only congruent, with bounds.
    pub fn exact(&self, v: &Value, reading: Reading) -> Result<Exact, Trouble> {
        if let Some(e) = moved(&v.poly, &v.lo, &v.hi, v.width, reading) {
            return Ok(e);
        }
        // Other polynomials of the same residues may have bounds that are in range.
        for form in [Reading::Signed, Reading::Unsigned] {
            let poly = Rc::new(v.poly.reduced(v.width, form));
            let (lo, hi) = poly.bounds();
            if let Some(e) = moved(&poly, &lo, &hi, v.width, reading) {
                return Ok(e);
            }
        }
        if v.bits.is_none() {
            let poly = Rc::new(v.poly.reduced(v.width, Reading::Signed));
            let (lo, hi) = poly.bounds_by_cases(CASES, &self.budget)?;
            if let Some(e) = moved(&poly, &lo, &hi, v.width, reading) {
                return Ok(e);
            }
        }
        let Ok(bits) = self.bits(v) else { return Err(Trouble::Not("the word it is applied to may wrap around")) };
        let poly = self.weighted(&bits, reading)?;
        let (below, above) = poly.bounds();
        let least = reading.least(v.width);
        Ok((Rc::new(poly), below.max(least.clone()), above.min(least + power(v.width) - 1)))
    }
    /// The bits of a value, least significant first.
    pub fn bits(&self, v: &Value) -> Result<Rc<[Rc<Poly>]>, Trouble> {
        if let Some(bits) = &v.bits {
            return Ok(bits.clone());
        }
        if let (1, Some(k)) = (v.width, wrap(&v.lo, &v.hi, v.width, Reading::Unsigned)) {
            return Ok([Rc::new(v.poly.plus(-k))].into());
        }
        let Some(vars) = v.poly.support(self.table) else {
            return Err(Trouble::Not("single bits of an arithmetic result are needed"));
        };
        // Any function of few variables is tabulated and has its polynomial by inversion.
        let table = v.poly.table(&vars);
        let bit = |i: u32| table.iter().map(|t| i64::from(t.bit(i as u64))).collect();
        Ok((0..v.width).map(|i| Rc::new(Poly::from_table(&vars, bit(i)))).collect())
    }
    /// A value from a polynomial that lies between some of these ends.
    fn checked(&self, width: u32, poly: Poly, ends: &[BigInt]) -> Result<Value, Trouble> {
        match (ends.iter().min(), ends.iter().max()) {
            (Some(lo), Some(hi)) => Ok(self.settle(width, poly, lo.clone(), hi.clone())),
            _ => Err(Trouble::Not("a value has no bounds")),
        }
    }
    /// The sum (`k` = 1) or difference (`k` = -1).
    pub fn add(&self, a: &Value, k: i32, b: &Value) -> Result<Value, Trouble> {
        let poly = Poly::sum(&[(BigInt::from(1), a.poly.as_ref()), (BigInt::from(k), b.poly.as_ref())], &self.budget)?;
        // Every combination of ends, so that the sign of `k` needs no thought.
        let ends = [&a.lo + k * &b.lo, &a.lo + k * &b.hi, &a.hi + k * &b.lo, &a.hi + k * &b.hi];
        self.checked(a.width, poly, &ends)
    }
    /// The product.
    pub fn mul(&self, a: &Value, b: &Value) -> Result<Value, Trouble> {
        let poly = a.poly.mul(&b.poly, &self.budget)?;
        self.checked(a.width, poly, &[&a.lo * &b.lo, &a.lo * &b.hi, &a.hi * &b.lo, &a.hi * &b.hi])
    }
    /// The complement: -1 - a.
    pub fn not(&self, a: &Value) -> Result<Value, Trouble> {
        if let Some(bits) = &a.bits {
            let bits: Result<Vec<_>, Exhausted> = bits.iter().map(|b| self.complement(b).map(Rc::new)).collect();
            return self.of_bits(bits?);
        }
        let poly = Poly::sum(&[(BigInt::from(-1), a.poly.as_ref())], &self.budget)?.plus(BigInt::from(-1));
        self.checked(a.width, poly, &[-1 - &a.lo, -1 - &a.hi])
    }
    /// 1 - p.
    pub fn complement(&self, p: &Poly) -> Result<Poly, Exhausted> {
        Poly::sum(&[(BigInt::from(1), &Poly::constant(BigInt::from(1))), (BigInt::from(-1), p)], &self.budget)
    }
    /// `e + c*(t - e)`.
    pub fn choose(&self, c: &Poly, t: &Poly, e: &Poly) -> Result<Poly, Exhausted> {
        let one = BigInt::from(1);
        let difference = Poly::sum(&[(one.clone(), t), (BigInt::from(-1), e)], &self.budget)?;
        Poly::sum(&[(one.clone(), e), (one, &difference.mul(c, &self.budget)?)], &self.budget)
    }
    /// `c ? t : e`.
    pub fn mux(&self, c: &Poly, t: &Value, e: &Value) -> Result<Value, Trouble> {
        if let (Some(x), Some(y)) = (&t.bits, &e.bits) {
            let bits: Result<Vec<_>, Exhausted> =
                x.iter().zip(y.iter()).map(|(x, y)| self.choose(c, x, y).map(Rc::new)).collect();
            return self.of_bits(bits?);
        }
        let (width, plain) = (t.width, |v: &Value| (v.poly.clone(), v.lo.clone(), v.hi.clone()));
        // Both sides by the same reading keep their common bounds.
        let same = |r| moved(&t.poly, &t.lo, &t.hi, width, r).zip(moved(&e.poly, &e.lo, &e.hi, width, r));
        let (t, e) = same(Reading::Signed).or_else(|| same(Reading::Unsigned)).unwrap_or((plain(t), plain(e)));
        Ok(self.settle(width, self.choose(c, &t.0, &e.0)?, t.1.min(e.1), t.2.max(e.2)))
    }
    /// Bits `lo .. lo+width`.
    pub fn slice(&self, v: &Value, lo: u32, width: u32) -> Result<Value, Trouble> {
        if lo == 0 && width == v.width {
            return Ok(v.clone());
        }
        if let Some(bits) = &v.bits {
            return self.of_bits(bits[lo as usize..(lo + width) as usize].to_vec());
        }
        if lo == 0 {
            return Ok(self.settle(width, v.poly.as_ref().clone(), v.lo.clone(), v.hi.clone()));
        }
        // With P = 2^lo Q + R and 0 <= R < 2^lo everywhere, P/2^lo rounded down is Q. The word is P less a
        // multiple of 2^v.width, so its upper bits are Q modulo 2^(v.width-lo).
        let (q, r) = v.poly.split(lo);
        let (below, above) = r.bounds();
        if below >= BigInt::ZERO && above < power(lo) {
            return Ok(self.settle(width, q, &v.lo >> lo, &v.hi >> lo));
        }
        let bits = self.bits(v)?;
        self.of_bits(bits[lo as usize..(lo + width) as usize].to_vec())
    }
    /// Concatenation, most significant part first.
    pub fn concat(&self, parts: &[Value]) -> Result<Value, Trouble> {
        if let Some(bits) = parts.iter().rev().map(|p| p.bits.clone()).collect::<Option<Vec<_>>>() {
            return self.of_bits(bits.iter().flat_map(|b| b.iter().cloned()).collect());
        }
        let Some((top, low)) = parts.split_first() else { return self.of_bits(Vec::new()) };
        // What is beyond the top part is cut off, so its residue is enough; the others must not carry.
        let (mut at, mut terms) = (0u32, Vec::new());
        let (mut lo, mut hi) = (BigInt::ZERO, BigInt::ZERO);
        for part in low.iter().rev() {
            let (poly, l, h) = self.exact(part, Reading::Unsigned)?;
            lo += l << at;
            hi += h << at;
            terms.push((power(at), poly));
            at += part.width;
        }
        lo += &top.lo << at;
        hi += &top.hi << at;
        terms.push((power(at), top.poly.clone()));
        let terms: Vec<(BigInt, &Poly)> = terms.iter().map(|(k, p)| (k.clone(), p.as_ref())).collect();
        Ok(self.settle(at + top.width, Poly::sum(&terms, &self.budget)?, lo, hi))
    }
    /// Extension to `width` bits by zeros or by the sign.
    pub fn extend(&self, v: &Value, width: u32, reading: Reading) -> Result<Value, Trouble> {
        let (poly, lo, hi) = self.exact(v, reading)?;
        let mut r = self.settle(width, poly.as_ref().clone(), lo, hi);
        if let Some(bits) = &v.bits {
            let fill = match (reading, bits.last()) {
                (Reading::Signed, Some(top)) => top.clone(),
                _ => Rc::new(Poly::default()),
            };
            r.bits = Some((0..width as usize).map(|i| bits.get(i).unwrap_or(&fill).clone()).collect());
        }
        Ok(r)
    }
    /// An operator bit by bit: `f` of the two bits' polynomials.
    pub fn bitwise(
        &self,
        a: &Value,
        b: &Value,
        f: impl Fn(&Poly, &Poly) -> Result<Poly, Exhausted>,
    ) -> Result<Value, Trouble> {
        let (x, y) = (self.bits(a)?, self.bits(b)?);
        let bits: Result<Vec<_>, Exhausted> = x.iter().zip(y.iter()).map(|(x, y)| f(x, y).map(Rc::new)).collect();
        self.of_bits(bits?)
    }
    /// Whether no bit can be 1 in both: one is a multiple of 2^k, the other less than 2^k.
    pub fn disjoint(&self, a: &Value, b: &Value) -> bool {
        let apart = |a: &Value, b: &Value| {
            let k = a.poly.twos().map_or(a.width, |k| k.min(a.width as u64) as u32);
            self.exact(b, Reading::Unsigned).is_ok_and(|(_, lo, hi)| lo >= BigInt::ZERO && hi < power(k))
        };
        apart(a, b) || apart(b, a)
    }
}
