//! The bytes of an AIGER file.

use super::super::{ident::Scope, line_of};
use super::AigerOptions;
use super::model::{Model, Symbol};
use crate::net::{Gate, Lit};
use crate::source::SourceMap;
use std::io::Write;

/// An AIGER literal: twice a variable, plus one if complemented.
type Literal = u32;

/// And gates in order, each defining the variable after the one before.
struct Graph {
    first: u32,
    ands: Vec<(Literal, Literal)>,
}

impl Graph {
    fn and(&mut self, a: Literal, b: Literal) -> Literal {
        let variable = self.first + self.ands.len() as u32;
        self.ands.push((a.max(b), a.min(b)));
        2 * variable
    }

    fn or(&mut self, a: Literal, b: Literal) -> Literal {
        self.and(a ^ 1, b ^ 1) ^ 1
    }
}

pub(super) fn bytes(model: &Model, map: &SourceMap, options: AigerOptions) -> Vec<u8> {
    let (inputs, latches) = (model.inputs.len() as u32, model.states.len() as u32);
    let used = used(model);
    let mut graph = Graph { first: 1 + inputs + latches, ands: Vec::new() };
    let mut made: Vec<Literal> = Vec::with_capacity(model.gates.len());
    for (i, g) in model.gates.iter().enumerate() {
        let at = |l: Lit| made[l.gate().0 as usize] ^ l.complement() as u32;
        let literal = match *g {
            Gate::Input(_, k) => 2 * (1 + k),
            Gate::Register(k) => 2 * (1 + inputs + k),
            _ if !used[i] => 0,
            Gate::And(a, b) => graph.and(at(a), at(b)),
            Gate::Xor(a, b) => {
                let (x, y) = (graph.and(at(a), at(b) ^ 1), graph.and(at(a) ^ 1, at(b)));
                graph.or(x, y)
            }
            Gate::Mux(s, t, e) => {
                let (x, y) = (graph.and(at(s), at(t)), graph.and(at(s) ^ 1, at(e)));
                graph.or(x, y)
            }
            _ => 0,
        };
        made.push(literal);
    }
    let at = |l: Lit| made[l.gate().0 as usize] ^ l.complement() as u32;
    let mut out = Vec::new();
    write_file(&mut out, model, map, options, &graph, at).expect("writing to memory");
    out
}

fn write_file(
    out: &mut Vec<u8>,
    model: &Model,
    map: &SourceMap,
    options: AigerOptions,
    graph: &Graph,
    at: impl Fn(Lit) -> Literal,
) -> std::io::Result<()> {
    let (inputs, latches) = (model.inputs.len() as u32, model.states.len() as u32);
    let most = inputs + latches + graph.ands.len() as u32;
    let (o, a) = (model.outputs.len(), graph.ands.len());
    write!(out, "{} {most} {inputs} {latches} {o} {a}", if options.ascii { "aag" } else { "aig" })?;
    // Older readers know no bad states and constraints, so they are named only if there are any.
    let (b, c) = (model.bad.len(), model.constraints.len());
    match (b, c) {
        (0, 0) => writeln!(out)?,
        (_, 0) => writeln!(out, " {b}")?,
        _ => writeln!(out, " {b} {c}")?,
    }
    if options.ascii {
        for i in 0..inputs {
            writeln!(out, "{}", 2 * (1 + i))?;
        }
    }
    for (k, s) in model.states.iter().enumerate() {
        let own = 2 * (1 + inputs + k as u32);
        if options.ascii {
            write!(out, "{own} ")?;
        }
        match s.init {
            Some(false) => writeln!(out, "{}", at(s.next))?,
            Some(true) => writeln!(out, "{} 1", at(s.next))?,
            None => writeln!(out, "{} {own}", at(s.next))?,
        }
    }
    for (_, l) in model.outputs.iter().chain(&model.bad).chain(&model.constraints) {
        writeln!(out, "{}", at(*l))?;
    }
    for (k, &(x, y)) in graph.ands.iter().enumerate() {
        let own = 2 * (graph.first + k as u32);
        if options.ascii {
            writeln!(out, "{own} {x} {y}")?;
        } else {
            delta(out, own - x);
            delta(out, x - y);
        }
    }
    let tables: [(char, Vec<&Symbol>); 5] = [
        ('i', model.inputs.iter().collect()),
        ('l', model.states.iter().map(|s| &s.symbol).collect()),
        ('o', model.outputs.iter().map(|s| &s.0).collect()),
        ('b', model.bad.iter().map(|s| &s.0).collect()),
        ('c', model.constraints.iter().map(|s| &s.0).collect()),
    ];
    // Readers want the names of inputs and latches to differ, and those of outputs among themselves.
    let mut scopes = [Scope::default(), Scope::default(), Scope::default(), Scope::default()];
    let mut comments = Vec::new();
    for (letter, table) in &tables {
        let scope = &mut scopes["ilobc".find(*letter).map_or(0, |k| k.saturating_sub(1))];
        for (i, s) in table.iter().enumerate() {
            let name = scope.fresh(&s.name);
            writeln!(out, "{letter}{i} {name}")?;
            if let Some(place) = line_of(map, s.span) {
                writeln!(comments, "{letter}{i} {name} {place}")?;
            }
        }
    }
    writeln!(out, "c\nentail\nstep: {}", model.step)?;
    out.append(&mut comments);
    Ok(())
}

/// A difference in groups of seven bits, the lowest first.
fn delta(out: &mut Vec<u8>, mut d: u32) {
    while d >= 0x80 {
        out.push(d as u8 | 0x80);
        d >>= 7;
    }
    out.push(d as u8);
}

/// The gates that something in the file depends on.
fn used(model: &Model) -> Vec<bool> {
    let mut used = vec![false; model.gates.len()];
    let named = model.outputs.iter().chain(&model.bad).chain(&model.constraints).map(|s| s.1);
    for l in named.chain(model.states.iter().map(|s| s.next)) {
        used[l.gate().0 as usize] = true;
    }
    // Operands come before the gates that use them.
    for i in (0..model.gates.len()).rev() {
        if used[i] {
            let operands: &[Lit] = match &model.gates[i] {
                Gate::And(a, b) | Gate::Xor(a, b) => &[*a, *b],
                Gate::Mux(s, t, e) => &[*s, *t, *e],
                _ => &[],
            };
            operands.iter().for_each(|l| used[l.gate().0 as usize] = true);
        }
    }
    used
}
