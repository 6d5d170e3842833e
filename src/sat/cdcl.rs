//! A solver for very many very small questions, as IC3 asks them: conflict-driven clause learning whose cost
//! per call is what the call touches.
//!
//! Other solvers assign every variable before they say yes, and hold a clause that is meant for one question
//! by a variable that stays behind. Here a [`Domain`] names the variables that matter to a question: only
//! they are decided, and nothing outside is propagated. A temporary clause hangs on one reserved variable
//! that is assumed while the question lasts; what was learnt with its help contains that variable's
//! negation, so it is known by sight and goes when the call is over. (Both ideas are those of GipSAT: Su,
//! Yang, Ci 2024.) Nothing is cleared or built per variable of the formula: the order of decisions is made
//! of the domain, and not before the first decision, since most refutations need none.
//!
//! The rest is as usual: two watched literals with blockers, binary clauses as implications, first unique
//! implication points with minimisation, activities, saved phases, restarts by Luby's sequence.

mod analyse;
mod order;

use super::{Answer, SatLit};
pub use order::Domain;
use order::Order;

/// A variable.
pub type Var = u32;

/// A variable or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lit(u32);

impl Lit {
    /// A variable, negated or not.
    pub fn new(var: Var, negative: bool) -> Lit {
        Lit(var << 1 | negative as u32)
    }
    /// Its variable.
    pub fn var(self) -> Var {
        self.0 >> 1
    }
    /// Whether it is the negation.
    pub fn is_negative(self) -> bool {
        self.0 & 1 == 1
    }
    /// Negated if `c`.
    pub fn xor(self, c: bool) -> Lit {
        Lit(self.0 ^ c as u32)
    }
    fn at(self) -> usize {
        self.0 as usize
    }
    fn v(self) -> usize {
        (self.0 >> 1) as usize
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

impl std::fmt::Debug for Lit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", if self.is_negative() { "!" } else { "" }, self.var())
    }
}

impl From<SatLit> for Lit {
    fn from(l: SatLit) -> Lit {
        Lit::new(l.vidx32(), l.is_neg())
    }
}

impl From<Lit> for SatLit {
    fn from(l: Lit) -> SatLit {
        SatLit::new(l.var(), l.is_negative())
    }
}

/// The reserved variable: true while a temporary clause holds, unassigned otherwise.
const ASKED: Lit = Lit(0);

/// Why a variable has its value, in 32 bits: a place in the arena, the other literal of a binary clause, or
/// nothing.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Reason(u32);

enum Because {
    Nothing,
    Other(Lit),
    Clause(usize),
}

impl Reason {
    const NONE: Reason = Reason(u32::MAX);
    fn binary(other: Lit) -> Reason {
        Reason(other.0 << 1 | 1)
    }
    fn clause(c: usize) -> Reason {
        Reason((c as u32) << 1)
    }
    fn get(self) -> Because {
        match self {
            Reason::NONE => Because::Nothing,
            Reason(r) if r & 1 == 1 => Because::Other(Lit(r >> 1)),
            Reason(r) => Because::Clause((r >> 1) as usize),
        }
    }
}

/// A clause that is false: two literals, or a place in the arena.
enum Conflict {
    Binary(Lit, Lit),
    Clause(usize),
}

#[derive(Clone, Copy)]
struct Watch {
    clause: u32,
    /// Some other literal of the clause: if it is true, or not in the domain, the clause need not be read.
    blocker: Lit,
}

/// Words before the literals of a clause: length and flags, activity.
const HEAD: usize = 2;
const LEARNT: u32 = 1;
const TEMPORARY: u32 = 2;
const DEAD: u32 = 4;
/// Where the number of levels among the literals stands, when it was learnt.
const GLUE: u32 = 3;
const GLUE_MOST: u32 = 31;
const LENGTH: u32 = 8;

/// Conflicts between two looks at whether to stop, and in the shortest run without a restart.
const PATIENCE: u32 = 1_000;
const RESTART: u32 = 100;

/// The solver.
#[derive(Clone)]
pub struct Cdcl {
    /// Not refuted without assumptions.
    ok: bool,
    /// Per literal: 1 true, -1 false, 0 unassigned.
    value: Vec<i8>,
    level: Vec<u32>,
    reason: Vec<Reason>,
    /// The value a variable had last: true is negative, as in a literal.
    phase: Vec<bool>,
    trail: Vec<Lit>,
    /// Where each level begins in the trail.
    levels: Vec<usize>,
    /// What of the trail was propagated.
    head: usize,
    /// What of the trail was there when clauses were last cleared of it.
    cleared: usize,
    arena: Vec<u32>,
    /// Words of the arena that no clause uses.
    wasted: usize,
    learnts: usize,
    most_learnts: usize,
    /// Per literal: clauses to look at when it becomes true, as they watch its negation.
    watches: Vec<Vec<Watch>>,
    /// Per literal: what it implies by a binary clause.
    implied: Vec<Vec<Lit>>,
    /// Clauses that end with the call, and the other literal of binary ones.
    temporary: Vec<usize>,
    temporary_implied: Vec<Lit>,
    order: Order,
    /// Whether the order holds every unassigned variable, not those of a domain.
    order_is_whole: bool,
    clause_step: f32,
    assumptions: Vec<Lit>,
    core: Vec<Lit>,
    /// Marks of the analysis; all false outside of it.
    seen: Vec<bool>,
    learnt: Vec<Lit>,
    to_clear: Vec<Lit>,
    stack: Vec<Lit>,
    /// Per level the last clause that counted it.
    counted: Vec<u32>,
    count: u32,
}

impl Default for Cdcl {
    fn default() -> Cdcl {
        Cdcl::new()
    }
}

impl Cdcl {
    /// A solver without clauses.
    pub fn new() -> Cdcl {
        let mut s = Cdcl {
            ok: true,
            value: Vec::new(),
            level: Vec::new(),
            reason: Vec::new(),
            phase: Vec::new(),
            trail: Vec::new(),
            levels: Vec::new(),
            head: 0,
            cleared: 0,
            arena: Vec::new(),
            wasted: 0,
            learnts: 0,
            most_learnts: 300,
            watches: Vec::new(),
            implied: Vec::new(),
            temporary: Vec::new(),
            temporary_implied: Vec::new(),
            order: Order::default(),
            order_is_whole: true,
            clause_step: 1.0,
            assumptions: Vec::new(),
            core: Vec::new(),
            seen: Vec::new(),
            learnt: Vec::new(),
            to_clear: Vec::new(),
            stack: Vec::new(),
            counted: vec![0],
            count: 0,
        };
        s.grow();
        s
    }

    fn grow(&mut self) -> Lit {
        let l = Lit(self.value.len() as u32);
        // Twice a literal and a mark must fit into a reason.
        assert!(l.0 < 1 << 30, "the formula has too many variables");
        self.value.extend([0, 0]);
        self.watches.extend([Vec::new(), Vec::new()]);
        self.implied.extend([Vec::new(), Vec::new()]);
        self.level.push(0);
        self.reason.push(Reason::NONE);
        self.phase.push(true);
        self.seen.push(false);
        self.counted.push(0);
        self.order.grow();
        l
    }

    /// A new variable, as its positive literal.
    pub fn fresh(&mut self) -> Lit {
        let l = self.grow();
        if self.order_is_whole {
            self.order.insert(l.var());
        }
        l
    }

    /// Number of variables, with the reserved one: all are smaller.
    pub fn vars(&self) -> u32 {
        self.level.len() as u32
    }

    /// The value of a literal after [`Answer::Sat`], until the next clause or call.
    pub fn value(&self, l: Lit) -> Option<bool> {
        match self.value.get(l.at()) {
            Some(1) => Some(true),
            Some(-1) => Some(false),
            _ => None,
        }
    }

    /// The assumptions that the last answer, no, rests on.
    pub fn core(&self) -> &[Lit] {
        &self.core
    }

    /// Adds a clause for good. `false` if the clauses are now unsatisfiable.
    pub fn clause(&mut self, lits: &[Lit]) -> bool {
        self.finish();
        if !self.ok {
            return false;
        }
        let Some(c) = self.simplified(lits) else { return true };
        match c[..] {
            [] => self.ok = false,
            [l] => {
                self.assign(l, Reason::NONE);
                self.ok = self.propagate(None).is_none();
            }
            _ => {
                self.attach(&c, 0, 0);
            }
        }
        self.learnt = c;
        self.ok
    }

    /// What is left of a clause at level 0, in a borrowed vector; nothing if it is true.
    fn simplified(&mut self, lits: &[Lit]) -> Option<Vec<Lit>> {
        let mut c = std::mem::take(&mut self.learnt);
        c.clear();
        c.extend(lits.iter().filter(|l| self.value[l.at()] >= 0));
        c.sort_unstable();
        c.dedup();
        if c.iter().any(|l| self.value[l.at()] > 0) || c.windows(2).any(|w| w[0] == !w[1]) {
            self.learnt = c;
            return None;
        }
        Some(c)
    }

    /// Looks for a model in which all assumptions and one of `temporary`, unless that is empty, are true.
    /// With a domain, what is outside of it stays unassigned.
    pub fn solve(
        &mut self,
        assumptions: &[Lit],
        temporary: &[Lit],
        domain: Option<&Domain>,
        stop: &dyn Fn() -> bool,
    ) -> Answer {
        self.finish();
        self.core.clear();
        // A call that was stopped may have left something to propagate.
        self.ok = self.ok && self.propagate(None).is_none();
        if !self.ok {
            return Answer::Unsat;
        }
        self.tidy();
        if domain.is_some() {
            self.order.clear();
            self.order_is_whole = false;
        } else if !self.order_is_whole {
            self.order.clear();
            self.order_is_whole = true;
            (1..self.vars()).for_each(|v| self.order.insert(v));
        }
        self.assumptions.clear();
        if !temporary.is_empty() && !self.hold(temporary) {
            return Answer::Unsat;
        }
        self.assumptions.extend_from_slice(assumptions);
        let most_levels = self.level.len() + self.assumptions.len() + 1;
        if self.counted.len() < most_levels {
            self.counted.resize(most_levels, 0);
        }
        debug_assert!(domain.is_none_or(|d| assumptions.iter().chain(temporary).all(|l| d.contains(l.var()))));
        self.search(domain, stop)
    }

    /// Adds a clause for this call, and the assumption it hangs on; `false` if it is false for good.
    fn hold(&mut self, lits: &[Lit]) -> bool {
        let Some(mut c) = self.simplified(lits) else { return true };
        let is_possible = !c.is_empty();
        if is_possible {
            // While the variable is assumed its literal is false: it should not be watched, so it comes last.
            c.push(!ASKED);
            self.attach(&c, TEMPORARY, 0);
            self.assumptions.push(ASKED);
        }
        self.learnt = c;
        is_possible
    }

    /// Ends the last call: only now, as its model could be asked for until now.
    fn finish(&mut self) {
        self.backtrack(0, false);
        if self.value[ASKED.at()] != 0
            && let Some(at) = self.trail.iter().rposition(|l| *l == !ASKED)
        {
            // The temporary clause was refuted by what holds for good. Nothing follows from that.
            self.trail.remove(at);
            self.head -= (at < self.head) as usize;
            self.value[ASKED.at()] = 0;
            self.value[(!ASKED).at()] = 0;
        }
        while let Some(c) = self.temporary.pop() {
            for k in 0..2 {
                let list = &mut self.watches[self.arena[c + HEAD + k] as usize ^ 1];
                // It came late, so it is near the end unless it moved.
                if let Some(at) = list.iter().rposition(|w| w.clause as usize == c) {
                    list.swap_remove(at);
                }
            }
            let words = HEAD + (self.arena[c] >> LENGTH) as usize;
            self.learnts -= (self.arena[c] & LEARNT) as usize;
            if c + words == self.arena.len() {
                self.arena.truncate(c);
            } else {
                self.arena[c] |= DEAD;
                self.wasted += words;
            }
        }
        while let Some(l) = self.temporary_implied.pop() {
            for (from, to) in [(ASKED, l), (!l, !ASKED)] {
                let list = &mut self.implied[from.at()];
                if let Some(at) = list.iter().rposition(|x| *x == to) {
                    list.swap_remove(at);
                }
            }
        }
    }

    /// Stores a clause of two or more unassigned, or soon assigned, literals; the first two are watched.
    fn attach(&mut self, lits: &[Lit], flags: u32, glue: u32) -> Reason {
        let (a, b) = (lits[0], lits[1]);
        if lits.len() == 2 {
            self.implied[(!a).at()].push(b);
            self.implied[(!b).at()].push(a);
            if flags & TEMPORARY != 0 {
                self.temporary_implied.push(if a == !ASKED { b } else { a });
            }
            return Reason::binary(b);
        }
        let c = self.arena.len();
        assert!(c < 1 << 30 && lits.len() < 1 << 24, "the formula is too large");
        self.arena.push((lits.len() as u32) << LENGTH | glue.min(GLUE_MOST) << GLUE | flags);
        self.arena.push(if flags & LEARNT != 0 { self.clause_step.to_bits() } else { 0 });
        self.arena.extend(lits.iter().map(|l| l.0));
        self.watches[(!a).at()].push(Watch { clause: c as u32, blocker: b });
        self.watches[(!b).at()].push(Watch { clause: c as u32, blocker: a });
        if flags & TEMPORARY != 0 {
            self.temporary.push(c);
        }
        self.learnts += (flags & LEARNT) as usize;
        Reason::clause(c)
    }

    fn assign(&mut self, l: Lit, reason: Reason) {
        let v = l.v();
        self.value[l.at()] = 1;
        self.value[l.at() ^ 1] = -1;
        self.level[v] = self.levels.len() as u32;
        self.reason[v] = reason;
        self.trail.push(l);
    }

    /// Undoes all levels above `level`; `reorder` if decisions go on after this.
    fn backtrack(&mut self, level: usize, reorder: bool) {
        if self.levels.len() <= level {
            return;
        }
        let start = self.levels[level];
        let reorder = reorder || self.order_is_whole;
        for &l in &self.trail[start..] {
            self.value[l.at()] = 0;
            self.value[l.at() ^ 1] = 0;
            self.phase[l.v()] = l.is_negative();
            if reorder && l != ASKED {
                self.order.insert(l.var());
            }
        }
        self.trail.truncate(start);
        self.head = start;
        self.levels.truncate(level);
    }

    /// Assigns what follows. Within a domain, what follows outside of it is left open: no clause of the domain
    /// can tell.
    fn propagate(&mut self, domain: Option<&Domain>) -> Option<Conflict> {
        // What holds for good must be known everywhere.
        let domain = domain.filter(|_| !self.levels.is_empty());
        let outside = |l: Lit| domain.is_some_and(|d| !d.contains(l.var()));
        while let Some(&p) = self.trail.get(self.head) {
            self.head += 1;
            for i in 0..self.implied[p.at()].len() {
                let q = self.implied[p.at()][i];
                match self.value[q.at()] {
                    0 if q == !ASKED || !outside(q) => self.assign(q, Reason::binary(!p)),
                    -1 => return Some(Conflict::Binary(q, !p)),
                    _ => {}
                }
            }
            // The list is taken out: a clause never moves to the list it is in.
            let mut list = std::mem::take(&mut self.watches[p.at()]);
            let (mut i, mut kept) = (0, 0);
            let mut conflict = None;
            'watches: while i < list.len() {
                let w = list[i];
                i += 1;
                if self.value[w.blocker.at()] > 0 || outside(w.blocker) {
                    list[kept] = w;
                    kept += 1;
                    continue;
                }
                let c = w.clause as usize;
                let length = (self.arena[c] >> LENGTH) as usize;
                let lits = &mut self.arena[c + HEAD..c + HEAD + length];
                if lits[0] == p.0 ^ 1 {
                    lits.swap(0, 1);
                }
                let first = Lit(lits[0]);
                let kept_watch = Watch { clause: w.clause, blocker: first };
                let value = self.value[first.at()];
                if value <= 0 {
                    for k in 2..length {
                        if self.value[lits[k] as usize] >= 0 {
                            lits.swap(1, k);
                            self.watches[lits[1] as usize ^ 1].push(kept_watch);
                            continue 'watches;
                        }
                    }
                }
                list[kept] = kept_watch;
                kept += 1;
                if value < 0 {
                    conflict = Some(Conflict::Clause(c));
                    break;
                }
                if value == 0 && !outside(first) {
                    self.assign(first, Reason::clause(c));
                }
            }
            if i > kept {
                list.drain(kept..i);
            }
            self.watches[p.at()] = list;
            if conflict.is_some() {
                return conflict;
            }
        }
        None
    }

    fn search(&mut self, domain: Option<&Domain>, stop: &dyn Fn() -> bool) -> Answer {
        let mut conflicts = 0u32;
        let (mut run, mut restart_at) = (1, RESTART);
        let mut is_ordered = domain.is_none();
        loop {
            if let Some(conflict) = self.propagate(domain) {
                conflicts += 1;
                if self.levels.is_empty() {
                    self.ok = false;
                    return Answer::Unsat;
                }
                let (back, glue) = self.analyse(conflict);
                // The temporary clause alone is refuted: that is nothing to keep.
                if self.learnt[..] == [!ASKED] {
                    return Answer::Unsat;
                }
                self.backtrack(back, is_ordered);
                let c = std::mem::take(&mut self.learnt);
                let reason = match c.len() {
                    1 => Reason::NONE,
                    _ => {
                        let mine = if c.contains(&!ASKED) { TEMPORARY } else { 0 };
                        self.attach(&c, LEARNT | mine, glue)
                    }
                };
                self.assign(c[0], reason);
                self.learnt = c;
                self.order.step /= 0.95;
                self.clause_step /= 0.999;
                if conflicts.is_multiple_of(PATIENCE) && stop() {
                    return Answer::Stopped;
                }
                continue;
            }
            if conflicts >= restart_at {
                run += 1;
                restart_at = conflicts + RESTART * luby(run);
                if self.learnts > self.most_learnts {
                    // Between calls there may be no time for this.
                    self.backtrack(0, is_ordered);
                    self.tidy();
                } else {
                    self.backtrack(self.assumptions.len(), is_ordered);
                }
                continue;
            }
            let mut next = None;
            while let Some(&a) = self.assumptions.get(self.levels.len()) {
                match self.value[a.at()] {
                    // It has no level of its own, but levels and assumptions go in step.
                    1 => self.levels.push(self.trail.len()),
                    -1 => {
                        self.refute(a);
                        return Answer::Unsat;
                    }
                    _ => {
                        next = Some(a);
                        break;
                    }
                }
            }
            if next.is_none() {
                if let Some(d) = domain.filter(|_| !is_ordered) {
                    is_ordered = true;
                    let open = d.vars().iter().filter(|v| self.value[**v as usize * 2] == 0);
                    self.order.fill(open);
                }
                while let Some(v) = self.order.pop() {
                    if self.value[v as usize * 2] == 0 {
                        next = Some(Lit::new(v, self.phase[v as usize]));
                        break;
                    }
                }
            }
            let Some(l) = next else { return Answer::Sat };
            self.levels.push(self.trail.len());
            self.assign(l, Reason::NONE);
        }
    }

    fn bump_clause(&mut self, c: usize) {
        if self.arena[c] & LEARNT == 0 {
            return;
        }
        let activity = f32::from_bits(self.arena[c + 1]) + self.clause_step;
        self.arena[c + 1] = activity.to_bits();
        if activity > 1e20 {
            self.clause_step *= 1e-20;
            let mut at = 0;
            while at < self.arena.len() {
                self.arena[at + 1] = (f32::from_bits(self.arena[at + 1]) * 1e-20).to_bits();
                at += HEAD + (self.arena[at] >> LENGTH) as usize;
            }
        }
    }

    /// Drops learnt clauses when there are too many, and what is true for good when there is much of it.
    /// At level 0 only; then no clause is a reason that anyone looks at.
    fn tidy(&mut self) {
        let known = self.trail.len();
        let many = self.learnts > self.most_learnts;
        if !many && known <= self.cleared + self.level.len() / 16 && self.wasted <= self.arena.len() / 4 + 1_000 {
            return;
        }
        if many {
            self.forget();
            self.most_learnts += self.most_learnts / 20;
        }
        self.cleared = known;
        let old = std::mem::take(&mut self.arena);
        self.arena.reserve(old.len() - self.wasted);
        self.wasted = 0;
        self.learnts = 0;
        self.watches.iter_mut().for_each(Vec::clear);
        for at in 0..self.implied.len() {
            if self.value[at] != 0 {
                self.implied[at].clear();
            } else {
                let value = &self.value;
                self.implied[at].retain(|l| value[l.at()] == 0);
            }
        }
        // As `attach` notes them anew.
        self.temporary.clear();
        let mut lits = Vec::new();
        let mut at = 0;
        while at < old.len() {
            let (head, activity) = (old[at], old[at + 1]);
            let words = &old[at + HEAD..at + HEAD + (head >> LENGTH) as usize];
            at += HEAD + words.len();
            if head & DEAD != 0 || words.iter().any(|l| self.value[*l as usize] > 0) {
                continue;
            }
            lits.clear();
            lits.extend(words.iter().map(|l| Lit(*l)).filter(|l| self.value[l.at()] == 0));
            if let Because::Clause(c) = self.attach(&lits, head & (LEARNT | TEMPORARY), head >> GLUE & GLUE_MOST).get()
            {
                self.arena[c + 1] = activity;
            }
        }
    }

    /// Marks the less useful half of the learnt clauses as dead.
    fn forget(&mut self) {
        let mut list: Vec<(f32, usize)> = Vec::new();
        let mut at = 0;
        while at < self.arena.len() {
            let head = self.arena[at];
            // Clauses within two levels tie parts of the formula together: they stay useful.
            if head & LEARNT != 0 && head & (DEAD | TEMPORARY) == 0 && head >> GLUE & GLUE_MOST > 2 {
                list.push((f32::from_bits(self.arena[at + 1]), at));
            }
            at += HEAD + (head >> LENGTH) as usize;
        }
        list.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (_, c) in &list[..list.len() / 2] {
            self.arena[*c] |= DEAD;
        }
    }
}

/// Luby's sequence 1, 1, 2, 1, 1, 2, 4, …, from 1.
fn luby(mut i: u32) -> u32 {
    loop {
        let k = 32 - i.leading_zeros();
        if i == (1 << k) - 1 {
            return 1 << (k - 1);
        }
        i -= (1 << (k - 1)) - 1;
    }
}
