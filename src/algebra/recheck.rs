//! The same identities a second time, without polynomials: by evaluation at enough points.
//!
//! Every function from points (which input bits are 1) to integers is exactly one multilinear polynomial, and
//! the coefficient of a set S of bits is a signed sum of the values at the points T that are subsets of S. So
//! if the monomials of a function lie in a family of sets that has all subsets of its members, and the
//! function is 0 modulo 2^w at the points of the family, its coefficients are 0 modulo 2^w, and it is 0
//! modulo 2^w everywhere.
//!
//! Here only the families are computed, each given by its largest sets, never a coefficient. What is claimed
//! of a node ([`Facts`]): `family` holds the monomials of some integer polynomial congruent to its value modulo
//! 2^width; if `u` is there, its unsigned value itself has its monomials in `family` and lies in the range `u`;
//! likewise `s` and its signed value; if `bits` are there, each bit as a number 0 or 1 has its monomials in its
//! own family. Sums have the monomials of their terms, products the unions of those of their factors. An
//! integer that is congruent to the value and in the range of a reading is that reading ([`Check::known`]).
//! Any function of few bits at all has its monomials among the subsets of these bits ([`Check::any`]).

use super::Limits;
use super::cone::{Cone, Leaf};
use crate::word::{Design, NodeId, Op};
use num_bigint::BigInt;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Sets of input bits; all their subsets are meant. Never empty: the empty set is the constant monomial.
pub(super) type Family = Rc<BTreeSet<Vec<u16>>>;
/// Least and greatest value.
type Range = (BigInt, BigInt);

/// A function of so many input bits may be any.
const OPAQUE: usize = 10;
/// Larger sets have too many subsets.
const LARGEST: usize = 20;

/// What is claimed of a node: see above.
#[derive(Clone)]
pub(super) struct Facts {
    width: u32,
    pub(super) family: Family,
    pub(super) u: Option<Range>,
    pub(super) s: Option<Range>,
    pub(super) bits: Option<Vec<Family>>,
}

/// Makes the claims.
pub(super) struct Check {
    opaque: usize,
    /// Sets that may still be made.
    left: u64,
}

/// Whether `a` and `b` are equal for all inputs: the number of points that decided it, or why it is not known.
pub fn recheck(d: &Design, a: NodeId, b: NodeId, limits: &Limits) -> Result<u64, String> {
    recheck_with(d, a, b, limits, OPAQUE)
}

pub(super) fn recheck_with(d: &Design, a: NodeId, b: NodeId, limits: &Limits, opaque: usize) -> Result<u64, String> {
    let cone = Cone::of(d, &[a, b])?;
    if d.width(a) != d.width(b) {
        return Err("the sides have different widths".into());
    }
    let mut check = Check::new(limits, opaque);
    let facts = check.facts(d, &cone)?;
    let (Some(x), Some(y)) = (facts.get(&a), facts.get(&b)) else { return Err("a side was not reached".into()) };
    let family = check.union(&x.family, &y.family)?;
    drop(facts);
    let points = points(&family, limits.points / (cone.order.len() as u64).max(1))?;
    points.par_iter().try_for_each_init(FxHashMap::default, |values, p| {
        cone.evaluate(d, &cone.point(d, p), values)?;
        match (values.get(&a), values.get(&b)) {
            (Some(x), Some(y)) if x == y => Ok(()),
            _ => Err(format!("the sides differ at the point {p:?}")),
        }
    })?;
    Ok(points.len() as u64)
}

/// All subsets of the sets, each once.
fn points(family: &Family, most: u64) -> Result<FxHashSet<Vec<u16>>, String> {
    let mut all: FxHashSet<Vec<u16>> = FxHashSet::default();
    for set in family.iter() {
        if set.len() > LARGEST {
            return Err("a monomial may have too many variables".into());
        }
        for choice in 0u32..1 << set.len() {
            all.insert(set.iter().enumerate().filter(|(i, _)| choice >> i & 1 == 1).map(|(_, v)| *v).collect());
            if all.len() as u64 > most {
                return Err(format!("more than {most} points would have to be tried"));
            }
        }
    }
    Ok(all)
}

fn constant() -> Family {
    Rc::new(BTreeSet::from([Vec::new()]))
}

fn power(k: u32) -> BigInt {
    BigInt::from(1) << k
}

fn unsigned(w: u32) -> Range {
    (BigInt::ZERO, power(w) - 1)
}

fn signed(w: u32) -> Range {
    if w == 0 { (BigInt::ZERO, BigInt::ZERO) } else { (-power(w - 1), power(w - 1) - 1) }
}

/// The range of `f` over two ranges, for an `f` that has its extremes at their ends.
fn ends(a: &Range, b: &Range, f: impl Fn(&BigInt, &BigInt) -> BigInt) -> Range {
    let (w, x, y, z) = (f(&a.0, &b.0), f(&a.0, &b.1), f(&a.1, &b.0), f(&a.1, &b.1));
    let least = (&w).min(&x).min(&y).min(&z).clone();
    (least, w.max(x).max(y).max(z))
}

/// `f` of each reading of `a` with each of `b`.
fn readings(a: &Facts, b: &Facts, f: impl Fn(&Range, &Range) -> Range) -> Vec<Range> {
    let each = |v: &Facts| [v.u.clone(), v.s.clone()].into_iter().flatten().collect::<Vec<_>>();
    let second = each(b);
    each(a).iter().flat_map(|x| second.iter().map(|y| f(x, y)).collect::<Vec<_>>()).collect()
}

impl Check {
    pub(super) fn new(limits: &Limits, opaque: usize) -> Check {
        Check { opaque, left: (limits.monomials as u64).saturating_mul(4) }
    }
    /// What is claimed of each node.
    pub(super) fn facts(&mut self, d: &Design, cone: &Cone) -> Result<FxHashMap<NodeId, Facts>, String> {
        let mut facts = FxHashMap::default();
        for n in &cone.order {
            let f = self.node(d, cone, *n, &facts)?;
            facts.insert(*n, f);
        }
        Ok(facts)
    }
    fn spend(&mut self, sets: usize) -> Result<(), String> {
        self.left = self.left.checked_sub(sets as u64).ok_or("there may be too many monomials")?;
        Ok(())
    }
    fn union(&mut self, a: &Family, b: &Family) -> Result<Family, String> {
        if Rc::ptr_eq(a, b) {
            return Ok(a.clone());
        }
        self.spend(a.len() + b.len())?;
        Ok(Rc::new(a.union(b).cloned().collect()))
    }
    fn all(&mut self, families: &[Family]) -> Result<Family, String> {
        families.iter().try_fold(constant(), |all, f| self.union(&all, f))
    }
    fn product(&mut self, a: &Family, b: &Family) -> Result<Family, String> {
        self.spend(a.len().saturating_mul(b.len()))?;
        let mut sets = BTreeSet::new();
        for x in a.iter() {
            for y in b.iter() {
                let both: BTreeSet<u16> = x.iter().chain(y).copied().collect();
                if both.len() > LARGEST {
                    return Err("a monomial may have too many variables".into());
                }
                sets.insert(both.into_iter().collect());
            }
        }
        Ok(Rc::new(sets))
    }
    /// Products of some of these, each at most once.
    fn products(&mut self, families: &[Family]) -> Result<Family, String> {
        families.iter().try_fold(constant(), |all, f| self.product(&all, f))
    }
    /// What is known of a word from the ranges of integers that are congruent to it and have their monomials
    /// in `family`: one that is always in the range of a reading is that reading.
    fn known(width: u32, family: Family, ranges: &[Range]) -> Facts {
        let within = |all: Range| ranges.iter().find(|r| r.0 >= all.0 && r.1 <= all.1).cloned();
        Facts { width, family, u: within(unsigned(width)), s: within(signed(width)), bits: None }
    }
    /// Adds bits to what is known: both readings are sums of multiples of them.
    fn with_bits(&mut self, mut f: Facts, bits: Vec<Family>) -> Result<Facts, String> {
        let all = self.all(&bits)?;
        f.family = self.union(&f.family, &all)?;
        f.u = f.u.or(Some(unsigned(f.width)));
        f.s = f.s.or(Some(signed(f.width)));
        f.bits = Some(bits);
        Ok(f)
    }
    fn of_bits(&mut self, bits: Vec<Family>) -> Result<Facts, String> {
        let family = self.all(&bits)?;
        self.with_bits(Check::known(bits.len() as u32, family, &[]), bits)
    }
    /// A word that is any function of these.
    fn any(&mut self, width: u32, of: &[&Facts], why: &str) -> Result<Facts, String> {
        let vars: BTreeSet<u16> = of.iter().flat_map(|f| f.family.iter().flatten().copied()).collect();
        if vars.len() > self.opaque {
            return Err(format!("{why}, and {} input bits take part", vars.len()));
        }
        let one: Family = Rc::new(BTreeSet::from([vars.into_iter().collect()]));
        self.of_bits(vec![one; width as usize])
    }
    fn bits(&mut self, f: &Facts) -> Result<Vec<Family>, String> {
        match (&f.bits, f.width, &f.u) {
            (Some(bits), ..) => Ok(bits.clone()),
            // A single bit is its unsigned reading.
            (None, 1, Some(_)) => Ok(vec![f.family.clone()]),
            _ => {
                Ok(self.any(f.width, &[f], "single bits of an arithmetic result are needed")?.bits.unwrap_or_default())
            }
        }
    }
    fn slice(&mut self, a: &Facts, lo: u32, width: u32) -> Result<Facts, String> {
        if lo == 0 && a.bits.is_none() {
            let ranges: Vec<Range> = [&a.u, &a.s].into_iter().flatten().cloned().collect();
            return Ok(Check::known(width, a.family.clone(), &ranges));
        }
        let bits = self.bits(a)?;
        let part = bits.get(lo as usize..lo as usize + width as usize).ok_or("a slice is beyond its word")?;
        let mut f = self.of_bits(part.to_vec())?;
        if lo == 0
            && let Some(r) = a.u.as_ref().filter(|r| r.1 < power(width))
        {
            // Nothing is cut off, so it is the same number.
            f.u = Some(r.clone());
        }
        Ok(f)
    }
    /// Extension to `width` bits.
    fn extend(&mut self, a: &Facts, width: u32, sign: bool) -> Result<Facts, String> {
        let range = match if sign { &a.s } else { &a.u } {
            Some(r) => r.clone(),
            None => {
                let a = self.any(a.width, &[a], "a word that may wrap around is extended")?;
                return self.extend(&a, width, sign);
            }
        };
        let f = Check::known(width, a.family.clone(), &[range]);
        match &a.bits {
            Some(bits) => {
                let fill = bits.last().filter(|_| sign).cloned().unwrap_or_else(constant);
                let bits = (0..width as usize).map(|i| bits.get(i).unwrap_or(&fill).clone()).collect();
                self.with_bits(f, bits)
            }
            None => Ok(f),
        }
    }
    /// `{top, low}`: the low part must be known exactly, what is beyond the top is cut off.
    fn join(&mut self, top: &Facts, low: &Facts) -> Result<Facts, String> {
        let Some(below) = low.u.clone() else {
            let low = self.any(low.width, &[low], "a word that may wrap around stands below another")?;
            return self.join(top, &low);
        };
        let family = self.union(&top.family, &low.family)?;
        let raised = |r: &Range| ((&r.0 << low.width) + &below.0, (&r.1 << low.width) + &below.1);
        let ranges: Vec<Range> = [&top.u, &top.s].into_iter().flatten().map(raised).collect();
        let f = Check::known(top.width + low.width, family, &ranges);
        match (&top.bits, &low.bits) {
            (Some(t), Some(l)) => self.with_bits(f, l.iter().chain(t).cloned().collect()),
            _ => Ok(f),
        }
    }
    /// Each result bit is some function of the two bits there.
    fn pairs(&mut self, a: &Facts, b: &Facts) -> Result<Facts, String> {
        let (x, y) = (self.bits(a)?, self.bits(b)?);
        let bits: Result<_, String> = x.iter().zip(&y).map(|(x, y)| self.product(x, y)).collect();
        self.of_bits(bits?)
    }
    /// One bit that is some function of all bits of `of`.
    fn reduce(&mut self, of: &[&Facts]) -> Result<Facts, String> {
        let mut bits = Vec::new();
        for f in of {
            bits.extend(self.bits(f)?);
        }
        let one = self.products(&bits)?;
        self.of_bits(vec![one])
    }
    fn mux(&mut self, c: &Facts, t: &Facts, e: &Facts) -> Result<Facts, String> {
        // e + c*(t - e), and e itself has its monomials among those of the product's subsets.
        let select = self.bits(c)?;
        let select = self.products(&select)?;
        let sides = self.union(&t.family, &e.family)?;
        let family = self.product(&select, &sides)?;
        let hull = |x: &Range, y: &Range| ((&x.0).min(&y.0).clone(), (&x.1).max(&y.1).clone());
        let f = Check::known(t.width, family, &readings(t, e, hull));
        let (Some(x), Some(y)) = (&t.bits, &e.bits) else { return Ok(f) };
        let mut bits = Vec::new();
        for (x, y) in x.iter().zip(y) {
            let sides = self.union(x, y)?;
            bits.push(self.product(&select, &sides)?);
        }
        self.with_bits(f, bits)
    }
    /// A shift. By a constant it is wiring; else bit by bit a choice, by the amount, among all bits.
    fn shift(&mut self, d: &Design, op: &Op, a: &Facts, n: &Facts, amount: NodeId) -> Result<Facts, String> {
        let (w, sign) = (a.width, matches!(op, Op::Ashr(..)));
        if let Some(k) = d.as_const(amount) {
            let k = k.to_u64().map_or(w, |k| k.min(w as u64) as u32);
            if let Op::Shl(..) = op {
                let top = self.slice(a, 0, w - k)?;
                return self.join(&top, &Check::zeros(k));
            }
            let k = if sign { k.min(w.saturating_sub(1)) } else { k };
            let low = self.slice(a, k, w - k)?;
            return self.extend(&low, w, sign);
        }
        let amount = self.bits(n)?;
        let amount = self.products(&amount)?;
        if let (Op::Shl(..), None) = (op, &a.bits) {
            // a times a number that is a function of the amount.
            return Ok(Check::known(w, self.product(&amount, &a.family)?, &[]));
        }
        let from = self.bits(a)?;
        let from = self.all(&from)?;
        let bit = self.product(&amount, &from)?;
        self.of_bits(vec![bit; w as usize])
    }
    fn zeros(width: u32) -> Facts {
        let zero = Some((BigInt::ZERO, BigInt::ZERO));
        Facts { width, family: constant(), u: zero.clone(), s: zero, bits: Some(vec![constant(); width as usize]) }
    }
    fn node(&mut self, d: &Design, cone: &Cone, n: NodeId, facts: &FxHashMap<NodeId, Facts>) -> Result<Facts, String> {
        use Op::*;
        let width = d.width(n);
        let get = |a: &NodeId| facts.get(a).ok_or("an operand was not reached");
        let minus = |x: &BigInt, y: &BigInt| x - y;
        match d.op(n) {
            Const(c) => {
                let value: BigInt = (0..width).filter(|i| c.bit(*i)).map(power).sum();
                let other = &value - power(width);
                let f = Check::known(width, constant(), &[(value.clone(), value), (other.clone(), other)]);
                self.with_bits(f, vec![constant(); width as usize])
            }
            Signal(s) => match cone.leaf(d, *s)? {
                Leaf::Input(v) => {
                    let bit = |i: u32| Rc::new(BTreeSet::from([vec![v + i as u16]]));
                    self.of_bits((0..width).map(bit).collect())
                }
                Leaf::Driven(parts) => self.concat(&parts, facts),
            },
            Concat(parts) => self.concat(parts, facts),
            Undef(_) | HighZ | MemRead(..) => Err("a free value takes part".into()),
            Not(a) => {
                // -1 - a.
                let a = get(a)?;
                let ones = (BigInt::from(-1), BigInt::from(-1));
                let ranges: Vec<Range> = [&a.u, &a.s].into_iter().flatten().map(|r| ends(&ones, r, minus)).collect();
                let f = Check::known(width, a.family.clone(), &ranges);
                if let Some(bits) = &a.bits { self.with_bits(f, bits.clone()) } else { Ok(f) }
            }
            Neg(a) => {
                let a = get(a)?;
                Ok(Check::known(width, a.family.clone(), &readings(&Check::zeros(width), a, |x, y| ends(x, y, minus))))
            }
            Add(a, b) | Sub(a, b) => {
                let (sum, a, b) = (matches!(d.op(n), Add(..)), get(a)?, get(b)?);
                let f = |x: &BigInt, y: &BigInt| if sum { x + y } else { x - y };
                Ok(Check::known(width, self.union(&a.family, &b.family)?, &readings(a, b, |x, y| ends(x, y, f))))
            }
            Mul(a, b) => {
                let (a, b) = (get(a)?, get(b)?);
                let ranges = readings(a, b, |x, y| ends(x, y, |p, q| p * q));
                Ok(Check::known(width, self.product(&a.family, &b.family)?, &ranges))
            }
            And(a, b) | Or(a, b) | Xor(a, b) => self.pairs(get(a)?, get(b)?),
            RedAnd(a) | RedOr(a) | RedXor(a) => self.reduce(&[get(a)?]),
            Eq(a, b) | Ult(a, b) | Slt(a, b) => self.reduce(&[get(a)?, get(b)?]),
            Udiv(a, b) | Urem(a, b) | Sdiv(a, b) | Srem(a, b) => {
                self.any(width, &[get(a)?, get(b)?], "there is a division")
            }
            Mux(c, t, e) => self.mux(get(c)?, get(t)?, get(e)?),
            Slice(a, lo) => self.slice(get(a)?, *lo, width),
            Zext(a) => self.extend(get(a)?, width, false),
            Sext(a) => self.extend(get(a)?, width, true),
            op @ (Shl(a, k) | Lshr(a, k) | Ashr(a, k)) => self.shift(d, op, get(a)?, get(k)?, *k),
        }
    }
    /// Parts in a row, the uppermost first.
    fn concat(&mut self, parts: &[NodeId], facts: &FxHashMap<NodeId, Facts>) -> Result<Facts, String> {
        let mut all: Option<Facts> = None;
        for p in parts {
            let low = facts.get(p).ok_or("an operand was not reached")?;
            all = Some(match all {
                Some(top) => self.join(&top, low)?,
                None => low.clone(),
            });
        }
        Ok(all.unwrap_or_else(|| Check::zeros(0)))
    }
}
