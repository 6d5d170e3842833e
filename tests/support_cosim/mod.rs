//! What the co-simulation and corpus tests share: designs are elaborated to gates, and the gates
//! must do what Verilator, reading the same text, does.

#![allow(dead_code, reason = "each test file that includes this uses a part of it")]

pub mod command;
pub mod compare;
pub mod corpus;
pub mod design;
pub mod stimulus;
pub mod verilator;

use compare::{Agreement, compare};
use design::Design;
use entail::net::Netlist;
use rayon::prelude::*;
use std::time::Instant;
use stimulus::{Stimulus, stimulus};

/// Cycles after reset that every clock must see.
pub const CYCLES: usize = 10_000;

/// Co-simulates all designs in one Verilator model and panics, with every difference, if any
/// design differs. Prints a line for each.
pub fn cosimulate(designs: &[Design], seed: u64) {
    let start = Instant::now();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let folder = std::env::var_os("ENTAIL_COSIM_KEEP").map_or(folder.path().to_path_buf(), Into::into);
    let cache = folder.join("ast");
    let mut failures: Vec<String> = Vec::new();
    let mut ready: Vec<(&Design, Netlist)> = Vec::new();
    for design in designs {
        match design.netlist(&cache) {
            Ok(net) => ready.push((design, net)),
            Err(text) => failures.push(format!("{}: not elaborated\n{text}", design.name())),
        }
    }
    println!("seed {seed}: {} designs elaborated after {:.1?}", ready.len(), start.elapsed());
    let pairs: Vec<(&Design, &Netlist)> = ready.iter().map(|(d, n)| (*d, n)).collect();
    let model = verilator::build(&pairs, &folder);
    println!("Verilator's model is built after {:.1?}", start.elapsed());

    // Three steps a cycle; with several clocks each rises about once in six steps.
    let clocks = designs.iter().map(|d| d.clocks.len()).max().unwrap_or(0);
    let steps = CYCLES * if clocks > 1 { 6 } else { 3 } + 3000;
    let run = |(i, (d, n)): (usize, &(&Design, &Netlist))| stimulus(d, n, seed.wrapping_add(i as u64), steps);
    let stimuli: Vec<Stimulus> = pairs.iter().enumerate().map(run).collect();
    let outputs = model.run(&records(&pairs, &stimuli), &folder);
    println!("Verilator has run {steps} steps after {:.1?}", start.elapsed());

    let sizes: Vec<usize> = pairs.iter().map(|(_, n)| n.outputs.iter().map(|p| verilator::port_bytes(p.bits.len())).sum()).collect();
    let record: usize = sizes.iter().sum();
    assert_eq!(outputs.len(), record * steps, "records of the model");
    let start_of = |i: usize| sizes[..i].iter().sum::<usize>();
    let results: Vec<Agreement> = (0..pairs.len())
        .into_par_iter()
        .map(|i| compare(pairs[i].0, pairs[i].1, &stimuli[i], &outputs, record, start_of(i)))
        .collect();
    for ((design, net), (stimulus, result)) in pairs.iter().zip(stimuli.iter().zip(&results)) {
        let [open, zero] = result.percent();
        let (name, gates, (toggled, of)) = (design.name(), net.gates.len(), result.toggled);
        let verdict = if result.mismatch.is_some() { "DIFFERS" } else { "equal" };
        println!(
            "{verdict} {name}: {gates} gates, {} cycles, known {open:.1}% from unknown state, {zero:.1}% from zeros, \
             {toggled} of {of} output bits toggled",
            stimulus.cycles
        );
        if let Some(text) = &result.mismatch {
            failures.push(format!("{name}: {text}"));
        } else if stimulus.cycles < CYCLES {
            failures.push(format!("{name}: only {} cycles", stimulus.cycles));
        }
    }
    println!("compared after {:.1?}", start.elapsed());
    assert!(failures.is_empty(), "seed {seed}: {} of {} designs:\n{}", failures.len(), designs.len(), failures.join("\n"));
}

/// The inputs of all designs, a record per step.
fn records(pairs: &[(&Design, &Netlist)], stimuli: &[Stimulus]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for k in 0..stimuli[0].steps.len() {
        for ((_, net), s) in pairs.iter().zip(stimuli) {
            let mut rest = s.steps[k].as_slice();
            for port in &net.inputs {
                let (bits, more) = rest.split_at(port.bits.len());
                verilator::pack(&mut bytes, bits);
                rest = more;
            }
        }
    }
    bytes
}
