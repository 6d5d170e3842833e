//! Random netlists.

use entail::net::{Builder, Gate, GateId, Latch, Lit, Memory, MemoryWrite, Net, Netlist, Register};
use entail::source::Span;
use entail::word::Bits;
use fastrand::Rng;

/// What a random netlist may have.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Most input bits, clocks among them.
    pub inputs: u32,
    /// Most gates asked for.
    pub gates: u32,
    pub registers: u32,
    pub latches: u32,
    pub memories: u32,
    pub frees: u32,
    /// Falling edges, second clocks, asynchronous controls, clocks that are gated or derived.
    pub wild: bool,
}

impl Shape {
    /// Everything.
    pub const ALL: Shape = Shape { inputs: 10, gates: 60, registers: 5, latches: 3, memories: 1, frees: 2, wild: true };
    /// Few of everything.
    pub const FEW: Shape = Shape { inputs: 5, gates: 10, registers: 3, latches: 2, memories: 1, frees: 1, wild: true };
    /// Gates alone.
    pub const GATES: Shape =
        Shape { inputs: 10, gates: 60, registers: 0, latches: 0, memories: 0, frees: 0, wild: false };
    /// Rising edges of one clock.
    pub const PLAIN: Shape =
        Shape { inputs: 4, gates: 20, registers: 4, latches: 0, memories: 0, frees: 0, wild: false };
}

fn port(b: &mut Builder, name: String, width: u32) -> Vec<Lit> {
    let p = b.net.inputs.len() as u32;
    let bits: Vec<Lit> = (0..width).map(|i| b.leaf(Gate::Input(p, i))).collect();
    let net = Net { name: name.into(), range: None, bits: bits.clone(), span: Span::NONE, attrs: vec![] };
    b.net.inputs.push(net.clone());
    b.net.nets.push(net);
    bits
}

/// A net of one bit, for state.
fn name(b: &mut Builder, name: String, l: Lit) -> (u32, u32) {
    b.net.nets.push(Net { name: name.into(), range: None, bits: vec![l], span: Span::NONE, attrs: vec![] });
    (b.net.nets.len() as u32 - 1, 0)
}

fn init(rng: &mut Rng) -> Option<bool> {
    match rng.u8(..3) {
        0 => None,
        n => Some(n == 1),
    }
}

/// One of the list, a late one more often, perhaps complemented.
fn pick(rng: &mut Rng, list: &[Lit]) -> Lit {
    let n = list.len();
    let i = if rng.bool() { rng.usize(n / 2..n) } else { rng.usize(..n) };
    list[i].xor(rng.bool())
}

/// A random netlist, and its clock inputs.
pub fn netlist(rng: &mut Rng, s: &Shape) -> (Netlist, Vec<GateId>) {
    let mut b = Builder::new("random");
    let mut clocks = Vec::new();
    if s.registers + s.memories > 0 {
        clocks.extend(port(&mut b, "clk".into(), 1));
        if s.wild && rng.u8(..5) == 0 {
            clocks.extend(port(&mut b, "clk2".into(), 1));
        }
    }
    let most = s.inputs - clocks.len() as u32;
    let mut left = if rng.bool() { rng.u32(1..=most.min(4)) } else { rng.u32(1..=most) };
    let mut pool: Vec<Lit> = Vec::new();
    while left > 0 {
        let width = rng.u32(1..=left.min(3));
        let at = b.net.inputs.len();
        pool.extend(port(&mut b, format!("in{at}"), width));
        left -= width;
    }
    let data = pool.clone();
    // Three in four have state at all.
    let some = |rng: &mut Rng, most: u32| if most > 0 && rng.u8(..4) > 0 { rng.u32(0..=most) } else { 0 };
    (0..some(rng, s.frees)).for_each(|_| pool.push(b.free()));
    let registers: Vec<Lit> = (0..some(rng, s.registers)).map(|i| b.leaf(Gate::Register(i))).collect();
    let latches: Vec<Lit> = (0..some(rng, s.latches)).map(|i| b.leaf(Gate::Latch(i))).collect();
    pool.extend(registers.iter().chain(&latches));
    if rng.u8(..8) == 0 {
        pool.extend(&clocks);
    }
    if s.memories > 0 && rng.u8(..4) == 0 {
        let (width, size) = (rng.u32(1..=2), rng.u64(1..=5));
        let mut init = Vec::new();
        for a in 0..size {
            if rng.bool() {
                continue;
            }
            let mut word = Bits::from_bits((0..width).map(|_| rng.bool()));
            if rng.u8(..4) == 0 {
                word.set_unknown(rng.u32(..width), false);
            }
            init.push((a, word));
        }
        let span = Span::NONE;
        b.net.memories.push(Memory { name: "mem".into(), width, size, init, reads: vec![], writes: vec![], span });
    }
    let gates = if rng.bool() { rng.u32(5..=s.gates.min(16)) } else { rng.u32(5..=s.gates) };
    for _ in 0..gates {
        let (x, y, z) = (pick(rng, &pool), pick(rng, &pool), pick(rng, &pool));
        if !b.net.memories.is_empty() && b.net.memories[0].reads.len() < 2 && rng.u8(..8) == 0 {
            let addr: Vec<Lit> = (0..rng.u32(1..=3)).map(|_| pick(rng, &pool)).collect();
            let at = b.net.memories[0].reads.len() as u32;
            b.net.memories[0].reads.push(addr);
            for bit in 0..b.net.memories[0].width {
                pool.push(b.leaf(Gate::Read(0, at, bit)));
            }
            continue;
        }
        let l = match rng.u8(..6) {
            0..=2 => b.and(x, y),
            3 | 4 => b.xor(x, y),
            _ => b.mux(x, y, z),
        };
        if l.as_const().is_none() {
            pool.push(l);
        }
    }
    let clock = |rng: &mut Rng, b: &mut Builder| -> Lit {
        let clk = clocks[rng.usize(..clocks.len())];
        match if s.wild { rng.u8(..20) } else { 0 } {
            0..=11 => clocks[0],
            12 | 13 => !clocks[0],
            14 => clk.xor(rng.bool()),
            15 => {
                let with = pick(rng, &data);
                b.and(clk, with)
            }
            16 | 17 => {
                let with = pick(rng, &pool);
                b.and(clk, with)
            }
            18 => registers.first().copied().unwrap_or(clk).xor(rng.bool()),
            _ => pick(rng, &pool),
        }
    };
    for (i, q) in registers.iter().enumerate() {
        let next = if rng.u8(..10) == 0 { *q } else { pick(rng, &pool) };
        let clock = clock(rng, &mut b);
        let mut asyncs = Vec::new();
        while s.wild && asyncs.len() < 2 && rng.u8(..6) == 0 {
            let from = if rng.bool() { &data } else { &pool };
            let value = if rng.bool() { Lit::FALSE.xor(rng.bool()) } else { pick(rng, &pool) };
            asyncs.push((pick(rng, from), value));
        }
        let net = name(&mut b, format!("r{i}"), *q);
        let (gate, init, span) = (q.gate(), init(rng), Span::NONE);
        b.net.registers.push(Register { gate, next, clock, asyncs, init, net, span });
    }
    for (i, q) in latches.iter().enumerate() {
        let enable = match rng.u8(..4) {
            0 if !clocks.is_empty() => clocks[0].xor(rng.bool()),
            1 => pick(rng, &pool),
            _ => pick(rng, &data),
        };
        let from = if rng.bool() { &data } else { &pool };
        let d = pick(rng, from);
        let net = name(&mut b, format!("l{i}"), *q);
        let (gate, init, span) = (q.gate(), init(rng), Span::NONE);
        b.net.latches.push(Latch { gate, enable, data: d, init, net, span });
    }
    if !b.net.memories.is_empty() {
        for _ in 0..rng.u32(0..=2) {
            let clock = clock(rng, &mut b);
            let width = b.net.memories[0].width;
            let enable = if rng.u8(..4) == 0 { Lit::TRUE } else { pick(rng, &pool) };
            let addr = (0..rng.u32(1..=3)).map(|_| pick(rng, &pool)).collect();
            let bits: Vec<Lit> = (0..width).map(|_| pick(rng, &pool)).collect();
            let mask = (0..width).map(|_| if rng.u8(..4) > 0 { Lit::TRUE } else { pick(rng, &pool) }).collect();
            b.net.memories[0].writes.push(MemoryWrite { clock, enable, addr, data: bits, mask });
        }
    }
    (b.finish(), clocks.iter().map(|l| l.gate()).collect())
}
