//! Other programs: run one with a time limit and keep what it said.

use std::fs::File;
use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// How a program ended.
#[derive(Debug)]
pub struct Ran {
    /// `None` if it was stopped at the limit.
    pub status: Option<ExitStatus>,
    /// What it wrote, standard error after standard output.
    pub text: String,
}

impl Ran {
    pub fn ok(&self) -> bool {
        self.status.is_some_and(|s| s.success())
    }

    pub fn code(&self) -> Option<i32> {
        self.status.and_then(|s| s.code())
    }

    pub fn signal(&self) -> Option<i32> {
        self.status.and_then(|s| s.signal())
    }
}

/// Runs `command` for at most `limit`. Output goes through files, so that a program that says much
/// is never stuck on a full pipe.
pub fn run(command: &mut Command, limit: Duration) -> Ran {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let paths = [folder.path().join("out"), folder.path().join("err")];
    let create = |p: &Path| Stdio::from(File::create(p).expect("a temporary file"));
    let child = command.stdin(Stdio::null()).stdout(create(&paths[0])).stderr(create(&paths[1])).spawn();
    let mut child = child.unwrap_or_else(|e| panic!("cannot start {:?}: {e}", command.get_program()));
    let start = Instant::now();
    let mut pause = Duration::from_millis(1);
    let status = loop {
        if let Some(status) = child.try_wait().expect("a child of ours") {
            break Some(status);
        }
        if start.elapsed() > limit {
            child.kill().and_then(|()| child.wait()).expect("a child of ours");
            break None;
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    };
    Ran { status, text: paths.iter().map(read_lossy).collect() }
}

fn read_lossy(path: &PathBuf) -> String {
    let mut bytes = Vec::new();
    File::open(path).and_then(|mut f| f.read_to_end(&mut bytes)).expect("our own temporary file");
    String::from_utf8_lossy(&bytes).into_owned()
}
