//! GitHub workflow commands: `::error file=…,line=…,col=…,title=…::message`.
//!
//! The runner turns each into an annotation next to the changed lines. A command is one line,
//! so its text is percent-escaped the way the runner's own toolkit does it.

use std::fmt::Write;

use super::{Diagnostic, SourceMap, place};
use crate::source::Severity;

pub(super) fn render(diags: &[Diagnostic], map: &SourceMap) -> String {
    let mut out = String::new();
    for diag in diags {
        let _ = writeln!(out, "{}", command(diag, map));
    }
    out
}

fn command(diag: &Diagnostic, map: &SourceMap) -> String {
    let mut out = match diag.severity {
        Severity::Error => "::error ",
        Severity::Warning => "::warning ",
        Severity::Note => "::notice ",
    }
    .to_owned();
    if let Some(at) = place(diag, map) {
        let file = escape_property(&at.path.display().to_string());
        let _ = write!(out, "file={file},line={}", at.line);
        // The runner rejects columns on an annotation that covers several lines.
        if at.line == at.end_line {
            let _ = write!(out, ",col={},endLine={},endColumn={},", at.col, at.end_line, at.end_col);
        } else {
            let _ = write!(out, ",endLine={},", at.end_line);
        }
    }
    let title = diag.code.entry().map_or("", |entry| entry.title);
    let title = format!("{} {title}", diag.code);
    let _ = write!(out, "title={}::", escape_property(title.trim_end()));
    out + &escape_message(&message(diag))
}

/// All that the diagnostic says, since an annotation has no other room for it.
fn message(diag: &Diagnostic) -> String {
    let labels = diag.labels.iter().map(|label| label.message.clone());
    let notes = diag.notes.iter().map(|note| format!("note: {note}"));
    let help = diag.help.iter().map(|help| format!("help: {help}"));
    let mut lines = vec![diag.message.clone()];
    lines.extend(labels.chain(notes).chain(help).filter(|line| !line.is_empty()));
    lines.join("\n")
}

fn escape_message(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn escape_property(text: &str) -> String {
    escape_message(text).replace(':', "%3A").replace(',', "%2C")
}
