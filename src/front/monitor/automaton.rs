//! Sequences as automata without empty moves: one position per letter, and which positions can follow
//! which.
//!
//! This is Glushkov's construction: a position stands for one occurrence of a boolean, and a word is
//! accepted if it can be read along positions from one of `first` over `follow` to one of `last`.
//! Fusion (`##0`), intersection and `throughout` only put two letters into one position, which
//! other constructions make hard. Invariant: every position lies on a way from `first` to `last`.

use crate::word::{Design, NodeId};
use rustc_hash::FxHashMap;

/// The most positions and moves of one automaton, so that a slip in a bound is an error and not an
/// exhausted machine.
const MAX_POSITIONS: usize = 1 << 13;
const MAX_MOVES: usize = 1 << 17;

/// The automaton would have too many positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge;

type Made = Result<Automaton, TooLarge>;

/// The matches of a sequence.
#[derive(Clone, Debug, Default)]
pub struct Automaton {
    /// The letter read at each position: a 1-bit node.
    pub letters: Vec<NodeId>,
    /// Where a match can start.
    pub first: Vec<u32>,
    /// Where it can end.
    pub last: Vec<bool>,
    /// Where it can go on.
    pub follow: Vec<Vec<u32>>,
    /// Whether the match of no tick is one.
    pub empty: bool,
}

impl Automaton {
    /// The match of no tick.
    pub fn nothing() -> Automaton {
        Automaton { empty: true, ..Automaton::default() }
    }

    /// One tick at which the letter holds.
    pub fn letter(n: NodeId) -> Automaton {
        Automaton { letters: vec![n], first: vec![0], last: vec![true], follow: vec![Vec::new()], empty: false }
    }

    /// Any number of ticks.
    fn anything(d: &mut Design) -> Automaton {
        let yes = d.bool(true);
        Automaton { letters: vec![yes], first: vec![0], last: vec![true], follow: vec![vec![0]], empty: true }
    }

    /// Whether there is a match of at least one tick.
    pub fn matches(&self) -> bool {
        !self.first.is_empty()
    }

    fn checked(self) -> Made {
        let moves: usize = self.follow.iter().map(Vec::len).sum();
        if self.letters.len() > MAX_POSITIONS || moves > MAX_MOVES { Err(TooLarge) } else { Ok(self) }
    }

    /// Positions of `other` behind those of `self`; first, last and moves between them are the caller's.
    fn append(&mut self, other: &Automaton) -> u32 {
        let base = self.letters.len() as u32;
        self.letters.extend(&other.letters);
        self.last.extend(&other.last);
        self.follow.extend(other.follow.iter().map(|f| f.iter().map(|q| q + base).collect()));
        base
    }

    /// `self or other`.
    pub fn or(mut self, other: &Automaton) -> Made {
        let base = self.append(other);
        self.first.extend(other.first.iter().map(|q| q + base));
        self.empty |= other.empty;
        self.checked()
    }

    /// `self ##1 other`.
    pub fn then(mut self, other: &Automaton) -> Made {
        let ends: Vec<usize> = (0..self.last.len()).filter(|q| self.last[*q]).collect();
        if ends.len() * other.first.len() > MAX_MOVES {
            return Err(TooLarge);
        }
        let base = self.append(other);
        let starts: Vec<u32> = other.first.iter().map(|q| q + base).collect();
        for q in ends {
            self.follow[q].extend(&starts);
            self.last[q] = other.empty;
        }
        if self.empty {
            self.first.extend(&starts);
        }
        self.empty &= other.empty;
        self.checked()
    }

    /// `self ##0 other`: the last tick of one is the first of the other.
    pub fn fuse(&self, d: &mut Design, other: &Automaton) -> Made {
        let ends: Vec<u32> = (0..self.last.len() as u32).filter(|q| self.last[*q as usize]).collect();
        if ends.len() * other.first.len() > MAX_POSITIONS {
            return Err(TooLarge);
        }
        let mut r = Automaton { first: self.first.clone(), ..Automaton::default() };
        r.append(self);
        r.last.fill(false);
        let base = r.append(other);
        // Positions that read the last letter of one and the first of the other.
        let mut joints: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for p in &ends {
            for q in &other.first {
                let both = d.and(self.letters[*p as usize], other.letters[*q as usize]);
                joints.entry(*p).or_default().push(r.letters.len() as u32);
                r.letters.push(both);
                r.last.push(other.last[*q as usize]);
                r.follow.push(other.follow[*q as usize].iter().map(|x| x + base).collect());
            }
        }
        let into = |list: &mut Vec<u32>| {
            let more: Vec<u32> = list.iter().filter_map(|p| joints.get(p)).flatten().copied().collect();
            list.extend(more);
        };
        into(&mut r.first);
        for p in 0..self.letters.len() {
            into(&mut r.follow[p]);
        }
        r.trimmed().checked()
    }

    /// `self[*low:high]`.
    pub fn repeat(&self, low: u32, high: u32) -> Made {
        if (high as usize).saturating_mul(self.letters.len()) > MAX_POSITIONS {
            return Err(TooLarge);
        }
        // If it matches no tick, any fewer repetitions are enough.
        let low = if self.empty { 0 } else { low };
        let mut r = Automaton { empty: low == 0, ..Automaton::default() };
        let mut before: Vec<u32> = Vec::new();
        for k in 0..high {
            let base = r.append(self);
            let starts: Vec<u32> = self.first.iter().map(|q| q + base).collect();
            for q in &before {
                r.follow[*q as usize].extend(&starts);
            }
            if k == 0 {
                r.first = starts;
            }
            before = (0..self.last.len() as u32).filter(|q| self.last[*q as usize]).map(|q| q + base).collect();
            if k + 1 < low {
                for q in &before {
                    r.last[*q as usize] = false;
                }
            }
        }
        r.checked()
    }

    /// `##[low:high] other`, behind `before` if there is one.
    pub fn delayed(d: &mut Design, before: Option<&Automaton>, low: u32, high: u32, other: &Automaton) -> Made {
        let yes = d.bool(true);
        let tick = Automaton::letter(yes);
        let Some(before) = before else { return tick.repeat(low, high)?.then(other) };
        let apart = |low: u32| before.clone().then(&tick.repeat(low - 1, high - 1)?)?.then(other);
        match (low, high) {
            (0, 0) => before.fuse(d, other),
            (0, _) => before.fuse(d, other)?.or(&apart(1)?),
            _ => apart(low),
        }
    }

    /// `cond throughout self`.
    pub fn throughout(mut self, d: &mut Design, cond: NodeId) -> Automaton {
        for l in &mut self.letters {
            *l = d.and(*l, cond);
        }
        self
    }

    /// `self intersect other`: matches of both, over the same ticks.
    pub fn intersect(&self, d: &mut Design, other: &Automaton) -> Made {
        let mut r = Automaton { empty: self.empty && other.empty, ..Automaton::default() };
        let mut number: FxHashMap<(u32, u32), u32> = FxHashMap::default();
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        let mut product = |pairs: &mut Vec<(u32, u32)>, a: &[u32], b: &[u32]| -> Vec<u32> {
            let mut out = Vec::with_capacity(a.len() * b.len());
            for (p, q) in a.iter().flat_map(|p| b.iter().map(move |q| (*p, *q))) {
                out.push(*number.entry((p, q)).or_insert_with(|| {
                    pairs.push((p, q));
                    pairs.len() as u32 - 1
                }));
            }
            out
        };
        r.first = product(&mut pairs, &self.first, &other.first);
        let (mut k, mut moves) = (0, 0);
        while let Some(&(p, q)) = pairs.get(k) {
            let (p, q) = (p as usize, q as usize);
            r.letters.push(d.and(self.letters[p], other.letters[q]));
            r.last.push(self.last[p] && other.last[q]);
            moves += self.follow[p].len() * other.follow[q].len();
            if pairs.len() > MAX_POSITIONS || moves > MAX_MOVES {
                return Err(TooLarge);
            }
            let next = product(&mut pairs, &self.follow[p], &other.follow[q]);
            r.follow.push(next);
            k += 1;
        }
        r.trimmed().checked()
    }

    /// `self and other`: both from the same start, until the later one ends.
    pub fn and(&self, d: &mut Design, other: &Automaton) -> Made {
        let rest = Automaton::anything(d);
        let (a, b) = (self.clone().then(&rest)?, other.clone().then(&rest)?);
        a.intersect(d, other)?.or(&self.intersect(d, &b)?)
    }

    /// `self within other`.
    pub fn within(&self, d: &mut Design, other: &Automaton) -> Made {
        let rest = Automaton::anything(d);
        rest.clone().then(self)?.then(&rest)?.intersect(d, other)
    }

    /// Without the positions that no match passes.
    fn trimmed(&self) -> Automaton {
        let n = self.letters.len();
        let mut back: Vec<Vec<u32>> = vec![Vec::new(); n];
        for (p, f) in self.follow.iter().enumerate() {
            f.iter().for_each(|q| back[*q as usize].push(p as u32));
        }
        let ends: Vec<u32> = (0..n as u32).filter(|q| self.last[*q as usize]).collect();
        let (fore, aft) = (reach(n, &self.first, &self.follow), reach(n, &ends, &back));
        let mut number = vec![None; n];
        for (k, q) in (0..n).filter(|q| fore[*q] && aft[*q]).enumerate() {
            number[q] = Some(k as u32);
        }
        let kept = |list: &[u32]| list.iter().filter_map(|q| number[*q as usize]).collect::<Vec<u32>>();
        let all = || (0..n).filter(|q| number[*q].is_some());
        Automaton {
            letters: all().map(|q| self.letters[q]).collect(),
            first: kept(&self.first),
            last: all().map(|q| self.last[q]).collect(),
            follow: all().map(|q| kept(&self.follow[q])).collect(),
            empty: self.empty,
        }
    }
}

fn reach(n: usize, from: &[u32], next: &[Vec<u32>]) -> Vec<bool> {
    let mut seen = vec![false; n];
    let mut open = from.to_vec();
    while let Some(q) = open.pop() {
        if !std::mem::replace(&mut seen[q as usize], true) {
            open.extend(&next[q as usize]);
        }
    }
    seen
}
