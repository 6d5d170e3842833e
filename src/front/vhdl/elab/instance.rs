//! Instances: what they stand for by configurations and default rules, and their generics.

use super::ports::formal_port;
use super::scope::join;
use super::*;

/// How an instance's ports are connected.
pub(super) enum Outside<'a> {
    /// The top: ports are the design's own.
    Top,
    Parent {
        scope: ScopeId,
        ports: &'a [Arg],
        /// Whose order positional connections follow, if not the entity's.
        component: Option<&'a Component>,
    },
}

impl<'a> Elab<'a> {
    pub(super) fn entity_scope(&mut self, unit: usize, path: SmolStr) -> ScopeId {
        let scope = self.new_scope(None, path);
        let u = &self.lib.units[unit];
        self.scopes[scope.0 as usize].library = u.library.clone();
        self.scopes[scope.0 as usize].uses = u.uses.clone();
        scope
    }

    /// Declares ports and elaborates the inside of an entity whose generics are bound.
    pub(super) fn fill(
        &mut self,
        unit: usize,
        arch: Option<&str>,
        scope: ScopeId,
        outside: Outside<'a>,
        config: Option<&'a BlockConfig>,
        span: Span,
    ) -> Res<()> {
        let lib = self.lib;
        let u = &lib.units[unit];
        let UnitKind::Entity { ports, decls, stmts, .. } = &u.kind else { unreachable!("called for entities") };
        if self.instance_depth >= MAX_INSTANCE_DEPTH {
            return error(codes::E0210, format!("`{}` instantiates itself", u.name.name), span, "instantiated here");
        }
        self.instance_depth += 1;
        let r = self.fill_inner(unit, arch, scope, ports, &outside, span, decls, stmts, config);
        self.instance_depth -= 1;
        r
    }

    #[allow(clippy::too_many_arguments)]
    pub(super) fn fill_inner(
        &mut self,
        unit: usize,
        arch: Option<&str>,
        scope: ScopeId,
        ports: &'a [Interface],
        outside: &Outside<'a>,
        span: Span,
        decls: &'a [Decl],
        stmts: &'a [Concurrent],
        config: Option<&'a BlockConfig>,
    ) -> Res<()> {
        let lib = self.lib;
        let u = &lib.units[unit];
        self.ports(ports, scope, outside, span)?;
        self.in_scope(scope, |e| e.declare_all(decls))?;
        if self.opts.blackboxes.iter().any(|b| b.eq_ignore_ascii_case(&u.name.name)) {
            self.free_outputs(ports, scope);
            return Ok(());
        }
        self.in_scope(scope, |e| e.statements(stmts, config))?;
        let key = (u.library.clone(), u.name.name.clone());
        let all = self.architectures.get(&key).cloned().unwrap_or_default();
        let chosen = match arch {
            Some(a) => all.iter().copied().find(|n| lib.units[*n].name.name == a),
            // The one analysed last, as the default binding says.
            None => all.iter().copied().max_by_key(|n| (lib.units[*n].span.file, lib.units[*n].span.lo)),
        };
        let Some(a) = chosen else {
            let text = match arch {
                Some(a) => format!("entity `{}` has no architecture `{a}`", u.name.name),
                None => format!("entity `{}` has no architecture", u.name.name),
            };
            let d = Diagnostic::error(codes::E0202, text).at(u.name.span, "entity");
            return Err(Box::new(d.help(format!("add its file, or --blackbox {}", u.name.name))));
        };
        let UnitKind::Architecture { decls, stmts, .. } = &lib.units[a].kind else { unreachable!("indexed as such") };
        self.scopes[scope.0 as usize].uses.extend(lib.units[a].uses.iter().cloned());
        let usage = self.usage_of.entry(a).or_insert_with(|| Rc::new(memory::usage(lib, decls, stmts))).clone();
        self.usages.push(usage);
        let r = self.in_scope(scope, |e| {
            e.declare_all(decls)?;
            e.statements(stmts, config)
        });
        self.usages.pop();
        r
    }

    // Instances.

    pub(super) fn instance(
        &mut self,
        label: &str,
        unit: &'a Unit,
        generics: &'a [Arg],
        ports: &'a [Arg],
        config: Option<&'a BlockConfig>,
        span: Span,
    ) -> Res<()> {
        let here = self.scope;
        let (name, arch, inner) = match unit {
            Unit::Entity(n, arch) => (n, arch.clone(), None),
            Unit::Configuration(n) => {
                let key = (self.library_of(n), SmolStr::from(n.last()));
                let Some(&c) = self.configurations.get(&key) else {
                    return error(
                        codes::E0202,
                        format!("unknown configuration `{}`", n.last()),
                        n.span,
                        "instantiated",
                    );
                };
                let UnitKind::Configuration { entity, block } = &self.lib.units[c].kind else {
                    unreachable!("indexed as such")
                };
                (entity, Some(block.of.clone()), Some(block))
            }
            Unit::Component(n) => match self.binding(n, label, config) {
                Some((binding, inner)) => {
                    if let Some(b) = binding {
                        self.check_binding(b)?;
                    }
                    let block = inner.map(|b| b.of.clone());
                    match binding.and_then(|b| b.unit.as_ref()) {
                        Some(Unit::Entity(e, arch)) => (e, arch.clone().or(block), inner),
                        Some(Unit::Open) => return Ok(()),
                        Some(Unit::Component(_) | Unit::Configuration(_)) => {
                            return self.unsupported("this binding", span);
                        }
                        None => (n, block, inner),
                    }
                }
                None => (n, None, None),
            },
            Unit::Open => return Ok(()),
        };
        let library = match unit {
            Unit::Component(n) if std::ptr::eq(n, name) => self.scope_ref(here).library.clone(),
            _ => self.library_of(name),
        };
        let key = (library, SmolStr::from(name.last()));
        let found = self.entities.get(&key).copied().or_else(|| {
            // A component stands for an entity of its name, wherever that is.
            let mut all: Vec<usize> = self.entities.iter().filter(|(k, _)| k.1 == key.1).map(|(_, n)| *n).collect();
            all.sort();
            all.first().copied().filter(|_| matches!(unit, Unit::Component(_)))
        });
        let component = self.component_of(unit);
        if let Some(c) = component {
            self.check_formals("component", &c.name, (&c.generics, generics), (&c.ports, ports))?;
        }
        let Some(entity) = found else {
            return match self.find_guest(name)? {
                Some(header) => self.guest(label, header, unit, generics, ports, span),
                None => self.missing(name, unit, ports, span),
            };
        };
        let lib = self.lib;
        let UnitKind::Entity { generics: formals, ports: own, .. } = &lib.units[entity].kind else {
            unreachable!("indexed as such")
        };
        match component {
            None => self.check_formals("entity", &lib.units[entity].name, (formals, generics), (own, ports))?,
            Some(c) => {
                // What the component has and the entity lacks would be lost.
                let lost = c.ports.iter().find(|p| own.iter().all(|o| o.name.name != p.name.name));
                let lost = lost.or(c.generics.iter().find(|g| formals.iter().all(|o| o.name.name != g.name.name)));
                if let Some(p) = lost {
                    let text = format!("entity `{}` has no `{}`", lib.units[entity].name.name, p.name.name);
                    let d = Diagnostic::error(codes::E0205, text).at(span, "in this instance");
                    let d = d.also(p.name.span, "the component has it").also(lib.units[entity].name.span, "entity");
                    return Err(Box::new(d));
                }
            }
        }
        let path = join(&self.scope_ref(here).path, label);
        let scope = self.entity_scope(entity, path);
        self.bind_instance_generics(formals, generics, unit, here, scope, span)?;
        let outside = Outside::Parent { scope: here, ports, component };
        self.fill(entity, arch.as_deref(), scope, outside, inner, span)
    }

    /// Associations must name what is there.
    pub(super) fn check_formals(
        &self,
        what: &str,
        unit: &Ident,
        (generics, generic_map): (&'a [Interface], &'a [Arg]),
        (ports, port_map): (&'a [Interface], &'a [Arg]),
    ) -> Res<()> {
        for (kind, code, formals, args) in
            [("generic", codes::E0206, generics, generic_map), ("port", codes::E0205, ports, port_map)]
        {
            for (n, a) in args.iter().enumerate() {
                let text = match &a.formal {
                    Some(f) if formals.iter().all(|p| p.name.name != formal_port(f).last()) => {
                        format!("{what} `{}` has no {kind} `{}`", unit.name, formal_port(f).last())
                    }
                    None if n >= formals.len() => format!("{what} `{}` has {} {kind}s", unit.name, formals.len()),
                    _ => continue,
                };
                let at = a.formal.as_ref().map_or(a.span, |f| f.span);
                let d = Diagnostic::error(code, text).at(at, "associated here").also(unit.span, "declared here");
                return Err(Box::new(d));
            }
        }
        Ok(())
    }

    /// Generics of an entity from an instance; a component's own defaults come before the entity's.
    pub(super) fn bind_instance_generics(
        &mut self,
        formals: &'a [Interface],
        args: &'a [Arg],
        unit: &'a Unit,
        from: ScopeId,
        to: ScopeId,
        span: Span,
    ) -> Res<()> {
        let Some(c) = self.component_of(unit) else { return self.bind_generics(formals, args, from, to, span) };
        for g in formals {
            let at = c.generics.iter().position(|x| x.name.name == g.name.name);
            let given = args.iter().enumerate().find(|(k, a)| match &a.formal {
                Some(f) => f.last() == g.name.name,
                None => Some(*k) == at,
            });
            let actual = given.and_then(|(_, a)| a.actual.as_ref());
            let own = at.and_then(|i| match &c.generics[i].kind {
                InterfaceKind::Object { default, .. } => default.as_ref(),
                _ => None,
            });
            self.bind_generic(g, actual.or(own), from, to, span)?;
        }
        Ok(())
    }

    /// The component an instance names.
    pub(super) fn component_of(&mut self, unit: &'a Unit) -> Option<&'a Component> {
        let Unit::Component(n) = unit else { return None };
        match self.lookup(n.ent()?, n.span) {
            Ok(Symbol::Component(c)) => Some(c),
            _ => None,
        }
    }

    /// The library a selected name starts with.
    pub(super) fn library_of(&self, n: &Name) -> SmolStr {
        if let NameKind::Selected(prefix, _, _) = &n.kind {
            let l = prefix.last();
            if l != "work" {
                return l.into();
            }
        }
        self.scope_ref(self.scope).library.clone()
    }

    /// What a configuration says about a component instance: what it stands for, and what is configured
    /// inside of that.
    fn binding(
        &self,
        component: &Name,
        label: &str,
        config: Option<&'a BlockConfig>,
    ) -> Option<(Option<&'a Binding>, Option<&'a BlockConfig>)> {
        let applies = |s: &ConfigSpec| {
            s.component.last() == component.last()
                && match &s.labels {
                    Labels::Named(l) => l.iter().any(|l| l == label),
                    Labels::All | Labels::Others => true,
                }
        };
        let configured = config.and_then(|c| c.components.iter().find(|(spec, _)| applies(spec)));
        let mut specified = None;
        let mut at = Some(self.scope);
        while let Some(s) = at.filter(|_| specified.is_none()) {
            let scope = self.scope_ref(s);
            specified = scope.bindings.iter().find(|spec| applies(spec)).and_then(|spec| spec.binding.as_ref());
            at = scope.parent;
        }
        let binding = configured.and_then(|(spec, _)| spec.binding.as_ref()).or(specified);
        let inner = configured.and_then(|(_, inner)| inner.as_ref());
        (binding.is_some() || inner.is_some()).then_some((binding, inner))
    }

    /// Maps of a binding may only say what holds anyway.
    fn check_binding(&self, b: &'a Binding) -> Res<()> {
        for a in b.generics.iter().chain(&b.ports) {
            let same = match (&a.formal, &a.actual) {
                (Some(f), Some(Expr { kind: ExprKind::Name(n), .. })) => {
                    let simple = |n: &Name| matches!(n.kind, NameKind::Simple(..));
                    simple(f) && simple(n) && f.last() == n.last()
                }
                _ => false,
            };
            if !same {
                return self.unsupported("a map in a binding that renames or converts", a.span);
            }
        }
        Ok(())
    }

    /// An instance of nothing that was read: free outputs if it is a black box, else an error.
    pub(super) fn missing(&mut self, name: &'a Name, unit: &'a Unit, ports: &'a [Arg], span: Span) -> Res<()> {
        if !self.opts.blackboxes.iter().any(|b| b.eq_ignore_ascii_case(name.last())) {
            let what = if matches!(unit, Unit::Component(_)) { "component" } else { "entity" };
            let d = Diagnostic::error(codes::E0202, format!("no entity for {what} `{}` was read", name.last()))
                .at(name.span, "instantiated here");
            return Err(Box::new(d.help(format!("add its file, or --blackbox {}", name.last()))));
        }
        let component = match name.ent().map(|e| self.lookup(e, name.span)) {
            Some(Ok(Symbol::Component(c))) => Some(c),
            _ => None,
        };
        let Some(c) = component else { return Ok(()) };
        let here = self.scope;
        for (n, p) in c.ports.iter().enumerate() {
            let InterfaceKind::Object { mode: Mode::Out | Mode::Buffer, .. } = &p.kind else { continue };
            let actual = args_for(ports, n, &p.name.name);
            if let Some(Expr { kind: ExprKind::Name(target), .. }) = actual {
                self.comb(span, |e| {
                    let to = e.in_scope(here, |e| e.place(target))?;
                    let free = e.m.d.undef(to.ty.width);
                    e.assign(&to, free, true, span)
                })?;
            }
        }
        Ok(())
    }
}

fn args_for<'a>(args: &'a [Arg], n: usize, name: &str) -> Option<&'a Expr> {
    let given = args.iter().enumerate().find(|(k, a)| match &a.formal {
        Some(f) => f.last() == name,
        None => *k == n,
    });
    given.and_then(|(_, a)| a.actual.as_ref())
}
