//! What follows from a conflict: a clause to learn, or the assumptions that cannot hold together.

use super::{ASKED, Because, Cdcl, Conflict, HEAD, LENGTH, Lit, Reason};

impl Cdcl {
    /// Learns from a conflict: the clause is in `learnt`, its first literal true after going back to the
    /// level returned. Also returns the number of levels in it.
    pub(super) fn analyse(&mut self, conflict: Conflict) -> (usize, u32) {
        self.learnt.clear();
        self.learnt.push(ASKED);
        let mut open = 0;
        let mut at = self.trail.len();
        let mut from = match conflict {
            Conflict::Binary(a, b) => {
                self.visit(a, &mut open);
                Because::Other(b)
            }
            Conflict::Clause(c) => Because::Clause(c),
        };
        loop {
            match from {
                Because::Other(q) => self.visit(q, &mut open),
                Because::Clause(c) => {
                    self.bump_clause(c);
                    for k in c + HEAD..c + HEAD + (self.arena[c] >> LENGTH) as usize {
                        self.visit(Lit(self.arena[k]), &mut open);
                    }
                }
                // Only the last literal of the level has no reason.
                Because::Nothing => {}
            }
            let p = loop {
                at -= 1;
                if self.seen[self.trail[at].v()] {
                    break self.trail[at];
                }
            };
            open -= 1;
            if open == 0 {
                self.learnt[0] = !p;
                break;
            }
            // Stays marked until the end: its own clause mentions it, and must not count it again.
            from = self.reason[p.v()].get();
        }
        self.to_clear.extend_from_slice(&self.learnt[1..]);
        let mut learnt = std::mem::take(&mut self.learnt);
        let mut kept = 1;
        for i in 1..learnt.len() {
            if !self.is_implied(learnt[i]) {
                learnt[kept] = learnt[i];
                kept += 1;
            }
        }
        learnt.truncate(kept);
        // The second literal is to be watched: of the highest level, so that it is undone first.
        let mut back = 0;
        if learnt.len() > 1 {
            let high = (1..learnt.len()).max_by_key(|i| self.level[learnt[*i].v()]).unwrap_or(1);
            learnt.swap(1, high);
            back = self.level[learnt[1].v()] as usize;
        }
        self.count = self.count.wrapping_add(1);
        let mut glue = 0;
        for l in &learnt {
            let level = self.level[l.v()] as usize;
            glue += (std::mem::replace(&mut self.counted[level], self.count) != self.count) as u32;
        }
        for l in self.to_clear.drain(..) {
            self.seen[l.v()] = false;
        }
        self.learnt = learnt;
        (back, glue)
    }

    fn visit(&mut self, q: Lit, open: &mut u32) {
        let v = q.v();
        let level = self.level[v] as usize;
        if self.seen[v] || level == 0 {
            return;
        }
        self.seen[v] = true;
        self.order.bump(q.var());
        if level == self.levels.len() {
            *open += 1;
            self.to_clear.push(q);
        } else {
            self.learnt.push(q);
        }
    }

    /// Whether a literal of the learnt clause follows from the others, so that it can be left out.
    fn is_implied(&mut self, l: Lit) -> bool {
        if self.reason[l.v()] == Reason::NONE {
            return false;
        }
        let top = self.to_clear.len();
        self.stack.clear();
        self.stack.push(l);
        while let Some(p) = self.stack.pop() {
            let (single, range) = match self.reason[p.v()].get() {
                Because::Other(q) => (q.0, 0..0),
                Because::Clause(c) => (p.0, c + HEAD..c + HEAD + (self.arena[c] >> LENGTH) as usize),
                Because::Nothing => (p.0, 0..0),
            };
            for k in std::iter::once(single).chain(range.map(|k| self.arena[k])) {
                let q = Lit(k);
                let v = q.v();
                if q.var() == p.var() || self.seen[v] || self.level[v] == 0 {
                    continue;
                }
                if self.reason[v] == Reason::NONE {
                    for l in self.to_clear.drain(top..) {
                        self.seen[l.v()] = false;
                    }
                    return false;
                }
                self.seen[v] = true;
                self.to_clear.push(q);
                self.stack.push(q);
            }
        }
        true
    }

    /// Finds the assumptions that make assumption `a` false.
    pub(super) fn refute(&mut self, a: Lit) {
        if a != ASKED {
            self.core.push(a);
        }
        if self.level[a.v()] == 0 {
            return;
        }
        self.seen[a.v()] = true;
        for i in (self.levels[0]..self.trail.len()).rev() {
            let p = self.trail[i];
            if !std::mem::replace(&mut self.seen[p.v()], false) {
                continue;
            }
            match self.reason[p.v()].get() {
                Because::Nothing if p != ASKED => self.core.push(p),
                Because::Nothing => {}
                Because::Other(q) => self.seen[q.v()] = self.level[q.v()] > 0,
                Because::Clause(c) => {
                    for k in c + HEAD..c + HEAD + (self.arena[c] >> LENGTH) as usize {
                        let q = Lit(self.arena[k]);
                        if q.var() != p.var() && self.level[q.v()] > 0 {
                            self.seen[q.v()] = true;
                        }
                    }
                }
            }
        }
    }
}
