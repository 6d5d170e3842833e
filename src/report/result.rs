//! The result of a check as a file, and its re-check by code that did not make it.
//!
//! A result carries the model it is about, as AIGER, so it can be checked alone: *holds* by its evidence,
//! with SAT proofs, *fails* by replaying its path. Where the sources are at hand, the model is built again
//! and compared, which ties the result to the design.

use crate::bdd::recheck::{Refusal, recheck as recheck_decisions};
use crate::engine::Evidence;
use crate::engine::evidence::Certificate;
use crate::engine::prove::{Answer, Settled};
use crate::interop::aiger::{self, AigerOptions, write_system};
use crate::model::{Goal, Path, Question, System, cone, live, reduce, replay};
use crate::source::SourceMap;
use serde::{Deserialize, Serialize};

/// What the file says first.
pub const FORMAT: &str = "entail-result-1";

/// Most nodes of a diagram in the second library.
const MAX_NODES: usize = 4_000_000;
/// More decisions are not checked by SAT as well.
const MANY_DECISIONS: usize = 1_000;

/// A result file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResultFile {
    /// [`FORMAT`].
    pub format: String,
    /// The top.
    pub design: String,
    /// What a step is, and what was taken for granted, in words.
    pub notes: Vec<String>,
    /// Each model as ascii AIGER: asserts and covers are its bad states, liveness its justice sets.
    pub models: Vec<String>,
    /// The properties.
    pub properties: Vec<Property>,
}

/// The verdict on a property.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Said {
    /// On all paths.
    Holds,
    /// On all paths, without evidence.
    HoldsUnchecked,
    /// It holds because it never says anything.
    Vacuous,
    /// No failure within a bound.
    Bounded,
    /// There is a path that breaks it.
    Fails,
    /// A cover with a path.
    Covered,
    /// A cover without.
    Unreachable,
    /// No answer.
    Unknown,
}

/// A property and what was found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Property {
    /// Its name.
    pub name: String,
    /// File and line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// Position of its model.
    pub model: usize,
    /// Whether it is liveness: a justice set instead of a bad state.
    pub live: bool,
    /// Position among the model's bad states or justice sets.
    pub position: usize,
    /// The verdict.
    pub verdict: Said,
    /// More about it: a reason, a bound.
    pub detail: String,
    /// The engine that found it.
    pub engine: String,
    /// Why it holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Certificate>,
    /// A path, as strings of 0 and 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<Steps>,
}

/// A path in the file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Steps {
    /// Initial state.
    pub init: String,
    /// Inputs of each step.
    pub inputs: Vec<String>,
    /// Where the loop goes back to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub back_to: Option<usize>,
}

impl Steps {
    /// A path as the file has it.
    pub fn of(p: &Path) -> Steps {
        let text = |bits: &Vec<bool>| bits.iter().map(|b| if *b { '1' } else { '0' }).collect();
        Steps { init: text(&p.init), inputs: p.inputs.iter().map(text).collect(), back_to: p.back_to }
    }

    /// The path.
    pub fn path(&self) -> Result<Path, String> {
        let bits = |s: &String| {
            s.chars()
                .map(|c| match c {
                    '0' => Ok(false),
                    '1' => Ok(true),
                    _ => Err("a path is written in 0 and 1".to_string()),
                })
                .collect::<Result<Vec<bool>, String>>()
        };
        let inputs: Result<Vec<_>, _> = self.inputs.iter().map(bits).collect();
        Ok(Path { init: bits(&self.init)?, inputs: inputs?, back_to: self.back_to })
    }
}

/// A system of which every goal is a bad state or a justice set, and nothing else is shown.
pub fn plain(sys: &System) -> System {
    let mut plain = sys.clone();
    plain.outputs.clear();
    for g in &mut plain.goals {
        if let Question::Reach(l) = g.question {
            g.question = Question::Never(l);
        }
    }
    // Safety does not ask for it, and older readers know none.
    if !plain.goals.iter().any(|g| matches!(g.question, Question::NotForever(_))) {
        plain.fairness.clear();
    }
    plain
}

/// A model as the file has it.
pub fn model_text(sys: &System) -> String {
    String::from_utf8_lossy(&write_system(&plain(sys), &SourceMap::new(), AigerOptions { ascii: true })).into_owned()
}

impl Property {
    /// What was found about a goal of a model.
    pub fn of(sys: &System, model: usize, goal: &Goal, settled: &Settled, place: Option<String>) -> Property {
        let live = matches!(goal.question, Question::NotForever(_));
        let like = |g: &&Goal| matches!(g.question, Question::NotForever(_)) == live;
        let same = |g: &Goal| g.symbol == goal.symbol && g.question == goal.question;
        let (verdict, detail) = match &settled.answer {
            Answer::Holds => (Said::Holds, String::new()),
            Answer::Unchecked => (Said::HoldsUnchecked, String::new()),
            Answer::Vacuous => (Said::Vacuous, String::new()),
            Answer::HoldsTo(n) => (Said::Bounded, format!("no failure within {n} steps")),
            Answer::Fails => (Said::Fails, String::new()),
            Answer::Covered => (Said::Covered, String::new()),
            Answer::Unreachable => (Said::Unreachable, String::new()),
            Answer::Unknown(why) => (Said::Unknown, why.to_string()),
            Answer::Broken(why) => (Said::Unknown, format!("internal error: {why}")),
        };
        Property {
            name: goal.symbol.name.clone(),
            place,
            model,
            live,
            position: sys.goals.iter().filter(like).position(same).unwrap_or(usize::MAX),
            verdict,
            detail,
            engine: settled.engine.to_string(),
            evidence: settled.certificate.clone(),
            path: settled.path.as_ref().map(Steps::of),
        }
    }
}

/// What a re-check says of a property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Recheck {
    /// It is as the file says; how that was seen.
    Confirmed(String),
    /// The file claims nothing that could be checked.
    Nothing,
    /// It is not as the file says.
    Refuted(String),
}

/// Reads a result file.
pub fn read(text: &str) -> Result<ResultFile, String> {
    let file: ResultFile = serde_json::from_str(text).map_err(|e| format!("not a result file: {e}"))?;
    if file.format != FORMAT {
        return Err(format!("its format is `{}`, this program reads `{FORMAT}`", file.format));
    }
    Ok(file)
}

/// Re-checks every property of a file.
pub fn recheck(file: &ResultFile) -> Result<Vec<Recheck>, String> {
    let mut models = Vec::new();
    for (i, m) in file.models.iter().enumerate() {
        models.push(aiger::read(m.as_bytes()).map_err(|e| format!("model {i}: {e}"))?);
    }
    Ok(file.properties.iter().map(|p| one(&models, p).unwrap_or_else(Recheck::Refuted)).collect())
}

fn one(models: &[System], p: &Property) -> Result<Recheck, String> {
    let sys = models.get(p.model).ok_or("its model is missing")?;
    let live = |g: &&Goal| matches!(g.question, Question::NotForever(_)) == p.live;
    let goal = sys.goals.iter().filter(live).nth(p.position).ok_or("its model has no such property")?;
    // Symbols cannot hold every character; what is left of the name must agree.
    match p.verdict {
        Said::Fails | Said::Covered => {
            let path = p.path.as_ref().ok_or("the path is missing")?.path()?;
            if p.live {
                let small = reduce(sys, goal);
                if path.init.len() != sys.states.len() || path.inputs.iter().any(|i| i.len() != sys.inputs.len()) {
                    return Err("the path is of another system".into());
                }
                replay(&small.sys, &small.goal().question, &small.project(&path))?;
            } else {
                replay(sys, &goal.question, &path)?;
            }
            Ok(Recheck::Confirmed(format!("its path of {} steps replays", path.inputs.len())))
        }
        Said::Holds | Said::Unreachable | Said::Vacuous => {
            let evidence = p.evidence.as_ref().ok_or("the evidence is missing")?;
            let safe = p.live.then(|| {
                let part = cone(sys, std::slice::from_ref(goal));
                live::to_safety(&part.sys, part.goal())
            });
            let (sys, question) = match &safe {
                Some(safe) => (&safe.sys, &safe.sys.goals[0].question),
                None => (sys, &goal.question),
            };
            // Large decisions are hard to state as clauses; a second library reads them as they are.
            if let Evidence::Decisions { nodes, .. } = &evidence.evidence {
                match recheck_decisions(evidence, sys, question, MAX_NODES) {
                    Ok(()) if nodes.len() > MANY_DECISIONS => {
                        return Ok(Recheck::Confirmed("by a second library of decision diagrams".into()));
                    }
                    Ok(()) | Err(Refusal::TooLarge) => {}
                    Err(Refusal::Wrong(why)) => {
                        return Err(format!("a second library of decision diagrams says: {why}"));
                    }
                }
            }
            let count = evidence.check(sys, question)?;
            let how = format!("{count} refutations, each with an LRAT proof that checks");
            Ok(Recheck::Confirmed(how))
        }
        Said::HoldsUnchecked | Said::Bounded | Said::Unknown => Ok(Recheck::Nothing),
    }
}
