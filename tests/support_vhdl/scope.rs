//! What an expression may mention: objects, functions, types; and the parts of objects that have a
//! wanted type.

use super::types::{Kind, Type};
use std::rc::Rc;

/// A signal, variable, constant, port, generic or loop parameter.
#[derive(Clone, PartialEq, Debug)]
pub struct Object {
    pub name: Rc<str>,
    pub ty: Type,
    /// Whether its value is known before simulation, so that it may stand in a constant.
    pub fixed: bool,
}

/// The class of a parameter of a subprogram.
#[derive(Clone, PartialEq, Debug)]
pub struct Param {
    pub name: Rc<str>,
    pub ty: Type,
}

/// A function with parameters of fixed types.
#[derive(PartialEq, Debug)]
pub struct Func {
    pub name: Rc<str>,
    pub params: Vec<Param>,
    pub ret: Type,
}

/// What is visible.
#[derive(Clone, Default, Debug)]
pub struct Scope {
    pub objects: Vec<Object>,
    pub funcs: Vec<Rc<Func>>,
    /// Composite types, enumerations and integer types of the design.
    pub types: Vec<Type>,
    /// Evaluated once at a known time (clocked, in a function), not whenever an operand changes.
    pub timed: bool,
    /// Evaluated while the package is elaborated that declares the functions: none may be called yet.
    pub bare: bool,
    /// Only what the stand-in for entail can do.
    pub plain: bool,
}

impl Scope {
    pub fn add(&mut self, name: impl Into<Rc<str>>, ty: Type) {
        self.objects.push(Object { name: name.into(), ty, fixed: false });
    }

    pub fn constant(&mut self, name: impl Into<Rc<str>>, ty: Type) {
        self.objects.push(Object { name: name.into(), ty, fixed: true });
    }

    /// Only what a constant may mention.
    pub fn constants(&self) -> Scope {
        let objects = self.objects.iter().filter(|o| o.fixed).cloned().collect();
        Scope { objects, ..self.clone() }
    }

    /// Integer types of the design's own.
    pub fn integers(&self) -> Vec<Type> {
        self.types.iter().filter(|t| matches!(t, Type::Integer(Some(_), ..))).cloned().collect()
    }

    pub fn enums(&self) -> Vec<Type> {
        self.types.iter().filter(|t| matches!(t, Type::Enum(_))).cloned().collect()
    }
}

/// One step from an object into a part of it.
#[derive(Clone, PartialEq, Debug)]
pub enum Step {
    /// Any one element.
    Element,
    /// Any slice of this length.
    Slice(u32),
    Field(usize),
}

/// All ways of at most three steps that lead from a type to one that `wanted` takes.
pub fn ways(from: &Type, wanted: &Type) -> Vec<Vec<Step>> {
    let mut out = vec![];
    search(from, wanted, &mut vec![], &mut out);
    out
}

fn search(from: &Type, wanted: &Type, path: &mut Vec<Step>, out: &mut Vec<Vec<Step>>) {
    if wanted.takes(from) {
        out.push(path.clone());
    }
    if path.len() == 3 {
        return;
    }
    let mut go = |step: Step, next: Type, out: &mut Vec<Vec<Step>>| {
        path.push(step);
        search(&next, wanted, path, out);
        path.pop();
    };
    match from {
        Type::Vector(k, r) => {
            match wanted {
                Type::Vector(l, s) if k == l && s.len() < r.len() => {
                    path.push(Step::Slice(s.len()));
                    out.push(path.clone());
                    path.pop();
                }
                Type::Logic if *k != Kind::Bits => go(Step::Element, Type::Logic, out),
                Type::Bit if *k == Kind::Bits => go(Step::Element, Type::Bit, out),
                _ => {}
            };
        }
        Type::Record(r) => {
            for (i, (_, t)) in r.fields.iter().enumerate() {
                go(Step::Field(i), t.clone(), out);
            }
        }
        Type::Array(a) => {
            let (own, len) = (&a.name, a.dims[0].len());
            if let Type::Array(b) = wanted
                && b.name == *own
                && a.dims.len() == 1
                && a.index.is_none()
                && b.dims[0].len() < len
            {
                path.push(Step::Slice(b.dims[0].len()));
                out.push(path.clone());
                path.pop();
            } else {
                go(Step::Element, a.elem.clone(), out);
            }
        }
        _ => {}
    }
}
