//! Explicit search: every state, every input, one by one. For small systems, and the judge of the others.

use super::{Control, Engine, Evidence, Outcome, Reason, Stats, Verdict};
use crate::model::{Goal, Path, Question, System};
use crate::net::Lit;
use rustc_hash::FxHashMap;

/// Most input bits.
const MAX_INPUTS: usize = 16;
/// Most state bits (a state is one word).
const MAX_STATES: usize = 63;
/// Most states kept.
const MAX_REACHED: usize = 4_000_000;

/// The engine.
#[derive(Default)]
pub struct Explicit;

impl Engine for Explicit {
    fn name(&self) -> &'static str {
        "explicit"
    }

    fn accepts(&self, sys: &System, goal: &Goal) -> bool {
        sys.inputs.len() <= MAX_INPUTS
            && sys.states.len() <= MAX_STATES
            && sys.free_states().count() <= MAX_INPUTS
            && watched(sys, goal).len() < 64
    }

    fn check(&mut self, sys: &System, goal: &Goal, ctl: &Control) -> Outcome {
        if !self.accepts(sys, goal) {
            let why = format!("{} inputs and {} states are too many to list", sys.inputs.len(), sys.states.len());
            return Outcome::of(Verdict::Unknown(Reason::Unfit(why)), Stats::default());
        }
        Search::new(sys, goal).run(ctl)
    }
}

/// What each step is looked at for: the bad literal, or all that must happen for ever.
fn watched(sys: &System, goal: &Goal) -> Vec<Lit> {
    match &goal.question {
        Question::Never(l) | Question::Reach(l) => vec![*l],
        Question::NotForever(l) => l.iter().chain(&sys.fairness).copied().collect(),
    }
}

struct Search<'s> {
    sys: &'s System,
    goal: &'s Goal,
    watched: Vec<Lit>,
    number: FxHashMap<u64, u32>,
    states: Vec<u64>,
    /// The state before and the inputs of the step that found each state.
    parents: Vec<Option<(u32, u32)>>,
    /// For liveness: from, to, inputs, what happened.
    edges: Vec<(u32, u32, u32, u64)>,
    stats: Stats,
}

impl<'s> Search<'s> {
    fn new(sys: &'s System, goal: &'s Goal) -> Search<'s> {
        Search {
            sys,
            goal,
            watched: watched(sys, goal),
            number: FxHashMap::default(),
            states: Vec::new(),
            parents: Vec::new(),
            edges: Vec::new(),
            stats: Stats::default(),
        }
    }

    fn add(&mut self, state: u64, parent: Option<(u32, u32)>) -> u32 {
        let next = self.states.len() as u32;
        let n = *self.number.entry(state).or_insert(next);
        if n == next {
            self.states.push(state);
            self.parents.push(parent);
        }
        n
    }

    fn run(mut self, ctl: &Control) -> Outcome {
        let free: Vec<usize> = self.sys.free_states().collect();
        let fixed = self.sys.states.iter().enumerate().filter(|(_, s)| s.init == Some(true));
        let fixed = fixed.fold(0u64, |w, (i, _)| w | 1 << i);
        for choice in 0..1u64 << free.len() {
            let bits = free.iter().enumerate().filter(|(k, _)| choice >> k & 1 == 1);
            self.add(bits.fold(fixed, |w, (_, i)| w | 1 << i), None);
        }
        let live = matches!(self.goal.question, Question::NotForever(_));
        let count = 1usize << self.sys.inputs.len();
        let mut values = Vec::new();
        let mut at = 0;
        while at < self.states.len() {
            if at % 256 == 0 && ctl.stop() {
                return Outcome::of(Verdict::Unknown(ctl.reason()), self.stats);
            }
            if self.states.len() > MAX_REACHED || self.edges.len() > 8 * MAX_REACHED {
                return Outcome::of(Verdict::Unknown(Reason::Limit("too many states".into())), self.stats);
            }
            let state: Vec<u64> =
                (0..self.sys.states.len()).map(|i| (self.states[at] >> i & 1).wrapping_neg()).collect();
            for base in (0..count).step_by(64) {
                let inputs: Vec<u64> = (0..self.sys.inputs.len()).map(|i| pattern(base, i)).collect();
                self.sys.evaluate_lanes(&state, &inputs, &mut values);
                let lane = |l: Lit| values[l.gate().0 as usize] ^ (l.complement() as u64).wrapping_neg();
                let allowed = self.sys.constraints.iter().fold(u64::MAX, |m, c| m & lane(c.1));
                let next: Vec<u64> = self.sys.states.iter().map(|s| lane(s.next)).collect();
                let watched: Vec<u64> = self.watched.iter().map(|l| lane(*l)).collect();
                for k in (0..64.min(count - base)).filter(|k| allowed >> k & 1 == 1) {
                    let choice = (base + k) as u32;
                    self.stats.work += 1;
                    let seen = watched.iter().enumerate().fold(0u64, |m, (i, w)| m | (w >> k & 1) << i);
                    if !live && seen == 1 {
                        let path = self.path_to(at as u32, Some(choice));
                        return Outcome::of(Verdict::Fails(path), self.stats);
                    }
                    let to = next.iter().enumerate().fold(0u64, |w, (i, n)| w | (n >> k & 1) << i);
                    let to = self.add(to, Some((at as u32, choice)));
                    if live {
                        self.edges.push((at as u32, to, choice, seen));
                    }
                }
            }
            at += 1;
        }
        self.stats.depth = at as u32;
        if live {
            return self.lasso();
        }
        let evidence = Evidence::States { bits: self.sys.states.len() as u32, list: self.states };
        Outcome::holds(evidence, self.stats)
    }

    fn bits(&self, word: u64, count: usize) -> Vec<bool> {
        (0..count).map(|i| word >> i & 1 == 1).collect()
    }

    /// The path that found a state, and one more step.
    fn path_to(&self, state: u32, last: Option<u32>) -> Path {
        let mut choices: Vec<u32> = last.into_iter().collect();
        let mut at = state;
        while let Some((before, choice)) = self.parents[at as usize] {
            choices.push(choice);
            at = before;
        }
        choices.reverse();
        let inputs = choices.iter().map(|c| self.bits(*c as u64, self.sys.inputs.len())).collect();
        Path { init: self.bits(self.states[at as usize], self.sys.states.len()), inputs, back_to: None }
    }

    /// A reachable loop through all that must happen, by strongly connected components.
    fn lasso(self) -> Outcome {
        let full = (1u64 << self.watched.len()) - 1;
        let mut graph = petgraph::graph::DiGraph::<(), usize, u32>::with_capacity(self.states.len(), self.edges.len());
        self.states.iter().for_each(|_| {
            graph.add_node(());
        });
        for (i, e) in self.edges.iter().enumerate() {
            graph.add_edge(e.0.into(), e.1.into(), i);
        }
        for part in petgraph::algo::tarjan_scc(&graph) {
            let inside: rustc_hash::FxHashSet<u32> = part.iter().map(|n| n.index() as u32).collect();
            let own: Vec<usize> = (0..self.edges.len())
                .filter(|i| inside.contains(&self.edges[*i].0) && inside.contains(&self.edges[*i].1))
                .collect();
            let seen = own.iter().fold(0u64, |m, i| m | self.edges[*i].3);
            if !own.is_empty() && seen & full == full {
                let start = part[0].index() as u32;
                let mut path = self.path_to(start, None);
                path.back_to = Some(path.inputs.len());
                let mut at = start;
                for bit in 0..self.watched.len() {
                    let ends: Vec<usize> = own.iter().copied().filter(|i| self.edges[*i].3 >> bit & 1 == 1).collect();
                    at = self.walk(&own, at, &ends, &mut path);
                }
                // Back home; at least one step.
                let home: Vec<usize> = own.iter().copied().filter(|i| self.edges[*i].1 == start).collect();
                if at != start || path.back_to == Some(path.inputs.len()) {
                    self.walk(&own, at, &home, &mut path);
                }
                return Outcome::of(Verdict::Fails(path), self.stats);
            }
        }
        Outcome::of(Verdict::Holds, self.stats)
    }

    /// The shortest walk from a state over one of the `ends`; returns where it leads.
    fn walk(&self, own: &[usize], from: u32, ends: &[usize], path: &mut Path) -> u32 {
        let mut out: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
        own.iter().for_each(|i| out.entry(self.edges[*i].0).or_default().push(*i));
        let mut back: FxHashMap<u32, usize> = FxHashMap::default();
        let mut queue = std::collections::VecDeque::from([from]);
        while let Some(n) = queue.pop_front() {
            for &i in out.get(&n).into_iter().flatten() {
                if ends.contains(&i) {
                    let mut list = vec![i];
                    let mut at = n;
                    while at != from {
                        let e = back[&at];
                        list.push(e);
                        at = self.edges[e].0;
                    }
                    for e in list.iter().rev() {
                        path.inputs.push(self.bits(self.edges[*e].2 as u64, self.sys.inputs.len()));
                    }
                    return self.edges[i].1;
                }
                let to = self.edges[i].1;
                if to != from && !back.contains_key(&to) {
                    back.insert(to, i);
                    queue.push_back(to);
                }
            }
        }
        unreachable!("a component is connected")
    }
}

/// Input `i` in the 64 choices from `base` on.
fn pattern(base: usize, i: usize) -> u64 {
    const LOW: [u64; 6] = [
        0xaaaa_aaaa_aaaa_aaaa,
        0xcccc_cccc_cccc_cccc,
        0xf0f0_f0f0_f0f0_f0f0,
        0xff00_ff00_ff00_ff00,
        0xffff_0000_ffff_0000,
        0xffff_ffff_0000_0000,
    ];
    LOW.get(i).copied().unwrap_or_else(|| (base as u64 >> i & 1).wrapping_neg())
}
