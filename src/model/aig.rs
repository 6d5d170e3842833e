//! And-inverter graphs with structural hashing: the functions of a [`super::System`].
//!
//! Node 0 is the constant 0. A node's operands have smaller numbers, so one pass in order evaluates
//! all. Every rewriting rule is an identity of two-valued logic that looks at most one level down.

use crate::net::{GateId, Lit};
use rustc_hash::FxHashMap;

/// A node of the graph.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// Constant 0 (node 0 only).
    False,
    /// Input of that position.
    Input(u32),
    /// State of that position.
    State(u32),
    /// And; operands are sorted.
    And(Lit, Lit),
}

/// A growing graph.
#[derive(Clone, Debug)]
pub struct Aig {
    nodes: Vec<Node>,
    unique: FxHashMap<(Lit, Lit), u32>,
}

impl Default for Aig {
    fn default() -> Aig {
        Aig { nodes: vec![Node::False], unique: FxHashMap::default() }
    }
}

impl Aig {
    /// All nodes in order.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is nothing but the constant.
    pub fn is_empty(&self) -> bool {
        self.nodes.len() == 1
    }

    /// The node of a literal.
    pub fn node(&self, l: Lit) -> Node {
        self.nodes[l.gate().0 as usize]
    }

    fn push(&mut self, n: Node) -> Lit {
        assert!(self.nodes.len() < 1 << 31, "the model has too many gates");
        self.nodes.push(n);
        Lit::new(GateId(self.nodes.len() as u32 - 1), false)
    }

    /// A new leaf; the caller sees to it that its position is new.
    pub fn leaf(&mut self, n: Node) -> Lit {
        debug_assert!(matches!(n, Node::Input(_) | Node::State(_)));
        self.push(n)
    }

    /// `a & b`.
    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        // Constants sort first.
        if a == Lit::FALSE || a == !b {
            return Lit::FALSE;
        }
        if a == Lit::TRUE || a == b {
            return b;
        }
        for (x, y) in [(a, b), (b, a)] {
            if let Node::And(p, q) = self.node(y) {
                if y.complement() {
                    // x & !(p & q): true if x says !p, and p may be left out if x says p.
                    if x == !p || x == !q {
                        return x;
                    }
                    if x == p {
                        return self.and(x, !q);
                    }
                    if x == q {
                        return self.and(x, !p);
                    }
                } else {
                    if x == p || x == q {
                        return y;
                    }
                    if x == !p || x == !q {
                        return Lit::FALSE;
                    }
                }
            }
        }
        if let (Node::And(p, q), Node::And(r, s)) = (self.node(a), self.node(b)) {
            match (a.complement(), b.complement()) {
                (false, false) if p == !r || p == !s || q == !r || q == !s => return Lit::FALSE,
                // !(p & q) & !(p & !q) is !p.
                (true, true) => {
                    for (x, y) in [(p, q), (q, p)] {
                        if (x == r && y == !s) || (x == s && y == !r) {
                            return !x;
                        }
                    }
                }
                // (p & q) & !(r & s) is (p & q) if one of r, s contradicts p or q.
                (false, true) if p == !r || p == !s || q == !r || q == !s => return a,
                (true, false) if p == !r || p == !s || q == !r || q == !s => return b,
                _ => {}
            }
        }
        if let Some(&n) = self.unique.get(&(a, b)) {
            return Lit::new(GateId(n), false);
        }
        let l = self.push(Node::And(a, b));
        self.unique.insert((a, b), l.gate().0);
        l
    }

    /// `a | b`.
    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    /// `a ^ b`.
    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let (x, y) = (self.and(a, !b), self.and(!a, b));
        self.or(x, y)
    }

    /// `a == b`.
    pub fn equal(&mut self, a: Lit, b: Lit) -> Lit {
        !self.xor(a, b)
    }

    /// `s ? t : e`.
    pub fn mux(&mut self, s: Lit, t: Lit, e: Lit) -> Lit {
        if t == e {
            return t;
        }
        // What the select decides already in an arm is seen through: a latch that holds itself is no loop.
        let (t, e) = (self.assuming(t, s), self.assuming(e, !s));
        if t == e {
            return t;
        }
        let (x, y) = (self.and(s, t), self.and(!s, e));
        self.or(x, y)
    }

    /// Select and arms, if a literal is a multiplexer: `!(!(s & t) & !(!s & e))`, or its complement.
    pub fn as_mux(&self, l: Lit) -> Option<(Lit, Lit, Lit)> {
        let Node::And(p, q) = self.node(l) else { return None };
        if !p.complement() || !q.complement() {
            return None;
        }
        let (Node::And(a, b), Node::And(c, d)) = (self.node(p), self.node(q)) else { return None };
        let arms = [(a, b, c, d), (a, b, d, c), (b, a, c, d), (b, a, d, c)];
        let (s, t, _, e) = arms.into_iter().find(|(s, _, n, _)| *s == !*n)?;
        // The node itself is the complement of the multiplexer.
        let flip = !l.complement();
        Some((s, t.xor(flip), e.xor(flip)))
    }

    /// What a literal is where `s` is 1, as far as its uppermost multiplexer tells.
    fn assuming(&self, l: Lit, s: Lit) -> Lit {
        match self.as_mux(l) {
            Some((x, t, _)) if x == s => t,
            Some((x, _, e)) if x == !s => e,
            _ => l,
        }
    }

    /// `a` implies `b`.
    pub fn implies(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(a, !b)
    }

    /// And of many, as a balanced tree.
    pub fn all(&mut self, lits: &[Lit]) -> Lit {
        match lits {
            [] => Lit::TRUE,
            [l] => *l,
            _ => {
                let (a, b) = lits.split_at(lits.len() / 2);
                let (a, b) = (self.all(a), self.all(b));
                self.and(a, b)
            }
        }
    }

    /// Or of many.
    pub fn any(&mut self, lits: &[Lit]) -> Lit {
        let no: Vec<Lit> = lits.iter().map(|l| !*l).collect();
        !self.all(&no)
    }

    /// `word == value`, least significant bit first.
    pub fn equals(&mut self, word: &[Lit], value: u64) -> Lit {
        let bits: Vec<Lit> = word.iter().enumerate().map(|(i, l)| l.xor(i > 63 || value >> i & 1 == 0)).collect();
        self.all(&bits)
    }

    /// The graph copied into another, given its leaves; only what `roots` need.
    pub fn copy_into(&self, to: &mut Aig, roots: &[Lit], leaf: &mut dyn FnMut(&mut Aig, Node) -> Lit) -> Vec<Lit> {
        let used = self.cone(roots);
        let mut map = vec![Lit::FALSE; self.nodes.len()];
        for (i, n) in self.nodes.iter().enumerate().filter(|(i, _)| used[*i]) {
            let at = |l: Lit| map[l.gate().0 as usize].xor(l.complement());
            map[i] = match *n {
                Node::False => Lit::FALSE,
                Node::And(a, b) => {
                    let (a, b) = (at(a), at(b));
                    to.and(a, b)
                }
                leaf_node => leaf(to, leaf_node),
            };
        }
        roots.iter().map(|l| map[l.gate().0 as usize].xor(l.complement())).collect()
    }

    /// For each node whether a root depends on it in the same step.
    pub fn cone(&self, roots: &[Lit]) -> Vec<bool> {
        let mut used = vec![false; self.nodes.len()];
        let mut open: Vec<u32> = roots.iter().map(|l| l.gate().0).collect();
        while let Some(n) = open.pop() {
            if !std::mem::replace(&mut used[n as usize], true)
                && let Node::And(a, b) = self.nodes[n as usize]
            {
                open.push(a.gate().0);
                open.push(b.gate().0);
            }
        }
        used
    }
}
