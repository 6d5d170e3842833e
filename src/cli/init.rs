//! `entail init`: a first project file from what is found.

use super::ExitCode;
use super::args::Common;
use super::run::quoted;
use crate::front::mixed::{self, Request};
use crate::front::verilog::read::on_big_stack;
use crate::project::filelist::{is_vhdl, parse_args};
use crate::project::schema;
use crate::source::{Diagnostic, SourceMap};
use clap::Args;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Write a first project file from the sources in this folder.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  entail init                                    looks for RTL and SystemC below this folder
  entail init --schema > entail.schema.json      for editors: # yaml-language-server: $schema=entail.schema.json")]
pub struct Init {
    /// Print the JSON Schema of project files instead.
    #[arg(long)]
    schema: bool,
    /// Write over a file that is there.
    #[arg(long)]
    force: bool,
    /// Print it instead of writing it.
    #[arg(long)]
    print: bool,
}

/// A file that others include.
fn is_header(path: &Path) -> bool {
    path.extension().is_some_and(|x| ["svh", "vh", "h", "inc"].iter().any(|h| x.eq_ignore_ascii_case(h)))
}

/// Most files that are looked at.
const MOST: usize = 5_000;

impl Init {
    /// Runs the subcommand.
    pub fn run(&self, _: &Common) -> ExitCode {
        if self.schema {
            println!("{:#}", schema::project());
            return ExitCode::Ok;
        }
        let path = Path::new("entail.yaml");
        if path.exists() && !self.force && !self.print {
            eprintln!(
                "error: entail.yaml is there already\n  help: --force writes over it, --print shows what would be written"
            );
            return ExitCode::Source;
        }
        let mut found = Vec::new();
        gather(Path::new("."), &mut found, 0);
        found.sort();
        if found.iter().all(|f| is_header(f)) {
            eprintln!(
                "error: there are no sources below this folder\n  help: entail reads .v .sv .vhd .vhdl and SystemC in .cpp"
            );
            return ExitCode::Source;
        }
        let (found, headers): (Vec<PathBuf>, Vec<PathBuf>) = found.into_iter().partition(|f| !is_header(f));
        let text = write(&found, &headers);
        if self.print {
            print!("{text}");
            return ExitCode::Ok;
        }
        match std::fs::write(path, &text) {
            Ok(()) => {
                println!("written: entail.yaml\nlook through it, then: entail list; entail run");
                ExitCode::Ok
            }
            Err(e) => {
                eprintln!("error: cannot write entail.yaml: {e}");
                ExitCode::Source
            }
        }
    }
}

fn gather(folder: &Path, found: &mut Vec<PathBuf>, depth: u32) {
    for e in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = e.path();
        let name = e.file_name().to_string_lossy().into_owned();
        if name.starts_with('.') || found.len() > MOST || path.is_symlink() {
            continue;
        }
        if path.is_dir() {
            let skip = ["target", "build", "node_modules", "obj_dir", "work", "sim", "tb", "test", "tests", "bench"];
            if depth < 8 && !skip.contains(&name.as_str()) {
                gather(&path, found, depth + 1);
            }
            continue;
        }
        let path = path.strip_prefix("./").map(Path::to_path_buf).unwrap_or(path);
        let ending = path.extension().and_then(|x| x.to_str()).unwrap_or("").to_ascii_lowercase();
        let systemc = || std::fs::read_to_string(&path).is_ok_and(|t| t.contains("sc_main") && t.contains("systemc"));
        match ending.as_str() {
            "v" | "sv" | "vhd" | "vhdl" => found.push(path),
            _ if is_header(&path) => found.push(path),
            "cpp" | "cc" | "cxx" if systemc() => found.push(path),
            _ => {}
        }
    }
}

/// A source by a look at its words: what is found is tried out before it is written.
struct Source {
    path: PathBuf,
    /// Names that it declares: modules, interfaces, packages, entities.
    declares: Vec<String>,
    /// Modules and entities among them.
    modules: Vec<String>,
    /// All words outside of comments, in lower case.
    words: std::collections::BTreeSet<String>,
    /// Words that follow something else than a declaration: uses.
    used: std::collections::BTreeSet<String>,
    /// Names of files that it includes.
    includes: Vec<String>,
}

fn source(path: &Path) -> Source {
    let text = std::fs::read(path).map(|b| String::from_utf8_lossy(&b).into_owned()).unwrap_or_default();
    let comment = if is_vhdl(path) { "--" } else { "//" };
    let lines: Vec<&str> = text.lines().map(|l| l.split(comment).next().unwrap_or("")).collect();
    let includes =
        lines.iter().filter_map(|l| l.trim().strip_prefix("`include")?.split('"').nth(1)).map(str::to_string);
    let includes = includes.collect();
    let text = lines.join("\n");
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|w| !w.is_empty()).collect();
    let (mut declares, mut modules) = (Vec::new(), Vec::new());
    for w in words.windows(3) {
        let [a, b, c] = w else { continue };
        let (kind, name) = match a.to_ascii_lowercase().as_str() {
            k @ ("module" | "interface" | "package") if ["automatic", "static"].contains(b) => (k == "module", c),
            "package" if b.eq_ignore_ascii_case("body") => continue,
            k @ ("module" | "interface" | "package") => (k == "module", b),
            "entity" if c.eq_ignore_ascii_case("is") => (true, b),
            _ => continue,
        };
        declares.push(name.to_string());
        if kind {
            modules.push(name.to_string());
        }
    }
    let declaring =
        ["module", "entity", "endmodule", "end", "of", "automatic", "static", "architecture", "package", "interface"];
    let used = words
        .windows(2)
        .filter(|w| !declaring.contains(&w[0].to_ascii_lowercase().as_str()))
        .map(|w| w[1].to_ascii_lowercase())
        .collect();
    let words = words.into_iter().map(str::to_ascii_lowercase).collect();
    Source { path: path.to_path_buf(), declares, modules, words, used, includes }
}

/// Tops: modules that no source uses; all of them if each is used.
fn tops(sources: &[Source]) -> Vec<String> {
    let declared: Vec<&String> = sources.iter().flat_map(|s| &s.modules).collect();
    let is_used = |name: &&&String| sources.iter().any(|s| s.used.contains(&name.to_ascii_lowercase()));
    let mut roots: Vec<String> = declared.iter().filter(|d| !is_used(d)).map(|d| d.to_string()).collect();
    if roots.is_empty() {
        roots = declared.into_iter().cloned().collect();
    }
    roots.dedup();
    roots
}

/// The sources that a top needs, those that others need first.
fn needed<'s>(sources: &'s [Source], top: &str) -> Vec<&'s Source> {
    fn visit<'s>(sources: &'s [Source], at: usize, state: &mut [bool], out: &mut Vec<&'s Source>) {
        if std::mem::replace(&mut state[at], true) {
            return;
        }
        let names: std::collections::BTreeSet<String> =
            sources.iter().flat_map(|s| &s.declares).map(|d| d.to_ascii_lowercase()).collect();
        for name in names.iter().filter(|n| sources[at].words.contains(*n)) {
            // Of several files that declare it, the nearest: boards have modules of one name.
            let shared = |s: &Source| {
                let (a, b) = (s.path.components(), sources[at].path.components());
                a.zip(b).take_while(|(x, y)| x == y).count()
            };
            let declares = |s: &Source| s.declares.iter().any(|d| d.eq_ignore_ascii_case(name));
            let all = (0..sources.len()).filter(|i| declares(&sources[*i]));
            if let Some(i) = all.max_by_key(|i| (*i == at, shared(&sources[*i]), std::cmp::Reverse(*i))) {
                visit(sources, i, state, out);
            }
        }
        out.push(&sources[at]);
    }
    let mut out = Vec::new();
    let mut state = vec![false; sources.len()];
    if let Some(i) = sources.iter().position(|s| s.modules.iter().any(|m| m == top)) {
        visit(sources, i, &mut state, &mut out);
    }
    out
}

/// Folders in which included files are.
fn include_dirs(sources: &[&Source], headers: &[PathBuf]) -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> = Vec::new();
    for name in sources.iter().flat_map(|s| &s.includes) {
        let at = headers.iter().find(|h| h.ends_with(name)).and_then(|h| {
            let depth = Path::new(name).components().count();
            h.ancestors().nth(depth).map(Path::to_path_buf)
        });
        all.extend(at.map(|d| if d.as_os_str().is_empty() { PathBuf::from(".") } else { d }));
    }
    all.sort();
    all.dedup();
    all
}

/// Whether a top elaborates, and whether it has assertions and several clocks; else the first mistake.
fn look(files: &[&Source], dirs: &[PathBuf], top: &str) -> Result<(bool, bool), String> {
    let mut words: Vec<String> = files.iter().map(|f| f.path.display().to_string()).collect();
    dirs.iter().for_each(|d| words.extend(["-I".to_string(), d.display().to_string()]));
    words.extend(["--top".to_string(), top.to_string()]);
    let mut map = SourceMap::new();
    let first = |d: &[Diagnostic], map: &SourceMap| {
        let d = d.iter().find(|d| d.is_error());
        d.map_or("it cannot be read".to_string(), |d| {
            let place = d.primary().and_then(|l| map.location(l.span));
            let place = place.map_or(String::new(), |l| format!("{}:{}: ", l.path.display(), l.line));
            format!("{place}{}", d.message)
        })
    };
    let list = parse_args(&words, Path::new(""), &|_| None, &mut map).map_err(|d| first(&d, &map))?;
    let request = Request::new(list, None);
    let mut e = mixed::Elaborated { sources: map, diagnostics: Vec::new(), design: None };
    on_big_stack(|| {
        let units = mixed::read(&request, &mut e);
        mixed::elaborate_units(&units, &request, &mut e);
    });
    let design = match &e.design {
        Some(d) if !e.diagnostics.iter().any(Diagnostic::is_error) => d,
        _ => return Err(first(&e.diagnostics, &e.sources)),
    };
    let net = crate::net::lower(design, &crate::net::LowerOptions::default(), &mut e.diagnostics);
    if e.diagnostics.iter().any(Diagnostic::is_error) {
        return Err(first(&e.diagnostics, &e.sources));
    }
    let domains = crate::cdc::Domains::new(&net, &crate::cdc::Sdc::default());
    Ok((!net.asserts.is_empty(), domains.list.len() > 2))
}

fn write(found: &[PathBuf], headers: &[PathBuf]) -> String {
    let systemc = |f: &PathBuf| {
        !is_vhdl(f) && !f.extension().is_some_and(|x| x.eq_ignore_ascii_case("v") || x.eq_ignore_ascii_case("sv"))
    };
    let (models, rtl): (Vec<PathBuf>, Vec<PathBuf>) = found.iter().cloned().partition(systemc);
    let (mut designs, mut jobs) = (String::new(), String::new());
    let list = |files: &[PathBuf]| {
        let names: Vec<String> = files.iter().map(|f| format!("{:?}", f.display().to_string())).collect();
        names.join(", ")
    };
    let mut names: Vec<String> = Vec::new();
    let mut smoke = Vec::new();
    let sources: Vec<Source> = rtl.iter().map(|f| source(f)).collect();
    for top in tops(&sources) {
        let files = needed(&sources, &top);
        let dirs = include_dirs(&files, headers);
        let seen = look(&files, &dirs, &top);
        let name: String = top.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' }).collect();
        if names.contains(&name) {
            continue;
        }
        if let Err(why) = &seen {
            let _ = writeln!(designs, "  # {}", why.lines().next().unwrap_or(""));
        }
        let paths: Vec<PathBuf> = files.iter().map(|f| f.path.clone()).collect();
        let _ = writeln!(designs, "  {name}:\n    files: [{}]\n    top: {top}", list(&paths));
        if !dirs.is_empty() {
            let _ = writeln!(designs, "    include_dirs: [{}]", list(&dirs));
        }
        match seen {
            Ok((asserts, crossings)) => {
                if asserts {
                    let _ = writeln!(jobs, "  {name}-check: {{kind: check, design: {name}, tags: [smoke]}}");
                    smoke.push(format!("{name}-check"));
                }
                if crossings {
                    let _ = writeln!(jobs, "  {name}-cdc: {{kind: cdc, design: {name}, tags: [smoke]}}");
                    smoke.push(format!("{name}-cdc"));
                }
                if !asserts && !crossings {
                    let _ = writeln!(
                        jobs,
                        "  # {name} has no assertions and one clock: write some, or attach properties of entail's library\n  # {name}-check: {{kind: check, design: {name}, invariants: [...]}}"
                    );
                }
            }
            Err(_) => {
                let _ = writeln!(jobs, "  # {name}-check: {{kind: check, design: {name}}}");
            }
        }
        names.push(name);
    }
    for m in &models {
        let stem = m.file_stem().map_or("model".into(), |s| s.to_string_lossy().into_owned());
        let name: String = stem.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' }).collect();
        if names.contains(&name) {
            continue;
        }
        let _ = writeln!(designs, "  {name}:\n    language: systemc\n    files: [{}]", list(std::slice::from_ref(m)));
        let _ = writeln!(jobs, "  {name}-explore: {{kind: explore, design: {name}, seconds: 60}}");
        names.push(name);
        smoke.push(format!("{stem}-explore"));
    }
    let project = std::env::current_dir().ok().and_then(|d| d.file_name().map(|n| n.to_string_lossy().into_owned()));
    let mut out = format!(
        "# The project file of entail: docs/project.md of entail has all keys, `entail init --schema` a schema for editors.\nproject: {}\n",
        quoted(&project.unwrap_or_else(|| "project".into()))
    );
    let _ = write!(out, "designs:\n{designs}jobs:\n{}", if jobs.is_empty() { "  {}\n" } else { &jobs });
    if jobs.lines().any(|l| l.contains("tags: [smoke]")) {
        out.push_str("suites:\n  smoke: {tags: [smoke]}\n  nightly: [\"*\"]\n");
    }
    out
}
