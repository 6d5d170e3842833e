//! Graphviz drawings: every gate of a small design, registers and ports of a larger one.
//!
//! Boxes are state, one per named register, filled with a colour per clock; clusters are levels of
//! the hierarchy. A drawing with every gate shows complemented edges with a dot at their head. In
//! the summary a combinational cone is one edge from each port or register it reads to each one it
//! feeds, labelled with the number of gates in the cone; dashed edges lead to clocks, controls and
//! enables.

use super::{is_input, line_of};
use crate::net::{Gate, GateId, Lit, Netlist};
use crate::source::{SourceMap, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Fill colours of clocks, in turn.
const COLOURS: [&str; 8] = ["#cfe2f3", "#d9ead3", "#fce5cd", "#ead1dc", "#fff2cc", "#d0e0e3", "#d9d2e9", "#f4cccc"];

/// Writes a drawing. A netlist of more than `limit` gates is summarised.
pub fn write(net: &Netlist, map: &SourceMap, limit: usize) -> String {
    let mut d = Drawing::new(net, map);
    let gates = net.gates.iter().filter(|g| matches!(g, Gate::And(..) | Gate::Xor(..) | Gate::Mux(..))).count();
    let _ = writeln!(
        d.out,
        "digraph {} {{\n  rankdir=LR;\n  newrank=true;\n  node [fontname=\"Helvetica\", fontsize=10];\n  edge [fontname=\"Helvetica\", fontsize=8];",
        quote(&net.name)
    );
    d.legend();
    d.blocks();
    if gates <= limit {
        d.every_gate();
    } else {
        let _ = writeln!(d.out, "  // {gates} gates are drawn as edges; the limit is {limit}.");
        d.summary();
    }
    d.out + "}\n"
}

/// A port, a register, a latch, a memory or the free values: what stays in a summary.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Block {
    Input(u32),
    Output(u32),
    /// State that belongs to one net.
    State(u32),
    Memory(u32),
    Free,
    Assert(u32),
}

struct Drawing<'a> {
    net: &'a Netlist,
    map: &'a SourceMap,
    out: String,
    /// Clocks in the order of their colours.
    clocks: Vec<(Lit, String)>,
    /// The net that stands for a net with state: words of a lowered memory share one box.
    boxes: FxHashMap<u32, u32>,
}

impl<'a> Drawing<'a> {
    fn new(net: &'a Netlist, map: &'a SourceMap) -> Drawing<'a> {
        let clocks = net.stats().clocks.into_iter().map(|c| (c.clock, c.name)).collect();
        let mut boxes = FxHashMap::default();
        let mut memories: FxHashMap<&str, u32> = FxHashMap::default();
        for n in net.registers.iter().map(|r| r.net.0).chain(net.latches.iter().map(|l| l.net.0)) {
            let shown = memory_of(&net.nets[n as usize].name).map_or(n, |m| *memories.entry(m).or_insert(n));
            boxes.insert(n, shown);
        }
        Drawing { net, map, out: String::new(), clocks, boxes }
    }

    fn legend(&mut self) {
        for (i, (_, name)) in self.clocks.iter().enumerate() {
            let colour = COLOURS[i % COLOURS.len()];
            let _ = writeln!(
                self.out,
                "  clock{i} [shape=note, style=filled, fillcolor=\"{colour}\", label={}];",
                quote(&format!("clock {name}"))
            );
        }
    }

    fn id(&self, b: Block) -> String {
        match b {
            Block::Input(i) => format!("input{i}"),
            Block::Output(i) => format!("output{i}"),
            Block::State(n) => format!("state{n}"),
            Block::Memory(m) => format!("memory{m}"),
            Block::Free => "free".into(),
            Block::Assert(a) => format!("assert{a}"),
        }
    }

    /// The block a leaf gate belongs to.
    fn block_of(&self, g: Gate) -> Option<Block> {
        let net = self.net;
        Some(match g {
            Gate::Input(p, _) => Block::Input(p),
            Gate::Free(_) => Block::Free,
            Gate::Register(r) => Block::State(self.boxes[&net.registers[r as usize].net.0]),
            Gate::Latch(r) => Block::State(self.boxes[&net.latches[r as usize].net.0]),
            Gate::Read(m, ..) => Block::Memory(m),
            _ => return None,
        })
    }

    fn node(&mut self, indent: usize, b: Block, label: &str, style: &str, span: Span) {
        let tip = line_of(self.map, span).map_or(String::new(), |p| format!(", tooltip={}", quote(&p)));
        let _ = writeln!(self.out, "{:indent$}{} [label={}, {style}{tip}];", "", self.id(b), quote(label));
    }

    fn blocks(&mut self) {
        let net = self.net;
        for (i, p) in net.inputs.iter().enumerate() {
            self.node(2, Block::Input(i as u32), &sized(&p.name, p.bits.len()), "shape=cds", p.span);
        }
        for (i, p) in net.outputs.iter().enumerate() {
            self.node(2, Block::Output(i as u32), &sized(&p.name, p.bits.len()), "shape=cds", p.span);
        }
        if !net.frees.is_empty() {
            self.node(2, Block::Free, &sized("free values", net.frees.len()), "shape=diamond", Span::NONE);
        }
        for (i, a) in net.asserts.iter().enumerate() {
            self.node(2, Block::Assert(i as u32), &a.name, "shape=octagon", a.span);
        }
        // State by level of the hierarchy; a sorted map keeps the text stable.
        let mut levels: BTreeMap<&str, BTreeMap<u32, (usize, String)>> = BTreeMap::new();
        let registers = net.registers.iter().map(|r| (r.net.0, Some(r.clock)));
        for (n, clock) in registers.chain(net.latches.iter().map(|l| (l.net.0, None))) {
            let n = self.boxes[&n];
            let name = net.nets[n as usize].name.as_str();
            let level = name.rsplit_once('.').map_or("", |x| x.0);
            let style = match clock {
                Some(c) => {
                    let known = self.clocks.iter().position(|k| k.0 == c);
                    let colour = known.map_or("white", |i| COLOURS[i % COLOURS.len()]);
                    format!("shape=box, style=filled, fillcolor=\"{colour}\"")
                }
                None => "shape=box, style=\"filled,rounded\", fillcolor=\"#eeeeee\"".into(),
            };
            levels.entry(level).or_default().entry(n).or_insert((0, style)).0 += 1;
        }
        for (i, (level, list)) in levels.iter().enumerate() {
            if !level.is_empty() {
                let _ = writeln!(self.out, "  subgraph cluster{i} {{\n    label={};", quote(level));
            }
            let indent = if level.is_empty() { 2 } else { 4 };
            for (n, (count, style)) in list {
                let owner = &net.nets[*n as usize];
                let name = memory_of(&owner.name).unwrap_or(&owner.name);
                let short = name.rsplit_once('.').map_or(name, |x| x.1);
                self.node(indent, Block::State(*n), &sized(short, *count), style, owner.span);
            }
            if !level.is_empty() {
                self.out.push_str("  }\n");
            }
        }
        for (i, m) in net.memories.iter().enumerate() {
            let label = format!("{} {}x{}", m.name, m.size, m.width);
            self.node(2, Block::Memory(i as u32), &label, "shape=box3d", m.span);
        }
    }

    /// Every literal a block reads, with the word for it; `true` if it decides when, not what.
    fn sinks(&self) -> Vec<(Block, Lit, &'static str, bool)> {
        let net = self.net;
        let mut list = Vec::new();
        for (i, o) in net.outputs.iter().enumerate() {
            list.extend(o.bits.iter().map(|l| (Block::Output(i as u32), *l, "", false)));
        }
        for r in &net.registers {
            let b = Block::State(self.boxes[&r.net.0]);
            list.push((b, r.next, "", false));
            // A clock that is an input is told by the colour.
            if !is_input(net, r.clock) {
                list.push((b, r.clock, "clock", true));
            }
            for (condition, value) in &r.asyncs {
                list.extend([(b, *condition, "async", true), (b, *value, "async", false)]);
            }
        }
        for l in &net.latches {
            let b = Block::State(self.boxes[&l.net.0]);
            list.extend([(b, l.data, "", false), (b, l.enable, "enable", true)]);
        }
        for (i, m) in net.memories.iter().enumerate() {
            let b = Block::Memory(i as u32);
            list.extend(m.reads.iter().flatten().map(|l| (b, *l, "address", false)));
            for w in &m.writes {
                list.extend([(b, w.clock, "clock", true), (b, w.enable, "enable", true)]);
                list.extend(w.addr.iter().chain(&w.data).chain(&w.mask).map(|l| (b, *l, "write", false)));
            }
        }
        for (i, a) in net.asserts.iter().enumerate() {
            let b = Block::Assert(i as u32);
            list.extend([(b, a.enable, "", false), (b, a.condition, "", false)]);
            list.extend(a.clock.map(|c| (b, c, "clock", true)));
        }
        list.retain(|s| s.1.as_const().is_none());
        list
    }

    fn edge(&mut self, from: &str, to: &str, label: &str, dashed: bool, complement: bool) {
        let mut style = Vec::new();
        if !label.is_empty() {
            style.push(format!("label={}", quote(label)));
        }
        if dashed {
            style.push("style=dashed".to_string());
        }
        if complement {
            style.push("arrowhead=normalodot".to_string());
        }
        let style = if style.is_empty() { String::new() } else { format!(" [{}]", style.join(", ")) };
        let _ = writeln!(self.out, "  {from} -> {to}{style};");
    }

    fn gate_id(&self, g: GateId) -> String {
        let gate = self.net.gates[g.0 as usize];
        self.block_of(gate).map_or_else(|| format!("g{}", g.0), |b| self.id(b))
    }

    fn every_gate(&mut self) {
        let net = self.net;
        for (i, g) in net.gates.iter().enumerate() {
            let (label, operands): (&str, Vec<(Lit, &str)>) = match *g {
                Gate::And(a, b) => ("and", vec![(a, ""), (b, "")]),
                Gate::Xor(a, b) => ("xor", vec![(a, ""), (b, "")]),
                Gate::Mux(s, t, e) => ("mux", vec![(s, "select"), (t, "1"), (e, "0")]),
                _ => continue,
            };
            let tip = line_of(self.map, net.spans[i]).map_or(String::new(), |p| format!(", tooltip={}", quote(&p)));
            let _ = writeln!(self.out, "  g{i} [shape=ellipse, label=\"{label}\"{tip}];");
            for (l, word) in operands.iter().filter(|o| o.0.as_const().is_none()) {
                let from = self.gate_id(l.gate());
                self.edge(&from, &format!("g{i}"), word, false, l.complement());
            }
        }
        let mut seen = FxHashSet::default();
        for (b, l, word, dashed) in self.sinks() {
            let line = (self.gate_id(l.gate()), self.id(b), word, dashed, l.complement());
            if seen.insert(line.clone()) {
                self.edge(&line.0, &line.1, word, dashed, l.complement());
            }
        }
    }

    fn summary(&mut self) {
        // Per block and kind of reading: all literals, then one cone for all of them.
        let mut groups: BTreeMap<(Block, bool, &'static str), Vec<Lit>> = BTreeMap::new();
        for (b, l, word, dashed) in self.sinks() {
            groups.entry((b, dashed, word)).or_default().push(l);
        }
        for ((b, dashed, word), lits) in groups {
            let (sources, size) = self.cone(&lits);
            for from in sources {
                let label = match (word, size) {
                    (w, 0) => w.to_string(),
                    ("", n) => n.to_string(),
                    (w, n) => format!("{w} {n}"),
                };
                let (from, to) = (self.id(from), self.id(b));
                self.edge(&from, &to, &label, dashed, false);
            }
        }
    }

    /// The blocks that literals depend on through gates alone, and how many gates there are.
    fn cone(&self, lits: &[Lit]) -> (Vec<Block>, usize) {
        let mut seen = FxHashSet::default();
        let mut blocks: FxHashMap<Block, ()> = FxHashMap::default();
        let mut open: Vec<GateId> = lits.iter().map(|l| l.gate()).collect();
        let mut size = 0;
        while let Some(g) = open.pop() {
            if !seen.insert(g) {
                continue;
            }
            let gate = self.net.gates[g.0 as usize];
            match self.block_of(gate) {
                Some(b) => {
                    blocks.insert(b, ());
                }
                None => {
                    size += (gate != Gate::False) as usize;
                    self.net.fanin(g, |l| open.push(l.gate()));
                }
            }
        }
        let mut blocks: Vec<Block> = blocks.into_keys().collect();
        blocks.sort_unstable();
        (blocks, size)
    }
}

/// The memory of a net that is one of its words: they are called `memory[3]`.
fn memory_of(name: &str) -> Option<&str> {
    let (memory, index) = name.strip_suffix(']')?.rsplit_once('[')?;
    (!index.is_empty() && index.bytes().all(|b| b.is_ascii_digit())).then_some(memory)
}

/// `name (8)`, or the name alone if it is one bit.
fn sized(name: &str, bits: usize) -> String {
    if bits == 1 { name.to_string() } else { format!("{name} ({bits})") }
}

fn quote(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
