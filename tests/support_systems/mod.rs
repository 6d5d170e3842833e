//! Random small systems, and how to make a failing one smaller.

use entail::model::{Goal, Node, Origin, Question, Role, Symbol, System};
use entail::net::Lit;
use fastrand::Rng;

/// What a random system has.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    pub states: usize,
    pub inputs: usize,
    pub gates: usize,
    pub live: bool,
}

/// A random size: 1 to 12 state bits.
pub fn size(rng: &mut Rng, live: bool) -> Size {
    let states = rng.usize(1..=12);
    Size { states, inputs: rng.usize(0..=4), gates: rng.usize(2..=10 + 4 * states), live }
}

/// A random system with one goal. Some of its states hold unless a clock of their own ticks, as registers of
/// several domains do.
pub fn system(rng: &mut Rng, size: Size) -> System {
    let mut sys = System { name: "random".into(), step: "a step".into(), ..System::default() };
    let mut lits = Vec::new();
    for i in 0..size.inputs {
        lits.push(sys.input(Symbol::new(format!("in{i}")), Role::Choice));
    }
    let tick = |i: u32| Role::Tick { port: i, bit: 0, falling: false };
    let clocks: Vec<Lit> = (0..rng.u32(0..=2)).map(|i| sys.input(Symbol::new(format!("tick{i}")), tick(i))).collect();
    let mut states = Vec::new();
    for i in 0..size.states {
        let init = match rng.u8(0..8) {
            0 => None,
            n => Some(n & 1 == 1),
        };
        states.push(sys.state(Symbol::new(format!("s{i}")), init, Origin::Model));
    }
    lits.extend(&states);
    let pick = |rng: &mut Rng, lits: &[Lit]| lits[rng.usize(0..lits.len())].xor(rng.bool());
    for _ in 0..size.gates {
        let (a, b, c) = (pick(rng, &lits), pick(rng, &lits), pick(rng, &lits));
        let l = match rng.u8(0..6) {
            0..=2 => sys.aig.and(a, b),
            3 | 4 => sys.aig.xor(a, b),
            _ => sys.aig.mux(a, b, c),
        };
        lits.push(l);
    }
    // Counters and shift registers make deep systems, which pure chance does not.
    let style = rng.u8(0..3);
    let mut carry = pick(rng, &lits);
    for i in 0..states.len() {
        let mut next = match style {
            0 => {
                let n = sys.aig.xor(states[i], carry);
                carry = sys.aig.and(carry, states[i]);
                if rng.u8(0..8) == 0 { pick(rng, &lits) } else { n }
            }
            1 if i > 0 => states[i - 1].xor(rng.u8(0..6) == 0),
            _ => pick(rng, &lits),
        };
        if !clocks.is_empty() && rng.bool() {
            let clock = clocks[rng.usize(0..clocks.len())];
            next = sys.aig.mux(clock, next, states[i]);
        }
        sys.set_next(states[i], next);
    }
    for i in 0..rng.usize(0..=1) {
        let (a, b) = (pick(rng, &lits), pick(rng, &lits));
        let c = sys.aig.or(a, b);
        sys.constraints.push((Symbol::new(format!("c{i}")), c));
    }
    let question = if size.live {
        let count = rng.usize(1..=2);
        if rng.bool() {
            sys.fairness.extend(clocks.iter().copied());
        }
        Question::NotForever((0..count).map(|_| pick(rng, &lits)).collect())
    } else {
        let mut all: Vec<Lit> = Vec::new();
        for _ in 0..rng.usize(1..=1 + size.states.min(6)) {
            all.push(pick(rng, &lits));
        }
        Question::Never(sys.aig.all(&all))
    };
    sys.goals.push(Goal { symbol: Symbol::new("goal"), question, trigger: None });
    sys
}

/// The smallest system found that still fails, by making states constant and functions simpler.
pub fn shrink(sys: &System, fails: &dyn Fn(&System) -> bool) -> System {
    let mut best = sys.clone();
    let mut changed = true;
    while changed {
        changed = false;
        for i in 0..best.states.len() {
            for next in [best.states[i].lit, Lit::FALSE, Lit::TRUE] {
                let mut s = best.clone();
                if s.states[i].next != next
                    && s.states[i].next.as_const().is_none()
                    && s.states[i].next != s.states[i].lit
                {
                    s.states[i].next = next;
                    if fails(&s) {
                        best = s;
                        changed = true;
                    }
                }
            }
        }
        if !best.constraints.is_empty() {
            let mut s = best.clone();
            s.constraints.clear();
            if fails(&s) {
                best = s;
                changed = true;
            }
        }
        if let Question::Never(l) = best.goals[0].question
            && let Node::And(a, b) = best.aig.node(l)
            && !l.complement()
        {
            for x in [a, b] {
                let mut s = best.clone();
                s.goals[0].question = Question::Never(x);
                if fails(&s) {
                    best = s;
                    changed = true;
                    break;
                }
            }
        }
    }
    best
}
