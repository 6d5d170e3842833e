//! The model as a program that runs on demand: one process that forks a child for each run.

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
    /// Set by whoever wants runs to stop at once.
    pub stop: Arc<AtomicBool>,
}

/// What to do in a run: steps in the order wished, and chosen delays.
#[derive(Clone, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Script {
    /// Process key and number of the step.
    pub steps: Vec<(smol_str::SmolStr, u32)>,
    /// Timed things in the order in which they should become due where they have one date: the step that
    /// made them, by process key and number, and the operation of that step; none for its time-out.
    pub due: Vec<(smol_str::SmolStr, u32, Option<u32>)>,
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

const MAGIC: u64 = 0x656e_7461_696c_3031;
const SCRIPT_AT: u64 = 4096;
const SCRIPT_ROOM: u64 = 64 << 20;
/// How often a wait for the model looks whether somebody asked to stop.
const GLANCE: Duration = Duration::from_millis(50);

/// A model that waits for its next run.
pub struct Server {
    child: Child,
    socket: UnixStream,
    memory: File,
    output: File,
    setup: Setup,
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
        let header =
            [MAGIC, 0, 0, 0, 0, capacity, setup.max_steps, setup.max_deltas, setup.loose_ppm, 0, setup.output_bytes];
        let bytes: Vec<u8> = header.iter().flat_map(|w| w.to_le_bytes()).collect();
        memory.write_all_at(&bytes, 0)?;
        let (mine, theirs) = UnixStream::pair()?;
        let child = Command::new(&setup.program)
            .args(&setup.arguments)
            .env("ENTAIL_EXPLORE", "1")
            .env("ENTAIL_OBSERVE", setup.observe.join(";"))
            .env("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1")
            .stdin(Stdio::from(OwnedFd::from(theirs)))
            .stdout(Stdio::from(output.try_clone()?))
            .stderr(Stdio::from(memory.try_clone()?))
            // A group of its own: Ctrl-C is for us to answer, and whatever the model starts ends with it.
            .process_group(0)
            .spawn()
            .map_err(|e| Failure::Lost(format!("cannot start {}: {e}", setup.program.display())))?;
        let mut server = Server { child, socket: mine, memory, output, setup: setup.clone() };
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
        Ok(server)
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

    /// Runs once.
    pub fn run(&mut self, script: &Script) -> Result<Run, Failure> {
        let text = script.text();
        if text.len() as u64 > SCRIPT_ROOM {
            return Err(Failure::Script);
        }
        self.memory.write_all_at(text.as_bytes(), SCRIPT_AT)?;
        self.memory.write_all_at(&(text.len() as u64).to_le_bytes(), 8)?;
        self.socket.write_all(b"G")?;
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
                        killed = true;
                        let pid = self.word(4)?;
                        if let Some(pid) = i32::try_from(pid).ok().and_then(rustix::process::Pid::from_raw) {
                            let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
                        }
                    }
                }
                Err(e) => return Err(e.into()),
            }
        }
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
        let mut bytes = vec![0; words as usize * 8];
        self.memory.read_exact_at(&mut bytes, SCRIPT_AT + SCRIPT_ROOM)?;
        let words: Vec<u64> = bytes
            .chunks_exact(8)
            .map(|c| u64::from_le_bytes([c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7]]))
            .collect();
        let overflow = self.word(3)? != 0;
        let end = if overflow { End::Steps } else { end };
        decode(&words, end, self.printed()?).map_err(Failure::Broken)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
        let _ = self.child.wait();
    }
}
