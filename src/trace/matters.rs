//! Which signals explain a trace, and in which order.
//!
//! The distance of a signal from the property is the number of names on the way: what the property reads
//! has distance 0, what the drivers of those read has 1, through registers as through gates. Nearer
//! signals matter more; beyond what the property itself reads, only those that change do.

use super::layout::Layout;
use super::{Kind, Trace};
use crate::model::{Goal, Node, Origin, Question, Role, System};
use crate::net::{GateId, Lit, Netlist};
use std::collections::VecDeque;

/// The distance of each signal; `None` if the property does not depend on it.
pub(super) fn ranks(
    net: &Netlist,
    sys: &System,
    goal: &Goal,
    assert: Option<usize>,
    layout: &Layout,
) -> Vec<Option<u32>> {
    let mut roots: Vec<Lit> = Vec::new();
    let mut clocks: Vec<Lit> = Vec::new();
    match assert.map(|a| &net.asserts[a]) {
        Some(a) => {
            roots.extend([a.condition, a.enable]);
            clocks.extend(a.clock);
        }
        None => roots.extend(leaves(net, sys, goal)),
    }
    ranks_from(net, &roots, &clocks, layout)
}

/// The distance of each signal from some literals; clocks count as one name away.
pub(super) fn ranks_from(net: &Netlist, roots: &[Lit], clocks: &[Lit], layout: &Layout) -> Vec<Option<u32>> {
    let owner = owners(net, layout);
    let mut rank: Vec<Option<u32>> = vec![None; layout.signals.len()];
    let mut seen = vec![false; net.gates.len()];
    let mut open: VecDeque<(GateId, u32)> = roots.iter().map(|l| (l.gate(), 0)).collect();
    open.extend(clocks.iter().map(|l| (l.gate(), 1)));
    while let Some((g, d)) = open.pop_front() {
        if std::mem::replace(&mut seen[g.0 as usize], true) {
            continue;
        }
        match owner[g.0 as usize] {
            Some(s) => {
                let s = s as usize;
                rank[s] = Some(rank[s].map_or(d, |r| r.min(d)));
                let mut next = |l: Lit| open.push_back((l.gate(), d + 1));
                net.fanin(g, &mut next);
                net.state_fanin(g, &mut next);
            }
            // Without a name it belongs to whatever reads it.
            None => {
                net.fanin(g, |l| open.push_front((l.gate(), d)));
                net.state_fanin(g, |l| open.push_front((l.gate(), d)));
            }
        }
    }
    rank
}

/// For each gate the signal that names it best: as it is rather than complemented, the shallowest, the one
/// declared as its register.
fn owners(net: &Netlist, layout: &Layout) -> Vec<Option<u32>> {
    // The signal is the last of what is compared.
    let mut owner: Vec<Option<(bool, usize, bool, u32)>> = vec![None; net.gates.len()];
    for (s, bits) in layout.bits.iter().enumerate() {
        let signal = &layout.signals[s];
        let depth = signal.name.bytes().filter(|b| *b == b'.').count();
        for l in bits.iter().filter(|l| l.as_const().is_none()) {
            let cost = (l.complement(), depth, !matches!(signal.kind, Kind::State), s as u32);
            let best = &mut owner[l.gate().0 as usize];
            if best.is_none_or(|b| cost < b) {
                *best = Some(cost);
            }
        }
    }
    owner.into_iter().map(|o| o.map(|o| o.3)).collect()
}

/// What a goal without an assertion of the netlist reads: inputs and state below its literals, through
/// state that only the model has.
fn leaves(net: &Netlist, sys: &System, goal: &Goal) -> Vec<Lit> {
    let mut open: Vec<Lit> = match &goal.question {
        Question::Never(l) | Question::Reach(l) => vec![*l],
        Question::NotForever(all) => all.clone(),
    };
    let mut seen = vec![false; sys.aig.len()];
    let mut found = Vec::new();
    while let Some(l) = open.pop() {
        if std::mem::replace(&mut seen[l.gate().0 as usize], true) {
            continue;
        }
        match sys.aig.node(l) {
            Node::False => {}
            Node::And(a, b) => open.extend([a, b]),
            Node::Input(i) => match sys.inputs[i as usize].role {
                Role::Port(p, b) => found.push(net.inputs[p as usize].bits[b as usize]),
                Role::Free(f) => found.push(Lit::new(net.frees[f as usize].gate, false)),
                Role::Tick { .. } | Role::Choice => {}
            },
            Node::State(i) => match sys.states[i as usize].origin {
                Origin::Register(r) => found.push(Lit::new(net.registers[r as usize].gate, false)),
                Origin::Latch(r) => found.push(Lit::new(net.latches[r as usize].gate, false)),
                Origin::Model => open.push(sys.states[i as usize].next),
            },
        }
    }
    found
}

/// Those that explain something, in the order to show them in.
pub(super) fn select(trace: &Trace, ranks: &[Option<u32>]) -> Vec<usize> {
    let changes = |s: usize| {
        let first = trace.value(0, s);
        (1..trace.moments.len()).any(|m| trace.value(m, s) != first)
    };
    // What a rewritten netlist needs for itself says little; which bits are undecided is shown with their values.
    let masked = |mask: usize| trace.signals.iter().position(|s| s.unstable == Some(mask));
    let silent = |s: &usize| trace.signals[*s].name.starts_with("entail:");
    let mut ranks = ranks.to_vec();
    for mask in 0..ranks.len() {
        if let (Some(s), Some(r)) = (masked(mask), ranks[mask].take_if(|_| masked(mask).is_some())) {
            ranks[s] = Some(ranks[s].map_or(r, |old| old.min(r)));
        }
    }
    let explains = |s: &usize| {
        let undecided = trace.signals[*s].unstable.is_some_and(changes);
        ranks[*s].is_some_and(|r| r == 0 || trace.signals[*s].kind <= Kind::Reset || undecided || changes(*s))
    };
    let mut chosen: Vec<usize> = (0..trace.signals.len()).filter(|s| explains(s) && !silent(s)).collect();
    // What depends on no clock is still easier to read with one.
    if !chosen.iter().any(|s| trace.signals[*s].kind == Kind::Clock) {
        chosen.extend(trace.clocks.iter().map(|c| c.signal));
        chosen.sort_unstable();
        chosen.dedup();
    }
    chosen.sort_by_key(|s| {
        let kind = trace.signals[*s].kind;
        let group = if kind <= Kind::Reset { kind as u32 } else { Kind::Input as u32 };
        (group, ranks[*s], kind, *s)
    });
    chosen
}
