//! What runs end in, and what of it is wrong.

use super::dates::span;
use super::order::{Order, Why};
use super::server::Script;
use super::trace::{End, Id, Kind, Op, Outside, Run};
use serde::{Deserialize, Serialize};
use smol_str::SmolStr;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What a run shows at its end: the same for all runs of a class.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Outcome {
    /// How it ended.
    pub end: End,
    /// What was printed by each process, in its order; what was printed outside processes last.
    pub printed: Vec<(SmolStr, String)>,
    /// Errors it reported.
    pub errors: Vec<String>,
    /// Processes left waiting.
    pub waiting: Vec<SmolStr>,
    /// Final values of what was asked for.
    pub observed: Vec<(String, String)>,
}

/// Something wrong in a run.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Problem {
    /// A report of error or worse.
    Report { severity: u32, text: String, place: (String, u32) },
    /// It died.
    Crash { signal: i32, in_process: Option<SmolStr> },
    /// It left with a code.
    Code(i32),
    /// A process waits for ever that ends in other runs: where, and where that was called from.
    Stuck { process: SmolStr, sites: [u64; 2], events: Vec<String>, lost: Vec<Lost> },
    /// Delta cycles without end.
    Livelock,
    /// Longer than allowed.
    TooLong,
    /// Slower than allowed.
    TooSlow,
    /// The user's own check said no.
    Oracle(String),
}

/// A notification that nobody waited for yet.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Lost {
    /// Event.
    pub event: String,
    /// Who notified.
    pub by: SmolStr,
    /// Where.
    pub at: u64,
}

/// A run worth showing.
#[derive(Clone, Debug)]
pub struct Example {
    /// Its records.
    pub run: Run,
    /// Its order.
    pub order: Arc<Order>,
    /// How to get it again.
    pub script: Script,
}

/// Two accesses whose order the scheduler is free to choose.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct RacePlaces {
    /// One place, and whether it writes.
    pub first: (u64, bool),
    /// The other.
    pub second: (u64, bool),
}

/// A race between two places of the program.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct RaceSeen {
    /// Processes of the first and the second place.
    pub processes: BTreeSet<(SmolStr, SmolStr)>,
    /// In how many runs.
    pub runs: u64,
    /// Bytes it is about, in one of the runs.
    pub address: u64,
}

/// What a process waits for at the end of a run.
#[derive(Clone, Debug)]
struct Left {
    sites: [u64; 2],
    events: Vec<String>,
    lost: Vec<Lost>,
}

/// All outcomes so far.
#[derive(Default, Serialize, Deserialize)]
pub struct Outcomes {
    /// Outcomes, how many classes end in each, and the first run that did.
    #[serde(skip)]
    pub all: BTreeMap<Outcome, (u64, Example)>,
    /// Races between places.
    pub races: BTreeMap<RacePlaces, RaceSeen>,
    /// Use of what no schedule decides, with places.
    pub outside: BTreeMap<(Outside, u64), u64>,
    /// Files and variables of the environment that the model reads.
    pub reads: BTreeSet<String>,
    /// Places that read the date.
    pub dates: BTreeSet<u64>,
    /// Processes that ended in some run.
    ended: BTreeSet<SmolStr>,
    /// Earliest and latest date of the end, and of each thing asked for, over all timings of all classes.
    pub spans: BTreeMap<String, (u64, u64)>,
    /// Most steps of a run.
    pub most_steps: usize,
    /// Most processes of a run.
    pub processes: usize,
}

/// Outcomes without the runs, which can be made again.
#[derive(Deserialize)]
pub struct Known {
    /// Outcomes, how many classes end in each, and the script of one.
    pub all: Vec<(Outcome, u64, Script)>,
    /// Everything else.
    pub rest: Outcomes,
}

/// The same, of outcomes in use.
#[derive(Serialize)]
pub struct KnownNow<'a> {
    all: Vec<(&'a Outcome, u64, &'a Script)>,
    rest: &'a Outcomes,
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

impl Outcomes {
    /// Outcomes without the runs.
    pub fn known(&self) -> KnownNow<'_> {
        KnownNow { all: self.all.iter().map(|(o, (n, x))| (o, *n, &x.script)).collect(), rest: self }
    }

    /// Takes in a run of a new class.
    pub fn add(&mut self, mut run: Run, order: Arc<Order>, script: &Script, when: &[String]) {
        self.span(&run, &order, when);
        for (p, left) in waiting(&run) {
            if left.is_none() {
                self.ended.insert(run.processes[p as usize].key.clone());
            }
        }
        let mut seen = BTreeSet::new();
        for r in &order.races {
            let (a, b) = (&order.places[r.first as usize], &order.places[r.second as usize]);
            if let (Why::Memory { address, first, second }, Some(p), Some(q)) = (r.why, a.step, b.step)
                && a.time == b.time
                && a.phase == b.phase
            {
                let (first, second) = (first.min(second), first.max(second));
                let key = RacePlaces { first, second };
                let entry = self.races.entry(key).or_default();
                let name = |p: Id| run.processes[p as usize].key.clone();
                entry.processes.insert((name(p.0), name(q.0)));
                entry.address = address;
                if seen.insert(key) {
                    entry.runs += 1;
                }
            }
        }
        self.reads.extend(run.reads.iter().cloned());
        for &o in &run.outside {
            *self.outside.entry(o).or_default() += 1;
        }
        for n in &run.nodes {
            for &o in &n.outside {
                *self.outside.entry(o).or_default() += 1;
            }
            self.dates.extend(n.date);
        }
        let steps = run.nodes.iter().filter(|n| matches!(n.kind, Kind::Step { .. })).count();
        self.most_steps = self.most_steps.max(steps);
        self.processes = self.processes.max(run.processes.len());
        let outcome = outcome(&run);
        match self.all.get_mut(&outcome) {
            Some(o) => o.0 += 1,
            None => {
                // Most of a run, and all that is shown of it is in its order.
                run.accesses = Vec::new();
                self.all.insert(outcome, (1, Example { run, order, script: script.clone() }));
            }
        }
    }

    /// How early and how late things come. A process is there at its last step, an event when it is last due.
    fn span(&mut self, run: &Run, order: &Order, when: &[String]) {
        if !order.loose && when.is_empty() {
            return;
        }
        let step = |i: u32| order.places[i as usize].step;
        let kind = |i: u32| order.places[i as usize].node.map(|n| run.nodes[n as usize].kind);
        let mut add = |name: &str, found: Option<(u64, u64)>| {
            if let Some((first, last)) = found {
                let s = self.spans.entry(name.to_string()).or_insert((first, last));
                *s = (s.0.min(first), s.1.max(last));
            }
        };
        add("the end", span(order, |i| step(i).is_some()));
        for name in when {
            let process = |i: u32| step(i).is_some_and(|s| run.processes[s.0 as usize].key == *name);
            let event = |i: u32| match kind(i) {
                Some(Kind::Trigger { event, .. }) => run.events[event as usize].name == *name,
                Some(Kind::Step { .. }) => order.places[i as usize].node.is_some_and(|n| {
                    run.nodes[n as usize].fired.iter().any(|f| run.events[f.event as usize].name == *name)
                }),
                _ => false,
            };
            add(name, span(order, |i| process(i) || event(i)));
        }
    }

    /// What is wrong with an outcome.
    pub fn problems(&self, outcome: &Outcome, example: &Example) -> Vec<Problem> {
        let run = &example.run;
        let mut out = Vec::new();
        let reports = run.nodes.iter().flat_map(|n| &n.reports).chain(&run.reports);
        for r in reports.filter(|r| r.severity >= 2) {
            out.push(Problem::Report { severity: r.severity, text: r.text.clone(), place: r.place.clone() });
        }
        match outcome.end {
            End::Signal(signal) if !run.nodes.iter().flat_map(|n| &n.reports).any(|r| r.severity == 3) => {
                let last = run.nodes.iter().rev().find_map(|n| match n.kind {
                    Kind::Step { process, .. } => Some(run.processes[process as usize].key.clone()),
                    _ => None,
                });
                out.push(Problem::Crash { signal, in_process: last });
            }
            End::Exit(c) if c != 0 && out.is_empty() => out.push(Problem::Code(c)),
            End::Steps => out.push(Problem::TooLong),
            End::Deltas => out.push(Problem::Livelock),
            End::Time => out.push(Problem::TooSlow),
            _ => {}
        }
        if matches!(outcome.end, End::Exit(_)) && !run.nodes.iter().any(|n| n.stop) {
            for (p, left) in waiting(run) {
                let key = &run.processes[p as usize].key;
                if let Some(left) = left.filter(|_| self.ended.contains(key)) {
                    let Left { sites, events, lost } = left;
                    out.push(Problem::Stuck { process: key.clone(), sites, events, lost });
                }
            }
        }
        out.sort();
        out.dedup();
        out
    }
}

/// Threads that ran, each with what it waits for at the end, or nothing if it ended.
fn waiting(run: &Run) -> Vec<(Id, Option<Left>)> {
    let mut last: Vec<Option<usize>> = vec![None; run.processes.len()];
    for (i, n) in run.nodes.iter().enumerate() {
        if let Kind::Step { process, .. } = n.kind {
            last[process as usize] = Some(i);
        }
    }
    let mut out = Vec::new();
    for (p, at) in last.iter().enumerate() {
        let (Some(at), false) = (at, run.processes[p].method) else { continue };
        let wait = &run.nodes[*at].wait;
        if wait.ended {
            out.push((p as Id, None));
        } else if wait.timeout.is_none() && !wait.fixed {
            let name = |e: Id| run.events[e as usize].name.to_string();
            let mut lost = Vec::new();
            for n in &run.nodes[..*at] {
                for &(op, place) in &n.ops {
                    let Op::Notify(e) = op else { continue };
                    let heard = n.fired.iter().any(|f| f.event == e && !f.woken.is_empty());
                    if let (Kind::Step { process, .. }, true) = (n.kind, !heard && wait.events.contains(&e)) {
                        lost.push(Lost { event: name(e), by: run.processes[process as usize].key.clone(), at: place });
                    }
                }
            }
            let events = wait.events.iter().map(|&e| name(e)).collect();
            out.push((p as Id, Some(Left { sites: [wait.site, wait.caller], events, lost })));
        }
    }
    out
}

/// What a run shows at its end.
pub fn outcome(run: &Run) -> Outcome {
    let mut by: BTreeMap<SmolStr, Vec<u8>> = BTreeMap::new();
    let mut rest: Vec<u8> = Vec::new();
    let mut at = run.printed_before;
    let part = |from: u64, to: u64| {
        let n = run.output.len() as u64;
        &run.output[from.min(n) as usize..to.min(n) as usize]
    };
    rest.extend(part(0, at));
    for n in &run.nodes {
        let (from, to) = n.output;
        if from >= to {
            continue;
        }
        rest.extend(part(at.min(from), from));
        at = to;
        match n.kind {
            Kind::Step { process, .. } => {
                by.entry(run.processes[process as usize].key.clone()).or_default().extend(part(from, to));
            }
            _ => rest.extend(part(from, to)),
        }
    }
    rest.extend(part(at, run.output.len() as u64));
    let mut printed: Vec<(SmolStr, String)> = by.into_iter().map(|(k, v)| (k, text(&v))).collect();
    if !rest.is_empty() {
        printed.push(("".into(), text(&rest)));
    }
    let reports = run.nodes.iter().flat_map(|n| &n.reports).chain(&run.reports);
    let errors = reports.filter(|r| r.severity >= 2).map(|r| r.text.clone()).collect();
    let left = waiting(run).into_iter().filter(|w| w.1.is_some());
    let waiting = left.map(|(p, _)| run.processes[p as usize].key.clone()).collect();
    Outcome { end: run.end, printed, errors, waiting, observed: run.observed.clone() }
}
