//! Contents of kept memories, per lane: a plain array if that is small, else a table of the words
//! that were written.

use super::compile::{ReadPort, Write};
use super::lanes::mix;
use super::*;

/// Arrays up to this many words of 64 bits are kept in full (32 MiB).
const DENSE_WORDS: u64 = 4 << 20;

/// A memory's contents in all simulated lanes.
pub(super) struct MemoryState<L> {
    width: u32,
    size: u64,
    lanes: u32,
    /// Words of `u64` for one memory word: values, then (in three-valued mode) unknowns.
    stride: usize,
    words: Words,
    /// Initial words, for those not in a sparse table.
    init: FxHashMap<u64, Bits>,
    fill: Fill,
    salt: u64,
    /// Lanes whose contents are lost: something was written to an unknown address.
    lost: u64,
    kind: std::marker::PhantomData<L>,
}

enum Words {
    Dense(Vec<u64>),
    Sparse(FxHashMap<(u32, u64), Box<[u64]>>),
}

impl<L: Lanes> MemoryState<L> {
    pub fn new(m: &Memory, salt: u64, fill: Fill, lanes: u32) -> MemoryState<L> {
        let lanes = lanes.clamp(1, 64);
        let stride = 2 * (m.width as usize).div_ceil(64);
        let total = m.size.saturating_mul(stride as u64).saturating_mul(lanes as u64);
        let init = m.init.iter().filter(|(a, _)| *a < m.size).cloned().collect();
        let (width, size) = (m.width, m.size);
        let words = Words::Sparse(FxHashMap::default());
        let kind = std::marker::PhantomData;
        let mut s = MemoryState { width, size, lanes, stride, words, init, fill, salt, lost: 0, kind };
        if total <= DENSE_WORDS {
            let mut all = Vec::with_capacity(total as usize);
            for lane in 0..lanes {
                for addr in 0..size {
                    all.extend_from_slice(&s.initial_word(lane, addr));
                }
            }
            s.words = Words::Dense(all);
        }
        s
    }

    /// The word at the start: values in the first half, unknown bits in the second.
    fn initial_word(&self, lane: u32, addr: u64) -> Box<[u64]> {
        let half = self.stride / 2;
        let mut word = vec![0; self.stride].into_boxed_slice();
        let init = self.init.get(&addr);
        for i in 0..self.width {
            let known = init.filter(|b| !b.is_unknown(i)).map(|b| b.bit(i));
            let value = known.or_else(|| {
                let place = mix(self.salt << 32 | i as u64) ^ addr;
                L::open(self.fill, place).get(lane)
            });
            put(&mut word, half, i, value);
        }
        word
    }

    fn word(&self, lane: u32, addr: u64) -> Box<[u64]> {
        if self.lost >> lane & 1 == 1 {
            let half = self.stride / 2;
            let mut word = vec![0; self.stride].into_boxed_slice();
            (0..self.width).for_each(|i| put(&mut word, half, i, None));
            return word;
        }
        match &self.words {
            Words::Dense(all) => {
                let at = (lane as usize * self.size as usize + addr as usize) * self.stride;
                all[at..at + self.stride].into()
            }
            Words::Sparse(t) => t.get(&(lane, addr)).cloned().unwrap_or_else(|| self.initial_word(lane, addr)),
        }
    }

    fn set_word(&mut self, lane: u32, addr: u64, word: Box<[u64]>) {
        match &mut self.words {
            Words::Dense(all) => {
                let at = (lane as usize * self.size as usize + addr as usize) * self.stride;
                all[at..at + self.stride].copy_from_slice(&word);
            }
            Words::Sparse(t) => {
                t.insert((lane, addr), word);
            }
        }
    }

    pub fn load(&self, lane: u32, addr: u64) -> Bits {
        let word = self.word(lane, addr);
        let mut b = Bits::zero(self.width);
        for i in 0..self.width {
            match take(&word, self.stride / 2, i) {
                Some(v) => b.set(i, v),
                None => b.set_unknown(i, false),
            }
        }
        b
    }

    pub fn store(&mut self, lane: u32, addr: u64, value: &Bits) {
        assert!(lane < self.lanes && addr < self.size, "no such memory word");
        let mut word = vec![0; self.stride].into_boxed_slice();
        for i in 0..self.width {
            let open = || L::UNKNOWN.get(lane);
            let v = if value.is_unknown(i) { open() } else { Some(value.bit(i)) };
            put(&mut word, self.stride / 2, i, v);
        }
        self.set_word(lane, addr, word);
    }

    /// The known address in one lane: `Err` if a bit is unknown, `Ok(None)` if beyond the memory.
    fn address(&self, addr: &[u32], values: &[L], lane: u32) -> Result<Option<u64>, ()> {
        let mut a = 0u64;
        let mut beyond = false;
        let mut unknown = false;
        for (i, &operand) in addr.iter().enumerate() {
            match read(values, operand).get(lane) {
                Some(false) => {}
                Some(true) if i < 64 => a |= 1 << i,
                Some(true) => beyond = true,
                None => unknown = true,
            }
        }
        // A known part may already be beyond the memory.
        if beyond || a >= self.size {
            return Ok(None);
        }
        if unknown { Err(()) } else { Ok(Some(a)) }
    }

    /// Delivers the word of a read port to its slots.
    pub fn read(&self, port: &ReadPort, values: &mut [L], fill: Fill, salt: u64) {
        let half = self.stride / 2;
        // What a read beyond the memory, or in a lane that is not simulated, gives.
        for &(bit, slot) in &port.bits {
            values[slot as usize] = L::open(fill, mix(salt) ^ mix(self.salt << 32 | bit as u64));
        }
        for lane in 0..self.lanes {
            match self.address(&port.addr, values, lane) {
                Ok(Some(addr)) => {
                    let word = self.word(lane, addr);
                    for &(bit, slot) in &port.bits {
                        let v = &mut values[slot as usize];
                        *v = v.with(lane, take(&word, half, bit));
                    }
                }
                Ok(None) => {}
                Err(()) => {
                    for &(_, slot) in &port.bits {
                        let v = &mut values[slot as usize];
                        *v = v.with(lane, None);
                    }
                }
            }
        }
    }

    /// Writes in the lanes of `enable`; true if a word changed.
    pub fn write(&mut self, enable: L, w: &Write, values: &[L]) -> bool {
        let half = self.stride / 2;
        let mut changed = false;
        for lane in 0..self.lanes {
            if enable.get(lane) == Some(false) {
                continue;
            }
            match self.address(&w.addr, values, lane) {
                Ok(Some(addr)) => {
                    let old = self.word(lane, addr);
                    let mut new = old.clone();
                    for i in 0..self.width {
                        let write = enable.and(read(values, w.mask[i as usize]));
                        let hold = L::UNKNOWN.with(lane, take(&old, half, i));
                        let v = write.mux(read(values, w.data[i as usize]), hold).get(lane);
                        put(&mut new, half, i, v);
                    }
                    if new != old {
                        changed = true;
                        self.set_word(lane, addr, new);
                    }
                }
                Ok(None) => {}
                Err(()) => {
                    changed |= self.lost >> lane & 1 == 0;
                    self.lost |= 1 << lane;
                }
            }
        }
        changed
    }
}

fn put(word: &mut [u64], half: usize, i: u32, v: Option<bool>) {
    let (at, m) = ((i / 64) as usize, 1u64 << (i % 64));
    let set = |w: &mut u64, on: bool| if on { *w |= m } else { *w &= !m };
    set(&mut word[at], v == Some(true));
    set(&mut word[half + at], v.is_none());
}

fn take(word: &[u64], half: usize, i: u32) -> Option<bool> {
    let (at, m) = ((i / 64) as usize, 1u64 << (i % 64));
    (word[half + at] & m == 0).then_some(word[at] & m != 0)
}
