//! Derived, gated and inverted clocks: by hand, and on random designs against Icarus Verilog.

use super::support::*;
use crate::net::{Sim, SimOptions};
use crate::word::*;
use std::fmt::Write;
use std::process::Command;

/// `div` halves the clock; `a` counts on the clock; `b` takes `a` on `div`; `c` takes `a` on the
/// clock. Verilog: nonblocking updates of `a` and `div` come together, then the edge of `div` sees
/// the new `a`, while `c` took the old one.
#[test]
fn a_divided_clock_samples_after_the_main_clock_updated() {
    let mut d = Design::new("divider");
    let clk = input(&mut d, "clk", 1);
    let (div, div_number) = register(&mut d, "div", 1, clk, Bits::zero(1));
    let (a, a_number) = register(&mut d, "a", 4, clk, Bits::zero(4));
    let (_, b_number) = register(&mut d, "b", 4, div, Bits::zero(4));
    let (_, c_number) = register(&mut d, "c", 4, clk, Bits::zero(4));
    d.registers[div_number].next = d.not(div);
    let one = d.uint(1, 4);
    d.registers[a_number].next = d.add(a, one);
    d.registers[b_number].next = a;
    d.registers[c_number].next = a;
    let net = netlist(&d);
    let mut sim = Sim::<u64>::new(&net, SimOptions::default());
    let mut seen = Vec::new();
    for t in 0..6 {
        sim.set_input(0, 0, if t % 2 == 0 { !0 } else { 0 });
        sim.settle().expect("settles");
        let v = |n: &str| sim.net_bits(n, 0).and_then(|b| b.to_u64());
        seen.push([v("div"), v("a"), v("b"), v("c")].map(|v| v.expect("known")));
    }
    // Edge 1: a 0->1, div rises and takes a = 1, c takes 0. Edge 2: a = 2, div falls. Edge 3: a = 3.
    assert_eq!(seen, [[1, 1, 1, 0], [1, 1, 1, 0], [0, 2, 1, 1], [0, 2, 1, 1], [1, 3, 3, 2], [1, 3, 3, 2]]);
}

#[test]
fn a_ripple_counter_counts_in_one_step() {
    let mut d = Design::new("ripple");
    let mut clock = input(&mut d, "clk", 1);
    for i in 0..8 {
        let (q, n) = register(&mut d, &format!("q{i}"), 1, clock, Bits::zero(1));
        d.registers[n].next = d.not(q);
        d.registers[n].edge = if i == 0 { Edge::Pos } else { Edge::Neg };
        clock = q;
    }
    let net = netlist(&d);
    let mut sim = Sim::<u64>::new(&net, SimOptions::default());
    for count in 1..=300u32 {
        for level in [!0, 0] {
            sim.set_input(0, 0, level);
            sim.settle().expect("settles");
            let value: u32 =
                (0..8).map(|i| (sim.lit(crate::net::Lit::new(net.registers[i].gate, false)) as u32 & 1) << i).sum();
            assert_eq!(value, count % 256);
        }
    }
}

/// A random design in both forms.
struct Pair {
    d: Design,
    verilog: String,
}

const DATA_INPUTS: usize = 3;
const REGISTERS: usize = 7;

/// Registers of one bit on the clock, its inverse, gated copies and other registers, some with
/// asynchronous controls. Derived clocks come from earlier registers, so nothing oscillates, and a
/// gate joins the input clock with one register, so that no two of its operands race.
fn random_pair(rng: &mut fastrand::Rng) -> Pair {
    let mut d = Design::new("dut");
    let mut leaves = vec![(input(&mut d, "clk", 1), "clk".to_string()), (input(&mut d, "rst", 1), "rst".to_string())];
    for i in 0..DATA_INPUTS {
        leaves.push((input(&mut d, &format!("d{i}"), 1), format!("d{i}")));
    }
    let clk = leaves[0].0;
    let mut verilog = String::new();
    let mut made: Vec<NodeId> = Vec::new();
    for i in 0..REGISTERS {
        let earlier = (i > 0).then(|| rng.usize(..i));
        let (clock, text) = match (rng.u32(..6), earlier) {
            (0, Some(j)) => (made[j], format!("posedge r{j}")),
            (1, Some(j)) => {
                let gated = d.and(clk, made[j]);
                writeln!(verilog, "  wire g{i} = clk & r{j};").expect("string");
                (gated, format!("posedge g{i}"))
            }
            (2, Some(j)) => (made[j], format!("negedge r{j}")),
            (3, _) => (clk, "negedge clk".to_string()),
            _ => (clk, "posedge clk".to_string()),
        };
        let (q, n) = register(&mut d, &format!("r{i}"), 1, clock, Bits::zero(1));
        d.registers[n].edge = if text.starts_with("neg") { Edge::Neg } else { Edge::Pos };
        let control = match (rng.u32(..4), earlier) {
            (0, _) => Some((leaves[1].0, "rst".to_string())),
            (1, Some(j)) if rng.bool() => Some((made[j], format!("r{j}"))),
            _ => None,
        };
        let mut sensitivity = text;
        let mut body = format!("r{i} <= n{i};");
        if let Some((condition, name)) = control {
            let v = rng.bool();
            let value = d.bool(v);
            d.registers[n].asyncs.push(AsyncControl { condition, value });
            write!(sensitivity, " or posedge {name}").expect("string");
            body = format!("if ({name}) r{i} <= {}; else {body}", v as u32);
        }
        writeln!(verilog, "  always @({sensitivity}) {body}").expect("string");
        made.push(q);
        leaves.push((q, format!("r{i}")));
    }
    for i in 0..REGISTERS {
        // Data is read in the process itself: a wire in between would race with the clock.
        let (next, text) = expression(&mut d, rng, &leaves[1..], 3);
        d.registers[i].next = next;
        verilog = verilog.replace(&format!("<= n{i};"), &format!("<= {text};"));
    }
    Pair { d, verilog }
}

fn expression(d: &mut Design, rng: &mut fastrand::Rng, leaves: &[(NodeId, String)], depth: u32) -> (NodeId, String) {
    if depth == 0 {
        return leaves[rng.usize(..leaves.len())].clone();
    }
    let (a, ta) = expression(d, rng, leaves, depth - 1);
    let (b, tb) = expression(d, rng, leaves, depth - 1);
    match rng.u32(..4) {
        0 => (d.and(a, b), format!("({ta} & {tb})")),
        1 => (d.xor(a, b), format!("({ta} ^ {tb})")),
        2 => (d.or(a, b), format!("({ta} | {tb})")),
        _ => (d.not(a), format!("(~{ta})")),
    }
}

#[test]
fn random_clocking_agrees_with_icarus_verilog() {
    if Command::new("iverilog").arg("-V").output().is_err() {
        eprintln!("iverilog is not installed: nothing to compare with");
        return;
    }
    let dir = std::env::temp_dir().join(format!("entail-net-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("temporary directory");
    for seed in 0..25 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let pair = random_pair(&mut rng);
        let inputs = 2 + DATA_INPUTS;
        let mut clk = 0;
        let steps: Vec<u32> = (0..80)
            .map(|_| {
                clk ^= rng.u32(..4).min(1);
                clk | ((rng.u32(..10) == 0) as u32) << 1 | rng.u32(..1 << DATA_INPUTS) << 2
            })
            .collect();
        let icarus = run_icarus(&dir, &pair.verilog, &steps);
        let net = netlist(&pair.d);
        let mut sim = Sim::<u64>::new(&net, SimOptions::default());
        for (t, s) in steps.iter().enumerate() {
            for i in 0..inputs {
                sim.set_input(i, 0, 0u64.wrapping_sub((s >> i & 1) as u64));
            }
            sim.settle().expect("settles");
            let ours: String =
                (0..REGISTERS).rev().map(|i| sim.net_bits(&format!("r{i}"), 63).expect("named").to_binary()).collect();
            assert_eq!(ours, icarus[t], "seed {seed}, step {t}\n{}", pair.verilog);
        }
    }
    std::fs::remove_dir_all(&dir).expect("temporary directory");
}

/// The registers after each step, the last one first.
fn run_icarus(dir: &std::path::Path, body: &str, steps: &[u32]) -> Vec<String> {
    let mut v = String::from("module tb;\n  reg clk, rst, d0, d1, d2;\n");
    let names: Vec<String> = (0..REGISTERS).map(|i| format!("r{i}")).collect();
    writeln!(v, "  reg {};\n{body}  initial begin", names.join(", ")).expect("string");
    v += "    {d2, d1, d0, rst, clk} = 0; #1;\n";
    // Unknown values become known, which may clock other registers; each round settles one more.
    writeln!(v, "    repeat ({}) begin {{{}}} = 0; #1; end", REGISTERS + 1, names.join(", ")).expect("string");
    let shown: Vec<&str> = names.iter().rev().map(String::as_str).collect();
    for s in steps {
        writeln!(v, "    {{d2, d1, d0, rst, clk}} = {s}; #1 $display(\"%b\", {{{}}});", shown.join(", "))
            .expect("string");
    }
    v += "  end\nendmodule\n";
    let (source, program) = (dir.join("tb.v"), dir.join("tb.vvp"));
    std::fs::write(&source, v).expect("written");
    let made = Command::new("iverilog").arg("-o").arg(&program).arg(&source).output().expect("runs");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let out = Command::new("vvp").arg(&program).output().expect("runs");
    String::from_utf8_lossy(&out.stdout).lines().map(str::to_string).collect()
}
