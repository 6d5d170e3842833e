//! Playing a path in the simulator, and checking that both agree.
//!
//! A step is tried in two halves first: data, then clocks. If that ends in another state than the model
//! says, the step is taken back and played at once, which is what the model means by it; if that differs
//! too, something is wrong.

use super::layout::{Layout, clock_lits, inputs_behind};
use super::{Clock, Ending, Moment, Row, STEP, Start, Step, TICK, Trace, matters};
use crate::model::{Goal, Origin, Path, Question, Replayed, Role, System, replay};
use crate::net::{Gate, Lit, Netlist, Sim, SimOptions};
use crate::word::AssertKind;

pub(super) fn play(net: &Netlist, sys: &System, goal: &Goal, path: &Path) -> Result<Trace, String> {
    check_roles(net, sys)?;
    let replayed = replay(sys, &goal.question, path)?;
    let layout = Layout::new(net);
    let mut player = Player::new(net, sys, goal, path, &replayed, &layout);
    for k in 0..path.inputs.len() {
        player.step(k)?;
    }
    player.return_clocks()?;
    player.push(path.inputs.len() as u64 * STEP);
    let Player { moments, steps, ticking, assert, .. } = player;
    let clocks = ticking.iter().filter_map(|t| {
        let signal = layout.named(&net.inputs[t.port].name)?;
        Some(Clock { signal, bit: t.bit, falling: t.falling })
    });
    let ending = match goal.question {
        Question::Never(_) => Ending::Fails,
        Question::Reach(_) => Ending::Reached,
        Question::NotForever(_) => Ending::Repeats(path.back_to.unwrap_or(0)),
    };
    let mut trace = Trace {
        top: net.name.to_string(),
        clocks: clocks.collect(),
        moments,
        steps,
        goal: goal.symbol.clone(),
        ending,
        step: sys.step.clone(),
        starts: starts(net, sys, path, &layout),
        frees: net.frees.len(),
        matters: Vec::new(),
        expected: Vec::new(),
        signals: Vec::new(),
    };
    let ranks = matters::ranks(net, sys, goal, assert, &layout);
    trace.signals = layout.signals;
    trace.matters = matters::select(&trace, &ranks);
    Ok(trace)
}

/// A model whose inputs and states are not of this netlist is none of it.
fn check_roles(net: &Netlist, sys: &System) -> Result<(), String> {
    let port = |p: u32, b: u32| net.inputs.get(p as usize).is_some_and(|p| (b as usize) < p.bits.len());
    let inputs = sys.inputs.iter().all(|i| match i.role {
        Role::Port(p, b) | Role::Tick { port: p, bit: b, .. } => port(p, b),
        Role::Free(f) => (f as usize) < net.frees.len(),
        Role::Choice => true,
    });
    let states = sys.states.iter().all(|s| match s.origin {
        Origin::Register(r) => (r as usize) < net.registers.len(),
        Origin::Latch(l) => (l as usize) < net.latches.len(),
        Origin::Model => true,
    });
    if !net.memories.is_empty() {
        return Err("a netlist with memories has no model".into());
    }
    if inputs && states { Ok(()) } else { Err("the model is of another netlist".into()) }
}

/// The assertion a goal asks about. Goals come in the order of assertions, so names that occur twice are told
/// apart by their position.
fn asserted(net: &Netlist, sys: &System, goal: &Goal) -> Option<usize> {
    let is = |i: &usize| {
        let a = &net.asserts[*i];
        let kind = match goal.question {
            Question::Never(_) => AssertKind::Assert,
            Question::Reach(_) => AssertKind::Cover,
            Question::NotForever(_) => return false,
        };
        a.kind == kind && a.name == goal.symbol.name && a.span == goal.symbol.span
    };
    let same: Vec<usize> = (0..net.asserts.len()).filter(is).collect();
    let alike = sys.goals.iter().filter(|g| g.symbol == goal.symbol);
    let position = alike.take_while(|g| g.question != goal.question).count();
    same.get(position).or(same.last()).copied()
}

/// State that starts with another value than the design says, which mostly says nothing.
fn starts(net: &Netlist, sys: &System, path: &Path, layout: &Layout) -> Vec<Start> {
    let mut all = Vec::new();
    for (s, v) in sys.states.iter().zip(&path.init) {
        let (gate, at, init) = match s.origin {
            Origin::Register(r) => {
                let r = &net.registers[r as usize];
                (r.gate, r.net, r.init)
            }
            Origin::Latch(l) => {
                let l = &net.latches[l as usize];
                (l.gate, l.net, l.init)
            }
            Origin::Model => continue,
        };
        let Some(n) = net.nets.get(at.0 as usize).filter(|_| init != Some(*v)) else { continue };
        let Some(l) = n.bits.get(at.1 as usize).filter(|l| l.gate() == gate) else { continue };
        if let Some(signal) = layout.named(&n.name) {
            all.push(Start { signal, bit: at.1, value: *v ^ l.complement() });
        }
    }
    all.sort_by_key(|s| (s.signal, s.bit));
    all
}

/// A clock that ticks: in each step in which its input is 1, or in all steps.
#[derive(Clone, Copy)]
struct Ticking {
    input: Option<usize>,
    port: usize,
    bit: u32,
    falling: bool,
}

/// The clock of a model whose steps are its edges: a clock of the netlist that is no input of the model.
fn absent_clock(net: &Netlist, sys: &System) -> Option<Ticking> {
    clock_lits(net).find_map(|c| {
        let Gate::Input(p, b) = net.gates[c.gate().0 as usize] else { return None };
        let is = |i: &crate::model::Input| match i.role {
            Role::Port(port, bit) | Role::Tick { port, bit, .. } => (port, bit) == (p, b),
            _ => false,
        };
        let absent = !sys.inputs.iter().any(is);
        absent.then_some(Ticking { input: None, port: p as usize, bit: b, falling: c.complement() })
    })
}

/// Everything that decides what happens next.
#[derive(Clone)]
struct Still {
    registers: Vec<u64>,
    latches: Vec<u64>,
    /// Levels of the inputs, by port and bit.
    levels: Vec<Vec<bool>>,
    frees: Vec<bool>,
}

/// A step as it was played.
struct Played {
    early: Row,
    late: Option<Row>,
    /// Whether the assertion was decided in each half.
    decided: (bool, bool),
}

struct Player<'a> {
    net: &'a Netlist,
    sys: &'a System,
    path: &'a Path,
    replayed: &'a Replayed,
    layout: &'a Layout,
    sim: Sim<'a, u64>,
    levels: Vec<Vec<bool>>,
    frees: Vec<bool>,
    ticking: Vec<Ticking>,
    /// For each input of the model whether it is the level of a clock, or part of one.
    late: Vec<bool>,
    /// Steps are edges: what is seen is what was there before.
    edges: bool,
    /// The first step finds the clocks where they are.
    first_is_still: bool,
    assert: Option<usize>,
    moments: Vec<Moment>,
    steps: Vec<Step>,
}

impl<'a> Player<'a> {
    fn new(
        net: &'a Netlist,
        sys: &'a System,
        goal: &Goal,
        path: &'a Path,
        replayed: &'a Replayed,
        layout: &'a Layout,
    ) -> Player<'a> {
        let clock = absent_clock(net, sys);
        let ticks = sys.inputs.iter().enumerate().filter_map(|(i, input)| match input.role {
            Role::Tick { port, bit, falling } => Some(Ticking { input: Some(i), port: port as usize, bit, falling }),
            _ => None,
        });
        let behind = inputs_behind(net, clock_lits(net));
        let late = sys.inputs.iter().map(|i| match i.role {
            Role::Port(p, b) => behind.contains(&net.inputs[p as usize].bits[b as usize].gate()),
            _ => false,
        });
        let mut player = Player {
            net,
            sys,
            path,
            replayed,
            layout,
            sim: Sim::new(net, SimOptions { memory_lanes: 1, ..SimOptions::default() }),
            levels: net.inputs.iter().map(|p| vec![false; p.bits.len()]).collect(),
            frees: vec![false; net.frees.len()],
            edges: clock.is_some(),
            ticking: ticks.chain(clock).collect(),
            late: late.collect(),
            first_is_still: sys.states.iter().any(|s| s.origin == Origin::Model && s.symbol.name == "entail:first"),
            assert: asserted(net, sys, goal),
            moments: Vec::new(),
            steps: Vec::new(),
        };
        for t in player.ticking.clone() {
            player.set(t.port, t.bit, t.falling);
        }
        for (s, v) in sys.states.iter().zip(&path.init) {
            match s.origin {
                Origin::Register(r) => player.sim.set_register(r as usize, lanes(*v)),
                Origin::Latch(l) => player.sim.set_latch(l as usize, lanes(*v)),
                Origin::Model => {}
            }
        }
        player
    }

    fn set(&mut self, port: usize, bit: u32, v: bool) {
        self.levels[port][bit as usize] = v;
        self.sim.set_input(port, bit, lanes(v));
    }

    fn still(&self) -> Still {
        let lit = |g| self.sim.lit(Lit::new(g, false));
        Still {
            registers: self.net.registers.iter().map(|r| lit(r.gate)).collect(),
            latches: self.net.latches.iter().map(|l| lit(l.gate)).collect(),
            levels: self.levels.clone(),
            frees: self.frees.clone(),
        }
    }

    fn restore(&mut self, s: &Still) {
        s.registers.iter().enumerate().for_each(|(i, v)| self.sim.set_register(i, *v));
        s.latches.iter().enumerate().for_each(|(i, v)| self.sim.set_latch(i, *v));
        for (p, bits) in s.levels.iter().enumerate() {
            bits.iter().enumerate().for_each(|(b, v)| self.set(p, b as u32, *v));
        }
        self.frees.clone_from(&s.frees);
        s.frees.iter().enumerate().for_each(|(i, v)| self.sim.set_free(i, lanes(*v)));
        self.sim.prime();
    }

    /// Sets the data of a step, and the levels of clocks if `late`.
    fn set_data(&mut self, k: usize, late: bool) {
        let (sys, path) = (self.sys, self.path);
        for (i, (input, v)) in sys.inputs.iter().zip(&path.inputs[k]).enumerate() {
            match input.role {
                Role::Port(p, b) if late || !self.late[i] => self.set(p as usize, b, *v),
                Role::Free(f) => {
                    self.frees[f as usize] = *v;
                    self.sim.set_free(f as usize, lanes(*v));
                }
                _ => {}
            }
        }
    }

    fn ticks(&self, k: usize) -> Vec<bool> {
        let ignored = k == 0 && self.first_is_still;
        self.ticking.iter().map(|t| !ignored && t.input.is_none_or(|i| self.path.inputs[k][i])).collect()
    }

    /// Sets levels of clocks and lets clocks tick; false if nothing moves.
    fn set_clocks(&mut self, k: usize) -> bool {
        let before = self.levels.clone();
        self.set_data(k, true);
        for (t, ticks) in self.ticking.clone().into_iter().zip(self.ticks(k)) {
            self.set(t.port, t.bit, t.falling ^ ticks);
        }
        before != self.levels
    }

    /// Clocks that ticked go back, which nothing may notice.
    fn return_clocks(&mut self) -> Result<(), String> {
        let before = self.still();
        for t in self.ticking.clone() {
            self.set(t.port, t.bit, t.falling);
        }
        if before.levels == self.levels {
            return Ok(());
        }
        self.settle()?;
        let after = self.still();
        match before.registers == after.registers && before.latches == after.latches {
            true => Ok(()),
            false => Err("a clock that returns changes the state".into()),
        }
    }

    fn settle(&mut self) -> Result<(), String> {
        self.sim.settle().map_err(|e| e.to_string())
    }

    fn decided(&self) -> bool {
        let Some(i) = self.assert else { return false };
        let said = match self.net.asserts[i].kind {
            AssertKind::Cover => self.sim.assert_hits(),
            _ => self.sim.assert_failures(),
        };
        said[i] & 1 == 1
    }

    fn push(&mut self, time: u64) {
        let row = self.layout.row(&self.sim);
        self.moments.push(Moment { time, row });
    }

    fn step(&mut self, k: usize) -> Result<(), String> {
        self.return_clocks()?;
        let before = self.still();
        let at = k as u64 * STEP;
        if let Some(p) = self.in_halves(k).ok().filter(|p| self.complaint(k, p).is_none()) {
            let seen = if self.looks_early() { &p.early } else { p.late.as_ref().unwrap_or(&p.early) };
            let (ticks, seen) = (self.ticks(k), seen.clone());
            self.moments.push(Moment { time: at, row: p.early });
            self.moments.extend(p.late.map(|row| Moment { time: at + TICK, row }));
            self.steps.push(Step { ticks, joint: false, rest: self.moments.len() - 1, seen });
            return Ok(());
        }
        self.restore(&before);
        let rest = self.layout.row(&self.sim);
        let p = self.at_once(k, &before)?;
        if let Some(why) = self.complaint(k, &p) {
            return Err(why);
        }
        let late = p.late.unwrap_or_else(|| p.early.clone());
        let seen = if self.looks_early() { p.early.clone() } else { late.clone() };
        self.moments.push(Moment { time: at, row: if k == 0 { p.early } else { rest } });
        self.moments.push(Moment { time: at + TICK, row: late });
        self.steps.push(Step { ticks: self.ticks(k), joint: true, rest: self.moments.len() - 1, seen });
        Ok(())
    }

    /// Data, then clocks.
    fn in_halves(&mut self, k: usize) -> Result<Played, String> {
        self.set_data(k, k == 0);
        if k == 0 {
            self.sim.prime();
        }
        self.settle()?;
        let (early, first) = (self.layout.row(&self.sim), self.decided());
        if !self.set_clocks(k) {
            return Ok(Played { early, late: None, decided: (first, first) });
        }
        self.settle()?;
        Ok(Played { early, late: Some(self.layout.row(&self.sim)), decided: (first, self.decided()) })
    }

    /// Both together. What the edge samples is what the gates say of the new data and the old state.
    fn at_once(&mut self, k: usize, before: &Still) -> Result<Played, String> {
        self.set_data(k, true);
        self.sim.prime();
        let early = self.layout.row(&self.sim);
        if k > 0 {
            self.restore(before);
        }
        self.set_clocks(k);
        self.settle()?;
        let decided = self.decided();
        Ok(Played { early, late: Some(self.layout.row(&self.sim)), decided: (decided, decided) })
    }

    /// Whether the property looks at what was there before the clocks moved.
    fn looks_early(&self) -> bool {
        self.edges || self.assert.is_none_or(|a| self.net.asserts[a].clock.is_some())
    }

    /// How a step that was just played differs from the model.
    fn complaint(&self, k: usize, p: &Played) -> Option<String> {
        let lit = |g| self.sim.lit(Lit::new(g, false)) & 1 == 1;
        for (s, want) in self.sys.states.iter().zip(&self.replayed.states[k + 1]) {
            let got = match s.origin {
                Origin::Register(r) => lit(self.net.registers[r as usize].gate),
                Origin::Latch(l) => lit(self.net.latches[l as usize].gate),
                Origin::Model => continue,
            };
            if got != *want {
                let (name, got, want) = (&s.symbol.name, got as u8, *want as u8);
                return Some(format!("`{name}` is {got} after step {k} in the simulator and {want} in the model"));
            }
        }
        let assert = &self.net.asserts[self.assert.filter(|_| k + 1 == self.path.inputs.len())?];
        let decided = match (assert.clock.is_some(), self.edges) {
            (true, _) => p.decided.0 || p.decided.1,
            (false, true) => p.decided.0,
            (false, false) => p.decided.1,
        };
        (!decided).then(|| format!("`{}` is not decided in the last step in the simulator", assert.name))
    }
}

fn lanes(v: bool) -> u64 {
    (v as u64).wrapping_neg()
}
