//! `entail worker`: what a node of a cluster runs; users have no need of it.

use super::ExitCode;
use crate::runner::{cluster, local};
use clap::Args;
use std::path::PathBuf;
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
        // A queue that cancels us ends us and the task together: signals are left to do what they do.
        let stop = AtomicBool::new(false);
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
