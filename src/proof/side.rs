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
        refute(terms, premises, &[*c], i, stop)?;
        count += 1;
    }
    Ok(count)
}

/// Conclusions that are refuted to fail at one stroke, by [`follow_together`].
const TOGETHER: usize = 64;

/// The same, with many conclusions in one refutation: that none of them fails is one question, and most of the work is to
/// ask. Which of them does not follow is found out one by one.
pub fn follow_together(
    terms: &Terms,
    premises: &[Lit],
    conclusions: &[Lit],
    stop: &dyn Fn() -> bool,
) -> Result<u32, Refusal> {
    if premises.contains(&Lit::FALSE) {
        return Ok(0);
    }
    let is_open = |i: &usize| conclusions[*i] != Lit::TRUE && !premises.contains(&conclusions[*i]);
    let open: Vec<usize> = (0..conclusions.len()).filter(is_open).collect();
    let mut count = 0;
    for some in open.chunks(TOGETHER) {
        let all: Vec<Lit> = some.iter().map(|i| conclusions[*i]).collect();
        if refute(terms, premises, &all, some[0], stop).is_ok() {
            count += 1;
            continue;
        }
        for i in some {
            refute(terms, premises, &[conclusions[*i]], *i, stop)?;
            count += 1;
        }
    }
    Ok(count)
}

/// Refutes that all premises are so and one of the conclusions is not; `i` is the place of the first of these.
fn refute(
    terms: &Terms,
    premises: &[Lit],
    conclusions: &[Lit],
    i: usize,
    stop: &dyn Fn() -> bool,
) -> Result<(), Refusal> {
    let roots: Vec<Lit> = premises.iter().chain(conclusions).copied().collect();
    let cone = terms.cone(&roots);
    let number: FxHashMap<u32, i32> = cone.iter().enumerate().map(|(k, g)| (*g, k as i32 + 1)).collect();
    let clauses = clauses(terms.gates(), &cone, &number, premises, conclusions);
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

/// Gates as clauses, that all premises are 1, and that one of the conclusions is 0.
fn clauses(
    gates: &[Gate],
    cone: &[u32],
    number: &FxHashMap<u32, i32>,
    premises: &[Lit],
    conclusions: &[Lit],
) -> Vec<Vec<i32>> {
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
    list.extend(premises.iter().map(|l| vec![at(*l)]));
    let mut fails: Vec<i32> = conclusions.iter().map(|l| -at(*l)).collect();
    fails.sort();
    fails.dedup();
    list.push(fails);
    list
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ste::terms::Vector;

    /// Conclusions asked one by one and together are answered alike, for all small formulas over two bits.
    #[test]
    fn what_follows_together_follows_one_by_one() {
        let mut t = Terms::new(vec![Vector { name: "v".into(), width: 2 }]);
        let (a, b) = (t.var(0, 0), t.var(0, 1));
        let (both, one, same) = (t.and(a, b), t.or(a, b), t.xor(a, b));
        let all = [a, b, both, one, same, !a, !both, !one, !same, Lit::TRUE, Lit::FALSE];
        for p in all {
            let follows = |c: Lit| follows(&t, &[p], &[c], &|| false).is_ok();
            for c in all {
                for d in all {
                    let together = follow_together(&t, &[p], &[c, d], &|| false);
                    assert_eq!(together.is_ok(), follows(c) && follows(d), "{p:?} gives {c:?} {d:?}");
                    if let Err(Refusal::Counterexample(k, _)) = together {
                        assert!(!follows([c, d][k]), "{p:?}: {k} does not follow");
                    }
                }
            }
        }
    }
}
