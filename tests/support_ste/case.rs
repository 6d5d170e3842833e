//! Random assertions about random netlists, as plain data that can be made smaller.

use super::circuit::{Shape, netlist};
use entail::net::{Gate, GateId, Lit, Netlist};
use entail::ste::set::Assignment;
use entail::ste::{Assertion, Atom, Circuit, Claim, Clocking, Leaf, Place, Start, Terms, Vector};
use entail::word::Bits;
use fastrand::Rng;
use rustc_hash::FxHashSet;
use std::fmt::{self, Display, Formatter};

/// A formula, evaluated here without [`Terms`].
#[derive(Clone, PartialEq, Debug)]
pub enum Expr {
    Const(bool),
    Var(u32, u32),
    At(Atom),
    Not(Box<Expr>),
    And(Box<Expr>, Box<Expr>),
    Xor(Box<Expr>, Box<Expr>),
    Mux(Box<Expr>, Box<Expr>, Box<Expr>),
}

pub const YES: Expr = Expr::Const(true);

impl Expr {
    pub fn term(&self, t: &mut Terms) -> Lit {
        match self {
            Expr::Const(c) => Lit::FALSE.xor(*c),
            Expr::Var(v, b) => t.var(*v, *b),
            Expr::At(a) => t.leaf(Leaf::Atom(*a)),
            Expr::Not(a) => !a.term(t),
            Expr::And(a, b) => {
                let (a, b) = (a.term(t), b.term(t));
                t.and(a, b)
            }
            Expr::Xor(a, b) => {
                let (a, b) = (a.term(t), b.term(t));
                t.xor(a, b)
            }
            Expr::Mux(s, a, b) => {
                let (s, a, b) = (s.term(t), a.term(t), b.term(t));
                t.mux(s, a, b)
            }
        }
    }

    /// Its value where no atoms are.
    pub fn value(&self, of: &Assignment) -> bool {
        match self {
            Expr::Const(c) => *c,
            Expr::Var(v, b) => of.bit(*v, *b),
            Expr::At(_) => panic!("an atom in a formula over vectors"),
            Expr::Not(a) => !a.value(of),
            Expr::And(a, b) => a.value(of) & b.value(of),
            Expr::Xor(a, b) => a.value(of) ^ b.value(of),
            Expr::Mux(s, a, b) => {
                if s.value(of) {
                    a.value(of)
                } else {
                    b.value(of)
                }
            }
        }
    }

    pub fn not(self) -> Expr {
        match self {
            Expr::Const(c) => Expr::Const(!c),
            Expr::Not(a) => *a,
            other => Expr::Not(Box::new(other)),
        }
    }

    /// The function of these variables whose value for assignment `i` is `table[i]`, variable 0 the lowest bit.
    pub fn table(vars: &[(u32, u32)], table: &[bool]) -> Expr {
        if table.iter().all(|v| *v == table[0]) {
            return Expr::Const(table[0]);
        }
        let (last, rest) = vars.split_last().expect("a table of two entries has a variable");
        let (low, high) = table.split_at(table.len() / 2);
        let (low, high) = (Expr::table(rest, low), Expr::table(rest, high));
        if low == high {
            return low;
        }
        Expr::Mux(Box::new(Expr::Var(last.0, last.1)), Box::new(high), Box::new(low))
    }
}

impl Display for Expr {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Expr::Const(c) => write!(f, "{}", *c as u8),
            Expr::Var(v, b) => write!(f, "v{v}.{b}"),
            Expr::At(a) => write!(f, "{a:?}"),
            Expr::Not(a) => write!(f, "!{a}"),
            Expr::And(a, b) => write!(f, "({a} & {b})"),
            Expr::Xor(a, b) => write!(f, "({a} ^ {b})"),
            Expr::Mux(s, a, b) => write!(f, "({s} ? {a} : {b})"),
        }
    }
}

/// A claim.
#[derive(Clone, Debug)]
pub struct Said {
    pub atom: Option<Atom>,
    pub guard: Expr,
    pub value: Expr,
}

impl Display for Said {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.atom {
            Some(Atom { place: Place::Node(l), time }) => write!(f, "{:?} @ {time}", Lit(l))?,
            Some(Atom { place: Place::Word(m, a, b), time }) => write!(f, "memory {m} [{a}][{b}] @ {time}")?,
            None => write!(f, "nothing")?,
        }
        write!(f, " is {} where {}", self.value, self.guard)
    }
}

/// A netlist and an assertion.
#[derive(Clone)]
pub struct Case {
    pub net: Netlist,
    pub clocking: Clocking,
    pub start: Start,
    pub widths: Vec<u32>,
    pub constraint: Expr,
    pub given: Vec<Said>,
    pub follows: Vec<Said>,
    pub weakened: FxHashSet<(u32, u32)>,
    pub last: u32,
    /// For choices of the law.
    pub seed: u64,
}

impl Display for Case {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        // Gates that shrinking has made constant are not worth a line.
        for line in self.net.to_string().lines().filter(|l| !l.ends_with("and(0, 0)")) {
            writeln!(f, "{line}")?;
        }
        let numbers: Vec<String> = (0..self.net.gates.len() as u32)
            .filter_map(|g| match self.net.gates[g as usize] {
                Gate::Input(p, b) => Some(format!("{g}={}[{b}]", self.net.inputs[p as usize].name)),
                Gate::Register(n) => {
                    Some(format!("{g}=r{n}({})", self.net.nets[self.net.registers[n as usize].net.0 as usize].name))
                }
                Gate::Latch(n) => {
                    Some(format!("{g}=l{n}({})", self.net.nets[self.net.latches[n as usize].net.0 as usize].name))
                }
                Gate::Free(n) => Some(format!("{g}=free{n}")),
                _ => None,
            })
            .collect();
        writeln!(f, "  leaves: {}", numbers.join(" "))?;
        writeln!(f, "  {:?} from {:?} to {}, vectors {:?}", self.clocking, self.start, self.last, self.widths)?;
        writeln!(f, "  where {}", self.constraint)?;
        self.given.iter().try_for_each(|c| writeln!(f, "  given {c}"))?;
        self.follows.iter().try_for_each(|c| writeln!(f, "  follows {c}"))?;
        writeln!(f, "  weakened {:?}, seed {}", self.weakened, self.seed)
    }
}

/// A literal at a time.
pub fn node(l: Lit, time: u32) -> Atom {
    Atom { place: Place::of(l), time }
}

impl Case {
    pub fn circuit(&self) -> Circuit {
        Circuit::new(self.net.clone(), self.clocking.clone(), self.start)
    }

    pub fn vars(&self) -> Vec<(u32, u32)> {
        self.widths.iter().enumerate().flat_map(|(v, w)| (0..*w).map(move |b| (v as u32, b))).collect()
    }

    /// The assignment of that number.
    pub fn assignment(&self, mut number: u64) -> Assignment {
        let mut list = Vec::new();
        for w in &self.widths {
            list.push(Bits::from_u64(number & ((1 << w) - 1), *w));
            number >>= w;
        }
        Assignment(list)
    }

    /// All assignments.
    pub fn assignments(&self) -> impl Iterator<Item = Assignment> + '_ {
        (0..1u64 << self.widths.iter().sum::<u32>()).map(|n| self.assignment(n))
    }

    pub fn random_assignment(&self, rng: &mut Rng) -> Assignment {
        self.assignment(rng.u64(..))
    }

    /// As the engine takes it.
    pub fn assertion(&self) -> (Terms, Assertion) {
        let vectors = self.widths.iter().enumerate();
        let vectors = vectors.map(|(i, w)| Vector { name: format!("v{i}").into(), width: *w }).collect();
        let mut t = Terms::new(vectors);
        let constraint = self.constraint.term(&mut t);
        let mut claims = |list: &[Said]| -> Vec<Claim> {
            let claim = |(i, c): (usize, &Said)| {
                let (guard, value) = (c.guard.term(&mut t), c.value.term(&mut t));
                Claim { atom: c.atom, guard, value, origin: i as u32 }
            };
            list.iter().enumerate().map(claim).collect()
        };
        let (antecedent, consequent) = (claims(&self.given), claims(&self.follows));
        let (name, weakened) = ("random".into(), self.weakened.clone());
        (t, Assertion { name, constraint, antecedent, consequent, weakened, hints: vec![] })
    }

    /// Every place, at every time.
    pub fn atoms(&self) -> Vec<Atom> {
        let mut list = Vec::new();
        for time in 0..=self.last {
            list.extend((1..self.net.gates.len() as u32).map(|g| node(Lit::new(GateId(g), false), time)));
            for (m, memory) in self.net.memories.iter().enumerate() {
                for a in 0..memory.size {
                    list.extend((0..memory.width).map(|b| Atom { place: Place::Word(m as u32, a, b), time }));
                }
            }
        }
        list
    }
}

/// A small formula over the vectors.
pub fn expr(rng: &mut Rng, vars: &[(u32, u32)], depth: u32) -> Expr {
    if depth == 0 || rng.u8(..3) == 0 {
        return match rng.u8(..6) {
            0 => Expr::Const(rng.bool()),
            _ => {
                let (v, b) = vars[rng.usize(..vars.len())];
                let e = Expr::Var(v, b);
                if rng.bool() { e.not() } else { e }
            }
        };
    }
    let a = Box::new(expr(rng, vars, depth - 1));
    let b = Box::new(expr(rng, vars, depth - 1));
    match rng.u8(..4) {
        0 | 1 => Expr::And(a, b),
        2 => Expr::Xor(a, b),
        _ => Expr::Mux(a, b, Box::new(expr(rng, vars, depth - 1))),
    }
}

/// What the assertions of a campaign look like.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    pub shape: Shape,
    /// Most bits of all vectors.
    pub bits: u32,
    /// Most claims about inner nodes.
    pub inner: u32,
    pub last: u32,
}

pub const WHOLE: Style = Style { shape: Shape::ALL, bits: 8, inner: 4, last: 3 };
/// Small circuits of whose inner nodes much is said: there things stay the same, or seem to.
pub const DENSE: Style = Style { shape: Shape::FEW, bits: 3, inner: 6, last: 3 };

/// One of both.
pub fn whole_or_dense(rng: &mut Rng) -> Case {
    if rng.bool() { case(rng, &WHOLE) } else { case(rng, &DENSE) }
}

/// A random place that a claim may be about.
pub fn place(rng: &mut Rng, net: &Netlist) -> Place {
    if let Some(m) = net.memories.first()
        && rng.u8(..4) == 0
    {
        return Place::Word(0, rng.u64(..m.size), rng.u32(..m.width));
    }
    let state = net.registers.len() + net.latches.len();
    if state > 0 && rng.u8(..4) == 0 {
        let all: Vec<GateId> = net.registers.iter().map(|r| r.gate).chain(net.latches.iter().map(|l| l.gate)).collect();
        return Place::of(Lit::new(all[rng.usize(..state)], rng.bool()));
    }
    Place::of(Lit::new(GateId(rng.u32(1..net.gates.len() as u32)), rng.bool()))
}

/// A random case.
pub fn case(rng: &mut Rng, style: &Style) -> Case {
    let (net, clocks) = netlist(rng, &style.shape);
    let mut left = rng.u32(1..=style.bits);
    let mut widths = Vec::new();
    while left > 0 && widths.len() < 3 {
        let w = rng.u32(1..=left);
        widths.push(w);
        left -= w;
    }
    let cycles = !clocks.is_empty() && rng.bool();
    let clocking = if cycles {
        // Now and then a clock is an input like others.
        let n = if rng.u8(..8) == 0 { rng.usize(..=clocks.len()) } else { clocks.len() };
        if n == 0 { Clocking::Phases } else { Clocking::Cycles(clocks[..n].to_vec()) }
    } else {
        Clocking::Phases
    };
    let start = if rng.bool() { Start::Any } else { Start::Initial };
    let last = rng.u32(0..=style.last);
    let mut c = Case {
        net,
        clocking,
        start,
        widths,
        constraint: YES,
        given: vec![],
        follows: vec![],
        weakened: FxHashSet::default(),
        last,
        seed: rng.u64(..),
    };
    let vars = c.vars();
    if rng.u8(..3) == 0 {
        c.constraint = expr(rng, &vars, 3);
    }
    let guard = |rng: &mut Rng| if rng.u8(..4) > 0 { YES } else { expr(rng, &vars, 2) };
    let circuit = c.circuit();
    let inputs: Vec<Lit> = c.net.inputs.iter().flat_map(|n| n.bits.clone()).collect();
    let steady = rng.u8(..3) == 0;
    for l in inputs {
        if circuit.level(l.gate(), 0).is_some() {
            continue;
        }
        let is_clock = clocks.contains(&l.gate());
        // Often an input stays as it is, so that what it drives does.
        let kind = if steady { rng.u8(..6) } else { rng.u8(..10) };
        let kept = if rng.bool() { Expr::Const(rng.bool()) } else { expr(rng, &vars, 1) };
        let level = rng.bool();
        for time in 0..=last {
            let value = match kind {
                _ if is_clock && kind > 1 && kind < 9 => Expr::Const((time % 2 == 1) ^ level),
                0..=1 => continue,
                2..=5 => kept.clone(),
                _ if rng.u8(..3) == 0 => continue,
                _ => expr(rng, &vars, 2),
            };
            let guard = if is_clock { YES } else { guard(rng) };
            c.given.push(Said { atom: Some(node(l, time)), guard, value });
        }
    }
    for _ in 0..rng.u32(0..=style.inner) {
        let atom = Atom { place: place(rng, &c.net), time: rng.u32(0..=last) };
        let value = if rng.bool() { Expr::Const(rng.bool()) } else { expr(rng, &vars, 2) };
        c.given.push(Said { atom: Some(atom), guard: guard(rng), value });
    }
    for _ in 0..rng.u32(1..=3) {
        let mut atom = Some(Atom { place: place(rng, &c.net), time: rng.u32(0..=last) });
        let mut value = expr(rng, &vars, 2);
        if rng.u8(..5) == 0 {
            // A formula over nodes.
            if let Place::Node(l) = place(rng, &c.net) {
                let at = Expr::At(node(Lit(l & !1), rng.u32(0..=last)));
                value = if rng.bool() { Expr::Xor(Box::new(at), Box::new(value)) } else { at };
            }
            if rng.bool() {
                atom = None;
            }
        }
        c.follows.push(Said { atom, guard: guard(rng), value });
    }
    c
}
