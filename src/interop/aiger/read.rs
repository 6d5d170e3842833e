//! Reading AIGER 1.9, ascii and binary, from files of any origin: nothing in them is trusted.
//!
//! A file without bad states and justice sets is of the old format, where each output is a bad state.

use crate::model::{Goal, Origin, Question, Role, Symbol, System};
use crate::net::Lit;

/// In the binary format inputs take no bytes that could be missing. So many may be unused; of those that gates
/// or next values read there are at most as many as the file has bytes.
const UNUSED_INPUTS: usize = 1 << 16;

/// Reads a file. The error says what is wrong and where, and ends the matter.
pub fn read(bytes: &[u8]) -> Result<System, String> {
    Reader { bytes, at: 0, line: 0 }.file()
}

struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
    /// Number of lines read.
    line: usize,
}

/// The counts of the header.
struct Header {
    ascii: bool,
    most: u32,
    inputs: usize,
    latches: usize,
    outputs: usize,
    ands: usize,
    bad: usize,
    constraints: usize,
    justice: usize,
    fairness: usize,
}

/// What defines a variable.
#[derive(Clone, Copy)]
enum Def {
    None,
    Leaf(Lit),
    And(u32, u32),
    /// Being built: seen again, it is a loop.
    Open(u32, u32),
}

impl Reader<'_> {
    fn wrong<T>(&self, what: impl std::fmt::Display) -> Result<T, String> {
        Err(format!("line {}: {what}", self.line.max(1)))
    }

    fn text_line(&mut self) -> Result<&str, String> {
        let rest = &self.bytes[self.at..];
        if rest.is_empty() {
            self.line += 1;
            return self.wrong("the file ends here, but the header promises more");
        }
        let end = rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len());
        self.at += (end + 1).min(rest.len());
        self.line += 1;
        let line = self.line;
        let text = std::str::from_utf8(&rest[..end]).map_err(|_| format!("line {line}: not text"))?;
        Ok(text.trim_end_matches('\r'))
    }

    fn numbers(&mut self, least: usize, most: usize) -> Result<Vec<u32>, String> {
        let text = self.text_line()?.to_string();
        let list: Result<Vec<u32>, _> = text.split(' ').map(str::parse).collect();
        match list {
            Ok(n) if (least..=most).contains(&n.len()) => Ok(n),
            Ok(n) => self.wrong(format_args!("{} numbers where {least} to {most} belong", n.len())),
            Err(_) => self.wrong(format_args!("`{}` is not a list of numbers", shorten(&text))),
        }
    }

    fn header(&mut self) -> Result<Header, String> {
        let text = self.text_line()?.to_string();
        let mut words = text.split(' ');
        let ascii = match words.next() {
            Some("aag") => true,
            Some("aig") => false,
            _ => return self.wrong("an AIGER file begins with `aag` or `aig`"),
        };
        let list: Result<Vec<u32>, _> = words.map(str::parse).collect();
        let n = match list {
            Ok(n) if (5..=9).contains(&n.len()) => n,
            _ => return self.wrong("the header is `aig M I L O A [B [C [J [F]]]]`, with numbers below 2^32"),
        };
        let count = |i: usize| n.get(i).copied().unwrap_or(0) as usize;
        let h = Header {
            ascii,
            most: n[0],
            inputs: count(1),
            latches: count(2),
            outputs: count(3),
            ands: count(4),
            bad: count(5),
            constraints: count(6),
            justice: count(7),
            fairness: count(8),
        };
        let defined = h.inputs + h.latches + h.ands;
        if h.most >= 1 << 31 || defined > h.most as usize || (!ascii && defined != h.most as usize) {
            return self.wrong(format_args!(
                "the largest variable is {}, but {} inputs, {} latches and {} gates are {defined}",
                h.most, h.inputs, h.latches, h.ands
            ));
        }
        // Each of these takes at least two bytes of the file; variables that nothing defines take none.
        let listed = h.latches + h.outputs + h.ands + h.bad + h.constraints + h.justice + h.fairness;
        let listed = if ascii { listed + h.inputs } else { listed };
        if listed > self.bytes.len() / 2 || h.inputs > UNUSED_INPUTS + self.bytes.len() {
            return self.wrong("the header promises more than the file can hold");
        }
        if ascii && h.most as usize > 2 * self.bytes.len() {
            return self.wrong(format_args!("variables up to {} in a file of {} bytes", h.most, self.bytes.len()));
        }
        Ok(h)
    }

    fn check(&self, h: &Header, literal: u32) -> Result<u32, String> {
        if literal >> 1 > h.most {
            return self.wrong(format_args!("literal {literal} is beyond the largest variable, {}", h.most));
        }
        Ok(literal)
    }

    fn literals(&mut self, h: &Header, count: usize) -> Result<Vec<u32>, String> {
        let mut list = Vec::new();
        for _ in 0..count {
            let l = self.numbers(1, 1)?[0];
            list.push(self.check(h, l)?);
        }
        Ok(list)
    }

    fn define(&self, defs: &mut [Def], literal: u32, def: Def) -> Result<(), String> {
        if literal < 2 || literal & 1 == 1 {
            return self.wrong(format_args!("{literal} cannot be defined: it is a constant or complemented"));
        }
        match std::mem::replace(&mut defs[literal as usize / 2], def) {
            Def::None => Ok(()),
            _ => self.wrong(format_args!("variable {} is defined twice", literal / 2)),
        }
    }

    fn file(mut self) -> Result<System, String> {
        let h = self.header()?;
        let mut sys = System { step: "one step of the file".into(), ..System::default() };
        let mut defs = vec![Def::None; h.most as usize + 1];
        defs[0] = Def::Leaf(Lit::FALSE);
        for i in 0..h.inputs {
            let own = if h.ascii { self.literals(&h, 1)?[0] } else { 2 * (i as u32 + 1) };
            let lit = sys.input(Symbol::new(format!("i{i}")), Role::Choice);
            self.define(&mut defs, own, Def::Leaf(lit))?;
        }
        let mut latches = Vec::new();
        for i in 0..h.latches {
            let mut n = self.numbers(1 + h.ascii as usize, 2 + h.ascii as usize)?;
            if !h.ascii {
                n.insert(0, 2 * (h.inputs + i + 1) as u32);
            }
            let own = self.check(&h, n[0])?;
            let init = match n.get(2) {
                None | Some(0) => Some(false),
                Some(1) => Some(true),
                Some(r) if *r == own => None,
                Some(r) => return self.wrong(format_args!("a latch resets to 0, 1 or itself ({own}), not to {r}")),
            };
            let lit = sys.state(Symbol::new(format!("l{i}")), init, Origin::Model);
            self.define(&mut defs, own, Def::Leaf(lit))?;
            latches.push((lit, self.check(&h, n[1])?));
        }
        let outputs = self.literals(&h, h.outputs)?;
        let bad = self.literals(&h, h.bad)?;
        let constraints = self.literals(&h, h.constraints)?;
        let mut sizes = Vec::new();
        for _ in 0..h.justice {
            sizes.push(self.numbers(1, 1)?[0] as usize);
        }
        let mut justice = Vec::new();
        for n in sizes {
            justice.push(self.literals(&h, n)?);
        }
        let fairness = self.literals(&h, h.fairness)?;
        self.gates(&h, &mut defs)?;

        let mut make = |l: u32| build(&mut sys.aig, &mut defs, l);
        let mut lits = |list: &[u32]| list.iter().map(|l| make(*l)).collect::<Result<Vec<Lit>, String>>();
        let next = lits(&latches.iter().map(|l| l.1).collect::<Vec<_>>())?;
        let (outputs, bad) = (lits(&outputs)?, lits(&bad)?);
        let (constraints, fairness) = (lits(&constraints)?, lits(&fairness)?);
        let justice = justice.iter().map(|j| lits(j)).collect::<Result<Vec<_>, _>>()?;
        for ((own, _), next) in latches.iter().zip(next) {
            sys.set_next(*own, next);
        }
        let named = |letter: char, list: Vec<Lit>| {
            list.into_iter().enumerate().map(move |(i, l)| (Symbol::new(format!("{letter}{i}")), l)).collect::<Vec<_>>()
        };
        sys.constraints = named('c', constraints);
        sys.fairness = fairness;
        let old = bad.is_empty() && justice.is_empty();
        let bad = if old { named('o', outputs.clone()) } else { named('b', bad) };
        sys.outputs = named('o', outputs);
        let goal = |symbol, question| Goal { symbol, question, trigger: None };
        sys.goals.extend(bad.into_iter().map(|(s, l)| goal(s, Question::Never(l))));
        let live = justice.into_iter().enumerate();
        sys.goals.extend(live.map(|(i, j)| goal(Symbol::new(format!("j{i}")), Question::NotForever(j))));
        self.symbols(&mut sys, old)?;
        Ok(sys)
    }

    fn gates(&mut self, h: &Header, defs: &mut [Def]) -> Result<(), String> {
        for k in 0..h.ands {
            if h.ascii {
                let n = self.numbers(3, 3)?;
                let own = self.check(h, n[0])?;
                let and = Def::And(self.check(h, n[1])?, self.check(h, n[2])?);
                self.define(defs, own, and)?;
                continue;
            }
            let own = 2 * (h.inputs + h.latches + k + 1) as u32;
            let first = self.delta()?;
            let second = self.delta()?;
            match own.checked_sub(first).and_then(|x| Some((x, x.checked_sub(second)?))) {
                Some((x, y)) if x < own => self.define(defs, own, Def::And(x, y))?,
                _ => return Err(format!("byte {}: gate {} has an operand that is not below it", self.at, own / 2)),
            }
        }
        Ok(())
    }

    fn delta(&mut self) -> Result<u32, String> {
        let mut value = 0u64;
        for shift in (0..35).step_by(7) {
            let Some(byte) = self.bytes.get(self.at) else {
                return Err(format!("byte {}: the file ends in the middle of the gates", self.at));
            };
            self.at += 1;
            value |= ((byte & 0x7f) as u64) << shift;
            if byte & 0x80 == 0 {
                return u32::try_from(value).map_err(|_| format!("byte {}: a number beyond 2^32", self.at));
            }
        }
        Err(format!("byte {}: a number beyond 2^32", self.at))
    }

    /// The symbol table; a comment ends it.
    fn symbols(&mut self, sys: &mut System, old: bool) -> Result<(), String> {
        while self.at < self.bytes.len() {
            let rest = &self.bytes[self.at..];
            let end = rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len());
            self.at += (end + 1).min(rest.len());
            self.line += 1;
            let text = String::from_utf8_lossy(&rest[..end]);
            let text = text.trim_end_matches('\r');
            if text.starts_with('c') && !text.contains(' ') && text.len() == 1 {
                return Ok(());
            }
            let Some((kind, name)) = text.split_once(' ') else {
                return self.wrong(format_args!("`{}` is not a symbol", shorten(text)));
            };
            let (letter, at) = kind.split_at(kind.chars().next().map_or(0, char::len_utf8));
            let Ok(at) = at.parse::<usize>() else {
                return self.wrong(format_args!("`{}` is not a symbol", shorten(text)));
            };
            let live = sys.goals.iter().position(|g| matches!(g.question, Question::NotForever(_)));
            let place = match letter {
                "i" => sys.inputs.get_mut(at).map(|i| &mut i.symbol),
                "l" => sys.states.get_mut(at).map(|s| &mut s.symbol),
                "o" => {
                    if let (true, Some(g)) = (old, sys.goals.get_mut(at)) {
                        g.symbol.name = name.to_string();
                    }
                    sys.outputs.get_mut(at).map(|o| &mut o.0)
                }
                "b" if live.is_none_or(|n| at < n) => sys.goals.get_mut(at).map(|g| &mut g.symbol),
                "c" => sys.constraints.get_mut(at).map(|c| &mut c.0),
                "j" => live.and_then(|n| sys.goals.get_mut(n + at)).map(|g| &mut g.symbol),
                // Fairness has no name here.
                "f" => continue,
                _ => None,
            };
            match place {
                Some(s) => s.name = name.to_string(),
                None => return self.wrong(format_args!("there is no `{}` to name", shorten(kind))),
            }
        }
        Ok(())
    }
}

/// The literal of a variable, with what it is made of; a loop or a variable without definition is an error.
fn build(aig: &mut crate::model::Aig, defs: &mut [Def], root: u32) -> Result<Lit, String> {
    let mut open = vec![root / 2];
    while let Some(&v) = open.last() {
        match defs[v as usize] {
            Def::Leaf(_) => {
                open.pop();
            }
            Def::None => return Err(format!("variable {v} is used but nowhere defined")),
            Def::And(a, b) => {
                defs[v as usize] = Def::Open(a, b);
                for x in [a / 2, b / 2] {
                    match defs[x as usize] {
                        Def::Open(..) => return Err(format!("variable {x} depends on itself through gates alone")),
                        Def::Leaf(_) => {}
                        _ => open.push(x),
                    }
                }
            }
            Def::Open(a, b) => {
                open.pop();
                let at = |x: u32| match defs[x as usize / 2] {
                    Def::Leaf(l) => Some(l.xor(x & 1 == 1)),
                    _ => None,
                };
                // An operand can only be missing here if it waits for this very gate.
                let (Some(a), Some(b)) = (at(a), at(b)) else {
                    return Err(format!("variable {v} depends on itself through gates alone"));
                };
                defs[v as usize] = Def::Leaf(aig.and(a, b));
            }
        }
    }
    match defs[root as usize / 2] {
        Def::Leaf(l) => Ok(l.xor(root & 1 == 1)),
        _ => Err(format!("variable {} is used but nowhere defined", root / 2)),
    }
}

/// The beginning of a text that may be long or damaged.
fn shorten(text: &str) -> String {
    text.chars().take(40).map(|c| if c.is_control() { '?' } else { c }).collect()
}
