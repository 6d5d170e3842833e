//! Checks an invariant given as decisions with another library than the one that found it.
//!
//! `biodivine-lib-bdd` shares no code with `oxidd`. The three obligations are those of
//! [`Certificate::check`](crate::engine::evidence::Certificate::check), stated so that no variables for the
//! state after a step are needed: the steps that the invariant allows are sent down the decisions, each by
//! the next value of the bit that is tested, and none may arrive at 0.

use crate::engine::Evidence;
use crate::engine::evidence::Certificate;
use crate::model::{Aig, Node, Question, System};
use crate::net::Lit;
use biodivine_lib_bdd::{Bdd, BddNode, BddPointer, BddVariable, BddVariableSet, op_function};

/// Why a certificate was not confirmed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// It does not show the goal.
    Wrong(String),
    /// It may, but a diagram became larger than allowed.
    TooLarge,
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Refusal::Wrong(why) => write!(f, "{why}"),
            Refusal::TooLarge => write!(f, "too large for a second check"),
        }
    }
}

fn wrong<T>(why: &str) -> Result<T, Refusal> {
    Err(Refusal::Wrong(why.into()))
}

/// Checks a certificate whose evidence is decisions. No diagram may have more than `limit` nodes.
pub fn recheck(c: &Certificate, sys: &System, question: &Question, limit: usize) -> Result<(), Refusal> {
    let (Question::Never(bad) | Question::Reach(bad)) = question else {
        return wrong("this evidence is for safety only");
    };
    let Evidence::Decisions { nodes, root } = &c.evidence else { return wrong("the evidence is not decisions") };
    // The tests of the decisions by state bits of the system.
    let mut tests: Vec<(usize, u32, u32)> = Vec::new();
    for (k, &(s, low, high)) in nodes.iter().enumerate() {
        let Some(&s) = c.states.get(s as usize) else { return wrong("it is about bits that there are not") };
        if low as usize >= k + 2 || high as usize >= k + 2 {
            return wrong("a decision goes to a later one");
        }
        tests.push((s as usize, low, high));
    }
    let mentioned = tests.iter().map(|t| t.0).chain(c.constants.iter().map(|f| f.0 as usize));
    let mut mentioned = mentioned.chain(c.equal.iter().flat_map(|e| [e.0 as usize, e.1 as usize]));
    if *root as usize >= nodes.len() + 2 || mentioned.any(|s| s >= sys.states.len()) {
        return wrong("it is about bits that there are not");
    }
    // What the root does not need is of no interest; then the root is last.
    tests.truncate((*root as usize).saturating_sub(1));
    let Some(order) = order(sys, &tests) else { return wrong("the decisions test bits in no order") };
    if order.len() >= u16::MAX as usize {
        return Err(Refusal::TooLarge);
    }
    let mut place = vec![None; sys.aig.len()];
    for (p, l) in order.iter().enumerate() {
        place[l.gate().0 as usize] = Some(p);
    }
    let set = BddVariableSet::new_anonymous(order.len() as u16);
    let mut k = Checker { sys, set, place, made: vec![None; sys.aig.len()], limit, room: 1 << 26 };
    k.check(c, &tests, *root, *bad)
}

/// All leaves that matter, in an order that the decisions are in. Inputs stand above the first bit they
/// decide.
fn order(sys: &System, tests: &[(usize, u32, u32)]) -> Option<Vec<Lit>> {
    let n = sys.states.len();
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); n];
    let mut above = vec![0usize; n];
    for &(s, low, high) in tests {
        for child in [low, high].into_iter().filter(|c| *c > 1) {
            below[s].push(tests[child as usize - 2].0);
        }
    }
    for b in &mut below {
        b.sort_unstable();
        b.dedup();
        b.iter().for_each(|c| above[*c] += 1);
    }
    let mut states = Vec::new();
    let mut open: std::collections::BTreeSet<usize> = (0..n).filter(|s| above[*s] == 0).collect();
    while let Some(s) = open.pop_first() {
        states.push(s);
        for &c in &below[s] {
            above[c] -= 1;
            if above[c] == 0 {
                open.insert(c);
            }
        }
    }
    if states.len() < n {
        return None;
    }
    let mut out = Vec::new();
    let mut seen = vec![false; sys.aig.len()];
    for s in states {
        inputs(&sys.aig, sys.states[s].next, &mut seen, &mut out);
        out.push(sys.states[s].lit);
    }
    let placed = out.len();
    out.extend(sys.inputs.iter().map(|i| i.lit));
    // Those met above are there twice.
    let mut twice = vec![false; sys.aig.len()];
    out[..placed].iter().for_each(|l| twice[l.gate().0 as usize] = true);
    let rest = out.split_off(placed);
    out.extend(rest.into_iter().filter(|l| !twice[l.gate().0 as usize]));
    Some(out)
}

/// The inputs of a function that were not met before.
fn inputs(aig: &Aig, root: Lit, seen: &mut [bool], out: &mut Vec<Lit>) {
    let mut open = vec![root];
    while let Some(l) = open.pop() {
        if std::mem::replace(&mut seen[l.gate().0 as usize], true) {
            continue;
        }
        match aig.node(l) {
            Node::And(a, b) => open.extend([a, b]),
            Node::Input(_) => out.push(Lit::new(l.gate(), false)),
            _ => {}
        }
    }
}

struct Checker<'s> {
    sys: &'s System,
    set: BddVariableSet,
    /// Place of each leaf in the order.
    place: Vec<Option<usize>>,
    made: Vec<Option<Bdd>>,
    limit: usize,
    /// Nodes that may still be made: every diagram is a copy of its own here.
    room: usize,
}

impl Checker<'_> {
    fn join(&mut self, a: &Bdd, b: &Bdd, op: fn(Option<bool>, Option<bool>) -> Option<bool>) -> Result<Bdd, Refusal> {
        let f = Bdd::binary_op_with_limit(self.limit.max(2), a, b, op).ok_or(Refusal::TooLarge)?;
        self.room = self.room.checked_sub(f.size()).ok_or(Refusal::TooLarge)?;
        Ok(f)
    }

    fn and(&mut self, a: &Bdd, b: &Bdd) -> Result<Bdd, Refusal> {
        self.join(a, b, op_function::and)
    }

    /// A function of the system.
    fn lit(&mut self, l: Lit) -> Result<Bdd, Refusal> {
        let mut open = vec![l.gate().0 as usize];
        while let Some(&n) = open.last() {
            if self.made[n].is_some() {
                open.pop();
                continue;
            }
            let f = match self.sys.aig.nodes()[n] {
                Node::False => self.set.mk_false(),
                Node::And(a, b) => {
                    let (x, y) = (a.gate().0 as usize, b.gate().0 as usize);
                    let (Some(f), Some(g)) = (self.made[x].clone(), self.made[y].clone()) else {
                        open.extend([x, y]);
                        continue;
                    };
                    let side = |f: Bdd, l: Lit| if l.complement() { f.into_not() } else { f };
                    self.and(&side(f, a), &side(g, b))?
                }
                _ => match self.place[n] {
                    Some(p) => self.set.mk_var(BddVariable::from_index(p)),
                    None => return wrong("a leaf that the system does not have"),
                },
            };
            self.made[n] = Some(f);
            open.pop();
        }
        let f = self.made[l.gate().0 as usize].clone().unwrap_or_else(|| self.set.mk_false());
        Ok(if l.complement() { f.into_not() } else { f })
    }

    /// The decisions as a diagram.
    fn decisions(&self, tests: &[(usize, u32, u32)], root: u32) -> Result<Bdd, Refusal> {
        if root < 2 {
            return Ok(if root == 1 { self.set.mk_true() } else { self.set.mk_false() });
        }
        if tests.len() > self.limit {
            return Err(Refusal::TooLarge);
        }
        let count = self.set.num_vars();
        let mut nodes = vec![BddNode::mk_zero(count), BddNode::mk_one(count)];
        for &(s, low, high) in tests {
            let leaf = self.sys.states[s].lit.gate().0 as usize;
            let Some(p) = self.place[leaf] else { return wrong("a bit without a place") };
            let link = |n: u32| BddPointer::from_index(n as usize);
            nodes.push(BddNode::mk_node(BddVariable::from_index(p), link(low), link(high)));
        }
        Bdd::from_nodes(&nodes).map_err(Refusal::Wrong)
    }

    fn check(&mut self, c: &Certificate, tests: &[(usize, u32, u32)], root: u32, bad: Lit) -> Result<(), Refusal> {
        let sys = self.sys;
        let mut inv = self.decisions(tests, root)?;
        for &(s, v) in &c.constants {
            let f = self.lit(sys.states[s as usize].lit.xor(!v))?;
            inv = self.and(&inv, &f)?;
        }
        for &(a, b) in &c.equal {
            let (a, b) = (self.lit(sys.states[a as usize].lit)?, self.lit(sys.states[b as usize].lit)?);
            let same = self.join(&a, &b, op_function::iff)?;
            inv = self.and(&inv, &same)?;
        }

        let mut start = self.set.mk_true();
        for s in &sys.states {
            if let Some(v) = s.init {
                let f = self.lit(s.lit.xor(!v))?;
                start = self.and(&start, &f)?;
            }
        }
        if !self.join(&start, &inv, op_function::and_not)?.is_false() {
            return wrong("an initial state is outside the invariant");
        }

        let mut steps = inv;
        for (_, l) in &sys.constraints {
            let f = self.lit(*l)?;
            steps = self.and(&steps, &f)?;
        }
        let f = self.lit(bad)?;
        if !self.and(&steps, &f)?.is_false() {
            return wrong("a state of the invariant allows a bad step");
        }
        self.closed(c, tests, root, steps)
    }

    /// Whether no step leads out of the invariant.
    fn closed(&mut self, c: &Certificate, tests: &[(usize, u32, u32)], root: u32, steps: Bdd) -> Result<(), Refusal> {
        let sys = self.sys;
        let out = "a step leads out of the invariant";
        for &(s, v) in &c.constants {
            let f = self.lit(sys.states[s as usize].next.xor(v))?;
            if !self.and(&steps, &f)?.is_false() {
                return wrong(out);
            }
        }
        for &(a, b) in &c.equal {
            let (a, b) = (self.lit(sys.states[a as usize].next)?, self.lit(sys.states[b as usize].next)?);
            let differ = self.join(&a, &b, op_function::xor)?;
            if !self.and(&steps, &differ)?.is_false() {
                return wrong(out);
            }
        }
        // The steps that arrive at each node; a node comes before its children, from the last one on.
        let mut arrived: Vec<Option<Bdd>> = vec![None; tests.len() + 2];
        arrived[root as usize] = Some(steps);
        for n in (2..arrived.len()).rev() {
            let Some(here) = arrived[n].take() else { continue };
            let (s, low, high) = tests[n - 2];
            let next = self.lit(sys.states[s].next)?;
            for (child, part) in [
                (low as usize, self.join(&here, &next, op_function::and_not)?),
                (high as usize, self.and(&here, &next)?),
            ] {
                // Arriving at 1 is well.
                if child == 1 || part.is_false() {
                    continue;
                }
                if child == 0 {
                    return wrong(out);
                }
                let all = match arrived[child].take() {
                    Some(before) => self.join(&before, &part, op_function::or)?,
                    None => part,
                };
                arrived[child] = Some(all);
            }
        }
        if arrived[0].is_some() { wrong(out) } else { Ok(()) }
    }
}
