//! The store: answers, records of jobs and their history, in one file.
//!
//! SQLite, since it is the embedded store whose behaviour under crashes and under several writers is best
//! known: a transaction that was committed survives the death of the process, one that was not leaves no
//! trace, and other processes wait their turn. Stores in pure Rust that were looked at (redb, sled, fjall) let
//! one process in at a time, and here each worker keeps its own answers.
//!
//! What is in it:
//! - **answers**, under a hash of all that they depend on: the property's cone, options, the program. They are
//!   about the question, not about files.
//! - **records**: what a command line found when the files it read had certain contents. They let a run in
//!   which nothing changed say so without starting a worker.
//! - **history**: what became of each job, when, at which commit.

use crate::report::record::{Past, Read, Record, Status, Trend};
use rusqlite::{Connection, OptionalExtension, params};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::Duration;

pub mod asked;
mod error;
mod fresh;
pub use error::Error;
pub use fresh::{Files, TODAY, UNKNOWN, found, is_watched, now, pattern, pattern_of};

/// Layout of the tables; another one is another store.
const LAYOUT: i32 = 1;
/// Variants of one job's inputs that are remembered.
const VARIANTS: u32 = 8;
/// Runs of a job that reports show.
const PASTS: u32 = 30;

/// An open store.
pub struct Store {
    db: Connection,
    /// Answers go into this file, not into the store.
    additions: Option<PathBuf>,
}

/// A record with what is known of the run that made it.
pub struct Kept {
    /// Where it is.
    pub row: i64,
    /// What it read.
    pub read: Vec<Read>,
    /// When it was made.
    pub at: u64,
    /// How long it took.
    pub seconds: f64,
    /// Most memory.
    pub memory_kb: u64,
}

/// What became of a job, for its history.
pub struct Event<'e> {
    /// The job.
    pub job: &'e str,
    /// What became of it.
    pub status: Status,
    /// How long it took; for cached ones, when it was run.
    pub seconds: f64,
    /// Whether nothing was run.
    pub cached: bool,
    /// Why it was run, or was not.
    pub why: &'e str,
}

/// Gives the history of an older store the column it had not yet. Programs that do not know it go on without it.
fn widen(db: &Connection) -> rusqlite::Result<()> {
    let text = "SELECT COUNT(*) FROM pragma_table_info('history') WHERE name = 'why'";
    let has = || db.query_row(text, [], |r| r.get::<_, i64>(0)).map(|n| n > 0);
    if has()? {
        return Ok(());
    }
    let added = db.execute_batch("ALTER TABLE history ADD COLUMN why TEXT");
    // Another process may have been faster.
    if has()? { Ok(()) } else { added }
}

/// An answer on its way into the store: a line of JSON.
#[derive(Serialize, Deserialize)]
struct Addition {
    key: String,
    at: u64,
    value: serde_json::Value,
}

fn add_line(path: &Path, key: &str, value: &[u8], at: u64) -> std::io::Result<()> {
    use std::io::Write;
    let value = serde_json::from_slice(value)?;
    let line = serde_json::to_string(&Addition { key: key.into(), at, value })? + "\n";
    std::fs::OpenOptions::new().create(true).append(true).open(path)?.write_all(line.as_bytes())
}

impl Store {
    /// Opens a store, which is made if it is not there.
    pub fn open(path: &Path) -> Result<Store, Error> {
        if let Some(folder) = path.parent().filter(|f| !f.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder)
                .map_err(|e| Error::Circumstance(format!("cannot make {}: {e}", folder.display())))?;
        }
        let at = Error::at(path);
        let db = Connection::open(path).map_err(&at)?;
        db.busy_timeout(Duration::from_secs(60)).map_err(&at)?;
        // A log beside the file while it is in use: writers do not keep readers waiting. Where the file system
        // has no shared memory for it, SQLite stays with its journal.
        let _ = db.query_row("PRAGMA journal_mode = WAL", [], |r| r.get::<_, String>(0));
        // What was committed survives the death of the process; after a loss of power the last commits may be
        // missing, but nothing is damaged.
        db.execute_batch("PRAGMA synchronous = NORMAL").map_err(&at)?;
        let layout: i32 = db.query_row("PRAGMA user_version", [], |r| r.get(0)).map_err(&at)?;
        if layout != LAYOUT && layout != 0 {
            return Err(Error::Foreign(format!("the store {} is of another version of entail", path.display())));
        }
        if layout == 0 {
            // Two processes may come here at once: one makes the tables, the other finds them.
            db.execute_batch(&format!(
                "BEGIN IMMEDIATE;
                 CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, at INTEGER NOT NULL, value BLOB NOT NULL);
                 CREATE TABLE IF NOT EXISTS records (
                     id INTEGER PRIMARY KEY, spec TEXT NOT NULL, read BLOB NOT NULL, at INTEGER NOT NULL,
                     seconds REAL NOT NULL, memory INTEGER NOT NULL, record BLOB NOT NULL, UNIQUE (spec, read));
                 CREATE TABLE IF NOT EXISTS runs (
                     id INTEGER PRIMARY KEY, at INTEGER NOT NULL, revision TEXT, seconds REAL, pass INTEGER,
                     fail INTEGER, unknown INTEGER, error INTEGER, skipped INTEGER);
                 CREATE TABLE IF NOT EXISTS history (
                     id INTEGER PRIMARY KEY, run INTEGER NOT NULL, job TEXT NOT NULL, at INTEGER NOT NULL,
                     status TEXT NOT NULL, seconds REAL NOT NULL, cached INTEGER NOT NULL, why TEXT);
                 CREATE INDEX IF NOT EXISTS history_job ON history (job, id);
                 PRAGMA user_version = {LAYOUT};
                 COMMIT;"
            ))
            .map_err(&at)?;
        }
        widen(&db).map_err(&at)?;
        Ok(Store { db, additions: None })
    }

    /// Writes the answers into a store of their own, for machines that can read this folder and must not write to it
    /// all at once: several writers are not safe where the file is on a network.
    pub fn lend(&self, to: &Path) -> Result<(), Error> {
        let at = |e: rusqlite::Error| Error::of(&format!("cannot lend the store to {}", to.display()), &e);
        let text = format!(
            "ATTACH ?1 AS lent; \
             CREATE TABLE lent.answers (key TEXT PRIMARY KEY, at INTEGER NOT NULL, value BLOB NOT NULL); \
             INSERT INTO lent.answers SELECT * FROM main.answers; PRAGMA lent.user_version = {LAYOUT}; DETACH lent"
        );
        for (k, command) in text.split("; ").enumerate() {
            match k {
                0 => self.db.execute(command, [to.display().to_string()]).map(|_| ()),
                _ => self.db.execute_batch(command),
            }
            .map_err(at)?;
        }
        Ok(())
    }

    /// A store that was lent: nothing changes it, and new answers go into a file beside.
    pub fn lent(path: &Path, additions: &Path) -> Result<Store, Error> {
        use rusqlite::OpenFlags;
        // Without locks, of which a file on a network may have none.
        let name: String = path.display().to_string().replace('%', "%25").replace('?', "%3f").replace('#', "%23");
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
        let db = Connection::open_with_flags(format!("file:{name}?immutable=1"), flags).map_err(Error::at(path))?;
        Ok(Store { db, additions: Some(additions.to_path_buf()) })
    }

    /// Takes in the answers of somebody to whom it was lent; a line that was cut off is no answer.
    pub fn take_back(&self, additions: &Path) -> Result<(), Error> {
        let Ok(text) = std::fs::read_to_string(additions) else { return Ok(()) };
        for line in text.lines() {
            if let Ok(Addition { key, at, value }) = serde_json::from_str(line) {
                self.keep_answer(&key, value.to_string().as_bytes(), at)?;
            }
        }
        Ok(())
    }

    /// Several changes as one.
    pub fn together<R, E: From<Error>>(&self, work: impl FnOnce(&Store) -> Result<R, E>) -> Result<R, E> {
        self.db.execute_batch("BEGIN IMMEDIATE").map_err(Error::from)?;
        match work(self) {
            Ok(r) => self.db.execute_batch("COMMIT").map(|()| r).map_err(|e| Error::from(e).into()),
            Err(e) => {
                // What is given up is gone when the connection is, too.
                let _ = self.db.execute_batch("ROLLBACK");
                Err(e)
            }
        }
    }

    /// The answer under a key.
    pub fn answer(&self, key: &str) -> Result<Option<Vec<u8>>, Error> {
        let mut q = self.db.prepare_cached("SELECT value FROM answers WHERE key = ?")?;
        Ok(q.query_row([key], |r| r.get(0)).optional()?)
    }

    /// Keeps an answer.
    pub fn keep_answer(&self, key: &str, value: &[u8], now: u64) -> Result<(), Error> {
        if let Some(path) = &self.additions {
            return add_line(path, key, value, now)
                .map_err(|e| Error::Circumstance(format!("cannot write {}: {e}", path.display())));
        }
        let mut q = self.db.prepare_cached("INSERT OR REPLACE INTO answers VALUES (?, ?, ?)")?;
        q.execute(params![key, now as i64, value])?;
        Ok(())
    }

    /// Records of a command line, newest first.
    pub fn records(&self, spec: &str) -> Result<Vec<Kept>, Error> {
        let text = "SELECT id, read, at, seconds, memory FROM records WHERE spec = ? ORDER BY id DESC";
        let mut q = self.db.prepare_cached(text)?;
        let rows = q.query_map([spec], |r| {
            let read: Vec<u8> = r.get(1)?;
            Ok(Kept {
                row: r.get(0)?,
                // What cannot be read fits nothing.
                read: serde_json::from_slice(&read).unwrap_or_default(),
                at: r.get::<_, i64>(2)? as u64,
                seconds: r.get(3)?,
                memory_kb: r.get::<_, i64>(4)? as u64,
            })
        });
        Ok(rows.and_then(|r| r.collect())?)
    }

    /// The record itself.
    pub fn record(&self, kept: &Kept) -> Result<Record, Error> {
        let mut q = self.db.prepare_cached("SELECT record FROM records WHERE id = ?")?;
        let bytes: Vec<u8> = q.query_row([kept.row], |r| r.get(0))?;
        serde_json::from_slice(&bytes)
            .map_err(|e| Error::Damaged(format!("the store has a record that cannot be read: {e}")))
    }

    /// Keeps a record; of many variants of a command's inputs the oldest go.
    pub fn keep_record(&self, spec: &str, record: &Record, at: u64, seconds: f64, memory_kb: u64) -> Result<(), Error> {
        let json = |e: serde_json::Error| Error::Circumstance(format!("cannot keep a record: {e}"));
        let read = serde_json::to_vec(&record.read).map_err(json)?;
        let bytes = serde_json::to_vec(record).map_err(json)?;
        let text = "INSERT OR REPLACE INTO records (spec, read, at, seconds, memory, record) VALUES (?, ?, ?, ?, ?, ?)";
        let mut q = self.db.prepare_cached(text)?;
        q.execute(params![spec, read, at as i64, seconds, memory_kb as i64, bytes])?;
        let text = "DELETE FROM records WHERE spec = ?1 AND id NOT IN \
                    (SELECT id FROM records WHERE spec = ?1 ORDER BY id DESC LIMIT ?2)";
        let mut q = self.db.prepare_cached(text)?;
        q.execute(params![spec, VARIANTS])?;
        Ok(())
    }

    /// Begins a run; its number.
    pub fn begin_run(&self, at: u64, commit: Option<&str>) -> Result<i64, Error> {
        let text = "INSERT INTO runs (at, revision) VALUES (?, ?)";
        self.db.execute(text, params![at as i64, commit])?;
        Ok(self.db.last_insert_rowid())
    }

    /// Writes down what became of a job.
    pub fn note(&self, run: i64, at: u64, e: &Event) -> Result<(), Error> {
        let text = "INSERT INTO history (run, job, at, status, seconds, cached, why) VALUES (?, ?, ?, ?, ?, ?, ?)";
        let mut q = self.db.prepare_cached(text)?;
        let row = params![run, e.job, at as i64, e.status.word(), e.seconds, e.cached, e.why];
        q.execute(row)?;
        Ok(())
    }

    /// Ends a run: counts are of pass, fail, unknown, error, skipped.
    pub fn end_run(&self, run: i64, seconds: f64, counts: [u32; 5]) -> Result<(), Error> {
        let [p, f, u, e, s] = counts;
        let text = "UPDATE runs SET seconds = ?, pass = ?, fail = ?, unknown = ?, error = ?, skipped = ? WHERE id = ?";
        self.db.execute(text, params![seconds, p, f, u, e, s, run])?;
        Ok(())
    }

    /// Earlier runs that ended, oldest first.
    pub fn trend(&self, most: u32) -> Result<Vec<Trend>, Error> {
        let text = "SELECT at, revision, pass, fail, unknown, error, skipped, seconds FROM runs \
                    WHERE seconds IS NOT NULL ORDER BY id DESC LIMIT ?";
        let mut q = self.db.prepare_cached(text)?;
        let rows = q.query_map([most], |r| {
            Ok(Trend {
                at: r.get::<_, i64>(0)? as u64,
                commit: r.get(1)?,
                counts: [r.get(2)?, r.get(3)?, r.get(4)?, r.get(5)?, r.get(6)?],
                seconds: r.get(7)?,
            })
        });
        let mut all: Vec<Trend> = rows.and_then(|r| r.collect())?;
        all.reverse();
        Ok(all)
    }

    /// Earlier runs of a job, newest first.
    pub fn pasts(&self, job: &str) -> Result<Vec<Past>, Error> {
        let text = "SELECT h.at, h.status, h.seconds, r.revision, h.cached, h.why FROM history h LEFT JOIN runs r ON r.id = h.run \
                    WHERE h.job = ? ORDER BY h.id DESC LIMIT ?";
        let mut q = self.db.prepare_cached(text)?;
        let rows = q.query_map(params![job, PASTS], |r| {
            let status: String = r.get(1)?;
            Ok(Past {
                at: r.get::<_, i64>(0)? as u64,
                status: [Status::Pass, Status::Fail, Status::Unknown, Status::Error]
                    .into_iter()
                    .find(|s| s.word() == status)
                    .unwrap_or(Status::Skipped),
                seconds: r.get(2)?,
                commit: r.get(3)?,
                cached: r.get(4)?,
                why: r.get(5)?,
            })
        });
        Ok(rows.and_then(|r| r.collect())?)
    }

    /// Removes answers and records that are older than a date; history stays. How many went.
    pub fn forget(&self, before: u64) -> Result<usize, Error> {
        let a = self.db.execute("DELETE FROM answers WHERE at < ?", [before as i64])?;
        let r = self.db.execute("DELETE FROM records WHERE at < ?", [before as i64])?;
        self.db.execute_batch("VACUUM")?;
        Ok(a + r)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_with_a_store_is_told_apart() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("store.db");
        let opened = |bytes: &[u8]| {
            std::fs::write(&path, bytes).expect("written");
            Store::open(&path).err()
        };
        assert!(matches!(opened(&b"this is no store".repeat(200)), Some(Error::Damaged(_))));
        std::fs::remove_file(&path).expect("it was there");
        let store = Store::open(&path).expect("a store");
        // Another process does not let go: nothing is damaged, and nobody is told to remove anything.
        let other = Connection::open(&path).expect("the file");
        other.execute_batch("BEGIN IMMEDIATE").expect("held");
        store.db.busy_timeout(Duration::ZERO).expect("no patience");
        let busy = store.keep_answer("k", b"{}", 1).expect_err("it is held");
        assert!(matches!(busy, Error::Circumstance(_)) && !busy.to_string().contains("clean"), "{busy}");
        other.execute_batch("ROLLBACK; DROP TABLE answers; PRAGMA user_version = 9").expect("changed");
        let missing = store.answer("k").expect_err("no table");
        assert!(matches!(missing, Error::Damaged(_)) && missing.to_string().contains("`entail clean`"), "{missing}");
        assert!(matches!(Store::open(&path), Err(Error::Foreign(_))));
    }

    #[test]
    fn the_history_of_an_older_store_goes_on() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("store.db");
        let event = |why| Event { job: "j", status: Status::Pass, seconds: 1.0, cached: false, why };
        drop(Store::open(&path).expect("a store"));
        {
            let db = Connection::open(&path).expect("the file");
            db.execute_batch("ALTER TABLE history DROP COLUMN why").expect("as it was");
            let row = "INSERT INTO history (run, job, at, status, seconds, cached) VALUES (1, 'j', 5, 'fail', 1, 0)";
            db.execute_batch(row).expect("a run of then");
        }
        let store = Store::open(&path).expect("an older store");
        store.note(2, 6, &event("rtl/a.sv has changed")).expect("a run of now");
        let pasts = Store::open(&path).expect("again").pasts("j").expect("a history");
        let said: Vec<_> = pasts.iter().map(|p| (p.status, p.why.as_deref())).collect();
        assert_eq!(said, [(Status::Pass, Some("rtl/a.sv has changed")), (Status::Fail, None)]);
    }
}
