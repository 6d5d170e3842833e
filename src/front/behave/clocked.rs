//! What a clocked process leaves behind: registers with their asynchronous controls, write ports.

use super::env::{Env, Key};
use super::process::{MemWrite, Process};
use super::*;
use crate::word::{AsyncControl, Edge, Op, Register, Source, WritePort};

/// The edge at which a process works.
pub struct Clock {
    pub node: NodeId,
    pub edge: Edge,
    /// A condition on the edge.
    pub iff: Option<NodeId>,
}

/// A level that forces values at once, with the values the process leaves under it.
pub struct Control {
    pub active: NodeId,
    pub env: Env,
    pub span: Span,
}

impl Machine {
    /// Registers and write ports of a clocked process.
    pub fn settle_clocked(&mut self, process: Process, env: &Env, clock: &Clock, controls: &[Control]) -> Res<()> {
        for mut a in process.asserts {
            a.clock = Some((clock.node, clock.edge));
            self.d.asserts.push(a);
        }
        if !controls.is_empty()
            && let Some(w) = process.mem_writes.first()
        {
            return error(
                codes::E0405,
                "a memory is written in a process with an asynchronous control",
                w.span,
                "give it a process of its own",
            );
        }
        self.write_ports(process.mem_writes, clock);
        for (v, t) in &process.touched {
            let mut next = self.final_value(env, *v, t)?;
            if let Some(c) = clock.iff {
                let hold = self.base(Key::Now(*v));
                next = self.d.mux(c, next, hold);
            }
            // The value each asynchronous control forces.
            let mut forced = Vec::new();
            for c in controls {
                forced.push((c.active, self.final_value(&c.env, *v, t)?, c.span));
            }
            for (lo, w) in t.merged() {
                let part = self.d.slice(next, lo, w);
                self.register(*v, lo, w, part, clock, &forced, t.span());
            }
        }
        Ok(())
    }

    /// The memory ports of a clocked process.
    pub fn write_ports(&mut self, writes: Vec<MemWrite>, clock: &Clock) {
        let earlier: Vec<usize> = self.d.memories.iter().map(|m| m.writes.len()).collect();
        for mut w in writes {
            let before = earlier[w.memory.index()];
            self.free_collisions(&mut w, before, clock);
            let enable = match clock.iff {
                Some(c) => self.d.and(c, w.enable),
                None => w.enable,
            };
            let port = WritePort {
                clock: clock.node,
                edge: clock.edge,
                enable,
                addr: w.addr,
                data: w.data,
                mask: w.mask,
                span: w.span,
            };
            self.d.memories[w.memory.index()].writes.push(port);
        }
    }

    /// Two processes that write one word at one edge do so in no defined order: what both write is
    /// anything.
    fn free_collisions(&mut self, w: &mut MemWrite, earlier: usize, clock: &Clock) {
        for i in 0..earlier {
            let p = self.d.memories[w.memory.index()].writes[i].clone();
            if (p.clock, p.edge) != (clock.node, clock.edge) {
                continue;
            }
            let same = self.d.eq(p.addr, w.addr);
            let both = self.d.and(p.enable, w.enable);
            let hit = self.d.and(same, both);
            let overlap = self.d.and(p.mask, w.mask);
            let width = self.d.width(w.data);
            let (free, keep) = (self.d.undef(width), self.d.not(overlap));
            let (a, b) = (self.d.and(free, overlap), self.d.and(w.data, keep));
            let mixed = self.d.or(a, b);
            w.data = self.d.mux(hit, mixed, w.data);
        }
    }

    /// Splits where only some bits have an asynchronous control, and adds the registers.
    #[allow(clippy::too_many_arguments)]
    pub fn register(
        &mut self,
        v: VarId,
        lo: u32,
        w: u32,
        next: NodeId,
        clock: &Clock,
        forced: &[(NodeId, NodeId, Span)],
        span: Span,
    ) {
        let signal = self.vars[v.index()].signal;
        // Which bits each control leaves alone.
        let hold = self.base(Key::Now(v));
        let keeps = |e: &mut Self, bit: u32| -> Vec<bool> {
            forced
                .iter()
                .map(|(_, value, _)| {
                    let (a, b) = (e.d.slice(*value, bit, 1), e.d.slice(hold, bit, 1));
                    a == b
                })
                .collect()
        };
        let mut i = lo;
        while i < lo + w {
            let k = keeps(self, i);
            let mut j = i + 1;
            while j < lo + w && (forced.is_empty() || keeps(self, j) == k) {
                j += 1;
            }
            let mut asyncs = Vec::new();
            for ((active, value, at), keep) in forced.iter().zip(&k) {
                if *keep {
                    continue;
                }
                let value = self.d.slice(*value, i, j - i);
                if self.d.as_const(value).is_none() && !matches!(self.d.op(value), Op::Undef(_)) {
                    self.warn(
                        Diagnostic::warning(codes::W0509, "an asynchronous control loads a value that is not constant")
                            .at(span, "the register follows this value while the control is active")
                            .also(*at, "asynchronous control"),
                    );
                }
                asyncs.push(AsyncControl { condition: *active, value });
            }
            let part = self.d.slice(next, i - lo, j - i);
            let init = self.init_of(v, i, j - i);
            self.d.registers.push(Register {
                signal,
                lo: i,
                width: j - i,
                clock: clock.node,
                edge: clock.edge,
                next: part,
                asyncs,
                init,
                span,
            });
            let n = self.d.registers.len() as u32 - 1;
            self.drive(v, i, j - i, Source::Register(n), span);
            i = j;
        }
    }
}
