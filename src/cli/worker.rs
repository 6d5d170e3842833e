//! `entail worker`: what a node of a cluster runs; users have no need of it.

use super::ExitCode;
use crate::runner::{cluster, local};
use clap::Args;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Run the tasks of a shard.
#[derive(Args, Debug)]
pub struct Worker {
    /// The shard.
    #[arg(value_name = "FILE")]
    shard: PathBuf,
}

impl Worker {
    /// Runs the subcommand.
    pub fn run(&self) -> ExitCode {
        let stop = Arc::new(AtomicBool::new(false));
        // A queue that cancels us says so by this signal: the task ends with us.
        let _ = signal_hook::flag::register(signal_hook::consts::SIGTERM, stop.clone());
        match cluster::worker(&self.shard, &mut |task| local::run(task, &stop, &|_, _| {})) {
            Ok(0) => ExitCode::Ok,
            Ok(_) => ExitCode::Unexpected,
            Err(e) => {
                eprintln!("error: {e}");
                ExitCode::Source
            }
        }
    }
}
