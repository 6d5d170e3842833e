//! `entail completions`, `entail man` and `entail docs`: texts made from the program's own definitions.

use super::{Cli, ExitCode};
use crate::project::docs;
use clap::{Args, CommandFactory, ValueEnum};
use clap_complete::Shell;
use std::path::PathBuf;

/// Print completions for a shell.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  entail completions bash > ~/.local/share/bash-completion/completions/entail
  entail completions zsh  > ~/.zfunc/_entail
  entail completions fish > ~/.config/fish/completions/entail.fish")]
pub struct Completions {
    /// The shell.
    #[arg(value_enum)]
    shell: Shell,
}

impl Completions {
    /// Runs the subcommand.
    pub fn run(&self) -> ExitCode {
        let mut text = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "entail", &mut text);
        print!("{}", String::from_utf8_lossy(&text));
        ExitCode::Ok
    }
}

/// Print the manual page, or write all of them into a folder.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  entail man | man -l -
  entail man --into ~/.local/share/man/man1")]
pub struct Man {
    /// Write one page for each subcommand into this folder.
    #[arg(long, value_name = "DIR")]
    into: Option<PathBuf>,
}

impl Man {
    /// Runs the subcommand.
    pub fn run(&self) -> ExitCode {
        let Some(folder) = &self.into else {
            let mut text = Vec::new();
            return match clap_mangen::Man::new(Cli::command()).render(&mut text) {
                Ok(()) => {
                    print!("{}", String::from_utf8_lossy(&text));
                    ExitCode::Ok
                }
                Err(e) => failed(&e.to_string()),
            };
        };
        let made = std::fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(Cli::command(), folder));
        match made {
            Ok(()) => ExitCode::Ok,
            Err(e) => failed(&format!("cannot write to {}: {e}\n  help: --into takes a folder", folder.display())),
        }
    }
}

fn failed(why: &str) -> ExitCode {
    eprintln!("error: {why}");
    ExitCode::Source
}

/// Print documentation that is made from the program itself.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  entail docs project
  entail docs report-schema > report.schema.json")]
pub struct Docs {
    /// Which.
    #[arg(value_enum)]
    page: Page,
}

#[derive(Clone, Copy, ValueEnum, Debug)]
enum Page {
    /// The project file.
    Project,
    /// Rules for clock crossings.
    Rules,
    /// Properties for `--attach`.
    Properties,
    /// The JSON Schema of `entail run --json`.
    ReportSchema,
}

impl Docs {
    /// Runs the subcommand.
    pub fn run(&self) -> ExitCode {
        match self.page {
            Page::Project => print!("{}", docs::project()),
            Page::Rules => print!("{}", rules()),
            Page::Properties => print!("{}", properties()),
            Page::ReportSchema => println!("{:#}", crate::report::schema::report()),
        }
        ExitCode::Ok
    }
}

/// The library of properties: what each says of itself, and how it is connected.
fn properties() -> String {
    let mut out = String::from(
        "<!-- Made by `entail docs properties`; a test compares. -->\n# Properties to attach\n\n`entail check --attach \
         'NAME #(PARAM=VALUE) (PORT=NET, …)'` asks one of a design, whose nets are connected to its ports by name \
         ([more](../rules/properties/README.md)).\n",
    );
    for (name, text) in crate::front::attach::LIBRARY {
        let about: Vec<&str> = text.lines().map_while(|l| l.strip_prefix("//")).map(str::trim).collect();
        let header = text.lines().skip(about.len()).collect::<Vec<_>>().join("\n");
        let header = header.split_inclusive(';').next().unwrap_or("");
        out.push_str(&format!("\n## {name}\n\n{}\n\n```systemverilog\n{header}\n```\n", about.join("\n")));
    }
    out
}

fn rules() -> String {
    let mut out = String::from(
        "<!-- Made by `entail docs rules`; a test compares. -->\n# Rules for clock crossings\n\n`entail cdc` finds these; \
         `entail explain CODE` shows one with examples. `--rule CODE=off` (or `rules:` in the project file) changes \
         the severity of one.\n\n| code | name | severity | what |\n|---|---|---|---|\n",
    );
    for r in crate::cdc::rules::all() {
        out.push_str(&format!("| {} | {} | {} | {} |\n", r.code, r.name, r.severity, r.title.replace('|', "\\|")));
    }
    for r in crate::cdc::rules::all() {
        out.push_str(&format!(
            "\n## {} {}\n\n{}\n\n**Why it matters.** {}\n\n**What to do.** {}\n",
            r.code,
            r.name,
            r.what.trim(),
            r.why.trim(),
            r.fix.trim()
        ));
    }
    out
}
