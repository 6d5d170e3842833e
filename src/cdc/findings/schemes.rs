//! Schemes: data that is taken under the control of something synchronised, and what that promises.

use super::captures::Group;
use super::idle::FAR;
use super::{Answer, Filled, Finder, Promise, Vector};
use crate::cdc::crossing::{Capture, End};
use crate::cdc::domains::DomainId;
use crate::net::{Gate, GateId, Lit};

impl Finder<'_> {
    /// Data that is taken under the control of something synchronised.
    pub(super) fn schemes(&mut self, mut g: Group) {
        let pair = g.pair;
        let (a, b) = (self.clock_name(pair.0), self.clock_name(pair.1));
        let End::Register(r) = g.first.end else { return };
        let forward = self.nearest(self.s.data[r as usize], pair.0, pair.1, FAR);
        let pointers = forward.iter().any(|k| self.in_vector(*k));
        let what = g.what();
        if let Some(k) = forward.iter().find(|k| pointers == self.in_vector(**k)).or(forward.first()) {
            let control = &self.out.synchronisers[*k];
            g.notes.push(format!(
                "controlled by `{}`, which comes from `{}`",
                self.name(self.net.registers[control.stages[control.stages.len() - 1] as usize].gate),
                self.name(control.launch)
            ));
        }
        let (rule, text) = match (self.is_pointed_at(&g.first), self.s.hold(r)) {
            (true, _) => ("C014", format!("{what} of {b} reads a buffer of {a} whose pointers cross both ways")),
            _ if self.is_answered_data(&g.launches, &forward, pair) => {
                ("C013", format!("{what} of {b} takes data of {a} under a handshake"))
            }
            (_, Some(_)) => ("C012", format!("{what} of {b} takes data of {a} when a synchronised signal says so")),
            _ => ("C015", format!("{what} of {b} chooses data of {a} when a synchronised signal says so")),
        };
        self.stable(rule, &g);
        if rule == "C013" {
            self.requests(&forward);
        }
        let Group { name, pair, places, notes, .. } = g;
        self.add(rule, name, pair, text, &places, notes);
    }

    /// Whether a synchroniser is one of a vector's.
    fn in_vector(&self, k: usize) -> bool {
        let s = &self.out.synchronisers[k];
        self.out.vectors.iter().any(|v| v.pair == (s.from, s.to) && v.launches.contains(&s.launch))
    }

    /// Whether a capture chooses among words, of a memory or of registers.
    fn is_chosen(&self, c: &Capture) -> bool {
        let End::Register(r) = c.end else { return false };
        let memory = c.launches.iter().any(|l| matches!(self.net.gates[l.0 as usize], Gate::Read(..)));
        let data = self.s.hold(r).map_or(self.s.data[r as usize], |(_, d)| d);
        memory || c.launches.len() > 1 && self.s.is_selection(data, c.domain, 0)
    }

    /// Whether a capture chooses among words by what came through a synchroniser, while the writer waits for an answer.
    pub(super) fn is_chosen_in_turn(&self, c: &Capture) -> bool {
        let (End::Register(r), [from]) = (c.end, c.sources.as_slice()) else { return false };
        let pair = (*from, c.domain);
        let forward = self.nearest(self.s.data[r as usize], pair.0, pair.1, FAR);
        !forward.is_empty() && self.is_chosen(c) && self.is_answered_data(&c.launches, &forward, pair)
    }

    /// Whether a capture chooses among words while pointers cross both ways.
    pub(super) fn is_pointed_at(&self, c: &Capture) -> bool {
        let (End::Register(r), [from]) = (c.end, c.sources.as_slice()) else { return false };
        self.is_chosen(c)
            && self.out.vectors.iter().any(|v| v.pair == (c.domain, *from))
            && self.nearest(self.s.data[r as usize], *from, c.domain, FAR).iter().any(|k| self.in_vector(*k))
    }

    /// Whether what is sent, or what says that it is there, waits for something that comes back.
    fn is_answered_data(&self, launches: &[GateId], forward: &[usize], pair: (DomainId, DomainId)) -> bool {
        let back = |l: Lit| self.behind(l, pair.0, FAR).iter().any(|k| self.out.synchronisers[*k].from == pair.1);
        let waits = |g: &GateId| match self.net.gates[g.0 as usize] {
            // What enables it waits; what it takes then may well have to do with the other clock.
            Gate::Register(r) => {
                let next = self.net.registers[r as usize].next;
                back(self.s.hold(r).map_or(next, |(enable, _)| enable))
            }
            Gate::Read(m, ..) => self.net.memories[m as usize].writes.iter().any(|w| back(w.enable)),
            _ => false,
        };
        launches.iter().any(waits) || forward.iter().any(|k| waits(&self.out.synchronisers[*k].launch))
    }

    /// The data is stable when it is taken; of a buffer, while there is something in it: before, whatever is loaded
    /// is not looked at.
    fn stable(&mut self, rule: &'static str, g: &Group) {
        let filled = if rule == "C014" { self.filled(g.pair) } else { None };
        let mut by_enable: Vec<(Lit, Vec<End>)> = Vec::new();
        for m in &g.members {
            let c = &self.out.captures[*m];
            let End::Register(r) = c.end else { continue };
            let enable = match self.s.hold(r) {
                Some((enable, _)) => enable,
                None if rule == "C014" && filled.is_none() => continue,
                None => Lit::TRUE,
            };
            match by_enable.iter_mut().find(|e| e.0 == enable) {
                Some((_, ends)) => ends.push(c.end),
                None => by_enable.push((enable, vec![c.end])),
            }
        }
        for (enable, ends) in by_enable {
            self.promise(
                rule,
                &g.name,
                self.end_span(ends[0]),
                Promise::Stable { ends, enable, filled: filled.clone() },
            );
        }
    }

    /// How the reader of a buffer tells that there is something in it: the writer's pointer where it has arrived, and
    /// its own.
    fn filled(&self, pair: (DomainId, DomainId)) -> Option<Filled> {
        let of = |pair: (DomainId, DomainId)| self.out.vectors.iter().filter(move |v| v.pair == pair && v.gray);
        for writer in of(pair) {
            let Some(reader) = of((pair.1, pair.0)).find(|r| r.launches.len() == writer.launches.len()) else {
                continue;
            };
            let last = |g: &GateId| {
                let s = self.out.synchronisers.iter().find(|s| s.launch == *g && (s.from, s.to) == pair)?;
                s.stages.last().copied()
            };
            let arrived: Option<Vec<u32>> = writer.launches.iter().map(last).collect();
            return arrived.map(|arrived| Filled { arrived, reader: reader.launches.clone() });
        }
        None
    }

    /// Requests are held until they are answered.
    fn requests(&mut self, forward: &[usize]) {
        for k in forward {
            let x = self.out.synchronisers[*k].clone();
            let Gate::Register(r) = self.net.gates[x.launch.0 as usize] else { continue };
            let is_vector = |v: &Vector| v.launches.contains(&x.launch);
            // What merely passes on a signal asks for nothing itself.
            let passes = self.s.is_leaf(self.s.data[r as usize].gate());
            if self.out.vectors.iter().any(is_vector) || self.told_of(x.launch) || passes {
                continue;
            }
            let arrived = *x.stages.last().expect("a chain has stages");
            let next = self.net.registers[r as usize].next;
            let back: Vec<usize> = self.behind(next, x.from, FAR);
            let back: Vec<usize> = back.into_iter().filter(|k| self.out.synchronisers[*k].from == x.to).collect();
            let answer = match back.as_slice() {
                [one] => {
                    let last = *self.out.synchronisers[*one].stages.last().expect("a chain has stages");
                    let idle = self.at_reset(r).zip(self.at_reset(last));
                    idle.map(|(asks, says)| Answer { register: last, opposite: asks != says })
                }
                _ => None,
            };
            let span = self.end_span(End::Register(x.stages[0]));
            let path = self.end_name(End::Register(x.stages[0]));
            self.promise("C013", &path, span, Promise::Held { sender: x.launch, arrived, answer });
        }
    }

    fn told_of(&self, launch: GateId) -> bool {
        self.out.schemes.iter().any(|s| matches!(s.promise, Promise::Held { sender, .. } if sender == launch))
    }

    /// What a register is set to by its reset, or starts with.
    pub(super) fn at_reset(&self, r: u32) -> Option<bool> {
        let reg = &self.net.registers[r as usize];
        let forced = reg.asyncs.iter().find_map(|a| a.1.as_const());
        let gate = self.net.gates[reg.next.gate().0 as usize];
        let inverted = reg.next.complement();
        let synchronous = match gate {
            Gate::And(x, y) if self.s.is_reset(x) || self.s.is_reset(y) => Some(inverted),
            Gate::Mux(s, t, _) if self.s.is_reset(s) && t.as_const().is_some() => t.as_const().map(|v| v ^ inverted),
            Gate::Mux(s, _, e) if self.s.is_reset(s) && e.as_const().is_some() => e.as_const().map(|v| v ^ inverted),
            _ => None,
        };
        forced.or(synchronous).or(reg.init)
    }

    /// Buffers: two pointers in gray code that cross both ways, each of which waits for the other.
    pub(super) fn buffers(&mut self) {
        let pointers: Vec<Vector> = self.out.vectors.iter().filter(|v| v.gray && v.counts).cloned().collect();
        for (i, writer) in pointers.iter().enumerate() {
            for (j, reader) in pointers.iter().enumerate() {
                let (a, b) = writer.pair;
                if i == j || reader.pair != (b, a) || reader.launches.len() != writer.launches.len() {
                    continue;
                }
                if !self.waits_for(writer, reader) || !self.waits_for(reader, writer) {
                    continue;
                }
                let Some(words) = self.words(a, b) else { continue };
                let span = self.leaf_span(writer.launches[0]);
                let path = self.net.nets[writer.net as usize].name.to_string();
                let (writer, reader) = (writer.launches.clone(), reader.launches.clone());
                self.promise("C014", &path, span, Promise::Apart { writer, reader, words });
            }
        }
    }

    fn waits_for(&self, one: &Vector, other: &Vector) -> bool {
        one.launches.iter().any(|g| match self.net.gates[g.0 as usize] {
            Gate::Register(r) => {
                let before = self.behind(self.net.registers[r as usize].next, one.pair.0, FAR);
                before.iter().any(|k| other.launches.contains(&self.out.synchronisers[*k].launch))
            }
            _ => false,
        })
    }

    /// The words of a buffer that is written by one clock and read by another.
    fn words(&self, from: DomainId, to: DomainId) -> Option<u64> {
        let captured = self.out.captures.iter().filter(|c| c.domain == to);
        let captured = captured.filter_map(|c| match c.end {
            End::Register(r) if self.s.hold(r).is_some() => self.s.hold(r).map(|(_, d)| d),
            End::Register(r) => Some(self.s.data[r as usize]),
            _ => None,
        });
        let shown = self.net.outputs.iter().flat_map(|o| o.bits.iter().copied());
        let count = |l: Lit| {
            let words: u64 = self
                .s
                .senders(l, to)
                .iter()
                .filter(|g| self.d.of_leaf(self.net, **g) == Some(from))
                .map(|g| match self.net.gates[g.0 as usize] {
                    Gate::Read(m, ..) => self.net.memories[m as usize].size,
                    _ => 1,
                })
                .sum();
            (words > 1 && self.s.is_selection(l, to, 0)).then_some(words)
        };
        captured.chain(shown.filter(|l| self.d.foreign(l.gate(), to).any(|d| d == from))).filter_map(count).max()
    }
}
