//! What is known of an exploration, in a file: to go on later where it stopped.
//!
//! The file has the names of all nodes seen and which runs have them, the wishes left with the scripts of the
//! runs they come from, and the outcomes, each with the script of one run. Orders are not in it: they are had
//! again as when memory is short, by making the run again. Wishes that are being run when it is written are
//! wishes left. So an exploration in parts looks at the same wishes as one in one go.
//!
//! It is of use only to the same program, with the same options: whatever decides what runs do and what is
//! wished is in its key. What the key cannot know, such as files that the model reads, shows when the
//! outcomes' runs are made again: a file with a run that ends otherwise is refused.

use super::outcome::{Example, Known, KnownNow, Outcome, Outcomes, outcome};
use super::search::Search;
use super::server::{Failure, Script, Server, Setup};
use super::{Limits, order};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

const MAGIC: &[u8] = b"entail-explore-state-2\n";

/// The file, and who writes it.
#[derive(Clone, Debug)]
pub struct Resume {
    /// The file.
    pub file: PathBuf,
    /// What tells this program from others.
    pub tool: String,
}

/// What must be the same, each with the name by which people know it.
pub(super) type Key = BTreeMap<String, String>;

/// An exploration that stopped.
#[derive(Deserialize)]
pub(super) struct State {
    pub search: Search,
    pub outcomes: Known,
    pub took: Duration,
    pub loose: bool,
}

/// The same, of one that goes on: the same fields in the same order.
#[derive(Serialize)]
pub(super) struct StateNow<'a> {
    pub search: &'a Search,
    pub outcomes: KnownNow<'a>,
    pub took: Duration,
    pub loose: bool,
}

fn refuse(file: &Path, why: &str, help: &str) -> Failure {
    Failure::State(format!("cannot go on from {}: {why}", file.display()), help.into())
}

/// The key of an exploration. The server is a running one: what it has loaded counts, too.
pub(super) fn key(setup: &Setup, limits: &Limits, tool: &str, server: &Server) -> Key {
    let text = |s: &dyn std::fmt::Debug| format!("{s:?}");
    let parts = [
        ("entail", tool.to_string()),
        ("program or libraries", server.loaded()),
        ("arguments of the model", text(&setup.arguments)),
        ("--loose", text(&setup.loose_ppm)),
        ("--max-steps", text(&setup.max_steps)),
        ("--max-deltas", text(&setup.max_deltas)),
        ("--run-time", text(&setup.timeout)),
        ("--observe", text(&setup.observe)),
        ("sizes of records", text(&(setup.trace_bytes, setup.output_bytes))),
        ("--preemptions", text(&limits.departures)),
        ("--ordered-output", text(&limits.ordered_output)),
        ("--shared-delays", text(&limits.shared_delays)),
        ("--when", text(&limits.when)),
        ("--merge", text(&limits.merge)),
    ];
    parts.into_iter().map(|(name, value)| (name.to_string(), value)).collect()
}

/// Writes a state, whole or not at all.
pub(super) fn save(file: &Path, key: &Key, state: &StateNow) -> Result<(), Failure> {
    let cannot = |e: &dyn std::fmt::Display| {
        Failure::State(
            format!("cannot write {}: {e}", file.display()),
            "--resume needs a file that can be written".into(),
        )
    };
    let body = postcard::to_stdvec(&(key, state)).map_err(|e| cannot(&e))?;
    let folder = file.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut new = tempfile::NamedTempFile::new_in(folder).map_err(|e| cannot(&e))?;
    let hash = blake3::hash(&body);
    for part in [MAGIC, hash.as_bytes(), &body] {
        new.write_all(part).map_err(|e| cannot(&e))?;
    }
    new.as_file().sync_all().map_err(|e| cannot(&e))?;
    new.persist(file).map_err(|e| cannot(&e.error))?;
    Ok(())
}

/// Reads a state, if there is a file.
pub(super) fn load(file: &Path, key: &Key) -> Result<Option<State>, Failure> {
    let again = "remove the file to begin anew, or name another one";
    let bytes = match std::fs::read(file) {
        Ok(b) => b,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(refuse(file, &e.to_string(), again)),
    };
    let Some((hash, body)) = bytes.strip_prefix(MAGIC).and_then(|b| b.split_at_checked(blake3::OUT_LEN)) else {
        return Err(refuse(file, "it is not a file that this version of entail wrote for --resume", again));
    };
    if blake3::hash(body).as_bytes() != hash {
        return Err(refuse(file, "it is damaged", again));
    }
    // The key first: what follows it may look otherwise in another entail.
    let Ok((theirs, rest)) = postcard::take_from_bytes::<Key>(body) else {
        return Err(refuse(file, "it is not readable", again));
    };
    let other: Vec<&str> = key.iter().filter(|(k, v)| theirs.get(*k) != Some(v)).map(|(k, _)| k.as_str()).collect();
    if !other.is_empty() {
        let why = format!("it was written with other: {}", other.join(", "));
        return Err(refuse(file, &why, "give the same options, or remove the file to begin anew"));
    }
    postcard::from_bytes(rest).map(Some).map_err(|e| refuse(file, &format!("it is not readable: {e}"), again))
}

/// Makes the runs of the outcomes again.
pub(super) fn outcomes(
    file: &Path,
    known: Known,
    loose: bool,
    setup: &Setup,
    limits: &Limits,
) -> Result<Outcomes, Failure> {
    let Known { all, mut rest } = known;
    let part = all.len().div_ceil(limits.jobs.max(1)).max(1);
    let make = |part: &[(Outcome, u64, Script)]| -> Result<Vec<Example>, Failure> {
        let mut server = Server::start(setup)?;
        let mut out = Vec::with_capacity(part.len());
        for (was, _, script) in part {
            let run = server.run(script)?;
            if outcome(&run) != *was {
                let why = "a run that is made again ends otherwise";
                return Err(refuse(file, why, "something outside the model decides: files it reads, the host's clock"));
            }
            let order = Arc::new(order::order(&run, limits.ordered_output, loose));
            out.push(Example { run, order, script: script.clone() });
        }
        Ok(out)
    };
    let examples: Vec<Result<Vec<Example>, Failure>> = std::thread::scope(|s| {
        let workers: Vec<_> = all.chunks(part).map(|p| s.spawn(move || make(p))).collect();
        let lost = |_| Err(Failure::Lost("a worker ended".into()));
        workers.into_iter().map(|w| w.join().unwrap_or_else(lost)).collect()
    });
    let mut counts = all.into_iter();
    for part in examples {
        for (example, (outcome, n, _)) in part?.into_iter().zip(&mut counts) {
            rest.all.insert(outcome, (n, example));
        }
    }
    Ok(rest)
}
