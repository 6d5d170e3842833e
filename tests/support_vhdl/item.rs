//! Concurrent statements and design units as trees.

use super::decl::{Decl, prune, simpler_decls, write_used};
use super::expr::Expr;
use super::stmt::{Depth, Part, Stmt, shorter, smaller_list, write_all};
use crate::support::expr_batch::mentions;
use std::fmt::Write;
use std::rc::Rc;

/// What a process waits for, and its reset.
#[derive(Clone, Debug)]
pub struct Clock {
    pub name: &'static str,
    /// The condition that there is an edge.
    pub edge: String,
    /// Whether the reset is asynchronous, and the condition that it is active.
    pub reset: Option<(bool, String)>,
    /// `wait until` instead of a sensitivity list.
    pub waits: bool,
}

/// What a combinational process is sensitive to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wakes {
    All,
    /// Every signal it mentions, written out.
    List,
}

/// A concurrent statement.
#[derive(Clone, Debug)]
pub enum Item {
    /// `to <= value when condition else … value`.
    Assign {
        to: Expr,
        values: Vec<Expr>,
        conditions: Vec<Expr>,
    },
    /// `with on select`.
    Select {
        to: Expr,
        on: Expr,
        arms: Vec<(String, Expr)>,
    },
    Process {
        wakes: Wakes,
        decls: Vec<Decl>,
        clock: Option<Clock>,
        reset: Vec<Stmt>,
        body: Vec<Stmt>,
    },
    /// Text around the expressions connected to inputs; a hole in the text is an expression.
    Instance {
        label: &'static str,
        call: Expr,
    },
    /// A generate statement or block: each branch has its own opening line and declarations.
    Nest {
        label: &'static str,
        branches: Vec<(String, Vec<Decl>, Vec<Item>)>,
        tail: &'static str,
    },
}

/// An entity with its architecture.
#[derive(Clone, Debug)]
pub struct Unit {
    pub name: String,
    /// `name : type := default`.
    pub generics: Vec<String>,
    /// Name, `in` or `out`, and the type as text.
    pub ports: Vec<(Rc<str>, &'static str, String)>,
    pub decls: Vec<Decl>,
    pub items: Vec<Item>,
}

impl Item {
    fn exprs(&self) -> Vec<&Expr> {
        match self {
            Item::Assign { to, values, conditions } => [to].into_iter().chain(values).chain(conditions).collect(),
            Item::Select { to, on, arms } => [to, on].into_iter().chain(arms.iter().map(|a| &a.1)).collect(),
            Item::Instance { call, .. } => vec![call],
            Item::Process { .. } | Item::Nest { .. } => vec![],
        }
    }

    fn exprs_mut(&mut self) -> Vec<&mut Expr> {
        match self {
            Item::Assign { to, values, conditions } => [to].into_iter().chain(values).chain(conditions).collect(),
            Item::Select { to, on, arms } => [to, on].into_iter().chain(arms.iter_mut().map(|a| &mut a.1)).collect(),
            Item::Instance { call, .. } => vec![call],
            Item::Process { .. } | Item::Nest { .. } => vec![],
        }
    }

    /// `signals` are all signals of the unit, for sensitivity lists.
    fn write(&self, signals: &[Rc<str>], out: &mut String, depth: usize) {
        let pad = "  ".repeat(depth);
        match self {
            Item::Assign { to, values, conditions } => {
                let _ = write!(out, "{pad}{} <= ", to.text());
                for (v, c) in values.iter().zip(conditions) {
                    let _ = write!(out, "{} when {} else\n{pad}  ", v.source(), c.condition());
                }
                let _ = writeln!(out, "{};", values.last().map_or(String::new(), Expr::source));
            }
            Item::Select { to, on, arms } => {
                let _ = writeln!(out, "{pad}with {} select\n{pad}{} <=", on.condition(), to.text());
                let arms: Vec<String> = arms.iter().map(|(c, v)| format!("{pad}  {} when {c}", v.source())).collect();
                let _ = writeln!(out, "{};", arms.join(",\n"));
            }
            Item::Process { wakes, decls, clock, reset, body } => {
                let (head, text) = match clock {
                    None => {
                        let mut text = String::new();
                        write_all(body, &mut text, depth + 1);
                        let list: Vec<&str> = signals.iter().filter(|s| mentions(&text, s)).map(|s| &**s).collect();
                        let all = *wakes == Wakes::All || list.is_empty();
                        (format!("process ({})", if all { "all".into() } else { list.join(", ") }), text)
                    }
                    Some(c) => c.write(reset, body, depth + 1),
                };
                let _ = writeln!(out, "{pad}{head}");
                write_used(decls, &text, out, depth + 1);
                let _ = write!(out, "{pad}begin\n{text}{pad}end process;\n");
            }
            Item::Instance { call, .. } => {
                let _ = writeln!(out, "{pad}{};", call.text());
            }
            Item::Nest { branches, tail, .. } => {
                for (head, decls, items) in branches {
                    let _ = writeln!(out, "{pad}{head}");
                    let mut names = signals.to_vec();
                    names.extend(decls.iter().map(|d| d.name.clone()));
                    let mut text = String::new();
                    items.iter().for_each(|i| i.write(&names, &mut text, depth + 1));
                    write_used(decls, &text, out, depth + 1);
                    let _ =
                        write!(out, "{}{text}", if decls.is_empty() { String::new() } else { format!("{pad}begin\n") });
                }
                let _ = writeln!(out, "{pad}{tail}");
            }
        }
    }

    pub fn walk(&self, f: &mut dyn FnMut(Part)) {
        f(Part::Label(self.label()));
        self.exprs().into_iter().for_each(|e| f(Part::Expr(e)));
        match self {
            Item::Process { decls, reset, body, .. } => {
                decls.iter().for_each(|d| d.walk(f));
                reset.iter().chain(body).for_each(|s| s.walk(f));
            }
            Item::Nest { branches, .. } => {
                for (_, decls, items) in branches {
                    decls.iter().for_each(|d| d.walk(f));
                    items.iter().for_each(|i| i.walk(f));
                }
            }
            _ => {}
        }
    }

    fn label(&self) -> String {
        match self {
            Item::Assign { conditions, .. } if conditions.is_empty() => "concurrent <=".into(),
            Item::Assign { .. } => "concurrent when else".into(),
            Item::Select { .. } => "concurrent with select".into(),
            Item::Process { clock: None, wakes: Wakes::All, .. } => "process (all)".into(),
            Item::Process { clock: None, .. } => "process with sensitivity list".into(),
            Item::Process { clock: Some(c), .. } => {
                let reset = match &c.reset {
                    None => "no reset",
                    Some((true, _)) => "asynchronous reset",
                    Some((false, _)) => "synchronous reset",
                };
                let edge = c.edge.split(['(', ' ']).next().unwrap_or("").replace("clk2", "clk");
                let wait = if c.waits { "wait until " } else { "" };
                let enabled = if c.edge.contains(" and in") { ", enabled" } else { "" };
                let second = if c.name == "clk2" { ", second clock" } else { "" };
                format!("process {wait}{edge}, {reset}{enabled}{second}")
            }
            Item::Instance { label, .. } | Item::Nest { label, .. } => (*label).into(),
        }
    }

    fn prune(&mut self, text: &str) {
        match self {
            Item::Process { decls, .. } => prune(decls, text),
            Item::Nest { branches, .. } => {
                for (_, decls, items) in branches {
                    prune(decls, text);
                    items.iter_mut().for_each(|i| i.prune(text));
                }
            }
            _ => {}
        }
    }

    /// Simpler items that may show the same failure.
    pub fn smaller(&self, depth: Depth) -> Vec<Item> {
        let mut out = vec![];
        match self {
            Item::Assign { to, values, conditions } if !conditions.is_empty() => {
                let plain = |v: &Expr| Item::Assign { to: to.clone(), values: vec![v.clone()], conditions: vec![] };
                out.extend(values.iter().map(plain));
            }
            Item::Select { to, arms, .. } => {
                let plain = |v: &Expr| Item::Assign { to: to.clone(), values: vec![v.clone()], conditions: vec![] };
                out.extend(arms.iter().map(|a| plain(&a.1)));
            }
            Item::Process { wakes, decls, clock, reset, body } => {
                let with = |body| Item::Process {
                    wakes: *wakes,
                    decls: decls.clone(),
                    clock: clock.clone(),
                    reset: reset.clone(),
                    body,
                };
                out.extend(smaller_list(body, depth).into_iter().map(with));
                let with = |decls| Item::Process {
                    wakes: *wakes,
                    decls,
                    clock: clock.clone(),
                    reset: reset.clone(),
                    body: body.clone(),
                };
                out.extend(simpler_decls(decls, depth).into_iter().map(with));
                // A reset that resets nothing any more.
                out.extend((0..reset.len()).map(|i| {
                    let mut reset = reset.clone();
                    reset.remove(i);
                    let mut clock = clock.clone();
                    if let (Some(c), true) = (&mut clock, reset.is_empty()) {
                        c.reset = None;
                    }
                    Item::Process { wakes: *wakes, decls: decls.clone(), clock, reset, body: body.clone() }
                }));
            }
            Item::Nest { label, branches, tail } => {
                for (b, (head, decls, items)) in branches.iter().enumerate() {
                    for items in shorter(items, |i| i.smaller(depth)) {
                        let mut branches = branches.clone();
                        branches[b] = (head.clone(), decls.clone(), items);
                        out.push(Item::Nest { label, branches, tail });
                    }
                }
            }
            _ => {}
        }
        if depth == Depth::Expressions {
            for i in 0..self.exprs().len() {
                for e in self.exprs()[i].smaller() {
                    let mut copy = self.clone();
                    *copy.exprs_mut()[i] = e;
                    out.push(copy);
                }
            }
        }
        out
    }
}

impl Clock {
    /// The line that opens the process and the statements in it.
    fn write(&self, reset: &[Stmt], body: &[Stmt], depth: usize) -> (String, String) {
        let pad = "  ".repeat(depth);
        let mut text = String::new();
        let block = |stmts: &[Stmt], text: &mut String, depth| write_all(stmts, text, depth);
        if self.waits {
            let _ = writeln!(text, "{pad}wait until {};", self.edge);
            match &self.reset {
                Some((_, active)) => {
                    let _ = writeln!(text, "{pad}if {active} then");
                    block(reset, &mut text, depth + 1);
                    let _ = writeln!(text, "{pad}else");
                    block(body, &mut text, depth + 1);
                    let _ = writeln!(text, "{pad}end if;");
                }
                None => block(body, &mut text, depth),
            }
            return ("process".into(), text);
        }
        let mut list = self.name.to_string();
        match &self.reset {
            Some((true, active)) => {
                let _ = writeln!(text, "{pad}if {active} then");
                block(reset, &mut text, depth + 1);
                let _ = writeln!(text, "{pad}elsif {} then", self.edge);
                block(body, &mut text, depth + 1);
                list += ", ";
                list += active.split(' ').next().unwrap_or("rst");
            }
            Some((false, active)) => {
                let _ = writeln!(text, "{pad}if {} then\n{pad}  if {active} then", self.edge);
                block(reset, &mut text, depth + 2);
                let _ = writeln!(text, "{pad}  else");
                block(body, &mut text, depth + 2);
                let _ = writeln!(text, "{pad}  end if;");
            }
            None => {
                let _ = writeln!(text, "{pad}if {} then", self.edge);
                block(body, &mut text, depth + 1);
            }
        }
        let _ = writeln!(text, "{pad}end if;");
        (format!("process ({list})"), text)
    }
}

impl Unit {
    /// The text, without the context clause.
    pub fn text(&self) -> String {
        let mut out = format!("entity {} is\n", self.name);
        if !self.generics.is_empty() {
            let _ = writeln!(out, "  generic (\n    {}\n  );", self.generics.join(";\n    "));
        }
        let ports: Vec<String> = self.ports.iter().map(|(n, d, t)| format!("    {n} : {d} {t}")).collect();
        if !ports.is_empty() {
            let _ = writeln!(out, "  port (\n{}\n  );", ports.join(";\n"));
        }
        let _ = writeln!(out, "end entity;\narchitecture rtl of {} is", self.name);
        let mut signals: Vec<Rc<str>> = self.ports.iter().map(|p| p.0.clone()).collect();
        let objects = self.decls.iter().filter(|d| d.label.starts_with("signal") || d.label == "alias");
        signals.extend(objects.map(|d| d.name.clone()));
        let mut body = String::new();
        self.items.iter().for_each(|i| i.write(&signals, &mut body, 1));
        write_used(&self.decls, &body, &mut out, 1);
        let _ = write!(out, "begin\n{body}end architecture;\n");
        out
    }

    pub fn walk(&self, f: &mut dyn FnMut(Part)) {
        self.decls.iter().for_each(|d| d.walk(f));
        self.items.iter().for_each(|i| i.walk(f));
    }

    /// Drops declarations that a text, the whole of the design, does not mention.
    pub fn prune(&mut self, text: &str) {
        prune(&mut self.decls, text);
        self.items.iter_mut().for_each(|i| i.prune(text));
    }

    pub fn smaller(&self, depth: Depth) -> Vec<Unit> {
        let items = shorter(&self.items, |i| i.smaller(depth)).into_iter();
        let mut out: Vec<Unit> = items.map(|items| Unit { items, ..self.clone() }).collect();
        let decls = simpler_decls(&self.decls, depth).into_iter();
        out.extend(decls.map(|decls| Unit { decls, ..self.clone() }));
        out
    }
}
