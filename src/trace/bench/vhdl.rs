//! A bench in VHDL-2008, within what GHDL reads.
//!
//! The netlist does not know the types of ports. So every port is driven by bits through a conversion `to_port`,
//! and the type of the port says which of its overloads is meant. Ports of enumeration and record types have no
//! overload; a simulator will say so.

use super::{Options, changes, head, openings};
use crate::source::SourceMap;
use crate::trace::{Trace, shown};
use crate::word::Bits;
use std::fmt::Write;

const CONVERSIONS: &str = "  \
  function to_port(v : std_logic_vector) return std_ulogic is
  begin
    return v(v'left);
  end function;
  function to_port(v : std_logic_vector) return std_logic_vector is
  begin
    return v;
  end function;
  function to_port(v : std_logic_vector) return unsigned is
  begin
    return unsigned(v);
  end function;
  function to_port(v : std_logic_vector) return signed is
  begin
    return signed(v);
  end function;
  function to_port(v : std_logic_vector) return bit is
  begin
    return to_bit(v(v'left));
  end function;
  function to_port(v : std_logic_vector) return bit_vector is
  begin
    return to_bitvector(v);
  end function;
  function to_port(v : std_logic_vector) return boolean is
  begin
    return v(v'left) = '1';
  end function;
  function to_port(v : std_logic_vector) return integer is
  begin
    return to_integer(unsigned(v));
  end function;
";

/// Writes the bench, entity `entail_bench`.
pub fn write(trace: &Trace, map: &SourceMap, o: &Options) -> String {
    let mut out = String::new();
    let files = if o.files.is_empty() { "DESIGN.vhd".to_string() } else { o.files.join(" ") };
    let command = format!("ghdl -c --std=08 {files} BENCH.vhd -r entail_bench --assert-level=error");
    for line in head(trace, map, &command) {
        let _ = writeln!(out, "-- {line}");
    }
    let open = openings(trace);
    if !open.is_empty() {
        out.push_str(
            "-- The design gives these no initial value. Where the failure needs them, give them one there:\n",
        );
        for o in open {
            let s = &trace.signals[o.signal];
            let value = match o.whole(trace) {
                Some(v) => v.to_binary(),
                None => o.bits.iter().rev().map(|(i, v)| format!("bit {i} {} ", *v as u8)).collect(),
            };
            let _ = writeln!(out, "--   {} := \"{}\"", s.name.replace(char::is_control, " "), value.trim_end());
        }
    }
    out.push_str("library ieee;\nuse ieee.std_logic_1164.all;\nuse ieee.numeric_std.all;\n");
    out.push_str("entity entail_bench is\nend entity;\narchitecture replay of entail_bench is\n");
    out.push_str(CONVERSIONS);
    let mut ports = Vec::new();
    for (i, s) in trace.signals.iter().enumerate().filter(|(_, s)| s.port.is_some()) {
        let name = identifier(&s.name);
        if s.port == Some(true) {
            let _ = writeln!(
                out,
                "  signal {name} : std_logic_vector({} downto 0) := {};",
                s.width - 1,
                literal(&trace.value(0, i))
            );
            ports.push(format!("      {name} => to_port({name})"));
        } else {
            ports.push(format!("      {name} => open"));
        }
    }
    let library = if o.library.is_empty() { "work" } else { &o.library };
    let generics: Vec<String> = o.params.iter().map(|(n, v)| format!("{} => {v}", identifier(n))).collect();
    let _ = writeln!(out, "begin\n  entail_dut : entity {library}.{}", identifier(&trace.top));
    if !generics.is_empty() {
        let _ = writeln!(out, "    generic map ({})", generics.join(", "));
    }
    let _ = writeln!(out, "    port map (\n{}\n    );\n  process\n  begin", ports.join(",\n"));
    stimulus(&mut out, trace);
    out.push_str("    report \"entail: end of the trace\" severity note;\n    wait;\n");
    out.push_str("  end process;\nend architecture;\n");
    out
}

fn stimulus(out: &mut String, trace: &Trace) {
    let mut now = 0;
    for c in changes(trace) {
        if c.time > now {
            let _ = writeln!(out, "    wait for {} ns;", c.time - now);
            now = c.time;
        }
        if let Some(step) = c.step {
            let _ = writeln!(out, "    -- Step {step}.");
        }
        if c.time == 0 {
            continue; // The signals start so.
        }
        let joint = if c.after.is_empty() { "" } else { " -- joint" };
        let assign = |(s, v): &(usize, Bits)| format!("{} <= {};", identifier(&trace.signals[*s].name), literal(v));
        let texts: Vec<String> = c.data.iter().chain(&c.after).map(assign).collect();
        if !texts.is_empty() {
            let _ = writeln!(out, "    {}{joint}", texts.join(" "));
        }
    }
}

fn literal(v: &Bits) -> String {
    if v.width().is_multiple_of(4) { format!("x\"{}\"", shown(v, None)) } else { format!("\"{}\"", v.to_binary()) }
}

/// The name, as an extended identifier if it is no basic one.
fn identifier(name: &str) -> String {
    let mut chars = name.chars();
    let basic = chars.next().is_some_and(|c| c.is_ascii_alphabetic())
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !name.contains("__")
        && !name.ends_with('_');
    if basic || name.starts_with('\\') { name.to_string() } else { format!("\\{name}\\") }
}
