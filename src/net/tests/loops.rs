//! Combinational loops, bit-level dependence, floating nets, and depth.

use super::support::*;
use crate::net::sim::Fill;
use crate::net::{LowerOptions, Sim, SimOptions};
use crate::source::codes;
use crate::word::*;

#[test]
fn a_loop_is_reported_once_with_its_signals_in_order() {
    let mut d = Design::new("loop");
    let en = input(&mut d, "en", 4);
    let a = declare(&mut d, "a", 4, Role::Internal);
    let b = declare(&mut d, "b", 4, Role::Internal);
    let c = declare(&mut d, "u.c", 4, Role::Internal);
    let (na, nb, nc) = (d.signal(a), d.signal(b), d.signal(c));
    let (xa, xb, xc) = (d.xor(nb, en), d.not(nc), d.and(na, en));
    drive(&mut d, a, 0, 4, Source::Node(xa));
    drive(&mut d, b, 0, 4, Source::Node(xb));
    drive(&mut d, c, 0, 4, Source::Node(xc));
    let out = d.red_xor(nc);
    output(&mut d, "o", out);
    let (net, diags) = netlist_with(&d, &LowerOptions::default());
    assert_eq!(diags.len(), 1, "four bits, one loop: {diags:?}");
    assert_eq!((diags[0].code, diags[0].message.as_str()), (codes::E0502, "combinational loop through `a[0]`"));
    let labels: Vec<_> = diags[0].labels.iter().map(|l| (l.span, l.message.as_str())).collect();
    let span = |s: SignalId| d.signals[s.index()].drives[0].span;
    assert_eq!(
        labels,
        [
            (span(a), "`a[0]` depends on `b[0]`"),
            (span(b), "`b[0]` depends on `u.c[0]`"),
            (span(c), "`u.c[0]` depends on `a[0]`")
        ]
    );
    assert_eq!(net.frees.len(), 4, "one free value per bit cuts the loops");
}

#[test]
fn two_different_loops_are_two_reports_and_a_loop_through_arithmetic_is_one() {
    let mut d = Design::new("loops");
    let x = input(&mut d, "x", 8);
    for name in ["a", "b"] {
        let s = declare(&mut d, name, 8, Role::Output);
        let n = d.signal(s);
        let sum = d.add(n, x);
        drive(&mut d, s, 0, 8, Source::Node(sum));
    }
    // Every bit of a product, a quotient and a shift of itself.
    let s = declare(&mut d, "c", 8, Role::Output);
    let n = d.signal(s);
    let m = d.mul(n, n);
    let q = d.udiv(m, n);
    let sh = d.lshr(q, n);
    let sh = d.shl(sh, n);
    drive(&mut d, s, 0, 8, Source::Node(sh));
    let (_, diags) = netlist_with(&d, &LowerOptions::default());
    let messages: Vec<_> = diags.iter().map(|d| d.message.as_str()).collect();
    assert_eq!(messages.len(), 3, "{messages:?}");
}

#[test]
fn separate_bits_of_a_vector_are_no_loop() {
    let mut d = Design::new("bits");
    let x = input(&mut d, "x", 1);
    let v = declare(&mut d, "v", 8, Role::Output);
    let n = d.signal(v);
    drive(&mut d, v, 0, 1, Source::Node(x));
    for i in 1..8 {
        let below = d.slice(n, i - 1, 1);
        let not = d.not(below);
        drive(&mut d, v, i, 1, Source::Node(not));
    }
    // A shift by wiring, an addition whose carry runs upwards, and a mask.
    let w = declare(&mut d, "w", 8, Role::Output);
    let n = d.signal(w);
    let low = d.slice(n, 0, 7);
    let shifted = d.concat(&[low, x]);
    drive(&mut d, w, 0, 8, Source::Node(shifted));
    let c = declare(&mut d, "c", 8, Role::Output);
    let n = d.signal(c);
    let low = d.slice(n, 0, 7);
    let moved = d.concat(&[low, x]);
    let k = d.uint(0x6c, 8);
    let sum = d.add(moved, k);
    drive(&mut d, c, 0, 8, Source::Node(sum));
    let net = netlist(&d);
    let mut sim = Sim::<u64>::new(&net, SimOptions::default());
    sim.set_input(0, 0, 0b10);
    sim.settle().expect("settles");
    assert_eq!(sim.net_bits("v", 0).map(|b| b.to_binary()).as_deref(), Some("10101010"));
    assert_eq!(sim.net_bits("v", 1).map(|b| b.to_binary()).as_deref(), Some("01010101"));
    assert_eq!(sim.net_bits("w", 1).map(|b| b.to_binary()).as_deref(), Some("11111111"));
    // c = 2c + x + 0x6c modulo 256: c = -(x + 0x6c).
    assert_eq!(sim.net_bits("c", 0).and_then(|b| b.to_u64()), Some(0x94));
    assert_eq!(sim.net_bits("c", 1).and_then(|b| b.to_u64()), Some(0x93));
}

/// Nodes are shared between nets, but two nets that nobody drives need not be equal.
#[test]
fn floating_nets_have_independent_values() {
    let mut d = Design::new("float");
    let en = input(&mut d, "en", 1);
    let x = input(&mut d, "x", 1);
    let z = d.high_z(1);
    let tri = d.mux(en, x, z);
    output(&mut d, "a", tri);
    output(&mut d, "b", tri);
    let both = d.concat(&[z, z]);
    output(&mut d, "c", both);
    let net = netlist(&d);
    assert_eq!(net.frees.len(), 4);
    let mut sim = Sim::<u64>::new(&net, SimOptions { frees: Fill::Random(1), ..SimOptions::default() });
    sim.set_input(0, 0, 0xffff_ffff);
    sim.set_input(1, 0, 0x0f0f_0f0f_0f0f_0f0f);
    sim.settle().expect("settles");
    let (a, b, c) = (&net.outputs[0].bits, &net.outputs[1].bits, &net.outputs[2].bits);
    let (va, vb) = (sim.lit(a[0]), sim.lit(b[0]));
    assert_eq!((va as u32, vb as u32), (0x0f0f_0f0f, 0x0f0f_0f0f));
    assert_ne!(va, vb);
    assert_ne!(sim.lit(c[0]), sim.lit(c[1]));
}

/// 300 000 names one after the other, on a stack of ordinary size.
#[test]
fn deep_designs_need_no_deep_stack() {
    let mut d = Design::new("deep");
    let mut n = input(&mut d, "x", 1);
    let y = input(&mut d, "y", 1);
    for i in 0..300_000 {
        let joined = if i % 2 == 0 { d.xor(n, y) } else { d.and(n, y) };
        let s = assign(&mut d, "s", Role::Internal, joined);
        n = d.signal(s);
    }
    output(&mut d, "o", n);
    assert!(netlist(&d).gates.len() > 3);
}

/// Reading one element of a vector by a variable index is a tree of as many multiplexers.
#[test]
fn reading_one_of_many_elements_costs_a_tree() {
    let mut d = Design::new("select");
    let v = input(&mut d, "v", 64);
    let i = input(&mut d, "i", 6);
    let shifted = d.lshr(v, i);
    let bit = d.slice(shifted, 0, 1);
    output(&mut d, "o", bit);
    let stats = netlist(&d).stats();
    assert_eq!((stats.gates(), stats.mux), (63, 63));
}
