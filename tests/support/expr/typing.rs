//! Widths and signs of expressions by the rules of IEEE 1800 clause 11.

use super::{Cast, Expr, Kind, Ref, Step, kind};
use crate::support::types::{Ty, Type, span};

impl Expr {
    /// The self-determined type.
    pub fn ty(&self) -> Ty {
        let bit = Ty { width: 1, signed: false };
        let max = |a: Ty, b: Ty| Ty { width: a.width.max(b.width), signed: a.signed && b.signed };
        let sum = |parts: &[Expr]| Ty { width: parts.iter().map(|p| p.ty().width).sum(), signed: false };
        match self {
            Expr::Lit(l) => l.ty,
            Expr::Fill(_) | Expr::Inside(..) => bit,
            Expr::Ref(r) => r.selected().ty(),
            Expr::Unary("+" | "-" | "~", a) | Expr::Paren(a) => a.ty(),
            Expr::Unary(..) => bit,
            Expr::Binary(op, a, b) => match kind(op) {
                Kind::Arith => max(a.ty(), b.ty()),
                Kind::Shift => a.ty(),
                _ => bit,
            },
            Expr::Cond(_, a, b) => max(a.ty(), b.ty()),
            Expr::Concat(parts) | Expr::Stream(_, _, parts) => sum(parts),
            Expr::Repl(n, parts) => Ty { width: n * sum(parts).width, signed: false },
            Expr::ConcatPart(_, hi, lo) => Ty { width: hi - lo + 1, signed: false },
            Expr::Cast(cast, a) => match cast {
                Cast::Size(w) => Ty { width: *w, signed: a.ty().signed },
                Cast::Type(t) => t.ty(),
                Cast::Signed | Cast::SystemSigned => Ty { signed: true, ..a.ty() },
                Cast::Unsigned | Cast::SystemUnsigned => Ty { signed: false, ..a.ty() },
            },
            Expr::Sys("$onehot" | "$onehot0", _) => bit,
            Expr::Sys(..) => Ty { width: 32, signed: true },
            Expr::Call(f, _) => f.ret.ty(),
        }
    }

    /// Whether every number that decides the width says its width.
    pub fn sized(&self) -> bool {
        match self {
            Expr::Lit(l) => l.sized,
            Expr::Fill(_) => false,
            Expr::Unary("+" | "-" | "~", a) | Expr::Paren(a) => a.sized(),
            Expr::Binary(op, a, b) => match kind(op) {
                Kind::Arith => a.sized() && b.sized(),
                Kind::Shift => a.sized(),
                _ => true,
            },
            Expr::Cond(_, a, b) => a.sized() && b.sized(),
            Expr::Cast(Cast::Size(_) | Cast::Type(_), _) => true,
            Expr::Cast(_, a) => a.sized(),
            // The simulators differ on whether the `int` of a system function has a written width.
            Expr::Sys("$onehot" | "$onehot0", _) => true,
            Expr::Sys(..) => false,
            _ => true,
        }
    }

    /// Whether its value does not depend on the width it is evaluated in, up to extension.
    pub fn closed(&self) -> bool {
        match self {
            Expr::Paren(a) => a.closed(),
            Expr::Fill(_) | Expr::Unary("+" | "-" | "~", _) | Expr::Cond(..) | Expr::Stream(..) => false,
            Expr::Binary(op, ..) => matches!(kind(op), Kind::Compare | Kind::Logical),
            _ => true,
        }
    }
}

impl Ref {
    /// The type of the selected part.
    pub fn selected(&self) -> Type {
        self.steps.iter().fold((*self.ty).clone(), |t, step| match step {
            Step::Index(_) => t.element(),
            Step::Part(l, r) => t.slice(span((*l, *r))),
            Step::Indexed { width, .. } => t.slice(*width),
            Step::Field(i) => match t.strip() {
                Type::Struct { fields, .. } => fields[*i].1.clone(),
                _ => panic!("a field of something that has none"),
            },
        })
    }
}
