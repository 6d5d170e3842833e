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
        if found.is_empty() {
            eprintln!(
                "error: there are no sources below this folder\n  help: entail reads .v .sv .vhd .vhdl and SystemC in .cpp"
            );
            return ExitCode::Source;
        }
        let text = write(&found);
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
            "cpp" | "cc" | "cxx" if systemc() => found.push(path),
            _ => {}
        }
    }
}

/// Modules and entities that are declared, and those that are used, by a look at the words: what is found is
/// tried out before it is written.
fn tops(files: &[PathBuf]) -> Vec<String> {
    let mut declared: Vec<String> = Vec::new();
    let mut all = String::new();
    for f in files {
        let text = std::fs::read(f).map(|b| String::from_utf8_lossy(&b).into_owned()).unwrap_or_default();
        let text: String = text
            .lines()
            .map(|l| l.split("//").next().unwrap_or("").split("--").next().unwrap_or(""))
            .collect::<Vec<_>>()
            .join("\n");
        let words: Vec<&str> =
            text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|w| !w.is_empty()).collect();
        for w in words.windows(3) {
            let [a, b, c] = w else { continue };
            let name = match a.to_ascii_lowercase().as_str() {
                "module" if ["automatic", "static"].contains(b) => c,
                "module" => b,
                "entity" if c.eq_ignore_ascii_case("is") => b,
                _ => continue,
            };
            if !declared.contains(&name.to_string()) {
                declared.push(name.to_string());
            }
        }
        all.push_str(&text);
        all.push('\n');
    }
    let words: Vec<&str> = all.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|w| !w.is_empty()).collect();
    let used = |name: &String| {
        words.windows(2).any(|w| {
            let before = w[0].to_ascii_lowercase();
            w[1].eq_ignore_ascii_case(name)
                && !["module", "entity", "endmodule", "end", "of", "automatic", "static", "architecture"]
                    .contains(&before.as_str())
        })
    };
    let roots: Vec<String> = declared.iter().filter(|d| !used(d)).cloned().collect();
    if roots.is_empty() { declared } else { roots }
}

/// Whether a top elaborates, and whether it has assertions and several clocks.
fn look(files: &[PathBuf], top: &str) -> Option<(bool, bool)> {
    let mut words: Vec<String> = files.iter().map(|f| f.display().to_string()).collect();
    words.extend(["--top".to_string(), top.to_string()]);
    let mut map = SourceMap::new();
    let request = Request::new(parse_args(&words, Path::new(""), &|_| None, &mut map).ok()?, None);
    let mut e = mixed::Elaborated { sources: map, diagnostics: Vec::new(), design: None };
    on_big_stack(|| {
        let units = mixed::read(&request, &mut e);
        mixed::elaborate_units(&units, &request, &mut e);
    });
    if e.diagnostics.iter().any(Diagnostic::is_error) {
        return None;
    }
    let net = crate::net::lower(e.design.as_ref()?, &crate::net::LowerOptions::default(), &mut e.diagnostics);
    let domains = crate::cdc::Domains::new(&net, &crate::cdc::Sdc::default());
    Some((!net.asserts.is_empty(), domains.list.len() > 2))
}

fn write(found: &[PathBuf]) -> String {
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
    for top in tops(&rtl) {
        let seen = look(&rtl, &top);
        let name: String = top.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' }).collect();
        if names.contains(&name) {
            continue;
        }
        let remark = if seen.is_none() { "   # `entail lint` tells why it does not elaborate by itself" } else { "" };
        let _ = writeln!(designs, "  {name}:{remark}\n    files: [{}]\n    top: {top}", list(&rtl));
        match seen {
            Some((asserts, crossings)) => {
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
                        "  # {name} has no assertions and one clock: write some, or attach properties (docs/properties.md)\n  # {name}-check: {{kind: check, design: {name}, invariants: [...]}}"
                    );
                }
            }
            None => {
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
