//! Bounded model checking: is there a bad step within so many steps? Shortest answers first.
//!
//! One unrolling grows step by step in one solver. Initial values are constants in its graph, so what
//! they decide is gone before the solver sees it.

use super::encode::Encoder;
use super::{Control, Engine, Outcome, Stats, Verdict};
use crate::model::{Aig, Goal, Node, Path, Question, System};
use crate::net::Lit;
use crate::sat::{Answer, Solver};

/// A system written out step by step, in a graph of its own whose leaves are all [`Node::Input`].
pub(super) struct Unrolling<'s> {
    sys: &'s System,
    pub aig: Aig,
    leaves: u32,
    /// State before each step, and after the last.
    pub states: Vec<Vec<Lit>>,
    /// Inputs of each step.
    pub inputs: Vec<Vec<Lit>>,
}

impl<'s> Unrolling<'s> {
    /// From the initial states, or from any state.
    pub fn new(sys: &'s System, initial: bool) -> Unrolling<'s> {
        let mut u = Unrolling { sys, aig: Aig::default(), leaves: 0, states: Vec::new(), inputs: Vec::new() };
        let start = sys.states.iter();
        let start = start.map(|s| match s.init.filter(|_| initial) {
            Some(v) => Lit::FALSE.xor(v),
            None => u.leaf(),
        });
        let start = start.collect();
        u.states.push(start);
        u
    }

    fn leaf(&mut self) -> Lit {
        self.leaves += 1;
        self.aig.leaf(Node::Input(self.leaves - 1))
    }

    /// One step more: what the literals are in it.
    pub fn step(&mut self, watched: &[Lit]) -> Vec<Lit> {
        let inputs: Vec<Lit> = (0..self.sys.inputs.len()).map(|_| self.leaf()).collect();
        let now = &self.states[self.states.len() - 1];
        let mut roots: Vec<Lit> = self.sys.states.iter().map(|s| s.next).collect();
        let count = roots.len();
        roots.extend(watched);
        let mut made = self.sys.aig.copy_into(&mut self.aig, &roots, &mut |_, n| match n {
            Node::Input(i) => inputs[i as usize],
            Node::State(i) => now[i as usize],
            _ => unreachable!("only leaves are asked for"),
        });
        let seen = made.split_off(count);
        self.states.push(made);
        self.inputs.push(inputs);
        seen
    }
}

/// The literal that a safety or reachability question asks about.
pub(super) fn target(goal: &Goal) -> Option<Lit> {
    match goal.question {
        Question::Never(l) | Question::Reach(l) => Some(l),
        Question::NotForever(_) => None,
    }
}

/// The engine.
#[derive(Default)]
pub struct Bmc;

impl Engine for Bmc {
    fn name(&self) -> &'static str {
        "bmc"
    }

    fn accepts(&self, _: &System, goal: &Goal) -> bool {
        target(goal).is_some()
    }

    fn is_patient(&self) -> bool {
        true
    }

    fn check(&mut self, sys: &System, goal: &Goal, ctl: &Control) -> Outcome {
        let mut stats = Stats::default();
        let Some(bad) = target(goal) else {
            return Outcome::of(Verdict::Unknown(super::Reason::Unfit("bmc knows no liveness".into())), stats);
        };
        let mut base = Base::new(sys, &[bad]);
        for depth in 0..ctl.depth {
            (ctl.progress)("bmc", depth);
            stats.depth = depth;
            stats.work += 1;
            match base.next(ctl) {
                Answer::Sat => return Outcome::of(Verdict::Fails(base.path()), stats),
                Answer::Stopped if depth > 0 => return Outcome::of(Verdict::HoldsTo(depth), stats),
                Answer::Stopped => return Outcome::of(Verdict::Unknown(ctl.reason()), stats),
                Answer::Unsat => {}
            }
            if ctl.stop() {
                return Outcome::of(Verdict::HoldsTo(depth + 1), stats);
            }
        }
        Outcome::of(Verdict::HoldsTo(ctl.depth), stats)
    }
}

/// Shortest paths for all goals of safety and reachability of a system, as far as they are found in time; one
/// unrolling serves them all.
pub(super) fn sweep(sys: &System, ctl: &Control) -> Vec<Option<Path>> {
    let bads: Vec<Lit> = sys.goals.iter().map(|g| target(g).unwrap_or(Lit::FALSE)).collect();
    let mut found: Vec<Option<Path>> = vec![None; bads.len()];
    let mut base = Base::new(sys, &bads);
    for _ in 0..ctl.depth {
        base.grow();
        for k in (0..bads.len()).filter(|k| bads[*k] != Lit::FALSE) {
            if found[k].is_none() {
                match base.ask(k, ctl) {
                    Answer::Sat => found[k] = Some(base.path()),
                    Answer::Unsat => {}
                    Answer::Stopped => return found,
                }
            }
        }
        if ctl.stop() || (0..bads.len()).all(|k| found[k].is_some() || bads[k] == Lit::FALSE) {
            break;
        }
    }
    found
}

/// The unrolling from the initial states, with a question for each literal in each step.
pub(super) struct Base<'s> {
    sys: &'s System,
    bads: Vec<Lit>,
    /// The literals in the last step.
    now: Vec<Lit>,
    unrolling: Unrolling<'s>,
    solver: Solver,
    encoder: Encoder,
}

impl<'s> Base<'s> {
    pub fn new(sys: &'s System, bads: &[Lit]) -> Base<'s> {
        let unrolling = Unrolling::new(sys, true);
        let solver = Solver::default();
        Base { sys, bads: bads.to_vec(), now: Vec::new(), unrolling, solver, encoder: Encoder::default() }
    }

    /// One step more.
    fn grow(&mut self) {
        let mut watched = self.bads.clone();
        watched.extend(self.sys.constraints.iter().map(|c| c.1));
        self.now = self.unrolling.step(&watched);
        for c in self.now.split_off(self.bads.len()) {
            let c = self.encoder.lit(&self.unrolling.aig, c, &mut self.solver);
            self.solver.clause(&[c]);
        }
    }

    /// Whether a literal can be 1 in the last step; if not, that is known from then on.
    fn ask(&mut self, k: usize, ctl: &Control) -> Answer {
        if self.now[k] == Lit::FALSE {
            return Answer::Unsat;
        }
        let bad = self.encoder.lit(&self.unrolling.aig, self.now[k], &mut self.solver);
        let answer = self.solver.solve(&[bad], &|| ctl.stop());
        if answer == Answer::Unsat {
            self.solver.clause(&[!bad]);
        }
        answer
    }

    /// Whether the only literal can be 1 in the next step.
    pub fn next(&mut self, ctl: &Control) -> Answer {
        self.grow();
        self.ask(0, ctl)
    }

    /// The path of the last answer, yes.
    pub fn path(&self) -> Path {
        let value = |l: &Lit| match l.as_const() {
            Some(v) => v,
            None => self.encoder.known(*l).is_some_and(|s| self.solver.value(s)),
        };
        let init = self.unrolling.states[0].iter().map(value).collect();
        let inputs = self.unrolling.inputs.iter().map(|i| i.iter().map(value).collect()).collect();
        Path { init, inputs, back_to: None }
    }
}
