//! A run on the terminal: what is under way while it is, a line for each job that ended, a summary worth reading.

use super::super::args::Common;
use super::super::load::colour;
use crate::report::expect::unexpected;
use crate::report::record::{Access, JobReport, MISTAKE, Report, Status, Verdict};
use crate::report::words::count;
use std::fmt::Write as _;
use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::time::Instant;

/// A job that runs.
struct Running {
    name: String,
    began: Instant,
    kb: u64,
}

/// The terminal.
pub struct Screen {
    live: bool,
    quiet: bool,
    paint: bool,
    total: usize,
    state: Mutex<State>,
}

struct State {
    running: Vec<Running>,
    done: usize,
    /// Lines that are drawn at present.
    drawn: usize,
}

/// A word in colour.
fn painted(text: &str, paint: &str, colour: bool) -> String {
    if colour { format!("\x1b[{paint}m{text}\x1b[0m") } else { text.to_string() }
}

fn paint_of(s: Status) -> &'static str {
    match s {
        Status::Pass => "32",
        Status::Fail | Status::Error => "31",
        Status::Unknown => "33",
        Status::Skipped => "2",
    }
}

/// A time as people say it.
fn time(s: f64) -> String {
    match s {
        s if s < 1.0 => format!("{:.0} ms", s * 1e3),
        s if s < 120.0 => format!("{s:.1} s"),
        s if s < 7_200.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3_600.0),
    }
}

impl Screen {
    /// `left` jobs are to be run, of so many in all.
    pub fn new(common: &Common, left: usize, all: usize) -> Screen {
        let live = std::io::stderr().is_terminal() && !common.quiet && left > 0;
        let state = Mutex::new(State { running: Vec::new(), done: all - left, drawn: 0 });
        Screen { live, quiet: common.quiet, paint: colour(common, &std::io::stdout()), total: all, state }
    }

    /// Whether something is drawn.
    pub fn is_live(&self) -> bool {
        self.live
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// A job begins.
    pub fn start(&self, name: &str) {
        self.state().running.push(Running { name: name.into(), began: Instant::now(), kb: 0 });
    }

    /// Its memory.
    pub fn memory(&self, name: &str, kb: u64) {
        if let Some(r) = self.state().running.iter_mut().find(|r| r.name == name) {
            r.kb = kb;
        }
    }

    /// It ended.
    pub fn end(&self, name: &str) {
        let mut s = self.state();
        s.running.retain(|r| r.name != name);
        s.done += 1;
    }

    /// Draws what is under way.
    pub fn draw(&self, progress: impl Fn(&str) -> Option<String>) {
        let mut s = self.state();
        let mut out = erase(s.drawn);
        let width = width();
        let mut lines = vec![format!("{}/{} jobs", s.done, self.total)];
        for r in s.running.iter().take(12) {
            let what = progress(&r.name).unwrap_or_default();
            let what = what.lines().next().unwrap_or("").to_string();
            lines.push(format!(
                "  {:<24} {:>8} {:>6} MB  {what}",
                r.name,
                time(r.began.elapsed().as_secs_f64()),
                r.kb / 1024
            ));
        }
        if s.running.len() > 12 {
            lines.push(format!("  and {} more", s.running.len() - 12));
        }
        for l in &lines {
            let cut: String = l.chars().take(width.saturating_sub(1)).collect();
            let _ = writeln!(out, "{cut}");
        }
        s.drawn = lines.len();
        eprint!("{out}");
        let _ = std::io::stderr().flush();
    }

    /// Takes away what is drawn.
    pub fn clear(&self) {
        let mut s = self.state();
        if s.drawn > 0 {
            eprint!("{}", erase(s.drawn));
            s.drawn = 0;
        }
    }

    /// A line for a job that need not be run: only where no summary follows that would tell of it.
    pub fn known(&self, j: &JobReport) {
        if self.quiet {
            self.line(j);
        }
    }

    /// A line for a job that ended.
    pub fn line(&self, j: &JobReport) {
        if self.quiet && matches!(j.status, Status::Pass | Status::Skipped) {
            return;
        }
        let mut s = self.state();
        if s.drawn > 0 {
            eprint!("{}", erase(s.drawn));
            s.drawn = 0;
        }
        println!("{}", job_line(j, self.paint));
        let _ = std::io::stdout().flush();
    }
}

/// Columns of the terminal. A line that is longer would become two, and be erased by half.
fn width() -> usize {
    let size = rustix::termios::tcgetwinsize(std::io::stderr()).ok();
    size.map(|s| usize::from(s.ws_col)).filter(|w| *w > 20).unwrap_or(80)
}

fn erase(lines: usize) -> String {
    if lines == 0 { String::new() } else { format!("\x1b[{lines}A\x1b[J") }
}

/// One line about a job.
fn job_line(j: &JobReport, colour: bool) -> String {
    let word = painted(&format!("{:<8}", j.status.word()), paint_of(j.status), colour);
    let effort = if j.cached { "known".to_string() } else { time(j.seconds) };
    let memory = if j.memory_kb > 0 && !j.cached { format!(", {} MB", j.memory_kb / 1024) } else { String::new() };
    let said = match (&j.message, j.verdict == j.expect) {
        (Some(m), _) => m.lines().next().unwrap_or("").to_string(),
        (None, true) if j.expect == "holds" => counts(j),
        (None, _) => format!("{}, as expected", j.verdict),
    };
    format!("{word} {:<28} {said}  ({effort}{memory})", j.name)
}

/// What the items of a job that holds are.
fn counts(j: &JobReport) -> String {
    let Some(r) = &j.record else { return j.verdict.clone() };
    if let Some(c) = &r.coverage {
        let complete = if c.complete { "complete" } else { "not complete" };
        return format!("{}, {complete}", count(c.classes, "class", "classes"));
    }
    let holds = r.items.iter().filter(|i| matches!(i.verdict, Verdict::Holds | Verdict::HoldsUnchecked)).count();
    let covered = r.items.iter().filter(|i| i.verdict == Verdict::Covered).count();
    let hold = count(holds as u64, "property holds", "properties hold");
    match (holds, covered) {
        (0, 0) => {
            let findings = r.findings.iter().filter(|f| f.severity != "note").count();
            count(findings as u64, "finding", "findings")
        }
        (_, 0) => hold,
        (_, c) => format!("{hold}, {c} covered"),
    }
}

/// The end of a run: what is not as expected, in full; the rest in numbers.
pub fn summary(r: &Report, colour: bool) -> String {
    let mut out = String::new();
    let bad: Vec<&JobReport> = r.jobs.iter().filter(|j| !matches!(j.status, Status::Pass | Status::Skipped)).collect();
    if !bad.is_empty() {
        let _ = writeln!(out, "\n{}", painted("not as expected:", "1", colour));
    }
    for j in &bad {
        let _ = writeln!(out, "{}", job_line(j, colour));
        let record = j.record.as_ref();
        let items = record.iter().flat_map(|r| &r.items);
        for (i, off) in items.filter_map(|i| Some((i, unexpected(j, i)?))).take(8) {
            let place = i.place.as_ref().map_or(String::new(), |p| format!(" {}:{}", p.file, p.line));
            let said = if i.expect.is_some() { &off.words } else { &i.detail };
            let _ = writeln!(out, "  {:<11} {}{place}  ({said})", i.verdict.word(), i.name);
        }
        let findings = record.iter().flat_map(|r| &r.findings).filter(|f| f.severity != "note");
        for f in findings.take(8) {
            let place = f.place.as_ref().map_or(String::new(), |p| format!(" {}:{}:{}", p.file, p.line, p.column));
            let _ = writeln!(out, "  {} {}{place}  {}", f.severity, f.code, f.message);
            if let Some(help) = f.help.as_ref().filter(|_| f.code == MISTAKE) {
                let _ = writeln!(out, "    help: {help}");
            }
        }
        for race in record.iter().flat_map(|r| &r.races).take(4) {
            let access = |a: &Access| {
                let at = a.place.as_ref().map_or("in a library".into(), |p| format!("{}:{}", p.file, p.line));
                format!("{} {at}", if a.write { "write" } else { "read" })
            };
            let (first, second) = (access(&race.first), access(&race.second));
            let _ = writeln!(out, "  shared by {}: {first}, {second}", race.processes.join(", "));
        }
        if let Some(l) = &j.log {
            l.lines().rev().take(5).collect::<Vec<_>>().iter().rev().for_each(|l| {
                let _ = writeln!(out, "  | {l}");
            });
        }
        let last = j.history.iter().find(|p| p.status == Status::Pass);
        if let Some(p) = last {
            let at = p.commit.as_ref().map_or(String::new(), |c| format!(" at {c}"));
            let _ = writeln!(out, "  last as expected {}{at}", ago(r.at.saturating_sub(p.at)));
        }
        let _ = writeln!(out, "  repeat: {}", j.command.iter().map(|w| quoted(w)).collect::<Vec<_>>().join(" "));
    }
    let count = |s: Status| r.jobs.iter().filter(|j| j.status == s).count();
    let mut parts = Vec::new();
    for s in [Status::Pass, Status::Fail, Status::Unknown, Status::Error, Status::Skipped] {
        if count(s) > 0 {
            parts.push(painted(&format!("{} {}", count(s), s.word()), paint_of(s), colour));
        }
    }
    let known = r.jobs.iter().filter(|j| j.cached).count();
    let known = if known > 0 { format!(", {known} known from before") } else { String::new() };
    let _ = writeln!(out, "{}: {}{known}, {}", r.project, parts.join(", "), time(r.seconds));
    out
}

/// A moment of so many seconds before now.
pub fn ago(seconds: u64) -> String {
    match seconds {
        0..60 => "just now".into(),
        60..7_200 => count(seconds / 60, "minute", "minutes") + " ago",
        7_200..172_800 => count(seconds / 3_600, "hour", "hours") + " ago",
        _ => count(seconds / 86_400, "day", "days") + " ago",
    }
}

/// A word as a shell takes it.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./=,:+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) { word.into() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}
