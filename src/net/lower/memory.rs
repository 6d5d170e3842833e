//! Memories: small ones become registers with write decoders and read multiplexers, larger ones
//! are kept with their ports.

use super::walk::{Lowering, drive_of};
use super::*;
use crate::word::{Op, SignalId};

/// What became of a memory.
pub(super) enum Store {
    /// Position in the netlist's memories.
    Kept(u32),
    /// The bits of each word: registers, or constants of a memory that nobody writes.
    Words(Vec<Vec<Lit>>),
}

impl Lowering<'_> {
    /// Decides for each memory and makes the registers of the small ones.
    pub(super) fn make_stores(&mut self, limit: u64) {
        let d = self.d;
        for mem in &d.memories {
            let bits = mem.size.saturating_mul(mem.width.max(1) as u64);
            self.g.here = mem.span;
            let small = bits <= limit && self.one_clock(mem);
            let store = if small { self.make_words(mem) } else { self.keep(mem) };
            self.stores.push(store);
        }
    }

    fn keep(&mut self, mem: &word::Memory) -> Store {
        self.g.net.memories.push(Memory {
            name: mem.name.clone(),
            width: mem.width,
            size: mem.size,
            init: mem.init.clone(),
            reads: Vec::new(),
            writes: Vec::new(),
            span: mem.span,
        });
        Store::Kept(self.g.net.memories.len() as u32 - 1)
    }

    fn make_words(&mut self, mem: &word::Memory) -> Store {
        let mut init = vec![word::Bits::x(mem.width); mem.size as usize];
        for (a, v) in mem.init.iter().filter(|(a, _)| *a < mem.size) {
            init[*a as usize] = v.clone();
        }
        let mut words = Vec::new();
        for (a, value) in init.iter().enumerate() {
            let net = (self.d.signals.len() + self.g.net.nets.len()) as u32;
            let bits: Vec<Lit> = (0..mem.width)
                .map(|i| match known(value, i) {
                    Some(v) if mem.writes.is_empty() => Lit::FALSE.xor(v),
                    init => self.make_word_bit(mem, (net, i), init),
                })
                .collect();
            let range = (mem.width > 1).then(|| (mem.width as i64 - 1, 0));
            let name = format!("{}[{a}]", mem.name).into();
            self.g.net.nets.push(Net { name, range, bits: bits.clone(), span: mem.span, attrs: mem.attrs.clone() });
            words.push(bits);
        }
        Store::Words(words)
    }

    /// A register bit that holds its value until a write port is connected to it.
    fn make_word_bit(&mut self, mem: &word::Memory, net: (u32, u32), init: Option<bool>) -> Lit {
        let l = self.g.leaf(Gate::Register(self.g.net.registers.len() as u32));
        let (gate, span) = (l.gate(), mem.span);
        self.g.net.registers.push(Register { gate, next: l, clock: Lit::FALSE, asyncs: Vec::new(), init, net, span });
        l
    }

    /// Connects the registers of memory `m`: later ports override earlier ones.
    pub(super) fn connect_words(&mut self, m: usize, ports: &[MemoryWrite]) {
        let mem = &self.d.memories[m];
        let Store::Words(words) = &self.stores[m] else { return };
        let clock = ports.first().map_or(Lit::FALSE, |p| p.clock);
        assert!(ports.iter().all(|p| p.clock == clock), "a lowered memory has one clock");
        let lines: Vec<Vec<Lit>> = ports
            .iter()
            .zip(&mem.writes)
            .map(|(p, w)| {
                self.g.here = w.span;
                let lines = self.g.decoder(&p.addr, mem.size);
                lines.into_iter().map(|l| self.g.and(l, p.enable)).collect()
            })
            .collect();
        for (a, word) in words.iter().enumerate() {
            for (i, &bit) in word.iter().enumerate() {
                let Gate::Register(r) = self.g.net.gates[bit.gate().0 as usize] else { continue };
                let mut next = bit;
                for ((p, w), hit) in ports.iter().zip(&mem.writes).zip(&lines) {
                    self.g.here = w.span;
                    let write = self.g.and(hit[a], p.mask[i]);
                    next = self.g.mux(write, p.data[i], next);
                }
                let reg = &mut self.g.net.registers[r as usize];
                reg.next = next;
                reg.clock = clock;
            }
        }
    }

    /// Whether all write ports work on the same edge of the same clock, seen through names and
    /// inversions. Different drivers of equal clocks are not recognised; the memory is then kept.
    fn one_clock(&self, mem: &word::Memory) -> bool {
        let d = self.d;
        let mut clocks = mem.writes.iter().map(|w| {
            let (origin, inverted) = origin(d, w.clock);
            (origin, inverted != (w.edge == Edge::Neg))
        });
        let floats = mem.writes.iter().any(|w| self.table.can_float(w.clock));
        !floats && clocks.next().is_none_or(|first| clocks.all(|c| c == first))
    }

    /// Bit `i` of the word at `addr`.
    pub(super) fn read_bit(&mut self, m: u32, addr: &[Lit], i: u32) -> Lit {
        match &self.stores[m as usize] {
            &Store::Kept(k) => {
                let reads = &mut self.g.net.memories[k as usize].reads;
                let port = *self.read_ports.entry((k, addr.to_vec())).or_insert_with(|| {
                    reads.push(addr.to_vec());
                    reads.len() as u32 - 1
                });
                self.g.leaf(Gate::Read(k, port, i))
            }
            Store::Words(words) => {
                let mut select = Select { g: &mut self.g, addr, words, bit: i as usize, beyond: None };
                select.word_at(addr.len(), 0)
            }
        }
    }
}

/// The multiplexer tree of one read bit.
struct Select<'a> {
    g: &'a mut Builder,
    addr: &'a [Lit],
    words: &'a [Vec<Lit>],
    bit: usize,
    /// The free value read beyond the memory, made when it can be read at all.
    beyond: Option<Lit>,
}

impl Select<'_> {
    /// The bit read when the address bits from `k` up are those of `base`.
    fn word_at(&mut self, k: usize, base: u64) -> Lit {
        if base >= self.words.len() as u64 {
            return *self.beyond.get_or_insert_with(|| self.g.free());
        }
        let Some(k) = k.checked_sub(1) else { return self.words[base as usize][self.bit] };
        let select = self.addr[k];
        // An address bit beyond 63 that is set is beyond every memory.
        let high = if k < 64 { base | 1 << k } else { u64::MAX };
        match select.as_const() {
            Some(false) => self.word_at(k, base),
            Some(true) => self.word_at(k, high),
            None => {
                let (t, e) = (self.word_at(k, high), self.word_at(k, base));
                self.g.mux(select, t, e)
            }
        }
    }
}

/// The node bit or signal bit that a 1-bit node is a copy of, and whether it is inverted.
fn origin(d: &Design, n: NodeId) -> ((Result<NodeId, SignalId>, u32), bool) {
    let (mut node, mut bit, mut inverted) = (n, 0, false);
    // Loops are an error elsewhere; here they only must end.
    for _ in 0..1000 {
        match d.op(node) {
            Op::Not(a) => (node, inverted) = (*a, !inverted),
            Op::Slice(a, lo) => (node, bit) = (*a, lo + bit),
            Op::Signal(s) => match drive_of(&d.signals[s.index()], bit).map(|x| (x.source, x.lo)) {
                Some((Source::Node(m), lo)) => (node, bit) = (m, bit - lo),
                _ => return ((Err(*s), bit), inverted),
            },
            _ => break,
        }
    }
    ((Ok(node), bit), inverted)
}
