//! The two simulators that judge: Icarus Verilog (four-state, part of SystemVerilog) and Verilator
//! (two-state, nearly all of it).
//!
//! Many designs go into one run, because starting a simulator costs more than simulating. A run prints
//! every output in binary at two points of each cycle: after the inputs have changed while the clock is
//! low, and after the rising edge. The falling edge comes alone, before the inputs change, so nothing
//! races. Verilator has no `x`; it is run several times with different random values in everything that
//! was never assigned, and a bit that differs between the runs becomes `x` here.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

/// A module with its stimulus.
#[derive(Clone, Debug)]
pub struct Dut {
    /// Name of the top module.
    pub top: String,
    /// The source with all it needs; names must not clash with those of the other designs of a run.
    pub text: String,
    /// Inputs but for the clock.
    pub inputs: Vec<(String, u32)>,
    pub outputs: Vec<(String, u32)>,
    /// Whether there is an input `clk` to be toggled.
    pub clocked: bool,
    /// One value per input for each cycle, most significant bit first.
    pub vectors: Vec<Vec<String>>,
    /// Samples at the start that are not to be compared.
    pub skip: usize,
}

impl Dut {
    /// How many times the outputs are printed.
    pub fn samples(&self) -> usize {
        self.vectors.len() * if self.clocked { 2 } else { 1 }
    }

    /// The same design under names with another prefix, so that variants fit into one run.
    pub fn renamed(&self, from: &str, to: &str) -> Dut {
        Dut { top: self.top.replace(from, to), text: self.text.replace(from, to), ..self.clone() }
    }
}

/// For each point in time the value of each output, most significant bit first.
pub type Samples = Vec<Vec<String>>;

/// Simulates with Icarus; `Err` is what the tool said.
pub fn icarus(duts: &[Dut]) -> Result<Vec<Samples>, String> {
    let dir = scratch();
    let cycles = duts.iter().map(|d| d.vectors.len()).max().unwrap_or(0);
    let text = bench(duts)
        + &format!(
            "module icarus;\n bit clk = 0; bit show = 0; bit [31:0] t = 0;\n tb tb(clk, t, show);\n initial begin\n  \
             repeat ({cycles}) begin\n   #1 show = 1; #1 show = 0; #1 clk = 1; #1 show = 1; #1 show = 0; #1 clk = 0; \
             #1 t = t + 1;\n  end\n end\nendmodule\n"
        );
    files(dir.path(), duts, &text);
    let compile = run(dir.path(), "iverilog", &["-g2012", "-o", "bench.vvp", "-s", "icarus", "bench.sv"])?;
    // Icarus says sorry about what it does not do and goes on; such a run proves nothing, but for a
    // sensitivity list that is too long and a promise of the source that is not checked.
    let harmless = ["all bits will be included", "all words will be included", "qualities are ignored"];
    let said = String::from_utf8_lossy(&compile.stderr);
    if let Some(line) = said.lines().find(|l| l.contains("sorry") && !harmless.iter().any(|h| l.contains(h))) {
        return Err(line.into());
    }
    let output = run(dir.path(), "vvp", &["-n", "bench.vvp"])?;
    parse(duts, &String::from_utf8_lossy(&output.stdout))
}

/// Simulates with Verilator; `Err` is what the tool (or the C++ compiler) said.
pub fn verilator(duts: &[Dut]) -> Result<Vec<Samples>, String> {
    let dir = scratch();
    let at = dir.path();
    files(at, duts, &bench(duts));
    let cycles = duts.iter().map(|d| d.vectors.len()).max().unwrap_or(0);
    // Unoptimised: faster to build, and Verilator's optimisations are not what is to be tested.
    let flags =
        ["--cc", "-O0", "--x-assign", "unique", "--x-initial", "unique", "-Wno-fatal", "-Wno-lint", "-Wno-style"];
    // Non-blocking assignments to arrays in a loop need the loop unrolled.
    let more = ["--unroll-count", "256", "--unroll-stmts", "100000", "--top", "tb", "-Mdir", "obj", "bench.sv"];
    run(at, "verilator", &[&flags[..], &more[..]].concat())?;
    // One translation unit: the headers of Verilator take longer than the designs.
    let mut all = format!(
        "#include \"Vtb.h\"\nint main(int argc, char** argv) {{\n Verilated::commandArgs(argc, argv);\n Vtb top;\n \
         top.clk = 0; top.show = 0; top.t = 0; top.eval();\n for (int t = 0; t < {cycles}; ++t) {{\n  top.t = t; \
         top.eval(); top.show = 1; top.eval(); top.show = 0; top.eval();\n  top.clk = 1; top.eval(); top.show = 1; \
         top.eval(); top.show = 0; top.eval();\n  top.clk = 0; top.eval();\n }}\n top.final();\n}}\n"
    );
    let mut parts: Vec<PathBuf> = std::fs::read_dir(at.join("obj"))
        .map_err(|e| e.to_string())?
        .filter_map(|f| f.ok().map(|f| f.path()))
        .filter(|p| p.extension().is_some_and(|e| e == "cpp"))
        .collect();
    parts.sort();
    for p in parts {
        let _ = writeln!(all, "#include \"{}\"", p.display());
    }
    std::fs::write(at.join("all.cpp"), all).map_err(|e| e.to_string())?;
    let runtime = verilator_runtime();
    let include = format!("-I{}", runtime.include.display());
    let objects: Vec<&str> = runtime.objects.iter().map(String::as_str).collect();
    let args = [&["-O0", "-w", "-Iobj", &include, "all.cpp"][..], &objects, &["-pthread", "-latomic", "-o", "bench"]];
    run(at, "g++", &args.concat())?;
    let mut first: Option<Vec<Samples>> = None;
    for seed in ["+verilator+seed+11", "+verilator+seed+500", "+verilator+seed+60001", "+verilator+seed+7"] {
        let output = run(at, "./bench", &["+verilator+rand+reset+2", seed])?;
        let next = parse(duts, &String::from_utf8_lossy(&output.stdout))?;
        let Some(all) = &mut first else {
            first = Some(next);
            continue;
        };
        for (a, b) in all.iter_mut().flatten().flatten().zip(next.iter().flatten().flatten()) {
            if a != b {
                *a = a.chars().zip(b.chars()).map(|(a, b)| if a == b { a } else { 'x' }).collect();
            }
        }
    }
    Ok(first.unwrap_or_default())
}

/// Fails, saying how to get it, unless every tool is there.
pub fn demand_tools() {
    for (tool, flag) in [("iverilog", "-V"), ("vvp", "-V"), ("verilator", "--version"), ("g++", "--version")] {
        let found = Command::new(tool).arg(flag).output().is_ok_and(|o| o.status.success());
        assert!(found, "`{tool}` does not run; install it: apt-get install iverilog verilator g++ (`make test` does)");
    }
}

fn scratch() -> tempfile::TempDir {
    tempfile::Builder::new().prefix("entail-random-").tempdir().expect("a temporary directory")
}

/// Runs a tool with a time limit of a minute.
fn run(dir: &Path, tool: &str, args: &[&str]) -> Result<Output, String> {
    let output = Command::new("timeout")
        .arg("60")
        .arg(tool)
        .args(args)
        .current_dir(dir)
        .output()
        .map_err(|e| format!("cannot run timeout {tool}: {e}"))?;
    if output.status.success() {
        return Ok(output);
    }
    let said = String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
    // What matters may be buried under warnings.
    let errors: Vec<&str> = said
        .lines()
        .filter(|l| ["rror", "ssert", "not currently"].iter().any(|w| l.contains(w)) && !l.contains("all bits will be"))
        .take(20)
        .collect();
    let said = if errors.is_empty() { said.chars().take(2000).collect() } else { errors.join("\n") };
    Err(format!("{tool} ended with {}: {said}", output.status))
}

fn files(dir: &Path, duts: &[Dut], bench: &str) {
    std::fs::write(dir.join("bench.sv"), bench).expect("write the bench");
    for (k, d) in duts.iter().enumerate() {
        let lines: Vec<String> = d.vectors.iter().map(|v| v.concat()).collect();
        std::fs::write(dir.join(format!("v{k}.txt")), lines.join("\n") + "\n").expect("write the vectors");
    }
}

/// All designs and a module `tb` that feeds and prints them, told from outside when to do what.
fn bench(duts: &[Dut]) -> String {
    let mut text: String = duts.iter().map(|d| d.text.clone() + "\n").collect();
    text += "module tb(input bit clk, input bit [31:0] t, input bit show);\n";
    for (k, d) in duts.iter().enumerate() {
        let total: u32 = d.inputs.iter().map(|i| i.1).sum::<u32>().max(1);
        let _ = write!(
            text,
            " reg [{}:0] vec{k} [0:{}];\n initial $readmemb(\"v{k}.txt\", vec{k});\n wire [{}:0] in{k} = vec{k}[t];\n",
            total - 1,
            d.vectors.len().max(1) - 1,
            total - 1
        );
        let mut high = total;
        let mut ports = vec![];
        for (name, width) in &d.inputs {
            ports.push(format!(".{name}(in{k}[{}:{}])", high - 1, high - width));
            high -= width;
        }
        if d.clocked {
            ports.push(".clk(clk)".into());
        }
        for (n, (name, width)) in d.outputs.iter().enumerate() {
            let _ = writeln!(text, " wire [{}:0] o{k}_{n};", width - 1);
            ports.push(format!(".{name}(o{k}_{n})"));
        }
        let _ = writeln!(text, " {} u{k}({});", d.top, ports.join(", "));
        let formats = " %b".repeat(d.outputs.len());
        let values: String = (0..d.outputs.len()).map(|n| format!(", o{k}_{n}")).collect();
        let when = if d.clocked { "" } else { " && !clk" };
        let _ = writeln!(
            text,
            " always @(posedge show) if (t < {}{when}) $display(\"#{k}{formats}\"{values});",
            d.vectors.len()
        );
    }
    text + "endmodule\n"
}

fn parse(duts: &[Dut], output: &str) -> Result<Vec<Samples>, String> {
    let mut all: Vec<Samples> = vec![vec![]; duts.len()];
    for line in output.lines().filter_map(|l| l.strip_prefix('#')) {
        let mut words = line.split(' ');
        let k: usize = words.next().and_then(|w| w.parse().ok()).ok_or_else(|| format!("odd line: {line}"))?;
        all[k].push(words.map(|w| w.replace(['z', 'X', 'Z'], "x")).collect());
    }
    for (samples, d) in all.iter().zip(duts) {
        let complete = samples.len() == d.samples()
            && samples
                .iter()
                .all(|s| s.len() == d.outputs.len() && s.iter().zip(&d.outputs).all(|(v, o)| v.len() == o.1 as usize));
        if !complete {
            return Err(format!("{}: the simulator printed {} samples of {}", d.top, samples.len(), d.samples()));
        }
    }
    Ok(all)
}

struct Runtime {
    include: PathBuf,
    objects: Vec<String>,
    _dir: tempfile::TempDir,
}

/// Verilator's run-time library, built once for all runs of this process.
fn verilator_runtime() -> &'static Runtime {
    static BUILT: OnceLock<Runtime> = OnceLock::new();
    BUILT.get_or_init(|| {
        let dir = scratch();
        let root = Command::new("verilator").args(["--getenv", "VERILATOR_ROOT"]).output().expect("verilator runs");
        let include = PathBuf::from(String::from_utf8_lossy(&root.stdout).trim()).join("include");
        let mut objects = vec![];
        for part in ["verilated", "verilated_threads"] {
            let source = include.join(format!("{part}.cpp"));
            let object = dir.path().join(format!("{part}.o"));
            let (source, object) = (source.display().to_string(), object.display().to_string());
            let flag = format!("-I{}", include.display());
            if let Err(e) = run(dir.path(), "g++", &["-O1", "-w", &flag, "-c", &source, "-o", &object]) {
                panic!("Verilator's run-time library does not compile: {e}");
            }
            objects.push(object);
        }
        Runtime { include, objects, _dir: dir }
    })
}
