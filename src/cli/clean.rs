//! `entail clean`: what a project has kept.

use super::ExitCode;
use super::args::Common;
use super::record::now;
use super::run::{open_store, own_folder, project};
use crate::report::words::count;
use clap::Args;
use std::path::PathBuf;

/// Remove stored results of the project.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  entail clean                   everything: results, history, traces
  entail clean --older 30        results older than 30 days; history stays")]
pub struct Clean {
    /// The project file; without it, entail.yaml here or in a folder above.
    #[arg(long, value_name = "FILE")]
    project: Option<PathBuf>,
    /// Only results that are older than this.
    #[arg(long, value_name = "DAYS", value_parser = parse_days)]
    older: Option<u64>,
}

fn parse_days(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "expected a number of days, such as 30".into())
}

impl Clean {
    /// Runs the subcommand.
    pub fn run(&self, common: &Common) -> ExitCode {
        let p = match project(self.project.as_deref(), common) {
            Ok(p) => p,
            Err(code) => return code,
        };
        let folder = own_folder(&p);
        let done = match self.older {
            Some(days) => open_store(&p)
                .and_then(|s| Ok(s.forget(now().saturating_sub(days.saturating_mul(86_400)))?))
                .map(|n| println!("{} removed", count(n as u64, "result", "results"))),
            None if !folder.exists() => Ok(()),
            None => std::fs::remove_dir_all(&folder).map_err(|e| format!("cannot remove {}: {e}", folder.display())),
        };
        match done {
            Ok(()) => ExitCode::Ok,
            Err(e) => {
                eprintln!("error: {e}");
                ExitCode::Source
            }
        }
    }
}
