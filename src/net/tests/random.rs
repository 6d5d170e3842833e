//! Random expressions over all operators: gates against the word-level evaluator.

use super::support::*;
use crate::net::sim::{Fill, Lanes, Ternary};
use crate::net::{Sim, SimOptions};
use crate::word::*;
use std::collections::HashMap;

const WIDEST: u32 = 70;

/// A design of random nodes: some inputs, some free values, each node an output.
pub struct Expressions {
    pub d: Design,
    pub inputs: Vec<SignalId>,
    pub roots: Vec<NodeId>,
}

pub fn expressions(rng: &mut fastrand::Rng, nodes: usize, with_undef: bool) -> Expressions {
    let mut d = Design::new("random");
    let mut pool = Vec::new();
    let mut inputs = Vec::new();
    for i in 0..rng.usize(2..5) {
        let w = width(rng);
        let n = input(&mut d, &format!("i{i}"), w);
        inputs.push(SignalId(i as u32));
        pool.push(n);
    }
    if with_undef {
        let w = width(rng);
        pool.push(d.undef(w));
    }
    let bits: Vec<bool> = (0..width(rng)).map(|_| rng.bool()).collect();
    pool.push(d.constant(Bits::from_bits(bits)));
    let mut roots = Vec::new();
    for i in 0..nodes {
        let mut n = random_node(&mut d, rng, &pool);
        if d.width(n) == 0 || d.width(n) > 2 * WIDEST {
            continue;
        }
        // Now and then a name in between.
        if rng.u32(..4) == 0 {
            let s = assign(&mut d, &format!("n{i}"), Role::Internal, n);
            n = d.signal(s);
        }
        output(&mut d, &format!("o{i}"), n);
        pool.push(n);
        roots.push(n);
    }
    Expressions { d, inputs, roots }
}

fn width(rng: &mut fastrand::Rng) -> u32 {
    match rng.u32(..4) {
        0 => rng.u32(1..4),
        1 => rng.u32(1..=WIDEST),
        _ => rng.u32(1..17),
    }
}

fn random_node(d: &mut Design, rng: &mut fastrand::Rng, pool: &[NodeId]) -> NodeId {
    let pick = |rng: &mut fastrand::Rng| pool[rng.usize(..pool.len())];
    let a = pick(rng);
    let w = d.width(a);
    let b = pick(rng);
    let signed = rng.bool();
    let same = d.resize(b, w, signed);
    let bit = {
        let c = pick(rng);
        let lo = rng.u32(..d.width(c));
        d.slice(c, lo, 1)
    };
    match rng.u32(..27) {
        0 => d.not(a),
        1 => d.neg(a),
        2 => d.red_and(a),
        3 => d.red_or(a),
        4 => d.red_xor(a),
        5 => d.and(a, same),
        6 => d.or(a, same),
        7 => d.xor(a, same),
        8 => d.add(a, same),
        9 => d.sub(a, same),
        10 => d.mul(a, same),
        11 => d.udiv(a, same),
        12 => d.urem(a, same),
        13 => d.sdiv(a, same),
        14 => d.srem(a, same),
        15 => d.shl(a, b),
        16 => d.lshr(a, b),
        17 => d.ashr(a, b),
        18 => d.eq(a, same),
        19 => d.ult(a, same),
        20 => d.slt(a, same),
        21 => d.mux(bit, a, same),
        22 => d.concat(&[a, b]),
        23 => {
            let lo = rng.u32(..w);
            d.slice(a, lo, rng.u32(1..=w - lo))
        }
        24 => d.zext(a, w + rng.u32(..20)),
        25 => d.sext(a, w + rng.u32(..20)),
        // Widening products, as the languages make them.
        _ => {
            let full = (w + d.width(b)).min(WIDEST);
            let (x, y) = (d.resize(a, full, signed), d.resize(b, full, signed));
            d.mul(x, y)
        }
    }
}

/// Random values, small ones and extremes more often.
fn value(rng: &mut fastrand::Rng, width: u32) -> Bits {
    match rng.u32(..6) {
        0 => Bits::zero(width),
        1 => Bits::ones(width),
        2 => Bits::from_u64(rng.u64(..8), width),
        3 => Bits::from_i64(-(rng.i64(..8)), width),
        _ => Bits::from_bits((0..width).map(|_| rng.bool())),
    }
}

/// What each root is, by the word-level evaluator; free values as given.
fn expected(e: &Expressions, values: &[Bits], undefs: &HashMap<u32, Bits>) -> Vec<Bits> {
    let mut known: HashMap<SignalId, Bits> = e.inputs.iter().copied().zip(values.iter().cloned()).collect();
    // Signals are declared after what drives them.
    for (i, s) in e.d.signals.iter().enumerate() {
        let id = SignalId(i as u32);
        if let Source::Node(n) = s.drives[0].source {
            let v = evaluate(&e.d, n, &known, undefs);
            known.insert(id, v);
        }
    }
    e.roots.iter().map(|n| evaluate(&e.d, *n, &known, undefs)).collect()
}

fn evaluate(d: &Design, n: NodeId, known: &HashMap<SignalId, Bits>, undefs: &HashMap<u32, Bits>) -> Bits {
    eval_node(d, n, &mut Default::default(), &mut |op, _, _| match op {
        Op::Signal(s) => known[s].clone(),
        Op::Undef(k) => undefs[k].clone(),
        other => panic!("unexpected leaf {other:?}"),
    })
}

#[test]
fn every_operator_agrees_with_the_word_level_evaluator() {
    let mut cases = 0;
    for seed in 0..400 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let e = expressions(&mut rng, 12, false);
        let net = netlist(&e.d);
        let mut sim = Sim::<u64>::new(&net, SimOptions::default());
        let mut lanes = Vec::new();
        for lane in 0..64 {
            let values: Vec<Bits> = e.inputs.iter().map(|s| value(&mut rng, e.d.signals[s.index()].width)).collect();
            for (port, v) in values.iter().enumerate() {
                sim.set_input_bits(port, lane, v);
            }
            lanes.push(values);
        }
        sim.settle().expect("no state");
        for (lane, values) in lanes.iter().enumerate() {
            for (o, want) in expected(&e, values, &HashMap::new()).iter().enumerate() {
                let got = sim.output_bits(o, lane as u32);
                let op = e.d.op(e.roots[o]);
                assert_eq!(got, *want, "seed {seed}, output {o} ({op:?}), inputs {values:?}");
                cases += 1;
            }
        }
    }
    assert!(cases > 100_000);
}

/// Every net of an expression but the outputs' cones may go; the outputs must not notice.
#[test]
fn compaction_does_not_change_outputs() {
    for seed in 0..100 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut e = expressions(&mut rng, 12, true);
        // Only a few outputs stay.
        for s in e.d.signals.iter_mut().filter(|s| s.role == Role::Output) {
            s.role = if rng.u32(..3) == 0 { Role::Output } else { Role::Internal };
        }
        let whole = netlist(&e.d);
        let mut small = whole.clone();
        small.compact();
        check_invariants(&small);
        assert!(small.gates.len() <= whole.gates.len());
        let mut sims = [&whole, &small].map(|n| Sim::<u64>::new(n, SimOptions::default()));
        for (port, p) in whole.inputs.iter().enumerate() {
            for i in 0..p.bits.len() as u32 {
                let v = rng.u64(..);
                sims.iter_mut().for_each(|s| s.set_input(port, i, v));
            }
        }
        for s in &mut sims {
            s.settle().expect("no state");
        }
        for o in 0..whole.outputs.len() {
            let [a, b] = [0, 1].map(|k| (0..64).map(|lane| sims[k].output_bits(o, lane)).collect::<Vec<_>>());
            assert_eq!(a, b, "seed {seed}, output {o}");
        }
    }
}

/// Free values are inputs in disguise: a free gate per bit, the same wherever the value is read.
#[test]
fn free_values_are_one_value_wherever_they_are_read() {
    for seed in 0..100 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let e = expressions(&mut rng, 10, true);
        let net = netlist(&e.d);
        let Some((k, width)) = e.d.nodes.iter().find_map(|n| match n.op {
            Op::Undef(k) => Some((k, n.width)),
            _ => None,
        }) else {
            continue;
        };
        let options = SimOptions { frees: Fill::Random(seed), ..SimOptions::default() };
        let mut sim = Sim::<u64>::new(&net, options);
        sim.settle().expect("no state");
        assert!(net.frees.len() <= width as usize);
        // Any assignment of the free bits explains the outputs: find it by search over few bits.
        if net.frees.len() != width as usize || width > 8 {
            continue;
        }
        let zeros: Vec<Bits> = e.inputs.iter().map(|s| Bits::zero(e.d.signals[s.index()].width)).collect();
        for lane in 0..64 {
            let got: Vec<Bits> = (0..e.roots.len()).map(|o| sim.output_bits(o, lane)).collect();
            let explained = (0..1u64 << width).any(|v| {
                let undefs = HashMap::from([(k, Bits::from_u64(v, width))]);
                expected(&e, &zeros, &undefs) == got
            });
            assert!(explained, "seed {seed}, lane {lane}");
        }
    }
}

/// X in some input bits: whatever is known must be so for every choice of the unknown bits, and
/// more known inputs never give fewer or other known outputs.
#[test]
fn three_valued_results_cover_all_two_valued_ones() {
    for seed in 0..150 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let e = expressions(&mut rng, 10, false);
        let net = netlist(&e.d);
        let mut two = Sim::<u64>::new(&net, SimOptions::default());
        let mut three = Sim::<Ternary>::new(&net, SimOptions::default());
        let mut refined = Sim::<Ternary>::new(&net, SimOptions::default());
        for (port, p) in net.inputs.iter().enumerate() {
            for i in 0..p.bits.len() as u32 {
                let (v, x, y) = (rng.u64(..), rng.u64(..) & rng.u64(..), rng.u64(..));
                two.set_input(port, i, v);
                three.set_input(port, i, Ternary { zero: !v | x, one: v | x });
                refined.set_input(port, i, Ternary { zero: !v | x & y, one: v | x & y });
            }
        }
        two.settle().expect("no state");
        three.settle().expect("no state");
        refined.settle().expect("no state");
        for g in 0..net.gates.len() as u32 {
            let l = crate::net::Lit(2 * g);
            let (v, t, r) = (two.lit(l), three.lit(l), refined.lit(l));
            let within = |a: Ternary, b: Ternary| a.zero & !b.zero | a.one & !b.one == 0;
            assert!(within(Ternary::known(v), t) && within(Ternary::known(v), r) && within(r, t), "seed {seed}");
        }
    }
}
