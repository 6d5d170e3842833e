//! Counterexamples people can look at: a path of a model, played back in the simulator of the netlist.
//!
//! A [`Trace`] holds the values of every named net over real time. It is made by [`Trace::new`], which
//! plays the path in [`crate::net::sim`] and demands that the simulator agrees with the model: the same
//! state after every step, and the assertion fails in the last one. So a trace that exists is a second
//! opinion on the path, from code that shares nothing with the model. The writers beside this file only show it.
//!
//! **Time.** A step takes [`STEP`] nanoseconds. Data changes at its start, clocks tick in its middle and
//! return with the start of the next. In a model whose steps are the edges of one clock that clock ticks in
//! every step. A model that takes any moment for a step lets data and clocks change together; mostly the
//! state is the same if data is a little earlier, and then it is shown so. Where it is not (a reset that
//! comes with the edge, say), the step is [`Step::joint`]: its data changes with the clocks.

pub mod bench;
pub mod fst;
pub mod gtkw;
mod layout;
mod matters;
mod phases;
mod play;
pub mod svg;
pub mod text;
mod tree;
pub mod vcd;
pub mod wave;

use crate::model::{Goal, Path, Symbol, System};
use crate::net::Netlist;
use crate::source::{SourceMap, Span};
use crate::word::Bits;

/// Nanoseconds of a step.
pub const STEP: u64 = 10;
/// When clocks tick within a step.
pub const TICK: u64 = 5;

/// What a signal is to its reader.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// A primary input that clocks something.
    Clock,
    /// A primary input that resets something, or says so by its name.
    Reset,
    /// Another primary input.
    Input,
    /// Registers and latches, and other names of them.
    State,
    /// Named logic.
    Wire,
    /// A primary output.
    Output,
}

/// A named vector.
#[derive(Clone, Debug)]
pub struct Signal {
    /// Hierarchical name below the top.
    pub name: String,
    /// Declared (left, right) index; always one that fits the width.
    pub range: Option<(i64, i64)>,
    /// Number of bits, at least one.
    pub width: u32,
    /// What it is.
    pub kind: Kind,
    /// Whether it is a port of the top, and then whether it is an input.
    pub port: Option<bool>,
    /// Declaration.
    pub span: Span,
    /// Place of its lowest bit in a row; signals that are the same have the same place.
    at: usize,
    /// The signal whose bits say which bits of this one are undecided.
    unstable: Option<usize>,
}

impl Signal {
    /// The name with the declared range, as waveform viewers write it.
    pub fn label(&self) -> String {
        match self.range {
            Some((l, r)) => format!("{}[{l}:{r}]", self.name),
            None if self.width > 1 => format!("{}[{}:0]", self.name, self.width - 1),
            None => self.name.clone(),
        }
    }
}

/// The values of all signals at one moment, packed.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Row(Box<[u64]>);

/// Values from a time on.
#[derive(Clone, Debug)]
pub struct Moment {
    /// Nanoseconds from the start.
    pub time: u64,
    row: Row,
}

/// One step of the model.
#[derive(Clone, Debug)]
pub struct Step {
    /// For each of [`Trace::clocks`] whether it ticks.
    pub ticks: Vec<bool>,
    /// Data changes together with the clocks.
    pub joint: bool,
    /// Position of the moment that ends the step.
    pub rest: usize,
    /// What the assertion looks at: values before the edge if it has a clock, else those at rest.
    seen: Row,
}

/// A clock that ticks, returns and is never otherwise read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// Its signal.
    pub signal: usize,
    /// The bit of that signal.
    pub bit: u32,
    /// The active edge falls.
    pub falling: bool,
}

/// How the trace ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The property fails in the last step.
    Fails,
    /// What was looked for happens in the last step.
    Reached,
    /// From the last step on, the steps from this one on repeat for ever.
    Repeats(usize),
}

/// A bit of state that starts with a value the design does not give it, mostly because it gives none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Start {
    /// The signal that carries it.
    pub signal: usize,
    /// Bit of that signal.
    pub bit: u32,
    /// Its value.
    pub value: bool,
}

/// A path with the values of all nets.
#[derive(Clone, Debug)]
pub struct Trace {
    /// Name of the top.
    pub top: String,
    /// Everything that has a name: inputs, outputs, then the rest.
    pub signals: Vec<Signal>,
    /// Clocks that tick.
    pub clocks: Vec<Clock>,
    /// Values over time; the last one ends the trace.
    pub moments: Vec<Moment>,
    /// The steps of the path.
    pub steps: Vec<Step>,
    /// The property.
    pub goal: Symbol,
    /// How it ends.
    pub ending: Ending,
    /// What a step is, in words.
    pub step: String,
    /// Open initial values.
    pub starts: Vec<Start>,
    /// Number of values the design leaves open in each step: no simulator of the source knows them.
    pub frees: usize,
    /// Signals by how much they matter, those that explain nothing left out: clocks and resets first, then by
    /// distance from the property.
    pub matters: Vec<usize>,
    /// What was expected, and is not so: for benches, since no assertion of the design says it.
    pub expected: Vec<Expected>,
}

/// A bit that should have another value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Expected {
    /// The step.
    pub step: usize,
    /// The signal.
    pub signal: usize,
    /// The bit of it.
    pub bit: u32,
    /// The value it should have.
    pub value: bool,
}

/// A run of phases, for a trace.
pub struct Phases<'p> {
    /// Inputs and free values that change in each phase, by gate.
    pub inputs: &'p [Vec<(u32, bool)>],
    /// Inputs before the first phase.
    pub before: &'p [(u32, bool)],
    /// State at the start.
    pub start: &'p [(u32, bool)],
    /// Words at the start: memory, address, bit.
    pub words: &'p [(u32, u64, u32, bool)],
    /// Clocks that are low in even phases and high in odd ones; none: every phase is a step.
    pub clocks: &'p [crate::net::GateId],
    /// What fails.
    pub goal: Symbol,
    /// Bits that should have had other values: literal, step, value.
    pub expected: &'p [(crate::net::Lit, u32, bool)],
}

impl Trace {
    /// Plays phases.
    pub fn of_phases(net: &Netlist, p: &Phases) -> Result<Trace, String> {
        phases::play(net, p)
    }

    /// Plays a path of a model of this netlist. An error says that the path, the model or the simulator is
    /// wrong, none of which a user can do anything about.
    pub fn new(net: &Netlist, sys: &System, goal: &Goal, path: &Path) -> Result<Trace, String> {
        play::play(net, sys, goal, path)
    }

    /// A signal at one of the [`Trace::moments`].
    pub fn value(&self, moment: usize, signal: usize) -> Bits {
        self.of_row(&self.moments[moment].row, signal)
    }

    /// The bits of a signal that nothing has decided at a moment.
    pub fn undecided(&self, moment: usize, signal: usize) -> Option<Bits> {
        self.signals[signal].unstable.map(|mask| self.value(moment, mask))
    }

    /// A signal at one of the [`Trace::moments`] for people, with `x` for what is undecided.
    fn shown(&self, moment: usize, signal: usize) -> String {
        shown(&self.value(moment, signal), self.undecided(moment, signal).as_ref())
    }

    /// The bits of a signal at one of the [`Trace::moments`], the highest first, with `x` for what is undecided.
    fn binary(&self, moment: usize, signal: usize) -> String {
        let (v, mask) = (self.value(moment, signal), self.undecided(moment, signal));
        let bit = |i: u32| match (mask.as_ref().is_some_and(|m| m.bit(i)), v.bit(i)) {
            (true, _) => 'x',
            (_, true) => '1',
            _ => '0',
        };
        (0..v.width()).rev().map(bit).collect()
    }

    /// A signal in a step, as the property sees it.
    pub fn seen(&self, step: usize, signal: usize) -> Bits {
        self.of_row(&self.steps[step].seen, signal)
    }

    /// A signal in a step, as the property sees it, for people.
    fn shown_seen(&self, step: usize, signal: usize) -> String {
        let mask = self.signals[signal].unstable.map(|mask| self.seen(step, mask));
        shown(&self.seen(step, signal), mask.as_ref())
    }

    /// The signal of that name.
    pub fn signal(&self, name: &str) -> Option<usize> {
        self.signals.iter().position(|s| s.name == name)
    }

    /// When the property is looked at in a step, for a marker in a viewer.
    pub fn time_of(&self, step: usize) -> u64 {
        let ticks = self.steps.get(step).is_some_and(|s| s.joint || s.ticks.contains(&true));
        step as u64 * STEP + if ticks { TICK } else { 0 }
    }

    /// What happens, in a sentence without a full stop.
    pub fn headline(&self) -> String {
        let last = self.steps.len().saturating_sub(1);
        match self.ending {
            Ending::Fails => format!("assertion `{}` fails in step {last}", self.goal.name),
            Ending::Reached => format!("`{}` is reached in step {last}", self.goal.name),
            Ending::Repeats(from) if from == last => {
                format!("`{}` fails on a path that repeats step {last} for ever", self.goal.name)
            }
            Ending::Repeats(from) => {
                format!("`{}` fails on a path that repeats steps {from} to {last} for ever", self.goal.name)
            }
        }
    }

    /// Where the property stands, as `file:line:column`.
    pub fn place(&self, map: &SourceMap) -> Option<String> {
        let at = map.location(self.goal.span)?;
        Some(format!("{}:{}:{}", at.path.display(), at.line, at.col))
    }

    /// The clock this signal is, if it ticks.
    fn clock_of(&self, signal: usize) -> Option<usize> {
        self.clocks.iter().position(|c| c.signal == signal && self.signals[signal].width == 1)
    }

    /// What is shown of a long trace: the steps before the first number and those from the second on.
    fn excerpt(&self, most: usize) -> (usize, usize) {
        let n = self.steps.len();
        if n <= most.max(2) {
            return (n, n);
        }
        let head = (most / 4).max(1);
        (head, n - most.saturating_sub(head).max(1))
    }

    fn of_row(&self, row: &Row, signal: usize) -> Bits {
        let s = &self.signals[signal];
        Bits::from_bits((s.at..s.at + s.width as usize).map(|i| row.0[i / 64] >> (i % 64) & 1 == 1))
    }
}

/// A value for people: hexadecimal with all digits, a single bit as it is, `x` where a bit is undecided.
fn shown(v: &Bits, undecided: Option<&Bits>) -> String {
    let digits = v.width().div_ceil(4);
    let digit = |i: u32| (0..4).filter(|b| 4 * i + b < v.width() && v.bit(4 * i + b)).map(|b| 1 << b).sum();
    let open = |i: u32| undecided.is_some_and(|u| (4 * i..(4 * i + 4).min(u.width())).any(|b| u.bit(b)));
    let text = |i: u32| if open(i) { 'x' } else { char::from_digit(digit(i), 16).unwrap_or('?') };
    (0..digits).rev().map(text).collect()
}
