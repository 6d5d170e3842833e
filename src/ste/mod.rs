//! Symbolic trajectory evaluation (C.-J. Seger, R. Bryant, FMSD 1995) on gate-level netlists.
//!
//! An [`Assertion`] says: in every run of the circuit in which the antecedent holds, the consequent does. Both are lists
//! of claims, *this node at this time is this value where this guard*, over symbolic vectors, for all values
//! of them that the constraint allows. One evaluation of the least trajectory over the lattice {X, 0, 1, T} decides
//! all runs at once; what the antecedent leaves open is X and costs nothing.
//!
//! Five answers are kept apart: it holds; it fails, with the set of assignments for which it does; it is unknown
//! since X reaches the consequent; it is over-constrained, since antecedent and circuit contradict each other (T); it
//! is vacuous, since nothing satisfies the constraint or the antecedent. Every primitive is monotone, so what is known
//! less can only turn an answer into *unknown*. This room evaluates; composing what it finds is up to `proof`.

pub mod check;
pub mod circuit;
pub mod explain;
pub mod logic;
pub mod machine;
mod memory;
pub mod order;
pub mod param;
pub mod plan;
pub mod rails;
pub mod realise;
pub mod redundant;
pub mod sat;
pub mod set;
pub mod terms;

pub use check::{Answer, Assertion, Control, Limits, Outcome, check};
pub use circuit::{Circuit, Clocking, Start};
pub use terms::{Atom, Claim, Leaf, Place, Terms, Vector};
