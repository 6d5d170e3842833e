//! Looks at a case: by the engine with plain values, and by the simulator.

use super::case::{Case, node};
use entail::net::sim::Fill;
use entail::net::{Gate, GateId, Lit, Sim, SimOptions};
use entail::ste::check::bind;
use entail::ste::logic::{Plain, Stop};
use entail::ste::machine::{Request, evaluate};
use entail::ste::rails::{Rail, Rails};
use entail::ste::realise::{Run, play};
use entail::ste::set::Assignment;
use entail::ste::{Atom, Circuit, Place, Start};
use entail::word::Bits;
use fastrand::Rng;
use rustc_hash::{FxHashMap, FxHashSet};

pub type Values = FxHashMap<Atom, Rail<bool>>;

/// The trajectory for one assignment.
pub struct Seen {
    pub atoms: Values,
    pub clash: bool,
}

/// Whether `v` says all that `u` says.
pub fn above(v: &Rail<bool>, u: &Rail<bool>) -> bool {
    v.high <= u.high && v.low <= u.low
}

/// `X`, `0`, `1` or `T`.
pub fn letter(v: &Rail<bool>) -> char {
    match (v.high, v.low) {
        (true, true) => 'X',
        (true, false) => '1',
        (false, true) => '0',
        (false, false) => 'T',
    }
}

/// Evaluates a case for one assignment with plain values.
pub fn plain(
    c: &Circuit,
    case: &Case,
    at: &Assignment,
    wanted: &[Atom],
    weakened: &FxHashSet<(u32, u32)>,
) -> Result<Seen, Stop> {
    let (terms, a) = case.assertion();
    let mut rails = Rails { logic: Plain };
    let own = case.vars().into_iter().map(|(v, b)| ((v, b), at.bit(v, b))).collect();
    let (bound, early) = bind(&terms, &a.antecedent, &mut rails, &own, &mut FxHashMap::default())?;
    let request = Request { bound: &bound, wanted, weakened, most: None, last: case.last, open: None, watch: None };
    let t = evaluate(c, &mut rails, request)?;
    Ok(Seen { atoms: t.atoms, clash: t.clash || early.is_some_and(|e| e.0) })
}

/// A random run; inputs of which the antecedent speaks are as it says.
pub fn random_run(c: &Circuit, case: &Case, at: &Assignment, rng: &mut Rng) -> Run {
    let net = &c.net;
    let mut said: FxHashMap<Atom, bool> = FxHashMap::default();
    for claim in case.given.iter().filter(|s| s.guard.value(at)) {
        if let Some(Atom { place: Place::Node(l), time }) = claim.atom {
            said.entry(node(Lit(l & !1), time)).or_insert(claim.value.value(at) ^ (l & 1 == 1));
        }
    }
    let mut run = Run { assignment: at.clone(), ..Run::default() };
    let initial = c.start == Start::Initial;
    let state = net.registers.iter().map(|r| (r.gate, r.init)).chain(net.latches.iter().map(|l| (l.gate, l.init)));
    for (g, init) in state {
        run.start.push((g.0, init.filter(|_| initial).unwrap_or_else(|| rng.bool())));
    }
    for (m, memory) in net.memories.iter().enumerate() {
        for a in 0..memory.size {
            let word = memory.init.iter().find(|w| w.0 == a).filter(|_| initial).map(|w| &w.1);
            for b in 0..memory.width {
                let known = word.filter(|w| !w.is_unknown(b)).map(|w| w.bit(b));
                run.words.push((m as u32, a, b, known.unwrap_or_else(|| rng.bool())));
            }
        }
    }
    let leaf = |g: &u32| matches!(net.gates[*g as usize], Gate::Input(..) | Gate::Free(_));
    let leaves: Vec<u32> = (0..net.gates.len() as u32).filter(leaf).collect();
    run.before = leaves.iter().map(|g| (*g, rng.bool())).collect();
    let lazy = rng.bool();
    for p in 0..c.phases(case.last) {
        let mut list = Vec::new();
        for g in &leaves {
            let id = GateId(*g);
            let is_input = matches!(net.gates[*g as usize], Gate::Input(..));
            if let Some(level) = c.level(id, p) {
                list.push((*g, level));
            } else if !(is_input && c.holds_inputs(p)) {
                let told = c.time(p).and_then(|t| said.get(&node(Lit::new(id, false), t)).copied());
                match told {
                    Some(v) => list.push((*g, v)),
                    None if lazy && rng.bool() => {}
                    None => list.push((*g, rng.bool())),
                }
            }
        }
        run.phases.push(list);
    }
    run
}

fn show(c: &Circuit, case: &Case, p: u32, sim: &Sim<u64>, to: &mut FxHashMap<Atom, bool>) {
    let Some(time) = c.time(p).filter(|t| *t <= case.last) else { return };
    for g in 0..c.net.gates.len() as u32 {
        let l = Lit::new(GateId(g), false);
        to.insert(node(l, time), sim.lit(l) & 1 == 1);
    }
    for (m, memory) in c.net.memories.iter().enumerate() {
        for a in 0..memory.size {
            let word = sim.memory_word(m, 0, a);
            for b in 0..memory.width {
                to.insert(Atom { place: Place::Word(m as u32, a, b), time }, word.bit(b));
            }
        }
    }
}

/// What the simulator shows of a run, everywhere; `None` if the design does not settle.
pub fn simulate(c: &Circuit, case: &Case, run: &Run) -> Option<FxHashMap<Atom, bool>> {
    let mut seen = FxHashMap::default();
    play(c, run, &mut |p, sim| show(c, case, p, sim, &mut seen)).ok()?;
    Some(seen)
}

/// The same with open values (free ones, reads beyond a memory) that are drawn anew in each phase.
pub fn simulate_open(c: &Circuit, case: &Case, run: &Run, seed: u64) -> Option<FxHashMap<Atom, bool>> {
    let net = &c.net;
    let options = SimOptions { frees: Fill::Random(seed), memory_lanes: 1, ..SimOptions::default() };
    let mut sim: Sim<u64> = Sim::new(net, options);
    let lanes = |v: bool| (v as u64).wrapping_neg();
    let set = |sim: &mut Sim<u64>, g: u32, v: bool| match net.gates[g as usize] {
        Gate::Input(p, b) => sim.set_input(p as usize, b, lanes(v)),
        Gate::Register(n) => sim.set_register(n as usize, lanes(v)),
        Gate::Latch(n) => sim.set_latch(n as usize, lanes(v)),
        _ => {}
    };
    for (m, memory) in net.memories.iter().enumerate() {
        for a in 0..memory.size {
            let bit = |b: u32| run.words.contains(&(m as u32, a, b, true));
            sim.set_memory_word(m, 0, a, &Bits::from_bits((0..memory.width).map(bit)));
        }
    }
    run.start.iter().chain(&run.before).for_each(|(g, v)| set(&mut sim, *g, *v));
    sim.prime();
    let mut seen = FxHashMap::default();
    for (p, list) in run.phases.iter().enumerate() {
        list.iter().for_each(|(g, v)| set(&mut sim, *g, *v));
        sim.settle().ok()?;
        show(c, case, p as u32, &sim, &mut seen);
    }
    Some(seen)
}

/// The case with its antecedent made to say of this run, for its assignment, what is so.
pub fn fit(case: &Case, at: &Assignment, seen: &FxHashMap<Atom, bool>) -> Case {
    let mut case = case.clone();
    for claim in case.given.iter_mut().filter(|s| s.guard.value(at)) {
        let atom = claim.atom.expect("an antecedent is about atoms");
        let is = match atom.place {
            Place::Node(l) => seen[&node(Lit(l & !1), atom.time)] ^ (l & 1 == 1),
            Place::Word(..) => seen[&atom],
        };
        if claim.value.value(at) != is {
            claim.value = claim.value.clone().not();
        }
    }
    case
}
