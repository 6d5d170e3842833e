//! Expressions: their types, and their values in a context (IEEE 1800-2017 clause 11.6 to 11.8).
//!
//! `type_of` gives the self-determined type. `eval` computes the value in the width and sign the
//! context determined; self-determined operands start afresh.

use super::scope::Symbol;
use super::*;

fn bit() -> Rc<Ty> {
    Rc::new(Ty::bit(true))
}

impl<'a> Elab<'a> {
    /// The self-determined type of an expression.
    pub(super) fn type_of(&mut self, e: &'a Expr) -> Res<Rc<Ty>> {
        use ExprKind::*;
        Ok(match &e.kind {
            Number { bits, signed, .. } => Ty::vector(bits.width(), *signed, true),
            Fill(_) => bit(),
            Real(_) => Rc::new(Ty { kind: TyKind::Real, width: 64, signed: true, four_state: false }),
            Str(s) => Ty::vector(8 * s.chars().count().max(1) as u32, false, false),
            Ident(_) | Scoped(..) | Member(..) | Index(..) | Range(..) => self.select_type(e)?,
            Unary(op, a) => match op {
                UnaryOp::Plus | UnaryOp::Minus | UnaryOp::Not => {
                    let t = self.integral(a)?;
                    Ty::vector(t.width, t.signed, t.four_state)
                }
                _ => {
                    self.integral(a)?;
                    bit()
                }
            },
            Binary(op, a, b) => self.binary_type(*op, a, b)?,
            Cond(_, a, b) => {
                let (ta, tb) = (self.type_of(a)?, self.type_of(b)?);
                if ta == tb {
                    ta
                } else {
                    self.need_integral(&ta, a.span)?;
                    self.need_integral(&tb, b.span)?;
                    Ty::vector(ta.width.max(tb.width), ta.signed && tb.signed, ta.four_state || tb.four_state)
                }
            }
            Concat(items) => {
                let mut w = 0u64;
                for i in items {
                    w += self.concat_width(i)? as u64;
                }
                self.vector_checked(w, e.span)?
            }
            Repl(n, items) => {
                let n = self.const_int(n)?;
                if n < 0 {
                    return error(codes::E0311, format!("a replication count of {n}"), e.span, "must not be negative");
                }
                let mut w = 0u64;
                for i in items {
                    w += self.concat_width(i)? as u64;
                }
                self.vector_checked(w.saturating_mul(n as u64), e.span)?
            }
            Stream { items, .. } => {
                let mut w = 0u64;
                for i in items {
                    w += self.type_of(i)?.width as u64;
                }
                self.vector_checked(w, e.span)?
            }
            Call(f, args) => self.call_type(f, args, e.span)?,
            SysCall(name, args) => self.system_type(name, args, e.span)?,
            Cast(t, inner) => self.cast_type(t, inner)?,
            SignCast(signed, inner) => {
                let t = self.integral(inner)?;
                Ty::vector(t.width, *signed, t.four_state)
            }
            Pattern(Some(t), _) => match self.type_expr(t)? {
                Some(t) => t,
                None => {
                    return error(
                        codes::E0209,
                        "an assignment pattern's prefix is not a type",
                        t.span,
                        "type expected",
                    );
                }
            },
            Pattern(None, _) => {
                return error(codes::E0304, "an assignment pattern needs a type here", e.span, "write type'{…}");
            }
            Inside(..) => bit(),
            IncDec { target, .. } => self.type_of(target)?,
            Assign(target, _, _) => self.type_of(target)?,
            Dollar => return error(codes::E0405, "`$` is not supported here", e.span, "only as a bound"),
            ValueRange(..) => {
                return error(codes::E0106, "a value range stands where a value is needed", e.span, "only in a set");
            }
            Type(_) => return error(codes::E0213, "a type stands where a value is needed", e.span, "this is a type"),
            Unsupported(u) => return self.unsupported(u, e.span),
        })
    }
    fn vector_checked(&self, w: u64, span: Span) -> Res<Rc<Ty>> {
        if w > MAX_WIDTH {
            return error(codes::E0311, format!("{w} bits are more than this tool takes"), span, "too wide");
        }
        Ok(Ty::vector(w as u32, false, true))
    }
    fn concat_width(&mut self, e: &'a Expr) -> Res<u32> {
        if let ExprKind::Number { sized: false, .. } | ExprKind::Fill(_) = e.kind {
            return error(codes::E0310, "an unsized literal in a concatenation", e.span, "give it a size");
        }
        Ok(self.type_of(e)?.width)
    }
    fn need_integral(&self, t: &Ty, span: Span) -> Res<()> {
        if t.is_integral() {
            return Ok(());
        }
        if t.kind == TyKind::Real {
            return error(codes::E0411, "real arithmetic cannot become hardware", span, "real value");
        }
        error(codes::E0310, "an unpacked value stands where a vector is needed", span, "not a packed type")
    }
    fn integral(&mut self, e: &'a Expr) -> Res<Rc<Ty>> {
        let t = self.type_of(e)?;
        self.need_integral(&t, e.span)?;
        Ok(t)
    }
    /// Type of a name or select without evaluating its indices.
    fn select_type(&mut self, e: &'a Expr) -> Res<Rc<Ty>> {
        if let Some(sym) = self.symbol_of(e)? {
            return match sym {
                Symbol::Const(t, _) | Symbol::Local(t, _) => Ok(t),
                Symbol::Var(v) => Ok(self.ty(v)),
                Symbol::Subprogram(s, scope) => self.return_type(s, scope),
                Symbol::Unsupported(u, _) => self.unsupported(&u, e.span),
                Symbol::Real => Ok(Rc::new(Ty { kind: TyKind::Real, width: 64, signed: true, four_state: false })),
                Symbol::Type(_) => {
                    error(codes::E0213, "a type stands where a value is needed", e.span, "this is a type")
                }
                Symbol::Scope(_) | Symbol::Array(_) => error(
                    codes::E0213,
                    "an instance stands where a value is needed",
                    e.span,
                    "this is an instance or block",
                ),
            };
        }
        match &e.kind {
            ExprKind::Member(base, m) => {
                let t = self.type_of(base)?;
                if let TyKind::Struct { fields, .. } = &t.kind
                    && let Some(f) = fields.iter().find(|f| f.name == m.name)
                {
                    return Ok(f.ty.clone());
                }
                if matches!(t.kind, TyKind::Struct { .. }) {
                    return self.place(e).map(|p| p.ty);
                }
                self.method_type(&t, m)
            }
            ExprKind::Index(base, _) => {
                let t = self.type_of(base)?;
                Ok(Self::element(&t, e.span)?.2)
            }
            ExprKind::Range(base, kind, a, b) => {
                let t = self.type_of(base)?;
                let len = self.range_len_of(&t, *kind, a, b, e.span)?;
                Self::slice_type(&t, len, e.span)
            }
            _ => self.type_of(e),
        }
    }
    fn binary_type(&mut self, op: BinaryOp, a: &'a Expr, b: &'a Expr) -> Res<Rc<Ty>> {
        use BinaryOp::*;
        let (ta, tb) = (self.type_of(a)?, self.type_of(b)?);
        if matches!(op, Eq | Ne | CaseEq | CaseNe) {
            return Ok(bit());
        }
        self.need_integral(&ta, a.span)?;
        self.need_integral(&tb, b.span)?;
        let four_state = ta.four_state || tb.four_state || matches!(op, Div | Mod);
        Ok(match op {
            Add | Sub | Mul | Div | Mod | And | Or | Xor | Xnor => {
                Ty::vector(ta.width.max(tb.width), ta.signed && tb.signed, four_state)
            }
            Shl | Shr | AShl | AShr | Pow => Ty::vector(ta.width, ta.signed, four_state),
            _ => bit(),
        })
    }
    /// The type an expression names, if it names one (`int`, `foo_t`, `pkg::t`, `W`).
    pub(super) fn type_expr(&mut self, e: &'a Expr) -> Res<Option<Rc<Ty>>> {
        match &e.kind {
            ExprKind::Type(t) => self.resolve_type(t).map(Some),
            ExprKind::Ident(n) => Ok(match self.lookup(n) {
                Some(Symbol::Type(t)) => Some(t),
                _ => None,
            }),
            ExprKind::Scoped(s, n) => Ok(match self.lookup_scoped(s, n, e.span)? {
                Symbol::Type(t) => Some(t),
                _ => None,
            }),
            // `foo_t [3:0]` as a type argument parses as a select.
            ExprKind::Range(base, RangeKind::Plain, a, b) => match self.type_expr(base)? {
                Some(t) => {
                    let (left, right) = (self.const_int(a)?, self.const_int(b)?);
                    let width = t.width.saturating_mul(types::range_len(left, right).min(MAX_WIDTH) as u32);
                    let four_state = t.four_state;
                    let kind = TyKind::Array { packed: true, left, right, elem: t };
                    Ok(Some(Rc::new(Ty { kind, width, signed: false, four_state })))
                }
                None => Ok(None),
            },
            _ => Ok(None),
        }
    }
    fn cast_type(&mut self, t: &'a Expr, inner: &'a Expr) -> Res<Rc<Ty>> {
        if let Some(ty) = self.type_expr(t)? {
            return Ok(ty);
        }
        let n = self.const_int(t)?;
        if n < 1 || n as u64 > MAX_WIDTH {
            return error(codes::E0306, format!("a cast to {n} bits"), t.span, "size must be positive");
        }
        let it = self.integral(inner)?;
        Ok(Ty::vector(n as u32, it.signed, it.four_state))
    }
    /// The value as if assigned to a variable of type `ty`.
    pub(super) fn rvalue(&mut self, e: &'a Expr, ty: &Rc<Ty>) -> Res<NodeId> {
        if let ExprKind::Pattern(None, items) = &e.kind {
            return self.pattern(items, ty, e.span);
        }
        if let ExprKind::Cond(c, a, b) = &e.kind
            && (matches!(a.kind, ExprKind::Pattern(None, _))
                || matches!(b.kind, ExprKind::Pattern(None, _))
                || !ty.is_integral())
        {
            let c = self.condition(c)?;
            if let Some(c) = self.d.as_bool(c) {
                return self.rvalue(if c { a } else { b }, ty);
            }
            let (a, b) = (self.rvalue(a, ty)?, self.rvalue(b, ty)?);
            return Ok(self.d.mux(c, a, b));
        }
        if let ExprKind::Stream { .. } = e.kind {
            // A stream is left-aligned in a wider target (11.4.14.3).
            let t = self.type_of(e)?;
            let v = self.eval(e, t.width, false)?;
            if t.width > ty.width {
                return error(
                    codes::E0310,
                    format!("a stream of {} bits does not fit {} bits", t.width, ty.width),
                    e.span,
                    "too wide",
                );
            }
            let pad = self.d.uint(0, ty.width - t.width);
            return Ok(self.d.concat(&[v, pad]));
        }
        if ty.kind == TyKind::Str {
            let t = self.type_of(e)?;
            return self.eval(e, t.width, t.signed);
        }
        let t = self.type_of(e)?;
        if !ty.is_integral() || !t.is_integral() {
            if t.kind == TyKind::Real && ty.is_integral() {
                return self.real_to_int(e, ty.width);
            }
            if t.width != ty.width || ty.is_integral() != t.is_integral() {
                return error(
                    codes::E0310,
                    format!("a value of {} bits is assigned to an unpacked type of {} bits", t.width, ty.width),
                    e.span,
                    "types do not match",
                );
            }
            let p = self.place(e)?;
            return self.read(&p);
        }
        let w = t.width.max(ty.width);
        let v = self.eval(e, w, t.signed)?;
        Ok(self.d.zext(v, ty.width))
    }
    /// Constant reals are rounded to the nearest integer when assigned.
    fn real_to_int(&mut self, e: &'a Expr, width: u32) -> Res<NodeId> {
        match self.real_value(e) {
            Some(v) => Ok(self.d.constant(Bits::from_i64(v.round() as i64, width))),
            None => error(codes::E0411, "real arithmetic cannot become hardware", e.span, "real value"),
        }
    }
    fn real_value(&mut self, e: &'a Expr) -> Option<f64> {
        match &e.kind {
            ExprKind::Real(v) => Some(*v),
            ExprKind::Unary(UnaryOp::Minus, a) => self.real_value(a).map(|v| -v),
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.real_value(a)?, self.real_value(b)?);
                match op {
                    BinaryOp::Add => Some(a + b),
                    BinaryOp::Sub => Some(a - b),
                    BinaryOp::Mul => Some(a * b),
                    BinaryOp::Div => Some(a / b),
                    _ => None,
                }
            }
            _ => self.const_int(e).ok().map(|v| v as f64),
        }
    }
    /// The value in its own width.
    pub(super) fn eval_self(&mut self, e: &'a Expr) -> Res<NodeId> {
        let t = self.type_of(e)?;
        self.eval(e, t.width, t.signed)
    }
    /// Truth of a condition, one bit.
    pub(super) fn condition(&mut self, e: &'a Expr) -> Res<NodeId> {
        self.integral(e)?;
        let v = self.eval_self(e)?;
        Ok(self.d.truth(v))
    }
    /// The value in the context's width and sign; `width` is at least the expression's own, except
    /// that a self-determined value is resized to it.
    pub(super) fn eval(&mut self, e: &'a Expr, width: u32, signed: bool) -> Res<NodeId> {
        let saved = std::mem::replace(&mut self.d.here, e.span);
        let r = self.eval_inner(e, width, signed);
        self.d.here = saved;
        r
    }
    fn eval_inner(&mut self, e: &'a Expr, width: u32, signed: bool) -> Res<NodeId> {
        use ExprKind::*;
        let v = match &e.kind {
            Number { bits, sized, .. } => {
                let top_unknown = bits.is_unknown(bits.width() - 1);
                let b = if !sized && top_unknown && width > bits.width() {
                    bits.sext(width)
                } else {
                    bits.resize(width, signed)
                };
                return Ok(self.literal(&b));
            }
            Fill(b) => {
                let b = b.sext(width);
                return Ok(self.literal(&b));
            }
            Str(s) => {
                let mut b = Bits::zero(0);
                for c in s.chars() {
                    b = b.concat(&Bits::from_u64(c as u64 & 0xff, 8));
                }
                if s.is_empty() {
                    b = Bits::zero(8);
                }
                self.d.constant(b)
            }
            Ident(_) | Scoped(..) | Member(..) | Index(..) | Range(..) => {
                let p = self.place(e)?;
                self.read(&p)?
            }
            Unary(op, a) => return self.unary(*op, a, width, signed),
            Binary(op, a, b) => return self.binary(*op, a, b, width, signed),
            Cond(c, a, b) => {
                let c = self.condition(c)?;
                return match self.d.as_bool(c) {
                    Some(true) => self.eval(a, width, signed),
                    Some(false) => self.eval(b, width, signed),
                    None => {
                        // Branches may have side effects only through functions, which are pure
                        // but for assigned signals; both are evaluated.
                        let (a, b) = (self.eval(a, width, signed)?, self.eval(b, width, signed)?);
                        if self.d.as_const(c).is_some() {
                            // An unknown constant condition merges the arms.
                            return Ok(if a == b { a } else { self.x_value(width) });
                        }
                        Ok(self.d.mux(c, a, b))
                    }
                };
            }
            Concat(items) => self.concat_items(items)?,
            Repl(n, items) => {
                let n = self.const_int(n)?.max(0) as usize;
                self.type_of(e)?;
                let one = self.concat_items(items)?;
                self.d.concat(&vec![one; n])
            }
            Stream { reverse, slice, items } => self.stream(*reverse, slice.as_deref(), items, e.span)?,
            Call(f, args) => self.call_expr(f, args, e.span)?,
            SysCall(name, args) => self.system_call(name, args, e.span)?,
            Cast(t, inner) => {
                let ty = self.cast_type(t, inner)?;
                if self.type_expr(t)?.is_some() {
                    self.cast_value(inner, &ty)?
                } else {
                    // As if assigned to that many bits; the sign passes through (6.24.1).
                    let it = self.integral(inner)?;
                    let v = self.eval(inner, it.width.max(ty.width), it.signed)?;
                    self.d.zext(v, ty.width)
                }
            }
            SignCast(_, inner) => self.eval_self(inner)?,
            Pattern(Some(t), items) => {
                let Some(ty) = self.type_expr(t)? else {
                    return error(
                        codes::E0209,
                        "an assignment pattern's prefix is not a type",
                        t.span,
                        "type expected",
                    );
                };
                self.pattern(items, &ty, e.span)?
            }
            Inside(x, set) => self.inside(x, set)?,
            IncDec { target, increment, prefix } => {
                let p = self.place(target)?;
                let old = self.read(&p)?;
                let one = self.d.uint(1, p.ty.width);
                let new = if *increment { self.d.add(old, one) } else { self.d.sub(old, one) };
                self.write(&p, new, false, e.span)?;
                if *prefix { new } else { old }
            }
            Assign(target, op, rhs) => {
                self.assign(target, *op, rhs, false, e.span)?;
                self.eval_self(target)?
            }
            Real(_) => return error(codes::E0411, "real arithmetic cannot become hardware", e.span, "real literal"),
            Dollar | ValueRange(..) | Type(_) | Pattern(None, _) | Unsupported(_) => {
                self.type_of(e)?;
                return error(codes::E0213, "not a value", e.span, "value expected");
            }
        };
        Ok(self.d.resize(v, width, signed))
    }
    /// `type'(e)`: as an assignment for integral types, bit for bit for unpacked ones.
    fn cast_value(&mut self, inner: &'a Expr, ty: &Rc<Ty>) -> Res<NodeId> {
        if let ExprKind::Pattern(None, items) = &inner.kind {
            return self.pattern(items, ty, inner.span);
        }
        if let ExprKind::Stream { .. } = inner.kind {
            return self.rvalue(inner, ty);
        }
        let it = self.type_of(inner)?;
        if it.kind == TyKind::Real {
            return self.real_to_int(inner, ty.width);
        }
        if ty.is_integral() && it.is_integral() {
            return self.rvalue(inner, ty);
        }
        let p = self.place(inner)?;
        let v = self.read(&p)?;
        if !(ty.is_integral() && it.is_integral()) && it.width != ty.width {
            return error(
                codes::E0306,
                format!("a bit-stream cast from {} to {} bits", it.width, ty.width),
                inner.span,
                "widths differ",
            );
        }
        Ok(self.d.resize(v, ty.width, it.signed))
    }
    fn concat_items(&mut self, items: &'a [Expr]) -> Res<NodeId> {
        let mut parts = Vec::with_capacity(items.len());
        for i in items {
            self.concat_width(i)?;
            let t = self.type_of(i)?;
            let v = if t.is_integral() {
                self.eval(i, t.width, t.signed)?
            } else {
                let p = self.place(i)?;
                self.read(&p)?
            };
            parts.push(v);
        }
        Ok(self.d.concat(&parts))
    }
    /// `{<< n {…}}` reverses blocks of n bits, `{>> …}` only joins.
    fn stream(&mut self, reverse: bool, slice: Option<&'a Expr>, items: &'a [Expr], span: Span) -> Res<NodeId> {
        let mut parts = Vec::new();
        for i in items {
            let p = self.place(i)?;
            parts.push(self.read(&p)?);
        }
        let all = self.d.concat(&parts);
        if !reverse {
            return Ok(all);
        }
        let n = match slice {
            None => 1,
            Some(s) => match self.type_expr(s)? {
                Some(t) => t.width as i64,
                None => self.const_int(s)?,
            },
        };
        if n < 1 {
            return error(codes::E0311, format!("a stream slice of {n} bits"), span, "must be positive");
        }
        let (w, n) = (self.d.width(all), n.min(u32::MAX as i64) as u32);
        let mut blocks = Vec::new();
        let mut lo = 0;
        while lo < w {
            let len = n.min(w - lo);
            blocks.push(self.d.slice(all, lo, len));
            lo += len;
        }
        Ok(self.d.concat(&blocks))
    }
    fn unary(&mut self, op: UnaryOp, a: &'a Expr, width: u32, signed: bool) -> Res<NodeId> {
        use UnaryOp::*;
        match op {
            Plus => return self.eval(a, width, signed),
            Minus => {
                let v = self.eval(a, width, signed)?;
                return Ok(self.d.neg(v));
            }
            Not => {
                let v = self.eval(a, width, signed)?;
                return Ok(self.d.not(v));
            }
            _ => {}
        }
        self.integral(a)?;
        let v = self.eval_self(a)?;
        let r = match op {
            LogicalNot | RedNor => self.d.truth(v),
            RedAnd | RedNand => self.d.red_and(v),
            RedOr => self.d.red_or(v),
            _ => self.d.red_xor(v),
        };
        let r = if matches!(op, LogicalNot | RedNor | RedNand | RedXnor) { self.d.not(r) } else { r };
        Ok(self.d.zext(r, width))
    }
    fn binary(&mut self, op: BinaryOp, a: &'a Expr, b: &'a Expr, width: u32, signed: bool) -> Res<NodeId> {
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
                    Shl | AShl => self.d.shl(x, n),
                    AShr if signed => self.d.ashr(x, n),
                    _ => self.d.lshr(x, n),
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
                match (op, self.d.as_bool(x)) {
                    (LogicalAnd, Some(false)) => return Ok(self.d.uint(0, width)),
                    (LogicalOr, Some(true)) | (Implies, Some(false)) => return Ok(self.d.uint(1, width)),
                    _ => {}
                }
                let y = self.condition(b)?;
                match op {
                    LogicalAnd => self.d.and(x, y),
                    LogicalOr => self.d.or(x, y),
                    Implies => {
                        let n = self.d.not(x);
                        self.d.or(n, y)
                    }
                    _ => self.d.eq(x, y),
                }
            }
            Eq | Ne | CaseEq | CaseNe | Lt | Le | Gt | Ge => {
                let (x, y, s) = self.compare_operands(a, b)?;
                let (r, negate) = match op {
                    Lt | Ge => (if s { self.d.slt(x, y) } else { self.d.ult(x, y) }, op == Ge),
                    Gt | Le => (if s { self.d.slt(y, x) } else { self.d.ult(y, x) }, op == Le),
                    CaseEq | CaseNe => match (self.d.as_const(x), self.d.as_const(y)) {
                        // Of constants unknown bits are compared as such.
                        (Some(p), Some(q)) => {
                            let same = p == q;
                            (self.d.bool(same), op == CaseNe)
                        }
                        _ => (self.d.eq(x, y), op == CaseNe),
                    },
                    _ => (self.d.eq(x, y), op == Ne),
                };
                if negate { self.d.not(r) } else { r }
            }
            WildEq | WildNe => {
                let r = self.wild_equal(a, b)?;
                if op == WildNe { self.d.not(r) } else { r }
            }
        };
        Ok(self.d.zext(r, width))
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
        let saved = std::mem::replace(&mut self.const_mode, true);
        let y = self.eval(b, w, s);
        self.const_mode = saved;
        let y = y?;
        match self.d.as_const(y).cloned() {
            Some(pattern) => Ok(self.match_bits(x, &pattern, |p, i| p.is_unknown(i))),
            None => {
                let y = self.eval(b, w, s)?;
                Ok(self.d.eq(x, y))
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
                return self.d.bool(false);
            }
            xs.push(self.d.slice(x, i, 1));
            ps = ps.concat(&Bits::from_bool(pattern.bit(i)));
        }
        let xs = self.d.concat(&xs);
        let ps = self.d.constant(ps);
        self.d.eq(xs, ps)
    }
    /// `x inside {…}`.
    fn inside(&mut self, x: &'a Expr, set: &'a [Expr]) -> Res<NodeId> {
        let mut any = self.d.bool(false);
        for m in set {
            let hit = self.inside_member(x, m)?;
            any = self.d.or(any, hit);
        }
        Ok(any)
    }
    pub(super) fn inside_member(&mut self, x: &'a Expr, m: &'a Expr) -> Res<NodeId> {
        if let ExprKind::ValueRange(a, b) = &m.kind {
            let mut hit = self.d.bool(true);
            if !matches!(a.kind, ExprKind::Dollar) {
                let (v, lo, s) = self.compare_operands(x, a)?;
                let below = if s { self.d.slt(v, lo) } else { self.d.ult(v, lo) };
                hit = self.d.not(below);
            }
            if !matches!(b.kind, ExprKind::Dollar) {
                let (v, hi, s) = self.compare_operands(x, b)?;
                let above = if s { self.d.slt(hi, v) } else { self.d.ult(hi, v) };
                let ok = self.d.not(above);
                hit = self.d.and(hit, ok);
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
            let mut any = self.d.bool(false);
            for k in 0..t.width / elem.width.max(1) {
                let y = self.d.slice(all, k * elem.width, elem.width);
                let y = self.d.resize(y, w, s);
                let hit = self.d.eq(v, y);
                any = self.d.or(any, hit);
            }
            return Ok(any);
        }
        self.wild_equal(x, m)
    }
    /// Arithmetic and bitwise operators on values of one width.
    pub(super) fn arith(&mut self, op: BinaryOp, x: NodeId, y: NodeId, signed: bool) -> NodeId {
        use BinaryOp::*;
        match op {
            Add => self.d.add(x, y),
            Sub => self.d.sub(x, y),
            Mul => self.d.mul(x, y),
            And => self.d.and(x, y),
            Or => self.d.or(x, y),
            Xor => self.d.xor(x, y),
            Xnor => {
                let r = self.d.xor(x, y);
                self.d.not(r)
            }
            Div | Mod => {
                let w = self.d.width(x);
                let r = match (op, signed) {
                    (Div, false) => self.d.udiv(x, y),
                    (Div, true) => self.d.sdiv(x, y),
                    (_, false) => self.d.urem(x, y),
                    (_, true) => self.d.srem(x, y),
                };
                // Division by zero is unknown.
                let zero = self.d.uint(0, w);
                let by_zero = self.d.eq(y, zero);
                if self.d.as_bool(by_zero) == Some(false) {
                    return r;
                }
                let x = self.x_value(w);
                self.d.mux(by_zero, x, r)
            }
            Shl | AShl => self.d.shl(x, y),
            AShr if signed => self.d.ashr(x, y),
            Shr | AShr => self.d.lshr(x, y),
            _ => unreachable!("only operators that an assignment can carry"),
        }
    }
    /// `x ** n`, expanded by squaring.
    fn power(&mut self, x: NodeId, n: NodeId, signed: bool, exp_signed: bool) -> Res<NodeId> {
        let w = self.d.width(x);
        if let (Some(a), Some(b)) = (self.d.as_const(x), self.d.as_const(n)) {
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
            return Ok(self.literal(&r));
        }
        let nw = self.d.width(n);
        let mut result = self.d.uint(1, w);
        let mut square = x;
        for i in 0..nw {
            let bit = self.d.slice(n, i, 1);
            let times = self.d.mul(result, square);
            result = self.d.mux(bit, times, result);
            if i + 1 < nw {
                square = self.d.mul(square, square);
            }
        }
        if !exp_signed {
            return Ok(result);
        }
        // Negative exponents (table 11-4).
        let negative = self.d.slice(n, nw - 1, 1);
        let one = self.d.uint(1, w);
        let zero = self.d.uint(0, w);
        let unknown = self.x_value(w);
        let is_zero = self.d.eq(x, zero);
        let is_one = self.d.eq(x, one);
        let mut small = self.d.mux(is_one, one, zero);
        if signed {
            let ones = self.d.constant(Bits::ones(w));
            let is_minus = self.d.eq(x, ones);
            let odd = self.d.slice(n, 0, 1);
            let value = self.d.mux(odd, ones, one);
            small = self.d.mux(is_minus, value, small);
        }
        let small = self.d.mux(is_zero, unknown, small);
        Ok(self.d.mux(negative, small, result))
    }
}
