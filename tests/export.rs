//! Exports against second sources: Icarus Verilog, Yosys, ABC, and small interpreters of AIGER and
//! BTOR2 written from their definitions. Every comparison is with the netlist simulator.
//!
//! The tools are installed by `make test`; a missing one fails a test rather than skipping it.
//! Snapshots: after a wanted change run with `UPDATE_SNAPSHOTS=1`, and read the difference.

mod support_export;

use entail::interop::aiger::AigerOptions;
use entail::interop::{aiger, btor2, dot, json, verilog};
use entail::net::Netlist;
use entail::word::*;
use fastrand::Rng;
use std::path::Path;
use support_export::aiger::{Aig, compare_aiger, value};
use support_export::btor2::compare_btor2;
use support_export::handmade::{counter, small};
use support_export::icarus::icarus;
use support_export::maker::{Maker, maker};
use support_export::random::{ALL, Flavour, design, memory_design};
use support_export::simulate::{agree, simulate, stimulus};
use support_export::yosys::through_yosys;
use support_export::{gates, gates_with, run, sources};

// ---------------------------------------------------------------------------------------------
// AIGER

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
