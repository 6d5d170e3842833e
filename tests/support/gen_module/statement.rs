//! Statements with other statements inside: blocks, branches, cases and loops.

use super::assignment::plain;
use super::{Maker, Task, whole};
use crate::support::expr::{Expr, Ref};
use crate::support::gen_expr::{Scope, corner, vector};
use crate::support::stmt::{Block, CaseKind, Stmt};
use crate::support::types::Type;
use std::rc::Rc;

impl Maker<'_> {
    /// Adds local variables to a block, assigns them, and gives the scope with them.
    pub(super) fn locals(&mut self, block: &mut Block, scope: &Scope, maybe: bool) -> Scope {
        let mut scope = scope.clone();
        if maybe && !self.one_in(3) {
            return scope;
        }
        for _ in 0..self.rng.u32(1..=2) {
            let n = self.name("t");
            let w = self.rng.u32(1..=10);
            let ty = if self.one_in(4) { Type::ATOMS[self.rng.usize(0..6)].clone() } else { vector(self.rng, w) };
            let from = self.expr(&scope, 2);
            block.stmts.push(Stmt::Assign { to: vec![whole(&n, &ty)], op: "=", from });
            scope.var(n.clone(), ty.clone());
            block.locals.push((n, ty));
        }
        scope
    }

    /// Statements that assign some of the targets.
    pub(super) fn stmts(
        &mut self,
        scope: &Scope,
        targets: &[Ref],
        op: &'static str,
        depth: u32,
        tasks: &[Task],
        in_loop: bool,
    ) -> Vec<Stmt> {
        let n = self.rng.u32(1..=3);
        (0..n).map(|_| self.stmt(scope, targets, op, depth, tasks, in_loop)).collect()
    }

    fn block(
        &mut self,
        scope: &Scope,
        targets: &[Ref],
        op: &'static str,
        depth: u32,
        tasks: &[Task],
        in_loop: bool,
    ) -> Block {
        let mut block = Block::default();
        let inner = self.locals(&mut block, scope, true);
        block.stmts.extend(self.stmts(&inner, targets, op, depth, tasks, in_loop));
        block
    }

    fn stmt(
        &mut self,
        scope: &Scope,
        targets: &[Ref],
        op: &'static str,
        depth: u32,
        tasks: &[Task],
        in_loop: bool,
    ) -> Stmt {
        if depth == 0 {
            return self.assignment(scope, targets, op);
        }
        let d = depth - 1;
        match self.rng.u32(0..20) {
            0..=3 => {
                let cond = self.condition(scope);
                let then = self.block(scope, targets, op, d, tasks, in_loop);
                let other = self.rng.bool().then(|| self.block(scope, targets, op, d, tasks, in_loop));
                let qualifier = if other.is_some() && self.one_in(6) { "priority " } else { "" };
                // Icarus 11 reads qualifiers on case only.
                Stmt::If { qualifier: if self.icarus() { "" } else { qualifier }, cond, then, other }
            }
            4..=7 => self.case(scope, targets, op, d, tasks, in_loop),
            8..=10 => self.looped(scope, targets, op, d, tasks),
            11 if in_loop && !self.icarus() => {
                let word = if self.rng.bool() { "break" } else { "continue" };
                Stmt::Leave { cond: self.condition(scope), word }
            }
            12 if op == "=" && !tasks.is_empty() && !self.icarus() => {
                let task = &tasks[self.rng.usize(0..tasks.len())];
                let (name, n) = (task.name.clone(), task.inputs);
                // Verilator 5.006 does not convert between an output and what is connected to it.
                let packed: Vec<&Ref> = targets.iter().filter(|t| plain(t) && t.ty.width() == task.output).collect();
                match packed.first() {
                    Some(output) => {
                        let inputs = (0..n).map(|_| self.expr(scope, 2)).collect();
                        Stmt::Call { name, inputs, output: (*output).clone() }
                    }
                    None => self.assignment(scope, targets, op),
                }
            }
            _ => self.assignment(scope, targets, op),
        }
    }

    fn case(
        &mut self,
        scope: &Scope,
        targets: &[Ref],
        op: &'static str,
        depth: u32,
        tasks: &[Task],
        in_loop: bool,
    ) -> Stmt {
        let enums: Vec<Ref> =
            scope.vars.iter().filter(|v| matches!(v.ty.strip(), Type::Enum { .. })).cloned().collect();
        if !enums.is_empty() && self.rng.bool() {
            let on = self.pick(&enums).clone();
            let Type::Enum { members, .. } = on.ty.strip().clone() else { unreachable!("filtered above") };
            let n = self.rng.usize(1..=members.len());
            let arms = members[..n]
                .iter()
                .map(|(m, _)| (vec![m.to_string()], self.block(scope, targets, op, depth, tasks, in_loop)))
                .collect();
            let default = self.block(scope, targets, op, depth, tasks, in_loop);
            let qualifier = *self.pick(&["", "unique ", "priority "]);
            return Stmt::Case { qualifier, kind: CaseKind::Plain, on: Expr::Ref(on), arms, default };
        }
        let on = loop {
            let e = self.expr(scope, 1);
            if e.sized() && e.closed() && !e.ty().signed && e.ty().width <= 8 {
                break e;
            }
        };
        let w = on.ty().width;
        let kind = match self.rng.u32(0..5) {
            0 | 1 => CaseKind::Wild,
            2 if !self.icarus() => CaseKind::Inside,
            _ => CaseKind::Plain,
        };
        let mut seen = vec![];
        let mut arms = vec![];
        for _ in 0..self.rng.u32(1..=3) {
            let labels = (0..self.rng.u32(1..=2)).map(|_| self.label(kind, w, &mut seen)).collect();
            arms.push((labels, self.block(scope, targets, op, depth, tasks, in_loop)));
        }
        let default = self.block(scope, targets, op, depth, tasks, in_loop);
        // `unique` promises that the labels do not overlap; only distinct constants keep that promise.
        let mut distinct = seen.clone();
        distinct.sort_unstable();
        distinct.dedup();
        let exclusive = kind == CaseKind::Plain && distinct.len() == seen.len();
        let qualifier = *self.pick(if exclusive { &["", "unique ", "priority "][..] } else { &["", "priority "] });
        Stmt::Case { qualifier, kind, on, arms, default }
    }

    fn label(&mut self, kind: CaseKind, w: u32, seen: &mut Vec<u128>) -> String {
        let mut bits = corner(self.rng, w);
        if kind == CaseKind::Plain {
            seen.push(bits);
            return format!("{w}'d{bits}");
        }
        if kind == CaseKind::Inside && self.rng.bool() {
            let high = corner(self.rng, w).max(bits);
            return format!("[{w}'h{bits:x}:{w}'h{high:x}]");
        }
        let digits: String = (0..w)
            .map(|_| {
                let d = if self.one_in(3) { '?' } else { [b'0', b'1'][(bits & 1) as usize] as char };
                bits >>= 1;
                d
            })
            .collect();
        format!("{w}'b{digits}")
    }

    fn looped(&mut self, scope: &Scope, targets: &[Ref], op: &'static str, depth: u32, tasks: &[Task]) -> Stmt {
        let i = self.name("i");
        let n = self.rng.i64(1..=4);
        let mut inner = scope.clone();
        inner.vars.truncate(scope.vars.len());
        let arrays: Vec<Ref> = targets.iter().filter(|t| !t.ty.is_packed()).cloned().collect();
        let kind = self.rng.u32(0..8);
        let (label, head, tail, known) = match kind {
            0 => ("repeat", format!("repeat ({n})"), String::new(), None),
            1 | 2 if !arrays.is_empty() => {
                let a = self.pick(&arrays);
                let (l, r) = a.ty.range().unwrap_or((0, 0));
                ("foreach", format!("foreach ({}[{i}])", a.name), String::new(), Some((l.min(r), l.max(r))))
            }
            3 => ("for down", format!("for (int {i} = {n}; {i} >= 0; {i}--)"), String::new(), Some((0, n))),
            4 => (
                "for step",
                format!("for (int {i} = 0; {i} < {}; {i} += 2)", 2 * n),
                String::new(),
                Some((0, 2 * n - 2)),
            ),
            _ => ("for", format!("for (int {i} = 0; {i} < {n}; {i}++)"), String::new(), Some((0, n - 1))),
        };
        if let Some((low, high)) = known {
            inner.bounded(i, low, high);
        }
        let body = self.block(&inner, targets, op, depth.min(1), tasks, true);
        Stmt::Loop { head, label, body, tail }
    }

    /// A loop with its own counter: `while`, `do`.
    pub(super) fn counted(&mut self, scope: &Scope, targets: &[Ref], op: &'static str) -> Block {
        let i = self.name("n");
        let n = self.rng.i64(1..=4);
        let mut inner = scope.clone();
        inner.bounded(i.clone(), 0, n - 1);
        let counter = Ref { name: i.clone(), ty: Rc::new(Type::int()), bounds: None, steps: vec![] };
        let mut body = Block::of(self.stmts(&inner, targets, op, 0, &[], false));
        body.stmts.push(if self.rng.bool() {
            Stmt::Bump { to: counter.clone(), op: "++", before: self.rng.bool() }
        } else {
            Stmt::Assign {
                to: vec![counter.clone()],
                op: "=",
                from: Expr::Binary("+", Expr::Ref(counter.clone()).boxed(), Expr::int(1).boxed()),
            }
        });
        let start = Stmt::Assign { to: vec![counter], op: "=", from: Expr::int(0) };
        let (label, head, tail) = if self.rng.bool() {
            ("while", format!("while ({i} < {n})"), String::new())
        } else {
            ("do while", "do".into(), format!(" while ({i} < {n});"))
        };
        Block { locals: vec![(i, Type::int())], stmts: vec![start, Stmt::Loop { head, label, body, tail }] }
    }
}
