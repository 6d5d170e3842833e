//! Arguments into calls: one file per subcommand. The only place that prints.

mod args;
mod bundled;
mod cdc;
mod check;
mod clean;
mod demo;
mod explain;
mod explore;
mod export;
mod flight;
mod hook;
mod init;
mod lint;
mod list;
mod load;
mod nets;
mod prove;
mod record;
mod replay;
mod run;
mod session;
mod shell;
mod show;
mod view;
mod worker;

use crate::source::{Diagnostic, Format, SourceMap, render};
use args::Common;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

/// Exit codes of every subcommand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExitCode {
    /// Everything as expected.
    Ok = 0,
    /// A verdict or finding is not as expected.
    Unexpected = 1,
    /// Usage, project or source error.
    Source = 2,
    /// Inconclusive.
    Unknown = 3,
    /// Internal error.
    Internal = 4,
    /// Stopped by a signal; what was told is what was found until then.
    Interrupted = 130,
}

impl ExitCode {
    /// The one to leave with when both apply.
    pub fn worst(self, other: ExitCode) -> ExitCode {
        let rank = |c: ExitCode| match c {
            ExitCode::Ok => 0,
            ExitCode::Unknown => 1,
            ExitCode::Unexpected => 2,
            ExitCode::Source => 3,
            ExitCode::Internal => 4,
            ExitCode::Interrupted => 5,
        };
        if rank(other) > rank(self) { other } else { self }
    }
}

/// Does this hardware design entail its specification?
#[derive(Parser, Debug)]
#[command(name = "entail", version, max_term_width = 100)]
struct Cli {
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    Cdc(cdc::Cdc),
    Check(Box<check::Check>),
    Clean(clean::Clean),
    Completions(shell::Completions),
    Demo(demo::Demo),
    Docs(shell::Docs),
    Hook(hook::Hook),
    Init(init::Init),
    List(list::List),
    Man(shell::Man),
    Lint(lint::Lint),
    Export(export::Export),
    Explain(explain::Explain),
    Explore(Box<explore::Explore>),
    Prove(Box<prove::Prove>),
    Replay(replay::Replay),
    Run(Box<run::Run>),
    View(view::View),
    #[command(hide = true)]
    Worker(worker::Worker),
}

/// Parses the process's arguments and runs the subcommand.
pub fn run() -> ExitCode {
    run_words(std::env::args_os())
}

/// Runs a command line, its first word the program's name.
fn run_words(words: impl IntoIterator<Item = impl Into<std::ffi::OsString> + Clone>) -> ExitCode {
    let matches = match Cli::command().try_get_matches_from(words) {
        Ok(m) => m,
        Err(e) => {
            let _ = e.print();
            return if e.use_stderr() { ExitCode::Source } else { ExitCode::Ok };
        }
    };
    let cli = match Cli::from_arg_matches(&matches) {
        Ok(c) => c,
        Err(e) => {
            let _ = e.print();
            return ExitCode::Source;
        }
    };
    if let Some(dir) = &cli.common.directory
        && let Err(e) = std::env::set_current_dir(dir)
    {
        eprintln!("error: cannot enter {}: {e}\n  help: -C takes a folder that is there", dir.display());
        return ExitCode::Source;
    }
    let Some((name, sub)) = matches.subcommand() else { return ExitCode::Source };
    if let Err(e) = record::begin(&cli.common, name) {
        eprintln!("error: {e}");
        return ExitCode::Source;
    }
    let code = match &cli.command {
        Command::Cdc(c) => c.run(sub, &cli.common),
        Command::Check(c) => c.run(sub, &cli.common),
        Command::Clean(c) => c.run(&cli.common),
        Command::Completions(c) => c.run(),
        Command::Demo(c) => c.run(&cli.common),
        Command::Docs(c) => c.run(),
        Command::Hook(c) => c.run(&cli.common),
        Command::Init(c) => c.run(&cli.common),
        Command::List(c) => c.run(&cli.common),
        Command::Man(c) => c.run(),
        Command::Lint(c) => c.run(sub, &cli.common),
        Command::Export(c) => c.run(sub, &cli.common),
        Command::Explain(c) => c.run(),
        Command::Explore(c) => c.run(&cli.common),
        Command::Prove(c) => c.run(&cli.common),
        Command::Replay(c) => c.run(&cli.common),
        Command::Run(c) => c.run(&cli.common),
        Command::View(c) => c.run(&cli.common),
        Command::Worker(c) => c.run(),
    };
    match record::finish(code) {
        Ok(()) => code,
        Err(e) => {
            eprintln!("error: {e}");
            code.worst(ExitCode::Source)
        }
    }
}

/// Tells of a mistake of the user's that has no place, on the terminal and in the record.
fn mistake(what: impl AsRef<str>) -> ExitCode {
    record::complaint(what.as_ref(), "");
    eprintln!("error: {}", what.as_ref());
    ExitCode::Source
}

/// What to leave with, if a mistake without a place is one of the user's; it is printed.
fn told(r: Result<ExitCode, String>) -> ExitCode {
    r.unwrap_or_else(|e| {
        eprintln!("error: {e}");
        ExitCode::Source
    })
}

/// Prints diagnostics in the chosen format: for people to standard error, for programs to standard
/// output.
fn print_diagnostics(diags: &[Diagnostic], map: &SourceMap, common: &Common) {
    record::findings(diags, map);
    let shown: Vec<Diagnostic> = diags.iter().filter(|d| !common.quiet || d.is_error()).cloned().collect();
    match common.format {
        Format::Full | Format::Concise => {
            let text = render(&shown, map, common.format, load::colour(common, &std::io::stderr()));
            eprint!("{text}");
        }
        Format::Json | Format::Sarif | Format::Github => print!("{}", render(&shown, map, common.format, false)),
    }
}

/// What tells this program from others: its version, and a hash of its sources.
fn fingerprint() -> String {
    format!("entail {}+{}", env!("CARGO_PKG_VERSION"), env!("ENTAIL_SOURCES"))
}
