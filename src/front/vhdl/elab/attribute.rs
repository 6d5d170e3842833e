//! Attributes of types, objects and signals.

use super::types::{Dim, Logic};
use super::*;

impl<'a> Elab<'a> {
    pub(super) fn attribute_value(
        &mut self,
        prefix: &'a Name,
        attr: &Attr,
        arg: Option<&'a Expr>,
        want: Option<&Rc<Ty>>,
        span: Span,
    ) -> Res<Val> {
        match attr {
            Attr::Event | Attr::Stable => {
                return error(
                    codes::E0409,
                    "an event outside an edge condition",
                    span,
                    "write rising_edge(clk), or clk'event and clk = '1'",
                );
            }
            Attr::LastValue => {
                // At an edge the last value is the other one.
                let v = self.name_value(prefix, want)?;
                if !self.events.iter().any(|e| e.clock == v.node) {
                    return self.unsupported("'last_value anywhere but with an edge", span);
                }
                return Ok(Val { node: self.m.d.not(v.node), ty: v.ty });
            }
            Attr::Simulation(what) => return self.unsupported(what, span),
            Attr::Text(_) => {
                let text = prefix.last().to_string();
                return self.string(text.as_bytes(), None, span);
            }
            Attr::User(name, _) => return self.user_attribute(prefix, name, span),
            Attr::Converse | Attr::Subtype | Attr::Element | Attr::Range | Attr::ReverseRange => {
                return error(codes::E0213, "the attribute is not a value", span, "used as a value");
            }
            _ => {}
        }
        let ty = self.prefix_type(prefix)?;
        if let Some(dims) = ty.dims() {
            let n = match arg {
                Some(e) => self.const_int(e)?,
                None => 1,
            };
            let Some(d) = usize::try_from(n - 1).ok().and_then(|n| dims.get(n)).copied() else {
                return error(codes::E0310, format!("the array has no dimension {n}"), span, "attribute");
            };
            return self.dim_attribute(d, attr, &ty, span);
        }
        if matches!(ty.kind, TyKind::Array { .. }) {
            return error(codes::E0310, "the array has no bounds here", span, "attribute");
        }
        match (&ty.kind, attr) {
            (TyKind::Int { lo, hi, down }, Attr::Left | Attr::Right | Attr::High | Attr::Low) => {
                let left = matches!(attr, Attr::Left) != *down;
                let v = match attr {
                    Attr::High => *hi,
                    Attr::Low => *lo,
                    _ if left => *lo,
                    _ => *hi,
                };
                Ok(self.int_const(v))
            }
            (TyKind::Int { lo, hi, .. }, Attr::Length) => {
                let n = (hi - lo + 1).max(0);
                Ok(self.int_const(n))
            }
            (TyKind::Enum { lo, hi, .. }, Attr::Left | Attr::Low | Attr::Right | Attr::High) => {
                let pos = if matches!(attr, Attr::Left | Attr::Low) { *lo } else { *hi };
                self.enum_value(&ty, pos, span)
            }
            (TyKind::Enum { .. } | TyKind::Int { .. }, Attr::Ascending) => {
                let up = !matches!(ty.kind, TyKind::Int { down: true, .. });
                let n = self.m.d.bool(up);
                Ok(self.truth(n))
            }
            (
                _,
                Attr::Pos
                | Attr::Val
                | Attr::Succ
                | Attr::Pred
                | Attr::LeftOf
                | Attr::RightOf
                | Attr::Image
                | Attr::Value,
            ) => {
                let Some(e) = arg else { return error(codes::E0310, "the attribute needs a value", span, "attribute") };
                self.function_attribute(&ty, attr, e, span)
            }
            _ => self.unsupported("the attribute of this type", span),
        }
    }

    /// The value a specification around gave a user-defined attribute.
    fn user_attribute(&mut self, prefix: &'a Name, name: &SmolStr, span: Span) -> Res<Val> {
        if let Some(e) = prefix.ent() {
            let mut at = Some(self.scope);
            while let Some(s) = at {
                let scope = self.scope_ref(s);
                if let Some((ty, bits)) = scope.attributes.get(&(e, name.clone())).cloned() {
                    return Ok(Val { node: self.m.literal(&bits), ty });
                }
                at = scope.parent;
            }
        }
        self.unsupported(&format!("reading the attribute `{name}` of something declared elsewhere"), span)
    }

    fn dim_attribute(&mut self, d: Dim, attr: &Attr, ty: &Rc<Ty>, span: Span) -> Res<Val> {
        let v = match attr {
            Attr::Left => d.left,
            Attr::Right => d.right,
            Attr::High => d.high(),
            Attr::Low => d.low(),
            Attr::Length => d.len() as i128,
            Attr::Ascending => {
                let n = self.m.d.bool(!d.down);
                return Ok(self.truth(n));
            }
            _ => return self.unsupported("the attribute of an array", span),
        };
        if let TyKind::Array { def, .. } = &ty.kind
            && let Some(index) = def.indices.first().cloned()
            && matches!(index.kind, TyKind::Enum { .. })
            && !matches!(attr, Attr::Length)
        {
            return self.enum_value(&index, v as u32, span);
        }
        match attr {
            Attr::Length => Ok(self.int_const(v)),
            _ => self.bound(d, v, span),
        }
    }

    fn enum_value(&mut self, ty: &Rc<Ty>, pos: u32, span: Span) -> Res<Val> {
        let TyKind::Enum { def, .. } = &ty.kind else { return self.unsupported("the attribute", span) };
        let bits = if def.logic == Logic::Std {
            let c = def.literals.get(pos as usize).and_then(|l| l.as_bytes().get(1).copied()).unwrap_or(b'X');
            self.character(c, def, 1, span)?
        } else {
            Bits::from_u64(pos as u64, ty.width)
        };
        Ok(Val { node: self.m.literal(&bits), ty: ty.clone() })
    }

    fn function_attribute(&mut self, ty: &Rc<Ty>, attr: &Attr, e: &'a Expr, span: Span) -> Res<Val> {
        match attr {
            Attr::Pos => {
                let v = self.eval(e, Some(ty))?;
                if v.ty.is_std_logic() {
                    // Positions of '0' and '1' are 2 and 3.
                    let two = self.m.d.uint(1, 1);
                    let node = self.m.d.concat(&[two, v.node]);
                    return Ok(Val { ty: Ty::int(2, 3), node });
                }
                Ok(self.position(&v))
            }
            Attr::Val => {
                let v = self.eval(e, None)?;
                match &ty.kind {
                    TyKind::Enum { def, lo, hi } if def.logic != Logic::Std => {
                        let v = self.clamp(v, *lo as i128, *hi as i128, "no value has this position", span)?;
                        Ok(Val { node: self.int_node(&v, ty.width), ty: ty.clone() })
                    }
                    TyKind::Enum { .. } => match self.as_int(&v) {
                        Some(i) => self.enum_value(ty, i as u32, span),
                        None => self.unsupported("'val of std_logic", span),
                    },
                    _ => self.convert(v, ty, span),
                }
            }
            Attr::Succ | Attr::Pred | Attr::LeftOf | Attr::RightOf => {
                let v = self.eval(e, Some(ty))?;
                let x = self.position(&v);
                let one = self.int_const(1);
                let down = matches!(ty.kind, TyKind::Int { down: true, .. });
                let up = match attr {
                    Attr::Succ => true,
                    Attr::Pred => false,
                    Attr::RightOf => !down,
                    _ => down,
                };
                let r = self.int_binary(if up { Op::Plus } else { Op::Minus }, &x, &one, span)?;
                match &ty.kind {
                    TyKind::Enum { lo, hi, .. } => {
                        let r = self.clamp(r, *lo as i128, *hi as i128, "there is no such value", span)?;
                        Ok(Val { node: self.int_node(&r, ty.width), ty: ty.clone() })
                    }
                    _ => self.convert(r, ty, span),
                }
            }
            Attr::Image => {
                let v = self.constantly(|x| x.eval(e, Some(ty)))?;
                let text = match (&ty.kind, self.as_int(&v)) {
                    (TyKind::Enum { def, .. }, Some(i)) if def.logic != Logic::Std => {
                        def.literals.get(i as usize).map_or_else(String::new, |l| l.to_string())
                    }
                    (TyKind::Int { .. }, Some(i)) => i.to_string(),
                    (TyKind::Real, _) => self.as_real(&v).map_or_else(String::new, |r| format!("{r:e}")),
                    _ => return self.unsupported("'image of a value that is not constant", span),
                };
                self.string(text.as_bytes(), None, span)
            }
            _ => self.unsupported("'value", span),
        }
    }

    /// The type of what stands before an attribute: an object's, or a type itself.
    pub(super) fn prefix_type(&mut self, n: &'a Name) -> Res<Rc<Ty>> {
        if let NameKind::Attr(prefix, attr @ (Attr::Subtype | Attr::Element), _) = &n.kind {
            let ty = self.prefix_type(prefix)?;
            return match (attr, &ty.kind) {
                (Attr::Element, TyKind::Array { elem, .. }) => Ok(elem.clone()),
                _ => Ok(ty),
            };
        }
        if let Some(e) = n.ent()
            && let Ok(Symbol::Type(t)) = self.lookup(e, n.span)
        {
            return Ok(t);
        }
        // The object is not read: its type is all that counts.
        let reads = self.m.proc.as_ref().map(|p| p.reads.clone());
        let p = self.place(n);
        if let (Some(p), Some(r)) = (&mut self.m.proc, reads) {
            p.reads = r;
        }
        Ok(p?.ty)
    }
}
