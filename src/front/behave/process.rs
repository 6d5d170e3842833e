//! The record of one process: what it reads, assigns and asserts.

use super::env::{Env, Key};
use super::*;
use crate::word::{Drive, Source};
use std::collections::BTreeMap;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ProcKind {
    Comb,
    Clocked,
    Initial,
}

/// What a process says about latches.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Latches {
    /// They are what it is for.
    Wanted,
    /// It promises that there are none.
    Denied,
    /// Nothing.
    Unsaid,
}

/// Which bits of a variable a process assigns, and how.
#[derive(Default)]
pub struct Touch {
    /// Bits assigned with `=`, and the last place that did.
    blocking: Vec<(u32, u32)>,
    blocking_at: Option<Span>,
    /// The same for `<=`.
    nonblocking: Vec<(u32, u32)>,
    nonblocking_at: Option<Span>,
}

pub struct MemWrite {
    pub memory: crate::word::MemoryId,
    pub enable: NodeId,
    pub addr: NodeId,
    pub data: NodeId,
    pub mask: NodeId,
    pub blocking: bool,
    pub span: Span,
}

pub struct Process {
    kind: ProcKind,
    pub initial: bool,
    /// A second run: only values matter.
    pub quiet: bool,
    pub reads: FxHashSet<VarId>,
    pub touched: BTreeMap<VarId, Touch>,
    pub asserts: Vec<crate::word::Assert>,
    pub mem_writes: Vec<MemWrite>,
}

impl Process {
    pub fn new(kind: ProcKind) -> Process {
        Process {
            kind,
            initial: kind == ProcKind::Initial,
            quiet: false,
            reads: FxHashSet::default(),
            touched: BTreeMap::new(),
            asserts: Vec::new(),
            mem_writes: Vec::new(),
        }
    }

    pub fn is_comb(&self) -> bool {
        self.kind == ProcKind::Comb
    }

    pub fn touch(&mut self, v: VarId, lo: u32, width: u32, nonblocking: bool, span: Span) {
        let t = self.touched.entry(v).or_default();
        let (ranges, at) = if nonblocking {
            (&mut t.nonblocking, &mut t.nonblocking_at)
        } else {
            (&mut t.blocking, &mut t.blocking_at)
        };
        if width > 0 && !ranges.contains(&(lo, width)) {
            ranges.push((lo, width));
        }
        *at = Some(span);
    }
}

impl Touch {
    /// Disjoint, sorted, as few as possible.
    pub fn merged(&self) -> Vec<(u32, u32)> {
        let mut r = self.blocking.clone();
        r.extend(&self.nonblocking);
        r.sort();
        let mut out: Vec<(u32, u32)> = Vec::new();
        for (lo, w) in r {
            match out.last_mut() {
                Some((l, lw)) if lo <= *l + *lw => *lw = (*lw).max(lo + w - *l),
                _ => out.push((lo, w)),
            }
        }
        out
    }

    pub fn span(&self) -> Span {
        self.nonblocking_at.or(self.blocking_at).unwrap_or(Span::NONE)
    }
}

impl Machine {
    pub fn final_value(&mut self, env: &Env, v: VarId, t: &Touch) -> Res<NodeId> {
        if let (Some(a), Some(b)) = (t.blocking_at, t.nonblocking_at) {
            let clash = t.blocking.iter().any(|(x, w)| t.nonblocking.iter().any(|(y, u)| *x < y + u && *y < x + w));
            if clash {
                let name = self.d.signals[self.vars[v.index()].signal.index()].name.clone();
                let d = Diagnostic::error(
                    codes::E0412,
                    format!("`{name}` is assigned both with = and with <= in one process"),
                )
                .at(b, "non-blocking here")
                .also(a, "blocking here")
                .help("use one kind of assignment for it");
                return Err(Box::new(d));
            }
            // Different bits: each takes the value of its own kind.
            let hold = self.base(Key::Now(v));
            let next = env.get(Key::Next(v)).unwrap_or(hold);
            let mut all = env.get(Key::Now(v)).unwrap_or(hold);
            for (lo, w) in &t.nonblocking {
                let part = self.d.slice(next, *lo, *w);
                all = self.d.splice(all, *lo, part);
            }
            return Ok(all);
        }
        Ok(match env.get(Key::Next(v)).or(env.get(Key::Now(v))) {
            Some(n) => n,
            None => self.base(Key::Now(v)),
        })
    }

    pub fn drive(&mut self, v: VarId, lo: u32, width: u32, source: Source, span: Span) {
        let s = self.vars[v.index()].signal;
        self.d.signals[s.index()].drives.push(Drive { lo, width, source, span });
    }

    pub fn init_of(&self, v: VarId, lo: u32, w: u32) -> Bits {
        let var = &self.vars[v.index()];
        match &var.init {
            Some(b) => b.slice(lo, w),
            None if var.four_state => Bits::x(w),
            None => Bits::zero(w),
        }
    }

    /// Drives what a combinational process assigned.
    pub fn settle_comb(&mut self, process: Process, env: &Env, latches: Latches) -> Res<()> {
        if let Some(w) = process.mem_writes.first() {
            return error(
                codes::E0405,
                "a large memory is written outside a clocked process",
                w.span,
                "memories have clocked write ports",
            );
        }
        self.d.asserts.extend(process.asserts);
        for (v, t) in process.touched {
            let value = self.final_value(env, v, &t)?;
            for (lo, w) in t.merged() {
                self.drive_comb(v, lo, w, value, latches, t.span());
            }
        }
        Ok(())
    }
}
