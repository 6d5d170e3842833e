//! Crossings as a picture: senders on the left, what captures them on the right, a colour for each clock.

use super::crossing::{End, Structure};
use super::domains::DomainId;
use super::findings::Found;
use crate::net::{Gate, GateId, Lit};
use crate::source::Severity;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

const COLOURS: &[&str] =
    &["#7f7f7f", "#4e79a7", "#f28e2b", "#59a14f", "#e15759", "#b07aa1", "#9c755f", "#499894", "#86bcb6"];

/// The graph: nets with their clocks, and which goes where.
pub struct Graph {
    senders: BTreeMap<String, DomainId>,
    captures: BTreeMap<String, DomainId>,
    /// From, to, and how bad the worst finding about it is.
    edges: BTreeMap<(String, String), Option<Severity>>,
    clocks: Vec<String>,
}

impl Graph {
    /// Draws what was found.
    pub fn new(s: &Structure, found: &Found) -> Graph {
        let names = s.net.names();
        let mut g = Graph {
            senders: BTreeMap::new(),
            captures: BTreeMap::new(),
            edges: BTreeMap::new(),
            clocks: s.domains.list.iter().map(|d| d.name.clone()).collect(),
        };
        let mut worst: BTreeMap<&str, Severity> = BTreeMap::new();
        for f in found.findings.iter().filter(|f| f.diagnostic.severity != Severity::Note) {
            let w = worst.entry(&f.path).or_insert(f.diagnostic.severity);
            *w = (*w).min(f.diagnostic.severity);
        }
        let sender = |l: &GateId| match s.net.gates[l.0 as usize] {
            Gate::Register(r) => s.net.nets[s.net.registers[r as usize].net.0 as usize].name.to_string(),
            Gate::Read(m, ..) => s.net.memories[m as usize].name.to_string(),
            Gate::Input(p, _) => s.net.inputs[p as usize].name.to_string(),
            _ => names.or_number(Lit::new(*l, false)),
        };
        for c in &found.captures {
            let end = match c.end {
                End::Register(r) => s.net.nets[s.net.registers[r as usize].net.0 as usize].name.to_string(),
                End::Latch(l) => s.net.nets[s.net.latches[l as usize].net.0 as usize].name.to_string(),
                End::Write(m, _) => s.net.memories[m as usize].name.to_string(),
            };
            g.captures.insert(end.clone(), c.domain);
            for l in &c.launches {
                let name = sender(l);
                g.senders.insert(name.clone(), s.domains.of_leaf(s.net, *l).unwrap_or(0));
                g.edges.insert((name, end.clone()), worst.get(end.as_str()).copied());
            }
        }
        g
    }

    fn colour(&self, d: DomainId) -> &'static str {
        COLOURS[d as usize % COLOURS.len()]
    }

    /// For Graphviz.
    pub fn dot(&self) -> String {
        let quote = |t: &str| format!("\"{}\"", t.replace('\\', "\\\\").replace('"', "\\\""));
        let mut out =
            String::from("digraph crossings {\n  rankdir=LR; node [style=filled fontcolor=white shape=box];\n");
        let nodes: BTreeMap<&String, &DomainId> = self.senders.iter().chain(&self.captures).collect();
        for (n, d) in nodes {
            let (colour, clock) = (self.colour(*d), quote(&self.clocks[*d as usize]));
            let _ = writeln!(out, "  {} [fillcolor=\"{colour}\" tooltip={clock}];", quote(n));
        }
        for ((a, b), worst) in &self.edges {
            let _ = writeln!(out, "  {} -> {} [color=\"{}\"];", quote(a), quote(b), edge_colour(*worst));
        }
        out + "}\n"
    }

    /// As a picture, for browsers and documents, on light and dark.
    pub fn svg(&self) -> String {
        const ROW: usize = 26;
        const CHAR: usize = 7;
        let long =
            |m: &BTreeMap<String, DomainId>| m.keys().map(|k| k.chars().count()).max().unwrap_or(0).min(60) * CHAR + 20;
        let (wide, wide2) = (long(&self.senders), long(&self.captures));
        let used: BTreeSet<DomainId> = self.senders.values().chain(self.captures.values()).copied().collect();
        let top = 34 + 20 * used.len().div_ceil(4);
        let rows = self.senders.len().max(self.captures.len());
        let (width, height) = ((wide + wide2 + 260).max(560), top + rows * ROW + 16);
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
             role=\"img\">\n<title>clock crossings</title>\n<style>text{{font:12px ui-monospace,Menlo,Consolas,monospace}}\
             .t{{fill:#1f2328}}.bg{{fill:#fff}}.n{{fill:#fff}}path{{fill:none;stroke-width:1.6;opacity:.8}}\
             @media (prefers-color-scheme:dark){{.t{{fill:#e6edf3}}.bg{{fill:#0d1117}}}}</style>\n\
             <rect class=\"bg\" width=\"{width}\" height=\"{height}\"/>\n"
        );
        for (i, d) in used.iter().enumerate() {
            let (x, y) = (16 + (i % 4) * (width - 32) / 4, 24 + 20 * (i / 4));
            let name = escape(&self.clocks[*d as usize]);
            let _ = writeln!(
                out,
                "<rect x=\"{x}\" y=\"{}\" width=\"12\" height=\"12\" fill=\"{}\"/>",
                y - 10,
                self.colour(*d)
            );
            let _ = writeln!(out, "<text class=\"t\" x=\"{}\" y=\"{y}\">{name}</text>", x + 18);
        }
        let place = |m: &BTreeMap<String, DomainId>| -> BTreeMap<String, usize> {
            m.keys().enumerate().map(|(i, k)| (k.clone(), top + i * ROW)).collect()
        };
        let (left, right) = (place(&self.senders), place(&self.captures));
        let (x1, x2) = (16 + wide, width - 16 - wide2);
        for ((a, b), worst) in &self.edges {
            let (y1, y2, mid) = (left[a] + 9, right[b] + 9, (x1 + x2) / 2);
            let _ = writeln!(
                out,
                "<path stroke=\"{}\" d=\"M{x1} {y1}C{mid} {y1} {mid} {y2} {x2} {y2}\"><title>{} → {}</title></path>",
                edge_colour(*worst),
                escape(a),
                escape(b)
            );
        }
        for (m, at, x, w) in [(&self.senders, &left, 16, wide), (&self.captures, &right, x2, wide2)] {
            for (n, d) in m {
                let (y, colour) = (at[n], self.colour(*d));
                let text: String =
                    if n.chars().count() > 60 { n.chars().take(59).chain(['…']).collect() } else { n.clone() };
                let _ = writeln!(
                    out,
                    "<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"19\" rx=\"3\" fill=\"{colour}\"><title>{} ({})</title></rect>\n\
                     <text class=\"n\" x=\"{}\" y=\"{}\">{}</text>",
                    escape(n),
                    escape(&self.clocks[*d as usize]),
                    x + 8,
                    y + 14,
                    escape(&text)
                );
            }
        }
        out + "</svg>\n"
    }
}

fn edge_colour(worst: Option<Severity>) -> &'static str {
    match worst {
        Some(Severity::Error) => "#d1242f",
        Some(_) => "#bf8700",
        None => "#7d8590",
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
