//! Results as files that other programs read, and the reports of a run for people and their tools.

pub mod expect;
pub mod html;
pub mod junit;
pub mod record;
pub mod result;
pub mod root;
pub mod sarif;
pub mod schema;
pub mod words;

#[cfg(test)]
mod sample;
mod time;
