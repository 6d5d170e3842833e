//! Random sequential statements: assignments of all kinds, branches, cases, loops, procedure calls.

use super::{Class, Context, Maker, Procedure, whole};
use crate::support_vhdl::choices::{self, choices, selector};
use crate::support_vhdl::expr::{Expr, Kid, Sure};
use crate::support_vhdl::library;
use crate::support_vhdl::make::Gen;
use crate::support_vhdl::scope::Object;
use crate::support_vhdl::stmt::Stmt;
use crate::support_vhdl::types::{Kind, Type};
use std::rc::Rc;

impl Maker<'_> {
    /// One to three statements that assign some of the targets.
    pub(super) fn stmts(&mut self, cx: &Context, depth: u32) -> Vec<Stmt> {
        (0..self.rng.u32(1..=3)).map(|_| self.stmt(cx, depth)).collect()
    }

    fn stmt(&mut self, cx: &Context, depth: u32) -> Stmt {
        if depth == 0 {
            return if self.one_in(5) { self.leave(cx) } else { None }.unwrap_or_else(|| self.assignment(cx));
        }
        let d = depth - 1;
        match self.rng.u32(0..24) {
            0..=4 => {
                let arms = (0..self.rng.u32(1..=3)).map(|_| (self.condition(&cx.scope), self.stmts(cx, d))).collect();
                let other = if self.rng.bool() { self.stmts(cx, d) } else { vec![] };
                Stmt::If { arms, other }
            }
            5..=8 => self.case(cx, d),
            9..=11 => self.for_loop(cx, d),
            12 | 13 => self.leave(cx).unwrap_or_else(|| self.assignment(cx)),
            14..=16 => self.call(cx).unwrap_or_else(|| self.assignment(cx)),
            _ => self.assignment(cx),
        }
    }

    /// `exit` or `next`, of the innermost loop or of one with a name.
    fn leave(&mut self, cx: &Context) -> Option<Stmt> {
        let inner = cx.loops.last()?;
        let named: Vec<&Option<String>> = cx.loops.iter().filter(|l| l.is_some()).collect();
        let name = if named.is_empty() || self.one_in(3) { None } else { self.pick(&named).clone() };
        // Without a name it is the innermost loop, whether that has one or not.
        let name = if name == *inner && self.rng.bool() { None } else { name };
        Some(Stmt::Leave { word: self.pick(&["exit", "next"]), name, condition: self.condition(&cx.scope) })
    }

    /// An assignment to a whole target or a part of one.
    pub(super) fn assignment(&mut self, cx: &Context) -> Stmt {
        let (target, op) = self.pick(&cx.targets);
        if self.one_in(20)
            && let Some(s) = self.aggregate_target(cx, op)
        {
            return s;
        }
        let way = self.way(&target.ty);
        let to = Gen { rng: self.rng, scope: &cx.scope }.part(&target, &way).fixed();
        // A slice whose place varies gives an aggregate no bounds.
        let ty = to.ty.clone();
        let source = |e: Expr| match e.sure {
            Sure::Nothing if to.label.ends_with("slice, variable") => {
                Expr::new("qualified expression", ty.clone(), "$0", vec![Kid::arg(e)])
            }
            _ => e,
        };
        // GHDL 2.0 evaluates the target once for each value, and then gets variable bounds wrong.
        if self.one_in(8) && !to.label.ends_with("slice, variable") {
            let values = (0..2).map(|_| source(self.expr(&cx.scope, &to.ty, 2))).collect();
            let conditions = vec![self.condition(&cx.scope)];
            return Stmt::When { to, op, values, conditions };
        }
        let from = source(self.expr(&cx.scope, &to.ty, 3));
        Stmt::Assign { to, op, from }
    }

    /// `(a, b) := …` with two different bits: scalar targets, or elements at fixed places.
    fn aggregate_target(&mut self, cx: &Context, op: &'static str) -> Option<Stmt> {
        let mut bits = vec![];
        // GHDL 2.0 fails an assertion if a name in the target is indexed by a literal of an enumeration.
        let indexed =
            |name: &str| name.split_once('(').is_some_and(|(_, i)| !i.starts_with(|c: char| c.is_ascii_digit()));
        for (o, _) in cx.targets.iter().filter(|t| t.1 == op && !indexed(&t.0.name)) {
            match &o.ty {
                Type::Logic => bits.push(o.name.to_string()),
                Type::Vector(k, r) if *k != Kind::Bits => {
                    bits.extend(r.indices().iter().take(3).map(|i| format!("{}({i})", o.name)));
                }
                _ => {}
            }
        }
        self.rng.shuffle(&mut bits);
        let [a, b, ..] = &bits[..] else { return None };
        let kind = self.pick(&[Kind::Slv, Kind::Unsigned, Kind::Signed]);
        let ty = Type::vector(kind, 2);
        let to = Expr::leaf("aggregate target", ty.clone(), format!("({a}, {b})")).fixed();
        // The target does not tell its type, so the source must.
        let from = self.expr(&cx.scope, &ty, 2);
        let from = Expr::new("qualified expression", ty, "$0", vec![Kid::arg(from)]);
        Some(Stmt::Assign { to, op, from })
    }

    pub(super) fn case(&mut self, cx: &Context, depth: u32) -> Stmt {
        let matching = self.one_in(4);
        let mut g = Gen { rng: self.rng, scope: &cx.scope };
        let ty = selector(&mut g, matching);
        let on = choices::value(&mut g, &ty, 2);
        let (list, complete) = choices(&mut g, &on.ty, matching);
        let mut arms: Vec<(String, Vec<Stmt>)> = list.into_iter().map(|c| (c, self.stmts(cx, depth))).collect();
        if !complete {
            let body = if self.one_in(4) { vec![] } else { self.stmts(cx, depth) };
            arms.push(("others".into(), body));
        }
        Stmt::Case { matching, on, arms }
    }

    fn for_loop(&mut self, cx: &Context, depth: u32) -> Stmt {
        let i = self.name("i");
        let name = self.one_in(3).then(|| self.name("l").to_string());
        let arrays: Vec<Object> = cx
            .targets
            .iter()
            .map(|t| t.0.clone())
            .chain(cx.scope.objects.iter().filter(|o| !o.fixed).cloned())
            .filter(|o| match &o.ty {
                Type::Vector(_, r) => r.len() <= 8,
                Type::Array(a) => a.dims.len() == 1 && a.index.is_none(),
                _ => false,
            })
            .collect();
        let (label, head, low, high) = match self.rng.u32(0..5) {
            0 | 1 if !arrays.is_empty() => {
                let o = self.pick(&arrays);
                let r = match &o.ty {
                    Type::Vector(_, r) => *r,
                    Type::Array(a) => a.dims[0],
                    _ => unreachable!("filtered above"),
                };
                let which = self.pick(&["range", "reverse_range"]);
                let label = if which == "range" { "for 'range" } else { "for 'reverse_range" };
                (label, format!("{}'{which}", o.name), r.low(), r.high())
            }
            2 => {
                let (low, n) = (self.rng.i64(-2..=3), self.rng.i64(0..=3));
                ("for downto", format!("{} downto {low}", low + n), low, low + n)
            }
            _ => {
                let (low, n) = (self.rng.i64(0..=2), self.rng.i64(0..=4));
                ("for to", format!("{low} to {}", low + n), low, low + n)
            }
        };
        let mut inner = cx.clone();
        inner.scope.add(i.clone(), Type::int(low, high));
        inner.loops.push(name.clone());
        let body = self.stmts(&inner, depth.min(1));
        Stmt::Loop { name, head: format!("for {i} in {head} "), also: None, label, body }
    }

    /// `while`, or `loop` with an exit, over a counter of its own: the statements and the counter.
    pub(super) fn counted(&mut self, cx: &Context) -> (Vec<Stmt>, Object) {
        let i = self.name("n");
        let n = self.rng.i64(1..=4);
        let counter = Object { name: i.clone(), ty: Type::int(0, n), fixed: false };
        let mut inner = cx.clone();
        inner.scope.add(i.clone(), Type::int(0, n - 1));
        let start = Stmt::Raw("statement := whole", format!("{i} := 0;"));
        let step = Stmt::Raw("statement := whole", format!("{i} := {i} + 1;"));
        let bound = |text: String| Expr::leaf("loop bound", Type::Boolean, text).fixed();
        let mut body = self.stmts(&inner, 1);
        let stmt = if self.rng.bool() {
            body.push(step);
            // Data may end it earlier; the counter ends it at all.
            let also = self.one_in(3).then(|| self.expr(&inner.scope, &Type::Boolean, 2));
            Stmt::Loop { name: None, head: format!("while {i} < {n} "), also, label: "while", body }
        } else {
            body.insert(0, Stmt::Leave { word: "exit", name: None, condition: bound(format!("{i} = {n}")) });
            body.push(step);
            Stmt::Loop { name: None, head: String::new(), also: None, label: "without scheme", body }
        };
        (vec![start, stmt], counter)
    }

    /// A call of a procedure whose outputs are targets.
    fn call(&mut self, cx: &Context) -> Option<Stmt> {
        if self.one_in(3) {
            return self.library_call(cx);
        }
        let fits = |class: Class, ty: &Type| {
            let op = if class == Class::OutSignal { "<=" } else { ":=" };
            cx.targets.iter().filter(|t| t.1 == op && t.0.ty == *ty).map(|t| t.0.clone()).collect::<Vec<_>>()
        };
        let callable: Vec<Rc<Procedure>> = cx
            .procedures
            .iter()
            .filter(|p| p.params.iter().all(|(_, c, t)| *c == Class::In || !fits(*c, t).is_empty()))
            .cloned()
            .collect();
        if callable.is_empty() {
            return None;
        }
        let p = self.pick(&callable);
        let named = self.one_in(3);
        let mut holes = vec![];
        let mut kids = vec![];
        for (n, (name, class, ty)) in p.params.iter().enumerate() {
            let actual = match class {
                Class::In => Kid::arg(self.expr(&cx.scope, ty, 2)),
                _ => Kid::arg(whole(&self.pick(&fits(*class, ty)))),
            };
            kids.push(actual);
            holes.push(if named { format!("{name} => ${n}") } else { format!("${n}") });
        }
        let signal = p.params.iter().any(|x| x.1 == Class::OutSignal);
        let label = match (signal, named) {
            (true, false) => "procedure call, signal",
            (false, false) => "procedure call, variable",
            _ => "procedure call, named",
        };
        let text = format!("{}({})", p.name, holes.join(", "));
        Some(Stmt::Call(Expr::new(label, Type::Boolean, text, kids).fixed()))
    }

    /// A call of one of the hand-written procedures on vectors of any length.
    fn library_call(&mut self, cx: &Context) -> Option<Stmt> {
        let vectors: Vec<&(Object, &'static str)> =
            cx.targets.iter().filter(|t| matches!(t.0.ty, Type::Vector(k, _) if k != Kind::Bits)).collect();
        if vectors.is_empty() {
            return None;
        }
        let (target, op) = self.pick(&vectors).clone();
        let Type::Vector(kind, r) = target.ty else { return None };
        library::procedure(&mut Gen { rng: self.rng, scope: &cx.scope }, whole(&target), kind, r.len(), op == "<=")
            .map(Stmt::Call)
    }
}
