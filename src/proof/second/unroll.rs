//! The trajectory of an assertion, written out: every gate at every moment, as two rails of a graph.

use super::Refusal;
use crate::model::{Aig, Node};
use crate::net::{Gate, Lit, Netlist};
use crate::ste::check::plain;
use crate::ste::circuit::Circuit;
use crate::ste::terms::{Atom, Leaf, Place, Terms};
use crate::ste::{Assertion, Start};
use rustc_hash::FxHashMap;

/// A value that can be 1, that can be 0.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Pair(pub Lit, pub Lit);

const X: Pair = Pair(Lit::TRUE, Lit::TRUE);

impl Pair {
    fn of(l: Lit) -> Pair {
        Pair(l, !l)
    }
    fn flip(self, c: bool) -> Pair {
        if c { Pair(self.1, self.0) } else { self }
    }
    fn is_known(self) -> bool {
        self.0 == !self.1
    }
}

/// A trajectory on its way.
pub(super) struct Unroll<'a> {
    c: &'a Circuit,
    net: &'a Netlist,
    terms: &'a Terms,
    a: &'a Assertion,
    pub aig: Aig,
    pub vars: FxHashMap<(u32, u32), Lit>,
    formulas: FxHashMap<u32, Pair>,
    /// What the antecedent says.
    said: FxHashMap<Atom, Pair>,
    now: Vec<Pair>,
    /// Whether each gate has the value it had, in every run.
    same: Vec<bool>,
    first: bool,
    levels: FxHashMap<Lit, Pair>,
    /// Gates that no state is in the cone of.
    stateless: Vec<bool>,
    events: Vec<Vec<Event>>,
    moved: Vec<bool>,
    atoms: FxHashMap<Atom, Pair>,
}

/// Whether state moved: in no run, in some perhaps, or surely something else is known of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Moved {
    No,
    Perhaps,
    Yes,
}

impl Moved {
    fn of(differs: bool, same: bool) -> Moved {
        match (differs, same) {
            (true, _) => Moved::Yes,
            (_, false) => Moved::Perhaps,
            _ => Moved::No,
        }
    }
}

/// What happened to a memory: a write, or a bit that is known.
enum Event {
    Write(Pair, Vec<Pair>, Vec<Pair>, Vec<Pair>),
    Known(u64, u32, Pair),
}

impl<'a> Unroll<'a> {
    pub fn new(c: &'a Circuit, terms: &'a Terms, a: &'a Assertion) -> Result<Unroll<'a>, Refusal> {
        let net = &c.net;
        let mut stateless: Vec<bool> = Vec::with_capacity(net.gates.len());
        for (i, g) in net.gates.iter().enumerate() {
            let mut all = !matches!(g, Gate::Register(_) | Gate::Latch(_) | Gate::Read(..));
            net.fanin(crate::net::GateId(i as u32), |l| all &= stateless[l.gate().0 as usize]);
            stateless.push(all);
        }
        let mut u = Unroll {
            c,
            net,
            terms,
            a,
            aig: Aig::default(),
            vars: FxHashMap::default(),
            formulas: FxHashMap::default(),
            said: FxHashMap::default(),
            now: vec![X; net.gates.len()],
            same: vec![false; net.gates.len()],
            first: true,
            levels: FxHashMap::default(),
            stateless,
            events: net.memories.iter().map(|_| Vec::new()).collect(),
            moved: vec![false; net.memories.len()],
            atoms: FxHashMap::default(),
        };
        for claim in &a.antecedent {
            let Some(atom) = claim.atom else { return Err(Refusal::Wrong("a given claim is about nothing".into())) };
            if !c.has(atom.place) && !matches!(atom.place, Place::Node(0 | 1)) {
                return Err(Refusal::Wrong("a claim is about a node that there is not".into()));
            }
            let none = FxHashMap::default();
            let (guard, value) = (u.formula(claim.guard, &none)?.0, u.formula(claim.value, &none)?.0);
            let (atom, flip) = plain(atom);
            let told = Pair(u.aig.or(!guard, value), u.aig.or(!guard, !value)).flip(flip);
            let before = u.said.get(&atom).copied().unwrap_or(X);
            let both = u.join(before, told);
            u.said.insert(atom, both);
        }
        Ok(u)
    }

    fn join(&mut self, a: Pair, b: Pair) -> Pair {
        Pair(self.aig.and(a.0, b.0), self.aig.and(a.1, b.1))
    }
    fn and(&mut self, a: Pair, b: Pair) -> Pair {
        Pair(self.aig.and(a.0, b.0), self.aig.or(a.1, b.1))
    }
    fn xor(&mut self, a: Pair, b: Pair) -> Pair {
        if a.is_known() && b.is_known() {
            return Pair::of(self.aig.xor(a.0, b.0));
        }
        let (p, q) = (self.aig.and(a.0, b.1), self.aig.and(a.1, b.0));
        let (r, s) = (self.aig.and(a.0, b.0), self.aig.and(a.1, b.1));
        Pair(self.aig.or(p, q), self.aig.or(r, s))
    }
    fn mux(&mut self, s: Pair, t: Pair, e: Pair) -> Pair {
        if s.is_known() {
            let high = self.aig.mux(s.0, t.0, e.0);
            return if t.is_known() && e.is_known() { Pair::of(high) } else { Pair(high, self.aig.mux(s.0, t.1, e.1)) };
        }
        let (p, q) = (self.aig.and(s.0, t.0), self.aig.and(s.1, e.0));
        let (r, z) = (self.aig.and(s.0, t.1), self.aig.and(s.1, e.1));
        Pair(self.aig.or(p, q), self.aig.or(r, z))
    }

    fn lit(&self, l: Lit) -> Pair {
        self.now[l.gate().0 as usize].flip(l.complement())
    }

    /// A formula; atoms have the given values.
    pub fn formula(&mut self, root: Lit, atoms: &FxHashMap<Atom, Pair>) -> Result<Pair, Refusal> {
        for g in self.terms.cone(&[root]) {
            if self.formulas.contains_key(&g) {
                continue;
            }
            let gate = self.terms.gates()[g as usize];
            let at = |u: &Unroll, l: Lit| u.formulas[&l.gate().0].flip(l.complement());
            let v = match gate {
                Gate::And(a, b) => {
                    let (a, b) = (at(self, a), at(self, b));
                    self.and(a, b)
                }
                Gate::Xor(a, b) => {
                    let (a, b) = (at(self, a), at(self, b));
                    self.xor(a, b)
                }
                Gate::Mux(s, t, e) => {
                    let (s, t, e) = (at(self, s), at(self, t), at(self, e));
                    self.mux(s, t, e)
                }
                _ => match self.terms.leaf_of(gate) {
                    Some(Leaf::Var(v, b)) => {
                        let aig = &mut self.aig;
                        let next = self.vars.len() as u32;
                        Pair::of(*self.vars.entry((v, b)).or_insert_with(|| aig.leaf(Node::Input(next))))
                    }
                    Some(Leaf::Atom(a)) => {
                        *atoms.get(&a).ok_or(Refusal::Wrong("a given formula speaks of a node".into()))?
                    }
                    None => Pair::of(Lit::FALSE),
                },
            };
            self.formulas.insert(g, v);
        }
        Ok(self.formulas[&root.gate().0].flip(root.complement()))
    }

    /// Where a claim of the consequent can be broken.
    pub fn claim(&mut self, claim: &crate::ste::Claim) -> Result<Lit, Refusal> {
        let atoms = std::mem::take(&mut self.atoms);
        let found = (|| {
            let (guard, value) = (self.formula(claim.guard, &atoms)?, self.formula(claim.value, &atoms)?);
            let said = match claim.atom {
                Some(a) => {
                    let (atom, flip) = plain(a);
                    let missing = Refusal::Wrong("a claim is about a node that was not looked at".into());
                    let v = match atom.place {
                        Place::Node(0) => Pair::of(Lit::FALSE),
                        _ => *atoms.get(&atom).ok_or(missing)?,
                    };
                    let v = v.flip(flip);
                    self.xor(v, value).flip(true)
                }
                None => value,
            };
            let broken = self.and(guard, said.flip(true));
            Ok(broken.0)
        })();
        self.atoms = atoms;
        found
    }

    pub fn run(&mut self) -> Result<(), Refusal> {
        let wanted = self.a.wanted(self.terms);
        if wanted.iter().any(|a| !self.c.has(a.place)) {
            return Err(Refusal::Wrong("a claim is about a node that there is not".into()));
        }
        self.now[0] = Pair::of(Lit::FALSE);
        if self.c.start == Start::Initial {
            let registers = self.net.registers.iter().map(|r| (r.gate, r.init));
            let latches = self.net.latches.iter().map(|l| (l.gate, l.init));
            for (g, init) in registers.chain(latches) {
                self.now[g.0 as usize] = init.map_or(X, |v| Pair::of(Lit::FALSE.xor(v)));
            }
            for (m, memory) in self.net.memories.iter().enumerate() {
                let words: std::collections::BTreeMap<u64, &crate::word::Bits> =
                    memory.init.iter().map(|(a, w)| (*a, w)).collect();
                for (addr, word) in &words {
                    for bit in (0..word.width()).filter(|b| !word.is_unknown(*b)) {
                        self.events[m].push(Event::Known(*addr, bit, Pair::of(Lit::FALSE.xor(word.bit(bit)))));
                    }
                }
            }
        }
        // Levels of clocks before the first phase: inputs are anything.
        let leaves = vec![true; self.net.gates.len()];
        self.pass(&leaves, 0, None, false);
        let clocks: Vec<Lit> = self.clocks();
        self.levels = clocks.iter().map(|l| (*l, self.lit(*l))).collect();
        self.first = true;
        for phase in 0..self.c.phases(self.a.last(self.terms)) {
            self.phase(phase)?;
            let Some(time) = self.c.time(phase) else { continue };
            for a in wanted.iter().filter(|a| a.time == time) {
                let v = match a.place {
                    Place::Node(l) => self.lit(Lit(l)),
                    Place::Word(m, addr, bit) => self.word(m as usize, addr, bit),
                };
                self.atoms.insert(*a, v);
            }
        }
        Ok(())
    }

    fn clocks(&self) -> Vec<Lit> {
        let writes = self.net.memories.iter().flat_map(|m| m.writes.iter().map(|w| w.clock));
        let mut all: Vec<Lit> = self.net.registers.iter().map(|r| r.clock).chain(writes).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Evaluates every gate; true if something else is known of one. `leaves` says which leaves have the value they had.
    fn pass(&mut self, leaves: &[bool], phase: u32, time: Option<u32>, at_rest: bool) -> bool {
        let mut news = false;
        let cycle = self.c.time_of(phase);
        for (g, kept) in leaves.iter().enumerate() {
            let gate = self.net.gates[g];
            let (mut v, same) = match gate {
                Gate::False => (Pair::of(Lit::FALSE), true),
                Gate::Input(..) | Gate::Free(_) | Gate::Register(_) | Gate::Latch(_) => (self.now[g], *kept),
                Gate::And(a, b) => (self.and(self.lit(a), self.lit(b)), self.all_same(&[a, b])),
                Gate::Xor(a, b) => (self.xor(self.lit(a), self.lit(b)), self.all_same(&[a, b])),
                Gate::Mux(s, t, e) => (self.mux(self.lit(s), self.lit(t), self.lit(e)), self.all_same(&[s, t, e])),
                Gate::Read(m, p, bit) => {
                    let memory = &self.net.memories[m as usize];
                    let port = &memory.reads[p as usize];
                    let addr: Vec<Pair> = port.iter().map(|l| self.lit(*l)).collect();
                    // Beyond the end something else is read each time.
                    let inside = port.len() < 64 && memory.size >= 1 << port.len();
                    let same = self.all_same(port) && !self.moved[m as usize] && inside;
                    (self.read(m as usize, &addr, bit, memory.size), same)
                }
            };
            let same = same && !self.first;
            let old = self.now[g];
            let leaf = self.c.is_leaf(crate::net::GateId(g as u32)) && !matches!(gate, Gate::Read(..));
            if same && !leaf {
                v = self.join(v, old);
            }
            // State and what depends on it is spoken of at rest; inputs and what depends on them alone, always.
            let weak = self.a.weakened.contains(&(g as u32, cycle));
            let said = time.filter(|_| at_rest || self.stateless[g]);
            let said =
                said.and_then(|time| self.said.get(&Atom { place: Place::Node((g as u32) << 1), time }).copied());
            match said {
                _ if weak => v = X,
                Some(said) => v = self.join(v, said),
                None => {}
            }
            self.same[g] = !weak && (same || (!self.first && !leaf && v == old && v.is_known()));
            news |= v != old;
            self.now[g] = v;
        }
        self.first = false;
        self.moved.fill(false);
        news
    }

    fn all_same(&self, list: &[Lit]) -> bool {
        list.iter().all(|l| self.same[l.gate().0 as usize])
    }

    fn phase(&mut self, phase: u32) -> Result<(), Refusal> {
        let (net, c) = (self.net, self.c);
        let time = c.time(phase);
        let mut leaves = vec![true; net.gates.len()];
        for (g, gate) in net.gates.iter().enumerate() {
            let id = crate::net::GateId(g as u32);
            let fresh = match gate {
                Gate::Input(..) => match c.level(id, phase) {
                    Some(level) => Pair::of(Lit::FALSE.xor(level)),
                    None if c.holds_inputs(phase) => continue,
                    None => X,
                },
                Gate::Free(_) => X,
                _ => continue,
            };
            let told = time.and_then(|t| self.said.get(&Atom { place: Place::Node((g as u32) << 1), time: t }));
            let told = told.copied().filter(|_| !time.is_some_and(|t| self.a.weakened.contains(&(g as u32, t))));
            let v = told.map_or(fresh, |t| self.join(fresh, t));
            leaves[g] = phase > 0 && v == self.now[g] && v.is_known();
            self.now[g] = v;
        }
        self.settle_latches(&mut leaves, phase, time)?;
        let mut moved = self.edges(&mut leaves, true);
        let most = 2 * (net.registers.len() + net.memories.len()) + 16;
        for round in 0.. {
            if moved == Moved::No {
                break;
            }
            if round == most {
                return Err(Refusal::Unsettled);
            }
            // What may have changed, though the same is known of it, is looked at until that tells nothing new.
            let news = self.settle_latches(&mut leaves, phase, time)?;
            if moved == Moved::Perhaps && !news {
                break;
            }
            moved = self.edges(&mut leaves, false);
        }
        self.rest(&mut leaves, phase, time);
        for l in self.levels.keys().copied().collect::<Vec<Lit>>() {
            let v = self.lit(l);
            self.levels.insert(l, v);
        }
        Ok(())
    }

    /// Gates and latches before the edges, until latches stand still; true if something else is known of anything.
    fn settle_latches(&mut self, leaves: &mut [bool], phase: u32, time: Option<u32>) -> Result<bool, Refusal> {
        let (mut any, mut before) = (false, Moved::Yes);
        for _ in 0..2 * self.net.latches.len() + 4 {
            let news = self.pass(leaves, phase, time, false);
            any |= news;
            leaves.fill(true);
            if before == Moved::Perhaps && !news {
                return Ok(any);
            }
            let mut moved = Moved::No;
            let new: Vec<(usize, Pair, bool)> = (0..self.net.latches.len())
                .map(|i| {
                    let l = &self.net.latches[i];
                    let g = l.gate.0 as usize;
                    let enable = self.lit(l.enable);
                    let v = self.mux(enable, self.lit(l.data), self.now[g]);
                    (g, v, enable == Pair::of(Lit::FALSE))
                })
                .collect();
            for (g, v, shut) in new {
                leaves[g] = shut || (v == self.now[g] && v.is_known());
                moved = moved.max(Moved::of(v != self.now[g], leaves[g]));
                self.now[g] = v;
            }
            any |= moved == Moved::Yes;
            if moved == Moved::No {
                return Ok(any);
            }
            before = moved;
        }
        Err(Refusal::Unsettled)
    }

    /// Clock edges and asynchronous controls. In later rounds only clocks that depend on state can rise.
    fn edges(&mut self, leaves: &mut [bool], round_one: bool) -> Moved {
        let mut moved = Moved::No;
        let mut rises: FxHashMap<Lit, Pair> = FxHashMap::default();
        for l in self.levels.keys().copied().collect::<Vec<Lit>>() {
            let now = self.lit(l);
            let before = self.levels[&l];
            let fixed = self.stateless[l.gate().0 as usize];
            let rise = if fixed && !round_one { Pair::of(Lit::FALSE) } else { self.and(before.flip(true), now) };
            moved = moved.max(Moved::of(!fixed && before != now, true));
            rises.insert(l, rise);
            self.levels.insert(l, now);
        }
        let mut new = Vec::new();
        for r in &self.net.registers {
            let g = r.gate.0 as usize;
            let mut v = self.mux(rises[&r.clock], self.lit(r.next), self.now[g]);
            let mut still = rises[&r.clock] == Pair::of(Lit::FALSE);
            for (c, a) in r.asyncs.iter().rev() {
                still &= self.lit(*c) == Pair::of(Lit::FALSE);
                v = self.mux(self.lit(*c), self.lit(*a), v);
            }
            new.push((g, v, still));
        }
        for (m, memory) in self.net.memories.iter().enumerate() {
            for w in &memory.writes {
                let enable = self.and(rises[&w.clock], self.lit(w.enable));
                if enable == Pair::of(Lit::FALSE) {
                    continue;
                }
                let all = |list: &[Lit]| list.iter().map(|l| self.lit(*l)).collect::<Vec<Pair>>();
                let event = Event::Write(enable, all(&w.addr), all(&w.data), all(&w.mask));
                // The last write once more tells nothing new.
                let again = matches!((self.events[m].last(), &event),
                    (Some(Event::Write(a, b, c, d)), Event::Write(e, f, g, h)) if (a, b, c, d) == (e, f, g, h));
                if !again {
                    self.events[m].push(event);
                }
                self.moved[m] = true;
                moved = moved.max(Moved::of(!again, false));
            }
        }
        for (g, v, still) in new {
            let same = still || (v == self.now[g] && v.is_known());
            leaves[g] &= same;
            moved = moved.max(Moved::of(v != self.now[g], same));
            self.now[g] = v;
        }
        moved
    }

    /// All is still: what the antecedent says is joined, and what follows from it, while that tells more.
    fn rest(&mut self, leaves: &mut [bool], phase: u32, time: Option<u32>) {
        if let Some(t) = time {
            for (a, v) in self.said.iter().filter(|(a, _)| a.time == t) {
                if let Place::Word(m, addr, bit) = a.place {
                    self.events[m as usize].push(Event::Known(addr, bit, *v));
                }
            }
        }
        for _ in 0..2 * self.net.latches.len() + 4 {
            self.pass(leaves, phase, time, true);
            leaves.fill(true);
            let mut moved = false;
            let weak = |u: &Unroll, g: usize| u.a.weakened.contains(&(g as u32, u.c.time_of(phase)));
            for i in 0..self.net.latches.len() {
                let l = &self.net.latches[i];
                let g = l.gate.0 as usize;
                let v = self.mux(self.lit(l.enable), self.lit(l.data), self.now[g]);
                let v = self.join(v, self.now[g]);
                if !weak(self, g) {
                    moved |= v != self.now[g];
                    self.now[g] = v;
                }
            }
            for r in self.net.registers.iter().filter(|r| !r.asyncs.is_empty()) {
                let g = r.gate.0 as usize;
                let mut v = self.now[g];
                for (c, a) in r.asyncs.iter().rev() {
                    v = self.mux(self.lit(*c), self.lit(*a), v);
                }
                let v = self.join(v, self.now[g]);
                if !weak(self, g) {
                    moved |= v != self.now[g];
                    self.now[g] = v;
                }
            }
            if !moved {
                return;
            }
        }
    }

    fn word(&mut self, m: usize, addr: u64, bit: u32) -> Pair {
        let memory = &self.net.memories[m];
        let ports = memory.reads.iter().map(Vec::len).chain(memory.writes.iter().map(|w| w.addr.len()));
        let width = ports.max().unwrap_or(0).max(64);
        let at: Vec<Pair> = (0..width).map(|i| Pair::of(Lit::FALSE.xor(i < 64 && addr >> i & 1 == 1))).collect();
        self.read(m, &at, bit, memory.size)
    }

    fn equal(&mut self, a: &[Pair], b: &[Pair]) -> Pair {
        let zero = Pair::of(Lit::FALSE);
        let mut all = Pair::of(Lit::TRUE);
        for i in 0..a.len().max(b.len()) {
            let (x, y) = (a.get(i).copied().unwrap_or(zero), b.get(i).copied().unwrap_or(zero));
            let same = self.xor(x, y).flip(true);
            all = self.and(all, same);
        }
        all
    }

    fn read(&mut self, m: usize, addr: &[Pair], bit: u32, size: u64) -> Pair {
        let events = std::mem::take(&mut self.events[m]);
        let number = |n: u64| (0..64).map(|i| Pair::of(Lit::FALSE.xor(n >> i & 1 == 1))).collect::<Vec<Pair>>();
        let mut v = X;
        for e in &events {
            match e {
                Event::Write(enable, to, data, mask) => {
                    let hit = self.equal(addr, to);
                    let hit = self.and(hit, *enable);
                    let hit = self.and(hit, mask[bit as usize]);
                    v = self.mux(hit, data[bit as usize], v);
                }
                Event::Known(to, b, value) if *b == bit => {
                    let hit = self.equal(addr, &number(*to));
                    let told = Pair(self.aig.or(hit.1, value.0), self.aig.or(hit.1, value.1));
                    v = self.join(v, told);
                }
                Event::Known(..) => {}
            }
        }
        self.events[m] = events;
        // Beyond the memory anything is read: the address is at least the size.
        let mut less = Pair::of(Lit::FALSE);
        for i in 0..addr.len().max(64) {
            let a = addr.get(i).copied().unwrap_or(Pair::of(Lit::FALSE));
            let s = i < 64 && size >> i & 1 == 1;
            let on = Pair::of(Lit::FALSE.xor(s));
            let differ = self.xor(a, on);
            less = self.mux(differ, on, less);
        }
        self.mux(less, v, X)
    }
}
