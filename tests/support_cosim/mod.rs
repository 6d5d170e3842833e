//! What the co-simulation and corpus tests share: designs are elaborated to gates, and the gates
//! must do what Verilator, reading the same text, does.

#![allow(dead_code, reason = "each test file that includes this uses a part of it")]

pub mod command;
pub mod compare;
pub mod corpus;
pub mod design;
pub mod mutate;
pub mod stimulus;
pub mod verilator;

use compare::{Agreement, compare};
use design::Design;
use entail::net::Netlist;
use rayon::prelude::*;
use std::time::Instant;
use stimulus::{Stimulus, stimulus};
use verilator::{pack, port_bytes};

/// Cycles after reset that every clock must see.
pub const CYCLES: usize = 10_000;

/// Designs, the inputs they were given, and what Verilator made of them.
pub struct Run {
    pub seed: u64,
    pub designs: Vec<(Design, Netlist)>,
    stimuli: Vec<Stimulus>,
    /// Verilator's outputs, a record per step.
    outputs: Vec<u8>,
    /// Where each design's outputs start in a record, and the length of a record.
    offsets: Vec<usize>,
}

impl Run {
    /// Elaborates all designs and simulates them in one Verilator model. Prints where the time goes.
    pub fn new(designs: Vec<Design>, seed: u64) -> Run {
        let start = Instant::now();
        let temporary = tempfile::tempdir().expect("a temporary folder");
        let folder = std::env::var_os("ENTAIL_COSIM_KEEP").map_or(temporary.path().to_path_buf(), Into::into);
        let designs = elaborate(designs, &folder.join("ast"));
        println!("seed {seed}: {} designs elaborated after {:.1?}", designs.len(), start.elapsed());
        let model = verilator::build(&designs, &folder);
        println!("Verilator's model is built after {:.1?}", start.elapsed());

        // Three steps a cycle; with several clocks each rises about once in six steps.
        let clocks = designs.iter().map(|(d, _)| d.clocks.len()).max().unwrap_or(0);
        let steps = CYCLES * if clocks > 1 { 6 } else { 3 } + 3000;
        let drive = |(i, (d, n)): (usize, &(Design, Netlist))| stimulus(d, n, seed.wrapping_add(i as u64), steps);
        let stimuli: Vec<Stimulus> = designs.iter().enumerate().map(drive).collect();
        let outputs = model.run(&records(&designs, &stimuli), &folder);
        println!("Verilator has run {steps} steps after {:.1?}", start.elapsed());

        let mut offsets = vec![0];
        for (i, (_, net)) in designs.iter().enumerate() {
            offsets.push(offsets[i] + net.outputs.iter().map(|p| port_bytes(p.bits.len())).sum::<usize>());
        }
        assert_eq!(outputs.len(), offsets[designs.len()] * steps, "records of the model");
        Run { seed, designs, stimuli, outputs, offsets }
    }

    /// Simulates a netlist in the place of design `i` beside Verilator's outputs.
    pub fn compare(&self, i: usize, net: &Netlist) -> Agreement {
        let record = self.offsets[self.designs.len()];
        compare(&self.designs[i].0, net, &self.stimuli[i], &self.outputs, record, self.offsets[i])
    }

    /// Panics, with every difference, unless all designs agree with Verilator. Prints a line for
    /// each.
    pub fn check(&self) {
        let start = Instant::now();
        let results: Vec<Agreement> =
            self.designs.par_iter().enumerate().map(|(i, (_, net))| self.compare(i, net)).collect();
        let mut failures: Vec<String> = Vec::new();
        for (((design, net), stimulus), result) in self.designs.iter().zip(&self.stimuli).zip(&results) {
            let [open, zero, plain] = result.percent();
            let (name, gates, cycles, (toggled, of)) =
                (design.name(), net.gates.len(), stimulus.cycles, result.toggled);
            let verdict = if result.mismatch.is_some() { "DIFFERS" } else { "equal" };
            println!(
                "{verdict} {name}: {gates} gates, {cycles} cycles; output bits compared: {open:.1}% from unknown state, \
                 {zero:.1}% from zeros, {plain:.1}% two-valued; {toggled} of {of} toggled"
            );
            if let Some(text) = &result.mismatch {
                failures.push(format!("{name}: {text}"));
            } else if cycles < CYCLES {
                failures.push(format!("{name}: only {cycles} cycles"));
            }
        }
        println!("compared in {:.1?}", start.elapsed());
        let (bad, all) = (failures.len(), self.designs.len());
        assert!(failures.is_empty(), "seed {}: {bad} of {all} designs:\n{}", self.seed, failures.join("\n"));
    }
}

/// Elaborates all; panics with all errors.
fn elaborate(designs: Vec<Design>, cache: &std::path::Path) -> Vec<(Design, Netlist)> {
    let mut failures = String::new();
    let mut ready = Vec::new();
    for design in designs {
        match design.netlist(cache) {
            Ok(net) => ready.push((design, net)),
            Err(text) => failures += &format!("{}: not elaborated\n{text}\n", design.name()),
        }
    }
    assert!(failures.is_empty(), "{failures}");
    ready
}

/// The inputs of all designs, a record per step.
fn records(designs: &[(Design, Netlist)], stimuli: &[Stimulus]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for k in 0..stimuli[0].steps.len() {
        for ((_, net), s) in designs.iter().zip(stimuli) {
            let mut rest = s.steps[k].as_slice();
            for port in &net.inputs {
                let (bits, more) = rest.split_at(port.bits.len());
                pack(&mut bytes, bits);
                rest = more;
            }
        }
    }
    bytes
}
