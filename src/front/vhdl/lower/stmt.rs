//! Sequential statements.

use super::*;

impl Lower<'_> {
    pub(super) fn stmts(&mut self, list: &[va::LabeledSequentialStatement]) -> Vec<Stmt> {
        list.iter()
            .map(|s| Stmt {
                label: self.label(&s.label),
                span: self.span(s.statement.span),
                kind: self.stmt(&s.statement.item),
            })
            .collect()
    }

    pub(super) fn stmt(&mut self, s: &va::SequentialStatement) -> StmtKind {
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

    pub(super) fn assert(&mut self, a: &va::AssertStatement) -> StmtKind {
        StmtKind::Assert {
            cond: self.expr(&a.condition),
            report: a.report.as_ref().map(|e| self.expr(e)),
            severity: a.severity.as_ref().map(|e| self.expr(e)),
        }
    }

    /// A procedure call as a name, with arguments or without.
    pub(super) fn call(&mut self, c: &WithTokenSpan<va::CallOrIndexed>) -> Name {
        let prefix = self.name(&c.item.name);
        let args = self.args(&c.item.parameters.items);
        Name { span: self.span(c.span()), kind: NameKind::Call(Box::new(prefix), args) }
    }

    pub(super) fn signal_assignment(&mut self, a: &va::SignalAssignment) -> StmtKind {
        StmtKind::Assign { target: self.target(&a.target), rhs: self.rhs(&a.rhs, Self::waveform), signal: true }
    }

    pub(super) fn waveform(&mut self, w: &va::Waveform) -> Wave {
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

    pub(super) fn target(&mut self, t: &WithTokenSpan<va::Target>) -> Target {
        match &t.item {
            va::Target::Name(n) => Target::Name(self.name_at(n, t.span)),
            va::Target::Aggregate(list) => Target::Aggregate(self.elements(list), self.span(t.span)),
        }
    }

    pub(super) fn rhs<T>(&mut self, r: &va::AssignmentRightHand<T>, mut f: impl FnMut(&mut Self, &T) -> Wave) -> Rhs {
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
}
