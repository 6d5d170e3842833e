//! Which arrays stay memories.
//!
//! A signal, a shared variable or a variable of a process becomes a memory if it is a large array that
//! is only ever used element by element, indexed by something that is not constant, and written
//! only at clock edges: a signal in one process, a shared variable in any number. Everything else is
//! flattened to bits, which is always right and only costs size. The text of the architecture decides,
//! before anything of it is executed.

use super::super::entities::Kind;
use super::*;
use crate::word::{Memory, MemoryId};

/// Arrays of fewer bits are flattened.
const MIN_BITS: u32 = 512;

/// How the objects of an architecture are used.
#[derive(Default)]
pub(super) struct Usage {
    /// Used as a whole, or in a way a memory cannot serve.
    bad: FxHashSet<Ent>,
    /// Processes that write elements.
    writers: FxHashMap<Ent, FxHashSet<usize>>,
    /// Processes that use it in any way.
    users: FxHashMap<Ent, FxHashSet<usize>>,
    /// Indexed by something that may change.
    dynamic: FxHashSet<Ent>,
    /// Written by a process that a generate statement around it, but not around the object, repeats.
    repeated: FxHashSet<Ent>,
}

struct Scan<'s> {
    lib: &'s Library,
    usage: Usage,
    /// Number of the process being looked at; none outside processes.
    process: Option<usize>,
    processes: usize,
    /// Whether we are behind a clock edge.
    clocked: bool,
    /// Loop parameters around.
    loops: Vec<Ent>,
    /// For-generates around, and how many there are around each object.
    depth: usize,
    declared: FxHashMap<Ent, usize>,
}

/// How objects are used in an entity's statements or an architecture.
pub(super) fn usage(lib: &Library, decls: &[Decl], stmts: &[Concurrent]) -> Usage {
    let usage = Usage::default();
    let mut s = Scan {
        lib,
        usage,
        process: None,
        processes: 0,
        clocked: false,
        loops: Vec::new(),
        depth: 0,
        declared: FxHashMap::default(),
    };
    s.decls(decls);
    s.concurrents(stmts);
    s.usage
}

impl Scan<'_> {
    fn decls(&mut self, list: &[Decl]) {
        for d in list {
            match &d.kind {
                DeclKind::Object { names, subtype, init, .. } => {
                    self.declared.extend(names.iter().map(|n| (n.ent, self.depth)));
                    self.subtype(subtype);
                    init.iter().for_each(|e| self.expr(e));
                }
                DeclKind::Alias { of, .. } => self.whole(of),
                DeclKind::Body(b) => {
                    // What runs when it is called, and by whom, is not known here.
                    let (process, clocked) = (self.process.take(), std::mem::replace(&mut self.clocked, false));
                    self.decls(&b.decls);
                    self.stmts(&b.stmts);
                    (self.process, self.clocked) = (process, clocked);
                }
                _ => {}
            }
        }
    }

    fn subtype(&mut self, s: &Subtype) {
        if let Some(Constraint::Array(ranges, _)) = &s.constraint {
            ranges.iter().for_each(|r| self.range(r));
        }
    }

    fn range(&mut self, r: &Range) {
        match r {
            Range::Bounds { left, right, .. } => {
                self.expr(left);
                self.expr(right);
            }
            // Asking for bounds is no use of the object.
            Range::Attr(_) | Range::Subtype(..) => {}
        }
    }

    fn concurrents(&mut self, list: &[Concurrent]) {
        for c in list {
            match &c.kind {
                ConcurrentKind::Process { decls, stmts, .. } => {
                    self.processes += 1;
                    self.process = Some(self.processes);
                    self.decls(decls);
                    // `wait until rising_edge(clk)` makes all of it clocked.
                    self.clocked = stmts.iter().any(|s| match &s.kind {
                        StmtKind::Wait { until: Some(e), .. } => is_edge(e) || matches!(e.kind, ExprKind::Binary(..)),
                        _ => false,
                    });
                    self.stmts(stmts);
                    (self.process, self.clocked) = (None, false);
                }
                ConcurrentKind::Stmt(s, _) => self.stmt(s),
                ConcurrentKind::Instance { generics, ports, .. } => {
                    for a in generics.iter().chain(ports) {
                        match &a.actual {
                            // An output may be behind any name.
                            Some(Expr { kind: ExprKind::Name(n), .. }) => self.whole(n),
                            Some(e) => self.expr(e),
                            None => {}
                        }
                    }
                }
                ConcurrentKind::Block { decls, stmts, header, .. } => {
                    for a in header.iter().flat_map(|h| &h.port_map) {
                        match &a.actual {
                            Some(Expr { kind: ExprKind::Name(n), .. }) => self.whole(n),
                            Some(e) => self.expr(e),
                            None => {}
                        }
                    }
                    self.decls(decls);
                    self.concurrents(stmts);
                }
                ConcurrentKind::For { body, .. } => {
                    self.depth += 1;
                    self.body(body);
                    self.depth -= 1;
                }
                ConcurrentKind::If { arms, other } => {
                    arms.iter().map(|a| &a.1).chain(other).for_each(|b| self.body(b));
                }
                ConcurrentKind::Case { arms, .. } => arms.iter().for_each(|a| self.body(&a.1)),
            }
        }
    }

    fn body(&mut self, b: &GenBody) {
        self.decls(&b.decls);
        self.concurrents(&b.stmts);
    }

    fn stmts(&mut self, list: &[Stmt]) {
        list.iter().for_each(|s| self.stmt(s));
    }

    fn stmt(&mut self, s: &Stmt) {
        match &s.kind {
            StmtKind::Assign { target, rhs, .. } => {
                match target {
                    Target::Name(n) => self.target(n),
                    Target::Aggregate(list, _) => {
                        for e in list {
                            match &e.value.kind {
                                ExprKind::Name(n) => self.whole(n),
                                _ => self.expr(&e.value),
                            }
                        }
                    }
                }
                let waves: Vec<&Wave> = match rhs {
                    Rhs::Simple(w) => vec![w],
                    Rhs::When(arms, other) => {
                        arms.iter().for_each(|(c, _)| self.expr(c));
                        arms.iter().map(|a| &a.1).chain(other).collect()
                    }
                    Rhs::Select { expr, arms, .. } => {
                        self.expr(expr);
                        arms.iter().map(|a| &a.1).collect()
                    }
                };
                waves.iter().filter_map(|w| w.value.as_ref()).for_each(|e| self.expr(e));
            }
            StmtKind::If(arms, other) => {
                let outer = self.clocked;
                for (c, body) in arms {
                    self.expr(c);
                    self.clocked = outer || is_edge(c);
                    self.stmts(body);
                    self.clocked = outer;
                }
                other.iter().for_each(|b| self.stmts(b));
            }
            StmtKind::Case { expr, arms, .. } => {
                self.expr(expr);
                arms.iter().for_each(|(_, b)| self.stmts(b));
            }
            StmtKind::Loop { scheme, body } => {
                let depth = self.loops.len();
                match scheme {
                    Scheme::For(i, r) => {
                        self.range(r);
                        self.loops.push(i.ent);
                    }
                    Scheme::While(c) => self.expr(c),
                    Scheme::Forever => {}
                }
                self.stmts(body);
                self.loops.truncate(depth);
            }
            StmtKind::Next(_, Some(e)) | StmtKind::Exit(_, Some(e)) | StmtKind::Return(Some(e)) => self.expr(e),
            StmtKind::Assert { cond, .. } => self.expr(cond),
            StmtKind::Wait { until: Some(e), .. } => self.expr(e),
            StmtKind::Call(n) => {
                // Parameters may be signals or variables that the procedure assigns.
                if let NameKind::Call(_, args) = &n.kind {
                    for a in args {
                        match &a.actual {
                            Some(Expr { kind: ExprKind::Name(n), .. }) => self.whole(n),
                            Some(e) => self.expr(e),
                            None => {}
                        }
                    }
                }
            }
            _ => {}
        }
    }

    /// A use that may reach all of an object: it is bad for whatever the name starts with.
    fn whole(&mut self, n: &Name) {
        match &n.kind {
            NameKind::Call(prefix, args) => {
                self.whole(prefix);
                args.iter().filter_map(|a| a.actual.as_ref()).for_each(|e| self.expr(e));
            }
            NameKind::Slice(prefix, r) => {
                self.whole(prefix);
                self.range(r);
            }
            NameKind::Selected(prefix, _, ent) => {
                self.usage.bad.extend(*ent);
                self.whole(prefix);
            }
            NameKind::Simple(_, ent) => self.usage.bad.extend(*ent),
            NameKind::Attr(..) | NameKind::Unsupported(_) => {}
        }
    }

    /// The object whose element a name selects first, and the index.
    fn element<'n>(&self, n: &'n Name) -> Option<(Ent, &'n [Arg])> {
        match &n.kind {
            NameKind::Call(prefix, args) => match prefix.ent() {
                Some(e) => {
                    let object = self.lib.entities.get(e).is_some_and(|i| i.kind == Kind::Object);
                    object.then_some((e, args.as_slice()))
                }
                None => self.element(prefix),
            },
            NameKind::Slice(prefix, _) | NameKind::Selected(prefix, ..) => self.element(prefix),
            _ => None,
        }
    }

    fn target(&mut self, n: &Name) {
        self.name(n);
        let Some((object, args)) = self.element(n) else { return self.whole(n) };
        if self.declared.get(&object).is_some_and(|d| *d < self.depth) {
            self.usage.repeated.insert(object);
        }
        let looped = args.iter().filter_map(|a| a.actual.as_ref()).any(|e| self.mentions_loop(e));
        match self.process {
            Some(p) if self.clocked && !looped => {
                self.usage.writers.entry(object).or_default().insert(p);
            }
            _ => {
                self.usage.bad.insert(object);
            }
        }
    }

    fn mentions_loop(&self, e: &Expr) -> bool {
        let mut found = false;
        names_in(e, &mut |ent| found |= self.loops.contains(&ent));
        found
    }

    /// A name that is read.
    fn name(&mut self, n: &Name) {
        if let (Some(e), Some(p)) = (n.ent(), self.process) {
            self.usage.users.entry(e).or_default().insert(p);
        }
        match &n.kind {
            NameKind::Simple(_, ent) => self.usage.bad.extend(*ent),
            NameKind::Selected(prefix, _, ent) => {
                self.usage.bad.extend(*ent);
                self.name(prefix);
            }
            NameKind::Slice(prefix, r) => {
                self.name(prefix);
                self.range(r);
            }
            NameKind::Attr(_, _, arg) => arg.iter().for_each(|e| self.expr(e)),
            NameKind::Call(prefix, args) => {
                args.iter().filter_map(|a| a.actual.as_ref()).for_each(|e| self.expr(e));
                if let (Some(e), Some(p)) = (prefix.ent(), self.process) {
                    self.usage.users.entry(e).or_default().insert(p);
                }
                match prefix.ent() {
                    Some(e) if self.lib.entities.get(e).is_some_and(|i| i.kind == Kind::Object) => {
                        let mut varies = false;
                        for a in args.iter().filter_map(|a| a.actual.as_ref()) {
                            names_in(a, &mut |x| {
                                let object = self.lib.entities.get(x).is_some_and(|i| i.kind == Kind::Object);
                                varies |= object && !self.loops.contains(&x);
                            });
                        }
                        if varies {
                            self.usage.dynamic.insert(e);
                        }
                        if args.len() != 1 {
                            self.usage.bad.insert(e);
                        }
                    }
                    Some(_) => {}
                    None => self.name(prefix),
                }
            }
            NameKind::Unsupported(_) => {}
        }
    }

    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Name(n) => self.name(n),
            ExprKind::Unary(_, _, a) | ExprKind::Qualified(_, a) => self.expr(a),
            ExprKind::Binary(_, _, a, b) => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Aggregate(list) => list.iter().for_each(|e| self.expr(&e.value)),
            ExprKind::When(arms, other) => {
                for (c, v) in arms {
                    self.expr(c);
                    self.expr(v);
                }
                other.iter().for_each(|e| self.expr(e));
            }
            _ => {}
        }
    }
}

/// Calls `f` with every entity an expression names.
fn names_in(e: &Expr, f: &mut dyn FnMut(Ent)) {
    fn name(n: &Name, f: &mut dyn FnMut(Ent)) {
        match &n.kind {
            NameKind::Simple(_, ent) => ent.iter().for_each(|e| f(*e)),
            NameKind::Selected(p, _, ent) => {
                ent.iter().for_each(|e| f(*e));
                name(p, f);
            }
            NameKind::Slice(p, _) => name(p, f),
            NameKind::Attr(..) | NameKind::Unsupported(_) => {}
            NameKind::Call(p, args) => {
                name(p, f);
                args.iter().filter_map(|a| a.actual.as_ref()).for_each(|e| names_in(e, f));
            }
        }
    }
    match &e.kind {
        ExprKind::Name(n) => name(n, f),
        ExprKind::Unary(_, _, a) | ExprKind::Qualified(_, a) => names_in(a, f),
        ExprKind::Binary(_, _, a, b) => {
            names_in(a, f);
            names_in(b, f);
        }
        ExprKind::Aggregate(list) => list.iter().for_each(|e| names_in(&e.value, f)),
        ExprKind::When(arms, other) => {
            for (c, v) in arms {
                names_in(c, f);
                names_in(v, f);
            }
            other.iter().for_each(|e| names_in(e, f));
        }
        _ => {}
    }
}

/// Whether a condition has a clock edge in it.
fn is_edge(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Name(n) => match &n.kind {
            NameKind::Call(p, _) => matches!(p.last(), "rising_edge" | "falling_edge"),
            NameKind::Attr(_, Attr::Event, _) => true,
            _ => false,
        },
        ExprKind::Binary(Op::And, _, a, b) => is_edge(a) || is_edge(b),
        _ => false,
    }
}

impl<'a> Elab<'a> {
    /// Makes a memory of an object if it can be one.
    pub(super) fn infer_memory(&mut self, class: Class, n: &Ident, ty: &Rc<Ty>, v: VarId) {
        let shared = self.usages.last().is_some_and(|u| u.users.get(&n.ent).is_some_and(|p| p.len() > 1));
        if class == Class::Shared && shared {
            let text = format!("several processes use the shared variable `{}`", n.name);
            self.m.warn(Diagnostic::warning(codes::W0513, text).at(n.span, "a read sees the value before the edge"));
        }
        let TyKind::Array { dims: Some(dims), elem, .. } = &ty.kind else { return };
        let [dim] = dims.as_slice() else { return };
        let Some(usage) = self.usages.last().cloned() else { return };
        let writers = usage.writers.get(&n.ent).map_or(0, FxHashSet::len);
        // A small array with several writers cannot be flattened: its bits would have several drivers.
        let enough = ty.width >= MIN_BITS || (class == Class::Shared && writers > 1);
        if !enough || usage.bad.contains(&n.ent) || !usage.dynamic.contains(&n.ent) || elem.width == 0 {
            return;
        }
        let several = writers > 1 || usage.repeated.contains(&n.ent);
        if writers == 0 || (several && class != Class::Shared) {
            return;
        }
        let (size, width) = (dim.len(), elem.width);
        let var = &self.m.vars[v.index()];
        let init = match &var.init {
            Some(b) => {
                (0..size).map(|k| (k, b.slice(k as u32 * width, width))).filter(|(_, b)| !b.has_unknown()).collect()
            }
            None => Vec::new(),
        };
        let signal = &self.m.d.signals[var.signal.index()];
        let (name, attrs, span) = (signal.name.clone(), signal.attrs.clone(), var.span);
        self.m.d.memories.push(Memory { name, width, size, init, writes: Vec::new(), attrs, span });
        self.m.vars[v.index()].memory = Some(MemoryId(self.m.d.memories.len() as u32 - 1));
    }
}
