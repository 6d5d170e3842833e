//! Smart constructors: every node is made here, folded when constant and shared when equal.
//!
//! Invariant: operand widths agree, so no later stage has to check them. Foldings are exact on
//! two-valued inputs; they never turn an [`Op::Undef`] into a constant unless the result does not
//! depend on it.

use super::*;

impl Design {
    pub(super) fn intern(&mut self, op: Op, width: u32) -> NodeId {
        let node = Node { op, width };
        if let Some(&n) = self.unique.get(&node) {
            return n;
        }
        let id = NodeId(self.nodes.len() as u32);
        self.unique.insert(node.clone(), id);
        self.nodes.push(node);
        self.spans.push(self.here);
        id
    }
    /// A constant.
    pub fn constant(&mut self, b: Bits) -> NodeId {
        let w = b.width();
        self.intern(Op::Const(b), w)
    }
    /// A constant that is shared with no other node, and so may be changed by [`Design::patch`].
    pub fn private_constant(&mut self, b: Bits) -> NodeId {
        let width = b.width();
        self.nodes.push(Node { op: Op::Const(b), width });
        self.spans.push(self.here);
        NodeId(self.nodes.len() as u32 - 1)
    }
    /// Changes some bits of a private constant that nothing refers to yet.
    pub fn patch(&mut self, n: NodeId, lo: u32, part: &Bits) {
        if let Op::Const(b) = &mut self.nodes[n.index()].op {
            b.put(lo, part);
        }
    }
    /// An unsigned constant of `width` bits.
    pub fn uint(&mut self, v: u64, width: u32) -> NodeId {
        self.constant(Bits::from_u64(v, width))
    }
    /// A 1-bit constant.
    pub fn bool(&mut self, v: bool) -> NodeId {
        self.constant(Bits::from_bool(v))
    }
    /// The present value of a signal.
    pub fn signal(&mut self, s: SignalId) -> NodeId {
        let w = self.signals[s.index()].width;
        self.intern(Op::Signal(s), w)
    }
    /// A fresh free value.
    pub fn undef(&mut self, width: u32) -> NodeId {
        self.undefs += 1;
        self.intern(Op::Undef(self.undefs), width)
    }
    /// "Not driving", for tri-state drivers.
    pub fn high_z(&mut self, width: u32) -> NodeId {
        self.intern(Op::HighZ, width)
    }
    /// Bitwise complement.
    pub fn not(&mut self, a: NodeId) -> NodeId {
        match self.op(a) {
            Op::Const(b) => {
                let b = b.not();
                self.constant(b)
            }
            Op::Not(x) => *x,
            _ => self.intern(Op::Not(a), self.width(a)),
        }
    }
    /// Two's-complement negation.
    pub fn neg(&mut self, a: NodeId) -> NodeId {
        match self.op(a) {
            Op::Const(b) => {
                let b = b.neg();
                self.constant(b)
            }
            _ => self.intern(Op::Neg(a), self.width(a)),
        }
    }
    fn reduction(&mut self, a: NodeId, op: fn(NodeId) -> Op, f: fn(&Bits) -> Bits) -> NodeId {
        if let Some(b) = self.as_const(a) {
            let b = f(b);
            return self.constant(b);
        }
        if self.width(a) == 1 {
            return a;
        }
        self.intern(op(a), 1)
    }
    /// And of all bits.
    pub fn red_and(&mut self, a: NodeId) -> NodeId {
        self.reduction(a, Op::RedAnd, Bits::red_and)
    }
    /// Or of all bits (the truth of a condition).
    pub fn red_or(&mut self, a: NodeId) -> NodeId {
        self.reduction(a, Op::RedOr, Bits::red_or)
    }
    /// Exclusive or of all bits.
    pub fn red_xor(&mut self, a: NodeId) -> NodeId {
        self.reduction(a, Op::RedXor, Bits::red_xor)
    }
    fn binary(
        &mut self,
        a: NodeId,
        b: NodeId,
        width: u32,
        op: fn(NodeId, NodeId) -> Op,
        f: fn(&Bits, &Bits) -> Bits,
    ) -> NodeId {
        if let (Some(x), Some(y)) = (self.as_const(a), self.as_const(b)) {
            let r = f(x, y);
            return self.constant(r);
        }
        self.intern(op(a, b), width)
    }
    fn same(&self, a: NodeId, b: NodeId) -> u32 {
        assert_eq!(self.width(a), self.width(b), "operands of different width");
        self.width(a)
    }
    fn ordered(a: NodeId, b: NodeId) -> (NodeId, NodeId) {
        if a <= b { (a, b) } else { (b, a) }
    }
    fn is_zero(&self, a: NodeId) -> bool {
        self.as_const(a).is_some_and(Bits::is_zero)
    }
    fn is_ones(&self, a: NodeId) -> bool {
        self.as_const(a).is_some_and(Bits::is_ones)
    }
    fn complements(&self, a: NodeId, b: NodeId) -> bool {
        matches!(self.op(a), Op::Not(x) if *x == b) || matches!(self.op(b), Op::Not(x) if *x == a)
    }
    /// Bitwise and.
    pub fn and(&mut self, a: NodeId, b: NodeId) -> NodeId {
        let w = self.same(a, b);
        let (a, b) = Self::ordered(a, b);
        if a == b || self.is_zero(a) || self.is_ones(b) {
            return a;
        }
        if self.is_zero(b) || self.is_ones(a) {
            return b;
        }
        if self.complements(a, b) {
            return self.uint(0, w);
        }
        self.binary(a, b, w, Op::And, Bits::and)
    }
    /// Bitwise or.
    pub fn or(&mut self, a: NodeId, b: NodeId) -> NodeId {
        let w = self.same(a, b);
        let (a, b) = Self::ordered(a, b);
        if a == b || self.is_zero(b) || self.is_ones(a) {
            return a;
        }
        if self.is_zero(a) || self.is_ones(b) {
            return b;
        }
        if self.complements(a, b) {
            return self.constant(Bits::ones(w));
        }
        self.binary(a, b, w, Op::Or, Bits::or)
    }
    /// Bitwise exclusive or.
    pub fn xor(&mut self, a: NodeId, b: NodeId) -> NodeId {
        let w = self.same(a, b);
        let (a, b) = Self::ordered(a, b);
        if a == b {
            return self.uint(0, w);
        }
        if self.is_zero(a) {
            return b;
        }
        if self.is_zero(b) {
            return a;
        }
        if self.is_ones(a) {
            return self.not(b);
        }
        if self.is_ones(b) {
            return self.not(a);
        }
        self.binary(a, b, w, Op::Xor, Bits::xor)
    }
    /// Sum.
    pub fn add(&mut self, a: NodeId, b: NodeId) -> NodeId {
        let w = self.same(a, b);
        let (a, b) = Self::ordered(a, b);
        if self.is_zero(a) {
            return b;
        }
        if self.is_zero(b) {
            return a;
        }
        self.binary(a, b, w, Op::Add, Bits::add)
    }
    /// Difference.
    pub fn sub(&mut self, a: NodeId, b: NodeId) -> NodeId {
        let w = self.same(a, b);
        if self.is_zero(b) {
            return a;
        }
        if a == b {
            return self.uint(0, w);
        }
        self.binary(a, b, w, Op::Sub, Bits::sub)
    }
    /// Product. By a power of two it is a shift by wiring.
    pub fn mul(&mut self, a: NodeId, b: NodeId) -> NodeId {
        let w = self.same(a, b);
        let (a, b) = Self::ordered(a, b);
        for (c, x) in [(a, b), (b, a)] {
            if let Some(k) = self.as_const(c).filter(|k| !k.has_unknown() && self.as_const(x).is_none()) {
                if k.is_zero() {
                    return c;
                }
                if k.count_ones() == 1 {
                    let n = (0..w).find(|i| k.bit(*i)).unwrap_or(0);
                    let n = self.uint(n as u64, 32);
                    return self.shl(x, n);
                }
            }
        }
        self.binary(a, b, w, Op::Mul, Bits::mul)
    }
    /// Unsigned quotient.
    pub fn udiv(&mut self, a: NodeId, b: NodeId) -> NodeId {
        let w = self.same(a, b);
        if let Some(n) = self.power_of_two(b) {
            let n = self.uint(n as u64, 32);
            return self.lshr(a, n);
        }
        self.binary(a, b, w, Op::Udiv, Bits::udiv)
    }
    /// Unsigned remainder.
    pub fn urem(&mut self, a: NodeId, b: NodeId) -> NodeId {
        let w = self.same(a, b);
        if let Some(n) = self.power_of_two(b) {
            let low = self.slice(a, 0, n);
            return self.zext(low, w);
        }
        self.binary(a, b, w, Op::Urem, Bits::urem)
    }
    fn power_of_two(&self, b: NodeId) -> Option<u32> {
        let k = self.as_const(b).filter(|k| !k.has_unknown() && k.count_ones() == 1)?;
        (0..k.width()).find(|i| k.bit(*i))
    }
    /// Signed quotient.
    pub fn sdiv(&mut self, a: NodeId, b: NodeId) -> NodeId {
        let w = self.same(a, b);
        self.binary(a, b, w, Op::Sdiv, Bits::sdiv)
    }
    /// Signed remainder.
    pub fn srem(&mut self, a: NodeId, b: NodeId) -> NodeId {
        let w = self.same(a, b);
        self.binary(a, b, w, Op::Srem, Bits::srem)
    }
    fn const_shift(&self, a: NodeId, n: NodeId) -> Option<u32> {
        let k = self.as_const(n)?;
        if k.has_unknown() {
            return None;
        }
        let w = self.width(a);
        Some(k.to_u64().map_or(w, |k| k.min(w as u64) as u32))
    }
    /// Left shift.
    pub fn shl(&mut self, a: NodeId, n: NodeId) -> NodeId {
        let w = self.width(a);
        if let Some(k) = self.const_shift(a, n) {
            let (high, low) = (self.slice(a, 0, w - k), self.uint(0, k));
            return self.concat(&[high, low]);
        }
        self.binary(a, n, w, Op::Shl, Bits::shl)
    }
    /// Logical right shift.
    pub fn lshr(&mut self, a: NodeId, n: NodeId) -> NodeId {
        let w = self.width(a);
        if let Some(k) = self.const_shift(a, n) {
            let low = self.slice(a, k, w - k);
            return self.zext(low, w);
        }
        self.binary(a, n, w, Op::Lshr, Bits::lshr)
    }
    /// Arithmetic right shift.
    pub fn ashr(&mut self, a: NodeId, n: NodeId) -> NodeId {
        let w = self.width(a);
        if let Some(k) = self.const_shift(a, n) {
            let k = k.min(w.saturating_sub(1));
            let low = self.slice(a, k, w - k);
            return self.sext(low, w);
        }
        self.binary(a, n, w, Op::Ashr, Bits::ashr)
    }
    /// Equality.
    pub fn eq(&mut self, a: NodeId, b: NodeId) -> NodeId {
        let w = self.same(a, b);
        let (a, b) = Self::ordered(a, b);
        if a == b || w == 0 {
            return self.bool(true);
        }
        if w == 1 {
            let x = self.xor(a, b);
            return self.not(x);
        }
        self.binary(a, b, 1, Op::Eq, Bits::eq)
    }
    /// Unsigned less-than.
    pub fn ult(&mut self, a: NodeId, b: NodeId) -> NodeId {
        self.same(a, b);
        if a == b || self.is_zero(b) {
            return self.bool(false);
        }
        self.binary(a, b, 1, Op::Ult, Bits::ult)
    }
    /// Signed less-than.
    pub fn slt(&mut self, a: NodeId, b: NodeId) -> NodeId {
        self.same(a, b);
        if a == b {
            return self.bool(false);
        }
        self.binary(a, b, 1, Op::Slt, Bits::slt)
    }
    /// `c ? t : e`.
    pub fn mux(&mut self, c: NodeId, t: NodeId, e: NodeId) -> NodeId {
        let w = self.same(t, e);
        assert_eq!(self.width(c), 1, "a multiplexer's select is one bit");
        if let Some(c) = self.as_bool(c) {
            return if c { t } else { e };
        }
        if t == e {
            return t;
        }
        if let Op::Not(n) = *self.op(c) {
            return self.mux(n, e, t);
        }
        let (t2, e2) = (self.assume(t, c, true, 2), self.assume(e, c, false, 2));
        if (t2, e2) != (t, e) {
            return self.mux(c, t2, e2);
        }
        if w == 1 {
            match (self.as_bool(t), self.as_bool(e)) {
                (Some(true), Some(false)) => return c,
                (Some(false), Some(true)) => return self.not(c),
                (Some(true), None) => return self.or(c, e),
                (Some(false), None) => {
                    let n = self.not(c);
                    return self.and(n, e);
                }
                (None, Some(false)) => return self.and(c, t),
                (None, Some(true)) => {
                    let n = self.not(c);
                    return self.or(n, t);
                }
                _ => {}
            }
        }
        self.intern(Op::Mux(c, t, e), w)
    }
    /// `n` where the one-bit `c` is known, looking a few levels down: early exits and nested
    /// branches on one condition leave such terms.
    fn assume(&mut self, n: NodeId, c: NodeId, value: bool, depth: u32) -> NodeId {
        if n == c {
            return self.bool(value);
        }
        match *self.op(n) {
            Op::Mux(c2, t, e) if c2 == c => [e, t][usize::from(value)],
            Op::Mux(c2, t, e) if depth > 0 => {
                let (t2, e2) = (self.assume(t, c, value, depth - 1), self.assume(e, c, value, depth - 1));
                if (t2, e2) == (t, e) { n } else { self.mux(c2, t2, e2) }
            }
            Op::Or(a, b) if a == c || b == c => {
                if value {
                    self.bool(true)
                } else if a == c {
                    b
                } else {
                    a
                }
            }
            Op::And(a, b) if a == c || b == c => {
                if !value {
                    self.bool(false)
                } else if a == c {
                    b
                } else {
                    a
                }
            }
            _ => n,
        }
    }
    /// Concatenation, most significant first. Empty parts vanish, nested ones are opened.
    pub fn concat(&mut self, parts: &[NodeId]) -> NodeId {
        let mut all: Vec<NodeId> = Vec::with_capacity(parts.len());
        for &p in parts {
            match self.op(p) {
                Op::Concat(inner) => all.extend(inner),
                _ if self.width(p) == 0 => {}
                _ => all.push(p),
            }
        }
        let mut flat: Vec<NodeId> = Vec::with_capacity(all.len());
        let mut at = 0;
        while at < all.len() {
            // A run of constants is one constant, made at once: tables have thousands of words.
            let run = all[at..].iter().take_while(|p| self.as_const(**p).is_some()).count();
            if run > 1 {
                let parts: Vec<&Bits> = all[at..at + run].iter().filter_map(|p| self.as_const(*p)).collect();
                let joined = Bits::join(parts);
                flat.push(self.constant(joined));
                at += run;
                continue;
            }
            let p = all[at];
            at += 1;
            if let Some(&last) = flat.last()
                && let (Op::Slice(x, xl), Op::Slice(y, yl)) = (self.op(last), self.op(p))
                && x == y
                && *yl + self.width(p) == *xl
            {
                // Adjacent slices of one node.
                let (x, lo, w) = (*x, *yl, self.width(last) + self.width(p));
                *flat.last_mut().expect("checked") = self.slice(x, lo, w);
            } else {
                flat.push(p);
            }
        }
        match flat.as_slice() {
            [] => self.constant(Bits::zero(0)),
            [one] => *one,
            _ => {
                let w = flat.iter().map(|p| self.width(*p)).sum();
                self.intern(Op::Concat(flat.into()), w)
            }
        }
    }
    /// Bits `lo .. lo+width`.
    pub fn slice(&mut self, a: NodeId, lo: u32, width: u32) -> NodeId {
        let w = self.width(a);
        assert!(lo + width <= w, "slice beyond its operand");
        if width == w {
            return a;
        }
        if width == 0 {
            return self.constant(Bits::zero(0));
        }
        // Not remembered: the constant may be one that is still being put together.
        if let Op::Const(b) = self.op(a) {
            let part = b.slice(lo, width);
            return self.constant(part);
        }
        if let Some(&r) = self.slices.get(&(a, lo, width)) {
            return r;
        }
        let r = self.push_slice(a, lo, width);
        self.slices.insert((a, lo, width), r);
        r
    }
    fn push_slice(&mut self, a: NodeId, lo: u32, width: u32) -> NodeId {
        let w = self.width(a);
        match self.op(a).clone() {
            Op::HighZ => self.high_z(width),
            Op::Slice(x, l) => self.slice(x, l + lo, width),
            Op::Zext(x) | Op::Sext(x) if lo + width <= self.width(x) => self.slice(x, lo, width),
            Op::Zext(x) if lo >= self.width(x) => self.uint(0, width),
            Op::Concat(parts) => {
                let mut out = Vec::new();
                let mut top = w;
                for p in parts.iter() {
                    let pw = self.width(*p);
                    let bottom = top - pw;
                    let (from, to) = (lo.max(bottom), (lo + width).min(top));
                    if from < to {
                        out.push(self.slice(*p, from - bottom, to - from));
                    }
                    top = bottom;
                }
                self.concat(&out)
            }
            Op::Not(x) => {
                let x = self.slice(x, lo, width);
                self.not(x)
            }
            Op::And(x, y) if self.as_const(x).is_some() || self.as_const(y).is_some() => {
                let (x, y) = (self.slice(x, lo, width), self.slice(y, lo, width));
                self.and(x, y)
            }
            Op::Mux(c, t, e) => {
                let (t2, e2) = (self.slice(t, lo, width), self.slice(e, lo, width));
                self.mux(c, t2, e2)
            }
            _ => self.intern(Op::Slice(a, lo), width),
        }
    }
    /// Zero extension or truncation.
    pub fn zext(&mut self, a: NodeId, width: u32) -> NodeId {
        let w = self.width(a);
        if width <= w {
            return self.slice(a, 0, width);
        }
        if w == 0 {
            return self.uint(0, width);
        }
        match self.op(a) {
            Op::Const(b) => {
                let b = b.zext(width);
                self.constant(b)
            }
            Op::Zext(x) => {
                let x = *x;
                self.zext(x, width)
            }
            _ => self.intern(Op::Zext(a), width),
        }
    }
    /// Sign extension or truncation.
    pub fn sext(&mut self, a: NodeId, width: u32) -> NodeId {
        let w = self.width(a);
        if width <= w {
            return self.slice(a, 0, width);
        }
        if w == 0 {
            return self.uint(0, width);
        }
        match self.op(a) {
            Op::Const(b) => {
                let b = b.sext(width);
                self.constant(b)
            }
            Op::Sext(x) => {
                let x = *x;
                self.sext(x, width)
            }
            Op::Zext(x) => {
                let x = *x;
                self.zext(x, width)
            }
            _ => self.intern(Op::Sext(a), width),
        }
    }
    /// Truncates or extends by signedness.
    pub fn resize(&mut self, a: NodeId, width: u32, signed: bool) -> NodeId {
        if signed { self.sext(a, width) } else { self.zext(a, width) }
    }
    /// A memory word.
    pub fn mem_read(&mut self, m: MemoryId, addr: NodeId) -> NodeId {
        self.intern(Op::MemRead(m, addr), self.memories[m.index()].width)
    }
    /// `a` with bits `lo ..` replaced by `v`.
    pub fn splice(&mut self, a: NodeId, lo: u32, v: NodeId) -> NodeId {
        let (w, vw) = (self.width(a), self.width(v));
        let high = self.slice(a, lo + vw, w - lo - vw);
        let low = self.slice(a, 0, lo);
        self.concat(&[high, v, low])
    }
    /// Whether a condition is 1: the or of its bits.
    pub fn truth(&mut self, a: NodeId) -> NodeId {
        if self.width(a) == 0 {
            return self.bool(false);
        }
        self.red_or(a)
    }
    /// Adds a signal without drivers.
    pub fn add_signal(&mut self, s: Signal) -> SignalId {
        self.signals.push(s);
        SignalId(self.signals.len() as u32 - 1)
    }
    /// `n` with every leaf replaced as `f` says (`None` keeps it).
    pub fn substitute(
        &mut self,
        n: NodeId,
        memo: &mut FxHashMap<NodeId, NodeId>,
        f: &mut dyn FnMut(&mut Design, NodeId) -> Option<NodeId>,
    ) -> NodeId {
        if let Some(&r) = memo.get(&n) {
            return r;
        }
        if let Some(r) = f(self, n) {
            memo.insert(n, r);
            return r;
        }
        use Op::*;
        let op = self.op(n).clone();
        let width = self.width(n);
        let mut go = |d: &mut Design, a: NodeId| d.substitute(a, memo, f);
        let r = match op {
            Const(_) | Signal(_) | Undef(_) | HighZ => n,
            Not(a) => {
                let a = go(self, a);
                self.not(a)
            }
            Neg(a) => {
                let a = go(self, a);
                self.neg(a)
            }
            RedAnd(a) => {
                let a = go(self, a);
                self.red_and(a)
            }
            RedOr(a) => {
                let a = go(self, a);
                self.red_or(a)
            }
            RedXor(a) => {
                let a = go(self, a);
                self.red_xor(a)
            }
            Zext(a) => {
                let a = go(self, a);
                self.zext(a, width)
            }
            Sext(a) => {
                let a = go(self, a);
                self.sext(a, width)
            }
            Slice(a, lo) => {
                let a = go(self, a);
                self.slice(a, lo, width)
            }
            MemRead(m, a) => {
                let a = go(self, a);
                self.mem_read(m, a)
            }
            Mux(c, t, e) => {
                let (c, t, e) = (go(self, c), go(self, t), go(self, e));
                self.mux(c, t, e)
            }
            Concat(parts) => {
                let parts: Vec<NodeId> = parts.iter().map(|p| go(self, *p)).collect();
                self.concat(&parts)
            }
            And(a, b)
            | Or(a, b)
            | Xor(a, b)
            | Add(a, b)
            | Sub(a, b)
            | Mul(a, b)
            | Udiv(a, b)
            | Urem(a, b)
            | Sdiv(a, b)
            | Srem(a, b)
            | Shl(a, b)
            | Lshr(a, b)
            | Ashr(a, b)
            | Eq(a, b)
            | Ult(a, b)
            | Slt(a, b) => {
                let (a, b) = (go(self, a), go(self, b));
                match op {
                    And(..) => self.and(a, b),
                    Or(..) => self.or(a, b),
                    Xor(..) => self.xor(a, b),
                    Add(..) => self.add(a, b),
                    Sub(..) => self.sub(a, b),
                    Mul(..) => self.mul(a, b),
                    Udiv(..) => self.udiv(a, b),
                    Urem(..) => self.urem(a, b),
                    Sdiv(..) => self.sdiv(a, b),
                    Srem(..) => self.srem(a, b),
                    Shl(..) => self.shl(a, b),
                    Lshr(..) => self.lshr(a, b),
                    Ashr(..) => self.ashr(a, b),
                    Eq(..) => self.eq(a, b),
                    Ult(..) => self.ult(a, b),
                    _ => self.slt(a, b),
                }
            }
        };
        memo.insert(n, r);
        r
    }
}
