//! The search: every class of runs once.
//!
//! From each run, each race that could go the other way makes a *wish*: the nodes that do not need the
//! first of the two, then the second. A wish that some known run fulfils is done; any other is run, and
//! since no known run fulfils it, the run it gives is of a new class. Runs are therefore as many as
//! classes, and the classes form one piece: at any fixed delays, classes are joined by reversing one race
//! at a time, and delays move from one class's to another's through common dates.
//!
//! Sleep sets, the usual way to the same number, do not fit loose delays: a branch may be cut because its
//! dates are impossible together with another choice, and what the cut branch would have shown then
//! sleeps for ever.

use super::dates::{Dates, Impossible, may_precede};
use super::order::{Order, step_label};
use super::server::Script;
use super::set::Set;
use super::shared;
use super::trace::Id;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use smol_str::SmolStr;
use std::collections::VecDeque;
use std::sync::Arc;

/// A run somebody wants.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Wish {
    /// The run it comes from.
    base: u32,
    kind: WishKind,
    /// How many choices away from the first run.
    depth: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
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
    /// By number of a node: direct predecessors, and the runs it is in.
    before: Vec<Vec<u32>>,
    runs_of: Vec<Vec<u32>>,
    labelled: FxHashMap<u128, Vec<u32>>,
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
    /// Runs so far.
    pub runs: u32,
    /// Runs whose class was known.
    pub again: u32,
    /// Runs that did not do what was wished.
    pub strayed: u32,
    /// What was wished of them, as long as no other run does it.
    astray: Vec<Asked>,
    /// Wishes that no choice of delays fulfils.
    pub impossible: u64,
    /// Wishes not followed because they are too far from the first run.
    pub too_far: u64,
    furthest: u32,
    shared: bool,
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
        Search::default()
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
            match self.plan(&wish, &order) {
                None => {
                    self.impossible += 1;
                    self.wish_for_more(&wish, &order);
                }
                Some(plan) if self.fulfilled(&plan.asked) => {}
                Some(plan) => {
                    self.flying.push(wish);
                    return Some(Next::Run(plan));
                }
            }
            self.done(&wish);
        }
    }

    /// A wish needs its base no more.
    fn done(&mut self, wish: &Wish) {
        if let Some(b) = self.bases.get_mut(&wish.base) {
            b.wishes -= 1;
            if b.wishes == 0 {
                self.bases.remove(&wish.base);
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
                self.wishes.push_back(Wish { kind, ..*wish });
                if let Some(b) = self.bases.get_mut(&wish.base) {
                    b.wishes += 1;
                }
            }
        }
    }

    /// Takes in a run.
    pub fn learn(&mut self, order: &Arc<Order>, plan: &Plan) -> Told {
        let run = self.runs;
        self.runs += 1;
        let new = self.classes.insert(order.class);
        if new {
            let mut mine: Vec<u32> = Vec::with_capacity(order.places.len());
            for p in &order.places {
                let next = self.before.len() as u32;
                let number = *self.numbers.entry(p.name).or_insert(next);
                if number == next {
                    self.before.push(p.before.iter().map(|&b| mine[b as usize]).collect());
                    self.runs_of.push(Vec::new());
                    self.labelled.entry(p.label).or_default().push(number);
                }
                self.runs_of[number as usize].push(run);
                mine.push(number);
            }
        } else {
            self.again += 1;
        }
        self.flying.retain(|w| *w != plan.wish);
        self.done(&plan.wish);
        let kept = self.fulfilled(&plan.asked);
        if !kept {
            self.strayed += 1;
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
            if depth > self.furthest {
                self.too_far += wishes.len() as u64;
                wishes.clear();
            }
            if !wishes.is_empty() {
                let base = Base {
                    script: plan.script.clone(),
                    class: order.class,
                    order: Some(Arc::new(order.slim())),
                    wishes: wishes.len() as u32,
                };
                self.bases.insert(run, base);
                self.keep(run, order.places.len());
            }
            self.wishes.extend(wishes.into_iter().map(|(_, kind)| Wish { base: run, kind, depth }));
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

    /// What a wish asks for, if some dates allow it.
    fn plan(&self, wish: &Wish, order: &Order) -> Option<Plan> {
        match wish.kind {
            WishKind::First => None,
            WishKind::Instead { of, process } => {
                let set = without(order, of, of);
                let n = set.iter().filter(|&i| order.places[i as usize].step.is_some_and(|s| s.0 == process)).count();
                let mut plan = script(order, &set, wish);
                let key = order.keys[process as usize].clone();
                plan.asked.last = Some(step_label(&key, n as u32 + 1));
                plan.script.steps.push((key, n as u32 + 1));
                Some(plan)
            }
            WishKind::Reverse { first, second } => {
                let mut set = without(order, first, second);
                if !order.loose {
                    let mut plan = script(order, &set, wish);
                    push_step(order, &mut plan, second);
                    return Some(plan);
                }
                let past = past(order, second, first);
                // Whoever is due meanwhile should stay behind what it conflicted with; that is a wish of
                // its own, and given up when it cannot be had.
                let (mut polite, mut minimal) = (true, false);
                loop {
                    let mut dates = Dates::new(order, &set);
                    dates.node(order, second);
                    for c in order.places[second as usize].conflicts.iter().filter(|&c| set.has(c)) {
                        dates.keep(order, c, second);
                    }
                    dates.node(order, first);
                    dates.before(order, second, first);
                    if polite {
                        for (x, p) in order.places.iter().enumerate() {
                            let x = x as u32;
                            let due = p.cause.is_some_and(|c| set.has(c) || c == second);
                            if !due || set.has(x) || x == second {
                                continue;
                            }
                            if x != first {
                                dates.node(order, x);
                            }
                            for c in p.conflicts.iter().filter(|&c| set.has(c) || c == second) {
                                dates.keep(order, c, x);
                            }
                        }
                    }
                    if self.shared {
                        match shared::solve(order, &dates) {
                            Some(found) => {
                                let date = |i: u32| found.dates.get(&i).copied().unwrap_or(i64::MAX);
                                let mut plan = timed(order, &set, &date, second, wish);
                                plan.script.scales = found.scales;
                                return Some(plan);
                            }
                            None if polite => polite = false,
                            // A linear program does not say what was in the way: all that is not needed goes.
                            None if !minimal => {
                                minimal = true;
                                let needed: Vec<u32> = set.iter().filter(|&i| past.has(i)).collect();
                                set = Set::new(order.places.len());
                                needed.into_iter().for_each(|i| set.add(i));
                            }
                            None => return None,
                        }
                        continue;
                    }
                    match dates.solve() {
                        Ok(()) => {
                            let mut plan = timed(order, &set, &|i| dates.date(i), second, wish);
                            plan.script.delays = delays(order, &set, &dates, first, second);
                            return Some(plan);
                        }
                        Err(_) if polite => polite = false,
                        Err(Impossible(nodes)) => {
                            // Orders that the second node does not need may be what is in the way.
                            let mut smaller = false;
                            for x in nodes {
                                if x != second && set.has(x) && !past.has(x) {
                                    smaller = true;
                                    for y in above(order, x).iter() {
                                        set.remove(y);
                                    }
                                }
                            }
                            if !smaller {
                                return None;
                            }
                        }
                    }
                }
            }
        }
    }

    /// Begins with the run that the kernel alone would make, and goes at most so many reversed races away
    /// from it.
    /// With `shared`, all delays of one wait of the program are one choice.
    /// Orders of at most `room` nodes in all are kept.
    pub fn begin(&mut self, furthest: u32, shared: bool, room: usize) {
        self.go_on(furthest, shared, room);
        self.wishes.push_back(Wish { base: u32::MAX, kind: WishKind::First, depth: 0 });
    }

    /// Goes on with what was read from a file.
    pub fn go_on(&mut self, furthest: u32, shared: bool, room: usize) {
        (self.furthest, self.shared, self.room) = (furthest, shared, room);
    }
}

/// Does a node need another to come about: as its cause, or as an earlier step of its process?
fn needs(order: &Order, of: u32, other: u32) -> bool {
    let (p, b) = (&order.places[of as usize], &order.places[other as usize]);
    p.cause == Some(other) || (p.step.is_some() && p.step.map(|s| s.0) == b.step.map(|s| s.0))
}

/// Could the two come in the other order at all? Without loose delays only steps of one phase can, and
/// timed things due at one date.
fn possible(order: &Order, first: u32, second: u32) -> bool {
    let (a, b) = (&order.places[first as usize], &order.places[second as usize]);
    let free = (a.step.is_some() && b.step.is_some()) || (a.timed.is_some() && b.timed.is_some());
    if order.loose { may_precede(order, second, first) } else { free && a.time == b.time && a.phase == b.phase }
}

/// All nodes that are not after `first` and that may come before `second`: those that did, and those
/// of its own phase. (A wish without the latter may be fulfilled by a run in which they come otherwise,
/// and then nothing asks for the runs in which they come like this.)
fn without(order: &Order, first: u32, second: u32) -> Set {
    let up = above(order, first);
    let b = &order.places[second as usize];
    let mut set = Set::new(order.places.len());
    for (i, p) in order.places.iter().enumerate() {
        let free = (p.step.is_some() && b.step.is_some()) || (p.timed.is_some() && b.timed.is_some());
        let with = free && p.time == b.time && p.phase == b.phase;
        if (i < second as usize || with) && !up.has(i as u32) {
            set.add(i as u32);
        }
    }
    set
}

/// A node and all that come after it because of it.
fn above(order: &Order, from: u32) -> Set {
    let mut up = Set::new(order.places.len());
    up.add(from);
    for i in from + 1..order.places.len() as u32 {
        if order.places[i as usize].before.iter().any(|&b| up.has(b)) {
            up.add(i);
        }
    }
    up
}

/// The past of a node, not counting what it has only through `but`.
fn past(order: &Order, of: u32, but: u32) -> Set {
    let mut set = Set::new(order.places.len());
    let mut todo = vec![of];
    while let Some(i) = todo.pop() {
        for &b in order.places[i as usize].before.iter().filter(|&&b| !(i == of && b == but)) {
            if !set.has(b) {
                set.add(b);
                todo.push(b);
            }
        }
    }
    // What the first needed the second may have needed, too: its wake-up does not come from nowhere.
    let mut todo = order.places[but as usize].before.to_vec();
    while let Some(b) = todo.pop() {
        if !set.has(b) {
            set.add(b);
            todo.extend(&order.places[b as usize].before);
        }
    }
    set
}

fn script(order: &Order, set: &Set, wish: &Wish) -> Plan {
    let mut plan = Plan { script: Script::default(), asked: Asked::default(), wish: *wish };
    for i in set.iter() {
        let p = &order.places[i as usize];
        plan.asked.names.push(p.name);
        put_in(order, &mut plan.script, i);
    }
    plan
}

/// Asks for a node: a step, or something timed before others of its date.
fn put_in(order: &Order, script: &mut Script, i: u32) {
    let p = &order.places[i as usize];
    if let Some((process, n)) = p.step {
        script.steps.push((order.keys[process as usize].clone(), n));
    }
    if let (Some(op), Some((process, n))) = (p.timed, p.cause.and_then(|c| order.places[c as usize].step)) {
        script.due.push((order.keys[process as usize].clone(), n, op));
    }
}

fn push_step(order: &Order, plan: &mut Plan, i: u32) {
    let p = &order.places[i as usize];
    put_in(order, &mut plan.script, i);
    plan.asked.last = Some(p.label);
}

/// The plan for dates that were found: steps by date, and in one date as they were.
fn timed(order: &Order, set: &Set, date: &dyn Fn(u32) -> i64, second: u32, wish: &Wish) -> Plan {
    let mut plan = script(order, set, wish);
    push_step(order, &mut plan, second);
    let mut steps: Vec<u32> = set.iter().filter(|&i| order.places[i as usize].step.is_some()).collect();
    if order.places[second as usize].step.is_some() {
        steps.push(second);
    }
    steps.sort_by_key(|&i| (date(i), order.places[i as usize].phase));
    plan.script.steps = steps
        .iter()
        .filter_map(|&i| order.places[i as usize].step)
        .map(|(process, n)| (order.keys[process as usize].clone(), n))
        .collect();
    plan
}

/// The delays for dates that were found.
fn delays(order: &Order, set: &Set, dates: &Dates, first: u32, second: u32) -> Vec<(SmolStr, u32, u64)> {
    let mut used = Set::new(order.places.len());
    for i in set.iter().chain([second]) {
        let p = &order.places[i as usize];
        p.before.iter().chain(&p.cause).for_each(|&b| used.add(b));
    }
    let mut out = Vec::new();
    for (i, p) in order.places.iter().enumerate() {
        let i = i as u32;
        let (Some((process, number)), Some(cause)) = (p.delay, p.cause) else { continue };
        let value = if (set.has(i) && used.has(i)) || i == second {
            dates.date(i) - dates.date(cause)
        } else if i == first || set.has(cause) || cause == second {
            // Whatever is not asked for should not come in the way.
            p.after.1 as i64
        } else {
            continue;
        };
        out.push((order.keys[process as usize].clone(), number, value as u64));
    }
    out
}
