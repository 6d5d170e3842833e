//! The side that is judged: entail, or until its VHDL front end is there a stand-in.

use super::standin;
use crate::support::oracle::Dut;
use crate::support::subject::{Complaint, Run, panic_text, simulate_design};
use entail::front::vhdl;
use entail::source::SourceMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Who is judged, by `ENTAIL_VHDL_SUBJECT`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Subject {
    Entail,
    /// GHDL's own synthesis, written as VHDL and simulated by GHDL.
    SynthVhdl,
    /// The same written as Verilog and simulated by Icarus.
    SynthVerilog,
    /// GHDL's simulation of each vector from the start.
    Fresh,
}

impl Subject {
    pub fn chosen() -> Subject {
        match std::env::var("ENTAIL_VHDL_SUBJECT").as_deref() {
            Err(_) | Ok("entail") => Subject::Entail,
            Ok("synth") => Subject::SynthVhdl,
            Ok("synth-verilog") => Subject::SynthVerilog,
            Ok("fresh") => Subject::Fresh,
            Ok(other) => panic!("ENTAIL_VHDL_SUBJECT={other} is none of entail, synth, synth-verilog, fresh"),
        }
    }
}

/// What the subject makes of a design: `top` of `text` with these generics, under the stimulus of `dut`.
pub fn subject(text: &str, top: &str, generics: &[(String, String)], dut: &Dut) -> Result<Run, Complaint> {
    let run = catch_unwind(AssertUnwindSafe(|| {
        let dir = super::oracle::scratch();
        let path = dir.path().join("design.vhd");
        std::fs::write(&path, text).expect("write the design");
        let request = vhdl::Request {
            files: vec![(None, path)],
            cache_dir: None,
            options: vhdl::elab::Options {
                top: Some(top.to_string()),
                generics: generics.to_vec(),
                ..Default::default()
            },
        };
        simulate_design(vhdl::elaborate(&request, SourceMap::new()), dut)
    }));
    run.unwrap_or_else(|payload| Err(Complaint::Panicked(panic_text(&*payload))))
}

/// Runs whoever is chosen on a case.
pub fn run(who: Subject, case: &super::oracle::Case) -> Result<Run, Complaint> {
    match who {
        Subject::Entail => subject(&case.dut.text, &case.dut.top, &case.generics, &case.dut),
        Subject::SynthVhdl => standin::vhdl(case),
        Subject::Fresh => standin::fresh(case),
        Subject::SynthVerilog => standin::verilog(case),
    }
}
