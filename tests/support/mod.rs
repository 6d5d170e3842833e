//! Support for the random tests: generators of SystemVerilog, the simulators that judge, the
//! comparison with entail, and shrinking.

// Each test program uses a part of this.
#![allow(dead_code)]

pub mod campaign;
pub mod expr;
pub mod expr_batch;
pub mod gen_expr;
pub mod gen_module;
pub mod mutate;
pub mod mutate_vhdl;
pub mod oracle;
pub mod shrink;
pub mod stmt;
pub mod subject;
pub mod types;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::{SystemTime, UNIX_EPOCH};

/// A number from the environment.
pub fn setting(name: &str, default: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{name}={text} is not a number")),
        Err(_) => default,
    }
}

/// The seed of this run: `ENTAIL_SEED`, or the clock. Printed, so that a failure can be repeated.
pub fn seed() -> u64 {
    let clock = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_millis() as u64 % 1_000_000_007);
    let seed = setting("ENTAIL_SEED", clock);
    println!("ENTAIL_SEED={seed}");
    seed
}

/// Saves a failing case and gives its path.
pub fn save(name: &str, text: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/failures");
    std::fs::create_dir_all(&folder).expect("create tests/failures");
    let path = folder.join(name);
    std::fs::write(&path, text).expect("save the failing case");
    path
}

/// How often each construct was generated.
#[derive(Default)]
pub struct Stats(Mutex<BTreeMap<String, usize>>);

impl Stats {
    pub fn count(&self, label: String) {
        *self.0.lock().expect("no thread panics while counting").entry(label).or_default() += 1;
    }

    /// All counts.
    pub fn all(&self) -> BTreeMap<String, usize> {
        self.0.lock().expect("no thread panics while counting").clone()
    }

    /// Prints the counts if `ENTAIL_RANDOM_STATS` asks for them.
    pub fn print(&self) {
        if setting("ENTAIL_RANDOM_STATS", 0) != 0 {
            for (label, n) in self.all() {
                println!("{n:8} {label}");
            }
        }
    }
}
