//! The expressions under two sides of an identity, in an order that evaluates them, and their variables.
//!
//! Invariant: operands stand before their users, a signal that is not an input after all that drives it; every
//! node is well formed (widths agree, no unknown constant, nothing free but inputs). So a value can be given
//! to each node from the values before it, and both the prover and the second check may rely on widths.

use crate::word::{Bits, Design, NodeId, Op, Role, SignalId, Source, eval_node};
use rustc_hash::FxHashMap;

/// Coefficients have as many bits as the words: wider ones are memories by another name.
const WIDEST: u32 = 4096;

/// All nodes under some roots.
pub(super) struct Cone {
    /// Operands before users.
    pub order: Vec<NodeId>,
    /// The inputs that matter.
    pub inputs: Vec<SignalId>,
    /// The variable that is bit 0 of an input.
    first: FxHashMap<SignalId, u16>,
}

/// What a signal is for us.
pub(super) enum Leaf {
    /// An input whose bit 0 is this variable.
    Input(u16),
    /// The nodes that drive it, the uppermost first.
    Driven(Vec<NodeId>),
}

impl Cone {
    /// The cone of `roots`, or why it is not one of pure functions of inputs.
    pub fn of(d: &Design, roots: &[NodeId]) -> Result<Cone, String> {
        let mut cone = Cone { order: Vec::new(), inputs: Vec::new(), first: FxHashMap::default() };
        let mut closed: FxHashMap<NodeId, bool> = FxHashMap::default();
        let mut variables = 0u32;
        let mut stack: Vec<(NodeId, bool)> = roots.iter().map(|r| (*r, false)).collect();
        while let Some((n, done)) = stack.pop() {
            if done {
                closed.insert(n, true);
                cone.order.push(n);
                continue;
            }
            match closed.get(&n) {
                Some(true) => continue,
                // Only what is above this place on the stack's path is open.
                Some(false) => return Err("a signal depends on itself without a register".into()),
                None => {}
            }
            well_formed(d, n)?;
            closed.insert(n, false);
            stack.push((n, true));
            match d.op(n) {
                Op::Signal(s) if d.signals[s.index()].role == Role::Input => {
                    if !cone.first.contains_key(s) {
                        let at = u16::try_from(variables).map_err(|_| too_many())?;
                        variables += d.width(n);
                        if variables > u16::MAX as u32 {
                            return Err(too_many());
                        }
                        cone.first.insert(*s, at);
                        cone.inputs.push(*s);
                    }
                }
                Op::Signal(s) => stack.extend(driven(d, *s)?.into_iter().map(|m| (m, false))),
                op => op.operands(|m| stack.push((m, false))),
            }
        }
        Ok(cone)
    }
    /// What the signal `s` of this cone is.
    pub fn leaf(&self, d: &Design, s: SignalId) -> Result<Leaf, String> {
        Ok(match self.first.get(&s) {
            Some(v) => Leaf::Input(*v),
            None => Leaf::Driven(driven(d, s)?),
        })
    }
    /// The inputs where exactly the variables `ones` are 1.
    pub fn point(&self, d: &Design, ones: &[u16]) -> Vec<(SignalId, Bits)> {
        let value = |s: &SignalId| {
            let width = d.signals[s.index()].width;
            let first = self.first.get(s).map_or(0, |v| *v as u32);
            let mut b = Bits::zero(width);
            for v in ones.iter().map(|v| *v as u32).filter(|v| *v >= first && v - first < width) {
                b.set(v - first, true);
            }
            (*s, b)
        };
        self.inputs.iter().map(value).collect()
    }
    /// Puts the value of each node of the cone for these inputs, by the plain reading of [`eval_node`], in
    /// `values`.
    pub fn evaluate(
        &self,
        d: &Design,
        point: &[(SignalId, Bits)],
        values: &mut FxHashMap<NodeId, Bits>,
    ) -> Result<(), String> {
        values.clear();
        for n in &self.order {
            // In this order every operand is remembered already: the evaluation never goes deep.
            if let Op::Signal(s) = d.op(*n) {
                let v = match self.leaf(d, *s)? {
                    Leaf::Input(_) => point.iter().find(|p| p.0 == *s).map(|p| p.1.clone()),
                    Leaf::Driven(parts) => {
                        let parts: Option<Vec<&Bits>> = parts.iter().map(|p| values.get(p)).collect();
                        parts.map(Bits::join)
                    }
                };
                values.insert(*n, v.ok_or("a signal has no value")?);
            } else {
                eval_node(d, *n, values, &mut |_, w, _| Bits::x(w));
            }
            if !values.get(n).is_some_and(|v| v.width() == d.width(*n) && !v.has_unknown()) {
                return Err("a node has no known value".into());
            }
        }
        Ok(())
    }
}

fn too_many() -> String {
    format!("there are more than {} input bits", u16::MAX)
}

/// The nodes that drive all of a signal, the uppermost first.
fn driven(d: &Design, s: SignalId) -> Result<Vec<NodeId>, String> {
    let signal = &d.signals[s.index()];
    let (mut at, mut parts) = (0u32, Vec::new());
    for drive in &signal.drives {
        let what = match drive.source {
            Source::Node(n) => {
                if n.index() >= d.nodes.len() || d.width(n) != drive.width || drive.lo != at {
                    return Err(format!("the drivers of `{}` do not fit it", signal.name));
                }
                at = at.saturating_add(drive.width);
                parts.push(n);
                continue;
            }
            Source::Register(_) => "a register",
            Source::Latch(_) => "a latch",
            Source::Input => "the outside",
            Source::Undriven => "nothing",
        };
        return Err(format!("`{}` is driven by {what}", signal.name));
    }
    if at != signal.width {
        return Err(format!("the drivers of `{}` do not cover it", signal.name));
    }
    parts.reverse();
    Ok(parts)
}

/// Whether the widths of a node and its operands agree, and it is a function of its operands.
fn well_formed(d: &Design, n: NodeId) -> Result<(), String> {
    use Op::*;
    let Some(node) = d.nodes.get(n.index()) else { return Err("there is no such node".into()) };
    let w = node.width;
    if w > WIDEST {
        return Err(format!("a word is {w} bits wide, more than {WIDEST}"));
    }
    let mut inside = true;
    node.op.operands(|m| inside &= m.index() < d.nodes.len());
    if !inside {
        return Err("an operand is no node".into());
    }
    let is = |m: &NodeId, width: u32| d.width(*m) == width;
    let fits = match &node.op {
        Const(b) if b.has_unknown() => return Err(format!("the constant {b} has unknown bits")),
        Const(b) => b.width() == w,
        Signal(s) => d.signals.get(s.index()).is_some_and(|s| s.width == w),
        Undef(_) => return Err("an unknown value takes part".into()),
        HighZ => return Err("a tri-state value takes part".into()),
        MemRead(..) => return Err("a memory is read".into()),
        Not(a) | Neg(a) => is(a, w),
        RedAnd(_) | RedOr(_) | RedXor(_) => w == 1,
        And(a, b) | Or(a, b) | Xor(a, b) | Add(a, b) | Sub(a, b) | Mul(a, b) => is(a, w) && is(b, w),
        Udiv(a, b) | Urem(a, b) | Sdiv(a, b) | Srem(a, b) => is(a, w) && is(b, w),
        Shl(a, _) | Lshr(a, _) | Ashr(a, _) => is(a, w),
        Eq(a, b) | Ult(a, b) | Slt(a, b) => w == 1 && d.width(*a) == d.width(*b),
        Mux(c, t, e) => is(c, 1) && is(t, w) && is(e, w),
        Concat(parts) => parts.iter().map(|p| d.width(*p) as u64).sum::<u64>() == w as u64,
        Slice(a, lo) => *lo as u64 + w as u64 <= d.width(*a) as u64,
        Zext(a) | Sext(a) => w >= d.width(*a),
    };
    if fits { Ok(()) } else { Err("the widths of an operator do not agree".into()) }
}
