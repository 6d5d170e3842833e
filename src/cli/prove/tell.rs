//! Answers of `entail prove` for people.

use super::super::ExitCode;
use super::super::args::Common;
use super::super::mistake;
use super::super::record as cli_record;
use super::super::show::{self, Setting};
use super::decide::{Decided, Verdict};
use crate::model::Symbol;
use crate::net::Lit;
use crate::proof::kernel::{Kernel, Refused, Rule};
use crate::proof::script::load::{Loaded, Ready};
use crate::report::record;
use crate::source::{SourceMap, Span};
use crate::ste::check::plain;
use crate::ste::explain::{Cause, Chain};
use crate::ste::realise::Run;
use crate::ste::set::Set;
use crate::ste::terms::{Leaf, Place};
use crate::ste::{Circuit, Clocking, Terms};
use crate::trace::{Phases, Trace, wave};
use crate::word::Bits;
use std::fmt::Write;
use std::io::{IsTerminal, Write as _};
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Instant;

/// A word of fixed width, in colour.
pub fn word(text: &str, paint: &str, colour: bool) -> String {
    if colour { format!("\x1b[{paint}m{text:<12}\x1b[0m") } else { format!("{text:<12}") }
}

/// ` file:line`, or nothing.
pub fn place(map: &SourceMap, span: Span) -> String {
    map.location(span).map_or(String::new(), |l| format!(" {}:{}", l.path.display(), l.line))
}

/// Adds an item to the record.
#[allow(clippy::too_many_arguments)]
pub fn item(
    name: &str,
    map: &SourceMap,
    span: Span,
    verdict: record::Verdict,
    detail: String,
    engine: &str,
    seconds: f64,
) {
    let item = record::Item {
        name: name.into(),
        place: cli_record::place(map, span),
        source: cli_record::excerpt(map, span),
        verdict,
        expect: None,
        detail,
        engine: engine.into(),
        seconds,
        cached: false,
        key: None,
        wave: None,
        text: None,
    };
    cli_record::add(|r| r.items.push(item));
}

/// A proof from a step down, for reports.
pub fn nodes(k: &Kernel, step: usize) -> record::ProofNode {
    fn node(k: &Kernel, step: usize, seen: &mut rustc_hash::FxHashSet<usize>) -> record::ProofNode {
        let s = &k.steps()[step];
        let first = seen.insert(step);
        let how = if first { how(&s.rule) } else { "as above".into() };
        let of = if first { rests_on(&s.rule) } else { Vec::new() };
        record::ProofNode {
            name: s.name.clone(),
            how,
            seconds: s.time.as_secs_f64(),
            of: of.into_iter().map(|p| node(k, p, seen)).collect(),
        }
    }
    node(k, step, &mut rustc_hash::FxHashSet::default())
}

/// A time as people say it.
pub fn duration(d: std::time::Duration) -> String {
    let s = d.as_secs_f64();
    if s < 1.0 { format!("{:.1} ms", s * 1e3) } else { format!("{s:.2} s") }
}

/// How far the work is, on a terminal.
pub struct Bar {
    all: usize,
    shown: bool,
    began: Instant,
    last: Mutex<Instant>,
}

impl Bar {
    pub fn new(all: usize, quiet: bool) -> Bar {
        let now = Instant::now();
        Bar { all, shown: !quiet && all > 1 && std::io::stderr().is_terminal(), began: now, last: Mutex::new(now) }
    }

    pub fn show(&self, done: usize) {
        if !self.shown {
            return;
        }
        let mut last = self.last.lock().unwrap_or_else(|e| e.into_inner());
        if last.elapsed().as_millis() < 100 && done < self.all {
            return;
        }
        *last = Instant::now();
        let width = 30;
        let full = width * done / self.all.max(1);
        let seconds = self.began.elapsed().as_secs_f64();
        eprint!("\r\x1b[K[{}{}] {done}/{} {seconds:.1} s", "#".repeat(full), ".".repeat(width - full), self.all);
        let _ = std::io::stderr().flush();
    }

    pub fn clear(&self) {
        if self.shown {
            eprint!("\r\x1b[K");
        }
    }
}

/// What was said so far.
pub struct Session {
    pub code: ExitCode,
    colour: bool,
    folder: Option<PathBuf>,
}

impl Session {
    pub fn new(colour: bool, folder: Option<PathBuf>) -> Session {
        Session { code: ExitCode::Ok, colour, folder }
    }

    /// Prints the answer to one assertion.
    pub fn tell(&mut self, l: &Loaded, i: usize, d: &Decided, map: &SourceMap, common: &Common) {
        let r = &l.assertions[i];
        let o = &d.outcome;
        self.code = self.code.worst(d.verdict.code(r.expect.as_deref()));
        let expected = match r.expect.as_deref() {
            Some(e) if e == d.verdict.word() && e != "holds" => ", as expected".to_string(),
            Some(e) if e != d.verdict.word() => format!(", expected: {e}"),
            _ => String::new(),
        };
        let effort = format!("{}, {}, {} nodes", o.engine, duration(o.time), o.nodes);
        let (paint, detail) = match &d.verdict {
            Verdict::Holds => match d.seen.as_ref().and_then(|s| s.checked()) {
                Some(by) => ("32", format!("{effort}, confirmed by {by}")),
                None => ("33", format!("{effort}, unchecked")),
            },
            Verdict::Fails(..) => ("31", effort),
            Verdict::Unknown(..) => ("33", format!("X reaches what follows; {effort}")),
            Verdict::OverConstrained(..) => ("31", format!("what is given contradicts the design; {effort}")),
            Verdict::Vacuous(why) => ("33", why.to_string()),
            Verdict::Stopped(why) => ("33", why.clone()),
            Verdict::Broken(why) => ("35", format!("internal error: {why}")),
        };
        let head = word(d.verdict.word(), paint, self.colour);
        println!("{head} {}{}  ({detail}{expected})", r.assertion.name, place(map, r.name.whole()));
        let said = match (&d.verdict, d.seen.as_ref().and_then(|s| s.checked())) {
            (Verdict::Holds, Some(_)) => record::Verdict::Holds,
            (Verdict::Holds, None) => record::Verdict::HoldsUnchecked,
            (Verdict::Fails(..) | Verdict::OverConstrained(..), _) => record::Verdict::Fails,
            (Verdict::Vacuous(_), _) => record::Verdict::Vacuous,
            (Verdict::Unknown(..) | Verdict::Stopped(_), _) => record::Verdict::Unknown,
            (Verdict::Broken(_), _) => record::Verdict::Broken,
        };
        let engine = o.engine.to_string();
        item(
            &r.assertion.name,
            map,
            r.name.whole(),
            said,
            format!("{detail}{expected}"),
            &engine,
            o.time.as_secs_f64(),
        );
        if let Some(want) = &r.expect {
            // Two of our verdicts are one in records.
            let want = if want == d.verdict.word() { said.came_out() } else { want };
            cli_record::add(|r| {
                if let Some(i) = r.items.last_mut() {
                    i.expect = Some(want.to_string());
                }
            });
        }
        if common.quiet {
            return;
        }
        match &d.verdict {
            Verdict::Fails(set, run, broken) => self.failure(l, r, set, run, broken, map),
            Verdict::Unknown(k, set, chain) => {
                let claim = &r.assertion.consequent[*k];
                print!("{}", claim_text(l, r, claim.origin));
                print!("{}", set_text(set, &l.terms, "is X"));
                print!("{}", chain_text(l, chain.as_ref(), map));
            }
            Verdict::OverConstrained(at, set) => {
                let names = l.circuit.net.names();
                let given = r.assertion.antecedent.iter().find(|c| c.atom.is_some_and(|a| plain(a).0 == *at));
                print!("{}", given.map_or(String::new(), |c| claim_text(l, r, c.origin)));
                let name = match at.place {
                    Place::Node(0) => "a bit of it, which is constant,".to_string(),
                    _ => l.circuit.atom_name(&names, *at),
                };
                println!("  {name} at {} is given a value that it cannot have there", at.time);
                print!("{}", set_text(set, &l.terms, "contradicts the design"));
                println!("  help: exclude these values with `where`, or give the node no value there");
            }
            _ => {}
        }
        if !o.weakened.is_empty() {
            println!("  {} values became X for their size (weaken_above)", o.weakened.len());
        }
    }

    fn failure(&mut self, l: &Loaded, r: &Ready, set: &Set, run: &Run, broken: &[usize], map: &SourceMap) {
        let a = &r.assertion;
        let first = &a.consequent[broken[0]];
        print!("{}", claim_text(l, r, first.origin));
        print!("{}", set_text(set, &l.terms, "fails"));
        let mut values = String::new();
        for (v, bits) in l.terms.vectors.iter().zip(&run.assignment.0) {
            let _ = write!(values, "{}{} = {}", if values.is_empty() { "" } else { ", " }, v.name, hex(bits));
        }
        println!("  for example {values}");
        let wrong: Vec<(Lit, u32, bool)> = broken
            .iter()
            .filter_map(|k| {
                let c = &a.consequent[*k];
                let atom = c.atom?;
                let Place::Node(x) = atom.place else { return None };
                let v = l.terms.values(&[c.value], &mut |leaf| match leaf {
                    Leaf::Var(v, b) => run.assignment.bit(v, b),
                    Leaf::Atom(_) => false,
                });
                Some((Lit(x), atom.time, v[0]))
            })
            .collect();
        let names = l.circuit.net.names();
        let list: Vec<String> = wrong
            .iter()
            .take(8)
            .map(|(x, t, v)| format!("{} is {} and not {} at {t}", names.or_number(*x), !v as u8, *v as u8))
            .collect();
        if !list.is_empty() {
            println!("  {}{}", list.join(", "), if wrong.len() > 8 { ", …" } else { "" });
        }
        let clocks = match &l.circuit.clocking {
            Clocking::Cycles(c) => c.clone(),
            Clocking::Phases => Vec::new(),
        };
        // Nothing is shown beyond the first claim that is broken.
        let first = wrong.iter().map(|w| w.1).min();
        let end = first.map_or(run.phases.len(), |t| l.circuit.phases(t) as usize).min(run.phases.len());
        let wrong: Vec<(Lit, u32, bool)> = wrong.into_iter().filter(|w| Some(w.1) == first).collect();
        let p = Phases {
            inputs: &run.phases[..end],
            before: &run.before,
            start: &run.start,
            words: &run.words,
            clocks: &clocks,
            goal: Symbol { name: a.name.clone(), span: r.name.whole() },
            expected: &wrong,
        };
        match Trace::of_phases(&l.circuit.net, &p) {
            Ok(t) => {
                cli_record::add(|r| {
                    if let Some(i) = r.items.last_mut() {
                        i.wave = Some(wave::wave(&t));
                    }
                });
                println!("{}", show::table(&t, map, self.colour));
                if let Some(folder) = &self.folder {
                    let params = l.spec.parameters.iter().map(|(n, v)| (n.text.clone(), v.text.clone())).collect();
                    let setting = Setting { params, files: l.sources.clone(), vhdl: l.vhdl, bench: true };
                    match show::files(&t, map, folder, &a.name, &setting, &l.circuit.net) {
                        Ok(list) => println!("  written: {}", list.join(" ")),
                        Err(e) => self.code = self.code.worst(mistake(e)),
                    }
                }
            }
            Err(e) => {
                println!("  internal error: {e}");
                self.code = self.code.worst(ExitCode::Internal);
            }
        }
    }
}

fn hex(b: &Bits) -> String {
    if b.width() == 1 {
        return (b.bit(0) as u8).to_string();
    }
    let n = num_bigint::BigUint::parse_bytes(b.to_binary().as_bytes(), 2).unwrap_or_default();
    format!("0x{n:x}")
}

fn claim_text(_l: &Loaded, r: &Ready, origin: u32) -> String {
    r.sentences.get(origin as usize).map_or(String::new(), |s| format!("  `{}`\n", s.text))
}

/// How many assignments, and what they have in common.
fn set_text(set: &Set, terms: &Terms, what: &str) -> String {
    let mut out = String::new();
    if let Some((n, all)) = &set.count {
        let _ = writeln!(out, "  {what} for {n} of {all} assignments");
    }
    if set.complete && !set.cubes.is_empty() {
        for c in &set.cubes {
            let _ = writeln!(out, "    where {}", cube(c, terms));
        }
    }
    out
}

fn cube(c: &[((u32, u32), bool)], terms: &Terms) -> String {
    if c.is_empty() {
        return "anything".into();
    }
    let mut by: std::collections::BTreeMap<u32, Vec<(u32, bool)>> = Default::default();
    c.iter().for_each(|((v, b), x)| by.entry(*v).or_default().push((*b, *x)));
    let parts = by.iter().map(|(v, bits)| {
        let vector = &terms.vectors[*v as usize];
        let mut text: Vec<char> = vec!['?'; vector.width as usize];
        bits.iter().for_each(|(b, x)| text[(vector.width - 1 - b) as usize] = if *x { '1' } else { '0' });
        format!("{} = {}", vector.name, text.iter().collect::<String>())
    });
    parts.collect::<Vec<_>>().join(", ")
}

fn chain_text(l: &Loaded, chain: Option<&Chain>, map: &SourceMap) -> String {
    let Some(chain) = chain else { return String::new() };
    let net = &l.circuit.net;
    let names = net.names();
    let mut out = String::new();
    let last = chain.links.len() - 1;
    let mut told = None;
    for (i, link) in chain.links.iter().enumerate() {
        let lit = Lit::new(link.gate, false);
        // Gates without a name say little, except at the ends.
        let Some(name) = names.of(lit).or_else(|| (i == 0 || i == last).then(|| names.or_number(lit))) else {
            continue;
        };
        // After the edge of a cycle a node is what it is in the next one.
        let time = match l.circuit.time(link.phase) {
            Some(t) => t,
            None => link.phase / 2 + u32::from(link.at_rest),
        };
        if i > 0 && told == Some((link.gate, time)) {
            continue;
        }
        told = Some((link.gate, time));
        let time = format!("at {time}");
        let here = place(map, net.spans[link.gate.0 as usize]);
        if i == 0 {
            let why = match chain.cause {
                Cause::Input => "an input that nothing binds",
                Cause::Free => "a value that the design leaves open",
                Cause::State => "state that nothing binds",
                Cause::Weakened => "weakened",
                Cause::Memory => "a memory of which nothing is known",
                Cause::Other => "unknown",
            };
            let _ = writeln!(out, "  X begins at {name} {time}{here}: {why}");
        } else {
            let _ = writeln!(out, "    reaches {} {time}{here}", name.trim_start_matches('!'));
        }
    }
    let first = &chain.links[0];
    let name = names.or_number(Lit::new(first.gate, false));
    let time = l.circuit.time(first.phase).unwrap_or(first.phase / 2);
    let help = match chain.cause {
        Cause::Weakened => format!("take {name} out of `weaken`, or raise `weaken_above`"),
        Cause::Free => "the design itself leaves this open; its value must not matter".to_string(),
        _ => format!("give it a value, as in `{name} is VALUE at {time}`"),
    };
    let _ = writeln!(out, "  help: {help}");
    out
}

/// A rule in a word.
pub fn rule(r: &Rule) -> &'static str {
    match r {
        Rule::Run { .. } => "trajectory evaluation",
        Rule::Algebra { .. } => "algebra",
        Rule::Valid => "valid",
        Rule::Strengthen { .. } => "strengthening",
        Rule::Weaken { .. } => "weakening",
        Rule::Conjoin { .. } => "conjunction",
        Rule::Compose { .. } => "composition",
        Rule::Split { .. } => "case split",
        Rule::Instantiate { .. } => "instantiation",
        Rule::Shift { .. } => "time shift",
        Rule::Model { .. } => "model equality",
    }
}

/// Why a rule does not apply, with names.
pub fn refusal(e: &Refused, terms: &Terms, c: &Circuit) -> String {
    let names = c.net.names();
    let mut why = e.why.clone();
    // The kernel knows gates by number.
    while let (Some(a), Some(b)) = (why.find('⟨'), why.find('⟩')) {
        let inner = why[a + '⟨'.len_utf8()..b].to_string();
        let name = inner.parse::<u32>().map(|g| names.or_number(Lit(g << 1))).unwrap_or(inner);
        why.replace_range(a..b + '⟩'.len_utf8(), &name);
    }
    let mut out = format!("{}: {why}", e.rule);
    let mut vectors: Vec<Bits> = terms.vectors.iter().map(|v| Bits::zero(v.width)).collect();
    let mut used = vec![false; vectors.len()];
    for (leaf, v) in &e.counterexample {
        if let Leaf::Var(x, b) = leaf {
            vectors[*x as usize].set(*b, *v);
            used[*x as usize] = true;
        }
    }
    let list = terms.vectors.iter().zip(&vectors).zip(&used).filter(|x| *x.1);
    let list: Vec<String> = list.map(|((v, b), _)| format!("{} = {}", v.name, hex(b))).collect();
    if !list.is_empty() {
        let _ = write!(out, "\n  for example where {}", list.join(", "));
    }
    out
}

/// A theorem as a tree: what was proved, from what, by what, how long.
pub fn tree(k: &Kernel, step: usize, colour: bool) -> String {
    let mut out = String::new();
    let mut seen = rustc_hash::FxHashSet::default();
    branch(k, step, "", "", &mut seen, &mut out, colour);
    out
}

/// How a step was made, in words.
fn how(r: &Rule) -> String {
    match r {
        Rule::Run { engine, checked: Some(by), .. } => format!("{engine}, confirmed by {by}"),
        Rule::Run { engine, checked: None, .. } => format!("{engine}, unchecked"),
        r => rule(r).to_string(),
    }
}

/// The steps that a step rests on.
fn rests_on(rule: &Rule) -> Vec<usize> {
    match rule {
        Rule::Run { .. } | Rule::Algebra { .. } | Rule::Valid => Vec::new(),
        Rule::Strengthen { of } | Rule::Instantiate { of, .. } | Rule::Shift { of, .. } | Rule::Model { of } => {
            vec![*of]
        }
        Rule::Weaken { of, using } => std::iter::once(*of).chain(using.iter().copied()).collect(),
        Rule::Conjoin { of } | Rule::Split { of } => of.clone(),
        Rule::Compose { first, second, .. } => vec![*first, *second],
    }
}

fn branch(
    k: &Kernel,
    step: usize,
    lead: &str,
    below: &str,
    seen: &mut rustc_hash::FxHashSet<usize>,
    out: &mut String,
    colour: bool,
) {
    let s = &k.steps()[step];
    let how = how(&s.rule);
    let name = if colour { format!("\x1b[1m{}\x1b[0m", s.name) } else { s.name.clone() };
    let _ = write!(out, "{lead}{name}  {how}, {}", duration(s.time));
    if !seen.insert(step) {
        let _ = writeln!(out, "  (above)");
        return;
    }
    let _ = writeln!(out);
    let of = rests_on(&s.rule);
    for (i, p) in of.iter().enumerate() {
        let end = i + 1 == of.len();
        let (lead, next) = if end { ("└─ ", "   ") } else { ("├─ ", "│  ") };
        branch(k, *p, &format!("{below}{lead}"), &format!("{below}{next}"), seen, out, colour);
    }
}
