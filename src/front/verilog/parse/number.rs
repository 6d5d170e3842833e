//! Literals: sized, based, fill, real, time and string.

use super::*;

impl Parser<'_, '_> {
    /// `12`, `8'hff`, `'b01`.
    pub(super) fn number(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let mut size = None;
        if self.tok().kind == Kind::Digits {
            let t = self.bump();
            if self.tok().kind != Kind::Based {
                let bits = decimal(t.text);
                let bits = if bits.width() <= 32 { bits.zext(32) } else { bits };
                return Ok(Expr { kind: ExprKind::Number { bits, signed: true, sized: false }, span: start });
            }
            match t.text.replace('_', "").parse::<u32>() {
                Ok(n) if (1..=1 << 20).contains(&n) => size = Some(n),
                _ => {
                    self.errors.push(
                        Diagnostic::error(codes::E0309, format!("a literal cannot be {} bits wide", t.text))
                            .at(t.span, "size")
                            .help("sizes run from 1 to 1048576"),
                    );
                    return Err(());
                }
            }
        }
        let t = self.bump();
        let body = &t.text[1..];
        let (signed, body) = match body.strip_prefix(['s', 'S']) {
            Some(rest) => (true, rest),
            None => (false, body),
        };
        let (base, digits) = body.split_at(1);
        let digits: String = digits.chars().filter(|c| !c.is_whitespace() && *c != '_').collect();
        let Some(bits) = based(base, &digits) else {
            self.errors.push(
                Diagnostic::error(codes::E0309, format!("`{}` is not a base-{base} number", t.text))
                    .at(t.span, "malformed literal"),
            );
            return Err(());
        };
        // An unsized number takes 32 bits if its value fits, however many digits it is written with.
        // An unknown leading digit extends as itself, others with zero (1800-2017 5.7.1).
        let width = size.unwrap_or(32.max(significant(&bits)));
        let top = bits.width() - 1;
        let bits = if width > bits.width() && bits.is_unknown(top) { bits.sext(width) } else { bits.zext(width) };
        let kind = ExprKind::Number { bits, signed, sized: size.is_some() };
        Ok(Expr { kind, span: self.since(start) })
    }

    pub(super) fn fill(&mut self) -> Expr {
        let t = self.bump();
        let bits = match t.text.as_bytes().get(1) {
            Some(b'0') => Bits::zero(1),
            Some(b'1') => Bits::ones(1),
            Some(b'x' | b'X') => Bits::x(1),
            _ => Bits::z(1),
        };
        Expr { kind: ExprKind::Fill(bits), span: t.span }
    }
}

use crate::word::Bits;

fn decimal(text: &str) -> Bits {
    let mut v = Bits::zero(1);
    for c in text.bytes().filter(u8::is_ascii_digit) {
        // Four more bits always hold ten times the value plus nine.
        let w = v.width() + 4;
        v = v.zext(w).mul(&Bits::from_u64(10, w)).add(&Bits::from_u64((c - b'0') as u64, w));
        v = v.zext(significant(&v));
    }
    v
}

/// How many bits hold the value, one at least.
fn significant(v: &Bits) -> u32 {
    (0..v.width()).rev().find(|i| v.bit(*i) || v.is_unknown(*i)).map_or(1, |i| i + 1)
}

fn based(base: &str, digits: &str) -> Option<Bits> {
    let step = match base {
        "b" | "B" => 1,
        "o" | "O" => 3,
        "h" | "H" => 4,
        _ => {
            return match digits {
                "x" | "X" => Some(Bits::x(1)),
                "z" | "Z" | "?" => Some(Bits::z(1)),
                d if d.bytes().all(|c| c.is_ascii_digit()) => Some(decimal(d)),
                _ => None,
            };
        }
    };
    let mut out = Bits::zero(step * digits.len() as u32);
    for (k, c) in digits.chars().rev().enumerate() {
        let lo = k as u32 * step;
        match c {
            'x' | 'X' => (0..step).for_each(|i| out.set_unknown(lo + i, false)),
            'z' | 'Z' | '?' => (0..step).for_each(|i| out.set_unknown(lo + i, true)),
            _ => {
                let d = c.to_digit(1 << step)?;
                (0..step).for_each(|i| out.set(lo + i, d >> i & 1 == 1));
            }
        }
    }
    Some(out)
}

/// A quoted token's text with its escapes resolved, as bytes in Latin-1.
pub(super) fn unquote(text: &str) -> String {
    let inner = text.strip_prefix('"').unwrap_or(text);
    let inner = inner.strip_suffix('"').unwrap_or(inner);
    let mut out = String::new();
    let mut chars = inner.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('v') => out.push('\x0b'),
            Some('f') => out.push('\x0c'),
            Some('a') => out.push('\x07'),
            Some('\n') | None => {}
            Some('x') => {
                let mut v = 0;
                for _ in 0..2 {
                    if let Some(d) = chars.peek().and_then(|c| c.to_digit(16)) {
                        v = v * 16 + d;
                        chars.next();
                    }
                }
                out.push(char::from(v as u8));
            }
            Some(d @ '0'..='7') => {
                let mut v = d as u32 - '0' as u32;
                for _ in 0..2 {
                    if let Some(d) = chars.peek().and_then(|c| c.to_digit(8)) {
                        v = v * 8 + d;
                        chars.next();
                    }
                }
                out.push(char::from(v as u8));
            }
            Some(other) => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimal_and_based_digits_have_their_value() {
        assert_eq!(decimal("1_000").to_u64(), Some(1000));
        assert_eq!(decimal("18446744073709551616").to_decimal(false), "18446744073709551616");
        assert_eq!(based("h", "1f").and_then(|b| b.to_u64()), Some(31));
        assert_eq!(based("b", "1?x").map(|b| b.to_binary()).as_deref(), Some("1zx"));
        assert_eq!(based("b", "12"), None);
    }
}
