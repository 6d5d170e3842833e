//! Sentences: `NODE is VALUE when GUARD from TIME to TIME`.

use crate::project::yaml::Text;
use crate::source::{Diagnostic, codes};

/// When something is said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum When {
    /// Not said.
    Unsaid,
    /// At one time.
    At(Text),
    /// From a time to a time, both included.
    Range(Text, Text),
    /// At all times.
    Always,
}

/// A sentence in parts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sentence {
    /// The node; `None` if the value must be true by itself.
    pub node: Option<Text>,
    /// Its value.
    pub value: Text,
    /// Where it says something.
    pub guard: Option<Text>,
    /// When.
    pub when: When,
    /// All of it.
    pub whole: Text,
}

/// Takes a sentence apart.
pub fn sentence(text: &Text) -> Result<Sentence, Diagnostic> {
    let words = words(&text.text);
    let wrong = |what: &str| {
        Diagnostic::error(codes::E1103, what.to_string())
            .at(text.whole(), "")
            .help("write NODE is VALUE when GUARD at TIME, or ... from TIME to TIME")
    };
    let len = text.text.len();
    let last = |word: &str, before: usize| words.iter().rev().find(|w| w.1 == word && w.0 < before).map(|w| w.0);
    // From the end: when, then where, then what.
    let (mut end, mut when) = (len, When::Unsaid);
    if let Some((at, _)) = words.last().filter(|w| w.1 == "always") {
        (end, when) = (*at, When::Always);
    } else if let Some(at) = last("at", len) {
        (end, when) = (at, When::At(text.part(at + 2, len)));
    } else if let Some(to) = last("to", len) {
        let from = last("from", to).ok_or_else(|| wrong("`to` without `from`"))?;
        (end, when) = (from, When::Range(text.part(from + 4, to), text.part(to + 2, len)));
    } else if last("from", len).is_some() {
        return Err(wrong("`from` without `to`"));
    }
    let mut guard = None;
    if let Some(at) = last("when", end) {
        guard = Some(text.part(at + 4, end));
        end = at;
    }
    let is = words.iter().find(|w| w.1 == "is" && w.0 < end).map(|w| w.0);
    let (node, value) = match is {
        Some(at) => (Some(text.part(0, at)), text.part(at + 2, end)),
        None => (None, text.part(0, end)),
    };
    let times: Vec<&Text> = match &when {
        When::At(t) => vec![t],
        When::Range(a, b) => vec![a, b],
        _ => Vec::new(),
    };
    if times.iter().any(|t| t.text.is_empty()) {
        return Err(wrong("a time is missing"));
    }
    if value.text.is_empty() || guard.as_ref().is_some_and(|g| g.text.is_empty()) {
        return Err(wrong("a value is missing"));
    }
    if node.as_ref().is_some_and(|n| n.text.is_empty()) {
        return Err(wrong("the node is missing"));
    }
    Ok(Sentence { node, value, guard, when, whole: text.clone() })
}

/// Words outside all parentheses and strings, with their places.
fn words(text: &str) -> Vec<(usize, &str)> {
    let mut list = Vec::new();
    let mut depth = 0i32;
    let mut start = None;
    let mut quoted = false;
    for (i, c) in text.char_indices().chain([(text.len(), ' ')]) {
        let inside = c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.' | '\'');
        if quoted {
            quoted = c != '"';
            continue;
        }
        match (start, inside) {
            (None, true) if depth == 0 => start = Some(i),
            (Some(s), false) => {
                list.push((s, &text[s..i]));
                start = None;
            }
            _ => {}
        }
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            '"' => quoted = true,
            _ => {}
        }
    }
    list
}

/// A whole number computed from others: `2*N + 1`. Names are looked up by `name`.
pub fn number(text: &Text, name: &dyn Fn(&str) -> Option<i64>) -> Result<i64, Diagnostic> {
    let mut p = Numbers { text: &text.text, at: 0, name };
    let wrong = |p: &Numbers, what: String| {
        let at = p.at.min(text.text.len());
        Diagnostic::error(codes::E1103, what).at(text.span(at, (at + 1).min(text.text.len())), "")
    };
    match p.sum() {
        Ok(v) if p.rest().is_empty() => Ok(v),
        Ok(_) => Err(wrong(&p, format!("`{}` is no whole number", text.text))),
        Err(what) => Err(wrong(&p, what)),
    }
}

struct Numbers<'t> {
    text: &'t str,
    at: usize,
    name: &'t dyn Fn(&str) -> Option<i64>,
}

impl<'t> Numbers<'t> {
    fn rest(&mut self) -> &'t str {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        &self.text[self.at..]
    }

    fn eat(&mut self, c: char) -> bool {
        let found = self.rest().starts_with(c);
        self.at += usize::from(found);
        found
    }

    fn sum(&mut self) -> Result<i64, String> {
        let mut v = self.product()?;
        loop {
            let minus = match (self.eat('+'), self.eat('-')) {
                (true, _) => false,
                (_, true) => true,
                _ => return Ok(v),
            };
            let w = self.product()?;
            let sum = if minus { v.checked_sub(w) } else { v.checked_add(w) };
            v = sum.ok_or("the number is too large")?;
        }
    }

    fn product(&mut self) -> Result<i64, String> {
        let mut v = self.single()?;
        loop {
            if self.eat('*') {
                let w = self.single()?;
                v = v.checked_mul(w).ok_or("the number is too large")?;
            } else if self.eat('/') {
                let w = self.single()?;
                v = v.checked_div(w).ok_or("division by zero")?;
            } else {
                return Ok(v);
            }
        }
    }

    fn single(&mut self) -> Result<i64, String> {
        if self.eat('-') {
            return Ok(-self.single()?);
        }
        if self.eat('(') {
            let v = self.sum()?;
            return if self.eat(')') { Ok(v) } else { Err("`)` is missing".into()) };
        }
        let rest = self.rest();
        let len = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        let word = &rest[..len];
        let v = match word.parse::<i64>() {
            Ok(v) => v,
            Err(_) if word.is_empty() => return Err("a number is missing".into()),
            Err(_) => (self.name)(word).ok_or_else(|| format!("`{word}` is no number"))?,
        };
        self.at += len;
        Ok(v)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Span;

    fn parts(s: &str) -> String {
        match sentence(&Text::at(s, Span::NONE)) {
            Err(d) => format!("! {}", d.message),
            Ok(s) => {
                let t = |x: &Text| x.text.clone();
                let when = match &s.when {
                    When::Unsaid => String::new(),
                    When::Always => " always".into(),
                    When::At(x) => format!(" @{}", t(x)),
                    When::Range(a, b) => format!(" @{}..{}", t(a), t(b)),
                };
                let node = s.node.as_ref().map_or("-".into(), t);
                let guard = s.guard.as_ref().map_or(String::new(), |g| format!(" ? {}", t(g)));
                format!("{node} = {}{guard}{when}", t(&s.value))
            }
        }
    }

    #[test]
    fn sentences_come_apart_at_their_words_and_nowhere_else() {
        for (text, want) in [
            ("sum is a + b", "sum = a + b"),
            ("u.acc[7:0] is a + 1 when en from 2 to 4", "u.acc[7:0] = a + 1 ? en @2..4"),
            ("q is (at + from) when (is == to) at 2*N+1", "q = (at + from) ? (is == to) @2*N+1"),
            ("clk is 1 always", "clk = 1 always"),
            ("s + 2*c == a*b", "- = s + 2*c == a*b"),
            ("island is this.is_it at 0", "island = this.is_it @0"),
            ("x is f(\"at 3\") at 1", "x = f(\"at 3\") @1"),
            ("x is 1 from 3", "! `from` without `to`"),
            ("x is 1 to 3", "! `to` without `from`"),
            ("x is at 3", "! a value is missing"),
            ("is 3", "! the node is missing"),
            ("x is 1 at", "! a time is missing"),
        ] {
            assert_eq!(parts(text), want, "{text}");
        }
    }

    #[test]
    fn numbers_are_computed_and_nonsense_is_refused() {
        let name = |n: &str| (n == "N").then_some(5);
        let value = |s: &str| number(&Text::at(s, Span::NONE), &name).map_err(|d| d.message);
        assert_eq!(value("2*N + 1"), Ok(11));
        assert_eq!(value("-(3 - 10)/2"), Ok(3));
        for bad in ["", "2+", "M", "1/0", "3 4", "(1", "9223372036854775807+1"] {
            assert!(value(bad).is_err(), "{bad}");
        }
    }
}
