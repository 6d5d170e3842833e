//! Generate constructs, and sub-modules with their instances.

use super::{Body, Maker, whole};
use crate::support::expr::{Expr, Step};
use crate::support::expr_batch::fits;
use crate::support::gen_expr::{Gen, Scope};
use crate::support::stmt::{Item, Module};
use crate::support::types::Type;

impl Maker<'_> {
    /// A vector driven piece by piece from a generate construct.
    pub(super) fn generate(&mut self, body: &mut Body) {
        let y = self.name("g");
        let (n, k) = (self.rng.i64(2..=4), self.rng.i64(1..=4));
        let ty = Type::vector((n * k) as u32, false);
        body.items.push(Item::Raw("variable declaration", format!("{};", ty.decl(&y))));
        let g = self.name("gv");
        let mut scope = body.early.clone();
        let mut piece = whole(&y, &ty);
        let loops = self.rng.bool();
        if loops {
            scope.bounded(g.clone(), 0, n - 1);
            let index = scope.vars.last().cloned().map(Expr::Ref).unwrap_or_else(|| Expr::int(0));
            let base = if k == 1 { index } else { Expr::Binary("*", index.boxed(), Expr::int(k).boxed()) };
            piece.steps.push(Step::Indexed { base: base.boxed(), width: k as u32, up: true });
        }
        let drive = |maker: &mut Self, scope: &Scope| Item::Assign {
            to: vec![piece.clone()],
            from: Gen { rng: maker.rng, scope, dialect: maker.dialect }.expr(2),
        };
        let item = match self.rng.u32(0..3) {
            0 => vec![drive(self, &scope)],
            1 => {
                let selector = if loops { format!("{g} == {}", self.rng.i64(0..n)) } else { format!("{n} > {k}") };
                let first = (format!("if ({selector}) begin : first"), vec![drive(self, &scope)]);
                let second = ("end else begin : second".to_string(), vec![drive(self, &scope)]);
                vec![Item::Generate { label: "generate if", branches: vec![first, second], tail: "end" }]
            }
            _ => {
                let selector = if loops { g.to_string() } else { n.to_string() };
                let first = (format!("case ({selector}) 0, 2: begin : even"), vec![drive(self, &scope)]);
                let second = ("end default: begin : odd".to_string(), vec![drive(self, &scope)]);
                vec![Item::Generate { label: "generate case", branches: vec![first, second], tail: "end endcase" }]
            }
        };
        if loops {
            let block = self.name("blk");
            let head = if self.rng.bool() {
                format!("for (genvar {g} = 0; {g} < {n}; {g}++) begin : {block}")
            } else {
                format!("genvar {g}; generate for ({g} = 0; {g} < {n}; {g} = {g} + 1) begin : {block}")
            };
            let tail = if head.starts_with("genvar") { "end endgenerate" } else { "end" };
            body.items.push(Item::Generate { label: "generate for", branches: vec![(head, item)], tail });
        } else {
            body.items.extend(item);
        }
        body.early.var(y, ty);
    }

    /// A sub-module and an instance of it, connected by name, by position or by `.*`.
    pub(super) fn instance(&mut self, body: &mut Body, modules: &mut Vec<Module>) {
        let name = format!("{}_sub{}", self.prefix, modules.len());
        let saved = std::mem::take(&mut self.funcs);
        let (module, inputs, outputs, parameter) = self.make(&name, 0, modules);
        self.funcs = saved;
        modules.push(module);
        let style = self.rng.u32(0..3);
        let mut connections: Vec<(String, Expr)> = vec![];
        let reset = inputs[0].0.clone();
        let scope = body.early.clone();
        for (n, t) in &inputs[1..] {
            let e = loop {
                let e = self.expr(&scope, 2);
                // Icarus 11 does not extend a port connection in its context.
                if !self.icarus() || fits(&e, t) {
                    break e;
                }
            };
            if style == 2 {
                // Implicit connections need variables of the ports' names.
                body.items.push(Item::Raw("variable declaration", format!("{};", t.decl(n))));
                body.items.push(Item::Assign { to: vec![whole(n, t)], from: e });
            } else {
                let open = if style == 0 { format!("), .{n}(") } else { ", ".to_string() };
                connections.push((open, e));
            }
        }
        for (n, t) in &outputs {
            body.items.push(Item::Raw("variable declaration", format!("{};", t.decl(n))));
        }
        let values = match parameter {
            Some(w) if self.rng.bool() => format!(" #(.W({w}), .K({}))", self.rng.u32(0..16)),
            Some(w) => format!(" #({w})"),
            None => String::new(),
        };
        let unit = self.name("u");
        let (head, tail, label) = match style {
            0 => {
                let outs: String = outputs.iter().map(|(n, _)| format!(", .{n}({n})")).collect();
                let tail = format!("){outs});");
                (format!("{name}{values} {unit}(.clk, .{reset}({reset}"), tail, "instance by name")
            }
            1 => {
                let outs: String = outputs.iter().map(|(n, _)| format!(", {n}")).collect();
                (format!("{name}{values} {unit}(clk, {reset}"), format!("{outs});"), "instance by position")
            }
            _ => (format!("{name}{values} {unit}(.*);"), String::new(), "instance by .*"),
        };
        body.items.push(Item::Instance { label, head, inputs: connections, tail });
        for (n, t) in outputs {
            body.early.var(n, t);
        }
    }
}
