//! What happens in a run, as it happens: one JSON object a line.

use super::super::record::now;
use crate::report::record::JobReport;
use serde_json::{Value, json};
use std::fs::File;
use std::io::Write;
use std::path::Path;

/// An open file of events.
pub struct Events(File);

impl Events {
    /// Begins a file.
    pub fn create(path: &Path) -> Result<Events, String> {
        File::create(path).map(Events).map_err(|e| format!("cannot write {}: {e}", path.display()))
    }

    fn write(&mut self, v: Value) {
        // A reader that went away is no reason to stop proving; each line is written at once, whole.
        let _ = self.0.write_all(format!("{v}\n").as_bytes());
    }

    /// A job is started.
    pub fn started(&mut self, job: &str, why: &str) {
        self.write(json!({"event": "start", "at": now(), "job": job, "why": why}));
    }

    /// A job ended.
    pub fn done(&mut self, j: &JobReport) {
        self.write(json!({
            "event": "done", "at": now(), "job": j.name, "status": j.status.word(), "verdict": j.verdict,
            "seconds": j.seconds, "memory_kb": j.memory_kb, "cached": j.cached, "message": j.message,
        }));
    }

    /// All ended.
    pub fn ended(&mut self, counts: &[u32; 5], seconds: f64) {
        let [pass, fail, unknown, error, skipped] = counts;
        self.write(json!({
            "event": "end", "at": now(), "seconds": seconds,
            "pass": pass, "fail": fail, "unknown": unknown, "error": error, "skipped": skipped,
        }));
    }
}
