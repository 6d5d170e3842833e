//! Literals in all the ways VHDL-2008 can write them.

use super::Gen;
use crate::support::gen_expr::corner;
use crate::support_vhdl::expr::{Expr, Sure, integer_literal, vector_literal};
use crate::support_vhdl::types::{Kind, Type};
use fastrand::Rng;

/// A random value of so many bits, most significant first, prone to corners.
pub fn bits(rng: &mut Rng, width: u32) -> String {
    let v = corner(rng, width);
    (0..width).rev().map(|i| if v >> i & 1 == 1 { '1' } else { '0' }).collect()
}

impl Gen<'_> {
    /// A constant of a scalar or vector type.
    pub fn literal(&mut self, ty: &Type) -> Expr {
        let plain = |label: &str, text: &str| Expr::leaf(label, ty.clone(), text).sure(Sure::Length);
        match ty {
            Type::Logic | Type::Bit => plain("literal ''", if self.rng.bool() { "'1'" } else { "'0'" }),
            Type::Boolean => plain("literal boolean", if self.rng.bool() { "true" } else { "false" }).sure(Sure::Type),
            Type::Vector(k, r) => {
                let value = bits(self.rng, r.len());
                self.vector_constant(*k, &value)
            }
            Type::Integer(_, l, h) => {
                let value = self.value(*l, *h);
                self.integer_constant(ty, value)
            }
            Type::Enum(e) => plain("literal enumeration", &self.pick(&e.literals)),
            Type::Record(_) | Type::Array(_) => unreachable!("composites have aggregates, not literals"),
        }
    }

    /// A number between two others, prone to the ends and to small ones.
    pub fn value(&mut self, low: i64, high: i64) -> i64 {
        match self.rng.u32(0..6) {
            0 => low,
            1 => high,
            2 => 0.clamp(low, high),
            3 => self.rng.i64(-9..=9).clamp(low, high),
            _ => self.rng.i64(low..=high),
        }
    }

    fn integer_constant(&mut self, ty: &Type, value: i64) -> Expr {
        let n = value.unsigned_abs();
        let digits = match self.rng.u32(0..12) {
            0 => format!("16#{n:X}#"),
            1 => format!("2#{n:b}#"),
            2 if n > 999 => format!("{}_{:03}", n / 1000, n % 1000),
            3 if n > 0 && n.is_multiple_of(100) => format!("{}e2", n / 100),
            _ => n.to_string(),
        };
        let label = match digits.chars().find(|c| !c.is_ascii_digit()) {
            Some('#') => "literal based integer",
            Some('_') => "literal integer with _",
            Some('e') => "literal integer with exponent",
            _ => "literal integer",
        };
        integer_literal(ty, value, digits).labelled(label)
    }

    /// A bit-string literal of this value.
    pub fn vector_constant(&mut self, kind: Kind, value: &str) -> Expr {
        let w = value.len();
        let plain = vector_literal(kind, value);
        let as_number = u128::from_str_radix(value, 2).expect("at most 128 bits");
        let ones = value.bytes().take_while(|b| *b == b'1').count();
        let (label, text) = match self.rng.u32(0..9) {
            0 if w.is_multiple_of(4) => ("literal X\"\"", format!("X\"{:0n$x}\"", as_number, n = w / 4)),
            1 if w.is_multiple_of(3) => ("literal O\"\"", format!("O\"{:0n$o}\"", as_number, n = w / 3)),
            2 if w > 4 => ("literal B\"\" with _", format!("B\"{}_{}\"", &value[..w / 2], &value[w / 2..])),
            3 => ("literal sized UX\"\"", format!("{w}UX\"{as_number:x}\"")),
            4 => ("literal sized X\"\"", format!("{w}X\"{as_number:X}\"")),
            // Sign-extended: one digit of the sign must stay.
            5 if ones > 1 => ("literal sized SB\"\"", format!("{w}SB\"{}\"", &value[ones - 1..])),
            6 => ("literal sized D\"\"", format!("{w}D\"{as_number}\"")),
            _ => return plain,
        };
        let e = Expr::leaf(label, plain.ty.clone(), text).sure(Sure::Length);
        if plain.nonzero { e.nonzero() } else { e }
    }

    /// A literal with don't-cares for `std_match` and `?=`.
    pub fn pattern(&mut self, kind: Kind, width: u32) -> Expr {
        let text: String = (0..width).map(|_| self.pick(&['0', '1', '-', '-'])).collect();
        Expr::leaf("literal with -", Type::vector(kind, width), format!("\"{text}\"")).sure(Sure::Length)
    }
}
