//! The own types of a design: enumerations, integer types, nested records, arrays of every form.

use super::expr::Expr;
use super::make::range;
use super::types::{ArrayDef, EnumDef, Form, Kind, Range, RecordDef, Type};
use crate::support::expr_batch::mentions;
use fastrand::Rng;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A random vector of the standard kinds, declared in any direction.
pub fn vector(rng: &mut Rng, width: u32) -> Type {
    let kind = [Kind::Slv, Kind::Unsigned, Kind::Signed][rng.usize(0..3)];
    Type::Vector(kind, range(rng, width))
}

fn array(name: &str, dims: Vec<Range>, elem: Type, form: Form) -> Type {
    Type::Array(Rc::new(ArrayDef { name: name.into(), dims, elem, form, index: None }))
}

/// One of each, with random shapes.
pub fn types(rng: &mut Rng) -> Vec<Type> {
    let colours = ["red", "green", "blue", "amber", "white"];
    let n = rng.usize(2..=5);
    let enumeration = |name: &str, literals: &[&str]| {
        Rc::new(EnumDef { name: name.into(), literals: literals.iter().map(|l| Rc::from(*l)).collect() })
    };
    let colour = enumeration("colour_t", &colours[..n]);
    // Two literals are overloaded, and three are characters.
    let state = enumeration("state_t", &["idle", "load", "amber", "busy", "red", "done", "'0'", "'1'", "'x'"]);
    let low = -rng.i64(0..=20);
    let small = Type::Integer(Some("small_t".into()), low, low + rng.i64(5..=120));
    let w = rng.u32(1..=7);
    let inner = Type::Record(Rc::new(RecordDef {
        name: "inner_t".into(),
        fields: vec![("x".into(), Type::Logic), ("v".into(), vector(rng, w)), ("c".into(), Type::Enum(colour.clone()))],
    }));
    let w = rng.u32(2..=9);
    let twin = vector(rng, w);
    let outer = Type::Record(Rc::new(RecordDef {
        name: "outer_t".into(),
        fields: vec![
            ("a".into(), twin.clone()),
            ("i".into(), inner.clone()),
            ("b".into(), twin),
            ("n".into(), Type::int(-rng.i64(1..=9), rng.i64(1..=30))),
            ("ok".into(), Type::Boolean),
        ],
    }));
    let w = rng.u32(2..=6);
    let elem = vector(rng, w);
    let n = rng.u32(2..=5);
    let fixed = array("fixed_t", vec![range(rng, n)], elem.clone(), Form::Fixed);
    let n = rng.u32(2..=4);
    let w = rng.u32(1..=8);
    let elem = vector(rng, w);
    let open = array("open_t", vec![range(rng, n)], elem, Form::Open);
    let w = rng.u32(2..=5);
    let wide = array("wide_t", vec![Range::to(0, rng.i64(1..=3))], vector(rng, w), Form::OpenElement);
    let w = rng.u32(1..=4);
    let elem = vector(rng, w);
    let (rows, columns) = (rng.u32(1..=3), rng.u32(2..=3));
    let matrix = array("matrix_t", vec![range(rng, rows), range(rng, columns)], elem, Form::Fixed);
    let n = rng.u32(2..=4);
    let counts = array("counts_t", vec![range(rng, n)], Type::int(-4, 11), Form::Fixed);
    let n = rng.u32(2..=3);
    let inners = array("inners_t", vec![range(rng, n)], inner.clone(), Form::Fixed);
    let n = colour.literals.len() as i64;
    let w = rng.u32(1..=4);
    let by_colour = Type::Array(Rc::new(ArrayDef {
        name: "by_colour_t".into(),
        dims: vec![Range::to(0, n - 1)],
        elem: vector(rng, w),
        form: Form::Fixed,
        index: Some(colour.clone()),
    }));
    vec![
        Type::Enum(colour),
        Type::Enum(state),
        small,
        inner,
        outer,
        fixed,
        open,
        wide,
        matrix,
        counts,
        inners,
        by_colour,
    ]
}

/// The text of a declaration of an integer type; [`Type::declaration`] knows only the interval in use.
fn declaration(ty: &Type) -> Option<String> {
    match ty {
        Type::Integer(Some(n), l, h) => Some(format!("  type {n} is range {l} to {h};\n")),
        t => t.declaration(),
    }
}

/// The declarations a text needs: those of the own types and of the subtypes of `seen` that it
/// mentions, and all that these refer to.
pub fn declarations(own: &[Type], seen: &BTreeMap<String, Type>, text: &str) -> String {
    let mut subtypes = String::new();
    for (name, ty) in seen {
        if mentions(text, name) {
            subtypes += &ty.subtype().unwrap_or_default();
        }
    }
    let mut wanted: Vec<bool> = own.iter().map(|t| uses(text, t) || uses(&subtypes, t)).collect();
    for (i, t) in own.iter().enumerate().rev() {
        let parts = t.with_parts();
        if wanted[i] {
            own.iter().enumerate().for_each(|(j, o)| wanted[j] |= parts.contains(o));
        }
    }
    let types: String = own.iter().zip(wanted).filter(|w| w.1).filter_map(|(t, _)| declaration(t)).collect();
    types + &subtypes
}

/// Whether a text needs the type: by its name, or by one of its literals.
fn uses(text: &str, ty: &Type) -> bool {
    let literal = |e: &EnumDef| e.literals.iter().any(|l| !l.starts_with('\'') && mentions(text, l));
    mentions(text, &ty.base()) || matches!(ty, Type::Enum(e) if literal(e))
}

/// Notes every type in an expression that may need a name.
pub fn note(e: &Expr, seen: &mut BTreeMap<String, Type>) {
    e.walk(&mut |e| note_type(&e.ty, seen));
}

pub fn note_type(ty: &Type, seen: &mut BTreeMap<String, Type>) {
    for t in ty.with_parts() {
        if t.subtype().is_some() {
            seen.insert(t.name(), t);
        }
    }
}
