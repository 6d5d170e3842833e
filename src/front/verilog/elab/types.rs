//! Resolved data types and their layout in bits.
//!
//! Every value is laid out in one bit vector. An array's rightmost index and a struct's last
//! member are least significant, for packed and unpacked alike, so a bit-stream cast moves no bit.

use super::scope::Symbol;
use super::*;
use crate::word::Shape;

#[derive(Clone, PartialEq, Debug)]
pub struct Ty {
    pub kind: TyKind,
    pub width: u32,
    pub signed: bool,
    pub four_state: bool,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Field {
    pub name: SmolStr,
    pub ty: Rc<Ty>,
    pub lo: u32,
}

#[derive(Clone, PartialEq, Debug)]
pub enum TyKind {
    Bit,
    Array { packed: bool, left: i64, right: i64, elem: Rc<Ty> },
    Struct { packed: bool, union: bool, fields: Rc<Vec<Field>> },
    Enum { base: Rc<Ty>, members: Rc<Vec<(SmolStr, Bits)>> },
    Str,
    Real,
    Void,
}

impl Ty {
    pub fn bit(four_state: bool) -> Ty {
        Ty { kind: TyKind::Bit, width: 1, signed: false, four_state }
    }

    /// `logic [width-1:0]`.
    pub fn vector(width: u32, signed: bool, four_state: bool) -> Rc<Ty> {
        if width == 1 && !signed {
            return Rc::new(Ty::bit(four_state));
        }
        let elem = Rc::new(Ty::bit(four_state));
        let kind = TyKind::Array { packed: true, left: width as i64 - 1, right: 0, elem };
        Rc::new(Ty { kind, width, signed, four_state })
    }

    /// Whether it is one packed vector of bits.
    pub fn is_integral(&self) -> bool {
        match &self.kind {
            TyKind::Bit | TyKind::Enum { .. } | TyKind::Str => true,
            TyKind::Array { packed, .. } | TyKind::Struct { packed, .. } => *packed,
            TyKind::Real | TyKind::Void => false,
        }
    }

    /// What its bits mean.
    pub fn shape(&self) -> Shape {
        match &self.kind {
            TyKind::Array { left, right, elem, .. } if elem.width > 1 => {
                Shape::Array { left: *left, right: *right, width: elem.width, element: Box::new(elem.shape()) }
            }
            TyKind::Struct { fields, .. } => {
                let field = |f: &Field| (f.name.clone(), f.lo, f.ty.width, f.ty.shape());
                Shape::Record(fields.iter().map(field).collect())
            }
            _ => Shape::Vector(match &self.kind {
                TyKind::Array { left, right, .. } => Some((*left, *right)),
                _ => None,
            }),
        }
    }

    /// Declared index range if it is a plain vector of bits.
    pub fn plain_range(&self) -> Option<(i64, i64)> {
        match &self.kind {
            TyKind::Array { packed: true, left, right, elem } if elem.width == 1 => Some((*left, *right)),
            _ => None,
        }
    }
}

/// Number of elements of `[left:right]`.
pub fn range_len(left: i64, right: i64) -> u64 {
    left.abs_diff(right) + 1
}

impl<'a> Elab<'a> {
    /// Resolves a written type with its packed dimensions.
    pub(super) fn resolve_type(&mut self, t: &'a DataType) -> Res<Rc<Ty>> {
        let base = match &t.kind {
            TypeKind::Implicit { signed } => Rc::new(Ty { signed: *signed, ..Ty::bit(true) }),
            TypeKind::Int { base, signed } => int_type(*base, *signed),
            TypeKind::Named { scope, name } => self.named_type(scope.as_ref(), name)?,
            TypeKind::Interface { name, .. } => {
                return error(
                    codes::E0209,
                    format!("`{}` is an interface, not a data type", name.name),
                    t.span,
                    "data type expected",
                );
            }
            TypeKind::Struct { packed, signed, union, members } => {
                self.struct_type(*packed, *signed, *union, members, t.span)?
            }
            TypeKind::Enum { base, members } => self.enum_type(base.as_deref(), members, t.span)?,
            TypeKind::TypeOf(e) => self.type_of(e)?,
            TypeKind::Real => Rc::new(Ty { kind: TyKind::Real, width: 64, signed: true, four_state: false }),
            TypeKind::Str => Rc::new(Ty { kind: TyKind::Str, width: 0, signed: false, four_state: false }),
            TypeKind::Void => Rc::new(Ty { kind: TyKind::Void, width: 0, signed: false, four_state: false }),
            TypeKind::Event => {
                return error(codes::E0405, "an event variable is not supported", t.span, "reached from the top");
            }
            TypeKind::Unsupported(u) => return self.unsupported(u, t.span),
        };
        self.add_dims(base, &t.dims, true)
    }

    fn named_type(&mut self, scope: Option<&Ident>, name: &Ident) -> Res<Rc<Ty>> {
        let sym = match scope {
            Some(s) => Some(self.lookup_scoped(s, &name.name, name.span)?),
            None => self.lookup(&name.name),
        };
        match sym {
            Some(Symbol::Type(t)) => Ok(t),
            Some(Symbol::Unsupported(u, span)) => self.unsupported(&u, span),
            Some(_) => error(codes::E0209, format!("`{}` is not a type", name.name), name.span, "type expected"),
            None => self.unknown_name(&name.name, name.span),
        }
    }

    /// Wraps `base` in dimensions, the first written outermost.
    pub(super) fn add_dims(&mut self, base: Rc<Ty>, dims: &'a [Dim], packed: bool) -> Res<Rc<Ty>> {
        // A signed packed array is signed as a whole, its elements are not (7.4.1); an array of a
        // named signed type is the other way round.
        let whole_signed = packed && base.signed && base.kind == TyKind::Bit;
        let mut ty = base;
        for (depth, dim) in dims.iter().rev().enumerate() {
            let (left, right, span) = match dim {
                Dim::Range(l, r) => (self.const_int(l)?, self.const_int(r)?, l.span.join(r.span)),
                Dim::Size(e) => {
                    let n = self.const_int(e)?;
                    if n < 1 {
                        return error(
                            codes::E0311,
                            format!("an array of {n} elements"),
                            e.span,
                            "size must be positive",
                        );
                    }
                    if packed { (n - 1, 0, e.span) } else { (0, n - 1, e.span) }
                }
                Dim::Dynamic(span) => {
                    return error(
                        codes::E0413,
                        "a dynamic array, queue or associative array cannot become hardware",
                        *span,
                        "dimension without a fixed size",
                    );
                }
            };
            let total = range_len(left, right).saturating_mul(ty.width as u64);
            if total > MAX_WIDTH * 64 || (packed && total > MAX_WIDTH) {
                let text = format!("the range [{left}:{right}] makes {total} bits, more than this tool takes");
                let d = Diagnostic::error(codes::E0311, text).at(span, "too large");
                // `[N-1:0]` with an unsigned N of 0.
                let wrapped = left.max(right) == u32::MAX as i64;
                let d = if wrapped {
                    d.help("0 - 1 wraps around if unsigned: give the parameter a value with -P")
                } else {
                    d
                };
                return Err(Box::new(d));
            }
            let four_state = ty.four_state;
            let strip = whole_signed || (packed && depth > 0);
            let elem = if strip && ty.signed { Rc::new(Ty { signed: false, ..(*ty).clone() }) } else { ty };
            let kind = TyKind::Array { packed, left, right, elem };
            ty = Rc::new(Ty { kind, width: total as u32, signed: whole_signed, four_state });
        }
        Ok(ty)
    }

    fn struct_type(
        &mut self,
        packed: bool,
        signed: bool,
        union: bool,
        members: &'a [Member],
        span: Span,
    ) -> Res<Rc<Ty>> {
        let mut fields: Vec<Field> = Vec::new();
        let mut four_state = false;
        for m in members {
            let base = self.resolve_type(&m.ty)?;
            for n in &m.names {
                let ty = self.add_dims(base.clone(), &n.dims, false)?;
                four_state |= ty.four_state;
                fields.push(Field { name: n.name.name.clone(), ty, lo: 0 });
            }
        }
        let width = if union {
            let w = fields.iter().map(|f| f.ty.width).max().unwrap_or(0);
            if let Some(f) = fields.iter().find(|f| f.ty.width != w) {
                return error(
                    codes::E0310,
                    format!("member `{}` of a packed union is {} bits, others {w}", f.name, f.ty.width),
                    span,
                    "members of a packed union have one width",
                );
            }
            w
        } else {
            let mut lo = 0u32;
            for f in fields.iter_mut().rev() {
                f.lo = lo;
                lo = lo.saturating_add(f.ty.width);
            }
            lo
        };
        if union && !packed {
            return error(codes::E0405, "an unpacked union is not supported", span, "make it packed");
        }
        let kind = TyKind::Struct { packed, union, fields: Rc::new(fields) };
        Ok(Rc::new(Ty { kind, width, signed, four_state }))
    }

    /// Declares the members in the current scope as it goes.
    fn enum_type(&mut self, base: Option<&'a DataType>, members: &'a [EnumMember], span: Span) -> Res<Rc<Ty>> {
        let base = match base {
            Some(b) => self.resolve_type(b)?,
            None => int_type(IntType::Int, None),
        };
        let mut list: Vec<(SmolStr, Bits)> = Vec::new();
        let mut places = Vec::new();
        let mut next = Bits::zero(base.width);
        for m in members {
            let names: Vec<SmolStr> = match &m.range {
                None => vec![m.name.name.clone()],
                Some((a, b)) => {
                    let (from, to) = match b {
                        Some(b) => (self.const_int(a)?, self.const_int(b)?),
                        None => (0, self.const_int(a)? - 1),
                    };
                    if range_len(from, to) > 4096 {
                        return error(codes::E0311, "too many enumeration members", m.name.span, "range");
                    }
                    let step = if from <= to { 1 } else { -1 };
                    (0..range_len(from, to) as i64)
                        .map(|i| smol_str::format_smolstr!("{}{}", m.name.name, from + i * step))
                        .collect()
                }
            };
            if let Some(v) = &m.value {
                next = self.const_bits(v, &base)?;
            }
            for n in names {
                list.push((n, next.clone()));
                places.push(m.name.span);
                next = next.add(&Bits::from_u64(1, base.width));
            }
        }
        let _ = span;
        let (width, signed, four_state) = (base.width, base.signed, base.four_state);
        let members = Rc::new(list);
        let ty = Rc::new(Ty { kind: TyKind::Enum { base, members: members.clone() }, width, signed, four_state });
        let here = self.scope;
        for ((n, v), place) in members.iter().zip(places) {
            let id = Ident { name: n.clone(), span: place };
            self.declare(here, &id, Symbol::Const(ty.clone(), v.clone()))?;
        }
        Ok(ty)
    }

    /// A constant integer.
    pub(super) fn const_int(&mut self, e: &'a Expr) -> Res<i64> {
        let ty = self.type_of(e)?;
        let b = self.const_self(e)?;
        let v = if ty.signed { b.to_i64() } else { b.to_u64().and_then(|v| i64::try_from(v).ok()) };
        match v {
            Some(v) => Ok(v),
            None if b.has_unknown() => {
                error(codes::E0301, format!("the value {b} has unknown bits"), e.span, "a known integer is needed")
            }
            None => error(codes::E0311, format!("the value {b} is too large"), e.span, "a smaller integer is needed"),
        }
    }

    /// A constant in its own width.
    pub(super) fn const_self(&mut self, e: &'a Expr) -> Res<Bits> {
        let ty = self.type_of(e)?;
        self.constant(e, |s| s.eval(e, ty.width, ty.signed))
    }

    /// A constant as if assigned to `ty`.
    pub(super) fn const_bits(&mut self, e: &'a Expr, ty: &Rc<Ty>) -> Res<Bits> {
        self.constant(e, |s| s.rvalue(e, ty))
    }

    /// Evaluates with literals kept four-state and demands a constant.
    pub(super) fn constant(&mut self, e: &'a Expr, f: impl FnOnce(&mut Self) -> Res<NodeId>) -> Res<Bits> {
        let saved = std::mem::replace(&mut self.m.const_mode, true);
        let n = f(self);
        self.m.const_mode = saved;
        let n = n?;
        match self.m.d.as_const(n) {
            Some(b) => Ok(b.clone()),
            None => error(codes::E0301, "the expression is not constant", e.span, "depends on a signal"),
        }
    }
}

pub fn int_type(base: IntType, signed: Option<bool>) -> Rc<Ty> {
    let (width, default_signed, four_state) = match base {
        IntType::Logic => (1, false, true),
        IntType::Bit => (1, false, false),
        IntType::Byte => (8, true, false),
        IntType::Shortint => (16, true, false),
        IntType::Int => (32, true, false),
        IntType::Longint => (64, true, false),
        IntType::Integer => (32, true, true),
        IntType::Time => (64, false, true),
    };
    let signed = signed.unwrap_or(default_signed);
    if width == 1 {
        return Rc::new(Ty { signed, ..Ty::bit(four_state) });
    }
    Ty::vector(width, signed, four_state)
}
