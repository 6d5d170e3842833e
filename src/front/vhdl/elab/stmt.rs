//! Sequential statements, executed symbolically.

use super::cover::Cover;
use super::types::Logic;
use super::*;
use crate::front::behave::MAX_ITERATIONS;
use crate::front::behave::env::Key;
use crate::word::{Assert, AssertKind};

/// The condition under which a loop was left, and the values changed in it by then.
type Exit = (NodeId, Vec<(Key, NodeId)>);

impl<'a> Elab<'a> {
    pub(super) fn exec_all(&mut self, stmts: &'a [Stmt]) -> Res<()> {
        let all: Vec<&'a Stmt> = stmts.iter().collect();
        self.sequence(&all, &mut |e, s| e.exec(s))
    }

    pub(super) fn exec(&mut self, s: &'a Stmt) -> Res<()> {
        let saved = std::mem::replace(&mut self.m.d.here, s.span);
        let r = self.exec_inner(s);
        self.m.d.here = saved;
        r
    }

    fn exec_inner(&mut self, s: &'a Stmt) -> Res<()> {
        match &s.kind {
            StmtKind::Assign { target, rhs, signal } => self.assignment(target, rhs, *signal, s.span),
            StmtKind::If(arms, other) => self.if_chain(arms, other.as_deref()),
            StmtKind::Case { expr, matching, arms } => {
                let conds = self.choose(expr, *matching, arms.iter().map(|a| a.0.as_slice()))?;
                self.arms(&conds, 0, &mut |e, i| e.exec_all(&arms[i].1))
            }
            StmtKind::Loop { scheme, body } => self.looping(s.label.as_ref().map(|l| l.ent), scheme, body, s.span),
            StmtKind::Next(label, cond) => self.leave_loop(*label, cond.as_ref(), false, s.span),
            StmtKind::Exit(label, cond) => self.leave_loop(*label, cond.as_ref(), true, s.span),
            StmtKind::Return(value) => {
                let Some(flag) = self.m.env.control.return_flag else {
                    return error(codes::E0405, "`return` outside a subprogram", s.span, "no subprogram around");
                };
                if let (Some(e), Some(ty)) = (value, self.result_ty.clone()) {
                    let v = self.eval(e, Some(&ty))?;
                    let v = self.convert(v, &ty, e.span)?;
                    let path = self.m.path();
                    self.returns.push((path, v));
                }
                self.m.leave(flag);
                Ok(())
            }
            StmtKind::Assert { cond, severity, .. } => {
                let c = self.condition(cond)?;
                self.assertion(s.label.as_ref(), c, severity.as_ref(), "error", s.span)
            }
            StmtKind::Report { severity } => {
                let no = self.m.d.bool(false);
                self.assertion(s.label.as_ref(), no, severity.as_ref(), "note", s.span)
            }
            StmtKind::Call(n) => self.procedure(n),
            StmtKind::Null => Ok(()),
            StmtKind::Wait { .. } => error(
                codes::E0407,
                "a wait in the middle of a process",
                s.span,
                "only one wait, first or last, can become hardware",
            ),
            StmtKind::Unsupported(what) => self.unsupported(what, s.span),
        }
    }

    fn if_chain(&mut self, arms: &'a [(Expr, Vec<Stmt>)], other: Option<&'a [Stmt]>) -> Res<()> {
        let Some(((cond, body), rest)) = arms.split_first() else {
            return match other {
                Some(s) => self.exec_all(s),
                None => Ok(()),
            };
        };
        let c = self.condition(cond)?;
        self.branch(c, |e| e.exec_all(body), |e| e.if_chain(rest, other))
    }

    /// Runs the first arm whose condition holds; the last one if none does.
    fn arms(&mut self, conds: &[NodeId], i: usize, f: &mut dyn FnMut(&mut Self, usize) -> Res<()>) -> Res<()> {
        if i + 1 >= conds.len() {
            return if conds.is_empty() { Ok(()) } else { f(self, i) };
        }
        // Two closures over one `f`: a cell lends it to one at a time.
        let f = std::cell::RefCell::new(f);
        self.branch(conds[i], |e| (f.borrow_mut())(e, i), |e| e.arms(conds, i + 1, &mut **f.borrow_mut()))
    }

    /// The condition of each arm of a case, choices of earlier arms not excluded. The choices of a case
    /// cover all values, so the last arm needs none.
    pub(super) fn choose<'c>(
        &mut self,
        expr: &'a Expr,
        matching: bool,
        arms: impl Iterator<Item = &'a [Choice]> + 'c,
    ) -> Res<Vec<NodeId>>
    where
        'a: 'c,
    {
        let v = self.eval(expr, None)?;
        let mut out = Vec::new();
        let mut cover = Cover::default();
        for choices in arms {
            let mut any = self.m.d.bool(false);
            for c in choices {
                let hit = match &c.kind {
                    ChoiceKind::Others => {
                        cover.others = true;
                        self.m.d.bool(true)
                    }
                    ChoiceKind::Range(r) => {
                        let d = self.range_of(r, &v)?;
                        cover.add(d.0, d.1);
                        let x = self.position(&v);
                        let (lo, hi) = (self.int_const(d.0), self.int_const(d.1));
                        let (a, b) = (self.int_compare(Op::Ge, &x, &lo), self.int_compare(Op::Le, &x, &hi));
                        self.m.d.and(a, b)
                    }
                    ChoiceKind::Expr(e) if self.subtype_choice(e).is_some() => {
                        let (lo, hi) = self.subtype_choice(e).expect("just found");
                        cover.add(lo, hi);
                        let x = self.position(&v);
                        let (lo, hi) = (self.int_const(lo), self.int_const(hi));
                        let (a, b) = (self.int_compare(Op::Ge, &x, &lo), self.int_compare(Op::Le, &x, &hi));
                        self.m.d.and(a, b)
                    }
                    ChoiceKind::Expr(e) => {
                        let wild = std::mem::replace(&mut self.wild, matching);
                        let k = self.constantly(|x| x.eval(e, Some(&v.ty)));
                        self.wild = wild;
                        let k = k?;
                        match self.m.d.as_const(k.node) {
                            Some(b) => cover.value(b, &k.ty, matching),
                            None => cover.others = true,
                        }
                        if matching {
                            let Some(p) = self.m.d.as_const(k.node).cloned() else {
                                return error(codes::E0301, "the choice is not constant", c.span, "choice");
                            };
                            if p.width() != v.ty.width {
                                return error(codes::E0310, "the choice has another length", c.span, "choice");
                            }
                            self.match_bits(v.node, &p)
                        } else if v.ty.is_int() {
                            self.int_compare(Op::Eq, &v, &k)
                        } else {
                            if k.ty.width != v.ty.width {
                                return error(codes::E0310, "the choice has another length", c.span, "choice");
                            }
                            self.equal(&v, &k)
                        }
                    }
                };
                any = self.m.d.or(any, hit);
            }
            out.push(any);
        }
        if !cover.complete(&v.ty) {
            let d = Diagnostic::error(codes::E0314, "the choices do not cover every value");
            return Err(Box::new(d.at(expr.span, "of this expression").help("add `when others`")));
        }
        Ok(out)
    }

    /// Positions a range of choices covers.
    fn range_of(&mut self, r: &'a Range, v: &Val) -> Res<(i128, i128)> {
        let d = self.range_of_type(r, (!v.ty.is_int()).then_some(&v.ty))?;
        Ok((d.low(), d.high()))
    }

    // Assignments.

    pub(super) fn assignment(&mut self, target: &'a Target, rhs: &'a Rhs, signal: bool, span: Span) -> Res<()> {
        match rhs {
            Rhs::Simple(w) => self.assign_wave(target, w, signal, span),
            Rhs::When(arms, other) => self.assign_when(target, arms, other.as_ref(), signal, span),
            Rhs::Select { expr, matching, arms } => {
                let conds = self.choose(expr, *matching, arms.iter().map(|a| a.0.as_slice()))?;
                self.arms(&conds, 0, &mut |e, i| e.assign_wave(target, &arms[i].1, signal, span))
            }
        }
    }

    fn assign_when(
        &mut self,
        target: &'a Target,
        arms: &'a [(Expr, Wave)],
        other: Option<&'a Wave>,
        signal: bool,
        span: Span,
    ) -> Res<()> {
        let Some(((cond, wave), rest)) = arms.split_first() else {
            return match other {
                Some(w) => self.assign_wave(target, w, signal, span),
                None => Ok(()),
            };
        };
        let c = self.condition(cond)?;
        self.branch(
            c,
            |e| e.assign_wave(target, wave, signal, span),
            |e| e.assign_when(target, rest, other, signal, span),
        )
    }

    fn assign_wave(&mut self, target: &'a Target, w: &'a Wave, signal: bool, span: Span) -> Res<()> {
        if w.several {
            return self.unsupported("a waveform of several values", w.span);
        }
        if w.delayed {
            self.simulation_only("the delay of an assignment", w.span);
        }
        let Some(e) = &w.value else { return Ok(()) };
        match target {
            Target::Name(n) => {
                if self.assign_window(n, e, signal, span)? {
                    return Ok(());
                }
                let p = self.place(n)?;
                let v = self.eval_as(e, &p.ty)?;
                self.assign(&p, v.node, signal, span)
            }
            Target::Aggregate(list, at) => {
                let v = self.eval(e, None)?;
                let mut top = v.ty.width;
                for el in list {
                    let ExprKind::Name(n) = &el.value.kind else {
                        return error(codes::E0506, "cannot assign to an expression", el.value.span, "target");
                    };
                    if !el.choices.is_empty() {
                        return self.unsupported("a target aggregate with choices", *at);
                    }
                    let p = self.place(n)?;
                    if p.ty.width > top {
                        return error(codes::E0310, "the targets have more bits than the value", *at, "targets");
                    }
                    top -= p.ty.width;
                    let part = self.m.d.slice(v.node, top, p.ty.width);
                    self.assign(&p, part, signal, span)?;
                }
                if top != 0 {
                    return error(codes::E0310, "the value has more bits than the targets", *at, "targets");
                }
                Ok(())
            }
        }
    }

    // Loops.

    fn looping(&mut self, label: Option<Ent>, scheme: &'a Scheme, body: &'a [Stmt], span: Span) -> Res<()> {
        self.loop_labels.push(label);
        let r = match scheme {
            Scheme::While(c) => self.while_loop(Some(c), body, span),
            Scheme::Forever => self.while_loop(None, body, span),
            Scheme::For(i, r) => self.for_loop(i, r, body, span),
        };
        self.loop_labels.pop();
        r
    }

    /// A loop that ends by a condition. What is left after a round goes on under the assumption that the
    /// loop was not left, so that counters stay constant; the states in which it was left wait, and are
    /// merged when it is over.
    fn while_loop(&mut self, cond: Option<&'a Expr>, body: &'a [Stmt], span: Span) -> Res<()> {
        let outer = self.m.env.path;
        let mark = self.m.env.mark();
        let mut exits: Vec<Exit> = Vec::new();
        let r = self.breakable(|e, brk| {
            for _ in 0..MAX_ITERATIONS {
                if let Some(c) = cond {
                    let c = e.condition(c)?;
                    if e.m.d.as_bool(c) == Some(false) {
                        return Ok(());
                    }
                    let stop = e.m.d.not(c);
                    e.m.env.set(Key::Flag(brk), stop);
                    e.split_exit(mark, &mut exits);
                }
                e.round(brk, |e| e.exec_all(body))?;
                let left = e.m.left();
                match e.m.d.as_bool(left) {
                    Some(true) => return Ok(()),
                    Some(false) => {}
                    None => e.split_exit(mark, &mut exits),
                }
            }
            error(
                codes::E0302,
                format!("the loop does not end within {MAX_ITERATIONS} rounds"),
                span,
                "its end must not depend on signals alone",
            )
        });
        self.m.env.path = outer;
        r?;
        for (left, values) in exits.into_iter().rev() {
            let mut keys: Vec<Key> = self.m.env.changed_since(mark);
            keys.extend(values.iter().map(|v| v.0));
            keys.sort();
            keys.dedup();
            let then: FxHashMap<Key, NodeId> = values.into_iter().collect();
            for k in keys {
                let Some(now) = self.m.env.get(k) else { continue };
                // A key that had not changed when the loop was left had its value from before.
                let value = match then.get(&k) {
                    Some(v) => *v,
                    None => match self.m.env.before(mark, k) {
                        Some(v) => v,
                        None if matches!(k, Key::Local(_)) => continue,
                        None => self.m.base(k),
                    },
                };
                let merged = self.m.d.mux(left, value, now);
                self.m.env.set(k, merged);
            }
        }
        Ok(())
    }

    /// Sets aside the state in which control has left, and goes on as if it had not.
    fn split_exit(&mut self, mark: usize, exits: &mut Vec<Exit>) {
        let left = self.m.left();
        if self.m.d.as_bool(left) == Some(false) {
            return;
        }
        let mut terms = Vec::new();
        self.disjuncts(left, &mut terms);
        let stays: Vec<(NodeId, NodeId)> = terms.iter().map(|t| self.literal_as(*t, false)).collect();
        let mut state = Vec::new();
        for k in self.m.env.changed_since(mark) {
            let Some(v) = self.m.env.get(k) else { continue };
            state.push((k, v));
            let v = self.with(v, &stays);
            self.m.env.set(k, v);
        }
        exits.push((left, state));
        let (path, not) = (self.m.path(), self.m.d.not(left));
        self.m.env.path = Some(self.m.d.and(path, not));
    }

    fn for_loop(&mut self, index: &'a Ident, r: &'a Range, body: &'a [Stmt], span: Span) -> Res<()> {
        let (left, right, down) = self.range_values(r, None)?;
        let ty = self.loop_type(r);
        let ((ll, lh), (rl, rh)) = (self.interval(&left), self.interval(&right));
        // Bounds that move: all values they can reach, each under the condition that it is inside.
        let (from, to) = if down { (lh, rl) } else { (ll, rh) };
        let mut n = if down { from - to } else { to - from } + 1;
        // Too many to try: the loop parameter moves instead, if the number of rounds does not.
        let mut moving = false;
        if n > MAX_ITERATIONS as i128
            && let Some(d) = self.difference(&left, &right)
        {
            n = if down { d } else { -d } + 1;
            moving = true;
        }
        if n > MAX_ITERATIONS as i128 {
            return error(codes::E0302, format!("the loop has {n} rounds"), span, "more than this tool takes");
        }
        let fixed = moving || (ll == lh && rl == rh);
        let here = self.scope;
        let path = self.scope_ref(here).path.clone();
        self.breakable(|e, brk| {
            for round in 0..n.max(0) {
                let k = if down { from - round } else { from + round };
                let scope = e.new_scope(Some(here), path.clone());
                let floor = e.scopes.len();
                let symbol = match &ty {
                    _ if moving => {
                        let step = e.int_const(round);
                        let v = e.int_binary(if down { Op::Minus } else { Op::Plus }, &left, &step, span)?;
                        let slot = e.m.env.fresh();
                        e.m.env.set(Key::Local(slot), v.node);
                        Symbol::Local(slot, v.ty)
                    }
                    Some(t) => Symbol::Const(t.clone(), Bits::from_u64(k as u64, t.width)),
                    None => {
                        let v = e.int_const(k);
                        let bits = e.m.d.as_const(v.node).cloned().expect("a constant");
                        Symbol::Const(v.ty, bits)
                    }
                };
                e.scopes[scope.0 as usize].symbols.insert(index.ent, symbol);
                let active = if fixed {
                    e.m.d.bool(true)
                } else {
                    let v = e.int_const(k);
                    let (a, b) = if down { (Op::Le, Op::Ge) } else { (Op::Ge, Op::Le) };
                    let (x, y) = (e.int_compare(a, &v, &left), e.int_compare(b, &v, &right));
                    e.m.d.and(x, y)
                };
                let r = e.round(brk, |e| e.branch(active, |e| e.in_scope(scope, |e| e.exec_all(body)), |_| Ok(())));
                if e.scopes.len() == floor {
                    e.scopes.truncate(floor - 1);
                }
                r?;
                let left = e.m.left();
                if e.m.d.as_bool(left) == Some(true) {
                    break;
                }
            }
            Ok(())
        })
    }

    /// The enumeration a loop runs over, if it is one.
    pub(super) fn loop_type(&mut self, r: &'a Range) -> Option<Rc<Ty>> {
        let ty = match r {
            Range::Subtype(n, _) if !matches!(n.kind, NameKind::Attr(..)) => self.type_mark(n).ok()?,
            Range::Bounds { left, .. } => self.constantly(|e| e.eval(left, None)).ok()?.ty,
            Range::Attr(n) | Range::Subtype(n, _) => {
                let NameKind::Attr(prefix, ..) = &n.kind else { return None };
                let t = self.prefix_type(prefix).ok()?;
                match &t.kind {
                    TyKind::Array { def, .. } => def.indices.first().cloned()?,
                    _ => t,
                }
            }
        };
        matches!(&ty.kind, TyKind::Enum { def, .. } if def.logic != Logic::Std).then_some(ty)
    }

    fn leave_loop(&mut self, label: Option<Ent>, cond: Option<&'a Expr>, exit: bool, span: Span) -> Res<()> {
        let loops = self.m.env.control.loops.len();
        let at = match label {
            None => loops.checked_sub(1),
            Some(l) => self.loop_labels.iter().rposition(|x| *x == Some(l)),
        };
        // A label names a loop by its place among those around; an exit from an outer loop also ends
        // the rounds of the inner ones, whose flags are looked at one by one.
        let Some(&(brk, cont)) = at.and_then(|i| self.m.env.control.loops.get(i)) else {
            return error(codes::E0405, "no such loop around", span, "next or exit");
        };
        let flag = if exit { brk } else { cont };
        match cond {
            None => {
                self.m.leave(flag);
                Ok(())
            }
            Some(c) => {
                let c = self.condition(c)?;
                self.branch(
                    c,
                    |e| {
                        e.m.leave(flag);
                        Ok(())
                    },
                    |_| Ok(()),
                )
            }
        }
    }

    // Assertions.

    fn assertion(
        &mut self,
        label: Option<&'a Ident>,
        condition: NodeId,
        severity: Option<&'a Expr>,
        default: &str,
        span: Span,
    ) -> Res<()> {
        let level = match severity {
            Some(Expr { kind: ExprKind::Name(n), .. }) => n.last().to_string(),
            Some(_) => "error".to_string(),
            None => default.to_string(),
        };
        if level == "note" {
            return Ok(());
        }
        let (path, left) = (self.m.path(), self.m.left());
        let live = self.m.d.not(left);
        let enable = self.m.d.and(path, live);
        if self.m.proc.is_none() {
            // During elaboration: a constant function that complains.
            if self.m.d.as_bool(condition) == Some(false) && self.m.d.as_bool(enable) == Some(true) {
                return error(codes::E0310, "an assertion fails during elaboration", span, "always false");
            }
            return Ok(());
        }
        let name = match label {
            Some(l) => {
                let path = self.scope_ref(self.scope).path.clone();
                let base = scope::join(&path, &l.name);
                if self.assert_names.insert(base.clone(), 1).is_none() { base } else { self.assert_name(&l.name, span) }
            }
            None => self.assert_name("assert", span),
        };
        if let Some(p) = &mut self.m.proc {
            let (kind, trigger) = (AssertKind::Assert, enable);
            p.asserts.push(Assert { kind, name, enable, condition, trigger, clock: None, span });
        }
        Ok(())
    }
}
