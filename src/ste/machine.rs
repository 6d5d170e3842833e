//! Evaluates the least trajectory of a circuit under an antecedent.
//!
//! **Sameness.** A gate none of whose operands changed has the value it had, in every run, so whatever is known of it stays
//! known: that is how the antecedent's word on an inner node in a cycle reaches the register that captures it at the
//! end of the cycle. *Changed* is about runs, not about what is known of them: an input of which nothing is known may
//! change although X stays X. A value counts as the same if its operands are the same, or if it is known, before and
//! after, to be the same function.
//!
//! **Joins.** What the antecedent says of a node at a time is about the node at rest, and is joined to what the gates say
//! there; for inputs and gates without state in their cone that is true before the edges, too. Wherever a join leaves no
//! value, the antecedent contradicts the circuit; those conditions are gathered ([`Trajectory::clash`]).

use super::circuit::{Circuit, Start};
use super::logic::{Logic, Stop};
use super::memory::Contents;
use super::plan::{Plan, plan};
use super::rails::{Rail, Rails};
use super::terms::{Atom, Place};
use crate::net::{Gate, GateId, Lit};
use rustc_hash::{FxHashMap, FxHashSet};

/// What the antecedent says, by place and time. Places are plain literals.
pub type Bound<F> = FxHashMap<Atom, Rail<F>>;

/// Something that is not given a value by anything.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Unbound {
    /// An input or a free value in a phase.
    Leaf(GateId, u32),
    /// State at the start.
    State(GateId),
    /// A bit of a word at the start: memory, address, bit.
    Word(u32, u64, u32),
}

/// The phase before the first one, of which only the levels of clocks matter.
pub const BEFORE: u32 = u32::MAX;

/// What to evaluate.
pub struct Request<'r, F> {
    /// What the antecedent says.
    pub bound: &'r Bound<F>,
    /// Values wanted.
    pub wanted: &'r [Atom],
    /// Gates that are X at a time, whatever drives them and whatever the antecedent says.
    pub weakened: &'r FxHashSet<(u32, u32)>,
    /// Gates whose value grows beyond this become X.
    pub most: Option<usize>,
    /// Last time.
    pub last: u32,
    /// Gives values to what has none, for runs without X.
    pub open: Option<&'r mut dyn FnMut(Unbound) -> F>,
    /// Is shown the values after each sweep.
    pub watch: Option<Watch<'r, F>>,
}

/// Is shown phase, whether at rest, the gates evaluated and all values.
pub type Watch<'r, F> = &'r mut dyn FnMut(u32, bool, &[u32], &[Rail<F>]);

/// Whether state moved.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Moved {
    /// In no run.
    No,
    /// In some run perhaps, but the same is known of it as before.
    Perhaps,
    /// Something else is known of it.
    Yes,
}

/// What was found.
pub struct Trajectory<F> {
    /// Values of all that was wanted or bound.
    pub atoms: FxHashMap<Atom, Rail<F>>,
    /// Where the antecedent contradicts the circuit.
    pub clash: F,
    /// The first join that contradicts, for messages.
    pub clash_at: Option<Atom>,
    /// Gates that became X for their size, with the phase.
    pub weakened: Vec<(u32, u32)>,
    /// Gates evaluated.
    pub work: u64,
}

/// Evaluates.
pub fn evaluate<L: Logic>(c: &Circuit, rails: &mut Rails<L>, request: Request<L::F>) -> Result<Trajectory<L::F>, Stop> {
    let mut atoms: Vec<Atom> = request.wanted.iter().chain(request.bound.keys()).copied().collect();
    atoms.sort_unstable();
    atoms.dedup();
    let phases = c.phases(request.last);
    let constant = |g: GateId, p: u32| {
        let level = c.level(g, p);
        level.or_else(|| {
            let time = c.time(p).filter(|t| !request.weakened.contains(&(g.0, *t)))?;
            let r = request.bound.get(&Atom { place: Place::of(Lit::new(g, false)), time })?;
            rails.as_const(r)
        })
    };
    let plan = plan(c, phases, &atoms, &constant);
    let mut by_time: FxHashMap<u32, Vec<Atom>> = FxHashMap::default();
    atoms.iter().for_each(|a| by_time.entry(a.time).or_default().push(*a));
    let n = c.net.gates.len();
    let x = rails.x();
    let no = rails.logic.constant(false);
    let mut m = Machine {
        c,
        plan: &plan,
        request,
        value: vec![x.clone(); n],
        at: vec![0; n],
        since: vec![1; n],
        fresh: vec![1; n],
        set_in: vec![None; n],
        sweep: 0,
        levels: vec![x; plan.clocks.len()],
        memories: c.net.memories.iter().map(Contents::new).collect(),
        out: Trajectory { atoms: FxHashMap::default(), clash: no, clash_at: None, weakened: Vec::new(), work: 0 },
        rails,
    };
    m.start()?;
    for p in 0..phases {
        m.phase(p)?;
        if let Some(t) = c.time(p) {
            for a in by_time.get(&t).into_iter().flatten() {
                let v = m.atom(*a)?;
                m.out.atoms.insert(*a, v);
            }
        }
    }
    Ok(m.out)
}

struct Machine<'m, 'r, L: Logic> {
    c: &'m Circuit,
    plan: &'m Plan,
    rails: &'m mut Rails<L>,
    request: Request<'r, L::F>,
    value: Vec<Rail<L::F>>,
    /// The sweep that evaluated a gate last; 0: none did.
    at: Vec<u32>,
    /// The sweep since which a gate or leaf has the same value in every run.
    since: Vec<u32>,
    /// The sweep in which something else came to be known of it.
    fresh: Vec<u32>,
    /// The phase in which an input was set last.
    set_in: Vec<Option<u32>>,
    sweep: u32,
    levels: Vec<Rail<L::F>>,
    memories: Vec<Contents<L::F>>,
    out: Trajectory<L::F>,
}

impl<L: Logic> Machine<'_, '_, L> {
    fn open(&mut self, what: Unbound) -> Rail<L::F> {
        match &mut self.request.open {
            Some(f) => {
                let f = f(what);
                self.rails.known(&f)
            }
            None => self.rails.x(),
        }
    }

    fn lit(&self, l: Lit) -> Rail<L::F> {
        self.rails.flip(&self.value[l.gate().0 as usize], l.complement())
    }

    /// Sets a leaf for the sweep to come.
    fn set_leaf(&mut self, g: GateId, v: Rail<L::F>, same: bool) {
        let k = g.0 as usize;
        if self.value[k] != v {
            self.fresh[k] = self.sweep + 1;
        }
        if !same {
            self.since[k] = self.sweep + 1;
        }
        self.value[k] = v;
    }

    /// The state before the first phase.
    fn start(&mut self) -> Result<(), Stop> {
        let net = &self.c.net;
        let initial = self.c.start == Start::Initial;
        self.value[0] = self.rails.constant(false);
        let registers = net.registers.iter().map(|r| (r.gate, r.init));
        let latches = net.latches.iter().map(|r| (r.gate, r.init));
        for (g, init) in registers.chain(latches) {
            let v = match init.filter(|_| initial) {
                Some(v) => self.rails.constant(v),
                None => self.open(Unbound::State(g)),
            };
            self.value[g.0 as usize] = v;
        }
        if initial {
            for (m, contents) in net.memories.iter().zip(&mut self.memories) {
                contents.initial(m, self.rails);
            }
        }
        if self.request.open.is_some() {
            let words = self.request.wanted.iter().map(|a| a.place);
            let mut words: Vec<Place> = words.filter(|p| matches!(p, Place::Word(..))).collect();
            words.sort_unstable();
            words.dedup();
            for p in words {
                let Place::Word(m, addr, bit) = p else { continue };
                let init = net.memories[m as usize].init.iter().find(|w| w.0 == addr);
                if initial && init.is_some_and(|(_, w)| !w.is_unknown(bit)) {
                    continue;
                }
                let v = self.open(Unbound::Word(m, addr, bit));
                self.memories[m as usize].learn(addr, bit, v);
            }
        }
        self.prime()
    }

    /// The levels of the clocks before the first phase, when inputs were anything and the state was what it is.
    fn prime(&mut self) -> Result<(), Stop> {
        let plan = self.plan;
        let mut inside = vec![false; self.c.net.gates.len()];
        let mut open: Vec<GateId> = plan.clocks.iter().map(|l| l.gate()).collect();
        while let Some(g) = open.pop() {
            if !std::mem::replace(&mut inside[g.0 as usize], true) {
                self.c.net.fanin(g, |l| open.push(l.gate()));
            }
        }
        for g in (0..inside.len()).filter(|g| inside[*g]) {
            let id = GateId(g as u32);
            self.value[g] = match self.c.net.gates[g] {
                Gate::False | Gate::Register(_) | Gate::Latch(_) => continue,
                Gate::Input(..) | Gate::Free(_) => self.open(Unbound::Leaf(id, BEFORE)),
                gate => self.gate(gate)?,
            };
        }
        for (i, l) in plan.clocks.iter().enumerate() {
            self.levels[i] = self.lit(*l);
        }
        Ok(())
    }

    /// Joins what the antecedent says of a plain gate at a time.
    fn join_bound(&mut self, a: Atom, v: Rail<L::F>) -> Result<Rail<L::F>, Stop> {
        let Some(b) = self.request.bound.get(&a) else { return Ok(v) };
        if let Place::Node(l) = a.place
            && self.request.weakened.contains(&(l >> 1, a.time))
        {
            return Ok(v);
        }
        let joined = self.rails.join(&v, b)?;
        self.note_clash(&joined, a)?;
        Ok(joined)
    }

    fn note_clash(&mut self, v: &Rail<L::F>, a: Atom) -> Result<(), Stop> {
        let clash = self.rails.clash(v)?;
        if self.rails.logic.as_const(&clash) != Some(false) {
            self.out.clash = self.rails.logic.or(&self.out.clash, &clash)?;
            self.out.clash_at.get_or_insert(a);
        }
        Ok(())
    }

    fn phase(&mut self, p: u32) -> Result<(), Stop> {
        let plan = self.plan;
        let time = self.c.time(p);
        self.set_inputs(p)?;
        let (before, rest) = (&plan.before[p as usize], &plan.rest[p as usize]);
        if !before.is_empty() {
            self.relax(before, p, time, false)?;
            let mut moved = self.edges(rest, true)?;
            // Without controls, latches and derived clocks there is one round of edges, and all is at rest.
            if plan.simple && !self.has_controls(rest) {
                moved = Moved::No;
            }
            let limit = 2 * (self.c.net.registers.len() + self.c.net.memories.len()) + 16;
            let mut rounds = 0;
            while moved != Moved::No {
                rounds += 1;
                if rounds > limit {
                    return Err(Stop::Unsettled(self.moving(rest)));
                }
                // State that may have changed although nothing else is known of it: what depends on it must be looked at
                // again, and if that tells nothing new either, further rounds do not.
                let news = self.relax(rest, p, time, false)?;
                if moved == Moved::Perhaps && !news {
                    break;
                }
                moved = self.edges(rest, !plan.simple)?;
            }
        }
        self.relax(rest, p, time, true)?;
        for (i, l) in plan.clocks.iter().enumerate() {
            // What was not evaluated is not looked at in the next phase either.
            let now = if self.at[l.gate().0 as usize] == self.sweep { self.lit(*l) } else { self.rails.x() };
            self.levels[i] = now;
        }
        Ok(())
    }

    fn has_controls(&self, list: &[u32]) -> bool {
        list.iter().any(|g| match self.c.net.gates[*g as usize] {
            Gate::Register(r) => !self.c.net.registers[r as usize].asyncs.is_empty(),
            Gate::Latch(_) => true,
            _ => false,
        })
    }

    fn moving(&self, list: &[u32]) -> Vec<String> {
        let names = self.c.net.names();
        let state = list.iter().filter(|g| {
            let state = matches!(self.c.net.gates[**g as usize], Gate::Register(_) | Gate::Latch(_));
            state && self.fresh[**g as usize] >= self.sweep
        });
        state.take(8).map(|g| names.or_number(Lit::new(GateId(*g), false))).collect()
    }

    /// Inputs and free values of a phase.
    fn set_inputs(&mut self, p: u32) -> Result<(), Stop> {
        let plan = self.plan;
        let held = self.c.holds_inputs(p);
        let (before, rest) = (&plan.before[p as usize], &plan.rest[p as usize]);
        for list in [before, rest] {
            for g in list.iter().copied() {
                let id = GateId(g);
                let is_input = match self.c.net.gates[g as usize] {
                    Gate::Input(..) => true,
                    Gate::Free(_) => false,
                    _ => continue,
                };
                // The phase whose values these are.
                let from = if held && is_input && self.c.level(id, p).is_none() { p - 1 } else { p };
                if self.set_in[g as usize] == Some(from) {
                    continue;
                }
                let known_before = self.set_in[g as usize].replace(from).is_some();
                let mut v = match self.c.level(id, p) {
                    Some(level) => self.rails.constant(level),
                    None => self.open(Unbound::Leaf(id, from)),
                };
                if let Some(time) = self.c.time(from) {
                    v = self.join_bound(Atom { place: Place::of(Lit::new(id, false)), time }, v)?;
                }
                let same = known_before && v == self.value[g as usize] && self.rails.is_known(&v);
                self.set_leaf(id, v, same);
            }
        }
        Ok(())
    }

    /// Evaluates gates and latches until nothing changes; true if anything did. At rest, what is known only grows.
    fn relax(&mut self, list: &[u32], p: u32, time: Option<u32>, at_rest: bool) -> Result<bool, Stop> {
        let limit = 2 * self.c.net.latches.len() + 4;
        if at_rest {
            self.join_state(list, p, time)?;
        }
        let mut any = false;
        let mut before = Moved::Yes;
        for _ in 0..limit {
            let news = self.sweep(list, p, time, at_rest)?;
            any |= news;
            // Latches that may have moved, and nothing that depends on them tells more: that is all there is.
            if before == Moved::Perhaps && !news {
                return Ok(any);
            }
            let moved = if at_rest { self.settle_state(list, p, time)? } else { self.latches(list)? };
            any |= moved == Moved::Yes;
            if moved == Moved::No {
                return Ok(any);
            }
            before = moved;
        }
        // At rest a further round could only have told more.
        if at_rest { Ok(any) } else { Err(Stop::Unsettled(self.moving(list))) }
    }

    /// One pass over gates, true if more or something else is known of one.
    fn sweep(&mut self, list: &[u32], p: u32, time: Option<u32>, at_rest: bool) -> Result<bool, Stop> {
        self.sweep += 1;
        let k = self.sweep;
        let mut news = false;
        for g in list.iter().copied() {
            let i = g as usize;
            let gate = self.c.net.gates[i];
            let last = std::mem::replace(&mut self.at[i], k);
            let (all_same, any_fresh) = match gate {
                Gate::False | Gate::Input(..) | Gate::Free(_) | Gate::Register(_) | Gate::Latch(_) => continue,
                Gate::And(a, b) | Gate::Xor(a, b) => self.flags(&[a, b], last),
                Gate::Mux(s, t, e) => self.flags(&[s, t, e], last),
                Gate::Read(m, port, _) => {
                    let memory = &self.c.net.memories[m as usize];
                    let addr = &memory.reads[port as usize];
                    let (same, fresh) = self.flags(addr, last);
                    let contents = &self.memories[m as usize];
                    // Beyond the end anything is read, and something else each time.
                    let inside = addr.len() < 64 && memory.size >= 1 << addr.len();
                    (same && inside && contents.since <= last, fresh || contents.fresh > last)
                }
            };
            let same = last > 0 && all_same;
            let weak = self.is_weak(g, p);
            let said = time.filter(|_| at_rest || self.plan.stateless[i]);
            let said = said.map(|time| Atom { place: Place::of(Lit::new(GateId(g), false)), time });
            let bound = said.is_some_and(|a| self.request.bound.contains_key(&a));
            if same && !any_fresh && !weak && !bound {
                continue;
            }
            self.rails.logic.tick()?;
            self.out.work += 1;
            let mut v = if same && !any_fresh { self.value[i].clone() } else { self.gate(gate)? };
            if same && any_fresh {
                v = self.rails.join(&v, &self.value[i])?;
            }
            if let Some(most) = self.request.most
                && self.rails.logic.size(&v.high) + self.rails.logic.size(&v.low) > most
            {
                v = self.rails.x();
                self.out.weakened.push((g, p));
            }
            if weak {
                v = self.rails.x();
            } else if let Some(a) = said {
                v = self.join_bound(a, v)?;
            }
            // What reads a weakened gate must not keep what it knew from before.
            if weak || !(same || (last > 0 && v == self.value[i] && self.rails.is_known(&v))) {
                self.since[i] = k;
            }
            if last == 0 || v != self.value[i] {
                self.fresh[i] = k;
                news = true;
            }
            self.value[i] = v;
        }
        if let Some(watch) = &mut self.request.watch {
            watch(p, at_rest, list, &self.value);
        }
        Ok(news)
    }

    /// Whether a gate is weakened in a phase; in cycles, in both phases of it.
    fn is_weak(&self, g: u32, p: u32) -> bool {
        !self.request.weakened.is_empty() && self.request.weakened.contains(&(g, self.c.time_of(p)))
    }

    /// Whether operands have the values they had in a sweep, and whether more is known of one since.
    fn flags(&self, operands: &[Lit], last: u32) -> (bool, bool) {
        let k = |l: &Lit| l.gate().0 as usize;
        (operands.iter().all(|l| self.since[k(l)] <= last), operands.iter().any(|l| self.fresh[k(l)] > last))
    }

    fn gate(&mut self, gate: Gate) -> Result<Rail<L::F>, Stop> {
        match gate {
            Gate::And(a, b) => {
                let (a, b) = (self.lit(a), self.lit(b));
                self.rails.and(&a, &b)
            }
            Gate::Xor(a, b) => {
                let (a, b) = (self.lit(a), self.lit(b));
                self.rails.xor(&a, &b)
            }
            Gate::Mux(s, t, e) => {
                let (s, t, e) = (self.lit(s), self.lit(t), self.lit(e));
                self.rails.mux(&s, &t, &e)
            }
            Gate::Read(m, port, bit) => {
                let net = &self.c.net.memories[m as usize];
                let addr: Vec<Rail<L::F>> = net.reads[port as usize].iter().map(|l| self.lit(*l)).collect();
                self.memories[m as usize].read(&addr, bit, net.size, self.rails)
            }
            _ => Ok(self.rails.x()),
        }
    }

    /// Latches that are open follow their data.
    fn latches(&mut self, list: &[u32]) -> Result<Moved, Stop> {
        let mut new = Vec::new();
        for g in list {
            if let Gate::Latch(n) = self.c.net.gates[*g as usize] {
                let l = &self.c.net.latches[n as usize];
                let (enable, data) = (self.lit(l.enable), self.lit(l.data));
                let v = self.rails.mux(&enable, &data, &self.value[*g as usize])?;
                let shut = self.rails.as_const(&enable) == Some(false);
                new.push((GateId(*g), v, shut));
            }
        }
        let mut moved = Moved::No;
        for (g, v, shut) in new {
            moved = moved.max(self.put(g, v, shut));
        }
        Ok(moved)
    }

    /// Sets state for the sweep to come; `still` if it surely keeps its value.
    fn put(&mut self, g: GateId, v: Rail<L::F>, still: bool) -> Moved {
        let differs = v != self.value[g.0 as usize];
        let same = still || (!differs && self.rails.is_known(&v));
        self.set_leaf(g, v, same);
        match (differs, same) {
            (true, _) => Moved::Yes,
            (_, true) => Moved::No,
            _ => Moved::Perhaps,
        }
    }

    /// Registers whose clock rose, memories, and asynchronous controls, all at once.
    fn edges(&mut self, list: &[u32], look_at_clocks: bool) -> Result<Moved, Stop> {
        let plan = self.plan;
        let mut rises = Vec::with_capacity(plan.clocks.len());
        let mut moved = Moved::No;
        for (i, l) in plan.clocks.iter().enumerate() {
            if !look_at_clocks || self.at[l.gate().0 as usize] != self.sweep {
                rises.push(self.rails.constant(false));
                continue;
            }
            let now = self.lit(*l);
            let before = self.rails.not(&self.levels[i]);
            rises.push(self.rails.and(&before, &now)?);
            if self.levels[i] != now {
                moved = Moved::Yes;
            }
            self.levels[i] = now;
        }
        let mut new = Vec::new();
        for g in list {
            let Gate::Register(n) = self.c.net.gates[*g as usize] else { continue };
            let r = &self.c.net.registers[n as usize];
            let old = &self.value[*g as usize];
            let rise = &rises[plan.clock_index[&r.clock] as usize];
            let mut still = self.rails.as_const(rise) == Some(false);
            let mut v = if still { old.clone() } else { self.rails.mux(rise, &self.lit(r.next), old)? };
            for (c, a) in r.asyncs.iter().rev() {
                let (c, a) = (self.lit(*c), self.lit(*a));
                still &= self.rails.as_const(&c) == Some(false);
                v = self.rails.mux(&c, &a, &v)?;
            }
            if !still {
                new.push((GateId(*g), v));
            }
        }
        for (i, m) in self.c.net.memories.iter().enumerate().filter(|m| plan.memories[m.0]) {
            for w in &m.writes {
                let rise = &rises[plan.clock_index[&w.clock] as usize];
                if self.rails.as_const(rise) == Some(false) {
                    continue;
                }
                let enable = self.rails.and(rise, &self.lit(w.enable))?;
                if self.rails.as_const(&enable) == Some(false) {
                    continue;
                }
                let all = |list: &[Lit]| list.iter().map(|l| self.lit(*l)).collect::<Vec<_>>();
                let (addr, data, mask) = (all(&w.addr), all(&w.data), all(&w.mask));
                let new = self.memories[i].write(enable, addr, data, mask, self.sweep + 1);
                moved = moved.max(if new { Moved::Yes } else { Moved::Perhaps });
            }
        }
        for (g, v) in new {
            moved = moved.max(self.put(g, v, false));
        }
        Ok(moved)
    }

    /// Joins what the antecedent says of state at rest.
    fn join_state(&mut self, list: &[u32], p: u32, time: Option<u32>) -> Result<(), Stop> {
        for g in list {
            if !matches!(self.c.net.gates[*g as usize], Gate::Register(_) | Gate::Latch(_)) {
                continue;
            }
            if self.is_weak(*g, p) {
                let x = self.rails.x();
                self.set_leaf(GateId(*g), x, false);
            } else if let Some(time) = time {
                let a = Atom { place: Place::of(Lit::new(GateId(*g), false)), time };
                let v = self.join_bound(a, self.value[*g as usize].clone())?;
                self.set_leaf(GateId(*g), v, true);
            }
        }
        let Some(time) = time else { return Ok(()) };
        let words: Vec<(Atom, Rail<L::F>)> = self
            .request
            .bound
            .iter()
            .filter(|(a, _)| a.time == time && matches!(a.place, Place::Word(..)))
            .map(|(a, r)| (*a, r.clone()))
            .collect();
        for (a, r) in words {
            if let Place::Word(m, addr, bit) = a.place {
                let now = self.word(m, addr, bit)?;
                let joined = self.rails.join(&now, &r)?;
                self.note_clash(&joined, a)?;
                self.memories[m as usize].learn(addr, bit, r);
                self.memories[m as usize].fresh = self.sweep + 1;
            }
        }
        Ok(())
    }

    /// At rest a latch that is open equals its data, and a register under control its value.
    fn settle_state(&mut self, list: &[u32], p: u32, time: Option<u32>) -> Result<Moved, Stop> {
        let mut moved = Moved::No;
        for g in list {
            let old = self.value[*g as usize].clone();
            let v = match self.c.net.gates[*g as usize] {
                Gate::Latch(n) => {
                    let l = &self.c.net.latches[n as usize];
                    self.rails.mux(&self.lit(l.enable), &self.lit(l.data), &old)?
                }
                Gate::Register(n) if !self.c.net.registers[n as usize].asyncs.is_empty() => {
                    let mut v = old.clone();
                    for (c, a) in self.c.net.registers[n as usize].asyncs.iter().rev() {
                        v = self.rails.mux(&self.lit(*c), &self.lit(*a), &v)?;
                    }
                    v
                }
                _ => continue,
            };
            if self.is_weak(*g, p) {
                continue;
            }
            let v = self.rails.join(&v, &old)?;
            if v != old {
                moved = Moved::Yes;
                let a = Atom { place: Place::of(Lit::new(GateId(*g), false)), time: time.unwrap_or(0) };
                self.note_clash(&v, a)?;
                self.set_leaf(GateId(*g), v, true);
            }
        }
        Ok(moved)
    }

    fn word(&mut self, m: u32, addr: u64, bit: u32) -> Result<Rail<L::F>, Stop> {
        let memory = &self.c.net.memories[m as usize];
        let widest = memory.reads.iter().map(Vec::len).chain(memory.writes.iter().map(|w| w.addr.len())).max();
        let width = widest.unwrap_or(0).max(64 - addr.leading_zeros() as usize);
        let at: Vec<Rail<L::F>> = (0..width).map(|i| self.rails.constant(i < 64 && addr >> i & 1 == 1)).collect();
        self.memories[m as usize].read(&at, bit, memory.size, self.rails)
    }

    fn atom(&mut self, a: Atom) -> Result<Rail<L::F>, Stop> {
        match a.place {
            Place::Node(l) => Ok(self.lit(Lit(l))),
            Place::Word(m, addr, bit) => self.word(m, addr, bit),
        }
    }
}
