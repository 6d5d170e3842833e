//! Expressions of vector types: arithmetic of numeric_std in every mix of operands, shifts, resizing,
//! conversions, concatenation.

use super::{Gen, prefix};
use crate::support::gen_expr::width;
use crate::support_vhdl::expr::{Expr, Kid, Sure};
use crate::support_vhdl::types::{Kind, Type};

impl Gen<'_> {
    /// A vector of the kind and width.
    pub(super) fn vector(&mut self, kind: Kind, w: u32, depth: u32) -> Expr {
        let ty = Type::vector(kind, w);
        let numeric = kind.numeric();
        match self.rng.u32(0..30) {
            0..=8 if numeric => self.arithmetic(kind, w, depth),
            0..=4 | 9 | 10 => self.logical(&ty, depth),
            11 | 12 => self.scalar_vector(kind, w, depth),
            13..=15 => self.shift(kind, w, depth),
            16..=18 => self.concatenation(kind, w, depth),
            19..=21 if numeric => self.resize(kind, w, depth),
            22 | 23 if numeric => self.vector_of_integer(kind, w, depth),
            24 => self.extreme(kind, w, depth),
            25 if kind != Kind::Bits => {
                let f = self.pick(&["to_x01", "to_01", "to_01"]);
                let e = self.expr(&ty, depth);
                // The two declarations of each in std_logic_1164 tell std_ulogic_vector from bit_vector.
                Expr::new(format!("{f} {}", kind.mark()), ty, format!("{f}($0)"), vec![Kid::arg(e)])
            }
            _ => self.conversion(kind, w, depth),
        }
    }

    /// An operand that is never zero.
    fn divisor(&mut self, kind: Kind, w: u32, depth: u32) -> Expr {
        let value = loop {
            let value = super::bits(self.rng, w);
            if value.contains('1') {
                break value;
            }
        };
        let constant = self.vector_constant(kind, &value);
        if depth == 0 || self.rng.bool() {
            return constant;
        }
        let e = self.expr(&Type::vector(kind, w), depth);
        let (a, b) = if self.rng.bool() { (e, constant) } else { (constant, e) };
        let (a, b) = self.pair(a, b, Sure::Type);
        // Not to be replaced by its operands, one of which may be zero.
        Expr::binary("or", format!("binary or {}", kind.mark()), Type::vector(kind, w), a, b).nonzero()
    }

    fn divisor_integer(&mut self, op: &str, kind: Kind, w: u32, depth: u32) -> Expr {
        let high = (1 << w.min(20)) - 1;
        let negative = kind == Kind::Signed && self.rng.bool();
        if op == "/" && kind == Kind::Signed && !negative {
            // The body of numeric_std takes the quotient for zero if the number needs more bits than the
            // vector has; but the lowest vector divided by a number just out of its range is -1.
            let out = 1 << (w - 1).min(20);
            let below = out > 1 && self.rng.bool();
            return self.expr(&if below { Type::int(1, out - 1) } else { Type::int(out + 1, 2 * out) }, depth);
        }
        self.expr(&if negative { Type::int(-high, -1) } else { Type::int(1, high) }, depth)
    }

    fn arithmetic(&mut self, kind: Kind, w: u32, depth: u32) -> Expr {
        let ty = Type::vector(kind, w);
        let mark = kind.mark();
        let d = depth;
        match self.rng.u32(0..16) {
            0..=3 => {
                // The wider operand gives the width.
                let op = self.pick(&["+", "-"]);
                let other = if self.rng.bool() { w } else { self.rng.u32(1..=w) };
                let (x, y) = if self.rng.bool() { (w, other) } else { (other, w) };
                let (a, b) = (self.expr(&Type::vector(kind, x), d), self.expr(&Type::vector(kind, y), d));
                let (a, b) = self.pair(a, b, Sure::Array);
                Expr::binary(op, format!("binary {op} {mark}"), ty, a, b)
            }
            4 | 5 => {
                let op = self.pick(&["+", "-"]);
                let a = self.expr(&ty, d);
                self.mixed(op, kind, a, None, d)
            }
            6 => {
                let op = self.pick(&["+", "-"]);
                let v = Kid::at(self.expr(&ty, d), 0);
                let s = Kid::at(self.expr(&Type::Logic, d), 0).given(Sure::Length);
                if self.rng.bool() {
                    Expr::binary(op, format!("binary {op} {mark} std_logic"), ty, v, s)
                } else {
                    Expr::binary(op, format!("binary {op} std_logic {mark}"), ty, s, v)
                }
            }
            7 | 8 if w > 1 => {
                let x = self.rng.u32(1..w);
                let (a, b) = (self.expr(&Type::vector(kind, x), d), self.expr(&Type::vector(kind, w - x), d));
                let (a, b) = self.pair(a, b, Sure::Array);
                Expr::binary("*", format!("binary * {mark}"), ty, a, b)
            }
            9 if w.is_multiple_of(2) => {
                let a = self.expr(&Type::vector(kind, w / 2), d);
                self.mixed("*", kind, a, None, d).typed(ty)
            }
            10 | 11 => {
                // A quotient has the width of the dividend, a remainder that of the divisor.
                let op = self.pick(&["/", "rem", "mod"]);
                let other = if self.rng.bool() { w } else { width(self.rng) };
                let (x, y) = if op == "/" { (w, other) } else { (other, w) };
                let (a, b) = (self.expr(&Type::vector(kind, x), d), self.divisor(kind, y, d));
                let (a, b) = self.pair(a, b, Sure::Array);
                Expr::binary(op, format!("binary {op} {mark}"), ty, a, b)
            }
            12 | 13 => {
                let op = self.pick(&["/", "rem", "mod"]);
                if self.rng.bool() {
                    let (a, i) = (self.expr(&ty, d), self.divisor_integer(op, kind, w, d));
                    self.mixed(op, kind, a, Some(i), d)
                } else {
                    // The body of numeric_std assigns the remainder, which has the length of the divisor, to
                    // a vector with the length of the number, and fails if the number is the longer.
                    let high = (1 << w.min(30) >> (kind == Kind::Signed) as u32) - 1;
                    let low = if kind == Kind::Signed { -high - 1 } else { 0 };
                    let i = match op {
                        "/" => self.small_integer(kind, w, d),
                        _ => self.expr(&Type::int(low, high), d),
                    };
                    let b = self.divisor(kind, w, d);
                    let kids = (Kid::at(i, 0).given(Sure::Length), Kid::at(b, 0));
                    Expr::binary(op, format!("binary {op} integer {mark}"), ty, kids.0, kids.1)
                }
            }
            14 | 15 if kind == Kind::Signed => {
                let op = self.pick(&["-", "abs"]);
                let e = self.expr(&ty, d);
                prefix(op, e, ty)
            }
            _ => {
                let op = self.pick(&["+", "-"]);
                let (a, b) = (self.expr(&ty, d), self.expr(&ty, d));
                let (a, b) = self.pair(a, b, Sure::Array);
                Expr::binary(op, format!("binary {op} {mark}"), ty, a, b)
            }
        }
    }

    /// `vector op integer`; without a given right operand also the other way round.
    fn mixed(&mut self, op: &'static str, kind: Kind, a: Expr, i: Option<Expr>, depth: u32) -> Expr {
        let Type::Vector(_, r) = a.ty.clone() else { unreachable!("a vector operand") };
        let (ty, mark) = (Type::vector(kind, r.len()), kind.mark());
        let either = i.is_none() && self.rng.bool();
        let i = i.unwrap_or_else(|| self.small_integer(kind, r.len(), depth));
        let (a, i) = (Kid::at(a, 0).given(Sure::Array), Kid::at(i, 0).given(Sure::Length));
        if either {
            Expr::binary(op, format!("binary {op} integer {mark}"), ty, i, a)
        } else {
            Expr::binary(op, format!("binary {op} {mark} integer"), ty, a, i)
        }
    }

    fn shift(&mut self, kind: Kind, w: u32, depth: u32) -> Expr {
        let ty = Type::vector(kind, w);
        let most = (w as i64 + 3).min(40);
        if kind.numeric() && self.rng.bool() {
            let f = self.pick(&["shift_left", "shift_right", "rotate_left", "rotate_right"]);
            let (e, n) = (self.expr(&ty, depth), self.expr(&Type::int(0, most), depth));
            let kids = vec![Kid::arg(e), Kid::arg(n).given(Sure::Length)];
            return Expr::new(format!("{f} {}", kind.mark()), ty, format!("{f}($0, $1)"), kids);
        }
        // std_logic_1164 has no arithmetic shifts.
        let all = ["sll", "srl", "rol", "ror", "sla", "sra"];
        let op = self.pick(if kind == Kind::Slv { &all[..4] } else { &all });
        // A negative count shifts the other way.
        let low = if self.one_in(3) { -most } else { 0 };
        let (e, n) = (self.expr(&ty, depth), self.expr(&Type::int(low, most), depth));
        let (e, n) = (Kid::at(e, 0), Kid::at(n, 0).given(Sure::Length));
        Expr::binary(op, format!("binary {op} {}", kind.mark()), ty, e, n)
    }

    /// Vectors and elements joined, in every mix.
    fn concatenation(&mut self, kind: Kind, w: u32, depth: u32) -> Expr {
        let ty = Type::vector(kind, w);
        let mut left = w;
        let mut acc: Option<Expr> = None;
        if w == 1 || self.one_in(20) {
            let empty = Expr::leaf("literal empty", Type::vector(kind, 1), "\"\"").sure(Sure::Length).fixed();
            acc = Some(empty);
        }
        while left > 0 {
            let whole = acc.is_none() && left == w;
            let n = if left == 1 { 1 } else { self.rng.u32(1..=if whole { left - 1 } else { left }) };
            // The element on its own, or an array of one.
            let element = n == 1 && !self.one_in(4);
            let part =
                if element { self.expr(&kind.element(), depth) } else { self.expr(&Type::vector(kind, n), depth) };
            left -= n;
            acc = Some(match acc {
                None => part,
                Some(a) => self.joined(a, part, kind, w - left),
            });
        }
        let e = acc.expect("at least one part");
        e.typed(ty)
    }

    fn joined(&mut self, a: Expr, b: Expr, kind: Kind, total: u32) -> Expr {
        let side = |e: &Expr| if matches!(e.ty, Type::Vector(..)) { "array" } else { "element" };
        let label = format!("binary & {} {} {}", kind.mark(), side(&a), side(&b));
        let known = [&a, &b].iter().any(|e| matches!(e.ty, Type::Vector(..)) && e.sure >= Sure::Array);
        let (x, y) = (Kid::at(a, 0).given(Sure::Length), Kid::at(b, 0).given(Sure::Length));
        let e = Expr::binary("&", label, Type::vector(kind, total), x, y);
        e.sure(if known { Sure::Array } else { Sure::Length })
    }

    fn resize(&mut self, kind: Kind, w: u32, depth: u32) -> Expr {
        let other = width(self.rng);
        let e = self.expr(&Type::vector(kind, other), depth);
        let ty = Type::vector(kind, w);
        if self.one_in(5)
            && let Some(like) = self.whole_vector(kind, w)
        {
            // VHDL-2008: the size of another vector.
            let (label, template) = match self.rng.bool() {
                true => ("resize to 'length", format!("resize($0, {like}'length)")),
                false => ("resize like", format!("resize($0, {like})")),
            };
            return Expr::new(format!("{label} {}", kind.mark()), ty, template, vec![Kid::arg(e)]);
        }
        Expr::new(format!("resize {}", kind.mark()), ty, format!("resize($0, {w})"), vec![Kid::arg(e)])
    }

    /// The name of an object of exactly this type.
    fn whole_vector(&mut self, kind: Kind, w: u32) -> Option<String> {
        let ty = Type::vector(kind, w);
        let all: Vec<_> = self.scope.objects.iter().filter(|o| ty.takes(&o.ty)).map(|o| o.name.to_string()).collect();
        if all.is_empty() { None } else { Some(self.pick(&all)) }
    }

    fn vector_of_integer(&mut self, kind: Kind, w: u32, depth: u32) -> Expr {
        let f = if kind == Kind::Signed { "to_signed" } else { "to_unsigned" };
        let i = self.small_integer(kind, w, depth);
        let template = match self.whole_vector(kind, w) {
            Some(like) if self.one_in(3) => format!("{f}($0, {like}'length)"),
            _ => format!("{f}($0, {w})"),
        };
        Expr::new(f, Type::vector(kind, w), template, vec![Kid::arg(i).given(Sure::Length)])
    }

    /// `minimum` and `maximum`, which for numbers take operands of different widths.
    fn extreme(&mut self, kind: Kind, w: u32, depth: u32) -> Expr {
        let f = self.pick(&["minimum", "maximum"]);
        let ty = Type::vector(kind, w);
        let a = self.expr(&ty, depth);
        let (label, b) = if kind.numeric() && self.one_in(3) {
            (format!("{f} {} integer", kind.mark()), self.small_integer(kind, w, depth))
        } else if kind.numeric() && self.rng.bool() {
            let n = self.rng.u32(1..=w);
            (format!("{f} {}", kind.mark()), self.expr(&Type::vector(kind, n), depth))
        } else {
            (format!("{f} {}", kind.mark()), self.expr(&ty, depth))
        };
        // GHDL 2.0 fails when it evaluates the predefined functions of arrays with constants.
        let constant = |e: &Expr| !e.varies() && e.names_constant();
        if !kind.numeric() && (constant(&a) || constant(&b)) {
            return self.logical(&ty, depth);
        }
        let kids = vec![Kid::arg(a), Kid::arg(b).given(Sure::Length)];
        Expr::new(label, ty, format!("{f}($0, $1)"), kids)
    }

    /// A type conversion from a vector of another kind.
    fn conversion(&mut self, kind: Kind, w: u32, depth: u32) -> Expr {
        let from = match kind {
            Kind::Bits => Kind::Slv,
            _ => self.pick(&[Kind::Slv, Kind::Unsigned, Kind::Signed, Kind::Bits]),
        };
        let e = self.expr(&Type::vector(from, w), depth);
        let ty = Type::vector(kind, w);
        let (label, template) = match (from, kind) {
            (_, Kind::Bits) => ("to_bitvector".to_string(), "to_bitvector($0)".to_string()),
            (Kind::Bits, Kind::Slv) => ("to_stdlogicvector".into(), "to_stdlogicvector($0)".into()),
            // A conversion between closely related arrays converts the elements, and bit and std_logic
            // are not related.
            (Kind::Bits, _) => ("to_stdlogicvector".into(), format!("{}(to_stdlogicvector($0))", kind.mark())),
            _ => (format!("conversion {} to {}", from.mark(), kind.mark()), format!("{}($0)", kind.mark())),
        };
        Expr::new(label, ty, template, vec![Kid::arg(e)])
    }
}
