//! The other simulator: one Verilator model around all designs of a run.
//!
//! A generated wrapper instantiates every design with its parameters; its ports are flat vectors,
//! so one small C++ program that copies bytes drives them all. Inputs come from a file and outputs
//! go to a file, a record per step: each port takes the bytes of the C++ type Verilator gives it.

use super::command;
use super::design::Design;
use entail::net::Netlist;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(900);

/// A built model.
pub struct Model {
    binary: std::path::PathBuf,
}

/// Bytes of the C++ type of a port.
pub fn port_bytes(width: usize) -> usize {
    match width {
        0..=8 => 1,
        9..=16 => 2,
        17..=32 => 4,
        33..=64 => 8,
        _ => width.div_ceil(32) * 4,
    }
}

/// Builds one model of all designs in `folder`. Designs must not define one module in two ways.
pub fn build(designs: &[(Design, Netlist)], folder: &Path) -> Model {
    let write = |name: &str, text: String| {
        std::fs::write(folder.join(name), text).expect("a file in a folder of ours");
    };
    write("cosim_wrapper.sv", wrapper(designs));
    write("main.cpp", main_program(designs));
    let mut verilator = Command::new("verilator");
    verilator
        .args(["--cc", "--exe", "--build", "--no-timing", "--top-module", "cosim_wrapper", "--prefix", "Vwrapper"])
        // State that the design leaves open starts at 0, and x literals are 0.
        .args(["--x-initial", "0", "--x-assign", "0"])
        .args(["-Wno-fatal", "-Wno-lint", "-Wno-style", "-Wwarn-WIDTH", "-Wfuture-WIDTHTRUNC"])
        // The compiler takes longer than the run: optimise little.
        .args(["-j", "2", "--output-split", "20000", "-MAKEFLAGS", "OPT_FAST=-O1 OPT_SLOW=-O0 OPT_GLOBAL=-O0"])
        .arg("--Mdir")
        .arg(folder.join("model"));
    let mut given: Vec<&[String]> = Vec::new();
    for (design, _) in designs {
        let words = design.reference.as_ref().unwrap_or(&design.words);
        if !given.contains(&words.as_slice()) {
            verilator.args(verilator_words(words));
            given.push(words);
        }
    }
    verilator.arg(folder.join("cosim_wrapper.sv")).arg(folder.join("main.cpp"));
    let ran = command::run(&mut verilator, LIMIT);
    assert!(ran.ok(), "Verilator failed:\n{}", ran.text);
    // A port of another width than the netlist's shows as a width warning in the wrapper.
    let wrong: Vec<&str> =
        ran.text.lines().filter(|l| l.starts_with("%Warning-WIDTH") && l.contains("cosim_wrapper.sv")).collect();
    assert!(wrong.is_empty(), "port widths differ:\n{}", wrong.join("\n"));
    Model { binary: folder.join("model/Vwrapper") }
}

/// Words for Verilator: its lists are relative to the working directory with `-f`, to the list with
/// `-F`.
fn verilator_words(words: &[String]) -> Vec<String> {
    words.iter().map(|w| if w == "-f" { "-F".to_string() } else { w.clone() }).collect()
}

impl Model {
    /// The output records for these input records.
    pub fn run(&self, input: &[u8], folder: &Path) -> Vec<u8> {
        let (from, to) = (folder.join("inputs.bin"), folder.join("outputs.bin"));
        std::fs::write(&from, input).expect("a file in a folder of ours");
        let ran = command::run(Command::new(&self.binary).arg(&from).arg(&to), LIMIT);
        assert!(ran.ok(), "the Verilator model failed: {}", ran.text);
        std::fs::read(&to).expect("what the model wrote")
    }
}

fn wrapper(designs: &[(Design, Netlist)]) -> String {
    let mut ports: Vec<String> = Vec::new();
    let mut body = String::new();
    for (i, (design, net)) in designs.iter().enumerate() {
        let mut connections: Vec<String> = Vec::new();
        let all = net.inputs.iter().map(|p| (p, true)).chain(net.outputs.iter().map(|p| (p, false)));
        for (port, is_input) in all {
            let (name, width) = (&port.name, port.bits.len());
            let direction = if is_input { "input" } else { "output" };
            let flat = format!("d{i}_{name}");
            ports.push(format!("  {direction} logic [{}:0] {flat}", width - 1));
            let unpacked = design.unpacked.iter().find(|(n, _)| n == name);
            let Some((_, element)) = unpacked else {
                connections.push(format!("    .{name}({flat})"));
                continue;
            };
            // The leftmost element is the most significant.
            let count = width / *element as usize;
            let array = format!("{flat}_array");
            let elements: Vec<String> = (0..count).map(|k| format!("{array}[{k}]")).collect();
            let elements = elements.join(", ");
            writeln!(body, "  wire [{}:0] {array} [0:{}];", element - 1, count - 1).expect("a string");
            if is_input {
                writeln!(body, "  assign {{{elements}}} = {flat};").expect("a string");
            } else {
                writeln!(body, "  assign {flat} = {{{elements}}};").expect("a string");
            }
            connections.push(format!("    .{name}({array})"));
        }
        let params: Vec<String> = design.params.iter().map(|(n, v)| format!(".{n}({v})")).collect();
        let params = if params.is_empty() { String::new() } else { format!(" #({})", params.join(", ")) };
        writeln!(body, "  {}{params} d{i} (\n{}\n  );", design.top, connections.join(",\n")).expect("a string");
    }
    format!("module cosim_wrapper (\n{}\n);\n{body}endmodule\n", ports.join(",\n"))
}

fn main_program(designs: &[(Design, Netlist)]) -> String {
    let mut copies = [String::new(), String::new()];
    let mut sizes = [0, 0];
    for (i, (_, net)) in designs.iter().enumerate() {
        for (side, ports) in [&net.inputs, &net.outputs].into_iter().enumerate() {
            for port in ports {
                let (name, bytes, at) = (&port.name, port_bytes(port.bits.len()), sizes[side]);
                let (member, record) = (format!("&top->d{i}_{name}"), format!("record{side} + {at}"));
                let (to, from) = if side == 0 { (&member, &record) } else { (&record, &member) };
                writeln!(copies[side], "    static_assert(sizeof(top->d{i}_{name}) == {bytes}, \"port size\");")
                    .expect("a string");
                writeln!(copies[side], "    std::memcpy({to}, {from}, {bytes});").expect("a string");
                sizes[side] += bytes;
            }
        }
    }
    format!(
        "#include \"Vwrapper.h\"\n#include \"verilated.h\"\n#include <cstdio>\n#include <cstring>\n\
         static unsigned char record0[{}], record1[{}];\n\
         int main(int argc, char** argv) {{\n\
         \x20 if (argc != 3) return 2;\n\
         \x20 std::FILE* in = std::fopen(argv[1], \"rb\");\n\
         \x20 std::FILE* out = std::fopen(argv[2], \"wb\");\n\
         \x20 if (!in || !out) return 2;\n\
         \x20 Verilated::commandArgs(1, argv);\n\
         \x20 Vwrapper* top = new Vwrapper;\n\
         \x20 while (std::fread(record0, {}, 1, in) == 1) {{\n{}    top->eval();\n{}\
         \x20   if (std::fwrite(record1, {}, 1, out) != 1) return 3;\n\
         \x20 }}\n\
         \x20 top->final();\n\
         \x20 delete top;\n\
         \x20 return std::fclose(out) == 0 ? 0 : 3;\n}}\n",
        sizes[0].max(1),
        sizes[1].max(1),
        sizes[0],
        copies[0],
        copies[1],
        sizes[1],
    )
}

/// Appends one port to a record.
pub fn pack(record: &mut Vec<u8>, bits: &[bool]) {
    let start = record.len();
    record.resize(start + port_bytes(bits.len()), 0);
    for (i, _) in bits.iter().enumerate().filter(|(_, b)| **b) {
        record[start + i / 8] |= 1 << (i % 8);
    }
}

/// Bit `i` of a port that starts at `at`.
pub fn unpack(record: &[u8], at: usize, i: usize) -> bool {
    record[at + i / 8] >> (i % 8) & 1 == 1
}
