//! Aggregates, enumerations, records and arrays.

use super::{Gen, word};
use crate::support_vhdl::expr::{Expr, Kid, Sure};
use crate::support_vhdl::types::{ArrayDef, Form, Kind, Range, Type};
use std::rc::Rc;

impl Gen<'_> {
    /// An aggregate for a vector with exactly these bounds.
    pub(super) fn vector_aggregate(&mut self, kind: Kind, r: Range, depth: u32) -> Expr {
        let ty = Type::Vector(kind, r);
        let depth = depth.min(1);
        let w = r.len();
        let element = kind.element();
        let mut kids = vec![];
        let mut hole = |g: &mut Self, ty: &Type| {
            let e = g.expr(ty, depth);
            kids.push(Kid::arg(e).given(Sure::Length));
            format!("${}", kids.len() - 1)
        };
        let (label, template) = match self.rng.u32(0..6) {
            0 if (2..=6).contains(&w) => {
                let parts: Vec<String> = (0..w).map(|_| hole(self, &element)).collect();
                ("positional", format!("({})", parts.join(", ")))
            }
            1 if w > 1 => {
                // Some positions, then the rest.
                let n = self.rng.u32(1..w.min(4));
                let parts: Vec<String> = (0..n).map(|_| hole(self, &element)).collect();
                ("positional and others", format!("({}, others => {})", parts.join(", "), hole(self, &element)))
            }
            2 if w > 2 => {
                // Ranges that cover all, in any order.
                let cut = self.rng.u32(1..w);
                let (a, b) = (r.part(0, cut), r.part(cut as i64, w - cut));
                let mut parts: Vec<String> =
                    [a, b].iter().map(|p| format!("{} => {}", choice(p), hole(self, &element))).collect();
                if self.rng.bool() {
                    parts.reverse();
                }
                ("ranges", format!("({})", parts.join(", ")))
            }
            3 if w == 1 => ("named", format!("({} => {})", r.left, hole(self, &element))),
            3 => {
                let mut indices = r.indices();
                self.rng.shuffle(&mut indices);
                let n = self.rng.usize(1..indices.len().min(4));
                let parts: Vec<String> =
                    indices[..n].iter().map(|i| format!("{i} => {}", hole(self, &element))).collect();
                ("named and others", format!("({}, others => {})", parts.join(", "), hole(self, &element)))
            }
            // GHDL 2.0 fails an assertion when it looks for the signals in an aggregate with `|`.
            4 if w > 3 && self.scope.timed => {
                let mut indices = r.indices();
                self.rng.shuffle(&mut indices);
                let part = r.part(0, 2);
                let single = indices.iter().find(|i| !part.indices().contains(i)).expect("more than two");
                let second = hole(self, &element);
                kids.push(self.shared(&element));
                let last = kids.len() - 1;
                let text = format!("({} | {single} => ${last}, others => {second})", choice(&part));
                ("choices and others", text)
            }
            _ => ("others", format!("(others => {})", hole(self, &element))),
        };
        Expr::new(format!("aggregate {label} {}", kind.mark()), ty, template, kids).sure(Sure::Nothing)
    }

    /// A value that several choices of an aggregate share. GHDL 2.0 evaluates it once for each, and the
    /// second time with what the first left behind of a slice with variable bounds.
    fn shared(&mut self, ty: &Type) -> Kid {
        let simple = Some(self.leaf(ty)).filter(|e| e.children().next().is_none());
        Kid::arg(simple.unwrap_or_else(|| self.literal(ty)).fixed()).given(Sure::Length)
    }

    pub(super) fn enumeration(&mut self, ty: &Type, depth: u32) -> Expr {
        let Type::Enum(e) = ty else { unreachable!("an enumeration") };
        let n = e.literals.len() as i64;
        match self.rng.u32(0..6) {
            0 | 1 => {
                let i = self.expr(&Type::int(0, n - 1), depth);
                // GHDL 2.0 fails if the argument is static but not locally, as a generic is.
                let i = if i.varies() { i } else { self.literal(&Type::int(0, n - 1)) };
                let template = format!("{}'val($0)", e.name);
                Expr::new("attribute 'val", ty.clone(), template, vec![Kid::arg(i).given(Sure::Length)])
            }
            2 => {
                let f = self.pick(&["minimum", "maximum"]);
                let (a, b) = (self.expr(ty, depth), self.expr(ty, depth));
                let kids = vec![Kid::arg(a), Kid::arg(b)];
                Expr::new(format!("{f} enumeration"), ty.clone(), format!("{f}($0, $1)"), kids)
            }
            3 => {
                let (which, i) = match self.rng.u32(0..4) {
                    0 => ("succ", self.rng.i64(0..n - 1)),
                    1 => ("rightof", self.rng.i64(0..n - 1)),
                    2 => ("pred", self.rng.i64(1..n)),
                    _ => ("leftof", self.rng.i64(1..n)),
                };
                let text = format!("{}'{which}({})", e.name, e.literals[i as usize]);
                Expr::leaf(format!("attribute '{which}"), ty.clone(), text)
            }
            4 => {
                let which = self.pick(&["left", "right", "high", "low"]);
                Expr::leaf(format!("attribute '{which} of type"), ty.clone(), format!("{}'{which}", e.name))
            }
            _ => self.leaf(ty),
        }
    }

    pub(super) fn record(&mut self, ty: &Type, depth: u32) -> Expr {
        if self.one_in(3) { self.leaf(ty) } else { self.record_aggregate(ty, depth) }
    }

    pub(super) fn record_aggregate(&mut self, ty: &Type, depth: u32) -> Expr {
        let Type::Record(r) = ty else { unreachable!("a record") };
        let mut kids = vec![];
        let mut hole = |g: &mut Self, ty: &Type| {
            let e = g.expr(ty, depth.min(2));
            kids.push(Kid::arg(e).given(Sure::Nothing));
            format!("${}", kids.len() - 1)
        };
        let (label, template) = if self.rng.bool() && r.fields.len() > 1 {
            let parts: Vec<String> = r.fields.iter().map(|(_, t)| hole(self, t)).collect();
            ("positional", format!("({})", parts.join(", ")))
        } else {
            let mut fields = r.fields.clone();
            self.rng.shuffle(&mut fields);
            // Fields of one type may share a choice or be the others.
            let last = fields.last().expect("a record has fields").1.clone();
            let same = fields.iter().filter(|f| f.1 == last).count();
            if same > 1 && self.rng.bool() {
                let named: Vec<_> = fields.iter().filter(|f| f.1 != last).collect();
                let mut parts: Vec<String> = named.iter().map(|(n, t)| format!("{n} => {}", hole(self, t))).collect();
                let shared: Vec<&str> = fields.iter().filter(|f| f.1 == last).map(|f| &*f.0).collect();
                kids.push(self.shared(&last));
                let hole = format!("${}", kids.len() - 1);
                // GHDL 2.0 fails an assertion when it looks for the signals in an aggregate with `|`.
                if self.rng.bool() || !self.scope.timed {
                    parts.push(format!("others => {hole}"));
                    ("others", format!("({})", parts.join(", ")))
                } else {
                    parts.push(format!("{} => {hole}", shared.join(" | ")));
                    ("choices", format!("({})", parts.join(", ")))
                }
            } else {
                let parts: Vec<String> = fields.iter().map(|(n, t)| format!("{n} => {}", hole(self, t))).collect();
                ("named", format!("({})", parts.join(", ")))
            }
        };
        Expr::new(format!("aggregate {label} record"), ty.clone(), template, kids).sure(Sure::Nothing)
    }

    pub(super) fn array(&mut self, ty: &Type, depth: u32) -> Expr {
        let Type::Array(a) = ty else { unreachable!("an array") };
        match self.rng.u32(0..5) {
            0 => self.leaf(ty),
            // GHDL 2.0 fails with an internal error when it joins arrays whose elements have no constraint.
            1 | 2 if a.dims.len() == 1 && a.index.is_none() && a.dims[0].len() > 1 && a.form != Form::OpenElement => {
                self.array_join(ty, a, depth)
            }
            _ => self.array_aggregate(ty, depth),
        }
    }

    /// Arrays and elements joined. Not more than two operands: with vectors as elements, the inner one of
    /// two operators could be a longer vector just as well as an array.
    fn array_join(&mut self, ty: &Type, a: &Rc<ArrayDef>, depth: u32) -> Expr {
        let n = a.dims[0].len();
        let cut = if n > 2 { self.pick(&[1, n - 1, n / 2]) } else { 1 };
        let half = |g: &mut Self, n: u32| {
            let whole = if n > 1 || g.one_in(4) { g.name(&a.resized(a.dims[0].part(0, n))) } else { None };
            match whole {
                Some(e) => Some(("array", e)),
                None if n == 1 => Some(("element", g.expr(&a.elem, depth.min(2)))),
                None => None,
            }
        };
        match (half(self, cut), half(self, n - cut)) {
            (Some((x, first)), Some((y, second))) => {
                let label = format!("binary & array: {x} {y}");
                let e = Expr::binary("&", label, ty.clone(), Kid::at(first, 0), Kid::at(second, 0));
                e.sure(Sure::Length)
            }
            _ => self.array_aggregate(ty, depth),
        }
    }

    pub(super) fn array_aggregate(&mut self, ty: &Type, depth: u32) -> Expr {
        let Type::Array(a) = ty else { unreachable!("an array") };
        let depth = depth.min(1);
        let mut kids = vec![];
        // GHDL 2.0 does not wait for signals inside aggregates of two dimensions: a concurrent assignment
        // or a process (all) misses their events.
        let constants = self.scope.constants();
        let deaf = a.dims.len() == 2 && !self.scope.timed;
        let mut hole = |g: &mut Self| {
            let e =
                if deaf { Gen { rng: g.rng, scope: &constants }.expr(&a.elem, depth) } else { g.expr(&a.elem, depth) };
            // In VHDL-2008 a concatenation could be an element or a part of the array.
            let sure = if e.applies('&') { Sure::Type } else { Sure::Nothing };
            kids.push(Kid::arg(e).given(sure));
            format!("${}", kids.len() - 1)
        };
        let first = a.dims[0];
        let (label, template) = if let Some(second) = a.dims.get(1) {
            let mut row = |g: &mut Self| {
                if g.one_in(3) {
                    return format!("(others => {})", hole(g));
                }
                let parts: Vec<String> = second.indices().iter().map(|_| hole(g)).collect();
                // A list of one would be plain parentheses.
                if parts.len() == 1 {
                    format!("({} => {})", second.left, parts[0])
                } else {
                    format!("({})", parts.join(", "))
                }
            };
            if self.one_in(3) || first.len() == 1 {
                ("others", format!("(others => {})", row(self)))
            } else {
                let rows: Vec<String> = first.indices().iter().map(|_| row(self)).collect();
                ("positional", format!("({})", rows.join(", ")))
            }
        } else {
            match self.rng.u32(0..4) {
                0 if first.len() > 1 => {
                    let parts: Vec<String> = first.indices().iter().map(|_| hole(self)).collect();
                    ("positional", format!("({})", parts.join(", ")))
                }
                1 => {
                    let mut parts: Vec<String> =
                        first.indices().iter().map(|i| format!("{} => {}", a.index_text(*i), hole(self))).collect();
                    self.rng.shuffle(&mut parts);
                    ("named", format!("({})", parts.join(", ")))
                }
                2 if first.len() > 2 && a.index.is_none() => {
                    let part = first.part(1, first.len() - 2);
                    let text = format!("({} => {}, others => {})", choice(&part), hole(self), hole(self));
                    ("range and others", text)
                }
                _ => ("others", format!("(others => {})", hole(self))),
            }
        };
        Expr::new(format!("aggregate {label} {}", word(ty)), ty.clone(), template, kids).sure(Sure::Nothing)
    }
}

/// A range as a choice; one index is written alone.
fn choice(r: &Range) -> String {
    if r.len() == 1 { r.left.to_string() } else { r.text() }
}
