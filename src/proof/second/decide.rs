//! Decides, with a second library of diagrams or with a solver whose proofs are checked, that functions of a graph are 0.

use super::{Effort, Refusal};
use crate::model::{Aig, Node};
use crate::net::Lit;
use crate::sat::certify;
use biodivine_lib_bdd::{Bdd, BddVariable, BddVariableSet, op_function};
use rustc_hash::FxHashMap;

/// Decides with diagrams that no low rail is 1 where the constraint is.
pub(super) fn diagrams(
    aig: &Aig,
    places: &[Lit],
    constraint: Lit,
    lows: &[Lit],
    effort: &Effort,
) -> Result<(), Refusal> {
    if places.len() >= usize::from(u16::MAX) {
        return Err(Refusal::TooLarge);
    }
    let set = BddVariableSet::new_anonymous(places.len() as u16);
    let (made, readers, fixed) = (FxHashMap::default(), FxHashMap::default(), FxHashMap::default());
    let mut d = Diagrams { aig, set, made, readers, fixed, effort, room: effort.room };
    for (i, l) in places.iter().enumerate() {
        d.fixed.insert(l.gate().0, d.set.mk_var(BddVariable::from_index(i)));
    }
    d.count(&[constraint]);
    let care = d.root(constraint)?;
    if care.is_false() {
        return Ok(());
    }
    // Variables that the constraint decides are constants from here on.
    for (i, l) in places.iter().enumerate() {
        let v = d.set.mk_var(BddVariable::from_index(i));
        for (value, part) in [(false, care.and(&v)), (true, care.and_not(&v))] {
            if part.is_false() {
                let c = if value { d.set.mk_true() } else { d.set.mk_false() };
                d.fixed.insert(l.gate().0, c);
            }
        }
    }
    d.made.clear();
    d.readers.clear();
    d.count(lows);
    for (i, low) in lows.iter().enumerate() {
        let f = d.root(*low)?;
        let bad = Bdd::binary_op_with_limit(effort.nodes, &f, &care, op_function::and).ok_or(Refusal::TooLarge)?;
        if !bad.is_false() {
            return Err(Refusal::NotShown(i));
        }
    }
    Ok(())
}

struct Diagrams<'a> {
    aig: &'a Aig,
    set: BddVariableSet,
    made: FxHashMap<u32, Bdd>,
    /// How many functions that are not made yet read each.
    readers: FxHashMap<u32, u32>,
    fixed: FxHashMap<u32, Bdd>,
    effort: &'a Effort,
    /// Nodes that may still be made.
    room: usize,
}

/// What a node of the graph is: exclusive ors and multiplexers are three nodes each, and one operation.
enum Form {
    Leaf,
    And(Lit, Lit),
    /// The node is the complement of `s ? t : e`.
    Mux(Lit, Lit, Lit),
    /// The node is the complement of `x ^ y`.
    Xor(Lit, Lit),
}

impl Diagrams<'_> {
    fn form(&self, g: u32) -> Form {
        let Node::And(a, b) = self.aig.nodes()[g as usize] else { return Form::Leaf };
        if a.complement()
            && b.complement()
            && let (Node::And(p, q), Node::And(r, s)) = (self.aig.node(a), self.aig.node(b))
        {
            for (x, t, y, e) in [(p, q, r, s), (p, q, s, r), (q, p, r, s), (q, p, s, r)] {
                if x == !y {
                    return if t == !e { Form::Xor(x, !t) } else { Form::Mux(x, t, e) };
                }
            }
        }
        Form::And(a, b)
    }

    fn operands(&self, g: u32) -> Vec<Lit> {
        match self.form(g) {
            Form::Leaf => Vec::new(),
            Form::And(a, b) | Form::Xor(a, b) => vec![a, b],
            Form::Mux(s, t, e) => vec![s, t, e],
        }
    }

    /// Counts who reads what below some roots, so that diagrams can go when nobody does any more.
    fn count(&mut self, roots: &[Lit]) {
        let mut open: Vec<u32> = Vec::new();
        for l in roots {
            *self.readers.entry(l.gate().0).or_insert(0) += 1;
            open.push(l.gate().0);
        }
        let mut seen: rustc_hash::FxHashSet<u32> = Default::default();
        while let Some(g) = open.pop() {
            if seen.insert(g) {
                for l in self.operands(g) {
                    *self.readers.entry(l.gate().0).or_insert(0) += 1;
                    open.push(l.gate().0);
                }
            }
        }
    }

    fn root(&mut self, root: Lit) -> Result<Bdd, Refusal> {
        let mut open = vec![root.gate().0];
        while let Some(&g) = open.last() {
            if self.made.contains_key(&g) {
                open.pop();
                continue;
            }
            let operands = self.operands(g);
            let missing: Vec<u32> =
                operands.iter().map(|l| l.gate().0).filter(|g| !self.made.contains_key(g)).collect();
            if !missing.is_empty() {
                open.extend(missing);
                continue;
            }
            let f = self.make(g)?;
            self.room = self.room.checked_sub(f.size()).ok_or(Refusal::TooLarge)?;
            self.made.insert(g, f);
            operands.iter().for_each(|l| self.release(l.gate().0));
            open.pop();
        }
        let f = &self.made[&root.gate().0];
        let f = if root.complement() { f.not() } else { f.clone() };
        self.release(root.gate().0);
        Ok(f)
    }

    fn release(&mut self, g: u32) {
        if let Some(n) = self.readers.get_mut(&g) {
            *n = n.saturating_sub(1);
            if *n == 0 {
                self.made.remove(&g);
            }
        }
    }

    fn make(&self, g: u32) -> Result<Bdd, Refusal> {
        let most = self.effort.nodes;
        let at = |l: Lit| &self.made[&l.gate().0];
        let made = match self.form(g) {
            Form::Leaf => match self.aig.nodes()[g as usize] {
                Node::False => Some(self.set.mk_false()),
                _ => return self.fixed.get(&g).cloned().ok_or(Refusal::Wrong("a variable has no place".into())),
            },
            // A copy of an operand is as large as the operand, so complements are left to the operation.
            Form::And(a, b) => match (a.complement(), b.complement()) {
                (false, false) => Bdd::binary_op_with_limit(most, at(a), at(b), op_function::and),
                (false, true) => Bdd::binary_op_with_limit(most, at(a), at(b), op_function::and_not),
                (true, false) => Bdd::binary_op_with_limit(most, at(b), at(a), op_function::and_not),
                (true, true) => Bdd::binary_op_with_limit(most, at(a), at(b), nor),
            },
            Form::Xor(x, y) if x.complement() == y.complement() => {
                Bdd::binary_op_with_limit(most, at(x), at(y), op_function::iff)
            }
            Form::Xor(x, y) => Bdd::binary_op_with_limit(most, at(x), at(y), op_function::xor),
            Form::Mux(s, t, e) => {
                let side = |l: Lit, on: bool| {
                    let (c, v) = (at(s), at(l));
                    let take = s.complement() != on;
                    match (take, l.complement()) {
                        (true, false) => Bdd::binary_op_with_limit(most, c, v, op_function::and),
                        (true, true) => Bdd::binary_op_with_limit(most, c, v, op_function::and_not),
                        (false, false) => Bdd::binary_op_with_limit(most, v, c, op_function::and_not),
                        (false, true) => Bdd::binary_op_with_limit(most, c, v, nor),
                    }
                };
                match (side(t, true), side(e, false)) {
                    (Some(p), Some(q)) => Bdd::binary_op_with_limit(most, &p, &q, nor),
                    _ => None,
                }
            }
        };
        made.ok_or(Refusal::TooLarge)
    }
}

fn nor(a: Option<bool>, b: Option<bool>) -> Option<bool> {
    op_function::or(a, b).map(|v| !v)
}

/// Decides with a solver whose proofs are checked.
pub(super) fn solver(aig: &Aig, constraint: Lit, lows: &[Lit], effort: &Effort) -> Result<(), Refusal> {
    for (i, low) in lows.iter().enumerate().filter(|(_, l)| **l != Lit::FALSE) {
        let used = aig.cone(&[*low, constraint]);
        if used.iter().filter(|u| **u).count() > effort.gates {
            return Err(Refusal::TooLarge);
        }
        let at = |l: Lit| {
            let v = l.gate().0 as i32 + 1;
            if l.complement() { -v } else { v }
        };
        let mut clauses: Vec<Vec<i32>> = vec![vec![-1], vec![at(*low)], vec![at(constraint)]];
        for (g, n) in aig.nodes().iter().enumerate().filter(|(g, _)| used[*g]) {
            if let Node::And(a, b) = n {
                let o = g as i32 + 1;
                clauses.extend([vec![-o, at(*a)], vec![-o, at(*b)], vec![o, -at(*a), -at(*b)]]);
            }
        }
        // A solver that can be stopped goes first; the one that writes proofs cannot.
        let mut quick = crate::sat::Solver::default();
        (0..aig.len()).for_each(|_| _ = quick.fresh());
        for c in &clauses {
            let lits: Vec<_> = c.iter().map(|l| crate::sat::SatLit::new(l.unsigned_abs() - 1, *l < 0)).collect();
            quick.clause(&lits);
        }
        let turns = std::cell::Cell::new(0);
        let stop = || {
            turns.set(turns.get() + 2);
            turns.get() > effort.conflicts
        };
        match quick.solve(&[], &stop) {
            crate::sat::Answer::Sat => return Err(Refusal::NotShown(i)),
            crate::sat::Answer::Stopped => return Err(Refusal::TooLarge),
            crate::sat::Answer::Unsat => {}
        }
        match certify::refute(&clauses) {
            Ok(()) => {}
            Err(None) => return Err(Refusal::NotShown(i)),
            Err(Some(why)) => return Err(Refusal::Wrong(why)),
        }
    }
    Ok(())
}
