//! The search: every class of runs once.
//!
//! From each run, each race that could go the other way makes a *wish*: the nodes that do not need the
//! first of the two, then the second. A wish that some known run fulfils is done; any other is run, and
//! since no known run fulfils it, the run it gives is of a new class. Runs are therefore as many as
//! classes, and the classes form one piece: at any fixed delays, classes are joined by reversing one race
//! at a time, and delays move from one class's to another's through common dates. With loose delays a wish has also what
//! came later and what other delays bring before the second; and where no delays allow a whole wish, there is one for each
//! way to leave out something of what is in the way.
//!
//! Sleep sets, the usual way to the same number, do not fit loose delays: a branch may be cut because its
//! dates are impossible together with another choice, and what the cut branch would have shown then
//! sleeps for ever.

use super::order::{Order, Place};
use super::server::Script;
use super::trace::Id;
use plan::{Planned, above, needs, possible};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::sync::Arc;

mod merge;
mod plan;
mod stray;

pub use merge::{Reached, hidden, reached};

/// A run somebody wants.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
struct Wish {
    /// The run it comes from.
    base: u32,
    kind: WishKind,
    /// How many choices away from the first run.
    depth: u32,
    /// What is left out of it: a number of `parts`.
    part: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
enum WishKind {
    First,
    Reverse { first: u32, second: u32 },
    Instead { of: u32, process: Id },
}

/// A run that wishes come from.
#[derive(Serialize, Deserialize)]
struct Base {
    script: Script,
    class: u128,
    /// Its order, unless it was dropped for its size: it can be had again by running the script.
    #[serde(skip)]
    order: Option<Arc<Order>>,
    /// Wishes of it that are not done with.
    wishes: u32,
    /// Those of them that are left out because of a state seen before, and may be needed all the same.
    out: u32,
}

/// What to do next.
pub enum Next {
    /// A run that nobody made yet.
    Run(Plan),
    /// A run of which the order was dropped, to be given to [`Search::restore`].
    Again(u32, Script),
}

/// A wish made precise: what to run, and what the run must contain.
#[derive(Clone, Debug)]
pub struct Plan {
    /// For the shim.
    pub script: Script,
    asked: Asked,
    wish: Wish,
}

/// What a run must contain.
#[derive(Clone, Default, Debug, Serialize, Deserialize)]
struct Asked {
    /// Names of nodes that must be in it.
    names: Vec<u128>,
    /// Label of the node that must come with only those before it.
    last: Option<u128>,
}

/// What the search knows.
#[derive(Default, Serialize, Deserialize)]
pub struct Search {
    numbers: FxHashMap<u128, u32>,
    /// By number of a node: direct predecessors, and the runs it is in. At fixed delays, instead of runs, ways that a phase
    /// went: those after it do not matter, and those before it are one node.
    before: Vec<Vec<u32>>,
    runs_of: Vec<Vec<u32>>,
    labelled: FxHashMap<u128, Vec<u32>>,
    /// Runs, or ways of phases, so far.
    noted: u32,
    /// Ways that phases went, with all before.
    ways: FxHashSet<u128>,
    classes: FxHashSet<u128>,
    wishes: VecDeque<Wish>,
    /// Wishes that are being run.
    flying: Vec<Wish>,
    bases: FxHashMap<u32, Base>,
    /// Bases whose order is kept, oldest first, and how many nodes that is.
    #[serde(skip)]
    kept: VecDeque<(u32, usize)>,
    #[serde(skip)]
    kept_nodes: usize,
    /// Most nodes to keep.
    #[serde(skip)]
    room: usize,
    /// Runs made again for their order.
    pub replayed: u64,
    /// Runs that went otherwise when made again: something outside the model decides.
    pub unstable: u64,
    /// Wishes made when a smaller one was impossible.
    more: FxHashSet<(u128, u32, u32)>,
    /// What is left out of wishes, of which the first is nothing; and which of these there are for a reversal.
    parts: Vec<Vec<u32>>,
    split: FxHashMap<(u32, u32, u32), FxHashSet<Vec<u32>>>,
    /// Runs so far.
    pub runs: u32,
    /// Runs whose class was known.
    pub again: u32,
    /// Runs that did not do what was wished.
    pub strayed: u32,
    /// What was wished of them, as long as no other run does it.
    astray: Vec<Asked>,
    /// What was learned about wishes that strayed and are tried again.
    lessons: FxHashMap<Wish, stray::Lesson>,
    /// Wishes given up, or made smaller, of which it is not known that no delays fulfil them.
    pub unsure: u64,
    /// Wishes that no choice of delays fulfils.
    pub impossible: u64,
    /// Wishes not followed because they are too far from the first run.
    pub too_far: u64,
    furthest: u32,
    shared: bool,
    /// Some run broke off before its end.
    broken: bool,
    /// States seen.
    merge: merge::Merge,
}

/// What a new run told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Told {
    /// Its class was not known.
    pub new: bool,
    /// It did what was wished.
    pub kept: bool,
}

impl Search {
    /// A search that has seen nothing.
    pub fn new() -> Search {
        Search { parts: vec![vec![]], ..Search::default() }
    }

    /// Wishes not yet looked at.
    pub fn left(&self) -> usize {
        self.wishes.len()
    }

    /// Classes seen.
    pub fn classes(&self) -> usize {
        self.classes.len()
    }

    /// The next run to make. Wishes that are fulfilled or impossible are passed over.
    ///
    /// Workers take from different ends, so that they seldom run one class twice: the first the newest,
    /// the others the oldest.
    pub fn next(&mut self, newest: bool) -> Option<Next> {
        loop {
            let wish = if newest { self.wishes.pop_back() } else { self.wishes.pop_front() }?;
            if let WishKind::First = wish.kind {
                self.flying.push(wish);
                return Some(Next::Run(Plan { script: Script::default(), asked: Asked::default(), wish }));
            }
            let Some(base) = self.bases.get(&wish.base) else { continue };
            let Some(order) = base.order.clone() else {
                let script = base.script.clone();
                if newest {
                    self.wishes.push_back(wish)
                } else {
                    self.wishes.push_front(wish)
                }
                return Some(Next::Again(wish.base, script));
            };
            let plan = if order.loose {
                self.plan(&wish, &order)
            } else {
                match plan::fixed(&order, &wish) {
                    // Most wishes end here: the script is as long as the run.
                    Some(f) if self.fulfilled(&f.asked) => {
                        self.done(&wish);
                        continue;
                    }
                    f => f.map_or(Planned::Never, |f| Planned::Run(f.plan(&order, &wish))),
                }
            };
            if !matches!(plan, Planned::Run(_)) {
                self.wish_for_more(&wish, &order);
                self.astray.extend(self.lessons.get(&wish).and_then(|l| l.hides()).cloned());
            }
            match plan {
                Planned::Never => self.impossible += 1,
                Planned::Split => {}
                Planned::Run(plan) if self.fulfilled(&plan.asked) => {}
                Planned::Run(plan) => {
                    self.flying.push(wish);
                    return Some(Next::Run(plan));
                }
            }
            self.done(&wish);
        }
    }

    /// A wish needs its base no more.
    fn done(&mut self, wish: &Wish) {
        self.lessons.remove(wish);
        if let Some(b) = self.bases.get_mut(&wish.base) {
            b.wishes -= 1;
            if b.wishes == 0 {
                self.bases.remove(&wish.base);
            } else if b.wishes == b.out {
                b.order = None;
            }
        }
    }

    /// Puts what is being run among the wishes left, for as long as `f` looks at it.
    pub fn at_rest<T>(&mut self, f: impl FnOnce(&mut Search) -> T) -> T {
        let (flying, n) = (std::mem::take(&mut self.flying), self.wishes.len());
        self.wishes.extend(&flying);
        let result = f(self);
        self.wishes.truncate(n);
        self.flying = flying;
        result
    }

    /// Takes back a plan that was not run.
    pub fn give_back(&mut self, plan: &Plan) {
        self.flying.retain(|w| *w != plan.wish);
        self.wishes.push_back(plan.wish);
    }

    /// Takes back the order of a run that was made again.
    pub fn restore(&mut self, base: u32, order: Arc<Order>) {
        self.replayed += 1;
        let Some(b) = self.bases.get_mut(&base) else { return };
        if b.class != order.class {
            // It cannot be had again, nor can what was wished from it.
            self.unstable += 1;
            self.too_far += b.wishes as u64;
            self.bases.remove(&base);
            return;
        }
        if b.order.is_none() {
            b.order = Some(order.clone());
            self.keep(base, order.places.len());
        }
    }

    /// From now on keeps orders of at most so many nodes in all.
    pub fn leave_room(&mut self, room: usize) {
        self.room = room;
    }

    /// Notes that an order is kept, and drops the oldest ones if that is too much.
    fn keep(&mut self, base: u32, nodes: usize) {
        self.kept.push_back((base, nodes));
        self.kept_nodes += nodes;
        while self.kept_nodes > self.room && self.kept.len() > 1 {
            let Some((old, n)) = self.kept.pop_front() else { break };
            self.kept_nodes -= n;
            if let Some(b) = self.bases.get_mut(&old) {
                b.order = None;
            }
        }
    }

    /// A reversal that no dates allow may be possible together with others: what `second` conflicts with
    /// and `first` follows has to come after it, too, at one stroke.
    fn wish_for_more(&mut self, wish: &Wish, order: &Arc<Order>) {
        let WishKind::Reverse { first, second } = wish.kind else { return };
        let place = &order.places[second as usize];
        for c in place.conflicts.iter().filter(|&c| c < first) {
            let up = above(order, c);
            let own = (0..second).any(|i| up.has(i) && needs(order, second, i));
            if up.has(first) && !own && possible(order, c, second) && self.more.insert((order.class, c, second)) {
                let kind = WishKind::Reverse { first: c, second };
                self.wishes.push_back(Wish { kind, part: 0, ..*wish });
                if let Some(b) = self.bases.get_mut(&wish.base) {
                    b.wishes += 1;
                }
            }
        }
    }

    /// Takes in a run, and the states it came to.
    pub fn learn(&mut self, order: &Arc<Order>, plan: &Plan, reached: &[Reached]) -> Told {
        let run = self.runs;
        self.runs += 1;
        self.broken |= order.broken;
        let new = self.classes.insert(order.class);
        if new && order.loose {
            self.note(&order.places, 0, None);
        }
        if new {
            for p in order.phases.iter().filter(|p| p.choice) {
                // A phase that was seen to end like this has nothing new.
                if self.ways.insert(p.with) {
                    let (from, to) = p.places;
                    self.note(&order.places[from as usize..to as usize], from, Some(p.before));
                }
            }
        } else {
            self.again += 1;
        }
        self.flying.retain(|w| *w != plan.wish);
        let kept = self.fulfilled(&plan.asked);
        let again = !kept && self.learn_from(order, plan);
        if again {
            self.wishes.push_back(plan.wish);
        } else {
            self.done(&plan.wish);
        }
        if !kept {
            self.strayed += 1;
        }
        if !kept && !again {
            self.astray.push(plan.asked.clone());
        }
        if new {
            let depth = plan.wish.depth + 1;
            // Wishes about late nodes are looked at first: they share most with what was just run.
            let mut wishes: Vec<(u32, WishKind)> = order
                .races
                .iter()
                .filter(|r| possible(order, r.first, r.second))
                .map(|r| (r.first, WishKind::Reverse { first: r.first, second: r.second }))
                .chain(order.instead.iter().map(|&(of, process)| (of, WishKind::Instead { of, process })))
                .collect();
            wishes.sort_by_key(|w| w.0);
            let mut wishes: Vec<Wish> =
                wishes.into_iter().map(|(_, kind)| Wish { base: run, kind, depth, part: 0 }).collect();
            if depth > self.furthest {
                self.too_far += wishes.len() as u64;
                wishes.clear();
            }
            let all = wishes.len() as u32;
            if let Some(like) = self.take_states(order, reached) {
                self.leave_out(order, like, &mut wishes);
            }
            let out = all - wishes.len() as u32;
            if all > 0 {
                let base = Base {
                    script: plan.script.clone(),
                    class: order.class,
                    order: Some(Arc::new(order.slim())),
                    wishes: all,
                    out,
                };
                self.bases.insert(run, base);
                self.keep(run, order.places.len());
            }
            self.wishes.extend(wishes);
        }
        Told { new, kept }
    }

    /// Wishes that a run did not fulfil, nor any other.
    pub fn astray(&mut self) -> usize {
        let mut astray = std::mem::take(&mut self.astray);
        astray.retain(|asked| !self.fulfilled(asked));
        self.astray = astray;
        self.astray.len()
    }

    /// Notes nodes that are in one run together: of a whole run, or of a phase, `from` its first, after what is named.
    fn note(&mut self, places: &[Place], from: u32, after: Option<u128>) {
        let way = self.noted;
        self.noted += 1;
        let after = after.map(|name| {
            let number = self.number(name, name).0;
            self.runs_of[number as usize].push(way);
            (number, name)
        });
        let mut mine: Vec<u32> = Vec::with_capacity(places.len());
        for p in places {
            let (number, first) = self.number(p.name, p.label ^ after.map_or(0, |a| a.1));
            if first {
                let before = p.before.iter().filter(|&&b| b >= from).map(|&b| mine[(b - from) as usize]);
                self.before[number as usize] = before.chain(after.map(|a| a.0)).collect();
            }
            self.runs_of[number as usize].push(way);
            mine.push(number);
        }
    }

    /// The number of a node, and whether it is new.
    fn number(&mut self, name: u128, label: u128) -> (u32, bool) {
        let next = self.before.len() as u32;
        let number = *self.numbers.entry(name).or_insert(next);
        if number == next {
            self.before.push(Vec::new());
            self.runs_of.push(Vec::new());
            self.labelled.entry(label).or_default().push(number);
        }
        (number, number == next)
    }

    /// Is there a run with all that is asked for?
    fn fulfilled(&self, asked: &Asked) -> bool {
        if asked.names.is_empty() && asked.last.is_none() {
            return self.runs > 0;
        }
        let mut numbers: Vec<u32> = Vec::with_capacity(asked.names.len());
        for n in &asked.names {
            let Some(&n) = self.numbers.get(n) else { return false };
            numbers.push(n);
        }
        let set: FxHashSet<u32> = numbers.iter().copied().collect();
        // Only those that no other has in its past say anything.
        let mut inner: FxHashSet<u32> = FxHashSet::default();
        for &n in &numbers {
            inner.extend(&self.before[n as usize]);
        }
        let mut lists: Vec<&Vec<u32>> =
            numbers.iter().filter(|n| !inner.contains(n)).map(|&n| &self.runs_of[n as usize]).collect();
        lists.sort_by_key(|l| l.len());
        let in_all = |lists: &[&Vec<u32>], also: Option<&Vec<u32>>| {
            let (short, rest) = match (also, lists) {
                (Some(l), rest) => (l, rest),
                (None, [l, rest @ ..]) => (*l, rest),
                (None, []) => return self.runs > 0,
            };
            short.iter().any(|r| rest.iter().all(|l| l.binary_search(r).is_ok()))
        };
        match asked.last {
            None => in_all(&lists, None),
            Some(label) => self.labelled.get(&label).is_some_and(|all| {
                all.iter().any(|&n| {
                    self.before[n as usize].iter().all(|b| set.contains(b))
                        && in_all(&lists, Some(&self.runs_of[n as usize]))
                })
            }),
        }
    }

    /// Begins with the run that the kernel alone would make, and goes at most so many reversed races away
    /// from it.
    /// With `shared`, all delays of one wait of the program are one choice.
    /// Orders of at most `room` nodes in all are kept.
    pub fn begin(&mut self, furthest: u32, shared: bool, room: usize) {
        self.go_on(furthest, shared, room);
        self.wishes.push_back(Wish { base: u32::MAX, kind: WishKind::First, depth: 0, part: 0 });
    }

    /// Goes on with what was read from a file.
    pub fn go_on(&mut self, furthest: u32, shared: bool, room: usize) {
        (self.furthest, self.shared, self.room) = (furthest, shared, room);
    }
}
