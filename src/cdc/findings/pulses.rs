//! Pulses of one period that go into a synchroniser as if they were levels.

use super::{Finder, Promise};
use crate::cdc::crossing::End;
use crate::cdc::domains::NONE;
use crate::net::{Gate, Lit};

impl Finder<'_> {
    /// Senders that are 1 for one period only.
    pub(super) fn pulses(&mut self) {
        for k in 0..self.out.synchronisers.len() {
            let x = self.out.synchronisers[k].clone();
            let Gate::Register(r) = self.net.gates[x.launch.0 as usize] else { continue };
            if x.from == NONE || !self.is_pulse(r) {
                continue;
            }
            let end = End::Register(x.stages[0]);
            let (a, b, name) = (self.clock_name(x.from), self.clock_name(x.to), self.end_name(end));
            let text =
                format!("`{}` is 1 for one period of {a}, and {b} may not see it in `{name}`", self.name(x.launch));
            let places = vec![
                (self.end_span(end), format!("captured here, by {b}")),
                (self.leaf_span(x.launch), format!("one period of {a} long")),
            ];
            let (sender, arrived) = (x.launch, x.stages[x.stages.len() - 1]);
            self.promise("C016", &name, self.end_span(end), Promise::Held { sender, arrived, answer: None });
            self.add("C016", name, (x.from, x.to), text, &places, Vec::new());
        }
    }

    /// Whether the structure says that a register never is 1 twice in a row: it is cleared by itself, or it is an
    /// edge that was found in another signal.
    fn is_pulse(&self, r: u32) -> bool {
        let own = Lit::new(self.net.registers[r as usize].gate, false);
        let data = self.s.data[r as usize];
        let mut parts = Vec::new();
        let mut open = vec![data];
        while let Some(l) = open.pop() {
            match self.net.gates[l.gate().0 as usize] {
                Gate::And(x, y) if !l.complement() && parts.len() < 64 => open.extend([x, y]),
                _ => parts.push(l),
            }
        }
        let is_delayed = |l: &Lit| match self.net.gates[l.gate().0 as usize] {
            Gate::Register(d) => {
                let before = self.s.data[d as usize].xor(l.complement());
                parts.contains(&!before) && self.d.register[d as usize] == self.d.register[r as usize]
            }
            _ => false,
        };
        parts.len() > 1 && parts.iter().any(|l| *l == !own || is_delayed(l))
    }
}
