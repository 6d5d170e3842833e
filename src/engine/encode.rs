//! Functions of a system as clauses.

use crate::model::{Aig, Node};
use crate::net::Lit;
use crate::sat::{SatLit, Solver};

/// Nodes of a graph that already have a variable in a solver.
#[derive(Default)]
pub struct Encoder {
    map: Vec<Option<SatLit>>,
    truth: Option<SatLit>,
}

impl Encoder {
    /// The literal that is always 1.
    pub fn truth(&mut self, solver: &mut Solver) -> SatLit {
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
    pub fn lit(&mut self, aig: &Aig, root: Lit, solver: &mut Solver) -> SatLit {
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
                    let operands: &[Lit] = match &gate {
                        Shape::And => &[a, b],
                        Shape::Mux(s, t, e) => &[*s, *t, *e],
                        Shape::Xor(x, y) => &[*x, *y],
                    };
                    let before = open.len();
                    open.extend(operands.iter().map(|l| l.gate().0 as usize).filter(|m| self.map[*m].is_none()));
                    if open.len() > before {
                        continue;
                    }
                    let out = solver.fresh();
                    let at = |l: Lit| {
                        let s = self.map[l.gate().0 as usize].unwrap_or(out);
                        if l.complement() { !s } else { s }
                    };
                    match gate {
                        Shape::And => {
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
}

/// What an and of two complemented ands is.
enum Shape {
    And,
    /// `!(s ? t : e)`.
    Mux(Lit, Lit, Lit),
    /// `x == y`.
    Xor(Lit, Lit),
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
    Shape::And
}
