//! Registers, asynchronous controls, latches and asserts by hand calculation.

use super::support::*;
use crate::net::sim::{Fill, Lanes, Ternary};
use crate::net::{LowerOptions, Sim, SimOptions};
use crate::word::*;

fn ternary(v: Option<bool>) -> Ternary {
    v.map_or(Ternary::UNKNOWN, |v| Ternary::known(0u64.wrapping_sub(v as u64)))
}

/// A shift register moves one place per rising edge: all load what was there before the edge.
#[test]
fn registers_load_what_was_there_before_the_edge() {
    let mut d = Design::new("shift");
    let clk = input(&mut d, "clk", 1);
    let mut data = input(&mut d, "d", 1);
    for i in 0..3 {
        let (q, n) = register(&mut d, &format!("q{i}"), 1, clk, Bits::zero(1));
        d.registers[n].next = data;
        data = q;
    }
    let net = netlist(&d);
    let mut sim = Sim::<u64>::new(&net, SimOptions::default());
    let mut seen = Vec::new();
    for (clk, data) in [(0, 1), (1, 1), (0, 0), (1, 0), (1, 1), (0, 1), (1, 1)] {
        sim.set_input(0, 0, clk);
        sim.set_input(1, 0, data);
        sim.settle().expect("settles");
        seen.push(["q2", "q1", "q0"].map(|n| sim.net_bits(n, 0).expect("named").to_u64().expect("known")));
    }
    let want = [[0, 0, 0], [0, 0, 1], [0, 0, 1], [0, 1, 0], [0, 1, 0], [0, 1, 0], [1, 0, 1]];
    assert_eq!(seen, want);
}

#[test]
fn the_initial_level_of_a_clock_is_no_edge() {
    let mut d = Design::new("level");
    let clk = input(&mut d, "clk", 1);
    let (q, n) = register(&mut d, "q", 1, clk, Bits::zero(1));
    d.registers[n].next = d.not(q);
    let (q, n) = register(&mut d, "falling", 1, clk, Bits::zero(1));
    d.registers[n].next = d.not(q);
    d.registers[n].edge = Edge::Neg;
    let net = netlist(&d);
    let mut sim = Sim::<u64>::new(&net, SimOptions::default());
    sim.settle().expect("settles");
    assert_eq!((sim.net_bits("q", 0), sim.net_bits("falling", 0)), (Some(Bits::zero(1)), Some(Bits::zero(1))));
    // Starting with the clock high is no edge either, if that is said.
    sim.set_input(0, 0, !0);
    sim.prime();
    sim.settle().expect("settles");
    assert_eq!(sim.net_bits("q", 0), Some(Bits::zero(1)));
    sim.set_input(0, 0, 0);
    sim.settle().expect("settles");
    assert_eq!((sim.net_bits("q", 0), sim.net_bits("falling", 0)), (Some(Bits::zero(1)), Some(Bits::ones(1))));
}

/// Reset before set before the clock, and both hold without a clock.
#[test]
fn the_first_active_asynchronous_control_wins() {
    let mut d = Design::new("controls");
    let clk = input(&mut d, "clk", 1);
    let rst = input(&mut d, "rst", 1);
    let set = input(&mut d, "set", 1);
    let data = input(&mut d, "d", 1);
    let (_, n) = register(&mut d, "q", 1, clk, Bits::zero(1));
    d.registers[n].next = data;
    let (zero, one) = (d.bool(false), d.bool(true));
    d.registers[n].asyncs.push(AsyncControl { condition: rst, value: zero });
    d.registers[n].asyncs.push(AsyncControl { condition: set, value: one });
    let net = netlist(&d);
    let mut sim = Sim::<u64>::new(&net, SimOptions::default());
    // clk rst set d -> q
    let steps = [
        ([0, 0, 1, 0], 1),
        ([0, 1, 1, 0], 0),
        ([1, 1, 0, 1], 0),
        ([1, 0, 0, 1], 0),
        ([0, 0, 0, 1], 0),
        ([1, 0, 0, 1], 1),
        ([1, 0, 0, 0], 1),
        ([0, 0, 1, 0], 1),
        ([1, 0, 1, 0], 1),
        ([0, 0, 0, 0], 1),
        ([1, 0, 0, 0], 0),
    ];
    for (t, (inputs, q)) in steps.iter().enumerate() {
        for (i, v) in inputs.iter().enumerate() {
            sim.set_input(i, 0, *v);
        }
        sim.settle().expect("settles");
        assert_eq!(sim.net_bits("q", 0).and_then(|b| b.to_u64()), Some(*q), "step {t}");
    }
}

#[test]
fn a_chain_of_open_latches_is_transparent_and_a_closed_one_holds() {
    let mut d = Design::new("latches");
    let en = input(&mut d, "en", 1);
    let data = input(&mut d, "d", 4);
    let mut q = data;
    for i in 0..10 {
        // The chain is made against the order of the table too.
        q = latch(&mut d, &format!("q{i}"), en, q, Bits::x(4));
    }
    d.latches.reverse();
    for s in &mut d.signals {
        for x in &mut s.drives {
            if let Source::Latch(n) = &mut x.source {
                *n = 9 - *n;
            }
        }
    }
    let net = netlist(&d);
    let mut sim = Sim::<u64>::new(&net, SimOptions::default());
    for (en, data, want) in [(1, 5, 5), (1, 9, 9), (0, 3, 9), (0, 4, 9), (1, 4, 4)] {
        sim.set_input(0, 0, en);
        sim.set_input_bits(1, 0, &Bits::from_u64(data, 4));
        sim.settle().expect("settles");
        assert_eq!(sim.net_bits("q9", 0).and_then(|b| b.to_u64()), Some(want));
    }
}

/// A clock gate: the latch is open while the clock is low, so the gated clock has no glitch when
/// the enable changes while the clock is high.
#[test]
fn a_latch_based_clock_gate_passes_whole_pulses_only() {
    let mut d = Design::new("icg");
    let clk = input(&mut d, "clk", 1);
    let en = input(&mut d, "en", 1);
    let low = d.not(clk);
    let held = latch(&mut d, "held", low, en, Bits::zero(1));
    let gated = d.and(clk, held);
    let (q, n) = register(&mut d, "q", 4, gated, Bits::zero(4));
    let one = d.uint(1, 4);
    d.registers[n].next = d.add(q, one);
    let net = netlist(&d);
    let mut sim = Sim::<u64>::new(&net, SimOptions::default());
    let steps = [(0, 1, 0), (1, 1, 1), (1, 0, 1), (1, 1, 1), (0, 0, 1), (1, 1, 1), (1, 0, 1), (0, 1, 1), (1, 0, 2)];
    for (t, (clk, en, want)) in steps.into_iter().enumerate() {
        sim.set_input(0, 0, clk);
        sim.set_input(1, 0, en);
        sim.settle().expect("settles");
        assert_eq!(sim.net_bits("q", 0).and_then(|b| b.to_u64()), Some(want), "step {t}");
    }
}

#[test]
fn an_inverter_around_an_open_latch_is_reported() {
    let mut d = Design::new("ring");
    let en = input(&mut d, "en", 1);
    let q = latch(&mut d, "q", en, en, Bits::zero(1));
    d.latches[0].data = d.not(q);
    let net = netlist(&d);
    let mut sim = Sim::<u64>::new(&net, SimOptions::default());
    sim.settle().expect("closed latches rest");
    sim.set_input(0, 0, !0);
    let e = sim.settle().expect_err("oscillates");
    assert_eq!(e.names, ["q"]);
}

#[test]
fn asserts_see_the_values_before_the_edge() {
    let mut d = Design::new("checks");
    let clk = input(&mut d, "clk", 1);
    let (q, n) = register(&mut d, "q", 2, clk, Bits::zero(2));
    let one = d.uint(1, 2);
    d.registers[n].next = d.add(q, one);
    let two = d.uint(2, 2);
    let is_two = d.eq(q, two);
    let not_two = d.not(is_two);
    let yes = d.bool(true);
    for (name, clock) in [("clocked", Some((clk, Edge::Pos))), ("always", None)] {
        let span = place(900);
        d.asserts.push(Assert {
            kind: AssertKind::Assert,
            name: name.into(),
            enable: yes,
            condition: not_two,
            trigger: yes,
            clock,
            span,
        });
    }
    let net = netlist(&d);
    let mut sim = Sim::<u64>::new(&net, SimOptions::default());
    let mut failures = Vec::new();
    for t in 0..6 {
        sim.set_input(0, 0, !0 * (t % 2 == 0) as u64);
        sim.settle().expect("settles");
        let f = sim.assert_failures();
        failures.push((f[0] & 1, f[1] & 1));
        assert_eq!(sim.assert_hits()[1], !f[1]);
    }
    // q counts 1 1 2 2 3 3: the plain assert fails while q is 2, the clocked one at the edge after.
    assert_eq!(failures, [(0, 0), (0, 0), (0, 1), (0, 1), (1, 0), (0, 0)]);
}

#[test]
fn an_unknown_clock_loses_only_what_might_change() {
    let mut d = Design::new("xclock");
    let clk = input(&mut d, "clk", 1);
    let rst = input(&mut d, "rst", 1);
    let a = input(&mut d, "a", 1);
    let (_, n) = register(&mut d, "q", 1, clk, Bits::zero(1));
    d.registers[n].next = a;
    let zero = d.bool(false);
    d.registers[n].asyncs.push(AsyncControl { condition: rst, value: zero });
    let net = netlist(&d);
    let (t, f, x) = (Some(true), Some(false), None);
    // clk rst a -> q
    let steps = [
        ([f, f, f], f),
        ([x, f, f], f), // Even if it rose, it loaded what it had.
        ([x, f, t], x),
        ([f, f, t], x), // Certainly no rise.
        ([f, t, t], f),
        ([f, f, t], f),
        ([f, x, t], f), // The reset value is what it has.
        ([t, f, t], t),
        ([t, x, t], x), // It may have been reset.
        ([f, f, t], x),
        ([x, t, t], f),
    ];
    let mut sim = Sim::<Ternary>::new(&net, SimOptions::default());
    assert_eq!(sim.net_bits("q", 0), Some(Bits::zero(1)));
    sim.set_input(0, 0, Ternary::FALSE);
    sim.set_input(1, 0, Ternary::FALSE);
    sim.set_input(2, 0, Ternary::FALSE);
    sim.prime();
    for (i, (inputs, want)) in steps.into_iter().enumerate() {
        for (k, v) in inputs.into_iter().enumerate() {
            sim.set_input(k, 0, ternary(v));
        }
        sim.settle().expect("settles");
        let q = sim.lit(crate::net::Lit::new(net.registers[0].gate, false));
        assert_eq!(q.get(7), want, "step {i}");
    }
}

/// `c` was 1 and becomes `s`, which is unknown and toggles at the same time. If `s` was 0, `c` falls
/// and then rises, so `q` may load: although no known value changed in the first round, the second
/// must be looked at.
#[test]
fn an_unknown_clock_may_fall_and_rise_in_one_step() {
    let mut d = Design::new("glitch");
    let clk = input(&mut d, "clk", 1);
    let high = input(&mut d, "high", 1);
    let (s, n) = register(&mut d, "s", 1, clk, Bits::x(1));
    d.registers[n].next = d.not(s);
    let c = d.or(high, s);
    let (_, n) = register(&mut d, "q", 1, c, Bits::zero(1));
    d.registers[n].next = d.bool(true);
    let net = netlist(&d);
    let mut three = Sim::<Ternary>::new(&net, SimOptions::default());
    let mut two = Sim::<u64>::new(&net, SimOptions::default());
    for (first, (clk, high)) in [(true, (0, !0)), (false, (!0, 0))] {
        for (port, v) in [(0, clk), (1, high)] {
            two.set_input(port, 0, v);
            three.set_input(port, 0, Ternary::known(v));
        }
        if first {
            two.prime();
            three.prime();
        }
        two.settle().expect("settles");
        three.settle().expect("settles");
    }
    assert_eq!(two.net_bits("q", 0), Some(Bits::ones(1)));
    assert_eq!(three.net_bits("q", 0), Some(Bits::x(1)));
}

/// Random sequential designs with known and unknown inputs and initial values: the three-valued run
/// covers the two-valued one at every step.
#[test]
fn three_valued_runs_cover_two_valued_runs() {
    let mut compared = 0;
    for seed in 0..300 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let d = random_machine(&mut rng);
        let (net, _) = netlist_with(&d, &LowerOptions { memory_limit_bits: 8 * (seed % 2) });
        let options = SimOptions { init: Fill::Random(seed), frees: Fill::Random(seed + 1), ..SimOptions::default() };
        let mut two = Sim::<u64>::new(&net, options.clone());
        let mut three = Sim::<Ternary>::new(&net, options);
        for step in 0..20 {
            for (port, p) in net.inputs.iter().enumerate() {
                for i in 0..p.bits.len() as u32 {
                    let (v, x) = (rng.u64(..), rng.u64(..) & rng.u64(..) & rng.u64(..));
                    two.set_input(port, i, v);
                    three.set_input(port, i, Ternary { zero: !v | x, one: v | x });
                }
            }
            if step == 0 {
                two.prime();
                three.prime();
            }
            if two.settle().is_err() || three.settle().is_err() {
                break;
            }
            compared += 1;
            for g in 0..net.gates.len() as u32 {
                let l = crate::net::Lit(2 * g);
                let (v, t) = (two.lit(l), three.lit(l));
                assert!(!v & !t.zero == 0 && v & !t.one == 0, "seed {seed}, step {step}, gate {g}");
            }
            for (v, t) in two.assert_failures().iter().zip(three.assert_failures()) {
                assert!(!v & !t.zero == 0 && v & !t.one == 0, "seed {seed}, step {step}");
            }
        }
    }
    // Some machines oscillate by design of the dice; most must not.
    assert!(compared > 3000, "{compared}");
}

/// Compaction of random machines: what is observed behaves as before, state numbers follow.
#[test]
fn compaction_keeps_the_behaviour_of_observed_state() {
    for seed in 0..100 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut d = random_machine(&mut rng);
        d.asserts.clear();
        let observed = d.signals.len() - 1 - rng.usize(..4);
        d.signals[observed].role = if d.signals[observed].role == Role::Input { Role::Input } else { Role::Output };
        let (whole, _) = netlist_with(&d, &LowerOptions { memory_limit_bits: 8 * (seed % 2) });
        let mut small = whole.clone();
        small.compact();
        check_invariants(&small);
        let mut sims = [&whole, &small].map(|n| Sim::<u64>::new(n, SimOptions::default()));
        for step in 0..30 {
            for port in 0..whole.inputs.len() {
                let v = rng.u64(..);
                sims.iter_mut().for_each(|s| s.set_input(port, 0, v));
            }
            let [a, b] = sims.each_mut().map(|s| s.settle());
            if a.is_err() || b.is_err() {
                break;
            }
            for o in 0..whole.outputs.len() {
                let [a, b] = [0, 1].map(|k| (0..64).map(|lane| sims[k].output_bits(o, lane)).collect::<Vec<_>>());
                assert_eq!(a, b, "seed {seed}, step {step}");
            }
        }
    }
}

/// Registers, latches and a memory with random clocks, controls and data.
fn random_machine(rng: &mut fastrand::Rng) -> Design {
    let mut d = Design::new("machine");
    let mut pool: Vec<NodeId> = (0..4).map(|i| input(&mut d, &format!("i{i}"), 1)).collect();
    let mut registers = Vec::new();
    for i in 0..5 {
        let clock = pool[rng.usize(..pool.len())];
        let init = if rng.bool() { Bits::x(1) } else { Bits::from_bool(rng.bool()) };
        let (q, n) = register(&mut d, &format!("q{i}"), 1, clock, init);
        registers.push(n);
        pool.push(q);
    }
    let (en, data) = (pool[rng.usize(..4)], pool[rng.usize(..pool.len())]);
    let q = latch(&mut d, "l", en, data, Bits::x(1));
    pool.push(q);
    d.memories.push(Memory {
        name: "m".into(),
        width: 2,
        size: 3,
        init: vec![(1, Bits::from_u64(2, 2))],
        writes: vec![],
        attrs: vec![],
        span: place(800),
    });
    let addr = d.concat(&[pool[4], pool[5]]);
    let word = d.mem_read(MemoryId(0), addr);
    let bit = d.slice(word, 0, 1);
    pool.push(bit);
    let mut pick = |d: &mut Design| {
        let (a, b) = (pool[rng.usize(..pool.len())], pool[rng.usize(..pool.len())]);
        let n = match rng.u32(..4) {
            0 => d.and(a, b),
            1 => d.xor(a, b),
            2 => d.not(a),
            _ => d.or(a, b),
        };
        pool.push(n);
        n
    };
    for n in registers {
        d.registers[n].next = pick(&mut d);
        let (condition, value) = (pick(&mut d), pick(&mut d));
        if n % 2 == 0 {
            d.registers[n].asyncs.push(AsyncControl { condition, value });
        }
    }
    let (a, b, c) = (pick(&mut d), pick(&mut d), pick(&mut d));
    let (enable, e, f) = (pick(&mut d), pick(&mut d), pick(&mut d));
    let clock = d.registers[0].clock;
    let (addr, data, mask) = (d.concat(&[a, b]), d.concat(&[c, e]), d.concat(&[f, b]));
    d.memories[0].writes.push(WritePort { clock, edge: Edge::Neg, enable, addr, data, mask, span: place(801) });
    let clock = Some((clock, Edge::Pos));
    let (enable, condition) = (a, b);
    d.asserts.push(Assert {
        kind: AssertKind::Assert,
        name: "p".into(),
        enable,
        condition,
        trigger: enable,
        clock,
        span: place(802),
    });
    d
}
