//! Files into text with places, and mistakes into diagnostics.
//!
//! [`SourceMap`] owns every text the tool has read. A [`Span`] names a stretch of one of
//! those texts by byte offsets, small enough to be copied into every node of every IR.
//! A [`Diagnostic`] says what is wrong, at which spans, under a [`Code`] from the catalogue
//! in [`codes`]; [`render()`] turns a list of diagnostics into one of the output formats.
//!
//! **Invariant:** a span always refers to the original file, never to preprocessed text, and
//! any span, however wrong, can be located and rendered without a panic.
//!
//! This room never knows a hardware language, never prints, and never decides an exit code.

pub mod codes;
mod diagnostic;
mod map;
pub mod render;
mod span;
mod tree;

pub use codes::Code;
pub use diagnostic::{Diagnostic, Label, Severity};
pub use map::{Location, Other, SourceFile, SourceMap};
pub use render::{Format, render};
pub use span::{FileId, Span};
pub use tree::Tree;
