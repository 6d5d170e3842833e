//! Model files: what is written is read back as the same system, what others write means what they mean,
//! and what is damaged is refused with a line.

// Each test program uses a part of these.
#[allow(dead_code)]
mod support_export;
mod support_models;
#[allow(dead_code)]
mod support_systems;

use entail::engine::{Control, Engine, Verdict, bmc};
use entail::front::mixed::{Request, elaborate};
use entail::interop::aiger::AigerOptions;
use entail::interop::{aiger, btor2};
use entail::model::{System, reduce};
use entail::project::filelist::parse_args;
use entail::source::SourceMap;
use fastrand::Rng;
use std::fmt::Write;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use support_export::random::{ALL, design, memory_design};
use support_export::{gates, gates_with, run, sources};
use support_models::operators::{BITS, REDUCED, UNARY, WORDS, edges, expect};
use support_models::words::compare;
use support_models::{memory, random_system, same, value};

#[global_allocator]
static ALLOCATOR: memory::Counting = memory::Counting;

fn number(name: &str, or: u64) -> u64 {
    std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(or)
}

// ---------------------------------------------------------------------------------------------
// Round trips

#[test]
fn systems_come_back_as_they_were() {
    let seed = number("ENTAIL_SEED", 1);
    let map = SourceMap::new();
    for n in 0..500 {
        let mut rng = Rng::with_seed(seed.wrapping_mul(1_000_003).wrapping_add(n));
        let sys = random_system(&mut rng);
        let context = format!("seed {seed}, system {n}");
        for ascii in [true, false] {
            let bytes = aiger::write_system(&sys, &map, AigerOptions { ascii });
            let back = aiger::read(&bytes).unwrap_or_else(|e| panic!("{context}: {e}"));
            same(&sys, &back, &mut rng, 30, &format!("{context}, AIGER"));
        }
        let text = btor2::write_system(&sys, &map);
        let back = btor2::read(text.as_bytes()).unwrap_or_else(|e| panic!("{context}: {e}\n{text}"));
        same(&sys, &back, &mut rng, 30, &format!("{context}, BTOR2"));
        let names = |s: &System| s.goals.iter().map(|g| g.symbol.name.clone()).collect::<Vec<_>>();
        assert_eq!(names(&sys), names(&back), "{context}");
    }
}

// ---------------------------------------------------------------------------------------------
// Words

/// One file with every operator on two inputs, against machine arithmetic.
#[test]
fn operators_compute_what_their_names_say() {
    let mut rng = Rng::with_seed(number("ENTAIL_SEED", 1));
    for w in [1u32, 2, 3, 4, 5, 7, 8, 13, 16, 31, 64] {
        let mut text = format!("1 sort bitvec {w}\n2 sort bitvec 1\n3 input 1 a\n4 input 1 b\n");
        let mut ops = Vec::new();
        for (list, sort, operands) in
            [(&WORDS[..], 1, "3 4"), (&BITS[..], 2, "3 4"), (&UNARY[..], 1, "3"), (&REDUCED[..], 2, "3")]
        {
            for op in list {
                let id = 10 + 2 * ops.len();
                let _ = writeln!(text, "{id} {op} {sort} {operands}\n{} output {id} {op}", id + 1);
                ops.push((*op, if sort == 1 { w } else { 1 }));
            }
        }
        let sys = btor2::read(text.as_bytes()).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let edges = edges(w);
        let mut pairs: Vec<(u128, u128)> = edges.iter().flat_map(|a| edges.iter().map(|b| (*a, *b))).collect();
        let ones = !0u128 >> (128 - w);
        pairs.extend((0..100).map(|_| (rng.u128(..) & ones, (rng.u128(..) >> rng.u32(0..w + 64)) & ones)));
        for (a, b) in pairs {
            let inputs: Vec<bool> = [a, b].iter().flat_map(|v| (0..w).map(move |i| v >> i & 1 == 1)).collect();
            let values = sys.evaluate(&[], &inputs);
            let mut at = 0;
            for (op, width) in &ops {
                let got =
                    (0..*width).map(|i| (value(&values, sys.outputs[at + i as usize].1) as u128) << i).sum::<u128>();
                assert_eq!(got, expect(op, a, b, w), "{op} of {a:#x} and {b:#x}, {w} bits");
                at += *width as usize;
            }
        }
    }
}

/// The value of the outputs in the first step, as one line of digits per output.
fn first_outputs(text: &str) -> Vec<String> {
    let sys = btor2::read(text.as_bytes()).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let state: Vec<bool> = sys.states.iter().map(|s| s.init.expect("a known start")).collect();
    let values = sys.evaluate(&state, &vec![false; sys.inputs.len()]);
    let mut lines: Vec<(String, String)> = Vec::new();
    for (s, l) in &sys.outputs {
        let word = s.name.split('[').next().unwrap_or("").to_string();
        let digit = if value(&values, *l) { '1' } else { '0' };
        match lines.last_mut() {
            Some((w, digits)) if *w == word => digits.insert(0, digit),
            _ => lines.push((word, digit.to_string())),
        }
    }
    lines.into_iter().map(|(w, d)| format!("{w}={d}")).collect()
}

#[test]
fn constants_slices_and_complements() {
    let text = "\
; all ways to write a constant
1 sort bitvec 4
2 sort bitvec 1
3 const 1 0110
4 constd 1 11
5 constd 1 -3
6 consth 1 a ; a comment
7 zero 1
8 one 1
9 ones 1
10 sort bitvec 7
11 uext 10 3 3
12 sext 10 5 3
13 sort bitvec 2
14 slice 13 4 2 1
15 sort bitvec 8
16 concat 15 3 -4
17 iff 2 -8 2
";
    // Line 17 uses a sort as an operand.
    assert_eq!(btor2::read(text.as_bytes()).err().as_deref(), Some("line 18: `2` is no value of a line before"));
    let mut text = text.lines().filter(|l| !l.contains("iff")).map(|l| format!("{l}\n")).collect::<String>();
    for (n, id) in [3, 4, 5, 6, 7, 8, 9, 11, 12, 14, 16, -16].iter().enumerate() {
        let _ = writeln!(text, "{} output {id}", 20 + n);
    }
    let got = first_outputs(&text);
    let want =
        ["0110", "1011", "1101", "1010", "0000", "0001", "1111", "0000110", "1111101", "01", "01100100", "10011011"];
    let want: Vec<String> = want.iter().enumerate().map(|(i, d)| format!("o{i}={d}")).collect();
    assert_eq!(got, want);
}

/// A memory: written in each step, read back, compared as a whole, chosen by a condition.
#[test]
fn arrays_are_words_by_address() {
    let text = "\
1 sort bitvec 2
2 sort bitvec 3
3 sort array 1 2
4 sort bitvec 1
5 constd 2 5
6 state 3 mem
7 init 3 6 5
8 input 1 addr
9 input 2 data
10 input 4 en
11 write 3 6 8 9
12 ite 3 10 11 6
13 next 3 6 12
14 read 2 12 8
15 output 14 seen
16 eq 4 12 6
17 output 16 same
";
    let sys = btor2::read(text.as_bytes()).expect("good");
    assert_eq!(sys.states.len(), 12);
    assert_eq!(sys.states[5].symbol.name, "mem[1][2]");
    let mut memory = [5usize; 4];
    let mut state: Vec<bool> = sys.states.iter().map(|s| s.init.expect("known")).collect();
    let mut rng = Rng::with_seed(1);
    for _ in 0..200 {
        let (addr, data, en) = (rng.usize(..4), rng.usize(..8), rng.bool());
        let bit = |v: usize, i: usize| v >> i & 1 == 1;
        let inputs = [bit(addr, 0), bit(addr, 1), bit(data, 0), bit(data, 1), bit(data, 2), en];
        let values = sys.evaluate(&state, &inputs);
        let old = memory;
        if en {
            memory[addr] = data;
        }
        let seen = (0..3).map(|i| (value(&values, sys.outputs[i].1) as usize) << i).sum::<usize>();
        assert_eq!(seen, memory[addr]);
        assert_eq!(value(&values, sys.outputs[3].1), old == memory);
        state = sys.states.iter().map(|s| value(&values, s.next)).collect();
        for (a, w) in memory.iter().enumerate() {
            assert_eq!((0..3).map(|i| (state[3 * a + i] as usize) << i).sum::<usize>(), *w);
        }
    }
}

/// Initial values that are expressions: over states with constants, over a state with any value, over one that
/// moves, and of a state that has no next value.
#[test]
fn initial_values_may_be_expressions() {
    let head = "1 sort bitvec 2\n2 sort bitvec 1\n3 constd 1 2\n";
    // b starts as a does, but for its complement.
    let text = format!("{head}4 state 1 a\n5 init 1 4 3\n6 state 1 b\n7 init 1 6 -4\n8 next 1 4 4\n9 next 1 6 4\n");
    let sys = btor2::read(text.as_bytes()).expect("good");
    let starts: Vec<_> = sys.states.iter().map(|s| s.init).collect();
    assert_eq!(starts, [Some(false), Some(true), Some(true), Some(false)]);
    // A bit of any value, another of a known one: no more states than bits.
    let text = format!("{head}4 state 1 any\n5 and 1 4 3\n6 state 1 b\n7 init 1 6 5\n8 next 1 6 -6\n9 output 6 b\n");
    let sys = btor2::read(text.as_bytes()).expect("good");
    assert_eq!(sys.states.iter().map(|s| s.init).collect::<Vec<_>>(), [Some(false), None]);
    assert!(sys.inputs.is_empty());
    // a starts with any value and moves; b starts as its complement. c is free but for the first step.
    let text = format!(
        "{head}4 state 1 a\n5 next 1 4 3\n6 state 1 b\n7 init 1 6 -4\n8 next 1 6 6\n9 state 1 c\n10 init 1 9 3\n\
         11 output 6 seen_b\n12 output 9 seen_c\n"
    );
    let sys = btor2::read(text.as_bytes()).expect("good");
    for a in 0..4usize {
        for choice in 0..4usize {
            let mut state: Vec<bool> = Vec::new();
            let mut free = 0;
            for s in &sys.states {
                state.push(s.init.unwrap_or_else(|| {
                    free += 1;
                    a >> (free - 1) & 1 == 1
                }));
            }
            assert_eq!(free, 2);
            for step in 0..3 {
                let inputs: Vec<bool> = (0..sys.inputs.len()).map(|i| choice >> i & 1 == 1).collect();
                let values = sys.evaluate(&state, &inputs);
                let at = |i: usize| (0..2).map(|k| (value(&values, sys.outputs[i + k].1) as usize) << k).sum::<usize>();
                assert_eq!(at(0), 3 - a, "b keeps the complement of what a started with");
                assert_eq!(at(2), if step == 0 { 2 } else { choice }, "c is 2, then as chosen");
                state = sys.states.iter().map(|s| value(&values, s.next)).collect();
            }
        }
    }
}

#[test]
fn random_designs_are_read_back_as_their_netlists() {
    let mut pairs = 0;
    for flavour in ALL {
        for seed in 0..40 {
            let context = format!("{flavour:?} seed {seed}");
            let d = design(seed, flavour, false);
            let net = gates(&d);
            let text = btor2::write(&d, &sources()).expect("can be written");
            let undef = net.net_named("undef").expect("the undefined word has a name");
            let bits =
                net.frees.iter().map(|f| undef.bits.iter().position(|l| l.gate() == f.gate).expect("a bit of it"));
            let bits: Vec<u32> = bits.map(|b| b as u32).collect();
            pairs += compare(&net, &text, &bits, &mut Rng::with_seed(seed), 30, &context);
        }
    }
    assert!(pairs > 1000, "{pairs} state bits compared");
    for seed in 0..30 {
        let d = memory_design(seed, false);
        let net = gates_with(&d, 1 << 20);
        if net.memories.is_empty() {
            let text = btor2::write(&d, &sources()).expect("can be written");
            compare(&net, &text, &[], &mut Rng::with_seed(seed), 40, &format!("memory seed {seed}"));
        }
    }
}

#[test]
fn bundled_designs_are_read_back_as_their_netlists() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("designs");
    let lines = std::fs::read_to_string(folder.join("tops.txt")).expect("designs/tops.txt");
    let mut tried = 0;
    for line in lines.lines().map(|l| l.split('#').next().unwrap_or("").trim()).filter(|l| !l.is_empty()) {
        let words: Vec<&str> = line.split_whitespace().collect();
        // One multiplier of each form is enough.
        if line.starts_with("mult/") && !line.contains("WIDTH=4") {
            continue;
        }
        let mut args = vec!["-f".to_string(), folder.join(words[0]).display().to_string()];
        args.extend(["--top".to_string(), words[1].to_string()]);
        let mut list = parse_args(&args, Path::new(""), &|_| None, &mut SourceMap::new()).expect("the list is good");
        list.params = words[2..].iter().filter_map(|w| w.split_once('=')).map(|(n, v)| (n.into(), v.into())).collect();
        let e = elaborate(&Request::new(list, None), SourceMap::new());
        let d = e.design.unwrap_or_else(|| panic!("{line}: {:?}", e.diagnostics));
        let net = gates_with(&d, u64::MAX);
        let text = btor2::write(&d, &e.sources).unwrap_or_else(|d| panic!("{line}: {}", d.message));
        compare(&net, &text, &[], &mut Rng::with_seed(1), 60, line);
        tried += 1;
    }
    assert!(tried > 80, "{tried} designs");
}

// ---------------------------------------------------------------------------------------------
// A second source

/// How many steps the first failure of each goal takes, if it comes soon.
fn depths(sys: &System) -> Vec<Option<usize>> {
    let cancel = AtomicBool::new(false);
    let ctl =
        Control { deadline: None, cancel: &cancel, nodes: 1 << 20, memory: None, depth: 10, progress: &|_, _| {} };
    let depth = |g| {
        let small = reduce(sys, g);
        match bmc::Bmc.check(&small.sys, small.goal(), &ctl).verdict {
            Verdict::Fails(path) => Some(path.inputs.len()),
            Verdict::HoldsTo(10) => None,
            other => panic!("{other:?}"),
        }
    };
    sys.goals.iter().map(depth).collect()
}

/// Modules, and how many steps their first failure takes.
const MODULES: [(&str, &str, Option<usize>); 6] = [
    (
        "counter",
        "input clk, input en, input [3:0] by); reg [7:0] n = 3; always @(posedge clk) if (en) n <= n + by;\n\
         always @(posedge clk) assert (n != 100);",
        Some(8),
    ),
    (
        "divide",
        "input clk, input [2:0] a, input [2:0] b); reg [2:0] q = 0, r = 0, x = 0, y = 1;\n\
         always @(posedge clk) begin x <= a; y <= b; q <= a / b; r <= a % b; end\n\
         always @(posedge clk) assert (y == 0 || (q * y + r == x && r < y));",
        None,
    ),
    (
        "signed_shift",
        "input clk, input signed [7:0] a, input [3:0] n); reg signed [7:0] s = 0; reg signed [7:0] t = 0;\n\
         always @(posedge clk) begin s <= a >>> n; t <= s / 8'sd3 - (s % 8'sd5); end\n\
         always @(posedge clk) assert (t > -40);",
        Some(3),
    ),
    (
        "memory",
        "input clk, input we, input [1:0] wa, input [1:0] ra, input [3:0] d); reg [3:0] m [0:3]; reg [3:0] q = 0;\n\
         integer i; initial for (i = 0; i < 4; i = i + 1) m[i] = i;\n\
         always @(posedge clk) begin q <= m[ra]; if (we) m[wa] <= m[wa] + (d & 3); end\n\
         always @(posedge clk) assert (q < 11);",
        Some(5),
    ),
    (
        "free_start",
        "input clk, input [3:0] d); reg [3:0] q; reg [1:0] k = 0; reg b;\n\
         always @(posedge clk) begin q <= {q[2:0], ^d}; if (k != 3) k <= k + 1; b <= q == 4'b1011; end\n\
         always @(posedge clk) if (k == 3) assert (!(b && q == 4'b0110));",
        Some(4),
    ),
    (
        "assumed",
        "input clk, input [3:0] d); reg [6:0] sum = 0; always @(posedge clk) sum <= sum + d;\n\
         always @* assume (d != 0 && d < 6); always @(posedge clk) assert (sum != 31 && sum != 6'd32);",
        Some(8),
    ),
];

/// What Yosys writes as BTOR2 fails as early as what it writes as AIGER.
#[test]
fn yosys_means_the_same_in_both_formats() {
    let dir = tempfile::tempdir().expect("a directory");
    for (name, body, want) in MODULES {
        std::fs::write(dir.path().join("m.sv"), format!("module {name} ({body}\nendmodule\n")).expect("written");
        let script = "read_verilog -formal -sv m.sv; prep -auto-top -nordff; async2sync; \
                      write_btor m.btor; memory_map; opt -full; techmap; opt; dffunmap; abc -g AND -fast; opt_clean; \
                      write_aiger -ascii m.aag";
        run(dir.path(), "yosys", &["-q", "-p", script]);
        let read = |file: &str| std::fs::read(dir.path().join(file)).expect("written");
        let words = btor2::read(&read("m.btor")).unwrap_or_else(|e| panic!("{name}: {e}"));
        let bits = aiger::read(&read("m.aag")).unwrap_or_else(|e| panic!("{name}: {e}"));
        let first = |s: &System| depths(s).into_iter().flatten().min();
        let (words, bits) = (first(&words), first(&bits));
        // Yosys looks at a clocked assertion with a register of its own, one step later.
        let want = want.map(|steps| steps + 1);
        assert_eq!((words, bits), (want, want), "{name} as BTOR2 and as AIGER");
    }
}
