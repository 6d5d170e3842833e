//! `entail replay`: re-check a result with other code than made it.

use super::ExitCode;
use crate::report::result::{self, Recheck};
use clap::Args;
use std::path::PathBuf;

/// Re-check the evidence of a result file.
#[derive(Args, Debug)]
pub struct Replay {
    /// A file that `entail check --json` wrote.
    #[arg(value_name = "RESULT")]
    result: PathBuf,
    /// The same from the design: a result that `entail check --json` wrote just now; the models must agree.
    #[arg(long, value_name = "RESULT")]
    against: Option<PathBuf>,
}

impl Replay {
    /// Runs the subcommand.
    pub fn run(&self) -> ExitCode {
        let read = |p: &PathBuf| {
            let text = std::fs::read_to_string(p).map_err(|e| e.to_string());
            text.and_then(|t| result::read(&t)).map_err(|e| format!("{}: {e}", p.display()))
        };
        let file = match read(&self.result) {
            Ok(f) => f,
            Err(e) => {
                eprintln!("error: {e}");
                return ExitCode::Source;
            }
        };
        if let Some(other) = &self.against {
            match read(other) {
                Ok(o) if o.models == file.models => println!("the models agree"),
                Ok(_) => {
                    eprintln!("error: the results are about different models");
                    return ExitCode::Internal;
                }
                Err(e) => {
                    eprintln!("error: {e}");
                    return ExitCode::Source;
                }
            }
        }
        let checks = match result::recheck(&file) {
            Ok(c) => c,
            Err(e) => {
                eprintln!("error: {}: {e}", self.result.display());
                return ExitCode::Internal;
            }
        };
        let mut code = ExitCode::Ok;
        for (p, c) in file.properties.iter().zip(checks) {
            let verdict = serde_json::to_value(p.verdict).ok().and_then(|v| v.as_str().map(str::to_string));
            let verdict = verdict.unwrap_or_default();
            match c {
                Recheck::Confirmed(how) => println!("confirmed  {}: {verdict}, {how}", p.name),
                Recheck::Nothing => println!("no claim   {}: {verdict}", p.name),
                Recheck::Refuted(why) => {
                    println!("REFUTED    {}: {verdict}, but {why}", p.name);
                    code = ExitCode::Internal;
                }
            }
        }
        code
    }
}
