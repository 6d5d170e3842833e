//! Assignment patterns `'{…}` (IEEE 1800-2017 clause 10.9).

use super::types::range_len;
use super::*;

impl<'a> Elab<'a> {
    pub(super) fn pattern(&mut self, items: &'a [PatternItem], ty: &Rc<Ty>, span: Span) -> Res<NodeId> {
        match &ty.kind {
            TyKind::Struct { fields, union: false, .. } => {
                let fields = fields.clone();
                self.struct_pattern(items, &fields, span)
            }
            TyKind::Array { left, right, elem, .. } => {
                let elem = elem.clone();
                self.array_pattern(items, *left, *right, &elem, span)
            }
            // A packed vector behind an enumeration or a single bit takes its bits one by one.
            _ if ty.is_integral() => {
                let elem = Rc::new(Ty::bit(ty.four_state));
                self.array_pattern(items, ty.width as i64 - 1, 0, &elem, span)
            }
            _ => error(codes::E0304, "an assignment pattern does not fit this type", span, "pattern"),
        }
    }

    fn struct_pattern(&mut self, items: &'a [PatternItem], fields: &[types::Field], span: Span) -> Res<NodeId> {
        let mut values: Vec<Option<NodeId>> = vec![None; fields.len()];
        let mut default = None;
        let mut by_type: Vec<(Rc<Ty>, &'a Expr)> = Vec::new();
        let mut position = 0;
        for item in items {
            match &item.key {
                PatternKey::Positional => {
                    let Some(f) = fields.get(position) else {
                        return error(
                            codes::E0304,
                            format!("more than {} values for a struct of {} members", fields.len(), fields.len()),
                            item.value.span,
                            "one too many",
                        );
                    };
                    values[position] = Some(self.rvalue(&item.value, &f.ty)?);
                    position += 1;
                }
                PatternKey::Default => default = Some(&item.value),
                PatternKey::Key(k) => {
                    if let ExprKind::Ident(n) = &k.kind
                        && let Some(i) = fields.iter().position(|f| f.name == *n)
                    {
                        values[i] = Some(self.rvalue(&item.value, &fields[i].ty)?);
                    } else if let Some(t) = self.type_expr(k)? {
                        by_type.push((t, &item.value));
                    } else {
                        return error(codes::E0212, "no such member", k.span, "neither a member nor a type");
                    }
                }
                PatternKey::Repeat(..) => {
                    return error(codes::E0304, "a replicated pattern does not fit a struct", span, "pattern");
                }
            }
        }
        let mut parts = Vec::new();
        for (f, v) in fields.iter().zip(values) {
            let v = match v {
                Some(v) => v,
                None => {
                    let source = by_type.iter().rev().find(|(t, _)| *t == f.ty).map(|(_, e)| *e).or(default);
                    match source {
                        Some(e) => self.default_value(e, &f.ty)?,
                        None => {
                            return error(
                                codes::E0304,
                                format!("member `{}` gets no value", f.name),
                                span,
                                "add it, or a default",
                            );
                        }
                    }
                }
            };
            parts.push(v);
        }
        Ok(self.m.d.concat(&parts))
    }

    /// A default reaches down into members of aggregates.
    fn default_value(&mut self, e: &'a Expr, ty: &Rc<Ty>) -> Res<NodeId> {
        match &ty.kind {
            TyKind::Struct { fields, union: false, .. } => {
                let mut parts = Vec::new();
                for f in fields.clone().iter() {
                    parts.push(self.default_value(e, &f.ty)?);
                }
                Ok(self.m.d.concat(&parts))
            }
            TyKind::Array { packed: false, left, right, elem } => {
                let v = self.default_value(e, elem)?;
                Ok(self.m.d.concat(&vec![v; range_len(*left, *right) as usize]))
            }
            _ => self.rvalue(e, ty),
        }
    }

    fn array_pattern(
        &mut self,
        items: &'a [PatternItem],
        left: i64,
        right: i64,
        elem: &Rc<Ty>,
        span: Span,
    ) -> Res<NodeId> {
        let count = range_len(left, right) as usize;
        let mut values: Vec<Option<NodeId>> = vec![None; count];
        let mut default = None;
        let mut position = 0;
        let too_many = |span| error(codes::E0304, format!("more values than the {count} elements"), span, "too many");
        for item in items {
            match &item.key {
                PatternKey::Positional => {
                    if position >= count {
                        return too_many(item.value.span);
                    }
                    values[position] = Some(self.rvalue(&item.value, elem)?);
                    position += 1;
                }
                PatternKey::Repeat(n, list) => {
                    let n = self.const_int(n)?;
                    for _ in 0..n.max(0) {
                        for e in list {
                            if position >= count {
                                return too_many(e.span);
                            }
                            values[position] = Some(self.rvalue(e, elem)?);
                            position += 1;
                        }
                    }
                }
                PatternKey::Default => default = Some(&item.value),
                PatternKey::Key(k) => {
                    if self.type_expr(k)?.is_some() {
                        default = Some(&item.value);
                        continue;
                    }
                    let i = self.const_int(k)?;
                    // Counted from the left end, as positions are.
                    let at = if left >= right { left - i } else { i - left };
                    if at < 0 || at as usize >= count {
                        return error(
                            codes::E0304,
                            format!("index {i} is outside [{left}:{right}]"),
                            k.span,
                            "no such element",
                        );
                    }
                    values[at as usize] = Some(self.rvalue(&item.value, elem)?);
                }
            }
        }
        if default.is_none() && values.iter().any(Option::is_none) {
            let given = values.iter().filter(|v| v.is_some()).count();
            return error(
                codes::E0304,
                format!("{given} values for {count} elements"),
                span,
                "add the rest, or a default",
            );
        }
        let filler = match default {
            Some(e) if values.iter().any(Option::is_none) => Some(self.default_value(e, elem)?),
            _ => None,
        };
        let parts: Vec<NodeId> = values.into_iter().filter_map(|v| v.or(filler)).collect();
        Ok(self.m.d.concat(&parts))
    }
}
