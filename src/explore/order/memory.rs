//! Who accessed which memory before: most of what a long run's record is.

use super::Why;
use crate::explore::trace::Access;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Nodes and what they did at one address, of the phase that began at a place.
type Met = (u32, SmallVec<[(u32, Access); 1]>);

/// Accesses so far, by address; at fixed delays those of one phase.
#[derive(Default)]
pub(super) struct Memory(FxHashMap<u64, Met>);

impl Memory {
    /// Adds earlier nodes that a node's accesses conflict with, and lets later ones meet it. `from` is the first place of
    /// its phase.
    pub fn meet(&mut self, accesses: &[Access], j: u32, (from, loose): (u32, bool), soft: &mut Vec<(u32, Why)>) {
        for a in accesses {
            let (since, list) = self.0.entry(a.address).or_default();
            if *since != from {
                *since = from;
                list.clear();
            }
            for (node, p) in list.iter().rev().filter(|(_, p)| p.write & (a.read | a.write) | p.read & a.write != 0) {
                let first = p.write & (a.read | a.write) != 0;
                let second = a.write & (p.read | p.write) != 0;
                let first = (if first { p.write_at } else { p.read_at }, first);
                let second = (if second { a.write_at } else { a.read_at }, second);
                soft.push((*node, Why::Memory { address: a.address, first, second }));
            }
            // A write of everything touched so far stands for all that came before it.
            if !loose && list.iter().all(|(_, p)| (p.read | p.write) & !a.write == 0) {
                list.clear();
            }
            list.push((j, *a));
        }
    }
}
