//! Our own syntax tree of SystemVerilog, independent of any parser library.
//!
//! It keeps what elaboration needs, with a span on every name, expression, statement and item, and
//! it can be stored: spans are written with file numbers local to the compilation unit (see
//! [`super::cache`]). Constructs that hardware cannot have are kept as `Unsupported` nodes, so they
//! are an error only where a design reaches them.

mod property;

pub use property::*;

use crate::source::Span;
use crate::word::Bits;
use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

/// A name with its place.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Ident {
    pub name: SmolStr,
    #[serde(with = "super::cache::span")]
    pub span: Span,
}

/// Why a construct cannot become hardware: a diagnostic code and words for it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Unsupported {
    pub code: SmolStr,
    pub what: String,
}

/// `(* name = value *)`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Attribute {
    pub name: Ident,
    pub value: Option<Expr>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Expr {
    pub kind: ExprKind,
    #[serde(with = "super::cache::span")]
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum UnaryOp {
    Plus,
    Minus,
    LogicalNot,
    Not,
    RedAnd,
    RedNand,
    RedOr,
    RedNor,
    RedXor,
    RedXnor,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    Pow,
    Shl,
    Shr,
    AShl,
    AShr,
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
    CaseEq,
    CaseNe,
    WildEq,
    WildNe,
    And,
    Or,
    Xor,
    Xnor,
    LogicalAnd,
    LogicalOr,
    Implies,
    Iff,
}

/// `[a:b]`, `[a+:b]`, `[a-:b]`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum RangeKind {
    Plain,
    Up,
    Down,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum ExprKind {
    /// A literal; `sized` tells `4'd3` from `3`.
    Number {
        bits: Bits,
        signed: bool,
        sized: bool,
    },
    /// `'0 '1 'x 'z`.
    Fill(Bits),
    Real(f64),
    Str(String),
    /// `$` as a bound.
    Dollar,
    Ident(SmolStr),
    /// `scope::name`.
    Scoped(Ident, SmolStr),
    /// `base.name`.
    Member(Box<Expr>, Ident),
    Index(Box<Expr>, Box<Expr>),
    Range(Box<Expr>, RangeKind, Box<Expr>, Box<Expr>),
    Unary(UnaryOp, Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `++x` and friends: operand, +1 or -1, value is the new one.
    IncDec {
        target: Box<Expr>,
        increment: bool,
        prefix: bool,
    },
    /// `(a op= b)` inside an expression.
    Assign(Box<Expr>, Option<BinaryOp>, Box<Expr>),
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    Concat(Vec<Expr>),
    Repl(Box<Expr>, Vec<Expr>),
    /// `{<<n{…}}`: right-to-left if `reverse`.
    Stream {
        reverse: bool,
        slice: Option<Box<Expr>>,
        items: Vec<Expr>,
    },
    Call(Box<Expr>, Vec<Arg>),
    SysCall(SmolStr, Vec<Arg>),
    Cast(Box<Expr>, Box<Expr>),
    /// `signed'(e)`, `unsigned'(e)`.
    SignCast(bool, Box<Expr>),
    /// `'{…}` with an optional type before it.
    Pattern(Option<Box<Expr>>, Vec<PatternItem>),
    Inside(Box<Expr>, Vec<Expr>),
    /// `[a:b]` as a member of a set.
    ValueRange(Box<Expr>, Box<Expr>),
    /// A data type where an expression may stand.
    Type(Box<DataType>),
    Unsupported(Unsupported),
}

/// A call argument, by position or by name; `None` is an empty one.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Arg {
    pub name: Option<Ident>,
    pub value: Option<Expr>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PatternItem {
    pub key: PatternKey,
    pub value: Expr,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum PatternKey {
    Positional,
    Default,
    /// Member name, index or type.
    Key(Expr),
    /// `'{n{a,b}}`.
    Repeat(Expr, Vec<Expr>),
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct DataType {
    pub kind: TypeKind,
    /// Packed dimensions, outermost first.
    pub dims: Vec<Dim>,
    #[serde(with = "super::cache::span")]
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum IntType {
    Logic,
    Bit,
    Byte,
    Shortint,
    Int,
    Longint,
    Integer,
    Time,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum TypeKind {
    /// No keyword: `[3:0] x` or nothing at all.
    Implicit {
        signed: bool,
    },
    Int {
        base: IntType,
        signed: Option<bool>,
    },
    Named {
        scope: Option<Ident>,
        name: Ident,
    },
    /// `iface.modport`, or `interface.modport` with an empty name.
    Interface {
        name: Ident,
        modport: Option<Ident>,
    },
    Struct {
        packed: bool,
        signed: bool,
        union: bool,
        members: Vec<Member>,
    },
    Enum {
        base: Option<Box<DataType>>,
        members: Vec<EnumMember>,
    },
    /// `type(expr)`.
    TypeOf(Box<Expr>),
    Real,
    Str,
    Void,
    Event,
    Unsupported(Unsupported),
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Member {
    pub ty: DataType,
    pub names: Vec<Declarator>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct EnumMember {
    pub name: Ident,
    /// `name[n]` or `name[a:b]`.
    pub range: Option<(Expr, Option<Expr>)>,
    pub value: Option<Expr>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Dim {
    Range(Expr, Expr),
    Size(Expr),
    /// `[]`, `[$]`, `[*]`, `[type]`.
    Dynamic(#[serde(with = "super::cache::span")] Span),
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Declarator {
    pub name: Ident,
    pub dims: Vec<Dim>,
    pub init: Option<Expr>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Direction {
    Input,
    Output,
    Inout,
    Ref,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum NetKind {
    Wire,
    /// `tri`, `wand`, … with other resolution.
    Other,
    Supply0,
    Supply1,
    /// A variable (`logic x`, `var`, `reg`).
    Var,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Port {
    pub direction: Option<Direction>,
    pub net: Option<NetKind>,
    pub ty: DataType,
    pub decl: Declarator,
    pub attrs: Vec<Attribute>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum PortList {
    Ansi(Vec<Port>),
    /// Names only; declared in the body.
    Names(Vec<Ident>),
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ParamDecl {
    pub local: bool,
    pub name: Ident,
    pub kind: ParamKind,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum ParamKind {
    Value { ty: DataType, dims: Vec<Dim>, default: Option<Expr> },
    Type { default: Option<DataType> },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum ModuleKind {
    Module,
    Interface,
    Package,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Module {
    pub kind: ModuleKind,
    pub name: Ident,
    pub params: Vec<ParamDecl>,
    /// Whether a `#(…)` header was given: body parameters are then local.
    pub has_param_header: bool,
    pub header_imports: Vec<Item>,
    pub ports: PortList,
    pub items: Vec<Item>,
    /// `` `default_nettype none `` was in force.
    pub no_implicit_nets: bool,
    #[serde(with = "super::cache::span")]
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Item {
    pub kind: ItemKind,
    pub attrs: Vec<Attribute>,
    #[serde(with = "super::cache::span")]
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum AlwaysKind {
    Plain,
    Comb,
    Ff,
    Latch,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum EdgeKind {
    Pos,
    Neg,
    Both,
    Level,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct EventExpr {
    pub edge: EdgeKind,
    pub expr: Expr,
    pub iff: Option<Expr>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Sensitivity {
    /// `@*`.
    Star,
    List(Vec<EventExpr>),
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Connection {
    /// By position; `None` is left open.
    Positional(Option<Expr>),
    /// `.name(expr)`, `.name()`.
    Named(Ident, Option<Expr>),
    /// `.name`.
    Implicit(Ident),
    /// `.*`.
    Star,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Instance {
    pub name: Ident,
    pub dims: Vec<Dim>,
    pub ports: Vec<Connection>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Instantiation {
    pub module: Ident,
    /// `#(…)`: positional with `None` name.
    pub params: Vec<Arg>,
    pub instances: Vec<Instance>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Subprogram {
    pub name: Ident,
    pub is_task: bool,
    pub automatic: bool,
    pub ret: Option<DataType>,
    pub ports: Vec<Port>,
    pub items: Vec<Item>,
    pub body: Vec<Stmt>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GenBlock {
    pub label: Option<Ident>,
    pub items: Vec<Item>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ModportItem {
    pub direction: Direction,
    pub name: Ident,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum ItemKind {
    Param(Vec<ParamDecl>),
    Decl {
        net: NetKind,
        constant: bool,
        automatic: bool,
        ty: DataType,
        names: Vec<Declarator>,
    },
    PortDecl {
        direction: Direction,
        net: Option<NetKind>,
        ty: DataType,
        names: Vec<Declarator>,
    },
    Typedef {
        name: Ident,
        ty: DataType,
        dims: Vec<Dim>,
    },
    /// `import p::x` or `p::*`.
    Import {
        package: Ident,
        name: Option<Ident>,
    },
    Assign(Vec<(Expr, Expr)>),
    Always {
        kind: AlwaysKind,
        sensitivity: Option<Sensitivity>,
        body: Stmt,
    },
    Initial(Stmt),
    Instantiation(Instantiation),
    /// Gate primitive.
    Gate {
        gate: SmolStr,
        instances: Vec<Instance>,
    },
    Generate(Vec<Item>),
    GenFor {
        genvar: Ident,
        init: Expr,
        cond: Expr,
        step: Box<Stmt>,
        body: GenBlock,
    },
    GenIf {
        cond: Expr,
        then: GenBlock,
        other: Option<GenBlock>,
    },
    GenCase {
        expr: Expr,
        items: Vec<(Vec<Expr>, GenBlock)>,
        default: Option<GenBlock>,
    },
    GenBlock(GenBlock),
    Genvar(Vec<Ident>),
    Subprogram(Box<Subprogram>),
    Modport(Vec<(Ident, Vec<ModportItem>)>),
    Bind {
        target: Ident,
        instance_path: Option<Expr>,
        inst: Instantiation,
    },
    Concurrent(Box<Concurrent>),
    Property(Box<PropertyDecl>),
    Clocking(Clocking),
    /// `default disable iff e`.
    DefaultDisable(Expr),
    /// An immediate assertion among module items.
    Assert(Stmt),
    /// `$error(…)` and friends at elaboration time.
    ElabTask(SmolStr, Vec<Arg>),
    Defparam(Vec<(Expr, Expr)>),
    /// Harmless: specify blocks, timeunits, `;`.
    Empty,
    Unsupported(Unsupported),
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Stmt {
    pub kind: StmtKind,
    #[serde(with = "super::cache::span")]
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum CaseKind {
    Case,
    Casez,
    Casex,
    Inside,
}

/// What an `if` or a `case` promises about its conditions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Qualifier {
    None,
    Unique,
    Unique0,
    Priority,
    /// The attribute `full_case`, which only synthesis tools see.
    Full,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum PropertyKind {
    Assert,
    Assume,
    Cover,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum StmtKind {
    Null,
    Block {
        label: Option<Ident>,
        stmts: Vec<Stmt>,
    },
    Decl(Box<Item>),
    Assign {
        lhs: Expr,
        op: Option<BinaryOp>,
        rhs: Expr,
        nonblocking: bool,
    },
    If {
        qualifier: Qualifier,
        cond: Expr,
        then: Box<Stmt>,
        other: Option<Box<Stmt>>,
    },
    Case {
        kind: CaseKind,
        qualifier: Qualifier,
        expr: Expr,
        items: Vec<(Vec<Expr>, Stmt)>,
        default: Option<Box<Stmt>>,
    },
    For {
        init: Vec<Stmt>,
        cond: Option<Expr>,
        step: Vec<Stmt>,
        body: Box<Stmt>,
    },
    While {
        cond: Expr,
        body: Box<Stmt>,
    },
    DoWhile {
        cond: Expr,
        body: Box<Stmt>,
    },
    Repeat {
        count: Expr,
        body: Box<Stmt>,
    },
    Foreach {
        array: Expr,
        vars: Vec<Option<Ident>>,
        body: Box<Stmt>,
    },
    Forever(Box<Stmt>),
    Return(Option<Expr>),
    Break,
    Continue,
    Disable(Ident),
    /// A call, `i++`, or `void'(f())`.
    Expr(Expr),
    Assert {
        kind: PropertyKind,
        label: Option<Ident>,
        cond: Expr,
    },
    Concurrent(Box<Concurrent>),
    Unsupported(Unsupported),
}

/// All descriptions of one compilation unit.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Unit {
    pub modules: Vec<Module>,
    /// Declarations outside any module, in the `$unit` scope.
    pub items: Vec<Item>,
}
