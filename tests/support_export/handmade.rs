//! Small designs made by hand, for properties to prove and for snapshots.

use super::maker::maker;
use entail::word::*;

/// A counter to 7 that an enable moves, and two claims about it.
pub fn counter() -> Design {
    let mut m = maker();
    let clk = m.named("clk");
    let r = m.register("u.count", 3, clk, Edge::Pos, Bits::zero(3));
    let q = m.named("u.count");
    let (one, five) = (m.d.uint(1, 3), m.d.uint(5, 3));
    let (more, en) = (m.d.add(q, one), m.named("set"));
    m.d.registers[r].next = m.d.mux(en, more, q);
    let is_five = m.d.eq(q, five);
    let (yes, not_five) = (m.d.bool(true), m.d.not(is_five));
    let span = m.span(3);
    for (name, condition) in [("never_five", not_five), ("nothing", yes)] {
        let (kind, clock) = (AssertKind::Assert, Some((clk, Edge::Pos)));
        m.d.asserts.push(Assert { kind, name: name.into(), enable: yes, condition, trigger: yes, clock, span });
    }
    m.d
}

/// A counter with an asynchronous reset, an enable latch, an undriven bit, a memory and properties.
pub fn small() -> Design {
    let mut m = maker();
    let (clk, rst, set) = (m.named("clk"), m.named("rst"), m.named("set"));
    let data = m.input("data", 2);
    let r = m.register("u.count", 2, clk, Edge::Pos, Bits::zero(2));
    let q = m.named("u.count");
    let (zero, one) = (m.d.uint(0, 2), m.d.uint(1, 2));
    m.d.registers[r].next = m.d.add(q, one);
    let reset = m.d.not(rst);
    m.d.registers[r].asyncs.push(AsyncControl { condition: reset, value: zero });
    let l = m.latch("held", set, 2, Bits::x(2));
    m.d.latches[l].data = m.d.xor(q, data);
    let open = m.declare("open", 1, Role::Internal, Source::Undriven);
    let span = m.span(2);
    m.d.memories.push(Memory {
        name: "u.mem".into(),
        width: 2,
        size: 3,
        init: vec![(1, Bits::from_u64(2, 2))],
        writes: vec![],
        attrs: vec![],
        span,
    });
    let (enable, mask) = (m.d.and(set, open), m.d.uint(3, 2));
    m.d.memories[0].writes.push(WritePort { clock: clk, edge: Edge::Pos, enable, addr: q, data, mask, span });
    let word = m.d.mem_read(MemoryId(0), data);
    m.declare("word", 2, Role::Output, Source::Node(word));
    let condition = m.d.ult(q, one);
    let kinds = [(AssertKind::Assert, "less"), (AssertKind::Assume, "enough"), (AssertKind::Cover, "seen")];
    for (i, (kind, name)) in kinds.into_iter().enumerate() {
        let clock = (i < 2).then_some((clk, Edge::Pos));
        m.d.asserts.push(Assert { kind, name: name.into(), enable: set, condition, trigger: set, clock, span });
    }
    m.d
}
