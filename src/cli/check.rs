//! `entail check`: do the assertions of a design hold?

use super::args::{Common, Sources};
use super::nets::{DesignNets, ModelNames};
use super::session::Session;
use super::show::Setting;
use super::{ExitCode, load, mistake, print_diagnostics, record};
use crate::cache::asked::{Asked, Origin};
use crate::engine::batch::Batch;
use crate::engine::bdd::{Direction, Strategy};
use crate::engine::prove::{Answer, Choice, Settled};
use crate::engine::{Control, Stats};
use crate::interop::{aiger, btor2, smv};
use crate::model::ltl::{self, Nets};
use crate::model::reset::{self, Reset};
use crate::model::timing::{self, Timing};
use crate::model::{Clocks, Goal, Matrix, Modelled, Symbol, System, model};
use crate::net::{Gate, Lit, LowerOptions, Netlist};
use crate::project::file::few;
use crate::report::result::{model_text, plain};
use crate::report::words::count;
use crate::source::{SourceMap, Span};
use clap::{ArgMatches, Args, ValueEnum};
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
#[command(after_help = "Examples:
  entail check designs/flow/rtl/gray_counter.sv
  entail check designs/flow/rtl/gray_counter.sv -P BUG=1 --trace out       failures as waveforms
  entail check -f designs/arbiter/arbiter.f --json result.json             for `entail replay`
  entail check designs/flow/rtl/*.sv --top event_count --crossings auto    with signals in flight")]
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
    pub(super) trace: Option<PathBuf>,
    /// Write the model of the chosen assertions and covers instead of checking it: AIGER, or by the file's name
    /// BTOR2 (.btor2) or SMV (.smv), with --crossings also the rewritten design as Verilog (.v).
    #[arg(long, value_name = "FILE")]
    pub(super) write_model: Option<PathBuf>,
    /// Write the result, with models and evidence, for `entail replay`.
    #[arg(long, value_name = "FILE")]
    pub(super) json: Option<PathBuf>,
    /// Reset inputs: `auto` finds them, `none` starts from the initial values alone,
    /// NAME[=LEVEL][:STEPS][:free] names one; `free` ones may come again at any time.
    #[arg(long, value_name = "RESET", default_value = "auto")]
    reset: Vec<String>,
    /// What is known about clocks: CLK>=STEPS, CLK<=STEPS, A=B, SLOW=FAST/N[+PHASE].
    #[arg(long, value_name = "TIMING")]
    pub(super) clock: Vec<Timing>,
    /// A formula of linear temporal logic over net names, such as 'G (req -> F ack)'.
    #[arg(long, value_name = "FORMULA")]
    ltl: Vec<String>,
    /// A property of the library: NAME #(PARAM=VALUE) (PORT=NET, …).
    #[arg(long, value_name = "PROPERTY")]
    attach: Vec<String>,
    /// How signals between clocks behave: at once, with every gate late, with destabilizers, or with destabilizers
    /// that are refined where they matter.
    #[arg(long, value_enum, default_value_t)]
    pub(super) crossings: Crossings,
    /// Constraint file (SDC) for --crossings.
    #[arg(long, value_name = "FILE")]
    pub(super) sdc: Vec<PathBuf>,
    /// For --crossings: through how many registers of a clock a value that was captured while unstable may stay
    /// undecided [default: 1].
    #[arg(long, value_name = "REGISTERS")]
    pub(super) metastable: Option<u32>,
    /// For --crossings: whether inputs keep still around the edges of their clock [default: clocked].
    #[arg(long, value_enum)]
    pub(super) inputs: Option<Inputs>,
    /// For --crossings: ask only what the design asserts, not what its crossings need to be safe.
    #[arg(long)]
    pub(super) no_obligations: bool,
    /// A condition over net names that holds in every step.
    #[arg(long, value_name = "CONDITION")]
    invariant: Vec<String>,
    /// A condition over net names that is taken for granted in every step after the reset, such as
    /// 'wr_rst_n == rd_rst_n'.
    #[arg(long, value_name = "CONDITION")]
    assume: Vec<String>,
}

/// How signals between clocks behave.
#[derive(Clone, Copy, ValueEnum, Default, PartialEq, Eq, Debug)]
pub enum Crossings {
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

/// Whether inputs keep still around the edges of their clock.
#[derive(Clone, Copy, ValueEnum, PartialEq, Eq, Debug)]
pub enum Inputs {
    /// Each belongs to the clock that uses it and is stable around its edges.
    Clocked,
    /// Each may change at any time.
    Free,
}

/// A goal with the system it is about.
pub struct Question {
    pub sys: Rc<System>,
    pub goal: Goal,
}

impl Check {
    /// Runs the subcommand.
    pub fn run(&self, m: &ArgMatches, common: &Common) -> ExitCode {
        if self.crossings == Crossings::None && !self.sdc.is_empty() {
            return mistake(
                "constraints have no effect without --crossings\n  help: add --crossings auto, or leave --sdc out",
            );
        }
        let of_models = [
            (self.metastable.is_some(), "--metastable"),
            (self.inputs.is_some(), "--inputs"),
            (self.no_obligations, "--no-obligations"),
        ];
        if let (Crossings::None, Some((_, name))) = (self.crossings, of_models.iter().find(|o| o.0)) {
            return mistake(format!(
                "{name} has no effect without --crossings\n  help: add --crossings auto, or leave it out"
            ));
        }
        if self.crossings != Crossings::None && self.matrix {
            return mistake("--matrix is about the design as it stands\n  help: leave --crossings out");
        }
        if let [file] = self.sources.files.as_slice()
            && let Some((_, extension)) = file.rsplit_once('.')
        {
            if self.crossings != Crossings::None && ["aig", "aag", "btor2", "btor"].contains(&extension) {
                return mistake(
                    "a model file has no clocks to cross between\n  help: give the sources of the design, or leave --crossings out",
                );
            }
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

    fn model_file(&self, path: PathBuf, read: fn(&[u8]) -> Result<System, String>, common: &Common) -> ExitCode {
        let read = std::fs::read(&path).map_err(|e| e.to_string()).and_then(|bytes| read(&bytes));
        match read {
            Ok(mut sys) => {
                sys.name = path.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned());
                let mut names = ModelNames::of(&sys);
                self.check(&mut sys, &mut names, &[], &SourceMap::new(), None, common)
            }
            Err(e) => mistake(format!("{}: {e}", path.display())),
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
                return mistake(e);
            }
        };
        if !common.quiet {
            println!("{}", size(sys, &questions));
            println!("a step is {}", sys.step);
            notes.iter().for_each(|n| println!("{n}"));
        }
        if self.matrix {
            let states: Vec<usize> = (0..sys.states.len()).collect();
            print!("{}", Matrix::new(sys).print(&states));
            return ExitCode::Ok;
        }
        if questions.is_empty() {
            return mistake(self.nothing(sys));
        }
        if let Some(path) = &self.write_model {
            return self.write(sys, &questions, path);
        }
        let mut session = Session::new(sys.name.clone(), load::colour(common, &std::io::stdout()));
        session.notes(sys, &notes);
        let mut batch: Option<(Rc<System>, Batch)> = None;
        for q in &questions {
            let start = Instant::now();
            let (s, origin) = self.answer(&mut batch, &questions, q);
            session.tell(self, q, s, origin, start.elapsed().as_secs_f64(), map, design, common);
        }
        session.finish(self)
    }

    /// The answer to a question, from the store if it is there; questions about one system follow each other and
    /// share a batch.
    pub(super) fn answer(
        &self,
        batch: &mut Option<(Rc<System>, Batch)>,
        questions: &[Question],
        q: &Question,
    ) -> (Settled, Origin) {
        let asked = record::store().map(|s| Asked::new(s, &super::fingerprint(), &q.sys, &q.goal, &self.options()));
        match asked.as_ref().map(|a| a.find(&q.sys, &q.goal, record::trust())) {
            Some(Ok(Some(found))) => return found,
            Some(Err(why)) => {
                let (answer, engine) = (Answer::Broken(why), "store");
                let settled = Settled { answer, engine, path: None, certificate: None, stats: Stats::default() };
                return (settled, Origin::default());
            }
            Some(Ok(None)) | None => {}
        }
        let began = Instant::now();
        let batch = match batch {
            Some((sys, batch)) if Rc::ptr_eq(sys, &q.sys) => batch,
            other => {
                let goals: Vec<&Goal> =
                    questions.iter().filter(|o| Rc::ptr_eq(&o.sys, &q.sys)).map(|o| &o.goal).collect();
                let mut new = self.limited("all", |ctl| Batch::new(&q.sys, &goals, self.choice(), ctl));
                if asked.is_some() {
                    new.stay_inside();
                }
                &mut other.insert((q.sys.clone(), new)).1
            }
        };
        let settled = self.limited(&q.goal.symbol.name, |ctl| batch.settle(&q.sys, &q.goal, self.choice(), ctl));
        let seconds = began.elapsed().as_secs_f64();
        if let Some(Err(e)) = asked.as_ref().map(|a| a.keep(&q.sys, &q.goal, &settled, seconds, record::now())) {
            eprintln!("warning: {e}");
        }
        (settled, Origin { key: asked.map(|a| a.key()), ..Origin::default() })
    }

    /// The options that an answer depends on and the model does not show.
    fn options(&self) -> String {
        format!("{:?} {} {} {:?} {}", self.choice(), self.timeout, self.nodes, self.memory, self.depth)
    }

    /// The model with the goals that are asked of it; formulas have models of their own.
    pub(super) fn write(&self, sys: &System, questions: &[Question], path: &Path) -> ExitCode {
        let mut chosen = sys.clone();
        chosen.goals =
            questions.iter().filter(|q| q.sys.goals.len() == sys.goals.len()).map(|q| q.goal.clone()).collect();
        let map = SourceMap::new();
        let bytes = match path.extension().and_then(|x| x.to_str()) {
            Some("aag") => model_text(&chosen).into_bytes(),
            Some("btor2" | "btor") => btor2::write_system(&chosen, &map).into_bytes(),
            Some("smv") => smv::write(&chosen, &map).into_bytes(),
            Some("v" | "sv") => {
                return mistake(
                    "only --crossings rewrites the design as Verilog\n  help: `entail export --to verilog` writes it as it is",
                );
            }
            _ => aiger::write_system(&plain(&chosen), &map, aiger::AigerOptions { ascii: false }),
        };
        match std::fs::write(path, bytes) {
            Ok(()) => ExitCode::Ok,
            Err(e) => mistake(format!("cannot write {}: {e}", path.display())),
        }
    }

    /// Everything that is asked, and what is taken for granted, in words.
    pub(super) fn questions(
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
        for text in &self.assume {
            let f = ltl::parse(text, sys, nets).map_err(|e| format!("--assume '{text}': {e}"))?;
            let c = ltl::present(&f, sys)
                .ok_or_else(|| format!("--assume '{text}': an assumption is about one step, without G, F, X or U"))?;
            sys.constraints.push((Symbol::new(format!("assumed: {text}")), c));
            notes.push(format!("assumed: {text}"));
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
        let (resets, steps, rest) = self.resets(sys, hints, settle)?;
        if resets.is_empty() && self.reset.iter().any(|w| w == "auto") {
            let free: Vec<&str> =
                reset::find(sys, hints).iter().map(|r| sys.inputs[r.input].symbol.name.as_str()).collect();
            if !free.is_empty() {
                let list = free.join(", ");
                notes.push(format!(
                    "the design begins with its initial values; {list} may come at any time (see --reset)"
                ));
            }
        }
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
            from = reset::apply(sys, &resets, steps - rest, rest);
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

    /// What to say if nothing is asked.
    pub(super) fn nothing(&self, sys: &System) -> String {
        let names: Vec<&str> = sys.goals.iter().map(|g| g.symbol.name.as_str()).collect();
        if self.only.is_empty() || names.is_empty() {
            return "there is nothing to check\n  help: write assertions, or ask with --invariant or --ltl".into();
        }
        let only: Vec<String> = self.only.iter().map(|n| format!("`{n}`")).collect();
        format!("no property has {} in its name\n  help: {}", only.join(" or "), few("the properties are", &names))
    }

    /// The reset inputs, the steps they are given, and how many of those are for signals to settle.
    fn resets(&self, sys: &System, hints: &[(u32, u32, bool)], settle: u32) -> Result<(Vec<Reset>, u32, u32), String> {
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
        let steps = steps.unwrap_or_else(|| reset::effect(sys, &list).0.max(1));
        // With signals in flight, these arrive and clocks drift apart before the reset ends.
        let period = |t: &Timing| if let Timing::MinPeriod { steps, .. } = t { *steps } else { 0 };
        let rest = if settle == 0 { 0 } else { settle.max(self.clock.iter().map(period).max().unwrap_or(0)) };
        Ok((list, steps + rest, rest))
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
            record::progress(&format!("{what}: {engine} at {depth}"));
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

/// How much there is to check.
pub(super) fn size(sys: &System, questions: &[Question]) -> String {
    let [p, s, i] = [questions.len(), sys.states.len(), sys.inputs.len()].map(|n| n as u64);
    let (p, s) = (count(p, "property", "properties"), count(s, "state bit", "state bits"));
    format!("{}: {p}, {s}, {}", sys.name, count(i, "input", "inputs"))
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
pub(super) fn async_inputs(net: &Netlist) -> Vec<(u32, u32, bool)> {
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
