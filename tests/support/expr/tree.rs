//! Walking the tree of an expression, changing it, and the smaller trees it can shrink to.

use super::{Expr, Lit, Member, Ref, Step};

impl Expr {
    /// Direct subexpressions, in the order [`Expr::with_child`] numbers them.
    pub fn children(&self) -> Vec<&Expr> {
        match self {
            Expr::Lit(_) | Expr::Fill(_) => vec![],
            Expr::Ref(r) => r.steps.iter().filter_map(Step::operand).collect(),
            Expr::Unary(_, a) | Expr::Cast(_, a) | Expr::Sys(_, a) | Expr::Paren(a) => vec![a],
            Expr::Binary(_, a, b) => vec![a, b],
            Expr::Cond(a, b, c) => vec![a, b, c],
            Expr::Concat(p)
            | Expr::Repl(_, p)
            | Expr::ConcatPart(p, _, _)
            | Expr::Stream(_, _, p)
            | Expr::Call(_, p) => p.iter().collect(),
            Expr::Inside(a, members) => {
                let mut all = vec![&**a];
                for m in members {
                    match m {
                        Member::One(e) => all.push(e),
                        Member::Range(l, h) => all.extend([l, h]),
                    }
                }
                all
            }
        }
    }

    /// The subexpressions again, to be changed in place.
    fn children_mut(&mut self) -> Vec<&mut Expr> {
        match self {
            Expr::Lit(_) | Expr::Fill(_) => vec![],
            Expr::Ref(r) => r.steps.iter_mut().filter_map(Step::operand_mut).collect(),
            Expr::Unary(_, a) | Expr::Cast(_, a) | Expr::Sys(_, a) | Expr::Paren(a) => vec![a],
            Expr::Binary(_, a, b) => vec![a, b],
            Expr::Cond(a, b, c) => vec![a, b, c],
            Expr::Concat(p)
            | Expr::Repl(_, p)
            | Expr::ConcatPart(p, _, _)
            | Expr::Stream(_, _, p)
            | Expr::Call(_, p) => p.iter_mut().collect(),
            Expr::Inside(a, members) => {
                let mut all = vec![&mut **a];
                for m in members {
                    match m {
                        Member::One(e) => all.push(e),
                        Member::Range(l, h) => all.extend([l, h]),
                    }
                }
                all
            }
        }
    }

    /// This expression with its `i`-th child replaced.
    pub fn with_child(&self, i: usize, child: Expr) -> Expr {
        let mut copy = self.clone();
        *copy.children_mut()[i] = child;
        copy
    }

    /// Calls `f` on this and every subexpression.
    pub fn walk(&self, f: &mut dyn FnMut(&Expr)) {
        f(self);
        self.children().into_iter().for_each(|c| c.walk(f));
    }

    /// Number of nodes.
    pub fn size(&self) -> usize {
        let mut n = 0;
        self.walk(&mut |_| n += 1);
        n
    }

    /// Simpler expressions that may show the same failure: operands instead of the operator, a constant
    /// instead of anything, and the same one level down.
    pub fn smaller(&self) -> Vec<Expr> {
        let mut out = vec![];
        if self.size() > 1 {
            let ty = self.ty();
            if ty.width <= 128 {
                out.push(Expr::Lit(Lit::binary(0, ty)));
                out.push(Expr::Lit(Lit::binary(1, ty)));
            }
        }
        out.extend(self.children().into_iter().cloned());
        match self {
            Expr::Concat(p) if p.len() > 1 => {
                out.extend((0..p.len()).map(|i| Expr::Concat(without(p, i))));
            }
            Expr::Repl(n, p) => out.extend((*n > 1).then(|| Expr::Repl(n - 1, p.clone()))),
            Expr::Inside(a, m) if m.len() > 1 => {
                out.extend((0..m.len()).map(|i| Expr::Inside(a.clone(), without(m, i))));
            }
            Expr::Ref(r) if !r.steps.is_empty() => {
                out.extend((0..r.steps.len()).map(|n| Expr::Ref(Ref { steps: r.steps[..n].to_vec(), ..r.clone() })));
            }
            _ => {}
        }
        for (i, child) in self.children().into_iter().enumerate() {
            out.extend(child.smaller().into_iter().map(|c| self.with_child(i, c)));
        }
        out
    }
}

impl Step {
    pub(super) fn operand(&self) -> Option<&Expr> {
        match self {
            Step::Index(e) | Step::Indexed { base: e, .. } => Some(e),
            _ => None,
        }
    }

    fn operand_mut(&mut self) -> Option<&mut Expr> {
        match self {
            Step::Index(e) | Step::Indexed { base: e, .. } => Some(e),
            _ => None,
        }
    }
}

fn without<T: Clone>(list: &[T], i: usize) -> Vec<T> {
    let mut copy = list.to_vec();
    copy.remove(i);
    copy
}
