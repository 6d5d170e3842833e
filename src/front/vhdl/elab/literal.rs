//! Literals: their bits depend on the type they are wanted as.

use super::types::{Dim, Logic};
use super::*;

impl<'a> Elab<'a> {
    /// A string or bit string as an array of the wanted type.
    pub(super) fn string(&mut self, text: &[u8], want: Option<&Rc<Ty>>, span: Span) -> Res<Val> {
        let want = match want {
            Some(t) if matches!(t.kind, TyKind::Array { .. }) => t.clone(),
            _ => self.std.string.clone().expect("set before anything else"),
        };
        let TyKind::Array { def, dims, elem } = &want.kind else { unreachable!("an array by the match above") };
        let TyKind::Enum { def: letters, .. } = &elem.kind else {
            return error(codes::E0310, "a string literal for elements that are not characters", span, "not a string");
        };
        let mut all = Vec::with_capacity(text.len());
        for c in text {
            all.push(self.character(*c, letters, elem.width, span)?);
        }
        let bits = Bits::join(all.iter().collect());
        let n = text.len() as i128;
        let dims = match dims.as_deref() {
            Some([d]) if d.len() as i128 == n => vec![*d],
            Some(_) | None => {
                let left = def.indices.first().and_then(|t| t.interval()).map_or(0, |i| i.0);
                vec![Dim::new(left, left + n - 1, false)]
            }
        };
        let ty = Ty::array(def.clone(), Some(dims), elem.clone());
        Ok(Val { node: self.m.literal(&bits), ty })
    }

    /// One character of an enumeration, as bits.
    pub(super) fn character(&self, c: u8, def: &types::EnumDef, width: u32, span: Span) -> Res<Bits> {
        if def.logic == Logic::Std {
            return Ok(match c.to_ascii_uppercase() {
                b'0' | b'L' => Bits::zero(1),
                b'1' | b'H' => Bits::ones(1),
                // In a pattern `-` is the wildcard, and all else matches nothing.
                b'-' => Bits::x(1),
                b'Z' => Bits::z(1),
                b'U' | b'X' | b'W' => {
                    if self.wild {
                        Bits::z(1)
                    } else {
                        Bits::x(1)
                    }
                }
                _ => return self.bad_character(c, span),
            });
        }
        let name = format!("'{}'", char::from(c));
        match def.literals.iter().position(|l| *l == name) {
            Some(p) => Ok(Bits::from_u64(p as u64, width)),
            None => self.bad_character(c, span),
        }
    }

    fn bad_character<T>(&self, c: u8, span: Span) -> Res<T> {
        error(codes::E0309, format!("`{}` is not a value of the element type", char::from(c)), span, "in this literal")
    }

    /// The characters a bit string stands for.
    pub(super) fn bit_string(
        &self,
        length: Option<u32>,
        base: u8,
        signed: bool,
        digits: &[u8],
        span: Span,
    ) -> Res<Vec<u8>> {
        if length.is_some_and(|n| n > MAX_WIDTH) || digits.len() as u64 > MAX_WIDTH as u64 {
            return error(codes::E0311, "the literal has more bits than this tool takes", span, "too large");
        }
        let bad =
            |c: u8| error(codes::E0309, format!("`{}` is not a digit here", char::from(c)), span, "in this literal");
        let mut out = Vec::new();
        let digits = digits.iter().copied().filter(|c| *c != b'_');
        match base {
            b'd' => {
                let mut v: u128 = 0;
                for c in digits {
                    let Some(d) = char::from(c).to_digit(10) else { return bad(c) };
                    v = match v.checked_mul(10).and_then(|v| v.checked_add(d as u128)) {
                        Some(v) => v,
                        None => return error(codes::E0309, "the literal is too large", span, "more than 128 bits"),
                    };
                }
                let n = (128 - v.leading_zeros()).max(1);
                out.extend((0..n).rev().map(|i| if v >> i & 1 == 1 { b'1' } else { b'0' }));
            }
            _ => {
                let step = match base {
                    b'b' => 1,
                    b'o' => 3,
                    _ => 4,
                };
                for c in digits {
                    match char::from(c).to_digit(1 << step) {
                        Some(d) => out.extend((0..step).rev().map(|i| if d >> i & 1 == 1 { b'1' } else { b'0' })),
                        // Any other character stands for as many of itself.
                        None => out.extend(std::iter::repeat_n(c, step)),
                    }
                }
            }
        }
        if let Some(n) = length {
            let n = n as usize;
            if out.len() > n {
                // Only bits that say nothing may go.
                let (cut, keep) = out.split_at(out.len() - n);
                let fill = if signed { keep.first().copied().unwrap_or(b'0') } else { b'0' };
                if cut.iter().any(|c| *c != fill) {
                    return error(
                        codes::E0309,
                        format!("the literal does not fit in {n} bits"),
                        span,
                        "bits would be lost",
                    );
                }
                out = keep.to_vec();
            } else {
                let fill = if signed { out.first().copied().unwrap_or(b'0') } else { b'0' };
                let mut all = vec![fill; n - out.len()];
                all.extend(out);
                out = all;
            }
        }
        Ok(out)
    }
}
