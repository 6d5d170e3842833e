//! Induction over k steps: if k good steps in a row, through different states, are always followed by a
//! good one, and the first k steps are good, then all are.
//!
//! Both halves grow on one unrolling each. That states differ is said only where a model repeats one.

use super::bmc::{Base, Unrolling, target};
use super::encode::Encoder;
use super::{Control, Engine, Evidence, Outcome, Reason, Stats, Verdict};
use crate::model::{Goal, System};
use crate::net::Lit;
use crate::sat::{Answer, Kind, SatLit, Solver};

/// The engine.
#[derive(Default)]
pub struct Induction;

impl Engine for Induction {
    fn name(&self) -> &'static str {
        "induction"
    }

    fn accepts(&self, _: &System, goal: &Goal) -> bool {
        target(goal).is_some()
    }

    fn check(&mut self, sys: &System, goal: &Goal, ctl: &Control) -> Outcome {
        let mut stats = Stats::default();
        let Some(bad) = target(goal) else {
            return Outcome::of(Verdict::Unknown(Reason::Unfit("induction knows no liveness".into())), stats);
        };
        let mut base = Base::new(sys, bad);
        let mut step = Step::new(sys, bad);
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
                Answer::Unsat => return Outcome::holds(Evidence::Induction { k, simple: step.is_simple }, stats),
                Answer::Stopped => break,
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
}

impl<'s> Step<'s> {
    fn new(sys: &'s System, bad: Lit) -> Step<'s> {
        let mut s = Step {
            sys,
            bad,
            unrolling: Unrolling::new(sys, false),
            solver: Solver::new(Kind::Cadical),
            encoder: Encoder::default(),
            is_simple: false,
            different: Vec::new(),
            last_bad: None,
        };
        // The first step is good; the question is always about the next.
        s.grow();
        s
    }

    fn grow(&mut self) {
        if let Some(b) = self.last_bad {
            self.solver.clause(&[!b]);
        }
        let mut watched = vec![self.bad];
        watched.extend(self.sys.constraints.iter().map(|c| c.1));
        let seen = self.unrolling.step(&watched);
        for c in &seen[1..] {
            let c = self.encoder.lit(&self.unrolling.aig, *c, &mut self.solver);
            self.solver.clause(&[c]);
        }
        self.last_bad = Some(self.encoder.lit(&self.unrolling.aig, seen[0], &mut self.solver));
    }

    fn next(&mut self, ctl: &Control) -> Answer {
        self.grow();
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
