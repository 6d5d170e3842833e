//! Exports against second sources: Icarus Verilog, Yosys, ABC, and small interpreters of AIGER and
//! BTOR2 written here from their definitions. Every comparison is with the netlist simulator.
//!
//! The tools are installed by `make test`; a missing one fails a test rather than skipping it.
//! Snapshots: after a wanted change run with `UPDATE_SNAPSHOTS=1`, and read the difference.

use entail::interop::aiger::AigerOptions;
use entail::interop::{aiger, btor2, dot, json, verilog};
use entail::net::{Lit, LowerOptions, Netlist, Sim, SimOptions, lower};
use entail::source::{FileId, SourceMap, Span};
use entail::word::*;
use fastrand::Rng;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

// ---------------------------------------------------------------------------------------------
// Random designs

/// What a random design may contain.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Flavour {
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

const ALL: [Flavour; 5] = [Flavour::Single, Flavour::Clocks, Flavour::Async, Flavour::Derived, Flavour::Latches];
/// Inputs that act at once; the others are data.
const EVENTS: [&str; 4] = ["clk", "clk2", "rst", "set"];
const DATA: [(&str, u32); 3] = [("a", 4), ("b", 9), ("s", 1)];

struct Maker {
    d: Design,
    rng: Rng,
    pool: Vec<NodeId>,
}

impl Maker {
    fn span(&self, n: usize) -> Span {
        Span::new(FileId(0), 8 * (n as u32 % 40), 8 * (n as u32 % 40) + 4)
    }

    fn declare(&mut self, name: &str, width: u32, role: Role, source: Source) -> NodeId {
        let span = self.span(self.d.signals.len());
        // Ranges of all kinds: falling, rising, not from zero.
        let w = width as i64;
        let range = match (width, self.rng.u32(..4)) {
            (1, _) => None,
            (_, 0) => Some((0, w - 1)),
            (_, 1) => Some((w + 2, 3)),
            _ => Some((w - 1, 0)),
        };
        let drives = vec![Drive { lo: 0, width, source, span }];
        let s = self.d.add_signal(Signal { name: name.into(), width, range, span, role, attrs: vec![], drives });
        self.d.signal(s)
    }

    fn input(&mut self, name: &str, width: u32) -> NodeId {
        self.declare(name, width, Role::Input, Source::Input)
    }

    fn named(&self, name: &str) -> NodeId {
        let s = self.d.signal_named(name).expect("declared");
        (0..self.d.nodes.len() as u32).map(NodeId).find(|n| *self.d.op(*n) == Op::Signal(s)).expect("read")
    }

    fn pick(&mut self) -> NodeId {
        self.pool[self.rng.usize(..self.pool.len())]
    }

    fn bit(&mut self) -> NodeId {
        let n = self.pick();
        let lo = self.rng.u32(..self.d.width(n));
        self.d.slice(n, lo, 1)
    }

    /// A random value of a width.
    fn value(&mut self, width: u32) -> NodeId {
        let mut n = self.node();
        if self.rng.bool() {
            self.pool.push(n);
            n = self.node();
        }
        let signed = self.rng.bool();
        self.d.resize(n, width, signed)
    }

    fn node(&mut self) -> NodeId {
        let (a, b, bit, signed) = (self.pick(), self.pick(), self.bit(), self.rng.bool());
        let kind = self.rng.u32(..26);
        let d = &mut self.d;
        let w = d.width(a);
        let same = d.resize(b, w, signed);
        match kind {
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
            21 if w + d.width(b) <= 20 => d.concat(&[a, b]),
            22 => {
                let lo = self.rng.u32(..w);
                d.slice(a, lo, self.rng.u32(1..=w - lo))
            }
            23 if w < 16 => d.zext(a, w + 3),
            24 if w < 16 => d.sext(a, w + 3),
            _ => d.mux(bit, a, same),
        }
    }

    fn register(&mut self, name: &str, width: u32, clock: NodeId, edge: Edge, init: Bits) -> usize {
        let number = self.d.registers.len();
        let q = self.declare(name, width, Role::Output, Source::Register(number as u32));
        let Op::Signal(signal) = *self.d.op(q) else { unreachable!() };
        let span = self.span(number + 7);
        self.d.registers.push(Register { signal, lo: 0, width, clock, edge, next: q, asyncs: vec![], init, span });
        self.pool.push(q);
        number
    }

    fn latch(&mut self, name: &str, enable: NodeId, width: u32, init: Bits) -> usize {
        let number = self.d.latches.len();
        let q = self.declare(name, width, Role::Output, Source::Latch(number as u32));
        let Op::Signal(signal) = *self.d.op(q) else { unreachable!() };
        let span = self.span(number + 9);
        self.d.latches.push(Latch { signal, lo: 0, width, enable, data: q, init, span });
        number
    }
}

/// A design with all operators. `known`: every register has an initial value.
fn design(seed: u64, flavour: Flavour, known: bool) -> Design {
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
        m.d.asserts.push(Assert { kind, name, enable, condition, clock, span });
    }
    let _ = clk2;
    m.d
}

/// A memory with two masked write ports and two read ports. Addresses may be beyond its end.
fn memory_design(seed: u64, known: bool) -> Design {
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

/// A source text long enough for all spans.
fn sources() -> SourceMap {
    let mut map = SourceMap::new();
    map.add("rtl/top.sv", "// line of source text\n".repeat(20));
    map
}

fn gates(d: &Design) -> Netlist {
    gates_with(d, 2048)
}

fn gates_with(d: &Design, memory_limit_bits: u64) -> Netlist {
    let mut diags = Vec::new();
    let net = lower(d, &LowerOptions { memory_limit_bits }, &mut diags);
    assert!(diags.is_empty(), "{diags:?}");
    net
}

// ---------------------------------------------------------------------------------------------
// AIGER

/// A parsed AIGER file, ascii or binary.
struct Aig {
    inputs: Vec<u32>,
    /// Literal, next, reset (0, 1 or the literal itself).
    latches: Vec<(u32, u32, u32)>,
    /// Outputs, then bad states, then constraints.
    roots: [Vec<u32>; 3],
    ands: Vec<(u32, u32, u32)>,
    symbols: BTreeMap<String, String>,
}

impl Aig {
    fn parse(bytes: &[u8]) -> Aig {
        let mut at = 0;
        let mut line = || {
            let end = at + bytes[at..].iter().position(|b| *b == b'\n').expect("a line");
            let text = String::from_utf8(bytes[at..end].to_vec()).expect("text");
            at = end + 1;
            text
        };
        let numbers = |text: &str| text.split(' ').map(|n| n.parse::<u32>().expect("a number")).collect::<Vec<_>>();
        let head = line();
        let (ascii, head) = (head.starts_with("aag "), numbers(&head[4..]));
        let (i, l, o, a) = (head[1], head[2], head[3], head[4]);
        let (b, c) = (head.get(5).copied().unwrap_or(0), head.get(6).copied().unwrap_or(0));
        let inputs: Vec<u32> =
            (0..i).map(|k| if ascii { line().parse().expect("a number") } else { 2 * (k + 1) }).collect();
        let latches = (0..l)
            .map(|k| {
                let mut n = numbers(&line());
                if !ascii {
                    n.insert(0, 2 * (i + k + 1));
                }
                (n[0], n[1], n.get(2).copied().unwrap_or(0))
            })
            .collect();
        let mut list = |n: u32| (0..n).map(|_| line().parse().expect("a number")).collect::<Vec<u32>>();
        let roots = [list(o), list(b), list(c)];
        let mut ands = Vec::new();
        if ascii {
            for _ in 0..a {
                let n = numbers(&line());
                ands.push((n[0], n[1], n[2]));
            }
        } else {
            let mut delta = || {
                let (mut d, mut shift) = (0, 0);
                loop {
                    let byte = bytes[at];
                    at += 1;
                    d |= ((byte & 0x7f) as u32) << shift;
                    shift += 7;
                    if byte < 0x80 {
                        return d;
                    }
                }
            };
            for k in 0..a {
                let own = 2 * (i + l + k + 1);
                let x = own - delta();
                let y = x - delta();
                ands.push((own, x, y));
            }
        }
        let mut symbols = BTreeMap::new();
        for s in String::from_utf8_lossy(&bytes[at..]).lines().take_while(|s| *s != "c") {
            let (key, name) = s.split_once(' ').expect("a symbol");
            symbols.insert(key.to_string(), name.to_string());
        }
        Aig { inputs, latches, roots, ands, symbols }
    }

    fn symbol(&self, letter: char, i: usize) -> &str {
        self.symbols.get(&format!("{letter}{i}")).map_or("", String::as_str)
    }

    /// Values of all variables in 64 lanes.
    fn evaluate(&self, state: &[u64], inputs: &[u64]) -> Vec<u64> {
        let most =
            self.ands.iter().map(|a| a.0).chain(self.latches.iter().map(|l| l.0)).chain(self.inputs.iter().copied());
        let mut v = vec![0u64; most.max().unwrap_or(0) as usize / 2 + 1];
        self.inputs.iter().zip(inputs).for_each(|(l, x)| v[*l as usize / 2] = *x);
        self.latches.iter().zip(state).for_each(|(l, x)| v[l.0 as usize / 2] = *x);
        for &(own, x, y) in &self.ands {
            assert!(own > x && own > y && own % 2 == 0, "ands are in order");
            v[own as usize / 2] = value(&v, x) & value(&v, y);
        }
        v
    }
}

fn value(v: &[u64], l: u32) -> u64 {
    v[l as usize / 2] ^ (l as u64 & 1).wrapping_neg()
}

/// All bits of ports by name, with the port and bit.
fn bit_names(ports: &[entail::net::Net]) -> HashMap<String, Lit> {
    let bits = ports.iter().flat_map(|p| p.bits.iter().enumerate().map(move |(i, l)| (p.bit_name(i as u32), *l)));
    bits.map(|(name, l)| (name.replace(' ', "_"), l)).collect()
}

/// Every state bit of the design starts in the file as it does in the design: 0, 1 or either.
fn check_resets(net: &Netlist, aig: &Aig, context: &str) {
    let registers = net.registers.iter().map(|r| (r.net, r.init));
    for (at, init) in registers.chain(net.latches.iter().map(|l| (l.net, l.init))) {
        let name = net.nets[at.0 as usize].bit_name(at.1).replace(' ', "_");
        let l = (0..aig.latches.len())
            .find(|i| [&name, &format!("entail:before:{name}")].contains(&&aig.symbol('l', *i).to_string()))
            .map(|i| aig.latches[i])
            .expect("a latch");
        let want = init.map_or(l.0, |v| v as u32);
        assert_eq!(l.2, want, "{context}: reset of {name}");
    }
}

/// Runs an AIGER file and the simulator side by side, in 64 lanes.
fn compare_aiger(net: &Netlist, bytes: &[u8], rng: &mut Rng, steps: usize, context: &str) {
    let aig = Aig::parse(bytes);
    let text = String::from_utf8_lossy(bytes);
    let edges = text.contains("\nstep: one ");
    let falling = text.contains("\nstep: one falling");
    let mut sim = Sim::<u64>::new(net, SimOptions::default());
    // Start values, where the file leaves them open, are the same dice for both.
    let mut state: Vec<u64> = Vec::new();
    let names = bit_names(&net.nets);
    check_resets(net, &aig, context);
    for (i, l) in aig.latches.iter().enumerate() {
        let v = if l.2 == l.0 { rng.u64(..) } else { 0u64.wrapping_sub(l.2 as u64) };
        state.push(v);
        if l.2 == l.0 {
            let name = aig.symbol('l', i);
            let lit = names[name.strip_prefix("entail:before:").unwrap_or(name)];
            if let Some(r) = net.registers.iter().position(|r| r.gate == lit.gate()) {
                sim.set_register(r, v);
            } else {
                let r = net.latches.iter().position(|r| r.gate == lit.gate()).expect("a state bit");
                sim.set_latch(r, v);
            }
        }
    }
    let outputs = bit_names(&net.outputs);
    let set_clock = |sim: &mut Sim<u64>, active: bool| {
        let port = sim.input_index("clk").expect("a clock");
        sim.set_input(port, 0, if active != falling { !0 } else { 0 });
    };
    for step in 0..steps {
        let inputs: Vec<u64> = (0..aig.inputs.len()).map(|_| rng.u64(..)).collect();
        for (i, v) in inputs.iter().enumerate() {
            let name = aig.symbol('i', i);
            match name.strip_prefix("entail:free:") {
                Some(n) => sim.set_free(n.parse().expect("a number"), *v),
                None => {
                    let at =
                        net.inputs.iter().enumerate().find_map(|(p, n)| {
                            (0..n.bits.len() as u32).find(|b| n.bit_name(*b) == name).map(|b| (p, b))
                        });
                    let (p, b) = at.unwrap_or_else(|| panic!("{context}: no input {name}"));
                    sim.set_input(p, b, *v);
                }
            }
        }
        if edges {
            set_clock(&mut sim, false);
        }
        if step == 0 {
            sim.prime();
        }
        sim.settle().expect("settles");
        let v = aig.evaluate(&state, &inputs);
        let mut failures = sim.assert_failures().to_vec();
        let mut hits = sim.assert_hits().to_vec();
        for (i, l) in aig.roots[0].iter().enumerate() {
            let name = aig.symbol('o', i);
            if let Some(lit) = outputs.get(name) {
                assert_eq!(sim.lit(*lit), value(&v, *l), "{context}, step {step}, output {name}");
            }
        }
        if edges {
            set_clock(&mut sim, true);
            sim.settle().expect("settles");
            for (i, a) in net.asserts.iter().enumerate().filter(|(_, a)| a.clock.is_some()) {
                assert_eq!(failures[i], 0, "{}: nothing is sampled between edges", a.name);
                (failures[i], hits[i]) = (sim.assert_failures()[i], sim.assert_hits()[i]);
            }
        }
        for (i, a) in net.asserts.iter().enumerate() {
            let (letter, kind, name, want) = match a.kind {
                AssertKind::Assert => ('b', 1, a.name.replace(' ', "_"), failures[i]),
                AssertKind::Assume => ('c', 2, a.name.replace(' ', "_"), !failures[i]),
                AssertKind::Cover => ('o', 0, format!("cover:{}", a.name), hits[i]),
            };
            let at = (0..aig.roots[kind].len()).find(|k| aig.symbol(letter, *k) == name).expect("a property");
            assert_eq!(value(&v, aig.roots[kind][at]), want, "{context}, step {step}, {name}");
        }
        state = aig.latches.iter().map(|l| value(&v, l.1)).collect();
    }
}

#[test]
fn aiger_steps_are_the_steps_of_the_simulator() {
    let mut kinds = [0; 2];
    for flavour in ALL {
        for seed in 0..60 {
            let context = format!("{flavour:?} seed {seed}");
            println!("{context}");
            let net = gates(&design(seed, flavour, false));
            let mut rng = Rng::with_seed(seed);
            for ascii in [false, true] {
                let bytes = aiger::write(&net, &sources(), AigerOptions { ascii }).expect("can be written");
                kinds[String::from_utf8_lossy(&bytes).contains("\nstep: one ") as usize] += 1;
                compare_aiger(&net, &bytes, &mut rng, 30, &context);
            }
        }
    }
    assert!(kinds.iter().all(|k| *k > 60), "both kinds of step are tried: {kinds:?}");
}

// ---------------------------------------------------------------------------------------------
// Verilog

/// Runs a tool in a directory; its absence or failure fails the test.
fn run(dir: &Path, tool: &str, args: &[&str]) -> String {
    let out = Command::new(tool).args(args).current_dir(dir).output();
    let out = out.unwrap_or_else(|e| panic!("`{tool}` cannot be run ({e}); `make test` installs it"));
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    let errors = String::from_utf8_lossy(&out.stderr).into_owned();
    assert!(out.status.success(), "{tool} {args:?} in {}:\n{text}\n{errors}", dir.display());
    text + &errors
}

/// Values of all inputs over time. Data changes in one step, then one event input in the next, so
/// that nothing depends on the order in which a Verilog simulator sees simultaneous changes; or
/// `at_once`, where the file itself sees to the order.
fn stimulus(net: &Netlist, rng: &mut Rng, rounds: usize, at_once: bool) -> Vec<Vec<Bits>> {
    let mut now: Vec<Bits> = net.inputs.iter().map(|p| Bits::zero(p.bits.len() as u32)).collect();
    let frees = net.frees.len() as u32;
    now.push(Bits::zero(frees));
    let mut all = vec![now.clone()];
    for _ in 0..rounds {
        for (i, v) in now.iter_mut().enumerate() {
            let is_event = net.inputs.get(i).is_some_and(|p| EVENTS.contains(&p.name.as_str()));
            if !is_event {
                *v = Bits::from_bits((0..v.width()).map(|_| rng.bool()).collect::<Vec<_>>());
            }
        }
        if !at_once {
            all.push(now.clone());
        }
        let event = EVENTS[[0, 0, 0, 0, 1, 1, 2, 3][rng.usize(..8)]];
        let at = net.inputs.iter().position(|p| p.name == event).expect("an event");
        now[at] = now[at].not();
        all.push(now.clone());
    }
    all
}

/// What the simulator's outputs are after each set of inputs. In plain Verilog a clock that first
/// becomes 0 has a falling edge (from x); `from_x` starts the clocks so.
fn simulate(net: &Netlist, stimulus: &[Vec<Bits>], from_x: bool) -> Vec<String> {
    let mut sim = Sim::<u64>::new(net, SimOptions::default());
    let mut lines = Vec::new();
    if from_x {
        sim.set_input(0, 0, 1);
        sim.set_input(1, 0, 1);
        sim.prime();
        sim.settle().expect("settles");
    }
    for values in stimulus {
        for (p, v) in values.iter().enumerate().take(net.inputs.len()) {
            sim.set_input_bits(p, 0, v);
        }
        for f in 0..net.frees.len() {
            sim.set_free(f, 0u64.wrapping_sub(values[net.inputs.len()].bit(f as u32) as u64));
        }
        sim.settle().expect("settles");
        let outputs: Vec<String> = (0..net.outputs.len()).rev().map(|o| sim.output_bits(o, 0).to_binary()).collect();
        lines.push(outputs.concat());
    }
    lines
}

/// The width of the port for free values in `dut.v`; reads beyond a memory are its upper part.
fn free_width(dir: &Path) -> u32 {
    let text = std::fs::read_to_string(dir.join("dut.v")).expect("written");
    let port = text.lines().find_map(|l| l.trim().strip_prefix("input [")?.strip_suffix(":0] entail_free"));
    port.map_or(0, |n| n.parse::<u32>().expect("a number") + 1)
}

fn identifier(name: &str) -> String {
    format!("\\{} ", name.replace(' ', "_"))
}

/// What a Verilog file's outputs are, by Icarus Verilog.
fn icarus(dir: &Path, net: &Netlist, stimulus: &[Vec<Bits>], from_x: bool, generation: &str) -> Vec<String> {
    let mut tb = String::from("module tb;\n");
    let frees = free_width(dir);
    let mut ports: Vec<(String, u32)> = net.inputs.iter().map(|p| (identifier(&p.name), p.bits.len() as u32)).collect();
    if frees > 0 {
        ports.push(("entail_free".into(), frees));
    }
    for (name, width) in &ports {
        let start = if from_x && EVENTS[..2].contains(&name.trim_matches(['\\', ' '])) { "" } else { " = 0" };
        writeln!(tb, "  reg [{}:0] {name}{start};", width - 1).expect("string");
    }
    let mut connections: Vec<String> = ports.iter().map(|(n, _)| format!(".{n}({n})")).collect();
    for p in &net.outputs {
        let name = identifier(&p.name);
        writeln!(tb, "  wire [{}:0] {name};", p.bits.len() - 1).expect("string");
        connections.push(format!(".{name}({name})"));
    }
    writeln!(tb, "  top dut ({});\n  initial begin", connections.join(", ")).expect("string");
    tb += "    #1;\n";
    let outputs: Vec<String> = net.outputs.iter().rev().map(|p| identifier(&p.name)).collect();
    for values in stimulus {
        for ((name, width), v) in ports.iter().zip(values) {
            writeln!(tb, "    {name} = {width}'b{};", v.zext(*width).to_binary()).expect("string");
        }
        writeln!(tb, "    #1 $display(\"%b\", {{{}}});", outputs.join(", ")).expect("string");
    }
    tb += "  end\nendmodule\n";
    std::fs::write(dir.join("tb.v"), tb).expect("written");
    run(dir, "iverilog", &[generation, "-s", "tb", "-o", "tb.vvp", "tb.v", "dut.v"]);
    run(dir, "vvp", &["-n", "tb.vvp"]).lines().map(str::to_string).collect()
}

fn agree(want: &[String], got: &[String], context: &str, file: &Path) {
    for (t, (want, got)) in want.iter().zip(got).enumerate() {
        if want != got {
            let keep = std::env::temp_dir().join("entail-export-failure.v");
            let _ = std::fs::copy(file, &keep);
            panic!("{context}, step {t}: simulator {want}, file {got}; see {}", keep.display());
        }
    }
    assert_eq!(want.len(), got.len(), "{context}");
}

#[test]
fn verilog_simulated_by_icarus_is_the_design() {
    let dir = tempfile::tempdir().expect("a directory");
    let file = dir.path().join("dut.v");
    for flavour in ALL {
        for seed in 0..25 {
            let context = format!("{flavour:?} seed {seed}");
            println!("{context}");
            let net = gates(&design(seed, flavour, true));
            let text = verilog::write(&net, &sources());
            // Derived clocks come with processes that take the first level for no edge.
            let from_x = !text.contains("entail_edge_");
            std::fs::write(&file, text).expect("written");
            let at_once = !from_x && flavour == Flavour::Derived;
            let stimulus = stimulus(&net, &mut Rng::with_seed(seed), 60, at_once);
            // SystemVerilog starts variables before processes, Verilog-2005 leaves the order open.
            let generation = if seed % 2 == 0 { "-g2005" } else { "-g2012" };
            let got = icarus(dir.path(), &net, &stimulus, from_x, generation);
            agree(&simulate(&net, &stimulus, from_x), &got, &context, &file);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// BTOR2

/// A value of at most 64 bits, or an array.
#[derive(Clone, Debug, PartialEq)]
enum Word {
    Bits(u64),
    /// Words that were written, and what the others are.
    Array(HashMap<u64, u64>, u64),
}

/// A parsed BTOR2 file: lines by number.
struct Btor {
    lines: Vec<(u64, Vec<String>)>,
    widths: HashMap<u64, u32>,
    arrays: HashMap<u64, u32>,
}

impl Btor {
    fn parse(text: &str) -> Btor {
        let mut b = Btor { lines: vec![], widths: HashMap::new(), arrays: HashMap::new() };
        for line in text.lines() {
            let line = line.split(';').next().expect("a part").trim_end();
            if line.is_empty() {
                continue;
            }
            let mut words = line.split(' ').map(str::to_string);
            let number = words.next().and_then(|n| n.parse().ok()).expect("a line number");
            let words: Vec<String> = words.collect();
            match (words[0].as_str(), words[1].as_str()) {
                ("sort", "bitvec") => {
                    b.widths.insert(number, words[2].parse().expect("a width"));
                }
                ("sort", _) => {
                    let element = b.widths[&words[3].parse().expect("a sort")];
                    b.arrays.insert(number, element);
                }
                _ => b.lines.push((number, words)),
            }
        }
        b
    }

    fn width(&self, sort: &str) -> u32 {
        let sort = sort.parse().expect("a sort");
        self.widths.get(&sort).or(self.arrays.get(&sort)).copied().expect("a known sort")
    }

    fn of(&self, word: &str) -> impl Iterator<Item = &(u64, Vec<String>)> {
        self.lines.iter().filter(move |l| l.1[0] == word)
    }

    /// Evaluates all lines; `known` holds inputs and states.
    fn evaluate(&self, mut known: HashMap<u64, Word>, widths: &mut HashMap<u64, u32>) -> HashMap<u64, Word> {
        for (number, l) in &self.lines {
            let op = l[0].as_str();
            if matches!(op, "output" | "bad" | "constraint" | "init" | "next") {
                continue;
            }
            let w = self.width(&l[1]);
            widths.insert(*number, w);
            if matches!(op, "input" | "state") {
                continue;
            }
            let line = |i: usize| l[i].parse::<u64>().expect("a line");
            let word = |i: usize| known[&line(i)].clone();
            let bits = |i: usize| match &known[&line(i)] {
                Word::Bits(v) => *v,
                Word::Array(..) => panic!("line {number}: an array"),
            };
            let width = |i: usize| widths[&line(i)];
            let signed = |i: usize| (bits(i) << (64 - width(i))) as i64 >> (64 - width(i));
            let mask = |w: u32| !0u64 >> (64 - w);
            let v = match op {
                "const" => u64::from_str_radix(&l[2], 2).expect("binary digits"),
                "not" => !bits(2),
                "neg" => bits(2).wrapping_neg(),
                "redand" => (bits(2) == mask(width(2))) as u64,
                "redor" => (bits(2) != 0) as u64,
                "redxor" => bits(2).count_ones() as u64 & 1,
                "and" => bits(2) & bits(3),
                "or" => bits(2) | bits(3),
                "xor" => bits(2) ^ bits(3),
                "add" => bits(2).wrapping_add(bits(3)),
                "sub" => bits(2).wrapping_sub(bits(3)),
                "mul" => bits(2).wrapping_mul(bits(3)),
                "udiv" => bits(2).checked_div(bits(3)).unwrap_or(!0),
                "urem" => bits(2).checked_rem(bits(3)).unwrap_or(bits(2)),
                "sdiv" if bits(3) == 0 => {
                    if signed(2) < 0 {
                        1
                    } else {
                        !0
                    }
                }
                "sdiv" => signed(2).wrapping_div(signed(3)) as u64,
                "srem" if bits(3) == 0 => bits(2),
                "srem" => signed(2).wrapping_rem(signed(3)) as u64,
                "sll" => bits(2).checked_shl(bits(3).min(64) as u32).unwrap_or(0),
                "srl" => bits(2).checked_shr(bits(3).min(64) as u32).unwrap_or(0),
                "sra" => (signed(2) >> bits(3).min(63)) as u64,
                "eq" => (bits(2) == bits(3)) as u64,
                "ult" => (bits(2) < bits(3)) as u64,
                "slt" => (signed(2) < signed(3)) as u64,
                "concat" => bits(2) << width(3) | bits(3),
                "slice" => bits(2) >> l[4].parse::<u32>().expect("a bit"),
                "uext" => bits(2),
                "sext" => signed(2) as u64,
                "ite" => {
                    let chosen = if bits(2) == 1 { word(3) } else { word(4) };
                    known.insert(*number, chosen);
                    continue;
                }
                "read" => match word(2) {
                    Word::Array(a, other) => a.get(&bits(3)).copied().unwrap_or(other),
                    Word::Bits(_) => panic!("line {number}: no array"),
                },
                "write" => {
                    let Word::Array(mut a, other) = word(2) else { panic!("line {number}: no array") };
                    a.insert(bits(3), bits(4));
                    known.insert(*number, Word::Array(a, other));
                    continue;
                }
                other => panic!("line {number}: operator {other}"),
            };
            if matches!(op, "sll" | "srl" | "sra" | "add" | "and" | "eq") {
                assert_eq!(width(2), width(3), "line {number}: operands of one width");
            }
            if matches!(op, "uext" | "sext") {
                assert_eq!(width(2) + l[3].parse::<u32>().expect("a width"), w, "line {number}: extension");
            }
            known.insert(*number, Word::Bits(v & mask(w)));
        }
        known
    }
}

/// The states at the start, if those without an initial value are as `any` says.
fn start(b: &Btor, any: &mut dyn FnMut() -> u64, words: u64, context: &str) -> HashMap<u64, Word> {
    let mut state: HashMap<u64, Word> = HashMap::new();
    for (n, l) in b.of("state") {
        let is_array = b.arrays.contains_key(&l[1].parse().expect("a sort"));
        let mask = !0u64 >> (64 - b.width(&l[1]));
        let value = if is_array { Word::Array(HashMap::new(), words & mask) } else { Word::Bits(any() & mask) };
        state.insert(*n, value);
    }
    for (n, l) in b.of("init") {
        let (target, source) = (l[2].parse::<u64>().expect("a line"), l[3].parse::<u64>().expect("a line"));
        assert!(source < target && target < *n, "{context}: an initial value comes before its state");
        let all = b.evaluate(with_inputs(b, &state, 0), &mut HashMap::new());
        let value = match (&all[&source], &state[&target]) {
            (Word::Bits(v), Word::Array(..)) => Word::Array(HashMap::new(), *v),
            (other, _) => other.clone(),
        };
        state.insert(target, value);
    }
    state
}

/// Every state bit of the design starts in the file as it does in the design: 0, 1 or either.
fn check_starts(net: &Netlist, b: &Btor, context: &str) {
    let (low, high) = (start(b, &mut || 0, 0, context), start(b, &mut || !0, !0, context));
    let find = |name: &str| b.of("state").find(|l| l.1[2] == name.replace(' ', "_")).map(|l| (&low[&l.0], &high[&l.0]));
    let check = |got: (u64, u64), init: Option<bool>, what: String| {
        assert_eq!(got, init.map_or((0, 1), |v| (v as u64, v as u64)), "{context}: start of {what}");
    };
    let registers = net.registers.iter().map(|r| (r.net, r.init));
    for (at, init) in registers.chain(net.latches.iter().map(|l| (l.net, l.init))) {
        let owner = &net.nets[at.0 as usize];
        let Some((Word::Bits(low), Word::Bits(high))) = find(&owner.name) else { panic!("{context}: {}", owner.name) };
        check((low >> at.1 & 1, high >> at.1 & 1), init, owner.bit_name(at.1));
    }
    for m in &net.memories {
        let Some((Word::Array(low, l), Word::Array(high, h))) = find(&m.name) else { panic!("{context}: {}", m.name) };
        for a in 0..m.size {
            let word = m.init.iter().find(|i| i.0 == a).map(|i| &i.1);
            let (low, high) = (low.get(&a).unwrap_or(l), high.get(&a).unwrap_or(h));
            for i in 0..m.width {
                let init = word.filter(|w| !w.is_unknown(i)).map(|w| w.bit(i));
                check((low >> i & 1, high >> i & 1), init, format!("{}[{a}]", m.name));
            }
        }
    }
}

/// Runs a BTOR2 file and the simulator side by side in one lane. Words of memories that have no
/// initial value are 0 in both.
fn compare_btor2(net: &Netlist, text: &str, rng: &mut Rng, steps: usize, context: &str) {
    let b = Btor::parse(text);
    let edges = text.contains("\n; step: one ");
    let falling = text.contains("\n; step: one falling");
    let mut sim = Sim::<u64>::new(net, SimOptions::default());
    let mut widths = HashMap::new();
    // Values that are left open get random ones, words of memories 0; then the others follow.
    let mut state = start(&b, &mut || rng.u64(..), 0, context);
    check_starts(net, &b, context);
    // The simulator starts with the same values.
    for (i, r) in net.registers.iter().enumerate() {
        let name = &net.nets[r.net.0 as usize].name;
        if let Some(Word::Bits(v)) = b.of("state").find(|l| l.1[2] == name.replace(' ', "_")).map(|l| &state[&l.0]) {
            sim.set_register(i, 0u64.wrapping_sub(v >> r.net.1 & 1));
        }
    }
    for (i, r) in net.latches.iter().enumerate() {
        let name = &net.nets[r.net.0 as usize].name;
        let l = b.of("state").find(|l| l.1[2] == name.as_str()).expect("a latch");
        let Word::Bits(v) = state[&l.0] else { panic!("a latch is a word") };
        sim.set_latch(i, 0u64.wrapping_sub(v >> r.net.1 & 1));
    }
    let set_clock = |sim: &mut Sim<u64>, active: bool| {
        let port = sim.input_index("clk").expect("a clock");
        sim.set_input(port, 0, if active != falling { !0 } else { 0 });
    };
    for step in 0..steps {
        let mut known = state.clone();
        for (n, l) in b.of("input") {
            let w = b.width(&l[1]);
            let v = rng.u64(..) & (!0u64 >> (64 - w));
            match net.inputs.iter().position(|p| p.name == l[2]) {
                Some(p) => sim.set_input_bits(p, 0, &Bits::from_u64(v, w)),
                // The only undefined value of these designs, so its bits are the free values.
                None if l[2] == "entail_free" => {
                    let used = net.frees.len();
                    assert!(used <= w as usize, "{context}");
                    for (i, bit) in free_bits(net).into_iter().enumerate() {
                        sim.set_free(i, 0u64.wrapping_sub(v >> bit & 1));
                    }
                }
                None => assert!(l[2].starts_with("entail_beyond_"), "{context}: input {}", l[2]),
            }
            let v = if l[2].starts_with("entail_beyond_") { 0 } else { v };
            known.insert(*n, Word::Bits(v));
        }
        if edges {
            set_clock(&mut sim, false);
        }
        if step == 0 {
            sim.prime();
        }
        sim.settle().expect("settles");
        let all = b.evaluate(known, &mut widths);
        for (_, l) in b.of("output").filter(|l| !l.1[2].starts_with("cover_")) {
            let o = net.outputs.iter().position(|o| o.name.replace(' ', "_") == l[2]).expect("an output");
            let want = sim.output_bits(o, 0).to_u64().expect("known");
            assert_eq!(all[&l[1].parse().expect("a line")], Word::Bits(want), "{context}, step {step}, {}", l[2]);
        }
        let mut seen: Vec<(u64, u64)> =
            sim.assert_failures().iter().zip(sim.assert_hits()).map(|(f, h)| (f & 1, h & 1)).collect();
        if edges {
            set_clock(&mut sim, true);
            sim.settle().expect("settles");
            for (i, _) in net.asserts.iter().enumerate().filter(|(_, a)| a.clock.is_some()) {
                seen[i] = (sim.assert_failures()[i] & 1, sim.assert_hits()[i] & 1);
            }
        }
        for (i, a) in net.asserts.iter().enumerate() {
            let (word, name, want) = match a.kind {
                AssertKind::Assert => ("bad", a.name.replace(' ', "_"), seen[i].0),
                AssertKind::Assume => ("constraint", a.name.replace(' ', "_"), 1 - seen[i].0),
                AssertKind::Cover => ("output", format!("cover_{}", a.name), seen[i].1),
            };
            let l = b.of(word).find(|l| l.1[2] == name).expect("a property");
            assert_eq!(all[&l.1[1].parse().expect("a line")], Word::Bits(want), "{context}, step {step}, {name}");
        }
        for (_, l) in b.of("next") {
            let (target, source) = (l[2].parse().expect("a line"), l[3].parse::<u64>().expect("a line"));
            state.insert(target, all[&source].clone());
        }
    }
}

/// For each free value the bit of the one undefined word it is: they are made bit by bit as they
/// are needed, and `free_names` says which.
fn free_bits(net: &Netlist) -> Vec<u32> {
    let named = net.net_named("undef").expect("the undefined word has a name");
    net.frees.iter().map(|f| named.bits.iter().position(|l| l.gate() == f.gate).expect("a bit of it") as u32).collect()
}

fn with_inputs(b: &Btor, state: &HashMap<u64, Word>, value: u64) -> HashMap<u64, Word> {
    let mut known = state.clone();
    known.extend(b.of("input").map(|l| (l.0, Word::Bits(value))));
    known
}

#[test]
fn btor2_steps_are_the_steps_of_the_simulator() {
    for flavour in ALL {
        for seed in 0..60 {
            let context = format!("{flavour:?} seed {seed}");
            println!("{context}");
            let d = design(seed, flavour, false);
            let text = btor2::write(&d, &sources()).unwrap_or_else(|e| panic!("{context}: {e:?}"));
            compare_btor2(&gates(&d), &text, &mut Rng::with_seed(seed), 30, &context);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Yosys and ABC

/// Runs an AIGER file that Yosys wrote, with its map of ports, on a stimulus of whole ports.
fn run_map(aig: &Aig, map: &str, net: &Netlist, stimulus: &[Vec<Bits>]) -> Vec<String> {
    // Lines of the map: kind, position in the file, bit, port.
    let rows: Vec<(&str, usize, u32, String)> = map
        .lines()
        .filter(|l| l.starts_with("input ") || l.starts_with("output "))
        .map(|l| {
            let w: Vec<&str> = l.splitn(4, ' ').collect();
            (
                w[0],
                w[1].parse().expect("a number"),
                w[2].parse().expect("a bit"),
                w[3].trim_start_matches('\\').to_string(),
            )
        })
        .collect();
    let mut state: Vec<u64> = aig.latches.iter().map(|l| if l.2 == 1 { !0 } else { 0 }).collect();
    let mut lines = Vec::new();
    for values in stimulus {
        let mut inputs = vec![0; aig.inputs.len()];
        for (_, position, bit, name) in rows.iter().filter(|r| r.0 == "input") {
            if name == "entail_key" {
                continue;
            }
            let port = net.inputs.iter().position(|p| p.name == *name).unwrap_or(net.inputs.len());
            assert!(port < net.inputs.len() || name == "entail_free", "no port {name}");
            inputs[*position] = 0u64.wrapping_sub(values[port].bit(*bit) as u64);
        }
        let v = aig.evaluate(&state, &inputs);
        let mut line = vec!['?'; net.outputs.iter().map(|o| o.bits.len()).sum()];
        for (_, position, bit, _) in rows.iter().filter(|r| r.0 == "output") {
            let at = line.len() - 1 - *bit as usize;
            line[at] = if value(&v, aig.roots[0][*position]) & 1 == 1 { '1' } else { '0' };
        }
        assert!(!line.contains(&'?'), "every output bit is in the map");
        let line = line.into_iter().collect();
        lines.push(line);
        state = aig.latches.iter().map(|l| value(&v, l.1)).collect();
    }
    lines
}

/// A module around the design in which every output bit is the exclusive or with a bit that stays
/// 0: Yosys' map of an AIGER file is not to be relied on for outputs that are constant or equal.
fn wrapper(dir: &Path, net: &Netlist) {
    let mut ports: Vec<(String, usize)> = net.inputs.iter().map(|p| (identifier(&p.name), p.bits.len())).collect();
    let frees = free_width(dir) as usize;
    if frees > 0 {
        ports.push(("entail_free".into(), frees));
    }
    let inputs: String = ports.iter().map(|(n, w)| format!("input [{}:0] {n}, ", w - 1)).collect();
    let total = net.outputs.iter().map(|o| o.bits.len()).sum::<usize>();
    let mut text = format!("module wrap ({inputs}input [{0}:0] entail_key, output [{0}:0] entail_y);\n", total - 1);
    let mut connections: Vec<String> = ports.iter().map(|(n, _)| format!(".{n}({n})")).collect();
    for (i, o) in net.outputs.iter().enumerate() {
        writeln!(text, "  wire [{}:0] out{i};", o.bits.len() - 1).expect("string");
        connections.push(format!(".{}(out{i})", identifier(&o.name)));
    }
    let outputs: Vec<String> = (0..net.outputs.len()).rev().map(|i| format!("out{i}")).collect();
    writeln!(
        text,
        "  top dut ({});\n  assign entail_y = {{{}}} ^ entail_key;\nendmodule",
        connections.join(", "),
        outputs.join(", ")
    )
    .expect("string");
    std::fs::write(dir.join("wrap.v"), text).expect("written");
}

/// Yosys reads a file and writes AIGER: single-clock designs step by step, others in its own
/// global-clock encoding, which samples data one step before the edge. Data and events change in
/// different steps, so both give what the simulator gives.
fn through_yosys(dir: &Path, read: &str, net: &Netlist, flavour: Flavour, seed: u64, context: &str) {
    let clocks = if flavour == Flavour::Single { "dffunmap" } else { "clk2fflogic" };
    let write = "write_aiger -ascii -no-startoffset -map out.map out.aag";
    wrapper(dir, net);
    let script = format!(
        "{read}; read_verilog wrap.v; prep -top wrap -flatten; memory_map; {clocks}; opt -full; techmap; dffunmap; setundef -one; aigmap; \
         opt_clean; {write}"
    );
    run(dir, "yosys", &["-q", "-p", &script]);
    let aig = Aig::parse(&std::fs::read(dir.join("out.aag")).expect("written"));
    let map = std::fs::read_to_string(dir.join("out.map")).expect("written");
    let mut rng = Rng::with_seed(seed);
    if flavour != Flavour::Single {
        // Yosys lets an asynchronous control act one step longer than it is active, so each set of
        // inputs stays for two steps, and the second counts.
        let stimulus: Vec<Vec<Bits>> =
            stimulus(net, &mut rng, 60, false).into_iter().flat_map(|s| [s.clone(), s]).collect();
        let second = |lines: Vec<String>| lines.into_iter().skip(1).step_by(2).collect::<Vec<_>>();
        let (want, got) = (simulate(net, &stimulus, false), run_map(&aig, &map, net, &stimulus));
        agree(&second(want), &second(got), context, &dir.join("dut.v"));
        return;
    }
    // One step of the file is one edge: outputs before it, then the simulator's clock moves.
    let clocks =
        net.registers.iter().map(|r| r.clock).chain(net.memories.iter().flat_map(|m| &m.writes).map(|w| w.clock));
    let falling = clocks.into_iter().any(|c| c.complement());
    let mut steps = stimulus(net, &mut rng, 60, true);
    let clk = net.inputs.iter().position(|p| p.name == "clk").expect("a clock");
    let mut full = Vec::new();
    for s in &mut steps {
        for active in [false, true] {
            s[clk] = Bits::from_bool(active != falling);
            full.push(s.clone());
        }
    }
    let mut sim_lines = simulate_from(net, &full, falling);
    let mut k = 0;
    sim_lines.retain(|_| (k % 2 == 0, k += 1).0);
    agree(&sim_lines, &run_map(&aig, &map, net, &steps), context, &dir.join("dut.v"));
}

/// As [`simulate`], but the clock starts at its idle level.
fn simulate_from(net: &Netlist, stimulus: &[Vec<Bits>], high: bool) -> Vec<String> {
    let mut lines = Vec::new();
    let mut sim = Sim::<u64>::new(net, SimOptions::default());
    let clk = sim.input_index("clk").expect("a clock");
    sim.set_input(clk, 0, if high { !0 } else { 0 });
    sim.prime();
    for values in stimulus {
        for (p, v) in values.iter().enumerate().take(net.inputs.len()) {
            sim.set_input_bits(p, 0, v);
        }
        for f in 0..net.frees.len() {
            sim.set_free(f, 0u64.wrapping_sub(values[net.inputs.len()].bit(f as u32) as u64));
        }
        sim.settle().expect("settles");
        let outputs: Vec<String> = (0..net.outputs.len()).rev().map(|o| sim.output_bits(o, 0).to_binary()).collect();
        lines.push(outputs.concat());
    }
    lines
}

#[test]
fn yosys_reads_verilog_and_json_as_the_design() {
    let dir = tempfile::tempdir().expect("a directory");
    for flavour in [Flavour::Single, Flavour::Clocks, Flavour::Async] {
        for seed in 100..108 {
            let net = gates(&design(seed, flavour, true));
            std::fs::write(dir.path().join("dut.v"), verilog::write(&net, &sources())).expect("written");
            let text = json::write(&net, &sources()).expect("can be written");
            std::fs::write(dir.path().join("dut.json"), text).expect("written");
            for read in ["read_verilog dut.v", "read_json dut.json; chformal -remove"] {
                let context = format!("{flavour:?} seed {seed}, {read}");
                println!("{context}");
                through_yosys(dir.path(), read, &net, flavour, seed, &context);
            }
        }
    }
}

/// A bit without an initial value has none for Yosys either.
#[test]
fn yosys_sees_initial_values_and_where_there_are_none() {
    let dir = tempfile::tempdir().expect("a directory");
    for seed in 0..8 {
        let net = gates(&design(seed, ALL[seed as usize % 5], false));
        std::fs::write(dir.path().join("dut.v"), verilog::write(&net, &sources())).expect("written");
        let text = json::write(&net, &sources()).expect("can be written");
        std::fs::write(dir.path().join("dut.json"), text).expect("written");
        for read in ["read_verilog dut.v", "read_json dut.json"] {
            run(dir.path(), "yosys", &["-q", "-p", &format!("{read}; proc; write_json out.json")]);
            let text = std::fs::read_to_string(dir.path().join("out.json")).expect("written");
            let all: serde_json::Value = serde_json::from_str(&text).expect("JSON");
            let names = &all["modules"]["top"]["netnames"];
            let registers = net.registers.iter().map(|r| (r.net, r.init));
            for (at, init) in registers.chain(net.latches.iter().map(|l| (l.net, l.init))) {
                let owner = &net.nets[at.0 as usize];
                let entry = &names[owner.name.replace(' ', "_")];
                assert!(entry.is_object(), "seed {seed}, {read}: {}", owner.name);
                let digits = entry["attributes"]["init"].as_str().unwrap_or("");
                let got = digits.chars().rev().nth(at.1 as usize).unwrap_or('x');
                let want = init.map_or('x', |v| if v { '1' } else { '0' });
                assert_eq!(got, want, "seed {seed}, {read}: {}", owner.bit_name(at.1));
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Memories

#[test]
fn memories_are_the_same_in_every_format() {
    let dir = tempfile::tempdir().expect("a directory");
    let file = dir.path().join("dut.v");
    for seed in 0..30 {
        let context = format!("memory seed {seed}");
        println!("{context}");
        let mut rng = Rng::with_seed(seed);
        let d = memory_design(seed, true);
        let kept = gates_with(&d, 0);
        assert_eq!(kept.memories.len(), 1);
        std::fs::write(&file, verilog::write(&kept, &sources())).expect("written");
        let stimulus = stimulus(&kept, &mut rng, 60, false);
        let got = icarus(dir.path(), &kept, &stimulus, true, "-g2005");
        agree(&simulate(&kept, &stimulus, true), &got, &context, &file);

        let refused = aiger::write(&kept, &sources(), AigerOptions::default()).expect_err("it has a memory");
        assert!(refused.message.contains("`u.mem` was not turned into registers"), "{}", refused.message);

        let open = memory_design(seed, false);
        let text = btor2::write(&open, &sources()).expect("can be written");
        compare_btor2(&gates_with(&open, 0), &text, &mut rng, 40, &context);
        // With two clocks a memory stays one.
        let lowered = gates_with(&open, 1 << 20);
        if lowered.memories.is_empty() {
            let bytes = aiger::write(&lowered, &sources(), AigerOptions::default()).expect("can be written");
            compare_aiger(&lowered, &bytes, &mut rng, 40, &context);
        }
        let flavour = if kept.memories[0].writes[0].clock == kept.memories[0].writes[1].clock {
            Flavour::Single
        } else {
            Flavour::Clocks
        };
        if seed < 10 {
            std::fs::write(dir.path().join("dut.json"), json::write(&kept, &sources()).expect("can be written"))
                .expect("written");
            for read in ["read_verilog dut.v", "read_json dut.json"] {
                through_yosys(dir.path(), read, &kept, flavour, seed, &format!("{context}, {read}"));
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Designs made by hand

/// A maker with the usual inputs.
fn maker() -> Maker {
    let mut m = Maker { d: Design::new("top"), rng: Rng::with_seed(0), pool: vec![] };
    for name in EVENTS {
        m.input(name, 1);
    }
    m
}

/// `v` is a chain of its own bits, `c` an adder whose carries run upwards: loops as words, none as
/// bits. `w` is shifted by an input and masked.
#[test]
fn words_that_depend_on_their_own_lower_bits_are_no_loop() {
    let mut m = maker();
    let (x, n) = (m.input("x", 1), m.input("n", 2));
    let zero = m.d.uint(0, 1);
    let self_driven = |m: &mut Maker, name: &str, f: &dyn Fn(&mut Design, NodeId) -> NodeId| {
        let q = m.declare(name, 8, Role::Output, Source::Undriven);
        let Op::Signal(s) = *m.d.op(q) else { unreachable!() };
        let value = f(&mut m.d, q);
        m.d.signals[s.index()].drives[0].source = Source::Node(value);
    };
    self_driven(&mut m, "v", &|d, q| {
        let low = d.slice(q, 0, 7);
        let low = d.not(low);
        d.concat(&[low, x])
    });
    self_driven(&mut m, "c", &|d, q| {
        let low = d.slice(q, 0, 7);
        let (moved, k) = (d.concat(&[low, x]), d.uint(0x6c, 8));
        d.add(moved, k)
    });
    self_driven(&mut m, "p", &|d, q| {
        let low = d.slice(q, 0, 7);
        let moved = d.concat(&[low, zero]);
        let (odd, wide) = (d.uint(7, 8), d.zext(x, 8));
        let product = d.mul(moved, odd);
        d.sub(product, wide)
    });
    self_driven(&mut m, "w", &|d, q| {
        let low = d.slice(q, 0, 7);
        let moved = d.concat(&[low, x]);
        let shifted = d.shl(moved, n);
        let (mask, one) = (d.uint(0xf7, 8), d.uint(1, 8));
        let masked = d.and(shifted, mask);
        d.or(masked, one)
    });
    let text = btor2::write(&m.d, &sources()).expect("no loop");
    compare_btor2(&gates(&m.d), &text, &mut Rng::with_seed(1), 20, "chains");
}

#[test]
fn a_real_loop_is_refused() {
    let mut m = maker();
    let q = m.declare("ring", 4, Role::Output, Source::Undriven);
    let Op::Signal(s) = *m.d.op(q) else { unreachable!() };
    let (high, low) = (m.d.slice(q, 3, 1), m.d.slice(q, 0, 3));
    let turned = m.d.concat(&[low, high]);
    m.d.signals[s.index()].drives[0].source = Source::Node(turned);
    let e = btor2::write(&m.d, &sources()).expect_err("a loop");
    assert!(e.message.contains("combinational loop through ring"), "{}", e.message);
}

/// A counter that clears itself asynchronously when it reaches 5: a step ends only because of what
/// the bits mean, so it is refused by name.
#[test]
fn a_counter_that_clears_itself_is_refused() {
    let mut m = maker();
    let clk = m.named("clk");
    let r = m.register("count", 3, clk, Edge::Pos, Bits::zero(3));
    let q = m.named("count");
    let (one, five, zero) = (m.d.uint(1, 3), m.d.uint(5, 3), m.d.uint(0, 3));
    m.d.registers[r].next = m.d.add(q, one);
    let condition = m.d.eq(q, five);
    m.d.registers[r].asyncs.push(AsyncControl { condition, value: zero });
    for message in [
        aiger::write(&gates(&m.d), &sources(), AigerOptions::default()).expect_err("no end").message,
        btor2::write(&m.d, &sources()).expect_err("no end").message,
    ] {
        assert!(message.contains("may not come to rest, because count"), "{message}");
    }
}

/// Two nets that nobody drives need not be equal, and a floating value is chosen anew in each step.
#[test]
fn floating_nets_are_inputs() {
    let mut m = maker();
    let (en, x) = (m.named("set"), m.named("rst"));
    let z = m.d.high_z(1);
    let tri = m.d.mux(en, x, z);
    m.declare("a", 1, Role::Output, Source::Node(tri));
    m.declare("b", 1, Role::Output, Source::Node(tri));
    m.declare("open", 2, Role::Output, Source::Undriven);
    let text = btor2::write(&m.d, &sources()).expect("can be written");
    assert_eq!(text.matches(" entail_floating").count(), 2, "{text}");
    assert_eq!(text.matches(" entail_undriven_").count(), 1, "{text}");
    let net = gates(&m.d);
    let text = verilog::write(&net, &sources());
    assert!(text.contains("input [3:0] entail_free"), "{text}");
    let bytes = aiger::write(&net, &sources(), AigerOptions { ascii: true }).expect("can be written");
    compare_aiger(&net, &bytes, &mut Rng::with_seed(1), 20, "floating");
}

/// Nothing changes at time zero, yet the latch is open and the reset acts.
#[test]
fn latches_and_controls_act_from_the_start_in_verilog() {
    let dir = tempfile::tempdir().expect("a directory");
    let mut m = maker();
    let (clk, yes) = (m.named("clk"), m.d.bool(true));
    let on = m.register("on", 1, clk, Edge::Pos, Bits::ones(1));
    m.register("data", 2, clk, Edge::Pos, Bits::from_u64(2, 2));
    let (enable, data) = (m.named("on"), m.named("data"));
    m.d.registers[on].next = yes;
    let l = m.latch("open", enable, 2, Bits::x(2));
    m.d.latches[l].data = data;
    let r = m.register("reset", 2, clk, Edge::Pos, Bits::zero(2));
    m.d.registers[r].asyncs.push(AsyncControl { condition: enable, value: data });
    let r = m.register("tied", 2, clk, Edge::Pos, Bits::zero(2));
    m.d.registers[r].asyncs.push(AsyncControl { condition: yes, value: data });
    let net = gates(&m.d);
    let file = dir.path().join("dut.v");
    std::fs::write(&file, verilog::write(&net, &sources())).expect("written");
    let stimulus = stimulus(&net, &mut Rng::with_seed(0), 5, false);
    for generation in ["-g2005", "-g2012"] {
        let got = icarus(dir.path(), &net, &stimulus, false, generation);
        agree(&simulate(&net, &stimulus, false), &got, &format!("from the start, {generation}"), &file);
    }
}

/// A counter to 7 that an enable moves, and two claims about it.
fn counter() -> Design {
    let mut m = maker();
    let clk = m.named("clk");
    let r = m.register("u.count", 3, clk, Edge::Pos, Bits::zero(3));
    let q = m.named("u.count");
    let (one, five) = (m.d.uint(1, 3), m.d.uint(5, 3));
    let (more, en) = (m.d.add(q, one), m.named("set"));
    m.d.registers[r].next = m.d.mux(en, more, q);
    let is_five = m.d.eq(q, five);
    let (yes, not_five) = (m.d.bool(true), m.d.not(is_five));
    let span = m.span(3);
    for (name, condition) in [("never_five", not_five), ("nothing", yes)] {
        let (kind, clock) = (AssertKind::Assert, Some((clk, Edge::Pos)));
        m.d.asserts.push(Assert { kind, name: name.into(), enable: yes, condition, clock, span });
    }
    m.d
}

#[test]
fn abc_reads_aiger_and_finds_the_failure_at_its_depth() {
    let dir = tempfile::tempdir().expect("a directory");
    let mut d = counter();
    let bytes = aiger::write(&gates(&d), &sources(), AigerOptions::default()).expect("can be written");
    std::fs::write(dir.path().join("a.aig"), bytes).expect("written");
    // Outputs are properties to ABC too; the first three are bits of the counter.
    d.signals.iter_mut().filter(|s| s.role == Role::Output).for_each(|s| s.role = Role::Internal);
    let bytes = aiger::write(&gates(&d), &sources(), AigerOptions::default()).expect("can be written");
    std::fs::write(dir.path().join("b.aig"), bytes).expect("written");
    let log = run(dir.path(), "berkeley-abc", &["-c", "read a.aig; print_stats"]);
    assert!(log.contains("i/o =    3/    5") && log.contains("lat =    3"), "{log}");
    // 0, 1, 2, 3, 4, 5: the counter is 5 in the sixth frame, which ABC counts as 5.
    let log = run(dir.path(), "berkeley-abc", &["-c", "read b.aig; bmc3 -F 20"]);
    assert!(log.contains("asserted in frame 5"), "{log}");
    d.asserts.remove(0);
    let bytes = aiger::write(&gates(&d), &sources(), AigerOptions::default()).expect("can be written");
    std::fs::write(dir.path().join("c.aig"), bytes).expect("written");
    let log = run(dir.path(), "berkeley-abc", &["-c", "read c.aig; pdr"]);
    assert!(log.contains("Property proved"), "{log}");
}

/// What ABC writes back behaves as what it read: start values and symbols are understood.
#[test]
fn abc_writes_back_the_aiger_it_read() {
    let dir = tempfile::tempdir().expect("a directory");
    for seed in 200..215 {
        println!("seed {seed}");
        let flavour = ALL[seed as usize % 5];
        let mut d = design(seed, flavour, true);
        d.asserts.clear();
        let bytes = aiger::write(&gates(&d), &sources(), AigerOptions::default()).expect("can be written");
        std::fs::write(dir.path().join("a.aig"), &bytes).expect("written");
        let log = run(dir.path(), "berkeley-abc", &["-c", "read a.aig; write_aiger -s b.aig"]);
        assert!(!log.contains("failed") && !log.contains("Empty"), "{log}");
        let (a, b) = (Aig::parse(&bytes), Aig::parse(&std::fs::read(dir.path().join("b.aig")).expect("written")));
        let mut rng = Rng::with_seed(seed);
        let start = |x: &Aig| x.latches.iter().map(|l| 0u64.wrapping_sub(l.2 as u64)).collect::<Vec<_>>();
        let (mut sa, mut sb) = (start(&a), start(&b));
        for step in 0..30 {
            let inputs: Vec<u64> = a.inputs.iter().map(|_| rng.u64(..)).collect();
            let (va, vb) = (a.evaluate(&sa, &inputs), b.evaluate(&sb, &inputs));
            for (o, (x, y)) in a.roots[0].iter().zip(&b.roots[0]).enumerate() {
                assert_eq!(value(&va, *x), value(&vb, *y), "seed {seed}, step {step}, {}", a.symbol('o', o));
            }
            sa = a.latches.iter().map(|l| value(&va, l.1)).collect();
            sb = b.latches.iter().map(|l| value(&vb, l.1)).collect();
        }
    }
}

#[test]
fn yosys_sees_the_assertions_of_verilog_and_json() {
    let dir = tempfile::tempdir().expect("a directory");
    for (seed, flavour) in ALL.into_iter().enumerate() {
        let net = gates(&design(seed as u64, flavour, false));
        std::fs::write(dir.path().join("dut.v"), verilog::write(&net, &sources())).expect("written");
        std::fs::write(dir.path().join("dut.json"), json::write(&net, &sources()).expect("can be written"))
            .expect("written");
        for read in ["read_verilog -formal dut.v; prep -top top", "read_json dut.json; hierarchy -top top"] {
            let counts =
                "select -assert-count 2 t:$assert; select -assert-count 1 t:$assume; select -assert-count 1 t:$cover";
            run(dir.path(), "yosys", &["-q", "-p", &format!("{read}; {counts}; check -assert")]);
        }
    }
    // Yosys' own engine proves what holds of the counter and refutes what does not.
    for (goal, removed) in [("-falsify", None), ("-verify", Some(0))] {
        let mut d = counter();
        removed.map(|i| d.asserts.remove(i));
        let net = gates(&d);
        std::fs::write(dir.path().join("dut.v"), verilog::write(&net, &sources())).expect("written");
        std::fs::write(dir.path().join("dut.json"), json::write(&net, &sources()).expect("can be written"))
            .expect("written");
        for read in ["read_verilog -formal dut.v", "read_json dut.json"] {
            let sat = format!("sat -tempinduct -maxsteps 20 -prove-asserts {goal}");
            run(dir.path(), "yosys", &["-q", "-p", &format!("{read}; prep -top top; {sat}")]);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Snapshots

/// A counter with an asynchronous reset, an enable latch, an undriven bit, a memory and properties.
fn small() -> Design {
    let mut m = maker();
    let (clk, rst, set) = (m.named("clk"), m.named("rst"), m.named("set"));
    let data = m.input("data", 2);
    let r = m.register("u.count", 2, clk, Edge::Pos, Bits::zero(2));
    let q = m.named("u.count");
    let (zero, one) = (m.d.uint(0, 2), m.d.uint(1, 2));
    m.d.registers[r].next = m.d.add(q, one);
    let reset = m.d.not(rst);
    m.d.registers[r].asyncs.push(AsyncControl { condition: reset, value: zero });
    let l = m.latch("held", set, 2, Bits::x(2));
    m.d.latches[l].data = m.d.xor(q, data);
    let open = m.declare("open", 1, Role::Internal, Source::Undriven);
    let span = m.span(2);
    m.d.memories.push(Memory {
        name: "u.mem".into(),
        width: 2,
        size: 3,
        init: vec![(1, Bits::from_u64(2, 2))],
        writes: vec![],
        attrs: vec![],
        span,
    });
    let (enable, mask) = (m.d.and(set, open), m.d.uint(3, 2));
    m.d.memories[0].writes.push(WritePort { clock: clk, edge: Edge::Pos, enable, addr: q, data, mask, span });
    let word = m.d.mem_read(MemoryId(0), data);
    m.declare("word", 2, Role::Output, Source::Node(word));
    let condition = m.d.ult(q, one);
    let kinds = [(AssertKind::Assert, "less"), (AssertKind::Assume, "enough"), (AssertKind::Cover, "seen")];
    for (i, (kind, name)) in kinds.into_iter().enumerate() {
        let clock = (i < 2).then_some((clk, Edge::Pos));
        m.d.asserts.push(Assert { kind, name: name.into(), enable: set, condition, clock, span });
    }
    m.d
}

fn check(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots/export").join(name);
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::create_dir_all(path.parent().expect("a directory")).expect("made");
        std::fs::write(&path, text).expect("written");
        return;
    }
    let old = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    assert!(old == text, "{} differs; run with UPDATE_SNAPSHOTS=1 and read the difference\n{text}", path.display());
}

#[test]
fn every_format_of_a_small_design_is_as_it_was() {
    let map = sources();
    let (kept, lowered) = (gates_with(&small(), 0), gates(&small()));
    let ascii = |net: &Netlist| {
        let bytes = aiger::write(net, &map, AigerOptions { ascii: true }).expect("can be written");
        String::from_utf8(bytes).expect("text")
    };
    check("small.v", &verilog::write(&kept, &map));
    check("small.aag", &ascii(&lowered));
    check("small.btor2", &btor2::write(&small(), &map).expect("can be written"));
    check("small.json", &json::write(&kept, &map).expect("can be written"));
    check("small.dot", &dot::write(&kept, &map, 1000));
    check("small_summary.dot", &dot::write(&lowered, &map, 0));
    let counter = counter();
    check("counter.v", &verilog::write(&gates(&counter), &map));
    check("counter.aag", &ascii(&gates(&counter)));
    check("counter.btor2", &btor2::write(&counter, &map).expect("can be written"));
    check("counter.json", &json::write(&gates(&counter), &map).expect("can be written"));
}
