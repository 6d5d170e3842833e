//! `entail check`: do the assertions of a design hold?

use super::args::{Common, Sources};
use super::{ExitCode, load, print_diagnostics};
use crate::engine::prove::{self, Answer, Choice, Settled};
use crate::engine::{Control, Reason};
use crate::interop::aiger;
use crate::model::{Clocks, Goal, System, of_net};
use crate::net::LowerOptions;
use crate::source::SourceMap;
use clap::{ArgMatches, Args, ValueEnum};
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Which engine.
#[derive(Clone, Copy, ValueEnum, PartialEq, Eq, Debug, Default)]
pub enum EngineName {
    /// Several side by side; the first answer wins.
    #[default]
    Portfolio,
    /// Bounded: failures only.
    Bmc,
    /// Induction over k steps.
    Induction,
    /// IC3, or property-directed reachability.
    Ic3,
    /// State by state, for small systems.
    Explicit,
}

impl From<EngineName> for Choice {
    fn from(e: EngineName) -> Choice {
        match e {
            EngineName::Portfolio => Choice::Portfolio,
            EngineName::Bmc => Choice::Bmc,
            EngineName::Induction => Choice::Induction,
            EngineName::Ic3 => Choice::Ic3,
            EngineName::Explicit => Choice::Explicit,
        }
    }
}

/// Model-check the assertions of a design, or of an AIGER file.
#[derive(Args, Debug)]
pub struct Check {
    #[command(flatten)]
    sources: Sources,
    /// Engine.
    #[arg(long, value_enum, default_value_t)]
    engine: EngineName,
    /// Seconds for each property.
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0)]
    timeout: f64,
    /// Most steps of an unrolling.
    #[arg(long, value_name = "STEPS", default_value_t = 1_000_000)]
    depth: u32,
    /// Threads; as many as the machine has cores if left out.
    #[arg(short = 'j', value_name = "N")]
    threads: Option<usize>,
    /// Only properties whose name contains this.
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
}

impl Check {
    /// Runs the subcommand.
    pub fn run(&self, m: &ArgMatches, common: &Common) -> ExitCode {
        if let [file] = self.sources.files.as_slice()
            && (file.ends_with(".aig") || file.ends_with(".aag"))
        {
            return self.model_file(PathBuf::from(file), common);
        }
        let opts = LowerOptions { memory_limit_bits: u64::MAX };
        let (e, net) = match load::netlist(m, common, &opts) {
            Ok(x) => x,
            Err(code) => return code,
        };
        match of_net(&net, Clocks::Ticks) {
            Ok(sys) => self.check(&sys, &e.sources, common),
            Err(d) => {
                print_diagnostics(&[d], &e.sources, common);
                ExitCode::Source
            }
        }
    }

    fn model_file(&self, path: PathBuf, common: &Common) -> ExitCode {
        let read = std::fs::read(&path).map_err(|e| e.to_string()).and_then(|bytes| aiger::read(&bytes));
        match read {
            Ok(mut sys) => {
                sys.name = path.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned());
                self.check(&sys, &SourceMap::new(), common)
            }
            Err(e) => {
                eprintln!("error: {}: {e}", path.display());
                ExitCode::Source
            }
        }
    }

    fn check(&self, sys: &System, map: &SourceMap, common: &Common) -> ExitCode {
        let chosen = |g: &&Goal| self.only.is_empty() || self.only.iter().any(|n| g.symbol.name.contains(n.as_str()));
        let goals: Vec<&Goal> = sys.goals.iter().filter(chosen).collect();
        if !common.quiet {
            println!(
                "{}: {} properties, {} state bits, {} inputs",
                sys.name,
                goals.len(),
                sys.states.len(),
                sys.inputs.len()
            );
            println!("a step is {}", sys.step);
        }
        let colour = load::colour(common, &std::io::stdout());
        let mut code = ExitCode::Ok;
        for g in goals {
            let start = Instant::now();
            let s = self.settle(sys, g);
            let seconds = start.elapsed().as_secs_f64();
            code = code.worst(exit_code(&s.answer));
            print_line(sys, g, &s, map, seconds, colour);
        }
        code
    }

    fn settle(&self, sys: &System, goal: &Goal) -> Settled {
        let cancel = AtomicBool::new(false);
        let show = std::io::stderr().is_terminal();
        let progress = |engine: &'static str, depth: u32| {
            if show {
                eprint!("\r  {}: {engine} at {depth}   \r", goal.symbol.name);
                let _ = std::io::stderr().flush();
            }
        };
        let deadline = Duration::try_from_secs_f64(self.timeout).ok().map(|d| Instant::now() + d);
        let ctl =
            Control { deadline, cancel: &cancel, outer: None, nodes: 1 << 24, depth: self.depth, progress: &progress };
        let threads = self.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(2, |n| n.get()));
        let mut s = prove::settle(sys, goal, self.engine.into(), &ctl, threads);
        if matches!(s.answer, Answer::Holds | Answer::Unchecked)
            && prove::is_vacuous(sys, goal, self.engine.into(), &ctl, threads) == Some(true)
        {
            s.answer = Answer::Vacuous;
        }
        s
    }
}

fn exit_code(a: &Answer) -> ExitCode {
    match a {
        Answer::Holds | Answer::Unchecked | Answer::Covered => ExitCode::Ok,
        Answer::Fails | Answer::Vacuous | Answer::Unreachable => ExitCode::Unexpected,
        Answer::HoldsTo(_) | Answer::Unknown(_) => ExitCode::Unknown,
        Answer::Broken(_) => ExitCode::Internal,
    }
}

fn print_line(sys: &System, goal: &Goal, s: &Settled, map: &SourceMap, seconds: f64, colour: bool) {
    let steps = s.path.as_ref().map_or(0, |p| p.inputs.len());
    let (word, paint, detail) = match &s.answer {
        Answer::Holds => ("holds", "32", format!("{}, evidence checked", s.engine)),
        Answer::Unchecked => ("holds", "33", format!("{}, unchecked", s.engine)),
        Answer::Vacuous => ("vacuous", "33", "it never says anything".to_string()),
        Answer::HoldsTo(n) => ("unknown", "33", format!("{}: no failure within {n} steps", s.engine)),
        Answer::Fails => ("fails", "31", format!("{} after {steps} steps", s.engine)),
        Answer::Covered => ("covered", "32", format!("{} in {steps} steps", s.engine)),
        Answer::Unreachable => ("unreachable", "31", format!("{}, evidence checked", s.engine)),
        Answer::Unknown(Reason::Timeout) => ("unknown", "33", "out of time".to_string()),
        Answer::Unknown(why) => ("unknown", "33", why.to_string()),
        Answer::Broken(why) => ("broken", "35", format!("internal error: {why}")),
    };
    let word = if colour { format!("\x1b[{paint}m{word:<11}\x1b[0m") } else { format!("{word:<11}") };
    let place = map.location(goal.symbol.span).map_or(String::new(), |l| format!(" {}:{}", l.path.display(), l.line));
    println!("{word} {}{place}  ({detail}, {seconds:.2} s)", goal.symbol.name);
    let _ = sys;
}
