//! Random designs with all operators, every kind of clock and control, latches and memories.

use super::maker::{EVENTS, Maker};
use entail::word::*;
use fastrand::Rng;

/// What a random design may contain.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Flavour {
    /// One clock, one edge.
    Single,
    /// Two clocks, both edges.
    Clocks,
    /// Asynchronous controls from inputs.
    Async,
    /// Clocks and controls from registers, gated clocks.
    Derived,
    /// Latches: transparent chains, master and slave, a clock gate.
    Latches,
}

pub const ALL: [Flavour; 5] = [Flavour::Single, Flavour::Clocks, Flavour::Async, Flavour::Derived, Flavour::Latches];

const DATA: [(&str, u32); 3] = [("a", 4), ("b", 9), ("s", 1)];

/// A design with all operators. `known`: every register has an initial value.
pub fn design(seed: u64, flavour: Flavour, known: bool) -> Design {
    let mut m = Maker { d: Design::new("top"), rng: Rng::with_seed(seed), pool: vec![] };
    let [clk, clk2, rst, set] = EVENTS.map(|n| m.input(n, 1));
    for (name, width) in DATA {
        let n = m.input(name, width);
        m.pool.push(n);
    }
    let undef = m.d.undef(2);
    let undef = m.declare("undef", 2, Role::Internal, Source::Node(undef));
    m.pool.push(undef);
    let one_edge = if m.rng.bool() { Edge::Pos } else { Edge::Neg };
    for i in 0..m.rng.usize(2..6) {
        let width = m.rng.u32(1..7);
        let name = ["q", "u.q", "u.v.long_name", "wire", "n3", "odd name"][i];
        let earlier = i.checked_sub(1).map(|last| m.d.registers[m.rng.usize(..=last)].signal);
        let bit_of = |m: &mut Maker, s: SignalId| {
            let q = m.d.signal(s);
            m.d.slice(q, 0, 1)
        };
        let mut edge = if m.rng.bool() { Edge::Pos } else { Edge::Neg };
        let clock = match (flavour, earlier, m.rng.u32(..6)) {
            (Flavour::Single, ..) => {
                edge = one_edge;
                clk
            }
            (Flavour::Derived, Some(s), 0 | 1) => bit_of(&mut m, s),
            (Flavour::Derived, Some(s), 2) => {
                let q = bit_of(&mut m, s);
                m.d.and(clk, q)
            }
            (_, _, 3) => clk2,
            _ => clk,
        };
        let bits: Vec<bool> = (0..width).map(|_| m.rng.bool()).collect();
        let mut init = Bits::from_bits(bits);
        if !known {
            (0..width)
                .filter(|_| m.rng.u32(..3) == 0)
                .collect::<Vec<_>>()
                .into_iter()
                .for_each(|i| init.set_unknown(i, false));
        }
        let r = m.register(name, width, clock, edge, init);
        if flavour == Flavour::Derived || flavour == Flavour::Async {
            for _ in 0..m.rng.u32(..3) {
                let mut condition = match (flavour, earlier, m.rng.u32(..3)) {
                    (Flavour::Derived, Some(s), 0) => bit_of(&mut m, s),
                    (_, _, 1) => set,
                    _ => rst,
                };
                if m.rng.u32(..3) == 0 {
                    condition = m.d.not(condition);
                }
                let value = match (m.rng.u32(..3), earlier) {
                    (0, Some(s)) => {
                        let q = m.d.signal(s);
                        m.d.resize(q, width, false)
                    }
                    (1, _) => {
                        let a = m.named("a");
                        m.d.resize(a, width, true)
                    }
                    _ => m.d.uint(m.rng.u64(..), width),
                };
                m.d.registers[r].asyncs.push(AsyncControl { condition, value });
            }
        }
    }
    if flavour == Flavour::Latches {
        let low = m.d.not(clk);
        let zero = |w: u32| if known { Bits::zero(w) } else { Bits::x(w) };
        // Master and slave around an adder; a chain of two open latches; a clock gate whose enable
        // depends on what it clocks.
        let master = m.latch("master", low, 4, zero(4));
        let slave = m.latch("slave", clk, 4, Bits::zero(4));
        let (mq, sq) = (m.named("master"), m.named("slave"));
        let a = m.named("a");
        m.d.latches[master].data = m.d.add(sq, a);
        let b = m.named("b");
        let b = m.d.slice(b, 0, 4);
        m.d.latches[slave].data = m.d.add(mq, b);
        let chain = m.latch("chain", set, 4, zero(4));
        m.d.latches[chain].data = m.d.xor(sq, a);
        let (cq, e) = (m.named("chain"), m.named("clk2"));
        let second = m.latch("second", e, 3, Bits::zero(3));
        m.d.latches[second].data = m.d.slice(cq, 1, 3);
        let gate = m.latch("gate", low, 1, zero(1));
        let held = m.named("gate");
        let gated = m.d.and(clk, held);
        let r = m.register("gated", 3, gated, Edge::Pos, Bits::zero(3));
        let q = m.named("gated");
        let one = m.d.uint(1, 3);
        m.d.registers[r].next = m.d.add(q, one);
        let (odd, s) = (m.d.red_xor(q), m.named("s"));
        m.d.latches[gate].data = m.d.or(odd, s);
        m.pool.extend([mq, sq, cq, q]);
    }
    for i in 0..m.d.registers.len() {
        if m.d.signals[m.d.registers[i].signal.index()].name != "gated" {
            let width = m.d.registers[i].width;
            m.d.registers[i].next = m.value(width);
        }
    }
    for i in 0..3 {
        let width = 1 + 3 * i;
        let n = m.value(width);
        m.declare(&format!("o{i}"), width, Role::Output, Source::Node(n));
    }
    let clock = Some((clk, if flavour == Flavour::Single { one_edge } else { Edge::Pos }));
    for (i, kind) in
        [AssertKind::Assert, AssertKind::Assume, AssertKind::Cover, AssertKind::Assert].into_iter().enumerate()
    {
        let (enable, condition) = (m.bit(), m.bit());
        let (name, span) = (["p", "u.line 3", "assert", "3"][i].into(), m.span(i));
        let clock = if i < 2 { clock } else { None };
        m.d.asserts.push(Assert { kind, name, enable, condition, trigger: enable, clock, span });
    }
    let _ = clk2;
    m.d
}

/// A memory with two masked write ports and two read ports. Addresses may be beyond its end.
pub fn memory_design(seed: u64, known: bool) -> Design {
    let mut m = Maker { d: Design::new("top"), rng: Rng::with_seed(seed), pool: vec![] };
    let [clk, clk2, _, _] = EVENTS.map(|n| m.input(n, 1));
    for (name, width) in DATA {
        let n = m.input(name, width);
        m.pool.push(n);
    }
    let (width, size) = (m.rng.u32(1..6), m.rng.u64(1..10));
    let bits = 64 - (size - 1).leading_zeros();
    let mut init = Vec::new();
    for a in 0..size {
        let mut b = Bits::from_u64(m.rng.u64(..), width);
        if !known && m.rng.bool() {
            b.set_unknown(0, false);
        }
        if known || m.rng.bool() {
            init.push((a, b));
        }
    }
    let (name, span) = ("u.mem".into(), m.span(1));
    m.d.memories.push(Memory { name, width, size, init, writes: vec![], attrs: vec![], span });
    let second = if m.rng.bool() { clk } else { clk2 };
    for clock in [clk, second] {
        let enable = m.bit();
        let addr_width = (bits + m.rng.u32(..2)).max(1);
        let (addr, data) = (m.value(addr_width), m.value(width));
        let ones = m.d.constant(Bits::ones(width));
        let mask = if m.rng.bool() { ones } else { m.value(width) };
        let edge = if clock == clk { Edge::Pos } else { Edge::Neg };
        m.d.memories[0].writes.push(WritePort { clock, edge, enable, addr, data, mask, span });
    }
    for i in 0..2 {
        let addr_width = (bits + m.rng.u32(..2)).max(1);
        let addr = m.value(addr_width);
        let word = m.d.mem_read(MemoryId(0), addr);
        m.declare(&format!("o{i}"), width, Role::Output, Source::Node(word));
    }
    m.d
}
