//! Whether a statement is true: all runs of a tiny circuit, all values of the vectors. Nothing of `ste` or `proof`
//! decides here; runs are those of the simulator.

use entail::net::{Gate, GateId, Lit, Netlist, Sim, SimOptions};
use entail::proof::Statement;
use entail::ste::{Atom, Circuit, Claim, Leaf, Place, Start, Terms};
use entail::word::Bits;
use fastrand::Rng;
use rustc_hash::{FxHashMap, FxHashSet};

/// What all runs (or, where there are too many, many of them) show.
pub struct Runs {
    pub exact: bool,
    /// Lanes that came to rest.
    valid: Vec<u64>,
    values: FxHashMap<Atom, Vec<u64>>,
}

#[derive(Clone, Copy)]
enum Choice {
    State(u32),
    Word(u32, u64, u32),
    Before(u32),
    Phase(u32, u32),
}

/// Inputs that the levels of clocks depend on.
fn clock_inputs(net: &Netlist) -> FxHashSet<u32> {
    let writes = net.memories.iter().flat_map(|m| m.writes.iter().map(|w| w.clock));
    let mut open: Vec<u32> = net.registers.iter().map(|r| r.clock).chain(writes).map(|l| l.gate().0).collect();
    let mut seen = FxHashSet::default();
    while let Some(g) = open.pop() {
        if seen.insert(g) {
            net.fanin(GateId(g), |l| open.push(l.gate().0));
        }
    }
    seen
}

/// More choices than this are drawn at random.
pub const MOST: usize = 15;

pub fn runs(c: &Circuit, last: u32) -> Runs {
    let net = &c.net;
    let initial = c.start == Start::Initial;
    let mut choices = Vec::new();
    let state = net.registers.iter().map(|r| (r.gate, r.init)).chain(net.latches.iter().map(|l| (l.gate, l.init)));
    choices.extend(state.filter(|s| !initial || s.1.is_none()).map(|s| Choice::State(s.0.0)));
    for (m, memory) in net.memories.iter().enumerate() {
        for a in 0..memory.size.min(8) {
            // The last of several initial words counts, as in the simulator.
            let word = memory.init.iter().rev().find(|w| w.0 == a).filter(|_| initial).map(|w| &w.1);
            let open = (0..memory.width).filter(|b| word.is_none_or(|w| w.is_unknown(*b)));
            choices.extend(open.map(|b| Choice::Word(m as u32, a, b)));
        }
    }
    let clocked = clock_inputs(net);
    let leaf = |g: &u32| matches!(net.gates[*g as usize], Gate::Input(..) | Gate::Free(_));
    let leaves: Vec<u32> = (0..net.gates.len() as u32).filter(leaf).collect();
    choices.extend(leaves.iter().filter(|g| clocked.contains(g)).map(|g| Choice::Before(*g)));
    for p in 0..c.phases(last) {
        for g in &leaves {
            let is_input = matches!(net.gates[*g as usize], Gate::Input(..));
            if c.level(GateId(*g), p).is_none() && !(is_input && c.holds_inputs(p)) {
                choices.push(Choice::Phase(p, *g));
            }
        }
    }
    let exact = choices.len() <= MOST;
    let chunks = if exact { (1usize << choices.len()).div_ceil(64) } else { 64 };
    let mut found = Runs { exact, valid: Vec::new(), values: FxHashMap::default() };
    let mut rng = Rng::with_seed(7);
    for chunk in 0..chunks {
        let lanes: Vec<u64> = (0..choices.len())
            .map(|i| match exact {
                true => (0..64).fold(0, |w, k| w | (((chunk * 64 + k) >> i & 1) as u64) << k),
                false => rng.u64(..),
            })
            .collect();
        if play(c, last, &choices, &lanes, &mut found) {
            found.valid.push(!0);
            continue;
        }
        // Some lane does not settle: one at a time.
        forget(&mut found);
        for k in 0..64 {
            let one: Vec<u64> = lanes.iter().map(|w| (w >> k & 1).wrapping_neg()).collect();
            let rests = play(c, last, &choices, &one, &mut found);
            if !rests {
                forget(&mut found);
                continue;
            }
            found.valid.push(1);
        }
    }
    found
}

/// Drops what a run that did not settle has shown.
fn forget(found: &mut Runs) {
    let n = found.valid.len();
    found.values.values_mut().for_each(|v| v.truncate(n));
}

fn play(c: &Circuit, last: u32, choices: &[Choice], lanes: &[u64], found: &mut Runs) -> bool {
    let net = &c.net;
    let mut sim: Sim<u64> = Sim::new(net, SimOptions::default());
    let set = |sim: &mut Sim<u64>, g: u32, v: u64| match net.gates[g as usize] {
        Gate::Input(p, b) => sim.set_input(p as usize, b, v),
        Gate::Free(n) => sim.set_free(n as usize, v),
        Gate::Register(n) => sim.set_register(n as usize, v),
        Gate::Latch(n) => sim.set_latch(n as usize, v),
        _ => panic!("a choice of a gate"),
    };
    let mut words: FxHashMap<(u32, u64, u32), Bits> = FxHashMap::default();
    for (choice, v) in choices.iter().zip(lanes) {
        match *choice {
            Choice::State(g) | Choice::Before(g) => set(&mut sim, g, *v),
            Choice::Word(m, a, b) => {
                for lane in 0..64 {
                    let word = words.entry((m, a, lane)).or_insert_with(|| sim.memory_word(m as usize, lane, a));
                    word.set(b, v >> lane & 1 == 1);
                }
            }
            Choice::Phase(..) => {}
        }
    }
    for ((m, a, lane), w) in &words {
        sim.set_memory_word(*m as usize, *lane, *a, w);
    }
    sim.prime();
    for p in 0..c.phases(last) {
        for g in 0..net.gates.len() as u32 {
            if let Some(level) = c.level(GateId(g), p) {
                set(&mut sim, g, (level as u64).wrapping_neg());
            }
        }
        for (choice, v) in choices.iter().zip(lanes) {
            if let Choice::Phase(at, g) = *choice
                && at == p
            {
                set(&mut sim, g, *v);
            }
        }
        if sim.settle().is_err() {
            return false;
        }
        let Some(time) = c.time(p) else { continue };
        for g in 1..net.gates.len() as u32 {
            let v = sim.lit(Lit::new(GateId(g), false));
            found.values.entry(Atom { place: Place::Node(g << 1), time }).or_default().push(v);
        }
        for (m, memory) in net.memories.iter().enumerate() {
            for a in 0..memory.size.min(8) {
                let all: Vec<Bits> = (0..64).map(|lane| sim.memory_word(m, lane, a)).collect();
                for b in 0..memory.width {
                    let v = (0..64).fold(0, |w, k| w | (all[k].bit(b) as u64) << k);
                    found.values.entry(Atom { place: Place::Word(m as u32, a, b), time }).or_default().push(v);
                }
            }
        }
    }
    true
}

#[derive(Debug)]
pub enum Verdict {
    /// Nothing breaks it; whether something satisfies what is given.
    True(bool),
    False(String),
    /// Too large to be judged.
    Unjudged,
}

fn plain(a: Atom) -> (Atom, bool) {
    match a.place {
        Place::Node(l) => (Atom { place: Place::Node(l & !1), ..a }, l & 1 == 1),
        Place::Word(..) => (a, false),
    }
}

/// The last time a statement speaks of.
pub fn last(terms: &Terms, s: &Statement) -> u32 {
    atoms(terms, s).iter().map(|a| a.time).max().unwrap_or(0)
}

fn atoms(terms: &Terms, s: &Statement) -> Vec<Atom> {
    let claims = || s.antecedent.iter().chain(&s.consequent);
    let mut list: Vec<Atom> = claims().filter_map(|c| c.atom).map(|a| plain(a).0).collect();
    let lits: Vec<Lit> = claims().flat_map(|c| [c.guard, c.value]).chain([s.constraint]).collect();
    list.extend(terms.support(&lits).into_iter().filter_map(|l| match l {
        Leaf::Atom(a) => Some(plain(a).0),
        Leaf::Var(..) => None,
    }));
    list.retain(|a| a.place != Place::Node(0));
    list.sort_unstable();
    list.dedup();
    list
}

/// Judges a statement; a fact is judged over all values of atoms, a statement about a circuit over its runs.
pub fn judge(terms: &Terms, s: &Statement, runs: &Runs) -> Verdict {
    let claims = || s.antecedent.iter().chain(&s.consequent);
    let lits: Vec<Lit> = claims().flat_map(|c| [c.guard, c.value]).chain([s.constraint]).collect();
    let cone = terms.cone(&lits);
    let place: FxHashMap<u32, usize> = cone.iter().enumerate().map(|(i, g)| (*g, i)).collect();
    let mut vars: Vec<Leaf> = terms.support(&lits).into_iter().filter(|l| matches!(l, Leaf::Var(..))).collect();
    let spoken = atoms(terms, s);
    let about = s.circuit.is_some();
    if !about {
        vars.extend(spoken.iter().map(|a| Leaf::Atom(*a)));
    } else if spoken.iter().any(|a| !runs.values.contains_key(a)) {
        return Verdict::Unjudged;
    }
    if vars.len() > 14 {
        return Verdict::Unjudged;
    }
    let number: FxHashMap<Leaf, usize> = vars.iter().enumerate().map(|(i, l)| (*l, i)).collect();
    let chunks = if about { runs.valid.len() } else { 1 };
    let mut fits = false;
    let mut at = vec![0u64; cone.len()];
    for assignment in 0..1u64 << vars.len() {
        let own = |l: Leaf| number.get(&l).map(|i| (assignment >> i & 1).wrapping_neg());
        for chunk in 0..chunks {
            let atom = |a: Atom| match a.place {
                Place::Node(0) => 0,
                _ if about => runs.values[&a][chunk],
                _ => own(Leaf::Atom(a)).expect("an atom that was counted"),
            };
            let lit = |at: &[u64], l: Lit| at[place[&l.gate().0]] ^ (l.complement() as u64).wrapping_neg();
            for (i, g) in cone.iter().enumerate() {
                let gate = terms.gates()[*g as usize];
                at[i] = match gate {
                    Gate::And(a, b) => lit(&at, a) & lit(&at, b),
                    Gate::Xor(a, b) => lit(&at, a) ^ lit(&at, b),
                    Gate::Mux(c, t, e) => lit(&at, c) & lit(&at, t) | !lit(&at, c) & lit(&at, e),
                    _ => match terms.leaf_of(gate) {
                        Some(Leaf::Atom(a)) => {
                            let (a, flip) = plain(a);
                            atom(a) ^ (flip as u64).wrapping_neg()
                        }
                        Some(l) => own(l).expect("a variable that was counted"),
                        None => 0,
                    },
                };
            }
            let said = |c: &Claim| {
                let v = match c.atom.map(plain) {
                    Some((a, flip)) => !(atom(a) ^ (flip as u64).wrapping_neg() ^ lit(&at, c.value)),
                    None => lit(&at, c.value),
                };
                !lit(&at, c.guard) | v
            };
            let valid = if about { runs.valid[chunk] } else { !0 };
            let given = s.antecedent.iter().fold(valid & lit(&at, s.constraint), |w, c| w & said(c));
            fits |= given != 0;
            for (i, c) in s.consequent.iter().enumerate() {
                let broken = given & !said(c);
                if broken != 0 {
                    let lane = broken.trailing_zeros();
                    let shown: Vec<String> = spoken
                        .iter()
                        .map(|a| format!("{a:?}={}", atom(*a) >> lane & 1))
                        .chain(vars.iter().enumerate().map(|(i, l)| format!("{l:?}={}", assignment >> i & 1)))
                        .collect();
                    return Verdict::False(format!("claim {i} is broken: {}", shown.join(" ")));
                }
            }
        }
    }
    Verdict::True(fits)
}

/// Runs by circuit and last time.
#[derive(Default)]
pub struct Judge {
    runs: FxHashMap<([u8; 32], u32), Runs>,
}

impl Judge {
    pub fn runs(&mut self, c: &Circuit, last: u32) -> &Runs {
        self.runs.entry((*c.hash().as_bytes(), last)).or_insert_with(|| runs(c, last))
    }

    pub fn judge(&mut self, c: &Circuit, terms: &Terms, s: &Statement) -> Verdict {
        let last = last(terms, s);
        if s.circuit.is_some() && last > 5 {
            return Verdict::Unjudged;
        }
        if self.runs.len() > 200 {
            self.runs.clear();
        }
        let last = if s.circuit.is_some() { last } else { 0 };
        let runs = self.runs(c, last);
        judge(terms, s, runs)
    }

    /// All that each assignment of these variables forces on an atom, given what is given: where it is forced, to what.
    pub fn forced(&mut self, c: &Circuit, terms: &mut Terms, s: &Statement, vars: &[Lit], atom: Atom) -> (Lit, Lit) {
        let (mut guard, mut value) = (Lit::FALSE, Lit::FALSE);
        for n in 0..1u32 << vars.len() {
            let bits: Vec<Lit> = vars.iter().enumerate().map(|(i, l)| l.xor(n >> i & 1 == 0)).collect();
            let here = terms.all(&bits);
            for v in [false, true] {
                let claim = Claim { atom: Some(atom), guard: here, value: Lit::FALSE.xor(v), origin: 0 };
                let one = Statement { consequent: vec![claim], ..s.clone() };
                if let Verdict::True(true) = self.judge(c, terms, &one) {
                    guard = terms.or(guard, here);
                    if v {
                        value = terms.or(value, here);
                    }
                    break;
                }
            }
        }
        (guard, value)
    }
}
