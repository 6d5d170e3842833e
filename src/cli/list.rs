//! `entail list`: the jobs of the project.

use super::args::Common;
use super::record::now;
use super::run::{ago, open_store, project};
use super::{ExitCode, told};
use crate::report::record::{Past, Status};
use crate::report::words::count;
use crate::runner::Ended;
use crate::runner::judge::judge;
use crate::runner::plan;
use clap::Args;
use serde_json::json;
use std::path::PathBuf;

/// Runs of a job that `-v` shows.
const PASTS: usize = 5;

/// Show jobs and suites of the project file, and what became of them.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  entail list
  entail list nightly --commands
  entail list -v                     with the last runs of each, and why
  entail list --json")]
pub struct List {
    /// Jobs, suites or patterns.
    #[arg(value_name = "JOB|SUITE")]
    names: Vec<String>,
    /// The project file; without it, entail.yaml here or in a folder above.
    #[arg(long, value_name = "FILE")]
    project: Option<PathBuf>,
    /// Show the command line of each job.
    #[arg(long)]
    commands: bool,
    /// Names only.
    #[arg(long)]
    plain: bool,
    /// As JSON.
    #[arg(long)]
    json: bool,
}

impl List {
    /// Runs the subcommand.
    pub fn run(&self, common: &Common) -> ExitCode {
        told(self.go(common))
    }

    fn go(&self, common: &Common) -> Result<ExitCode, String> {
        let p = match project(self.project.as_deref(), common) {
            Ok(p) => p,
            Err(code) => return Ok(code),
        };
        if self.plain {
            let all = if self.names.is_empty() {
                (0..p.jobs.len()).collect()
            } else {
                plan::select(&p, &self.names)?.into_iter().map(|s| s.0).collect::<Vec<_>>()
            };
            all.iter().for_each(|i| println!("{}", p.jobs[*i].name));
            return Ok(ExitCode::Ok);
        }
        let store = open_store(&p)?;
        let everything = vec!["*".to_string()];
        let names = if self.names.is_empty() && !p.jobs.is_empty() { &everything } else { &self.names };
        let choice =
            plan::Choice { names, since: None, again: false, retry_unknown: false, tool: super::fingerprint() };
        let planned = plan::plan(&p, &store, &choice)?;
        let mut rows = Vec::new();
        for x in &planned {
            let state = match &x.cached {
                Some((r, _)) => judge(&x.job.expect, &Ended::Exit(r.exit), Some(r)).status.word(),
                None => "to run",
            };
            let design = p.subject(x.job);
            let last = x.history.iter().find(|h| h.status != Status::Skipped);
            if self.json {
                println!(
                    "{}",
                    json!({
                        "job": x.job.name, "kind": x.job.kind.word(), "design": design, "state": state,
                        "why": x.why, "tags": x.job.tags, "about": x.job.about, "command": x.words,
                        "history": x.history, "seconds": last.map(|l| l.seconds), "last": last.map(|l| l.status.word()),
                        "suites": p.suites.iter().filter(|s| s.jobs.iter().any(|i| std::ptr::eq(&p.jobs[*i], x.job)))
                            .map(|s| &s.name).collect::<Vec<_>>(),
                    })
                );
                continue;
            }
            let took = last.map_or(String::new(), |l| format!("{:.1} s", l.seconds));
            rows.push([
                x.job.name.clone(),
                x.job.kind.word().into(),
                design,
                state.into(),
                took,
                if state == "to run" { x.why.clone() } else { x.job.about.clone() },
            ]);
            let below = |text: String| [String::new(), text, "".into(), "".into(), "".into(), "".into()];
            if self.commands {
                let words: Vec<String> = x.words.iter().map(|w| super::run::quoted(w)).collect();
                rows.push(below(format!("entail {}", words.join(" "))));
            }
            if common.verbose {
                rows.extend(pasts(&x.history).map(below));
            }
        }
        if self.json {
            return Ok(ExitCode::Ok);
        }
        let width =
            |c: usize| rows.iter().filter(|r| !r[0].is_empty()).map(|r| r[c].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..5).map(width).collect();
        for r in &rows {
            if r[0].is_empty() {
                println!("    {}", r[1]);
                continue;
            }
            let cells: Vec<String> = (0..5).map(|c| format!("{:<w$}", r[c], w = widths[c])).collect();
            println!("{}", format!("{}  {}", cells.join("  "), r[5]).trim_end());
        }
        if self.names.is_empty() {
            for s in &p.suites {
                let jobs = count(s.jobs.len() as u64, "job", "jobs");
                println!("{}", format!("suite {}: {jobs}  {}", s.name, s.about).trim_end());
            }
        }
        Ok(ExitCode::Ok)
    }
}

/// The last times that a job was really run, and why.
fn pasts(history: &[Past]) -> impl Iterator<Item = String> {
    let ran = history.iter().filter(|p| !p.cached && p.status != Status::Skipped).take(PASTS);
    ran.map(|p| {
        let commit = p.commit.as_ref().map_or(String::new(), |c| format!(" at {c}"));
        let why = p.why.as_ref().map_or(String::new(), |w| format!(": {w}"));
        format!("{} {}{commit}{why}", p.status.word(), ago(now().saturating_sub(p.at)))
    })
}
