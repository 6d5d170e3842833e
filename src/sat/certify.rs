//! Refutations that are not taken on trust: CaDiCaL writes a proof, our checker reads it.

use super::lrat;
use rustsat::solvers::{Solve, SolverResult};
use rustsat::types::{Cl, Lit};
use rustsat_cadical::{CaDiCaL, ProofFormat};

/// Checks that clauses have no model. `Err(None)`: they have one. `Err(Some(…))`: what went wrong.
pub fn refute(clauses: &[Vec<i32>]) -> Result<(), Option<String>> {
    let wrong = |e: &dyn std::fmt::Display| Some(format!("the solver failed: {e}"));
    let folder = tempfile::tempdir().map_err(|e| wrong(&e))?;
    let path = folder.path().join("proof.lrat");
    let mut solver = CaDiCaL::default();
    solver.trace_proof(&path, ProofFormat::Lrat { binary: false }).map_err(|e| wrong(&e))?;
    for c in clauses {
        let lits: Vec<Lit> = c.iter().map(|l| Lit::new(l.unsigned_abs() - 1, *l < 0)).collect();
        solver.add_clause_ref(Cl::new(&lits)).map_err(|e| wrong(&e))?;
    }
    match solver.solve().map_err(|e| wrong(&e))? {
        SolverResult::Sat => return Err(None),
        SolverResult::Unsat => {}
        SolverResult::Interrupted => return Err(Some("the solver was interrupted".into())),
    }
    // Closing the solver writes the rest of the proof.
    drop(solver);
    let proof = std::fs::read_to_string(&path).map_err(|e| Some(format!("cannot read the proof: {e}")))?;
    lrat::check(clauses, &proof).map_err(|e| Some(format!("the proof does not check: {e}")))
}
