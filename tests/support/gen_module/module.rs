//! The frame of a module: the package it may import, ports, parameters, and in which order its parts
//! are made.

use super::{Body, Maker, whole};
use crate::support::expr::Expr;
use crate::support::gen_expr::{Gen, Scope, vector};
use crate::support::stmt::{Item, Module};
use crate::support::types::Type;
use std::rc::Rc;

impl Maker<'_> {
    /// Types and functions shared by the modules of the design.
    pub(super) fn package(&mut self) -> Vec<Item> {
        let mut items = vec![];
        let fields = (0..self.rng.u32(2..=4))
            .map(|k| {
                let w = self.rng.u32(1..=7);
                // Icarus 11 takes signed fields for unsigned.
                (format!("f{k}").into(), Type::vector(w, self.rng.bool() && !self.icarus()))
            })
            .collect();
        let record = Type::Struct { name: "rec_t".into(), fields, union: false };
        let n = self.rng.u32(2..=3);
        let rows = Type::Packed { range: (n as i64 - 1, 0), elem: Rc::new(Type::vector(4, false)) };
        let fields = vec![("all".into(), Type::vector(4 * n, false)), ("row".into(), rows)];
        let either = Type::Struct { name: "either_t".into(), fields, union: true };
        // Every value is a member, so that a cast to the type always makes one.
        let mut values: Vec<u64> = (0..4).collect();
        self.rng.shuffle(&mut values);
        let members = ["IDLE", "LOAD", "WORK", "DONE"].into_iter().map(Rc::from).zip(values).collect();
        let state = Type::Enum { name: "state_t".into(), width: 2, members };
        let w = self.rng.u32(2..=9);
        let word = Type::Named { name: "word_t".into(), base: Rc::new(Type::vector(w, self.rng.bool())) };
        for t in [&record, &either, &state, &word] {
            items.push(Item::Raw("typedef", t.typedef().unwrap_or_default()));
        }
        // Icarus 11 fails an assertion on a packed type that comes from a package.
        if !self.icarus() {
            self.types = vec![record, either, state, word];
        }
        items.push(Item::Raw("parameter in package", format!("localparam int DEPTH = {};", self.rng.u32(2..=6))));
        items
    }

    /// Makes a module, with its sub-modules before it in `modules`; gives inputs and outputs.
    #[allow(clippy::type_complexity)]
    pub(super) fn module(
        &mut self,
        name: &str,
        levels: u32,
        modules: &mut Vec<Module>,
    ) -> (Vec<(String, u32)>, Vec<(String, u32)>) {
        let (module, inputs, outputs, _) = self.make(name, levels, modules);
        modules.push(module);
        let flat = |list: Vec<(Rc<str>, Type)>| list.into_iter().map(|(n, t)| (n.to_string(), t.width())).collect();
        (flat(inputs), flat(outputs))
    }

    #[allow(clippy::type_complexity)]
    pub(super) fn make(
        &mut self,
        name: &str,
        levels: u32,
        modules: &mut Vec<Module>,
    ) -> (Module, Vec<(Rc<str>, Type)>, Vec<(Rc<str>, Type)>, Option<i64>) {
        let mut body = Body::default();
        let top = levels > 0;
        let reset: Rc<str> = if self.low_reset { "rst_n".into() } else { "rst".into() };
        let mut inputs = vec![(reset.clone(), Type::vector(1, false))];
        let mut ports = vec!["input logic clk".to_string(), format!("input logic {reset}")];
        // A sub-module has a parameter in its port widths; its body is made for the value it gets.
        let parameter = if top { None } else { Some(self.rng.i64(2..=6)) };
        let mut header = String::new();
        let imports = !self.icarus() && self.rng.bool();
        if imports {
            header += &format!(" import {}::*;", self.package_name);
        }
        if let Some(w) = parameter {
            header += &format!(" #(parameter int W = {}, parameter logic [3:0] K = 4'd9)", (w + 3) % 7 + 1);
            body.early.bounded("W", w, w);
            body.early.var("K", Type::vector(4, false));
        }
        let qualified: Vec<Type> =
            if imports { self.types.clone() } else { self.types.iter().map(|t| self.qualify(t)).collect() };
        for _ in 0..self.rng.u32(2..=4) {
            let n = self.name("in");
            let (ty, text) = match parameter {
                Some(w) if self.rng.bool() => (Type::vector(w as u32, false), format!("input logic [W-1:0] {n}")),
                _ => {
                    let w = self.rng.u32(1..=10);
                    let ty = vector(self.rng, w);
                    let text = format!("input {}", ty.decl(&n));
                    (ty, text)
                }
            };
            body.early.var(n.clone(), ty.clone());
            ports.push(text);
            inputs.push((n, ty));
        }
        body.early.casts = qualified
            .iter()
            .filter(|t| !matches!(t.strip(), Type::Struct { union: true, .. }))
            .cloned()
            .map(Rc::new)
            .collect();
        // Inputs only: what latches may look at.
        let quiet = body.early.clone();
        if self.rng.bool() {
            self.localparams(&mut body);
        }
        for _ in 0..self.rng.u32(0..=2) {
            self.function(&mut body);
        }
        if self.rng.bool() {
            self.task(&mut body);
        }
        // Registers are declared first, so that combinational logic can read them; their processes
        // come last, so that they can read it.
        let registers: Vec<Vec<(Rc<str>, Type)>> =
            (0..self.rng.u32(1..=3)).map(|_| self.registers(&mut body, &qualified)).collect();
        for _ in 0..self.rng.u32(1..=3) {
            match self.rng.u32(0..9) {
                0..=3 => self.combinational(&mut body, &qualified, false),
                4 | 5 => self.continuous(&mut body, false),
                6 | 7 => self.generate(&mut body),
                _ if top && modules.len() < 2 => self.instance(&mut body, modules),
                _ => self.continuous(&mut body, false),
            }
        }
        if top && modules.is_empty() && self.rng.bool() {
            self.instance(&mut body, modules);
        }
        for group in registers {
            self.clocked(&mut body, &group, &reset);
        }
        body.late = body.early.clone();
        if self.one_in(4) {
            self.latch(&mut body, &quiet, &reset);
        }
        if self.rng.bool() {
            self.combinational(&mut body, &qualified, true);
        }
        let mut outputs = vec![];
        for _ in 0..self.rng.u32(2..=4) {
            let n = self.name("out");
            let w = self.rng.u32(1..=14);
            let ty = Type::vector(w, self.rng.bool());
            ports.push(format!("output {}", ty.decl(&n)));
            let from = self.visible(&body.late.clone());
            body.items.push(Item::Assign { to: vec![whole(&n, &ty)], from });
            outputs.push((n, ty));
        }
        let module = Module { name: name.into(), header, ports, items: body.items };
        (module, inputs, outputs, parameter)
    }

    /// A packed value that shows the latest variables: most outputs should depend on state.
    fn visible(&mut self, scope: &Scope) -> Expr {
        if self.one_in(3) {
            return self.expr(scope, 2);
        }
        let last = scope.vars.len().saturating_sub(self.rng.usize(1..=6.min(scope.vars.len())));
        let base = scope.vars[last].clone();
        if base.ty.is_packed() {
            return Expr::Ref(base);
        }
        let mut g = Gen { rng: self.rng, scope, dialect: self.dialect };
        g.select(base).map_or_else(|| g.leaf(), Expr::Ref)
    }

    fn qualify(&self, t: &Type) -> Type {
        let with = |name: &Rc<str>| -> Rc<str> { format!("{}::{name}", self.package_name).into() };
        match t.clone() {
            Type::Struct { name, fields, union } => Type::Struct { name: with(&name), fields, union },
            Type::Enum { name, width, members } => {
                let members = members.iter().map(|(n, v)| (with(n), *v)).collect();
                Type::Enum { name: with(&name), width, members }
            }
            Type::Named { name, base } => Type::Named { name: with(&name), base },
            t => t,
        }
    }

    fn localparams(&mut self, body: &mut Body) {
        let n = self.name("P");
        let ty = Type::vector(self.rng.u32(2..=9), self.rng.bool());
        let value = self.constant(&ty);
        body.items.push(Item::Raw("parameter", format!("localparam {} = {};", ty.decl(&n), value.text(false))));
        body.early.var(n, ty);
        let n = self.name("N");
        let v = self.rng.i64(1..=5);
        body.items.push(Item::Raw("parameter", format!("localparam int {n} = {v};")));
        body.early.bounded(n, v, v);
    }
}
