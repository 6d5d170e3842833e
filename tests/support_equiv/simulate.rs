//! Both designs side by side in Icarus Verilog, with the same random inputs.

use super::{Pair, run};
use crate::support_bundled::{random_bits, stimulus};
use entail::net::Netlist;
use fastrand::Rng;
use std::fmt::Write;

/// Runs both from a reset. A bit that is known on both sides must be the same; gives the share of bits
/// that were, or the first difference.
pub fn simulate(pair: &Pair, net: &Netlist, seed: u64) -> Result<f64, String> {
    let dir = pair.dir.path();
    let mut rng = Rng::with_seed(seed);
    let steps = stimulus(net, &mut rng);
    let mut open = String::new();
    let mut lines = String::new();
    for (k, step) in steps.iter().enumerate() {
        // What the design leaves open is data.
        if k % 2 == 0 {
            open = random_bits(pair.free, &mut rng);
        }
        let _ = writeln!(lines, "{}{open}", step.concat());
    }
    std::fs::write(dir.join("vectors.txt"), lines).expect("written");
    std::fs::write(dir.join("bench.v"), bench(pair, steps.len())).expect("written");
    run(dir, 60, "iverilog", &["-g2012", "-s", "bench", "-o", "bench.vvp", "bench.v", "gold.v", "gate.v"])?;
    let said = run(dir, 300, "vvp", &["-n", "bench.vvp"])?;
    let numbers = said.lines().find_map(|l| l.strip_prefix("known "));
    let Some((known, all)) = numbers.and_then(|n| n.trim().split_once(" of ")) else { return Err(said) };
    let number = |t: &str| t.trim().parse::<f64>().expect("a number");
    Ok(number(known) / number(all))
}

fn bench(pair: &Pair, steps: usize) -> String {
    let inputs: Vec<_> = pair.ports.iter().filter(|p| p.inward).collect();
    let total = inputs.iter().map(|p| p.width).sum::<usize>() + pair.free;
    let width: usize = pair.ports.iter().filter(|p| !p.inward).map(|p| p.width).sum();
    let mut out = format!(
        "module bench;\n  reg [{0}:0] vectors [0:{1}];\n  reg [{0}:0] now = 0;\n  integer k, b, known;\n  \
         reg [{2}:0] difference;\n",
        total - 1,
        steps - 1,
        width - 1
    );
    if pair.free > 0 {
        let _ = writeln!(out, "  wire [{0}:0] entail_free = now[{0}:0];", pair.free - 1);
    }
    // The first port is the most significant part of a line.
    let low = |name: &str| {
        let after = inputs.iter().skip_while(|p| p.name != name).skip(1);
        after.map(|p| p.width).sum::<usize>() + pair.free
    };
    out += &pair.instances(|p| format!("now[{}:{}]", low(&p.name) + p.width - 1, low(&p.name)));
    let (gold, gate) = (pair.outputs("gold"), pair.outputs("gate"));
    let _ = writeln!(
        out,
        "  initial begin\n    $readmemb(\"vectors.txt\", vectors);\n    known = 0;\n    #1;\n    \
         for (k = 0; k < {steps}; k = k + 1) begin\n      now = vectors[k];\n      #1;\n      \
         difference = {gold} ^ {gate};\n      for (b = 0; b < {width}; b = b + 1) begin\n        \
         if (difference[b] === 1'b0) known = known + 1;\n        \
         if (difference[b] === 1'b1) begin\n          $display(\"step %0d: GHDL %b, entail %b\", k, {gold}, {gate});\n          \
         $finish;\n        end\n      end\n    end\n    $display(\"known %0d of %0d\", known, {steps} * {width});\n    \
         $finish;\n  end\nendmodule"
    );
    out
}
