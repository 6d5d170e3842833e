//! One design made part of another, as an instance written in another language is.

use super::*;

impl Design {
    /// Takes in all of `child`, its names under `path`. Signal `s` of the child becomes the signal
    /// numbered `s` above the returned one; inputs and outputs of the child stay marked as such
    /// until the caller connects them.
    pub fn absorb(&mut self, child: Design, path: &str) -> u32 {
        let under = |name: &SmolStr| -> SmolStr { format!("{path}.{name}").into() };
        let (signals, memories) = (self.signals.len() as u32, self.memories.len() as u32);
        let (registers, latches) = (self.registers.len() as u32, self.latches.len() as u32);
        let saved = self.here;
        // Operands come before what uses them, so one pass maps all nodes.
        let mut map: Vec<NodeId> = Vec::with_capacity(child.nodes.len());
        for (node, span) in child.nodes.into_iter().zip(child.spans) {
            self.here = span;
            let new = match node.op {
                Op::Undef(_) => self.undef(node.width),
                op => {
                    let op = op.map(|n| map[n.index()], |s| SignalId(s.0 + signals), |m| MemoryId(m.0 + memories));
                    self.intern(op, node.width)
                }
            };
            map.push(new);
        }
        self.here = saved;
        let at = |n: NodeId| map[n.index()];
        self.shapes.extend(child.shapes.into_iter().map(|(n, s)| (under(&n), s)));
        for mut s in child.signals {
            s.name = under(&s.name);
            for d in &mut s.drives {
                d.source = match d.source {
                    Source::Node(n) => Source::Node(at(n)),
                    Source::Register(r) => Source::Register(r + registers),
                    Source::Latch(l) => Source::Latch(l + latches),
                    other => other,
                };
            }
            self.signals.push(s);
        }
        self.registers.extend(child.registers.into_iter().map(|mut r| {
            r.signal.0 += signals;
            (r.clock, r.next) = (at(r.clock), at(r.next));
            for a in &mut r.asyncs {
                (a.condition, a.value) = (at(a.condition), at(a.value));
            }
            r
        }));
        self.latches.extend(child.latches.into_iter().map(|mut l| {
            l.signal.0 += signals;
            (l.enable, l.data) = (at(l.enable), at(l.data));
            l
        }));
        self.memories.extend(child.memories.into_iter().map(|mut m| {
            m.name = under(&m.name);
            for w in &mut m.writes {
                for n in [&mut w.clock, &mut w.enable, &mut w.addr, &mut w.data, &mut w.mask] {
                    *n = at(*n);
                }
            }
            m
        }));
        self.asserts.extend(child.asserts.into_iter().map(|mut a| {
            a.name = under(&a.name);
            (a.enable, a.condition, a.trigger) = (at(a.enable), at(a.condition), at(a.trigger));
            a.clock = a.clock.map(|(n, e)| (at(n), e));
            a
        }));
        signals
    }
}

impl Op {
    /// The same operator over other operands.
    fn map(
        self,
        mut n: impl FnMut(NodeId) -> NodeId,
        s: impl FnOnce(SignalId) -> SignalId,
        m: impl FnOnce(MemoryId) -> MemoryId,
    ) -> Op {
        use Op::*;
        match self {
            Const(_) | Undef(_) | HighZ => self,
            Signal(x) => Signal(s(x)),
            Not(a) => Not(n(a)),
            Neg(a) => Neg(n(a)),
            RedAnd(a) => RedAnd(n(a)),
            RedOr(a) => RedOr(n(a)),
            RedXor(a) => RedXor(n(a)),
            Slice(a, lo) => Slice(n(a), lo),
            Zext(a) => Zext(n(a)),
            Sext(a) => Sext(n(a)),
            MemRead(x, a) => MemRead(m(x), n(a)),
            And(a, b) => And(n(a), n(b)),
            Or(a, b) => Or(n(a), n(b)),
            Xor(a, b) => Xor(n(a), n(b)),
            Add(a, b) => Add(n(a), n(b)),
            Sub(a, b) => Sub(n(a), n(b)),
            Mul(a, b) => Mul(n(a), n(b)),
            Udiv(a, b) => Udiv(n(a), n(b)),
            Urem(a, b) => Urem(n(a), n(b)),
            Sdiv(a, b) => Sdiv(n(a), n(b)),
            Srem(a, b) => Srem(n(a), n(b)),
            Shl(a, b) => Shl(n(a), n(b)),
            Lshr(a, b) => Lshr(n(a), n(b)),
            Ashr(a, b) => Ashr(n(a), n(b)),
            Eq(a, b) => Eq(n(a), n(b)),
            Ult(a, b) => Ult(n(a), n(b)),
            Slt(a, b) => Slt(n(a), n(b)),
            Mux(c, t, e) => Mux(n(c), n(t), n(e)),
            Concat(parts) => Concat(parts.iter().map(|p| n(*p)).collect()),
        }
    }
}
