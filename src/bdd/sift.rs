//! A better order for given diagrams, by sifting (R. Rudell, ICCAD 1993): each variable in turn is moved
//! through all places by swapping neighbours, and stays where the diagrams were smallest.
//!
//! It works on a copy of the diagrams and returns an order only. Variables come in blocks that stay together,
//! such as the value of a state bit before and after a step, so that renaming one to the other keeps a
//! diagram's shape.

use super::Decisions;
use rustc_hash::FxHashMap;

/// A move is given up when the diagrams have grown to this many times their size, in percent.
const GROWTH: usize = 120;

/// An order of the blocks in which the diagrams are small. `blocks` is the order now; a variable's number is
/// arbitrary. `stop` is asked between moves.
pub fn sift(from: &Decisions, blocks: &[Vec<u32>], passes: u32, stop: &dyn Fn() -> bool) -> Vec<Vec<u32>> {
    let mut s = Sifter::new(from, blocks);
    for _ in 0..passes {
        let before = s.size;
        s.pass(stop);
        // Another pass must be worth it.
        if s.size * 100 > before * 95 || stop() {
            break;
        }
    }
    s.blocks.iter().map(|b| blocks[*b].clone()).collect()
}

struct Sifter<'b> {
    var: Vec<u32>,
    low: Vec<u32>,
    high: Vec<u32>,
    refs: Vec<u32>,
    free: Vec<u32>,
    /// Nodes of each variable.
    table: Vec<FxHashMap<(u32, u32), u32>>,
    /// Variable at each level.
    at: Vec<u32>,
    size: usize,
    given: &'b [Vec<u32>],
    /// Blocks by place.
    blocks: Vec<usize>,
}

impl<'b> Sifter<'b> {
    fn new(from: &Decisions, given: &'b [Vec<u32>]) -> Sifter<'b> {
        let at: Vec<u32> = given.iter().flatten().copied().collect();
        let vars = at.iter().max().map_or(0, |m| *m as usize + 1);
        let mut s = Sifter {
            var: vec![u32::MAX; 2],
            low: vec![0; 2],
            high: vec![0; 2],
            refs: vec![1; 2],
            free: Vec::new(),
            table: vec![FxHashMap::default(); vars],
            at,
            size: 0,
            given,
            blocks: (0..given.len()).collect(),
        };
        let mut made = vec![0, 1];
        for &(v, low, high) in &from.nodes {
            let n = s.node(v, made[low as usize], made[high as usize]);
            made.push(n);
        }
        for r in &from.roots {
            s.refs[made[*r as usize] as usize] += 1;
        }
        for n in made {
            s.clean(n);
        }
        s
    }

    /// A node; it is not counted as used by anyone yet.
    fn node(&mut self, v: u32, low: u32, high: u32) -> u32 {
        if low == high {
            return low;
        }
        if let Some(&n) = self.table[v as usize].get(&(low, high)) {
            return n;
        }
        let n = match self.free.pop() {
            Some(n) => n,
            None => {
                self.var.push(0);
                self.low.push(0);
                self.high.push(0);
                self.refs.push(0);
                self.var.len() as u32 - 1
            }
        };
        let k = n as usize;
        (self.var[k], self.low[k], self.high[k], self.refs[k]) = (v, low, high, 0);
        self.refs[low as usize] += 1;
        self.refs[high as usize] += 1;
        self.table[v as usize].insert((low, high), n);
        self.size += 1;
        n
    }

    fn release(&mut self, n: u32) {
        self.refs[n as usize] -= 1;
        self.clean(n);
    }

    /// Removes a node that nothing uses, and then what it used.
    fn clean(&mut self, n: u32) {
        let k = n as usize;
        if n < 2 || self.refs[k] > 0 || self.var[k] == u32::MAX {
            return;
        }
        let (v, low, high) = (self.var[k], self.low[k], self.high[k]);
        self.table[v as usize].remove(&(low, high));
        self.var[k] = u32::MAX;
        self.free.push(n);
        self.size -= 1;
        self.release(low);
        self.release(high);
    }

    /// Swaps a level with the next.
    fn swap(&mut self, level: usize) {
        let (x, y) = (self.at[level], self.at[level + 1]);
        let mut moved: Vec<u32> = Vec::new();
        for (&(low, high), &n) in &self.table[x as usize] {
            if self.var[low as usize] == y || self.var[high as usize] == y {
                moved.push(n);
            }
        }
        // The order of a hash table is not the same in each run of the program.
        moved.sort_unstable();
        for &n in &moved {
            let k = n as usize;
            self.table[x as usize].remove(&(self.low[k], self.high[k]));
        }
        for &n in &moved {
            let k = n as usize;
            let (low, high) = (self.low[k], self.high[k]);
            let split = |s: &Sifter, f: u32| {
                if s.var[f as usize] == y { (s.low[f as usize], s.high[f as usize]) } else { (f, f) }
            };
            let ((f00, f01), (f10, f11)) = (split(self, low), split(self, high));
            let a = self.node(x, f00, f10);
            self.refs[a as usize] += 1;
            let b = self.node(x, f01, f11);
            self.refs[b as usize] += 1;
            (self.var[k], self.low[k], self.high[k]) = (y, a, b);
            self.table[y as usize].insert((a, b), n);
            self.release(low);
            self.release(high);
        }
        self.at.swap(level, level + 1);
    }

    fn width(&self, place: usize) -> usize {
        self.given[self.blocks[place]].len()
    }

    /// Swaps the block at a place with the next.
    fn swap_blocks(&mut self, place: usize) {
        let start: usize = (0..place).map(|p| self.width(p)).sum();
        let (a, b) = (self.width(place), self.width(place + 1));
        for i in 0..b {
            for level in (start + i..start + i + a).rev() {
                self.swap(level);
            }
        }
        self.blocks.swap(place, place + 1);
    }

    fn pass(&mut self, stop: &dyn Fn() -> bool) {
        let weight = |s: &Sifter, b: usize| -> usize { s.given[b].iter().map(|v| s.table[*v as usize].len()).sum() };
        let mut order: Vec<usize> = self.blocks.clone();
        order.sort_by_key(|b| std::cmp::Reverse(weight(self, *b)));
        for block in order {
            if stop() {
                return;
            }
            if weight(self, block) > 0 {
                self.place(block);
            }
        }
    }

    /// Moves a block to its best place.
    fn place(&mut self, block: usize) {
        let last = self.blocks.len() - 1;
        let Some(start) = self.blocks.iter().position(|b| *b == block) else { return };
        let (mut best, mut best_at, mut at) = (self.size, start, start);
        let limit = |best: usize| best * GROWTH / 100 + 2;
        // To the nearer end first: the way back is then short.
        for down in if start > last / 2 { [true, false] } else { [false, true] } {
            while (down && at < last) || (!down && at > 0) {
                if down {
                    self.swap_blocks(at);
                    at += 1;
                } else {
                    at -= 1;
                    self.swap_blocks(at);
                }
                if self.size < best {
                    (best, best_at) = (self.size, at);
                }
                // Beyond the start the way may lead through places seen before.
                let fresh = (down && at >= start) || (!down && at <= start);
                if fresh && self.size > limit(best) {
                    break;
                }
            }
        }
        while at < best_at {
            self.swap_blocks(at);
            at += 1;
        }
        while at > best_at {
            at -= 1;
            self.swap_blocks(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_order_of_disjoint_pairs() {
        // a0&b0 | a1&b1 | ... with all a above all b is exponential; next to each other it is linear.
        const N: u32 = 7;
        let space = super::super::Space::new(2 * N, 1 << 16);
        let plain = space.run(|| {
            let mut all = space.no();
            for i in 0..N {
                let pair = space.and(&space.var(i).unwrap(), &space.var(N + i).unwrap()).unwrap();
                all = space.or(&all, &pair).unwrap();
            }
            space.export(&[&all])
        });
        let blocks: Vec<Vec<u32>> = (0..2 * N).map(|v| vec![v]).collect();
        let order = sift(&plain, &blocks, 4, &|| false);
        let mut place = vec![0; 2 * N as usize];
        order.iter().flatten().enumerate().for_each(|(p, v)| place[*v as usize] = p as u32);
        let other = super::super::Space::new(2 * N, 1 << 16);
        other.run(|| {
            let f = other.import(&plain, &place).unwrap();
            assert_eq!(other.size(&f[0]), 2 * N as usize + 1);
        });
        assert!(plain.nodes.len() > 100);
    }
}
