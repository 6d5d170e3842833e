//! The entail side of the comparison: text to design to netlist to values, and what can go wrong.

use super::oracle::{Dut, Samples};
use entail::front::verilog::Elaborated;
use entail::net::sim::{Fill, Lanes, Sim, SimOptions, Ternary};
use entail::net::{LowerOptions, Netlist, lower};
use entail::source::{Diagnostic, Format, SourceMap, render};
use entail::word::Bits;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What entail computes for the stimulus of a [`Dut`].
pub struct Run {
    /// Two-valued, with random values for everything that is open.
    pub two: Samples,
    /// Three-valued: `x` for everything that is open.
    pub three: Samples,
    /// How many bits of the netlist nobody drives.
    pub open: usize,
}

/// Why a design is a failure.
#[derive(Clone, Debug, PartialEq)]
pub enum Complaint {
    /// A legal design was refused: what kind of error, and all that was said.
    Refused(String, String),
    /// entail panicked.
    Panicked(String),
    /// An output differs: sample, output, and the values of the judge and of entail.
    Differs { sample: usize, output: usize, judge: String, two: String, three: String },
}

impl Complaint {
    /// Whether another complaint is about the same thing, so that shrinking does not wander off.
    pub fn resembles(&self, other: &Complaint) -> bool {
        match (self, other) {
            (Complaint::Refused(a, _), Complaint::Refused(b, _)) | (Complaint::Panicked(a), Complaint::Panicked(b)) => {
                a == b
            }
            // Whether entail was sure of itself: a variant that lost a driver makes it unsure.
            (Complaint::Differs { three: a, .. }, Complaint::Differs { three: b, .. }) => {
                a.contains('x') == b.contains('x')
            }
            _ => false,
        }
    }
}

/// Elaborates, lowers and simulates a design.
pub fn simulate(dut: &Dut) -> Result<Run, Complaint> {
    let run = catch_unwind(AssertUnwindSafe(|| {
        simulate_design(entail::front::verilog::elaborate_text(&dut.text, Some(&dut.top)), dut)
    }));
    run.unwrap_or_else(|payload| Err(Complaint::Panicked(panic_text(&*payload))))
}

/// Lowers and simulates an elaborated design.
pub fn simulate_design(out: Elaborated, dut: &Dut) -> Result<Run, Complaint> {
    let Some(design) = out.design else { return Err(refusal(&out.diagnostics, &out.sources)) };
    let mut diagnostics = vec![];
    let net = lower(&design, &LowerOptions::default(), &mut diagnostics);
    if diagnostics.iter().any(Diagnostic::is_error) {
        return Err(refusal(&diagnostics, &out.sources));
    }
    let random = SimOptions { init: Fill::Random(1), frees: Fill::Random(2), ..SimOptions::default() };
    let two = drive::<u64>(&net, dut, random)?;
    let three = drive::<Ternary>(&net, dut, SimOptions::default())?;
    Ok(Run { two, three, open: net.frees.len() })
}

/// The message of a caught panic, with numbers taken out so that it names the place, not the case.
pub fn panic_text(payload: &(dyn std::any::Any + Send)) -> String {
    let text = payload.downcast_ref::<String>().map(String::as_str).or(payload.downcast_ref::<&str>().copied());
    text.unwrap_or("no message").replace(|c: char| c.is_ascii_digit(), "#")
}

fn refusal(diagnostics: &[Diagnostic], sources: &SourceMap) -> Complaint {
    let first = diagnostics.iter().find(|d| d.is_error());
    // The text before the first quoted name says what kind of error it is.
    let kind = first.map_or(String::new(), |d| {
        let message = d.message.split('`').next().unwrap_or("");
        format!("{:?} {}", d.code, message.replace(|c: char| c.is_ascii_digit(), "#"))
    });
    Complaint::Refused(kind, render(diagnostics, sources, Format::Full, false))
}

fn bits(text: &str) -> Bits {
    Bits::from_bits(text.bytes().rev().map(|c| c == b'1'))
}

/// Applies the stimulus in the order the simulators do. Designs without a clock take all their
/// vectors at once, one in each lane.
fn drive<L: Lanes>(net: &Netlist, dut: &Dut, options: SimOptions) -> Result<Samples, Complaint> {
    let mut sim = Sim::<L>::new(net, options);
    let outputs: Vec<usize> = dut
        .outputs
        .iter()
        .map(|(name, _)| net.outputs.iter().position(|o| o.name == name.as_str()).expect("an output of that name"))
        .collect();
    // An input that nothing depends on may be gone.
    let inputs: Vec<Option<usize>> = dut.inputs.iter().map(|(name, _)| sim.input_index(name)).collect();
    let clock = sim.input_index("clk");
    let read = |sim: &Sim<L>, lane| outputs.iter().map(|o| sim.output_bits(*o, lane).to_binary()).collect::<Vec<_>>();
    let settle =
        |sim: &mut Sim<L>| sim.settle().map_err(|e| Complaint::Refused("does not settle".into(), e.to_string()));
    let mut samples = vec![];
    if !dut.clocked {
        for chunk in dut.vectors.chunks(64) {
            for (lane, vector) in chunk.iter().enumerate() {
                for (port, value) in inputs.iter().zip(vector) {
                    if let Some(port) = port {
                        sim.set_input_bits(*port, lane as u32, &bits(value));
                    }
                }
            }
            settle(&mut sim)?;
            samples.extend((0..chunk.len()).map(|lane| read(&sim, lane as u32)));
        }
        return Ok(samples);
    }
    let tick = |sim: &mut Sim<L>, level| {
        if let Some(clock) = clock {
            sim.set_input_bits(clock, 0, &Bits::from_bool(level));
        }
    };
    for (t, vector) in dut.vectors.iter().enumerate() {
        for (port, value) in inputs.iter().zip(vector) {
            if let Some(port) = port {
                sim.set_input_bits(*port, 0, &bits(value));
            }
        }
        if t == 0 {
            // The first levels are no edges.
            tick(&mut sim, false);
            sim.prime();
        }
        settle(&mut sim)?;
        samples.push(read(&sim, 0));
        tick(&mut sim, true);
        settle(&mut sim)?;
        samples.push(read(&sim, 0));
        tick(&mut sim, false);
        settle(&mut sim)?;
    }
    Ok(samples)
}

/// Where entail and the judge disagree: a known bit of the judge must be the two-valued bit, and the
/// three-valued one unless that is unknown.
pub fn compare(dut: &Dut, judge: &Samples, run: &Run) -> Option<Complaint> {
    let differs = |a: &str, b: &str| a.chars().zip(b.chars()).any(|(a, b)| a != b && a != 'x' && b != 'x');
    for sample in dut.skip..judge.len() {
        for output in 0..dut.outputs.len() {
            let (j, two, three) = (&judge[sample][output], &run.two[sample][output], &run.three[sample][output]);
            if differs(j, two) || differs(j, three) {
                let (judge, two, three) = (j.clone(), two.clone(), three.clone());
                return Some(Complaint::Differs { sample, output, judge, two, three });
            }
        }
    }
    None
}
