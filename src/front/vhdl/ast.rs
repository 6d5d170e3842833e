//! The VHDL tree our elaboration works on: `vhdl_lang`'s tree with names resolved to [`Ent`], spans
//! of our own, and nothing that hardware does not need.
//!
//! Identifiers are in lower case (extended ones as written), so they compare as VHDL compares them.

use crate::source::Span;
use smol_str::SmolStr;

/// A named entity: what a declaration made and a name refers to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Ent(pub u32);

/// A declared identifier.
#[derive(Clone, Debug)]
pub struct Ident {
    pub name: SmolStr,
    pub ent: Ent,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    Int(i128),
    Real(f64),
    /// A physical literal: value and unit.
    Physical(f64, Option<Ent>, SmolStr),
    /// Characters in Latin-1.
    Str(Vec<u8>),
    /// Length, base (`b`, `o`, `x`, `d`), signedness and digits.
    BitStr {
        length: Option<u32>,
        base: u8,
        signed: bool,
        digits: Vec<u8>,
    },
    Char(u8),
    Null,
    Name(Box<Name>),
    Unary(Op, Option<Ent>, Box<Expr>),
    Binary(Op, Option<Ent>, Box<Expr>, Box<Expr>),
    Aggregate(Vec<Element>),
    Qualified(Box<Name>, Box<Expr>),
    /// `a when c else b`.
    When(Vec<(Expr, Expr)>, Option<Box<Expr>>),
    /// Allocators, external names: simulation only.
    Unsupported(&'static str),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Op {
    And,
    Or,
    Nand,
    Nor,
    Xor,
    Xnor,
    Abs,
    Not,
    Minus,
    Plus,
    /// `??`
    Condition,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    MatchEq,
    MatchNe,
    MatchLt,
    MatchLe,
    MatchGt,
    MatchGe,
    Sll,
    Srl,
    Sla,
    Sra,
    Rol,
    Ror,
    Concat,
    Times,
    Div,
    Mod,
    Rem,
    Pow,
}

#[derive(Clone, Debug)]
pub struct Name {
    pub kind: NameKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum NameKind {
    /// An identifier, operator symbol or character literal.
    Simple(SmolStr, Option<Ent>),
    Selected(Box<Name>, SmolStr, Option<Ent>),
    Slice(Box<Name>, Box<Range>),
    Attr(Box<Name>, Attr, Option<Box<Expr>>),
    /// A call, an index or a type conversion: what the prefix refers to decides.
    Call(Box<Name>, Vec<Arg>),
    Unsupported(&'static str),
}

impl Name {
    /// What the name as a whole refers to, if it is a plain or selected name.
    pub fn ent(&self) -> Option<Ent> {
        match &self.kind {
            NameKind::Simple(_, e) | NameKind::Selected(_, _, e) => *e,
            _ => None,
        }
    }

    /// The last identifier of a plain or selected name.
    pub fn last(&self) -> &str {
        match &self.kind {
            NameKind::Simple(n, _) | NameKind::Selected(_, n, _) => n,
            NameKind::Slice(n, _) | NameKind::Attr(n, ..) | NameKind::Call(n, _) => n.last(),
            NameKind::Unsupported(_) => "",
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Attr {
    Subtype,
    Element,
    Range,
    ReverseRange,
    Ascending,
    Left,
    Right,
    High,
    Low,
    Length,
    Image,
    Value,
    Pos,
    Val,
    Succ,
    Pred,
    LeftOf,
    RightOf,
    Event,
    LastValue,
    Stable,
    /// Signal attributes that only a simulator has.
    Simulation(&'static str),
    /// `'simple_name`, `'path_name`, `'instance_name`.
    Text(&'static str),
    Converse,
    User(SmolStr, Option<Ent>),
}

#[derive(Clone, Debug)]
pub struct Arg {
    pub formal: Option<Name>,
    /// `None` is `open`.
    pub actual: Option<Expr>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Element {
    /// No choices: positional.
    pub choices: Vec<Choice>,
    pub value: Expr,
}

#[derive(Clone, Debug)]
pub struct Choice {
    pub kind: ChoiceKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum ChoiceKind {
    Expr(Expr),
    Range(Range),
    Others,
}

#[derive(Clone, Debug)]
pub enum Range {
    Bounds {
        left: Box<Expr>,
        right: Box<Expr>,
        down: bool,
    },
    /// `x'range` and `x'reverse_range`.
    Attr(Box<Name>),
    /// `t` or `t range …`.
    Subtype(Box<Name>, Option<Box<Range>>),
}

#[derive(Clone, Debug)]
pub struct Subtype {
    pub mark: Name,
    pub constraint: Option<Constraint>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum Constraint {
    Range(Range),
    /// Index ranges (none: `(open)`) and the constraint of the element.
    Array(Vec<Range>, Option<Box<Constraint>>),
    Record(Vec<(SmolStr, Constraint)>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    Signal,
    Constant,
    Variable,
    Shared,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    In,
    Out,
    Inout,
    Buffer,
}

#[derive(Clone, Debug)]
pub struct Decl {
    pub kind: DeclKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum DeclKind {
    Object {
        class: Class,
        names: Vec<Ident>,
        subtype: Subtype,
        init: Option<Expr>,
    },
    Type(Ident, TypeDef),
    Subprogram(Spec),
    Body(Box<Body>),
    SubprogramInstance {
        name: Ident,
        of: Name,
        generics: Vec<Arg>,
    },
    Alias {
        name: Ident,
        subtype: Option<Subtype>,
        of: Name,
    },
    Attribute(AttributeSpec),
    Component(Component),
    PackageInstance(PackageInstance),
    Configuration(ConfigSpec),
    /// Packages whose declarations a use clause makes visible.
    Use(Vec<SmolStr>),
    /// A file, with its name if it is opened for reading where it is declared.
    File(Vec<Ident>, Option<Expr>),
    /// Protected things and views: an error only if used.
    Unsupported(Vec<Ident>, &'static str),
}

/// A unit in terms of another.
pub type UnitValue = (f64, Option<Ent>);

#[derive(Clone, Debug)]
pub enum TypeDef {
    Enum(Vec<Ident>),
    /// Integer or floating, told apart by the bounds.
    Numeric(Range),
    Physical {
        units: Vec<(Ident, Option<UnitValue>)>,
    },
    Array {
        indices: Vec<ArrayIndex>,
        element: Subtype,
    },
    Record(Vec<(SmolStr, Ent, Subtype)>),
    Subtype(Subtype),
    Incomplete,
    Unsupported(&'static str),
}

#[derive(Clone, Debug)]
pub enum ArrayIndex {
    /// `T range <>`
    Open(Name),
    Range(Range),
}

#[derive(Clone, Debug)]
pub struct Spec {
    pub name: Ident,
    pub params: Vec<Interface>,
    /// Type of the result, of a function.
    pub result: Option<Name>,
    pub generics: Vec<Interface>,
}

#[derive(Clone, Debug)]
pub struct Body {
    pub spec: Spec,
    pub decls: Vec<Decl>,
    pub stmts: Vec<Stmt>,
}

/// A port, a generic or a parameter.
#[derive(Clone, Debug)]
pub struct Interface {
    pub name: Ident,
    pub kind: InterfaceKind,
}

#[derive(Clone, Debug)]
pub enum InterfaceKind {
    Object { class: Class, mode: Mode, subtype: Subtype, default: Option<Expr> },
    Type,
    Package { of: Name, generics: Vec<Arg> },
    Subprogram { default: Option<Name> },
    Unsupported(&'static str),
}

#[derive(Clone, Debug)]
pub struct AttributeSpec {
    pub attribute: SmolStr,
    /// The entities named; none: `all` or `others`.
    pub names: Option<(SmolStr, Option<Ent>)>,
    pub value: Expr,
}

#[derive(Clone, Debug)]
pub struct Component {
    pub name: Ident,
    pub generics: Vec<Interface>,
    pub ports: Vec<Interface>,
}

#[derive(Clone, Debug)]
pub struct PackageInstance {
    pub name: Ident,
    pub of: Name,
    pub generics: Vec<Arg>,
}

/// `for L : C use entity …`.
#[derive(Clone, Debug)]
pub struct ConfigSpec {
    pub labels: Labels,
    pub component: Name,
    pub binding: Option<Binding>,
}

#[derive(Clone, Debug)]
pub enum Labels {
    Named(Vec<SmolStr>),
    Others,
    All,
}

#[derive(Clone, Debug)]
pub struct Binding {
    pub unit: Option<Unit>,
    pub generics: Vec<Arg>,
    pub ports: Vec<Arg>,
}

/// What an instance or a binding names.
#[derive(Clone, Debug)]
pub enum Unit {
    Component(Name),
    Entity(Name, Option<SmolStr>),
    Configuration(Name),
    Open,
}

#[derive(Clone, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
    pub label: Option<Ident>,
}

#[derive(Clone, Debug)]
pub enum StmtKind {
    Wait { on: Vec<Name>, until: Option<Expr>, timeout: bool },
    Assert { cond: Expr, report: Option<Expr>, severity: Option<Expr> },
    Report { severity: Option<Expr> },
    Assign { target: Target, rhs: Rhs, signal: bool },
    Call(Name),
    If(Vec<(Expr, Vec<Stmt>)>, Option<Vec<Stmt>>),
    Case { expr: Expr, matching: bool, arms: Vec<(Vec<Choice>, Vec<Stmt>)> },
    Loop { scheme: Scheme, body: Vec<Stmt> },
    Next(Option<Ent>, Option<Expr>),
    Exit(Option<Ent>, Option<Expr>),
    Return(Option<Expr>),
    Null,
    Unsupported(&'static str),
}

#[derive(Clone, Debug)]
pub enum Scheme {
    Forever,
    While(Expr),
    For(Ident, Range),
}

#[derive(Clone, Debug)]
pub enum Target {
    Name(Name),
    Aggregate(Vec<Element>, Span),
}

/// The right side of an assignment.
#[derive(Clone, Debug)]
pub enum Rhs {
    Simple(Wave),
    When(Vec<(Expr, Wave)>, Option<Wave>),
    Select { expr: Expr, matching: bool, arms: Vec<(Vec<Choice>, Wave)> },
}

/// A value to assign; delays were dropped, several values are refused later.
#[derive(Clone, Debug)]
pub struct Wave {
    /// `None` is `unaffected`.
    pub value: Option<Expr>,
    pub delayed: bool,
    pub several: bool,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Concurrent {
    pub kind: ConcurrentKind,
    pub label: Option<Ident>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum ConcurrentKind {
    Process {
        sensitivity: Sensitivity,
        decls: Vec<Decl>,
        stmts: Vec<Stmt>,
    },
    /// An assignment, assertion or procedure call standing alone.
    Stmt(Stmt, bool),
    Instance {
        unit: Unit,
        generics: Vec<Arg>,
        ports: Vec<Arg>,
    },
    Block {
        decls: Vec<Decl>,
        stmts: Vec<Concurrent>,
        header: Option<Box<BlockHeader>>,
        guarded: bool,
    },
    For {
        index: Ident,
        range: Range,
        body: GenBody,
    },
    If {
        arms: Vec<(Expr, GenBody)>,
        other: Option<GenBody>,
    },
    Case {
        expr: Expr,
        arms: Vec<(Vec<Choice>, GenBody)>,
    },
}

#[derive(Clone, Debug)]
pub struct BlockHeader {
    pub generics: Vec<Interface>,
    pub generic_map: Vec<Arg>,
    pub ports: Vec<Interface>,
    pub port_map: Vec<Arg>,
}

#[derive(Clone, Debug)]
pub struct GenBody {
    pub label: Option<SmolStr>,
    pub decls: Vec<Decl>,
    pub stmts: Vec<Concurrent>,
}

#[derive(Clone, Debug)]
pub enum Sensitivity {
    None,
    All,
    Names(Vec<Name>),
}

/// A library unit.
#[derive(Clone, Debug)]
pub struct LibraryUnit {
    pub library: SmolStr,
    pub name: Ident,
    pub kind: UnitKind,
    pub span: Span,
    /// Packages that its context clause uses.
    pub uses: Vec<SmolStr>,
}

#[derive(Clone, Debug)]
pub enum UnitKind {
    Entity { generics: Vec<Interface>, ports: Vec<Interface>, decls: Vec<Decl>, stmts: Vec<Concurrent> },
    Architecture { entity: SmolStr, decls: Vec<Decl>, stmts: Vec<Concurrent> },
    Package { generics: Vec<Interface>, decls: Vec<Decl> },
    PackageBody { decls: Vec<Decl> },
    PackageInstance(PackageInstance),
    Configuration { entity: Name, block: BlockConfig },
}

/// `for ARCH … end for;`
#[derive(Clone, Debug)]
pub struct BlockConfig {
    /// Architecture, block or generate label.
    pub of: SmolStr,
    /// Whether it names some copies of a generate statement only.
    pub partial: bool,
    pub blocks: Vec<BlockConfig>,
    pub components: Vec<(ConfigSpec, Option<BlockConfig>)>,
}
