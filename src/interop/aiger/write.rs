//! The bytes of an AIGER file.

use super::super::{ident::Scope, line_of};
use super::AigerOptions;
use crate::model::{Node, Question, Symbol, System};
use crate::net::Lit;
use crate::source::SourceMap;
use std::io::Write;

/// An AIGER literal: twice a variable, plus one if complemented.
type Literal = u32;

/// Everything the file names, by section.
struct Sections<'s> {
    outputs: Vec<(Symbol, Lit)>,
    bad: Vec<(&'s Symbol, Lit)>,
    justice: Vec<(&'s Symbol, &'s [Lit])>,
}

impl<'s> Sections<'s> {
    fn of(sys: &'s System) -> Sections<'s> {
        let mut s = Sections { outputs: sys.outputs.clone(), bad: Vec::new(), justice: Vec::new() };
        for g in &sys.goals {
            match &g.question {
                Question::Never(l) => s.bad.push((&g.symbol, *l)),
                Question::Reach(l) => {
                    let name = format!("cover:{}", g.symbol.name);
                    s.outputs.push((Symbol { name, span: g.symbol.span }, *l));
                }
                Question::NotForever(l) => s.justice.push((&g.symbol, l)),
            }
        }
        s
    }

    fn lits(&self, sys: &System) -> Vec<Lit> {
        let single = self.outputs.iter().map(|s| s.1).chain(self.bad.iter().map(|s| s.1));
        let many = self.justice.iter().flat_map(|j| j.1.iter().copied());
        let rest = sys.constraints.iter().map(|c| c.1).chain(sys.fairness.iter().copied());
        single.chain(rest).chain(many).collect()
    }
}

/// Writes a system.
pub fn write_system(sys: &System, map: &SourceMap, options: AigerOptions) -> Vec<u8> {
    let sections = Sections::of(sys);
    let mut roots = sections.lits(sys);
    roots.extend(sys.states.iter().map(|s| s.next));
    let used = sys.aig.cone(&roots);
    let (inputs, latches) = (sys.inputs.len() as u32, sys.states.len() as u32);
    let mut number: Vec<Literal> = vec![0; sys.aig.len()];
    let mut ands: Vec<(Literal, Literal)> = Vec::new();
    for (i, n) in sys.aig.nodes().iter().enumerate() {
        number[i] = match *n {
            Node::False => 0,
            Node::Input(k) => 2 * (1 + k),
            Node::State(k) => 2 * (1 + inputs + k),
            Node::And(a, b) if used[i] => {
                let at = |l: Lit| number[l.gate().0 as usize] ^ l.complement() as u32;
                let (a, b) = (at(a), at(b));
                ands.push((a.max(b), a.min(b)));
                2 * (inputs + latches + ands.len() as u32)
            }
            Node::And(..) => 0,
        };
    }
    let at = |l: Lit| number[l.gate().0 as usize] ^ l.complement() as u32;
    let mut out = Vec::new();
    write_file(&mut out, sys, &sections, map, options, &ands, at).expect("writing to memory");
    out
}

fn write_file(
    out: &mut Vec<u8>,
    sys: &System,
    sections: &Sections,
    map: &SourceMap,
    options: AigerOptions,
    ands: &[(Literal, Literal)],
    at: impl Fn(Lit) -> Literal,
) -> std::io::Result<()> {
    let (inputs, latches) = (sys.inputs.len() as u32, sys.states.len() as u32);
    let most = inputs + latches + ands.len() as u32;
    let (o, a) = (sections.outputs.len(), ands.len());
    write!(out, "{} {most} {inputs} {latches} {o} {a}", if options.ascii { "aag" } else { "aig" })?;
    // Older readers know no bad states and constraints, so counts are written only up to the last that is not 0.
    let counts = [sections.bad.len(), sys.constraints.len(), sections.justice.len(), sys.fairness.len()];
    let last = counts.iter().rposition(|c| *c > 0).map_or(0, |i| i + 1);
    counts[..last].iter().try_for_each(|c| write!(out, " {c}"))?;
    writeln!(out)?;
    if options.ascii {
        for i in 0..inputs {
            writeln!(out, "{}", 2 * (1 + i))?;
        }
    }
    for (k, s) in sys.states.iter().enumerate() {
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
    let singles = sections.outputs.iter().map(|s| s.1).chain(sections.bad.iter().map(|s| s.1));
    for l in singles.chain(sys.constraints.iter().map(|c| c.1)) {
        writeln!(out, "{}", at(l))?;
    }
    for (_, j) in &sections.justice {
        writeln!(out, "{}", j.len())?;
    }
    for l in sections.justice.iter().flat_map(|j| j.1).chain(&sys.fairness) {
        writeln!(out, "{}", at(*l))?;
    }
    for (k, &(x, y)) in ands.iter().enumerate() {
        let own = 2 * (1 + inputs + latches + k as u32);
        if options.ascii {
            writeln!(out, "{own} {x} {y}")?;
        } else {
            delta(out, own - x);
            delta(out, x - y);
        }
    }
    let tables: [(char, Vec<&Symbol>); 6] = [
        ('i', sys.inputs.iter().map(|i| &i.symbol).collect()),
        ('l', sys.states.iter().map(|s| &s.symbol).collect()),
        ('o', sections.outputs.iter().map(|s| &s.0).collect()),
        ('b', sections.bad.iter().map(|s| s.0).collect()),
        ('c', sys.constraints.iter().map(|s| &s.0).collect()),
        ('j', sections.justice.iter().map(|s| s.0).collect()),
    ];
    // Readers want the names of inputs and latches to differ, and those of outputs among themselves.
    let mut scopes: [Scope; 5] = Default::default();
    let mut comments = Vec::new();
    for (letter, table) in &tables {
        let scope = &mut scopes["ilobcj".find(*letter).map_or(0, |k| k.saturating_sub(1))];
        for (i, s) in table.iter().enumerate() {
            let name = scope.fresh(&s.name);
            writeln!(out, "{letter}{i} {name}")?;
            if let Some(place) = line_of(map, s.span) {
                writeln!(comments, "{letter}{i} {name} {place}")?;
            }
        }
    }
    writeln!(out, "c\nentail\nstep: {}", sys.step)?;
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
