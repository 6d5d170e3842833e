//! A job as a command line of this program: what `run` starts, and what a user can start by hand.

use super::file::{Entry, Job, Project, Suite, Value};
use super::keys::{Kind, Shape};

/// Most time of a job, if nothing is said, in milliseconds.
pub const TIME: u64 = 3_600_000;
/// Most memory of a job, if nothing is said, in megabytes.
pub const MEMORY: u64 = 8_192;

impl Project {
    /// The words after the program's name.
    pub fn words(&self, job: &Job) -> Vec<String> {
        let mut words = vec![job.kind.word().to_string()];
        let mut last = Vec::new();
        if let Some(d) = self.design(job) {
            for e in &d.entries {
                // Parameters of the job stand for those of the design.
                let over = |n: &str| {
                    job.entries.iter().find(|x| x.key.name == e.key.name).is_some_and(|x| match &x.value {
                        Value::Map(m) => m.iter().any(|(k, _)| k == n),
                        _ => false,
                    })
                };
                let crossing =
                    job.entries.iter().any(|x| x.key.name == "crossings" && x.value != Value::Text("none".into()));
                match e.key.name {
                    "arguments" => {
                        if let Value::List(l) = &e.value {
                            last = l.clone();
                        }
                    }
                    "clocks" | "resets" if job.kind != Kind::Check => {}
                    "sdc" if job.kind == Kind::Check && !crossing => {}
                    "parameters" | "defines" => {
                        if let Value::Map(m) = &e.value {
                            let own: Vec<_> = m.iter().filter(|(k, _)| !over(k)).cloned().collect();
                            flag(&mut words, &Entry { key: e.key, value: Value::Map(own) });
                        }
                    }
                    _ => flag(&mut words, e),
                }
            }
        }
        for e in &job.entries {
            match (e.key.name, &e.value) {
                ("spec", Value::Text(t)) => words.push(t.clone()),
                _ => flag(&mut words, e),
            }
        }
        if !last.is_empty() {
            words.push("--".into());
            words.extend(last);
        }
        words
    }

    /// Most seconds and most megabytes of a job in a suite.
    pub fn limits(&self, job: &Job, suite: Option<&Suite>) -> (u64, u64) {
        let least = |own: u64, of: Option<u64>| of.map_or(own, |o| own.min(o));
        let time = least(job.time.or(self.time).unwrap_or(TIME), suite.and_then(|s| s.time));
        let memory = least(job.memory.or(self.memory).unwrap_or(MEMORY), suite.and_then(|s| s.memory));
        (time.div_ceil(1000), memory)
    }
}

/// The words that an entry becomes.
fn flag(words: &mut Vec<String>, e: &Entry) {
    let f = e.key.flag;
    match &e.value {
        Value::Flag(true) => words.push(f.into()),
        Value::Flag(false) => {}
        Value::Text(_) | Value::List(_) if e.key.name == "files" || e.key.name == "language" => {
            if let Value::List(l) = &e.value {
                words.extend(l.iter().cloned());
            }
        }
        // A value may begin with a dash: it must not be taken for an option.
        Value::Text(t) if t.starts_with('-') && f.starts_with("--") => words.push(format!("{f}={t}")),
        Value::Text(t) => words.extend([f.to_string(), t.clone()]),
        Value::Number(n) if e.key.shape == Shape::Time => {
            words.extend([f.to_string(), format!("{}", *n as f64 / 1000.0)]);
        }
        Value::Number(n) => words.extend([f.to_string(), n.to_string()]),
        Value::List(l) => {
            for t in l {
                match t.starts_with('-') && f.starts_with("--") {
                    true => words.push(format!("{f}={t}")),
                    false => words.extend([f.to_string(), t.clone()]),
                }
            }
        }
        Value::Map(m) => {
            for (k, v) in m {
                words.extend([f.to_string(), if v.is_empty() { k.clone() } else { format!("{k}={v}") }]);
            }
        }
        Value::Lists(m) => {
            for (k, v) in m {
                words.extend([f.to_string(), format!("{k}={}", v.join(","))]);
            }
        }
    }
}
