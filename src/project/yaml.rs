//! YAML with places: text into a tree in which every node knows where it stands.
//!
//! Serde forgets where a value came from; whoever must point into a value, say at a wrong name inside an expression,
//! reads this tree. Keys that stand twice, aliases and several documents are errors.

use crate::source::{Diagnostic, FileId, SourceMap, Span, codes};
use saphyr_parser::{Event, Parser, ScalarStyle};

/// A text whose every byte knows its place in the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Text {
    /// The value.
    pub text: String,
    /// The place of each byte, and of the end.
    places: Vec<u32>,
    file: FileId,
}

impl Text {
    /// A text that stands at one place.
    pub fn at(text: impl Into<String>, span: Span) -> Text {
        let text = text.into();
        Text { places: vec![span.lo; text.len() + 1], text, file: span.file }
    }

    /// The place of a part of it.
    pub fn span(&self, lo: usize, hi: usize) -> Span {
        let at = |i: usize| self.places.get(i).or(self.places.last()).copied().unwrap_or(0);
        let (a, b) = (at(lo), at(hi));
        // The end of the last byte, so that blanks behind it do not count.
        let b = if hi > lo { at(hi - 1).max(a) + 1 } else { b.max(a) };
        Span::new(self.file, a, b.max(a))
    }

    /// The place of all of it.
    pub fn whole(&self) -> Span {
        self.span(0, self.text.len())
    }

    /// A part without blanks around it.
    pub fn part(&self, lo: usize, hi: usize) -> Text {
        let inner = &self.text[lo..hi];
        let lo = lo + (inner.len() - inner.trim_start().len());
        let hi = lo + inner.trim().len();
        Text { text: self.text[lo..hi].to_string(), places: self.places[lo..=hi].to_vec(), file: self.file }
    }

    /// The text with some parts replaced; what is new stands where the old part stood.
    pub fn replaced(&self, parts: &[(usize, usize, String)]) -> Text {
        let mut out = Text { text: String::new(), places: Vec::new(), file: self.file };
        let mut at = 0;
        for (lo, hi, new) in parts {
            out.text.push_str(&self.text[at..*lo]);
            out.places.extend(&self.places[at..*lo]);
            out.text.push_str(new);
            out.places.extend(std::iter::repeat_n(self.places[*lo], new.len()));
            at = *hi;
        }
        out.text.push_str(&self.text[at..]);
        out.places.extend(&self.places[at..]);
        out
    }
}

/// A value with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Yaml {
    /// What it is.
    pub kind: Kind,
    /// Where it stands.
    pub span: Span,
}

/// What a value is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A scalar, as text.
    Scalar(Text),
    /// A list.
    List(Vec<Yaml>),
    /// A map in the order of the file.
    Map(Vec<(Text, Yaml)>),
    /// Nothing.
    Null,
}

impl Yaml {
    /// A word for what it is.
    pub fn what(&self) -> &'static str {
        match self.kind {
            Kind::Scalar(_) => "a text",
            Kind::List(_) => "a list",
            Kind::Map(_) => "a map",
            Kind::Null => "nothing",
        }
    }
}

/// The name nearest to a mistyped one.
pub fn nearest<'n>(name: &str, all: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let distance = |a: &str, b: &str| {
        let b: Vec<char> = b.chars().collect();
        let mut row: Vec<usize> = (0..=b.len()).collect();
        for (i, x) in a.chars().enumerate() {
            let mut before = row[0];
            row[0] = i + 1;
            for (j, y) in b.iter().enumerate() {
                let new = (before + usize::from(x != *y)).min(row[j] + 1).min(row[j + 1] + 1);
                before = std::mem::replace(&mut row[j + 1], new);
            }
        }
        row[b.len()]
    };
    all.map(|n| (distance(name, n), n)).filter(|(d, _)| *d <= 2.max(name.len() / 3)).min().map(|x| x.1)
}

fn wrong(span: Span, what: impl Into<String>) -> Diagnostic {
    Diagnostic::error(codes::E1101, what).at(span, "")
}

/// Reads a file that is in the map.
pub fn read(map: &SourceMap, file: FileId) -> Result<Yaml, Diagnostic> {
    let text = &map.file(file).text;
    // The parser counts characters.
    let mut bytes: Vec<u32> = text.char_indices().map(|(i, _)| i as u32).collect();
    bytes.push(text.len() as u32);
    let mut r = Reader { parser: Parser::new_from_str(text), text, bytes, file, depth: 0 };
    r.document()
}

struct Reader<'t> {
    parser: Parser<'t, saphyr_parser::StrInput<'t>>,
    text: &'t str,
    bytes: Vec<u32>,
    file: FileId,
    depth: u32,
}

/// Deeper than any file that a person writes.
const DEEPEST: u32 = 64;

impl<'t> Reader<'t> {
    fn offset(&self, index: usize) -> u32 {
        self.bytes.get(index).or(self.bytes.last()).copied().unwrap_or(0)
    }

    fn next(&mut self) -> Result<(Event<'t>, Span), Diagnostic> {
        match self.parser.next_event() {
            Some(Ok((e, s))) => {
                let (lo, hi) = (self.offset(s.start.index()), self.offset(s.end.index()));
                Ok((e, Span::new(self.file, lo, hi.max(lo))))
            }
            Some(Err(e)) => {
                let at = self.offset(e.marker().index());
                let d = wrong(Span::new(self.file, at, at + 1), format!("this is no YAML: {}", e.info()));
                Err(d.help(match e.info().contains("tab") {
                    true => "indent with blanks",
                    // What is not closed is only noticed further down.
                    false => "look at the indentation here, and for brackets and quotes that are open in lines above",
                }))
            }
            None => Ok((Event::StreamEnd, Span::new(self.file, self.text.len() as u32, self.text.len() as u32))),
        }
    }

    fn document(&mut self) -> Result<Yaml, Diagnostic> {
        let mut found = None;
        loop {
            let (e, span) = self.next()?;
            match e {
                Event::StreamEnd => break,
                Event::StreamStart | Event::DocumentStart(_) | Event::DocumentEnd | Event::Nothing => {}
                _ if found.is_some() => {
                    return Err(wrong(span, "a second document begins here").help("take out the `---` before it"));
                }
                e => found = Some(self.value(e, span)?),
            }
        }
        found.ok_or_else(|| wrong(Span::new(self.file, 0, 0), "the file is empty").help("write something into it"))
    }

    fn value(&mut self, e: Event<'t>, span: Span) -> Result<Yaml, Diagnostic> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(wrong(span, "values are nested too deeply").help("use fewer levels"));
        }
        let made = match e {
            Event::Scalar(value, style, _, _) => {
                let plain = style == ScalarStyle::Plain;
                if plain && matches!(&*value, "" | "~" | "null") {
                    Yaml { kind: Kind::Null, span }
                } else {
                    let text = self.located(&value, span);
                    Yaml { span: text.whole(), kind: Kind::Scalar(text) }
                }
            }
            Event::SequenceStart(..) => {
                let mut list = Vec::new();
                let end = loop {
                    let (e, s) = self.next()?;
                    if matches!(e, Event::SequenceEnd) {
                        break s;
                    }
                    list.push(self.value(e, s)?);
                };
                Yaml { kind: Kind::List(list), span: span.join(end) }
            }
            Event::MappingStart(..) => {
                let mut list: Vec<(Text, Yaml)> = Vec::new();
                let end = loop {
                    let (e, s) = self.next()?;
                    if matches!(e, Event::MappingEnd) {
                        break s;
                    }
                    let key = match self.value(e, s)?.kind {
                        Kind::Scalar(t) => t,
                        _ => return Err(wrong(s, "a key must be a text").help("write it as one word")),
                    };
                    if key.text == "<<" {
                        return Err(wrong(key.whole(), "`<<` is no key: maps are not merged here")
                            .help("write the keys out that it would bring in"));
                    }
                    if let Some((first, _)) = list.iter().find(|(k, _)| k.text == key.text) {
                        return Err(wrong(key.whole(), format!("`{}` stands here twice", key.text))
                            .also(first.whole(), "first here")
                            .help("keep one of them"));
                    }
                    let (e, s) = self.next()?;
                    let value = self.value(e, s)?;
                    list.push((key, value));
                };
                Yaml { kind: Kind::Map(list), span: span.join(end) }
            }
            Event::Alias(_) => return Err(wrong(span, "aliases are not read here").help("write the value out")),
            _ => return Err(wrong(span, "a value is missing").help("write it, or take its key out")),
        };
        self.depth -= 1;
        Ok(made)
    }

    /// Finds each character of a scalar in the file: quotes, indentation and folded line ends are passed over.
    fn located(&self, value: &str, span: Span) -> Text {
        let raw = self.text.as_bytes();
        let mut places = Vec::with_capacity(value.len() + 1);
        let (mut at, end) = (span.lo as usize, span.hi as usize);
        for &b in value.as_bytes() {
            if b.is_ascii_whitespace() {
                places.push(at.min(end) as u32);
                if raw.get(at).is_some_and(u8::is_ascii_whitespace) {
                    at += 1;
                }
                continue;
            }
            let found = (at..end).find(|i| raw[*i] == b);
            at = found.unwrap_or(at);
            places.push(at as u32);
            at += usize::from(found.is_some());
        }
        places.push(at.min(end.max(span.lo as usize)) as u32);
        Text { text: value.to_string(), places, file: self.file }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> (SourceMap, Result<Yaml, Diagnostic>) {
        let mut map = SourceMap::new();
        let file = map.add("t.yaml", text);
        let y = read(&map, file);
        (map, y)
    }

    fn find<'y>(y: &'y Yaml, key: &str) -> &'y Text {
        let Kind::Map(m) = &y.kind else { panic!("no map") };
        match &m.iter().find(|e| e.0.text == key).unwrap().1.kind {
            Kind::Scalar(t) => t,
            _ => panic!("no text"),
        }
    }

    #[test]
    fn every_style_of_text_knows_its_places() {
        let text =
            "é: 1\na: foo + bar\nb: \"foo + bar\"\nc: 'foo + bar'\nd: >\n  foo +\n  bar\ne: |\n   foo\n   + bar\n";
        let (map, y) = parse(text);
        let y = y.unwrap();
        for key in ["a", "b", "c", "d", "e"] {
            let t = find(&y, key);
            let at = t.text.find("bar").unwrap();
            assert_eq!(map.snippet(t.span(at, at + 3)), "bar", "{key}");
            assert_eq!(map.snippet(t.span(0, 3)), "foo", "{key}");
        }
    }

    #[test]
    fn replaced_parts_stand_where_the_old_ones_stood() {
        let (map, y) = parse("a: x$i + y\n");
        let y = y.unwrap();
        let t = find(&y, "a").replaced(&[(1, 3, "123".into())]);
        assert_eq!(t.text, "x123 + y");
        assert_eq!(map.snippet(t.span(7, 8)), "y");
        assert_eq!(map.snippet(t.span(0, 4)), "x$");
    }

    #[test]
    fn keys_that_stand_twice_and_other_oddities_are_errors_with_a_place() {
        for (text, what, line) in [
            ("a: 1\nb: 2\na: 3\n", "twice", 3),
            ("a: &x 1\nb: *x\n", "aliases", 2),
            ("a: &x {b: 1}\nc:\n  <<: *x\n", "not merged", 3),
            ("a: [1\nb: 2\n", "no YAML", 2),
            ("", "empty", 1),
            ("a: 1\n---\nb: 2\n", "second document", 3),
        ] {
            let (map, y) = parse(text);
            let d = y.unwrap_err();
            assert!(d.message.contains(what), "{text:?}: {}", d.message);
            assert_eq!(map.location(d.primary().unwrap().span).unwrap().line, line, "{text:?}");
        }
    }
}
