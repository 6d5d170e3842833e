//! Bounds of an expression's value, as far as they follow from its text.

use super::{Expr, Kind, kind};
use crate::support::types::Ty;

impl Expr {
    /// Whether it cannot be zero in any context.
    pub(super) fn nonzero(&self) -> bool {
        match self {
            Expr::Lit(l) => l.bits.is_some_and(|b| b != 0),
            Expr::Paren(a) => a.nonzero(),
            Expr::Binary("|", a, b) => a.nonzero() || b.nonzero(),
            _ => false,
        }
    }

    /// Bounds of its value when it stands alone.
    pub fn interval(&self) -> (i128, i128) {
        self.interval_in(self.ty())
    }

    /// Bounds of its value when it is evaluated with the context's width and sign.
    fn interval_in(&self, ctx: Ty) -> (i128, i128) {
        let own = self.ty();
        let whole = limits(ctx);
        // What a leaf contributes after extension to the context.
        let leaf = |(lo, hi): (i128, i128)| {
            if lo >= 0 || (ctx.signed && own.signed) { clip((lo, hi), whole) } else { whole }
        };
        match self {
            Expr::Paren(a) => a.interval_in(ctx),
            Expr::Lit(l) => l.value().map_or(whole, |v| leaf((v, v))),
            Expr::Fill(_) => whole,
            Expr::Ref(r) => {
                let known = r.bounds.filter(|_| r.steps.is_empty());
                leaf(known.map_or(limits(own), |(l, h)| (l as i128, h as i128)))
            }
            Expr::Unary("+", a) => a.interval_in(ctx),
            Expr::Unary("-", a) => {
                let (l, h) = a.interval_in(ctx);
                clip((-h, -l), whole)
            }
            Expr::Unary("~", _) => whole,
            Expr::Binary("&", a, b) if !ctx.signed => {
                let (a, b) = (a.interval_in(ctx), b.interval_in(ctx));
                (0, a.1.min(b.1))
            }
            Expr::Binary("%", _, b) if !ctx.signed => match b.interval_in(ctx) {
                (l, h) if l > 0 => (0, h - 1),
                _ => whole,
            },
            Expr::Binary(op @ ("+" | "-" | "*"), a, b) => {
                let (a, b) = (a.interval_in(ctx), b.interval_in(ctx));
                let small = |v: (i128, i128)| v.0.abs() < 1 << 60 && v.1.abs() < 1 << 60;
                if !small(a) || !small(b) {
                    return whole;
                }
                let corners = match *op {
                    "+" => [a.0 + b.0, a.1 + b.1, 0, 0],
                    "-" => [a.0 - b.1, a.1 - b.0, 0, 0],
                    _ => [a.0 * b.0, a.0 * b.1, a.1 * b.0, a.1 * b.1],
                };
                let used = if *op == "*" { &corners[..] } else { &corners[..2] };
                let lo = used.iter().copied().min().unwrap_or(0);
                let hi = used.iter().copied().max().unwrap_or(0);
                clip((lo, hi), whole)
            }
            Expr::Binary(op, ..) if matches!(kind(op), Kind::Arith | Kind::Shift) => whole,
            Expr::Cond(_, a, b) => {
                let (a, b) = (a.interval_in(ctx), b.interval_in(ctx));
                (a.0.min(b.0), a.1.max(b.1))
            }
            Expr::Concat(parts) => {
                let zeros = parts.iter().take_while(|p| p.is_zero()).map(|p| p.ty().width).sum::<u32>();
                leaf(limits(Ty { width: (own.width - zeros).max(1), signed: false }))
            }
            Expr::Cast(_, a) => {
                let (inner, range) = (a.interval(), limits(own));
                leaf(if inner.0 >= range.0 && inner.1 <= range.1 { inner } else { range })
            }
            _ => leaf(limits(own)),
        }
    }

    fn is_zero(&self) -> bool {
        matches!(self.unwrapped(), Expr::Lit(l) if l.bits == Some(0))
    }
}

/// Smallest and largest value of a type, as far as 128 bits can hold them.
fn limits(ty: Ty) -> (i128, i128) {
    let w = ty.width.min(120);
    if ty.signed { (-(1 << (w - 1)), (1 << (w - 1)) - 1) } else { (0, (1 << w) - 1) }
}

/// `v` if it lies inside `whole`; otherwise the value wraps around and may be anything.
fn clip(v: (i128, i128), whole: (i128, i128)) -> (i128, i128) {
    if v.0 >= whole.0 && v.1 <= whole.1 { v } else { whole }
}
