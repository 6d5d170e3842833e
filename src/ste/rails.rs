//! The lattice X ⊑ 0, 1 ⊑ T in two rails, and its primitives.
//!
//! A value says whether it *can be* 1 (`high`) and whether it *can be* 0 (`low`): X can be both, T neither. More
//! information means smaller rails, so join is and. Every primitive is built from and, or of rails alone, which
//! makes it monotone in the information order; where both operands are known the second rail is the complement
//! of the first and is not computed.

use super::logic::{Logic, Stop};

/// A value of the lattice that depends on variables.
#[derive(Clone, PartialEq, Debug)]
pub struct Rail<F> {
    /// Where it can be 1.
    pub high: F,
    /// Where it can be 0.
    pub low: F,
}

/// The primitives over some functions.
pub struct Rails<L: Logic> {
    /// The functions.
    pub logic: L,
}

impl<L: Logic> Rails<L> {
    /// No information.
    pub fn x(&self) -> Rail<L::F> {
        Rail { high: self.logic.constant(true), low: self.logic.constant(true) }
    }

    /// A constant.
    pub fn constant(&self, value: bool) -> Rail<L::F> {
        Rail { high: self.logic.constant(value), low: self.logic.constant(!value) }
    }

    /// A known function.
    pub fn known(&mut self, f: &L::F) -> Rail<L::F> {
        Rail { high: f.clone(), low: self.logic.not(f) }
    }

    /// Whether it is X everywhere.
    pub fn is_x(&self, a: &Rail<L::F>) -> bool {
        self.logic.as_const(&a.high) == Some(true) && self.logic.as_const(&a.low) == Some(true)
    }

    /// Whether it is 0 or 1 everywhere, as far as can be seen.
    pub fn is_known(&mut self, a: &Rail<L::F>) -> bool {
        self.logic.not(&a.high) == a.low
    }

    /// The constant it is.
    pub fn as_const(&self, a: &Rail<L::F>) -> Option<bool> {
        match (self.logic.as_const(&a.high), self.logic.as_const(&a.low)) {
            (Some(true), Some(false)) => Some(true),
            (Some(false), Some(true)) => Some(false),
            _ => None,
        }
    }

    /// Complement.
    pub fn not(&self, a: &Rail<L::F>) -> Rail<L::F> {
        Rail { high: a.low.clone(), low: a.high.clone() }
    }

    /// Complement if `c`.
    pub fn flip(&self, a: &Rail<L::F>, c: bool) -> Rail<L::F> {
        if c { self.not(a) } else { a.clone() }
    }

    /// And: 1 if both can be, 0 if one can be.
    pub fn and(&mut self, a: &Rail<L::F>, b: &Rail<L::F>) -> Result<Rail<L::F>, Stop> {
        let high = self.logic.and(&a.high, &b.high)?;
        if self.is_known(a) && self.is_known(b) {
            return Ok(self.known(&high));
        }
        Ok(Rail { high, low: self.logic.or(&a.low, &b.low)? })
    }

    /// Exclusive or.
    pub fn xor(&mut self, a: &Rail<L::F>, b: &Rail<L::F>) -> Result<Rail<L::F>, Stop> {
        if self.is_known(a) && self.is_known(b) {
            let high = self.logic.xor(&a.high, &b.high)?;
            return Ok(self.known(&high));
        }
        if self.is_x(a) || self.is_x(b) {
            // With T on the other side each pair of rails has a 0, so X alone does not decide.
            let other = if self.is_x(a) { b } else { a };
            let some = self.logic.or(&other.high, &other.low)?;
            return Ok(Rail { high: some.clone(), low: some });
        }
        let (p, q) = (self.logic.and(&a.high, &b.low)?, self.logic.and(&a.low, &b.high)?);
        let (r, s) = (self.logic.and(&a.high, &b.high)?, self.logic.and(&a.low, &b.low)?);
        Ok(Rail { high: self.logic.or(&p, &q)?, low: self.logic.or(&r, &s)? })
    }

    /// `s ? t : e`; with s unknown, what both arms agree on.
    pub fn mux(&mut self, s: &Rail<L::F>, t: &Rail<L::F>, e: &Rail<L::F>) -> Result<Rail<L::F>, Stop> {
        match self.as_const(s) {
            Some(true) => return Ok(t.clone()),
            Some(false) => return Ok(e.clone()),
            None => {}
        }
        if self.is_known(s) {
            let high = self.logic.mux(&s.high, &t.high, &e.high)?;
            if self.is_known(t) && self.is_known(e) {
                return Ok(self.known(&high));
            }
            return Ok(Rail { high, low: self.logic.mux(&s.high, &t.low, &e.low)? });
        }
        let mut arm = |t: &L::F, e: &L::F| {
            let (p, q) = (self.logic.and(&s.high, t)?, self.logic.and(&s.low, e)?);
            self.logic.or(&p, &q)
        };
        Ok(Rail { high: arm(&t.high, &e.high)?, low: arm(&t.low, &e.low)? })
    }

    /// Both pieces of information.
    pub fn join(&mut self, a: &Rail<L::F>, b: &Rail<L::F>) -> Result<Rail<L::F>, Stop> {
        if a == b {
            return Ok(a.clone());
        }
        Ok(Rail { high: self.logic.and(&a.high, &b.high)?, low: self.logic.and(&a.low, &b.low)? })
    }

    /// What an antecedent says: `value` where `guard`, nothing elsewhere.
    pub fn bound(&mut self, guard: &L::F, value: &L::F) -> Result<Rail<L::F>, Stop> {
        let open = self.logic.not(guard);
        let other = self.logic.not(value);
        Ok(Rail { high: self.logic.or(&open, value)?, low: self.logic.or(&open, &other)? })
    }

    /// Where it is T.
    pub fn clash(&mut self, a: &Rail<L::F>) -> Result<L::F, Stop> {
        if self.is_known(a) {
            return Ok(self.logic.constant(false));
        }
        let some = self.logic.or(&a.high, &a.low)?;
        Ok(self.logic.not(&some))
    }
}
