//! Runs of a circuit without X: found by a SAT solver, played in the simulator.
//!
//! A failure of trajectory evaluation is shown only with a run that satisfies the antecedent and breaks the
//! consequent in [`crate::net::sim`]; an assertion counts as more than vacuous only with a run that satisfies its
//! antecedent. The search evaluates the circuit with a variable for everything that nothing gives a value.

use super::check::{Assertion, Control, formula, plain};
use super::circuit::Circuit;
use super::logic::Stop;
use super::machine::{BEFORE, Request, Unbound, evaluate};
use super::sat::Asker;
use super::set::Assignment;
use super::terms::{Atom, Leaf, Place, Terms};
use crate::net::{Gate, GateId, Lit, Sim, SimOptions};
use crate::word::Bits;
use rustc_hash::{FxHashMap, FxHashSet};
use std::time::Instant;

/// A run, with the values of the symbolic vectors that it belongs to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Run {
    /// The vectors.
    pub assignment: Assignment,
    /// State at the start, by gate.
    pub start: Vec<(u32, bool)>,
    /// Words at the start: memory, address, bit.
    pub words: Vec<(u32, u64, u32, bool)>,
    /// Inputs before the first phase, by gate: they set the levels of clocks.
    pub before: Vec<(u32, bool)>,
    /// Inputs and free values of each phase, by gate; what is not named is as it was, at first 0.
    pub phases: Vec<Vec<(u32, bool)>>,
}

/// What is looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// A run that satisfies the antecedent.
    Witness,
    /// One that also breaks the consequent.
    Broken,
}

/// Looks for a run; with `fixed`, for one of these vectors. `None`: there is none.
pub fn realise(
    c: &Circuit,
    terms: &Terms,
    a: &Assertion,
    wanted: Wanted,
    fixed: Option<&Assignment>,
    ctl: &Control,
) -> Result<Option<Run>, Stop> {
    let deadline = ctl.deadline();
    let stop = || ctl.is_cancelled() || deadline.is_some_and(|d| Instant::now() >= d);
    let mut formulas: Vec<Lit> = a.antecedent.iter().chain(&a.consequent).flat_map(|c| [c.guard, c.value]).collect();
    formulas.push(a.constraint);
    let mut asker = Asker::new(terms, &formulas);
    let mut own = asker.own.clone();
    if let Some(f) = fixed {
        own.iter_mut().for_each(|((v, b), l)| *l = Lit::FALSE.xor(f.bit(*v, *b)));
    }
    let mut atoms: Vec<Atom> = a.antecedent.iter().filter_map(|c| c.atom).map(|a| plain(a).0).collect();
    atoms.extend(a.wanted(terms));
    atoms.retain(|a| a.place != Place::Node(0));
    atoms.sort_unstable();
    atoms.dedup();
    // Variables are made while the graph is in use, so their number is fixed first.
    let mut opened: Vec<(Unbound, Lit)> = Vec::new();
    let mut pool: Vec<Lit> = Vec::new();
    let mut next = own.len() as u32;
    let (bound, none) = (FxHashMap::default(), FxHashSet::default());
    let trajectory = loop {
        opened.clear();
        let mut at = 0;
        let mut short = 0;
        let mut open = |what: Unbound| {
            let l = pool.get(at).copied().unwrap_or_else(|| {
                short += 1;
                Lit::FALSE
            });
            at += 1;
            opened.push((what, l));
            l
        };
        let request = Request {
            bound: &bound,
            wanted: &atoms,
            weakened: &none,
            most: None,
            last: a.last(terms),
            open: Some(&mut open),
            watch: None,
        };
        let found = evaluate(c, &mut asker.rails, request)?;
        if short == 0 {
            break found;
        }
        // What is evaluated does not depend on the values, so the second time there are enough.
        for _ in 0..short {
            pool.push(Asker::fresh(&mut asker.rails.logic.aig, &mut next));
        }
    };
    let mut memo = FxHashMap::default();
    let mut all = vec![formula(&mut asker.rails.logic, terms, a.constraint, &own, &mut memo)?];
    for claim in &a.antecedent {
        let Some(atom) = claim.atom else { continue };
        let guard = formula(&mut asker.rails.logic, terms, claim.guard, &own, &mut memo)?;
        let value = formula(&mut asker.rails.logic, terms, claim.value, &own, &mut memo)?;
        let (atom, flip) = plain(atom);
        let rail = match atom.place {
            Place::Node(0) => asker.rails.constant(false),
            _ => trajectory.atoms[&atom].clone(),
        };
        let rail = asker.rails.flip(&rail, flip);
        let value = asker.rails.known(&value);
        let differ = asker.rails.xor(&rail, &value)?;
        // It must surely be this value.
        let said = asker.rails.logic.aig.and(guard, differ.high);
        all.push(!said);
    }
    if wanted == Wanted::Broken {
        let mut broken = Vec::new();
        let mut rails = FxHashMap::default();
        for claim in &a.consequent {
            let said = super::check::claim_rail(terms, claim, &mut asker.rails, &own, &trajectory.atoms, &mut rails)?;
            broken.push(asker.rails.logic.aig.and(said.low, !said.high));
        }
        all.push(asker.rails.logic.aig.any(&broken));
    }
    if !asker.ask(&all, &stop)? {
        return Ok(None);
    }
    let mut run = Run { assignment: fixed.cloned().unwrap_or_else(|| asker.assignment()), ..Run::default() };
    run.phases = vec![Vec::new(); c.phases(a.last(terms)) as usize];
    for (what, l) in &opened {
        let v = asker.value(*l);
        match *what {
            Unbound::State(g) => run.start.push((g.0, v)),
            Unbound::Word(m, addr, bit) => run.words.push((m, addr, bit, v)),
            Unbound::Leaf(g, BEFORE) => run.before.push((g.0, v)),
            Unbound::Leaf(g, p) => run.phases[p as usize].push((g.0, v)),
        }
    }
    for p in 0..run.phases.len() {
        let levels = c.net.inputs.iter().flat_map(|n| &n.bits).map(|l| l.gate());
        let levels = levels.filter_map(|g| Some((g.0, c.level(g, p as u32)?)));
        run.phases[p].extend(levels);
    }
    Ok(Some(run))
}

/// Plays a run in the simulator; `look` is shown every phase at rest.
pub fn play(c: &Circuit, run: &Run, look: &mut dyn FnMut(u32, &Sim<u64>)) -> Result<(), String> {
    let net = &c.net;
    let lanes = |v: bool| (v as u64).wrapping_neg();
    // All lanes play the same run, memories included: one that did not could keep the others from coming to rest.
    let mut sim: Sim<u64> = Sim::new(net, SimOptions::default());
    let set = |sim: &mut Sim<u64>, g: u32, v: bool| -> Result<(), String> {
        match net.gates.get(g as usize) {
            Some(Gate::Input(p, b)) => sim.set_input(*p as usize, *b, lanes(v)),
            Some(Gate::Free(n)) => sim.set_free(*n as usize, lanes(v)),
            Some(Gate::Register(n)) => sim.set_register(*n as usize, lanes(v)),
            Some(Gate::Latch(n)) => sim.set_latch(*n as usize, lanes(v)),
            _ => return Err("the run sets what cannot be set".into()),
        }
        Ok(())
    };
    let mut words: FxHashMap<(u32, u64), Bits> = FxHashMap::default();
    for (m, addr, bit, v) in &run.words {
        let memory = net.memories.get(*m as usize).filter(|x| *addr < x.size && *bit < x.width);
        let memory = memory.ok_or("the run sets a word that there is not")?;
        debug_assert!(*bit < memory.width);
        let word = words.entry((*m, *addr)).or_insert_with(|| sim.memory_word(*m as usize, 0, *addr));
        word.set(*bit, *v);
    }
    for ((m, addr), w) in &words {
        (0..64).for_each(|lane| sim.set_memory_word(*m as usize, lane, *addr, w));
    }
    for (g, v) in run.start.iter().chain(&run.before) {
        set(&mut sim, *g, *v)?;
    }
    sim.prime();
    for (p, inputs) in run.phases.iter().enumerate() {
        for (g, v) in inputs {
            set(&mut sim, *g, *v)?;
        }
        sim.settle().map_err(|e| e.to_string())?;
        look(p as u32, &sim);
    }
    Ok(())
}

/// What a run shows: whether the constraint and the antecedent hold in it, and which claims of the consequent do not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seen {
    /// Constraint and antecedent hold.
    pub fits: bool,
    /// Broken claims of the consequent.
    pub broken: Vec<usize>,
    /// The atoms that were looked at.
    pub atoms: FxHashMap<Atom, bool>,
}

/// Plays a run and judges it.
pub fn judge(c: &Circuit, terms: &Terms, a: &Assertion, run: &Run) -> Result<Seen, String> {
    for (v, bits) in terms.vectors.iter().zip(&run.assignment.0) {
        if bits.width() != v.width {
            return Err("the run has other vectors".into());
        }
    }
    if run.assignment.0.len() != terms.vectors.len() || run.phases.len() < c.phases(a.last(terms)) as usize {
        return Err("the run is too short".into());
    }
    check_start(c, run)?;
    let mut atoms: Vec<Atom> = a.antecedent.iter().filter_map(|c| c.atom).map(|a| plain(a).0).collect();
    atoms.extend(a.wanted(terms));
    atoms.push(Atom { place: Place::Node(0), time: 0 });
    let mut values: FxHashMap<Atom, bool> = FxHashMap::default();
    play(c, run, &mut |p, sim| {
        let Some(time) = c.time(p) else { return };
        for atom in atoms.iter().filter(|a| a.time == time) {
            let v = match atom.place {
                Place::Node(l) => sim.lit(Lit(l)) & 1 == 1,
                Place::Word(m, addr, bit) => sim.memory_word(m as usize, 0, addr).bit(bit),
            };
            values.insert(*atom, v);
        }
    })?;
    // All formulas at once: they share most of their parts.
    let claims: Vec<&super::terms::Claim> = a.antecedent.iter().chain(&a.consequent).collect();
    let lits: Vec<Lit> = claims.iter().flat_map(|c| [c.guard, c.value]).chain([a.constraint]).collect();
    let found = terms.values(&lits, &mut |leaf| match leaf {
        Leaf::Var(v, b) => run.assignment.bit(v, b),
        Leaf::Atom(a) => values.get(&a).copied().unwrap_or(false),
    });
    let holds = |i: usize| {
        let (guard, value) = (found[2 * i], found[2 * i + 1]);
        let said = match claims[i].atom.map(plain) {
            Some((Atom { place: Place::Node(0), .. }, flip)) => value == flip,
            Some((atom, flip)) => values.get(&atom).is_some_and(|x| (*x ^ flip) == value),
            None => value,
        };
        !guard || said
    };
    let given = a.antecedent.len();
    let fits = (0..given).all(holds);
    let broken = (0..a.consequent.len()).filter(|i| !holds(given + i)).collect();
    let allowed = found[lits.len() - 1];
    Ok(Seen { fits: fits && allowed, broken, atoms: values })
}

/// A run of a circuit that starts as it is initialised must do so, and inputs that are held must not move.
fn check_start(c: &Circuit, run: &Run) -> Result<(), String> {
    if c.start == super::circuit::Start::Initial {
        let registers = c.net.registers.iter().map(|r| (r.gate, r.init));
        let all: FxHashMap<u32, Option<bool>> =
            registers.chain(c.net.latches.iter().map(|l| (l.gate, l.init))).map(|(g, i)| (g.0, i)).collect();
        let wrong = |(g, v): &(u32, bool)| all.get(g).copied().flatten().is_some_and(|i| i != *v);
        let word = |(m, addr, bit, v): &(u32, u64, u32, bool)| {
            let init = c.net.memories.get(*m as usize).and_then(|m| m.init.iter().find(|w| w.0 == *addr));
            init.is_some_and(|(_, w)| *bit < w.width() && !w.is_unknown(*bit) && w.bit(*bit) != *v)
        };
        if run.start.iter().any(wrong) || run.words.iter().any(word) {
            return Err("the run does not start as the design does".into());
        }
    }
    for (p, inputs) in run.phases.iter().enumerate() {
        for (g, v) in inputs {
            let id = GateId(*g);
            let is_input = matches!(c.net.gates.get(*g as usize), Some(Gate::Input(..)));
            match c.level(id, p as u32) {
                Some(level) if level != *v => return Err("a clock of the run does not tick as it must".into()),
                None if is_input && c.holds_inputs(p as u32) => {
                    return Err("an input of the run moves with the clock".into());
                }
                _ => {}
            }
            if !matches!(c.net.gates.get(*g as usize), Some(Gate::Input(..) | Gate::Free(_))) {
                return Err("the run sets what is no input".into());
            }
        }
    }
    // Every clock ticks in every phase, whether the run says so or not.
    let clocks: Vec<u32> = c
        .net
        .inputs
        .iter()
        .flat_map(|n| &n.bits)
        .map(|l| l.gate())
        .filter(|g| c.level(*g, 0).is_some())
        .map(|g| g.0)
        .collect();
    for inputs in &run.phases {
        let named: FxHashSet<u32> = inputs.iter().map(|x| x.0).collect();
        if clocks.iter().any(|g| !named.contains(g)) {
            return Err("a clock of the run does not tick as it must".into());
        }
    }
    let kind = |g: u32| c.net.gates.get(g as usize).copied();
    if run.before.iter().any(|x| !matches!(kind(x.0), Some(Gate::Input(..) | Gate::Free(_)))) {
        return Err("the run sets what is no input before it begins".into());
    }
    if run.start.iter().any(|x| !matches!(kind(x.0), Some(Gate::Register(_) | Gate::Latch(_)))) {
        return Err("the run starts what is no state".into());
    }
    Ok(())
}
