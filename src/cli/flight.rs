//! `entail check --crossings`: models in which signals between clocks are unstable, and their refinement.

use super::args::Common;
use super::cdc::read_sdc;
use super::check::{Check, Crossings, Inputs, async_inputs, size};
use super::nets::DesignNets;
use super::session::Session;
use super::show::Setting;
use super::{ExitCode, load, mistake, print_diagnostics};
use crate::cdc::crossing::{Capture, Structure};
use crate::cdc::insert::{self, Style};
use crate::cdc::refine::Refinement;
use crate::cdc::{Demands, Domains, findings};
use crate::engine::batch::Batch;
use crate::engine::prove::Answer;
use crate::interop::verilog;
use crate::model::{Clocks, Modelled, Role, System, model};
use crate::net::{Gate, GateId, Netlist};
use crate::report::words::count;
use crate::source::SourceMap;
use rustc_hash::FxHashSet;
use std::path::Path;
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
        said.extend(sdc.lost(net));
        let stop = said.iter().any(|d| d.is_error());
        print_diagnostics(&said, &sources, common);
        if stop {
            return ExitCode::Source;
        }
        let mut domains = Domains::new(net, &sdc);
        if self.inputs == Some(Inputs::Free) {
            domains.free_inputs(net);
        }
        // Whatever a check reads counts here, not only what leads to outputs.
        let structure = Structure::whole(net, &domains);
        let captures = structure.captures();
        let mut found = findings::find(&Structure::new(net, &domains), &Demands::default());
        if self.no_obligations {
            found.schemes.clear();
        }
        // A reset lasts until what it changes has arrived everywhere.
        let settle = captures.iter().map(|c| c.length + 1).max().unwrap_or(0);
        let mut refinement = Refinement::default();
        let mut failed = false;
        let mut open = false;
        let mut ticking: Vec<String> = Vec::new();
        let mut settled: FxHashSet<usize> = FxHashSet::default();
        let mut session = Session::new(net.name.to_string(), load::colour(common, &std::io::stdout()));
        for round in 1.. {
            let style = |c: &Capture| match self.crossings {
                Crossings::Delayed => Style::Delayed,
                Crossings::Destabilize => Style::Destabilized,
                _ => refinement.style(c),
            };
            let made = insert::insert(&structure, &captures, style, self.metastable.unwrap_or(1), &found.schemes);
            let Modelled { mut sys, gates } = match model(&made.net, Clocks::Ticks) {
                Ok(x) => x,
                Err(d) => {
                    print_diagnostics(&[d], &sources, common);
                    return ExitCode::Source;
                }
            };
            let ticks = sys.inputs.iter().filter(|i| matches!(i.role, Role::Tick { .. }));
            ticking = ticks.map(|i| i.symbol.name.clone()).collect();
            sys.step += "; what goes between clocks is unstable for a while after it changes";
            let mut nets = DesignNets { net: &made.net, gates: &gates };
            let (questions, notes) = match self.questions(&mut sys, &mut nets, &async_inputs(&made.net), settle) {
                Ok(q) => q,
                Err(e) => {
                    return mistake(e);
                }
            };
            let notes: Vec<String> = self.in_flight_notes(&domains, net).into_iter().chain(notes).collect();
            if questions.is_empty() {
                return mistake(self.nothing(&sys));
            }
            let unstable = made.places.iter().filter(|p| p.style == Style::Destabilized).count();
            if !common.quiet && round == 1 {
                println!("{}", size(&sys, &questions));
                println!("a step is {}", sys.step);
                notes.iter().for_each(|n| println!("{n}"));
            }
            if !common.quiet {
                let late = made.places.len() - unstable;
                println!(
                    "round {round}: {}, {late} with every gate late, {unstable} with a destabilizer, {} more",
                    count(made.places.len() as u64, "capture", "captures"),
                    count(made.states as u64, "state bit", "state bits")
                );
            }
            if let Some(path) = &self.write_model {
                if self.crossings == Crossings::Auto && !common.quiet {
                    println!("this is the model of the first round; failures may have to be refined");
                }
                if path.extension().is_some_and(|x| x == "v" || x == "sv") {
                    return self.write_netlist(&made.net, &sources, path);
                }
                return self.write(&sys, &questions, path);
            }
            session.notes(&sys, &notes);
            let mut batch: Option<(Rc<System>, Batch)> = None;
            let mut again = false;
            for (k, q) in questions.iter().enumerate().filter(|(k, _)| !settled.contains(k)).collect::<Vec<_>>() {
                let start = Instant::now();
                let (s, origin) = self.answer(&mut batch, &questions, q);
                if let (Answer::Fails | Answer::Covered, Some(path), Crossings::Auto) =
                    (&s.answer, &s.path, self.crossings)
                    && refinement.doubt(&made, &gates, &q.sys, &q.goal, path)
                {
                    again = true;
                    continue;
                }
                failed |= s.answer == Answer::Fails;
                open |= matches!(s.answer, Answer::Unknown(_) | Answer::HoldsTo(_));
                settled.insert(k);
                let seconds = start.elapsed().as_secs_f64();
                session.tell(self, q, s, origin, seconds, &sources, Some((&made.net, setting)), common);
            }
            if !again {
                break;
            }
        }
        if failed && self.clock.is_empty() && !common.quiet {
            let slow: Vec<String> = clocks(&domains, net)
                .filter(|c| ticking.iter().any(|t| t == c))
                .map(|c| format!("--clock '{c}>={}'", settle.max(2)))
                .collect();
            if !slow.is_empty() {
                println!(
                    "help: every clock may tick in every step, and a gate may take a whole step; if edges are further apart, say so: {}",
                    slow.join(" ")
                );
            }
        }
        if open && self.crossings == Crossings::Delayed && !common.quiet {
            println!("help: --crossings auto begins with destabilizers, which allow more and are often easier");
        }
        session.finish(self)
    }

    /// Writes a rewritten netlist as Verilog.
    fn write_netlist(&self, net: &Netlist, sources: &SourceMap, path: &Path) -> ExitCode {
        match std::fs::write(path, verilog::write(net, sources)) {
            Ok(()) => ExitCode::Ok,
            Err(e) => mistake(format!("cannot write {}: {e}", path.display())),
        }
    }

    /// What is taken for granted about signals in flight, in words.
    fn in_flight_notes(&self, domains: &Domains, net: &Netlist) -> Vec<String> {
        let gates = "a gate between clocks takes at most one step to settle".to_string();
        let undecided = match self.metastable.unwrap_or(1) {
            0 => "a register that captured an unstable signal is decided at once (--metastable 0)".to_string(),
            1 => "a register that captured an unstable signal is undecided until its next edge (--metastable 1)".into(),
            n => format!("what captured an unstable signal is undecided through {n} registers (--metastable {n})"),
        };
        let inputs = match self.inputs.unwrap_or(Inputs::Clocked) {
            Inputs::Clocked => {
                "inputs change right after edges of the clock that uses them, unless declared otherwise (--inputs clocked)"
            }
            Inputs::Free => "inputs may change at any time (--inputs free)",
        };
        let mut all = vec![gates, undecided, inputs.to_string()];
        if domains.has_shared_resets(net) {
            all.push("synchronous reset inputs that several clocks read are taken as stable for each of them".into());
        }
        if domains.tree.iter().any(|t| t.gated) {
            all.push(
                "gated and multiplexed clocks are taken as free of glitches; rules C020 and C021 look at them".into(),
            );
        }
        if domains.latch.iter().any(Option::is_none) {
            all.push("a latch that closes on an unstable signal shows all its readers the same".into());
        }
        all
    }
}

/// Names of the clocks.
fn clocks<'d>(d: &'d Domains, net: &'d Netlist) -> impl Iterator<Item = &'d str> {
    let is_input = |g: &GateId| matches!(net.gates[g.0 as usize], Gate::Input(..));
    d.list.iter().skip(1).filter(move |d| matches!(d.roots.as_slice(), [one] if is_input(one))).map(|d| d.name.as_str())
}
