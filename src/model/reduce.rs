//! Smaller systems with the same answers: the cone of influence of one goal or of several, without registers
//! that never move and with one register for each set of equal ones.
//!
//! What was used is kept as [`Fact`]s. Together they are inductive by themselves: constants by a
//! three-valued fixpoint, equalities because representatives have the same next-state function. So an
//! invariant of the reduced system and the facts are an invariant of the original.

use super::path::lane;
use super::{Goal, Node, Path, Question, System};
use crate::net::Lit;
use rustc_hash::FxHashMap;

/// Something that holds in every reachable state, about state bits of the original.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fact {
    /// This bit always has this value.
    Constant(usize, bool),
    /// These bits are always equal.
    Equal(usize, usize),
}

/// A smaller system, and the way back to the system it was made from.
#[derive(Clone, Debug)]
pub struct Reduced {
    /// The smaller system; its goals are those that it was made for, in their order.
    pub sys: System,
    /// The input of the original behind each input.
    pub inputs: Vec<usize>,
    /// The state of the original behind each state.
    pub states: Vec<usize>,
    /// What was used.
    pub facts: Vec<Fact>,
}

impl Reduced {
    /// The goal, or the first of them.
    pub fn goal(&self) -> &Goal {
        &self.sys.goals[0]
    }

    /// A path of the original as one of the reduced system.
    pub fn project(&self, path: &Path) -> Path {
        let init = self.states.iter().map(|s| path.init[*s]).collect();
        let inputs = path.inputs.iter().map(|i| self.inputs.iter().map(|k| i[*k]).collect()).collect();
        Path { init, inputs, back_to: path.back_to }
    }

    /// A path of the reduced system as one of the original: what is not in the cone is 0.
    pub fn lift(&self, original: &System, path: &Path) -> Path {
        let mut init: Vec<bool> = original.states.iter().map(|s| s.init.unwrap_or(false)).collect();
        self.states.iter().zip(&path.init).for_each(|(s, v)| init[*s] = *v);
        let step = |values: &Vec<bool>| {
            let mut all = vec![false; original.inputs.len()];
            self.inputs.iter().zip(values).for_each(|(i, v)| all[*i] = *v);
            all
        };
        Path { init, inputs: path.inputs.iter().map(step).collect(), back_to: path.back_to }
    }
}

/// The part of a system that a goal depends on.
pub fn reduce(sys: &System, goal: &Goal) -> Reduced {
    reduce_all(sys, std::slice::from_ref(goal))
}

/// The part of a system that some goals depend on, as it stands: no register is left out for being constant or
/// like another, and all keep their order. Its numbers depend on the goals and what they reach, and on nothing else
/// in the system, so it says what an answer depends on.
pub fn cone(sys: &System, goals: &[Goal]) -> Reduced {
    let value = vec![None; sys.states.len()];
    let twin: Vec<usize> = (0..sys.states.len()).collect();
    let roots = watched(sys, goals);
    let inside = sys.cone(&roots);
    let states: Vec<&super::State> = sys.states.iter().zip(&inside).filter(|s| *s.1).map(|s| s.0).collect();
    let all: Vec<Lit> = roots.iter().copied().chain(states.iter().map(|s| s.next)).collect();
    let used = sys.aig.cone(&all);
    // Leaves first: inputs and states in the order that they have.
    let mut leaves: Vec<(u32, Lit)> = Vec::new();
    for (n, node) in sys.aig.nodes().iter().enumerate() {
        if let (Node::Input(i), true) = (node, used[n]) {
            leaves.push((*i, Lit::new(crate::net::GateId(n as u32), false)));
        }
    }
    leaves.sort_unstable_by_key(|l| l.0);
    let first: Vec<Lit> = leaves.into_iter().map(|l| l.1).chain(states.iter().map(|s| s.lit)).collect();
    rebuild(sys, goals, &first, &value, &twin, Vec::new())
}

/// The part of a system that some goals depend on, without what is needless in it.
pub fn reduce_all(sys: &System, goals: &[Goal]) -> Reduced {
    let mut value: Vec<Option<bool>> = stuck(sys);
    let cone = sys.cone(&watched(sys, goals));
    // Registers outside the cone are not worth a fact; inside it, a constant may rest on other constants.
    let mut facts: Vec<Fact> = Vec::new();
    for (i, v) in value.iter_mut().enumerate() {
        match v {
            Some(c) if cone[i] => facts.push(Fact::Constant(i, *c)),
            _ => *v = None,
        }
    }
    let mut twin: Vec<usize> = (0..sys.states.len()).collect();
    for (a, b) in equal(sys, &value, &cone) {
        twin[b] = a;
        facts.push(Fact::Equal(a, b));
    }
    rebuild(sys, goals, &[], &value, &twin, facts)
}

/// The literals that goals look at in a step.
fn watched(sys: &System, goals: &[Goal]) -> Vec<Lit> {
    let mut roots: Vec<Lit> = sys.constraints.iter().map(|c| c.1).collect();
    for goal in goals {
        match &goal.question {
            Question::Never(l) | Question::Reach(l) => roots.push(*l),
            Question::NotForever(l) => {
                roots.extend(l);
                roots.extend(&sys.fairness);
            }
        }
    }
    roots
}

/// States that never leave their initial value, by three-valued simulation to a fixpoint.
fn stuck(sys: &System) -> Vec<Option<bool>> {
    let mut value: Vec<Option<bool>> = sys.states.iter().map(|s| s.init).collect();
    let mut nodes: Vec<Option<bool>> = Vec::new();
    loop {
        nodes.clear();
        for n in sys.aig.nodes() {
            let v = match *n {
                Node::False => Some(false),
                Node::Input(_) => None,
                Node::State(i) => value[i as usize],
                Node::And(a, b) => {
                    let at = |l: Lit| nodes[l.gate().0 as usize].map(|v| v ^ l.complement());
                    match (at(a), at(b)) {
                        (Some(false), _) | (_, Some(false)) => Some(false),
                        (Some(true), Some(true)) => Some(true),
                        _ => None,
                    }
                }
            };
            nodes.push(v);
        }
        let mut moved = false;
        for (s, v) in sys.states.iter().zip(&mut value) {
            let next = nodes[s.next.gate().0 as usize].map(|n| n ^ s.next.complement());
            if v.is_some() && next != *v {
                *v = None;
                moved = true;
            }
        }
        if !moved {
            return value;
        }
    }
}

/// Pairs of states that are always equal: the same initial value, and the same next-state function once
/// each is replaced by the first of its class.
fn equal(sys: &System, value: &[Option<bool>], cone: &[bool]) -> Vec<(usize, usize)> {
    let candidate = |i: &usize| cone[*i] && value[*i].is_none() && sys.states[*i].init.is_some();
    let mut class: FxHashMap<Vec<u64>, Vec<usize>> = FxHashMap::default();
    let signatures = simulate(sys);
    for i in (0..sys.states.len()).filter(candidate) {
        class.entry(signatures[i].clone()).or_default().push(i);
    }
    let mut classes: Vec<Vec<usize>> = class.into_values().filter(|c| c.len() > 1).collect();
    for _ in 0..64 {
        if classes.is_empty() {
            return Vec::new();
        }
        let mut twin: Vec<usize> = (0..sys.states.len()).collect();
        classes.iter().for_each(|c| c.iter().for_each(|i| twin[*i] = c[0]));
        let roots: Vec<Lit> = classes.iter().flatten().map(|i| sys.states[*i].next).collect();
        let mut aig = super::Aig::default();
        let mut leaves: FxHashMap<Node, Lit> = FxHashMap::default();
        let next = sys.aig.copy_into(&mut aig, &roots, &mut |aig, n| match n {
            Node::State(i) if value[i as usize].is_some() => Lit::FALSE.xor(value[i as usize] == Some(true)),
            n => {
                let n = if let Node::State(i) = n { Node::State(twin[i as usize] as u32) } else { n };
                *leaves.entry(n).or_insert_with(|| aig.leaf(n))
            }
        });
        let mut next = next.into_iter();
        let mut finer: Vec<Vec<usize>> = Vec::new();
        let before = classes.len();
        let mut split = false;
        for c in &classes {
            let mut parts: Vec<(Lit, Vec<usize>)> = Vec::new();
            for (i, l) in c.iter().zip(&mut next) {
                match parts.iter_mut().find(|p| p.0 == l) {
                    Some(p) => p.1.push(*i),
                    None => parts.push((l, vec![*i])),
                }
            }
            split |= parts.len() > 1;
            finer.extend(parts.into_iter().map(|p| p.1).filter(|p| p.len() > 1));
        }
        if !split && finer.len() == before {
            return finer.iter().flat_map(|c| c[1..].iter().map(|i| (c[0], *i))).collect();
        }
        classes = finer;
    }
    Vec::new()
}

/// What each state does in a few random steps in 64 lanes: different for states that differ there. Constraints
/// are not looked at.
pub(crate) fn simulate(sys: &System) -> Vec<Vec<u64>> {
    let mut seed = 0x9e37_79b9_7f4a_7c15u64;
    let mut random = || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed
    };
    let mut state: Vec<u64> = sys
        .states
        .iter()
        .map(|s| match s.init {
            Some(v) => (v as u64).wrapping_neg(),
            None => random(),
        })
        .collect();
    let mut signatures: Vec<Vec<u64>> = state.iter().map(|s| vec![*s]).collect();
    let mut values = Vec::new();
    for _ in 0..16 {
        let inputs: Vec<u64> = sys.inputs.iter().map(|_| random()).collect();
        sys.evaluate_lanes(&state, &inputs, &mut values);
        for (i, s) in sys.states.iter().enumerate() {
            state[i] = lane(&values, s.next);
            signatures[i].push(state[i]);
        }
    }
    signatures
}

fn rebuild(
    sys: &System,
    goals: &[Goal],
    first: &[Lit],
    value: &[Option<bool>],
    twin: &[usize],
    facts: Vec<Fact>,
) -> Reduced {
    let mut out = Reduced {
        sys: System { name: sys.name.clone(), step: sys.step.clone(), ..System::default() },
        inputs: Vec::new(),
        states: Vec::new(),
        facts,
    };
    let roots = watched(sys, goals);
    let mut leaves: FxHashMap<Node, Lit> = FxHashMap::default();
    // Leaves are made in the order in which the goal needs them; nodes are copied once.
    let mut map: Vec<Option<Lit>> = vec![None; sys.aig.len()];
    map[0] = Some(Lit::FALSE);
    let mut done = 0;
    let mut visit = |out: &mut Reduced, root: Lit| -> Lit {
        let mut open = vec![root.gate().0 as usize];
        while let Some(&n) = open.last() {
            if map[n].is_some() {
                open.pop();
                continue;
            }
            let made = match sys.aig.nodes()[n] {
                Node::False => Lit::FALSE,
                Node::And(a, b) => {
                    let at = |l: Lit| map[l.gate().0 as usize].map(|m| m.xor(l.complement()));
                    match (at(a), at(b)) {
                        (Some(a), Some(b)) => out.sys.aig.and(a, b),
                        _ => {
                            open.extend([a.gate().0 as usize, b.gate().0 as usize]);
                            continue;
                        }
                    }
                }
                Node::Input(i) => {
                    let old = &sys.inputs[i as usize];
                    out.inputs.push(i as usize);
                    out.sys.input(old.symbol.clone(), old.role)
                }
                Node::State(i) => match value[i as usize] {
                    Some(v) => Lit::FALSE.xor(v),
                    None => {
                        let first = twin[i as usize];
                        *leaves.entry(Node::State(first as u32)).or_insert_with(|| {
                            let old = &sys.states[first];
                            out.states.push(first);
                            out.sys.state(old.symbol.clone(), old.init, old.origin)
                        })
                    }
                },
            };
            map[n] = Some(made);
            open.pop();
        }
        map[root.gate().0 as usize].unwrap_or(Lit::FALSE).xor(root.complement())
    };
    for r in first.iter().chain(&roots) {
        visit(&mut out, *r);
    }
    while done < out.states.len() {
        let old = &sys.states[out.states[done]];
        let next = visit(&mut out, old.next);
        out.sys.states[done].next = next;
        done += 1;
    }
    let mut at = |l: Lit| visit(&mut out, l);
    let constraints: Vec<_> = sys.constraints.iter().map(|(s, l)| (s.clone(), at(*l))).collect();
    let goal = |g: &Goal| {
        let question = match &g.question {
            Question::Never(l) => Question::Never(at(*l)),
            Question::Reach(l) => Question::Reach(at(*l)),
            Question::NotForever(all) => Question::NotForever(all.iter().map(|l| at(*l)).collect()),
        };
        Goal { symbol: g.symbol.clone(), question, trigger: None }
    };
    let goals: Vec<Goal> = goals.iter().map(goal).collect();
    let live = goals.iter().any(|g| matches!(g.question, Question::NotForever(_)));
    let fairness = if live { sys.fairness.iter().map(|l| at(*l)).collect() } else { Vec::new() };
    out.sys.constraints = constraints.into_iter().filter(|c| c.1 != Lit::TRUE).collect();
    out.sys.fairness = fairness;
    out.sys.goals = goals;
    out
}
