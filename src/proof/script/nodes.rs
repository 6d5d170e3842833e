//! Names of nodes as a specification writes them, into places of the circuit.

use crate::net::Netlist;
use crate::project::yaml::Text;
use crate::source::{Diagnostic, codes};
use crate::ste::terms::Place;
use crate::word::{Design, Shape};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

/// Where a name leads: the places of its bits, the lowest first; with an index that is an expression, one list per
/// value of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// The places, for each value of the index.
    pub choices: Vec<(u64, Vec<Place>)>,
    /// The index, if it is an expression, and its width.
    pub index: Option<(Text, u32)>,
}

impl Found {
    /// Number of bits.
    pub fn width(&self) -> u32 {
        self.choices.first().map_or(0, |c| c.1.len() as u32)
    }
}

/// Most words that one sentence with a symbolic index may speak of.
const MOST_WORDS: u64 = 1 << 14;

/// All names of a design.
pub struct Nodes {
    nets: FxHashMap<SmolStr, Vec<Place>>,
    shapes: FxHashMap<SmolStr, Shape>,
    memories: FxHashMap<SmolStr, (u32, u32, u64)>,
    /// Words of memories that became registers: the array's name, words, width.
    arrays: FxHashMap<SmolStr, (u64, u32)>,
}

enum Access<'t> {
    Field(&'t str),
    Index(&'t str, usize),
}

impl Nodes {
    /// All that names stand for, as stable text.
    pub fn text(&self) -> String {
        fn lines<V: std::fmt::Debug>(map: &FxHashMap<SmolStr, V>) -> String {
            let mut all: Vec<String> = map.iter().map(|(n, v)| format!("{n:?} {v:?}\n")).collect();
            all.sort();
            all.concat()
        }
        [lines(&self.nets), lines(&self.shapes), lines(&self.memories), lines(&self.arrays)].join("--\n")
    }

    /// The names of a netlist; the design knows what their bits mean.
    pub fn new(net: &Netlist, design: &Design) -> Nodes {
        let mut n = Nodes {
            nets: FxHashMap::default(),
            shapes: design.shapes.clone(),
            memories: FxHashMap::default(),
            arrays: FxHashMap::default(),
        };
        for x in net.nets.iter().chain(&net.inputs).chain(&net.outputs) {
            n.nets.entry(x.name.clone()).or_insert_with(|| x.bits.iter().map(|l| Place::of(*l)).collect());
            if x.range.is_some() {
                n.shapes.entry(x.name.clone()).or_insert(Shape::Vector(x.range));
            }
        }
        for (i, m) in net.memories.iter().enumerate() {
            n.memories.insert(m.name.clone(), (i as u32, m.width, m.size));
            n.nets.remove(&m.name);
        }
        for m in &design.memories {
            if n.nets.contains_key(format!("{}[0]", m.name).as_str()) {
                n.arrays.insert(m.name.clone(), (m.size, m.width));
                n.nets.remove(&m.name);
            }
        }
        n
    }

    /// All names, for suggestions and patterns.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.nets.keys().chain(self.memories.keys()).map(SmolStr::as_str)
    }

    /// The nets whose names fit a pattern with `*`.
    pub fn matching(&self, pattern: &str) -> Vec<(&str, &[Place])> {
        let fits = |n: &&SmolStr| crate::cdc::sdc::fits(pattern, n);
        let mut list: Vec<(&str, &[Place])> =
            self.nets.keys().filter(fits).map(|n| (n.as_str(), self.nets[n].as_slice())).collect();
        list.sort_unstable();
        list
    }

    /// Looks a name up.
    pub fn find(&self, t: &Text) -> Result<Found, Diagnostic> {
        let text = t.text.as_str();
        // The longest beginning that is a name; the rest says which part of it.
        let mut ends: Vec<usize> = text.match_indices(['.', '[']).map(|m| m.0).collect();
        ends.push(text.len());
        for end in ends.into_iter().rev() {
            let name = text[..end].trim_end();
            if let Some(bits) = self.nets.get(name) {
                let shape = self.shapes.get(name).cloned().unwrap_or(Shape::Vector(None));
                let start = Found { choices: vec![(0, bits.clone())], index: None };
                return self.access(t, end, start, shape);
            }
            if let Some(&(m, width, size)) = self.memories.get(name) {
                let word = |a: u64| (0..width).map(|b| Place::Word(m, a, b)).collect();
                return self.words(t, end, size, width, &word);
            }
            if let Some(&(size, width)) = self.arrays.get(name) {
                let none = Vec::new();
                let word = |a: u64| self.nets.get(format!("{name}[{a}]").as_str()).unwrap_or(&none).clone();
                return self.words(t, end, size, width, &word);
            }
        }
        let d = Diagnostic::error(codes::E1104, format!("the design has no node `{text}`")).at(t.whole(), "");
        let plain = text.split('[').next().unwrap_or(text);
        Err(match crate::project::yaml::nearest(plain, self.names()) {
            Some(n) => d.help(format!("did you mean `{n}`?")),
            None => d.help("names are hierarchical, with dots, below the top"),
        })
    }

    /// A word of a memory, and perhaps bits of it.
    fn words(
        &self,
        t: &Text,
        at: usize,
        size: u64,
        width: u32,
        word: &dyn Fn(u64) -> Vec<Place>,
    ) -> Result<Found, Diagnostic> {
        let wrong = |what: String| Diagnostic::error(codes::E1104, what).at(t.whole(), "");
        let list = accesses(t, at)?;
        let Some(Access::Index(text, from)) = list.first() else {
            return Err(wrong(format!("this is a memory of {size} words")).help("name a word, as in `mem[3]`"));
        };
        let after = from + text.len() + 1;
        let shape = Shape::Vector(Some((i64::from(width) - 1, 0)));
        let start = match text.trim().parse::<u64>() {
            Ok(a) if a < size => Found { choices: vec![(0, word(a))], index: None },
            Ok(a) => return Err(wrong(format!("word {a} of a memory of {size} words"))),
            Err(_) if size > MOST_WORDS => {
                return Err(wrong(format!("a memory of {size} words is too large for a symbolic index")));
            }
            Err(_) => {
                let bits = 64 - (size - 1).leading_zeros();
                let index = t.part(*from, from + text.len());
                Found { choices: (0..size).map(|a| (a, word(a))).collect(), index: Some((index, bits.max(1))) }
            }
        };
        self.access(t, after, start, shape)
    }

    fn access(&self, t: &Text, at: usize, start: Found, shape: Shape) -> Result<Found, Diagnostic> {
        let (mut found, mut shape) = (start, shape);
        for a in accesses(t, at)? {
            (found, shape) = step(t, found, shape, &a)?;
        }
        Ok(found)
    }
}

/// The parts behind a name: `.field`, `[3]`, `[7:0]`, `[4 +: 2]`.
fn accesses<'t>(t: &'t Text, at: usize) -> Result<Vec<Access<'t>>, Diagnostic> {
    let text = t.text.as_str();
    let mut list = Vec::new();
    let mut i = at;
    while i < text.len() {
        match text.as_bytes()[i] {
            b'.' => {
                let len = text[i + 1..].find(['.', '[']).unwrap_or(text.len() - i - 1);
                list.push(Access::Field(&text[i + 1..i + 1 + len]));
                i += 1 + len;
            }
            b'[' => {
                let mut depth = 0;
                let end = text[i..].char_indices().find(|(_, c)| {
                    depth += i32::from(*c == '[') - i32::from(*c == ']');
                    depth == 0
                });
                let end = end
                    .map(|e| i + e.0)
                    .ok_or_else(|| Diagnostic::error(codes::E1104, "`]` is missing").at(t.span(i, i + 1), ""))?;
                list.push(Access::Index(&text[i + 1..end], i + 1));
                i = end + 1;
            }
            b' ' => i += 1,
            _ => {
                let what = format!("`{}` is no part of a name", &text[i..]);
                return Err(Diagnostic::error(codes::E1104, what).at(t.span(i, text.len()), ""));
            }
        }
    }
    Ok(list)
}

/// One part: which bits it keeps, and what those mean.
fn step(t: &Text, found: Found, shape: Shape, a: &Access) -> Result<(Found, Shape), Diagnostic> {
    let wrong = |what: String| Diagnostic::error(codes::E1104, what).at(t.whole(), "");
    let width = found.width();
    let cut = |found: Found, lo: u32, n: u32| Found {
        choices: found.choices.into_iter().map(|(k, b)| (k, b[lo as usize..(lo + n) as usize].to_vec())).collect(),
        ..found
    };
    match (a, shape) {
        (Access::Field(name), Shape::Record(fields)) => {
            let field = fields.iter().find(|f| f.0 == *name);
            let (_, lo, n, shape) = field.ok_or_else(|| {
                let all: Vec<&str> = fields.iter().map(|f| f.0.as_str()).collect();
                wrong(format!("there is no field `{name}`")).help(format!("the fields are {}", all.join(", ")))
            })?;
            Ok((cut(found, *lo, *n), shape.clone()))
        }
        (Access::Field(name), _) => Err(wrong(format!("`{name}` is a field of something that has none"))),
        (Access::Index(text, from), shape) => {
            let (left, right, each, element) = match &shape {
                Shape::Array { left, right, width, element } => (*left, *right, *width, (**element).clone()),
                Shape::Vector(Some((l, r))) => (*l, *r, 1, Shape::Vector(None)),
                _ => (i64::from(width) - 1, 0, 1, Shape::Vector(None)),
            };
            // How many elements lie to the right.
            let place = |i: i64| -> Result<u32, Diagnostic> {
                let n = if left >= right { i - right } else { right - i };
                let inside = u32::try_from(n).ok().filter(|n| (n + 1).saturating_mul(each) <= width);
                inside.ok_or_else(|| wrong(format!("index {i} is not in {left} to {right}")))
            };
            let number =
                |s: &str| super::sentence::number(&Text::at(s.trim(), t.span(*from, from + text.len())), &|_| None);
            if let Some((base, n)) = outside(text, "+:") {
                let (base, n) = (number(base)?, number(n)?);
                let (a, b) = (place(base)?, place(base + n - 1)?);
                let (lo, count) = (a.min(b), a.abs_diff(b) + 1);
                return Ok((cut(found, lo * each, count * each), Shape::Vector(None)));
            }
            if let Some((l, r)) = outside(text, ":") {
                let (a, b) = (place(number(l)?)?, place(number(r)?)?);
                let (lo, count) = (a.min(b), a.abs_diff(b) + 1);
                return Ok((cut(found, lo * each, count * each), Shape::Vector(None)));
            }
            if let Ok(i) = number(text) {
                return Ok((cut(found, place(i)? * each, each), element));
            }
            // An expression: every element is a choice.
            if found.index.is_some() {
                return Err(wrong("only one index of a node can be an expression".into()));
            }
            let (low, high) = (left.min(right), left.max(right));
            if low < 0 || (high - low) as u64 >= MOST_WORDS {
                return Err(wrong("too many elements for a symbolic index".into()));
            }
            let all = found.choices[0].1.clone();
            let mut choices = Vec::new();
            for i in low..=high {
                let lo = (place(i)? * each) as usize;
                choices.push((i as u64, all[lo..lo + each as usize].to_vec()));
            }
            let bits = (64 - (high as u64).leading_zeros()).max(1);
            let index = t.part(*from, from + text.len());
            Ok((Found { choices, index: Some((index, bits)) }, element))
        }
    }
}

/// The two sides of a mark that stands in no parentheses.
fn outside<'t>(text: &'t str, mark: &str) -> Option<(&'t str, &'t str)> {
    let mut depth = 0;
    for (i, c) in text.char_indices() {
        depth += i32::from(matches!(c, '(' | '[' | '{' | '?')) - i32::from(matches!(c, ')' | ']' | '}'));
        if depth == 0 && text[i..].starts_with(mark) {
            return Some((&text[..i], &text[i + mark.len()..]));
        }
    }
    None
}
