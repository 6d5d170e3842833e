//! Decides an assertion with decision diagrams.
//!
//! The constraint is parametrised first, so that everything after it is about allowed assignments alone, and
//! emptiness of the sets that decide needs no constraint.

use super::circuit::Circuit;
use super::logic::{Diagrams, Logic, Stop};
use super::machine::{Bound, Request, Trajectory, evaluate};
use super::order::{Hint, order};
use super::param::parametrise;
use super::rails::{Rail, Rails};
use super::set::Set;
use super::terms::{Atom, Claim, Leaf, Place, Terms};
use crate::bdd::{Func, Space};
use crate::net::{Gate, Lit};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// An antecedent that leads to a consequent.
#[derive(Clone, Debug)]
pub struct Assertion {
    /// Its name.
    pub name: String,
    /// The assignments it is about.
    pub constraint: Lit,
    /// What is given: each claim has an atom, and formulas over vectors alone.
    pub antecedent: Vec<Claim>,
    /// What follows.
    pub consequent: Vec<Claim>,
    /// Gates that are X at a time.
    pub weakened: FxHashSet<(u32, u32)>,
    /// Wishes about the order of variables.
    pub hints: Vec<Hint>,
}

impl Assertion {
    /// The last time it speaks of.
    pub fn last(&self, terms: &Terms) -> u32 {
        let claims = self.antecedent.iter().chain(&self.consequent);
        claims
            .filter_map(|c| c.atom)
            .map(|a| a.time)
            .chain(self.formula_atoms(terms).iter().map(|a| a.time))
            .max()
            .unwrap_or(0)
    }

    /// Atoms inside the formulas of the consequent.
    fn formula_atoms(&self, terms: &Terms) -> Vec<Atom> {
        let lits: Vec<Lit> = self.consequent.iter().flat_map(|c| [c.guard, c.value]).collect();
        let leaves = terms.support(&lits).into_iter();
        leaves
            .filter_map(|l| match l {
                Leaf::Atom(a) => Some(a),
                Leaf::Var(..) => None,
            })
            .collect()
    }

    /// All atoms of the consequent.
    pub fn wanted(&self, terms: &Terms) -> Vec<Atom> {
        let mut list: Vec<Atom> = self.consequent.iter().filter_map(|c| c.atom).map(plain).map(|p| p.0).collect();
        list.extend(self.formula_atoms(terms));
        list.retain(|a| !matches!(a.place, Place::Node(l) if l < 2));
        list.sort_unstable();
        list.dedup();
        list
    }
}

/// An atom of a plain literal, and whether the given one is its complement.
pub fn plain(a: Atom) -> (Atom, bool) {
    match a.place {
        Place::Node(l) => (Atom { place: Place::Node(l & !1), ..a }, l & 1 == 1),
        Place::Word(..) => (a, false),
    }
}

/// How much may be used.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Most nodes of diagrams.
    pub nodes: usize,
    /// Most time.
    pub time: Option<Duration>,
    /// Gates with larger values become X.
    pub weaken_above: Option<usize>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { nodes: 1 << 25, time: None, weaken_above: None }
    }
}

/// Limits, and a way to stop.
#[derive(Clone, Copy)]
pub struct Control<'c> {
    /// Limits of one assertion.
    pub limits: Limits,
    /// Set by others to stop.
    pub cancel: &'c AtomicBool,
}

impl Control<'_> {
    /// When an assertion that starts now must be done.
    pub fn deadline(&self) -> Option<Instant> {
        self.limits.time.map(|t| Instant::now() + t)
    }

    /// Whether somebody asked to stop.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }
}

/// What is known of an assertion.
#[derive(Clone, Debug)]
pub enum Answer {
    /// Every run in which the antecedent holds satisfies the consequent.
    Holds,
    /// A claim has the other value: number of the claim, the assignments.
    Fails(usize, Box<Set>),
    /// X reaches a claim: number of the claim, the assignments.
    Unknown(usize, Box<Set>),
    /// The antecedent contradicts the circuit: where first, the assignments.
    OverConstrained(Atom, Box<Set>),
    /// Nothing satisfies the constraint.
    Vacuous,
    /// No answer.
    Stopped(Stop),
}

/// An answer with what it took.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The answer.
    pub answer: Answer,
    /// Who found it.
    pub engine: &'static str,
    /// How long it took.
    pub time: Duration,
    /// Nodes of diagrams, or gates of the solver's graph, at the end.
    pub nodes: usize,
    /// Gates evaluated.
    pub work: u64,
    /// Gates that became X for their size, with the phase.
    pub weakened: Vec<(u32, u32)>,
}

/// Decides an assertion.
pub fn check(c: &Circuit, terms: &Terms, a: &Assertion, ctl: &Control) -> Outcome {
    let began = Instant::now();
    let deadline = ctl.deadline();
    let order = order(c, terms, &a.hints, &a.antecedent, &a.consequent, &[a.constraint]);
    let mut capacity = (1usize << 18).min(ctl.limits.nodes);
    loop {
        let space = Space::new(order.len() as u32, capacity);
        let found = space.run(|| attempt(c, terms, a, ctl, &space, &order, deadline));
        let nodes = space.nodes();
        let full = matches!(found, Err(Stop::Full));
        if full && capacity < ctl.limits.nodes && !ctl.is_cancelled() {
            capacity = (capacity * 16).min(ctl.limits.nodes);
            continue;
        }
        let (answer, work, weakened) = found.unwrap_or_else(|s| (Answer::Stopped(s), 0, Vec::new()));
        return Outcome { answer, engine: "bdd", time: began.elapsed(), nodes, work, weakened };
    }
}

type Found = (Answer, u64, Vec<(u32, u32)>);

fn attempt(
    c: &Circuit,
    terms: &Terms,
    a: &Assertion,
    ctl: &Control,
    space: &Space,
    order: &[(u32, u32)],
    deadline: Option<Instant>,
) -> Result<Found, Stop> {
    let mut logic = Diagrams::new(space, deadline);
    let place: FxHashMap<(u32, u32), u32> = order.iter().enumerate().map(|(i, v)| (*v, i as u32)).collect();
    let mut own: FxHashMap<(u32, u32), Func> = FxHashMap::default();
    for (v, p) in &place {
        own.insert(*v, space.var(*p)?);
    }
    let mut memo = FxHashMap::default();
    let constraint = formula(&mut logic, terms, a.constraint, &own, &mut memo)?;
    let Some(params) = parametrise(space, &constraint)? else { return Ok((Answer::Vacuous, 0, Vec::new())) };
    if !params.is_empty() {
        memo.clear();
        for (p, f) in params {
            own.insert(order[p as usize], f);
        }
    }
    let mut rails = Rails { logic };
    let parts = evaluate_claims(c, terms, a, &mut rails, &own, &mut memo, ctl.limits.weaken_above)?;
    let Parts { wrong, open, trajectory } = parts;
    let set = |f: &Func| -> Result<Set, Stop> {
        // An allowed assignment is its own image, so the set is the same function of the variables themselves.
        let f = space.and(f, &constraint)?;
        Set::of(space, &f, &constraint, order, &terms.vectors).ok_or(Stop::Full)
    };
    let calm = space.not(&trajectory.clash);
    let done = |answer| Ok((answer, trajectory.work, trajectory.weakened.clone()));
    let mut first: Option<(usize, Func)> = None;
    let mut all = space.no();
    for (i, w) in wrong.iter().enumerate() {
        let real = space.and(w, &calm)?;
        all = space.or(&all, &real)?;
        if first.is_none() && !space.is_no(&real) {
            first = Some((i, real));
        }
    }
    if let Some((i, real)) = first {
        // All counterexamples, and as the example one that breaks the first claim that can be broken.
        let mut found = set(&all)?;
        found.example = set(&real)?.example;
        return done(Answer::Fails(i, Box::new(found)));
    }
    if let Some(at) = trajectory.clash_at
        && !space.is_no(&trajectory.clash)
    {
        return done(Answer::OverConstrained(at, Box::new(set(&trajectory.clash)?)));
    }
    for (i, x) in open.iter().enumerate() {
        if !space.is_no(x) {
            return done(Answer::Unknown(i, Box::new(set(x)?)));
        }
    }
    done(Answer::Holds)
}

/// For each claim of the consequent where it is wrong and where it is open.
pub struct Parts<F> {
    /// Where the claim surely does not hold.
    pub wrong: Vec<F>,
    /// Where it may or may not hold.
    pub open: Vec<F>,
    /// What was evaluated.
    pub trajectory: Trajectory<F>,
}

/// Evaluates the trajectory and compares it with the consequent. `own` has a function for each bit of a vector.
pub fn evaluate_claims<L: Logic>(
    c: &Circuit,
    terms: &Terms,
    a: &Assertion,
    rails: &mut Rails<L>,
    own: &FxHashMap<(u32, u32), L::F>,
    memo: &mut FxHashMap<u32, L::F>,
    most: Option<usize>,
) -> Result<Parts<L::F>, Stop> {
    let (bound, early) = bind(terms, &a.antecedent, rails, own, memo)?;
    let wanted = a.wanted(terms);
    let request = Request {
        bound: &bound,
        wanted: &wanted,
        weakened: &a.weakened,
        most,
        last: a.last(terms),
        open: None,
        watch: None,
    };
    let mut trajectory = evaluate(c, rails, request)?;
    if let Some((f, at)) = early {
        trajectory.clash = rails.logic.or(&trajectory.clash, &f)?;
        trajectory.clash_at.get_or_insert(at);
    }
    let (mut wrong, mut open) = (Vec::new(), Vec::new());
    let mut rail_memo = FxHashMap::default();
    for claim in &a.consequent {
        let said = claim_rail(terms, claim, rails, own, &trajectory.atoms, &mut rail_memo)?;
        let not_one = rails.logic.not(&said.high);
        wrong.push(rails.logic.and(&said.low, &not_one)?);
        open.push(rails.logic.and(&said.low, &said.high)?);
    }
    Ok(Parts { wrong, open, trajectory })
}

/// Where the antecedent contradicts itself or a constant of the circuit, and the first such place.
type Early<F> = Option<(F, Atom)>;

/// What an antecedent says, and where it contradicts itself.
pub type Binding<F> = (Bound<F>, Early<F>);

/// What the antecedent says, by plain atom.
pub fn bind<L: Logic>(
    terms: &Terms,
    antecedent: &[Claim],
    rails: &mut Rails<L>,
    own: &FxHashMap<(u32, u32), L::F>,
    memo: &mut FxHashMap<u32, L::F>,
) -> Result<Binding<L::F>, Stop> {
    let mut bound: Bound<L::F> = FxHashMap::default();
    let mut early: Early<L::F> = None;
    for claim in antecedent {
        let Some(atom) = claim.atom else { continue };
        let (atom, flip) = plain(atom);
        let guard = formula(&mut rails.logic, terms, claim.guard, own, memo)?;
        let value = formula(&mut rails.logic, terms, claim.value, own, memo)?;
        let said = rails.bound(&guard, &value)?;
        let said = rails.flip(&said, flip);
        let before = match atom.place {
            Place::Node(0) => rails.constant(false),
            _ => bound.get(&atom).cloned().unwrap_or_else(|| rails.x()),
        };
        let joined = rails.join(&before, &said)?;
        let clash = rails.clash(&joined)?;
        if rails.logic.as_const(&clash) != Some(false) {
            let (f, at) = early.take().unwrap_or((rails.logic.constant(false), atom));
            early = Some((rails.logic.or(&f, &clash)?, at));
        }
        if atom.place != Place::Node(0) {
            bound.insert(atom, joined);
        }
    }
    Ok((bound, early))
}

/// A formula over vectors as a function.
pub fn formula<L: Logic>(
    logic: &mut L,
    terms: &Terms,
    root: Lit,
    own: &FxHashMap<(u32, u32), L::F>,
    memo: &mut FxHashMap<u32, L::F>,
) -> Result<L::F, Stop> {
    let mut open = vec![root.gate().0];
    while let Some(&g) = open.last() {
        if memo.contains_key(&g) {
            open.pop();
            continue;
        }
        let gate = terms.gates()[g as usize];
        let mut missing = Vec::new();
        let mut operand = |l: Lit| {
            if !memo.contains_key(&l.gate().0) {
                missing.push(l.gate().0);
            }
        };
        match gate {
            Gate::And(a, b) | Gate::Xor(a, b) => {
                operand(a);
                operand(b)
            }
            Gate::Mux(s, t, e) => {
                operand(s);
                operand(t);
                operand(e)
            }
            _ => {}
        }
        if !missing.is_empty() {
            open.extend(missing);
            continue;
        }
        logic.tick()?;
        let at = |logic: &mut L, l: Lit| {
            let f = &memo[&l.gate().0];
            if l.complement() { logic.not(f) } else { f.clone() }
        };
        let f = match gate {
            Gate::And(a, b) => {
                let (a, b) = (at(logic, a), at(logic, b));
                logic.and(&a, &b)?
            }
            Gate::Xor(a, b) => {
                let (a, b) = (at(logic, a), at(logic, b));
                logic.xor(&a, &b)?
            }
            Gate::Mux(s, t, e) => {
                let (s, t, e) = (at(logic, s), at(logic, t), at(logic, e));
                logic.mux(&s, &t, &e)?
            }
            _ => match terms.leaf_of(gate) {
                Some(Leaf::Var(v, b)) => own[&(v, b)].clone(),
                _ => logic.constant(false),
            },
        };
        memo.insert(g, f);
        open.pop();
    }
    let f = &memo[&root.gate().0];
    Ok(if root.complement() { logic.not(f) } else { f.clone() })
}

/// What a claim of the consequent is worth: 1 where it holds, 0 where it does not, X where that is open.
pub fn claim_rail<L: Logic>(
    terms: &Terms,
    claim: &Claim,
    rails: &mut Rails<L>,
    own: &FxHashMap<(u32, u32), L::F>,
    atoms: &FxHashMap<Atom, Rail<L::F>>,
    memo: &mut FxHashMap<u32, Rail<L::F>>,
) -> Result<Rail<L::F>, Stop> {
    let guard = rail_formula(terms, claim.guard, rails, own, atoms, memo)?;
    let value = rail_formula(terms, claim.value, rails, own, atoms, memo)?;
    let said = match claim.atom {
        Some(a) => {
            let (atom, flip) = plain(a);
            let v = match atom.place {
                Place::Node(0) => rails.constant(false),
                _ => atoms[&atom].clone(),
            };
            let v = rails.flip(&v, flip);
            let differ = rails.xor(&v, &value)?;
            rails.not(&differ)
        }
        None => value,
    };
    // Not said where the guard is 0.
    let not_said = rails.not(&said);
    let broken = rails.and(&guard, &not_said)?;
    Ok(rails.not(&broken))
}

/// A formula over vectors and atoms as a value of the lattice.
fn rail_formula<L: Logic>(
    terms: &Terms,
    root: Lit,
    rails: &mut Rails<L>,
    own: &FxHashMap<(u32, u32), L::F>,
    atoms: &FxHashMap<Atom, Rail<L::F>>,
    memo: &mut FxHashMap<u32, Rail<L::F>>,
) -> Result<Rail<L::F>, Stop> {
    // Only what is not known yet: claims share most of their formulas.
    let mut order: Vec<u32> = Vec::new();
    let mut open = vec![root.gate().0];
    let mut seen: FxHashSet<u32> = FxHashSet::default();
    while let Some(g) = open.pop() {
        if memo.contains_key(&g) || !seen.insert(g) {
            continue;
        }
        order.push(g);
        match terms.gates()[g as usize] {
            Gate::And(a, b) | Gate::Xor(a, b) => open.extend([a.gate().0, b.gate().0]),
            Gate::Mux(s, t, e) => open.extend([s.gate().0, t.gate().0, e.gate().0]),
            _ => {}
        }
    }
    order.sort_unstable();
    for g in order {
        rails.logic.tick()?;
        let gate = terms.gates()[g as usize];
        let at = |rails: &Rails<L>, l: Lit| rails.flip(&memo[&l.gate().0], l.complement());
        let v = match gate {
            Gate::And(a, b) => {
                let (a, b) = (at(rails, a), at(rails, b));
                rails.and(&a, &b)?
            }
            Gate::Xor(a, b) => {
                let (a, b) = (at(rails, a), at(rails, b));
                rails.xor(&a, &b)?
            }
            Gate::Mux(s, t, e) => {
                let (s, t, e) = (at(rails, s), at(rails, t), at(rails, e));
                rails.mux(&s, &t, &e)?
            }
            _ => match terms.leaf_of(gate) {
                Some(Leaf::Var(v, b)) => {
                    let f = own[&(v, b)].clone();
                    rails.known(&f)
                }
                Some(Leaf::Atom(a)) => atoms[&a].clone(),
                None => rails.constant(false),
            },
        };
        memo.insert(g, v);
    }
    Ok(rails.flip(&memo[&root.gate().0], root.complement()))
}
