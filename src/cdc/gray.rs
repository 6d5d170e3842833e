//! Which vectors ever change in more than one bit at a time: random simulation, which can only refute.

use super::clocks::is_reset_name;
use super::crossing::Structure;
use super::domains::Domains;
use crate::net::{Builder, Gate, GateId, Lit, Net, Netlist, Sim, SimOptions};
use crate::source::Span;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Gates that are evaluated at most; larger designs are simulated for fewer steps.
const BUDGET: usize = 40_000_000;
/// Steps in which resets are active, and after which what they did has settled.
const RESET: usize = 12;
const SETTLED: usize = 16;

/// A vector to look at.
pub struct Watched {
    /// Its bits, the lowest first.
    pub bits: Vec<GateId>,
    /// While one of these is 1 its changes do not count: resets that it shares with who captures it.
    pub reset: Vec<Lit>,
}

/// What was seen of a vector.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Look {
    /// Only one bit at a time changed.
    Gray,
    /// Several bits changed at once.
    Several,
    /// Some of its bits never changed.
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
pub fn look(net: &Netlist, domains: &Domains, vectors: &[Watched]) -> Vec<Seen> {
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
    let mut changed: Vec<Vec<bool>> = vectors.iter().map(|v| vec![false; v.bits.len()]).collect();
    let mut was_reset: Vec<u64> = vec![0; vectors.len()];
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
            vectors.iter().map(|v| v.bits.iter().map(|g| sim.lit(Lit::new(*g, false))).collect()).collect();
        let reset: Vec<u64> = vectors.iter().map(|v| v.reset.iter().fold(0, |all, l| all | sim.lit(*l))).collect();
        if step > SETTLED {
            for (k, (was, is)) in before.iter().zip(&now).enumerate() {
                let (mut one, mut two) = (0u64, 0u64);
                let counts = !(reset[k] | was_reset[k]);
                for (i, change) in was.iter().zip(is).map(|(a, b)| (a ^ b) & counts).enumerate() {
                    two |= one & change;
                    one |= change;
                    changed[k][i] |= change != 0;
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
        (before, was_reset) = (now, reset);
    }
    for (seen, changed) in seen.iter_mut().zip(changed) {
        // Of a counter the high bits are slow; but what hardly changes may change with anything.
        let moved = changed.iter().filter(|c| **c).count();
        if seen.look == Look::Gray && moved < changed.len().min(3) {
            *seen = NOTHING;
        }
    }
    seen
}

/// The same in a netlist whose vectors need not wait: whatever enables them, and the registers they are computed from,
/// is a free choice. So rare events happen, and what is seen then is seen of more than can happen.
pub fn look_unlocked(s: &Structure, vectors: &[Watched]) -> Vec<Seen> {
    let mut b = Builder::on(s.net.clone());
    let mut data: FxHashMap<u32, Lit> = FxHashMap::default();
    for v in vectors {
        data.extend(without_clears(s, v));
    }
    let of = |r: u32| data.get(&r).copied().unwrap_or(s.data[r as usize]);
    let mut new: FxHashMap<GateId, Lit> = FxHashMap::default();
    let mut core: BTreeSet<u32> = BTreeSet::new();
    for g in vectors.iter().flat_map(|v| &v.bits) {
        if let Gate::Register(r) = s.net.gates[g.0 as usize] {
            core.insert(r);
            core.extend(registers_in(s.net, of(r)));
        }
    }
    for (enable, _) in core.iter().filter_map(|r| s.hold_of(*r, of(*r))) {
        new.entry(enable.gate()).or_insert_with(|| {
            let port = b.net.inputs.len() as u32;
            let l = b.leaf(Gate::Input(port, 0));
            let name = format!("entail:enable:{port}").into();
            b.net.inputs.push(Net { name, range: None, bits: vec![l], span: Span::NONE, attrs: vec![] });
            l
        });
    }
    for r in core {
        let next = rebuild(&mut b, s.net, of(r), &mut new);
        b.net.registers[r as usize].next = next;
    }
    look(&b.finish(), s.domains, vectors)
}

/// What the registers of a vector, and those they are computed from, take but for what clears the vector as a whole: a
/// clear is a reset by another name, and is proved harmless or not with the rest.
fn without_clears(s: &Structure, v: &Watched) -> FxHashMap<u32, Lit> {
    let registers: Vec<u32> = v
        .bits
        .iter()
        .filter_map(|g| if let Gate::Register(r) = s.net.gates[g.0 as usize] { Some(r) } else { None })
        .collect();
    let mut data: FxHashMap<u32, Lit> = registers.iter().map(|r| (*r, s.data[*r as usize])).collect();
    // What a literal is while a gate has the value at which it does not force a constant.
    let freed = |l: Lit, by: GateId| match s.net.gates[l.gate().0 as usize] {
        Gate::And(x, y) if x.gate() == by => Some(y.xor(l.complement())),
        Gate::And(x, y) if y.gate() == by => Some(x.xor(l.complement())),
        Gate::Mux(c, t, e) if c.gate() == by && t.as_const().is_some() => Some(e.xor(l.complement())),
        Gate::Mux(c, t, e) if c.gate() == by && e.as_const().is_some() => Some(t.xor(l.complement())),
        _ => None,
    };
    for _ in 0..4 {
        let Some(first) = registers.first().map(|r| data[r]) else { break };
        let candidates = match s.net.gates[first.gate().0 as usize] {
            Gate::And(x, y) => vec![x.gate(), y.gate()],
            Gate::Mux(c, ..) => vec![c.gate()],
            _ => break,
        };
        let common = candidates.into_iter().find(|by| registers.iter().all(|r| freed(data[r], *by).is_some()));
        let Some(by) = common.filter(|_| registers.len() > 1) else { break };
        data.values_mut().for_each(|l| *l = freed(*l, by).unwrap_or(*l));
        // The binary counter beside it is cleared by the same.
        for r in registers.iter().flat_map(|r| registers_in(s.net, data[r])).collect::<BTreeSet<_>>() {
            let own = s.data[r as usize];
            if let (Some(l), false) = (freed(own, by), data.contains_key(&r)) {
                data.insert(r, l);
            }
        }
    }
    data
}

/// A literal with some gates replaced.
fn rebuild(b: &mut Builder, net: &Netlist, l: Lit, new: &mut FxHashMap<GateId, Lit>) -> Lit {
    let mut open = vec![l.gate()];
    while let Some(&g) = open.last() {
        if new.contains_key(&g) {
            open.pop();
            continue;
        }
        let mut operands = Vec::new();
        net.fanin(g, |l| operands.push(l));
        let missing = operands.iter().map(|l| l.gate()).filter(|g| !new.contains_key(g)).collect::<Vec<_>>();
        if !missing.is_empty() {
            open.extend(missing);
            continue;
        }
        let of = |l: Lit| new[&l.gate()].xor(l.complement());
        let made = match net.gates[g.0 as usize] {
            Gate::And(x, y) => b.and(of(x), of(y)),
            Gate::Xor(x, y) => b.xor(of(x), of(y)),
            Gate::Mux(s, t, e) => b.mux(of(s), of(t), of(e)),
            _ => Lit::new(g, false),
        };
        new.insert(g, made);
    }
    new[&l.gate()].xor(l.complement())
}

/// Registers that a literal reads.
fn registers_in(net: &Netlist, l: Lit) -> Vec<u32> {
    let (mut open, mut seen, mut found) = (vec![l.gate()], FxHashSet::default(), Vec::new());
    while let Some(g) = open.pop() {
        if seen.insert(g) && seen.len() < 5_000 {
            if let Gate::Register(r) = net.gates[g.0 as usize] {
                found.push(r);
            }
            net.fanin(g, |l| open.push(l.gate()));
        }
    }
    found
}
