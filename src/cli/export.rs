//! `entail export`: the design in the language of another tool.

use super::args::{Common, Sources};
use super::{ExitCode, load, print_diagnostics};
use crate::interop::{aiger, btor2, dot, json, smv, verilog};
use crate::model::{Clocks, of_net};
use crate::net::LowerOptions;
use crate::source::Diagnostic;
use clap::{ArgMatches, Args, ValueEnum};
use std::io::Write;
use std::path::PathBuf;

/// What to write.
#[derive(Clone, Copy, ValueEnum, PartialEq, Eq, Debug)]
pub enum Target {
    /// Gate-level Verilog.
    Verilog,
    /// AIGER 1.9, binary (ASCII for a file named .aag).
    Aiger,
    /// BTOR2, word level.
    Btor2,
    /// NuSMV, a module per clock domain.
    Smv,
    /// Yosys' netlist JSON.
    Json,
    /// Graphviz.
    Dot,
}

/// Write a design for another tool.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  entail export designs/flow/rtl/gray_counter.sv --to btor2 -o counter.btor2
  entail export -f designs/uart/uart.f --to verilog
  entail export -f designs/arbiter/arbiter.f --to dot | dot -Tsvg > arbiter.svg")]
pub struct Export {
    #[command(flatten)]
    sources: Sources,
    /// Format.
    #[arg(long, value_enum)]
    to: Target,
    /// Output file; standard output if left out.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Gates drawn one by one in a DOT graph; larger designs are drawn register by register.
    #[arg(long, default_value_t = 300)]
    dot_limit: usize,
}

impl Export {
    /// Runs the subcommand.
    pub fn run(&self, m: &ArgMatches, common: &Common) -> ExitCode {
        // AIGER and models of bits know no memories: all become registers. The others keep the large ones.
        let opts = match self.to {
            Target::Aiger | Target::Smv => LowerOptions { memory_limit_bits: u64::MAX },
            _ => LowerOptions::default(),
        };
        let (e, net) = match load::netlist(m, common, &opts) {
            Ok(x) => x,
            Err(code) => return code,
        };
        let map = &e.sources;
        let ascii = self.output.as_ref().is_some_and(|p| p.extension().is_some_and(|x| x == "aag"));
        let written: Result<Vec<u8>, Diagnostic> = match self.to {
            Target::Verilog => Ok(verilog::write(&net, map).into_bytes()),
            Target::Aiger => aiger::write(&net, map, aiger::AigerOptions { ascii }),
            Target::Smv => of_net(&net, Clocks::Ticks).map(|sys| smv::write(&sys, map).into_bytes()),
            Target::Json => json::write(&net, map).map(String::into_bytes),
            Target::Dot => Ok(dot::write(&net, map, self.dot_limit).into_bytes()),
            Target::Btor2 => match &e.design {
                Some(d) => btor2::write(d, map).map(String::into_bytes),
                None => return ExitCode::Source,
            },
        };
        let bytes = match written {
            Ok(b) => b,
            Err(d) => {
                print_diagnostics(&[d], map, common);
                return ExitCode::Source;
            }
        };
        let result = match &self.output {
            Some(path) => std::fs::write(path, &bytes).map_err(|e| format!("cannot write {}: {e}", path.display())),
            None => std::io::stdout().write_all(&bytes).map_err(|e| format!("cannot write: {e}")),
        };
        if let Err(e) = result {
            eprintln!("error: {e}");
            return ExitCode::Source;
        }
        ExitCode::Ok
    }
}
