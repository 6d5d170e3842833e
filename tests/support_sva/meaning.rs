//! What properties mean: tight satisfaction of sequences over intervals, satisfaction of properties from a
//! tick on (annex F.5), in three values with everything after the present tick unknown.
//!
//! Nothing here is an automaton, and nothing is shared with what is tested.

use super::{Bool, Prop, Seq};
use std::collections::HashMap;

/// False, unknown, true.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Truth {
    F,
    U,
    T,
}
use Truth::*;

impl Truth {
    fn not(self) -> Truth {
        match self {
            F => T,
            U => U,
            T => F,
        }
    }
}

/// A trace seen up to and including tick `now`.
pub struct View<'t> {
    /// `trace[tick][signal]`.
    pub trace: &'t [Vec<bool>],
    /// `None`: nothing is known at all.
    pub now: Option<usize>,
    memo: HashMap<(*const Seq, usize), Vec<Truth>>,
}

impl<'t> View<'t> {
    pub fn new(trace: &'t [Vec<bool>], now: Option<usize>) -> View<'t> {
        View { trace, now, memo: HashMap::new() }
    }

    /// The value of a boolean at a tick of the past; before the first tick everything is 0.
    fn value(&self, b: &Bool, at: isize) -> bool {
        let before = |x: &Bool| self.value(x, at - 1);
        match b {
            _ if at < 0 => false,
            Bool::Const(c) => *c,
            Bool::Signal(s) => self.trace[at as usize][*s],
            Bool::Not(a) => !self.value(a, at),
            Bool::And(a, b) => self.value(a, at) && self.value(b, at),
            Bool::Or(a, b) => self.value(a, at) || self.value(b, at),
            Bool::Past(a, n) => self.value(a, at - *n as isize),
            Bool::Rose(a) => !before(a) && self.value(a, at),
            Bool::Fell(a) => before(a) && !self.value(a, at),
            Bool::Stable(a) => before(a) == self.value(a, at),
            Bool::Changed(a) => before(a) != self.value(a, at),
        }
    }

    fn letter(&self, b: &Bool, at: usize) -> Truth {
        match self.now {
            Some(now) if at <= now => [F, T][usize::from(self.value(b, at as isize))],
            _ => U,
        }
    }

    /// For each length whether the sequence is tightly satisfied by that many ticks from `from` on.
    pub fn tight(&mut self, s: &Seq, from: usize) -> Vec<Truth> {
        let key = (s as *const Seq, from);
        if let Some(v) = self.memo.get(&key) {
            return v.clone();
        }
        let mut v = self.tight_inner(s, from);
        // That a tick comes at all is not known before it does, even where nothing is asked of it.
        for (l, t) in v.iter_mut().enumerate() {
            if l > 0 && self.now.is_none_or(|now| from + l - 1 > now) {
                *t = (*t).min(U);
            }
        }
        self.memo.insert(key, v.clone());
        v
    }

    fn tight_inner(&mut self, s: &Seq, from: usize) -> Vec<Truth> {
        let at = |v: &[Truth], i: usize| v.get(i).copied().unwrap_or(F);
        match s {
            Seq::Bool(b) => vec![F, self.letter(b, from)],
            Seq::Delay(a, m, n, b) => {
                let before = match a {
                    Some(a) => self.tight(a, from),
                    // Counted from the start: as behind the match of no tick, one tick later.
                    None => vec![T],
                };
                let mut out = vec![F];
                for (k, first) in before.iter().enumerate() {
                    for d in *m..=*n {
                        // `a ##d b`: d - 1 ticks between them; ##0: the last of one is the first of the other.
                        let start = match a {
                            None => k + d,
                            Some(_) if d == 0 && k == 0 => continue,
                            Some(_) => k + d - 1,
                        };
                        let rest = self.tight(b, from + start);
                        for (l, second) in rest.iter().enumerate() {
                            if a.is_some() && d == 0 && l == 0 {
                                continue;
                            }
                            put(&mut out, start + l, (*first).min(*second));
                        }
                    }
                }
                out
            }
            Seq::Repeat(a, m, n) => {
                let mut power = vec![T];
                let mut out = vec![F];
                for k in 0..=*n {
                    if k >= *m {
                        power.iter().enumerate().for_each(|(l, t)| put(&mut out, l, *t));
                    }
                    let mut next = vec![F];
                    for (l, t) in power.iter().enumerate() {
                        for (j, u) in self.tight(a, from + l).iter().enumerate() {
                            put(&mut next, l + j, (*t).min(*u));
                        }
                    }
                    power = next;
                }
                out
            }
            Seq::Or(a, b) => {
                let (a, b) = (self.tight(a, from), self.tight(b, from));
                (0..a.len().max(b.len())).map(|l| at(&a, l).max(at(&b, l))).collect()
            }
            Seq::Intersect(a, b) => {
                let (a, b) = (self.tight(a, from), self.tight(b, from));
                (0..a.len().min(b.len())).map(|l| at(&a, l).min(at(&b, l))).collect()
            }
            Seq::And(a, b) => {
                let (a, b) = (self.tight(a, from), self.tight(b, from));
                let mut out = vec![F];
                for (i, t) in a.iter().enumerate() {
                    for (j, u) in b.iter().enumerate() {
                        put(&mut out, i.max(j), (*t).min(*u));
                    }
                }
                out
            }
            Seq::Within(a, b) => {
                let b = self.tight(b, from);
                let mut out = vec![F];
                for (l, t) in b.iter().enumerate() {
                    for start in 0..=l {
                        let a = self.tight(a, from + start);
                        for u in a.iter().take(l - start + 1) {
                            put(&mut out, l, (*t).min(*u));
                        }
                    }
                }
                out
            }
            Seq::Throughout(b, s) => {
                let s = self.tight(s, from);
                let all = |l: usize| (from..from + l).map(|i| self.letter(b, i)).min().unwrap_or(T);
                s.iter().enumerate().map(|(l, t)| (*t).min(all(l))).collect()
            }
        }
    }

    /// Whether the property holds from tick `from` on.
    pub fn holds(&mut self, p: &Prop, from: usize) -> Truth {
        match p {
            Prop::Seq(s) => self.tight(s, from).into_iter().max().unwrap_or(F),
            Prop::Not(p) => self.holds(p, from).not(),
            Prop::And(a, b) => self.holds(a, from).min(self.holds(b, from)),
            Prop::Or(a, b) => self.holds(a, from).max(self.holds(b, from)),
            Prop::Implies(a, b) => self.holds(a, from).not().max(self.holds(b, from)),
            Prop::Iff(a, b) => {
                let (a, b) = (self.holds(a, from), self.holds(b, from));
                a.not().max(b).min(b.not().max(a))
            }
            Prop::Implication(overlapped, s, p) => {
                self.ends(*overlapped, s, from, |v, at, t| t.not().max(v.holds(p, at))).into_iter().min().unwrap_or(T)
            }
            Prop::FollowedBy(overlapped, s, p) => {
                self.ends(*overlapped, s, from, |v, at, t| t.min(v.holds(p, at))).into_iter().max().unwrap_or(F)
            }
            Prop::If(c, p, q) => {
                let c = self.letter(c, from);
                let first = c.not().max(self.holds(p, from));
                match q {
                    Some(q) => first.min(c.max(self.holds(q, from))),
                    None => first,
                }
            }
            // The tick itself is still to come.
            Prop::Next(n, p) => match self.now {
                Some(now) if from + n <= now => self.holds(p, from + n),
                _ => U,
            },
        }
    }

    /// Whether the attempt is not vacuous (16.14.8).
    pub fn nonvacuous(&mut self, p: &Prop, from: usize) -> Truth {
        match p {
            Prop::Seq(_) => T,
            Prop::Not(p) => self.nonvacuous(p, from),
            Prop::And(a, b) | Prop::Or(a, b) | Prop::Implies(a, b) | Prop::Iff(a, b) => {
                self.nonvacuous(a, from).max(self.nonvacuous(b, from))
            }
            Prop::Implication(overlapped, s, p) | Prop::FollowedBy(overlapped, s, p) => {
                self.ends(*overlapped, s, from, |v, at, t| t.min(v.nonvacuous(p, at))).into_iter().max().unwrap_or(F)
            }
            Prop::If(c, p, q) => {
                let c = self.letter(c, from);
                let first = c.min(self.nonvacuous(p, from));
                match q {
                    Some(q) => first.max(c.not().min(self.nonvacuous(q, from))),
                    None => first,
                }
            }
            Prop::Next(n, p) => match self.now {
                Some(now) if from + n <= now => self.nonvacuous(p, from + n),
                _ => U,
            },
        }
    }

    /// `f` at each tick at which a consequent starts, with whether the antecedent matches there.
    fn ends(
        &mut self,
        overlapped: bool,
        s: &Seq,
        from: usize,
        mut f: impl FnMut(&mut Self, usize, Truth) -> Truth,
    ) -> Vec<Truth> {
        let lengths = self.tight(s, from);
        let mut out = Vec::new();
        for (l, t) in lengths.into_iter().enumerate().filter(|(_, t)| *t != F) {
            match (overlapped, l) {
                (true, 0) => {}
                (true, _) => out.push(f(self, from + l - 1, t)),
                (false, _) => {
                    // That the tick after the match comes at all is not known before it does.
                    let comes = if self.now.is_some_and(|now| from + l <= now) { T } else { U };
                    out.push(f(self, from + l, t.min(comes)));
                }
            }
        }
        out
    }
}

fn put(v: &mut Vec<Truth>, i: usize, t: Truth) {
    if v.len() <= i {
        v.resize(i + 1, F);
    }
    v[i] = v[i].max(t);
}

/// Whether a sequence can match no tick, and whether it can match some.
pub fn matches(s: &Seq) -> (bool, bool) {
    let v = View::new(&[], None).tight(s, 0);
    (v[0] != F, v[1..].iter().any(|t| *t != F))
}

/// The ticks at which some attempt reaches `verdict` for the first time; `off` says where all attempts are
/// dropped.
pub fn decided(
    trace: &[Vec<bool>],
    off: impl Fn(usize) -> bool,
    mut verdict: impl FnMut(&mut View, usize) -> bool,
) -> Vec<bool> {
    let mut open: Vec<usize> = Vec::new();
    let tick = |now| {
        if off(now) {
            open.clear();
            return false;
        }
        open.push(now);
        let mut view = View::new(trace, Some(now));
        let before = open.len();
        open.retain(|from| !verdict(&mut view, *from));
        open.len() < before
    };
    (0..trace.len()).map(tick).collect()
}
