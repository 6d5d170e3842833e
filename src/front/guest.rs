//! Instances of units written in another language: what the two front ends ask of each other.
//!
//! The guest is elaborated as a design of its own and absorbed under the instance's path; its ports
//! become variables of the host, which connects them as it connects its own. So neither language
//! knows the other: values of generics and parameters cross as bits, text or numbers, ports as bits.

use super::behave::{Machine, Var, VarId};
use crate::source::{Diagnostic, Span};
use crate::word::{Bits, Design, Role, SignalId};
use smol_str::SmolStr;

/// The value of a generic or parameter on its way across.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    Bits { bits: Bits, signed: bool },
    Text(String),
    Real(f64),
}

impl Value {
    /// An integer, in 32 bits if that is enough.
    pub fn int(v: i128) -> Value {
        let width = if i32::try_from(v).is_ok() { 32 } else { 128 };
        let (low, high) = (Bits::from_u64(v as u64, 64), Bits::from_u64((v >> 64) as u64, 64));
        Value::Bits { bits: high.concat(&low).slice(0, width), signed: true }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    In,
    Out,
    Inout,
}

#[derive(Clone, Debug)]
pub struct Port {
    pub name: SmolStr,
    pub direction: Direction,
    pub span: Span,
}

/// What a unit shows to the outside before it is elaborated.
#[derive(Clone, Debug)]
pub struct Header {
    pub name: SmolStr,
    /// How its own language finds it.
    pub key: String,
    pub span: Span,
    pub generics: Vec<SmolStr>,
    pub ports: Vec<Port>,
}

/// An instance to be built.
#[derive(Clone, Debug, Default)]
pub struct Order {
    pub key: String,
    /// Generics that are given; names as the unit spells them.
    pub values: Vec<(SmolStr, Value)>,
    /// Inputs that the instance leaves open.
    pub open: Vec<SmolStr>,
    /// How many instances are around it.
    pub depth: u32,
}

/// The units of the other language.
pub trait Guests {
    /// The unit a name of the host's language stands for; several if the host's rules cannot tell them
    /// apart.
    fn find(&self, name: &str) -> Vec<Header>;
    /// Elaborates a unit. Without a design there is an error among the diagnostics.
    fn build(&self, order: &Order, diags: &mut Vec<Diagnostic>) -> Option<Design>;
}

impl Machine {
    /// Elaborates a guest and passes on what was found; without a design elaboration is given up.
    pub fn invite(&mut self, guests: &dyn Guests, order: &Order) -> Option<Design> {
        let mut found = Vec::new();
        let design = guests.build(order, &mut found);
        for d in found {
            self.warn(d);
        }
        self.stop |= design.is_none();
        design
    }

    /// Takes in an elaborated guest. For each port of the header: its variable, an input waiting for
    /// its driver, an output driven. `None` for a port without bits.
    pub fn embed(&mut self, child: Design, header: &Header, path: &str) -> Vec<Option<VarId>> {
        let numbers: Vec<Option<u32>> = header.ports.iter().map(|p| child.signal_named(&p.name).map(|s| s.0)).collect();
        let base = self.d.absorb(child, path);
        let mut out = Vec::new();
        for (port, number) in header.ports.iter().zip(numbers) {
            let Some(n) = number else {
                out.push(None);
                continue;
            };
            let signal = SignalId(base + n);
            let s = &mut self.d.signals[signal.index()];
            if s.role == Role::Input {
                s.drives.clear();
            }
            s.role = Role::Internal;
            let (width, span) = (s.width, port.span);
            out.push(Some(self.add_var(Var {
                signal,
                width,
                four_state: true,
                input: false,
                init: None,
                memory: None,
                span,
            })));
        }
        out
    }
}
