//! Aggregates: arrays and records written out.

use super::types::{Dim, Field};
use super::*;

impl<'a> Elab<'a> {
    pub(super) fn aggregate(&mut self, list: &'a [Element], ty: &Rc<Ty>, span: Span) -> Res<Val> {
        match &ty.kind {
            TyKind::Record { fields } => self.record_aggregate(list, &fields.clone(), span),
            TyKind::Array { .. } => self.array_aggregate(list, ty, span),
            _ if list.len() == 1 && list[0].choices.is_empty() => self.eval(&list[0].value, Some(ty)),
            _ => error(codes::E0310, "an aggregate for a value without parts", span, "aggregate"),
        }
    }

    fn record_aggregate(&mut self, list: &'a [Element], fields: &[Field], span: Span) -> Res<Val> {
        let mut values: Vec<Option<Val>> = vec![None; fields.len()];
        let mut next = 0;
        for e in list {
            let mut places = Vec::new();
            if e.choices.is_empty() {
                places.push(next);
                next += 1;
            }
            for c in &e.choices {
                match &c.kind {
                    ChoiceKind::Others => places.extend((0..fields.len()).filter(|i| values[*i].is_none())),
                    ChoiceKind::Expr(Expr { kind: ExprKind::Name(n), .. }) => {
                        match fields.iter().position(|f| f.name == n.last()) {
                            Some(i) => places.push(i),
                            None => {
                                let text = format!("the record has no field `{}`", n.last());
                                return error(codes::E0212, text, c.span, "unknown field");
                            }
                        }
                    }
                    _ => return error(codes::E0310, "not the name of a field", c.span, "choice"),
                }
            }
            for i in places {
                let Some(f) = fields.get(i) else {
                    return error(codes::E0310, "more values than the record has fields", e.value.span, "one too many");
                };
                values[i] = Some(self.eval_as(&e.value, &f.ty)?);
            }
        }
        let mut parts = Vec::new();
        let mut types = Vec::new();
        for (f, v) in fields.iter().zip(values) {
            let Some(v) = v else {
                return error(codes::E0310, format!("field `{}` has no value", f.name), span, "aggregate");
            };
            parts.push(v.node);
            types.push((f.name.clone(), v.ty));
        }
        Ok(Val { node: self.m.d.concat(&parts), ty: Ty::record(types) })
    }

    fn array_aggregate(&mut self, list: &'a [Element], ty: &Rc<Ty>, span: Span) -> Res<Val> {
        let TyKind::Array { def, dims, elem } = &ty.kind else { unreachable!("called for arrays") };
        // The inner dimensions of a multi-dimensional array are aggregates themselves.
        let inner = match dims.as_deref() {
            Some([_, rest @ ..]) if !rest.is_empty() => Ty::array(def.clone(), Some(rest.to_vec()), elem.clone()),
            None if def.indices.len() > 1 => {
                return self.matrix_aggregate(list, ty, span);
            }
            _ => elem.clone(),
        };
        let positional = list.iter().filter(|e| e.choices.is_empty()).count();
        let known = dims.as_ref().and_then(|d| d.first().copied());
        // What each choice covers, as index intervals.
        let mut spans: Vec<(usize, i128, i128)> = Vec::new();
        let mut others = None;
        // A null range still gives the bounds.
        let mut null = None;
        for (n, e) in list.iter().enumerate() {
            for c in &e.choices {
                match &c.kind {
                    ChoiceKind::Others => others = Some(n),
                    ChoiceKind::Expr(x) if self.subtype_choice(x).is_some() => {
                        let (lo, hi) = self.subtype_choice(x).expect("just found");
                        spans.push((n, lo, hi));
                    }
                    ChoiceKind::Expr(x) => {
                        let want = def.indices.first().cloned();
                        let v = self.constantly(|s| s.eval(x, want.as_ref()))?;
                        let Some(i) = self.as_int(&v) else {
                            if list.len() == 1 && known.is_some_and(|d| d.len() == 1) {
                                // `(i => x)` of one element.
                                spans.push((n, known.map_or(0, |d| d.left), known.map_or(0, |d| d.left)));
                                continue;
                            }
                            return error(codes::E0301, "the choice is not constant", c.span, "depends on a signal");
                        };
                        spans.push((n, i, i));
                    }
                    ChoiceKind::Range(r) => {
                        let d = self.range(r)?;
                        if d.len() > 0 {
                            spans.push((n, d.low(), d.high()));
                        } else {
                            null = Some(d);
                        }
                    }
                }
            }
        }
        if known.is_some_and(|d| d.base.is_some()) && !spans.is_empty() {
            let text = "choices of an aggregate for a slice that moves";
            return error(codes::E0301, text, span, "its bounds depend on signals");
        }
        let values: Vec<Val> = {
            let mut out = Vec::new();
            for e in list {
                // Since VHDL-2008 a range of choices may have a slice of the array for its value.
                let slices = match e.choices.as_slice() {
                    [] => spans.is_empty() && others.is_none(),
                    [Choice { kind: ChoiceKind::Range(_), .. }] => true,
                    [Choice { kind: ChoiceKind::Expr(x), .. }] => self.subtype_choice(x).is_some(),
                    _ => false,
                };
                let open = Ty::array(def.clone(), None, elem.clone());
                out.push(self.element_value(e, &inner, (slices && def.indices.len() == 1).then_some(&open))?);
            }
            out
        };
        // Positional elements may be slices of the array (VHDL-2008), so lengths are added up.
        let piece =
            |v: &Val| if v.ty.width == inner.width || inner.width == 0 { 1 } else { v.ty.width / inner.width.max(1) };
        let dim = match known {
            Some(d) => d,
            None => {
                let index = def.indices.first().and_then(|t| t.interval());
                if positional > 0 || list.is_empty() {
                    let n: i128 = values.iter().map(|v| piece(v) as i128).sum();
                    let left = index.map_or(0, |i| i.0);
                    Dim::new(left, left + n - 1, false)
                } else {
                    let (lo, hi) = (spans.iter().map(|s| s.1).min(), spans.iter().map(|s| s.2).max());
                    match (lo, hi, others, null) {
                        (Some(lo), Some(hi), None, _) => Dim::new(lo, hi, false),
                        (None, None, None, Some(d)) => d,
                        _ => return error(codes::E0310, "the length of the aggregate is not known", span, "others"),
                    }
                }
            }
        };
        let n = dim.len();
        if n.saturating_mul(inner.width as u64) > MAX_WIDTH as u64 {
            return error(codes::E0311, format!("{n} elements are more than this tool takes"), span, "too large");
        }
        let mut slots: Vec<Option<NodeId>> = vec![None; n as usize];
        let mut elem_ty = None;
        let mut at = 0;
        for (k, e) in list.iter().enumerate() {
            if !e.choices.is_empty() {
                continue;
            }
            let v = &values[k];
            for p in 0..piece(v) {
                let Some(slot) = slots.get_mut(at) else {
                    return error(codes::E0310, format!("more than {n} elements"), e.value.span, "one too many");
                };
                let w = v.ty.width / piece(v).max(1);
                *slot = Some(self.m.d.slice(v.node, v.ty.width - (p + 1) * w, w));
                at += 1;
            }
            elem_ty.get_or_insert_with(|| v.ty.clone());
        }
        for (k, lo, hi) in spans {
            for i in lo..=hi {
                let pos = dim.len() as i128 - 1 - dim.right_of(i);
                let Some(slot) = usize::try_from(pos).ok().and_then(|p| slots.get_mut(p)) else {
                    return error(codes::E0310, format!("index {i} is outside the array"), span, "choice");
                };
                let v = &values[k];
                let n = piece(v) as i128;
                *slot = Some(if n == 1 && hi > lo || v.ty.width == inner.width {
                    v.node
                } else {
                    // The leftmost element of a slice goes to the leftmost place.
                    if n != hi - lo + 1 {
                        let text = format!("{n} elements for {} choices", hi - lo + 1);
                        return error(codes::E0310, text, list[k].value.span, "this value");
                    }
                    let after = if dim.down { i - lo } else { hi - i } as u32;
                    self.m.d.slice(v.node, after * inner.width, inner.width)
                });
                if v.ty.width == inner.width {
                    elem_ty.get_or_insert_with(|| v.ty.clone());
                }
            }
        }
        if let Some(k) = others {
            for slot in slots.iter_mut().filter(|s| s.is_none()) {
                *slot = Some(values[k].node);
                elem_ty.get_or_insert_with(|| values[k].ty.clone());
            }
        }
        let mut parts = Vec::with_capacity(slots.len());
        for (i, s) in slots.into_iter().enumerate() {
            match s {
                Some(n) => parts.push(n),
                None => {
                    return error(
                        codes::E0310,
                        format!("element {i} of the aggregate has no value"),
                        span,
                        "aggregate",
                    );
                }
            }
        }
        let node = self.m.d.concat(&parts);
        let mut all = vec![dim];
        all.extend(dims.iter().flatten().skip(1).copied());
        let elem = if elem.is_open() { elem_ty.unwrap_or_else(|| elem.clone()) } else { elem.clone() };
        Ok(Val { node, ty: Ty::array(def.clone(), Some(all), elem) })
    }

    /// An array of several dimensions without bounds: those of its first row hold for all.
    fn matrix_aggregate(&mut self, list: &'a [Element], ty: &Rc<Ty>, span: Span) -> Res<Val> {
        let TyKind::Array { def, elem, .. } = &ty.kind else { unreachable!("called for arrays") };
        let (def, elem) = (def.clone(), elem.clone());
        let with =
            |indices: &[Rc<Ty>]| Rc::new(types::ArrayDef { ent: def.ent, sign: def.sign, indices: indices.to_vec() });
        let Some(Element { value: Expr { kind: ExprKind::Aggregate(row), .. }, .. }) = list.first() else {
            return error(codes::E0310, "the bounds of the aggregate are not known", span, "several dimensions");
        };
        let first = self.array_aggregate(row, &Ty::array(with(&def.indices[1..]), None, elem.clone()), span)?;
        let inner = first.ty.dims().map(<[Dim]>::to_vec).unwrap_or_default();
        // The outer dimension as that of an array whose elements are rows.
        let outer = self.array_aggregate(list, &Ty::array(with(&def.indices[..1]), None, first.ty.clone()), span)?;
        let mut dims = outer.ty.dims().map(<[Dim]>::to_vec).unwrap_or_default();
        dims.extend(inner);
        Ok(Val { node: outer.node, ty: Ty::array(def, Some(dims), elem) })
    }

    /// An element, or a slice of the array, whose type is given where there may be one.
    fn element_value(&mut self, e: &'a Element, inner: &Rc<Ty>, slice: Option<&Rc<Ty>>) -> Res<Val> {
        let text = matches!(e.value.kind, ExprKind::Str(_) | ExprKind::BitStr { .. });
        let want = slice.filter(|_| text && !matches!(inner.kind, TyKind::Array { .. })).unwrap_or(inner);
        let v = self.eval(&e.value, Some(want))?;
        let same_shape = matches!(v.ty.kind, TyKind::Array { .. }) == matches!(inner.kind, TyKind::Array { .. });
        if slice.is_some() && (!same_shape || (v.ty.width != inner.width && !inner.is_open() && !v.ty.is_int())) {
            return Ok(v);
        }
        self.convert(v, inner, e.value.span)
    }

    /// The positions a choice covers that is the name of a subtype.
    pub(super) fn subtype_choice(&mut self, e: &'a Expr) -> Option<(i128, i128)> {
        let ExprKind::Name(n) = &e.kind else { return None };
        let Ok(Symbol::Type(t)) = self.lookup(n.ent()?, n.span) else { return None };
        match t.kind {
            TyKind::Int { lo, hi, .. } => Some((lo, hi)),
            TyKind::Enum { lo, hi, .. } => Some((lo as i128, hi as i128)),
            _ => None,
        }
    }
}
