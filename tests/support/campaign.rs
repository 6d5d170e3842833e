//! Runs generated cases through the simulators and through entail, compares, shrinks what differs and
//! saves it.
//!
//! Of the two simulators the one that can read a case judges it. If both can and entail disagrees with
//! the first, the second is heard: where the simulators contradict each other and one of them agrees
//! with entail, the case is a dispute, which is counted and shown but is no failure.

use super::expr::Dialect;
use super::expr_batch::{Batch, Item};
use super::gen_module::Design;
use super::oracle::{self, Dut, Samples};
use super::shrink::shrink;
use super::stmt::{Depth, Part};
use super::subject::{Complaint, Run, compare, simulate};
use super::{Stats, save};
use std::fmt::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// A design, what the simulator said and what entail said.
type Judged = (Dut, Samples, Result<Run, Complaint>);

/// What a campaign found.
#[derive(Default)]
pub struct Report {
    failures: Mutex<Vec<String>>,
    disputes: Mutex<Vec<String>>,
    judged: AtomicUsize,
    unjudged: AtomicUsize,
    /// Output bits that entail's three-valued run knew, of those the judge knew.
    known: AtomicUsize,
    compared: AtomicUsize,
    pub stats: Stats,
}

/// After so many failures a campaign stops: they are likely to have one cause.
const ENOUGH: usize = 4;
/// How long one failure may be shrunk.
const PATIENCE: Duration = Duration::from_secs(60);
const CYCLES: usize = 40;

impl Report {
    /// Fails with all that went wrong, and with how to repeat it.
    pub fn demand_success(&self, seed: u64) {
        self.stats.print();
        let (judged, unjudged) = (self.judged.load(Ordering::Relaxed), self.unjudged.load(Ordering::Relaxed));
        let (known, compared) = (self.known.load(Ordering::Relaxed), self.compared.load(Ordering::Relaxed));
        println!(
            "{judged} cases judged, {unjudged} refused by the simulators; {known} of {compared} bits known to entail"
        );
        let disputes = self.disputes.lock().expect("no thread panics while it reports");
        for d in disputes.iter() {
            println!("the simulators contradict each other:\n{d}");
        }
        let failures = self.failures.lock().expect("no thread panics while it reports");
        assert!(
            failures.is_empty(),
            "{} cases fail; repeat with ENTAIL_SEED={seed}\n{}",
            failures.len(),
            failures.join("\n")
        );
        assert!(judged > 0, "no case was judged");
        assert!(unjudged * 20 <= judged, "the simulators refuse {unjudged} cases, more than one in twenty");
        assert!(disputes.len() * 50 <= judged + 50, "the simulators contradict each other on {} cases", disputes.len());
        // X everywhere would agree with everything.
        assert!(known * 10 >= compared * 9, "entail's three-valued run knows only {known} of {compared} bits");
    }

    fn stopped(&self) -> bool {
        self.failures.lock().expect("no thread panics while it reports").len() >= ENOUGH
    }

    fn fail(&self, name: &str, dut: &Dut, complaint: &Complaint, note: &str) {
        let text = describe(dut, complaint, note);
        let path = save(name, &text);
        self.failures
            .lock()
            .expect("no thread panics while it reports")
            .push(format!("saved as {}\n{text}", path.display()));
    }

    fn weigh(&self, dut: &Dut, judge: &Samples, run: &Run) {
        let pairs = judge.iter().flatten().zip(run.three.iter().flatten()).skip(dut.skip * dut.outputs.len());
        let (mut known, mut compared) = (0, 0);
        for (j, three) in pairs.flat_map(|(j, t)| j.chars().zip(t.chars())) {
            compared += (j != 'x') as usize;
            known += (j != 'x' && three != 'x') as usize;
        }
        self.known.fetch_add(known, Ordering::Relaxed);
        self.compared.fetch_add(compared, Ordering::Relaxed);
    }
}

/// The case as a source file whose comments say what is wrong with it.
fn describe(dut: &Dut, complaint: &Complaint, note: &str) -> String {
    let mut text = format!("// {note}\n");
    match complaint {
        Complaint::Refused(_, said) => said.lines().for_each(|l| text += &format!("// {l}\n")),
        Complaint::Panicked(said) => text += &format!("// entail panicked: {said}\n"),
        Complaint::Differs { sample, output, judge, two, three } => {
            let per_cycle = if dut.clocked { 2 } else { 1 };
            let cycle = sample / per_cycle;
            let edge = if dut.clocked && sample % 2 == 1 { ", after the rising edge" } else { "" };
            let _ = write!(
                text,
                "// output {} in cycle {cycle}{edge}:\n//   simulator {judge}\n//   entail    {two} (two-valued)\n//             \
                 {three} (three-valued)\n",
                dut.outputs[*output].0
            );
            let first = if dut.clocked { 0 } else { cycle };
            for (t, vector) in dut.vectors.iter().enumerate().take(cycle + 1).skip(first) {
                let values: Vec<String> =
                    dut.inputs.iter().zip(vector).map(|((n, w), v)| format!("{n}={w}'b{v}")).collect();
                let _ = writeln!(text, "// cycle {t}: {}", values.join(" "));
            }
        }
    }
    text + &dut.text
}

/// A simulator.
type Judge = fn(&[Dut]) -> Result<Vec<Samples>, String>;

/// The simulator that judges a dialect: Icarus where it can, because it knows `x` and starts at once.
fn judge_of(dialect: Dialect) -> (Judge, &'static str) {
    if dialect.icarus { (oracle::icarus, "Icarus") } else { (oracle::verilator, "Verilator") }
}

/// Runs designs, by halves if the simulator refuses them together, so that one oddity costs only itself.
fn judged(duts: &[Dut], judge: Judge) -> Vec<Option<Samples>> {
    match judge(duts) {
        Ok(samples) => samples.into_iter().map(Some).collect(),
        Err(_) if duts.len() > 1 => {
            let (a, b) = duts.split_at(duts.len() / 2);
            let mut all = judged(a, judge);
            all.extend(judged(b, judge));
            all
        }
        Err(said) => {
            if super::setting("ENTAIL_RANDOM_STATS", 0) > 1 {
                println!("refused: {said}\n{}", duts[0].text);
            }
            vec![None; duts.len()]
        }
    }
}

/// Spreads `tasks` numbered pieces of work over the processors.
fn spread(tasks: usize, work: impl Fn(usize) + Sync) {
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(2, |n| n.get()).min(8);
    std::thread::scope(|s| {
        for _ in 0..threads {
            s.spawn(|| {
                loop {
                    let task = next.fetch_add(1, Ordering::Relaxed);
                    if task >= tasks {
                        break;
                    }
                    work(task);
                }
            });
        }
    });
}

/// The dialects of expression batches in turn. What only one simulator gets right is left to it.
const DIALECTS: [Dialect; 5] = [
    Dialect { icarus: true, verilator: false, wild: false },
    Dialect { icarus: false, verilator: true, wild: false },
    Dialect { icarus: true, verilator: true, wild: false },
    Dialect { icarus: true, verilator: false, wild: true },
    Dialect { icarus: false, verilator: true, wild: false },
];

/// `count` random expressions, in batches.
pub fn expressions(seed: u64, count: usize) -> Report {
    let report = Report::default();
    let batches = count.div_ceil(100);
    spread(batches, |k| {
        if !report.stopped() {
            expression_batch(seed.wrapping_add(k as u64), (count - 100 * k).min(100), &report);
        }
    });
    report
}

/// Evaluates items together, by halves if the judge or entail refuses: judge's and entail's words on
/// each, `None` where the judge has none.
fn evaluate(batch: &Batch, items: &[(usize, Item)], seed: u64, judge: Judge) -> Vec<Option<Judged>> {
    let dut = batch.dut("dut", items, seed, 64);
    let samples = judge(std::slice::from_ref(&dut));
    let run = if samples.is_ok() { Some(simulate(&dut)) } else { None };
    match (samples, run) {
        (Ok(mut samples), Some(Ok(run))) => {
            let samples = samples.pop().unwrap_or_default();
            // One column for each item.
            (0..items.len())
                .map(|n| {
                    let cut = |s: &Samples| s.iter().map(|row| vec![row[n].clone()]).collect::<Samples>();
                    let single = Dut { outputs: vec![dut.outputs[n].clone()], ..dut.clone() };
                    Some((
                        single,
                        cut(&samples),
                        Ok(Run { two: cut(&run.two), three: cut(&run.three), open: run.open }),
                    ))
                })
                .collect()
        }
        (Ok(mut samples), Some(Err(complaint))) if items.len() == 1 => {
            vec![Some((dut, samples.pop().unwrap_or_default(), Err(complaint)))]
        }
        _ if items.len() == 1 => vec![None],
        _ => {
            let (a, b) = items.split_at(items.len() / 2);
            let mut all = evaluate(batch, a, seed, judge);
            all.extend(evaluate(batch, b, seed, judge));
            all
        }
    }
}

/// What is wrong with a case, if anything is.
fn complaint_of(dut: &Dut, judge: &Samples, run: &Result<Run, Complaint>) -> Option<Complaint> {
    match run {
        Ok(run) => compare(dut, judge, run),
        Err(complaint) => Some(complaint.clone()),
    }
}

fn expression_batch(seed: u64, count: usize, report: &Report) {
    // The seed decides, so that it repeats the batch alone.
    let dialect = DIALECTS[(seed % DIALECTS.len() as u64) as usize];
    let batch = Batch::random(seed, count, dialect);
    batch.walk(&mut |e| report.stats.count(e.label()));
    batch.items.iter().for_each(|i| report.stats.count(i.label()));
    let items: Vec<(usize, Item)> = batch.items.iter().cloned().enumerate().collect();
    let (judge, judge_name) = judge_of(dialect);
    let stimulus = seed ^ 0x5eed;
    for ((k, item), outcome) in items.iter().zip(evaluate(&batch, &items, stimulus, judge)) {
        let Some((dut, samples, run)) = outcome else {
            report.unjudged.fetch_add(1, Ordering::Relaxed);
            continue;
        };
        report.judged.fetch_add(1, Ordering::Relaxed);
        if let Ok(run) = &run {
            report.weigh(&dut, &samples, run);
        }
        let Some(first) = complaint_of(&dut, &samples, &run) else { continue };
        if report.stopped() {
            return;
        }
        let small = shrink(
            item.clone(),
            PATIENCE,
            40,
            |i| i.smaller(dialect),
            Item::size,
            |variants| {
                let numbered: Vec<(usize, Item)> = variants.iter().cloned().enumerate().collect();
                let outcomes = evaluate(&batch, &numbered, stimulus, judge);
                outcomes.iter().position(|o| {
                    o.as_ref().is_some_and(|(d, s, r)| complaint_of(d, s, r).is_some_and(|c| c.resembles(&first)))
                })
            },
        );
        let only = [(*k, small)];
        let Some(Some((_, samples, run))) = evaluate(&batch, &only, stimulus, judge).pop() else { continue };
        let dut = batch.dut("dut", &only, stimulus, 64);
        let complaint = complaint_of(&dut, &samples, &run).unwrap_or(first);
        let note = format!("ENTAIL_SEED={seed} ENTAIL_RANDOM_EXPRS=100: expression y{k}, judged by {judge_name}");
        settle(&dut, &complaint, &run, dialect, &note, &format!("expression-{seed}-{k}.sv"), report);
    }
}

/// Records a failure, or a dispute if the other simulator takes entail's side.
fn settle(
    dut: &Dut,
    complaint: &Complaint,
    run: &Result<Run, Complaint>,
    dialect: Dialect,
    note: &str,
    name: &str,
    report: &Report,
) {
    if let (Complaint::Differs { .. }, Ok(run), true) = (complaint, run, dialect.icarus && dialect.verilator)
        && let Ok(other) = oracle::verilator(std::slice::from_ref(dut))
        && other.first().is_some_and(|s| compare(dut, s, run).is_none())
    {
        let text = describe(dut, complaint, &format!("{note}; Verilator agrees with entail"));
        report.disputes.lock().expect("no thread panics while it reports").push(text);
        return;
    }
    report.fail(name, dut, complaint, note);
}

/// `count` random modules, in groups that share a run of a simulator.
pub fn modules(seed: u64, count: usize) -> Report {
    let report = Report::default();
    const GROUP: usize = 12;
    spread(count.div_ceil(GROUP), |k| {
        let first = seed.wrapping_add((k * GROUP) as u64);
        let seeds: Vec<u64> = (first..first + (count - GROUP * k).min(GROUP) as u64).collect();
        // The seed decides who judges, so that it repeats a module alone.
        for icarus in [true, false] {
            let own: Vec<u64> = seeds.iter().copied().filter(|s| s.is_multiple_of(3) == icarus).collect();
            if !own.is_empty() && !report.stopped() {
                module_group(&own, Dialect { icarus, verilator: true, wild: false }, &report);
            }
        }
    });
    report
}

fn module_group(seeds: &[u64], dialect: Dialect, report: &Report) {
    let (judge, judge_name) = judge_of(dialect);
    let designs: Vec<(u64, Design)> =
        seeds.iter().map(|s| (*s, Design::random(*s, &format!("m{s}"), dialect))).collect();
    for (_, d) in &designs {
        d.walk(&mut |part| match part {
            Part::Expr(e) => e.walk(&mut |e| report.stats.count(e.label())),
            Part::Target(r) => {
                report.stats.count(format!("target {}", if r.steps.is_empty() { "whole" } else { "part" }))
            }
            Part::Label(l) => report.stats.count(l),
        });
    }
    let duts: Vec<Dut> = designs.iter().map(|(s, d)| d.dut(*s, CYCLES)).collect();
    for (((s, design), dut), samples) in designs.iter().zip(&duts).zip(judged(&duts, judge)) {
        let Some(samples) = samples else {
            report.unjudged.fetch_add(1, Ordering::Relaxed);
            continue;
        };
        report.judged.fetch_add(1, Ordering::Relaxed);
        let run = simulate(dut);
        if let Ok(run) = &run {
            report.weigh(dut, &samples, run);
        }
        let Some(first) = complaint_of(dut, &samples, &run) else { continue };
        if report.stopped() {
            return;
        }
        let mut small = design.clone();
        let open = run.as_ref().map_or(usize::MAX, |r| r.open);
        for depth in [Depth::Statements, Depth::Expressions] {
            small = shrink(
                small,
                2 * PATIENCE,
                10,
                |d| d.smaller(depth),
                Design::size,
                |variants| first_failing_module(variants, *s, judge, &first, open),
            );
        }
        let dut = small.dut(*s, CYCLES);
        let Some(Some(samples)) = judged(std::slice::from_ref(&dut), judge).pop() else { continue };
        let run = simulate(&dut);
        let complaint = complaint_of(&dut, &samples, &run).unwrap_or(first);
        let note = format!("ENTAIL_SEED={s} ENTAIL_RANDOM_MODULES=1: judged by {judge_name}");
        settle(&dut, &complaint, &run, dialect, &note, &format!("module-{s}.sv"), report);
    }
}

/// entail is asked first, being in-process; only what it does not object to in another way goes on to
/// the simulator, all in one run, under names of their own.
///
/// Variants in which more bits are open than in the original have lost a driver and prove nothing; nor
/// do those in which that shows.
fn first_failing_module(
    variants: &[Design],
    seed: u64,
    judge: Judge,
    wanted: &Complaint,
    open: usize,
) -> Option<usize> {
    let mut candidates = vec![];
    for (n, design) in variants.iter().enumerate() {
        let dut = design.dut(seed, CYCLES).renamed(&format!("m{seed}_"), &format!("m{seed}v{n}_"));
        let run = simulate(&dut);
        let worth = match &run {
            Ok(run) => run.open <= open && matches!(wanted, Complaint::Differs { .. }),
            Err(complaint) => complaint.resembles(wanted),
        };
        if worth {
            candidates.push((n, dut, run));
        }
    }
    let duts: Vec<Dut> = candidates.iter().map(|c| c.1.clone()).collect();
    if duts.is_empty() {
        return None;
    }
    for ((n, dut, run), samples) in candidates.iter().zip(judged(&duts, judge)) {
        let Some(samples) = samples else { continue };
        let Some(complaint) = complaint_of(dut, &samples, run) else { continue };
        if complaint.resembles(wanted) && settled(dut) {
            return Some(*n);
        }
    }
    None
}

/// Whether nothing a design shows depends on a value nobody gave, as Verilator's random ones tell.
fn settled(dut: &Dut) -> bool {
    oracle::verilator(std::slice::from_ref(dut))
        .is_ok_and(|s| s[0][dut.skip..].iter().flatten().all(|value| !value.contains('x')))
}

/// Items on which the two simulators contradict each other, of those both can read: the check of the
/// generator and of the judges.
pub fn contradictions(seed: u64, count: usize) -> Vec<String> {
    let dialect = Dialect { icarus: true, verilator: true, wild: false };
    let found = Mutex::new(vec![]);
    spread(count.div_ceil(100), |k| {
        let batch = Batch::random(seed + k as u64, (count - 100 * k).min(100), dialect);
        let items: Vec<(usize, Item)> = batch.items.iter().cloned().enumerate().collect();
        both_ways(&batch, &items, seed, &found);
    });
    found.into_inner().expect("no thread panics while it reports")
}

fn both_ways(batch: &Batch, items: &[(usize, Item)], seed: u64, found: &Mutex<Vec<String>>) {
    let dut = batch.dut("dut", items, seed, 64);
    let one = std::slice::from_ref(&dut);
    let (Ok(i), Ok(v)) = (oracle::icarus(one), oracle::verilator(one)) else {
        if items.len() > 1 {
            let (a, b) = items.split_at(items.len() / 2);
            both_ways(batch, a, seed, found);
            both_ways(batch, b, seed, found);
        }
        return;
    };
    for (n, item) in items.iter().enumerate() {
        let cut = |s: &Samples| s.iter().map(|row| vec![row[n].clone()]).collect::<Samples>();
        let single = Dut { outputs: vec![dut.outputs[n].clone()], ..dut.clone() };
        // Verilator takes the part of entail here.
        let run = Run { two: cut(&v[0]), three: cut(&v[0]), open: 0 };
        if compare(&single, &cut(&i[0]), &run).is_some() {
            found
                .lock()
                .expect("no thread panics while it reports")
                .push(batch.dut("dut", std::slice::from_ref(item), seed, 1).text);
        }
    }
}
