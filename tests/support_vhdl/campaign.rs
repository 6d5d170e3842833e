//! Runs generated cases through GHDL and through the subject, compares, shrinks what differs and saves
//! it.

use super::batch::{Batch, Item};
use super::entity::Design;
use super::oracle::{self, Case};
use super::standin;
use super::stmt::{Depth, Part};
use super::subject_vhdl::{self, Subject};
use crate::support::oracle::{Dut, Samples};
use crate::support::shrink::shrink;
use crate::support::subject::{Complaint, Run, compare};
use crate::support::{Stats, save, setting};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// A case, what GHDL said and what the subject said.
type Judged = (Case, Samples, Result<Run, Complaint>);

/// What a campaign found.
#[derive(Default)]
pub struct Report {
    failures: Mutex<Vec<String>>,
    judged: AtomicUsize,
    unjudged: AtomicUsize,
    /// What GHDL refused, for the one who mends the generator.
    refusals: Mutex<Vec<String>>,
    /// What a stand-in cannot do, by what it says.
    unsupported: Mutex<BTreeMap<String, usize>>,
    /// Output bits that the subject's three-valued run knew, of those GHDL knew, of all.
    known: AtomicUsize,
    compared: AtomicUsize,
    bits: AtomicUsize,
    pub stats: Stats,
}

/// After so many failures a campaign stops: they are likely to have one cause.
const ENOUGH: usize = 4;
/// Expressions in one entity.
const BATCH: usize = 50;
const VECTORS: usize = 64;
const CYCLES: usize = 40;
/// Designs in one run of GHDL.
const GROUP: usize = 10;

/// How long one failure may be shrunk.
fn patience() -> Duration {
    Duration::from_secs(setting("ENTAIL_RANDOM_PATIENCE", 60))
}

fn lock<T>(m: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    m.lock().expect("no thread panics while it reports")
}

impl Report {
    /// Fails with all that went wrong, and with how to repeat it.
    pub fn demand_success(&self, seed: u64) {
        self.stats.print();
        let of = |n: &AtomicUsize| n.load(Ordering::Relaxed);
        let (judged, unjudged, known, compared) =
            (of(&self.judged), of(&self.unjudged), of(&self.known), of(&self.compared));
        println!(
            "{judged} cases judged, {unjudged} refused by GHDL; {known} of {compared} bits known to the subject, {} \
             unknown to GHDL",
            of(&self.bits) - compared
        );
        for (said, n) in lock(&self.unsupported).iter() {
            println!("{n:6} not supported by the stand-in: {said}");
        }
        let refusals = lock(&self.refusals);
        for r in refusals.iter() {
            // In full with ENTAIL_RANDOM_STATS=2, else what GHDL said.
            let lines = if setting("ENTAIL_RANDOM_STATS", 0) > 1 { usize::MAX } else { 3 };
            println!("{}", r.lines().take(lines).collect::<Vec<_>>().join("\n"));
        }
        let failures = lock(&self.failures);
        assert!(
            failures.is_empty(),
            "{} cases fail; repeat with ENTAIL_SEED={seed}\n{}",
            failures.len(),
            failures.join("\n")
        );
        assert!(judged > 0, "no case was judged");
        // Everything is legal by construction; GHDL has bugs, but not many.
        assert!(unjudged * 50 <= judged, "GHDL refuses {unjudged} cases, of which {} are shown above", refusals.len());
        // X everywhere would agree with everything.
        assert!(compared * 100 >= of(&self.bits) * 99, "GHDL knows only {compared} of {} bits", of(&self.bits));
        assert!(known * 10 >= compared * 9, "the subject knows only {known} of {compared} bits");
    }

    fn stopped(&self) -> bool {
        lock(&self.failures).len() >= setting("ENTAIL_RANDOM_ENOUGH", ENOUGH as u64) as usize
    }

    fn fail(&self, name: &str, case: &Case, complaint: &Complaint, note: &str) {
        let text = describe(case, complaint, note);
        let path = save(name, &text);
        lock(&self.failures).push(format!("saved as {}\n{text}", path.display()));
    }

    fn refused(&self, said: &str, text: &str) {
        self.unjudged.fetch_add(1, Ordering::Relaxed);
        let mut refusals = lock(&self.refusals);
        if refusals.len() < 20 {
            refusals.push(format!("{said}\n{text}"));
        }
    }

    fn weigh(&self, dut: &Dut, judge: &Samples, run: &Run) {
        let pairs = judge.iter().flatten().zip(run.three.iter().flatten()).skip(dut.skip * dut.outputs.len());
        let (mut known, mut compared, mut bits) = (0, 0, 0);
        for (j, three) in pairs.flat_map(|(j, t)| j.chars().zip(t.chars())) {
            bits += 1;
            compared += (j != 'x') as usize;
            known += (j != 'x' && three != 'x') as usize;
        }
        self.known.fetch_add(known, Ordering::Relaxed);
        self.compared.fetch_add(compared, Ordering::Relaxed);
        self.bits.fetch_add(bits, Ordering::Relaxed);
    }

    /// Whether a difference is a bug of a stand-in that is on its list; counts it then.
    fn known_bug(&self, who: Subject, known: Option<&'static str>) -> bool {
        let Some(why) = known.filter(|_| who != Subject::Entail) else { return false };
        *lock(&self.unsupported).entry(format!("known bug: {why}")).or_default() += 1;
        true
    }

    /// What is wrong with a case, if anything is. What a stand-in cannot do is only counted.
    fn complaint(&self, who: Subject, (case, judge, run): &Judged) -> Option<Complaint> {
        match run {
            Ok(run) => {
                self.weigh(&case.dut, judge, run);
                compare(&case.dut, judge, run)
            }
            Err(Complaint::Refused(kind, _)) if who != Subject::Entail => {
                *lock(&self.unsupported).entry(kind.clone()).or_default() += 1;
                None
            }
            Err(complaint) => Some(complaint.clone()),
        }
    }
}

/// Whether a variant fails like the original.
fn same_failure((case, judge, run): &Judged, wanted: &Complaint) -> bool {
    let complaint = match run {
        Ok(run) => compare(&case.dut, judge, run),
        Err(complaint) => Some(complaint.clone()),
    };
    complaint.is_some_and(|c| c.resembles(wanted))
}

/// The case as a source file whose comments say what is wrong with it.
fn describe(case: &Case, complaint: &Complaint, note: &str) -> String {
    let dut = &case.dut;
    let mut text = format!("-- {note}\n");
    for (n, v) in &case.generics {
        text += &format!("-- generic {n} => {v}\n");
    }
    match complaint {
        Complaint::Refused(_, said) => said.lines().for_each(|l| text += &format!("-- {l}\n")),
        Complaint::Panicked(said) => text += &format!("-- the subject panicked: {said}\n"),
        Complaint::Differs { sample, output, judge, two, three } => {
            let cycle = sample / if dut.clocked { 2 } else { 1 };
            let edge = if dut.clocked && sample % 2 == 1 { ", after the rising edge" } else { "" };
            let _ = write!(
                text,
                "-- output {} in cycle {cycle}{edge}:\n--   ghdl    {judge}\n--   subject {two} (two-valued)\n--           \
                 {three} (three-valued)\n",
                dut.outputs[*output].0
            );
            let first = if dut.clocked { 0 } else { cycle };
            for (t, vector) in dut.vectors.iter().enumerate().take(cycle + 1).skip(first) {
                let values: Vec<String> =
                    dut.inputs.iter().zip(vector).map(|((n, _), v)| format!("{n}=\"{v}\"")).collect();
                let _ = writeln!(text, "-- cycle {t}: {}", values.join(" "));
            }
        }
    }
    text + &dut.text
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

/// `count` random expressions, in batches.
pub fn expressions(seed: u64, count: usize) -> Report {
    let report = Report::default();
    spread(count.div_ceil(BATCH), |k| {
        if !report.stopped() {
            expression_batch(seed.wrapping_add(k as u64), (count - BATCH * k).min(BATCH), &report);
        }
    });
    report
}

/// Evaluates items together, by halves if GHDL or the subject refuses: both their words on each item,
/// or what GHDL said against it.
fn evaluate(batch: &Batch, items: &[(usize, Item)], seed: u64, who: Subject) -> Vec<Result<Judged, (String, String)>> {
    let case = batch.case("dut", items, seed, VECTORS);
    let samples = oracle::ghdl(std::slice::from_ref(&case));
    let run = if samples.is_ok() { Some(subject_vhdl::run(who, &case)) } else { None };
    match (samples, run) {
        (Ok(mut samples), Some(Ok(run))) => {
            let samples = samples.pop().unwrap_or_default();
            (0..items.len())
                .map(|n| {
                    let cut = |s: &Samples| s.iter().map(|row| vec![row[n].clone()]).collect::<Samples>();
                    let dut = Dut { outputs: vec![case.dut.outputs[n].clone()], ..case.dut.clone() };
                    let run = Run { two: cut(&run.two), three: cut(&run.three), open: run.open };
                    Ok((Case { dut, ..case.clone() }, cut(&samples), Ok(run)))
                })
                .collect()
        }
        (Ok(mut samples), Some(Err(complaint))) if items.len() == 1 => {
            vec![Ok((case, samples.pop().unwrap_or_default(), Err(complaint)))]
        }
        (Err(said), _) if items.len() == 1 => vec![Err((said, case.dut.text))],
        _ => {
            let (a, b) = items.split_at(items.len() / 2);
            let mut all = evaluate(batch, a, seed, who);
            all.extend(evaluate(batch, b, seed, who));
            all
        }
    }
}

/// The simplest variant that GHDL refuses for the same reason, for the one who mends the generator or
/// lists a bug of GHDL.
fn simplest_refused<T: Clone>(
    whole: &T,
    said: &str,
    case: impl Fn(&T) -> Case,
    smaller: impl Fn(&T) -> Vec<T>,
    size: impl Fn(&T) -> usize,
) -> (String, String) {
    // The message without the place; a crash has only its last lines.
    let reason = |said: &str| {
        let line = said.lines().find(|l| l.contains(".adb:") || l.contains("cannot") || l.contains("vhd:"));
        let line = line.unwrap_or("").rsplit_once("vhd:").map_or(line.unwrap_or(""), |l| l.1);
        let text = line.split('"').next().unwrap_or("").trim_start_matches(|c: char| c.is_ascii_digit() || c == ':');
        text.replace(|c: char| c.is_ascii_digit(), "#")
    };
    let wanted = reason(said);
    let refused = |i: &T| oracle::ghdl(&[case(i)]).err().filter(|said| reason(said) == wanted);
    let small = shrink(whole.clone(), patience(), 1, smaller, size, |v| v.iter().position(|i| refused(i).is_some()));
    (refused(&small).unwrap_or_else(|| said.into()), case(&small).dut.text)
}

fn expression_batch(seed: u64, count: usize, report: &Report) {
    let who = Subject::chosen();
    let batch = Batch::random(seed, count, standin::synthesises(who));
    batch.walk(&mut |e| report.stats.count(e.label.clone()));
    batch.items.iter().for_each(|i| report.stats.count(i.label()));
    let items: Vec<(usize, Item)> = batch.items.iter().cloned().enumerate().collect();
    let stimulus = seed ^ 0x5eed;
    for ((k, item), outcome) in items.iter().zip(evaluate(&batch, &items, stimulus, who)) {
        let judged = match outcome {
            Ok(judged) => judged,
            Err(mut said) => {
                if setting("ENTAIL_RANDOM_STATS", 0) == 2 {
                    let case = |i: &Item| batch.case("dut", &[(0, i.clone())], stimulus, VECTORS);
                    said = simplest_refused(item, &said.0, case, Item::smaller, Item::size);
                }
                report.refused(&format!("ENTAIL_SEED={seed}: expression y{k}: {}", said.0), &said.1);
                continue;
            }
        };
        report.judged.fetch_add(1, Ordering::Relaxed);
        let Some(first) = report.complaint(who, &judged) else { continue };
        if report.stopped() {
            return;
        }
        let mut known = None;
        item.exprs.iter().for_each(|e| e.walk(&mut |e| known = known.or(standin::wrong(&e.label))));
        if report.known_bug(who, known) {
            continue;
        }
        let small = shrink(item.clone(), patience(), 40, Item::smaller, Item::size, |variants| {
            let numbered: Vec<(usize, Item)> = variants.iter().cloned().enumerate().collect();
            let outcomes = evaluate(&batch, &numbered, stimulus, who);
            outcomes.iter().position(|o| o.as_ref().is_ok_and(|j| same_failure(j, &first)))
        });
        let only = [(*k, small)];
        let Some(Ok((case, samples, run))) = evaluate(&batch, &only, stimulus, who).pop() else { continue };
        let complaint = match &run {
            Ok(run) => compare(&case.dut, &samples, run),
            Err(complaint) => Some(complaint.clone()),
        };
        let note = format!("ENTAIL_SEED={seed} ENTAIL_RANDOM_VHDL_EXPRS={BATCH}: expression y{k}, judged by GHDL");
        report.fail(&format!("expression-{seed}-{k}.vhd"), &case, &complaint.unwrap_or(first), &note);
    }
}

/// `count` random entities, in groups that share a run of GHDL.
pub fn entities(seed: u64, count: usize) -> Report {
    let report = Report::default();
    spread(count.div_ceil(GROUP), |k| {
        let first = seed.wrapping_add((k * GROUP) as u64);
        let seeds: Vec<u64> = (first..first + (count - GROUP * k).min(GROUP) as u64).collect();
        if !report.stopped() {
            entity_group(&seeds, &report);
        }
    });
    report
}

/// Runs designs, by halves if GHDL refuses them together, so that one oddity costs only itself.
fn judged(cases: &[Case]) -> Vec<Result<Samples, String>> {
    match oracle::ghdl(cases) {
        Ok(samples) => samples.into_iter().map(Ok).collect(),
        Err(_) if cases.len() > 1 => {
            let (a, b) = cases.split_at(cases.len() / 2);
            let mut all = judged(a);
            all.extend(judged(b));
            all
        }
        Err(said) => vec![Err(said); cases.len()],
    }
}

fn entity_group(seeds: &[u64], report: &Report) {
    let who = Subject::chosen();
    let designs: Vec<(u64, Design)> =
        seeds.iter().map(|s| (*s, Design::random(*s, &format!("d{s}"), standin::synthesises(who)))).collect();
    for (_, d) in &designs {
        d.walk(&mut |part| match part {
            Part::Expr(e) => e.walk(&mut |e| report.stats.count(e.label.clone())),
            Part::Label(l) => report.stats.count(l),
        });
    }
    let cases: Vec<Case> = designs.iter().map(|(s, d)| d.case(*s, CYCLES)).collect();
    for (((seed, design), case), samples) in designs.iter().zip(&cases).zip(judged(&cases)) {
        let samples = match samples {
            Ok(samples) => samples,
            Err(said) => {
                let mut said = (said, case.dut.text.clone());
                if setting("ENTAIL_RANDOM_STATS", 0) == 2 {
                    let smaller = |d: &Design| d.smaller(Depth::Expressions);
                    said = simplest_refused(design, &said.0, |d| d.case(*seed, CYCLES), smaller, Design::size);
                }
                report.refused(&format!("ENTAIL_SEED={seed}: entity: {}", said.0), &said.1);
                continue;
            }
        };
        report.judged.fetch_add(1, Ordering::Relaxed);
        let run = subject_vhdl::run(who, case);
        let open = run.as_ref().map_or(usize::MAX, |r| r.open);
        let case_judged = (case.clone(), samples, run);
        let Some(first) = report.complaint(who, &case_judged) else { continue };
        if report.stopped() {
            return;
        }
        let mut small = design.clone();
        for depth in [Depth::Statements, Depth::Expressions] {
            small = shrink(
                small,
                2 * patience(),
                10,
                |d| d.smaller(depth),
                Design::size,
                |variants| first_failing_entity(variants, *seed, who, &first, open),
            );
        }
        let mut known = None;
        small.walk(&mut |part| {
            if let Part::Expr(e) = part {
                e.walk(&mut |e| known = known.or(standin::wrong(&e.label)));
            }
        });
        if report.known_bug(who, known) {
            continue;
        }
        let case = small.case(*seed, CYCLES);
        let Some(Ok(samples)) = judged(std::slice::from_ref(&case)).pop() else { continue };
        let complaint = match subject_vhdl::run(who, &case) {
            Ok(run) => compare(&case.dut, &samples, &run),
            Err(complaint) => Some(complaint),
        };
        let note = format!("ENTAIL_SEED={seed} ENTAIL_RANDOM_VHDL_ENTITIES=1: judged by GHDL");
        report.fail(&format!("entity-{seed}.vhd"), &case, &complaint.unwrap_or(first), &note);
    }
}

/// The subject is asked first, being faster; only what it does not object to in another way goes on to
/// GHDL, all in one run, under names of their own.
///
/// Variants that show an unknown value have lost a driver and prove nothing; nor do those in which the
/// subject finds more bits open than in the original.
fn first_failing_entity(
    variants: &[Design],
    seed: u64,
    who: Subject,
    wanted: &Complaint,
    open: usize,
) -> Option<usize> {
    let mut candidates = vec![];
    for (n, design) in variants.iter().enumerate() {
        let case = design.case(seed, CYCLES).renamed(&format!("d{seed}_"), &format!("d{seed}v{n}_"));
        let run = subject_vhdl::run(who, &case);
        let worth = match &run {
            Ok(run) => run.open <= open && matches!(wanted, Complaint::Differs { .. }),
            Err(complaint) => complaint.resembles(wanted),
        };
        if worth {
            candidates.push((n, case, run));
        }
    }
    let cases: Vec<Case> = candidates.iter().map(|c| c.1.clone()).collect();
    if cases.is_empty() {
        return None;
    }
    for ((n, case, run), samples) in candidates.into_iter().zip(judged(&cases)) {
        let Ok(samples) = samples else { continue };
        let known = samples[case.dut.skip..].iter().flatten().all(|v| !v.contains('x'));
        if known && same_failure(&(case, samples, run), wanted) {
            return Some(n);
        }
    }
    None
}
