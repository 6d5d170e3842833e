//! One round of the search, in one space.

use super::relation::Relation;
use super::search::{Search, Step};
use super::vars::{Builder, Vars};
use super::*;
use crate::bdd::{Full, Func, Made, sift::sift};
use crate::net::Lit;

/// A round's surroundings.
pub struct Round<'a> {
    pub sys: &'a System,
    pub bad: Lit,
    pub matrix: &'a Matrix,
    pub engine: Bdd,
    pub ctl: &'a Control<'a>,
    pub space: &'a Space,
    pub vars: &'a Vars,
}

/// How a round ends.
pub enum End {
    Done(Outcome),
    Again(Saved),
}

/// Why a round cannot go on in its space.
enum Why {
    Room,
    Order,
}

impl Round<'_> {
    /// Runs until there is an answer, or the space no longer fits.
    pub fn go(&self, mut saved: Saved) -> End {
        let mut search = match self.begin(&saved) {
            Ok(s) => s,
            // Nothing was lost: the sets are still in `saved`.
            Err(Full) => return self.larger(saved),
        };
        search.stats = saved.stats.clone();
        let why = loop {
            if self.ctl.stop() {
                return End::Done(Outcome::of(Verdict::Unknown(self.ctl.reason()), search.stats));
            }
            match search.step(self) {
                Ok(Step::More) => (self.ctl.progress)("bdd", search.stats.depth),
                Ok(Step::Closed) => return End::Done(self.holds(&search)),
                Ok(Step::Met) => match self.path(&search) {
                    Ok(path) => return End::Done(Outcome::of(Verdict::Fails(path), search.stats)),
                    Err(Full) => break Why::Room,
                },
                Ok(Step::Stopped) => continue,
                Err(Full) => break Why::Room,
            }
            if let Some(why) = self.tidy(&search, &saved) {
                break why;
            }
        };
        saved.sets = Some((self.vars.clone(), self.space.export(&search.sets())));
        saved.stats = search.stats.clone();
        match why {
            Why::Room => self.larger(saved),
            Why::Order => {
                self.reorder(&search, &mut saved);
                End::Again(saved)
            }
        }
    }

    /// Removes dead nodes when there are many, and says when to move.
    fn tidy(&self, search: &Search, saved: &Saved) -> Option<Why> {
        let (nodes, capacity) = (self.space.nodes(), self.space.capacity());
        if nodes <= capacity / 2 && nodes <= saved.sift_at.saturating_mul(4) {
            return None;
        }
        self.space.collect();
        let live = self.space.nodes();
        // Sets that are only kept for a path do not count.
        if live > saved.sift_at && search.functions().map(|f| self.space.size(f)).sum::<usize>() > saved.sift_at {
            return Some(Why::Order);
        }
        (live > capacity / 3 && capacity < self.ctl.nodes).then_some(Why::Room)
    }

    fn larger(&self, mut saved: Saved) -> End {
        if saved.capacity >= self.ctl.nodes {
            let why = format!("the diagrams need more than {} nodes", self.ctl.nodes);
            return End::Done(Outcome::of(Verdict::Unknown(Reason::Limit(why)), saved.stats));
        }
        saved.capacity = saved.capacity.saturating_mul(8).min(self.ctl.nodes);
        End::Again(saved)
    }

    fn begin(&self, saved: &Saved) -> Made<Search> {
        let start = self.init()?;
        let bad = self.bad_states()?;
        let (start, target) = match self.engine.direction {
            Direction::Forward => (start, bad),
            Direction::Backward => (bad, start),
        };
        let mut relations = Vec::new();
        for (g, group) in self.matrix.groups.iter().enumerate() {
            if !group.is_idle() {
                relations.push(Relation::new(self.space, self.vars, self.matrix, g, &[], self.engine.tuning.cluster)?);
            }
        }
        let mut search = Search::new(self, relations, start, target);
        if let Some((old, sets)) = &saved.sets {
            search.restore(self.space.import(sets, &self.places(old))?);
        }
        Ok(search)
    }

    /// Where the variables of another round stand in this one.
    fn places(&self, old: &Vars) -> Vec<u32> {
        let mut place = vec![0; old.count() as usize];
        for i in 0..old.states() {
            place[old.now(i) as usize] = self.vars.now(i);
            place[old.next(i) as usize] = self.vars.next(i);
        }
        old.inputs().enumerate().for_each(|(i, v)| place[v as usize] = self.vars.input(i));
        place
    }

    pub fn init(&self) -> Made {
        let states = self.sys.states.iter().enumerate();
        let values: Vec<(u32, bool)> = states.filter_map(|(i, s)| Some((self.vars.now(i), s.init?))).collect();
        self.space.point(&values)
    }

    /// States in which an allowed step can be bad.
    fn bad_states(&self) -> Made {
        let mut builder = Builder::new(self.space, &self.sys.aig, self.vars);
        let mut all = builder.lit(self.bad)?;
        for (_, c) in &self.sys.constraints {
            let c = builder.lit(*c)?;
            all = self.space.and(&all, &c)?;
        }
        let inputs: Vec<u32> = self.vars.inputs().collect();
        self.space.exists(&all, &self.space.set(&inputs)?)
    }

    /// Finds a better order for what there is.
    fn reorder(&self, search: &Search, saved: &mut Saved) {
        let funcs: Vec<&Func> = search.functions().collect();
        let plain = self.space.export(&funcs);
        let block = |s: &Slot| match *s {
            Slot::State(i) => vec![self.vars.now(i as usize), self.vars.next(i as usize)],
            Slot::Input(i) => vec![self.vars.input(i as usize)],
        };
        let blocks: Vec<Vec<u32>> = saved.order.iter().map(block).collect();
        let sifted = sift(&plain, &blocks, 2, &|| self.ctl.stop());
        let slot = |b: &Vec<u32>| match self.vars.state_at(b[0]) {
            Some(i) => Slot::State(i),
            None => Slot::Input(self.vars.input_at(b[0]).unwrap_or(0)),
        };
        saved.order = sifted.iter().map(slot).collect();
        saved.sift_at = 2 * saved.sift_at.max(funcs.iter().map(|f| self.space.size(f)).sum());
    }

    fn holds(&self, search: &Search) -> Outcome {
        let invariant = match self.engine.direction {
            Direction::Forward => search.reached.clone(),
            Direction::Backward => self.space.not(&search.reached),
        };
        let plain = self.space.export(&[&invariant]);
        let state = |v: u32| self.vars.state_at(v).unwrap_or(u32::MAX);
        let nodes = plain.nodes.iter().map(|(v, low, high)| (state(*v), *low, *high)).collect();
        Outcome::holds(Evidence::Decisions { nodes, root: plain.roots[0] }, search.stats.clone())
    }
}
