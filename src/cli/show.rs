//! Answers on the terminal, and counterexamples in files.

use crate::engine::Reason;
use crate::engine::prove::{Answer, Settled};
use crate::interop::verilog;
use crate::model::Goal;
use crate::net::Netlist;
use crate::report::words::count;
use crate::source::SourceMap;
use crate::trace::{Trace, bench, fst, gtkw, svg, text, vcd};
use std::path::Path;

/// A word for an answer, and its colour.
fn word(a: &Answer) -> (&'static str, &'static str) {
    match a {
        Answer::Holds => ("holds", "32"),
        Answer::Unchecked => ("holds", "33"),
        Answer::Vacuous => ("vacuous", "33"),
        Answer::HoldsTo(_) | Answer::Unknown(_) => ("unknown", "33"),
        Answer::Fails => ("fails", "31"),
        Answer::Covered => ("covered", "32"),
        Answer::Unreachable => ("unreachable", "31"),
        Answer::Broken(_) => ("broken", "35"),
    }
}

/// More about an answer.
pub fn detail(s: &Settled) -> String {
    let steps = |n: u64| count(n, "step", "steps");
    let length = steps(s.path.as_ref().map_or(0, |p| p.inputs.len() as u64));
    match &s.answer {
        Answer::Holds | Answer::Unreachable => format!("{}, evidence checked", s.engine),
        Answer::Unchecked => format!("{}, unchecked", s.engine),
        Answer::Vacuous => "it never says anything".to_string(),
        Answer::HoldsTo(n) => format!("{}: no failure within {}", s.engine, steps(u64::from(*n))),
        Answer::Fails => format!("{} after {length}", s.engine),
        Answer::Covered => format!("{} in {length}", s.engine),
        Answer::Unknown(Reason::Timeout) => "out of time".to_string(),
        Answer::Unknown(why) => why.to_string(),
        Answer::Broken(why) => format!("internal error: {why}"),
    }
}

/// One line for a property.
pub fn line(goal: &Goal, s: &Settled, map: &SourceMap, seconds: f64, cached: bool, colour: bool) -> String {
    let (word, paint) = word(&s.answer);
    let word = if colour { format!("\x1b[{paint}m{word:<11}\x1b[0m") } else { format!("{word:<11}") };
    let place = map.location(goal.symbol.span).map_or(String::new(), |l| format!(" {}:{}", l.path.display(), l.line));
    let effort = if cached { "known from before".to_string() } else { format!("{seconds:.2} s") };
    format!("{word} {}{place}  ({}, {effort})", goal.symbol.name, detail(s))
}

/// What a testbench must know about the design.
pub struct Setting {
    /// Parameters of the top, as written.
    pub params: Vec<(String, String)>,
    /// Source files.
    pub files: Vec<String>,
    /// Whether the top is VHDL.
    pub vhdl: bool,
    /// Whether the sources alone show the trace; signals in flight are not in them.
    pub bench: bool,
}

/// A trace as a table for the terminal.
pub fn table(trace: &Trace, map: &SourceMap, colours: bool) -> String {
    let width = std::env::var("COLUMNS").ok().and_then(|c| c.parse().ok()).unwrap_or(100);
    text::write(trace, map, &text::Options { width, rows: 16, colours })
}

/// Writes a trace in every form into a folder; returns what was written.
pub fn files(
    trace: &Trace,
    map: &SourceMap,
    folder: &Path,
    name: &str,
    setting: &Setting,
    net: &Netlist,
) -> Result<Vec<String>, String> {
    let clean: String = name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' }).collect();
    let picture = svg::Options { rows: 24, steps: 200 };
    let mut all: Vec<(&str, Vec<u8>)> = vec![
        (".vcd", vcd::write(trace, map).into_bytes()),
        (".fst", fst::write(trace)?),
        (".gtkw", gtkw::write(trace, map, &format!("{clean}.fst"), 24).into_bytes()),
        (".svg", svg::write(trace, map, &picture).into_bytes()),
    ];
    let mut options = bench::Options {
        params: setting.params.clone(),
        files: setting.files.clone(),
        flat: false,
        library: String::new(),
    };
    match (setting.bench, setting.vhdl) {
        (true, true) => all.push(("_tb.vhd", bench::vhdl(trace, map, &options).into_bytes())),
        (true, false) => all.push(("_tb.sv", bench::verilog(trace, map, &options).into_bytes())),
        // The sources do not show it: the netlist that does goes with the bench.
        (false, _) => {
            options.params.clear();
            (options.files, options.flat) = (vec![format!("{clean}_model.v")], true);
            all.push(("_model.v", verilog::write_for_simulation(net, map).into_bytes()));
            all.push(("_tb.sv", bench::verilog(trace, map, &options).into_bytes()));
        }
    }
    std::fs::create_dir_all(folder).map_err(|e| format!("cannot make {}: {e}", folder.display()))?;
    let mut written = Vec::new();
    for (end, bytes) in all {
        let path = folder.join(format!("{clean}{end}"));
        std::fs::write(&path, bytes).map_err(|e| format!("cannot write {}: {e}", path.display()))?;
        written.push(path.display().to_string());
    }
    Ok(written)
}
