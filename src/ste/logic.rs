//! Boolean functions, as trajectory evaluation needs them: decision diagrams, an and-inverter graph for a SAT
//! solver, or plain values.

use crate::bdd::{Full, Func, Space};
use crate::model::Aig;
use crate::net::Lit;
use std::cell::Cell;
use std::time::Instant;

/// Why an evaluation ended early.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    /// No room for more nodes.
    Full,
    /// Out of time.
    Late,
    /// State keeps changing in one phase; the names of what does.
    Unsettled(Vec<String>),
}

impl std::fmt::Display for Stop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Stop::Full => write!(f, "out of room for decision diagrams"),
            Stop::Late => write!(f, "out of time"),
            Stop::Unsettled(names) => write!(f, "the design does not settle: {} keep changing", names.join(", ")),
        }
    }
}

impl From<Full> for Stop {
    fn from(_: Full) -> Stop {
        Stop::Full
    }
}

/// Boolean functions over some variables. Equal handles are equal functions; for diagrams also the other way.
pub trait Logic {
    /// A function.
    type F: Clone + PartialEq;
    /// A constant.
    fn constant(&self, value: bool) -> Self::F;
    /// Its constant value, where that can be seen.
    fn as_const(&self, a: &Self::F) -> Option<bool>;
    /// Complement.
    fn not(&mut self, a: &Self::F) -> Self::F;
    /// And.
    fn and(&mut self, a: &Self::F, b: &Self::F) -> Result<Self::F, Stop>;
    /// Exclusive or.
    fn xor(&mut self, a: &Self::F, b: &Self::F) -> Result<Self::F, Stop>;
    /// `s ? t : e`.
    fn mux(&mut self, s: &Self::F, t: &Self::F, e: &Self::F) -> Result<Self::F, Stop>;
    /// Or.
    fn or(&mut self, a: &Self::F, b: &Self::F) -> Result<Self::F, Stop> {
        let (a, b) = (self.not(a), self.not(b));
        let r = self.and(&a, &b)?;
        Ok(self.not(&r))
    }
    /// A measure of the function's size, for automatic weakening.
    fn size(&self, _a: &Self::F) -> usize {
        1
    }
    /// Is asked between gates whether to go on.
    fn tick(&self) -> Result<(), Stop> {
        Ok(())
    }
}

/// Decision diagrams of one space.
pub struct Diagrams<'s> {
    /// The space.
    pub space: &'s Space,
    /// No work after this.
    pub deadline: Option<Instant>,
    ticks: Cell<u32>,
}

impl<'s> Diagrams<'s> {
    /// Functions of a space.
    pub fn new(space: &'s Space, deadline: Option<Instant>) -> Diagrams<'s> {
        Diagrams { space, deadline, ticks: Cell::new(0) }
    }
}

impl Logic for Diagrams<'_> {
    type F = Func;
    fn constant(&self, value: bool) -> Func {
        self.space.constant(value)
    }
    fn as_const(&self, a: &Func) -> Option<bool> {
        if self.space.is_no(a) {
            return Some(false);
        }
        self.space.is_yes(a).then_some(true)
    }
    fn not(&mut self, a: &Func) -> Func {
        self.space.not(a)
    }
    fn and(&mut self, a: &Func, b: &Func) -> Result<Func, Stop> {
        Ok(self.space.and(a, b)?)
    }
    fn or(&mut self, a: &Func, b: &Func) -> Result<Func, Stop> {
        Ok(self.space.or(a, b)?)
    }
    fn xor(&mut self, a: &Func, b: &Func) -> Result<Func, Stop> {
        Ok(self.space.not(&self.space.equal(a, b)?))
    }
    fn mux(&mut self, s: &Func, t: &Func, e: &Func) -> Result<Func, Stop> {
        Ok(self.space.ite(s, t, e)?)
    }
    fn size(&self, a: &Func) -> usize {
        self.space.size(a)
    }
    fn tick(&self) -> Result<(), Stop> {
        self.ticks.set(self.ticks.get().wrapping_add(1));
        let late = self.ticks.get().is_multiple_of(16) && self.deadline.is_some_and(|d| Instant::now() >= d);
        if late { Err(Stop::Late) } else { Ok(()) }
    }
}

/// Gates of a graph; what they are is left to a SAT solver.
#[derive(Default)]
pub struct Graph {
    /// The graph.
    pub aig: Aig,
}

impl Logic for Graph {
    type F = Lit;
    fn constant(&self, value: bool) -> Lit {
        Lit::FALSE.xor(value)
    }
    fn as_const(&self, a: &Lit) -> Option<bool> {
        a.as_const()
    }
    fn not(&mut self, a: &Lit) -> Lit {
        !*a
    }
    fn and(&mut self, a: &Lit, b: &Lit) -> Result<Lit, Stop> {
        Ok(self.aig.and(*a, *b))
    }
    fn xor(&mut self, a: &Lit, b: &Lit) -> Result<Lit, Stop> {
        Ok(self.aig.xor(*a, *b))
    }
    fn mux(&mut self, s: &Lit, t: &Lit, e: &Lit) -> Result<Lit, Stop> {
        Ok(self.aig.mux(*s, *t, *e))
    }
}

/// Plain values.
#[derive(Clone, Copy, Default)]
pub struct Plain;

impl Logic for Plain {
    type F = bool;
    fn constant(&self, value: bool) -> bool {
        value
    }
    fn as_const(&self, a: &bool) -> Option<bool> {
        Some(*a)
    }
    fn not(&mut self, a: &bool) -> bool {
        !*a
    }
    fn and(&mut self, a: &bool, b: &bool) -> Result<bool, Stop> {
        Ok(*a & *b)
    }
    fn xor(&mut self, a: &bool, b: &bool) -> Result<bool, Stop> {
        Ok(*a ^ *b)
    }
    fn mux(&mut self, s: &bool, t: &bool, e: &bool) -> Result<bool, Stop> {
        Ok(if *s { *t } else { *e })
    }
}
