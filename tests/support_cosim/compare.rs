//! Runs the netlist beside what Verilator said.
//!
//! Three simulations: from unknown state with three values; from zeros, as Verilator starts, with
//! three values, so that only free values are unknown; and from zeros with two values. An output
//! bit is compared where it is known; how many were is part of the result.

use super::design::Design;
use super::stimulus::Stimulus;
use super::verilator::{port_bytes, unpack};
use entail::net::sim::{Lanes, Ternary};
use entail::net::{Netlist, Sim, SimOptions};
use entail::word::Bits;

/// How two simulations agreed.
#[derive(Clone, Debug, Default)]
pub struct Agreement {
    /// Output bits looked at.
    pub bits: u64,
    /// Of these, compared in each of the three simulations.
    pub compared: [u64; 3],
    /// Output bits that took both values, and output bits.
    pub toggled: (usize, usize),
    /// The first difference, in words.
    pub mismatch: Option<String>,
}

impl Agreement {
    /// Percent of the bits that were compared in each of the three simulations.
    pub fn percent(&self) -> [f64; 3] {
        self.compared.map(|k| 100.0 * k as f64 / self.bits.max(1) as f64)
    }
}

/// Simulates the netlist and compares its outputs with the records `expected`, which hold the
/// outputs of this design from byte `at` of each `record` bytes.
pub fn compare(
    design: &Design,
    net: &Netlist,
    stimulus: &Stimulus,
    expected: &[u8],
    record: usize,
    at: usize,
) -> Agreement {
    let options = SimOptions { memory_lanes: 1, ..SimOptions::default() };
    let mut open = Sim::<Ternary>::new(net, options.clone());
    let mut zero = Sim::<Ternary>::new(net, options.clone());
    let mut plain = Sim::<u64>::new(net, options);
    clear_state(net, &mut zero);
    let outputs: Vec<_> =
        net.outputs.iter().flat_map(|p| p.bits.iter().enumerate().map(move |(i, l)| (p, i, *l))).collect();
    let mut seen = vec![[false; 2]; outputs.len()];
    let mut result = Agreement::default();
    for (k, step) in stimulus.steps.iter().enumerate() {
        let settled = apply(net, &mut open, step, k == 0)
            .and_then(|()| apply(net, &mut zero, step, k == 0))
            .and_then(|()| apply(net, &mut plain, step, k == 0));
        if let Err(e) = settled {
            result.mismatch = Some(format!("step {k}: {e}"));
            return result;
        }
        if k < stimulus.compare_from {
            continue;
        }
        let here = &expected[k * record + at..];
        let mut offset = 0;
        for (n, &(port, i, lit)) in outputs.iter().enumerate() {
            let wanted = unpack(here, offset, i);
            seen[n][usize::from(wanted)] = true;
            let mut values = [open.lit(lit).get(0), zero.lit(lit).get(0), plain.lit(lit).get(0)];
            // With two values a free value is 0; in general that says something only where it does
            // not matter.
            if values[1].is_none() && !design.x_is_zero {
                values[2] = None;
            }
            result.bits += 1;
            for (count, value) in result.compared.iter_mut().zip(values) {
                *count += u64::from(value.is_some());
            }
            if let Some(which) = values.iter().position(|v| v.is_some_and(|v| v != wanted)) {
                let simulation = ["from unknown state", "from zeros", "two-valued"][which];
                result.mismatch = Some(format!(
                    "step {k}: {}[{i}] is {} here ({simulation}) and {} in Verilator\n{}",
                    port.name,
                    u8::from(!wanted),
                    u8::from(wanted),
                    recent_inputs(net, stimulus, k)
                ));
                return result;
            }
            if i + 1 == port.bits.len() {
                offset += port_bytes(port.bits.len());
            }
        }
    }
    let toggled = seen.iter().filter(|s| s[0] && s[1]).count();
    result.toggled = (toggled, seen.len());
    let percent = result.percent();
    if percent.iter().zip(design.least).any(|(p, least)| *p < least as f64) {
        result.mismatch =
            Some(format!("too few output bits were compared: {percent:.1?} percent of {:?}", design.least));
    }
    result
}

/// Zeros where the design leaves the initial value open.
fn clear_state(net: &Netlist, sim: &mut Sim<Ternary>) {
    for (i, _) in net.registers.iter().enumerate().filter(|(_, r)| r.init.is_none()) {
        sim.set_register(i, Ternary::FALSE);
    }
    for (i, _) in net.latches.iter().enumerate().filter(|(_, l)| l.init.is_none()) {
        sim.set_latch(i, Ternary::FALSE);
    }
    for (m, memory) in net.memories.iter().enumerate() {
        for word in 0..memory.size {
            let mut value = sim.memory_word(m, 0, word);
            for i in 0..memory.width {
                if value.is_unknown(i) {
                    value.set(i, false);
                }
            }
            sim.set_memory_word(m, 0, word, &value);
        }
    }
}

fn apply<L: Lanes>(net: &Netlist, sim: &mut Sim<L>, step: &[bool], first: bool) -> Result<(), String> {
    let mut bits = step.iter();
    for (p, port) in net.inputs.iter().enumerate() {
        for (i, bit) in (0..port.bits.len() as u32).zip(&mut bits) {
            sim.set_input(p, i, L::known(if *bit { !0 } else { 0 }));
        }
    }
    if first {
        sim.prime();
    }
    sim.settle().map_err(|e| e.to_string())
}

/// The inputs of the last few steps, one line each.
fn recent_inputs(net: &Netlist, stimulus: &Stimulus, last: usize) -> String {
    let mut text = String::new();
    for k in last.saturating_sub(5)..=last {
        let mut bits = stimulus.steps[k].iter();
        let values: Vec<String> = net
            .inputs
            .iter()
            .map(|p| {
                let value = Bits::from_bits((&mut bits).take(p.bits.len()).copied());
                format!("{}={}", p.name, value.to_decimal(false))
            })
            .collect();
        text.push_str(&format!("  step {k}: {}\n", values.join(" ")));
    }
    text
}
