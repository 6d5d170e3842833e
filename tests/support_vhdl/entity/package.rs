//! The package of a design: types, constants (some deferred), functions and procedures.

use super::{Class, Maker};
use crate::support_vhdl::decl::{Decl, constant_value, prune};
use crate::support_vhdl::expr::Expr;
use crate::support_vhdl::scope::Scope;
use crate::support_vhdl::types::Type;
use crate::support_vhdl::zoo;
use crate::support_vhdl::{library, stmt::Part};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Constants and subprograms; the types are those that something uses.
#[derive(Clone, Debug)]
pub struct Package {
    pub name: String,
    pub types: Vec<Type>,
    pub constants: Vec<Constant>,
    pub routines: Vec<Decl>,
}

#[derive(Clone, Debug)]
pub struct Constant {
    pub name: Rc<str>,
    pub ty: Type,
    pub value: Expr,
    /// Whether the value is given in the body only.
    pub deferred: bool,
}

impl Package {
    /// The package and its body, with what `code`, the rest of the design, uses.
    pub fn text(&self, code: &str, seen: &BTreeMap<String, Type>) -> String {
        let mut routines = vec![];
        let mut used = code.to_string();
        for d in self.routines.iter().rev() {
            if crate::support::expr_batch::mentions(&used, &d.name) {
                let mut text = String::new();
                d.write(&mut text, 1);
                used += &text;
                routines.insert(0, (format!("  {};\n", d.text), text));
            }
        }
        let constants: Vec<&Constant> =
            self.constants.iter().filter(|c| crate::support::expr_batch::mentions(&used, &c.name)).collect();
        let mut head = String::new();
        let mut body = String::new();
        for c in constants {
            let full = format!("  constant {} : {} := {};\n", c.name, c.ty.mark(), constant_value(&c.ty, &c.value));
            head += &if c.deferred { format!("  constant {} : {};\n", c.name, c.ty.mark()) } else { full.clone() };
            if c.deferred {
                body += &full;
            }
        }
        for (declaration, text) in &routines {
            head += declaration;
            body += text;
        }
        let all = format!("{code}{head}{body}");
        let library = library::used(&all);
        let types = zoo::declarations(&self.types, seen, &format!("{all}{}", library.0));
        format!(
            "package {0} is\n{types}{1}{head}end package;\npackage body {0} is\n{2}{body}end package body;\n",
            self.name, library.0, library.1
        )
    }

    /// Drops what a text does not mention.
    pub fn prune(&mut self, text: &str) {
        self.constants.retain(|c| crate::support::expr_batch::mentions(text, &c.name));
        prune(&mut self.routines, text);
    }

    pub fn walk(&self, f: &mut dyn FnMut(Part)) {
        for c in &self.constants {
            f(Part::Label(if c.deferred { "deferred constant".into() } else { "constant in package".into() }));
            f(Part::Expr(&c.value));
        }
        self.routines.iter().for_each(|r| r.walk(f));
    }

    /// Notes every type that may need a name.
    pub fn note(&self, seen: &mut BTreeMap<String, Type>) {
        for c in &self.constants {
            zoo::note_type(&c.ty, seen);
            zoo::note(&c.value, seen);
        }
        self.routines.iter().for_each(|d| note_decl(d, seen));
    }
}

/// Notes the types of a declaration and of all that is in it.
pub fn note_decl(d: &Decl, seen: &mut BTreeMap<String, Type>) {
    d.types.iter().for_each(|t| zoo::note_type(t, seen));
    if let Some((decls, _)) = &d.body {
        decls.iter().for_each(|d| note_decl(d, seen));
    }
    d.walk(&mut |part| {
        if let Part::Expr(e) = part {
            zoo::note(e, seen);
        }
    });
}

impl Maker<'_> {
    pub(super) fn package(&mut self) -> Package {
        let mut constants = vec![];
        for _ in 0..self.rng.u32(1..=3) {
            let (name, ty) = (self.name("c"), self.constant_type());
            let scope =
                Scope { types: self.package.types.clone(), bare: true, plain: self.package.plain, ..Scope::default() };
            let value = self.constant_value(&scope, &ty);
            // A deferred constant has no value while the package itself is elaborated, but units may use it.
            let deferred = self.one_in(3);
            constants.push(Constant { name: name.clone(), ty: ty.clone(), value, deferred });
            self.package.constant(name, ty);
        }
        let mut routines = vec![];
        for _ in 0..self.rng.u32(1..=2) {
            let (decl, f) = self.function(&self.package.clone(), "function in package");
            routines.push(decl);
            self.package.funcs.push(f);
        }
        for _ in 0..self.rng.u32(0..=2) {
            let class = self.pick(&[Class::OutSignal, Class::OutVariable, Class::InoutVariable]);
            let ty = self.object_type();
            let (decl, p) = self.procedure(&self.package.clone(), "procedure in package", class, ty);
            routines.push(decl);
            self.procedures.push(p);
        }
        Package { name: format!("{}_pkg", self.prefix), types: self.package.types.clone(), constants, routines }
    }
}
