//! Answers of one run of `entail check`: printed, written as traces, kept for the result file.

use super::ExitCode;
use super::args::Common;
use super::check::{Check, Question};
use super::show::{self, Setting};
use super::{mistake, record};
use crate::cache::asked::Origin;
use crate::engine::prove::{Answer, Settled};
use crate::model::System;
use crate::net::Netlist;
use crate::report::record::{Item, Verdict};
use crate::report::result::{FORMAT, Property, ResultFile, model_text};
use crate::source::SourceMap;
use crate::trace::{Trace, wave};
use std::rc::Rc;

/// What was said so far, for the terminal and for the result file.
pub struct Session {
    code: ExitCode,
    colour: bool,
    file: ResultFile,
    /// Models with their place in the file.
    models: Vec<(Rc<System>, usize)>,
}

impl Session {
    pub fn new(design: String, colour: bool) -> Session {
        let file =
            ResultFile { format: FORMAT.into(), design, notes: Vec::new(), models: Vec::new(), properties: Vec::new() };
        Session { code: ExitCode::Ok, colour, file, models: Vec::new() }
    }

    pub fn notes(&mut self, sys: &System, notes: &[String]) {
        let all: Vec<String> =
            std::iter::once(format!("a step is {}", sys.step)).chain(notes.iter().cloned()).collect();
        record::add(|r| r.notes.extend(all.iter().filter(|n| !r.notes.contains(n)).cloned().collect::<Vec<_>>()));
        for n in all {
            if !self.file.notes.contains(&n) {
                self.file.notes.push(n);
            }
        }
    }

    /// Prints an answer, writes its files and keeps it for the result.
    #[allow(clippy::too_many_arguments)]
    pub fn tell(
        &mut self,
        check: &Check,
        q: &Question,
        mut s: Settled,
        origin: Origin,
        seconds: f64,
        map: &SourceMap,
        design: Option<(&Netlist, &Setting)>,
        common: &Common,
    ) {
        let mut trace = None;
        if let (Some((net, _)), Some(path)) = (design, &s.path) {
            match Trace::new(net, &q.sys, &q.goal, path) {
                Ok(t) => trace = Some(t),
                // A loop closes where the goal looks; the simulator sees all of the design.
                Err(_) if path.back_to.is_some() => {}
                Err(e) => s.answer = Answer::Broken(format!("the simulator disagrees with the model: {e}")),
            }
        }
        self.code = self.code.worst(exit_code(&s.answer));
        println!("{}", show::line(&q.goal, &s, map, seconds, origin.cached.is_some(), self.colour));
        if record::is_on() {
            let item = Item {
                name: q.goal.symbol.name.clone(),
                place: record::place(map, q.goal.symbol.span),
                source: record::excerpt(map, q.goal.symbol.span),
                verdict: verdict(&s.answer),
                expect: None,
                detail: show::detail(&s),
                engine: s.engine.to_string(),
                seconds: origin.cached.unwrap_or(seconds),
                cached: origin.cached.is_some(),
                key: origin.key.clone(),
                wave: trace.as_ref().map(wave::wave),
                text: None,
            };
            record::add(|r| r.items.push(item));
        }
        if let (Some(trace), Some((net, setting))) = (&trace, design) {
            if !common.quiet && s.answer == Answer::Fails {
                println!("{}", show::table(trace, map, self.colour));
            }
            if let Some(folder) = &check.trace {
                match show::files(trace, map, folder, &q.goal.symbol.name, setting, net) {
                    Ok(list) => println!("  written: {}", list.join(" ")),
                    Err(e) => self.code = self.code.worst(mistake(e)),
                }
            }
        }
        let place = map.location(q.goal.symbol.span).map(|l| format!("{}:{}", l.path.display(), l.line));
        if check.json.is_some()
            && let Some(file) = origin.file
        {
            // With the part of the model that it is about.
            let base = self.file.models.len();
            self.file.models.extend(file.models);
            let own = |p: Property| Property { model: p.model + base, place: place.clone(), ..p };
            self.file.properties.extend(file.properties.into_iter().map(own));
        } else if check.json.is_some() {
            let model = self.models.iter().position(|m| Rc::ptr_eq(&m.0, &q.sys)).unwrap_or_else(|| {
                self.models.push((q.sys.clone(), self.file.models.len()));
                self.file.models.push(model_text(&q.sys));
                self.models.len() - 1
            });
            self.file.properties.push(Property::of(&q.sys, self.models[model].1, &q.goal, &s, place));
        }
    }

    /// Writes the result file.
    pub fn finish(self, check: &Check) -> ExitCode {
        if let Some(path) = &check.json {
            let text = serde_json::to_string(&self.file).map_err(|e| e.to_string());
            let written = text.and_then(|t| std::fs::write(path, t).map_err(|e| e.to_string()));
            if let Err(e) = written {
                return mistake(format!("cannot write {}: {e}", path.display()));
            }
        }
        self.code
    }
}

fn exit_code(a: &Answer) -> ExitCode {
    match a {
        Answer::Holds | Answer::Unchecked | Answer::Covered => ExitCode::Ok,
        Answer::Fails | Answer::Vacuous | Answer::Unreachable => ExitCode::Unexpected,
        Answer::HoldsTo(_) | Answer::Unknown(_) => ExitCode::Unknown,
        Answer::Broken(_) => ExitCode::Internal,
    }
}

fn verdict(a: &Answer) -> Verdict {
    match a {
        Answer::Holds => Verdict::Holds,
        Answer::Unchecked => Verdict::HoldsUnchecked,
        Answer::Vacuous => Verdict::Vacuous,
        Answer::HoldsTo(_) => Verdict::Bounded,
        Answer::Fails => Verdict::Fails,
        Answer::Covered => Verdict::Covered,
        Answer::Unreachable => Verdict::Unreachable,
        Answer::Unknown(_) => Verdict::Unknown,
        Answer::Broken(_) => Verdict::Broken,
    }
}
