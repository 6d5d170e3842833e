//! The frame of an entity: generics, ports, and in which order its parts are made.

use super::{Body, Class, Maker, object, whole};
use crate::support_vhdl::expr::Expr;
use crate::support_vhdl::item::{Item, Unit};
use crate::support_vhdl::scope::{Object, Scope};
use crate::support_vhdl::types::{Kind, Range, Type};
use std::rc::Rc;

/// What a unit shows to the outside: generics with the values its body was made for, and ports but for
/// clock and reset.
pub(super) struct Interface {
    pub generics: Vec<(Rc<str>, Generic)>,
    pub inputs: Vec<(Rc<str>, Type)>,
    pub outputs: Vec<(Rc<str>, Type)>,
}

/// A generic: a number that the body relies on, or any value of a type.
pub(super) enum Generic {
    Number(i64),
    Any(Type),
}

impl Maker<'_> {
    pub(super) fn reset_name(&self) -> &'static str {
        if self.low_reset { "rst_n" } else { "rst" }
    }

    /// Makes a unit, with those it instantiates before it in `units`.
    pub(super) fn unit(&mut self, name: &str, levels: u32, units: &mut Vec<Unit>) -> Interface {
        let top = levels > 0;
        let logic = "std_logic".to_string();
        let reset = self.reset_name();
        let mut body = Body {
            unit: Unit { name: name.into(), generics: vec![], ports: vec![], decls: vec![], items: vec![] },
            scope: self.package.clone(),
            procedures: self.procedures.clone(),
        };
        body.unit.ports.push(("clk".into(), "in", logic.clone()));
        if top && self.second_clock {
            body.unit.ports.push(("clk2".into(), "in", logic.clone()));
        }
        body.unit.ports.push((reset.into(), "in", logic));
        let mut face = Interface { generics: vec![], inputs: vec![], outputs: vec![] };
        let width = self.generics(&mut body, &mut face, top);
        for _ in 0..self.rng.u32(2..=4) {
            self.input(&mut body, &mut face, top, width);
        }
        let groups = self.registers(&mut body);
        self.routines(&mut body);
        for k in 0..self.rng.u32(2..=5) {
            if levels > 0 && k > 0 && self.one_in(3) {
                self.instance(&mut body, levels - 1, units);
            } else {
                self.combinational(&mut body);
            }
        }
        let second = top && self.second_clock;
        for (k, group) in groups.iter().enumerate() {
            // With two clocks the last group has the other one.
            let other = second && (k + 1 == groups.len());
            self.clocked(&mut body, group, reset, other);
        }
        self.outputs(&mut body, &mut face, top, groups.into_iter().flatten().collect());
        units.push(body.unit);
        face
    }

    /// Generics; gives the width that ports may have.
    fn generics(&mut self, body: &mut Body, face: &mut Interface, top: bool) -> Option<i64> {
        let w = self.rng.i64(1..=7);
        let name: Rc<str> = if top { "depth".into() } else { "width".into() };
        if !top || self.rng.bool() {
            // The default is another value, so that a generic map that is lost shows.
            body.unit.generics.push(format!("{name} : positive := {}", (w + 2) % 7 + 1));
            body.scope.constant(name.clone(), Type::int(w, w));
            face.generics.push((name, Generic::Number(w)));
        }
        if !top && self.rng.bool() {
            let (name, ty) = (self.name("k"), self.object_type());
            body.unit.generics.push(format!("{name} : {}", ty.mark()));
            body.scope.constant(name.clone(), ty.clone());
            face.generics.push((name, Generic::Any(ty)));
        }
        (!top).then_some(w)
    }

    fn input(&mut self, body: &mut Body, face: &mut Interface, top: bool, width: Option<i64>) {
        let name = self.name("in");
        let w = self.rng.u32(1..=10);
        let (ty, mark) = match width {
            Some(w) if self.rng.bool() => {
                let kind = self.pick(&[Kind::Slv, Kind::Unsigned, Kind::Signed]);
                let (range, text) = match self.rng.u32(0..3) {
                    0 => (Range::to(0, w - 1), "0 to width - 1"),
                    1 => (Range { left: w, right: 1, down: true }, "width downto 1"),
                    _ => (Range::plain(w as u32), "width - 1 downto 0"),
                };
                (Type::Vector(kind, range), format!("{}({text})", kind.mark()))
            }
            _ => {
                let ty = match (top, self.one_in(4)) {
                    (_, true) => Type::Logic,
                    (true, _) => crate::support_vhdl::zoo::vector(self.rng, w),
                    _ => self.object_type(),
                };
                let mark = ty.mark();
                (ty, mark)
            }
        };
        body.unit.ports.push((name.clone(), "in", mark));
        body.scope.add(name.clone(), ty.clone());
        face.inputs.push((name, ty));
    }

    /// Subprograms of the architecture.
    fn routines(&mut self, body: &mut Body) {
        if self.one_in(3) {
            let (decl, f) = self.function(&body.scope.clone(), "function in architecture");
            body.unit.decls.push(decl);
            body.scope.funcs.push(f);
        }
        if self.one_in(3) {
            let class = self.pick(&[Class::OutSignal, Class::OutVariable, Class::InoutVariable]);
            let known: Vec<Type> = body.scope.objects.iter().filter(|o| !o.fixed).map(|o| o.ty.clone()).collect();
            let ty = self.pick(&known);
            let (decl, p) = self.procedure(&body.scope.clone(), "procedure in architecture", class, ty);
            body.unit.decls.push(decl);
            body.procedures.push(p);
        }
    }

    /// Outputs: the registers as bits (of a top), and expressions.
    fn outputs(&mut self, body: &mut Body, face: &mut Interface, top: bool, registers: Vec<Object>) {
        if top {
            for r in &registers {
                let ty = Type::vector(Kind::Slv, r.ty.width());
                let bits = Expr::leaf("packed", ty.clone(), r.ty.pack(&r.name));
                self.output(body, face, ty, |_, _| Some(bits));
            }
        }
        for _ in 0..self.rng.u32(1..=2) {
            let ty = match (top, self.one_in(5)) {
                (_, true) => Type::Logic,
                (true, _) => {
                    let w = self.rng.u32(1..=12);
                    crate::support_vhdl::zoo::vector(self.rng, w)
                }
                _ => self.object_type(),
            };
            self.output(body, face, ty, |_, _| None);
        }
    }

    fn output(
        &mut self,
        body: &mut Body,
        face: &mut Interface,
        ty: Type,
        value: impl FnOnce(&mut Self, &Scope) -> Option<Expr>,
    ) {
        let name = self.name("out");
        let to = whole(&object(&name, &ty));
        let scope = body.scope.clone();
        let item = match value(self, &scope) {
            Some(e) => Item::Assign { to, values: vec![e], conditions: vec![] },
            None => self.concurrent(&scope, to),
        };
        body.unit.items.push(item);
        body.unit.ports.push((name.clone(), "out", ty.mark()));
        // VHDL-2008: an output may be read.
        if self.one_in(3) {
            body.scope.add(name.clone(), ty.clone());
        }
        face.outputs.push((name, ty));
    }
}
