//! Results as files that other programs read.

pub mod record;
pub mod result;
