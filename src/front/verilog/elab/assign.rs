//! Assignments: operators, parts taken together, streams unpacked, concatenations on the left.

use super::super::ast;
use super::place::Place;
use super::*;

impl<'a> Elab<'a> {
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
                    let a = self.m.d.resize(old, w, signed);
                    let b = self.eval(rhs, w, signed)?;
                    self.arith(op, a, b, signed)
                };
                self.m.d.zext(v, p.ty.width)
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
                self.m.d.concat(&parts)
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
                self.m.d.slice(v, t.width - total, total)
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
            let part = self.m.d.slice(v, top - w, w);
            top -= w;
            self.write(&p, part, nonblocking, span)?;
        }
        Ok(())
    }

    /// The inverse of streaming to the left: blocks of `n` from the right end become blocks from the left.
    fn unstream(&mut self, v: NodeId, n: u32) -> NodeId {
        let w = self.m.d.width(v);
        let mut blocks = Vec::new();
        let mut hi = w;
        while hi > 0 {
            let len = n.min(hi);
            blocks.push(self.m.d.slice(v, hi - len, len));
            hi -= len;
        }
        blocks.reverse();
        self.m.d.concat(&blocks)
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
}
