//! A bench in SystemVerilog, within what Icarus reads.
//!
//! Clocks are declared with their first level, so that it is no edge; everything else starts as `x`, so that
//! an asynchronous control that is active from the start has an edge to act on. A clock that must tick
//! together with data does so after `#0`: by then what data drives has settled, and no nonblocking update has
//! happened, which is the order of [`crate::net::sim`].

use super::{Options, changes, head, openings};
use crate::interop::ident;
use crate::source::SourceMap;
use crate::trace::{Kind, Signal, Trace};
use crate::word::Bits;
use std::fmt::Write;

const SET: &str = "`ENTAIL_SET";
/// Verilator knows no deposits, and takes an assignment instead if it is told not to mind.
const SET_TEXT: &str = "\
// With Verilator: verilator --binary --assert -Wno-fatal -Wno-BLKANDNBLK -Wno-ENUMVALUE --top-module entail_bench ...
`ifdef VERILATOR
`define ENTAIL_SET(signal, value) signal = value
`else
`define ENTAIL_SET(signal, value) $deposit(signal, value)
`endif
";

/// Writes the bench, module `entail_bench`.
pub fn write(trace: &Trace, map: &SourceMap, o: &Options) -> String {
    let mut out = String::new();
    let files = if o.files.is_empty() { "DESIGN.sv".to_string() } else { o.files.join(" ") };
    let command = format!("iverilog -g2012 -s entail_bench -o bench.vvp {files} BENCH.sv && vvp bench.vvp");
    for line in head(trace, map, &command) {
        let _ = writeln!(out, "// {line}");
    }
    out.push_str("// A failing assertion of the design is reported by the simulator.\n`timescale 1ns/1ns\n");
    let ports: Vec<&Signal> = trace.signals.iter().filter(|s| s.port.is_some()).collect();
    let mut dut = "dut".to_string();
    while ports.iter().any(|s| s.name == dut) {
        dut.push('_');
    }
    let mut set = String::new();
    deposits(&mut set, trace, map, &dut, o.flat);
    if set.contains(SET) {
        out.push_str(SET_TEXT);
    }
    out.push_str("module entail_bench;\n");
    for (i, s) in trace.signals.iter().enumerate().filter(|(_, s)| s.port.is_some()) {
        let name = ident::verilog(&s.name);
        let range = if s.width > 1 { format!("[{}:0] ", s.width - 1) } else { String::new() };
        match (s.port, s.kind) {
            (Some(true), Kind::Clock) => {
                let _ = writeln!(out, "  reg {range}{name} = {};", literal(&trace.value(0, i)));
            }
            (Some(true), _) => drop(writeln!(out, "  reg {range}{name};")),
            _ => drop(writeln!(out, "  wire {range}{name};")),
        }
    }
    let params: Vec<String> = o.params.iter().map(|(n, v)| format!(".{}({v})", ident::verilog(n))).collect();
    let params = if params.is_empty() { String::new() } else { format!("#({}) ", params.join(", ")) };
    let map_of = |s: &&Signal| format!("    .{0}({0})", ident::verilog(&s.name));
    let connections: Vec<String> = ports.iter().map(map_of).collect();
    let _ = writeln!(out, "  {} {params}{dut} (\n{}\n  );", ident::verilog(&trace.top), connections.join(",\n"));
    if set.contains("entail_i") {
        out.push_str("  integer entail_i;\n");
    }
    out.push_str("  initial begin\n");
    out.push_str(&set);
    stimulus(&mut out, trace, &dut, o.flat);
    out.push_str("    $display(\"entail: end of the trace\");\n    $finish;\n  end\nendmodule\n");
    out
}

fn literal(v: &Bits) -> String {
    if v.width() == 1 { format!("1'b{}", v.bit(0) as u8) } else { v.to_string() }
}

/// Looks at what should have been, in the middle between two changes.
fn checks(out: &mut String, trace: &Trace, step: usize, dut: &str, flat: bool) {
    for e in trace.expected.iter().filter(|e| e.step == step) {
        let s = &trace.signals[e.signal];
        let name = if flat { Some(format!("{dut}.{}", ident::verilog(&s.name))) } else { path(dut, &s.name) };
        let name = if s.port.is_some() { Some(ident::verilog(&s.name)) } else { name };
        let Some(name) = name else { continue };
        // Words of an array have no bits by one number.
        let index = match s.range {
            Some((l, r)) if l >= r => format!("[{}]", r + e.bit as i64),
            Some((_, r)) => format!("[{}]", r - e.bit as i64),
            None if s.width == 1 => String::new(),
            None if s.port.is_some() => format!("[{}]", e.bit),
            None => continue,
        };
        let shown = format!("{}{index}", s.name).replace(['"', '\\', '%'], "?");
        let _ = writeln!(
            out,
            "    if ({name}{index} !== 1'b{v}) $display(\"entail: FAIL: {shown} is %b in step {step}, expected {v}\", {name}{index});",
            v = e.value as u8
        );
    }
}

fn stimulus(out: &mut String, trace: &Trace, dut: &str, flat: bool) {
    let mut now = 0;
    let mut step = None;
    for c in changes(trace) {
        if let Some(s) = step.filter(|s| c.time > now && trace.expected.iter().any(|e| e.step == *s)) {
            // Long enough to settle, and before anything changes.
            let _ = writeln!(out, "    #2;");
            now += 2;
            checks(out, trace, s, dut, flat);
            step = None;
        }
        step = c.step.or(step);
        if c.time > now {
            let _ = writeln!(out, "    #{};", c.time - now);
            now = c.time;
        }
        if let Some(step) = c.step {
            let _ = writeln!(out, "    // Step {step}.");
        }
        let assign = |(s, v): &(usize, Bits)| format!("{} = {};", ident::verilog(&trace.signals[*s].name), literal(v));
        let texts: Vec<String> = c.data.iter().map(assign).collect();
        if !texts.is_empty() {
            let _ = writeln!(out, "    {}", texts.join(" "));
        }
        let texts: Vec<String> = c.after.iter().map(assign).collect();
        if !texts.is_empty() {
            let _ = writeln!(out, "    #0; // joint\n    {}", texts.join(" "));
        }
    }
}

/// A hierarchical name: each part escaped by itself, indices of generate blocks left as they are.
fn path(dut: &str, name: &str) -> Option<String> {
    let mut out = dut.to_string();
    for part in name.split('.') {
        let (base, index) = part.split_once('[').map_or((part, ""), |(b, _)| (b, &part[b.len()..]));
        // What no source has declared has no name there either.
        if base.is_empty() || !part.chars().all(|c| c.is_ascii_graphic() && c != ':') {
            return None;
        }
        let _ = write!(out, ".{}{index}", ident::verilog(base));
    }
    Some(out)
}

/// The array and the position of a word of it.
fn word_of(path: &str) -> Option<(&str, &str)> {
    path.strip_suffix(']')?.rsplit_once('[')
}

/// How the dimension of an array was declared.
#[derive(Clone, Copy, PartialEq)]
enum Array {
    /// `[4]` or `[0:3]`: the last element is the lowest part of the value.
    Ascending,
    /// `[3:0]`
    Descending,
    /// Several dimensions, or bounds that cannot be read off the text.
    Unknown,
}

/// Reads on behind the name that was declared. A simulator could be asked, but Icarus takes `[4]` for `[3:0]`.
fn array(map: &SourceMap, s: &Signal) -> Option<Array> {
    let rest = map.get(s.span.file)?.text.get(s.span.hi as usize..)?;
    let (dimension, rest) = rest.trim_start().strip_prefix('[')?.split_once(']')?;
    if rest.trim_start().starts_with('[') {
        return Some(Array::Unknown);
    }
    let Some((l, r)) = dimension.split_once(':') else { return Some(Array::Ascending) };
    match (l.trim().parse::<i64>(), r.trim().parse::<i64>()) {
        (Ok(l), Ok(r)) if l < r => Some(Array::Ascending),
        (Ok(_), Ok(_)) => Some(Array::Descending),
        // By custom one bound is 0, and the other is not.
        (Ok(0), Err(_)) => Some(Array::Ascending),
        (Err(_), Ok(0)) => Some(Array::Descending),
        _ => Some(Array::Unknown),
    }
}

fn deposits(out: &mut String, trace: &Trace, map: &SourceMap, dut: &str, flat: bool) {
    let all = openings(trace);
    if !all.is_empty() {
        out.push_str("    // State that the design gives no initial value.\n");
    }
    for o in all {
        let s = &trace.signals[o.signal];
        let array = if flat { None } else { array(map, s) };
        let name = if flat { Some(format!("{dut}.{}", ident::verilog(&s.name))) } else { path(dut, &s.name) };
        let Some(path) = name.filter(|p| array != Some(Array::Unknown) || word_of(p).is_some()) else {
            let _ = writeln!(out, "    // {} cannot be set from here.", s.name.replace(char::is_control, " "));
            continue;
        };
        match o.whole(trace) {
            Some(v) if !flat && word_of(&path).is_some() => {
                // A word of a memory, counted from the lowest index.
                let (array, n) = word_of(&path).unwrap_or((&path, "0"));
                let _ = writeln!(out, "    {array}[$low({array}) + {n}] = {};", literal(&v));
            }
            Some(v) if array.is_some() => {
                let index = if array == Some(Array::Ascending) { "$high({}) -" } else { "$low({}) +" };
                let index = index.replace("{}", &path);
                let _ = writeln!(
                    out,
                    "    for (entail_i = 0; entail_i < $size({path}); entail_i = entail_i + 1)\n      \
                     {path}[{index} entail_i] = {v} >> (entail_i * ({} / $size({path})));",
                    s.width
                );
            }
            Some(v) if flat => drop(writeln!(out, "    {path} = {};", literal(&v))),
            // Whole signals may be enumerations, which take no plain assignment.
            Some(v) => drop(writeln!(out, "    `ENTAIL_SET({path}, {});", literal(&v))),
            None => {
                for (bit, v) in o.bits {
                    let index = match s.range {
                        Some((l, r)) if l >= r => r + bit as i64,
                        Some((_, r)) => r - bit as i64,
                        None => bit as i64,
                    };
                    let _ = writeln!(out, "    {path}[{index}] = 1'b{};", v as u8);
                }
            }
        }
    }
}
