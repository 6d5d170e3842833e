//! Word-level expressions into polynomials: one rule per operator.
//!
//! The rules keep the invariant of [`Value`]; an operator without a rule, or one that needs more of an operand
//! than is known, is refused with its name. Nodes come in the order of the [`Cone`], and a value is dropped
//! after its last use.

use super::Refusal;
use super::cone::{Cone, Leaf};
use super::poly::{Exhausted, Poly, Reading};
use super::value::{Maker, Trouble, Value};
use crate::word::{Design, NodeId, Op};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A shift by more unknown bits than this is refused: each may double the terms.
const AMOUNT: usize = 8;

/// The values of `roots`.
pub(super) fn convert(d: &Design, cone: &Cone, roots: &[NodeId], maker: &Maker) -> Result<Vec<Value>, Refusal> {
    let mut uses: FxHashMap<NodeId, u32> = FxHashMap::default();
    for n in &cone.order {
        operands(d, cone, *n, |m| *uses.entry(m).or_default() += 1)?;
    }
    for r in roots {
        *uses.entry(*r).or_default() += 1;
    }
    let mut c = Converter { d, cone, maker, values: FxHashMap::default() };
    for n in &cone.order {
        let v = c.node(*n).map_err(|t| match t {
            Trouble::Not(why) => Refusal::NotPolynomial(format!("{}: {why}", name(d.op(*n)))),
            Trouble::Large => Refusal::TooLarge(format!("{}: too many monomials", name(d.op(*n)))),
        })?;
        if v.width != d.width(*n) {
            return Err(Refusal::NotPolynomial(format!("{}: its width is not kept", name(d.op(*n)))));
        }
        c.values.insert(*n, v);
        operands(d, cone, *n, |m| {
            if let Some(u) = uses.get_mut(&m) {
                *u = u.saturating_sub(1);
                if *u == 0 {
                    c.values.remove(&m);
                }
            }
        })?;
    }
    roots
        .iter()
        .map(|r| c.value(*r).cloned().map_err(|_| Refusal::NotPolynomial("a side has no value".into())))
        .collect()
}

/// Calls `f` on each operand, also of a driven signal.
fn operands(d: &Design, cone: &Cone, n: NodeId, mut f: impl FnMut(NodeId)) -> Result<(), Refusal> {
    match d.op(n) {
        Op::Signal(s) => match cone.leaf(d, *s).map_err(Refusal::NotPolynomial)? {
            Leaf::Input(_) => {}
            Leaf::Driven(parts) => parts.into_iter().for_each(f),
        },
        op => op.operands(&mut f),
    }
    Ok(())
}

struct Converter<'a> {
    d: &'a Design,
    cone: &'a Cone,
    maker: &'a Maker,
    values: FxHashMap<NodeId, Value>,
}

impl Converter<'_> {
    fn value(&self, n: NodeId) -> Result<&Value, Trouble> {
        self.values.get(&n).ok_or(Trouble::Not("an operand has no value"))
    }
    fn node(&self, n: NodeId) -> Result<Value, Trouble> {
        use Op::*;
        let (m, width) = (self.maker, self.d.width(n));
        let get = |a: &NodeId| self.value(*a);
        let all = |parts: &[NodeId]| parts.iter().map(|p| get(p).cloned()).collect::<Result<Vec<_>, _>>();
        match self.d.op(n) {
            Const(b) => m.constant(width, |i| b.bit(i)),
            Signal(s) => match self.cone.leaf(self.d, *s).map_err(|_| Trouble::Not("it is not driven by words"))? {
                Leaf::Input(v) => m.of_bits((0..width).map(|i| Rc::new(Poly::variable(v + i as u16))).collect()),
                Leaf::Driven(parts) => m.concat(&all(&parts)?),
            },
            Undef(_) | HighZ | MemRead(..) => Err(Trouble::Not("it is free")),
            Udiv(..) | Urem(..) | Sdiv(..) | Srem(..) => Err(Trouble::Not("it has no polynomial of small degree")),
            Not(a) => m.not(get(a)?),
            Neg(a) => m.add(&zeros(m, width)?, -1, get(a)?),
            // One bit without its carry.
            Add(a, b) | Sub(a, b) if width == 1 => self.xor(get(a)?, get(b)?),
            Add(a, b) => m.add(get(a)?, 1, get(b)?),
            Sub(a, b) => m.add(get(a)?, -1, get(b)?),
            Mul(a, b) => m.mul(get(a)?, get(b)?),
            And(a, b) => self.and(get(a)?, get(b)?),
            Or(a, b) => self.or(get(a)?, get(b)?),
            Xor(a, b) => self.xor(get(a)?, get(b)?),
            RedAnd(a) => self.all_ones(get(a)?),
            // Some bit is 1 unless all complements are.
            RedOr(a) => m.not(&self.all_ones(&m.of_bits(self.complements(get(a)?)?)?)?),
            RedXor(a) => {
                let parity = m.bits(get(a)?)?.iter().try_fold(Poly::default(), |p, b| either(m, &p, b))?;
                m.of_bits(vec![Rc::new(parity)])
            }
            Eq(a, b) => {
                let same = m.bitwise(get(a)?, get(b)?, |x, y| m.complement(&either(m, x, y)?))?;
                self.all_ones(&same)
            }
            Ult(a, b) => self.less(get(a)?, get(b)?, Reading::Unsigned),
            Slt(a, b) => self.less(get(a)?, get(b)?, Reading::Signed),
            Mux(c, t, e) => match m.bits(get(c)?)?.first() {
                Some(c) => m.mux(c, get(t)?, get(e)?),
                None => Err(Trouble::Not("its select has no bit")),
            },
            Concat(parts) => m.concat(&all(parts)?),
            Slice(a, lo) => m.slice(get(a)?, *lo, width),
            Zext(a) => m.extend(get(a)?, width, Reading::Unsigned),
            Sext(a) => m.extend(get(a)?, width, Reading::Signed),
            Shl(a, n) => self.shift(get(a)?, get(n)?, |v, k| m.concat(&[m.slice(v, 0, width - k)?, zeros(m, k)?])),
            Lshr(a, n) => {
                self.shift(get(a)?, get(n)?, |v, k| m.extend(&m.slice(v, k, width - k)?, width, Reading::Unsigned))
            }
            Ashr(a, n) => self.shift(get(a)?, get(n)?, |v, k| {
                let k = k.min(width.saturating_sub(1));
                m.extend(&m.slice(v, k, width - k)?, width, Reading::Signed)
            }),
        }
    }
    fn and(&self, a: &Value, b: &Value) -> Result<Value, Trouble> {
        let m = self.maker;
        if let Some((v, mask)) = masked(a, b) {
            return self.runs(mask, |lo, w, one| if one { m.slice(v, lo, w) } else { zeros(m, w) });
        }
        m.bitwise(a, b, |x, y| x.mul(y, &m.budget))
    }
    fn or(&self, a: &Value, b: &Value) -> Result<Value, Trouble> {
        let m = self.maker;
        if let Some((v, mask)) = masked(a, b) {
            return self.runs(mask, |lo, w, one| if one { m.constant(w, |_| true) } else { m.slice(v, lo, w) });
        }
        if (a.bits.is_none() || b.bits.is_none()) && m.disjoint(a, b) {
            return m.add(a, 1, b);
        }
        // x + y - xy.
        m.bitwise(a, b, |x, y| {
            let product = x.mul(y, &m.budget)?;
            Poly::sum(&[(BigInt::from(1), x), (BigInt::from(1), y), (BigInt::from(-1), &product)], &m.budget)
        })
    }
    fn xor(&self, a: &Value, b: &Value) -> Result<Value, Trouble> {
        let m = self.maker;
        if let Some((v, mask)) = masked(a, b) {
            let part = |lo, w| m.slice(v, lo, w);
            return self.runs(mask, |lo, w, one| if one { m.not(&part(lo, w)?) } else { part(lo, w) });
        }
        if (a.bits.is_none() || b.bits.is_none()) && m.disjoint(a, b) {
            return m.add(a, 1, b);
        }
        m.bitwise(a, b, |x, y| either(m, x, y))
    }
    /// A word without known bits under a constant: `f` of each run of equal bits (first bit, width, the bit).
    fn runs(&self, mask: Vec<bool>, f: impl Fn(u32, u32, bool) -> Result<Value, Trouble>) -> Result<Value, Trouble> {
        let (mut at, mut parts) = (0, Vec::new());
        for run in mask.chunk_by(|x, y| x == y) {
            let width = run.len() as u32;
            parts.push(f(at, width, run[0])?);
            at += width;
        }
        parts.reverse();
        self.maker.concat(&parts)
    }
    /// Whether all bits are 1: their product.
    fn all_ones(&self, a: &Value) -> Result<Value, Trouble> {
        let one = Poly::constant(BigInt::from(1));
        let mut bits = self.maker.bits(a)?.to_vec();
        bits.dedup();
        let product = bits.iter().try_fold(one, |p, b| p.mul(b, &self.maker.budget))?;
        self.maker.of_bits(vec![Rc::new(product)])
    }
    fn complements(&self, a: &Value) -> Result<Vec<Rc<Poly>>, Trouble> {
        Ok(self
            .maker
            .bits(a)?
            .iter()
            .map(|b| self.maker.complement(b).map(Rc::new))
            .collect::<Result<_, Exhausted>>()?)
    }
    /// From the lowest bit up: less by this bit, or equal in it and less by those below. The sign bit counts
    /// the other way round.
    fn less(&self, a: &Value, b: &Value, reading: Reading) -> Result<Value, Trouble> {
        let (m, top) = (self.maker, (a.width as usize).saturating_sub(1));
        let mut less = Poly::default();
        for (i, (x, y)) in m.bits(a)?.iter().zip(m.bits(b)?.iter()).enumerate() {
            let (x, y) = if i == top && reading == Reading::Signed { (y, x) } else { (x, y) };
            let here = m.complement(x)?.mul(y, &m.budget)?;
            let below = m.complement(&either(m, x, y)?)?.mul(&less, &m.budget)?;
            less = Poly::sum(&[(BigInt::from(1), &here), (BigInt::from(1), &below)], &m.budget)?;
        }
        m.of_bits(vec![Rc::new(less)])
    }
    /// A shift by one bit of the amount after the other; `by` shifts by a constant of at most the width.
    fn shift(
        &self,
        a: &Value,
        amount: &Value,
        by: impl Fn(&Value, u32) -> Result<Value, Trouble>,
    ) -> Result<Value, Trouble> {
        let bits = self.maker.bits(amount)?;
        if bits.iter().filter(|b| b.as_constant().is_none()).count() > AMOUNT {
            return Err(Trouble::Not("the amount has too many unknown bits"));
        }
        let mut v = a.clone();
        for (j, bit) in bits.iter().enumerate().filter(|(_, b)| !b.is_zero()) {
            let k = 1u64.checked_shl(j as u32).unwrap_or(u64::MAX).min(a.width as u64) as u32;
            v = self.maker.mux(bit, &by(&v, k)?, &v)?;
        }
        Ok(v)
    }
}

/// A word whose bits are not known and the constant it meets, lowest bit first.
fn masked<'a>(a: &'a Value, b: &'a Value) -> Option<(&'a Value, Vec<bool>)> {
    let constant = |v: &Value| {
        let bits = v.bits.as_ref()?.iter().map(|b| b.as_constant().map(|c| c.bit(0)));
        bits.collect::<Option<Vec<bool>>>()
    };
    match (&a.bits, &b.bits) {
        (None, Some(_)) => constant(b).map(|c| (a, c)),
        (Some(_), None) => constant(a).map(|c| (b, c)),
        _ => None,
    }
}

fn zeros(m: &Maker, width: u32) -> Result<Value, Trouble> {
    m.constant(width, |_| false)
}

/// Exclusive or of bits: x + y - 2xy.
fn either(m: &Maker, x: &Poly, y: &Poly) -> Result<Poly, Exhausted> {
    let product = x.mul(y, &m.budget)?;
    Poly::sum(&[(BigInt::from(1), x), (BigInt::from(1), y), (BigInt::from(-2), &product)], &m.budget)
}

/// What people call an operator.
fn name(op: &Op) -> &'static str {
    use Op::*;
    match op {
        Const(_) => "a constant",
        Signal(_) => "a signal",
        Undef(_) => "an unknown value",
        HighZ => "a tri-state value",
        Not(_) => "a complement",
        Neg(_) => "a negation",
        RedAnd(_) | RedOr(_) | RedXor(_) => "a reduction",
        And(..) => "a bitwise and",
        Or(..) => "a bitwise or",
        Xor(..) => "a bitwise exclusive or",
        Add(..) => "a sum",
        Sub(..) => "a difference",
        Mul(..) => "a product",
        Udiv(..) | Sdiv(..) => "a division",
        Urem(..) | Srem(..) => "a remainder",
        Shl(..) => "a left shift",
        Lshr(..) | Ashr(..) => "a right shift",
        Eq(..) | Ult(..) | Slt(..) => "a comparison",
        Mux(..) => "a choice",
        Concat(_) => "a concatenation",
        Slice(..) => "a part select",
        Zext(_) => "a zero extension",
        Sext(_) => "a sign extension",
        MemRead(..) => "a memory read",
    }
}
