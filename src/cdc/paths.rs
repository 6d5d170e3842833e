//! Critical gates and paths: what stands between one clock's state and another's.
//!
//! A gate is *critical* for a clock if a signal of another clock goes through it, and through logic alone, into
//! state of that clock; the state that sends is critical itself. A *critical path* begins at such state and ends at
//! the state that captures. Paths are counted, not listed, where there are too many of them.

use super::crossing::{End, Structure};
use super::domains::DomainId;
use crate::net::{Gate, GateId, Lit};
use rustc_hash::{FxHashMap, FxHashSet};

/// The critical paths between two clocks.
#[derive(Clone, Debug, Default)]
pub struct Pair {
    /// Number of paths, as far as it can be counted.
    pub paths: u128,
    /// State bits that capture.
    pub captures: usize,
    /// State bits and inputs that send.
    pub launches: usize,
    /// Longest path in gates, the sender included.
    pub longest: u32,
}

/// Critical gates of a netlist.
#[derive(Clone, Debug, Default)]
pub struct Critical {
    /// For each capturing clock its critical gates.
    pub gates: FxHashMap<DomainId, FxHashSet<GateId>>,
    /// By sending and capturing clock.
    pub pairs: std::collections::BTreeMap<(DomainId, DomainId), Pair>,
}

impl Critical {
    /// All critical gates.
    pub fn all(&self) -> FxHashSet<GateId> {
        self.gates.values().flatten().copied().collect()
    }
}

/// One critical path.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct CriticalPath {
    /// The clock that sends.
    pub from: DomainId,
    /// The clock that captures.
    pub to: DomainId,
    /// Its gates: the state or input that sends, then logic; what captures is not among them.
    pub gates: Vec<GateId>,
    /// The state that captures.
    pub end: End,
}

/// The clock of what sends, if a gate is state or an input of another clock than the capturing one. The words of a memory
/// send; what its address reads goes on through it.
fn sender(s: &Structure, g: GateId, to: DomainId) -> Option<DomainId> {
    match s.net.gates[g.0 as usize] {
        Gate::Read(m, ..) => s.domains.writers(s.net, m).find(|d| s.domains.is_apart(*d, to)),
        _ if s.is_leaf(g) => Some(s.domains.of_leaf(s.net, g).unwrap_or(super::domains::NONE)),
        _ => None,
    }
}

/// Lists critical paths, so many at most; also says whether there are more.
pub fn list(s: &Structure, ends: &[(End, DomainId)], most: usize) -> (Vec<CriticalPath>, bool) {
    let mut all = Vec::new();
    for (end, to) in ends {
        for l in reads(s, *end) {
            // Ways back that are still open: the gates so far, the next one last.
            let mut open = vec![vec![l.gate()]];
            while let Some(way) = open.pop() {
                let g = way[way.len() - 1];
                if s.domains.foreign(g, *to).next().is_none() {
                    continue;
                }
                if let Some(from) = sender(s, g, *to) {
                    if all.len() == most {
                        return (all, true);
                    }
                    all.push(CriticalPath { from, to: *to, gates: way.iter().rev().copied().collect(), end: *end });
                }
                s.net.fanin(g, |l| {
                    let mut longer = way.clone();
                    longer.push(l.gate());
                    open.push(longer);
                });
            }
        }
    }
    (all, false)
}

/// What a capturing bit reads.
pub fn reads(s: &Structure, end: End) -> Vec<Lit> {
    match end {
        End::Register(r) => vec![s.read[r as usize]],
        End::Latch(l) => vec![s.latch_data(l as usize)],
        End::Write(m, p) => {
            let w = &s.net.memories[m as usize].writes[p as usize];
            w.addr.iter().chain(&w.data).chain(&w.mask).chain([&w.enable]).copied().collect()
        }
    }
}

/// Finds the critical gates and counts the paths.
pub fn critical(s: &Structure, ends: &[(End, DomainId)]) -> Critical {
    let mut out = Critical::default();
    let domains: FxHashSet<DomainId> = ends.iter().map(|e| e.1).collect();
    for to in domains {
        // Number of paths from each gate to state of this clock, and the longest; indices fall towards leaves.
        let mut ways: FxHashMap<GateId, (u128, u32)> = FxHashMap::default();
        for (end, _) in ends.iter().filter(|e| e.1 == to) {
            let mut captured: FxHashSet<DomainId> = FxHashSet::default();
            for l in reads(s, *end) {
                captured.extend(s.domains.foreign(l.gate(), to));
                let w = ways.entry(l.gate()).or_default();
                *w = (w.0.saturating_add(1), w.1.max(1));
            }
            for d in captured {
                out.pairs.entry((d, to)).or_default().captures += 1;
            }
        }
        let mut order: std::collections::BTreeSet<GateId> = ways.keys().copied().collect();
        let critical = out.gates.entry(to).or_default();
        while let Some(g) = order.pop_last() {
            if s.domains.foreign(g, to).next().is_none() {
                continue;
            }
            critical.insert(g);
            let (count, length) = ways[&g];
            if let Some(from) = sender(s, g, to) {
                let p = out.pairs.entry((from, to)).or_default();
                p.paths = p.paths.saturating_add(count);
                p.launches += 1;
                p.longest = p.longest.max(length);
            }
            s.net.fanin(g, |l| {
                let w = ways.entry(l.gate()).or_default();
                *w = (w.0.saturating_add(count), w.1.max(length + 1));
                order.insert(l.gate());
            });
        }
    }
    out.pairs.retain(|_, p| p.captures > 0);
    out
}
