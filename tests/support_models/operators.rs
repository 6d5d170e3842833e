//! The operators of BTOR2 by machine arithmetic.

/// Operators of two words of one width whose result is one too.
pub const WORDS: [&str; 19] = [
    "and", "nand", "nor", "or", "xnor", "xor", "rol", "ror", "sll", "sra", "srl", "add", "mul", "udiv", "sdiv", "urem",
    "srem", "smod", "sub",
];
/// Operators of two words that give a bit.
pub const BITS: [&str; 17] = [
    "eq", "neq", "ugt", "ugte", "ult", "ulte", "sgt", "sgte", "slt", "slte", "uaddo", "saddo", "umulo", "smulo",
    "usubo", "ssubo", "sdivo",
];
/// Operators of one word.
pub const UNARY: [&str; 4] = ["not", "inc", "dec", "neg"];
/// Operators of one word that give a bit.
pub const REDUCED: [&str; 3] = ["redand", "redor", "redxor"];

/// Values that matter, of so many bits.
pub fn edges(w: u32) -> Vec<u128> {
    let ones = !0u128 >> (128 - w);
    let mut list = vec![0, 1 & ones, ones, ones >> 1, (ones >> 1) + 1, ones - 1, 2 & ones, w as u128 & ones];
    list.sort_unstable();
    list.dedup();
    list
}

/// The result, of at most 64 bits.
pub fn expect(op: &str, a: u128, b: u128, w: u32) -> u128 {
    let ones = !0u128 >> (128 - w);
    let signed = |v: u128| ((v << (128 - w)) as i128) >> (128 - w);
    let (x, y) = (signed(a), signed(b));
    let fits = |v: i128| v == signed(v as u128 & ones);
    let turn = (b % w as u128) as u32;
    let rotated = |by: u32| if by == 0 { a } else { a << by | a >> (w - by) };
    let far = b >= w as u128;
    let bit = |v: bool| v as u128;
    let r = match op {
        "not" => !a,
        "inc" => a + 1,
        "dec" => a.wrapping_sub(1),
        "neg" => a.wrapping_neg(),
        "redand" => bit(a == ones),
        "redor" => bit(a != 0),
        "redxor" => a.count_ones() as u128 & 1,
        "and" => a & b,
        "nand" => !(a & b),
        "nor" => !(a | b),
        "or" => a | b,
        "xnor" => !(a ^ b),
        "xor" => a ^ b,
        "rol" => rotated(turn),
        "ror" => rotated((w - turn) % w),
        "sll" => {
            if far {
                0
            } else {
                a << b
            }
        }
        "srl" => {
            if far {
                0
            } else {
                a >> b
            }
        }
        "sra" => {
            if far {
                (x >> 127) as u128
            } else {
                (x >> b) as u128
            }
        }
        "add" => a + b,
        "sub" => a.wrapping_sub(b),
        "mul" => a * b,
        "udiv" => a.checked_div(b).unwrap_or(ones),
        "urem" => a.checked_rem(b).unwrap_or(a),
        "sdiv" => match y {
            0 if x < 0 => 1,
            0 => ones,
            _ => (x / y) as u128,
        },
        "srem" => x.checked_rem(y).unwrap_or(x) as u128,
        "smod" => match y {
            0 => a,
            _ if x % y != 0 && (x < 0) != (y < 0) => (x % y + y) as u128,
            _ => (x % y) as u128,
        },
        "eq" => bit(a == b),
        "neq" => bit(a != b),
        "ugt" => bit(a > b),
        "ugte" => bit(a >= b),
        "ult" => bit(a < b),
        "ulte" => bit(a <= b),
        "sgt" => bit(x > y),
        "sgte" => bit(x >= y),
        "slt" => bit(x < y),
        "slte" => bit(x <= y),
        "uaddo" => bit(a + b > ones),
        "saddo" => bit(!fits(x + y)),
        "umulo" => bit(a * b > ones),
        "smulo" => bit(!fits(x * y)),
        "usubo" => bit(a < b),
        "ssubo" => bit(!fits(x - y)),
        "sdivo" => bit(y != 0 && !fits(x / y)),
        other => panic!("{other}"),
    };
    r & ones
}
