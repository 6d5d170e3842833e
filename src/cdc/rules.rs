//! The catalogue of crossing rules: data in `rules/cdc`, one folder each.

use crate::source::{Code, Severity};
use serde::Deserialize;
use std::sync::OnceLock;

/// A rule.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// Its code.
    pub code: String,
    /// Its short name.
    pub name: String,
    /// error, warning or info.
    pub severity: String,
    /// One line.
    pub title: String,
    /// What was found.
    pub what: String,
    /// Why it hurts.
    pub why: String,
    /// What to do.
    pub fix: String,
}

impl Rule {
    /// How much a finding of it matters.
    pub fn severity(&self) -> Severity {
        match self.severity.as_str() {
            "error" => Severity::Error,
            "warning" => Severity::Warning,
            _ => Severity::Note,
        }
    }
}

macro_rules! rules {
    ($($code:literal)*) => {
        /// Codes and texts.
        const TEXTS: &[(&str, &str)] = &[$(($code, include_str!(concat!("../../rules/cdc/", $code, "/rule.yaml")))),*];
    };
}

rules! {
    "C001" "C002" "C003" "C004" "C005" "C006" "C007" "C008" "C009" "C010" "C011" "C012" "C013" "C014" "C015" "C016"
    "C017" "C018" "C019" "C020" "C021" "C022" "C023" "C024" "C025" "C026" "C030" "C031"
}

/// All rules, by code.
pub fn all() -> &'static [Rule] {
    static RULES: OnceLock<Vec<Rule>> = OnceLock::new();
    RULES.get_or_init(|| {
        let read = |(code, text): &(&str, &str)| {
            serde_yaml::from_str(text).unwrap_or_else(|e| panic!("rules/cdc/{code}/rule.yaml: {e}"))
        };
        TEXTS.iter().map(read).collect()
    })
}

/// The rule of a code, in either case.
pub fn rule(code: &str) -> Option<&'static Rule> {
    all().iter().find(|r| r.code.eq_ignore_ascii_case(code) || r.name.eq_ignore_ascii_case(code))
}

/// The code of a rule for diagnostics.
pub fn code(name: &str) -> Code {
    TEXTS.iter().find(|t| t.0 == name).map_or(Code::new("C000"), |t| Code::new(t.0))
}
