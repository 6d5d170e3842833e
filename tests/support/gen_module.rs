//! Makes random small modules: registers with every kind of reset, latches, memories, combinational
//! processes, loops, functions and tasks, generate blocks, packages and instances.
//!
//! Every module is deterministic. Either all state has an initial value, or all of it is reset in the
//! second cycle; a value never depends on the order in which processes run. In particular a latch
//! feeds outputs only, and its enable and data come from inputs, which change while the clock is low.

use super::expr::{Cast, Dialect, Expr, Func, Lit, Ref, Step};
use super::expr_batch::{fits, value};
use super::gen_expr::{Gen, Scope, corner, vector};
use super::oracle::Dut;
use super::stmt::{Block, CaseKind, Depth, Item, Module, Part, Stmt};
use super::types::{Ty, Type, span};
use fastrand::Rng;
use std::rc::Rc;

/// A generated design: a package, sub-modules and a top, with the ports of the top.
#[derive(Clone, Debug)]
pub struct Design {
    pub dialect: Dialect,
    package: Vec<Item>,
    package_name: String,
    modules: Vec<Module>,
    inputs: Vec<(String, u32)>,
    outputs: Vec<(String, u32)>,
    /// Whether state is known from the start or only after the reset.
    initialised: bool,
    /// The reset port is active at this level.
    reset_level: char,
}

/// A task or void function: input types and the type of the output.
struct Task {
    name: Rc<str>,
    inputs: usize,
    output: u32,
}

/// What the generator carries along.
struct Maker<'a> {
    rng: &'a mut Rng,
    dialect: Dialect,
    prefix: String,
    count: u32,
    initialised: bool,
    low_reset: bool,
    funcs: Vec<Rc<Func>>,
    types: Vec<Type>,
    package_name: String,
}

/// A module in the making.
#[derive(Default)]
struct Body {
    items: Vec<Item>,
    /// What may be read by anything.
    early: Scope,
    /// What may only be read on the way to an output.
    late: Scope,
    tasks: Vec<Task>,
}

impl Design {
    /// A design whose names all start with `prefix`, the same for the same seed.
    pub fn random(seed: u64, prefix: &str, dialect: Dialect) -> Design {
        let mut rng = Rng::with_seed(seed);
        // Icarus hangs in always_comb processes that read what they write, and an always @* there
        // starts with its first event, so initial values do not reach it at once.
        let (initialised, low_reset) = (rng.bool() && !dialect.icarus, rng.bool());
        let mut maker = Maker {
            rng: &mut rng,
            dialect,
            prefix: prefix.into(),
            count: 0,
            initialised,
            low_reset,
            funcs: vec![],
            types: vec![],
            package_name: format!("{prefix}_pkg"),
        };
        let package = maker.package();
        let mut modules = vec![];
        let (inputs, outputs) = maker.module(&format!("{prefix}_top"), 1, &mut modules);
        Design {
            dialect,
            package,
            package_name: maker.package_name,
            modules,
            inputs,
            outputs,
            initialised,
            reset_level: if low_reset { '0' } else { '1' },
        }
    }

    /// The whole source.
    pub fn text(&self) -> String {
        let modules: String = self.modules.iter().map(Module::text).collect();
        let used = super::expr_batch::mentions(&modules, &self.package_name);
        let package = Module { name: String::new(), header: String::new(), ports: vec![], items: self.package.clone() };
        let text = package.text();
        let inner = text.split_once('\n').map_or("", |(_, rest)| rest).trim_end_matches("endmodule\n");
        let package = if used { format!("package {};\n{inner}endpackage\n", self.package_name) } else { String::new() };
        package + &modules
    }

    /// The design with its stimulus: one idle cycle, two of reset, then inputs at random.
    pub fn dut(&self, stimulus: u64, cycles: usize) -> Dut {
        let top = self.modules.last().map_or(String::new(), |m| m.name.clone());
        let mut rng = Rng::with_seed(stimulus);
        let idle = if self.reset_level == '0' { '1' } else { '0' };
        let vectors = (0..cycles)
            .map(|t| {
                let reset = (1..=2).contains(&t) || (t > 4 && rng.u32(0..14) == 0);
                self.inputs
                    .iter()
                    .map(|(name, w)| match name.as_str() {
                        "rst" | "rst_n" => if reset { self.reset_level } else { idle }.to_string(),
                        _ => value(&mut rng, *w),
                    })
                    .collect()
            })
            .collect();
        Dut {
            top,
            text: self.text(),
            inputs: self.inputs.clone(),
            outputs: self.outputs.clone(),
            clocked: true,
            vectors,
            // Before that some state may be unknown, and conditions on it are not to be compared.
            skip: if self.initialised { 0 } else { 6 },
        }
    }

    /// Calls `f` on every expression, target and construct.
    pub fn walk(&self, f: &mut dyn FnMut(Part)) {
        self.modules.iter().for_each(|m| m.walk(f));
    }

    /// Total length, for the shrinker's sense of progress.
    pub fn size(&self) -> usize {
        self.text().split_whitespace().count()
    }

    /// Simpler designs that may show the same failure.
    pub fn smaller(&self, depth: Depth) -> Vec<Design> {
        let mut out = vec![];
        for (i, m) in self.modules.iter().enumerate() {
            for m in m.smaller(depth) {
                if m.valid(self.dialect) {
                    let mut d = self.clone();
                    d.modules[i] = m;
                    out.push(d);
                }
            }
        }
        // One output only, with what it depends on.
        for (name, width) in &self.outputs {
            let mut d = self.clone();
            d.outputs = vec![(name.clone(), *width)];
            if let Some(top) = d.modules.last_mut() {
                *top = top.sliced(name);
                let others = self.outputs.iter().filter(|o| o.0 != *name);
                others.for_each(|(other, _)| top.ports.retain(|p| !p.ends_with(&format!(" {other}"))));
            }
            out.push(d);
        }
        // An output less, a sub-module less.
        if self.outputs.len() > 1 {
            for i in 0..self.outputs.len() {
                let mut d = self.clone();
                let (name, _) = d.outputs.remove(i);
                if let Some(top) = d.modules.last_mut() {
                    top.ports.retain(|p| !p.ends_with(&format!(" {name}")));
                    top.items.retain(|i| !matches!(i, Item::Assign { to, .. } if *to[0].name == *name));
                }
                out.push(d);
            }
        }
        for i in 0..self.modules.len().saturating_sub(1) {
            let mut d = self.clone();
            let gone = d.modules.remove(i).name;
            for m in &mut d.modules {
                m.items.retain(|i| !matches!(i, Item::Instance { head, .. } if head.starts_with(&gone)));
            }
            out.push(d);
        }
        for i in 0..self.package.len() {
            let mut d = self.clone();
            d.package.remove(i);
            out.push(d);
        }
        out
    }
}

fn whole(name: &Rc<str>, ty: &Type) -> Ref {
    Ref { name: name.clone(), ty: Rc::new(ty.clone()), bounds: None, steps: vec![] }
}

fn equal(a: Expr, b: Expr) -> Expr {
    Expr::Binary("==", a.boxed(), b.boxed())
}

impl Maker<'_> {
    fn one_in(&mut self, n: u32) -> bool {
        self.rng.u32(0..n) == 0
    }

    fn pick<'t, T>(&mut self, list: &'t [T]) -> &'t T {
        &list[self.rng.usize(0..list.len())]
    }

    fn name(&mut self, stem: &str) -> Rc<str> {
        self.count += 1;
        format!("{stem}{}", self.count).into()
    }

    fn icarus(&self) -> bool {
        self.dialect.icarus
    }

    /// An expression; small ones more often, since a module has many and a reader has to follow them.
    fn expr(&mut self, scope: &Scope, depth: u32) -> Expr {
        let depth = if self.one_in(3) { depth } else { depth.min(1) };
        Gen { rng: self.rng, scope, dialect: self.dialect }.expr(depth)
    }

    fn condition(&mut self, scope: &Scope) -> Expr {
        loop {
            let e = self.expr(scope, 2);
            if e.condition(self.dialect) {
                return e;
            }
        }
    }

    /// A constant of a type, as a literal.
    fn constant(&mut self, ty: &Type) -> Expr {
        let w = ty.width().min(100);
        let bits = corner(self.rng, w);
        match ty.strip() {
            Type::Enum { members, .. } => {
                let (name, _) = self.pick(members).clone();
                Expr::var(name, ty.clone())
            }
            _ if self.one_in(4) => Expr::Fill(bits & 1 == 1),
            _ => Expr::Lit(Lit::binary(bits, Ty { width: w, signed: ty.signed() })),
        }
    }

    /// Types and functions shared by the modules of the design.
    fn package(&mut self) -> Vec<Item> {
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
    fn module(
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
    fn make(
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

    /// A variable of a random type, of those the dialect can have.
    fn variable_type(&mut self, named: &[Type], array: bool) -> Type {
        match self.rng.u32(0..12) {
            0..=4 => {
                let w = self.rng.u32(1..=12);
                vector(self.rng, w)
            }
            5 => Type::Packed {
                range: (self.rng.i64(1..=3), 0),
                elem: Rc::new(Type::vector(self.rng.u32(2..=4), false)),
            },
            6 => Type::ATOMS[self.rng.usize(0..6)].clone(),
            7 | 8 if array => {
                let elem = Type::vector(self.rng.u32(2..=8), self.rng.bool());
                Type::Array { range: (0, (1 << self.rng.u32(1..=3)) - 1), elem: Rc::new(elem) }
            }
            _ if !named.is_empty() => self.pick(named).clone(),
            _ => {
                let w = self.rng.u32(2..=9);
                vector(self.rng, w)
            }
        }
    }

    /// Declares the variables of one register process.
    fn registers(&mut self, body: &mut Body, named: &[Type]) -> Vec<(Rc<str>, Type)> {
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
    fn clocked(&mut self, body: &mut Body, group: &[(Rc<str>, Type)], reset: &Rc<str>) {
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

    /// Adds local variables to a block, assigns them, and gives the scope with them.
    fn locals(&mut self, block: &mut Block, scope: &Scope, maybe: bool) -> Scope {
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
    fn stmts(
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

    fn assignment(&mut self, scope: &Scope, targets: &[Ref], op: &'static str) -> Stmt {
        let target = self.pick(targets).clone();
        let t = target.selected();
        match t.strip() {
            Type::Enum { .. } => {
                let from = if self.icarus() || self.rng.bool() {
                    self.constant(&t)
                } else {
                    let e = self.expr(scope, 2);
                    Expr::Cast(Cast::Type(Rc::new(t.clone())), Expr::Cast(Cast::Size(2), e.boxed()).boxed())
                };
                if from.valid(self.dialect) {
                    return Stmt::Assign { to: vec![target], op, from };
                }
                let from = self.constant(&t);
                return Stmt::Assign { to: vec![target], op, from };
            }
            Type::Struct { fields, union: false, .. } if !self.icarus() && self.one_in(3) => {
                let named = self.rng.bool();
                let keys = if named { fields.iter().map(|f| f.0.to_string()).collect() } else { vec![] };
                let values = fields.iter().map(|_| self.expr(scope, 2)).collect();
                return Stmt::Pattern { to: target, op, keys, values };
            }
            Type::Array { range, .. } if !self.icarus() && self.one_in(5) => {
                let n = span(*range);
                let (keys, n) = if self.rng.bool() { (vec!["default".into()], 1) } else { (vec![], n) };
                // Verilator 5.006 assigns the elements one after the other, so none may read another.
                let mut scope = scope.clone();
                scope.vars.retain(|v| v.name != target.name);
                let values = (0..n).map(|_| self.expr(&scope, 1)).collect();
                return Stmt::Pattern { to: target, op, keys, values };
            }
            _ => {}
        }
        let to = self.place(scope, &target);
        let blocking = op == "=";
        if blocking && to.steps.is_empty() && plain(&to) && self.one_in(8) {
            let op = if self.rng.bool() { "++" } else { "--" };
            return Stmt::Bump { to, op, before: self.rng.bool() };
        }
        if blocking && plain(&to) && self.one_in(6) && (to.steps.is_empty() || !self.icarus()) {
            // Icarus 11 is wrong on some parts of vectors, and cuts the right operand to the width of
            // the target, which is harmless for these operators.
            let op = *self.pick(&["+=", "-=", "&=", "|=", "^="]);
            let from = self.sized_leaf(scope);
            return Stmt::Assign { to: vec![to], op, from };
        }
        let others: Vec<Ref> = targets.iter().filter(|t| t.name != target.name && plain(t)).cloned().collect();
        if plain(&to) && !others.is_empty() && self.one_in(6) {
            let second = self.pick(&others).clone();
            // No index may depend on what the same assignment changes: the order is nobody's business.
            let mut still = scope.clone();
            still.vars.retain(|v| v.name != target.name && v.name != second.name);
            let (to, second) = (self.place(&still, &target), self.place(&still, &second));
            return Stmt::Assign { to: vec![to, second], op, from: self.expr(scope, 2) };
        }
        let from = Gen { rng: self.rng, scope, dialect: self.dialect }.source(1, to.selected().width());
        Stmt::Assign { to: vec![to], op, from }
    }

    /// Something with a width of its own and no sign, on which all compound assignments agree.
    fn sized_leaf(&mut self, scope: &Scope) -> Expr {
        loop {
            let e = Gen { rng: self.rng, scope, dialect: self.dialect }.leaf();
            if !e.ty().signed && e.sized() && e.valid(self.dialect) {
                return e;
            }
        }
    }

    /// The target or a part of it.
    fn place(&mut self, scope: &Scope, target: &Ref) -> Ref {
        let must = !target.ty.is_packed();
        if !must && self.rng.u32(0..5) < 3 {
            return target.clone();
        }
        let selected = Gen { rng: self.rng, scope, dialect: self.dialect }.select(target.clone());
        match selected {
            // A part of an enumeration is no enumeration.
            Some(r) if !matches!(target.ty.strip(), Type::Enum { .. }) => r,
            _ if must => {
                let mut r = target.clone();
                let low = target.ty.range().map_or(0, |(l, r)| l.min(r));
                r.steps.push(Step::Index(Expr::int(low).boxed()));
                r
            }
            _ => target.clone(),
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
    fn counted(&mut self, scope: &Scope, targets: &[Ref], op: &'static str) -> Block {
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

    /// A process that assigns every variable it owns on every path: defaults first.
    fn combinational(&mut self, body: &mut Body, named: &[Type], late: bool) {
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

    fn continuous(&mut self, body: &mut Body, late: bool) {
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

    fn latch(&mut self, body: &mut Body, quiet: &Scope, reset: &Rc<str>) {
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

    /// A function of its arguments with locals, branches, a loop and perhaps early returns.
    fn function(&mut self, body: &mut Body) {
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

    fn task(&mut self, body: &mut Body) {
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

    /// A vector driven piece by piece from a generate construct.
    fn generate(&mut self, body: &mut Body) {
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
    fn instance(&mut self, body: &mut Body, modules: &mut Vec<Module>) {
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

/// Whether a target is a plain packed value: no enumeration, which takes only its members.
fn plain(r: &Ref) -> bool {
    let t = r.selected();
    t.is_packed() && !matches!(t.strip(), Type::Enum { .. })
}
