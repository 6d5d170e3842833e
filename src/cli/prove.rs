//! `entail prove`: trajectory-evaluation proofs and their composition.

use super::args::Common;
use super::load::{cache_dir, colour};
use super::{ExitCode, mistake, print_diagnostics, record};
use crate::net::Lit;
use crate::project::file::few;
use crate::proof::file;
use crate::proof::kernel::{Engine, Kernel, Rule, Theorem};
use crate::proof::script::load::{Loaded, load};
use crate::report::record::Verdict as Said;
use crate::source::SourceMap;
use crate::ste::redundant::{Need, redundant};
use crate::ste::{self, Assertion, Circuit, Control, Limits, Terms};
use clap::{Args, ValueEnum};
use decide::{Decided, Verdict, decide};
use rustc_hash::FxHashMap;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

mod decide;
mod eval;
mod stored;
mod tell;

/// Prove a specification by symbolic trajectory evaluation.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  entail prove proofs/adder.yaml
  entail prove proofs/adder.yaml --only 'adds*' --trace out
  entail prove proofs/adder.yaml --eval 'a=3,b=5'
  entail prove proofs/mult16.yaml --json mult16.json && entail replay mult16.json
  entail prove proofs/adder.yaml --redundant 'u_tree.*'")]
pub struct Prove {
    /// The specification: design, symbolic vectors, assertions and proof steps.
    #[arg(value_name = "SPEC")]
    spec: PathBuf,
    /// Only assertions and theorems whose names fit (`*` for anything).
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Set a parameter of the design, whatever the specification says.
    #[arg(short = 'P', value_name = "NAME=VALUE")]
    param: Vec<String>,
    /// Evaluate the assertions for these values of vectors instead, and show expected and simulated values.
    #[arg(long, value_name = "A=3,B=5")]
    eval: Option<String>,
    /// Which of these nodes can be X with the assertions still holding.
    #[arg(long, value_name = "NODES")]
    redundant: Vec<String>,
    /// Engine for all assertions.
    #[arg(long, value_enum)]
    engine: Option<EngineArg>,
    /// Most nodes of decision diagrams, per assertion.
    #[arg(long, value_name = "N", default_value_t = 1 << 25)]
    nodes: usize,
    /// Most seconds per assertion.
    #[arg(long, value_name = "S")]
    timeout: Option<f64>,
    /// Assertions decided at the same time.
    #[arg(short, long, value_name = "N")]
    jobs: Option<usize>,
    /// Do not look at each proof a second time with other code: results say `unchecked`.
    #[arg(long)]
    no_recheck: bool,
    /// Write what was proved, for `entail replay`.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write counterexamples into this folder: waveforms, pictures and testbenches.
    #[arg(long, value_name = "DIR")]
    trace: Option<PathBuf>,
    /// Write each assertion as a combinational AIGER file whose output is 1 where it does not hold.
    #[arg(long, value_name = "DIR")]
    write_miters: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum, PartialEq, Eq, Debug)]
enum EngineArg {
    Bdd,
    Sat,
}

impl Prove {
    /// Runs the subcommand.
    pub fn run(&self, common: &Common) -> ExitCode {
        let mut map = SourceMap::new();
        let mut diags = Vec::new();
        let loaded = load(&self.spec, &self.param, cache_dir(common), &mut map, &mut diags);
        print_diagnostics(&diags, &map, common);
        record::add(|r| r.design = self.spec.display().to_string());
        record::sources(&map, loaded.as_ref().map_or(&[], |l| l.folders.as_slice()));
        let Some(mut l) = loaded else { return ExitCode::Source };
        if let Some(values) = &self.eval {
            return eval::run(&l, values, &self.only);
        }
        let chosen: Vec<usize> = (0..l.assertions.len()).filter(|i| self.wants(&l, *i)).collect();
        if chosen.is_empty() {
            let names: Vec<&str> = l.assertions.iter().map(|a| a.assertion.name.as_str()).collect();
            return mistake(format!(
                "no assertion fits --only {}\n  help: {}",
                self.only.join(" "),
                few("the assertions are", &names)
            ));
        }
        if !self.redundant.is_empty() {
            return self.tell_redundant(&l, &chosen, &map);
        }
        if let Some(folder) = &self.write_miters {
            return decide::write_miters(&l, &chosen, folder);
        }
        let options = format!(
            "{:?} {:?} {:?} {} {:?} {}",
            self.only, self.param, self.engine, self.nodes, self.timeout, self.no_recheck
        );
        let text = map.files().find(|(_, f)| f.path == self.spec).map(|(_, f)| f.text.clone());
        let asked = text.filter(|_| self.json.is_none()).and_then(|t| stored::Asked::new(&l, &t, &options));
        let cancel = AtomicBool::new(false);
        let wanted = stored::Wanted {
            l: &l,
            assertions: &chosen,
            theorems: self.theorems(&l),
            ctl: Control { limits: self.limits(&l, chosen[0]), cancel: &cancel },
        };
        if let Some(code) = asked.as_ref().and_then(|a| a.find(&wanted, colour(common, &std::io::stdout()))) {
            return code;
        }
        let began = Instant::now();
        let mut session = tell::Session::new(colour(common, &std::io::stdout()), self.trace.clone());
        let mut decided = self.decide_all(&l, &chosen, common, &map, &mut session);
        let code = session.code;
        let (mut code, kernel, goal) = self.prove_steps(&mut l, &mut decided, &map, common, code, began);
        let certificate = || {
            let files: Vec<(String, String)> =
                l.files.iter().map(|(p, h)| (p.display().to_string(), h.to_hex().to_string())).collect();
            let spec = self.spec.display().to_string();
            file::write(&kernel, &l.circuit, &super::fingerprint(), &spec, &self.param, &files, goal)
        };
        if let Some(a) = asked {
            a.keep(code, certificate);
        }
        if let Some(path) = &self.json {
            let text = serde_json::to_string(&certificate()).map_err(|e| e.to_string());
            if let Err(e) = text.and_then(|t| std::fs::write(path, t).map_err(|e| e.to_string())) {
                eprintln!("error: cannot write {}: {e}", path.display());
                code = code.worst(ExitCode::Source);
            }
        }
        code
    }

    /// Names of the theorems that are wanted.
    fn theorems<'l>(&self, l: &'l Loaded) -> Vec<&'l str> {
        let needed = self.needed(l);
        let names = l.steps.iter().map(|s| s.0.text.as_str());
        names.filter(|n| self.only.is_empty() || needed.iter().any(|x| x == n)).collect()
    }

    /// Whether an assertion is to be decided: by name, or since a wanted theorem rests on it.
    fn wants(&self, l: &Loaded, i: usize) -> bool {
        let name = &l.assertions[i].assertion.name;
        self.only.is_empty()
            || self.only.iter().any(|p| crate::cdc::sdc::fits(p, name))
            || self.needed(l).contains(name)
    }

    /// Names of everything that wanted theorems rest on.
    fn needed(&self, l: &Loaded) -> Vec<String> {
        let mut open: Vec<&str> = l
            .steps
            .iter()
            .map(|s| s.0.text.as_str())
            .filter(|n| self.only.iter().any(|p| crate::cdc::sdc::fits(p, n)))
            .collect();
        let mut all: Vec<String> = Vec::new();
        while let Some(n) = open.pop() {
            all.push(n.to_string());
            let Some((_, plan)) = l.steps.iter().find(|s| s.0.text == n) else { continue };
            for p in plan.of.iter().chain(&plan.using) {
                let names = l
                    .steps
                    .iter()
                    .map(|s| s.0.text.as_str())
                    .chain(l.assertions.iter().map(|a| a.assertion.name.as_str()));
                let new: Vec<&str> =
                    names.filter(|x| crate::cdc::sdc::fits(&p.text, x) && !all.iter().any(|a| a == x)).collect();
                open.extend(new);
            }
        }
        all
    }

    fn engine(&self, l: &Loaded, i: usize) -> Engine {
        match self.engine {
            Some(EngineArg::Sat) => Engine::Sat,
            Some(EngineArg::Bdd) => Engine::Bdd,
            None => l.assertions[i].engine.unwrap_or(Engine::Bdd),
        }
    }

    fn limits(&self, l: &Loaded, i: usize) -> Limits {
        Limits {
            nodes: self.nodes,
            time: self.timeout.map(Duration::from_secs_f64),
            weaken_above: l.assertions[i].weaken_above,
        }
    }

    fn decide_all(
        &self,
        l: &Loaded,
        chosen: &[usize],
        common: &Common,
        map: &SourceMap,
        session: &mut tell::Session,
    ) -> FxHashMap<usize, Decided> {
        let cancel = AtomicBool::new(false);
        let bar = tell::Bar::new(chosen.len(), common.quiet);
        // Answers are told in the order of the file, each as soon as those before it are known.
        let waiting: Mutex<(usize, FxHashMap<usize, Decided>)> = Mutex::new((0, FxHashMap::default()));
        let session = Mutex::new(session);
        let done = std::sync::atomic::AtomicUsize::new(0);
        let work = |i: usize| {
            let ctl = Control { limits: self.limits(l, i), cancel: &cancel };
            let d = decide(l, i, &ctl, self.engine(l, i), !self.no_recheck);
            let ready = done.fetch_add(1, Ordering::Relaxed) + 1;
            bar.show(ready);
            record::progress(&format!("{ready} of {} assertions", chosen.len()));
            let mut w = waiting.lock().unwrap_or_else(|e| e.into_inner());
            w.1.insert(i, d);
            let mut s = session.lock().unwrap_or_else(|e| e.into_inner());
            while let Some(next) = chosen.get(w.0)
                && let Some(d) = w.1.get(next)
            {
                bar.clear();
                s.tell(l, *next, d, map, common);
                w.0 += 1;
            }
        };
        // Threads of our own: one of a pool would take up other assertions while diagrams are made for its own.
        let next = std::sync::atomic::AtomicUsize::new(0);
        let panic: Mutex<Option<Box<dyn std::any::Any + Send>>> = Mutex::new(None);
        let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
        std::thread::scope(|scope| {
            for _ in 0..self.jobs.unwrap_or(cores).clamp(1, chosen.len().max(1)) {
                scope.spawn(|| {
                    while let Some(i) = chosen.get(next.fetch_add(1, Ordering::Relaxed)) {
                        // A panic goes on where it is understood: nobody may be reading what is printed.
                        if let Err(p) = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| work(*i))) {
                            next.store(chosen.len(), Ordering::Relaxed);
                            panic.lock().unwrap_or_else(|e| e.into_inner()).get_or_insert(p);
                        }
                    }
                });
            }
        });
        if let Some(p) = panic.into_inner().unwrap_or_else(|e| e.into_inner()) {
            std::panic::resume_unwind(p);
        }
        bar.clear();
        waiting.into_inner().unwrap_or_else(|e| e.into_inner()).1
    }

    /// Hands what holds to the kernel, and carries out the steps of the proof: what to leave with, what was proved, and
    /// the step that is the goal.
    fn prove_steps(
        &self,
        l: &mut Loaded,
        decided: &mut FxHashMap<usize, Decided>,
        map: &SourceMap,
        common: &Common,
        mut code: ExitCode,
        began: Instant,
    ) -> (ExitCode, Kernel, Option<usize>) {
        let terms = std::mem::replace(&mut l.terms, Terms::new(Vec::new()));
        let mut k = Kernel::new(terms);
        let mut known: FxHashMap<String, Theorem> = FxHashMap::default();
        for i in 0..l.assertions.len() {
            let Some(d) = decided.remove(&i) else { continue };
            if let (Verdict::Holds, Some(seen), Some(witness)) = (&d.verdict, d.seen, d.witness) {
                let name = l.assertions[i].assertion.name.clone();
                match k.run(&name, &l.circuit, seen, witness) {
                    Ok(t) => drop(known.insert(name, t)),
                    Err(e) => {
                        println!("broken       {name}: internal error: {e}");
                        code = code.worst(ExitCode::Internal);
                    }
                }
            }
        }
        let paint = colour(common, &std::io::stdout());
        let wanted = self.theorems(l);
        let mut goal = None;
        for (name, plan) in &l.steps {
            if !wanted.contains(&name.text.as_str()) {
                continue;
            }
            let place = tell::place(map, name.whole());
            let find = |list: &[crate::project::yaml::Text]| -> Result<Vec<Theorem>, String> {
                let mut all = Vec::new();
                for t in list {
                    let names = l
                        .assertions
                        .iter()
                        .map(|a| a.assertion.name.as_str())
                        .chain(l.steps.iter().map(|s| s.0.text.as_str()));
                    let fits: Vec<&str> = names.filter(|n| crate::cdc::sdc::fits(&t.text, n)).collect();
                    if fits.is_empty() {
                        return Err(format!("there is no theorem `{}`", t.text));
                    }
                    for n in fits {
                        all.push(known.get(n).cloned().ok_or_else(|| format!("`{n}` is not proved"))?);
                    }
                }
                Ok(all)
            };
            let began = Instant::now();
            let (of, using) = match (find(&plan.of), find(&plan.using)) {
                (Ok(of), Ok(using)) => (of, using),
                (Err(e), _) | (_, Err(e)) => {
                    println!("{} {}{place}  ({e})", tell::word("not proved", "33", paint), name.text);
                    tell::item(&name.text, map, name.whole(), Said::Unknown, e, "theorem", 0.0);
                    code = code.worst(ExitCode::Unknown);
                    continue;
                }
            };
            match plan.apply(&name.text, &mut k, &l.circuit, &l.words, &of, &using) {
                Ok(t) => {
                    let s = &k.steps()[t.step()];
                    let how = tell::rule(&s.rule);
                    let seconds = began.elapsed().as_secs_f64();
                    println!(
                        "{} {}{place}  ({how}, {} side conditions, {seconds:.2} s)",
                        tell::word("theorem", "32", paint),
                        name.text,
                        s.refutations
                    );
                    if l.spec.goal.as_ref().is_some_and(|g| g.text == name.text) {
                        goal = Some(t.step());
                    }
                    let (v, s) = (Said::Holds, began.elapsed().as_secs_f64());
                    tell::item(&name.text, map, name.whole(), v, how.to_string(), "theorem", s);
                    known.insert(name.text.clone(), t);
                }
                Err(e) => {
                    let (v, s) = (Said::Fails, began.elapsed().as_secs_f64());
                    let why = tell::refusal(&e, &k.terms, &l.circuit);
                    tell::item(&name.text, map, name.whole(), v, why, "theorem", s);
                    println!("{} {}{place}", tell::word("refused", "31", paint), name.text);
                    println!("  {}", tell::refusal(&e, &k.terms, &l.circuit));
                    code = code.worst(ExitCode::Unexpected);
                }
            }
        }
        if let Some(g) = &l.spec.goal {
            let asserted = known.get(&g.text);
            goal = goal.or(asserted.map(|t| t.step()));
            match goal {
                Some(step) => {
                    print!("{}", tell::tree(&k, step, paint));
                    record::add(|r| r.proof = Some(tell::nodes(&k, step)));
                }
                None if self.only.is_empty() => {
                    println!(
                        "{} goal {}{}",
                        tell::word("not proved", "31", paint),
                        g.text,
                        tell::place(map, g.whole())
                    );
                    code = code.worst(ExitCode::Unknown);
                }
                None => {}
            }
        }
        let unchecked = k.steps().iter().filter(|s| matches!(s.rule, Rule::Run { checked: None, .. })).count();
        if common.verbose {
            eprintln!(
                "{} steps, {unchecked} of them unchecked, {:.2} s in all",
                k.steps().len(),
                began.elapsed().as_secs_f64()
            );
        }
        (code, k, goal)
    }

    fn tell_redundant(&self, l: &Loaded, chosen: &[usize], map: &SourceMap) -> ExitCode {
        let mut gates: Vec<(u32, String)> = Vec::new();
        for pattern in &self.redundant {
            let before = gates.len();
            let found: Vec<(&str, &[ste::Place])> = l.nodes.matching(pattern);
            let single = crate::project::yaml::Text::at(pattern.as_str(), crate::source::Span::NONE);
            let places: Vec<ste::Place> = match found.is_empty() {
                true => {
                    l.nodes.find(&single).map(|f| f.choices.into_iter().flat_map(|c| c.1).collect()).unwrap_or_default()
                }
                false => found.iter().flat_map(|f| f.1.iter().copied()).collect(),
            };
            let names = l.circuit.net.names();
            for p in places {
                if let ste::Place::Node(x) = p
                    && x > 1
                    && !gates.iter().any(|g| g.0 == x >> 1)
                {
                    gates.push((x >> 1, names.or_number(Lit(x & !1)).trim_start_matches('!').to_string()));
                }
            }
            if gates.len() == before {
                return mistake(format!(
                    "no node fits `{pattern}`\n  help: names are hierarchical, with dots, below the top; `*` stands for anything"
                ));
            }
        }
        let cancel = AtomicBool::new(false);
        let list: Vec<Assertion> = chosen.iter().map(|i| l.assertions[*i].assertion.clone()).collect();
        let ctl = Control { limits: self.limits(l, chosen[0]), cancel: &cancel };
        let engine = self.engine(l, chosen[0]);
        for a in &list {
            if !matches!(engine.decide(&l.circuit, &l.terms, a, &ctl).answer, ste::Answer::Holds) {
                println!("`{}` does not hold as it is, so nothing can be said of nodes it does not need", a.name);
                return ExitCode::Unexpected;
            }
        }
        let ids: Vec<u32> = gates.iter().map(|g| g.0).collect();
        let decide = |c: &Circuit, t: &Terms, a: &Assertion, ctl: &Control| engine.decide(c, t, a, ctl);
        let needs = redundant(&l.circuit, &l.terms, &list, &ids, &ctl, &decide);
        let mut count = 0;
        for ((g, name), need) in gates.iter().zip(&needs) {
            let place = tell::place(map, l.circuit.net.spans[*g as usize]);
            match need {
                Need::Redundant => {
                    count += 1;
                    println!("redundant    {name}{place}");
                }
                Need::Alone => {
                    println!("alone        {name}{place}  (redundant by itself, not together with those above)")
                }
                Need::Needed => println!("needed       {name}{place}"),
            }
        }
        println!(
            "{count} of {} bits can be X all at once, at all times, and {} assertions still hold",
            gates.len(),
            list.len()
        );
        ExitCode::Ok
    }
}
