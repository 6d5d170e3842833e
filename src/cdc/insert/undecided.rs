//! Registers that captured an unstable signal: until their next edge, who reads them may take them for either value,
//! each reader for another.

use super::Place;
use super::writer::Writer;
use crate::cdc::crossing::End;
use crate::net::{Gate, GateId, Lit};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

impl Writer<'_> {
    /// Lets what was captured while unstable stay undecided through so many registers in a row.
    pub(super) fn undecided(&mut self, depth: u32, places: &mut [Place]) {
        if depth == 0 {
            return;
        }
        // What makes a register undecided at its edge.
        let mut causes: BTreeMap<u32, Vec<Lit>> = BTreeMap::new();
        let mut released: Vec<(u32, Lit, Lit)> = Vec::new();
        for p in places.iter().filter(|p| p.unstable != Lit::FALSE) {
            let End::Register(r) = p.end else { continue };
            let list = causes.entry(r).or_default();
            match p.control {
                None => list.push(p.unstable),
                Some(value) => released.push((r, p.unstable, value)),
            }
        }
        let mut flags: BTreeMap<u32, Lit> = BTreeMap::new();
        let mut level: BTreeSet<u32> = causes.keys().copied().collect();
        for k in 1..=depth {
            for r in &level {
                if !flags.contains_key(r) {
                    let l = self.flag(*r);
                    flags.insert(*r, l);
                }
            }
            let roots: FxHashMap<GateId, Lit> =
                level.iter().map(|r| (self.s.net.registers[*r as usize].gate, flags[r])).collect();
            let reached = self.confuse(&roots);
            if k < depth {
                // It goes on to who read it, whatever was made of it there.
                for (r, by) in &reached {
                    causes.entry(*r).or_default().extend(by);
                }
                level = reached.into_keys().collect();
            }
        }
        // A control that goes just then leaves a register alone if it takes what it had been forced to.
        for (r, unstable, value) in released {
            let differs = self.b.xor(self.b.net.registers[r as usize].next, value);
            let cause = self.b.and(unstable, differs);
            causes.entry(r).or_default().push(cause);
        }
        for (r, flag) in &flags {
            let why = self.b.any(&causes[r]);
            self.set_next(*flag, why);
        }
        for p in places.iter_mut() {
            if let End::Register(r) = p.end {
                p.undecided = flags.get(&r).copied();
            }
        }
    }

    /// A register beside another one that says whether that one is undecided.
    fn flag(&mut self, r: u32) -> Lit {
        let gate = self.s.net.registers[r as usize].gate;
        let name = self.name(Lit::new(gate, false));
        let l = self.register(format!("entail:undecided:{name}"), Some(false));
        if let Gate::Register(n) = self.b.net.gates[l.gate().0 as usize] {
            let of = &self.b.net.registers[r as usize];
            let (clock, asyncs) = (of.clock, of.asyncs.iter().map(|a| (a.0, Lit::FALSE)).collect());
            let new = &mut self.b.net.registers[n as usize];
            (new.clock, new.asyncs) = (clock, asyncs);
        }
        l
    }

    /// Makes every reader of some gates see a value of its own while the gate's flag is 1; returns the registers that
    /// read, with the flags of what they read.
    fn confuse(&mut self, roots: &FxHashMap<GateId, Lit>) -> BTreeMap<u32, Vec<Lit>> {
        let mut behind = vec![false; self.b.net.gates.len()];
        for g in 0..behind.len() {
            let id = GateId(g as u32);
            let mut is = roots.contains_key(&id);
            self.b.net.fanin(id, |l| is |= behind[l.gate().0 as usize]);
            behind[g] = is;
        }
        let is = |l: Lit| behind[l.gate().0 as usize];
        let mut found = BTreeMap::new();
        for r in 0..self.s.net.registers.len() {
            let reg = self.b.net.registers[r].clone();
            if !self.s.hard[reg.gate.0 as usize] || !(is(reg.next) || reg.asyncs.iter().any(|a| is(a.0))) {
                continue;
            }
            let mut view = View { roots, behind: &behind, own: reg.gate, made: FxHashMap::default(), read: Vec::new() };
            let next = view.of(self, reg.next);
            let asyncs: Vec<(Lit, Lit)> = reg.asyncs.iter().map(|a| (view.of(self, a.0), a.1)).collect();
            (self.b.net.registers[r].next, self.b.net.registers[r].asyncs) = (next, asyncs);
            if !view.read.is_empty() {
                found.insert(r as u32, view.read);
            }
        }
        for l in 0..self.s.net.latches.len() {
            let latch = self.b.net.latches[l].clone();
            if self.s.hard[latch.gate.0 as usize] && (is(latch.data) || is(latch.enable)) {
                let own = latch.gate;
                let mut view = View { roots, behind: &behind, own, made: FxHashMap::default(), read: Vec::new() };
                let (data, enable) = (view.of(self, latch.data), view.of(self, latch.enable));
                (self.b.net.latches[l].data, self.b.net.latches[l].enable) = (data, enable);
            }
        }
        found
    }
}

/// What one reader sees.
struct View<'v> {
    roots: &'v FxHashMap<GateId, Lit>,
    /// Gates behind one of the roots.
    behind: &'v [bool],
    /// The reader: what it reads of itself is what it becomes.
    own: GateId,
    made: FxHashMap<GateId, Lit>,
    /// Flags of the roots it reads.
    read: Vec<Lit>,
}

impl View<'_> {
    fn of(&mut self, w: &mut Writer, l: Lit) -> Lit {
        let mut open = vec![l.gate()];
        while let Some(&g) = open.last() {
            if self.made.contains_key(&g) {
                open.pop();
                continue;
            }
            let plain = Lit::new(g, false);
            if !self.behind.get(g.0 as usize).is_some_and(|b| *b) || g == self.own {
                self.made.insert(g, plain);
                continue;
            }
            if let Some(flag) = self.roots.get(&g) {
                let any = w.input(format!("entail:y:{}", w.name(plain)));
                let seen = w.b.mux(*flag, any, plain);
                self.read.push(*flag);
                self.made.insert(g, seen);
                continue;
            }
            let mut operands = Vec::new();
            w.b.net.fanin(g, |l| operands.push(l));
            let missing: Vec<GateId> =
                operands.iter().map(|l| l.gate()).filter(|g| !self.made.contains_key(g)).collect();
            if !missing.is_empty() {
                open.extend(missing);
                continue;
            }
            let seen: Vec<Lit> = operands.iter().map(|l| self.made[&l.gate()].xor(l.complement())).collect();
            let gate = w.b.net.gates[g.0 as usize];
            // Words of memories are no state of one bit; models have none.
            let new = if let Gate::Read(..) = gate { plain } else { w.gate(gate, &seen) };
            self.made.insert(g, new);
        }
        self.made[&l.gate()].xor(l.complement())
    }
}
