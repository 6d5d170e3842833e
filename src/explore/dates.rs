//! Dates of nodes: which orders some choice of delays allows.
//!
//! One variable a node, in units of the time resolution. A node comes after its cause by its delay,
//! between two bounds; it comes not before a node it must follow. In one instant phases go up: who is in
//! a later phase of an instant can only come first in an earlier instant. All of it is of the form
//! `x ≥ y + c`, so the least dates are longest paths, exact in integers, and there are none exactly when
//! some cycle gains.

use super::order::Order;
use super::set::Set;

/// `x ≥ y + by`, or `x ≥ by` with no `y`.
#[derive(Clone, Copy, Debug)]
struct Edge {
    x: u32,
    y: Option<u32>,
    by: i64,
    /// The bound is a fact of the model; otherwise it is an order that could be another.
    hard: bool,
}

/// A system of dates over some nodes of a run.
pub struct Dates {
    edges: Vec<Edge>,
    upper: Vec<(u32, i64)>,
    date: Vec<i64>,
    by: Vec<u32>,
}

/// No dates: the nodes of orders that cannot all be had together.
pub struct Impossible(pub Vec<u32>);

/// By how much a node in `first` phase must precede one in `second` phase of perhaps the same instant.
pub fn gap(first: i64, second: i64) -> i64 {
    if first > second { 1 } else { 0 }
}

/// Can `first` be as early as `second` for some delays, by what caused them alone? A quick no.
pub fn may_precede(order: &Order, first: u32, second: u32) -> bool {
    let gap = gap(order.places[first as usize].phase, order.places[second as usize].phase);
    // Least time of the first and most of the second since what they have in common.
    let (mut a, mut b) = (first, second);
    let (mut least, mut most) = (0u64, 0u64);
    while a != b {
        let later = a.max(b);
        let p = &order.places[later as usize];
        match p.cause {
            Some(c) if a == later => (least, a) = (least + p.after.0, c),
            Some(c) => (most, b) = (most + p.after.1, c),
            None => {
                // No common cause: dates from the beginning, of whoever still has causes.
                let whole = |mut i: u32, mut sum: u64, most: bool| {
                    while let Some(c) = order.places[i as usize].cause {
                        let after = order.places[i as usize].after;
                        sum += if most { after.1 } else { after.0 };
                        i = c;
                    }
                    sum + order.places[i as usize].time
                };
                return whole(a, least, false) + gap as u64 <= whole(b, most, true);
            }
        }
    }
    least + gap as u64 <= most
}

/// The earliest and the latest date of the last of some nodes, over all timings of a run's class.
pub fn span(order: &Order, of: impl Fn(u32) -> bool) -> Option<(u64, u64)> {
    let n = order.places.len();
    let mut all = Set::new(n);
    (0..n as u32).for_each(|i| all.add(i));
    let mut dates = Dates::new(order, &all);
    dates.solve().ok()?;
    let latest = dates.latest(n);
    let nodes: Vec<u32> = (0..n as u32).filter(|&i| order.places[i as usize].node.is_some() && of(i)).collect();
    let first = nodes.iter().map(|&i| dates.date(i)).max()?;
    let last = nodes.iter().map(|&i| latest[i as usize].unwrap_or(i64::MAX)).max()?;
    Some((first as u64, last as u64))
}

impl Dates {
    /// The system for the nodes of `set` (closed under predecessors) and whatever is added.
    pub fn new(order: &Order, set: &Set) -> Dates {
        let n = order.places.len();
        let mut d = Dates { edges: Vec::new(), upper: Vec::new(), date: vec![0; n], by: vec![u32::MAX; n] };
        for i in set.iter() {
            d.node(order, i);
            d.orders(order, i, |_| true);
        }
        d
    }

    /// Adds a node: its date follows from its cause's.
    pub fn node(&mut self, order: &Order, i: u32) {
        let p = &order.places[i as usize];
        let (least, most) = (p.after.0 as i64, p.after.1 as i64);
        match p.cause {
            Some(c) => {
                self.edges.push(Edge { x: i, y: Some(c), by: least, hard: true });
                self.edges.push(Edge { x: c, y: Some(i), by: -most, hard: true });
            }
            None => {
                self.edges.push(Edge { x: i, y: None, by: p.time as i64, hard: true });
                self.upper.push((i, p.time as i64));
            }
        }
    }

    /// Adds that a node follows those predecessors that `which` says.
    pub fn orders(&mut self, order: &Order, i: u32, which: impl Fn(u32) -> bool) {
        let p = &order.places[i as usize];
        for &b in p.before.iter().filter(|&&b| which(b)) {
            if Some(b) == p.cause {
                continue;
            }
            let by = gap(order.places[b as usize].phase, p.phase);
            self.edges.push(Edge { x: i, y: Some(b), by, hard: false });
        }
    }

    /// Adds that `first` comes before `second`, as it did in the run.
    pub fn keep(&mut self, order: &Order, first: u32, second: u32) {
        let by = gap(order.places[first as usize].phase, order.places[second as usize].phase);
        self.edges.push(Edge { x: second, y: Some(first), by, hard: false });
    }

    /// Adds that `first` comes before `second`, which it did not. What the kernel itself does in one instant has an order of
    /// its own: there only another instant is sure.
    pub fn before(&mut self, order: &Order, first: u32, second: u32) {
        let (a, b) = (&order.places[first as usize], &order.places[second as usize]);
        let mut by = gap(a.phase, b.phase);
        // Of two timed things of one date we choose the first, unless they are one event: then both are one.
        let chosen = a.timed.is_some() && b.timed.is_some() && (a.event.is_none() || a.event != b.event);
        if a.step.is_none() && b.step.is_none() && a.phase == b.phase && !chosen {
            by = 1;
        }
        self.edges.push(Edge { x: second, y: Some(first), by, hard: false });
    }

    /// Adds that `x` comes so much after `y` at least; less than nothing is how much it may come before.
    pub fn at_least(&mut self, x: u32, y: u32, by: i64) {
        self.edges.push(Edge { x, y: Some(y), by, hard: false });
    }

    /// Orders between nodes: the one is at least so much after the other.
    pub fn orders_between(&self) -> impl Iterator<Item = (u32, u32, i64)> + '_ {
        self.edges.iter().filter(|e| !e.hard).filter_map(|e| e.y.map(|y| (e.x, y, e.by)))
    }

    /// Nodes whose dates the system is about.
    pub fn nodes(&self) -> impl Iterator<Item = u32> + '_ {
        self.edges.iter().map(|e| e.x)
    }

    /// Finds least dates.
    pub fn solve(&mut self) -> Result<(), Impossible> {
        let rounds = self.date.len() + 2;
        for round in 0..=rounds {
            let mut changed = None;
            for (k, e) in self.edges.iter().enumerate() {
                let least = e.y.map_or(0, |y| self.date[y as usize]) + e.by;
                if self.date[e.x as usize] < least {
                    self.date[e.x as usize] = least;
                    self.by[e.x as usize] = k as u32;
                    changed = Some(e.x);
                }
            }
            if let Some(&(x, _)) = self.upper.iter().find(|&&(x, most)| self.date[x as usize] > most) {
                return Err(self.blame(x));
            }
            match changed {
                None => return Ok(()),
                Some(x) if round == rounds || self.gains(x) => return Err(self.blame(x)),
                Some(_) => {}
            }
        }
        Ok(())
    }

    /// Does what pushed `x` come back to it? Then it goes on for ever.
    fn gains(&self, x: u32) -> bool {
        let mut at = x;
        for _ in 0..=self.date.len() {
            match self.edges.get(self.by[at as usize] as usize).and_then(|e| e.y) {
                Some(y) if y == x => return true,
                Some(y) => at = y,
                None => return false,
            }
        }
        // It came back somewhere before.
        true
    }

    /// The nodes of soft orders on the path that pushed `x`.
    fn blame(&self, x: u32) -> Impossible {
        let mut nodes = Vec::new();
        let mut at = x;
        for _ in 0..=self.date.len() {
            let Some(e) = self.edges.get(self.by[at as usize] as usize) else { break };
            if !e.hard {
                nodes.push(e.x);
                nodes.extend(e.y);
            }
            match e.y {
                Some(y) => at = y,
                None => break,
            }
        }
        nodes.sort_unstable();
        nodes.dedup();
        Impossible(nodes)
    }

    /// Largest dates, given that there are any; none for a node that nothing bounds.
    pub fn latest(&self, n: usize) -> Vec<Option<i64>> {
        let mut most: Vec<Option<i64>> = vec![None; n];
        for &(x, t) in &self.upper {
            most[x as usize] = Some(most[x as usize].map_or(t, |m: i64| m.min(t)));
        }
        for _ in 0..=n {
            let mut changed = false;
            for e in &self.edges {
                let (Some(y), Some(x)) = (e.y, most[e.x as usize]) else { continue };
                let bound = x - e.by;
                if most[y as usize].is_none_or(|m| m > bound) {
                    most[y as usize] = Some(bound);
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        most
    }

    /// How much later than one node every node is at least; none where nothing is known.
    pub fn since(&self, from: u32) -> Vec<Option<i64>> {
        let n = self.date.len();
        // The beginning is one more node.
        let mut least: Vec<Option<i64>> = vec![None; n + 1];
        least[from as usize] = Some(0);
        let node = |y: Option<u32>| y.map_or(n, |y| y as usize);
        let uppers = self.upper.iter().map(|&(x, most)| (n, x as usize, -most));
        let edges: Vec<(usize, usize, i64)> =
            self.edges.iter().map(|e| (e.x as usize, node(e.y), e.by)).chain(uppers).collect();
        // Dates that fit are known to exist: no cycle gains.
        for _ in 0..=n + 1 {
            let mut changed = false;
            for &(x, y, by) in &edges {
                if let Some(d) = least[y].map(|d| d + by)
                    && least[x].is_none_or(|l| l < d)
                {
                    least[x] = Some(d);
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        least.truncate(n);
        least
    }

    /// The date found for a node.
    pub fn date(&self, i: u32) -> i64 {
        self.date[i as usize]
    }
}
