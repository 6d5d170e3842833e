//! The shared suite of all engines: random small systems, judged by explicit search.
//!
//! Every *fails* is replayed, every *holds* comes with evidence that is checked against the system as it was
//! before reduction. A difference is shrunk and printed as AIGER with its seed.

mod support_systems;

use entail::engine::evidence::Certificate;
use entail::engine::{Control, Engine, Outcome, Verdict, bmc, explicit, ic3, induction};
use entail::interop::aiger::{AigerOptions, write_system};
use entail::model::{System, reduce, replay};
use entail::source::SourceMap;
use fastrand::Rng;
use std::sync::atomic::AtomicBool;
use support_systems::{shrink, size, system};

fn number(name: &str, or: u64) -> u64 {
    std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(or)
}

fn control<'c>(cancel: &'c AtomicBool, engine: &str) -> Control<'c> {
    // That so many states differ, among few, is hard to refute by clauses.
    let depth = if engine == "induction" { 10 } else { 40 };
    Control { deadline: None, cancel, outer: None, nodes: 1 << 20, depth, progress: &|_, _| {} }
}

fn engines() -> Vec<Box<dyn Engine>> {
    vec![Box::new(ic3::Ic3), Box::new(bmc::Bmc), Box::new(induction::Induction)]
}

/// Runs one engine as the program does, and checks what it says.
fn run(engine: &mut dyn Engine, sys: &System, certify: bool) -> Result<Outcome, String> {
    let cancel = AtomicBool::new(false);
    let goal = &sys.goals[0];
    let small = reduce(sys, goal);
    let mut outcome = engine.check(&small.sys, small.goal(), &control(&cancel, engine.name()));
    match &mut outcome.verdict {
        Verdict::Fails(path) => {
            *path = small.lift(sys, path);
            replay(sys, &goal.question, path).map_err(|e| format!("{}: {e}", engine.name()))?;
        }
        Verdict::Holds => {
            let evidence = outcome.evidence.clone();
            if let Some(evidence) = evidence.filter(|_| certify) {
                let c = Certificate::new(&small, evidence);
                c.check(sys, &goal.question).map_err(|e| format!("{}: evidence: {e}", engine.name()))?;
            }
        }
        _ => {}
    }
    Ok(outcome)
}

/// What is wrong with an engine on a system.
fn wrong(which: usize, sys: &System, certify: bool) -> Option<String> {
    let judge = run(&mut explicit::Explicit, sys, false).unwrap_or_else(|e| panic!("the judge itself: {e}"));
    let mut engine = engines().swap_remove(which);
    let said = match run(&mut *engine, sys, certify) {
        Ok(o) => o,
        Err(e) => return Some(e),
    };
    let steps = |v: &Verdict| if let Verdict::Fails(p) = v { Some(p.inputs.len()) } else { None };
    let name = engine.name();
    match (&judge.verdict, &said.verdict) {
        (Verdict::Holds, Verdict::Holds | Verdict::HoldsTo(_)) => None,
        (Verdict::Fails(p), Verdict::Fails(q)) => (name != "ic3" && p.inputs.len() != q.inputs.len())
            .then(|| format!("{name}: {} steps where {} are enough", q.inputs.len(), p.inputs.len())),
        // A bound is honest if the failure lies beyond it.
        (Verdict::Fails(p), Verdict::HoldsTo(n)) if p.inputs.len() > *n as usize => None,
        (j, s) => Some(format!("{name} says {s:?}, the judge {:?} steps ({j:?})", steps(j))),
    }
}

#[test]
fn engines_agree_with_explicit_search() {
    let (seed, count) = (number("ENTAIL_SEED", 1), number("ENTAIL_SYSTEMS", 2_000));
    let names: Vec<&str> = engines().iter().map(|e| e.name()).collect();
    let mut tally = [0u64; 2];
    for n in 0..count {
        let mut rng = Rng::with_seed(seed.wrapping_mul(1_000_003).wrapping_add(n));
        let size = size(&mut rng, false);
        let sys = system(&mut rng, size);
        // Proofs on disc take their time: each twentieth system has its evidence checked.
        let certify = n % 20 == 0;
        for (which, name) in names.iter().enumerate() {
            if let Some(what) = wrong(which, &sys, certify) {
                let small = shrink(&sys, &|s| wrong(which, s, certify).is_some());
                let text = write_system(&small, &SourceMap::new(), AigerOptions { ascii: true });
                let then = wrong(which, &small, certify).unwrap_or_default();
                panic!("seed {seed}, system {n}, {name}: {what}\nshrunk: {then}\n{}", String::from_utf8_lossy(&text));
            }
        }
        let judge = run(&mut explicit::Explicit, &sys, false).expect("judged before");
        tally[matches!(judge.verdict, Verdict::Fails(_)) as usize] += 1;
    }
    println!("{count} systems: {} hold, {} fail", tally[0], tally[1]);
    assert!(tally.iter().all(|t| *t > count / 10), "the systems are too much alike: {tally:?}");
}
