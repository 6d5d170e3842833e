//! One assertion, from the engine's answer to what may be said.

use super::super::ExitCode;
use crate::interop::aiger::{AigerOptions, write_system};
use crate::model::{Role, Symbol, System};
use crate::net::Lit;
use crate::proof::kernel::{self, Engine, Seen};
use crate::proof::script::load::Loaded;
use crate::proof::second::{Effort, Refusal};
use crate::proof::side;
use crate::source::{SourceMap, Span};
use crate::ste::check::{Answer, evaluate_claims, formula};
use crate::ste::explain::{Chain, explain};
use crate::ste::order::order;
use crate::ste::realise::{Run, Wanted, judge, realise};
use crate::ste::sat::Asker;
use crate::ste::set::Set;
use crate::ste::{Atom, Control, Leaf, Outcome};
use rustc_hash::FxHashMap;
use std::path::Path;

/// What may be said.
pub enum Verdict {
    /// It holds.
    Holds,
    /// It fails in this run, at these claims.
    Fails(Box<Set>, Box<Run>, Vec<usize>),
    /// X reaches this claim.
    Unknown(usize, Box<Set>, Option<Chain>),
    /// Antecedent and circuit contradict each other.
    OverConstrained(Atom, Box<Set>),
    /// Nothing satisfies constraint or antecedent.
    Vacuous(&'static str),
    /// No answer.
    Stopped(String),
    /// Something is wrong with this program.
    Broken(String),
}

impl Verdict {
    /// The word for it, as `expect` knows it.
    pub fn word(&self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::Fails(..) => "fails",
            Verdict::Unknown(..) | Verdict::Stopped(_) => "unknown",
            Verdict::OverConstrained(..) => "over-constrained",
            Verdict::Vacuous(_) => "vacuous",
            Verdict::Broken(_) => "broken",
        }
    }

    /// The exit code, if that is what comes.
    pub fn code(&self, expect: Option<&str>) -> ExitCode {
        match self {
            Verdict::Broken(_) => ExitCode::Internal,
            v if v.word() == expect.unwrap_or("holds") => ExitCode::Ok,
            Verdict::Unknown(..) | Verdict::Stopped(_) if expect.is_none() => ExitCode::Unknown,
            _ => ExitCode::Unexpected,
        }
    }
}

/// An assertion that was decided.
pub struct Decided {
    /// What may be said.
    pub verdict: Verdict,
    /// What the engine did.
    pub outcome: Outcome,
    /// For the kernel.
    pub seen: Option<Seen>,
    /// A run that fits it.
    pub witness: Option<Run>,
}

/// Decides an assertion, and sees to it that what is said can be said: a failure has a run in the simulator, a *holds* has
/// a run that fits it and, if wanted, a second opinion.
pub fn decide(l: &Loaded, i: usize, ctl: &Control, engine: Engine, recheck: bool) -> Decided {
    let (c, terms, a) = (&l.circuit, &l.terms, &l.assertions[i].assertion);
    let (outcome, mut seen) = kernel::evaluate(c, terms, a, ctl, engine);
    let mut witness = None;
    let verdict = match &outcome.answer {
        Answer::Vacuous => Verdict::Vacuous("nothing satisfies the constraint"),
        Answer::Stopped(s) => Verdict::Stopped(s.to_string()),
        Answer::OverConstrained(at, set) => Verdict::OverConstrained(*at, set.clone()),
        Answer::Unknown(k, set) => {
            let chain = explain(c, terms, a, *k, &set.example, &outcome.weakened).ok().flatten();
            Verdict::Unknown(*k, set.clone(), chain)
        }
        Answer::Fails(_, set) => fails(l, i, set, ctl),
        Answer::Holds => match realise(c, terms, a, Wanted::Witness, None, ctl) {
            Err(s) => Verdict::Stopped(format!("no run was found that satisfies the antecedent: {s}")),
            Ok(None) => Verdict::Vacuous("no run of the circuit satisfies the antecedent"),
            Ok(Some(_)) if says_nothing(l, i, ctl) => {
                Verdict::Vacuous("a sentence that should follow never says anything")
            }
            Ok(Some(run)) => {
                witness = Some(run);
                match seen.as_mut().filter(|_| recheck).map(|s| s.confirm(c, terms, &Effort::default())) {
                    None | Some(Ok(_)) => Verdict::Holds,
                    Some(Err(Refusal::Wrong(why))) => Verdict::Broken(why),
                    // The second evaluation may know less; only a run decides who is right.
                    Some(Err(_)) => match realise(c, terms, a, Wanted::Broken, None, ctl) {
                        Ok(Some(_)) => Verdict::Broken("a run breaks what was said to hold".into()),
                        _ => Verdict::Holds,
                    },
                }
            }
        },
    };
    Decided { verdict, outcome, seen, witness }
}

/// Whether the guards of a sentence of the consequent are 0 for all allowed values.
pub fn says_nothing(l: &Loaded, i: usize, ctl: &Control) -> bool {
    let a = &l.assertions[i].assertion;
    let mut by: FxHashMap<u32, Vec<Lit>> = FxHashMap::default();
    for c in &a.consequent {
        let guards = by.entry(c.origin).or_default();
        if !guards.contains(&c.guard) {
            guards.push(c.guard);
        }
    }
    let stop = || ctl.is_cancelled();
    by.values().any(|guards| {
        // A guard that reads nodes is left alone.
        let plain = l.terms.support(guards).iter().all(|x| matches!(x, Leaf::Var(..)));
        let none: Vec<Lit> = guards.iter().map(|g| !*g).collect();
        plain && !guards.contains(&Lit::TRUE) && side::follows(&l.terms, &[a.constraint], &none, &stop).is_ok()
    })
}

fn fails(l: &Loaded, i: usize, set: &Set, ctl: &Control) -> Verdict {
    let (c, terms, a) = (&l.circuit, &l.terms, &l.assertions[i].assertion);
    // The example first; if no run belongs to it, any other.
    let run = match realise(c, terms, a, Wanted::Broken, Some(&set.example), ctl) {
        Ok(None) => realise(c, terms, a, Wanted::Broken, None, ctl),
        other => other,
    };
    match run {
        Err(s) => Verdict::Stopped(format!("it fails, but no run that shows it was found: {s}")),
        Ok(None) => Verdict::Stopped(
            "it fails only for values that no run of the circuit has there; constrain what is given (`where`)".into(),
        ),
        Ok(Some(run)) => match judge(c, terms, a, &run) {
            Ok(seen) if seen.fits && !seen.broken.is_empty() => {
                Verdict::Fails(Box::new(set.clone()), Box::new(run), seen.broken)
            }
            Ok(_) => Verdict::Broken("the simulator does not show the failure".into()),
            Err(why) => Verdict::Stopped(format!("it fails, but the run that shows it cannot be played: {why}")),
        },
    }
}

/// Writes each assertion as a combinational circuit whose output is 1 where it is wrong or open.
pub fn write_miters(l: &Loaded, chosen: &[usize], folder: &Path) -> ExitCode {
    if let Err(e) = std::fs::create_dir_all(folder) {
        eprintln!("error: cannot make {}: {e}", folder.display());
        return ExitCode::Source;
    }
    for i in chosen {
        let a = &l.assertions[*i].assertion;
        let mut formulas: Vec<Lit> =
            a.antecedent.iter().chain(&a.consequent).flat_map(|c| [c.guard, c.value]).collect();
        formulas.push(a.constraint);
        let mut asker = Asker::new(&l.terms, &formulas);
        let own = asker.own.clone();
        let mut memo = FxHashMap::default();
        let made = formula(&mut asker.rails.logic, &l.terms, a.constraint, &own, &mut memo)
            .and_then(|p| Ok((p, evaluate_claims(&l.circuit, &l.terms, a, &mut asker.rails, &own, &mut memo, None)?)));
        let Ok((constraint, parts)) = made else {
            eprintln!("error: `{}` does not settle", a.name);
            return ExitCode::Unknown;
        };
        let aig = &mut asker.rails.logic.aig;
        let list: Vec<Lit> = parts.wrong.iter().chain(&parts.open).copied().collect();
        let any = aig.any(&list);
        let bad = aig.and(any, constraint);
        let mut sys = System { name: a.name.clone(), ..System::default() };
        let mut leaves: FxHashMap<Lit, Lit> = FxHashMap::default();
        // Inputs in the order of the diagrams, so that others can be compared.
        for (v, b) in order(&l.circuit, &l.terms, &a.hints, &a.antecedent, &a.consequent, &[a.constraint]) {
            let name = format!("{}[{b}]", l.terms.vectors[v as usize].name);
            leaves.insert(own[&(v, b)], sys.input(Symbol { name, span: Span::NONE }, Role::Choice));
        }
        let from = &asker.rails.logic.aig;
        let mut numbers: FxHashMap<crate::model::Node, Lit> = FxHashMap::default();
        for (old, new) in &leaves {
            numbers.insert(from.node(*old), *new);
        }
        let root = from.copy_into(&mut sys.aig, &[bad], &mut |_, n| numbers.get(&n).copied().unwrap_or(Lit::FALSE))[0];
        let symbol = Symbol { name: "broken".into(), span: Span::NONE };
        sys.outputs.push((symbol, root));
        let path = folder.join(format!("{}.aig", a.name));
        let bytes = write_system(&sys, &SourceMap::new(), AigerOptions { ascii: false });
        if let Err(e) = std::fs::write(&path, bytes) {
            eprintln!("error: cannot write {}: {e}", path.display());
            return ExitCode::Source;
        }
        println!("written: {}", path.display());
    }
    ExitCode::Ok
}
