//! Reset sequences: some inputs are active for the first steps and never again.
//!
//! While they are, all clocks tick (at its end as they like), nothing is asked and nothing is assumed: registers may still have any
//! value. The phase is part of the model, so paths begin with it and replay in any simulator.

use super::{Node, Origin, Question, Role, Symbol, System};
use crate::net::Lit;

/// An input that resets while it has this value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reset {
    /// Position among the system's inputs.
    pub input: usize,
    /// Value while resetting.
    pub level: bool,
    /// Whether it may come again, at any time.
    pub again: bool,
}

/// Most steps a reset is given to work.
const MAX_STEPS: u32 = 64;

/// How a reset works out: the steps after which no more state becomes known, and how much is known then.
pub fn effect(sys: &System, resets: &[Reset]) -> (u32, usize) {
    let mut state: Vec<Option<bool>> = sys.states.iter().map(|s| s.init).collect();
    let mut best = (0, known(&state));
    for step in 1..=MAX_STEPS {
        let mut nodes: Vec<Option<bool>> = Vec::with_capacity(sys.aig.len());
        for n in sys.aig.nodes() {
            let v = match *n {
                Node::False => Some(false),
                Node::State(i) => state[i as usize],
                Node::Input(i) => {
                    let i = i as usize;
                    match resets.iter().find(|r| r.input == i) {
                        Some(r) => Some(r.level),
                        None => matches!(sys.inputs[i].role, Role::Tick { .. }).then_some(true),
                    }
                }
                Node::And(a, b) => {
                    let at = |l: Lit| nodes[l.gate().0 as usize].map(|v: bool| v ^ l.complement());
                    match (at(a), at(b)) {
                        (Some(false), _) | (_, Some(false)) => Some(false),
                        (Some(true), Some(true)) => Some(true),
                        _ => None,
                    }
                }
            };
            nodes.push(v);
        }
        let next: Vec<Option<bool>> =
            sys.states.iter().map(|s| nodes[s.next.gate().0 as usize].map(|v| v ^ s.next.complement())).collect();
        let now = known(&next);
        if now > best.1 {
            best = (step, now);
        }
        if next == state {
            break;
        }
        state = next;
    }
    best
}

fn known(state: &[Option<bool>]) -> usize {
    state.iter().filter(|v| v.is_some()).count()
}

/// Inputs that look like resets and work as such: those in `hints`, and single bits with such a name, if
/// holding them at one level makes more state known than the other.
pub fn find(sys: &System, hints: &[(u32, u32, bool)]) -> Vec<Reset> {
    let mut found: Vec<Reset> = Vec::new();
    for (i, input) in sys.inputs.iter().enumerate() {
        let Role::Port(port, bit) = input.role else { continue };
        let hint = hints.iter().find(|h| (h.0, h.1) == (port, bit));
        if let Some(h) = hint {
            found.push(Reset { input: i, level: h.2, again: false });
            continue;
        }
        if !is_reset_name(&input.symbol.name) {
            continue;
        }
        let gain = |level: bool| effect(sys, &[Reset { input: i, level, again: false }]).1;
        let (high, low) = (gain(true), gain(false));
        if high != low {
            found.push(Reset { input: i, level: high > low, again: false });
        }
    }
    found
}

fn is_reset_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let base = name.rsplit('.').next().unwrap_or(&name);
    ["rst", "reset", "clear", "clr"].iter().any(|w| base.contains(w)) && !base.contains('[')
}

/// Adds a reset phase: `steps` steps in which all clocks tick, then `rest` more in which they tick as they like, so that
/// the reset ends at any time between their edges. Afterwards inputs that do not reset again keep the other level.
/// Returns what is 1 from the first step after it on.
pub fn apply(sys: &mut System, resets: &[Reset], steps: u32, rest: u32) -> Lit {
    let (mut done, mut worked) = (Lit::TRUE, Lit::TRUE);
    for k in 0..steps + rest {
        let before = done;
        done = sys.state(Symbol::new(format!("entail:reset:{k}")), Some(false), Origin::Model);
        sys.set_next(done, before);
        if k < steps {
            worked = done;
        }
    }
    for (_, c) in &mut sys.constraints {
        *c = sys.aig.or(!done, *c);
    }
    for r in resets {
        let input = &sys.inputs[r.input];
        let symbol = Symbol { name: format!("reset {}", input.symbol.name), span: input.symbol.span };
        let (lit, wanted) = (input.lit, done.xor(r.level));
        let mut c = sys.aig.equal(lit, wanted);
        if r.again {
            c = sys.aig.or(done, c);
        }
        sys.constraints.push((symbol, c));
    }
    if steps > 0 {
        let ticks: Vec<Lit> =
            sys.inputs.iter().filter(|i| matches!(i.role, Role::Tick { .. })).map(|i| i.lit).collect();
        let all = sys.aig.all(&ticks);
        let c = sys.aig.or(worked, all);
        sys.constraints.push((Symbol::new("all clocks tick in reset"), c));
    }
    for g in &mut sys.goals {
        let mut after = |l: &mut Lit| *l = sys.aig.and(done, *l);
        match &mut g.question {
            Question::Never(l) | Question::Reach(l) => after(l),
            // What happens again and again happens after the reset, too.
            Question::NotForever(_) => {}
        }
        g.trigger.iter_mut().for_each(after);
    }
    done
}
