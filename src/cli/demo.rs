//! `entail demo`: elaborates and lints the bundled designs, and model-checks one of them with and without a bug.

use super::args::Common;
use super::bundled::{FILES, TOPS};
use super::{ExitCode, print_diagnostics};
use crate::front::mixed::{Request, elaborate};
use crate::net::{LowerOptions, lower};
use crate::project::filelist::parse_args;
use crate::source::{Diagnostic, SourceMap};
use clap::Args;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Elaborate and lint the bundled designs, and check one.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  entail demo
  entail demo --quiet")]
pub struct Demo {}

impl Demo {
    /// Runs the subcommand.
    pub fn run(&self, common: &Common) -> ExitCode {
        let folder = std::env::temp_dir().join(format!("entail-demo-{}", std::process::id()));
        let code = match unpack(&folder) {
            Ok(()) => show(&folder, common),
            Err(e) => {
                eprintln!("error: cannot write the bundled designs to `{}`: {e}", folder.display());
                eprintln!("  help: set TMPDIR to a folder that can be written");
                ExitCode::Source
            }
        };
        // What cannot be removed stays in the temporary folder.
        let _ = std::fs::remove_dir_all(&folder);
        code
    }
}

/// Writes the bundled files: front ends read files.
fn unpack(folder: &Path) -> std::io::Result<()> {
    for (name, text) in FILES {
        let path: PathBuf = folder.join(name);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        std::fs::write(path, text)?;
    }
    Ok(())
}

fn show(folder: &Path, common: &Common) -> ExitCode {
    println!(
        "{:<38}{:>8}{:>11}{:>9}{:>9}{:>9}{:>10}",
        "design", "gates", "registers", "latches", "asserts", "findings", "time"
    );
    let mut code = ExitCode::Ok;
    for (title, list, top, params) in TOPS {
        let start = Instant::now();
        let mut words = vec!["-f".to_string(), folder.join(list).display().to_string()];
        words.extend(["--top".to_string(), top.to_string()]);
        words.extend(params.iter().map(|(n, v)| format!("-P{n}={v}")));
        let mut map = SourceMap::new();
        let request = match parse_args(&words, Path::new(""), &|_| None, &mut map) {
            Ok(list) => Request::new(list, None),
            Err(d) => {
                print_diagnostics(&d, &map, common);
                return ExitCode::Source;
            }
        };
        let mut e = elaborate(&request, map);
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
    // One that is right and one that is not; the second is expected to leave with 1.
    for bug in ["0", "2"] {
        let list = folder.join("arbiter/arbiter.f").display().to_string();
        println!("\n$ entail check -f designs/arbiter/arbiter.f --top arbiter -P BUG={bug}");
        let bug_word = format!("BUG={bug}");
        let words = ["entail", "check", "-f", &list, "--top", "arbiter", "-P", &bug_word, "--only", "_8", "--no-cache"];
        let expected = if bug == "0" { ExitCode::Ok } else { ExitCode::Unexpected };
        let said = super::run_words(words);
        if said != expected {
            code = code.worst(said);
        }
    }
    println!("\nEach design is in designs/, documented, with seeded bugs behind the parameter BUG.");
    println!("Try: entail check -f designs/async_fifo/async_fifo.f --top async_fifo -P LOG_DEPTH=1");
    code
}
