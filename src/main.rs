//! The `entail` program: runs the command line and turns a panic into exit code 4.

use entail::cli::{self, ExitCode};
use std::any::Any;

/// Exit code of a program whose reader has gone, as shells know it.
const CLOSED: u8 = 141;

/// Whether a panic says that nobody reads what is printed: `entail … | head` is no mistake of ours.
fn is_closed(payload: &(dyn Any + Send)) -> bool {
    let text = payload.downcast_ref::<String>().map(String::as_str).or(payload.downcast_ref::<&str>().copied());
    text.is_some_and(|t| t.starts_with("failed printing to std") && t.contains("Broken pipe"))
}

fn main() -> std::process::ExitCode {
    let tell = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if !is_closed(info.payload()) {
            tell(info);
        }
    }));
    let code = match std::panic::catch_unwind(cli::run) {
        Ok(code) => code as u8,
        Err(p) if is_closed(p.as_ref()) => CLOSED,
        Err(_) => {
            eprintln!("error: internal error in entail; please report it with the command and its input");
            ExitCode::Internal as u8
        }
    };
    std::process::ExitCode::from(code)
}
