//! GHDL as the judge: it simulates designs with generated test benches.
//!
//! Many designs go into one run, because starting GHDL and reading the IEEE packages costs more than
//! simulating. The protocol is that of the SystemVerilog judges: every output is printed after the
//! inputs have changed while the clock is low, and after the rising edge. The falling edge comes alone,
//! before the inputs change.

use crate::support::oracle::{Dut, Samples};
use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Output};

/// A VHDL design with its stimulus: a [`Dut`] and what a test bench has to know besides.
#[derive(Clone, Debug)]
pub struct Case {
    pub dut: Dut,
    /// Generics of the top entity with values, as text.
    pub generics: Vec<(String, String)>,
    /// The types of the ports as declared: inputs, then outputs; `clk` is a `std_logic`.
    pub marks: Vec<String>,
}

impl Case {
    /// The same design under names with another prefix.
    pub fn renamed(&self, from: &str, to: &str) -> Case {
        Case { dut: self.dut.renamed(from, to), ..self.clone() }
    }
}

/// Seconds of processor time for one run of GHDL, which takes less than one unless it hangs.
const LIMIT: u32 = 20;

/// Fails, saying how to get it, unless GHDL is there.
pub fn demand_tools() {
    let found = Command::new("ghdl").arg("--version").output().is_ok_and(|o| o.status.success());
    assert!(found, "`ghdl` does not run; install it: apt-get install ghdl");
}

/// Simulates; `Err` is what GHDL said.
pub fn ghdl(cases: &[Case]) -> Result<Vec<Samples>, String> {
    let texts: Vec<&str> = cases.iter().map(|c| c.dut.text.as_str()).collect();
    simulate(cases, &texts)
}

/// Simulates other texts for the same top entities under the same stimulus.
pub fn simulate(cases: &[Case], texts: &[&str]) -> Result<Vec<Samples>, String> {
    let dir = scratch();
    let at = dir.path();
    std::fs::write(at.join("designs.vhd"), texts.join("\n")).expect("write the designs");
    std::fs::write(at.join("bench.vhd"), bench(cases)).expect("write the bench");
    for (k, c) in cases.iter().enumerate() {
        let lines: Vec<String> = c.dut.vectors.iter().map(|v| v.concat()).collect();
        std::fs::write(at.join(format!("v{k}.txt")), lines.join("\n") + "\n").expect("write the vectors");
    }
    let output = run(
        at,
        LIMIT,
        // Analysis, elaboration and run in one process. Metavalues before the first delta cycle would
        // make the packages talk.
        &["-c", "--std=08", "designs.vhd", "bench.vhd", "-r", "entail_bench", "--ieee-asserts=disable"],
    )?;
    parse(cases, &String::from_utf8_lossy(&output.stdout))
}

pub fn scratch() -> tempfile::TempDir {
    tempfile::Builder::new().prefix("entail-vhdl-").tempdir().expect("a temporary directory")
}

/// Runs GHDL with a limit in seconds on its processor time, so that a busy machine does not matter, and a
/// loose one on the time it takes.
pub fn run(dir: &Path, limit: u32, args: &[&str]) -> Result<Output, String> {
    let output = Command::new("sh")
        .args(["-c", "ulimit -t $0; wall=$1; shift; exec timeout -k 2 $wall ghdl \"$@\""])
        .args([limit.to_string(), (10 * limit).to_string()])
        .args(args)
        .current_dir(dir)
        .output()
        .map_err(|e| format!("cannot run ghdl: {e}"))?;
    if output.status.success() {
        return Ok(output);
    }
    let said = String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
    let said: Vec<&str> = said.lines().filter(|l| !l.starts_with('#')).take(12).collect();
    Err(format!("ghdl ended with {}: {}", output.status, said.join("\n")))
}

/// How a port of this type takes a `std_logic_vector`, and how long it is.
fn from_bits(mark: &str, bits: &str) -> String {
    match mark.split('(').next().unwrap_or("") {
        "std_logic" => bits.to_string(),
        "std_logic_vector" => bits.to_string(),
        other => format!("{other}({bits})"),
    }
}

/// The package with what benches share, one bench for each design, and a top over all of them.
fn bench(cases: &[Case]) -> String {
    let uses = "library ieee; use ieee.std_logic_1164.all; use ieee.numeric_std.all; use std.textio.all;\n";
    let mut text = format!(
        "{uses}package entail_tools is\n  function bits(s : string) return std_logic_vector;\n  function show(x : \
         std_logic) return string;\n  function show(x : std_logic_vector) return string;\n  function show(x : unsigned) \
         return string;\n  function show(x : signed) return string;\nend package;\npackage body entail_tools is\n  \
         function bits(s : string) return std_logic_vector is\n    variable r : std_logic_vector(s'length - 1 downto 0) \
         := (others => '0');\n  begin\n    for i in s'range loop\n      if s(i) = '1' then r(s'length - i) := '1'; end \
         if;\n    end loop;\n    return r;\n  end function;\n  function show(x : std_logic) return string is\n    \
         constant v : std_logic_vector(0 to 0) := (others => x);\n  begin return to_string(v); end function;\n  \
         function show(x : std_logic_vector) return string is begin return to_string(x); end function;\n  function \
         show(x : unsigned) return string is begin return to_string(std_logic_vector(x)); end function;\n  function \
         show(x : signed) return string is begin return to_string(std_logic_vector(x)); end function;\nend package \
         body;\n"
    );
    for (k, c) in cases.iter().enumerate() {
        text += uses;
        text += "use work.entail_tools.all;\n";
        let _ = writeln!(text, "entity entail_bench{k} is end entity;\narchitecture run of entail_bench{k} is");
        one_bench(&mut text, k, c);
    }
    text += "entity entail_bench is end entity;\narchitecture run of entail_bench is\nbegin\n";
    for k in 0..cases.len() {
        let _ = writeln!(text, "  b{k} : entity work.entail_bench{k};");
    }
    text + "end architecture;\n"
}

fn one_bench(text: &mut String, k: usize, c: &Case) {
    let d = &c.dut;
    let mut ports = vec![];
    if d.clocked {
        *text += "  signal clk : std_logic := '0';\n";
        ports.push("clk => clk".into());
    }
    let (ins, outs) = c.marks.split_at(d.inputs.len());
    let total: u32 = d.inputs.iter().map(|i| i.1).sum();
    let mut high = total;
    let mut apply = String::new();
    for (n, ((name, width), mark)) in d.inputs.iter().zip(ins).enumerate() {
        // The first values are there from the start, so that they are no events.
        let first = d.vectors.first().map_or("", |v| v[n].as_str());
        let (first, bits) = match mark.as_str() {
            "std_logic" => (format!("'{first}'"), format!("bench_v({})", high - 1)),
            _ => (format!("\"{first}\""), format!("bench_v({} downto {})", high - 1, high - width)),
        };
        high -= width;
        let _ = writeln!(text, "  signal {name} : {mark} := {first};");
        let _ = writeln!(apply, "      {name} <= {};", from_bits(mark, &bits));
        ports.push(format!("{name} => {name}"));
    }
    let mut show = vec![];
    for ((name, _), mark) in d.outputs.iter().zip(outs) {
        let _ = writeln!(text, "  signal {name} : {mark};");
        ports.push(format!("{name} => {name}"));
        show.push(format!(" & \" \" & show({name})"));
    }
    let generics: Vec<String> = c.generics.iter().map(|(n, v)| format!("{n} => {v}")).collect();
    let generics = if generics.is_empty() { String::new() } else { format!(" generic map ({})", generics.join(", ")) };
    let show = format!("      write(output, \"#{k}\"{} & LF);\n", show.concat());
    let clock = "      clk <= '1'; wait for 1 ns;\n";
    let clock = if d.clocked { format!("{clock}{show}      clk <= '0'; wait for 1 ns;\n") } else { String::new() };
    let _ = write!(
        text,
        "begin\n  dut : entity work.{}{generics} port map ({});\n  process\n    file bench_f : text open read_mode is \
         \"v{k}.txt\";\n    variable bench_l : line;\n    variable bench_s : string(1 to {});\n    variable bench_v : \
         std_logic_vector({} downto 0);\n  begin\n    for bench_t in 1 to {} loop\n      readline(bench_f, bench_l); read(bench_l, bench_s); \
         bench_v := bits(bench_s);\n{apply}      wait for 1 ns;\n{show}{clock}    end loop;\n    wait;\n  end process;\nend \
         architecture;\n",
        d.top,
        ports.join(", "),
        total,
        total as i64 - 1,
        d.vectors.len()
    );
}

fn parse(cases: &[Case], output: &str) -> Result<Vec<Samples>, String> {
    let mut all: Vec<Samples> = vec![vec![]; cases.len()];
    for line in output.lines().filter_map(|l| l.strip_prefix('#')) {
        let mut words = line.split(' ');
        let k: usize = words.next().and_then(|w| w.parse().ok()).ok_or_else(|| format!("odd line: {line}"))?;
        // Weak levels are levels; everything else is unknown.
        let value = |c: char| match c {
            '0' | 'L' => '0',
            '1' | 'H' => '1',
            _ => 'x',
        };
        all[k].push(words.map(|w| w.chars().map(value).collect()).collect());
    }
    for (samples, Case { dut, .. }) in all.iter().zip(cases) {
        let fits = |s: &Vec<String>| {
            s.len() == dut.outputs.len() && s.iter().zip(&dut.outputs).all(|(v, o)| v.len() == o.1 as usize)
        };
        if samples.len() != dut.samples() || !samples.iter().all(fits) {
            return Err(format!("{}: ghdl printed {} samples of {}", dut.top, samples.len(), dut.samples()));
        }
    }
    Ok(all)
}
