//! Lifting by three-valued simulation: from one state that leads somewhere to all states that surely do.

use crate::model::{Aig, Node};
use crate::net::Lit;

/// A simulator that takes bits of the state away one by one, and puts back those that were needed.
pub struct Lifter {
    /// For each node those that read it.
    readers: Vec<Vec<u32>>,
    /// 0, 1, or 2 for unknown.
    value: Vec<u8>,
    /// Nodes that must stay known.
    needed: Vec<bool>,
    queued: Vec<bool>,
}

impl Lifter {
    /// A simulator of a graph.
    pub fn new(aig: &Aig) -> Lifter {
        let mut readers = vec![Vec::new(); aig.len()];
        for (i, n) in aig.nodes().iter().enumerate() {
            if let Node::And(a, b) = n {
                readers[a.gate().0 as usize].push(i as u32);
                if a.gate() != b.gate() {
                    readers[b.gate().0 as usize].push(i as u32);
                }
            }
        }
        Lifter { readers, value: vec![2; aig.len()], needed: vec![false; aig.len()], queued: vec![false; aig.len()] }
    }

    fn at(&self, l: Lit) -> u8 {
        match self.value[l.gate().0 as usize] {
            2 => 2,
            v => v ^ l.complement() as u8,
        }
    }

    fn and(&self, a: Lit, b: Lit) -> u8 {
        match (self.at(a), self.at(b)) {
            (0, _) | (_, 0) => 0,
            (1, 1) => 1,
            _ => 2,
        }
    }

    /// Which states are needed to keep `roots` as they are with these inputs. `order` says which to try to
    /// take away first.
    pub fn lift(
        &mut self,
        aig: &Aig,
        state: &[bool],
        inputs: &[bool],
        roots: &[Lit],
        order: &[usize],
        leaf: &[Lit],
    ) -> Vec<usize> {
        let cone = aig.cone(roots);
        for (i, n) in aig.nodes().iter().enumerate() {
            if !cone[i] {
                continue;
            }
            self.value[i] = match *n {
                Node::False => 0,
                Node::Input(k) => inputs[k as usize] as u8,
                Node::State(k) => state[k as usize] as u8,
                Node::And(a, b) => self.and(a, b),
            };
        }
        for r in roots {
            self.needed[r.gate().0 as usize] = true;
        }
        let mut kept = Vec::new();
        for &s in order {
            let node = leaf[s].gate().0;
            if cone[node as usize] && !self.forget(aig, &cone, node) {
                kept.push(s);
            }
        }
        for r in roots {
            self.needed[r.gate().0 as usize] = false;
        }
        kept
    }

    /// Makes a leaf unknown; if a needed node would become unknown, everything is as before.
    fn forget(&mut self, aig: &Aig, cone: &[bool], leaf: u32) -> bool {
        let mut undo: Vec<(u32, u8)> = vec![(leaf, self.value[leaf as usize])];
        self.value[leaf as usize] = 2;
        let mut ok = !self.needed[leaf as usize];
        let mut heap = std::collections::BinaryHeap::new();
        let push = |heap: &mut std::collections::BinaryHeap<_>, queued: &mut Vec<bool>, readers: &[u32]| {
            for &r in readers {
                if cone[r as usize] && !std::mem::replace(&mut queued[r as usize], true) {
                    heap.push(std::cmp::Reverse(r));
                }
            }
        };
        if ok {
            push(&mut heap, &mut self.queued, &self.readers[leaf as usize]);
        }
        while let Some(std::cmp::Reverse(n)) = heap.pop() {
            self.queued[n as usize] = false;
            if !ok {
                continue;
            }
            let Node::And(a, b) = aig.nodes()[n as usize] else { continue };
            let new = self.and(a, b);
            if new != self.value[n as usize] {
                undo.push((n, self.value[n as usize]));
                self.value[n as usize] = new;
                ok = !self.needed[n as usize];
                push(&mut heap, &mut self.queued, &self.readers[n as usize]);
            }
        }
        if !ok {
            undo.into_iter().for_each(|(n, v)| self.value[n as usize] = v);
        }
        ok
    }
}
