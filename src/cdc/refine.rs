//! Refinement of destabilizers: which capturing bits get every gate on their ways late, because a failure may owe to
//! a destabilizer alone.
//!
//! A destabilizer lets more happen than late gates do, so what holds with it holds. A failure on whose path no
//! destabilizer made a difference is one of late gates, too; otherwise those that did are replaced and it is asked
//! again. That ends, since each round replaces at least one.

use super::crossing::{Capture, End};
use super::insert::{Inserted, Style, cheaper};
use crate::model::{Goal, Path, System, replay};
use crate::net::Lit;
use rustc_hash::FxHashSet;

/// Capturing bits that were refined.
#[derive(Default)]
pub struct Refinement {
    late: FxHashSet<End>,
}

impl Refinement {
    /// How a bit is treated now.
    pub fn style(&self, c: &Capture) -> Style {
        if self.late.contains(&c.end) { Style::Delayed } else { cheaper(c) }
    }

    /// Looks at a failure, a path of a model of the rewritten netlist whose gates are given; true if it owes to
    /// destabilizers, which are refined then.
    pub fn doubt(&mut self, made: &Inserted, gates: &[Lit], sys: &System, goal: &Goal, path: &Path) -> bool {
        let Ok(run) = replay(sys, &goal.question, path) else { return false };
        let promised: &[End] =
            made.obligations.iter().find(|o| o.name == goal.symbol.name).map_or(&[], |o| o.ends.as_slice());
        let at = |l: Lit| gates[l.gate().0 as usize].xor(l.complement());
        let steps = path.inputs.len();
        // Bits that another failure of this round had refined already are still destabilized in this path.
        let mut doubted = false;
        for p in made.places.iter().filter(|p| p.style == Style::Destabilized) {
            let differs = (0..steps).any(|k| run.value(k, at(p.seen)) != run.value(k, at(p.calm)));
            let confuses = p.undecided.is_some_and(|l| (0..steps).any(|k| run.value(k, at(l))));
            // What is promised of a bit is that it is stable, which may fail without a difference.
            if differs || confuses || promised.contains(&p.end) {
                self.late.insert(p.end);
                doubted = true;
            }
        }
        doubted
    }
}
