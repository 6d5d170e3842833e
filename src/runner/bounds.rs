//! What the system keeps a worker from, whoever watches it or does not: too much memory, too much time, a life longer
//! than that of its run.
//!
//! A run watches its workers and ends those that go too far, with a word on why; that is the usual way. These bounds
//! are a little wider, and hold when the run is stopped or hangs: the worker asks the system for them before it begins.

use rustix::process::{Resource, Rlimit, Signal, getppid, getrlimit, set_parent_process_death_signal, setrlimit};

/// The variable that tells a worker which process started it.
pub const PARENT: &str = "ENTAIL_PARENT";

/// Seconds in which whoever watches can end a worker before the system does.
pub const LEEWAY: u64 = 4;

/// Bounds the memory to some megabytes.
///
/// Threads that read sources reserve a stack of a gigabyte each, of which they use little: whoever watches looks at
/// what is really used, and this is for what grows too fast to be watched.
pub fn memory(mb: u64) -> Result<(), String> {
    let most = mb.saturating_add((cores() + 8) << 10).saturating_mul(1 << 20);
    narrow(Resource::Data, most, most).map_err(|e| format!("cannot bound the memory: {e}"))
}

/// Bounds the time to some seconds: an alarm that nobody answers ends the process, and what it starts has no more
/// processor time than all cores would have in that time.
pub fn time(seconds: u64) -> Result<(), String> {
    let real = seconds.saturating_add(LEEWAY);
    let busy = real.saturating_mul(cores());
    narrow(Resource::Cpu, busy, busy.saturating_add(LEEWAY)).map_err(|e| format!("cannot bound the time: {e}"))?;
    // SAFETY: it takes a number and returns one; no memory is involved, and no code of ours runs when it rings.
    unsafe { libc::alarm(u32::try_from(real).unwrap_or(u32::MAX)) };
    Ok(())
}

/// A worker does not outlive the run it works for, however that ends. If the machine runs out of memory, it is the
/// worker that goes, not the run.
pub fn tie() -> Result<(), String> {
    // Not every system lets us say so.
    let _ = std::fs::write("/proc/self/oom_score_adj", "500");
    set_parent_process_death_signal(Some(Signal::KILL))
        .map_err(|e| format!("cannot tie the worker to its run: {e}"))?;
    // Its death may have come before, and then no word of it comes any more.
    let parent = std::env::var(PARENT).ok().and_then(|p| p.parse::<i32>().ok());
    match parent.is_none_or(|p| getppid().is_some_and(|now| now.as_raw_nonzero().get() == p)) {
        true => Ok(()),
        false => Err("the run has ended that this was started for".into()),
    }
}

fn cores() -> u64 {
    std::thread::available_parallelism().map_or(1, |n| n.get() as u64)
}

/// Sets a limit, unless there is a narrower one: that of a queue, or of the user's shell.
fn narrow(what: Resource, current: u64, maximum: u64) -> rustix::io::Result<()> {
    let old = getrlimit(what);
    let least = |new: u64, old: Option<u64>| Some(old.map_or(new, |o| o.min(new)));
    setrlimit(what, Rlimit { current: least(current, old.current), maximum: least(maximum, old.maximum) })
}
