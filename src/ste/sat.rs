//! Decides an assertion with a SAT solver: the same evaluation, with gates instead of diagrams.

use super::check::{Answer, Assertion, Control, Outcome, Parts, evaluate_claims, formula};
use super::circuit::Circuit;
use super::logic::{Graph, Stop};
use super::rails::Rails;
use super::set::{Assignment, Set};
use super::terms::{Leaf, Terms};
use crate::engine::encode::Encoder;
use crate::model::{Aig, Node};
use crate::net::Lit;
use crate::sat::{self, Solver};
use rustc_hash::FxHashMap;
use std::time::Instant;

/// A solver over a graph whose inputs are bits of vectors.
pub struct Asker<'t> {
    /// The functions.
    pub rails: Rails<Graph>,
    /// The leaf of each bit.
    pub own: FxHashMap<(u32, u32), Lit>,
    terms: &'t Terms,
    solver: Solver,
    encoder: Encoder,
}

impl<'t> Asker<'t> {
    /// A leaf for each bit of a vector that the formulas mention.
    pub fn new(terms: &'t Terms, formulas: &[Lit]) -> Asker<'t> {
        let mut graph = Graph::default();
        let mut own = FxHashMap::default();
        for leaf in terms.support(formulas) {
            if let Leaf::Var(v, b) = leaf {
                let l = graph.aig.leaf(Node::Input(own.len() as u32));
                own.insert((v, b), l);
            }
        }
        Asker { rails: Rails { logic: graph }, own, terms, solver: Solver::default(), encoder: Encoder::default() }
    }

    /// A new variable.
    pub fn fresh(aig: &mut Aig, next: &mut u32) -> Lit {
        *next += 1;
        aig.leaf(Node::Input(*next - 1))
    }

    /// Values for which all of these are 1.
    pub fn ask(&mut self, all: &[Lit], stop: &dyn Fn() -> bool) -> Result<bool, Stop> {
        if all.contains(&Lit::FALSE) {
            return Ok(false);
        }
        let aig = &self.rails.logic.aig;
        let lits: Vec<_> = all.iter().map(|l| self.encoder.lit(aig, *l, &mut self.solver)).collect();
        match self.solver.solve(&lits, stop) {
            sat::Answer::Sat => Ok(true),
            sat::Answer::Unsat => Ok(false),
            sat::Answer::Stopped => Err(Stop::Late),
        }
    }

    /// The value of a leaf in the last answer; one that was not asked about is 0.
    pub fn value(&self, l: Lit) -> bool {
        match l.as_const() {
            Some(c) => c,
            None => self.encoder.known(l).is_some_and(|s| self.solver.value(s)),
        }
    }

    /// The values of functions in the last answer, by evaluation: not every gate is known to the solver.
    pub fn values(&self, roots: &[Lit]) -> Vec<bool> {
        let aig = &self.rails.logic.aig;
        let used = aig.cone(roots);
        let mut all = vec![false; aig.len()];
        for (i, n) in aig.nodes().iter().enumerate().filter(|(i, _)| used[*i]) {
            let at = |l: Lit| all[l.gate().0 as usize] ^ l.complement();
            all[i] = match *n {
                Node::False => false,
                Node::And(a, b) => at(a) & at(b),
                _ => self.value(Lit::new(crate::net::GateId(i as u32), false)),
            };
        }
        roots.iter().map(|l| all[l.gate().0 as usize] ^ l.complement()).collect()
    }

    /// The vectors in the last answer.
    pub fn assignment(&self) -> Assignment {
        let mut a = Assignment::zero(&self.terms.vectors);
        for ((v, b), l) in &self.own {
            a.set(*v, *b, self.value(*l));
        }
        a
    }

    fn set(&self) -> Box<Set> {
        Box::new(Set {
            count: None,
            cubes: Vec::new(),
            complete: false,
            example: self.assignment(),
            whole: None,
            order: Vec::new(),
        })
    }
}

/// Decides an assertion.
pub fn check(c: &Circuit, terms: &Terms, a: &Assertion, ctl: &Control) -> Outcome {
    let began = Instant::now();
    let deadline = ctl.deadline();
    let stop = || ctl.is_cancelled() || deadline.is_some_and(|d| Instant::now() >= d);
    let mut formulas: Vec<Lit> = a.antecedent.iter().chain(&a.consequent).flat_map(|c| [c.guard, c.value]).collect();
    formulas.push(a.constraint);
    let mut asker = Asker::new(terms, &formulas);
    let (answer, work) = attempt(c, terms, a, &mut asker, &stop).unwrap_or_else(|s| (Answer::Stopped(s), 0));
    let nodes = asker.rails.logic.aig.len();
    Outcome { answer, engine: "sat", time: began.elapsed(), nodes, work, weakened: Vec::new() }
}

fn attempt(
    c: &Circuit,
    terms: &Terms,
    a: &Assertion,
    asker: &mut Asker,
    stop: &dyn Fn() -> bool,
) -> Result<(Answer, u64), Stop> {
    let mut memo = FxHashMap::default();
    let own = asker.own.clone();
    let constraint = formula(&mut asker.rails.logic, terms, a.constraint, &own, &mut memo)?;
    if !asker.ask(&[constraint], stop)? {
        return Ok((Answer::Vacuous, 0));
    }
    let Parts { wrong, open, trajectory } = evaluate_claims(c, terms, a, &mut asker.rails, &own, &mut memo, None)?;
    let work = trajectory.work;
    let aig = &mut asker.rails.logic.aig;
    let (any_wrong, any_open) = (aig.any(&wrong), aig.any(&open));
    let first = |asker: &Asker, list: &[Lit]| asker.values(list).iter().position(|v| *v).unwrap_or(0);
    if asker.ask(&[constraint, !trajectory.clash, any_wrong], stop)? {
        return Ok((Answer::Fails(first(asker, &wrong), asker.set()), work));
    }
    if let Some(at) = trajectory.clash_at
        && asker.ask(&[constraint, trajectory.clash], stop)?
    {
        return Ok((Answer::OverConstrained(at, asker.set()), work));
    }
    if asker.ask(&[constraint, any_open], stop)? {
        return Ok((Answer::Unknown(first(asker, &open), asker.set()), work));
    }
    Ok((Answer::Holds, work))
}
