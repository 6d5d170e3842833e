//! Expressions into values. The wanted type is known from the context where VHDL needs it:
//! literals, aggregates and overloaded names.

use super::types::int_bits;
use super::*;

impl<'a> Elab<'a> {
    /// The value of an expression as an object of a type: ranges are obliged, lengths must agree.
    pub(super) fn eval_as(&mut self, e: &'a Expr, ty: &Rc<Ty>) -> Res<Val> {
        let v = self.eval(e, Some(ty))?;
        self.convert(v, ty, e.span)
    }

    pub(super) fn eval(&mut self, e: &'a Expr, want: Option<&Rc<Ty>>) -> Res<Val> {
        let saved = std::mem::replace(&mut self.m.d.here, e.span);
        let r = self.eval_inner(e, want);
        self.m.d.here = saved;
        r
    }

    fn eval_inner(&mut self, e: &'a Expr, want: Option<&Rc<Ty>>) -> Res<Val> {
        match &e.kind {
            ExprKind::Int(v) => match want.map(|t| &t.kind) {
                Some(TyKind::Real) => Ok(self.real(*v as f64)),
                _ => Ok(self.int_const(*v)),
            },
            ExprKind::Real(r) => Ok(self.real(*r)),
            ExprKind::Physical(v, unit, name) => {
                let scale = match unit {
                    Some(u) => match self.lookup(*u, e.span)? {
                        Symbol::Unit(s) => s,
                        _ => return self.unsupported(&format!("the unit `{name}`"), e.span),
                    },
                    None => return self.unsupported(&format!("the unit `{name}`"), e.span),
                };
                let ty = Rc::new(Ty { kind: TyKind::Physical, width: 64 });
                let node = self.m.d.constant(int_bits((v * scale).round() as i128, 64));
                Ok(Val { ty, node })
            }
            ExprKind::Str(s) => self.string(s, want, e.span),
            ExprKind::BitStr { length, base, signed, digits } => {
                let chars = self.bit_string(*length, *base, *signed, digits, e.span)?;
                self.string(&chars, want, e.span)
            }
            ExprKind::Char(c) => {
                let Some(ty) = want else {
                    return error(codes::E0309, "the type of the character is not known here", e.span, "literal");
                };
                let TyKind::Enum { def, .. } = &ty.kind else {
                    return error(codes::E0310, "a character for something else", e.span, "literal");
                };
                let b = self.character(*c, def, ty.width, e.span)?;
                Ok(Val { node: self.m.literal(&b), ty: ty.clone() })
            }
            ExprKind::Null => self.unsupported("an access value", e.span),
            ExprKind::Name(n) => self.name_value(n, want),
            ExprKind::Unary(op, ent, a) => self.unary(*op, *ent, a, want, e.span),
            ExprKind::Binary(op, ent, a, b) => self.binary(*op, *ent, a, b, want, e.span),
            ExprKind::Aggregate(list) => {
                let Some(ty) = want else {
                    return error(codes::E0310, "the type of the aggregate is not known here", e.span, "aggregate");
                };
                self.aggregate(list, &ty.clone(), e.span)
            }
            ExprKind::Qualified(mark, inner) => {
                let ty = self.type_mark(mark)?;
                self.eval_as(inner, &ty)
            }
            ExprKind::When(arms, other) => {
                let mut chain = Vec::new();
                for (value, cond) in arms.iter().map(|(c, v)| (v, c)) {
                    chain.push((self.condition(cond)?, self.eval(value, want)?));
                }
                let Some(last) = other else {
                    return self.unsupported("a conditional expression without else", e.span);
                };
                let mut out = self.eval(last, want)?;
                for (c, v) in chain.into_iter().rev() {
                    out = self.mux(c, v, out, e.span)?;
                }
                Ok(out)
            }
            ExprKind::Unsupported(what) => self.unsupported(what, e.span),
        }
    }

    pub(super) fn real(&mut self, r: f64) -> Val {
        let ty = Rc::new(Ty { kind: TyKind::Real, width: 64 });
        Val { node: self.m.d.constant(Bits::from_u64(r.to_bits(), 64)), ty }
    }

    pub(super) fn as_real(&self, v: &Val) -> Option<f64> {
        match v.ty.kind {
            TyKind::Real => self.m.d.as_const(v.node)?.to_u64().map(f64::from_bits),
            TyKind::Int { .. } => self.as_int(v).map(|i| i as f64),
            _ => None,
        }
    }

    /// One of two values of one type; integers take an interval that holds both.
    pub(super) fn mux(&mut self, c: NodeId, a: Val, b: Val, span: Span) -> Res<Val> {
        match self.m.d.as_bool(c) {
            Some(true) => return Ok(a),
            Some(false) => return Ok(b),
            None => {}
        }
        if let (Some((al, ah)), Some((bl, bh))) = (a.ty.interval(), b.ty.interval()) {
            let ty = Ty::int(al.min(bl), ah.max(bh));
            let (x, y) = (self.int_node(&a, ty.width), self.int_node(&b, ty.width));
            return Ok(Val { node: self.m.d.mux(c, x, y), ty });
        }
        if a.ty.width != b.ty.width {
            let text = format!("values of {} and {} bits cannot be chosen between", a.ty.width, b.ty.width);
            return error(codes::E0310, text, span, "different lengths");
        }
        let ty = self.common_bounds(c, &a, &b)?;
        Ok(Val { node: self.m.d.mux(c, a.node, b.node), ty })
    }

    /// The type of one of two arrays of one length: its bounds are those of the one that is chosen.
    pub(super) fn common_bounds(&mut self, c: NodeId, a: &Val, b: &Val) -> Res<Rc<Ty>> {
        let (TyKind::Array { def, dims: Some(da), elem }, Some(db)) = (&a.ty.kind, b.ty.dims()) else {
            return Ok(a.ty.clone());
        };
        if da.as_slice() == db || da.len() != db.len() {
            return Ok(a.ty.clone());
        }
        let mut dims = Vec::new();
        for (x, y) in da.clone().into_iter().zip(db.to_vec()) {
            dims.push(if x == y {
                x
            } else if x.down == y.down && x.base != Some(types::UNKNOWN) && y.base != Some(types::UNKNOWN) {
                let (low, other) = (self.bound(x, x.low(), Span::NONE)?, self.bound(y, y.low(), Span::NONE)?);
                let low = self.mux(c, low, other, Span::NONE)?;
                self.moving_dim(low, x.len() as i128, x.down)
            } else {
                types::Dim { base: Some(types::UNKNOWN), ..x }
            });
        }
        Ok(Ty::array(def.clone(), Some(dims), elem.clone()))
    }

    /// A condition, with `??` applied to what is not a boolean.
    pub(super) fn condition(&mut self, e: &'a Expr) -> Res<NodeId> {
        let want = self.boolean();
        let v = self.eval(e, Some(&want))?;
        if v.ty.width != 1 {
            return error(codes::E0310, "the condition is not a truth value", e.span, "condition");
        }
        Ok(v.node)
    }

    pub(super) fn constant_condition(&mut self, e: &'a Expr) -> Res<bool> {
        let n = self.constantly(|x| x.condition(e))?;
        self.m.d.as_bool(n).ok_or_else(|| {
            Box::new(Diagnostic::error(codes::E0301, "the condition is not constant").at(e.span, "depends on a signal"))
        })
    }

    /// Evaluates with literals kept as they are.
    pub(super) fn constantly<T>(&mut self, f: impl FnOnce(&mut Self) -> Res<T>) -> Res<T> {
        let saved = std::mem::replace(&mut self.m.const_mode, true);
        let r = f(self);
        self.m.const_mode = saved;
        r
    }

    pub(super) fn const_int(&mut self, e: &'a Expr) -> Res<i128> {
        let v = self.constantly(|x| x.eval(e, None))?;
        self.as_int(&v).ok_or_else(|| {
            Box::new(
                Diagnostic::error(codes::E0301, "the expression is not constant").at(e.span, "depends on a signal"),
            )
        })
    }

    /// The value as one of a subtype.
    pub(super) fn convert(&mut self, v: Val, ty: &Rc<Ty>, span: Span) -> Res<Val> {
        match (&v.ty.kind, &ty.kind) {
            (TyKind::Int { .. }, TyKind::Int { lo, hi, .. }) => {
                let (lo, hi) = (*lo, *hi);
                let v = self.clamp(v, lo, hi, "the value is outside its subtype", span)?;
                Ok(Val { node: self.int_node(&v, ty.width), ty: ty.clone() })
            }
            (TyKind::Int { .. }, TyKind::Real) => match self.as_real(&v) {
                Some(r) => Ok(self.real(r)),
                None => error(codes::E0411, "real numbers cannot become hardware", span, "not constant"),
            },
            // Of another type: the analysis has complained and gone on.
            (TyKind::Enum { .. }, TyKind::Enum { .. }) if v.ty.width != ty.width => self.same_width(v, ty, span),
            (TyKind::Enum { .. }, TyKind::Enum { def, lo, hi }) => {
                let full = *lo == 0 && *hi as usize + 1 == def.literals.len();
                if !full && def.logic == types::Logic::None && self.interval_enum(&v).is_none_or(|i| i < *lo || i > *hi)
                {
                    let w = ty.width + 1;
                    let x = self.m.d.zext(v.node, w);
                    let (l, h) = (self.m.d.uint(*lo as u64, w), self.m.d.uint(*hi as u64, w));
                    let (below, above) = (self.m.d.ult(x, l), self.m.d.ult(h, x));
                    let bad = self.m.d.or(below, above);
                    let ok = self.m.d.not(bad);
                    self.oblige(ok, "the value is outside its subtype", span)?;
                }
                Ok(Val { ty: ty.clone(), node: v.node })
            }
            (TyKind::Array { dims: Some(from), .. }, TyKind::Array { dims, elem, .. }) => {
                let fits = dims.as_ref().is_none_or(|d| d.iter().map(|d| d.len()).eq(from.iter().map(|d| d.len())));
                if !fits {
                    let text = format!(
                        "lengths differ: {} where {} are wanted",
                        from.first().map_or(0, |d| d.len()),
                        dims.iter().flatten().next().map_or(0, |d| d.len())
                    );
                    return error(codes::E0310, text, span, "this value");
                }
                if ty.is_open() {
                    let TyKind::Array { def, .. } = &ty.kind else { unreachable!("matched above") };
                    let TyKind::Array { elem: inner, .. } = &v.ty.kind else { unreachable!("matched above") };
                    let elem = if elem.is_open() { inner.clone() } else { elem.clone() };
                    let dims = dims.clone().unwrap_or_else(|| from.clone());
                    return Ok(Val { ty: Ty::array(def.clone(), Some(dims), elem), node: v.node });
                }
                self.same_width(v, ty, span)
            }
            (TyKind::Record { .. }, TyKind::Record { .. }) if ty.is_open() => Ok(v),
            _ => self.same_width(v, ty, span),
        }
    }

    fn interval_enum(&self, v: &Val) -> Option<u32> {
        self.m.d.as_const(v.node)?.to_u64().map(|v| v as u32)
    }

    fn same_width(&mut self, v: Val, ty: &Rc<Ty>, span: Span) -> Res<Val> {
        if v.ty.width != ty.width {
            let text = format!("a value of {} bits where {} are wanted", v.ty.width, ty.width);
            return error(codes::E0310, text, span, "this value");
        }
        Ok(Val { ty: ty.clone(), node: v.node })
    }
}
