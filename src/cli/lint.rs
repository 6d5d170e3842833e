//! `entail lint`: elaborate, lower, report what was found and what the netlist holds.

use super::args::{Common, Sources};
use super::{ExitCode, load};
use crate::net::LowerOptions;
use clap::{ArgMatches, Args};

/// Elaborate a design to gates and report latches, loops, undriven nets and other findings.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  entail lint -f designs/alu/alu.f
  entail lint designs/flow/rtl/*.sv --top event_count
  entail lint designs/flow/rtl/saturate.sv --netlist
  entail lint -f designs/bus/bus.f --format json     for editors")]
pub struct Lint {
    #[command(flatten)]
    sources: Sources,
    /// Print the word-level design.
    #[arg(long)]
    word: bool,
    /// Print the netlist.
    #[arg(long)]
    netlist: bool,
}

impl Lint {
    /// Runs the subcommand.
    pub fn run(&self, m: &ArgMatches, common: &Common) -> ExitCode {
        let (e, net) = match load::netlist(m, common, &LowerOptions::default()) {
            Ok(x) => x,
            Err(code) => return code,
        };
        if self.word
            && let Some(d) = &e.design
        {
            print!("{d}");
        }
        if self.netlist {
            print!("{net}");
        }
        if !common.quiet && !self.word && !self.netlist && common.format == crate::source::Format::Full {
            println!("{}: {}", net.name, net.stats());
        }
        ExitCode::Ok
    }
}
