//! A system of bits as BTOR2: every gate is a line.

use super::super::{ident::Scope, line_of};
use crate::model::{Node, Question, Symbol, System};
use crate::net::Lit;
use crate::source::SourceMap;
use std::fmt::Write;

struct Printer<'a> {
    map: &'a SourceMap,
    out: String,
    next: i64,
    names: Scope,
}

impl Printer<'_> {
    fn line(&mut self, text: std::fmt::Arguments) -> i64 {
        let n = self.next;
        self.next += 1;
        let _ = writeln!(self.out, "{n} {text}");
        n
    }

    /// `name ; file:line`
    fn symbol(&mut self, s: &Symbol) -> String {
        let name = self.names.fresh(&s.name.replace(';', "_"));
        let place = line_of(self.map, s.span).map_or(String::new(), |p| format!(" ; {p}"));
        format!("{name}{place}")
    }
}

/// Writes a system. A cover is an output `cover:NAME` that is 1 when it is hit.
pub fn write_system(sys: &System, map: &SourceMap) -> String {
    let mut p = Printer { map, out: String::new(), next: 1, names: Scope::default() };
    let clean = |text: &str| text.chars().filter(|c| !c.is_control()).collect::<String>();
    let _ = writeln!(p.out, "; entail: {}\n; step: {}", clean(&sys.name), clean(&sys.step));
    let bit = p.line(format_args!("sort bitvec 1"));
    let (zero, one) = (p.line(format_args!("zero {bit}")), p.line(format_args!("one {bit}")));
    let mut lines = vec![zero; sys.aig.len()];
    for i in &sys.inputs {
        let symbol = p.symbol(&i.symbol);
        lines[i.lit.gate().0 as usize] = p.line(format_args!("input {bit} {symbol}"));
    }
    for s in &sys.states {
        let symbol = p.symbol(&s.symbol);
        let own = p.line(format_args!("state {bit} {symbol}"));
        lines[s.lit.gate().0 as usize] = own;
        if let Some(v) = s.init {
            p.line(format_args!("init {bit} {own} {}", if v { one } else { zero }));
        }
    }
    let at = |lines: &[i64], l: Lit| match l.as_const() {
        Some(v) => [zero, one][v as usize],
        None if l.complement() => -lines[l.gate().0 as usize],
        None => lines[l.gate().0 as usize],
    };
    let goals = sys.goals.iter().flat_map(|g| match &g.question {
        Question::Never(l) | Question::Reach(l) => std::slice::from_ref(l),
        Question::NotForever(all) => all.as_slice(),
    });
    let mut roots: Vec<Lit> = goals.copied().chain(sys.states.iter().map(|s| s.next)).collect();
    roots.extend(sys.outputs.iter().chain(&sys.constraints).map(|o| o.1).chain(sys.fairness.iter().copied()));
    let used = sys.aig.cone(&roots);
    for (i, n) in sys.aig.nodes().iter().enumerate().filter(|(i, _)| used[*i]) {
        if let Node::And(a, b) = *n {
            lines[i] = p.line(format_args!("and {bit} {} {}", at(&lines, a), at(&lines, b)));
        }
    }
    for s in &sys.states {
        let own = lines[s.lit.gate().0 as usize];
        p.line(format_args!("next {bit} {own} {}", at(&lines, s.next)));
    }
    p.names = Scope::default();
    for (symbol, l) in &sys.outputs {
        let symbol = p.symbol(symbol);
        p.line(format_args!("output {} {symbol}", at(&lines, *l)));
    }
    for g in &sys.goals {
        if let Question::Reach(l) = g.question {
            let name = format!("cover:{}", g.symbol.name);
            let symbol = p.symbol(&Symbol { name, span: g.symbol.span });
            p.line(format_args!("output {} {symbol}", at(&lines, l)));
        }
    }
    p.names = Scope::default();
    for (symbol, l) in &sys.constraints {
        let symbol = p.symbol(symbol);
        p.line(format_args!("constraint {} {symbol}", at(&lines, *l)));
    }
    for l in &sys.fairness {
        p.line(format_args!("fair {}", at(&lines, *l)));
    }
    p.names = Scope::default();
    for g in &sys.goals {
        let symbol = match &g.question {
            Question::Reach(_) => continue,
            _ => p.symbol(&g.symbol),
        };
        match &g.question {
            Question::Never(l) => p.line(format_args!("bad {} {symbol}", at(&lines, *l))),
            Question::NotForever(all) => {
                let list: Vec<String> = all.iter().map(|l| at(&lines, *l).to_string()).collect();
                p.line(format_args!("justice {} {} {symbol}", list.len(), list.join(" ")))
            }
            Question::Reach(_) => continue,
        };
    }
    p.out
}
