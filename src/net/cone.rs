//! Cones of influence: what a set of literals depends on, through state and memories.

use super::*;
use rustc_hash::FxHashMap;

impl Netlist {
    /// Calls `f` on each literal a gate reads at once: operands, or the address of a read port.
    pub fn fanin(&self, g: GateId, mut f: impl FnMut(Lit)) {
        match self.gates[g.0 as usize] {
            Gate::False | Gate::Input(..) | Gate::Free(_) | Gate::Register(_) | Gate::Latch(_) => {}
            Gate::And(a, b) | Gate::Xor(a, b) => {
                f(a);
                f(b)
            }
            Gate::Mux(s, t, e) => {
                f(s);
                f(t);
                f(e)
            }
            Gate::Read(m, p, _) => self.memories[m as usize].reads[p as usize].iter().for_each(|l| f(*l)),
        }
    }

    /// Calls `f` on each literal that decides the next value of the state behind a gate.
    pub fn state_fanin(&self, g: GateId, mut f: impl FnMut(Lit)) {
        match self.gates[g.0 as usize] {
            Gate::Register(r) => {
                let r = &self.registers[r as usize];
                f(r.next);
                f(r.clock);
                r.asyncs.iter().for_each(|&(c, v)| {
                    f(c);
                    f(v)
                });
            }
            Gate::Latch(l) => {
                let l = &self.latches[l as usize];
                f(l.enable);
                f(l.data)
            }
            Gate::Read(m, ..) => {
                for w in &self.memories[m as usize].writes {
                    f(w.clock);
                    f(w.enable);
                    w.addr.iter().chain(&w.data).chain(&w.mask).for_each(|l| f(*l));
                }
            }
            _ => {}
        }
    }

    /// For each gate whether `roots` depend on it, in this or a later step.
    pub fn cone(&self, roots: &[Lit]) -> Vec<bool> {
        let mut inside = vec![false; self.gates.len()];
        self.extend_cone(&mut inside, roots);
        inside
    }

    fn extend_cone(&self, inside: &mut [bool], roots: &[Lit]) {
        let mut open: Vec<GateId> = roots.iter().map(|l| l.gate()).collect();
        while let Some(g) = open.pop() {
            if !std::mem::replace(&mut inside[g.0 as usize], true) {
                self.fanin(g, |l| open.push(l.gate()));
                self.state_fanin(g, |l| open.push(l.gate()));
            }
        }
    }

    /// Drops every gate, register, latch, memory and free value that neither outputs nor asserts
    /// depend on, and the nets that name one of them. Inputs stay. If one bit of a net that carries
    /// state stays, all its bits do, so that a register never loses its name.
    pub fn compact(&mut self) {
        let mut roots: Vec<Lit> = self.outputs.iter().flat_map(|n| n.bits.iter().copied()).collect();
        for a in &self.asserts {
            roots.extend([a.enable, a.condition, a.trigger]);
            roots.extend(a.clock);
        }
        roots.extend(self.inputs.iter().flat_map(|n| n.bits.iter().copied()));
        roots.push(Lit::FALSE);
        let mut keep = self.cone(&roots);
        loop {
            let state =
                self.registers.iter().map(|r| (r.gate, r.net)).chain(self.latches.iter().map(|l| (l.gate, l.net)));
            let whole = state.filter(|(g, _)| keep[g.0 as usize]).flat_map(|(_, n)| &self.nets[n.0 as usize].bits);
            let missing: Vec<Lit> = whole.filter(|l| !keep[l.gate().0 as usize]).copied().collect();
            if missing.is_empty() {
                break;
            }
            self.extend_cone(&mut keep, &missing);
        }
        self.retain(&keep);
    }

    /// Keeps the gates of `keep`, which is closed under dependence, and renumbers everything.
    fn retain(&mut self, keep: &[bool]) {
        let mut number = vec![0u32; self.gates.len()];
        let mut count = 0;
        for (i, k) in keep.iter().enumerate() {
            number[i] = count;
            count += *k as u32;
        }
        let lit = |l: &mut Lit| *l = Lit(number[l.gate().0 as usize] << 1 | l.complement() as u32);
        let kept = |g: GateId| keep[g.0 as usize];
        let gate = |g: &mut GateId| *g = GateId(number[g.0 as usize]);

        let net_number = retain_with_numbers(&mut self.nets, |n| n.bits.iter().all(|l| kept(l.gate())));
        let registers = retain_with_numbers(&mut self.registers, |r| kept(r.gate));
        let latches = retain_with_numbers(&mut self.latches, |r| kept(r.gate));
        let frees = retain_with_numbers(&mut self.frees, |r| kept(r.gate));
        // Read ports and memories stay if one of their gates does.
        let mut ports: FxHashMap<(u32, u32), u32> = FxHashMap::default();
        for (i, g) in self.gates.iter().enumerate() {
            if let (Gate::Read(m, p, _), true) = (g, keep[i]) {
                ports.insert((*m, *p), 0);
            }
        }
        let mut old = 0;
        let memories = retain_with_numbers(&mut self.memories, |m| {
            let mut p = 0;
            let mut fresh = 0;
            m.reads.retain(|_| {
                let port = ports.get_mut(&(old, p));
                p += 1;
                port.map(|n| (*n, fresh) = (fresh, fresh + 1)).is_some()
            });
            old += 1;
            !m.reads.is_empty()
        });

        let mut i = 0;
        self.spans.retain(|_| (keep[i], i += 1).0);
        i = 0;
        self.gates.retain(|_| (keep[i], i += 1).0);
        for g in &mut self.gates {
            match g {
                Gate::False | Gate::Input(..) => {}
                Gate::Free(n) => *n = frees[*n as usize],
                Gate::Register(n) => *n = registers[*n as usize],
                Gate::Latch(n) => *n = latches[*n as usize],
                Gate::Read(m, p, _) => (*m, *p) = (memories[*m as usize], ports[&(*m, *p)]),
                Gate::And(a, b) | Gate::Xor(a, b) => {
                    lit(a);
                    lit(b)
                }
                Gate::Mux(s, t, e) => {
                    lit(s);
                    lit(t);
                    lit(e)
                }
            }
        }
        let nets = self.nets.iter_mut().chain(&mut self.inputs).chain(&mut self.outputs);
        nets.flat_map(|n| &mut n.bits).for_each(lit);
        for r in &mut self.registers {
            gate(&mut r.gate);
            lit(&mut r.next);
            lit(&mut r.clock);
            r.asyncs.iter_mut().for_each(|(c, v)| (lit(c), lit(v)).0);
            r.net.0 = net_number[r.net.0 as usize];
        }
        for r in &mut self.latches {
            gate(&mut r.gate);
            lit(&mut r.enable);
            lit(&mut r.data);
            r.net.0 = net_number[r.net.0 as usize];
        }
        self.frees.iter_mut().for_each(|f| gate(&mut f.gate));
        for m in &mut self.memories {
            m.reads.iter_mut().flatten().for_each(lit);
            for w in &mut m.writes {
                lit(&mut w.clock);
                lit(&mut w.enable);
                w.addr.iter_mut().chain(&mut w.data).chain(&mut w.mask).for_each(lit);
            }
        }
        for a in &mut self.asserts {
            lit(&mut a.enable);
            lit(&mut a.condition);
            lit(&mut a.trigger);
            a.clock.iter_mut().for_each(lit);
        }
    }
}

/// Drops entries and gives for each old position its new one.
fn retain_with_numbers<T>(list: &mut Vec<T>, mut keep: impl FnMut(&mut T) -> bool) -> Vec<u32> {
    let mut numbers = Vec::with_capacity(list.len());
    let mut count = 0;
    list.retain_mut(|x| {
        let k = keep(x);
        numbers.push(count);
        count += k as u32;
        k
    });
    numbers
}
