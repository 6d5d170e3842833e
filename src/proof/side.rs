//! Side conditions: formulas that must follow from others, whatever vectors and nodes are.
//!
//! Each is refuted by CaDiCaL, and its proof is checked ([`crate::sat::certify`]); nothing is taken on trust. Before that
//! an interruptible solver looks for a counterexample, which says more than "no".

use crate::net::{Gate, Lit};
use crate::sat::{Answer, SatLit, Solver, certify};
use crate::ste::terms::{Leaf, Terms};
use rustc_hash::FxHashMap;

/// Why something does not follow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// Values for which it does not: the number of the conclusion, the leaves.
    Counterexample(usize, Vec<(Leaf, bool)>),
    /// It was not decided.
    Undecided(String),
}

/// Checks that each conclusion follows from all premises. Returns the number of refutations it took.
pub fn follows(terms: &Terms, premises: &[Lit], conclusions: &[Lit], stop: &dyn Fn() -> bool) -> Result<u32, Refusal> {
    if premises.contains(&Lit::FALSE) {
        return Ok(0);
    }
    let mut count = 0;
    for (i, c) in conclusions.iter().enumerate() {
        if *c == Lit::TRUE || premises.contains(c) {
            continue;
        }
        one(terms, premises, *c, i, stop)?;
        count += 1;
    }
    Ok(count)
}

fn one(terms: &Terms, premises: &[Lit], conclusion: Lit, i: usize, stop: &dyn Fn() -> bool) -> Result<(), Refusal> {
    let mut roots: Vec<Lit> = premises.to_vec();
    roots.push(!conclusion);
    let cone = terms.cone(&roots);
    let number: FxHashMap<u32, i32> = cone.iter().enumerate().map(|(k, g)| (*g, k as i32 + 1)).collect();
    let clauses = clauses(terms.gates(), &cone, &number, &roots);
    let mut solver = Solver::default();
    for _ in 0..cone.len() {
        solver.fresh();
    }
    for c in &clauses {
        let lits: Vec<SatLit> = c.iter().map(|l| SatLit::new(l.unsigned_abs() - 1, *l < 0)).collect();
        solver.clause(&lits);
    }
    match solver.solve(&[], stop) {
        Answer::Sat => {
            let mut leaves = Vec::new();
            for g in &cone {
                if let Some(leaf) = terms.leaf_of(terms.gates()[*g as usize]) {
                    leaves.push((leaf, solver.value(SatLit::positive(number[g] as u32 - 1))));
                }
            }
            return Err(Refusal::Counterexample(i, leaves));
        }
        Answer::Stopped => return Err(Refusal::Undecided("out of time".into())),
        Answer::Unsat => {}
    }
    certify::refute(&clauses).map_err(|e| Refusal::Undecided(e.unwrap_or_else(|| "two solvers disagree".into())))
}

/// Gates as clauses, and that all roots are 1.
fn clauses(gates: &[Gate], cone: &[u32], number: &FxHashMap<u32, i32>, roots: &[Lit]) -> Vec<Vec<i32>> {
    let at = |l: Lit| {
        let n = number[&l.gate().0];
        if l.complement() { -n } else { n }
    };
    let mut list = Vec::new();
    for g in cone {
        let o = number[g];
        match gates[*g as usize] {
            Gate::False => list.push(vec![-o]),
            Gate::And(a, b) => {
                let (a, b) = (at(a), at(b));
                list.extend([vec![-o, a], vec![-o, b], vec![o, -a, -b]]);
            }
            Gate::Xor(a, b) => {
                let (a, b) = (at(a), at(b));
                list.extend([vec![-o, a, b], vec![-o, -a, -b], vec![o, -a, b], vec![o, a, -b]]);
            }
            Gate::Mux(s, t, e) => {
                let (s, t, e) = (at(s), at(t), at(e));
                list.extend([vec![-s, -t, o], vec![-s, t, -o], vec![s, -e, o], vec![s, e, -o]]);
                list.extend([vec![-t, -e, o], vec![t, e, -o]]);
            }
            _ => {}
        }
    }
    list.extend(roots.iter().map(|l| vec![at(*l)]));
    list
}
