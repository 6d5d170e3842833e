//! Sequential statements as trees: they print as VHDL and propose simpler variants of themselves to the
//! shrinker.

use super::expr::{Expr, Sure, level};
use std::fmt::Write;

/// A sequential statement.
#[derive(Clone, Debug)]
pub enum Stmt {
    /// `to <= from;` or `:=`.
    Assign {
        to: Expr,
        op: &'static str,
        from: Expr,
    },
    /// A conditional assignment (VHDL-2008): one value more than conditions.
    When {
        to: Expr,
        op: &'static str,
        values: Vec<Expr>,
        conditions: Vec<Expr>,
    },
    /// `if` with any number of `elsif`.
    If {
        arms: Vec<(Expr, Vec<Stmt>)>,
        other: Vec<Stmt>,
    },
    /// `case` or `case?`; `others` is a choice like any.
    Case {
        matching: bool,
        on: Expr,
        arms: Vec<(String, Vec<Stmt>)>,
    },
    /// A loop whose text before `loop` is fixed but for one more condition; the name ends it, too.
    Loop {
        name: Option<String>,
        head: String,
        also: Option<Expr>,
        label: &'static str,
        body: Vec<Stmt>,
    },
    /// `exit when` or `next when`, of the innermost loop or of one with a name.
    Leave {
        word: &'static str,
        name: Option<String>,
        condition: Expr,
    },
    /// A procedure call; its text is the template of the expression.
    Call(Expr),
    Return(Expr),
    /// A statement without parts worth shrinking.
    Raw(&'static str, String),
}

/// How far down a design is taken apart. Statements first: there are fewer of them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    Statements,
    Expressions,
}

/// What a walk meets.
pub enum Part<'a> {
    Expr(&'a Expr),
    Label(String),
}

/// Writes a list of statements.
pub fn write_all(stmts: &[Stmt], out: &mut String, depth: usize) {
    if stmts.is_empty() {
        let _ = writeln!(out, "{}null;", "  ".repeat(depth));
    }
    stmts.iter().for_each(|s| s.write(out, depth));
}

/// The variants of a list with one statement simpler, missing, or replaced by what is inside it.
pub fn smaller_list(stmts: &[Stmt], depth: Depth) -> Vec<Vec<Stmt>> {
    let mut out = shorter(stmts, |s| s.smaller(depth));
    for (i, s) in stmts.iter().enumerate() {
        for inner in s.lists() {
            // What leaves a loop must stay in it.
            if inner.iter().any(Stmt::leaves) {
                continue;
            }
            let mut copy = stmts.to_vec();
            copy.splice(i..=i, inner.iter().cloned());
            out.push(copy);
        }
    }
    out
}

/// A list without one of its elements, or with one of them made simpler.
pub fn shorter<T: Clone>(list: &[T], smaller: impl Fn(&T) -> Vec<T>) -> Vec<Vec<T>> {
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

impl Stmt {
    /// The lists of statements inside.
    fn lists(&self) -> Vec<&Vec<Stmt>> {
        match self {
            Stmt::If { arms, other } => arms.iter().map(|a| &a.1).chain([other]).collect(),
            Stmt::Case { arms, .. } => arms.iter().map(|a| &a.1).collect(),
            Stmt::Loop { body, .. } => vec![body],
            _ => vec![],
        }
    }

    fn lists_mut(&mut self) -> Vec<&mut Vec<Stmt>> {
        match self {
            Stmt::If { arms, other } => arms.iter_mut().map(|a| &mut a.1).chain([other]).collect(),
            Stmt::Case { arms, .. } => arms.iter_mut().map(|a| &mut a.1).collect(),
            Stmt::Loop { body, .. } => vec![body],
            _ => vec![],
        }
    }

    /// The expressions of this statement itself.
    fn exprs(&self) -> Vec<&Expr> {
        match self {
            Stmt::Assign { to, from, .. } => vec![to, from],
            Stmt::When { to, values, conditions, .. } => [to].into_iter().chain(values).chain(conditions).collect(),
            Stmt::If { arms, .. } => arms.iter().map(|a| &a.0).collect(),
            Stmt::Case { on: e, .. } | Stmt::Leave { condition: e, .. } | Stmt::Call(e) | Stmt::Return(e) => vec![e],
            Stmt::Loop { also, .. } => also.iter().collect(),
            Stmt::Raw(..) => vec![],
        }
    }

    fn exprs_mut(&mut self) -> Vec<&mut Expr> {
        match self {
            Stmt::Assign { to, from, .. } => vec![to, from],
            Stmt::When { to, values, conditions, .. } => [to].into_iter().chain(values).chain(conditions).collect(),
            Stmt::If { arms, .. } => arms.iter_mut().map(|a| &mut a.0).collect(),
            Stmt::Case { on: e, .. } | Stmt::Leave { condition: e, .. } | Stmt::Call(e) | Stmt::Return(e) => vec![e],
            Stmt::Loop { also, .. } => also.iter_mut().collect(),
            Stmt::Raw(..) => vec![],
        }
    }

    /// Whether it or something in it leaves a loop around it.
    fn leaves(&self) -> bool {
        matches!(self, Stmt::Leave { .. }) || self.lists().into_iter().flatten().any(Stmt::leaves)
    }

    fn write(&self, out: &mut String, depth: usize) {
        let pad = "  ".repeat(depth);
        let _ = match self {
            Stmt::Assign { to, op, from } => writeln!(out, "{pad}{} {op} {};", to.text(), from.source()),
            Stmt::When { to, op, values, conditions } => {
                let _ = write!(out, "{pad}{} {op} ", to.text());
                for (v, c) in values.iter().zip(conditions) {
                    let _ = write!(out, "{} when {} else ", v.source(), c.condition());
                }
                writeln!(out, "{};", values.last().map_or(String::new(), Expr::source))
            }
            Stmt::If { arms, other } => {
                for (i, (condition, body)) in arms.iter().enumerate() {
                    let word = if i == 0 { "if" } else { "elsif" };
                    let _ = writeln!(out, "{pad}{word} {} then", condition.condition());
                    write_all(body, out, depth + 1);
                }
                if !other.is_empty() {
                    let _ = writeln!(out, "{pad}else");
                    write_all(other, out, depth + 1);
                }
                writeln!(out, "{pad}end if;")
            }
            Stmt::Case { matching, on, arms } => {
                let mark = if *matching { "?" } else { "" };
                let _ = writeln!(out, "{pad}case{mark} {} is", on.condition());
                for (choice, body) in arms {
                    let _ = writeln!(out, "{pad}  when {choice} =>");
                    write_all(body, out, depth + 2);
                }
                writeln!(out, "{pad}end case{mark};")
            }
            Stmt::Loop { name, head, also, body, .. } => {
                let also = also.as_ref().map(|e| format!("and {} ", e.text_for(level::RELATION, Sure::Type)));
                let head = format!("{head}{}", also.unwrap_or_default());
                let label = name.as_ref().map_or(String::new(), |n| format!("{n} : "));
                let _ = writeln!(out, "{pad}{label}{head}loop");
                write_all(body, out, depth + 1);
                let end = name.as_ref().map_or(String::new(), |n| format!(" {n}"));
                writeln!(out, "{pad}end loop{end};")
            }
            Stmt::Leave { word, name, condition } => {
                let name = name.as_ref().map_or(String::new(), |n| format!(" {n}"));
                writeln!(out, "{pad}{word}{name} when {};", condition.condition())
            }
            Stmt::Call(e) => writeln!(out, "{pad}{};", e.text()),
            Stmt::Return(e) => writeln!(out, "{pad}return {};", e.source()),
            Stmt::Raw(_, text) => writeln!(out, "{pad}{text}"),
        };
    }

    /// Calls `f` on every construct and expression.
    pub fn walk(&self, f: &mut dyn FnMut(Part)) {
        f(Part::Label(self.label()));
        self.exprs().into_iter().for_each(|e| f(Part::Expr(e)));
        self.lists().into_iter().flatten().for_each(|s| s.walk(f));
    }

    fn label(&self) -> String {
        match self {
            Stmt::Assign { to, op, .. } => {
                let part = match to.label.as_str() {
                    "name" => "whole",
                    "aggregate target" => "aggregate",
                    _ => "part",
                };
                format!("statement {op} {part}")
            }
            Stmt::When { op, .. } => format!("statement {op} when"),
            Stmt::If { arms, .. } if arms.len() > 1 => "statement if elsif".into(),
            Stmt::If { .. } => "statement if".into(),
            Stmt::Case { matching: true, .. } => "statement case?".into(),
            Stmt::Case { on, .. } => format!("statement case on {}", super::make::word(&on.ty)),
            Stmt::Loop { also: Some(_), .. } => "loop while with a condition on data".into(),
            Stmt::Loop { label, .. } => format!("loop {label}"),
            Stmt::Leave { word, name, .. } => {
                format!("statement {word}{}", if name.is_some() { " outer loop" } else { "" })
            }
            Stmt::Call(e) => e.label.clone(),
            Stmt::Return(_) => "statement return".into(),
            Stmt::Raw(label, _) => (*label).into(),
        }
    }

    /// Simpler statements that may show the same failure.
    fn smaller(&self, depth: Depth) -> Vec<Stmt> {
        let mut out = vec![];
        match self {
            Stmt::If { arms, other } => {
                if !other.is_empty() {
                    out.push(Stmt::If { arms: arms.clone(), other: vec![] });
                }
                if arms.len() > 1 {
                    out.extend(
                        shorter(arms, |_| vec![]).into_iter().map(|arms| Stmt::If { arms, other: other.clone() }),
                    );
                }
            }
            Stmt::Case { matching, on, arms } if arms.len() > 1 => {
                // The last arm covers what the others do not.
                out.extend((0..arms.len() - 1).map(|i| {
                    let mut arms = arms.clone();
                    arms.remove(i);
                    let last = arms.len() - 1;
                    arms[last].0 = "others".into();
                    Stmt::Case { matching: *matching, on: on.clone(), arms }
                }));
            }
            Stmt::When { to, op, values, .. } => {
                out.extend(values.iter().map(|v| Stmt::Assign { to: to.clone(), op, from: v.clone() }));
            }
            _ => {}
        }
        for i in 0..self.lists().len() {
            for list in smaller_list(self.lists()[i], depth) {
                let mut copy = self.clone();
                *copy.lists_mut()[i] = list;
                out.push(copy);
            }
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
