//! The netlist JSON of Yosys (`write_json`, `read_json`): one flat module of single-bit cells.
//!
//! Registers are `$_DFF_…_` cells, with one asynchronous control of constant value
//! `$_DFF_…0_`/`…1_`, with more or other controls `$_ALDFF_…_` whose load is active while any
//! control is and whose data is that of the first active one. Latches are `$_DLATCH_P_`. Initial
//! values are `init` attributes of the net that carries the register. Free values are the extra
//! input `entail_free`. Assertions are `$assert`, `$assume` and `$cover` cells; one with a clock
//! looks at registers that sampled it at the edge, as Yosys itself does. A register that no clock
//! moves is a constant, or `$anyconst` if it may start with either value. A kept memory is a
//! `$mem_v2` cell; a read beyond its end gives a free value.

mod memory;

use super::{ident::Scope, range_of, reads_beyond};
use crate::net::{Gate, Lit, Net, Netlist, Register};
use crate::source::{Diagnostic, SourceMap, Span};
use crate::word::AssertKind;
use rustc_hash::FxHashMap;
use serde_json::{Map, Value, json};

/// Writes a netlist in Yosys' format. Every netlist can be written.
pub fn write(net: &Netlist, map: &SourceMap) -> Result<String, Diagnostic> {
    let mut w = Writer {
        net,
        map,
        bits: Vec::new(),
        next: 2,
        inverse: FxHashMap::default(),
        cells: Map::new(),
        nets: Map::new(),
        cell_names: Scope::default(),
        net_names: Scope::default(),
        beyond: reads_beyond(net),
        beyond_bits: Vec::new(),
    };
    w.number();
    let ports = w.ports();
    w.gates();
    net.registers.iter().for_each(|r| w.register(r));
    w.latches();
    w.memories();
    w.names();
    w.asserts();
    let mut modules = Map::new();
    let attributes = json!({ "top": number(1) });
    let module = json!({ "attributes": attributes, "ports": ports, "cells": w.cells, "netnames": w.nets });
    modules.insert(net.name.to_string(), module);
    let all = json!({ "creator": "entail", "modules": modules });
    let mut text = serde_json::to_string_pretty(&all).expect("plain values");
    text.push('\n');
    Ok(text)
}

struct Writer<'a> {
    net: &'a Netlist,
    map: &'a SourceMap,
    /// Each gate's bit: a number, or "0" or "1".
    bits: Vec<Value>,
    next: u64,
    /// Outputs of inverters made so far.
    inverse: FxHashMap<u32, Value>,
    cells: Map<String, Value>,
    nets: Map<String, Value>,
    cell_names: Scope,
    net_names: Scope,
    /// Reads beyond a memory (memory, port, bit) and the free bits they give.
    beyond: Vec<(u32, u32, u32)>,
    beyond_bits: Vec<Value>,
}

/// A register that never changes.
fn is_fixed(r: &Register) -> bool {
    r.clock.as_const().is_some() && r.asyncs.is_empty()
}

impl Writer<'_> {
    fn fresh(&mut self) -> Value {
        self.next += 1;
        json!(self.next - 1)
    }

    fn number(&mut self) {
        for g in &self.net.gates {
            let fixed = match *g {
                Gate::False => Some(false),
                Gate::Register(r) => Some(&self.net.registers[r as usize]).filter(|r| is_fixed(r)).and_then(|r| r.init),
                _ => None,
            };
            let bit = fixed.map_or_else(|| self.fresh(), |v| json!(if v { "1" } else { "0" }));
            self.bits.push(bit);
        }
    }

    fn lit(&mut self, l: Lit) -> Value {
        if let Some(v) = l.as_const() {
            return json!(if v { "1" } else { "0" });
        }
        let plain = self.bits[l.gate().0 as usize].clone();
        match (l.complement(), plain.as_str()) {
            (false, _) => plain,
            (true, Some(v)) => json!(if v == "1" { "0" } else { "1" }),
            (true, None) => {
                if let Some(v) = self.inverse.get(&l.gate().0) {
                    return v.clone();
                }
                let out = self.fresh();
                self.cell("$_NOT_", &[("A", plain)], ("Y", out.clone()), Span::NONE);
                self.inverse.insert(l.gate().0, out.clone());
                out
            }
        }
    }

    fn attributes(&self, span: Span) -> Map<String, Value> {
        range_of(self.map, span).into_iter().map(|s| ("src".to_string(), json!(text(&s)))).collect()
    }

    /// A cell of one-bit ports with a name of its own.
    fn cell(&mut self, kind: &str, inputs: &[(&str, Value)], output: (&str, Value), span: Span) {
        let name = self.cell_names.fresh(&format!("$entail${}", self.cells.len()));
        let parameters = if kind == "$anyconst" { json!({ "WIDTH": number(1) }) } else { json!({}) };
        let one = |v: &Value| json!([v]);
        let inputs: Vec<_> = inputs.iter().map(|(p, v)| (*p, one(v))).collect();
        let output = if output.0.is_empty() { output } else { (output.0, one(&output.1)) };
        self.named_cell(name, kind, parameters, &inputs, output, span);
    }

    /// A cell with one output, or none if its port has no name.
    fn named_cell(
        &mut self,
        name: String,
        kind: &str,
        parameters: Value,
        inputs: &[(&str, Value)],
        output: (&str, Value),
        span: Span,
    ) {
        let mut directions = Map::new();
        let mut connections = Map::new();
        for (port, bit) in inputs {
            directions.insert(port.to_string(), json!("input"));
            connections.insert(port.to_string(), bit.clone());
        }
        if !output.0.is_empty() {
            directions.insert(output.0.into(), json!("output"));
            connections.insert(output.0.into(), output.1);
        }
        let cell = json!({
            "hide_name": name.starts_with('$') as u32,
            "type": kind,
            "parameters": parameters,
            "attributes": self.attributes(span),
            "port_directions": directions,
            "connections": connections,
        });
        self.cells.insert(name, cell);
    }

    fn ports(&mut self) -> Value {
        let net = self.net;
        let mut ports = Map::new();
        let mut names = Scope::default();
        for (direction, list) in [("input", &net.inputs), ("output", &net.outputs)] {
            for n in list.iter().filter(|n| !n.bits.is_empty()) {
                let bits: Vec<Value> = n.bits.iter().map(|l| self.lit(*l)).collect();
                let name = names.fresh(&n.name);
                let mut port = shape(n);
                port.insert("direction".into(), json!(direction));
                port.insert("bits".into(), json!(bits));
                // Attributes live with the net of the port's name.
                self.net_entry(name.clone(), n, bits, None);
                ports.insert(name, Value::Object(port));
            }
        }
        self.beyond_bits = (0..self.beyond.len()).map(|_| self.fresh()).collect();
        let mut bits: Vec<Value> = net.frees.iter().map(|f| self.bits[f.gate.0 as usize].clone()).collect();
        bits.extend(self.beyond_bits.iter().cloned());
        if !bits.is_empty() {
            let name = names.fresh("entail_free");
            ports.insert(name.clone(), json!({ "direction": "input", "bits": bits }));
            self.net_names.fresh(&name);
            self.nets.insert(name, json!({ "hide_name": 0, "bits": bits, "attributes": {} }));
        }
        Value::Object(ports)
    }

    fn net_entry(&mut self, name: String, n: &Net, bits: Vec<Value>, init: Option<String>) {
        let name = self.net_names.fresh(&name);
        let mut attributes = self.attributes(n.span);
        attributes.extend(n.attrs.iter().map(|(k, v)| (k.to_string(), json!(text(v)))));
        if let Some(init) = init {
            attributes.insert("init".into(), json!(init));
        }
        let mut entry = shape(n);
        entry.insert("hide_name".into(), json!(0));
        entry.insert("bits".into(), json!(bits));
        entry.insert("attributes".into(), Value::Object(attributes));
        self.nets.insert(name, Value::Object(entry));
    }

    fn gates(&mut self) {
        let net = self.net;
        for (i, g) in net.gates.iter().enumerate() {
            let out = ("Y", self.bits[i].clone());
            let span = net.spans[i];
            match *g {
                Gate::And(a, b) => {
                    let inputs = [("A", self.lit(a)), ("B", self.lit(b))];
                    self.cell("$_AND_", &inputs, out, span);
                }
                Gate::Xor(a, b) => {
                    let inputs = [("A", self.lit(a)), ("B", self.lit(b))];
                    self.cell("$_XOR_", &inputs, out, span);
                }
                Gate::Mux(s, t, e) => {
                    let inputs = [("A", self.lit(e)), ("B", self.lit(t)), ("S", self.lit(s))];
                    self.cell("$_MUX_", &inputs, out, span);
                }
                _ => {}
            }
        }
    }

    /// The plain bit of a clock or control, and `P` or `N` for its active level.
    fn active(&self, l: Lit) -> (Value, char) {
        (self.bits[l.gate().0 as usize].clone(), if l.complement() { 'N' } else { 'P' })
    }

    fn register(&mut self, r: &Register) {
        let out = ("Q", self.bits[r.gate.0 as usize].clone());
        if is_fixed(r) {
            if r.init.is_none() {
                self.cell("$anyconst", &[], ("Y", out.1), r.span);
            }
            return;
        }
        if r.clock.as_const().is_some() {
            let (load, data) = self.load(r);
            return self.cell("$_DLATCH_P_", &[("E", load), ("D", data)], out, r.span);
        }
        let (clock, c) = self.active(r.clock);
        let next = self.lit(r.next);
        match r.asyncs.as_slice() {
            [] => self.cell(&format!("$_DFF_{c}_"), &[("C", clock), ("D", next)], out, r.span),
            [(on, value)] if on.as_const().is_none() && value.as_const().is_some() => {
                let (reset, p) = self.active(*on);
                let v = (*value == Lit::TRUE) as u32;
                let inputs = [("C", clock), ("R", reset), ("D", next)];
                self.cell(&format!("$_DFF_{c}{p}{v}_"), &inputs, out, r.span);
            }
            _ => {
                let (load, data) = self.load(r);
                let inputs = [("C", clock), ("L", load), ("AD", data), ("D", next)];
                self.cell(&format!("$_ALDFF_{c}P_"), &inputs, out, r.span);
            }
        }
    }

    /// When any control is active, and the value of the first active one.
    fn load(&mut self, r: &Register) -> (Value, Value) {
        let (mut load, mut data) = (json!("0"), json!("x"));
        for (k, &(on, value)) in r.asyncs.iter().rev().enumerate() {
            let (on, value) = (self.lit(on), self.lit(value));
            if k == 0 {
                (load, data) = (on, value);
                continue;
            }
            let (any, chosen) = (self.fresh(), self.fresh());
            self.cell("$_OR_", &[("A", on.clone()), ("B", load)], ("Y", any.clone()), r.span);
            self.cell("$_MUX_", &[("A", data), ("B", value), ("S", on)], ("Y", chosen.clone()), r.span);
            (load, data) = (any, chosen);
        }
        (load, data)
    }

    fn latches(&mut self) {
        for l in &self.net.latches {
            let out = ("Q", self.bits[l.gate.0 as usize].clone());
            let inputs = [("E", self.lit(l.enable)), ("D", self.lit(l.data))];
            self.cell("$_DLATCH_P_", &inputs, out, l.span);
        }
    }

    /// Named nets; the net that carries a register has its initial value.
    fn names(&mut self) {
        let net = self.net;
        let mut init: FxHashMap<(u32, u32), bool> = FxHashMap::default();
        let registers = net.registers.iter().filter(|r| !is_fixed(r)).map(|r| (r.net, r.gate, r.init));
        for (at, gate, value) in registers.chain(net.latches.iter().map(|l| (l.net, l.gate, l.init))) {
            let Some(value) = value else { continue };
            if net.nets[at.0 as usize].bits[at.1 as usize] == Lit::new(gate, false) {
                init.insert(at, value);
            } else {
                // Only the complement has a name.
                let name = self.net_names.fresh(&format!("{}$state", net.nets[at.0 as usize].bit_name(at.1)));
                let bits = [self.bits[gate.0 as usize].clone()];
                let attributes = json!({ "init": (value as u32).to_string() });
                self.nets.insert(name, json!({ "hide_name": 0, "bits": bits, "attributes": attributes }));
            }
        }
        let ports: FxHashMap<&str, &Net> =
            net.inputs.iter().chain(&net.outputs).map(|p| (p.name.as_str(), p)).collect();
        for (i, n) in net.nets.iter().enumerate().filter(|(_, n)| !n.bits.is_empty()) {
            let digit = |b: u32| init.get(&(i as u32, b)).map_or('x', |v| if *v { '1' } else { '0' });
            let digits: String = (0..n.bits.len() as u32).rev().map(digit).collect();
            let has_init = digits.contains(['0', '1']);
            // The net of a port is there already; it only lacks initial values.
            if ports.get(n.name.as_str()).is_some_and(|p| p.bits == n.bits)
                && let Some(entry) = self.nets.get_mut(n.name.as_str())
            {
                if has_init {
                    entry["attributes"]["init"] = json!(digits);
                }
                continue;
            }
            let bits = n.bits.iter().map(|l| self.lit(*l)).collect();
            self.net_entry(n.name.to_string(), n, bits, has_init.then_some(digits));
        }
    }

    fn asserts(&mut self) {
        for a in &self.net.asserts {
            let kind = match a.kind {
                AssertKind::Assert => "$assert",
                AssertKind::Assume => "$assume",
                AssertKind::Cover => "$cover",
            };
            let (mut condition, mut enable) = (self.lit(a.condition), self.lit(a.enable));
            match a.clock {
                Some(c) if c.as_const().is_some() => continue,
                Some(c) => {
                    let (clock, letter) = self.active(c);
                    let ff = format!("$_DFF_{letter}_");
                    let (held, on) = (self.fresh(), self.fresh());
                    self.cell(&ff, &[("C", clock.clone()), ("D", condition)], ("Q", held.clone()), a.span);
                    self.cell(&ff, &[("C", clock), ("D", enable)], ("Q", on.clone()), a.span);
                    // Before the first edge nothing was sampled.
                    let name = self.net_names.fresh(&format!("{}$sampled", a.name));
                    self.nets.insert(name, json!({ "hide_name": 0, "bits": [on], "attributes": { "init": "0" } }));
                    (condition, enable) = (held, on);
                }
                None => {}
            }
            // Properties keep their own names.
            let name = self.cell_names.fresh(&a.name);
            let inputs = [("A", json!([condition])), ("EN", json!([enable]))];
            self.named_cell(name, kind, json!({}), &inputs, ("", Value::Null), a.span);
        }
    }
}

/// A number as a parameter.
fn number(n: usize) -> String {
    format!("{n:032b}")
}

/// Declared index range in Yosys' words.
fn shape(n: &Net) -> Map<String, Value> {
    let mut m = Map::new();
    if let Some((l, r)) = n.range.filter(|(l, r)| l.abs_diff(*r) + 1 == n.bits.len() as u64) {
        let low = l.min(r);
        if low != 0 {
            m.insert("offset".into(), json!(low));
        }
        if l < r {
            m.insert("upto".into(), json!(1));
        }
    }
    m
}

/// Yosys takes a string of binary digits for a number unless a space follows it.
fn text(s: &str) -> String {
    let numeric = s.trim_end_matches(' ').chars().all(|c| "01xz".contains(c));
    if numeric { format!("{s} ") } else { s.to_string() }
}
