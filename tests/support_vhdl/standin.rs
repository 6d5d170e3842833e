//! A stand-in for entail that tests the machinery: GHDL's synthesis, whose netlist is simulated again.
//!
//! What it cannot do is no failure of anybody; what it gets wrong is listed in [`wrong`], so that the
//! generators need not avoid it and entail is tested on it all the same.

use super::oracle::{self, Case};
use super::subject_vhdl::Subject;
use crate::support::oracle::{Dut, icarus};
use crate::support::subject::{Complaint, Run};

/// Constructs, by label, that GHDL 2.0's synthesis gets wrong, and how.
const WRONG: [(&str, &str); 9] = [
    ("resize signed", "narrowing drops the sign bit instead of keeping it"),
    ("rotate_", "by more than the length gives zeros"),
    ("find_", "counts from the left instead of using the indices"),
    ("binary *", "of unsigned vectors of different widths drops the topmost bit"),
    ("minimum own", "of an integer type that is never negative compares with a sign"),
    ("maximum own", "of an integer type that is never negative compares with a sign"),
    ("minimum signed integer", "extends the number with zeros"),
    ("maximum signed integer", "extends the number with zeros"),
    ("binary mod", "of integers: the sign of a negative dividend is lost"),
];

/// Constructs, by parts of their label, that GHDL 2.0's synthesis refuses, at least for some operands.
const UNABLE: [&str; 39] = [
    "nand",
    "nor",
    "?<",
    "?>",
    "?=",
    "?/=",
    "std_match",
    "imum",
    " rem ",
    "unary and",
    "unary or",
    "unary xor",
    "to_01",
    "to_x01",
    "is_x",
    "find_",
    "sll",
    "srl",
    "sla",
    "sra",
    "rol",
    "ror",
    "rotate_",
    "abs",
    "unary +",
    "**",
    "unary ??",
    "slice, variable",
    "any_of",
    "bit_vector",
    "bits_for",
    "xor bit",
    "own integer",
    " mod ",
    "binary /",
    "std_logic unsigned",
    "std_logic signed",
    "unsigned std_logic",
    "signed std_logic",
];

/// Whether somebody is a stand-in of that kind.
pub fn synthesises(who: Subject) -> bool {
    matches!(who, Subject::SynthVhdl | Subject::SynthVerilog)
}

/// Whether the stand-in may refuse something with this label.
pub fn unable(label: &str) -> bool {
    UNABLE.iter().any(|u| label.contains(u))
}

/// Why a difference in something with these labels says nothing new.
pub fn wrong(label: &str) -> Option<&'static str> {
    WRONG.iter().find(|w| label.starts_with(w.0)).map(|w| w.1)
}

/// Synthesises; `Err` says why not.
fn synthesise(case: &Case, out: &str) -> Result<String, Complaint> {
    let dir = oracle::scratch();
    std::fs::write(dir.path().join("design.vhd"), &case.dut.text).expect("write the design");
    let out = format!("--out={out}");
    let generics: Vec<String> = case.generics.iter().map(|(n, v)| format!("-g{n}={v}")).collect();
    let mut args = vec!["--synth", "--std=08", "--latches", &out];
    args.extend(generics.iter().map(String::as_str));
    args.extend(["design.vhd", "-e", &case.dut.top]);
    // It loops for ever on some recursive functions.
    match oracle::run(dir.path(), 6, &args) {
        Ok(output) => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        Err(said) => {
            let kind = said.split("error:").nth(1).unwrap_or(&said).lines().next().unwrap_or("");
            let kind = kind.rsplit_once(": ").map_or(kind, |k| k.1);
            let kind = kind.replace(|c: char| c.is_ascii_digit(), "#");
            Err(Complaint::Refused(kind, said))
        }
    }
}

pub fn vhdl(case: &Case) -> Result<Run, Complaint> {
    let text = synthesise(case, "vhdl")?;
    // The packages of the design are gone; the ports of a top do without them.
    let text: String = text.lines().filter(|l| !l.starts_with("use work.")).map(|l| format!("{l}\n")).collect();
    finish(oracle::simulate(std::slice::from_ref(case), &[&text]))
}

/// GHDL's simulation again, but every vector in a run of its own, at time zero: nothing depends on which
/// events a process waits for. Finds what GHDL misses in sensitivity lists.
pub fn fresh(case: &Case) -> Result<Run, Complaint> {
    if case.dut.clocked {
        return Err(Complaint::Refused("clocked".into(), "a clocked design has a history".into()));
    }
    let one = |v: &Vec<String>| Case { dut: Dut { vectors: vec![v.clone()], ..case.dut.clone() }, ..case.clone() };
    let cases: Vec<Case> = case.dut.vectors.iter().map(one).collect();
    let samples = oracle::simulate(&cases, &[&case.dut.text]);
    finish(samples.map(|all| vec![all.into_iter().flatten().collect()]))
}

pub fn verilog(case: &Case) -> Result<Run, Complaint> {
    let text = synthesise(case, "verilog")?;
    finish(icarus(&[Dut { text, ..case.dut.clone() }]))
}

fn finish(samples: Result<Vec<crate::support::oracle::Samples>, String>) -> Result<Run, Complaint> {
    match samples {
        Ok(mut all) => {
            let samples = all.pop().unwrap_or_default();
            Ok(Run { two: samples.clone(), three: samples, open: 0 })
        }
        Err(said) => {
            let why = said.lines().next().unwrap_or("").replace(|c: char| c.is_ascii_digit(), "#");
            Err(Complaint::Refused(format!("the netlist does not simulate: {why}"), said))
        }
    }
}
