//! The values variables have at one point of a symbolic execution.
//!
//! A branch is run against the same table; its changes are then undone from the log and merged
//! with those of the other branch, so a branch costs what it changes and not what exists.

use super::VarId;
use crate::word::NodeId;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

/// What can change during execution.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Key {
    /// The value a variable has now (blocking assignment).
    Now(VarId),
    /// The value it takes when the process suspends (non-blocking assignment).
    Next(VarId),
    /// A local of a function, task or loop.
    Local(u32),
    /// A one-bit "has left" flag of a function, loop or named block.
    Flag(u32),
}

/// Flags by which control can leave, innermost last.
#[derive(Default)]
pub struct Control {
    pub flags: Vec<u32>,
    /// Where the result of the function being executed goes.
    pub result: Option<u32>,
    /// (break, continue) of each loop around.
    pub loops: Vec<(u32, u32)>,
    /// Named blocks that can be left.
    pub blocks: Vec<(SmolStr, u32)>,
    pub return_flag: Option<u32>,
}

#[derive(Default)]
pub struct Env {
    values: FxHashMap<Key, NodeId>,
    log: Vec<(Key, Option<NodeId>)>,
    next_local: u32,
    /// The condition under which execution is here; `None` is always.
    pub path: Option<NodeId>,
    pub control: Control,
}

impl Env {
    pub fn get(&self, k: Key) -> Option<NodeId> {
        self.values.get(&k).copied()
    }

    pub fn set(&mut self, k: Key, v: NodeId) {
        let old = self.values.insert(k, v);
        self.log.push((k, old));
    }

    pub fn fresh(&mut self) -> u32 {
        self.next_local += 1;
        self.next_local
    }

    /// Locals as they are, variables as they were before any assignment: what a sampled value is made
    /// from.
    pub fn sampled(&self) -> Env {
        let values = self.values.iter().filter(|(k, _)| matches!(k, Key::Local(_))).map(|(k, v)| (*k, *v));
        Env { values: values.collect(), next_local: self.next_local, ..Env::default() }
    }

    pub fn mark(&self) -> usize {
        self.log.len()
    }

    /// Takes back all changes since `mark` and returns the values they had led to.
    pub fn undo(&mut self, mark: usize) -> Vec<(Key, NodeId)> {
        let mut changed = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        for (k, _) in &self.log[mark..] {
            if seen.insert(*k) {
                changed.push((*k, self.values[k]));
            }
        }
        while self.log.len() > mark {
            if let Some((k, old)) = self.log.pop() {
                match old {
                    Some(v) => self.values.insert(k, v),
                    None => self.values.remove(&k),
                };
            }
        }
        changed
    }

    /// The keys changed since `mark` and not undone.
    pub fn changed_since(&self, mark: usize) -> Vec<Key> {
        let mut keys: Vec<Key> = self.log[mark..].iter().map(|(k, _)| *k).collect();
        keys.sort();
        keys.dedup();
        keys
    }

    /// The value a key had at `mark`.
    pub fn before(&self, mark: usize, k: Key) -> Option<NodeId> {
        match self.log[mark..].iter().find(|(key, _)| *key == k) {
            Some((_, old)) => *old,
            None => self.get(k),
        }
    }

    /// All keys set, in a stable order.
    pub fn keys(&self) -> Vec<Key> {
        let mut keys: Vec<Key> = self.values.keys().copied().collect();
        keys.sort();
        keys
    }

    /// Enters the body of a function or task: nothing outside it can be left from inside.
    pub fn enter_body(&mut self, return_flag: u32, result: Option<u32>) -> Control {
        let inner = Control { flags: vec![return_flag], result, return_flag: Some(return_flag), ..Control::default() };
        std::mem::replace(&mut self.control, inner)
    }
}
