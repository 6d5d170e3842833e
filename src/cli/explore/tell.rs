//! What an exploration found, for people and for programs.

use super::super::ExitCode;
use super::places::{Line, lines};
use crate::explore::order::Why;
use crate::explore::outcome::{Example, Outcome, Problem};
use crate::explore::picture;
use crate::explore::trace::{End, Kind};
use crate::explore::{Explored, INTERRUPTED};
use crate::report::words::count;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

/// How to tell it.
pub struct Options<'a> {
    pub program: &'a Path,
    pub arguments: &'a [String],
    pub loose_ppm: u64,
    pub allow_different: bool,
    pub oracle: Option<&'a str>,
    pub trace: Option<&'a Path>,
    pub resume: Option<&'a Path>,
    pub verbose: bool,
    pub quiet: bool,
    pub colour: bool,
}

/// The result.
pub struct Told {
    pub text: String,
    pub json: Value,
    pub code: ExitCode,
}

/// An outcome, in how many classes, a run with it, and what is wrong with it.
type Judged<'a> = ((&'a Outcome, u64, &'a Example), Vec<Problem>);

/// A run of at most so many steps is shown whole on the terminal; of a longer one the last so many of the
/// steps where there was something to choose at one date. Files have all.
const SHOWN: usize = 20;

struct Teller<'a> {
    e: &'a Explored,
    o: &'a Options<'a>,
    lines: BTreeMap<u64, Line>,
}

fn signal_name(s: i32) -> String {
    match s {
        4 => "SIGILL".into(),
        6 => "SIGABRT".into(),
        7 => "SIGBUS".into(),
        8 => "SIGFPE".into(),
        9 => "SIGKILL".into(),
        11 => "SIGSEGV".into(),
        15 => "SIGTERM".into(),
        25 => "SIGXFSZ (more output than allowed)".into(),
        s => format!("signal {s}"),
    }
}

fn end_words(end: End) -> String {
    match end {
        End::Exit(0) => "ends".into(),
        End::Exit(c) => format!("exits with {c}"),
        End::Signal(s) => format!("dies of {}", signal_name(s)),
        End::Steps => "does not end within the steps allowed".into(),
        End::Deltas => "goes through delta cycles without end".into(),
        End::Time => "does not end within the time allowed".into(),
        End::Early(c) => format!("exits with {c} before its simulation"),
    }
}

impl Teller<'_> {
    fn place(&self, example: &Example, at: u64) -> Option<&Line> {
        self.lines.get(&example.run.program_address(at))
    }

    fn at(&self, example: &Example, at: u64) -> String {
        self.place(example, at).map_or(String::new(), |l| format!(" ({})", l.short()))
    }

    /// The first of some places that is not in a library's header.
    fn own(&self, example: &Example, places: &[u64]) -> String {
        let known = places.iter().filter_map(|&p| self.place(example, p));
        let own = known.clone().find(|l| l.own());
        own.or_else(|| known.clone().next()).map_or(String::new(), |l| format!(" ({})", l.short()))
    }

    fn problem(&self, p: &Problem, example: &Example) -> String {
        match p {
            Problem::Report { severity, text, place } => {
                let kind = if *severity == 3 { "fatal" } else { "error" };
                let name = Path::new(&place.0).file_name().map_or(String::new(), |n| n.to_string_lossy().into_owned());
                let at = if name.is_empty() { String::new() } else { format!(" ({name}:{})", place.1) };
                format!("{kind}: {text}{at}")
            }
            Problem::Crash { signal, in_process } => {
                let who = in_process.as_ref().map_or(String::new(), |p| format!(" in {p}"));
                format!("crash: {}{who}", signal_name(*signal))
            }
            Problem::Code(c) => format!("exit code {c}"),
            Problem::Stuck { process, sites, events, lost } => {
                let what = if events.is_empty() { "nothing".into() } else { events.join(", ") };
                let mut out = format!("deadlock: {process} waits for ever for {what}{}", self.own(example, sites));
                let mut said = BTreeSet::new();
                for l in lost {
                    let at = self.at(example, l.at);
                    if said.insert((l.event.clone(), l.by.clone(), at.clone())) {
                        let _ = write!(out, "\n    lost: {} notified {}{at} when nobody waited for it", l.by, l.event);
                    }
                }
                out
            }
            Problem::Livelock => "livelock: delta cycles without end (more than --max-deltas)".into(),
            Problem::TooLong => "more steps than --max-steps: allow it more, if it ends by itself".into(),
            Problem::TooSlow => "more time than --run-time".into(),
            Problem::Oracle(m) => format!("oracle: {m}"),
        }
    }

    /// The steps of a run as a table.
    fn table(&self, example: &Example, most: usize) -> String {
        let (run, order) = (&example.run, &example.order);
        let steps: Vec<usize> =
            order.places.iter().enumerate().filter(|(_, p)| p.step.is_some()).map(|(i, _)| i).collect();
        let whole = steps.len() <= most;
        let mut rows: Vec<[String; 5]> = Vec::new();
        let mut left_out = 0;
        for (k, &i) in steps.iter().enumerate() {
            let p = &order.places[i];
            let (Some((process, n)), Some(node)) = (p.step, p.node) else { continue };
            let node = &run.nodes[node as usize];
            let mut notes: Vec<String> = Vec::new();
            let near = |first: u32| whole || order.places[first as usize].time == p.time;
            for r in order.races.iter().filter(|r| r.second as usize == i && near(r.first)) {
                let Some((other, m)) = order.places[r.first as usize].step else { continue };
                let other = picture::short(&run.processes[other as usize].key);
                let what = match r.why {
                    Why::Memory { second, first, .. } => {
                        let word = |w: bool| if w { "writes" } else { "reads" };
                        format!(
                            "{}{} after {other} {}{}",
                            word(second.1),
                            self.at(example, second.0),
                            word(first.1),
                            self.at(example, first.0)
                        )
                    }
                    why => format!("after {other}.{m} ({})", picture::about(why, run)),
                };
                notes.push(what);
            }
            for d in node.delays.iter().filter(|d| d.least < d.most && whole) {
                let other = matches!(node.kind, Kind::Step { process, .. } if process != d.process);
                let who = if other { format!("{} ", run.processes[d.process as usize].name) } else { String::new() };
                let dates = [d.chosen, d.least, d.most].map(|t| run.date(t));
                notes.push(format!("{who}waits {} of {} to {}", dates[0], dates[1], dates[2]));
            }
            notes.extend(node.reports.iter().map(|r| r.text.clone()));
            if !whole && notes.is_empty() && k + 2 < steps.len() {
                left_out += 1;
                continue;
            }
            let date = if p.phase > 0 { format!("{} +{}", run.date(p.time), p.phase / 2) } else { run.date(p.time) };
            let name = run.processes[process as usize].key.to_string();
            rows.push([(k + 1).to_string(), date, name, n.to_string(), notes.join("; ")]);
        }
        if !whole && rows.len() > SHOWN {
            left_out += (rows.len() - SHOWN) as u64;
            rows.drain(..rows.len() - SHOWN);
        }
        let mut width = [1, 4, 7, 4];
        for r in &rows {
            for (w, cell) in width.iter_mut().zip(r) {
                *w = (*w).max(cell.chars().count());
            }
        }
        let mut out = String::new();
        if left_out > 0 {
            let steps = count(left_out, "step", "steps");
            let _ = writeln!(out, "    ({steps} left out; --trace DIR writes all)");
        }
        for r in &rows {
            let line = format!(
                "    {:>a$}  {:>b$}  {:<c$}  {:>d$}  {}",
                r[0],
                r[1],
                r[2],
                r[3],
                r[4],
                a = width[0],
                b = width[1],
                c = width[2],
                d = width[3]
            );
            let _ = writeln!(out, "{}", line.trim_end());
        }
        out
    }

    fn outcome_words(&self, outcome: &Outcome) -> String {
        let mut parts = Vec::new();
        for (who, text) in &outcome.printed {
            let text: Vec<&str> = text.lines().map(str::trim).filter(|l| !l.is_empty()).collect();
            let text =
                if text.len() > 3 { format!("{} … {}", text[0], text[text.len() - 1]) } else { text.join(" / ") };
            let who = if who.is_empty() { String::new() } else { format!("{who}: ") };
            if !text.is_empty() {
                parts.push(format!("{who}{text}"));
            }
        }
        parts.extend(outcome.observed.iter().map(|(n, v)| format!("{n} = {v}")));
        if parts.is_empty() { end_words(outcome.end) } else { parts.join("; ") }
    }

    fn coverage(&self) -> String {
        let e = self.e;
        match e.stopped {
            None => "complete".into(),
            Some(why) if e.left == 0 => format!("not complete, because of {why}"),
            Some(why) => format!("not complete: stopped by {why} with {} left", count(e.left, "choice", "choices")),
        }
    }
}

/// Tells it, and writes the files asked for.
pub fn tell(e: &Explored, o: &Options) -> Result<Told, String> {
    let mut addresses = BTreeSet::new();
    let examples: Vec<(&Outcome, u64, &Example)> = e.outcomes.all.iter().map(|(k, (n, x))| (k, *n, x)).collect();
    if let Some((_, _, x)) = examples.first() {
        let of = |a: u64| x.run.program_address(a);
        for r in e.outcomes.races.keys() {
            addresses.extend([of(r.first.0), of(r.second.0)]);
        }
        addresses.extend(e.outcomes.outside.keys().map(|k| of(k.1)));
        addresses.extend(e.outcomes.dates.iter().map(|&d| of(d)));
    }
    for (_, _, x) in &examples {
        for n in &x.run.nodes {
            addresses.extend([n.wait.site, n.wait.caller].map(|a| x.run.program_address(a)));
            addresses.extend(n.ops.iter().map(|op| x.run.program_address(op.1)));
        }
        for r in &x.order.races {
            if let Why::Memory { first, second, .. } = r.why {
                addresses.extend([x.run.program_address(first.0), x.run.program_address(second.0)]);
            }
        }
    }
    let t = Teller { e, o, lines: lines(o.program, &addresses) };
    let mut judged: Vec<Judged> = Vec::new();
    for (outcome, n, x) in &examples {
        let mut list = e.outcomes.problems(outcome, x);
        if let Some(command) = o.oracle {
            list.extend(oracle(command, &x.run.output)?);
        }
        judged.push(((*outcome, *n, *x), list));
    }
    // What fails is what one wants to see first.
    judged.sort_by_key(|j| j.1.is_empty());
    let (examples, problems): (Vec<_>, Vec<_>) = judged.into_iter().unzip();
    let missing = examples.iter().flat_map(|x| &x.0.observed).find(|v| v.1 == "(no such object)");
    if let Some((name, _)) = missing {
        return Err(format!("--observe {name}: no object or global variable of the model has this name"));
    }
    if let Some(dir) = o.trace {
        write_files(&t, dir, &examples)?;
    }
    let failing: u64 = examples.iter().zip(&problems).filter(|(_, p)| !p.is_empty()).map(|(x, _)| x.1).sum();
    let different = examples.len() > 1 && !o.allow_different;
    let mut code = ExitCode::Ok;
    if e.stopped.is_some_and(|s| s != "--first") {
        code = code.worst(ExitCode::Unknown);
    }
    if failing > 0 || different {
        code = code.worst(ExitCode::Unexpected);
    }
    if e.stopped == Some(INTERRUPTED) {
        code = ExitCode::Interrupted;
    }
    let text = if o.quiet && code == ExitCode::Ok { String::new() } else { text(&t, &examples, &problems, failing) };
    let json = to_json(&t, &examples, &problems, code);
    Ok(Told { text, json, code })
}

fn text(t: &Teller, examples: &[(&Outcome, u64, &Example)], problems: &[Vec<Problem>], failing: u64) -> String {
    let (e, o) = (t.e, t.o);
    let paint = |s: &str, code: &str| if o.colour { format!("\x1b[{code}m{s}\x1b[0m") } else { s.to_string() };
    let mut out = String::new();
    let verdict = match (failing, examples.len(), e.stopped) {
        (0, 0 | 1, None) => paint("holds", "32;1"),
        (0, _, None) if o.allow_different => paint("holds", "32;1"),
        (0, 0 | 1, Some(_)) => paint("unknown", "33;1"),
        (0, _, _) if o.allow_different => paint("unknown", "33;1"),
        (0, _, _) => paint("differs", "31;1"),
        _ => paint("fails", "31;1"),
    };
    let what = if e.loose { "schedules and timings" } else { "schedules" };
    let summary = match (failing, examples.len()) {
        (0, 0) => format!("no {what} seen"),
        (0, 1) => format!("all {what} seen end alike"),
        (0, n) => format!("{n} different outcomes"),
        (f, n) => format!(
            "{} of {} fail; {}",
            f,
            count(e.classes, "class", "classes"),
            count(n as u64, "outcome", "outcomes")
        ),
    };
    let _ = writeln!(out, "{verdict}: {summary}");
    let _ = writeln!(
        out,
        "  {} of {} of {what}, {}; {} of at most {} in {:.2} s",
        count(e.runs, "run", "runs"),
        count(e.classes, "class", "classes"),
        t.coverage(),
        count(e.outcomes.processes as u64, "process", "processes"),
        count(e.outcomes.most_steps as u64, "step", "steps"),
        e.took.as_secs_f64(),
    );
    if e.runs_before > 0 {
        let _ = writeln!(out, "  {} in earlier parts", count(e.runs_before, "of these runs was", "of these runs were"));
    }
    match &e.why_not_merged {
        Some(why) => drop(writeln!(out, "  states were not compared: {why}")),
        None if e.merged.1 > 0 => {
            let places = count(e.merged.1, "step the model was", "steps the model was");
            let _ = writeln!(out, "  after {places} as it had been before: what follows that was looked at once");
        }
        None => {}
    }
    if let (Some(file), Some(_)) = (o.resume, e.stopped) {
        let _ = writeln!(out, "  the same command goes on from {}", file.display());
    }
    if o.verbose {
        let _ = writeln!(
            out,
            "  {} again of a known class; {} did not go as asked; {} orders that no delays allow; {} made again for memory; {} begun at copies; {} made again for states",
            e.again, e.strayed, e.impossible, e.replayed, e.copied, e.merged.0
        );
    }
    if let Some((_, _, x)) = examples.first() {
        for (name, &(first, last)) in &e.outcomes.spans {
            if first != last || name != "the end" {
                let last = if last == u64::MAX { "any date".into() } else { x.run.date(last) };
                let seen = if e.merged.1 > 0 { ", in the classes that were run" } else { "" };
                let _ = writeln!(out, "  {name}: at {} at the earliest, {last} at the latest{seen}", x.run.date(first));
            }
        }
    }
    for (k, ((outcome, n, x), p)) in examples.iter().zip(problems).enumerate() {
        if examples.len() == 1 && p.is_empty() {
            let _ = writeln!(out, "  outcome: {}", t.outcome_words(outcome));
            continue;
        }
        let mark = if p.is_empty() { String::new() } else { format!(" {}", paint("fails", "31")) };
        let _ =
            writeln!(out, "\noutcome {}{mark}: {}: {}", k + 1, count(*n, "class", "classes"), t.outcome_words(outcome));
        for p in p {
            let _ = writeln!(out, "  {}", t.problem(p, x));
        }
        if k < 8 && (!p.is_empty() || failing == 0 || o.verbose) {
            out.push_str(&t.table(x, SHOWN));
        }
        if let Some(dir) = o.trace {
            let schedule = dir.join(format!("outcome-{}.schedule", k + 1));
            let words: String = o.arguments.iter().map(|a| format!(" {a}")).collect();
            let _ = writeln!(out, "    again: ENTAIL_SCHEDULE={} {}{words}", schedule.display(), o.program.display());
            let _ = writeln!(
                out,
                "    in gdb: ENTAIL_SCHEDULE={} gdb --args {}{words}",
                schedule.display(),
                o.program.display()
            );
        }
    }
    let base = examples.first().map(|x| x.2);
    if let Some(x) = base {
        out.push_str(&races(t, x));
        for (&(kind, at), n) in &e.outcomes.outside {
            let _ = writeln!(
                out,
                "\nwarning: the model uses {kind}{} ({}), which no schedule decides: runs may differ or hang",
                t.at(x, at),
                count(*n, "time", "times")
            );
        }
        if e.loose && !e.outcomes.dates.is_empty() {
            let at: BTreeSet<String> =
                e.outcomes.dates.iter().filter_map(|&d| t.place(x, d)).map(Line::short).collect();
            let at: Vec<String> = at.into_iter().collect();
            let _ = writeln!(
                out,
                "\nnote: the model reads the date ({}): comparisons with it are followed, and a date that is printed or \
                 reckoned with is one of those possible",
                at.join(", ")
            );
        }
    }
    out
}

/// An access: where, if it is in the model, and whether it writes.
type Access<'t> = (Option<&'t Line>, bool);

/// Two accesses of different processes in one evaluation phase, in an order that the scheduler chooses.
struct Shared<'t> {
    accesses: [Access<'t>; 2],
    classes: u64,
    processes: BTreeSet<String>,
}

/// What processes share, by the two accesses in words.
fn shared<'t>(t: &'t Teller, x: &Example) -> BTreeMap<[String; 2], Shared<'t>> {
    let mut all: BTreeMap<[String; 2], Shared> = BTreeMap::new();
    for (r, seen) in &t.e.outcomes.races {
        let accesses: [Access; 2] = [r.first, r.second].map(|(at, write)| (t.place(x, at), write));
        let words = accesses.map(|(place, write)| {
            let text = place.and_then(Line::text).map_or(String::new(), |s| format!("  {s}"));
            let at = place.map_or_else(|| "in a library".to_string(), Line::short);
            format!("{} {at}{text}", if write { "write" } else { "read " })
        });
        let new = || Shared { accesses, classes: 0, processes: BTreeSet::new() };
        let entry = all.entry(words).or_insert_with(new);
        entry.classes = entry.classes.max(seen.runs);
        entry.processes.extend(seen.processes.iter().flat_map(|(a, b)| [a.to_string(), b.to_string()]));
    }
    all
}

fn races(t: &Teller, x: &Example) -> String {
    let mut out = String::new();
    let all = shared(t, x);
    if all.is_empty() {
        return out;
    }
    let _ = writeln!(out, "\nshared between processes in one evaluation phase, in an order the scheduler chooses:");
    for (k, ([a, b], s)) in all.iter().enumerate() {
        if k == 12 && !t.o.verbose {
            let _ = writeln!(out, "  … and {} more (-v shows all)", all.len() - k);
            break;
        }
        let names: Vec<&str> = s.processes.iter().map(String::as_str).collect();
        let _ = writeln!(out, "  {} in {}:\n    {a}\n    {b}", names.join(", "), count(s.classes, "class", "classes"));
    }
    out
}

fn race_json(s: &Shared) -> Value {
    let access = |(place, write): Access| json!({"write": write, "file": place.map(|l| &l.file), "line": place.map(|l| l.line), "text": place.and_then(Line::text)});
    json!({"processes": s.processes, "classes": s.classes, "accesses": s.accesses.map(access)})
}

/// Asks the user's own check.
fn oracle(command: &str, output: &[u8]) -> Result<Option<Problem>, String> {
    use std::io::Write as _;
    use std::process::{Command, Stdio};
    let cannot = |e: std::io::Error| format!("cannot run the oracle `{command}`: {e}");
    let mut child = Command::new("sh")
        .args(["-c", command])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(cannot)?;
    let stdin = child.stdin.take();
    let bytes = output.to_vec();
    let feeder = std::thread::spawn(move || stdin.map(|mut s| s.write_all(&bytes)));
    let result = child.wait_with_output().map_err(cannot)?;
    let _ = feeder.join();
    if result.status.success() {
        return Ok(None);
    }
    let said = String::from_utf8_lossy(&result.stdout).into_owned() + &String::from_utf8_lossy(&result.stderr);
    let said = said.lines().next().unwrap_or("").trim().to_string();
    Ok(Some(Problem::Oracle(if said.is_empty() { result.status.to_string() } else { said })))
}

fn write_files(t: &Teller, dir: &Path, examples: &[(&Outcome, u64, &Example)]) -> Result<(), String> {
    let cannot = |e: std::io::Error| format!("cannot write to {}: {e}", dir.display());
    std::fs::create_dir_all(dir).map_err(cannot)?;
    for (k, (outcome, _, x)) in examples.iter().enumerate() {
        let file = |end: &str| dir.join(format!("outcome-{}.{end}", k + 1));
        // The whole schedule, so that it is the same run whatever the library would have chosen.
        let mut script = x.script.clone();
        script.steps.clear();
        for n in &x.run.nodes {
            if let Kind::Step { process, n } = n.kind {
                script.steps.push((x.run.processes[process as usize].key.clone(), n));
            }
        }
        let loose = if t.o.loose_ppm > 0 { format!("loose\t{}\n", t.o.loose_ppm) } else { String::new() };
        std::fs::write(file("schedule"), loose + &script.text()).map_err(cannot)?;
        let svg = picture::draw(&x.run, &x.order, 200, &|d| x.run.date(d));
        std::fs::write(file("svg"), svg).map_err(cannot)?;
        let table = format!("{}\n{}", t.outcome_words(outcome), t.table(x, usize::MAX));
        std::fs::write(file("txt"), table).map_err(cannot)?;
        std::fs::write(file("out"), &x.run.output).map_err(cannot)?;
    }
    Ok(())
}

fn to_json(t: &Teller, examples: &[(&Outcome, u64, &Example)], problems: &[Vec<Problem>], code: ExitCode) -> Value {
    let e = t.e;
    let outcomes: Vec<Value> = examples
        .iter()
        .zip(problems)
        .map(|((outcome, n, x), p)| {
            json!({
                "classes": n,
                "end": end_words(outcome.end),
                "printed": outcome.printed.iter().map(|(who, text)| json!({"process": who, "text": text})).collect::<Vec<_>>(),
                "waiting": outcome.waiting,
                "observed": outcome.observed.iter().map(|(n, v)| json!({"name": n, "value": v})).collect::<Vec<_>>(),
                "problems": p.iter().map(|p| t.problem(p, x)).collect::<Vec<_>>(),
                "schedule": x.run.nodes.iter().filter_map(|n| match n.kind {
                    Kind::Step { process, n: k } => Some(json!({
                        "process": x.run.processes[process as usize].key,
                        "step": k,
                        "time": n.time,
                        "phase": n.phase,
                    })),
                    _ => None,
                }).collect::<Vec<_>>(),
                "delays": x.run.nodes.iter().flat_map(|n| &n.delays).map(|d| json!({
                    "process": x.run.processes[d.process as usize].key,
                    "number": d.number,
                    "value": d.chosen,
                    "least": d.least,
                    "most": d.most,
                })).collect::<Vec<_>>(),
            })
        })
        .collect();
    json!({
        "schema": "entail-explore-1",
        "runs": e.runs,
        "runs_before": e.runs_before,
        "classes": e.classes,
        "complete": e.stopped.is_none(),
        "coverage": t.coverage(),
        "left": e.left,
        "again": e.again,
        "strayed": e.strayed,
        "loose": e.loose,
        "merged": e.merged.1,
        "why_not_merged": e.why_not_merged,
        "seconds": e.took.as_secs_f64(),
        "exit": code as i32,
        "dates": e.outcomes.spans.iter().map(|(n, s)| json!({"name": n, "earliest": s.0, "latest": s.1})).collect::<Vec<_>>(),
        "outcomes": outcomes,
        "races": examples.first().map_or(Vec::new(), |(_, _, x)| shared(t, x).values().map(race_json).collect()),
    })
}
