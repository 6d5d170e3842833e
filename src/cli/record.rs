//! What a command finds, gathered for `entail run`: the one place where the program keeps something on the side.
//!
//! A worker is told by hidden options where to leave its record, where the store is, and where to say how far it
//! is. Without them nothing here does anything.

use super::ExitCode;
use super::args::Common;
use crate::cache::asked::Trust;
use crate::cache::{self, Store, UNKNOWN};
use crate::report::record::{Excerpt, Finding, MISTAKE, Place, RECORD, Read, Record};
use crate::runner::{bounds, put};
use crate::source::{Diagnostic, Other, Severity, SourceMap, Span};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

mod explored;

pub use explored::explored;

/// What is gathered.
struct Worker {
    record: Record,
    file: Option<PathBuf>,
    progress: Option<(PathBuf, Instant)>,
    store: Option<PathBuf>,
    answers: Option<PathBuf>,
    trust: Trust,
}

static WORKER: Mutex<Option<Worker>> = Mutex::new(None);

fn with<R>(f: impl FnOnce(&mut Worker) -> R) -> Option<R> {
    WORKER.lock().unwrap_or_else(|e| e.into_inner()).as_mut().map(f)
}

/// Seconds since 1970.
pub fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs())
}

/// Begins to gather, if the options ask for it.
pub fn begin(common: &Common, kind: &str) -> Result<(), String> {
    if let Some(mb) = common.limit_memory {
        bounds::memory(mb)?;
    }
    if let Some(seconds) = common.limit_time {
        bounds::time(seconds)?;
    }
    if common.record.is_none() && common.store.is_none() {
        return Ok(());
    }
    bounds::tie()?;
    let record = Record { format: RECORD.into(), tool: super::fingerprint(), kind: kind.into(), ..Record::default() };
    let worker = Worker {
        record,
        file: common.record.clone(),
        progress: common.progress.clone().map(|p| (p, Instant::now() - Duration::from_secs(1))),
        store: common.store.clone(),
        answers: common.answers.clone(),
        trust: Trust { recheck: common.recheck_stored, retry_unknown: common.retry_stored },
    };
    *WORKER.lock().unwrap_or_else(|e| e.into_inner()) = Some(worker);
    Ok(())
}

/// Leaves the record.
pub fn finish(code: ExitCode) -> Result<(), String> {
    let Some(worker) = WORKER.lock().unwrap_or_else(|e| e.into_inner()).take() else { return Ok(()) };
    let Some(path) = worker.file else { return Ok(()) };
    let mut record = worker.record;
    record.exit = code as i32;
    record.memory_kb = super::load::peak_kb().unwrap_or(0);
    record.read.sort();
    record.read.dedup();
    let text = serde_json::to_vec(&record).map_err(|e| e.to_string())?;
    put(&path, &text).map_err(|e| format!("cannot write {}: {e}", path.display()))
}

/// Adds to the record.
pub fn add(f: impl FnOnce(&mut Record)) {
    with(|w| f(&mut w.record));
}

/// Whether a record is made.
pub fn is_on() -> bool {
    with(|_| ()).is_some()
}

/// How far the store is trusted.
pub fn trust() -> Trust {
    with(|w| w.trust).unwrap_or_default()
}

/// Opens the store, if there is one.
pub fn store() -> Option<Store> {
    let (path, answers) = with(|w| w.store.clone().map(|s| (s, w.answers.clone())))??;
    let opened = match answers {
        Some(a) => Store::lent(&path, &a),
        None => Store::open(&path),
    };
    match opened {
        Ok(s) => Some(s),
        Err(e) => {
            eprintln!("warning: {e}\n  note: nothing is taken from it and nothing is kept");
            with(|w| w.store = None);
            None
        }
    }
}

/// Says how far the work is.
pub fn progress(what: &str) {
    with(|w| {
        if let Some((path, last)) = &mut w.progress
            && last.elapsed() > Duration::from_millis(100)
        {
            *last = Instant::now();
            // Only looked at, never relied on.
            let _ = std::fs::write(path, what);
        }
    });
}

/// A place for a record.
pub fn place(map: &SourceMap, span: Span) -> Option<Place> {
    let l = map.location(span)?;
    // The last column, not the one after it.
    let end = if l.end_line == l.line { l.end_col.saturating_sub(1).max(l.col) } else { 0 };
    Some(Place { file: l.path.display().to_string(), line: l.line, column: l.col, end })
}

/// Lines around a finding that a report shows.
const AROUND: u32 = 3;

/// Adds messages.
pub fn findings(diags: &[Diagnostic], map: &SourceMap) {
    if !is_on() {
        return;
    }
    let list: Vec<Finding> = diags.iter().map(|d| finding(d, map)).collect();
    add(|r| r.findings.extend(list));
}

fn finding(d: &Diagnostic, map: &SourceMap) -> Finding {
    let primary = d.primary();
    let at = primary.and_then(|l| place(map, l.span));
    let others = d.labels.iter().filter(|l| primary.is_none_or(|p| p.span != l.span));
    Finding {
        code: d.code.as_str().into(),
        severity: match d.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        }
        .into(),
        message: d.message.clone(),
        place: at,
        also: others.filter_map(|l| Some((place(map, l.span)?, l.message.clone()))).collect(),
        notes: d.notes.clone(),
        help: d.help.clone(),
        source: primary.and_then(|l| excerpt(map, l.span)),
    }
}

/// The lines around a place.
pub fn excerpt(map: &SourceMap, span: Span) -> Option<Excerpt> {
    let location = map.location(span)?;
    let file = map.get(span.file)?;
    let from = location.line.saturating_sub(AROUND).max(1);
    let to = (location.end_line.min(location.line + 8) + AROUND).min(file.line_starts.len() as u32);
    let lines = (from..=to).map(|n| file.line(n).trim_end().to_string()).collect();
    Some(Excerpt { from, lines })
}

/// Adds what was read: the texts of the map, and the folders in which other files could have been found.
pub fn sources(map: &SourceMap, folders: &[PathBuf]) {
    if !is_on() {
        return;
    }
    let mut all: Vec<Read> = Vec::new();
    let mut watched: Vec<PathBuf> = folders.to_vec();
    for (_, f) in map.files() {
        if !f.path.is_file() {
            continue;
        }
        let path = f.path.display().to_string();
        // Of what was read, not of what the file holds by now.
        all.push(Read { path, hash: f.hash.to_hex().to_string(), folder: false });
        watched.extend(f.path.parent().map(Path::to_path_buf));
    }
    let file = |path: PathBuf, hash: String| Read { path: path.display().to_string(), hash, folder: false };
    all.extend(map.others().into_iter().map(|o| match o {
        Other::Read(path, hash) => file(path, hash.to_hex().to_string()),
        Other::Absent(path) => file(path, String::new()),
        Other::Found(pattern, files) => file(cache::pattern(&pattern), cache::found(Path::new(""), &files)),
        Other::Variable(name, value) => {
            file(format!("${name}").into(), value.map_or(String::new(), |v| v.to_hex().to_string()))
        }
        Other::Unknown(path) => file(path, UNKNOWN.into()),
    }));
    all.extend(watched.iter().map(|w| folder(w)));
    add(|r| r.read.extend(all));
}

fn folder(path: &Path) -> Read {
    let path = if path.as_os_str().is_empty() { ".".to_string() } else { path.display().to_string() };
    Read { hash: cache::now(Path::new(""), &path, true), path, folder: true }
}

/// Adds folders in which files were looked for.
pub fn folders(paths: &[PathBuf]) {
    if is_on() {
        let all: Vec<Read> = paths.iter().map(|p| folder(p)).collect();
        add(|r| r.read.extend(all));
    }
}

/// Adds a file whose text was read.
pub fn text(path: &Path, text: &str) {
    let hash = blake3::hash(text.as_bytes()).to_hex().to_string();
    add(|r| r.read.push(Read { path: path.display().to_string(), hash, folder: false }));
}

/// Adds files whose contents matter; the hash is of what they hold now.
pub fn files(paths: impl Iterator<Item = PathBuf>) {
    if is_on() {
        let read = |p: PathBuf| {
            let path = p.display().to_string();
            Read { hash: cache::now(Path::new(""), &path, false), path, folder: false }
        };
        let all: Vec<Read> = paths.map(read).collect();
        add(|r| r.read.extend(all));
    }
}

/// Something of what was read cannot be told: nothing is known to be the same.
pub fn unknown(about: &Path) {
    add(|r| r.read.push(Read { path: about.display().to_string(), hash: UNKNOWN.into(), folder: false }));
}

/// Adds files that were read since a time, and `$NAME` for variables: what has changed meanwhile is not known to be what
/// was read.
pub fn read_since(names: impl Iterator<Item = String>, since: SystemTime) {
    let all: Vec<Read> = names
        .map(|path| {
            let new = std::fs::metadata(&path).and_then(|m| m.modified()).is_ok_and(|t| t >= since);
            let hash = if new { UNKNOWN.into() } else { cache::now(Path::new(""), &path, false) };
            Read { path, hash, folder: false }
        })
        .collect();
    add(|r| r.read.extend(all));
}

/// The date matters.
pub fn today() {
    let hash = cache::now(Path::new(""), cache::TODAY, false);
    add(|r| r.read.push(Read { path: cache::TODAY.into(), hash, folder: false }));
}

/// Adds a mistake without a place; what to do about it may stand on a line of its own, as it is printed.
pub fn complaint(message: &str, details: &str) {
    let (message, help) = match message.split_once("\n  help: ") {
        Some((m, h)) => (m, Some(h.to_string())),
        None => (message, None),
    };
    let finding = Finding {
        code: MISTAKE.into(),
        severity: "error".into(),
        message: message.into(),
        place: None,
        also: Vec::new(),
        notes: details.lines().take(40).map(str::to_string).collect(),
        help,
        source: None,
    };
    add(|r| r.findings.push(finding));
}
