//! Makes random small entities: registers with every kind of reset, state machines, memories, variables
//! that remember, combinational processes, subprograms, generate statements, packages and instances.
//!
//! Every design is deterministic. Either all state has an initial value, or all of it is reset in the
//! second cycle. A signal is read only by what is made after it, or is a register. The second clock
//! changes only while everything else stands still.

mod concurrent;
mod design;
mod hierarchy;
mod package;
mod routine;
mod sequential;
mod state;
mod unit;

pub use design::Design;

use super::decl::Decl;
use super::expr::Expr;
use super::item::Unit;
use super::make::Gen;
use super::scope::{Object, Scope, Step};
use super::types::{Form, Kind, Type};
use super::zoo;
use fastrand::Rng;
use std::rc::Rc;

/// What the generator carries along.
struct Maker<'a> {
    rng: &'a mut Rng,
    prefix: String,
    count: u32,
    /// Whether all state has an initial value; if not, all of it is reset.
    initialised: bool,
    low_reset: bool,
    second_clock: bool,
    /// Types, functions and constants of the package.
    package: Scope,
    procedures: Vec<Rc<Procedure>>,
}

/// How a parameter of a procedure is passed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Class {
    In,
    OutSignal,
    OutVariable,
    InoutVariable,
}

/// A procedure.
#[derive(Debug)]
struct Procedure {
    name: Rc<str>,
    params: Vec<(Rc<str>, Class, Type)>,
}

/// A unit in the making.
struct Body {
    unit: Unit,
    /// What may be read.
    scope: Scope,
    procedures: Vec<Rc<Procedure>>,
}

/// What a statement may do.
#[derive(Clone)]
struct Context {
    scope: Scope,
    /// Objects to assign, each with its operator.
    targets: Vec<(Object, &'static str)>,
    procedures: Vec<Rc<Procedure>>,
    /// The loops around, innermost last; a loop without a name can only be left from directly inside.
    loops: Vec<Option<String>>,
}

impl Maker<'_> {
    fn one_in(&mut self, n: u32) -> bool {
        self.rng.u32(0..n) == 0
    }

    fn pick<T: Clone>(&mut self, list: &[T]) -> T {
        list[self.rng.usize(0..list.len())].clone()
    }

    fn name(&mut self, stem: &str) -> Rc<str> {
        self.count += 1;
        format!("{stem}{}", self.count).into()
    }

    /// An expression; small ones more often, since a design has many and a reader has to follow them.
    fn expr(&mut self, scope: &Scope, ty: &Type, depth: u32) -> Expr {
        let depth = if self.one_in(3) { depth } else { depth.min(1) };
        Gen { rng: self.rng, scope }.expr(ty, depth)
    }

    /// A condition: a `boolean`, or a bit that `??` turns into one.
    fn condition(&mut self, scope: &Scope) -> Expr {
        let ty = if self.one_in(4) { Type::Logic } else { Type::Boolean };
        self.expr(scope, &ty, 2)
    }

    /// A constant of the type; of records and arrays an aggregate of constants.
    fn constant(&mut self, ty: &Type) -> Expr {
        let scope = Scope { types: self.package.types.clone(), plain: self.package.plain, ..Scope::default() };
        Gen { rng: self.rng, scope: &scope }.leaf(ty)
    }

    /// The value of a constant. GHDL 2.0 fails when it looks into a constant array or record whose elements
    /// are not literals.
    fn constant_value(&mut self, scope: &Scope, ty: &Type) -> Expr {
        match ty {
            Type::Array(_) | Type::Record(_) => self.constant(ty),
            _ => self.expr(scope, ty, 3),
        }
    }

    /// A type for a constant. GHDL 2.0 cannot look into a constant array whose elements have no constraint.
    fn constant_type(&mut self) -> Type {
        loop {
            match self.object_type() {
                Type::Array(a) if a.form == Form::OpenElement => {}
                ty => return ty,
            }
        }
    }

    /// A type for a signal, variable or parameter.
    fn object_type(&mut self) -> Type {
        let w = self.rng.u32(1..=12);
        match self.rng.u32(0..14) {
            0..=5 => zoo::vector(self.rng, w),
            6 => Type::Logic,
            7 => self.pick(&[Type::Boolean, Type::Bit]),
            8 => Type::vector(Kind::Bits, w),
            9 | 10 => {
                let scope = Scope { types: self.package.types.clone(), plain: self.package.plain, ..Scope::default() };
                Gen { rng: self.rng, scope: &scope }.int_type()
            }
            _ => {
                let types = self.package.types.clone();
                self.pick(&types)
            }
        }
    }

    /// Some steps from a type into a part of it.
    fn way(&mut self, ty: &Type) -> Vec<Step> {
        let mut way = vec![];
        let mut ty = ty.clone();
        while way.len() < 3 && self.rng.bool() {
            ty = match ty {
                Type::Vector(k, r) if r.len() > 1 => {
                    if self.rng.bool() {
                        way.push(Step::Slice(self.rng.u32(1..r.len())));
                        return way;
                    }
                    way.push(Step::Element);
                    k.element()
                }
                Type::Record(r) => {
                    let i = self.rng.usize(0..r.fields.len());
                    way.push(Step::Field(i));
                    r.fields[i].1.clone()
                }
                Type::Array(a) => {
                    way.push(Step::Element);
                    a.elem.clone()
                }
                _ => break,
            };
        }
        way
    }
}

/// The declaration of a signal, variable or constant added to a list.
fn declare(decls: &mut Vec<Decl>, class: &'static str, name: &Rc<str>, ty: &Type, value: Option<&Expr>) {
    decls.push(Decl::object(class, name, ty, value));
}

fn object(name: &Rc<str>, ty: &Type) -> Object {
    Object { name: name.clone(), ty: ty.clone(), fixed: false }
}

/// A whole object as an expression that must stay a name.
fn whole(o: &Object) -> Expr {
    Expr::leaf("name", o.ty.clone(), &*o.name).fixed()
}
