//! Makes a random expression of a wanted type over the objects and functions of a scope.
//!
//! VHDL resolves operators by the types of their operands and of their place, so generation goes from
//! the wanted type downwards: pick an operator with that result, then operands that fit it. Values are
//! legal by construction: integers carry intervals, divisors are never zero, indices are inside their
//! ranges. All of that also holds before the first delta cycle has run, when vectors are still `'U'`
//! and `to_integer` gives zero.

mod composite;
mod integer;
mod literal;
mod logical;
mod name;
mod numeric;
mod relation;

pub use literal::bits;

use super::expr::{Expr, Kid, Sure, level};
use super::library;
use super::scope::{Func, Scope};
use super::standin;
use super::types::{Kind, Range, Type};
use crate::support::gen_expr::width;
use fastrand::Rng;
use std::rc::Rc;

/// The generator at work.
pub struct Gen<'a> {
    pub rng: &'a mut Rng,
    pub scope: &'a Scope,
}

impl Gen<'_> {
    pub fn one_in(&mut self, n: u32) -> bool {
        self.rng.u32(0..n) == 0
    }

    pub fn pick<T: Clone>(&mut self, list: &[T]) -> T {
        list[self.rng.usize(0..list.len())].clone()
    }

    /// An expression of the type, of at most this depth.
    pub fn expr(&mut self, ty: &Type, depth: u32) -> Expr {
        let mut e = if depth == 0 || self.one_in(9) { self.leaf(ty) } else { self.operation(ty, depth - 1) };
        if self.scope.plain {
            for _ in 0..8 {
                // It has few operations on constants.
                let constant = !e.varies() && e.children().next().is_some();
                if !constant && !standin::unable(&e.label) {
                    break;
                }
                e = self.leaf(ty);
            }
        }
        // An aggregate keeps to the bounds it was made for; anything else slides to those of its place.
        if e.sure != Sure::Nothing && matches!(ty, Type::Vector(..) | Type::Array(_)) {
            e.ty = ty.clone();
        }
        e
    }

    /// A vector whose bounds somebody asks for. Hardware has no vectors whose bounds depend on data, as
    /// those of `v(i + 3 downto i)` do, so nothing like that is in it.
    pub fn bounded(&mut self, ty: &Type, depth: u32) -> Expr {
        let all = [self.expr(ty, depth), self.leaf(ty), self.literal(ty)];
        all.into_iter().find(|e| !e.moves()).expect("a literal is no slice")
    }

    fn operation(&mut self, ty: &Type, depth: u32) -> Expr {
        if !self.scope.bare
            && self.one_in(12)
            && let Some(e) = self.call(ty, depth)
        {
            return e;
        }
        match ty {
            Type::Logic | Type::Bit => self.scalar(ty, depth),
            Type::Boolean => self.boolean(depth),
            Type::Vector(k, r) => {
                if self.one_in(14) {
                    return self.vector_aggregate(*k, *r, depth);
                }
                if self.one_in(20) {
                    return self.parenthesised(ty, depth);
                }
                self.vector(*k, r.len(), depth)
            }
            Type::Integer(base, l, h) => self.integer(base, *l, *h, depth),
            Type::Enum(_) => self.enumeration(ty, depth),
            Type::Record(_) => self.record(ty, depth),
            Type::Array(_) => self.array(ty, depth),
        }
    }

    /// Redundant parentheses, or a qualification that says nothing new.
    fn parenthesised(&mut self, ty: &Type, depth: u32) -> Expr {
        let e = self.expr(ty, depth);
        let (sure, result) = (e.sure, e.ty.clone());
        if self.rng.bool() && sure != Sure::Nothing {
            return Expr::new("parentheses", result, "($0)", vec![Kid::arg(e).given(sure)]).sure(sure);
        }
        let template = format!("{}'($0)", ty.base());
        Expr::new("qualified expression", result, template, vec![Kid::arg(e).given(Sure::Length)])
    }

    /// A name if there is one, else a constant.
    pub fn leaf(&mut self, ty: &Type) -> Expr {
        if !self.one_in(4)
            && let Some(e) = self.name(ty)
        {
            return e;
        }
        match ty {
            Type::Record(_) => self.record_aggregate(ty, 0),
            Type::Array(_) => self.array_aggregate(ty, 0),
            _ => self.literal(ty),
        }
    }

    /// A call of a function of the design, if one gives the type.
    fn call(&mut self, ty: &Type, depth: u32) -> Option<Expr> {
        let fitting: Vec<Rc<Func>> = self.scope.funcs.iter().filter(|f| ty.takes(&f.ret)).cloned().collect();
        if fitting.is_empty() || self.one_in(3) {
            return library::call(self, ty, depth);
        }
        let f = self.pick(&fitting);
        let mut kids = vec![];
        let mut holes = vec![];
        // Positions first, then names, as the language wants it.
        let named_from = if self.one_in(3) { self.rng.usize(0..=f.params.len()) } else { f.params.len() };
        for (i, p) in f.params.iter().enumerate() {
            let e = self.expr(&p.ty, depth.min(2));
            kids.push(Kid::arg(e));
            holes.push(if i >= named_from { format!("{} => ${i}", p.name) } else { format!("${i}") });
        }
        let label = if named_from < f.params.len() { "function call, named" } else { "function call" };
        Some(Expr::new(label, f.ret.clone(), format!("{}({})", f.name, holes.join(", ")), kids))
    }

    /// A random scalar or vector type that expressions of any scope can have.
    pub fn some_type(&mut self) -> Type {
        match self.rng.u32(0..12) {
            0 => Type::Logic,
            1 => Type::Boolean,
            2 => Type::Bit,
            3 => {
                let w = self.width(12);
                Type::vector(Kind::Bits, w)
            }
            4 | 5 => self.int_type(),
            6 if !self.scope.types.is_empty() => {
                let ty = self.pick(&self.scope.types);
                if matches!(ty, Type::Integer(..)) { self.int_type() } else { ty }
            }
            _ => {
                let kind = self.pick(&[Kind::Slv, Kind::Unsigned, Kind::Signed]);
                let w = width(self.rng);
                Type::vector(kind, w)
            }
        }
    }

    /// A random integer subtype, sometimes of an integer type of the design.
    pub fn int_type(&mut self) -> Type {
        let own = self.scope.integers();
        if !own.is_empty() && self.one_in(3) {
            return self.pick(&own);
        }
        match self.rng.u32(0..6) {
            0 => Type::int(0, 1 << self.rng.u32(1..=6)),
            1 => Type::int(-self.rng.i64(1..=20), self.rng.i64(0..=20)),
            2 => Type::int(-self.rng.i64(20..=50), -self.rng.i64(1..=20)),
            3 => {
                let low = self.rng.i64(1..=9);
                Type::int(low, low + self.rng.i64(0..=40))
            }
            4 => Type::int(-(1 << self.rng.u32(8..=30)), 1 << self.rng.u32(8..=30)),
            _ => Type::int(0, (1 << self.rng.u32(1..=8)) - 1),
        }
    }

    /// A width of at most `most`, mostly small.
    pub fn width(&mut self, most: u32) -> u32 {
        let w = width(self.rng);
        if w > most { self.rng.u32(1..=most) } else { w }
    }

    /// Two operands of which at least one must tell its type; `least` is what suffices.
    fn pair(&mut self, a: Expr, b: Expr, least: Sure) -> (Kid, Kid) {
        let left = a.sure >= least || (b.sure < least && self.rng.bool());
        let demand = |strict: bool| if strict { least } else { Sure::Length };
        (Kid::at(a, 0).given(demand(left)), Kid::at(b, 0).given(demand(!left)))
    }
}

/// A random range of `width` indices: mostly `width - 1 downto 0`, but also upwards and off zero.
pub fn range(rng: &mut Rng, width: u32) -> Range {
    let w = width as i64;
    match rng.u32(0..8) {
        0 | 1 => Range::to(0, w - 1),
        2 => Range { left: w + 2, right: 3, down: true },
        3 => {
            let first = rng.i64(1..=9);
            Range::to(first, first + w - 1)
        }
        _ => Range::plain(width),
    }
}

/// The name of a type for a label.
pub fn word(ty: &Type) -> String {
    match ty {
        Type::Record(_) => "record".into(),
        Type::Array(a) if a.dims.len() == 2 => "2-D array".into(),
        Type::Array(_) => "array".into(),
        Type::Enum(_) => "enumeration".into(),
        Type::Integer(Some(_), ..) => "own integer".into(),
        t => t.base(),
    }
}

/// A prefix operator.
fn prefix(op: &str, operand: Expr, ty: Type) -> Expr {
    let label = format!("unary {op} {}", word(&operand.ty));
    let (own, inner) =
        if op == "-" || op == "+" { (level::SIMPLE, level::TERM) } else { (level::FACTOR, level::PRIMARY) };
    let template = if op == "-" || op == "+" { format!("{op}$0") } else { format!("{op} $0") };
    Expr::new(label, ty, template, vec![Kid::at(operand, inner)]).binding(own)
}
