//! Functions and tasks, executed in place at each call; methods of enumerations and arrays.

use super::place::Place;
use super::scope::{ScopeId, Symbol};
use super::*;
use crate::front::behave::env::Key;
use crate::front::behave::place::{Root, Step};

/// A formal argument with its resolved type.
struct Formal<'a> {
    name: &'a Ident,
    direction: Direction,
    ty: Rc<Ty>,
    default: Option<&'a Expr>,
}

impl<'a> Elab<'a> {
    pub(super) fn return_type(&mut self, s: &'a Subprogram, scope: ScopeId) -> Res<Rc<Ty>> {
        match &s.ret {
            None => Ok(Rc::new(Ty { kind: TyKind::Void, width: 0, signed: false, four_state: false })),
            Some(t) => self.in_scope(scope, |e| e.resolve_type(t)),
        }
    }

    fn callee(&mut self, f: &'a Expr) -> Res<Option<(&'a Subprogram, ScopeId)>> {
        if let ExprKind::Member(base, _) = &f.kind {
            // A method of a value, unless the path leads into a scope.
            let is_path = matches!(base.kind, ExprKind::Ident(_) | ExprKind::Member(..) | ExprKind::Index(..));
            if !is_path || !matches!(self.symbol_of(base), Ok(Some(Symbol::Scope(_)))) {
                return Ok(None);
            }
        }
        match self.symbol_of(f)? {
            Some(Symbol::Subprogram(s, scope)) => Ok(Some((s, scope))),
            // Inside a function its own name is the result variable: a recursive call.
            Some(Symbol::Local(..)) => {
                let mut at = Some(self.scope);
                if let ExprKind::Ident(n) = &f.kind {
                    while let Some(s) = at {
                        if let Some(Symbol::Subprogram(sub, sc)) = self.scope_ref(s).names.get(n) {
                            return Ok(Some((sub, *sc)));
                        }
                        at = self.scope_ref(s).parent;
                    }
                }
                error(codes::E0213, "a variable is called like a function", f.span, "not a function")
            }
            Some(Symbol::Unsupported(u, _)) => self.unsupported(&u, f.span),
            _ => error(codes::E0213, "this cannot be called", f.span, "not a function or task"),
        }
    }

    pub(super) fn call_type(&mut self, f: &'a Expr, _args: &'a [Arg], span: Span) -> Res<Rc<Ty>> {
        match self.callee(f)? {
            Some((s, scope)) => self.return_type(s, scope),
            None => match &f.kind {
                ExprKind::Member(base, m) => {
                    let t = self.type_of(base)?;
                    self.method_type(&t, m)
                }
                _ => error(codes::E0213, "this cannot be called", span, "not a function"),
            },
        }
    }

    pub(super) fn call_expr(&mut self, f: &'a Expr, args: &'a [Arg], span: Span) -> Res<NodeId> {
        match self.callee(f)? {
            Some((s, scope)) => Ok(self.call(s, scope, args, span)?.0),
            None => match &f.kind {
                ExprKind::Member(base, m) => Ok(self.method(base, m, args, span)?.0),
                _ => error(codes::E0213, "this cannot be called", span, "not a function"),
            },
        }
    }

    fn formals(&mut self, s: &'a Subprogram, scope: ScopeId) -> Res<Vec<Formal<'a>>> {
        let mut out = Vec::new();
        self.in_scope(scope, |e| {
            for p in &s.ports {
                let base = e.resolve_type(&p.ty)?;
                let ty = e.add_dims(base, &p.decl.dims, false)?;
                let direction = p.direction.unwrap_or(Direction::Input);
                out.push(Formal { name: &p.decl.name, direction, ty, default: p.decl.init.as_ref() });
            }
            // Non-ANSI: declared in the body.
            for item in &s.items {
                if let ItemKind::PortDecl { direction, ty, names, .. } = &item.kind {
                    let base = e.resolve_type(ty)?;
                    for n in names {
                        let ty = e.add_dims(base.clone(), &n.dims, false)?;
                        out.push(Formal { name: &n.name, direction: *direction, ty, default: None });
                    }
                }
            }
            Ok(out)
        })
    }

    /// Executes a call: copies in, runs the body, copies out; the result is the return value.
    pub(super) fn call(
        &mut self,
        s: &'a Subprogram,
        def: ScopeId,
        args: &'a [Arg],
        span: Span,
    ) -> Res<(NodeId, Rc<Ty>)> {
        if self.call_depth >= MAX_CALL_DEPTH {
            return error(
                codes::E0312,
                format!("`{}` calls itself more than {MAX_CALL_DEPTH} levels deep", s.name.name),
                span,
                "this call does not end",
            );
        }
        let ret = self.return_type(s, def)?;
        let formals = self.formals(s, def)?;
        let mut actuals: Vec<Option<&'a Expr>> = vec![None; formals.len()];
        for (i, a) in args.iter().enumerate() {
            let at = match &a.name {
                Some(n) => formals.iter().position(|f| f.name.name == n.name),
                None => (i < formals.len()).then_some(i),
            };
            match at {
                Some(at) => actuals[at] = a.value.as_ref(),
                None => {
                    let d =
                        Diagnostic::error(codes::E0308, format!("`{}` takes {} arguments", s.name.name, formals.len()))
                            .at(span, "called with others")
                            .also(s.name.span, "declared here");
                    return Err(Box::new(d));
                }
            }
        }
        // Copy in, in the caller's scope.
        let mut values = Vec::new();
        let mut outs: Vec<Option<Place>> = Vec::new();
        for (f, a) in formals.iter().zip(&actuals) {
            let out = match (f.direction, a) {
                (Direction::Input, _) => None,
                (_, Some(a)) => Some(self.place(a)?),
                (_, None) => {
                    return error(
                        codes::E0308,
                        format!("output argument `{}` is missing", f.name.name),
                        span,
                        "in this call",
                    );
                }
            };
            let value = match (f.direction, a) {
                (Direction::Output, _) => None,
                (_, Some(a)) => Some(self.rvalue(a, &f.ty)?),
                (_, None) => match f.default {
                    Some(e) => Some(self.in_scope(def, |s| s.rvalue(e, &f.ty))?),
                    None => {
                        let d = Diagnostic::error(codes::E0308, format!("argument `{}` is missing", f.name.name))
                            .at(span, "in this call")
                            .also(f.name.span, "declared here");
                        return Err(Box::new(d));
                    }
                },
            };
            values.push(value);
            outs.push(out);
        }
        // A constant function of constant arguments: the same call need not run twice.
        let memo = if self.m.const_mode && self.m.proc.is_none() && outs.iter().all(Option::is_none) {
            let args: Option<Vec<Bits>> =
                values.iter().map(|v| v.and_then(|n| self.m.d.as_const(n).cloned())).collect();
            args.map(|a| (s as *const Subprogram as usize, def, a))
        } else {
            None
        };
        if let Some(b) = memo.as_ref().and_then(|k| self.constant_calls.get(k)) {
            let b = b.clone();
            return Ok((self.m.d.constant(b), ret));
        }
        let mark = self.scopes.len();
        let frame = self.new_scope(def, &s.name.name);
        let mut slots = Vec::new();
        for (f, v) in formals.iter().zip(values) {
            let k = self.m.env.fresh();
            let v = match v {
                Some(v) => v,
                None => self.undef_or_zero(&f.ty),
            };
            self.m.env.set(Key::Local(k), v);
            self.redeclare(frame, &f.name.name, Symbol::Local(f.ty.clone(), k));
            slots.push(k);
        }
        let result = self.m.env.fresh();
        if ret.width > 0 || ret.kind == TyKind::Str {
            let v = self.undef_or_zero(&ret);
            self.m.env.set(Key::Local(result), v);
            self.redeclare(frame, &s.name.name, Symbol::Local(ret.clone(), result));
        }
        let flag = self.m.env.fresh();
        let saved = self.m.env.enter_body(flag, Some(result));
        let outer = self.result_ty.replace(ret.clone());
        self.call_depth += 1;
        let r = self.in_scope(frame, |e| e.exec_all(&s.body));
        self.call_depth -= 1;
        self.m.env.control = saved;
        self.result_ty = outer;
        r?;
        // Copy out; the places were found before the call.
        for ((f, out), k) in formals.iter().zip(outs).zip(slots) {
            if let Some(p) = out {
                let v = self.m.env.get(Key::Local(k)).unwrap_or_else(|| self.m.d.uint(0, f.ty.width));
                let v = self.m.d.resize(v, p.ty.width, f.ty.signed);
                self.write(&p, v, false, span)?;
            }
        }
        let value = match self.m.env.get(Key::Local(result)) {
            Some(v) => v,
            None => self.m.d.constant(Bits::zero(0)),
        };
        if let (Some(k), Some(b)) = (memo, self.m.d.as_const(value)) {
            let b = b.clone();
            self.constant_calls.insert(k, b);
        }
        // Frames are garbage once the call is over.
        self.drop_scopes(mark);
        Ok((value, ret))
    }

    /// A call as a statement.
    pub(super) fn call_stmt(&mut self, e: &'a Expr) -> Res<()> {
        match &e.kind {
            ExprKind::SysCall(name, args) => self.system_task(name, args, e.span),
            ExprKind::Call(f, args) => self.call_expr(f, args, e.span).map(drop),
            ExprKind::Ident(_) | ExprKind::Scoped(..) | ExprKind::Member(..) => match self.symbol_of(e)? {
                Some(Symbol::Subprogram(s, scope)) => self.call(s, scope, &[], e.span).map(drop),
                _ => error(codes::E0213, "a statement that does nothing", e.span, "not a task or function"),
            },
            ExprKind::IncDec { .. } => self.eval_self(e).map(drop),
            ExprKind::Cast(_, inner) => self.call_stmt(inner),
            ExprKind::Unsupported(u) => self.unsupported(u, e.span),
            _ => error(codes::E0213, "a statement that does nothing", e.span, "not a call"),
        }
    }

    pub(super) fn method_type(&mut self, t: &Rc<Ty>, m: &Ident) -> Res<Rc<Ty>> {
        match (&t.kind, m.name.as_str()) {
            (TyKind::Enum { .. }, "first" | "last" | "next" | "prev") => Ok(t.clone()),
            (TyKind::Enum { .. }, "num") => Ok(Ty::vector(32, true, false)),
            (TyKind::Array { .. }, "size" | "num") => Ok(Ty::vector(32, true, false)),
            (TyKind::Array { elem, .. }, "sum" | "product" | "and" | "or" | "xor") => Ok(elem.clone()),
            (TyKind::Str, "len") => Ok(Ty::vector(32, true, false)),
            _ => error(codes::E0212, format!("no member or method `{}`", m.name), m.span, "unknown here"),
        }
    }

    pub(super) fn method(
        &mut self,
        base: &'a Expr,
        m: &'a Ident,
        args: &'a [Arg],
        span: Span,
    ) -> Res<(NodeId, Rc<Ty>)> {
        let t = self.type_of(base)?;
        let ty = self.method_type(&t, m)?;
        let node = match &t.kind {
            TyKind::Enum { members, .. } => {
                let members = members.clone();
                self.enum_method(base, &t, &members, m, args, span)?
            }
            TyKind::Array { left, right, elem, .. } => {
                let (count, elem) = (types::range_len(*left, *right), elem.clone());
                if matches!(m.name.as_str(), "size" | "num") {
                    return Ok((self.m.d.uint(count, 32), ty));
                }
                let p = self.place(base)?;
                let all = self.read(&p)?;
                let op = match m.name.as_str() {
                    "sum" => BinaryOp::Add,
                    "product" => BinaryOp::Mul,
                    "and" => BinaryOp::And,
                    "or" => BinaryOp::Or,
                    _ => BinaryOp::Xor,
                };
                let mut acc: Option<NodeId> = None;
                for k in 0..count as u32 {
                    let x = self.m.d.slice(all, k * elem.width, elem.width);
                    acc = Some(match acc {
                        None => x,
                        Some(a) => self.arith(op, a, x, elem.signed),
                    });
                }
                match acc {
                    Some(n) => n,
                    None => self.m.d.uint(0, elem.width),
                }
            }
            _ => {
                let v = self.const_self(base)?;
                self.m.d.uint(v.width() as u64 / 8, 32)
            }
        };
        Ok((node, ty))
    }

    fn enum_method(
        &mut self,
        base: &'a Expr,
        t: &Rc<Ty>,
        members: &[(SmolStr, Bits)],
        m: &Ident,
        args: &'a [Arg],
        span: Span,
    ) -> Res<NodeId> {
        let n = members.len();
        if n == 0 {
            return error(codes::E0310, "an enumeration without members", span, "method call");
        }
        match m.name.as_str() {
            "first" => Ok(self.m.d.constant(members[0].1.clone())),
            "last" => Ok(self.m.d.constant(members[n - 1].1.clone())),
            "num" => Ok(self.m.d.uint(n as u64, 32)),
            _ => {
                let step = match args.first().and_then(|a| a.value.as_ref()) {
                    Some(e) => self.const_int(e)?.rem_euclid(n as i64) as usize,
                    None => 1,
                };
                let step = if m.name == "prev" { n - step % n } else { step };
                let p = self.place(base)?;
                let v = self.read(&p)?;
                // A value that is no member gives the type's default: x, or 0 if two-state.
                let mut r = self.undef_or_zero(t);
                for (i, (_, bits)) in members.iter().enumerate() {
                    let here = self.m.d.constant(bits.clone());
                    let to = self.m.d.constant(members[(i + step) % n].1.clone());
                    let hit = self.m.d.eq(v, here);
                    r = self.m.d.mux(hit, to, r);
                }
                Ok(r)
            }
        }
    }

    /// The variable a plain name or select refers to, for events.
    pub(super) fn event_place(&mut self, e: &'a Expr) -> Res<Option<(VarId, u32, u32)>> {
        if !matches!(e.kind, ExprKind::Ident(_) | ExprKind::Member(..) | ExprKind::Index(..) | ExprKind::Scoped(..)) {
            return Ok(None);
        }
        let p = self.place(e)?;
        let Root::Var(v) = p.root else { return Ok(None) };
        let mut lo = 0;
        for s in &p.steps {
            match s {
                Step::Fixed { lo: l, .. } => lo += l,
                _ => return Ok(None),
            }
        }
        Ok(Some((v, lo, p.ty.width)))
    }
}
