//! What is known of every reachable state of a system: clauses that were proved for one goal help with the next.
//!
//! Each proof adds a group of clauses that is inductive with the groups it rests on. A goal sees the clauses about
//! its cone; its certificate carries all that they rest on, so that it stands alone.

use super::Evidence;
use super::evidence::{Certificate, Literal};
use crate::model::{Fact, Reduced};
use rustc_hash::{FxHashMap, FxHashSet};

/// Clauses about the state bits of a system.
#[derive(Clone, Debug, Default)]
pub struct Known {
    groups: Vec<Group>,
    have: FxHashSet<Vec<Literal>>,
    /// Only what rests on the goal's own cone is of use.
    pub inside: bool,
}

/// What one proof has shown.
#[derive(Clone, Debug)]
struct Group {
    clauses: Vec<Vec<Literal>>,
    /// Groups that it is inductive with, and theirs.
    needs: Vec<usize>,
}

/// What is of use for a goal.
#[derive(Clone, Debug, Default)]
pub struct Help {
    /// Clauses about state bits of the reduced system.
    pub clauses: Vec<Vec<Literal>>,
    /// What they rest on, about state bits of the system itself; inductive.
    pub ground: Vec<Vec<Literal>>,
    groups: Vec<usize>,
}

/// More than this costs more than it helps.
const MAX_CLAUSES: usize = 20_000;

impl Known {
    /// Learns from a certificate that was checked, and that was found with some help.
    pub fn learn(&mut self, c: &Certificate, help: &Help) {
        let Evidence::Clauses(list) = &c.evidence else { return };
        let mut new: Vec<Vec<Literal>> = c.constants.iter().map(|f| vec![*f]).collect();
        new.extend(c.equal.iter().flat_map(|(a, b)| [vec![(*a, true), (*b, false)], vec![(*a, false), (*b, true)]]));
        new.extend(list.iter().map(|k| k.iter().map(|(s, v)| (c.states[*s as usize], *v)).collect()));
        new.iter_mut().for_each(|k| k.sort_unstable());
        // One that another group has is kept here as well: this group must not come to rest on that one.
        let fresh = new.iter().filter(|k| !self.have.contains(*k)).count();
        if fresh == 0 || self.have.len() + fresh > MAX_CLAUSES {
            return;
        }
        self.have.extend(new.iter().cloned());
        self.groups.push(Group { clauses: new, needs: help.groups.clone() });
    }

    /// What helps with the goal of a reduced system.
    pub fn help(&self, small: &Reduced) -> Help {
        let mut place: FxHashMap<u32, Bit> = FxHashMap::default();
        for (i, s) in small.states.iter().enumerate() {
            place.insert(*s as u32, Bit::Is(i as u32));
        }
        for f in &small.facts {
            match *f {
                Fact::Constant(s, v) => place.insert(s as u32, Bit::Always(v)),
                // The first of a class is a state of the reduced system.
                Fact::Equal(a, b) => place.get(&(a as u32)).copied().and_then(|bit| place.insert(b as u32, bit)),
            };
        }
        let clause = |c: &Vec<Literal>| {
            let mut out = Vec::new();
            for (s, v) in c {
                match place.get(s)? {
                    Bit::Is(i) => out.push((*i, *v)),
                    Bit::Always(w) if w == v => return None,
                    Bit::Always(_) => {}
                }
            }
            out.sort_unstable();
            out.dedup();
            let is_true = out.windows(2).any(|p| p[0].0 == p[1].0);
            (!is_true && !out.is_empty()).then_some(out)
        };
        let mut help = Help::default();
        let mut seen = FxHashSet::default();
        let mut used = vec![false; self.groups.len()];
        let within = |g: &Group| g.clauses.iter().flatten().all(|(s, _)| place.contains_key(s));
        for (g, group) in self.groups.iter().enumerate() {
            if self.inside && !(within(group) && group.needs.iter().all(|n| within(&self.groups[*n]))) {
                continue;
            }
            let before = help.clauses.len();
            help.clauses.extend(group.clauses.iter().filter_map(clause).filter(|c| seen.insert(c.clone())));
            if help.clauses.len() > before {
                used[g] = true;
                group.needs.iter().for_each(|n| used[*n] = true);
            }
        }
        let mut have = FxHashSet::default();
        help.groups = (0..used.len()).filter(|g| used[*g]).collect();
        let ground = help.groups.iter().flat_map(|g| &self.groups[*g].clauses);
        help.ground = ground.filter(|c| have.insert(*c)).cloned().collect();
        help
    }
}

/// A state bit of the original in the reduced system.
#[derive(Clone, Copy)]
enum Bit {
    Is(u32),
    Always(bool),
}
