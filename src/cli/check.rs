//! `entail check`: do the assertions of a design hold?

use super::args::{Common, Sources};
use super::cdc::read_sdc;
use super::show::{self, Setting};
use super::{ExitCode, load, print_diagnostics};
use crate::cdc::Domains;
use crate::cdc::crossing::{Capture, End, Structure};
use crate::cdc::insert::{self, Inserted, Style};
use crate::engine::Control;
use crate::engine::batch::Batch;
use crate::engine::bdd::{Direction, Strategy};
use crate::engine::prove::{Answer, Choice, Settled};
use crate::interop::{aiger, btor2, smv};
use crate::model::ltl::{self, Nets};
use crate::model::reset::{self, Reset};
use crate::model::timing::{self, Timing};
use crate::model::{Clocks, Goal, Matrix, Modelled, System, model, replay};
use crate::net::{Gate, Lit, LowerOptions, Netlist};
use crate::report::result::{FORMAT, Property, ResultFile, model_text, plain};
use crate::source::{SourceMap, Span};
use crate::trace::Trace;
use clap::{ArgMatches, Args, ValueEnum};
use rustc_hash::{FxHashMap, FxHashSet};
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Which engine.
#[derive(Clone, Copy, ValueEnum, PartialEq, Eq, Debug, Default)]
pub enum EngineName {
    /// Several side by side; the first answer wins.
    #[default]
    Portfolio,
    /// Bounded: failures only.
    Bmc,
    /// Induction over k steps.
    Induction,
    /// IC3, or property-directed reachability.
    Ic3,
    /// Decision diagrams, see --strategy.
    Bdd,
    /// State by state, for small systems.
    Explicit,
}

/// In which order decision diagrams take the groups of a step.
#[derive(Clone, Copy, ValueEnum, PartialEq, Eq, Debug, Default)]
pub enum StrategyName {
    /// Layer by layer: shortest traces.
    #[default]
    Breadth,
    /// Each group from what the one before reached.
    Chaining,
    /// Each group until nothing new comes.
    Saturation,
}

/// Model-check the assertions of a design, or of an AIGER or BTOR2 file.
#[derive(Args, Debug)]
pub struct Check {
    #[command(flatten)]
    sources: Sources,
    /// Engine.
    #[arg(long, value_enum, default_value_t)]
    engine: EngineName,
    /// Strategy of decision diagrams.
    #[arg(long, value_enum, default_value_t)]
    strategy: StrategyName,
    /// Decision diagrams search from the bad states backwards.
    #[arg(long)]
    backward: bool,
    /// Print which clock event reads and writes which state, and stop.
    #[arg(long)]
    matrix: bool,
    /// Most nodes of a decision diagram.
    #[arg(long, value_name = "NODES", default_value_t = 1 << 23)]
    nodes: usize,
    /// Most memory of the whole process; without it, what the machine has.
    #[arg(long, value_name = "MIB")]
    memory: Option<u64>,
    /// Seconds for each property.
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0)]
    timeout: f64,
    /// Most steps of an unrolling.
    #[arg(long, value_name = "STEPS", default_value_t = 1_000_000)]
    depth: u32,
    /// Only properties whose name contains this.
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Write waveforms, pictures and testbenches of what fails or is covered into this folder.
    #[arg(long, value_name = "DIR")]
    trace: Option<PathBuf>,
    /// Write the model of the chosen assertions and covers instead of checking it: AIGER, or by the file's name
    /// BTOR2 (.btor2) or SMV (.smv).
    #[arg(long, value_name = "FILE")]
    write_model: Option<PathBuf>,
    /// Write the result, with models and evidence, for `entail replay`.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Reset inputs: `auto` finds them, `none` starts from the initial values alone,
    /// NAME[=LEVEL][:STEPS][:free] names one; `free` ones may come again at any time.
    #[arg(long, value_name = "RESET", default_value = "auto")]
    reset: Vec<String>,
    /// What is known about clocks: CLK>=STEPS, A=B, SLOW=FAST/N[+PHASE].
    #[arg(long, value_name = "TIMING")]
    clock: Vec<Timing>,
    /// A formula of linear temporal logic over net names, such as 'G (req -> F ack)'.
    #[arg(long, value_name = "FORMULA")]
    ltl: Vec<String>,
    /// A property of the library: NAME #(PARAM=VALUE) (PORT=NET, …).
    #[arg(long, value_name = "PROPERTY")]
    attach: Vec<String>,
    /// How signals between clocks behave: at once, with every gate late, with destabilizers, or with destabilizers
    /// that are refined where they matter.
    #[arg(long, value_enum, default_value_t)]
    crossings: Crossings,
    /// Constraint file (SDC) for --crossings.
    #[arg(long, value_name = "FILE")]
    sdc: Vec<PathBuf>,
    /// A condition over net names that holds in every step.
    #[arg(long, value_name = "CONDITION")]
    invariant: Vec<String>,
}

/// How signals between clocks behave.
#[derive(Clone, Copy, ValueEnum, Default, PartialEq, Eq, Debug)]
enum Crossings {
    /// They arrive at once.
    #[default]
    None,
    /// Every gate on the way is late.
    Delayed,
    /// They are unstable for as long as the way may take.
    Destabilize,
    /// Destabilizers first, refined to late gates where a failure needs them.
    Auto,
}

/// A goal with the system it is about.
struct Question {
    sys: Rc<System>,
    goal: Goal,
}

impl Check {
    /// Runs the subcommand.
    pub fn run(&self, m: &ArgMatches, common: &Common) -> ExitCode {
        if let [file] = self.sources.files.as_slice()
            && let Some((_, extension)) = file.rsplit_once('.')
        {
            match extension {
                "aig" | "aag" => return self.model_file(PathBuf::from(file), aiger::read, common),
                "btor2" | "btor" => return self.model_file(PathBuf::from(file), btor2::read, common),
                _ => {}
            }
        }
        let opts = LowerOptions { memory_limit_bits: u64::MAX };
        let (e, net) = match load::netlist_with(m, common, &opts, &self.attach) {
            Ok(x) => x,
            Err(code) => return code,
        };
        let place = e.sources.location(top_span(&net));
        let params = self.sources.param.iter().filter_map(|p| p.split_once('='));
        let files = e.sources.files().filter(|(_, f)| is_unit(&f.path));
        let setting = Setting {
            params: params.map(|(a, b)| (a.into(), b.into())).collect(),
            files: files.map(|(_, f)| f.path.display().to_string()).collect(),
            vhdl: place.is_some_and(|l| is_vhdl(l.path)),
            bench: self.crossings == Crossings::None,
        };
        if self.crossings != Crossings::None {
            return self.in_flight(&net, e.sources, &setting, common);
        }
        let Modelled { mut sys, gates } = match model(&net, Clocks::Ticks) {
            Ok(x) => x,
            Err(d) => {
                print_diagnostics(&[d], &e.sources, common);
                return ExitCode::Source;
            }
        };
        let mut nets = DesignNets { net: &net, gates: &gates };
        let design = Some((&net, &setting));
        self.check(&mut sys, &mut nets, &async_inputs(&net), &e.sources, design, common)
    }

    /// Checks on a model in which signals between clocks are unstable for a while. With `auto`, what fails is asked
    /// again with every gate late on the ways that the failure took, until it holds or the failure needs no
    /// destabilizer.
    fn in_flight(&self, net: &Netlist, mut sources: SourceMap, setting: &Setting, common: &Common) -> ExitCode {
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

    fn model_file(&self, path: PathBuf, read: fn(&[u8]) -> Result<System, String>, common: &Common) -> ExitCode {
        let read = std::fs::read(&path).map_err(|e| e.to_string()).and_then(|bytes| read(&bytes));
        match read {
            Ok(mut sys) => {
                sys.name = path.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned());
                let mut names = ModelNames::of(&sys);
                self.check(&mut sys, &mut names, &[], &SourceMap::new(), None, common)
            }
            Err(e) => {
                eprintln!("error: {}: {e}", path.display());
                ExitCode::Source
            }
        }
    }

    fn check(
        &self,
        sys: &mut System,
        nets: &mut dyn Nets,
        hints: &[(u32, u32, bool)],
        map: &SourceMap,
        design: Option<(&Netlist, &Setting)>,
        common: &Common,
    ) -> ExitCode {
        let (questions, notes) = match self.questions(sys, nets, hints, 0) {
            Ok(q) => q,
            Err(e) => {
                eprintln!("error: {e}");
                return ExitCode::Source;
            }
        };
        if !common.quiet {
            let (p, s, i) = (questions.len(), sys.states.len(), sys.inputs.len());
            println!("{}: {p} properties, {s} state bits, {i} inputs", sys.name);
            println!("a step is {}", sys.step);
            notes.iter().for_each(|n| println!("{n}"));
        }
        if self.matrix {
            let states: Vec<usize> = (0..sys.states.len()).collect();
            print!("{}", Matrix::new(sys).print(&states));
            return ExitCode::Ok;
        }
        if questions.is_empty() {
            eprintln!("error: there is nothing to check\n  help: write assertions, or ask with --invariant or --ltl");
            return ExitCode::Source;
        }
        if let Some(path) = &self.write_model {
            return self.write(sys, &questions, path);
        }
        let mut session = Session::new(sys.name.clone(), load::colour(common, &std::io::stdout()));
        session.notes(sys, &notes);
        let mut batch: Option<(Rc<System>, Batch)> = None;
        for q in &questions {
            let start = Instant::now();
            let s = self.answer(&mut batch, &questions, q);
            session.tell(self, q, s, start.elapsed().as_secs_f64(), map, design, common);
        }
        session.finish(self)
    }

    /// The answer to a question; questions about one system follow each other and share a batch.
    fn answer(&self, batch: &mut Option<(Rc<System>, Batch)>, questions: &[Question], q: &Question) -> Settled {
        let batch = match batch {
            Some((sys, batch)) if Rc::ptr_eq(sys, &q.sys) => batch,
            other => {
                let goals: Vec<&Goal> =
                    questions.iter().filter(|o| Rc::ptr_eq(&o.sys, &q.sys)).map(|o| &o.goal).collect();
                let new = self.limited("all", |ctl| Batch::new(&q.sys, &goals, self.choice(), ctl));
                &mut other.insert((q.sys.clone(), new)).1
            }
        };
        self.limited(&q.goal.symbol.name, |ctl| batch.settle(&q.sys, &q.goal, self.choice(), ctl))
    }

    /// The model with the goals that are asked of it; formulas have models of their own.
    fn write(&self, sys: &System, questions: &[Question], path: &Path) -> ExitCode {
        let mut chosen = sys.clone();
        chosen.goals =
            questions.iter().filter(|q| q.sys.goals.len() == sys.goals.len()).map(|q| q.goal.clone()).collect();
        let map = SourceMap::new();
        let bytes = match path.extension().and_then(|x| x.to_str()) {
            Some("aag") => model_text(&chosen).into_bytes(),
            Some("btor2" | "btor") => btor2::write_system(&chosen, &map).into_bytes(),
            Some("smv") => smv::write(&chosen, &map).into_bytes(),
            _ => aiger::write_system(&plain(&chosen), &map, aiger::AigerOptions { ascii: false }),
        };
        match std::fs::write(path, bytes) {
            Ok(()) => ExitCode::Ok,
            Err(e) => {
                eprintln!("error: cannot write {}: {e}", path.display());
                ExitCode::Source
            }
        }
    }

    /// Everything that is asked, and what is taken for granted, in words.
    fn questions(
        &self,
        sys: &mut System,
        nets: &mut dyn Nets,
        hints: &[(u32, u32, bool)],
        settle: u32,
    ) -> Result<(Vec<Question>, Vec<String>), String> {
        let mut notes = Vec::new();
        for t in &self.clock {
            timing::constrain(sys, t)?;
            notes.push(format!("clocks: {}", sys.constraints.last().map_or("", |c| c.0.name.as_str())));
        }
        let mut formulas = Vec::new();
        for text in &self.ltl {
            formulas.push((text.clone(), ltl::parse(text, sys, nets).map_err(|e| format!("--ltl '{text}': {e}"))?));
        }
        for text in &self.invariant {
            let all = format!("G ({text})");
            formulas
                .push((text.clone(), ltl::parse(&all, sys, nets).map_err(|e| format!("--invariant '{text}': {e}"))?));
        }
        let (resets, steps) = self.resets(sys, hints, settle)?;
        let open = sys.states.len() - reset::effect(sys, &resets).1;
        let mut from = Lit::TRUE;
        if !resets.is_empty() {
            let name = |r: &Reset| {
                let then = if r.again { "at any time" } else { "never again" };
                format!("{} = {} ({then})", sys.inputs[r.input].symbol.name, r.level as u8)
            };
            let list: Vec<String> = resets.iter().map(name).collect();
            let phase = if steps == 1 { "the first step".to_string() } else { format!("the first {steps} steps") };
            notes.push(format!("reset in {phase}: {}", list.join(", ")));
            from = reset::apply(sys, &resets, steps);
        }
        let systems: Vec<System> = formulas.iter().map(|(name, f)| ltl::attach(sys, name, f, from)).collect();
        if open > 0 {
            let when = if resets.is_empty() { "at the start" } else { "after the reset" };
            notes.push(format!("{open} of the state bits may have any value {when}"));
        }
        let wanted = |g: &Goal| self.only.is_empty() || self.only.iter().any(|n| g.symbol.name.contains(n.as_str()));
        let mut all = Vec::new();
        for s in std::iter::once(sys.clone()).chain(systems) {
            let s = Rc::new(s);
            all.extend(s.goals.iter().filter(|g| wanted(g)).map(|g| Question { sys: s.clone(), goal: g.clone() }));
        }
        Ok((all, notes))
    }

    /// The reset inputs and the steps they are given; if those are found, so many more for signals to settle.
    fn resets(&self, sys: &System, hints: &[(u32, u32, bool)], settle: u32) -> Result<(Vec<Reset>, u32), String> {
        let mut list = Vec::new();
        let mut steps = None;
        for word in &self.reset {
            match word.as_str() {
                "none" => {}
                // Initial values are a start of their own.
                "auto" if sys.free_states().next().is_none() => {}
                "auto" => list.extend(reset::find(sys, hints)),
                word => {
                    let (word, again) = word.strip_suffix(":free").map_or((word, false), |w| (w, true));
                    let (word, count) = word.split_once(':').map_or((word, None), |(w, c)| (w, Some(c)));
                    let (name, level) = word.split_once('=').map_or((word, None), |(n, l)| (n, Some(l)));
                    let input = sys.inputs.iter().position(|i| i.symbol.name == name);
                    let input = input.ok_or_else(|| format!("--reset {word}: `{name}` is no input bit"))?;
                    let level = match level {
                        Some("0") => false,
                        Some("1") => true,
                        Some(l) => return Err(format!("--reset {word}: the level is 0 or 1, not `{l}`")),
                        None => {
                            let gain = |level: bool| reset::effect(sys, &[Reset { input, level, again }]).1;
                            gain(true) >= gain(false)
                        }
                    };
                    list.push(Reset { input, level, again });
                    if let Some(c) = count {
                        let n: u32 = c.parse().map_err(|_| format!("--reset {word}: `{c}` is no number of steps"))?;
                        steps = Some(steps.unwrap_or(0).max(n.min(10_000)));
                    }
                }
            }
        }
        let steps = steps.unwrap_or_else(|| reset::effect(sys, &list).0.max(1) + settle);
        Ok((list, steps))
    }

    fn choice(&self) -> Choice {
        match self.engine {
            EngineName::Portfolio => Choice::Portfolio,
            EngineName::Bmc => Choice::Bmc,
            EngineName::Induction => Choice::Induction,
            EngineName::Ic3 => Choice::Ic3,
            EngineName::Explicit => Choice::Explicit,
            EngineName::Bdd => {
                let strategy = match self.strategy {
                    StrategyName::Breadth => Strategy::BreadthFirst,
                    StrategyName::Chaining => Strategy::Chaining,
                    StrategyName::Saturation => Strategy::Saturation,
                };
                Choice::Bdd(strategy, if self.backward { Direction::Backward } else { Direction::Forward })
            }
        }
    }

    /// Does work within the limits that the user gave, with a line of progress about `what`.
    fn limited<R>(&self, what: &str, work: impl FnOnce(&Control) -> R) -> R {
        let cancel = AtomicBool::new(false);
        let show = std::io::stderr().is_terminal();
        let progress = |engine: &'static str, depth: u32| {
            if show {
                eprint!("\r  {what}: {engine} at {depth}   \r");
                let _ = std::io::stderr().flush();
            }
        };
        work(&Control {
            deadline: Duration::try_from_secs_f64(self.timeout).ok().map(|d| Instant::now() + d),
            cancel: &cancel,
            nodes: self.nodes,
            memory: self.memory.map(|m| m << 20),
            depth: self.depth,
            progress: &progress,
        })
    }
}

/// What was said so far, for the terminal and for the result file.
struct Session {
    code: ExitCode,
    colour: bool,
    file: ResultFile,
    models: Vec<Rc<System>>,
}

impl Session {
    fn new(design: String, colour: bool) -> Session {
        let file =
            ResultFile { format: FORMAT.into(), design, notes: Vec::new(), models: Vec::new(), properties: Vec::new() };
        Session { code: ExitCode::Ok, colour, file, models: Vec::new() }
    }

    fn notes(&mut self, sys: &System, notes: &[String]) {
        for n in std::iter::once(format!("a step is {}", sys.step)).chain(notes.iter().cloned()) {
            if !self.file.notes.contains(&n) {
                self.file.notes.push(n);
            }
        }
    }

    /// Prints an answer, writes its files and keeps it for the result.
    #[allow(clippy::too_many_arguments)]
    fn tell(
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
        if let (Some(trace), Some((_, setting))) = (&trace, design) {
            if !common.quiet && s.answer == Answer::Fails {
                println!("{}", show::table(trace, map, self.colour));
            }
            if let Some(folder) = &check.trace {
                match show::files(trace, map, folder, &q.goal.symbol.name, setting) {
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
    fn finish(self, check: &Check) -> ExitCode {
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

/// Nets of a design, for formulas.
struct DesignNets<'n> {
    net: &'n Netlist,
    gates: &'n [Lit],
}

impl Nets for DesignNets<'_> {
    fn net(&mut self, name: &str) -> Option<Vec<Lit>> {
        let all = || self.net.nets.iter().chain(&self.net.inputs).chain(&self.net.outputs);
        let at = |l: &Lit| self.gates[l.gate().0 as usize].xor(l.complement());
        if let Some(n) = all().find(|n| n.name == name) {
            return Some(n.bits.iter().map(at).collect());
        }
        let (base, index) = name.strip_suffix(']')?.rsplit_once('[')?;
        let n = all().find(|n| n.name == base)?;
        let (left, right) = index.split_once(':').unwrap_or((index, index));
        let (left, right): (i64, i64) = (left.parse().ok()?, right.parse().ok()?);
        let (high, low) = n.range.unwrap_or((n.bits.len() as i64 - 1, 0));
        let place = |i: i64| usize::try_from(if high >= low { i - low } else { low - i }).ok();
        let (a, b) = (place(left)?, place(right)?);
        Some(n.bits.get(a.min(b)..=a.max(b))?.iter().map(at).collect())
    }
}

/// Bits and words of a model file, for formulas.
struct ModelNames(FxHashMap<String, Vec<Lit>>);

impl ModelNames {
    /// Bits `w[0]`, `w[1]`, … that stand in a row are the word `w` too, the first of them its lowest bit. Where
    /// names meet, inputs come before states and states before outputs.
    fn of(sys: &System) -> ModelNames {
        let mut names = ModelNames(FxHashMap::default());
        names.add(sys.inputs.iter().map(|i| (i.symbol.name.as_str(), i.lit)));
        names.add(sys.states.iter().map(|s| (s.symbol.name.as_str(), s.lit)));
        names.add(sys.outputs.iter().map(|(s, l)| (s.name.as_str(), *l)));
        names
    }

    fn add<'s>(&mut self, bits: impl Iterator<Item = (&'s str, Lit)>) {
        let mut rows: Vec<(&str, Vec<i64>, Vec<Lit>)> = Vec::new();
        for (name, lit) in bits {
            self.0.entry(name.to_string()).or_insert_with(|| vec![lit]);
            let Some((word, index)) = name.strip_suffix(']').and_then(|n| n.rsplit_once('[')) else { continue };
            let Ok(index) = index.parse() else { continue };
            match rows.last_mut() {
                Some((w, at, row)) if *w == word => {
                    at.push(index);
                    row.push(lit);
                }
                _ => rows.push((word, vec![index], vec![lit])),
            }
        }
        for (word, at, row) in rows {
            // Indices that jump are no word: parts are missing, or the file has an order of its own.
            let rises = |by: i64| at.windows(2).all(|p| p[1].checked_sub(p[0]) == Some(by));
            if row.len() > 1 && (rises(1) || rises(-1)) {
                self.0.entry(word.to_string()).or_insert(row);
            }
        }
    }
}

impl Nets for ModelNames {
    fn net(&mut self, name: &str) -> Option<Vec<Lit>> {
        self.0.get(name).cloned()
    }
}

/// A place in the top.
fn top_span(net: &Netlist) -> Span {
    net.inputs.iter().chain(&net.outputs).map(|n| n.span).next().unwrap_or(Span::NONE)
}

/// Whether a text that was read is a file to compile: no file list, no header, no text of the command line.
fn is_unit(path: &Path) -> bool {
    let known = |x: &str| ["f", "svh", "vh", "h", "inc"].iter().any(|h| x.eq_ignore_ascii_case(h));
    path.extension().is_some_and(|x| !x.to_str().is_some_and(known)) && path.is_file()
}

fn is_vhdl(path: &Path) -> bool {
    path.extension().is_some_and(|x| x.eq_ignore_ascii_case("vhd") || x.eq_ignore_ascii_case("vhdl"))
}

/// Input bits that are asynchronous controls, with the level at which they are active.
fn async_inputs(net: &Netlist) -> Vec<(u32, u32, bool)> {
    let mut list = Vec::new();
    for (l, _) in net.registers.iter().flat_map(|r| &r.asyncs) {
        if let Gate::Input(p, b) = net.gates[l.gate().0 as usize]
            && !list.contains(&(p, b, !l.complement()))
        {
            list.push((p, b, !l.complement()));
        }
    }
    list
}

fn exit_code(a: &Answer) -> ExitCode {
    match a {
        Answer::Holds | Answer::Unchecked | Answer::Covered => ExitCode::Ok,
        Answer::Fails | Answer::Vacuous | Answer::Unreachable => ExitCode::Unexpected,
        Answer::HoldsTo(_) | Answer::Unknown(_) => ExitCode::Unknown,
        Answer::Broken(_) => ExitCode::Internal,
    }
}
