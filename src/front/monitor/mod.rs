//! Bounded temporal properties into monitors, for any language that has them.
//!
//! A property is a tree over [`Automaton`]s, whose letters are 1-bit nodes that stand for the values at
//! the present tick of one clock. [`Monitor`] follows one attempt through its ages: what is still open
//! after a tick is a set of bits, and these bits become a register. The register of age 3 belongs to the
//! attempt that started three ticks ago, whichever that is; so one unrolling serves all attempts,
//! which overlap.
//!
//! Verdicts are those of three-valued logic with every letter of a later tick unknown (IEEE 1800-2017
//! annex F read on prefixes): an attempt fails at the first tick at which nothing that can still come
//! would save it, letters taken as independent of each other.

mod automaton;
#[cfg(test)]
mod tests;
mod track;

pub use automaton::{Automaton, TooLarge};
pub use track::{Monitor, Verdict, add_register};

use std::rc::Rc;

/// A property of one attempt.
#[derive(Clone, Debug)]
pub enum Prop {
    /// Some match of the sequence.
    Seq(Rc<Automaton>),
    And(Box<Prop>, Box<Prop>),
    Or(Box<Prop>, Box<Prop>),
    Not(Box<Prop>),
    /// From the last tick of each match of the sequence on, the property.
    Implies(Rc<Automaton>, Rc<Prop>),
}

impl Prop {
    pub fn and(a: Prop, b: Prop) -> Prop {
        Prop::And(Box::new(a), Box::new(b))
    }

    pub fn or(a: Prop, b: Prop) -> Prop {
        Prop::Or(Box::new(a), Box::new(b))
    }

    pub fn negate(a: Prop) -> Prop {
        match a {
            Prop::Not(p) => *p,
            p => Prop::Not(Box::new(p)),
        }
    }

    /// A match of the sequence from whose last tick on the property holds.
    pub fn followed_by(a: Rc<Automaton>, p: Prop) -> Prop {
        Prop::negate(Prop::Implies(a, Rc::new(Prop::negate(p))))
    }

    /// What holds if an attempt that succeeds does so because of more than that nothing was asked
    /// (16.14.8); `None` if that is always so.
    pub fn nonvacuous(&self, truth: &Rc<Automaton>) -> Option<Prop> {
        match self {
            Prop::Seq(_) => None,
            Prop::And(a, b) | Prop::Or(a, b) => Some(Prop::or(a.nonvacuous(truth)?, b.nonvacuous(truth)?)),
            Prop::Not(a) => a.nonvacuous(truth),
            Prop::Implies(s, p) => {
                let inner = p.nonvacuous(truth).unwrap_or_else(|| Prop::Seq(truth.clone()));
                Some(Prop::followed_by(s.clone(), inner))
            }
        }
    }
}
