//! What recognised schemes promise, as assertions of the rewritten netlist.

use super::Place;
use super::writer::Writer;
use crate::cdc::crossing::End;
use crate::cdc::findings::{Answer, Filled, Promise, Scheme};
use crate::net::{Assert, GateId, Lit};
use crate::word::AssertKind;

/// A promise that is asked for.
#[derive(Clone, Debug)]
pub struct Obligation {
    /// Name of the assertion.
    pub name: String,
    /// Capturing bits whose treatment decides it.
    pub ends: Vec<End>,
}

impl Writer<'_> {
    /// Adds the assertions of a scheme.
    pub(super) fn oblige(&mut self, x: &Scheme, places: &[Place]) -> Vec<Obligation> {
        match &x.promise {
            Promise::OneBit(senders, firsts) => {
                let changes: Vec<Lit> = senders.iter().map(|g| self.changes(*g)).collect();
                let (mut one, mut two) = (Lit::FALSE, Lit::FALSE);
                for c in changes {
                    let both = self.b.and(one, c);
                    two = self.b.or(two, both);
                    one = self.b.or(one, c);
                }
                let reset = self.resets(firsts);
                vec![self.promise(x, "one_bit_changes", !two, (!reset, one), None, &[])]
            }
            Promise::Stable { ends, enable, filled } => {
                let all: Vec<Lit> = places
                    .iter()
                    .filter(|p| p.control.is_none() && ends.contains(&p.end))
                    .map(|p| p.unstable)
                    .collect();
                let unstable = self.b.any(&all);
                let registers: Vec<u32> =
                    ends.iter().filter_map(|e| if let End::Register(r) = e { Some(*r) } else { None }).collect();
                let Some(first) = registers.first() else { return Vec::new() };
                let clock = self.s.net.registers[*first as usize].clock;
                let reset = self.resets(&registers);
                let asked = match filled {
                    Some(Filled { arrived, reader }) => {
                        let arrived = arrived.iter().map(|r| Lit::new(self.s.net.registers[*r as usize].gate, false));
                        let pairs: Vec<(Lit, Lit)> = arrived.zip(reader.iter().map(|g| Lit::new(*g, false))).collect();
                        let differ: Vec<Lit> = pairs.into_iter().map(|(a, b)| self.b.xor(a, b)).collect();
                        self.b.any(&differ)
                    }
                    None => Lit::TRUE,
                };
                let asked = self.b.and(asked, !reset);
                let asked = self.b.and(asked, *enable);
                vec![self.promise(x, "stable_when_taken", !unstable, (asked, Lit::TRUE), Some(clock), ends)]
            }
            Promise::Held { sender, arrived, answer } => {
                let change = self.changes(*sender);
                let was = self.was(Lit::new(*sender, false));
                let reset = self.resets(&[*arrived]);
                let mut all = Vec::new();
                let last = Lit::new(self.s.net.registers[*arrived as usize].gate, false);
                let last = self.was(last);
                let same = self.b.xnor(was, last);
                let held = self.b.or(!change, same);
                all.push(self.promise(x, "held_until_seen", held, (!reset, change), None, &[]));
                if let Some(Answer { register, opposite }) = answer {
                    let said = Lit::new(self.s.net.registers[*register as usize].gate, *opposite);
                    let said = self.was(said);
                    let same = self.b.xnor(was, said);
                    let held = self.b.or(!change, same);
                    all.push(self.promise(x, "held_until_answered", held, (!reset, change), None, &[]));
                }
                all
            }
            Promise::NoGlitch(ends) => {
                let of = |p: &&Place| p.control.is_none() && ends.contains(&p.end);
                let taken: Vec<&Place> = places.iter().filter(of).collect();
                let Some(End::Register(first)) = ends.first() else { return Vec::new() };
                let clock = self.s.net.registers[*first as usize].clock;
                let glitches: Vec<Lit> = taken.into_iter().map(|p| self.glitch(p)).collect();
                let any = self.b.any(&glitches);
                vec![self.promise(x, "no_glitch_taken", !any, (Lit::TRUE, Lit::TRUE), Some(clock), ends)]
            }
            Promise::NoSpike(registers) => {
                let of =
                    |p: &&Place| matches!(p.end, End::Register(r) if p.control.is_some() && registers.contains(&r));
                let pins: Vec<&Place> = places.iter().filter(of).collect();
                let mut spikes = Vec::new();
                for p in pins {
                    let glitch = self.glitch(p);
                    spikes.push(self.b.and(glitch, p.seen));
                }
                let any = self.b.any(&spikes);
                vec![self.promise(x, "no_spike", !any, (Lit::TRUE, Lit::TRUE), None, &[])]
            }
            Promise::Released(registers) => {
                let mut by_clock: Vec<(Lit, Vec<u32>)> = Vec::new();
                for r in registers {
                    let clock = self.s.net.registers[*r as usize].clock;
                    match by_clock.iter_mut().find(|c| c.0 == clock) {
                        Some((_, list)) => list.push(*r),
                        None => by_clock.push((clock, vec![*r])),
                    }
                }
                let mut all = Vec::new();
                for (clock, list) in by_clock {
                    let of = |p: &&Place| matches!(p.end, End::Register(r) if p.control.is_some() && list.contains(&r));
                    let goes: Vec<Lit> = places.iter().filter(of).map(|p| p.unstable).collect();
                    let goes = self.b.any(&goes);
                    all.push(self.promise(x, "released_with_clock", !goes, (Lit::TRUE, Lit::TRUE), Some(clock), &[]));
                }
                all
            }
            Promise::Apart { writer, reader, words } => self.apart(x, writer, reader, *words),
        }
    }

    /// The number of words between two pointers stays within what the buffer has. Pointers with one bit more than an
    /// address tell an empty buffer from a full one; others must leave one word free, and may not step over it.
    fn apart(&mut self, x: &Scheme, writer: &[GateId], reader: &[GateId], words: u64) -> Vec<Obligation> {
        let bits = writer.len() as u32;
        let (long, short) = (bits > 0 && bits < 64 && words == 1 << (bits - 1), bits < 64 && words == 1 << bits);
        let (w, r) = (self.binary(writer), self.binary(reader));
        let fill = self.minus(&w, &r);
        if long {
            // At most 2^(n-1): the highest bit alone, or without it.
            let (top, rest) = (fill[bits as usize - 1], &fill[..bits as usize - 1]);
            let rest = self.b.any(rest);
            let over = self.b.and(top, rest);
            let some = self.b.any(&fill);
            return vec![self.promise(x, "pointers_never_pass", !over, (Lit::TRUE, some), None, &[])];
        }
        if short {
            let was: Vec<Lit> = fill.iter().map(|l| self.was(*l)).collect();
            let moved = |s: &mut Self, p: &[GateId]| {
                let all: Vec<Lit> = p.iter().map(|g| s.changes(*g)).collect();
                s.b.any(&all)
            };
            let (wrote, read) = (moved(self, writer), moved(self, reader));
            let (full, empty) = (self.b.all(&was), self.b.any(&was));
            let over = self.b.all(&[full, wrote, !read]);
            let under = self.b.all(&[!empty, read, !wrote]);
            let none = self.b.and(!over, !under);
            let some = self.b.or(wrote, read);
            return vec![self.promise(x, "pointers_never_pass", none, (Lit::TRUE, some), None, &[])];
        }
        Vec::new()
    }

    /// Adds an assertion, asked in every step or at the edges of a clock. `when` says when it is asked and when it
    /// says something.
    fn promise(
        &mut self,
        x: &Scheme,
        what: &str,
        condition: Lit,
        when: (Lit, Lit),
        clock: Option<Lit>,
        ends: &[End],
    ) -> Obligation {
        let base = format!("{}:{}:{what}", x.rule, x.path);
        let taken = |n: &str| self.b.net.asserts.iter().any(|a| a.name == n);
        let name = (1..).map(|i| if i == 1 { base.clone() } else { format!("{base}_{i}") }).find(|n| !taken(n));
        let name = name.unwrap_or(base);
        let clock = clock.unwrap_or_else(|| self.step());
        let trigger = self.b.and(when.0, when.1);
        self.b.net.asserts.push(Assert {
            kind: AssertKind::Assert,
            name: name.as_str().into(),
            enable: when.0,
            condition,
            trigger,
            clock: Some(clock),
            span: x.span,
        });
        Obligation { name, ends: ends.to_vec() }
    }

    /// Whether something is seen that would not have been without delays, now or as long ago as the way takes.
    fn glitch(&mut self, p: &Place) -> Lit {
        let mut parts = vec![self.b.xor(p.seen, p.calm)];
        let mut then = p.calm;
        for _ in 0..p.length {
            then = self.was(then);
            parts.push(self.b.xnor(then, p.calm));
        }
        self.b.all(&parts)
    }

    /// Whether a sender is another than one step before.
    fn changes(&mut self, g: GateId) -> Lit {
        let q = Lit::new(g, false);
        let was = self.was(q);
        self.b.xor(q, was)
    }

    /// Whether one of some registers is held by an asynchronous control.
    fn resets(&mut self, registers: &[u32]) -> Lit {
        let of = |r: &u32| self.s.net.registers[*r as usize].asyncs.iter().map(|a| a.0);
        let mut all: Vec<Lit> = registers.iter().flat_map(of).collect();
        all.sort_unstable();
        all.dedup();
        self.b.any(&all)
    }

    /// A number in gray code, the lowest bit first.
    fn binary(&mut self, gray: &[GateId]) -> Vec<Lit> {
        let mut bits: Vec<Lit> = gray.iter().map(|g| Lit::new(*g, false)).collect();
        for i in (0..bits.len().saturating_sub(1)).rev() {
            bits[i] = self.b.xor(bits[i], bits[i + 1]);
        }
        bits
    }

    fn minus(&mut self, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        let mut carry = Lit::TRUE;
        a.iter()
            .zip(b)
            .map(|(x, y)| {
                let (sum, out) = self.b.full_adder(*x, !*y, carry);
                carry = out;
                sum
            })
            .collect()
    }
}
