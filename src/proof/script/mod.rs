//! Specifications and proof scripts: a YAML file into a circuit, assertions and proof steps.
//!
//! [`spec`] reads the file into typed values that know their places, [`sentence`] takes sentences apart, [`expr`] has our
//! own front end elaborate all expressions, [`load`] finds nodes and makes assertions, [`steps`] carries out a proof,
//! [`rules`] expands derived rules.

pub mod expr;
pub mod load;
pub mod nodes;
pub mod rules;
pub mod sentence;
pub mod spec;
pub mod steps;
