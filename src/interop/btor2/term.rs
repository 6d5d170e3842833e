//! Hash-consed terms: what a line of BTOR2 can say, with the simplifications that make the
//! expressions of one step come to rest.

use crate::word::Bits;
use rustc_hash::FxHashMap;

/// A term by its position in [`Terms`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Id(pub u32);

/// A bit vector, or an array of words.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) enum Sort {
    Bits(u32),
    /// Address width, word width.
    Array(u32, u32),
}

/// What a term is. Operators have BTOR2's names.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Op {
    /// Input number.
    Input(u32),
    /// State number.
    State(u32),
    Const(Bits),
    /// An operator and its operands, one to three.
    Apply(&'static str, Vec<Id>),
    /// Bits from the number up.
    Slice(Id, u32),
    /// `uext` or `sext`.
    Extend(&'static str, Id),
}

/// All terms, operands before users.
#[derive(Default)]
pub(super) struct Terms {
    pub list: Vec<(Op, Sort)>,
    unique: FxHashMap<(Op, Sort), Id>,
}

impl Terms {
    pub fn intern(&mut self, op: Op, sort: Sort) -> Id {
        let key = (op, sort);
        if let Some(&id) = self.unique.get(&key) {
            return id;
        }
        let id = Id(self.list.len() as u32);
        self.list.push(key.clone());
        self.unique.insert(key, id);
        id
    }

    pub fn op(&self, a: Id) -> &Op {
        &self.list[a.0 as usize].0
    }

    pub fn sort(&self, a: Id) -> Sort {
        self.list[a.0 as usize].1
    }

    pub fn width(&self, a: Id) -> u32 {
        match self.sort(a) {
            Sort::Bits(w) | Sort::Array(_, w) => w,
        }
    }

    pub fn constant(&mut self, b: Bits) -> Id {
        let w = b.width();
        self.intern(Op::Const(b), Sort::Bits(w))
    }

    pub fn bool(&mut self, v: bool) -> Id {
        self.constant(Bits::from_bool(v))
    }

    pub fn as_const(&self, a: Id) -> Option<&Bits> {
        match self.op(a) {
            Op::Const(b) => Some(b),
            _ => None,
        }
    }

    /// The truth of a constant single bit.
    pub fn as_bool(&self, a: Id) -> Option<bool> {
        self.as_const(a).filter(|b| b.width() == 1).map(Bits::is_true)
    }

    /// An operator as it stands.
    pub fn apply(&mut self, name: &'static str, operands: &[Id], sort: Sort) -> Id {
        self.intern(Op::Apply(name, operands.to_vec()), sort)
    }

    fn applied(&self, a: Id, name: &str) -> Option<&[Id]> {
        match self.op(a) {
            Op::Apply(n, operands) if *n == name => Some(operands),
            _ => None,
        }
    }

    pub fn not(&mut self, a: Id) -> Id {
        if let Some(b) = self.as_const(a) {
            let b = b.not();
            return self.constant(b);
        }
        match self.applied(a, "not") {
            Some(x) => x[0],
            None => self.apply("not", &[a], self.sort(a)),
        }
    }

    pub fn and(&mut self, a: Id, b: Id) -> Id {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        for (x, y) in [(a, b), (b, a)] {
            if x == y || self.as_const(x).is_some_and(Bits::is_ones) {
                return y;
            }
            if self.as_const(x).is_some_and(Bits::is_zero) {
                return x;
            }
            if self.applied(x, "not").is_some_and(|n| n[0] == y) {
                return self.constant(Bits::zero(self.width(x)));
            }
            if let Some(seen) = self.decided(x, y) {
                return self.and(x, seen);
            }
            // x & (x & z), and x & (!x & z).
            if let Some(&[p, q]) = self.applied(y, "and") {
                if p == x || q == x {
                    return y;
                }
                let inverse = self.not(x);
                if p == inverse || q == inverse {
                    return self.constant(Bits::zero(self.width(x)));
                }
            }
        }
        self.apply("and", &[a, b], self.sort(a))
    }

    /// What `y` is where the single bit `x` is 1, if `y` is an `ite` on it or its complement. So a
    /// clock gate's latch is seen not to disturb the gated clock.
    fn decided(&mut self, x: Id, y: Id) -> Option<Id> {
        let (inverted, inner) = match self.applied(y, "not") {
            Some(n) => (true, n[0]),
            None => (false, y),
        };
        let &[s, t, e] = self.applied(inner, "ite")? else { return None };
        let arm = if s == x {
            t
        } else if self.applied(x, "not").is_some_and(|n| n[0] == s) {
            e
        } else {
            return None;
        };
        Some(if inverted { self.not(arm) } else { arm })
    }

    pub fn or(&mut self, a: Id, b: Id) -> Id {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        for (x, y) in [(a, b), (b, a)] {
            if x == y || self.as_const(x).is_some_and(Bits::is_zero) {
                return y;
            }
            if self.as_const(x).is_some_and(Bits::is_ones) {
                return x;
            }
        }
        self.apply("or", &[a, b], self.sort(a))
    }

    /// `s ? t : e`, of bit vectors or arrays. The select is never a complement.
    pub fn ite(&mut self, s: Id, t: Id, e: Id) -> Id {
        if let Some(v) = self.as_bool(s) {
            return if v { t } else { e };
        }
        if let Some(n) = self.applied(s, "not") {
            let s = n[0];
            return self.ite(s, e, t);
        }
        // An arm that tests the same bit again is decided.
        if let Some(&[s2, t2, _]) = self.applied(t, "ite")
            && s2 == s
        {
            return self.ite(s, t2, e);
        }
        if let Some(&[s2, _, e2]) = self.applied(e, "ite")
            && s2 == s
        {
            return self.ite(s, t, e2);
        }
        if t == e {
            return t;
        }
        match (self.as_bool(t), self.as_bool(e)) {
            (Some(true), Some(false)) => return s,
            (Some(false), Some(true)) => return self.not(s),
            (None, Some(false)) => return self.and(s, t),
            (Some(false), None) => {
                let n = self.not(s);
                return self.and(n, e);
            }
            (Some(true), None) => return self.or(s, e),
            _ => {}
        }
        self.apply("ite", &[s, t, e], self.sort(t))
    }

    pub fn eq(&mut self, a: Id, b: Id) -> Id {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if a == b {
            return self.bool(true);
        }
        self.apply("eq", &[a, b], Sort::Bits(1))
    }

    /// Bits `lo .. lo+width`.
    pub fn slice(&mut self, a: Id, lo: u32, width: u32) -> Id {
        if width == self.width(a) {
            return a;
        }
        match self.op(a).clone() {
            Op::Const(b) => self.constant(b.slice(lo, width)),
            Op::Slice(x, l) => self.slice(x, l + lo, width),
            Op::Apply("concat", parts) => {
                let low = self.width(parts[1]);
                if lo >= low {
                    self.slice(parts[0], lo - low, width)
                } else if lo + width <= low {
                    self.slice(parts[1], lo, width)
                } else {
                    let high = self.slice(parts[0], 0, lo + width - low);
                    let rest = self.slice(parts[1], lo, low - lo);
                    self.concat(high, rest)
                }
            }
            _ => self.intern(Op::Slice(a, lo), Sort::Bits(width)),
        }
    }

    /// `{high, low}`; neighbouring slices of one term are joined.
    pub fn concat(&mut self, high: Id, low: Id) -> Id {
        if let (Some(a), Some(b)) = (self.as_const(high), self.as_const(low)) {
            let joined = a.concat(b);
            return self.constant(joined);
        }
        if let (Op::Slice(x, xl), Op::Slice(y, yl)) = (self.op(high), self.op(low))
            && x == y
            && yl + self.width(low) == *xl
        {
            let (x, lo, width) = (*x, *yl, self.width(high) + self.width(low));
            return self.slice(x, lo, width);
        }
        let width = self.width(high) + self.width(low);
        self.apply("concat", &[high, low], Sort::Bits(width))
    }

    /// `uext` or `sext` to a width.
    pub fn extend(&mut self, signed: bool, a: Id, width: u32) -> Id {
        if width == self.width(a) {
            return a;
        }
        if let Some(b) = self.as_const(a) {
            let b = b.resize(width, signed);
            return self.constant(b);
        }
        self.intern(Op::Extend(if signed { "sext" } else { "uext" }, a), Sort::Bits(width))
    }

    /// The word at an address of the array's width.
    pub fn read(&mut self, array: Id, addr: Id) -> Id {
        let width = self.width(array);
        self.apply("read", &[array, addr], Sort::Bits(width))
    }

    pub fn write(&mut self, array: Id, addr: Id, word: Id) -> Id {
        self.apply("write", &[array, addr, word], self.sort(array))
    }

    /// A shift, whose operands BTOR2 wants to be equally wide.
    pub fn shift(&mut self, name: &'static str, a: Id, amount: Id) -> Id {
        let (w, n) = (self.width(a), self.width(amount));
        let wide = w.max(n);
        let x = self.extend(name == "sra", a, wide);
        let y = self.extend(false, amount, wide);
        let r = self.apply(name, &[x, y], Sort::Bits(wide));
        self.slice(r, 0, w)
    }
}
