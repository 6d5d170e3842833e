//! Project files and what they say.

pub mod changed;
pub mod command;
pub mod docs;
pub mod file;
pub mod filelist;
pub mod keys;
pub mod schema;
pub mod staged;
mod subject;
pub mod yaml;
