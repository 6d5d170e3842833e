//! Which gates must be evaluated in which phase: only what the wanted values depend on, then and there.
//!
//! A phase has two moments: before its clock edges ([`Plan::before`]) and at rest ([`Plan::rest`]). A register that is
//! wanted at rest is wanted at rest of the phase before, too, and what it loads is wanted before the edges, unless
//! its clock is seen not to rise. If a clock depends on state, edges can follow each other within a phase; then
//! everything wanted ever is wanted always.

use super::circuit::Circuit;
use super::terms::{Atom, Place};
use crate::net::{Gate, GateId, Lit};
use rustc_hash::FxHashMap;

/// What to evaluate.
pub struct Plan {
    /// Gates before the edges of each phase, operands first; empty if no edge can matter.
    pub before: Vec<Vec<u32>>,
    /// Gates at rest of each phase.
    pub rest: Vec<Vec<u32>>,
    /// Memories that are read.
    pub memories: Vec<bool>,
    /// No clock depends on state.
    pub simple: bool,
    /// For each gate whether no state is in its cone within a phase.
    pub stateless: Vec<bool>,
    /// Distinct clocks of registers and write ports.
    pub clocks: Vec<Lit>,
    /// Position in `clocks` of a clock.
    pub clock_index: FxHashMap<Lit, u32>,
}

/// A plan for some phases. `wanted` are atoms by time; `constant` says what is known of inputs beforehand.
pub fn plan(c: &Circuit, phases: u32, wanted: &[Atom], constant: &dyn Fn(GateId, u32) -> Option<bool>) -> Plan {
    let net = &c.net;
    let mut clocks: Vec<Lit> = net.registers.iter().map(|r| r.clock).collect();
    clocks.extend(net.memories.iter().flat_map(|m| m.writes.iter().map(|w| w.clock)));
    clocks.sort_unstable();
    clocks.dedup();
    let stateless = stateless(c);
    let mut p = Planner { c, phases, needs: Needs::new(net.gates.len()), memories: vec![false; net.memories.len()] };
    let roots: Vec<Lit> = wanted.iter().filter_map(|a| node(a.place)).collect();
    let words = wanted.iter().filter_map(|a| match a.place {
        Place::Word(m, ..) => Some(m),
        Place::Node(_) => None,
    });
    words.for_each(|m| p.memories[m as usize] = true);
    let cone = p.cone(&roots);
    let registers = net.registers.iter().filter(|r| cone[r.gate.0 as usize]).map(|r| r.clock);
    let memories = net.memories.iter().zip(&p.memories).filter(|m| *m.1).flat_map(|m| &m.0.writes);
    let mut used: Vec<Lit> = registers.chain(memories.map(|w| w.clock)).collect();
    used.sort_unstable();
    used.dedup();
    let simple = used.iter().all(|l| stateless[l.gate().0 as usize]);
    let clock_index = clocks.iter().enumerate().map(|(i, l)| (*l, i as u32)).collect();
    let (before, rest) = if simple {
        p.by_time(wanted, &used, constant)
    } else {
        let all: Vec<u32> = (0..net.gates.len() as u32).filter(|g| cone[*g as usize]).collect();
        (vec![all.clone(); phases as usize], vec![all; phases as usize])
    };
    Plan { before, rest, memories: p.memories, simple, stateless, clocks, clock_index }
}

fn node(p: Place) -> Option<Lit> {
    match p {
        Place::Node(l) => Some(Lit(l)),
        Place::Word(..) => None,
    }
}

/// For each gate whether neither registers, latches nor memories are in its cone.
fn stateless(c: &Circuit) -> Vec<bool> {
    let mut list: Vec<bool> = Vec::with_capacity(c.net.gates.len());
    for g in &c.net.gates {
        let at = |l: Lit| list[l.gate().0 as usize];
        let v = match *g {
            Gate::False | Gate::Input(..) | Gate::Free(_) => true,
            Gate::Register(_) | Gate::Latch(_) | Gate::Read(..) => false,
            Gate::And(a, b) | Gate::Xor(a, b) => at(a) & at(b),
            Gate::Mux(s, t, e) => at(s) & at(t) & at(e),
        };
        list.push(v);
    }
    list
}

/// Gates wanted at one moment, gathered.
struct Needs {
    /// The moment that wanted each gate last.
    mark: Vec<u32>,
    moment: u32,
    list: Vec<u32>,
}

impl Needs {
    fn new(gates: usize) -> Needs {
        Needs { mark: vec![0; gates], moment: 0, list: Vec::new() }
    }

    fn begin(&mut self) {
        self.moment += 1;
        self.list.clear();
    }

    fn add(&mut self, g: GateId) {
        if std::mem::replace(&mut self.mark[g.0 as usize], self.moment) != self.moment {
            self.list.push(g.0);
        }
    }
}

struct Planner<'c> {
    c: &'c Circuit,
    phases: u32,
    needs: Needs,
    memories: Vec<bool>,
}

impl Planner<'_> {
    /// Everything that matters ever.
    fn cone(&mut self, roots: &[Lit]) -> Vec<bool> {
        let net = &self.c.net;
        let mut all = roots.to_vec();
        loop {
            for (m, _) in net.memories.iter().zip(&self.memories).filter(|m| *m.1) {
                for w in &m.writes {
                    all.extend([w.clock, w.enable]);
                    all.extend(w.addr.iter().chain(&w.data).chain(&w.mask));
                }
            }
            let cone = net.cone(&all);
            let mut more = false;
            for (g, _) in cone.iter().enumerate().filter(|x| *x.1) {
                if let Gate::Read(m, ..) = net.gates[g] {
                    more |= !std::mem::replace(&mut self.memories[m as usize], true);
                }
            }
            if !more {
                return cone;
            }
        }
    }

    /// Adds everything that the gathered gates read at the same moment.
    fn close(&mut self, controls: bool) {
        let net = &self.c.net;
        let mut next = 0;
        while next < self.needs.list.len() {
            let g = GateId(self.needs.list[next]);
            next += 1;
            let needs = &mut self.needs;
            net.fanin(g, |l| needs.add(l.gate()));
            match net.gates[g.0 as usize] {
                Gate::Latch(n) => {
                    let l = &net.latches[n as usize];
                    needs.add(l.enable.gate());
                    needs.add(l.data.gate());
                }
                Gate::Register(n) if controls => {
                    for (c, v) in &net.registers[n as usize].asyncs {
                        needs.add(c.gate());
                        needs.add(v.gate());
                    }
                }
                _ => {}
            }
        }
    }

    fn by_time(
        &mut self,
        wanted: &[Atom],
        clocks: &[Lit],
        constant: &dyn Fn(GateId, u32) -> Option<bool>,
    ) -> (Vec<Vec<u32>>, Vec<Vec<u32>>) {
        let net = &self.c.net;
        let phases = self.phases as usize;
        let (mut before, mut rest) = (vec![Vec::new(); phases], vec![Vec::new(); phases]);
        let mut carried: Vec<u32> = Vec::new();
        for p in (0..phases).rev() {
            let time = self.c.time(p as u32);
            // At rest: what is asked for, and what the next phase starts from.
            self.needs.begin();
            for a in wanted.iter().filter(|a| Some(a.time) == time) {
                if let Some(l) = node(a.place) {
                    self.needs.add(l.gate());
                }
            }
            carried.iter().for_each(|g| self.needs.add(GateId(*g)));
            self.close(true);
            let mut list = self.needs.list.clone();
            list.sort_unstable();
            // Before the edges: what registers load, and what holds.
            let rises = |l: Lit| {
                let level = |p: usize| three(net.gates.as_slice(), l, &|g| constant(g, p as u32));
                level(p) != Some(false) && (p == 0 || level(p - 1) != Some(true))
            };
            let rising: FxHashMap<Lit, bool> = clocks.iter().map(|l| (*l, rises(*l))).collect();
            let risen = |l: Lit| rising.get(&l).copied().unwrap_or(true);
            self.needs.begin();
            let mut edges = false;
            let mut states = Vec::new();
            for g in &list {
                match net.gates[*g as usize] {
                    Gate::Register(n) => {
                        let r = &net.registers[n as usize];
                        states.push(*g);
                        if risen(r.clock) {
                            edges = true;
                            self.needs.add(r.next.gate());
                            self.needs.add(r.clock.gate());
                        }
                        if !r.asyncs.is_empty() {
                            edges = true;
                            r.asyncs.iter().for_each(|(c, v)| {
                                self.needs.add(c.gate());
                                self.needs.add(v.gate())
                            });
                        }
                    }
                    Gate::Latch(_) => {
                        states.push(*g);
                        edges = true;
                        self.needs.add(GateId(*g));
                    }
                    _ => {}
                }
            }
            for m in net.memories.iter().zip(&self.memories).filter(|m| *m.1).map(|m| m.0) {
                for w in m.writes.iter().filter(|w| risen(w.clock)) {
                    edges = true;
                    self.needs.add(w.clock.gate());
                    self.needs.add(w.enable.gate());
                    w.addr.iter().chain(&w.data).chain(&w.mask).for_each(|l| self.needs.add(l.gate()));
                }
            }
            // Registers are as they were left; what controls them acts with the edges.
            self.close(false);
            let mut early = self.needs.list.clone();
            early.sort_unstable();
            let is_state = |g: &&u32| matches!(net.gates[**g as usize], Gate::Register(_) | Gate::Latch(_));
            carried = states;
            carried.extend(early.iter().filter(is_state));
            // The level of each clock before this phase.
            carried.extend(clocks.iter().filter(|l| risen(**l)).map(|l| l.gate().0));
            carried.sort_unstable();
            carried.dedup();
            rest[p] = list;
            before[p] = if edges { early } else { Vec::new() };
        }
        (before, rest)
    }
}

/// The constant a literal is, given constants of some inputs; looks through stateless gates only.
fn three(gates: &[Gate], l: Lit, leaf: &dyn Fn(GateId) -> Option<bool>) -> Option<bool> {
    let at = |l: Lit| three(gates, l, leaf);
    let v = match gates[l.gate().0 as usize] {
        Gate::False => Some(false),
        Gate::Input(..) | Gate::Free(_) => leaf(l.gate()),
        Gate::Register(_) | Gate::Latch(_) | Gate::Read(..) => None,
        Gate::And(a, b) => match (at(a), at(b)) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        },
        Gate::Xor(a, b) => Some(at(a)? ^ at(b)?),
        Gate::Mux(s, t, e) => match at(s) {
            Some(s) => at(if s { t } else { e }),
            None => at(t).filter(|t| at(e) == Some(*t)),
        },
    };
    v.map(|v| v ^ l.complement())
}
