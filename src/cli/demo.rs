//! `entail demo`: elaborates and lints the bundled designs and prints what they hold.

use super::args::Common;
use super::bundled::{FILES, TOPS};
use super::{ExitCode, print_diagnostics};
use crate::front::verilog::{Request, elaborate_texts};
use crate::net::{LowerOptions, lower};
use crate::source::Diagnostic;
use clap::Args;
use std::time::Instant;

/// Elaborate and lint the bundled designs.
#[derive(Args, Debug)]
pub struct Demo {}

impl Demo {
    /// Runs the subcommand.
    pub fn run(&self, common: &Common) -> ExitCode {
        println!(
            "{:<38}{:>8}{:>11}{:>9}{:>9}{:>9}{:>10}",
            "design", "gates", "registers", "latches", "asserts", "findings", "time"
        );
        let mut code = ExitCode::Ok;
        for (title, folder, top, params) in TOPS {
            let start = Instant::now();
            let prefix = format!("designs/{folder}/");
            let texts: Vec<(&str, &str)> = FILES.iter().copied().filter(|(p, _)| p.starts_with(&prefix)).collect();
            let request = Request {
                top: Some(top.to_string()),
                params: params.iter().map(|(n, v)| (n.to_string(), v.to_string())).collect(),
                ..Request::default()
            };
            let mut e = elaborate_texts(&texts, &request);
            let net = e.design.as_ref().map(|d| lower(d, &LowerOptions::default(), &mut e.diagnostics));
            let time = start.elapsed();
            print_diagnostics(&e.diagnostics, &e.sources, common);
            if e.diagnostics.iter().any(Diagnostic::is_error) {
                code = ExitCode::Source;
            }
            let Some(net) = net else { continue };
            let stats = net.stats();
            println!(
                "{title:<38}{:>8}{:>11}{:>9}{:>9}{:>9}{:>7.0} ms",
                stats.and + stats.xor + stats.mux,
                net.registers.len(),
                net.latches.len(),
                net.asserts.len(),
                e.diagnostics.len(),
                time.as_secs_f64() * 1e3,
            );
        }
        println!("\nEach design is in designs/, documented, with seeded bugs behind the parameter BUG.");
        println!("Try: entail lint -f designs/async_fifo/async_fifo.f --top async_fifo");
        code
    }
}
