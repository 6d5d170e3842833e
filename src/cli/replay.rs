//! `entail replay`: re-check a result with other code than made it.

use super::ExitCode;
use super::args::Common;
use super::load::{cache_dir, unreadable};
use crate::proof;
use crate::proof::replay::Said;
use crate::proof::second::Effort;
use crate::report::result::{self, Recheck};
use crate::source::SourceMap;
use clap::Args;
use std::path::PathBuf;

/// Re-check the evidence of a result file.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  entail check designs/flow/rtl/gray_counter.sv --json result.json
  entail replay result.json
  entail prove designs/flow/proofs/saturate.yaml --json proof.json
  entail replay proof.json")]
pub struct Replay {
    /// A file that `entail check --json` or `entail prove --json` wrote.
    #[arg(value_name = "RESULT")]
    result: PathBuf,
    /// The same from the design: a result that `entail check --json` wrote just now; the models must agree.
    #[arg(long, value_name = "RESULT")]
    against: Option<PathBuf>,
}

impl Replay {
    /// Re-checks a proof: every step by itself, then whether it is about the files at hand.
    fn proof(&self, text: &str, common: &Common) -> ExitCode {
        if self.against.is_some() {
            eprintln!(
                "error: --against is for results of `entail check`\n  help: a proof is compared with its specification by itself"
            );
            return ExitCode::Source;
        }
        let file: proof::file::ProofFile = match serde_json::from_str(text) {
            Ok(f) => f,
            Err(e) => {
                eprintln!("error: {}: not a proof: {e}", self.result.display());
                return ExitCode::Source;
            }
        };
        if file.format != proof::file::FORMAT {
            eprintln!("error: its format is `{}`, this program reads `{}`", file.format, proof::file::FORMAT);
            return ExitCode::Source;
        }
        let mut code = ExitCode::Ok;
        let mut done = |i: usize, said: &Said| {
            let name = &file.steps[i].name;
            match said {
                Said::Confirmed(how) => println!("confirmed  {name}: {how}"),
                Said::Unchecked(why) => println!("unchecked  {name}: {why}"),
                Said::Refuted(why) => println!("REFUTED    {name}: {why}"),
            }
        };
        let (mut rebuilt, all) = match proof::replay::replay(&file, &Effort::default(), &mut done) {
            Ok(r) => r,
            Err(e) => {
                println!("REFUTED    {}: {e}", self.result.display());
                return ExitCode::Internal;
            }
        };
        if all.iter().any(|s| matches!(s, Said::Refuted(_))) {
            code = ExitCode::Internal;
        } else if all.iter().any(|s| matches!(s, Said::Unchecked(_))) {
            code = ExitCode::Unknown;
        }
        let mut stale = Vec::new();
        for (path, hash) in &file.files {
            match SourceMap::new().read(path) {
                Err(e) => stale.push(format!("{path} cannot be read: {e}")),
                Ok(_) => {
                    let mut map = SourceMap::new();
                    let now = map.read(path).map(|id| blake3::hash(map.file(id).text.as_bytes()).to_hex().to_string());
                    if now.ok().as_ref() != Some(hash) {
                        stale.push(format!("{path} has changed"));
                    }
                }
            }
        }
        let tool = super::fingerprint();
        if tool != file.tool {
            stale.push(format!("the program has changed: {} proved it, this is {tool}", file.tool));
        }
        if stale.iter().all(|s| s.starts_with("the program")) {
            let (mut map, mut diags) = (SourceMap::new(), Vec::new());
            let spec = std::path::Path::new(&file.spec);
            match proof::script::load::load(spec, &file.parameters, cache_dir(common), &mut map, &mut diags) {
                Some(l) => {
                    let list = proof::tie::differences(&file, &mut rebuilt, &l);
                    for d in &list {
                        println!("REFUTED    {}: {d}", file.spec);
                        code = ExitCode::Internal;
                    }
                    if list.is_empty() {
                        println!("the same   {}: design and specification are those of the proof", file.spec);
                    }
                }
                None => stale.push(format!("{} cannot be loaded any more", file.spec)),
            }
        }
        for s in &stale {
            println!("stale      {s}");
            code = code.worst(ExitCode::Unexpected);
        }
        code
    }

    /// Runs the subcommand.
    pub fn run(&self, common: &Common) -> ExitCode {
        if let Ok(text) = std::fs::read_to_string(&self.result)
            && text.contains(proof::file::FORMAT)
        {
            return self.proof(&text, common);
        }
        let read = |p: &PathBuf| {
            let text = std::fs::read_to_string(p).map_err(|e| unreadable(p, &e))?;
            let help = "`entail check … --json FILE` and `entail prove … --json FILE` write such files";
            result::read(&text).map_err(|e| format!("{}: {e}\n  help: {help}", p.display()))
        };
        let file = match read(&self.result) {
            Ok(f) => f,
            Err(e) => {
                eprintln!("error: {e}");
                return ExitCode::Source;
            }
        };
        if let Some(other) = &self.against {
            match read(other) {
                Ok(o) if o.models == file.models => println!("the models agree"),
                Ok(_) => {
                    eprintln!("error: the results are about different models");
                    return ExitCode::Internal;
                }
                Err(e) => {
                    eprintln!("error: {e}");
                    return ExitCode::Source;
                }
            }
        }
        let checks = match result::recheck(&file) {
            Ok(c) => c,
            Err(e) => {
                eprintln!("error: {}: {e}", self.result.display());
                return ExitCode::Internal;
            }
        };
        let mut code = ExitCode::Ok;
        for (p, c) in file.properties.iter().zip(checks) {
            let verdict = serde_json::to_value(p.verdict).ok().and_then(|v| v.as_str().map(str::to_string));
            let verdict = verdict.unwrap_or_default();
            match c {
                Recheck::Confirmed(how) => println!("confirmed  {}: {verdict}, {how}", p.name),
                Recheck::Nothing => println!("no claim   {}: {verdict}", p.name),
                Recheck::Refuted(why) => {
                    println!("REFUTED    {}: {verdict}, but {why}", p.name);
                    code = ExitCode::Internal;
                }
            }
        }
        code
    }
}
