//! The operators of BTOR2 as gates. The arithmetic is that of the netlist ([`crate::net::arith`]).

use crate::net::arith::{Barrel, Shift};
use crate::net::{Builder, Lit};
use std::rc::Rc;

/// The sort of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sort {
    /// A word of so many bits.
    Bits(u32),
    /// Width of the index, width of a word.
    Array(u32, u32),
}

impl Sort {
    /// Bits of a value of this sort.
    pub fn bits(self) -> u64 {
        match self {
            Sort::Bits(w) => w as u64,
            Sort::Array(index, word) => 1u64.checked_shl(index).map_or(u64::MAX, |n| n.saturating_mul(word as u64)),
        }
    }
}

impl std::fmt::Display for Sort {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Sort::Bits(w) => write!(f, "a word of {w} bits"),
            Sort::Array(i, w) => write!(f, "an array of words of {w} bits with an index of {i}"),
        }
    }
}

/// A value: bits from the lowest up, an array word by word.
#[derive(Clone, Debug)]
pub(super) struct Value {
    pub sort: Sort,
    pub bits: Rc<[Lit]>,
}

impl Value {
    pub fn word(bits: Vec<Lit>) -> Value {
        Value { sort: Sort::Bits(bits.len() as u32), bits: bits.into() }
    }

    fn array(sort: Sort, bits: Vec<Lit>) -> Value {
        Value { sort, bits: bits.into() }
    }
}

/// How many operands an operator has, and how many numbers follow them.
pub(super) fn arity(op: &str) -> Option<(usize, usize)> {
    Some(match op {
        "not" | "inc" | "dec" | "neg" | "redand" | "redor" | "redxor" => (1, 0),
        "iff" | "implies" | "eq" | "neq" | "ugt" | "ugte" | "ult" | "ulte" | "sgt" | "sgte" | "slt" | "slte" => (2, 0),
        "and" | "nand" | "nor" | "or" | "xnor" | "xor" | "rol" | "ror" | "sll" | "sra" | "srl" => (2, 0),
        "add" | "mul" | "udiv" | "sdiv" | "urem" | "srem" | "smod" | "sub" => (2, 0),
        "uaddo" | "saddo" | "umulo" | "smulo" | "usubo" | "ssubo" | "sdivo" => (2, 0),
        "concat" | "read" => (2, 0),
        "ite" | "write" => (3, 0),
        "sext" | "uext" => (1, 1),
        "slice" => (1, 2),
        _ => return None,
    })
}

/// The sort of a result, or what is wrong with the operands.
pub(super) fn result(op: &str, sorts: &[Sort], numbers: &[u32]) -> Result<Sort, String> {
    let differ = || Err(format!("`{op}` of {} and {}", sorts[0], sorts[1]));
    let word = |s: Sort| match s {
        Sort::Bits(w) => Ok(w),
        Sort::Array(..) => Err(format!("`{op}` of an array")),
    };
    match op {
        "eq" | "neq" if sorts[0] == sorts[1] => return Ok(Sort::Bits(1)),
        "eq" | "neq" => return differ(),
        "read" | "write" => {
            let Sort::Array(index, element) = sorts[0] else { return Err(format!("`{op}` of {}", sorts[0])) };
            if sorts[1] != Sort::Bits(index) {
                return Err(format!("the index is {}, the array wants {index} bits", sorts[1]));
            }
            return match sorts.get(2) {
                None => Ok(Sort::Bits(element)),
                Some(s) if *s == Sort::Bits(element) => Ok(sorts[0]),
                Some(s) => Err(format!("{s} is written into {}", sorts[0])),
            };
        }
        "ite" if sorts[0] != Sort::Bits(1) => return Err(format!("the condition is {}", sorts[0])),
        "ite" if sorts[1] != sorts[2] => return Err(format!("`ite` of {} and {}", sorts[1], sorts[2])),
        "ite" => return Ok(sorts[1]),
        _ => {}
    }
    let w = word(sorts[0])?;
    let wide = |w: u32, more: u32| w.checked_add(more).map(Sort::Bits).ok_or_else(|| "a word beyond 2^32 bits".into());
    match op {
        "concat" => return wide(w, word(sorts[1])?),
        "sext" | "uext" => return wide(w, numbers[0]),
        "slice" => {
            let (high, low) = (numbers[0], numbers[1]);
            if high >= w || low > high {
                return Err(format!("bits {high} to {low} of {w}"));
            }
            return Ok(Sort::Bits(high - low + 1));
        }
        "redand" | "redor" | "redxor" => return Ok(Sort::Bits(1)),
        _ => {}
    }
    if sorts.get(1).is_some_and(|s| *s != sorts[0]) {
        return differ();
    }
    let single = matches!(op, "ugt" | "ugte" | "ult" | "ulte" | "sgt" | "sgte" | "slt" | "slte")
        || matches!(op, "uaddo" | "saddo" | "umulo" | "smulo" | "usubo" | "ssubo" | "sdivo");
    match op {
        "iff" | "implies" if w != 1 => Err(format!("`{op}` of {}", sorts[0])),
        _ if single => Ok(Sort::Bits(1)),
        _ => Ok(Sort::Bits(w)),
    }
}

/// More gates than this are never made by an operator.
pub(super) fn cost(op: &str, sorts: &[Sort]) -> u64 {
    let n = sorts.iter().map(|s| s.bits()).max().unwrap_or(0);
    let steps = 64 - n.leading_zeros() as u64;
    match op {
        "concat" | "slice" | "sext" | "uext" | "not" => 0,
        "mul" | "umulo" => n.saturating_mul(n).saturating_mul(8),
        "smulo" => n.saturating_mul(n).saturating_mul(16),
        "udiv" | "urem" | "sdiv" | "srem" | "smod" => n.saturating_mul(n.saturating_add(8)).saturating_mul(8),
        "rol" | "ror" if !n.is_power_of_two() => n.saturating_mul(n),
        "rol" | "ror" | "sll" | "srl" | "sra" => n.saturating_mul(steps.saturating_add(2)),
        _ => n.saturating_mul(8).saturating_add(16),
    }
}

/// Builds the result; the operands have the sorts that [`result`] has seen.
pub(super) fn apply(g: &mut Builder, op: &str, args: &[Value], numbers: &[u32]) -> Value {
    let a = &*args[0].bits;
    let b: &[Lit] = args.get(1).map_or(&[], |b| &*b.bits);
    let not = |l: &[Lit]| l.iter().map(|l| !*l).collect::<Vec<Lit>>();
    let zero = || vec![Lit::FALSE; a.len()];
    let bits = match op {
        "not" => not(a),
        "inc" => g.add(a, &zero(), Lit::TRUE),
        "dec" => g.add(a, &vec![Lit::TRUE; a.len()], Lit::FALSE),
        "neg" => g.negate_if(Lit::TRUE, a),
        "redand" => vec![g.all(a)],
        "redor" => vec![g.any(a)],
        "redxor" => vec![g.parity(a)],
        "iff" | "eq" => vec![g.eq(a, b)],
        "neq" => vec![!g.eq(a, b)],
        "implies" => vec![g.or(!a[0], b[0])],
        "ult" => vec![g.ult(a, b)],
        "ulte" => vec![!g.ult(b, a)],
        "ugt" => vec![g.ult(b, a)],
        "ugte" => vec![!g.ult(a, b)],
        "slt" => vec![g.slt(a, b)],
        "slte" => vec![!g.slt(b, a)],
        "sgt" => vec![g.slt(b, a)],
        "sgte" => vec![!g.slt(a, b)],
        "and" => each(g, a, b, Builder::and),
        "nand" => not(&each(g, a, b, Builder::and)),
        "or" => each(g, a, b, Builder::or),
        "nor" => not(&each(g, a, b, Builder::or)),
        "xor" => each(g, a, b, Builder::xor),
        "xnor" => each(g, a, b, Builder::xnor),
        "rol" | "ror" => rotate(g, a, b, op == "rol"),
        "sll" => shift(g, Shift::Left, a, b),
        "srl" => shift(g, Shift::Right, a, b),
        "sra" => shift(g, Shift::RightSigned, a, b),
        "add" => g.add(a, b, Lit::FALSE),
        "sub" => g.add(a, &not(b), Lit::TRUE),
        "mul" => g.mul(a, b),
        "udiv" => g.udivrem(a, b).0,
        "urem" => g.udivrem(a, b).1,
        "sdiv" => g.sdivrem(a, b).0,
        "srem" => g.sdivrem(a, b).1,
        "smod" => modulo(g, a, b),
        "concat" => b.iter().chain(a).copied().collect(),
        "uext" => extend(a, numbers[0], false),
        "sext" => extend(a, numbers[0], true),
        "slice" => a[numbers[1] as usize..=numbers[0] as usize].to_vec(),
        "ite" => {
            let bits = g.mux_all(a[0], b, &args[2].bits);
            return Value::array(args[1].sort, bits);
        }
        "read" => read(g, a, b),
        "write" => {
            let bits = write(g, a, b, &args[2].bits);
            return Value::array(args[0].sort, bits);
        }
        _ => vec![overflow(g, op, a, b)],
    };
    Value::word(bits)
}

fn each(g: &mut Builder, a: &[Lit], b: &[Lit], f: fn(&mut Builder, Lit, Lit) -> Lit) -> Vec<Lit> {
    a.iter().zip(b).map(|(x, y)| f(g, *x, *y)).collect()
}

fn extend(a: &[Lit], more: u32, signed: bool) -> Vec<Lit> {
    let fill = if signed { a[a.len() - 1] } else { Lit::FALSE };
    let mut out = a.to_vec();
    out.resize(a.len() + more as usize, fill);
    out
}

fn shift(g: &mut Builder, kind: Shift, a: &[Lit], amount: &[Lit]) -> Vec<Lit> {
    let mut barrel = Barrel::new(g, kind, a.len() as u32, amount);
    (0..a.len() as u32).map(|i| barrel.bit(g, i, &|k| a[k as usize])).collect()
}

/// Rotation by an amount modulo the width: bit k of the amount rotates by 2^k modulo the width.
fn rotate(g: &mut Builder, a: &[Lit], amount: &[Lit], left: bool) -> Vec<Lit> {
    let w = a.len();
    let mut now = a.to_vec();
    let mut by = 1 % w;
    for &bit in amount {
        if by == 0 {
            // A power of two as width: higher bits turn all the way round.
            break;
        }
        let from = |i: usize| if left { (i + w - by) % w } else { (i + by) % w };
        let turned: Vec<Lit> = (0..w).map(|i| now[from(i)]).collect();
        now = g.mux_all(bit, &turned, &now);
        by = 2 * by % w;
    }
    now
}

/// The remainder with the sign of the divisor.
fn modulo(g: &mut Builder, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
    let (_, rest) = g.sdivrem(a, b);
    let (sa, sb) = (a[a.len() - 1], b[b.len() - 1]);
    let (some, opposite) = (g.any(&rest), g.xor(sa, sb));
    let fix = g.and(some, opposite);
    let add: Vec<Lit> = b.iter().map(|l| g.and(fix, *l)).collect();
    g.add(&rest, &add, Lit::FALSE)
}

fn overflow(g: &mut Builder, op: &str, a: &[Lit], b: &[Lit]) -> Lit {
    let w = a.len();
    let not = |l: &[Lit]| l.iter().map(|l| !*l).collect::<Vec<Lit>>();
    // The exact result needs one bit more, a product twice as many.
    match op {
        "uaddo" => g.add(&extend(a, 1, false), &extend(b, 1, false), Lit::FALSE)[w],
        "usubo" => g.ult(a, b),
        "saddo" | "ssubo" => {
            let (a, b) = (extend(a, 1, true), extend(b, 1, true));
            let sum = if op == "saddo" { g.add(&a, &b, Lit::FALSE) } else { g.add(&a, &not(&b), Lit::TRUE) };
            g.xor(sum[w], sum[w - 1])
        }
        "umulo" => {
            let product = g.mul(&extend(a, w as u32, false), &extend(b, w as u32, false));
            g.any(&product[w..])
        }
        "smulo" => {
            let product = g.mul(&extend(a, w as u32, true), &extend(b, w as u32, true));
            let (ones, some) = (g.all(&product[w - 1..]), g.any(&product[w - 1..]));
            g.and(some, !ones)
        }
        // sdivo: the least number by -1.
        _ => {
            let (minus_one, others) = (g.all(b), g.any(&a[..w - 1]));
            let least = g.and(a[w - 1], !others);
            g.and(least, minus_one)
        }
    }
}

/// The word at an index: halves are left out from the lowest index bit up.
fn read(g: &mut Builder, array: &[Lit], index: &[Lit]) -> Vec<Lit> {
    let width = array.len() >> index.len();
    let mut words = array.to_vec();
    for &bit in index {
        let pairs = words.chunks(2 * width);
        words = pairs.flat_map(|p| g.mux_all(bit, &p[width..], &p[..width])).collect();
    }
    words
}

fn write(g: &mut Builder, array: &[Lit], index: &[Lit], word: &[Lit]) -> Vec<Lit> {
    let size = array.len() / word.len();
    let lines = g.decoder(index, size as u64);
    array.chunks(word.len()).zip(lines).flat_map(|(old, here)| g.mux_all(here, word, old)).collect()
}
