//! Wishes that a run did not fulfil: what came in the way, and what dates would keep it away.
//!
//! Dates are found for the nodes of a run that was seen. With them something may come that was not in that run, or
//! that was later there, before a node it conflicts with. The run that came instead shows it: with what it has
//! from the wish in common it shows by how much the intruder must follow its cause at the latest. The wish is
//! tried again with the intruder behind, its own delays as long as they can be.
//!
//! An intruder whose cause is among the nodes wished for comes in every run that has them: nothing among them takes
//! it back, for that would conflict with it, and then it would be among them or after the node that is to come
//! second. So if no dates keep it behind, the wish is impossible. Of other intruders this is not known: a wish that they make
//! impossible has strayed.

use super::super::dates::{Dates, gap};
use super::super::order::{Order, Place};
use super::super::set::Set;
use super::{Asked, Plan, Search, WishKind};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

/// How often a wish is tried again.
const TRIES: u32 = 12;

/// What was learned about a wish.
#[derive(Clone, Default, Debug, Serialize, Deserialize)]
pub(super) struct Lesson {
    tries: u32,
    behind: Vec<Behind>,
    /// Delays of what is to stay behind.
    delays: Vec<(SmolStr, u32, u64)>,
    /// What was asked for when it strayed first.
    asked: Asked,
}

/// A place that must come so much before another one, at least, for an intruder to stay behind it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Behind {
    /// The place before which it came.
    before: u32,
    /// The place it came from.
    cause: u32,
    by: i64,
    /// It comes in every run that is wished for.
    sure: bool,
}

impl Lesson {
    /// Adds what was learned to the dates of the wished places.
    pub fn teach(&self, dates: &mut Dates, set: &Set, second: u32) {
        let wished = |i: u32| set.has(i) || i == second;
        for b in self.behind.iter().filter(|b| wished(b.before) && wished(b.cause)) {
            dates.at_least(b.cause, b.before, b.by);
        }
    }

    /// Adds delays of what is to stay behind.
    pub fn delays(&self, delays: &mut Vec<(SmolStr, u32, u64)>) {
        for d in &self.delays {
            match delays.iter_mut().find(|x| x.0 == d.0 && x.1 == d.1) {
                // A delay of a node that is wished for is as the dates say.
                Some(_) => {}
                None => delays.push(d.clone()),
            }
        }
    }

    /// What a smaller wish has of it: what holds in every run.
    pub fn sure(&self) -> Lesson {
        let behind = self.behind.iter().filter(|b| b.sure).copied().collect();
        Lesson { tries: 0, behind, delays: self.delays.clone(), asked: Asked::default() }
    }

    /// If the wish is impossible with what was learned: what was asked for, unless it is known to be impossible.
    pub fn hides(&self) -> Option<&Asked> {
        self.behind.iter().any(|b| !b.sure).then_some(&self.asked)
    }
}

impl Search {
    /// Learns from a run that came instead of the one asked for. Is there something to try?
    pub(super) fn learn_from(&mut self, came: &Order, plan: &Plan) -> bool {
        let WishKind::Reverse { second, .. } = plan.wish.kind else { return false };
        let Some(base) = self.bases.get(&plan.wish.base).and_then(|b| b.order.clone()) else { return false };
        if !base.loose || !came.loose || self.shared {
            return false;
        }
        let Some((behind, delays)) = intruders(&base, came, &plan.asked, second) else { return false };
        let lesson = self.lessons.entry(plan.wish).or_default();
        if lesson.tries == 0 {
            lesson.asked = plan.asked.clone();
        }
        lesson.tries += 1;
        let mut new = false;
        for b in behind {
            match lesson.behind.iter_mut().find(|x| (x.before, x.cause) == (b.before, b.cause)) {
                Some(x) if x.by < b.by => (*x, new) = (b, true),
                // It was behind, and came first all the same: in one instant the kernel has orders of its own.
                Some(x) if x.by == b.by => (*x, new) = (Behind { by: b.by + 1, sure: false, ..b }, true),
                Some(_) => {}
                None => {
                    lesson.behind.push(b);
                    new = true;
                }
            }
        }
        for d in delays {
            if !lesson.delays.contains(&d) {
                lesson.delays.push(d);
                new = true;
            }
        }
        new && lesson.tries <= TRIES
    }
}

/// Are both notifications of one event, such that at one date the first stands for both?
fn shadows(order: &Order, x: u32, y: u32) -> bool {
    fn maker(order: &Order, i: u32) -> Option<(&str, u32, u32)> {
        let p = &order.places[i as usize];
        let (process, n) = order.places[p.cause? as usize].step?;
        Some((order.keys[process as usize].as_str(), n, p.timed??))
    }
    let event = |i: u32| order.places[i as usize].event;
    let same = event(x).is_some() && event(x) == event(y);
    same && maker(order, x).zip(maker(order, y)).is_some_and(|(x, y)| x < y)
}

type Lessons = (Vec<Behind>, Vec<(SmolStr, u32, u64)>);

/// What came before a place that was wished for without it: of the first such place of the run that came.
fn intruders(base: &Order, came: &Order, asked: &Asked, second: u32) -> Option<Lessons> {
    let names: FxHashSet<u128> = asked.names.iter().copied().collect();
    let mut wished: FxHashMap<u128, u32> = FxHashMap::default();
    for (i, p) in base.places.iter().enumerate() {
        if names.contains(&p.name) {
            wished.insert(p.label, i as u32);
        }
    }
    wished.insert(base.places[second as usize].wanted(base), second);
    let known = |p: &Place| names.contains(&p.name);
    for (i, p) in came.places.iter().enumerate() {
        let Some(&before) = wished.get(&p.label) else { continue };
        if before != second && known(p) {
            continue;
        }
        let strangers: Vec<u32> = p.before.iter().copied().filter(|&b| !known(&came.places[b as usize])).collect();
        if strangers.is_empty() {
            if before == second {
                continue;
            }
            return None;
        }
        let mut out = Lessons::default();
        for x in strangers {
            let phase = came.places[x as usize].phase;
            let mut by = gap(base.places[before as usize].phase, phase) + shadows(came, x, i as u32) as i64;
            let (mut at, mut links) = (x, 0);
            let cause = loop {
                let q = &came.places[at as usize];
                if let Some(&c) = wished.get(&q.label).filter(|&&c| c == second || known(q)) {
                    break c;
                }
                by -= q.after.1 as i64;
                if let Some((process, number)) = q.delay {
                    out.1.push((came.keys[process as usize].clone(), number, q.after.1));
                }
                links += 1;
                at = q.cause?;
            };
            if cause != before {
                out.0.push(Behind { before, cause, by, sure: links <= 1 });
            }
        }
        return (!out.0.is_empty()).then_some(out);
    }
    None
}
