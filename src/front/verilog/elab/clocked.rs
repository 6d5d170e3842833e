//! Clocked processes: which event is the clock, which are asynchronous controls, and the registers.

use super::env::Key;
use super::process::*;
use super::scope::ScopeId;
use super::*;
use crate::word::{AsyncControl, Edge, Op, Register, Source, WritePort};

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

    pub(super) fn clocked(&mut self, s: ScopeId, list: &'a [EventExpr], body: &'a Stmt, span: Span) -> Res<()> {
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
}
