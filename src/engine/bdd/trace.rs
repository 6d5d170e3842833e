//! A path through the sets that a search has found.

use super::Direction;
use super::round::Round;
use super::search::Search;
use super::vars::Builder;
use crate::bdd::{Func, Made};
use crate::model::Path;
use crate::net::Lit;

impl Round<'_> {
    /// The path, if the newest set meets the target.
    pub fn path(&self, search: &Search) -> Made<Path> {
        let mut states = self.chain(search, search.layers.len() - 1)?;
        let mut inputs = Vec::new();
        for pair in states.windows(2) {
            inputs.push(self.inputs_between(&pair[0], &pair[1], &[])?);
        }
        inputs.push(self.inputs_of_bad(&states[states.len() - 1])?);
        Ok(Path { init: states.swap_remove(0), inputs, back_to: None })
    }

    /// States from the first set to where that set meets the target, or the other way round if backward.
    pub fn chain(&self, search: &Search, layer: usize) -> Made<Vec<Vec<bool>>> {
        let met = self.space.and(&search.layers[layer], &search.target)?;
        let mut states = vec![self.pick_state(&met)];
        let mut at = layer;
        while at > 0 {
            let state = &states[states.len() - 1];
            let (layer, other) = match self.neighbour(search, state, at)? {
                Some(found) => found,
                None => unreachable!("a set without a neighbour among the earlier ones"),
            };
            states.push(other);
            at = layer;
        }
        if self.engine.direction == Direction::Forward {
            states.reverse();
        }
        Ok(states)
    }

    /// A state next to this one in the earliest set there is, before that one.
    fn neighbour(&self, search: &Search, state: &[bool], before: usize) -> Made<Option<(usize, Vec<bool>)>> {
        let mut near: Vec<Func> = Vec::new();
        for r in &search.relations {
            near.push(match self.engine.direction {
                Direction::Forward => r.before(self.space, self.vars, state)?,
                Direction::Backward => r.image(self.space, &self.vars.point(self.space, state)?)?,
            });
        }
        for (k, layer) in search.layers[..before].iter().enumerate() {
            for n in &near {
                let both = self.space.and(n, layer)?;
                if !self.space.is_no(&both) {
                    return Ok(Some((k, self.pick_state(&both))));
                }
            }
        }
        Ok(None)
    }

    /// One of these states.
    pub fn pick_state(&self, of: &Func) -> Vec<bool> {
        self.vars.state(&self.space.pick(of).unwrap_or_default())
    }

    /// Inputs of an allowed step from one state to another, in which these are 1.
    pub fn inputs_between(&self, from: &[bool], to: &[bool], also: &[Lit]) -> Made<Vec<bool>> {
        let mut builder = Builder::in_state(self.space, &self.sys.aig, self.vars, from);
        let mut all = self.space.yes();
        for c in self.sys.constraints.iter().map(|c| &c.1).chain(also) {
            let c = builder.lit(*c)?;
            all = self.space.and(&all, &c)?;
        }
        for (s, value) in self.sys.states.iter().zip(to) {
            let next = builder.lit(s.next.xor(!value))?;
            all = self.space.and(&all, &next)?;
        }
        Ok(self.vars.choice(&self.space.pick(&all).unwrap_or_default()))
    }

    /// Inputs that make an allowed bad step.
    fn inputs_of_bad(&self, state: &[bool]) -> Made<Vec<bool>> {
        let mut builder = Builder::in_state(self.space, &self.sys.aig, self.vars, state);
        let mut all = builder.lit(self.bad)?;
        for (_, c) in &self.sys.constraints {
            let c = builder.lit(*c)?;
            all = self.space.and(&all, &c)?;
        }
        Ok(self.vars.choice(&self.space.pick(&all).unwrap_or_default()))
    }
}
