//! Whether the choices of a case cover every value of its expression, as VHDL demands.

use super::types::{Logic, bits_int};
use super::*;

/// What choices cover.
#[derive(Default)]
pub(super) struct Cover {
    pub others: bool,
    /// Positions or numbers, as intervals.
    intervals: Vec<(i128, i128)>,
    /// Values of vectors, and how many values those with wildcards stand for.
    exact: FxHashSet<Bits>,
    wild: u128,
}

impl Cover {
    pub fn add(&mut self, lo: i128, hi: i128) {
        if lo <= hi {
            self.intervals.push((lo, hi));
        }
    }

    /// A single choice; with `matching` unknown bits are wildcards, otherwise they match nothing.
    pub fn value(&mut self, b: &Bits, ty: &Ty, matching: bool) {
        let signed = matches!(ty.kind, TyKind::Int { lo, .. } if lo < 0);
        if let (TyKind::Int { .. } | TyKind::Enum { .. }, Some(v)) = (&ty.kind, bits_int(b, signed)) {
            return self.add(v, v);
        }
        if !b.has_unknown() {
            self.exact.insert(b.clone());
        } else if matching && (0..b.width()).all(|i| !b.is_z(i)) {
            let free = (0..b.width()).filter(|i| b.is_unknown(*i)).count() as u32;
            self.wild = self.wild.saturating_add(1u128.checked_shl(free).unwrap_or(u128::MAX));
        }
    }

    /// Metavalues do not exist here, so two values make a `std_logic` complete.
    pub fn complete(mut self, ty: &Ty) -> bool {
        if self.others {
            return true;
        }
        let bounds = match &ty.kind {
            TyKind::Int { lo, hi, .. } => Some((*lo, *hi)),
            TyKind::Enum { def, .. } if def.logic != Logic::None => Some((0, 1)),
            TyKind::Enum { lo, hi, .. } => Some((*lo as i128, *hi as i128)),
            _ => None,
        };
        let Some((lo, hi)) = bounds else {
            let all = 1u128.checked_shl(ty.width).unwrap_or(u128::MAX);
            return self.wild.saturating_add(self.exact.len() as u128) >= all;
        };
        self.intervals.sort();
        let mut next = lo;
        for (l, h) in self.intervals {
            if l > next {
                return false;
            }
            next = next.max(h + 1);
        }
        next > hi
    }
}
