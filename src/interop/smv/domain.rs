//! Which clock moves which state.

use crate::model::{Aig, Node, Question, Role, System};
use crate::net::{GateId, Lit};

/// A register of a domain.
pub(super) struct Register {
    pub state: usize,
    /// Value after a step with a tick.
    pub data: Lit,
    /// Value after a step without one, if not what it was: an asynchronous control.
    pub held: Option<Lit>,
}

/// The registers that one clock moves.
pub(super) struct Domain {
    /// Position of the input that says whether it ticks.
    pub tick: usize,
    pub registers: Vec<Register>,
}

/// All states, by what moves them.
pub(super) struct Split {
    /// The functions: those of the system and the parts of next values.
    pub aig: Aig,
    pub domains: Vec<Domain>,
    /// States that no clock moves, or more than one, and their next values.
    pub others: Vec<(usize, Lit)>,
}

impl Split {
    /// Everything that is written.
    pub fn roots(&self, sys: &System) -> Vec<Lit> {
        let mut roots: Vec<Lit> = self.others.iter().map(|o| o.1).collect();
        let registers = self.domains.iter().flat_map(|d| &d.registers);
        roots.extend(registers.flat_map(|r| [Some(r.data), r.held]).flatten());
        roots.extend(sys.outputs.iter().chain(&sys.constraints).map(|o| o.1).chain(sys.fairness.iter().copied()));
        for g in &sys.goals {
            match &g.question {
                Question::Never(l) | Question::Reach(l) => roots.push(*l),
                Question::NotForever(all) => roots.extend(all),
            }
        }
        roots
    }
}

/// Depends on ticks beyond counting, or on more than one.
const MANY: u32 = u32::MAX;
const NONE: u32 = u32::MAX - 1;

/// For each node the one tick it depends on.
fn ticks(sys: &System) -> Vec<u32> {
    let mut of: Vec<u32> = Vec::with_capacity(sys.aig.len());
    for n in sys.aig.nodes() {
        of.push(match *n {
            Node::Input(i) if matches!(sys.inputs[i as usize].role, Role::Tick { .. }) => i,
            Node::And(a, b) => match (of[a.gate().0 as usize], of[b.gate().0 as usize]) {
                (x, NONE) | (NONE, x) => x,
                (x, y) if x == y => x,
                _ => MANY,
            },
            _ => NONE,
        });
    }
    of
}

/// Literals with a leaf replaced by a constant.
fn cofactor(aig: &mut Aig, roots: &[Lit], leaf: GateId, value: bool) -> Vec<Lit> {
    let used = aig.cone(roots);
    let mut made: Vec<Lit> = (0..aig.len() as u32).map(|i| Lit::new(GateId(i), false)).collect();
    made[leaf.0 as usize] = Lit::FALSE.xor(value);
    for i in (0..made.len()).filter(|i| used[*i]) {
        if let Node::And(a, b) = aig.nodes()[i] {
            let at = |l: Lit| made[l.gate().0 as usize].xor(l.complement());
            made[i] = aig.and(at(a), at(b));
        }
    }
    roots.iter().map(|l| made[l.gate().0 as usize].xor(l.complement())).collect()
}

/// A state whose next value depends on one tick belongs to that clock: with the tick it takes one value,
/// without it another, which for most registers is the old one.
pub(super) fn split(sys: &System) -> Split {
    let of = ticks(sys);
    let mut out = Split { aig: sys.aig.clone(), domains: Vec::new(), others: Vec::new() };
    let moved_by = |s: usize| of[sys.states[s].next.gate().0 as usize];
    for (tick, input) in sys.inputs.iter().enumerate() {
        let states: Vec<usize> = (0..sys.states.len()).filter(|s| moved_by(*s) == tick as u32).collect();
        if states.is_empty() {
            continue;
        }
        let next: Vec<Lit> = states.iter().map(|s| sys.states[*s].next).collect();
        let data = cofactor(&mut out.aig, &next, input.lit.gate(), true);
        let held = cofactor(&mut out.aig, &next, input.lit.gate(), false);
        let all = states.iter().zip(data).zip(held);
        let register = |((&state, data), held): ((&usize, Lit), Lit)| {
            let held = (held != sys.states[state].lit).then_some(held);
            Register { state, data, held }
        };
        out.domains.push(Domain { tick, registers: all.map(register).collect() });
    }
    let others = (0..sys.states.len()).filter(|s| moved_by(*s) >= NONE);
    out.others = others.map(|s| (s, sys.states[s].next)).collect();
    out
}
