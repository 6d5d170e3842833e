//! Sets of assignments to symbolic vectors, for people and for files.

use super::terms::Vector;
use crate::bdd::{Decisions, Func, Space};
use crate::word::Bits;
use num_bigint::BigUint;

/// Values of all vectors, by their numbers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Assignment(pub Vec<Bits>);

impl Assignment {
    /// All zero.
    pub fn zero(vectors: &[Vector]) -> Assignment {
        Assignment(vectors.iter().map(|v| Bits::zero(v.width)).collect())
    }

    /// A bit of a vector.
    pub fn bit(&self, vector: u32, bit: u32) -> bool {
        self.0[vector as usize].bit(bit)
    }

    /// Sets a bit of a vector.
    pub fn set(&mut self, vector: u32, bit: u32, value: bool) {
        self.0[vector as usize].set(bit, value);
    }
}

/// Bits of vectors that have values; all others are free.
pub type Cube = Vec<((u32, u32), bool)>;

/// A set, with one of its members.
#[derive(Clone, Debug)]
pub struct Set {
    /// How many there are among `of`, if they were counted.
    pub count: Option<(BigUint, BigUint)>,
    /// Parts of it: bits that must have a value, all others are free.
    pub cubes: Vec<Cube>,
    /// Whether the cubes are all of it.
    pub complete: bool,
    /// A member.
    pub example: Assignment,
    /// The whole set over `order`, if it was found as one.
    pub whole: Option<Decisions>,
    /// Vector and bit of each variable of `whole`.
    pub order: Vec<(u32, u32)>,
}

/// Most cubes that are listed.
const CUBES: usize = 6;

impl Set {
    /// The members of a function, whose variables are bits of vectors; `allowed` are all assignments there are.
    pub fn of(space: &Space, f: &Func, allowed: &Func, order: &[(u32, u32)], vectors: &[Vector]) -> Option<Set> {
        let pick = space.pick(f)?;
        let mut example = Assignment::zero(vectors);
        for (v, value) in &pick {
            let (vector, bit) = order[*v as usize];
            example.set(vector, bit, *value);
        }
        let whole = space.export(&[f]);
        let all = space.export(&[allowed]);
        let count = (count(&whole, order.len() as u32), count(&all, order.len() as u32));
        let (cubes, complete) = cubes(&whole, order);
        Some(Set { count: Some(count), cubes, complete, example, whole: Some(whole), order: order.to_vec() })
    }
}

/// Number of assignments to that many variables that make the first root 1.
fn count(d: &Decisions, vars: u32) -> BigUint {
    // Each node counts assignments to the variables from its own on.
    let level = |n: u32| if n < 2 { vars } else { d.nodes[n as usize - 2].0 };
    let mut counts = vec![BigUint::ZERO, BigUint::from(1u32)];
    for (v, low, high) in &d.nodes {
        let part = |n: u32| &counts[n as usize] << (level(n) - v - 1);
        let sum = part(*low) + part(*high);
        counts.push(sum);
    }
    let root = d.roots.first().copied().unwrap_or(0);
    &counts[root as usize] << level(root)
}

/// The first few paths to 1, shortest descriptions first where that is cheap.
fn cubes(d: &Decisions, order: &[(u32, u32)]) -> (Vec<Cube>, bool) {
    let mut list = Vec::new();
    let Some(&root) = d.roots.first() else { return (list, true) };
    let mut open = vec![(root, Vec::new())];
    while let Some((n, path)) = open.pop() {
        match n {
            0 => {}
            1 => {
                if list.len() == CUBES {
                    return (list, false);
                }
                list.push(path);
            }
            n => {
                let (v, low, high) = d.nodes[n as usize - 2];
                for (next, value) in [(high, true), (low, false)] {
                    let mut longer = path.clone();
                    longer.push((order[v as usize], value));
                    open.push((next, longer));
                }
            }
        }
    }
    (list, true)
}
