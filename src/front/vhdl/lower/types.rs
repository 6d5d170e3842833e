//! Types, subtypes and ranges.

use super::expr::abstract_value;
use super::*;

impl Lower<'_> {
    pub(super) fn discrete(&mut self, r: &va::DiscreteRange) -> Range {
        match r {
            va::DiscreteRange::Discrete(n, r) => {
                let inner = r.as_ref().map(|r| Box::new(self.range(r)));
                Range::Subtype(Box::new(self.name(n)), inner)
            }
            va::DiscreteRange::Range(r) => self.range(r),
        }
    }

    pub(super) fn range(&mut self, r: &va::Range) -> Range {
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

    pub(super) fn subtype(&mut self, s: &va::SubtypeIndication) -> Subtype {
        let mark = self.name(&s.type_mark);
        let constraint = s.constraint.as_ref().map(|c| self.constraint(&c.item));
        let mut span = mark.span;
        if let Some(c) = &s.constraint {
            span = span.join(self.span(c.span()));
        }
        Subtype { mark, constraint, span }
    }

    pub(super) fn constraint(&mut self, c: &va::SubtypeConstraint) -> Constraint {
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

    pub(super) fn type_def(&mut self, d: &va::TypeDefinition) -> TypeDef {
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
}
