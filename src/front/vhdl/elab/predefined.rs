//! Operators: which function is meant, what its operands are wanted as, and the predefined ones.

use super::super::entities::Relation;
use super::native::Fill;
use super::scope::Sub;
use super::types::{Dim, Sign};
use super::*;

/// What an operator or a function name refers to.
pub(super) enum Callee<'a> {
    /// Comes with its type or package STANDARD.
    Predefined,
    /// A function of a standard package that is known here.
    Native(SmolStr, Sub<'a>),
    User(Sub<'a>),
}

/// Packages that declare arithmetic for plain vectors.
const NUMBER_PACKAGES: [&str; 3] = ["std_logic_unsigned", "std_logic_signed", "numeric_std_unsigned"];

/// Whether an expression takes its type from the context.
fn is_weak(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Str(_) | ExprKind::BitStr { .. } | ExprKind::Char(_) | ExprKind::Aggregate(_) => true,
        ExprKind::Binary(Op::Concat, _, a, b) => is_weak(a) && is_weak(b),
        _ => false,
    }
}

/// The type an operand is read in: choices of an aggregate without `others` give its bounds, not those of
/// the operand beside it.
fn own_bounds(e: &Expr, ty: Option<Rc<Ty>>) -> Option<Rc<Ty>> {
    let ExprKind::Aggregate(list) = &e.kind else { return ty };
    let mut choices = list.iter().flat_map(|x| &x.choices).peekable();
    if choices.peek().is_none() || choices.any(|c| matches!(c.kind, ChoiceKind::Others)) {
        return ty;
    }
    match ty.as_ref().map(|t| &t.kind) {
        Some(TyKind::Array { def, elem, .. }) if def.indices.len() == 1 => {
            Some(Ty::array(def.clone(), None, elem.clone()))
        }
        _ => ty,
    }
}

impl<'a> Elab<'a> {
    pub(super) fn callee(&mut self, ent: Option<Ent>, span: Span) -> Res<Callee<'a>> {
        self.operator(ent, false, span)
    }

    /// The same for an operator of one operand or two.
    fn operator(&mut self, ent: Option<Ent>, unary: bool, span: Span) -> Res<Callee<'a>> {
        let Some(ent) = ent else { return Ok(Callee::Predefined) };
        let mut e = ent;
        loop {
            match self.lib.entities.relation(e) {
                Relation::ImplicitOf(t) => {
                    let name = self.lib.entities.get(e).map_or_else(SmolStr::default, |i| i.name.clone());
                    let operands = if unary { 1 } else { 2 };
                    return match self.hiding_operator(&name, operands, t) {
                        Some(user) => match self.lookup(user, span)? {
                            Symbol::Sub(s) => Ok(Callee::User(s)),
                            _ => Ok(Callee::Predefined),
                        },
                        None => Ok(Callee::Predefined),
                    };
                }
                Relation::AliasOf(to) | Relation::InstanceOf(to) | Relation::DeclaredBy(to) => e = to,
                Relation::None => break,
            }
        }
        let home = self.lib.entities.package(e);
        if home.as_ref().is_some_and(|(l, _)| l == "std") {
            return Ok(Callee::Predefined);
        }
        match self.lookup(ent, span)? {
            Symbol::Sub(s) => match home {
                Some((l, p)) if l == "ieee" && s.body.is_none() => {
                    if s.spec.name.name.starts_with('"') {
                        self.one_reading(&p, span)?;
                    }
                    Ok(Callee::Native(p, s))
                }
                _ => Ok(Callee::User(s)),
            },
            Symbol::Rename(to, scope) => self.in_scope(scope, |x| x.callee(Some(to), span)),
            Symbol::Unsupported(what) => self.unsupported(what, span),
            _ => Ok(Callee::Predefined),
        }
    }

    /// The package whose comparison hides the predefined one for plain vectors: the analysis may have
    /// kept the wrong one of two declarations of the same profile.
    pub(super) fn hiding_package(&self) -> Option<&'static str> {
        NUMBER_PACKAGES.into_iter().find(|p| self.is_used(p))
    }

    /// Two packages that read plain vectors as numbers, one signed and one not, hide each other.
    fn one_reading(&self, package: &str, span: Span) -> Res<()> {
        if !NUMBER_PACKAGES.contains(&package) {
            return Ok(());
        }
        match NUMBER_PACKAGES.into_iter().find(|p| *p != package && self.is_used(p)) {
            Some(other) => {
                let text = format!("`{package}` and `{other}` both declare this operator");
                error(codes::E0204, text, span, "neither is visible")
            }
            None => Ok(()),
        }
    }

    /// Type of the formal number `n`, if the callee has a declaration.
    fn formal_type(&mut self, c: &Callee<'a>, n: usize) -> Res<Option<Rc<Ty>>> {
        let (Callee::Native(_, s) | Callee::User(s)) = c else { return Ok(None) };
        let Some(Interface { kind: InterfaceKind::Object { subtype, .. }, .. }) = s.spec.params.get(n) else {
            return Ok(None);
        };
        let scope = s.scope;
        self.in_scope(scope, |e| e.subtype(subtype)).map(Some)
    }

    pub(super) fn unary(
        &mut self,
        op: Op,
        ent: Option<Ent>,
        a: &'a Expr,
        want: Option<&Rc<Ty>>,
        span: Span,
    ) -> Res<Val> {
        // `-128` as a literal: the sign belongs to the number.
        let callee = self.operator(ent, true, span)?;
        let formal = self.formal_type(&callee, 0)?;
        let keep = matches!(op, Op::Not | Op::Minus | Op::Plus | Op::Abs);
        let hint = formal.or_else(|| if keep { want.cloned() } else { None });
        let x = self.eval(a, hint.as_ref())?;
        match callee {
            Callee::User(s) => self.call_values(s, vec![x], span),
            Callee::Native(p, s) => self.native(&p, super::super::lower::op_name(op), s, vec![x], span),
            Callee::Predefined => self.predefined_unary(op, x, span),
        }
    }

    pub(super) fn predefined_unary(&mut self, op: Op, x: Val, span: Span) -> Res<Val> {
        if let Some(r) = self.as_real(&x).filter(|_| matches!(x.ty.kind, TyKind::Real)) {
            return Ok(match op {
                Op::Minus => self.real(-r),
                Op::Abs => self.real(r.abs()),
                _ => x,
            });
        }
        match op {
            Op::Plus | Op::Minus | Op::Abs if x.ty.is_int() => self.int_unary(op, &x, span),
            Op::Minus | Op::Abs | Op::Plus if matches!(x.ty.kind, TyKind::Physical) => {
                let v = self.as_int(&x).unwrap_or(0);
                let v = match op {
                    Op::Minus => -v,
                    Op::Abs => v.abs(),
                    _ => v,
                };
                Ok(Val { node: self.m.d.constant(types::int_bits(v, 64)), ty: x.ty })
            }
            Op::Not if x.ty.is_bool_like() || x.ty.is_vector() => Ok(Val { node: self.m.d.not(x.node), ty: x.ty }),
            Op::Condition => Ok(self.truth(x.node)),
            Op::And | Op::Or | Op::Xor | Op::Nand | Op::Nor | Op::Xnor if x.ty.is_vector() => {
                let TyKind::Array { elem, .. } = &x.ty.kind else { unreachable!("a vector is an array") };
                let elem = elem.clone();
                Ok(Val { node: self.reduce(op, x.node), ty: elem })
            }
            _ => self.unsupported("the operator on this type", span),
        }
    }

    /// All elements combined by an operator.
    pub(super) fn reduce(&mut self, op: Op, n: NodeId) -> NodeId {
        let empty = self.m.d.width(n) == 0;
        let r = match op {
            Op::And | Op::Nand if empty => self.m.d.bool(true),
            _ if empty => self.m.d.bool(false),
            Op::And | Op::Nand => self.m.d.red_and(n),
            Op::Or | Op::Nor => self.m.d.red_or(n),
            _ => self.m.d.red_xor(n),
        };
        if matches!(op, Op::Nand | Op::Nor | Op::Xnor) { self.m.d.not(r) } else { r }
    }

    pub(super) fn binary(
        &mut self,
        op: Op,
        ent: Option<Ent>,
        a: &'a Expr,
        b: &'a Expr,
        want: Option<&Rc<Ty>>,
        span: Span,
    ) -> Res<Val> {
        if op == Op::And
            && let Some(v) = self.edge_condition(a, b)?
        {
            return Ok(v);
        }
        let callee = self.callee(ent, span)?;
        let (fa, fb) = (self.formal_type(&callee, 0)?, self.formal_type(&callee, 1)?);
        if op == Op::Concat && matches!(callee, Callee::Predefined) {
            return self.concat_expr(ent, a, b, want, span);
        }
        let compare = matches!(op, Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::Gt | Op::Ge);
        let matching = matches!(op, Op::MatchEq | Op::MatchNe | Op::MatchLt | Op::MatchLe | Op::MatchGt | Op::MatchGe);
        let of_type = match ent.map(|e| self.lib.entities.relation(self.lib.entities.origin(e))) {
            Some(Relation::ImplicitOf(t)) => match self.lookup(t, span) {
                Ok(Symbol::Type(t)) => Some(t),
                _ => None,
            },
            _ => None,
        };
        let context = if compare || matching { None } else { want.cloned() };
        let hint = |own: Option<Rc<Ty>>, other: Option<&Val>| {
            own.or_else(|| other.filter(|o| !o.ty.is_int()).map(|o| o.ty.clone()))
                .or_else(|| of_type.clone())
                .or_else(|| context.clone())
        };
        let (x, y) = if is_weak(a) && !is_weak(b) {
            let y = self.operand(b, hint(fb, None), compare, matching)?;
            let x = self.operand(a, own_bounds(a, hint(fa, Some(&y))), compare, matching)?;
            (x, y)
        } else {
            let x = self.operand(a, hint(fa, None), compare, matching)?;
            let y = self.operand(b, own_bounds(b, hint(fb, Some(&x))), compare, matching)?;
            (x, y)
        };
        let name = super::super::lower::op_name(op);
        match callee {
            Callee::User(s) => self.call_values(s, vec![x, y], span),
            Callee::Native(p, s) => self.native(&p, name, s, vec![x, y], span),
            Callee::Predefined => {
                // Unresolved by the analysis: numbers have operators of packages, not predefined ones.
                if ent.is_none() && (x.ty.sign() != Sign::None || y.ty.sign() != Sign::None) {
                    let text = format!("no operator {name} for these operands is known");
                    return error(codes::E0204, text, span, "is the package in use?");
                }
                let plain = |v: &Val| v.ty.is_vector() && v.ty.is_std_logic() && v.ty.sign() == Sign::None;
                if (compare || matching)
                    && plain(&x)
                    && plain(&y)
                    && let Some(p) = self.hiding_package()
                {
                    self.one_reading(p, span)?;
                    let ty = self.boolean();
                    return self.vector_compare(op, p, &x, &y, ty, span);
                }
                self.predefined_binary(op, x, y, span)
            }
        }
    }

    /// An operand; what it is compared with keeps its metavalues, and its wildcards where they count.
    fn operand(&mut self, e: &'a Expr, want: Option<Rc<Ty>>, compare: bool, matching: bool) -> Res<Val> {
        if (compare || matching) && self.is_constant(e) {
            let wild = std::mem::replace(&mut self.wild, matching);
            let r = self.constantly(|x| x.eval(e, want.as_ref()));
            self.wild = wild;
            return r;
        }
        self.eval(e, want.as_ref())
    }

    /// A literal or the name of a constant.
    pub(super) fn is_constant(&mut self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Str(_) | ExprKind::BitStr { .. } | ExprKind::Char(_) => true,
            ExprKind::Aggregate(list) => list.iter().all(|x| self.is_constant(&x.value)),
            ExprKind::Qualified(_, inner) => self.is_constant(inner),
            ExprKind::Name(n) => match n.ent() {
                Some(ent) => matches!(self.lookup(ent, n.span), Ok(Symbol::Const(..) | Symbol::Literal(..))),
                None => false,
            },
            _ => false,
        }
    }

    pub(super) fn predefined_binary(&mut self, op: Op, x: Val, y: Val, span: Span) -> Res<Val> {
        use Op::*;
        if matches!(x.ty.kind, TyKind::Physical) || matches!(y.ty.kind, TyKind::Physical) {
            return self.physical_binary(op, x, y, span);
        }
        if matches!(x.ty.kind, TyKind::Real) || matches!(y.ty.kind, TyKind::Real) {
            return self.real_binary(op, x, y, span);
        }
        match op {
            And | Or | Nand | Nor | Xor | Xnor => self.logical(op, x, y, span),
            Eq | Ne | Lt | Le | Gt | Ge => {
                let n = self.predefined_compare(op, &x, &y);
                Ok(self.truth(n))
            }
            MatchEq | MatchNe => {
                let n = self.matches(&x, &y, span)?;
                let n = if op == MatchNe { self.m.d.not(n) } else { n };
                Ok(Val { node: n, ty: self.match_type(&x) })
            }
            MatchLt | MatchLe | MatchGt | MatchGe => {
                let n = self.compare_nodes(op, x.node, y.node, false);
                Ok(Val { node: n, ty: self.match_type(&x) })
            }
            Plus | Minus | Times | Div | Mod | Rem | Pow if x.ty.is_int() && y.ty.is_int() => {
                self.int_binary(op, &x, &y, span)
            }
            Sll | Srl | Sla | Sra | Rol | Ror if x.ty.is_vector() => {
                let w = x.ty.width;
                let mut fill = Fill::default();
                if matches!(op, Sla | Sra) && w > 0 {
                    fill.low = Some(self.m.d.slice(x.node, 0, 1));
                    fill.high = Some(self.m.d.slice(x.node, w - 1, 1));
                }
                let node = self.shift_op(op, x.node, &y, fill, span)?;
                Ok(Val { node, ty: x.ty })
            }
            _ => self.unsupported("the operator on these types", span),
        }
    }

    fn match_type(&self, x: &Val) -> Rc<Ty> {
        match &x.ty.kind {
            TyKind::Array { elem, .. } => elem.clone(),
            _ => x.ty.clone(),
        }
    }

    /// Element by element; one operand may be a single element (VHDL-2008).
    pub(super) fn logical(&mut self, op: Op, x: Val, y: Val, span: Span) -> Res<Val> {
        let (x, y) = match (x.ty.is_vector(), y.ty.is_vector()) {
            (true, false) if y.ty.width == 1 => {
                let node = self.spread(y.node, x.ty.width);
                let ty = x.ty.clone();
                (x, Val { node, ty })
            }
            (false, true) if x.ty.width == 1 => {
                let node = self.spread(x.node, y.ty.width);
                let ty = y.ty.clone();
                (Val { node, ty }, y)
            }
            _ => (x, y),
        };
        if x.ty.width != y.ty.width {
            let text = format!("operands of {} and {} elements", x.ty.width, y.ty.width);
            return error(codes::E0310, text, span, "the lengths must agree");
        }
        let d = &mut self.m.d;
        let n = match op {
            Op::And | Op::Nand => d.and(x.node, y.node),
            Op::Or | Op::Nor => d.or(x.node, y.node),
            _ => d.xor(x.node, y.node),
        };
        let n = if matches!(op, Op::Nand | Op::Nor | Op::Xnor) { d.not(n) } else { n };
        Ok(Val { node: n, ty: x.ty })
    }

    /// One bit repeated.
    pub(super) fn spread(&mut self, bit: NodeId, width: u32) -> NodeId {
        self.m.d.sext(bit, width)
    }

    pub(super) fn predefined_compare(&mut self, op: Op, x: &Val, y: &Val) -> NodeId {
        if x.ty.is_int() && y.ty.is_int() {
            return self.int_compare(op, x, y);
        }
        match op {
            Op::Eq | Op::Ne => {
                let n = self.equal(x, y);
                if op == Op::Ne { self.m.d.not(n) } else { n }
            }
            _ => {
                if self.meta(x) || self.meta(y) {
                    return self.m.d.bool(false);
                }
                let (xw, yw) = (x.ty.width, y.ty.width);
                let (mut xn, mut yn) = (x.node, y.node);
                if let TyKind::Array { elem, .. } = &x.ty.kind
                    && elem.interval().is_some_and(|i| i.0 < 0)
                {
                    // Negative numbers come first: with the sign bits turned over they do as bits.
                    xn = self.flip_signs(xn, elem.width);
                    yn = self.flip_signs(yn, elem.width);
                }
                let w = xw.min(yw);
                let (a, b) = (self.m.d.slice(xn, xw - w, w), self.m.d.slice(yn, yw - w, w));
                if xw == yw {
                    return self.compare_nodes(op, a, b, false);
                }
                // From the left; a prefix is smaller.
                let (less, more) = (self.m.d.ult(a, b), self.m.d.ult(b, a));
                let x_less = if xw < yw { self.m.d.not(more) } else { less };
                if matches!(op, Op::Lt | Op::Le) { x_less } else { self.m.d.not(x_less) }
            }
        }
    }

    fn flip_signs(&mut self, n: NodeId, element: u32) -> NodeId {
        let w = self.m.d.width(n);
        let mut mask = Bits::zero(w);
        for i in (element - 1..w).step_by(element as usize) {
            mask.set(i, true);
        }
        let mask = self.m.d.constant(mask);
        self.m.d.xor(n, mask)
    }

    /// Whether a constant has a metavalue in it.
    pub(super) fn meta(&self, v: &Val) -> bool {
        self.m.d.as_const(v.node).is_some_and(Bits::has_unknown)
    }

    /// Equality of two values of one type. A metavalue equals no signal, as signals have none.
    pub(super) fn equal(&mut self, x: &Val, y: &Val) -> NodeId {
        let lengths = |v: &Val| v.ty.dims().map(|d| d.iter().map(Dim::len).collect::<Vec<_>>());
        if lengths(x) != lengths(y) || x.ty.width != y.ty.width {
            return self.m.d.bool(false);
        }
        match (self.m.d.as_const(x.node), self.m.d.as_const(y.node)) {
            (Some(a), Some(b)) => {
                let same = a == b;
                self.m.d.bool(same)
            }
            _ if self.meta(x) || self.meta(y) => self.m.d.bool(false),
            _ => self.m.d.eq(x.node, y.node),
        }
    }

    /// Matching equality: `-` in a constant operand matches anything.
    pub(super) fn matches(&mut self, x: &Val, y: &Val, span: Span) -> Res<NodeId> {
        if x.ty.width != y.ty.width {
            return error(codes::E0310, "operands of different lengths", span, "cannot match");
        }
        let (value, pattern) = if self.m.d.as_const(y.node).is_some() { (x, y) } else { (y, x) };
        let Some(p) = self.m.d.as_const(pattern.node).cloned() else { return Ok(self.m.d.eq(x.node, y.node)) };
        let value = value.node;
        Ok(self.match_bits(value, &p))
    }

    /// A value against a pattern in which `x` is a wildcard and `z` matches nothing.
    pub(super) fn match_bits(&mut self, value: NodeId, p: &Bits) -> NodeId {
        let w = p.width();
        if (0..w).any(|i| p.is_z(i)) {
            return self.m.d.bool(false);
        }
        let mut all = self.m.d.bool(true);
        let mut i = 0;
        while i < w {
            if p.is_unknown(i) {
                i += 1;
                continue;
            }
            let mut j = i;
            while j < w && !p.is_unknown(j) {
                j += 1;
            }
            let (a, b) = (self.m.d.slice(value, i, j - i), self.m.d.constant(p.slice(i, j - i)));
            let eq = self.m.d.eq(a, b);
            all = self.m.d.and(all, eq);
            i = j;
        }
        all
    }

    fn real_binary(&mut self, op: Op, x: Val, y: Val, span: Span) -> Res<Val> {
        let (Some(a), Some(b)) = (self.as_real(&x), self.as_real(&y)) else {
            return error(codes::E0411, "real numbers cannot become hardware", span, "not constant");
        };
        let truth = |e: &mut Self, v: bool| {
            let n = e.m.d.bool(v);
            Ok(e.truth(n))
        };
        let r = match op {
            Op::Plus => a + b,
            Op::Minus => a - b,
            Op::Times => a * b,
            Op::Div => a / b,
            Op::Mod => a - b * (a / b).floor(),
            Op::Rem => a - b * (a / b).trunc(),
            Op::Pow => a.powf(b),
            Op::Eq => return truth(self, a == b),
            Op::Ne => return truth(self, a != b),
            Op::Lt => return truth(self, a < b),
            Op::Le => return truth(self, a <= b),
            Op::Gt => return truth(self, a > b),
            Op::Ge => return truth(self, a >= b),
            _ => return self.unsupported("the operator on real numbers", span),
        };
        Ok(self.real(r))
    }

    /// Physical values are constants: delays and clock periods.
    fn physical_binary(&mut self, op: Op, x: Val, y: Val, span: Span) -> Res<Val> {
        let number = |e: &Self, v: &Val| match v.ty.kind {
            TyKind::Real => e.as_real(v),
            _ => e.as_int(v).map(|i| i as f64),
        };
        let (Some(a), Some(b)) = (number(self, &x), number(self, &y)) else {
            return error(codes::E0411, "a physical value cannot become hardware", span, "not constant");
        };
        let both = matches!(x.ty.kind, TyKind::Physical) && matches!(y.ty.kind, TyKind::Physical);
        let ty = if matches!(x.ty.kind, TyKind::Physical) { x.ty } else { y.ty };
        let r = match op {
            Op::Plus => a + b,
            Op::Minus => a - b,
            Op::Times => a * b,
            Op::Div if both => return Ok(self.int_const((a / b).trunc() as i128)),
            Op::Div => (a / b).trunc(),
            Op::Mod => a.rem_euclid(b),
            Op::Rem => a % b,
            _ => {
                let v = match op {
                    Op::Eq => a == b,
                    Op::Ne => a != b,
                    Op::Lt => a < b,
                    Op::Le => a <= b,
                    Op::Gt => a > b,
                    Op::Ge => a >= b,
                    _ => return self.unsupported("the operator on physical values", span),
                };
                let n = self.m.d.bool(v);
                return Ok(self.truth(n));
            }
        };
        Ok(Val { node: self.m.d.constant(types::int_bits(r as i128, 64)), ty })
    }

    /// `a & b`, each an array or an element of the result.
    fn concat_expr(
        &mut self,
        ent: Option<Ent>,
        a: &'a Expr,
        b: &'a Expr,
        want: Option<&Rc<Ty>>,
        span: Span,
    ) -> Res<Val> {
        let of = match ent.map(|e| self.lib.entities.relation(self.lib.entities.origin(e))) {
            Some(Relation::ImplicitOf(t)) => match self.lookup(t, span)? {
                Symbol::Type(t) => Some(t),
                _ => None,
            },
            _ => None,
        };
        let array = of.or_else(|| want.cloned());
        let open = array.as_ref().and_then(|t| match &t.kind {
            TyKind::Array { def, elem, .. } => Some((Ty::array(def.clone(), None, elem.clone()), elem.clone())),
            _ => None,
        });
        let mut values = Vec::new();
        for e in [a, b] {
            let hint = match (&open, &e.kind) {
                (Some((_, elem)), ExprKind::Char(_)) => Some(elem.clone()),
                // An aggregate is an element unless the elements have no parts.
                (Some((_, elem)), ExprKind::Aggregate(_))
                    if matches!(elem.kind, TyKind::Array { .. } | TyKind::Record { .. }) =>
                {
                    Some(elem.clone())
                }
                (Some((_, elem)), ExprKind::Str(_)) if matches!(elem.kind, TyKind::Array { .. }) => Some(elem.clone()),
                (Some((array, _)), _) => Some(array.clone()),
                _ => None,
            };
            values.push(self.eval(e, hint.as_ref())?);
        }
        let (y, x) = (values.pop().expect("two"), values.pop().expect("two"));
        let (def, elem) = match (&array.as_ref().map(|t| &t.kind), &x.ty.kind, &y.ty.kind) {
            (Some(TyKind::Array { def, elem, .. }), _, _)
            | (_, TyKind::Array { def, elem, .. }, _)
            | (_, _, TyKind::Array { def, elem, .. }) => (def.clone(), elem.clone()),
            _ => return error(codes::E0310, "the type of the concatenation is not known here", span, "concatenation"),
        };
        let is_array = |v: &Val| match &v.ty.kind {
            // An array of the result's own type; an element may be an array of another.
            TyKind::Array { def: d, .. } => d.ent == def.ent,
            _ => false,
        };
        let elem = match (is_array(&x), is_array(&y)) {
            (false, _) => x.ty.clone(),
            (_, false) => y.ty.clone(),
            _ => match (&x.ty.kind, elem.is_open()) {
                (TyKind::Array { elem, .. }, true) => elem.clone(),
                _ => elem,
            },
        };
        let elem = match (&elem.kind, &array.as_ref().map(|t| &t.kind)) {
            // The element's own subtype, not the value's narrower one.
            (TyKind::Int { .. }, Some(TyKind::Array { elem, .. })) => elem.clone(),
            _ => elem,
        };
        let mut n: i128 = 0;
        let mut parts = Vec::new();
        for v in [&x, &y] {
            if is_array(v) {
                n += v.ty.dims().and_then(|d| d.first()).map_or(0, |d| d.len() as i128);
                parts.push(v.node);
            } else {
                let c = self.convert(v.clone(), &elem, span)?;
                parts.push(c.node);
                n += 1;
            }
        }
        let left = def.indices.first().and_then(|t| t.interval()).map_or(0, |i| i.0);
        // Since VHDL-93 the index type alone gives the bounds.
        let dim = Dim::new(left, left + n - 1, false);
        Ok(Val { node: self.m.d.concat(&parts), ty: Ty::array(def, Some(vec![dim]), elem) })
    }
}
