//! The catalogue of diagnostics: every code, its title, and the explanation that
//! `entail explain CODE` shows.
//!
//! A code is `E` (an error by nature) or `W` (a warning by nature) and four digits, of which
//! the first two name the stage that finds the mistake. Codes are public: waivers, scripts
//! and dashboards refer to them.
//!
//! **Invariant:** a code in the catalogue is never given a second meaning. A code that is
//! retired leaves a hole, which is why the numbers are not contiguous.

mod constants;
mod constraints;
mod export;
mod hierarchy;
mod netlist;
mod project;
mod proof;
mod sources;
mod support;

use std::fmt;

use serde::Serialize;

pub use constants::*;
pub use constraints::*;
pub use export::*;
pub use hierarchy::*;
pub use netlist::*;
pub use project::*;
pub use proof::*;
pub use sources::*;
pub use support::*;

use super::Severity;

/// The stable name of a kind of diagnostic, such as `E0204`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize)]
#[serde(transparent)]
pub struct Code(&'static str);

/// What the catalogue knows about a code.
#[derive(Debug)]
pub struct Entry {
    /// The code.
    pub code: Code,
    /// The mistake in a few words, in lower case.
    pub title: &'static str,
    /// What it means, why it matters, an example and the way out, in Markdown.
    pub explanation: &'static str,
}

impl Code {
    /// A code outside this catalogue, for rooms that keep one of their own as data (the
    /// clock-domain rules do). Codes of this catalogue are the constants of this module.
    pub const fn new(code: &'static str) -> Code {
        Code(code)
    }

    /// The code as text.
    pub const fn as_str(self) -> &'static str {
        self.0
    }

    /// The severity this code has by nature; a diagnostic may choose another.
    pub fn severity(self) -> Severity {
        if self.0.starts_with('W') { Severity::Warning } else { Severity::Error }
    }

    /// The catalogue's entry for this code.
    pub fn entry(self) -> Option<&'static Entry> {
        lookup(self.0)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.0)
    }
}

/// Finds a code as a user may type it, in either case.
pub fn lookup(code: &str) -> Option<&'static Entry> {
    all().find(|entry| entry.code.0.eq_ignore_ascii_case(code))
}

/// The whole catalogue, in order of number.
pub fn all() -> impl Iterator<Item = &'static Entry> {
    [SOURCES, HIERARCHY, CONSTANTS, SUPPORT, NETLIST, EXPORT, CONSTRAINTS, PROOF, PROJECT].into_iter().flatten()
}

/// Declares one family of codes: a constant for each and the family's part of the catalogue.
macro_rules! family {
    ($family:ident: $($code:ident $title:literal $explanation:literal)*) => {
        $(
            #[doc = $title]
            pub const $code: super::Code = super::Code::new(stringify!($code));
        )*
        pub(super) static $family: &[super::Entry] = &[$(
            super::Entry {
                code: $code,
                title: $title,
                explanation: $explanation.trim_ascii(),
            },
        )*];
    };
}
use family;

#[cfg(test)]
mod tests {
    use super::*;

    fn number(entry: &Entry) -> u32 {
        entry.code.as_str()[1..].parse().unwrap()
    }

    #[test]
    fn codes_are_a_letter_and_four_digits_in_rising_order() {
        let mut last = 0;
        for entry in all() {
            assert!(entry.code.as_str().starts_with(['E', 'W']));
            assert_eq!(entry.code.as_str().len(), 5);
            assert!(number(entry) > last, "{} is out of order", entry.code);
            last = number(entry);
        }
    }

    #[test]
    fn every_explanation_shows_an_example_and_a_way_out() {
        for Entry { code, title, explanation } in all() {
            let lines = explanation.lines().count();
            assert!((4..=12).contains(&lines), "{code}: {lines} lines");
            assert!(explanation.contains("\n    "), "{code}: no example");
            assert!(explanation.contains("Fix: "), "{code}: no fix");
            assert!(explanation.lines().all(|line| line.chars().count() <= 96), "{code}: long line");
            assert!(!title.ends_with('.') && title.len() <= 60, "{code}: title {title}");
        }
    }

    #[test]
    fn lookup_ignores_case_and_refuses_what_is_not_there() {
        assert_eq!(lookup("e0106").map(|entry| entry.code), Some(E0106));
        assert_eq!(lookup("w0503").map(|entry| entry.code), Some(W0503));
        assert!(lookup("E9999").is_none());
        assert!(lookup("").is_none());
    }

    #[test]
    fn the_letter_decides_the_natural_severity() {
        assert_eq!(E0501.severity(), Severity::Error);
        assert_eq!(W0503.severity(), Severity::Warning);
    }
}
