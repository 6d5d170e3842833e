//! One time step: inputs are set, everything settles.

use super::compile::{Clocked, Kind, Reg};
use super::*;

/// A design did not come to rest, e.g. an inverter around a transparent latch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Oscillation {
    /// State bits that still changed in the last round.
    pub names: Vec<String>,
}

impl std::fmt::Display for Oscillation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the design does not settle: {} keep changing", self.names.join(", "))
    }
}
impl std::error::Error for Oscillation {}

impl<L: Lanes> Sim<'_, L> {
    /// Lets the design come to rest after inputs were set: see the module's text for the order.
    pub fn settle(&mut self) -> Result<(), Oscillation> {
        self.settles += 1;
        if self.frees != Fill::Zero {
            self.draw_frees();
        }
        self.failures.fill(L::FALSE);
        self.hits.fill(L::FALSE);
        // A ripple counter needs a round per bit; whatever needs more than one round per register
        // and clock level is taken to go on for ever.
        let limit = 2 * (self.program.registers.len() + self.program.writes.len()) + 16;
        for _ in 0..limit {
            self.relax()?;
            if !self.step_clocks() {
                self.check_unclocked_asserts();
                return Ok(());
            }
        }
        Err(self.oscillation())
    }

    pub(super) fn draw_frees(&mut self) {
        let net = self.net;
        for (i, f) in net.frees.iter().enumerate() {
            let which = lanes::mix(1 << 63 | i as u64) ^ self.settles;
            self.set_leaf(f.gate, L::open(self.frees, which));
        }
    }

    /// Evaluates gates and latches until nothing changes.
    fn relax(&mut self) -> Result<(), Oscillation> {
        let limit = 2 * self.program.latches.len() + 4;
        for _ in 0..limit {
            if !self.relax_once() {
                return Ok(());
            }
        }
        Err(self.oscillation())
    }

    /// Evaluates gates, then latches. True if a latch changed.
    fn relax_once(&mut self) -> bool {
        self.evaluate();
        let p = &self.program;
        // All from the same values, so that the result does not depend on the table's order.
        let mut new_values = std::mem::take(&mut self.scratch);
        new_values.clear();
        new_values.extend(p.latches.iter().map(|l| {
            let hold = self.values[l.slot as usize];
            read(&self.values, l.enable).mux(read(&self.values, l.data), hold)
        }));
        let mut changed = false;
        for (l, &new) in p.latches.iter().zip(&new_values) {
            let old = &mut self.values[l.slot as usize];
            changed |= *old != new;
            *old = new;
        }
        self.scratch = new_values;
        self.dirty |= changed;
        changed
    }

    /// What a register holds, given what it would hold without its asynchronous controls.
    fn controlled(&self, r: &Reg, value: L) -> L {
        let (from, to) = r.asyncs;
        let controls = &self.program.asyncs[from as usize..to as usize];
        controls.iter().rev().fold(value, |v, &(c, a)| read(&self.values, c).mux(read(&self.values, a), v))
    }

    /// Updates all registers and memories whose clock rose, and all registers under asynchronous
    /// control, at once. True if a clock or a state bit changed, so that there may be further
    /// updates.
    ///
    /// An unknown clock may rise again and again, which the rise of (X, X) being X says; the round
    /// after the last change is therefore looked at too.
    fn step_clocks(&mut self) -> bool {
        let mut moved = false;
        let mut rises = std::mem::take(&mut self.rises);
        rises.clear();
        for (prev, &clock) in self.clocks.iter_mut().zip(&self.program.clocks) {
            let now = read(&self.values, clock);
            rises.push(prev.flip(!0).and(now));
            moved |= *prev != now;
            *prev = now;
        }
        self.sample_asserts(&rises);
        let p = &self.program;
        let updated = |(c, r): (&Clocked, &L)| c.start..if *r == L::FALSE { c.plain } else { c.end };
        let mut next = std::mem::take(&mut self.scratch);
        next.clear();
        for (c, &rise) in p.clocked.iter().zip(&rises) {
            for r in &p.registers[updated((c, &rise))] {
                let loaded = rise.mux(read(&self.values, r.next), self.values[r.slot as usize]);
                next.push(self.controlled(r, loaded));
            }
        }
        // Memories sample before registers change; their contents are read only by gates, which
        // are evaluated later.
        let mut changed = false;
        for w in p.writes.iter().filter(|w| rises[w.clock as usize] != L::FALSE) {
            let enable = rises[w.clock as usize].and(read(&self.values, w.enable));
            changed |= self.memories[w.memory as usize].write(enable, w, &self.values);
        }
        let registers = p.clocked.iter().zip(&rises).flat_map(|x| &p.registers[updated(x)]);
        for (r, &new) in registers.zip(&next) {
            let old = &mut self.values[r.slot as usize];
            changed |= *old != new;
            *old = new;
        }
        (self.scratch, self.rises) = (next, rises);
        self.dirty |= changed;
        moved | changed
    }

    fn sample_asserts(&mut self, rises: &[L]) {
        let net = self.net;
        for (i, a) in net.asserts.iter().enumerate() {
            if let Some(c) = self.program.assert_clocks[i]
                && rises[c as usize] != L::FALSE
            {
                let reached = rises[c as usize].and(self.lit(a.enable));
                let condition = self.lit(a.condition);
                self.failures[i] = self.failures[i].or(reached.and(condition.flip(!0)));
                self.hits[i] = self.hits[i].or(reached.and(condition));
            }
        }
    }

    fn check_unclocked_asserts(&mut self) {
        let net = self.net;
        for (i, a) in net.asserts.iter().enumerate().filter(|(_, a)| a.clock.is_none()) {
            let (reached, condition) = (self.lit(a.enable), self.lit(a.condition));
            self.failures[i] = reached.and(condition.flip(!0));
            self.hits[i] = reached.and(condition);
        }
    }

    /// One pass over all gates, if anything they read changed.
    pub(super) fn evaluate(&mut self) {
        if !std::mem::take(&mut self.dirty) {
            return;
        }
        self.passes += 1;
        let p = &self.program;
        for run in &p.runs {
            // Operands lie below the run, results within it.
            let args = &p.args[run.args as usize..];
            if run.kind == Kind::Read {
                let port = &p.reads[run.start as usize];
                let salt = (port.port as u64) << 32 ^ self.settles;
                self.memories[port.memory as usize].read(port, &mut self.values, self.frees, salt);
                continue;
            }
            let (below, results) = self.values.split_at_mut(run.start as usize);
            let results = &mut results[..run.len as usize];
            match run.kind {
                Kind::And => {
                    for (v, a) in results.iter_mut().zip(args.chunks_exact(2)) {
                        *v = read(below, a[0]).and(read(below, a[1]));
                    }
                }
                Kind::Xor => {
                    for (v, a) in results.iter_mut().zip(args.chunks_exact(2)) {
                        *v = read(below, a[0]).xor(read(below, a[1]));
                    }
                }
                _ => {
                    for (v, a) in results.iter_mut().zip(args.chunks_exact(3)) {
                        *v = read(below, a[0]).mux(read(below, a[1]), read(below, a[2]));
                    }
                }
            }
        }
    }

    /// Names the state that changes in one more round.
    fn oscillation(&mut self) -> Oscillation {
        let net = self.net;
        let before = self.values.clone();
        self.relax_once();
        self.evaluate();
        self.step_clocks();
        let names = net.names();
        let state = net.registers.iter().map(|r| r.gate).chain(net.latches.iter().map(|l| l.gate));
        let changed = state.filter(|g| {
            let slot = self.program.slot[g.0 as usize] as usize;
            self.values[slot] != before[slot]
        });
        Oscillation { names: changed.map(|g| names.or_number(Lit::new(g, false))).take(12).collect() }
    }
}
