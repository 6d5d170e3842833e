//! The states of a model, their initial values, and what moves them.

use super::make::with_unknown;
use super::model::{State, Words, place};
use super::term::{Id, Op, Sort};
use crate::model::steps::Leaves;
use crate::source::{Diagnostic, Span};
use crate::word::{Bits, Edge, Memory, NodeId};

impl Words<'_> {
    fn state(&mut self, name: String, span: Span, sort: Sort) -> Id {
        let id = self.x.t.intern(Op::State(self.states.len() as u32), sort);
        self.states.push(State { name, span, id, init: None, next: None });
        id
    }

    /// A state with an initial value of which some bits may be unknown.
    pub(super) fn word_state(&mut self, name: String, span: Span, init: &Bits) -> Id {
        let sort = Sort::Bits(init.width());
        let all_unknown = (0..init.width()).all(|i| init.is_unknown(i));
        let value = if all_unknown {
            None
        } else if init.has_unknown() {
            let any = self.state(format!("entail_any_{name}"), span, sort);
            Some(with_unknown(&mut self.x.t, init, any))
        } else {
            Some(self.x.t.constant(init.clone()))
        };
        let id = self.state(name, span, sort);
        if let Some(s) = self.states.last_mut() {
            s.init = value;
        }
        id
    }

    pub(super) fn make_states(&mut self) -> Leaves<Id> {
        let d = self.d;
        let part = |s: crate::word::SignalId, lo: u32, width: u32| {
            let s = &d.signals[s.index()];
            if width == s.width { s.name.to_string() } else { format!("{}.{}..{}", s.name, lo, lo + width - 1) }
        };
        let word = |s: &mut Self, name, span, init: &Bits| {
            if init.width() == 0 { s.x.t.constant(Bits::zero(0)) } else { s.word_state(name, span, init) }
        };
        let registers =
            d.registers.iter().map(|r| word(self, part(r.signal, r.lo, r.width), r.span, &r.init)).collect();
        let latches = d.latches.iter().map(|r| word(self, part(r.signal, r.lo, r.width), r.span, &r.init)).collect();
        let memories = d.memories.iter().map(|m| self.memory_state(m)).collect();
        Leaves { registers, latches, memories, version: 0 }
    }

    fn memory_state(&mut self, m: &Memory) -> Id {
        let bits = (64 - (m.size.max(1) - 1).leading_zeros()).max(1);
        let sort = Sort::Array(bits, m.width);
        let mut words: Vec<(u64, &Bits)> = m.init.iter().filter(|(a, _)| *a < m.size).map(|(a, b)| (*a, b)).collect();
        // Of two values for one address the later stands.
        words.reverse();
        words.sort_by_key(|w| w.0);
        words.dedup_by_key(|w| w.0);
        let same = words.len() as u64 == m.size && words.iter().all(|w| w.1 == words[0].1 && !w.1.has_unknown());
        let value = if words.is_empty() {
            None
        } else if same {
            Some(self.x.t.constant(words[0].1.clone()))
        } else {
            let mut array = self.state(format!("entail_any_{}", m.name), m.span, sort);
            for (a, b) in words {
                let addr = self.x.t.constant(Bits::from_u64(a, bits));
                let word = if b.has_unknown() {
                    let old = self.x.t.read(array, addr);
                    with_unknown(&mut self.x.t, b, old)
                } else {
                    self.x.t.constant(b.clone())
                };
                array = self.x.t.write(array, addr, word);
            }
            Some(array)
        };
        let id = self.state(m.name.to_string(), m.span, sort);
        if let Some(s) = self.states.last_mut() {
            s.init = value;
        }
        id
    }

    /// The number of a clock, `None` if it never moves.
    fn clock(&mut self, n: NodeId, edge: Edge, start: &Leaves<Id>) -> Result<Option<usize>, Diagnostic> {
        let mut id = self.x.node(n, place(0, n.index()), start)?;
        if edge == Edge::Neg {
            id = self.x.t.not(id);
        }
        if self.x.t.as_const(id).is_some() {
            return Ok(None);
        }
        let known = self.clocks.iter().position(|c| c.2 == id);
        Ok(Some(known.unwrap_or_else(|| {
            self.clocks.push((n, edge, id));
            self.clocks.len() - 1
        })))
    }

    pub(super) fn find_clocks(&mut self, start: &Leaves<Id>) -> Result<(), Diagnostic> {
        let d = self.d;
        for r in &d.registers {
            let clock = self.clock(r.clock, r.edge, start)?;
            self.shape.registers.push((clock, 0));
        }
        for (i, m) in d.memories.iter().enumerate() {
            for w in &m.writes {
                let clock = self.clock(w.clock, w.edge, start)?;
                self.shape.writes.push((clock, i));
            }
        }
        for a in &d.asserts {
            let clock = match a.clock {
                Some((n, edge)) => self.clock(n, edge, start)?,
                None => None,
            };
            self.shape.asserts.push(clock);
        }
        self.shape.clocks = self.clocks.len();
        Ok(())
    }

    pub(super) fn find_controls(&mut self, start: &Leaves<Id>) -> Result<(), Diagnostic> {
        let d = self.d;
        for (i, r) in d.registers.iter().enumerate() {
            let mut acting = Vec::new();
            for (k, a) in r.asyncs.iter().enumerate() {
                let condition = self.x.node(a.condition, place(1, i), start)?;
                if self.x.t.as_bool(condition) != Some(false) {
                    acting.push(k);
                }
            }
            self.shape.registers[i].1 = acting.len();
            self.controls.push(acting);
        }
        for (i, l) in d.latches.iter().enumerate() {
            let enable = self.x.node(l.enable, place(2, i), start)?;
            let steady = !self.reads(&[enable], |id| start.latches.contains(&id));
            self.shape.latches.push(steady);
        }
        Ok(())
    }

    /// Whether some term satisfies `what` among those that the roots are made of.
    pub(super) fn reads(&self, roots: &[Id], what: impl Fn(Id) -> bool) -> bool {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut open = roots.to_vec();
        while let Some(id) = open.pop() {
            if what(id) {
                return true;
            }
            if seen.insert(id) {
                match self.x.t.op(id) {
                    Op::Apply(_, operands) => open.extend(operands),
                    Op::Slice(a, _) | Op::Extend(_, a) => open.push(*a),
                    _ => {}
                }
            }
        }
        false
    }
}
