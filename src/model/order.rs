//! Orders of a system's bits in which what belongs together stands together.
//!
//! Three ways, and the cheapest is taken: the order in which a depth-first walk from the goal meets the bits;
//! the same pulled together by centres of gravity (Aloul, Markov, Sakallah, *FORCE*, 2003); and that improved
//! by exchanging bits at random under a falling temperature, always with the same numbers.

use super::matrix::Marks;
use super::{Goal, Matrix, Node, Question, System};
use crate::net::Lit;

/// A bit that has a place in the order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Slot {
    /// State bit of that position; its values before and after a step stand together.
    State(u32),
    /// Input of that position.
    Input(u32),
}

/// Functions that should stand together: the bits of each, and which of them it writes.
struct Net {
    bits: Vec<u32>,
    writes: Option<u32>,
}

/// A good order of all inputs and state bits that matter to the goal, and then the others.
pub fn order(sys: &System, goal: &Goal, matrix: &Matrix) -> Vec<Slot> {
    let slots = walk(sys, goal);
    let nets = nets(sys, goal, matrix, &slots);
    let first: Vec<u32> = (0..slots.len() as u32).collect();
    let pulled = force(&nets, &first);
    let best = if cost(&nets, &pulled) < cost(&nets, &first) { pulled } else { first };
    let best = anneal(&nets, best);
    best.iter().map(|i| slots[*i as usize]).collect()
}

/// The states of an order.
pub fn states(order: &[Slot]) -> Vec<usize> {
    order.iter().filter_map(|s| if let Slot::State(i) = s { Some(*i as usize) } else { None }).collect()
}

fn watched(sys: &System, goal: &Goal) -> Vec<Lit> {
    let mut all = match &goal.question {
        Question::Never(l) | Question::Reach(l) => vec![*l],
        Question::NotForever(l) => l.iter().chain(&sys.fairness).copied().collect(),
    };
    all.extend(sys.constraints.iter().map(|c| c.1));
    all
}

/// Bits as a depth-first walk from the goal through the next-state functions meets them.
fn walk(sys: &System, goal: &Goal) -> Vec<Slot> {
    let mut out = Vec::new();
    let mut met_state = vec![false; sys.states.len()];
    let mut met_input = vec![false; sys.inputs.len()];
    let mut seen = vec![false; sys.aig.len()];
    let mut roots = watched(sys, goal);
    // States outside the goal's cone come last, in their own order.
    roots.reverse();
    let mut rest = 0;
    loop {
        let Some(root) = roots.pop() else {
            let Some(s) = (rest..sys.states.len()).find(|s| !met_state[*s]) else { break };
            rest = s;
            roots.push(sys.states[s].lit);
            continue;
        };
        let mut open = vec![root];
        let mut found = Vec::new();
        while let Some(l) = open.pop() {
            match sys.aig.node(l) {
                Node::And(a, b) if !std::mem::replace(&mut seen[l.gate().0 as usize], true) => open.extend([b, a]),
                Node::State(i) if !std::mem::replace(&mut met_state[i as usize], true) => {
                    out.push(Slot::State(i));
                    found.push(sys.states[i as usize].next);
                }
                Node::Input(i) if !std::mem::replace(&mut met_input[i as usize], true) => out.push(Slot::Input(i)),
                _ => {}
            }
        }
        found.reverse();
        roots.extend(found);
    }
    let missed = (0..sys.inputs.len()).filter(|i| !met_input[*i]);
    out.extend(missed.map(|i| Slot::Input(i as u32)));
    out
}

fn nets(sys: &System, goal: &Goal, matrix: &Matrix, slots: &[Slot]) -> Vec<Net> {
    let mut state = vec![0; sys.states.len()];
    let mut input = vec![0; sys.inputs.len()];
    for (k, s) in slots.iter().enumerate() {
        match s {
            Slot::State(i) => state[*i as usize] = k as u32,
            Slot::Input(i) => input[*i as usize] = k as u32,
        }
    }
    let at = |n: Node| match n {
        Node::State(i) => Some(state[i as usize]),
        Node::Input(i) => Some(input[i as usize]),
        _ => None,
    };
    let mut out = Vec::new();
    let mut add = |bits: &mut Vec<u32>, writes: Option<u32>| {
        bits.extend(writes);
        bits.sort_unstable();
        bits.dedup();
        if bits.len() > 1 {
            out.push(Net { bits: std::mem::take(bits), writes });
        }
        bits.clear();
    };
    let mut bits = Vec::new();
    let mut marks = Marks::new(matrix.aig.len());
    for g in &matrix.groups {
        for (i, l) in g.next.iter().enumerate().filter(|(i, _)| g.row[*i].writes()) {
            marks.leaves(&matrix.aig, *l, |n, _| bits.extend(at(n)));
            add(&mut bits, Some(state[i]));
        }
    }
    let mut marks = Marks::new(sys.aig.len());
    for l in watched(sys, goal) {
        marks.leaves(&sys.aig, l, |n, _| bits.extend(at(n)));
        add(&mut bits, None);
    }
    out
}

/// How far each function reaches, and how many of the bits it reads stand below the one it writes.
fn cost(nets: &[Net], order: &[u32]) -> u64 {
    let mut place = vec![0u32; order.len()];
    order.iter().enumerate().for_each(|(p, b)| place[*b as usize] = p as u32);
    nets.iter().map(|n| net_cost(n, &place)).sum()
}

fn net_cost(n: &Net, place: &[u32]) -> u64 {
    let (mut low, mut high) = (u32::MAX, 0);
    for b in &n.bits {
        let p = place[*b as usize];
        low = low.min(p);
        high = high.max(p);
    }
    let below = n.writes.map_or(0, |w| n.bits.iter().filter(|b| place[**b as usize] > place[w as usize]).count());
    (high - low) as u64 * 4 + below as u64
}

/// Moves each bit to the middle of the functions it is in, again and again.
fn force(nets: &[Net], start: &[u32]) -> Vec<u32> {
    let mut order = start.to_vec();
    let mut best = (cost(nets, &order), order.clone());
    let mut idle = 0;
    for _ in 0..200 {
        let mut place = vec![0u32; order.len()];
        order.iter().enumerate().for_each(|(p, b)| place[*b as usize] = p as u32);
        let mut sum = vec![(0f64, 0u32); order.len()];
        for n in nets {
            let centre = n.bits.iter().map(|b| place[*b as usize] as f64).sum::<f64>() / n.bits.len() as f64;
            for b in &n.bits {
                sum[*b as usize].0 += centre;
                sum[*b as usize].1 += 1;
            }
        }
        let want = |b: u32| {
            let (s, n) = sum[b as usize];
            if n == 0 { place[b as usize] as f64 } else { s / n as f64 }
        };
        order.sort_by(|a, b| want(*a).total_cmp(&want(*b)).then(place[*a as usize].cmp(&place[*b as usize])));
        let c = cost(nets, &order);
        if c < best.0 {
            best = (c, order.clone());
            idle = 0;
        } else {
            idle += 1;
            if idle > 10 {
                break;
            }
        }
    }
    best.1
}

/// Exchanges bits at random, more and more only for the better.
fn anneal(nets: &[Net], order: Vec<u32>) -> Vec<u32> {
    let n = order.len();
    // A move costs as much as the functions of two bits have bits.
    let weight: usize = nets.iter().map(|e| e.bits.len() * e.bits.len()).sum();
    if n < 3 {
        return order;
    }
    let per_move = (2 * weight / n).max(1);
    let moves = (20_000_000 / per_move).min(400 * n);
    let mut of: Vec<Vec<u32>> = vec![Vec::new(); n];
    for (k, e) in nets.iter().enumerate() {
        e.bits.iter().for_each(|b| of[*b as usize].push(k as u32));
    }
    let mut order = order;
    let mut place = vec![0u32; n];
    order.iter().enumerate().for_each(|(p, b)| place[*b as usize] = p as u32);
    let mut now = cost(nets, &order) as i64;
    let mut best = (now, order.clone());
    let mut seed = 0x2545_f491_4f6c_dd1du64;
    let mut random = |below: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        ((seed >> 11) % below as u64) as usize
    };
    let mut touched: Vec<u32> = Vec::new();
    for k in 0..moves {
        let reach = (n * (moves - k) / moves).clamp(1, 8);
        let p = random(n);
        let q = (p + 1 + random(reach)).min(n - 1);
        if p == q {
            continue;
        }
        let (a, b) = (order[p] as usize, order[q] as usize);
        touched.clear();
        touched.extend(of[a].iter().chain(&of[b]));
        touched.sort_unstable();
        touched.dedup();
        let sum = |place: &[u32]| -> i64 { touched.iter().map(|e| net_cost(&nets[*e as usize], place) as i64).sum() };
        let before = sum(&place);
        (place[a], place[b]) = (q as u32, p as u32);
        let change = sum(&place) - before;
        // The temperature falls to nothing in two thirds of the time.
        let heat = 4 * now.max(1) as u64 / nets.len().max(1) as u64;
        let heat = heat * (moves as u64 * 2 / 3).saturating_sub(k as u64) / moves as u64 / 8;
        if change <= 0 || (heat > 0 && (change as u64) < heat && random(heat as usize) as i64 > change) {
            order.swap(p, q);
            now += change;
            if now < best.0 {
                best = (now, order.clone());
            }
        } else {
            (place[a], place[b]) = (p as u32, q as u32);
        }
    }
    best.1
}
