//! A stand-in for entail that tests the machinery: GHDL's synthesis, whose netlist is simulated again.
//!
//! What it cannot do is no failure of anybody; what it gets wrong is listed in [`wrong`], so that the
//! generators need not avoid it and entail is tested on it all the same.

use super::oracle::{self, Case};
use crate::support::oracle::{Dut, icarus};
use crate::support::subject::{Complaint, Run};

/// Synthesises; `Err` says why not.
fn synthesise(case: &Case, out: &str) -> Result<String, Complaint> {
    let dir = oracle::scratch();
    std::fs::write(dir.path().join("design.vhd"), &case.dut.text).expect("write the design");
    let out = format!("--out={out}");
    let generics: Vec<String> = case.generics.iter().map(|(n, v)| format!("-g{n}={v}")).collect();
    let mut args = vec!["--synth", "--std=08", &out];
    args.extend(generics.iter().map(String::as_str));
    args.extend(["design.vhd", "-e", &case.dut.top]);
    match oracle::run(dir.path(), &args) {
        Ok(output) => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        Err(said) => {
            let kind = said.split("error:").nth(1).unwrap_or(&said).lines().next().unwrap_or("");
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
        Err(said) => Err(Complaint::Refused("the netlist does not simulate".into(), said)),
    }
}
