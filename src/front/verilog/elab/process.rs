//! Processes into drives, registers, latches and assertions.
//!
//! A process is executed once with every variable holding its own signal. Combinational: a bit whose
//! final value can still be that signal is a latch. Clocked: the final value is the register's next
//! value; each further edge in the event list is an asynchronous control, found by executing the
//! body once more under the assumption that it is active.

use super::env::Key;
use super::scope::ScopeId;
use super::*;
use crate::word::{AsyncControl, Drive, Edge, Latch, Op, Register, Source, WritePort, eval_node};
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
    touched: BTreeMap<VarId, Touch>,
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
    fn merged(&self) -> Vec<(u32, u32)> {
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
    fn span(&self) -> Span {
        self.nonblocking_at.or(self.blocking_at).unwrap_or(Span::NONE)
    }
}

/// An edge in an event list.
struct Event {
    clock: NodeId,
    edge: Edge,
    /// Variable and bit if it is a plain signal.
    place: Option<(VarId, u32)>,
    iff: Option<NodeId>,
    span: Span,
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
    fn final_value(&mut self, env: &Env, v: VarId, t: &Touch) -> Res<NodeId> {
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
    fn drive(&mut self, v: VarId, lo: u32, width: u32, source: Source, span: Span) {
        let s = self.vars[v.0 as usize].signal;
        self.d.signals[s.index()].drives.push(Drive { lo, width, source, span });
    }
    /// Splits bits into combinational and latched ones and drives them.
    fn drive_comb(&mut self, v: VarId, lo: u32, w: u32, value: NodeId, kind: AlwaysKind, span: Span) {
        let sig = self.vars[v.0 as usize].signal;
        let mut memo = FxHashMap::default();
        let mask = self.holds(value, 0, sig, &mut memo);
        let held = self.d.slice(mask, lo, w);
        if self.d.as_const(held).is_some_and(Bits::is_zero) {
            let part = self.d.slice(value, lo, w);
            return self.drive(v, lo, w, Source::Node(part), span);
        }
        let mut i = lo;
        while i < lo + w {
            let h = self.d.slice(mask, i, 1);
            let mut j = i + 1;
            while j < lo + w && self.d.slice(mask, j, 1) == h {
                j += 1;
            }
            let part = self.d.slice(value, i, j - i);
            if self.d.as_bool(h) == Some(false) || self.never(h) {
                // It cannot hold, so what it would hold does not matter.
                let part = self.without_hold(part, i, sig, &mut FxHashMap::default());
                self.drive(v, i, j - i, Source::Node(part), span);
            } else {
                let enable = self.d.not(h);
                let init = self.init_of(v, i, j - i);
                self.d.latches.push(Latch { signal: sig, lo: i, width: j - i, enable, data: part, init, span });
                let n = self.d.latches.len() as u32 - 1;
                self.drive(v, i, j - i, Source::Latch(n), span);
                if kind != AlwaysKind::Latch {
                    self.latch_kinds.insert(n, kind == AlwaysKind::Comb);
                }
            }
            i = j;
        }
    }
    /// Per bit of `n` (bit 0 of which is bit `at` of the signal): whether it is still the signal's
    /// own old value.
    fn holds(&mut self, n: NodeId, at: u32, sig: SignalId, memo: &mut FxHashMap<(NodeId, u32), NodeId>) -> NodeId {
        if let Some(r) = memo.get(&(n, at)) {
            return *r;
        }
        let w = self.d.width(n);
        let r = match self.d.op(n).clone() {
            Op::Signal(s) if s == sig && at == 0 => self.d.constant(Bits::ones(w)),
            Op::Slice(a, lo) if *self.d.op(a) == Op::Signal(sig) && lo == at => self.d.constant(Bits::ones(w)),
            Op::Mux(c, t, e) => {
                let (t, e) = (self.holds(t, at, sig, memo), self.holds(e, at, sig, memo));
                self.d.mux(c, t, e)
            }
            Op::Concat(parts) => {
                let mut top = at + w;
                let mut out = Vec::with_capacity(parts.len());
                for p in parts.iter() {
                    top -= self.d.width(*p);
                    out.push(self.holds(*p, top, sig, memo));
                }
                self.d.concat(&out)
            }
            // One-bit multiplexers with a constant arm were folded into gates: `c | q`, `!c & q`.
            Op::And(a, b) | Op::Or(a, b) if w == 1 => {
                let is_or = matches!(self.d.op(n), Op::Or(..));
                let (ha, hb) = (self.holds(a, at, sig, memo), self.holds(b, at, sig, memo));
                match (self.d.as_bool(ha) == Some(false), self.d.as_bool(hb) == Some(false)) {
                    (true, true) => self.d.bool(false),
                    // `a | hold(b)`: holds where b holds and a leaves it through.
                    (true, false) => {
                        let open = if is_or { self.d.not(a) } else { a };
                        self.d.and(open, hb)
                    }
                    (false, true) => {
                        let open = if is_or { self.d.not(b) } else { b };
                        self.d.and(open, ha)
                    }
                    (false, false) => self.d.or(ha, hb),
                }
            }
            _ => self.d.constant(Bits::zero(w)),
        };
        memo.insert((n, at), r);
        r
    }
    /// `n` with the places where [`Self::holds`] finds the signal's old value made free.
    fn without_hold(
        &mut self,
        n: NodeId,
        at: u32,
        sig: SignalId,
        memo: &mut FxHashMap<(NodeId, u32), NodeId>,
    ) -> NodeId {
        if let Some(r) = memo.get(&(n, at)) {
            return *r;
        }
        let w = self.d.width(n);
        let r = match self.d.op(n).clone() {
            Op::Signal(s) if s == sig && at == 0 => self.d.undef(w),
            Op::Slice(a, lo) if *self.d.op(a) == Op::Signal(sig) && lo == at => self.d.undef(w),
            Op::Mux(c, t, e) => {
                let (t, e) = (self.without_hold(t, at, sig, memo), self.without_hold(e, at, sig, memo));
                self.d.mux(c, t, e)
            }
            Op::Concat(parts) => {
                let mut top = at + w;
                let mut out = Vec::with_capacity(parts.len());
                for p in parts.iter() {
                    top -= self.d.width(*p);
                    out.push(self.without_hold(*p, top, sig, memo));
                }
                self.d.concat(&out)
            }
            Op::And(a, b) if w == 1 => {
                let (a, b) = (self.without_hold(a, at, sig, memo), self.without_hold(b, at, sig, memo));
                self.d.and(a, b)
            }
            Op::Or(a, b) if w == 1 => {
                let (a, b) = (self.without_hold(a, at, sig, memo), self.without_hold(b, at, sig, memo));
                self.d.or(a, b)
            }
            _ => n,
        };
        memo.insert((n, at), r);
        r
    }
    /// Whether a condition is false for all values of its (few) leaves.
    fn never(&mut self, c: NodeId) -> bool {
        let mut leaves: Vec<NodeId> = Vec::new();
        let mut seen = FxHashSet::default();
        let mut stack = vec![c];
        while let Some(n) = stack.pop() {
            if !seen.insert(n) {
                continue;
            }
            if seen.len() > 2000 {
                return false;
            }
            match self.d.op(n) {
                Op::Signal(_) | Op::Undef(_) | Op::MemRead(..) | Op::HighZ => leaves.push(n),
                // A comparison of a slice reads only those bits.
                Op::Slice(a, _) if matches!(self.d.op(*a), Op::Signal(_) | Op::Undef(_) | Op::MemRead(..)) => {
                    leaves.push(n)
                }
                op => op.operands(|a| stack.push(a)),
            }
        }
        let bits: u32 = leaves.iter().map(|l| self.d.width(*l)).sum();
        if bits > 12 {
            return false;
        }
        for v in 0..1u64 << bits {
            let mut memo: FxHashMap<NodeId, Bits> = FxHashMap::default();
            let mut at = 0;
            for l in &leaves {
                let w = self.d.width(*l);
                memo.insert(*l, Bits::from_u64(v >> at, w));
                at += w;
            }
            let r = eval_node(&self.d, c, &mut memo, &mut |_, w, _| Bits::zero(w));
            if r.is_true() {
                return false;
            }
        }
        true
    }
    fn init_of(&self, v: VarId, lo: u32, w: u32) -> Bits {
        let var = &self.vars[v.0 as usize];
        match &var.init {
            Some(b) => b.slice(lo, w),
            None if var.ty.four_state => Bits::x(w),
            None => Bits::zero(w),
        }
    }
    fn events(&mut self, s: ScopeId, list: &'a [EventExpr]) -> Res<Vec<Event>> {
        self.env = Env::default();
        self.in_scope(s, |e| {
            let mut out: Vec<Event> = Vec::new();
            for ev in list {
                let edge = match ev.edge {
                    EdgeKind::Pos => Edge::Pos,
                    EdgeKind::Neg => Edge::Neg,
                    EdgeKind::Both => {
                        return error(
                            codes::E0409,
                            "a process triggered by both edges",
                            ev.expr.span,
                            "hardware registers use one edge",
                        );
                    }
                    EdgeKind::Level => {
                        return error(
                            codes::E0408,
                            "edges and levels are mixed in one event list",
                            ev.expr.span,
                            "this one has no edge",
                        );
                    }
                };
                let clock = e.eval_self(&ev.expr)?;
                let clock = e.d.slice(clock, 0, 1);
                let place = e.event_place(&ev.expr)?.map(|(v, lo, _)| (v, lo));
                if let Some(first) = out.iter().find(|x| x.clock == clock) {
                    let d = Diagnostic::error(codes::E0409, "a process triggered twice by one signal")
                        .at(ev.expr.span, "again here")
                        .also(first.span, "first here");
                    return Err(Box::new(d));
                }
                let iff = match &ev.iff {
                    Some(x) => Some(e.condition(x)?),
                    None => None,
                };
                out.push(Event { clock, edge, place, iff, span: ev.expr.span });
            }
            Ok(out)
        })
    }
    fn clocked(&mut self, s: ScopeId, list: &'a [EventExpr], body: &'a Stmt, span: Span) -> Res<()> {
        let mut events = self.events(s, list)?;
        let (process, env) = self.run_process(s, Process::new(ProcKind::Clocked), |e| e.exec(body))?;
        let at = if events.len() == 1 { 0 } else { self.clock_of(&events, &process, span)? };
        let clock = events.remove(at);
        // Values under each asynchronous control, the earlier ones inactive.
        let mut controls: Vec<(NodeId, Env, Span)> = Vec::new();
        for i in 0..events.len() {
            let mut p = Process::new(ProcKind::Clocked);
            p.quiet = true;
            p.block_scopes = process.block_scopes.clone();
            let fixed: Vec<(VarId, u32, bool)> = events[..=i]
                .iter()
                .enumerate()
                .filter_map(|(k, ev)| ev.place.map(|(v, lo)| (v, lo, (ev.edge == Edge::Pos) == (k == i))))
                .collect();
            let (_, env) = self.run_process(s, p, |e| {
                for (v, lo, on) in fixed {
                    let cur = e.now(v);
                    let bit = e.d.bool(on);
                    let forced = e.d.splice(cur, lo, bit);
                    e.env.set(Key::Now(v), forced);
                }
                e.exec(body)
            })?;
            let active = if events[i].edge == Edge::Pos { events[i].clock } else { self.d.not(events[i].clock) };
            controls.push((active, env, events[i].span));
        }
        for mut a in process.asserts {
            a.clock = Some((clock.clock, clock.edge));
            self.d.asserts.push(a);
        }
        if !controls.is_empty()
            && let Some(w) = process.mem_writes.first()
        {
            return error(
                codes::E0405,
                "a memory is written in a process with an asynchronous control",
                w.span,
                "give it a process of its own",
            );
        }
        let earlier: Vec<usize> = self.d.memories.iter().map(|m| m.writes.len()).collect();
        for mut w in process.mem_writes {
            let before = earlier[w.memory.index()];
            self.free_collisions(&mut w, before, &clock);
            let enable = match clock.iff {
                Some(c) => self.d.and(c, w.enable),
                None => w.enable,
            };
            let port = WritePort {
                clock: clock.clock,
                edge: clock.edge,
                enable,
                addr: w.addr,
                data: w.data,
                mask: w.mask,
                span: w.span,
            };
            self.d.memories[w.memory.index()].writes.push(port);
        }
        for (v, t) in &process.touched {
            let mut next = self.final_value(&env, *v, t)?;
            if let Some(c) = clock.iff {
                let hold = self.base(Key::Now(*v));
                next = self.d.mux(c, next, hold);
            }
            // The value each asynchronous control forces.
            let mut forced = Vec::new();
            for (active, env, at) in &controls {
                forced.push((*active, self.final_value(env, *v, t)?, *at));
            }
            for (lo, w) in t.merged() {
                let part = self.d.slice(next, lo, w);
                self.register(*v, lo, w, part, &clock, &forced, t.span());
            }
        }
        Ok(())
    }
    /// Two processes that write one word at one edge do so in no defined order: what both write is
    /// anything.
    fn free_collisions(&mut self, w: &mut MemWrite, earlier: usize, clock: &Event) {
        for i in 0..earlier {
            let p = self.d.memories[w.memory.index()].writes[i].clone();
            if (p.clock, p.edge) != (clock.clock, clock.edge) {
                continue;
            }
            let same = self.d.eq(p.addr, w.addr);
            let both = self.d.and(p.enable, w.enable);
            let hit = self.d.and(same, both);
            let overlap = self.d.and(p.mask, w.mask);
            let width = self.d.width(w.data);
            let (free, keep) = (self.d.undef(width), self.d.not(overlap));
            let (a, b) = (self.d.and(free, overlap), self.d.and(w.data, keep));
            let mixed = self.d.or(a, b);
            w.data = self.d.mux(hit, mixed, w.data);
        }
    }
    /// Splits where only some bits have an asynchronous control, and adds the registers.
    #[allow(clippy::too_many_arguments)]
    fn register(
        &mut self,
        v: VarId,
        lo: u32,
        w: u32,
        next: NodeId,
        clock: &Event,
        forced: &[(NodeId, NodeId, Span)],
        span: Span,
    ) {
        let signal = self.vars[v.0 as usize].signal;
        // Which bits each control leaves alone.
        let hold = self.base(Key::Now(v));
        let keeps = |e: &mut Self, bit: u32| -> Vec<bool> {
            forced
                .iter()
                .map(|(_, value, _)| {
                    let (a, b) = (e.d.slice(*value, bit, 1), e.d.slice(hold, bit, 1));
                    a == b
                })
                .collect()
        };
        let mut i = lo;
        while i < lo + w {
            let k = keeps(self, i);
            let mut j = i + 1;
            while j < lo + w && (forced.is_empty() || keeps(self, j) == k) {
                j += 1;
            }
            let mut asyncs = Vec::new();
            for ((active, value, at), keep) in forced.iter().zip(&k) {
                if *keep {
                    continue;
                }
                let value = self.d.slice(*value, i, j - i);
                if self.d.as_const(value).is_none() && !matches!(self.d.op(value), Op::Undef(_)) {
                    self.warn(
                        Diagnostic::warning(codes::W0509, "an asynchronous control loads a value that is not constant")
                            .at(span, "the register follows this value while the control is active")
                            .also(*at, "asynchronous control"),
                    );
                }
                asyncs.push(AsyncControl { condition: *active, value });
            }
            let part = self.d.slice(next, i - lo, j - i);
            let init = self.init_of(v, i, j - i);
            self.d.registers.push(Register {
                signal,
                lo: i,
                width: j - i,
                clock: clock.clock,
                edge: clock.edge,
                next: part,
                asyncs,
                init,
                span,
            });
            let n = self.d.registers.len() as u32 - 1;
            self.drive(v, i, j - i, Source::Register(n), span);
            i = j;
        }
    }
    /// Of several edges the clock is the one the body does not read.
    fn clock_of(&mut self, events: &[Event], p: &Process, span: Span) -> Res<usize> {
        let unread: Vec<usize> =
            (0..events.len()).filter(|i| events[*i].place.is_none_or(|(v, _)| !p.reads.contains(&v))).collect();
        match unread.as_slice() {
            [one] => Ok(*one),
            [] => error(
                codes::E0408,
                "every signal of the event list is read in the process",
                span,
                "which one is the clock?",
            ),
            _ => {
                let mut d = Diagnostic::error(codes::E0408, "several edges that the process does not read")
                    .at(span, "which one is the clock?");
                for i in unread {
                    d = d.also(events[i].span, "not read in the process");
                }
                Err(Box::new(d.help("test each asynchronous control in the first if of the process")))
            }
        }
    }
    /// Gate primitives: outputs first, inputs after.
    fn gate(&mut self, s: ScopeId, gate: &str, inst: &'a Instance) -> Res<()> {
        let span = inst.name.span;
        let mut terms: Vec<&'a Expr> = Vec::new();
        for c in &inst.ports {
            match c {
                Connection::Positional(Some(e)) => terms.push(e),
                _ => return error(codes::E0207, "a gate's terminals are given by position", span, "terminal"),
            }
        }
        let many_outputs = matches!(gate, "not" | "buf");
        let known = ["and", "or", "xor", "nand", "nor", "xnor", "not", "buf", "bufif0", "bufif1", "notif0", "notif1"];
        if !known.contains(&gate) || terms.len() < 2 {
            return error(
                codes::E0405,
                format!("gate primitive `{gate}` is not supported"),
                span,
                "switch-level primitive",
            );
        }
        let (outs, ins) = if many_outputs { terms.split_at(terms.len() - 1) } else { terms.split_at(1) };
        for out in outs {
            self.comb(s, AlwaysKind::Plain, span, |e| {
                let mut values = Vec::new();
                for i in ins {
                    let v = e.eval_self(i)?;
                    values.push(v);
                }
                let p = e.place(out)?;
                let w = p.ty.width;
                for v in &mut values {
                    *v = e.d.zext(*v, w);
                }
                let op = match gate {
                    "and" | "nand" => BinaryOp::And,
                    "or" | "nor" => BinaryOp::Or,
                    _ => BinaryOp::Xor,
                };
                let mut r = values[0];
                if gate.starts_with("bufif") || gate.starts_with("notif") {
                    let Some(en) = values.get(1).copied() else {
                        return error(codes::E0308, format!("`{gate}` needs an enable"), span, "terminal missing");
                    };
                    let en = e.d.truth(en);
                    let data = if gate.starts_with("notif") { e.d.not(r) } else { r };
                    let z = e.d.high_z(w);
                    r = if gate.ends_with('1') { e.d.mux(en, data, z) } else { e.d.mux(en, z, data) };
                } else {
                    for v in &values[1..] {
                        r = e.arith(op, r, *v, false);
                    }
                    if matches!(gate, "nand" | "nor" | "xnor" | "not") {
                        r = e.d.not(r);
                    }
                }
                e.write(&p, r, false, span)
            })?;
        }
        Ok(())
    }
}
