//! Word-level identities by algebra: are two expressions equal for all inputs, as words?
//!
//! Netlists of multipliers are hopeless for SAT, but their specifications are polynomials: each side becomes
//! a multilinear polynomial with integer coefficients over the input bits (`convert`), and the sides are
//! compared by their coefficients. [`recheck`] answers the same question without polynomials, by evaluation at
//! enough points. Invariant: `Ok` is only said of sides that are equal for all inputs.

#[cfg(test)]
mod claims;
mod cone;
mod convert;
mod poly;
mod recheck;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod texts;
mod value;

pub use recheck::recheck;

use crate::word::{Bits, Design, NodeId, SignalId};
use cone::Cone;
use num_bigint::BigInt;
use poly::{Budget, Poly, Reading};
use rustc_hash::FxHashMap;
use std::fmt;
use value::Maker;

/// A word of at most so many variables may be taken apart into bits by its table of values.
const TABLE: usize = 10;

/// How much may be tried.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Monomials handled at once (and, sixteen times that, altogether).
    pub monomials: usize,
    /// Nodes evaluated by [`recheck`], over all points.
    pub points: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { monomials: 2_000_000, points: 50_000_000 }
    }
}

/// Why an identity was not proved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// An operator is not known to be a polynomial here: which, and why.
    NotPolynomial(String),
    /// It may be, but there are too many monomials: where.
    TooLarge(String),
    /// The sides are not equal; said also of what is not a polynomial, where a difference is easily found.
    Different(Counterexample),
}

/// Inputs for which the two sides differ, confirmed by evaluation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counterexample {
    /// Every input that matters.
    pub values: Vec<(SignalId, Bits)>,
}

/// A proved identity.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Identity {
    /// Monomials of the polynomial that both sides are, modulo 2^width.
    pub monomials: usize,
    /// Its degree in the input bits.
    pub degree: u32,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::NotPolynomial(why) => write!(f, "not known to be a polynomial: {why}"),
            Refusal::TooLarge(why) => write!(f, "too large: {why}"),
            Refusal::Different(c) => {
                write!(f, "the sides differ")?;
                for (i, (s, v)) in c.values.iter().enumerate() {
                    write!(f, "{} input {} = {v}", if i == 0 { " for" } else { "," }, s.0)?;
                }
                Ok(())
            }
        }
    }
}

/// Whether `a` and `b` are equal as words for all values of the inputs.
pub fn prove_equal(d: &Design, a: NodeId, b: NodeId, limits: &Limits) -> Result<Identity, Refusal> {
    let cone = Cone::of(d, &[a, b]).map_err(Refusal::NotPolynomial)?;
    if d.width(a) != d.width(b) {
        let why = format!("the sides are {} and {} bits wide", d.width(a), d.width(b));
        return Err(Refusal::NotPolynomial(why));
    }
    match compare(d, &cone, a, b, limits, TABLE) {
        Ok(identity) => Ok(identity),
        Err(Refusal::Different(c)) => Err(Refusal::Different(c)),
        // What the algebra does not reach may still be plainly different.
        Err(other) => Err(search(d, &cone, a, b, limits).map_or(other, Refusal::Different)),
    }
}

/// Compares two sides of one width by their polynomials; `table` is the most variables of a tabulated word.
fn compare(d: &Design, cone: &Cone, a: NodeId, b: NodeId, limits: &Limits, table: usize) -> Result<Identity, Refusal> {
    let width = d.width(a);
    let maker = Maker { budget: Budget::new(limits.monomials), table };
    let values = convert::convert(d, cone, &[a, b], &maker)?;
    let [x, y] = values.as_slice() else { return Err(Refusal::NotPolynomial("a side has no value".into())) };
    // Modulo 2^width each side is its polynomial. The coefficient of a set S of variables is, by Möbius
    // inversion, the sum over its subsets T of (-1)^|S\T| times the value where exactly T is 1. So if the
    // difference is 0 modulo 2^width at all points, so are all coefficients; and the other way round the value
    // at a point is a sum of coefficients. The test is exact.
    let sides = [(BigInt::from(1), x.poly.as_ref()), (BigInt::from(-1), y.poly.as_ref())];
    let difference = Poly::sum(&sides, &maker.budget)
        .map_err(|_| Refusal::TooLarge("the difference has too many monomials".into()))?
        .reduced(width, Reading::Unsigned);
    let Some(ones) = difference.smallest() else {
        let common = x.poly.reduced(width, Reading::Unsigned);
        return Ok(Identity { monomials: common.len(), degree: common.degree() as u32 });
    };
    // No smaller monomial is there, so at the point where exactly these variables are 1 the difference is
    // this coefficient. That is checked without polynomials before it is told.
    match differs(d, cone, a, b, cone.point(d, ones)) {
        Some(c) => Err(Refusal::Different(c)),
        None => Err(Refusal::NotPolynomial("internal inconsistency: a difference was not confirmed".into())),
    }
}

/// The point, if the sides differ there by plain evaluation.
fn differs(d: &Design, cone: &Cone, a: NodeId, b: NodeId, mut point: Vec<(SignalId, Bits)>) -> Option<Counterexample> {
    let mut at = FxHashMap::default();
    cone.evaluate(d, &point, &mut at).ok()?;
    let different = at.get(&a)? != at.get(&b)?;
    point.sort_by_key(|p| p.0);
    different.then_some(Counterexample { values: point })
}

/// Looks for a difference where words carry and wrap around: all zeros or ones in some inputs, then at random.
fn search(d: &Design, cone: &Cone, a: NodeId, b: NodeId, limits: &Limits) -> Option<Counterexample> {
    let tries = (limits.points / 16 / (cone.order.len() as u64).max(1)).min(1000);
    let mut rng = fastrand::Rng::with_seed(1);
    (0..tries).find_map(|i| {
        let value = |rng: &mut fastrand::Rng, w: u32| match rng.u32(..8) + u32::from(i > 200) {
            0..3 => Bits::ones(w),
            3..5 => Bits::zero(w),
            _ => Bits::from_bits((0..w).map(|_| rng.bool())),
        };
        let point = cone.inputs.iter().map(|s| (*s, value(&mut rng, d.signals[s.index()].width)));
        let point = if i == 0 { point.map(|(s, v)| (s, Bits::ones(v.width()))).collect() } else { point.collect() };
        differs(d, cone, a, b, point)
    })
}
