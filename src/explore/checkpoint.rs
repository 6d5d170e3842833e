//! Copies of the model in the middle of runs, and which of them a new run can begin from.
//!
//! A run that takes long leaves copies of itself behind (`shim/server.inc`). A copy has made choices: steps in an
//! order, delays, the order of what became due at one date. A script that asks for the same choices so far can go on from
//! it. Copies are few: the least recently used go first, and what began at one that is gone begins at an earlier one.

use super::order::{Due, Order};
use super::server::Script;
use super::trace::{Kind, Run};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use std::sync::Arc;

/// Places for copies; the first is the start of the simulation.
pub const SLOTS: usize = 32;

/// What a run chose, each with the number of steps that were begun when it did.
#[derive(Default, Debug)]
pub struct Choices {
    steps: Vec<(SmolStr, u32)>,
    delays: Vec<(usize, Chosen)>,
    /// What became due, and (not true) what did not because something due came first.
    due: Vec<(usize, Due, bool)>,
}

#[derive(Debug)]
struct Chosen {
    key: SmolStr,
    number: u32,
    value: u64,
    nominal: u64,
    site: u64,
}

impl Choices {
    /// Those of a run.
    pub fn of(run: &Run, order: &Order) -> Choices {
        let mut c = Choices::default();
        for p in &order.places {
            let node = p.node.map(|n| &run.nodes[n as usize]);
            if let Some(Kind::Step { process, n }) = node.map(|n| n.kind) {
                c.steps.push((order.keys[process as usize].clone(), n));
            }
            let begun = c.steps.len();
            for d in node.iter().flat_map(|n| &n.delays) {
                let key = order.keys[d.process as usize].clone();
                let (number, value, nominal, site) = (d.number, d.chosen, d.nominal, d.site);
                c.delays.push((begun, Chosen { key, number, value, nominal, site }));
            }
            c.due.extend(p.due(order).map(|d| (begun, d, node.is_some())));
        }
        c
    }

    /// Does a script ask for just these choices, up to a number of steps?
    fn begin(&self, steps: usize, script: &Script) -> bool {
        if script.steps.len() < steps || self.steps.get(..steps) != script.steps.get(..steps) {
            return false;
        }
        let asked: FxHashMap<(&str, u32), u64> = script.delays.iter().map(|d| ((d.0.as_str(), d.1), d.2)).collect();
        for (_, d) in self.delays.iter().take_while(|d| d.0 <= steps) {
            let scaled = || {
                let (_, n, of) = script.scales.iter().find(|s| s.0 == d.site)?;
                Some((d.nominal as u128 * *n as u128 / (*of).max(1) as u128) as u64)
            };
            if asked.get(&(d.key.as_str(), d.number)).copied().or_else(scaled).unwrap_or(d.nominal) != d.value {
                return false;
            }
        }
        // What the script says of things that became due must be how they did. Of those it says nothing of it asks that they
        // come last.
        let mine: FxHashMap<&Due, (usize, bool)> =
            self.due.iter().take_while(|d| d.0 <= steps).enumerate().map(|(i, d)| (&d.1, (i, d.2))).collect();
        let theirs: Vec<(usize, bool)> = script.due.iter().filter_map(|d| mine.get(d).copied()).collect();
        let came = |all: &mut dyn Iterator<Item = &(usize, bool)>| all.filter(|d| d.1).count();
        theirs.is_sorted() && came(&mut theirs.iter()) == came(&mut mine.values())
    }
}

/// A copy that waits for commands.
struct Checkpoint {
    pid: u32,
    /// The slot of the copy whose child it is: it ends with that.
    parent: usize,
    steps: usize,
    choices: Arc<Choices>,
    /// When it was last of use.
    used: u64,
}

/// The copies of one program.
pub struct Checkpoints {
    slots: [Option<Checkpoint>; SLOTS],
    most: usize,
    clock: u64,
}

impl Checkpoints {
    /// At most so many.
    pub fn new(most: usize) -> Checkpoints {
        Checkpoints { slots: [const { None }; SLOTS], most: most.min(SLOTS - 1), clock: 0 }
    }

    /// The slot a script is best begun from: 0 is the start.
    pub fn best(&mut self, script: &Script) -> usize {
        self.clock += 1;
        let all = self.slots.iter().enumerate().filter_map(|(i, c)| Some((i, c.as_ref()?)));
        let fits = all.filter(|(_, c)| c.choices.begin(c.steps, script)).max_by_key(|(_, c)| c.steps);
        let best = fits.map_or(0, |(i, _)| i);
        let mut at = best;
        while let Some(c) = &mut self.slots[at] {
            (c.used, at) = (self.clock, c.parent);
        }
        best
    }

    /// Slots that a run from a slot may fill, one bit each, and the processes to end for it.
    pub fn make_room(&mut self, from: usize) -> (u64, Vec<u32>) {
        let mut gone = Vec::new();
        while self.count() + 2 > self.most && self.most > 0 {
            let Some(slot) = self.oldest(from) else { break };
            gone.extend(self.slots[slot].take().map(|c| c.pid));
        }
        let room = self.most.saturating_sub(self.count());
        let free = (1..SLOTS).filter(|&i| self.slots[i].is_none()).take(room);
        (free.fold(0, |bits, i| bits | 1 << i), gone)
    }

    fn count(&self) -> usize {
        self.slots.iter().flatten().count()
    }

    /// The least recently used copy that has none after it, and that a run from `from` does not come from.
    fn oldest(&self, from: usize) -> Option<usize> {
        let parents: Vec<usize> = self.slots.iter().flatten().map(|c| c.parent).collect();
        let all = self.slots.iter().enumerate().filter_map(|(i, c)| Some((i, c.as_ref()?)));
        all.filter(|(i, c)| *i != from && c.used < self.clock && !parents.contains(i))
            .min_by_key(|(_, c)| c.used)
            .map(|(i, _)| i)
    }

    /// Drops a copy to save memory, and says which process to end.
    pub fn drop_one(&mut self) -> Option<u32> {
        self.clock += 1;
        let slot = self.oldest(0)?;
        self.slots[slot].take().map(|c| c.pid)
    }

    /// The processes of all copies.
    pub fn processes(&self) -> impl Iterator<Item = u32> + '_ {
        self.slots.iter().flatten().map(|c| c.pid)
    }

    /// Adds copies that a run from a slot left behind, by slot, process and steps; each is a child of the one before.
    pub fn add(&mut self, from: usize, left: &[(usize, u32, usize)], choices: &Arc<Choices>) {
        let mut parent = from;
        for &(slot, pid, steps) in left {
            let used = self.clock;
            self.slots[slot] = Some(Checkpoint { pid, parent, steps, choices: choices.clone(), used });
            parent = slot;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choices() -> Choices {
        let s = |k: &str, n| (SmolStr::new(k), n);
        let chosen = |number, value| Chosen { key: "a".into(), number, value, nominal: 10, site: 7 };
        Choices {
            steps: vec![s("a", 1), s("b", 1), s("a", 2), s("b", 2)],
            delays: vec![(1, chosen(1, 10)), (3, chosen(2, 12))],
            due: vec![
                (2, ("a".into(), 1, None), true),
                (3, ("b".into(), 1, Some(0)), true),
                (3, ("c".into(), 1, None), false),
            ],
        }
    }

    fn script() -> Script {
        let c = choices();
        let due = c.due.iter().map(|d| d.1.clone()).collect();
        Script { steps: c.steps, due, delays: vec![("a".into(), 2, 12)], scales: vec![] }
    }

    #[test]
    fn a_run_begins_at_a_copy_only_if_all_its_choices_are_the_same() {
        let (c, s) = (choices(), script());
        assert!((0..=4).all(|n| c.begin(n, &s)));
        let mut other = s.clone();
        other.steps.swap(2, 3);
        assert!(c.begin(2, &other) && !c.begin(3, &other), "another order of steps");
        let mut other = s.clone();
        other.delays[0].2 = 11;
        assert!(c.begin(2, &other) && !c.begin(3, &other), "another delay");
        let mut other = s.clone();
        other.delays.push(("a".into(), 1, 9));
        assert!(c.begin(0, &other) && !c.begin(1, &other), "a delay that was as the program says");
        let mut other = s.clone();
        other.scales.push((7, 1, 2));
        assert!(!c.begin(1, &other), "a delay that a factor changes");
        let mut other = s.clone();
        other.due.swap(0, 1);
        assert!(c.begin(2, &other) && !c.begin(3, &other), "another order of what is due");
        let mut other = s.clone();
        other.due.rotate_right(1);
        assert!(c.begin(2, &other) && !c.begin(3, &other), "what did not come is asked to come first");
        let mut other = s.clone();
        other.due.pop();
        assert!(c.begin(4, &other), "what did not come is not asked for");
        other.due.pop();
        assert!(!c.begin(4, &other), "what came is not asked for");
        let mut other = s;
        other.steps.truncate(3);
        assert!(c.begin(3, &other) && !c.begin(4, &other), "nothing is said of the last step");
    }

    #[test]
    fn copies_that_others_come_from_stay_as_long_as_those() {
        let mut c = Checkpoints::new(3);
        let made = Arc::new(choices());
        assert_eq!(c.best(&script()), 0);
        assert_eq!(c.make_room(0), (0b1110, vec![]));
        c.add(0, &[(1, 101, 1), (2, 102, 2), (3, 103, 4)], &made);
        let mut other = script();
        other.steps.swap(1, 2);
        assert_eq!(c.best(&other), 1, "one step is common");
        assert_eq!(c.make_room(1), (0b1100, vec![103, 102]));
        assert_eq!(c.best(&Script::default()), 0);
        assert_eq!(c.drop_one(), Some(101));
    }
}
