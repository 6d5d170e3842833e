//! `entail check --crossings`: models in which signals between clocks are unstable, and their refinement.

use super::args::Common;
use super::cdc::read_sdc;
use super::check::{Check, Crossings, async_inputs};
use super::nets::DesignNets;
use super::session::Session;
use super::show::Setting;
use super::{ExitCode, load, print_diagnostics};
use crate::cdc::Domains;
use crate::cdc::crossing::{Capture, End, Structure};
use crate::cdc::insert::{self, Inserted, Style};
use crate::engine::batch::Batch;
use crate::engine::prove::Answer;
use crate::model::{Clocks, Goal, Modelled, System, model, replay};
use crate::net::{Lit, Netlist};
use crate::source::SourceMap;
use rustc_hash::FxHashSet;
use std::rc::Rc;
use std::time::Instant;

impl Check {
    /// Checks on a model in which signals between clocks are unstable for a while. With `auto`, what fails is asked
    /// again with every gate late on the ways that the failure took, until it holds or the failure needs no
    /// destabilizer.
    pub(super) fn in_flight(
        &self,
        net: &Netlist,
        mut sources: SourceMap,
        setting: &Setting,
        common: &Common,
    ) -> ExitCode {
        let mut said = Vec::new();
        let sdc = match read_sdc(&self.sdc, &mut sources, &mut said) {
            Ok(s) => s,
            Err(code) => return code,
        };
        let stop = said.iter().any(|d| d.is_error());
        print_diagnostics(&said, &sources, common);
        if stop {
            return ExitCode::Source;
        }
        let domains = Domains::new(net, &sdc);
        // Whatever a check reads counts here, not only what leads to outputs.
        let structure = Structure::whole(net, &domains);
        let captures = structure.captures();
        // A reset lasts until what it changes has arrived everywhere.
        let settle = captures.iter().map(|c| c.length + 1).max().unwrap_or(0);
        let mut late: FxHashSet<End> = FxHashSet::default();
        let mut settled: FxHashSet<usize> = FxHashSet::default();
        let mut session = Session::new(net.name.to_string(), load::colour(common, &std::io::stdout()));
        for round in 1.. {
            let style = |c: &Capture| match self.crossings {
                Crossings::Delayed => Style::Delayed,
                Crossings::Destabilize => Style::Destabilized,
                _ if late.contains(&c.end) => Style::Delayed,
                _ => insert::cheaper(c),
            };
            let made = insert::insert(&structure, &captures, style);
            let Modelled { mut sys, gates } = match model(&made.net, Clocks::Ticks) {
                Ok(x) => x,
                Err(d) => {
                    print_diagnostics(&[d], &sources, common);
                    return ExitCode::Source;
                }
            };
            sys.step += "; what goes between clocks is unstable for a while after it changes";
            let mut nets = DesignNets { net: &made.net, gates: &gates };
            let (questions, notes) = match self.questions(&mut sys, &mut nets, &async_inputs(&made.net), settle) {
                Ok(q) => q,
                Err(e) => {
                    eprintln!("error: {e}");
                    return ExitCode::Source;
                }
            };
            if questions.is_empty() {
                eprintln!(
                    "error: there is nothing to check\n  help: write assertions, or ask with --invariant or --ltl"
                );
                return ExitCode::Source;
            }
            let unstable = made.places.iter().filter(|p| p.style == Style::Destabilized).count();
            if !common.quiet && round == 1 {
                let (p, s, i) = (questions.len(), sys.states.len(), sys.inputs.len());
                println!("{}: {p} properties, {s} state bits, {i} inputs", sys.name);
                println!("a step is {}", sys.step);
                notes.iter().for_each(|n| println!("{n}"));
            }
            if !common.quiet {
                let (all, n) = (made.places.len(), made.states);
                println!(
                    "round {round}: {all} captures, {} with every gate late, {unstable} with a destabilizer, {n} state bits more",
                    all - unstable
                );
            }
            if let Some(path) = &self.write_model {
                return self.write(&sys, &questions, path);
            }
            session.notes(&sys, &notes);
            let mut batch: Option<(Rc<System>, Batch)> = None;
            let mut again = false;
            for (k, q) in questions.iter().enumerate().filter(|(k, _)| !settled.contains(k)).collect::<Vec<_>>() {
                let start = Instant::now();
                let s = self.answer(&mut batch, &questions, q);
                // What a destabilizer has made different is not yet known to be real.
                let doubted: Vec<End> = match (&s.answer, &s.path, self.crossings) {
                    (Answer::Fails | Answer::Covered, Some(path), Crossings::Auto) => {
                        doubted(&q.sys, &q.goal, path, &made, &gates)
                    }
                    _ => Vec::new(),
                };
                if !doubted.is_empty() {
                    late.extend(doubted);
                    again = true;
                    continue;
                }
                settled.insert(k);
                session.tell(self, q, s, start.elapsed().as_secs_f64(), &sources, Some((&made.net, setting)), common);
            }
            if !again {
                break;
            }
        }
        session.finish(self)
    }
}

/// Captures with a destabilizer that made a difference on a path; if it cannot be told which, all of them.
fn doubted(sys: &System, goal: &Goal, path: &crate::model::Path, made: &Inserted, gates: &[Lit]) -> Vec<End> {
    let open = made.places.iter().filter(|p| p.style == Style::Destabilized);
    let open: Vec<&insert::Place> = open.collect();
    let Ok(run) = replay(sys, &goal.question, path) else { return Vec::new() };
    let at = |l: Lit| gates[l.gate().0 as usize].xor(l.complement());
    let differs =
        |p: &insert::Place| (0..path.inputs.len()).any(|k| run.value(k, at(p.seen)) != run.value(k, at(p.calm)));
    let some: Vec<End> = open.iter().filter(|p| differs(p)).map(|p| p.end).collect();
    if some.is_empty() && !open.is_empty() { open.iter().map(|p| p.end).collect() } else { some }
}
