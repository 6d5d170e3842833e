//! What stands in a line behind its keyword, and the names of bits.

use super::operators::Sort;
use super::parse::{Line, shorten};
use crate::net::Lit;
use num_bigint::BigUint;

/// The words of a line, one by one.
pub(super) struct Words<'t> {
    pub line: &'t Line<'t>,
    list: std::str::SplitAsciiWhitespace<'t>,
}

impl<'t> Words<'t> {
    pub fn of(line: &'t Line<'t>) -> Words<'t> {
        Words { line, list: line.words() }
    }

    /// The next word; `what` says what belongs there.
    pub fn next(&mut self, what: &str) -> Result<&'t str, String> {
        match self.list.next() {
            Some(w) => Ok(w),
            None => self.line.wrong(format_args!("the line ends where {what} belongs")),
        }
    }

    pub fn number(&mut self, what: &str) -> Result<u32, String> {
        let text = self.next(what)?;
        match text.parse() {
            Ok(n) => Ok(n),
            Err(_) => self.line.wrong(format_args!("`{}` where {what} below 2^32 belongs", shorten(text))),
        }
    }

    /// The symbol, if there is one; nothing may follow.
    pub fn symbol(&mut self) -> Result<Option<&'t str>, String> {
        let name = self.list.next();
        match self.list.next() {
            None => Ok(name),
            Some(more) => self.line.wrong(format_args!("`{}` does not belong here", shorten(more))),
        }
    }
}

/// The bits of a constant of so many bits.
pub(super) fn constant(words: &mut Words, width: u32) -> Result<Vec<Lit>, String> {
    let w = width as usize;
    let line = words.line;
    match line.word {
        "zero" => return Ok(vec![Lit::FALSE; w]),
        "ones" => return Ok(vec![Lit::TRUE; w]),
        "one" => {
            let mut bits = vec![Lit::FALSE; w];
            bits[0] = Lit::TRUE;
            return Ok(bits);
        }
        _ => {}
    }
    let text = words.next("a value")?;
    let (radix, name) = match line.word {
        "const" => (2, "binary"),
        "constd" => (10, "decimal"),
        _ => (16, "hexadecimal"),
    };
    let (digits, negative) = match text.strip_prefix('-') {
        Some(d) if radix == 10 => (d, true),
        _ => (text, false),
    };
    if digits.is_empty() || !digits.chars().all(|c| c.is_digit(radix)) {
        return line.wrong(format_args!("`{}` is no {name} number", shorten(text)));
    }
    let too_large = || line.wrong(format_args!("`{}` does not fit in {width} bits", shorten(text)));
    let digits = digits.trim_start_matches('0');
    // Each digit is at least one bit, but for those of the leading one.
    if digits.len() > w + 1 {
        return too_large();
    }
    let value = if digits.is_empty() {
        BigUint::default()
    } else {
        BigUint::parse_bytes(digits.as_bytes(), radix).unwrap_or_default()
    };
    let zero = BigUint::default();
    let fits =
        if negative && value != zero { (&value - 1u32).bits() < width as u64 } else { value.bits() <= width as u64 };
    if !fits {
        return too_large();
    }
    // -x is !(x - 1).
    let (value, flip) = if negative && value != zero { (value - 1u32, true) } else { (value, false) };
    Ok((0..width as u64).map(|i| Lit::FALSE.xor(value.bit(i) != flip)).collect())
}

/// The name of a bit of a value.
pub(super) fn bit_name(name: &str, sort: Sort, i: usize) -> String {
    match sort {
        Sort::Bits(1) => name.to_string(),
        Sort::Bits(_) => format!("{name}[{i}]"),
        Sort::Array(_, 1) => format!("{name}[{i}]"),
        Sort::Array(_, w) => format!("{name}[{}][{}]", i / w as usize, i % w as usize),
    }
}

/// The name of the word that a bit belongs to.
pub(super) fn word_of(bit: &str) -> String {
    bit.strip_suffix(']').and_then(|b| b.rsplit_once('[')).map_or(bit, |b| b.0).to_string()
}
