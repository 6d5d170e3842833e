//! `entail`: does this hardware design entail its specification?

pub mod cli;
pub mod front;
pub mod net;
pub mod project;
pub mod source;
pub mod word;
