//! The census: how much of a design belongs to which clock and which reset, what goes between, and what could not be
//! placed. It tells "clean" from "nothing to check".

use super::crossing::{End, Structure};
use super::domains::{DomainId, NONE, input_name};
use super::findings::Found;
use super::paths;
use super::sdc::Relation;
use crate::net::{Gate, GateId, Lit};
use crate::report::words::count;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Registers under one asynchronous reset.
#[derive(Default)]
struct Reset {
    registers: usize,
    clocks: BTreeSet<DomainId>,
}

/// The census as text.
pub fn write(s: &Structure, found: &Found) -> String {
    let mut out = String::new();
    clocks(s, &mut out);
    resets(s, &mut out);
    between(s, found, &mut out);
    unplaced(s, &mut out);
    out
}

fn clocks(s: &Structure, out: &mut String) {
    let _ = writeln!(
        out,
        "{:<24} {:>9} {:>7} {:>6} {:>7} {:>8}",
        "clock", "registers", "latches", "ports", "inputs", "outputs"
    );
    for (i, x) in s.domains.list.iter().enumerate() {
        if i == 0 && x.registers + x.latches + x.ports + x.inputs + x.outputs == 0 {
            continue;
        }
        let row = (x.registers, x.latches, x.ports, x.inputs, x.outputs);
        let _ = writeln!(out, "{:<24} {:>9} {:>7} {:>6} {:>7} {:>8}", x.name, row.0, row.1, row.2, row.3, row.4);
    }
}

/// Asynchronous resets, each with who it resets; a reset that logic makes is named by its gate.
fn resets(s: &Structure, out: &mut String) {
    let names = s.net.names();
    let mut of: BTreeMap<String, Reset> = BTreeMap::new();
    let mut without = 0;
    for (i, r) in s.net.registers.iter().enumerate().filter(|(_, r)| s.hard[r.gate.0 as usize]) {
        let active: Vec<Lit> = r.asyncs.iter().map(|a| a.0).filter(|l| l.as_const().is_none()).collect();
        without += active.is_empty() as usize;
        for l in active {
            let name = match s.is_leaf(l.gate()) {
                true => names.or_number(Lit::new(l.gate(), false)),
                false => format!("{} (logic)", names.or_number(Lit::new(l.gate(), false))),
            };
            let x = of.entry(name).or_default();
            x.registers += 1;
            x.clocks.insert(s.domains.register[i]);
        }
    }
    if of.is_empty() {
        return;
    }
    let _ = writeln!(out, "{:<24} {:>9}  clocks of the registers", "asynchronous reset", "registers");
    for (name, x) in of {
        let clocks: Vec<&str> = x.clocks.iter().map(|d| s.domains.list[*d as usize].name.as_str()).collect();
        let _ = writeln!(out, "{name:<24} {:>9}  {}", x.registers, clocks.join(", "));
    }
    let _ = writeln!(out, "{:<24} {without:>9}", "none");
}

fn between(s: &Structure, found: &Found, out: &mut String) {
    let d = s.domains;
    let ends: Vec<(End, DomainId)> = found.captures.iter().map(|c| (c.end, c.domain)).collect();
    for ((from, to), p) in &paths::critical(s, &ends).pairs {
        let (a, b) = (&d.list[*from as usize].name, &d.list[*to as usize].name);
        let _ = writeln!(
            out,
            "{a} -> {b}: {} {} from {} to {}, the longest has {}",
            p.paths,
            if p.paths == 1 { "path" } else { "paths" },
            count(p.launches as u64, "sender", "senders"),
            count(p.captures as u64, "capture", "captures"),
            count(p.longest as u64, "gate", "gates")
        );
    }
    for (i, a) in d.list.iter().enumerate().skip(1).filter(|_| d.declared) {
        for (j, b) in d.list.iter().enumerate().skip(i + 1) {
            let how = match d.relation(i as u32, j as u32) {
                Relation::Synchronous => "synchronous",
                Relation::Asynchronous => "asynchronous",
                Relation::Exclusive => "exclusive",
            };
            let _ = writeln!(out, "{} and {} are {how}", a.name, b.name);
        }
    }
}

/// What no clock could be found for.
fn unplaced(s: &Structure, out: &mut String) {
    let d = s.domains;
    let names = s.net.names();
    let mut list = |what: &str, all: Vec<String>| {
        if !all.is_empty() {
            let shown = all.iter().take(20).cloned().collect::<Vec<_>>().join(", ");
            let more = if all.len() > 20 { format!(" and {} more", all.len() - 20) } else { String::new() };
            let _ = writeln!(out, "{what}: {shown}{more}");
        }
    };
    let registers = s.net.registers.iter().zip(&d.register).filter(|(_, d)| **d == NONE);
    list("registers without a clock", registers.map(|(r, _)| names.or_number(Lit::new(r.gate, false))).collect());
    let latches = s.net.latches.iter().zip(&d.latch).filter(|(_, d)| d.is_none());
    list("latches that no clock opens", latches.map(|(l, _)| names.or_number(Lit::new(l.gate, false))).collect());
    let inputs = (0..s.net.gates.len()).filter(|g| matches!(s.net.gates[*g], Gate::Input(..)));
    let inputs = inputs.map(|g| GateId(g as u32)).filter(|g| d.input.get(g) == Some(&NONE));
    list("inputs that belong to no clock", inputs.map(|g| input_name(s.net, g)).collect());
    let bits = s.net.outputs.iter().flat_map(|o| (0..o.bits.len()).map(move |i| (o, i)));
    let several = bits.filter(|(o, i)| d.sets.get(d.from[o.bits[*i].gate().0 as usize]).len() > 1);
    list("outputs that several clocks drive", several.map(|(o, i)| o.bit_name(i as u32)).collect());
    let free = s.net.frees.iter().filter(|f| s.hard[f.gate.0 as usize]).count();
    if free > 0 {
        list("values that nothing drives, whose clock nobody knows", vec![free.to_string()]);
    }
}
