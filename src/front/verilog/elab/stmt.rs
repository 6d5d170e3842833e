//! Statements, executed symbolically: branches are run one after the other and merged by
//! multiplexers; loops are unrolled; leaving early sets a flag under which the rest is skipped.

use super::super::ast;
use super::scope::Symbol;
use super::*;
use crate::front::behave::env::Key;
use crate::front::behave::process::Process;

impl<'a> Elab<'a> {
    pub(super) fn exec_all(&mut self, stmts: &'a [Stmt]) -> Res<()> {
        for s in stmts {
            self.exec(s)?;
        }
        Ok(())
    }

    pub(super) fn exec(&mut self, s: &'a Stmt) -> Res<()> {
        // Declarations stay visible after the branch that tells whether control has left.
        if let StmtKind::Decl(_) = s.kind {
            let left = self.m.left();
            return if self.m.d.as_bool(left) == Some(true) { Ok(()) } else { self.exec_live(s) };
        }
        self.unless_left(|e| e.exec_live(s))
    }

    pub(super) fn exec_live(&mut self, s: &'a Stmt) -> Res<()> {
        let saved = std::mem::replace(&mut self.m.d.here, s.span);
        let r = self.exec_inner(s);
        self.m.d.here = saved;
        r
    }

    fn exec_inner(&mut self, s: &'a Stmt) -> Res<()> {
        use StmtKind::*;
        match &s.kind {
            Null => Ok(()),
            Block { label, stmts } => self.block(label.as_ref(), stmts),
            Decl(item) => self.local_decl(item),
            Assign { lhs, op, rhs, nonblocking } => self.assign(lhs, *op, rhs, *nonblocking, s.span),
            If { cond, then, other, .. } => {
                let c = self.condition(cond)?;
                self.branch(
                    c,
                    |e| e.exec(then),
                    |e| match other {
                        Some(o) => e.exec(o),
                        None => Ok(()),
                    },
                )
            }
            Case { kind, qualifier, expr, items, default } => {
                self.case(*kind, *qualifier, expr, items, default.as_deref())
            }
            For { init, cond, step, body } => self.for_loop(init, cond.as_ref(), step, body, s.span),
            While { cond, body } => self.looping(s.span, body, &[], |e| e.condition(cond).map(Some), false),
            DoWhile { cond, body } => self.looping(s.span, body, &[], |e| e.condition(cond).map(Some), true),
            Repeat { count, body } => {
                let n = self.const_int(count)?;
                let mut i = 0;
                self.looping(
                    s.span,
                    body,
                    &[],
                    |e| {
                        i += 1;
                        Ok(Some(e.m.d.bool(i <= n)))
                    },
                    false,
                )
            }
            Foreach { array, vars, body } => self.foreach(array, vars, body, s.span),
            Forever(body) => self.looping(s.span, body, &[], |_| Ok(None), false),
            Return(value) => self.return_stmt(value.as_ref(), s.span),
            Break | Continue => {
                let Some(&(b, c)) = self.m.env.control.loops.last() else {
                    return error(codes::E0405, "`break` or `continue` outside a loop", s.span, "no loop around");
                };
                let one = self.m.d.bool(true);
                self.m.env.set(Key::Flag(if s.kind == Break { b } else { c }), one);
                Ok(())
            }
            Disable(name) => {
                let Some(flag) = self.m.env.control.blocks.iter().rev().find(|(n, _)| *n == name.name).map(|b| b.1)
                else {
                    return error(
                        codes::E0405,
                        format!("`disable {}` of a block that is not around it", name.name),
                        s.span,
                        "only enclosing blocks",
                    );
                };
                let one = self.m.d.bool(true);
                self.m.env.set(Key::Flag(flag), one);
                Ok(())
            }
            Expr(e) => self.call_stmt(e),
            Assert { kind, label, cond } => self.assertion(*kind, label.as_ref(), cond, s.span),
            Concurrent(c) => self.procedural_concurrent(c, s.span),
            Unsupported(u) => self.unsupported(u, s.span),
        }
    }

    fn block(&mut self, label: Option<&'a Ident>, stmts: &'a [Stmt]) -> Res<()> {
        let has_decl = stmts.iter().any(|s| matches!(s.kind, StmtKind::Decl(_)));
        if !has_decl && label.is_none() {
            return self.exec_all(stmts);
        }
        let name = label.map_or("", |l| l.name.as_str());
        let here = self.scope;
        // Locals that hold state are found again when the body runs a second time.
        let key = (here, stmts.as_ptr() as usize);
        let scope = match self.block_scopes.get(&key).copied() {
            Some(s) if self.call_depth == 0 => s,
            _ => {
                let s = self.new_scope(here, name);
                if self.call_depth == 0 && self.m.proc.is_some() {
                    self.block_scopes.insert(key, s);
                    self.scope_floor = self.scopes.len();
                }
                s
            }
        };
        let flag = label.map(|l| {
            let f = self.m.env.fresh();
            self.m.env.control.blocks.push((l.name.clone(), f));
            self.m.env.control.flags.push(f);
            f
        });
        let r = self.in_scope(scope, |e| e.exec_all(stmts));
        if flag.is_some() {
            self.m.env.control.blocks.pop();
            self.m.env.control.flags.pop();
        }
        r
    }

    fn local_decl(&mut self, item: &'a Item) -> Res<()> {
        let ItemKind::Decl { automatic, constant, ty, names, .. } = &item.kind else {
            // Types and parameters of a block are declared once.
            let here = self.scope;
            let declared = match &item.kind {
                ItemKind::Typedef { name, .. } => self.scope_ref(here).names.contains_key(&name.name),
                ItemKind::Param(list) => {
                    list.first().is_some_and(|p| self.scope_ref(here).names.contains_key(&p.name.name))
                }
                _ => false,
            };
            return if declared { Ok(()) } else { self.declare_item(item) };
        };
        let base = self.resolve_type(ty)?;
        for n in names {
            let ty = self.add_dims(base.clone(), &n.dims, false)?;
            let is_local =
                *automatic || *constant || self.call_depth > 0 || self.m.proc.as_ref().is_none_or(|p| p.initial);
            let here = self.scope;
            if is_local {
                let v = match &n.init {
                    Some(e) => self.rvalue(e, &ty)?,
                    None => self.undef_or_zero(&ty),
                };
                let k = self.m.env.fresh();
                self.m.env.set(Key::Local(k), v);
                self.redeclare(here, &n.name.name, Symbol::Local(ty, k));
                continue;
            }
            let key = (here, n as *const Declarator as usize);
            if self.block_vars.contains_key(&key) {
                continue;
            }
            let v = self.declare_var(&n.name, ty.clone(), NetKind::Var, None, &item.attrs)?;
            if let Some(e) = &n.init {
                self.initial_value(v, &n.name, e)?;
            }
            self.block_vars.insert(key, v);
            self.scope_floor = self.scopes.len();
        }
        Ok(())
    }

    fn case(
        &mut self,
        kind: CaseKind,
        qualifier: Qualifier,
        expr: &'a ast::Expr,
        items: &'a [(Vec<ast::Expr>, Stmt)],
        default: Option<&'a Stmt>,
    ) -> Res<()> {
        let te = self.type_of(expr)?;
        let (mut w, mut signed) = (te.width, te.signed);
        for l in items.iter().flat_map(|(l, _)| l) {
            if !matches!(l.kind, ExprKind::ValueRange(..)) && kind != CaseKind::Inside {
                let t = self.type_of(l)?;
                w = w.max(t.width);
                signed &= t.signed;
            }
        }
        let sel = self.eval(expr, w, signed)?;
        let mut conds = Vec::new();
        let mut constants: FxHashSet<u64> = FxHashSet::default();
        let mut all_plain = kind != CaseKind::Inside && w <= 16 && self.m.d.as_const(sel).is_none();
        for (labels, _) in items {
            let mut c = self.m.d.bool(false);
            for l in labels {
                let hit = if kind == CaseKind::Inside {
                    self.inside_member(expr, l)?
                } else {
                    let saved = std::mem::replace(&mut self.m.const_mode, true);
                    let n = self.eval(l, w, signed);
                    self.m.const_mode = saved;
                    let n = n?;
                    match self.m.d.as_const(n).cloned() {
                        Some(b) => {
                            match b.to_u64() {
                                Some(v) => {
                                    constants.insert(v);
                                }
                                None => all_plain &= kind == CaseKind::Case,
                            }
                            match kind {
                                CaseKind::Casez => self.match_bits(sel, &b, |p, i| p.is_z(i)),
                                CaseKind::Casex => self.match_bits(sel, &b, |p, i| p.is_unknown(i)),
                                _ if self.m.const_mode => {
                                    let same = self.m.d.as_const(sel) == Some(&b);
                                    self.m.d.bool(same)
                                }
                                _ => self.match_bits(sel, &b, |_, _| false),
                            }
                        }
                        None => {
                            all_plain = false;
                            let n = self.eval(l, w, signed)?;
                            self.m.d.eq(sel, n)
                        }
                    }
                };
                c = self.m.d.or(c, hit);
            }
            conds.push(c);
        }
        // Labels that name every value leave nothing for "none of them".
        let full = all_plain && default.is_none() && constants.len() as u64 == 1u64 << w;
        if full && let Some(last) = conds.last_mut() {
            *last = self.m.d.bool(true);
        }
        let mark = self.m.env.mark();
        let fresh: Vec<Key> = self.m.env.keys();
        self.case_chain(&conds, items, default, 0)?;
        let comb = self.m.proc.as_ref().is_some_and(Process::is_comb);
        if comb && default.is_none() && matches!(qualifier, Qualifier::Unique | Qualifier::Priority | Qualifier::Full) {
            // These promise a match. Without one the outcome is anything, which
            // covers both what a simulator does (hold) and what synthesis may do.
            let mut any = self.m.d.bool(false);
            for c in &conds {
                any = self.m.d.or(any, *c);
            }
            if self.m.d.as_bool(any) != Some(true) {
                if qualifier == Qualifier::Full {
                    self.m.warn(
                        Diagnostic::warning(codes::W0511, "`full_case`, but some values have no label")
                            .at(expr.span, "without a label for each value of this")
                            .help("add a default, or write `priority case` so that simulators check it too"),
                    );
                }
                for k in self.m.env.changed_since(mark) {
                    if let (Key::Now(_) | Key::Next(_), false) = (k, fresh.contains(&k)) {
                        let v = self.m.env.get(k).unwrap_or_else(|| self.m.base(k));
                        let x = self.m.d.undef(self.m.d.width(v));
                        let v = self.m.d.mux(any, v, x);
                        self.m.env.set(k, v);
                    }
                }
            }
        }
        Ok(())
    }

    fn case_chain(
        &mut self,
        conds: &[NodeId],
        items: &'a [(Vec<ast::Expr>, Stmt)],
        default: Option<&'a Stmt>,
        i: usize,
    ) -> Res<()> {
        let Some(c) = conds.get(i) else {
            return match default {
                Some(d) => self.exec(d),
                None => Ok(()),
            };
        };
        self.branch(*c, |e| e.exec(&items[i].1), |e| e.case_chain(conds, items, default, i + 1))
    }

    fn return_stmt(&mut self, value: Option<&'a ast::Expr>, span: Span) -> Res<()> {
        let Some(flag) = self.m.env.control.return_flag else {
            return error(codes::E0405, "`return` outside a function", span, "no function around");
        };
        if let (Some(e), Some(slot), Some(ty)) = (value, self.m.env.control.result, self.result_ty.clone()) {
            let v = self.rvalue(e, &ty)?;
            self.m.env.set(Key::Local(slot), v);
        }
        self.m.leave(flag);
        Ok(())
    }

    fn assertion(&mut self, kind: PropertyKind, label: Option<&'a Ident>, cond: &'a ast::Expr, span: Span) -> Res<()> {
        let condition = self.condition(cond)?;
        let enable = self.m.path();
        let Some(p) = &mut self.m.proc else {
            // In a constant function: nothing to check in hardware.
            return Ok(());
        };
        if p.initial || p.quiet {
            return Ok(());
        }
        let kind = match kind {
            PropertyKind::Assert => crate::word::AssertKind::Assert,
            PropertyKind::Assume => crate::word::AssertKind::Assume,
            PropertyKind::Cover => crate::word::AssertKind::Cover,
        };
        let line = self.map.location(span).map_or(0, |l| l.line);
        let name = match label {
            Some(l) => scope::join(&self.scopes[self.scope.0 as usize].path, &l.name),
            None => scope::join(&self.scopes[self.scope.0 as usize].path, &format!("assert_line_{line}")),
        };
        let trigger = enable;
        p.asserts.push(crate::word::Assert { kind, name, enable, condition, trigger, clock: None, span });
        Ok(())
    }
}
