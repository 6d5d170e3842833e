//! Names: objects and parts of them, calls, conversions.

use super::super::entities::Kind;
use super::predefined::Callee;
use super::types::{Dim, int_repr};
use super::*;
use crate::front::behave::place::index_bits;

impl<'a> Elab<'a> {
    /// The value of a name.
    pub(super) fn name_value(&mut self, n: &'a Name, want: Option<&Rc<Ty>>) -> Res<Val> {
        match &n.kind {
            NameKind::Simple(name, None) => {
                // A character literal the analysis did not settle.
                if let (Some(c), Some(t)) = (name.strip_prefix('\'').and_then(|c| c.chars().next()), want)
                    && let TyKind::Enum { def, .. } = &t.kind
                {
                    let b = self.character(c as u8, def, t.width, n.span)?;
                    return Ok(Val { node: self.m.literal(&b), ty: t.clone() });
                }
                error(codes::E0204, format!("`{name}` is not declared"), n.span, "unknown name")
            }
            NameKind::Attr(prefix, attr, arg) => self.attribute_value(prefix, attr, arg.as_deref(), want, n.span),
            NameKind::Unsupported(what) => self.unsupported(what, n.span),
            NameKind::Call(prefix, args) => {
                if let Some(v) = self.call_name(prefix, args, want, n.span)? {
                    return Ok(v);
                }
                let p = self.place(n)?;
                self.read(&p)
            }
            _ => {
                let p = self.place(n)?;
                self.read(&p)
            }
        }
    }

    pub(super) fn read(&mut self, p: &Place) -> Res<Val> {
        let node = self.m.read(p.root, &p.steps, p.ty.width, true)?;
        Ok(Val { ty: p.ty.clone(), node })
    }

    /// A call or a conversion; `None` if the name selects from an object.
    fn call_name(&mut self, prefix: &'a Name, args: &'a [Arg], want: Option<&Rc<Ty>>, span: Span) -> Res<Option<Val>> {
        let Some(ent) = prefix.ent() else {
            return match &prefix.kind {
                // Predefined for types that the analysis does not think of.
                NameKind::Simple(name, None) if matches!(name.as_str(), "minimum" | "maximum" | "to_string") => {
                    self.predefined_call(name, args, want, span).map(Some)
                }
                NameKind::Simple(name, None) | NameKind::Selected(_, name, None) => {
                    error(codes::E0204, format!("`{name}` is not declared"), prefix.span, "unknown name")
                }
                _ => Ok(None),
            };
        };
        match self.lib.entities.get(ent).map(|i| i.kind) {
            Some(Kind::Type) => {
                let Symbol::Type(ty) = self.lookup(ent, prefix.span)? else { return Ok(None) };
                let Some(Arg { actual: Some(e), .. }) = args.first() else {
                    return error(codes::E0310, "a conversion takes one value", span, "conversion");
                };
                self.conversion(e, &ty, span).map(Some)
            }
            Some(Kind::Subprogram) => {
                let callee = self.callee(Some(ent), prefix.span)?;
                // `f(3)` of a function without parameters indexes its result.
                if let Callee::User(s) | Callee::Native(_, s) = &callee
                    && s.spec.params.is_empty()
                {
                    return Ok(None);
                }
                self.call(callee, prefix.last(), args, want, span).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// `T(x)`: between closely related types.
    fn conversion(&mut self, e: &'a Expr, ty: &Rc<Ty>, span: Span) -> Res<Val> {
        let hint = match &ty.kind {
            TyKind::Array { .. } if matches!(e.kind, ExprKind::Aggregate(_) | ExprKind::Str(_)) => Some(ty.clone()),
            _ => None,
        };
        let v = self.eval(e, hint.as_ref())?;
        match (&v.ty.kind, &ty.kind) {
            (TyKind::Array { dims: Some(d), elem, .. }, TyKind::Array { def, dims, elem: to }) => {
                let dims = dims.clone().unwrap_or_else(|| d.clone());
                let inner = if to.is_open() || to.width != elem.width { elem.clone() } else { to.clone() };
                let out = Ty::array(def.clone(), Some(dims), inner);
                if out.width != v.ty.width {
                    return error(codes::E0310, "lengths differ in a conversion", span, "conversion");
                }
                Ok(Val { ty: out, node: v.node })
            }
            (TyKind::Real, TyKind::Int { .. }) => match self.as_real(&v) {
                Some(r) => {
                    let i = self.int_const(r.round() as i128);
                    self.convert(i, ty, span)
                }
                None => error(codes::E0411, "real numbers cannot become hardware", span, "not constant"),
            },
            (TyKind::Real, TyKind::Real) => Ok(v),
            _ => self.convert(v, ty, span),
        }
    }

    /// The object or value a name selects.
    pub(super) fn place(&mut self, n: &'a Name) -> Res<Place> {
        match &n.kind {
            NameKind::Simple(name, ent) => match ent {
                Some(e) => self.symbol_place(*e, n.span),
                None => error(codes::E0204, format!("`{name}` is not declared"), n.span, "unknown name"),
            },
            NameKind::Selected(prefix, name, ent) => {
                let element = match ent {
                    Some(e) => self.lib.entities.get(*e).is_none_or(|i| i.kind == Kind::Element),
                    None => true,
                };
                if !element && let Some(e) = ent {
                    return self.symbol_place(*e, n.span);
                }
                let p = self.place(prefix)?;
                self.field(p, name, n.span)
            }
            NameKind::Slice(prefix, r) => {
                let p = self.place(prefix)?;
                self.slice(p, r, n.span)
            }
            NameKind::Call(prefix, args) => {
                if let Some(v) = self.call_name(prefix, args, None, n.span)? {
                    return Ok(Place { root: Root::Value(v.node), steps: Vec::new(), ty: v.ty });
                }
                let p = self.place(prefix)?;
                // The grammar cannot tell `v(byte)` with a subtype from an index.
                if let [Arg { formal: None, actual: Some(e), .. }] = args.as_slice()
                    && let Some((left, right, down)) = self.subtype_bounds(e)?
                {
                    return self.slice_between(p, left, right, down, n.span);
                }
                self.index(p, args, n.span)
            }
            NameKind::Attr(prefix, attr, arg) => {
                let v = self.attribute_value(prefix, attr, arg.as_deref(), None, n.span)?;
                Ok(Place { root: Root::Value(v.node), steps: Vec::new(), ty: v.ty })
            }
            NameKind::Unsupported(what) => self.unsupported(what, n.span),
        }
    }

    fn symbol_place(&mut self, e: Ent, span: Span) -> Res<Place> {
        let value = |v: Val| Place { root: Root::Value(v.node), steps: Vec::new(), ty: v.ty };
        if self.lib.entities.get(e).is_some_and(|i| i.kind == Kind::Subprogram) {
            let callee = self.callee(Some(e), span)?;
            let name = self.lib.entities.get(e).map_or_else(SmolStr::default, |i| i.name.clone());
            return self.call(callee, &name, &[], None, span).map(value);
        }
        Ok(match self.lookup(e, span)? {
            Symbol::Const(ty, bits) => {
                let node = if self.wild { self.m.d.constant(bits) } else { self.m.literal(&bits) };
                Place { root: Root::Value(node), steps: Vec::new(), ty }
            }
            Symbol::Var(v, ty) => Place { root: Root::Var(v), steps: Vec::new(), ty },
            Symbol::Local(k, ty) => Place { root: Root::Local(k), steps: Vec::new(), ty },
            Symbol::Part(p) => p,
            Symbol::Literal(ty, pos) => {
                let bits = match &ty.kind {
                    TyKind::Enum { def, .. } if def.logic == types::Logic::Std => {
                        let c = def.literals[pos as usize].as_bytes().get(1).copied().unwrap_or(b'X');
                        self.character(c, def, 1, span)?
                    }
                    _ => Bits::from_u64(pos as u64, ty.width),
                };
                Place { root: Root::Value(self.m.literal(&bits)), steps: Vec::new(), ty }
            }
            Symbol::Unit(s) => {
                let ty = Rc::new(Ty { kind: TyKind::Physical, width: 64 });
                let node = self.m.d.constant(types::int_bits(s as i128, 64));
                Place { root: Root::Value(node), steps: Vec::new(), ty }
            }
            Symbol::Unsupported(what) => return self.unsupported(what, span),
            _ => return error(codes::E0213, "the name does not stand for a value", span, "used as a value"),
        })
    }

    pub(super) fn field(&mut self, mut p: Place, name: &str, span: Span) -> Res<Place> {
        let TyKind::Record { fields } = &p.ty.kind else {
            return error(
                codes::E0212,
                format!("`{name}` is selected from something that is no record"),
                span,
                "selected",
            );
        };
        let Some(f) = fields.iter().find(|f| f.name == name) else {
            return error(codes::E0212, format!("the record has no field `{name}`"), span, "unknown field");
        };
        let (ty, lo) = (f.ty.clone(), f.lo);
        p.steps.push(Step::Fixed { lo, width: ty.width });
        p.ty = ty;
        Ok(p)
    }

    fn index(&mut self, mut p: Place, args: &'a [Arg], span: Span) -> Res<Place> {
        for a in args {
            let Some(e) = &a.actual else { return error(codes::E0310, "an index is missing", a.span, "open") };
            let TyKind::Array { def, .. } = &p.ty.kind else {
                return error(codes::E0310, "the value has no elements to select", span, "index");
            };
            let want = def.indices.get(def.indices.len().saturating_sub(p.ty.dims().map_or(1, |d| d.len()))).cloned();
            let i = self.eval(e, want.as_ref())?;
            p = self.element(p, &i, e.span)?;
        }
        Ok(p)
    }

    /// One element of the outermost dimension.
    pub(super) fn element(&mut self, mut p: Place, i: &Val, span: Span) -> Res<Place> {
        let TyKind::Array { def, dims: Some(dims), elem } = &p.ty.kind else {
            return error(codes::E0310, "the value has no elements to select", span, "index");
        };
        let Some((dim, rest)) = dims.split_first() else {
            return error(codes::E0310, "too many indices", span, "index");
        };
        let dim = *dim;
        let inner =
            if rest.is_empty() { elem.clone() } else { Ty::array(def.clone(), Some(rest.to_vec()), elem.clone()) };
        let width = inner.width;
        let n = dim.len();
        p.ty = inner;
        let i = &self.rebased(dim, i.clone(), span)?;
        if let Some(k) = self.as_int(i) {
            if !dim.contains(k) {
                let text = format!(
                    "index {k} is outside {} {} {}",
                    dim.left,
                    if dim.down { "downto" } else { "to" },
                    dim.right
                );
                // In code that is never reached it does no harm.
                if self.m.env.path.is_none() {
                    return error(codes::E0310, text, span, "out of range");
                }
                let no = self.m.d.bool(false);
                self.oblige(no, &text, span)?;
                p.steps.push(Step::Outside { width });
                return Ok(p);
            }
            p.steps.push(Step::Fixed { lo: dim.right_of(k) as u32 * width, width });
            return Ok(p);
        }
        let i = self.position(i);
        let (lo, hi) = self.interval(&i);
        if n == 0 {
            return error(codes::E0310, "an empty array has no elements", span, "index");
        }
        let (w, _) = int_repr(lo.min(dim.low()) - 1, hi.max(dim.high()) + 1);
        let w = w.max(index_bits(n)) + 1;
        let x = self.int_node(&i, w);
        let right = self.m.d.constant(types::int_bits(dim.right, w));
        let off = if dim.down { self.m.d.sub(x, right) } else { self.m.d.sub(right, x) };
        let in_range = if dim.low() <= lo && hi <= dim.high() {
            self.m.d.bool(true)
        } else {
            let limit = self.m.d.uint(n, w);
            let ok = self.m.d.ult(off, limit);
            self.oblige(ok, "the index is outside the array", span)?;
            ok
        };
        let index = self.m.d.slice(off, 0, index_bits(n));
        p.steps.push(Step::Index { index, in_range, count: n as u32, width });
        Ok(p)
    }

    /// An enumeration as its position, an integer as itself.
    pub(super) fn position(&self, v: &Val) -> Val {
        match &v.ty.kind {
            TyKind::Enum { def, .. } => {
                Val { ty: Ty::int(0, (1i128 << v.ty.width) - 1), node: v.node }.clamped(def.literals.len() as i128 - 1)
            }
            _ => v.clone(),
        }
    }

    /// The bounds of an expression that is the name of a discrete subtype, or a range attribute.
    fn subtype_bounds(&mut self, e: &'a Expr) -> Res<Option<(Val, Val, bool)>> {
        let ExprKind::Name(n) = &e.kind else { return Ok(None) };
        if let NameKind::Attr(_, Attr::Range | Attr::ReverseRange, _) = &n.kind {
            return self.range_of_attribute(n).map(Some);
        }
        let Some(ent) = n.ent() else { return Ok(None) };
        if self.lib.entities.get(ent).is_none_or(|i| i.kind != Kind::Type) {
            return Ok(None);
        }
        let Symbol::Type(t) = self.lookup(ent, n.span)? else { return Ok(None) };
        match t.kind {
            TyKind::Int { lo, hi, down } => {
                let (l, r) = if down { (hi, lo) } else { (lo, hi) };
                Ok(Some((self.int_const(l), self.int_const(r), down)))
            }
            TyKind::Enum { lo, hi, .. } => Ok(Some((self.int_const(lo as i128), self.int_const(hi as i128), false))),
            _ => Ok(None),
        }
    }

    fn slice(&mut self, p: Place, r: &'a Range, span: Span) -> Res<Place> {
        let (left, right, down) = self.range_values(r, None)?;
        self.slice_between(p, left, right, down, span)
    }

    fn slice_between(&mut self, mut p: Place, left: Val, right: Val, down: bool, span: Span) -> Res<Place> {
        let TyKind::Array { def, dims: Some(dims), elem } = &p.ty.kind else {
            return error(codes::E0310, "only an array has slices", span, "slice");
        };
        let [dim] = dims.as_slice() else { return error(codes::E0310, "a slice of several dimensions", span, "slice") };
        let (def, elem, dim) = (def.clone(), elem.clone(), *dim);
        let moving = if down { right.clone() } else { left.clone() };
        let (left, right) = (self.rebased(dim, left, span)?, self.rebased(dim, right, span)?);
        if let (Some(l), Some(rt)) = (self.as_int(&left), self.as_int(&right)) {
            let part = Dim { base: dim.base, ..Dim::new(l, rt, down) };
            let n = part.len();
            if n == 0 {
                p.steps.push(Step::Fixed { lo: 0, width: 0 });
                p.ty = Ty::array(def, Some(vec![part]), elem);
                return Ok(p);
            }
            if down != dim.down || !dim.contains(l) || !dim.contains(rt) {
                let dir = |d: bool| if d { "downto" } else { "to" };
                let text = format!("{l} {} {rt} is no part of {} {} {}", dir(down), dim.left, dir(dim.down), dim.right);
                return error(codes::E0310, text, span, "slice");
            }
            p.steps.push(Step::Fixed { lo: dim.right_of(rt) as u32 * elem.width, width: n as u32 * elem.width });
            p.ty = Ty::array(def, Some(vec![part]), elem);
            return Ok(p);
        }
        // A moving slice: both bounds move together.
        let Some(n) = self.difference(&left, &right).map(|d| if down { d } else { -d } + 1) else {
            return error(codes::E0301, "the length of the slice is not constant", span, "bounds depend on signals");
        };
        if n <= 0 || down != dim.down || n > dim.len() as i128 {
            return error(codes::E0310, format!("a slice of {n} elements"), span, "slice");
        }
        let (lo, hi) = self.interval(&right);
        let w = int_repr(lo.min(dim.low()) - 1, hi.max(dim.high()) + 1).0 + 1;
        let x = self.int_node(&right, w);
        let base = self.m.d.constant(types::int_bits(dim.right, w));
        let off = if down { self.m.d.sub(x, base) } else { self.m.d.sub(base, x) };
        let limit = self.m.d.uint((dim.len() as i128 - n + 1) as u64, w);
        let in_range = self.m.d.ult(off, limit);
        self.oblige(in_range, "the slice is outside the array", span)?;
        let ow = w + 32;
        let off = self.m.d.sext(off, ow);
        let scale = self.m.d.uint(elem.width as u64, ow);
        let offset = self.m.d.mul(off, scale);
        p.steps.push(Step::Part { offset, in_range, width: n as u32 * elem.width });
        let part = self.moving_dim(moving, n, down);
        p.ty = Ty::array(def, Some(vec![part]), elem);
        Ok(p)
    }

    /// Assigns to a place; the value has its type.
    pub(super) fn assign(&mut self, p: &Place, v: NodeId, signal: bool, span: Span) -> Res<()> {
        self.m.write(p.root, &p.steps, v, signal, span)
    }
}

impl Val {
    /// The same with an upper bound that the bits keep.
    fn clamped(self, hi: i128) -> Val {
        let (_, signed) = int_repr(0, hi);
        debug_assert!(!signed);
        let width = self.ty.width;
        Val { ty: Rc::new(Ty { kind: TyKind::Int { lo: 0, hi, down: false }, width }), node: self.node }
    }
}
