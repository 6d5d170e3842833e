//! Tasks as processes of this machine.
//!
//! Each runs in a process group of its own, so that what it starts ends with it. The worker itself asks the
//! system to bound its memory and its time, to be the first to go when the machine has none left, and to be killed when
//! its parent dies ([`super::bounds`]). The system's bounds are wider than what was asked for; the memory that is
//! really in use is watched here, and so is the time.

use super::{Done, Ended, Task, bounds};
use crate::process::{descendants, resident_kb, share_kb};
use rustix::process::{Pid, Signal, kill_process_group};
use std::fs::File;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What is seen of a running process: its number and its memory in kilobytes.
pub type Watch<'w> = &'w (dyn Fn(u32, u64) + Sync);

/// How long a process may take to end when it is asked to.
const GRACE: Duration = Duration::from_secs(2);

/// Runs a task to its end.
pub fn run(task: &Task, stop: &AtomicBool, watch: Watch) -> Done {
    let began = Instant::now();
    let done = |ended: Ended, memory_kb: u64| Done { ended, seconds: began.elapsed().as_secs_f64(), memory_kb };
    let mut child = match start(task) {
        Ok(c) => c,
        Err(e) => return done(Ended::Died(e), 0),
    };
    let limit = Duration::from_secs(task.seconds);
    let mut memory = 0;
    let mut pause = Duration::from_millis(1);
    let mut looked = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => {
                end_group(&child, Signal::KILL);
                return done(ended(task, status), memory);
            }
            Ok(None) => {}
            Err(e) => return done(Ended::Died(format!("it cannot be waited for: {e}")), memory),
        }
        if looked.elapsed() > Duration::from_millis(20) {
            looked = Instant::now();
            let most = task.memory_mb.saturating_mul(1024);
            let (peak, used) = memory_kb(child.id(), most);
            memory = memory.max(peak).max(used);
            watch(child.id(), memory);
            if used > most {
                end(&mut child);
                return done(Ended::OutOfMemory, memory);
            }
        }
        let why = if stop.load(Ordering::Relaxed) {
            Some(Ended::Stopped)
        } else if began.elapsed() > limit {
            Some(Ended::OutOfTime)
        } else {
            None
        };
        if let Some(why) = why {
            end(&mut child);
            return done(why, memory);
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(10));
    }
}

fn start(task: &Task) -> Result<Child, String> {
    let (program, words) = task.command.split_first().ok_or("there is no command")?;
    let log = File::create(task.log()).map_err(|e| format!("cannot write {}: {e}", task.log().display()))?;
    let second = log.try_clone().map_err(|e| e.to_string())?;
    Command::new(program)
        .args(words)
        .current_dir(&task.directory)
        .env(bounds::PARENT, std::process::id().to_string())
        .stdin(Stdio::null())
        .stdout(log)
        .stderr(second)
        .process_group(0)
        .spawn()
        .map_err(|e| format!("cannot start {program}: {e}"))
}

/// Asks a process to end, and then makes it.
fn end(child: &mut Child) {
    end_group(child, Signal::TERM);
    let asked = Instant::now();
    while asked.elapsed() < GRACE {
        if matches!(child.try_wait(), Ok(Some(_)) | Err(_)) {
            break;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    end_group(child, Signal::KILL);
    // It is dead: this only takes note of it.
    let _ = child.wait();
}

fn end_group(child: &Child, signal: Signal) {
    if let Some(pid) = Pid::from_raw(child.id() as i32) {
        // A group that is gone is what we want.
        let _ = kill_process_group(pid, signal);
    }
}

fn ended(task: &Task, status: ExitStatus) -> Ended {
    if let Some(code) = status.code() {
        return Ended::Exit(code);
    }
    let signal = status.signal().unwrap_or(0);
    // The words of Rust, of C++ and of the C library when there is no more memory.
    let words = ["memory allocation of", "std::bad_alloc", "out of memory", "Cannot allocate memory"];
    let log = std::fs::read(task.log()).unwrap_or_default();
    let log = String::from_utf8_lossy(&log[log.len().saturating_sub(8_192)..]).into_owned();
    match signal {
        6 if words.iter().any(|w| log.contains(w)) => Ended::OutOfMemory,
        // The alarm, and the limit of processor time: the system was faster than we were, since we were stopped.
        14 | 24 => Ended::OutOfTime,
        9 => Ended::Died("it was killed: perhaps the machine has no more memory".into()),
        n => Ended::Died(format!("it died of signal {n}{}", name(n))),
    }
}

fn name(signal: i32) -> &'static str {
    match signal {
        4 => " (illegal instruction)",
        6 => " (abort)",
        7 => " (bus error)",
        8 => " (arithmetic)",
        11 => " (segmentation fault)",
        15 => " (terminated)",
        _ => "",
    }
}

/// Most memory a process has had, and what it has now with all that it started, where the system tells.
fn memory_kb(pid: u32, most: u64) -> (u64, u64) {
    let (peak, own) = resident_kb(pid);
    let below = descendants(pid);
    let whole: u64 = below.iter().map(|&p| resident_kb(p).1).sum();
    // Copies of a process share most of what they have: where it matters, what is shared is counted once.
    let below = if own + whole > most { below.iter().map(|&p| share_kb(p)).sum() } else { whole };
    (peak, own + below)
}
