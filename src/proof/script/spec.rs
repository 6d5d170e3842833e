//! The specification file as typed values with places.

use super::sentence::{Sentence, number, sentence};
use crate::project::yaml::{Kind, Text, Yaml, nearest};
use crate::source::{Diagnostic, Span, codes};

/// A specification.
#[derive(Clone, Debug, Default)]
pub struct Spec {
    /// What it is about, for people.
    pub about: Option<Text>,
    /// Source files and file lists of the design.
    pub files: Vec<Text>,
    /// File lists.
    pub lists: Vec<Text>,
    /// The top.
    pub top: Option<Text>,
    /// Parameters of the top.
    pub parameters: Vec<(Text, Text)>,
    /// Clocks that tick in every cycle; none: times are phases.
    pub clocks: Vec<Text>,
    /// Runs start in the initial state.
    pub initial: bool,
    /// Files with functions.
    pub library: Vec<Text>,
    /// Symbolic vectors: name, width, signed.
    pub vectors: Vec<(Text, u32, bool)>,
    /// Names for what nodes are at times.
    pub reads: Vec<(Text, Sentence)>,
    /// Named times.
    pub times: Vec<(String, i64)>,
    /// Wishes about the order of variables.
    pub order: Vec<Text>,
    /// Given in all assertions.
    pub given: Vec<Sentence>,
    /// Assertions in order, loops written out.
    pub assertions: Vec<Said>,
    /// Steps of the proof in order.
    pub theorems: Vec<(Text, Yaml)>,
    /// The theorem that the file is about.
    pub goal: Option<Text>,
    /// Memories of at most this many bits become registers.
    pub memory_bits: Option<u64>,
}

/// An assertion as written.
#[derive(Clone, Debug)]
pub struct Said {
    /// Its name.
    pub name: Text,
    /// The constraint.
    pub constraint: Vec<Text>,
    /// What is given.
    pub given: Vec<Sentence>,
    /// What follows.
    pub then: Vec<Sentence>,
    /// Nodes that are X, with times.
    pub weaken: Vec<Sentence>,
    /// Nodes with larger values become X.
    pub weaken_above: Option<u64>,
    /// Wishes about the order.
    pub order: Vec<Text>,
    /// `bdd` or `sat`.
    pub engine: Option<Text>,
    /// What is expected: `holds`, `fails`, `unknown`, `over-constrained` or `vacuous`.
    pub expect: Option<Text>,
}

/// Loop variables and their values.
pub type Loops = Vec<(String, i64)>;

pub(super) fn wrong(span: Span, what: impl Into<String>) -> Diagnostic {
    Diagnostic::error(codes::E1102, what).at(span, "")
}

/// A map whose keys are known.
pub(super) struct Fields<'y> {
    list: &'y [(Text, Yaml)],
    pub span: Span,
}

impl<'y> Fields<'y> {
    pub fn new(y: &'y Yaml, known: &[&str]) -> Result<Fields<'y>, Diagnostic> {
        let Kind::Map(list) = &y.kind else {
            return Err(wrong(y.span, format!("a map is expected here, this is {}", y.what())));
        };
        for (k, _) in list {
            if !known.contains(&k.text.as_str()) {
                let d = wrong(k.whole(), format!("there is no key `{}` here", k.text));
                return Err(match nearest(&k.text, known.iter().copied()) {
                    Some(n) => d.help(format!("did you mean `{n}`?")),
                    None => d.help(format!("the keys are {}", known.join(", "))),
                });
            }
        }
        Ok(Fields { list, span: y.span })
    }

    pub fn get(&self, key: &str) -> Option<&'y Yaml> {
        self.list.iter().find(|e| e.0.text == key).map(|e| &e.1)
    }

    pub fn text(&self, key: &str) -> Result<Option<Text>, Diagnostic> {
        self.get(key).map(text).transpose()
    }

    pub fn need(&self, key: &str) -> Result<&'y Yaml, Diagnostic> {
        self.get(key).ok_or_else(|| wrong(self.span, format!("`{key}` is missing")))
    }
}

pub(super) fn text(y: &Yaml) -> Result<Text, Diagnostic> {
    match &y.kind {
        Kind::Scalar(t) => Ok(t.clone()),
        _ => Err(wrong(y.span, format!("a text is expected here, this is {}", y.what()))),
    }
}

/// A text, or a list of texts.
pub(super) fn texts(y: Option<&Yaml>) -> Result<Vec<Text>, Diagnostic> {
    match y.map(|y| &y.kind) {
        None | Some(Kind::Null) => Ok(Vec::new()),
        Some(Kind::List(l)) => l.iter().map(text).collect(),
        Some(_) => Ok(y.map(text).transpose()?.into_iter().collect()),
    }
}

fn entries(y: Option<&Yaml>) -> Result<&[(Text, Yaml)], Diagnostic> {
    match y.map(|y| (&y.kind, y)) {
        None | Some((Kind::Null, _)) => Ok(&[]),
        Some((Kind::Map(m), _)) => Ok(m),
        Some((_, y)) => Err(wrong(y.span, format!("a map is expected here, this is {}", y.what()))),
    }
}

/// Reads a specification.
pub fn spec(y: &Yaml) -> Result<Spec, Diagnostic> {
    let f = Fields::new(
        y,
        &[
            "about",
            "design",
            "clock",
            "clocks",
            "start",
            "library",
            "vectors",
            "reads",
            "times",
            "order",
            "given",
            "assertions",
            "theorems",
            "goal",
            "memory_bits",
        ],
    )?;
    let mut s = Spec { about: f.text("about")?, goal: f.text("goal")?, ..Spec::default() };
    let d = Fields::new(f.need("design")?, &["files", "lists", "top", "parameters"])?;
    (s.files, s.lists, s.top) = (texts(d.get("files"))?, texts(d.get("lists"))?, d.text("top")?);
    if s.files.is_empty() && s.lists.is_empty() {
        return Err(wrong(d.span, "the design has no files").help("name them with `files:` or `lists:`"));
    }
    for (k, v) in entries(d.get("parameters"))? {
        s.parameters.push((k.clone(), text(v)?));
    }
    s.clocks = texts(f.get("clock"))?;
    s.clocks.extend(texts(f.get("clocks"))?);
    match f.text("start")? {
        Some(t) if t.text == "initial" => s.initial = true,
        Some(t) if t.text != "any" => return Err(wrong(t.whole(), "`start` is `any` or `initial`")),
        _ => {}
    }
    s.library = texts(f.get("library"))?;
    for (k, v) in entries(f.get("times"))? {
        let known = s.times.clone();
        let n = number(&text(v)?, &|n| known.iter().find(|t| t.0 == n).map(|t| t.1))?;
        s.times.push((k.text.clone(), n));
    }
    for (k, v) in entries(f.get("vectors"))? {
        s.vectors.push(vector(k, &text(v)?, &s.times)?);
    }
    for (k, v) in entries(f.get("reads"))? {
        let t = text(v)?;
        // `NODE at TIME`, which is a sentence without a value.
        let said = sentence(&t)?;
        if said.node.is_some() || said.guard.is_some() {
            return Err(wrong(t.whole(), "a read is `NODE at TIME`"));
        }
        s.reads.push((k.clone(), said));
    }
    s.order = texts(f.get("order"))?;
    s.given = sentences(f.get("given"), &Vec::new(), &s.times)?;
    if let Some(t) = f.text("memory_bits")? {
        let n = number(&t, &|_| None)?;
        s.memory_bits = Some(u64::try_from(n).map_err(|_| wrong(t.whole(), "a size is no less than 0"))?);
    }
    for (k, v) in entries(f.get("assertions"))? {
        assertion(k, v, &mut s)?;
    }
    for (k, v) in entries(f.get("theorems"))? {
        s.theorems.push((k.clone(), v.clone()));
    }
    let mut names: Vec<&Text> = s.assertions.iter().map(|a| &a.name).collect();
    names.extend(s.theorems.iter().map(|t| &t.0));
    for (i, n) in names.iter().enumerate() {
        if let Some(first) = names[..i].iter().find(|m| m.text == n.text) {
            return Err(wrong(n.whole(), format!("`{}` is defined twice", n.text)).also(first.whole(), "first here"));
        }
    }
    if s.assertions.is_empty() {
        return Err(
            wrong(y.span, "there is no assertion").help("add `assertions:` with what is given and what follows")
        );
    }
    Ok(s)
}

/// `8`, `signed 8`.
fn vector(name: &Text, t: &Text, times: &[(String, i64)]) -> Result<(Text, u32, bool), Diagnostic> {
    let plain = name.text.chars().next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && name.text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if !plain {
        return Err(wrong(name.whole(), format!("`{}` is no name for a vector", name.text)));
    }
    let signed = t.text.starts_with("signed ");
    let part = if signed { t.part(7, t.text.len()) } else { t.clone() };
    let width = number(&part, &|n| times.iter().find(|t| t.0 == n).map(|t| t.1))?;
    match u32::try_from(width) {
        Ok(w) if (1..=4096).contains(&w) => Ok((name.clone(), w, signed)),
        _ => Err(wrong(t.whole(), "a vector has 1 to 4096 bits")),
    }
}

fn assertion(name: &Text, y: &Yaml, s: &mut Spec) -> Result<(), Diagnostic> {
    let f = Fields::new(
        y,
        &["for", "about", "where", "given", "then", "weaken", "weaken_above", "order", "engine", "expect"],
    )?;
    let many = loops(f.get("for"), &s.times)?;
    if many.len() > 1
        && !many.iter().all(|l| l.iter().all(|(n, _)| name.text.contains(&format!("${n}")) || name.text.contains("$(")))
    {
        return Err(wrong(
            name.whole(),
            "the name of an assertion with `for` must contain its loop variables, as in `row_$i`",
        ));
    }
    for l in many {
        let expand =
            |list: Vec<Text>| -> Result<Vec<Text>, Diagnostic> { list.iter().map(|t| expand(t, &l)).collect() };
        let then = sentences(Some(f.need("then")?), &l, &s.times)?;
        let mut given = s.given.clone();
        given.extend(sentences(f.get("given"), &l, &s.times)?);
        if then.is_empty() {
            return Err(wrong(f.span, "nothing follows: `then` is empty"));
        }
        let above = f.text("weaken_above")?.map(|t| number(&t, &|_| None)).transpose()?;
        s.assertions.push(Said {
            name: self::expand(name, &l)?,
            constraint: expand(texts(f.get("where"))?)?,
            given,
            then,
            weaken: sentences(f.get("weaken"), &l, &s.times)?,
            weaken_above: above.and_then(|n| u64::try_from(n).ok()),
            order: expand(texts(f.get("order"))?)?,
            engine: f.text("engine")?,
            expect: f.text("expect")?,
        });
    }
    Ok(())
}

/// All values of loop variables: `{i: 0..7, j: 0..1}`.
pub(super) fn loops(y: Option<&Yaml>, times: &[(String, i64)]) -> Result<Vec<Loops>, Diagnostic> {
    let mut all: Vec<Loops> = vec![Vec::new()];
    for (k, v) in entries(y)? {
        let t = text(v)?;
        let Some(dots) = t.text.find("..") else {
            return Err(wrong(t.whole(), "a loop runs over `FIRST..LAST`"));
        };
        let (from, to) = (t.part(0, dots), t.part(dots + 2, t.text.len()));
        let name = |n: &str| times.iter().find(|t| t.0 == n).map(|t| t.1);
        let (from, to) = (number(&from, &name)?, number(&to, &name)?);
        let count = (to - from + 1).max(0).saturating_mul(all.len() as i64);
        if count > 100_000 {
            return Err(wrong(t.whole(), "a loop of more than 100000 turns"));
        }
        let mut next = Vec::new();
        for l in &all {
            for i in from..=to {
                let mut l = l.clone();
                l.push((k.text.clone(), i));
                next.push(l);
            }
        }
        all = next;
    }
    Ok(all)
}

/// A text with `$i` and `$(2*i + 1)` written out.
pub(super) fn expand(t: &Text, loops: &Loops) -> Result<Text, Diagnostic> {
    if !t.text.contains('$') {
        return Ok(t.clone());
    }
    let value = |n: &str| loops.iter().find(|l| l.0 == n).map(|l| l.1);
    let mut parts = Vec::new();
    let bytes = t.text.as_bytes();
    let mut i = 0;
    while i < bytes.len() {
        if bytes[i] != b'$' {
            i += 1;
            continue;
        }
        if bytes.get(i + 1) == Some(&b'(') {
            let mut depth = 0;
            let end = (i + 1..bytes.len()).find(|j| {
                depth += i32::from(bytes[*j] == b'(') - i32::from(bytes[*j] == b')');
                depth == 0
            });
            let end = end.ok_or_else(|| wrong(t.span(i, i + 2), "`)` is missing"))?;
            let v = number(&t.part(i + 2, end), &value)?;
            parts.push((i, end + 1, v.to_string()));
            i = end + 1;
            continue;
        }
        let len = bytes[i + 1..].iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
        let name = &t.text[i + 1..i + 1 + len];
        match value(name) {
            Some(v) => parts.push((i, i + 1 + len, v.to_string())),
            // `$signed(x)` and the like stay.
            None if t.text[i + 1 + len..].trim_start().starts_with('(') => {}
            None => {
                let d = wrong(t.span(i, i + 1 + len), format!("there is no loop variable `{name}`"));
                return Err(d.help("loop variables come from `for: {i: 0..7}`"));
            }
        }
        i += 1 + len;
    }
    Ok(t.replaced(&parts))
}

/// A list of sentences; an entry may be `{for: {i: 0..7}, say: [...]}`.
pub(super) fn sentences(y: Option<&Yaml>, outer: &Loops, times: &[(String, i64)]) -> Result<Vec<Sentence>, Diagnostic> {
    let mut list = Vec::new();
    match y.map(|y| (&y.kind, y)) {
        None | Some((Kind::Null, _)) => {}
        Some((Kind::Scalar(t), _)) => list.push(sentence(&expand(t, outer)?)?),
        Some((Kind::List(l), _)) => {
            for e in l {
                list.extend(sentences(Some(e), outer, times)?);
            }
        }
        Some((Kind::Map(_), y)) => {
            let f = Fields::new(y, &["for", "say"])?;
            for l in loops(f.get("for"), times)? {
                let mut all = outer.clone();
                all.extend(l);
                list.extend(sentences(Some(f.need("say")?), &all, times)?);
            }
        }
    }
    Ok(list)
}
