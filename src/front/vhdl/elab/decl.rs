//! Declarations: types with their ranges, objects, subprograms, aliases, package instances.

use super::super::entities::{Kind, Relation};
use super::scope::{Sub, join};
use super::types::{ArrayDef, Dim, EnumDef, Logic, Sign};
use super::*;
use crate::front::behave::env::Key;
use crate::word::{Role, Signal};

impl<'a> Elab<'a> {
    pub(super) fn declare_all(&mut self, decls: &'a [Decl]) -> Res<()> {
        decls.iter().try_for_each(|d| self.declare(d))
    }

    pub(super) fn declare(&mut self, d: &'a Decl) -> Res<()> {
        match &d.kind {
            DeclKind::Object { class, names, subtype, init } => {
                self.objects(*class, names, subtype, init.as_ref(), d.span)
            }
            DeclKind::Type(name, def) => self.declare_type(name, def, d.span),
            DeclKind::Subprogram(spec) => {
                let of = self.lib.entities.declaration(spec.name.ent);
                let body = self.bodies.get(&of).copied();
                let sub = Sub { spec, body, scope: self.scope };
                self.define(spec.name.ent, Symbol::Sub(sub));
                Ok(())
            }
            DeclKind::Body(b) => {
                let of = self.lib.entities.declaration(b.spec.name.ent);
                let sub = Sub { spec: &b.spec, body: Some(b), scope: self.scope };
                self.define(b.spec.name.ent, Symbol::Sub(sub));
                self.define(of, Symbol::Sub(sub));
                Ok(())
            }
            DeclKind::SubprogramInstance { name, of, generics } => self.subprogram_instance(name, of, generics, d.span),
            DeclKind::Use(packages) => {
                let here = self.scope;
                self.scopes[here.0 as usize].uses.extend(packages.iter().cloned());
                Ok(())
            }
            DeclKind::Alias { name, subtype, of } => self.alias(name, subtype.as_ref(), of),
            DeclKind::Attribute(a) => self.attribute_spec(a),
            DeclKind::Component(c) => {
                self.define(c.name.ent, Symbol::Component(c));
                Ok(())
            }
            DeclKind::PackageInstance(p) => self.package_instance(p, d.span),
            DeclKind::Configuration(c) => {
                let here = self.scope;
                self.scopes[here.0 as usize].bindings.push(c);
                Ok(())
            }
            DeclKind::File(names, file) => self.declare_files(names, file.as_ref()),
            DeclKind::Unsupported(names, what) => {
                for n in names {
                    self.define(n.ent, Symbol::Unsupported(what));
                }
                Ok(())
            }
        }
    }

    // Types.

    pub(super) fn type_mark(&mut self, n: &'a Name) -> Res<Rc<Ty>> {
        if let NameKind::Attr(..) = n.kind {
            return self.prefix_type(n);
        }
        let Some(e) = n.ent() else {
            return error(codes::E0209, format!("`{}` is not a type", n.last()), n.span, "type expected");
        };
        match self.lookup(e, n.span)? {
            Symbol::Type(t) => match t.kind {
                TyKind::Unsupported(what) => self.unsupported(what, n.span),
                _ => Ok(t),
            },
            Symbol::Unsupported(what) => self.unsupported(what, n.span),
            _ => error(codes::E0209, format!("`{}` is not a type", n.last()), n.span, "type expected"),
        }
    }

    pub(super) fn subtype(&mut self, s: &'a Subtype) -> Res<Rc<Ty>> {
        let base = self.type_mark(&s.mark)?;
        match &s.constraint {
            Some(c) => self.constrain(&base, c, s.span),
            None => Ok(base),
        }
    }

    fn constrain(&mut self, base: &Rc<Ty>, c: &'a Constraint, span: Span) -> Res<Rc<Ty>> {
        match (&base.kind, c) {
            (TyKind::Int { .. }, Constraint::Range(r)) => {
                let d = self.range(r)?;
                // A null range stays one: no value belongs to it, and a slice by it is empty.
                Ok(Ty::int_dir(d.low(), d.high(), d.down))
            }
            // The metavalues that a subtype of std_ulogic leaves out do not exist here anyway.
            (TyKind::Enum { def, .. }, Constraint::Range(_)) if def.logic == Logic::Std => Ok(base.clone()),
            (TyKind::Enum { def, .. }, Constraint::Range(r)) => {
                let d = self.range_of_type(r, Some(base))?;
                Ok(Ty::enumeration(def.clone(), d.low() as u32, d.high() as u32))
            }
            (TyKind::Real | TyKind::Physical, _) => Ok(base.clone()),
            (TyKind::Array { def, dims, elem }, Constraint::Array(ranges, inner)) => {
                let elem = match inner {
                    Some(c) => self.constrain(elem, c, span)?,
                    None => elem.clone(),
                };
                let new = match ranges.as_slice() {
                    [] => dims.clone(),
                    list => {
                        let mut out = Vec::new();
                        for r in list {
                            out.push(self.index_range(r)?);
                        }
                        Some(out)
                    }
                };
                self.sized(Ty::array(def.clone(), new, elem), span)
            }
            (TyKind::Record { fields }, Constraint::Record(list)) => {
                let mut out = Vec::new();
                for f in fields.iter() {
                    let ty = match list.iter().find(|(n, _)| *n == f.name) {
                        Some((_, c)) => self.constrain(&f.ty, c, span)?,
                        None => f.ty.clone(),
                    };
                    out.push((f.name.clone(), ty));
                }
                Ok(Ty::record(out))
            }
            // `rec(a(7 downto 0))` may arrive as an array constraint with one call in it.
            _ => error(codes::E0310, "the constraint does not fit the type", span, "constraint"),
        }
    }

    pub(super) fn sized(&self, t: Rc<Ty>, span: Span) -> Res<Rc<Ty>> {
        if t.width > MAX_WIDTH {
            return error(codes::E0311, format!("{} bits are more than this tool takes", t.width), span, "too large");
        }
        Ok(t)
    }

    /// A range with constant bounds.
    pub(super) fn range(&mut self, r: &'a Range) -> Res<Dim> {
        self.range_of_type(r, None)
    }

    /// A range of indices: its place may move with a signal, if its length does not.
    fn index_range(&mut self, r: &'a Range) -> Res<Dim> {
        let (l, rt, down) = self.constantly(|e| e.range_values(r, None))?;
        if let (None, Some(n)) = (self.as_int(&l).and(self.as_int(&rt)), self.difference(&l, &rt)) {
            let n = if down { n } else { -n } + 1;
            return Ok(self.moving_dim(if down { rt } else { l }, n, down));
        }
        self.range(r)
    }

    /// `n` indices up from a value.
    pub(super) fn moving_dim(&mut self, low: Val, n: i128, down: bool) -> Dim {
        let dim = if down { Dim::new(n - 1, 0, true) } else { Dim::new(0, n - 1, false) };
        self.bases.push(low);
        Dim { base: Some(self.bases.len() as u32 - 1), ..dim }
    }

    /// A bound of a dimension, which moves if the dimension does.
    pub(super) fn bound(&mut self, d: Dim, k: i128, span: Span) -> Res<Val> {
        let k = self.int_const(k);
        match d.base {
            None => Ok(k),
            Some(types::UNKNOWN) => self.unknown_bounds(span),
            Some(b) => {
                let base = self.bases[b as usize].clone();
                self.int_binary(Op::Plus, &base, &k, span)
            }
        }
    }

    fn unknown_bounds<T>(&self, span: Span) -> Res<T> {
        error(codes::E0301, "the direction of the array depends on signals", span, "to or downto?")
    }

    /// An index relative to where a dimension starts.
    pub(super) fn rebased(&mut self, d: Dim, i: Val, span: Span) -> Res<Val> {
        let Some(b) = d.base else { return Ok(i) };
        if b == types::UNKNOWN {
            return self.unknown_bounds(span);
        }
        let base = self.bases[b as usize].clone();
        match self.difference(&i, &base) {
            Some(k) => Ok(self.int_const(k)),
            None => self.int_binary(Op::Minus, &i, &base, span),
        }
    }

    /// The same where the type of the bounds is known.
    pub(super) fn range_of_type(&mut self, r: &'a Range, want: Option<&Rc<Ty>>) -> Res<Dim> {
        let (l, rt, down) = self.constantly(|e| e.range_values(r, want))?;
        let span = match r {
            Range::Bounds { left, right, .. } => left.span.join(right.span),
            Range::Attr(n) | Range::Subtype(n, _) => n.span,
        };
        let bound = |v: &Val| {
            self.as_int(v).ok_or_else(|| {
                Box::new(Diagnostic::error(codes::E0301, "the bound is not constant").at(span, "depends on a signal"))
            })
        };
        Ok(Dim::new(bound(&l)?, bound(&rt)?, down))
    }

    /// The bounds of a range as values, positions of enumerations as integers.
    pub(super) fn range_values(&mut self, r: &'a Range, want: Option<&Rc<Ty>>) -> Res<(Val, Val, bool)> {
        match r {
            Range::Bounds { left, right, down } => {
                let (l, r) = (self.eval(left, want)?, self.eval(right, want)?);
                Ok((self.position(&l), self.position(&r), *down))
            }
            Range::Attr(n) => self.range_of_attribute(n),
            Range::Subtype(n, Some(r)) => {
                let ty = self.type_mark(n)?;
                self.range_values(r, Some(&ty))
            }
            Range::Subtype(n, None) => {
                // A type mark, or an attribute that the grammar takes for one.
                if let NameKind::Attr(_, Attr::Range | Attr::ReverseRange, _) = &n.kind {
                    return self.range_of_attribute(n);
                }
                let ty = self.type_mark(n)?;
                match ty.kind {
                    TyKind::Int { lo, hi, down } => {
                        let (l, r) = if down { (hi, lo) } else { (lo, hi) };
                        Ok((self.int_const(l), self.int_const(r), down))
                    }
                    TyKind::Enum { lo, hi, .. } => Ok((self.int_const(lo as i128), self.int_const(hi as i128), false)),
                    _ => error(codes::E0310, "not a discrete type", n.span, "range"),
                }
            }
        }
    }

    /// `x'range` or `x'reverse_range`.
    pub(super) fn range_of_attribute(&mut self, n: &'a Name) -> Res<(Val, Val, bool)> {
        let NameKind::Attr(prefix, attr, arg) = &n.kind else {
            return self.unsupported("this range", n.span);
        };
        let ty = self.prefix_type(prefix)?;
        let d = match (ty.dims(), &ty.kind) {
            (Some(dims), _) => {
                let k = match arg {
                    Some(e) => self.const_int(e)?,
                    None => 1,
                };
                match usize::try_from(k - 1).ok().and_then(|k| dims.get(k)) {
                    Some(d) => *d,
                    None => {
                        return error(codes::E0310, format!("the array has no dimension {k}"), n.span, "range");
                    }
                }
            }
            (None, TyKind::Int { lo, hi, down }) => {
                let (l, r) = if *down { (*hi, *lo) } else { (*lo, *hi) };
                Dim::new(l, r, *down)
            }
            (None, TyKind::Enum { lo, hi, .. }) => Dim::new(*lo as i128, *hi as i128, false),
            _ => return error(codes::E0310, "nothing with a range", n.span, "range"),
        };
        let d = if *attr == Attr::ReverseRange { d.reversed() } else { d };
        Ok((self.bound(d, d.left, n.span)?, self.bound(d, d.right, n.span)?, d.down))
    }

    fn declare_type(&mut self, name: &'a Ident, def: &'a TypeDef, span: Span) -> Res<()> {
        let home = self.lib.entities.package(self.lib.entities.origin(name.ent));
        let is = |l: &str, p: &str| home.as_ref().is_some_and(|(x, y)| x == l && y == p);
        let ty = match def {
            TypeDef::Enum(list) => {
                let logic = match name.name.as_str() {
                    "std_ulogic" if is("ieee", "std_logic_1164") => Logic::Std,
                    "bit" | "boolean" if is("std", "standard") => Logic::Two,
                    _ => Logic::None,
                };
                let literals = list.iter().map(|l| l.name.clone()).collect();
                let def = Rc::new(EnumDef { literals, logic });
                let ty = Ty::enumeration(def, 0, list.len() as u32 - 1);
                for (pos, l) in list.iter().enumerate() {
                    self.define(l.ent, Symbol::Literal(ty.clone(), pos as u32));
                }
                ty
            }
            TypeDef::Numeric(r) => {
                let (l, rt, down) = self.constantly(|e| e.range_values(r, None))?;
                if matches!(l.ty.kind, TyKind::Real) || matches!(rt.ty.kind, TyKind::Real) {
                    Rc::new(Ty { kind: TyKind::Real, width: 64 })
                } else {
                    match (self.as_int(&l), self.as_int(&rt)) {
                        (Some(l), Some(r)) => Ty::int_dir(l.min(r), l.max(r), down),
                        _ => return error(codes::E0301, "the bounds are not constant", span, "type"),
                    }
                }
            }
            TypeDef::Physical { units } => {
                for (u, base) in units {
                    let scale = match base {
                        None => 1.0,
                        Some((k, Some(of))) => match self.lookup(*of, span)? {
                            Symbol::Unit(s) => k * s,
                            _ => *k,
                        },
                        Some((k, None)) => *k,
                    };
                    self.define(u.ent, Symbol::Unit(scale));
                }
                Rc::new(Ty { kind: TyKind::Physical, width: 64 })
            }
            TypeDef::Array { indices, element } => {
                let sign = match name.name.as_str() {
                    "unsigned" | "unresolved_unsigned" if home.as_ref().is_some_and(|h| h.0 == "ieee") => {
                        Sign::Unsigned
                    }
                    "signed" | "unresolved_signed" if home.as_ref().is_some_and(|h| h.0 == "ieee") => Sign::Signed,
                    _ => Sign::None,
                };
                let elem = self.subtype(element)?;
                let mut types = Vec::new();
                let mut dims = Some(Vec::new());
                for i in indices {
                    match i {
                        ArrayIndex::Open(n) => {
                            types.push(self.type_mark(n)?);
                            dims = None;
                        }
                        ArrayIndex::Range(r) => {
                            let d = self.range(r)?;
                            types.push(match r {
                                Range::Subtype(n, _) if !matches!(n.kind, NameKind::Attr(..)) => self.type_mark(n)?,
                                _ => Ty::int(d.low().min(d.high()), d.high().max(d.low())),
                            });
                            if let Some(list) = &mut dims {
                                list.push(d);
                            }
                        }
                    }
                }
                let def = Rc::new(ArrayDef { ent: name.ent, sign, indices: types });
                self.sized(Ty::array(def, dims, elem), span)?
            }
            TypeDef::Record(fields) => {
                let mut out = Vec::new();
                for (n, _, s) in fields {
                    out.push((n.clone(), self.subtype(s)?));
                }
                self.sized(Ty::record(out), span)?
            }
            TypeDef::Subtype(s) => self.subtype(s)?,
            TypeDef::Incomplete => Rc::new(Ty { kind: TyKind::Unsupported("an incomplete type"), width: 0 }),
            TypeDef::Unsupported(what) => Rc::new(Ty { kind: TyKind::Unsupported(what), width: 0 }),
        };
        self.define(name.ent, Symbol::Type(ty));
        Ok(())
    }

    // Objects.

    fn objects(
        &mut self,
        class: Class,
        names: &'a [Ident],
        subtype: &'a Subtype,
        init: Option<&'a Expr>,
        span: Span,
    ) -> Res<()> {
        let ty = match self.subtype(subtype) {
            Ok(t) => t,
            Err(d) if matches!(class, Class::Variable | Class::Shared) && d.code == codes::E0405 => {
                // Lines are for reading files; protected objects are an error only where they are used.
                let line = self.is_line(subtype);
                for n in names {
                    let symbol = if line { self.new_line() } else { Symbol::Unsupported("an object of this type") };
                    self.define(n.ent, symbol);
                }
                return Ok(());
            }
            Err(d) => return Err(d),
        };
        let running = self.m.proc.is_some() || self.call_depth > 0;
        for n in names {
            let value = match (class, init) {
                (Class::Constant, None) => {
                    // A deferred constant: the body has its value.
                    return Ok(());
                }
                (_, Some(e)) if running && !self.persistent => Some(self.eval_as(e, &ty)?),
                (_, Some(e)) => Some(self.constantly(|x| x.eval_as(e, &ty))?),
                (_, None) => None,
            };
            let ty = value.as_ref().map_or_else(|| ty.clone(), |v| v.ty.clone());
            if ty.is_open() {
                return error(codes::E0310, format!("`{}` has no bounds", n.name), n.span, "unconstrained");
            }
            match class {
                Class::Constant => {
                    let v = value.expect("constants have values");
                    let symbol = match self.m.d.as_const(v.node) {
                        Some(b) => Symbol::Const(v.ty, b.clone()),
                        None if running => {
                            let slot = self.m.env.fresh();
                            self.m.env.set(Key::Local(slot), v.node);
                            Symbol::Local(slot, v.ty)
                        }
                        None => {
                            let text = format!("the value of `{}` is not constant", n.name);
                            return error(codes::E0301, text, span, "depends on a signal");
                        }
                    };
                    if let Relation::DeclaredBy(first) = self.lib.entities.relation(n.ent) {
                        self.define(first, symbol.clone());
                    }
                    self.define(n.ent, symbol);
                }
                Class::Variable if running && !self.persistent => {
                    let node = match value {
                        Some(v) => v.node,
                        None => {
                            let b = ty.default_bits();
                            self.m.literal(&b)
                        }
                    };
                    let slot = self.m.env.fresh();
                    self.m.env.set(Key::Local(slot), node);
                    self.define(n.ent, Symbol::Local(slot, ty));
                }
                _ => {
                    let init = match &value {
                        Some(v) => match self.m.d.as_const(v.node) {
                            Some(b) => Some(b.clone()),
                            // It starts with what a signal is at the beginning of time: unknown.
                            None => {
                                let d = Diagnostic::warning(
                                    codes::W0514,
                                    format!("the initial value of `{}` depends on a signal", n.name),
                                );
                                self.m.warn(d.at(span, "starts unknown"));
                                Some(Bits::x(v.ty.width))
                            }
                        },
                        None => None,
                    };
                    let v = self.new_var(n, ty.clone(), init, Role::Internal);
                    self.infer_memory(class, n, &ty, v);
                    if class == Class::Variable {
                        let s = self.m.var(v).signal;
                        self.m.temporaries.insert(s);
                    }
                }
            }
        }
        Ok(())
    }

    /// A signal, or a variable that lives on.
    pub(super) fn new_var(&mut self, n: &Ident, ty: Rc<Ty>, init: Option<Bits>, role: Role) -> VarId {
        let path = join(&self.scope_ref(self.scope).path, &n.name);
        if ty.width > 1 && ty.plain_range().is_none() {
            self.m.d.shapes.insert(path.clone(), ty.shape());
        }
        let signal = self.m.d.add_signal(Signal {
            name: path,
            width: ty.width,
            range: ty.plain_range(),
            span: n.span,
            role,
            attrs: Vec::new(),
            drives: Vec::new(),
        });
        // What nobody assigns and nobody initialised is unknown, not initialised to unknown.
        let init = init.or_else(|| (!ty.is_std_logic()).then(|| ty.default_bits()));
        let v = self.m.add_var(Var {
            signal,
            width: ty.width,
            four_state: true,
            input: role == Role::Input,
            init,
            memory: None,
            span: n.span,
        });
        self.define(n.ent, Symbol::Var(v, ty));
        v
    }

    fn alias(&mut self, name: &'a Ident, subtype: Option<&'a Subtype>, of: &'a Name) -> Res<()> {
        if let Some(e) = of.ent() {
            match self.lib.entities.get(e).map(|i| i.kind) {
                Some(Kind::Subprogram) => {
                    let here = self.scope;
                    self.define(name.ent, Symbol::Rename(e, here));
                    return Ok(());
                }
                Some(Kind::Type | Kind::EnumLiteral | Kind::Component | Kind::Package) => {
                    let s = self.lookup(e, of.span)?;
                    self.define(name.ent, s);
                    return Ok(());
                }
                _ => {}
            }
        }
        let mut p = self.place(of)?;
        if let Some(s) = subtype {
            let ty = self.subtype(s)?;
            if !ty.is_open() {
                if ty.width != p.ty.width {
                    return error(codes::E0310, "the alias has another length", s.span, "alias");
                }
                p.ty = ty;
            }
        }
        self.define(name.ent, Symbol::Part(p));
        Ok(())
    }

    /// Attributes of signals stay on their nets.
    fn attribute_spec(&mut self, a: &'a AttributeSpec) -> Res<()> {
        let Some((_, Some(e))) = &a.names else { return Ok(()) };
        let Ok(value) = self.constantly(|x| x.eval(&a.value, None)) else { return Ok(()) };
        if let Some(b) = self.m.d.as_const(value.node).cloned() {
            let here = self.scope;
            let key = (*e, a.attribute.clone());
            self.scopes[here.0 as usize].attributes.insert(key, (value.ty.clone(), b));
        }
        let Ok(Symbol::Var(v, _)) = self.lookup(*e, a.value.span) else { return Ok(()) };
        let text: SmolStr = match (&value.ty.kind, self.m.d.as_const(value.node)) {
            (TyKind::Array { .. }, Some(b)) => {
                let n = b.width() / 8;
                let bytes = (0..n).rev().map(|i| b.slice(i * 8, 8).to_u64().unwrap_or(0) as u8);
                bytes.map(char::from).collect::<String>().into()
            }
            (TyKind::Enum { def, .. }, Some(b)) => {
                b.to_u64().and_then(|i| def.literals.get(i as usize).cloned()).unwrap_or_default()
            }
            (TyKind::Int { .. }, Some(_)) => self.as_int(&value).unwrap_or(0).to_string().into(),
            _ => return Ok(()),
        };
        let s = self.m.var(v).signal;
        self.m.d.signals[s.index()].attrs.push((a.attribute.clone(), text));
        Ok(())
    }

    /// A generic subprogram with its generics bound.
    fn subprogram_instance(&mut self, name: &'a Ident, of: &'a Name, generics: &'a [Arg], span: Span) -> Res<()> {
        let Some(Symbol::Sub(s)) = of.ent().map(|e| self.lookup(e, of.span)).transpose()? else {
            return error(codes::E0207, format!("unknown subprogram `{}`", of.last()), of.span, "instantiated here");
        };
        let here = self.scope;
        let scope = self.new_scope(Some(s.scope), SmolStr::default());
        self.bind_generics(&s.spec.generics, generics, here, scope, span)?;
        // Body and declaration have formals of their own.
        if let Some(b) = s.body
            && !std::ptr::eq(&b.spec, s.spec)
        {
            self.bind_generics(&b.spec.generics, generics, here, scope, span)?;
        }
        self.define(name.ent, Symbol::Sub(Sub { scope, ..s }));
        Ok(())
    }

    // Packages.

    fn package_instance(&mut self, p: &'a PackageInstance, span: Span) -> Res<()> {
        let unit = p.of.ent().and_then(|e| self.packages.get(&self.lib.entities.origin(e)).copied());
        let Some(unit) = unit else {
            return error(codes::E0208, format!("unknown package `{}`", p.of.last()), p.of.span, "instantiated here");
        };
        let here = self.scope;
        let s = self.new_scope(None, SmolStr::default());
        self.scopes[s.0 as usize].package = Some(unit);
        self.scopes[s.0 as usize].library = self.lib.units[unit].library.clone();
        self.scopes[s.0 as usize].uses = self.lib.units[unit].uses.clone();
        let UnitKind::Package { generics, .. } = &self.lib.units[unit].kind else {
            return error(codes::E0208, "not a package", span, "instantiated here");
        };
        self.bind_generics(generics, &p.generics, here, s, span)?;
        self.define(p.name.ent, Symbol::Package(s));
        Ok(())
    }

    /// Gives generics their values: actuals are evaluated in `from`, defaults in `to`.
    pub(super) fn bind_generics(
        &mut self,
        generics: &'a [Interface],
        args: &'a [Arg],
        from: ScopeId,
        to: ScopeId,
        span: Span,
    ) -> Res<()> {
        for (n, g) in generics.iter().enumerate() {
            let given = args.iter().enumerate().find(|(k, a)| match &a.formal {
                Some(f) => f.last() == g.name.name,
                None => *k == n,
            });
            let actual = given.and_then(|(_, a)| a.actual.as_ref());
            self.bind_generic(g, actual, from, to, span)?;
        }
        Ok(())
    }

    pub(super) fn bind_generic(
        &mut self,
        g: &'a Interface,
        actual: Option<&'a Expr>,
        from: ScopeId,
        to: ScopeId,
        span: Span,
    ) -> Res<()> {
        let named = |e: &'a Expr| match &e.kind {
            ExprKind::Name(n) => Some(&**n),
            _ => None,
        };
        let symbol = match &g.kind {
            InterfaceKind::Object { subtype, default, .. } => {
                let ty = self.in_scope(to, |e| e.subtype(subtype))?;
                let v = match (actual, default) {
                    (Some(e), _) => self.in_scope(from, |x| x.constantly(|x| x.eval_as(e, &ty)))?,
                    (None, Some(e)) => self.in_scope(to, |x| x.constantly(|x| x.eval_as(e, &ty)))?,
                    (None, None) => {
                        let text = format!("generic `{}` has no value", g.name.name);
                        let d = Diagnostic::error(codes::E0205, text).at(span, "instantiated here");
                        return Err(Box::new(d.also(g.name.span, "declared here").help("give it with -P NAME=VALUE")));
                    }
                };
                match self.m.d.as_const(v.node) {
                    Some(b) => Symbol::Const(v.ty, b.clone()),
                    None => return error(codes::E0301, "the generic's value is not constant", span, "generic map"),
                }
            }
            InterfaceKind::Type => match actual.and_then(named) {
                Some(n) => Symbol::Type(self.in_scope(from, |e| e.type_mark(n))?),
                None => return self.unsupported("this generic type", span),
            },
            InterfaceKind::Subprogram { default } => {
                let (n, scope) = match (actual.and_then(named), default) {
                    (Some(n), _) => (Some(n), from),
                    (None, Some(n)) => (Some(n), to),
                    (None, None) => (None, to),
                };
                match n.and_then(Name::ent) {
                    Some(e) => Symbol::Rename(e, scope),
                    None => return self.unsupported("this generic subprogram", span),
                }
            }
            InterfaceKind::Package { .. } => match actual.and_then(named).and_then(Name::ent) {
                Some(e) => self.in_scope(from, |x| x.lookup(e, span))?,
                None => return self.unsupported("this generic package", span),
            },
            InterfaceKind::Unsupported(what) => Symbol::Unsupported(what),
        };
        self.scopes[to.0 as usize].symbols.insert(g.name.ent, symbol);
        Ok(())
    }
}
