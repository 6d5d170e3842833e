//! What the tests of model files share, and those that need a file of their own.

pub mod damage;
mod damaged_files;
pub mod memory;
pub mod operators;
pub mod smv;
mod smv_files;
pub mod words;

use crate::support_systems;
use entail::model::{Question, Symbol, System};
use entail::net::Lit;
use fastrand::Rng;

/// A literal's value.
pub fn value(values: &[bool], l: Lit) -> bool {
    values[l.gate().0 as usize] ^ l.complement()
}

/// What can be seen of a system in a step, in an order that every format keeps.
pub fn seen(sys: &System, values: &[bool]) -> Vec<bool> {
    let mut lits: Vec<Lit> = sys.states.iter().map(|s| s.next).collect();
    lits.extend(sys.outputs.iter().map(|o| o.1).chain(sys.constraints.iter().map(|c| c.1)));
    lits.extend(&sys.fairness);
    for g in &sys.goals {
        match &g.question {
            Question::Never(l) | Question::Reach(l) => lits.push(*l),
            Question::NotForever(all) => lits.extend(all),
        }
    }
    lits.iter().map(|l| value(values, *l)).collect()
}

/// Two systems with inputs and states in the same order are the same, step by step.
pub fn same(a: &System, b: &System, rng: &mut Rng, steps: usize, context: &str) {
    let starts = |s: &System| s.states.iter().map(|s| s.init).collect::<Vec<_>>();
    let names = |s: &System| s.inputs.iter().map(|i| i.symbol.name.clone()).collect::<Vec<_>>();
    assert_eq!(starts(a), starts(b), "{context}: initial values");
    assert_eq!(names(a), names(b), "{context}: inputs");
    let mut state: Vec<bool> = a.states.iter().map(|s| s.init.unwrap_or_else(|| rng.bool())).collect();
    for step in 0..steps {
        let inputs: Vec<bool> = a.inputs.iter().map(|_| rng.bool()).collect();
        let (va, vb) = (a.evaluate(&state, &inputs), b.evaluate(&state, &inputs));
        assert_eq!(seen(a, &va), seen(b, &vb), "{context}, step {step}");
        state = a.states.iter().map(|s| value(&va, s.next)).collect();
    }
}

/// A random system with all a file can say.
pub fn random_system(rng: &mut Rng) -> System {
    let live = rng.bool();
    let size = support_systems::size(rng, live);
    let mut sys = support_systems::system(rng, size);
    let bits: Vec<_> = sys.states.iter().map(|s| s.next).chain(sys.inputs.iter().map(|i| i.lit)).collect();
    for i in 0..rng.usize(0..4) {
        sys.outputs.push((Symbol::new(format!("out{i}")), bits[rng.usize(..bits.len())].xor(rng.bool())));
    }
    sys
}
