//! A run as a picture: a line a process, a box a step, arrows for what had to come before what.
//!
//! Dashed arrows are orders that could be the other way round, with what they are about; plain ones are
//! wake-ups. Dotted verticals are where time goes on.

use super::order::{Order, Why};
use super::trace::{Kind, Run};
use std::fmt::Write;

const ROW: usize = 54;
const COLUMN: usize = 46;
const LEFT: usize = 170;
const TOP: usize = 46;

fn escape(s: &str) -> String {
    s.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// What a race is about, in a word.
pub fn about(why: Why, run: &Run) -> String {
    match why {
        Why::Memory { address, .. } => format!("{address:x}"),
        Why::Event(e) => short(&run.events[e as usize].name),
        Why::Process(p) => short(&run.processes[p as usize].key),
        Why::Waiting => "wait".into(),
        Why::Channel(c) => short(&run.channels[c as usize]),
        Why::Output => "output".into(),
        Why::End => "end".into(),
        Why::Date => "date".into(),
        Why::Everything => "memory".into(),
    }
}

/// The last part of a hierarchical name.
pub fn short(name: &str) -> String {
    name.rsplit('.').next().unwrap_or(name).to_string()
}

/// Draws at most `most` steps of a run. `places` names memory addresses, where known.
pub fn draw(run: &Run, order: &Order, most: usize, date: &dyn Fn(u64) -> String) -> String {
    // Processes that have a step in the picture, in the order they first ran.
    let mut rows: Vec<u32> = Vec::new();
    let mut column: Vec<Option<usize>> = vec![None; order.places.len()];
    let mut columns = 0;
    let mut dates: Vec<(usize, u64)> = Vec::new();
    for (i, p) in order.places.iter().enumerate() {
        let Some((process, _)) = p.step else { continue };
        if columns == most {
            break;
        }
        if dates.last().is_none_or(|d| d.1 != p.time) {
            dates.push((columns, p.time));
        }
        column[i] = Some(columns);
        columns += 1;
        if !rows.contains(&process) {
            rows.push(process);
        }
    }
    let width = LEFT + columns.max(1) * COLUMN + 40;
    let height = TOP + rows.len().max(1) * ROW + 30;
    let y = |process: u32| TOP + rows.iter().position(|&r| r == process).unwrap_or(0) * ROW + ROW / 2;
    let x = |c: usize| LEFT + c * COLUMN + COLUMN / 2;
    let mut out = String::new();
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n<style>\n.bg{{fill:#fff}} text{{fill:#222}} .line{{stroke:#bbb}} \
         .time{{stroke:#777;stroke-dasharray:2 3}} .box{{fill:#e8f0fe;stroke:#3367d6}} .wake{{stroke:#222;fill:none}} \
         .race{{stroke:#c5221f;fill:none;stroke-dasharray:5 3}} .why{{fill:#c5221f;font-size:10px}}\n\
         @media (prefers-color-scheme: dark){{.bg{{fill:#1b1b1b}} text{{fill:#ddd}} .line{{stroke:#444}} \
         .box{{fill:#24344d;stroke:#8ab4f8}} .wake{{stroke:#ddd}} .race{{stroke:#f28b82}} .why{{fill:#f28b82}}}}\n</style>\n\
         <defs><marker id=\"a\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" \
         orient=\"auto-start-reverse\"><path d=\"M0 0L8 4L0 8z\" fill=\"#777\"/></marker></defs>\n\
         <rect class=\"bg\" width=\"{width}\" height=\"{height}\"/>\n"
    );
    for &r in &rows {
        let _ = writeln!(
            out,
            "<text x=\"8\" y=\"{}\">{}</text><line class=\"line\" x1=\"{LEFT}\" x2=\"{}\" y1=\"{y}\" y2=\"{y}\"/>",
            y(r) + 4,
            escape(&run.processes[r as usize].key),
            width - 20,
            y = y(r),
        );
    }
    for (c, t) in &dates {
        let _ = writeln!(
            out,
            "<line class=\"time\" x1=\"{0}\" x2=\"{0}\" y1=\"{1}\" y2=\"{2}\"/><text x=\"{3}\" y=\"{4}\" font-size=\"10\">{5}</text>",
            x(*c) - COLUMN / 2,
            TOP - 8,
            height - 14,
            x(*c) - COLUMN / 2 + 3,
            TOP - 12,
            escape(&date(*t)),
        );
    }
    let at = |i: u32| -> Option<(usize, usize)> {
        let (process, _) = order.places[i as usize].step?;
        Some((x(column[i as usize]?), y(process)))
    };
    // What woke a step, through events and updates.
    let root = |mut i: u32| {
        while order.places[i as usize].step.is_none() {
            match order.places[i as usize].cause {
                Some(c) => i = c,
                None => break,
            }
        }
        i
    };
    let mut arrow = |from: (usize, usize), to: (usize, usize), class: &str, why: &str| {
        let (x1, y1, x2, y2) = (from.0 as i64, from.1 as i64, to.0 as i64, to.1 as i64);
        let bend = if y1 == y2 { -26 } else { 0 };
        let (mx, my) = ((x1 + x2) / 2, (y1 + y2) / 2 + bend);
        // The head at the edge of the box, not under it.
        let (dx, dy) = ((x2 - mx) as f64, (y2 - my) as f64);
        let part = (16.0 / dx.abs().max(0.1)).min(12.0 / dy.abs().max(0.1)).min(1.0);
        let (x2, y2) = (x2 - (dx * part) as i64, y2 - (dy * part) as i64);
        let _ = writeln!(
            out,
            "<path class=\"{class}\" marker-end=\"url(#a)\" d=\"M{x1} {y1}Q{mx} {my} {x2} {y2}\"/>{}",
            if why.is_empty() {
                String::new()
            } else {
                format!("<text class=\"why\" x=\"{}\" y=\"{}\">{}</text>", mx + 3, my - 3, escape(why))
            }
        );
    };
    for (i, p) in order.places.iter().enumerate() {
        if let (Some(to), Some(c)) = (at(i as u32), p.cause)
            && let Some(from) = at(root(c))
        {
            arrow(from, to, "wake", "");
        }
    }
    for r in &order.races {
        if let (Some(from), Some(to)) = (at(r.first), at(r.second)) {
            let why = if matches!(r.why, Why::Memory { .. }) { String::new() } else { about(r.why, run) };
            arrow(from, to, "race", &why);
        }
    }
    for (i, p) in order.places.iter().enumerate() {
        let (Some((cx, cy)), Some((_, n))) = (at(i as u32), p.step) else { continue };
        let _ = writeln!(
            out,
            "<rect class=\"box\" x=\"{}\" y=\"{}\" width=\"30\" height=\"20\" rx=\"3\"/><text x=\"{cx}\" y=\"{}\" \
             text-anchor=\"middle\">{n}</text>",
            cx - 15,
            cy - 10,
            cy + 4
        );
    }
    let steps = run.nodes.iter().filter(|n| matches!(n.kind, Kind::Step { .. })).count();
    if steps > columns {
        let _ = writeln!(out, "<text x=\"8\" y=\"{}\">the first {columns} of {steps} steps</text>", height - 4);
    }
    out.push_str("</svg>\n");
    out
}
