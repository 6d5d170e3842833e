//! A run of phases as a trace: for assertions of trajectory evaluation, which no model stands behind.
//!
//! With clocks, a step is a cycle: a phase in which they are low, at whose end values are looked at, and one in which they
//! are high. Without, every phase is a step.

use super::layout::Layout;
use super::{Clock, Ending, Expected, Moment, Phases, STEP, Start, Step, TICK, Trace, matters};
use crate::net::{Gate, GateId, Lit, Netlist, Sim, SimOptions};

pub(super) fn play(net: &Netlist, p: &Phases) -> Result<Trace, String> {
    let layout = Layout::new(net);
    let mut sim: Sim<u64> = Sim::new(net, SimOptions::default());
    for (m, addr, bit, v) in p.words {
        let mut word = sim.memory_word(*m as usize, 0, *addr);
        word.set(*bit, *v);
        (0..64).for_each(|lane| sim.set_memory_word(*m as usize, lane, *addr, &word));
    }
    for (g, v) in p.start.iter().chain(p.before) {
        set(net, &mut sim, *g, *v)?;
    }
    sim.prime();
    let cycles = !p.clocks.is_empty();
    let (mut moments, mut steps): (Vec<Moment>, Vec<Step>) = (Vec::new(), Vec::new());
    for (i, inputs) in p.inputs.iter().enumerate() {
        for (g, v) in inputs {
            set(net, &mut sim, *g, *v)?;
        }
        sim.settle().map_err(|e| e.to_string())?;
        let row = layout.row(&sim);
        let (step, high) = if cycles { (i / 2, i % 2 == 1) } else { (i, false) };
        let time = step as u64 * STEP + if high { TICK } else { 0 };
        moments.push(Moment { time, row: row.clone() });
        match steps.get_mut(step) {
            Some(s) => s.rest = moments.len() - 1,
            None => {
                let ticks = vec![true; if cycles { p.clocks.len() } else { 0 }];
                steps.push(Step { ticks, joint: false, rest: moments.len() - 1, seen: row });
            }
        }
    }
    let end = steps.len() as u64 * STEP;
    let row = layout.row(&sim);
    moments.push(Moment { time: end, row });
    let clock = |g: &GateId| {
        let Gate::Input(port, bit) = net.gates[g.0 as usize] else { return None };
        Some(Clock { signal: layout.named(&net.inputs[port as usize].name)?, bit, falling: false })
    };
    let expected: Vec<Expected> = p
        .expected
        .iter()
        .filter_map(|(l, step, value)| {
            let best = |port: bool| {
                (0..layout.signals.len()).find_map(|s| {
                    let bit = layout.bits[s].iter().position(|b| b.gate() == l.gate())?;
                    let wanted = layout.signals[s].port.is_some() == port;
                    wanted.then_some((s, bit, layout.bits[s][bit].complement()))
                })
            };
            let (signal, bit, flip) = best(true).or_else(|| best(false))?;
            let value = *value ^ flip ^ l.complement();
            Some(Expected { step: *step as usize, signal, bit: bit as u32, value })
        })
        .collect();
    let roots: Vec<Lit> = p.expected.iter().map(|e| e.0).collect();
    let clocks: Vec<Lit> = p.clocks.iter().map(|g| Lit::new(*g, false)).collect();
    let ranks = matters::ranks_from(net, &roots, &clocks, &layout);
    let mut trace = Trace {
        top: net.name.to_string(),
        clocks: p.clocks.iter().filter_map(clock).collect(),
        moments,
        steps,
        goal: p.goal.clone(),
        ending: Ending::Fails,
        step: if cycles { "one cycle".into() } else { "one phase".into() },
        starts: starts(net, p, &layout),
        frees: net.frees.len(),
        matters: Vec::new(),
        expected,
        signals: Vec::new(),
    };
    trace.signals = layout.signals;
    trace.matters = matters::select(&trace, &ranks);
    // In a trace of one moment nothing changes, and inputs explain it all the same.
    if trace.steps.len() == 1 {
        let inputs = (0..ranks.len()).filter(|s| ranks[*s].is_some() && trace.signals[*s].port == Some(true));
        let more: Vec<usize> = inputs.filter(|s| !trace.matters.contains(s)).collect();
        trace.matters.splice(0..0, more);
    }
    Ok(trace)
}

fn set(net: &Netlist, sim: &mut Sim<u64>, g: u32, v: bool) -> Result<(), String> {
    let v = (v as u64).wrapping_neg();
    match net.gates.get(g as usize) {
        Some(Gate::Input(p, b)) => sim.set_input(*p as usize, *b, v),
        Some(Gate::Free(n)) => sim.set_free(*n as usize, v),
        Some(Gate::Register(n)) => sim.set_register(*n as usize, v),
        Some(Gate::Latch(n)) => sim.set_latch(*n as usize, v),
        _ => return Err("the run sets what cannot be set".into()),
    }
    Ok(())
}

/// State at the start, by signal.
fn starts(net: &Netlist, p: &Phases, layout: &Layout) -> Vec<Start> {
    let mut all = Vec::new();
    for (g, v) in p.start {
        let at = match net.gates.get(*g as usize) {
            Some(Gate::Register(n)) => net.registers[*n as usize].net,
            Some(Gate::Latch(n)) => net.latches[*n as usize].net,
            _ => continue,
        };
        let Some(n) = net.nets.get(at.0 as usize) else { continue };
        let Some(l) = n.bits.get(at.1 as usize).filter(|l| l.gate().0 == *g) else { continue };
        if let Some(signal) = layout.named(&n.name) {
            all.push(Start { signal, bit: at.1, value: *v ^ l.complement() });
        }
    }
    all.sort_by_key(|s| (s.signal, s.bit));
    all
}
