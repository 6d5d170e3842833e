//! A written Verilog file in a test bench of its own, run by Icarus Verilog.

use super::maker::EVENTS;
use super::run;
use entail::net::Netlist;
use entail::word::Bits;
use std::fmt::Write;
use std::path::Path;

/// The width of the port for free values in `dut.v`; reads beyond a memory are its upper part.
pub fn free_width(dir: &Path) -> u32 {
    let text = std::fs::read_to_string(dir.join("dut.v")).expect("written");
    let port = text.lines().find_map(|l| l.trim().strip_prefix("input [")?.strip_suffix(":0] entail_free"));
    port.map_or(0, |n| n.parse::<u32>().expect("a number") + 1)
}

pub fn identifier(name: &str) -> String {
    format!("\\{} ", name.replace(' ', "_"))
}

/// What a Verilog file's outputs are, by Icarus Verilog.
pub fn icarus(dir: &Path, net: &Netlist, stimulus: &[Vec<Bits>], from_x: bool, generation: &str) -> Vec<String> {
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
