//! A checker of LRAT proofs, written from the format's definition (Cruz-Filipe and others, 2017).
//!
//! A proof is a list of clauses, each with the numbers of earlier clauses that show it by unit
//! propagation; the last is the empty clause. Only reverse unit propagation is accepted: a proof with a
//! resolution-asymmetric step (a negative hint) is refused, since those steps preserve satisfiability only
//! and our solvers do not need them here.

use rustc_hash::{FxHashMap, FxHashSet};

/// Checks that a proof derives the empty clause from `clauses`. They have the numbers 1, 2, 3, … that the proof
/// gives to no clause of its own: a solver that simplifies while clauses come in counts its own among them.
/// (With other numbers a right proof would be refused; no wrong one could pass.)
pub fn check(clauses: &[Vec<i32>], proof: &str) -> Result<(), String> {
    let own: FxHashSet<u64> = proof
        .lines()
        .filter_map(|l| l.split_once(' '))
        .filter(|(_, rest)| !rest.starts_with('d'))
        .filter_map(|(id, _)| id.parse().ok())
        .collect();
    let mut known: FxHashMap<u64, Vec<i32>> = (1..).filter(|n| !own.contains(n)).zip(clauses.iter().cloned()).collect();
    if clauses.iter().any(Vec::is_empty) {
        return Ok(());
    }
    let mut value: FxHashMap<i32, ()> = FxHashMap::default();
    for (n, line) in proof.lines().enumerate() {
        let wrong = |what: &str| format!("line {} of the proof: {what}", n + 1);
        let mut words = line.split_ascii_whitespace();
        let Some(id) = words.next() else { continue };
        let id: u64 = id.parse().map_err(|_| wrong("no number of a clause"))?;
        let rest: Vec<&str> = words.collect();
        if rest.first() == Some(&"d") {
            for w in &rest[1..] {
                let old: u64 = w.parse().map_err(|_| wrong("no number of a clause"))?;
                if old != 0 {
                    known.remove(&old);
                }
            }
            continue;
        }
        let numbers: Result<Vec<i64>, _> = rest.iter().map(|w| w.parse::<i64>()).collect();
        let numbers = numbers.map_err(|_| wrong("not a list of numbers"))?;
        let end = numbers.iter().position(|x| *x == 0).ok_or_else(|| wrong("a clause without end"))?;
        let hints = numbers[end + 1..].strip_suffix(&[0]).ok_or_else(|| wrong("hints without end"))?;
        let clause: Result<Vec<i32>, _> = numbers[..end].iter().map(|x| i32::try_from(*x)).collect();
        let clause = clause.map_err(|_| wrong("a literal beyond 31 bits"))?;
        // The negation of the clause holds; each hint must become a unit, the last one a conflict.
        value.clear();
        clause.iter().for_each(|l| {
            value.insert(-*l, ());
        });
        let mut conflict = clause.iter().any(|l| value.contains_key(l));
        for h in hints {
            if conflict {
                break;
            }
            if *h < 0 {
                return Err(wrong("a step that is not by unit propagation"));
            }
            let c = known.get(&(*h as u64)).ok_or_else(|| wrong("a hint that is no clause"))?;
            let mut unit = None;
            for l in c.iter().filter(|l| !value.contains_key(&-**l)) {
                match unit {
                    None => unit = Some(*l),
                    Some(u) if u == *l => {}
                    Some(_) => return Err(wrong("a hint that is not a unit")),
                }
            }
            match unit {
                Some(u) => {
                    value.insert(u, ());
                }
                None => conflict = true,
            }
        }
        if !conflict {
            return Err(wrong("the hints do not show the clause"));
        }
        if clause.is_empty() {
            return Ok(());
        }
        if known.insert(id, clause).is_some() {
            return Err(wrong("a number is used twice"));
        }
    }
    Err("the proof ends without the empty clause".into())
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn a_right_proof_is_accepted_and_each_damage_refused() {
        // (a or b)(a or !b)(!a or b)(!a or !b)
        let clauses = vec![vec![1, 2], vec![1, -2], vec![-1, 2], vec![-1, -2]];
        let proof = "5 1 0 1 2 0\n6 0 5 3 4 0\n";
        assert_eq!(check(&clauses, proof), Ok(()));
        for bad in [
            "5 1 0 1 0\n6 0 5 3 4 0\n",
            "5 1 0 1 2 0\n6 0 3 4 0\n",
            "6 0 1 2 3 4 0\n",
            "5 1 0 1 2 0\n",
            "5 1 0 1 2 0\n5 d 5 0\n6 0 5 3 4 0\n",
            "5 1 0 1 2\n6 0 5 3 4 0\n",
            "5 1 0 -1 2 0\n6 0 5 3 4 0\n",
            "x",
            "",
        ] {
            assert!(check(&clauses, bad).is_err(), "{bad}");
        }
        assert!(check(&clauses[..3], proof).is_err());
        assert_eq!(check(&[vec![]], ""), Ok(()));
    }
}
