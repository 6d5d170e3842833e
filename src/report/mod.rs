//! Results as files that other programs read.

pub mod result;
