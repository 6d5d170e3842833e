//! Whether a vector ever changes in more than one bit at a time: random simulation, which can only refute.

use super::clocks::is_reset_name;
use super::domains::{DomainId, Domains};
use crate::net::{GateId, Lit, Netlist, Sim, SimOptions};

/// Designs with more gates than this are simulated for fewer steps.
const BUDGET: usize = 40_000_000;

/// Runs the design with random inputs and clocks and looks at the vector between steps. A vector that was never
/// seen to change does not look gray.
pub fn looks_gray(net: &Netlist, domains: &Domains, vector: &[GateId], _from: DomainId) -> bool {
    let mut sim: Sim<'_, u64> = Sim::new(net, SimOptions::default());
    let mut rng = fastrand::Rng::with_seed(7);
    let clocks: Vec<GateId> = domains.list.iter().flat_map(|d| d.roots.clone()).collect();
    let steps = (BUDGET / net.gates.len().max(1)).clamp(40, 2_000);
    let mut before: Option<Vec<u64>> = None;
    let mut moved = false;
    let mut calm = 0;
    for step in 0..steps {
        for (p, port) in net.inputs.iter().enumerate() {
            for (i, l) in port.bits.iter().enumerate() {
                let reset = is_reset_name(&port.name);
                let low = port.name.to_ascii_lowercase().trim_end_matches(|c: char| c.is_ascii_digit()).ends_with('n');
                let value = match () {
                    // Clocks run half of the time, so that others get ahead.
                    _ if clocks.contains(&l.gate()) => rng.u64(..) & if step < 16 { u64::MAX } else { rng.u64(..) },
                    _ if reset => {
                        let active = step < 12;
                        if active != low { u64::MAX } else { 0 }
                    }
                    _ => rng.u64(..) | rng.u64(..),
                };
                sim.set_input(p, i as u32, value);
            }
        }
        if sim.settle().is_err() {
            return false;
        }
        let now: Vec<u64> = vector.iter().map(|g| sim.lit(Lit::new(*g, false))).collect();
        // The end of a reset may change anything.
        calm += (step > 14) as u32;
        if let (Some(before), true) = (&before, calm > 1) {
            let (mut one, mut two) = (0u64, 0u64);
            for (a, b) in before.iter().zip(&now) {
                let change = a ^ b;
                two |= one & change;
                one |= change;
            }
            if two != 0 {
                return false;
            }
            moved |= one != 0;
        }
        before = Some(now);
    }
    moved
}
