//! Which unpacked arrays stay memories, and access to them.
//!
//! An array becomes a memory if it is large, only ever used element by element, written only in
//! clocked processes without asynchronous controls (and perhaps in initial blocks), and indexed by
//! something that is not constant. Everything else is flattened to bits, which is always right and
//! only costs size.

use super::scope::Symbol;
use super::types::range_len;
use super::*;
use crate::word::{Memory, MemoryId};

/// Arrays of fewer bits are flattened.
const MIN_BITS: u32 = 512;

/// How the names of one module are used.
#[derive(Default)]
pub(super) struct Usage {
    bad: FxHashSet<SmolStr>,
    /// Processes that write a name.
    writers: FxHashMap<SmolStr, FxHashSet<usize>>,
    indices: FxHashMap<SmolStr, FxHashSet<SmolStr>>,
}

#[derive(Clone, Copy, PartialEq)]
enum Where {
    /// Initial block.
    Initial,
    /// Clocked process with one edge, by number.
    Clocked(usize),
    Other,
}

struct Scan {
    usage: Usage,
    at: Where,
    loop_vars: Vec<SmolStr>,
    processes: usize,
}

impl Scan {
    fn items(&mut self, items: &[Item]) {
        for i in items {
            self.item(i);
        }
    }

    fn item(&mut self, i: &Item) {
        match &i.kind {
            ItemKind::Decl { names, .. } => {
                names.iter().filter_map(|n| n.init.as_ref()).for_each(|e| self.expr(e, false))
            }
            ItemKind::Assign(list) => {
                for (l, r) in list {
                    self.expr(l, true);
                    self.expr(r, false);
                }
            }
            ItemKind::Always { sensitivity, body, .. } => {
                self.processes += 1;
                let single = match sensitivity {
                    Some(Sensitivity::List(l)) => l.len() == 1 && matches!(l[0].edge, EdgeKind::Pos | EdgeKind::Neg),
                    _ => false,
                };
                self.at = if single { Where::Clocked(self.processes) } else { Where::Other };
                self.stmt(body);
                self.at = Where::Other;
            }
            ItemKind::Initial(body) => {
                self.at = Where::Initial;
                self.stmt(body);
                self.at = Where::Other;
            }
            ItemKind::Instantiation(inst) => {
                for c in inst.instances.iter().flat_map(|x| &x.ports) {
                    match c {
                        Connection::Positional(Some(e)) | Connection::Named(_, Some(e)) => self.expr(e, true),
                        Connection::Implicit(n) => {
                            self.usage.bad.insert(n.name.clone());
                        }
                        _ => {}
                    }
                }
            }
            ItemKind::Gate { instances, .. } => {
                for c in instances.iter().flat_map(|x| &x.ports) {
                    if let Connection::Positional(Some(e)) = c {
                        self.expr(e, true);
                    }
                }
            }
            ItemKind::Generate(items) => self.items(items),
            ItemKind::GenFor { body, .. } => self.items(&body.items),
            ItemKind::GenIf { then, other, .. } => {
                self.items(&then.items);
                if let Some(o) = other {
                    self.items(&o.items);
                }
            }
            ItemKind::GenCase { items, default, .. } => {
                items.iter().for_each(|(_, b)| self.items(&b.items));
                if let Some(d) = default {
                    self.items(&d.items);
                }
            }
            ItemKind::GenBlock(b) => self.items(&b.items),
            ItemKind::Subprogram(s) => s.body.iter().for_each(|s| self.stmt(s)),
            ItemKind::Assert(s) => self.stmt(s),
            ItemKind::Concurrent(c) => self.spec(&c.spec),
            ItemKind::Property(p) => {
                self.spec(&p.spec);
                p.formals.iter().filter_map(|f| f.default.as_ref()).for_each(|e| self.expr(e, false));
            }
            ItemKind::DefaultDisable(e) => self.expr(e, false),
            _ => {}
        }
    }

    fn stmt(&mut self, s: &Stmt) {
        use StmtKind::*;
        match &s.kind {
            Block { stmts, .. } => stmts.iter().for_each(|s| self.stmt(s)),
            Decl(i) => self.item(i),
            Assign { lhs, rhs, op, .. } => {
                self.expr(lhs, true);
                if op.is_some() {
                    self.expr(lhs, false);
                }
                self.expr(rhs, false);
            }
            If { cond, then, other, .. } => {
                self.expr(cond, false);
                self.stmt(then);
                if let Some(o) = other {
                    self.stmt(o);
                }
            }
            Case { expr, items, default, .. } => {
                self.expr(expr, false);
                for (l, s) in items {
                    l.iter().for_each(|e| self.expr(e, false));
                    self.stmt(s);
                }
                if let Some(d) = default {
                    self.stmt(d);
                }
            }
            For { init, cond, step, body } => {
                let depth = self.loop_vars.len();
                for s in init {
                    match &s.kind {
                        Decl(i) => {
                            if let ItemKind::Decl { names, .. } = &i.kind {
                                self.loop_vars.extend(names.iter().map(|n| n.name.name.clone()));
                            }
                        }
                        Assign { lhs: ast::Expr { kind: ExprKind::Ident(n), .. }, .. } => {
                            self.loop_vars.push(n.clone())
                        }
                        _ => {}
                    }
                    self.stmt(s);
                }
                if let Some(c) = cond {
                    self.expr(c, false);
                }
                step.iter().for_each(|s| self.stmt(s));
                self.stmt(body);
                self.loop_vars.truncate(depth);
            }
            While { cond, body } | DoWhile { cond, body } => {
                self.expr(cond, false);
                self.stmt(body);
            }
            Repeat { count, body } => {
                self.expr(count, false);
                self.stmt(body);
            }
            Foreach { vars, body, .. } => {
                let depth = self.loop_vars.len();
                self.loop_vars.extend(vars.iter().flatten().map(|v| v.name.clone()));
                self.stmt(body);
                self.loop_vars.truncate(depth);
            }
            Forever(body) => self.stmt(body),
            Return(Some(e)) | Expr(e) => self.expr(e, false),
            Assert { cond, .. } => self.expr(cond, false),
            Concurrent(c) => self.spec(&c.spec),
            Null | Return(None) | Break | Continue | Disable(_) | Unsupported(_) => {}
        }
    }

    fn spec(&mut self, s: &PropertySpec) {
        if let Some(e) = &s.disable {
            self.expr(e, false);
        }
        self.property(&s.body);
    }

    fn property(&mut self, p: &Property) {
        use PropertyOp::*;
        match &p.kind {
            Expr(e) => self.expr(e, false),
            Delay(a, _, b) => {
                if let Some(a) = a {
                    self.property(a);
                }
                self.property(b);
            }
            Repeat(a, _) | Not(a) | NextTime(_, a) | Clocked(_, a) => self.property(a),
            Throughout(a, b) | Pair(_, a, b) | And(a, b) | Or(a, b) | Implies(a, b) | Iff(a, b) => {
                self.property(a);
                self.property(b);
            }
            Implication { antecedent, consequent, .. } | FollowedBy { antecedent, consequent, .. } => {
                self.property(antecedent);
                self.property(consequent);
            }
            If(e, a, b) => {
                self.expr(e, false);
                self.property(a);
                if let Some(b) = b {
                    self.property(b);
                }
            }
            Unbounded(_) | Unsupported(_) => {}
        }
    }

    fn names(e: &Expr, out: &mut Vec<SmolStr>) {
        let mut s = Scan { usage: Usage::default(), at: Where::Other, loop_vars: vec![], processes: 0 };
        s.expr(e, false);
        out.extend(s.usage.bad);
        out.extend(s.usage.indices.into_keys());
    }

    fn expr(&mut self, e: &Expr, write: bool) {
        use ExprKind::*;
        match &e.kind {
            Ident(n) => {
                self.usage.bad.insert(n.clone());
            }
            Index(base, idx) => {
                self.expr(idx, false);
                let Ident(n) = &base.kind else { return self.expr(base, write) };
                let mut names = Vec::new();
                Self::names(idx, &mut names);
                let looped = names.iter().any(|x| self.loop_vars.contains(x));
                names.retain(|x| !self.loop_vars.contains(x));
                self.usage.indices.entry(n.clone()).or_default().extend(names);
                if write {
                    match self.at {
                        Where::Initial => {}
                        Where::Clocked(p) if !looped => {
                            self.usage.writers.entry(n.clone()).or_default().insert(p);
                        }
                        _ => {
                            self.usage.bad.insert(n.clone());
                        }
                    }
                }
            }
            Range(b, _, x, y) => {
                self.expr(b, write);
                self.expr(x, false);
                self.expr(y, false);
            }
            Member(b, _) => self.expr(b, write),
            Unary(_, a) | SignCast(_, a) => self.expr(a, false),
            Binary(_, a, b) => {
                self.expr(a, false);
                self.expr(b, false);
            }
            Cast(t, a) => {
                self.expr(t, false);
                self.expr(a, false);
            }
            IncDec { target, .. } => self.expr(target, true),
            Assign(a, _, b) => {
                self.expr(a, true);
                self.expr(b, false);
            }
            Cond(a, b, c) => {
                self.expr(a, false);
                self.expr(b, false);
                self.expr(c, false);
            }
            Concat(l) | Repl(_, l) | Stream { items: l, .. } => l.iter().for_each(|e| self.expr(e, write)),
            Call(f, args) => {
                if let Member(b, _) = &f.kind {
                    self.expr(b, false);
                }
                args.iter().filter_map(|a| a.value.as_ref()).for_each(|e| self.expr(e, false));
            }
            SysCall(name, args) => {
                let query = matches!(
                    name.as_str(),
                    "$bits" | "$size" | "$left" | "$right" | "$high" | "$low" | "$readmemh" | "$readmemb"
                );
                if !query {
                    args.iter().filter_map(|a| a.value.as_ref()).for_each(|e| self.expr(e, false));
                }
            }
            Pattern(_, items) => {
                for i in items {
                    if let PatternKey::Repeat(_, l) = &i.key {
                        l.iter().for_each(|e| self.expr(e, write));
                    }
                    self.expr(&i.value, write);
                }
            }
            Inside(a, set) => {
                self.expr(a, false);
                set.iter().for_each(|e| self.expr(e, false));
            }
            ValueRange(a, b) => {
                self.expr(a, false);
                self.expr(b, false);
            }
            Number { .. } | Fill(_) | Real(_) | Str(_) | Dollar | Scoped(..) | Type(_) | Unsupported(_) => {}
        }
    }
}

use super::super::ast;

impl<'a> Elab<'a> {
    pub(super) fn infer_memories(&mut self) {
        for i in 0..self.m.vars.len() {
            let v = VarId(i as u32);
            let (var, decl) = (&self.m.vars[i], &self.decls[i]);
            let TyKind::Array { packed: false, left, right, elem } = &decl.ty.kind else { continue };
            if decl.direction.is_some() || var.init.is_some() {
                continue;
            }
            let small = var.width < MIN_BITS;
            let (size, width, scope, span) = (range_len(*left, *right), elem.width, decl.scope, var.span);
            // The module around the declaration.
            let mut at = scope;
            let module = loop {
                if let Some(m) = self.scope_ref(at).module {
                    break m;
                }
                match self.scope_ref(at).parent {
                    Some(p) => at = p,
                    None => break self.modules.values().next().copied().expect("a variable lives in a module"),
                }
            };
            let usage = self.usage(module);
            let full = self.m.d.signals[self.m.vars[i].signal.index()].name.clone();
            let short: SmolStr = full.rsplit('.').next().unwrap_or("").into();
            // A small array with two write ports cannot be flattened: its bits would have two drivers.
            let ports = usage.writers.get(&short).map_or(0, FxHashSet::len);
            if usage.bad.contains(&short) || (small && ports < 2) {
                continue;
            }
            let Some(names) = usage.indices.get(&short) else { continue };
            let dynamic = names.iter().any(|n| {
                let saved = std::mem::replace(&mut self.scope, scope);
                let sym = self.lookup(n);
                self.scope = saved;
                !matches!(sym, Some(Symbol::Const(..)))
            });
            if !dynamic {
                continue;
            }
            let signal = self.m.vars[i].signal;
            let attrs = self.m.d.signals[signal.index()].attrs.clone();
            self.m.d.memories.push(Memory {
                name: full,
                width,
                size,
                init: Vec::new(),
                writes: Vec::new(),
                attrs,
                span,
            });
            self.m.vars[v.index()].memory = Some(MemoryId(self.m.d.memories.len() as u32 - 1));
        }
    }

    fn usage(&mut self, m: &'a Module) -> Rc<Usage> {
        let key = m as *const Module as usize;
        if let Some(u) = self.memory_scan.get(&key) {
            return u.clone();
        }
        let mut s = Scan { usage: Usage::default(), at: Where::Other, loop_vars: Vec::new(), processes: 0 };
        s.items(&m.items);
        let u = Rc::new(s.usage);
        self.memory_scan.insert(key, u.clone());
        u
    }
}
