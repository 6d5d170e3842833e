//! Which expressions are legal and mean the same to all their judges, in spite of the judges' bugs.

use super::{Cast, Dialect, Expr, Kind, Member, Ref, Step, kind};
use crate::support::types::{Type, span};

impl Expr {
    /// Whether the tree is legal SystemVerilog whose value is the same in every simulator of `dialect`.
    /// Each exclusion that is about a simulator's bug says so.
    pub fn valid(&self, dialect: Dialect) -> bool {
        let here = match self {
            // Icarus 11 extends an unsized signed number from its first digit: it takes 'sb1 for -1.
            // And sums of unsized numbers get more than 32 bits there, which IEEE 1800 allows.
            Expr::Lit(l) => {
                let digits = l.ty.signed && l.text.contains('\'') && !l.text.contains("'sd");
                let large = l.bits.is_none_or(|b| b >> 20 != 0);
                (dialect.wild || l.bits.is_some()) && (!dialect.icarus || l.sized || !(digits || large))
            }
            Expr::Binary("/" | "%", _, b) => dialect.wild || b.nonzero(),
            // Verilator 5.006 evaluates the base in its own width instead of the context's.
            Expr::Binary("**", a, b) => {
                matches!(b.unwrapped(), Expr::Lit(l) if l.value().is_some_and(|v| v >= 0))
                    && (!dialect.verilator || a.closed())
            }
            Expr::Binary("==?" | "!=?", a, b) => {
                return matches!(&**b, Expr::Lit(_)) && a.valid(dialect) && !(dialect.wild && dialect.icarus);
            }
            Expr::Binary("===" | "!==", ..) => !dialect.wild,
            // Verilator 5.006 refuses constant shift amounts beyond 32 bits, shifts a 32-bit word by the
            // lowest bits of an amount wider than 64, and folds `a <<< '1 - 1` to something else.
            Expr::Binary("<<" | ">>" | "<<<" | ">>>", _, b) => {
                let mut varies = false;
                b.walk(&mut |e| varies |= matches!(e, Expr::Ref(_)));
                !dialect.verilator || (b.ty().width <= 32 && (varies || matches!(b.unwrapped(), Expr::Lit(_))))
            }
            Expr::Binary("->", a, b) => !dialect.icarus && a.condition(dialect) && b.condition(dialect),
            Expr::Binary("&&" | "||" | "<->", a, b) => a.condition(dialect) && b.condition(dialect),
            Expr::Cond(a, _, _) | Expr::Unary("!", a) => a.condition(dialect),
            Expr::ConcatPart(p, hi, lo) => {
                let total: u32 = p.iter().map(|p| p.ty().width).sum();
                !dialect.icarus && lo <= hi && *hi < total && total > 1 && p.iter().all(Expr::sized)
            }
            Expr::Ref(r) => r.valid(dialect),
            Expr::Concat(p) | Expr::Repl(_, p) => !p.is_empty() && p.iter().all(Expr::sized),
            // Verilator 5.006 shifts a stream that fills its words by one slice too much.
            Expr::Stream(_, _, p) => {
                !dialect.icarus && p.iter().all(Expr::sized) && !self.ty().width.is_multiple_of(32)
            }
            Expr::Sys("$clog2", a) => matches!(&**a, Expr::Lit(l) if l.bits.is_some()),
            // Icarus 11 takes the result for unsigned.
            Expr::Sys("$bits", _) => !dialect.icarus,
            // Icarus 11 miscounts when the operand is an operator: `$countones(a <= 3)` gives 3.
            Expr::Sys(_, a) => !dialect.wild && (!dialect.icarus || matches!(&**a, Expr::Ref(r) if r.steps.is_empty())),
            Expr::Cast(Cast::Signed | Cast::Unsigned, _) => !dialect.icarus,
            // Verilator 5.006 takes 1'('1) for as many ones as fit.
            Expr::Cast(Cast::Size(_), a) => !dialect.verilator || !matches!(a.unwrapped(), Expr::Fill(_)),
            Expr::Cast(Cast::Type(t), a) => {
                // A cast to a two-state type turns x into 0.
                let stream = matches!(a.unwrapped(), Expr::Stream(..));
                (!dialect.wild || !matches!(**t, Type::Atom { .. })) && (!stream || t.width() == a.ty().width)
            }
            Expr::Inside(a, members) => !dialect.icarus && members_comparable(a, members),
            Expr::Call(f, args) => f.args.len() == args.len(),
            _ => true,
        };
        let streams_placed = matches!(self, Expr::Cast(Cast::Type(_), _))
            || self.children().iter().all(|c| !matches!(c.unwrapped(), Expr::Stream(..)));
        let narrow = !dialect.icarus || !self.wide_division();
        here && narrow && streams_placed && self.ty().width <= 160 && self.children_valid(dialect)
    }

    /// Whether a quotient or remainder in it takes the width of the context.
    pub fn divides(&self) -> bool {
        match self {
            Expr::Binary("/" | "%", ..) => true,
            Expr::Unary("+" | "-" | "~", a) | Expr::Paren(a) => a.divides(),
            Expr::Binary(op, a, b) => match kind(op) {
                Kind::Arith => a.divides() || b.divides(),
                Kind::Shift => a.divides(),
                _ => false,
            },
            Expr::Cond(_, a, b) => a.divides() || b.divides(),
            _ => false,
        }
    }

    /// Whether some division happens in more than 64 bits. Icarus 11 gives 0 for a wide number divided
    /// by 1.
    fn wide_division(&self) -> bool {
        let children = self.children();
        let wide = match self {
            Expr::Binary(op, a, b) if kind(op) == Kind::Compare => a.ty().width.max(b.ty().width) > 64,
            Expr::Call(f, _) => f.args.iter().any(|(_, t)| t.width() > 64),
            _ => self.ty().width > 64 || children.iter().any(|c| c.ty().width > 64),
        };
        wide && (self.divides() || children.iter().any(|c| c.divides()))
    }

    /// Whether its truth is judged alike: Verilator 5.006 narrows a condition with an unsized number
    /// to the bits the number needs, so that `0 ^~ a` loses all but one bit.
    pub fn condition(&self, dialect: Dialect) -> bool {
        !dialect.verilator || self.sized() || self.closed()
    }

    fn children_valid(&self, dialect: Dialect) -> bool {
        self.children().iter().all(|c| c.valid(dialect))
    }
}

impl Ref {
    /// Whether every index is inside its range.
    pub fn valid(&self, dialect: Dialect) -> bool {
        let mut t = (*self.ty).clone();
        for (n, step) in self.steps.iter().enumerate() {
            let inside = |e: &Expr, low: i64, high: i64| {
                let (l, h) = e.interval();
                let fits = low as i128 <= l && h <= high as i128;
                if !dialect.wild {
                    return fits;
                }
                // Icarus 11 knows no bounds inside multi-dimensional values nor for constant indices.
                let flat = n == 0 && matches!(t.strip(), Type::Vector { .. } | Type::Atom { .. });
                let mut varies = false;
                e.walk(&mut |e| varies |= matches!(e, Expr::Ref(_)));
                (flat && varies) || (fits && e.valid(Dialect { wild: false, ..dialect }))
            };
            let ok = match (step, t.range()) {
                (Step::Field(i), _) => matches!(t.strip(), Type::Struct { fields, .. } if *i < fields.len()),
                (_, None) => false,
                (Step::Index(e), Some((l, r))) => inside(e, l.min(r), l.max(r)),
                (Step::Part(l, r), Some((dl, dr))) => {
                    let within = |i: i64| i >= dl.min(dr) && i <= dl.max(dr);
                    within(*l) && within(*r) && (l == r || (l > r) == (dl > dr))
                }
                (Step::Indexed { base, width, up }, Some((l, r))) => {
                    let (low, high, w) = (l.min(r), l.max(r), *width as i64 - 1);
                    w < span((l, r)) as i64
                        && if *up { inside(base, low, high - w) } else { inside(base, low + w, high) }
                }
            };
            // Nothing can be selected from a part select in SystemVerilog.
            let last = matches!(step, Step::Part(..) | Step::Indexed { .. });
            // Icarus 11 asks for constants in all indices of packed dimensions but the last, and
            // cannot index into a structure's field or slice the outer dimension with +: and -:.
            let field_before = self.steps[..n].iter().any(|s| matches!(s, Step::Field(_)));
            let icarus_cannot = match step {
                Step::Index(e) => {
                    (n + 1 < self.steps.len() && t.is_packed() && !matches!(**e, Expr::Lit(_)))
                        || (field_before && (!matches!(**e, Expr::Lit(_)) || matches!(t.strip(), Type::Packed { .. })))
                }
                Step::Indexed { .. } => n > 0 || matches!(t.strip(), Type::Packed { .. }),
                // It also takes signed fields for unsigned.
                Step::Field(i) => n > 0 || matches!(t.strip(), Type::Struct { fields, .. } if fields[*i].1.signed()),
                // A slice of the outer dimension comes out with the wrong width.
                Step::Part(..) => matches!(t.strip(), Type::Packed { .. }),
            };
            // It also takes a part select of all bits of a signed vector for signed.
            let count = match step {
                Step::Part(l, r) => span((*l, *r)),
                Step::Indexed { width, .. } => *width,
                _ => 0,
            };
            // And it takes an index for a signed number of 32 bits, but calculates it in more.
            let long = step.operand().is_some_and(|e| {
                let ty = e.ty();
                ty.width > 32 || (ty.width == 32 && !ty.signed) || !e.closed()
            });
            let icarus_cannot = icarus_cannot || long || (t.signed() && count.max(1) == t.width());
            // Verilator 5.006 refuses constant indices of more than 32 bits. It evaluates an index in
            // the width the range needs, and calculates with it where a range is not [n:0].
            let plain = t.range().is_some_and(|(l, r)| l >= r && r == 0);
            let wide = |e: &Expr, least| e.ty().width == 32 || (e.closed() && (plain || e.ty().width >= least));
            let verilator_cannot = match step {
                Step::Index(e) => e.ty().width > 32 || !wide(e, 0),
                Step::Indexed { base, .. } => base.ty().width > 32 || !wide(base, 8),
                _ => false,
            };
            let cannot = (dialect.icarus && icarus_cannot) || (dialect.verilator && verilator_cannot);
            if !ok || (last && n + 1 < self.steps.len()) || cannot {
                return false;
            }
            t = Ref { steps: self.steps[..=n].to_vec(), ..self.clone() }.selected();
        }
        t.is_packed()
    }
}

/// IEEE 1800 11.4.13 does not say in which width and sign a member is compared, so only sets on which
/// every reading agrees are made: operands of one sign, and if signed of one width.
fn members_comparable(a: &Expr, members: &[Member]) -> bool {
    let ty = a.ty();
    // Verilator 5.006 wants constants, because an x in a member is a wildcard.
    let fits =
        |e: &Expr| matches!(e, Expr::Lit(_)) && e.ty().signed == ty.signed && (!ty.signed || e.ty().width == ty.width);
    a.closed()
        && !members.is_empty()
        && members.iter().all(|m| match m {
            Member::One(e) => fits(e),
            // Verilator 5.006 compares signed bounds as unsigned numbers.
            Member::Range(l, h) => fits(l) && fits(h) && !ty.signed,
        })
}
