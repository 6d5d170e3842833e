//! Scopes and name lookup (IEEE 1800-2017 clauses 23.8, 23.9 and 26.3).

use super::*;
use smol_str::format_smolstr;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ScopeId(pub u32);

/// Scopes by index; shared, because a generate loop's blocks see those made before them.
pub type Blocks = Rc<std::cell::RefCell<Vec<(i64, ScopeId)>>>;

/// What a name stands for.
#[derive(Clone)]
pub enum Symbol<'a> {
    /// Parameter, genvar or enumeration constant.
    Const(Rc<Ty>, Bits),
    Type(Rc<Ty>),
    Var(VarId),
    /// A local of a subprogram or loop.
    Local(Rc<Ty>, u32),
    Subprogram(&'a Subprogram, ScopeId),
    /// A named property or sequence.
    Property(&'a PropertyDecl, ScopeId),
    Clocking(&'a Clocking, ScopeId),
    /// An untyped argument of a property: the expression given for it, read where it was given.
    Alias(&'a Expr, ScopeId),
    /// An instance, generate block or interface.
    Scope(ScopeId),
    /// Instances or generate blocks by index.
    Array(Blocks),
    /// A real constant, which only `$rtoi` and comparisons of constants could use.
    Real,
    /// A declaration hardware cannot have.
    Unsupported(Unsupported, Span),
}

pub struct Scope<'a> {
    /// Lexical parent: where unknown names are looked up next.
    pub parent: Option<ScopeId>,
    /// Hierarchical parent: where upward names are looked up.
    pub up: Option<ScopeId>,
    /// Hierarchical path, empty for the top.
    pub path: SmolStr,
    pub names: FxHashMap<SmolStr, Symbol<'a>>,
    pub spans: FxHashMap<SmolStr, Span>,
    pub wildcards: Vec<ScopeId>,
    /// The module this scope is the body of.
    pub module: Option<&'a Module>,
    pub implicit_nets: bool,
    pub generate_count: u32,
    pub depth: u32,
    pub default_clocking: Option<&'a Clocking>,
    pub default_disable: Option<&'a Expr>,
}

impl<'a> Scope<'a> {
    pub fn new(parent: Option<ScopeId>, path: SmolStr) -> Scope<'a> {
        Scope {
            parent,
            up: parent,
            path,
            names: FxHashMap::default(),
            spans: FxHashMap::default(),
            wildcards: Vec::new(),
            module: None,
            implicit_nets: true,
            generate_count: 0,
            depth: 0,
            default_clocking: None,
            default_disable: None,
        }
    }
}

/// The name closest to `name`, if it is close enough to be a slip of the pen.
pub fn nearest<'x>(name: &str, among: impl Iterator<Item = &'x SmolStr>) -> Option<&'x SmolStr> {
    fn distance(a: &str, b: &str) -> usize {
        let b: Vec<char> = b.chars().collect();
        let mut row: Vec<usize> = (0..=b.len()).collect();
        for (i, ca) in a.chars().enumerate() {
            let mut diagonal = row[0];
            row[0] = i + 1;
            for (j, cb) in b.iter().enumerate() {
                let next = (diagonal + usize::from(ca != *cb)).min(row[j] + 1).min(row[j + 1] + 1);
                diagonal = std::mem::replace(&mut row[j + 1], next);
            }
        }
        row[b.len()]
    }
    among
        .map(|n| (distance(name, n), n))
        .filter(|(d, n)| *d > 0 && *d <= 1 + n.len() / 5)
        .min_by(|a, b| a.cmp(b))
        .map(|(_, n)| n)
}

impl<'a> Elab<'a> {
    pub(super) fn scope_ref(&self, s: ScopeId) -> &Scope<'a> {
        &self.scopes[s.0 as usize]
    }

    pub(super) fn scope_mut(&mut self, s: ScopeId) -> &mut Scope<'a> {
        &mut self.scopes[s.0 as usize]
    }

    pub(super) fn new_scope(&mut self, parent: ScopeId, name: &str) -> ScopeId {
        let p = self.scope_ref(parent);
        let mut s = Scope::new(Some(parent), join(&p.path, name));
        s.implicit_nets = p.implicit_nets;
        s.depth = p.depth;
        self.scopes.push(s);
        ScopeId(self.scopes.len() as u32 - 1)
    }

    /// Forgets the scopes made since `mark`, if nothing that stays was made among them.
    pub(super) fn drop_scopes(&mut self, mark: usize) {
        if mark >= self.scope_floor {
            self.scopes.truncate(mark);
        }
    }

    /// Binds a name; a second binding in the same scope is an error.
    pub(super) fn declare(&mut self, s: ScopeId, name: &Ident, sym: Symbol<'a>) -> Res<()> {
        let scope = self.scope_mut(s);
        if let Some(first) = scope.spans.get(&name.name).copied() {
            return Err(Box::new(
                Diagnostic::error(codes::E0203, format!("`{}` is declared twice", name.name))
                    .at(name.span, "declared again here")
                    .also(first, "first declared here"),
            ));
        }
        scope.names.insert(name.name.clone(), sym);
        scope.spans.insert(name.name.clone(), name.span);
        Ok(())
    }

    pub(super) fn redeclare(&mut self, s: ScopeId, name: &str, sym: Symbol<'a>) {
        self.scope_mut(s).names.insert(name.into(), sym);
    }

    /// Looks a simple name up from the current scope outwards.
    pub(super) fn lookup(&mut self, name: &str) -> Option<Symbol<'a>> {
        let mut at = Some(self.scope);
        while let Some(s) = at {
            let scope = &self.scopes[s.0 as usize];
            if let Some(sym) = scope.names.get(name) {
                return Some(sym.clone());
            }
            let found: Vec<(ScopeId, Span)> = scope
                .wildcards
                .iter()
                .filter(|w| self.scopes[w.0 as usize].names.contains_key(name))
                .map(|w| (*w, self.scopes[w.0 as usize].spans.get(name).copied().unwrap_or(Span::NONE)))
                .collect();
            if let Some((w, first)) = found.first().copied() {
                let sym = self.scopes[w.0 as usize].names.get(name).cloned();
                if let Some((_, other)) = found.iter().find(|(_, span)| *span != first).copied() {
                    let d = Diagnostic::error(codes::E0211, format!("`{name}` is imported from two packages"))
                        .at(other, "one definition")
                        .also(first, "another definition")
                        .help(format!("import the one that is meant by name, or write package::{name}"));
                    self.m.warn(d);
                }
                return sym;
            }
            at = scope.parent;
        }
        None
    }

    /// Looks the first name of a hierarchical path up: also siblings of enclosing instances and
    /// module names on the way to the top.
    pub(super) fn lookup_upward(&mut self, name: &str) -> Option<Symbol<'a>> {
        if let Some(s) = self.lookup(name) {
            return Some(s);
        }
        let mut at = Some(self.scope);
        while let Some(s) = at {
            let scope = &self.scopes[s.0 as usize];
            if let Some(sym @ (Symbol::Scope(_) | Symbol::Array(_))) = scope.names.get(name) {
                return Some(sym.clone());
            }
            if scope.module.is_some_and(|m| m.name.name == name) {
                return Some(Symbol::Scope(s));
            }
            at = scope.up;
        }
        None
    }

    pub(super) fn unknown_name<T>(&mut self, name: &str, span: Span) -> Res<T> {
        let mut names: Vec<SmolStr> = Vec::new();
        let mut at = Some(self.scope);
        while let Some(s) = at {
            names.extend(self.scope_ref(s).names.keys().cloned());
            at = self.scope_ref(s).parent;
        }
        names.sort();
        let mut d = Diagnostic::error(codes::E0204, format!("unknown name `{name}`")).at(span, "not declared");
        if let Some(n) = nearest(name, names.iter()) {
            d = d.help(format!("did you mean `{n}`?"));
        }
        Err(Box::new(d))
    }

    /// `package::name`.
    pub(super) fn lookup_scoped(&mut self, scope: &Ident, name: &str, span: Span) -> Res<Symbol<'a>> {
        let s = if scope.name == "$unit" { self.unit_scope } else { self.package(scope)? };
        match self.scope_ref(s).names.get(name) {
            Some(sym) => Ok(sym.clone()),
            None => {
                let near = nearest(name, self.scope_ref(s).names.keys()).cloned();
                let mut d = Diagnostic::error(codes::E0204, format!("package `{}` has no `{name}`", scope.name))
                    .at(span, "not found there");
                if let Some(n) = near {
                    d = d.help(format!("did you mean `{n}`?"));
                }
                Err(Box::new(d))
            }
        }
    }

    /// The scope of a package, elaborated at its first use.
    pub(super) fn package(&mut self, name: &Ident) -> Res<ScopeId> {
        if let Some(s) = self.package_scopes.get(&name.name) {
            return Ok(*s);
        }
        let Some(m) = self.packages.get(&name.name).copied() else {
            let near = nearest(&name.name, self.packages.keys()).cloned();
            let mut d = Diagnostic::error(codes::E0208, format!("unknown package `{}`", name.name))
                .at(name.span, "no such package was read");
            d = match near {
                Some(n) => d.help(format!("did you mean `{n}`?")),
                None => d.help("add the file that defines it"),
            };
            return Err(Box::new(d));
        };
        let unit = self.unit_scope;
        let s = self.new_scope(unit, "");
        self.scope_mut(s).path = format_smolstr!("{}::", name.name);
        self.package_scopes.insert(name.name.clone(), s);
        let saved_env = std::mem::take(&mut self.m.env);
        let saved_proc = self.m.proc.take();
        self.in_scope(s, |e| e.declare_items(&m.items));
        // Whoever asked first may drop its own scopes; the package stays.
        self.scope_floor = self.scopes.len();
        self.m.env = saved_env;
        self.m.proc = saved_proc;
        Ok(s)
    }

    pub(super) fn import(&mut self, package: &Ident, name: Option<&Ident>) -> Res<()> {
        let p = self.package(package)?;
        let here = self.scope;
        match name {
            None => {
                if !self.scope_ref(here).wildcards.contains(&p) {
                    self.scope_mut(here).wildcards.push(p);
                }
            }
            Some(n) => {
                let sym = self.lookup_scoped(package, &n.name, n.span)?;
                self.redeclare(here, &n.name, sym.clone());
                // Importing an enumeration's name does not import its members; nothing more to do.
            }
        }
        Ok(())
    }
}

/// `path.name`.
pub fn join(path: &str, name: &str) -> SmolStr {
    if path.is_empty() {
        name.into()
    } else if name.is_empty() || path.ends_with("::") {
        format_smolstr!("{path}{name}")
    } else {
        format_smolstr!("{path}.{name}")
    }
}
