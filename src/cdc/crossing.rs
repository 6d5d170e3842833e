//! Crossings: state that is written from another clock, and by what means.
//!
//! Each bit of state that reads another clock is a *capture*; its *launches* are the leaves of the other clocks in
//! front of it. What kind of capture it is follows from the structure alone.

use super::clocks::is_reset_name;
use super::domains::{DomainId, Domains, NONE};
use crate::net::{Gate, GateId, Lit, Netlist};
use crate::word::MONITOR;
use rustc_hash::{FxHashMap, FxHashSet};

/// State that captures.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum End {
    /// A register.
    Register(u32),
    /// A latch.
    Latch(u32),
    /// A write port of a memory: memory, port.
    Write(u32, u32),
}

/// How a bit is captured.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Means {
    /// Straight into a chain of registers of this length, which nothing else reads before its end.
    Chain(Vec<u32>),
    /// Through logic, into a chain of at least two.
    LogicChain(Vec<u32>),
    /// Only while this is 1, and held otherwise.
    Held(Lit),
    /// Through a latch.
    Latch(GateId),
    /// In any other way.
    Plain,
}

/// A bit of state that reads another clock.
#[derive(Clone, Debug)]
pub struct Capture {
    /// The state.
    pub end: End,
    /// Its domain.
    pub domain: DomainId,
    /// The domains it reads.
    pub sources: Vec<DomainId>,
    /// Leaves of those domains, in order.
    pub launches: Vec<GateId>,
    /// Gates between, and how many in a row.
    pub gates: usize,
    /// Longest way in gates, the launch included.
    pub length: u32,
    /// How it is captured.
    pub means: Means,
}

/// The structure around state bits that recognition needs.
pub struct Structure<'n> {
    /// The netlist.
    pub net: &'n Netlist,
    /// The domains.
    pub domains: &'n Domains,
    /// Gates that are hardware, not part of a check alone.
    pub hard: Vec<bool>,
    /// What a register reads while none of its asynchronous controls is active; otherwise they win.
    pub read: Vec<Lit>,
    /// The same without a synchronous reset in front of it.
    pub data: Vec<Lit>,
    /// Registers that read a gate with nothing between.
    direct: FxHashMap<GateId, Vec<u32>>,
    /// Gates with other readers.
    used: FxHashSet<GateId>,
    resets: FxHashSet<GateId>,
    /// Gates of a cone that are looked at.
    most: usize,
}

impl<'n> Structure<'n> {
    /// Looks around in what the outputs depend on: what only checks read is no hardware.
    pub fn new(net: &'n Netlist, domains: &'n Domains) -> Structure<'n> {
        let roots: Vec<Lit> = net.outputs.iter().flat_map(|o| o.bits.iter().copied()).collect();
        if roots.is_empty() {
            Structure::whole(net, domains)
        } else {
            Structure::within(net, domains, net.cone(&roots), MAX_CONE)
        }
    }

    /// Looks around in everything but the monitors of properties.
    pub fn whole(net: &'n Netlist, domains: &'n Domains) -> Structure<'n> {
        let mut hard = vec![true; net.gates.len()];
        for (gate, at) in
            net.registers.iter().map(|r| (r.gate, r.net)).chain(net.latches.iter().map(|l| (l.gate, l.net)))
        {
            hard[gate.0 as usize] = !net.nets[at.0 as usize].attrs.iter().any(|a| a.0 == MONITOR);
        }
        Structure::within(net, domains, hard, usize::MAX)
    }

    fn within(net: &'n Netlist, domains: &'n Domains, hard: Vec<bool>, most: usize) -> Structure<'n> {
        let mut s = Structure {
            net,
            domains,
            hard,
            read: Vec::new(),
            data: Vec::new(),
            direct: FxHashMap::default(),
            used: FxHashSet::default(),
            resets: FxHashSet::default(),
            most,
        };
        for r in &net.registers {
            let leaves: Vec<GateId> = r.asyncs.iter().map(|a| a.0.gate()).filter(|g| s.is_leaf(*g)).collect();
            s.resets.extend(leaves);
        }
        s.resets.extend(chain_resets(net));
        let mut passed = FxHashSet::default();
        for (r, domain) in net.registers.iter().zip(&domains.register) {
            let controls: Vec<Lit> = r.asyncs.iter().map(|a| a.0).collect();
            let d = s.settle(r.next, &controls, &mut passed);
            s.read.push(d);
            let d = s.strip(d, *domain, &mut passed);
            s.data.push(d);
        }
        for (i, r) in net.registers.iter().enumerate().filter(|(_, r)| s.hard[r.gate.0 as usize]) {
            s.direct.entry(s.data[i].gate()).or_default().push(i as u32);
            s.used.extend(r.asyncs.iter().flat_map(|a| [a.0.gate(), a.1.gate()]).chain([r.clock.gate()]));
        }
        for g in (0..net.gates.len() as u32).map(GateId).filter(|g| s.hard[g.0 as usize] && !passed.contains(g)) {
            net.fanin(g, |l| {
                s.used.insert(l.gate());
            });
        }
        for l in &net.latches {
            s.used.extend([l.data.gate(), l.enable.gate()]);
        }
        for w in net.memories.iter().flat_map(|m| &m.writes) {
            s.used.extend(w.addr.iter().chain(&w.data).chain(&w.mask).chain([&w.enable]).map(|l| l.gate()));
        }
        s.used.extend(net.outputs.iter().flat_map(|o| &o.bits).map(|l| l.gate()));
        // What stands behind a reset that logic reads is read by that logic.
        let hidden: Vec<GateId> = s.used.iter().copied().filter(|g| passed.contains(g)).collect();
        for g in hidden {
            let base = s.strip(Lit::new(g, false), NONE, &mut FxHashSet::default());
            s.used.insert(base.gate());
        }
        s
    }

    /// Whether a gate is a leaf.
    pub fn is_leaf(&self, g: GateId) -> bool {
        !matches!(self.net.gates[g.0 as usize], Gate::And(..) | Gate::Xor(..) | Gate::Mux(..))
    }

    /// Whether a literal is a reset, by its name or its use.
    pub fn is_reset(&self, l: Lit) -> bool {
        match self.net.gates[l.gate().0 as usize] {
            Gate::Input(p, _) => is_reset_name(&self.net.inputs[p as usize].name),
            Gate::Register(r) => {
                self.resets.contains(&l.gate())
                    || is_reset_name(&self.net.nets[self.net.registers[r as usize].net.0 as usize].name)
            }
            _ => self.resets.contains(&l.gate()),
        }
    }

    /// A literal while all of `off` are 0.
    fn settle(&self, l: Lit, off: &[Lit], passed: &mut FxHashSet<GateId>) -> Lit {
        let known = |l: Lit| match () {
            _ if off.contains(&l) => Some(false),
            _ if off.contains(&!l) => Some(true),
            _ => l.as_const(),
        };
        if let Some(v) = known(l) {
            return Lit::FALSE.xor(v);
        }
        let next = match self.net.gates[l.gate().0 as usize] {
            Gate::And(x, y) => match (known(x), known(y)) {
                (Some(false), _) | (_, Some(false)) => Lit::FALSE,
                (Some(true), _) => y,
                (_, Some(true)) => x,
                _ => return l,
            },
            Gate::Mux(s, t, e) => match known(s) {
                Some(true) => t,
                Some(false) => e,
                None => return l,
            },
            _ => return l,
        };
        passed.insert(l.gate());
        self.settle(next.xor(l.complement()), off, passed)
    }

    /// A literal without the synchronous resets in front of it; one of another clock is data like any other.
    fn strip(&self, l: Lit, domain: DomainId, passed: &mut FxHashSet<GateId>) -> Lit {
        let is_reset =
            |l: Lit| self.is_reset(l) && (domain == NONE || self.domains.foreign(l.gate(), domain).next().is_none());
        let next = match self.net.gates[l.gate().0 as usize] {
            Gate::And(x, y) if is_reset(x) => y,
            Gate::And(x, y) if is_reset(y) => x,
            Gate::Mux(s, t, e) if is_reset(s) && t.as_const().is_some() => e,
            Gate::Mux(s, t, e) if is_reset(s) && e.as_const().is_some() => t,
            _ => return l,
        };
        passed.insert(l.gate());
        self.strip(next.xor(l.complement()), domain, passed)
    }

    /// What a latch takes while it is open; front ends write `open ? data : itself`.
    pub fn latch_data(&self, i: usize) -> Lit {
        let l = &self.net.latches[i];
        self.settle(l.data, &[!l.enable], &mut FxHashSet::default())
    }

    /// The chain that begins with a register: each is read by the next alone.
    pub fn chain(&self, first: u32) -> Vec<u32> {
        let mut chain = vec![first];
        loop {
            let last = chain[chain.len() - 1];
            let g = self.net.registers[last as usize].gate;
            match self.direct.get(&g).map(Vec::as_slice) {
                Some([one])
                    if !self.used.contains(&g)
                        && !chain.contains(one)
                        && self.domains.register[*one as usize] == self.domains.register[first as usize] =>
                {
                    chain.push(*one);
                }
                _ => return chain,
            }
        }
    }

    /// Registers that read a gate with nothing between.
    pub fn readers(&self, g: GateId) -> &[u32] {
        self.direct.get(&g).map_or(&[], Vec::as_slice)
    }

    /// Whether anything but registers reads a gate.
    pub fn is_used(&self, g: GateId) -> bool {
        self.used.contains(&g)
    }

    /// If a register keeps its value unless something is 1: that, and what it takes then.
    pub fn hold(&self, r: u32) -> Option<(Lit, Lit)> {
        self.hold_of(r, self.data[r as usize])
    }

    /// The same if it read another literal.
    pub fn hold_of(&self, r: u32, d: Lit) -> Option<(Lit, Lit)> {
        let own = self.net.registers[r as usize].gate;
        match self.net.gates[d.gate().0 as usize] {
            Gate::Mux(s, t, e) if e.xor(d.complement()) == Lit::new(own, false) => Some((s, t.xor(d.complement()))),
            Gate::Mux(s, t, e) if t.xor(d.complement()) == Lit::new(own, false) => Some((!s, e.xor(d.complement()))),
            _ => None,
        }
    }

    /// All captures, in the order of their state.
    pub fn captures(&self) -> Vec<Capture> {
        let mut all = Vec::new();
        for i in (0..self.net.registers.len()).filter(|i| self.hard[self.net.registers[*i].gate.0 as usize]) {
            let mut c = self.capture(End::Register(i as u32), self.domains.register[i], &[self.data[i]]);
            if let Some(c) = &mut c
                && self.read[i] != self.data[i]
            {
                // A synchronous reset is no scheme, but it is a gate on the way.
                let cone = Cone::new(self, &[self.read[i]], c.domain);
                (c.launches, c.length) = (cone.launches, cone.length);
            }
            all.extend(c);
        }
        for (i, _) in self.net.latches.iter().enumerate().filter(|(_, l)| self.hard[l.gate.0 as usize]) {
            if let Some(d) = self.domains.latch[i] {
                all.extend(self.capture(End::Latch(i as u32), d, &[self.latch_data(i)]));
            }
        }
        for (m, mem) in self.net.memories.iter().enumerate() {
            for (p, w) in mem.writes.iter().enumerate() {
                let read: Vec<Lit> = w.addr.iter().chain(&w.data).chain(&w.mask).chain([&w.enable]).copied().collect();
                all.extend(self.capture(End::Write(m as u32, p as u32), self.domains.write[m][p], &read));
            }
        }
        all
    }

    fn capture(&self, end: End, domain: DomainId, read: &[Lit]) -> Option<Capture> {
        // What has no clock has a finding of its own.
        if domain == NONE {
            return None;
        }
        let mut sources: Vec<DomainId> = read.iter().flat_map(|l| self.domains.foreign(l.gate(), domain)).collect();
        sources.sort_unstable();
        sources.dedup();
        if sources.is_empty() {
            return None;
        }
        let cone = Cone::new(self, read, domain);
        let means = match end {
            _ if cone.latch.is_some() => Means::Latch(cone.latch?),
            End::Register(r) => self.means(r, domain, &cone),
            End::Latch(l) => Means::Latch(self.net.latches[l as usize].gate),
            _ => Means::Plain,
        };
        let (gates, length) = (cone.gates, cone.length);
        Some(Capture { end, domain, sources, launches: cone.launches, gates, length, means })
    }

    fn means(&self, r: u32, domain: DomainId, cone: &Cone) -> Means {
        let apart = |l: Lit| self.domains.foreign(l.gate(), domain).next().is_some();
        let chain = self.chain(r);
        // A word of a memory is chosen by its address, which is logic.
        if cone.gates == 0 && !matches!(self.net.gates[self.data[r as usize].gate().0 as usize], Gate::Read(..)) {
            return Means::Chain(chain);
        }
        if let Some((enable, _)) = self.hold(r).filter(|(enable, _)| !apart(*enable)) {
            return Means::Held(enable);
        }
        if chain.len() > 1 { Means::LogicChain(chain) } else { Means::Plain }
    }

    /// Senders of other clocks in front of a literal.
    pub fn senders(&self, l: Lit, domain: DomainId) -> Vec<GateId> {
        Cone::new(self, &[l], domain).launches
    }

    /// Whether own signals choose among foreign ones.
    pub fn is_selection(&self, l: Lit, domain: DomainId, depth: u32) -> bool {
        let apart = |l: Lit| self.domains.foreign(l.gate(), domain).next().is_some();
        if depth > 40 {
            return false;
        }
        match self.net.gates[l.gate().0 as usize] {
            _ if !apart(l) => true,
            Gate::Mux(s, t, e) => {
                !apart(s) && self.is_selection(t, domain, depth + 1) && self.is_selection(e, domain, depth + 1)
            }
            // One word of an and-or selection, or the or of several.
            Gate::And(x, y) if !apart(x) => self.is_selection(y, domain, depth + 1),
            Gate::And(x, y) if !apart(y) => self.is_selection(x, domain, depth + 1),
            Gate::And(x, y) => {
                l.complement() && self.is_selection(x, domain, depth + 1) && self.is_selection(y, domain, depth + 1)
            }
            Gate::Xor(..) => false,
            Gate::Read(m, p, _) => !self.net.memories[m as usize].reads[p as usize].iter().any(|l| apart(*l)),
            _ => true,
        }
    }
}

/// What of other clocks stands in front of some literals.
struct Cone {
    launches: Vec<GateId>,
    gates: usize,
    length: u32,
    latch: Option<GateId>,
}

/// For rules, larger cones are not looked through to their end: what is wrong with them shows before. Models need all.
const MAX_CONE: usize = 20_000;

impl Cone {
    fn new(s: &Structure, read: &[Lit], domain: DomainId) -> Cone {
        let mut c = Cone { launches: Vec::new(), gates: 0, length: 0, latch: None };
        // Longest ways first need all readers of a gate; indices fall towards the leaves.
        let mut far: std::collections::BTreeMap<GateId, u32> = read.iter().map(|l| (l.gate(), 1)).collect();
        let mut visited = 0;
        while let Some((g, length)) = far.pop_last() {
            if s.domains.foreign(g, domain).next().is_none() || visited > s.most {
                continue;
            }
            visited += 1;
            if let Gate::Latch(l) = s.net.gates[g.0 as usize] {
                c.latch = Some(g);
                if s.domains.latch[l as usize].is_none() {
                    // It passes on what it reads: its own output is what changes.
                    c.launches.push(g);
                    c.length = c.length.max(length);
                    continue;
                }
            }
            if s.is_leaf(g) {
                c.length = c.length.max(length);
                c.launches.push(g);
                if !matches!(s.net.gates[g.0 as usize], Gate::Read(..)) {
                    continue;
                }
            } else {
                c.gates += 1;
            }
            s.net.fanin(g, |l| {
                let at = far.entry(l.gate()).or_insert(0);
                *at = (*at).max(length + 1);
            });
        }
        c.launches.sort_unstable();
        c.launches.dedup();
        c
    }
}

impl Structure<'_> {
    /// Whether a register is used as an asynchronous reset.
    pub fn resets_of(&self, g: GateId) -> bool {
        self.resets.contains(&g)
    }
}

/// If a literal forces the value of another: that one, and what is left.
fn forced(net: &Netlist, l: Lit) -> Vec<(GateId, Lit)> {
    match net.gates[l.gate().0 as usize] {
        Gate::And(x, y) => vec![(x.gate(), y), (y.gate(), x)],
        Gate::Mux(s, t, e) if t.as_const().is_some() => vec![(s.gate(), e)],
        Gate::Mux(s, t, e) if e.as_const().is_some() => vec![(s.gate(), t)],
        _ => Vec::new(),
    }
}

/// Gates that force two registers of a shift chain: synchronous resets, whatever they are called and made of.
fn chain_resets(net: &Netlist) -> Vec<GateId> {
    let mut found = Vec::new();
    for r in &net.registers {
        for (by, left) in forced(net, r.next) {
            if let Gate::Register(before) = net.gates[left.gate().0 as usize]
                && forced(net, net.registers[before as usize].next).iter().any(|f| f.0 == by)
                && net.registers[before as usize].gate != r.gate
            {
                found.push(by);
            }
        }
    }
    found
}
