//! Reachability with decision diagrams.
//!
//! The steps of the system are split into groups by its clocks ([`crate::model::Matrix`]); sets of states
//! grow by images (or preimages) of one group at a time until nothing is new or the goal is met. Every set
//! that was added is kept, since a path is found by going back through them.
//!
//! A space of diagrams has a fixed size and a fixed order. The search runs in *rounds*: when the space is
//! full, or its diagrams have grown enough to look for a better order, the sets are taken out, and the next
//! round goes on with them in another space.

mod live;
mod relation;
mod round;
mod search;
mod trace;
mod vars;

use super::{Control, Engine, Evidence, Outcome, Reason, Stats, Verdict};
use crate::bdd::{Decisions, Space};
use crate::model::{Goal, Matrix, Question, Slot, System, order};
use round::{End, Round};
use vars::Vars;

/// In what order the groups are applied.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strategy {
    /// All groups to the newest states: paths are shortest.
    BreadthFirst,
    /// One group after the other, each to all that is new to it.
    Chaining,
    /// The group furthest down in the order first, until it finds nothing more.
    Saturation,
}

/// Where the search starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// At the initial states.
    Forward,
    /// At the bad states.
    Backward,
}

/// What was settled by measuring.
#[derive(Clone, Copy, Debug)]
pub struct Tuning {
    /// Nodes of a conjunction of next-state functions.
    pub cluster: usize,
    /// Split by inputs that stop this many percent of the state bits, where there are no clocks; over 100 is never.
    pub stop: usize,
    /// Merge groups whose rows are subsumed.
    pub merge: bool,
    /// Sift when the diagrams have this many nodes, and again each time they have doubled; 0 is never.
    pub sift: usize,
    /// Nodes of the first space.
    pub start: usize,
}

impl Default for Tuning {
    fn default() -> Tuning {
        Tuning { cluster: 2500, stop: 101, merge: false, sift: 30_000, start: 1 << 16 }
    }
}

/// The engine.
#[derive(Clone, Copy, Debug)]
pub struct Bdd {
    /// In what order the groups are applied.
    pub strategy: Strategy,
    /// Where the search starts.
    pub direction: Direction,
    /// Figures that change no answer.
    pub tuning: Tuning,
}

impl Default for Bdd {
    fn default() -> Bdd {
        Bdd { strategy: Strategy::BreadthFirst, direction: Direction::Forward, tuning: Tuning::default() }
    }
}

impl Bdd {
    /// The engine with a strategy and a direction.
    pub fn new(strategy: Strategy, direction: Direction) -> Bdd {
        Bdd { strategy, direction, tuning: Tuning::default() }
    }
}

/// What one round leaves to the next.
struct Saved {
    order: Vec<Slot>,
    capacity: usize,
    /// Nodes at which to look for a better order.
    sift_at: usize,
    /// The sets found so far, in the variables of that time.
    sets: Option<(Vars, Decisions)>,
    stats: Stats,
}

impl Engine for Bdd {
    fn name(&self) -> &'static str {
        "bdd"
    }

    fn accepts(&self, sys: &System, _: &Goal) -> bool {
        // Two variables for each state bit; beyond this no diagram of a real design fits anyway.
        2 * sys.states.len() + sys.inputs.len() < 20_000
    }

    fn check(&mut self, sys: &System, goal: &Goal, ctl: &Control) -> Outcome {
        let mut matrix = Matrix::new(sys);
        if matrix.split.is_empty() && self.tuning.stop <= 100 {
            let least = (sys.states.len() * self.tuning.stop).div_ceil(100);
            matrix = Matrix::split_by(sys, &Matrix::stoppers(sys, least));
        }
        if self.tuning.merge {
            matrix.merge(sys);
        }
        let order = order::order(sys, goal, &matrix);
        let bad = match &goal.question {
            Question::Never(bad) | Question::Reach(bad) => *bad,
            Question::NotForever(all) => return live::check(self, sys, all, matrix, &order, ctl),
        };
        let mut saved = Saved {
            order,
            capacity: self.tuning.start.min(ctl.nodes),
            sift_at: if self.tuning.sift == 0 { usize::MAX } else { self.tuning.sift },
            sets: None,
            stats: Stats::default(),
        };
        loop {
            let vars = Vars::new(&saved.order);
            let space = Space::new(vars.count(), saved.capacity);
            let round = Round { sys, bad, matrix: &matrix, engine: *self, ctl, space: &space, vars: &vars };
            match space.run(|| round.go(saved)) {
                End::Done(outcome) => return outcome,
                End::Again(next) => saved = next,
            }
        }
    }
}
