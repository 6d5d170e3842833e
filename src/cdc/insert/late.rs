//! Late gates and destabilizers: what a capturing bit sees of another clock.

use super::writer::Writer;
use crate::cdc::crossing::Capture;
use crate::cdc::domains::DomainId;
use crate::net::{Builder, Gate, GateId, Lit};

/// Who looks at a gate, and so which signals it sees in flight.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Watch {
    /// Data of a clock: signals of other clocks.
    Data(DomainId),
    /// An asynchronous control of a clock: signals of other clocks, and resets that are not released with it.
    Control(DomainId),
    /// Logic in front of an asynchronous control: all signals, since such a pin looks at every moment.
    Always,
}

/// A gate whose output comes late.
#[derive(Clone, Copy)]
pub(super) struct Late {
    /// The value it goes to.
    pub now: Lit,
    /// Whether a signal of another clock takes it there in this step.
    pub changed: Lit,
    /// What the gates behind it see.
    pub seen: Lit,
    /// What they would have seen one step before if signals of the capturing clock had been then what they are now:
    /// gates behind it compare with this one, so that only signals of other clocks unsettle them.
    pub before: Lit,
    /// Whether signals of the capturing clock have a part in it.
    pub mixed: bool,
}

impl Writer<'_> {
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

    /// Whether what a gate does can be seen in flight.
    pub fn is_seen(&self, g: GateId, to: Watch) -> bool {
        let d = self.s.domains;
        match to {
            Watch::Data(to) => d.foreign(g, to).next().is_some(),
            Watch::Control(to) => d.foreign_control(g, to).next().is_some(),
            Watch::Always => !matches!(self.s.net.gates[g.0 as usize], Gate::False),
        }
    }

    /// What a capturing bit sees through gates that are late, and whether that is undecided.
    pub fn delayed(&mut self, l: Lit, to: Watch) -> (Lit, Lit) {
        // Chains of gates may be long: the ones below are made first.
        let mut open = vec![l.gate()];
        while let Some(&g) = open.last() {
            if self.late.contains_key(&(g, to)) {
                open.pop();
                continue;
            }
            let plain = Lit::new(g, false);
            if !self.is_seen(g, to) {
                self.own.push(g);
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
            return (now.xor(l.complement()), Lit::FALSE);
        }
        let any = self.input(format!("entail:x:{}", self.name(l)));
        (self.b.mux(changed, any, now).xor(l.complement()), changed)
    }

    fn late_gate(&mut self, g: GateId, gate: Gate, to: Watch) -> Late {
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

    pub fn gate(&mut self, like: Gate, operands: &[Lit]) -> Lit {
        match (like, operands) {
            (Gate::And(..), [x, y]) => self.b.and(*x, *y),
            (Gate::Xor(..), [x, y]) => self.b.xor(*x, *y),
            (Gate::Mux(..), [s, t, e]) => self.b.mux(*s, *t, *e),
            _ => unreachable!("only gates with operands are made anew"),
        }
    }

    /// A literal that is free for some steps after a sender changes, and whether it is.
    pub fn destabilized(&mut self, l: Lit, c: &Capture) -> (Lit, Lit) {
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
        (self.b.mux(is_unstable, any, l), is_unstable)
    }
}
