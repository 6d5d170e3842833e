//! A SystemC model into explored schedules and timings.
//!
//! The model is a program: built by the user's compiler with our hooks ([`build`]), run on the real SystemC
//! library. `shim/` is the half in C++, linked in: it chooses who runs next and writes down what each step
//! touches. This half reads that ([`trace`]), finds what had to come before what ([`order`]), and asks for
//! the runs that could end differently ([`search`]), until none is left.

pub mod build;
pub mod dates;
pub mod order;
pub mod outcome;
pub mod picture;
pub mod search;
pub mod server;
pub mod set;
pub mod shared;
pub mod trace;

use outcome::Outcomes;
use search::{Next, Search};
use server::{Failure, Server, Setup};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How far to go.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Most runs.
    pub runs: u64,
    /// Most time in all.
    pub time: Option<Duration>,
    /// Most reversed races between a run and the kernel's own.
    pub departures: u32,
    /// Runs at the same time.
    pub jobs: usize,
    /// The order in which processes print matters.
    pub ordered_output: bool,
    /// Stop at the first problem.
    pub first: bool,
    /// Most nodes of runs to keep in memory; others are made again when needed.
    pub room: usize,
    /// All delays of one wait of the program are one choice.
    pub shared_delays: bool,
    /// Processes and events whose earliest and latest dates are asked for.
    pub when: Vec<String>,
}

/// What was found.
pub struct Explored {
    /// Outcomes, races, and so on.
    pub outcomes: Outcomes,
    /// Runs made.
    pub runs: u64,
    /// Classes seen.
    pub classes: u64,
    /// Runs that were of a class seen before.
    pub again: u64,
    /// Wishes that runs did not fulfil.
    pub strayed: u64,
    /// Orders that no delays allow.
    pub impossible: u64,
    /// Choices left when a limit was met.
    pub left: u64,
    /// Which limit, if one was met.
    pub stopped: Option<&'static str>,
    /// Time it took.
    pub took: Duration,
    /// Some delay is loose.
    pub loose: bool,
    /// Runs made again because their order was dropped.
    pub replayed: u64,
    /// Runs that went otherwise when made again.
    pub unstable: u64,
}

struct Shared {
    search: Search,
    outcomes: Outcomes,
    busy: usize,
    stopped: Option<&'static str>,
    failure: Option<Failure>,
    loose: bool,
}

/// Progress: runs, classes, choices known and not yet looked at, outcomes.
pub type Progress<'a> = &'a (dyn Fn(u64, u64, u64, u64) + Sync);

fn lock(m: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    m.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Explores.
pub fn explore(setup: &Setup, limits: &Limits, progress: Progress) -> Result<Explored, Failure> {
    let began = Instant::now();
    let mut search = Search::new();
    search.begin(limits.departures, limits.shared_delays, limits.room);
    let shared = Mutex::new(Shared {
        search,
        outcomes: Outcomes::default(),
        busy: 0,
        stopped: None,
        failure: None,
        loose: false,
    });
    let wake = Condvar::new();
    std::thread::scope(|s| {
        for k in 0..limits.jobs.max(1) {
            let (shared, wake) = (&shared, &wake);
            s.spawn(move || worker(k == 0, setup, limits, shared, wake, began, progress));
        }
    });
    let mut shared = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(f) = shared.failure {
        return Err(f);
    }
    if shared.search.too_far > 0 && shared.stopped.is_none() {
        let unstable = shared.search.unstable > 0;
        shared.stopped = Some(if unstable { "runs that differ when made again" } else { "--preemptions" });
    }
    // A process that is reset runs inside the step that resets it; a loose delay it begins there has no name.
    let resets = shared.outcomes.outside.keys().any(|o| o.0 == trace::Outside::Reset);
    if shared.stopped.is_none() && shared.loose && resets {
        shared.stopped = Some("resets of processes");
    }
    // With loose delays a wish that its run did not fulfil may hide a class: nothing is called complete then.
    let mut hidden = 0;
    if shared.stopped.is_none() && shared.loose && shared.search.strayed > 0 {
        shared.stopped = Some("orders that did not come about as asked");
        hidden = shared.search.strayed as u64;
    }
    Ok(Explored {
        runs: shared.search.runs as u64,
        classes: shared.search.classes() as u64,
        again: shared.search.again as u64,
        strayed: shared.search.strayed as u64,
        impossible: shared.search.impossible,
        left: shared.search.left() as u64 + shared.search.too_far + hidden,
        outcomes: shared.outcomes,
        stopped: shared.stopped,
        took: began.elapsed(),
        loose: shared.loose,
        replayed: shared.search.replayed,
        unstable: shared.search.unstable,
    })
}

fn worker(
    newest: bool,
    setup: &Setup,
    limits: &Limits,
    shared: &Mutex<Shared>,
    wake: &Condvar,
    began: Instant,
    progress: Progress,
) {
    let mut server: Option<Server> = None;
    loop {
        let Some(todo) = next(newest, limits, shared, wake, began) else { return };
        let script = match &todo {
            Next::Run(plan) => &plan.script,
            Next::Again(_, script) => script,
        };
        let result = match &mut server {
            Some(s) => s.run(script),
            none => match Server::start(setup) {
                Ok(s) => none.insert(s).run(script),
                Err(e) => Err(e),
            },
        };
        let run = match result {
            Ok(run) => run,
            Err(e) => {
                let mut s = lock(shared);
                s.busy -= 1;
                s.failure.get_or_insert(e);
                s.stopped = Some("failure");
                wake.notify_all();
                return;
            }
        };
        let order = Arc::new(order::order(&run, limits.ordered_output));
        let mut s = lock(shared);
        s.busy -= 1;
        let plan = match todo {
            Next::Run(plan) => plan,
            Next::Again(base, _) => {
                s.search.restore(base, order);
                drop(s);
                wake.notify_all();
                continue;
            }
        };
        s.loose |= order.loose;
        let told = s.search.learn(&order, &plan);
        if told.new {
            s.outcomes.add(run, order, &plan.script, &limits.when);
            let state = &*s;
            if limits.first && state.outcomes.all.iter().any(|(o, (_, e))| !state.outcomes.problems(o, e).is_empty()) {
                s.stopped.get_or_insert("--first");
            }
        }
        progress(s.search.runs as u64, s.search.classes() as u64, s.search.left() as u64, s.outcomes.all.len() as u64);
        drop(s);
        wake.notify_all();
    }
}

/// The next run to make, waiting while others may still find one.
fn next(newest: bool, limits: &Limits, shared: &Mutex<Shared>, wake: &Condvar, began: Instant) -> Option<Next> {
    let mut s = lock(shared);
    loop {
        if s.stopped.is_none() {
            if s.search.runs as u64 + s.busy as u64 >= limits.runs && s.search.left() > 0 {
                s.stopped = Some("--max-runs");
            } else if limits.time.is_some_and(|t| began.elapsed() >= t) && s.search.left() > 0 {
                s.stopped = Some("--time");
            }
        }
        if s.stopped.is_some() {
            wake.notify_all();
            return None;
        }
        // With few choices known, a second worker would mostly run what the first one finds anyway.
        let enough = newest || s.search.left() >= 8;
        if let Some(todo) = if enough { s.search.next(newest) } else { None } {
            s.busy += 1;
            return Some(todo);
        }
        if s.busy == 0 && s.search.left() == 0 {
            wake.notify_all();
            return None;
        }
        s = wake.wait_timeout(s, Duration::from_millis(100)).unwrap_or_else(PoisonError::into_inner).0;
    }
}
