//! Random properties and their text.

use super::meaning::matches;
use super::{Bool, Prop, Seq};
use fastrand::Rng;
use std::fmt;

pub const SIGNALS: [&str; 3] = ["a", "b", "c"];

pub fn boolean(r: &mut Rng, depth: u32) -> Bool {
    let leaf = |r: &mut Rng| Bool::Signal(r.usize(..SIGNALS.len()));
    if depth == 0 || r.u32(..3) == 0 {
        return match r.u32(..12) {
            0 => Bool::Const(r.bool()),
            _ => leaf(r),
        };
    }
    let a = Box::new(boolean(r, depth - 1));
    match r.u32(..12) {
        0..=3 => Bool::Not(a),
        4..=5 => Bool::And(a, Box::new(boolean(r, depth - 1))),
        6..=7 => Bool::Or(a, Box::new(boolean(r, depth - 1))),
        8 => Bool::Past(a, r.usize(1..4)),
        9 => Bool::Rose(a),
        10 => Bool::Fell(a),
        _ => [Bool::Stable, Bool::Changed][r.usize(..2)](a),
    }
}

fn bounds(r: &mut Rng, most: usize) -> (usize, usize) {
    let m = r.usize(..=most);
    if r.bool() { (m, m) } else { (m, r.usize(m..=most + 1)) }
}

pub fn sequence(r: &mut Rng, depth: u32) -> Seq {
    if depth == 0 || r.u32(..4) == 0 {
        return Seq::Bool(boolean(r, 1));
    }
    let a = Box::new(sequence(r, depth - 1));
    let other = |r: &mut Rng| Box::new(sequence(r, depth - 1));
    match r.u32(..14) {
        0..=5 => {
            let (m, n) = bounds(r, 2);
            let b = other(r);
            Seq::Delay(Some(a), m, n, b)
        }
        6 => {
            let (m, n) = bounds(r, 2);
            Seq::Delay(None, m, n, a)
        }
        7..=8 => {
            let (m, n) = bounds(r, 2);
            Seq::Repeat(a, m, n)
        }
        9 => Seq::Or(a, other(r)),
        10 => Seq::And(a, other(r)),
        11 => Seq::Intersect(a, other(r)),
        12 => Seq::Within(a, other(r)),
        _ => Seq::Throughout(boolean(r, 1), a),
    }
}

/// A sequence that is legal as a property, or else as an antecedent.
fn legal(r: &mut Rng, depth: u32, accept: impl Fn((bool, bool)) -> bool) -> Seq {
    loop {
        let s = sequence(r, depth);
        if accept(matches(&s)) {
            return s;
        }
    }
}

pub fn property(r: &mut Rng, depth: u32) -> Prop {
    if depth == 0 {
        return Prop::Seq(legal(r, 2, |(empty, some)| some && !empty));
    }
    let p = |r: &mut Rng| Box::new(property(r, depth - 1));
    match r.u32(..16) {
        0..=1 => Prop::Seq(legal(r, 3, |(empty, some)| some && !empty)),
        2..=8 => {
            let overlapped = r.bool();
            let s = legal(r, 2, |(empty, some)| some || (empty && !overlapped));
            Prop::Implication(overlapped, s, p(r))
        }
        9 => Prop::Not(p(r)),
        10 => Prop::And(p(r), p(r)),
        11 => Prop::Or(p(r), p(r)),
        12 => {
            let other = r.bool().then(|| p(r));
            Prop::If(boolean(r, 1), p(r), other)
        }
        13 => {
            let overlapped = r.bool();
            let s = legal(r, 1, |(empty, some)| some || (empty && !overlapped));
            Prop::FollowedBy(overlapped, s, p(r))
        }
        14 => [Prop::Implies, Prop::Iff][r.usize(..2)](p(r), p(r)),
        _ => Prop::Next(r.usize(..3), p(r)),
    }
}

impl fmt::Display for Bool {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Bool::Const(c) => write!(f, "1'b{}", u8::from(*c)),
            Bool::Signal(s) => write!(f, "{}", SIGNALS[*s]),
            Bool::Not(a) => write!(f, "!{a}"),
            Bool::And(a, b) => write!(f, "({a} && {b})"),
            Bool::Or(a, b) => write!(f, "({a} || {b})"),
            Bool::Past(a, 1) => write!(f, "$past({a})"),
            Bool::Past(a, n) => write!(f, "$past({a}, {n})"),
            Bool::Rose(a) => write!(f, "$rose({a})"),
            Bool::Fell(a) => write!(f, "$fell({a})"),
            Bool::Stable(a) => write!(f, "$stable({a})"),
            Bool::Changed(a) => write!(f, "$changed({a})"),
        }
    }
}

fn range(m: usize, n: usize) -> String {
    if m == n { m.to_string() } else { format!("{m}:{n}") }
}

impl fmt::Display for Seq {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let delay = |m: usize, n: usize| if m == n { format!("##{m}") } else { format!("##[{m}:{n}]") };
        match self {
            Seq::Bool(b) => write!(f, "{b}"),
            // A chain of delays needs no parentheses on the left.
            Seq::Delay(Some(a), m, n, b) => match **a {
                Seq::Delay(Some(_), ..) | Seq::Bool(_) => write!(f, "{a} {} ({b})", delay(*m, *n)),
                _ => write!(f, "({a}) {} ({b})", delay(*m, *n)),
            },
            Seq::Delay(None, m, n, b) => write!(f, "{} ({b})", delay(*m, *n)),
            Seq::Repeat(a, m, n) => write!(f, "({a})[*{}]", range(*m, *n)),
            Seq::Or(a, b) => write!(f, "(({a}) or ({b}))"),
            Seq::And(a, b) => write!(f, "(({a}) and ({b}))"),
            Seq::Intersect(a, b) => write!(f, "(({a}) intersect ({b}))"),
            Seq::Within(a, b) => write!(f, "(({a}) within ({b}))"),
            Seq::Throughout(b, s) => write!(f, "({b} throughout ({s}))"),
        }
    }
}

impl fmt::Display for Prop {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let pick = |o: &bool, x: &'static str, y: &'static str| if *o { x } else { y };
        match self {
            Prop::Seq(s) => write!(f, "{s}"),
            Prop::Not(p) => write!(f, "not ({p})"),
            Prop::And(a, b) => write!(f, "(({a}) and ({b}))"),
            Prop::Or(a, b) => write!(f, "(({a}) or ({b}))"),
            Prop::Implies(a, b) => write!(f, "(({a}) implies ({b}))"),
            Prop::Iff(a, b) => write!(f, "(({a}) iff ({b}))"),
            // Implications associate to the right.
            Prop::Implication(o, s, p) => write!(f, "{s} {} {p}", pick(o, "|->", "|=>")),
            Prop::FollowedBy(o, s, p) => write!(f, "{s} {} {p}", pick(o, "#-#", "#=#")),
            Prop::If(c, p, Some(q)) => write!(f, "(if ({c}) ({p}) else ({q}))"),
            Prop::If(c, p, None) => write!(f, "(if ({c}) ({p}))"),
            Prop::Next(1, p) => write!(f, "nexttime ({p})"),
            Prop::Next(n, p) => write!(f, "nexttime[{n}] ({p})"),
        }
    }
}
