//! Instances of units that are written in another language, and generics that come from there.
//!
//! With a component declaration, ports and generics have the component's types. Without one a port
//! is a `std_logic_vector` and takes whatever has as many bits.

use super::ports::formal_port;
use super::types::{bits_int, int_bits};
use super::*;
use crate::front::guest::{Direction, Header, Order, Port};

impl<'a> Elab<'a> {
    /// A generic of the top that a unit of another language gives.
    pub(super) fn generic_value(&mut self, name: &str, value: &Value, ty: &Rc<Ty>, span: Span) -> Res<Symbol<'a>> {
        let bad = || Diagnostic::error(codes::E0205, format!("not a value for generic `{name}`")).at(span, "generic");
        let text = |b: &Bits| -> Vec<u8> {
            (0..b.width() / 8).rev().map(|i| b.slice(i * 8, 8).to_u64().unwrap_or(0) as u8).collect()
        };
        let bits = match (&ty.kind, value) {
            (TyKind::Int { lo, hi, .. }, Value::Bits { bits, signed }) => match bits_int(bits, *signed) {
                Some(v) if *lo <= v && v <= *hi => int_bits(v, ty.width),
                Some(v) => return Err(Box::new(bad().note(format!("{v} does not lie between {lo} and {hi}")))),
                None => return Err(Box::new(bad())),
            },
            (TyKind::Real, Value::Real(r)) => Bits::from_u64(r.to_bits(), 64),
            (TyKind::Real, Value::Bits { bits, signed }) => match bits_int(bits, *signed) {
                Some(v) => Bits::from_u64((v as f64).to_bits(), 64),
                None => return Err(Box::new(bad())),
            },
            (TyKind::Enum { def, .. }, Value::Bits { bits, .. }) => match bits_int(bits, false) {
                Some(v) if v < def.literals.len() as i128 && (def.logic == types::Logic::None || v < 2) => {
                    Bits::from_u64(v as u64, ty.width)
                }
                _ => return Err(Box::new(bad())),
            },
            (TyKind::Array { elem, .. }, v) => {
                let chars = matches!(&elem.kind, TyKind::Enum { def, .. } if def.literals.len() > 9);
                let v = match v {
                    Value::Text(t) => self.constantly(|e| e.string(t.as_bytes(), Some(ty), span))?,
                    Value::Bits { bits, .. } if chars => {
                        let t = text(bits);
                        self.constantly(|e| e.string(&t, Some(ty), span))?
                    }
                    // A number for a vector: as many bits as the vector has.
                    Value::Bits { bits, signed } if elem.is_bool_like() => {
                        let bits = if ty.is_open() { bits.clone() } else { bits.resize(ty.width, *signed) };
                        let text: Vec<u8> = bits.to_binary().into_bytes();
                        self.constantly(|e| e.string(&text, Some(ty), span))?
                    }
                    _ => return Err(Box::new(bad())),
                };
                let v = self.convert(v, ty, span)?;
                let Some(b) = self.m.d.as_const(v.node).cloned() else { return Err(Box::new(bad())) };
                return Ok(Symbol::Const(v.ty, b));
            }
            (TyKind::Enum { .. }, Value::Text(t)) => return self.generic_text(name, t, ty, span),
            _ => return Err(Box::new(bad())),
        };
        Ok(Symbol::Const(ty.clone(), bits))
    }

    /// The unit of another language that an instance names.
    pub(super) fn find_guest(&mut self, name: &Name) -> Res<Option<Header>> {
        let Some(guests) = self.guests else { return Ok(None) };
        let mut found = guests.find(name.last());
        if found.len() > 1 {
            let text = format!("several modules are called `{}` when case does not count", name.last());
            let mut d = Diagnostic::error(codes::E0203, text).at(name.span, "instantiated here");
            for h in found.iter().take(4) {
                d = d.also(h.span, format!("`{}`", h.name));
            }
            return Err(Box::new(d.help("write the name as an extended identifier: \\Name\\")));
        }
        Ok(found.pop())
    }

    pub(super) fn guest(
        &mut self,
        label: &str,
        header: Header,
        unit: &'a Unit,
        generics: &'a [Arg],
        ports: &'a [Arg],
        span: Span,
    ) -> Res<()> {
        if self.instance_depth >= MAX_INSTANCE_DEPTH {
            return error(codes::E0210, format!("`{}` instantiates itself", header.name), span, "instantiated here");
        }
        let here = self.scope;
        let component = self.component_of(unit);
        let path = scope::join(&self.scope_ref(here).path, label);
        // The component's generics and ports, as seen from inside.
        let inner = self.new_scope(Some(here), path.clone());
        let values = self.guest_values(&header, component, generics, here, inner, span)?;
        let mut order = Order { key: header.key.clone(), values, depth: self.instance_depth + 1, open: Vec::new() };
        let names: Vec<SmolStr> = match component {
            Some(c) => c.ports.iter().map(|p| p.name.name.clone()).collect(),
            None => header.ports.iter().map(|p| spelled(&p.name)).collect(),
        };
        for a in ports {
            let Some(f) = a.formal.as_ref().map(formal_port) else { continue };
            if !header.ports.iter().any(|p| spelled(&p.name) == f.last()) {
                return self.no_port(&header, f.last(), f.span);
            }
        }
        for n in &names {
            if !header.ports.iter().any(|p| spelled(&p.name) == *n) {
                return self.no_port(&header, n, span);
            }
        }
        let mut jobs = Vec::new();
        for p in &header.ports {
            let at = names.iter().position(|n| *n == spelled(&p.name));
            let declared = at.and_then(|i| component.and_then(|c| c.ports.get(i)));
            let mine: Vec<&'a Arg> = ports
                .iter()
                .enumerate()
                .filter(|(k, a)| match &a.formal {
                    Some(f) => formal_port(f).last() == spelled(&p.name),
                    None => Some(*k) == at,
                })
                .map(|(_, a)| a)
                .filter(|a| a.actual.is_some())
                .collect();
            let default = match declared.map(|d| &d.kind) {
                Some(InterfaceKind::Object { default, mode: Mode::In, .. }) if mine.is_empty() => default.as_ref(),
                _ => None,
            };
            if p.direction == Direction::In && mine.is_empty() && default.is_none() {
                order.open.push(p.name.clone());
            }
            if p.direction == Direction::Inout && !mine.is_empty() {
                let text = format!("inout port `{}` between two languages is not supported", p.name);
                let d = Diagnostic::error(codes::E0508, text).at(span, "in this instance");
                return Err(Box::new(d.also(p.span, "declared here")));
            }
            jobs.push((mine, default, declared));
        }
        let Some(guests) = self.guests else { return Ok(()) };
        let Some(design) = self.m.invite(guests, &order) else { return Ok(()) };
        let vars = self.m.embed(design, &header, &path);
        for ((p, v), (mine, default, declared)) in header.ports.iter().zip(vars).zip(jobs) {
            let Some(v) = v else { continue };
            self.guest_port(p, v, declared, &mine, default, here, inner, span)?;
        }
        Ok(())
    }

    fn no_port<T>(&self, header: &Header, name: &str, span: Span) -> Res<T> {
        let d = Diagnostic::error(codes::E0205, format!("module `{}` has no port `{name}`", header.name));
        Err(Box::new(d.at(span, "connected here").also(header.span, "module declared here")))
    }

    /// Connects one port of a guest, whose variable is `v`.
    #[allow(clippy::too_many_arguments)]
    fn guest_port(
        &mut self,
        p: &Port,
        v: VarId,
        declared: Option<&'a Interface>,
        mine: &[&'a Arg],
        default: Option<&'a Expr>,
        here: ScopeId,
        inner: ScopeId,
        span: Span,
    ) -> Res<()> {
        let width = self.m.var(v).width;
        let ty = match declared.map(|d| &d.kind) {
            Some(InterfaceKind::Object { subtype, .. }) => self.in_scope(inner, |e| e.subtype(subtype))?,
            _ => self.guest_type(v),
        };
        let ty = if ty.is_open() { self.sized_like(&ty, width) } else { ty };
        let scalar = matches!(ty.kind, TyKind::Int { .. } | TyKind::Enum { .. });
        if ty.width != width && !(scalar && ty.width <= width) {
            let text = format!("port `{}` has {width} bits, its component {}", p.name, ty.width);
            let d = Diagnostic::error(codes::E0310, text).at(span, "in this instance").also(p.span, "port");
            return Err(Box::new(d));
        }
        if let Some(d) = declared {
            self.scopes[inner.0 as usize].symbols.insert(d.name.ent, Symbol::Var(v, ty.clone()));
        }
        let root = Place { root: Root::Var(v), steps: Vec::new(), ty: ty.clone() };
        let part = |f: Option<&'a Name>| f.is_some_and(|f| !matches!(formal_port(f).kind, NameKind::Simple(..)));
        if p.direction == Direction::In {
            if mine.is_empty() && default.is_none() {
                let driven = !self.m.d.signals[self.m.var(v).signal.index()].drives.is_empty();
                if !driven {
                    let text = format!("input `{}` is not connected", p.name);
                    let d = Diagnostic::warning(codes::W0217, text).at(span, "in this instance");
                    self.m.warn(d.also(p.span, "input declared here"));
                    self.m.undriven_ok.insert(v);
                }
                return Ok(());
            }
            for (e, formal, at) in mine
                .iter()
                .filter_map(|a| Some((a.actual.as_ref()?, a.formal.as_ref(), a.span)))
                .chain(default.map(|e| (e, None, span)))
            {
                let place = match formal {
                    Some(f) if part(formal) => self.formal_place(root.clone(), f, inner)?,
                    _ => root.clone(),
                };
                let whole = !part(formal);
                self.comb(at, |x| {
                    let from = if default.is_some() { inner } else { here };
                    let value = x.in_scope(from, |x| x.eval(e, Some(&place.ty)))?;
                    let node = match (&value.ty.kind, declared) {
                        (_, Some(_)) => {
                            let value = x.convert(value, &place.ty, at)?;
                            if whole { x.widened(&value, width) } else { value.node }
                        }
                        (TyKind::Int { .. }, None) => x.fitting(&value, width, at)?,
                        (_, None) => x.widened(&value, width),
                    };
                    if whole && x.m.d.width(node) != width {
                        let text = format!("{} bits for port `{}` of {width}", x.m.d.width(node), p.name);
                        return error(codes::E0310, text, at, "this value");
                    }
                    x.assign(&place, node, false, at)
                })?;
            }
            return Ok(());
        }
        for a in mine {
            let Some(Expr { kind: ExprKind::Name(name), .. }) = &a.actual else {
                return error(codes::E0506, "cannot assign to an expression", a.span, "connected to an output");
            };
            let from = match &a.formal {
                Some(f) if part(a.formal.as_ref()) => self.formal_place(root.clone(), f, inner)?,
                _ => root.clone(),
            };
            let whole = !part(a.formal.as_ref());
            self.comb(a.span, |x| {
                let to = x.in_scope(here, |x| x.output_target(name))?;
                let value = if whole {
                    let s = x.m.var(v).signal;
                    let node = x.m.d.signal(s);
                    x.value_of(node, declared.map(|_| &ty).unwrap_or(&to.ty), a.span)?
                } else {
                    x.read(&from)?
                };
                let value = match &a.formal {
                    Some(f) if declared.is_some() => x.formal_conversion(value, f, inner)?,
                    _ => value,
                };
                let value = x.convert(value, &to.ty, a.span)?;
                x.assign(&to, value.node, true, a.span)
            })?;
        }
        Ok(())
    }

    /// The type of a port that no component declares.
    fn guest_type(&self, v: VarId) -> Rc<Ty> {
        let vector = self.std.vector.clone().expect("set before anything else");
        let var = self.m.var(v);
        match &vector.kind {
            TyKind::Array { elem, .. } if var.width == 1 && self.m.d.signals[var.signal.index()].range.is_none() => {
                elem.clone()
            }
            _ => self.sized_like(&vector, var.width),
        }
    }

    /// A vector type with as many bits.
    fn sized_like(&self, ty: &Rc<Ty>, width: u32) -> Rc<Ty> {
        match &ty.kind {
            TyKind::Array { def, elem, .. } if !elem.is_open() && elem.width > 0 => {
                let n = (width / elem.width) as i128;
                let dim = types::Dim::new(n - 1, 0, true);
                Ty::array(def.clone(), Some(vec![dim]), elem.clone())
            }
            _ => ty.clone(),
        }
    }

    /// A value as that many bits: numbers extended by their sign, positions by zeros.
    fn widened(&mut self, v: &Val, width: u32) -> NodeId {
        match &v.ty.kind {
            TyKind::Int { .. } if v.ty.width <= width => self.int_node(v, width),
            TyKind::Enum { .. } => self.m.d.zext(v.node, width),
            _ => v.node,
        }
    }

    /// A number for a port of that many bits: it must fit, as a signed or an unsigned one.
    fn fitting(&mut self, v: &Val, width: u32, span: Span) -> Res<NodeId> {
        let (lo, hi) =
            if width >= 127 { (i128::MIN, i128::MAX) } else { (-(1i128 << (width - 1)), (1i128 << width) - 1) };
        let v = self.clamp(v.clone(), lo, hi, "the value does not fit the port", span)?;
        Ok(self.int_node(&v, width))
    }

    /// Bits that come from outside as a value of a type.
    fn value_of(&mut self, node: NodeId, ty: &Rc<Ty>, span: Span) -> Res<Val> {
        let width = self.m.d.width(node);
        match &ty.kind {
            TyKind::Int { lo, .. } if width < 127 => {
                let max = 1i128 << width;
                let range = if *lo < 0 { Ty::int(-max / 2, max / 2 - 1) } else { Ty::int(0, max - 1) };
                self.convert(Val { ty: range, node }, ty, span)
            }
            TyKind::Enum { def, .. } if def.logic == types::Logic::None && width >= ty.width => {
                let limit = self.m.d.uint(def.literals.len() as u64, width + 1);
                let x = self.m.d.zext(node, width + 1);
                let ok = self.m.d.ult(x, limit);
                self.oblige(ok, "no value has this position", span)?;
                Ok(Val { node: self.m.d.slice(node, 0, ty.width), ty: ty.clone() })
            }
            _ if width == ty.width => Ok(Val { ty: ty.clone(), node }),
            _ => error(codes::E0310, format!("a value of {width} bits where {} are wanted", ty.width), span, "output"),
        }
    }

    /// What the instance's generics are to the guest.
    fn guest_values(
        &mut self,
        header: &Header,
        component: Option<&'a Component>,
        args: &'a [Arg],
        from: ScopeId,
        inner: ScopeId,
        span: Span,
    ) -> Res<Vec<(SmolStr, Value)>> {
        let mut out = Vec::new();
        let known = |name: &str| header.generics.iter().find(|g| spelled(g) == name).cloned();
        let unknown = |name: &str, at: Span| -> Res<Vec<(SmolStr, Value)>> {
            let d = Diagnostic::error(codes::E0206, format!("module `{}` has no parameter `{name}`", header.name));
            Err(Box::new(d.at(at, "given here").also(header.span, "module declared here")))
        };
        if let Some(c) = component {
            self.bind_generics(&c.generics, args, from, inner, span)?;
            for g in &c.generics {
                let Some(name) = known(&g.name.name) else { return unknown(&g.name.name, g.name.span) };
                match self.scopes[inner.0 as usize].symbols.get(&g.name.ent).cloned() {
                    Some(Symbol::Const(ty, bits)) => out.push((name, self.exported(&ty, &bits, g.name.span)?)),
                    _ => return self.unsupported("this generic of a unit in another language", g.name.span),
                }
            }
            return Ok(out);
        }
        for (n, a) in args.iter().enumerate() {
            let Some(e) = &a.actual else { continue };
            let name = match &a.formal {
                Some(f) => match known(f.last()) {
                    Some(n) => n,
                    None => return unknown(f.last(), f.span),
                },
                None => match header.generics.get(n) {
                    Some(n) => n.clone(),
                    None => return unknown(&format!("number {}", n + 1), a.span),
                },
            };
            let want = matches!(e.kind, ExprKind::Char(_)).then(|| self.std.vector.clone()).flatten();
            let want = want.and_then(|t| match &t.kind {
                TyKind::Array { elem, .. } => Some(elem.clone()),
                _ => None,
            });
            let v = self.in_scope(from, |x| x.constantly(|x| x.eval(e, want.as_ref())))?;
            let Some(bits) = self.m.d.as_const(v.node).cloned() else {
                return error(codes::E0301, "the generic's value is not constant", e.span, "generic map");
            };
            let value = self.exported(&v.ty, &bits, e.span)?;
            out.push((name, value));
        }
        Ok(out)
    }

    /// A constant as the other language gets it.
    fn exported(&self, ty: &Rc<Ty>, bits: &Bits, span: Span) -> Res<Value> {
        Ok(match &ty.kind {
            TyKind::Int { lo, .. } => match bits_int(bits, *lo < 0) {
                Some(v) => Value::int(v),
                None => return error(codes::E0301, "the generic's value is not known", span, "generic"),
            },
            TyKind::Real => Value::Real(bits.to_u64().map_or(0.0, f64::from_bits)),
            TyKind::Enum { def, .. } if def.logic == types::Logic::None => {
                Value::int(bits_int(bits, false).unwrap_or(0))
            }
            TyKind::Array { elem, .. } if matches!(&elem.kind, TyKind::Enum { def, .. } if def.literals.len() > 9) => {
                let n = bits.width() / 8;
                let bytes = (0..n).rev().map(|i| bits.slice(i * 8, 8).to_u64().unwrap_or(0) as u8);
                Value::Text(bytes.map(char::from).collect())
            }
            TyKind::Enum { .. } | TyKind::Array { .. } | TyKind::Record { .. } => {
                Value::Bits { bits: bits.clone(), signed: ty.sign() == types::Sign::Signed }
            }
            TyKind::Physical => return self.unsupported("a generic of a physical type for another language", span),
            TyKind::Unsupported(what) => return self.unsupported(what, span),
        })
    }
}

/// A name of the other language as VHDL spells it here: in lower case.
fn spelled(name: &str) -> SmolStr {
    name.to_ascii_lowercase().into()
}
