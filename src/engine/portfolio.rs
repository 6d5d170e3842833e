//! Engines side by side: the first answer wins and the others stop.
//!
//! Every engine has a thread and its own copy of the question, and nobody waits for one that lost: a single
//! operation on decision diagrams may take long and cannot be interrupted. It ends by itself, and until then no
//! other engine of its name starts, so at most one of each is ever left behind.

use super::{Control, Engine, Outcome, Reason, Stats, Verdict};
use crate::model::{Goal, System};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How long a patient engine runs before it lets others go first.
const PATIENCE: Duration = Duration::from_millis(500);

/// What engines tell.
enum Message<T> {
    /// The depth reached.
    At(&'static str, u32),
    /// The end, and what the judge says of an answer.
    Done(&'static str, Box<Outcome>, Option<T>),
}

/// Engines that were told to stop and have not yet done so.
static LEFT: Mutex<Vec<(&'static str, JoinHandle<()>)>> = Mutex::new(Vec::new());
/// Between two looks at limits.
const POLL: Duration = Duration::from_millis(10);
/// How long engines have to say what they know after they were told to stop.
const GRACE: Duration = Duration::from_secs(1);
/// Most goals are easy: each engine after the first starts so much later than the one before it, so that those are
/// settled before the engines get in each other's way.
const HEAD_START: Duration = Duration::from_millis(25);

/// Runs engines side by side, a thread each. Returns the answer, the engine's name, and what the judge says of
/// the answer; without one, the deepest bound that was shown. An answer counts when it has been judged, which
/// happens on the thread of its engine: that may take longer than another engine needs for an answer of its own.
pub fn race<T: Send + 'static>(
    engines: Vec<Box<dyn Engine>>,
    sys: &System,
    goal: &Goal,
    ctl: &Control,
    judge: impl Fn(&'static str, &Outcome) -> T + Send + Sync + 'static,
) -> (&'static str, Outcome, Option<T>) {
    let judge = Arc::new(judge);
    let question = Arc::new((sys.clone(), goal.clone()));
    let cancel = Arc::new(AtomicBool::new(false));
    let (sender, messages) = channel();
    let mut threads: Vec<(&'static str, JoinHandle<()>)> = Vec::new();
    for (n, e) in engines.into_iter().filter(|e| e.accepts(sys, goal)).enumerate() {
        let start = Instant::now() + HEAD_START * n as u32;
        let limits = Limits { start, deadline: ctl.deadline, nodes: ctl.nodes, depth: ctl.depth };
        let (question, cancel, sender, judge) = (question.clone(), cancel.clone(), sender.clone(), judge.clone());
        threads.push((e.name(), thread::spawn(move || run(e, &question, &cancel, limits, &sender, &*judge))));
    }
    drop(sender);
    let mut outcomes: Vec<(&'static str, Outcome, Option<T>)> = Vec::new();
    let mut full = false;
    let mut stopped: Option<Instant> = None;
    loop {
        match messages.recv_timeout(POLL) {
            Ok(Message::At(name, depth)) => (ctl.progress)(name, depth),
            Ok(Message::Done(name, outcome, said)) => {
                let is_final = outcome.is_final();
                outcomes.push((name, *outcome, said));
                if is_final {
                    break;
                }
            }
            Err(RecvTimeoutError::Timeout) => {
                full |= ctl.memory.is_some_and(|most| resident().is_some_and(|now| now > most));
                if full || ctl.stop() {
                    cancel.store(true, Ordering::Relaxed);
                    // Those that cannot be interrupted are not waited for.
                    if stopped.get_or_insert_with(Instant::now).elapsed() > GRACE {
                        break;
                    }
                }
            }
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    cancel.store(true, Ordering::Relaxed);
    leave(threads);
    if let Some(i) = outcomes.iter().position(|o| o.1.is_final()) {
        return outcomes.swap_remove(i);
    }
    let bound = |o: &Outcome| if let Verdict::HoldsTo(n) = o.verdict { n } else { 0 };
    outcomes.sort_by_key(|o| std::cmp::Reverse(bound(&o.1)));
    let why = match () {
        _ if full => Some(Reason::Limit(format!("out of memory: --memory {} MiB", ctl.memory.unwrap_or(0) >> 20))),
        _ if outcomes.is_empty() && ctl.stop() => Some(ctl.reason()),
        _ if outcomes.is_empty() => Some(Reason::Unfit("no engine takes this goal".into())),
        _ => None,
    };
    match (outcomes.into_iter().next(), why) {
        (Some(o), None) => o,
        (Some(o), Some(_)) if matches!(o.1.verdict, Verdict::HoldsTo(_)) => o,
        (_, why) => {
            ("portfolio", Outcome::of(Verdict::Unknown(why.unwrap_or(Reason::Stopped)), Stats::default()), None)
        }
    }
}

/// What an engine keeps to.
struct Limits {
    start: Instant,
    deadline: Option<Instant>,
    nodes: usize,
    depth: u32,
}

fn run<T: Send>(
    mut engine: Box<dyn Engine>,
    question: &(System, Goal),
    cancel: &AtomicBool,
    limits: Limits,
    sender: &Sender<Message<T>>,
    judge: &dyn Fn(&'static str, &Outcome) -> T,
) {
    let name = engine.name();
    let Limits { start, deadline, nodes, depth } = limits;
    // Nobody may be left to hear it, which is no harm.
    let tell = Mutex::new(sender.clone());
    let patient = AtomicBool::new(engine.is_patient());
    let progress = |name, depth| {
        if start.elapsed() > PATIENCE && patient.swap(false, Ordering::Relaxed) {
            // Of this thread alone; where that cannot be, it runs like the others.
            let _ = rustix::process::nice(10);
        }
        if let Ok(sender) = tell.lock() {
            let _ = sender.send(Message::At(name, depth));
        }
    };
    let ctl = Control { deadline, cancel, nodes, depth, memory: None, progress: &progress };
    while !ctl.stop() && (Instant::now() < start || is_left(name)) {
        thread::sleep(POLL / 10);
    }
    if !ctl.stop() {
        let outcome = engine.check(&question.0, &question.1, &ctl);
        let said = outcome.is_final().then(|| judge(name, &outcome));
        let _ = sender.send(Message::Done(name, Box::new(outcome), said));
    }
}

/// Whether an engine of this name still runs for nobody.
fn is_left(name: &str) -> bool {
    let mut left = LEFT.lock().expect("held for moments only");
    left.retain(|(_, t)| !t.is_finished());
    left.iter().any(|(n, _)| *n == name)
}

/// Takes leave of threads. A panic of one that ended is ours.
fn leave(threads: Vec<(&'static str, JoinHandle<()>)>) {
    // Most stop at once.
    for _ in 0..20 {
        if threads.iter().all(|(_, t)| t.is_finished()) {
            break;
        }
        thread::sleep(Duration::from_micros(100));
    }
    for (name, t) in threads {
        if !t.is_finished() {
            LEFT.lock().expect("held for moments only").push((name, t));
        } else if let Err(panic) = t.join() {
            std::panic::resume_unwind(panic);
        }
    }
}

/// Bytes of memory that this process has; unknown where the system does not tell.
fn resident() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split_whitespace().nth(1)?.parse().ok()?;
    // Pages are of 4 KiB wherever we run; larger ones make the limit tighter than asked.
    Some(pages * 4096)
}
