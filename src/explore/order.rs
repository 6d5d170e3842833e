//! What had to come before what: conflicts, happens-before, races.
//!
//! Two nodes conflict when changing their order could change what either does. A run's *class* is the
//! partial order that its conflicts, its wake-ups and its processes' own order make; runs of one class
//! end alike. A node is named by its label and, through the hash of its predecessors, by its whole past:
//! two runs have a node in common exactly when that node did the same for the same reasons. This is the
//! unfolding of the model, known as far as it was run.
//!
//! At fixed delays everything in an earlier phase comes before everything in a later one, whatever is chosen. There
//! a node's past is that of its phase, and one hash for all phases before; so a long run costs as much a step as
//! a short one. With loose delays nodes of different dates may change places, and the whole past counts.

use super::set::Set;
use super::trace::{Control, End, Id, Kind, Node, Op, Run, Wait};
use absent::{Mark, Overtaken};
use memory::Memory;
use name::{TIMEOUT, hash, text_words};
use object::{
    CANCELS, CONTROLS, DUE, GOES_ON, HALTS, Object, PENDS, Past, RELEASES, REQUESTS, STEPS, UPDATES, WAITS, WAKES,
    conflict, why,
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

mod absent;
mod front;
mod memory;
mod name;
mod object;

pub use front::{Front, Open, settled};
pub use name::step_label;

/// Why two nodes conflict.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Why {
    /// Memory at this address: places of the earlier and the later access, and whether each writes.
    Memory { address: u64, first: (u64, bool), second: (u64, bool) },
    /// An event: waited for, notified, cancelled.
    Event(Id),
    /// One controls this process.
    Process(Id),
    /// Both are things that one process waits for.
    Waiting,
    /// An update of this channel.
    Channel(Id),
    /// Both print, and the order of output matters.
    Output,
    /// The simulation stops before or after.
    End,
    /// The one compares the date with the other.
    Date,
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
    pub before: SmallVec<[u32; 4]>,
    /// All earlier nodes it conflicts with, in runs with loose delays: without one of them, the others
    /// still count.
    pub conflicts: Set,
    /// The node that made it due.
    pub cause: Option<u32>,
    /// Time from its cause: least and most.
    pub after: (u64, u64),
    /// The loose delay in that time: process and number.
    pub delay: Option<(Id, u32)>,
    /// That delay's wait in the program, and what it says there.
    pub site: Option<(u64, u64)>,
    /// Process and number of the step.
    pub step: Option<(Id, u32)>,
    /// For something timed that became due: the operation of its cause that made it; none for a time-out.
    pub timed: Option<Option<u32>>,
    /// For a time-out: its process, and how many steps that had begun.
    pub timeout_of: Option<(Id, u32)>,
    /// The event that becomes due.
    pub event: Option<Id>,
    /// Date in this run.
    pub time: u64,
    /// Phase in its instant.
    pub phase: i64,
    /// The node of the run. None: something that was due and was overtaken: a time-out of a process
    /// that an event woke, a notification that was cancelled. It did not happen, but it could have.
    pub node: Option<u32>,
}

impl Place {
    /// Something that becomes due, with all that is found out later left open.
    fn of_due(label: u128, cause: Option<u32>, after: (u64, u64), date: (u64, i64)) -> Place {
        Place {
            label,
            name: 0,
            before: SmallVec::new(),
            conflicts: Set::new(0),
            cause,
            after,
            delay: None,
            site: None,
            step: None,
            timed: None,
            timeout_of: None,
            event: None,
            time: date.0,
            phase: date.1,
            node: None,
        }
    }
}

/// Something timed, as scripts name it: the step that made it, by process and number, and its operation; for a time-out
/// the process that waits, how many steps that has begun, and none.
pub type Due = (smol_str::SmolStr, u32, Option<u32>);

impl Place {
    /// What scripts call it, if it is something timed that a step has made.
    pub fn due(&self, order: &Order) -> Option<Due> {
        let op = self.timed?;
        let step = if op.is_none() { self.timeout_of } else { order.places[self.cause? as usize].step };
        step.map(|(process, n)| (order.keys[process as usize].clone(), n, op))
    }
}

impl Place {
    /// The label of what is wished for when this is: for a step that was held back, that of the step.
    pub fn wanted(&self, order: &Order) -> u128 {
        match (self.node, self.step) {
            (None, Some((process, n))) => step_label(&order.keys[process as usize], n),
            _ => self.label,
        }
    }
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
    pub keys: std::sync::Arc<[smol_str::SmolStr]>,
    /// Some delay of it is loose.
    pub loose: bool,
    /// It broke off before its end.
    pub broken: bool,
    /// Name of the whole class.
    pub class: u128,
    /// Phases, at fixed delays.
    pub phases: Vec<Phase>,
    /// Steps that follow all before them, if they were asked for.
    pub fronts: Vec<Front>,
    /// All that each place follows, if that was asked for.
    pub past: Vec<Set>,
}

/// Places of one phase: nothing of it can come before what an earlier phase has, or after what a later one has.
#[derive(Clone, Copy, Debug)]
pub struct Phase {
    /// Its places: the first, and the one after the last.
    pub places: (u32, u32),
    /// Name of all that came before it.
    pub before: u128,
    /// Name of all that came before it and of itself.
    pub with: u128,
    /// There was something to choose in it. Whether there is follows from what came before.
    pub choice: bool,
}

impl Order {
    /// What wishes need of it: there may be very many.
    pub fn slim(&self) -> Order {
        let phases = self.phases.iter().filter(|p| p.choice).copied().collect();
        let mut places = self.places.clone();
        places.shrink_to_fit();
        let keys = self.keys.clone();
        Order { places, races: vec![], instead: vec![], fronts: vec![], past: vec![], keys, phases, ..*self }
    }

    /// The phase of a place, at fixed delays.
    pub fn phase(&self, place: u32) -> Option<&Phase> {
        let k = self.phases.partition_point(|p| p.places.1 <= place);
        self.phases.get(k).filter(|p| p.places.0 <= place)
    }
}

/// A pending notification.
#[derive(Clone, Copy)]
struct Pending {
    /// The place that made it, and the step if it is one.
    by: u32,
    step: Option<(Id, u32)>,
    op: u32,
    delta: bool,
    date: u64,
    after: u64,
}

/// Finds the order of a run. With `ordered_output`, nodes that print conflict. With `loose`, delays of other runs are
/// loose, if not of this one: nodes have one kind of names in all runs.
pub fn order(run: &Run, ordered_output: bool, loose: bool) -> Order {
    Orderer::new(run, ordered_output, loose).run()
}

/// The same, with the steps that follow all before them.
pub fn order_with_fronts(run: &Run, ordered_output: bool, loose: bool) -> Order {
    Orderer { asked_fronts: true, ..Orderer::new(run, ordered_output, loose) }.run()
}

struct Orderer<'a> {
    run: &'a Run,
    ordered_output: bool,
    loose: bool,
    /// The first place of this phase: the sets of `past` are about places from here on. With fixed delays only what is
    /// between two nodes of one phase matters, and that is of that phase, too.
    from: u32,
    phases: Vec<Phase>,
    /// Name of all before this phase, and whether there was something to choose in it.
    before: u128,
    choice: bool,
    places: Vec<Place>,
    past: Vec<Set>,
    /// Who touched an object, since the phase that began at a place.
    history: FxHashMap<Object, (u32, Vec<Past>)>,
    memory: Memory,
    /// Nothing else is in this phase: what its node accesses no other one meets.
    alone: bool,
    everything: Vec<u32>,
    races: Vec<Race>,
    instead: Vec<(u32, Id)>,
    pending: FxHashMap<Id, Pending>,
    /// Notifications that a pending one, due as early or earlier, made void.
    void: FxHashMap<Id, Vec<Pending>>,
    /// Place of a process's last step.
    last_step: Vec<Option<u32>>,
    /// What a process waits for, and the place since which it does: its last step, or that of somebody who reset it.
    waits: Vec<Option<&'a Wait>>,
    since: Vec<Option<u32>>,
    /// Somebody waits for all of several events.
    any_all: bool,
    woken_by: Vec<Option<u32>>,
    requested: FxHashMap<Id, u32>,
    /// Dates that steps compared with, by date, and how many of them are placed.
    marks: Vec<Mark>,
    marked: usize,
    /// Places of steps, in the order they ran.
    steps: Vec<u32>,
    asked_fronts: bool,
    fronts: Vec<Front>,
}

type Touched = (Object, u32);

impl<'a> Orderer<'a> {
    fn new(run: &'a Run, ordered_output: bool, loose: bool) -> Orderer<'a> {
        Orderer {
            run,
            ordered_output,
            loose: loose || run.nodes.iter().any(|n| n.delays.iter().any(|d| d.least < d.most)),
            from: 0,
            phases: Vec::new(),
            before: 0,
            choice: false,
            places: Vec::new(),
            past: Vec::new(),
            history: FxHashMap::default(),
            memory: Memory::default(),
            alone: false,
            everything: Vec::new(),
            races: Vec::new(),
            instead: Vec::new(),
            pending: FxHashMap::default(),
            void: FxHashMap::default(),
            last_step: vec![None; run.processes.len()],
            waits: vec![None; run.processes.len()],
            since: vec![None; run.processes.len()],
            any_all: run.nodes.iter().any(|n| n.wait.all || n.waits_too.iter().any(|w| w.1.all)),
            woken_by: vec![None; run.processes.len()],
            requested: FxHashMap::default(),
            marks: vec![],
            marked: 0,
            steps: vec![],
            asked_fronts: false,
            fronts: vec![],
        }
    }

    /// The node of a place that has one.
    fn node(&self, place: u32) -> &'a Node {
        let n = self.places[place as usize].node.expect("the place of a node");
        &self.run.nodes[n as usize]
    }

    fn run(mut self) -> Order {
        let mut last = None;
        self.find_marks();
        for n in 0..self.run.nodes.len() {
            self.mark(self.run.nodes[n].time);
            let node = &self.run.nodes[n];
            let with = |other: Option<&Node>| other.is_some_and(|o| (o.time, o.phase) == (node.time, node.phase));
            if !self.loose {
                let begins = !with(n.checked_sub(1).map(|n| &self.run.nodes[n]));
                if begins && n > 0 {
                    self.end_phase();
                }
                self.alone = begins && !with(self.run.nodes.get(n + 1));
            }
            self.choice |= node.runnable.len() > 1;
            if !self.run.nodes[n].runnable.is_empty() {
                last = Some(self.places.len() as u32);
            }
            self.take(n as u32);
        }
        self.mark(u64::MAX);
        self.finish(last)
    }

    /// What follows cannot come before what there is.
    fn end_phase(&mut self) {
        let (from, to) = (self.from, self.places.len() as u32);
        let places = &self.places[from as usize..];
        let mut names: Vec<u128> = places.iter().map(|p| p.name).collect();
        names.sort_unstable();
        let with = hash([self.before].iter().chain(&names).flat_map(|&x| [x as u64, (x >> 64) as u64]));
        // Of several timed things due at one date one comes first.
        let choice = self.choice || places.iter().filter(|p| p.timed.is_some()).count() > 1;
        self.phases.push(Phase { places: (from, to), before: self.before, with, choice });
        (self.from, self.before, self.choice) = (to, with, false);
        self.past.clear();
        self.everything.clear();
    }

    /// Takes in the next node.
    fn take(&mut self, n: u32) {
        let run = self.run;
        let node = &run.nodes[n as usize];
        let j = self.places.len() as u32;
        let mut touched: Vec<Touched> = Vec::new();
        let (mut cause, mut after, mut delay, mut step) = (None, (0, 0), None, None);
        let (mut timed_by, mut timeout_of) = (None, None);
        let mut hard: Vec<u32> = Vec::new();
        let mut overtaken: Vec<Overtaken> = Vec::new();
        if self.loose {
            let does = if matches!(node.kind, Kind::Halt { .. }) { HALTS } else { GOES_ON };
            touched.push((Object::End, does));
        }
        let label = match node.kind {
            Kind::Halt { asked } => {
                if asked {
                    cause = self
                        .places
                        .iter()
                        .rposition(|p| p.node.is_some_and(|n| run.nodes[n as usize].stop))
                        .map(|i| i as u32);
                }
                hash([4].into_iter())
            }
            Kind::Step { process, n } => {
                cause = self.woken_by[process as usize].take();
                hard.extend(self.last_step[process as usize]);
                self.last_step[process as usize] = Some(j);
                self.since[process as usize] = Some(j);
                self.steps.push(j);
                step = Some((process, n));
                for (k, m) in self.marks.iter().enumerate() {
                    if node.compares.iter().any(|&(s, k)| s == m.since && (k == m.after || k + 1 == m.after)) {
                        touched.push((Object::Date(k as u32), GOES_ON));
                    }
                }
                touched.push((Object::Process(process), STEPS));
                step_label(&run.processes[process as usize].key, n)
            }
            Kind::Update { channel } => {
                cause = self.requested.remove(&channel);
                touched.push((Object::Channel(channel), UPDATES));
                hash([1].into_iter().chain(text_words(&run.channels[channel as usize])))
            }
            Kind::Trigger { event, timed } => match run.events[event as usize].timeout_of {
                Some(p) => {
                    cause = self.since[p as usize];
                    if let (true, Some(c)) = (timed, cause) {
                        (after, delay) = self.timeout(p, c, node.time - self.node(c).time);
                        (timed_by, timeout_of) = (Some(None), Some((p, self.begun(p))));
                    }
                    // Whoever controls the process meets its time-out, whether that wakes it or not.
                    touched.push((Object::Process(p), WAKES));
                    self.timeout_label(p)
                }
                None => match self.pending.remove(&event) {
                    Some(p) => {
                        cause = Some(p.by);
                        if timed {
                            after = (p.after, p.after);
                            timed_by = Some(Some(p.op));
                        }
                        for v in self.void.remove(&event).unwrap_or_default() {
                            overtaken.extend(self.overtaken(event, v, j));
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
            (None, Some(c)) => self.caused(label, c),
            _ => label,
        };
        self.does(node, j, &mut touched, &mut overtaken);
        let mut soft = self.conflicts(&touched, j, node.everything, true);
        if !self.alone {
            self.memory.meet(run.accesses(node), j, (self.from, self.loose), &mut soft);
        }
        let event = match node.kind {
            Kind::Trigger { event, .. } => Some(event),
            _ => None,
        };
        let due = Place::of_due(label, cause, after, (node.time, node.phase));
        self.place(Place { delay, step, timed: timed_by, timeout_of, event, node: Some(n), ..due }, &hard, soft);
        let placed = self.places.len();
        for o in overtaken {
            self.overtake(o);
        }
        if self.asked_fronts && self.loose {
            self.front(placed as u32 - 1);
        }
    }

    /// Of notifications for one date the least one stands for all, so that it is the same in all runs.
    fn maker(&self, p: &Pending) -> (Option<(&'a str, u32)>, u32) {
        (p.step.map(|s| (self.run.processes[s.0 as usize].key.as_str(), s.1)), p.op)
    }

    /// Time from a process's step to its time-out: bounds, and the loose delay in it.
    fn timeout(&self, p: Id, step: u32, fixed: u64) -> ((u64, u64), Option<(Id, u32)>) {
        // Of several of one process (it was reset twice) the last one counts.
        match self.node(step).delays.iter().rev().find(|d| d.process == p).filter(|d| d.chosen == fixed) {
            Some(d) => ((d.least, d.most), Some((p, d.number))),
            None => ((fixed, fixed), None),
        }
    }

    /// How many steps of a process have begun.
    fn begun(&self, p: Id) -> u32 {
        self.last_step[p as usize].and_then(|l| self.places[l as usize].step).map_or(0, |s| s.1)
    }

    /// The label of a process's time-out, but for its cause.
    fn timeout_label(&self, p: Id) -> u128 {
        let own = self.since[p as usize] == self.last_step[p as usize];
        let key = if own { "" } else { self.run.processes[p as usize].key.as_str() };
        hash(TIMEOUT.into_iter().chain(text_words(key)))
    }

    fn caused(&self, label: u128, cause: u32) -> u128 {
        let by = self.places[cause as usize].label;
        hash([label as u64, (label >> 64) as u64, by as u64, (by >> 64) as u64].into_iter())
    }

    /// What a node does, object by object.
    fn does(&mut self, node: &'a Node, j: u32, touched: &mut Vec<Touched>, overtaken: &mut Vec<Overtaken>) {
        for (k, &(op, _)) in node.ops.iter().enumerate() {
            let step = match node.kind {
                Kind::Step { process, n } => Some((process, n)),
                _ => None,
            };
            let mut made = Pending { by: j, step, op: k as u32, delta: true, date: node.time, after: 0 };
            match op {
                Op::Notify(e) | Op::Cancel(e) => {
                    if let Some(p) = self.pending.remove(&e) {
                        overtaken.extend(self.overtaken(e, p, j));
                    }
                    self.void.remove(&e);
                    let does = if matches!(op, Op::Cancel(_)) { CANCELS } else { DUE | CANCELS };
                    touched.push((Object::Event(e), does));
                }
                Op::NotifyDelta(e) => {
                    match self.pending.get(&e).copied() {
                        // Of one step's two it is always the first.
                        Some(p) if p.delta && p.by == j => {}
                        Some(p) if p.delta => self.void.entry(e).or_default().push(made),
                        p => {
                            overtaken.extend(p.and_then(|p| self.overtaken(e, p, j)));
                            self.void.remove(&e);
                            self.pending.insert(e, made);
                        }
                    }
                    touched.push((Object::Event(e), PENDS));
                }
                Op::NotifyTimed(e, d) => {
                    (made.delta, made.date, made.after) = (false, node.time + d, d);
                    match self.pending.get(&e).copied() {
                        // Of one step's two it is always the first.
                        Some(p) if p.delta && p.by == j => {}
                        Some(p) if p.delta => self.void.entry(e).or_default().push(made),
                        Some(p) if (p.date, self.maker(&p)) < (made.date, self.maker(&made)) => {
                            self.void.entry(e).or_default().push(made)
                        }
                        p => {
                            self.void.entry(e).or_default().extend(p);
                            self.pending.insert(e, made);
                        }
                    }
                    touched.push((Object::Event(e), PENDS));
                }
                Op::Control(p, Control { runnable, ends_wait }) => {
                    touched.push((Object::Process(p), CONTROLS));
                    if ends_wait && self.loose {
                        overtaken.extend(self.timeout_taken_back(p, j));
                    }
                    // What it waits for may find it gone, or deaf.
                    for &e in self.waits[p as usize].iter().flat_map(|w| &w.events) {
                        touched.push((Object::Event(e), RELEASES));
                    }
                    // What the step itself made runnable could not have run in its place.
                    if runnable && node.runnable.contains(&p) {
                        self.instead_of(j, p, overtaken);
                    }
                }
            }
        }
        for fired in &node.fired {
            touched.push((Object::Event(fired.event), DUE));
            for &p in &fired.woken {
                self.woken_by[p as usize] = Some(j);
                touched.push((Object::Process(p), WAKES));
                self.timeout_overtaken(p, fired.event, node, j, overtaken);
                let Some(last) = self.since[p as usize].filter(|&l| l != j) else { continue };
                touched.push((Object::Waiting(last, p), 1));
                for &e in self.waits[p as usize].iter().flat_map(|w| &w.events) {
                    touched.push((Object::Event(e), RELEASES));
                }
            }
            // One of several events that a process waits for.
            for p in 0..if self.any_all { self.since.len() } else { 0 } {
                let Some(last) = self.since[p].filter(|&l| l != j) else { continue };
                let Some(wait) = self.waits[p] else { continue };
                if wait.all && wait.events.contains(&fired.event) && self.woken_by[p].is_none() {
                    touched.push((Object::Waiting(last, p as Id), 1));
                }
            }
        }
        for &p in &node.woke {
            self.woken_by[p as usize] = Some(j);
            touched.push((Object::Process(p), WAKES));
        }
        for &c in &node.requests {
            self.requested.entry(c).or_insert_with(|| {
                touched.push((Object::Channel(c), REQUESTS));
                j
            });
        }
        for &e in &node.wait.events {
            touched.push((Object::Event(e), WAITS));
        }
        if let Kind::Step { process, .. } = node.kind {
            self.waits[process as usize] = Some(&node.wait);
        }
        for (p, wait, began) in &node.waits_too {
            self.waits[*p as usize] = Some(wait);
            if *began {
                self.since[*p as usize] = Some(j);
            }
            wait.events.iter().for_each(|&e| touched.push((Object::Event(e), WAITS)));
        }
        if self.ordered_output && node.output.0 < node.output.1 {
            touched.push((Object::Output, 1));
        }
    }

    /// A process could have run in place of step `j`, which holds it back. With loose delays others may then have come before
    /// it that came later: it needs a place of its own, with a date.
    fn instead_of(&mut self, j: u32, p: Id, overtaken: &mut Vec<Overtaken>) {
        let known = self.instead.iter().rev().take_while(|i| i.0 == j).any(|i| i.1 == p);
        if known || overtaken.iter().any(|o| o.is_step_of(p)) {
            return;
        }
        let from = self.places.iter().rev().find_map(|l| l.node).map_or(0, |n| n as usize + 1);
        let steps =
            self.run.nodes[from..].iter().filter(|n| matches!(n.kind, Kind::Step { process, .. } if process == p));
        // One that runs later has places then.
        match self.held_back(p, j).filter(|_| self.loose && steps.count() == 0) {
            Some(o) => overtaken.push(o),
            None => self.instead.push((j, p)),
        }
    }

    /// Earlier nodes that a node conflicts with. With `record`, later ones will see it.
    fn conflicts(&mut self, touched: &[Touched], j: u32, everything: bool, record: bool) -> Vec<(u32, Why)> {
        let mut soft: Vec<(u32, Why)> = self.everything.iter().map(|&i| (i, Why::Everything)).collect();
        if everything {
            soft.extend((self.from..j).map(|i| (i, Why::Everything)));
            self.everything.push(j);
        }
        for &(object, does) in touched {
            let (since, list) = self.history.entry(object).or_default();
            if *since != self.from {
                *since = self.from;
                list.clear();
            }
            for p in list.iter().rev().filter(|p| p.node != j && conflict(object, p.does, does)) {
                soft.push((p.node, why(object)));
            }
            if record {
                list.push(Past { node: j, does });
            }
        }
        soft
    }

    /// Finds a place's immediate predecessors, those not before another one, and its name.
    fn place(&mut self, mut place: Place, hard: &[u32], soft: Vec<(u32, Why)>) {
        let j = self.places.len() as u32;
        place.site = place.delay.and(place.cause).and_then(|c| {
            let node = &self.run.nodes[self.places[c as usize].node? as usize];
            node.delays.iter().find(|d| Some((d.process, d.number)) == place.delay).map(|d| (d.site, d.nominal))
        });
        if self.loose {
            place.conflicts = Set::new(j as usize);
            soft.iter().for_each(|s| place.conflicts.add(s.0));
        }
        let mut all: Vec<(u32, Option<Why>)> = hard.iter().map(|&i| (i, None)).collect();
        all.extend(soft.into_iter().map(|(i, w)| (i, Some(w))));
        all.sort_by_key(|&(i, w)| (std::cmp::Reverse(i), w.is_some(), w));
        all.dedup_by_key(|x| x.0);
        let from = self.from;
        let mut mine = Set::new((j - from) as usize);
        for (i, why) in all {
            if i >= from {
                if mine.has(i - from) {
                    continue;
                }
                mine.union(&self.past[(i - from) as usize]);
                mine.add(i - from);
            }
            place.before.push(i);
            if let (Some(why), true) = (why, i >= from) {
                self.races.push(Race { first: i, second: j, why });
            }
        }
        self.past.push(mine);
        let mut names: Vec<u128> = place.before.iter().map(|&i| self.places[i as usize].name).collect();
        names.sort_unstable();
        let past = self.before;
        place.name = hash(
            [place.label as u64, (place.label >> 64) as u64, past as u64, (past >> 64) as u64]
                .into_iter()
                .chain(names.iter().flat_map(|&x| [x as u64, (x >> 64) as u64])),
        );
        self.places.push(place);
    }

    /// `last` is the place of the last step.
    fn finish(mut self, last: Option<u32>) -> Order {
        let broken = last.filter(|_| !matches!(self.run.end, End::Exit(0)));
        self.cut_off(broken);
        // A run that broke off: whoever was runnable and never ran might have changed that.
        if let Some(last) = broken {
            let own = self.places[last as usize].step.map(|s| s.0);
            let others = self.node(last).runnable.iter().copied().filter(|&p| Some(p) != own);
            // With loose delays they have places already, but for those that could run from the beginning.
            let others = others.filter(|&p| !self.loose || self.woken_by[p as usize].is_none());
            let others: Vec<(u32, Id)> = others.map(|p| (last, p)).collect();
            self.instead.extend(others);
        }
        let past = if self.asked_fronts && self.loose { std::mem::take(&mut self.past) } else { vec![] };
        self.end_phase();
        let class = self.before;
        let keys = self.run.processes.iter().map(|p| p.key.clone()).collect();
        let Orderer { places, races, instead, loose, mut phases, fronts, .. } = self;
        if loose {
            phases.clear();
        }
        Order { places, races, instead, keys, loose, broken: broken.is_some(), class, phases, fronts, past }
    }
}
