//! Where a run stands after a step that follows all that came before it: what is still to come, and because of whom.
//!
//! Nothing is open at such a place but what is pending. What a run can still do then follows from the state of the
//! model and from when what is pending became so; runs that agree in both go on alike.

use super::{Order, Orderer, Set};
use crate::explore::trace::{Id, Kind};

/// Something still to come.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Open {
    /// What it is, the same in all runs.
    pub what: String,
    /// Time from its cause: least and most.
    pub after: (u64, u64),
    /// The place that made it so.
    pub cause: u32,
}

/// A place that follows all that came before it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Front {
    /// The place, of a step.
    pub place: u32,
    /// What is still to come, in an order that is the same in all runs.
    pub open: Vec<Open>,
}

impl Orderer<'_> {
    /// Notes a step that was placed, if it follows all that happened before it.
    pub(super) fn front(&mut self, j: u32) {
        let Some(n) = self.places[j as usize].node else { return };
        let node = &self.run.nodes[n as usize];
        let Kind::Step { process, .. } = node.kind else { return };
        let past = &self.past[j as usize];
        let all = (0..j).all(|i| self.places[i as usize].node.is_none() || past.has(i));
        // Whoever can run and was woken by nobody can since the beginning; that is a date.
        let new = |p: &Id| *p != process && self.woken_by[*p as usize].is_none();
        if !all || node.everything || self.void.values().any(|v| !v.is_empty()) || node.runnable.iter().any(new) {
            return;
        }
        let mut open = Vec::new();
        for (p, name) in self.run.processes.iter().enumerate() {
            if let Some(cause) = self.woken_by[p] {
                open.push(Open { what: format!("run {}", name.key), after: (0, 0), cause });
            } else if let (Some(cause), Some(fixed)) = (self.since[p], self.waits[p].and_then(|w| w.timeout)) {
                let after = self.timeout(p as Id, cause, fixed).0;
                open.push(Open { what: format!("time-out {}", name.key), after, cause });
            }
        }
        for (&event, p) in &self.pending {
            let what = format!("event {} {}", self.run.events[event as usize].name, p.delta);
            open.push(Open { what, after: (p.after, p.after), cause: p.by });
        }
        for (&channel, &cause) in &self.requested {
            open.push(Open { what: format!("update {}", self.run.channels[channel as usize]), after: (0, 0), cause });
        }
        open.sort();
        if open.windows(2).all(|w| w[0].what != w[1].what) {
            self.fronts.push(Front { place: j, open });
        }
    }
}

/// What is settled when a place has come about: all it follows, itself, and what did not happen because of these.
pub fn settled(order: &Order, place: u32) -> Set {
    let n = order.places.len();
    let mut set = Set::new(n);
    order.past[place as usize].iter().for_each(|i| set.add(i));
    set.add(place);
    for (i, p) in order.places.iter().enumerate() {
        if p.node.is_none() && p.before.iter().chain(&p.cause).all(|&b| set.has(b)) {
            set.add(i as u32);
        }
    }
    set
}
