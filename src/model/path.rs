//! Finite and looping paths of a system, and the check that they are what they claim to be.

use super::{Node, Question, System};
use crate::net::Lit;

/// A path: where it starts and what is chosen in each step.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Path {
    /// Initial value of each state bit.
    pub init: Vec<bool>,
    /// Inputs of each step.
    pub inputs: Vec<Vec<bool>>,
    /// After the last step the state is as it was before this one, and the path goes on so for ever.
    pub back_to: Option<usize>,
}

/// A path with its states.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// The state before each step, and after the last.
    pub states: Vec<Vec<bool>>,
    /// The value of every node of the graph in each step.
    pub values: Vec<Vec<bool>>,
}

impl Replayed {
    /// The value of a literal in a step.
    pub fn value(&self, step: usize, l: Lit) -> bool {
        self.values[step][l.gate().0 as usize] ^ l.complement()
    }
}

impl System {
    /// Every node, given state and inputs.
    pub fn evaluate(&self, state: &[bool], inputs: &[bool]) -> Vec<bool> {
        let mut values = Vec::with_capacity(self.aig.len());
        for n in self.aig.nodes() {
            let v = match *n {
                Node::False => false,
                Node::Input(i) => inputs[i as usize],
                Node::State(i) => state[i as usize],
                Node::And(a, b) => {
                    let at = |l: Lit| values[l.gate().0 as usize] ^ l.complement();
                    at(a) && at(b)
                }
            };
            values.push(v);
        }
        values
    }

    /// Every node in 64 lanes, into `values`.
    pub fn evaluate_lanes(&self, state: &[u64], inputs: &[u64], values: &mut Vec<u64>) {
        values.clear();
        for n in self.aig.nodes() {
            let v = match *n {
                Node::False => 0,
                Node::Input(i) => inputs[i as usize],
                Node::State(i) => state[i as usize],
                Node::And(a, b) => lane(values, a) & lane(values, b),
            };
            values.push(v);
        }
    }
}

/// A literal in 64 lanes.
pub(crate) fn lane(values: &[u64], l: Lit) -> u64 {
    values[l.gate().0 as usize] ^ (l.complement() as u64).wrapping_neg()
}

/// Runs a path and checks that it answers the question: it starts where paths start, every step satisfies
/// the constraints, and it ends in the bad step or loops through all that must happen again and again.
pub fn replay(sys: &System, question: &Question, path: &Path) -> Result<Replayed, String> {
    if path.init.len() != sys.states.len() || path.inputs.iter().any(|i| i.len() != sys.inputs.len()) {
        return Err("the path is of another system".into());
    }
    if path.inputs.is_empty() {
        return Err("the path has no steps".into());
    }
    for (s, v) in sys.states.iter().zip(&path.init) {
        if s.init.is_some_and(|i| i != *v) {
            return Err(format!("`{}` does not start with {}", s.symbol.name, *v as u8));
        }
    }
    let mut r = Replayed { states: vec![path.init.clone()], values: Vec::new() };
    for (step, inputs) in path.inputs.iter().enumerate() {
        let values = sys.evaluate(&r.states[step], inputs);
        let at = |l: Lit| values[l.gate().0 as usize] ^ l.complement();
        if let Some((c, _)) = sys.constraints.iter().find(|c| !at(c.1)) {
            return Err(format!("step {step} does not satisfy `{}`", c.name));
        }
        r.states.push(sys.states.iter().map(|s| at(s.next)).collect());
        r.values.push(values);
    }
    let last = path.inputs.len() - 1;
    match question {
        Question::Never(l) | Question::Reach(l) => {
            if path.back_to.is_some() || !r.value(last, *l) {
                return Err("the path does not end where it should".into());
            }
        }
        Question::NotForever(all) => {
            let Some(start) = path.back_to.filter(|b| *b <= last) else {
                return Err("the path does not loop".into());
            };
            if r.states[start] != r.states[last + 1] {
                return Err("the loop does not close".into());
            }
            for l in all.iter().chain(&sys.fairness) {
                if !(start..=last).any(|k| r.value(k, *l)) {
                    return Err("something that should happen in the loop does not".into());
                }
            }
        }
    }
    Ok(r)
}
