//! Operators on values: arithmetic, comparison, wildcard equality, membership and powers.

use super::*;

impl<'a> Elab<'a> {
    pub(super) fn unary(&mut self, op: UnaryOp, a: &'a Expr, width: u32, signed: bool) -> Res<NodeId> {
        use UnaryOp::*;
        match op {
            Plus => return self.eval(a, width, signed),
            Minus => {
                let v = self.eval(a, width, signed)?;
                return Ok(self.m.d.neg(v));
            }
            Not => {
                let v = self.eval(a, width, signed)?;
                return Ok(self.m.d.not(v));
            }
            _ => {}
        }
        self.integral(a)?;
        let v = self.eval_self(a)?;
        let r = match op {
            LogicalNot | RedNor => self.m.d.truth(v),
            RedAnd | RedNand => self.m.d.red_and(v),
            RedOr => self.m.d.red_or(v),
            _ => self.m.d.red_xor(v),
        };
        let r = if matches!(op, LogicalNot | RedNor | RedNand | RedXnor) { self.m.d.not(r) } else { r };
        Ok(self.m.d.zext(r, width))
    }

    pub(super) fn binary(&mut self, op: BinaryOp, a: &'a Expr, b: &'a Expr, width: u32, signed: bool) -> Res<NodeId> {
        use BinaryOp::*;
        let r = match op {
            Add | Sub | Mul | Div | Mod | And | Or | Xor | Xnor => {
                let (x, y) = (self.eval(a, width, signed)?, self.eval(b, width, signed)?);
                return Ok(self.arith(op, x, y, signed));
            }
            Shl | AShl | Shr | AShr => {
                let x = self.eval(a, width, signed)?;
                let n = self.eval_self(b)?;
                return Ok(match op {
                    Shl | AShl => self.m.d.shl(x, n),
                    AShr if signed => self.m.d.ashr(x, n),
                    _ => self.m.d.lshr(x, n),
                });
            }
            Pow => {
                let x = self.eval(a, width, signed)?;
                let tb = self.integral(b)?;
                let n = self.eval_self(b)?;
                return self.power(x, n, signed, tb.signed);
            }
            LogicalAnd | LogicalOr | Implies | Iff => {
                let x = self.condition(a)?;
                // A constant left side decides alone; the right side may not even be legal then.
                match (op, self.m.d.as_bool(x)) {
                    (LogicalAnd, Some(false)) => return Ok(self.m.d.uint(0, width)),
                    (LogicalOr, Some(true)) | (Implies, Some(false)) => return Ok(self.m.d.uint(1, width)),
                    _ => {}
                }
                let y = self.condition(b)?;
                match op {
                    LogicalAnd => self.m.d.and(x, y),
                    LogicalOr => self.m.d.or(x, y),
                    Implies => {
                        let n = self.m.d.not(x);
                        self.m.d.or(n, y)
                    }
                    _ => self.m.d.eq(x, y),
                }
            }
            Eq | Ne | CaseEq | CaseNe | Lt | Le | Gt | Ge => {
                let (x, y, s) = self.compare_operands(a, b)?;
                let (r, negate) = match op {
                    Lt | Ge => (if s { self.m.d.slt(x, y) } else { self.m.d.ult(x, y) }, op == Ge),
                    Gt | Le => (if s { self.m.d.slt(y, x) } else { self.m.d.ult(y, x) }, op == Le),
                    CaseEq | CaseNe => match (self.m.d.as_const(x), self.m.d.as_const(y)) {
                        // Of constants unknown bits are compared as such.
                        (Some(p), Some(q)) => {
                            let same = p == q;
                            (self.m.d.bool(same), op == CaseNe)
                        }
                        _ => (self.m.d.eq(x, y), op == CaseNe),
                    },
                    _ => (self.m.d.eq(x, y), op == Ne),
                };
                if negate { self.m.d.not(r) } else { r }
            }
            WildEq | WildNe => {
                let r = self.wild_equal(a, b)?;
                if op == WildNe { self.m.d.not(r) } else { r }
            }
        };
        Ok(self.m.d.zext(r, width))
    }

    /// Two operands of a comparison in their common width, and whether it is signed.
    fn compare_operands(&mut self, a: &'a Expr, b: &'a Expr) -> Res<(NodeId, NodeId, bool)> {
        // A pattern takes the other side's type.
        if let ExprKind::Pattern(None, items) = &b.kind {
            let t = self.type_of(a)?;
            let p = self.place(a)?;
            let (x, y) = (self.read(&p)?, self.pattern(items, &t, b.span)?);
            return Ok((x, y, false));
        }
        let (ta, tb) = (self.type_of(a)?, self.type_of(b)?);
        if !ta.is_integral() || !tb.is_integral() {
            if ta.width != tb.width {
                return error(
                    codes::E0310,
                    "values of different types are compared",
                    a.span.join(b.span),
                    "widths differ",
                );
            }
            let (pa, pb) = (self.place(a)?, self.place(b)?);
            return Ok((self.read(&pa)?, self.read(&pb)?, false));
        }
        let w = ta.width.max(tb.width);
        let s = ta.signed && tb.signed;
        Ok((self.eval(a, w, s)?, self.eval(b, w, s)?, s))
    }

    /// `a ==? b`: unknown bits of a constant `b` match anything.
    fn wild_equal(&mut self, a: &'a Expr, b: &'a Expr) -> Res<NodeId> {
        let (ta, tb) = (self.integral(a)?, self.integral(b)?);
        let (w, s) = (ta.width.max(tb.width), ta.signed && tb.signed);
        let x = self.eval(a, w, s)?;
        let saved = std::mem::replace(&mut self.m.const_mode, true);
        let y = self.eval(b, w, s);
        self.m.const_mode = saved;
        let y = y?;
        match self.m.d.as_const(y).cloned() {
            Some(pattern) => Ok(self.match_bits(x, &pattern, |p, i| p.is_unknown(i))),
            None => {
                let y = self.eval(b, w, s)?;
                Ok(self.m.d.eq(x, y))
            }
        }
    }

    /// Whether `x` equals `pattern` on the bits that are not wild.
    pub(super) fn match_bits(&mut self, x: NodeId, pattern: &Bits, wild: impl Fn(&Bits, u32) -> bool) -> NodeId {
        let (mut xs, mut ps) = (Vec::new(), Bits::zero(0));
        for i in (0..pattern.width()).rev() {
            if wild(pattern, i) {
                continue;
            }
            if pattern.is_unknown(i) {
                // An unknown that is no wildcard equals no two-valued bit.
                return self.m.d.bool(false);
            }
            xs.push(self.m.d.slice(x, i, 1));
            ps = ps.concat(&Bits::from_bool(pattern.bit(i)));
        }
        let xs = self.m.d.concat(&xs);
        let ps = self.m.d.constant(ps);
        self.m.d.eq(xs, ps)
    }

    /// `x inside {…}`.
    pub(super) fn inside(&mut self, x: &'a Expr, set: &'a [Expr]) -> Res<NodeId> {
        let mut any = self.m.d.bool(false);
        for m in set {
            let hit = self.inside_member(x, m)?;
            any = self.m.d.or(any, hit);
        }
        Ok(any)
    }

    pub(super) fn inside_member(&mut self, x: &'a Expr, m: &'a Expr) -> Res<NodeId> {
        if let ExprKind::ValueRange(a, b) = &m.kind {
            let mut hit = self.m.d.bool(true);
            if !matches!(a.kind, ExprKind::Dollar) {
                let (v, lo, s) = self.compare_operands(x, a)?;
                let below = if s { self.m.d.slt(v, lo) } else { self.m.d.ult(v, lo) };
                hit = self.m.d.not(below);
            }
            if !matches!(b.kind, ExprKind::Dollar) {
                let (v, hi, s) = self.compare_operands(x, b)?;
                let above = if s { self.m.d.slt(hi, v) } else { self.m.d.ult(hi, v) };
                let ok = self.m.d.not(above);
                hit = self.m.d.and(hit, ok);
            }
            return Ok(hit);
        }
        // An unpacked array stands for its elements.
        let t = self.type_of(m)?;
        if let TyKind::Array { packed: false, .. } = t.kind {
            let p = self.place(m)?;
            let all = self.read(&p)?;
            let (_, _, elem) = Self::element(&t, m.span)?;
            let tx = self.integral(x)?;
            let w = tx.width.max(elem.width);
            let s = tx.signed && elem.signed;
            let v = self.eval(x, w, s)?;
            let mut any = self.m.d.bool(false);
            for k in 0..t.width / elem.width.max(1) {
                let y = self.m.d.slice(all, k * elem.width, elem.width);
                let y = self.m.d.resize(y, w, s);
                let hit = self.m.d.eq(v, y);
                any = self.m.d.or(any, hit);
            }
            return Ok(any);
        }
        self.wild_equal(x, m)
    }

    /// Arithmetic and bitwise operators on values of one width.
    pub(super) fn arith(&mut self, op: BinaryOp, x: NodeId, y: NodeId, signed: bool) -> NodeId {
        use BinaryOp::*;
        match op {
            Add => self.m.d.add(x, y),
            Sub => self.m.d.sub(x, y),
            Mul => self.m.d.mul(x, y),
            And => self.m.d.and(x, y),
            Or => self.m.d.or(x, y),
            Xor => self.m.d.xor(x, y),
            Xnor => {
                let r = self.m.d.xor(x, y);
                self.m.d.not(r)
            }
            Div | Mod => {
                let w = self.m.d.width(x);
                let r = match (op, signed) {
                    (Div, false) => self.m.d.udiv(x, y),
                    (Div, true) => self.m.d.sdiv(x, y),
                    (_, false) => self.m.d.urem(x, y),
                    (_, true) => self.m.d.srem(x, y),
                };
                // Division by zero is unknown.
                let zero = self.m.d.uint(0, w);
                let by_zero = self.m.d.eq(y, zero);
                if self.m.d.as_bool(by_zero) == Some(false) {
                    return r;
                }
                let x = self.m.x_value(w);
                self.m.d.mux(by_zero, x, r)
            }
            Shl | AShl => self.m.d.shl(x, y),
            AShr if signed => self.m.d.ashr(x, y),
            Shr | AShr => self.m.d.lshr(x, y),
            _ => unreachable!("only operators that an assignment can carry"),
        }
    }

    /// `x ** n`, expanded by squaring.
    fn power(&mut self, x: NodeId, n: NodeId, signed: bool, exp_signed: bool) -> Res<NodeId> {
        let w = self.m.d.width(x);
        if let (Some(a), Some(b)) = (self.m.d.as_const(x), self.m.d.as_const(n)) {
            let negative = exp_signed && b.width() > 0 && b.bit(b.width() - 1);
            let r = if negative && !signed {
                // An unsigned base with a negative exponent: 0 but for bases 0 and 1.
                if a.is_zero() {
                    Bits::x(w)
                } else if *a == Bits::from_u64(1, w) {
                    a.clone()
                } else {
                    Bits::zero(w)
                }
            } else {
                a.pow(b, exp_signed)
            };
            return Ok(self.m.literal(&r));
        }
        let nw = self.m.d.width(n);
        let mut result = self.m.d.uint(1, w);
        let mut square = x;
        for i in 0..nw {
            let bit = self.m.d.slice(n, i, 1);
            let times = self.m.d.mul(result, square);
            result = self.m.d.mux(bit, times, result);
            if i + 1 < nw {
                square = self.m.d.mul(square, square);
            }
        }
        if !exp_signed {
            return Ok(result);
        }
        // Negative exponents (table 11-4).
        let negative = self.m.d.slice(n, nw - 1, 1);
        let one = self.m.d.uint(1, w);
        let zero = self.m.d.uint(0, w);
        let unknown = self.m.x_value(w);
        let is_zero = self.m.d.eq(x, zero);
        let is_one = self.m.d.eq(x, one);
        let mut small = self.m.d.mux(is_one, one, zero);
        if signed {
            let ones = self.m.d.constant(Bits::ones(w));
            let is_minus = self.m.d.eq(x, ones);
            let odd = self.m.d.slice(n, 0, 1);
            let value = self.m.d.mux(odd, ones, one);
            small = self.m.d.mux(is_minus, value, small);
        }
        let small = self.m.d.mux(is_zero, unknown, small);
        Ok(self.m.d.mux(negative, small, result))
    }
}
