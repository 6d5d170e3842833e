//! `entail view`: what is known of the project, to look at.

use super::args::Common;
use super::run::{own_folder, project, quoted};
use super::{ExitCode, run_words};
use clap::Args;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Write a report of what is known, running nothing, and open it in a browser.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  entail view
  entail view --no-open          only writes .entail/report.html")]
pub struct View {
    /// The project file; without it, entail.yaml here or in a folder above.
    #[arg(long, value_name = "FILE")]
    project: Option<PathBuf>,
    /// Do not open it.
    #[arg(long)]
    no_open: bool,
}

impl View {
    /// Runs the subcommand.
    pub fn run(&self, common: &Common) -> ExitCode {
        let p = match project(self.project.as_deref(), common) {
            Ok(p) => p,
            Err(code) => return code,
        };
        let path = own_folder(&p).join("report.html");
        let shown = path.display().to_string();
        let mut words = vec!["entail", "run", "*", "--known-only", "--quiet", "--report", &shown];
        let file = self.project.as_ref().map(|f| f.display().to_string());
        if let Some(f) = &file {
            words.extend(["--project", f]);
        }
        let code = run_words(words);
        if code == ExitCode::Source {
            return code;
        }
        println!("written: {}", quoted(&shown));
        if !self.no_open && std::io::stdout().is_terminal() {
            // Where there is no desktop, the path is all there is to say.
            let opened = Command::new("xdg-open").arg(&path).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
            drop(opened);
        }
        ExitCode::Ok
    }
}
