//! Expressions: their values in a context (IEEE 1800-2017 clause 11.6 to 11.8).
//!
//! `eval` computes the value in the width and sign the context determined; self-determined operands
//! start afresh with the type `typing` gives them.

use super::*;

impl<'a> Elab<'a> {
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
            if let Some(c) = self.m.d.as_bool(c) {
                return self.rvalue(if c { a } else { b }, ty);
            }
            let (a, b) = (self.rvalue(a, ty)?, self.rvalue(b, ty)?);
            return Ok(self.m.d.mux(c, a, b));
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
            let pad = self.m.d.uint(0, ty.width - t.width);
            return Ok(self.m.d.concat(&[v, pad]));
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
        Ok(self.m.d.zext(v, ty.width))
    }

    /// Constant reals are rounded to the nearest integer when assigned.
    fn real_to_int(&mut self, e: &'a Expr, width: u32) -> Res<NodeId> {
        match self.real_value(e) {
            Some(v) => Ok(self.m.d.constant(Bits::from_i64(v.round() as i64, width))),
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
        Ok(self.m.d.truth(v))
    }

    /// The value in the context's width and sign; `width` is at least the expression's own, except
    /// that a self-determined value is resized to it.
    pub(super) fn eval(&mut self, e: &'a Expr, width: u32, signed: bool) -> Res<NodeId> {
        if let Some((actual, s)) = self.alias(e) {
            return self.in_scope(s, |el| el.eval(actual, width, signed));
        }
        let saved = std::mem::replace(&mut self.m.d.here, e.span);
        let r = self.eval_inner(e, width, signed);
        self.m.d.here = saved;
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
                return Ok(self.m.literal(&b));
            }
            Fill(b) => {
                let b = b.sext(width);
                return Ok(self.m.literal(&b));
            }
            Str(s) => {
                let mut b = Bits::zero(0);
                for c in s.chars() {
                    b = b.concat(&Bits::from_u64(c as u64 & 0xff, 8));
                }
                if s.is_empty() {
                    b = Bits::zero(8);
                }
                self.m.d.constant(b)
            }
            Ident(_) | Scoped(..) | Member(..) | Index(..) | Range(..) => {
                let p = self.place(e)?;
                self.read(&p)?
            }
            Unary(op, a) => return self.unary(*op, a, width, signed),
            Binary(op, a, b) => return self.binary(*op, a, b, width, signed),
            Cond(c, a, b) => {
                let c = self.condition(c)?;
                return match self.m.d.as_bool(c) {
                    Some(true) => self.eval(a, width, signed),
                    Some(false) => self.eval(b, width, signed),
                    None => {
                        // Branches may have side effects only through functions, which are pure
                        // but for assigned signals; both are evaluated.
                        let (a, b) = (self.eval(a, width, signed)?, self.eval(b, width, signed)?);
                        if self.m.d.as_const(c).is_some() {
                            // An unknown constant condition merges the arms.
                            return Ok(if a == b { a } else { self.m.x_value(width) });
                        }
                        Ok(self.m.d.mux(c, a, b))
                    }
                };
            }
            Concat(items) => self.concat_items(items)?,
            Repl(n, items) => {
                let n = self.const_int(n)?.max(0) as usize;
                self.type_of(e)?;
                let one = self.concat_items(items)?;
                self.m.d.concat(&vec![one; n])
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
                    self.m.d.zext(v, ty.width)
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
                let one = self.m.d.uint(1, p.ty.width);
                let new = if *increment { self.m.d.add(old, one) } else { self.m.d.sub(old, one) };
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
        Ok(self.m.d.resize(v, width, signed))
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
        Ok(self.m.d.resize(v, ty.width, it.signed))
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
        Ok(self.m.d.concat(&parts))
    }

    /// `{<< n {…}}` reverses blocks of n bits, `{>> …}` only joins.
    fn stream(&mut self, reverse: bool, slice: Option<&'a Expr>, items: &'a [Expr], span: Span) -> Res<NodeId> {
        let mut parts = Vec::new();
        for i in items {
            let p = self.place(i)?;
            parts.push(self.read(&p)?);
        }
        let all = self.m.d.concat(&parts);
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
        let (w, n) = (self.m.d.width(all), n.min(u32::MAX as i64) as u32);
        let mut blocks = Vec::new();
        let mut lo = 0;
        while lo < w {
            let len = n.min(w - lo);
            blocks.push(self.m.d.slice(all, lo, len));
            lo += len;
        }
        Ok(self.m.d.concat(&blocks))
    }
}
