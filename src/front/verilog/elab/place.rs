//! Places: a variable and the selects into it, for reading and for writing.

use super::env::Key;
use super::scope::Symbol;
use super::types::range_len;
use super::*;

pub(super) enum Root {
    Var(VarId),
    Local(u32),
    Value(NodeId),
}

/// One select. Offsets are normalised: element 0 is the least significant.
#[derive(Clone)]
pub(super) enum Step {
    Fixed {
        lo: u32,
        width: u32,
    },
    /// Element `index` (of just enough bits) of `count` elements of `width` bits.
    Index {
        index: NodeId,
        in_range: NodeId,
        count: u32,
        width: u32,
    },
    /// `width` bits from bit `offset`, two's complement if it may be negative.
    Part {
        offset: NodeId,
        in_range: NodeId,
        width: u32,
    },
    /// A constant select outside the object.
    Outside {
        width: u32,
    },
}

pub(super) struct Place {
    pub root: Root,
    pub steps: Vec<Step>,
    pub ty: Rc<Ty>,
}

impl<'a> Elab<'a> {
    /// What a name or hierarchical path stands for; `None` if `e` is a select or another expression.
    pub(super) fn symbol_of(&mut self, e: &'a Expr) -> Res<Option<Symbol<'a>>> {
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

    /// The constant a symbol's bits stand for, with unknown bits made free outside constants.
    fn const_node(&mut self, b: &Bits) -> NodeId {
        if self.const_mode || !b.has_unknown() {
            return self.d.constant(b.clone());
        }
        if (0..b.width()).all(|i| b.is_z(i)) {
            return self.d.high_z(b.width());
        }
        // Runs of unknown bits become one free value each.
        let kind = |i: u32| (b.is_z(i), b.is_unknown(i));
        let mut parts = Vec::new();
        let mut hi = b.width();
        while hi > 0 {
            let mut lo = hi - 1;
            while lo > 0 && kind(lo - 1) == kind(hi - 1) {
                lo -= 1;
            }
            parts.push(match kind(lo) {
                (true, _) => self.d.high_z(hi - lo),
                (_, true) => self.d.undef(hi - lo),
                _ => self.d.constant(b.slice(lo, hi - lo)),
            });
            hi = lo;
        }
        self.d.concat(&parts)
    }

    pub(super) fn literal(&mut self, b: &Bits) -> NodeId {
        self.const_node(b)
    }

    pub(super) fn place(&mut self, e: &'a Expr) -> Res<Place> {
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
            Symbol::Const(ty, b) => (Root::Value(self.const_node(&b)), ty),
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
            && self.vars[v.0 as usize].memory.is_some()
        {
            // A memory's addresses count up from its lowest index.
            (left, right) = (left.max(right), left.min(right));
        }
        let count = range_len(left, right);
        let ity = self.type_of(i)?;
        let node = self.eval(i, ity.width, ity.signed)?;
        let width = elem.width;
        p.ty = elem;
        if let Some(b) = self.d.as_const(node) {
            let k = if ity.signed { b.to_i64() } else { b.to_u64().and_then(|v| i64::try_from(v).ok()) };
            let off = k.map(|k| if left >= right { k.wrapping_sub(right) } else { right.wrapping_sub(k) });
            let step = match off {
                Some(o) if o >= 0 && (o as u64) < count => Step::Fixed { lo: o as u32 * width, width },
                _ => {
                    let value = b.to_decimal(ity.signed);
                    self.warn(
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
        let index = self.d.zext(off, bits);
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
        let w = self.d.width(node);
        let fits = left.min(right) == 0 && !signed && w < 40 && len == 1 && (1u64 << w) <= count;
        if fits {
            let t = self.d.bool(true);
            if left >= right {
                return (node, t);
            }
            if 1u64 << w == count {
                return (self.d.not(node), t);
            }
            let bits = index_bits(count);
            let (x, r) = (self.d.zext(node, bits), self.d.uint(right as u64, bits));
            return (self.d.sub(r, x), t);
        }
        // Wide enough that neither the subtraction nor the bound can wrap.
        let wide = w.max(64 - left.unsigned_abs().max(right.unsigned_abs()).max(count).leading_zeros()) + 2;
        let x = self.d.resize(node, wide, signed);
        let off = if left >= right {
            let r = self.d.constant(Bits::from_i64(right, wide));
            self.d.sub(x, r)
        } else {
            let r = self.d.constant(Bits::from_i64(right, wide));
            self.d.sub(r, x)
        };
        let limit = self.d.uint(count.saturating_sub(len) + 1, wide);
        let ok = if len > count { self.d.bool(false) } else { self.d.ult(off, limit) };
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
        if let Some(bits) = self.d.as_const(node) {
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
                    let offset = self.d.constant(Bits::from_i64(o.saturating_mul(ew as i64), wide));
                    let in_range = self.d.bool(false);
                    p.steps.push(Step::Part { offset, in_range, width });
                }
                _ => p.steps.push(Step::Outside { width }),
            }
            return Ok(p);
        }
        let w = self.d.width(node) + 2 + (64 - shift.unsigned_abs().leading_zeros());
        let x = self.d.resize(node, w, aty.signed);
        let s = self.d.constant(Bits::from_i64(shift, w));
        let low = self.d.add(x, s);
        let (off, in_range) = self.normalise(low, true, left, right, count, len);
        // In bits: room for the multiplication, sign kept.
        let wide = self.d.width(off) + (32 - ew.leading_zeros());
        let off = self.d.sext(off, wide);
        let k = self.d.uint(ew as u64, wide);
        let offset = self.d.mul(off, k);
        p.steps.push(Step::Part { offset, in_range, width });
        Ok(p)
    }

    /// The present value of a variable.
    pub(super) fn now(&mut self, v: VarId) -> NodeId {
        if let Some(n) = self.env.get(Key::Now(v)) {
            return n;
        }
        if let Some(p) = &mut self.proc {
            p.reads.insert(v);
        }
        self.base(Key::Now(v))
    }

    /// What a key stands for before anything was assigned.
    pub(super) fn base(&mut self, k: Key) -> NodeId {
        match k {
            Key::Now(v) | Key::Next(v) => {
                if self.proc.as_ref().is_some_and(|p| p.initial) {
                    let var = &self.vars[v.0 as usize];
                    let b = var.init.clone().unwrap_or_else(|| {
                        if var.ty.four_state { Bits::x(var.ty.width) } else { Bits::zero(var.ty.width) }
                    });
                    return self.d.constant(b);
                }
                let s = self.vars[v.0 as usize].signal;
                self.d.signal(s)
            }
            Key::Local(_) | Key::Flag(_) => self.d.bool(false),
        }
    }

    pub(super) fn read(&mut self, p: &Place) -> Res<NodeId> {
        let mut steps = &p.steps[..];
        let mut v = match p.root {
            Root::Value(n) => n,
            Root::Local(k) => match self.env.get(Key::Local(k)) {
                Some(n) => n,
                None => return Ok(self.undef_or_zero(&p.ty)),
            },
            Root::Var(var) => match self.vars[var.0 as usize].memory {
                Some(m) => {
                    let (first, rest) = steps.split_first().ok_or_else(|| {
                        Box::new(Diagnostic::error(codes::E0405, "a memory is read as a whole").at(Span::NONE, ""))
                    })?;
                    steps = rest;
                    self.read_memory(var, m, &first.clone())
                }
                None => self.now(var),
            },
        };
        for s in steps {
            v = self.apply(v, s, p.ty.four_state);
        }
        Ok(v)
    }

    fn apply(&mut self, v: NodeId, s: &Step, four_state: bool) -> NodeId {
        let beyond = |e: &mut Self, w: u32| if four_state { e.x_value(w) } else { e.d.uint(0, w) };
        match *s {
            Step::Fixed { lo, width } => self.d.slice(v, lo, width),
            Step::Outside { width } => beyond(self, width),
            Step::Index { index, in_range, count, width } => {
                let r = self.select(v, index, count, width);
                if self.d.as_bool(in_range) == Some(true) {
                    return r;
                }
                let x = beyond(self, width);
                self.d.mux(in_range, r, x)
            }
            Step::Part { offset, in_range, width } => {
                let vw = self.d.width(v);
                if let Some(o) = self.d.as_const(offset).and_then(Bits::to_i64) {
                    // Constant and partly outside.
                    let (lo, hi) = (o.max(0) as u32, (o + width as i64).min(vw as i64) as u32);
                    let inside = self.d.slice(v, lo, hi - lo);
                    let below = beyond(self, (lo as i64 - o) as u32);
                    let above = beyond(self, (o + width as i64 - hi as i64) as u32);
                    return self.d.concat(&[above, inside, below]);
                }
                if self.d.as_bool(in_range) == Some(true) {
                    let shifted = self.d.lshr(v, offset);
                    return self.d.zext(shifted, width);
                }
                // One part's width of unknown bits on either side takes what lies outside.
                let (above, below, none) = (beyond(self, width), beyond(self, width), beyond(self, width));
                let padded = self.d.concat(&[above, v, below]);
                let ow = self.d.width(offset).max(40) + 1;
                let off = self.d.sext(offset, ow);
                let pad = self.d.uint(width as u64, ow);
                let off = self.d.add(off, pad);
                let shifted = self.d.lshr(padded, off);
                let part = self.d.zext(shifted, width);
                let limit = self.d.uint(vw as u64 + width as u64, ow);
                let touches = self.d.ult(off, limit);
                self.d.mux(touches, part, none)
            }
        }
    }

    /// Element `index` of `v`.
    pub(super) fn select(&mut self, v: NodeId, index: NodeId, count: u32, width: u32) -> NodeId {
        if width.is_power_of_two() {
            let zeros = self.d.uint(0, width.trailing_zeros());
            let amount = self.d.concat(&[index, zeros]);
            let shifted = self.d.lshr(v, amount);
            return self.d.slice(shifted, 0, width);
        }
        let mut level: Vec<NodeId> = (0..count).map(|k| self.d.slice(v, k * width, width)).collect();
        for bit in 0..self.d.width(index) {
            let s = self.d.slice(index, bit, 1);
            level = level
                .chunks(2)
                .map(|c| match c {
                    [a, b] => self.d.mux(s, *b, *a),
                    c => c[0],
                })
                .collect();
        }
        level[0]
    }

    /// `cur` with the selected part replaced by `value`.
    pub(super) fn update(&mut self, cur: NodeId, steps: &[Step], value: NodeId) -> NodeId {
        let Some((s, rest)) = steps.split_first() else { return value };
        match *s {
            Step::Outside { .. } => cur,
            Step::Fixed { lo, width } => {
                let part = self.d.slice(cur, lo, width);
                let new = self.update(part, rest, value);
                self.d.splice(cur, lo, new)
            }
            Step::Index { index, in_range, count, width } => {
                let mut parts = Vec::with_capacity(count as usize);
                for k in (0..count).rev() {
                    let old = self.d.slice(cur, k * width, width);
                    let new = self.update(old, rest, value);
                    let kk = self.d.uint(k as u64, self.d.width(index));
                    let hit = self.d.eq(index, kk);
                    let hit = self.d.and(hit, in_range);
                    parts.push(self.d.mux(hit, new, old));
                }
                self.d.concat(&parts)
            }
            Step::Part { offset, width, .. } => {
                let vw = self.d.width(cur);
                // One part's width of room below takes what a negative offset would write there.
                let room = self.d.uint(0, width);
                let padded = self.d.concat(&[cur, room]);
                let ow = self.d.width(offset).max(40) + 1;
                let off = self.d.sext(offset, ow);
                let pad = self.d.uint(width as u64, ow);
                let off = self.d.add(off, pad);
                let old = self.d.lshr(padded, off);
                let old = self.d.zext(old, width);
                let new = self.update(old, rest, value);
                let pw = vw + width;
                let ones = self.d.constant(Bits::ones(width));
                let mask = self.d.zext(ones, pw);
                let mask = self.d.shl(mask, off);
                let new = self.d.zext(new, pw);
                let new = self.d.shl(new, off);
                let keep = self.d.not(mask);
                let kept = self.d.and(padded, keep);
                let all = self.d.or(kept, new);
                self.d.slice(all, width, vw)
            }
        }
    }

    /// Assigns to a place, now or (non-blocking) at the end of the step.
    pub(super) fn write(&mut self, p: &Place, value: NodeId, nonblocking: bool, span: Span) -> Res<()> {
        match p.root {
            Root::Value(_) => error(codes::E0506, "cannot assign to a constant or expression", span, "assigned here"),
            Root::Local(k) => {
                let key = Key::Local(k);
                let total = p.steps.is_empty();
                let cur = match self.env.get(key) {
                    Some(n) => n,
                    None if total => value,
                    None => return error(codes::E0204, "the variable is not alive here", span, "assigned here"),
                };
                let new = self.update(cur, &p.steps, value);
                self.env.set(key, new);
                Ok(())
            }
            Root::Var(v) => {
                let var = &self.vars[v.0 as usize];
                if self.proc.is_none() {
                    return error(codes::E0301, "a constant function cannot assign a signal", span, "assigned here");
                }
                if var.direction == Some(Direction::Input) {
                    let d = Diagnostic::error(codes::E0506, "an input port is assigned inside its module")
                        .at(span, "assigned here")
                        .also(var.span, "declared as an input here");
                    return Err(Box::new(d));
                }
                if let Some(m) = var.memory {
                    return self.write_memory(m, &p.steps, value, nonblocking, span);
                }
                let key = if nonblocking { Key::Next(v) } else { Key::Now(v) };
                let cur = match self.env.get(key) {
                    Some(n) => n,
                    None => self.base(key),
                };
                let new = self.update(cur, &p.steps, value);
                self.env.set(key, new);
                let width = self.vars[v.0 as usize].ty.width;
                let (lo, width) = touched(&p.steps, width);
                if let Some(proc) = &mut self.proc {
                    proc.touch(v, lo, width, nonblocking, span);
                }
                Ok(())
            }
        }
    }
}

/// The constant part of a select: which bits an assignment can reach.
fn touched(steps: &[Step], width: u32) -> (u32, u32) {
    let (mut lo, mut w) = (0, width);
    for s in steps {
        match s {
            Step::Fixed { lo: l, width } => (lo, w) = (lo + l, *width),
            Step::Outside { .. } => return (lo, 0),
            _ => break,
        }
    }
    (lo, w)
}

/// Bits needed to count `n` elements from 0.
pub(super) fn index_bits(n: u64) -> u32 {
    (64 - (n.max(1) - 1).leading_zeros()).max(1)
}

fn path_like(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Ident(_) | ExprKind::Scoped(..) => true,
        ExprKind::Member(b, _) | ExprKind::Index(b, _) => path_like(b),
        _ => false,
    }
}
