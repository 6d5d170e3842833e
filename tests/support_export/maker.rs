//! Builds designs signal by signal, with random nodes where a test does not care which.

use entail::source::{FileId, Span};
use entail::word::*;
use fastrand::Rng;

/// Inputs that act at once; the others are data.
pub const EVENTS: [&str; 4] = ["clk", "clk2", "rst", "set"];

pub struct Maker {
    pub d: Design,
    pub rng: Rng,
    pub pool: Vec<NodeId>,
}

impl Maker {
    pub fn span(&self, n: usize) -> Span {
        Span::new(FileId(0), 8 * (n as u32 % 40), 8 * (n as u32 % 40) + 4)
    }

    pub fn declare(&mut self, name: &str, width: u32, role: Role, source: Source) -> NodeId {
        let span = self.span(self.d.signals.len());
        // Ranges of all kinds: falling, rising, not from zero.
        let w = width as i64;
        let range = match (width, self.rng.u32(..4)) {
            (1, _) => None,
            (_, 0) => Some((0, w - 1)),
            (_, 1) => Some((w + 2, 3)),
            _ => Some((w - 1, 0)),
        };
        let drives = vec![Drive { lo: 0, width, source, span }];
        let s = self.d.add_signal(Signal { name: name.into(), width, range, span, role, attrs: vec![], drives });
        self.d.signal(s)
    }

    pub fn input(&mut self, name: &str, width: u32) -> NodeId {
        self.declare(name, width, Role::Input, Source::Input)
    }

    pub fn named(&self, name: &str) -> NodeId {
        let s = self.d.signal_named(name).expect("declared");
        (0..self.d.nodes.len() as u32).map(NodeId).find(|n| *self.d.op(*n) == Op::Signal(s)).expect("read")
    }

    fn pick(&mut self) -> NodeId {
        self.pool[self.rng.usize(..self.pool.len())]
    }

    pub fn bit(&mut self) -> NodeId {
        let n = self.pick();
        let lo = self.rng.u32(..self.d.width(n));
        self.d.slice(n, lo, 1)
    }

    /// A random value of a width.
    pub fn value(&mut self, width: u32) -> NodeId {
        let mut n = self.node();
        if self.rng.bool() {
            self.pool.push(n);
            n = self.node();
        }
        let signed = self.rng.bool();
        self.d.resize(n, width, signed)
    }

    fn node(&mut self) -> NodeId {
        let (a, b, bit, signed) = (self.pick(), self.pick(), self.bit(), self.rng.bool());
        let kind = self.rng.u32(..26);
        let d = &mut self.d;
        let w = d.width(a);
        let same = d.resize(b, w, signed);
        match kind {
            0 => d.not(a),
            1 => d.neg(a),
            2 => d.red_and(a),
            3 => d.red_or(a),
            4 => d.red_xor(a),
            5 => d.and(a, same),
            6 => d.or(a, same),
            7 => d.xor(a, same),
            8 => d.add(a, same),
            9 => d.sub(a, same),
            10 => d.mul(a, same),
            11 => d.udiv(a, same),
            12 => d.urem(a, same),
            13 => d.sdiv(a, same),
            14 => d.srem(a, same),
            15 => d.shl(a, b),
            16 => d.lshr(a, b),
            17 => d.ashr(a, b),
            18 => d.eq(a, same),
            19 => d.ult(a, same),
            20 => d.slt(a, same),
            21 if w + d.width(b) <= 20 => d.concat(&[a, b]),
            22 => {
                let lo = self.rng.u32(..w);
                d.slice(a, lo, self.rng.u32(1..=w - lo))
            }
            23 if w < 16 => d.zext(a, w + 3),
            24 if w < 16 => d.sext(a, w + 3),
            _ => d.mux(bit, a, same),
        }
    }

    pub fn register(&mut self, name: &str, width: u32, clock: NodeId, edge: Edge, init: Bits) -> usize {
        let number = self.d.registers.len();
        let q = self.declare(name, width, Role::Output, Source::Register(number as u32));
        let Op::Signal(signal) = *self.d.op(q) else { unreachable!() };
        let span = self.span(number + 7);
        self.d.registers.push(Register { signal, lo: 0, width, clock, edge, next: q, asyncs: vec![], init, span });
        self.pool.push(q);
        number
    }

    pub fn latch(&mut self, name: &str, enable: NodeId, width: u32, init: Bits) -> usize {
        let number = self.d.latches.len();
        let q = self.declare(name, width, Role::Output, Source::Latch(number as u32));
        let Op::Signal(signal) = *self.d.op(q) else { unreachable!() };
        let span = self.span(number + 9);
        self.d.latches.push(Latch { signal, lo: 0, width, enable, data: q, init, span });
        number
    }
}

/// A maker with the usual inputs.
pub fn maker() -> Maker {
    let mut m = Maker { d: Design::new("top"), rng: Rng::with_seed(0), pool: vec![] };
    for name in EVENTS {
        m.input(name, 1);
    }
    m
}
