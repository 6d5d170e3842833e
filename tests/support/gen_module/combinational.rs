//! Logic without state: combinational processes and continuous assignments.

use super::{Body, Maker, whole};
use crate::support::expr::{Expr, Ref, Step};
use crate::support::gen_expr::{Gen, vector};
use crate::support::stmt::{Block, Item, Stmt};
use crate::support::types::Type;

impl Maker<'_> {
    /// A process that assigns every variable it owns on every path: defaults first.
    pub(super) fn combinational(&mut self, body: &mut Body, named: &[Type], late: bool) {
        let mut group = vec![];
        for k in 0..self.rng.u32(1..=3) {
            let n = self.name("c");
            let mut ty = self.variable_type(named, true);
            if k == 0 && self.icarus() {
                let w = self.rng.u32(1..=9);
                ty = vector(self.rng, w);
            }
            if let (Some(task), true) = (body.tasks.first(), self.one_in(3)) {
                ty = Type::vector(task.output, self.rng.bool());
            }
            body.items.push(Item::Raw("variable declaration", format!("{};", ty.decl(&n))));
            group.push((n, ty));
        }
        let scope = if late { body.late.clone() } else { body.early.clone() };
        let mut block = Block::default();
        for (k, (n, t)) in group.iter().enumerate() {
            let default = match t {
                // Looking at the reset wakes an always @* that would see constants only.
                _ if k == 0 && self.icarus() => {
                    let reset = Expr::var(if self.low_reset { "rst_n" } else { "rst" }, Type::vector(1, false));
                    let (a, b) = (self.expr(&scope, 1), self.expr(&scope, 1));
                    let from = Expr::Cond(reset.boxed(), Expr::Paren(a.boxed()).boxed(), b.boxed());
                    Stmt::Assign { to: vec![whole(n, t)], op: "=", from }
                }
                Type::Array { range: (l, r), elem } => {
                    let i = self.name("i");
                    let mut inner = scope.clone();
                    inner.bounded(i.clone(), *l, *r);
                    let mut to = whole(n, t);
                    let index = inner.vars.last().cloned().map(Expr::Ref).unwrap_or_else(|| Expr::int(0));
                    to.steps.push(Step::Index(index.boxed()));
                    let from = if self.rng.bool() { self.expr(&inner, 1) } else { self.constant(elem) };
                    let body = Block::of(vec![Stmt::Assign { to: vec![to], op: "=", from }]);
                    let head = format!("for (int {i} = {l}; {i} <= {r}; {i} = {i} + 1)");
                    Stmt::Loop { head, label: "for", body, tail: String::new() }
                }
                Type::Enum { .. } => Stmt::Assign { to: vec![whole(n, t)], op: "=", from: self.constant(t) },
                _ => Stmt::Assign { to: vec![whole(n, t)], op: "=", from: self.expr(&scope, 2) },
            };
            block.stmts.push(default);
        }
        let mut inner = scope.clone();
        for (n, t) in &group {
            inner.var(n.clone(), t.clone());
        }
        let targets: Vec<Ref> = group.iter().map(|(n, t)| whole(n, t)).collect();
        let inner = self.locals(&mut block, &inner, true);
        block.stmts.extend(self.stmts(&inner, &targets, "=", 2, &body.tasks, false));
        if self.one_in(4) {
            let counted = self.counted(&inner, &targets, "=");
            block.locals.extend(counted.locals);
            block.stmts.extend(counted.stmts);
        }
        let (head, label) = match self.rng.u32(0..4) {
            0 => ("always @*", "process always @*"),
            1 => ("always @(*)", "process always @(*)"),
            _ if self.icarus() => ("always @*", "process always @*"),
            _ => ("always_comb", "process always_comb"),
        };
        body.items.push(Item::Process { label, head: head.into(), body: block, tail: "" });
        let scope = if late { &mut body.late } else { &mut body.early };
        for (n, t) in group {
            scope.var(n, t);
        }
    }

    pub(super) fn continuous(&mut self, body: &mut Body, late: bool) {
        let scope = if late { body.late.clone() } else { body.early.clone() };
        let n = self.name("w");
        let w = self.rng.u32(1..=12);
        let ty = vector(self.rng, w);
        let from = Gen { rng: self.rng, scope: &scope, dialect: self.dialect }.source(3, w);
        match self.rng.u32(0..3) {
            0 => body.items.push(Item::Raw("net with value", format!("wire {} = {};", ty.decl(&n), from.text(false)))),
            1 if w > 1 => {
                // Two targets share one value.
                let m = self.name("w");
                let second = Type::vector(self.rng.u32(1..=5), false);
                body.items.push(Item::Raw("variable declaration", format!("{};", ty.decl(&n))));
                body.items.push(Item::Raw("variable declaration", format!("{};", second.decl(&m))));
                let from = self.expr(&scope, 3);
                body.items.push(Item::Assign { to: vec![whole(&n, &ty), whole(&m, &second)], from });
                body.early.var(m, second);
            }
            _ => {
                body.items.push(Item::Raw("variable declaration", format!("{};", ty.decl(&n))));
                body.items.push(Item::Assign { to: vec![whole(&n, &ty)], from });
            }
        }
        let scope = if late { &mut body.late } else { &mut body.early };
        scope.var(n, ty);
    }
}
