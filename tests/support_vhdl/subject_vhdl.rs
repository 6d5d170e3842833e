//! The side that is judged: entail, or until its VHDL front end is there a stand-in.

use super::standin;
use crate::support::oracle::Dut;
use crate::support::subject::{Complaint, Run};

/// Who is judged, by `ENTAIL_VHDL_SUBJECT`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Subject {
    Entail,
    /// GHDL's own synthesis, written as VHDL and simulated by GHDL.
    SynthVhdl,
    /// The same written as Verilog and simulated by Icarus.
    SynthVerilog,
}

impl Subject {
    pub fn chosen() -> Subject {
        match std::env::var("ENTAIL_VHDL_SUBJECT").as_deref() {
            Err(_) | Ok("entail") => Subject::Entail,
            Ok("synth") => Subject::SynthVhdl,
            Ok("synth-verilog") => Subject::SynthVerilog,
            Ok(other) => panic!("ENTAIL_VHDL_SUBJECT={other} is none of entail, synth, synth-verilog"),
        }
    }
}

/// What the subject makes of a design: `top` of `text` with these generics, under the stimulus of `dut`.
pub fn subject(text: &str, top: &str, generics: &[(String, String)], dut: &Dut) -> Result<Run, Complaint> {
    let _ = (text, top, generics, dut);
    Err(Complaint::Refused("not built yet".into(), "the VHDL front end is not built yet".into()))
}

/// Runs whoever is chosen on a case.
pub fn run(who: Subject, case: &super::oracle::Case) -> Result<Run, Complaint> {
    match who {
        Subject::Entail => subject(&case.dut.text, &case.dut.top, &case.generics, &case.dut),
        Subject::SynthVhdl => standin::vhdl(case),
        Subject::SynthVerilog => standin::verilog(case),
    }
}
