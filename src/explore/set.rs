//! A set of nodes of a run, by number.

/// A set of nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Set(Vec<u64>);

impl Set {
    /// Room for `n` nodes.
    pub fn new(n: usize) -> Set {
        Set(vec![0; n.div_ceil(64)])
    }
    /// Adds one.
    pub fn add(&mut self, i: u32) {
        self.0[i as usize / 64] |= 1 << (i % 64);
    }
    /// Takes one away.
    pub fn remove(&mut self, i: u32) {
        self.0[i as usize / 64] &= !(1 << (i % 64));
    }
    /// Is it in?
    pub fn has(&self, i: u32) -> bool {
        self.0.get(i as usize / 64).is_some_and(|w| w >> (i % 64) & 1 == 1)
    }
    /// Adds all of the other.
    pub fn union(&mut self, other: &Set) {
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            *a |= b;
        }
    }
    /// Those in it, in order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.0
            .iter()
            .enumerate()
            .flat_map(|(w, &bits)| (0..64).filter(move |b| bits >> b & 1 == 1).map(move |b| w as u32 * 64 + b))
    }
}
