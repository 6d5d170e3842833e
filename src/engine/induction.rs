//! Induction over k steps: if k good steps in a row, through different states, are always followed by a
//! good one, and the first k steps are good, then all are.
//!
//! Both halves grow on one unrolling each. That states differ is said only where a model repeats one. Steps
//! start in states that satisfy what is known of every reachable one (`strengthen`).

use super::bmc::{Base, Unrolling, target};
use super::encode::Encoder;
use super::evidence::Literal;
use super::strengthen;
use super::{Control, Engine, Evidence, Outcome, Reason, Stats, Verdict};
use crate::model::{Goal, System};
use crate::net::Lit;
use crate::sat::{Answer, SatLit, Solver};

/// The engine.
#[derive(Default)]
pub struct Induction {
    known: Vec<Vec<Literal>>,
}

impl Engine for Induction {
    fn name(&self) -> &'static str {
        "induction"
    }

    fn accepts(&self, _: &System, goal: &Goal) -> bool {
        target(goal).is_some()
    }

    fn learn(&mut self, known: &[Vec<Literal>]) {
        self.known = known.to_vec();
    }

    fn check(&mut self, sys: &System, goal: &Goal, ctl: &Control) -> Outcome {
        let mut stats = Stats::default();
        let Some(bad) = target(goal) else {
            return Outcome::of(Verdict::Unknown(Reason::Unfit("induction knows no liveness".into())), stats);
        };
        let mut base = Base::new(sys, &[bad]);
        // What can be shown in one step needs no help.
        let mut step = Step::new(sys, bad, self.known.clone());
        let mut lemmas = Vec::new();
        for k in 1..=ctl.depth {
            (ctl.progress)("induction", k);
            stats.depth = k;
            stats.work += 2;
            match base.next(ctl) {
                Answer::Sat => return Outcome::of(Verdict::Fails(base.path()), stats),
                Answer::Stopped => break,
                Answer::Unsat => {}
            }
            match step.next(ctl) {
                Answer::Unsat => {
                    return Outcome::holds(Evidence::Induction { k, simple: step.is_simple, lemmas }, stats);
                }
                Answer::Stopped => break,
                Answer::Sat if k == 1 => {
                    lemmas = strengthen::pairs(sys, &self.known, ctl);
                    step.learn(&lemmas);
                    if step.again(ctl) == Answer::Unsat {
                        return Outcome::holds(Evidence::Induction { k, simple: step.is_simple, lemmas }, stats);
                    }
                }
                Answer::Sat => {}
            }
        }
        let verdict = if ctl.stop() { Verdict::Unknown(ctl.reason()) } else { Verdict::HoldsTo(ctl.depth) };
        Outcome::of(verdict, stats)
    }
}

/// Good steps from any state, and the question whether the next can be bad.
struct Step<'s> {
    sys: &'s System,
    bad: Lit,
    unrolling: Unrolling<'s>,
    solver: Solver,
    encoder: Encoder,
    /// Whether states were said to differ.
    is_simple: bool,
    different: Vec<(usize, usize)>,
    last_bad: Option<SatLit>,
    /// Clauses that every state satisfies.
    known: Vec<Vec<Literal>>,
}

impl<'s> Step<'s> {
    fn new(sys: &'s System, bad: Lit, known: Vec<Vec<Literal>>) -> Step<'s> {
        let mut s = Step {
            sys,
            bad,
            unrolling: Unrolling::new(sys, false),
            solver: Solver::default(),
            encoder: Encoder::default(),
            is_simple: false,
            different: Vec::new(),
            last_bad: None,
            known,
        };
        // The first step is good; the question is always about the next.
        s.grow();
        s
    }

    fn grow(&mut self) {
        if let Some(b) = self.last_bad {
            self.solver.clause(&[!b]);
        }
        let at = self.unrolling.states.len() - 1;
        self.assume(at, 0);
        let mut watched = vec![self.bad];
        watched.extend(self.sys.constraints.iter().map(|c| c.1));
        let seen = self.unrolling.step(&watched);
        for c in &seen[1..] {
            let c = self.encoder.lit(&self.unrolling.aig, *c, &mut self.solver);
            self.solver.clause(&[c]);
        }
        self.last_bad = Some(self.encoder.lit(&self.unrolling.aig, seen[0], &mut self.solver));
    }

    /// Says of a state what is known, from the clause of that number on.
    fn assume(&mut self, at: usize, from: usize) {
        for k in from..self.known.len() {
            let lits: Vec<Lit> =
                self.known[k].iter().map(|(s, v)| self.unrolling.states[at][*s as usize].xor(!v)).collect();
            let lits: Vec<SatLit> =
                lits.iter().map(|l| self.encoder.lit(&self.unrolling.aig, *l, &mut self.solver)).collect();
            self.solver.clause(&lits);
        }
    }

    /// More is known of every state.
    fn learn(&mut self, lemmas: &[Vec<Literal>]) {
        let from = self.known.len();
        self.known.extend_from_slice(lemmas);
        // The state after the last step gets it when it has a step of its own.
        (0..self.unrolling.inputs.len()).for_each(|at| self.assume(at, from));
    }

    fn next(&mut self, ctl: &Control) -> Answer {
        self.grow();
        self.again(ctl)
    }

    fn again(&mut self, ctl: &Control) -> Answer {
        let bad = self.last_bad.expect("a step was made");
        loop {
            match self.solver.solve(&[bad], &|| ctl.stop()) {
                Answer::Sat if self.separate() => {}
                answer => return answer,
            }
        }
    }

    /// Says of two states that are equal in the model that they differ; `false` if there are none.
    fn separate(&mut self) -> bool {
        let steps = self.unrolling.inputs.len();
        let value =
            |e: &Encoder, s: &Solver, l: Lit| l.as_const().unwrap_or_else(|| e.known(l).is_some_and(|x| s.value(x)));
        let states: Vec<Vec<bool>> = (0..steps)
            .map(|k| self.unrolling.states[k].iter().map(|l| value(&self.encoder, &self.solver, *l)).collect())
            .collect();
        let mut found = false;
        for i in 0..steps {
            for j in i + 1..steps {
                if states[i] == states[j] && !self.different.contains(&(i, j)) {
                    self.different.push((i, j));
                    let pairs: Vec<(Lit, Lit)> = self.unrolling.states[i]
                        .iter()
                        .copied()
                        .zip(self.unrolling.states[j].iter().copied())
                        .collect();
                    let unlike: Vec<Lit> = pairs.iter().map(|(a, b)| self.unrolling.aig.xor(*a, *b)).collect();
                    let clause: Vec<SatLit> =
                        unlike.iter().map(|l| self.encoder.lit(&self.unrolling.aig, *l, &mut self.solver)).collect();
                    self.solver.clause(&clause);
                    self.is_simple = true;
                    found = true;
                }
            }
        }
        found
    }
}
