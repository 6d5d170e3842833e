//! Answers of `entail check` in the store, each under all that it depends on.
//!
//! The key is made of the property's cone in the model, the options and the program. What is stored stands
//! alone: the part of the model that the evidence is about, and the evidence, as `entail replay` reads it. So a
//! comment, a rename or a change elsewhere in the design finds the answer again, and it can be checked again.

use super::record;
use crate::cache::Store;
use crate::engine::prove::{Answer, Settled, occasion};
use crate::engine::{Reason, Stats};
use crate::model::{Goal, Path, Question, Reduced, System, cone};
use crate::net::Lit;
use crate::report::result::{FORMAT, Property, Recheck, ResultFile, Said, Steps, model_text, recheck};
use serde::{Deserialize, Serialize};

/// An answer in the store.
#[derive(Serialize, Deserialize)]
struct Stored {
    said: Said,
    /// Bound of a bounded answer.
    bound: u32,
    detail: String,
    engine: String,
    depth: u32,
    work: u64,
    seconds: f64,
    /// A path in the cone.
    path: Option<Steps>,
    /// The same with its model and its evidence.
    file: ResultFile,
}

/// Where an answer comes from.
#[derive(Default)]
pub struct Origin {
    /// What it is stored under.
    pub key: Option<String>,
    /// It was found there, with what it took then.
    pub cached: Option<f64>,
    /// The answer with model and evidence, if it was found there.
    pub file: Option<ResultFile>,
}

/// A question with what its answer depends on.
pub struct Asked {
    store: Store,
    key: String,
    part: Reduced,
}

/// Engines, by the names that the store knows.
const ENGINES: &[&str] = &["bmc", "ic3", "induction", "bdd", "explicit", "portfolio"];

impl Asked {
    /// Nothing if there is no store.
    pub fn new(sys: &System, goal: &Goal, options: &str) -> Option<Asked> {
        let store = record::store()?;
        let goals: Vec<Goal> = std::iter::once(goal.clone()).chain(occasion(goal)).collect();
        let part = cone(sys, &goals, &[]);
        let mut h = blake3::Hasher::new();
        for text in [&super::fingerprint(), options, &part.sys.step, &model_text(&part.sys)] {
            h.update(&(text.len() as u64).to_le_bytes());
            h.update(text.as_bytes());
        }
        let kind = match goal.question {
            Question::Never(_) => b'n',
            Question::Reach(_) => b'r',
            Question::NotForever(_) => b'f',
        };
        h.update(&[kind, u8::from(goal.trigger.is_some())]);
        Some(Asked { key: h.finalize().to_hex().to_string(), store, part })
    }

    /// What it is stored under.
    pub fn key(&self) -> String {
        self.key.clone()
    }

    /// The answer in the store. `Err` is an answer there whose evidence does not check.
    pub fn find(&self, sys: &System, goal: &Goal) -> Result<Option<(Settled, Origin)>, String> {
        let bytes = match self.store.answer(&self.key) {
            Ok(Some(b)) => b,
            Ok(None) => return Ok(None),
            Err(e) => {
                eprintln!("warning: {e}");
                return Ok(None);
            }
        };
        let Ok(s) = serde_json::from_slice::<Stored>(&bytes) else { return Ok(None) };
        if record::rechecks() {
            self.recheck(&s).map_err(|e| format!("stored evidence of `{}` does not check: {e}", goal.symbol.name))?;
        }
        let answer = match s.said {
            Said::Holds => Answer::Holds,
            Said::HoldsUnchecked => Answer::Unchecked,
            Said::Vacuous => Answer::Vacuous,
            Said::Bounded => Answer::HoldsTo(s.bound),
            Said::Fails => Answer::Fails,
            Said::Covered => Answer::Covered,
            Said::Unreachable => Answer::Unreachable,
            Said::Unknown if s.detail == Reason::Timeout.to_string() => Answer::Unknown(Reason::Timeout),
            Said::Unknown => Answer::Unknown(Reason::Limit(s.detail.clone())),
        };
        let path = match s.path.as_ref().map(Steps::path).transpose() {
            Ok(p) => p.map(|p| self.part.lift(sys, &p)),
            Err(_) => return Ok(None),
        };
        let settled = Settled {
            answer,
            engine: ENGINES.iter().find(|e| **e == s.engine).copied().unwrap_or("stored"),
            path,
            certificate: None,
            stats: Stats { depth: s.depth, work: s.work },
        };
        let origin = Origin { key: Some(self.key.clone()), cached: Some(s.seconds), file: Some(s.file) };
        Ok(Some((settled, origin)))
    }

    /// Checks stored evidence with other code than made it, and that it is about this question.
    fn recheck(&self, s: &Stored) -> Result<(), String> {
        let [p] = s.file.properties.as_slice() else { return Err("it is not about one property".into()) };
        if p.verdict != s.said {
            return Err("it is about another verdict".into());
        }
        match recheck(&s.file)?.first() {
            Some(Recheck::Confirmed(_) | Recheck::Nothing) => {}
            Some(Recheck::Refuted(why)) => return Err(why.clone()),
            None => return Err("it says nothing".into()),
        }
        let text = s.file.models.first().ok_or("it has no model")?;
        let model = crate::interop::aiger::read(text.as_bytes())?;
        let live = |g: &&Goal| matches!(g.question, Question::NotForever(_)) == p.live;
        let goal = model.goals.iter().filter(live).nth(p.position).ok_or("its model has no such property")?;
        let of = |sys: &System, goal: &Goal| {
            let goal = Goal { trigger: None, ..goal.clone() };
            numbers(&model_text(&cone(sys, std::slice::from_ref(&goal), &[]).sys))
        };
        if of(&model, goal) != of(&self.part.sys, self.part.goal()) {
            return Err("it is about another cone".into());
        }
        Ok(())
    }

    /// Keeps an answer that was found just now.
    pub fn keep(&self, sys: &System, goal: &Goal, s: &Settled, seconds: f64) {
        if matches!(s.answer, Answer::Broken(_) | Answer::Unknown(Reason::Stopped)) {
            return;
        }
        let live = matches!(goal.question, Question::NotForever(_));
        // Evidence may rest on registers beyond the cone: the stored model has them as well. Evidence for
        // liveness is about the cone alone.
        let beyond = if live { Vec::new() } else { mentioned(s) };
        let lits: Vec<Lit> = beyond.iter().map(|i| sys.states[*i].lit).collect();
        let goals: Vec<Goal> = std::iter::once(goal.clone()).chain(occasion(goal)).collect();
        let wide = cone(sys, &goals, &lits);
        let mut own = s.clone();
        own.path = s.path.as_ref().map(|p| wide.project(p));
        if !live && let Some(c) = &mut own.certificate {
            let place = |i: &mut u32| {
                *i = wide.states.iter().position(|s| *s == *i as usize).map_or(u32::MAX, |p| p as u32);
            };
            c.states.iter_mut().for_each(place);
            c.constants.iter_mut().for_each(|(i, _)| place(i));
            c.equal.iter_mut().for_each(|(a, b)| {
                place(a);
                place(b);
            });
            c.known.iter_mut().flatten().for_each(|(i, _)| place(i));
        }
        let about = Goal { question: wide.goal().question.clone(), ..goal.clone() };
        let property = Property::of(&wide.sys, 0, &about, &own, None);
        let stored = Stored {
            said: property.verdict,
            bound: if let Answer::HoldsTo(n) = s.answer { n } else { 0 },
            detail: property.detail.clone(),
            engine: s.engine.to_string(),
            depth: s.stats.depth,
            work: s.stats.work,
            seconds,
            path: s.path.as_ref().map(|p: &Path| Steps::of(&self.part.project(p))),
            file: ResultFile {
                format: FORMAT.into(),
                design: sys.name.clone(),
                notes: vec![format!("a step is {}", sys.step)],
                models: vec![model_text(&wide.sys)],
                properties: vec![property],
            },
        };
        let kept = serde_json::to_vec(&stored).map_err(|e| e.to_string());
        if let Err(e) = kept.and_then(|b| self.store.keep_answer(&self.key, &b, record::now())) {
            eprintln!("warning: {e}");
        }
    }
}

/// State bits that evidence speaks of.
fn mentioned(s: &Settled) -> Vec<usize> {
    let Some(c) = &s.certificate else { return Vec::new() };
    let mut all: Vec<usize> = c.states.iter().map(|i| *i as usize).collect();
    all.extend(c.constants.iter().map(|(i, _)| *i as usize));
    all.extend(c.equal.iter().flat_map(|(a, b)| [*a as usize, *b as usize]));
    all.extend(c.known.iter().flatten().map(|(i, _)| *i as usize));
    all.sort_unstable();
    all.dedup();
    all
}

/// An AIGER text without names.
fn numbers(text: &str) -> String {
    let plain = |l: &&str| l.starts_with(|c: char| c.is_ascii_digit()) || l.starts_with("aag ");
    text.lines().take_while(plain).collect::<Vec<_>>().join("\n")
}
