//! Contents of a memory with symbolic addresses: everything that happened to it, in order.
//!
//! A read walks what happened from the oldest on; each write replaces the word where its address is the one that is
//! read, and each word of the antecedent adds to what is known of it. So neither an address nor the contents must be
//! known, and a memory of any size costs what is done with it.

use super::logic::{Logic, Stop};
use super::rails::{Rail, Rails};
use crate::net::Memory;

enum Event<F> {
    /// A write: whether, where, what, which bits.
    Write { enable: Rail<F>, addr: Vec<Rail<F>>, data: Vec<Rail<F>>, mask: Vec<Rail<F>> },
    /// A bit of a word is known to be this.
    Known { addr: u64, bit: u32, value: Rail<F> },
}

/// What happened to a memory.
pub struct Contents<F> {
    events: Vec<Event<F>>,
    /// The sweep since which all words have the same values, in every run.
    pub since: u32,
    /// The sweep in which something else came to be known of a word.
    pub fresh: u32,
}

impl<F: Clone + PartialEq> Contents<F> {
    /// Nothing is known.
    pub fn new(_of: &Memory) -> Contents<F> {
        Contents { events: Vec::new(), since: 1, fresh: 1 }
    }

    /// The words that the design initialises.
    pub fn initial<L: Logic<F = F>>(&mut self, m: &Memory, rails: &Rails<L>) {
        // Of two words for one address the last counts.
        let last = |addr: u64| m.init.iter().rposition(|w| w.0 == addr);
        for (_, (addr, word)) in m.init.iter().enumerate().filter(|(i, w)| last(w.0) == Some(*i)) {
            for bit in (0..word.width()).filter(|b| !word.is_unknown(*b)) {
                let value = rails.constant(word.bit(bit));
                self.events.push(Event::Known { addr: *addr, bit, value });
            }
        }
    }

    /// A write before sweep `now`. False if it is the last one once more, which tells nothing new.
    pub fn write(
        &mut self,
        enable: Rail<F>,
        addr: Vec<Rail<F>>,
        data: Vec<Rail<F>>,
        mask: Vec<Rail<F>>,
        now: u32,
    ) -> bool {
        self.since = now;
        let again = matches!(self.events.last(), Some(Event::Write { enable: e, addr: a, data: d, mask: m })
            if (e, a, d, m) == (&enable, &addr, &data, &mask));
        if !again {
            self.fresh = now;
            self.events.push(Event::Write { enable, addr, data, mask });
        }
        !again
    }

    /// A bit of a word is this.
    pub fn learn(&mut self, addr: u64, bit: u32, value: Rail<F>) {
        self.events.push(Event::Known { addr, bit, value });
    }

    /// A bit of the word at an address; X beyond the end.
    pub fn read<L: Logic<F = F>>(
        &self,
        addr: &[Rail<F>],
        bit: u32,
        size: u64,
        rails: &mut Rails<L>,
    ) -> Result<Rail<F>, Stop> {
        let mut v = rails.x();
        for e in &self.events {
            match e {
                Event::Write { enable, addr: to, data, mask } => {
                    let hit = equal(addr, to, rails)?;
                    let hit = rails.and(&hit, enable)?;
                    let hit = rails.and(&hit, &mask[bit as usize])?;
                    v = rails.mux(&hit, &data[bit as usize], &v)?;
                }
                Event::Known { addr: to, bit: b, value } if *b == bit => {
                    let hit = equals(addr, *to, rails)?;
                    // Only where the address is surely this one: where it can be another, nothing is learned.
                    let told = Rail {
                        high: rails.logic.or(&hit.low, &value.high)?,
                        low: rails.logic.or(&hit.low, &value.low)?,
                    };
                    v = rails.join(&v, &told)?;
                }
                Event::Known { .. } => {}
            }
        }
        if addr.len() < 64 && size >= 1 << addr.len() {
            return Ok(v);
        }
        let inside = below(addr, size, rails)?;
        let x = rails.x();
        rails.mux(&inside, &v, &x)
    }
}

/// Whether two addresses are equal; missing bits are 0.
fn equal<L: Logic>(a: &[Rail<L::F>], b: &[Rail<L::F>], rails: &mut Rails<L>) -> Result<Rail<L::F>, Stop> {
    let mut all = rails.constant(true);
    let zero = rails.constant(false);
    for i in 0..a.len().max(b.len()) {
        let differ = rails.xor(a.get(i).unwrap_or(&zero), b.get(i).unwrap_or(&zero))?;
        let same = rails.not(&differ);
        all = rails.and(&all, &same)?;
    }
    Ok(all)
}

fn equals<L: Logic>(a: &[Rail<L::F>], value: u64, rails: &mut Rails<L>) -> Result<Rail<L::F>, Stop> {
    if a.len() < 64 && value >> a.len() != 0 {
        return Ok(rails.constant(false));
    }
    let mut all = rails.constant(true);
    for (i, bit) in a.iter().enumerate() {
        let same = rails.flip(bit, !(i < 64 && value >> i & 1 == 1));
        all = rails.and(&all, &same)?;
    }
    Ok(all)
}

/// Whether an address is less than a size.
fn below<L: Logic>(a: &[Rail<L::F>], size: u64, rails: &mut Rails<L>) -> Result<Rail<L::F>, Stop> {
    let mut less = rails.constant(false);
    for (i, bit) in a.iter().enumerate() {
        // From the lowest bit on: the highest that differs decides.
        less = if i < 64 && size >> i & 1 == 1 {
            let zero = rails.not(bit);
            let one_less = rails.and(bit, &less)?;
            let (p, q) = (rails.not(&zero), rails.not(&one_less));
            let neither = rails.and(&p, &q)?;
            rails.not(&neither)
        } else {
            let zero = rails.not(bit);
            rails.and(&zero, &less)?
        };
    }
    if a.len() < 64 && size >> a.len() != 0 {
        return Ok(rails.constant(true));
    }
    Ok(less)
}
