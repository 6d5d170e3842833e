//! One line per diagnostic: `path:line:col: error[E0204]: message`.
//!
//! The shape is the one compilers have always used, so editors and `grep` understand it. It
//! leaves out labels, notes and help.

use std::fmt::Write;

use super::{Diagnostic, SourceMap, place};

pub(super) fn render(diags: &[Diagnostic], map: &SourceMap) -> String {
    let mut out = String::new();
    for diag in diags {
        if let Some(at) = place(diag, map) {
            let _ = write!(out, "{}:{}:{}: ", at.path.display(), at.line, at.col);
        }
        // A line is a diagnostic, so a message must not start another line.
        let message = diag.message.replace(['\r', '\n'], " ");
        let _ = writeln!(out, "{}[{}]: {message}", diag.severity, diag.code);
    }
    out
}
