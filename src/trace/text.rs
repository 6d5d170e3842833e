//! A trace as a table for the terminal: one column per step, one row per signal that matters.
//!
//! The values are those the property sees in the step. A clock that ticks shows its edge.

use super::{Ending, Kind, Trace};
use crate::source::SourceMap;
use std::fmt::Write;

/// How the table looks.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Columns of the terminal; steps that do not fit are left out in the middle.
    pub width: usize,
    /// Most rows.
    pub rows: usize,
    /// Escape sequences for colours.
    pub colours: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { width: 100, rows: 24, colours: false }
    }
}

const RED: &str = "\x1b[1;31m";
const DIM: &str = "\x1b[2m";
const BOLD: &str = "\x1b[1m";
const PLAIN: &str = "\x1b[0m";

/// One step, or the gap where steps were left out.
struct Column {
    step: Option<usize>,
    cells: Vec<String>,
    /// Whether each cell differs from the step before.
    new: Vec<bool>,
    width: usize,
}

/// Writes the table, with a headline above and what was left out below.
pub fn write(trace: &Trace, map: &SourceMap, o: &Options) -> String {
    let rows: Vec<usize> = trace.matters.iter().copied().take(o.rows).collect();
    let labels: Vec<String> = rows.iter().map(|s| trace.signals[*s].label()).collect();
    let label_width = labels.iter().map(|l| l.chars().count()).chain([4]).max().unwrap_or(4);
    let columns = columns(trace, &rows, o.width.saturating_sub(label_width + 2));
    let mut out = String::new();
    let paint = |colour: &str, text: &str| match o.colours {
        true => format!("{colour}{text}{PLAIN}"),
        false => text.to_string(),
    };
    let place = trace.place(map).map_or(String::new(), |p| format!("{p}: "));
    let _ = writeln!(out, "{place}{}", paint(BOLD, &trace.headline()));
    let last = trace.steps.len().saturating_sub(1);
    let is_marked = |step: Option<usize>| match trace.ending {
        Ending::Repeats(from) => step.is_some_and(|s| s >= from),
        _ => step == Some(last),
    };
    let mut line = format!("{:label_width$}", "step");
    for c in &columns {
        let text = c.step.map_or("…".to_string(), |s| s.to_string());
        let text = format!("{text:>w$}", w = c.width);
        let colour = if is_marked(c.step) { RED } else { BOLD };
        let _ = write!(line, "  {}", paint(colour, &text));
    }
    let _ = writeln!(out, "{}", line.trim_end());
    for (r, label) in labels.iter().enumerate() {
        let mut line = format!("{label:label_width$}");
        for c in &columns {
            let text = format!("{:>w$}", c.cells[r], w = c.width);
            let text = match (is_marked(c.step), c.new[r]) {
                (true, true) if !matches!(trace.ending, Ending::Repeats(_)) => paint(RED, &text),
                (_, true) => text,
                _ => paint(DIM, &text),
            };
            let _ = write!(line, "  {text}");
        }
        let _ = writeln!(out, "{}", line.trim_end());
    }
    mark(&mut out, trace, &columns, label_width, &is_marked);
    let _ = writeln!(out, "a step is {}", trace.step);
    let left_out = trace.matters.len() - rows.len();
    if left_out > 0 {
        let _ = writeln!(out, "{left_out} more signals change and may matter; the waveform files have them");
    }
    out
}

/// The line below the table: where it fails, or which steps repeat.
fn mark(out: &mut String, trace: &Trace, columns: &[Column], label_width: usize, at: &dyn Fn(Option<usize>) -> bool) {
    let repeats = matches!(trace.ending, Ending::Repeats(_));
    let mut line = " ".repeat(label_width);
    for c in columns {
        let sign = match (at(c.step), repeats) {
            (false, _) => " ",
            (true, true) => "↻",
            (true, false) => "^",
        };
        let _ = write!(line, "  {sign:>w$}", w = c.width);
    }
    let words = match trace.ending {
        Ending::Fails => "fails here",
        Ending::Reached => "reached here",
        Ending::Repeats(_) => "repeats",
    };
    let _ = writeln!(out, "{} {words}", line.trim_end());
}

/// The edge a clock makes in a step: rising or not. Clocks that are levels are compared with the step before.
fn edge(trace: &Trace, step: usize, signal: usize) -> Option<bool> {
    if let Some(c) = trace.clock_of(signal) {
        return trace.steps[step].ticks[c].then_some(!trace.clocks[c].falling);
    }
    let level = |k: usize| trace.value(trace.steps[k].rest, signal);
    (step > 0 && level(step) != level(step - 1)).then(|| level(step).bit(0))
}

fn cell(trace: &Trace, step: usize, signal: usize) -> String {
    let s = &trace.signals[signal];
    match (s.kind == Kind::Clock && s.width == 1).then(|| edge(trace, step, signal)) {
        Some(Some(true)) => "↑".to_string(),
        Some(Some(false)) => "↓".to_string(),
        Some(None) if trace.clock_of(signal).is_some() => "·".to_string(),
        Some(None) => trace.shown(trace.steps[step].rest, signal),
        None => trace.shown_seen(step, signal),
    }
}

fn column(trace: &Trace, rows: &[usize], step: usize) -> Column {
    let cells: Vec<String> = rows.iter().map(|s| cell(trace, step, *s)).collect();
    let is_new = |s: &usize| {
        trace.signals[*s].kind == Kind::Clock
            || step == 0
            || trace.shown_seen(step, *s) != trace.shown_seen(step - 1, *s)
    };
    let width = cells.iter().map(|c| c.chars().count()).chain([step.to_string().len()]).max().unwrap_or(1);
    Column { step: Some(step), cells, new: rows.iter().map(is_new).collect(), width }
}

/// As many steps as fit, with a gap in the middle: three of the end for one of the beginning.
fn columns(trace: &Trace, rows: &[usize], room: usize) -> Vec<Column> {
    let n = trace.steps.len();
    // Every column takes three characters at least, so more steps than this are not worth a look.
    if n <= room / 3 {
        let all: Vec<Column> = (0..n).map(|k| column(trace, rows, k)).collect();
        if all.iter().map(|c| c.width + 2).sum::<usize>() <= room {
            return all;
        }
    }
    let gap = Column { step: None, cells: vec!["…".into(); rows.len()], new: vec![false; rows.len()], width: 1 };
    let (mut head, mut tail) = (Vec::new(), Vec::new());
    let mut used = gap.width + 2;
    while head.len() + tail.len() < n {
        let from_end = tail.len() < 3 * (head.len() + 1);
        let c = column(trace, rows, if from_end { n - 1 - tail.len() } else { head.len() });
        used += c.width + 2;
        if used > room && !tail.is_empty() {
            break;
        }
        if from_end { tail.push(c) } else { head.push(c) }
    }
    if head.len() + tail.len() < n {
        head.push(gap);
    }
    head.extend(tail.into_iter().rev());
    head
}
