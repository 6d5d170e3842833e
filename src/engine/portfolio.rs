//! Engines side by side: the first answer wins and the others stop.

use super::{Control, Engine, Outcome, Reason, Stats, Verdict};
use crate::model::{Goal, System};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Runs engines side by side, a thread each. Returns the answer and the engine's name; without
/// one, the deepest bound that was shown.
pub fn race(engines: Vec<Box<dyn Engine>>, sys: &System, goal: &Goal, ctl: &Control) -> (&'static str, Outcome) {
    let done = AtomicBool::new(false);
    let engines: Vec<Mutex<Box<dyn Engine>>> =
        engines.into_iter().filter(|e| e.accepts(sys, goal)).map(Mutex::new).collect();
    let next = AtomicUsize::new(0);
    let outcomes: Mutex<Vec<(&'static str, Outcome)>> = Mutex::new(Vec::new());
    let work = || {
        while let Some(e) = engines.get(next.fetch_add(1, Ordering::Relaxed)) {
            if done.load(Ordering::Relaxed) || ctl.stop() {
                return;
            }
            let mut e = e.lock().expect("each engine is taken once");
            let inner = Control { cancel: &done, outer: Some(ctl.cancel), ..*ctl };
            let outcome = e.check(sys, goal, &inner);
            if outcome.is_final() {
                done.store(true, Ordering::Relaxed);
            }
            outcomes.lock().expect("no engine panics while it reports").push((e.name(), outcome));
        }
    };
    std::thread::scope(|s| {
        // Each engine wins where the others do not end, so none waits for another to finish.
        for _ in 1..engines.len() {
            s.spawn(work);
        }
        work();
    });
    let mut all = outcomes.into_inner().expect("no engine panics while it reports");
    if let Some(i) = all.iter().position(|o| o.1.is_final()) {
        return all.swap_remove(i);
    }
    let bound = |o: &Outcome| if let Verdict::HoldsTo(n) = o.verdict { n } else { 0 };
    all.sort_by_key(|o| std::cmp::Reverse(bound(&o.1)));
    match all.into_iter().next() {
        Some(o) => o,
        None => {
            let why = if ctl.stop() { ctl.reason() } else { Reason::Unfit("no engine takes this goal".into()) };
            ("portfolio", Outcome::of(Verdict::Unknown(why), Stats::default()))
        }
    }
}
