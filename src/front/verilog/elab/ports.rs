//! Instances: parameters given to them, their ports, and what the ports are connected to.

use super::hierarchy::{Override, Overrides};
use super::place::Place;
use super::scope::{ScopeId, Symbol};
use super::types::range_len;
use super::*;
use crate::front::behave::place::{Root, Step};

/// What an instance sees of the unit it stands for.
pub(super) struct Face<'a> {
    pub name: Ident,
    pub ports: Vec<Ident>,
    /// The unit, if it is a module.
    pub module: Option<&'a Module>,
}

impl<'a> Face<'a> {
    pub fn of(m: &'a Module) -> Face<'a> {
        Face { name: m.name.clone(), ports: port_names(m), module: Some(m) }
    }
}

/// Called with each instance, its index and position in an array of instances, and its scope.
type EachInstance<'f, 'a> = dyn FnMut(&mut Elab<'a>, &'a Instance, Option<(i64, u32)>, ScopeId) -> Res<()> + 'f;

/// What a port is connected to.
pub(super) enum Actual<'a> {
    Expr(&'a Expr),
    /// `.name` or `.*`.
    Name(Symbol<'a>, Span),
    Open,
}

impl<'a> Elab<'a> {
    pub(super) fn instantiate(&mut self, inst: &'a Instantiation) -> Res<()> {
        let Some(m) = self.modules.get(&inst.module.name).copied() else {
            if let Some(header) = self.find_guest(&inst.module)? {
                return self.instantiate_guest(inst, Rc::new(header));
            }
            if self.opts.blackboxes.iter().any(|b| *b == inst.module.name) {
                for c in inst.instances.iter().flat_map(|i| &i.ports) {
                    if let Connection::Named(_, Some(e)) | Connection::Positional(Some(e)) = c {
                        self.implicit_nets(e)?;
                        if let Ok(Some(Symbol::Var(v))) = self.symbol_of(e) {
                            self.m.undriven_ok.insert(v);
                        }
                    }
                }
                return Ok(());
            }
            let near = scope::nearest(&inst.module.name, self.modules.keys()).cloned();
            let d = Diagnostic::error(codes::E0202, format!("unknown module `{}`", inst.module.name))
                .at(inst.module.span, "no such module was read");
            return Err(Box::new(match near {
                Some(n) => d.help(format!("did you mean `{n}`?")),
                None => d.help(format!(
                    "add the file that defines it, a library folder with -y, or --blackbox {}",
                    inst.module.name
                )),
            }));
        };
        let given = self.overrides(m, &inst.params)?;
        let here = self.scope;
        self.each_instance(inst, &mut |e, i, index, child| {
            e.enter_module(m, child, given.clone(), Some((here, i)))?;
            e.todo.push(Todo::Connect { parent: here, child, module: m, inst: i, index });
            Ok(())
        })
    }

    /// Declares the nets that connections imply and a scope for each instance, and calls `f` with it.
    pub(super) fn each_instance(&mut self, inst: &'a Instantiation, f: &mut EachInstance<'_, 'a>) -> Res<()> {
        let here = self.scope;
        for i in &inst.instances {
            for c in &i.ports {
                if let Connection::Named(_, Some(e)) | Connection::Positional(Some(e)) = c {
                    self.implicit_nets(e)?;
                }
            }
            let mut indices: Vec<Option<(i64, u32)>> = vec![None];
            if let [dim] = i.dims.as_slice() {
                let (left, right) = match dim {
                    Dim::Range(l, r) => (self.const_int(l)?, self.const_int(r)?),
                    Dim::Size(e) => (0, self.const_int(e)? - 1),
                    Dim::Dynamic(span) => {
                        return error(codes::E0413, "instances without a fixed number", *span, "dimension");
                    }
                };
                let n = range_len(left, right);
                if n > 65536 {
                    return error(codes::E0311, format!("{n} instances"), i.name.span, "too many");
                }
                // Position 0 is the rightmost: it takes the least significant slice.
                indices = (0..n as i64)
                    .map(|k| Some((if left >= right { right + k } else { right - k }, k as u32)))
                    .collect();
            } else if i.dims.len() > 1 {
                return error(
                    codes::E0405,
                    "instance arrays of several dimensions are not supported",
                    i.name.span,
                    "one dimension only",
                );
            }
            let list = scope::Blocks::default();
            for index in indices {
                let name = match index {
                    None => i.name.name.to_string(),
                    Some((k, _)) => format!("{}[{k}]", i.name.name),
                };
                let unit = self.unit_scope;
                let child = self.new_scope(unit, "");
                let path = scope::join(&self.scope_ref(here).path, &name);
                let depth = self.scope_ref(here).depth + 1;
                let s = self.scope_mut(child);
                s.path = path;
                s.up = Some(here);
                s.depth = depth;
                // Visible before it is entered: connections of siblings may name it.
                match index {
                    None => self.declare(here, &i.name, Symbol::Scope(child))?,
                    Some((k, _)) => {
                        list.borrow_mut().push((k, child));
                        self.redeclare(here, &i.name.name, Symbol::Array(list.clone()));
                    }
                }
                f(self, i, index, child)?;
            }
        }
        Ok(())
    }

    /// Values for parameters, evaluated where the instance stands.
    fn overrides(&mut self, m: &'a Module, args: &'a [Arg]) -> Res<Overrides> {
        let mut out = Overrides::default();
        let body: Vec<&'a ParamDecl> = m
            .items
            .iter()
            .filter_map(|i| match &i.kind {
                ItemKind::Param(l) if !m.has_param_header => Some(l),
                _ => None,
            })
            .flatten()
            .collect();
        let params: Vec<&'a ParamDecl> = m.params.iter().chain(body).filter(|p| !p.local).collect();
        for (i, a) in args.iter().enumerate() {
            let Some(e) = &a.value else { continue };
            let name = match &a.name {
                Some(n) => n.name.clone(),
                None => match params.get(i) {
                    Some(p) => p.name.name.clone(),
                    None => {
                        return error(
                            codes::E0207,
                            format!("module `{}` has {} parameters", m.name.name, params.len()),
                            e.span,
                            "one too many",
                        );
                    }
                },
            };
            let is_type = params.iter().any(|p| p.name.name == name && matches!(p.kind, ParamKind::Type { .. }));
            let value = if is_type {
                match self.type_expr(e)? {
                    Some(t) => Override::Type(t),
                    None => {
                        return error(
                            codes::E0209,
                            format!("parameter `{name}` is a type"),
                            e.span,
                            "a type is needed",
                        );
                    }
                }
            } else if let ExprKind::Pattern(None, _) = e.kind {
                // A pattern needs the parameter's type, which must not depend on other parameters.
                let Some(ParamKind::Value { ty, dims, .. }) =
                    params.iter().find(|p| p.name.name == name).map(|p| &p.kind)
                else {
                    return error(
                        codes::E0206,
                        format!("module `{}` has no parameter `{name}`", m.name.name),
                        e.span,
                        "given here",
                    );
                };
                let t = self.resolve_type(ty)?;
                let t = self.add_dims(t, dims, false)?;
                let b = self.const_bits(e, &t)?;
                Override::Value(t, b)
            } else {
                let t = self.type_of(e)?;
                if t.kind == TyKind::Real {
                    let t = Ty::vector(32, true, false);
                    let b = self.const_bits(e, &t)?;
                    Override::Value(t, b)
                } else if t.is_integral() {
                    Override::Value(t, self.const_self(e)?)
                } else {
                    let b = self.const_bits(e, &t)?;
                    Override::Value(t, b)
                }
            };
            let at = a.name.as_ref().map_or(e.span, |n| n.span);
            if out.insert(name.clone(), (value, at)).is_some() {
                return error(codes::E0215, format!("parameter `{name}` is given twice"), at, "again here");
            }
        }
        Ok(out)
    }

    /// Declares an ANSI port. Interface ports and inouts are bound to what they are connected to.
    pub(super) fn declare_port(
        &mut self,
        p: &'a Port,
        s: ScopeId,
        m: &'a Module,
        inst: Option<(ScopeId, &'a Instance)>,
    ) -> Res<()> {
        let iface = match &p.ty.kind {
            TypeKind::Interface { name, .. } => Some(name),
            TypeKind::Named { scope: None, name }
                if p.direction.is_none() || !matches!(self.lookup(&name.name), Some(Symbol::Type(_))) =>
            {
                self.modules.get(&name.name).filter(|m| m.kind == ModuleKind::Interface).map(|_| name)
            }
            _ => None,
        };
        if let Some(want) = iface {
            return self.interface_port(p, want, s, m, inst);
        }
        let base = self.resolve_type(&p.ty)?;
        let ty = self.add_dims(base, &p.decl.dims, false)?;
        let direction = match p.direction {
            Some(Direction::Ref) => {
                return error(codes::E0405, "`ref` ports are not supported", p.decl.name.span, "port");
            }
            d => d.unwrap_or(Direction::Inout),
        };
        if direction == Direction::Inout
            && let Some((parent, i)) = inst
            && let Some(v) = self.inout_actual(m, parent, i, &p.decl.name.name)?
            && self.ty(v).width == ty.width
        {
            return self.declare(s, &p.decl.name, Symbol::Var(v));
        }
        let v = self.declare_var(&p.decl.name, ty.clone(), p.net.unwrap_or(NetKind::Var), Some(direction), &p.attrs)?;
        if let (Some(e), Direction::Output) = (&p.decl.init, direction) {
            let b = self.const_bits(e, &ty)?;
            self.m.vars[v.index()].init = Some(b);
        }
        Ok(())
    }

    /// The net an inout port is wired to, if it is a whole net.
    fn inout_actual(&mut self, m: &'a Module, parent: ScopeId, inst: &'a Instance, port: &str) -> Res<Option<VarId>> {
        let at = port_names(m).iter().position(|n| n.name == port).unwrap_or(usize::MAX);
        let sym = match self.actual(parent, inst, port, at)? {
            Actual::Expr(e) => self.in_scope(parent, |s| s.symbol_of(e))?,
            Actual::Name(s, _) => Some(s),
            Actual::Open => None,
        };
        Ok(match sym {
            Some(Symbol::Var(v)) => Some(v),
            _ => None,
        })
    }

    fn interface_port(
        &mut self,
        p: &'a Port,
        want: &Ident,
        s: ScopeId,
        m: &'a Module,
        inst: Option<(ScopeId, &'a Instance)>,
    ) -> Res<()> {
        let name = &p.decl.name;
        let Some((parent, inst)) = inst else {
            return error(
                codes::E0214,
                format!("top port `{}` is an interface", name.name),
                name.span,
                "wrap the top in a module that instantiates the interface",
            );
        };
        let at = port_names(m).iter().position(|n| n.name == name.name).unwrap_or(usize::MAX);
        let (sym, span) = match self.actual(parent, inst, &name.name, at)? {
            Actual::Expr(e) => (self.in_scope(parent, |x| x.symbol_of(e))?, e.span),
            Actual::Name(sym, span) => (Some(sym), span),
            Actual::Open => (None, inst.name.span),
        };
        let scopes: Vec<ScopeId> = match &sym {
            Some(Symbol::Scope(i)) => vec![*i],
            Some(Symbol::Array(l)) => l.borrow().iter().map(|(_, s)| *s).collect(),
            _ => Vec::new(),
        };
        let ok = !scopes.is_empty()
            && scopes.iter().all(|i| {
                self.scope_ref(*i).module.is_some_and(|m| {
                    m.kind == ModuleKind::Interface && (want.name.is_empty() || m.name.name == want.name)
                })
            });
        match sym {
            Some(sym) if ok => self.declare(s, name, sym),
            _ => {
                let d = Diagnostic::error(
                    codes::E0214,
                    format!("port `{}` must be connected to an interface `{}`", name.name, want.name),
                )
                .at(span, "not such an interface")
                .also(name.span, "declared here");
                Err(Box::new(d))
            }
        }
    }

    /// The connection of port number `at`, called `port`.
    pub(super) fn actual(&mut self, parent: ScopeId, inst: &'a Instance, port: &str, at: usize) -> Res<Actual<'a>> {
        let named = inst.ports.iter().any(|c| !matches!(c, Connection::Positional(_)));
        if !named {
            return Ok(match inst.ports.get(at) {
                Some(Connection::Positional(Some(e))) => Actual::Expr(e),
                _ => Actual::Open,
            });
        }
        let mut star = false;
        for c in &inst.ports {
            match c {
                Connection::Named(n, e) if n.name == port => return Ok(e.as_ref().map_or(Actual::Open, Actual::Expr)),
                Connection::Implicit(n) if n.name == port => {
                    return match self.in_scope(parent, |s| s.lookup(port)) {
                        Some(sym) => Ok(Actual::Name(sym, n.span)),
                        None => self.in_scope(parent, |s| s.unknown_name(port, n.span)),
                    };
                }
                Connection::Star => star = true,
                _ => {}
            }
        }
        if star && let Some(sym) = self.in_scope(parent, |s| s.lookup(port)) {
            return Ok(Actual::Name(sym, inst.name.span));
        }
        Ok(Actual::Open)
    }

    /// Second pass: drives inputs from the parent and the parent from outputs.
    pub(super) fn connect(
        &mut self,
        parent: ScopeId,
        child: ScopeId,
        m: &Face<'a>,
        inst: &'a Instance,
        index: Option<(i64, u32)>,
    ) -> Res<()> {
        self.check_connections(m, inst)?;
        for (at, port) in m.ports.iter().enumerate() {
            let Some(Symbol::Var(v)) = self.scope_ref(child).names.get(&port.name).cloned() else { continue };
            let decl = &self.decls[v.index()];
            // An inout that became its net has nothing left to connect.
            let Some(direction) = decl.direction.filter(|_| decl.scope == child) else { continue };
            let (ty, span) = (decl.ty.clone(), port.span);
            let actual = self.actual(parent, inst, &port.name, at)?;
            let r = match (direction, actual) {
                (Direction::Input, Actual::Open) => self.open_input(m.module, child, v, port, inst),
                (_, Actual::Open) => Ok(()),
                (Direction::Input, a) => self.drive_input(parent, v, &ty, a, index, span),
                (Direction::Output, a) => self.drive_output(parent, v, &ty, a, index, inst.name.span),
                (_, _) => error(
                    codes::E0508,
                    format!("inout port `{}` is connected to part of a net", port.name),
                    inst.name.span,
                    "connect it to a whole net of its width",
                ),
            };
            if let Err(d) = r {
                self.m.report(d);
            }
        }
        Ok(())
    }

    fn check_connections(&mut self, m: &Face<'a>, inst: &'a Instance) -> Res<()> {
        let ports = &m.ports;
        let mut seen: FxHashMap<&str, Span> = FxHashMap::default();
        let positional = inst.ports.iter().filter(|c| matches!(c, Connection::Positional(_))).count();
        if positional > ports.len() && !(positional == 1 && matches!(inst.ports[0], Connection::Positional(None))) {
            return error(
                codes::E0207,
                format!("module `{}` has {} ports, {positional} are connected", m.name.name, ports.len()),
                inst.name.span,
                "too many connections",
            );
        }
        for c in &inst.ports {
            let (Connection::Named(n, _) | Connection::Implicit(n)) = c else { continue };
            if !ports.iter().any(|p| p.name == n.name) {
                let names: Vec<SmolStr> = ports.iter().map(|p| p.name.clone()).collect();
                let mut d =
                    Diagnostic::error(codes::E0205, format!("module `{}` has no port `{}`", m.name.name, n.name))
                        .at(n.span, "connected here")
                        .also(m.name.span, "module declared here");
                if let Some(near) = scope::nearest(&n.name, names.iter()) {
                    d = d.help(format!("did you mean `{near}`?"));
                }
                return Err(Box::new(d));
            }
            if let Some(first) = seen.insert(&n.name, n.span) {
                let d = Diagnostic::error(codes::E0215, format!("port `{}` is connected twice", n.name))
                    .at(n.span, "again here")
                    .also(first, "first here");
                return Err(Box::new(d));
            }
        }
        Ok(())
    }

    fn open_input(
        &mut self,
        m: Option<&'a Module>,
        child: ScopeId,
        v: VarId,
        port: &Ident,
        inst: &'a Instance,
    ) -> Res<()> {
        let default = match m.map(|m| &m.ports) {
            Some(PortList::Ansi(list)) => {
                list.iter().find(|p| p.decl.name.name == port.name).and_then(|p| p.decl.init.as_ref())
            }
            _ => None,
        };
        if let Some(e) = default {
            let ty = self.ty(v);
            return self.drive_input(child, v, &ty, Actual::Expr(e), None, port.span);
        }
        self.m.undriven_ok.insert(v);
        self.m.warn(
            Diagnostic::warning(
                codes::W0217,
                format!("input `{}` of `{}` is not connected: its value is free", port.name, inst.name.name),
            )
            .at(inst.name.span, "in this instance")
            .also(port.span, "input declared here"),
        );
        Ok(())
    }

    fn drive_input(
        &mut self,
        parent: ScopeId,
        v: VarId,
        ty: &Rc<Ty>,
        a: Actual<'a>,
        index: Option<(i64, u32)>,
        span: Span,
    ) -> Res<()> {
        let span = match &a {
            Actual::Expr(e) => e.span,
            Actual::Name(_, s) => *s,
            Actual::Open => span,
        };
        // The port is assigned from outside: lift its "input" mark for the moment.
        let input = std::mem::replace(&mut self.m.vars[v.index()].input, false);
        let r = self.comb(parent, AlwaysKind::Plain, span, |e| {
            let value = match a {
                Actual::Expr(x) => match index {
                    Some((_, k)) => {
                        let t = e.type_of(x)?;
                        if t.width == ty.width { e.rvalue(x, ty)? } else { e.array_slice(x, &t, ty.width, k)? }
                    }
                    None => e.rvalue(x, ty)?,
                },
                Actual::Name(sym, s) => {
                    let (n, t) = e.symbol_value(sym, s)?;
                    e.m.d.resize(n, ty.width, t.signed)
                }
                Actual::Open => return Ok(()),
            };
            let p = Place { root: Root::Var(v), steps: Vec::new(), ty: ty.clone() };
            e.write(&p, value, false, span)
        });
        self.m.vars[v.index()].input = input;
        r
    }

    /// The part of a wider expression that instance number `k` of an array takes.
    fn array_slice(&mut self, x: &'a Expr, t: &Rc<Ty>, width: u32, k: u32) -> Res<NodeId> {
        let p = self.place(x)?;
        let n = self.read(&p)?;
        let lo = k.saturating_mul(width);
        if lo.saturating_add(width) > t.width {
            return error(
                codes::E0310,
                format!("{} bits do not divide among the instances", t.width),
                x.span,
                "width must be the port's, or that times the number of instances",
            );
        }
        Ok(self.m.d.slice(n, lo, width))
    }

    fn symbol_value(&mut self, sym: Symbol<'a>, span: Span) -> Res<(NodeId, Rc<Ty>)> {
        match sym {
            Symbol::Var(v) => {
                let t = self.ty(v);
                let p = Place { root: Root::Var(v), steps: Vec::new(), ty: t.clone() };
                Ok((self.read(&p)?, t))
            }
            Symbol::Const(t, b) => Ok((self.m.literal(&b), t)),
            _ => error(codes::E0213, "the name does not stand for a value", span, "connected by name"),
        }
    }

    fn drive_output(
        &mut self,
        parent: ScopeId,
        v: VarId,
        ty: &Rc<Ty>,
        a: Actual<'a>,
        index: Option<(i64, u32)>,
        span: Span,
    ) -> Res<()> {
        let at = match &a {
            Actual::Expr(e) => e.span,
            Actual::Name(_, s) => *s,
            Actual::Open => span,
        };
        self.comb(parent, AlwaysKind::Plain, at, |e| {
            let s = e.m.vars[v.index()].signal;
            let value = e.m.d.signal(s);
            let p = match a {
                Actual::Expr(x) => {
                    if let ExprKind::Concat(items) = &x.kind {
                        return e.drive_concat(items, value, ty.signed, span);
                    }
                    e.place(x)?
                }
                Actual::Name(Symbol::Var(t), _) => Place { root: Root::Var(t), steps: Vec::new(), ty: e.ty(t) },
                Actual::Name(_, s) => {
                    return error(
                        codes::E0213,
                        "an output must be connected to a net or variable",
                        s,
                        "connected by name",
                    );
                }
                Actual::Open => return Ok(()),
            };
            let mut p = p;
            if let Some((_, k)) = index
                && p.ty.width != ty.width
            {
                let lo = k.saturating_mul(ty.width);
                if lo.saturating_add(ty.width) > p.ty.width {
                    return error(
                        codes::E0310,
                        format!("{} bits do not divide among the instances", p.ty.width),
                        at,
                        "width",
                    );
                }
                p.steps.push(Step::Fixed { lo, width: ty.width });
                p.ty = ty.clone();
            }
            let value = e.m.d.resize(value, p.ty.width, ty.signed);
            e.write(&p, value, false, at)
        })
    }

    fn drive_concat(&mut self, items: &'a [Expr], value: NodeId, signed: bool, span: Span) -> Res<()> {
        let mut places = Vec::new();
        for i in items {
            places.push(self.place(i)?);
        }
        let total: u32 = places.iter().map(|p| p.ty.width).sum();
        let value = self.m.d.resize(value, total, signed);
        let mut top = total;
        for p in places {
            let w = p.ty.width;
            let part = self.m.d.slice(value, top - w, w);
            top -= w;
            self.write(&p, part, false, span)?;
        }
        Ok(())
    }
}

/// Port names in order.
fn port_names(m: &Module) -> Vec<Ident> {
    match &m.ports {
        PortList::Ansi(list) => list.iter().map(|p| p.decl.name.clone()).collect(),
        PortList::Names(list) => list.clone(),
    }
}
