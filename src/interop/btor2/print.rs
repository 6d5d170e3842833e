//! The lines of a BTOR2 file.

use super::super::{ident::Scope, line_of};
use super::model::Model;
use super::term::{Id, Op, Sort};
use crate::source::{SourceMap, Span};
use rustc_hash::FxHashMap;
use std::fmt::Write;

struct Printer<'a> {
    model: &'a Model,
    map: &'a SourceMap,
    out: String,
    next: u64,
    sorts: FxHashMap<Sort, u64>,
    /// Line of each term that is written.
    lines: Vec<u64>,
    names: Scope,
}

pub(super) fn text(model: &Model, map: &SourceMap) -> String {
    let lines = vec![0; model.terms.list.len()];
    let names = Scope::default();
    let mut p = Printer { model, map, out: String::new(), next: 1, sorts: FxHashMap::default(), lines, names };
    let title: String = model.title.chars().filter(|c| !c.is_control()).collect();
    let _ = writeln!(p.out, "; entail: {title}\n; step: {}", model.step);
    p.inputs();
    p.states();
    for (word, list) in [("output", &model.outputs), ("bad", &model.bad), ("constraint", &model.constraints)] {
        // An output may have the name of the register it shows.
        p.names = Scope::default();
        for n in list {
            let line = p.term(n.id);
            let symbol = p.symbol(&n.name, n.span);
            p.line(&format!("{word} {line}{symbol}"));
        }
    }
    p.out
}

impl Printer<'_> {
    fn line(&mut self, text: &str) -> u64 {
        let n = self.next;
        self.next += 1;
        let _ = writeln!(self.out, "{n} {text}");
        n
    }

    /// ` name ; file:line`
    fn symbol(&mut self, name: &str, span: Span) -> String {
        // A symbol must not look like the start of a comment.
        let name = self.names.fresh(&name.replace(';', "_"));
        let place = line_of(self.map, span).map_or(String::new(), |p| format!(" ; {p}"));
        format!(" {name}{place}")
    }

    fn sort(&mut self, s: Sort) -> u64 {
        if let Some(&line) = self.sorts.get(&s) {
            return line;
        }
        let line = match s {
            Sort::Bits(w) => self.line(&format!("sort bitvec {w}")),
            Sort::Array(a, w) => {
                let (a, w) = (self.sort(Sort::Bits(a)), self.sort(Sort::Bits(w)));
                self.line(&format!("sort array {a} {w}"))
            }
        };
        self.sorts.insert(s, line);
        line
    }

    fn inputs(&mut self) {
        let model = self.model;
        // Terms of inputs, in the order of their numbers.
        let mut list: Vec<(u32, usize)> = Vec::new();
        for (i, (op, _)) in model.terms.list.iter().enumerate() {
            if let Op::Input(n) = op
                && model.hidden != Some(Id(i as u32))
            {
                list.push((*n, i));
            }
        }
        list.sort_unstable();
        for (n, i) in list {
            let input = &model.inputs[n as usize];
            if input.width > 0 {
                let sort = self.sort(Sort::Bits(input.width));
                let symbol = self.symbol(&input.name, input.span);
                self.lines[i] = self.line(&format!("input {sort}{symbol}"));
            }
        }
    }

    fn states(&mut self) {
        let model = self.model;
        for s in &model.states {
            // An initial value must be written before its state.
            let init = s.init.map(|i| self.term(i));
            let sort = self.sort(model.terms.sort(s.id));
            let symbol = self.symbol(&s.name, s.span);
            let line = self.line(&format!("state {sort}{symbol}"));
            self.lines[s.id.0 as usize] = line;
            if let Some(init) = init {
                self.line(&format!("init {sort} {line} {init}"));
            }
        }
        for s in &model.states {
            if let Some(next) = s.next {
                let (next, line) = (self.term(next), self.lines[s.id.0 as usize]);
                let sort = self.sort(model.terms.sort(s.id));
                self.line(&format!("next {sort} {line} {next}"));
            }
        }
    }

    /// The line of a term, written now with all it is made of.
    fn term(&mut self, root: Id) -> u64 {
        let mut cone = Vec::new();
        let mut open = vec![root];
        let mut seen = rustc_hash::FxHashSet::default();
        while let Some(id) = open.pop() {
            if self.lines[id.0 as usize] == 0 && seen.insert(id) {
                cone.push(id);
                match self.model.terms.op(id) {
                    Op::Apply(_, operands) => open.extend(operands),
                    Op::Slice(a, _) | Op::Extend(_, a) => open.push(*a),
                    _ => {}
                }
            }
        }
        // Operands have smaller numbers.
        cone.sort_unstable();
        for id in cone {
            self.lines[id.0 as usize] = self.write(id);
        }
        self.lines[root.0 as usize]
    }

    fn write(&mut self, id: Id) -> u64 {
        let model = self.model;
        let sort = self.sort(model.terms.sort(id));
        let at = |p: &Self, a: &Id| p.lines[a.0 as usize];
        let text = match model.terms.op(id) {
            Op::Const(b) => format!("const {sort} {}", b.to_binary()),
            Op::Apply(name, operands) => {
                let lines: Vec<String> = operands.iter().map(|a| at(self, a).to_string()).collect();
                format!("{name} {sort} {}", lines.join(" "))
            }
            Op::Slice(a, lo) => format!("slice {sort} {} {} {lo}", at(self, a), lo + model.terms.width(id) - 1),
            Op::Extend(name, a) => {
                format!("{name} {sort} {} {}", at(self, a), model.terms.width(id) - model.terms.width(*a))
            }
            Op::Input(_) | Op::State(_) => unreachable!("inputs and states are written first"),
        };
        self.line(&text)
    }
}
