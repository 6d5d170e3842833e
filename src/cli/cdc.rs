//! `entail cdc`: clocks, crossings and what is wrong with them.

use super::args::{Common, Sources};
use super::{ExitCode, load, mistake, print_diagnostics, record};
use crate::cdc::crossing::{End, Structure};
use crate::cdc::findings::{Found, find};
use crate::cdc::graph::Graph;
use crate::cdc::rules;
use crate::cdc::{Demands, Domains, Finding, Sdc, census, paths, waive};
use crate::net::{LowerOptions, Netlist};
use crate::report::record::Picture;
use crate::report::words::count;
use crate::source::{Diagnostic, FileId, Format, Severity, SourceMap};
use clap::{ArgMatches, Args};
use std::path::{Path, PathBuf};

/// Find clock domains and crossings, and report what is wrong with them.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  entail cdc -f designs/async_fifo/async_fifo.f
  entail cdc designs/flow/rtl/*.sv --top event_count --sdc designs/flow/events.sdc
  entail cdc designs/flow/rtl/*.sv --top event_count --svg clocks.svg")]
pub struct Cdc {
    #[command(flatten)]
    sources: Sources,
    /// Constraint file (SDC): clocks, their groups, the clocks of inputs.
    #[arg(long, value_name = "FILE")]
    sdc: Vec<PathBuf>,
    /// Waivers (YAML).
    #[arg(long, value_name = "FILE")]
    waivers: Option<PathBuf>,
    /// Show only findings that this earlier `--format json` output does not have.
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Print the census: domains, what is in each, and paths between them.
    #[arg(long)]
    clocks: bool,
    /// List critical gates and paths.
    #[arg(long)]
    paths: bool,
    /// Write the graph of crossings (DOT).
    #[arg(long, value_name = "FILE")]
    dot: Option<PathBuf>,
    /// Write the graph of crossings as a picture (SVG).
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Stages that a synchroniser must have.
    #[arg(long, value_name = "N", default_value_t = 2)]
    stages: usize,
    /// Registers through which reconvergence is followed.
    #[arg(long, value_name = "N", default_value_t = 1)]
    depth: u32,
    /// Severity of a rule: off, note, warning or error.
    #[arg(long, value_name = "CODE=SEVERITY", value_parser = parse_rule)]
    rule: Vec<(&'static str, Option<Severity>)>,
    /// Also show recognised schemes and other remarks.
    #[arg(long)]
    all: bool,
    /// The date against which waivers are held, instead of today.
    #[arg(long, value_name = "YYYY-MM-DD", hide = true)]
    today: Option<String>,
}

/// A rule with the severity it shall have; none is off.
fn parse_rule(text: &str) -> Result<(&'static str, Option<Severity>), String> {
    let (name, word) = text.split_once('=').ok_or("expected CODE=SEVERITY, such as C004=off")?;
    let rule = rules::rule(name).ok_or_else(|| format!("there is no rule `{name}`; `entail explain` lists them"))?;
    let severity = match word {
        "off" => None,
        "note" => Some(Severity::Note),
        "warning" => Some(Severity::Warning),
        "error" => Some(Severity::Error),
        _ => return Err(format!("`{word}` is not one of off, note, warning, error")),
    };
    Ok((rule.code.as_str(), severity))
}

/// Reads constraint files; mistakes are added to what was found.
pub fn read_sdc(files: &[PathBuf], map: &mut SourceMap, found: &mut Vec<Diagnostic>) -> Result<Sdc, ExitCode> {
    let mut sdc = Sdc::default();
    for path in files {
        let (text, id) = read(path, map)?;
        found.extend(sdc.read(&text, id));
    }
    Ok(sdc)
}

fn read(path: &Path, map: &mut SourceMap) -> Result<(String, FileId), ExitCode> {
    match std::fs::read_to_string(path) {
        Ok(text) => {
            record::text(path, &text);
            let id = map.add(path.to_path_buf(), text.clone());
            Ok((text, id))
        }
        Err(e) => Err(mistake(load::unreadable(path, &e))),
    }
}

impl Cdc {
    /// Runs the subcommand.
    pub fn run(&self, m: &ArgMatches, common: &Common) -> ExitCode {
        // Memories stay what they are: their words are of no interest here.
        let (mut e, net) = match load::netlist_silently(m, common, &LowerOptions::default(), &[]) {
            Ok(x) => x,
            Err(code) => return code,
        };
        let mut said = std::mem::take(&mut e.diagnostics);
        let sdc = match read_sdc(&self.sdc, &mut e.sources, &mut said) {
            Ok(s) => s,
            Err(code) => return code,
        };
        said.extend(sdc.lost(&net));
        let waivers = match &self.waivers {
            None => None,
            Some(path) => match read(path, &mut e.sources) {
                Ok((text, id)) => {
                    let (list, d) = waive::read(&text, id);
                    said.extend(d);
                    Some((list, text, id))
                }
                Err(code) => return code,
            },
        };
        if said.iter().any(Diagnostic::is_error) {
            print_diagnostics(&said, &e.sources, common);
            return ExitCode::Source;
        }
        let domains = Domains::new(&net, &sdc);
        let structure = Structure::new(&net, &domains);
        let mut found = find(&structure, &Demands { stages: self.stages, depth: self.depth });
        found.findings.retain_mut(|f| match self.rule.iter().rev().find(|r| r.0 == f.rule) {
            None => true,
            Some((_, severity)) => severity.is_some_and(|s| {
                f.diagnostic.severity = s;
                true
            }),
        });
        let mut waived = 0;
        if let Some((list, text, id)) = &waivers {
            record::today();
            let today = self.today.clone().unwrap_or_else(today);
            waived = waive::apply(&mut found.findings, list, &today, *id, text);
        }
        if let Some(path) = &self.baseline {
            let text = match std::fs::read_to_string(path) {
                Ok(text) => text,
                Err(e) => {
                    return mistake(load::unreadable(path, &e));
                }
            };
            record::text(path, &text);
            let Ok(old) = serde_json::from_str::<Vec<serde_json::Value>>(&text) else {
                return mistake(format!(
                    "{} is no list of findings\n  help: write it with `entail cdc … --format json`",
                    path.display()
                ));
            };
            // Lines move; what is said of which signal does not.
            let has = |f: &Finding| old.iter().any(|d| d["code"] == f.rule && d["message"] == f.diagnostic.message);
            found.findings.retain(|f| !has(f));
        }
        let quiet = |s: Severity| s == Severity::Note && !self.all;
        said.extend(found.findings.iter().filter(|f| !quiet(f.diagnostic.severity)).map(|f| f.diagnostic.clone()));
        print_diagnostics(&said, &e.sources, common);
        if !common.quiet && common.format == Format::Full {
            self.summary(&net, &structure, &found, &sdc, waived);
        }
        if record::is_on() {
            let (title, svg) = ("crossings".to_string(), Graph::new(&structure, &found).svg());
            record::add(|r| r.pictures.push(Picture { title, svg }));
        }
        for (path, text) in [(&self.dot, Graph::dot as fn(&Graph) -> String), (&self.svg, Graph::svg)] {
            if let Some(path) = path
                && let Err(e) = std::fs::write(path, text(&Graph::new(&structure, &found)))
            {
                return mistake(format!("cannot write {}: {e}", path.display()));
            }
        }
        match found.findings.iter().any(|f| f.diagnostic.severity != Severity::Note) {
            true => ExitCode::Unexpected,
            false => ExitCode::Ok,
        }
    }

    fn summary(&self, net: &Netlist, s: &Structure, found: &Found, sdc: &Sdc, waived: usize) {
        let d = s.domains;
        if self.clocks {
            print!("{}", census::write(s, found));
        }
        if self.paths {
            list_paths(s, found);
        }
        if !d.declared && d.list.len() > 2 {
            println!("no constraints were given: every clock is taken as asynchronous to every other");
        } else if d.declared && !sdc.has_groups() && d.list.len() > 2 {
            println!("the constraints declare no groups: all declared clocks are taken as synchronous");
        }
        let of = |s: Severity| found.findings.iter().filter(|f| f.diagnostic.severity == s).count();
        let parts = [
            (d.list.len() - 1, "clock", "clocks"),
            (found.captures.len(), "capture of another clock", "captures of another clock"),
            (found.synchronisers.len(), "synchroniser", "synchronisers"),
            (of(Severity::Error), "error", "errors"),
            (of(Severity::Warning), "warning", "warnings"),
            (of(Severity::Note), "remark", "remarks"),
        ];
        let parts = parts.map(|(n, one, many)| count(n as u64, one, many));
        print!("{}: {}: {}", net.name, parts[..3].join(", "), parts[3..].join(", "));
        println!("{}", if waived > 0 { format!(", {waived} waived") } else { String::new() });
    }
}

fn list_paths(s: &Structure, found: &Found) {
    let ends: Vec<(End, u32)> = found.captures.iter().map(|c| (c.end, c.domain)).collect();
    let c = paths::critical(s, &ends);
    let names = s.net.names();
    let total = c.pairs.values().fold(0u128, |n, p| n.saturating_add(p.paths));
    println!(
        "{} critical gates, {total} critical paths (the length counts the gates of a path, both ends included)",
        c.all().len()
    );
    let (list, more) = paths::list(s, &ends, MOST_PATHS);
    for p in &list {
        let (from, to) = (&s.domains.list[p.from as usize].name, &s.domains.list[p.to as usize].name);
        let end = match p.end {
            End::Register(r) => names.or_number(crate::net::Lit::new(s.net.registers[r as usize].gate, false)),
            End::Latch(l) => names.or_number(crate::net::Lit::new(s.net.latches[l as usize].gate, false)),
            End::Write(m, p) => format!("{} (write port {p})", s.net.memories[m as usize].name),
        };
        let way: Vec<String> = p.gates.iter().map(|g| names.or_number(crate::net::Lit::new(*g, false))).collect();
        println!("{from} -> {to}, length {}: {} -> {end}", p.gates.len() + 1, way.join(" -> "));
    }
    if more {
        println!("and more: only the first {MOST_PATHS} are listed");
    }
}

/// Paths that are listed.
const MOST_PATHS: usize = 1000;

/// Today's date.
fn today() -> String {
    let seconds = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |d| d.as_secs());
    let (mut days, mut year) = ((seconds / 86_400) as u32, 1970);
    let leap = |y: u32| y.is_multiple_of(4) && !y.is_multiple_of(100) || y.is_multiple_of(400);
    while days >= 365 + leap(year) as u32 {
        days -= 365 + leap(year) as u32;
        year += 1;
    }
    let months = [31, 28 + leap(year) as u32, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while days >= months[month] {
        days -= months[month];
        month += 1;
    }
    format!("{year:04}-{:02}-{:02}", month + 1, days + 1)
}
