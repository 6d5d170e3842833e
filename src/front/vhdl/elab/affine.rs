//! Integers as sums of multiples of other integers: to see that two bounds differ by a constant although
//! both move.
//!
//! A fact is about the bits of a node read as signed or unsigned, and holds wherever that node stands;
//! sums and products of integers never wrap, since they take the bits they need.

use super::*;

/// Bits read as a number: the node, and whether it is signed.
pub(super) type Atom = (NodeId, bool);

/// A constant plus multiples of atoms, sorted, none of them zero.
#[derive(Clone, Default, PartialEq, Debug)]
pub(super) struct Affine {
    terms: Vec<(Atom, i128)>,
    constant: i128,
}

/// More terms are not worth keeping.
const MAX_TERMS: usize = 8;

impl Affine {
    /// `self + k * other`, if that can be told.
    fn plus(&self, other: &Affine, k: i128) -> Option<Affine> {
        let mut out = self.clone();
        out.constant = out.constant.checked_add(other.constant.checked_mul(k)?)?;
        for (atom, n) in &other.terms {
            let n = n.checked_mul(k)?;
            match out.terms.binary_search_by_key(atom, |t| t.0) {
                Ok(i) => {
                    out.terms[i].1 = out.terms[i].1.checked_add(n)?;
                    if out.terms[i].1 == 0 {
                        out.terms.remove(i);
                    }
                }
                Err(i) if n != 0 => out.terms.insert(i, (*atom, n)),
                Err(_) => {}
            }
        }
        (out.terms.len() <= MAX_TERMS).then_some(out)
    }
}

fn atom(v: &Val) -> Atom {
    (v.node, matches!(v.ty.kind, TyKind::Int { lo, .. } if lo < 0))
}

impl Elab<'_> {
    fn affine(&self, v: &Val) -> Affine {
        if let Some(constant) = self.as_int(v) {
            return Affine { terms: Vec::new(), constant };
        }
        let atom = atom(v);
        match self.sums.get(&atom) {
            Some(a) => a.clone(),
            None => Affine { terms: vec![(atom, 1)], constant: 0 },
        }
    }

    fn note(&mut self, atom: Atom, a: Affine) {
        if a.terms != [(atom, 1)] {
            self.sums.entry(atom).or_insert(a);
        }
    }

    /// Notes that a node is the value in other bits.
    pub(super) fn note_same(&mut self, node: NodeId, signed: bool, v: &Val) {
        if v.ty.is_int() && self.m.d.as_const(node).is_none() {
            let a = self.affine(v);
            self.note((node, signed), a);
        }
    }

    /// Notes what a sum, a difference or a product with a constant is made of.
    pub(super) fn note_sum(&mut self, op: Op, a: &Val, b: &Val, r: &Val) {
        let (x, y) = (self.affine(a), self.affine(b));
        let sum = match (op, self.as_int(a), self.as_int(b)) {
            (Op::Plus, ..) => x.plus(&y, 1),
            (Op::Minus, ..) => x.plus(&y, -1),
            (Op::Times, Some(k), _) => Affine::default().plus(&y, k),
            (Op::Times, _, Some(k)) => Affine::default().plus(&x, k),
            _ => None,
        };
        if let (Some(sum), None) = (sum, self.m.d.as_const(r.node)) {
            self.note(atom(r), sum);
        }
    }

    /// The constant difference of two values, if it is one.
    pub(super) fn difference(&self, a: &Val, b: &Val) -> Option<i128> {
        let d = self.affine(a).plus(&self.affine(b), -1)?;
        d.terms.is_empty().then_some(d.constant)
    }
}
