//! Diagnostics into text for people and for programs; one file per format.
//!
//! **Invariant:** every format shows every diagnostic it is given, in the order given, even
//! one without a place. Source text is shown with control characters made harmless, because
//! a terminal obeys them.
//!
//! Nothing here prints, sorts, filters or counts; that is the business of the command line.

mod concise;
mod full;
mod github;
mod json;
mod sarif;

use std::fmt;
use std::str::FromStr;

use super::{Diagnostic, Location, SourceMap};

/// The output formats.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Format {
    /// For people: source excerpts with the places marked.
    #[default]
    Full,
    /// One line per diagnostic, `path:line:col: severity[code]: message`, as editors parse.
    Concise,
    /// One JSON array.
    Json,
    /// SARIF 2.1.0, which code-scanning services read.
    Sarif,
    /// Workflow commands that GitHub shows next to the changed lines.
    Github,
}

/// The name of a format is none of [`Format::ALL`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownFormat(String);

/// Renders diagnostics. Colours are ANSI escapes and apply to [`Format::Full`] only.
pub fn render(diags: &[Diagnostic], map: &SourceMap, format: Format, color: bool) -> String {
    match format {
        Format::Full => full::render(diags, map, color),
        Format::Concise => concise::render(diags, map),
        Format::Json => json::render(diags, map),
        Format::Sarif => sarif::render(diags, map),
        Format::Github => github::render(diags, map),
    }
}

/// *The* place of a diagnostic, for formats that have room for one.
fn place<'a>(diag: &Diagnostic, map: &'a SourceMap) -> Option<Location<'a>> {
    diag.primary().into_iter().chain(&diag.labels).find_map(|label| map.location(label.span))
}

impl Format {
    /// Every format.
    pub const ALL: [Format; 5] = [Format::Full, Format::Concise, Format::Json, Format::Sarif, Format::Github];

    /// The name used on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Format::Full => "full",
            Format::Concise => "concise",
            Format::Json => "json",
            Format::Sarif => "sarif",
            Format::Github => "github",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Format, UnknownFormat> {
        Format::ALL.into_iter().find(|format| format.as_str() == name).ok_or_else(|| UnknownFormat(name.to_owned()))
    }
}

impl fmt::Display for UnknownFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Format::ALL.map(Format::as_str).join(", ");
        write!(f, "unknown format `{}`; choose one of {names}", self.0)
    }
}

impl std::error::Error for UnknownFormat {}
