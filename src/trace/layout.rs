//! Which signals there are, and where their bits lie in a row.

use super::{Kind, Row, Signal};
use crate::net::{Gate, GateId, Lit, Net, Netlist, Sim, UNSTABLE};
use rustc_hash::{FxHashMap, FxHashSet};

pub(super) struct Layout {
    pub signals: Vec<Signal>,
    /// The bits of each signal.
    pub bits: Vec<Vec<Lit>>,
    /// What is stored in a row, in order.
    stored: Vec<Lit>,
    by_name: FxHashMap<String, usize>,
}

impl Layout {
    /// Inputs, outputs and then all other nets, each name once.
    pub fn new(net: &Netlist) -> Layout {
        let mut layout =
            Layout { signals: Vec::new(), bits: Vec::new(), stored: Vec::new(), by_name: FxHashMap::default() };
        let kinds = Kinds::new(net);
        // The same bits are stored once, unless one name for them says which are undecided and another does not.
        let mut places: FxHashMap<(&[Lit], Option<&str>), usize> = FxHashMap::default();
        let mut masks: Vec<(usize, &str)> = Vec::new();
        let inputs = net.inputs.iter().map(|n| (n, Some(true)));
        let outputs = net.outputs.iter().map(|n| (n, Some(false)));
        for (n, port) in inputs.chain(outputs).chain(net.nets.iter().map(|n| (n, None))) {
            if n.bits.is_empty() || layout.by_name.contains_key(n.name.as_str()) {
                continue;
            }
            let mask = n.attrs.iter().find(|a| a.0 == UNSTABLE).map(|a| a.1.as_str());
            masks.extend(mask.map(|m| (layout.signals.len(), m)));
            let at = *places.entry((&n.bits, mask)).or_insert_with(|| {
                let at = layout.stored.len();
                layout.stored.extend(&n.bits);
                at
            });
            layout.by_name.insert(n.name.to_string(), layout.signals.len());
            layout.bits.push(n.bits.clone());
            layout.signals.push(Signal {
                name: n.name.to_string(),
                range: fitting(n),
                width: n.bits.len() as u32,
                kind: kinds.of(net, n, port),
                port,
                span: n.span,
                at,
                unstable: None,
            });
        }
        for (signal, mask) in masks {
            layout.signals[signal].unstable = layout.by_name.get(mask).copied();
        }
        layout
    }

    /// The signal of a net.
    pub fn named(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// All values as they are now.
    pub fn row(&self, sim: &Sim<u64>) -> Row {
        let mut words = vec![0u64; self.stored.len().div_ceil(64)];
        for (i, l) in self.stored.iter().enumerate() {
            words[i / 64] |= (sim.lit(*l) & 1) << (i % 64);
        }
        Row(words.into())
    }
}

/// The declared range, if it has as many indices as there are bits.
fn fitting(n: &Net) -> Option<(i64, i64)> {
    n.range.filter(|(l, r)| l.abs_diff(*r).checked_add(1) == Some(n.bits.len() as u64))
}

/// The primary inputs that a value depends on at once.
pub(super) fn inputs_behind(net: &Netlist, roots: impl Iterator<Item = Lit>) -> FxHashSet<GateId> {
    let mut seen = FxHashSet::default();
    let mut found = FxHashSet::default();
    let mut open: Vec<GateId> = roots.map(Lit::gate).collect();
    while let Some(g) = open.pop() {
        if seen.insert(g) {
            if matches!(net.gates[g.0 as usize], Gate::Input(..)) {
                found.insert(g);
            }
            net.fanin(g, |l| open.push(l.gate()));
        }
    }
    found
}

/// Everything that is used as a clock.
pub(super) fn clock_lits(net: &Netlist) -> impl Iterator<Item = Lit> + '_ {
    let asserts = net.asserts.iter().filter_map(|a| a.clock);
    net.registers.iter().map(|r| r.clock).chain(asserts).filter(|c| c.as_const().is_none())
}

struct Kinds {
    clocks: FxHashSet<GateId>,
    resets: FxHashSet<GateId>,
    state: FxHashSet<String>,
}

impl Kinds {
    fn new(net: &Netlist) -> Kinds {
        let state = net.registers.iter().map(|r| r.net.0).chain(net.latches.iter().map(|l| l.net.0));
        Kinds {
            clocks: inputs_behind(net, clock_lits(net)),
            resets: inputs_behind(net, net.registers.iter().flat_map(|r| r.asyncs.iter().map(|a| a.0))),
            state: state.filter_map(|n| net.nets.get(n as usize)).map(|n| n.name.to_string()).collect(),
        }
    }

    fn of(&self, net: &Netlist, n: &Net, port: Option<bool>) -> Kind {
        let is_state = |l: &Lit| matches!(net.gates[l.gate().0 as usize], Gate::Register(_) | Gate::Latch(_));
        let any = |set: &FxHashSet<GateId>| n.bits.iter().any(|l| set.contains(&l.gate()));
        let last = n.name.rsplit('.').next().unwrap_or("").to_ascii_lowercase();
        match port {
            Some(true) if any(&self.clocks) => Kind::Clock,
            Some(true) if any(&self.resets) => Kind::Reset,
            Some(true) if n.bits.len() == 1 && (last.contains("rst") || last.contains("reset")) => Kind::Reset,
            Some(true) => Kind::Input,
            _ if self.state.contains(n.name.as_str()) || n.bits.iter().all(is_state) => Kind::State,
            Some(false) => Kind::Output,
            None => Kind::Wire,
        }
    }
}
