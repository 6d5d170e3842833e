//! A Verilog module around both designs that says whether an output differs.

use super::Pair;
use crate::support_bundled::{Top, active_high, is_clock, is_reset};
use entail::interop::verilog;
use entail::net::Netlist;
use entail::source::SourceMap;
use std::fmt::Write;

/// A port of ours.
#[derive(Clone)]
pub struct Port {
    pub name: String,
    pub width: usize,
    pub inward: bool,
    /// The ports of the reference that make it up, most significant first: GHDL takes records apart.
    pub parts: Vec<(String, usize)>,
}

/// Names and widths of the ports of `gold`.
fn gold_ports(gold: &str) -> Vec<(String, usize)> {
    let head = &gold[gold.find("module gold\n").expect("the top")..];
    let head = &head[head.find('(').expect("ports") + 1..head.find(");").expect("an end")];
    let port = |text: &str| {
        let text = text.trim().trim_start_matches("input").trim_start_matches("output").trim();
        match text.strip_prefix('[').and_then(|t| t.split_once(":0]")) {
            Some((high, name)) => (name.trim().to_string(), high.parse::<usize>().expect("a number") + 1),
            None => (text.to_string(), 1),
        }
    };
    head.split(',').map(port).collect()
}

/// The width of the port for free values.
fn free_width(gate: &str) -> usize {
    let port = gate.lines().find_map(|l| l.trim().strip_prefix("input [")?.strip_suffix(":0] entail_free"));
    port.map_or(0, |n| n.parse::<usize>().expect("a number") + 1)
}

/// Writes both designs into a folder.
pub fn pair(top: &Top, gold: &str, net: &Netlist, sources: &SourceMap) -> Result<Pair, String> {
    let gate = verilog::write(net, sources);
    let head = format!("module {} (", net.name);
    assert_eq!(gate.matches(&head).count(), 1, "{}: one module", top.label());
    let gate = gate.replace(&head, "module gate (");
    let golds = gold_ports(gold);
    let mut ports = vec![];
    for (inward, port) in net.inputs.iter().map(|p| (true, p)).chain(net.outputs.iter().map(|p| (false, p))) {
        let (name, width) = (port.name.to_string(), port.bits.len());
        let whole: Vec<_> = golds.iter().filter(|g| g.0 == name).cloned().collect();
        let prefix = format!("{name}_");
        let parts =
            if whole.is_empty() { golds.iter().filter(|g| g.0.starts_with(&prefix)).cloned().collect() } else { whole };
        let total: usize = parts.iter().map(|p| p.1).sum();
        if total != width {
            return Err(format!("port {name} has {width} bits here and {total} in GHDL's netlist"));
        }
        ports.push(Port { name, width, inward, parts });
    }
    let dir = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(dir.path().join("gold.v"), gold).expect("written");
    std::fs::write(dir.path().join("gate.v"), &gate).expect("written");
    Ok(Pair { dir, ports, free: free_width(&gate) })
}

impl Pair {
    /// Declarations of the outputs and both instances. `drive` says what an input is connected to.
    pub fn instances(&self, drive: impl Fn(&Port) -> String) -> String {
        let mut out = String::new();
        let (mut gold, mut gate) = (vec![], vec![]);
        for (k, p) in self.ports.iter().enumerate() {
            let (at, end) = (if p.inward { format!("in{k}") } else { format!("gold{k}") }, p.width - 1);
            if p.inward {
                let _ = writeln!(out, "  wire [{end}:0] in{k} = {};", drive(p));
                gate.push(format!(".{}(in{k})", p.name));
            } else {
                let _ = writeln!(out, "  wire [{end}:0] gold{k}, gate{k};");
                gate.push(format!(".{}(gate{k})", p.name));
            }
            let mut high = p.width;
            for (name, width) in &p.parts {
                gold.push(format!(".{name}({at}[{}:{}])", high - 1, high - width));
                high -= width;
            }
        }
        if self.free > 0 {
            gate.push(".entail_free(entail_free)".into());
        }
        let _ = writeln!(out, "  gold gold ({});\n  gate gate ({});", gold.join(", "), gate.join(", "));
        out
    }

    /// All outputs of one side, `gold` or `gate`.
    pub fn outputs(&self, side: &str) -> String {
        let outputs = self.ports.iter().enumerate().filter(|(_, p)| !p.inward);
        format!("{{{}}}", outputs.map(|(k, _)| format!("{side}{k}")).collect::<Vec<_>>().join(", "))
    }

    /// The module `miter` for a proof. A design with clocks is reset first: for 12 steps the clocks
    /// tick and the resets are active; after that all inputs are free.
    pub fn miter(&self) -> String {
        let mut heads: Vec<String> = self
            .ports
            .iter()
            .filter(|p| p.inward)
            .map(|p| format!("  input [{}:0] {},\n", p.width - 1, p.name))
            .collect();
        if self.free > 0 {
            heads.push(format!("  input [{}:0] entail_free,\n", self.free - 1));
        }
        let mut out = format!("module miter (\n{}  output bad\n);\n", heads.concat());
        let clocked = self.ports.iter().any(|p| p.inward && is_clock(&p.name));
        if clocked {
            out += "  (* gclk *) wire step;\n  reg [3:0] age = 0;\n  wire free = age == 12;\n  \
                    always @(posedge step) if (!free) age <= age + 1;\n";
        } else {
            out += "  wire free = 1;\n";
        }
        out += &self.instances(|p| match &p.name {
            n if clocked && is_clock(n) => format!("free ? {n} : age[0]"),
            n if clocked && is_reset(n) => format!("free ? {n} : 1'b{}", u8::from(active_high(n))),
            n => n.clone(),
        });
        let _ =
            writeln!(out, "  assign bad = free && {} != {};\nendmodule", self.outputs("gold"), self.outputs("gate"));
        out
    }
}
