//! Places: a variable and the selects into it, for reading and for writing.

use super::scope::Symbol;
use super::types::range_len;
use super::*;
use crate::front::behave::place::{Root, Step, index_bits};

pub(super) struct Place {
    pub root: Root,
    pub steps: Vec<Step>,
    pub ty: Rc<Ty>,
}

impl<'a> Elab<'a> {
    /// What a name or hierarchical path stands for; `None` if `e` is a select or another expression.
    pub(super) fn symbol_of(&mut self, e: &'a Expr) -> Res<Option<Symbol<'a>>> {
        if let Some((actual, s)) = self.alias(e) {
            return self.in_scope(s, |el| el.symbol_of(actual));
        }
        match &e.kind {
            ExprKind::Ident(n) => match self.lookup_upward(n) {
                Some(s) => Ok(Some(s)),
                None => self.unknown_name(n, e.span),
            },
            ExprKind::Scoped(s, n) => self.lookup_scoped(s, n, e.span).map(Some),
            ExprKind::Member(base, m) => {
                if !path_like(base) {
                    return Ok(None);
                }
                match self.symbol_of(base)? {
                    Some(Symbol::Scope(s)) => match self.scope_ref(s).names.get(&m.name) {
                        Some(sym) => Ok(Some(sym.clone())),
                        None => {
                            let near = scope::nearest(&m.name, self.scope_ref(s).names.keys()).cloned();
                            let mut d = Diagnostic::error(
                                codes::E0212,
                                format!("no `{}` in `{}`", m.name, self.scope_ref(s).path),
                            )
                            .at(m.span, "not declared there");
                            if let Some(n) = near {
                                d = d.help(format!("did you mean `{n}`?"));
                            }
                            Err(Box::new(d))
                        }
                    },
                    _ => Ok(None),
                }
            }
            ExprKind::Index(base, i) => {
                if !path_like(base) {
                    return Ok(None);
                }
                match self.symbol_of(base)? {
                    Some(Symbol::Array(list)) => {
                        let k = self.const_int(i)?;
                        match list.borrow().iter().find(|(n, _)| *n == k) {
                            Some((_, s)) => Ok(Some(Symbol::Scope(*s))),
                            None => {
                                error(codes::E0212, format!("there is no instance [{k}]"), i.span, "index out of range")
                            }
                        }
                    }
                    _ => Ok(None),
                }
            }
            _ => Ok(None),
        }
    }

    pub(super) fn place(&mut self, e: &'a Expr) -> Res<Place> {
        if let Some((actual, s)) = self.alias(e) {
            return self.in_scope(s, |el| el.place(actual));
        }
        if let Some(sym) = self.symbol_of(e)? {
            return self.symbol_place(sym, e.span);
        }
        match &e.kind {
            ExprKind::Member(base, m) => {
                let mut p = self.place(base)?;
                if let TyKind::Struct { fields, .. } = &p.ty.kind {
                    if let Some(f) = fields.iter().find(|f| f.name == m.name) {
                        let (ty, lo) = (f.ty.clone(), f.lo);
                        p.steps.push(Step::Fixed { lo, width: ty.width });
                        p.ty = ty;
                        return Ok(p);
                    }
                    let names: Vec<SmolStr> = fields.iter().map(|f| f.name.clone()).collect();
                    let mut d = Diagnostic::error(codes::E0212, format!("the struct has no member `{}`", m.name))
                        .at(m.span, "unknown member");
                    if let Some(n) = scope::nearest(&m.name, names.iter()) {
                        d = d.help(format!("did you mean `{n}`?"));
                    }
                    return Err(Box::new(d));
                }
                let (node, ty) = self.method(base, m, &[], e.span)?;
                Ok(Place { root: Root::Value(node), steps: Vec::new(), ty })
            }
            ExprKind::Index(base, i) => {
                let p = self.place(base)?;
                self.index_step(p, i)
            }
            ExprKind::Range(base, kind, a, b) => {
                let p = self.place(base)?;
                self.range_step(p, *kind, a, b, e.span)
            }
            _ => {
                let ty = self.type_of(e)?;
                let node = self.eval(e, ty.width, ty.signed)?;
                Ok(Place { root: Root::Value(node), steps: Vec::new(), ty })
            }
        }
    }

    fn symbol_place(&mut self, sym: Symbol<'a>, span: Span) -> Res<Place> {
        let (root, ty) = match sym {
            Symbol::Const(ty, b) => (Root::Value(self.m.literal(&b)), ty),
            Symbol::Var(v) => (Root::Var(v), self.ty(v)),
            Symbol::Local(ty, k) => (Root::Local(k), ty),
            Symbol::Unsupported(u, at) => {
                let _ = at;
                return self.unsupported(&u, span);
            }
            Symbol::Real => {
                return error(codes::E0411, "real numbers cannot become hardware", span, "real constant used here");
            }
            Symbol::Type(_) => {
                return error(codes::E0213, "a type stands where a value is needed", span, "this is a type");
            }
            Symbol::Subprogram(s, scope) => {
                let (node, ty) = self.call(s, scope, &[], span)?;
                (Root::Value(node), ty)
            }
            Symbol::Property(..) | Symbol::Clocking(..) | Symbol::Alias(..) => return no_value(span),
            Symbol::Scope(_) | Symbol::Array(_) => {
                return error(
                    codes::E0213,
                    "an instance stands where a value is needed",
                    span,
                    "this is an instance or block",
                );
            }
        };
        Ok(Place { root, steps: Vec::new(), ty })
    }

    pub(super) fn read(&mut self, p: &Place) -> Res<NodeId> {
        self.m.read(p.root, &p.steps, p.ty.width, p.ty.four_state)
    }

    /// Assigns to a place, now or (non-blocking) at the end of the step.
    pub(super) fn write(&mut self, p: &Place, value: NodeId, nonblocking: bool, span: Span) -> Res<()> {
        self.m.write(p.root, &p.steps, value, nonblocking, span)
    }

    /// Type after one index, with the range it is counted in.
    pub(super) fn element(ty: &Rc<Ty>, span: Span) -> Res<(i64, i64, Rc<Ty>)> {
        match &ty.kind {
            TyKind::Array { left, right, elem, .. } => Ok((*left, *right, elem.clone())),
            TyKind::Enum { .. } | TyKind::Struct { packed: true, .. } => {
                Ok((ty.width as i64 - 1, 0, Rc::new(Ty::bit(ty.four_state))))
            }
            TyKind::Bit => error(codes::E0310, "a single bit has no elements to select", span, "select of one bit"),
            _ => error(codes::E0310, "the value has no elements to select", span, "select"),
        }
    }

    fn index_step(&mut self, mut p: Place, i: &'a Expr) -> Res<Place> {
        let (mut left, mut right, elem) = Self::element(&p.ty, i.span)?;
        if let (Root::Var(v), true) = (&p.root, p.steps.is_empty())
            && self.m.vars[v.index()].memory.is_some()
        {
            // A memory's addresses count up from its lowest index.
            (left, right) = (left.max(right), left.min(right));
        }
        let count = range_len(left, right);
        let ity = self.type_of(i)?;
        let node = self.eval(i, ity.width, ity.signed)?;
        let width = elem.width;
        p.ty = elem;
        if let Some(b) = self.m.d.as_const(node) {
            let k = if ity.signed { b.to_i64() } else { b.to_u64().and_then(|v| i64::try_from(v).ok()) };
            let off = k.map(|k| if left >= right { k.wrapping_sub(right) } else { right.wrapping_sub(k) });
            let step = match off {
                Some(o) if o >= 0 && (o as u64) < count => Step::Fixed { lo: o as u32 * width, width },
                _ => {
                    let value = b.to_decimal(ity.signed);
                    self.m.warn(
                        Diagnostic::warning(codes::W0305, format!("index {value} is outside [{left}:{right}]"))
                            .at(i.span, "reading there is unknown, writing does nothing"),
                    );
                    Step::Outside { width }
                }
            };
            p.steps.push(step);
            return Ok(p);
        }
        let (off, in_range) = self.normalise(node, ity.signed, left, right, count, 1);
        let bits = index_bits(count);
        let index = self.m.d.zext(off, bits);
        p.steps.push(Step::Index { index, in_range, count: count as u32, width });
        Ok(p)
    }

    /// The element number of an index and whether `len` elements from there up are inside.
    fn normalise(
        &mut self,
        node: NodeId,
        signed: bool,
        left: i64,
        right: i64,
        count: u64,
        len: u64,
    ) -> (NodeId, NodeId) {
        let w = self.m.d.width(node);
        let fits = left.min(right) == 0 && !signed && w < 40 && len == 1 && (1u64 << w) <= count;
        if fits {
            let t = self.m.d.bool(true);
            if left >= right {
                return (node, t);
            }
            if 1u64 << w == count {
                return (self.m.d.not(node), t);
            }
            let bits = index_bits(count);
            let (x, r) = (self.m.d.zext(node, bits), self.m.d.uint(right as u64, bits));
            return (self.m.d.sub(r, x), t);
        }
        // Wide enough that neither the subtraction nor the bound can wrap.
        let wide = w.max(64 - left.unsigned_abs().max(right.unsigned_abs()).max(count).leading_zeros()) + 2;
        let x = self.m.d.resize(node, wide, signed);
        let off = if left >= right {
            let r = self.m.d.constant(Bits::from_i64(right, wide));
            self.m.d.sub(x, r)
        } else {
            let r = self.m.d.constant(Bits::from_i64(right, wide));
            self.m.d.sub(r, x)
        };
        let limit = self.m.d.uint(count.saturating_sub(len) + 1, wide);
        let ok = if len > count { self.m.d.bool(false) } else { self.m.d.ult(off, limit) };
        (off, ok)
    }

    /// Width and element count of a range select, from constants only.
    pub(super) fn range_len_of(
        &mut self,
        ty: &Rc<Ty>,
        kind: RangeKind,
        a: &'a Expr,
        b: &'a Expr,
        span: Span,
    ) -> Res<u64> {
        Self::element(ty, span)?;
        match kind {
            RangeKind::Plain => {
                let (l, r) = (self.const_int(a)?, self.const_int(b)?);
                Ok(range_len(l, r))
            }
            _ => {
                let n = self.const_int(b)?;
                if n < 1 || n as u64 > MAX_WIDTH {
                    return error(
                        codes::E0311,
                        format!("a part-select of {n} elements"),
                        b.span,
                        "width must be positive",
                    );
                }
                Ok(n as u64)
            }
        }
    }

    /// The type of `len` consecutive elements.
    pub(super) fn slice_type(ty: &Rc<Ty>, len: u64, span: Span) -> Res<Rc<Ty>> {
        let (left, right, elem) = Self::element(ty, span)?;
        let packed = ty.is_integral();
        let width = (len as u32).saturating_mul(elem.width);
        let four_state = ty.four_state;
        if packed && elem.width == 1 {
            return Ok(Ty::vector(width, false, four_state));
        }
        let (left, right) = if left >= right { (len as i64 - 1, 0) } else { (0, len as i64 - 1) };
        Ok(Rc::new(Ty { kind: TyKind::Array { packed, left, right, elem }, width, signed: false, four_state }))
    }

    fn range_step(&mut self, mut p: Place, kind: RangeKind, a: &'a Expr, b: &'a Expr, span: Span) -> Res<Place> {
        let len = self.range_len_of(&p.ty, kind, a, b, span)?;
        let (left, right, elem) = Self::element(&p.ty, span)?;
        let count = range_len(left, right);
        let slice = Self::slice_type(&p.ty, len, span)?;
        let ew = elem.width;
        let aty = self.type_of(a)?;
        let node = self.eval(a, aty.width, aty.signed)?;
        let descending = left >= right;
        // Index of the least significant element selected, relative to `a`.
        let shift: i64 = match (kind, descending) {
            (RangeKind::Plain, _) => {
                let (l, r) = (self.const_int(a)?, self.const_int(b)?);
                if l != r && (l > r) != descending {
                    return error(
                        codes::E0310,
                        "the range runs against the declared direction",
                        span,
                        format!("declared [{left}:{right}]"),
                    );
                }
                r - l
            }
            (RangeKind::Up, true) | (RangeKind::Down, false) => 0,
            (RangeKind::Up, false) => len as i64 - 1,
            (RangeKind::Down, true) => 1 - len as i64,
        };
        p.ty = slice;
        let width = p.ty.width;
        if let Some(bits) = self.m.d.as_const(node) {
            let k = if aty.signed { bits.to_i64() } else { bits.to_u64().and_then(|v| i64::try_from(v).ok()) };
            let low = k.map(|k| k.wrapping_add(shift));
            let off = low.map(|k| if descending { k.wrapping_sub(right) } else { right.wrapping_sub(k) });
            match off {
                Some(o) if o >= 0 && (o as u64).saturating_add(len) <= count => {
                    p.steps.push(Step::Fixed { lo: o as u32 * ew, width });
                }
                Some(o) if o.saturating_add(len as i64) > 0 && o < count as i64 => {
                    // Partly outside: let the general step sort the bits.
                    let wide = 66;
                    let offset = self.m.d.constant(Bits::from_i64(o.saturating_mul(ew as i64), wide));
                    let in_range = self.m.d.bool(false);
                    p.steps.push(Step::Part { offset, in_range, width });
                }
                _ => p.steps.push(Step::Outside { width }),
            }
            return Ok(p);
        }
        let w = self.m.d.width(node) + 2 + (64 - shift.unsigned_abs().leading_zeros());
        let x = self.m.d.resize(node, w, aty.signed);
        let s = self.m.d.constant(Bits::from_i64(shift, w));
        let low = self.m.d.add(x, s);
        let (off, in_range) = self.normalise(low, true, left, right, count, len);
        // In bits: room for the multiplication, sign kept.
        let wide = self.m.d.width(off) + (32 - ew.leading_zeros());
        let off = self.m.d.sext(off, wide);
        let k = self.m.d.uint(ew as u64, wide);
        let offset = self.m.d.mul(off, k);
        p.steps.push(Step::Part { offset, in_range, width });
        Ok(p)
    }
}

fn path_like(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Ident(_) | ExprKind::Scoped(..) => true,
        ExprKind::Member(b, _) | ExprKind::Index(b, _) => path_like(b),
        _ => false,
    }
}

/// The complaint about a property, sequence or clocking block in an expression.
pub(super) fn no_value<T>(span: Span) -> Res<T> {
    let text = "a property, sequence or clocking block stands where a value is needed";
    error(codes::E0213, text, span, "not a value")
}
