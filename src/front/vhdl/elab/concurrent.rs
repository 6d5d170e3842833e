//! Concurrent statements: processes, blocks, generate statements; instances are entered from here.

use super::instance::Outside;
use super::scope::join;
use super::*;
use crate::word::Bits;

impl<'a> Elab<'a> {
    pub(super) fn statements(&mut self, list: &'a [Concurrent], config: Option<&'a BlockConfig>) -> Res<()> {
        for s in list {
            if self.m.stop {
                return Ok(());
            }
            if let Err(d) = self.concurrent(s, config) {
                self.m.report(d);
            }
        }
        Ok(())
    }

    pub(super) fn concurrent(&mut self, s: &'a Concurrent, config: Option<&'a BlockConfig>) -> Res<()> {
        let label = s.label.as_ref().map_or_else(SmolStr::default, |l| l.name.clone());
        match &s.kind {
            ConcurrentKind::Process { sensitivity, decls, stmts } => {
                self.process(s.label.as_ref(), sensitivity, decls, stmts, s.span)
            }
            ConcurrentKind::Stmt(stmt, guarded) => {
                if *guarded {
                    return self.unsupported("a guarded assignment", s.span);
                }
                self.comb(s.span, |e| e.exec(stmt))
            }
            ConcurrentKind::Instance { unit, generics, ports } => {
                self.instance(&label, unit, generics, ports, config, s.span)
            }
            ConcurrentKind::Block { decls, stmts, header, guarded } => {
                if *guarded {
                    return self.unsupported("a guarded block", s.span);
                }
                let scope = self.inner_scope(&label);
                if let Some(h) = header {
                    let here = self.scope;
                    self.bind_generics(&h.generics, &h.generic_map, here, scope, s.span)?;
                    let outside = Outside::Parent { scope: here, ports: &h.port_map, component: None };
                    self.ports(&h.ports, scope, &outside, s.span)?;
                }
                let inner = self.block_config(config, &label, s.span)?;
                self.in_scope(scope, |e| {
                    e.declare_all(decls)?;
                    e.statements(stmts, inner)
                })
            }
            ConcurrentKind::For { index, range, body } => {
                let d = self.range(range)?;
                if d.len() > 1 << 16 {
                    return error(codes::E0302, format!("{} copies", d.len()), s.span, "more than this tool takes");
                }
                let ty = self.loop_type(range);
                let inner = self.block_config(config, &label, s.span)?;
                for k in 0..d.len() as i128 {
                    let k = if d.down { d.left - k } else { d.left + k };
                    let scope = self.inner_scope(&format!("{label}[{k}]"));
                    let symbol = match &ty {
                        Some(t) => Symbol::Const(t.clone(), Bits::from_u64(k as u64, t.width)),
                        None => {
                            let t = Ty::int(k, k);
                            let b = types::int_bits(k, t.width);
                            Symbol::Const(t, b)
                        }
                    };
                    self.scopes[scope.0 as usize].symbols.insert(index.ent, symbol);
                    self.generated(scope, body, inner)?;
                }
                Ok(())
            }
            ConcurrentKind::If { arms, other } => {
                let inner = self.block_config(config, &label, s.span)?;
                for (cond, body) in arms {
                    if self.constant_condition(cond)? {
                        let scope = self.inner_scope(&label);
                        return self.generated(scope, body, inner);
                    }
                }
                if let Some(body) = other {
                    let scope = self.inner_scope(&label);
                    return self.generated(scope, body, inner);
                }
                Ok(())
            }
            ConcurrentKind::Case { expr, arms } => {
                let inner = self.block_config(config, &label, s.span)?;
                let conds = self.constantly(|e| e.choose(expr, false, arms.iter().map(|a| a.0.as_slice())))?;
                for (c, (_, body)) in conds.iter().zip(arms) {
                    match self.m.d.as_bool(*c) {
                        Some(true) => {
                            let scope = self.inner_scope(&label);
                            return self.generated(scope, body, inner);
                        }
                        Some(false) => {}
                        None => return error(codes::E0301, "the choice is not constant", s.span, "case generate"),
                    }
                }
                Ok(())
            }
        }
    }

    /// What a configuration says about a block or a generate statement.
    fn block_config(&self, config: Option<&'a BlockConfig>, label: &str, span: Span) -> Res<Option<&'a BlockConfig>> {
        let found = config.and_then(|c| c.blocks.iter().find(|b| b.of == label));
        match found {
            Some(b) if b.partial => self.unsupported("a configuration of single copies of a generate statement", span),
            _ => Ok(found),
        }
    }

    pub(super) fn inner_scope(&mut self, label: &str) -> ScopeId {
        let here = self.scope;
        let path = join(&self.scope_ref(here).path, label);
        self.new_scope(Some(here), path)
    }

    pub(super) fn generated(&mut self, scope: ScopeId, body: &'a GenBody, config: Option<&'a BlockConfig>) -> Res<()> {
        self.in_scope(scope, |e| {
            e.declare_all(&body.decls)?;
            e.statements(&body.stmts, config)
        })
    }
}

/// Calls `f` with the name of everything instantiated.
pub fn instantiated<'a>(list: &'a [Concurrent], f: &mut impl FnMut(&'a str)) {
    for s in list {
        match &s.kind {
            ConcurrentKind::Instance { unit: Unit::Component(n) | Unit::Entity(n, _), .. } => f(n.last()),
            ConcurrentKind::Block { stmts, .. } => instantiated(stmts, f),
            ConcurrentKind::For { body, .. } => instantiated(&body.stmts, f),
            ConcurrentKind::If { arms, other } => {
                arms.iter().for_each(|(_, b)| instantiated(&b.stmts, f));
                if let Some(b) = other {
                    instantiated(&b.stmts, f);
                }
            }
            ConcurrentKind::Case { arms, .. } => arms.iter().for_each(|(_, b)| instantiated(&b.stmts, f)),
            _ => {}
        }
    }
}
