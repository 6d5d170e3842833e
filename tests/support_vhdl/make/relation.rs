//! Expressions of type `boolean`: relations on every type, `std_match`, `??`.

use super::{Gen, word};
use crate::support::gen_expr::width;
use crate::support_vhdl::expr::{Expr, Kid, Sure, level};
use crate::support_vhdl::types::{Kind, Type};

const EQUALITY: [&str; 2] = ["=", "/="];
const RELATIONS: [&str; 6] = ["=", "/=", "<", "<=", ">", ">="];

impl Gen<'_> {
    pub(super) fn boolean(&mut self, depth: u32) -> Expr {
        match self.rng.u32(0..20) {
            0..=4 => self.logical(&Type::Boolean, depth),
            5..=8 => self.vector_relation(depth),
            9..=13 => self.relation(depth),
            14 | 15 => self.std_match(depth),
            16 | 17 => {
                let ty = self.pick(&[Type::Logic, Type::Bit]);
                let e = self.expr(&ty, depth);
                let label = format!("unary ?? {}", word(&ty));
                Expr::new(label, Type::Boolean, "?? $0", vec![Kid::at(e, level::PRIMARY)]).binding(level::CONDITION)
            }
            18 => {
                let f = self.pick(&["minimum", "maximum"]);
                let (a, b) = (self.expr(&Type::Boolean, depth), self.expr(&Type::Boolean, depth));
                let label = format!("{f} boolean");
                Expr::new(label, Type::Boolean, format!("{f}($0, $1)"), vec![Kid::arg(a), Kid::arg(b)])
            }
            _ => {
                let kind = self.pick(&[Kind::Slv, Kind::Unsigned, Kind::Signed]);
                let w = self.width(20);
                let e = self.expr(&Type::vector(kind, w), depth);
                Expr::new(format!("is_x {}", kind.mark()), Type::Boolean, "is_x($0)", vec![Kid::arg(e)])
            }
        }
    }

    /// A relation on vectors, also of different lengths: numeric_std compares numbers, the predefined
    /// operators of the other kinds compare element by element from the left.
    fn vector_relation(&mut self, depth: u32) -> Expr {
        let kind = self.pick(&Kind::ALL);
        let op = self.pick(&RELATIONS);
        let w = width(self.rng);
        let a = self.expr(&Type::vector(kind, w), depth);
        if kind.numeric() && self.one_in(3) {
            return self.with_integer(op, a, kind, Type::Boolean, depth);
        }
        let other = if self.one_in(3) { width(self.rng) } else { w };
        let b = self.expr(&Type::vector(kind, other), depth);
        let lengths = if other == w { "" } else { " unequal" };
        let (a, b) = self.pair(a, b, Sure::Type);
        Expr::binary(op, format!("binary {op} {}{lengths}", kind.mark()), Type::Boolean, a, b)
    }

    /// A relation on any other type.
    fn relation(&mut self, depth: u32) -> Expr {
        let (ty, named) = loop {
            match self.some_type() {
                Type::Vector(..) => {}
                // GHDL 2.0 fails an assertion when it compares two constant aggregates.
                ty @ (Type::Array(_) | Type::Record(_)) => match self.name(&ty) {
                    Some(e) if e.varies() => break (ty, Some(e)),
                    _ => {}
                },
                ty => break (ty, None),
            }
        };
        let ordered = match &ty {
            Type::Record(_) => false,
            // A one-dimensional array of a discrete type has an order, element by element.
            Type::Array(a) => {
                a.dims.len() == 1 && !matches!(a.elem, Type::Vector(..) | Type::Record(_) | Type::Array(_))
            }
            _ => true,
        };
        let op = if ordered { self.pick(&RELATIONS) } else { self.pick(&EQUALITY) };
        let other = match &ty {
            // Two intervals of the same type need not be the same.
            Type::Integer(None, ..) if self.rng.bool() => loop {
                let t = self.int_type();
                if matches!(t, Type::Integer(None, ..)) {
                    break t;
                }
            },
            t => t.clone(),
        };
        let fixed = named.is_some();
        let a = named.map_or_else(|| self.expr(&ty, depth), Expr::fixed);
        let b = self.expr(&other, depth);
        let (a, b) = if fixed && self.rng.bool() { (b, a) } else { (a, b) };
        let (a, b) = self.pair(a, b, Sure::Type);
        Expr::binary(op, format!("binary {op} {}", word(&ty)), Type::Boolean, a, b)
    }

    fn std_match(&mut self, depth: u32) -> Expr {
        if self.one_in(5) {
            let (a, b) = (self.expr(&Type::Logic, depth), self.expr(&Type::Logic, depth));
            return Expr::new(
                "std_match std_logic",
                Type::Boolean,
                "std_match($0, $1)",
                vec![Kid::arg(a), Kid::arg(b).given(Sure::Length)],
            );
        }
        let kind = self.pick(&[Kind::Slv, Kind::Unsigned, Kind::Signed]);
        let w = self.width(20);
        let e = self.expr(&Type::vector(kind, w), depth);
        let pattern = self.pattern(kind, w);
        let kids = vec![Kid::arg(e), Kid::arg(pattern).given(Sure::Length)];
        Expr::new(format!("std_match {}", kind.mark()), Type::Boolean, "std_match($0, $1)", kids)
    }
}
