//! The prover and the second check against exhaustive evaluation, on random expressions of few input bits.

use super::recheck::recheck_with;
use super::*;
use crate::source::Span;
use crate::word::{Op, Role, Signal, eval_node};

fn input(d: &mut Design, name: &str, width: u32) -> NodeId {
    let (range, span, role) = (None, Span::NONE, Role::Input);
    let (attrs, drives) = (Vec::new(), Vec::new());
    let s = d.add_signal(Signal { name: name.into(), width, range, span, role, attrs, drives });
    d.signal(s)
}

/// Every value of `nodes` for every value of the inputs, which have at most ten bits.
fn exhaustive(d: &Design, inputs: &[NodeId], nodes: &[NodeId]) -> Vec<Vec<Bits>> {
    let total: u32 = inputs.iter().map(|i| d.width(*i)).sum();
    let mut all = Vec::new();
    for point in 0..1u64 << total {
        let (mut at, mut memo) = (0, FxHashMap::default());
        for i in inputs {
            memo.insert(*i, Bits::from_u64(point >> at, d.width(*i)));
            at += d.width(*i);
        }
        all.push(nodes.iter().map(|n| eval_node(d, *n, &mut memo, &mut |_, w, _| Bits::x(w))).collect());
    }
    all
}

/// A growing random design.
pub(super) struct Maze {
    pub(super) d: Design,
    rng: fastrand::Rng,
    pub(super) pool: Vec<NodeId>,
    inputs: Vec<NodeId>,
}

impl Maze {
    pub(super) fn new(seed: u64) -> Maze {
        let (d, rng) = (Design::new("maze"), fastrand::Rng::with_seed(seed));
        let mut m = Maze { d, rng, pool: Vec::new(), inputs: Vec::new() };
        let widths: &[u32] = [&[3u32, 3, 1][..], &[4, 4], &[2, 2, 2, 1], &[8], &[5, 3]][m.rng.usize(..5)];
        m.inputs = widths.iter().enumerate().map(|(i, w)| input(&mut m.d, &format!("i{i}"), *w)).collect();
        m.pool = m.inputs.clone();
        for _ in 0..m.rng.u32(4..12) {
            let n = m.grow();
            if m.d.width(n) > 0 {
                m.pool.push(n);
            }
        }
        m
    }
    fn pick(&mut self) -> NodeId {
        // Late nodes more often, so that expressions grow.
        let n = self.pool.len();
        self.pool[self.rng.usize(..n).max(self.rng.usize(..n))]
    }
    fn pick_of(&mut self, width: u32) -> NodeId {
        let n = self.pick();
        let signed = self.rng.bool();
        self.d.resize(n, width, signed)
    }
    fn bit(&mut self) -> NodeId {
        let n = self.pick();
        let lo = self.rng.u32(..self.d.width(n));
        self.d.slice(n, lo, 1)
    }
    /// A random operator over what there is. Raw nodes for what the builders never leave.
    fn grow(&mut self) -> NodeId {
        let a = self.pick();
        let w = self.d.width(a);
        let kind = self.rng.u32(..24);
        match kind {
            0 | 1 => {
                let b = self.pick_of(w);
                self.d.add(a, b)
            }
            2 => {
                let b = self.pick_of(w);
                self.d.sub(a, b)
            }
            3 | 4 => {
                let b = self.pick_of(w);
                self.d.mul(a, b)
            }
            5 => self.d.not(a),
            6 => self.d.neg(a),
            7 => {
                let b = self.pick_of(w);
                self.d.and(a, b)
            }
            8 => {
                let b = self.pick_of(w);
                self.d.or(a, b)
            }
            9 => {
                let b = self.pick_of(w);
                self.d.xor(a, b)
            }
            10 => {
                let (c, b) = (self.bit(), self.pick_of(w));
                self.d.mux(c, a, b)
            }
            11 => {
                let b = self.pick();
                if w + self.d.width(b) <= 14 { self.d.concat(&[a, b]) } else { a }
            }
            12 | 13 => {
                let lo = self.rng.u32(..w);
                let width = self.rng.u32(1..=w - lo);
                self.d.slice(a, lo, width)
            }
            14 | 15 => {
                let to = w + self.rng.u32(..6);
                self.d.zext(a, to.min(14).max(w))
            }
            16 | 17 => {
                let to = w + self.rng.u32(..6);
                self.d.sext(a, to.min(14).max(w))
            }
            18 => {
                let k = self.rng.u64(..w as u64 + 2);
                let k = self.d.uint(k, 5);
                match self.rng.u32(..3) {
                    0 => self.d.shl(a, k),
                    1 => self.d.lshr(a, k),
                    _ => self.d.ashr(a, k),
                }
            }
            19 => {
                let n = self.rng.u32(1..=3);
                let k = self.pick_of(n);
                match self.rng.u32(..3) {
                    0 => self.d.shl(a, k),
                    1 => self.d.lshr(a, k),
                    _ => self.d.ashr(a, k),
                }
            }
            20 => match self.rng.u32(..3) {
                0 => self.d.red_and(a),
                1 => self.d.red_or(a),
                _ => self.d.red_xor(a),
            },
            21 => {
                let b = self.pick_of(w);
                match self.rng.u32(..3) {
                    0 => self.d.eq(a, b),
                    1 => self.d.ult(a, b),
                    _ => self.d.slt(a, b),
                }
            }
            _ => {
                let v = self.rng.u64(..);
                let c = self.d.uint(v, w);
                if self.rng.bool() { self.d.add(a, c) } else { self.d.and(a, c) }
            }
        }
    }
    /// The same word by another expression.
    fn rewritten(&mut self, n: NodeId, depth: u32) -> NodeId {
        if depth == 0 {
            return n;
        }
        let (op, w) = (self.d.op(n).clone(), self.d.width(n));
        match op {
            Op::Add(a, b) => {
                let (a, b) = (self.rewritten(a, depth - 1), self.rewritten(b, depth - 1));
                let b = self.d.neg(b);
                self.d.sub(a, b)
            }
            Op::Sub(a, b) => {
                let (a, b) = (self.rewritten(a, depth - 1), self.rewritten(b, depth - 1));
                let (b, one) = (self.d.not(b), self.d.uint(1, w));
                let s = self.d.add(a, b);
                self.d.add(s, one)
            }
            Op::Mul(a, b) => {
                // Row by row.
                let (a, b) = (self.rewritten(a, depth - 1), self.rewritten(b, depth - 1));
                let mut sum = self.d.uint(0, w);
                for i in 0..w {
                    let (bit, k) = (self.d.slice(b, i, 1), self.d.uint(i as u64, 5));
                    let (row, zero) = (self.d.shl(a, k), self.d.uint(0, w));
                    let row = self.d.mux(bit, row, zero);
                    sum = self.d.add(sum, row);
                }
                sum
            }
            Op::Xor(a, b) => {
                let (x, y) = (self.d.or(a, b), self.d.and(a, b));
                self.d.sub(x, y)
            }
            Op::Or(a, b) => {
                let (x, y) = (self.d.xor(a, b), self.d.and(a, b));
                self.d.add(x, y)
            }
            Op::Not(a) => {
                let (a, one) = (self.d.neg(a), self.d.uint(1, w));
                self.d.sub(a, one)
            }
            Op::Mux(c, t, e) => {
                let (t, e) = (self.rewritten(t, depth - 1), self.rewritten(e, depth - 1));
                let (zero, difference) = (self.d.uint(0, w), self.d.sub(t, e));
                let part = self.d.mux(c, difference, zero);
                self.d.add(e, part)
            }
            Op::Sext(a) => {
                // (a ^ top) - top.
                let v = self.d.width(a);
                let a = self.rewritten(a, depth - 1);
                let mut top = Bits::zero(v);
                top.set(v - 1, true);
                let top = self.d.constant(top);
                let a = self.d.xor(a, top);
                let (a, top) = (self.d.zext(a, w), self.d.zext(top, w));
                self.d.sub(a, top)
            }
            Op::Zext(a) => {
                let a = self.rewritten(a, depth - 1);
                self.d.zext(a, w)
            }
            _ => n,
        }
    }
}

#[derive(Default, Debug)]
struct Tally {
    equal: u32,
    different: u32,
    refused: u32,
    large: u32,
    rechecked: u32,
    recheck_only: u32,
    unchecked: u32,
}

fn judge(d: &Design, a: NodeId, b: NodeId, equal: bool, table: usize, t: &mut Tally, what: &str) {
    let limits = Limits { monomials: 100_000, points: 5_000_000 };
    let second = recheck_with(d, a, b, &limits, table);
    assert!(second.is_err() || equal, "{what}: the second check says equal");
    match Cone::of(d, &[a, b]).map_err(Refusal::NotPolynomial).and_then(|c| compare(d, &c, a, b, &limits, table)) {
        Ok(_) => {
            assert!(equal, "{what}: wrongly proved equal");
            t.equal += 1;
            if second.is_ok() { t.rechecked += 1 } else { t.unchecked += 1 }
        }
        Err(Refusal::Different(_)) => {
            assert!(!equal, "{what}: wrongly told different");
            t.different += 1;
        }
        Err(Refusal::NotPolynomial(why)) => {
            assert!(!why.contains("internal"), "{what}: {why}");
            t.refused += 1;
            t.recheck_only += u32::from(second.is_ok());
        }
        Err(Refusal::TooLarge(_)) => t.large += 1,
    }
}

#[test]
fn random_pairs_are_judged_as_by_exhaustion() {
    let seed = std::env::var("ALGEBRA_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(11);
    let rounds = std::env::var("ALGEBRA_ROUNDS").ok().and_then(|s| s.parse().ok()).unwrap_or(500);
    println!("seed {seed}");
    let mut tallies = [(0, Tally::default()), (3, Tally::default()), (TABLE, Tally::default())];
    for round in 0..rounds {
        let mut m = Maze::new(seed + round);
        let mut pairs = Vec::new();
        for _ in 0..3 {
            let a = m.pick();
            let b = m.rewritten(a, 3);
            pairs.push((a, b));
            let w = m.d.width(a);
            let c = m.pick_of(w);
            pairs.push((b, c));
            // A near miss: one constant more.
            let k = m.rng.u64(..);
            let k = m.d.uint(k, w);
            let b = m.d.add(b, k);
            pairs.push((a, b));
        }
        let nodes: Vec<NodeId> = pairs.iter().flat_map(|p| [p.0, p.1]).collect();
        let values = exhaustive(&m.d, &m.inputs, &nodes);
        for (i, (a, b)) in pairs.iter().enumerate() {
            let equal = values.iter().all(|v| v[2 * i] == v[2 * i + 1]);
            for (table, t) in &mut tallies {
                judge(&m.d, *a, *b, equal, *table, t, &format!("seed {} pair {i} table {table}", seed + round));
            }
        }
    }
    for (table, t) in &tallies {
        println!("table {table}: {t:?}");
        let all = t.equal + t.different + t.refused + t.large;
        assert!(t.refused * 10 < all * 6, "too much is refused: {t:?}");
    }
    let last = &tallies[2].1;
    assert_eq!((last.unchecked, last.refused), (0, 0), "what is small is never refused");
}

#[test]
fn what_is_no_function_of_inputs_is_refused() {
    let mut d = Design::new("free");
    let (a, b) = (input(&mut d, "a", 8), input(&mut d, "b", 9));
    let u = d.undef(8);
    let s = d.add(a, u);
    let x = d.constant(Bits::x(8));
    for n in [s, x] {
        assert!(matches!(prove_equal(&d, n, n, &Limits::default()), Err(Refusal::NotPolynomial(_))));
        assert!(recheck(&d, n, n, &Limits::default()).is_err());
    }
    assert!(matches!(prove_equal(&d, a, b, &Limits::default()), Err(Refusal::NotPolynomial(_))));
    let q = d.udiv(a, a);
    let one = d.uint(1, 8);
    assert!(matches!(prove_equal(&d, q, one, &Limits::default()), Err(Refusal::Different(_))));
    let e = prove_equal(&d, q, q, &Limits::default()).map_err(|e| e.to_string());
    assert_eq!(e, Err("not known to be a polynomial: a division: it has no polynomial of small degree".into()));
}

#[test]
fn limits_are_kept() {
    let mut d = Design::new("wide");
    let (a, b) = (input(&mut d, "a", 64), input(&mut d, "b", 64));
    let (p, q, zero) = (d.mul(a, b), d.mul(a, a), d.uint(0, 64));
    let few = Limits { monomials: 100, points: 100 };
    assert!(matches!(prove_equal(&d, p, q, &few), Err(Refusal::TooLarge(_))));
    assert!(recheck(&d, p, p, &few).is_err());
    let e = d.eq(a, zero);
    assert!(matches!(prove_equal(&d, e, e, &Limits::default()), Err(Refusal::TooLarge(_))));
}
