//! `entail explain CODE`: the catalogue entry of a diagnostic.

use super::ExitCode;
use crate::source::codes;
use clap::Args;

/// Explain a diagnostic code, or list them all.
#[derive(Args, Debug)]
pub struct Explain {
    /// Code such as E0501; all codes if left out.
    code: Option<String>,
}

impl Explain {
    /// Runs the subcommand.
    pub fn run(&self) -> ExitCode {
        let Some(code) = &self.code else {
            for e in codes::all() {
                println!("{}  {}", e.code, e.title);
            }
            return ExitCode::Ok;
        };
        match codes::lookup(code) {
            Some(e) => {
                println!("{}: {}\n\n{}", e.code, e.title, e.explanation.trim());
                ExitCode::Ok
            }
            None => {
                eprintln!("error: no diagnostic has the code `{code}`\n  help: `entail explain` lists them all");
                ExitCode::Source
            }
        }
    }
}
