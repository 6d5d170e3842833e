//! One assignment: to a whole variable or a part of one, by pattern, compound, or to two at once.

use super::Maker;
use crate::support::expr::{Cast, Expr, Ref, Step};
use crate::support::gen_expr::{Gen, Scope};
use crate::support::stmt::Stmt;
use crate::support::types::{Type, span};
use std::rc::Rc;

impl Maker<'_> {
    pub(super) fn assignment(&mut self, scope: &Scope, targets: &[Ref], op: &'static str) -> Stmt {
        let target = self.pick(targets).clone();
        let t = target.selected();
        match t.strip() {
            Type::Enum { .. } => {
                let from = if self.icarus() || self.rng.bool() {
                    self.constant(&t)
                } else {
                    let e = self.expr(scope, 2);
                    Expr::Cast(Cast::Type(Rc::new(t.clone())), Expr::Cast(Cast::Size(2), e.boxed()).boxed())
                };
                if from.valid(self.dialect) {
                    return Stmt::Assign { to: vec![target], op, from };
                }
                let from = self.constant(&t);
                return Stmt::Assign { to: vec![target], op, from };
            }
            Type::Struct { fields, union: false, .. } if !self.icarus() && self.one_in(3) => {
                let named = self.rng.bool();
                let keys = if named { fields.iter().map(|f| f.0.to_string()).collect() } else { vec![] };
                let values = fields.iter().map(|_| self.expr(scope, 2)).collect();
                return Stmt::Pattern { to: target, op, keys, values };
            }
            Type::Array { range, .. } if !self.icarus() && self.one_in(5) => {
                let n = span(*range);
                let (keys, n) = if self.rng.bool() { (vec!["default".into()], 1) } else { (vec![], n) };
                // Verilator 5.006 assigns the elements one after the other, so none may read another.
                let mut scope = scope.clone();
                scope.vars.retain(|v| v.name != target.name);
                let values = (0..n).map(|_| self.expr(&scope, 1)).collect();
                return Stmt::Pattern { to: target, op, keys, values };
            }
            _ => {}
        }
        let to = self.place(scope, &target);
        let blocking = op == "=";
        if blocking && to.steps.is_empty() && plain(&to) && self.one_in(8) {
            let op = if self.rng.bool() { "++" } else { "--" };
            return Stmt::Bump { to, op, before: self.rng.bool() };
        }
        if blocking && plain(&to) && self.one_in(6) && (to.steps.is_empty() || !self.icarus()) {
            // Icarus 11 is wrong on some parts of vectors, and cuts the right operand to the width of
            // the target, which is harmless for these operators.
            let op = *self.pick(&["+=", "-=", "&=", "|=", "^="]);
            let from = self.sized_leaf(scope);
            return Stmt::Assign { to: vec![to], op, from };
        }
        let others: Vec<Ref> = targets.iter().filter(|t| t.name != target.name && plain(t)).cloned().collect();
        if plain(&to) && !others.is_empty() && self.one_in(6) {
            let second = self.pick(&others).clone();
            // No index may depend on what the same assignment changes: the order is nobody's business.
            let mut still = scope.clone();
            still.vars.retain(|v| v.name != target.name && v.name != second.name);
            let (to, second) = (self.place(&still, &target), self.place(&still, &second));
            return Stmt::Assign { to: vec![to, second], op, from: self.expr(scope, 2) };
        }
        let from = Gen { rng: self.rng, scope, dialect: self.dialect }.source(1, to.selected().width());
        Stmt::Assign { to: vec![to], op, from }
    }

    /// Something with a width of its own and no sign, on which all compound assignments agree.
    fn sized_leaf(&mut self, scope: &Scope) -> Expr {
        loop {
            let e = Gen { rng: self.rng, scope, dialect: self.dialect }.leaf();
            if !e.ty().signed && e.sized() && e.valid(self.dialect) {
                return e;
            }
        }
    }

    /// The target or a part of it.
    fn place(&mut self, scope: &Scope, target: &Ref) -> Ref {
        let must = !target.ty.is_packed();
        if !must && self.rng.u32(0..5) < 3 {
            return target.clone();
        }
        let selected = Gen { rng: self.rng, scope, dialect: self.dialect }.select(target.clone());
        match selected {
            // A part of an enumeration is no enumeration.
            Some(r) if !matches!(target.ty.strip(), Type::Enum { .. }) => r,
            _ if must => {
                let mut r = target.clone();
                let low = target.ty.range().map_or(0, |(l, r)| l.min(r));
                r.steps.push(Step::Index(Expr::int(low).boxed()));
                r
            }
            _ => target.clone(),
        }
    }
}

/// Whether a target is a plain packed value: no enumeration, which takes only its members.
pub(super) fn plain(r: &Ref) -> bool {
    let t = r.selected();
    t.is_packed() && !matches!(t.strip(), Type::Enum { .. })
}
