//! A structurally hashing gate builder: equal gates are made once, and every gate is simplified by
//! the local rules of its kind before it is made.
//!
//! Canonical form: a [`Gate::And`] has sorted operands; a [`Gate::Xor`] has sorted, plain
//! operands; a [`Gate::Mux`] has a plain select and a plain `other`. Each rule is an identity of
//! two-valued logic, written beside the case it rewrites.

use super::*;
use rustc_hash::FxHashMap;

/// Grows a [`Netlist`] gate by gate.
pub struct Builder {
    /// The netlist so far. Its tables may be filled directly; gates are added by the methods.
    pub net: Netlist,
    /// Source place given to the gates made now.
    pub here: Span,
    unique: FxHashMap<Gate, GateId>,
}

impl Builder {
    /// A builder of a netlist that has nothing but the constant.
    pub fn new(name: impl Into<SmolStr>) -> Builder {
        Builder::on(Netlist { name: name.into(), ..Netlist::default() })
    }

    /// A builder that adds to an existing netlist.
    pub fn on(net: Netlist) -> Builder {
        let mut b = Builder { net, here: Span::NONE, unique: FxHashMap::default() };
        for (i, g) in b.net.gates.iter().enumerate() {
            b.unique.entry(*g).or_insert(GateId(i as u32));
        }
        if b.net.gates.is_empty() {
            b.leaf(Gate::False);
        }
        b
    }

    /// The netlist.
    pub fn finish(self) -> Netlist {
        self.net
    }

    /// A gate as it stands, shared if it exists already. Leaves are made by this.
    pub fn leaf(&mut self, g: Gate) -> Lit {
        if let Some(&id) = self.unique.get(&g) {
            return Lit::new(id, false);
        }
        // The two largest numbers are kept free for the marks of the lowering.
        assert!(self.net.gates.len() < (1 << 31) - 2, "netlist has too many gates");
        let id = GateId(self.net.gates.len() as u32);
        self.unique.insert(g, id);
        self.net.gates.push(g);
        self.net.spans.push(self.here);
        Lit::new(id, false)
    }

    /// A fresh free value.
    pub fn free(&mut self) -> Lit {
        let l = self.leaf(Gate::Free(self.net.frees.len() as u32));
        self.net.frees.push(Free { gate: l.gate(), span: self.here });
        l
    }

    fn gate(&self, l: Lit) -> Gate {
        self.net.gates[l.gate().0 as usize]
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
            if let Gate::And(p, q) = self.gate(y) {
                if y.complement() {
                    // x & !(p & q): !p is implied by x = !p, and p may be left out if x = p.
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
                    // x & (p & q)
                    if x == p || x == q {
                        return y;
                    }
                    if x == !p || x == !q {
                        return Lit::FALSE;
                    }
                }
            }
            if let Gate::Xor(p, q) = self.gate(y) {
                // p & (p ^ q) is p & !q, !p & (p ^ q) is !p & q; operands of a Xor are plain.
                let flip = x.complement() == y.complement();
                if x.gate() == p.gate() {
                    return self.and(x, q.xor(flip));
                }
                if x.gate() == q.gate() {
                    return self.and(x, p.xor(flip));
                }
            }
        }
        if !a.complement()
            && !b.complement()
            && let (Gate::And(p, q), Gate::And(r, s)) = (self.gate(a), self.gate(b))
            && (p == !r || p == !s || q == !r || q == !s)
        {
            return Lit::FALSE;
        }
        self.leaf(Gate::And(a, b))
    }

    /// `a | b`.
    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    /// `a ^ b`.
    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let flip = a.complement() != b.complement();
        let (a, b) = (a.xor(a.complement()), b.xor(b.complement()));
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if a == Lit::FALSE {
            return b.xor(flip);
        }
        if a == b {
            return Lit::FALSE.xor(flip);
        }
        for (x, y) in [(a, b), (b, a)] {
            // x ^ (x ^ q) is q.
            if let Gate::Xor(p, q) = self.gate(y) {
                if x == p {
                    return q.xor(flip);
                }
                if x == q {
                    return p.xor(flip);
                }
            }
        }
        self.leaf(Gate::Xor(a, b)).xor(flip)
    }

    /// Whether `a` equals `b`.
    pub fn xnor(&mut self, a: Lit, b: Lit) -> Lit {
        !self.xor(a, b)
    }

    /// `s ? t : e`.
    pub fn mux(&mut self, s: Lit, t: Lit, e: Lit) -> Lit {
        let (s, mut t, mut e) = if s.complement() { (!s, e, t) } else { (s, t, e) };
        if s == Lit::FALSE {
            return e;
        }
        // An arm that is a multiplexer of the same select is already decided.
        if let Gate::Mux(s2, t2, _) = self.gate(t)
            && s2 == s
        {
            t = t2.xor(t.complement());
        }
        if let Gate::Mux(s2, _, e2) = self.gate(e)
            && s2 == s
        {
            e = e2.xor(e.complement());
        }
        if t == e {
            return t;
        }
        if t == !e {
            return self.xor(s, e);
        }
        // In the first arm s is 1, in the second it is 0.
        if t == Lit::TRUE || t == s {
            return self.or(s, e);
        }
        if t == Lit::FALSE || t == !s {
            return self.and(!s, e);
        }
        if e == Lit::FALSE || e == s {
            return self.and(s, t);
        }
        if e == Lit::TRUE || e == !s {
            return self.or(!s, t);
        }
        let flip = e.complement();
        self.leaf(Gate::Mux(s, t.xor(flip), e.xor(flip))).xor(flip)
    }

    /// Whether at least two of three are 1.
    pub fn maj(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        for (x, y, z) in [(a, b, c), (a, c, b), (b, c, a)] {
            if x == y {
                return x;
            }
            if x == !y {
                return z;
            }
            match z.as_const() {
                Some(false) => return self.and(x, y),
                Some(true) => return self.or(x, y),
                None => {}
            }
        }
        // If a and b differ, c decides. The exclusive or is shared with the sum bit.
        let differ = self.xor(a, b);
        self.mux(differ, c, a)
    }

    /// Sum and carry of three bits.
    pub fn full_adder(&mut self, a: Lit, b: Lit, c: Lit) -> (Lit, Lit) {
        let half = self.xor(a, b);
        (self.xor(half, c), self.maj(a, b, c))
    }

    /// And of all, as a balanced tree.
    pub fn all(&mut self, bits: &[Lit]) -> Lit {
        self.tree(bits, Lit::TRUE, Builder::and)
    }

    /// Or of all, as a balanced tree.
    pub fn any(&mut self, bits: &[Lit]) -> Lit {
        self.tree(bits, Lit::FALSE, Builder::or)
    }

    /// Exclusive or of all, as a balanced tree.
    pub fn parity(&mut self, bits: &[Lit]) -> Lit {
        self.tree(bits, Lit::FALSE, Builder::xor)
    }

    fn tree(&mut self, bits: &[Lit], empty: Lit, join: fn(&mut Builder, Lit, Lit) -> Lit) -> Lit {
        match bits {
            [] => empty,
            [one] => *one,
            _ => {
                let (low, high) = bits.split_at(bits.len() / 2);
                let (low, high) = (self.tree(low, empty, join), self.tree(high, empty, join));
                join(self, low, high)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Value of `l` when input bit i is bit i of `assignment`.
    fn value(net: &Netlist, l: Lit, assignment: u32) -> bool {
        let v = match net.gates[l.gate().0 as usize] {
            Gate::Input(_, i) => assignment >> i & 1 == 1,
            Gate::And(a, b) => value(net, a, assignment) & value(net, b, assignment),
            Gate::Xor(a, b) => value(net, a, assignment) ^ value(net, b, assignment),
            Gate::Mux(s, t, e) => value(net, if value(net, s, assignment) { t } else { e }, assignment),
            _ => false,
        };
        v ^ l.complement()
    }

    /// Every gate over every choice of operands out of a growing pool keeps its truth table: this
    /// reaches each rewriting rule, in each polarity and order.
    #[test]
    fn simplified_gates_keep_their_truth_tables() {
        let mut rng = fastrand::Rng::with_seed(7);
        for _ in 0..400 {
            let mut b = Builder::new("t");
            let mut pool: Vec<(Lit, u8)> = vec![(Lit::FALSE, 0)];
            for (i, table) in [0xaa, 0xcc, 0xf0].into_iter().enumerate() {
                pool.push((b.leaf(Gate::Input(0, i as u32)), table));
            }
            for _ in 0..60 {
                let mut pick = || {
                    let (l, t) = pool[rng.usize(..pool.len())];
                    if rng.bool() { (!l, !t) } else { (l, t) }
                };
                let ((x, tx), (y, ty), (z, tz)) = (pick(), pick(), pick());
                let (l, t) = match rng.u32(..5) {
                    0 => (b.and(x, y), tx & ty),
                    1 => (b.or(x, y), tx | ty),
                    2 => (b.xor(x, y), tx ^ ty),
                    3 => (b.mux(x, y, z), tx & ty | !tx & tz),
                    _ => (b.maj(x, y, z), tx & ty | tx & tz | ty & tz),
                };
                for a in 0..8 {
                    assert_eq!(value(&b.net, l, a), t >> a & 1 == 1);
                }
                pool.push((l, t));
            }
            for g in &b.net.gates {
                match *g {
                    Gate::And(x, y) => assert!(x < y),
                    Gate::Xor(x, y) => assert!(x < y && !x.complement() && !y.complement()),
                    Gate::Mux(s, _, e) => assert!(!s.complement() && !e.complement()),
                    _ => {}
                }
            }
        }
    }
}
