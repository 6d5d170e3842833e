//! Sizes of a netlist and its clocks.

use super::*;

/// A clock and how much state it drives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClockUse {
    /// The literal whose rising edge is the event.
    pub clock: Lit,
    /// Its name, `!` before it for a falling edge.
    pub name: String,
    /// Register bits on it.
    pub registers: usize,
    /// Memory write ports on it.
    pub write_ports: usize,
}

/// Counts of a netlist.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Input bits.
    pub input_bits: usize,
    /// Output bits.
    pub output_bits: usize,
    /// And gates.
    pub and: usize,
    /// Exclusive-or gates.
    pub xor: usize,
    /// Multiplexers.
    pub mux: usize,
    /// Free values.
    pub frees: usize,
    /// Register bits.
    pub registers: usize,
    /// Latch bits.
    pub latches: usize,
    /// Memories that were kept.
    pub memories: usize,
    /// Their bits.
    pub memory_bits: u64,
    /// Named nets.
    pub nets: usize,
    /// Asserts, assumes and covers.
    pub asserts: usize,
    /// Distinct clocks, in the order of first use.
    pub clocks: Vec<ClockUse>,
}

impl Stats {
    /// And, exclusive-or and multiplexer gates.
    pub fn gates(&self) -> usize {
        self.and + self.xor + self.mux
    }
}

impl Netlist {
    /// Counts gates, state and clocks. State with a constant clock counts for no clock.
    pub fn stats(&self) -> Stats {
        let count = |f: fn(&Gate) -> bool| self.gates.iter().filter(|g| f(g)).count();
        let bits = |nets: &[Net]| nets.iter().map(|n| n.bits.len()).sum();
        Stats {
            input_bits: bits(&self.inputs),
            output_bits: bits(&self.outputs),
            and: count(|g| matches!(g, Gate::And(..))),
            xor: count(|g| matches!(g, Gate::Xor(..))),
            mux: count(|g| matches!(g, Gate::Mux(..))),
            frees: self.frees.len(),
            registers: self.registers.len(),
            latches: self.latches.len(),
            memories: self.memories.len(),
            memory_bits: self.memories.iter().map(|m| m.size.saturating_mul(m.width as u64)).sum(),
            nets: self.nets.len(),
            asserts: self.asserts.len(),
            clocks: self.clock_uses(),
        }
    }

    fn clock_uses(&self) -> Vec<ClockUse> {
        let names = self.names();
        let mut uses: Vec<ClockUse> = Vec::new();
        let mut position = rustc_hash::FxHashMap::default();
        let registers = self.registers.iter().map(|r| (r.clock, 1, 0));
        let writes = self.memories.iter().flat_map(|m| &m.writes).map(|w| (w.clock, 0, 1));
        for (clock, r, w) in registers.chain(writes).filter(|(c, ..)| c.as_const().is_none()) {
            let at = *position.entry(clock).or_insert_with(|| {
                uses.push(ClockUse { clock, name: names.or_number(clock), registers: 0, write_ports: 0 });
                uses.len() - 1
            });
            uses[at].registers += r;
            uses[at].write_ports += w;
        }
        uses
    }
}

impl std::fmt::Display for Stats {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "inputs {}  outputs {}  nets {}", self.input_bits, self.output_bits, self.nets)?;
        writeln!(f, "gates {}  (and {}  xor {}  mux {})", self.gates(), self.and, self.xor, self.mux)?;
        writeln!(f, "registers {}  latches {}  free values {}", self.registers, self.latches, self.frees)?;
        writeln!(f, "memories {}  memory bits {}  asserts {}", self.memories, self.memory_bits, self.asserts)?;
        for c in &self.clocks {
            writeln!(f, "clock {}  registers {}  write ports {}", c.name, c.registers, c.write_ports)?;
        }
        Ok(())
    }
}
