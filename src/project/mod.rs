//! What the user asks for into typed values: which sources, with which settings.
//!
//! **Invariant:** whatever cannot be understood is a [`Diagnostic`](crate::source::Diagnostic)
//! at the place where it was written. This room never guesses, and never parses hardware.

pub mod filelist;
pub mod yaml;
