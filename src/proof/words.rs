//! Words that algebra is about, as plain data, and the formula that they are equal.
//!
//! Kernel and replay both make that formula from the words alone, so a fact of algebra cannot be about other bits than
//! those that were proved equal.

use super::kernel::Identity;
use crate::net::Lit;
use crate::source::Span;
use crate::ste::terms::{Terms, Vector};
use crate::word::{Bits, NodeId, Op, Role};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// Words that need more gates than this are not lowered.
const MOST_GATES: u64 = 1 << 24;

/// Words for algebra: operators with operands, the left and the right side.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IdentityFile {
    /// Operators in order: name, operands, width, constant.
    pub nodes: Vec<(String, Vec<u32>, u32, Option<Bits>)>,
    /// Left side.
    pub left: u32,
    /// Right side.
    pub right: u32,
}

/// The formula that two words are equal, by lowering nothing but them.
pub fn equality(f: &IdentityFile, terms: &mut Terms) -> Result<(Identity, Lit), String> {
    let identity = identity_of(f, &terms.vectors)?;
    let mut diags = Vec::new();
    let net = crate::net::lower(&identity.design, &crate::net::LowerOptions::default(), &mut diags);
    let roots = net.outputs.first().map(|o| o.bits.clone()).unwrap_or_default();
    let names = terms.vectors.iter().enumerate().map(|(i, v)| (v.name.clone(), i as u32));
    let names: FxHashMap<smol_str::SmolStr, u32> = names.collect();
    let made = terms.import(&net, &roots, &mut |t, p, b| match names.get(&net.inputs[p as usize].name) {
        Some(v) => t.var(*v, b),
        None => Lit::FALSE,
    });
    match made.as_deref() {
        Some([l]) => Ok((identity, *l)),
        _ => Err("the words have no single value".into()),
    }
}

/// Two words, as the file has them.
pub fn identity_file(i: &Identity) -> IdentityFile {
    let d = &i.design;
    let driven = |s: crate::word::SignalId| {
        let signal = &d.signals[s.index()];
        let parts = signal.drives.iter().rev();
        parts.filter_map(|p| match p.source {
            crate::word::Source::Node(n) => Some(n),
            _ => None,
        })
    };
    // A signal that is no input stands for what drives it.
    let operands = |n: NodeId| {
        let mut list = Vec::new();
        match d.op(n) {
            Op::Signal(s) if d.signals[s.index()].role != Role::Input => list.extend(driven(*s)),
            op => op.operands(|o| list.push(o)),
        }
        list
    };
    let mut order: Vec<NodeId> = Vec::new();
    let mut seen = rustc_hash::FxHashSet::default();
    let mut open = vec![(i.left, false), (i.right, false)];
    while let Some((n, ready)) = open.pop() {
        if ready {
            order.push(n);
        } else if seen.insert(n) {
            open.push((n, true));
            open.extend(operands(n).into_iter().map(|o| (o, false)));
        }
    }
    // Operands first, and otherwise as they were made: words that are lowered in the same order become the same gates.
    let mut rank: FxHashMap<NodeId, u32> = FxHashMap::default();
    for n in &order {
        let below = operands(*n).iter().map(|o| rank[o] + 1).max().unwrap_or(0);
        rank.insert(*n, below.max(n.0));
    }
    order.sort_by_key(|n| (rank[n], n.0));
    let mut number: FxHashMap<u32, u32> = FxHashMap::default();
    let mut nodes = Vec::new();
    for n in order {
        let mut list: Vec<u32> = operands(n).iter().map(|o| number[&o.0]).collect();
        let (name, constant) = match d.op(n) {
            Op::Signal(s) if d.signals[s.index()].role == Role::Input => {
                (format!("input {}", d.signals[s.index()].name), None)
            }
            Op::Signal(_) => ("concat".to_string(), None),
            Op::Const(b) => ("const".to_string(), Some(b.clone())),
            Op::Slice(_, lo) => {
                list.push(*lo);
                ("slice".to_string(), None)
            }
            op => (op_name(op).to_string(), None),
        };
        number.insert(n.0, nodes.len() as u32);
        nodes.push((name, list, d.width(n), constant));
    }
    IdentityFile { nodes, left: number[&i.left.0], right: number[&i.right.0] }
}

fn op_name(op: &Op) -> &'static str {
    match op {
        Op::Not(_) => "not",
        Op::Neg(_) => "neg",
        Op::RedAnd(_) => "redand",
        Op::RedOr(_) => "redor",
        Op::RedXor(_) => "redxor",
        Op::And(..) => "and",
        Op::Or(..) => "or",
        Op::Xor(..) => "xor",
        Op::Add(..) => "add",
        Op::Sub(..) => "sub",
        Op::Mul(..) => "mul",
        Op::Udiv(..) => "udiv",
        Op::Urem(..) => "urem",
        Op::Sdiv(..) => "sdiv",
        Op::Srem(..) => "srem",
        Op::Shl(..) => "shl",
        Op::Lshr(..) => "lshr",
        Op::Ashr(..) => "ashr",
        Op::Eq(..) => "eq",
        Op::Ult(..) => "ult",
        Op::Slt(..) => "slt",
        Op::Mux(..) => "mux",
        Op::Concat(_) => "concat",
        Op::Zext(_) => "zext",
        Op::Sext(_) => "sext",
        _ => "unknown",
    }
}

/// Words from a file, as a design whose only output is their equality.
fn identity_of(f: &IdentityFile, vectors: &[Vector]) -> Result<Identity, String> {
    use crate::word::{Design, Drive, Signal, Source};
    let mut d = Design::new("identity");
    let mut inputs = FxHashMap::default();
    for v in vectors {
        let drives = vec![Drive { lo: 0, width: v.width, source: Source::Input, span: Span::NONE }];
        let name = v.name.clone();
        let s =
            Signal { name, width: v.width, range: None, span: Span::NONE, role: Role::Input, attrs: vec![], drives };
        let s = d.add_signal(s);
        inputs.insert(v.name.to_string(), s);
    }
    let mut gates = 0u64;
    let mut made: Vec<crate::word::NodeId> = Vec::new();
    for (name, list, width, constant) in &f.nodes {
        let bad = || format!("an operator `{name}` that cannot be");
        let at = |i: usize| list.get(i).and_then(|k| made.get(*k as usize)).copied().ok_or_else(bad);
        let count = |n: usize| if list.len() == n { Ok(()) } else { Err(bad()) };
        let same = |d: &Design, a, b| if d.width(a) == d.width(b) { Ok(()) } else { Err(bad()) };
        // Products and quotients have as many gates as the square of their width.
        let heavy = matches!(name.as_str(), "mul" | "udiv" | "urem" | "sdiv" | "srem");
        gates += if heavy { u64::from(*width) * u64::from(*width) } else { u64::from(*width) };
        if *width == 0 || *width > 4096 || gates > MOST_GATES {
            return Err(bad());
        }
        let two = |d: &Design| -> Result<_, String> {
            count(2)?;
            let (a, b) = (at(0)?, at(1)?);
            same(d, a, b)?;
            Ok((a, b))
        };
        let n = match name.as_str() {
            "const" => {
                let b = constant.clone().filter(|b| b.width() == *width && !b.has_unknown()).ok_or_else(bad)?;
                d.constant(b)
            }
            "slice" => {
                count(2)?;
                let (a, lo) = (at(0)?, list[1]);
                if lo.checked_add(*width).is_none_or(|hi| hi > d.width(a)) {
                    return Err(bad());
                }
                d.slice(a, lo, *width)
            }
            "not" | "neg" | "redand" | "redor" | "redxor" | "zext" | "sext" => {
                count(1)?;
                let a = at(0)?;
                match name.as_str() {
                    "not" => d.not(a),
                    "neg" => d.neg(a),
                    "redand" => d.red_and(a),
                    "redor" => d.red_or(a),
                    "redxor" => d.red_xor(a),
                    _ if *width < d.width(a) => return Err(bad()),
                    "zext" => d.zext(a, *width),
                    _ => d.sext(a, *width),
                }
            }
            "shl" | "lshr" | "ashr" => {
                count(2)?;
                let (a, b) = (at(0)?, at(1)?);
                match name.as_str() {
                    "shl" => d.shl(a, b),
                    "lshr" => d.lshr(a, b),
                    _ => d.ashr(a, b),
                }
            }
            "mux" => {
                count(3)?;
                let (c, t, e) = (at(0)?, at(1)?, at(2)?);
                same(&d, t, e)?;
                if d.width(c) != 1 {
                    return Err(bad());
                }
                d.mux(c, t, e)
            }
            "concat" => {
                let parts = (0..list.len()).map(at).collect::<Result<Vec<_>, _>>()?;
                if parts.is_empty() {
                    return Err(bad());
                }
                d.concat(&parts)
            }
            _ if name.starts_with("input ") => {
                let s = inputs.get(&name["input ".len()..]).ok_or_else(bad)?;
                d.signal(*s)
            }
            _ => {
                let (a, b) = two(&d)?;
                match name.as_str() {
                    "and" => d.and(a, b),
                    "or" => d.or(a, b),
                    "xor" => d.xor(a, b),
                    "add" => d.add(a, b),
                    "sub" => d.sub(a, b),
                    "mul" => d.mul(a, b),
                    "udiv" => d.udiv(a, b),
                    "urem" => d.urem(a, b),
                    "sdiv" => d.sdiv(a, b),
                    "srem" => d.srem(a, b),
                    "eq" => d.eq(a, b),
                    "ult" => d.ult(a, b),
                    "slt" => d.slt(a, b),
                    _ => return Err(bad()),
                }
            }
        };
        if d.width(n) != *width {
            return Err(bad());
        }
        made.push(n);
    }
    let side = |k: u32| made.get(k as usize).copied().ok_or("a side that there is not");
    let (left, right) = (side(f.left)?, side(f.right)?);
    if d.width(left) != d.width(right) {
        return Err("sides of different widths".into());
    }
    let equal = d.eq(left, right);
    let drives = vec![Drive { lo: 0, width: 1, source: Source::Node(equal), span: Span::NONE }];
    let name = "equal".into();
    d.add_signal(Signal { name, width: 1, range: None, span: Span::NONE, role: Role::Output, attrs: vec![], drives });
    Ok(Identity { design: std::sync::Arc::new(d), left, right })
}
