//! Concurrent assertions into monitors (IEEE 1800-2017 clause 16): which clock and which `disable iff` an
//! assertion has, when its attempts start, and what becomes of their verdicts.

use super::property::{MAX_PROPERTY_DEPTH, Placed, sized};
use super::sampled::Ticks;
use super::scope::{ScopeId, Symbol, join};
use super::*;
use crate::front::monitor::{Automaton, Monitor, Prop};
use crate::word::{Assert, AssertKind, Edge};

/// A property specification whose names of properties are opened.
struct Opened<'a> {
    clock: Option<Placed<'a, Sensitivity>>,
    disable: Option<Placed<'a, Expr>>,
    body: Placed<'a, Property>,
    /// Clocks of named properties on the way, which must be the same.
    others: Vec<Placed<'a, Sensitivity>>,
}

impl<'a> Elab<'a> {
    pub(super) fn declare_clocking(&mut self, c: &'a Clocking, span: Span) -> Res<()> {
        let here = self.scope;
        if let (Some(name), Some(_)) = (&c.name, &c.event) {
            self.declare(here, name, Symbol::Clocking(c, here))?;
        }
        if c.default && self.scope_mut(here).default_clocking.replace(c).is_some() {
            return error(codes::E0203, "a second default clocking", span, "the scope has one already");
        }
        Ok(())
    }

    /// What a scope or one around it in the same module has.
    fn nearest_default<T>(&self, get: impl Fn(&scope::Scope<'a>) -> Option<T>) -> Option<(T, ScopeId)> {
        let mut at = self.scope;
        loop {
            let s = self.scope_ref(at);
            match (get(s), s.parent) {
                (Some(t), _) => return Some((t, at)),
                (None, Some(p)) if s.module.is_none() => at = p,
                _ => return None,
            }
        }
    }

    pub(super) fn default_ticks(&mut self) -> Res<Option<Ticks>> {
        let Some((c, at)) = self.nearest_default(|s| s.default_clocking) else { return Ok(None) };
        if let Some(event) = &c.event {
            return self.ticks_of((event, at)).map(Some);
        }
        let name = c.name.as_ref();
        match name.and_then(|n| self.in_scope(at, |e| e.lookup(&n.name))) {
            Some(Symbol::Clocking(Clocking { event: Some(event), .. }, s)) => self.ticks_of((event, s)).map(Some),
            _ => {
                let (text, span) = name.map_or((SmolStr::default(), Span::NONE), |n| (n.name.clone(), n.span));
                error(codes::E0204, format!("unknown clocking block `{text}`"), span, "not declared")
            }
        }
    }

    /// The clock that an event names.
    pub(super) fn ticks_of(&mut self, (s, at): Placed<'a, Sensitivity>) -> Res<Ticks> {
        let one = match s {
            Sensitivity::List(list) => match list.as_slice() {
                [one] => one,
                [_, second, ..] => {
                    return error(
                        codes::E0409,
                        "an assertion is clocked by several events",
                        second.expr.span,
                        "one edge of one clock is supported",
                    );
                }
                [] => return error(codes::E0408, "an assertion without a clock", Span::NONE, "no event"),
            },
            Sensitivity::Star => {
                let span = self.m.d.here;
                return error(codes::E0408, "an assertion clocked by `@*`", span, "which edge?");
            }
        };
        self.in_scope(at, |e| {
            let edge = match one.edge {
                EdgeKind::Pos => Edge::Pos,
                EdgeKind::Neg => Edge::Neg,
                EdgeKind::Both => {
                    return error(codes::E0409, "an assertion clocked by both edges", one.expr.span, "use one edge");
                }
                EdgeKind::Level => {
                    if let Ok(Some(Symbol::Clocking(Clocking { event: Some(event), .. }, s))) = e.symbol_of(&one.expr) {
                        return e.ticks_of((event, s));
                    }
                    return error(
                        codes::E0408,
                        "an assertion clocked by any change",
                        one.expr.span,
                        "write posedge or negedge",
                    );
                }
            };
            let clock = e.eval_self(&one.expr)?;
            let clock = e.m.d.slice(clock, 0, 1);
            let iff = match &one.iff {
                Some(x) => Some(e.condition(x)?),
                None => None,
            };
            Ok(Ticks::new(clock, edge, iff, SmolStr::default(), one.expr.span))
        })
    }

    /// Follows a specification that is just the name of a property to that property.
    fn open(&mut self, spec: &'a PropertySpec) -> Res<Opened<'a>> {
        let here = self.scope;
        let mut o = Opened {
            clock: spec.clock.as_ref().map(|c| (c, here)),
            disable: spec.disable.as_ref().map(|d| (d, here)),
            body: (&spec.body, here),
            others: Vec::new(),
        };
        let mut depth = 0;
        loop {
            let PropertyOp::Expr(e) = &o.body.0.kind else { return Ok(o) };
            let Some((p, frame)) = self.in_scope(o.body.1, |s| s.instance(e))? else { return Ok(o) };
            depth += 1;
            if depth > MAX_PROPERTY_DEPTH {
                return error(
                    codes::E0417,
                    format!("`{}` uses itself", p.name.name),
                    e.span,
                    "an attempt need not end",
                );
            }
            if let Some(d) = &p.spec.disable {
                if let Some((outer, _)) = o.disable {
                    let d = Diagnostic::error(codes::E0405, "`disable iff` inside `disable iff` is not supported")
                        .at(d.span, "the inner one")
                        .also(outer.span, "the outer one");
                    return Err(Box::new(d));
                }
                o.disable = Some((d, frame));
            }
            if let Some(c) = &p.spec.clock {
                match o.clock {
                    None => o.clock = Some((c, frame)),
                    Some(_) => o.others.push((c, frame)),
                }
            }
            o.body = (&p.spec.body, frame);
        }
    }

    /// A concurrent assertion in a process: attempts start where control reaches it.
    pub(super) fn procedural_concurrent(&mut self, c: &'a Concurrent, span: Span) -> Res<()> {
        let refuse = |place: &str| {
            let d = Diagnostic::error(codes::E0405, format!("a concurrent assertion {place} is not supported"))
                .at(span, "no clock starts it here")
                .help("write it as an item of the module");
            Err(Box::new(d))
        };
        let Some(p) = &self.m.proc else { return refuse("in a constant function") };
        if p.initial {
            return refuse("in an initial block");
        }
        if p.quiet {
            return Ok(());
        }
        let Some(t) = &mut self.ticks else { return refuse("in a process without a clock") };
        t.asked = true;
        if t.probe {
            return Ok(());
        }
        let on = self.m.path();
        let outer = self.ticks.take();
        let r = self.with_sampled(|e| e.concurrent(c, span, Some((on, outer.as_ref()))));
        self.ticks = outer;
        r
    }

    /// A concurrent assertion; `process` tells when attempts start, and the clock, if it is in a process.
    pub(super) fn concurrent(
        &mut self,
        c: &'a Concurrent,
        span: Span,
        process: Option<(NodeId, Option<&Ticks>)>,
    ) -> Res<()> {
        let saved = std::mem::replace(&mut self.m.d.here, span);
        let mark = self.scopes.len();
        let r = self.concurrent_inner(c, span, process);
        self.ticks = None;
        self.drop_scopes(mark);
        self.m.d.here = saved;
        r
    }

    fn concurrent_inner(
        &mut self,
        c: &'a Concurrent,
        span: Span,
        process: Option<(NodeId, Option<&Ticks>)>,
    ) -> Res<()> {
        let o = self.open(&c.spec)?;
        let explicit = match o.clock {
            Some(c) => Some(c),
            None => self.in_scope(o.body.1, |e| e.clock_inside(o.body.0))?,
        };
        let around = process.and_then(|(_, t)| t);
        let found = match explicit {
            Some(c) => Some(self.ticks_of(c)?),
            None => match around {
                Some(t) => Some(Ticks::new(t.clock, t.edge, t.iff, SmolStr::default(), t.span)),
                None => self.default_ticks()?,
            },
        };
        let Some(mut ticks) = found else {
            let d = Diagnostic::error(codes::E0408, "the assertion has no clock")
                .at(span, "at which ticks is it checked?")
                .help("write @(posedge clk) before the property, or declare a default clocking");
            return Err(Box::new(d));
        };
        if around.is_some_and(|t| !t.same(&ticks)) {
            return error(
                codes::E0405,
                "an assertion with another clock than the process around it is not supported",
                ticks.span,
                "write it as an item of the module",
            );
        }
        let line = self.map.location(span).map_or(0, |l| l.line);
        let path = self.scope_ref(self.scope).path.clone();
        let name = match &c.label {
            Some(l) => join(&path, &l.name),
            None => join(&path, &format!("assert_line_{line}")),
        };
        ticks.name = self.monitor_name(name);
        ticks.span = span;
        let (name, clock, iff) = (ticks.name.clone(), (ticks.clock, ticks.edge), ticks.iff);
        self.ticks = Some(ticks);
        for (c, s) in o.others {
            self.in_scope(s, |e| e.same_clock(c))?;
        }
        let disable = match o.disable.or_else(|| self.nearest_default(|s| s.default_disable)) {
            Some((e, s)) => {
                let n = self.in_scope(s, |el| el.condition(e))?;
                Some(n).filter(|n| self.m.d.as_bool(*n) != Some(false))
            }
            None => None,
        };
        let yes = self.m.d.bool(true);
        let truth = Rc::new(Automaton::letter(yes));
        let prop = if c.every_match {
            let s = self.in_scope(o.body.1, |e| e.sequence(o.body.0))?;
            Prop::Implies(Rc::new(s), Rc::new(Prop::Seq(truth)))
        } else {
            let p = self.in_scope(o.body.1, |e| e.property(o.body.0))?;
            match p.nonvacuous(&truth) {
                // A cover is not hit by an attempt that nothing was asked of.
                Some(more) if c.kind == PropertyKind::Cover => Prop::and(p, more),
                _ => p,
            }
        };
        let start = process.map_or(yes, |(on, _)| on);
        let mut m = Monitor::new(&mut self.m.d, name.clone(), clock, span);
        (m.iff, m.disable) = (iff, disable);
        let v = sized(m.build(&prop, start), span)?;
        let d = &mut self.m.d;
        let mut enable = iff.unwrap_or(yes);
        if let Some(off) = disable {
            let on = d.not(off);
            enable = d.and(enable, on);
        }
        let trigger = d.and(enable, v.trigger);
        let (kind, condition) = match c.kind {
            PropertyKind::Cover if c.every_match => (AssertKind::Cover, v.trigger),
            PropertyKind::Cover => (AssertKind::Cover, v.pass),
            PropertyKind::Assert => (AssertKind::Assert, d.not(v.fail)),
            PropertyKind::Assume => (AssertKind::Assume, d.not(v.fail)),
        };
        d.asserts.push(Assert { kind, name, enable, condition, trigger, clock: Some(clock), span });
        Ok(())
    }
}
