//! Multilinear polynomials with integer coefficients over variables that are 0 or 1.
//!
//! Because x*x = x for such variables a product of variables is the set of them, and every function from
//! points to integers is exactly one polynomial. Invariant: terms are sorted by their monomial, each monomial
//! occurs once and no coefficient is 0; monomials are sorted and name each variable once.

use num_bigint::{BigInt, Sign};
use smallvec::SmallVec;
use std::cell::Cell;

/// A product of variables, sorted.
pub(super) type Monomial = SmallVec<[u16; 8]>;

/// A computation became larger than allowed.
#[derive(Debug)]
pub(super) struct Exhausted;

/// How many terms may be made, at once and altogether.
pub(super) struct Budget {
    at_once: u64,
    left: Cell<u64>,
}

impl Budget {
    /// `monomials` at once; sixteen times that bounds the time of a whole conversion.
    pub fn new(monomials: usize) -> Budget {
        let at_once = monomials as u64;
        Budget { at_once, left: Cell::new(at_once.saturating_mul(16)) }
    }
    fn spend(&self, terms: u64) -> Result<(), Exhausted> {
        let left = self.left.get().checked_sub(terms).ok_or(Exhausted)?;
        self.left.set(left);
        if terms > self.at_once { Err(Exhausted) } else { Ok(()) }
    }
}

/// How the bits of a word are read as an integer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reading {
    /// In [0, 2^w).
    Unsigned,
    /// In [-2^(w-1), 2^(w-1)).
    Signed,
}

impl Reading {
    /// The least value of a word of `w` bits.
    pub fn least(self, w: u32) -> BigInt {
        match self {
            Reading::Signed if w > 0 => -(BigInt::from(1) << (w - 1)),
            _ => BigInt::ZERO,
        }
    }
    /// The value congruent to `v` modulo 2^w in the range of this reading. `&` takes a negative number as an
    /// endless two's complement.
    pub fn residue(self, v: &BigInt, w: u32) -> BigInt {
        let least = self.least(w);
        ((v - &least) & ((BigInt::from(1) << w) - 1)) + least
    }
}

/// A multilinear polynomial.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Poly {
    terms: Vec<(Monomial, BigInt)>,
}

impl Poly {
    /// A constant.
    pub fn constant(v: BigInt) -> Poly {
        Poly::collect(vec![(Monomial::new(), v)])
    }
    /// A variable.
    pub fn variable(v: u16) -> Poly {
        Poly { terms: vec![(smallvec::smallvec![v], BigInt::from(1))] }
    }
    /// Brings terms into normal form.
    fn collect(mut terms: Vec<(Monomial, BigInt)>) -> Poly {
        terms.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        terms.dedup_by(|later, first| {
            let same = later.0 == first.0;
            if same {
                first.1 += &later.1;
            }
            same
        });
        terms.retain(|t| t.1.sign() != Sign::NoSign);
        Poly { terms }
    }
    /// The sum of multiples.
    pub fn sum(parts: &[(BigInt, &Poly)], budget: &Budget) -> Result<Poly, Exhausted> {
        budget.spend(parts.iter().map(|p| p.1.terms.len() as u64).sum())?;
        if let [(j, a), (k, b)] = parts {
            return Ok(Poly::merge(j, a, k, b));
        }
        let scaled = parts.iter().flat_map(|(k, p)| p.terms.iter().map(move |(m, c)| (m.clone(), k * c)));
        Ok(Poly::collect(scaled.collect()))
    }
    /// `j*a + k*b`: sums of rows are long chains of these, so they are not sorted again.
    fn merge(j: &BigInt, a: &Poly, k: &BigInt, b: &Poly) -> Poly {
        let mut terms = Vec::with_capacity(a.terms.len() + b.terms.len());
        let (mut x, mut y) = (a.terms.iter().peekable(), b.terms.iter().peekable());
        loop {
            let order = match (x.peek(), y.peek()) {
                (None, None) => break,
                (Some(_), None) => std::cmp::Ordering::Less,
                (None, Some(_)) => std::cmp::Ordering::Greater,
                (Some(s), Some(t)) => s.0.cmp(&t.0),
            };
            let left = if order.is_le() { x.next() } else { None };
            let right = if order.is_ge() { y.next() } else { None };
            let c = left.map_or(BigInt::ZERO, |t| j * &t.1) + right.map_or(BigInt::ZERO, |t| k * &t.1);
            if let Some((m, _)) = left.or(right)
                && c.sign() != Sign::NoSign
            {
                terms.push((m.clone(), c));
            }
        }
        Poly { terms }
    }
    /// The product, with x*x = x.
    pub fn mul(&self, o: &Poly, budget: &Budget) -> Result<Poly, Exhausted> {
        budget.spend((self.terms.len() as u64).saturating_mul(o.terms.len() as u64))?;
        let mut terms = Vec::with_capacity(self.terms.len() * o.terms.len());
        for (m, c) in &self.terms {
            for (n, k) in &o.terms {
                terms.push((united(m, n), c * k));
            }
        }
        Ok(Poly::collect(terms))
    }
    /// `self + k`.
    pub fn plus(&self, k: BigInt) -> Poly {
        Poly::merge(&BigInt::from(1), self, &BigInt::from(1), &Poly::constant(k))
    }
    /// Each coefficient replaced by `f` of it.
    fn map(&self, f: impl Fn(&BigInt) -> BigInt) -> Poly {
        let terms = self.terms.iter().map(|(m, c)| (m.clone(), f(c))).filter(|t| t.1.sign() != Sign::NoSign);
        Poly { terms: terms.collect() }
    }
    /// A polynomial congruent modulo 2^w at every point, with its coefficients in the range of `reading`.
    pub fn reduced(&self, w: u32, reading: Reading) -> Poly {
        self.map(|c| reading.residue(c, w))
    }
    /// `(q, r)` with `self = 2^k q + r` and the coefficients of `r` in [0, 2^k).
    pub fn split(&self, k: u32) -> (Poly, Poly) {
        // A shift to the right rounds down, also below zero.
        (self.map(|c| c >> k), self.map(|c| Reading::Unsigned.residue(c, k)))
    }
    /// How often 2 divides every coefficient (none for the zero polynomial).
    pub fn twos(&self) -> Option<u64> {
        self.terms.iter().filter_map(|t| t.1.trailing_zeros()).min()
    }
    /// A lower and an upper bound of the values: all negative, all positive coefficients counted.
    pub fn bounds(&self) -> (BigInt, BigInt) {
        let (mut lo, mut hi) = (BigInt::ZERO, BigInt::ZERO);
        for (m, c) in &self.terms {
            if m.is_empty() || c.sign() == Sign::Minus {
                lo += c;
            }
            if m.is_empty() || c.sign() == Sign::Plus {
                hi += c;
            }
        }
        (lo, hi)
    }
    /// Bounds by cases over the variable in most terms, `depth` deep: a multiplexer's select stands before
    /// both of its sides, which never count together.
    pub fn bounds_by_cases(&self, depth: u32, budget: &Budget) -> Result<(BigInt, BigInt), Exhausted> {
        budget.spend(self.terms.len() as u64)?;
        let mut uses: rustc_hash::FxHashMap<u16, u32> = rustc_hash::FxHashMap::default();
        for v in self.terms.iter().flat_map(|t| &t.0) {
            *uses.entry(*v).or_default() += 1;
        }
        let most = uses.into_iter().max_by_key(|(v, n)| (*n, std::cmp::Reverse(*v))).filter(|m| m.1 > 1 && depth > 0);
        let Some((v, _)) = most else { return Ok(self.bounds()) };
        let (with, without): (Vec<_>, Vec<_>) = self.terms.iter().cloned().partition(|t| t.0.contains(&v));
        let zero = Poly { terms: without };
        let one = with.into_iter().map(|(m, c)| (m.into_iter().filter(|x| *x != v).collect(), c));
        let one = Poly::collect(one.chain(zero.terms.iter().cloned()).collect());
        let (a, b) = (zero.bounds_by_cases(depth - 1, budget)?, one.bounds_by_cases(depth - 1, budget)?);
        Ok((a.0.min(b.0), a.1.max(b.1)))
    }
    /// The constant it is, if it is one.
    pub fn as_constant(&self) -> Option<BigInt> {
        match self.terms.as_slice() {
            [] => Some(BigInt::ZERO),
            [(m, c)] if m.is_empty() => Some(c.clone()),
            _ => None,
        }
    }
    /// Whether it is 0 everywhere.
    pub fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }
    /// Number of terms.
    pub fn len(&self) -> usize {
        self.terms.len()
    }
    /// Most variables in a term.
    pub fn degree(&self) -> usize {
        self.terms.iter().map(|t| t.0.len()).max().unwrap_or(0)
    }
    /// A monomial that has the fewest variables.
    pub fn smallest(&self) -> Option<&Monomial> {
        self.terms.iter().map(|t| &t.0).min_by_key(|m| m.len())
    }
    /// The variables that occur, sorted, if they are at most `most`.
    pub fn support(&self, most: usize) -> Option<Monomial> {
        let mut all = Monomial::new();
        for (m, _) in &self.terms {
            all = united(&all, m);
            if all.len() > most {
                return None;
            }
        }
        Some(all)
    }
    /// The value at each point of `vars`, which are all that occur; bit i of the index is `vars[i]`.
    pub fn table(&self, vars: &[u16]) -> Vec<BigInt> {
        let mut table = vec![BigInt::ZERO; 1 << vars.len()];
        for (m, c) in &self.terms {
            let at = vars.iter().enumerate().filter(|(_, v)| m.contains(v)).map(|(i, _)| 1usize << i).sum::<usize>();
            table[at] += c;
        }
        // Each point's value is the sum of the coefficients of its subsets.
        for i in 0..vars.len() {
            for at in (0..table.len()).filter(|at| at >> i & 1 == 1) {
                let below = table[at ^ 1 << i].clone();
                table[at] += below;
            }
        }
        table
    }
    /// The polynomial with these values: the inverse of [`Poly::table`].
    pub fn from_table(vars: &[u16], mut table: Vec<i64>) -> Poly {
        for i in 0..vars.len() {
            for at in (0..table.len()).filter(|at| at >> i & 1 == 1) {
                table[at] -= table[at ^ 1 << i];
            }
        }
        let monomial = |at: usize| vars.iter().enumerate().filter(|(i, _)| at >> i & 1 == 1).map(|(_, v)| *v).collect();
        Poly::collect(table.into_iter().enumerate().map(|(at, c)| (monomial(at), BigInt::from(c))).collect())
    }
}

/// The union of two sorted sets.
fn united(a: &[u16], b: &[u16]) -> Monomial {
    let mut all = Monomial::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        let v = a[i].min(b[j]);
        i += usize::from(a[i] == v);
        j += usize::from(b[j] == v);
        all.push(v);
    }
    all.extend_from_slice(&a[i..]);
    all.extend_from_slice(&b[j..]);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_and_polynomials_are_inverse_and_bounds_hold() {
        let mut rng = fastrand::Rng::with_seed(5);
        for _ in 0..300 {
            let n = rng.usize(0..6);
            let vars: Vec<u16> = (0..n as u16).map(|v| 3 * v + 1).collect();
            let table: Vec<i64> = (0..1 << n).map(|_| rng.i64(-40..40)).collect();
            let p = Poly::from_table(&vars, table.clone());
            assert_eq!(p.table(&vars), table.iter().map(|v| BigInt::from(*v)).collect::<Vec<_>>());
            let budget = Budget::new(10_000);
            let k = rng.u32(0..8);
            let (q, r) = p.split(k);
            assert_eq!(Poly::sum(&[(BigInt::from(1) << k, &q), (BigInt::from(1), &r)], &budget).unwrap(), p);
            for depth in 0..4 {
                let (lo, hi) = p.bounds_by_cases(depth, &budget).unwrap();
                assert!(table.iter().all(|v| lo <= BigInt::from(*v) && BigInt::from(*v) <= hi));
            }
            for reading in [Reading::Unsigned, Reading::Signed] {
                for (v, m) in table.iter().zip(p.reduced(k, reading).table(&vars)) {
                    assert_eq!(m & ((BigInt::from(1) << k) - 1), BigInt::from(v.rem_euclid(1 << k)));
                }
            }
        }
    }

    #[test]
    fn products_agree_with_the_host() {
        let mut rng = fastrand::Rng::with_seed(6);
        let vars = [2, 5, 9, 11];
        for _ in 0..200 {
            let (a, b): (Vec<i64>, Vec<i64>) = (0..16).map(|_| (rng.i64(-9..9), rng.i64(-9..9))).unzip();
            let (p, q) = (Poly::from_table(&vars, a.clone()), Poly::from_table(&vars, b.clone()));
            let product = p.mul(&q, &Budget::new(1000)).unwrap();
            let wanted: Vec<i64> = a.iter().zip(&b).map(|(x, y)| x * y).collect();
            assert_eq!(product, Poly::from_table(&vars, wanted));
        }
    }
}
