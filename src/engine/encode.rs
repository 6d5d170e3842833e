//! Functions of a system as clauses.

use crate::model::{Aig, Node};
use crate::net::Lit;
use crate::sat::{Clauses, SatLit};

/// Nodes of a graph that already have a variable in a solver.
#[derive(Default)]
pub struct Encoder {
    map: Vec<Option<SatLit>>,
    truth: Option<SatLit>,
}

impl Encoder {
    /// The literal that is always 1.
    pub fn truth(&mut self, solver: &mut impl Clauses) -> SatLit {
        *self.truth.get_or_insert_with(|| {
            let t = solver.fresh();
            solver.clause(&[t]);
            t
        })
    }

    /// The variable of a node, if it has one.
    pub fn known(&self, l: Lit) -> Option<SatLit> {
        let s = (*self.map.get(l.gate().0 as usize)?)?;
        Some(if l.complement() { !s } else { s })
    }

    /// The literal of a function, with the clauses that define it. Leaves get fresh variables.
    pub fn lit(&mut self, aig: &Aig, root: Lit, solver: &mut impl Clauses) -> SatLit {
        if self.map.len() < aig.len() {
            self.map.resize(aig.len(), None);
        }
        let mut open = vec![root.gate().0 as usize];
        while let Some(&n) = open.last() {
            if self.map[n].is_some() {
                open.pop();
                continue;
            }
            match aig.nodes()[n] {
                Node::False => self.map[n] = Some(!self.truth(solver)),
                Node::Input(_) | Node::State(_) => self.map[n] = Some(solver.fresh()),
                Node::And(a, b) => {
                    let gate = shape(aig, a, b);
                    let before = open.len();
                    open.extend(gate.operands().map(|l| l.gate().0 as usize).filter(|m| self.map[*m].is_none()));
                    if open.len() > before {
                        continue;
                    }
                    let out = solver.fresh();
                    let at = |l: Lit| {
                        let s = self.map[l.gate().0 as usize].unwrap_or(out);
                        if l.complement() { !s } else { s }
                    };
                    match gate {
                        Shape::And(a, b) => {
                            let (a, b) = (at(a), at(b));
                            solver.clause(&[!out, a]);
                            solver.clause(&[!out, b]);
                            solver.clause(&[out, !a, !b]);
                        }
                        // The node is the complement of the multiplexer.
                        Shape::Mux(s, t, e) => {
                            let (s, t, e) = (at(s), at(t), at(e));
                            solver.clause(&[!s, t, out]);
                            solver.clause(&[!s, !t, !out]);
                            solver.clause(&[s, e, out]);
                            solver.clause(&[s, !e, !out]);
                            solver.clause(&[t, e, out]);
                            solver.clause(&[!t, !e, !out]);
                        }
                        // The node is the equality.
                        Shape::Xor(x, y) => {
                            let (x, y) = (at(x), at(y));
                            solver.clause(&[out, x, y]);
                            solver.clause(&[out, !x, !y]);
                            solver.clause(&[!out, x, !y]);
                            solver.clause(&[!out, !x, y]);
                        }
                    }
                    self.map[n] = Some(out);
                }
            }
            open.pop();
        }
        self.known(root).expect("just made")
    }

    /// For each variable of a solver those that define it: the clauses of a gate mention no others.
    pub fn fanin(&self, aig: &Aig, vars: u32) -> Vec<Vec<u32>> {
        let mut all = vec![Vec::new(); vars as usize];
        for (n, s) in self.map.iter().enumerate() {
            if let (Some(s), Node::And(a, b)) = (s, aig.nodes()[n]) {
                let read = shape(aig, a, b).operands().filter_map(|l| Some(self.known(l)?.vidx32()));
                all[s.vidx()] = read.collect();
            }
        }
        all
    }
}

/// What an and of two complemented ands is.
enum Shape {
    And(Lit, Lit),
    /// `!(s ? t : e)`.
    Mux(Lit, Lit, Lit),
    /// `x == y`.
    Xor(Lit, Lit),
}

impl Shape {
    fn operands(&self) -> impl Iterator<Item = Lit> + use<> {
        let list = match *self {
            Shape::And(a, b) | Shape::Xor(a, b) => [Some(a), Some(b), None],
            Shape::Mux(s, t, e) => [Some(s), Some(t), Some(e)],
        };
        list.into_iter().flatten()
    }
}

/// `!(s & t) & !(!s & e)` is `!(s ? t : e)`; with `e = !t` it is `s == !t`.
fn shape(aig: &Aig, a: Lit, b: Lit) -> Shape {
    if a.complement()
        && b.complement()
        && let (Node::And(p, q), Node::And(r, s)) = (aig.node(a), aig.node(b))
    {
        for (x, t, y, e) in [(p, q, r, s), (p, q, s, r), (q, p, r, s), (q, p, s, r)] {
            if x == !y {
                return if t == !e { Shape::Xor(x, !t) } else { Shape::Mux(x, t, e) };
            }
        }
    }
    Shape::And(a, b)
}
