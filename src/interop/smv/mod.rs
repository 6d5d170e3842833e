//! A system as text for NuSMV and nuXmv, made to be read: names of the source, clock domains as modules.
//!
//! Inputs are variables without `next`, so they are chosen anew in each step; input variables (`IVAR`) would
//! not do, because NuSMV allows none in properties. A register that one clock moves stands in the module of
//! that clock, as in "Verifying VHDL Designs with Multiple Clocks in SMV" (Smrčka et al., 2006): it takes its
//! next value when the clock ticks and else keeps what it has, or what its asynchronous control gives it. All
//! other state is in `main`. Gates are definitions.
//!
//! A constraint is an `INVAR`, since only steps that satisfy it exist; fairness is `FAIRNESS`, which `INVARSPEC`
//! does not look at and `LTLSPEC` does. A cover is an `INVARSPEC` that is meant to fail: its counterexample
//! is the path.

mod domain;
mod gates;
mod names;

use super::line_of;
use crate::model::{Goal, Question, Role, Symbol, System};
use crate::net::Lit;
use crate::source::SourceMap;
use domain::{Domain, Split, split};
use gates::Gates;
use names::Names;
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// The kinds of registers: what they start with, and whether something moves them without their clock.
fn kind(init: Option<bool>, held: bool) -> String {
    let start = match init {
        Some(false) => "0",
        Some(true) => "1",
        None => "any",
    };
    format!("register_{start}{}", if held { "_async" } else { "" })
}

struct Writer<'s> {
    sys: &'s System,
    map: &'s SourceMap,
    split: &'s Split,
    names: Names,
    /// What a register of a domain is given: the names of its next value and of what holds it.
    given: FxHashMap<usize, [String; 2]>,
    out: String,
}

/// Writes a system.
pub fn write(sys: &System, map: &SourceMap) -> String {
    let split = split(sys);
    let mut w =
        Writer { sys, map, split: &split, names: Names::default(), given: FxHashMap::default(), out: String::new() };
    // Names of modules and of their clock first, so that no signal takes them.
    w.names.fresh("main");
    w.names.fresh("tick");
    for k in kinds() {
        w.names.fresh(&kind(k.0, k.1));
    }
    let modules: Vec<(String, String)> = split
        .domains
        .iter()
        .map(|d| {
            let clock = &sys.inputs[d.tick].symbol.name;
            (w.names.fresh(&format!("domain_{clock}")), w.names.fresh(&format!("moved_by_{clock}")))
        })
        .collect();
    let inputs: Vec<String> = sys.inputs.iter().map(|i| w.names.fresh(&i.symbol.name)).collect();
    let states: Vec<String> = sys.states.iter().map(|s| w.names.fresh(&s.symbol.name)).collect();
    for r in split.domains.iter().flat_map(|d| &d.registers) {
        let given = ["d", "held"].map(|what| w.names.fresh(&format!("{what}_{}", states[r.state])));
        w.given.insert(r.state, given);
    }
    w.line(0, format_args!("-- {}", clean(&sys.name)));
    w.line(0, format_args!("-- A step is {}.", clean(&sys.step)));
    w.registers();
    for (d, (module, _)) in split.domains.iter().zip(&modules) {
        w.domain(d, module, &states);
    }
    w.main(&modules, inputs, states);
    w.out
}

fn kinds() -> impl Iterator<Item = (Option<bool>, bool)> {
    [Some(false), Some(true), None].into_iter().flat_map(|init| [(init, false), (init, true)])
}

fn clean(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

impl Writer<'_> {
    fn line(&mut self, indent: usize, text: std::fmt::Arguments) {
        let _ = writeln!(self.out, "{:indent$}{text}", "");
    }

    /// `name, file:line`, where the name differs from the one that is written.
    fn origin(&self, written: &str, symbol: &Symbol) -> String {
        let name = (written != symbol.name).then(|| clean(&symbol.name));
        let parts: Vec<String> = name.into_iter().chain(line_of(self.map, symbol.span)).collect();
        if parts.is_empty() { String::new() } else { format!(" -- {}", parts.join(", ")) }
    }

    /// The modules of the kinds of registers that occur.
    fn registers(&mut self) {
        for (init, held) in kinds() {
            let mut all = self.split.domains.iter().flat_map(|d| &d.registers);
            if !all.any(|r| self.sys.states[r.state].init == init && r.held.is_some() == held) {
                continue;
            }
            let (more, keeps) = if held { (", held", "held") } else { ("", "q") };
            self.line(0, format_args!("\nMODULE {}(tick, d{more})", kind(init, held)));
            self.line(2, format_args!("VAR q : boolean;"));
            self.line(2, format_args!("ASSIGN"));
            if let Some(v) = init {
                self.line(4, format_args!("init(q) := {};", constant(v)));
            }
            self.line(4, format_args!("next(q) := tick ? d : {keeps};"));
        }
    }

    fn domain(&mut self, d: &Domain, module: &str, states: &[String]) {
        let clock = &self.sys.inputs[d.tick];
        let edge = if matches!(clock.role, Role::Tick { falling: true, .. }) { "falling" } else { "rising" };
        let clock = clean(&clock.symbol.name);
        self.line(0, format_args!("\n-- Registers that {edge} edges of {clock} move."));
        let mut parameters = vec!["tick".to_string()];
        for r in &d.registers {
            let [data, held] = &self.given[&r.state];
            parameters.push(data.clone());
            parameters.extend(r.held.map(|_| held.clone()));
        }
        self.line(0, format_args!("MODULE {module}({})", parameters.join(", ")));
        self.line(2, format_args!("VAR"));
        for r in &d.registers {
            let (s, name) = (&self.sys.states[r.state], &states[r.state]);
            let [data, held] = &self.given[&r.state];
            let given = if r.held.is_some() { format!("{data}, {held}") } else { data.clone() };
            let (kind, origin) = (kind(s.init, r.held.is_some()), self.origin(name, &s.symbol));
            self.line(4, format_args!("{name} : {kind}(tick, {given});{origin}"));
        }
    }

    fn main(&mut self, modules: &[(String, String)], inputs: Vec<String>, states: Vec<String>) {
        let (sys, split) = (self.sys, self.split);
        let gates = Gates::new(&split.aig, &split.roots(sys), &inputs, &states, &mut self.names);
        self.line(0, format_args!("\nMODULE main"));
        if !sys.inputs.is_empty() {
            self.line(2, format_args!("VAR -- chosen anew in each step"));
        }
        for (input, name) in sys.inputs.iter().zip(&inputs) {
            let origin = self.origin(name, &input.symbol);
            let tick = match input.role {
                Role::Tick { falling: true, .. } => " -- whether it falls in this step",
                Role::Tick { .. } => " -- whether it rises in this step",
                _ => "",
            };
            self.line(4, format_args!("{name} : boolean;{tick}{origin}"));
        }
        if !sys.states.is_empty() {
            self.line(2, format_args!("VAR -- state"));
        }
        for (d, (module, instance)) in split.domains.iter().zip(modules) {
            let mut given = vec![inputs[d.tick].clone()];
            for r in &d.registers {
                given.push(gates.text(r.data));
                given.extend(r.held.map(|l| gates.text(l)));
            }
            self.line(4, format_args!("{instance} : {module}({});", given.join(", ")));
        }
        for (i, _) in &split.others {
            let origin = self.origin(&states[*i], &sys.states[*i].symbol);
            self.line(4, format_args!("{} : boolean;{origin}", states[*i]));
        }
        if !split.domains.is_empty() || !gates.definitions().is_empty() || !sys.outputs.is_empty() {
            self.line(2, format_args!("DEFINE"));
        }
        for (d, (_, instance)) in split.domains.iter().zip(modules) {
            for r in &d.registers {
                let name = &states[r.state];
                self.line(4, format_args!("{name} := {instance}.{name}.q;"));
            }
        }
        for (name, text) in gates.definitions() {
            self.line(4, format_args!("{name} := {text};"));
        }
        for (symbol, l) in &sys.outputs {
            // An output may have the name of the register it shows.
            let name = self.names.fresh(&symbol.name);
            let origin = self.origin(&name, symbol);
            self.line(4, format_args!("{name} := {};{origin}", gates.text(*l)));
        }
        if !split.others.is_empty() {
            self.line(2, format_args!("ASSIGN"));
        }
        for (i, next) in &split.others {
            if let Some(v) = sys.states[*i].init {
                self.line(4, format_args!("init({}) := {};", states[*i], constant(v)));
            }
            self.line(4, format_args!("next({}) := {};", states[*i], gates.text(*next)));
        }
        for (symbol, l) in &sys.constraints {
            let origin = self.origin("", symbol);
            self.line(0, format_args!("\n{}\nINVAR {};", origin.trim_start(), gates.text(*l)));
        }
        for l in &sys.fairness {
            self.line(0, format_args!("FAIRNESS {};", gates.text(*l)));
        }
        for g in &sys.goals {
            self.goal(g, &gates);
        }
    }

    fn goal(&mut self, g: &Goal, gates: &Gates) {
        let name = self.names.fresh(&g.symbol.name);
        let origin = self.origin("", &g.symbol);
        let again = |l: &Lit| format!("G F {}", gates.text(*l));
        let (what, text) = match &g.question {
            Question::Never(l) => ("", format!("INVARSPEC NAME {name} := {};", gates.text(!*l))),
            Question::Reach(l) => {
                (" (a cover: the counterexample is the path)", format!("INVARSPEC NAME {name} := {};", gates.text(!*l)))
            }
            Question::NotForever(all) => {
                let all: Vec<String> = all.iter().map(again).collect();
                let all = if all.is_empty() { "TRUE".to_string() } else { all.join(" & ") };
                ("", format!("LTLSPEC NAME {name} := !({all});"))
            }
        };
        self.line(0, format_args!("\n{}{what}\n{text}", origin.trim_start()));
    }
}

fn constant(v: bool) -> &'static str {
    if v { "TRUE" } else { "FALSE" }
}
