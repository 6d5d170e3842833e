//! `entail explore`: SystemC schedules and loose timings.

use super::args::Common;
use super::load::{cache_dir, colour};
use super::{ExitCode, record};
use crate::explore::build::{self, BuildError, Toolchain};
use crate::explore::resume::Resume;
use crate::explore::server::{Failure, Setup};
use crate::explore::{Explored, Limits, explore};
use clap::Args;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

mod places;
mod tell;

/// Run a SystemC model under every schedule and timing that can end differently.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  entail explore designs/systemc/foo.cpp
  entail explore designs/systemc/decoder.cpp --loose 20%
  entail explore designs/systemc/interrupts.cpp -D BUG=1 --trace out
  entail explore --build 'make sim' --program ./sim -- +images=3")]
pub struct Explore {
    /// Sources of the model.
    #[arg(value_name = "MODEL.cpp")]
    sources: Vec<PathBuf>,
    /// Folder to search for included files.
    #[arg(short = 'I', value_name = "DIR")]
    include: Vec<String>,
    /// Macro.
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    define: Vec<String>,
    /// The compiler.
    #[arg(long, value_name = "PROGRAM", default_value = "g++")]
    cxx: String,
    /// Where SystemC is installed, if not where the compiler looks.
    #[arg(long, value_name = "DIR")]
    systemc: Option<PathBuf>,
    /// One more word for the compiler.
    #[arg(long, value_name = "WORD", allow_hyphen_values = true)]
    cflag: Vec<String>,
    /// Build the model with this command instead: it finds our compiler in $CXX.
    #[arg(long, value_name = "COMMAND", requires = "program")]
    build: Option<String>,
    /// The program that was built.
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
    /// Make every timed wait loose by so much: 20%, or 0.2. That nothing is missed then is argued and tested by
    /// brute force, not proved as it is for fixed delays.
    #[arg(long, value_name = "PART", value_parser = parse_part)]
    loose: Option<u64>,
    /// All delays of one wait of the program are one choice, however often it is passed.
    #[arg(long)]
    shared_delays: bool,
    /// Look once at what follows a state of the model, however many orders and timings lead to it: the same outcomes,
    /// far fewer runs where a model comes back to rest, as between frames or packets.
    #[arg(long, conflicts_with_all = ["shared_delays", "preemptions", "when"])]
    merge: bool,
    /// Most runs, not counting those of earlier parts.
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    max_runs: u64,
    /// Most seconds, not counting those of earlier parts.
    #[arg(long, value_name = "S")]
    time: Option<f64>,
    /// Keep what is known in this file when it stops, and every half a minute; go on from it if it is there.
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// Most choices against the kernel's own order in one run.
    #[arg(long, value_name = "N")]
    preemptions: Option<u32>,
    /// Most seconds of one run.
    #[arg(long, value_name = "S", default_value_t = 10.0)]
    run_time: f64,
    /// Most steps of one run.
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    max_steps: u64,
    /// Most delta cycles in one instant.
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    max_deltas: u64,
    /// About so many MB for what is known of runs; what does not fit is run again when needed.
    #[arg(long, value_name = "MB", default_value_t = 2_048)]
    memory: usize,
    /// Most copies of the model, for each of --jobs, that stand in the middle of runs for others to begin at.
    #[arg(long, value_name = "N", default_value_t = 8)]
    checkpoints: usize,
    /// Microseconds of a run between two such copies, at least.
    #[arg(long, value_name = "US", default_value_t = 4_000, hide = true)]
    checkpoint_after: u64,
    /// Runs at the same time.
    #[arg(short, long, value_name = "N")]
    jobs: Option<usize>,
    /// The order in which different processes print matters, too.
    #[arg(long)]
    ordered_output: bool,
    /// Take the final value of this channel or global variable as part of the outcome.
    #[arg(long, value_name = "NAME")]
    observe: Vec<String>,
    /// Tell the earliest and latest date of this process's last step, or of this event.
    #[arg(long, value_name = "NAME")]
    when: Vec<String>,
    /// A command that reads what a run printed and fails if it is wrong.
    #[arg(long, value_name = "COMMAND")]
    oracle: Option<String>,
    /// A file that the oracle, or something that the model starts, reads: `entail run` looks whether it has changed.
    /// (Files that the model itself opens are seen.)
    #[arg(long, value_name = "FILE")]
    reads: Vec<PathBuf>,
    /// Different outcomes are as they should be.
    #[arg(long)]
    allow_different: bool,
    /// Stop at the first run that fails.
    #[arg(long)]
    first: bool,
    /// Write schedules and pictures of all outcomes into this folder.
    #[arg(long, value_name = "DIR")]
    trace: Option<PathBuf>,
    /// Write what was found.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Arguments of the model.
    #[arg(last = true, value_name = "ARGUMENT")]
    arguments: Vec<String>,
}

/// Parts of a million from `20%` or `0.2`.
fn parse_part(text: &str) -> Result<u64, String> {
    let (number, scale) = match text.strip_suffix('%') {
        Some(n) => (n, 10_000.0),
        None => (text, 1_000_000.0),
    };
    match number.trim().parse::<f64>() {
        Ok(x) if (0.0..1.0e6).contains(&(x * scale)) => Ok((x * scale).round() as u64),
        Ok(_) => Err("expected less than 100%: a wait takes some time".into()),
        Err(_) => Err("expected a part such as 20% or 0.2".into()),
    }
}

/// Shows a mistake and what to do about it.
fn complain(message: &str, details: &str, help: &str) -> ExitCode {
    let remedy = if help.is_empty() { String::new() } else { format!("\n  help: {help}") };
    record::complaint(&format!("{message}{remedy}"), details);
    eprintln!("error: {message}");
    for l in details.lines().take(40) {
        eprintln!("  {l}");
    }
    if !help.is_empty() {
        eprintln!("  help: {help}");
    }
    ExitCode::Source
}

impl Explore {
    pub fn run(&self, common: &Common) -> ExitCode {
        record::progress("building");
        let toolchain = self.toolchain(common);
        // What is ours is there before the clock starts: files that are newer count as changed.
        let is_ours = record::is_on() && self.program.is_none() && self.sources.iter().all(|s| s.is_file());
        let ours = if is_ours { toolchain.shim().err() } else { None };
        let began = std::time::SystemTime::now();
        let program = match ours.map_or_else(|| self.built(&toolchain), Err) {
            Ok(p) => p,
            Err(BuildError { message, details, help }) => return complain(&message, &details, &help),
        };
        let name = self.sources.first().or(self.program.as_ref());
        record::add(|r| r.design = name.map_or(String::new(), |n| n.display().to_string()));
        // What the user's own command reads is not known to us.
        if self.program.is_none() {
            match build::made_of(&program, began) {
                Some(files) => {
                    record::files(files.into_iter());
                    record::folders(&build::looked_in(&program, &self.words()));
                }
                // It may have been compiled from another text than is there now.
                None => record::unknown(&program),
            }
        }
        let positive = |x: f64| Duration::try_from_secs_f64(x).unwrap_or(Duration::MAX);
        let setup = Setup {
            program: program.clone(),
            arguments: self.arguments.clone(),
            loose_ppm: self.loose.unwrap_or(0),
            max_steps: self.max_steps,
            max_deltas: self.max_deltas,
            timeout: positive(self.run_time).min(Duration::from_secs(86_400)),
            trace_bytes: 1 << 30,
            output_bytes: 256 << 20,
            observe: self.observe.clone(),
            checkpoints: self.checkpoints,
            checkpoint_after: Duration::from_micros(self.checkpoint_after),
            states: self.merge,
            stop: interrupts(),
        };
        let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
        let limits = Limits {
            runs: self.max_runs,
            time: self.time.map(positive),
            departures: self.preemptions.unwrap_or(u32::MAX),
            jobs: self.jobs.unwrap_or(cores).max(1),
            ordered_output: self.ordered_output,
            first: self.first,
            room: self.memory.saturating_mul(4_000),
            shared_delays: self.shared_delays,
            merge: self.merge,
            when: self.when.clone(),
            resume: self.resume.clone().map(|file| Resume { file, tool: super::fingerprint() }),
        };
        let bar = Bar::new(common);
        let result = explore(&setup, &limits, &|runs, classes, left, outcomes| {
            record::progress(&format!("{runs} runs, {classes} classes, {left} choices left"));
            bar.show(runs, classes, left, outcomes);
        });
        bar.clear();
        // From here on a signal ends us at once.
        setup.stop.store(true, Ordering::Relaxed);
        match result {
            Ok(e) => {
                self.note_reads(&e, began);
                self.tell(common, &program, &e)
            }
            Err(f) => failed(&f),
        }
    }

    /// Notes what the model and the oracle read, so that what is found is not taken as known when that changes.
    fn note_reads(&self, e: &Explored, began: std::time::SystemTime) {
        // What the user's own command builds from is not known, and so nothing is.
        if self.program.is_some() {
            return;
        }
        let ours = ["SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "GLIBC_TUNABLES"];
        let reads = e.outcomes.reads.iter().filter(|r| !ours.iter().any(|o| r.strip_prefix('$') == Some(o)));
        let system = |r: &&String| !["/proc/", "/dev/", "/sys/"].iter().any(|s| r.starts_with(s));
        let oracle = self.oracle.iter().flat_map(|o| o.split_whitespace()).map(|w| w.trim_matches(['\'', '"', ';']));
        let oracle = oracle.filter(|w| std::path::Path::new(w).is_file());
        let all: Vec<String> = reads.filter(system).cloned().chain(oracle.map(String::from)).collect();
        let named = self.reads.iter().map(|p| p.display().to_string());
        record::read_since(all.into_iter().chain(named), began);
    }

    /// What builds the model.
    fn toolchain(&self, common: &Common) -> Toolchain {
        let cache = cache_dir(common)
            .and_then(|d| d.parent().map(|p| p.join("explore")))
            .unwrap_or_else(|| std::env::temp_dir().join("entail-explore"));
        Toolchain { compiler: self.cxx.clone(), systemc: self.systemc.clone(), cache }
    }

    /// The program to run, built if need be.
    fn built(&self, toolchain: &Toolchain) -> Result<PathBuf, BuildError> {
        let error = |message: String, help: &str| BuildError { message, details: String::new(), help: help.into() };
        if let Some(program) = &self.program {
            if !self.sources.is_empty() {
                return Err(error("both sources and --program".into(), "give one of them"));
            }
            if let Some(command) = &self.build {
                let wrapper = toolchain.wrapper()?;
                let status = std::process::Command::new("sh").args(["-c", command]).env("CXX", &wrapper).status();
                match status {
                    Ok(s) if s.success() => {}
                    Ok(s) => {
                        return Err(error(format!("`{command}` ended with {s}"), "it must build the model with $CXX"));
                    }
                    Err(e) => return Err(error(format!("cannot run `{command}`: {e}"), "")),
                }
            }
            return program.canonicalize().map_err(|e| {
                error(format!("no program {}: {e}", program.display()), "--program is the file that --build makes")
            });
        }
        if self.sources.is_empty() {
            return Err(error("no model".into(), "give its sources, or --program with a built one"));
        }
        if let Some(s) = self.sources.iter().find(|s| !s.is_file()) {
            return Err(error(format!("there is no file {}", s.display()), "check the path, or -C DIR"));
        }
        toolchain.model(&self.sources, &self.words(), self.loose.is_some_and(|l| l > 0))
    }

    /// Words for the compiler.
    fn words(&self) -> Vec<String> {
        let mut words: Vec<String> = self.include.iter().map(|d| format!("-I{d}")).collect();
        words.extend(self.define.iter().map(|d| format!("-D{d}")));
        words.extend(self.cflag.iter().cloned());
        words
    }

    fn tell(&self, common: &Common, program: &std::path::Path, e: &Explored) -> ExitCode {
        let options = tell::Options {
            program,
            arguments: &self.arguments,
            loose_ppm: self.loose.unwrap_or(0),
            allow_different: self.allow_different,
            oracle: self.oracle.as_deref(),
            trace: self.trace.as_deref(),
            resume: self.resume.as_deref(),
            verbose: common.verbose,
            quiet: common.quiet,
            colour: colour(common, &std::io::stdout()),
        };
        let told = match tell::tell(e, &options) {
            Ok(t) => t,
            Err(m) => return complain(&m, "", ""),
        };
        print!("{}", told.text);
        record::explored(&told.json, self.trace.as_deref());
        if let Some(path) = &self.json
            && let Err(e) = std::fs::write(path, format!("{:#}\n", told.json))
        {
            return complain(&format!("cannot write {}: {e}", path.display()), "", "");
        }
        told.code
    }
}

/// A flag that the first SIGINT or SIGTERM sets; when it is set, the next one ends the program at once.
fn interrupts() -> Arc<AtomicBool> {
    use signal_hook::{consts::TERM_SIGNALS, flag};
    let stop = Arc::new(AtomicBool::new(false));
    for &signal in TERM_SIGNALS.iter().filter(|&&s| s != signal_hook::consts::SIGQUIT) {
        // In this order: the first signal finds the flag unset. Where signals cannot be caught they do as always.
        let _ = flag::register_conditional_shutdown(signal, ExitCode::Interrupted as i32, stop.clone());
        let _ = flag::register(signal, stop.clone());
    }
    stop
}

fn failed(f: &Failure) -> ExitCode {
    match f {
        Failure::Lost(m) => complain(m, "", "is there memory and room for processes?"),
        Failure::Early(status, printed) => complain(
            &format!("the model ended before its simulation began ({status})"),
            &String::from_utf8_lossy(printed),
            "it must call sc_start; its arguments come after `--`; a program built without entail's compiler cannot be explored",
        ),
        Failure::Stopped => ExitCode::Interrupted,
        Failure::State(m, help) => complain(m, "", help),
        Failure::Script => complain("a schedule is too long", "", "bound the model's run: fewer steps, less time"),
        Failure::Broken(b) => {
            eprintln!("error: the record of a run is not readable at word {}", b.0);
            eprintln!("  help: the model may have written over memory that is not its own");
            ExitCode::Internal
        }
    }
}

/// A line that says how far it is, on a terminal.
struct Bar {
    on: bool,
    began: Instant,
    last: Mutex<Option<Instant>>,
}

impl Bar {
    fn new(common: &Common) -> Bar {
        Bar { on: std::io::stderr().is_terminal() && !common.quiet, began: Instant::now(), last: Mutex::new(None) }
    }

    fn show(&self, runs: u64, classes: u64, left: u64, outcomes: u64) {
        if !self.on || self.began.elapsed() < Duration::from_millis(500) {
            return;
        }
        let mut last = self.last.lock().unwrap_or_else(|e| e.into_inner());
        if last.is_some_and(|t| t.elapsed() < Duration::from_millis(100)) {
            return;
        }
        *last = Some(Instant::now());
        let rate = runs as f64 / self.began.elapsed().as_secs_f64();
        eprint!(
            "\r{runs} runs, {classes} classes, {left} choices to look at, {outcomes} outcomes, {rate:.0} runs/s   "
        );
    }

    fn clear(&self) {
        if self.last.lock().unwrap_or_else(|e| e.into_inner()).is_some() {
            eprint!("\r{:100}\r", "");
        }
    }
}
