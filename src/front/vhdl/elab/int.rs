//! Integers: each value carries the interval it lies in, so bits grow as needed and no more.

use super::types::{bits_int, int_bits, int_repr};
use super::*;

/// The range of type INTEGER; results beyond it are errors in VHDL.
pub(super) const INT_MIN: i128 = -(1 << 31);
pub(super) const INT_MAX: i128 = (1 << 31) - 1;

impl<'a> Elab<'a> {
    pub(super) fn int_const(&mut self, v: i128) -> Val {
        let ty = Ty::int(v, v);
        let node = self.m.d.constant(int_bits(v, ty.width));
        Val { ty, node }
    }

    /// The constant an integer, enumeration or physical value is.
    pub(super) fn as_int(&self, v: &Val) -> Option<i128> {
        let signed = match v.ty.kind {
            TyKind::Int { lo, .. } => lo < 0,
            TyKind::Physical => true,
            _ => false,
        };
        bits_int(self.m.d.as_const(v.node)?, signed)
    }

    pub(super) fn interval(&self, v: &Val) -> (i128, i128) {
        match self.as_int(v) {
            Some(c) => (c, c),
            None => v.ty.interval().unwrap_or((0, 0)),
        }
    }

    /// The value in two's complement of `width` bits.
    pub(super) fn int_node(&mut self, v: &Val, width: u32) -> NodeId {
        let signed = matches!(v.ty.kind, TyKind::Int { lo, .. } if lo < 0);
        let node = self.m.d.resize(v.node, width, signed);
        if width > v.ty.width {
            self.note_same(node, signed, v);
            if !signed {
                // With a zero above it reads the same either way.
                self.note_same(node, true, v);
            }
        }
        node
    }

    /// A value from two's complement bits that are known to lie in an interval.
    pub(super) fn int_from(&mut self, node: NodeId, lo: i128, hi: i128) -> Val {
        let ty = Ty::int(lo, hi);
        let node = self.m.d.sext(node, ty.width);
        Val { ty, node }
    }

    /// The same value with a narrower interval if the bits allow no more.
    fn checked(&mut self, v: Val, span: Span) -> Res<Val> {
        let (lo, hi) = self.interval(&v);
        if (INT_MIN <= lo && hi <= INT_MAX) || lo == hi {
            return Ok(v);
        }
        self.clamp(v, lo.max(INT_MIN), hi.min(INT_MAX), "the result is not an integer of 32 bits", span)
    }

    /// Obliges a value to lie between bounds and cuts its bits to them.
    pub(super) fn clamp(&mut self, v: Val, lo: i128, hi: i128, what: &str, span: Span) -> Res<Val> {
        let (l, h) = self.interval(&v);
        if lo <= l && h <= hi {
            let ty = Ty::int(l, h);
            let node = self.int_node(&v, ty.width);
            return Ok(Val { ty, node });
        }
        if h < lo || hi < l {
            let value = if l == h { format!("{l}") } else { format!("a value between {l} and {h}") };
            let text = format!("{what}: {value} is not between {lo} and {hi}");
            // A wrong value in code that is never reached is no mistake.
            if self.m.env.path.is_none() {
                return error(codes::E0310, text, span, "out of range");
            }
            let no = self.m.d.bool(false);
            self.oblige(no, &text, span)?;
            return Ok(Val { ty: Ty::int(lo, hi), node: self.m.d.undef(int_repr(lo, hi).0) });
        }
        let w = int_repr(l.min(lo), h.max(hi)).0 + 1;
        let x = self.int_node(&v, w);
        let mut ok = self.m.d.bool(true);
        if l < lo {
            let bound = self.m.d.constant(int_bits(lo, w));
            let below = self.m.d.slt(x, bound);
            let not = self.m.d.not(below);
            ok = self.m.d.and(ok, not);
        }
        if h > hi {
            let bound = self.m.d.constant(int_bits(hi, w));
            let above = self.m.d.slt(bound, x);
            let not = self.m.d.not(above);
            ok = self.m.d.and(ok, not);
        }
        self.oblige(ok, what, span)?;
        let whole = hi >= INT_MAX || lo <= INT_MIN;
        let (lo, hi) = (lo.max(l), hi.min(h));
        let ty = Ty::int(lo, hi);
        let node = self.m.d.slice(x, 0, ty.width.min(w));
        // Cut to a narrow range the bits may be those of another value, too; beyond an integer's
        // range no array has an index.
        if whole {
            self.note_same(node, lo < 0, &v);
        }
        Ok(Val { ty, node })
    }

    pub(super) fn int_binary(&mut self, op: Op, a: &Val, b: &Val, span: Span) -> Res<Val> {
        let ((al, ah), (bl, bh)) = (self.interval(a), self.interval(b));
        let corners = |f: &dyn Fn(i128, i128) -> Option<i128>| -> Option<(i128, i128)> {
            let all = [f(al, bl)?, f(al, bh)?, f(ah, bl)?, f(ah, bh)?];
            Some((*all.iter().min()?, *all.iter().max()?))
        };
        let too_large =
            || Box::new(Diagnostic::error(codes::E0310, "the number is too large").at(span, "beyond 127 bits"));
        if let (Some(x), Some(y)) = (self.as_int(a), self.as_int(b)) {
            let r = match op {
                Op::Plus => x.checked_add(y),
                Op::Minus => x.checked_sub(y),
                Op::Times => x.checked_mul(y),
                Op::Pow => u32::try_from(y).ok().and_then(|y| x.checked_pow(y)),
                _ if y == 0 => return error(codes::E0310, "division by zero", span, "the divisor is 0"),
                Op::Div => x.checked_div(y),
                Op::Rem => x.checked_rem(y),
                _ => x.checked_rem_euclid(y).map(|r| if y < 0 && r != 0 { r + y } else { r }),
            };
            return match r {
                Some(r) => Ok(self.int_const(r)),
                None => Err(too_large()),
            };
        }
        match op {
            Op::Plus | Op::Minus | Op::Times => {
                let (lo, hi) = match op {
                    Op::Plus => corners(&|x, y| x.checked_add(y)),
                    Op::Minus => corners(&|x, y| x.checked_sub(y)),
                    _ => corners(&|x, y| x.checked_mul(y)),
                }
                .ok_or_else(too_large)?;
                let w = int_repr(lo, hi).0 + 1;
                let (x, y) = (self.int_node(a, w), self.int_node(b, w));
                let n = match op {
                    Op::Plus => self.m.d.add(x, y),
                    Op::Minus => self.m.d.sub(x, y),
                    _ => self.m.d.mul(x, y),
                };
                let r = self.int_from(n, lo, hi);
                self.note_sum(op, a, b, &r);
                self.checked(r, span)
            }
            Op::Div | Op::Rem | Op::Mod => {
                if bl <= 0 && 0 <= bh {
                    let zero = self.m.d.uint(0, b.ty.width);
                    let is = self.m.d.eq(b.node, zero);
                    let ok = self.m.d.not(is);
                    self.oblige(ok, "division by zero", span)?;
                }
                let big = [al, ah, bl, bh].iter().map(|v| v.abs()).max().unwrap_or(0);
                let w = int_repr(-big - 1, big + 1).0;
                let (x, y) = (self.int_node(a, w), self.int_node(b, w));
                let n = if al >= 0 && bl >= 0 {
                    if op == Op::Div { self.m.d.udiv(x, y) } else { self.m.d.urem(x, y) }
                } else {
                    match op {
                        Op::Div => self.m.d.sdiv(x, y),
                        Op::Rem => self.m.d.srem(x, y),
                        _ => self.floor_mod(x, y),
                    }
                };
                let top = bl.abs().max(bh.abs());
                let (lo, hi) = match op {
                    Op::Div => {
                        let m = al.abs().max(ah.abs());
                        (if al >= 0 && bl >= 0 { 0 } else { -m }, m)
                    }
                    // The remainder has the sign of the left operand, the modulus that of the right.
                    Op::Rem => {
                        (if al >= 0 { 0 } else { (1 - top).max(al) }, if ah <= 0 { 0 } else { (top - 1).min(ah) })
                    }
                    _ => (if bl >= 0 { 0 } else { 1 - top }, if bh <= 0 { 0 } else { top - 1 }),
                };
                let r = self.int_from(n, lo.min(hi), hi.max(lo));
                self.checked(r, span)
            }
            _ => {
                // A power: of a constant two by shifting, else with a constant exponent.
                if self.as_int(a) == Some(2) && bl >= 0 && bh <= 126 {
                    let w = bh as u32 + 2;
                    let one = self.m.d.uint(1, w);
                    let n = self.m.d.shl(one, b.node);
                    let r = self.int_from(n, 1, 1i128 << bh);
                    return self.checked(r, span);
                }
                let Some(k) = self.as_int(b).and_then(|k| u32::try_from(k).ok()).filter(|k| *k < 64) else {
                    return error(
                        codes::E0301,
                        "a power needs a constant exponent",
                        span,
                        "neither base 2 nor constant",
                    );
                };
                let mut r = self.int_const(1);
                for _ in 0..k {
                    r = self.int_binary(Op::Times, &r, a, span)?;
                }
                Ok(r)
            }
        }
    }

    /// Modulus with the sign of the divisor.
    pub(super) fn floor_mod(&mut self, x: NodeId, y: NodeId) -> NodeId {
        let w = self.m.d.width(x);
        let r = self.m.d.srem(x, y);
        let zero = self.m.d.uint(0, w);
        let is_zero = self.m.d.eq(r, zero);
        let (rs, ys) = (self.m.d.slice(r, w - 1, 1), self.m.d.slice(y, w - 1, 1));
        let differ = self.m.d.xor(rs, ys);
        let nonzero = self.m.d.not(is_zero);
        let fix = self.m.d.and(differ, nonzero);
        let sum = self.m.d.add(r, y);
        self.m.d.mux(fix, sum, r)
    }

    pub(super) fn int_unary(&mut self, op: Op, a: &Val, span: Span) -> Res<Val> {
        let zero = self.int_const(0);
        match op {
            Op::Plus => Ok(a.clone()),
            Op::Minus => self.int_binary(Op::Minus, &zero, a, span),
            _ => {
                let (lo, hi) = self.interval(a);
                if lo >= 0 {
                    return Ok(a.clone());
                }
                let neg = self.int_binary(Op::Minus, &zero, a, span)?;
                if hi <= 0 {
                    return Ok(neg);
                }
                let top = hi.max(-lo);
                let w = int_repr(lo.min(-top), top).0 + 1;
                let (x, y) = (self.int_node(a, w), self.int_node(&neg, w));
                let sign = self.m.d.slice(x, w - 1, 1);
                let n = self.m.d.mux(sign, y, x);
                Ok(self.int_from(n, 0, top))
            }
        }
    }

    pub(super) fn int_compare(&mut self, op: Op, a: &Val, b: &Val) -> NodeId {
        let ((al, ah), (bl, bh)) = (self.interval(a), self.interval(b));
        // Settled by the intervals: keeps loops and generates constant.
        let known = match op {
            Op::Lt if ah < bl => Some(true),
            Op::Lt if al >= bh => Some(false),
            Op::Le if ah <= bl => Some(true),
            Op::Le if al > bh => Some(false),
            Op::Gt if al > bh => Some(true),
            Op::Gt if ah <= bl => Some(false),
            Op::Ge if al >= bh => Some(true),
            Op::Ge if ah < bl => Some(false),
            Op::Eq if ah < bl || al > bh => Some(false),
            Op::Ne if ah < bl || al > bh => Some(true),
            _ => None,
        };
        if let Some(k) = known {
            return self.m.d.bool(k);
        }
        let w = int_repr(al.min(bl), ah.max(bh)).0 + 1;
        let (x, y) = (self.int_node(a, w), self.int_node(b, w));
        self.compare_nodes(op, x, y, true)
    }

    /// A comparison of two nodes of one width.
    pub(super) fn compare_nodes(&mut self, op: Op, x: NodeId, y: NodeId, signed: bool) -> NodeId {
        let less = |e: &mut Self, x, y| if signed { e.m.d.slt(x, y) } else { e.m.d.ult(x, y) };
        match op {
            Op::Eq | Op::MatchEq => self.m.d.eq(x, y),
            Op::Ne | Op::MatchNe => {
                let n = self.m.d.eq(x, y);
                self.m.d.not(n)
            }
            Op::Lt | Op::MatchLt => less(self, x, y),
            Op::Gt | Op::MatchGt => less(self, y, x),
            Op::Le | Op::MatchLe => {
                let n = less(self, y, x);
                self.m.d.not(n)
            }
            _ => {
                let n = less(self, x, y);
                self.m.d.not(n)
            }
        }
    }
}
