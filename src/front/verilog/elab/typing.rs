//! The self-determined types of expressions (IEEE 1800-2017 clause 11.6).

use super::scope::Symbol;
use super::*;

fn bit() -> Rc<Ty> {
    Rc::new(Ty::bit(true))
}

impl<'a> Elab<'a> {
    /// The self-determined type of an expression.
    pub(super) fn type_of(&mut self, e: &'a Expr) -> Res<Rc<Ty>> {
        use ExprKind::*;
        if let Some((actual, s)) = self.alias(e) {
            return self.in_scope(s, |el| el.type_of(actual));
        }
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

    pub(super) fn concat_width(&mut self, e: &'a Expr) -> Res<u32> {
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

    pub(super) fn integral(&mut self, e: &'a Expr) -> Res<Rc<Ty>> {
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
                Symbol::Property(..) | Symbol::Clocking(..) | Symbol::Alias(..) => place::no_value(e.span),
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

    pub(super) fn cast_type(&mut self, t: &'a Expr, inner: &'a Expr) -> Res<Rc<Ty>> {
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
}
