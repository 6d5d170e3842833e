//! Small circuits made by hand, and short ways to prove things about them.

use entail::net::{Builder, Gate, Lit, Net, Register};
use entail::proof::kernel::{Engine, Identity, Seen, evaluate};
use entail::proof::words::{IdentityFile, equality};
use entail::proof::{Kernel, Theorem};
use entail::source::Span;
use entail::ste::realise::{Run, Wanted, realise};
use entail::ste::{Assertion, Atom, Circuit, Claim, Clocking, Control, Limits, Place, Start, Terms, Vector};
use std::sync::atomic::AtomicBool;

static NO: AtomicBool = AtomicBool::new(false);

pub fn control() -> Control<'static> {
    Control { limits: Limits { nodes: 1 << 18, ..Limits::default() }, cancel: &NO }
}

pub fn input(b: &mut Builder, name: &str, width: u32) -> Vec<Lit> {
    let p = b.net.inputs.len() as u32;
    let bits: Vec<Lit> = (0..width).map(|i| b.leaf(Gate::Input(p, i))).collect();
    let net = Net { name: name.into(), range: None, bits: bits.clone(), span: Span::NONE, attrs: vec![] };
    b.net.inputs.push(net.clone());
    b.net.nets.push(net);
    bits
}

pub fn named(b: &mut Builder, name: &str, l: Lit) -> (u32, u32) {
    b.net.nets.push(Net { name: name.into(), range: None, bits: vec![l], span: Span::NONE, attrs: vec![] });
    (b.net.nets.len() as u32 - 1, 0)
}

/// `r1 <= a ^ b; r2 <= r1;`
pub struct Pipe {
    pub c: Circuit,
    pub clk: Lit,
    pub a: Lit,
    pub b: Lit,
    pub x: Lit,
    pub r1: Lit,
    pub r2: Lit,
}

pub fn pipe(inverted: bool, start: Start) -> Pipe {
    let mut b = Builder::new("pipe");
    let clk = input(&mut b, "clk", 1)[0];
    let (i, j) = (input(&mut b, "a", 1)[0], input(&mut b, "b", 1)[0]);
    let (r1, r2) = (b.leaf(Gate::Register(0)), b.leaf(Gate::Register(1)));
    let x = b.xor(i, j);
    named(&mut b, "x", x);
    for (name, q, next) in [("r1", r1, x), ("r2", r2, r1.xor(inverted))] {
        let net = named(&mut b, name, q);
        let gate = q.gate();
        let init = Some(false);
        b.net.registers.push(Register { gate, next, clock: clk, asyncs: vec![], init, net, span: Span::NONE });
    }
    let c = Circuit::new(b.finish(), Clocking::Cycles(vec![clk.gate()]), start);
    Pipe { c, clk, a: i, b: j, x, r1, r2 }
}

/// `s = a + b` of two bits, with the carry.
pub struct Adder {
    pub c: Circuit,
    pub a: Vec<Lit>,
    pub b: Vec<Lit>,
    pub s: [Lit; 3],
    /// Carry of the first stage.
    pub carry: Lit,
}

pub fn adder() -> Adder {
    let mut b = Builder::new("adder");
    let (x, y) = (input(&mut b, "a", 2), input(&mut b, "b", 2));
    let (s0, carry) = (b.xor(x[0], y[0]), b.and(x[0], y[0]));
    let (s1, s2) = b.full_adder(x[1], y[1], carry);
    for (name, l) in [("s0", s0), ("s1", s1), ("s2", s2), ("carry", carry)] {
        named(&mut b, name, l);
    }
    Adder { c: Circuit::new(b.finish(), Clocking::Phases, Start::Any), a: x, b: y, s: [s0, s1, s2], carry }
}

pub fn terms(widths: &[(&str, u32)]) -> Terms {
    Terms::new(widths.iter().map(|(n, w)| Vector { name: (*n).into(), width: *w }).collect())
}

pub fn at(l: Lit, time: u32) -> Atom {
    Atom { place: Place::of(l), time }
}

pub fn is(l: Lit, time: u32, value: Lit) -> Claim {
    Claim { atom: Some(at(l, time)), guard: Lit::TRUE, value, origin: 0 }
}

pub fn says(value: Lit) -> Claim {
    Claim { atom: None, guard: Lit::TRUE, value, origin: 0 }
}

pub fn assertion(constraint: Lit, antecedent: &[Claim], consequent: &[Claim]) -> Assertion {
    Assertion {
        name: "a".into(),
        constraint,
        antecedent: antecedent.to_vec(),
        consequent: consequent.to_vec(),
        weakened: Default::default(),
        hints: vec![],
    }
}

/// Sees it and finds a run that fits.
pub fn see(terms: &Terms, c: &Circuit, a: &Assertion) -> Option<(Seen, Run)> {
    let ctl = control();
    let seen = evaluate(c, terms, a, &ctl, Engine::Bdd).1?;
    let run = realise(c, terms, a, Wanted::Witness, None, &ctl).ok()??;
    Some((seen, run))
}

/// Proves by evaluation.
pub fn try_run(k: &mut Kernel, c: &Circuit, a: &Assertion) -> Option<Theorem> {
    let (seen, run) = see(&k.terms, c, a)?;
    k.run("run", c, seen, run).ok()
}

pub fn run(k: &mut Kernel, c: &Circuit, constraint: Lit, given: &[Claim], follows: &[Claim]) -> Theorem {
    try_run(k, c, &assertion(constraint, given, follows)).expect("it holds")
}

/// Words by name, and the formula of their equality.
pub fn identity(terms: &mut Terms, f: &IdentityFile) -> (Identity, Lit) {
    equality(f, terms).expect("words")
}

/// Nodes of words: name, operands, width.
pub fn words(list: &[(&str, &[u32], u32)], left: u32, right: u32) -> IdentityFile {
    let nodes = list.iter().map(|(n, o, w)| (n.to_string(), o.to_vec(), *w, None)).collect();
    IdentityFile { nodes, left, right }
}

/// `w * (u + w) == w * u + w * w`, or with a mistake.
pub fn distributes(right: bool) -> IdentityFile {
    let last = if right { "add" } else { "sub" };
    words(
        &[
            ("input w", &[], 2),
            ("input u", &[], 2),
            ("add", &[1, 0], 2),
            ("mul", &[0, 2], 2),
            ("mul", &[0, 1], 2),
            ("mul", &[0, 0], 2),
            (last, &[4, 5], 2),
        ],
        3,
        6,
    )
}
