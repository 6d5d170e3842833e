//! Characters with styles, laid out in rows before anything is written.
//!
//! Labels are drawn over one another in any order, so a row is a canvas: text can be put at a
//! column that lies beyond its end, or over what is there.

use std::fmt::Write;

use super::line::harmless;
use crate::source::Severity;

/// What a character is part of, which decides its colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Style {
    #[default]
    Plain,
    /// The message.
    Bold,
    /// The severity, and the primary labels in its colour.
    Severity(Severity),
    /// Line numbers and bars.
    Gutter,
    /// Secondary labels.
    Secondary,
}

/// One row on the screen. A cell is one column, or two for a wide character.
#[derive(Default)]
pub(super) struct Row {
    cells: Vec<(char, Style)>,
}

/// Rows from top to bottom.
#[derive(Default)]
pub(super) struct Sheet {
    rows: Vec<Row>,
}

impl Row {
    /// Appends text.
    pub(super) fn push(&mut self, text: &str, style: Style) {
        self.cells.extend(text.chars().map(|c| (c, style)));
    }

    /// Writes text from a column on, over what is there.
    pub(super) fn put(&mut self, column: usize, text: &str, style: Style) {
        for (at, c) in (column..).zip(text.chars()) {
            self.reach(at + 1);
            self.cells[at] = (c, style);
        }
    }

    /// Draws `_` in the blank cells of a range; bars that cross it stay visible.
    pub(super) fn underscore(&mut self, from: usize, to: usize, style: Style) {
        self.reach(to);
        for cell in self.cells.get_mut(from..to).into_iter().flatten() {
            if cell.0 == ' ' {
                *cell = ('_', style);
            }
        }
    }

    fn reach(&mut self, width: usize) {
        if self.cells.len() < width {
            self.cells.resize(width, (' ', Style::Plain));
        }
    }

    fn finish(mut self, color: bool, out: &mut String) {
        while self.cells.last().is_some_and(|&(c, _)| c == ' ') {
            self.cells.pop();
        }
        for run in self.cells.chunk_by(|a, b| a.1 == b.1) {
            let escape = if color { run[0].1.escape() } else { "" };
            out.push_str(escape);
            // Messages quote the source, so they are made as harmless as the excerpts.
            out.extend(run.iter().map(|&(c, _)| if c == '\n' { c } else { harmless(c) }));
            if !escape.is_empty() {
                out.push_str("\x1b[0m");
            }
        }
        let _ = writeln!(out);
    }
}

impl Sheet {
    pub(super) fn push(&mut self, row: Row) {
        self.rows.push(row);
    }

    pub(super) fn finish(self, color: bool) -> String {
        let mut out = String::new();
        for row in self.rows {
            row.finish(color, &mut out);
        }
        out
    }
}

impl Style {
    /// The ANSI escape that turns the style on.
    fn escape(self) -> &'static str {
        match self {
            Style::Plain => "",
            Style::Bold => "\x1b[1m",
            Style::Severity(Severity::Error) => "\x1b[1;31m",
            Style::Severity(Severity::Warning) => "\x1b[1;33m",
            Style::Severity(Severity::Note) => "\x1b[1;32m",
            Style::Gutter | Style::Secondary => "\x1b[1;34m",
        }
    }
}
