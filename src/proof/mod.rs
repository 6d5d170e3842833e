//! Proofs about circuits: runs of trajectory evaluation composed by a small kernel.
//!
//! [`kernel`] is the only maker of theorems; each of its rules is one function with its argument above it. [`second`]
//! evaluates assertions with other code than `ste`, and [`side`] decides side conditions with proofs that are checked.
//! [`script`] reads specifications and proof steps, [`mod@file`] writes what was proved, [`replay`] re-checks such a file
//! without the kernel, and [`tie`] compares it with the specification at hand.

pub mod file;
pub mod kernel;
pub mod replay;

pub mod script;
pub mod second;
pub mod side;
pub mod tie;
pub mod words;

pub use kernel::{Kernel, Refused, Statement, Theorem};
