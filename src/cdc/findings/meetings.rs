//! Signals that are synchronised one by one: vectors, one source in several synchronisers, reconvergence.

use super::{Finder, Promise, Vector};
use crate::cdc::crossing::End;
use crate::cdc::domains::{DomainId, NONE};
use crate::cdc::gray::{Look, Watched, look, look_unlocked};
use crate::cdc::sets::{SetId, Sets};
use crate::net::{Gate, GateId, Lit};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

impl Finder<'_> {
    /// Vectors that go through synchronisers bit by bit, also where each bit has an instance of its own.
    pub(super) fn vectors(&mut self) {
        let mut groups: BTreeMap<(u32, DomainId, DomainId), Vec<usize>> = BTreeMap::new();
        for (k, s) in self.out.synchronisers.iter().enumerate() {
            if let Some(net) = self.source_net(s.launch) {
                groups.entry((net, s.from, s.to)).or_default().push(k);
            }
        }
        let launches = |f: &Self, members: &[usize]| {
            let mut all: Vec<GateId> = members.iter().map(|k| f.out.synchronisers[*k].launch).collect();
            all.sort_unstable_by_key(|g| (f.bit(*g), *g));
            all.dedup();
            all
        };
        let groups: Vec<(DomainId, DomainId, Vec<usize>, Vec<GateId>)> = groups
            .into_iter()
            .map(|((_, from, to), members)| (from, to, launches(self, &members), members))
            .filter(|g| g.2.len() > 1)
            .map(|(from, to, launches, members)| (from, to, members, launches))
            .collect();
        let watched = |g: &(DomainId, DomainId, Vec<usize>, Vec<GateId>)| Watched {
            bits: g.3.clone(),
            reset: self.shared_resets(&g.2),
        };
        let mut looks = look(self.net, self.d, &groups.iter().map(watched).collect::<Vec<_>>());
        let still: Vec<usize> = (0..groups.len()).filter(|k| looks[*k].look == Look::Still).collect();
        if !still.is_empty() {
            let again = look_unlocked(self.s, &still.iter().map(|k| watched(&groups[*k])).collect::<Vec<_>>());
            for (k, seen) in still.into_iter().zip(again).filter(|(_, seen)| seen.look == Look::Gray) {
                looks[k] = seen;
            }
        }
        for ((from, to, members, launches), seen) in groups.into_iter().zip(looks) {
            let first = &self.out.synchronisers[members[0]];
            let end = End::Register(first.stages[0]);
            let net = self.net.registers[first.stages[0] as usize].net.0;
            let gray = seen.look == Look::Gray;
            let lasts: Vec<u32> = members
                .iter()
                .map(|k| *self.out.synchronisers[*k].stages.last().expect("a chain has stages"))
                .collect();
            self.out.vectors.push(Vector {
                launches: launches.clone(),
                net,
                pair: (from, to),
                gray,
                counts: seen.counts,
            });
            // Bits that never meet again are signals of their own.
            if !gray && !self.meet(&lasts) {
                continue;
            }
            let (a, b, n) = (self.clock_name(from), self.clock_name(to), launches.len());
            let name = self.end_name(end);
            let source = self.source_net(launches[0]).and_then(|n| self.net.nets.get(n as usize));
            let source = source.map_or_else(|| self.name(launches[0]), |n| n.name.to_string());
            let places = vec![
                (self.end_span(end), format!("captured here, by {b}")),
                (self.leaf_span(launches[0]), format!("launched here, by {a}")),
            ];
            let firsts = members.iter().map(|k| self.out.synchronisers[*k].stages[0]).collect();
            let rule = if gray { "C011" } else { "C010" };
            self.promise(rule, &name, self.end_span(end), Promise::OneBit(launches, firsts));
            if gray {
                let text = format!("{n} bits of `{source}` cross from {a} to {b} with never more than one changing");
                self.add("C011", name, (from, to), text, &places, Vec::new());
            } else {
                let how = if seen.look == Look::Several {
                    "several change at once"
                } else {
                    "nothing is known of how they change"
                };
                let text = format!("{n} bits of `{source}` cross from {a} to {b} one by one, and {how}");
                self.add("C010", name, (from, to), text, &places, Vec::new());
            }
        }
    }

    /// Asynchronous controls that senders share with the registers that capture them.
    fn shared_resets(&self, members: &[usize]) -> Vec<Lit> {
        let of = |r: u32| self.net.registers[r as usize].asyncs.iter().map(|a| a.0).collect::<Vec<Lit>>();
        let mut all: Option<Vec<Lit>> = None;
        for k in members {
            let s = &self.out.synchronisers[*k];
            let Gate::Register(sender) = self.net.gates[s.launch.0 as usize] else { return Vec::new() };
            let taken = of(s.stages[0]);
            let is_shared = |l: &Lit| taken.iter().any(|t| self.comes_with(l.gate(), t.gate(), s.to));
            let shared: Vec<Lit> = of(sender).into_iter().filter(is_shared).collect();
            all = Some(match all {
                None => shared,
                Some(before) => before.into_iter().filter(|l| shared.contains(l)).collect(),
            });
        }
        all.unwrap_or_default()
    }

    /// The position of a sender in its vector.
    fn bit(&self, g: GateId) -> u32 {
        match self.net.gates[g.0 as usize] {
            Gate::Register(r) => self.net.registers[r as usize].net.1,
            Gate::Input(_, bit) => bit,
            _ => 0,
        }
    }

    /// Whether logic reads two of some registers.
    fn meet(&self, registers: &[u32]) -> bool {
        let mut mask: FxHashMap<GateId, u64> = FxHashMap::default();
        for (i, r) in registers.iter().enumerate().take(64) {
            mask.insert(self.net.registers[*r as usize].gate, 1 << i);
        }
        // A vector may go through one more register before it is used as one.
        for _ in 0..2 {
            let first = mask.keys().map(|g| g.0).min().unwrap_or(0);
            for g in first..self.net.gates.len() as u32 {
                let mut all = 0;
                self.net.fanin(GateId(g), |l| all |= mask.get(&l.gate()).copied().unwrap_or(0));
                if all.count_ones() > 1 && self.s.hard[g as usize] {
                    return true;
                }
                if all != 0 {
                    mask.insert(GateId(g), all);
                }
            }
            for reg in &self.net.registers {
                if let Some(m) = mask.get(&reg.next.gate()).copied() {
                    mask.entry(reg.gate).or_insert(m);
                }
            }
        }
        false
    }

    /// One source, several synchronisers.
    pub(super) fn fan_out(&mut self) {
        let mut by: BTreeMap<(GateId, DomainId), Vec<u32>> = BTreeMap::new();
        for s in &self.out.synchronisers {
            by.entry((s.launch, s.to)).or_default().push(s.stages[0]);
        }
        for ((launch, to), firsts) in by.into_iter().filter(|b| b.1.len() > 1) {
            let from = self.d.of_leaf(self.net, launch).unwrap_or(NONE);
            let name = self.name(launch);
            let ends: Vec<String> = firsts.iter().map(|r| format!("`{}`", self.end_name(End::Register(*r)))).collect();
            let (a, b) = (self.clock_name(from), self.clock_name(to));
            let text = format!("`{name}` of {a} goes into {} synchronisers of {b}: {}", firsts.len(), ends.join(", "));
            let mut places = vec![(self.leaf_span(launch), "launched here".to_string())];
            places.extend(
                firsts.iter().take(2).map(|r| (self.end_span(End::Register(*r)), "synchronised here".to_string())),
            );
            self.add("C007", name, (from, to), text, &places, Vec::new());
        }
    }

    /// Whether a sender waits for an answer from the clock it sends to.
    fn is_answered(&self, launch: GateId, from: DomainId, to: DomainId) -> bool {
        let Gate::Register(r) = self.net.gates[launch.0 as usize] else { return false };
        let next = self.net.registers[r as usize].next;
        self.behind(next, from, 3).iter().any(|k| self.out.synchronisers[*k].from == to)
    }

    /// Separately synchronised signals of one clock that meet again.
    pub(super) fn reconvergence(&mut self) {
        // A synchronised signal, or a vector of them, is one source.
        let mut sets = Sets::default();
        let mut label: FxHashMap<u32, u32> = FxHashMap::default();
        let mut group: FxHashMap<(u32, DomainId, DomainId), u32> = FxHashMap::default();
        let mut of: Vec<usize> = Vec::new();
        // What is gray keeps its own order: several of them meeting is what arbiters are for.
        let gray: FxHashSet<GateId> =
            self.out.vectors.iter().filter(|v| v.gray).flat_map(|v| v.launches.clone()).collect();
        for (k, s) in self.out.synchronisers.iter().enumerate().filter(|(_, s)| !gray.contains(&s.launch)) {
            // A reset that crosses clears what it meets.
            if !self.last.contains_key(&s.stages[s.stages.len() - 1]) {
                continue;
            }
            let net = self.source_net(s.launch).unwrap_or(u32::MAX / 2 + k as u32);
            let id = *group.entry((net, s.from, s.to)).or_insert_with(|| {
                of.push(k);
                of.len() as u32 - 1
            });
            label.insert(s.stages[s.stages.len() - 1], id);
        }
        if of.len() < 2 {
            return;
        }
        let mut carried: FxHashMap<u32, SetId> = FxHashMap::default();
        let mut told: FxHashSet<(SetId, DomainId)> = FxHashSet::default();
        for _ in 0..=self.demands.depth {
            let mut value: Vec<SetId> = vec![0; self.net.gates.len()];
            for g in 0..self.net.gates.len() {
                if !self.s.hard[g] {
                    continue;
                }
                let mut set = match self.net.gates[g] {
                    Gate::Register(r) => match label.get(&r) {
                        Some(id) => sets.of(&[*id]),
                        None => carried.get(&r).copied().unwrap_or(0),
                    },
                    _ => 0,
                };
                let mut grown = false;
                self.net.fanin(GateId(g as u32), |l| {
                    let other = value[l.gate().0 as usize];
                    let both = sets.union(set, other);
                    grown |= set != 0 && other != 0 && both != set && both != other;
                    set = if sets.get(both).len() > 8 { set } else { both };
                });
                value[g] = set;
                if grown {
                    self.meeting(g, set, &sets, &of, &mut told);
                }
            }
            for (r, reg) in self.net.registers.iter().enumerate() {
                let set = value[reg.next.gate().0 as usize];
                if set != 0 && !label.contains_key(&(r as u32)) {
                    carried.insert(r as u32, set);
                }
            }
        }
    }

    fn meeting(&mut self, g: usize, set: SetId, sets: &Sets, of: &[usize], told: &mut FxHashSet<(SetId, DomainId)>) {
        let members: Vec<usize> = sets.get(set).iter().map(|i| of[*i as usize]).collect();
        for from in members.iter().map(|k| self.out.synchronisers[*k].from).collect::<FxHashSet<_>>() {
            let same: Vec<usize> =
                members.iter().copied().filter(|k| self.out.synchronisers[*k].from == from).collect();
            // Two sides of handshakes keep their own order, too, unless a whole vector goes beside one.
            let single = |k: &&usize| {
                let s = &self.out.synchronisers[**k];
                !self.out.vectors.iter().any(|v| v.pair == (s.from, s.to) && v.launches.contains(&s.launch))
            };
            let answered = |k: &&usize| {
                let s = &self.out.synchronisers[**k];
                self.is_answered(s.launch, s.from, s.to)
            };
            let calm = same.iter().all(|k| single(&k)) && same.iter().filter(|k| !answered(k)).count() < 2;
            if from == NONE || same.len() < 2 || calm || !told.insert((set, from)) {
                continue;
            }
            // A set that contains one that was told of says nothing new.
            let subset = |t: &(SetId, DomainId)| {
                t.1 == from && t.0 != set && sets.get(t.0).iter().all(|m| sets.get(set).contains(m))
            };
            if told.iter().any(subset) {
                continue;
            }
            let to = self.out.synchronisers[same[0]].to;
            let list: Vec<String> =
                same.iter().map(|k| format!("`{}`", self.name(self.out.synchronisers[*k].launch))).collect();
            let (a, b) = (self.clock_name(from), self.clock_name(to));
            let text = format!("{} of {a} are synchronised to {b} one by one and meet again", list.join(" and "));
            let mut places = vec![(self.net.spans[g], "they meet here".to_string())];
            for k in &same {
                let s = &self.out.synchronisers[*k];
                places.push((self.leaf_span(s.launch), "launched here".to_string()));
            }
            let path = self.name(self.out.synchronisers[same[0]].launch);
            self.add("C009", path, (from, to), text, &places, Vec::new());
        }
    }
}
