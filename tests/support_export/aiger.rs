//! An interpreter of AIGER, written from its definition, and its comparison with the simulator.

use entail::net::{Lit, Net, Netlist, Sim, SimOptions};
use entail::word::AssertKind;
use fastrand::Rng;
use std::collections::{BTreeMap, HashMap};

/// A parsed AIGER file, ascii or binary.
pub struct Aig {
    pub inputs: Vec<u32>,
    /// Literal, next, reset (0, 1 or the literal itself).
    pub latches: Vec<(u32, u32, u32)>,
    /// Outputs, then bad states, then constraints.
    pub roots: [Vec<u32>; 3],
    ands: Vec<(u32, u32, u32)>,
    symbols: BTreeMap<String, String>,
}

impl Aig {
    pub fn parse(bytes: &[u8]) -> Aig {
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

    pub fn symbol(&self, letter: char, i: usize) -> &str {
        self.symbols.get(&format!("{letter}{i}")).map_or("", String::as_str)
    }

    /// Values of all variables in 64 lanes.
    pub fn evaluate(&self, state: &[u64], inputs: &[u64]) -> Vec<u64> {
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

pub fn value(v: &[u64], l: u32) -> u64 {
    v[l as usize / 2] ^ (l as u64 & 1).wrapping_neg()
}

/// All bits of ports by name, with the port and bit.
fn bit_names(ports: &[Net]) -> HashMap<String, Lit> {
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
pub fn compare_aiger(net: &Netlist, bytes: &[u8], rng: &mut Rng, steps: usize, context: &str) {
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
