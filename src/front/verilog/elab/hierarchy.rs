//! First pass: scopes, parameters, types, declarations, generate constructs and instances.

use super::scope::{ScopeId, Symbol, join};
use super::*;
use crate::word::{Role, Signal};

/// A parameter given from outside.
#[derive(Clone)]
pub(super) enum Override {
    Value(Rc<Ty>, Bits),
    Type(Rc<Ty>),
}

pub(super) type Overrides = FxHashMap<SmolStr, (Override, Span)>;

/// Calls `f` with the name of every module instantiated under `items`.
pub fn instantiated<'a>(items: &'a [Item], f: &mut impl FnMut(&'a SmolStr)) {
    for i in items {
        match &i.kind {
            ItemKind::Instantiation(inst) | ItemKind::Bind { inst, .. } => f(&inst.module.name),
            ItemKind::Generate(items) => instantiated(items, f),
            ItemKind::GenFor { body, .. } | ItemKind::GenBlock(body) => instantiated(&body.items, f),
            ItemKind::GenIf { then, other, .. } => {
                instantiated(&then.items, f);
                if let Some(o) = other {
                    instantiated(&o.items, f);
                }
            }
            ItemKind::GenCase { items, default, .. } => {
                items.iter().for_each(|(_, b)| instantiated(&b.items, f));
                if let Some(d) = default {
                    instantiated(&d.items, f);
                }
            }
            _ => {}
        }
    }
}

impl<'a> Elab<'a> {
    /// Declarations outside any module.
    pub(super) fn declare_unit(&mut self, units: &'a [Unit]) {
        let s = self.unit_scope;
        for u in units {
            self.in_scope(s, |e| e.declare_items(&u.items));
        }
    }

    pub(super) fn enter_top(&mut self, m: &'a Module) -> Res<ScopeId> {
        let unit = self.unit_scope;
        self.scope = unit;
        let mut given = Overrides::default();
        let opts = self.opts;
        for (name, e) in &opts.params {
            let o = match self.type_expr(e)? {
                Some(t) => Override::Type(t),
                None => Override::Value(self.type_of(e)?, self.const_self(e)?),
            };
            given.insert(name.clone(), (o, Span::NONE));
        }
        let s = self.new_scope(unit, "");
        self.scope_mut(s).up = None;
        self.scope_mut(s).depth = self.opts.depth;
        self.enter_module(m, s, given, None)?;
        Ok(s)
    }

    /// Declares a module's parameters, ports and items in `s`.
    pub(super) fn enter_module(
        &mut self,
        m: &'a Module,
        s: ScopeId,
        given: Overrides,
        inst: Option<(ScopeId, &'a Instance)>,
    ) -> Res<()> {
        let scope = self.scope_mut(s);
        scope.module = Some(m);
        scope.implicit_nets = !m.no_implicit_nets;
        if scope.depth > MAX_INSTANCE_DEPTH {
            return error(
                codes::E0210,
                format!("`{}` is nested more than {MAX_INSTANCE_DEPTH} instances deep", m.name.name),
                m.name.span,
                "does it instantiate itself?",
            );
        }
        let saved_scope = std::mem::replace(&mut self.scope, s);
        let saved_given = std::mem::replace(&mut self.given, given);
        let r = self.enter_body_of(m, s, inst);
        let unused = std::mem::replace(&mut self.given, saved_given);
        self.scope = saved_scope;
        r?;
        if let Some((name, (_, span))) = unused.into_iter().min_by(|a, b| a.0.cmp(&b.0)) {
            let names: Vec<SmolStr> = m.params.iter().map(|p| p.name.name.clone()).collect();
            let mut d = Diagnostic::error(codes::E0206, format!("module `{}` has no parameter `{name}`", m.name.name))
                .also(m.name.span, "declared here");
            if !span.is_none() {
                d = d.at(span, "given here");
            }
            if let Some(n) = scope::nearest(&name, names.iter()) {
                d = d.help(format!("did you mean `{n}`?"));
            }
            return Err(Box::new(d));
        }
        Ok(())
    }

    fn enter_body_of(&mut self, m: &'a Module, s: ScopeId, inst: Option<(ScopeId, &'a Instance)>) -> Res<()> {
        for i in &m.header_imports {
            self.declare_item(i)?;
        }
        // Wildcard imports of the body may be needed by the header's types only in broken code.
        self.hoist(&m.items);
        for p in &m.params {
            self.declare_param(p, true)?;
        }
        if let PortList::Ansi(ports) = &m.ports {
            for p in ports {
                self.declare_port(p, s, m, inst)?;
            }
        }
        let black = self.opts.blackboxes.iter().any(|b| *b == m.name.name);
        if black {
            // Only ports of a non-ANSI header are still to be declared.
            for i in m.items.iter().filter(|i| matches!(i.kind, ItemKind::PortDecl { .. } | ItemKind::Param(_))) {
                self.declare_item(i)?;
            }
            let free: Vec<VarId> = self
                .scope_ref(s)
                .names
                .values()
                .filter_map(|x| match x {
                    Symbol::Var(v) => Some(*v),
                    _ => None,
                })
                .collect();
            self.m.undriven_ok.extend(free);
            return Ok(());
        }
        self.declare_in_order(&m.items);
        self.apply_binds(m, s);
        Ok(())
    }

    /// Functions and tasks may be used before they are declared.
    fn hoist(&mut self, items: &'a [Item]) {
        let here = self.scope;
        for i in items {
            match &i.kind {
                ItemKind::Subprogram(s) => {
                    if let Err(d) = self.declare(here, &s.name, Symbol::Subprogram(s, here)) {
                        self.m.report(d);
                    }
                }
                ItemKind::Generate(items) => self.hoist(items),
                _ => {}
            }
        }
    }

    pub(super) fn declare_items(&mut self, items: &'a [Item]) {
        self.hoist(items);
        self.declare_in_order(items);
    }

    fn declare_in_order(&mut self, items: &'a [Item]) {
        for i in items {
            if self.m.stop {
                return;
            }
            if let Err(d) = self.declare_item(i) {
                self.m.report(d);
            }
        }
    }

    pub(super) fn declare_item(&mut self, item: &'a Item) -> Res<()> {
        let here = self.scope;
        match &item.kind {
            ItemKind::Param(list) => {
                let overridable = self.scope_ref(here).module.is_some_and(|m| !m.has_param_header);
                for p in list {
                    self.declare_param(p, overridable)?;
                }
                Ok(())
            }
            ItemKind::Decl { net, constant, ty, names, .. } => self.declare_vars(item, *net, *constant, ty, names),
            ItemKind::PortDecl { direction, net, ty, names } => {
                let base = self.resolve_type(ty)?;
                for n in names {
                    let t = self.add_dims(base.clone(), &n.dims, false)?;
                    let v =
                        self.declare_var(&n.name, t, net.unwrap_or(NetKind::Wire), Some(*direction), &item.attrs)?;
                    self.non_ansi.insert(v);
                    if let Some(e) = &n.init {
                        let t = self.ty(v);
                        let b = self.const_bits(e, &t)?;
                        self.m.vars[v.index()].init = Some(b);
                    }
                }
                Ok(())
            }
            ItemKind::Typedef { name, ty, dims } => {
                let t = self.resolve_type(ty)?;
                let t = self.add_dims(t, dims, false)?;
                self.declare(here, name, Symbol::Type(t))
            }
            ItemKind::Import { package, name } => self.import(package, name.as_ref()),
            ItemKind::Assign(list) => {
                for (l, _) in list {
                    self.implicit_nets(l)?;
                }
                self.todo.push(Todo::Item(here, item));
                Ok(())
            }
            ItemKind::Always { .. } | ItemKind::Initial(_) | ItemKind::Assert(_) | ItemKind::Concurrent(_) => {
                self.todo.push(Todo::Item(here, item));
                Ok(())
            }
            ItemKind::Property(p) => self.declare(here, &p.name, Symbol::Property(p, here)),
            ItemKind::Clocking(c) => self.declare_clocking(c, item.span),
            ItemKind::DefaultDisable(e) => match self.scope_mut(here).default_disable.replace(e) {
                Some(first) => {
                    let d = Diagnostic::error(codes::E0203, "a second default `disable iff`")
                        .at(e.span, "the scope has one already")
                        .also(first.span, "first given here");
                    Err(Box::new(d))
                }
                None => Ok(()),
            },
            ItemKind::Gate { instances, .. } => {
                for e in instances.iter().flat_map(|i| &i.ports) {
                    if let Connection::Positional(Some(e)) = e {
                        self.implicit_nets(e)?;
                    }
                }
                self.todo.push(Todo::Item(here, item));
                Ok(())
            }
            ItemKind::Instantiation(inst) => self.instantiate(inst),
            ItemKind::Generate(items) => {
                self.declare_in_order(items);
                Ok(())
            }
            ItemKind::GenFor { genvar, init, cond, step, body } => {
                self.gen_for(genvar, init, cond, step, body, item.span)
            }
            ItemKind::GenIf { cond, then, other } => {
                let n = self.next_generate();
                self.gen_if(cond, then, other.as_ref(), n)
            }
            ItemKind::GenCase { expr, items, default } => self.gen_case(expr, items, default.as_ref()),
            ItemKind::GenBlock(b) => {
                let n = self.next_generate();
                self.gen_scope(b, n)
            }
            ItemKind::Modport(list) => {
                // Through a modport one sees the interface itself.
                for (name, _) in list {
                    self.declare(here, name, Symbol::Scope(here))?;
                }
                Ok(())
            }
            ItemKind::ElabTask(name, args) => self.elab_task(name, args, item.span),
            ItemKind::Defparam(list) => {
                let span = list.first().map_or(item.span, |(l, _)| l.span);
                error(
                    codes::E0405,
                    "`defparam` is not supported",
                    span,
                    "give the parameter in the instance: #(.NAME(value))",
                )
            }
            ItemKind::Unsupported(u) if u.what.contains("DPI") => Ok(()),
            ItemKind::Unsupported(u) => self.unsupported(u, item.span),
            ItemKind::Genvar(_) | ItemKind::Subprogram(_) | ItemKind::Bind { .. } | ItemKind::Empty => Ok(()),
        }
    }

    fn declare_param(&mut self, p: &'a ParamDecl, overridable: bool) -> Res<()> {
        let here = self.scope;
        let given = if p.local || !overridable { None } else { self.given.remove(&p.name.name) };
        let sym = match &p.kind {
            ParamKind::Type { default } => match (given, default) {
                (Some((Override::Type(t), _)), _) => Symbol::Type(t),
                (Some((_, span)), _) => {
                    return error(
                        codes::E0310,
                        format!("parameter `{}` is a type", p.name.name),
                        span,
                        "a type is needed",
                    );
                }
                (None, Some(t)) => Symbol::Type(self.resolve_type(t)?),
                (None, None) => {
                    return error(
                        codes::E0206,
                        format!("type parameter `{}` has no value", p.name.name),
                        p.name.span,
                        "give it in the instance or with -P",
                    );
                }
            },
            ParamKind::Value { ty, dims, default } => {
                let implicit = matches!(ty.kind, TypeKind::Implicit { .. }) && ty.dims.is_empty() && dims.is_empty();
                let signed_only = matches!(ty.kind, TypeKind::Implicit { signed: true }) && ty.dims.is_empty();
                if ty.kind == TypeKind::Real {
                    self.declare(here, &p.name, Symbol::Real)?;
                    return Ok(());
                }
                match (given, default) {
                    (Some((Override::Type(_), span)), _) => {
                        return error(
                            codes::E0310,
                            format!("parameter `{}` is a value", p.name.name),
                            span,
                            "a value is needed",
                        );
                    }
                    (Some((Override::Value(vt, b), _)), _) => {
                        if implicit || ty.kind == TypeKind::Str {
                            let vt = if signed_only { Ty::vector(vt.width, true, vt.four_state) } else { vt };
                            Symbol::Const(vt, b)
                        } else {
                            let t = self.resolve_type(ty)?;
                            let t = self.add_dims(t, dims, false)?;
                            let b = b.resize(t.width, vt.signed);
                            Symbol::Const(t, b)
                        }
                    }
                    (None, Some(e)) => {
                        if implicit && self.type_of(e)?.kind == TyKind::Real {
                            Symbol::Real
                        } else if implicit || ty.kind == TypeKind::Str {
                            let t = self.type_of(e)?;
                            let b = self.const_self(e)?;
                            let t = if signed_only { Ty::vector(t.width, true, t.four_state) } else { t };
                            Symbol::Const(t, b)
                        } else {
                            let t = self.resolve_type(ty)?;
                            let t = self.add_dims(t, dims, false)?;
                            let b = self.const_bits(e, &t)?;
                            Symbol::Const(t, b)
                        }
                    }
                    (None, None) => {
                        return error(
                            codes::E0206,
                            format!("parameter `{}` has no value", p.name.name),
                            p.name.span,
                            "give it in the instance or with -P",
                        );
                    }
                }
            }
        };
        self.declare(here, &p.name, sym)
    }

    fn declare_vars(
        &mut self,
        item: &'a Item,
        net: NetKind,
        constant: bool,
        ty: &'a DataType,
        names: &'a [Declarator],
    ) -> Res<()> {
        let here = self.scope;
        if ty.kind == TypeKind::Real || ty.kind == TypeKind::Event {
            let what = if ty.kind == TypeKind::Real { "a real variable" } else { "an event" };
            let u = Unsupported { code: "E0411".into(), what: what.into() };
            for n in names {
                self.declare(here, &n.name, Symbol::Unsupported(u.clone(), item.span))?;
            }
            return Ok(());
        }
        let base = match self.resolve_type(ty) {
            Ok(t) => t,
            // A declaration that only testbench code uses is no error until something reads it.
            Err(d) if matches!(ty.kind, TypeKind::Unsupported(_)) => {
                let u = Unsupported { code: d.code.as_str().into(), what: d.message.clone() };
                for n in names {
                    self.declare(here, &n.name, Symbol::Unsupported(u.clone(), item.span))?;
                }
                return Ok(());
            }
            Err(d) => return Err(d),
        };
        for n in names {
            if n.dims.iter().any(|d| matches!(d, Dim::Dynamic(_))) || base.kind == TyKind::Str {
                let u = Unsupported { code: "E0413".into(), what: "a dynamic array, queue or string variable".into() };
                if base.kind == TyKind::Str
                    && constant
                    && let Some(e) = &n.init
                {
                    let t = self.type_of(e)?;
                    let b = self.const_self(e)?;
                    self.declare(here, &n.name, Symbol::Const(t, b))?;
                    continue;
                }
                self.declare(here, &n.name, Symbol::Unsupported(u, n.name.span))?;
                continue;
            }
            let t = self.add_dims(base.clone(), &n.dims, false)?;
            if constant && let Some(e) = &n.init {
                let b = self.const_bits(e, &t)?;
                self.declare(here, &n.name, Symbol::Const(t, b))?;
                continue;
            }
            // A body declaration of a non-ANSI port completes it.
            if let Some(Symbol::Var(v)) = self.scope_ref(here).names.get(&n.name.name).cloned()
                && self.non_ansi.remove(&v)
            {
                let plain = matches!(ty.kind, TypeKind::Implicit { .. } | TypeKind::Int { base: IntType::Logic, .. })
                    && ty.dims.is_empty();
                if !(plain && n.dims.is_empty()) || self.ty(v).width == t.width {
                    let signed = t.signed || self.ty(v).signed;
                    let t = Rc::new(Ty { signed, ..(*t).clone() });
                    let s = self.m.vars[v.index()].signal;
                    self.m.d.signals[s.index()].width = t.width;
                    self.m.d.signals[s.index()].range = t.plain_range();
                    self.m.vars[v.index()].width = t.width;
                    self.m.vars[v.index()].four_state = t.four_state;
                    self.decls[v.index()].ty = t;
                }
                self.decls[v.index()].net = net;
                if let Some(e) = &n.init {
                    if net == NetKind::Var {
                        self.initial_value(v, &n.name, e)?;
                    } else {
                        self.todo.push(Todo::NetInit(here, v, e));
                    }
                }
                continue;
            }
            let v = self.declare_var(&n.name, t.clone(), net, None, &item.attrs)?;
            if let Some(e) = &n.init {
                if net == NetKind::Var {
                    self.initial_value(v, &n.name, e)?;
                } else {
                    self.todo.push(Todo::NetInit(here, v, e));
                }
            }
        }
        Ok(())
    }

    /// What a variable starts with.
    pub(super) fn initial_value(&mut self, v: VarId, name: &Ident, e: &'a Expr) -> Res<()> {
        let ty = self.ty(v);
        let bits = match self.const_bits(e, &ty) {
            Err(d) if d.code == codes::E0301 => {
                // Taken once, at time zero, from signals that can have any value then.
                let said = format!("the initial value of `{}` is not constant and is taken as unknown", name.name);
                self.m.warn(
                    Diagnostic::warning(codes::W0510, said)
                        .at(e.span, "depends on a signal")
                        .help("to drive it continuously, declare it without a value and use assign"),
                );
                Bits::x(ty.width)
            }
            other => other?,
        };
        self.m.vars[v.index()].init = Some(bits);
        Ok(())
    }

    /// Declares a net or variable and its signal.
    pub(super) fn declare_var(
        &mut self,
        name: &Ident,
        ty: Rc<Ty>,
        net: NetKind,
        direction: Option<Direction>,
        attrs: &'a [Attribute],
    ) -> Res<VarId> {
        let here = self.scope;
        if ty.kind == TyKind::Str {
            let text = format!("the string variable `{}` cannot become hardware", name.name);
            return error(codes::E0413, text, name.span, "reached from the top");
        }
        if ty.width == 0 {
            return error(codes::E0310, format!("`{}` has no bits", name.name), name.span, "a variable of no width");
        }
        let id = VarId(self.m.vars.len() as u32);
        self.declare(here, name, Symbol::Var(id))?;
        let path = join(&self.scope_ref(here).path, &name.name);
        let top = self.scope_ref(here).up.is_none() && self.scope_ref(here).module.is_some();
        let role = match direction {
            Some(Direction::Input) if top => Role::Input,
            Some(Direction::Output) if top => Role::Output,
            _ => Role::Internal,
        };
        let attrs = self.attributes(attrs);
        if ty.width > 1 && ty.plain_range().is_none() {
            self.m.d.shapes.insert(path.clone(), ty.shape());
        }
        let signal = self.m.d.add_signal(Signal {
            name: path,
            width: ty.width,
            range: ty.plain_range(),
            span: name.span,
            role,
            attrs,
            drives: Vec::new(),
        });
        let input = direction == Some(Direction::Input);
        let (width, four_state, span) = (ty.width, ty.four_state, name.span);
        self.m.add_var(Var { signal, width, four_state, input, init: None, memory: None, span });
        self.decls.push(Decl { ty, net, direction, scope: here });
        Ok(id)
    }

    fn attributes(&mut self, attrs: &'a [Attribute]) -> Vec<(SmolStr, SmolStr)> {
        let mut out = Vec::new();
        for a in attrs {
            let value: SmolStr = match &a.value {
                None => "1".into(),
                Some(Expr { kind: ExprKind::Str(s), .. }) => s.as_str().into(),
                Some(e) => match self.const_self(e) {
                    Ok(b) => b.to_decimal(false).into(),
                    Err(_) => "?".into(),
                },
            };
            out.push((a.name.name.clone(), value));
        }
        out
    }

    /// Names that appear as nets without a declaration (6.10).
    pub(super) fn implicit_nets(&mut self, e: &'a Expr) -> Res<()> {
        match &e.kind {
            ExprKind::Ident(n) => {
                if self.lookup(n).is_none() {
                    let here = self.scope;
                    if !self.scope_ref(here).implicit_nets {
                        return self.unknown_name(n, e.span);
                    }
                    let id = Ident { name: n.clone(), span: e.span };
                    self.declare_var(&id, Rc::new(Ty::bit(true)), NetKind::Wire, None, &[])?;
                }
                Ok(())
            }
            ExprKind::Concat(items) => items.iter().try_for_each(|i| self.implicit_nets(i)),
            _ => Ok(()),
        }
    }

    fn apply_binds(&mut self, m: &'a Module, s: ScopeId) {
        for i in 0..self.binds.len() {
            let (item, _) = self.binds[i];
            let ItemKind::Bind { target, instance_path, inst } = &item.kind else { continue };
            let path = self.scope_ref(s).path.clone();
            let hit = match instance_path {
                None => target.name == m.name.name,
                Some(e) => {
                    let written = path_text(e);
                    (target.name.is_empty() || target.name == m.name.name)
                        && (path == written
                            || written.strip_prefix(self.m.d.name.as_str()).and_then(|r| r.strip_prefix('.'))
                                == Some(path.as_str()))
                }
            };
            if hit {
                self.binds[i].1 = true;
                if let Err(d) = self.in_scope(s, |e| e.instantiate(inst)) {
                    self.m.report(d);
                }
            }
        }
    }

    pub(super) fn check_binds(&mut self) {
        for (item, used) in self.binds.clone() {
            let ItemKind::Bind { target, instance_path, .. } = &item.kind else { continue };
            let known = self.modules.contains_key(&target.name);
            if !used && (instance_path.is_some() || !known) {
                let d = Diagnostic::error(codes::E0216, "the target of a bind was not found in the design")
                    .at(target.span, "no such module or instance");
                self.m.report(Box::new(d));
            }
        }
    }
}

fn path_text(e: &Expr) -> String {
    match &e.kind {
        ExprKind::Ident(n) => n.to_string(),
        ExprKind::Member(b, m) => format!("{}.{}", path_text(b), m.name),
        ExprKind::Index(b, i) => match &i.kind {
            ExprKind::Number { bits, .. } => format!("{}[{}]", path_text(b), bits.to_decimal(false)),
            _ => String::new(),
        },
        _ => String::new(),
    }
}
