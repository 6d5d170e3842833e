//! Answers about properties, each under all that it depends on.
//!
//! The key is made of the property's cone in the model, the options and the program. What is stored stands
//! alone: the cone and the evidence, as `entail replay` reads it (proofs rest on nothing outside the cone then). So a
//! comment, a rename or a change elsewhere in the design finds the answer again, and it can be checked again.

use super::Store;
use crate::engine::evidence::Certificate;
use crate::engine::prove::{Answer, Settled, occasion};
use crate::engine::{Reason, Stats};
use crate::model::{Goal, Path, Question, Reduced, System, cone};
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

/// How far the store is trusted.
#[derive(Clone, Copy, Default, Debug)]
pub struct Trust {
    /// Evidence is checked again.
    pub recheck: bool,
    /// What had no answer is asked again.
    pub retry_unknown: bool,
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
    /// A question of a system, asked with some options by a version of the program.
    pub fn new(store: Store, tool: &str, sys: &System, goal: &Goal, options: &str) -> Asked {
        let goals: Vec<Goal> = std::iter::once(goal.clone()).chain(occasion(goal)).collect();
        let part = cone(sys, &goals);
        let mut h = blake3::Hasher::new();
        for text in [tool, options, &part.sys.step, nameless(&model_text(&part.sys))] {
            h.update(&(text.len() as u64).to_le_bytes());
            h.update(text.as_bytes());
        }
        let kind = match goal.question {
            Question::Never(_) => b'n',
            Question::Reach(_) => b'r',
            Question::NotForever(_) => b'f',
        };
        h.update(&[kind, u8::from(goal.trigger.is_some())]);
        Asked { key: h.finalize().to_hex().to_string(), store, part }
    }

    /// What it is stored under.
    pub fn key(&self) -> String {
        self.key.clone()
    }

    /// The answer in the store. `Err` is an answer there whose evidence does not check.
    pub fn find(&self, sys: &System, goal: &Goal, how: Trust) -> Result<Option<(Settled, Origin)>, String> {
        // A store that cannot be read knows nothing.
        let Ok(Some(bytes)) = self.store.answer(&self.key) else { return Ok(None) };
        let Ok(mut s) = serde_json::from_slice::<Stored>(&bytes) else { return Ok(None) };
        if how.retry_unknown && matches!(s.said, Said::Unknown | Said::Bounded) {
            return Ok(None);
        }
        if how.recheck {
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
        // Names may be others by now.
        s.file.models = vec![model_text(&self.part.sys)];
        s.file.properties.iter_mut().for_each(|p| p.name = goal.symbol.name.clone());
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
        let same = |text: &String| nameless(text) == nameless(&model_text(&self.part.sys));
        if s.file.models.len() != 1 || !s.file.models.iter().all(same) || p.model != 0 || p.position != 0 {
            return Err("it is about another question".into());
        }
        Ok(())
    }

    /// Keeps an answer that was found just now.
    pub fn keep(&self, sys: &System, goal: &Goal, s: &Settled, seconds: f64, now: u64) -> Result<(), String> {
        if matches!(s.answer, Answer::Broken(_) | Answer::Unknown(Reason::Stopped)) {
            return Ok(());
        }
        let live = matches!(goal.question, Question::NotForever(_));
        let mut own = s.clone();
        own.path = s.path.as_ref().map(|p| self.part.project(p));
        // Evidence for liveness is about the cone already.
        if let (false, Some(c)) = (live, &mut own.certificate)
            && !renumber(c, &self.part.states)
        {
            return Ok(());
        }
        let about = Goal { question: self.part.goal().question.clone(), ..goal.clone() };
        let property = Property::of(&self.part.sys, 0, &about, &own, None);
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
                models: vec![model_text(&self.part.sys)],
                properties: vec![property],
            },
        };
        let bytes = serde_json::to_vec(&stored).map_err(|e| e.to_string())?;
        Ok(self.store.keep_answer(&self.key, &bytes, now)?)
    }
}

/// A model without names, on which no answer depends: those of assertions without one are made of line numbers.
fn nameless(text: &str) -> &str {
    // The first line is the header; names begin with a letter, all else is numbers.
    let mut at = 0;
    for (k, line) in text.split_inclusive('\n').enumerate() {
        if k > 0 && line.starts_with(|c: char| c.is_ascii_alphabetic()) {
            break;
        }
        at += line.len();
    }
    &text[..at]
}

/// Evidence about a system as evidence about some of its states; whether it speaks of these alone.
fn renumber(c: &mut Certificate, states: &[usize]) -> bool {
    let mut inside = true;
    let mut place = |i: &mut u32| match states.binary_search(&(*i as usize)) {
        Ok(p) => *i = p as u32,
        Err(_) => inside = false,
    };
    c.states.iter_mut().for_each(&mut place);
    c.constants.iter_mut().for_each(|(i, _)| place(i));
    for (a, b) in &mut c.equal {
        place(a);
        place(b);
    }
    c.known.iter_mut().flatten().for_each(|(i, _)| place(i));
    inside
}
