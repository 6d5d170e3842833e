//! Inputs over time, and what the netlist simulator makes of them.

use super::maker::EVENTS;
use entail::net::{Netlist, Sim, SimOptions};
use entail::word::Bits;
use fastrand::Rng;
use std::path::Path;

/// Values of all inputs over time. Data changes in one step, then one event input in the next, so
/// that nothing depends on the order in which a Verilog simulator sees simultaneous changes; or
/// `at_once`, where the file itself sees to the order.
pub fn stimulus(net: &Netlist, rng: &mut Rng, rounds: usize, at_once: bool) -> Vec<Vec<Bits>> {
    let mut now: Vec<Bits> = net.inputs.iter().map(|p| Bits::zero(p.bits.len() as u32)).collect();
    let frees = net.frees.len() as u32;
    now.push(Bits::zero(frees));
    let mut all = vec![now.clone()];
    for _ in 0..rounds {
        for (i, v) in now.iter_mut().enumerate() {
            let is_event = net.inputs.get(i).is_some_and(|p| EVENTS.contains(&p.name.as_str()));
            if !is_event {
                *v = Bits::from_bits((0..v.width()).map(|_| rng.bool()).collect::<Vec<_>>());
            }
        }
        if !at_once {
            all.push(now.clone());
        }
        let event = EVENTS[[0, 0, 0, 0, 1, 1, 2, 3][rng.usize(..8)]];
        let at = net.inputs.iter().position(|p| p.name == event).expect("an event");
        now[at] = now[at].not();
        all.push(now.clone());
    }
    all
}

/// What the simulator's outputs are after each set of inputs. In plain Verilog a clock that first
/// becomes 0 has a falling edge (from x); `from_x` starts the clocks so.
pub fn simulate(net: &Netlist, stimulus: &[Vec<Bits>], from_x: bool) -> Vec<String> {
    let mut sim = Sim::<u64>::new(net, SimOptions::default());
    let mut lines = Vec::new();
    if from_x {
        sim.set_input(0, 0, 1);
        sim.set_input(1, 0, 1);
        sim.prime();
        sim.settle().expect("settles");
    }
    for values in stimulus {
        for (p, v) in values.iter().enumerate().take(net.inputs.len()) {
            sim.set_input_bits(p, 0, v);
        }
        for f in 0..net.frees.len() {
            sim.set_free(f, 0u64.wrapping_sub(values[net.inputs.len()].bit(f as u32) as u64));
        }
        sim.settle().expect("settles");
        let outputs: Vec<String> = (0..net.outputs.len()).rev().map(|o| sim.output_bits(o, 0).to_binary()).collect();
        lines.push(outputs.concat());
    }
    lines
}

/// As [`simulate`], but the clock starts at its idle level.
pub fn simulate_from(net: &Netlist, stimulus: &[Vec<Bits>], high: bool) -> Vec<String> {
    let mut lines = Vec::new();
    let mut sim = Sim::<u64>::new(net, SimOptions::default());
    let clk = sim.input_index("clk").expect("a clock");
    sim.set_input(clk, 0, if high { !0 } else { 0 });
    sim.prime();
    for values in stimulus {
        for (p, v) in values.iter().enumerate().take(net.inputs.len()) {
            sim.set_input_bits(p, 0, v);
        }
        for f in 0..net.frees.len() {
            sim.set_free(f, 0u64.wrapping_sub(values[net.inputs.len()].bit(f as u32) as u64));
        }
        sim.settle().expect("settles");
        let outputs: Vec<String> = (0..net.outputs.len()).rev().map(|o| sim.output_bits(o, 0).to_binary()).collect();
        lines.push(outputs.concat());
    }
    lines
}

pub fn agree(want: &[String], got: &[String], context: &str, file: &Path) {
    for (t, (want, got)) in want.iter().zip(got).enumerate() {
        if want != got {
            let keep = std::env::temp_dir().join("entail-export-failure.v");
            let _ = std::fs::copy(file, &keep);
            panic!("{context}, step {t}: simulator {want}, file {got}; see {}", keep.display());
        }
    }
    assert_eq!(want.len(), got.len(), "{context}");
}
