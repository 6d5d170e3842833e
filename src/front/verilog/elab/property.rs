//! Properties and sequences as trees over nodes.
//!
//! The tree is read in the scope of each named property it passes, with arguments as aliases for the
//! expressions given, so that widths are what substitution makes them and names mean what they mean
//! where they are written. What comes out is a [`Prop`]; [`super::concurrent`] has registers made of it.

use super::scope::{ScopeId, Symbol};
use super::*;
use crate::front::behave::env::Key;
use crate::front::monitor::{Automaton, Prop, TooLarge};

/// Named properties inside each other.
pub(super) const MAX_PROPERTY_DEPTH: u32 = 64;

pub(super) fn sized<T>(r: Result<T, TooLarge>, span: Span) -> Res<T> {
    match r {
        Ok(t) => Ok(t),
        Err(TooLarge) => {
            let d = Diagnostic::error(codes::E0311, "the property needs more states than this tool takes")
                .at(span, "too many ticks or too many ways to match")
                .help("count long delays in a register of your own");
            Err(Box::new(d))
        }
    }
}

/// Something of a property together with the scope its names belong to.
pub(super) type Placed<'a, T> = (&'a T, ScopeId);

impl<'a> Elab<'a> {
    /// The expression that an argument of a property stands for.
    pub(super) fn alias(&mut self, e: &Expr) -> Option<Placed<'a, Expr>> {
        match &e.kind {
            ExprKind::Ident(n) if self.has_aliases => match self.lookup(n) {
                Some(Symbol::Alias(e, s)) => Some((e, s)),
                _ => None,
            },
            _ => None,
        }
    }

    /// The named property or sequence that an expression is an instance of, with the scope that has its
    /// arguments.
    pub(super) fn instance(&mut self, e: &'a Expr) -> Res<Option<(&'a PropertyDecl, ScopeId)>> {
        if let Some((actual, s)) = self.alias(e) {
            return self.in_scope(s, |el| el.instance(actual));
        }
        let (name, args): (&'a Expr, &'a [Arg]) = match &e.kind {
            ExprKind::Ident(_) | ExprKind::Scoped(..) => (e, &[]),
            ExprKind::Call(f, args) if matches!(f.kind, ExprKind::Ident(_) | ExprKind::Scoped(..)) => (f, args),
            _ => return Ok(None),
        };
        let Some(Symbol::Property(p, def)) = self.symbol_of(name)? else { return Ok(None) };
        if self.property_depth >= MAX_PROPERTY_DEPTH {
            return error(codes::E0417, format!("`{}` uses itself", p.name.name), e.span, "an attempt need not end");
        }
        let caller = self.scope;
        let frame = self.new_scope(def, "");
        let mut actuals: Vec<Option<&'a Expr>> = vec![None; p.formals.len()];
        for (i, a) in args.iter().enumerate() {
            let at = match &a.name {
                Some(n) => p.formals.iter().position(|f| f.name.name == n.name),
                None => (i < actuals.len()).then_some(i),
            };
            match at {
                Some(at) => actuals[at] = a.value.as_ref(),
                None => {
                    let text = format!("`{}` takes {} arguments", p.name.name, p.formals.len());
                    let d = Diagnostic::error(codes::E0308, text)
                        .at(e.span, "given others")
                        .also(p.name.span, "declared here");
                    return Err(Box::new(d));
                }
            }
        }
        for (f, a) in p.formals.iter().zip(actuals) {
            let (actual, at) = match (a, &f.default) {
                (Some(a), _) => (a, caller),
                (None, Some(d)) => (d, def),
                (None, None) => {
                    let text = format!("argument `{}` of `{}` is missing", f.name.name, p.name.name);
                    return error(codes::E0308, text, e.span, "given too few");
                }
            };
            let symbol = match &f.ty {
                None => Symbol::Alias(actual, at),
                Some(ty) => {
                    let ty = self.in_scope(def, |e| e.resolve_type(ty))?;
                    let v = self.in_scope(at, |e| e.rvalue(actual, &ty))?;
                    match self.m.d.as_const(v) {
                        Some(b) => Symbol::Const(ty, b.clone()),
                        None => {
                            let k = self.m.env.fresh();
                            self.m.env.set(Key::Local(k), v);
                            Symbol::Local(ty, k)
                        }
                    }
                }
            };
            self.has_aliases = true;
            self.redeclare(frame, &f.name.name, symbol);
        }
        Ok(Some((p, frame)))
    }

    /// The first clock written in a property, for one that has none in front.
    pub(super) fn clock_inside(&mut self, p: &'a Property) -> Res<Option<Placed<'a, Sensitivity>>> {
        use PropertyOp::*;
        let here = self.scope;
        let children: Vec<&'a Property> = match &p.kind {
            Clocked(s, _) => return Ok(Some((s, here))),
            Expr(e) => {
                let Some((decl, frame)) = self.instance(e)? else { return Ok(None) };
                if let Some(c) = &decl.spec.clock {
                    return Ok(Some((c, frame)));
                }
                self.property_depth += 1;
                let r = self.in_scope(frame, |e| e.clock_inside(&decl.spec.body));
                self.property_depth -= 1;
                return r;
            }
            Delay(a, _, b) => a.iter().chain([b]).map(|x| &**x).collect(),
            Repeat(a, _) | Not(a) | NextTime(_, a) => vec![a],
            Throughout(a, b) | Pair(_, a, b) | And(a, b) | Or(a, b) | Implies(a, b) | Iff(a, b) => vec![a, b],
            Implication { antecedent: a, consequent: b, .. } | FollowedBy { antecedent: a, consequent: b, .. } => {
                vec![a, b]
            }
            If(_, a, b) => [Some(a), b.as_ref()].into_iter().flatten().map(|x| &**x).collect(),
            Unbounded(_) | Unsupported(_) => Vec::new(),
        };
        for c in children {
            if let Some(found) = self.clock_inside(c)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// Demands that a clock inside a property is the one the assertion has.
    pub(super) fn same_clock(&mut self, s: &'a Sensitivity) -> Res<()> {
        let inner = self.ticks_of((s, self.scope))?;
        match &self.ticks {
            Some(t) if !t.same(&inner) => {
                error(codes::E0405, "a property with two clocks is not supported", inner.span, "the other clock")
            }
            _ => Ok(()),
        }
    }

    /// Reads the body of a named property or sequence.
    fn enter_property<T>(
        &mut self,
        decl: &'a PropertyDecl,
        frame: ScopeId,
        f: impl FnOnce(&mut Self, &'a Property) -> Res<T>,
    ) -> Res<T> {
        self.in_scope(frame, |e| {
            if let Some(d) = &decl.spec.disable {
                let text = "`disable iff` inside another property is not supported";
                return error(codes::E0405, text, d.span, "only around the whole assertion");
            }
            if let Some(c) = &decl.spec.clock {
                e.same_clock(c)?;
            }
            e.property_depth += 1;
            let r = f(e, &decl.spec.body);
            e.property_depth -= 1;
            r
        })
    }

    fn unbounded<T>(&self, what: &str, span: Span) -> Res<T> {
        let d = Diagnostic::error(codes::E0417, format!("{what} is not bounded, which assertions must be here"))
            .at(span, "an attempt need not end")
            .help("give it a bound, such as ##[1:16]; liveness belongs in --ltl");
        Err(Box::new(d))
    }

    pub(super) fn property(&mut self, p: &'a Property) -> Res<Prop> {
        use PropertyOp::*;
        Ok(match &p.kind {
            Expr(e) => match self.instance(e)? {
                Some((decl, frame)) if !decl.sequence => self.enter_property(decl, frame, |el, b| el.property(b))?,
                _ => Prop::Seq(self.matching(p, true)?),
            },
            Delay(..) | Repeat(..) | Throughout(..) | Pair(..) => Prop::Seq(self.matching(p, true)?),
            And(a, b) | Or(a, b) => {
                let both = matches!(p.kind, And(..));
                let join = if both { Prop::and } else { Prop::or };
                if self.is_sequence(p)? {
                    // Of sequences it is one itself: only the whole must take a tick. Where each side does,
                    // following them apart comes to the same and needs fewer states.
                    let (x, y) = (self.sequence(a)?, self.sequence(b)?);
                    if [&x, &y].into_iter().any(|s| s.empty || !s.matches()) {
                        return Ok(Prop::Seq(self.matching(p, true)?));
                    }
                    return Ok(join(Prop::Seq(Rc::new(x)), Prop::Seq(Rc::new(y))));
                }
                join(self.property(a)?, self.property(b)?)
            }
            Not(a) => Prop::negate(self.property(a)?),
            Implies(a, b) => Prop::or(Prop::negate(self.property(a)?), self.property(b)?),
            Iff(a, b) => {
                let (a, b) = (self.property(a)?, self.property(b)?);
                let one = Prop::or(Prop::negate(a.clone()), b.clone());
                Prop::and(one, Prop::or(Prop::negate(b), a))
            }
            Implication { overlapped, antecedent, consequent } => {
                let s = self.antecedent(antecedent, *overlapped)?;
                Prop::Implies(s, Rc::new(self.property(consequent)?))
            }
            FollowedBy { overlapped, antecedent, consequent } => {
                let s = self.antecedent(antecedent, *overlapped)?;
                Prop::followed_by(s, self.property(consequent)?)
            }
            If(cond, a, b) => {
                let c = self.condition(cond)?;
                let not = self.m.d.not(c);
                let then = Prop::Implies(Rc::new(Automaton::letter(c)), Rc::new(self.property(a)?));
                match b {
                    Some(b) => {
                        let other = Prop::Implies(Rc::new(Automaton::letter(not)), Rc::new(self.property(b)?));
                        Prop::and(then, other)
                    }
                    None => then,
                }
            }
            NextTime(n, a) => {
                let n = match n {
                    Some(e) => self.count(e)?,
                    None => 1,
                };
                let yes = self.m.d.bool(true);
                let s = Automaton::delayed(&mut self.m.d, None, n, n, &Automaton::letter(yes));
                Prop::Implies(Rc::new(sized(s, p.span)?), Rc::new(self.property(a)?))
            }
            Clocked(s, a) => {
                self.same_clock(s)?;
                self.property(a)?
            }
            Unbounded(what) => return self.unbounded(&format!("`{what}`"), p.span),
            Unsupported(u) => return self.unsupported(u, p.span),
        })
    }

    /// Whether a tree is a sequence, and not only a property.
    fn is_sequence(&mut self, p: &'a Property) -> Res<bool> {
        use PropertyOp::*;
        Ok(match &p.kind {
            Expr(e) => match self.instance(e)? {
                Some((decl, _)) => decl.sequence,
                None => true,
            },
            Delay(..) | Repeat(..) | Throughout(..) | Pair(..) => true,
            And(a, b) | Or(a, b) => self.is_sequence(a)? && self.is_sequence(b)?,
            Clocked(_, a) => self.is_sequence(a)?,
            _ => false,
        })
    }

    fn antecedent(&mut self, p: &'a Property, overlapped: bool) -> Res<Rc<Automaton>> {
        if overlapped {
            return self.matching(p, false);
        }
        let yes = self.m.d.bool(true);
        let s = self.sequence(p)?;
        let s = sized(s.then(&Automaton::letter(yes)), p.span)?;
        if !s.matches() {
            return error(codes::E0418, "the sequence never matches", p.span, "no tick could be its last one");
        }
        Ok(Rc::new(s))
    }

    /// A sequence that has matches of some ticks, and, if it stands for a property, only such (16.12.22).
    fn matching(&mut self, p: &'a Property, alone: bool) -> Res<Rc<Automaton>> {
        let s = self.sequence(p)?;
        if !s.matches() {
            return error(codes::E0418, "the sequence never matches", p.span, "no tick could be its last one");
        }
        if alone && s.empty {
            let text = "a sequence that matches no tick at all is no property";
            return error(codes::E0418, text, p.span, "may be repeated zero times");
        }
        Ok(Rc::new(s))
    }

    /// A constant number of ticks.
    fn count(&mut self, e: &'a Expr) -> Res<u32> {
        match self.const_int(e)? {
            n if n < 0 => error(codes::E0311, format!("a count of {n} ticks"), e.span, "must not be negative"),
            n => Ok(u32::try_from(n).unwrap_or(u32::MAX)),
        }
    }

    fn times(&mut self, t: &'a Times, what: &str, span: Span) -> Res<(u32, u32)> {
        let low = self.count(&t.low)?;
        let high = match &t.high {
            None => low,
            Some(e) => {
                let (e, s) = self.alias(e).unwrap_or((e, self.scope));
                if matches!(e.kind, ExprKind::Dollar) {
                    return self.unbounded(what, span);
                }
                self.in_scope(s, |el| el.count(e))?
            }
        };
        if high < low {
            return error(codes::E0311, format!("{what} counts from {low} down to {high}"), span, "the second is less");
        }
        Ok((low, high))
    }

    pub(super) fn sequence(&mut self, p: &'a Property) -> Res<Automaton> {
        use PropertyOp::*;
        let span = p.span;
        match &p.kind {
            Expr(e) => match self.instance(e)? {
                Some((decl, frame)) => self.enter_property(decl, frame, |el, b| el.sequence(b)),
                None => Ok(Automaton::letter(self.condition(e)?)),
            },
            Delay(a, t, b) => {
                let (low, high) = self.times(t, "the delay", span)?;
                let a = match a {
                    Some(a) => Some(self.sequence(a)?),
                    None => None,
                };
                let b = self.sequence(b)?;
                sized(Automaton::delayed(&mut self.m.d, a.as_ref(), low, high, &b), span)
            }
            Repeat(a, t) => {
                let (low, high) = self.times(t, "the repetition", span)?;
                sized(self.sequence(a)?.repeat(low, high), span)
            }
            Throughout(cond, s) => {
                let Expr(e) = &cond.kind else {
                    return error(codes::E0213, "a sequence before `throughout`", cond.span, "must be a boolean");
                };
                if self.instance(e)?.is_some() {
                    return error(codes::E0213, "a sequence before `throughout`", cond.span, "must be a boolean");
                }
                let c = self.condition(e)?;
                Ok(self.sequence(s)?.throughout(&mut self.m.d, c))
            }
            Pair(op, a, b) => {
                let (a, b) = (self.sequence(a)?, self.sequence(b)?);
                let d = &mut self.m.d;
                let r = match op {
                    SequencePair::Intersect => a.intersect(d, &b),
                    SequencePair::Within => a.within(d, &b),
                };
                sized(r, span)
            }
            And(a, b) => {
                let (a, b) = (self.sequence(a)?, self.sequence(b)?);
                sized(a.and(&mut self.m.d, &b), span)
            }
            Or(a, b) => {
                let (a, b) = (self.sequence(a)?, self.sequence(b)?);
                sized(a.or(&b), span)
            }
            Clocked(s, a) => {
                self.same_clock(s)?;
                self.sequence(a)
            }
            Unbounded(what) => self.unbounded(&format!("`{what}`"), span),
            Unsupported(u) => self.unsupported(u, span),
            Not(_) | Implication { .. } | FollowedBy { .. } | Implies(..) | Iff(..) | If(..) | NextTime(..) => {
                error(codes::E0213, "a property stands where a sequence is needed", span, "not a sequence")
            }
        }
    }
}
