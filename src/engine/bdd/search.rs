//! The sets of states, and how they grow.

use super::relation::Relation;
use super::round::Round;
use super::{Direction, Stats, Strategy};
use crate::bdd::{Func, Made, Space};

/// What a step of the search came to.
pub enum Step {
    /// Go on.
    More,
    /// Nothing is new.
    Closed,
    /// The newest set meets the target.
    Met,
    /// Told to stop.
    Stopped,
}

/// The state of a search. A step changes it at its end only, so one that ran out of room can be repeated.
pub struct Search {
    pub relations: Vec<Relation>,
    pub target: Func,
    pub reached: Func,
    /// What was added, in order: each state's predecessor (successor, if backward) is in an earlier set.
    pub layers: Vec<Func>,
    /// What each relation has been applied to. Relations keep their places from round to round, whatever the order
    /// of variables: these sets belong to them.
    done: Vec<Func>,
    /// The order in which relations are tried.
    order: Vec<usize>,
    /// The place in it that is next.
    turn: usize,
    /// Whether the newest set has been compared with the target.
    compared: bool,
    strategy: Strategy,
    direction: Direction,
    pub stats: Stats,
}

impl Search {
    pub fn new(round: &Round, relations: Vec<Relation>, start: Func, target: Func) -> Search {
        let strategy = round.engine.strategy;
        let kept = if strategy == Strategy::BreadthFirst { 0 } else { relations.len() };
        let mut order: Vec<usize> = (0..relations.len()).collect();
        if strategy == Strategy::Saturation {
            order.sort_by_key(|r| std::cmp::Reverse(relations[*r].top));
        }
        Search {
            order,
            done: vec![round.space.no(); kept],
            relations,
            target,
            reached: start.clone(),
            layers: vec![start],
            turn: 0,
            compared: false,
            strategy,
            direction: round.engine.direction,
            stats: Stats::default(),
        }
    }

    /// All sets, to be kept.
    pub fn sets(&self) -> Vec<&Func> {
        let mut all = vec![&self.reached];
        all.extend(&self.done);
        all.extend(&self.layers);
        all
    }

    /// The functions that are worked with.
    pub fn functions(&self) -> impl Iterator<Item = &Func> {
        let sets = [&self.reached, &self.target].into_iter().chain(self.layers.last());
        sets.chain(self.relations.iter().flat_map(|r| r.functions()))
    }

    /// Sets that were kept.
    pub fn restore(&mut self, sets: Vec<Func>) {
        let mut sets = sets.into_iter();
        if let Some(r) = sets.next() {
            self.reached = r;
        }
        self.done = sets.by_ref().take(self.done.len()).collect();
        self.layers = sets.collect();
    }

    fn apply(&mut self, space: &Space, relation: usize, from: &Func) -> Made {
        self.stats.work += 1;
        match self.direction {
            Direction::Forward => self.relations[relation].image(space, from),
            Direction::Backward => self.relations[relation].preimage(space, from),
        }
    }

    pub fn step(&mut self, round: &Round) -> Made<Step> {
        let space = round.space;
        if !self.compared {
            if let Some(last) = self.layers.last() {
                let met = space.and(last, &self.target)?;
                if !space.is_no(&met) {
                    return Ok(Step::Met);
                }
            }
            self.compared = true;
        }
        let found = match self.strategy {
            Strategy::BreadthFirst => self.breadth(round)?,
            _ => self.one(space)?,
        };
        let Some((found, turn, from)) = found else {
            return Ok(if round.ctl.stop() { Step::Stopped } else { Step::Closed });
        };
        let new = space.without(&found, &self.reached)?;
        let all = space.or(&self.reached, &new)?;
        // From here on nothing can fail.
        if let Some(from) = from {
            self.done[self.order[turn]] = from;
            self.turn = turn + (self.strategy == Strategy::Chaining) as usize;
        }
        if space.is_no(&new) {
            return Ok(if self.strategy == Strategy::BreadthFirst { Step::Closed } else { Step::More });
        }
        self.reached = all;
        self.layers.push(new);
        self.compared = false;
        self.stats.depth = self.layers.len() as u32 - 1;
        Ok(Step::More)
    }

    /// All relations on the newest states.
    fn breadth(&mut self, round: &Round) -> Made<Option<(Func, usize, Option<Func>)>> {
        let space = round.space;
        let from = self.layers.last().cloned().unwrap_or_else(|| space.no());
        let mut found = space.no();
        for r in 0..self.relations.len() {
            if round.ctl.stop() {
                return Ok(None);
            }
            let part = self.apply(space, r, &from)?;
            found = space.or(&found, &part)?;
        }
        Ok(Some((found, 0, None)))
    }

    /// One relation on what is new to it; none if all have seen everything.
    fn one(&mut self, space: &Space) -> Made<Option<(Func, usize, Option<Func>)>> {
        let count = self.relations.len();
        let first = if self.strategy == Strategy::Saturation { 0 } else { self.turn };
        let open = (first..first + count).map(|k| k % count).find(|k| self.done[self.order[*k]] != self.reached);
        let Some(turn) = open else { return Ok(None) };
        let relation = self.order[turn];
        let new = space.without(&self.reached, &self.done[relation])?;
        // Anything between the new states and all of them would do.
        let from = if space.size(&new) <= space.size(&self.reached) { new } else { self.reached.clone() };
        let found = self.apply(space, relation, &from)?;
        Ok(Some((found, turn, Some(self.reached.clone()))))
    }
}
