//! Makes random small modules: registers with every kind of reset, latches, memories, combinational
//! processes, loops, functions and tasks, generate blocks, packages and instances.
//!
//! Every module is deterministic. Either all state has an initial value, or all of it is reset in the
//! second cycle; a value never depends on the order in which processes run. In particular a latch
//! feeds outputs only, and its enable and data come from inputs, which change while the clock is low.

mod assignment;
mod combinational;
mod design;
mod hierarchy;
mod module;
mod routine;
mod state;
mod statement;

pub use design::Design;

use super::expr::{Dialect, Expr, Func, Lit, Ref};
use super::gen_expr::{Gen, Scope, corner, vector};
use super::stmt::Item;
use super::types::{Ty, Type};
use fastrand::Rng;
use std::rc::Rc;

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

fn whole(name: &Rc<str>, ty: &Type) -> Ref {
    Ref { name: name.clone(), ty: Rc::new(ty.clone()), bounds: None, steps: vec![] }
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
}
