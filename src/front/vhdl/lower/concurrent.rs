//! Concurrent statements.

use super::*;

impl Lower<'_> {
    pub fn concurrents(&mut self, list: &[va::LabeledConcurrentStatement]) -> Vec<Concurrent> {
        list.iter()
            .map(|s| {
                let span = self.span(s.statement.span);
                let label = self.label(&s.label);
                Concurrent { kind: self.concurrent(&s.statement.item, span, &label), label, span }
            })
            .collect()
    }

    pub(super) fn concurrent(
        &mut self,
        s: &va::ConcurrentStatement,
        span: Span,
        label: &Option<Ident>,
    ) -> ConcurrentKind {
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

    pub(super) fn gen_body(&mut self, b: &va::GenerateBody) -> GenBody {
        GenBody {
            label: b.alternative_label.as_ref().map(|l| lower_case(l.tree.item.name_utf8())),
            decls: b.decl.as_ref().map_or_else(Vec::new, |(d, _)| self.decls(d)),
            stmts: self.concurrents(&b.statements),
        }
    }
}
