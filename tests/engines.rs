//! The shared suite of all engines: random small systems, judged by explicit search.
//!
//! Every *fails* is replayed, every *holds* comes with evidence that is checked against the system as it was
//! before reduction. A difference is shrunk and printed as AIGER with its seed.

mod support_systems;

use entail::bdd::recheck::{Refusal, recheck};
use entail::engine::batch::Batch;
use entail::engine::bdd::{Bdd, Direction, Strategy, Tuning};
use entail::engine::evidence::Certificate;
use entail::engine::prove::{Answer, Choice, settle};
use entail::engine::{Control, Engine, Evidence, Outcome, Reason, Verdict, bmc, explicit, ic3, induction};
use entail::interop::aiger::{AigerOptions, write_system};
use entail::model::ltl::{self, Formula};
use entail::model::{Goal, Origin, Path, Question, Symbol, System, reduce, replay};
use entail::net::{GateId, Lit};
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
    Control { deadline: None, cancel, nodes: 1 << 20, memory: None, depth, progress: &|_, _| {} }
}

/// An engine, what it is called here, and whether its paths are the shortest.
type Entry = (Box<dyn Engine>, String, bool);

fn engines() -> Vec<Entry> {
    let mut all: Vec<Entry> = vec![
        (Box::new(ic3::Ic3::default()), "ic3".into(), false),
        (Box::new(bmc::Bmc), "bmc".into(), true),
        (Box::new(induction::Induction::default()), "induction".into(), true),
    ];
    // Figures that make even a small system move between spaces and orders, with many small parts.
    let restless = Tuning { cluster: 12, stop: 20, merge: true, sift: 30, start: 1 << 10 };
    for strategy in [Strategy::BreadthFirst, Strategy::Chaining, Strategy::Saturation] {
        for direction in [Direction::Forward, Direction::Backward] {
            for tuning in [Tuning::default(), restless] {
                let calm = tuning.cluster != restless.cluster;
                let name = format!("bdd {strategy:?} {direction:?} {}", if calm { "calm" } else { "restless" });
                all.push((Box::new(Bdd { strategy, direction, tuning }), name, strategy == Strategy::BreadthFirst));
            }
        }
    }
    all
}

/// Runs one engine as the program does, and checks what it says.
fn run(engine: &mut dyn Engine, sys: &System, certify: bool) -> Result<Outcome, String> {
    let cancel = AtomicBool::new(false);
    let goal = &sys.goals[0];
    let small = reduce(sys, goal);
    let mut outcome = engine.check(&small.sys, small.goal(), &control(&cancel, engine.name()));
    match &mut outcome.verdict {
        Verdict::Fails(path) => {
            replay(&small.sys, &small.goal().question, path).map_err(|e| format!("{}: {e}", engine.name()))?;
            *path = small.lift(sys, path);
            // A loop closes where the goal looks; the rest of the state may go its own way.
            if path.back_to.is_none() {
                replay(sys, &goal.question, path).map_err(|e| format!("{}: {e}", engine.name()))?;
            }
        }
        Verdict::Holds => {
            let evidence = outcome.evidence.clone();
            if let Some(evidence) = evidence.filter(|_| certify) {
                let c = Certificate::new(&small, evidence, &[]);
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
    let (mut engine, name, shortest) = engines().swap_remove(which);
    let said = match run(&mut *engine, sys, certify) {
        Ok(o) => o,
        Err(e) => return Some(e),
    };
    let steps = |v: &Verdict| if let Verdict::Fails(p) = v { Some(p.inputs.len()) } else { None };
    match (&judge.verdict, &said.verdict) {
        (Verdict::Holds, Verdict::Holds | Verdict::HoldsTo(_)) => None,
        (Verdict::Fails(p), Verdict::Fails(q)) => (shortest && p.inputs.len() != q.inputs.len())
            .then(|| format!("{name}: {} steps where {} are enough", q.inputs.len(), p.inputs.len())),
        // A bound is honest if the failure lies beyond it.
        (Verdict::Fails(p), Verdict::HoldsTo(n)) if p.inputs.len() > *n as usize => None,
        (j, s) => Some(format!("{name} says {s:?}, the judge {:?} steps ({j:?})", steps(j))),
    }
}

#[test]
fn engines_agree_with_explicit_search() {
    let (seed, count) = (number("ENTAIL_SEED", 1), number("ENTAIL_SYSTEMS", 2_000));
    // `ENTAIL_ENGINE=bdd` for a long run of one kind.
    let only = std::env::var("ENTAIL_ENGINE").unwrap_or_default();
    let names: Vec<String> = engines().into_iter().map(|e| e.1).collect();
    let mut tally = [0u64; 2];
    for n in 0..count {
        let mut rng = Rng::with_seed(seed.wrapping_mul(1_000_003).wrapping_add(n));
        let size = size(&mut rng, false);
        let sys = system(&mut rng, size);
        // Proofs on disc take their time: each twentieth system has its evidence checked.
        let certify = n % 20 == 0;
        for (which, name) in names.iter().enumerate().filter(|(_, name)| name.starts_with(&only)) {
            // There are many ways to set up diagrams: each system sees a quarter of them.
            if which > 2 && !(which as u64 + n).is_multiple_of(4) {
                continue;
            }
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

/// Liveness by explicit search for fair loops, and as safety by the other engines.
/// A system whose best order of variables puts the relations of saturation in another order, half-way.
#[test]
fn what_is_done_stays_with_its_relation() {
    let mut rng = Rng::with_seed(106u64.wrapping_mul(1_000_003).wrapping_add(2300));
    let size = size(&mut rng, false);
    let sys = system(&mut rng, size);
    for which in 0..engines().len() {
        assert_eq!(wrong(which, &sys, true), None);
    }
}

/// Several goals of one system share an unrolling and what their proofs show; each must still be right, and its
/// evidence must check alone.
#[test]
fn goals_that_share_what_they_know_are_right() {
    let (seed, count) = (number("ENTAIL_SEED", 1), number("ENTAIL_SYSTEMS", 2_000) / 10);
    let (mut helped, mut found) = (0, 0);
    for n in 0..count {
        let mut rng = Rng::with_seed(seed.wrapping_mul(1_000_033).wrapping_add(n));
        let size = size(&mut rng, false);
        let mut sys = system(&mut rng, size);
        let nodes: Vec<Lit> = (0..5).map(|_| Lit::new(GateId(rng.u32(1..sys.aig.len() as u32)), rng.bool())).collect();
        for (k, l) in nodes.iter().enumerate() {
            let together = sys.aig.and(*l, nodes[rng.usize(..nodes.len())]);
            let question = if rng.u8(..4) == 0 { Question::Reach(together) } else { Question::Never(together) };
            sys.goals.push(Goal { symbol: Symbol::new(format!("g{k}")), question, trigger: None });
        }
        let choice = [Choice::Portfolio, Choice::Ic3, Choice::Induction][n as usize % 3];
        let cancel = AtomicBool::new(false);
        let ctl = control(&cancel, if choice == Choice::Induction { "induction" } else { "" });
        let goals: Vec<&Goal> = sys.goals.iter().collect();
        let mut batch = Batch::new(&sys, &goals, choice, &ctl);
        for (k, goal) in sys.goals.iter().enumerate() {
            let judge = settle(&sys, goal, Choice::Explicit, &ctl).answer;
            let said = batch.settle(&sys, goal, choice, &ctl);
            helped += said.certificate.as_ref().is_some_and(|c| !c.known.is_empty()) as u32;
            found += (said.engine == "bmc") as u32;
            let honest = matches!(said.answer, Answer::HoldsTo(_)) && choice == Choice::Induction;
            assert!(said.answer == judge || honest, "seed {seed}, system {n}, goal {k}: {said:?}, the judge {judge:?}");
        }
    }
    assert!(helped > 10 && found > 10, "too little is shared to tell: {helped} proofs, {found} paths");
}

#[test]
fn liveness_agrees_with_explicit_search() {
    let (seed, count) = (number("ENTAIL_SEED", 1), number("ENTAIL_SYSTEMS", 2_000) / 4);
    let mut tally = [0u64; 2];
    for n in 0..count {
        let mut rng = Rng::with_seed(seed.wrapping_mul(7_000_003).wrapping_add(n));
        let mut size = size(&mut rng, true);
        size.states = size.states.min(6);
        let sys = system(&mut rng, size);
        let judge = run(&mut explicit::Explicit, &sys, false).unwrap_or_else(|e| panic!("system {n}: the judge: {e}"));
        let cancel = AtomicBool::new(false);
        let said = settle(&sys, &sys.goals[0], Choice::Ic3, &control(&cancel, "ic3"));
        let fails = matches!(judge.verdict, Verdict::Fails(_));
        let expect = if fails { Answer::Fails } else { Answer::Holds };
        if said.answer != expect {
            let text = write_system(&sys, &SourceMap::new(), AigerOptions { ascii: true });
            panic!(
                "seed {seed}, system {n}: {:?}, the judge {expect:?}\n{}",
                said.answer,
                String::from_utf8_lossy(&text)
            );
        }
        tally[fails as usize] += 1;
    }
    println!("{count} systems with liveness: {} hold, {} fail", tally[0], tally[1]);
    assert!(tally.iter().all(|t| *t > count / 10), "the systems are too much alike: {tally:?}");
}

/// Whether a formula holds at each place of a looping path, straight from the definition.
fn holds_at(f: &Formula, now: &[Vec<bool>], back: usize) -> Vec<bool> {
    let n = now.len();
    let after = |i: usize| if i + 1 < n { i + 1 } else { back };
    match f {
        Formula::Now(l) => now.iter().map(|v| v[l.gate().0 as usize] ^ l.complement()).collect(),
        Formula::Not(a) => holds_at(a, now, back).iter().map(|v| !v).collect(),
        Formula::And(a, b) => holds_at(a, now, back).iter().zip(holds_at(b, now, back)).map(|(a, b)| *a && b).collect(),
        Formula::Or(a, b) => holds_at(a, now, back).iter().zip(holds_at(b, now, back)).map(|(a, b)| *a || b).collect(),
        Formula::Next(a) => {
            let a = holds_at(a, now, back);
            (0..n).map(|i| a[after(i)]).collect()
        }
        Formula::Until(a, b) => {
            let (a, b) = (holds_at(a, now, back), holds_at(b, now, back));
            // Twice around sees everything.
            let from = |mut i: usize| {
                for _ in 0..2 * n + 1 {
                    if b[i] || !a[i] {
                        return b[i];
                    }
                    i = after(i);
                }
                false
            };
            (0..n).map(from).collect()
        }
        Formula::Release(a, b) => {
            let (a, b) = (holds_at(a, now, back), holds_at(b, now, back));
            let from = |mut i: usize| {
                for _ in 0..2 * n + 1 {
                    if a[i] || !b[i] {
                        return b[i];
                    }
                    i = after(i);
                }
                true
            };
            (0..n).map(from).collect()
        }
    }
}

fn formula(rng: &mut Rng, lits: &[Lit], depth: u32) -> Formula {
    let sub = |rng: &mut Rng| Box::new(formula(rng, lits, depth - 1));
    if depth == 0 {
        return Formula::Now(lits[rng.usize(0..lits.len())].xor(rng.bool()));
    }
    match rng.u8(0..7) {
        0 => Formula::Not(sub(rng)),
        1 => Formula::And(sub(rng), sub(rng)),
        2 => Formula::Or(sub(rng), sub(rng)),
        3 => Formula::Next(sub(rng)),
        4 => Formula::Until(sub(rng), sub(rng)),
        5 => Formula::Release(sub(rng), sub(rng)),
        _ => Formula::Now(lits[rng.usize(0..lits.len())].xor(rng.bool())),
    }
}

/// A counterexample to a formula breaks it by definition, and random loops of a system in which it holds do not.
#[test]
fn formulas_mean_what_their_definition_says() {
    let (seed, count) = (number("ENTAIL_SEED", 1), number("ENTAIL_SYSTEMS", 2_000) / 8);
    let mut tally = [0u64; 2];
    for n in 0..count {
        let mut rng = Rng::with_seed(seed.wrapping_mul(9_000_011).wrapping_add(n));
        let mut size = size(&mut rng, false);
        size.states = size.states.min(4);
        size.inputs = size.inputs.min(2);
        let mut sys = system(&mut rng, size);
        sys.constraints.clear();
        let lits: Vec<Lit> = sys.states.iter().map(|s| s.lit).chain(sys.inputs.iter().map(|i| i.lit)).collect();
        let depth = rng.u32(1..=3);
        let f = formula(&mut rng, &lits, depth);
        let asked = ltl::attach(&sys, "formula", &f, Lit::TRUE);
        let cancel = AtomicBool::new(false);
        let said = settle(&asked, &asked.goals[0], Choice::Ic3, &control(&cancel, "ic3"));
        let walk = |path: &Path| {
            let mut state = path.init[..sys.states.len()].to_vec();
            let mut seen = Vec::new();
            for i in &path.inputs {
                let values = sys.evaluate(&state, &i[..sys.inputs.len()]);
                state = sys.states.iter().map(|s| values[s.next.gate().0 as usize] ^ s.next.complement()).collect();
                seen.push(values);
            }
            (seen, state)
        };
        match said.answer {
            Answer::Fails => {
                let mut path = said.path.expect("a path");
                if let Question::Never(_) = asked.goals[0].question {
                    // A finite path to the bad step: go on in any way; it is bad already.
                    path.back_to = Some(path.inputs.len() - 1);
                }
                let (seen, _) = walk(&path);
                let back = path.back_to.expect("a loop");
                assert!(!holds_at(&f, &seen, back)[0], "seed {seed}, system {n}: {f:?} holds on its counterexample");
                tally[1] += 1;
            }
            Answer::Holds => {
                for _ in 0..20 {
                    let init: Vec<bool> = sys.states.iter().map(|s| s.init.unwrap_or_else(|| rng.bool())).collect();
                    let mut path = Path { init, inputs: Vec::new(), back_to: None };
                    let mut states = vec![path.init.clone()];
                    // Walks until a state comes again, which closes a loop.
                    let back = loop {
                        path.inputs.push((0..sys.inputs.len()).map(|_| rng.bool()).collect());
                        let (_, state) = walk(&path);
                        if let Some(at) = states.iter().position(|s| *s == state) {
                            break at;
                        }
                        states.push(state);
                    };
                    let (seen, _) = walk(&path);
                    assert!(holds_at(&f, &seen, back)[0], "seed {seed}, system {n}: {f:?} does not hold");
                }
                tally[0] += 1;
            }
            other => panic!("seed {seed}, system {n}: {other:?}"),
        }
    }
    println!("{count} formulas: {} hold, {} fail", tally[0], tally[1]);
    assert!(tally.iter().all(|t| *t > count / 20), "the formulas are too much alike: {tally:?}");
}

#[test]
fn formulas_are_read_or_refused_with_a_place() {
    struct Names(Vec<(&'static str, Vec<Lit>)>);
    impl ltl::Nets for Names {
        fn net(&mut self, name: &str) -> Option<Vec<Lit>> {
            self.0.iter().find(|n| n.0 == name).map(|n| n.1.clone())
        }
    }
    let mut sys = System::default();
    let a = sys.input(Symbol::new("a"), entail::model::Role::Choice);
    let b = sys.input(Symbol::new("b"), entail::model::Role::Choice);
    let one = sys.aig.and(a, !b);
    let mut names = Names(vec![("a", vec![a]), ("u.b", vec![b]), ("n", vec![a, b])]);
    let mut read = |text: &str| ltl::parse(text, &mut sys, &mut names);
    let (now, then) = (Box::new(Formula::Now(a)), Box::new(Formula::Now(b)));
    assert_eq!(read("a U u.b"), Ok(Formula::Until(now.clone(), then.clone())));
    assert_eq!(read("a -> X u.b"), Ok(Formula::Or(Box::new(Formula::Now(!a)), Box::new(Formula::Next(then)))));
    assert_eq!(read("n == 1"), Ok(Formula::Now(one)));
    assert_eq!(read("n >= 2"), read("u.b"));
    for (text, wrong) in [
        ("", "at the end: a name, a number or `(` belongs here"),
        ("G (a", "at the end: `)` is missing"),
        ("a b", "column 3: `b` does not belong here"),
        ("c", "column 1: a net of the design belongs here, not `c`"),
        ("a U", "at the end"),
        ("a # b", "column 3: `#` is not part of a formula"),
        ("n == 99999999999999999999999999999999999999999999", "column 6: a number belongs here"),
    ] {
        let e = read(text).expect_err(text);
        assert!(e.starts_with(wrong), "{text}: {e}");
    }
    assert!(read(&"(".repeat(5_000)).is_err());
    assert!(read(&"!".repeat(5_000)).is_err());
}

/// The second library confirms every invariant, and refuses what is none.
#[test]
fn decisions_are_rechecked_by_another_library() {
    let (seed, count) = (number("ENTAIL_SEED", 1), number("ENTAIL_SYSTEMS", 2_000));
    let cancel = AtomicBool::new(false);
    let (mut confirmed, mut refused, mut still) = (0, 0, 0);
    for n in 0..count {
        let mut rng = Rng::with_seed(seed.wrapping_mul(7_000_003).wrapping_add(n));
        let size = size(&mut rng, false);
        let sys = system(&mut rng, size);
        let goal = &sys.goals[0];
        let small = reduce(&sys, goal);
        let direction = if n % 2 == 0 { Direction::Forward } else { Direction::Backward };
        let mut engine = Bdd::new(Strategy::BreadthFirst, direction);
        let outcome = engine.check(&small.sys, small.goal(), &control(&cancel, "bdd"));
        let Some(evidence) = outcome.evidence else { continue };
        let mut c = Certificate::new(&small, evidence, &[]);
        let said = recheck(&c, &sys, &goal.question, 1 << 20);
        assert_eq!(said, Ok(()), "seed {seed}, system {n}");
        confirmed += 1;
        // One link bent: the decisions may still be an invariant, but then the other check says so too.
        let Evidence::Decisions { nodes, root } = &mut c.evidence else { unreachable!() };
        if nodes.is_empty() {
            *root ^= 1;
        } else {
            let k = rng.usize(0..nodes.len());
            let to = rng.u32(0..2);
            if rng.bool() { nodes[k].1 = to } else { nodes[k].2 = to }
        }
        match recheck(&c, &sys, &goal.question, 1 << 20) {
            Ok(()) => {
                still += 1;
                if still % 10 == 0 {
                    c.check(&sys, &goal.question).unwrap_or_else(|e| panic!("seed {seed}, system {n}: {e}"));
                }
            }
            Err(Refusal::Wrong(_)) => {
                refused += 1;
                if refused % 10 == 0 {
                    assert!(c.check(&sys, &goal.question).is_err(), "seed {seed}, system {n}: wrongly refused");
                }
            }
            Err(Refusal::TooLarge) => panic!("seed {seed}, system {n}: too large"),
        }
    }
    println!("{confirmed} confirmed; bent: {refused} refused, {still} still invariants");
    assert!(confirmed > count / 5 && refused > count / 20);
}

/// Liveness: decision diagrams against explicit search; every loop is replayed.
#[test]
fn diagrams_decide_liveness() {
    let (seed, count) = (number("ENTAIL_SEED", 1), number("ENTAIL_SYSTEMS", 2_000));
    let cancel = AtomicBool::new(false);
    let mut tally = [0u64; 2];
    for n in 0..count {
        let mut rng = Rng::with_seed(seed.wrapping_mul(5_000_011).wrapping_add(n));
        let size = size(&mut rng, true);
        let sys = system(&mut rng, size);
        // A loop is one of the reduced system: what is not in the cone need not come back.
        let small = reduce(&sys, &sys.goals[0]);
        let run = |engine: &mut dyn Engine| {
            let outcome = engine.check(&small.sys, small.goal(), &control(&cancel, engine.name()));
            if let Verdict::Fails(path) = &outcome.verdict {
                replay(&small.sys, &small.goal().question, path)
                    .unwrap_or_else(|e| panic!("seed {seed}, system {n}, {}: {e}", engine.name()));
            }
            outcome
        };
        let judge = run(&mut explicit::Explicit);
        let mut engine = Bdd::default();
        if n % 2 == 1 {
            engine.tuning = Tuning { cluster: 12, stop: 20, merge: true, sift: 0, start: 1 << 10 };
        }
        let said = run(&mut engine);
        let fails = |o: &Outcome| match o.verdict {
            Verdict::Fails(_) => true,
            Verdict::Holds => false,
            ref other => panic!("seed {seed}, system {n}: {other:?}"),
        };
        assert_eq!(fails(&judge), fails(&said), "seed {seed}, system {n}");
        tally[fails(&judge) as usize] += 1;
    }
    println!("{count} live systems: {} hold, {} fail", tally[0], tally[1]);
    assert!(tally.iter().all(|t| *t > count / 10), "the systems are too much alike: {tally:?}");
}

/// The middle bit of a product has no small diagram in any order.
fn product(bits: usize) -> System {
    let mut sys = System::default();
    let mut word = |name: &str| -> Vec<Lit> {
        (0..bits).map(|i| sys.state(Symbol::new(format!("{name}{i}")), None, Origin::Model)).collect()
    };
    let (a, b) = (word("a"), word("b"));
    let mut sum = vec![Lit::FALSE; 2 * bits];
    for (i, x) in a.iter().enumerate() {
        let mut carry = Lit::FALSE;
        for (j, y) in b.iter().enumerate() {
            let p = sys.aig.and(*x, *y);
            let half = sys.aig.xor(sum[i + j], p);
            let (c, d) = (sys.aig.and(sum[i + j], p), sys.aig.and(half, carry));
            sum[i + j] = sys.aig.xor(half, carry);
            carry = sys.aig.or(c, d);
        }
        sum[i + bits] = carry;
    }
    let first = a[0];
    sys.set_next(first, sum[bits - 1]);
    let bad = sys.aig.all(&[sum[bits], first, sum[bits - 1]]);
    sys.goals.push(Goal { symbol: Symbol::new("g"), question: Question::Never(bad), trigger: None });
    sys
}

#[test]
fn diagrams_respect_limits() {
    let sys = product(10);
    let cancel = AtomicBool::new(false);
    for direction in [Direction::Forward, Direction::Backward] {
        let mut engine = Bdd::new(Strategy::BreadthFirst, direction);
        let few = Control { nodes: 1 << 11, ..control(&cancel, "bdd") };
        let said = engine.check(&sys, &sys.goals[0], &few).verdict;
        assert!(matches!(said, Verdict::Unknown(Reason::Limit(_))), "{said:?}");
        let said = engine.check(&sys, &sys.goals[0], &control(&cancel, "bdd")).verdict;
        assert!(matches!(said, Verdict::Fails(_)), "{said:?}");
        let stopped = AtomicBool::new(true);
        let said = engine.check(&sys, &sys.goals[0], &control(&stopped, "bdd")).verdict;
        assert!(matches!(said, Verdict::Unknown(Reason::Stopped)), "{said:?}");
    }
}
