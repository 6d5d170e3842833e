//! `entail explain CODE`: the catalogue entry of a diagnostic.

use super::ExitCode;
use crate::cdc::rules;
use crate::source::codes;
use clap::Args;

/// Explain a diagnostic code, or list them all.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  entail explain E0501
  entail explain | grep clock")]
pub struct Explain {
    /// Code such as E0501; all codes if left out.
    code: Option<String>,
}

impl Explain {
    /// Runs the subcommand.
    pub fn run(&self) -> ExitCode {
        let Some(code) = &self.code else {
            for e in codes::all() {
                println!("{}  {}", e.code, e.title);
            }
            for r in rules::all() {
                println!("{}   {}", r.code, r.title);
            }
            return ExitCode::Ok;
        };
        if let Some(r) = rules::rule(code) {
            let (what, why, fix) = (wrap(&r.what), wrap(&r.why), wrap(&r.fix));
            println!("{} ({}, {}): {}\n\n{what}\n{why}\nFix: {fix}", r.code, r.name, r.severity, r.title);
            return ExitCode::Ok;
        }
        match codes::lookup(code) {
            Some(e) => {
                println!("{}: {}\n\n{}", e.code, e.title, e.explanation.trim());
                ExitCode::Ok
            }
            None => {
                eprintln!("error: no diagnostic has the code `{code}`\n  help: `entail explain` lists them all");
                ExitCode::Source
            }
        }
    }
}

/// Text in lines of at most a hundred characters.
fn wrap(text: &str) -> String {
    let (mut out, mut width) = (String::new(), 0);
    for w in text.split_whitespace() {
        if width > 0 && width + w.len() >= 100 {
            out.push('\n');
            width = 0;
        } else if width > 0 {
            out.push(' ');
        }
        out.push_str(w);
        width += w.len() + 1;
    }
    out.push('\n');
    out
}
