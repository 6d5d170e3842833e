//! A small design with every kind of thing: its text at word level, as gates, and its counts,
//! compared with the files in `tests/snapshots/net`.
//!
//! After a wanted change run with `UPDATE_SNAPSHOTS=1`, and read the difference.

use std::path::Path;

use entail::net::{LowerOptions, Netlist, lower};
use entail::source::Span;
use entail::word::*;

struct Maker(Design);

impl Maker {
    fn declare(&mut self, name: &str, width: u32, role: Role, source: Source) -> SignalId {
        let range = (width > 1).then_some((width as i64 - 1, 0));
        let drives = vec![Drive { lo: 0, width, source, span: Span::NONE }];
        self.0.add_signal(Signal { name: name.into(), width, range, span: Span::NONE, role, attrs: vec![], drives })
    }

    fn input(&mut self, name: &str, width: u32) -> NodeId {
        let s = self.declare(name, width, Role::Input, Source::Input);
        self.0.signal(s)
    }

    fn output(&mut self, name: &str, n: NodeId) -> SignalId {
        let w = self.0.width(n);
        self.declare(name, w, Role::Output, Source::Node(n))
    }
}

/// A counter with reset, a latch, two bits that swap, an undriven bit and a memory of `size` words.
fn everything(size: u64) -> Design {
    let mut m = Maker(Design::new("everything"));
    let clk = m.input("clk", 1);
    let rst_n = m.input("rst_n", 1);
    let step = m.input("step", 2);
    let (zero, reset) = (m.0.uint(0, 3), m.0.not(rst_n));

    let count = m.declare("u.count", 3, Role::Internal, Source::Register(0));
    m.0.signals[count.index()].attrs.push(("ASYNC_REG".into(), "TRUE".into()));
    let q = m.0.signal(count);
    let wide = m.0.zext(step, 3);
    let next = m.0.add(q, wide);
    let asyncs = vec![AsyncControl { condition: reset, value: zero }];
    let (signal, init) = (count, Bits::x(3));
    m.0.registers.push(Register {
        signal,
        lo: 0,
        width: 3,
        clock: clk,
        edge: Edge::Pos,
        next,
        asyncs,
        init,
        span: Span::NONE,
    });

    let held = m.declare("held", 1, Role::Internal, Source::Latch(0));
    let odd = m.0.red_xor(next);
    m.0.latches.push(Latch {
        signal: held,
        lo: 0,
        width: 1,
        enable: rst_n,
        data: odd,
        init: Bits::zero(1),
        span: Span::NONE,
    });

    let mixed = m.declare("mixed", 4, Role::Internal, Source::Undriven);
    let held = m.0.signal(held);
    let top = m.0.slice(next, 0, 3);
    let low = Drive { lo: 0, width: 1, source: Source::Undriven, span: Span::NONE };
    let high = Drive { lo: 1, width: 3, source: Source::Node(top), span: Span::NONE };
    m.0.signals[mixed.index()].drives = vec![low, high];

    let undef = m.0.undef(1);
    let (pair, mask) = (m.0.concat(&[held, undef]), m.0.uint(3, 2));
    let init = vec![(1, Bits::from_u64(2, 2))];
    let write =
        WritePort { clock: clk, edge: Edge::Neg, enable: rst_n, addr: step, data: pair, mask, span: Span::NONE };
    m.0.memories.push(Memory {
        name: "u.mem".into(),
        width: 2,
        size,
        init,
        writes: vec![write],
        attrs: vec![],
        span: Span::NONE,
    });
    let word = m.0.mem_read(MemoryId(0), step);
    m.output("word", word);
    let mixed = m.0.signal(mixed);
    let mixed = m.0.slice(mixed, 0, 2);
    let less = m.0.ult(mixed, step);
    m.output("less", less);

    let five = m.0.uint(5, 3);
    let is_five = m.0.eq(q, five);
    let clock = Some((clk, Edge::Pos));
    for (kind, name) in [(AssertKind::Assert, "never_five"), (AssertKind::Cover, "five")] {
        let condition = if kind == AssertKind::Cover { is_five } else { m.0.not(is_five) };
        m.0.asserts.push(Assert {
            kind,
            name: name.into(),
            enable: rst_n,
            condition,
            trigger: rst_n,
            clock,
            span: Span::NONE,
        });
    }
    m.0
}

fn gates(d: &Design, memory_limit_bits: u64) -> Netlist {
    let mut diags = Vec::new();
    let net = lower(d, &LowerOptions { memory_limit_bits }, &mut diags);
    assert!(diags.is_empty(), "{diags:?}");
    net
}

#[test]
fn the_word_level_text_is_as_recorded() {
    check("word.txt", &everything(3).to_string());
}

#[test]
fn the_gates_are_as_recorded() {
    check("lowered.txt", &gates(&everything(3), 2048).to_string());
}

#[test]
fn the_gates_around_a_kept_memory_are_as_recorded() {
    check("kept.txt", &gates(&everything(3), 0).to_string());
}

#[test]
fn the_counts_are_as_recorded() {
    check("stats.txt", &gates(&everything(3), 2048).stats().to_string());
}

#[test]
fn compaction_keeps_what_outputs_and_asserts_depend_on() {
    let mut net = gates(&everything(3), 0);
    net.compact();
    check("compact.txt", &net.to_string());
    let once = net.to_string();
    net.compact();
    assert_eq!(net.to_string(), once);
}

fn check(name: &str, actual: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots/net").join(name).with_extension("txt");
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some_and(|value| value == "1") {
        std::fs::write(&path, actual).expect("the snapshot can be written");
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(actual == expected, "{} differs.\n--- expected\n{expected}\n--- actual\n{actual}", path.display());
}
