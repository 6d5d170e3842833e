//! Value change dumps (IEEE 1364 clause 18), for any viewer.
//!
//! Beside the design, a scope `entail` tells the number of the step and when the property is decided.

use super::tree::{Tree, clean};
use super::{Ending, STEP, Trace};
use crate::source::SourceMap;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Writes the whole trace.
pub fn write(trace: &Trace, map: &SourceMap) -> String {
    let mut out = String::new();
    let place = trace.place(map).map_or(String::new(), |p| format!(" at {p}"));
    let comment = format!("{}{place}; a step is {}", trace.headline(), trace.step);
    // The end of a comment is a word of its own; a name may not contain it.
    let _ = writeln!(out, "$comment {} $end", comment.replace("$end", "$-end"));
    let _ = writeln!(out, "$version entail {} $end\n$timescale 1 ns $end", env!("CARGO_PKG_VERSION"));
    let _ = writeln!(out, "$scope module {} $end", clean(&trace.top));
    let codes = Codes::new(trace);
    scope(&mut out, trace, &codes, &Tree::new(&trace.signals));
    let _ = writeln!(out, "$upscope $end\n$scope module entail $end");
    let _ = writeln!(out, "$var integer 32 {} step $end\n$var wire 1 {} decided $end", codes.step, codes.decided);
    if let Ending::Repeats(_) = trace.ending {
        let _ = writeln!(out, "$var wire 1 {} repeats $end", codes.repeats);
    }
    let _ = writeln!(out, "$upscope $end\n$enddefinitions $end");
    changes(&mut out, trace, &codes);
    out
}

/// The short names of values. Signals that are the same share one.
struct Codes {
    /// By place in a row and width: code, and a signal that has it.
    by_place: BTreeMap<(usize, u32), (String, usize)>,
    step: String,
    decided: String,
    repeats: String,
}

impl Codes {
    fn new(trace: &Trace) -> Codes {
        let mut by_place = BTreeMap::new();
        for (i, s) in trace.signals.iter().enumerate() {
            let n = by_place.len();
            by_place.entry((s.at, s.width)).or_insert_with(|| (code(n), i));
        }
        let n = by_place.len();
        Codes { by_place, step: code(n), decided: code(n + 1), repeats: code(n + 2) }
    }
}

/// The n-th identifier code: digits are the printable characters.
fn code(mut n: usize) -> String {
    let mut s = String::new();
    loop {
        s.push((b'!' + (n % 94) as u8) as char);
        n /= 94;
        if n == 0 {
            return s;
        }
        n -= 1;
    }
}

fn scope(out: &mut String, trace: &Trace, codes: &Codes, tree: &Tree) {
    for (name, i) in &tree.signals {
        let s = &trace.signals[*i];
        let (code, _) = &codes.by_place[&(s.at, s.width)];
        let kind = if s.kind == super::Kind::State { "reg" } else { "wire" };
        let range = match s.range {
            Some((l, r)) => format!(" [{l}:{r}]"),
            None if s.width > 1 => format!(" [{}:0]", s.width - 1),
            None => String::new(),
        };
        let _ = writeln!(out, "$var {kind} {} {code} {name}{range} $end", s.width);
    }
    for (name, inner) in &tree.scopes {
        let _ = writeln!(out, "$scope module {name} $end");
        scope(out, trace, codes, inner);
        let _ = writeln!(out, "$upscope $end");
    }
}

fn change(out: &mut String, text: &str, code: &str) {
    if text.len() == 1 {
        let _ = writeln!(out, "{text}{code}");
    } else {
        // A value is extended with zeros, so leading ones may go.
        let short = text.trim_start_matches('0');
        let _ = writeln!(out, "b{} {code}", if short.is_empty() { "0" } else { short });
    }
}

fn changes(out: &mut String, trace: &Trace, codes: &Codes) {
    let end = trace.steps.len() as u64 * STEP;
    let decided = trace.time_of(trace.steps.len().saturating_sub(1));
    let marks = |time: u64| {
        let step = (time / STEP).min(trace.steps.len().saturating_sub(1) as u64);
        let loops = matches!(trace.ending, Ending::Repeats(from) if step >= from as u64);
        (step, time >= decided && time < end && !matches!(trace.ending, Ending::Repeats(_)), loops)
    };
    let mut before: Option<(u64, bool, bool)> = None;
    for (m, moment) in trace.moments.iter().enumerate() {
        let _ = writeln!(out, "#{}", moment.time);
        if m == 0 {
            out.push_str("$dumpvars\n");
        }
        for (code, signal) in codes.by_place.values() {
            let v = trace.binary(m, *signal);
            if m == 0 || v != trace.binary(m - 1, *signal) {
                change(out, &v, code);
            }
        }
        let now = marks(moment.time);
        if before.is_none_or(|(step, ..)| step != now.0) {
            let _ = writeln!(out, "b{:b} {}", now.0, codes.step);
        }
        if before.is_none_or(|(_, d, _)| d != now.1) {
            let _ = writeln!(out, "{}{}", now.1 as u8, codes.decided);
        }
        if matches!(trace.ending, Ending::Repeats(_)) && before.is_none_or(|(.., l)| l != now.2) {
            let _ = writeln!(out, "{}{}", now.2 as u8, codes.repeats);
        }
        if m == 0 {
            out.push_str("$end\n");
        }
        before = Some(now);
    }
}
