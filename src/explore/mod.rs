//! A SystemC model into explored schedules and timings.
//!
//! The model is a program: built by the user's compiler with our hooks ([`build`]), run on the real SystemC
//! library. `shim/` is the half in C++, linked in: it chooses who runs next and writes down what each step
//! touches. This half reads that ([`trace`]), finds what had to come before what ([`order`]), and asks for
//! the runs that could end differently ([`search`]), until none is left.

pub mod build;
pub mod checkpoint;
pub mod dates;
pub mod order;
pub mod outcome;
pub mod picture;
pub mod resume;
pub mod search;
pub mod server;
pub mod set;
pub mod shared;
pub mod trace;

use order::Order;
use outcome::Outcomes;
use resume::{Key, Resume, StateNow};
use search::{Next, Reached, Search};
use server::{Failure, Script, Server, Setup, Step};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use trace::{Outside, Run};

/// How far to go.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Most runs, not counting those of earlier parts.
    pub runs: u64,
    /// Most time, not counting that of earlier parts.
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
    /// States that were seen before are not explored from again.
    pub merge: bool,
    /// Where to keep what is known when it stops, and to go on from if it is there.
    pub resume: Option<Resume>,
}

/// What was found.
pub struct Explored {
    /// Outcomes, races, and so on.
    pub outcomes: Outcomes,
    /// Runs made, in all parts.
    pub runs: u64,
    /// Those of earlier parts.
    pub runs_before: u64,
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
    /// Time it took, in all parts.
    pub took: Duration,
    /// Some delay is loose.
    pub loose: bool,
    /// Runs made again because their order was dropped.
    pub replayed: u64,
    /// Runs that went otherwise when made again.
    pub unstable: u64,
    /// Runs that began at copies of the model, not at its start.
    pub copied: u64,
    /// Runs made again for their states, and steps that left the model as others did.
    pub merged: (u64, u64),
    /// Why states were not compared though that was asked for.
    pub why_not_merged: Option<String>,
}

/// Why it stopped: somebody asked it to.
pub const INTERRUPTED: &str = "an interrupt";

struct Shared {
    search: Search,
    outcomes: Outcomes,
    busy: usize,
    stopped: Option<&'static str>,
    failure: Option<Failure>,
    copied: u64,
    /// Runs made again for their states.
    looked: u64,
    /// Nodes of runs that are kept as examples, as many as orders would take the memory.
    examples: usize,
    /// Some delay is loose.
    loose: bool,
    /// The search was begun anew so often.
    anew: u32,
    /// When the state was last written, and how long that took.
    saved: Instant,
    saving: Duration,
}

/// What the workers share, and what they do not change.
struct Job<'a> {
    setup: &'a Setup,
    limits: &'a Limits,
    key: Key,
    began: Instant,
    /// Runs and time of earlier parts.
    runs_before: u32,
    took_before: Duration,
    shared: Mutex<Shared>,
    wake: Condvar,
    progress: Progress<'a>,
}

/// How often the state is written, at the most.
const SAVED_EVERY: Duration = Duration::from_secs(30);

/// So many nodes of examples are always kept.
const FEW: usize = 1 << 20;

/// Progress: runs, classes, choices known and not yet looked at, outcomes.
pub type Progress<'a> = &'a (dyn Fn(u64, u64, u64, u64) + Sync);

fn lock(m: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    m.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Job<'_> {
    /// The order of a run.
    fn order(&self, run: &Run, loose: bool) -> Arc<Order> {
        let find = if self.limits.merge { order::order_with_fronts } else { order::order };
        Arc::new(find(run, self.limits.ordered_output, loose))
    }

    /// Writes what is known.
    fn save(&self, s: &mut Shared) -> Result<(), Failure> {
        let Some(r) = &self.limits.resume else { return Ok(()) };
        let began = Instant::now();
        let (took, loose) = (self.took_before + self.began.elapsed(), s.loose);
        let outcomes = s.outcomes.known();
        s.search.at_rest(|search| resume::save(&r.file, &self.key, &StateNow { search, outcomes, took, loose }))?;
        (s.saved, s.saving) = (Instant::now(), began.elapsed());
        Ok(())
    }

    /// Is it time to write what is known? Most of the time should go into runs.
    fn to_save(&self, s: &Shared) -> bool {
        self.limits.resume.is_some() && s.saved.elapsed() >= SAVED_EVERY.max(s.saving * 20)
    }
}

/// Explores.
pub fn explore(setup: &Setup, limits: &Limits, progress: Progress) -> Result<Explored, Failure> {
    let began = Instant::now();
    let (mut key, mut kept) = (Key::new(), None);
    if let Some(r) = &limits.resume {
        key = resume::key(setup, limits, &r.tool, &Server::start(setup)?);
        kept = resume::load(&r.file, &key)?;
    }
    let (mut search, outcomes, took_before, loose) = match (kept, &limits.resume) {
        (Some(s), Some(r)) => {
            (s.search, resume::outcomes(&r.file, s.outcomes, s.loose, setup, limits)?, s.took, s.loose)
        }
        _ => (Search::new(), Outcomes::default(), Duration::ZERO, false),
    };
    let runs_before = search.runs;
    if runs_before == 0 {
        search = Search::new();
        search.begin(limits.departures, limits.shared_delays, limits.room);
        limits.merge.then(|| search.merge());
    } else {
        search.go_on(limits.departures, limits.shared_delays, limits.room);
    }
    let (busy, stopped, failure) = (0, None, None);
    let shared = Mutex::new(Shared {
        search,
        outcomes,
        busy,
        stopped,
        failure,
        copied: 0,
        looked: 0,
        examples: 0,
        loose,
        anew: 0,
        saved: began,
        saving: Duration::ZERO,
    });
    let wake = Condvar::new();
    let job = Job { setup, limits, key, began, runs_before, took_before, shared, wake, progress };
    std::thread::scope(|s| {
        for k in 0..limits.jobs.max(1) {
            let job = &job;
            s.spawn(move || worker(k == 0, job));
        }
    });
    let saved = {
        let mut s = lock(&job.shared);
        if s.search.runs != runs_before { job.save(&mut s) } else { Ok(()) }
    };
    let mut shared = job.shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(f) = shared.failure {
        return Err(f);
    }
    saved?;
    if shared.search.too_far > 0 && shared.stopped.is_none() {
        let unstable = shared.search.unstable > 0;
        shared.stopped = Some(if unstable { "runs that differ when made again" } else { "--preemptions" });
    }
    // A wish that no run fulfils though some dates should allow it may hide a class: nothing is called complete then.
    let hidden = shared.search.astray() as u64 + shared.search.unsure;
    if shared.stopped.is_none() && hidden > 0 {
        shared.stopped = Some("orders that did not come about as asked");
    }
    // What other threads do meanwhile is in no order of ours.
    if shared.stopped.is_none() && shared.outcomes.outside.keys().any(|k| k.0 == Outside::Thread) {
        shared.stopped = Some("threads of the host");
    }
    Ok(Explored {
        runs: shared.search.runs as u64,
        runs_before: (runs_before as u64).min(shared.search.runs as u64),
        classes: shared.search.classes() as u64,
        again: shared.search.again as u64,
        strayed: shared.search.strayed as u64,
        impossible: shared.search.impossible,
        left: shared.search.left() as u64 + shared.search.too_far + hidden,
        outcomes: shared.outcomes,
        stopped: shared.stopped,
        took: took_before + began.elapsed(),
        loose: shared.loose,
        replayed: shared.search.replayed,
        unstable: shared.search.unstable,
        copied: shared.copied,
        merged: (shared.looked, shared.search.alike() as u64),
        why_not_merged: match shared.search.why_not_merged() {
            None if limits.merge && !shared.loose => Some("all delays are fixed".into()),
            why => why.map(String::from),
        },
    })
}

fn worker(newest: bool, job: &Job) {
    let mut server: Option<Server> = None;
    loop {
        let Some((todo, loose, anew)) = next(newest, job) else { return };
        let (run, order, copied, reached) = match make(&mut server, job, &todo, loose) {
            Ok(made) => made,
            Err(e) => {
                let mut s = lock(&job.shared);
                s.busy -= 1;
                if let (Next::Run(plan), true) = (&todo, anew == s.anew) {
                    s.search.give_back(plan);
                }
                return s.fail(e, &job.wake);
            }
        };
        let mut s = lock(&job.shared);
        s.busy -= 1;
        s.copied += copied as u64;
        if anew == s.anew && order.loose && !s.loose {
            s.begin_anew(job);
        }
        if anew != s.anew {
            drop(s);
            job.wake.notify_all();
            continue;
        }
        let plan = match todo {
            Next::Run(plan) => plan,
            Next::Again(base, _) => {
                s.search.restore(base, order);
                drop(s);
                job.wake.notify_all();
                continue;
            }
        };
        if job.limits.merge
            && let Some(why) = search::hidden(&run)
        {
            s.search.merge_no_more(why);
        }
        let told = s.search.learn(&order, &plan, &reached);
        if told.new {
            let (nodes, known) = (order.places.len(), s.outcomes.all.len());
            s.outcomes.add(run, order, &plan.script, &job.limits.when);
            if s.outcomes.all.len() > known {
                s.keep_example(nodes, job.limits.room);
            }
            if job.limits.first && s.outcomes.all.iter().any(|(o, (_, e))| !s.outcomes.problems(o, e).is_empty()) {
                s.stopped.get_or_insert("--first");
            }
        }
        let counts = (s.search.runs, s.search.classes(), s.search.left(), s.outcomes.all.len());
        (job.progress)(counts.0 as u64, counts.1 as u64, counts.2 as u64, counts.3 as u64);
        if job.to_save(&s)
            && let Err(e) = job.save(&mut s)
        {
            return s.fail(e, &job.wake);
        }
        drop(s);
        job.wake.notify_all();
    }
}

/// A run, its order, whether it began at a copy, and the states it came to.
type Made = (Run, Arc<Order>, bool, Vec<Reached>);

/// Makes a run that is asked for.
fn make(server: &mut Option<Server>, job: &Job, todo: &Next, loose: bool) -> Result<Made, Failure> {
    let script = match todo {
        Next::Run(plan) => &plan.script,
        Next::Again(_, script) => script,
    };
    let run = run_on(server, job.setup, script, &[])?;
    let order = job.order(&run, loose);
    let mut copied = false;
    if let Some(s) = server {
        s.keep_copies(&run, &order);
        copied = s.began_at_copy();
    }
    let reached = match todo {
        Next::Run(_) if job.limits.merge => states(server, job, script, &run, &order)?,
        _ => vec![],
    };
    Ok((run, order, copied, reached))
}

/// The states that a run came to, as far as they are of use. The run is made again if need be: it costs less than to have
/// the state written down after each step.
fn states(
    server: &mut Option<Server>,
    job: &Job,
    script: &Script,
    run: &Run,
    order: &Order,
) -> Result<Vec<Reached>, Failure> {
    let steps: Vec<Step> = {
        let mut s = lock(&job.shared);
        let wanted = s.search.merges() && order.loose && search::hidden(run).is_none();
        let fronts = s.search.unsettled(order).filter(|_| wanted).filter_map(|f| order.places[f.place as usize].step);
        let steps: Vec<Step> = fronts.map(|(process, n)| (order.keys[process as usize].clone(), n)).collect();
        s.looked += !steps.is_empty() as u64;
        steps
    };
    if steps.is_empty() {
        return Ok(vec![]);
    }
    let again = run_on(server, job.setup, script, &steps)?;
    let other = job.order(&again, order.loose);
    // A run that goes otherwise when made again tells nothing of this one.
    let same = other.class == order.class && other.fronts == order.fronts;
    Ok(if same { search::reached(&again, &other, job.limits.ordered_output) } else { vec![] })
}

/// Makes a run, starting the model if need be. If the copies of a model are lost (somebody killed them), it is started
/// again.
fn run_on(server: &mut Option<Server>, setup: &Setup, script: &Script, states: &[Step]) -> Result<Run, Failure> {
    if let Some(s) = server {
        match s.run_for_states(script, states) {
            Err(Failure::Lost(_)) if s.has_copies() => {}
            result => return result,
        }
    }
    *server = None;
    server.insert(Server::start(setup)?).run_for_states(script, states)
}

impl Shared {
    /// Forgets all runs: they were taken for those of a model without loose delays, and now there is one. Nodes have
    /// other names then. (If that was the first run, only it is made twice.)
    fn begin_anew(&mut self, job: &Job) {
        let limits = job.limits;
        self.search = Search::new();
        self.search.begin(limits.departures, limits.shared_delays, limits.room);
        limits.merge.then(|| self.search.merge());
        self.outcomes = Outcomes::default();
        self.examples = 0;
        self.loose = true;
        self.anew += 1;
    }

    /// A run is kept, whole, because it ends as no other did: what the search keeps must be less. Too many of them are an
    /// end.
    fn keep_example(&mut self, nodes: usize, room: usize) {
        self.examples += 3 * nodes;
        self.search.leave_room(room.saturating_sub(self.examples).max(room / 4));
        if self.examples > room.max(FEW) {
            self.stopped.get_or_insert("--memory");
        }
    }

    /// Notes why a worker ends, and ends the others.
    fn fail(&mut self, e: Failure, wake: &Condvar) {
        if let Failure::Stopped = e {
            self.stopped.get_or_insert(INTERRUPTED);
        } else {
            self.failure.get_or_insert(e);
            self.stopped = Some("failure");
        }
        wake.notify_all();
    }
}

/// The next run to make, waiting while others may still find one; whether delays are loose, and how often the search
/// was begun anew.
fn next(newest: bool, job: &Job) -> Option<(Next, bool, u32)> {
    let limits = job.limits;
    let mut s = lock(&job.shared);
    loop {
        if s.stopped.is_none() {
            let runs = s.search.runs.saturating_sub(job.runs_before) as u64 + s.busy as u64;
            if job.setup.stop.load(Ordering::Relaxed) && s.search.left() + s.busy > 0 {
                s.stopped = Some(INTERRUPTED);
            } else if runs >= limits.runs && s.search.left() > 0 {
                s.stopped = Some("--max-runs");
            } else if limits.time.is_some_and(|t| job.began.elapsed() >= t) && s.search.left() > 0 {
                s.stopped = Some("--time");
            }
        }
        if s.stopped.is_some() {
            job.wake.notify_all();
            return None;
        }
        // With few choices known, a second worker would mostly run what the first one finds anyway.
        let enough = newest || s.search.left() >= 8;
        if let Some(todo) = if enough { s.search.next(newest) } else { None } {
            s.busy += 1;
            return Some((todo, s.loose, s.anew));
        }
        if s.busy == 0 && s.search.left() == 0 {
            job.wake.notify_all();
            return None;
        }
        s = job.wake.wait_timeout(s, Duration::from_millis(100)).unwrap_or_else(PoisonError::into_inner).0;
    }
}
