//! The data types random VHDL is made of: how they are declared, how wide their values are, and how a
//! value of any of them is packed into a `std_logic_vector` and back.

use std::rc::Rc;

/// The one-dimensional arrays of bits that the IEEE packages know.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    Slv,
    Unsigned,
    Signed,
    Bits,
}

/// A range of indices as declared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    pub left: i64,
    pub right: i64,
    pub down: bool,
}

/// A named enumeration.
#[derive(PartialEq, Eq, Debug)]
pub struct EnumDef {
    pub name: Rc<str>,
    pub literals: Vec<Rc<str>>,
}

/// A named record.
#[derive(PartialEq, Eq, Debug)]
pub struct RecordDef {
    pub name: Rc<str>,
    pub fields: Vec<(Rc<str>, Type)>,
}

/// How much of an array type is fixed by its declaration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// `array (0 to 3) of …`
    Fixed,
    /// `array (natural range <>) of …`
    Open,
    /// VHDL-2008: the element is an unconstrained vector, too.
    OpenElement,
}

/// An array with one or two dimensions. A slice has the same name with another range.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArrayDef {
    pub name: Rc<str>,
    pub dims: Vec<Range>,
    pub elem: Type,
    pub form: Form,
    /// The index type if it is an enumeration; the range then counts positions.
    pub index: Option<Rc<EnumDef>>,
}

/// A data type, with the bounds of an object or the interval of an integer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Type {
    Logic,
    Bit,
    Boolean,
    Vector(Kind, Range),
    /// Any subtype of `integer`, or of an integer type of its own: all values lie between the two.
    Integer(Option<Rc<str>>, i64, i64),
    Enum(Rc<EnumDef>),
    Record(Rc<RecordDef>),
    Array(Rc<ArrayDef>),
}

/// What GHDL (and everyone) gives `integer`.
pub const INT_MAX: i64 = i32::MAX as i64;
pub const INT_MIN: i64 = -INT_MAX;

impl Range {
    /// `n - 1 downto 0`.
    pub fn plain(n: u32) -> Range {
        Range { left: n as i64 - 1, right: 0, down: true }
    }

    pub fn to(left: i64, right: i64) -> Range {
        Range { left, right, down: false }
    }

    pub fn len(&self) -> u32 {
        (self.left - self.right).unsigned_abs() as u32 + 1
    }

    pub fn low(&self) -> i64 {
        self.left.min(self.right)
    }

    pub fn high(&self) -> i64 {
        self.left.max(self.right)
    }

    pub fn text(&self) -> String {
        format!("{} {} {}", self.left, if self.down { "downto" } else { "to" }, self.right)
    }

    /// All indices from left to right.
    pub fn indices(&self) -> Vec<i64> {
        let mut all: Vec<i64> = (self.low()..=self.high()).collect();
        if self.down {
            all.reverse();
        }
        all
    }

    /// `count` indices of this range, the first of them `skip` from the left.
    pub fn part(&self, skip: i64, count: u32) -> Range {
        let step = if self.down { -1 } else { 1 };
        let left = self.left + step * skip;
        Range { left, right: left + step * (count as i64 - 1), down: self.down }
    }
}

impl Kind {
    pub const ALL: [Kind; 4] = [Kind::Slv, Kind::Unsigned, Kind::Signed, Kind::Bits];

    pub fn mark(self) -> &'static str {
        match self {
            Kind::Slv => "std_logic_vector",
            Kind::Unsigned => "unsigned",
            Kind::Signed => "signed",
            Kind::Bits => "bit_vector",
        }
    }

    /// Whether numeric_std gives it arithmetic.
    pub fn numeric(self) -> bool {
        matches!(self, Kind::Unsigned | Kind::Signed)
    }

    /// The type of one element.
    pub fn element(self) -> Type {
        if self == Kind::Bits { Type::Bit } else { Type::Logic }
    }
}

impl ArrayDef {
    /// Index as text: a number, or a literal of the index enumeration.
    pub fn index_text(&self, i: i64) -> String {
        self.index.as_ref().map_or(i.to_string(), |e| e.literals[i as usize].to_string())
    }

    /// This array with another first range.
    pub fn resized(&self, range: Range) -> Type {
        Type::Array(Rc::new(ArrayDef { dims: vec![range], ..self.clone() }))
    }
}

impl Type {
    /// A vector declared `width - 1 downto 0`.
    pub fn vector(kind: Kind, width: u32) -> Type {
        Type::Vector(kind, Range::plain(width))
    }

    /// A subtype of `integer`.
    pub fn int(low: i64, high: i64) -> Type {
        Type::Integer(None, low, high)
    }

    /// Number of bits when packed.
    pub fn width(&self) -> u32 {
        match self {
            Type::Logic | Type::Bit | Type::Boolean => 1,
            Type::Vector(_, r) => r.len(),
            // Enough for any value, so that a wrong one shows.
            Type::Integer(..) => 32,
            Type::Enum(e) => positions(e.literals.len()),
            Type::Record(r) => r.fields.iter().map(|f| f.1.width()).sum(),
            Type::Array(a) => a.dims.iter().map(Range::len).product::<u32>() * a.elem.width(),
        }
    }

    /// Whether a value of type `other` may stand where one of this type does; integers must fit.
    pub fn takes(&self, other: &Type) -> bool {
        match (self, other) {
            (Type::Vector(k, r), Type::Vector(l, s)) => k == l && r.len() == s.len(),
            (Type::Integer(n, l, h), Type::Integer(m, a, b)) => n == m && l <= a && b <= h,
            (Type::Array(a), Type::Array(b)) => {
                a.name == b.name && a.dims.iter().map(Range::len).eq(b.dims.iter().map(Range::len))
            }
            (a, b) => a == b,
        }
    }

    /// The type mark of a declaration, with constraints.
    pub fn mark(&self) -> String {
        match self {
            Type::Vector(k, r) => format!("{}({})", k.mark(), r.text()),
            Type::Integer(None, l, h) => match (*l, *h) {
                (INT_MIN, INT_MAX) => "integer".into(),
                (0, INT_MAX) => "natural".into(),
                (1, INT_MAX) => "positive".into(),
                _ => format!("integer range {l} to {h}"),
            },
            Type::Integer(Some(n), l, h) => format!("{n} range {l} to {h}"),
            Type::Array(a) if a.form == Form::Open => format!("{}({})", a.name, a.dims[0].text()),
            Type::Array(a) if a.form == Form::OpenElement => {
                let Type::Vector(_, r) = &a.elem else { unreachable!("only vectors are left open") };
                format!("{}({})({})", a.name, a.dims[0].text(), r.text())
            }
            _ => self.base(),
        }
    }

    /// The name of the type without constraints, as a conversion or an open parameter wants it.
    pub fn base(&self) -> String {
        match self {
            Type::Logic => "std_logic".into(),
            Type::Bit => "bit".into(),
            Type::Boolean => "boolean".into(),
            Type::Vector(k, _) => k.mark().into(),
            Type::Integer(n, ..) => n.as_deref().unwrap_or("integer").into(),
            Type::Enum(e) => e.name.to_string(),
            Type::Record(r) => r.name.to_string(),
            Type::Array(a) => a.name.to_string(),
        }
    }

    /// A single name that carries the constraint: what an aggregate with `others` is qualified by, and
    /// what a function's result is declared as. See [`Type::subtype`].
    pub fn name(&self) -> String {
        match self {
            Type::Vector(k, r) => {
                let letter = match k {
                    Kind::Slv => 'v',
                    Kind::Unsigned => 'u',
                    Kind::Signed => 's',
                    Kind::Bits => 'b',
                };
                format!("{letter}_{}_{}{}", number(r.left), if r.down { "d" } else { "t" }, number(r.right))
            }
            Type::Array(a) if a.form != Form::Fixed => format!("{}_s{}", a.name, a.dims[0].len()),
            Type::Integer(None, l, h) if self.mark().contains(' ') => format!("i_{}_{}", number(*l), number(*h)),
            _ => self.base(),
        }
    }

    /// The declaration of the subtype [`Type::name`] stands for, if one is needed.
    pub fn subtype(&self) -> Option<String> {
        match self {
            Type::Array(a) if a.form == Form::Fixed => None,
            Type::Vector(..) | Type::Array(_) => Some(format!("  subtype {} is {};\n", self.name(), self.mark())),
            Type::Integer(None, ..) if self.name() != "integer" => {
                Some(format!("  subtype {} is {};\n", self.name(), self.mark()))
            }
            _ => None,
        }
    }

    /// The declaration of the type, if it is one of the design's own.
    pub fn declaration(&self) -> Option<String> {
        match self {
            Type::Enum(e) => Some(format!("  type {} is ({});\n", e.name, e.literals.join(", "))),
            Type::Record(r) => {
                let fields: String = r.fields.iter().map(|(n, t)| format!("    {n} : {};\n", t.mark())).collect();
                Some(format!("  type {} is record\n{fields}  end record;\n", r.name))
            }
            Type::Array(a) => {
                let dims: Vec<String> = match (&a.form, &a.index) {
                    (Form::Fixed, None) => a.dims.iter().map(Range::text).collect(),
                    (Form::Fixed, Some(e)) => vec![e.name.to_string()],
                    _ => vec!["natural range <>".into()],
                };
                let elem = if a.form == Form::OpenElement { a.elem.base() } else { a.elem.mark() };
                Some(format!("  type {} is array ({}) of {elem};\n", a.name, dims.join(", ")))
            }
            _ => None,
        }
    }

    /// Own types a declaration of this one refers to, innermost first, this one last.
    pub fn with_parts(&self) -> Vec<Type> {
        let mut all: Vec<Type> = match self {
            Type::Record(r) => r.fields.iter().flat_map(|f| f.1.with_parts()).collect(),
            Type::Array(a) => {
                let index = a.index.iter().map(|e| Type::Enum(e.clone()));
                index.chain(a.elem.with_parts()).collect()
            }
            _ => vec![],
        };
        all.push(self.clone());
        all
    }

    /// An expression of type `std_logic_vector` with all bits of the object `name`.
    pub fn pack(&self, name: &str) -> String {
        let mut leaves = vec![];
        self.leaves(name, &mut |name, ty| leaves.push(ty.pack_leaf(name)));
        // A single scalar alone is no vector; the empty string makes it one.
        if leaves.len() == 1 && self.width() == 1 && !matches!(self, Type::Vector(..)) {
            return format!("std_logic_vector'(\"\" & {})", leaves[0]);
        }
        leaves.join(" & ")
    }

    /// The bits of a scalar or vector: a vector, or a `std_logic` for one bit.
    fn pack_leaf(&self, name: &str) -> String {
        match self {
            Type::Logic => name.into(),
            Type::Bit => format!("to_stdulogic({name})"),
            Type::Boolean => format!("as_logic({name})"),
            Type::Vector(Kind::Slv, _) => name.into(),
            Type::Vector(Kind::Bits, _) => format!("to_stdlogicvector({name})"),
            Type::Vector(..) => format!("std_logic_vector({name})"),
            Type::Integer(None, ..) => format!("std_logic_vector(to_signed({name}, 32))"),
            Type::Integer(Some(_), ..) => format!("std_logic_vector(to_signed(integer({name}), 32))"),
            Type::Enum(e) => {
                let width = positions(e.literals.len());
                format!("std_logic_vector(to_unsigned({}'pos({name}), {width}))", e.name)
            }
            Type::Record(_) | Type::Array(_) => unreachable!("leaves are no composites"),
        }
    }

    /// Calls `f` on the name and type of every scalar or vector in the object `name`, in order.
    pub fn leaves(&self, name: &str, f: &mut dyn FnMut(&str, &Type)) {
        match self {
            Type::Record(r) => r.fields.iter().for_each(|(n, t)| t.leaves(&format!("{name}.{n}"), f)),
            Type::Array(a) => {
                for i in a.dims[0].indices() {
                    match a.dims.get(1) {
                        None => a.elem.leaves(&format!("{name}({})", a.index_text(i)), f),
                        Some(second) => {
                            for j in second.indices() {
                                a.elem.leaves(&format!("{name}({i}, {j})"), f);
                            }
                        }
                    }
                }
            }
            _ => f(name, self),
        }
    }

    /// Number of bits a value is made from by [`Type::unpack`].
    pub fn seed_width(&self) -> u32 {
        let mut total = 0;
        self.leaves("", &mut |_, t| {
            total += match t {
                // One more than needed, so that the wrap at the end is as likely as the rest.
                Type::Integer(_, l, h) => (64 - (h - l).leading_zeros() + 1).min(30),
                t => t.width(),
            }
        });
        total
    }

    /// Concurrent assignments that make the signal `name` from the vector `from`, whose range is
    /// `seed_width() - 1 downto 0`.
    pub fn unpack(&self, name: &str, from: &str) -> String {
        let mut out = String::new();
        let mut high = self.seed_width();
        self.leaves(name, &mut |leaf, t| {
            let width = t.seed_width();
            let bits = format!("{from}({} downto {})", high - 1, high - width);
            let bit = format!("{from}({})", high - 1);
            high -= width;
            let value = match t {
                Type::Logic => bit,
                Type::Bit => format!("to_bit({bit})"),
                Type::Boolean => format!("{bit} = '1'"),
                Type::Vector(Kind::Slv, _) => bits,
                Type::Vector(Kind::Bits, _) => format!("to_bitvector({bits})"),
                Type::Vector(k, _) => format!("{}({bits})", k.mark()),
                Type::Integer(base, l, h) => {
                    let value = match h - l + 1 {
                        n if n < 1 << width => format!("to_integer(unsigned({bits})) mod {n}"),
                        _ => format!("to_integer(unsigned({bits}))"),
                    };
                    let value = match *l {
                        0 => value,
                        l if l < 0 => format!("{value} - {}", -l),
                        l => format!("{value} + {l}"),
                    };
                    base.as_ref().map_or(value.clone(), |b| format!("{b}({value})"))
                }
                Type::Enum(e) => {
                    format!("{}'val(to_integer(unsigned({bits})) mod {})", e.name, e.literals.len())
                }
                Type::Record(_) | Type::Array(_) => unreachable!("leaves are no composites"),
            };
            out += &format!("  {leaf} <= {value};\n");
        });
        out
    }
}

/// A number as part of a name, `n12` standing for -12.
fn number(i: i64) -> String {
    if i < 0 { format!("n{}", -i) } else { i.to_string() }
}

/// Bits needed to tell `n` things apart.
fn positions(n: usize) -> u32 {
    (usize::BITS - (n - 1).leading_zeros()).max(1)
}
