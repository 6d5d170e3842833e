//! What did not happen, and could have: to reverse a race one needs both of its ends.
//!
//! Time-outs that an event beat, notifications that were cancelled or overridden, what was still to come
//! when the simulation stopped; and the dates that steps compare with, which happen to nobody.

use super::name::{hash, step_label};
use super::object::{DUE, HALTS, Object};
use super::{Orderer, Pending, Place, Touched, Why};
use crate::explore::trace::{Id, Kind, Node};

/// Something due that did not happen.
pub(super) struct Overtaken {
    event: Id,
    cause: u32,
    label: u128,
    after: (u64, u64),
    delay: Option<(Id, u32)>,
    /// The process that it would have woken.
    wakes: Option<Id>,
    /// Its phase.
    phase: i64,
    /// The step it would have been, of a process that could run and did not.
    step: Option<(Id, u32)>,
    /// The operation of its cause that made it; none for a time-out.
    op: Option<u32>,
    /// The place that came first.
    by: u32,
}

impl Overtaken {
    /// Is it the step that a process would have made?
    pub fn is_step_of(&self, p: Id) -> bool {
        self.step.is_some_and(|s| s.0 == p)
    }
}

/// A date, so long after a step or after the beginning.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Mark {
    pub date: u64,
    pub since: u32,
    pub after: u64,
}

impl Orderer<'_> {
    /// Where comparisons of dates change: at the date itself, and right after it.
    pub(super) fn find_marks(&mut self) {
        let steps: Vec<&Node> = self.run.nodes.iter().filter(|n| matches!(n.kind, Kind::Step { .. })).collect();
        for n in self.run.nodes.iter().filter(|_| self.loose) {
            for &(since, k) in &n.compares {
                let base = match since.checked_sub(1) {
                    None => 0,
                    Some(i) => steps.get(i as usize).map_or(0, |s| s.time),
                };
                let marks =
                    [k, k.saturating_add(1)].map(|after| Mark { date: base.saturating_add(after), since, after });
                self.marks.extend(marks.iter().filter(|m| m.after > 0 && m.date < 1 << 62));
            }
        }
        self.marks.sort_unstable();
        self.marks.dedup();
    }

    /// Places the marks up to a date.
    pub(super) fn mark(&mut self, date: u64) {
        while let Some(&m) = self.marks.get(self.marked).filter(|m| m.date <= date) {
            let j = self.places.len() as u32;
            let touched = [(Object::Date(self.marked as u32), HALTS)];
            self.marked += 1;
            let cause = m.since.checked_sub(1).and_then(|i| self.steps.get(i as usize).copied());
            let label = hash([5, m.after].into_iter());
            let label = cause.map_or(label, |c| self.caused(label, c));
            let soft = self.conflicts(&touched, j, false, true);
            let hard: Vec<u32> = cause.into_iter().collect();
            self.place(Place::of_due(label, cause, (m.after, m.after), (m.date, -1)), &hard, soft);
        }
    }

    /// A timed notification that will not come, because of place `by`.
    pub(super) fn overtaken(&self, event: Id, p: Pending, by: u32) -> Option<Overtaken> {
        let label = hash([2, p.op as u64].into_iter());
        // Only a choice of delays can bring it about.
        if !self.loose || p.by >= self.places.len() as u32 {
            return None;
        }
        let from = &self.places[p.by as usize];
        let phase = match (p.delta, from.step) {
            (false, _) => -1,
            (true, Some(_)) => from.phase + 1,
            (true, None) => from.phase,
        };
        Some(Overtaken {
            phase,
            step: None,
            event,
            cause: p.by,
            label: self.caused(label, p.by),
            after: (p.after, p.after),
            delay: None,
            wakes: None,
            op: Some(p.op),
            by,
        })
    }

    /// A process that an event woke had a time-out, too.
    pub(super) fn timeout_overtaken(&self, p: Id, event: Id, node: &Node, j: u32, overtaken: &mut Vec<Overtaken>) {
        if self.run.events[event as usize].timeout_of == Some(p) {
            return;
        }
        let Some(last) = self.since[p as usize].filter(|&l| l != j) else { return };
        let Some(fixed) = self.waits[p as usize].and_then(|w| w.timeout) else { return };
        // With fixed delays it could have come first only at the same date.
        if self.loose || (node.phase == -1 && self.node(last).time + fixed == node.time) {
            overtaken.push(self.own_timeout(p, last, fixed, j));
        }
    }

    /// A process that is killed or reset had a time-out.
    pub(super) fn timeout_taken_back(&self, p: Id, j: u32) -> Option<Overtaken> {
        let last = self.since[p as usize].filter(|&l| l != j && self.woken_by[p as usize].is_none())?;
        Some(self.own_timeout(p, last, self.waits[p as usize]?.timeout?, j))
    }

    /// The time-out of a process that will not come, because of place `by`.
    pub(super) fn own_timeout(&self, p: Id, last: u32, fixed: u64, by: u32) -> Overtaken {
        let (after, delay) = self.timeout(p, last, fixed);
        // After no time it is one of the next delta cycle.
        let phase = if fixed == 0 { self.places[last as usize].phase + 1 } else { -1 };
        Overtaken {
            event: Id::MAX,
            cause: last,
            label: self.caused(self.timeout_label(p), last),
            after,
            delay,
            wakes: Some(p),
            phase,
            step: None,
            op: None,
            by,
        }
    }

    /// Puts in something that did not happen. It follows what came first, and nothing follows it.
    pub(super) fn overtake(&mut self, o: Overtaken) {
        let j = self.places.len() as u32;
        let touched: Vec<Touched> = match (o.wakes, o.step) {
            (Some(p), _) => vec![(Object::Waiting(o.cause, p), 1)],
            (None, Some(_)) => vec![],
            (None, None) => vec![(Object::Event(o.event), DUE)],
        };
        let mut soft = self.conflicts(&touched, j, false, false);
        let halted = self.places[o.by as usize]
            .node
            .is_some_and(|n| matches!(self.run.nodes[n as usize].kind, Kind::Halt { .. }));
        let why = match (o.step, o.wakes) {
            _ if halted => Why::End,
            (Some((p, _)), _) => Why::Process(p),
            (None, Some(_)) => Why::Waiting,
            (None, None) => Why::Event(o.event),
        };
        soft.push((o.by, why));
        let time = self.places[o.cause as usize].time + o.after.0;
        let event = (o.event != Id::MAX).then_some(o.event);
        let due = Place::of_due(o.label, Some(o.cause), o.after, (time, o.phase));
        let timed = (o.phase == -1).then_some(o.op);
        let timeout_of = o.wakes.map(|p| (p, self.begun(p)));
        self.place(Place { delay: o.delay, step: o.step, timed, timeout_of, event, ..due }, &[o.cause], soft);
    }

    /// The step of a process that could run, and did not because of place `by`.
    pub(super) fn held_back(&self, p: Id, by: u32) -> Option<Overtaken> {
        let cause = self.woken_by[p as usize]?;
        let from = &self.places[cause as usize];
        let phase = if from.step.is_some() { from.phase } else { from.phase + 1 };
        let n = self.begun(p) + 1;
        // Not the step's own: nobody knows what it would have touched, so it is another thing than the step.
        let label = step_label(&self.run.processes[p as usize].key, n);
        let label = hash([6, label as u64, (label >> 64) as u64].into_iter());
        let (after, step) = ((0, 0), Some((p, n)));
        Some(Overtaken { event: Id::MAX, cause, label, after, delay: None, wakes: None, phase, step, op: None, by })
    }

    /// What was still to come when the simulation stopped, or when the step at place `broken` broke it off: with other
    /// delays it may come before.
    pub(super) fn cut_off(&mut self, broken: Option<u32>) {
        // The last place of a node is the one that halted.
        let halted = self.run.nodes.last().is_some_and(|n| matches!(n.kind, Kind::Halt { .. }));
        let last = || self.places.iter().rposition(|p| p.node.is_some()).map(|i| i as u32);
        let Some(by) = (if halted { last() } else { broken }).filter(|_| self.loose) else { return };
        let mut cut: Vec<Overtaken> = Vec::new();
        for p in 0..self.last_step.len() {
            let id = p as Id;
            if self.woken_by[p].is_some() {
                cut.extend(self.held_back(id, by));
            } else if let Some(last) = self.since[p]
                && let Some(fixed) = self.waits[p].and_then(|w| w.timeout)
            {
                cut.push(self.own_timeout(id, last, fixed, by));
            }
        }
        let mut pending: Vec<(Id, Pending)> = self.pending.iter().map(|(&e, &p)| (e, p)).collect();
        pending.sort_by_key(|p| (p.1.by, p.1.op));
        for (e, p) in pending {
            cut.extend(self.overtaken(e, p, by));
        }
        for o in cut {
            self.overtake(o);
        }
    }
}
