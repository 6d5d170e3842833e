//! The `entail` program: runs the command line and turns a panic into exit code 4.

use entail::cli::{self, ExitCode};

fn main() -> std::process::ExitCode {
    let code = std::panic::catch_unwind(cli::run).unwrap_or_else(|_| {
        eprintln!("error: internal error in entail; please report it with the command and its input");
        ExitCode::Internal
    });
    std::process::ExitCode::from(code as u8)
}
