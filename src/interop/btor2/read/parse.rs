//! The lines of a BTOR2 file, and what must be known of all of them before the first is read.

use rustc_hash::{FxHashMap, FxHashSet};

/// A line that says something.
#[derive(Clone, Copy)]
pub(super) struct Line<'t> {
    /// Place in the file, from 1.
    pub number: usize,
    /// What it defines.
    pub id: u64,
    /// Its keyword.
    pub word: &'t str,
    /// All behind it, without the comment.
    rest: &'t str,
}

impl<'t> Line<'t> {
    /// Operands and symbol.
    pub fn words(&self) -> std::str::SplitAsciiWhitespace<'t> {
        self.rest.split_ascii_whitespace()
    }

    /// An error in this line.
    pub fn wrong<T>(&self, what: impl std::fmt::Display) -> Result<T, String> {
        Err(format!("line {}: {what}", self.number))
    }
}

/// Splits a file into lines; comments and empty lines are left out.
pub(super) fn lines(bytes: &[u8]) -> Result<Vec<Line<'_>>, String> {
    let mut list = Vec::new();
    for (i, line) in bytes.split(|b| *b == b'\n').enumerate() {
        let number = i + 1;
        // A symbol may contain `;`, so a comment begins behind a space. It need not be text that we can read.
        let end = (0..line.len()).find(|&k| line[k] == b';' && (k == 0 || line[k - 1].is_ascii_whitespace()));
        let line = &line[..end.unwrap_or(line.len())];
        let text = std::str::from_utf8(line).map_err(|_| format!("line {number}: not text"))?.trim_ascii();
        if text.is_empty() {
            continue;
        }
        let (first, rest) = text.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((text, ""));
        let id = match first.parse::<u64>() {
            Ok(id) if id > 0 && first.bytes().all(|b| b.is_ascii_digit()) => id,
            _ => return Err(format!("line {number}: a line begins with its number, not with `{}`", shorten(first))),
        };
        let rest = rest.trim_ascii_start();
        let (word, rest) = rest.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((rest, ""));
        if word.is_empty() {
            return Err(format!("line {number}: the line ends behind its number"));
        }
        list.push(Line { number, id, word, rest });
    }
    Ok(list)
}

/// What a line is used for, as far as it matters to initial values.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    /// Only for the initial value of this state.
    Start(u64),
    /// For more than that.
    Step,
}

/// What later lines say about a state.
#[derive(Default)]
pub(super) struct Outlook {
    /// States with a next value.
    pub moving: FxHashSet<u64>,
    /// The initial value of a state: the position of the line that gives it.
    pub init: FxHashMap<u64, usize>,
    /// States that nothing but one initial value depends on, and whose.
    pub only_start: FxHashMap<u64, u64>,
}

/// Looks through all lines. Nothing is checked here: what is malformed is found when it is read.
pub(super) fn outlook(lines: &[Line]) -> Outlook {
    let mut out = Outlook::default();
    let mut uses: FxHashMap<u64, Use> = FxHashMap::default();
    // Operands come before their users, so backwards every user is known.
    for (at, line) in lines.iter().enumerate().rev() {
        let id = |w: &str| w.strip_prefix('-').unwrap_or(w).parse::<u64>().ok();
        let mut words = line.words();
        let mut arg = |n| words.nth(n).and_then(id);
        let (operands, by) = match line.word {
            "sort" | "input" | "const" | "constd" | "consth" | "zero" | "one" | "ones" => continue,
            "state" => {
                if let Some(Use::Start(owner)) = uses.get(&line.id) {
                    out.only_start.insert(line.id, *owner);
                }
                continue;
            }
            "init" => {
                let (state, value) = (arg(1), arg(0));
                if let Some(s) = state {
                    out.init.insert(s, at);
                }
                (vec![value], state.map(Use::Start))
            }
            "next" => {
                let (state, value) = (arg(1), arg(0));
                out.moving.extend(state);
                (vec![value], Some(Use::Step))
            }
            "bad" | "constraint" | "fair" | "output" | "justice" => (line.words().map(id).collect(), Some(Use::Step)),
            "slice" | "sext" | "uext" => (vec![arg(1)], uses.get(&line.id).copied()),
            // The sort comes first; a symbol is no number, or makes no harm.
            _ => (line.words().skip(1).map(id).collect(), uses.get(&line.id).copied()),
        };
        // A line with a name can be seen.
        let named = line.words().last().is_some_and(|w| id(w).is_none());
        let by = if named && line.word != "init" { Some(Use::Step) } else { by };
        let Some(by) = by else { continue };
        for o in operands.into_iter().flatten() {
            uses.entry(o).and_modify(|u| *u = if *u == by { by } else { Use::Step }).or_insert(by);
        }
    }
    out
}

/// The beginning of a text that may be long or damaged.
pub(super) fn shorten(text: &str) -> String {
    text.chars().take(40).map(|c| if c.is_control() { '?' } else { c }).collect()
}
