//! `entail hook`: a check before each commit, for plain git.

use super::args::Common;
use super::run::{Run, project};
use super::{ExitCode, told};
use crate::project::changed::git;
use crate::project::staged::{self, Checkout, Differences};
use crate::runner::plan;
use clap::{Args, Subcommand};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Install or remove a git hook that runs jobs before each commit.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  entail hook install                the suite `smoke` before each commit
  entail hook install fifo-check     a job
  entail hook uninstall

The hook checks what is staged. If some of that must be run and the working tree differs from it, it is checked out to
.entail/staged.
For the pre-commit program, .pre-commit-hooks.yaml of entail's repository has the hooks `entail` and `entail-since`.")]
pub struct Hook {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand, Debug)]
enum What {
    /// Write the hook.
    Install {
        /// Jobs or suites.
        #[arg(value_name = "JOB|SUITE", default_value = "smoke")]
        names: Vec<String>,
        /// Write over a hook that is not ours.
        #[arg(long)]
        force: bool,
    },
    /// Remove it.
    Uninstall,
    /// Run jobs on what is staged: what the hook calls.
    #[command(hide = true)]
    Check {
        /// Jobs or suites.
        #[arg(value_name = "JOB|SUITE", required = true)]
        names: Vec<String>,
        /// The project's folder, from the uppermost one of the repository.
        #[arg(long, value_name = "DIR")]
        below: Option<PathBuf>,
    },
}

const MARK: &str = "# Written by `entail hook install`.";

impl Hook {
    /// Runs the subcommand.
    pub fn run(&self, common: &Common) -> ExitCode {
        if let What::Check { names, below } = &self.what {
            return told(check(names, below.as_deref().unwrap_or(Path::new("")), common));
        }
        let mut above = PathBuf::from(".");
        if let What::Install { names, .. } = &self.what {
            // A hook that names what is not there would stop every commit.
            let p = match project(None, common) {
                Ok(p) => p,
                Err(code) => return code,
            };
            if let Err(e) = plan::select(&p, names) {
                eprintln!("error: {e}");
                return ExitCode::Source;
            }
            above = p.folder;
        }
        told(self.go(&above).map(|text| {
            println!("{text}");
            ExitCode::Ok
        }))
    }

    /// Writes or removes the hook; `project` is the project's folder.
    fn go(&self, project: &Path) -> Result<String, String> {
        let folder = git(Path::new("."), &["rev-parse", "--git-path", "hooks"])?;
        let folder = PathBuf::from(folder.trim_end_matches('\n'));
        let path = folder.join("pre-commit");
        let old = std::fs::read_to_string(&path).ok();
        let ours = old.as_ref().is_some_and(|t| t.contains(MARK));
        match &self.what {
            What::Uninstall if ours => {
                std::fs::remove_file(&path).map_err(|e| format!("cannot remove {}: {e}", path.display()))?;
                Ok(format!("removed: {}", path.display()))
            }
            What::Uninstall if old.is_none() => {
                Err(format!("there is no hook {}\n  help: `entail hook install` writes one", path.display()))
            }
            What::Uninstall => Err(format!(
                "{} was not written by `entail hook install`\n  help: remove it by hand if it is not needed",
                path.display()
            )),
            What::Install { force, .. } if old.is_some() && !ours && !force => Err(format!(
                "{} is there already\n  help: call `entail run` from it, or --force writes over it",
                path.display()
            )),
            What::Install { names, .. } => {
                let program = std::env::current_exe().map_err(|e| e.to_string())?;
                // Git runs hooks in the uppermost folder; the project may be further down.
                let below = git(project, &["rev-parse", "--show-prefix"])?;
                let below = match below.trim_end_matches('\n') {
                    "" => String::new(),
                    folder => format!("--below {} ", super::run::quoted(folder)),
                };
                let words: Vec<String> = names.iter().map(|n| super::run::quoted(n)).collect();
                // Where entail is on the path, that one; else the one that wrote this.
                let text = format!(
                    "#!/bin/sh\n{MARK}\nentail=$(command -v entail || echo {})\nexec \"$entail\" hook check {below}{}\n",
                    super::run::quoted(&program.display().to_string()),
                    words.join(" ")
                );
                let cannot = |e: std::io::Error| format!("cannot write {}: {e}", path.display());
                std::fs::create_dir_all(&folder).map_err(cannot)?;
                std::fs::write(&path, text).map_err(cannot)?;
                std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).map_err(cannot)?;
                Ok(format!("written: {}", path.display()))
            }
            What::Check { .. } => Ok(String::new()),
        }
    }
}

/// Runs jobs on what is staged. Results are kept with those of the folder: what is known here is known there.
fn check(names: &[String], below: &Path, common: &Common) -> Result<ExitCode, String> {
    let root = staged::root()?;
    let project = root.join(below);
    let own = project.join(".entail");
    let run = Run::kept(names, &own);
    let quiet = Common { quiet: true, ..common.clone() };
    let differences = Differences::of(&root)?;
    // A project that is in no commit is that of the folder.
    if differences.is_none() || !staged::has(&root, &below.join("entail.yaml"))? {
        enter(&project)?;
        return Ok(run.run(&quiet));
    }
    let folder = own.join("staged");
    let code = match known(&run, &differences, &root, &project, &folder, &quiet)? {
        Some(code) => code,
        None => {
            let _checkout = Checkout::all(&root, &folder)?;
            enter(&folder.join(below))?;
            let code = run.run(&quiet);
            enter(&root)?;
            code
        }
    };
    if code != ExitCode::Ok {
        eprintln!("note: this is about what is staged; the working tree differs from it (`git status`)");
    }
    Ok(code)
}

/// What to leave with if everything that is asked is known of what is staged.
fn known(
    run: &Run,
    differences: &Differences,
    root: &Path,
    project: &Path,
    folder: &Path,
    common: &Common,
) -> Result<Option<ExitCode>, String> {
    // All of the project may be gone from the folder.
    if enter(project).is_err() {
        return Ok(None);
    }
    match differences.tree(root, folder)? {
        Some((tree, _bytes)) => run.if_known(tree, common),
        None => Ok(None),
    }
}

/// Paths are relative to this folder from now on.
fn enter(folder: &Path) -> Result<(), String> {
    std::env::set_current_dir(folder).map_err(|e| format!("cannot enter {}: {e}", folder.display()))
}
