//! Statements, executed symbolically: branches are run one after the other and merged by
//! multiplexers; loops are unrolled; leaving early sets a flag under which the rest is skipped.

use super::super::ast;
use super::env::Key;
use super::place::Place;
use super::process::Process;
use super::scope::Symbol;
use super::types::range_len;
use super::*;

/// What is pushed aside while a function body runs.
pub(super) struct Saved {
    flags: Vec<u32>,
    result: Option<(u32, Rc<Ty>)>,
    loops: Vec<(u32, u32)>,
    blocks: Vec<(SmolStr, u32)>,
    return_flag: Option<u32>,
}

/// Flags by which control can leave, innermost last.
#[derive(Default)]
pub(super) struct Control {
    flags: Vec<u32>,
    result: Option<(u32, Rc<Ty>)>,
    /// (break, continue) of each loop around.
    loops: Vec<(u32, u32)>,
    blocks: Vec<(SmolStr, u32)>,
    return_flag: Option<u32>,
}

impl<'a> Elab<'a> {
    pub(super) fn enter_body(&mut self, return_flag: u32, result: Option<(u32, Rc<Ty>)>) -> Saved {
        let c = &mut self.env.control;
        let saved = Saved {
            flags: std::mem::take(&mut c.flags),
            result: std::mem::replace(&mut c.result, result),
            loops: std::mem::take(&mut c.loops),
            blocks: std::mem::take(&mut c.blocks),
            return_flag: c.return_flag.replace(return_flag),
        };
        c.flags.push(return_flag);
        saved
    }
    pub(super) fn leave_body(&mut self, s: Saved) {
        self.env.control =
            Control { flags: s.flags, result: s.result, loops: s.loops, blocks: s.blocks, return_flag: s.return_flag };
    }
    /// The condition under which control has already left.
    fn left(&mut self) -> NodeId {
        let mut any = self.d.bool(false);
        for i in 0..self.env.control.flags.len() {
            let f = self.env.control.flags[i];
            if let Some(n) = self.env.get(Key::Flag(f)) {
                any = self.d.or(any, n);
            }
        }
        any
    }
    pub(super) fn path(&mut self) -> NodeId {
        match self.env.path {
            Some(p) => p,
            None => self.d.bool(true),
        }
    }
    pub(super) fn exec_all(&mut self, stmts: &'a [Stmt]) -> Res<()> {
        for s in stmts {
            self.exec(s)?;
        }
        Ok(())
    }
    pub(super) fn exec(&mut self, s: &'a Stmt) -> Res<()> {
        let left = self.left();
        match self.d.as_bool(left) {
            Some(true) => Ok(()),
            Some(false) => self.exec_live(s),
            None => {
                // Declarations stay visible after the branch.
                if let StmtKind::Decl(_) = s.kind {
                    return self.exec_live(s);
                }
                let live = self.d.not(left);
                self.branch(live, |e| e.exec_live(s), |_| Ok(()))
            }
        }
    }
    /// Runs two branches under a condition and merges what they changed.
    pub(super) fn branch(
        &mut self,
        cond: NodeId,
        then: impl FnOnce(&mut Self) -> Res<()>,
        other: impl FnOnce(&mut Self) -> Res<()>,
    ) -> Res<()> {
        match self.d.as_bool(cond) {
            Some(true) => return then(self),
            Some(false) => return other(self),
            None => {}
        }
        let outer = self.env.path;
        let path = self.path();
        let mark = self.env.mark();
        self.env.path = Some(self.d.and(path, cond));
        then(self)?;
        let a = self.env.undo(mark);
        let not = self.d.not(cond);
        self.env.path = Some(self.d.and(path, not));
        other(self)?;
        let b = self.env.undo(mark);
        self.env.path = outer;
        let mut keys: Vec<Key> = a.iter().chain(&b).map(|(k, _)| *k).collect();
        keys.sort();
        keys.dedup();
        let a: FxHashMap<Key, NodeId> = a.into_iter().collect();
        let b: FxHashMap<Key, NodeId> = b.into_iter().collect();
        for k in keys {
            let before = match self.env.get(k) {
                Some(n) => n,
                // A local born inside the branch dies with it.
                None if matches!(k, Key::Local(_)) => continue,
                None => self.base(k),
            };
            let (x, y) = (a.get(&k).copied().unwrap_or(before), b.get(&k).copied().unwrap_or(before));
            let merged = self.d.mux(cond, x, y);
            self.env.set(k, merged);
        }
        Ok(())
    }
    fn exec_live(&mut self, s: &'a Stmt) -> Res<()> {
        let saved = std::mem::replace(&mut self.d.here, s.span);
        let r = self.exec_inner(s);
        self.d.here = saved;
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
                        Ok(Some(e.d.bool(i <= n)))
                    },
                    false,
                )
            }
            Foreach { array, vars, body } => self.foreach(array, vars, body, s.span),
            Forever(body) => self.looping(s.span, body, &[], |_| Ok(None), false),
            Return(value) => self.return_stmt(value.as_ref(), s.span),
            Break | Continue => {
                let Some(&(b, c)) = self.env.control.loops.last() else {
                    return error(codes::E0405, "`break` or `continue` outside a loop", s.span, "no loop around");
                };
                let one = self.d.bool(true);
                self.env.set(Key::Flag(if s.kind == Break { b } else { c }), one);
                Ok(())
            }
            Disable(name) => {
                let Some(flag) = self.env.control.blocks.iter().rev().find(|(n, _)| *n == name.name).map(|b| b.1)
                else {
                    return error(
                        codes::E0405,
                        format!("`disable {}` of a block that is not around it", name.name),
                        s.span,
                        "only enclosing blocks",
                    );
                };
                let one = self.d.bool(true);
                self.env.set(Key::Flag(flag), one);
                Ok(())
            }
            Expr(e) => self.call_stmt(e),
            Assert { kind, label, cond } => self.assertion(*kind, label.as_ref(), cond, s.span),
            Concurrent(c) => {
                self.carry_concurrent(c, s.span);
                Ok(())
            }
            Unsupported(u) => self.unsupported(u, s.span),
        }
    }
    /// Concurrent assertions stay in the tree until the model checker reads them.
    pub(super) fn carry_concurrent(&mut self, c: &Concurrent, span: Span) {
        if matches!(c.keyword.as_str(), "assert" | "assume" | "cover" | "restrict") {
            self.warn(
                Diagnostic::warning(
                    codes::W0414,
                    format!("concurrent `{} property` is carried along but not checked", c.keyword),
                )
                .at(span, "not part of the netlist"),
            );
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
        let scope = match self.proc.as_ref().and_then(|p| p.block_scopes.get(&key).copied()) {
            Some(s) if self.call_depth == 0 => s,
            _ => {
                let s = self.new_scope(here, name);
                if self.call_depth == 0
                    && let Some(p) = &mut self.proc
                {
                    p.block_scopes.insert(key, s);
                    self.scope_floor = self.scopes.len();
                }
                s
            }
        };
        let flag = label.map(|l| {
            let f = self.env.fresh();
            self.env.control.blocks.push((l.name.clone(), f));
            self.env.control.flags.push(f);
            f
        });
        let r = self.in_scope(scope, |e| e.exec_all(stmts));
        if flag.is_some() {
            self.env.control.blocks.pop();
            self.env.control.flags.pop();
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
                *automatic || *constant || self.call_depth > 0 || self.proc.as_ref().is_none_or(|p| p.initial);
            let here = self.scope;
            if is_local {
                let v = match &n.init {
                    Some(e) => self.rvalue(e, &ty)?,
                    None => self.undef_or_zero(&ty),
                };
                let k = self.env.fresh();
                self.env.set(Key::Local(k), v);
                self.redeclare(here, &n.name.name, Symbol::Local(ty, k));
                continue;
            }
            let key = (here, n as *const Declarator as usize);
            if self.block_vars.contains_key(&key) {
                continue;
            }
            let v = self.declare_var(&n.name, ty.clone(), NetKind::Var, None, &item.attrs)?;
            if let Some(e) = &n.init {
                let b = self.const_bits(e, &ty)?;
                self.vars[v.0 as usize].init = Some(b);
            }
            self.block_vars.insert(key, v);
            self.scope_floor = self.scopes.len();
        }
        Ok(())
    }
    pub(super) fn assign(
        &mut self,
        lhs: &'a ast::Expr,
        op: Option<BinaryOp>,
        rhs: &'a ast::Expr,
        nonblocking: bool,
        span: Span,
    ) -> Res<()> {
        use ExprKind::{Concat, Pattern, Stream};
        if op.is_none() && matches!(lhs.kind, Concat(_) | Stream { .. } | Pattern(..)) {
            return self.assign_parts(lhs, rhs, nonblocking, span);
        }
        let p = self.place(lhs)?;
        let v = match op {
            None => self.rvalue(rhs, &p.ty)?,
            Some(op) => {
                // `a op= b` is `a = a op b`, with a's selects evaluated once.
                let tr = self.type_of(rhs)?;
                let signed = p.ty.signed && tr.signed;
                let w = p.ty.width.max(tr.width);
                let old = self.read(&p)?;
                let v = if matches!(op, BinaryOp::Shl | BinaryOp::Shr | BinaryOp::AShl | BinaryOp::AShr) {
                    let n = self.eval_self(rhs)?;
                    self.arith(op, old, n, p.ty.signed)
                } else {
                    let a = self.d.resize(old, w, signed);
                    let b = self.eval(rhs, w, signed)?;
                    self.arith(op, a, b, signed)
                };
                self.d.zext(v, p.ty.width)
            }
        };
        self.write(&p, v, nonblocking, span)
    }
    /// `{a, b} = e`, `{<<{a, b}} = e` and `'{a, b} = e`.
    fn assign_parts(&mut self, lhs: &'a ast::Expr, rhs: &'a ast::Expr, nonblocking: bool, span: Span) -> Res<()> {
        let mut places: Vec<Place> = Vec::new();
        self.collect_places(lhs, &mut places)?;
        let total: u32 = places.iter().map(|p| p.ty.width).sum();
        let ty = Ty::vector(total, false, true);
        let mut v = match &rhs.kind {
            ExprKind::Pattern(None, items) => {
                // Element by element.
                if items.len() != places.len() {
                    return error(
                        codes::E0304,
                        format!("{} values for {} targets", items.len(), places.len()),
                        rhs.span,
                        "numbers differ",
                    );
                }
                let mut parts = Vec::new();
                for (i, p) in items.iter().zip(&places) {
                    parts.push(self.rvalue(&i.value, &p.ty)?);
                }
                self.d.concat(&parts)
            }
            _ if matches!(lhs.kind, ExprKind::Stream { .. }) => {
                // The source's left end fills the targets (11.4.14.3).
                let t = self.type_of(rhs)?;
                let v = if let ExprKind::Stream { .. } = rhs.kind {
                    self.rvalue(rhs, &t)?
                } else {
                    self.eval(rhs, t.width, t.signed)?
                };
                if t.width < total {
                    return error(
                        codes::E0310,
                        format!("{} bits for stream targets of {total} bits", t.width),
                        rhs.span,
                        "too narrow",
                    );
                }
                self.d.slice(v, t.width - total, total)
            }
            _ => self.rvalue(rhs, &ty)?,
        };
        if let ExprKind::Stream { reverse: true, slice, .. } = &lhs.kind {
            let n = match slice {
                None => 1,
                Some(s) => match self.type_expr(s)? {
                    Some(t) => t.width as i64,
                    None => self.const_int(s)?,
                },
            };
            if n < 1 {
                return error(codes::E0311, format!("a stream slice of {n} bits"), span, "must be positive");
            }
            v = self.unstream(v, n.min(u32::MAX as i64) as u32);
        }
        let mut top = total;
        for p in places {
            let w = p.ty.width;
            let part = self.d.slice(v, top - w, w);
            top -= w;
            self.write(&p, part, nonblocking, span)?;
        }
        Ok(())
    }
    /// The inverse of streaming to the left: blocks of `n` from the right end become blocks from the left.
    fn unstream(&mut self, v: NodeId, n: u32) -> NodeId {
        let w = self.d.width(v);
        let mut blocks = Vec::new();
        let mut hi = w;
        while hi > 0 {
            let len = n.min(hi);
            blocks.push(self.d.slice(v, hi - len, len));
            hi -= len;
        }
        blocks.reverse();
        self.d.concat(&blocks)
    }
    fn collect_places(&mut self, lhs: &'a ast::Expr, out: &mut Vec<Place>) -> Res<()> {
        match &lhs.kind {
            ExprKind::Concat(items) | ExprKind::Stream { items, .. } => {
                for i in items {
                    self.collect_places(i, out)?;
                }
                Ok(())
            }
            ExprKind::Pattern(_, items) => {
                for i in items {
                    self.collect_places(&i.value, out)?;
                }
                Ok(())
            }
            _ => {
                out.push(self.place(lhs)?);
                Ok(())
            }
        }
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
        let mut all_plain = kind != CaseKind::Inside && w <= 16 && self.d.as_const(sel).is_none();
        for (labels, _) in items {
            let mut c = self.d.bool(false);
            for l in labels {
                let hit = if kind == CaseKind::Inside {
                    self.inside_member(expr, l)?
                } else {
                    let saved = std::mem::replace(&mut self.const_mode, true);
                    let n = self.eval(l, w, signed);
                    self.const_mode = saved;
                    let n = n?;
                    match self.d.as_const(n).cloned() {
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
                                _ if self.const_mode => {
                                    let same = self.d.as_const(sel) == Some(&b);
                                    self.d.bool(same)
                                }
                                _ => self.match_bits(sel, &b, |_, _| false),
                            }
                        }
                        None => {
                            all_plain = false;
                            let n = self.eval(l, w, signed)?;
                            self.d.eq(sel, n)
                        }
                    }
                };
                c = self.d.or(c, hit);
            }
            conds.push(c);
        }
        // Labels that name every value leave nothing for "none of them".
        let full = all_plain && default.is_none() && constants.len() as u64 == 1u64 << w;
        if full && let Some(last) = conds.last_mut() {
            *last = self.d.bool(true);
        }
        let mark = self.env.mark();
        let fresh: Vec<Key> = self.env.keys();
        self.case_chain(&conds, items, default, 0)?;
        let comb = self.proc.as_ref().is_some_and(Process::is_comb);
        if comb && default.is_none() && matches!(qualifier, Qualifier::Unique | Qualifier::Priority) {
            // `unique` and `priority` promise a match. Without one the outcome is anything, which
            // covers both what a simulator does (hold) and what synthesis may do.
            let mut any = self.d.bool(false);
            for c in &conds {
                any = self.d.or(any, *c);
            }
            if self.d.as_bool(any) != Some(true) {
                for k in self.env.changed_since(mark) {
                    if let (Key::Now(_) | Key::Next(_), false) = (k, fresh.contains(&k)) {
                        let v = self.env.get(k).unwrap_or_else(|| self.base(k));
                        let x = self.d.undef(self.d.width(v));
                        let v = self.d.mux(any, v, x);
                        self.env.set(k, v);
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
    fn for_loop(
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
    fn looping(
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
    fn foreach(&mut self, array: &'a ast::Expr, vars: &'a [Option<Ident>], body: &'a Stmt, span: Span) -> Res<()> {
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
    fn return_stmt(&mut self, value: Option<&'a ast::Expr>, span: Span) -> Res<()> {
        let Some(flag) = self.env.control.return_flag else {
            return error(codes::E0405, "`return` outside a function", span, "no function around");
        };
        if let (Some(e), Some((slot, ty))) = (value, self.env.control.result.clone()) {
            let v = self.rvalue(e, &ty)?;
            self.env.set(Key::Local(slot), v);
        }
        let one = self.d.bool(true);
        self.env.set(Key::Flag(flag), one);
        Ok(())
    }
    fn assertion(&mut self, kind: PropertyKind, label: Option<&'a Ident>, cond: &'a ast::Expr, span: Span) -> Res<()> {
        let condition = self.condition(cond)?;
        let enable = self.path();
        let Some(p) = &mut self.proc else {
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
        p.asserts.push(crate::word::Assert { kind, name, enable, condition, clock: None, span });
        Ok(())
    }
}
