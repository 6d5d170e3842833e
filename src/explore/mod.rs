//! A SystemC model into explored schedules and timings.
//!
//! The model is a program: built by the user's compiler with our hooks, run on the real SystemC library.
//! `shim/` is the half in C++, linked in: it chooses who runs next and writes down what each step touches.
//! This half reads that ([`trace`]), finds what had to come before what ([`order`]), and asks for the runs
//! that could end differently ([`search`]), until none is left.

pub mod dates;
pub mod order;
pub mod search;
pub mod server;
pub mod trace;
