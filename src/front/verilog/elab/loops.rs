//! Loops, unrolled while their condition is constant.

use super::super::ast;
use super::env::Key;
use super::scope::Symbol;
use super::types::range_len;
use super::*;

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

    /// Unrolls a loop. A condition that is not constant is a `break` under its negation; the loop
    /// must still end, that is, the condition must become constant false in time.
    pub(super) fn looping(
        &mut self,
        span: Span,
        body: &'a Stmt,
        step: &'a [Stmt],
        mut cond: impl FnMut(&mut Self) -> Res<Option<NodeId>>,
        body_first: bool,
    ) -> Res<()> {
        let brk = self.env.fresh();
        self.env.control.flags.push(brk);
        // Values the step variables had when a break became possible, with its condition.
        let mut exits: Vec<(NodeId, Vec<(Key, NodeId)>)> = Vec::new();
        let mut result = Ok(());
        let mut iterations = 0u32;
        loop {
            let skip_test = body_first && iterations == 0;
            if !skip_test {
                let c = match cond(self) {
                    Ok(c) => c,
                    Err(e) => {
                        result = Err(e);
                        break;
                    }
                };
                if let Some(c) = c {
                    match self.d.as_bool(c) {
                        Some(false) => break,
                        Some(true) => {}
                        None => {
                            let stop = self.d.not(c);
                            let old = self.env.get(Key::Flag(brk)).unwrap_or_else(|| self.d.bool(false));
                            let now = self.d.or(old, stop);
                            self.env.set(Key::Flag(brk), now);
                            let at = self.step_values(step);
                            exits.push((now, at));
                        }
                    }
                }
            }
            if iterations >= MAX_ITERATIONS {
                result = error(
                    codes::E0302,
                    format!("the loop does not end within {MAX_ITERATIONS} rounds"),
                    span,
                    "bounds must be constant",
                );
                break;
            }
            iterations += 1;
            let cont = self.env.fresh();
            self.env.control.flags.push(cont);
            self.env.control.loops.push((brk, cont));
            let r = self.exec(body);
            self.env.control.loops.pop();
            self.env.control.flags.pop();
            if let Err(e) = r {
                result = Err(e);
                break;
            }
            let left = self.left();
            if self.d.as_bool(left) == Some(true) {
                break;
            }
            if self.d.as_bool(left).is_none() {
                let at = self.step_values(step);
                exits.push((left, at));
            }
            // The step runs whether or not a break was possible, so that bounds stay constant.
            if let Err(e) = step.iter().try_for_each(|s| self.exec_live(s)) {
                result = Err(e);
                break;
            }
        }
        self.env.control.flags.pop();
        result?;
        for (left, values) in exits.into_iter().rev() {
            for (k, v) in values {
                if let Some(now) = self.env.get(k) {
                    let merged = self.d.mux(left, v, now);
                    self.env.set(k, merged);
                }
            }
        }
        Ok(())
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
            if let Some(v) = self.env.get(key) {
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
        let brk = self.env.fresh();
        self.env.control.flags.push(brk);
        let r = self.in_scope(scope, |e| e.foreach_dim(&ty, vars, body, brk, span));
        self.env.control.flags.pop();
        self.drop_scopes(mark);
        r
    }

    fn foreach_dim(&mut self, ty: &Rc<Ty>, vars: &'a [Option<Ident>], body: &'a Stmt, brk: u32, span: Span) -> Res<()> {
        let Some((var, rest)) = vars.split_first() else {
            let cont = self.env.fresh();
            self.env.control.flags.push(cont);
            self.env.control.loops.push((brk, cont));
            let r = self.exec(body);
            self.env.control.loops.pop();
            self.env.control.flags.pop();
            return r;
        };
        let (left, right, elem) = Self::element(ty, span)?;
        let Some(var) = var else { return self.foreach_dim(&elem, rest, body, brk, span) };
        let int = types::int_type(IntType::Int, None);
        let scope = self.scope;
        for i in 0..range_len(left, right) as i64 {
            let k = if left <= right { left + i } else { left - i };
            let v = self.d.constant(Bits::from_i64(k, 32));
            let slot = self.env.fresh();
            self.env.set(Key::Local(slot), v);
            self.redeclare(scope, &var.name, Symbol::Local(int.clone(), slot));
            self.foreach_dim(&elem, rest, body, brk, span)?;
        }
        Ok(())
    }
}
