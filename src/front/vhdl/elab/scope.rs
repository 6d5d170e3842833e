//! What entities stand for, and where.
//!
//! Names are resolved by the analysis, so a scope maps entities and not identifiers; the same
//! entity stands for something else in each instance. Declarations of packages are elaborated when
//! they are first used.

use super::super::ast::{Body, Component, Decl, DeclKind, Ent, Spec, TypeDef, UnitKind};
use super::super::entities::{Kind, Relation};
use super::types::Ty;
use super::*;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ScopeId(pub u32);

#[derive(Clone)]
pub enum Symbol<'a> {
    /// Bits may be unknown.
    Const(Rc<Ty>, Bits),
    /// A signal, or a variable that lives as long as its process.
    Var(VarId, Rc<Ty>),
    /// A variable or parameter of a call, or a loop parameter.
    Local(u32, Rc<Ty>),
    /// Part of another object: an alias, or a signal parameter of a procedure.
    Part(Place),
    Type(Rc<Ty>),
    Sub(Sub<'a>),
    /// A subprogram given as a generic or an alias.
    Rename(Ent, ScopeId),
    Component(&'a Component),
    Package(ScopeId),
    Literal(Rc<Ty>, u32),
    /// A physical unit in primary units.
    Unit(f64),
    /// A text file being read, by number.
    File(usize),
    /// A line of one.
    Line(usize),
    Unsupported(&'static str),
}

#[derive(Clone, Copy)]
pub struct Sub<'a> {
    pub spec: &'a Spec,
    pub body: Option<&'a Body>,
    pub scope: ScopeId,
}

pub struct Scope<'a> {
    pub parent: Option<ScopeId>,
    pub symbols: FxHashMap<Ent, Symbol<'a>>,
    /// Hierarchical path, empty at the top and in packages.
    pub path: SmolStr,
    /// The package whose declarations are elaborated here on demand.
    pub package: Option<usize>,
    /// Bindings of components by configuration specifications.
    pub bindings: Vec<&'a ConfigSpec>,
    /// Packages in use here.
    pub uses: Vec<SmolStr>,
    /// Values of user-defined attributes.
    pub attributes: FxHashMap<(Ent, SmolStr), (Rc<Ty>, Bits)>,
    /// Library of the unit, for `work` and default binding.
    pub library: SmolStr,
}

pub fn join(path: &str, name: &str) -> SmolStr {
    if path.is_empty() { name.into() } else { format!("{path}.{name}").into() }
}

impl<'a> Elab<'a> {
    pub(super) fn new_scope(&mut self, parent: Option<ScopeId>, path: SmolStr) -> ScopeId {
        let library = parent.map_or_else(SmolStr::default, |p| self.scopes[p.0 as usize].library.clone());
        self.scopes.push(Scope {
            parent,
            symbols: FxHashMap::default(),
            path,
            package: None,
            bindings: Vec::new(),
            uses: Vec::new(),
            attributes: FxHashMap::default(),
            library,
        });
        ScopeId(self.scopes.len() as u32 - 1)
    }

    pub(super) fn scope_ref(&self, s: ScopeId) -> &Scope<'a> {
        &self.scopes[s.0 as usize]
    }

    pub(super) fn define(&mut self, e: Ent, s: Symbol<'a>) {
        let here = self.scope;
        self.scopes[here.0 as usize].symbols.insert(e, s);
    }

    pub(super) fn in_scope<T>(&mut self, s: ScopeId, f: impl FnOnce(&mut Self) -> T) -> T {
        let saved = std::mem::replace(&mut self.scope, s);
        let r = f(self);
        self.scope = saved;
        r
    }

    /// What an entity stands for here.
    pub(super) fn lookup(&mut self, e: Ent, span: Span) -> Res<Symbol<'a>> {
        let here = self.scope;
        self.lookup_from(here, e, span)
    }

    fn lookup_from(&mut self, from: ScopeId, e: Ent, span: Span) -> Res<Symbol<'a>> {
        if let Some(s) = self.find(from, e)? {
            return Ok(s);
        }
        match self.lib.entities.relation(e) {
            Relation::DeclaredBy(d) => return self.lookup_from(from, d, span),
            Relation::InstanceOf(of) => {
                // The copy in a package instance: the original, seen from the instance's scope.
                let mut at = self.lib.entities.get(e).and_then(|i| i.parent);
                while let Some(p) = at {
                    if self.lib.entities.get(p).is_some_and(|i| i.kind == Kind::Package)
                        && let Symbol::Package(scope) = self.lookup_from(from, p, span)?
                    {
                        return self.lookup_from(scope, of, span);
                    }
                    at = self.lib.entities.get(p).and_then(|i| i.parent);
                }
                return self.lookup_from(from, of, span);
            }
            Relation::AliasOf(of) => return self.lookup_from(from, of, span),
            _ => {}
        }
        if let Some(&(unit, _)) = self.index.get(&e) {
            let scope = self.package_scope(unit);
            if let Some(s) = self.find(scope, e)? {
                return Ok(s);
            }
        }
        if let Some(&unit) = self.packages.get(&e) {
            return Ok(Symbol::Package(self.package_scope(unit)));
        }
        let name = self.lib.entities.get(e).map_or_else(SmolStr::default, |i| i.name.clone());
        error(codes::E0405, format!("`{name}` cannot be used here"), span, "what it stands for is not known")
    }

    /// Looks along the chain of scopes; package scopes declare what they are asked for.
    fn find(&mut self, from: ScopeId, e: Ent) -> Res<Option<Symbol<'a>>> {
        let mut at = Some(from);
        while let Some(s) = at {
            let scope = &self.scopes[s.0 as usize];
            if let Some(sym) = scope.symbols.get(&e) {
                return Ok(Some(sym.clone()));
            }
            at = scope.parent;
            if let Some(unit) = scope.package
                && let Some(&(u, decl)) = self.index.get(&e)
                && u == unit
            {
                self.declare_lazily(s, decl)?;
                if let Some(sym) = self.scopes[s.0 as usize].symbols.get(&e) {
                    return Ok(Some(sym.clone()));
                }
            }
        }
        Ok(None)
    }

    /// Elaborates a package's declaration in the package's own scope, whatever is going on now.
    fn declare_lazily(&mut self, s: ScopeId, decl: &'a Decl) -> Res<()> {
        self.lazy_depth += 1;
        if self.lazy_depth > 200 {
            self.lazy_depth -= 1;
            return error(codes::E0312, "the declaration depends on itself", decl.span, "declared here");
        }
        let env = std::mem::take(&mut self.m.env);
        let proc = self.m.proc.take();
        let events = std::mem::take(&mut self.events);
        let mode = std::mem::replace(&mut self.m.const_mode, true);
        let r = self.in_scope(s, |e| e.declare(decl));
        self.m.const_mode = mode;
        self.events = events;
        self.m.proc = proc;
        self.m.env = env;
        self.lazy_depth -= 1;
        r
    }

    /// The scope of a package that is not an instance.
    pub(super) fn package_scope(&mut self, unit: usize) -> ScopeId {
        if let Some(s) = self.package_scopes.get(&unit) {
            return *s;
        }
        let s = self.new_scope(None, SmolStr::default());
        let u = &self.lib.units[unit];
        self.scopes[s.0 as usize].package = Some(unit);
        self.scopes[s.0 as usize].library = u.library.clone();
        self.scopes[s.0 as usize].uses = u.uses.clone();
        self.package_scopes.insert(unit, s);
        s
    }

    /// Notes which declaration of which package makes each entity.
    pub(super) fn index_units(&mut self) {
        let lib = self.lib;
        let mut headers: FxHashMap<(&str, &str), usize> = FxHashMap::default();
        for (n, u) in lib.units.iter().enumerate() {
            match &u.kind {
                UnitKind::Package { decls, .. } => {
                    headers.insert((&u.library, &u.name.name), n);
                    self.packages.insert(u.name.ent, n);
                    self.index_decls(n, decls);
                }
                UnitKind::PackageInstance(_) => {
                    self.instances.insert(u.name.ent, n);
                }
                UnitKind::Entity { .. } => {
                    self.entities.insert((u.library.clone(), u.name.name.clone()), n);
                }
                UnitKind::Architecture { entity, .. } => {
                    self.architectures.entry((u.library.clone(), entity.clone())).or_default().push(n);
                }
                UnitKind::Configuration { .. } => {
                    self.configurations.insert((u.library.clone(), u.name.name.clone()), n);
                }
                UnitKind::PackageBody { .. } => {}
            }
        }
        for u in &lib.units {
            if let UnitKind::PackageBody { decls } = &u.kind
                && let Some(&n) = headers.get(&(u.library.as_str(), u.name.name.as_str()))
            {
                self.index_decls(n, decls);
            }
        }
        self.index_homographs();
    }

    /// Notes the operators that packages declare for types of other packages.
    fn index_homographs(&mut self) {
        let mut found = Vec::new();
        for (ent, (unit, decl)) in &self.index {
            let u = &self.lib.units[*unit];
            let DeclKind::Subprogram(spec) = &decl.kind else { continue };
            if !spec.name.name.starts_with('"') || matches!(u.library.as_str(), "std" | "ieee") {
                continue;
            }
            let types: Vec<Option<Ent>> = spec
                .params
                .iter()
                .map(|p| match &p.kind {
                    InterfaceKind::Object { subtype, .. } => subtype.mark.ent().map(|e| self.base_type(e)),
                    _ => None,
                })
                .collect();
            if let [Some(first), rest @ ..] = types.as_slice()
                && rest.iter().all(|t| *t == Some(*first))
                && self.index.get(first).is_none_or(|(home, _)| home != unit)
            {
                found.push(((spec.name.name.clone(), types.len(), *first), (u.name.name.clone(), *ent)));
            }
        }
        found.sort();
        for (key, value) in found {
            self.homographs.entry(key).or_default().push(value);
        }
    }

    /// The type a subtype is of, as far as packages declare it.
    fn base_type(&self, mut e: Ent) -> Ent {
        loop {
            e = self.lib.entities.declaration(e);
            match self.index.get(&e).map(|(_, d)| &d.kind) {
                Some(DeclKind::Type(_, TypeDef::Subtype(s))) => match s.mark.ent() {
                    Some(of) => e = of,
                    None => return e,
                },
                _ => return e,
            }
        }
    }

    /// The operator of a package in use that hides a predefined one of the same profile. The analysis keeps
    /// one of the two by chance; VHDL-2008 says which.
    pub(super) fn hiding_operator(&self, name: &str, operands: usize, of: Ent) -> Option<Ent> {
        if self.homographs.is_empty() {
            return None;
        }
        let list = self.homographs.get(&(name.into(), operands, self.base_type(of)))?;
        list.iter().find(|(package, _)| self.is_used(package)).map(|(_, e)| *e)
    }

    pub(super) fn is_used(&self, package: &str) -> bool {
        let mut at = Some(self.scope);
        while let Some(s) = at {
            let scope = self.scope_ref(s);
            if scope.uses.iter().any(|u| u == package) {
                return true;
            }
            at = scope.parent;
        }
        false
    }

    fn index_decls(&mut self, unit: usize, decls: &'a [Decl]) {
        for d in decls {
            let mut add = |e: Ent| {
                self.index.insert(e, (unit, d));
            };
            match &d.kind {
                DeclKind::Object { names, init, .. } => {
                    for n in names {
                        // The body's value of a deferred constant counts for the declaration too.
                        if init.is_some()
                            && let Relation::DeclaredBy(first) = self.lib.entities.relation(n.ent)
                        {
                            self.index.insert(first, (unit, d));
                        }
                        self.index.insert(n.ent, (unit, d));
                    }
                }
                DeclKind::Type(n, def) => {
                    add(n.ent);
                    match def {
                        TypeDef::Enum(list) => list.iter().for_each(|l| add(l.ent)),
                        TypeDef::Physical { units } => units.iter().for_each(|u| add(u.0.ent)),
                        _ => {}
                    }
                }
                DeclKind::Subprogram(s) => add(s.name.ent),
                DeclKind::Body(b) => {
                    add(b.spec.name.ent);
                    let of = self.lib.entities.declaration(b.spec.name.ent);
                    self.bodies.insert(of, b);
                }
                DeclKind::SubprogramInstance { name, .. } | DeclKind::Alias { name, .. } => add(name.ent),
                DeclKind::Component(c) => add(c.name.ent),
                DeclKind::PackageInstance(p) => add(p.name.ent),
                DeclKind::Unsupported(names, _) | DeclKind::File(names, _) => names.iter().for_each(|n| add(n.ent)),
                DeclKind::Attribute(_) | DeclKind::Configuration(_) | DeclKind::Use(_) => {}
            }
        }
    }
}
