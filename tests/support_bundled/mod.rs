//! The bundled VHDL designs: the lines of `designs/vhdl/tops.txt`, their netlists, and random runs of
//! them that every simulator agrees on.

// Each test program uses a part of this.
#![allow(dead_code)]

use entail::front::vhdl;
use entail::net::{LowerOptions, Netlist, lower};
use entail::project::filelist::parse_args;
use entail::source::{Diagnostic, Format, SourceMap, render};
use fastrand::Rng;
use std::path::{Path, PathBuf};

/// Half of the steps change data, half clocks: 10,000 cycles and more of every clock.
pub const STEPS: usize = 50_000;

/// One elaboration.
#[derive(Clone)]
pub struct Top {
    pub list: String,
    pub name: String,
    pub generics: Vec<(String, String)>,
}

pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("designs/vhdl")
}

pub fn tops() -> Vec<Top> {
    let text = std::fs::read_to_string(folder().join("tops.txt")).expect("designs/vhdl/tops.txt");
    let lines = text.lines().map(|l| l.split('#').next().unwrap_or("").trim()).filter(|l| !l.is_empty());
    lines.map(Top::parse).collect()
}

impl Top {
    /// A line of `tops.txt`.
    pub fn parse(line: &str) -> Top {
        let mut words = line.split_whitespace().map(str::to_string);
        let (list, name) = (words.next().expect("a list"), words.next().expect("a top"));
        let pair = |w: String| w.split_once('=').map(|(n, v)| (n.to_string(), v.to_string())).expect("GENERIC=VALUE");
        Top { list, name, generics: words.map(pair).collect() }
    }

    pub fn label(&self) -> String {
        let generics: Vec<String> = self.generics.iter().map(|(n, v)| format!("{n}={v}")).collect();
        format!("{} {}", self.name, generics.join(" "))
    }

    pub fn files(&self) -> Vec<PathBuf> {
        let words = vec!["-f".to_string(), folder().join(&self.list).display().to_string()];
        parse_args(&words, Path::new(""), &|_| None, &mut SourceMap::new()).expect("the list is good").files
    }

    /// The netlist; a design that is refused fails the test.
    pub fn netlist(&self) -> (Netlist, SourceMap) {
        let request = vhdl::Request {
            files: self.files().into_iter().map(|f| (None, f)).collect(),
            cache_dir: None,
            options: vhdl::elab::Options {
                top: Some(self.name.clone()),
                generics: self.generics.clone(),
                ..Default::default()
            },
        };
        let mut out = vhdl::elaborate(&request, SourceMap::new());
        let say = |d: &[Diagnostic], m: &SourceMap| render(d, m, Format::Full, false);
        let Some(design) = &out.design else { panic!("{}: {}", self.label(), say(&out.diagnostics, &out.sources)) };
        let net = lower(design, &LowerOptions::default(), &mut out.diagnostics);
        assert!(!out.diagnostics.iter().any(Diagnostic::is_error), "{}", say(&out.diagnostics, &out.sources));
        (net, out.sources)
    }
}

/// By these names the designs call their clocks and resets.
pub fn is_clock(name: &str) -> bool {
    name == "clk" || name.ends_with("_clk")
}

pub fn is_reset(name: &str) -> bool {
    name.contains("rst")
}

/// Whether a reset is active when it is 1.
pub fn active_high(name: &str) -> bool {
    !name.ends_with("_n")
}

/// Values of all inputs, one line a step. It begins with a reset; in a step either data or clocks
/// change, never both, so that no race decides.
pub fn stimulus(net: &Netlist, rng: &mut Rng) -> Vec<Vec<String>> {
    let mut now: Vec<String> = net.inputs.iter().map(|p| "0".repeat(p.bits.len())).collect();
    let mut out = vec![];
    let mut resetting = 40;
    for step in 0..STEPS {
        if step % 2 == 0 {
            // Data, and now and then a reset of everything.
            resetting = if resetting > 0 { resetting - 1 } else { i32::from(rng.u32(..600) == 0) * 24 };
            for (port, value) in net.inputs.iter().zip(&mut now) {
                if is_reset(&port.name) {
                    *value = if (resetting > 0) == active_high(&port.name) { "1" } else { "0" }.into();
                } else if !is_clock(&port.name) && rng.u32(..3) > 0 {
                    *value = random_bits(value.len(), rng);
                }
            }
        } else {
            for (port, value) in net.inputs.iter().zip(&mut now) {
                if is_clock(&port.name) && (resetting > 0 || rng.u32(..4) > 0) {
                    *value = if value == "1" { "0" } else { "1" }.into();
                }
            }
        }
        out.push(now.clone());
    }
    out
}

pub fn random_bits(width: usize, rng: &mut Rng) -> String {
    (0..width).map(|_| if rng.bool() { '1' } else { '0' }).collect()
}
