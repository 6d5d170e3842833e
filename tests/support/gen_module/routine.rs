//! Functions, void functions and tasks.

use super::{Body, Maker, Task, whole};
use crate::support::expr::{Expr, Func};
use crate::support::gen_expr::{Scope, vector};
use crate::support::stmt::{Block, Item, Stmt};
use crate::support::types::Type;
use std::rc::Rc;

impl Maker<'_> {
    /// A function of its arguments with locals, branches, a loop and perhaps early returns.
    pub(super) fn function(&mut self, body: &mut Body) {
        let name = self.name("fn");
        let mut scope = Scope { funcs: body.early.funcs.clone(), casts: body.early.casts.clone(), ..Scope::default() };
        let mut args = vec![];
        for _ in 0..self.rng.u32(1..=3) {
            let n = self.name("p");
            let w = self.rng.u32(1..=10);
            let ty = if self.one_in(4) { Type::ATOMS[self.rng.usize(0..6)].clone() } else { vector(self.rng, w) };
            scope.var(n.clone(), ty.clone());
            args.push((n, Rc::new(ty)));
        }
        let ret = Type::vector(self.rng.u32(1..=12), self.rng.bool());
        let mut block = Block::default();
        let local = self.name("r");
        let target = whole(&local, &ret);
        block.locals.push((local.clone(), ret.clone()));
        block.stmts.push(Stmt::Assign { to: vec![target.clone()], op: "=", from: self.expr(&scope, 2) });
        let mut inner = scope.clone();
        inner.var(local.clone(), ret.clone());
        let inner = self.locals(&mut block, &inner, true);
        block.stmts.extend(self.stmts(&inner, std::slice::from_ref(&target), "=", 2, &[], false));
        if self.one_in(3) {
            let early = Stmt::Return(self.expr(&inner, 1));
            let cond = self.condition(&inner);
            block.stmts.push(Stmt::If { qualifier: "", cond, then: Block::of(vec![early]), other: None });
            block.stmts.extend(self.stmts(&inner, std::slice::from_ref(&target), "=", 1, &[], false));
        }
        let result = Expr::Ref(target);
        block.stmts.push(if self.rng.bool() {
            Stmt::Return(result)
        } else {
            Stmt::Assign { to: vec![whole(&name, &ret)], op: "=", from: result }
        });
        let list: Vec<String> = args.iter().map(|(n, t)| format!("input {}", t.decl(n))).collect();
        let head = format!("function automatic {} ({});", ret.decl(&name), list.join(", "));
        body.items.push(Item::Process { label: "function", head, body: block, tail: "endfunction" });
        let named_call = !self.icarus() && self.one_in(3);
        body.early.funcs.push(Rc::new(Func { name, args, ret: Rc::new(ret), named_call }));
    }

    pub(super) fn task(&mut self, body: &mut Body) {
        let name = self.name("task");
        let mut scope = Scope { funcs: body.early.funcs.clone(), ..Scope::default() };
        let n = self.rng.usize(1..=2);
        let mut list = vec![];
        for _ in 0..n {
            let p = self.name("p");
            let w = self.rng.u32(1..=10);
            let ty = vector(self.rng, w);
            list.push(format!("input {}", ty.decl(&p)));
            scope.var(p, ty);
        }
        let out = self.name("p");
        let ty = Type::vector(self.rng.u32(1..=10), self.rng.bool());
        list.push(format!("output {}", ty.decl(&out)));
        let (target, width) = (whole(&out, &ty), ty.width());
        let mut block = Block::default();
        block.stmts.push(Stmt::Assign { to: vec![target.clone()], op: "=", from: self.expr(&scope, 2) });
        let mut inner = scope.clone();
        inner.var(out, ty);
        block.stmts.extend(self.stmts(&inner, &[target], "=", 2, &[], false));
        let (head, tail, label) = if self.rng.bool() && !self.icarus() {
            ("function automatic void", "endfunction", "void function")
        } else {
            ("task automatic", "endtask", "task")
        };
        let head = format!("{head} {name}({});", list.join(", "));
        body.items.push(Item::Process { label, head, body: block, tail });
        body.tasks.push(Task { name, inputs: n, output: width });
    }
}
