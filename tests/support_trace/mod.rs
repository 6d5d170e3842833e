//! Small designs that fail after a few steps, the way from their text to a trace, and what reads traces back.
#![allow(dead_code)]

pub mod designs;
pub mod vcd;

use entail::engine::{Control, Engine, Verdict, bmc::Bmc};
use entail::front::{verilog, vhdl};
use entail::model::{Clocks, Goal, Path, System, of_net, reduce};
use entail::net::{Gate, LowerOptions, Netlist, lower};
use entail::source::{Format, SourceMap, render};
use entail::trace::Trace;
use std::sync::atomic::AtomicBool;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    Verilog,
    Vhdl,
}

impl Language {
    pub fn of(text: &str) -> Language {
        if text.contains("endmodule") { Language::Verilog } else { Language::Vhdl }
    }
}

/// A design as gates and as a model.
pub struct Built {
    pub sources: SourceMap,
    pub net: Netlist,
    pub sys: System,
}

pub fn build(text: &str, clocks: Clocks) -> Built {
    let e = match Language::of(text) {
        Language::Verilog => verilog::elaborate_texts(&[("design.sv", text)], &verilog::Request::default()),
        Language::Vhdl => {
            let dir = tempfile::tempdir().expect("a temporary directory");
            let path = dir.path().join("design.vhd");
            std::fs::write(&path, text).expect("write the source");
            let request = vhdl::Request { files: vec![(None, path)], cache_dir: None, options: Default::default() };
            vhdl::elaborate(&request, SourceMap::new())
        }
    };
    let said = render(&e.diagnostics, &e.sources, Format::Full, false);
    let design = e.design.unwrap_or_else(|| panic!("{said}"));
    let mut net = lower(&design, &LowerOptions::default(), &mut vec![]);
    // The data of a latch is read only while it is open; a model that does not see this finds a loop.
    for l in &mut net.latches {
        match net.gates[l.data.gate().0 as usize] {
            Gate::Mux(s, t, _) if s == l.enable => l.data = t.xor(l.data.complement()),
            Gate::Mux(s, _, e) if s == !l.enable => l.data = e.xor(l.data.complement()),
            _ => {}
        }
    }
    let sys = of_net(&net, clocks).unwrap_or_else(|d| panic!("{}", d.message));
    Built { sources: e.sources, net, sys }
}

impl Built {
    /// The shortest path that answers a goal, as the program would find it.
    pub fn path(&self, goal: &Goal) -> Path {
        let cancel = AtomicBool::new(false);
        let ctl =
            Control { deadline: None, cancel: &cancel, nodes: 1 << 20, memory: None, depth: 60, progress: &|_, _| {} };
        let small = reduce(&self.sys, goal);
        match Bmc.check(&small.sys, small.goal(), &ctl).verdict {
            Verdict::Fails(p) => small.lift(&self.sys, &p),
            v => panic!("`{}`: {v:?}", goal.symbol.name),
        }
    }

    pub fn trace_of(&self, goal: usize) -> Trace {
        let goal = &self.sys.goals[goal];
        let path = self.path(goal);
        Trace::new(&self.net, &self.sys, goal, &path).unwrap_or_else(|e| panic!("`{}`: {e}", goal.symbol.name))
    }
}

impl Built {
    /// A path by hand: values of ports, ticks and registers by name; what is not named is 0.
    pub fn script(&self, init: &[(&str, u64)], steps: &[&[(&str, u64)]]) -> Path {
        let bit = |values: &[(&str, u64)], name: &str| {
            values.iter().any(|(n, v)| match name.strip_prefix(n) {
                Some("") => v & 1 == 1,
                Some(rest) => {
                    let index = rest.strip_prefix('[').and_then(|r| r.strip_suffix(']')).and_then(|r| r.parse().ok());
                    index.is_some_and(|i: u32| v >> i & 1 == 1)
                }
                None => false,
            })
        };
        let start = |s: &entail::model::State| s.init.unwrap_or_else(|| bit(init, &s.symbol.name));
        let step = |values: &&[(&str, u64)]| self.sys.inputs.iter().map(|i| bit(values, &i.symbol.name)).collect();
        Path {
            init: self.sys.states.iter().map(start).collect(),
            inputs: steps.iter().map(step).collect(),
            back_to: None,
        }
    }

    pub fn scripted(&self, init: &[(&str, u64)], steps: &[&[(&str, u64)]]) -> Trace {
        let goal = &self.sys.goals[0];
        Trace::new(&self.net, &self.sys, goal, &self.script(init, steps)).unwrap_or_else(|e| panic!("{e}"))
    }
}
