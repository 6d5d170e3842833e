//! Which vectors ever change in more than one bit at a time: random simulation, which can only refute.

use super::clocks::is_reset_name;
use super::domains::Domains;
use crate::net::{GateId, Lit, Netlist, Sim, SimOptions};

/// Gates that are evaluated at most; larger designs are simulated for fewer steps.
const BUDGET: usize = 40_000_000;
/// Steps in which resets are active, and after which what they did has settled.
const RESET: usize = 12;
const SETTLED: usize = 16;

/// Runs the design with random inputs and clocks and looks at the vectors between steps. One that was never seen
/// to change does not look gray.
pub fn look_gray(net: &Netlist, domains: &Domains, vectors: &[Vec<GateId>]) -> Vec<bool> {
    let mut gray = vec![true; vectors.len()];
    let mut moved = vec![false; vectors.len()];
    if vectors.is_empty() {
        return gray;
    }
    let mut sim: Sim<'_, u64> = Sim::new(net, SimOptions::default());
    let mut rng = fastrand::Rng::with_seed(7);
    let clocks: Vec<GateId> = domains.list.iter().flat_map(|d| d.roots.clone()).collect();
    let steps = (BUDGET / net.gates.len().max(1)).clamp(40, 2_000);
    let mut before: Vec<Vec<u64>> = Vec::new();
    for step in 0..steps {
        for (p, port) in net.inputs.iter().enumerate() {
            let low = port.name.to_ascii_lowercase().trim_end_matches(|c: char| c.is_ascii_digit()).ends_with('n');
            for (i, l) in port.bits.iter().enumerate() {
                let value = match () {
                    // Clocks stand still half of the time, so that others get ahead.
                    _ if clocks.contains(&l.gate()) && step < SETTLED => rng.u64(..),
                    _ if clocks.contains(&l.gate()) => rng.u64(..) & rng.u64(..),
                    _ if is_reset_name(&port.name) => {
                        if (step < RESET) != low {
                            u64::MAX
                        } else {
                            0
                        }
                    }
                    // What enables something is mostly 1.
                    _ => rng.u64(..) | rng.u64(..),
                };
                sim.set_input(p, i as u32, value);
            }
        }
        if sim.settle().is_err() {
            return vec![false; vectors.len()];
        }
        let now: Vec<Vec<u64>> =
            vectors.iter().map(|v| v.iter().map(|g| sim.lit(Lit::new(*g, false))).collect()).collect();
        if step > SETTLED {
            for (k, (was, is)) in before.iter().zip(&now).enumerate() {
                let (mut one, mut two) = (0u64, 0u64);
                for change in was.iter().zip(is).map(|(a, b)| a ^ b) {
                    two |= one & change;
                    one |= change;
                }
                gray[k] &= two == 0;
                moved[k] |= one != 0;
            }
        }
        before = now;
    }
    gray.iter().zip(&moved).map(|(g, m)| *g && *m).collect()
}
