//! The data types random SystemVerilog is made of, as the generators need them: how wide, signed or
//! not, how declared, and what selecting a part of one gives.

use std::rc::Rc;

/// Width and signedness of a self-determined expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ty {
    pub width: u32,
    pub signed: bool,
}

/// A declared data type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Type {
    /// `logic`, `bit` or `reg` with at most one packed dimension.
    Vector { keyword: &'static str, range: Option<(i64, i64)>, signed: bool },
    /// A predefined integer type such as `byte`.
    Atom { text: &'static str, width: u32, signed: bool },
    /// One more packed dimension on top of another type.
    Packed { range: (i64, i64), elem: Rc<Type> },
    /// A packed structure or union, known by the name of its typedef.
    Struct { name: Rc<str>, fields: Vec<(Rc<str>, Type)>, union: bool },
    /// An enumeration, known by the name of its typedef; members are given with their values.
    Enum { name: Rc<str>, width: u32, members: Vec<(Rc<str>, u64)> },
    /// A typedef name for another type.
    Named { name: Rc<str>, base: Rc<Type> },
    /// An unpacked array.
    Array { range: (i64, i64), elem: Rc<Type> },
}

/// Number of indices in a declared range.
pub fn span(range: (i64, i64)) -> u32 {
    (range.0 - range.1).unsigned_abs() as u32 + 1
}

impl Type {
    /// `logic [width-1:0]`, signed or not; one bit wide it is a scalar.
    pub fn vector(width: u32, signed: bool) -> Type {
        let range = if width == 1 { None } else { Some((width as i64 - 1, 0)) };
        Type::Vector { keyword: "logic", range, signed }
    }

    /// All predefined integer types.
    pub const ATOMS: [Type; 10] = [
        Type::Atom { text: "byte", width: 8, signed: true },
        Type::Atom { text: "byte unsigned", width: 8, signed: false },
        Type::Atom { text: "shortint", width: 16, signed: true },
        Type::Atom { text: "shortint unsigned", width: 16, signed: false },
        Type::Atom { text: "int", width: 32, signed: true },
        Type::Atom { text: "int unsigned", width: 32, signed: false },
        Type::Atom { text: "longint", width: 64, signed: true },
        Type::Atom { text: "longint unsigned", width: 64, signed: false },
        Type::Atom { text: "integer", width: 32, signed: true },
        Type::Atom { text: "logic", width: 1, signed: false },
    ];

    /// The type `int`.
    pub fn int() -> Type {
        Type::ATOMS[4].clone()
    }

    /// Total number of bits.
    pub fn width(&self) -> u32 {
        match self {
            Type::Vector { range, .. } => range.map_or(1, span),
            Type::Atom { width, .. } | Type::Enum { width, .. } => *width,
            Type::Packed { range, elem } | Type::Array { range, elem } => span(*range) * elem.width(),
            Type::Struct { fields, union: true, .. } => fields[0].1.width(),
            Type::Struct { fields, .. } => fields.iter().map(|f| f.1.width()).sum(),
            Type::Named { base, .. } => base.width(),
        }
    }

    /// Whether a value of this type is signed in an expression.
    pub fn signed(&self) -> bool {
        match self {
            Type::Vector { signed, .. } | Type::Atom { signed, .. } => *signed,
            Type::Named { base, .. } => base.signed(),
            _ => false,
        }
    }

    /// Width and sign together.
    pub fn ty(&self) -> Ty {
        Ty { width: self.width(), signed: self.signed() }
    }

    /// Without typedef names.
    pub fn strip(&self) -> &Type {
        match self {
            Type::Named { base, .. } => base.strip(),
            t => t,
        }
    }

    /// Whether its bits form one vector value (an unpacked array does not).
    pub fn is_packed(&self) -> bool {
        !matches!(self.strip(), Type::Array { .. })
    }

    /// The declared range that a first index goes into.
    pub fn range(&self) -> Option<(i64, i64)> {
        match self.strip() {
            Type::Vector { range, .. } => *range,
            Type::Atom { text: "logic", .. } => None,
            Type::Atom { width, .. } => Some((*width as i64 - 1, 0)),
            Type::Packed { range, .. } | Type::Array { range, .. } => Some(*range),
            Type::Struct { .. } | Type::Enum { .. } | Type::Named { .. } => None,
        }
    }

    /// What one index gives.
    pub fn element(&self) -> Type {
        match self.strip() {
            Type::Packed { elem, .. } | Type::Array { elem, .. } => (**elem).clone(),
            _ => Type::vector(1, false),
        }
    }

    /// What a slice of `count` indices gives (always unsigned).
    pub fn slice(&self, count: u32) -> Type {
        match self.strip() {
            Type::Packed { elem, .. } => Type::Packed { range: (count as i64 - 1, 0), elem: elem.clone() },
            Type::Array { elem, .. } => Type::Array { range: (0, count as i64 - 1), elem: elem.clone() },
            _ => Type::Vector { keyword: "logic", range: Some((count as i64 - 1, 0)), signed: false },
        }
    }

    /// The text before the name in a declaration.
    pub fn prefix(&self) -> String {
        match self {
            Type::Vector { keyword, range, signed } => {
                let sign = if *signed { " signed" } else { "" };
                let range = range.map_or(String::new(), |(l, r)| format!(" [{l}:{r}]"));
                format!("{keyword}{sign}{range}")
            }
            Type::Atom { text, .. } => text.to_string(),
            Type::Packed { range: (l, r), elem } => match elem.strip() {
                // The new dimension goes left of the dimensions that are there, right of a type name.
                Type::Vector { keyword, range: Some((el, er)), .. } => format!("{keyword} [{l}:{r}][{el}:{er}]"),
                _ => format!("{} [{l}:{r}]", elem.prefix()),
            },
            Type::Struct { name, .. } | Type::Enum { name, .. } | Type::Named { name, .. } => name.to_string(),
            Type::Array { elem, .. } => elem.prefix(),
        }
    }

    /// The text after the name in a declaration.
    pub fn suffix(&self) -> String {
        match self {
            Type::Array { range: (l, r), elem } => format!(" [{l}:{r}]{}", elem.suffix()),
            _ => String::new(),
        }
    }

    /// `type name` as in a declaration.
    pub fn decl(&self, name: &str) -> String {
        format!("{} {name}{}", self.prefix(), self.suffix())
    }

    /// The `typedef` this type needs, if it is a named one.
    pub fn typedef(&self) -> Option<String> {
        match self {
            Type::Struct { name, fields, union } => {
                let body: String = fields.iter().map(|(n, t)| format!(" {};", t.decl(n))).collect();
                let keyword = if *union { "union" } else { "struct" };
                Some(format!("typedef {keyword} packed {{{body} }} {name};\n"))
            }
            Type::Enum { name, width, members } => {
                let body: Vec<String> = members.iter().map(|(n, v)| format!("{n} = {width}'d{v}")).collect();
                Some(format!("typedef enum logic [{}:0] {{{}}} {name};\n", width - 1, body.join(", ")))
            }
            Type::Named { name, base } => Some(format!("typedef {};\n", base.decl(name))),
            _ => None,
        }
    }
}
