//! Random SystemVerilog expressions as a tree: their types by the rules of IEEE 1800 clause 11, their
//! text with as few parentheses as clause 11.3.2's precedence table allows, and the static checks that
//! keep `x` and simulator-defined behaviour out.

mod interval;
mod label;
mod text;
mod tree;
mod typing;
mod valid;

use super::types::{Ty, Type};
use std::rc::Rc;

/// A number as written.
#[derive(Clone, PartialEq, Debug)]
pub struct Lit {
    pub text: String,
    pub ty: Ty,
    /// Whether its width is written down; IEEE 1800 forbids the others as parts of a concatenation.
    pub sized: bool,
    /// Its bits, unless some of them are `x` or `z`.
    pub bits: Option<u128>,
}

/// A variable, or a part of one.
#[derive(Clone, PartialEq, Debug)]
pub struct Ref {
    pub name: Rc<str>,
    pub ty: Rc<Type>,
    /// The values it can take, if that is known better than by its type (loop variables, parameters).
    pub bounds: Option<(i64, i64)>,
    pub steps: Vec<Step>,
}

/// One selection step.
#[derive(Clone, PartialEq, Debug)]
pub enum Step {
    Index(Box<Expr>),
    Part(i64, i64),
    Indexed { base: Box<Expr>, width: u32, up: bool },
    Field(usize),
}

/// The forms of a cast.
#[derive(Clone, PartialEq, Debug)]
pub enum Cast {
    Size(u32),
    Type(Rc<Type>),
    Signed,
    Unsigned,
    SystemSigned,
    SystemUnsigned,
}

/// A function that expressions may call.
#[derive(PartialEq, Debug)]
pub struct Func {
    pub name: Rc<str>,
    pub args: Vec<(Rc<str>, Rc<Type>)>,
    pub ret: Rc<Type>,
    /// Whether it may be called with named arguments (Icarus 11 cannot).
    pub named_call: bool,
}

/// A member of the set after `inside`.
#[derive(Clone, PartialEq, Debug)]
pub enum Member {
    One(Expr),
    Range(Expr, Expr),
}

/// An expression.
#[derive(Clone, PartialEq, Debug)]
pub enum Expr {
    Lit(Lit),
    Fill(bool),
    Ref(Ref),
    Unary(&'static str, Box<Expr>),
    Binary(&'static str, Box<Expr>, Box<Expr>),
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    Concat(Vec<Expr>),
    Repl(u32, Vec<Expr>),
    /// Constant part select of a concatenation.
    ConcatPart(Vec<Expr>, u32, u32),
    Cast(Cast, Box<Expr>),
    Sys(&'static str, Box<Expr>),
    Inside(Box<Expr>, Vec<Member>),
    /// `{<<n{…}}` (or `>>`); stands only where its width is exactly the target's, or at the very top.
    Stream(bool, u32, Vec<Expr>),
    Call(Rc<Func>, Vec<Expr>),
    Paren(Box<Expr>),
}

/// What may occur in an expression, by who will judge it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dialect {
    /// Icarus 11 is to read it, and to get it right.
    pub icarus: bool,
    /// Verilator 5.006 is.
    pub verilator: bool,
    /// `x` may arise (literals, division by zero, indices out of range); operators that turn an `x`
    /// into a definite value are then left out, because a free value need not agree with them.
    pub wild: bool,
}

/// Reduction and logical-not operators give one bit, the others keep their operand's type.
pub const UNARY: [&str; 10] = ["+", "-", "~", "!", "&", "|", "^", "~&", "~|", "~^"];

/// Binding strength of a binary operator, the larger the tighter (IEEE 1800 table 11-2).
pub fn precedence(op: &str) -> u32 {
    match op {
        "**" => 12,
        "*" | "/" | "%" => 11,
        "+" | "-" => 10,
        "<<" | ">>" | "<<<" | ">>>" => 9,
        "<" | "<=" | ">" | ">=" | "inside" => 8,
        "==" | "!=" | "===" | "!==" | "==?" | "!=?" => 7,
        "&" => 6,
        "^" | "~^" | "^~" => 5,
        "|" => 4,
        "&&" => 3,
        "||" => 2,
        "?:" => 1,
        "->" | "<->" => 0,
        _ => panic!("no precedence for `{op}`"),
    }
}

/// How the operands of a binary operator take part in typing.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Both operands and the result share one width and sign.
    Arith,
    /// The left operand has the result's type, the right one is self-determined.
    Shift,
    /// The operands share a width and sign of their own; one bit results.
    Compare,
    /// Both operands are self-determined; one bit results.
    Logical,
}

pub fn kind(op: &str) -> Kind {
    match op {
        "+" | "-" | "*" | "/" | "%" | "&" | "|" | "^" | "~^" | "^~" => Kind::Arith,
        "<<" | ">>" | "<<<" | ">>>" | "**" => Kind::Shift,
        "&&" | "||" | "->" | "<->" => Kind::Logical,
        _ => Kind::Compare,
    }
}

impl Lit {
    /// A sized binary literal, for the shrinker and the guards.
    pub fn binary(value: u128, ty: Ty) -> Lit {
        let digits: String = (0..ty.width).rev().map(|i| if value >> i & 1 == 1 { '1' } else { '0' }).collect();
        let text = format!("{}'{}b{digits}", ty.width, if ty.signed { "s" } else { "" });
        Lit { text, ty, sized: true, bits: Some(value) }
    }

    /// A plain decimal number.
    pub fn decimal(value: u32) -> Lit {
        let ty = Ty { width: 32, signed: true };
        Lit { text: value.to_string(), ty, sized: false, bits: Some(value as u128) }
    }

    fn value(&self) -> Option<i128> {
        let bits = self.bits?;
        let negative = self.ty.signed && bits >> (self.ty.width - 1) & 1 == 1;
        i128::try_from(bits).ok().map(|v| if negative { v - (1i128 << self.ty.width) } else { v })
    }
}

impl Expr {
    /// A plain decimal number, with unary minus if negative.
    pub fn int(value: i64) -> Expr {
        let lit = Expr::Lit(Lit::decimal(value.unsigned_abs() as u32));
        if value < 0 { Expr::Unary("-", lit.boxed()) } else { lit }
    }

    /// A whole variable.
    pub fn var(name: impl Into<Rc<str>>, ty: Type) -> Expr {
        Expr::Ref(Ref { name: name.into(), ty: Rc::new(ty), bounds: None, steps: vec![] })
    }

    pub fn boxed(self) -> Box<Expr> {
        Box::new(self)
    }

    fn unwrapped(&self) -> &Expr {
        if let Expr::Paren(e) = self { e.unwrapped() } else { self }
    }
}
