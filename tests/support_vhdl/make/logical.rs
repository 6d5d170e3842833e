//! Logical operators on everything they are defined for, and expressions of type `std_logic` and `bit`.

use super::{Gen, prefix, word};
use crate::support_vhdl::expr::{Expr, Kid, Sure};
use crate::support_vhdl::types::{Kind, Type};

const OPERATORS: [&str; 6] = ["and", "or", "xor", "nand", "nor", "xnor"];
const MATCHING: [&str; 6] = ["?=", "?/=", "?<", "?<=", "?>", "?>="];

impl Gen<'_> {
    /// `a op b` or `not a` on two values of the type.
    pub(super) fn logical(&mut self, ty: &Type, depth: u32) -> Expr {
        if self.one_in(5) {
            let e = self.expr(ty, depth);
            return prefix("not", e, ty.clone());
        }
        let op = self.pick(&OPERATORS);
        let (a, b) = (self.expr(ty, depth), self.expr(ty, depth));
        let (op, a, b) = compiled(op, a, b);
        let label = format!("binary {op} {}", word(ty));
        let (a, b) = self.pair(a, b, Sure::Type);
        let e = Expr::binary(op, label, ty.clone(), a, b);
        // Sometimes a chain of one operator without parentheses.
        if matches!(op, "and" | "or" | "xor" | "xnor") && self.one_in(4) {
            let c = self.expr(ty, depth.min(1));
            if op == "xor" && element(&c) {
                return e;
            }
            let label = format!("binary {op} {} chained", word(ty));
            return Expr::binary(op, label, ty.clone(), Kid::at(e, 0), Kid::at(c, 0).given(Sure::Length));
        }
        e
    }

    /// `scalar op vector` or the other way round.
    pub(super) fn scalar_vector(&mut self, kind: Kind, width: u32, depth: u32) -> Expr {
        let op = self.pick(&OPERATORS);
        let ty = Type::vector(kind, width);
        let scalar = Kid::at(self.expr(&kind.element(), depth), 0);
        let vector = Kid::at(self.expr(&ty, depth), 0);
        if self.rng.bool() {
            let label = format!("binary {op} {} {}", kind.element().base(), kind.mark());
            Expr::binary(op, label, ty, scalar, vector)
        } else {
            let label = format!("binary {op} {} {}", kind.mark(), kind.element().base());
            Expr::binary(op, label, ty, vector, scalar)
        }
    }

    /// A `std_logic` or a `bit`.
    pub(super) fn scalar(&mut self, ty: &Type, depth: u32) -> Expr {
        let logic = *ty == Type::Logic;
        match self.rng.u32(0..20) {
            0..=7 => self.logical(ty, depth),
            8..=11 => {
                let op = self.pick(&OPERATORS);
                let vector = self.vector_of(ty);
                let mut e = self.expr(&vector, depth);
                // GHDL 2.0 cannot reduce a constant bit_vector ("eval_monadic_operator").
                if !logic && !e.varies() {
                    match self.name(&vector) {
                        Some(name) if name.varies() => e = name,
                        _ => return self.logical(ty, depth),
                    }
                }
                prefix(op, e, ty.clone())
            }
            12..=15 => self.matching(ty, depth),
            16 => {
                let f = self.pick(&["minimum", "maximum"]);
                let (a, b) = (self.expr(ty, depth), self.expr(ty, depth));
                let label = format!("{f} {}", word(ty));
                Expr::new(label, ty.clone(), format!("{f}($0, $1)"), vec![Kid::arg(a), Kid::arg(b)])
            }
            17 if logic && !self.scope.bare => {
                let e = self.expr(&Type::Boolean, depth);
                Expr::new("as_logic", Type::Logic, "as_logic($0)", vec![Kid::arg(e)])
            }
            18 if logic => {
                let e = self.expr(&Type::Logic, depth);
                Expr::new("to_x01 std_logic", Type::Logic, "to_x01($0)", vec![Kid::arg(e)])
            }
            _ if logic => {
                let e = self.expr(&Type::Bit, depth);
                Expr::new("to_stdulogic", Type::Logic, "to_stdulogic($0)", vec![Kid::arg(e)])
            }
            _ => {
                let e = self.expr(&Type::Logic, depth);
                Expr::new("to_bit", Type::Bit, "to_bit($0)", vec![Kid::arg(e)])
            }
        }
    }

    /// A vector type whose elements have the type.
    fn vector_of(&mut self, element: &Type) -> Type {
        let kind =
            if *element == Type::Bit { Kind::Bits } else { self.pick(&[Kind::Slv, Kind::Unsigned, Kind::Signed]) };
        let w = self.width(40);
        Type::vector(kind, w)
    }

    /// `?=` and its relatives.
    fn matching(&mut self, result: &Type, depth: u32) -> Expr {
        let op = self.pick(&MATCHING);
        let equality = matches!(op, "?=" | "?/=");
        if self.one_in(3) {
            // GHDL 2.0 has no code for the matching order of bits ("cannot handle BIT_MATCH_LESS").
            let op = if *result == Type::Bit && !equality { "?=" } else { op };
            let (a, b) = (self.expr(result, depth), self.expr(result, depth));
            let label = format!("binary {op} {}", word(result));
            let (a, b) = self.pair(a, b, Sure::Type);
            return Expr::binary(op, label, result.clone(), a, b);
        }
        let Type::Vector(kind, r) = self.vector_of(result) else { unreachable!("a vector type") };
        let w = r.len();
        // std_logic_1164 and the language order no vectors; numeric_std does.
        let op = if equality || kind.numeric() { op } else { self.pick(&["?=", "?/="]) };
        let equality = matches!(op, "?=" | "?/=");
        let mut a = self.expr(&Type::vector(kind, w), depth);
        if !kind.numeric() && !a.varies() {
            // GHDL 2.0 fails when it evaluates the predefined matching operators of arrays itself.
            match self.name(&a.ty) {
                Some(name) if name.varies() => a = name,
                _ => return self.logical(result, depth),
            }
        }
        if kind.numeric() && self.one_in(3) {
            return self.with_integer(op, a, kind, result.clone(), depth);
        }
        let b = if equality && kind != Kind::Bits && self.one_in(3) {
            self.pattern(kind, w)
        } else {
            // Only numeric_std extends the shorter operand.
            let other = if kind.numeric() && self.one_in(3) { self.width(40) } else { w };
            self.expr(&Type::vector(kind, other), depth)
        };
        let label = format!("binary {op} {}", kind.mark());
        let (a, b) = self.pair(a, b, Sure::Type);
        Expr::binary(op, label, result.clone(), a, b)
    }

    /// `vector op integer` or the other way round, for relations.
    pub(super) fn with_integer(&mut self, op: &'static str, a: Expr, kind: Kind, result: Type, depth: u32) -> Expr {
        let Type::Vector(_, r) = &a.ty else { unreachable!("a vector operand") };
        let i = self.small_integer(kind, r.len(), depth);
        let (label, left, right) = (format!("binary {op} {}", kind.mark()), Kid::at(a, 0), Kid::at(i, 0));
        let right = right.given(Sure::Length);
        if self.rng.bool() {
            Expr::binary(op, format!("{label} integer"), result, left, right)
        } else {
            let label = format!("binary {op} integer {}", kind.mark());
            Expr::binary(op, label, result, right, left)
        }
    }

    /// An integer that mostly fits a vector of the kind: never negative for `unsigned`.
    pub(super) fn small_integer(&mut self, kind: Kind, width: u32, depth: u32) -> Expr {
        let bits = if self.one_in(6) { 30 } else { width.min(30) };
        let high = (1 << bits) - 1;
        let ty = if kind == Kind::Signed { Type::int(-(high / 2) - 1, high / 2) } else { Type::int(0, high) };
        self.expr(&ty, depth)
    }
}

/// The operation as GHDL 2.0 can compile it: `a = (b xor v(0))` on bits gives a wrong result or crashes,
/// because the right operand of `xor` is an element of a vector.
fn compiled(op: &'static str, a: Expr, b: Expr) -> (&'static str, Expr, Expr) {
    match op {
        "xor" if element(&a) && element(&b) => ("nand", a, b),
        "xor" if element(&b) => (op, b, a),
        _ => (op, a, b),
    }
}

/// Whether it is an element of a `bit_vector`.
fn element(e: &Expr) -> bool {
    e.ty == Type::Bit && e.label.contains("name") && e.label.contains('(')
}
