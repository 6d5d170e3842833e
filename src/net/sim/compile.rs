//! Compiles a netlist into a flat program: gates sorted by level and kind, so that evaluation is a
//! few long loops without branches.

use super::*;

/// What the gates of a [`Run`] are.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Kind {
    /// Two operands.
    And,
    /// Two operands.
    Xor,
    /// Three operands.
    Mux,
    /// A read port delivers its word: `start` is the position in [`Program::reads`].
    Read,
}

/// Gates of one kind that depend on nothing within the run.
pub(super) struct Run {
    pub kind: Kind,
    /// First slot written, or first read port.
    pub start: u32,
    /// Number of gates.
    pub len: u32,
    /// First operand.
    pub args: u32,
}

/// A memory read port: where its address comes from and its bits go.
pub(super) struct ReadPort {
    pub memory: u32,
    pub port: u32,
    pub addr: Vec<u32>,
    /// (bit of the word, slot).
    pub bits: Vec<(u32, u32)>,
}

/// A register, its operands compiled.
pub(super) struct Reg {
    pub slot: u32,
    pub next: u32,
    /// Range of [`Program::asyncs`].
    pub asyncs: (u32, u32),
}

/// The registers of one clock: all are `start .. end`, those with asynchronous controls
/// `start .. plain`.
pub(super) struct Clocked {
    pub start: usize,
    pub plain: usize,
    pub end: usize,
}

/// A latch, its operands compiled.
pub(super) struct Lat {
    pub slot: u32,
    pub enable: u32,
    pub data: u32,
}

/// A write port, its operands compiled.
pub(super) struct Write {
    pub memory: u32,
    pub clock: u32,
    pub enable: u32,
    pub addr: Vec<u32>,
    pub data: Vec<u32>,
    pub mask: Vec<u32>,
}

/// A compiled netlist. An operand is twice a slot, plus one if complemented.
pub(super) struct Program {
    /// Slot of each gate.
    pub slot: Vec<u32>,
    pub slot_count: usize,
    /// Whether a gate or a read port reads the slot.
    pub is_read: Vec<bool>,
    pub runs: Vec<Run>,
    pub args: Vec<u32>,
    pub reads: Vec<ReadPort>,
    /// Distinct clock operands.
    pub clocks: Vec<u32>,
    /// Registers sorted by clock, those with asynchronous controls first.
    pub registers: Vec<Reg>,
    /// For each clock its range of registers.
    pub clocked: Vec<Clocked>,
    /// (condition, value) operands.
    pub asyncs: Vec<(u32, u32)>,
    pub latches: Vec<Lat>,
    pub writes: Vec<Write>,
    /// For each assert its clock, as a position in [`Program::clocks`].
    pub assert_clocks: Vec<Option<u32>>,
}

impl Program {
    pub fn new(net: &Netlist) -> Program {
        let mut p = Program {
            slot: vec![0; net.gates.len()],
            slot_count: net.gates.len(),
            is_read: vec![false; net.gates.len()],
            runs: Vec::new(),
            args: Vec::new(),
            reads: Vec::new(),
            clocks: Vec::new(),
            registers: Vec::new(),
            clocked: Vec::new(),
            asyncs: Vec::new(),
            latches: Vec::new(),
            writes: Vec::new(),
            assert_clocks: Vec::new(),
        };
        p.schedule(net);
        p.compile_state(net);
        p
    }

    /// The operand of a literal.
    pub fn operand(&self, l: Lit) -> u32 {
        self.slot[l.gate().0 as usize] << 1 | l.complement() as u32
    }

    fn operands(&self, bits: &[Lit]) -> Vec<u32> {
        bits.iter().map(|l| self.operand(*l)).collect()
    }

    /// Orders gates by level and kind, numbers their slots in that order and makes the runs.
    fn schedule(&mut self, net: &Netlist) {
        let mut level = vec![0u32; net.gates.len()];
        let mut order: Vec<(u32, Option<Kind>, u32)> = Vec::with_capacity(net.gates.len());
        for (i, g) in net.gates.iter().enumerate() {
            let kind = match g {
                Gate::And(..) => Some(Kind::And),
                Gate::Xor(..) => Some(Kind::Xor),
                Gate::Mux(..) => Some(Kind::Mux),
                Gate::Read(..) => Some(Kind::Read),
                _ => None,
            };
            if kind.is_some() {
                let mut deepest = 0;
                net.fanin(GateId(i as u32), |l| {
                    assert!(l.gate().0 < i as u32, "gates are in topological order");
                    deepest = deepest.max(level[l.gate().0 as usize]);
                });
                level[i] = deepest + 1;
            }
            order.push((level[i], kind, i as u32));
        }
        // The constant is gate 0 and a leaf, so it sorts to slot 0.
        order.sort_unstable();
        for (slot, &(_, _, gate)) in order.iter().enumerate() {
            self.slot[gate as usize] = slot as u32;
        }
        let mut ports: FxHashMap<(u32, u32), usize> = FxHashMap::default();
        let mut last = None;
        for (slot, &(level, kind, gate)) in order.iter().enumerate() {
            let Some(kind) = kind else { continue };
            if let Gate::Read(memory, port, bit) = net.gates[gate as usize] {
                let found = *ports.entry((memory, port)).or_insert_with(|| {
                    let addr = self.operands(&net.memories[memory as usize].reads[port as usize]);
                    self.reads.push(ReadPort { memory, port, addr, bits: Vec::new() });
                    let start = self.reads.len() as u32 - 1;
                    self.runs.push(Run { kind, start, len: 1, args: 0 });
                    last = None;
                    start as usize
                });
                self.reads[found].bits.push((bit, slot as u32));
                net.fanin(GateId(gate), |l| self.is_read[self.slot[l.gate().0 as usize] as usize] = true);
                continue;
            }
            if last != Some((level, kind)) {
                last = Some((level, kind));
                self.runs.push(Run { kind, start: slot as u32, len: 0, args: self.args.len() as u32 });
            }
            self.runs.last_mut().expect("just made").len += 1;
            net.fanin(GateId(gate), |l| {
                let operand = self.operand(l);
                self.is_read[(operand >> 1) as usize] = true;
                self.args.push(operand);
            });
        }
    }

    fn compile_state(&mut self, net: &Netlist) {
        let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
        let mut order: Vec<(u32, bool, usize)> = Vec::new();
        for (i, r) in net.registers.iter().enumerate() {
            let operand = self.operand(r.clock);
            order.push((self.clock_number(&mut numbers, operand), r.asyncs.is_empty(), i));
        }
        order.sort_unstable();
        for &(_, _, i) in &order {
            let r = &net.registers[i];
            let from = self.asyncs.len() as u32;
            for &(c, v) in &r.asyncs {
                self.asyncs.push((self.operand(c), self.operand(v)));
            }
            let (slot, next) = (self.slot[r.gate.0 as usize], self.operand(r.next));
            self.registers.push(Reg { slot, next, asyncs: (from, self.asyncs.len() as u32) });
        }
        for l in &net.latches {
            let (enable, data) = (self.operand(l.enable), self.operand(l.data));
            self.latches.push(Lat { slot: self.slot[l.gate.0 as usize], enable, data });
        }
        for (memory, m) in net.memories.iter().enumerate() {
            for w in &m.writes {
                let operand = self.operand(w.clock);
                let clock = self.clock_number(&mut numbers, operand);
                self.writes.push(Write {
                    memory: memory as u32,
                    clock,
                    enable: self.operand(w.enable),
                    addr: self.operands(&w.addr),
                    data: self.operands(&w.data),
                    mask: self.operands(&w.mask),
                });
            }
        }
        for a in &net.asserts {
            let clock = a.clock.map(|c| {
                let operand = self.operand(c);
                self.clock_number(&mut numbers, operand)
            });
            self.assert_clocks.push(clock);
        }
        for c in 0..self.clocks.len() as u32 {
            let start = order.partition_point(|o| o.0 < c);
            let plain = order.partition_point(|o| (o.0, o.1) < (c, true));
            let end = order.partition_point(|o| o.0 <= c);
            self.clocked.push(Clocked { start, plain, end });
        }
    }

    fn clock_number(&mut self, numbers: &mut FxHashMap<u32, u32>, operand: u32) -> u32 {
        *numbers.entry(operand).or_insert_with(|| {
            self.clocks.push(operand);
            self.clocks.len() as u32 - 1
        })
    }
}
