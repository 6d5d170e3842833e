//! Random SystemVerilog expressions as a tree: their types by the rules of IEEE 1800 clause 11, their
//! text with as few parentheses as clause 11.3.2's precedence table allows, and the static checks that
//! keep `x` and simulator-defined behaviour out.

use super::types::{Ty, Type, span};
use std::fmt::Write;
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
const PRIMARY: u32 = 14;
const UNARY_LEVEL: u32 = 13;

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

    /// The self-determined type.
    pub fn ty(&self) -> Ty {
        let bit = Ty { width: 1, signed: false };
        let max = |a: Ty, b: Ty| Ty { width: a.width.max(b.width), signed: a.signed && b.signed };
        let sum = |parts: &[Expr]| Ty { width: parts.iter().map(|p| p.ty().width).sum(), signed: false };
        match self {
            Expr::Lit(l) => l.ty,
            Expr::Fill(_) | Expr::Inside(..) => bit,
            Expr::Ref(r) => r.selected().ty(),
            Expr::Unary("+" | "-" | "~", a) | Expr::Paren(a) => a.ty(),
            Expr::Unary(..) => bit,
            Expr::Binary(op, a, b) => match kind(op) {
                Kind::Arith => max(a.ty(), b.ty()),
                Kind::Shift => a.ty(),
                _ => bit,
            },
            Expr::Cond(_, a, b) => max(a.ty(), b.ty()),
            Expr::Concat(parts) | Expr::Stream(_, _, parts) => sum(parts),
            Expr::Repl(n, parts) => Ty { width: n * sum(parts).width, signed: false },
            Expr::ConcatPart(_, hi, lo) => Ty { width: hi - lo + 1, signed: false },
            Expr::Cast(cast, a) => match cast {
                Cast::Size(w) => Ty { width: *w, signed: a.ty().signed },
                Cast::Type(t) => t.ty(),
                Cast::Signed | Cast::SystemSigned => Ty { signed: true, ..a.ty() },
                Cast::Unsigned | Cast::SystemUnsigned => Ty { signed: false, ..a.ty() },
            },
            Expr::Sys("$onehot" | "$onehot0", _) => bit,
            Expr::Sys(..) => Ty { width: 32, signed: true },
            Expr::Call(f, _) => f.ret.ty(),
        }
    }

    /// Direct subexpressions, in the order [`Expr::with_child`] numbers them.
    pub fn children(&self) -> Vec<&Expr> {
        match self {
            Expr::Lit(_) | Expr::Fill(_) => vec![],
            Expr::Ref(r) => r.steps.iter().filter_map(Step::operand).collect(),
            Expr::Unary(_, a) | Expr::Cast(_, a) | Expr::Sys(_, a) | Expr::Paren(a) => vec![a],
            Expr::Binary(_, a, b) => vec![a, b],
            Expr::Cond(a, b, c) => vec![a, b, c],
            Expr::Concat(p)
            | Expr::Repl(_, p)
            | Expr::ConcatPart(p, _, _)
            | Expr::Stream(_, _, p)
            | Expr::Call(_, p) => p.iter().collect(),
            Expr::Inside(a, members) => {
                let mut all = vec![&**a];
                for m in members {
                    match m {
                        Member::One(e) => all.push(e),
                        Member::Range(l, h) => all.extend([l, h]),
                    }
                }
                all
            }
        }
    }

    /// The subexpressions again, to be changed in place.
    fn children_mut(&mut self) -> Vec<&mut Expr> {
        match self {
            Expr::Lit(_) | Expr::Fill(_) => vec![],
            Expr::Ref(r) => r.steps.iter_mut().filter_map(Step::operand_mut).collect(),
            Expr::Unary(_, a) | Expr::Cast(_, a) | Expr::Sys(_, a) | Expr::Paren(a) => vec![a],
            Expr::Binary(_, a, b) => vec![a, b],
            Expr::Cond(a, b, c) => vec![a, b, c],
            Expr::Concat(p)
            | Expr::Repl(_, p)
            | Expr::ConcatPart(p, _, _)
            | Expr::Stream(_, _, p)
            | Expr::Call(_, p) => p.iter_mut().collect(),
            Expr::Inside(a, members) => {
                let mut all = vec![&mut **a];
                for m in members {
                    match m {
                        Member::One(e) => all.push(e),
                        Member::Range(l, h) => all.extend([l, h]),
                    }
                }
                all
            }
        }
    }

    /// This expression with its `i`-th child replaced.
    pub fn with_child(&self, i: usize, child: Expr) -> Expr {
        let mut copy = self.clone();
        *copy.children_mut()[i] = child;
        copy
    }

    /// Calls `f` on this and every subexpression.
    pub fn walk(&self, f: &mut dyn FnMut(&Expr)) {
        f(self);
        self.children().into_iter().for_each(|c| c.walk(f));
    }

    /// Number of nodes.
    pub fn size(&self) -> usize {
        let mut n = 0;
        self.walk(&mut |_| n += 1);
        n
    }

    /// Simpler expressions that may show the same failure: operands instead of the operator, a constant
    /// instead of anything, and the same one level down.
    pub fn smaller(&self) -> Vec<Expr> {
        let mut out = vec![];
        if self.size() > 1 {
            let ty = self.ty();
            if ty.width <= 128 {
                out.push(Expr::Lit(Lit::binary(0, ty)));
                out.push(Expr::Lit(Lit::binary(1, ty)));
            }
        }
        out.extend(self.children().into_iter().cloned());
        match self {
            Expr::Concat(p) if p.len() > 1 => {
                out.extend((0..p.len()).map(|i| Expr::Concat(without(p, i))));
            }
            Expr::Repl(n, p) => out.extend((*n > 1).then(|| Expr::Repl(n - 1, p.clone()))),
            Expr::Inside(a, m) if m.len() > 1 => {
                out.extend((0..m.len()).map(|i| Expr::Inside(a.clone(), without(m, i))));
            }
            Expr::Ref(r) if !r.steps.is_empty() => {
                out.extend((0..r.steps.len()).map(|n| Expr::Ref(Ref { steps: r.steps[..n].to_vec(), ..r.clone() })));
            }
            _ => {}
        }
        for (i, child) in self.children().into_iter().enumerate() {
            out.extend(child.smaller().into_iter().map(|c| self.with_child(i, c)));
        }
        out
    }

    /// Whether every number that decides the width says its width.
    pub fn sized(&self) -> bool {
        match self {
            Expr::Lit(l) => l.sized,
            Expr::Fill(_) => false,
            Expr::Unary("+" | "-" | "~", a) | Expr::Paren(a) => a.sized(),
            Expr::Binary(op, a, b) => match kind(op) {
                Kind::Arith => a.sized() && b.sized(),
                Kind::Shift => a.sized(),
                _ => true,
            },
            Expr::Cond(_, a, b) => a.sized() && b.sized(),
            Expr::Cast(Cast::Size(_) | Cast::Type(_), _) => true,
            Expr::Cast(_, a) => a.sized(),
            // The simulators differ on whether the `int` of a system function has a written width.
            Expr::Sys("$onehot" | "$onehot0", _) => true,
            Expr::Sys(..) => false,
            _ => true,
        }
    }

    /// Whether its value does not depend on the width it is evaluated in, up to extension.
    pub fn closed(&self) -> bool {
        match self {
            Expr::Paren(a) => a.closed(),
            Expr::Fill(_) | Expr::Unary("+" | "-" | "~", _) | Expr::Cond(..) | Expr::Stream(..) => false,
            Expr::Binary(op, ..) => matches!(kind(op), Kind::Compare | Kind::Logical),
            _ => true,
        }
    }

    /// Whether it cannot be zero in any context.
    fn nonzero(&self) -> bool {
        match self {
            Expr::Lit(l) => l.bits.is_some_and(|b| b != 0),
            Expr::Paren(a) => a.nonzero(),
            Expr::Binary("|", a, b) => a.nonzero() || b.nonzero(),
            _ => false,
        }
    }

    /// Bounds of its value when it stands alone.
    pub fn interval(&self) -> (i128, i128) {
        self.interval_in(self.ty())
    }

    /// Bounds of its value when it is evaluated with the context's width and sign.
    fn interval_in(&self, ctx: Ty) -> (i128, i128) {
        let own = self.ty();
        let whole = limits(ctx);
        // What a leaf contributes after extension to the context.
        let leaf = |(lo, hi): (i128, i128)| {
            if lo >= 0 || (ctx.signed && own.signed) { clip((lo, hi), whole) } else { whole }
        };
        match self {
            Expr::Paren(a) => a.interval_in(ctx),
            Expr::Lit(l) => l.value().map_or(whole, |v| leaf((v, v))),
            Expr::Fill(_) => whole,
            Expr::Ref(r) => {
                let known = r.bounds.filter(|_| r.steps.is_empty());
                leaf(known.map_or(limits(own), |(l, h)| (l as i128, h as i128)))
            }
            Expr::Unary("+", a) => a.interval_in(ctx),
            Expr::Unary("-", a) => {
                let (l, h) = a.interval_in(ctx);
                clip((-h, -l), whole)
            }
            Expr::Unary("~", _) => whole,
            Expr::Binary("&", a, b) if !ctx.signed => {
                let (a, b) = (a.interval_in(ctx), b.interval_in(ctx));
                (0, a.1.min(b.1))
            }
            Expr::Binary("%", _, b) if !ctx.signed => match b.interval_in(ctx) {
                (l, h) if l > 0 => (0, h - 1),
                _ => whole,
            },
            Expr::Binary(op @ ("+" | "-" | "*"), a, b) => {
                let (a, b) = (a.interval_in(ctx), b.interval_in(ctx));
                let small = |v: (i128, i128)| v.0.abs() < 1 << 60 && v.1.abs() < 1 << 60;
                if !small(a) || !small(b) {
                    return whole;
                }
                let corners = match *op {
                    "+" => [a.0 + b.0, a.1 + b.1, 0, 0],
                    "-" => [a.0 - b.1, a.1 - b.0, 0, 0],
                    _ => [a.0 * b.0, a.0 * b.1, a.1 * b.0, a.1 * b.1],
                };
                let used = if *op == "*" { &corners[..] } else { &corners[..2] };
                let lo = used.iter().copied().min().unwrap_or(0);
                let hi = used.iter().copied().max().unwrap_or(0);
                clip((lo, hi), whole)
            }
            Expr::Binary(op, ..) if matches!(kind(op), Kind::Arith | Kind::Shift) => whole,
            Expr::Cond(_, a, b) => {
                let (a, b) = (a.interval_in(ctx), b.interval_in(ctx));
                (a.0.min(b.0), a.1.max(b.1))
            }
            Expr::Concat(parts) => {
                let zeros = parts.iter().take_while(|p| p.is_zero()).map(|p| p.ty().width).sum::<u32>();
                leaf(limits(Ty { width: (own.width - zeros).max(1), signed: false }))
            }
            Expr::Cast(_, a) => {
                let (inner, range) = (a.interval(), limits(own));
                leaf(if inner.0 >= range.0 && inner.1 <= range.1 { inner } else { range })
            }
            _ => leaf(limits(own)),
        }
    }

    fn is_zero(&self) -> bool {
        matches!(self.unwrapped(), Expr::Lit(l) if l.bits == Some(0))
    }

    /// Whether the tree is legal SystemVerilog whose value is the same in every simulator of `dialect`.
    /// Each exclusion that is about a simulator's bug says so.
    pub fn valid(&self, dialect: Dialect) -> bool {
        let here = match self {
            // Icarus 11 extends an unsized signed number from its first digit: it takes 'sb1 for -1.
            // And sums of unsized numbers get more than 32 bits there, which IEEE 1800 allows.
            Expr::Lit(l) => {
                let digits = l.ty.signed && l.text.contains('\'') && !l.text.contains(['d', 'D']);
                let large = l.bits.is_none_or(|b| b >> 20 != 0);
                (dialect.wild || l.bits.is_some()) && (!dialect.icarus || l.sized || !(digits || large))
            }
            Expr::Binary("/" | "%", _, b) => dialect.wild || b.nonzero(),
            // Verilator 5.006 evaluates the base in its own width instead of the context's.
            Expr::Binary("**", a, b) => {
                matches!(b.unwrapped(), Expr::Lit(l) if l.value().is_some_and(|v| v >= 0))
                    && (!dialect.verilator || a.closed())
            }
            Expr::Binary("==?" | "!=?", a, b) => {
                return matches!(&**b, Expr::Lit(_)) && a.valid(dialect) && !(dialect.wild && dialect.icarus);
            }
            Expr::Binary("===" | "!==", ..) => !dialect.wild,
            // Verilator 5.006 refuses constant shift amounts beyond 32 bits, shifts a 32-bit word by the
            // lowest bits of an amount wider than 64, and folds `a <<< '1 - 1` to something else.
            Expr::Binary("<<" | ">>" | "<<<" | ">>>", _, b) => {
                let mut varies = false;
                b.walk(&mut |e| varies |= matches!(e, Expr::Ref(_)));
                !dialect.verilator || (b.ty().width <= 32 && (varies || matches!(b.unwrapped(), Expr::Lit(_))))
            }
            Expr::Binary("->", a, b) => !dialect.icarus && a.condition(dialect) && b.condition(dialect),
            Expr::Binary("&&" | "||" | "<->", a, b) => a.condition(dialect) && b.condition(dialect),
            Expr::Cond(a, _, _) | Expr::Unary("!", a) => a.condition(dialect),
            Expr::ConcatPart(p, hi, lo) => {
                let total: u32 = p.iter().map(|p| p.ty().width).sum();
                !dialect.icarus && lo <= hi && *hi < total && total > 1 && p.iter().all(Expr::sized)
            }
            Expr::Ref(r) => r.valid(dialect),
            Expr::Concat(p) | Expr::Repl(_, p) => !p.is_empty() && p.iter().all(Expr::sized),
            // Verilator 5.006 shifts a stream that fills its words by one slice too much.
            Expr::Stream(_, _, p) => {
                !dialect.icarus && p.iter().all(Expr::sized) && !self.ty().width.is_multiple_of(32)
            }
            Expr::Sys("$clog2", a) => matches!(&**a, Expr::Lit(l) if l.bits.is_some()),
            // Icarus 11 takes the result for unsigned.
            Expr::Sys("$bits", _) => !dialect.icarus,
            // Icarus 11 miscounts when the operand is an operator: `$countones(a <= 3)` gives 3.
            Expr::Sys(_, a) => !dialect.wild && (!dialect.icarus || matches!(&**a, Expr::Ref(r) if r.steps.is_empty())),
            Expr::Cast(Cast::Signed | Cast::Unsigned, _) => !dialect.icarus,
            // Verilator 5.006 takes 1'('1) for as many ones as fit.
            Expr::Cast(Cast::Size(_), a) => !dialect.verilator || !matches!(a.unwrapped(), Expr::Fill(_)),
            Expr::Cast(Cast::Type(t), a) => {
                // A cast to a two-state type turns x into 0.
                let stream = matches!(a.unwrapped(), Expr::Stream(..));
                (!dialect.wild || !matches!(**t, Type::Atom { .. })) && (!stream || t.width() == a.ty().width)
            }
            Expr::Inside(a, members) => !dialect.icarus && members_comparable(a, members),
            Expr::Call(f, args) => f.args.len() == args.len(),
            _ => true,
        };
        let streams_placed = matches!(self, Expr::Cast(Cast::Type(_), _))
            || self.children().iter().all(|c| !matches!(c.unwrapped(), Expr::Stream(..)));
        let narrow = !dialect.icarus || !self.wide_division();
        here && narrow && streams_placed && self.ty().width <= 160 && self.children_valid(dialect)
    }

    /// Whether a quotient or remainder in it takes the width of the context.
    pub fn divides(&self) -> bool {
        match self {
            Expr::Binary("/" | "%", ..) => true,
            Expr::Unary("+" | "-" | "~", a) | Expr::Paren(a) => a.divides(),
            Expr::Binary(op, a, b) => match kind(op) {
                Kind::Arith => a.divides() || b.divides(),
                Kind::Shift => a.divides(),
                _ => false,
            },
            Expr::Cond(_, a, b) => a.divides() || b.divides(),
            _ => false,
        }
    }

    /// Whether some division happens in more than 64 bits. Icarus 11 gives 0 for a wide number divided
    /// by 1.
    fn wide_division(&self) -> bool {
        let children = self.children();
        let wide = match self {
            Expr::Binary(op, a, b) if kind(op) == Kind::Compare => a.ty().width.max(b.ty().width) > 64,
            Expr::Call(f, _) => f.args.iter().any(|(_, t)| t.width() > 64),
            _ => self.ty().width > 64 || children.iter().any(|c| c.ty().width > 64),
        };
        wide && (self.divides() || children.iter().any(|c| c.divides()))
    }

    /// Whether its truth is judged alike: Verilator 5.006 narrows a condition with an unsized number
    /// to the bits the number needs, so that `0 ^~ a` loses all but one bit.
    pub fn condition(&self, dialect: Dialect) -> bool {
        !dialect.verilator || self.sized() || self.closed()
    }

    fn children_valid(&self, dialect: Dialect) -> bool {
        self.children().iter().all(|c| c.valid(dialect))
    }

    /// A name for the statistics of what was generated.
    pub fn label(&self) -> String {
        match self {
            Expr::Lit(l) => {
                let base = l.text.split('\'').nth(1).map_or("plain", |t| {
                    let t = t.trim_start_matches(['s', 'S']);
                    match t.as_bytes()[0].to_ascii_lowercase() {
                        b'b' => "binary",
                        b'o' => "octal",
                        b'd' => "decimal",
                        _ => "hexadecimal",
                    }
                });
                let signed = if l.ty.signed { "signed" } else { "unsigned" };
                format!("literal {} {base} {signed}", if l.sized { "sized" } else { "unsized" })
            }
            Expr::Fill(_) => "literal fill".into(),
            Expr::Ref(r) => {
                let mut name = String::from("reference");
                for s in &r.steps {
                    name.push_str(match s {
                        Step::Index(e) if matches!(**e, Expr::Lit(_)) => " [constant]",
                        Step::Index(_) => " [variable]",
                        Step::Part(..) => " [l:r]",
                        Step::Indexed { up: true, .. } => " [+:]",
                        Step::Indexed { .. } => " [-:]",
                        Step::Field(_) => " .field",
                    });
                }
                name
            }
            Expr::Unary(op, _) => format!("unary {op}"),
            Expr::Binary(op, ..) => format!("binary {op}"),
            Expr::Cond(..) => "?:".into(),
            Expr::Concat(_) => "concatenation".into(),
            Expr::Repl(..) => "replication".into(),
            Expr::ConcatPart(..) => "concatenation [l:r]".into(),
            Expr::Cast(c, _) => match c {
                Cast::Size(_) => "cast size".into(),
                Cast::Type(t) => match &**t {
                    Type::Atom { text, .. } => format!("cast {text}"),
                    Type::Enum { .. } => "cast enum".into(),
                    Type::Struct { .. } => "cast struct".into(),
                    _ => "cast typedef".into(),
                },
                Cast::Signed => "cast signed'".into(),
                Cast::Unsigned => "cast unsigned'".into(),
                Cast::SystemSigned => "$signed".into(),
                Cast::SystemUnsigned => "$unsigned".into(),
            },
            Expr::Sys(name, _) => name.to_string(),
            Expr::Inside(..) => "binary inside".into(),
            Expr::Stream(right, ..) => format!("stream {}", if *right { ">>" } else { "<<" }),
            Expr::Call(..) => "function call".into(),
            Expr::Paren(_) => "extra parentheses".into(),
        }
    }
}

/// IEEE 1800 11.4.13 does not say in which width and sign a member is compared, so only sets on which
/// every reading agrees are made: operands of one sign, and if signed of one width.
fn members_comparable(a: &Expr, members: &[Member]) -> bool {
    let ty = a.ty();
    // Verilator 5.006 wants constants, because an x in a member is a wildcard.
    let fits =
        |e: &Expr| matches!(e, Expr::Lit(_)) && e.ty().signed == ty.signed && (!ty.signed || e.ty().width == ty.width);
    a.closed()
        && !members.is_empty()
        && members.iter().all(|m| match m {
            Member::One(e) => fits(e),
            // Verilator 5.006 compares signed bounds as unsigned numbers.
            Member::Range(l, h) => fits(l) && fits(h) && !ty.signed,
        })
}

fn without<T: Clone>(list: &[T], i: usize) -> Vec<T> {
    let mut copy = list.to_vec();
    copy.remove(i);
    copy
}

/// Smallest and largest value of a type, as far as 128 bits can hold them.
fn limits(ty: Ty) -> (i128, i128) {
    let w = ty.width.min(120);
    if ty.signed { (-(1 << (w - 1)), (1 << (w - 1)) - 1) } else { (0, (1 << w) - 1) }
}

/// `v` if it lies inside `whole`; otherwise the value wraps around and may be anything.
fn clip(v: (i128, i128), whole: (i128, i128)) -> (i128, i128) {
    if v.0 >= whole.0 && v.1 <= whole.1 { v } else { whole }
}

impl Step {
    fn operand(&self) -> Option<&Expr> {
        match self {
            Step::Index(e) | Step::Indexed { base: e, .. } => Some(e),
            _ => None,
        }
    }
    fn operand_mut(&mut self) -> Option<&mut Expr> {
        match self {
            Step::Index(e) | Step::Indexed { base: e, .. } => Some(e),
            _ => None,
        }
    }
}

impl Ref {
    /// The type of the selected part.
    pub fn selected(&self) -> Type {
        self.steps.iter().fold((*self.ty).clone(), |t, step| match step {
            Step::Index(_) => t.element(),
            Step::Part(l, r) => t.slice(span((*l, *r))),
            Step::Indexed { width, .. } => t.slice(*width),
            Step::Field(i) => match t.strip() {
                Type::Struct { fields, .. } => fields[*i].1.clone(),
                _ => panic!("a field of something that has none"),
            },
        })
    }

    /// Whether every index is inside its range.
    pub fn valid(&self, dialect: Dialect) -> bool {
        let mut t = (*self.ty).clone();
        for (n, step) in self.steps.iter().enumerate() {
            let inside = |e: &Expr, low: i64, high: i64| {
                let (l, h) = e.interval();
                let fits = low as i128 <= l && h <= high as i128;
                if !dialect.wild {
                    return fits;
                }
                // Icarus 11 knows no bounds inside multi-dimensional values nor for constant indices.
                let flat = n == 0 && matches!(t.strip(), Type::Vector { .. } | Type::Atom { .. });
                let mut varies = false;
                e.walk(&mut |e| varies |= matches!(e, Expr::Ref(_)));
                (flat && varies) || (fits && e.valid(Dialect { wild: false, ..dialect }))
            };
            let ok = match (step, t.range()) {
                (Step::Field(i), _) => matches!(t.strip(), Type::Struct { fields, .. } if *i < fields.len()),
                (_, None) => false,
                (Step::Index(e), Some((l, r))) => inside(e, l.min(r), l.max(r)),
                (Step::Part(l, r), Some((dl, dr))) => {
                    let within = |i: i64| i >= dl.min(dr) && i <= dl.max(dr);
                    within(*l) && within(*r) && (l == r || (l > r) == (dl > dr))
                }
                (Step::Indexed { base, width, up }, Some((l, r))) => {
                    let (low, high, w) = (l.min(r), l.max(r), *width as i64 - 1);
                    w < span((l, r)) as i64
                        && if *up { inside(base, low, high - w) } else { inside(base, low + w, high) }
                }
            };
            // Nothing can be selected from a part select in SystemVerilog.
            let last = matches!(step, Step::Part(..) | Step::Indexed { .. });
            // Icarus 11 asks for constants in all indices of packed dimensions but the last, and
            // cannot index into a structure's field or slice the outer dimension with +: and -:.
            let field_before = self.steps[..n].iter().any(|s| matches!(s, Step::Field(_)));
            let icarus_cannot = match step {
                Step::Index(e) => {
                    (n + 1 < self.steps.len() && t.is_packed() && !matches!(**e, Expr::Lit(_)))
                        || (field_before && (!matches!(**e, Expr::Lit(_)) || matches!(t.strip(), Type::Packed { .. })))
                }
                Step::Indexed { .. } => n > 0 || matches!(t.strip(), Type::Packed { .. }),
                // It also takes signed fields for unsigned.
                Step::Field(i) => n > 0 || matches!(t.strip(), Type::Struct { fields, .. } if fields[*i].1.signed()),
                // A slice of the outer dimension comes out with the wrong width.
                Step::Part(..) => matches!(t.strip(), Type::Packed { .. }),
            };
            // It also takes a part select of all bits of a signed vector for signed.
            let count = match step {
                Step::Part(l, r) => span((*l, *r)),
                Step::Indexed { width, .. } => *width,
                _ => 0,
            };
            // And it cuts an index to 32 bits.
            let long = step.operand().is_some_and(|e| e.ty().width > 32);
            let icarus_cannot = icarus_cannot || long || (t.signed() && count.max(1) == t.width());
            // Verilator 5.006 refuses constant indices of more than 32 bits. It evaluates an index in
            // the width the range needs, and calculates with it where a range is not [n:0].
            let plain = t.range().is_some_and(|(l, r)| l >= r && r == 0);
            let wide = |e: &Expr, least| e.ty().width == 32 || (e.closed() && (plain || e.ty().width >= least));
            let verilator_cannot = match step {
                Step::Index(e) => e.ty().width > 32 || !wide(e, 0),
                Step::Indexed { base, .. } => base.ty().width > 32 || !wide(base, 8),
                _ => false,
            };
            let cannot = (dialect.icarus && icarus_cannot) || (dialect.verilator && verilator_cannot);
            if !ok || (last && n + 1 < self.steps.len()) || cannot {
                return false;
            }
            t = Ref { steps: self.steps[..=n].to_vec(), ..self.clone() }.selected();
        }
        t.is_packed()
    }

    /// Its text.
    pub fn text(&self, tight: bool) -> String {
        let mut out = self.name.to_string();
        let mut t = (*self.ty).clone();
        for (n, step) in self.steps.iter().enumerate() {
            let _ = match step {
                Step::Index(e) => write!(out, "[{}]", e.text(tight)),
                Step::Part(l, r) => write!(out, "[{l}:{r}]"),
                Step::Indexed { base, width, up } => {
                    write!(out, "[{} {}: {width}]", base.text(tight), if *up { "+" } else { "-" })
                }
                Step::Field(i) => match t.strip() {
                    Type::Struct { fields, .. } => write!(out, ".{}", fields[*i].0),
                    _ => Ok(()),
                },
            };
            t = Ref { steps: self.steps[..=n].to_vec(), ..self.clone() }.selected();
        }
        out
    }
}

impl Expr {
    /// Its text with no more parentheses than needed; `tight` also leaves out spaces.
    pub fn text(&self, tight: bool) -> String {
        let list = |parts: &[Expr]| parts.iter().map(|p| p.text(tight)).collect::<Vec<_>>().join(", ");
        match self {
            Expr::Lit(l) => l.text.clone(),
            Expr::Fill(b) => if *b { "'1" } else { "'0" }.into(),
            Expr::Ref(r) => r.text(tight),
            Expr::Unary(op, a) => format!("{op}{}", a.at_least(PRIMARY, tight)),
            Expr::Binary(op, a, b) => {
                let p = precedence(op);
                // All associate to the left but the implications.
                let (left, right) = if p == 0 { (p + 1, p) } else { (p, p + 1) };
                let (a, b) = (a.at_least(left, tight), b.at_least(right, tight));
                let plain = |c: char| c.is_ascii_alphanumeric() || "_()]}".contains(c);
                if tight && a.ends_with(plain) && b.starts_with(plain) && p > 0 {
                    format!("{a}{op}{b}")
                } else {
                    format!("{a} {op} {b}")
                }
            }
            Expr::Cond(c, a, b) => {
                let p = precedence("?:");
                format!("{} ? {} : {}", c.at_least(p + 1, tight), a.at_least(p, tight), b.at_least(p, tight))
            }
            Expr::Concat(p) => format!("{{{}}}", list(p)),
            Expr::Repl(n, p) => format!("{{{n}{{{}}}}}", list(p)),
            Expr::ConcatPart(p, hi, lo) => format!("{{{}}}[{hi}:{lo}]", list(p)),
            Expr::Cast(cast, a) => {
                let inner = a.text(tight);
                match cast {
                    Cast::Size(w) => format!("{w}'({inner})"),
                    Cast::Type(t) => format!("{}'({inner})", t.prefix()),
                    Cast::Signed => format!("signed'({inner})"),
                    Cast::Unsigned => format!("unsigned'({inner})"),
                    Cast::SystemSigned => format!("$signed({inner})"),
                    Cast::SystemUnsigned => format!("$unsigned({inner})"),
                }
            }
            Expr::Sys(name, a) => format!("{name}({})", a.text(tight)),
            Expr::Inside(a, members) => {
                let set: Vec<String> = members
                    .iter()
                    .map(|m| match m {
                        Member::One(e) => e.text(tight),
                        Member::Range(l, h) => format!("[{}:{}]", l.text(tight), h.text(tight)),
                    })
                    .collect();
                format!("{} inside {{{}}}", a.at_least(precedence("inside"), tight), set.join(", "))
            }
            Expr::Stream(right, n, p) => {
                let dir = if *right { ">>" } else { "<<" };
                let slice = if *n == 1 { String::new() } else { n.to_string() };
                format!("{{{dir}{slice}{{{}}}}}", list(p))
            }
            Expr::Call(f, args) if f.named_call => {
                let args: Vec<String> =
                    f.args.iter().zip(args).map(|((n, _), e)| format!(".{n}({})", e.text(tight))).collect();
                format!("{}({})", f.name, args.join(", "))
            }
            Expr::Call(f, args) => format!("{}({})", f.name, list(args)),
            Expr::Paren(a) => format!("({})", a.text(tight)),
        }
    }

    fn level(&self) -> u32 {
        match self {
            Expr::Unary(..) => UNARY_LEVEL,
            Expr::Binary(op, ..) => precedence(op),
            Expr::Inside(..) => precedence("inside"),
            Expr::Cond(..) => precedence("?:"),
            _ => PRIMARY,
        }
    }

    fn at_least(&self, level: u32, tight: bool) -> String {
        let text = self.text(tight);
        if self.level() < level { format!("({text})") } else { text }
    }
}
