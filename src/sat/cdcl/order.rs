//! Which variables a question is about, and in which order they are decided.

use super::Var;

/// A set of variables that is emptied at once.
///
/// As the domain of a question it must be closed: every assignment of it that satisfies all clauses within
/// it can be extended to a model of all clauses. The question's own literals belong to it.
#[derive(Clone, Default)]
pub struct Domain {
    /// The round in which a variable was added last: a new round empties the set.
    round: Vec<u32>,
    now: u32,
    vars: Vec<Var>,
}

impl Domain {
    /// A set of these variables.
    pub fn new(vars: impl Iterator<Item = Var>) -> Domain {
        let mut d = Domain { round: Vec::new(), now: 1, vars: Vec::new() };
        vars.for_each(|v| {
            d.insert(v);
        });
        d
    }

    /// Empties the set.
    pub fn clear(&mut self) {
        self.vars.clear();
        self.now = self.now.wrapping_add(1);
        if self.now == 0 {
            self.round.fill(0);
            self.now = 1;
        }
    }

    /// Adds a variable; whether it is new.
    pub fn insert(&mut self, v: Var) -> bool {
        let at = v as usize;
        if at >= self.round.len() {
            self.round.resize(at + 1, 0);
            // Made by `default`, it would contain everything.
            self.now = self.now.max(1);
        }
        let new = self.round[at] != self.now;
        if new {
            self.round[at] = self.now;
            self.vars.push(v);
        }
        new
    }

    /// Whether a variable is in the set.
    pub fn contains(&self, v: Var) -> bool {
        self.round.get(v as usize) == Some(&self.now)
    }

    /// Its variables, in the order in which they came.
    pub fn vars(&self) -> &[Var] {
        &self.vars
    }
}

/// Variables in the order in which to decide them: a heap by activity.
#[derive(Clone)]
pub(super) struct Order {
    activity: Vec<f64>,
    /// What a variable gains: it grows, so that what counted long ago counts less.
    pub step: f64,
    heap: Vec<Var>,
    /// Place in the heap, or [`NOWHERE`].
    place: Vec<u32>,
}

const NOWHERE: u32 = u32::MAX;

impl Default for Order {
    fn default() -> Order {
        Order { activity: Vec::new(), step: 1.0, heap: Vec::new(), place: Vec::new() }
    }
}

impl Order {
    pub fn grow(&mut self) {
        self.activity.push(0.0);
        self.place.push(NOWHERE);
    }

    pub fn clear(&mut self) {
        for v in self.heap.drain(..) {
            self.place[v as usize] = NOWHERE;
        }
    }

    /// Fills the empty order.
    pub fn fill<'v>(&mut self, vars: impl Iterator<Item = &'v Var>) {
        self.clear();
        for v in vars {
            self.place[*v as usize] = self.heap.len() as u32;
            self.heap.push(*v);
        }
        (0..self.heap.len() / 2).rev().for_each(|i| self.down(i));
    }

    pub fn insert(&mut self, v: Var) {
        if self.place[v as usize] == NOWHERE {
            self.heap.push(v);
            self.place[v as usize] = self.heap.len() as u32 - 1;
            self.up(self.heap.len() - 1);
        }
    }

    pub fn pop(&mut self) -> Option<Var> {
        let top = *self.heap.first()?;
        let last = self.heap.pop()?;
        self.place[top as usize] = NOWHERE;
        if !self.heap.is_empty() {
            self.heap[0] = last;
            self.place[last as usize] = 0;
            self.down(0);
        }
        Some(top)
    }

    pub fn bump(&mut self, v: Var) {
        self.activity[v as usize] += self.step;
        if self.activity[v as usize] > 1e100 {
            self.activity.iter_mut().for_each(|a| *a *= 1e-100);
            self.step *= 1e-100;
        }
        if self.place[v as usize] != NOWHERE {
            self.up(self.place[v as usize] as usize);
        }
    }

    fn up(&mut self, mut i: usize) {
        let v = self.heap[i];
        let a = self.activity[v as usize];
        while i > 0 {
            let parent = (i - 1) / 2;
            let p = self.heap[parent];
            if self.activity[p as usize] >= a {
                break;
            }
            self.heap[i] = p;
            self.place[p as usize] = i as u32;
            i = parent;
        }
        self.heap[i] = v;
        self.place[v as usize] = i as u32;
    }

    fn down(&mut self, mut i: usize) {
        let v = self.heap[i];
        let a = self.activity[v as usize];
        loop {
            let mut child = 2 * i + 1;
            if child >= self.heap.len() {
                break;
            }
            let at = |k: usize| self.activity[self.heap[k] as usize];
            if child + 1 < self.heap.len() && at(child + 1) > at(child) {
                child += 1;
            }
            if at(child) <= a {
                break;
            }
            let c = self.heap[child];
            self.heap[i] = c;
            self.place[c as usize] = i as u32;
            i = child;
        }
        self.heap[i] = v;
        self.place[v as usize] = i as u32;
    }
}
