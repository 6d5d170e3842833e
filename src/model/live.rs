//! Liveness as safety: a path on which everything happens again and again is one that comes back to a
//! state it has been in, with everything in between (Biere, Artho, Schuppan 2002).
//!
//! At some step the state is saved; from then on it is noted what happened; when the state is the saved
//! one again and all has happened, the loop is closed, which is the bad step.

use super::{Goal, Origin, Path, Question, Role, Symbol, System};
use crate::net::Lit;

/// A system whose only goal, safety, stands for a liveness goal.
pub struct Safety {
    /// The system.
    pub sys: System,
    /// Position of the input that saves the state.
    save: usize,
    /// Inputs of the original.
    inputs: usize,
    /// State bits of the original.
    states: usize,
}

/// The safety form of a goal.
pub fn to_safety(sys: &System, goal: &Goal) -> Safety {
    let all: Vec<Lit> = match &goal.question {
        Question::NotForever(l) => l.iter().chain(&sys.fairness).copied().collect(),
        Question::Never(l) | Question::Reach(l) => vec![*l],
    };
    let cone = sys.cone(&all);
    let mut out = sys.clone();
    out.goals.clear();
    out.fairness.clear();
    let save = out.inputs.len();
    let chosen = out.input(Symbol::new("entail:save"), Role::Choice);
    let saved = out.state(Symbol::new("entail:saved"), Some(false), Origin::Model);
    let saving = out.aig.and(chosen, !saved);
    let after = out.aig.or(saved, chosen);
    out.set_next(saved, after);
    let mut same = vec![saved];
    for i in (0..sys.states.len()).filter(|i| cone[*i]) {
        let now = out.states[i].lit;
        let name = format!("entail:saved:{}", out.states[i].symbol.name);
        let copy = out.state(Symbol::new(name), Some(false), Origin::Model);
        let next = out.aig.mux(saving, now, copy);
        out.set_next(copy, next);
        same.push(out.aig.equal(now, copy));
    }
    for (k, l) in all.iter().enumerate() {
        let seen = out.state(Symbol::new(format!("entail:seen:{k}")), Some(false), Origin::Model);
        // What happens in the step that saves belongs to the loop.
        let counts = out.aig.and(after, *l);
        let next = out.aig.or(seen, counts);
        out.set_next(seen, next);
        same.push(seen);
    }
    let closed = out.aig.all(&same);
    out.goals.push(Goal { symbol: goal.symbol.clone(), question: Question::Never(closed), trigger: None });
    Safety { sys: out, save, inputs: sys.inputs.len(), states: sys.states.len() }
}

impl Safety {
    /// The loop that a path to the bad step describes, in the original. It comes back to the same state in the
    /// goal's cone; bits that the goal does not depend on may go their own way.
    pub fn lasso(&self, path: &Path) -> Path {
        let start = path.inputs.iter().position(|i| i[self.save]).unwrap_or(0);
        let end = path.inputs.len().saturating_sub(1);
        let inputs: Vec<Vec<bool>> = path.inputs[..end].iter().map(|i| i[..self.inputs].to_vec()).collect();
        Path { init: path.init[..self.states].to_vec(), inputs, back_to: Some(start) }
    }
}
