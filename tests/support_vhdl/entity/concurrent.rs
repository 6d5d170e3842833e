//! Combinational logic: concurrent assignments, combinational processes, generate statements and blocks,
//! aliases and constants of the architecture.

use super::{Body, Context, Maker, declare, object, whole};
use crate::support_vhdl::choices::{self, choices, selector};
use crate::support_vhdl::decl::Decl;
use crate::support_vhdl::expr::Expr;
use crate::support_vhdl::item::{Item, Wakes};
use crate::support_vhdl::make::Gen;
use crate::support_vhdl::scope::{Object, Scope};
use crate::support_vhdl::stmt::{Part, Stmt};
use crate::support_vhdl::types::{Range, Type};

impl Maker<'_> {
    /// A new signal, not yet readable.
    pub(super) fn signal(&mut self, decls: &mut Vec<Decl>) -> Object {
        let (name, ty) = (self.name("s"), self.object_type());
        // Some combinational signals have an initial value; it never shows.
        let value = if self.one_in(5) { Some(self.constant(&ty)) } else { None };
        decls.push(Decl::signal(&name, &ty, value.as_ref()));
        object(&name, &ty)
    }

    /// One more piece of combinational logic.
    pub(super) fn combinational(&mut self, body: &mut Body) {
        match self.rng.u32(0..16) {
            0..=4 => {
                let s = self.signal(&mut body.unit.decls);
                let item = self.concurrent(&body.scope.clone(), whole(&s));
                body.unit.items.push(item);
                body.scope.add(s.name, s.ty);
            }
            5..=9 => self.process(body),
            10..=12 => self.generate(body),
            13 => self.block(body),
            14 => self.alias(body),
            _ => self.own_constant(body),
        }
    }

    /// A concurrent assignment to a target.
    pub(super) fn concurrent(&mut self, scope: &Scope, to: Expr) -> Item {
        let ty = to.ty.clone();
        match self.rng.u32(0..6) {
            0 | 1 => {
                let n = self.rng.usize(1..=2);
                let values = (0..=n).map(|_| self.expr(scope, &ty, 2)).collect();
                let conditions = (0..n).map(|_| self.condition(scope)).collect();
                Item::Assign { to, values, conditions }
            }
            2 => {
                let mut g = Gen { rng: self.rng, scope };
                let by = selector(&mut g, false);
                let on = choices::value(&mut g, &by, 2);
                let (mut list, complete) = choices(&mut g, &on.ty, false);
                if !complete {
                    list.push("others".into());
                }
                let arms = list.into_iter().map(|c| (c, self.expr(scope, &ty, 2))).collect();
                Item::Select { to, on, arms }
            }
            _ => Item::Assign { to, values: vec![self.expr(scope, &ty, 3)], conditions: vec![] },
        }
    }

    /// A combinational process: all its targets are assigned first, then again under conditions.
    fn process(&mut self, body: &mut Body) {
        let targets: Vec<Object> = (0..self.rng.u32(1..=3)).map(|_| self.signal(&mut body.unit.decls)).collect();
        let mut cx =
            Context { scope: body.scope.clone(), targets: vec![], procedures: body.procedures.clone(), loops: vec![] };
        let (mut decls, mut stmts) = (vec![], vec![]);
        self.locals(&mut cx, &mut decls, &mut stmts, 2);
        for t in &targets {
            let from = self.expr(&cx.scope, &t.ty, 2);
            stmts.push(Stmt::Assign { to: whole(t), op: "<=", from });
            cx.targets.push((t.clone(), "<="));
        }
        stmts.extend(self.stmts(&cx, 2));
        // GHDL 2.0 fails on `all` if there is a conditional assignment to a variable.
        let mut conditional = false;
        stmts.iter().for_each(|s| {
            s.walk(&mut |p| conditional |= matches!(p, Part::Label(l) if l == "statement := when"));
        });
        let wakes = if conditional || self.one_in(3) { Wakes::List } else { Wakes::All };
        body.unit.items.push(Item::Process { wakes, decls, clock: None, reset: vec![], body: stmts });
        targets.into_iter().for_each(|t| body.scope.add(t.name, t.ty));
    }

    /// A generate statement that drives a new signal.
    fn generate(&mut self, body: &mut Body) {
        let g = self.name("g");
        match self.rng.u32(0..if body.scope.plain { 3 } else { 4 }) {
            0 | 1 => {
                // One element each.
                let s = loop {
                    let mut decls = vec![];
                    let s = self.signal(&mut decls);
                    let whole = match &s.ty {
                        Type::Vector(..) => true,
                        Type::Array(a) => a.dims.len() == 1 && a.index.is_none(),
                        _ => false,
                    };
                    if whole {
                        body.unit.decls.extend(decls);
                        break s;
                    }
                };
                let (range, elem) = match &s.ty {
                    Type::Vector(k, r) => (*r, k.element()),
                    Type::Array(a) => (a.dims[0], a.elem.clone()),
                    _ => unreachable!("checked above"),
                };
                let i = self.name("i");
                let mut scope = body.scope.clone();
                scope.constant(i.clone(), Type::int(range.low(), range.high()));
                let to = Expr::leaf("name (constant)", elem, format!("{}({i})", s.name)).fixed();
                let text = if self.rng.bool() { format!("{}'range", s.name) } else { range.text() };
                let (inner, items) = self.driver(&scope, to);
                let head = format!("{g} : for {i} in {text} generate");
                let branches = vec![(head, inner, items)];
                body.unit.items.push(Item::Nest { label: "generate for", branches, tail: "end generate;" });
                body.scope.add(s.name, s.ty);
            }
            2 => {
                let s = self.signal(&mut body.unit.decls);
                let constants = body.scope.constants();
                let n = self.rng.u32(1..=3);
                let mut branches = vec![];
                for k in 0..=n {
                    let condition = self.static_condition(&constants);
                    let head = match k {
                        0 => format!("{g} : if {condition} generate"),
                        _ if k == n => "else generate".into(),
                        _ => format!("elsif {condition} generate"),
                    };
                    let (inner, items) = self.driver(&body.scope.clone(), whole(&s));
                    branches.push((head, inner, items));
                }
                let label = if n > 1 { "generate if elsif" } else { "generate if" };
                body.unit.items.push(Item::Nest { label, branches, tail: "end generate;" });
                body.scope.add(s.name, s.ty);
            }
            _ => {
                let s = self.signal(&mut body.unit.decls);
                let constants = body.scope.constants();
                let mut gen_ = Gen { rng: self.rng, scope: &constants };
                // An expression with a plain static value: a generic, a constant or a number.
                let on = match gen_.name(&Type::int(-20, 60)) {
                    Some(e) => e,
                    None => gen_.literal(&Type::int(0, 9)),
                };
                let (mut list, _) = choices(&mut gen_, &Type::int(0, 9), false);
                list.push("others".into());
                let mut branches = vec![];
                for (k, choice) in list.iter().enumerate() {
                    let when = format!("  when {choice} =>");
                    let text = on.text();
                    let head = if k == 0 { format!("{g} : case integer'({text}) generate\n{when}") } else { when };
                    let (inner, items) = self.driver(&body.scope.clone(), whole(&s));
                    branches.push((head, inner, items));
                }
                body.unit.items.push(Item::Nest { label: "generate case", branches, tail: "end generate;" });
                body.scope.add(s.name, s.ty);
            }
        }
    }

    /// A condition for a generate statement. GHDL 2.0 takes a qualified expression for not static.
    fn static_condition(&mut self, constants: &Scope) -> String {
        for _ in 0..12 {
            let text = Gen { rng: self.rng, scope: constants }.expr(&Type::Boolean, 2).condition();
            if !text.contains("'(") {
                return text;
            }
        }
        "true".into()
    }

    /// What drives a target inside a generate statement or block, with declarations of its own.
    fn driver(&mut self, scope: &Scope, to: Expr) -> (Vec<Decl>, Vec<Item>) {
        let mut decls = vec![];
        let mut items = vec![];
        let mut scope = scope.clone();
        if self.one_in(3) {
            let s = self.signal(&mut decls);
            items.push(self.concurrent(&scope, whole(&s)));
            scope.add(s.name, s.ty);
        }
        if self.one_in(4) {
            let cx = Context { scope, targets: vec![], procedures: vec![], loops: vec![] };
            let from = self.expr(&cx.scope, &to.ty, 2);
            let condition = self.condition(&cx.scope);
            let second = self.expr(&cx.scope, &to.ty, 2);
            let again = Stmt::Assign { to: to.clone(), op: "<=", from: second };
            let stmts = vec![
                Stmt::Assign { to, op: "<=", from },
                Stmt::If { arms: vec![(condition, vec![again])], other: vec![] },
            ];
            items.push(Item::Process { wakes: Wakes::All, decls: vec![], clock: None, reset: vec![], body: stmts });
        } else {
            items.push(self.concurrent(&scope, to));
        }
        (decls, items)
    }

    fn block(&mut self, body: &mut Body) {
        let s = self.signal(&mut body.unit.decls);
        let b = self.name("b");
        let (decls, items) = self.driver(&body.scope.clone(), whole(&s));
        let head = format!("{b} : block{}", if decls.is_empty() { "\n  begin" } else { "" });
        body.unit.items.push(Item::Nest { label: "block", branches: vec![(head, decls, items)], tail: "end block;" });
        body.scope.add(s.name, s.ty);
    }

    /// Another name, and maybe other bounds, for something that can be read.
    fn alias(&mut self, body: &mut Body) {
        let signals: Vec<Object> = body.scope.objects.iter().filter(|o| !o.fixed).cloned().collect();
        if signals.is_empty() {
            return;
        }
        let o = self.pick(&signals);
        // IEEE 1076 6.6.2 forbids it for arrays of more dimensions.
        if matches!(&o.ty, Type::Array(a) if a.dims.len() > 1) {
            return;
        }
        let name = self.name("al");
        let (text, ty) = match &o.ty {
            Type::Vector(k, r) if self.rng.bool() => {
                let n = self.rng.u32(1..=r.len());
                let part = r.part(self.rng.i64(0..=(r.len() - n) as i64), n);
                let bounds = crate::support_vhdl::make::range(self.rng, n);
                // The direction stays: IEEE 1076 6.6.2 asks for it only of subtypes, but readers differ.
                let bounds = if bounds.down == r.down { bounds } else { turned(bounds) };
                let ty = Type::Vector(*k, bounds);
                (format!("alias {name} : {} is {}({});", ty.mark(), o.name, part.text()), ty)
            }
            Type::Record(r) => {
                let (field, ty) = self.pick(&r.fields);
                (format!("alias {name} is {}.{field};", o.name), ty)
            }
            ty => (format!("alias {name} is {};", o.name), ty.clone()),
        };
        body.unit.decls.push(Decl::new("alias", &name, text, vec![ty.clone()]));
        body.scope.add(name, ty);
    }

    fn own_constant(&mut self, body: &mut Body) {
        let (name, ty) = (self.name("k"), self.constant_type());
        let value = self.constant_value(&body.scope.constants(), &ty);
        declare(&mut body.unit.decls, "constant", &name, &ty, Some(&value));
        body.scope.constant(name, ty);
    }
}

/// The same indices in the other direction.
fn turned(r: Range) -> Range {
    Range { left: r.right, right: r.left, down: !r.down }
}
