//! A second opinion on assertions: the trajectory written out plainly, and decided by another library.
//!
//! This is the code that `entail replay` relies on, so it shares neither the evaluation nor the diagrams of `ste`. Every
//! gate is evaluated at every moment, into an and-inverter graph of two rails; there are no plans and nothing is left
//! out. The obligation is that, where the constraint holds, no claim of the consequent *can be* 0. That is decided
//! by `biodivine-lib-bdd`, or by CaDiCaL with a proof that is checked.

mod decide;
mod unroll;

use crate::net::Lit;
use crate::ste::Assertion;
use crate::ste::circuit::Circuit;
use crate::ste::order::order;
use crate::ste::terms::Terms;
use decide::{diagrams, solver};
use rustc_hash::FxHashMap;
use unroll::Unroll;

/// Why an assertion was not confirmed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// A claim is not shown; its number.
    NotShown(usize),
    /// It was not decided.
    TooLarge,
    /// The design does not come to rest in this evaluation.
    Unsettled,
    /// It makes no sense.
    Wrong(String),
}

/// How much may be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// Most nodes of one diagram.
    pub nodes: usize,
    /// Most nodes that are made.
    pub room: usize,
    /// Most gates that are left to a SAT solver.
    pub gates: usize,
    /// Thousands of conflicts that a solver may need for one claim.
    pub conflicts: u32,
    /// Ask the solver before the diagrams.
    pub solver_first: bool,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { nodes: 1_000_000, room: 400_000_000, gates: 200_000, conflicts: 60, solver_first: false }
    }
}

/// Checks that an assertion holds. Returns by what it was shown.
pub fn confirm(c: &Circuit, terms: &Terms, a: &Assertion, effort: &Effort) -> Result<&'static str, Refusal> {
    let mut u = Unroll::new(c, terms, a)?;
    u.run()?;
    let constraint = u.formula(a.constraint, &FxHashMap::default())?.0;
    let mut lows = Vec::new();
    for claim in &a.consequent {
        lows.push(u.claim(claim)?);
    }
    // What follows from the graph alone needs no library.
    if lows.iter().all(|l| *l == Lit::FALSE) || constraint == Lit::FALSE {
        return Ok("structure");
    }
    let order = order(c, terms, &a.hints, &a.antecedent, &a.consequent, &[a.constraint]);
    let places: Vec<Lit> = order.iter().filter_map(|v| u.vars.get(v).copied()).collect();
    let diagrams = || diagrams(&u.aig, &places, constraint, &lows, effort).map(|()| "biodivine-lib-bdd");
    let solver = || solver(&u.aig, constraint, &lows, effort).map(|()| "SAT, LRAT proofs checked");
    if effort.solver_first {
        return solver().or_else(|e| if e == Refusal::TooLarge { diagrams() } else { Err(e) });
    }
    diagrams().or_else(|e| if e == Refusal::TooLarge { solver() } else { Err(e) })
}
