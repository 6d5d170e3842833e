//! Expressions and names.

use super::*;

impl Lower<'_> {
    pub(super) fn expr(&mut self, e: &WithTokenSpan<va::Expression>) -> Expr {
        self.expr_at(&e.item, e.span)
    }

    pub(super) fn boxed(&mut self, e: &WithTokenSpan<va::Expression>) -> Box<Expr> {
        Box::new(self.expr(e))
    }

    pub(super) fn expr_at(&mut self, e: &va::Expression, span: TokenSpan) -> Expr {
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

    pub(super) fn conditional(&mut self, e: &va::ConditionalExpression, span: TokenSpan) -> Expr {
        match e {
            va::ConditionalExpression::Simple(e) => self.expr_at(e, span),
            va::ConditionalExpression::Conditional(c) => {
                let arms = c.conditionals.iter().map(|c| (self.expr(&c.condition), self.expr(&c.item))).collect();
                let other = c.else_item.as_ref().map(|(e, _)| self.boxed(e));
                Expr { kind: ExprKind::When(arms, other), span: self.span(span) }
            }
        }
    }

    pub(super) fn with_conditional(&mut self, e: &WithTokenSpan<va::ConditionalExpression>) -> Expr {
        self.conditional(&e.item, e.span)
    }

    pub(super) fn literal(&mut self, l: &va::Literal) -> ExprKind {
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

    pub(super) fn elements(&mut self, list: &[WithTokenSpan<va::ElementAssociation>]) -> Vec<Element> {
        list.iter()
            .map(|e| match &e.item {
                va::ElementAssociation::Positional(v) => Element { choices: Vec::new(), value: self.expr(v) },
                va::ElementAssociation::Named(choices, v) => {
                    Element { choices: self.choices(choices), value: self.expr(v) }
                }
            })
            .collect()
    }

    pub(super) fn choices(&mut self, list: &[WithTokenSpan<va::Choice>]) -> Vec<Choice> {
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

    pub(super) fn name(&mut self, n: &WithTokenSpan<va::Name>) -> Name {
        self.name_at(&n.item, n.span)
    }

    pub(super) fn name_at(&mut self, n: &va::Name, span: TokenSpan) -> Name {
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

    pub(super) fn attribute(&mut self, a: &va::AttributeName, at: Span) -> Name {
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

    pub(super) fn args(&mut self, list: &[va::AssociationElement]) -> Vec<Arg> {
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

    pub(super) fn map(&mut self, m: &Option<va::MapAspect>) -> Vec<Arg> {
        m.as_ref().map_or_else(Vec::new, |m| self.args(&m.list.items))
    }
}

pub(super) fn abstract_value(v: &va::AbstractLiteral) -> f64 {
    match v {
        va::AbstractLiteral::Integer(i) => *i as f64,
        va::AbstractLiteral::Real(r) => *r,
    }
}
