//! Small designs in a few calls.

use crate::net::{LowerOptions, Netlist, lower};
use crate::source::{Diagnostic, FileId, Span};
use crate::word::*;

/// A distinct place for each thing, so that diagnostics can be told apart.
pub fn place(n: u32) -> Span {
    Span::new(FileId(0), 10 * n, 10 * n + 5)
}

/// A signal without drivers.
pub fn declare(d: &mut Design, name: &str, width: u32, role: Role) -> SignalId {
    let range = (width > 1).then_some((width as i64 - 1, 0));
    let span = place(d.signals.len() as u32);
    d.add_signal(Signal { name: name.into(), width, range, span, role, attrs: vec![], drives: vec![] })
}

/// Adds a driver of bits `lo ..`.
pub fn drive(d: &mut Design, s: SignalId, lo: u32, width: u32, source: Source) {
    let span = place(100 + 10 * s.0 + lo);
    let drives = &mut d.signals[s.index()].drives;
    drives.push(Drive { lo, width, source, span });
    drives.sort_by_key(|x| x.lo);
}

/// An input and the node that reads it.
pub fn input(d: &mut Design, name: &str, width: u32) -> NodeId {
    let s = declare(d, name, width, Role::Input);
    drive(d, s, 0, width, Source::Input);
    d.signal(s)
}

/// A named copy of a node.
pub fn assign(d: &mut Design, name: &str, role: Role, n: NodeId) -> SignalId {
    let w = d.width(n);
    let s = declare(d, name, w, role);
    drive(d, s, 0, w, Source::Node(n));
    s
}

/// An output driven by a node.
pub fn output(d: &mut Design, name: &str, n: NodeId) -> SignalId {
    assign(d, name, Role::Output, n)
}

/// A register whose `next` is still its own value, and the node that reads it.
pub fn register(d: &mut Design, name: &str, width: u32, clock: NodeId, init: Bits) -> (NodeId, usize) {
    let signal = declare(d, name, width, Role::Internal);
    let number = d.registers.len();
    drive(d, signal, 0, width, Source::Register(number as u32));
    let q = d.signal(signal);
    let span = place(500 + number as u32);
    d.registers.push(Register { signal, lo: 0, width, clock, edge: Edge::Pos, next: q, asyncs: vec![], init, span });
    (q, number)
}

/// A latch and the node that reads it.
pub fn latch(d: &mut Design, name: &str, enable: NodeId, data: NodeId, init: Bits) -> NodeId {
    let width = d.width(data);
    let signal = declare(d, name, width, Role::Internal);
    let number = d.latches.len() as u32;
    drive(d, signal, 0, width, Source::Latch(number));
    d.latches.push(Latch { signal, lo: 0, width, enable, data, init, span: place(700 + number) });
    d.signal(signal)
}

/// Lowers a design that must have no mistakes.
pub fn netlist(d: &Design) -> Netlist {
    let (net, diags) = netlist_with(d, &LowerOptions::default());
    assert!(diags.is_empty(), "{diags:?}");
    net
}

/// Lowers, and checks the invariants of a netlist.
pub fn netlist_with(d: &Design, opts: &LowerOptions) -> (Netlist, Vec<Diagnostic>) {
    let mut diags = Vec::new();
    let net = lower(d, opts, &mut diags);
    check_invariants(&net);
    (net, diags)
}

/// Order of gates, and tables and gates that name each other.
pub fn check_invariants(net: &Netlist) {
    use crate::net::{Gate, GateId};
    assert_eq!(net.gates.len(), net.spans.len());
    assert_eq!(net.gates[0], Gate::False);
    for (i, g) in net.gates.iter().enumerate() {
        let id = GateId(i as u32);
        net.fanin(id, |l| assert!(l.gate() < id, "gates are in topological order"));
        match *g {
            Gate::Input(p, b) => assert_eq!(net.inputs[p as usize].bits[b as usize].gate(), id),
            Gate::Free(n) => assert_eq!(net.frees[n as usize].gate, id),
            Gate::Register(n) => assert_eq!(net.registers[n as usize].gate, id),
            Gate::Latch(n) => assert_eq!(net.latches[n as usize].gate, id),
            Gate::Read(m, p, b) => {
                let m = &net.memories[m as usize];
                assert!((p as usize) < m.reads.len() && b < m.width);
            }
            Gate::False | Gate::And(..) | Gate::Xor(..) | Gate::Mux(..) => {}
        }
    }
    for r in &net.registers {
        assert_eq!(net.nets[r.net.0 as usize].bits[r.net.1 as usize].gate(), r.gate);
    }
    for r in &net.latches {
        assert_eq!(net.nets[r.net.0 as usize].bits[r.net.1 as usize].gate(), r.gate);
    }
}
