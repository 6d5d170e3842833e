//! What had to come before what: conflicts, happens-before, races.
//!
//! Two nodes conflict when changing their order could change what either does. A run's *class* is the
//! partial order that its conflicts, its wake-ups and its processes' own order make; runs of one class
//! end alike. A node is named by its label and, through the hash of its predecessors, by its whole past:
//! two runs have a node in common exactly when that node did the same for the same reasons. This is the
//! unfolding of the model, known as far as it was run.

use super::trace::{Id, Kind, Op, Run};
use rustc_hash::FxHashMap;
use std::hash::Hasher;

/// Why two nodes conflict.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Why {
    /// Memory at this address: places of the earlier and the later access, and whether each writes.
    Memory { address: u64, first: (u64, bool), second: (u64, bool) },
    /// An event: waited for, notified, cancelled.
    Event(Id),
    /// Both make this process runnable, or one controls it.
    Process(Id),
    /// An update of this channel.
    Channel(Id),
    /// Both print, and the order of output matters.
    Output,
    /// One of them touched too much to follow.
    Everything,
}

/// Two conflicting nodes with nothing between them: the order could perhaps be the other one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Race {
    /// The node that came first.
    pub first: u32,
    /// The node that came second.
    pub second: u32,
    /// Why their order matters.
    pub why: Why,
}

/// A node as the search needs it.
#[derive(Clone, Debug)]
pub struct Place {
    /// Label: process and number of the step, or what became due because of whom.
    pub label: u128,
    /// Label and whole past.
    pub name: u128,
    /// Immediate predecessors.
    pub before: Vec<u32>,
    /// All earlier nodes it conflicts with, in runs with loose delays: without one of them, the others
    /// still count.
    pub conflicts: Vec<u32>,
    /// The node that made it due.
    pub cause: Option<u32>,
    /// Time from its cause: least and most.
    pub after: (u64, u64),
    /// The loose delay in that time: process and number.
    pub delay: Option<(Id, u32)>,
    /// Process and number of the step.
    pub step: Option<(Id, u32)>,
    /// Date in this run.
    pub time: u64,
    /// Phase in its instant.
    pub phase: i64,
}

/// The order of a run.
#[derive(Clone, Debug)]
pub struct Order {
    /// Nodes, in the order they ran.
    pub places: Vec<Place>,
    /// Races, by the second node.
    pub races: Vec<Race>,
    /// Processes that could have run in place of a node and never ran after it, or were held back by it.
    pub instead: Vec<(u32, Id)>,
    /// Process keys, for scripts.
    pub keys: Vec<smol_str::SmolStr>,
    /// Some delay of it is loose.
    pub loose: bool,
    /// Name of the whole class.
    pub class: u128,
}

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
        self.0[i as usize / 64] >> (i % 64) & 1 == 1
    }
    /// Adds all of the other.
    pub fn union(&mut self, other: &Set) {
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            *a |= b;
        }
    }
    /// Those in it, in order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.0.iter().enumerate().flat_map(|(w, &bits)| {
            (0..64).filter(move |b| bits >> b & 1 == 1).map(move |b| w as u32 * 64 + b)
        })
    }
}

// What a node does to an object, as bits. Memory: bytes read, and bytes written shifted by eight.
const WAITS: u32 = 1;
const DUE: u32 = 2;
const PENDS: u32 = 4;
const CANCELS: u32 = 8;
const WAKES: u32 = 1;
const TOO_LATE: u32 = 2;
const CONTROLS: u32 = 4;
const STEPS: u32 = 8;
const REQUESTS: u32 = 1;
const UPDATES: u32 = 2;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
enum Object {
    Memory(u64),
    Event(Id),
    Process(Id),
    Channel(Id),
    Output,
}

fn conflict(o: Object, a: u32, b: u32) -> bool {
    let both = |x: u32, y: u32| (a & x != 0 && b & y != 0) || (a & y != 0 && b & x != 0);
    match o {
        Object::Memory(_) => (a >> 8) & (b | b >> 8) & 0xff != 0 || (b >> 8) & (a | a >> 8) & 0xff != 0,
        Object::Event(_) => {
            both(WAITS, DUE) || both(PENDS, DUE) || both(CANCELS, DUE) || both(CANCELS, PENDS)
        }
        Object::Process(_) => {
            both(WAKES, WAKES) || both(WAKES, TOO_LATE) || both(CONTROLS, WAKES | TOO_LATE | CONTROLS | STEPS)
        }
        Object::Channel(_) => both(REQUESTS, UPDATES),
        Object::Output => true,
    }
}

struct Past {
    node: u32,
    does: u32,
    at: (u64, u64),
}

/// Two hashes of sixty-four bits with different beginnings.
pub fn hash(words: impl Iterator<Item = u64> + Clone) -> u128 {
    let one = |seed: u64| {
        let mut h = rustc_hash::FxHasher::default();
        h.write_u64(seed);
        for w in words.clone() {
            // The multiplication of `FxHasher` alone lets close words meet.
            h.write_u64(w ^ (w.rotate_left(29)).wrapping_mul(seed));
        }
        let x = h.finish();
        (x ^ x >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) ^ x >> 32
    };
    (one(0x9e37_79b9_7f4a_7c15) as u128) << 64 | one(0xd6e8_feb8_6659_fd93) as u128
}

fn text_words(s: &str) -> impl Iterator<Item = u64> + Clone + '_ {
    s.as_bytes().chunks(8).map(|c| {
        let mut b = [0; 8];
        b[..c.len()].copy_from_slice(c);
        u64::from_le_bytes(b)
    })
}

/// The label of a process's `n`-th step.
pub fn step_label(key: &str, n: u32) -> u128 {
    hash([0, n as u64].into_iter().chain(text_words(key)))
}

/// A pending notification.
#[derive(Clone, Copy)]
struct Pending {
    by: u32,
    op: u32,
    delta: bool,
    date: u64,
    after: u64,
}

/// Finds the order of a run. With `ordered_output`, nodes that print conflict.
pub fn order(run: &Run, ordered_output: bool) -> Order {
    let n = run.nodes.len();
    let mut places: Vec<Place> = Vec::with_capacity(n);
    let mut past: Vec<Set> = Vec::with_capacity(n);
    let mut history: FxHashMap<Object, Vec<Past>> = FxHashMap::default();
    let mut everything: Vec<u32> = Vec::new();
    let mut races = Vec::new();
    let mut instead: Vec<(u32, Id)> = Vec::new();
    let mut pending: FxHashMap<Id, Pending> = FxHashMap::default();
    let mut last_step: Vec<Option<u32>> = vec![None; run.processes.len()];
    let mut woken_by: Vec<Option<u32>> = vec![None; run.processes.len()];
    let mut requested: FxHashMap<Id, u32> = FxHashMap::default();
    let loose = run.nodes.iter().any(|n| n.delay.is_some_and(|d| d.least < d.most));
    let mut touched: Vec<(Object, u32, (u64, u64))> = Vec::new();
    for (j, node) in run.nodes.iter().enumerate() {
        let j = j as u32;
        touched.clear();
        let (mut cause, mut after, mut delay, mut step) = (None, (0, 0), None, None);
        let mut hard: Vec<u32> = Vec::new();
        let label = match node.kind {
            Kind::Step { process, n } => {
                cause = woken_by[process as usize].take();
                hard.extend(last_step[process as usize]);
                last_step[process as usize] = Some(j);
                step = Some((process, n));
                touched.push((Object::Process(process), STEPS, (0, 0)));
                step_label(&run.processes[process as usize].key, n)
            }
            Kind::Update { channel } => {
                cause = requested.remove(&channel);
                touched.push((Object::Channel(channel), UPDATES, (0, 0)));
                hash([1].into_iter().chain(text_words(&run.channels[channel as usize])))
            }
            Kind::Trigger { event, timed } => match run.events[event as usize].timeout_of {
                Some(p) => {
                    cause = last_step[p as usize];
                    if let (true, Some(c)) = (timed, cause) {
                        let from = &run.nodes[c as usize];
                        let fixed = node.time - from.time;
                        after = (fixed, fixed);
                        if let Some(d) = from.delay.filter(|d| d.chosen == fixed) {
                            after = (d.least, d.most);
                            delay = Some((p, d.number));
                        }
                    }
                    hash([2, u64::MAX].into_iter())
                }
                None => match pending.remove(&event) {
                    Some(p) => {
                        cause = Some(p.by);
                        if timed {
                            after = (p.after, p.after);
                        }
                        hash([2, p.op as u64].into_iter())
                    }
                    // Nobody we saw: a clock of the library's.
                    None => hash([3, node.time, event as u64].into_iter()),
                },
            },
        };
        hard.extend(cause);
        // Steps are named by their process; everything else by what caused it.
        let label = match (step, cause) {
            (None, Some(c)) => {
                let by = places[c as usize].label;
                hash([label as u64, (label >> 64) as u64, by as u64, (by >> 64) as u64].into_iter())
            }
            _ => label,
        };
        // What it does, object by object.
        for a in &node.accesses {
            touched.push((
                Object::Memory(a.address),
                a.read as u32 | (a.write as u32) << 8,
                (a.read_at, a.write_at),
            ));
        }
        for (k, &(op, at)) in node.ops.iter().enumerate() {
            let k = k as u32;
            match op {
                Op::Notify(e) => {
                    pending.remove(&e);
                    touched.push((Object::Event(e), DUE | CANCELS, (at, at)));
                }
                Op::NotifyDelta(e) => {
                    if !pending.get(&e).is_some_and(|p| p.delta) {
                        pending.insert(e, Pending { by: j, op: k, delta: true, date: node.time, after: 0 });
                    }
                    touched.push((Object::Event(e), PENDS, (at, at)));
                }
                Op::NotifyTimed(e, d) => {
                    let date = node.time + d;
                    if !pending.get(&e).is_some_and(|p| p.delta || p.date <= date) {
                        pending.insert(e, Pending { by: j, op: k, delta: false, date, after: d });
                    }
                    touched.push((Object::Event(e), PENDS, (at, at)));
                }
                Op::Cancel(e) => {
                    pending.remove(&e);
                    touched.push((Object::Event(e), CANCELS, (at, at)));
                }
                Op::Control(p, runnable) => {
                    touched.push((Object::Process(p), CONTROLS, (at, at)));
                    if runnable {
                        instead.push((j, p));
                    }
                }
            }
        }
        for fired in &node.fired {
            touched.push((Object::Event(fired.event), DUE, (0, 0)));
            for &p in &fired.woken {
                woken_by[p as usize] = Some(j);
                touched.push((Object::Process(p), WAKES, (0, 0)));
            }
            // Whoever waited for it and is awake already, or still waits for more.
            for (p, last) in last_step.iter().enumerate() {
                let Some(last) = last else { continue };
                let wait = &run.nodes[*last as usize].wait;
                if *last != j && !fired.woken.contains(&(p as Id)) && wait.events.contains(&fired.event) {
                    let does = if wait.all && woken_by[p].is_none() { WAKES } else { TOO_LATE };
                    touched.push((Object::Process(p as Id), does, (0, 0)));
                }
            }
        }
        for &p in &node.woke {
            woken_by[p as usize] = Some(j);
            touched.push((Object::Process(p), WAKES, (0, 0)));
        }
        for &c in &node.requests {
            requested.entry(c).or_insert_with(|| {
                touched.push((Object::Channel(c), REQUESTS, (0, 0)));
                j
            });
        }
        for &e in &node.wait.events {
            touched.push((Object::Event(e), WAITS, (node.wait.site, node.wait.site)));
        }
        if ordered_output && node.output.0 < node.output.1 {
            touched.push((Object::Output, 1, (0, 0)));
        }
        // Whom it conflicts with.
        let mut soft: Vec<(u32, Why)> = everything.iter().map(|&i| (i, Why::Everything)).collect();
        if node.everything {
            soft.extend((0..j).map(|i| (i, Why::Everything)));
            everything.push(j);
        }
        touched.sort_unstable_by_key(|t| t.0);
        for &(object, does, at) in &touched {
            let list = history.entry(object).or_default();
            for p in list.iter().rev().filter(|p| p.node != j && conflict(object, p.does, does)) {
                let why = match object {
                    Object::Memory(address) => {
                        let first_writes = (p.does >> 8) & (does | does >> 8) & 0xff != 0;
                        let second_writes = (does >> 8) & (p.does | p.does >> 8) & 0xff != 0;
                        Why::Memory {
                            address,
                            first: (if first_writes { p.at.1 } else { p.at.0 }, first_writes),
                            second: (if second_writes { at.1 } else { at.0 }, second_writes),
                        }
                    }
                    Object::Event(e) => Why::Event(e),
                    Object::Process(p) => Why::Process(p),
                    Object::Channel(c) => Why::Channel(c),
                    Object::Output => Why::Output,
                };
                soft.push((p.node, why));
            }
            // A write of everything touched so far stands for all that came before it.
            if let (Object::Memory(_), false) = (object, loose)
                && list.iter().all(|p| ((p.does | p.does >> 8) & 0xff) & !(does >> 8) == 0)
            {
                list.clear();
            }
            list.push(Past { node: j, does, at });
        }
        let mut conflicts: Vec<u32> = if loose { soft.iter().map(|s| s.0).collect() } else { Vec::new() };
        conflicts.sort_unstable();
        conflicts.dedup();
        // Immediate predecessors: those not before another one.
        let mut all: Vec<(u32, Option<Why>)> = hard.iter().map(|&i| (i, None)).collect();
        all.extend(soft.iter().map(|&(i, w)| (i, Some(w))));
        all.sort_by_key(|&(i, w)| (std::cmp::Reverse(i), w.is_some(), w));
        all.dedup_by_key(|x| x.0);
        let mut mine = Set::new(n);
        let mut before = Vec::new();
        for (i, why) in all {
            if mine.has(i) {
                continue;
            }
            before.push(i);
            mine.union(&past[i as usize]);
            mine.add(i);
            if let Some(why) = why {
                races.push(Race { first: i, second: j, why });
            }
        }
        past.push(mine);
        let mut names: Vec<u128> = before.iter().map(|&i| places[i as usize].name).collect();
        names.sort_unstable();
        let name = hash(
            [label as u64, (label >> 64) as u64]
                .into_iter()
                .chain(names.iter().flat_map(|&x| [x as u64, (x >> 64) as u64])),
        );
        let (time, phase) = (node.time, node.phase);
        places.push(Place { label, name, before, conflicts, cause, after, delay, step, time, phase });
    }
    // A run that broke off: whoever was runnable and never ran might have changed that.
    if !matches!(run.end, super::trace::End::Exit(0))
        && let Some(last) = places.iter().rposition(|p| p.step.is_some())
    {
        let own = places[last].step.map(|s| s.0);
        instead.extend(run.nodes[last].runnable.iter().filter(|&&p| Some(p) != own).map(|&p| (last as u32, p)));
    }
    let mut names: Vec<u128> = places.iter().map(|p| p.name).collect();
    names.sort_unstable();
    let class = hash(names.iter().flat_map(|&x| [x as u64, (x >> 64) as u64]));
    let keys = run.processes.iter().map(|p| p.key.clone()).collect();
    Order { places, races, instead, keys, loose, class }
}
