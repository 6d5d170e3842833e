//! Signals in flight: rewrites a netlist so that what goes from one clock to another is unstable for a while after
//! it changes.
//!
//! Two models, both of Smrčka et al. (FMICS 2006). *Delayed*: the output of every critical gate, and of the state
//! that sends, is a free value in the step in which it changes. *Destabilized*: what arrives at a capturing bit is
//! free for as many steps after a change of any sender as the longest way has gates. What does not cross is not
//! touched: gates that other readers share are doubled.
//!
//! Two points go beyond the paper. A change counts only if signals of the other clock cause it: those of the
//! capturing clock have settled by its next edge, which timing analysis has seen to. (Otherwise the second model
//! would not cover the first, since destabilizers do not watch them.) And each capturing bit decides for itself what
//! it takes an unstable signal for, as registers do.
//!
//! Steps are counted by a clock of their own, the input [`STEP`], which ticks in every step of a model.

use super::crossing::{Capture, End, Structure};
use super::domains::DomainId;
use super::paths::reads;
use crate::net::{Builder, Gate, GateId, Lit, Net, Netlist, Register, STEP};
use crate::source::Span;
use rustc_hash::FxHashMap;

/// How a capturing bit is treated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// Every gate on the way is late.
    Delayed,
    /// One destabilizer at the end of the way.
    Destabilized,
}

/// A capturing bit in the rewritten netlist.
#[derive(Clone, Debug)]
pub struct Place {
    /// The bit.
    pub end: End,
    /// How it was treated.
    pub style: Style,
    /// What arrives, and what would without delays.
    pub seen: Lit,
    /// The same literal of the netlist as it was.
    pub calm: Lit,
}

/// A rewritten netlist.
pub struct Inserted {
    /// The netlist.
    pub net: Netlist,
    /// Where something was inserted.
    pub places: Vec<Place>,
    /// State bits that were added.
    pub states: usize,
}

/// Rewrites; `style` says how each capturing bit is treated.
pub fn insert(s: &Structure, captures: &[Capture], style: impl Fn(&Capture) -> Style) -> Inserted {
    let mut w = Writer {
        s,
        b: Builder::on(s.net.clone()),
        step: None,
        first: None,
        late: FxHashMap::default(),
        unstable: FxHashMap::default(),
        before: FxHashMap::default(),
        start: FxHashMap::default(),
        names: s.net.names().owned(s.net),
        states: 0,
    };
    let mut places = Vec::new();
    for c in captures {
        let how = style(c);
        let mut change = |w: &mut Writer, l: Lit| {
            if s.domains.foreign(l.gate(), c.domain).next().is_none() {
                return l;
            }
            let seen = match how {
                Style::Delayed => w.delayed(l, c.domain),
                Style::Destabilized => w.destabilized(l, c),
            };
            places.push(Place { end: c.end, style: how, seen, calm: l });
            seen
        };
        match c.end {
            End::Register(r) => {
                let next = change(&mut w, s.read[r as usize]);
                w.b.net.registers[r as usize].next = next;
            }
            End::Latch(l) => {
                let data = change(&mut w, s.net.latches[l as usize].data);
                w.b.net.latches[l as usize].data = data;
            }
            End::Write(m, p) => {
                let old = &s.net.memories[m as usize].writes[p as usize];
                let mut list = |w: &mut Writer, all: &[Lit]| all.iter().map(|l| change(w, *l)).collect::<Vec<_>>();
                let (addr, data, mask) = (list(&mut w, &old.addr), list(&mut w, &old.data), list(&mut w, &old.mask));
                let enable = change(&mut w, old.enable);
                let port = &mut w.b.net.memories[m as usize].writes[p as usize];
                (port.addr, port.data, port.mask, port.enable) = (addr, data, mask, enable);
            }
        }
    }
    debug_assert!(captures.iter().all(|c| !reads(s, c.end).is_empty()));
    Inserted { states: w.states, net: w.b.finish(), places }
}

/// A gate whose output comes late.
#[derive(Clone, Copy)]
struct Late {
    /// The value it goes to.
    now: Lit,
    /// Whether a signal of another clock takes it there in this step.
    changed: Lit,
    /// What the gates behind it see.
    seen: Lit,
    /// What they would have seen one step before if signals of the capturing clock had been then what they are now:
    /// gates behind it compare with this one, so that only signals of other clocks unsettle them.
    before: Lit,
    /// Whether signals of the capturing clock have a part in it.
    mixed: bool,
}

struct Writer<'s> {
    s: &'s Structure<'s>,
    b: Builder,
    step: Option<Lit>,
    first: Option<Lit>,
    /// Gates with late inputs, by gate and capturing clock.
    late: FxHashMap<(GateId, DomainId), Late>,
    /// What gates behind a late one see of it, by what it goes to and whether it changes.
    unstable: FxHashMap<(Lit, Lit), Lit>,
    /// What a literal was one step before.
    before: FxHashMap<Lit, Lit>,
    /// Values of gates at the start, if they are known.
    start: FxHashMap<GateId, Option<bool>>,
    names: FxHashMap<GateId, String>,
    states: usize,
}

impl Writer<'_> {
    fn input(&mut self, name: String) -> Lit {
        let port = self.b.net.inputs.len() as u32;
        let l = self.b.leaf(Gate::Input(port, 0));
        self.b.net.inputs.push(Net { name: name.into(), range: None, bits: vec![l], span: Span::NONE, attrs: vec![] });
        l
    }

    fn register(&mut self, name: String, init: Option<bool>) -> Lit {
        let step = match self.step {
            Some(l) => l,
            None => {
                let l = self.input(STEP.into());
                self.step = Some(l);
                l
            }
        };
        let n = self.b.net.registers.len() as u32;
        let l = self.b.leaf(Gate::Register(n));
        let net = self.b.net.nets.len() as u32;
        let (gate, clock, span) = (l.gate(), step, Span::NONE);
        self.b.net.nets.push(Net { name: name.into(), range: None, bits: vec![l], span, attrs: vec![] });
        self.b.net.registers.push(Register { gate, next: l, clock, asyncs: vec![], init, net: (net, 0), span });
        self.states += 1;
        l
    }

    fn set_next(&mut self, register: Lit, next: Lit) {
        if let Gate::Register(r) = self.b.net.gates[register.gate().0 as usize] {
            self.b.net.registers[r as usize].next = next;
        }
    }

    fn name(&self, l: Lit) -> String {
        self.names.get(&l.gate()).cloned().unwrap_or_else(|| format!("gate{}", l.gate().0))
    }

    /// What a literal was one step before.
    fn was(&mut self, l: Lit) -> Lit {
        let plain = Lit::new(l.gate(), false);
        if let Some(p) = self.before.get(&plain) {
            return p.xor(l.complement());
        }
        let init = self.at_start(plain);
        let mut p = self.remember(plain, init);
        if init.is_none() {
            // Nothing is in flight at the start: whatever the value is, it was the same before.
            let first = self.first();
            p = self.b.mux(first, plain, p);
        }
        self.before.insert(plain, p);
        p.xor(l.complement())
    }

    /// A register that has what a literal was one step before.
    fn remember(&mut self, l: Lit, init: Option<bool>) -> Lit {
        let p = self.register(format!("entail:was:{}", self.name(l)), init);
        self.set_next(p, l);
        p
    }

    /// Whether this is the first step.
    fn first(&mut self) -> Lit {
        if let Some(l) = self.first {
            return l;
        }
        let l = self.register("entail:first".into(), Some(true));
        self.set_next(l, Lit::FALSE);
        self.first = Some(l);
        l
    }

    /// The value of a literal at the start; unknown if it depends on inputs or on state that is.
    fn at_start(&mut self, l: Lit) -> Option<bool> {
        let g = l.gate();
        let v = match self.start.get(&g) {
            Some(v) => *v,
            None => {
                let v = match self.b.net.gates[g.0 as usize] {
                    Gate::False => Some(false),
                    Gate::Register(r) => self.b.net.registers[r as usize].init,
                    Gate::Latch(r) => self.b.net.latches[r as usize].init,
                    Gate::And(x, y) => match (self.at_start(x), self.at_start(y)) {
                        (Some(false), _) | (_, Some(false)) => Some(false),
                        (Some(true), Some(true)) => Some(true),
                        _ => None,
                    },
                    Gate::Xor(x, y) => self.at_start(x).zip(self.at_start(y)).map(|(a, b)| a ^ b),
                    Gate::Mux(s, t, e) => match self.at_start(s) {
                        Some(s) => self.at_start(if s { t } else { e }),
                        None => {
                            let (t, e) = (self.at_start(t), self.at_start(e));
                            if t == e { t } else { None }
                        }
                    },
                    _ => None,
                };
                self.start.insert(g, v);
                v
            }
        };
        v.map(|v| v ^ l.complement())
    }

    /// What the gates behind a late one see: a free value while it changes.
    fn unstable(&mut self, now: Lit, changed: Lit, name: GateId) -> Lit {
        if changed == Lit::FALSE {
            return now;
        }
        if let Some(d) = self.unstable.get(&(now, changed)) {
            return *d;
        }
        let any = self.input(format!("entail:x:{}", self.name(Lit::new(name, false))));
        let d = self.b.mux(changed, any, now);
        if let Some(n) = self.names.get(&name).cloned() {
            self.names.entry(d.gate()).or_insert(n);
        }
        self.unstable.insert((now, changed), d);
        d
    }

    /// What a capturing bit sees through gates that are late.
    fn delayed(&mut self, l: Lit, to: DomainId) -> Lit {
        // Chains of gates may be long: the ones below are made first.
        let mut open = vec![l.gate()];
        while let Some(&g) = open.last() {
            if self.late.contains_key(&(g, to)) {
                open.pop();
                continue;
            }
            let plain = Lit::new(g, false);
            if self.s.domains.foreign(g, to).next().is_none() {
                let own = Late {
                    now: plain,
                    changed: Lit::FALSE,
                    seen: plain,
                    before: plain,
                    mixed: plain.as_const().is_none(),
                };
                self.late.insert((g, to), own);
                continue;
            }
            let mut missing = Vec::new();
            self.s.net.fanin(g, |l| {
                if !self.late.contains_key(&(l.gate(), to)) {
                    missing.push(l.gate());
                }
            });
            let gate = self.s.net.gates[g.0 as usize];
            if !missing.is_empty() && !matches!(gate, Gate::Read(..)) {
                open.extend(missing);
                continue;
            }
            self.b.here = self.s.net.spans[g.0 as usize];
            let made = match gate {
                Gate::And(..) | Gate::Xor(..) | Gate::Mux(..) => self.late_gate(g, gate, to),
                // State, an input, a word of a memory.
                _ => {
                    let was = self.was(plain);
                    let changed = self.b.xor(plain, was);
                    let seen = self.unstable(plain, changed, g);
                    Late { now: plain, changed, seen, before: self.was(seen), mixed: false }
                }
            };
            self.late.insert((g, to), made);
        }
        let Late { now, changed, .. } = self.late[&(l.gate(), to)];
        if changed == Lit::FALSE {
            return now.xor(l.complement());
        }
        let any = self.input(format!("entail:x:{}", self.name(l)));
        self.b.mux(changed, any, now).xor(l.complement())
    }

    fn late_gate(&mut self, g: GateId, gate: Gate, to: DomainId) -> Late {
        let (mut now, mut before, mut mixed) = (Vec::new(), Vec::new(), false);
        self.s.net.fanin(g, |l| {
            let of = self.late[&(l.gate(), to)];
            now.push(of.seen.xor(l.complement()));
            before.push(of.before.xor(l.complement()));
            mixed |= of.mixed;
        });
        let (now, old) = (self.gate(gate, &now), self.gate(gate, &before));
        let changed = self.b.xor(now, old);
        let seen = self.unstable(now, changed, g);
        let before = if changed == Lit::FALSE {
            old
        } else if mixed {
            // Nothing changes at the start.
            let (unsettled, as_it_was) = (self.remember(changed, Some(false)), self.remember(seen, Some(false)));
            self.b.mux(unsettled, as_it_was, old)
        } else {
            self.was(seen)
        };
        Late { now, changed, seen, before, mixed }
    }

    fn gate(&mut self, like: Gate, operands: &[Lit]) -> Lit {
        match (like, operands) {
            (Gate::And(..), [x, y]) => self.b.and(*x, *y),
            (Gate::Xor(..), [x, y]) => self.b.xor(*x, *y),
            (Gate::Mux(..), [s, t, e]) => self.b.mux(*s, *t, *e),
            _ => unreachable!("only gates with operands are made anew"),
        }
    }

    /// A literal that is free for some steps after a sender changes.
    fn destabilized(&mut self, l: Lit, c: &Capture) -> Lit {
        let longest = c.length.max(1);
        let mut changes = Vec::new();
        for g in &c.launches {
            let q = Lit::new(*g, false);
            let was = self.was(q);
            changes.push(self.b.xor(q, was));
        }
        let changed = self.b.any(&changes);
        let name = self.name(l);
        let any = self.input(format!("entail:x:{name}"));
        // After the change 1 … longest, then 0; the register has the number of the step before.
        let bits = 32 - longest.leading_zeros();
        let count: Vec<Lit> =
            (0..bits).map(|i| self.register(format!("entail:unstable:{name}[{i}]"), Some(false))).collect();
        let is = |b: &mut Builder, n: u32| {
            let lits: Vec<Lit> = count.iter().enumerate().map(|(i, l)| l.xor(n >> i & 1 == 0)).collect();
            b.all(&lits)
        };
        let (zero, last) = (is(&mut self.b, 0), is(&mut self.b, longest));
        let rests = self.b.or(zero, last);
        let mut carry = Lit::TRUE;
        let mut now = Vec::new();
        for (i, bit) in count.iter().enumerate() {
            let more = self.b.xor(*bit, carry);
            carry = self.b.and(carry, *bit);
            let on = self.b.and(!rests, more);
            now.push(self.b.mux(changed, Lit::FALSE.xor(i == 0), on));
        }
        count.iter().zip(&now).for_each(|(c, n)| self.set_next(*c, *n));
        let is_unstable = self.b.any(&now);
        self.b.mux(is_unstable, any, l)
    }
}

/// The style that needs fewer state bits for a capturing bit, by the cost of the paper: the gates on its ways against
/// the counter of a destabilizer and its output.
pub fn cheaper(c: &Capture) -> Style {
    let gates = (c.gates + c.launches.len()) as u32;
    let counter = 32 - c.length.leading_zeros();
    // Senders are remembered by both.
    if gates > counter + c.launches.len() as u32 { Style::Destabilized } else { Style::Delayed }
}
