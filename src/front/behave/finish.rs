//! The last step: one driver for every bit, and what the user should know about the rest.

use super::*;
use crate::word::{Drive, Op, Role, Source};

impl Machine {
    /// Resolves every variable's drivers and reports what is missing or doubled.
    pub fn finish(&mut self) {
        for var in &self.vars {
            let s = &mut self.d.signals[var.signal.index()];
            if var.memory.is_some() {
                s.width = 0;
            } else if s.role == Role::Input {
                s.drives = vec![Drive { lo: 0, width: var.width, source: Source::Input, span: var.span }];
            }
        }
        for i in 0..self.vars.len() {
            self.resolve(VarId(i as u32));
        }
        self.drop_dead_state();
        self.latch_warnings();
    }

    /// Sorts a signal's drives, resolves tri-states, reports overlaps and fills gaps.
    fn resolve(&mut self, v: VarId) {
        let sig = self.vars[v.index()].signal;
        let width = self.d.signals[sig.index()].width;
        let mut drives = std::mem::take(&mut self.d.signals[sig.index()].drives);
        drives.sort_by_key(|d| (d.lo, d.width));
        let overlap = drives.windows(2).any(|w| w[0].lo + w[0].width > w[1].lo);
        let floats = drives.iter().any(|d| matches!(d.source, Source::Node(n) if self.floats(n)));
        if overlap || floats {
            drives = self.merge(v, drives, width, overlap);
        }
        let mut out: Vec<Drive> = Vec::new();
        let mut at = 0;
        let span = self.vars[v.index()].span;
        let mut gaps = Vec::new();
        let init = self.vars[v.index()].init.clone();
        let end = Drive { lo: width, width: 0, source: Source::Undriven, span };
        for d in drives.into_iter().chain([end]) {
            if d.lo > at {
                let (lo, width) = (at, d.lo - at);
                let source = match &init {
                    // Bits that are only ever initialised keep that value.
                    Some(b) => {
                        let n = self.literal(&b.slice(lo, width));
                        Source::Node(n)
                    }
                    None => {
                        gaps.push((lo, width));
                        Source::Undriven
                    }
                };
                out.push(Drive { lo, width, source, span });
            }
            at = d.lo + d.width;
            if d.width > 0 {
                out.push(d);
            }
        }
        self.d.signals[sig.index()].drives = out;
        if !gaps.is_empty() && !self.undriven_ok.contains(&v) && self.is_read(sig) {
            let name = self.d.signals[sig.index()].name.clone();
            let bits: Vec<String> = gaps
                .iter()
                .map(|(lo, w)| if *w == 1 { format!("{lo}") } else { format!("{}:{lo}", lo + w - 1) })
                .collect();
            let what = if gaps == [(0, width)] {
                format!("`{name}` has no driver")
            } else {
                format!("bits {} of `{name}` have no driver", bits.join(", "))
            };
            self.warn(
                Diagnostic::warning(codes::W0504, format!("{what}: its value is free"))
                    .at(span, "declared here, read but never driven"),
            );
        }
    }

    fn is_read(&mut self, s: SignalId) -> bool {
        if self.d.signals[s.index()].role == Role::Output {
            return true;
        }
        if self.read_signals.is_empty() {
            let reads = self.d.nodes.iter().filter_map(|n| match n.op {
                Op::Signal(s) => Some(s),
                _ => None,
            });
            self.read_signals = reads.collect();
        }
        self.read_signals.contains(&s)
    }

    /// Whether a driver can be "not driving".
    fn floats(&mut self, n: NodeId) -> bool {
        if let Some(f) = self.floating.get(&n) {
            return *f;
        }
        let f = match self.d.op(n).clone() {
            Op::HighZ => true,
            Op::Mux(_, a, b) => self.floats(a) || self.floats(b),
            Op::Concat(p) => p.iter().any(|x| self.floats(*x)),
            _ => false,
        };
        self.floating.insert(n, f);
        f
    }

    /// Several drivers of one bit: a tri-state bus, equal constants, or an error.
    fn merge(&mut self, v: VarId, drives: Vec<Drive>, width: u32, overlap: bool) -> Vec<Drive> {
        let mut cuts: Vec<u32> = drives.iter().flat_map(|d| [d.lo, d.lo + d.width]).collect();
        cuts.sort();
        cuts.dedup();
        let mut out = Vec::new();
        let mut reported = false;
        for c in cuts.windows(2) {
            let (lo, w) = (c[0], c[1] - c[0]);
            let here: Vec<&Drive> = drives.iter().filter(|d| d.lo <= lo && lo + w <= d.lo + d.width).collect();
            match here.as_slice() {
                [] => continue,
                [one] if !matches!(one.source, Source::Node(n) if self.floats(n)) => {
                    out.push(self.cut(one, lo, w));
                    continue;
                }
                _ => {}
            }
            let nodes: Option<Vec<NodeId>> = here
                .iter()
                .map(|d| match d.source {
                    Source::Node(n) => Some((n, d.lo)),
                    _ => None,
                })
                .map(|x| x.map(|(n, dlo)| self.d.slice(n, lo - dlo, w)))
                .collect();
            let span = here[0].span;
            if let Some(nodes) = nodes {
                if nodes.iter().all(|n| *n == nodes[0]) && self.d.as_const(nodes[0]).is_some() {
                    out.push(Drive { lo, width: w, source: Source::Node(nodes[0]), span });
                    continue;
                }
                let solid = nodes.iter().filter(|n| !self.floats(**n)).count();
                if solid == 0 {
                    let n = self.tristate(&nodes, w);
                    out.push(Drive { lo, width: w, source: Source::Node(n), span });
                    continue;
                }
            }
            if !reported && overlap {
                reported = true;
                let sig = self.vars[v.index()].signal;
                let name = self.d.signals[sig.index()].name.clone();
                let part = if w == width {
                    String::new()
                } else if w == 1 {
                    format!("[{lo}]")
                } else {
                    format!("[{}:{lo}]", lo + w - 1)
                };
                let mut d = Diagnostic::error(codes::E0501, format!("`{name}{part}` has {} drivers", here.len()))
                    .at(here[0].span, "first driver");
                for h in here.iter().skip(1).take(5) {
                    d = d.also(h.span, "also driven here");
                }
                d = d.also(self.vars[v.index()].span, "declared here");
                self.report(Box::new(d));
            }
            out.push(self.cut(here[0], lo, w));
        }
        out
    }

    fn cut(&mut self, d: &Drive, lo: u32, w: u32) -> Drive {
        let source = match d.source {
            Source::Node(n) => Source::Node(self.d.slice(n, lo - d.lo, w)),
            s => s,
        };
        Drive { lo, width: w, source, span: d.span }
    }

    /// The value of a bus: the or of what is driven; free when nobody drives or drivers fight.
    fn tristate(&mut self, nodes: &[NodeId], w: u32) -> NodeId {
        let mut value = self.d.uint(0, w);
        let mut any = self.d.uint(0, w);
        let mut fight = self.d.uint(0, w);
        for n in nodes {
            let (drive, data) = self.strength(*n, w);
            let on = self.d.and(drive, data);
            let differ = self.d.xor(value, on);
            let both = self.d.and(any, drive);
            let clash = self.d.and(both, differ);
            fight = self.d.or(fight, clash);
            value = self.d.or(value, on);
            any = self.d.or(any, drive);
        }
        let calm = self.d.not(fight);
        let known = self.d.and(any, calm);
        let free = self.d.undef(w);
        let unknown = self.d.not(known);
        let a = self.d.and(known, value);
        let b = self.d.and(unknown, free);
        self.d.or(a, b)
    }

    /// Per bit: whether it is driven, and with what.
    fn strength(&mut self, n: NodeId, w: u32) -> (NodeId, NodeId) {
        match self.d.op(n).clone() {
            Op::HighZ => (self.d.uint(0, w), self.d.uint(0, w)),
            Op::Mux(c, t, e) if self.floats(t) || self.floats(e) => {
                let ((dt, vt), (de, ve)) = (self.strength(t, w), self.strength(e, w));
                (self.d.mux(c, dt, de), self.d.mux(c, vt, ve))
            }
            Op::Concat(parts) if parts.iter().any(|p| self.floats(*p)) => {
                let (mut ds, mut vs) = (Vec::new(), Vec::new());
                for p in parts.iter() {
                    let pw = self.d.width(*p);
                    let (d, v) = self.strength(*p, pw);
                    ds.push(d);
                    vs.push(v);
                }
                (self.d.concat(&ds), self.d.concat(&vs))
            }
            _ => (self.d.constant(Bits::ones(w)), n),
        }
    }

    /// A temporary that is assigned in some branches and read only there is formally a latch, and a VHDL
    /// variable that is always written before it is read a register, whose value nobody sees. They
    /// go: their bits become free values nobody reads.
    fn drop_dead_state(&mut self) {
        if self.latch_kinds.is_empty() && self.temporaries.is_empty() {
            return;
        }
        let mut live: FxHashSet<SignalId> = FxHashSet::default();
        let mut nodes: FxHashSet<NodeId> = FxHashSet::default();
        let mut stack: Vec<NodeId> = Vec::new();
        let mut signals: Vec<SignalId> = self.d.outputs().collect();
        for a in &self.d.asserts {
            stack.extend([a.enable, a.condition, a.trigger]);
            stack.extend(a.clock.map(|c| c.0));
        }
        for m in &self.d.memories {
            for w in &m.writes {
                stack.extend([w.clock, w.enable, w.addr, w.data, w.mask]);
            }
        }
        for r in self.d.registers.iter().filter(|r| !self.temporaries.contains(&r.signal)) {
            signals.push(r.signal);
        }
        loop {
            while let Some(s) = signals.pop() {
                if !live.insert(s) {
                    continue;
                }
                for d in &self.d.signals[s.index()].drives {
                    match d.source {
                        Source::Node(n) => stack.push(n),
                        Source::Register(r) => {
                            let r = &self.d.registers[r as usize];
                            stack.extend([r.clock, r.next]);
                            stack.extend(r.asyncs.iter().flat_map(|a| [a.condition, a.value]));
                        }
                        Source::Latch(l) => {
                            let l = &self.d.latches[l as usize];
                            stack.extend([l.enable, l.data]);
                        }
                        _ => {}
                    }
                }
            }
            let Some(n) = stack.pop() else { break };
            if nodes.insert(n) {
                if let Op::Signal(s) = self.d.op(n) {
                    signals.push(*s);
                }
                self.d.op(n).operands(|a| stack.push(a));
            }
        }
        let mut keep: Vec<Option<u32>> = Vec::new();
        let mut kept = Vec::new();
        for (i, l) in std::mem::take(&mut self.d.latches).into_iter().enumerate() {
            let dead = self.latch_kinds.contains_key(&(i as u32)) && !live.contains(&l.signal);
            keep.push((!dead).then_some(kept.len() as u32));
            if !dead {
                kept.push(l);
            }
        }
        self.d.latches = kept;
        let mut registers = Vec::new();
        let mut kept_registers: Vec<Option<u32>> = Vec::new();
        for r in std::mem::take(&mut self.d.registers) {
            let dead = self.temporaries.contains(&r.signal) && !live.contains(&r.signal);
            kept_registers.push((!dead).then_some(registers.len() as u32));
            if !dead {
                registers.push(r);
            }
        }
        self.d.registers = registers;
        for (i, s) in self.d.signals.iter_mut().enumerate() {
            let id = SignalId(i as u32);
            let dead = self.temporaries.contains(&id) && !live.contains(&id);
            for d in &mut s.drives {
                d.source = match d.source {
                    Source::Node(_) if dead => Source::Undriven,
                    Source::Latch(l) => keep[l as usize].map_or(Source::Undriven, Source::Latch),
                    Source::Register(r) => kept_registers[r as usize].map_or(Source::Undriven, Source::Register),
                    other => other,
                };
            }
        }
        self.latch_kinds = self.latch_kinds.drain().filter_map(|(l, c)| keep[l as usize].map(|n| (n, c))).collect();
    }

    fn latch_warnings(&mut self) {
        let mut list: Vec<(u32, bool)> = self.latch_kinds.iter().map(|(l, c)| (*l, *c)).collect();
        list.sort();
        let mut seen = FxHashSet::default();
        for (l, comb) in list {
            let latch = &self.d.latches[l as usize];
            let (signal, span) = (latch.signal, latch.span);
            if !seen.insert(signal) {
                continue;
            }
            let name = self.d.signals[signal.index()].name.clone();
            let declared = self.d.signals[signal.index()].span;
            let d = if comb {
                Diagnostic::warning(codes::W0505, format!("always_comb infers a latch for `{name}`"))
            } else {
                Diagnostic::warning(codes::W0503, format!("a latch is inferred for `{name}`"))
            };
            self.warn(
                d.at(span, "not assigned on every path through this process")
                    .also(declared, "declared here")
                    .help("assign it at the start of the process, or use always_latch if a latch is meant"),
            );
        }
    }
}
