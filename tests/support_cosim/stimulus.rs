//! What the inputs do, step by step: the same for the netlist and for Verilator.
//!
//! In a step either clocks toggle or other inputs change, never both, so no value depends on the
//! order in which a simulator looks at simultaneous events. With one clock a cycle is three steps:
//! the clock falls, the inputs change, the clock rises; the outputs are compared after each, which
//! includes the last moment before the active edge and the first one after it. With several clocks
//! any of them, or some together, toggle in random order.

use super::design::{Design, Hint};
use entail::net::Netlist;
use fastrand::Rng;

/// Value of every input bit, ports in the order of the netlist, least significant bit first.
pub type Step = Vec<bool>;

/// The inputs of a whole run.
pub struct Stimulus {
    pub steps: Vec<Step>,
    /// The first step at which outputs count: resets were held for a while.
    pub compare_from: usize,
    /// The least number of rising edges any clock saw since, or of input changes without clocks.
    pub cycles: usize,
}

/// Input changes under reset at the start.
const RESET_CHANGES: usize = 12;

struct Driver<'a> {
    rng: Rng,
    net: &'a Netlist,
    /// First bit of each port.
    base: Vec<usize>,
    clocks: Vec<usize>,
    /// Bit and active level, and how many input changes the present pulse still lasts.
    resets: Vec<(usize, bool, usize)>,
    hints: Vec<Option<Hint>>,
    reset_every: u32,
    now: Step,
}

/// Random inputs of `count` steps.
pub fn stimulus(design: &Design, net: &Netlist, seed: u64, count: usize) -> Stimulus {
    let mut driver = Driver::new(design, net, seed);
    let mut s = Stimulus { steps: vec![driver.now.clone()], compare_from: 0, cycles: 0 };
    let mut rises = vec![0; driver.clocks.len().max(1)];
    let mut changes = 0;
    for i in 0.. {
        if s.steps.len() == count {
            break;
        }
        let before = driver.now.clone();
        let clocks = driver.clocks.clone();
        let turn = if clocks.len() > 1 { driver.rng.usize(0..3) } else { i % 3 };
        match (clocks.len(), turn) {
            (0, _) | (_, 1) => {
                changes += 1;
                driver.change(changes <= RESET_CHANGES);
            }
            (1, turn) => driver.now[clocks[0]] = turn == 2,
            (n, _) => {
                // Mostly one clock at a time; sometimes several edges fall together.
                let together = driver.rng.u32(0..4) == 0;
                let first = driver.rng.usize(0..n);
                for (k, &c) in clocks.iter().enumerate() {
                    if k == first || together && driver.rng.bool() {
                        driver.now[c] ^= true;
                    }
                }
            }
        }
        if changes > RESET_CHANGES && s.compare_from == 0 {
            s.compare_from = s.steps.len();
        }
        if s.compare_from > 0 {
            for (k, &c) in clocks.iter().enumerate() {
                rises[k] += usize::from(!before[c] && driver.now[c]);
            }
            rises[0] += usize::from(clocks.is_empty());
        }
        s.steps.push(driver.now.clone());
    }
    s.cycles = rises.into_iter().min().unwrap_or(0);
    s
}

impl<'a> Driver<'a> {
    fn new(design: &Design, net: &'a Netlist, seed: u64) -> Driver<'a> {
        let mut base = vec![0];
        for p in &net.inputs {
            base.push(base[base.len() - 1] + p.bits.len());
        }
        let port = |name: &str| {
            let found = net.inputs.iter().position(|p| p.name == name);
            found.unwrap_or_else(|| panic!("{} has no input `{name}`", design.name()))
        };
        let clocks: Vec<usize> = design.clocks.iter().map(|c| base[port(c)]).collect();
        let resets: Vec<_> = design.resets.iter().map(|(r, level)| (base[port(r)], *level, 0)).collect();
        let mut hints = vec![None; net.inputs.len()];
        for (name, hint) in &design.hints {
            hints[port(name)] = Some(*hint);
        }
        let mut now = vec![false; base[net.inputs.len()]];
        // Resets start inactive, so that asserting them is an edge for a simulator.
        for &(bit, level, _) in &resets {
            now[bit] = !level;
        }
        Driver { rng: Rng::with_seed(seed), net, base, clocks, resets, hints, reset_every: design.reset_every, now }
    }

    /// New values for everything that is no clock.
    fn change(&mut self, under_reset: bool) {
        let net = self.net;
        for (p, port) in net.inputs.iter().enumerate() {
            let base = self.base[p];
            if self.clocks.contains(&base) || self.resets.iter().any(|r| r.0 == base) {
                continue;
            }
            match self.hints[p] {
                Some(Hint::Constant(v)) => self.write(base, port.bits.len(), v),
                Some(Hint::Instruction) => {
                    let word = instruction(&mut self.rng);
                    self.write(base, port.bits.len(), word);
                }
                Some(Hint::Often(n)) => self.now[base] = self.rng.u32(0..256) < n,
                None => self.random(base, port.bits.len()),
            }
        }
        for k in 0..self.resets.len() {
            let (bit, level, left) = self.resets[k];
            let start = self.reset_every > 0 && self.rng.u32(0..self.reset_every) == 0;
            let left = if start { self.rng.usize(1..5) } else { left.saturating_sub(1) };
            self.resets[k].2 = left;
            self.now[bit] = level == (under_reset || left > 0);
        }
    }

    /// Mostly uniform; sometimes kept, all zeros or all ones, so that comparisons and carries see
    /// their corners.
    fn random(&mut self, base: usize, width: usize) {
        let style = self.rng.u32(0..16);
        for bit in &mut self.now[base..base + width] {
            match style {
                0..4 => {}
                4 if width > 1 => *bit = false,
                5 if width > 1 => *bit = true,
                _ => *bit = self.rng.bool(),
            }
        }
    }

    fn write(&mut self, base: usize, width: usize, value: u64) {
        for (i, bit) in self.now[base..base + width].iter_mut().enumerate() {
            *bit = i < 64 && value >> i & 1 == 1;
        }
    }
}

/// A 32-bit word that mostly is a legal RV32IM instruction.
fn instruction(rng: &mut Rng) -> u64 {
    const OPCODES: [u32; 11] = [0x03, 0x13, 0x17, 0x23, 0x33, 0x37, 0x63, 0x67, 0x6f, 0x73, 0x0f];
    const FUNCTION7: [u32; 4] = [0, 0, 0x20, 1];
    let word = rng.u32(..);
    if rng.u32(0..16) == 0 {
        return word as u64;
    }
    let opcode = OPCODES[rng.usize(0..OPCODES.len())];
    let mut word = word & !0x7f | opcode;
    if opcode == 0x33 || opcode == 0x13 && word >> 12 & 3 == 1 {
        word = word & 0x01ff_ffff | FUNCTION7[rng.usize(0..4)] << 25;
    }
    word as u64
}
