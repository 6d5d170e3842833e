//! Calls of functions and procedures.

use super::predefined::Callee;
use super::scope::Sub;
use super::*;
use crate::front::behave::env::Key;

/// What an argument is when the call begins.
enum Bound {
    Value(Val),
    /// Read and assigned in place: signals.
    Place(Place),
    /// Copied back afterwards.
    Copy(Place, Val),
}

impl<'a> Elab<'a> {
    /// A function call by name.
    pub(super) fn call(
        &mut self,
        callee: Callee<'a>,
        name: &str,
        args: &'a [Arg],
        want: Option<&Rc<Ty>>,
        span: Span,
    ) -> Res<Val> {
        if matches!(name, "rising_edge" | "falling_edge") && !matches!(callee, Callee::User(_)) {
            let Some(Arg { actual: Some(e), .. }) = args.first() else {
                return error(codes::E0310, "the edge of what?", span, "no signal given");
            };
            let edge = if name == "rising_edge" { crate::word::Edge::Pos } else { crate::word::Edge::Neg };
            return self.edge(e, edge);
        }
        match callee {
            Callee::User(s) => {
                let bound = self.bind_args(s, args, span)?;
                match self.run_body(s, bound, span)? {
                    Some(v) => Ok(v),
                    None => error(codes::E0213, "a procedure stands where a value is needed", span, "used as a value"),
                }
            }
            Callee::Native(p, s) => {
                let wild = name == "std_match";
                let values = self.native_args(s, args, wild, span)?;
                self.native(&p, name, s, values, span)
            }
            Callee::Predefined => self.predefined_call(name, args, want, span),
        }
    }

    /// Arguments must be those of the subprogram.
    fn check_args(&self, s: Sub<'a>, args: &'a [Arg]) -> Res<()> {
        for (n, a) in args.iter().enumerate() {
            let text = match &a.formal {
                Some(f) if s.spec.params.iter().all(|p| p.name.name != f.last()) => {
                    format!("`{}` has no parameter `{}`", s.spec.name.name, f.last())
                }
                None if n >= s.spec.params.len() => {
                    format!("`{}` has {} parameters", s.spec.name.name, s.spec.params.len())
                }
                _ => continue,
            };
            let d = Diagnostic::error(codes::E0207, text).at(a.span, "given here");
            return Err(Box::new(d.also(s.spec.name.span, "declared here")));
        }
        Ok(())
    }

    fn native_args(&mut self, s: Sub<'a>, args: &'a [Arg], wild: bool, span: Span) -> Res<Vec<Val>> {
        self.check_args(s, args)?;
        let mut out = Vec::new();
        for (n, p) in s.spec.params.iter().enumerate() {
            let given = args.iter().enumerate().find(|(k, a)| match &a.formal {
                Some(f) => f.last() == p.name.name,
                None => *k == n,
            });
            let InterfaceKind::Object { subtype, default, .. } = &p.kind else { continue };
            let ty = self.in_scope(s.scope, |e| e.subtype(subtype))?;
            match (given.and_then(|(_, a)| a.actual.as_ref()), default) {
                (Some(e), _) if wild && self.is_constant(e) => {
                    let saved = std::mem::replace(&mut self.wild, true);
                    let r = self.constantly(|x| x.eval(e, Some(&ty)));
                    self.wild = saved;
                    out.push(r?);
                }
                (Some(e), _) => out.push(self.eval(e, Some(&ty))?),
                // XMAP of conversions: metavalues do not exist here.
                (None, Some(_)) => {}
                (None, None) => return error(codes::E0310, format!("`{}` has no value", p.name.name), span, "call"),
            }
        }
        Ok(out)
    }

    /// Functions that come with types and package STANDARD.
    pub(super) fn predefined_call(
        &mut self,
        name: &str,
        args: &'a [Arg],
        want: Option<&Rc<Ty>>,
        span: Span,
    ) -> Res<Val> {
        if name == "endfile" {
            return self.endfile(args, span);
        }
        let mut values = Vec::new();
        for a in args {
            let Some(e) = &a.actual else { return error(codes::E0310, "an argument is missing", span, "call") };
            let hint = values.first().map(|v: &Val| v.ty.clone()).filter(|t| !t.is_int()).or_else(|| want.cloned());
            values.push(self.eval(e, hint.as_ref())?);
        }
        if let Some(op) = super::native::op_of(name) {
            return match values.len() {
                1 => {
                    let x = values.remove(0);
                    self.predefined_unary(op, x, span)
                }
                _ => {
                    let (y, x) = (values.pop().expect("two"), values.pop().expect("two"));
                    self.predefined_binary(op, x, y, span)
                }
            };
        }
        match (name, values.as_slice()) {
            ("minimum" | "maximum", [a, b]) => {
                let less = self.predefined_compare(Op::Lt, a, b);
                let (a, b) = (a.clone(), b.clone());
                if name == "minimum" { self.mux(less, a, b, span) } else { self.mux(less, b, a, span) }
            }
            ("minimum" | "maximum", [v]) => {
                let TyKind::Array { dims: Some(d), .. } = &v.ty.kind else {
                    return self.unsupported(&format!("this form of `{name}`"), span);
                };
                let d = d[0];
                let p = Place { root: Root::Value(v.node), steps: Vec::new(), ty: v.ty.clone() };
                let mut best: Option<Val> = None;
                for k in d.low()..=d.high() {
                    let i = self.bound(d, k, span)?;
                    let e = self.element(p.clone(), &i, span)?;
                    let x = self.read(&e)?;
                    best = Some(match best {
                        None => x,
                        Some(b) => {
                            let less = self.predefined_compare(Op::Lt, &x, &b);
                            if name == "minimum" { self.mux(less, x, b, span)? } else { self.mux(less, b, x, span)? }
                        }
                    });
                }
                best.ok_or_else(|| Box::new(Diagnostic::error(codes::E0310, "an empty array").at(span, "call")))
            }
            ("now", []) => {
                let ty = Rc::new(Ty { kind: TyKind::Physical, width: 64 });
                Ok(Val { node: self.m.d.uint(0, 64), ty })
            }
            ("to_string" | "to_bstring" | "to_hstring" | "to_ostring", _) => self.string(b"", None, span),
            _ => self.unsupported(&format!("function `{name}`"), span),
        }
    }

    /// A function of the user's with its operands already evaluated.
    pub(super) fn call_values(&mut self, s: Sub<'a>, values: Vec<Val>, span: Span) -> Res<Val> {
        let bound = values.into_iter().map(|v| Some(Bound::Value(v))).collect();
        match self.run_body(s, bound, span)? {
            Some(v) => Ok(v),
            None => error(codes::E0213, "a procedure stands where a value is needed", span, "used as a value"),
        }
    }

    fn bind_args(&mut self, s: Sub<'a>, args: &'a [Arg], span: Span) -> Res<Vec<Option<Bound>>> {
        self.check_args(s, args)?;
        let mut out = Vec::new();
        for (n, p) in s.spec.params.iter().enumerate() {
            let InterfaceKind::Object { class, mode, subtype, default } = &p.kind else {
                let InterfaceKind::Unsupported(what) = &p.kind else { return self.unsupported("this parameter", span) };
                return self.unsupported(what, span);
            };
            let given = args.iter().enumerate().find(|(k, a)| match &a.formal {
                Some(f) => f.last() == p.name.name,
                None => *k == n,
            });
            let Some(e) = given.and_then(|(_, a)| a.actual.as_ref()) else {
                if default.is_none() && *mode == Mode::In {
                    return error(codes::E0310, format!("parameter `{}` has no value", p.name.name), span, "call");
                }
                out.push(None);
                continue;
            };
            let scope = s.scope;
            let ty = self.in_scope(scope, |x| x.subtype(subtype))?;
            let name = match &e.kind {
                ExprKind::Name(n) => Some(&**n),
                _ => None,
            };
            out.push(Some(match (class, mode, name) {
                (Class::Signal, _, Some(n)) => Bound::Place(self.place(n)?),
                (Class::Variable | Class::Shared, Mode::Out | Mode::Inout, Some(n)) => {
                    let place = self.place(n)?;
                    let v = match mode {
                        Mode::Inout => self.read(&place)?,
                        _ => {
                            let shape = if ty.is_open() { place.ty.clone() } else { ty.clone() };
                            let b = shape.default_bits();
                            Val { node: self.m.literal(&b), ty: shape }
                        }
                    };
                    Bound::Copy(place, v)
                }
                (_, Mode::Out | Mode::Inout, None) => {
                    return error(codes::E0506, "cannot assign to an expression", e.span, "out parameter");
                }
                _ => Bound::Value(self.eval(e, Some(&ty))?),
            }));
        }
        Ok(out)
    }

    /// A procedure call as a statement.
    pub(super) fn procedure(&mut self, n: &'a Name) -> Res<()> {
        let (prefix, args): (&'a Name, &'a [Arg]) = match &n.kind {
            NameKind::Call(p, a) => (p, a),
            _ => (n, &[]),
        };
        let Some(ent) = prefix.ent() else {
            return error(
                codes::E0204,
                format!("`{}` is not declared", prefix.last()),
                prefix.span,
                "unknown procedure",
            );
        };
        let origin = self.lib.entities.origin(ent);
        let home = self.lib.entities.package(origin);
        if home.as_ref().is_some_and(|(l, p)| l == "std" || (l == "ieee" && p == "std_logic_textio")) {
            return self.library_procedure(prefix.last(), args, n.span);
        }
        match self.callee(Some(ent), prefix.span)? {
            Callee::User(s) => {
                let bound = self.bind_args(s, args, n.span)?;
                self.run_body(s, bound, n.span).map(|_| ())
            }
            _ => self.library_procedure(prefix.last(), args, n.span),
        }
    }

    pub(super) fn simulation_only(&mut self, what: &str, span: Span) {
        let d = Diagnostic::warning(codes::W0415, format!("{what} is passed over")).at(span, "simulation only");
        self.m.warn(d);
    }

    fn run_body(&mut self, s: Sub<'a>, args: Vec<Option<Bound>>, span: Span) -> Res<Option<Val>> {
        let Some(body) = s.body else {
            let text = format!("`{}` has no body", s.spec.name.name);
            let d = Diagnostic::error(codes::E0207, text).at(span, "called here");
            return Err(Box::new(d.also(s.spec.name.span, "declared here")));
        };
        if self.call_depth >= MAX_CALL_DEPTH {
            return error(codes::E0312, format!("`{}` calls itself too often", s.spec.name.name), span, "called here");
        }
        let path = self.scope_ref(self.scope).path.clone();
        let frame = self.new_scope(Some(s.scope), path);
        let floor = self.scopes.len();
        let caller = self.scope;
        let mut back = Vec::new();
        for (p, a) in body.spec.params.iter().zip(args) {
            let InterfaceKind::Object { subtype, default, .. } = &p.kind else { continue };
            let ty = self.in_scope(frame, |e| e.subtype(subtype))?;
            let symbol = match a {
                Some(Bound::Place(place)) => {
                    let place = if ty.is_open() || ty.width != place.ty.width { place } else { Place { ty, ..place } };
                    Symbol::Part(place)
                }
                Some(Bound::Copy(place, v)) => {
                    let v = self.convert(v, &ty, span)?;
                    let slot = self.m.env.fresh();
                    self.m.env.set(Key::Local(slot), v.node);
                    back.push((place, slot, v.ty.clone()));
                    Symbol::Local(slot, v.ty)
                }
                Some(Bound::Value(v)) => {
                    let v = self.convert(v, &ty, span)?;
                    self.parameter(v)
                }
                None => {
                    let v = match default {
                        Some(e) => self.in_scope(frame, |x| x.eval_as(e, &ty))?,
                        None => {
                            let b = ty.default_bits();
                            Val { node: self.m.literal(&b), ty: ty.clone() }
                        }
                    };
                    self.parameter(v)
                }
            };
            self.scopes[frame.0 as usize].symbols.insert(p.name.ent, symbol.clone());
            // Named references may point at the declaration's parameters.
            if let Some(first) = s.spec.params.iter().find(|q| q.name.name == p.name.name) {
                self.scopes[frame.0 as usize].symbols.insert(first.name.ent, symbol);
            }
        }
        let result = match &body.spec.result {
            Some(n) => Some(self.in_scope(frame, |e| e.type_mark(n))?),
            None => None,
        };
        let flag = self.m.env.fresh();
        let control = self.m.env.enter_body(flag, None);
        let labels = std::mem::take(&mut self.loop_labels);
        let outer_ty = std::mem::replace(&mut self.result_ty, result.clone());
        let outer_returns = std::mem::take(&mut self.returns);
        let persistent = std::mem::replace(&mut self.persistent, false);
        self.call_depth += 1;
        let r = self.in_scope(frame, |e| {
            e.declare_all(&body.decls)?;
            e.exec_all(&body.stmts)
        });
        self.call_depth -= 1;
        self.persistent = persistent;
        let returns = std::mem::replace(&mut self.returns, outer_returns);
        self.result_ty = outer_ty;
        self.loop_labels = labels;
        self.m.env.control = control;
        r?;
        self.scope = caller;
        for (place, slot, ty) in back {
            let node = self.m.env.get(Key::Local(slot)).unwrap_or_else(|| self.m.d.undef(ty.width));
            let v = self.convert(Val { node, ty }, &place.ty, span)?;
            self.assign(&place, v.node, false, span)?;
        }
        // The frame's scopes are of no more use.
        if self.scopes.len() == floor {
            self.scopes.truncate(floor - 1);
        }
        let Some(ty) = result else { return Ok(None) };
        let mut all = returns.into_iter().rev();
        let Some((_, mut value)) = all.next() else {
            let text = format!("`{}` ends without a return", s.spec.name.name);
            return error(codes::E0310, text, span, "called here");
        };
        for (cond, v) in all {
            value = self.mux(cond, v, value, span)?;
        }
        self.convert(value, &ty, span).map(Some)
    }

    /// A parameter that is only read: a constant if it is one.
    fn parameter(&mut self, v: Val) -> Symbol<'a> {
        match self.m.d.as_const(v.node) {
            Some(b) => Symbol::Const(v.ty, b.clone()),
            None => {
                let slot = self.m.env.fresh();
                self.m.env.set(Key::Local(slot), v.node);
                Symbol::Local(slot, v.ty)
            }
        }
    }

    // Edges.

    /// The free bit that stands for an edge of a signal in this process.
    pub(super) fn edge(&mut self, e: &'a Expr, edge: crate::word::Edge) -> Res<Val> {
        let v = self.eval(e, None)?;
        if v.ty.width != 1 {
            return error(codes::E0310, "an edge of something that is no single bit", e.span, "clock");
        }
        if self.m.proc.is_none() {
            return error(codes::E0409, "an edge outside a process", e.span, "nothing happens here");
        }
        let found = self.events.iter().find(|x| x.clock == v.node && x.edge == edge).map(|x| x.node);
        let node = match found {
            Some(n) => n,
            None => {
                let node = self.m.d.undef(1);
                self.events.push(Event { clock: v.node, edge, node, span: e.span });
                node
            }
        };
        Ok(self.truth(node))
    }

    /// `clk'event and clk = '1'` in either order.
    pub(super) fn edge_condition(&mut self, a: &'a Expr, b: &'a Expr) -> Res<Option<Val>> {
        for (x, y) in [(a, b), (b, a)] {
            if let Some(name) = event_of(x)
                && let Some(edge) = level_of(y, name)
            {
                let ExprKind::Name(n) = &x.kind else {
                    // `not clk'stable`
                    if let ExprKind::Unary(_, _, inner) = &x.kind
                        && let ExprKind::Name(n) = &inner.kind
                        && let NameKind::Attr(prefix, ..) = &n.kind
                    {
                        return self.edge_of_name(prefix, edge).map(Some);
                    }
                    continue;
                };
                let NameKind::Attr(prefix, ..) = &n.kind else { continue };
                return self.edge_of_name(prefix, edge).map(Some);
            }
        }
        Ok(None)
    }

    fn edge_of_name(&mut self, n: &'a Name, edge: crate::word::Edge) -> Res<Val> {
        let p = self.place(n)?;
        let v = self.read(&p)?;
        if self.m.proc.is_none() || v.ty.width != 1 {
            return error(codes::E0409, "an edge outside a process", n.span, "nothing happens here");
        }
        let found = self.events.iter().find(|x| x.clock == v.node && x.edge == edge).map(|x| x.node);
        let node = match found {
            Some(n) => n,
            None => {
                let node = self.m.d.undef(1);
                self.events.push(Event { clock: v.node, edge, node, span: n.span });
                node
            }
        };
        Ok(self.truth(node))
    }
}

/// The name whose event an expression tests.
fn event_of(e: &Expr) -> Option<&Name> {
    match &e.kind {
        ExprKind::Name(n) => match &n.kind {
            NameKind::Attr(p, Attr::Event, _) => Some(p),
            _ => None,
        },
        ExprKind::Unary(Op::Not, _, inner) => match &inner.kind {
            ExprKind::Name(n) => match &n.kind {
                NameKind::Attr(p, Attr::Stable, None) => Some(p),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

/// The edge a test of a signal's level after an event stands for.
fn level_of(e: &Expr, name: &Name) -> Option<crate::word::Edge> {
    let ExprKind::Binary(Op::Eq, _, a, b) = &e.kind else { return None };
    let same = |x: &Expr| matches!(&x.kind, ExprKind::Name(n) if same_name(n, name));
    let level = |x: &Expr| {
        let text = match &x.kind {
            ExprKind::Char(c) => char::from(*c).to_string(),
            ExprKind::Name(n) => n.last().trim_matches('\'').to_string(),
            _ => return None,
        };
        match text.as_str() {
            "1" | "true" => Some(crate::word::Edge::Pos),
            "0" | "false" => Some(crate::word::Edge::Neg),
            _ => None,
        }
    };
    if same(a) {
        level(b)
    } else if same(b) {
        level(a)
    } else {
        None
    }
}

fn same_name(a: &Name, b: &Name) -> bool {
    match (&a.kind, &b.kind) {
        (NameKind::Simple(x, e), NameKind::Simple(y, f)) => x == y && e == f,
        (NameKind::Selected(p, x, _), NameKind::Selected(q, y, _)) => x == y && same_name(p, q),
        (NameKind::Call(p, x), NameKind::Call(q, y)) => {
            let index = |a: &Arg| match &a.actual {
                Some(Expr { kind: ExprKind::Int(i), .. }) => Some(*i),
                _ => None,
            };
            same_name(p, q)
                && x.len() == y.len()
                && x.iter().zip(y).all(|(a, b)| index(a).is_some() && index(a) == index(b))
        }
        _ => false,
    }
}
