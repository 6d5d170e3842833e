//! Names: whole objects and parts of them that have a wanted type.

use super::{Gen, word};
use crate::support_vhdl::expr::{Expr, Kid, Sure, level};
use crate::support_vhdl::scope::{Object, Step, ways};
use crate::support_vhdl::types::{Range, Type};

/// A name while it grows.
struct Growing {
    template: String,
    kids: Vec<Kid>,
    ty: Type,
    label: String,
    /// The whole object still, so that attributes of it have a plain prefix.
    whole: bool,
}

impl Gen<'_> {
    /// A name of the type, if any object has a part like that.
    pub fn name(&mut self, ty: &Type) -> Option<Expr> {
        let fitting: Vec<Object> = self.scope.objects.iter().filter(|o| !ways(&o.ty, ty).is_empty()).cloned().collect();
        if fitting.is_empty() {
            return None;
        }
        let object = self.pick(&fitting);
        let all = ways(&object.ty, ty);
        // The whole object rather than the many parts a composite has.
        let way = if all[0].is_empty() && self.rng.bool() { vec![] } else { self.pick(&all) };
        Some(self.part(&object, &way))
    }

    /// The part of an object that the steps lead to, at random indices.
    pub fn part(&mut self, object: &Object, way: &[Step]) -> Expr {
        let mut g = Growing {
            template: object.name.to_string(),
            kids: vec![],
            ty: object.ty.clone(),
            label: if object.fixed { "constant name" } else { "name" }.into(),
            whole: true,
        };
        for step in way {
            self.step(&mut g, step);
            g.whole = false;
        }
        Expr::new(g.label, g.ty, g.template, g.kids)
    }

    fn step(&mut self, g: &mut Growing, step: &Step) {
        match (step, g.ty.clone()) {
            (Step::Field(i), Type::Record(r)) => {
                g.template += &format!(".{}", r.fields[*i].0);
                g.ty = r.fields[*i].1.clone();
                g.label += " .field";
            }
            (Step::Element, Type::Vector(k, r)) => {
                g.ty = k.element();
                self.index(g, &[r]);
            }
            (Step::Element, Type::Array(a)) => {
                g.ty = a.elem.clone();
                if let Some(e) = &a.index {
                    let index = self.expr(&Type::Enum(e.clone()), 1);
                    let n = g.kids.len();
                    g.template += &format!("(${n})");
                    g.kids.push(Kid::arg(index).given(Sure::Length));
                    g.label += " (enumeration)";
                } else {
                    self.index(g, &a.dims);
                }
            }
            (Step::Slice(n), Type::Vector(k, r)) => {
                let part = self.slice(g, r, *n);
                g.ty = Type::Vector(k, part);
            }
            (Step::Slice(n), Type::Array(a)) => {
                let part = self.slice(g, a.dims[0], *n);
                g.ty = a.resized(part);
                g.label += " of array";
            }
            (step, ty) => unreachable!("{step:?} into {}", word(&ty)),
        }
    }

    fn index(&mut self, g: &mut Growing, dims: &[Range]) {
        if dims.len() == 1 && g.whole && self.one_in(6) {
            let attribute = self.pick(&["left", "right", "high", "low"]);
            g.template = format!("{0}({0}'{attribute})", g.template);
            g.label += &format!(" ('{attribute})");
            return;
        }
        let mut holes = vec![];
        let mut varies = false;
        for r in dims {
            let depth = self.rng.u32(0..=1);
            let e = self.expr(&Type::int(r.low(), r.high()), depth);
            varies |= !e.label.starts_with("literal");
            holes.push(format!("${}", g.kids.len()));
            g.kids.push(Kid::arg(e).given(Sure::Length));
        }
        g.template += &format!("({})", holes.join(", "));
        let kind = if varies { "variable" } else { "constant" };
        g.label += &if dims.len() == 2 { format!(" ({kind}, 2-D)") } else { format!(" ({kind})") };
    }

    /// Appends a slice of `n` indices; gives its range (any of that length if it varies).
    fn slice(&mut self, g: &mut Growing, r: Range, n: u32) -> Range {
        let room = r.len() - n;
        let part = r.part(self.rng.i64(0..=room as i64), n);
        if self.one_in(6) {
            // The lower end varies; the length does not.
            let low = self.expr(&Type::int(r.low(), r.low() + room as i64), 1);
            if !low.label.starts_with("literal") {
                let k = g.kids.len();
                let more = n - 1;
                g.template +=
                    &if r.down { format!("(${k} + {more} downto ${k})") } else { format!("(${k} to ${k} + {more})") };
                g.kids.push(Kid::at(low, level::SIMPLE).given(Sure::Length));
                g.label += " slice, variable";
                return part;
            }
        }
        if n == r.len() - 1 && g.whole && self.one_in(3) {
            // All but one end, as people write it with attributes.
            let name = &g.template;
            let (text, part) = match (r.down, self.rng.bool()) {
                (true, true) => (format!("{name}'high - 1 downto {name}'low"), r.part(1, n)),
                (true, false) => (format!("{name}'left downto {name}'right + 1"), r.part(0, n)),
                (false, true) => (format!("{name}'low + 1 to {name}'right"), r.part(1, n)),
                (false, false) => (format!("{name}'left to {name}'high - 1"), r.part(0, n)),
            };
            g.template = format!("{name}({text})");
            g.label += " slice by attributes";
            return part;
        }
        g.template += &format!("({})", part.text());
        g.label += " slice";
        part
    }
}
