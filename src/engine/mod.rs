//! Engines: a [`System`] and a goal in, an [`Outcome`] out.
//!
//! Every engine sees a system with one goal, reduced to its cone ([`crate::model::reduce`]). A *fails* is a
//! path of that system, a *holds* carries an [`Evidence`] that other code checks. Engines never print and
//! never look at the clock themselves: [`Control`] tells them when to stop.

pub mod batch;
pub mod bdd;
pub mod bmc;
pub mod encode;
pub mod evidence;
pub mod explicit;
pub mod ic3;
pub mod induction;
pub mod known;
pub mod portfolio;
pub mod prove;
mod strengthen;
mod ternary;

pub use evidence::Evidence;

use crate::model::{Goal, Path, System};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// Out of time.
    Timeout,
    /// Another engine was faster, or the user interrupted.
    Stopped,
    /// The engine cannot treat this.
    Unfit(String),
    /// A limit other than time.
    Limit(String),
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Reason::Timeout => write!(f, "out of time"),
            Reason::Stopped => write!(f, "stopped"),
            Reason::Unfit(why) | Reason::Limit(why) => write!(f, "{why}"),
        }
    }
}

/// The answer to a goal. For [`crate::model::Question::Reach`], *fails* is the wanted path.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// On all paths.
    Holds,
    /// On all paths of fewer steps than this; nothing is said of longer ones.
    HoldsTo(u32),
    /// Here is a path that breaks it.
    Fails(Path),
    /// No answer.
    Unknown(Reason),
}

/// What an engine did.
#[derive(Clone, Debug, Default)]
pub struct Stats {
    /// Steps, frames or layers looked at.
    pub depth: u32,
    /// Solver calls, images or states, whatever the engine counts.
    pub work: u64,
}

/// A verdict with what supports it.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The answer.
    pub verdict: Verdict,
    /// Why it holds.
    pub evidence: Option<Evidence>,
    /// What was done.
    pub stats: Stats,
}

impl Outcome {
    /// A verdict without evidence.
    pub fn of(verdict: Verdict, stats: Stats) -> Outcome {
        Outcome { verdict, evidence: None, stats }
    }

    /// A proof.
    pub fn holds(evidence: Evidence, stats: Stats) -> Outcome {
        Outcome { verdict: Verdict::Holds, evidence: Some(evidence), stats }
    }

    /// Whether this settles the goal.
    pub fn is_final(&self) -> bool {
        matches!(self.verdict, Verdict::Holds | Verdict::Fails(_))
    }
}

/// When to stop, and whom to tell.
pub struct Control<'c> {
    /// No work after this.
    pub deadline: Option<Instant>,
    /// Set by others to stop.
    pub cancel: &'c AtomicBool,
    /// Most nodes of a decision diagram.
    pub nodes: usize,
    /// Most bytes of memory of the whole process.
    pub memory: Option<u64>,
    /// Deepest unrolling.
    pub depth: u32,
    /// Told the engine's name and the depth reached.
    pub progress: &'c (dyn Fn(&'static str, u32) + Sync),
}

impl Control<'_> {
    /// Whether to stop now.
    pub fn stop(&self) -> bool {
        self.is_cancelled() || self.deadline.is_some_and(|d| Instant::now() >= d)
    }

    fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }

    /// Why it stopped.
    pub fn reason(&self) -> Reason {
        // Who is out of time is often told so by others.
        let late = self.deadline.is_some_and(|d| Instant::now() >= d);
        if self.is_cancelled() && !late { Reason::Stopped } else { Reason::Timeout }
    }
}

/// A way to answer goals.
pub trait Engine: Send {
    /// Its name, as the command line knows it.
    fn name(&self) -> &'static str;
    /// Whether it can treat this goal at all.
    fn accepts(&self, sys: &System, goal: &Goal) -> bool;
    /// Whether others go first where there are more engines than cores.
    fn is_patient(&self) -> bool {
        false
    }
    /// Is told clauses that every reachable state satisfies. Its evidence is about states that satisfy them.
    fn learn(&mut self, _known: &[Vec<evidence::Literal>]) {}
    /// Answers.
    fn check(&mut self, sys: &System, goal: &Goal, ctl: &Control) -> Outcome;
}
