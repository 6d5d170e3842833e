//! Which signals an assertion does not need: those that can be X and it still holds.

use super::check::{Answer, Assertion, Control, Outcome};
use super::circuit::Circuit;
use super::terms::Terms;
use rustc_hash::FxHashSet;

/// What is known of one gate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Need {
    /// It can be X together with all other redundant ones.
    Redundant,
    /// It can be X by itself, but not together with those before it.
    Alone,
    /// With X on it the assertion is not shown.
    Needed,
}

/// For each gate whether the assertions hold with X on it, at all times. `decide` checks one assertion.
pub fn redundant(
    c: &Circuit,
    terms: &Terms,
    list: &[Assertion],
    gates: &[u32],
    ctl: &Control,
    decide: &(dyn Fn(&Circuit, &Terms, &Assertion, &Control) -> Outcome + Sync),
) -> Vec<Need> {
    let holds = |without: &FxHashSet<u32>| {
        list.iter().all(|a| {
            let mut weaker = a.clone();
            for t in 0..=a.last(terms) {
                weaker.weakened.extend(without.iter().map(|g| (*g, t)));
            }
            matches!(decide(c, terms, &weaker, ctl).answer, Answer::Holds)
        })
    };
    // Halves first: mostly a few nodes are needed, and a half that is not needs one question.
    let mut out: FxHashSet<u32> = FxHashSet::default();
    let mut needed: Vec<u32> = Vec::new();
    let mut open: Vec<&[u32]> = vec![gates];
    while let Some(part) = open.pop() {
        if part.is_empty() {
            continue;
        }
        let mut tried = out.clone();
        tried.extend(part.iter().copied());
        if holds(&tried) {
            out = tried;
        } else if let [one] = part {
            needed.push(*one);
        } else {
            let (a, b) = part.split_at(part.len() / 2);
            open.push(b);
            open.push(a);
        }
    }
    let alone: FxHashSet<u32> = needed.into_iter().filter(|g| holds(&[*g].into_iter().collect())).collect();
    gates
        .iter()
        .map(|g| match (out.contains(g), alone.contains(g)) {
            (true, _) => Need::Redundant,
            (_, true) => Need::Alone,
            _ => Need::Needed,
        })
        .collect()
}
