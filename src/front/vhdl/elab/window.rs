//! Assignments to a slice whose length is not constant: each element is assigned under the condition that
//! it lies in the slice.
//!
//! `v(n downto 0) := (others => '1')` and `v(n downto 0) := w(n downto 0)` are what designs use; the value
//! of such a slice elsewhere has no width, and is refused.

use super::*;

/// A slice with moving bounds: the array it is of, and its lowest and highest index.
struct Window {
    place: Place,
    low: Val,
    high: Val,
    down: bool,
}

enum Source<'e> {
    /// `(others => e)`.
    Each(&'e Expr),
    Window(Window),
}

impl<'a> Elab<'a> {
    /// The slice a name is, if its length is not constant.
    fn window(&mut self, n: &'a Name) -> Res<Option<Window>> {
        let NameKind::Slice(prefix, range) = &n.kind else { return Ok(None) };
        let (left, right, down) = self.range_values(range, None)?;
        if self.difference(&left, &right).is_some() {
            return Ok(None);
        }
        let place = self.place(prefix)?;
        let (low, high) = if down { (right, left) } else { (left, right) };
        Ok(Some(Window { place, low, high, down }))
    }

    /// Assigns to a slice whose length is not constant; `false` if the target is none.
    pub(super) fn assign_window(&mut self, n: &'a Name, e: &'a Expr, signal: bool, span: Span) -> Res<bool> {
        let Some(to) = self.window(n)? else { return Ok(false) };
        let source = match &e.kind {
            ExprKind::Aggregate(list) => match list.as_slice() {
                [Element { choices, value }]
                    if matches!(choices.as_slice(), [Choice { kind: ChoiceKind::Others, .. }]) =>
                {
                    Some(Source::Each(value))
                }
                _ => None,
            },
            ExprKind::Name(n) => self.window(n)?.map(Source::Window),
            _ => None,
        };
        let Some(source) = source else { return Ok(false) };
        let TyKind::Array { dims: Some(dims), elem, .. } = &to.place.ty.kind else { return Ok(false) };
        let ([dim], elem) = (dims.as_slice(), elem.clone()) else { return Ok(false) };
        let dim = *dim;
        if dim.down != to.down || dim.base.is_some() {
            return Ok(false);
        }
        // Inside the array, or empty.
        let (first, last) = (self.int_const(dim.low()), self.int_const(dim.high()));
        let (a, b) = (self.int_compare(Op::Ge, &to.low, &first), self.int_compare(Op::Le, &to.high, &last));
        let inside = self.m.d.and(a, b);
        let empty = self.int_compare(Op::Gt, &to.low, &to.high);
        let ok = self.m.d.or(inside, empty);
        self.oblige(ok, "the slice is outside the array", span)?;
        if let Source::Window(from) = &source {
            let n = self.int_binary(Op::Minus, &to.high, &to.low, span)?;
            let m = self.int_binary(Op::Minus, &from.high, &from.low, span)?;
            let same = self.int_compare(Op::Eq, &n, &m);
            self.oblige(same, "the slices differ in length", span)?;
        }
        // All values are read before the first element is assigned.
        let mut values = Vec::new();
        for k in dim.low()..=dim.high() {
            let k = self.int_const(k);
            let v = match &source {
                Source::Each(value) => self.eval_as(value, &elem)?,
                Source::Window(from) => {
                    let distance = self.int_binary(Op::Minus, &k, &to.low, span)?;
                    let at = self.int_binary(Op::Plus, &from.low, &distance, span)?;
                    let (low, high) = (self.int_compare(Op::Ge, &k, &to.low), self.int_compare(Op::Le, &k, &to.high));
                    let hit = self.m.d.and(low, high);
                    let mut read = None;
                    let place = from.place.clone();
                    // Outside the slice the element does not exist, and nobody asks for it.
                    self.branch(
                        hit,
                        |x| {
                            let p = x.element(place, &at, span)?;
                            read = Some(x.read(&p)?);
                            Ok(())
                        },
                        |_| Ok(()),
                    )?;
                    match read {
                        Some(v) => self.convert(v, &elem, span)?,
                        None => continue,
                    }
                }
            };
            values.push((k, v));
        }
        for (k, v) in values {
            let (low, high) = (self.int_compare(Op::Ge, &k, &to.low), self.int_compare(Op::Le, &k, &to.high));
            let hit = self.m.d.and(low, high);
            let p = self.element(to.place.clone(), &k, span)?;
            self.branch(hit, |x| x.assign(&p, v.node, signal, span), |_| Ok(()))?;
        }
        Ok(true)
    }
}
