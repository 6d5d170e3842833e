//! What holds a value: registers and memories with every kind of reset, and latches.

use super::{Body, Maker, whole};
use crate::support::expr::{Expr, Lit, Ref, Step};
use crate::support::gen_expr::Scope;
use crate::support::stmt::{Block, Item, Stmt};
use crate::support::types::{Ty, Type};
use std::rc::Rc;

impl Maker<'_> {
    /// Declares the variables of one register process.
    pub(super) fn registers(&mut self, body: &mut Body, named: &[Type]) -> Vec<(Rc<str>, Type)> {
        let mut group = vec![];
        for _ in 0..self.rng.u32(1..=3) {
            let n = self.name("q");
            let ty = self.variable_type(named, true);
            body.early.var(n.clone(), ty.clone());
            group.push((n, ty));
        }
        group
    }

    /// The process of some registers, with their declarations put before all else.
    pub(super) fn clocked(&mut self, body: &mut Body, group: &[(Rc<str>, Type)], reset: &Rc<str>) {
        let targets: Vec<Ref> = group.iter().map(|(n, t)| whole(n, t)).collect();
        let scope = body.early.clone();
        let has_reset = !self.initialised || self.rng.bool();
        // Icarus sees a falling edge at time zero, when the clock gets its first value; only a reset
        // makes up for it.
        let falling = !self.initialised && self.one_in(4);
        let asynchronous = has_reset && self.rng.bool();
        let mut normal = Block::default();
        let locals = self.locals(&mut normal, &scope, true);
        normal.stmts.extend(self.stmts(&locals, &targets, "<=", 2, &body.tasks, false));
        if self.one_in(3) {
            let cond = self.condition(&scope);
            let inner = std::mem::take(&mut normal);
            normal.stmts.push(Stmt::If { qualifier: "", cond, then: inner, other: None });
        }
        let mut initial = vec![];
        let block = if has_reset {
            let then = Block::of(group.iter().map(|(n, t)| self.reset(n, t)).collect());
            let active = Expr::var(reset.clone(), Type::vector(1, false));
            let cond = match (self.low_reset, self.rng.bool()) {
                (true, true) => Expr::Unary("!", active.boxed()),
                (true, false) => Expr::Unary("~", active.boxed()),
                (false, true) if !asynchronous => {
                    equal(active, Expr::Lit(Lit::binary(1, Ty { width: 1, signed: false })))
                }
                (false, _) => active,
            };
            Block::of(vec![Stmt::If { qualifier: "", cond, then, other: Some(normal) }])
        } else {
            normal
        };
        // A variable of an always_ff must not be written by any other process.
        let plain = self.initialised && self.rng.bool();
        for (n, t) in group {
            let text = self.initial(n, t, plain, &mut initial);
            body.items.insert(0, Item::Raw("register declaration", text));
        }
        if !initial.is_empty() {
            body.items.push(Item::Raw("initial block", format!("initial begin {} end", initial.join(" "))));
        }
        let keyword = if plain || self.one_in(3) { "always" } else { "always_ff" };
        let edge = if falling { "negedge" } else { "posedge" };
        let (list, label) = match (asynchronous, self.low_reset) {
            (true, true) => (format!("{edge} clk or negedge {reset}"), "process with asynchronous reset, active low"),
            (true, false) => (format!("{edge} clk, posedge {reset}"), "process with asynchronous reset, active high"),
            _ if has_reset => (format!("{edge} clk"), "process with synchronous reset"),
            _ => (format!("{edge} clk"), "process without reset"),
        };
        body.items.push(Item::Process { label, head: format!("{keyword} @({list})"), body: block, tail: "" });
    }

    /// The statement that resets one variable.
    fn reset(&mut self, n: &Rc<str>, t: &Type) -> Stmt {
        let Type::Array { range: (l, r), elem } = t else {
            let from = self.constant(t);
            return Stmt::Assign { to: vec![whole(n, t)], op: "<=", from };
        };
        if !self.icarus() && self.rng.bool() {
            let values = vec![self.constant(elem)];
            return Stmt::Pattern { to: whole(n, t), op: "<=", keys: vec!["default".into()], values };
        }
        let i = self.name("i");
        let mut scope = Scope::default();
        scope.bounded(i.clone(), *l, *r);
        let mut to = whole(n, t);
        to.steps.push(Step::Index(Expr::Ref(scope.vars[0].clone()).boxed()));
        let from = self.constant(elem);
        let body = Block::of(vec![Stmt::Assign { to: vec![to], op: "<=", from }]);
        Stmt::Loop { head: format!("for (int {i} = {l}; {i} <= {r}; {i}++)"), label: "for", body, tail: String::new() }
    }

    /// The declaration of a register, with its initial value if there is to be one.
    fn initial(&mut self, n: &Rc<str>, t: &Type, plain: bool, initial: &mut Vec<String>) -> String {
        if !self.initialised {
            return format!("{};", t.decl(n));
        }
        match t {
            Type::Array { range: (l, r), elem } => {
                let value = self.constant(elem).text(false);
                // Not an always_ff, or the reader is strict about a second process: Verilator is not.
                if !self.icarus() && self.rng.bool() {
                    return format!("{} = '{{default: {value}}};", t.decl(n));
                }
                initial.push(format!("for (int k = {l}; k <= {r}; k++) {n}[k] = {value};"));
                format!("{};", t.decl(n))
            }
            _ => {
                let value = self.constant(t).text(false);
                if plain {
                    initial.push(format!("{n} = {value};"));
                    format!("{};", t.decl(n))
                } else {
                    format!("{} = {value};", t.decl(n))
                }
            }
        }
    }

    pub(super) fn latch(&mut self, body: &mut Body, quiet: &Scope, reset: &Rc<str>) {
        let n = self.name("l");
        let ty = Type::vector(self.rng.u32(1..=6), self.rng.bool());
        let init = self.constant(&ty);
        let target = whole(&n, &ty);
        let store = |from| Block::of(vec![Stmt::Assign { to: vec![target.clone()], op: "=", from }]);
        let clk = Expr::var("clk", Type::vector(1, false));
        let high = self.rng.bool();
        let mut open = if high { clk } else { Expr::Unary("!", clk.boxed()) };
        if high && self.rng.bool() {
            // The gate comes from inputs, which are stable while the clock is high.
            let gate = self.condition(quiet);
            if gate.valid(self.dialect) {
                open = Expr::Binary("&&", open.boxed(), Expr::Paren(gate.boxed()).boxed());
            }
        }
        let data = store(self.expr(quiet, 2));
        let hold = Stmt::If { qualifier: "", cond: open, then: data, other: None };
        let stmt = if self.initialised {
            body.items.push(Item::Raw("latch declaration", format!("{} = {};", ty.decl(&n), init.text(false))));
            hold
        } else {
            body.items.push(Item::Raw("latch declaration", format!("{};", ty.decl(&n))));
            let active = Expr::var(reset.clone(), Type::vector(1, false));
            let cond = if self.low_reset { Expr::Unary("!", active.boxed()) } else { active };
            Stmt::If { qualifier: "", cond, then: store(init), other: Some(Block::of(vec![hold])) }
        };
        let (head, label) = if self.rng.bool() {
            ("always_latch", "process always_latch")
        } else {
            ("always @*", "process latch in always @*")
        };
        body.items.push(Item::Process { label, head: head.into(), body: Block::of(vec![stmt]), tail: "" });
        body.late.var(n, ty);
    }
}

fn equal(a: Expr, b: Expr) -> Expr {
    Expr::Binary("==", a.boxed(), b.boxed())
}
