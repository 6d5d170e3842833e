//! Which vectors ever change in more than one bit at a time: random simulation, which can only refute.

use super::clocks::is_reset_name;
use super::domains::Domains;
use crate::net::{GateId, Lit, Net, Netlist, Sim, SimOptions};

/// Gates that are evaluated at most; larger designs are simulated for fewer steps.
const BUDGET: usize = 40_000_000;
/// Steps in which resets are active, and after which what they did has settled.
const RESET: usize = 12;
const SETTLED: usize = 16;

/// What was seen of a vector.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Look {
    /// Only one bit at a time changed.
    Gray,
    /// Several bits changed at once.
    Several,
    /// It never changed.
    Still,
}

/// What was seen of a vector, and whether each change was a step up in the usual gray code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Seen {
    /// How its bits changed.
    pub look: Look,
    /// Each change was a step up.
    pub counts: bool,
}

const NOTHING: Seen = Seen { look: Look::Still, counts: false };

/// The level at which a reset input is active: as registers use it, or else by its name.
fn active_low(net: &Netlist, port: &Net) -> bool {
    let gate = port.bits.first().map(|l| l.gate());
    let used = net.registers.iter().flat_map(|r| &r.asyncs).find(|a| Some(a.0.gate()) == gate);
    used.map_or_else(
        || {
            let name = port.name.to_ascii_lowercase();
            let name = name.trim_end_matches(|c: char| c.is_ascii_digit());
            name.ends_with('n') || name.ends_with("_ni") || name.ends_with("_b") || name.contains("_n_")
        },
        |a| a.0.complement(),
    )
}

/// In which lanes one vector in gray code, the lowest bit first, is one more than another.
fn steps_up(was: &[u64], is: &[u64]) -> u64 {
    let binary = |gray: &[u64]| {
        let mut bits = gray.to_vec();
        for i in (0..bits.len().saturating_sub(1)).rev() {
            bits[i] ^= bits[i + 1];
        }
        bits
    };
    let (mut carry, mut equal) = (u64::MAX, u64::MAX);
    for (a, b) in binary(was).into_iter().zip(binary(is)) {
        equal &= !(a ^ carry ^ b);
        carry &= a;
    }
    equal
}

/// Runs the design with random inputs and clocks and looks at the vectors between steps.
pub fn look(net: &Netlist, domains: &Domains, vectors: &[Vec<GateId>]) -> Vec<Seen> {
    let mut seen = vec![NOTHING; vectors.len()];
    if vectors.is_empty() {
        return seen;
    }
    let mut sim: Sim<'_, u64> = Sim::new(net, SimOptions::default());
    let mut rng = fastrand::Rng::with_seed(7);
    let clocks: Vec<GateId> = domains.list.iter().flat_map(|d| d.roots.clone()).collect();
    let steps = (BUDGET / net.gates.len().max(1)).clamp(40, 2_000);
    let lows: Vec<bool> = net.inputs.iter().map(|p| active_low(net, p)).collect();
    let mut before: Vec<Vec<u64>> = Vec::new();
    for step in 0..steps {
        for (p, port) in net.inputs.iter().enumerate() {
            let low = lows[p];
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
            return vec![NOTHING; vectors.len()];
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
                let first = seen[k].look == Look::Still && one != 0;
                let up = steps_up(was, is);
                seen[k].counts = (first || seen[k].counts) && one & !up == 0;
                seen[k].look = match seen[k].look {
                    _ if two != 0 => Look::Several,
                    // What was seen once stays seen.
                    _ if first => Look::Gray,
                    before => before,
                };
            }
        }
        before = now;
    }
    seen
}
