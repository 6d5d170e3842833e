//! The hierarchy: the top, instances and their bindings, ports, generate statements.

use super::scope::join;
use super::*;
use crate::word::{Bits, Role};

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
    pub(super) fn enter_top(&mut self) -> Res<()> {
        let (unit, arch, config) = self.find_top()?;
        self.m.d.name = self.lib.units[unit].name.name.clone();
        let lib = self.lib;
        let UnitKind::Entity { generics, .. } = &lib.units[unit].kind else { unreachable!("found as an entity") };
        let scope = self.entity_scope(unit, SmolStr::default());
        let span = lib.units[unit].name.span;
        for (name, _) in &self.opts.generics {
            if !generics.iter().any(|g| g.name.name == name.to_ascii_lowercase()) {
                let d = Diagnostic::error(codes::E0205, format!("the top has no generic `{name}`")).at(span, "top");
                return Err(Box::new(d));
            }
        }
        for g in generics {
            let given = self.opts.generics.iter().find(|(n, _)| n.to_ascii_lowercase() == g.name.name);
            let crossed = self.opts.given.iter().find(|(n, _)| *n == g.name.name);
            match (given, &g.kind) {
                (Some((name, text)), InterfaceKind::Object { subtype, .. }) => {
                    let ty = self.in_scope(scope, |e| e.subtype(subtype))?;
                    let symbol = self.generic_text(name, text, &ty, span)?;
                    self.scopes[scope.0 as usize].symbols.insert(g.name.ent, symbol);
                }
                (None, InterfaceKind::Object { subtype, .. }) => match crossed {
                    Some((name, value)) => {
                        let ty = self.in_scope(scope, |e| e.subtype(subtype))?;
                        let symbol = self.generic_value(name, value, &ty, g.name.span)?;
                        self.scopes[scope.0 as usize].symbols.insert(g.name.ent, symbol);
                    }
                    None => self.bind_generic(g, None, scope, scope, span)?,
                },
                _ => self.bind_generic(g, None, scope, scope, span)?,
            }
        }
        self.fill(unit, arch.as_deref(), scope, Outside::Top, config, span)
    }

    /// A generic of the top from the command line.
    pub(super) fn generic_text(&mut self, name: &str, text: &str, ty: &Rc<Ty>, span: Span) -> Res<Symbol<'a>> {
        let bad = || {
            Box::new(
                Diagnostic::error(codes::E0205, format!("`{text}` is not a value for generic `{name}`"))
                    .help("integers as 8, enumerations by name, vectors as 0101 or \"0101\", strings in quotes"),
            )
        };
        let plain = text.trim().trim_matches('"').trim_matches('\'');
        let bits = match &ty.kind {
            TyKind::Int { lo, hi, .. } => {
                let v: i128 = plain.replace('_', "").parse().map_err(|_| bad())?;
                if v < *lo || v > *hi {
                    return Err(Box::new(bad().note(format!("it must lie between {lo} and {hi}"))));
                }
                types::int_bits(v, ty.width)
            }
            TyKind::Real => Bits::from_u64(plain.parse::<f64>().map_err(|_| bad())?.to_bits(), 64),
            TyKind::Enum { def, .. } => {
                let lower = plain.to_ascii_lowercase();
                let quoted = format!("'{plain}'");
                let flag = match (def.logic, plain) {
                    (types::Logic::Two, "1") => Some(1),
                    (types::Logic::Two, "0") => Some(0),
                    _ => None,
                };
                match flag.or_else(|| def.literals.iter().position(|l| *l == lower || *l == quoted)) {
                    Some(_) if def.logic == types::Logic::Std => {
                        self.character(plain.bytes().next().unwrap_or(b'X'), def, 1, span)?
                    }
                    Some(p) => Bits::from_u64(p as u64, ty.width),
                    None => return Err(bad()),
                }
            }
            TyKind::Array { .. } => {
                let v = self.constantly(|e| e.string(plain.as_bytes(), Some(ty), span))?;
                let v = self.convert(v, ty, span)?;
                let b = self.m.d.as_const(v.node).cloned().ok_or_else(bad)?;
                return Ok(Symbol::Const(v.ty, b));
            }
            _ => return Err(bad()),
        };
        Ok(Symbol::Const(ty.clone(), bits))
    }

    fn find_top(&mut self) -> Res<(usize, Option<SmolStr>, Option<&'a BlockConfig>)> {
        let lib = self.lib;
        let own = |u: &LibraryUnit| !matches!(u.library.as_str(), "std" | "ieee");
        if let Some(text) = &self.opts.top {
            let text = text.to_ascii_lowercase();
            let (name, arch) = match text.split_once('(') {
                Some((n, a)) => (n.trim().to_string(), Some(SmolStr::from(a.trim_end_matches(')').trim()))),
                None => (text.clone(), None),
            };
            let (library, name) = match name.split_once('.') {
                Some((l, n)) if l != "work" => (Some(l.to_string()), n.to_string()),
                Some((_, n)) => (None, n.to_string()),
                None => (None, name),
            };
            for (n, u) in lib.units.iter().enumerate() {
                if !own(u) || u.name.name != name || library.as_ref().is_some_and(|l| *l != u.library) {
                    continue;
                }
                match &u.kind {
                    UnitKind::Entity { .. } => return Ok((n, arch, None)),
                    UnitKind::Configuration { entity, block } => {
                        let key = (u.library.clone(), SmolStr::from(entity.last()));
                        if let Some(&e) = self.entities.get(&key) {
                            return Ok((e, Some(block.of.clone()), Some(block)));
                        }
                    }
                    _ => {}
                }
            }
            let names: Vec<&str> = lib
                .units
                .iter()
                .filter(|u| own(u) && matches!(u.kind, UnitKind::Entity { .. }))
                .map(|u| u.name.name.as_str())
                .collect();
            let mut d = Diagnostic::error(codes::E0201, format!("top entity `{name}` not found"));
            if !names.is_empty() {
                d = d.help(format!("entities read: {}", names.join(", ")));
            }
            return Err(Box::new(d));
        }
        let mut used: FxHashSet<&str> = FxHashSet::default();
        for u in &lib.units {
            if let UnitKind::Architecture { stmts, .. } | UnitKind::Entity { stmts, .. } = &u.kind {
                instantiated(stmts, &mut |n| {
                    used.insert(n);
                });
            }
        }
        let tops: Vec<usize> = lib
            .units
            .iter()
            .enumerate()
            .filter(|(_, u)| {
                own(u) && matches!(u.kind, UnitKind::Entity { .. }) && !used.contains(u.name.name.as_str())
            })
            .map(|(n, _)| n)
            .collect();
        match tops.as_slice() {
            [one] => Ok((*one, None, None)),
            [] => Err(Box::new(
                Diagnostic::error(codes::E0201, "no top entity: none was read, or each is used by another")
                    .help("name one with --top"),
            )),
            many => {
                let names: Vec<&str> = many.iter().map(|n| lib.units[*n].name.name.as_str()).collect();
                let mut d =
                    Diagnostic::error(codes::E0201, format!("several entities could be the top: {}", names.join(", ")));
                for n in many.iter().take(4) {
                    d = d.also(lib.units[*n].name.span, "instantiated by none");
                }
                Err(Box::new(d.help("choose one with --top NAME")))
            }
        }
    }

    fn entity_scope(&mut self, unit: usize, path: SmolStr) -> ScopeId {
        let scope = self.new_scope(None, path);
        let u = &self.lib.units[unit];
        self.scopes[scope.0 as usize].library = u.library.clone();
        self.scopes[scope.0 as usize].uses = u.uses.clone();
        scope
    }

    /// Declares ports and elaborates the inside of an entity whose generics are bound.
    fn fill(
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
    fn fill_inner(
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

    fn free_outputs(&mut self, ports: &'a [Interface], scope: ScopeId) {
        for p in ports {
            if let Some(Symbol::Var(v, _)) = self.scopes[scope.0 as usize].symbols.get(&p.name.ent) {
                let v = *v;
                self.m.undriven_ok.insert(v);
                self.m.vars[v.index()].init = None;
            }
        }
    }

    // Ports.

    fn ports(&mut self, ports: &'a [Interface], scope: ScopeId, outside: &Outside<'a>, span: Span) -> Res<()> {
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
    fn connect(
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
    fn type_from_actual(&mut self, mine: &[&'a Arg], ty: &Rc<Ty>, parent: ScopeId, span: Span) -> Res<Rc<Ty>> {
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

    // Concurrent statements.

    pub(super) fn statements(&mut self, list: &'a [Concurrent], config: Option<&'a BlockConfig>) -> Res<()> {
        for s in list {
            if self.m.stop {
                return Ok(());
            }
            if let Err(d) = self.concurrent(s, config) {
                self.m.report(d);
            }
        }
        Ok(())
    }

    fn concurrent(&mut self, s: &'a Concurrent, config: Option<&'a BlockConfig>) -> Res<()> {
        let label = s.label.as_ref().map_or_else(SmolStr::default, |l| l.name.clone());
        match &s.kind {
            ConcurrentKind::Process { sensitivity, decls, stmts } => {
                self.process(s.label.as_ref(), sensitivity, decls, stmts, s.span)
            }
            ConcurrentKind::Stmt(stmt, guarded) => {
                if *guarded {
                    return self.unsupported("a guarded assignment", s.span);
                }
                self.comb(s.span, |e| e.exec(stmt))
            }
            ConcurrentKind::Instance { unit, generics, ports } => {
                self.instance(&label, unit, generics, ports, config, s.span)
            }
            ConcurrentKind::Block { decls, stmts, header, guarded } => {
                if *guarded {
                    return self.unsupported("a guarded block", s.span);
                }
                let scope = self.inner_scope(&label);
                if let Some(h) = header {
                    let here = self.scope;
                    self.bind_generics(&h.generics, &h.generic_map, here, scope, s.span)?;
                    let outside = Outside::Parent { scope: here, ports: &h.port_map, component: None };
                    self.ports(&h.ports, scope, &outside, s.span)?;
                }
                let inner = config.and_then(|c| c.blocks.iter().find(|b| b.of == label));
                self.in_scope(scope, |e| {
                    e.declare_all(decls)?;
                    e.statements(stmts, inner)
                })
            }
            ConcurrentKind::For { index, range, body } => {
                let d = self.range(range)?;
                if d.len() > 1 << 16 {
                    return error(codes::E0302, format!("{} copies", d.len()), s.span, "more than this tool takes");
                }
                let ty = self.loop_type(range);
                let inner = config.and_then(|c| c.blocks.iter().find(|b| b.of == label));
                for k in 0..d.len() as i128 {
                    let k = if d.down { d.left - k } else { d.left + k };
                    let scope = self.inner_scope(&format!("{label}[{k}]"));
                    let symbol = match &ty {
                        Some(t) => Symbol::Const(t.clone(), Bits::from_u64(k as u64, t.width)),
                        None => {
                            let t = Ty::int(k, k);
                            let b = types::int_bits(k, t.width);
                            Symbol::Const(t, b)
                        }
                    };
                    self.scopes[scope.0 as usize].symbols.insert(index.ent, symbol);
                    self.generated(scope, body, inner)?;
                }
                Ok(())
            }
            ConcurrentKind::If { arms, other } => {
                let inner = config.and_then(|c| c.blocks.iter().find(|b| b.of == label));
                for (cond, body) in arms {
                    if self.constant_condition(cond)? {
                        let scope = self.inner_scope(&label);
                        return self.generated(scope, body, inner);
                    }
                }
                if let Some(body) = other {
                    let scope = self.inner_scope(&label);
                    return self.generated(scope, body, inner);
                }
                Ok(())
            }
            ConcurrentKind::Case { expr, arms } => {
                let inner = config.and_then(|c| c.blocks.iter().find(|b| b.of == label));
                let conds = self.constantly(|e| e.choose(expr, false, arms.iter().map(|a| a.0.as_slice())))?;
                for (c, (_, body)) in conds.iter().zip(arms) {
                    match self.m.d.as_bool(*c) {
                        Some(true) => {
                            let scope = self.inner_scope(&label);
                            return self.generated(scope, body, inner);
                        }
                        Some(false) => {}
                        None => return error(codes::E0301, "the choice is not constant", s.span, "case generate"),
                    }
                }
                Ok(())
            }
        }
    }

    fn inner_scope(&mut self, label: &str) -> ScopeId {
        let here = self.scope;
        let path = join(&self.scope_ref(here).path, label);
        self.new_scope(Some(here), path)
    }

    fn generated(&mut self, scope: ScopeId, body: &'a GenBody, config: Option<&'a BlockConfig>) -> Res<()> {
        self.in_scope(scope, |e| {
            e.declare_all(&body.decls)?;
            e.statements(&body.stmts, config)
        })
    }

    // Instances.

    fn instance(
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
                Some((Unit::Entity(e, arch), inner)) => (e, arch.clone(), inner),
                Some((Unit::Open, _)) => return Ok(()),
                Some((Unit::Component(_) | Unit::Configuration(_), _)) => {
                    return self.unsupported("this binding", span);
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
    fn check_formals(
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
    fn bind_instance_generics(
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
    fn library_of(&self, n: &Name) -> SmolStr {
        if let NameKind::Selected(prefix, _, _) = &n.kind {
            let l = prefix.last();
            if l != "work" {
                return l.into();
            }
        }
        self.scope_ref(self.scope).library.clone()
    }

    /// What a configuration says about a component instance.
    fn binding(
        &self,
        component: &Name,
        label: &str,
        config: Option<&'a BlockConfig>,
    ) -> Option<(&'a Unit, Option<&'a BlockConfig>)> {
        let applies = |s: &ConfigSpec| {
            s.component.last() == component.last()
                && match &s.labels {
                    Labels::Named(l) => l.iter().any(|l| l == label),
                    Labels::All | Labels::Others => true,
                }
        };
        if let Some(c) = config {
            for (spec, inner) in &c.components {
                if applies(spec)
                    && let Some(unit) = spec.binding.as_ref().and_then(|b| b.unit.as_ref())
                {
                    return Some((unit, inner.as_ref()));
                }
            }
        }
        let mut at = Some(self.scope);
        while let Some(s) = at {
            let scope = self.scope_ref(s);
            for spec in &scope.bindings {
                if applies(spec)
                    && let Some(unit) = spec.binding.as_ref().and_then(|b| b.unit.as_ref())
                {
                    return Some((unit, None));
                }
            }
            at = scope.parent;
        }
        None
    }

    /// An instance of nothing that was read: free outputs if it is a black box, else an error.
    fn missing(&mut self, name: &'a Name, unit: &'a Unit, ports: &'a [Arg], span: Span) -> Res<()> {
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

/// Calls `f` with the name of everything instantiated.
pub fn instantiated<'a>(list: &'a [Concurrent], f: &mut impl FnMut(&'a str)) {
    for s in list {
        match &s.kind {
            ConcurrentKind::Instance { unit: Unit::Component(n) | Unit::Entity(n, _), .. } => f(n.last()),
            ConcurrentKind::Block { stmts, .. } => instantiated(stmts, f),
            ConcurrentKind::For { body, .. } => instantiated(&body.stmts, f),
            ConcurrentKind::If { arms, other } => {
                arms.iter().for_each(|(_, b)| instantiated(&b.stmts, f));
                if let Some(b) = other {
                    instantiated(&b.stmts, f);
                }
            }
            ConcurrentKind::Case { arms, .. } => arms.iter().for_each(|(_, b)| instantiated(&b.stmts, f)),
            _ => {}
        }
    }
}
