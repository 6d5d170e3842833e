//! An interpreter of BTOR2, written from its definition, and its comparison with the simulator.

use entail::net::{Netlist, Sim, SimOptions};
use entail::word::{AssertKind, Bits};
use fastrand::Rng;
use std::collections::HashMap;

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
pub fn compare_btor2(net: &Netlist, text: &str, rng: &mut Rng, steps: usize, context: &str) {
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
