//! Why an answer is unknown: the shortest way on which X came to the consequent.
//!
//! The trajectory is evaluated once more for one assignment, with plain values, and every sweep is kept. From the claim
//! that is X one goes back, breadth first, through operands that are X to where X begins: an input, a free value or
//! state that nothing binds, or a node that was weakened.

use super::check::{Assertion, bind, plain};
use super::circuit::Circuit;
use super::logic::{Plain, Stop};
use super::machine::{Request, evaluate};
use super::rails::Rails;
use super::set::Assignment;
use super::terms::{Atom, Leaf, Place, Terms};
use crate::net::{Gate, GateId, Lit};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// Where X begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Cause {
    /// An input that nothing binds.
    Input,
    /// A value that the design leaves open.
    Free,
    /// State at the start.
    State,
    /// A node that was weakened.
    Weakened,
    /// A memory.
    Memory,
    /// Not found within the gates of one moment.
    Other,
}

/// One node on the way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Link {
    /// The gate.
    pub gate: GateId,
    /// The phase.
    pub phase: u32,
    /// At rest, or before the edges of the phase.
    pub at_rest: bool,
}

/// The way from where X begins to the claim.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chain {
    /// From the beginning on.
    pub links: Vec<Link>,
    /// What it begins with.
    pub cause: Cause,
}

struct Sweep {
    phase: u32,
    at_rest: bool,
    x: FxHashSet<u32>,
    /// Gates that are surely 1.
    ones: FxHashSet<u32>,
    all: FxHashSet<u32>,
}

/// The shortest chain for one assignment, to one claim.
pub fn explain(
    c: &Circuit,
    terms: &Terms,
    a: &Assertion,
    claim: usize,
    assignment: &Assignment,
    weakened: &[(u32, u32)],
) -> Result<Option<Chain>, Stop> {
    let mut rails = Rails { logic: Plain };
    let mut formulas: Vec<Lit> = a.antecedent.iter().chain(&a.consequent).flat_map(|c| [c.guard, c.value]).collect();
    formulas.push(a.constraint);
    let mut own = FxHashMap::default();
    for leaf in terms.support(&formulas) {
        if let Leaf::Var(v, b) = leaf {
            own.insert((v, b), assignment.bit(v, b));
        }
    }
    let mut memo = FxHashMap::default();
    let (bound, _) = bind(terms, &a.antecedent, &mut rails, &own, &mut memo)?;
    // What became X for its size is X here, too.
    let mut forced = a.weakened.clone();
    forced.extend(weakened.iter().map(|(g, p)| (*g, c.time_of(*p))));
    let wanted = a.wanted(terms);
    let mut sweeps: Vec<Sweep> = Vec::new();
    let mut watch = |phase: u32, at_rest: bool, list: &[u32], values: &[super::rails::Rail<bool>]| {
        let x = list.iter().copied().filter(|g| values[*g as usize].high && values[*g as usize].low).collect();
        let ones = list.iter().copied().filter(|g| values[*g as usize].high && !values[*g as usize].low).collect();
        sweeps.push(Sweep { phase, at_rest, x, ones, all: list.iter().copied().collect() });
    };
    let request = Request {
        bound: &bound,
        wanted: &wanted,
        weakened: &forced,
        most: None,
        last: a.last(terms),
        open: None,
        watch: Some(&mut watch),
    };
    evaluate(c, &mut rails, request)?;
    let said = &a.consequent[claim];
    let mut roots: Vec<Atom> = said.atom.map(|a| plain(a).0).into_iter().collect();
    roots.extend(terms.support(&[said.guard, said.value]).into_iter().filter_map(|l| match l {
        Leaf::Atom(a) => Some(a),
        Leaf::Var(..) => None,
    }));
    let mut open: VecDeque<(usize, u32)> = VecDeque::new();
    for root in roots {
        let Place::Node(l) = root.place else { continue };
        let at = sweeps.iter().rposition(|s| s.at_rest && c.time(s.phase) == Some(root.time));
        if let Some(at) = at.filter(|s| sweeps[*s].x.contains(&(l >> 1))) {
            open.push_back((at, l >> 1));
        }
    }
    Ok(search(c, &sweeps, open, &forced))
}

fn search(
    c: &Circuit,
    sweeps: &[Sweep],
    mut open: VecDeque<(usize, u32)>,
    forced: &FxHashSet<(u32, u32)>,
) -> Option<Chain> {
    let mut from: FxHashMap<(usize, u32), Option<(usize, u32)>> = open.iter().map(|n| (*n, None)).collect();
    let chain = |at: (usize, u32), from: &FxHashMap<(usize, u32), Option<(usize, u32)>>, cause: Cause| {
        let mut links = Vec::new();
        let mut here = Some(at);
        while let Some(n) = here {
            links.push(Link { gate: GateId(n.1), phase: sweeps[n.0].phase, at_rest: sweeps[n.0].at_rest });
            here = from[&n];
        }
        Chain { links, cause }
    };
    // State that feeds itself is X for no other reason; the farthest such is as good as any.
    let mut loops = None;
    while let Some(at) = open.pop_front() {
        let (s, g) = at;
        let sweep = &sweeps[s];
        let id = GateId(g);
        let mut next: Vec<(usize, u32)> = Vec::new();
        let is_forced = forced.contains(&(g, c.time_of(sweep.phase)));
        let mut cause = is_forced.then_some(Cause::Weakened);
        let gate = c.net.gates[g as usize];
        if cause.is_none() {
            match gate {
                Gate::Input(..) => cause = Some(Cause::Input),
                Gate::Free(_) => cause = Some(Cause::Free),
                // A select that is known lets one arm through.
                Gate::Mux(select, t, e) if !sweep.x.contains(&select.gate().0) => {
                    let one = sweep.ones.contains(&select.gate().0) ^ select.complement();
                    next.push((s, if one { t } else { e }.gate().0));
                }
                Gate::And(..) | Gate::Xor(..) | Gate::Mux(..) => {
                    c.net.fanin(id, |l| next.push((s, l.gate().0)));
                }
                Gate::Read(..) => {
                    c.net.fanin(id, |l| next.push((s, l.gate().0)));
                    if !next.iter().any(|(s, g)| sweeps[*s].x.contains(g)) {
                        cause = Some(Cause::Memory);
                    }
                }
                Gate::Register(_) | Gate::Latch(_) => {
                    // What it was loaded from stands in the sweep before the edges of a phase, what it held before in
                    // an earlier phase.
                    let mut back = Vec::new();
                    c.net.state_fanin(id, |l| back.push(l.gate().0));
                    // Edges can follow each other within a phase, so any sweep before them may be the one.
                    for e in (0..s).rev().filter(|e| sweeps[*e].phase == sweep.phase && !sweeps[*e].at_rest) {
                        next.extend(back.iter().filter(|g| sweeps[e].all.contains(g)).map(|g| (e, *g)));
                    }
                    // Before anything happened it is what it was at the start.
                    let first = !(0..s).any(|e| sweeps[e].all.contains(&g));
                    if first && !sweep.at_rest && !next.iter().any(|(s, g)| sweeps[*s].x.contains(g)) {
                        cause = Some(Cause::State);
                    }
                    if matches!(gate, Gate::Latch(_)) {
                        next.extend(back.iter().map(|g| (s, *g)));
                    }
                    let held = (0..s).rev().find(|e| sweeps[*e].phase < sweep.phase && sweeps[*e].all.contains(&g));
                    let loaded = match gate {
                        Gate::Register(n) => rose(c.net.registers[n as usize].clock, sweeps, sweep.phase),
                        _ => false,
                    };
                    match held {
                        // A register that was surely loaded is X for what it loaded.
                        Some(_) if loaded && next.iter().any(|(s, g)| sweeps[*s].x.contains(g)) => {}
                        Some(h) => next.push((h, g)),
                        None => {
                            if !next.iter().any(|(s, g)| sweeps[*s].x.contains(g)) {
                                cause = Some(Cause::State);
                            }
                        }
                    }
                }
                Gate::False => {}
            }
        }
        next.retain(|(s, g)| sweeps[*s].x.contains(g));
        if cause.is_none() && next.is_empty() {
            cause = Some(if matches!(gate, Gate::Register(_) | Gate::Latch(_)) { Cause::State } else { Cause::Other });
        }
        if let Some(cause) = cause {
            return Some(chain(at, &from, cause));
        }
        if matches!(gate, Gate::Register(_) | Gate::Latch(_)) {
            loops = Some(at);
        }
        for n in next {
            if let std::collections::hash_map::Entry::Vacant(e) = from.entry(n) {
                e.insert(Some(at));
                open.push_back(n);
            }
        }
    }
    loops.map(|at| chain(at, &from, Cause::State))
}

/// Whether a clock surely rises in a phase.
fn rose(clock: Lit, sweeps: &[Sweep], phase: u32) -> bool {
    let g = clock.gate().0;
    let level = |s: &Sweep| match (s.x.contains(&g), s.ones.contains(&g)) {
        (true, _) => None,
        (_, one) => Some(one ^ clock.complement()),
    };
    let now = sweeps.iter().find(|s| s.phase == phase && !s.at_rest && s.all.contains(&g)).and_then(level);
    let before = sweeps.iter().rev().find(|s| s.phase < phase && s.at_rest && s.all.contains(&g));
    now == Some(true) && before.and_then(level) == Some(false)
}
