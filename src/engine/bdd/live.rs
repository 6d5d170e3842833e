//! Liveness: whether a reachable path goes on for ever through all that must happen again and again.
//!
//! What must happen is a condition on steps. The states from which all of it can happen for ever are the
//! greatest set each of whose states has, for each condition, a way inside the set to a step that satisfies
//! it and stays inside (Emerson and Lei, LICS 1986); it is sought among the reachable states. A *holds*
//! carries no evidence.

use super::relation::Relation;
use super::round::Round;
use super::search::{Search, Step};
use super::vars::Vars;
use super::{Bdd, Control, Direction, Outcome, Reason, Stats, Strategy, Verdict};
use crate::bdd::{Full, Func, Made, Space};
use crate::model::{Matrix, Path, Slot, System};
use crate::net::Lit;

/// Why a try ended without an answer.
enum Halt {
    Full,
    Stopped,
}

impl From<Full> for Halt {
    fn from(_: Full) -> Halt {
        Halt::Full
    }
}

/// Answers; a space that is too small costs a new start with a larger one.
pub fn check(engine: &Bdd, sys: &System, all: &[Lit], mut matrix: Matrix, order: &[Slot], ctl: &Control) -> Outcome {
    let mut justice: Vec<Lit> = all.iter().chain(&sys.fairness).copied().collect();
    if justice.is_empty() {
        // Then any path that goes on for ever counts.
        justice.push(Lit::TRUE);
    }
    let within: Vec<Vec<Lit>> = (0..matrix.groups.len()).map(|g| matrix.within(sys, g, &justice)).collect();
    // Paths go through the layers of the reachable states, so those must be found from the start.
    let engine = Bdd { strategy: Strategy::BreadthFirst, direction: Direction::Forward, ..*engine };
    let vars = Vars::new(order);
    let mut capacity = engine.tuning.start.min(ctl.nodes);
    loop {
        let space = Space::new(vars.count(), capacity);
        let round = Round { sys, bad: Lit::FALSE, matrix: &matrix, engine, ctl, space: &space, vars: &vars };
        let mut stats = Stats::default();
        let said = space.run(|| {
            let live = Live::new(&round, &justice, &within)?;
            live.run(&mut stats)
        });
        let why = match said {
            Ok(Some(path)) => return Outcome::of(Verdict::Fails(path), stats),
            Ok(None) => return Outcome::of(Verdict::Holds, stats),
            Err(Halt::Stopped) => ctl.reason(),
            Err(Halt::Full) if capacity < ctl.nodes => {
                capacity = capacity.saturating_mul(8).min(ctl.nodes);
                continue;
            }
            Err(Halt::Full) => Reason::Limit(format!("the diagrams need more than {} nodes", ctl.nodes)),
        };
        return Outcome::of(Verdict::Unknown(why), stats);
    }
}

struct Live<'r> {
    round: &'r Round<'r>,
    space: &'r Space,
    justice: &'r [Lit],
    /// All steps; those that change nothing matter here.
    steps: Vec<Relation>,
    /// The steps that satisfy each condition.
    just: Vec<Vec<Relation>>,
}

impl<'r> Live<'r> {
    fn new(round: &'r Round<'r>, justice: &'r [Lit], within: &[Vec<Lit>]) -> Made<Live<'r>> {
        let relation = |g: usize, also: &[Lit]| {
            Relation::new(round.space, round.vars, round.matrix, g, also, round.engine.tuning.cluster)
        };
        let groups = 0..round.matrix.groups.len();
        let steps: Made<Vec<Relation>> = groups.clone().map(|g| relation(g, &[])).collect();
        let mut just = Vec::new();
        for j in 0..justice.len() {
            // A condition that cannot hold in a group leaves it no steps.
            let some = groups.clone().filter(|g| within[*g][j] != Lit::FALSE);
            let list: Made<Vec<Relation>> = some.map(|g| relation(g, &within[g][j..=j])).collect();
            just.push(list?);
        }
        Ok(Live { round, space: round.space, justice, steps: steps?, just })
    }

    /// Removes dead nodes when there are many; says when to stop.
    fn tidy(&self) -> Result<(), Halt> {
        if self.round.ctl.stop() {
            return Err(Halt::Stopped);
        }
        if self.space.nodes() > self.space.capacity() / 2 {
            self.space.collect();
        }
        Ok(())
    }

    fn before(&self, by: &[Relation], to: &Func) -> Made {
        let mut all = self.space.no();
        for r in by {
            all = self.space.or(&all, &r.preimage(self.space, to)?)?;
        }
        Ok(all)
    }

    fn after(&self, by: &[Relation], from: &[bool]) -> Made {
        let from = self.round.vars.point(self.space, from)?;
        let mut all = self.space.no();
        for r in by {
            all = self.space.or(&all, &r.image(self.space, &from)?)?;
        }
        Ok(all)
    }

    fn run(&self, stats: &mut Stats) -> Result<Option<Path>, Halt> {
        let mut search = self.reach(stats)?;
        let mut fair = search.reached.clone();
        loop {
            let old = fair.clone();
            for j in 0..self.justice.len() {
                let mut way = self.space.and(&fair, &self.before(&self.just[j], &fair)?)?;
                let mut newest = way.clone();
                while !self.space.is_no(&newest) {
                    self.tidy()?;
                    stats.work += 1;
                    let more = self.space.and(&fair, &self.before(&self.steps, &newest)?)?;
                    newest = self.space.without(&more, &way)?;
                    way = self.space.or(&way, &newest)?;
                }
                fair = way;
            }
            if self.space.is_no(&fair) {
                return Ok(None);
            }
            if fair == old {
                break;
            }
        }
        search.target = fair.clone();
        self.lasso(&search, &fair).map(Some)
    }

    /// The reachable states, in layers.
    fn reach(&self, stats: &mut Stats) -> Result<Search, Halt> {
        let mut relations = Vec::new();
        for g in (0..self.round.matrix.groups.len()).filter(|g| !self.round.matrix.groups[*g].is_idle()) {
            let cluster = self.round.engine.tuning.cluster;
            relations.push(Relation::new(self.space, self.round.vars, self.round.matrix, g, &[], cluster)?);
        }
        let mut search = Search::new(self.round, relations, self.round.init()?, self.space.no());
        loop {
            self.tidy()?;
            let step = search.step(self.round)?;
            *stats = search.stats.clone();
            match step {
                Step::Closed => return Ok(search),
                Step::Stopped => return Err(Halt::Stopped),
                _ => (self.round.ctl.progress)("bdd", stats.depth),
            }
        }
    }

    /// A path to the fair states, and a loop there.
    fn lasso(&self, search: &Search, fair: &Func) -> Result<Path, Halt> {
        let mut first = 0;
        while self.space.is_no(&self.space.and(&search.layers[first], fair)?) {
            first += 1;
        }
        let states = self.round.chain(search, first)?;
        let mut path = Path { init: states[0].clone(), ..Path::default() };
        for pair in states.windows(2) {
            path.inputs.push(self.round.inputs_between(&pair[0], &pair[1], &[])?);
        }
        let mut at = states[states.len() - 1].clone();
        // A walk that cannot come back has left its component for a later one: of these there are only so many.
        loop {
            self.tidy()?;
            let start = at.clone();
            let begin = path.inputs.len();
            for j in 0..self.justice.len() {
                let ends = self.space.and(fair, &self.before(&self.just[j], fair)?)?;
                if !self.walk(fair, &mut at, &ends, &mut path)? {
                    unreachable!("a fair state without a way to what must happen");
                }
                let next = self.space.and(fair, &self.after(&self.just[j], &at)?)?;
                let to = self.round.pick_state(&next);
                path.inputs.push(self.round.inputs_between(&at, &to, &self.justice[j..=j])?);
                at = to;
            }
            let home = self.round.vars.point(self.space, &start)?;
            if self.walk(fair, &mut at, &home, &mut path)? {
                path.back_to = Some(begin);
                return Ok(path);
            }
        }
    }

    /// The shortest walk through fair states to one of `ends`; says whether there is one.
    fn walk(&self, fair: &Func, at: &mut Vec<bool>, ends: &Func, path: &mut Path) -> Result<bool, Halt> {
        let here = self.round.vars.point(self.space, at)?;
        let mut rings = vec![ends.clone()];
        let mut seen = ends.clone();
        while self.space.is_no(&self.space.and(&rings[rings.len() - 1], &here)?) {
            self.tidy()?;
            let more = self.space.and(fair, &self.before(&self.steps, &rings[rings.len() - 1])?)?;
            let new = self.space.without(&more, &seen)?;
            if self.space.is_no(&new) {
                return Ok(false);
            }
            seen = self.space.or(&seen, &new)?;
            rings.push(new);
        }
        rings.pop();
        for ring in rings.iter().rev() {
            let next = self.space.and(ring, &self.after(&self.steps, at)?)?;
            let to = self.round.pick_state(&next);
            path.inputs.push(self.round.inputs_between(at, &to, &[])?);
            *at = to;
        }
        Ok(true)
    }
}
