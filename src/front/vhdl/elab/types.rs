//! Types and subtypes, with every range known.
//!
//! Layout in bits: the leftmost element of an array and the first field of a record are the most
//! significant. An integer takes the bits its range needs, in two's complement if it can be negative.
//! An enumeration is its position; `std_ulogic`, `bit` and `boolean` are one bit.

use super::super::ast::Ent;
use crate::word::{Bits, Shape};
use smol_str::SmolStr;
use std::rc::Rc;

#[derive(Clone, Debug)]
pub struct Ty {
    pub kind: TyKind,
    /// Bits of a value; zero if a part of the type is open.
    pub width: u32,
}

#[derive(Clone, Debug)]
pub enum TyKind {
    /// Positions `lo` to `hi` of an enumeration.
    Enum {
        def: Rc<EnumDef>,
        lo: u32,
        hi: u32,
    },
    Int {
        lo: i128,
        hi: i128,
        down: bool,
    },
    /// Constants only, as the bits of a double.
    Real,
    /// Constants only, in 64 bits, counted in primary units.
    Physical,
    /// `None` as dimensions: unconstrained.
    Array {
        def: Rc<ArrayDef>,
        dims: Option<Vec<Dim>>,
        elem: Rc<Ty>,
    },
    Record {
        fields: Rc<Vec<Field>>,
    },
    /// Files, access and protected types.
    Unsupported(&'static str),
}

#[derive(Debug)]
pub struct EnumDef {
    pub literals: Vec<SmolStr>,
    pub logic: Logic,
}

/// What one bit can be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Logic {
    /// `std_ulogic`: unknown until assigned.
    Std,
    /// `bit` and `boolean`.
    Two,
    /// Any other enumeration.
    None,
}

#[derive(Debug)]
pub struct ArrayDef {
    pub ent: Ent,
    pub sign: Sign,
    /// Types of the indices.
    pub indices: Vec<Rc<Ty>>,
}

/// How the arithmetic packages read an array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sign {
    Unsigned,
    Signed,
    /// `std_logic_vector` and all others.
    None,
}

/// The base of a dimension whose direction depends on signals: nothing but its length is known.
pub const UNKNOWN: u32 = u32::MAX;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dim {
    pub left: i128,
    pub right: i128,
    pub down: bool,
    /// The number of a value that is to be added to the bounds: a slice that moves.
    pub base: Option<u32>,
}

#[derive(Clone, Debug)]
pub struct Field {
    pub name: SmolStr,
    pub ty: Rc<Ty>,
    pub lo: u32,
}

impl Dim {
    pub fn new(left: i128, right: i128, down: bool) -> Dim {
        Dim { left, right, down, base: None }
    }

    pub fn reversed(self) -> Dim {
        Dim { left: self.right, right: self.left, down: !self.down, ..self }
    }

    pub fn len(&self) -> u64 {
        let n = if self.down { self.left - self.right } else { self.right - self.left } + 1;
        u64::try_from(n.max(0)).unwrap_or(u64::MAX)
    }

    pub fn low(&self) -> i128 {
        if self.down { self.right } else { self.left }
    }

    pub fn high(&self) -> i128 {
        if self.down { self.left } else { self.right }
    }

    /// How many elements lie to the right of one.
    pub fn right_of(&self, i: i128) -> i128 {
        if self.down { i - self.right } else { self.right - i }
    }

    pub fn contains(&self, i: i128) -> bool {
        self.low() <= i && i <= self.high()
    }
}

/// Bits an integer range needs, and whether it can be negative.
pub fn int_repr(lo: i128, hi: i128) -> (u32, bool) {
    let unsigned = |v: i128| 128 - v.leading_zeros();
    if lo >= 0 {
        (unsigned(hi.max(lo)).max(1), false)
    } else {
        let low = 128 - (!lo).leading_zeros() + 1;
        let high = if hi >= 0 { unsigned(hi) + 1 } else { 1 };
        (low.max(high), true)
    }
}

impl Ty {
    pub fn int(lo: i128, hi: i128) -> Rc<Ty> {
        Ty::int_dir(lo, hi, false)
    }

    pub fn int_dir(lo: i128, hi: i128, down: bool) -> Rc<Ty> {
        Rc::new(Ty { width: int_repr(lo, hi).0, kind: TyKind::Int { lo, hi, down } })
    }

    pub fn enumeration(def: Rc<EnumDef>, lo: u32, hi: u32) -> Rc<Ty> {
        let n = def.literals.len() as u32;
        let width = if def.logic == Logic::None { (32 - n.saturating_sub(1).leading_zeros()).max(1) } else { 1 };
        Rc::new(Ty { width, kind: TyKind::Enum { def, lo, hi } })
    }

    pub fn array(def: Rc<ArrayDef>, dims: Option<Vec<Dim>>, elem: Rc<Ty>) -> Rc<Ty> {
        let width = match &dims {
            Some(d) => d.iter().fold(elem.width as u64, |w, d| w.saturating_mul(d.len())),
            None => 0,
        };
        Rc::new(Ty { width: width.min(u32::MAX as u64) as u32, kind: TyKind::Array { def, dims, elem } })
    }

    pub fn record(fields: Vec<(SmolStr, Rc<Ty>)>) -> Rc<Ty> {
        let width: u32 = fields.iter().map(|f| f.1.width).sum();
        let mut top = width;
        let fields = fields
            .into_iter()
            .map(|(name, ty)| {
                top -= ty.width;
                Field { name, lo: top, ty }
            })
            .collect();
        Rc::new(Ty { width, kind: TyKind::Record { fields: Rc::new(fields) } })
    }

    /// Whether a part of it has no size yet.
    pub fn is_open(&self) -> bool {
        match &self.kind {
            TyKind::Array { dims, elem, .. } => dims.is_none() || elem.is_open(),
            TyKind::Record { fields } => fields.iter().any(|f| f.ty.is_open()),
            _ => false,
        }
    }

    /// Whether all of its bits are `std_ulogic`: it starts unknown.
    pub fn is_std_logic(&self) -> bool {
        match &self.kind {
            TyKind::Enum { def, .. } => def.logic == Logic::Std,
            TyKind::Array { elem, .. } => elem.is_std_logic(),
            _ => false,
        }
    }

    pub fn is_bool_like(&self) -> bool {
        matches!(&self.kind, TyKind::Enum { def, .. } if def.logic != Logic::None)
    }

    /// A one-dimensional array of single bits.
    pub fn is_vector(&self) -> bool {
        matches!(&self.kind, TyKind::Array { elem, def, .. } if def.indices.len() == 1 && elem.is_bool_like())
    }

    pub fn is_int(&self) -> bool {
        matches!(self.kind, TyKind::Int { .. })
    }

    pub fn interval(&self) -> Option<(i128, i128)> {
        match self.kind {
            TyKind::Int { lo, hi, .. } => Some((lo, hi)),
            _ => None,
        }
    }

    pub fn sign(&self) -> Sign {
        match &self.kind {
            TyKind::Array { def, .. } => def.sign,
            _ => Sign::None,
        }
    }

    pub fn dims(&self) -> Option<&[Dim]> {
        match &self.kind {
            TyKind::Array { dims, .. } => dims.as_deref(),
            _ => None,
        }
    }

    /// What its bits mean.
    pub fn shape(&self) -> Shape {
        match &self.kind {
            TyKind::Array { elem, dims: Some(dims), .. } if !self.is_vector() => {
                let mut shape = elem.shape();
                let mut width = elem.width;
                for d in dims.iter().rev() {
                    let (Ok(left), Ok(right)) = (i64::try_from(d.left), i64::try_from(d.right)) else { break };
                    shape = Shape::Array { left, right, width, element: Box::new(shape) };
                    width = width.saturating_mul(u32::try_from(d.len()).unwrap_or(u32::MAX));
                }
                shape
            }
            TyKind::Record { fields, .. } => {
                let field = |f: &Field| (f.name.clone(), f.lo, f.ty.width, f.ty.shape());
                Shape::Record(fields.iter().map(field).collect())
            }
            _ => Shape::Vector(self.plain_range()),
        }
    }

    /// Left and right index for naming the bits, if they have indices.
    pub fn plain_range(&self) -> Option<(i64, i64)> {
        match self.dims() {
            Some([d]) if self.is_vector() => Some((i64::try_from(d.left).ok()?, i64::try_from(d.right).ok()?)),
            _ => None,
        }
    }

    /// What an object of the type holds before anything is assigned: the leftmost value.
    pub fn default_bits(&self) -> Bits {
        match &self.kind {
            TyKind::Enum { def, lo, .. } => match def.logic {
                Logic::Std => Bits::x(1),
                _ => Bits::from_u64(*lo as u64, self.width),
            },
            TyKind::Int { lo, hi, down } => int_bits(if *down { *hi } else { *lo }, self.width),
            TyKind::Array { elem, dims, .. } => {
                let n: u64 = dims.iter().flatten().map(Dim::len).product();
                if elem.is_std_logic() {
                    return Bits::x(self.width);
                }
                let one = elem.default_bits();
                if one.is_zero() {
                    return Bits::zero(self.width);
                }
                Bits::join(vec![&one; n as usize])
            }
            TyKind::Record { fields } => fields.iter().fold(Bits::zero(0), |b, f| b.concat(&f.ty.default_bits())),
            _ => Bits::zero(self.width),
        }
    }
}

/// An integer in two's complement.
pub fn int_bits(v: i128, width: u32) -> Bits {
    let low = Bits::from_u64(v as u64, 64);
    let high = Bits::from_u64((v >> 64) as u64, 64);
    high.concat(&low).sext(width.max(128)).zext(width)
}

/// The integer that bits stand for.
pub fn bits_int(b: &Bits, signed: bool) -> Option<i128> {
    if b.has_unknown() {
        return None;
    }
    let w = b.width();
    if w > 127 {
        let small = b.resize(127, signed);
        return if small.resize(w, signed) == *b { bits_int(&small, signed) } else { None };
    }
    let b = b.resize(128, signed);
    let (lo, hi) = (b.slice(0, 64).to_u64()?, b.slice(64, 64).to_u64()?);
    Some((((hi as u128) << 64) | lo as u128) as i128)
}
