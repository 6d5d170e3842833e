//! Integer expressions with intervals: nothing leaves the range of its place, overflows or divides by
//! zero.

use super::{Gen, prefix, word};
use crate::support_vhdl::expr::{Expr, Kid, Sure, integer_literal};
use crate::support_vhdl::library::{self, HIGHEST};
use crate::support_vhdl::scope::Object;
use crate::support_vhdl::types::{INT_MAX, INT_MIN, Kind, Type};
use std::rc::Rc;

type Base = Option<Rc<str>>;

/// The interval of an integer expression.
fn bounds(e: &Expr) -> (i64, i64) {
    match &e.ty {
        Type::Integer(_, l, h) => (*l, *h),
        _ => unreachable!("an integer expression"),
    }
}

/// The interval of `f` at the corners of two intervals.
fn corners((a, b): (i64, i64), (c, d): (i64, i64), f: impl Fn(i64, i64) -> i64) -> (i64, i64) {
    let all = [f(a, c), f(a, d), f(b, c), f(b, d)];
    (*all.iter().min().expect("four"), *all.iter().max().expect("four"))
}

impl Gen<'_> {
    /// An integer between two bounds.
    pub(super) fn integer(&mut self, base: &Base, low: i64, high: i64, depth: u32) -> Expr {
        let e = self.any_integer(base, depth);
        let (l, h) = bounds(&e);
        if low <= l && h <= high {
            return e;
        }
        self.confine(e, low, high)
    }

    /// Brings an integer into an interval, by `mod` or by clamping.
    fn confine(&mut self, e: Expr, low: i64, high: i64) -> Expr {
        let Type::Integer(base, ..) = e.ty.clone() else { unreachable!("an integer expression") };
        let ty = |l, h| Type::Integer(base.clone(), l, h);
        let lit = |v: i64| integer_literal(&ty(0, 0), v, v.unsigned_abs().to_string());
        // The predefined functions of an own type may check their arguments against its range.
        if base.is_none() && self.one_in(5) {
            let inner = Expr::new(
                format!("minimum {}", word(&e.ty)),
                ty(bounds(&e).0.min(high), high),
                "minimum($0, $1)",
                vec![Kid::arg(e).given(Sure::Type), Kid::arg(lit(high)).given(Sure::Length)],
            );
            let label = format!("maximum {}", word(&inner.ty));
            let kids = vec![Kid::arg(lit(low)).given(Sure::Length), Kid::arg(inner)];
            return Expr::new(label, ty(low, high), "maximum($0, $1)", kids);
        }
        let span = high - low + 1;
        if span > INT_MAX {
            return self.literal(&ty(low, high));
        }
        let label = format!("binary mod {}", word(&e.ty));
        let (a, sure) = self.operand(e);
        let b = Kid::at(lit(span), 0).given(Sure::Length);
        let wrapped = Expr::binary("mod", label, ty(0, span - 1), a, b).sure(sure);
        if low == 0 {
            return wrapped;
        }
        let (op, offset) = if low < 0 { ("-", -low) } else { ("+", low) };
        let label = format!("binary {op} {}", word(&wrapped.ty));
        let (a, b) = (Kid::at(wrapped, 0).given(Sure::Length), Kid::at(lit(offset), 0).given(Sure::Length));
        Expr::binary(op, label, ty(low, high), a, b).sure(sure)
    }

    /// An operand of a calculation and what it makes of the result: universal numbers stay universal, but
    /// a result of an own type must know it, because a qualification would check the range.
    fn operand(&mut self, e: Expr) -> (Kid, Sure) {
        match e.ty {
            Type::Integer(Some(_), ..) => (Kid::at(e, 0), Sure::Type),
            _ => {
                let sure = e.sure;
                (Kid::at(e, 0).given(Sure::Length), sure)
            }
        }
    }

    /// The declared range of an integer type.
    fn declared(&self, base: &Base) -> Type {
        let own = self.scope.types.iter().find(|t| base.as_ref().is_some_and(|b| t.base() == **b));
        own.cloned().unwrap_or_else(|| Type::Integer(base.clone(), INT_MIN, INT_MAX))
    }

    /// Some integer expression of the base type, with the interval it happens to have.
    fn any_integer(&mut self, base: &Base, depth: u32) -> Expr {
        if depth == 0 {
            return self.leaf_integer(base);
        }
        let d = depth - 1;
        for _ in 0..4 {
            let e = match self.rng.u32(0..25) {
                0..=8 => self.calculation(base, d),
                9 => {
                    let a = self.any_integer(base, d);
                    let (l, h) = bounds(&a);
                    Some(self.signed_prefix("-", a, -h, -l))
                }
                10 => {
                    let a = self.any_integer(base, d);
                    let (l, h) = bounds(&a);
                    let low = if l <= 0 && h >= 0 { 0 } else { l.abs().min(h.abs()) };
                    Some(self.signed_prefix("abs", a, low, l.abs().max(h.abs())))
                }
                11 => self.power(base),
                12 => {
                    let (a, b) = match base {
                        None => (self.any_integer(base, d), self.any_integer(base, d)),
                        Some(_) => {
                            let ty = self.declared(base);
                            (self.expr(&ty, d), self.expr(&ty, d))
                        }
                    };
                    let f = self.pick(&["minimum", "maximum"]);
                    let ((l, h), (m, i)) = (bounds(&a), bounds(&b));
                    let (low, high) = if f == "minimum" { (l.min(m), h.min(i)) } else { (l.max(m), h.max(i)) };
                    let ty = Type::Integer(base.clone(), low, high);
                    let label = format!("{f} {}", word(&ty));
                    Some(Expr::new(label, ty, format!("{f}($0, $1)"), vec![Kid::arg(a), Kid::arg(b)]))
                }
                13 | 14 => Some(self.converted(base, d)),
                15..=18 if base.is_none() => Some(self.integer_of_vector(d)),
                19 if base.is_none() => self.position(d),
                20 if base.is_none() => self.attribute(),
                21 if base.is_none() => Some(self.find(d)),
                23 if base.is_none() && !self.scope.bare => library::call(self, &Type::int(INT_MIN, INT_MAX), d),
                22 => {
                    let a = self.leaf_integer(base);
                    let (l, h) = bounds(&a);
                    Some(self.signed_prefix("+", a, l, h))
                }
                _ => Some(self.leaf_integer(base)),
            };
            if let Some(e) = e {
                return e;
            }
        }
        self.leaf_integer(base)
    }

    /// A unary operator.
    fn signed_prefix(&mut self, op: &'static str, a: Expr, low: i64, high: i64) -> Expr {
        let Type::Integer(base, ..) = a.ty.clone() else { unreachable!("an integer expression") };
        let sure = if base.is_none() { a.sure } else { Sure::Type };
        let e = prefix(op, a, Type::Integer(base, low, high));
        // A universal operand makes a universal result.
        if sure == Sure::Length { e.sure(sure).helped() } else { e }
    }

    fn leaf_integer(&mut self, base: &Base) -> Expr {
        let all = Type::Integer(base.clone(), INT_MIN, INT_MAX);
        if !self.one_in(3)
            && let Some(e) = self.name(&all)
        {
            return e;
        }
        match base {
            Some(_) => self.literal(&self.declared(base)),
            None if self.one_in(8) => self.literal(&all),
            None => self.literal(&Type::int(-40, 100)),
        }
    }

    /// `+ - * / mod rem`, if the result cannot overflow.
    fn calculation(&mut self, base: &Base, depth: u32) -> Option<Expr> {
        let op = self.pick(&["+", "-", "*", "/", "mod", "rem"]);
        let a = self.any_integer(base, depth);
        let b = match op {
            "/" | "mod" | "rem" => {
                let n = self.rng.i64(1..=30);
                let (low, high) = match self.declared(base) {
                    Type::Integer(_, l, h) => (l.max(-n), h.min(n)),
                    _ => unreachable!("integers are integers"),
                };
                let negative = low < 0 && (high < 1 || self.one_in(3));
                let (low, high) = if negative { (low, high.min(-1)) } else { (low.max(1), high) };
                if low > high {
                    return None;
                }
                self.expr(&Type::Integer(base.clone(), low, high), depth.min(1))
            }
            _ => self.any_integer(base, depth),
        };
        let (x, y) = (bounds(&a), bounds(&b));
        let most = y.0.abs().max(y.1.abs()) - 1;
        let (low, high) = match op {
            "+" => (x.0 + y.0, x.1 + y.1),
            "-" => (x.0 - y.1, x.1 - y.0),
            "*" => corners(x, y, |a, b| a * b),
            "/" => {
                let (l, h) = corners(x, y, |a, b| a / b);
                (if x.0 < 0 && x.1 > 0 { l.min(0) } else { l }, if x.0 < 0 && x.1 > 0 { h.max(0) } else { h })
            }
            // The sign of the result is the divisor's …
            "mod" => {
                if y.0 > 0 {
                    (0, most)
                } else {
                    (-most, 0)
                }
            }
            // … or the dividend's.
            _ => (if x.0 < 0 { -most } else { 0 }, if x.1 > 0 { most } else { 0 }),
        };
        if low < INT_MIN || high > INT_MAX {
            return None;
        }
        let ty = Type::Integer(base.clone(), low, high);
        let label = format!("binary {op} {}", word(&ty));
        let ((a, first), (b, second)) = (self.operand(a), self.operand(b));
        Some(Expr::binary(op, label, ty, a, b).sure(first.max(second)))
    }

    /// `a ** n` with a static power.
    fn power(&mut self, base: &Base) -> Option<Expr> {
        let a = self.leaf_integer(base);
        let n = self.rng.u32(0..=5);
        let (l, h) = bounds(&a);
        let all = [l.checked_pow(n)?, h.checked_pow(n)?, if l < 0 && h > 0 && n > 0 { 0 } else { l.checked_pow(n)? }];
        let (low, high) = (*all.iter().min()?, *all.iter().max()?);
        if low < INT_MIN || high > INT_MAX {
            return None;
        }
        let ty = Type::Integer(base.clone(), low, high);
        let power = integer_literal(&Type::int(0, 0), n as i64, n.to_string());
        let label = format!("binary ** {}", word(&ty));
        let (a, sure) = self.operand(a);
        Some(Expr::binary("**", label, ty, a, Kid::at(power, 0).given(Sure::Length)).sure(sure))
    }

    /// A conversion between integer types.
    fn converted(&mut self, base: &Base, depth: u32) -> Expr {
        let own = self.scope.integers();
        if own.is_empty() {
            return self.leaf_integer(base);
        }
        let wanted = match base {
            None => self.pick(&own),
            Some(_) => match self.declared(base) {
                Type::Integer(_, l, h) => Type::int(l, h),
                _ => unreachable!("integers are integers"),
            },
        };
        let e = self.expr(&wanted, depth);
        let (low, high) = bounds(&e);
        let target = base.as_deref().unwrap_or("integer");
        let label = format!("conversion to {}", if base.is_none() { "integer" } else { "own integer" });
        Expr::new(label, Type::Integer(base.clone(), low, high), format!("{target}($0)"), vec![Kid::arg(e)])
    }

    fn integer_of_vector(&mut self, depth: u32) -> Expr {
        let kind = self.pick(&[Kind::Unsigned, Kind::Signed]);
        let most = if self.one_in(6) { 31 } else { 10 };
        let w = self.width(most);
        let e = self.expr(&Type::vector(kind, w), depth);
        let ty = match kind {
            Kind::Signed => Type::int(-(1 << (w - 1)), (1 << (w - 1)) - 1),
            _ => Type::int(0, (1 << w) - 1),
        };
        Expr::new(format!("to_integer {}", kind.mark()), ty, "to_integer($0)", vec![Kid::arg(e)])
    }

    /// `t'pos(e)`.
    fn position(&mut self, depth: u32) -> Option<Expr> {
        let mut types = self.scope.enums();
        types.extend([Type::Boolean, Type::Bit]);
        let ty = self.pick(&types);
        let last = match &ty {
            Type::Enum(e) => e.literals.len() as i64 - 1,
            _ => 1,
        };
        let e = self.expr(&ty, depth);
        let template = format!("{}'pos($0)", ty.base());
        let e = Expr::new("attribute 'pos", Type::int(0, last), template, vec![Kid::arg(e).given(Sure::Length)]);
        // A universal integer. GHDL 2.0 takes the wrong one of two such for the greater.
        Some(e.sure(Sure::Length))
    }

    /// An attribute of an array object.
    fn attribute(&mut self) -> Option<Expr> {
        let arrays = self.scope.objects.iter().filter(|o| matches!(o.ty, Type::Vector(..) | Type::Array(_)));
        let arrays: Vec<Object> = arrays.cloned().collect();
        if arrays.is_empty() {
            return None;
        }
        // There are many more vectors than arrays of two dimensions.
        let square = |o: &&Object| matches!(&o.ty, Type::Array(a) if a.dims.len() == 2);
        let squares: Vec<Object> = arrays.iter().filter(square).cloned().collect();
        let o = if !squares.is_empty() && self.one_in(4) { self.pick(&squares) } else { self.pick(&arrays) };
        let (range, dimension) = match &o.ty {
            Type::Vector(_, r) => (*r, String::new()),
            Type::Array(a) if a.index.is_some() => return None,
            Type::Array(a) => {
                let n = self.rng.usize(0..a.dims.len());
                (a.dims[n], if a.dims.len() == 1 { String::new() } else { format!("({})", n + 1) })
            }
            _ => unreachable!("filtered above"),
        };
        let which = self.pick(&["length", "left", "right", "high", "low"]);
        let value = match which {
            "length" => range.len() as i64,
            "left" => range.left,
            "right" => range.right,
            "high" => range.high(),
            _ => range.low(),
        };
        let text = format!("{}'{which}{dimension}", o.name);
        let numbered = if dimension.is_empty() { "" } else { "(n)" };
        let e = Expr::leaf(format!("attribute '{which}{numbered}"), Type::int(value, value), text);
        Some(if which == "length" { e.sure(Sure::Length) } else { e })
    }

    /// `find_leftmost` and `find_rightmost` give an index of the actual, or -1.
    fn find(&mut self, depth: u32) -> Expr {
        let kind = self.pick(&[Kind::Unsigned, Kind::Signed]);
        let w = self.width(20);
        let e = self.bounded(&Type::vector(kind, w), depth);
        let f = self.pick(&["find_leftmost", "find_rightmost"]);
        let bit = self.literal(&Type::Logic);
        let kids = vec![Kid::arg(e), Kid::arg(bit).given(Sure::Length)];
        Expr::new(format!("{f} {}", kind.mark()), Type::int(-1, HIGHEST), format!("{f}($0, $1)"), kids)
    }
}
