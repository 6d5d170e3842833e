//! Loops, unrolled while their condition is constant.

use super::super::ast;
use super::scope::Symbol;
use super::types::range_len;
use super::*;
use crate::front::behave::env::Key;

impl<'a> Elab<'a> {
    pub(super) fn for_loop(
        &mut self,
        init: &'a [Stmt],
        cond: Option<&'a ast::Expr>,
        step: &'a [Stmt],
        body: &'a Stmt,
        span: Span,
    ) -> Res<()> {
        let here = self.scope;
        let mark = self.scopes.len();
        let scope = self.new_scope(here, "");
        let r = self.in_scope(scope, |e| {
            e.exec_all(init)?;
            e.looping(
                span,
                body,
                step,
                |e| match cond {
                    Some(c) => e.condition(c).map(Some),
                    None => Ok(None),
                },
                false,
            )
        });
        self.drop_scopes(mark);
        r
    }

    /// Unrolls a loop whose step is statements.
    pub(super) fn looping(
        &mut self,
        span: Span,
        body: &'a Stmt,
        step: &'a [Stmt],
        cond: impl FnMut(&mut Self) -> Res<Option<NodeId>>,
        body_first: bool,
    ) -> Res<()> {
        self.unroll(
            span,
            body_first,
            cond,
            |e| e.exec(body),
            |e| step.iter().try_for_each(|s| e.exec_live(s)),
            |e| e.step_values(step),
        )
    }

    /// The variables the step assigns, with their present values.
    fn step_values(&mut self, step: &'a [Stmt]) -> Vec<(Key, NodeId)> {
        let mut out = Vec::new();
        for s in step {
            let target = match &s.kind {
                StmtKind::Assign { lhs, .. } => lhs,
                StmtKind::Expr(ast::Expr { kind: ExprKind::IncDec { target, .. }, .. }) => target,
                _ => continue,
            };
            let key = match self.symbol_of(target) {
                Ok(Some(Symbol::Local(_, k))) => Key::Local(k),
                Ok(Some(Symbol::Var(v))) => Key::Now(v),
                _ => continue,
            };
            if let Some(v) = self.m.env.get(key) {
                out.push((key, v));
            }
        }
        out
    }

    pub(super) fn foreach(
        &mut self,
        array: &'a ast::Expr,
        vars: &'a [Option<Ident>],
        body: &'a Stmt,
        span: Span,
    ) -> Res<()> {
        let ty = self.type_of(array)?;
        let here = self.scope;
        let mark = self.scopes.len();
        let scope = self.new_scope(here, "");
        let r = self.breakable(|e, brk| e.in_scope(scope, |e| e.foreach_dim(&ty, vars, body, brk, span)));
        self.drop_scopes(mark);
        r
    }

    fn foreach_dim(&mut self, ty: &Rc<Ty>, vars: &'a [Option<Ident>], body: &'a Stmt, brk: u32, span: Span) -> Res<()> {
        let Some((var, rest)) = vars.split_first() else {
            return self.round(brk, |e| e.exec(body));
        };
        let (left, right, elem) = Self::element(ty, span)?;
        let Some(var) = var else { return self.foreach_dim(&elem, rest, body, brk, span) };
        let int = types::int_type(IntType::Int, None);
        let scope = self.scope;
        for i in 0..range_len(left, right) as i64 {
            let k = if left <= right { left + i } else { left - i };
            let v = self.m.d.constant(Bits::from_i64(k, 32));
            let slot = self.m.env.fresh();
            self.m.env.set(Key::Local(slot), v);
            self.redeclare(scope, &var.name, Symbol::Local(int.clone(), slot));
            self.foreach_dim(&elem, rest, body, brk, span)?;
        }
        Ok(())
    }
}
