//! Processes: what they leave behind as wires, latches and registers.
//!
//! While a process runs, each clock edge in it is a free bit. A value that depends on none is
//! combinational. One that depends on an edge is a register: its next value is what it is with the
//! bit set. With the bit clear it must hold, except under asynchronous controls, which are what
//! keeps it from holding.

use super::scope::join;
use super::*;
use crate::front::behave::clocked::Clock;
use crate::front::behave::env::{Env, Key};
use crate::front::behave::process::{Latches, ProcKind, Process};
use crate::word::{Op as WordOp, SignalId};

impl<'a> Elab<'a> {
    pub(super) fn process(
        &mut self,
        label: Option<&'a Ident>,
        sensitivity: &'a Sensitivity,
        decls: &'a [Decl],
        stmts: &'a [Stmt],
        span: Span,
    ) -> Res<()> {
        let here = self.scope;
        let name = match label {
            Some(l) => l.name.clone(),
            None => format!("process_l{}", self.map.location(span).map_or(0, |l| l.line)).into(),
        };
        let path = join(&self.scope_ref(here).path, &name);
        let scope = self.new_scope(Some(here), path);
        let wait = match sensitivity {
            Sensitivity::None => Some(self.one_wait(stmts, span)?),
            _ => None,
        };
        self.in_scope(scope, |e| {
            let saved = std::mem::replace(&mut e.persistent, true);
            let r = e.declare_all(decls);
            e.persistent = saved;
            r?;
            e.run_code(ProcKind::Comb, |e| match wait {
                None => e.exec_all(stmts),
                Some((w, body)) => e.waiting(w, body),
            })
            .and_then(|(p, env)| {
                let Sensitivity::Names(list) = sensitivity else { return e.settle(p, &env) };
                let listed = e.listed(list);
                let mut read = FxHashSet::default();
                if e.events.is_empty() {
                    read.extend(p.reads.iter().map(|v| e.m.var(*v).signal));
                }
                e.controls.clear();
                e.settle(p, &env)?;
                for n in std::mem::take(&mut e.controls) {
                    e.signals_in(n, &mut read);
                }
                e.check_sensitivity(&listed, &read, span);
                Ok(())
            })
        })
    }

    /// The only wait of a process without a sensitivity list, and the statements around it.
    fn one_wait(&self, stmts: &'a [Stmt], span: Span) -> Res<(&'a Stmt, &'a [Stmt])> {
        let is_wait = |s: &Stmt| matches!(s.kind, StmtKind::Wait { .. });
        match stmts {
            [first, rest @ ..] if is_wait(first) => Ok((first, rest)),
            [rest @ .., last] if is_wait(last) => Ok((last, rest)),
            _ => error(
                codes::E0407,
                "a process without a sensitivity list",
                span,
                "add one, or a wait as its first or last statement",
            ),
        }
    }

    fn waiting(&mut self, wait: &'a Stmt, body: &'a [Stmt]) -> Res<()> {
        let StmtKind::Wait { until, timeout, .. } = &wait.kind else { unreachable!("a wait by the search above") };
        if *timeout {
            return self.unsupported("waiting for a time", wait.span);
        }
        match until {
            Some(c) => {
                // `wait until clk = '1'` waits for the edge to it.
                let c = self.wait_condition(c)?;
                self.branch(c, |e| e.exec_all(body), |_| Ok(()))
            }
            // `wait on a, b` is a sensitivity list, `wait` alone the end of a process that runs once.
            None => self.exec_all(body),
        }
    }

    fn wait_condition(&mut self, e: &'a Expr) -> Res<NodeId> {
        if let ExprKind::Binary(Op::Eq, _, a, b) = &e.kind {
            for (x, y) in [(a, b), (b, a)] {
                let level = match &y.kind {
                    ExprKind::Char(c) => Some(*c),
                    ExprKind::Name(n) => n.last().as_bytes().get(1).copied(),
                    _ => None,
                };
                if let (ExprKind::Name(_), Some(b'0' | b'1')) = (&x.kind, level) {
                    let edge = if level == Some(b'1') { crate::word::Edge::Pos } else { crate::word::Edge::Neg };
                    return self.edge(x, edge).map(|v| v.node);
                }
            }
        }
        self.condition(e)
    }

    /// Runs `f` as a process of its own.
    pub(super) fn run_code(&mut self, kind: ProcKind, f: impl FnOnce(&mut Self) -> Res<()>) -> Res<(Process, Env)> {
        self.events.clear();
        self.run_process(Process::new(kind), f)
    }

    /// A concurrent statement.
    pub(super) fn comb(&mut self, span: Span, f: impl FnOnce(&mut Self) -> Res<()>) -> Res<()> {
        let saved = std::mem::replace(&mut self.m.d.here, span);
        let r = self.run_code(ProcKind::Comb, f);
        self.m.d.here = saved;
        let (p, env) = r?;
        self.settle(p, &env)
    }

    /// The signals of a sensitivity list.
    fn listed(&mut self, list: &'a [Name]) -> FxHashSet<SignalId> {
        let mut listed = FxHashSet::default();
        for n in list {
            let mut base = n;
            while let NameKind::Selected(inner, ..) | NameKind::Slice(inner, _) | NameKind::Call(inner, _) = &base.kind
            {
                if base.ent().is_some_and(|e| matches!(self.lookup(e, n.span), Ok(Symbol::Var(..) | Symbol::Part(_)))) {
                    break;
                }
                base = inner;
            }
            let symbol = base.ent().map(|e| self.lookup(e, n.span));
            if let Some(Ok(Symbol::Var(v, _) | Symbol::Part(Place { root: Root::Var(v), .. }))) = symbol {
                listed.insert(self.m.var(v).signal);
            }
        }
        listed
    }

    /// The signals a node is made of.
    fn signals_in(&self, n: NodeId, out: &mut FxHashSet<SignalId>) {
        let (mut todo, mut seen) = (vec![n], FxHashSet::default());
        while let Some(n) = todo.pop() {
            if !seen.insert(n) {
                continue;
            }
            if let WordOp::Signal(s) = *self.m.d.op(n) {
                out.insert(s);
            }
            self.m.d.op(n).operands(|a| todo.push(a));
        }
    }

    /// What a combinational process or the asynchronous part of a clocked one reads must wake it up, or a
    /// simulator shows something else.
    fn check_sensitivity(&mut self, listed: &FxHashSet<SignalId>, read: &FxHashSet<SignalId>, span: Span) {
        let own = &self.scope_ref(self.scope).path;
        let mut missing: Vec<SmolStr> = read
            .difference(listed)
            .map(|s| self.m.d.signals[s.index()].name.clone())
            // The process' own variables.
            .filter(|n| n.rsplit_once('.').is_none_or(|(path, _)| path != own.as_str()))
            .collect();
        if missing.is_empty() {
            return;
        }
        missing.sort();
        self.m.warn(
            Diagnostic::warning(codes::W0512, format!("the sensitivity list lacks {}", missing.join(", ")))
                .at(span, "read in this process")
                .help("write process (all), or add the names"),
        );
    }

    /// A node with an edge's bit fixed.
    fn fixed(&mut self, n: NodeId, event: NodeId, value: bool) -> NodeId {
        let v = self.m.d.bool(value);
        let mut memo = FxHashMap::default();
        memo.insert(event, v);
        self.m.d.substitute(n, &mut memo, &mut |_, _| None)
    }

    pub(super) fn with(&mut self, n: NodeId, values: &[(NodeId, NodeId)]) -> NodeId {
        if values.is_empty() {
            return n;
        }
        let mut memo: FxHashMap<NodeId, NodeId> = values.iter().copied().collect();
        self.m.d.substitute(n, &mut memo, &mut |_, _| None)
    }

    /// The edges a node depends on.
    fn edges_in(&self, n: NodeId, seen: &mut FxHashMap<NodeId, Rc<Vec<usize>>>) -> Rc<Vec<usize>> {
        if let Some(r) = seen.get(&n) {
            return r.clone();
        }
        let mut out: Vec<usize> = Vec::new();
        if let Some(i) = self.events.iter().position(|e| e.node == n) {
            out.push(i);
        }
        let mut operands = Vec::new();
        self.m.d.op(n).operands(|a| operands.push(a));
        for a in operands {
            for i in self.edges_in(a, seen).iter() {
                if !out.contains(i) {
                    out.push(*i);
                }
            }
        }
        let out = Rc::new(out);
        seen.insert(n, out.clone());
        out
    }

    fn settle(&mut self, mut process: Process, env: &Env) -> Res<()> {
        if self.events.is_empty() {
            return self.m.settle_comb(process, env, Latches::Unsaid);
        }
        let mut seen = FxHashMap::default();
        for mut a in std::mem::take(&mut process.asserts) {
            let (x, y) = (self.edges_in(a.enable, &mut seen), self.edges_in(a.condition, &mut seen));
            let mut all: Vec<usize> = x.iter().chain(y.iter()).copied().collect();
            all.sort();
            all.dedup();
            match all.as_slice() {
                [] => {}
                [one] => {
                    let e = self.events[*one];
                    a.enable = self.fixed(a.enable, e.node, true);
                    a.condition = self.fixed(a.condition, e.node, true);
                    a.trigger = a.enable;
                    a.clock = Some((e.clock, e.edge));
                }
                _ => return error(codes::E0409, "an assertion under several edges", a.span, "which clock?"),
            }
            self.m.d.asserts.push(a);
        }
        // All writes at one edge at once: in one process the later wins, among processes nobody does.
        let mut ports: std::collections::BTreeMap<usize, Vec<_>> = std::collections::BTreeMap::new();
        for mut w in std::mem::take(&mut process.mem_writes) {
            let edges = self.edges_in(w.enable, &mut seen);
            let [one] = edges.as_slice() else {
                return error(codes::E0405, "a large memory is written without a clock edge", w.span, "written here");
            };
            let e = self.events[*one];
            for n in [&mut w.enable, &mut w.addr, &mut w.data, &mut w.mask] {
                *n = self.fixed(*n, e.node, true);
            }
            ports.entry(*one).or_default().push(w);
        }
        for (one, writes) in ports {
            let e = self.events[one];
            self.m.write_ports(writes, &Clock { node: e.clock, edge: e.edge, iff: None });
        }
        // Final values with every edge set, to see through variables that are registers.
        let mut finals = Vec::new();
        for (v, t) in &process.touched {
            let f = self.m.final_value(env, *v, t)?;
            finals.push((*v, f));
        }
        for ((v, t), (_, f)) in process.touched.iter().zip(finals.clone()) {
            for (lo, w) in t.merged() {
                let mut at = lo;
                while at < lo + w {
                    // Bits under the same edges go together.
                    let bit = self.m.d.slice(f, at, 1);
                    let edges = self.edges_in(bit, &mut seen);
                    let mut end = at + 1;
                    if end < lo + w {
                        let whole = self.m.d.slice(f, at, lo + w - at);
                        if self.edges_in(whole, &mut seen) == edges {
                            end = lo + w;
                        }
                    }
                    while end < lo + w {
                        let bit = self.m.d.slice(f, end, 1);
                        if self.edges_in(bit, &mut seen) != edges {
                            break;
                        }
                        end += 1;
                    }
                    match edges.as_slice() {
                        [] => self.m.drive_comb(*v, at, end - at, f, Latches::Unsaid, t.span()),
                        [one] => {
                            let e = self.events[*one];
                            self.clocked(*v, at, end - at, f, e, &finals, t.span())?;
                        }
                        [a, b, ..] => {
                            let name = self.m.d.signals[self.m.var(*v).signal.index()].name.clone();
                            let d = Diagnostic::error(codes::E0409, format!("`{name}` is assigned at several edges"))
                                .at(t.span(), "assigned here")
                                .also(self.events[*a].span, "one edge")
                                .also(self.events[*b].span, "another edge");
                            return Err(Box::new(d));
                        }
                    }
                    at = end;
                }
            }
        }
        Ok(())
    }

    /// Bits that change at an edge.
    #[allow(clippy::too_many_arguments)]
    fn clocked(
        &mut self,
        v: VarId,
        lo: u32,
        w: u32,
        f: NodeId,
        event: Event,
        finals: &[(VarId, NodeId)],
        span: Span,
    ) -> Res<()> {
        let (off, on) = (self.fixed(f, event.node, false), self.fixed(f, event.node, true));
        let sig = self.m.var(v).signal;
        let mask = self.m.held_bits(off, sig);
        let clock = Clock { node: event.clock, edge: event.edge, iff: None };
        let mut i = lo;
        while i < lo + w {
            let h = self.m.d.slice(mask, i, 1);
            let mut j = i + 1;
            while j < lo + w && self.m.d.slice(mask, j, 1) == h {
                j += 1;
            }
            if self.m.d.as_bool(h) == Some(true) {
                let next = self.m.d.slice(on, i, j - i);
                self.m.register(v, i, j - i, next, &clock, &[], span);
            } else if self.m.d.as_bool(h) == Some(false) {
                // Not held without the edge: wires behind variables that are registers, or a mistake.
                let mut after = Vec::new();
                for (x, value) in finals {
                    let s = self.m.var(*x).signal;
                    let node = self.m.d.signal(s);
                    after.push((node, self.fixed(*value, event.node, true)));
                }
                let (now, then) = (self.m.d.slice(off, i, j - i), self.m.d.slice(on, i, j - i));
                let expect = self.with(now, &after);
                if expect != then {
                    let name = self.m.d.signals[sig.index()].name.clone();
                    let d = Diagnostic::error(codes::E0409, format!("`{name}` is assigned at an edge and without it"))
                        .at(span, "assigned here")
                        .also(event.span, "the edge")
                        .help("assign it in the branch of the edge only");
                    return Err(Box::new(d));
                }
                self.m.drive_comb(v, i, j - i, off, Latches::Unsaid, span);
            } else {
                self.with_controls(v, i, j - i, off, on, h, &clock, event, span);
            }
            i = j;
        }
        Ok(())
    }

    /// A register with asynchronous controls: what keeps it from holding without an edge.
    #[allow(clippy::too_many_arguments)]
    fn with_controls(
        &mut self,
        v: VarId,
        lo: u32,
        w: u32,
        off: NodeId,
        on: NodeId,
        holds: NodeId,
        clock: &Clock,
        event: Event,
        span: Span,
    ) {
        let active = self.m.d.not(holds);
        let mut terms = Vec::new();
        self.disjuncts(active, &mut terms);
        self.controls.push(active);
        let part = self.m.d.slice(off, lo, w);
        let hold = self.m.base(Key::Now(v));
        let mut inactive: Vec<(NodeId, NodeId)> = Vec::new();
        let mut forced = Vec::new();
        for t in &terms {
            let mut values = inactive.clone();
            values.push(self.literal_as(*t, true));
            let value = self.with(part, &values);
            let full = self.m.d.splice(hold, lo, value);
            forced.push((*t, full, event.span));
            inactive.push(self.literal_as(*t, false));
        }
        let next = self.with(on, &inactive);
        let next = self.m.d.slice(next, lo, w);
        self.m.register(v, lo, w, next, clock, &forced, span);
    }

    /// A one-bit node as a substitution that makes it true or false.
    pub(super) fn literal_as(&mut self, n: NodeId, value: bool) -> (NodeId, NodeId) {
        match *self.m.d.op(n) {
            WordOp::Not(a) => (a, self.m.d.bool(!value)),
            _ => (n, self.m.d.bool(value)),
        }
    }

    pub(super) fn disjuncts(&mut self, n: NodeId, out: &mut Vec<NodeId>) {
        match *self.m.d.op(n) {
            WordOp::Or(a, b) => {
                self.disjuncts(a, out);
                self.disjuncts(b, out);
            }
            WordOp::Not(x) => match *self.m.d.op(x) {
                WordOp::And(a, b) => {
                    let (a, b) = (self.m.d.not(a), self.m.d.not(b));
                    self.disjuncts(a, out);
                    self.disjuncts(b, out);
                }
                _ => out.push(n),
            },
            _ => out.push(n),
        }
    }
}
