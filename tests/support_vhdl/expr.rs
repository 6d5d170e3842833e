//! Random VHDL expressions as trees of templates.
//!
//! A node is a text with holes and the expressions that fill them. VHDL types every expression exactly,
//! so a node knows its type, width and (for integers) interval, and a hole takes whatever has the type
//! of what fills it now. That alone tells the shrinker which smaller trees are legal. Printing adds the
//! parentheses that the grammar of IEEE 1076 clause 9.1 asks for, and a qualification where a literal,
//! aggregate or concatenation stands in a place that does not tell it its type.

use super::types::{Kind, Type};

/// How tightly an expression binds, by the grammar's levels.
pub mod level {
    /// `?? a`
    pub const CONDITION: u8 = 0;
    /// `and`, `or`, … which do not mix
    pub const LOGICAL: u8 = 1;
    pub const RELATION: u8 = 2;
    pub const SHIFT: u8 = 3;
    /// `+`, `-`, `&` and signs
    pub const SIMPLE: u8 = 4;
    pub const TERM: u8 = 5;
    /// `**`, `abs`, `not` and the reductions
    pub const FACTOR: u8 = 6;
    pub const PRIMARY: u8 = 7;
}

/// How much of its type an expression tells without help, and how much help a place gives.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Sure {
    /// Not even its bounds: an aggregate. It needs a place of a constrained type.
    Nothing,
    /// Its length, but not its type: a literal.
    Length,
    /// That it is a vector of a type or an array of such vectors: a concatenation.
    Array,
    /// Its type.
    Type,
}

/// A hole of a node and what fills it.
#[derive(Clone, PartialEq, Debug)]
pub struct Kid {
    pub expr: Expr,
    /// What binds less gets parentheses.
    pub level: u8,
    /// What is less sure gets qualified.
    pub sure: Sure,
    /// An associative operator may stand in the hole without parentheses.
    pub same: Option<&'static str>,
}

/// An expression.
#[derive(Clone, PartialEq, Debug)]
pub struct Expr {
    pub ty: Type,
    /// What it is called in the statistics.
    pub label: String,
    /// Its text; `$0`, `$1`, … are the holes.
    template: String,
    pub level: u8,
    pub sure: Sure,
    /// Whether it is a vector that is never zero, so that it may divide.
    pub nonzero: bool,
    /// The operator, if it is an associative one that may be chained without parentheses.
    pub chain: Option<&'static str>,
    kids: Vec<Kid>,
    /// Whether a constant may replace it. A target or an actual for a signal must stay a name.
    fixed: bool,
}

impl Kid {
    /// An operand of a given binding strength whose type must be plain.
    pub fn at(expr: Expr, level: u8) -> Kid {
        Kid { expr, level, sure: Sure::Type, same: None }
    }

    /// An argument between parentheses or commas whose type must be plain.
    pub fn arg(expr: Expr) -> Kid {
        Kid::at(expr, level::CONDITION)
    }

    /// The same hole in a place that tells more about the type.
    pub fn given(self, sure: Sure) -> Kid {
        Kid { sure, ..self }
    }

    /// The text, in parentheses or qualified if need be.
    fn text(&self) -> String {
        let e = &self.expr;
        if e.sure < self.sure {
            return e.qualified();
        }
        let chained = self.same.is_some() && self.same == e.chain;
        if e.level < self.level && !chained { format!("({})", e.text()) } else { e.text() }
    }
}

impl Expr {
    /// A node; its type is plain and it binds like a name unless told otherwise.
    pub fn new(label: impl Into<String>, ty: Type, template: impl Into<String>, kids: Vec<Kid>) -> Expr {
        Expr {
            ty,
            label: label.into(),
            template: template.into(),
            level: level::PRIMARY,
            sure: Sure::Type,
            nonzero: false,
            chain: None,
            kids,
            fixed: false,
        }
    }

    /// A name or other text without holes.
    pub fn leaf(label: impl Into<String>, ty: Type, text: impl Into<String>) -> Expr {
        Expr::new(label, ty, text, vec![])
    }

    /// The same under another label.
    pub fn labelled(self, label: &str) -> Expr {
        Expr { label: label.into(), ..self }
    }

    /// The same with another view of its type.
    pub fn typed(self, ty: Type) -> Expr {
        Expr { ty, ..self }
    }

    pub fn binding(self, level: u8) -> Expr {
        Expr { level, ..self }
    }

    pub fn sure(self, sure: Sure) -> Expr {
        Expr { sure, ..self }
    }

    /// This with operands that need not tell their types.
    pub fn helped(self) -> Expr {
        let kids = self.kids.into_iter().map(|k| k.given(Sure::Length)).collect();
        Expr { kids, ..self }
    }

    pub fn nonzero(self) -> Expr {
        Expr { nonzero: true, ..self }
    }

    /// This, where only a name may stand.
    pub fn fixed(self) -> Expr {
        Expr { fixed: true, ..self }
    }

    /// A binary operator.
    pub fn binary(op: &'static str, label: String, ty: Type, left: Kid, right: Kid) -> Expr {
        let (level, chain) = match op {
            "and" | "or" | "xor" | "xnor" => (level::LOGICAL, Some(op)),
            "nand" | "nor" => (level::LOGICAL, None),
            "+" | "-" | "&" => (level::SIMPLE, None),
            "*" | "/" | "mod" | "rem" => (level::TERM, None),
            "**" => (level::FACTOR, None),
            "sll" | "srl" | "sla" | "sra" | "rol" | "ror" => (level::SHIFT, None),
            _ => (level::RELATION, None),
        };
        // Operators of one level group to the left, those of the other levels do not chain at all.
        let (l, r) = match level {
            level::SIMPLE => (level::SIMPLE, level::TERM),
            level::TERM => (level::TERM, level::FACTOR),
            level::FACTOR => (level::PRIMARY, level::PRIMARY),
            other => (other + 1, other + 1),
        };
        let left = Kid { level: l, same: chain, ..left };
        let right = Kid { level: r, ..right };
        Expr { chain, ..Expr::new(label, ty, format!("$0 {op} $1"), vec![left, right]).binding(level) }
    }

    /// Whether it is an operation with this operator.
    pub fn applies(&self, op: char) -> bool {
        self.template == format!("$0 {op} $1")
    }

    /// The text without anything around it.
    pub fn text(&self) -> String {
        let mut out = String::new();
        let mut rest = self.template.as_str();
        while let Some(at) = rest.find('$') {
            out += &rest[..at];
            let digits = rest[at + 1..].bytes().take_while(u8::is_ascii_digit).count();
            let n: usize = rest[at + 1..at + 1 + digits].parse().expect("a hole has a number");
            out += &self.kids[n].text();
            rest = &rest[at + 1 + digits..];
        }
        out + rest
    }

    /// The text for a place with this much help, at this binding strength.
    pub fn text_for(&self, level: u8, sure: Sure) -> String {
        Kid { expr: self.clone(), level, sure, same: None }.text()
    }

    /// The text where the target's type is known and constrained.
    pub fn source(&self) -> String {
        self.text_for(level::CONDITION, Sure::Nothing)
    }

    /// The text as a condition, which may be a `std_logic`.
    pub fn condition(&self) -> String {
        self.text_for(level::CONDITION, Sure::Type)
    }

    /// `type'(…)`.
    fn qualified(&self) -> String {
        let inner = self.text();
        let mark = if self.sure == Sure::Nothing { self.ty.name() } else { self.ty.base() };
        // An aggregate brings its own parentheses.
        if self.sure == Sure::Nothing && self.level == level::PRIMARY && inner.starts_with('(') {
            format!("{mark}'{inner}")
        } else {
            format!("{mark}'({inner})")
        }
    }

    pub fn children(&self) -> impl Iterator<Item = &Expr> {
        self.kids.iter().map(|k| &k.expr)
    }

    /// Calls `f` on this and every subexpression.
    pub fn walk(&self, f: &mut dyn FnMut(&Expr)) {
        f(self);
        self.children().for_each(|c| c.walk(f));
    }

    /// Whether it depends on an object, so that nobody can evaluate it before simulation.
    pub fn varies(&self) -> bool {
        self.label.starts_with("name") || self.children().any(Expr::varies)
    }

    /// Whether a constant with a name is in it.
    pub fn names_constant(&self) -> bool {
        self.label.starts_with("constant name") || self.children().any(Expr::names_constant)
    }

    /// Whether something is in it whose bounds depend on data: a slice with a place that varies, a choice
    /// between vectors that may have different bounds, or an arithmetic shift to the right of numeric_std,
    /// which gives back its operand as it is if the count is zero.
    pub fn moves(&self) -> bool {
        let label = &self.label;
        let chosen = label == "function choose" || label == "function saturated" || label.contains("imum ");
        let shifted = ["shift_right signed", "binary sra signed", "binary sla signed"].contains(&label.as_str());
        ((chosen || shifted) && matches!(self.ty, Type::Vector(..)))
            || label.contains("slice, variable")
            || self.children().any(Expr::moves)
    }

    /// Number of nodes; anything but a plain name or number counts more, so that it is worth replacing.
    pub fn size(&self) -> usize {
        let own = if self.kids.is_empty() && self.template.len() <= 12 { 1 } else { 2 };
        own + self.children().map(Expr::size).sum::<usize>()
    }

    /// Whether `other` may stand in the place of this.
    fn replaceable_by(&self, other: &Expr) -> bool {
        // An aggregate that names indices stays inside the bounds it was made for.
        let bounded = other.sure != Sure::Nothing || other.ty == self.ty;
        self.ty.takes(&other.ty) && bounded && (!self.nonzero || other.nonzero)
    }

    /// Simpler expressions of the same type that may show the same failure: a constant, any part that
    /// has the type, and the same one level down.
    pub fn smaller(&self) -> Vec<Expr> {
        let mut out = vec![];
        if !self.fixed {
            out.extend(constants(&self.ty).into_iter().filter(|c| self.replaceable_by(c)));
            let mut parts = vec![];
            self.children().for_each(|c| c.walk(&mut |e| parts.push(e.clone())));
            out.extend(parts.into_iter().filter(|p| !p.fixed && self.replaceable_by(p)));
        }
        for (i, kid) in self.kids.iter().enumerate() {
            for smaller in kid.expr.smaller() {
                let mut copy = self.clone();
                copy.kids[i].expr = smaller;
                out.push(copy);
            }
        }
        out
    }
}

/// The simplest constants of a type.
pub fn constants(ty: &Type) -> Vec<Expr> {
    let lit = |text: String| Expr::leaf("literal", ty.clone(), text).sure(Sure::Length);
    match ty {
        Type::Logic | Type::Bit => vec![lit("'0'".into()), lit("'1'".into())],
        Type::Boolean => {
            vec![lit("false".into()).sure(Sure::Type), lit("true".into()).sure(Sure::Type)]
        }
        Type::Vector(_, r) => {
            let n = r.len() as usize;
            vec![lit(format!("\"{}\"", "0".repeat(n))), lit(format!("\"{}1\"", "0".repeat(n - 1))).nonzero()]
        }
        Type::Integer(_, l, h) => {
            let one = |v: i64| integer_literal(ty, v, v.unsigned_abs().to_string());
            [0, 1, *l, *h].into_iter().filter(|v| l <= v && v <= h).take(2).map(one).collect()
        }
        Type::Enum(e) => {
            let one = |l: &std::rc::Rc<str>| lit(l.to_string());
            e.literals.iter().take(2).map(one).collect()
        }
        Type::Record(_) | Type::Array(_) => vec![],
    }
}

/// The number `value` whose absolute value is written `digits`.
pub fn integer_literal(ty: &Type, value: i64, digits: String) -> Expr {
    let Type::Integer(base, ..) = ty else { unreachable!("an integer type") };
    let ty = Type::Integer(base.clone(), value, value);
    let (text, level) = if value < 0 { (format!("-{digits}"), level::SIMPLE) } else { (digits, level::PRIMARY) };
    Expr::leaf("literal integer", ty, text).binding(level).sure(Sure::Length)
}

/// A vector literal of these bits, most significant first, written plainly.
pub fn vector_literal(kind: Kind, bits: &str) -> Expr {
    let e = Expr::leaf("literal \"\"", Type::vector(kind, bits.len() as u32), format!("\"{bits}\""));
    let e = e.sure(Sure::Length);
    if bits.contains('1') { e.nonzero() } else { e }
}
