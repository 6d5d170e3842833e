//! Concrete evaluation of a node: the plain reading of each operator.
//!
//! Used to decide small questions by enumeration and as an oracle for the netlist. It follows no
//! signal drivers: the caller says what each leaf is.

use super::*;

/// Evaluates `n`; `leaf` gives values for signals, free values and memory words.
pub fn eval_node(
    d: &Design,
    n: NodeId,
    memo: &mut FxHashMap<NodeId, Bits>,
    leaf: &mut dyn FnMut(&Op, u32, Option<&Bits>) -> Bits,
) -> Bits {
    if let Some(b) = memo.get(&n) {
        return b.clone();
    }
    use Op::*;
    let width = d.width(n);
    let mut go = |a: &NodeId| eval_node(d, *a, memo, leaf);
    let r = match d.op(n) {
        Const(b) => b.clone(),
        op @ (Signal(_) | Undef(_) | HighZ) => leaf(op, width, None),
        op @ MemRead(_, a) => {
            let a = go(a);
            leaf(op, width, Some(&a))
        }
        Not(a) => go(a).not(),
        Neg(a) => go(a).neg(),
        RedAnd(a) => go(a).red_and(),
        RedOr(a) => go(a).red_or(),
        RedXor(a) => go(a).red_xor(),
        And(a, b) => go(a).and(&go(b)),
        Or(a, b) => go(a).or(&go(b)),
        Xor(a, b) => go(a).xor(&go(b)),
        Add(a, b) => go(a).add(&go(b)),
        Sub(a, b) => go(a).sub(&go(b)),
        Mul(a, b) => go(a).mul(&go(b)),
        Udiv(a, b) => go(a).udiv(&go(b)),
        Urem(a, b) => go(a).urem(&go(b)),
        Sdiv(a, b) => go(a).sdiv(&go(b)),
        Srem(a, b) => go(a).srem(&go(b)),
        Shl(a, b) => go(a).shl(&go(b)),
        Lshr(a, b) => go(a).lshr(&go(b)),
        Ashr(a, b) => go(a).ashr(&go(b)),
        Eq(a, b) => go(a).eq(&go(b)),
        Ult(a, b) => go(a).ult(&go(b)),
        Slt(a, b) => go(a).slt(&go(b)),
        Mux(c, t, e) => {
            if go(c).is_true() {
                go(t)
            } else {
                go(e)
            }
        }
        Concat(parts) => parts.iter().fold(Bits::zero(0), |acc, p| acc.concat(&go(p))),
        Slice(a, lo) => go(a).slice(*lo, width),
        Zext(a) => go(a).zext(width),
        Sext(a) => go(a).sext(width),
    };
    memo.insert(n, r.clone());
    r
}
