//! A compiled simulator: 64 patterns at once, two-valued ([`u64`]) or three-valued ([`Ternary`]).
//!
//! It follows the event order of an HDL simulator (IEEE 1800 clause 4, active events before
//! nonblocking updates): gates and latches settle first; then every register whose clock rose takes
//! the value its data had before any of these updates, unless an asynchronous control is active;
//! this repeats until nothing changes. So a register on a derived clock sees what the source
//! clock's edge updated, and one on a gated copy of the same clock sees what was there before.
//!
//! In three-valued mode every result covers all two-valued runs that agree with the known bits.

mod compile;
mod lanes;
mod memory;
mod settle;

pub use lanes::{Lanes, Ternary};
pub use settle::Oscillation;

use super::*;
use crate::word::Bits;
use compile::Program;
use memory::MemoryState;
use rustc_hash::FxHashMap;

/// Where a value comes from that the design leaves open, in two-valued mode. (In three-valued mode
/// such a value is X.)
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Fill {
    /// 0.
    #[default]
    Zero,
    /// Random by this seed, different in each lane.
    Random(u64),
}

/// Choices of a simulation.
#[derive(Clone, Debug)]
pub struct SimOptions {
    /// Unconstrained initial values of registers, latches and memories.
    pub init: Fill,
    /// Free values; random ones are drawn anew at each [`Sim::settle`].
    pub frees: Fill,
    /// Lanes whose memories are simulated (1 to 64); memories of other lanes read as open values.
    pub memory_lanes: u32,
}

impl Default for SimOptions {
    fn default() -> SimOptions {
        SimOptions { init: Fill::Zero, frees: Fill::Zero, memory_lanes: 64 }
    }
}

/// A running simulation.
pub struct Sim<'n, L: Lanes> {
    net: &'n Netlist,
    program: Program,
    /// Value of each slot of the program.
    values: Vec<L>,
    /// Gates must be evaluated before they are read.
    dirty: bool,
    /// Value of each clock at the last look.
    clocks: Vec<L>,
    memories: Vec<MemoryState<L>>,
    failures: Vec<L>,
    hits: Vec<L>,
    frees: Fill,
    settles: u64,
    inputs: FxHashMap<SmolStr, usize>,
    nets: FxHashMap<SmolStr, usize>,
    passes: u64,
    scratch: Vec<L>,
    rises: Vec<L>,
}

impl<'n, L: Lanes> Sim<'n, L> {
    /// A simulation at time zero: state has its initial values, inputs are 0 (X in three-valued
    /// mode) and the present levels of the clocks are taken as no edges. Latches and asynchronous
    /// controls first act in [`Sim::settle`]; to start from other input levels, set the inputs and
    /// call [`Sim::prime`].
    pub fn new(net: &'n Netlist, opts: SimOptions) -> Sim<'n, L> {
        let program = Program::new(net);
        let values = vec![L::UNKNOWN; program.slot_count];
        let memory = |(i, m)| MemoryState::new(m, i as u64, opts.init, opts.memory_lanes);
        let mut sim = Sim {
            net,
            values,
            dirty: true,
            clocks: vec![L::UNKNOWN; program.clocks.len()],
            memories: net.memories.iter().enumerate().map(memory).collect(),
            failures: vec![L::FALSE; net.asserts.len()],
            hits: vec![L::FALSE; net.asserts.len()],
            frees: opts.frees,
            settles: 0,
            inputs: net.inputs.iter().enumerate().map(|(i, p)| (p.name.clone(), i)).collect(),
            nets: net.nets.iter().enumerate().map(|(i, p)| (p.name.clone(), i)).collect(),
            passes: 0,
            scratch: Vec::new(),
            rises: Vec::new(),
            program,
        };
        sim.values[0] = L::FALSE;
        for (i, r) in net.registers.iter().enumerate() {
            let slot = sim.program.slot[r.gate.0 as usize] as usize;
            sim.values[slot] = initial(r.init, opts.init, 2 * i as u64);
        }
        for (i, r) in net.latches.iter().enumerate() {
            let slot = sim.program.slot[r.gate.0 as usize] as usize;
            sim.values[slot] = initial(r.init, opts.init, 2 * i as u64 + 1);
        }
        sim.draw_frees();
        sim.prime();
        sim
    }

    /// Evaluates the gates with the inputs and the state as they are, and takes the levels of all
    /// clocks as no edges.
    pub fn prime(&mut self) {
        self.evaluate();
        for (prev, &clock) in self.clocks.iter_mut().zip(&self.program.clocks) {
            *prev = read(&self.values, clock);
        }
    }

    /// Position of the input port of that name.
    pub fn input_index(&self, name: &str) -> Option<usize> {
        self.inputs.get(name).copied()
    }

    /// Sets one bit of an input in all lanes.
    pub fn set_input(&mut self, port: usize, bit: u32, value: L) {
        let l = self.net.inputs[port].bits[bit as usize];
        self.set_leaf(l.gate(), value);
    }

    /// Sets an input in one lane; unknown bits are X, or 0 in two-valued mode.
    pub fn set_input_bits(&mut self, port: usize, lane: u32, value: &Bits) {
        let net = self.net;
        for (i, l) in net.inputs[port].bits.iter().enumerate() {
            let i = i as u32;
            let bit = (!value.is_unknown(i)).then(|| value.bit(i));
            let old = self.lit(*l);
            self.set_leaf(l.gate(), old.with(lane, bit));
        }
    }

    /// Sets a register bit, by its position in [`Netlist::registers`].
    pub fn set_register(&mut self, register: usize, value: L) {
        self.set_leaf(self.net.registers[register].gate, value);
    }

    /// Sets a latch bit, by its position in [`Netlist::latches`].
    pub fn set_latch(&mut self, latch: usize, value: L) {
        self.set_leaf(self.net.latches[latch].gate, value);
    }

    /// Sets a free value, by its position in [`Netlist::frees`]. It stays until it is set again;
    /// random ones are drawn again at the next [`Sim::settle`].
    pub fn set_free(&mut self, free: usize, value: L) {
        self.set_leaf(self.net.frees[free].gate, value);
    }

    /// Sets a word of a kept memory in one lane.
    pub fn set_memory_word(&mut self, memory: usize, lane: u32, addr: u64, value: &Bits) {
        self.memories[memory].store(lane, addr, value);
        self.dirty = true;
    }

    /// A word of a kept memory in one lane.
    pub fn memory_word(&self, memory: usize, lane: u32, addr: u64) -> Bits {
        self.memories[memory].load(lane, addr)
    }

    fn set_leaf(&mut self, gate: GateId, value: L) {
        let slot = self.program.slot[gate.0 as usize] as usize;
        if self.values[slot] != value {
            self.values[slot] = value;
            self.dirty |= self.program.is_read[slot];
        }
    }

    /// The present value of a literal in all lanes, as of the last [`Sim::settle`].
    pub fn lit(&self, l: Lit) -> L {
        read(&self.values, self.program.operand(l))
    }

    /// Bits, least significant first, in one lane; `x` where unknown.
    pub fn bits(&self, bits: &[Lit], lane: u32) -> Bits {
        let mut r = Bits::zero(bits.len() as u32);
        for (i, l) in bits.iter().enumerate() {
            match self.lit(*l).get(lane) {
                Some(v) => r.set(i as u32, v),
                None => r.set_unknown(i as u32, false),
            }
        }
        r
    }

    /// An output in one lane.
    pub fn output_bits(&self, port: usize, lane: u32) -> Bits {
        self.bits(&self.net.outputs[port].bits, lane)
    }

    /// A named net in one lane.
    pub fn net_bits(&self, name: &str, lane: u32) -> Option<Bits> {
        let &n = self.nets.get(name)?;
        Some(self.bits(&self.net.nets[n].bits, lane))
    }

    /// For each assert the lanes in which it was reached and its condition did not hold: at an
    /// edge of its clock in the last [`Sim::settle`] (with the values before the edge), or, without
    /// a clock, in the settled values.
    pub fn assert_failures(&self) -> &[L] {
        &self.failures
    }

    /// For each assert the lanes in which it was reached and its condition held: the hits of a
    /// cover.
    pub fn assert_hits(&self) -> &[L] {
        &self.hits
    }

    /// How often all gates were evaluated so far.
    pub fn passes(&self) -> u64 {
        self.passes
    }
}

/// The value of a compiled operand.
fn read<L: Lanes>(values: &[L], operand: u32) -> L {
    values[(operand >> 1) as usize].flip((operand as u64 & 1).wrapping_neg())
}

fn initial<L: Lanes>(init: Option<bool>, fill: Fill, which: u64) -> L {
    match init {
        Some(v) => L::FALSE.flip((v as u64).wrapping_neg()),
        None => L::open(fill, which),
    }
}
