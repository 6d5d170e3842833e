//! The model as a program that runs on demand: a process that forks a child for each run, and copies of it further on.

use super::checkpoint::{Checkpoints, Choices, SLOTS};
use super::order::{Due, Order};
use super::trace::{Broken, End, Run, decode};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::fs::FileExt;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How runs are made.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Every timed wait is loose by so many millionths.
    pub loose_ppm: u64,
    /// Most steps of a run.
    pub max_steps: u64,
    /// Most delta cycles in an instant.
    pub max_deltas: u64,
    /// Most time of a run.
    pub timeout: Duration,
    /// Most bytes of the record of a run.
    pub trace_bytes: u64,
    /// Most bytes of output of a run.
    pub output_bytes: u64,
    /// Objects and global variables whose final values are part of the outcome.
    pub observe: Vec<String>,
    /// Most copies of the model to keep in the middle of runs.
    pub checkpoints: usize,
    /// How long a run goes on from one before it leaves another: a fork should be worth it.
    pub checkpoint_after: Duration,
    /// States of the model will be asked for.
    pub states: bool,
    /// Set by whoever wants runs to stop at once.
    pub stop: Arc<AtomicBool>,
}

/// A step: key of the process, and number.
pub type Step = (smol_str::SmolStr, u32);

/// What to do in a run: steps in the order wished, and chosen delays.
#[derive(Clone, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Script {
    /// Process key and number of the step.
    pub steps: Vec<(smol_str::SmolStr, u32)>,
    /// Timed things in the order in which they should become due where they have one date.
    pub due: Vec<Due>,
    /// What all delays of a wait are multiplied with: the wait, and a fraction.
    pub scales: Vec<(u64, u64, u64)>,
    /// Process key, number of the delay, value.
    pub delays: Vec<(smol_str::SmolStr, u32, u64)>,
}

impl Script {
    /// The text that the shim reads.
    pub fn text(&self) -> String {
        use std::fmt::Write;
        let mut out = String::new();
        for (key, n) in &self.steps {
            let _ = writeln!(out, "step\t{key}\t{n}");
        }
        for (key, n, op) in &self.due {
            let _ = writeln!(out, "due\t{key}\t{n}\t{}", op.map_or(-1, i64::from));
        }
        for (site, n, d) in &self.scales {
            let _ = writeln!(out, "scale\t{site}\t{n}\t{d}");
        }
        for (key, n, value) in &self.delays {
            let _ = writeln!(out, "delay\t{key}\t{n}\t{value}");
        }
        out
    }
}

/// Why no run came of it.
#[derive(Debug)]
pub enum Failure {
    /// The program could not be started, or its server went away.
    Lost(String),
    /// It ended before its simulation began: exit status, and what it printed.
    Early(String, Vec<u8>),
    /// The script is longer than there is room for.
    Script,
    /// The record was not readable.
    Broken(Broken),
    /// Somebody asked to stop.
    Stopped,
    /// What was kept of an exploration cannot be read or written: what, and what to do.
    State(String, String),
}

impl From<io::Error> for Failure {
    fn from(e: io::Error) -> Failure {
        Failure::Lost(e.to_string())
    }
}

const MAGIC: u64 = 0x656e_7461_696c_3032;
const SCRIPT_AT: u64 = 4096;
const SCRIPT_ROOM: u64 = 64 << 20;
/// Words of the header that change: the process that runs, the number of the run, pause and slots for checkpoints.
const PID: u64 = 4;
const RUN: u64 = 11;
const PAUSE: u64 = 13;
const FREE: u64 = 14;
/// Where slots are, and words of each: process, steps, pipe.
const SLOTS_AT: u64 = 1024 / 8;
const SLOT_WORDS: u64 = 3;
/// Memory is looked at after so many runs; copies may have so much of it.
const LOOK_EVERY: u64 = 64;
const COPIES_KB: u64 = 2 << 20;
/// How long the end of a run that was killed may take to be told.
const GRACE: Duration = Duration::from_secs(10);
/// How often a wait for the model looks whether somebody asked to stop.
const GLANCE: Duration = Duration::from_millis(50);

/// A model that waits for its next run.
pub struct Server {
    child: Child,
    socket: UnixStream,
    memory: File,
    output: File,
    setup: Setup,
    checkpoints: Checkpoints,
    /// Ends of pipes to the slots' processes.
    pipes: Vec<Option<File>>,
    runs: u64,
    /// How long runs take, lately: the time from their start to the end.
    usual: Duration,
    /// Copies of the last run, and the slot it began at.
    left: Vec<(usize, u32, usize)>,
    from: usize,
    /// The words of the last run's record.
    record: Vec<u64>,
}

fn room() -> io::Result<File> {
    let fast = Path::new("/dev/shm");
    if fast.is_dir() { tempfile::tempfile_in(fast).or_else(|_| tempfile::tempfile()) } else { tempfile::tempfile() }
}

/// Nothing was there to read yet.
fn waiting(e: &io::Error) -> bool {
    matches!(e.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut | io::ErrorKind::Interrupted)
}

impl Server {
    /// Starts the program and waits until its simulation would begin.
    pub fn start(setup: &Setup) -> Result<Server, Failure> {
        let memory = room()?;
        let output = room()?;
        let capacity = setup.trace_bytes / 8;
        memory.set_len(SCRIPT_AT + SCRIPT_ROOM + capacity * 8)?;
        let flags = if setup.states { 2 } else { 0 };
        let header = [
            MAGIC,
            0,
            0,
            0,
            0,
            capacity,
            setup.max_steps,
            setup.max_deltas,
            setup.loose_ppm,
            flags,
            setup.output_bytes,
        ];
        let bytes: Vec<u8> = header.iter().flat_map(|w| w.to_le_bytes()).collect();
        memory.write_all_at(&bytes, 0)?;
        let (mine, theirs) = UnixStream::pair()?;
        let child = Command::new(&setup.program)
            .args(&setup.arguments)
            .env("ENTAIL_EXPLORE", "1")
            .env("ENTAIL_OBSERVE", setup.observe.join(";"))
            // What the loader does when a function is first called would be part of the state.
            .env("LD_BIND_NOW", "1")
            .env("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1")
            .stdin(Stdio::from(OwnedFd::from(theirs)))
            .stdout(Stdio::from(output.try_clone()?))
            .stderr(Stdio::from(memory.try_clone()?))
            // A group of its own: Ctrl-C is for us to answer, and whatever the model starts ends with it.
            .process_group(0)
            .spawn()
            .map_err(|e| Failure::Lost(format!("cannot start {}: {e}", setup.program.display())))?;
        let mut server = Server {
            child,
            socket: mine,
            memory,
            output,
            setup: setup.clone(),
            checkpoints: Checkpoints::new(0),
            pipes: Vec::new(),
            runs: 0,
            usual: Duration::ZERO,
            left: Vec::new(),
            from: 0,
            record: Vec::new(),
        };
        server.socket.set_read_timeout(Some(GLANCE.min(setup.timeout).max(Duration::from_millis(1))))?;
        let (began, mut ready) = (Instant::now(), [0]);
        let ready = loop {
            match server.socket.read(&mut ready) {
                Ok(n) => break n == 1,
                Err(e) if waiting(&e) && server.stopped() => return Err(Failure::Stopped),
                Err(e) if waiting(&e) && began.elapsed() < setup.timeout => {}
                Err(_) => break false,
            }
        };
        if !ready {
            server.kill();
            let status = server.child.wait().map_or_else(|e| e.to_string(), |s| s.to_string());
            return Err(Failure::Early(status, server.printed()?));
        }
        for slot in 0..SLOTS as u64 {
            let fd = server.word(SLOTS_AT + slot * SLOT_WORDS + 2)?;
            let path = format!("/proc/{}/fd/{fd}", server.child.id());
            server.pipes.push((slot > 0).then(|| File::options().write(true).open(path).ok()).flatten());
        }
        // Without a way to reach them there are none.
        if server.pipes[1..].iter().all(|p| p.is_some()) {
            server.checkpoints = Checkpoints::new(setup.checkpoints);
        }
        Ok(server)
    }

    /// Did the last run begin at a copy?
    pub fn began_at_copy(&self) -> bool {
        self.from > 0
    }

    /// Does it keep copies of the model?
    pub fn has_copies(&self) -> bool {
        self.runs > 0 && self.checkpoints.processes().next().is_some()
    }

    /// Ends a copy.
    fn end(pid: u32) {
        if let Some(pid) = i32::try_from(pid).ok().and_then(rustix::process::Pid::from_raw) {
            let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
        }
    }

    /// Chooses where a run begins, and lets it leave copies. (States are asked for from the beginning: what a copy has
    /// written down already has none.)
    fn place(&mut self, script: &Script, copies: bool) -> io::Result<()> {
        // Nobody knows what those have done.
        std::mem::take(&mut self.left).iter().for_each(|&(_, pid, _)| Server::end(pid));
        if self.runs.is_multiple_of(LOOK_EVERY) {
            while self.checkpoints.processes().map(crate::process::share_kb).sum::<u64>() > COPIES_KB {
                let Some(pid) = self.checkpoints.drop_one() else { break };
                Server::end(pid);
            }
        }
        self.from = if copies { self.checkpoints.best(script) } else { 0 };
        let (free, gone) = self.checkpoints.make_room(self.from);
        gone.into_iter().for_each(Server::end);
        let pause = (self.usual / (free.count_ones() + 1)).max(self.setup.checkpoint_after);
        self.runs += 1;
        self.put_word(PID, 0)?;
        self.put_word(RUN, self.runs)?;
        self.put_word(PAUSE, pause.as_nanos() as u64)?;
        self.put_word(FREE, free)
    }

    /// Which copies the run has left.
    fn look_for_copies(&mut self, free: u64) -> io::Result<()> {
        let taken = free & !self.word(FREE)?;
        for slot in (1..SLOTS).filter(|s| taken >> s & 1 == 1) {
            let at = SLOTS_AT + slot as u64 * SLOT_WORDS;
            self.left.push((slot, self.word(at)? as u32, self.word(at + 1)? as usize));
        }
        self.left.sort_by_key(|l| l.2);
        Ok(())
    }

    /// Keeps the copies that the last run has left, now that its order is known.
    pub fn keep_copies(&mut self, run: &Run, order: &Order) {
        if !self.left.is_empty() {
            let left = std::mem::take(&mut self.left);
            self.checkpoints.add(self.from, &left, &Arc::new(Choices::of(run, order)));
        }
    }

    fn stopped(&self) -> bool {
        self.setup.stop.load(Ordering::Relaxed)
    }

    /// What of code the program consists of: every file it has loaded to run, by where it is and its contents.
    pub fn loaded(&self) -> String {
        let maps = std::fs::read_to_string(format!("/proc/{}/maps", self.child.id())).unwrap_or_default();
        let mut hash = blake3::Hasher::new();
        for line in maps.lines() {
            let mut words = line.split_whitespace();
            let (Some(at), Some(rights)) = (words.next(), words.next()) else { continue };
            let Some(path) = words.nth(3).filter(|p| p.starts_with('/') && rights.contains('x')) else { continue };
            hash.update(at.as_bytes());
            hash.update(&std::fs::read(path).unwrap_or_default());
        }
        hash.finalize().to_hex().to_string()
    }

    /// Ends the server, the run it makes, and all that these started.
    fn kill(&mut self) {
        if let Some(group) = i32::try_from(self.child.id()).ok().and_then(rustix::process::Pid::from_raw) {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.child.kill();
    }

    fn printed(&self) -> io::Result<Vec<u8>> {
        let n = self.output.metadata()?.len().min(self.setup.output_bytes);
        let mut bytes = vec![0; n as usize];
        self.output.read_exact_at(&mut bytes, 0)?;
        Ok(bytes)
    }

    fn word(&self, k: u64) -> io::Result<u64> {
        let mut b = [0; 8];
        self.memory.read_exact_at(&mut b, k * 8)?;
        Ok(u64::from_le_bytes(b))
    }

    fn put_word(&self, k: u64, value: u64) -> io::Result<()> {
        self.memory.write_all_at(&value.to_le_bytes(), k * 8)
    }

    /// Runs once.
    pub fn run(&mut self, script: &Script) -> Result<Run, Failure> {
        self.run_for_states(script, &[])
    }

    /// Runs once, and has the state after some steps written down.
    pub fn run_for_states(&mut self, script: &Script, states: &[Step]) -> Result<Run, Failure> {
        let mut text = script.text();
        states.iter().for_each(|(key, n)| text += &format!("state\t{key}\t{n}\n"));
        if text.len() as u64 > SCRIPT_ROOM {
            return Err(Failure::Script);
        }
        self.memory.write_all_at(text.as_bytes(), SCRIPT_AT)?;
        self.put_word(1, text.len() as u64)?;
        self.place(script, states.is_empty())?;
        let free = self.word(FREE)?;
        match self.pipes[self.from].as_mut() {
            Some(pipe) => pipe.write_all(b"G")?,
            None => self.socket.write_all(b"G")?,
        }
        let began = Instant::now();
        let mut killed = false;
        let mut answer = [0; 8];
        let mut have = 0;
        while have < 8 {
            match self.socket.read(&mut answer[have..]) {
                Ok(0) => return Err(Failure::Lost("the model's server went away".into())),
                Ok(n) => have += n,
                Err(e) if waiting(&e) => {
                    if self.stopped() {
                        return Err(Failure::Stopped);
                    }
                    if began.elapsed() >= self.setup.timeout {
                        if began.elapsed() >= self.setup.timeout + GRACE {
                            return Err(Failure::Lost("the end of a run was not told".into()));
                        }
                        killed = true;
                        Server::end(self.word(PID)? as u32);
                    }
                }
                Err(e) => return Err(e.into()),
            }
        }
        if self.from == 0 {
            self.usual = (self.usual * 3 + began.elapsed()) / 4;
        }
        self.look_for_copies(free)?;
        let failed = i32::from_le_bytes([answer[0], answer[1], answer[2], answer[3]]);
        let status = i32::from_le_bytes([answer[4], answer[5], answer[6], answer[7]]);
        if failed != 0 {
            return Err(Failure::Lost(format!("cannot fork: {}", io::Error::from_raw_os_error(status))));
        }
        let end = if killed {
            End::Time
        } else if status & 0x7f == 0 {
            End::Exit(status >> 8 & 0xff)
        } else {
            End::Signal(status & 0x7f)
        };
        let words = self.word(2)?.min(self.setup.trace_bytes / 8);
        self.read_record(words as usize)?;
        let overflow = self.word(3)? != 0;
        let end = if overflow { End::Steps } else { end };
        decode(&self.record, end, self.printed()?).map_err(Failure::Broken)
    }

    /// Reads so many words of the record of a run, into the same memory each time.
    fn read_record(&mut self, words: usize) -> io::Result<()> {
        self.record.clear();
        let mut part = vec![0; 1 << 16];
        while self.record.len() < words {
            let done = self.record.len();
            let bytes = (8 * (words - done)).min(part.len());
            self.memory.read_exact_at(&mut part[..bytes], SCRIPT_AT + SCRIPT_ROOM + 8 * done as u64)?;
            let word = |c: &[u8]| u64::from_le_bytes([c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7]]);
            self.record.extend(part[..bytes].chunks_exact(8).map(word));
        }
        Ok(())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
        let _ = self.child.wait();
    }
}
