//! Jobs into work and verdicts: which must be run ([`plan`]), processes of this machine ([`local`]) or of a cluster
//! ([`cluster`]), and what their ends mean ([`judge`]).
//!
//! A [`Task`] is a command line of this program with a folder to itself. Whoever runs it, what it leaves is in
//! that folder: `record.json` (what was found), `log` (what was printed) and last `done.json` (a [`Done`], put
//! in place by a rename, so that it is there whole or not at all). A task whose folder has no `done.json` was
//! lost. So a task can be run on another machine that shares the file system, and gathered later.

pub mod bounds;
pub mod cluster;
pub mod jobserver;
pub mod judge;
pub mod local;
pub mod plan;

use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Something to run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Task {
    /// The job's name.
    pub name: String,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// The folder it runs in.
    pub directory: PathBuf,
    /// The folder for what it leaves.
    pub folder: PathBuf,
    /// Most seconds.
    pub seconds: u64,
    /// Most megabytes.
    pub memory_mb: u64,
}

/// How a task ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ended {
    /// By itself, with this exit code.
    Exit(i32),
    /// It used up its time.
    OutOfTime,
    /// It used up its memory.
    OutOfMemory,
    /// It died of something else, in words.
    Died(String),
    /// Nobody knows: the machine or the queue lost it.
    Lost(String),
    /// The user stopped it.
    Stopped,
}

/// What is known of a task that ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Done {
    /// How.
    pub ended: Ended,
    /// Wall-clock time.
    pub seconds: f64,
    /// Most memory of the process, in kilobytes; 0 where it is not known.
    pub memory_kb: u64,
}

impl Task {
    /// Where the record is.
    pub fn record(&self) -> PathBuf {
        self.folder.join("record.json")
    }

    /// Where the output is.
    pub fn log(&self) -> PathBuf {
        self.folder.join("log")
    }

    /// Where answers are, of a task that does not write to the store itself.
    pub fn answers(&self) -> PathBuf {
        self.folder.join("answers")
    }

    /// Where it says how far it is.
    pub fn progress(&self) -> PathBuf {
        self.folder.join("progress")
    }

    /// Leaves word of how it ended.
    pub fn leave(&self, done: &Done) -> std::io::Result<()> {
        let text = serde_json::to_string(done).map_err(std::io::Error::other)?;
        put(&self.folder.join("done.json"), text.as_bytes())
    }

    /// How it ended, if it did.
    pub fn left(&self) -> Option<Done> {
        let text = std::fs::read_to_string(self.folder.join("done.json")).ok()?;
        serde_json::from_str(&text).ok()
    }
}

/// Writes a file so that it is there whole or not at all. What is no plain file, such as a pipe or `/dev/null`, is
/// written to and not replaced.
pub fn put(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    if path.metadata().is_ok_and(|m| !m.is_file()) {
        return std::fs::write(path, bytes);
    }
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{}.new", std::process::id()));
    let new = path.with_file_name(name);
    std::fs::write(&new, bytes)?;
    std::fs::rename(&new, path)
}
