//! Random modules as trees: statements, processes, instances, generate blocks. They print as
//! SystemVerilog and propose simpler variants of themselves to the shrinker.

use super::expr::{Dialect, Expr, Ref};
use super::types::Type;
use std::collections::HashSet;
use std::fmt::Write;
use std::rc::Rc;

/// A procedural statement.
#[derive(Clone, Debug)]
pub enum Stmt {
    /// `{to…} op from`; the operator is `=`, `<=` or a compound one.
    Assign {
        to: Vec<Ref>,
        op: &'static str,
        from: Expr,
    },
    /// An assignment pattern; `keys` name the members, or are missing for a list by position.
    Pattern {
        to: Ref,
        op: &'static str,
        keys: Vec<String>,
        values: Vec<Expr>,
    },
    /// `++` or `--`, before or after.
    Bump {
        to: Ref,
        op: &'static str,
        before: bool,
    },
    If {
        qualifier: &'static str,
        cond: Expr,
        then: Block,
        other: Option<Block>,
    },
    Case {
        qualifier: &'static str,
        kind: CaseKind,
        on: Expr,
        arms: Vec<(Vec<String>, Block)>,
        default: Block,
    },
    /// A loop whose text before the body is fixed.
    Loop {
        head: String,
        label: &'static str,
        body: Block,
        tail: String,
    },
    /// `if (cond) break;` or `continue;`, inside a loop.
    Leave {
        cond: Expr,
        word: &'static str,
    },
    /// A task or void function: inputs are expressions, the last argument is an output.
    Call {
        name: Rc<str>,
        inputs: Vec<Expr>,
        output: Ref,
    },
    Return(Expr),
}

/// The three case statements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CaseKind {
    Plain,
    Wild,
    Inside,
}

/// Local variables and statements.
#[derive(Clone, Default, Debug)]
pub struct Block {
    pub locals: Vec<(Rc<str>, Type)>,
    pub stmts: Vec<Stmt>,
}

/// Something that stands in a module or a generate block.
#[derive(Clone, Debug)]
pub enum Item {
    /// Text that the shrinker takes or leaves as a whole: declarations, initial blocks, typedefs.
    Raw(&'static str, String),
    Assign {
        to: Vec<Ref>,
        from: Expr,
    },
    /// A process, function or task: text before the body, the body, text after.
    Process {
        label: &'static str,
        head: String,
        body: Block,
        tail: &'static str,
    },
    /// A generate construct: each branch has its own opening line.
    Generate {
        label: &'static str,
        branches: Vec<(String, Vec<Item>)>,
        tail: &'static str,
    },
    /// An instance: text around the expressions connected to its inputs.
    Instance {
        label: &'static str,
        head: String,
        inputs: Vec<(String, Expr)>,
        tail: String,
    },
}

/// A module.
#[derive(Clone, Debug)]
pub struct Module {
    pub name: String,
    /// The text between the name and the ports: imports and parameters.
    pub header: String,
    /// Declarations of the ports as text.
    pub ports: Vec<String>,
    pub items: Vec<Item>,
}

fn pad(out: &mut String, depth: usize) {
    out.push_str(&"  ".repeat(depth));
}

fn targets(to: &[Ref]) -> String {
    let names: Vec<String> = to.iter().map(|r| r.text(false)).collect();
    if to.len() == 1 { names[0].clone() } else { format!("{{{}}}", names.join(", ")) }
}

impl Block {
    pub fn of(stmts: Vec<Stmt>) -> Block {
        Block { locals: vec![], stmts }
    }

    /// `begin … end`.
    fn write(&self, out: &mut String, depth: usize) {
        out.push_str("begin\n");
        self.write_body(out, depth + 1);
        pad(out, depth);
        out.push_str("end");
    }

    fn write_body(&self, out: &mut String, depth: usize) {
        for (name, ty) in &self.locals {
            pad(out, depth);
            let _ = writeln!(out, "{};", ty.decl(name));
        }
        self.stmts.iter().for_each(|s| s.write(out, depth));
    }

    fn walk(&self, f: &mut dyn FnMut(Part)) {
        self.stmts.iter().for_each(|s| s.walk(f));
    }

    fn smaller(&self, depth: Depth) -> Vec<Block> {
        let with = |stmts| Block { locals: self.locals.clone(), stmts };
        let mut out: Vec<Block> = shorter(&self.stmts, |s| s.smaller(depth)).into_iter().map(with).collect();
        // The body instead of the statement around it.
        for (i, s) in self.stmts.iter().enumerate() {
            for inner in s.blocks() {
                let mut block = self.clone();
                block.locals.extend(inner.locals.iter().cloned());
                block.stmts.splice(i..=i, inner.stmts.iter().cloned());
                out.push(block);
            }
        }
        out.extend((0..self.locals.len()).map(|i| {
            let mut block = self.clone();
            block.locals.remove(i);
            block
        }));
        out
    }
}

/// A list without one of its elements, or with one of them made simpler.
fn shorter<T: Clone>(list: &[T], smaller: impl Fn(&T) -> Vec<T>) -> Vec<Vec<T>> {
    let mut out = vec![];
    for i in 0..list.len() {
        let mut copy = list.to_vec();
        copy.remove(i);
        out.push(copy);
    }
    for (i, e) in list.iter().enumerate() {
        for s in smaller(e) {
            let mut copy = list.to_vec();
            copy[i] = s;
            out.push(copy);
        }
    }
    out
}

/// How far down a module is taken apart. Statements first: there are fewer of them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    Statements,
    Expressions,
}

impl Depth {
    fn smaller(self, e: &Expr) -> Vec<Expr> {
        if self == Depth::Expressions { e.smaller() } else { vec![] }
    }
}

/// What [`Module::walk`] meets.
pub enum Part<'a> {
    Expr(&'a Expr),
    Target(&'a Ref),
    Label(String),
}

impl Stmt {
    fn blocks(&self) -> Vec<&Block> {
        match self {
            Stmt::If { then, other, .. } => std::iter::once(then).chain(other).collect(),
            Stmt::Case { arms, default, .. } => arms.iter().map(|a| &a.1).chain([default]).collect(),
            Stmt::Loop { body, .. } => vec![body],
            _ => vec![],
        }
    }

    fn write(&self, out: &mut String, depth: usize) {
        pad(out, depth);
        match self {
            Stmt::Assign { to, op, from } => {
                let _ = write!(out, "{} {op} {};", targets(to), from.text(false));
            }
            Stmt::Pattern { to, op, keys, values } => {
                let values: Vec<String> = values
                    .iter()
                    .enumerate()
                    .map(|(i, v)| match keys.get(i) {
                        Some(k) => format!("{k}: {}", v.text(false)),
                        None => v.text(false),
                    })
                    .collect();
                let _ = write!(out, "{} {op} '{{{}}};", to.text(false), values.join(", "));
            }
            Stmt::Bump { to, op, before } => {
                let to = to.text(false);
                let _ = if *before { write!(out, "{op}{to};") } else { write!(out, "{to}{op};") };
            }
            Stmt::If { qualifier, cond, then, other } => {
                let _ = write!(out, "{qualifier}if ({}) ", cond.text(false));
                then.write(out, depth);
                if let Some(other) = other {
                    out.push_str(" else ");
                    match &other.stmts[..] {
                        // A chain of conditions, as people write it.
                        [Stmt::If { qualifier: "", .. }] if other.locals.is_empty() => {
                            let mut inner = String::new();
                            other.stmts[0].write(&mut inner, depth);
                            out.push_str(inner.trim());
                        }
                        _ => other.write(out, depth),
                    }
                }
            }
            Stmt::Case { qualifier, kind, on, arms, default } => {
                let keyword = if *kind == CaseKind::Wild { "casez" } else { "case" };
                let inside = if *kind == CaseKind::Inside { " inside" } else { "" };
                let _ = writeln!(out, "{qualifier}{keyword} ({}){inside}", on.text(false));
                for (labels, body) in arms {
                    pad(out, depth + 1);
                    let _ = write!(out, "{}: ", labels.join(", "));
                    body.write(out, depth + 1);
                    out.push('\n');
                }
                pad(out, depth + 1);
                out.push_str("default: ");
                default.write(out, depth + 1);
                out.push('\n');
                pad(out, depth);
                out.push_str("endcase");
            }
            Stmt::Loop { head, body, tail, .. } => {
                let _ = write!(out, "{head} ");
                body.write(out, depth);
                out.push_str(tail);
            }
            Stmt::Leave { cond, word } => {
                let _ = write!(out, "if ({}) {word};", cond.text(false));
            }
            Stmt::Call { name, inputs, output } => {
                let inputs: String = inputs.iter().map(|e| e.text(false) + ", ").collect();
                let _ = write!(out, "{name}({inputs}{});", output.text(false));
            }
            Stmt::Return(e) => {
                let _ = write!(out, "return {};", e.text(false));
            }
        }
        out.push('\n');
    }

    fn walk(&self, f: &mut dyn FnMut(Part)) {
        let mut all = |es: &[Expr]| es.iter().for_each(|e| f(Part::Expr(e)));
        match self {
            Stmt::Assign { from, .. } => all(std::slice::from_ref(from)),
            Stmt::Pattern { values, .. } => all(values),
            Stmt::If { cond: e, .. } | Stmt::Case { on: e, .. } | Stmt::Leave { cond: e, .. } | Stmt::Return(e) => {
                all(std::slice::from_ref(e));
            }
            Stmt::Call { inputs, .. } => all(inputs),
            Stmt::Bump { .. } | Stmt::Loop { .. } => {}
        }
        match self {
            Stmt::Assign { to, .. } => to.iter().for_each(|r| f(Part::Target(r))),
            Stmt::Pattern { to, .. } | Stmt::Bump { to, .. } | Stmt::Call { output: to, .. } => f(Part::Target(to)),
            _ => {}
        }
        f(Part::Label(self.label()));
        self.blocks().into_iter().for_each(|b| b.walk(f));
    }

    fn label(&self) -> String {
        match self {
            Stmt::Assign { to, op, .. } if to.len() > 1 => format!("statement {{}} {op}"),
            Stmt::Assign { op, .. } => format!("statement {op}"),
            Stmt::Pattern { keys, .. } => match keys.first().map(String::as_str) {
                None => "pattern by position".into(),
                Some("default") => "pattern default".into(),
                Some(_) => "pattern by name".into(),
            },
            Stmt::Bump { op, before, .. } => format!("statement {op}{}", if *before { " before" } else { " after" }),
            Stmt::If { qualifier, .. } => format!("statement {qualifier}if"),
            Stmt::Case { qualifier, kind, .. } => format!("statement {qualifier}case {kind:?}"),
            Stmt::Loop { label, .. } => format!("loop {label}"),
            Stmt::Leave { word, .. } => format!("statement {word}"),
            Stmt::Call { .. } => "statement call".into(),
            Stmt::Return(_) => "statement return".into(),
        }
    }

    fn smaller(&self, depth: Depth) -> Vec<Stmt> {
        let mut out = vec![];
        match self {
            Stmt::Assign { to, op, from } => {
                for e in depth.smaller(from) {
                    out.push(Stmt::Assign { to: to.clone(), op, from: e });
                }
                if to.len() > 1 {
                    out.extend(to.iter().map(|t| Stmt::Assign { to: vec![t.clone()], op, from: from.clone() }));
                }
                if !matches!(*op, "=" | "<=") {
                    out.push(Stmt::Assign { to: to.clone(), op: "=", from: from.clone() });
                }
            }
            Stmt::Pattern { to, op, keys, values } => {
                for (i, v) in values.iter().enumerate() {
                    for e in depth.smaller(v) {
                        let mut values = values.clone();
                        values[i] = e;
                        out.push(Stmt::Pattern { to: to.clone(), op, keys: keys.clone(), values });
                    }
                }
            }
            Stmt::If { qualifier, cond, then, other } => {
                let with = |cond: &Expr, then: &Block, other: &Option<Block>| Stmt::If {
                    qualifier,
                    cond: cond.clone(),
                    then: then.clone(),
                    other: other.clone(),
                };
                if other.is_some() {
                    out.push(with(cond, then, &None));
                }
                out.extend(depth.smaller(cond).iter().map(|c| with(c, then, other)));
                out.extend(then.smaller(depth).iter().map(|t| with(cond, t, other)));
                if let Some(o) = other {
                    out.extend(o.smaller(depth).into_iter().map(|o| with(cond, then, &Some(o))));
                }
            }
            Stmt::Case { qualifier, kind, on, arms, default } => {
                let with = |on: &Expr, arms: Vec<(Vec<String>, Block)>, default: &Block| Stmt::Case {
                    qualifier,
                    kind: *kind,
                    on: on.clone(),
                    arms,
                    default: default.clone(),
                };
                // The labels fit the width and sign of the selector, so it only changes within those.
                let same = depth.smaller(on).into_iter().filter(|e| e.ty() == on.ty());
                out.extend(same.map(|e| with(&e, arms.clone(), default)));
                let arm = |a: &(Vec<String>, Block)| a.1.smaller(depth).into_iter().map(|b| (a.0.clone(), b)).collect();
                out.extend(shorter(arms, arm).into_iter().filter(|a| !a.is_empty()).map(|a| with(on, a, default)));
                out.extend(default.smaller(depth).iter().map(|d| with(on, arms.clone(), d)));
            }
            Stmt::Loop { head, label, body, tail } => {
                out.extend(body.smaller(depth).into_iter().map(|body| Stmt::Loop {
                    head: head.clone(),
                    label,
                    body,
                    tail: tail.clone(),
                }))
            }
            Stmt::Leave { cond, word } => {
                out.extend(depth.smaller(cond).into_iter().map(|cond| Stmt::Leave { cond, word }));
            }
            Stmt::Call { name, inputs, output } => {
                for (i, e) in inputs.iter().enumerate() {
                    for s in depth.smaller(e) {
                        let mut inputs = inputs.clone();
                        inputs[i] = s;
                        out.push(Stmt::Call { name: name.clone(), inputs, output: output.clone() });
                    }
                }
            }
            Stmt::Return(e) => out.extend(depth.smaller(e).into_iter().map(Stmt::Return)),
            Stmt::Bump { .. } => {}
        }
        out
    }
}

impl Item {
    fn write(&self, out: &mut String, depth: usize) {
        pad(out, depth);
        match self {
            Item::Raw(_, text) => out.push_str(text.trim_end()),
            Item::Assign { to, from } => {
                let _ = write!(out, "assign {} = {};", targets(to), from.text(false));
            }
            Item::Process { head, body, tail, .. } => {
                let _ = write!(out, "{head} ");
                if tail.is_empty() {
                    body.write(out, depth);
                } else {
                    out.push('\n');
                    body.write_body(out, depth + 1);
                    pad(out, depth);
                    out.push_str(tail);
                }
            }
            Item::Generate { branches, tail, .. } => {
                for (head, items) in branches {
                    let _ = writeln!(out, "{head}");
                    items.iter().for_each(|i| i.write(out, depth + 1));
                    pad(out, depth);
                }
                out.push_str(tail);
            }
            Item::Instance { head, inputs, tail, .. } => {
                let inputs: String = inputs.iter().map(|(open, e)| format!("{open}{}", e.text(false))).collect();
                let _ = write!(out, "{head}{inputs}{tail}");
            }
        }
        out.push('\n');
    }

    fn walk(&self, f: &mut dyn FnMut(Part)) {
        match self {
            Item::Raw(label, _) => f(Part::Label(label.to_string())),
            Item::Assign { to, from } => {
                to.iter().for_each(|r| f(Part::Target(r)));
                f(Part::Expr(from));
                f(Part::Label(if to.len() > 1 { "item assign {}" } else { "item assign" }.into()));
            }
            Item::Process { label, body, .. } => {
                f(Part::Label(label.to_string()));
                body.walk(f);
            }
            Item::Generate { label, branches, .. } => {
                f(Part::Label(label.to_string()));
                branches.iter().flat_map(|b| &b.1).for_each(|i| i.walk(f));
            }
            Item::Instance { label, inputs, .. } => {
                f(Part::Label(label.to_string()));
                inputs.iter().for_each(|(_, e)| f(Part::Expr(e)));
            }
        }
    }

    fn smaller(&self, depth: Depth) -> Vec<Item> {
        match self {
            Item::Raw(..) => vec![],
            Item::Assign { to, from } => {
                depth.smaller(from).into_iter().map(|from| Item::Assign { to: to.clone(), from }).collect()
            }
            Item::Process { label, head, body, tail } => body
                .smaller(depth)
                .into_iter()
                .map(|body| Item::Process { label, head: head.clone(), body, tail })
                .collect(),
            Item::Generate { label, branches, tail } => {
                let mut out = vec![];
                for (i, (head, items)) in branches.iter().enumerate() {
                    for items in shorter(items, |i| i.smaller(depth)) {
                        let mut branches = branches.clone();
                        branches[i] = (head.clone(), items);
                        out.push(Item::Generate { label, branches, tail });
                    }
                }
                out
            }
            Item::Instance { label, head, inputs, tail } => {
                let mut out = vec![];
                for (i, (open, e)) in inputs.iter().enumerate() {
                    for s in depth.smaller(e) {
                        let mut inputs = inputs.clone();
                        inputs[i] = (open.clone(), s);
                        out.push(Item::Instance { label, head: head.clone(), inputs, tail: tail.clone() });
                    }
                }
                out
            }
        }
    }
}

impl Module {
    /// The source text.
    pub fn text(&self) -> String {
        let mut out = format!("module {}{}({});\n", self.name, self.header, self.ports.join(", "));
        self.items.iter().for_each(|i| i.write(&mut out, 1));
        out + "endmodule\n"
    }

    /// Calls `f` on every expression, assignment target and construct.
    pub fn walk(&self, f: &mut dyn FnMut(Part)) {
        self.items.iter().for_each(|i| i.walk(f));
    }

    /// Whether all expressions and targets are fit for the dialect.
    pub fn valid(&self, dialect: Dialect) -> bool {
        let mut ok = true;
        self.walk(&mut |p| match p {
            Part::Expr(e) => ok &= e.valid(dialect),
            Part::Target(r) => ok &= r.valid(dialect),
            Part::Label(_) => {}
        });
        ok
    }

    /// Only the items that an output can depend on, by the names they mention.
    pub fn sliced(&self, output: &str) -> Module {
        let words = |i: &Item| {
            let mut text = String::new();
            i.write(&mut text, 0);
            let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
            text.split(|c| !word(c)).filter(|w| !w.is_empty()).map(String::from).collect::<HashSet<String>>()
        };
        let all: Vec<HashSet<String>> = self.items.iter().map(words).collect();
        let mut needed = HashSet::from([output.to_string()]);
        let mut kept = vec![false; self.items.len()];
        loop {
            let mut grown = false;
            for (n, item) in self.items.iter().enumerate() {
                let mut defined: Vec<String> = vec![];
                item.walk(&mut |p| {
                    if let Part::Target(r) = p {
                        defined.push(r.name.to_string());
                    }
                });
                let wanted = match item {
                    Item::Raw(..) => all[n].iter().any(|w| needed.contains(w)),
                    // Outputs and implicit connections are only there as text.
                    Item::Instance { .. } => true,
                    // A routine is wanted for its name, its own variables are nobody's.
                    Item::Process { tail, .. } if !tail.is_empty() => all[n].iter().any(|w| needed.contains(w)),
                    _ => defined.iter().any(|d| needed.contains(d)),
                };
                if wanted && !kept[n] {
                    kept[n] = true;
                    grown = true;
                    if !matches!(item, Item::Raw(label, _) if *label != "net with value") {
                        needed.extend(all[n].iter().cloned());
                    }
                }
            }
            if !grown {
                break;
            }
        }
        let items = self.items.iter().zip(&kept).filter(|(_, k)| **k).map(|(i, _)| i.clone()).collect();
        Module { items, ..self.clone() }
    }

    /// Simpler modules that may show the same failure (the ports stay).
    pub fn smaller(&self, depth: Depth) -> Vec<Module> {
        shorter(&self.items, |i| i.smaller(depth)).into_iter().map(|items| Module { items, ..self.clone() }).collect()
    }
}
