//! Damages source text in the ways that typing, merging and disks do, and finds out whether entail
//! survives it: an answer in time, no panic, and never "no design" without an error.

use super::shrink::shrink;
use super::subject::panic_text;
use super::{save, setting};
use entail::front::verilog::Elaborated;
use entail::net::{LowerOptions, lower};
use entail::source::{Diagnostic, Format, render};
use fastrand::Rng;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, mpsc};
use std::time::Duration;

/// A language whose texts are damaged.
pub struct Language {
    /// How names of its files end.
    pub extension: &'static str,
    /// Words that change what a parser believes it is reading, and numbers at the edge of sense.
    pub spice: &'static [&'static str],
    /// What is wrong with entail's answer to a text, if anything is.
    pub answer: fn(&str) -> Option<String>,
}

pub static SYSTEM_VERILOG: Language = Language { extension: "sv", spice: &SPICE, answer: answer_verilog };

/// How long one text may take; far beyond what the longest of the corpus needs.
pub const LIMIT: Duration = Duration::from_secs(20);

const TOO_LATE: &str = "no answer in time";

/// All SystemVerilog under a folder: each file alone, and each sub-folder as one text.
pub fn corpus(folder: &Path) -> Vec<String> {
    let mut texts = vec![];
    let mut files: Vec<(String, String)> = vec![];
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            texts.extend(corpus(&path));
        } else if path.extension().is_some_and(|e| e == "sv" || e == "v") {
            let name = path.file_name().map_or(String::new(), |n| n.to_string_lossy().into_owned());
            files.push((name, std::fs::read_to_string(&path).expect("a readable design")));
        }
    }
    // Packages and interfaces come before what uses them.
    files.sort_by_key(|(name, _)| (!name.ends_with("_pkg.sv"), !name.ends_with("_if.sv"), name.clone()));
    if files.len() > 1 {
        texts.push(files.iter().map(|f| f.1.as_str()).collect());
    }
    texts.extend(files.into_iter().map(|f| f.1));
    texts
}

/// Words, numbers, strings, single punctuation marks, and the white space between them.
pub fn tokens(text: &str) -> Vec<&str> {
    let mut out = vec![];
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
        let same: &dyn Fn(char) -> bool = if word(first) {
            &word
        } else if first.is_whitespace() {
            &char::is_whitespace
        } else {
            &|_| false
        };
        let end = rest.char_indices().skip(1).find(|(_, c)| !same(*c)).map_or(rest.len(), |(i, _)| i);
        let (token, tail) = rest.split_at(end);
        out.push(token);
        rest = tail;
    }
    out
}

const SPICE: [&str; 48] = [
    "module",
    "endmodule",
    "begin",
    "end",
    "case",
    "endcase",
    "if",
    "else",
    "for",
    "function",
    "endfunction",
    "generate",
    "endgenerate",
    "package",
    "import",
    "::*",
    "always_ff",
    "always_comb",
    "assign",
    "logic",
    "signed",
    "parameter",
    "typedef",
    "struct",
    "packed",
    "enum",
    "interface",
    "modport",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ";",
    ":",
    "'",
    "@",
    "#",
    "`define",
    "`include \"x\"",
    "`ifdef",
    "\"",
    "/*",
    "99999999999999999999",
    "0",
    "1'bx",
    "4294967295",
];

/// A damaged copy of a text; `other` lends tokens.
pub fn mutate(language: &Language, rng: &mut Rng, text: &str, other: &str) -> String {
    let mut text = text.to_string();
    for _ in 0..rng.u32(1..=4) {
        text = once(language, rng, &text, other);
    }
    text
}

fn once(language: &Language, rng: &mut Rng, text: &str, other: &str) -> String {
    if text.is_empty() {
        return text.to_string();
    }
    match rng.u32(0..12) {
        0 => {
            let mut bytes = text.as_bytes().to_vec();
            let at = rng.usize(0..bytes.len());
            bytes[at] ^= 1 << rng.u32(0..8);
            return String::from_utf8_lossy(&bytes).into_owned();
        }
        1 => {
            let at = rng.usize(0..text.len());
            let at = (0..=at).rev().find(|i| text.is_char_boundary(*i)).unwrap_or(0);
            return text[..at].to_string();
        }
        2 | 3 => {
            let mut lines: Vec<&str> = text.lines().collect();
            let at = rng.usize(0..lines.len());
            if rng.bool() {
                lines.remove(at);
            } else {
                lines.insert(rng.usize(0..=at), lines[at]);
            }
            return lines.join("\n");
        }
        _ => {}
    }
    let mut all = tokens(text);
    // White space is no fun to lose, except now and then.
    let words: Vec<usize> = (0..all.len()).filter(|i| !all[*i].trim().is_empty() || rng.u32(0..20) == 0).collect();
    if words.is_empty() {
        return text.to_string();
    }
    let at = words[rng.usize(0..words.len())];
    let second = words[rng.usize(0..words.len())];
    let lent = tokens(other);
    match rng.u32(0..7) {
        0 | 1 => drop(all.remove(at)),
        2 => all.insert(at, all[at]),
        3 => all.swap(at, second),
        4 => all[at] = all[second],
        5 => all[at] = language.spice[rng.usize(0..language.spice.len())],
        _ if lent.is_empty() => all.insert(at, " "),
        _ => all[at] = lent[rng.usize(0..lent.len())],
    }
    all.concat()
}

/// What is wrong with entail's answer to a text, if anything is.
pub fn verdict(language: &'static Language, text: &str, limit: Duration) -> Option<String> {
    let text = text.to_string();
    bounded(limit, move || (language.answer)(&text))
}

/// Runs `f` on a thread of its own; one that hangs is left behind and ends with the process.
pub fn bounded(limit: Duration, f: impl FnOnce() -> Option<String> + Send + 'static) -> Option<String> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let answer = std::panic::catch_unwind(std::panic::AssertUnwindSafe(f));
        let _ = sender.send(answer.unwrap_or_else(|p| Some(format!("panicked: {}", panic_text(&*p)))));
    });
    receiver.recv_timeout(limit).unwrap_or_else(|_| Some(TOO_LATE.into()))
}

fn answer_verilog(text: &str) -> Option<String> {
    judge(entail::front::verilog::elaborate_text(text, None))
}

/// A design that becomes gates, or an error.
pub fn judge(out: Elaborated) -> Option<String> {
    // Diagnostics point into damaged text, so showing them is part of the test.
    let shown = render(&out.diagnostics, &out.sources, Format::Full, false);
    let errors = out.diagnostics.iter().any(Diagnostic::is_error);
    match out.design {
        Some(design) => {
            lower(&design, &LowerOptions::default(), &mut vec![]);
            None
        }
        None if !errors => Some(format!("no design and no error: {shown}")),
        None => None,
    }
}

/// Damages texts, `ENTAIL_MUTATIONS` or `count` of them; a failure is shrunk and saved.
pub fn campaign(language: &'static Language, texts: &[String], seed: u64, count: u64) {
    let count = setting("ENTAIL_MUTATIONS", count) as usize;
    // A stack overflow ends the process; then the text that did it is in one of these files.
    let folder = std::env::temp_dir().join(format!("entail-mutations-{}-{}", language.extension, std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    println!("texts under test are kept in {}", folder.display());
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(vec![]);
    std::thread::scope(|s| {
        for worker in 0..2 {
            let (next, failures, folder) = (&next, &failures, &folder);
            s.spawn(move || {
                loop {
                    let k = next.fetch_add(1, Ordering::Relaxed);
                    if k >= count || failures.lock().expect("no worker panics").len() >= 4 {
                        break;
                    }
                    let mut rng = Rng::with_seed(seed.wrapping_add(k as u64));
                    let (a, b) = (rng.usize(0..texts.len()), rng.usize(0..texts.len()));
                    let text = mutate(language, &mut rng, &texts[a], &texts[b]);
                    std::fs::write(folder.join(format!("{worker}.{}", language.extension)), &text)
                        .expect("keep the text");
                    let Some(wrong) = verdict(language, &text, LIMIT) else { continue };
                    let small = reduce(language, text, &wrong);
                    let path = save(&format!("mutation-{seed}-{k}.{}", language.extension), &small);
                    failures
                        .lock()
                        .expect("no worker panics")
                        .push(format!("{wrong}\nsaved as {}\n{small}", path.display()));
                }
            });
        }
    });
    let _ = std::fs::remove_dir_all(&folder);
    let failures = failures.into_inner().expect("no worker panics");
    assert!(
        failures.is_empty(),
        "{} texts fail; repeat with ENTAIL_SEED={seed}\n{}",
        failures.len(),
        failures.join("\n\n")
    );
    println!("{count} damaged texts got an answer");
}

/// A smaller text with the same verdict: whole stretches of lines first, then of tokens.
pub fn reduce(language: &'static Language, text: String, wanted: &str) -> String {
    let hangs = wanted == TOO_LATE;
    let limit = if hangs { LIMIT / 4 } else { LIMIT };
    let budget = Duration::from_secs(if hangs { 120 } else { 60 });
    let fails =
        |list: &[String]| list.iter().position(|t| verdict(language, t, limit).is_some_and(|v| same(&v, wanted)));
    let text = shrink(text, budget, 8, |t| stretches(&t.split_inclusive('\n').collect::<Vec<_>>()), String::len, fails);
    shrink(text, budget, 8, |t| stretches(&tokens(t)), String::len, fails)
}

/// Whether two verdicts are about one thing.
fn same(a: &str, b: &str) -> bool {
    let kind = |s: &str| s.chars().take_while(|c| *c != '`').collect::<String>();
    kind(a) == kind(b)
}

/// The pieces without one stretch of them, long stretches first.
fn stretches(pieces: &[&str]) -> Vec<String> {
    let mut out = vec![];
    let mut length = pieces.len() / 2;
    while length > 0 && out.len() < 300 {
        for start in (0..pieces.len()).step_by(length) {
            let end = (start + length).min(pieces.len());
            out.push(pieces[..start].iter().chain(&pieces[end..]).copied().collect());
        }
        length /= 2;
    }
    out
}
