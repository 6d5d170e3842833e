//! Gates as definitions: exclusive ors and choices are found again, so that they can be read.

use super::names::Names;
use crate::model::{Aig, Node};
use crate::net::Lit;

/// What a node is, as text is made of it.
enum Shape {
    And(Lit, Lit),
    Xor(Lit, Lit),
    /// `s ? t : e`.
    Choice(Lit, Lit, Lit),
}

fn shape(aig: &Aig, a: Lit, b: Lit) -> Shape {
    if a.complement()
        && b.complement()
        && let (Node::And(p, q), Node::And(r, s)) = (aig.node(a), aig.node(b))
    {
        // !(p & q) & !(!p & s) is p ? !q : !s.
        for (c, t) in [(p, q), (q, p)] {
            for (n, e) in [(r, s), (s, r)] {
                if n == !c {
                    return if t == !e { Shape::Xor(c, t) } else { Shape::Choice(c, !t, !e) };
                }
            }
        }
    }
    Shape::And(a, b)
}

/// The definitions of a graph.
pub(super) struct Gates {
    /// Name of each node that is written.
    names: Vec<String>,
    definitions: Vec<(String, String)>,
}

impl Gates {
    /// What the roots need, operands first.
    pub fn new(aig: &Aig, roots: &[Lit], inputs: &[String], states: &[String], names: &mut Names) -> Gates {
        let mut needed = vec![false; aig.len()];
        roots.iter().for_each(|l| needed[l.gate().0 as usize] = true);
        let mut shapes: Vec<(usize, Shape)> = Vec::new();
        for i in (0..aig.len()).rev() {
            if let (true, Node::And(a, b)) = (needed[i], aig.nodes()[i]) {
                let shape = shape(aig, a, b);
                let operands = match shape {
                    Shape::And(a, b) | Shape::Xor(a, b) => [a, b, a],
                    Shape::Choice(s, t, e) => [s, t, e],
                };
                operands.iter().for_each(|l| needed[l.gate().0 as usize] = true);
                shapes.push((i, shape));
            }
        }
        let mut g = Gates { names: vec![String::new(); aig.len()], definitions: Vec::new() };
        for (i, n) in aig.nodes().iter().enumerate() {
            match *n {
                Node::Input(k) => g.names[i] = inputs[k as usize].clone(),
                Node::State(k) => g.names[i] = states[k as usize].clone(),
                _ => {}
            }
        }
        for (n, (i, shape)) in shapes.into_iter().rev().enumerate() {
            let text = match shape {
                Shape::And(a, b) if a.complement() && b.complement() => {
                    format!("!({} | {})", g.text(!a), g.text(!b))
                }
                Shape::And(a, b) => format!("{} & {}", g.text(a), g.text(b)),
                Shape::Xor(a, b) => {
                    let (plain_a, plain_b) = (a.xor(a.complement()), b.xor(b.complement()));
                    let word = if a.complement() == b.complement() { "xor" } else { "<->" };
                    format!("{} {word} {}", g.text(plain_a), g.text(plain_b))
                }
                Shape::Choice(s, t, e) if s.complement() => {
                    format!("{} ? {} : {}", g.text(!s), g.text(e), g.text(t))
                }
                Shape::Choice(s, t, e) => format!("{} ? {} : {}", g.text(s), g.text(t), g.text(e)),
            };
            let name = names.fresh(&format!("g{}", n + 1));
            g.names[i] = name.clone();
            g.definitions.push((name, text));
        }
        g
    }

    /// A literal as an operand.
    pub fn text(&self, l: Lit) -> String {
        match l.as_const() {
            Some(v) => super::constant(v).to_string(),
            None if l.complement() => format!("!{}", self.names[l.gate().0 as usize]),
            None => self.names[l.gate().0 as usize].clone(),
        }
    }

    /// Names and what they stand for, operands first.
    pub fn definitions(&self) -> &[(String, String)] {
        &self.definitions
    }
}
