//! A written file as Yosys reads it: Yosys turns it into AIGER, which is run beside the simulator.

use super::aiger::{Aig, value};
use super::icarus::{free_width, identifier};
use super::random::Flavour;
use super::run;
use super::simulate::{agree, simulate, simulate_from, stimulus};
use entail::net::Netlist;
use entail::word::Bits;
use fastrand::Rng;
use std::fmt::Write;
use std::path::Path;

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
pub fn through_yosys(dir: &Path, read: &str, net: &Netlist, flavour: Flavour, seed: u64, context: &str) {
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
