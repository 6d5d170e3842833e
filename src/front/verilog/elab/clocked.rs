//! Clocked processes: which event is the clock, which are asynchronous controls, and the registers.

use super::sampled::Ticks;
use super::scope::ScopeId;
use super::*;
use crate::front::behave::clocked::{Clock, Control};
use crate::front::behave::env::Key;
use crate::front::behave::process::{ProcKind, Process};
use crate::word::Edge;

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
        self.m.env = Env::default();
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
                let clock = e.m.d.slice(clock, 0, 1);
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
        let r = self.clocked_inner(s, list, body, span);
        self.ticks = None;
        r
    }

    fn clocked_inner(&mut self, s: ScopeId, list: &'a [EventExpr], body: &'a Stmt, span: Span) -> Res<()> {
        let mut events = self.events(s, list)?;
        // Sampled values need the clock: of several events it is known only after the body has run.
        self.ticks = Some(self.process_ticks(s, &events[0], span, events.len() > 1));
        let (mut process, mut env) = self.run_in(s, Process::new(ProcKind::Clocked), |e| e.exec(body))?;
        let asked = self.ticks.as_ref().is_some_and(|t| t.asked);
        let at = if events.len() == 1 { 0 } else { self.clock_of(&events, &process, span)? };
        let clock = events.remove(at);
        if asked && !events.is_empty() {
            self.ticks = Some(self.process_ticks(s, &clock, span, false));
            let mut again = Process::new(ProcKind::Clocked);
            // So that what blocks declare is found again.
            again.quiet = true;
            (process, env) = self.run_in(s, again, |e| {
                if let Some(p) = &mut e.m.proc {
                    p.quiet = false;
                }
                e.exec(body)
            })?;
        }
        // Values under each asynchronous control, the earlier ones inactive.
        let mut controls: Vec<Control> = Vec::new();
        for i in 0..events.len() {
            let mut p = Process::new(ProcKind::Clocked);
            p.quiet = true;
            let fixed: Vec<(VarId, u32, bool)> = events[..=i]
                .iter()
                .enumerate()
                .filter_map(|(k, ev)| ev.place.map(|(v, lo)| (v, lo, (ev.edge == Edge::Pos) == (k == i))))
                .collect();
            let (_, env) = self.run_in(s, p, |e| {
                for (v, lo, on) in fixed {
                    let cur = e.m.now(v);
                    let bit = e.m.d.bool(on);
                    let forced = e.m.d.splice(cur, lo, bit);
                    e.m.env.set(Key::Now(v), forced);
                }
                e.exec(body)
            })?;
            let active = if events[i].edge == Edge::Pos { events[i].clock } else { self.m.d.not(events[i].clock) };
            controls.push(Control { active, env, span: events[i].span });
        }
        let clock = Clock { node: clock.clock, edge: clock.edge, iff: clock.iff };
        self.m.settle_clocked(process, &env, &clock, &controls)
    }

    /// The clock of sampled values in a process; a probe if it is not known yet.
    fn process_ticks(&mut self, s: ScopeId, clock: &Event, span: Span, probe: bool) -> Ticks {
        let line = self.map.location(span).map_or(0, |l| l.line);
        let path = self.scope_ref(s).path.clone();
        let mut t = Ticks::new(clock.clock, clock.edge, clock.iff, SmolStr::default(), span);
        (t.probe, t.unnamed) = (probe, true);
        t.name = scope::join(&path, &format!("always_line_{line}"));
        t
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
