//! Processes into drives, registers, latches and assertions.
//!
//! A process is executed once with every variable holding its own signal. Combinational: a bit whose
//! final value can still be that signal is a latch. Clocked: the final value is the register's next
//! value; each further edge in the event list is an asynchronous control, found by executing the
//! body once more under the assumption that it is active.

use super::ports::Face;
use super::scope::ScopeId;
use super::*;
use crate::front::behave::env::Key;
use crate::front::behave::place::Root;
use crate::front::behave::process::{Latches, ProcKind, Process};

impl<'a> Elab<'a> {
    pub(super) fn second_pass(&mut self) {
        self.infer_memories();
        let todo = std::mem::take(&mut self.todo);
        for t in &todo {
            if let Todo::Item(s, Item { kind: ItemKind::Initial(body), .. }) = t
                && let Err(d) = self.initial(*s, body)
            {
                self.m.report(d);
            }
        }
        for t in todo {
            if self.m.stop {
                return;
            }
            if let Err(d) = self.second(t) {
                self.m.report(d);
            }
        }
    }

    fn second(&mut self, t: Todo<'a>) -> Res<()> {
        match t {
            Todo::Connect { parent, child, module, inst, index } => {
                self.connect(parent, child, &Face::of(module), inst, index)
            }
            Todo::Guest { parent, child, header, params, inst, index } => {
                self.guest(parent, child, &header, params, inst, index)
            }
            Todo::NetInit(s, v, e) => {
                let ty = self.ty(v);
                let span = e.span;
                self.comb(s, AlwaysKind::Plain, span, |el| {
                    let value = el.rvalue(e, &ty)?;
                    let p = place::Place { root: Root::Var(v), steps: Vec::new(), ty: ty.clone() };
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
                    let span = item.span;
                    self.run_in(s, Process::new(ProcKind::Comb), |e| e.concurrent(c, span, None)).map(drop)
                }
                _ => Ok(()),
            },
        }
    }

    fn initial(&mut self, s: ScopeId, body: &'a Stmt) -> Res<()> {
        let saved = std::mem::replace(&mut self.m.const_mode, true);
        let r = self.run_in(s, Process::new(ProcKind::Initial), |e| e.exec(body));
        self.m.const_mode = saved;
        let (process, env) = r?;
        for (v, t) in process.touched {
            let value = env.get(Key::Next(v)).or(env.get(Key::Now(v)));
            let Some(n) = value else { continue };
            match self.m.d.as_const(n) {
                Some(b) => self.m.vars[v.index()].init = Some(b.clone()),
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
            match (
                self.m.d.as_const(w.addr).and_then(Bits::to_u64),
                self.m.d.as_const(w.data),
                self.m.d.as_bool(w.enable),
            ) {
                (Some(a), Some(b), Some(true)) => {
                    let b = b.clone();
                    self.m.d.memories[w.memory.index()].init.push((a, b));
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
        let saved = std::mem::replace(&mut self.m.d.here, span);
        let r = self.run_in(s, Process::new(ProcKind::Comb), f);
        self.m.d.here = saved;
        let (process, env) = r?;
        let latches = match kind {
            AlwaysKind::Latch => Latches::Wanted,
            AlwaysKind::Comb => Latches::Denied,
            _ => Latches::Unsaid,
        };
        self.m.settle_comb(process, &env, latches)
    }

    /// Runs `f` as the body of a fresh process in a scope.
    pub(super) fn run_in(
        &mut self,
        scope: ScopeId,
        process: Process,
        f: impl FnOnce(&mut Self) -> Res<()>,
    ) -> Res<(Process, Env)> {
        if !process.quiet {
            self.block_scopes.clear();
        }
        self.run_process(process, |e| e.in_scope(scope, f))
    }
}
