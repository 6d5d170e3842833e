//! Makes random expressions of every operator over the variables and functions of a scope.
//!
//! Most come out as chains of operators without parentheses, because what a parser gets wrong is
//! precedence and associativity. Widths and signs are mixed freely; what keeps `x` away (guards on
//! divisors, masks on indices) is checked by [`Expr::valid`], so the shrinker can rely on it too.

use super::expr::{Cast, Dialect, Expr, Func, Lit, Member, Ref, Step, UNARY, kind, precedence};
use super::types::{Ty, Type, span};
use fastrand::Rng;
use std::rc::Rc;

/// What an expression may mention.
#[derive(Clone, Default)]
pub struct Scope {
    pub vars: Vec<Ref>,
    pub funcs: Vec<Rc<Func>>,
    /// Types to cast to.
    pub casts: Vec<Rc<Type>>,
}

impl Scope {
    /// Adds a variable.
    pub fn var(&mut self, name: impl Into<Rc<str>>, ty: Type) {
        self.vars.push(Ref { name: name.into(), ty: Rc::new(ty), bounds: None, steps: vec![] });
    }

    /// Adds an `int` known to lie between two values.
    pub fn bounded(&mut self, name: impl Into<Rc<str>>, low: i64, high: i64) {
        let ty = Rc::new(Type::int());
        self.vars.push(Ref { name: name.into(), ty, bounds: Some((low, high)), steps: vec![] });
    }
}

/// A random width: mostly small, sometimes around the word sizes of the simulators.
pub fn width(rng: &mut Rng) -> u32 {
    match rng.u32(0..10) {
        0 => 1,
        1..=6 => rng.u32(2..=12),
        7 | 8 => rng.u32(13..=40),
        _ => *rng.choice(&[31, 32, 33, 63, 64, 65, 70]).unwrap_or(&64),
    }
}

/// A number of a type, prone to corners.
pub fn corner(rng: &mut Rng, width: u32) -> u128 {
    let mask = if width >= 128 { u128::MAX } else { (1u128 << width) - 1 };
    mask & match rng.u32(0..9) {
        0 => 0,
        1 => 1,
        2 => mask,
        3 => 1 << (width - 1).min(127),
        4 => mask >> 1,
        5 => rng.u128(..) & 7,
        6 => !(rng.u128(..) & 7),
        _ => rng.u128(..),
    }
}

/// A random vector type, sometimes declared upwards, with an offset or with negative indices.
pub fn vector(rng: &mut Rng, width: u32) -> Type {
    let signed = rng.bool();
    let w = width as i64;
    let range = match rng.u32(0..8) {
        _ if width == 1 && rng.bool() => None,
        0 => Some((0, w - 1)),
        1 => Some((w + 2, 3)),
        2 if w > 1 => Some((w - 3, -2)),
        3 if rng.bool() => Some((2, w + 1)),
        _ => Some((w - 1, 0)),
    };
    Type::Vector { keyword: "logic", range, signed }
}

/// The generator at work.
pub struct Gen<'a> {
    pub rng: &'a mut Rng,
    pub scope: &'a Scope,
    pub dialect: Dialect,
}

impl Gen<'_> {
    fn one_in(&mut self, n: u32) -> bool {
        self.rng.u32(0..n) == 0
    }

    /// An expression of at most this depth.
    pub fn expr(&mut self, depth: u32) -> Expr {
        loop {
            let e = self.attempt(depth);
            if e.valid(self.dialect) {
                return e;
            }
        }
    }

    /// An expression for the right side of an assignment: like any other, or a stream, which may only
    /// stand there (the target must not be narrower).
    pub fn source(&mut self, depth: u32, target: u32) -> Expr {
        if !self.dialect.icarus && self.one_in(25) {
            let e = self.stream(depth.min(2));
            // Verilator 5.006 puts the bits of a stream at the right end of a wider target where
            // IEEE 1800 11.4.14 asks for the left end, so only exact widths are comparable.
            if e.ty().width == target && e.valid(self.dialect) {
                return e;
            }
        }
        self.expr(depth)
    }

    fn attempt(&mut self, depth: u32) -> Expr {
        if depth == 0 || self.one_in(8) {
            return self.leaf();
        }
        let d = depth - 1;
        let e = match self.rng.u32(0..100) {
            0..=26 => self.chain(d),
            27..=45 => self.binary(d),
            46..=54 => Expr::Unary(self.pick(&UNARY), self.expr(d).boxed()),
            55..=62 => Expr::Cond(self.expr(d).boxed(), self.expr(d).boxed(), self.expr(d).boxed()),
            63..=68 => Expr::Concat(self.parts(d)),
            69..=71 => {
                let n = self.rng.u32(1..=4);
                Expr::Repl(n, self.parts(d.min(1)))
            }
            72 => {
                let parts = self.parts(d);
                let total: u32 = parts.iter().map(|p| p.ty().width).sum();
                let lo = self.rng.u32(0..total);
                let hi = self.rng.u32(lo..total);
                Expr::ConcatPart(parts, hi, lo)
            }
            73..=80 => self.cast(d),
            81..=84 => self.system(d),
            85..=87 => self.inside(d),
            88 | 89 => {
                let stream = self.stream(d.min(2));
                let width = stream.ty().width;
                match self.scope.casts.iter().find(|t| t.width() == width) {
                    Some(t) => Expr::Cast(Cast::Type(t.clone()), stream.boxed()),
                    None => self.chain(d),
                }
            }
            90..=94 => self.call(d),
            _ => Expr::Paren(self.expr(d).boxed()),
        };
        if e.ty().width > 100 { Expr::Cast(Cast::Size(super::gen_expr::width(self.rng)), e.boxed()) } else { e }
    }

    fn pick<'t>(&mut self, list: &[&'t str]) -> &'t str {
        list[self.rng.usize(0..list.len())]
    }

    fn operator(&mut self) -> &'static str {
        match self.rng.u32(0..60) {
            0..=6 => "+",
            7..=12 => "-",
            13..=15 => "*",
            16 => "/",
            17 => "%",
            18 => "**",
            19..=26 => self.pick(&["<<", ">>", "<<<", ">>>"]),
            27..=34 => self.pick(&["<", "<=", ">", ">="]),
            35..=39 => self.pick(&["==", "!="]),
            40 | 41 => self.pick(&["===", "!=="]),
            42 => self.pick(&["==?", "!=?"]),
            43..=53 => self.pick(&["&", "|", "^", "&", "|", "^", "~^", "^~"]),
            54..=58 => self.pick(&["&&", "||"]),
            _ => self.pick(&["->", "<->"]),
        }
    }

    /// The right operand an operator can take without giving `x`.
    fn right_operand(&mut self, op: &str, depth: u32) -> Expr {
        match op {
            "/" | "%" if !self.dialect.wild => {
                if self.rng.bool() || depth == 0 {
                    return self.nonzero();
                }
                let (e, one) = (self.expr(depth), self.nonzero());
                let guard = if self.rng.bool() { (e, one) } else { (one, e) };
                Expr::Paren(Expr::Binary("|", guard.0.boxed(), guard.1.boxed()).boxed())
            }
            "**" => {
                let exponent = self.rng.u32(0..6);
                Expr::Lit(if self.rng.bool() {
                    Lit::decimal(exponent)
                } else {
                    Lit::binary(exponent as u128, Ty { width: 4, signed: self.rng.bool() })
                })
            }
            "==?" | "!=?" => self.pattern(),
            "<<" | ">>" | "<<<" | ">>>" if !self.one_in(4) => {
                let bits = self.rng.u32(1..=4);
                self.index(0, (1 << bits) - 1, depth.min(1))
            }
            _ => self.expr(depth),
        }
    }

    fn binary(&mut self, depth: u32) -> Expr {
        let op = self.operator();
        let a = self.expr(depth);
        let b = self.right_operand(op, depth);
        Expr::Binary(op, a.boxed(), b.boxed())
    }

    /// Several operators in a row that need no parentheses: the tree is what precedence makes of them.
    fn chain(&mut self, depth: u32) -> Expr {
        for _ in 0..8 {
            let mut ops = vec![];
            let mut operands = vec![self.operand(depth)];
            for _ in 0..self.rng.u32(1..=4) {
                let op = self.operator();
                operands.push(match op {
                    "/" | "%" | "**" | "==?" | "!=?" => self.right_operand(op, depth.min(1)),
                    _ => self.operand(depth),
                });
                ops.push(op);
            }
            let mut e = climb(&mut operands.into_iter(), &mut ops.into_iter().peekable(), 0);
            if self.one_in(6) {
                let branches = (self.operand(depth), self.operand(depth));
                e = Expr::Cond(e.boxed(), branches.0.boxed(), branches.1.boxed());
            }
            if e.valid(self.dialect) {
                return e;
            }
        }
        self.leaf()
    }

    /// Something that binds tighter than any binary operator.
    fn operand(&mut self, depth: u32) -> Expr {
        let e = match self.rng.u32(0..6) {
            0 => {
                let (op, e) = (self.pick(&UNARY), self.leaf());
                Expr::Unary(op, e.boxed())
            }
            1 if depth > 0 => self.expr(depth - 1),
            _ => self.leaf(),
        };
        match e {
            Expr::Binary(..) | Expr::Cond(..) | Expr::Inside(..) => Expr::Paren(e.boxed()),
            e => e,
        }
    }

    /// A literal or a variable or a part of one.
    pub fn leaf(&mut self) -> Expr {
        if self.scope.vars.is_empty() || self.one_in(4) {
            return self.literal();
        }
        let base = self.scope.vars[self.rng.usize(0..self.scope.vars.len())].clone();
        if base.ty.is_packed() && (base.bounds.is_some() || self.rng.u32(0..5) < 3) {
            return Expr::Ref(base);
        }
        self.select(base).map_or_else(|| self.literal(), Expr::Ref)
    }

    /// A random part of a variable, if one can be selected.
    pub fn select(&mut self, base: Ref) -> Option<Ref> {
        for _ in 0..6 {
            let mut r = base.clone();
            loop {
                let t = r.selected();
                let must = !t.is_packed() || r.steps.is_empty();
                if !must && self.rng.bool() {
                    break;
                }
                if let Type::Struct { fields, .. } = t.strip() {
                    r.steps.push(Step::Field(self.rng.usize(0..fields.len())));
                    continue;
                }
                let Some((l, rr)) = t.range() else { break };
                let (step, last) = self.step(l, rr, t.is_packed());
                r.steps.push(step);
                if last {
                    break;
                }
            }
            if !r.steps.is_empty() && r.valid(self.dialect) {
                return Some(r);
            }
        }
        None
    }

    /// A selection step into a range, and whether nothing can follow it.
    fn step(&mut self, l: i64, r: i64, packed: bool) -> (Step, bool) {
        let (low, high, n) = (l.min(r), l.max(r), span((l, r)) as i64);
        match self.rng.u32(0..10) {
            // Only elements of an unpacked array are read, never slices of it.
            kind if kind < 4 || !packed => {
                let index = if self.one_in(3) {
                    Expr::int(self.rng.i64(low..=high))
                } else {
                    {
                        let depth = self.one_in(4) as u32;
                        self.index(low, high, depth)
                    }
                };
                (Step::Index(index.boxed()), false)
            }
            4..=6 => {
                let (a, b) = (self.rng.i64(low..=high), self.rng.i64(low..=high));
                let (a, b) = (a.max(b), a.min(b));
                (if l >= r { Step::Part(a, b) } else { Step::Part(b, a) }, true)
            }
            _ => {
                let width = self.rng.i64(1..=n);
                let up = self.rng.bool();
                let (lo, hi) = if up { (low, high - width + 1) } else { (low + width - 1, high) };
                let base = if self.one_in(4) {
                    Expr::int(self.rng.i64(lo..=hi))
                } else {
                    {
                        let depth = self.one_in(4) as u32;
                        self.index(lo, hi, depth)
                    }
                };
                (Step::Indexed { base: base.boxed(), width: width as u32, up }, true)
            }
        }
    }

    /// An expression that cannot leave `low..=high`.
    pub fn index(&mut self, low: i64, high: i64, depth: u32) -> Expr {
        if self.dialect.wild && self.one_in(3) {
            return self.expr(depth);
        }
        // A loop variable or parameter, perhaps moved by a constant, is the common case in real code.
        let known: Vec<Ref> = self.scope.vars.iter().filter(|v| v.bounds.is_some()).cloned().collect();
        if !known.is_empty() && !self.one_in(3) {
            let v = known[self.rng.usize(0..known.len())].clone();
            let offset = self.rng.i64(-3..=3) + if self.rng.bool() { low } else { 0 };
            let plain = Expr::Ref(v);
            let e = match offset {
                0 => plain,
                o if o < 0 => Expr::Binary("-", plain.boxed(), Expr::int(-o).boxed()),
                o if self.one_in(4) => Expr::Binary("-", Expr::int(o + high).boxed(), plain.boxed()),
                o => Expr::Binary("+", plain.boxed(), Expr::int(o).boxed()),
            };
            let (l, h) = e.interval();
            if l >= low as i128 && h <= high as i128 {
                return e;
            }
        }
        let n = (high - low + 1) as u64;
        let bits = n.ilog2();
        if bits == 0 {
            return Expr::int(self.rng.i64(low..=high));
        }
        let mut e = self.bounded(n, bits, depth);
        if self.dialect.verilator && !e.closed() && e.ty().width != 32 {
            e = Expr::Cast(Cast::SystemUnsigned, e.boxed());
        }
        let e = match low {
            0 => e,
            o if o > 0 => Expr::Binary("+", e.boxed(), Expr::int(o).boxed()),
            // An unsigned sum would wrap around below zero.
            o => {
                let zero = Expr::Lit(Lit::binary(0, Ty { width: 1, signed: false }));
                let part = if e.sized() { e } else { Expr::Cast(Cast::Size(32), e.boxed()) };
                let signed = Expr::Cast(Cast::SystemSigned, Expr::Concat(vec![zero, part]).boxed());
                Expr::Binary("-", signed.boxed(), Expr::int(-o).boxed())
            }
        };
        let (l, h) = e.interval();
        if l >= low as i128 && h <= high as i128 { e } else { Expr::int(self.rng.i64(low..=high)) }
    }

    /// An unsigned expression below `n`, which needs at least `bits` bits.
    fn bounded(&mut self, n: u64, bits: u32, depth: u32) -> Expr {
        let narrow = |v: &&Ref| v.ty.is_packed() && v.bounds.is_none() && !v.ty.signed() && v.ty.width() <= bits;
        let fitting: Vec<Ref> = self.scope.vars.iter().filter(narrow).cloned().collect();
        if !fitting.is_empty() && self.rng.bool() {
            return Expr::Ref(fitting[self.rng.usize(0..fitting.len())].clone());
        }
        let e = self.expr(depth);
        let mask = |v: u64| Expr::Lit(Lit::binary(v as u128, Ty { width: 64 - v.leading_zeros(), signed: false }));
        match self.rng.u32(0..4) {
            0 => Expr::Cast(Cast::SystemUnsigned, Expr::Cast(Cast::Size(bits), e.boxed()).boxed()),
            1 => {
                let top = if self.rng.bool() { (1 << bits) - 1 } else { self.rng.u64(1..n) };
                Expr::Binary("&", e.boxed(), mask(top).boxed())
            }
            2 => Expr::Binary("%", e.boxed(), mask(n).boxed()),
            _ if e.ty().width == 1 && e.sized() => Expr::Concat(vec![e]),
            _ => Expr::Binary("&", mask((1 << bits) - 1).boxed(), e.boxed()),
        }
    }

    /// The parts of a concatenation, all with a width of their own.
    fn parts(&mut self, depth: u32) -> Vec<Expr> {
        (0..self.rng.u32(1..=3))
            .map(|_| {
                let e = if self.rng.bool() { self.leaf() } else { self.expr(depth) };
                if e.sized() { e } else { Expr::Cast(Cast::Size(self.rng.u32(1..=9)), e.boxed()) }
            })
            .collect()
    }

    fn cast(&mut self, depth: u32) -> Expr {
        let e = self.expr(depth).boxed();
        let cast = match self.rng.u32(0..12) {
            0..=2 => Cast::Size(width(self.rng)),
            3 | 4 => Cast::SystemSigned,
            5 | 6 => Cast::SystemUnsigned,
            7 => Cast::Signed,
            8 => Cast::Unsigned,
            9 | 10 if !self.scope.casts.is_empty() => {
                Cast::Type(self.scope.casts[self.rng.usize(0..self.scope.casts.len())].clone())
            }
            _ => {
                let simple: Vec<&Type> = Type::ATOMS
                    .iter()
                    .filter(|t| matches!(t, Type::Atom { text, .. } if !text.contains(' ')))
                    .collect();
                Cast::Type(Rc::new(simple[self.rng.usize(0..simple.len())].clone()))
            }
        };
        Expr::Cast(cast, e)
    }

    fn system(&mut self, depth: u32) -> Expr {
        match self.pick(&["$countones", "$onehot", "$onehot0", "$clog2", "$bits"]) {
            "$clog2" => {
                let argument = Lit::decimal(self.rng.u32(0..300));
                Expr::Sys("$clog2", Expr::Lit(argument).boxed())
            }
            "$countones" => Expr::Sys("$countones", self.expr(depth).boxed()),
            "$onehot" => Expr::Sys("$onehot", self.expr(depth).boxed()),
            "$onehot0" => Expr::Sys("$onehot0", self.expr(depth).boxed()),
            _ => {
                let e = self.expr(depth);
                let e = if e.sized() { e } else { self.leaf() };
                if matches!(e, Expr::Fill(_)) { self.literal() } else { Expr::Sys("$bits", e.boxed()) }
            }
        }
    }

    fn inside(&mut self, depth: u32) -> Expr {
        let a = self.expr(depth);
        let a = if a.closed() { a } else { self.leaf() };
        let ty = a.ty();
        let n = self.rng.u32(1..=3);
        // One sign and, if signed, one width: see `members_comparable`.
        let constant = |g: &mut Self| {
            Expr::Lit(Lit::binary(corner(g.rng, ty.width.min(100)), Ty { width: ty.width.min(100), ..ty }))
        };
        let members = (0..n)
            .map(|_| {
                if ty.signed || self.rng.bool() {
                    Member::One(constant(self))
                } else {
                    Member::Range(constant(self), constant(self))
                }
            })
            .collect();
        Expr::Inside(a.boxed(), members)
    }

    fn stream(&mut self, depth: u32) -> Expr {
        let parts = self.parts(depth);
        let slice = self.rng.u32(1..=9);
        Expr::Stream(self.one_in(3), slice, parts)
    }

    fn call(&mut self, depth: u32) -> Expr {
        if self.scope.funcs.is_empty() {
            return self.chain(depth);
        }
        let f = self.scope.funcs[self.rng.usize(0..self.scope.funcs.len())].clone();
        let args = f.args.iter().map(|_| self.expr(depth)).collect();
        Expr::Call(f, args)
    }

    fn nonzero(&mut self) -> Expr {
        loop {
            match self.literal() {
                Expr::Lit(l) if l.bits.is_some_and(|b| b != 0) => return Expr::Lit(l),
                _ => {}
            }
        }
    }

    /// A constant for `==?` with wildcard digits.
    fn pattern(&mut self) -> Expr {
        let width = self.rng.u32(1..=12);
        let mut known = true;
        let digits: String = (0..width)
            .map(|_| match self.rng.u32(0..6) {
                0 | 1 => '0',
                2 | 3 => '1',
                n => {
                    known = false;
                    if n == 4 { 'x' } else { '?' }
                }
            })
            .collect();
        let bits = if known { u128::from_str_radix(&digits, 2).ok() } else { None };
        Expr::Lit(Lit { text: format!("{width}'b{digits}"), ty: Ty { width, signed: false }, sized: true, bits })
    }

    /// A number in any base, sized or not, signed or not, or a fill literal.
    pub fn literal(&mut self) -> Expr {
        loop {
            let e = self.number();
            if e.valid(self.dialect) {
                return e;
            }
        }
    }

    fn number(&mut self) -> Expr {
        if self.dialect.wild && self.one_in(8) {
            return self.unknown();
        }
        match self.rng.u32(0..12) {
            0 => Expr::Fill(self.rng.bool()),
            1 | 2 => Expr::Lit(Lit::decimal((corner(self.rng, 31) as u32) >> self.rng.u32(0..31))),
            3 => {
                let ty = Ty { width: 32, signed: self.rng.bool() };
                let bits = corner(self.rng, 32) >> self.rng.u32(0..32);
                Expr::Lit(Lit { text: self.based("", ty, bits), ty, sized: false, bits: Some(bits) })
            }
            _ => {
                let ty = Ty { width: width(self.rng), signed: self.rng.bool() };
                let bits = corner(self.rng, ty.width);
                let size = ty.width.to_string();
                Expr::Lit(Lit { text: self.based(&size, ty, bits), ty, sized: true, bits: Some(bits) })
            }
        }
    }

    fn based(&mut self, size: &str, ty: Ty, bits: u128) -> String {
        let (base, mut digits) = match self.rng.u32(0..4) {
            0 => ('b', format!("{bits:b}")),
            1 => ('o', format!("{bits:o}")),
            2 => ('d', format!("{bits}")),
            _ => ('h', format!("{bits:x}")),
        };
        if digits.len() > 3 && self.one_in(3) {
            let at = self.rng.usize(1..digits.len());
            digits.insert(at, '_');
        }
        let sign = if ty.signed { "s" } else { "" };
        let text = format!("{size}'{sign}{base}{digits}");
        match self.rng.u32(0..10) {
            0 => text.to_uppercase(),
            1 if !size.is_empty() => format!("{size}'{sign}{base} {digits}"),
            _ => text,
        }
    }

    /// A number with unknown digits.
    fn unknown(&mut self) -> Expr {
        let width = self.rng.u32(1..=8);
        let digits: String = (0..width).map(|_| self.pick(&["0", "1", "x", "z", "0", "1"])).collect();
        let bits = u128::from_str_radix(&digits, 2).ok();
        Expr::Lit(Lit { text: format!("{width}'b{digits}"), ty: Ty { width, signed: false }, sized: true, bits })
    }
}

/// Precedence climbing over a chain of operators.
fn climb(
    operands: &mut std::vec::IntoIter<Expr>,
    ops: &mut std::iter::Peekable<std::vec::IntoIter<&'static str>>,
    level: u32,
) -> Expr {
    let mut left = operands.next().expect("one more operand than operators");
    while let Some(op) = ops.next_if(|op| precedence(op) >= level) {
        let p = precedence(op);
        let right = climb(operands, ops, if p == 0 { p } else { p + 1 });
        left = Expr::Binary(op, left.boxed(), right.boxed());
    }
    left
}

/// Whether an operator's result is a single bit, for those who want conditions.
pub fn gives_bit(op: &str) -> bool {
    matches!(kind(op), super::expr::Kind::Compare | super::expr::Kind::Logical)
}
