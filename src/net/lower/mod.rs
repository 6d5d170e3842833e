//! Lowers a word-level design to gates.
//!
//! Demand-driven at the granularity of single bits: a bit of a node is made when something reads
//! it, from only those operand bits that it depends on. So `assign v[1] = v[0]` is no loop, and
//! what nobody reads below a name costs nothing. `walk` holds the work stack and finds loops,
//! `bit` says for each operator which bits it reads and which gates it makes, `memory` turns small
//! memories into registers.
//!
//! Invariant: every name of the design is a net of the netlist, `nets[i]` being signal `i` (words
//! of lowered memories follow). Nothing is assumed about a free value: each place one arises has a
//! [`Gate::Free`] of its own.

mod bit;
mod memory;
mod walk;

use super::*;
use crate::source::Diagnostic;
use crate::word::{self, Design, Edge, NodeId, Source};
use memory::Store;
use walk::Lowering;

/// Choices of the lowering.
#[derive(Clone, Debug)]
pub struct LowerOptions {
    /// Memories of at most this many bits become registers and multiplexers.
    pub memory_limit_bits: u64,
}

impl Default for LowerOptions {
    fn default() -> LowerOptions {
        LowerOptions { memory_limit_bits: 2048 }
    }
}

/// Turns a finished design into gates. Combinational loops are reported in `diags` (`E0502`) and
/// cut by a free value.
pub fn lower(d: &Design, opts: &LowerOptions, diags: &mut Vec<Diagnostic>) -> Netlist {
    let mut l = Lowering::new(d, diags);
    l.make_ports();
    l.make_state();
    l.make_stores(opts.memory_limit_bits);
    l.connect();
    l.g.finish()
}

impl Lowering<'_> {
    /// One input port per signal that the outside world drives.
    fn make_ports(&mut self) {
        let d = self.d;
        for (s, sig) in d.signals.iter().enumerate() {
            if !sig.drives.iter().any(|x| x.source == Source::Input) {
                continue;
            }
            let port = self.g.net.inputs.len() as u32;
            self.g.here = sig.span;
            let bits = (0..sig.width).map(|i| self.g.leaf(Gate::Input(port, i))).collect();
            self.g.net.inputs.push(named(sig, bits));
            self.ports.insert(s as u32, port);
        }
    }

    /// The output gates of registers and latches; what drives them is filled in later.
    fn make_state(&mut self) {
        let d = self.d;
        for r in &d.registers {
            self.register_base.push(self.g.net.registers.len() as u32);
            self.g.here = r.span;
            for i in 0..r.width {
                let gate = self.g.leaf(Gate::Register(self.g.net.registers.len() as u32)).gate();
                self.g.net.registers.push(Register {
                    gate,
                    next: Lit::FALSE,
                    clock: Lit::FALSE,
                    asyncs: Vec::new(),
                    init: known(&r.init, i),
                    net: (r.signal.0, r.lo + i),
                    span: r.span,
                });
            }
        }
        for r in &d.latches {
            self.latch_base.push(self.g.net.latches.len() as u32);
            self.g.here = r.span;
            for i in 0..r.width {
                let gate = self.g.leaf(Gate::Latch(self.g.net.latches.len() as u32)).gate();
                self.g.net.latches.push(Latch {
                    gate,
                    enable: Lit::FALSE,
                    data: Lit::FALSE,
                    init: known(&r.init, i),
                    net: (r.signal.0, r.lo + i),
                    span: r.span,
                });
            }
        }
    }

    /// Demands every root: outputs, what drives state and memories, properties, then all names.
    fn connect(&mut self) {
        let d = self.d;
        for s in d.outputs() {
            let bits = self.signal_bits(s.0);
            let net = named(&d.signals[s.index()], bits);
            self.g.net.outputs.push(net);
        }
        self.connect_registers();
        self.connect_latches();
        self.connect_memories();
        for a in &d.asserts {
            let (enable, condition) = (self.root(a.enable, 0), self.root(a.condition, 0));
            let trigger = self.root(a.trigger, 0);
            let clock = a.clock.map(|(c, e)| self.clock(c, e));
            let (kind, name, span) = (a.kind, a.name.clone(), a.span);
            self.g.net.asserts.push(Assert { kind, name, enable, condition, trigger, clock, span });
        }
        let mut nets = Vec::with_capacity(d.signals.len());
        for (s, sig) in d.signals.iter().enumerate() {
            let bits = self.signal_bits(s as u32);
            nets.push(named(sig, bits));
        }
        // Words of lowered memories were numbered after the signals.
        nets.append(&mut self.g.net.nets);
        self.g.net.nets = nets;
    }

    fn connect_registers(&mut self) {
        let d = self.d;
        for (k, r) in d.registers.iter().enumerate() {
            let clock = self.clock(r.clock, r.edge);
            let conditions: Vec<Lit> = r.asyncs.iter().map(|a| self.root(a.condition, 0)).collect();
            for i in 0..r.width {
                let next = self.root(r.next, i);
                let mut asyncs = Vec::new();
                for (a, &c) in r.asyncs.iter().zip(&conditions) {
                    if c != Lit::FALSE {
                        asyncs.push((c, self.root(a.value, i)));
                    }
                }
                let reg = &mut self.g.net.registers[(self.register_base[k] + i) as usize];
                (reg.clock, reg.next, reg.asyncs) = (clock, next, asyncs);
            }
        }
    }

    fn connect_latches(&mut self) {
        let d = self.d;
        for (k, r) in d.latches.iter().enumerate() {
            let enable = self.root(r.enable, 0);
            for i in 0..r.width {
                let data = self.root(r.data, i);
                let latch = &mut self.g.net.latches[(self.latch_base[k] + i) as usize];
                (latch.enable, latch.data) = (enable, data);
            }
        }
    }

    fn connect_memories(&mut self) {
        let d = self.d;
        for (m, mem) in d.memories.iter().enumerate() {
            let mut ports = Vec::new();
            for w in &mem.writes {
                let clock = self.clock(w.clock, w.edge);
                let enable = self.root(w.enable, 0);
                let addr = self.root_bits(w.addr);
                let data = self.root_bits(w.data);
                let mask = self.root_bits(w.mask);
                ports.push(MemoryWrite { clock, enable, addr, data, mask });
            }
            match &self.stores[m] {
                Store::Kept(k) => self.g.net.memories[*k as usize].writes = ports,
                Store::Words(_) => self.connect_words(m, &ports),
            }
        }
    }

    /// The literal whose rising edge is the event.
    fn clock(&mut self, clock: NodeId, edge: Edge) -> Lit {
        self.root(clock, 0).xor(edge == Edge::Neg)
    }

    fn root_bits(&mut self, n: NodeId) -> Vec<Lit> {
        (0..self.d.width(n)).map(|i| self.root(n, i)).collect()
    }

    fn signal_bits(&mut self, s: u32) -> Vec<Lit> {
        (0..self.d.signals[s as usize].width).map(|i| self.signal_bit(s, i)).collect()
    }
}

fn named(s: &word::Signal, bits: Vec<Lit>) -> Net {
    Net { name: s.name.clone(), range: s.range, bits, span: s.span, attrs: s.attrs.clone() }
}

/// An initial bit: unknown means unconstrained.
fn known(init: &word::Bits, i: u32) -> Option<bool> {
    (!init.is_unknown(i)).then(|| init.bit(i))
}
