//! Control flow: branches merged by multiplexers, loops unrolled, leaving early by flags under which
//! the rest is skipped.

use super::env::{Env, Key};
use super::*;

impl Machine {
    /// The condition under which control has already left.
    pub fn left(&mut self) -> NodeId {
        let mut any = self.d.bool(false);
        for i in 0..self.env.control.flags.len() {
            let f = self.env.control.flags[i];
            if let Some(n) = self.env.get(Key::Flag(f)) {
                any = self.d.or(any, n);
            }
        }
        any
    }

    /// The condition under which execution is here.
    pub fn path(&mut self) -> NodeId {
        match self.env.path {
            Some(p) => p,
            None => self.d.bool(true),
        }
    }

    /// Sets a flag, so that what it guards is skipped from here on.
    pub fn leave(&mut self, flag: u32) {
        let one = self.d.bool(true);
        self.env.set(Key::Flag(flag), one);
    }

    /// Merges what two branches changed, given the changes each led to.
    fn merge_branches(&mut self, cond: NodeId, a: Vec<(Key, NodeId)>, b: Vec<(Key, NodeId)>) {
        let mut keys: Vec<Key> = a.iter().chain(&b).map(|(k, _)| *k).collect();
        keys.sort();
        keys.dedup();
        let a: FxHashMap<Key, NodeId> = a.into_iter().collect();
        let b: FxHashMap<Key, NodeId> = b.into_iter().collect();
        for k in keys {
            let before = match self.env.get(k) {
                Some(n) => n,
                // A local born inside the branch dies with it.
                None if matches!(k, Key::Local(_)) => continue,
                None => self.base(k),
            };
            let (x, y) = (a.get(&k).copied().unwrap_or(before), b.get(&k).copied().unwrap_or(before));
            let merged = self.d.mux(cond, x, y);
            self.env.set(k, merged);
        }
    }
}

/// A front end in the middle of executing statements.
pub trait Flow: Sized {
    fn machine(&mut self) -> &mut Machine;

    /// Runs two branches under a condition and merges what they changed.
    fn branch(
        &mut self,
        cond: NodeId,
        then: impl FnOnce(&mut Self) -> Res<()>,
        other: impl FnOnce(&mut Self) -> Res<()>,
    ) -> Res<()> {
        match self.machine().d.as_bool(cond) {
            Some(true) => return then(self),
            Some(false) => return other(self),
            None => {}
        }
        let m = self.machine();
        let outer = m.env.path;
        let path = m.path();
        let mark = m.env.mark();
        m.env.path = Some(m.d.and(path, cond));
        then(self)?;
        let m = self.machine();
        let a = m.env.undo(mark);
        let not = m.d.not(cond);
        m.env.path = Some(m.d.and(path, not));
        other(self)?;
        let m = self.machine();
        let b = m.env.undo(mark);
        m.env.path = outer;
        m.merge_branches(cond, a, b);
        Ok(())
    }

    /// Runs a statement where control has not left yet.
    fn unless_left(&mut self, f: impl FnOnce(&mut Self) -> Res<()>) -> Res<()> {
        let m = self.machine();
        let left = m.left();
        match m.d.as_bool(left) {
            Some(true) => Ok(()),
            Some(false) => f(self),
            None => {
                let live = m.d.not(left);
                self.branch(live, f, |_| Ok(()))
            }
        }
    }

    /// Runs statements in order. Where control may have left, all that follow run in one branch, in which
    /// it has not: so what they assign and read again is not blurred by the question.
    fn sequence<T>(&mut self, items: &[T], f: &mut dyn FnMut(&mut Self, &T) -> Res<()>) -> Res<()> {
        for (i, item) in items.iter().enumerate() {
            let m = self.machine();
            let left = m.left();
            match m.d.as_bool(left) {
                Some(true) => return Ok(()),
                Some(false) => f(self, item)?,
                None => {
                    let live = m.d.not(left);
                    let rest = |e: &mut Self| {
                        let m = e.machine();
                        let no = m.d.bool(false);
                        for n in 0..m.env.control.flags.len() {
                            let flag = Key::Flag(m.env.control.flags[n]);
                            if m.env.get(flag).is_some() {
                                m.env.set(flag, no);
                            }
                        }
                        e.sequence(&items[i..], f)
                    };
                    return self.branch(live, rest, |_| Ok(()));
                }
            }
        }
        Ok(())
    }

    /// Runs what a `break` can leave; `f` gets the flag that does.
    fn breakable(&mut self, f: impl FnOnce(&mut Self, u32) -> Res<()>) -> Res<()> {
        let env = &mut self.machine().env;
        let brk = env.fresh();
        env.control.flags.push(brk);
        let r = f(self, brk);
        self.machine().env.control.flags.pop();
        r
    }

    /// Runs one round of a loop that the flag `brk` leaves.
    fn round(&mut self, brk: u32, f: impl FnOnce(&mut Self) -> Res<()>) -> Res<()> {
        let env = &mut self.machine().env;
        let cont = env.fresh();
        env.control.flags.push(cont);
        env.control.loops.push((brk, cont));
        let r = f(self);
        let env = &mut self.machine().env;
        env.control.loops.pop();
        env.control.flags.pop();
        r
    }

    /// Unrolls a loop. A condition that is not constant is a `break` under its negation; the loop
    /// must still end, that is, the condition must become constant false in time.
    ///
    /// `held` names the variables the step assigns: they keep the value they had when the loop was
    /// left, although the step runs on so that bounds stay constant.
    fn unroll(
        &mut self,
        span: Span,
        body_first: bool,
        mut cond: impl FnMut(&mut Self) -> Res<Option<NodeId>>,
        mut body: impl FnMut(&mut Self) -> Res<()>,
        mut step: impl FnMut(&mut Self) -> Res<()>,
        mut held: impl FnMut(&mut Self) -> Vec<(Key, NodeId)>,
    ) -> Res<()> {
        // Values the step variables had when a break became possible, with its condition.
        let mut exits: Vec<(NodeId, Vec<(Key, NodeId)>)> = Vec::new();
        self.breakable(|e, brk| {
            let mut iterations = 0u32;
            loop {
                if !(body_first && iterations == 0)
                    && let Some(c) = cond(e)?
                {
                    match e.machine().d.as_bool(c) {
                        Some(false) => return Ok(()),
                        Some(true) => {}
                        None => {
                            let m = e.machine();
                            let stop = m.d.not(c);
                            let old = m.env.get(Key::Flag(brk)).unwrap_or_else(|| m.d.bool(false));
                            let now = m.d.or(old, stop);
                            m.env.set(Key::Flag(brk), now);
                            exits.push((now, held(e)));
                        }
                    }
                }
                if iterations >= MAX_ITERATIONS {
                    return error(
                        codes::E0302,
                        format!("the loop does not end within {MAX_ITERATIONS} rounds"),
                        span,
                        "bounds must be constant",
                    );
                }
                iterations += 1;
                e.round(brk, &mut body)?;
                let left = e.machine().left();
                match e.machine().d.as_bool(left) {
                    Some(true) => return Ok(()),
                    Some(false) => {}
                    None => exits.push((left, held(e))),
                }
                // The step runs whether or not a break was possible, so that bounds stay constant.
                step(e)?;
            }
        })?;
        let m = self.machine();
        for (left, values) in exits.into_iter().rev() {
            for (k, v) in values {
                if let Some(now) = m.env.get(k) {
                    let merged = m.d.mux(left, v, now);
                    m.env.set(k, merged);
                }
            }
        }
        Ok(())
    }

    /// Runs `f` as the body of a fresh process and returns its record and final values.
    fn run_process(&mut self, process: Process, f: impl FnOnce(&mut Self) -> Res<()>) -> Res<(Process, Env)> {
        let m = self.machine();
        m.env = Env::default();
        m.proc = Some(process);
        let r = f(self);
        let m = self.machine();
        let env = std::mem::take(&mut m.env);
        let process = m.proc.take().expect("set above");
        r.map(|()| (process, env))
    }
}
