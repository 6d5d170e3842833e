//! From arguments to an elaborated design: what every subcommand that reads RTL does first.

use super::args::{Color, Common, source_list};
use super::{ExitCode, print_diagnostics};
use crate::front::verilog::{self, Elaborated, Request, read::ReadOptions};
use crate::net::{LowerOptions, Netlist, lower};
use crate::source::{Diagnostic, SourceMap};
use clap::ArgMatches;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

/// Elaborates what the arguments name; prints what was found. `Err` is the exit code to leave with.
pub fn elaborate(m: &ArgMatches, common: &Common) -> Result<Elaborated, ExitCode> {
    let mut map = SourceMap::new();
    let list = match source_list(m, Path::new(""), &mut map) {
        Ok(l) => l,
        Err(d) => {
            print_diagnostics(&d, &map, common);
            return Err(ExitCode::Source);
        }
    };
    if list.files.is_empty() && list.libfiles.is_empty() {
        eprintln!("error: no source files given\n  help: name files, or a file list with -f LIST");
        return Err(ExitCode::Source);
    }
    let request = Request {
        files: list.files,
        libfiles: list.libfiles,
        libdirs: list.libdirs,
        libexts: list.libexts,
        read: ReadOptions { incdirs: list.incdirs, defines: list.defines, cache_dir: cache_dir(common) },
        top: list.top,
        params: list.params,
        blackboxes: list.blackboxes,
    };
    let mut e = verilog::elaborate(&request, map);
    e.diagnostics.splice(0..0, list.warnings);
    if e.design.is_none() {
        print_diagnostics(&e.diagnostics, &e.sources, common);
        return Err(ExitCode::Source);
    }
    Ok(e)
}

/// Elaborates and lowers; all diagnostics are printed.
pub fn netlist(m: &ArgMatches, common: &Common, opts: &LowerOptions) -> Result<(Elaborated, Netlist), ExitCode> {
    let mut e = elaborate(m, common)?;
    let Some(design) = &e.design else { return Err(ExitCode::Source) };
    let net = lower(design, opts, &mut e.diagnostics);
    print_diagnostics(&e.diagnostics, &e.sources, common);
    if e.diagnostics.iter().any(Diagnostic::is_error) {
        return Err(ExitCode::Source);
    }
    Ok((e, net))
}

/// Where syntax trees are kept: `ENTAIL_CACHE`, or the user's cache folder.
pub fn cache_dir(common: &Common) -> Option<PathBuf> {
    if common.no_cache {
        return None;
    }
    if let Some(d) = std::env::var_os("ENTAIL_CACHE") {
        return Some(PathBuf::from(d).join("ast"));
    }
    let base = std::env::var_os("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .or_else(|| std::env::var_os("HOME").map(|h| PathBuf::from(h).join(".cache")))?;
    Some(base.join("entail").join("ast"))
}

/// Whether to colour what goes to this stream.
pub fn colour(common: &Common, stream: &impl IsTerminal) -> bool {
    match common.color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => stream.is_terminal() && std::env::var_os("NO_COLOR").is_none(),
    }
}
