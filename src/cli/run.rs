//! `entail run`: the jobs of the project file.

use super::args::Common;
use super::load::colour;
use super::{ExitCode, print_diagnostics, record, told};
use crate::cache::{Event, Store};
use crate::project::changed;
use crate::project::file::{self, Job, Project};
use crate::report::record::{JobReport, Place, REPORT, Record, Report, Status};
use crate::runner::cluster::{self, Cluster};
use crate::runner::jobserver::Jobserver;
use crate::runner::judge::{Judged, expectations, judge};
use crate::runner::plan::{self, Choice, Planned};
use crate::runner::{Done, Ended, Task, local};
use crate::source::{Format, SourceMap, Tree};
use clap::Args;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

mod deps;
mod display;
mod events;
mod write;

pub use display::{ago, quoted};

/// Run jobs of the project file.
#[derive(Args, Default, Debug)]
#[command(after_help = "Examples:
  entail run                         the suite `default`, or all jobs
  entail run smoke fifo-cdc          a suite and a job
  entail run 'fifo-*' -j 8           jobs by pattern, eight at once
  entail run nightly --report n.html --junit n.xml
  entail run --since origin/main     what a change can affect
  entail run nightly --runner slurm  on a cluster

Exit codes: 0 all as expected; 1 some are not; 2 a mistake in the project or the sources; 3 some have no answer,
or with --known-only are not known; 4 an internal error, or evidence that does not check; 130 interrupted. If several
apply: 4 before 2 before 1 before 3.")]
pub struct Run {
    /// Jobs, suites or patterns.
    #[arg(value_name = "JOB|SUITE")]
    names: Vec<String>,
    /// The project file; without it, entail.yaml here or in a folder above.
    #[arg(long, value_name = "FILE")]
    project: Option<PathBuf>,
    /// Jobs at the same time; under make, as many as make allows.
    #[arg(short, long, value_name = "N", value_parser = parse_jobs)]
    jobs: Option<usize>,
    /// Only jobs that files changed since this git revision can affect.
    #[arg(long, value_name = "REV")]
    since: Option<String>,
    /// Check stored evidence again instead of trusting it.
    #[arg(long)]
    replay: bool,
    /// Run again what had no answer.
    #[arg(long)]
    retry_unknown: bool,
    /// Stop at the first job that is not as expected.
    #[arg(long)]
    fail_fast: bool,
    /// Say what would be run, and why.
    #[arg(long)]
    dry_run: bool,
    /// Run nothing: report what is known; exit code 3 if that is not everything.
    #[arg(long)]
    known_only: bool,
    /// Where jobs run: local, slurm, or a command with {command} in it (LSF: 'bsub -K -M {memory_mb} {command}').
    #[arg(long, value_name = "RUNNER", default_value = "local")]
    runner: String,
    /// One more word for sbatch, such as --partition=fast.
    #[arg(long, value_name = "WORD", allow_hyphen_values = true)]
    sbatch: Vec<String>,
    /// Write what happens, as it happens (JSON lines).
    #[arg(long, value_name = "FILE")]
    events: Option<PathBuf>,
    /// Write the results (JSON; see `entail docs report-schema`).
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the results for CI servers (JUnit XML).
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Write findings and failures for code scanners (SARIF).
    #[arg(long, value_name = "FILE")]
    sarif: Option<PathBuf>,
    /// Write a report to look at (HTML).
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Write what the jobs read, for make.
    #[arg(long, value_name = "FILE")]
    deps: Option<PathBuf>,
    /// The target of --deps.
    #[arg(long, value_name = "NAME", requires = "deps")]
    deps_target: Option<String>,
    /// Keep results in this folder and not beside the project file (for `entail hook`).
    #[arg(long, hide = true, value_name = "DIR")]
    keep: Option<PathBuf>,
}

fn parse_jobs(text: &str) -> Result<usize, String> {
    text.parse::<usize>().ok().filter(|n| *n > 0).ok_or_else(|| "expected a number from 1 on".into())
}

/// Finds and reads the project; mistakes are printed.
pub fn project(given: Option<&Path>, common: &Common) -> Result<Project, ExitCode> {
    let path = match given {
        Some(p) => p.to_path_buf(),
        None => match find() {
            Some(p) => p,
            None => {
                eprintln!(
                    "error: there is no entail.yaml here or above\n  help: `entail init` writes a first one; --project FILE names another"
                );
                return Err(ExitCode::Source);
            }
        },
    };
    let mut map = SourceMap::new();
    file::read(&path, Tree::default(), &mut map).map_err(|d| {
        print_diagnostics(&d, &map, common);
        ExitCode::Source
    })
}

/// The nearest project file, as a path that is relative where it can be.
fn find() -> Option<PathBuf> {
    let mut folder = PathBuf::new();
    for _ in 0..64 {
        let path = folder.join("entail.yaml");
        if path.is_file() {
            return Some(path);
        }
        let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder.as_path() };
        std::fs::canonicalize(here).ok()?.parent()?;
        folder.push("..");
    }
    None
}

/// Where a project keeps what it makes.
pub fn own_folder(p: &Project) -> PathBuf {
    p.own.clone().unwrap_or_else(|| p.folder.join(".entail"))
}

/// Opens the project's store.
pub fn open_store(p: &Project) -> Result<Store, String> {
    let folder = own_folder(p);
    std::fs::create_dir_all(&folder).map_err(|e| format!("cannot make {}: {e}", folder.display()))?;
    let ignore = folder.join(".gitignore");
    if !ignore.exists() {
        // Nothing in it is for a repository; without this, git merely shows it.
        let _ = std::fs::write(ignore, "*\n");
    }
    Ok(Store::open(&folder.join("store.db"))?)
}

/// A run under way: what workers of it share.
struct Session<'s> {
    run: &'s Run,
    store: Mutex<Store>,
    number: i64,
    reports: Mutex<Vec<Option<JobReport>>>,
    codes: Mutex<ExitCode>,
    screen: display::Screen,
    events: Mutex<Option<events::Events>>,
    stop: Arc<AtomicBool>,
}

impl Run {
    /// Runs the subcommand.
    pub fn run(&self, common: &Common) -> ExitCode {
        told(self.go(common))
    }

    /// A run of these jobs that keeps its results in a folder.
    pub fn kept(names: &[String], keep: &Path) -> Run {
        let (names, keep) = (names.to_vec(), Some(keep.to_path_buf()));
        Run { names, keep, runner: "local".into(), ..Run::default() }
    }

    /// The cluster to run on, if any.
    fn cluster(&self) -> Result<Option<cluster::Kind>, String> {
        match self.runner.as_str() {
            "local" => Ok(None),
            "slurm" => Ok(Some(cluster::Kind::Slurm { options: self.sbatch.clone() })),
            t if t.contains("{command}") => Ok(Some(cluster::Kind::Command { template: t.into() })),
            other => {
                let help = "local, slurm, or a command with {command} in it, such as 'bsub -K {command}'";
                Err(format!("there is no runner `{other}`\n  help: {help}"))
            }
        }
    }

    /// Mistakes that would else be noticed when jobs have run for hours.
    fn foresee(&self) -> Result<(), String> {
        self.cluster()?;
        if !self.sbatch.is_empty() && self.runner != "slurm" {
            return Err("--sbatch is for --runner slurm\n  help: add --runner slurm, or take --sbatch out".into());
        }
        for path in [&self.events, &self.json, &self.junit, &self.sarif, &self.report, &self.deps].into_iter().flatten()
        {
            let folder = path.parent().filter(|f| !f.as_os_str().is_empty()).unwrap_or(Path::new("."));
            if path.is_dir() {
                return Err(format!("cannot write {}: it is a folder\n  help: name a file in it", path.display()));
            }
            if !folder.is_dir() {
                let (path, folder) = (path.display(), folder.display());
                return Err(format!(
                    "cannot write {path}: {folder} is no folder\n  help: make the folder first, or name another"
                ));
            }
        }
        Ok(())
    }

    fn go(&self, common: &Common) -> Result<ExitCode, String> {
        let began = Instant::now();
        let mut p = match project(self.project.as_deref(), common) {
            Ok(p) => p,
            Err(code) => return Ok(code),
        };
        p.own = self.keep.clone();
        self.foresee()?;
        let stop = listen()?;
        let store = open_store(&p)?;
        let planned = self.plan(&p, &store, common)?;
        self.carry_out(&p, store, planned, began, stop, common)
    }

    /// The same for a project whose files are those of a tree, if everything that is asked is known of them: nothing
    /// can be run there.
    pub fn if_known(&self, tree: Tree, common: &Common) -> Result<Option<ExitCode>, String> {
        let began = Instant::now();
        // Mistakes are told where their files can be looked at.
        let Ok(mut p) = file::read(Path::new("entail.yaml"), tree, &mut SourceMap::new()) else { return Ok(None) };
        p.own = self.keep.clone();
        let store = open_store(&p)?;
        let planned = self.plan(&p, &store, common)?;
        if planned.iter().any(|x| x.cached.is_none()) {
            return Ok(None);
        }
        self.carry_out(&p, store, planned, began, listen()?, common).map(Some)
    }

    fn plan<'p>(&self, p: &'p Project, store: &Store, common: &Common) -> Result<Vec<Planned<'p>>, String> {
        let choice = Choice {
            names: &self.names,
            since: self.since.as_deref(),
            again: common.no_cache || self.replay,
            retry_unknown: self.retry_unknown,
            tool: super::fingerprint(),
        };
        plan::plan(p, store, &choice)
    }

    fn carry_out(
        &self,
        p: &Project,
        store: Store,
        mut planned: Vec<Planned>,
        began: Instant,
        stop: Arc<AtomicBool>,
        common: &Common,
    ) -> Result<ExitCode, String> {
        let mut unknown = 0;
        if self.known_only {
            planned.iter_mut().filter(|x| x.cached.is_none() && !x.skipped).for_each(|x| {
                unknown += 1;
                x.skipped = true;
                x.why = format!("it has to be run: {}", x.why);
            });
        }
        if self.dry_run {
            for x in &planned {
                let what = if x.cached.is_some() {
                    "known"
                } else if x.skipped {
                    "skip"
                } else {
                    "run"
                };
                println!("{what:<6} {}  ({})", x.job.name, x.why);
            }
            return Ok(ExitCode::Ok);
        }
        let at = record::now();
        let commit = changed::commit(&p.folder);
        let number = store.begin_run(at, commit.as_deref())?;
        let events = match &self.events {
            Some(path) => Some(events::Events::create(path)?),
            None => None,
        };
        let left = planned.iter().filter(|x| x.cached.is_none() && !x.skipped).count();
        let session = Session {
            run: self,
            store: Mutex::new(store),
            number,
            reports: Mutex::new((0..planned.len()).map(|_| None).collect()),
            codes: Mutex::new(ExitCode::Ok),
            screen: display::Screen::new(common, left, planned.len()),
            events: Mutex::new(events),
            stop,
        };
        session.known(&planned)?;
        sweep(&own_folder(p).join("work"));
        let spool = own_folder(p).join("work").join(format!("{number}-{}@{}", std::process::id(), host()));
        session.work(p, &planned, &spool, common)?;
        // Logs of workers that died stay where the report says they are.
        if session.reports.lock().is_ok_and(|r| r.iter().flatten().all(|j| j.log.is_none())) {
            let _ = std::fs::remove_dir_all(&spool);
        }
        let code = session.finish(p, at, commit, began, common)?;
        if unknown == 0 {
            return Ok(code);
        }
        let of = if unknown == planned.len() { String::new() } else { format!(" of {}", planned.len()) };
        let jobs = if planned.len() == 1 { "job" } else { "jobs" };
        eprintln!(
            "warning: nothing is known of {unknown}{of} {jobs}\n  help: `entail run` without --known-only runs them"
        );
        Ok(code.worst(ExitCode::Unknown))
    }
}

/// Listens for signals: the first asks to stop, the second leaves at once, and workers die with it.
fn listen() -> Result<Arc<AtomicBool>, String> {
    let stop = Arc::new(AtomicBool::new(false));
    for s in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        signal_hook::flag::register_conditional_shutdown(s, ExitCode::Interrupted as i32, stop.clone())
            .and_then(|_| signal_hook::flag::register(s, stop.clone()))
            .map_err(|e| format!("cannot listen for signals: {e}"))?;
    }
    Ok(stop)
}

impl Session<'_> {
    fn lock<T>(m: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
        m.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// Tells of jobs that need not be run.
    fn known(&self, planned: &[Planned]) -> Result<(), String> {
        let store = Self::lock(&self.store);
        store.together(|store| {
            for (i, x) in planned.iter().enumerate() {
                if let Some((record, kept)) = &x.cached {
                    let ended = Ended::Exit(record.exit);
                    let done = Done { ended, seconds: kept.seconds, memory_kb: kept.memory_kb };
                    self.tell(store, i, x, &done, Some(record.clone()), kept.at, true)?;
                    let reports = Self::lock(&self.reports);
                    if let Some(r) = &reports[i] {
                        self.screen.known(r);
                        if let Some(e) = Self::lock(&self.events).as_mut() {
                            e.done(r);
                        }
                    }
                } else if x.skipped {
                    let report = x.report(Status::Skipped, "unknown", None, 0, 0.0, 0, false);
                    Self::lock(&self.reports)[i] = Some(report);
                }
            }
            Ok(())
        })
    }

    /// Runs the others.
    fn work(&self, p: &Project, planned: &[Planned], spool: &Path, common: &Common) -> Result<(), String> {
        let mut open: Vec<usize> =
            (0..planned.len()).filter(|i| planned[*i].cached.is_none() && !planned[*i].skipped).collect();
        if open.is_empty() {
            return Ok(());
        }
        // Long ones first, so that the end is not spent waiting for one of them.
        open.sort_by(|a, b| planned[*b].expected.total_cmp(&planned[*a].expected));
        let program = std::env::current_exe().map_err(|e| format!("cannot find this program: {e}"))?;
        if self.run.runner != "local" && !common.no_cache {
            std::fs::create_dir_all(spool).map_err(|e| format!("cannot make {}: {e}", spool.display()))?;
            Self::lock(&self.store).lend(&spool.join("lent.db"))?;
        }
        let mut tasks = Vec::new();
        for &i in &open {
            tasks.push(self.task(p, &planned[i], spool, &program, common)?);
        }
        let result = match self.run.cluster()? {
            None => self.locally(planned, &open, &tasks),
            Some(kind) => self.on_cluster(kind, planned, &open, &tasks, spool, &program),
        };
        for &i in &open {
            let mut reports = Self::lock(&self.reports);
            if reports[i].is_none() {
                reports[i] = Some(planned[i].report(Status::Skipped, "unknown", None, 0, 0.0, 0, false));
            }
        }
        result
    }

    fn task(&self, p: &Project, x: &Planned, spool: &Path, program: &Path, common: &Common) -> Result<Task, String> {
        let absolute = |path: &Path| std::path::absolute(path).map_err(|e| e.to_string());
        let folder = absolute(&spool.join(&x.job.name))?;
        std::fs::create_dir_all(&folder).map_err(|e| format!("cannot make {}: {e}", folder.display()))?;
        let (seconds, memory_mb) = x.limits;
        let mut task = Task {
            name: x.job.name.clone(),
            command: vec![program.display().to_string()],
            directory: absolute(&p.folder)?,
            folder,
            seconds,
            memory_mb,
        };
        let out = absolute(&own_folder(p).join("out").join(&x.job.name))?;
        let path = |p: PathBuf| p.display().to_string();
        let mut own = vec!["--record".into(), path(task.record()), "--progress".into(), path(task.progress())];
        own.extend(["--limit-memory".into(), memory_mb.to_string(), "--limit-time".into(), seconds.to_string()]);
        own.extend(["--color".into(), "never".into()]);
        if common.no_cache {
            own.push("--no-cache".into());
        } else if self.run.runner == "local" {
            own.extend(["--store".into(), path(absolute(&own_folder(p).join("store.db"))?)]);
        } else {
            own.extend(["--store".into(), path(absolute(&spool.join("lent.db"))?)]);
            own.extend(["--answers".into(), path(task.answers())]);
        }
        if self.run.replay {
            own.push("--recheck-stored".into());
        }
        if self.run.retry_unknown {
            own.push("--retry-stored".into());
        }
        if x.job.kind != crate::project::keys::Kind::Cdc {
            // Traces of an earlier run would be taken for those of this one.
            let _ = std::fs::remove_dir_all(&out);
            own.extend(["--trace".into(), path(out)]);
        }
        // Arguments of a model come last.
        let end = x.words.iter().position(|w| w == "--").unwrap_or(x.words.len());
        task.command.extend(x.words[..end].iter().cloned());
        task.command.extend(own);
        task.command.extend(x.words[end..].iter().cloned());
        Ok(task)
    }

    fn locally(&self, planned: &[Planned], open: &[usize], tasks: &[Task]) -> Result<(), String> {
        let server = Jobserver::from_environment();
        let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
        // Under make, make says how many.
        let usual = match server {
            Some(_) => open.len(),
            None if Jobserver::is_denied() => 1,
            None => cores,
        };
        let most = self.run.jobs.unwrap_or(usual).clamp(1, open.len());
        let next = AtomicUsize::new(0);
        // One at a time waits for a token of make; the others wait for their turn.
        let turn = Mutex::new(());
        let problem: Mutex<Option<String>> = Mutex::new(None);
        let finished = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let (finished, next, problem, server, turn) = (&finished, &next, &problem, &server, &turn);
            let is_left = move || !self.stop.load(Ordering::Relaxed) && next.load(Ordering::Relaxed) < open.len();
            let workers: Vec<_> = (0..most)
                .map(|k| {
                    scope.spawn(move || {
                        while is_left() {
                            // The first runs on the token that started us.
                            let _token = match (k, server) {
                                (0, _) | (_, None) => None,
                                (_, Some(s)) => {
                                    let _turn = Self::lock(turn);
                                    match s.wait(is_left) {
                                        Some(t) => Some(t),
                                        None => break,
                                    }
                                }
                            };
                            let n = next.fetch_add(1, Ordering::Relaxed);
                            let (Some(&i), Some(task)) = (open.get(n), tasks.get(n)) else { break };
                            let x = &planned[i];
                            self.started(x);
                            let watch = |_: u32, kb: u64| self.screen.memory(&x.job.name, kb);
                            let done = local::run(task, &self.stop, &watch);
                            if let Err(e) = self.done(i, x, task, done) {
                                Self::lock(problem).get_or_insert(e);
                                break;
                            }
                        }
                    })
                })
                .collect();
            if self.screen.is_live() {
                scope.spawn(move || self.show(tasks, finished));
            }
            for w in workers {
                // A panic of a worker is told by the panic itself.
                let _ = w.join();
            }
            finished.store(true, Ordering::Relaxed);
        });
        self.screen.clear();
        match problem.into_inner().unwrap_or_else(|e| e.into_inner()) {
            Some(e) => Err(e),
            None => Ok(()),
        }
    }

    fn on_cluster(
        &self,
        kind: cluster::Kind,
        planned: &[Planned],
        open: &[usize],
        tasks: &[Task],
        spool: &Path,
        program: &Path,
    ) -> Result<(), String> {
        let tell = |what: &str| eprintln!("{what}");
        let cluster = Cluster { jobs: self.run.jobs, tell, ..Cluster::new(kind) };
        open.iter().for_each(|&i| self.started(&planned[i]));
        let mut problem = None;
        let finished = &AtomicBool::new(false);
        let result = std::thread::scope(|scope| {
            let live = self.screen.is_live().then(|| scope.spawn(move || self.show(tasks, finished)));
            let result = cluster.run(tasks, &spool.join("queue"), program, &self.stop, &mut |n, done| {
                if let Err(e) = self.done(open[n], &planned[open[n]], &tasks[n], done) {
                    problem.get_or_insert(e);
                }
            });
            finished.store(true, Ordering::Relaxed);
            if let Some(l) = live {
                // A panic of the display is told by the panic itself.
                let _ = l.join();
            }
            result
        });
        self.screen.clear();
        result?;
        problem.map_or(Ok(()), Err)
    }

    /// Draws what is under way until it is finished.
    fn show(&self, tasks: &[Task], finished: &AtomicBool) {
        while !finished.load(Ordering::Relaxed) {
            self.screen.draw(|name| {
                let task = tasks.iter().find(|t| t.name == name)?;
                std::fs::read_to_string(task.progress()).ok()
            });
            std::thread::sleep(std::time::Duration::from_millis(150));
        }
    }

    fn started(&self, x: &Planned) {
        self.screen.start(&x.job.name);
        if let Some(e) = Self::lock(&self.events).as_mut() {
            e.started(&x.job.name, &x.why);
        }
    }

    /// A task ended: what it left is kept first and told then, so that nothing is told that could be lost.
    fn done(&self, i: usize, x: &Planned, task: &Task, mut done: Done) -> Result<(), String> {
        let record: Option<Record> = std::fs::read(task.record()).ok().and_then(|b| serde_json::from_slice(&b).ok());
        // Whoever watches from outside looks now and then; a short job is over by then.
        done.memory_kb = done.memory_kb.max(record.as_ref().map_or(0, |r| r.memory_kb));
        let store = Self::lock(&self.store);
        store.together(|store| {
            store.take_back(&task.answers())?;
            if let (Ended::Exit(0 | 1 | 3), Some(r)) = (&done.ended, &record) {
                store.keep_record(&x.spec, r, record::now(), done.seconds, done.memory_kb)?;
            }
            self.tell(store, i, x, &done, record, record::now(), false)
        })?;
        drop(store);
        self.screen.end(&x.job.name);
        let reports = Self::lock(&self.reports);
        if let Some(r) = &reports[i] {
            let mut r = r.clone();
            let told = r.record.iter().flat_map(|r| &r.findings).any(|f| f.severity == "error");
            if r.status == Status::Error && !(told && matches!(done.ended, Ended::Exit(2))) {
                r.log = tail(&task.log());
                if let Some(e) = r.log.as_ref().filter(|_| done.ended == Ended::Exit(2)).and_then(|l| complaint(l)) {
                    r.message = Some(e);
                }
            }
            self.screen.line(&r);
            if let Some(e) = Self::lock(&self.events).as_mut() {
                e.done(&r);
            }
            if self.run.fail_fast && !matches!(r.status, Status::Pass) {
                self.stop.store(true, Ordering::Relaxed);
            }
            drop(reports);
            Self::lock(&self.reports)[i] = Some(r);
        }
        Ok(())
    }

    #[allow(clippy::too_many_arguments)]
    fn tell(
        &self,
        store: &Store,
        i: usize,
        x: &Planned,
        done: &Done,
        mut record: Option<Record>,
        at: u64,
        cached: bool,
    ) -> Result<(), String> {
        if let Some(r) = &mut record {
            expectations(&x.job.expect, r);
        }
        let j = judge(&x.job.expect, &done.ended, record.as_ref());
        let leave_with = exit_code(&j);
        let mut report = x.report(j.status, j.verdict, record, at, done.seconds, done.memory_kb, cached);
        report.message = j.message;
        report.history = x.history.clone();
        store.note(
            self.number,
            record::now(),
            &Event { job: &x.job.name, status: j.status, seconds: done.seconds, cached, why: &x.why },
        )?;
        let mut code = Self::lock(&self.codes);
        *code = code.worst(leave_with);
        Self::lock(&self.reports)[i] = Some(report);
        Ok(())
    }

    fn finish(
        self,
        p: &Project,
        at: u64,
        commit: Option<String>,
        began: Instant,
        common: &Common,
    ) -> Result<ExitCode, String> {
        let store = self.store.into_inner().unwrap_or_else(|e| e.into_inner());
        let mut jobs: Vec<JobReport> =
            self.reports.into_inner().unwrap_or_else(|e| e.into_inner()).into_iter().flatten().collect();
        let mut counts = [0; 5];
        let mut places = BTreeMap::new();
        let of: HashMap<&str, &Job> = p.jobs.iter().map(|j| (j.name.as_str(), j)).collect();
        for j in &mut jobs {
            counts[j.status as usize] += 1;
            if let Some(job) = of.get(j.name.as_str()) {
                j.design = p.subject(job);
                places.insert(j.name.clone(), stands(job));
            }
        }
        let seconds = began.elapsed().as_secs_f64();
        let trend = store.trend(60)?;
        store.end_run(self.number, seconds, counts)?;
        let report = Report {
            format: REPORT.into(),
            tool: super::fingerprint(),
            project: p.name.clone(),
            folder: changed::prefix(&p.folder),
            selection: self.run.names.clone(),
            at,
            seconds,
            commit,
            places,
            jobs,
            trend,
        };
        write::write(self.run, p, &report)?;
        if common.format == Format::Github {
            print!("{}", write::annotations(&report));
        }
        if !common.quiet {
            print!("{}", display::summary(&report, colour(common, &std::io::stdout())));
        }
        if let Some(e) = self.events.into_inner().unwrap_or_else(|e| e.into_inner()).as_mut() {
            e.ended(&counts, seconds);
        }
        let mut code = self.codes.into_inner().unwrap_or_else(|e| e.into_inner());
        if self.stop.load(Ordering::Relaxed) && !(self.run.fail_fast && code != ExitCode::Ok) {
            code = ExitCode::Interrupted;
        }
        Ok(code)
    }
}

/// This machine's name: a project's folder may be shared, and process numbers are not.
fn host() -> String {
    std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default().trim().to_string()
}

/// Removes what runs of this machine have left that are no more: killed ones, and those whose workers died.
fn sweep(work: &Path) {
    for e in std::fs::read_dir(work).into_iter().flatten().flatten() {
        let name = e.file_name().to_string_lossy().into_owned();
        let Some((run, place)) = name.split_once('@') else { continue };
        let pid = run.rsplit('-').next().and_then(|p| p.parse::<i32>().ok()).and_then(rustix::process::Pid::from_raw);
        let alive = pid.is_none_or(|p| rustix::process::test_kill_process(p).is_ok());
        let age = e.metadata().and_then(|m| m.modified()).ok().and_then(|t| t.elapsed().ok());
        if place == host() && !alive && age.is_some_and(|a| a.as_secs() > 3_600) {
            // It is only room that is lost if this fails.
            let _ = std::fs::remove_dir_all(e.path());
        }
    }
}

/// Where a job stands in the project's files.
fn stands(job: &Job) -> Place {
    let (file, line, column) = &job.place;
    Place { file: file.display().to_string(), line: *line, column: *column, end: 0 }
}

/// What to leave with on account of a job.
fn exit_code(j: &Judged) -> ExitCode {
    match j.status {
        Status::Pass => ExitCode::Ok,
        Status::Fail => ExitCode::Unexpected,
        Status::Unknown => ExitCode::Unknown,
        Status::Error if j.mistake => ExitCode::Source,
        Status::Error => ExitCode::Internal,
        Status::Skipped => ExitCode::Interrupted,
    }
}

/// The first mistake that a worker printed which left no word of it in a record.
fn complaint(log: &str) -> Option<String> {
    log.lines().find_map(|l| l.strip_prefix("error: ")).map(str::to_string)
}

/// The end of a file of output.
fn tail(path: &Path) -> Option<String> {
    let bytes = std::fs::read(path).ok()?;
    let text = String::from_utf8_lossy(&bytes[bytes.len().saturating_sub(4_096)..]).into_owned();
    (!text.trim().is_empty()).then_some(text)
}
