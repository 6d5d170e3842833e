//! From a goal to an answer that may be shown: reduced, raced, replayed, its evidence checked.
//!
//! This is the only place that decides what is said. A failure that does not replay in the system, or
//! evidence that does not check, is [`Answer::Broken`]: a bug of ours, never a verdict.

use super::bdd::{Bdd, Direction, Strategy};
use super::evidence::{Certificate, Evidence};
use super::known::Known;
use super::portfolio::race;
use super::{Control, Engine, Outcome, Reason, Stats, Verdict, bmc, explicit, ic3, induction};
use crate::bdd::recheck::{Refusal, recheck};
use crate::model::{Goal, Path, Question, System, cone, live, reduce, replay};

/// What is said about a goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// On all paths; the evidence was checked.
    Holds,
    /// On all paths, by an engine that leaves no evidence.
    Unchecked,
    /// On all paths, for the want of a moment at which it would say something.
    Vacuous,
    /// On all paths of fewer steps than this.
    HoldsTo(u32),
    /// Broken on a path.
    Fails,
    /// A cover that was reached.
    Covered,
    /// A cover that cannot be reached.
    Unreachable,
    /// No answer.
    Unknown(Reason),
    /// The tool contradicts itself.
    Broken(String),
}

/// An answer with what belongs to it.
#[derive(Clone, Debug)]
pub struct Settled {
    /// The answer.
    pub answer: Answer,
    /// Who found it.
    pub engine: &'static str,
    /// The path of a failure or a cover, in the system that was asked about.
    pub path: Option<Path>,
    /// Why it holds, in the system asked about (for liveness: in the safety form of the goal's cone).
    pub certificate: Option<Certificate>,
    /// What was done.
    pub stats: Stats,
}

/// Which engines to run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// Several side by side.
    Portfolio,
    /// Bounded model checking.
    Bmc,
    /// Induction over k steps.
    Induction,
    /// IC3.
    Ic3,
    /// Decision diagrams.
    Bdd(Strategy, Direction),
    /// Explicit states.
    Explicit,
}

impl Choice {
    fn engines(self) -> Vec<Box<dyn Engine>> {
        match self {
            Choice::Portfolio => vec![Box::new(ic3::Ic3::default()), Box::new(bmc::Bmc), Box::new(Bdd::default())],
            Choice::Bmc => vec![Box::new(bmc::Bmc)],
            Choice::Induction => vec![Box::new(induction::Induction::default())],
            Choice::Ic3 => vec![Box::new(ic3::Ic3::default())],
            Choice::Bdd(s, d) => vec![Box::new(Bdd::new(s, d))],
            Choice::Explicit => vec![Box::new(explicit::Explicit)],
        }
    }
}

/// Answers a goal.
pub fn settle(sys: &System, goal: &Goal, choice: Choice, ctl: &Control) -> Settled {
    settle_with(sys, goal, choice, ctl, &mut Known::default())
}

/// Answers a goal with what is known of the system, and learns from it.
pub fn settle_with(sys: &System, goal: &Goal, choice: Choice, ctl: &Control, known: &mut Known) -> Settled {
    // Explicit search knows liveness itself; for the others it becomes safety.
    if let (Question::NotForever(_), false) = (&goal.question, choice == Choice::Explicit) {
        let part = cone(sys, std::slice::from_ref(goal));
        let safe = live::to_safety(&part.sys, part.goal());
        let mut s = settle(&safe.sys, &safe.sys.goals[0], choice, ctl);
        s.path = s.path.map(|p| part.lift(sys, &safe.lasso(&p)));
        if let Some(path) = &s.path {
            let small = reduce(sys, goal);
            if let Err(e) = replay(&small.sys, &small.goal().question, &small.project(path)) {
                s.answer = Answer::Broken(format!("the loop of {} does not replay: {e}", s.engine));
            }
        }
        return s;
    }
    let small = reduce(sys, goal);
    let help = known.help(&small);
    let mut engines = choice.engines();
    engines.iter_mut().for_each(|e| e.learn(&help.clauses));
    // The judge works on the thread of the engine, with its own copy of everything.
    let (own, question, reduced, ground) = (sys.clone(), goal.question.clone(), small.clone(), help.ground.clone());
    let judge = move |_: &'static str, outcome: &Outcome| {
        let evidence = outcome.evidence.clone().filter(|_| matches!(outcome.verdict, Verdict::Holds))?;
        let c = Certificate::new(&reduced, evidence, &ground);
        let said = confirm(&c, &own, &question);
        Some((c, said))
    };
    let (engine, outcome, judged) = race(engines, &small.sys, small.goal(), ctl, judge);
    let mut s = Settled { answer: Answer::Holds, engine, path: None, certificate: None, stats: outcome.stats };
    let reach = matches!(goal.question, Question::Reach(_));
    match outcome.verdict {
        Verdict::Unknown(why) => s.answer = Answer::Unknown(why),
        Verdict::HoldsTo(n) => s.answer = Answer::HoldsTo(n),
        Verdict::Fails(path) => {
            let path = small.lift(sys, &path);
            s.answer = confirm_path(sys, goal, &path, engine);
            s.path = Some(path);
        }
        Verdict::Holds => {
            let Some((c, said)) = judged.flatten() else {
                s.answer = if reach { Answer::Unreachable } else { Answer::Unchecked };
                return s;
            };
            s.answer = match said {
                Ok(()) if reach => Answer::Unreachable,
                Ok(()) => Answer::Holds,
                Err(e) => Answer::Broken(format!("the evidence of {engine} does not check: {e}")),
            };
            if matches!(s.answer, Answer::Holds | Answer::Unreachable) {
                known.learn(&c, &help);
            }
            s.certificate = Some(c);
        }
    }
    s
}

/// What a path says about a goal of safety or reachability, if it is one.
pub(super) fn confirm_path(sys: &System, goal: &Goal, path: &Path, engine: &str) -> Answer {
    match replay(sys, &goal.question, path) {
        Ok(_) if matches!(goal.question, Question::Reach(_)) => Answer::Covered,
        Ok(_) => Answer::Fails,
        Err(e) => Answer::Broken(format!("the path of {engine} does not replay: {e}")),
    }
}

/// Most nodes of a diagram in the second library.
const MAX_NODES: usize = 4_000_000;

/// Checks evidence with other code than found it: decisions with the second library of decision diagrams, which is
/// much faster on them than clauses are, everything else (and what is too large for that) by SAT.
pub fn confirm(c: &Certificate, sys: &System, question: &Question) -> Result<(), String> {
    if matches!(c.evidence, Evidence::Decisions { .. }) {
        match recheck(c, sys, question, MAX_NODES) {
            Ok(()) => return Ok(()),
            Err(Refusal::Wrong(why)) => return Err(why),
            Err(Refusal::TooLarge) => {}
        }
    }
    c.check(sys, question).map(|_| ())
}

/// The goal that asks whether another ever says something: its trigger must be reachable.
pub fn occasion(goal: &Goal) -> Option<Goal> {
    let question = Question::Reach(goal.trigger?);
    Some(Goal { symbol: goal.symbol.clone(), question, trigger: None })
}
