//! Answers of one run of `entail check`: printed, written as traces, kept for the result file.

use super::ExitCode;
use super::args::Common;
use super::check::{Check, Question};
use super::show::{self, Setting};
use crate::engine::prove::{Answer, Settled};
use crate::model::System;
use crate::net::Netlist;
use crate::report::result::{FORMAT, Property, ResultFile, model_text};
use crate::source::SourceMap;
use crate::trace::Trace;
use std::rc::Rc;

/// What was said so far, for the terminal and for the result file.
pub struct Session {
    code: ExitCode,
    colour: bool,
    file: ResultFile,
    models: Vec<Rc<System>>,
}

impl Session {
    pub fn new(design: String, colour: bool) -> Session {
        let file =
            ResultFile { format: FORMAT.into(), design, notes: Vec::new(), models: Vec::new(), properties: Vec::new() };
        Session { code: ExitCode::Ok, colour, file, models: Vec::new() }
    }

    pub fn notes(&mut self, sys: &System, notes: &[String]) {
        for n in std::iter::once(format!("a step is {}", sys.step)).chain(notes.iter().cloned()) {
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
        println!("{}", show::line(&q.goal, &s, map, seconds, self.colour));
        if let (Some(trace), Some((net, setting))) = (&trace, design) {
            if !common.quiet && s.answer == Answer::Fails {
                println!("{}", show::table(trace, map, self.colour));
            }
            if let Some(folder) = &check.trace {
                match show::files(trace, map, folder, &q.goal.symbol.name, setting, net) {
                    Ok(list) => println!("  written: {}", list.join(" ")),
                    Err(e) => {
                        eprintln!("error: {e}");
                        self.code = self.code.worst(ExitCode::Source);
                    }
                }
            }
        }
        if check.json.is_some() {
            let model = self.models.iter().position(|m| Rc::ptr_eq(m, &q.sys)).unwrap_or_else(|| {
                self.models.push(q.sys.clone());
                self.file.models.push(model_text(&q.sys));
                self.models.len() - 1
            });
            let place = map.location(q.goal.symbol.span).map(|l| format!("{}:{}", l.path.display(), l.line));
            self.file.properties.push(Property::of(&q.sys, model, &q.goal, &s, place));
        }
    }

    /// Writes the result file.
    pub fn finish(self, check: &Check) -> ExitCode {
        if let Some(path) = &check.json {
            let text = serde_json::to_string(&self.file).map_err(|e| e.to_string());
            let written = text.and_then(|t| std::fs::write(path, t).map_err(|e| e.to_string()));
            if let Err(e) = written {
                eprintln!("error: cannot write {}: {e}", path.display());
                return ExitCode::Source;
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
