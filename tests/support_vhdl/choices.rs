//! Choices of case statements and selected assignments: they never overlap.

use super::expr::Expr;
use super::make::Gen;
use super::types::{Kind, Type};

/// A type to select by; only bits can be selected by patterns.
pub fn selector(g: &mut Gen, matching: bool) -> Type {
    let kind = g.pick(&[Kind::Slv, Kind::Unsigned, Kind::Signed]);
    let w = g.rng.u32(1..=5);
    if matching {
        return if g.one_in(6) { Type::Logic } else { Type::vector(kind, w) };
    }
    let enums = g.scope.enums();
    match g.rng.u32(0..8) {
        0 | 1 if !enums.is_empty() => g.pick(&enums),
        2 | 3 => Type::int(-g.rng.i64(0..=6), g.rng.i64(1..=12)),
        4 => g.pick(&[Type::Logic, Type::Bit, Type::Boolean]),
        5 => Type::vector(Kind::Bits, w),
        _ => Type::vector(kind, w),
    }
}

/// Something of the type to select by, or a bit if there is nothing. GHDL 2.0 fails on several things
/// whose value it knows.
pub fn value(g: &mut Gen, ty: &Type, depth: u32) -> Expr {
    for _ in 0..4 {
        let e = g.expr(ty, depth);
        if e.varies() {
            return e;
        }
    }
    let named = g.name(ty).filter(Expr::varies).or_else(|| g.name(&Type::Logic));
    named.unwrap_or_else(|| g.literal(&Type::Logic))
}

/// Choices for up to four arms, and whether they cover all values without `others`.
pub fn choices(g: &mut Gen, ty: &Type, matching: bool) -> (Vec<String>, bool) {
    let arms = g.rng.usize(1..=4);
    match ty {
        Type::Vector(k, r) => {
            let w = r.len();
            let mut values: Vec<u64> = (0..1 << w).collect();
            g.rng.shuffle(&mut values);
            if matching {
                return (patterns(g, w, arms), false);
            }
            let mut out = vec![];
            for _ in 0..arms {
                let n = g.rng.usize(1..=2).min(values.len());
                let group: Vec<String> = values
                    .drain(..n)
                    .map(|v| {
                        let bits = format!("{v:0w$b}", w = w as usize);
                        g.vector_constant(*k, &bits).text()
                    })
                    .collect();
                if !group.is_empty() {
                    out.push(group.join(" | "));
                }
            }
            (out, false)
        }
        Type::Logic => (vec![(if g.rng.bool() { "'0'" } else { "'1'" }).into()], false),
        Type::Bit => (vec!["'0'".into(), "'1'".into()], true),
        Type::Boolean => (vec!["true".into(), "false".into()], true),
        Type::Enum(e) => {
            let n = e.literals.len();
            let mut start = 0;
            let mut out: Vec<String> = vec![];
            while start < n && out.len() < arms {
                let end = g.rng.usize(start..n.min(start + 3));
                let (first, last) = (&e.literals[start], &e.literals[end]);
                out.push(match g.rng.u32(0..3) {
                    _ if start == end => first.to_string(),
                    0 => format!("{first} to {last}"),
                    1 => format!("{last} downto {first}"),
                    _ => e.literals[start..=end].join(" | "),
                });
                start = end + 1;
            }
            g.rng.shuffle(&mut out);
            (out, start == n)
        }
        Type::Integer(_, low, high) => {
            let mut at = *low;
            let mut out: Vec<String> = vec![];
            while at <= *high && out.len() < arms {
                let end = g.rng.i64(at..=(at + 3).min(*high));
                let one = if at == end { at.to_string() } else { format!("{at} to {end}") };
                match out.last_mut() {
                    Some(last) if g.one_in(3) => *last += &format!(" | {one}"),
                    _ => out.push(one),
                }
                at = end + g.rng.i64(1..=3);
            }
            g.rng.shuffle(&mut out);
            (out, false)
        }
        Type::Record(_) | Type::Array(_) => unreachable!("nobody selects by a composite"),
    }
}

/// Patterns that differ in the positions they care about. GHDL 2.0 simulates `case?` as `case`, so there
/// is no `-` in them; `tests/vhdl.rs` has those.
fn patterns(g: &mut Gen, width: u32, arms: usize) -> Vec<String> {
    let care = g.rng.u32(1..=width.min(2));
    let mut positions: Vec<usize> = (0..width as usize).collect();
    g.rng.shuffle(&mut positions);
    let positions = &positions[..care as usize];
    let mut values: Vec<u32> = (0..1 << care).collect();
    g.rng.shuffle(&mut values);
    let one = |g: &mut Gen, v: u32| {
        let mut text = vec!['0'; width as usize];
        for (i, p) in positions.iter().enumerate() {
            text[*p] = if v >> i & 1 == 1 { '1' } else { '0' };
        }
        for (p, c) in text.iter_mut().enumerate() {
            if !positions.contains(&p) && g.one_in(3) {
                *c = if g.rng.bool() { '1' } else { '0' };
            }
        }
        format!("\"{}\"", text.into_iter().collect::<String>())
    };
    values.into_iter().take(arms).map(|v| one(g, v)).collect()
}
