//! Registers: clocked processes with every kind of edge and reset, state machines, counters, memories,
//! variables that remember.

use super::{Body, Class, Context, Maker, declare, object, whole};
use crate::support_vhdl::decl::Decl;
use crate::support_vhdl::expr::Expr;
use crate::support_vhdl::item::{Clock, Item, Wakes};
use crate::support_vhdl::make::Gen;
use crate::support_vhdl::scope::Object;
use crate::support_vhdl::stmt::Stmt;
use crate::support_vhdl::types::{ArrayDef, EnumDef, Form, Kind, Range, Type};
use std::rc::Rc;

impl Maker<'_> {
    /// Declares registers and adds them to what may be read; gives them in groups, one for a process.
    pub(super) fn registers(&mut self, body: &mut Body) -> Vec<Vec<Object>> {
        let groups = self.rng.u32(1..=3);
        let mut all = vec![];
        for _ in 0..groups {
            let mut group = vec![];
            for _ in 0..self.rng.u32(1..=3) {
                let ty = match self.rng.u32(0..10) {
                    0 | 1 => self.machine(body),
                    2 => self.memory(body),
                    3 => Type::int(-self.rng.i64(0..=3), self.rng.i64(1..=20)),
                    _ => self.object_type(),
                };
                let name = self.name("r");
                let value = self.initialised.then(|| self.constant(&ty));
                body.unit.decls.push(Decl::signal(&name, &ty, value.as_ref()));
                let whole = object(&name, &ty);
                body.scope.add(name, ty);
                match self.parts(&whole) {
                    Some(mut parts) => {
                        // Each part is driven by one process, but the whole by several.
                        let cut = self.rng.usize(1..parts.len());
                        let rest = parts.split_off(cut);
                        group.extend(parts);
                        all.push(rest);
                        if let Some(decl) = body.unit.decls.last_mut() {
                            decl.label = "signal driven in parts";
                        }
                    }
                    None => group.push(whole),
                }
            }
            all.push(group);
        }
        all
    }

    /// The fields of a record or elements of an array, if it is to be driven in parts.
    fn parts(&mut self, o: &Object) -> Option<Vec<Object>> {
        if !self.one_in(4) {
            return None;
        }
        let part = |suffix: String, ty: &Type| object(&Rc::from(format!("{}{suffix}", o.name)), ty);
        match &o.ty {
            Type::Record(r) => Some(r.fields.iter().map(|(n, t)| part(format!(".{n}"), t)).collect()),
            Type::Array(a) if a.dims.len() == 1 && !a.name.starts_with("mem_t") && a.dims[0].len() > 1 => {
                let element = |i: &i64| part(format!("({})", a.index_text(*i)), &a.elem);
                Some(a.dims[0].indices().iter().map(element).collect())
            }
            _ => None,
        }
    }

    /// An enumeration of the architecture's own.
    fn machine(&mut self, body: &mut Body) -> Type {
        let name = self.name("fsm_t");
        let n = self.rng.usize(2..=5);
        let literals = (0..n).map(|i| Rc::from(format!("{}_s{i}", name))).collect();
        let ty = Type::Enum(Rc::new(EnumDef { name: name.clone(), literals }));
        let text = ty.declaration().unwrap_or_default().trim().to_string();
        body.unit.decls.push(Decl::new("type in architecture", &name, text, vec![]));
        ty
    }

    /// A small memory.
    fn memory(&mut self, body: &mut Body) -> Type {
        let name = self.name("mem_t");
        let (depth, w) = (1 << self.rng.i64(1..=3), self.rng.u32(1..=8));
        let dims = vec![Range::to(0, depth - 1)];
        let elem = crate::support_vhdl::zoo::vector(self.rng, w);
        let ty = Type::Array(Rc::new(ArrayDef { name: name.clone(), dims, elem, form: Form::Fixed, index: None }));
        let text = ty.declaration().unwrap_or_default().trim().to_string();
        body.unit.decls.push(Decl::new("memory type", &name, text, vec![]));
        ty
    }

    /// The process that drives a group of registers.
    pub(super) fn clocked(&mut self, body: &mut Body, group: &[Object], reset: &str, second: bool) {
        let asynchronous = self.rng.bool() || (second && !self.initialised);
        let has_reset = !self.initialised || self.rng.bool();
        let waits = !asynchronous && !second && self.one_in(6);
        let active = format!("{reset} = '{}'", if self.low_reset { 0 } else { 1 });
        let (name, edge) = match (second, self.rng.u32(0..6)) {
            (true, 0) => ("clk2", "falling_edge(clk2)"),
            (true, _) => ("clk2", "rising_edge(clk2)"),
            (false, 0) => ("clk", "falling_edge(clk)"),
            (false, 1) => ("clk", "clk'event and clk = '1'"),
            (false, 2) => ("clk", "clk = '1' and clk'event"),
            (false, _) => ("clk", "rising_edge(clk)"),
        };
        let inputs: Vec<Object> =
            body.scope.objects.iter().filter(|o| o.name.starts_with("in") && o.ty == Type::Logic).cloned().collect();
        let mut edge = edge.to_string();
        // An enable beside the edge. A reset that waits for it as well would come too late.
        if !inputs.is_empty() && self.initialised && self.one_in(3) {
            edge += &format!(" and {} = '1'", self.pick(&inputs).name);
        }
        let clock = Clock { name, edge, reset: has_reset.then_some((asynchronous && !waits, active)), waits };
        let mut cx = Context {
            scope: body.scope.clone(),
            targets: group.iter().map(|o| (o.clone(), "<=")).collect(),
            procedures: body.procedures.clone(),
            loops: vec![],
        };
        cx.scope.timed = true;
        let mut decls = vec![];
        // Variables that remember: they have a value from the start, or from the reset.
        let mut kept = vec![];
        for _ in 0..self.rng.u32(0..=2) {
            let (name, ty) = (self.name("v"), self.object_type());
            let value = if self.initialised { Some(self.constant(&ty)) } else { None };
            declare(&mut decls, "variable", &name, &ty, value.as_ref());
            cx.scope.add(name.clone(), ty.clone());
            kept.push((object(&name, &ty), ":="));
        }
        cx.targets.extend(kept.clone());
        self.local_routines(&mut cx, &mut decls);
        let mut stmts = vec![];
        self.locals(&mut cx, &mut decls, &mut stmts, 1);
        for o in group {
            match &o.ty {
                Type::Enum(e) if e.name.starts_with("fsm_t") => stmts.push(self.transitions(&cx, o, e)),
                Type::Integer(None, low, high) if self.rng.bool() => stmts.push(self.counter(&cx, o, *low, *high)),
                Type::Array(a) if a.name.starts_with("mem_t") => {
                    let write = self.memory_write(&cx, o, a);
                    stmts.push(write);
                }
                _ => {}
            }
        }
        stmts.extend(self.stmts(&cx, 2));
        let all: Vec<_> = group.iter().map(|o| (o.clone(), "<=")).chain(kept).collect();
        let resets = if has_reset {
            // With initial values some registers may go without reset.
            let some = self.initialised && self.rng.bool();
            let chosen: Vec<_> = all.into_iter().filter(|_| !some || self.rng.bool()).collect();
            self.resets(&chosen)
        } else {
            vec![]
        };
        body.unit.items.push(Item::Process {
            wakes: Wakes::List,
            decls,
            clock: Some(clock),
            reset: resets,
            body: stmts,
        });
    }

    /// A subprogram declared in the process itself.
    fn local_routines(&mut self, cx: &mut Context, decls: &mut Vec<Decl>) {
        if self.one_in(5) {
            let (decl, f) = self.function(&cx.scope, "function in process");
            decls.push(decl);
            cx.scope.funcs.push(f);
        }
        if self.one_in(4) {
            let (target, op) = self.pick(&cx.targets);
            let class =
                if op == "<=" { Class::OutSignal } else { self.pick(&[Class::OutVariable, Class::InoutVariable]) };
            let (decl, p) = self.procedure(&cx.scope, "procedure in process", class, target.ty.clone());
            decls.push(decl);
            cx.procedures.push(p);
        }
    }

    /// A case over all states, each with a condition to go on.
    fn transitions(&mut self, cx: &Context, state: &Object, e: &Rc<EnumDef>) -> Stmt {
        let others =
            Context { targets: cx.targets.iter().filter(|t| t.0.name != state.name).cloned().collect(), ..cx.clone() };
        let mut arms = vec![];
        for literal in &e.literals {
            let mut stmts = if others.targets.is_empty() || self.rng.bool() { vec![] } else { self.stmts(&others, 0) };
            let next = self.constant(&state.ty);
            let go = Stmt::Assign { to: whole(state), op: "<=", from: next };
            let condition = self.condition(&cx.scope);
            stmts.push(if self.one_in(4) { go } else { Stmt::If { arms: vec![(condition, vec![go])], other: vec![] } });
            arms.push((literal.to_string(), stmts));
        }
        if self.one_in(3) && arms.len() > 2 {
            let last = arms.len() - 1;
            arms[last].0 = "others".into();
        }
        Stmt::Case { matching: false, on: whole(state), arms }
    }

    /// `if n = high then n <= low; else n <= n + 1; end if;`, up or down.
    fn counter(&mut self, cx: &Context, o: &Object, low: i64, high: i64) -> Stmt {
        let (end, start, step) = if self.rng.bool() { (high, low, "+ 1") } else { (low, high, "- 1") };
        let raw = |text: String| vec![Stmt::Raw("statement counter", text)];
        let n = &o.name;
        let at_end = Expr::leaf("counter at its end", Type::Boolean, format!("{n} = {end}")).fixed();
        let count = Stmt::If {
            arms: vec![(at_end, raw(format!("{n} <= {start};")))],
            other: raw(format!("{n} <= {n} {step};")),
        };
        if self.rng.bool() {
            return count;
        }
        Stmt::If { arms: vec![(self.condition(&cx.scope), vec![count])], other: vec![] }
    }

    /// A guarded write at a computed address.
    fn memory_write(&mut self, cx: &Context, o: &Object, a: &Rc<ArrayDef>) -> Stmt {
        let bits = a.dims[0].len().trailing_zeros();
        let mut g = Gen { rng: self.rng, scope: &cx.scope };
        let address = g.expr(&Type::vector(Kind::Unsigned, bits), 1);
        let from = g.expr(&a.elem, 2);
        let kid = crate::support_vhdl::expr::Kid::arg(address);
        let to = Expr::new("name (variable)", a.elem.clone(), format!("{}(to_integer($0))", o.name), vec![kid]).fixed();
        let write = Stmt::Assign { to, op: "<=", from };
        Stmt::If { arms: vec![(self.condition(&cx.scope), vec![write])], other: vec![] }
    }
}
