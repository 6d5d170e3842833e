//! `vhdl_lang`'s analysed tree into ours.

use super::ast::*;
use super::entities::Interner;
use crate::source::{FileId, Span};
use smol_str::SmolStr;
use vhdl_lang::ast::token_range::WithTokenSpan;
use vhdl_lang::ast::{self as va, WithDecl};
use vhdl_lang::{HasTokenSpan, Position, Reference, TokenAccess, TokenId, TokenSpan};

/// Where the lines of a file start, to turn positions into offsets.
pub struct Lines {
    pub file: FileId,
    pub starts: Vec<u32>,
    /// The text as we show it, if a character of the parser is not always one byte of it.
    pub wide: Option<std::sync::Arc<str>>,
    pub len: u32,
}

impl Lines {
    pub fn offset(&self, p: Position) -> u32 {
        let Some(start) = self.starts.get(p.line as usize) else { return self.len };
        match &self.wide {
            None => (start + p.character).min(self.len),
            Some(text) => {
                let line = &text[*start as usize..];
                start + line.chars().take(p.character as usize).map(|c| c.len_utf8() as u32).sum::<u32>()
            }
        }
    }
}

pub struct Lower<'c> {
    pub ctx: &'c dyn TokenAccess,
    pub lines: &'c Lines,
    pub ents: &'c mut Interner,
}

fn lower_case(name: String) -> SmolStr {
    if name.starts_with('\\') { name.into() } else { name.to_ascii_lowercase().into() }
}

fn designator(d: &va::Designator) -> SmolStr {
    match d {
        va::Designator::Identifier(s) => lower_case(s.name_utf8()),
        va::Designator::OperatorSymbol(op) => op_name(operator(*op)).into(),
        va::Designator::Character(c) => format!("'{}'", char::from(*c)).into(),
        va::Designator::Anonymous(n) => format!("anonymous{n}").into(),
    }
}

/// The designator an operator is declared with, in quotes.
pub fn op_name(op: Op) -> &'static str {
    use Op::*;
    match op {
        And => "\"and\"",
        Or => "\"or\"",
        Nand => "\"nand\"",
        Nor => "\"nor\"",
        Xor => "\"xor\"",
        Xnor => "\"xnor\"",
        Abs => "\"abs\"",
        Not => "\"not\"",
        Minus => "\"-\"",
        Plus => "\"+\"",
        Condition => "\"??\"",
        Eq => "\"=\"",
        Ne => "\"/=\"",
        Lt => "\"<\"",
        Le => "\"<=\"",
        Gt => "\">\"",
        Ge => "\">=\"",
        MatchEq => "\"?=\"",
        MatchNe => "\"?/=\"",
        MatchLt => "\"?<\"",
        MatchLe => "\"?<=\"",
        MatchGt => "\"?>\"",
        MatchGe => "\"?>=\"",
        Sll => "\"sll\"",
        Srl => "\"srl\"",
        Sla => "\"sla\"",
        Sra => "\"sra\"",
        Rol => "\"rol\"",
        Ror => "\"ror\"",
        Concat => "\"&\"",
        Times => "\"*\"",
        Div => "\"/\"",
        Mod => "\"mod\"",
        Rem => "\"rem\"",
        Pow => "\"**\"",
    }
}

pub fn operator(op: va::Operator) -> Op {
    use va::Operator as V;
    match op {
        V::And => Op::And,
        V::Or => Op::Or,
        V::Nand => Op::Nand,
        V::Nor => Op::Nor,
        V::Xor => Op::Xor,
        V::Xnor => Op::Xnor,
        V::Abs => Op::Abs,
        V::Not => Op::Not,
        V::Minus => Op::Minus,
        V::Plus => Op::Plus,
        V::QueQue => Op::Condition,
        V::EQ => Op::Eq,
        V::NE => Op::Ne,
        V::LT => Op::Lt,
        V::LTE => Op::Le,
        V::GT => Op::Gt,
        V::GTE => Op::Ge,
        V::QueEQ => Op::MatchEq,
        V::QueNE => Op::MatchNe,
        V::QueLT => Op::MatchLt,
        V::QueLTE => Op::MatchLe,
        V::QueGT => Op::MatchGt,
        V::QueGTE => Op::MatchGe,
        V::SLL => Op::Sll,
        V::SRL => Op::Srl,
        V::SLA => Op::Sla,
        V::SRA => Op::Sra,
        V::ROL => Op::Rol,
        V::ROR => Op::Ror,
        V::Concat => Op::Concat,
        V::Times => Op::Times,
        V::Div => Op::Div,
        V::Mod => Op::Mod,
        V::Rem => Op::Rem,
        V::Pow => Op::Pow,
    }
}

impl Lower<'_> {
    fn tokens(&self, a: TokenId, b: TokenId) -> Span {
        let lo = self.lines.offset(self.ctx.get_pos(a).range.start);
        let hi = self.lines.offset(self.ctx.get_pos(b).range.end);
        Span { file: self.lines.file, lo, hi }
    }

    fn span(&self, s: TokenSpan) -> Span {
        self.tokens(s.start_token, s.end_token)
    }

    fn ent(&mut self, r: &Reference) -> Option<Ent> {
        r.get().map(|id| self.ents.intern(id.to_raw()))
    }

    /// The entity of a declaration; one that the analysis gave up gets a number nobody refers to.
    fn decl(&mut self, r: &Reference) -> Ent {
        self.ent(r).unwrap_or_else(|| self.ents.fresh())
    }

    fn ident(&mut self, i: &WithDecl<va::Ident>) -> Ident {
        Ident {
            name: lower_case(i.tree.item.name_utf8()),
            ent: self.decl(&i.decl),
            span: self.tokens(i.tree.token, i.tree.token),
        }
    }

    fn label(&mut self, i: &WithDecl<Option<va::Ident>>) -> Option<Ident> {
        let id = i.tree.as_ref()?;
        Some(Ident {
            name: lower_case(id.item.name_utf8()),
            ent: self.decl(&i.decl),
            span: self.tokens(id.token, id.token),
        })
    }

    // Expressions.

    fn expr(&mut self, e: &WithTokenSpan<va::Expression>) -> Expr {
        self.expr_at(&e.item, e.span)
    }

    fn boxed(&mut self, e: &WithTokenSpan<va::Expression>) -> Box<Expr> {
        Box::new(self.expr(e))
    }

    fn expr_at(&mut self, e: &va::Expression, span: TokenSpan) -> Expr {
        use va::Expression as V;
        let at = self.span(span);
        let kind = match e {
            V::Binary(op, a, b) => {
                let ent = self.ent(&op.item.reference);
                ExprKind::Binary(operator(op.item.item), ent, self.boxed(a), self.boxed(b))
            }
            V::Unary(op, a) => {
                let ent = self.ent(&op.item.reference);
                ExprKind::Unary(operator(op.item.item), ent, self.boxed(a))
            }
            V::Aggregate(list) => ExprKind::Aggregate(self.elements(list)),
            V::Qualified(q) => ExprKind::Qualified(Box::new(self.name(&q.type_mark)), self.boxed(&q.expr)),
            V::Name(n) => ExprKind::Name(Box::new(self.name_at(n, span))),
            V::Literal(l) => self.literal(l),
            V::New(_) => ExprKind::Unsupported("an allocator"),
            V::Parenthesized(p) => return self.conditional(&p.item, p.span),
        };
        Expr { kind, span: at }
    }

    fn conditional(&mut self, e: &va::ConditionalExpression, span: TokenSpan) -> Expr {
        match e {
            va::ConditionalExpression::Simple(e) => self.expr_at(e, span),
            va::ConditionalExpression::Conditional(c) => {
                let arms = c.conditionals.iter().map(|c| (self.expr(&c.condition), self.expr(&c.item))).collect();
                let other = c.else_item.as_ref().map(|(e, _)| self.boxed(e));
                Expr { kind: ExprKind::When(arms, other), span: self.span(span) }
            }
        }
    }

    fn with_conditional(&mut self, e: &WithTokenSpan<va::ConditionalExpression>) -> Expr {
        self.conditional(&e.item, e.span)
    }

    fn literal(&mut self, l: &va::Literal) -> ExprKind {
        use va::Literal as V;
        match l {
            V::String(s) => ExprKind::Str(s.bytes.clone()),
            V::BitString(b) => {
                use va::BaseSpecifier::*;
                let (base, signed) = match b.base {
                    B | UB => (b'b', false),
                    O | UO => (b'o', false),
                    X | UX => (b'x', false),
                    SB => (b'b', true),
                    SO => (b'o', true),
                    SX => (b'x', true),
                    D => (b'd', false),
                };
                ExprKind::BitStr { length: b.length, base, signed, digits: b.value.bytes.clone() }
            }
            V::Character(c) => ExprKind::Char(*c),
            V::AbstractLiteral(va::AbstractLiteral::Integer(i)) => ExprKind::Int(*i as i128),
            V::AbstractLiteral(va::AbstractLiteral::Real(r)) => ExprKind::Real(*r),
            V::Physical(p) => {
                let unit = self.ent(&p.unit.reference);
                ExprKind::Physical(abstract_value(&p.value), unit, lower_case(p.unit.item.item.name_utf8()))
            }
            V::Null => ExprKind::Null,
        }
    }

    fn elements(&mut self, list: &[WithTokenSpan<va::ElementAssociation>]) -> Vec<Element> {
        list.iter()
            .map(|e| match &e.item {
                va::ElementAssociation::Positional(v) => Element { choices: Vec::new(), value: self.expr(v) },
                va::ElementAssociation::Named(choices, v) => {
                    Element { choices: self.choices(choices), value: self.expr(v) }
                }
            })
            .collect()
    }

    fn choices(&mut self, list: &[WithTokenSpan<va::Choice>]) -> Vec<Choice> {
        list.iter()
            .map(|c| {
                let kind = match &c.item {
                    va::Choice::Expression(e) => match self.expr_at(e, c.span) {
                        // The grammar cannot tell `x'range` from a value.
                        Expr { kind: ExprKind::Name(n), .. }
                            if matches!(n.kind, NameKind::Attr(_, Attr::Range | Attr::ReverseRange, _)) =>
                        {
                            ChoiceKind::Range(Range::Attr(n))
                        }
                        e => ChoiceKind::Expr(e),
                    },
                    va::Choice::DiscreteRange(r) => ChoiceKind::Range(self.discrete(r)),
                    va::Choice::Others => ChoiceKind::Others,
                };
                Choice { kind, span: self.span(c.span()) }
            })
            .collect()
    }

    // Names.

    fn name(&mut self, n: &WithTokenSpan<va::Name>) -> Name {
        self.name_at(&n.item, n.span)
    }

    fn name_at(&mut self, n: &va::Name, span: TokenSpan) -> Name {
        use va::Name as V;
        let at = self.span(span);
        let kind = match n {
            V::Designator(d) => NameKind::Simple(designator(&d.item), self.ent(&d.reference)),
            V::Selected(prefix, d) => {
                let ent = self.ent(&d.item.reference);
                NameKind::Selected(Box::new(self.name(prefix)), designator(&d.item.item), ent)
            }
            V::SelectedAll(_) => NameKind::Unsupported("a dereference"),
            V::Slice(prefix, r) => NameKind::Slice(Box::new(self.name(prefix)), Box::new(self.discrete(r))),
            V::Attribute(a) => return self.attribute(a, at),
            V::CallOrIndexed(c) => NameKind::Call(Box::new(self.name(&c.name)), self.args(&c.parameters.items)),
            V::External(_) => NameKind::Unsupported("an external name"),
        };
        Name { kind, span: at }
    }

    fn attribute(&mut self, a: &va::AttributeName, at: Span) -> Name {
        use va::AttributeDesignator as V;
        use va::SignalAttribute as S;
        let attr = match &a.attr.item {
            V::Type(va::TypeAttribute::Subtype) => Attr::Subtype,
            V::Type(va::TypeAttribute::Element) => Attr::Element,
            V::Range(va::RangeAttribute::Range) => Attr::Range,
            V::Range(va::RangeAttribute::ReverseRange) => Attr::ReverseRange,
            V::Ident(i) => Attr::User(lower_case(i.item.name_utf8()), self.ent(&i.reference)),
            V::Ascending => Attr::Ascending,
            V::Left => Attr::Left,
            V::Right => Attr::Right,
            V::High => Attr::High,
            V::Low => Attr::Low,
            V::Length => Attr::Length,
            V::Image => Attr::Image,
            V::Value => Attr::Value,
            V::Pos => Attr::Pos,
            V::Val => Attr::Val,
            V::Succ => Attr::Succ,
            V::Pred => Attr::Pred,
            V::LeftOf => Attr::LeftOf,
            V::RightOf => Attr::RightOf,
            V::Signal(S::Event) => Attr::Event,
            V::Signal(S::LastValue) => Attr::LastValue,
            V::Signal(S::Stable) => Attr::Stable,
            V::Signal(S::Delayed) => Attr::Simulation("'delayed"),
            V::Signal(S::Quiet) => Attr::Simulation("'quiet"),
            V::Signal(S::Transaction) => Attr::Simulation("'transaction"),
            V::Signal(S::Active) => Attr::Simulation("'active"),
            V::Signal(S::LastEvent) => Attr::Simulation("'last_event"),
            V::Signal(S::LastActive) => Attr::Simulation("'last_active"),
            V::Signal(S::Driving) => Attr::Simulation("'driving"),
            V::Signal(S::DrivingValue) => Attr::Simulation("'driving_value"),
            V::SimpleName => Attr::Text("simple_name"),
            V::InstanceName => Attr::Text("instance_name"),
            V::PathName => Attr::Text("path_name"),
            V::Converse => Attr::Converse,
        };
        let prefix = Box::new(self.name(&a.name));
        let arg = a.expr.as_ref().map(|e| self.boxed(e));
        Name { kind: NameKind::Attr(prefix, attr, arg), span: at }
    }

    fn args(&mut self, list: &[va::AssociationElement]) -> Vec<Arg> {
        list.iter()
            .map(|a| {
                let formal = a.formal.as_ref().map(|f| self.name(f));
                let actual = match &a.actual.item {
                    va::ActualPart::Expression(e) => Some(self.conditional(e, a.actual.span)),
                    va::ActualPart::Open => None,
                };
                Arg { formal, actual, span: self.span(a.actual.span) }
            })
            .collect()
    }

    fn map(&mut self, m: &Option<va::MapAspect>) -> Vec<Arg> {
        m.as_ref().map_or_else(Vec::new, |m| self.args(&m.list.items))
    }

    // Types.

    fn discrete(&mut self, r: &va::DiscreteRange) -> Range {
        match r {
            va::DiscreteRange::Discrete(n, r) => {
                let inner = r.as_ref().map(|r| Box::new(self.range(r)));
                Range::Subtype(Box::new(self.name(n)), inner)
            }
            va::DiscreteRange::Range(r) => self.range(r),
        }
    }

    fn range(&mut self, r: &va::Range) -> Range {
        match r {
            va::Range::Range(c) => Range::Bounds {
                left: self.boxed(&c.left_expr),
                right: self.boxed(&c.right_expr),
                down: c.direction == va::Direction::Descending,
            },
            va::Range::Attribute(a) => {
                let (lo, hi) = (a.name.span.start_token, a.attr.token);
                let at = self.tokens(lo, hi);
                Range::Attr(Box::new(self.attribute(a, at)))
            }
        }
    }

    fn subtype(&mut self, s: &va::SubtypeIndication) -> Subtype {
        let mark = self.name(&s.type_mark);
        let constraint = s.constraint.as_ref().map(|c| self.constraint(&c.item));
        let mut span = mark.span;
        if let Some(c) = &s.constraint {
            span = span.join(self.span(c.span()));
        }
        Subtype { mark, constraint, span }
    }

    fn constraint(&mut self, c: &va::SubtypeConstraint) -> Constraint {
        match c {
            va::SubtypeConstraint::Range(r) => Constraint::Range(self.range(r)),
            va::SubtypeConstraint::Array(ranges, inner) => Constraint::Array(
                ranges.iter().map(|r| self.discrete(&r.item)).collect(),
                inner.as_ref().map(|c| Box::new(self.constraint(&c.item))),
            ),
            va::SubtypeConstraint::Record(fields) => Constraint::Record(
                fields
                    .iter()
                    .map(|f| (lower_case(f.ident.item.name_utf8()), self.constraint(&f.constraint.item)))
                    .collect(),
            ),
        }
    }

    fn type_def(&mut self, d: &va::TypeDefinition) -> TypeDef {
        use va::TypeDefinition as V;
        match d {
            V::Enumeration(list) => TypeDef::Enum(
                list.iter()
                    .map(|l| Ident {
                        name: match &l.tree.item {
                            va::EnumerationLiteral::Identifier(s) => lower_case(s.name_utf8()),
                            va::EnumerationLiteral::Character(c) => format!("'{}'", char::from(*c)).into(),
                        },
                        ent: self.decl(&l.decl),
                        span: self.tokens(l.tree.token, l.tree.token),
                    })
                    .collect(),
            ),
            V::Numeric(r) => TypeDef::Numeric(self.range(r)),
            V::Physical(p) => {
                let mut units = vec![(self.ident(&p.primary_unit), None)];
                for (name, value) in &p.secondary_units {
                    let base = self.ent(&value.item.unit.reference);
                    units.push((self.ident(name), Some((abstract_value(&value.item.value), base))));
                }
                TypeDef::Physical { units }
            }
            V::Array(indices, _, element) => TypeDef::Array {
                indices: indices
                    .iter()
                    .map(|i| match i {
                        va::ArrayIndex::IndexSubtypeDefintion(n) => ArrayIndex::Open(self.name(n)),
                        va::ArrayIndex::Discrete(r) => ArrayIndex::Range(self.discrete(&r.item)),
                    })
                    .collect(),
                element: self.subtype(element),
            },
            V::Record(fields) => {
                let mut out = Vec::new();
                for f in fields {
                    let subtype = self.subtype(&f.subtype);
                    for i in &f.idents {
                        let id = self.ident(i);
                        out.push((id.name, id.ent, subtype.clone()));
                    }
                }
                TypeDef::Record(out)
            }
            V::Subtype(s) => TypeDef::Subtype(self.subtype(s)),
            V::Incomplete(_) => TypeDef::Incomplete,
            V::Access(_) => TypeDef::Unsupported("an access type"),
            V::File(_) => TypeDef::Unsupported("a file type"),
            V::Protected(_) | V::ProtectedBody(_) => TypeDef::Unsupported("a protected type"),
        }
    }

    // Declarations.

    pub fn decls(&mut self, list: &[WithTokenSpan<va::Declaration>]) -> Vec<Decl> {
        let mut out = Vec::new();
        for d in list {
            let span = self.span(d.span);
            if let Some(kind) = self.declaration(&d.item) {
                out.push(Decl { kind, span });
            }
        }
        out
    }

    fn declaration(&mut self, d: &va::Declaration) -> Option<DeclKind> {
        use va::Declaration as V;
        Some(match d {
            V::Object(o) => DeclKind::Object {
                class: class(o.class),
                names: o.idents.iter().map(|i| self.ident(i)).collect(),
                subtype: self.subtype(&o.subtype_indication),
                init: o.expression.as_ref().map(|e| self.with_conditional(e)),
            },
            V::File(f) => DeclKind::Unsupported(f.idents.iter().map(|i| self.ident(i)).collect(), "a file object"),
            V::Type(t) => DeclKind::Type(self.ident(&t.ident), self.type_def(&t.def)),
            V::Component(c) => DeclKind::Component(Component {
                name: self.ident(&c.ident),
                generics: self.interfaces(&c.generic_list),
                ports: self.interfaces(&c.port_list),
            }),
            V::Attribute(va::Attribute::Specification(s)) => {
                let names = match &s.entity_name {
                    va::EntityName::Name(tag) => {
                        let ent = self.ent(&tag.designator.item.reference);
                        Some((designator(&tag.designator.item.item), ent))
                    }
                    va::EntityName::All | va::EntityName::Others => None,
                };
                DeclKind::Attribute(AttributeSpec {
                    attribute: lower_case(s.ident.item.item.name_utf8()),
                    names,
                    value: self.with_conditional(&s.expr),
                })
            }
            V::Attribute(va::Attribute::Declaration(_)) => return None,
            V::Use(u) => DeclKind::Use(used_packages(u).collect()),
            V::Alias(a) => DeclKind::Alias {
                name: Ident {
                    name: designator(&a.designator.tree.item),
                    ent: self.decl(&a.designator.decl),
                    span: self.tokens(a.designator.tree.token, a.designator.tree.token),
                },
                subtype: a.subtype_indication.as_ref().map(|s| self.subtype(s)),
                of: self.name(&a.name),
            },
            V::SubprogramDeclaration(s) => DeclKind::Subprogram(self.spec(&s.specification)),
            V::SubprogramBody(b) => DeclKind::Body(Box::new(Body {
                spec: self.spec(&b.specification),
                decls: self.decls(&b.declarations),
                stmts: self.stmts(&b.statements),
            })),
            V::SubprogramInstantiation(s) => DeclKind::SubprogramInstance {
                name: self.ident(&s.ident),
                of: self.name(&s.subprogram_name),
                generics: self.map(&s.generic_map),
            },
            V::Package(p) => DeclKind::PackageInstance(self.package_instance(p)),
            V::Configuration(c) => DeclKind::Configuration(ConfigSpec {
                labels: labels(&c.spec.instantiation_list),
                component: self.name(&c.spec.component_name),
                binding: Some(self.binding(&c.bind_ind)),
            }),
            V::View(v) => DeclKind::Unsupported(vec![self.ident(&v.ident)], "a mode view"),
        })
    }

    pub fn package_instance(&mut self, p: &va::PackageInstantiation) -> PackageInstance {
        PackageInstance {
            name: self.ident(&p.ident),
            of: self.name(&p.package_name),
            generics: self.map(&p.generic_map),
        }
    }

    fn spec(&mut self, s: &va::SubprogramSpecification) -> Spec {
        let (d, header, params, result) = match s {
            va::SubprogramSpecification::Procedure(p) => (&p.designator, &p.header, &p.parameter_list, None),
            va::SubprogramSpecification::Function(f) => {
                (&f.designator, &f.header, &f.parameter_list, Some(self.name(&f.return_type)))
            }
        };
        let name = match &d.tree.item {
            va::SubprogramDesignator::Identifier(s) => lower_case(s.name_utf8()),
            va::SubprogramDesignator::OperatorSymbol(op) => op_name(operator(*op)).into(),
        };
        Spec {
            name: Ident { name, ent: self.decl(&d.decl), span: self.tokens(d.tree.token, d.tree.token) },
            params: self.interfaces(params),
            result,
            generics: header.as_ref().map_or_else(Vec::new, |h| self.interface_items(&h.generic_list.items)),
        }
    }

    pub fn interfaces(&mut self, list: &Option<va::InterfaceList>) -> Vec<Interface> {
        list.as_ref().map_or_else(Vec::new, |l| self.interface_items(&l.items))
    }

    fn interface_items(&mut self, items: &[va::InterfaceDeclaration]) -> Vec<Interface> {
        let mut out = Vec::new();
        for i in items {
            match i {
                va::InterfaceDeclaration::Object(o) => {
                    let kind = match &o.mode {
                        va::ModeIndication::Simple(m) => InterfaceKind::Object {
                            class: class(m.class),
                            mode: match m.mode.as_ref().map(|m| m.item) {
                                None | Some(va::Mode::In) => Mode::In,
                                Some(va::Mode::Out) => Mode::Out,
                                Some(va::Mode::Buffer) => Mode::Buffer,
                                Some(va::Mode::InOut | va::Mode::Linkage) => Mode::Inout,
                            },
                            subtype: self.subtype(&m.subtype_indication),
                            default: m.expression.as_ref().map(|e| self.with_conditional(e)),
                        },
                        va::ModeIndication::View(_) => InterfaceKind::Unsupported("a mode view"),
                    };
                    for n in &o.idents {
                        out.push(Interface { name: self.ident(n), kind: kind.clone() });
                    }
                }
                va::InterfaceDeclaration::File(f) => {
                    for n in &f.idents {
                        out.push(Interface {
                            name: self.ident(n),
                            kind: InterfaceKind::Unsupported("a file parameter"),
                        });
                    }
                }
                va::InterfaceDeclaration::Type(t) => {
                    out.push(Interface { name: self.ident(t), kind: InterfaceKind::Type });
                }
                va::InterfaceDeclaration::Subprogram(s) => {
                    let spec = self.spec(&s.specification);
                    let default = match &s.default {
                        Some(va::SubprogramDefault::Name(n)) => Some(self.name(n)),
                        _ => None,
                    };
                    out.push(Interface { name: spec.name, kind: InterfaceKind::Subprogram { default } });
                }
                va::InterfaceDeclaration::Package(p) => {
                    let generics = match &p.generic_map.item {
                        va::InterfacePackageGenericMapAspect::Map(m) => self.args(&m.items),
                        _ => Vec::new(),
                    };
                    let of = self.name(&p.package_name);
                    out.push(Interface { name: self.ident(&p.ident), kind: InterfaceKind::Package { of, generics } });
                }
            }
        }
        out
    }

    // Configurations.

    fn binding(&mut self, b: &va::BindingIndication) -> Binding {
        let unit = b.entity_aspect.as_ref().map(|a| match a {
            va::EntityAspect::Entity(n, arch) => {
                Unit::Entity(self.name(n), arch.as_ref().map(|a| lower_case(a.item.name_utf8())))
            }
            va::EntityAspect::Configuration(n) => Unit::Configuration(self.name(n)),
            va::EntityAspect::Open => Unit::Open,
        });
        Binding { unit, generics: self.map(&b.generic_map), ports: self.map(&b.port_map) }
    }

    pub fn block_config(&mut self, b: &va::BlockConfiguration) -> BlockConfig {
        let mut out =
            BlockConfig { of: self.name(&b.block_spec).last().into(), blocks: Vec::new(), components: Vec::new() };
        for i in &b.items {
            match i {
                va::ConfigurationItem::Block(b) => out.blocks.push(self.block_config(b)),
                va::ConfigurationItem::Component(c) => {
                    let spec = ConfigSpec {
                        labels: labels(&c.spec.instantiation_list),
                        component: self.name(&c.spec.component_name),
                        binding: c.bind_ind.as_ref().map(|b| self.binding(b)),
                    };
                    let inner = c.block_config.as_ref().map(|b| self.block_config(b));
                    out.components.push((spec, inner));
                }
            }
        }
        out
    }

    // Statements.

    fn stmts(&mut self, list: &[va::LabeledSequentialStatement]) -> Vec<Stmt> {
        list.iter()
            .map(|s| Stmt {
                label: self.label(&s.label),
                span: self.span(s.statement.span),
                kind: self.stmt(&s.statement.item),
            })
            .collect()
    }

    fn stmt(&mut self, s: &va::SequentialStatement) -> StmtKind {
        use va::SequentialStatement as V;
        match s {
            V::Wait(w) => StmtKind::Wait {
                on: w.sensitivity_clause.iter().flatten().map(|n| self.name(n)).collect(),
                until: w.condition_clause.as_ref().map(|e| self.expr(e)),
                timeout: w.timeout_clause.is_some(),
            },
            V::Assert(a) => self.assert(a),
            V::Report(r) => StmtKind::Report { severity: r.severity.as_ref().map(|e| self.expr(e)) },
            V::VariableAssignment(a) => StmtKind::Assign {
                target: self.target(&a.target),
                rhs: self.rhs(&a.rhs, |l, e| Wave {
                    span: l.span(e.span),
                    value: Some(l.expr(e)),
                    delayed: false,
                    several: false,
                }),
                signal: false,
            },
            V::SignalAssignment(a) => self.signal_assignment(a),
            V::SignalForceAssignment(_) => StmtKind::Unsupported("a force assignment"),
            V::SignalReleaseAssignment(_) => StmtKind::Unsupported("a release assignment"),
            V::ProcedureCall(c) => StmtKind::Call(self.call(c)),
            V::If(i) => StmtKind::If(
                i.conds.conditionals.iter().map(|c| (self.expr(&c.condition), self.stmts(&c.item))).collect(),
                i.conds.else_item.as_ref().map(|(s, _)| self.stmts(s)),
            ),
            V::Case(c) => StmtKind::Case {
                expr: self.expr(&c.expression),
                matching: c.is_matching,
                arms: c.alternatives.iter().map(|a| (self.choices(&a.choices), self.stmts(&a.item))).collect(),
            },
            V::Loop(l) => StmtKind::Loop {
                scheme: match &l.iteration_scheme {
                    None => Scheme::Forever,
                    Some(va::IterationScheme::While(e)) => Scheme::While(self.expr(e)),
                    Some(va::IterationScheme::For(i, r)) => Scheme::For(self.ident(i), self.discrete(r)),
                },
                body: self.stmts(&l.statements),
            },
            V::Next(n) => {
                let label = n.loop_label.as_ref().and_then(|l| self.ent(&l.reference));
                StmtKind::Next(label, n.condition.as_ref().map(|e| self.expr(e)))
            }
            V::Exit(n) => {
                let label = n.loop_label.as_ref().and_then(|l| self.ent(&l.reference));
                StmtKind::Exit(label, n.condition.as_ref().map(|e| self.expr(e)))
            }
            V::Return(r) => StmtKind::Return(r.expression.as_ref().map(|e| self.expr(e))),
            V::Null => StmtKind::Null,
        }
    }

    fn assert(&mut self, a: &va::AssertStatement) -> StmtKind {
        StmtKind::Assert {
            cond: self.expr(&a.condition),
            report: a.report.as_ref().map(|e| self.expr(e)),
            severity: a.severity.as_ref().map(|e| self.expr(e)),
        }
    }

    /// A procedure call as a name, with arguments or without.
    fn call(&mut self, c: &WithTokenSpan<va::CallOrIndexed>) -> Name {
        let prefix = self.name(&c.item.name);
        let args = self.args(&c.item.parameters.items);
        Name { span: self.span(c.span()), kind: NameKind::Call(Box::new(prefix), args) }
    }

    fn signal_assignment(&mut self, a: &va::SignalAssignment) -> StmtKind {
        StmtKind::Assign { target: self.target(&a.target), rhs: self.rhs(&a.rhs, Self::waveform), signal: true }
    }

    fn waveform(&mut self, w: &va::Waveform) -> Wave {
        match w {
            va::Waveform::Elements(list) => match list.first() {
                Some(first) => Wave {
                    span: self.tokens(first.get_start_token(), first.get_end_token()),
                    value: Some(self.expr(&first.value)),
                    delayed: first.after.is_some(),
                    several: list.len() > 1,
                },
                None => Wave { span: Span::NONE, value: None, delayed: false, several: false },
            },
            va::Waveform::Unaffected(t) => {
                Wave { span: self.tokens(*t, *t), value: None, delayed: false, several: false }
            }
        }
    }

    fn target(&mut self, t: &WithTokenSpan<va::Target>) -> Target {
        match &t.item {
            va::Target::Name(n) => Target::Name(self.name_at(n, t.span)),
            va::Target::Aggregate(list) => Target::Aggregate(self.elements(list), self.span(t.span)),
        }
    }

    fn rhs<T>(&mut self, r: &va::AssignmentRightHand<T>, mut f: impl FnMut(&mut Self, &T) -> Wave) -> Rhs {
        match r {
            va::AssignmentRightHand::Simple(t) => Rhs::Simple(f(self, t)),
            va::AssignmentRightHand::Conditional(c) => {
                let arms = c.conditionals.iter().map(|c| (self.expr(&c.condition), f(self, &c.item))).collect();
                Rhs::When(arms, c.else_item.as_ref().map(|(t, _)| f(self, t)))
            }
            va::AssignmentRightHand::Selected(s) => Rhs::Select {
                expr: self.expr(&s.expression),
                matching: s.is_matching,
                arms: s.alternatives.iter().map(|a| (self.choices(&a.choices), f(self, &a.item))).collect(),
            },
        }
    }

    // Concurrent statements.

    pub fn concurrents(&mut self, list: &[va::LabeledConcurrentStatement]) -> Vec<Concurrent> {
        list.iter()
            .map(|s| {
                let span = self.span(s.statement.span);
                let label = self.label(&s.label);
                Concurrent { kind: self.concurrent(&s.statement.item, span, &label), label, span }
            })
            .collect()
    }

    fn concurrent(&mut self, s: &va::ConcurrentStatement, span: Span, label: &Option<Ident>) -> ConcurrentKind {
        use va::ConcurrentStatement as V;
        let alone = |kind, guarded| ConcurrentKind::Stmt(Stmt { kind, span, label: label.clone() }, guarded);
        match s {
            V::ProcedureCall(c) => alone(StmtKind::Call(self.call(&c.call)), false),
            V::Assert(a) => alone(self.assert(&a.statement), false),
            V::Assignment(a) => alone(self.signal_assignment(&a.assignment), a.guarded),
            V::Process(p) => ConcurrentKind::Process {
                sensitivity: match p.sensitivity_list.as_ref().map(|s| &s.item) {
                    None => Sensitivity::None,
                    Some(va::SensitivityList::All) => Sensitivity::All,
                    Some(va::SensitivityList::Names(n)) => Sensitivity::Names(n.iter().map(|n| self.name(n)).collect()),
                },
                decls: self.decls(&p.decl),
                stmts: self.stmts(&p.statements),
            },
            V::Instance(i) => ConcurrentKind::Instance {
                unit: match &i.unit {
                    va::InstantiatedUnit::Component(n) => Unit::Component(self.name(n)),
                    va::InstantiatedUnit::Entity(n, arch) => {
                        Unit::Entity(self.name(n), arch.as_ref().map(|a| lower_case(a.item.item.name_utf8())))
                    }
                    va::InstantiatedUnit::Configuration(n) => Unit::Configuration(self.name(n)),
                },
                generics: self.map(&i.generic_map),
                ports: self.map(&i.port_map),
            },
            V::Block(b) => {
                let h = &b.header;
                let empty = h.generic_clause.is_none() && h.port_clause.is_none();
                let header = (!empty).then(|| {
                    Box::new(BlockHeader {
                        generics: self.interfaces(&h.generic_clause),
                        generic_map: self.map(&h.generic_map),
                        ports: self.interfaces(&h.port_clause),
                        port_map: self.map(&h.port_map),
                    })
                });
                ConcurrentKind::Block {
                    decls: self.decls(&b.decl),
                    stmts: self.concurrents(&b.statements),
                    header,
                    guarded: b.guard_condition.is_some(),
                }
            }
            V::ForGenerate(g) => ConcurrentKind::For {
                index: self.ident(&g.index_name),
                range: self.discrete(&g.discrete_range),
                body: self.gen_body(&g.body),
            },
            V::IfGenerate(g) => ConcurrentKind::If {
                arms: g.conds.conditionals.iter().map(|c| (self.expr(&c.condition), self.gen_body(&c.item))).collect(),
                other: g.conds.else_item.as_ref().map(|(b, _)| self.gen_body(b)),
            },
            V::CaseGenerate(g) => ConcurrentKind::Case {
                expr: self.expr(&g.sels.expression),
                arms: g.sels.alternatives.iter().map(|a| (self.choices(&a.choices), self.gen_body(&a.item))).collect(),
            },
        }
    }

    fn gen_body(&mut self, b: &va::GenerateBody) -> GenBody {
        GenBody {
            label: b.alternative_label.as_ref().map(|l| lower_case(l.tree.item.name_utf8())),
            decls: b.decl.as_ref().map_or_else(Vec::new, |(d, _)| self.decls(d)),
            stmts: self.concurrents(&b.statements),
        }
    }

    // Units.

    pub fn entity(&mut self, e: &va::EntityDeclaration, library: SmolStr) -> LibraryUnit {
        LibraryUnit {
            library,
            name: self.ident(&e.ident),
            span: self.span(e.span()),
            uses: uses(&e.context_clause),
            kind: UnitKind::Entity {
                generics: self.interfaces(&e.generic_clause),
                ports: self.interfaces(&e.port_clause),
                decls: self.decls(&e.decl),
                stmts: self.concurrents(&e.statements),
            },
        }
    }

    pub fn architecture(&mut self, a: &va::ArchitectureBody, library: SmolStr) -> LibraryUnit {
        LibraryUnit {
            library,
            name: self.ident(&a.ident),
            span: self.span(a.span()),
            uses: uses(&a.context_clause),
            kind: UnitKind::Architecture {
                entity: lower_case(a.entity_name.item.item.name_utf8()),
                decls: self.decls(&a.decl),
                stmts: self.concurrents(&a.statements),
            },
        }
    }

    pub fn package(&mut self, p: &va::PackageDeclaration, library: SmolStr) -> LibraryUnit {
        LibraryUnit {
            library,
            name: self.ident(&p.ident),
            span: self.span(p.span()),
            uses: uses(&p.context_clause),
            kind: UnitKind::Package { generics: self.interfaces(&p.generic_clause), decls: self.decls(&p.decl) },
        }
    }

    pub fn package_body(&mut self, p: &va::PackageBody, library: SmolStr) -> LibraryUnit {
        LibraryUnit {
            library,
            name: self.ident(&p.ident),
            span: self.span(p.span()),
            uses: uses(&p.context_clause),
            kind: UnitKind::PackageBody { decls: self.decls(&p.decl) },
        }
    }

    pub fn package_instance_unit(&mut self, p: &va::PackageInstantiation, library: SmolStr) -> LibraryUnit {
        let instance = self.package_instance(p);
        LibraryUnit {
            library,
            name: instance.name.clone(),
            span: self.span(p.span()),
            uses: uses(&p.context_clause),
            kind: UnitKind::PackageInstance(instance),
        }
    }

    pub fn configuration(&mut self, c: &va::ConfigurationDeclaration, library: SmolStr) -> LibraryUnit {
        LibraryUnit {
            library,
            name: self.ident(&c.ident),
            span: self.span(c.span()),
            uses: uses(&c.context_clause),
            kind: UnitKind::Configuration {
                entity: self.name(&c.entity_name),
                block: self.block_config(&c.block_config),
            },
        }
    }
}

/// The packages a context clause uses.
fn uses(context: &va::ContextClause) -> Vec<SmolStr> {
    let clauses = context.iter().filter_map(|c| match c {
        va::ContextItem::Use(u) => Some(u),
        _ => None,
    });
    clauses.flat_map(used_packages).collect()
}

/// The packages of a use clause, as a whole or for one name.
fn used_packages(u: &va::UseClause) -> impl Iterator<Item = SmolStr> {
    u.name_list.iter().filter_map(|n| {
        let (va::Name::SelectedAll(prefix) | va::Name::Selected(prefix, _)) = &n.item else { return None };
        match &prefix.item {
            va::Name::Selected(_, package) => Some(designator(&package.item.item)),
            va::Name::Designator(package) => Some(designator(&package.item)),
            _ => None,
        }
    })
}

fn abstract_value(v: &va::AbstractLiteral) -> f64 {
    match v {
        va::AbstractLiteral::Integer(i) => *i as f64,
        va::AbstractLiteral::Real(r) => *r,
    }
}

fn class(c: va::ObjectClass) -> Class {
    match c {
        va::ObjectClass::Signal => Class::Signal,
        va::ObjectClass::Constant => Class::Constant,
        va::ObjectClass::Variable => Class::Variable,
        va::ObjectClass::SharedVariable => Class::Shared,
    }
}

fn labels(l: &va::InstantiationList) -> Labels {
    match l {
        va::InstantiationList::Labels(list) => {
            Labels::Named(list.iter().map(|i| lower_case(i.item.name_utf8())).collect())
        }
        va::InstantiationList::Others => Labels::Others,
        va::InstantiationList::All => Labels::All,
    }
}
