//! Ports: what an instance connects them to, whole or in parts, with conversions on either side.

use super::instance::Outside;
use super::*;
use crate::word::Role;

impl<'a> Elab<'a> {
    pub(super) fn free_outputs(&mut self, ports: &'a [Interface], scope: ScopeId) {
        for p in ports {
            if let Some(Symbol::Var(v, _)) = self.scopes[scope.0 as usize].symbols.get(&p.name.ent) {
                let v = *v;
                self.m.undriven_ok.insert(v);
                self.m.vars[v.index()].init = None;
            }
        }
    }

    // Ports.

    pub(super) fn ports(
        &mut self,
        ports: &'a [Interface],
        scope: ScopeId,
        outside: &Outside<'a>,
        span: Span,
    ) -> Res<()> {
        for (n, p) in ports.iter().enumerate() {
            let InterfaceKind::Object { mode, subtype, default, .. } = &p.kind else {
                return self.unsupported("this port", p.name.span);
            };
            let ty = self.in_scope(scope, |e| e.subtype(subtype))?;
            match outside {
                Outside::Top => {
                    if ty.is_open() {
                        let text = format!("port `{}` of the top has no bounds", p.name.name);
                        return error(codes::E0310, text, p.name.span, "unconstrained");
                    }
                    if *mode == Mode::In
                        && self.opts.open.contains(&p.name.name)
                        && let Some(e) = default
                    {
                        let value = self.in_scope(scope, |x| x.constantly(|x| x.eval_as(e, &ty)))?;
                        let v = self.in_scope(scope, |x| x.new_var(&p.name, ty.clone(), None, Role::Internal));
                        let place = Place { root: Root::Var(v), steps: Vec::new(), ty };
                        self.comb(span, |x| x.assign(&place, value.node, false, span))?;
                        continue;
                    }
                    let role = if *mode == Mode::In { Role::Input } else { Role::Output };
                    let init = match default {
                        Some(e) if *mode != Mode::In => {
                            let v = self.in_scope(scope, |x| x.constantly(|x| x.eval_as(e, &ty)))?;
                            self.m.d.as_const(v.node).cloned()
                        }
                        _ => None,
                    };
                    let v = self.in_scope(scope, |e| e.new_var(&p.name, ty, init, role));
                    if *mode == Mode::Inout {
                        self.inouts.push(v);
                    }
                }
                Outside::Parent { scope: parent, ports: args, component } => {
                    let at = match component {
                        Some(c) => c.ports.iter().position(|q| q.name.name == p.name.name).unwrap_or(usize::MAX),
                        None => n,
                    };
                    // Formals of a component instance name the component's ports.
                    let twin = component.and_then(|c| c.ports.get(at)).map(|q| q.name.ent);
                    self.twin = twin;
                    self.connect(p, at, *mode, ty, default.as_ref(), args, *parent, scope, span)?;
                }
            }
        }
        Ok(())
    }

    #[allow(clippy::too_many_arguments)]
    pub(super) fn connect(
        &mut self,
        p: &'a Interface,
        n: usize,
        mode: Mode,
        ty: Rc<Ty>,
        default: Option<&'a Expr>,
        args: &'a [Arg],
        parent: ScopeId,
        scope: ScopeId,
        span: Span,
    ) -> Res<()> {
        let mine: Vec<&'a Arg> = args
            .iter()
            .enumerate()
            .filter(|(k, a)| match &a.formal {
                Some(f) => formal_port(f).last() == p.name.name,
                None => *k == n,
            })
            .map(|(_, a)| a)
            .collect();
        let whole = match mine.as_slice() {
            [one] => one.formal.as_ref().is_none_or(|f| matches!(formal_port(f).kind, NameKind::Simple(..))),
            _ => false,
        };
        let ty = if ty.is_open() { self.type_from_actual(&mine, &ty, parent, span)? } else { ty };
        let actual = match mine.as_slice() {
            [] => None,
            [one] if whole => one.actual.as_ref(),
            _ => None,
        };
        if mode == Mode::Inout
            && let Some(Expr { kind: ExprKind::Name(name), .. }) = actual
        {
            // One net inside and outside.
            let place = self.in_scope(parent, |e| e.place(name))?;
            let place = Place { ty: if place.ty.width == ty.width { ty } else { place.ty.clone() }, ..place };
            self.scopes[scope.0 as usize].symbols.insert(p.name.ent, Symbol::Part(place));
            return Ok(());
        }
        let init = match (mode, default) {
            (Mode::In, _) | (_, None) => None,
            (_, Some(e)) => {
                let v = self.in_scope(scope, |x| x.constantly(|x| x.eval_as(e, &ty)))?;
                self.m.d.as_const(v.node).cloned()
            }
        };
        let v = self.in_scope(scope, |e| e.new_var(&p.name, ty.clone(), init, Role::Internal));
        if let Some(e) = self.twin.take() {
            self.scopes[scope.0 as usize].symbols.insert(e, Symbol::Var(v, ty.clone()));
        }
        let root = Place { root: Root::Var(v), steps: Vec::new(), ty: ty.clone() };
        if mode == Mode::In {
            if mine.is_empty() || (whole && actual.is_none()) {
                return match default {
                    Some(e) => {
                        let value = self.in_scope(scope, |x| x.constantly(|x| x.eval_as(e, &ty)))?;
                        self.comb(span, |x| x.assign(&root, value.node, false, span))
                    }
                    None => {
                        self.m.warn(
                            Diagnostic::warning(codes::W0217, format!("input `{}` is not connected", p.name.name))
                                .at(span, "in this instance")
                                .also(p.name.span, "input declared here"),
                        );
                        self.m.undriven_ok.insert(v);
                        self.m.vars[v.index()].init = None;
                        Ok(())
                    }
                };
            }
            for a in mine {
                let Some(e) = &a.actual else { continue };
                let place = match &a.formal {
                    Some(f) if !whole => self.formal_place(root.clone(), f, scope)?,
                    _ => root.clone(),
                };
                self.comb(a.span, |x| {
                    let value = x.in_scope(parent, |x| x.eval_as(e, &place.ty))?;
                    x.assign(&place, value.node, false, a.span)
                })?;
            }
            self.m.vars[v.index()].input = true;
            return Ok(());
        }
        for a in mine {
            let Some(Expr { kind: ExprKind::Name(name), .. }) = &a.actual else { continue };
            let from = match &a.formal {
                Some(f) if !whole => self.formal_place(root.clone(), f, scope)?,
                _ => root.clone(),
            };
            self.comb(a.span, |x| {
                let value = x.read(&from)?;
                let value = match &a.formal {
                    Some(f) => x.formal_conversion(value, f, scope)?,
                    None => value,
                };
                let to = x.in_scope(parent, |x| x.output_target(name))?;
                let value = x.convert(value, &to.ty, a.span)?;
                x.assign(&to, value.node, true, a.span)
            })?;
        }
        Ok(())
    }

    /// What the actual of an output assigns: `t(y)` is a conversion the other way.
    pub(super) fn output_target(&mut self, name: &'a Name) -> Res<Place> {
        let target = match &name.kind {
            NameKind::Call(prefix, inner)
                if prefix.ent().is_some_and(|e| matches!(self.lookup(e, prefix.span), Ok(Symbol::Type(_)))) =>
            {
                match inner.first().and_then(|a| a.actual.as_ref()) {
                    Some(Expr { kind: ExprKind::Name(n), .. }) => n,
                    _ => name,
                }
            }
            _ => name,
        };
        self.place(target)
    }

    /// The shape an unconstrained port takes from what it is connected to.
    pub(super) fn type_from_actual(
        &mut self,
        mine: &[&'a Arg],
        ty: &Rc<Ty>,
        parent: ScopeId,
        span: Span,
    ) -> Res<Rc<Ty>> {
        let [Arg { actual: Some(e), .. }] = mine else {
            return error(codes::E0310, "an unconstrained port needs one whole connection", span, "in this instance");
        };
        let mut found = None;
        // Only the type counts: the run leaves nothing behind.
        let (m, events) = (self.m.proc.take(), std::mem::take(&mut self.events));
        let r = self.run_process(
            crate::front::behave::process::Process::new(crate::front::behave::process::ProcKind::Comb),
            |x| {
                let v = match &e.kind {
                    ExprKind::Name(n) => x.in_scope(parent, |x| x.prefix_type(n))?,
                    _ => x.in_scope(parent, |x| x.eval(e, Some(ty)))?.ty,
                };
                let node = x.m.d.undef(v.width.max(1));
                found = Some(x.convert(Val { node, ty: v }, ty, span)?.ty);
                Ok(())
            },
        );
        self.m.proc = m;
        self.events = events;
        r?;
        found.ok_or_else(|| Box::new(Diagnostic::error(codes::E0310, "the port has no bounds").at(span, "port")))
    }

    /// A part of a port named as a formal.
    pub(super) fn formal_place(&mut self, root: Place, f: &'a Name, scope: ScopeId) -> Res<Place> {
        self.in_scope(scope, |e| {
            let f = formal_port(f);
            match &f.kind {
                NameKind::Simple(..) => Ok(root),
                _ => e.place(f),
            }
        })
    }

    /// A conversion around a formal: applied to what comes out of the port.
    pub(super) fn formal_conversion(&mut self, v: Val, f: &'a Name, scope: ScopeId) -> Res<Val> {
        let NameKind::Call(prefix, _) = &f.kind else { return Ok(v) };
        let Some(e) = prefix.ent() else { return Ok(v) };
        match self.in_scope(scope, |x| x.lookup(e, prefix.span)) {
            Ok(Symbol::Type(t)) => match (&v.ty.kind, &t.kind) {
                (TyKind::Array { dims, elem, .. }, TyKind::Array { def, .. }) => {
                    Ok(Val { ty: Ty::array(def.clone(), dims.clone(), elem.clone()), node: v.node })
                }
                _ => self.convert(v, &t, f.span),
            },
            Ok(Symbol::Sub(_)) => match self.callee(Some(e), f.span)? {
                predefined::Callee::Native(p, s) => self.native(&p, prefix.last(), s, vec![v], f.span),
                predefined::Callee::User(s) => self.call_values(s, vec![v], f.span),
                predefined::Callee::Predefined => Ok(v),
            },
            _ => Ok(v),
        }
    }
}

/// The port in a formal, without a conversion around it.
pub(super) fn formal_port(f: &Name) -> &Name {
    if let NameKind::Call(prefix, args) = &f.kind
        && let [Arg { formal: None, actual: Some(Expr { kind: ExprKind::Name(inner), .. }), .. }] = args.as_slice()
        && !matches!(inner.kind, NameKind::Attr(..))
        && inner.ent().is_some()
        && prefix.ent().is_some()
        && is_conversion(prefix)
    {
        return inner;
    }
    f
}

/// Ports are indexed with numbers; a name in parentheses behind a library or type name converts.
fn is_conversion(prefix: &Name) -> bool {
    matches!(
        prefix.last(),
        "std_logic_vector"
            | "std_ulogic_vector"
            | "unsigned"
            | "signed"
            | "to_stdlogicvector"
            | "to_stdulogicvector"
            | "to_bitvector"
            | "to_stdulogic"
            | "to_bit"
            | "integer"
            | "natural"
            | "bit_vector"
            | "to_integer"
    )
}
