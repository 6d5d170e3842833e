//! Our netlist of a VHDL design beside GHDL's: both as Verilog, and the ways to compare them.

pub mod miter;
pub mod prove;
pub mod reference;
pub mod simulate;

use std::path::Path;
use std::process::Command;

/// What a tool said; `Err` if it failed, or if it was stopped because its time was up (and said so).
pub fn run(dir: &Path, seconds: u32, tool: &str, args: &[&str]) -> Result<String, String> {
    let out = Command::new("timeout").arg(seconds.to_string()).arg(tool).args(args).current_dir(dir).output();
    let out = out.unwrap_or_else(|e| panic!("`timeout {tool}` cannot be run ({e}); `make test` installs it"));
    assert!(out.status.code() != Some(127), "`{tool}` cannot be run; `make test` installs it");
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    let errors = String::from_utf8_lossy(&out.stderr).into_owned();
    match out.status.code() {
        Some(0) => Ok(text),
        Some(124) => Err(format!("{tool}: no answer in {seconds} s")),
        _ => Err(format!("{tool} {args:?}: {text}{errors}")),
    }
}

/// Two designs in a folder, as the modules `gold` (the reference, in `gold.v`) and `gate` (ours, in
/// `gate.v`).
pub struct Pair {
    pub dir: tempfile::TempDir,
    /// Ports of ours, and under which names the reference has them.
    pub ports: Vec<miter::Port>,
    /// The width of our port for values that the design leaves open.
    pub free: usize,
}
