//! What the co-simulation and corpus tests share.

pub mod command;
pub mod corpus;
