//! Processes into drives, registers, latches and assertions.
//!
//! A process is executed once with every variable holding its own signal. Combinational: a bit whose
//! final value can still be that signal is a latch. Clocked: the final value is the register's next
//! value; each further edge in the event list is an asynchronous control, found by executing the
//! body once more under the assumption that it is active.

use super::env::Key;
use super::scope::ScopeId;
use super::*;
use crate::word::{Drive, Source};
use std::collections::BTreeMap;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ProcKind {
    Comb,
    Clocked,
    Initial,
}

/// Which bits of a variable a process assigns, and how.
#[derive(Default)]
pub(super) struct Touch {
    /// Bits assigned with `=`, and the last place that did.
    blocking: Vec<(u32, u32)>,
    blocking_at: Option<Span>,
    /// The same for `<=`.
    nonblocking: Vec<(u32, u32)>,
    nonblocking_at: Option<Span>,
}

pub(super) struct MemWrite {
    pub memory: crate::word::MemoryId,
    pub enable: NodeId,
    pub addr: NodeId,
    pub data: NodeId,
    pub mask: NodeId,
    pub blocking: bool,
    pub span: Span,
}

pub(super) struct Process {
    kind: ProcKind,
    pub initial: bool,
    /// A second run: only values matter.
    pub quiet: bool,
    pub reads: FxHashSet<VarId>,
    pub(super) touched: BTreeMap<VarId, Touch>,
    pub asserts: Vec<crate::word::Assert>,
    pub block_scopes: FxHashMap<(ScopeId, usize), ScopeId>,
    pub mem_writes: Vec<MemWrite>,
}

impl Process {
    pub(super) fn new(kind: ProcKind) -> Process {
        Process {
            kind,
            initial: kind == ProcKind::Initial,
            quiet: false,
            reads: FxHashSet::default(),
            touched: BTreeMap::new(),
            asserts: Vec::new(),
            block_scopes: FxHashMap::default(),
            mem_writes: Vec::new(),
        }
    }

    pub(super) fn is_comb(&self) -> bool {
        self.kind == ProcKind::Comb
    }

    pub(super) fn touch(&mut self, v: VarId, lo: u32, width: u32, nonblocking: bool, span: Span) {
        let t = self.touched.entry(v).or_default();
        let (ranges, at) = if nonblocking {
            (&mut t.nonblocking, &mut t.nonblocking_at)
        } else {
            (&mut t.blocking, &mut t.blocking_at)
        };
        if width > 0 && !ranges.contains(&(lo, width)) {
            ranges.push((lo, width));
        }
        *at = Some(span);
    }
}

impl Touch {
    /// Disjoint, sorted, as few as possible.
    pub(super) fn merged(&self) -> Vec<(u32, u32)> {
        let mut r = self.blocking.clone();
        r.extend(&self.nonblocking);
        r.sort();
        let mut out: Vec<(u32, u32)> = Vec::new();
        for (lo, w) in r {
            match out.last_mut() {
                Some((l, lw)) if lo <= *l + *lw => *lw = (*lw).max(lo + w - *l),
                _ => out.push((lo, w)),
            }
        }
        out
    }

    pub(super) fn span(&self) -> Span {
        self.nonblocking_at.or(self.blocking_at).unwrap_or(Span::NONE)
    }
}

impl<'a> Elab<'a> {
    /// Runs `f` as the body of a fresh process and returns its record and final values.
    pub(super) fn run_process(
        &mut self,
        scope: ScopeId,
        process: Process,
        f: impl FnOnce(&mut Self) -> Res<()>,
    ) -> Res<(Process, Env)> {
        self.env = Env::default();
        self.proc = Some(process);
        let r = self.in_scope(scope, f);
        let env = std::mem::take(&mut self.env);
        let process = self.proc.take().expect("set above");
        r.map(|()| (process, env))
    }

    pub(super) fn second_pass(&mut self) {
        self.infer_memories();
        let todo = std::mem::take(&mut self.todo);
        for t in &todo {
            if let Todo::Item(s, Item { kind: ItemKind::Initial(body), .. }) = t
                && let Err(d) = self.initial(*s, body)
            {
                self.report(d);
            }
        }
        for t in todo {
            if self.stop {
                return;
            }
            if let Err(d) = self.second(t) {
                self.report(d);
            }
        }
    }

    fn second(&mut self, t: Todo<'a>) -> Res<()> {
        match t {
            Todo::Connect { parent, child, module, inst, index } => self.connect(parent, child, module, inst, index),
            Todo::NetInit(s, v, e) => {
                let ty = self.ty(v);
                let span = e.span;
                self.comb(s, AlwaysKind::Plain, span, |el| {
                    let value = el.rvalue(e, &ty)?;
                    let p = place::Place { root: place::Root::Var(v), steps: Vec::new(), ty: ty.clone() };
                    el.write(&p, value, false, span)
                })
            }
            Todo::Item(s, item) => match &item.kind {
                ItemKind::Assign(list) => {
                    for (l, r) in list {
                        let span = l.span.join(r.span);
                        self.comb(s, AlwaysKind::Plain, span, |e| e.assign(l, None, r, false, span))?;
                    }
                    Ok(())
                }
                ItemKind::Assert(stmt) => self.comb(s, AlwaysKind::Plain, item.span, |e| e.exec(stmt)),
                ItemKind::Gate { gate, instances } => {
                    for i in instances {
                        self.gate(s, gate, i)?;
                    }
                    Ok(())
                }
                ItemKind::Always { kind, sensitivity, body } => {
                    self.always(s, *kind, sensitivity.as_ref(), body, item.span)
                }
                ItemKind::Concurrent(c) => {
                    self.carry_concurrent(c, item.span);
                    Ok(())
                }
                _ => Ok(()),
            },
        }
    }

    fn initial(&mut self, s: ScopeId, body: &'a Stmt) -> Res<()> {
        let saved = std::mem::replace(&mut self.const_mode, true);
        let r = self.run_process(s, Process::new(ProcKind::Initial), |e| e.exec(body));
        self.const_mode = saved;
        let (process, env) = r?;
        for (v, t) in process.touched {
            let value = env.get(Key::Next(v)).or(env.get(Key::Now(v)));
            let Some(n) = value else { continue };
            match self.d.as_const(n) {
                Some(b) => self.vars[v.0 as usize].init = Some(b.clone()),
                None => {
                    return error(
                        codes::E0410,
                        "an initial block assigns a value that is not constant",
                        t.span(),
                        "must be known before time starts",
                    );
                }
            }
        }
        for w in process.mem_writes {
            match (self.d.as_const(w.addr).and_then(Bits::to_u64), self.d.as_const(w.data), self.d.as_bool(w.enable)) {
                (Some(a), Some(b), Some(true)) => {
                    let b = b.clone();
                    self.d.memories[w.memory.index()].init.push((a, b));
                }
                (_, _, Some(false)) => {}
                _ => {
                    return error(
                        codes::E0410,
                        "an initial block assigns a value that is not constant",
                        w.span,
                        "must be known before time starts",
                    );
                }
            }
        }
        Ok(())
    }

    fn always(
        &mut self,
        s: ScopeId,
        kind: AlwaysKind,
        sens: Option<&'a Sensitivity>,
        body: &'a Stmt,
        span: Span,
    ) -> Res<()> {
        // `always begin … @(posedge clk) … end` and `always @(…)` behind a block.
        let (sens, body) = match (sens, kind) {
            (None, AlwaysKind::Comb | AlwaysKind::Latch) => (None, body),
            (None, _) => {
                if let StmtKind::Unsupported(u) = &body.kind {
                    return self.unsupported(u, body.span);
                }
                return error(codes::E0407, "a process without an event list", span, "add @(…) or use always_comb");
            }
            (Some(x), _) => (Some(x), body),
        };
        if let Some(Sensitivity::List(list)) = sens {
            if list.iter().any(|e| matches!(e.edge, EdgeKind::Pos | EdgeKind::Neg)) {
                return self.clocked(s, list, body, span);
            }
            if let Some(e) = list.iter().find(|e| e.edge == EdgeKind::Both) {
                return error(
                    codes::E0409,
                    "a process triggered by both edges",
                    e.expr.span,
                    "hardware registers use one edge",
                );
            }
        }
        self.comb(s, kind, span, |e| e.exec(body))
    }

    /// A combinational process (or a continuous assignment).
    pub(super) fn comb(
        &mut self,
        s: ScopeId,
        kind: AlwaysKind,
        span: Span,
        f: impl FnOnce(&mut Self) -> Res<()>,
    ) -> Res<()> {
        let saved = std::mem::replace(&mut self.d.here, span);
        let r = self.run_process(s, Process::new(ProcKind::Comb), f);
        self.d.here = saved;
        let (process, env) = r?;
        if let Some(w) = process.mem_writes.first() {
            return error(
                codes::E0405,
                "a large memory is written outside a clocked process",
                w.span,
                "memories have clocked write ports",
            );
        }
        self.d.asserts.extend(process.asserts);
        for (v, t) in process.touched {
            let value = self.final_value(&env, v, &t)?;
            for (lo, w) in t.merged() {
                self.drive_comb(v, lo, w, value, kind, t.span());
            }
        }
        Ok(())
    }

    pub(super) fn final_value(&mut self, env: &Env, v: VarId, t: &Touch) -> Res<NodeId> {
        if let (Some(a), Some(b)) = (t.blocking_at, t.nonblocking_at) {
            let clash = t.blocking.iter().any(|(x, w)| t.nonblocking.iter().any(|(y, u)| *x < y + u && *y < x + w));
            if clash {
                let name = self.d.signals[self.vars[v.0 as usize].signal.index()].name.clone();
                let d = Diagnostic::error(
                    codes::E0412,
                    format!("`{name}` is assigned both with = and with <= in one process"),
                )
                .at(b, "non-blocking here")
                .also(a, "blocking here")
                .help("use one kind of assignment for it");
                return Err(Box::new(d));
            }
            // Different bits: each takes the value of its own kind.
            let hold = self.base(Key::Now(v));
            let next = env.get(Key::Next(v)).unwrap_or(hold);
            let mut all = env.get(Key::Now(v)).unwrap_or(hold);
            for (lo, w) in &t.nonblocking {
                let part = self.d.slice(next, *lo, *w);
                all = self.d.splice(all, *lo, part);
            }
            return Ok(all);
        }
        Ok(match env.get(Key::Next(v)).or(env.get(Key::Now(v))) {
            Some(n) => n,
            None => self.base(Key::Now(v)),
        })
    }

    pub(super) fn drive(&mut self, v: VarId, lo: u32, width: u32, source: Source, span: Span) {
        let s = self.vars[v.0 as usize].signal;
        self.d.signals[s.index()].drives.push(Drive { lo, width, source, span });
    }

    pub(super) fn init_of(&self, v: VarId, lo: u32, w: u32) -> Bits {
        let var = &self.vars[v.0 as usize];
        match &var.init {
            Some(b) => b.slice(lo, w),
            None if var.ty.four_state => Bits::x(w),
            None => Bits::zero(w),
        }
    }
}
