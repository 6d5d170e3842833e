//! Decision diagrams: a thin service over `oxidd`, and the tools around it.
//!
//! A [`Space`] has a fixed number of variables, whose numbers are their places in the order, and room for a
//! fixed number of nodes. Running out of room is a value ([`Full`]), never a panic; whoever needs a larger
//! space or another order takes the diagrams out as plain [`Decisions`], makes a new space and puts them in
//! again. This room knows no hardware.

mod plain;
pub mod recheck;
pub mod sift;

pub use plain::Decisions;

use oxidd::bcdd::{BCDDFunction, BCDDManagerRef, new_manager};
use oxidd::util::AllocResult;
use oxidd::{
    BooleanFunction, BooleanFunctionQuant, BooleanOperator, Edge, Function, FunctionSubst, HasLevel, HasWorkers,
    InnerNode, Manager, ManagerRef, Node, Subst, WorkerPool,
};
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// A space has no room for a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Full;

/// A function of the space it was made in.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Func(BCDDFunction);

/// A result, if there was room for it.
pub type Made<T = Func> = Result<T, Full>;

/// Which variables take the place of which.
pub struct Renaming(Subst<BCDDFunction>);

/// Diagrams over the same variables.
#[derive(Clone)]
pub struct Space {
    manager: BCDDManagerRef,
    vars: u32,
    capacity: usize,
    _end: Arc<End>,
}

/// Sees to it that no manager goes too soon: one that goes before its collector waits for work is never freed,
/// since the call that should end the collector is lost (`oxidd` 0.11). Young ones are kept for a while.
struct End {
    manager: BCDDManagerRef,
    born: Instant,
}

static YOUNG: Mutex<Vec<(Instant, BCDDManagerRef)>> = Mutex::new(Vec::new());
const OLD: Duration = Duration::from_millis(20);

impl Drop for End {
    fn drop(&mut self) {
        let mut young = YOUNG.lock().unwrap_or_else(|e| e.into_inner());
        young.retain(|(born, _)| born.elapsed() < OLD);
        if self.born.elapsed() < OLD {
            young.push((self.born, self.manager.clone()));
        }
    }
}

impl Space {
    /// A space of that many variables with room for that many nodes.
    pub fn new(vars: u32, capacity: usize) -> Space {
        let capacity = capacity.clamp(1 << 10, 1 << 31);
        // The cache is written once at the start, so a small space must have a small one.
        let cache = (capacity / 2).clamp(1 << 10, 1 << 24);
        let manager = new_manager(capacity, cache, 1);
        manager.with_manager_exclusive(|m| m.add_vars(vars));
        let _end = Arc::new(End { manager: manager.clone(), born: Instant::now() });
        Space { manager, vars, capacity, _end }
    }

    /// Does work in the space's own thread. All that makes diagrams belongs in here, for two reasons: that
    /// thread has a stack for the deepest recursion, and `oxidd` keeps free slots per thread under the address
    /// of the manager, which another manager may have later; this thread ends with its manager.
    pub fn run<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        self.manager.with_manager_shared(|m| m.workers().install(work))
    }

    /// Number of variables.
    pub fn vars(&self) -> u32 {
        self.vars
    }

    /// Room for nodes.
    pub fn capacity(&self) -> usize {
        self.capacity
    }

    /// Nodes there are, dead ones among them.
    pub fn nodes(&self) -> usize {
        self.manager.with_manager_shared(|m| m.num_inner_nodes())
    }

    /// Removes dead nodes, and forgets all results.
    pub fn collect(&self) {
        self.manager.with_manager_shared(|m| m.gc());
    }

    /// An operation; if there is no room, once more without the dead nodes.
    fn make(&self, op: impl Fn() -> AllocResult<BCDDFunction>) -> Made {
        if let Ok(f) = op() {
            return Ok(Func(f));
        }
        self.collect();
        op().map(Func).map_err(|_| Full)
    }

    /// 1.
    pub fn yes(&self) -> Func {
        Func(self.manager.with_manager_shared(|m| BCDDFunction::t(m)))
    }

    /// 0.
    pub fn no(&self) -> Func {
        Func(self.manager.with_manager_shared(|m| BCDDFunction::f(m)))
    }

    /// A constant.
    pub fn constant(&self, value: bool) -> Func {
        if value { self.yes() } else { self.no() }
    }

    /// Whether it is 0.
    pub fn is_no(&self, a: &Func) -> bool {
        !a.0.satisfiable()
    }

    /// Whether it is 1.
    pub fn is_yes(&self, a: &Func) -> bool {
        a.0.valid()
    }

    /// A variable.
    pub fn var(&self, v: u32) -> Made {
        self.make(|| self.manager.with_manager_shared(|m| BCDDFunction::var(m, v)))
    }

    /// A variable or its complement.
    pub fn literal(&self, v: u32, value: bool) -> Made {
        let f = self.var(v)?;
        Ok(if value { f } else { self.not(&f) })
    }

    /// `!a`; edges carry complements, so this makes no node.
    pub fn not(&self, a: &Func) -> Func {
        match a.0.not() {
            Ok(f) => Func(f),
            Err(_) => unreachable!("a complement takes no room"),
        }
    }

    /// `a & b`.
    pub fn and(&self, a: &Func, b: &Func) -> Made {
        self.make(|| a.0.and(&b.0))
    }

    /// `a | b`.
    pub fn or(&self, a: &Func, b: &Func) -> Made {
        self.make(|| a.0.or(&b.0))
    }

    /// `a & !b`.
    pub fn without(&self, a: &Func, b: &Func) -> Made {
        let b = self.not(b);
        self.and(a, &b)
    }

    /// `a == b`.
    pub fn equal(&self, a: &Func, b: &Func) -> Made {
        self.make(|| a.0.equiv(&b.0))
    }

    /// `s ? t : e`.
    pub fn ite(&self, s: &Func, t: &Func, e: &Func) -> Made {
        self.make(|| s.0.ite(&t.0, &e.0))
    }

    /// Whether some values of `vars` make it 1.
    pub fn exists(&self, a: &Func, vars: &Func) -> Made {
        self.make(|| a.0.exists(&vars.0))
    }

    /// Whether some values of `vars` make both 1.
    pub fn and_exists(&self, a: &Func, b: &Func, vars: &Func) -> Made {
        self.make(|| a.0.apply_exists(BooleanOperator::And, &b.0, &vars.0))
    }

    /// A function with some variables fixed as a [`Space::point`] says.
    pub fn cofactor(&self, a: &Func, point: &Func) -> Made {
        self.make(|| a.0.restrict(&point.0))
    }

    /// 1 where each of these variables has its value.
    pub fn point(&self, values: &[(u32, bool)]) -> Made {
        let mut sorted = values.to_vec();
        // From below, each step adds one node.
        sorted.sort_unstable_by_key(|v| std::cmp::Reverse(v.0));
        let mut all = self.yes();
        for (v, value) in sorted {
            all = self.and(&self.literal(v, value)?, &all)?;
        }
        Ok(all)
    }

    /// A set of variables, for quantification.
    pub fn set(&self, vars: &[u32]) -> Made {
        let values: Vec<(u32, bool)> = vars.iter().map(|v| (*v, true)).collect();
        self.point(&values)
    }

    /// `from` becomes `to`.
    pub fn renaming(&self, pairs: &[(u32, u32)]) -> Made<Renaming> {
        let to: Result<Vec<BCDDFunction>, Full> = pairs.iter().map(|p| Ok(self.var(p.1)?.0)).collect();
        Ok(Renaming(Subst::new(pairs.iter().map(|p| p.0).collect(), to?)))
    }

    /// A function of other variables.
    pub fn rename(&self, a: &Func, by: &Renaming) -> Made {
        self.make(|| a.0.substitute(&by.0))
    }

    /// A function with variables replaced by functions, all at once.
    pub fn compose(&self, a: &Func, by: &[(u32, &Func)]) -> Made {
        if by.is_empty() {
            return Ok(a.clone());
        }
        let subst = Subst::new(
            by.iter().map(|p| p.0).collect::<Vec<u32>>(),
            by.iter().map(|p| p.1.0.clone()).collect::<Vec<_>>(),
        );
        self.make(|| a.0.substitute(&subst))
    }

    /// Nodes of a function.
    pub fn size(&self, a: &Func) -> usize {
        a.0.node_count()
    }

    /// Variables a function depends on, in order.
    pub fn support(&self, a: &Func) -> Vec<u32> {
        let mut used = vec![false; self.vars as usize];
        self.walk(a, |v, _, _| used[v as usize] = true);
        (0..self.vars).filter(|v| used[*v as usize]).collect()
    }

    /// Values of some variables that make it 1, whatever the others are.
    pub fn pick(&self, a: &Func) -> Option<Vec<(u32, bool)>> {
        let mut values = Vec::new();
        let mut at = a.0.clone();
        if !at.satisfiable() {
            return None;
        }
        while let Some((high, low)) = at.cofactors() {
            let v = at.with_manager_shared(|m, e| m.get_node(e).level());
            let down = low.satisfiable();
            values.push((v, !down));
            at = if down { low } else { high };
        }
        Some(values)
    }

    /// Visits each node with each of its polarities, children first: variable, low, high; returns the root's
    /// number. Nodes are numbered from 2 in the order of the visits.
    fn walk(&self, a: &Func, visit: impl FnMut(u32, u32, u32)) -> u32 {
        let mut w = Walk { seen: FxHashMap::default(), visit };
        a.0.with_manager_shared(|m, e| w.node(m, e, false))
    }

    /// Functions as plain data.
    pub fn export(&self, funcs: &[&Func]) -> Decisions {
        let mut out = Decisions::default();
        let Decisions { nodes, roots } = &mut out;
        let mut w = Walk { seen: FxHashMap::default(), visit: |v, low, high| nodes.push((v, low, high)) };
        for f in funcs {
            roots.push(f.0.with_manager_shared(|m, e| w.node(m, e, false)));
        }
        out
    }

    /// Functions from plain data; `place` gives each variable its place here.
    pub fn import(&self, from: &Decisions, place: &[u32]) -> Made<Vec<Func>> {
        let mut made = vec![self.no(), self.yes()];
        for &(v, low, high) in &from.nodes {
            let v = self.var(place[v as usize])?;
            let f = self.ite(&v, &made[high as usize], &made[low as usize])?;
            made.push(f);
        }
        Ok(from.roots.iter().map(|r| made[*r as usize].clone()).collect())
    }
}

struct Walk<V> {
    seen: FxHashMap<(usize, bool), u32>,
    visit: V,
}

impl<V: FnMut(u32, u32, u32)> Walk<V> {
    fn node<M: Manager>(&mut self, m: &M, e: &M::Edge, flip: bool) -> u32
    where
        M::InnerNode: HasLevel,
    {
        let flip = flip ^ (e.tag() != Default::default());
        let Node::Inner(n) = m.get_node(e) else { return !flip as u32 };
        if let Some(&k) = self.seen.get(&(e.node_id(), flip)) {
            return k;
        }
        let (high, low) = (n.child(0), n.child(1));
        let (low, high) = (self.node(m, &low, flip), self.node(m, &high, flip));
        (self.visit)(n.level(), low, high);
        let k = self.seen.len() as u32 + 2;
        self.seen.insert((e.node_id(), flip), k);
        k
    }
}
