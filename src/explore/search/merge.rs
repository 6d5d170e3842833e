//! States that were seen before: what follows them is looked at once.
//!
//! A step that follows all that came before it leaves the model in a state that its past alone decides. If another such
//! step was seen to leave the model in the same state, with the same things pending, and if whatever dates those can have
//! now they could have then, then every way to go on from here is a way to go on from there, and ends alike. So races
//! behind such a step are not reversed: it is *like* the other one. In the words of unfoldings it is a cut-off.
//!
//! What makes that complete, given that the search without it is. Let a class of runs be missing, and take its earliest
//! step `e` that is like another one, `f`. With all before `e` replaced by all before `f` it is a class with the same
//! end, and its next step that is like another is later. So after finitely many such replacements there is none left, and
//! then nothing on the way to that class was left out: a wish is left out only if what it asks for needs a step that is
//! like another, and then that is in every class that the wish leads to. For this to be so
//!
//! - nothing that `f` follows, nor `f` itself, is like another step. What a step is, is settled when it is first seen, in
//!   a run in which all it follows is settled; steps behind one that is like another are never taken for first ones;
//! - steps that are settled to be first, or like another, are never side by side in a run;
//! - what came side by side with such a step depends, of all before it, on nothing but what made it pending: the dates of
//!   those, and of no others, are compared.
//!
//! The last two are seen in runs. A step of which it turns out otherwise is not a first one nor like another any longer, and
//! what was left out because of it is looked at after all.

use super::super::dates::Dates;
use super::super::order::{Front, Order, settled};
use super::super::trace::{Kind, Outside, Run};
use super::{Search, Wish, WishKind};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a step is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
enum Is {
    /// Neither of the others.
    Plain,
    /// The first with its state and dates.
    First,
    /// It leaves the model as this one does.
    Like(u128),
}

/// Least differences between the dates of a step and of what made things pending, by row and column; none if there is no
/// least one.
type Zone = Vec<Option<i64>>;

/// What is known of states.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Merge {
    on: bool,
    /// Why not, though it was asked for.
    pub why_not: Option<String>,
    /// Steps by their names.
    is: FxHashMap<u128, Is>,
    /// First steps by the states they leave, with their dates.
    first: FxHashMap<u128, Vec<(u128, Zone)>>,
    /// Names of what made things pending, for steps that are not plain.
    makers: FxHashMap<u128, Vec<u128>>,
    /// What was left out because of a step.
    left_out: FxHashMap<u128, Vec<Wish>>,
}

/// A state that a run came to: the place of the step, and a hash of all that decides what follows, but dates.
pub type Reached = (u32, u128);

/// What tells the states of a run's fronts apart, of those for which it has one.
pub fn reached(run: &Run, order: &Order, ordered_output: bool) -> Vec<Reached> {
    let mut out = Vec::new();
    let mut printed: BTreeMap<&str, blake3::Hasher> = BTreeMap::new();
    let mut errors = blake3::Hasher::new();
    let mut nodes = run.nodes.iter().enumerate();
    for f in &order.fronts {
        let Some(n) = order.places[f.place as usize].node else { continue };
        for (i, node) in nodes.by_ref() {
            let by = match node.kind {
                Kind::Step { process, .. } if !ordered_output => run.processes[process as usize].key.as_str(),
                _ => "",
            };
            let (from, to) = (node.output.0.min(run.output.len() as u64), node.output.1.min(run.output.len() as u64));
            if from < to {
                printed.entry(by).or_default().update(&run.output[from as usize..to as usize]);
            }
            for r in &node.reports {
                errors.update(format!("{r:?}\n").as_bytes());
            }
            if i as u32 == n {
                break;
            }
        }
        let Some(state) = run.nodes[n as usize].state else { continue };
        let mut h = blake3::Hasher::new();
        h.update(&state.to_le_bytes());
        h.update(errors.finalize().as_bytes());
        for (key, p) in &printed {
            h.update(key.as_bytes()).update(&[0]).update(p.finalize().as_bytes());
        }
        for o in &f.open {
            h.update(o.what.as_bytes()).update(&[0]);
            h.update(&o.after.0.to_le_bytes()).update(&o.after.1.to_le_bytes());
        }
        let bytes = h.finalize();
        out.push((f.place, bytes.as_bytes()[..16].iter().fold(0, |sum, &b| sum << 8 | b as u128)));
    }
    out
}

/// Why states of a run's model cannot be compared.
pub fn hidden(run: &Run) -> Option<String> {
    let outside = run.outside.iter().chain(run.nodes.iter().flat_map(|n| &n.outside)).next();
    if let Some(why) = &run.opaque {
        return Some(why.clone());
    }
    if run.nodes.iter().any(|n| n.date.is_some()) {
        return Some("the model reads the date".into());
    }
    outside.map(|(o, _)| match o {
        Outside::File => "the model opens files".into(),
        o => format!("the model uses {o}"),
    })
}

impl Search {
    /// Looks at states, too, from now on.
    pub fn merge(&mut self) {
        self.merge.on = true;
    }

    /// Are states looked at?
    pub fn merges(&self) -> bool {
        self.merge.on
    }

    /// Why states are not looked at though that was asked for.
    pub fn why_not_merged(&self) -> Option<&str> {
        self.merge.why_not.as_deref()
    }

    /// Steps that leave the model as another one does.
    pub fn alike(&self) -> usize {
        self.merge.is.values().filter(|i| matches!(i, Is::Like(_))).count()
    }

    /// Steps of a run whose state must be known.
    pub fn unsettled<'a>(&'a self, order: &'a Order) -> impl Iterator<Item = &'a Front> {
        let is = |f: &&Front| self.merge.is.get(&order.places[f.place as usize].name);
        let fronts = order.fronts.iter().take_while(move |f| !matches!(is(f), Some(Is::Like(_))));
        fronts.filter(move |f| is(f).is_none())
    }

    /// Gives up comparing states.
    pub fn merge_no_more(&mut self, why: String) {
        if self.merge.on {
            self.merge.on = false;
            self.merge.why_not = Some(why);
            for (_, wishes) in std::mem::take(&mut self.merge.left_out) {
                self.put_back(wishes);
            }
        }
    }

    /// Looks at wishes after all.
    fn put_back(&mut self, wishes: Vec<Wish>) {
        for w in &wishes {
            if let Some(b) = self.bases.get_mut(&w.base) {
                b.out -= 1;
            }
        }
        self.wishes.extend(wishes);
    }

    /// Takes in the states of a run that is new. Returns the place from which on it goes on as others do.
    pub(super) fn take_states(&mut self, order: &Order, reached: &[Reached]) -> Option<u32> {
        if !self.merge.on {
            return None;
        }
        self.refute(order);
        let mut like = None;
        for (i, p) in order.places.iter().enumerate() {
            let i = i as u32;
            if p.step.is_none() || p.node.is_none() {
                continue;
            }
            let is = match self.merge.is.get(&p.name) {
                Some(&is) => is,
                None => {
                    let front = order.fronts.iter().find(|f| f.place == i).filter(|_| like.is_none());
                    let state = reached.iter().find(|r| r.0 == i).map(|r| r.1);
                    let is = front.zip(state).map_or(Is::Plain, |(f, s)| self.settle(order, f, s));
                    self.merge.is.insert(p.name, is);
                    is
                }
            };
            if let (Is::Like(_), None) = (is, like) {
                like = Some(i);
            }
        }
        like
    }

    /// What a step is that was not seen before.
    fn settle(&mut self, order: &Order, front: &Front, state: u128) -> Is {
        let name = order.places[front.place as usize].name;
        let makers: Vec<u128> = front.open.iter().map(|o| order.places[o.cause as usize].name).collect();
        if !stands(order, front.place, &makers) {
            return Is::Plain;
        }
        let zone = zone(order, front);
        let known = self.merge.first.entry(state).or_default();
        self.merge.makers.insert(name, makers);
        if let Some((first, _)) = known.iter().find(|(_, z)| within(&zone, z)) {
            return Is::Like(*first);
        }
        known.push((name, zone));
        Is::First
    }

    /// Looks whether what is settled holds in a run, too.
    fn refute(&mut self, order: &Order) {
        let is = |i: u32| self.merge.is.get(&order.places[i as usize].name).copied().unwrap_or(Is::Plain);
        let steps = (0..order.places.len() as u32).filter(|&i| order.places[i as usize].step.is_some());
        let settled: Vec<u32> = steps.filter(|&i| is(i) != Is::Plain).collect();
        let mut wrong: Vec<u128> = Vec::new();
        for (k, &i) in settled.iter().enumerate() {
            let name = order.places[i as usize].name;
            let beside = settled[k + 1..].iter().filter(|&&j| !order.past[j as usize].has(i));
            let beside: Vec<u128> = beside.map(|&j| order.places[j as usize].name).collect();
            let makers = self.merge.makers.get(&name);
            if !beside.is_empty() || !makers.is_some_and(|m| stands(order, i, m)) {
                wrong.push(name);
            }
            wrong.extend(beside);
        }
        for name in wrong {
            self.is_plain(name);
        }
    }

    /// A step is plain after all, and so is every step that was like it.
    fn is_plain(&mut self, name: u128) {
        let was = self.merge.is.insert(name, Is::Plain);
        let wishes = self.merge.left_out.remove(&name).unwrap_or_default();
        self.put_back(wishes);
        if was == Some(Is::First) {
            self.merge.first.values_mut().for_each(|l| l.retain(|(n, _)| *n != name));
            let all = self.merge.is.iter().filter(|(_, is)| **is == Is::Like(name)).map(|(n, _)| *n);
            for n in all.collect::<Vec<_>>() {
                self.is_plain(n);
            }
        }
    }

    /// Takes those wishes away whose second node needs a step that is like another one.
    pub(super) fn leave_out(&mut self, order: &Order, like: u32, wishes: &mut Vec<Wish>) {
        let follows = |n: u32| n == like || order.past[n as usize].has(like);
        let needs = |second: u32| {
            let p = &order.places[second as usize];
            let own = p.step.and_then(|(process, n)| {
                (0..second)
                    .rev()
                    .find(|&i| order.places[i as usize].step.is_some_and(|s| s == (process, n.wrapping_sub(1))))
            });
            p.cause.into_iter().chain(own).any(follows)
        };
        let out = |w: &Wish| matches!(w.kind, WishKind::Reverse { second, .. } if needs(second));
        let name = order.places[like as usize].name;
        let (gone, stay) = wishes.drain(..).partition(out);
        *wishes = stay;
        self.merge.left_out.entry(name).or_default().extend::<Vec<Wish>>(gone);
    }
}

/// Does all that comes beside a place depend, of what is settled with it, on nothing but what made things pending?
fn stands(order: &Order, place: u32, makers: &[u128]) -> bool {
    let settled = settled(order, place);
    let known = |b: u32| b == place || makers.contains(&order.places[b as usize].name);
    order.places.iter().enumerate().all(|(x, p)| {
        let x = x as u32;
        let behind = || order.past[x as usize].has(place);
        settled.has(x) || behind() || p.before.iter().chain(&p.cause).all(|&b| !settled.has(b) || known(b))
    })
}

/// The dates that a front allows.
fn zone(order: &Order, front: &Front) -> Zone {
    let dates = Dates::new(order, &settled(order, front.place));
    let nodes: Vec<u32> = [front.place].into_iter().chain(front.open.iter().map(|o| o.cause)).collect();
    let mut zone = Zone::new();
    for &from in &nodes {
        let since = dates.since(from);
        zone.extend(nodes.iter().map(|&n| since[n as usize]));
    }
    zone
}

/// Are all dates of the one among those of the other?
fn within(zone: &Zone, other: &Zone) -> bool {
    let tighter = |(a, b): (&Option<i64>, &Option<i64>)| b.is_none_or(|b| a.is_some_and(|a| a >= b));
    zone.len() == other.len() && zone.iter().zip(other).all(tighter)
}
