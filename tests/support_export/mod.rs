//! What the tests of exports share: designs to write, interpreters of the formats, and the tools that
//! read them.

pub mod aiger;
pub mod btor2;
pub mod handmade;
pub mod icarus;
pub mod maker;
pub mod random;
pub mod simulate;
pub mod yosys;

use entail::net::{LowerOptions, Netlist, lower};
use entail::source::SourceMap;
use entail::word::Design;
use std::path::Path;
use std::process::Command;

/// A source text long enough for all spans.
pub fn sources() -> SourceMap {
    let mut map = SourceMap::new();
    map.add("rtl/top.sv", "// line of source text\n".repeat(20));
    map
}

pub fn gates(d: &Design) -> Netlist {
    gates_with(d, 2048)
}

pub fn gates_with(d: &Design, memory_limit_bits: u64) -> Netlist {
    let mut diags = Vec::new();
    let net = lower(d, &LowerOptions { memory_limit_bits }, &mut diags);
    assert!(diags.is_empty(), "{diags:?}");
    net
}

/// Runs a tool in a directory; its absence or failure fails the test.
pub fn run(dir: &Path, tool: &str, args: &[&str]) -> String {
    let out = Command::new(tool).args(args).current_dir(dir).output();
    let out = out.unwrap_or_else(|e| panic!("`{tool}` cannot be run ({e}); `make test` installs it"));
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    let errors = String::from_utf8_lossy(&out.stderr).into_owned();
    assert!(out.status.success(), "{tool} {args:?} in {}:\n{text}\n{errors}", dir.display());
    text + &errors
}
