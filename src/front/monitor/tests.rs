//! Automata and monitors by hand: sizes, lengths and the names of registers.

use super::*;
use crate::source::Span;
use crate::word::{Design, Edge, NodeId, Role, Signal};

fn input(d: &mut Design, name: &str) -> NodeId {
    let s = Signal {
        name: name.into(),
        width: 1,
        range: None,
        span: Span::NONE,
        role: Role::Input,
        attrs: Vec::new(),
        drives: Vec::new(),
    };
    let s = d.add_signal(s);
    d.signal(s)
}

/// The lengths of matches, if every letter holds, up to 12.
fn lengths(a: &Automaton) -> Vec<usize> {
    let mut out: Vec<usize> = if a.empty { vec![0] } else { Vec::new() };
    let mut at = a.first.clone();
    for n in 1..=12 {
        if at.iter().any(|q| a.last[*q as usize]) {
            out.push(n);
        }
        at = at.iter().flat_map(|q| a.follow[*q as usize].iter().copied()).collect();
        at.sort();
        at.dedup();
    }
    out
}

#[test]
fn lengths_of_matches_are_those_of_the_operators() {
    let d = &mut Design::new("m");
    let (x, y) = (input(d, "x"), input(d, "y"));
    let (x, y) = (Automaton::letter(x), Automaton::letter(y));
    let delay = |d: &mut Design, m, n| Automaton::delayed(d, Some(&x), m, n, &y).expect("small");
    assert_eq!(lengths(&delay(d, 0, 0)), [1]);
    assert_eq!(lengths(&delay(d, 1, 1)), [2]);
    assert_eq!(lengths(&delay(d, 0, 3)), [1, 2, 3, 4]);
    assert_eq!(lengths(&Automaton::delayed(d, None, 2, 3, &y).expect("small")), [3, 4]);
    assert_eq!(lengths(&x.repeat(0, 2).expect("small")), [0, 1, 2]);
    assert_eq!(lengths(&x.repeat(3, 3).expect("small")), [3]);
    let (short, long) = (delay(d, 0, 2), delay(d, 2, 4));
    assert_eq!(lengths(&short.intersect(d, &long).expect("small")), [3]);
    assert_eq!(lengths(&short.and(d, &long).expect("small")), [3, 4, 5]);
    assert_eq!(lengths(&long.within(d, &short).expect("small")), [3]);
    // `x[*0] ##0 y` has no tick that both could share.
    assert_eq!(lengths(&Automaton::nothing().fuse(d, &y).expect("small")), [0usize; 0]);
    // `x[*0] ##2 y` is `##1 y`.
    assert_eq!(lengths(&Automaton::delayed(d, Some(&Automaton::nothing()), 2, 2, &y).expect("small")), [2]);
}

#[test]
fn what_is_too_large_is_refused_before_it_is_made() {
    let d = &mut Design::new("m");
    let x = input(d, "x");
    let x = Automaton::letter(x);
    assert_eq!(x.repeat(1, u32::MAX).err(), Some(TooLarge));
    let many = x.repeat(1, 5000).expect("fits");
    assert_eq!(many.repeat(2, 3).err(), Some(TooLarge));
    assert!(many.intersect(d, &many).is_ok(), "pairs of equal length only");
}

#[test]
fn a_window_takes_one_bit_per_age() {
    let d = &mut Design::new("m");
    let (clk, x, y) = (input(d, "clk"), input(d, "x"), input(d, "y"));
    let window = Automaton::delayed(d, None, 1, 20, &Automaton::letter(y)).expect("small");
    let prop = Prop::Implies(Rc::new(Automaton::letter(x)), Rc::new(Prop::Seq(Rc::new(window))));
    let start = d.bool(true);
    let v = Monitor::new(d, "top.p".into(), (clk, Edge::Pos), Span::NONE).build(&prop, start).expect("small");
    assert_eq!(v.trigger, x);
    assert_eq!(d.registers.len(), 20);
    assert!(d.registers.iter().all(|r| r.width == 1 && r.init == crate::word::Bits::zero(1)));
    assert_eq!(d.signals[3].name, "top.p.age1");
    assert_eq!(d.signals[22].name, "top.p.age20");
}

#[test]
fn an_attempt_that_failed_is_not_failed_again() {
    // `x ##[0:2] x |-> ##1 y` has three matches per attempt; each is followed on its own.
    let d = &mut Design::new("m");
    let (clk, x, y) = (input(d, "clk"), input(d, "x"), input(d, "y"));
    let (x, y) = (Automaton::letter(x), Automaton::letter(y));
    let s = Automaton::delayed(d, Some(&x), 0, 2, &x).expect("small");
    let next = Automaton::delayed(d, None, 1, 1, &y).expect("small");
    let prop = Prop::Implies(Rc::new(s), Rc::new(Prop::Seq(Rc::new(next))));
    let start = d.bool(true);
    Monitor::new(d, "p".into(), (clk, Edge::Pos), Span::NONE).build(&prop, start).expect("small");
    assert_eq!(d.registers.len(), 3, "one per age");
}
