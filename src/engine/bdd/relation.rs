//! The steps of one group as a relation: conjunctions of a few bits' functions each, and when to quantify.
//!
//! Only bits that the group writes have a value after the step; the others are neither quantified nor
//! renamed. The parts are put in an order in which variables can be quantified early (after Ranjan, Aziz,
//! Brayton, Plessier, Pixley, IWLS 1995), and neighbours are conjoined while they stay small.

use super::vars::{Builder, Vars};
use crate::bdd::{Func, Made, Renaming, Space};
use crate::model::Matrix;
use crate::net::Lit;

/// A set of steps.
pub struct Relation {
    clusters: Vec<Cluster>,
    /// What no cluster reads: before a step forward.
    unread: Func,
    /// What no cluster determines, such as a bit that takes an input of its own: before a step backward.
    unbound: Func,
    /// Written bits, before and after.
    to_now: Renaming,
    to_next: Renaming,
    inputs: Func,
    /// State bits that may change.
    pub written: Vec<usize>,
    /// Place of the topmost variable.
    pub top: u32,
}

struct Cluster {
    func: Func,
    /// Quantified with this cluster in a step forward.
    forward: Func,
    /// The same for a step backward.
    backward: Func,
}

struct Part {
    func: Func,
    support: Vec<u32>,
}

impl Relation {
    /// The relation of a group; with `also`, of its steps in which that is 1 (in the matrix's graph).
    pub fn new(
        space: &Space,
        vars: &Vars,
        matrix: &Matrix,
        group: usize,
        also: &[Lit],
        limit: usize,
    ) -> Made<Relation> {
        let g = &matrix.groups[group];
        let written: Vec<usize> = (0..g.row.len()).filter(|i| g.row[*i].writes()).collect();
        let mut builder = Builder::new(space, &matrix.aig, vars);
        let mut parts = Vec::new();
        for &i in &written {
            let f = builder.lit(g.next[i])?;
            let func = space.equal(&space.var(vars.next(i))?, &f)?;
            parts.push(Part { support: space.support(&func), func });
        }
        for l in g.allowed.iter().chain(also) {
            let func = builder.lit(*l)?;
            parts.push(Part { support: space.support(&func), func });
        }
        drop(builder);
        // What may be quantified in a step forward: inputs, and the old values of written bits.
        let mut free = vec![false; space.vars() as usize];
        vars.inputs().for_each(|v| free[v as usize] = true);
        written.iter().for_each(|i| free[vars.now(*i) as usize] = true);
        let parts = schedule(parts, &free);
        let is_input = |v: u32| vars.is_input(v);
        let parts = cluster(space, parts, &is_input, limit)?;

        let mut last: Vec<Option<usize>> = vec![None; space.vars() as usize];
        for (k, p) in parts.iter().enumerate() {
            p.support.iter().for_each(|v| last[*v as usize] = Some(k));
        }
        let read = |v: &u32| last[*v as usize].is_some();
        let unread: Vec<u32> = written.iter().map(|i| vars.now(*i)).filter(|v| !read(v)).collect();
        let unbound: Vec<u32> = written.iter().map(|i| vars.next(*i)).filter(|v| !read(v)).collect();
        let mut clusters = Vec::new();
        let top = parts.iter().filter_map(|p| p.support.first()).min().copied();
        let top = top.into_iter().chain(written.iter().map(|i| vars.now(*i))).min().unwrap_or(space.vars());
        for (k, p) in parts.into_iter().enumerate() {
            let done: Vec<u32> = p.support.iter().copied().filter(|v| last[*v as usize] == Some(k)).collect();
            let forward: Vec<u32> = done.iter().copied().filter(|v| free[*v as usize]).collect();
            let backward: Vec<u32> = done.into_iter().filter(|v| is_input(*v) || vars.is_next(*v)).collect();
            clusters.push(Cluster { func: p.func, forward: space.set(&forward)?, backward: space.set(&backward)? });
        }
        let pairs: Vec<(u32, u32)> = written.iter().map(|i| (vars.next(*i), vars.now(*i))).collect();
        let back: Vec<(u32, u32)> = pairs.iter().map(|p| (p.1, p.0)).collect();
        let inputs: Vec<u32> = vars.inputs().collect();
        Ok(Relation {
            clusters,
            unread: space.set(&unread)?,
            unbound: space.set(&unbound)?,
            to_now: space.renaming(&pairs)?,
            to_next: space.renaming(&back)?,
            inputs: space.set(&inputs)?,
            written,
            top,
        })
    }

    /// States after a step from one of these.
    pub fn image(&self, space: &Space, from: &Func) -> Made {
        let mut at = space.exists(from, &self.unread)?;
        for c in &self.clusters {
            if space.is_no(&at) {
                return Ok(at);
            }
            at = space.and_exists(&at, &c.func, &c.forward)?;
        }
        space.rename(&at, &self.to_now)
    }

    /// States before a step to one of these.
    pub fn preimage(&self, space: &Space, to: &Func) -> Made {
        let at = space.rename(to, &self.to_next)?;
        let mut at = space.exists(&at, &self.unbound)?;
        for c in &self.clusters {
            if space.is_no(&at) {
                return Ok(at);
            }
            at = space.and_exists(&at, &c.func, &c.backward)?;
        }
        Ok(at)
    }

    /// States before a step to this one.
    pub fn before(&self, space: &Space, vars: &Vars, state: &[bool]) -> Made {
        let kept = (0..state.len()).filter(|i| !self.written.contains(i));
        let kept: Vec<(u32, bool)> = kept.map(|i| (vars.now(i), state[i])).collect();
        let mut at = space.point(&kept)?;
        let after: Vec<(u32, bool)> = self.written.iter().map(|i| (vars.next(*i), state[*i])).collect();
        let after = space.point(&after)?;
        for c in &self.clusters {
            at = space.and(&at, &space.cofactor(&c.func, &after)?)?;
        }
        space.exists(&at, &self.inputs)
    }

    /// All functions, for finding an order.
    pub fn functions(&self) -> impl Iterator<Item = &Func> {
        self.clusters.iter().map(|c| &c.func)
    }
}

/// Puts parts in an order in which variables are done with early.
fn schedule(mut parts: Vec<Part>, free: &[bool]) -> Vec<Part> {
    // The choice looks at all pairs; with very many parts their own order must do.
    if parts.len() > 1500 {
        return parts;
    }
    let mut users = vec![0u32; free.len()];
    parts.iter().flat_map(|p| &p.support).for_each(|v| users[*v as usize] += 1);
    let mut inside = vec![false; free.len()];
    let mut out: Vec<Part> = Vec::new();
    while !parts.is_empty() {
        let score = |p: &Part| {
            let mut done = 0i64;
            let mut fresh = 0i64;
            let mut open = 0i64;
            for &v in &p.support {
                let v = v as usize;
                if free[v] {
                    if users[v] == 1 {
                        done += 1;
                    } else {
                        open += 1;
                    }
                    if !inside[v] {
                        fresh += 1;
                    }
                }
            }
            // Done with variables is best, and none new to keep; a small part does little harm.
            (4 * done - 2 * fresh - open, -(p.support.len() as i64))
        };
        let best = (0..parts.len()).max_by_key(|k| (score(&parts[*k]), std::cmp::Reverse(*k))).unwrap_or(0);
        let p = parts.remove(best);
        for &v in &p.support {
            users[v as usize] -= 1;
            inside[v as usize] = true;
        }
        out.push(p);
    }
    out
}

/// Conjoins neighbours while they stay small; inputs that occur nowhere else are quantified at once.
fn cluster(space: &Space, parts: Vec<Part>, is_input: &dyn Fn(u32) -> bool, limit: usize) -> Made<Vec<Part>> {
    let mut users = vec![0u32; space.vars() as usize];
    parts.iter().flat_map(|p| &p.support).for_each(|v| users[*v as usize] += 1);
    let mut out: Vec<Part> = Vec::new();
    for p in parts {
        if let Some(last) = out.last_mut()
            && space.size(&last.func) + space.size(&p.func) <= 2 * limit
        {
            let both = space.and(&last.func, &p.func)?;
            if space.size(&both) <= limit {
                let support = space.support(&both);
                // A variable of both has now one user less; one that is in neither result has none.
                for v in &last.support {
                    users[*v as usize] -= 1;
                }
                for v in &p.support {
                    users[*v as usize] -= 1;
                }
                support.iter().for_each(|v| users[*v as usize] += 1);
                *last = Part { func: both, support };
                hide(space, last, &mut users, is_input)?;
                continue;
            }
        }
        out.push(p);
        if let Some(last) = out.last_mut() {
            hide(space, last, &mut users, is_input)?;
        }
    }
    Ok(out)
}

/// Quantifies inputs that only this part has.
fn hide(space: &Space, part: &mut Part, users: &mut [u32], is_input: &dyn Fn(u32) -> bool) -> Made<()> {
    let own: Vec<u32> = part.support.iter().copied().filter(|v| is_input(*v) && users[*v as usize] == 1).collect();
    if !own.is_empty() {
        part.func = space.exists(&part.func, &space.set(&own)?)?;
        part.support.iter().for_each(|v| users[*v as usize] -= 1);
        part.support = space.support(&part.func);
        part.support.iter().for_each(|v| users[*v as usize] += 1);
    }
    Ok(())
}
