//! SAT solvers: our own for very many small questions ([`cdcl`]), CaDiCaL for hard ones, both incremental and
//! stoppable.
//!
//! Literals are `rustsat`'s. A solver never answers from a limit: [`Answer::Stopped`] says so.

pub mod cdcl;
pub mod certify;
pub mod lrat;

pub use rustsat::types::Lit as SatLit;

use rustsat::solvers::{LimitConflicts, Solve, SolveIncremental, SolverResult};
use rustsat::types::TernaryVal;

/// What a solver says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// There is a model.
    Sat,
    /// There is none under the assumptions.
    Unsat,
    /// Asked to stop.
    Stopped,
}

/// What takes clauses.
pub trait Clauses {
    /// A new variable, as its positive literal.
    fn fresh(&mut self) -> SatLit;
    /// Adds a clause.
    fn clause(&mut self, lits: &[SatLit]);
}

impl Clauses for Solver {
    fn fresh(&mut self) -> SatLit {
        Solver::fresh(self)
    }
    fn clause(&mut self, lits: &[SatLit]) {
        Solver::clause(self, lits);
    }
}

impl Clauses for cdcl::Cdcl {
    fn fresh(&mut self) -> SatLit {
        cdcl::Cdcl::fresh(self).into()
    }
    fn clause(&mut self, lits: &[SatLit]) {
        let lits: Vec<cdcl::Lit> = lits.iter().map(|l| (*l).into()).collect();
        cdcl::Cdcl::clause(self, &lits);
    }
}

/// An incremental solver: CaDiCaL.
#[derive(Default)]
pub struct Solver {
    inner: Box<rustsat_cadical::CaDiCaL<'static, 'static>>,
    vars: u32,
}

/// Conflicts between two looks at whether to stop.
const SLICE: u32 = 2_000;

impl Solver {
    /// A new variable, as its positive literal.
    pub fn fresh(&mut self) -> SatLit {
        self.vars += 1;
        SatLit::positive(self.vars - 1)
    }

    /// Number of variables.
    pub fn vars(&self) -> u32 {
        self.vars
    }

    /// Adds a clause.
    pub fn clause(&mut self, lits: &[SatLit]) {
        let clause = rustsat::types::Cl::new(lits);
        self.inner.add_clause_ref(clause).expect("the solver is out of memory");
    }

    /// Solves under assumptions; `stop` is asked now and then.
    pub fn solve(&mut self, assumptions: &[SatLit], stop: &dyn Fn() -> bool) -> Answer {
        loop {
            self.inner.limit_conflicts(Some(SLICE)).expect("CaDiCaL takes limits");
            match self.inner.solve_assumps(assumptions).expect("the solver is out of memory") {
                SolverResult::Sat => return Answer::Sat,
                SolverResult::Unsat => return Answer::Unsat,
                SolverResult::Interrupted if stop() => return Answer::Stopped,
                SolverResult::Interrupted => {}
            }
        }
    }

    /// The value of a literal in the last model; an unassigned one is 0.
    pub fn value(&self, l: SatLit) -> bool {
        // A variable in no clause is not known to the solver.
        self.inner.lit_val(l).is_ok_and(|v| v == TernaryVal::True)
    }

    /// Assumptions that the last answer, no, rests on.
    pub fn core(&mut self) -> Vec<SatLit> {
        self.inner.core().unwrap_or_default().into_iter().map(|l| !l).collect()
    }
}
