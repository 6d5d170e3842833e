//! A picture of the waveforms that matter, for reports: light or dark as its surroundings, with no fonts or
//! files of its own.

use super::{Ending, Kind, STEP, Trace};
use crate::source::SourceMap;
use std::fmt::Write;
use std::ops::Range;

/// What is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Most signals.
    pub rows: usize,
    /// Most steps; others are left out in the middle.
    pub steps: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options { rows: 24, steps: 40 }
    }
}

/// Heights and widths, in pixels of the picture.
const ROW: i64 = 28;
const WAVE: i64 = 16;
const TOP: i64 = 86;
const CHAR: f64 = 7.3;
const GAP: i64 = 26;

const STYLE: &str = "\
.bg{fill:#fff}text{font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;fill:#1f2328}\
.title{font-size:15px;font-weight:600}.dim{fill:#656d76}.mid{text-anchor:middle}.end{text-anchor:end}\
.grid{stroke:#d0d7de;stroke-width:1}.row{fill:#f6f8fa}.wave{fill:none;stroke-width:1.6;stroke-linejoin:round}\
.bus{stroke-width:1.4;fill-opacity:.08;stroke-linejoin:round}\
.in{stroke:#0550ae}.bus.in{fill:#0550ae}.state{stroke:#116329}.bus.state{fill:#116329}\
.logic{stroke:#6e40aa}.bus.logic{fill:#6e40aa}\
.bad{fill:#cf222e;fill-opacity:.13}.good{fill:#1a7f37;fill-opacity:.15}.loop{fill:#9a6700;fill-opacity:.14}\
.mark{stroke:#cf222e;stroke-width:1.5;stroke-dasharray:4 3}.badtext{fill:#cf222e;font-weight:600}\
@media (prefers-color-scheme:dark){.bg{fill:#0d1117}text{fill:#e6edf3}.dim{fill:#8d96a0}.grid{stroke:#30363d}\
.row{fill:#161b22}.in{stroke:#79c0ff}.bus.in{fill:#79c0ff}.state{stroke:#7ee787}.bus.state{fill:#7ee787}\
.logic{stroke:#d2a8ff}.bus.logic{fill:#d2a8ff}.bus{fill-opacity:.14}\
.bad{fill:#f85149;fill-opacity:.24}.good{fill:#3fb950;fill-opacity:.24}.loop{fill:#d29922;fill-opacity:.22}\
.mark{stroke:#f85149}.badtext{fill:#f85149}}";

/// The shading of undecided values, on light and on dark.
const HATCH: &str = "<defs><pattern id=\"x\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" \
    patternTransform=\"rotate(45)\"><rect width=\"6\" height=\"6\" fill=\"#d29922\" fill-opacity=\".25\"/>\
    <path d=\"M0 0V6\" stroke=\"#d1242f\" stroke-width=\"2\"/></pattern></defs>\n";

/// Where things are.
struct Sheet<'t> {
    trace: &'t Trace,
    rows: Vec<usize>,
    /// The steps that are shown, each range with its left edge.
    parts: Vec<(Range<usize>, i64)>,
    left: i64,
    step: i64,
}

/// Draws the trace.
pub fn write(trace: &Trace, map: &SourceMap, o: &Options) -> String {
    let sheet = Sheet::new(trace, o);
    let place = trace.place(map);
    let bottom = TOP + sheet.rows.len() as i64 * ROW;
    let height = bottom + 82;
    let notes = notes(trace, sheet.rows.len());
    let longest = notes.iter().map(|n| n.chars().count() as f64 * CHAR).fold(0.0, f64::max);
    let title = trace.headline().chars().count() as f64 * 9.3;
    let width = (title.max(longest) as i64 + 32).max(sheet.right() + 16).max(480);
    let mut out = String::new();
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" role=\"img\">\n<title>{}</title>\n<style>{STYLE}</style>\n\
         <rect class=\"bg\" width=\"{width}\" height=\"{height}\"/>",
        escape(&trace.headline())
    );
    if sheet.rows.iter().any(|s| trace.signals[*s].unstable.is_some()) {
        out.push_str(HATCH);
    }
    let _ = writeln!(out, "<text class=\"title\" x=\"16\" y=\"26\">{}</text>", escape(&trace.headline()));
    let place = place.unwrap_or_else(|| format!("in {}", trace.top));
    let _ = writeln!(out, "<text class=\"dim\" x=\"16\" y=\"46\">{}</text>", escape(&place));
    sheet.background(&mut out, bottom);
    for r in 0..sheet.rows.len() {
        sheet.signal(&mut out, r);
    }
    sheet.mark(&mut out, bottom);
    legend(&mut out, trace, bottom);
    for (n, y) in notes.iter().zip((bottom + 44..).step_by(18)) {
        let _ = writeln!(out, "<text class=\"dim\" x=\"16\" y=\"{y}\">{}</text>", escape(n));
    }
    out.push_str("</svg>\n");
    out
}

impl<'t> Sheet<'t> {
    fn new(trace: &'t Trace, o: &Options) -> Sheet<'t> {
        let rows: Vec<usize> = trace.matters.iter().copied().take(o.rows).collect();
        let label = rows.iter().map(|s| trace.signals[*s].label().chars().count()).max().unwrap_or(0);
        let left = 16 + (label as f64 * CHAR) as i64 + 12;
        let digits = rows.iter().map(|s| trace.signals[*s].width.div_ceil(4) as i64).max().unwrap_or(1);
        // A value may last half a step. Wide buses are cut rather than drawn at any width; the whole value is
        // in the tip.
        let step = (2.0 * (digits as f64 * CHAR + 11.0)) as i64;
        let step = step.clamp(44, 150);
        let mut x = left;
        let mut parts = Vec::new();
        let (head, tail) = trace.excerpt(o.steps);
        for p in [0..head, tail..trace.steps.len()].into_iter().filter(|p| !p.is_empty()) {
            let len = p.len() as i64;
            parts.push((p, x));
            x += len * step + GAP;
        }
        Sheet { trace, rows, parts, left, step }
    }

    fn right(&self) -> i64 {
        self.parts.last().map_or(self.left, |(p, x)| x + p.len() as i64 * self.step)
    }

    /// The place of a time within a part.
    fn x(&self, part: &(Range<usize>, i64), time: u64) -> i64 {
        part.1 + (time as i64 - part.0.start as i64 * STEP as i64) * self.step / STEP as i64
    }

    fn background(&self, out: &mut String, bottom: i64) {
        for r in (0..self.rows.len() as i64).step_by(2) {
            let (y, w) = (TOP + r * ROW, self.right() - 8);
            let _ = writeln!(out, "<rect class=\"row\" x=\"8\" y=\"{y}\" width=\"{w}\" height=\"{ROW}\"/>");
        }
        let last = self.trace.steps.len().saturating_sub(1);
        for part in &self.parts {
            for k in part.0.clone() {
                let x = self.x(part, k as u64 * STEP);
                let class = match self.trace.ending {
                    Ending::Fails if k == last => Some("bad"),
                    Ending::Reached if k == last => Some("good"),
                    Ending::Repeats(from) if k >= from => Some("loop"),
                    _ => None,
                };
                let (y, h) = (TOP - 22, bottom - TOP + 22);
                if let Some(class) = class {
                    let w = self.step;
                    let _ = writeln!(out, "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\"/>");
                }
                let _ = writeln!(out, "<path class=\"grid\" d=\"M{x} {y}V{bottom}\"/>");
                let (mid, y) = (x + self.step / 2, TOP - 8);
                let _ = writeln!(out, "<text class=\"dim mid\" x=\"{mid}\" y=\"{y}\">{k}</text>");
            }
        }
        for (before, after) in self.parts.iter().zip(self.parts.iter().skip(1)) {
            let (x, y) = (after.1 - GAP / 2, TOP - 8);
            let n = after.0.start - before.0.end;
            let _ = writeln!(out, "<text class=\"dim mid\" x=\"{x}\" y=\"{y}\">…<title>{n} steps</title></text>");
        }
    }

    fn signal(&self, out: &mut String, r: usize) {
        let s = &self.trace.signals[self.rows[r]];
        let y = TOP + r as i64 * ROW;
        let (x, base) = (self.left - 10, y + ROW / 2 + 4);
        let _ = writeln!(out, "<text class=\"end\" x=\"{x}\" y=\"{base}\">{}</text>", escape(&s.label()));
        let class = match s.kind {
            Kind::Clock | Kind::Reset | Kind::Input => "in",
            Kind::State => "state",
            Kind::Wire | Kind::Output => "logic",
        };
        for part in &self.parts {
            let runs = self.runs(part, self.rows[r]);
            match s.width {
                1 => wave(out, &runs, class, y),
                _ => runs.iter().for_each(|run| bus(out, run, class, y)),
            }
        }
    }

    /// Where a signal has which value, in one part: left, right, text.
    fn runs(&self, part: &(Range<usize>, i64), signal: usize) -> Vec<(i64, i64, String)> {
        let (from, to) = (part.0.start as u64 * STEP, part.0.end as u64 * STEP);
        let mut runs: Vec<(i64, i64, String)> = Vec::new();
        let inside = self.trace.moments.iter().enumerate().filter(|(_, m)| m.time >= from && m.time < to);
        for (m, moment) in inside {
            let (x, text) = (self.x(part, moment.time), self.trace.shown(m, signal));
            match runs.last_mut() {
                Some(last) if last.2 == text => {}
                Some(last) => {
                    last.1 = x;
                    runs.push((x, x, text));
                }
                None => runs.push((x, x, text)),
            }
        }
        if let Some(last) = runs.last_mut() {
            last.1 = self.x(part, to);
        }
        runs
    }

    /// The line at which the property is decided.
    fn mark(&self, out: &mut String, bottom: i64) {
        let last = self.trace.steps.len().saturating_sub(1);
        if let (Some(part), Ending::Fails) = (self.parts.last(), self.trace.ending) {
            let x = self.x(part, self.trace.time_of(last));
            let _ = writeln!(out, "<path class=\"mark\" d=\"M{x} {TOP}V{bottom}\"/>");
        }
    }
}

fn wave(out: &mut String, runs: &[(i64, i64, String)], class: &str, y: i64) {
    let (high, mid, low) = (y + (ROW - WAVE) / 2, y + ROW / 2, y + (ROW + WAVE) / 2);
    let mut d = String::new();
    for (i, (from, to, v)) in runs.iter().enumerate() {
        let level = match v.as_str() {
            "1" => high,
            "x" => mid,
            _ => low,
        };
        if v == "x" {
            unstable(out, (*from, *to), y);
        }
        let _ = match i {
            0 => write!(d, "M{from} {level}H{to}"),
            _ => write!(d, "V{level}H{to}"),
        };
    }
    let _ = writeln!(out, "<path class=\"wave {class}\" d=\"{d}\"/>");
}

/// Shading where a value is undecided.
fn unstable(out: &mut String, (from, to): (i64, i64), y: i64) {
    let (top, width) = (y + (ROW - WAVE) / 2, to - from);
    let _ = writeln!(
        out,
        "<rect class=\"x\" x=\"{from}\" y=\"{top}\" width=\"{width}\" height=\"{WAVE}\" fill=\"url(#x)\"><title>undecided</title></rect>"
    );
}

fn bus(out: &mut String, (from, to, v): &(i64, i64, String), class: &str, y: i64) {
    let (high, mid, low) = (y + (ROW - WAVE) / 2, y + ROW / 2, y + (ROW + WAVE) / 2);
    if v.contains('x') {
        unstable(out, (*from, *to), y);
    }
    let slant = 4.min((to - from) / 2);
    let (a, b) = (from + slant, to - slant);
    let shape = format!("M{from} {mid}L{a} {high}H{b}L{to} {mid}L{b} {low}H{a}Z");
    let _ = writeln!(out, "<path class=\"bus {class}\" d=\"{shape}\"><title>{v}</title></path>");
    let room = ((to - from - 10) as f64 / CHAR) as usize;
    let text = match v.len() <= room {
        true => v.clone(),
        // The low digits tell more apart.
        false if room >= 3 => format!("…{}", &v[v.len() - (room - 1)..]),
        false => return,
    };
    let (x, base) = ((from + to) / 2, mid + 4);
    let _ = writeln!(out, "<text class=\"mid\" x=\"{x}\" y=\"{base}\">{text}</text>");
}

fn legend(out: &mut String, trace: &Trace, bottom: i64) {
    let y = bottom + 22;
    let mut x = 16;
    for (class, words) in [("in", "inputs"), ("state", "state"), ("logic", "logic and outputs")] {
        let _ = writeln!(out, "<path class=\"wave {class}\" d=\"M{x} {}h18\"/>", y - 4);
        let _ = writeln!(out, "<text class=\"dim\" x=\"{}\" y=\"{y}\">{words}</text>", x + 24);
        x += 44 + (words.len() as f64 * CHAR) as i64;
    }
    let (class, words) = match trace.ending {
        Ending::Fails => ("bad", "fails here"),
        Ending::Reached => ("good", "reached here"),
        Ending::Repeats(_) => ("loop", "repeats for ever"),
    };
    let _ = writeln!(out, "<rect class=\"{class}\" x=\"{x}\" y=\"{}\" width=\"18\" height=\"13\"/>", y - 11);
    let _ = writeln!(out, "<text class=\"dim\" x=\"{}\" y=\"{y}\">{words}</text>", x + 24);
    if trace.signals.iter().any(|s| s.unstable.is_some()) {
        x += 44 + (words.len() as f64 * CHAR) as i64;
        let _ = writeln!(out, "<rect x=\"{x}\" y=\"{}\" width=\"18\" height=\"13\" fill=\"url(#x)\"/>", y - 11);
        let _ = writeln!(out, "<text class=\"dim\" x=\"{}\" y=\"{y}\">undecided</text>", x + 24);
    }
}

/// The lines below the legend.
fn notes(trace: &Trace, rows: usize) -> [String; 2] {
    let more = match trace.matters.len() - rows {
        0 => String::new(),
        n => format!("; {n} more signals are not shown"),
    };
    [format!("a step is {}", trace.step), format!("values are hexadecimal{more}")]
}

fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
