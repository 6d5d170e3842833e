//! Declarations: printed only if something mentions them, so the shrinker need not care for them.

use super::expr::{Expr, Sure};
use super::stmt::{Depth, Part, Stmt, smaller_list, write_all};
use super::types::Type;
use crate::support::expr_batch::mentions;
use std::fmt::Write;
use std::rc::Rc;

/// A declaration: an object, alias, subprogram or component, as text.
#[derive(Clone, Debug)]
pub struct Decl {
    pub name: Rc<str>,
    pub label: &'static str,
    pub text: String,
    /// Types its text may name.
    pub types: Vec<Type>,
    /// The body, if it is a subprogram that the shrinker may take apart: `text` is its head.
    pub body: Option<(Vec<Decl>, Vec<Stmt>)>,
}

impl Decl {
    pub fn new(label: &'static str, name: &Rc<str>, text: String, types: Vec<Type>) -> Decl {
        Decl { name: name.clone(), label, text, types, body: None }
    }

    /// `signal name : type := value`.
    pub fn signal(name: &Rc<str>, ty: &Type, value: Option<&Expr>) -> Decl {
        Decl::object("signal", name, ty, value)
    }

    pub fn object(class: &'static str, name: &Rc<str>, ty: &Type, value: Option<&Expr>) -> Decl {
        let value_text = value.map_or(String::new(), |v| match class {
            "constant" => format!(" := {}", constant_value(ty, v)),
            _ => format!(" := {}", v.source()),
        });
        let mut types = vec![ty.clone()];
        if let Some(v) = value {
            v.walk(&mut |e| types.push(e.ty.clone()));
        }
        let label = match (class, value.is_some()) {
            ("signal", true) => "signal with value",
            ("variable", true) => "variable with value",
            _ => class,
        };
        Decl::new(label, name, format!("{class} {name} : {}{value_text};", ty.mark()), types)
    }

    pub fn write(&self, out: &mut String, depth: usize) {
        let pad = "  ".repeat(depth);
        let Some((decls, body)) = &self.body else {
            for line in self.text.lines() {
                let _ = writeln!(out, "{pad}{line}");
            }
            return;
        };
        let _ = writeln!(out, "{pad}{} is", self.text);
        let mut inner = String::new();
        write_all(body, &mut inner, depth + 1);
        write_used(decls, &inner, out, depth + 1);
        let word = self.text.trim_start_matches("pure ").split(' ').next().unwrap_or("");
        let _ = write!(out, "{pad}begin\n{inner}{pad}end {word};\n");
    }

    pub fn walk(&self, f: &mut dyn FnMut(Part)) {
        f(Part::Label(self.label.into()));
        if let Some((decls, body)) = &self.body {
            decls.iter().for_each(|d| d.walk(f));
            body.iter().for_each(|s| s.walk(f));
        }
    }

    fn smaller(&self, depth: Depth) -> Vec<Decl> {
        let Some((decls, body)) = &self.body else { return vec![] };
        let with = |body| Decl { body: Some((decls.clone(), body)), ..self.clone() };
        smaller_list(body, depth).into_iter().map(with).collect()
    }
}

/// The value of a constant as text. GHDL 2.0 gives a constant the bounds of its value instead of its own
/// if it evaluates the value itself; then `c(0)` is the wrong element, or none. Literals and aggregates
/// are all right, anything else is hidden from it.
pub fn constant_value(ty: &Type, value: &Expr) -> String {
    let plain = value.sure == Sure::Nothing || value.label.starts_with("literal");
    match ty {
        Type::Vector(..) | Type::Array(_) if !plain => format!("{}'({})", ty.base(), value.text()),
        _ => value.source(),
    }
}

/// Writes those declarations that a text mentions, and those which these mention in turn.
pub fn write_used(decls: &[Decl], text: &str, out: &mut String, depth: usize) {
    let mut used = String::new();
    let mut kept = vec![];
    for d in decls.iter().rev() {
        if mentions(text, &d.name) || mentions(&used, &d.name) {
            let mut own = String::new();
            d.write(&mut own, depth);
            used += &own;
            kept.push(own);
        }
    }
    kept.iter().rev().for_each(|d| *out += d);
}

/// Drops declarations that a text does not mention.
pub fn prune(decls: &mut Vec<Decl>, text: &str) {
    decls.retain(|d| mentions(text, &d.name));
    for (inner, _) in decls.iter_mut().filter_map(|d| d.body.as_mut()) {
        prune(inner, text);
    }
}

/// The declarations with one subprogram simpler.
pub fn simpler_decls(decls: &[Decl], depth: Depth) -> Vec<Vec<Decl>> {
    let mut out = vec![];
    for (i, d) in decls.iter().enumerate() {
        for s in d.smaller(depth) {
            let mut copy = decls.to_vec();
            copy[i] = s;
            out.push(copy);
        }
    }
    out
}
