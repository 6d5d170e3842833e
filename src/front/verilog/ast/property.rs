//! Concurrent assertions, properties, sequences and clocking blocks.

use super::*;

/// A concurrent assertion (16.14).
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Concurrent {
    pub label: Option<Ident>,
    pub kind: PropertyKind,
    /// `cover sequence`: every match counts, not the first of each attempt.
    pub every_match: bool,
    pub spec: PropertySpec,
}

/// `@(clock) disable iff (e) property`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PropertySpec {
    pub clock: Option<Sensitivity>,
    pub disable: Option<Expr>,
    pub body: Property,
}

/// A property or a sequence; which of the two is known only where names are.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Property {
    pub kind: PropertyOp,
    #[serde(with = "crate::front::verilog::cache::span")]
    pub span: Span,
}

/// `[low:high]` in ticks or repetitions.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Times {
    pub low: Expr,
    /// `None`: exactly `low`.
    pub high: Option<Expr>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum SequencePair {
    Intersect,
    Within,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum PropertyOp {
    /// A boolean, or a named property or sequence with its arguments.
    Expr(Expr),
    /// `a ##times b`; without `a` counted from the start.
    Delay(Option<Box<Property>>, Times, Box<Property>),
    /// `a[*times]`.
    Repeat(Box<Property>, Times),
    Throughout(Box<Property>, Box<Property>),
    Pair(SequencePair, Box<Property>, Box<Property>),
    And(Box<Property>, Box<Property>),
    Or(Box<Property>, Box<Property>),
    Not(Box<Property>),
    /// `|->` if `overlapped`, else `|=>`.
    Implication {
        overlapped: bool,
        antecedent: Box<Property>,
        consequent: Box<Property>,
    },
    /// `#-#` if `overlapped`, else `#=#`.
    FollowedBy {
        overlapped: bool,
        antecedent: Box<Property>,
        consequent: Box<Property>,
    },
    /// `p implies q`.
    Implies(Box<Property>, Box<Property>),
    Iff(Box<Property>, Box<Property>),
    If(Expr, Box<Property>, Option<Box<Property>>),
    /// `nexttime[n] p`.
    NextTime(Option<Expr>, Box<Property>),
    /// A clock in the middle.
    Clocked(Sensitivity, Box<Property>),
    /// An operator whose attempts need not end.
    Unbounded(SmolStr),
    Unsupported(Unsupported),
}

/// A formal argument of a named property or sequence.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PropertyFormal {
    pub name: Ident,
    /// `None`: what is given stands in its place.
    pub ty: Option<DataType>,
    pub default: Option<Expr>,
}

/// `property … endproperty` or `sequence … endsequence`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PropertyDecl {
    pub name: Ident,
    pub sequence: bool,
    pub formals: Vec<PropertyFormal>,
    pub spec: PropertySpec,
}

/// A clocking block; only its event is of interest.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Clocking {
    pub name: Option<Ident>,
    pub default: bool,
    /// `None`: `default clocking name;` refers to another one.
    pub event: Option<Sensitivity>,
}
