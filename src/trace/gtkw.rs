//! A save file for GTKWave: the signals that matter, in order, and a marker where the property is decided.

use super::tree::clean;
use super::{Ending, Kind, STEP, Trace};
use crate::source::SourceMap;
use std::fmt::Write;

/// One bit, as it is.
const BINARY: &str = "@28";
/// A vector in hexadecimal.
const HEX: &str = "@22";
/// A line of text.
const COMMENT: &str = "@200";

/// Writes the save file for a dump of that name, a VCD or FST file.
pub fn write(trace: &Trace, map: &SourceMap, dump: &str, rows: usize) -> String {
    let line = |text: &str| text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect::<String>();
    let mut out = format!("[*] Written by entail\n[dumpfile] \"{}\"\n[timestart] 0\n", line(dump));
    let last = trace.steps.len().saturating_sub(1);
    let begins = match trace.ending {
        Ending::Repeats(from) => from as u64 * STEP,
        _ => 0,
    };
    // Zoom, the primary marker, then the markers A to Z; -1 is none.
    let named = if begins > 0 { begins.to_string() } else { "-1".to_string() };
    let _ = writeln!(out, "*-4.000000 {} {named}{}", trace.time_of(last), " -1".repeat(25));
    let _ = writeln!(out, "{COMMENT}\n-{}", line(&trace.headline()));
    if let Some(place) = trace.place(map) {
        let _ = writeln!(out, "-{}", line(&place));
    }
    let mut group = "";
    for i in trace.matters.iter().take(rows) {
        let s = &trace.signals[*i];
        let words = if s.kind <= Kind::Reset { "Clocks and resets" } else { "From the property outwards" };
        if group != words {
            group = words;
            let _ = writeln!(out, "{COMMENT}\n-{words}");
        }
        let format = if s.width > 1 { HEX } else { BINARY };
        let _ = writeln!(out, "{format}\n{}.{}", clean(&trace.top), clean(&s.label()));
    }
    out
}
