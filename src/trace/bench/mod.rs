//! Testbenches that play a trace in a simulator of the source, so that the failure can be seen, and debugged,
//! without this tool.
//!
//! A bench drives the ports of the top as the trace has them and leaves the verdict to the design's own
//! assertions. What it cannot do, it says in its head: values that the design leaves open (an `x`, an undriven net)
//! have no name to set them by, and VHDL has no portable way to set a register from outside.

mod verilog;
mod vhdl;

pub use verilog::write as verilog;
pub use vhdl::write as vhdl;

use super::{Ending, Kind, STEP, Trace};
use crate::source::SourceMap;
use crate::word::Bits;

/// What a bench needs to know about the design beside the trace.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Parameters or generics of the top that were set, as text in the language of the bench.
    pub params: Vec<(String, String)>,
    /// The files of the design, for the command in the head.
    pub files: Vec<String>,
    /// The design is one flat module with the names of nets as they are.
    pub flat: bool,
    /// The VHDL library of the top; `work` if empty.
    pub library: String,
}

/// The inputs that change at one instant.
struct Change {
    time: u64,
    /// The step that begins here.
    step: Option<usize>,
    data: Vec<(usize, Bits)>,
    /// Clocks that tick together with data: data must have settled, but no register may have changed.
    after: Vec<(usize, Bits)>,
}

fn changes(trace: &Trace) -> Vec<Change> {
    let inputs: Vec<usize> = (0..trace.signals.len()).filter(|s| trace.signals[*s].port == Some(true)).collect();
    let mut list = Vec::new();
    for (m, moment) in trace.moments.iter().enumerate() {
        let step = (moment.time / STEP) as usize;
        let starts = moment.time.is_multiple_of(STEP);
        let joint = !starts && trace.steps.get(step).is_some_and(|s| s.joint);
        let changed = inputs.iter().map(|s| (*s, trace.value(m, *s)));
        let changed = changed.filter(|(s, v)| m == 0 || trace.value(m - 1, *s) != *v);
        let is_after = |(s, _): &(usize, Bits)| joint && trace.signals[*s].kind == Kind::Clock;
        let (after, data) = changed.partition(is_after);
        let step = (starts && step < trace.steps.len()).then_some(step);
        list.push(Change { time: moment.time, step, data, after });
    }
    list
}

/// Open initial values of one signal: which bits, and their values.
struct Opening {
    signal: usize,
    bits: Vec<(u32, bool)>,
}

impl Opening {
    /// The value, if all bits of the signal are open.
    fn whole(&self, trace: &Trace) -> Option<Bits> {
        let all = self.bits.len() == trace.signals[self.signal].width as usize;
        all.then(|| Bits::from_bits(self.bits.iter().map(|b| b.1)))
    }
}

fn openings(trace: &Trace) -> Vec<Opening> {
    let mut list: Vec<Opening> = Vec::new();
    for s in &trace.starts {
        match list.last_mut().filter(|o| o.signal == s.signal) {
            Some(o) => o.bits.push((s.bit, s.value)),
            None => list.push(Opening { signal: s.signal, bits: vec![(s.bit, s.value)] }),
        }
    }
    list
}

/// What the head of a bench says, line by line.
fn head(trace: &Trace, map: &SourceMap, command: &str) -> Vec<String> {
    let mut lines = vec![format!("Written by entail: {}.", trace.headline())];
    lines.extend(trace.place(map).map(|p| format!("The property is at {p}.")));
    lines.push(format!("Run it: {command}"));
    if trace.frees > 0 {
        let text =
            "Values that the design leaves open are not set here: the failure may need others than the simulator's.";
        lines.push(text.into());
    }
    if trace.steps.iter().any(|s| s.joint) {
        lines.push("In steps marked `joint`, data must change with the clock: not before it, not after it.".into());
    }
    if let Ending::Repeats(from) = trace.ending {
        lines.push(format!("The steps from {from} on repeat for ever; here they are played once."));
    }
    // A line break in a name would end the comment.
    lines.iter().map(|l| l.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()).collect()
}
