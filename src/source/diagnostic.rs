//! What is wrong, where, and what to do: the one type in which every room reports mistakes.
//!
//! A diagnostic is data. It holds spans rather than text, so that each output format can show
//! the places in its own way.

use std::fmt;

use serde::Serialize;

use super::{Code, Span};

/// How much a diagnostic matters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The sources cannot be used as they are.
    Error,
    /// The sources can be used, but probably do not mean what their author thinks.
    Warning,
    /// Worth knowing.
    Note,
}

/// A place that matters, and why it does.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// Why it matters; may be empty when the diagnostic's message says it all.
    pub message: String,
    /// Whether the mistake is here, rather than in a place that helps to explain it.
    pub primary: bool,
}

/// One finding about the sources.
///
/// Read the builder as a sentence: the *error* is *at* this place, that one *also* matters.
///
/// ```
/// # use entail::source::{Diagnostic, Span, codes};
/// # let (first, second) = (Span::NONE, Span::NONE);
/// let diag = Diagnostic::error(codes::E0203, "module `fifo` is defined twice")
///     .at(second, "defined again here")
///     .also(first, "first defined here")
///     .help("rename one of them, or take one file out of the list");
/// assert!(diag.is_error());
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[must_use = "a diagnostic that is not reported is a mistake dropped in silence"]
pub struct Diagnostic {
    /// Its kind, with an explanation in the catalogue.
    pub code: Code,
    /// How much it matters.
    pub severity: Severity,
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// The places; the first primary one is *the* place.
    pub labels: Vec<Label>,
    /// Facts that help to understand it.
    pub notes: Vec<String>,
    /// What to do about it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// A diagnostic of any severity, as yet without a place.
    pub fn new(code: Code, severity: Severity, message: impl Into<String>) -> Diagnostic {
        Diagnostic { code, severity, message: message.into(), labels: Vec::new(), notes: Vec::new(), help: None }
    }

    /// An error, as yet without a place.
    pub fn error(code: Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(code, Severity::Error, message)
    }

    /// A warning, as yet without a place.
    pub fn warning(code: Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(code, Severity::Warning, message)
    }

    /// Adds a place where the mistake is.
    pub fn at(self, span: Span, message: impl Into<String>) -> Diagnostic {
        self.label(span, message, true)
    }

    /// Adds a place that helps to explain the mistake.
    pub fn also(self, span: Span, message: impl Into<String>) -> Diagnostic {
        self.label(span, message, false)
    }

    /// Adds a fact that helps to understand it.
    pub fn note(mut self, note: impl Into<String>) -> Diagnostic {
        self.notes.push(note.into());
        self
    }

    /// Says what to do; the last call stands.
    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }

    /// Whether it stops the run.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// The label that says where the mistake is: the first primary one that has a place.
    pub fn primary(&self) -> Option<&Label> {
        self.labels.iter().find(|label| label.primary && !label.span.is_none())
    }

    fn label(mut self, span: Span, message: impl Into<String>, primary: bool) -> Diagnostic {
        self.labels.push(Label { span, message: message.into(), primary });
        self
    }
}

impl Severity {
    /// The lower-case word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
