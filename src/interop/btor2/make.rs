//! The term of one item, when what it needs is made.

use super::expr::{Exprs, Key, Open};
use super::term::{Id, Sort, Terms};
use crate::model::steps::Leaves;
use crate::net::bit_name;
use crate::word::{Bits, NodeId, Op, SignalId, Source};

impl Exprs<'_> {
    fn get(&self, key: Key) -> Id {
        self.made[&key]
    }

    pub(super) fn make(&mut self, key: Key, leaves: &Leaves<Id>) -> Id {
        if let Some(parts) = self.detour(key) {
            let whole = parts[0].width > key.width;
            if whole {
                let id = self.get(parts[0]);
                return self.t.slice(id, key.lo, key.width);
            }
            let bits: Vec<Id> = parts.iter().map(|k| self.get(*k)).collect();
            return self.join(&bits);
        }
        let d = self.d;
        if key.width == 0 {
            return self.t.constant(Bits::zero(0));
        }
        if key.item as usize >= d.nodes.len() {
            return self.make_signal(SignalId(key.item - d.nodes.len() as u32), key, leaves);
        }
        let n = NodeId(key.item);
        if key.width < d.width(n) { self.make_bit(n, key, leaves) } else { self.make_word(n, key, leaves) }
    }

    /// Parts, least significant first.
    fn join(&mut self, parts: &[Id]) -> Id {
        let mut id = parts[0];
        for &p in &parts[1..] {
            id = self.t.concat(p, id);
        }
        id
    }

    fn make_signal(&mut self, s: SignalId, key: Key, leaves: &Leaves<Id>) -> Id {
        let sig = &self.d.signals[s.index()];
        let mut parts = Vec::new();
        for (drive, lo, width) in self.pieces(s, key.lo, key.width) {
            let x = &sig.drives[drive as usize];
            let id = match x.source {
                Source::Node(n) => {
                    let float = self.driver(s, drive);
                    self.get(self.below(n, lo, width, float))
                }
                Source::Register(r) => {
                    let at = x.lo + lo - self.d.registers[r as usize].lo;
                    self.t.slice(leaves.registers[r as usize], at, width)
                }
                Source::Latch(r) => {
                    let at = x.lo + lo - self.d.latches[r as usize].lo;
                    self.t.slice(leaves.latches[r as usize], at, width)
                }
                Source::Input => {
                    let port = self.input(Open::Port(s), &sig.name, sig.width, sig.span);
                    self.t.slice(port, x.lo + lo, width)
                }
                Source::Undriven => {
                    let first = bit_name(&sig.name, sig.range, sig.width, x.lo);
                    let name = format!("entail_undriven_{first}");
                    let all = self.input(Open::Undriven(s, drive), &name, x.width, x.span);
                    self.t.slice(all, lo, width)
                }
            };
            parts.push(id);
        }
        self.join(&parts)
    }

    fn make_bit(&mut self, n: NodeId, key: Key, leaves: &Leaves<Id>) -> Id {
        let d = self.d;
        let (i, float) = (key.lo, key.float);
        let bit = |s: &Self, a: NodeId, i: u32| s.get(s.below(a, i, 1, float));
        let part = |s: &Self, a: NodeId, lo: u32, w: u32| s.get(s.below(a, lo, w, float));
        let whole = |s: &Self, a: NodeId| s.get(s.below(a, 0, d.width(a), float));
        let sort = Sort::Bits(i + 1);
        match d.op(n) {
            Op::Const(b) if !b.is_unknown(i) => self.t.bool(b.bit(i)),
            Op::Const(_) | Op::Undef(_) | Op::HighZ => {
                let all = self.leaf(n, key);
                self.t.slice(all, i, 1)
            }
            Op::Signal(s) => self.get(self.signal_key(*s, i, 1)),
            Op::Mux(..) => self.make_mux(n, key),
            Op::And(a, b) | Op::Or(a, b) => {
                let (a, b) = if d.as_const(*b).is_some() { (*b, *a) } else { (*a, *b) };
                let x = bit(self, a, i);
                let y = self.made.get(&self.below(b, i, 1, float)).copied().unwrap_or(x);
                if matches!(d.op(n), Op::And(..)) { self.t.and(x, y) } else { self.t.or(x, y) }
            }
            Op::Not(a) => {
                let a = bit(self, *a, i);
                self.t.not(a)
            }
            Op::Xor(a, b) => {
                let (a, b) = (bit(self, *a, i), bit(self, *b, i));
                self.t.apply("xor", &[a, b], Sort::Bits(1))
            }
            Op::Neg(a) => {
                let a = part(self, *a, 0, i + 1);
                let r = self.t.apply("neg", &[a], sort);
                self.t.slice(r, i, 1)
            }
            op @ (Op::Add(a, b) | Op::Sub(a, b) | Op::Mul(a, b)) => {
                let (a, b) = (part(self, *a, 0, i + 1), part(self, *b, 0, i + 1));
                let r = self.t.apply(operator(op), &[a, b], sort);
                self.t.slice(r, i, 1)
            }
            Op::Shl(a, amount) => {
                let (a, amount) = (part(self, *a, 0, i + 1), whole(self, *amount));
                let r = self.t.shift("sll", a, amount);
                self.t.slice(r, i, 1)
            }
            op @ (Op::Lshr(a, amount) | Op::Ashr(a, amount)) => {
                let (a, amount) = (part(self, *a, i, d.width(n) - i), whole(self, *amount));
                let r = self.t.shift(operator(op), a, amount);
                self.t.slice(r, 0, 1)
            }
            Op::Slice(a, lo) => bit(self, *a, lo + i),
            Op::Zext(a) if i >= d.width(*a) => self.t.bool(false),
            Op::Zext(a) | Op::Sext(a) => bit(self, *a, i.min(d.width(*a) - 1)),
            Op::Concat(parts) => {
                let (p, j) = self.concat_part(parts, d.width(n), i);
                bit(self, p, j)
            }
            // Every bit of these depends on all bits of the operands.
            op => {
                let operands = self.operands(op, float);
                let r = self.operation(n, &operands, leaves);
                self.t.slice(r, i, 1)
            }
        }
    }

    fn operands(&self, op: &Op, float: u32) -> Vec<Id> {
        let mut list = Vec::new();
        op.operands(|a| list.push(self.get(self.below(a, 0, self.d.width(a), float))));
        list
    }

    fn make_mux(&mut self, n: NodeId, key: Key) -> Id {
        let Op::Mux(c, t, e) = self.d.op(n) else { unreachable!("asked for a multiplexer") };
        let arm = |s: &Self, a: NodeId| s.made.get(&s.below(a, key.lo, key.width, key.float)).copied();
        let select = self.get(self.below(*c, 0, 1, key.float));
        match (arm(self, *t), arm(self, *e)) {
            (Some(t), Some(e)) => self.t.ite(select, t, e),
            // The other arm is never chosen.
            (Some(x), None) | (None, Some(x)) => x,
            (None, None) => unreachable!("an arm of a multiplexer is made"),
        }
    }

    /// Free values.
    fn leaf(&mut self, n: NodeId, key: Key) -> Id {
        let d = self.d;
        let (width, span) = (d.width(n), d.spans[n.index()]);
        match d.op(n) {
            Op::HighZ => self.input(Open::Floating(n, key.float), "entail_floating", width, span),
            _ => self.input(Open::Node(n), "entail_free", width, span),
        }
    }

    fn make_word(&mut self, n: NodeId, key: Key, leaves: &Leaves<Id>) -> Id {
        let d = self.d;
        match d.op(n) {
            Op::Const(b) if !b.has_unknown() => self.t.constant(b.clone()),
            Op::Const(b) => {
                let free = self.leaf(n, key);
                with_unknown(&mut self.t, b, free)
            }
            Op::Undef(_) | Op::HighZ => self.leaf(n, key),
            Op::Signal(s) => self.get(self.signal_key(*s, 0, key.width)),
            Op::Mux(..) => self.make_mux(n, key),
            Op::Slice(a, lo) => self.get(self.below(*a, *lo, key.width, key.float)),
            op => {
                let operands = self.operands(op, key.float);
                self.operation(n, &operands, leaves)
            }
        }
    }

    /// An operator on whole operands.
    fn operation(&mut self, n: NodeId, operands: &[Id], leaves: &Leaves<Id>) -> Id {
        let d = self.d;
        let width = d.width(n);
        match (d.op(n), operands) {
            (Op::Not(_), &[a]) => self.t.not(a),
            (Op::And(..), &[a, b]) => self.t.and(a, b),
            (Op::Or(..), &[a, b]) => self.t.or(a, b),
            (Op::Eq(..), &[a, b]) => self.t.eq(a, b),
            (Op::Shl(..) | Op::Lshr(..) | Op::Ashr(..), &[a, b]) => self.t.shift(operator(d.op(n)), a, b),
            (Op::Zext(_), &[a]) => self.t.extend(false, a, width),
            (Op::Sext(_), &[a]) => self.t.extend(true, a, width),
            (Op::Concat(_), parts) => {
                let parts: Vec<Id> = parts.iter().rev().copied().collect();
                self.join(&parts)
            }
            (Op::MemRead(m, _), &[addr]) => self.read(n, m.index(), leaves.memories[m.index()], addr),
            (op, operands) => self.t.apply(operator(op), operands, Sort::Bits(width)),
        }
    }
    /// The word at an address, free beyond the end.
    fn read(&mut self, n: NodeId, m: usize, array: Id, addr: Id) -> Id {
        let size = self.d.memories[m].size;
        let place = self.array_address(array, addr);
        let word = self.t.read(array, place);
        match self.within(addr, size) {
            None => word,
            Some(within) => {
                let (width, span) = (self.d.width(n), self.d.spans[n.index()]);
                let name = format!("entail_beyond_{}", self.d.memories[m].name);
                let free = self.input(Open::Node(n), &name, width, span);
                self.t.ite(within, word, free)
            }
        }
    }

    /// An address with as many bits as the array's addresses have. Bits are lost only where
    /// [`Exprs::within`] says no.
    pub(super) fn array_address(&mut self, array: Id, addr: Id) -> Id {
        let Sort::Array(bits, _) = self.t.sort(array) else { unreachable!("a memory is an array") };
        let addr = if self.t.width(addr) < bits { self.t.extend(false, addr, bits) } else { addr };
        self.t.slice(addr, 0, bits)
    }

    /// Whether an address is in a memory of `size` words; `None` if it always is.
    pub(super) fn within(&mut self, addr: Id, size: u64) -> Option<Id> {
        let width = self.t.width(addr);
        if width < 64 && 1u64 << width <= size {
            return None;
        }
        let size = self.t.constant(Bits::from_u64(size, width));
        Some(self.t.apply("ult", &[addr, size], Sort::Bits(1)))
    }
}

/// A constant whose unknown bits are those of `free`.
pub(super) fn with_unknown(t: &mut Terms, b: &Bits, free: Id) -> Id {
    let unknown = Bits::from_bits((0..b.width()).map(|i| b.is_unknown(i)));
    let known = Bits::from_bits((0..b.width()).map(|i| !b.is_unknown(i) && b.bit(i)));
    let (mask, known) = (t.constant(unknown), t.constant(known));
    let open = t.and(free, mask);
    t.or(open, known)
}

/// BTOR2's name of an operator that has one.
fn operator(op: &Op) -> &'static str {
    match op {
        Op::Neg(_) => "neg",
        Op::RedAnd(_) => "redand",
        Op::RedOr(_) => "redor",
        Op::RedXor(_) => "redxor",
        Op::Xor(..) => "xor",
        Op::Add(..) => "add",
        Op::Sub(..) => "sub",
        Op::Mul(..) => "mul",
        Op::Udiv(..) => "udiv",
        Op::Urem(..) => "urem",
        Op::Sdiv(..) => "sdiv",
        Op::Srem(..) => "srem",
        Op::Shl(..) => "sll",
        Op::Lshr(..) => "srl",
        Op::Ashr(..) => "sra",
        Op::Ult(..) => "ult",
        Op::Slt(..) => "slt",
        other => unreachable!("{other:?} is not one operator of BTOR2"),
    }
}
