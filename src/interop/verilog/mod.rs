//! Gate-level Verilog-2005: one flat module with the ports of the design.
//!
//! - A gate is a `wire`, a register bit belongs to a `reg` of its source name (hierarchical names
//!   are escaped identifiers), a kept memory is an array. Every other name of the design is a wire
//!   that nothing reads, so that a user finds it. `src` attributes lead back to the source.
//! - Free values are bits of an extra input `entail_free`, which exists only if there are any. So
//!   the file has no `x`: a reader decides what a free value is, and nobody can optimise it away.
//! - A register without an initial value has none here either; a register that no clock ever
//!   moves is a constant, or `anyconst` if it may start with either value.
//! - Assertions are immediate ones under `` `ifdef FORMAL ``.
//!
//! Simulation. If every clock and asynchronous control is an input, the text is the usual one, and
//! as always in Verilog an input that changes at the same instant as the clock races with it. If
//! the design derives clocks or controls, then between them and the registers lies one nonblocking
//! update (`entail_edge_…`), so that data settles first and all registers of one instant sample
//! before any changes, which is the order of [`crate::net::sim`]. Synthesis and formal tools
//! (`SYNTHESIS` or `FORMAL` defined) see plain wires. In the same way a level-sensitive process
//! that only simulators see makes asynchronous controls hold while they are active: with the edges
//! of the standard template alone, releasing a reset would not let an active set through.

mod memory;
mod state;

use super::ident::{self, Scope};
use super::{is_input, range_of, reads_beyond};
use crate::net::{Gate, Lit, Net, Netlist};
use crate::source::{SourceMap, Span};
use crate::word::AssertKind;
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// Writes a netlist as one Verilog module.
pub fn write(net: &Netlist, map: &SourceMap) -> String {
    Writer::new(net, map).module()
}

/// The same, with assertions that simulators check as well.
pub fn write_for_simulation(net: &Netlist, map: &SourceMap) -> String {
    let mut w = Writer::new(net, map);
    w.checks = true;
    w.module()
}

/// A vector as declared in the file.
#[derive(Clone)]
struct Vector {
    /// Verilog text of the name.
    name: String,
    range: Option<(i64, i64)>,
}

impl Vector {
    fn new(name: String, range: Option<(i64, i64)>, width: usize) -> Vector {
        // A range that does not fit the bits, or whose indices are beyond Verilog's integers, is
        // replaced by the plain one.
        let fits = |(l, r): &(i64, i64)| {
            l.abs_diff(*r).checked_add(1) == Some(width as u64) && l.abs() < 1 << 30 && r.abs() < 1 << 30
        };
        let range = range.filter(fits).or((width > 1).then(|| (width as i64 - 1, 0)));
        Vector { name, range }
    }

    /// `[7:0] name`
    fn declared(&self) -> String {
        match self.range {
            Some((l, r)) => format!("[{l}:{r}] {}", self.name),
            None => self.name.clone(),
        }
    }

    fn bit(&self, i: usize) -> String {
        match self.range {
            Some((l, r)) => format!("{}[{}]", self.name, if l >= r { r + i as i64 } else { r - i as i64 }),
            None => self.name.clone(),
        }
    }
}

struct Writer<'a> {
    net: &'a Netlist,
    map: &'a SourceMap,
    scope: Scope,
    out: String,
    /// Verilog text of each gate's output.
    gate: Vec<String>,
    inputs: Vec<Vector>,
    outputs: Vec<Vector>,
    /// The vector of each net that consists of state, and which output it is.
    vectors: FxHashMap<u32, (Vector, Option<usize>)>,
    /// Nets that are declared already under their own name.
    known_nets: Vec<bool>,
    nets_named: FxHashMap<&'a str, Vec<usize>>,
    /// Name of each kept memory's array, and of the words its ports read.
    arrays: Vec<(String, Vec<String>)>,
    /// Declarations of state, in order.
    declared: Vec<String>,
    /// Text of the free values, gates first, then reads beyond memories.
    free: Option<Vector>,
    beyond: Vec<(u32, u32, u32)>,
    /// Clocks and controls are derived, see the module's text.
    derived: bool,
    /// Simulators check assertions.
    checks: bool,
    /// Delayed copies made so far.
    edges: Vec<(Lit, bool, String)>,
    /// Something is written that simulators and other tools see differently.
    guarded: bool,
}

impl<'a> Writer<'a> {
    fn new(net: &'a Netlist, map: &'a SourceMap) -> Writer<'a> {
        let asyncs = net.registers.iter().flat_map(|r| r.asyncs.iter().map(|a| a.0));
        let clocks = net.registers.iter().map(|r| r.clock);
        let writes = net.memories.iter().flat_map(|m| &m.writes).map(|w| w.clock);
        let mut events = clocks.chain(asyncs).chain(writes);
        let derived = events.any(|l| l.as_const().is_none() && !is_input(net, l));
        let mut nets_named: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
        for (i, n) in net.nets.iter().enumerate() {
            nets_named.entry(n.name.as_str()).or_default().push(i);
        }
        Writer {
            net,
            map,
            scope: Scope::default(),
            out: String::new(),
            gate: vec![String::new(); net.gates.len()],
            inputs: Vec::new(),
            outputs: Vec::new(),
            vectors: FxHashMap::default(),
            known_nets: vec![false; net.nets.len()],
            nets_named,
            arrays: Vec::new(),
            declared: Vec::new(),
            free: None,
            beyond: reads_beyond(net),
            derived,
            checks: false,
            edges: Vec::new(),
            guarded: false,
        }
    }

    fn fresh(&mut self, name: &str) -> String {
        ident::verilog(&self.scope.fresh(name))
    }

    /// A line of the body. Writing to a string cannot fail.
    fn line(&mut self, text: impl std::fmt::Display) {
        let _ = writeln!(self.out, "  {text}");
    }

    /// `(* src = "…" *) `, or nothing.
    fn src(&self, span: Span) -> String {
        range_of(self.map, span).map_or(String::new(), |s| format!("(* src = {} *) ", ident::string(&s)))
    }

    fn lit(&self, l: Lit) -> String {
        match l.as_const() {
            Some(v) => format!("1'b{}", v as u32),
            None if l.complement() => format!("~{}", self.gate[l.gate().0 as usize]),
            None => self.gate[l.gate().0 as usize].clone(),
        }
    }

    /// Bits, least significant first, as one expression.
    fn bits(&self, bits: &[Lit]) -> String {
        join(bits.iter().map(|l| self.lit(*l)))
    }

    /// Ports get their names first, so that they keep them.
    fn name_ports(&mut self) {
        let net = self.net;
        for n in &net.inputs {
            let v = Vector::new(self.fresh(&n.name), n.range, n.bits.len());
            for i in 0..n.bits.len() {
                self.gate[n.bits[i].gate().0 as usize] = v.bit(i);
            }
            self.know(n);
            self.inputs.push(v);
        }
        for n in &net.outputs {
            let v = Vector::new(self.fresh(&n.name), n.range, n.bits.len());
            self.know(n);
            self.outputs.push(v);
        }
        let frees = net.frees.len() + self.beyond.len();
        if frees > 0 {
            let v = Vector::new(self.fresh("entail_free"), Some((frees as i64 - 1, 0)), frees);
            for (i, f) in net.frees.iter().enumerate() {
                self.gate[f.gate.0 as usize] = v.bit(i);
            }
            self.free = Some(v);
        }
    }

    /// The net of the same name and bits as a port needs no second declaration.
    fn know(&mut self, n: &Net) {
        for &i in self.nets_named.get(n.name.as_str()).into_iter().flatten() {
            self.known_nets[i] |= self.net.nets[i].bits == n.bits;
        }
    }

    fn name_gates(&mut self) {
        for (i, g) in self.net.gates.iter().enumerate() {
            match *g {
                Gate::And(..) | Gate::Xor(..) | Gate::Mux(..) => self.gate[i] = self.fresh(&format!("n{i}")),
                Gate::Read(m, p, b) => {
                    self.gate[i] = self.fresh(&format!("{}$read{p}[{b}]", self.net.memories[m as usize].name));
                }
                _ => {}
            }
        }
    }

    fn header(&mut self) {
        let net = self.net;
        let mut ports = Vec::new();
        for (n, v) in net.inputs.iter().zip(&self.inputs).filter(|(n, _)| !n.bits.is_empty()) {
            ports.push(format!("{}input {}", self.src(n.span), v.declared()));
        }
        let state: FxHashMap<usize, u32> = self.vectors.iter().filter_map(|(n, (_, o))| Some(((*o)?, *n))).collect();
        for (o, (n, v)) in net.outputs.iter().zip(&self.outputs).enumerate().filter(|(_, (n, _))| !n.bits.is_empty()) {
            let kind = if state.contains_key(&o) { "output reg" } else { "output" };
            let init = state.get(&o).map_or(String::new(), |n| self.initial(*n));
            ports.push(format!("{}{kind} {}{init}", self.src(n.span), v.declared()));
        }
        if let Some(v) = &self.free {
            ports.push(format!("input {}", v.declared()));
        }
        let name = ident::verilog(&net.name);
        let _ = writeln!(self.out, "module {name} (\n  {}\n);", ports.join(",\n  "));
        self.explain_frees();
    }

    fn explain_frees(&mut self) {
        let Some(v) = self.free.clone() else { return };
        self.line("// Values the design leaves open; they may change at any time:");
        for (i, f) in self.net.frees.iter().enumerate() {
            let place = range_of(self.map, f.span).unwrap_or_else(|| "no place in the source".into());
            self.line(format!("// {}: {place}", v.bit(i)));
        }
        for (k, (m, p, b)) in self.beyond.clone().into_iter().enumerate() {
            let name = self.net.memories[m as usize].name.clone();
            self.line(format!(
                "// {}: bit {b} of {name} read beyond its end, port {p}",
                v.bit(self.net.frees.len() + k)
            ));
        }
    }

    fn declarations(&mut self) {
        for d in std::mem::take(&mut self.declared) {
            self.line(d);
        }
    }

    fn gates(&mut self) {
        for (i, g) in self.net.gates.iter().enumerate() {
            let value = match *g {
                Gate::And(a, b) => format!("{} & {}", self.lit(a), self.lit(b)),
                Gate::Xor(a, b) => format!("{} ^ {}", self.lit(a), self.lit(b)),
                Gate::Mux(s, t, e) => format!("{} ? {} : {}", self.lit(s), self.lit(t), self.lit(e)),
                Gate::Read(m, p, b) => self.read(m, p, b),
                _ => continue,
            };
            let src = self.src(self.net.spans[i]);
            // Some readers drop attributes of a declaration with a value.
            let name = &self.gate[i];
            self.line(format!("{src}wire {name}; assign {name} = {value};"));
        }
    }

    fn outputs(&mut self) {
        let state: Vec<usize> = self.vectors.values().filter_map(|(_, o)| *o).collect();
        for (o, n) in self.net.outputs.iter().enumerate().filter(|(o, n)| !state.contains(o) && !n.bits.is_empty()) {
            let value = self.bits(&n.bits);
            self.line(format!("assign {} = {value};", self.outputs[o].name));
        }
    }

    /// Every name of the design that is not yet in the file.
    fn names(&mut self) {
        let net = self.net;
        for (i, n) in net.nets.iter().enumerate() {
            if self.known_nets[i] || n.bits.is_empty() {
                continue;
            }
            let v = Vector::new(self.fresh(&n.name), n.range, n.bits.len());
            let (src, attrs, value) = (self.src(n.span), attributes(n), self.bits(&n.bits));
            self.line(format!("{src}{attrs}wire {}; assign {} = {value};", v.declared(), v.name));
        }
    }

    fn module(mut self) -> String {
        self.name_ports();
        self.name_state();
        self.name_memories();
        self.name_gates();
        self.gates();
        self.state();
        self.memories();
        self.outputs();
        self.names();
        self.asserts();
        let inside = std::mem::take(&mut self.out);
        self.prologue();
        self.header();
        self.declarations();
        self.out + &inside + "endmodule\n"
    }

    fn asserts(&mut self) {
        if self.net.asserts.is_empty() {
            return;
        }
        self.out.push_str("`ifdef FORMAL\n");
        for a in &self.net.asserts {
            let word = match a.kind {
                AssertKind::Assert => "assert",
                AssertKind::Assume => "assume",
                AssertKind::Cover => "cover",
            };
            // Yosys takes no escaped identifier for a label.
            let plain: String = a.name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
            let plain = if ident::verilog(&plain) == plain { plain } else { format!("_{plain}") };
            let label = self.fresh(&plain);
            let when = match a.clock {
                None => "*".to_string(),
                Some(c) if c.as_const().is_some() => continue,
                Some(c) => format!("({})", self.event(c, true)),
            };
            let (src, enable, condition) = (self.src(a.span), self.lit(a.enable), self.lit(a.condition));
            self.line(format!("{src}always @{when} if ({enable}) {label}: {word} ({condition});"));
        }
        if self.checks {
            self.out.push_str("`else\n");
            for a in self.net.asserts.iter().filter(|a| a.kind == AssertKind::Assert) {
                let when = match a.clock {
                    None => "*".to_string(),
                    Some(c) if c.as_const().is_some() => continue,
                    Some(c) => format!("({})", self.event(c, true)),
                };
                let (enable, condition) = (self.lit(a.enable), self.lit(a.condition));
                let name = a.name.replace(['\\', '"', '%'], "_");
                self.line(format!(
                    "always @{when} if ({enable} && !({condition})) $display(\"entail: {name} fails at %0t\", $time);"
                ));
            }
        }
        self.out.push_str("`endif\n");
    }

    fn prologue(&mut self) {
        let text = "// Written by entail. `entail_free`, if there is one, holds values the design leaves open.\n";
        self.out.push_str(text);
        if self.checks {
            self.out.push_str("`timescale 1ns/1ns\n");
        }
        if self.guarded {
            self.out.push_str(
                "// Simulators get processes that settle data before clocks and let controls hold; others do not.\n\
                 `ifdef SYNTHESIS\n`define ENTAIL_PLAIN\n`endif\n`ifdef FORMAL\n`define ENTAIL_PLAIN\n`endif\n",
            );
            // Verilator settles data before clocks by itself, but an asynchronous load must follow
            // its data, for which it needs `--timing` and the processes of other simulators.
            let values = self.net.registers.iter().flat_map(|r| &r.asyncs).map(|a| a.1);
            if values.into_iter().all(|v| v.as_const().is_some()) {
                self.out.push_str("`ifdef VERILATOR\n`define ENTAIL_PLAIN\n`endif\n");
            }
        }
    }
}

/// Bits, least significant first, as a concatenation.
fn join(bits: impl DoubleEndedIterator<Item = String>) -> String {
    let parts: Vec<String> = bits.rev().collect();
    if parts.len() == 1 { parts[0].clone() } else { format!("{{{}}}", parts.join(", ")) }
}

/// Source attributes, `(* keep = "1" *) `.
fn attributes(n: &Net) -> String {
    n.attrs.iter().map(|(k, v)| format!("(* {} = {} *) ", ident::verilog(k), ident::string(v))).collect()
}
