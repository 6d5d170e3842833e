//! All goals of a system together: one unrolling asks for all of them, and what one proof shows helps the next.

use super::bmc::{self, target};
use super::known::Known;
use super::prove::{self, Answer, Choice, Settled, occasion};
use super::{Control, Reason, Stats};
use crate::model::{Goal, Path, System, reduce_all};
use crate::net::Lit;
use rustc_hash::FxHashMap;
use std::time::{Duration, Instant};

/// What was found so far about the goals of one system.
#[derive(Default)]
pub struct Batch {
    known: Known,
    /// Shortest paths to literals.
    paths: FxHashMap<Lit, Path>,
}

/// The common unrolling is for what is found soon: so much time for each goal, within limits, and so many steps.
const SLICE: Duration = Duration::from_millis(10);
const MOST: Duration = Duration::from_millis(500);
const STEPS: u32 = 64;

impl Batch {
    /// Looks for short answers to all goals at once.
    pub fn new(sys: &System, goals: &[&Goal], choice: Choice, ctl: &Control) -> Batch {
        let mut batch = Batch::default();
        if !matches!(choice, Choice::Portfolio | Choice::Bmc) {
            return batch;
        }
        let mut asked: Vec<Goal> = Vec::new();
        for goal in goals.iter().flat_map(|g| [Some((*g).clone()), occasion(g)]).flatten() {
            if target(&goal).is_some_and(|l| asked.iter().all(|a| target(a) != Some(l))) {
                asked.push(goal);
            }
        }
        // One goal alone is the business of the engines.
        if asked.len() < 2 {
            return batch;
        }
        let time = MOST.min(SLICE * asked.len() as u32);
        let soon = Instant::now() + time;
        let ctl =
            Control { deadline: Some(ctl.deadline.map_or(soon, |d| d.min(soon))), depth: ctl.depth.min(STEPS), ..*ctl };
        let small = reduce_all(sys, &asked);
        let found = bmc::sweep(&small.sys, &ctl);
        for (goal, path) in asked.iter().zip(found) {
            if let (Some(l), Some(path)) = (target(goal), path) {
                batch.paths.insert(l, small.lift(sys, &path));
            }
        }
        batch
    }

    /// From now on proofs of a goal rest on nothing outside its cone, so that they can be kept with the cone alone.
    pub fn stay_inside(&mut self) {
        self.known.inside = true;
    }

    /// Answers a goal; one that holds must say something, too.
    pub fn settle(&mut self, sys: &System, goal: &Goal, choice: Choice, ctl: &Control) -> Settled {
        let mut s = self.answer(sys, goal, choice, ctl);
        if let (Answer::Holds | Answer::Unchecked, Some(occasion)) = (&s.answer, occasion(goal)) {
            s.answer = match self.answer(sys, &occasion, choice, ctl).answer {
                Answer::Covered => s.answer,
                Answer::Unreachable => Answer::Vacuous,
                // Whether it ever says anything is not known, so it is not called proved.
                _ => Answer::Unknown(Reason::Limit(
                    "it cannot fail, but no moment was found at which it says something".into(),
                )),
            };
        }
        s
    }

    fn answer(&mut self, sys: &System, goal: &Goal, choice: Choice, ctl: &Control) -> Settled {
        if let Some(path) = target(goal).and_then(|l| self.paths.get(&l)) {
            return Settled {
                answer: prove::confirm_path(sys, goal, path, "bmc"),
                engine: "bmc",
                path: Some(path.clone()),
                certificate: None,
                stats: Stats { depth: path.inputs.len() as u32 - 1, work: 1 },
            };
        }
        prove::settle_with(sys, goal, choice, ctl, &mut self.known)
    }
}
