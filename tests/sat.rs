//! The solver for small questions against CaDiCaL: random scripts of clauses and questions.
//!
//! A difference is shrunk by leaving out steps of its script and printed with its seed.

use entail::sat::cdcl::{Cdcl, Domain, Lit};
use entail::sat::{Answer, SatLit, Solver};
use fastrand::Rng;

/// A variable of the script, and whether it is negated.
type L = (usize, bool);

#[derive(Clone, Debug)]
enum Step {
    Clause(Vec<L>),
    Ask { assumptions: Vec<L>, temporary: Vec<L>, domain: Option<Vec<usize>> },
}

#[derive(Clone, Debug)]
struct Script {
    vars: usize,
    steps: Vec<Step>,
}

fn number(name: &str, or: u64) -> u64 {
    std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(or)
}

fn some(rng: &mut Rng, from: &[usize], count: usize) -> Vec<L> {
    (0..count).map(|_| (from[rng.usize(0..from.len())], rng.bool())).collect()
}

/// Random clauses near the threshold, questions in between.
fn random_clauses(rng: &mut Rng) -> Script {
    let vars = rng.usize(1..40);
    let all: Vec<usize> = (0..vars).collect();
    let mut steps = Vec::new();
    let density = rng.usize(2..7);
    for _ in 0..rng.usize(1..vars * density + 2) {
        let low = (rng.u8(0..8) > 0) as usize;
        let count = [1, 2, 2, 3, 3, 3, 3, 3, 4, 6][rng.usize(low..10)];
        steps.push(Step::Clause(some(rng, &all, count)));
        if rng.u8(0..6) == 0 {
            let (a, t) = (rng.usize(0..6), if rng.bool() { 0 } else { rng.usize(1..5) });
            steps.push(Step::Ask { assumptions: some(rng, &all, a), temporary: some(rng, &all, t), domain: None });
        }
    }
    steps.push(Step::Ask { assumptions: Vec::new(), temporary: Vec::new(), domain: None });
    Script { vars, steps }
}

/// Few questions that are hard enough for clauses to be forgotten on the way.
fn hard_clauses(rng: &mut Rng) -> Script {
    let vars = rng.usize(90..140);
    let all: Vec<usize> = (0..vars).collect();
    let mut steps: Vec<Step> = (0..vars * 4).map(|_| Step::Clause(some(rng, &all, 3))).collect();
    for _ in 0..12 {
        let (c, a, t) = (rng.usize(1..vars / 20), rng.usize(0..3), rng.usize(0..4));
        steps.extend((0..c).map(|_| Step::Clause(some(rng, &all, 3))));
        steps.push(Step::Ask { assumptions: some(rng, &all, a), temporary: some(rng, &all, t), domain: None });
    }
    Script { vars, steps }
}

/// A circuit with clauses about its states, and questions about gates within what these depend on.
fn random_circuit(rng: &mut Rng) -> Script {
    let (states, inputs, gates) = (rng.usize(1..12), rng.usize(1..6), rng.usize(1..60));
    let leaves = states + inputs;
    let mut steps = Vec::new();
    let mut fanin: Vec<Vec<usize>> = vec![Vec::new(); leaves];
    for g in leaves..leaves + gates {
        // Mostly near: that makes it deep.
        let low = if rng.bool() { 0 } else { g.saturating_sub(8) };
        let mut pick = || (rng.usize(low..g), rng.bool());
        let (a, b, c) = (pick(), pick(), pick());
        let not = |l: L| (l.0, !l.1);
        let (o, n) = ((g, false), (g, true));
        let clauses = match rng.u8(0..4) {
            0 => vec![vec![o, a, b], vec![o, not(a), not(b)], vec![n, a, not(b)], vec![n, not(a), b]],
            1 => vec![
                vec![not(a), not(b), o],
                vec![not(a), b, n],
                vec![a, not(c), o],
                vec![a, c, n],
                vec![not(b), not(c), o],
                vec![b, c, n],
            ],
            _ => vec![vec![n, a], vec![n, b], vec![o, not(a), not(b)]],
        };
        steps.extend(clauses.into_iter().map(Step::Clause));
        fanin.push(vec![a.0, b.0, c.0]);
    }
    let cone = |roots: &[L], always: &[usize]| {
        let mut open: Vec<usize> = roots.iter().map(|l| l.0).chain(always.iter().copied()).chain(0..states).collect();
        let mut all = vec![false; leaves + gates];
        while let Some(v) = open.pop() {
            if !std::mem::replace(&mut all[v], true) {
                open.extend(&fanin[v]);
            }
        }
        (0..leaves + gates).filter(|v| all[*v]).collect::<Vec<usize>>()
    };
    let every: Vec<usize> = (0..leaves + gates).collect();
    let own: Vec<usize> = (0..states).collect();
    let mut always = Vec::new();
    for _ in 0..rng.usize(1..40) {
        match rng.u8(0..12) {
            0 => {
                let c = some(rng, &every, 1);
                always.push(c[0].0);
                steps.push(Step::Clause(c));
            }
            1..5 => {
                let count = rng.usize(1..6);
                steps.push(Step::Clause(some(rng, &own, count)));
            }
            _ => {
                let (a, t) = (rng.usize(0..8), if rng.bool() { 0 } else { rng.usize(1..6) });
                let assumptions = some(rng, &every, a);
                let temporary = some(rng, &own, t);
                let domain = (rng.u8(0..4) > 0).then(|| cone(&assumptions, &always));
                steps.push(Step::Ask { assumptions, temporary, domain });
            }
        }
    }
    Script { vars: leaves + gates, steps }
}

/// What is wrong with the answers to a script; counts them.
fn wrong(script: &Script, tally: &mut [u64; 2]) -> Option<String> {
    let (mut mine, mut other) = (Cdcl::new(), Solver::default());
    let vars: Vec<Lit> = (0..script.vars).map(|_| mine.fresh()).collect();
    let others: Vec<SatLit> = (0..script.vars).map(|_| other.fresh()).collect();
    let here = |l: &[L]| -> Vec<Lit> { l.iter().map(|(v, n)| vars[*v].xor(*n)).collect() };
    let there = |l: &[L]| -> Vec<SatLit> { l.iter().map(|(v, n)| if *n { !others[*v] } else { others[*v] }).collect() };
    let mut clauses: Vec<&[L]> = Vec::new();
    let mut set = Domain::default();
    for (n, step) in script.steps.iter().enumerate() {
        match step {
            Step::Clause(c) => {
                let ok = mine.clause(&here(c));
                other.clause(&there(c));
                clauses.push(c);
                if !ok && other.solve(&[], &|| false) == Answer::Sat {
                    return Some(format!("step {n}: refuted, but there is a model"));
                }
            }
            Step::Ask { assumptions, temporary, domain } => {
                set.clear();
                domain.iter().flatten().for_each(|v| {
                    set.insert(vars[*v].var());
                });
                let asked = here(assumptions);
                let answer = mine.solve(&asked, &here(temporary), domain.as_ref().map(|_| &set), &|| false);
                let mut theirs = there(assumptions);
                let mut own = None;
                if !temporary.is_empty() {
                    let o = other.fresh();
                    let mut c = there(temporary);
                    c.push(!o);
                    other.clause(&c);
                    theirs.push(o);
                    own = Some(o);
                }
                let expected = other.solve(&theirs, &|| false);
                if answer != expected {
                    return Some(format!("step {n}: {answer:?}, not {expected:?}"));
                }
                tally[(answer == Answer::Sat) as usize] += 1;
                if answer == Answer::Sat {
                    let is_in = |v: usize| domain.is_none() || set.contains(vars[v].var());
                    if let Some(v) = (0..script.vars).find(|v| is_in(*v) && mine.value(vars[*v]).is_none()) {
                        return Some(format!("step {n}: variable {v} has no value"));
                    }
                    let holds = |c: &[L]| here(c).iter().any(|l| mine.value(*l) == Some(true));
                    if !asked.iter().all(|l| mine.value(*l) == Some(true)) {
                        return Some(format!("step {n}: an assumption is not true"));
                    }
                    if !temporary.is_empty() && !holds(temporary) {
                        return Some(format!("step {n}: the temporary clause is not true"));
                    }
                    if let Some(c) = clauses.iter().find(|c| c.iter().all(|l| is_in(l.0)) && !holds(c)) {
                        return Some(format!("step {n}: {c:?} is not true"));
                    }
                } else {
                    let core = mine.core();
                    if !core.iter().all(|l| asked.contains(l)) {
                        return Some(format!("step {n}: the core {core:?} is not part of {asked:?}"));
                    }
                    let at = |l: &Lit| vars.iter().position(|v| v.var() == l.var()).map(|v| (v, l.is_negative()));
                    let core: Vec<L> = core.iter().filter_map(at).collect();
                    let mut less = there(&core);
                    less.extend(own);
                    if other.solve(&less, &|| false) != Answer::Unsat {
                        return Some(format!("step {n}: the core {core:?} has a model"));
                    }
                }
                if let Some(o) = own {
                    other.clause(&[!o]);
                }
            }
        }
    }
    None
}

fn run(what: &str, make: fn(&mut Rng) -> Script, factor: u64, part: u64) {
    let (seed, count) = (number("ENTAIL_SEED", 1), number("ENTAIL_SCRIPTS", 2_000) / part);
    let mut tally = [0u64; 2];
    for n in 0..count {
        let mut script = make(&mut Rng::with_seed(seed.wrapping_mul(factor).wrapping_add(n)));
        let Some(first) = wrong(&script, &mut tally) else { continue };
        while let Some(less) = (0..script.steps.len()).rev().find_map(|k| {
            let mut s = script.clone();
            s.steps.remove(k);
            wrong(&s, &mut [0; 2]).map(|_| s)
        }) {
            script = less;
        }
        let then = wrong(&script, &mut [0; 2]);
        panic!("{what}, seed {seed}, script {n}: {first}\nshrunk: {then:?}\n{script:#?}");
    }
    println!("{count} scripts of {what}: {} no, {} yes", tally[0], tally[1]);
    assert!(tally.iter().all(|t| *t > count), "the questions are too much alike: {tally:?}");
}

#[test]
fn clauses_agree_with_cadical() {
    run("clauses", random_clauses, 1_000_003, 1);
}

#[test]
fn hard_clauses_agree_with_cadical() {
    run("hard clauses", hard_clauses, 3_000_017, 40);
}

#[test]
fn circuits_agree_with_cadical() {
    run("circuits", random_circuit, 7_000_003, 1);
}

/// `holes + 1` pigeons into `holes` holes.
fn pigeons(holes: usize) -> Cdcl {
    let mut s = Cdcl::new();
    let at: Vec<Vec<Lit>> = (0..=holes).map(|_| (0..holes).map(|_| s.fresh()).collect()).collect();
    at.iter().for_each(|p| {
        s.clause(p);
    });
    for (p, one) in at.iter().enumerate() {
        for other in &at[..p] {
            for (a, b) in one.iter().zip(other) {
                s.clause(&[!*a, !*b]);
            }
        }
    }
    s
}

#[test]
fn hard_ones_end() {
    assert_eq!(pigeons(7).solve(&[], &[], None, &|| false), Answer::Unsat);
    let mut tally = [0; 2];
    for seed in 0..10 {
        let mut rng = Rng::with_seed(seed);
        let (mut mine, mut other) = (Cdcl::new(), Solver::default());
        let vars: Vec<Lit> = (0..150).map(|_| mine.fresh()).collect();
        let others: Vec<SatLit> = (0..150).map(|_| other.fresh()).collect();
        for _ in 0..680 {
            let c = some(&mut rng, &(0..150).collect::<Vec<_>>(), 3);
            mine.clause(&c.iter().map(|(v, n)| vars[*v].xor(*n)).collect::<Vec<_>>());
            other.clause(&c.iter().map(|(v, n)| if *n { !others[*v] } else { others[*v] }).collect::<Vec<_>>());
        }
        let answer = mine.solve(&[], &[], None, &|| false);
        assert_eq!(answer, other.solve(&[], &|| false), "seed {seed}");
        tally[(answer == Answer::Sat) as usize] += 1;
    }
    println!("150 variables: {tally:?}");
    assert!(tally[0] > 3);
}

/// The solver stays in order when it is stopped, and a temporary clause leaves nothing behind.
#[test]
fn stopped_and_temporary_calls_leave_no_trace() {
    let mut s = pigeons(10);
    let free = s.fresh();
    for _ in 0..5 {
        assert_eq!(s.solve(&[free], &[free], None, &|| true), Answer::Stopped);
    }
    let mut s = Cdcl::new();
    let (a, b) = (s.fresh(), s.fresh());
    assert!(s.clause(&[a, b]));
    for _ in 0..3 {
        assert_eq!(s.solve(&[!a], &[!b], None, &|| false), Answer::Unsat);
        assert_eq!(s.core(), &[!a]);
        assert_eq!(s.solve(&[!a], &[], None, &|| false), Answer::Sat);
        assert_eq!((s.value(a), s.value(b)), (Some(false), Some(true)));
    }
    assert!(s.clause(&[a]));
    assert_eq!(s.solve(&[b], &[!a], None, &|| false), Answer::Unsat);
    assert_eq!(s.core(), &[]);
    assert_eq!(s.solve(&[b], &[!a, !b, b], None, &|| false), Answer::Sat);
    assert!(!s.clause(&[!a]));
    assert_eq!(s.solve(&[], &[], None, &|| false), Answer::Unsat);
}
