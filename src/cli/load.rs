//! From arguments to an elaborated design: what every subcommand that reads RTL does first.

use super::args::{Color, Common, source_list};
use super::{ExitCode, mistake, print_diagnostics, record};
use crate::front::attach::attach;
use crate::front::mixed::{self, Elaborated, Request};
use crate::front::verilog::read::on_big_stack;
use crate::net::{Gate, Lit, LowerOptions, Net, Netlist, Register, lower};
use crate::project::file::beside;
use crate::source::{Diagnostic, SourceMap, Span};
use crate::word::Node;
use clap::ArgMatches;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Elaborates what the arguments name; prints what was found. `Err` is the exit code to leave with.
pub fn elaborate(m: &ArgMatches, common: &Common, profile: &mut Profile) -> Result<Elaborated, ExitCode> {
    let mut map = SourceMap::new();
    let list = match source_list(m, Path::new(""), &mut map) {
        Ok(l) => l,
        Err(d) => {
            print_diagnostics(&d, &map, common);
            return Err(ExitCode::Source);
        }
    };
    let warnings = list.warnings.clone();
    let folders: Vec<PathBuf> = list.incdirs.iter().chain(&list.libdirs).cloned().collect();
    record::add(|r| r.design = list.top.clone().unwrap_or_default());
    record::progress("reading");
    let request = Request::new(list, cache_dir(common));
    if request.is_empty() {
        return Err(mistake("no source files given\n  help: name files, or a file list with -f LIST"));
    }
    let mut e = Elaborated { sources: map, diagnostics: warnings, design: None };
    on_big_stack(|| {
        let units = profile.phase("read", || mixed::read(&request, &mut e));
        profile.phase("elaborate", || mixed::elaborate_units(&units, &request, &mut e));
    });
    record::sources(&e.sources, &folders);
    if e.design.is_none() {
        print_diagnostics(&e.diagnostics, &e.sources, common);
        return Err(ExitCode::Source);
    }
    Ok(e)
}

/// Elaborates and lowers; all diagnostics are printed.
pub fn netlist(m: &ArgMatches, common: &Common, opts: &LowerOptions) -> Result<(Elaborated, Netlist), ExitCode> {
    netlist_with(m, common, opts, &[])
}

/// The same, with properties of the library attached in between.
pub fn netlist_with(
    m: &ArgMatches,
    common: &Common,
    opts: &LowerOptions,
    attached: &[String],
) -> Result<(Elaborated, Netlist), ExitCode> {
    let (e, net) = netlist_silently(m, common, opts, attached)?;
    print_diagnostics(&e.diagnostics, &e.sources, common);
    Ok((e, net))
}

/// The same; what was found is printed only if it stops the run, and is the caller's to print otherwise.
pub fn netlist_silently(
    m: &ArgMatches,
    common: &Common,
    opts: &LowerOptions,
    attached: &[String],
) -> Result<(Elaborated, Netlist), ExitCode> {
    let mut profile = Profile::default();
    let mut e = elaborate(m, common, &mut profile)?;
    for a in attached {
        if let Err(d) = attach(&mut e, a) {
            e.diagnostics.push(*d);
            print_diagnostics(&e.diagnostics, &e.sources, common);
            return Err(ExitCode::Source);
        }
    }
    let Some(design) = &e.design else { return Err(ExitCode::Source) };
    let net = profile.phase("lower", || lower(design, opts, &mut e.diagnostics));
    if e.diagnostics.iter().any(Diagnostic::is_error) {
        print_diagnostics(&e.diagnostics, &e.sources, common);
        return Err(ExitCode::Source);
    }
    if common.verbose {
        let text: usize = e.sources.files().map(|(_, f)| f.text.len()).sum();
        let nodes = design.nodes.len() * (size_of::<Node>() + size_of::<Span>());
        let gates =
            net.gates.len() * (size_of::<Gate>() + size_of::<Span>()) + net.registers.len() * size_of::<Register>();
        let bits: usize = net.nets.iter().map(|n| n.bits.len() * size_of::<Lit>() + size_of::<Net>()).sum();
        eprintln!("{profile}");
        eprintln!(
            "size: text {} kB, {} word nodes {} kB, netlist {} gates {} kB, peak memory {} kB",
            text / 1000,
            design.nodes.len(),
            nodes / 1000,
            net.gates.len(),
            (gates + bits) / 1000,
            peak_kb().unwrap_or(0)
        );
    }
    Ok((e, net))
}

/// Time spent per phase, for `--verbose`.
#[derive(Default)]
pub struct Profile(Vec<(&'static str, Duration)>);

impl Profile {
    /// Runs and times a phase.
    pub fn phase<T>(&mut self, name: &'static str, f: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let r = f();
        self.0.push((name, start.elapsed()));
        r
    }
}

impl std::fmt::Display for Profile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let total: f64 = self.0.iter().map(|(_, d)| d.as_secs_f64()).sum();
        write!(f, "time:")?;
        for (name, d) in &self.0 {
            let s = d.as_secs_f64();
            write!(f, " {name} {:.1} ms ({:.0}%)", s * 1e3, 100.0 * s / total.max(1e-9))?;
        }
        Ok(())
    }
}

/// The process's peak memory, where the system tells.
pub fn peak_kb() -> Option<u64> {
    Some(crate::process::resident_kb(std::process::id()).0).filter(|kb| *kb > 0)
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

/// What to say of a file that cannot be read.
pub fn unreadable(path: &Path, e: &std::io::Error) -> String {
    let help = match beside(path) {
        _ if path.is_dir() => "name a file in this folder".into(),
        Some(near) if e.kind() == std::io::ErrorKind::NotFound => format!("did you mean `{near}`?"),
        _ => "check the path, or -C DIR".into(),
    };
    format!("cannot read {}: {e}\n  help: {help}", path.display())
}

/// Whether to colour what goes to this stream.
pub fn colour(common: &Common, stream: &impl IsTerminal) -> bool {
    match common.color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => stream.is_terminal() && std::env::var_os("NO_COLOR").is_none(),
    }
}
