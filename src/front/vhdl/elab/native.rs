//! Functions of the standard packages, as operators on vectors (`lib/NATIVE.md` has the rules).

use super::scope::Sub;
use super::types::{Dim, Sign};
use super::*;

/// What a shift brings in: from the right when shifting left, from the left when shifting right.
#[derive(Clone, Copy, Default)]
pub(super) struct Fill {
    pub low: Option<NodeId>,
    pub high: Option<NodeId>,
}

/// Whether a package reads plain vectors as signed numbers.
fn package_sign(package: &str) -> Sign {
    match package {
        "std_logic_signed" => Sign::Signed,
        "numeric_std_unsigned" | "numeric_bit_unsigned" | "std_logic_unsigned" => Sign::Unsigned,
        _ => Sign::None,
    }
}

/// The packages of the eighties, with rules of their own.
fn is_synopsys(package: &str) -> bool {
    matches!(package, "std_logic_arith" | "std_logic_unsigned" | "std_logic_signed")
}

pub(super) fn op_of(name: &str) -> Option<Op> {
    use Op::*;
    [
        And, Or, Nand, Nor, Xor, Xnor, Abs, Not, Minus, Plus, Condition, Eq, Ne, Lt, Le, Gt, Ge, MatchEq, MatchNe,
        MatchLt, MatchLe, MatchGt, MatchGe, Sll, Srl, Sla, Sra, Rol, Ror, Times, Div, Mod, Rem,
    ]
    .into_iter()
    .find(|op| super::super::lower::op_name(*op) == name)
}

impl<'a> Elab<'a> {
    /// A call of a function that has no body in our libraries.
    pub(super) fn native(&mut self, package: &str, name: &str, sub: Sub<'a>, args: Vec<Val>, span: Span) -> Res<Val> {
        let scope = sub.scope;
        let result = match &sub.spec.result {
            Some(n) => self.in_scope(scope, |e| e.type_mark(n))?,
            None => return self.unsupported(&format!("procedure `{name}`"), span),
        };
        if package == "math_real" {
            return self.math(name, &args, span);
        }
        if let Some(op) = op_of(name) {
            return self.native_operator(op, package, args, result, span);
        }
        let two = |e: &Self| {
            if args.len() < 2 {
                return e.unsupported(&format!("this form of `{name}`"), span);
            }
            Ok(())
        };
        match name {
            "resize"
            | "conv_unsigned"
            | "conv_signed"
            | "conv_std_logic_vector"
            | "ext"
            | "sxt"
            | "to_unsigned"
            | "to_signed"
            | "to_stdlogicvector"
            | "to_stdulogicvector"
                if args.len() == 2 =>
            {
                let size = self.size_of(&args[1], span)?;
                Ok(self.resized(package, name, &args[0], size, &result))
            }
            "to_integer" | "conv_integer" => {
                let v = &args[0];
                if v.ty.is_int() {
                    return Ok(v.clone());
                }
                let signed = self.signed(package, v);
                self.vector_to_int(v, signed, span)
            }
            "shift_left" | "shift_right" | "rotate_left" | "rotate_right" | "shl" | "shr" => {
                two(self)?;
                let v = args[0].clone();
                let signed = self.signed(package, &v);
                let count = if args[1].ty.is_int() { args[1].clone() } else { self.count_of(&args[1]) };
                let w = v.ty.width;
                let mut fill = Fill::default();
                let op = match name {
                    "shift_left" | "shl" => Op::Sll,
                    "shift_right" | "shr" => {
                        fill.high = (signed && w > 0).then(|| self.m.d.slice(v.node, w - 1, 1));
                        Op::Srl
                    }
                    "rotate_left" => Op::Rol,
                    _ => Op::Ror,
                };
                let node = self.shift_op(op, v.node, &count, fill, span)?;
                let shifted = self.vector(node, &result, &v);
                let arithmetic = signed && name == "shift_right" && package == "numeric_std";
                if arithmetic { self.unshifted_bounds(Op::Sra, v, &count, shifted) } else { Ok(shifted) }
            }
            "is_x" => {
                let n = self.m.d.bool(false);
                Ok(self.truth(n))
            }
            "std_match" => {
                two(self)?;
                if args[0].ty.width != args[1].ty.width || args[0].ty.width == 0 {
                    let n = self.m.d.bool(false);
                    return Ok(self.truth(n));
                }
                let n = self.matches(&args[0], &args[1], span)?;
                Ok(self.truth(n))
            }
            "to_01"
            | "to_x01"
            | "to_x01z"
            | "to_ux01"
            | "to_bit"
            | "to_bitvector"
            | "to_stdulogic"
            | "to_stdlogicvector"
            | "to_stdulogicvector"
            | "to_bit_vector"
            | "to_bv"
            | "to_slv"
            | "to_sulv"
            | "to_std_logic_vector"
            | "to_std_ulogic_vector" => {
                let v = args[0].clone();
                if v.ty.width == 1 && !v.ty.is_vector() {
                    return Ok(Val { node: v.node, ty: result });
                }
                let converted = self.vector(v.node, &result, &v);
                if matches!(name, "to_x01" | "to_x01z" | "to_ux01") {
                    // Through std_logic_1164, which counts from 1.
                    return Ok(self.ranged("std_logic_1164", converted.clone(), &converted));
                }
                Ok(converted)
            }
            "minimum" | "maximum" if package == "std_logic_1164" && self.hiding_package().is_none() => {
                two(self)?;
                let less = self.predefined_compare(Op::Lt, &args[0], &args[1]);
                let (a, b) = (args[0].clone(), args[1].clone());
                if name == "minimum" { self.mux(less, a, b, span) } else { self.mux(less, b, a, span) }
            }
            "minimum" | "maximum" if args.len() == 2 => {
                let package = self.hiding_package().unwrap_or(package);
                // An integer is cut to the vector before it is compared.
                let (a, b) = self.matched(package, &args[0], &args[1]);
                let signed = self.signed(package, &args[0]) || self.signed(package, &args[1]);
                let less = self.compare_nodes(Op::Lt, a, b, signed);
                let n = if name == "minimum" { self.m.d.mux(less, a, b) } else { self.m.d.mux(less, b, a) };
                let like = if args[0].ty.is_int() { &args[1] } else { &args[0] };
                Ok(self.vector(n, &result, like))
            }
            "and_reduce" => self.reduced(Op::And, &args[0], result),
            "nand_reduce" => self.reduced(Op::Nand, &args[0], result),
            "or_reduce" => self.reduced(Op::Or, &args[0], result),
            "nor_reduce" => self.reduced(Op::Nor, &args[0], result),
            "xor_reduce" => self.reduced(Op::Xor, &args[0], result),
            "xnor_reduce" => self.reduced(Op::Xnor, &args[0], result),
            _ => self.unsupported(&format!("function `{name}` of package `{package}`"), span),
        }
    }

    fn reduced(&mut self, op: Op, v: &Val, ty: Rc<Ty>) -> Res<Val> {
        Ok(Val { node: self.reduce(op, v.node), ty })
    }

    fn signed(&self, package: &str, v: &Val) -> bool {
        match v.ty.sign() {
            Sign::Signed => true,
            Sign::Unsigned => false,
            Sign::None => package_sign(package) == Sign::Signed,
        }
    }

    /// A size given as a number or by a vector of that size.
    fn size_of(&mut self, v: &Val, span: Span) -> Res<u32> {
        if !v.ty.is_int() {
            return Ok(v.ty.width);
        }
        match self.as_int(v) {
            Some(n) if (0..=MAX_WIDTH as i128).contains(&n) => Ok(n as u32),
            Some(n) => error(codes::E0311, format!("a vector of {n} bits"), span, "size"),
            None => error(codes::E0301, "the size is not constant", span, "depends on a signal"),
        }
    }

    /// An unsigned vector as a number of shifts.
    fn count_of(&mut self, v: &Val) -> Val {
        let w = v.ty.width.clamp(1, 126);
        Val { node: self.m.d.zext(v.node, w), ty: Ty::int(0, (1i128 << w) - 1) }
    }

    /// A vector of a result type; its range is `len-1 downto 0` unless the type has one.
    pub(super) fn vector(&mut self, node: NodeId, result: &Rc<Ty>, like: &Val) -> Val {
        let width = self.m.d.width(node);
        let (def, elem) = match (&result.kind, &like.ty.kind) {
            (TyKind::Array { def, elem, .. }, _) | (_, TyKind::Array { def, elem, .. }) => (def.clone(), elem.clone()),
            _ => return Val { node, ty: result.clone() },
        };
        let dim = Dim::new(width as i128 - 1, 0, true);
        Val { node, ty: Ty::array(def, Some(vec![dim]), elem) }
    }

    fn resized(&mut self, package: &str, name: &str, v: &Val, size: u32, result: &Rc<Ty>) -> Val {
        if v.ty.is_int() {
            let node = self.int_node(v, size.max(1));
            let node = self.m.d.slice(node, 0, size);
            return self.vector(node, result, v);
        }
        let signed = match name {
            "sxt" => true,
            "ext" => false,
            _ => self.signed(package, v),
        };
        let w = v.ty.width;
        if w == 0 {
            let node = self.m.d.uint(0, size);
            return self.vector(node, result, v);
        }
        let node = if name == "resize" && signed && size < w && size > 0 {
            // The sign stays, the bits below it go.
            let (top, low) = (self.m.d.slice(v.node, w - 1, 1), self.m.d.slice(v.node, 0, size - 1));
            self.m.d.concat(&[top, low])
        } else {
            self.m.d.resize(v.node, size, signed)
        };
        self.vector(node, result, v)
    }

    fn vector_to_int(&mut self, v: &Val, signed: bool, span: Span) -> Res<Val> {
        let w = v.ty.width;
        if w == 0 {
            return Ok(self.int_const(0));
        }
        if let Some(b) = self.m.d.as_const(v.node)
            && b.has_unknown()
        {
            return Ok(self.int_const(0));
        }
        let (lo, hi) = if w > 126 {
            (-(1i128 << 100), 1i128 << 100)
        } else if signed {
            (-(1i128 << (w - 1)), (1i128 << (w - 1)) - 1)
        } else {
            (0, (1i128 << w) - 1)
        };
        if w > 126 {
            return self.unsupported("an integer of more than 126 bits", span);
        }
        let x = Val { ty: Ty::int(lo, hi), node: v.node };
        let (lo, hi) = (lo.max(int::INT_MIN), hi.min(int::INT_MAX));
        self.clamp(x, lo, hi, "the number is not an integer of 32 bits", span)
    }

    /// Two operands in one width, each extended by its own sign; an integer is cut to the vector.
    fn matched(&mut self, package: &str, x: &Val, y: &Val) -> (NodeId, NodeId) {
        let width = |v: &Val| if v.ty.is_vector() { v.ty.width } else { 0 };
        let grow = |e: &Self, v: &Val, other: &Val| {
            // Among the old packages an unsigned meeting a signed grows by a bit.
            let mixed = is_synopsys(package) && v.ty.is_vector() && other.ty.is_vector();
            u32::from(mixed && !e.signed(package, v) && e.signed(package, other))
        };
        let w = (width(x) + grow(self, x, y)).max(width(y) + grow(self, y, x)).max(1);
        (self.extended(package, x, w), self.extended(package, y, w))
    }

    fn extended(&mut self, package: &str, v: &Val, w: u32) -> NodeId {
        if v.ty.is_int() {
            return self.int_node(v, w);
        }
        if !v.ty.is_vector() {
            // A single bit counts 0 or 1.
            return self.m.d.zext(v.node, w);
        }
        let signed = self.signed(package, v);
        if v.ty.width == 0 {
            return self.m.d.uint(0, w);
        }
        self.m.d.resize(v.node, w, signed)
    }

    fn native_operator(&mut self, op: Op, package: &str, mut args: Vec<Val>, result: Rc<Ty>, span: Span) -> Res<Val> {
        use Op::*;
        if args.len() == 1 {
            let x = args.remove(0);
            let w = x.ty.width;
            return match op {
                Not => {
                    let node = self.m.d.not(x.node);
                    Ok(self.ranged(package, Val { node, ty: x.ty.clone() }, &x))
                }
                Condition => Ok(self.truth(x.node)),
                And | Or | Xor | Nand | Nor | Xnor => Ok(Val { node: self.reduce(op, x.node), ty: result }),
                Plus => Ok(x),
                Minus => {
                    let n = self.m.d.neg(x.node);
                    Ok(self.vector(n, &result, &x))
                }
                Abs if w > 0 && self.signed(package, &x) => {
                    let (n, s) = (self.m.d.neg(x.node), self.m.d.slice(x.node, w - 1, 1));
                    let n = self.m.d.mux(s, n, x.node);
                    Ok(self.vector(n, &result, &x))
                }
                Abs => Ok(x),
                _ => self.unsupported("the operator on this type", span),
            };
        }
        let (y, x) = (args.pop().expect("two operands"), args.pop().expect("two operands"));
        // Arithmetic with an array of no elements gives one of no elements.
        if matches!(op, Plus | Minus | Times | Div | Rem | Mod)
            && let Some(empty) = [&x, &y].into_iter().find(|v| v.ty.is_vector() && v.ty.width == 0)
        {
            let none = self.m.d.constant(Bits::zero(0));
            return Ok(self.vector(none, &result, empty));
        }
        match op {
            And | Or | Nand | Nor | Xor | Xnor => {
                let like = if x.ty.is_vector() { x.clone() } else { y.clone() };
                // With a single element numeric_std goes through std_logic_1164, and numeric_bit
                // keeps the range.
                let single = x.ty.is_vector() != y.ty.is_vector();
                let v = self.logical(op, x, y, span)?;
                match package {
                    "numeric_std" if single => Ok(self.ranged("std_logic_1164", v, &like)),
                    "numeric_bit" if single => Ok(Val { node: v.node, ty: like.ty }),
                    _ => Ok(self.ranged(package, v, &like)),
                }
            }
            Eq | Ne | Lt | Le | Gt | Ge | MatchEq | MatchNe | MatchLt | MatchLe | MatchGt | MatchGe => {
                self.vector_compare(op, package, &x, &y, result, span)
            }
            Sll | Srl | Sla | Sra | Rol | Ror => {
                let w = x.ty.width;
                let signed = matches!(op, Sla | Sra) && w > 0 && self.signed(package, &x);
                let fill = Fill { low: None, high: signed.then(|| self.m.d.slice(x.node, w - 1, 1)) };
                let node = self.shift_op(op, x.node, &y, fill, span)?;
                let shifted = self.vector(node, &result, &x);
                if package == "std_logic_1164" {
                    return Ok(self.ranged(package, shifted.clone(), &shifted));
                }
                if signed { self.unshifted_bounds(op, x, &y, shifted) } else { Ok(shifted) }
            }
            Plus | Minus => {
                let (a, b) = self.matched(package, &x, &y);
                let n = if op == Plus { self.m.d.add(a, b) } else { self.m.d.sub(a, b) };
                let like = if x.ty.is_vector() { x } else { y };
                Ok(self.vector(n, &result, &like))
            }
            Times => {
                let like = if x.ty.is_vector() { x.clone() } else { y.clone() };
                let (a, b) = if x.ty.is_vector() && y.ty.is_vector() {
                    let mixed = is_synopsys(package) && self.signed(package, &x) != self.signed(package, &y);
                    let w = x.ty.width + y.ty.width + u32::from(mixed);
                    (self.extended(package, &x, w), self.extended(package, &y, w))
                } else {
                    // The integer is cut to the vector's length first.
                    let (w, n) = (2 * like.ty.width, like.ty.width);
                    let (a, b) = (self.extended(package, &x, n), self.extended(package, &y, n));
                    let signed = self.signed(package, &like);
                    (self.m.d.resize(a, w, signed), self.m.d.resize(b, w, signed))
                };
                let n = self.m.d.mul(a, b);
                Ok(self.vector(n, &result, &like))
            }
            Div | Rem | Mod => self.vector_divide(op, package, x, y, result, span),
            _ => self.unsupported("the operator on these types", span),
        }
    }

    /// An arithmetic shift to the right gives its operand back, bounds and all, where nothing is shifted.
    fn unshifted_bounds(&mut self, op: Op, x: Val, count: &Val, shifted: Val) -> Res<Val> {
        let zero = self.int_const(0);
        let none = match (op, x.ty.width <= 1) {
            (Op::Sra, true) => self.int_compare(Op::Ge, count, &zero),
            (Op::Sra, false) => self.int_compare(Op::Eq, count, &zero),
            (_, true) => self.int_compare(Op::Lt, count, &zero),
            (_, false) => return Ok(shifted),
        };
        let ty = match self.m.d.as_bool(none) {
            Some(true) => x.ty,
            Some(false) => shifted.ty.clone(),
            None => self.common_bounds(none, &x, &shifted)?,
        };
        Ok(Val { node: shifted.node, ty })
    }

    /// The result of a logical operator has the range `1 to len` in the 1164 package.
    fn ranged(&mut self, package: &str, v: Val, like: &Val) -> Val {
        let TyKind::Array { def, elem, .. } = &like.ty.kind else { return v };
        let n = v.ty.width as i128;
        let dim = if package == "std_logic_1164" { Dim::new(1, n, false) } else { Dim::new(n - 1, 0, true) };
        Val { node: v.node, ty: Ty::array(def.clone(), Some(vec![dim]), elem.clone()) }
    }

    fn vector_divide(&mut self, op: Op, package: &str, x: Val, y: Val, result: Rc<Ty>, span: Span) -> Res<Val> {
        let like = if x.ty.is_vector() { x.clone() } else { y.clone() };
        let signed = self.signed(package, &like);
        // Wide enough for an integer that is not cut first, and for the most negative number.
        let width = |v: &Val| if v.ty.is_vector() { v.ty.width } else { 33 };
        let w = width(&x).max(width(&y)) + 1;
        let (a, b) = (self.extended(package, &x, w), self.extended(package, &y, w));
        let zero = self.m.d.uint(0, w);
        let by_zero = self.m.d.eq(b, zero);
        let ok = self.m.d.not(by_zero);
        self.oblige(ok, "division by zero", span)?;
        let n = match (op, signed) {
            (Op::Div, false) => self.m.d.udiv(a, b),
            (_, false) => self.m.d.urem(a, b),
            (Op::Div, true) => self.m.d.sdiv(a, b),
            (Op::Rem, true) => self.m.d.srem(a, b),
            _ => self.floor_mod(a, b),
        };
        let len = match op {
            _ if !(x.ty.is_vector() && y.ty.is_vector()) => like.ty.width,
            Op::Div => x.ty.width,
            _ => y.ty.width,
        };
        let n = if op == Op::Div && signed && x.ty.is_int() { self.wrapped_quotient(n, a, b, len) } else { n };
        let cut = (op == Op::Div && x.ty.is_int()) || (op == Op::Mod && y.ty.is_int());
        let n = if cut && signed && len > 0 {
            // What the package calculates with a number is resized, which keeps the sign.
            let (top, low) = (self.m.d.slice(n, w - 1, 1), self.m.d.slice(n, 0, len - 1));
            self.m.d.concat(&[top, low])
        } else {
            self.m.d.slice(n, 0, len)
        };
        Ok(self.vector(n, &result, &like))
    }

    /// A number is divided by a vector in as many bits as the number needs, but no fewer than the vector
    /// has: there the most negative one divided by -1 comes out as itself.
    fn wrapped_quotient(&mut self, q: NodeId, a: NodeId, b: NodeId, len: u32) -> NodeId {
        let d = &mut self.m.d;
        let w = d.width(a);
        let ones = d.constant(Bits::ones(w));
        let by_minus_one = d.eq(b, ones);
        let m = d.neg(a);
        let less = d.add(m, ones);
        let both = d.and(m, less);
        let zero = d.uint(0, w);
        let power = d.eq(both, zero);
        let limit = d.constant(types::int_bits(1 - (1i128 << (len - 1).min(120)), w));
        let large = d.slt(a, limit);
        let c = d.and(power, large);
        let c = d.and(c, by_minus_one);
        d.mux(c, a, q)
    }

    pub(super) fn vector_compare(
        &mut self,
        op: Op,
        package: &str,
        x: &Val,
        y: &Val,
        result: Rc<Ty>,
        span: Span,
    ) -> Res<Val> {
        use Op::*;
        let matching = matches!(op, MatchEq | MatchNe | MatchLt | MatchLe | MatchGt | MatchGe);
        let empty = |v: &Val| v.ty.is_vector() && v.ty.width == 0;
        if empty(x) || empty(y) || (!matching && (self.meta(x) || self.meta(y))) {
            // No number at all: nothing compares, but it differs.
            let n = self.m.d.bool(matches!(op, Ne | MatchNe));
            return Ok(Val { node: n, ty: result });
        }
        if !x.ty.is_vector() && !y.ty.is_vector() && matching {
            let n = if matches!(op, MatchEq | MatchNe) {
                self.matches(x, y, span)?
            } else {
                self.compare_nodes(op, x.node, y.node, false)
            };
            let n = if op == MatchNe { self.m.d.not(n) } else { n };
            return Ok(Val { node: n, ty: result });
        }
        let with_int = x.ty.is_int() || y.ty.is_int();
        if matches!(op, MatchEq | MatchNe) && !with_int && (self.meta(x) || self.meta(y)) {
            // Wildcards count in the longer form.
            let w = x.ty.width.max(y.ty.width);
            let grown = |e: &mut Self, v: &Val| {
                let signed = e.signed(package, v);
                Val { node: e.m.d.resize(v.node, w, signed), ty: v.ty.clone() }
            };
            let (a, b) = (grown(self, x), grown(self, y));
            let n = match (self.m.d.as_const(a.node).cloned(), self.m.d.as_const(b.node).cloned()) {
                (_, Some(p)) => self.match_bits(a.node, &p),
                (Some(p), _) => self.match_bits(b.node, &p),
                _ => self.m.d.eq(a.node, b.node),
            };
            let n = if op == MatchNe { self.m.d.not(n) } else { n };
            return Ok(Val { node: n, ty: result });
        }
        let vector = if x.ty.is_vector() { x } else { y };
        let (a, b) = if with_int && is_synopsys(package) {
            // The integer is cut to the signed range of the vector, one bit more if it is unsigned.
            let len = vector.ty.width + u32::from(!self.signed(package, vector));
            let mut grow = |v: &Val| {
                let n = self.extended(package, v, len);
                self.m.d.sext(n, len + 1)
            };
            (grow(x), grow(y))
        } else if with_int && matching {
            let len = vector.ty.width;
            let signed = self.signed(package, vector);
            let mut grow = |v: &Val| {
                let n = self.extended(package, v, len);
                self.m.d.resize(n, len + 1, signed)
            };
            (grow(x), grow(y))
        } else {
            let width = |v: &Val| if v.ty.is_int() { 33 } else { v.ty.width };
            let w = width(x).max(width(y)) + 1;
            (self.extended(package, x, w), self.extended(package, y, w))
        };
        let n = self.compare_nodes(op, a, b, true);
        Ok(Val { node: n, ty: result })
    }

    /// A shift or rotation by a number that may be negative: then it goes the other way. `low` comes in
    /// from the right and `high` from the left, zeros where they are absent.
    pub(super) fn shift_op(&mut self, op: Op, x: NodeId, count: &Val, fill: Fill, span: Span) -> Res<NodeId> {
        let (lo, hi) = self.interval(count);
        if self.m.d.width(x) == 0 {
            return Ok(x);
        }
        if lo >= 0 {
            return Ok(self.shift_by(op, x, &count.clone(), fill));
        }
        let other = match op {
            Op::Sll => Op::Srl,
            Op::Srl => Op::Sll,
            Op::Sla => Op::Sra,
            Op::Sra => Op::Sla,
            Op::Rol => Op::Ror,
            _ => Op::Rol,
        };
        let back = self.int_unary(Op::Minus, count, span)?;
        let back = self.non_negative(&back);
        let negative = self.shift_by(other, x, &back, fill);
        if hi < 0 {
            return Ok(negative);
        }
        let forward = self.non_negative(count);
        let positive = self.shift_by(op, x, &forward, fill);
        let zero = self.int_const(0);
        let is_negative = self.int_compare(Op::Lt, count, &zero);
        Ok(self.m.d.mux(is_negative, negative, positive))
    }

    /// The value where it is not negative; anything elsewhere.
    fn non_negative(&mut self, v: &Val) -> Val {
        let (_, hi) = self.interval(v);
        let hi = hi.max(0);
        let ty = Ty::int(0, hi);
        Val { node: self.int_node(v, ty.width), ty }
    }

    fn shift_by(&mut self, op: Op, x: NodeId, count: &Val, fill: Fill) -> NodeId {
        let w = self.m.d.width(x);
        match op {
            Op::Sll | Op::Sla => {
                let n = self.m.d.shl(x, count.node);
                match fill.low {
                    Some(f) => {
                        let ones = self.m.d.constant(Bits::ones(w));
                        let kept = self.m.d.shl(ones, count.node);
                        let gone = self.m.d.not(kept);
                        let f = self.spread(f, w);
                        let low = self.m.d.and(f, gone);
                        self.m.d.or(n, low)
                    }
                    None => n,
                }
            }
            Op::Srl | Op::Sra => match fill.high {
                // The only fill from the left is the leftmost bit.
                Some(_) => self.m.d.ashr(x, count.node),
                None => self.m.d.lshr(x, count.node),
            },
            _ => {
                let k = match self.as_int(count) {
                    Some(k) => self.int_const(k.rem_euclid(w as i128)),
                    None => {
                        let cw = count.ty.width.max(32);
                        let (n, m) = (self.m.d.zext(count.node, cw), self.m.d.uint(w as u64, cw));
                        let r = self.m.d.urem(n, m);
                        self.int_from(r, 0, w as i128 - 1)
                    }
                };
                let twice = self.m.d.concat(&[x, x]);
                if op == Op::Ror {
                    let n = self.m.d.lshr(twice, k.node);
                    return self.m.d.slice(n, 0, w);
                }
                let n = self.m.d.shl(twice, k.node);
                self.m.d.slice(n, w, w)
            }
        }
    }

    /// Functions of `math_real`, on constants.
    fn math(&mut self, name: &str, args: &[Val], span: Span) -> Res<Val> {
        let mut x = Vec::new();
        for a in args {
            match self.as_real(a) {
                Some(r) => x.push(r),
                None => return error(codes::E0411, "real numbers cannot become hardware", span, "not constant"),
            }
        }
        let r = match (name, x.as_slice()) {
            ("sign", [x]) => {
                if *x == 0.0 {
                    0.0
                } else {
                    x.signum()
                }
            }
            ("ceil", [x]) => x.ceil(),
            ("floor", [x]) => x.floor(),
            ("round", [x]) => x.round(),
            ("trunc", [x]) => x.trunc(),
            ("\"mod\"", [x, y]) => x - y * (x / y).floor(),
            ("realmax", [x, y]) => x.max(*y),
            ("realmin", [x, y]) => x.min(*y),
            ("sqrt", [x]) => x.sqrt(),
            ("cbrt", [x]) => x.cbrt(),
            ("\"**\"", [x, y]) => x.powf(*y),
            ("exp", [x]) => x.exp(),
            ("log", [x]) => x.ln(),
            ("log2", [x]) => x.log2(),
            ("log10", [x]) => x.log10(),
            ("log", [x, b]) => x.ln() / b.ln(),
            ("sin", [x]) => x.sin(),
            ("cos", [x]) => x.cos(),
            ("tan", [x]) => x.tan(),
            ("arcsin", [x]) => x.asin(),
            ("arccos", [x]) => x.acos(),
            ("arctan", [x]) => x.atan(),
            ("arctan", [y, x]) => y.atan2(*x),
            ("sinh", [x]) => x.sinh(),
            ("cosh", [x]) => x.cosh(),
            ("tanh", [x]) => x.tanh(),
            ("arcsinh", [x]) => x.asinh(),
            ("arccosh", [x]) => x.acosh(),
            ("arctanh", [x]) => x.atanh(),
            _ => return self.unsupported(&format!("function `{name}` of package `math_real`"), span),
        };
        Ok(self.real(r))
    }
}
