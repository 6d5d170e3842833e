//! Wishes into plans: what to run, and what the run must contain.
//!
//! At fixed delays all before a phase is given, and a wish is about the nodes of one phase. With loose delays it is
//! about all nodes before, and about delays that allow it.

use super::super::dates::{Dates, Impossible, may_precede};
use super::super::order::{Order, step_label};
use super::super::server::Script;
use super::super::set::Set;
use super::super::shared;
use super::{Asked, Plan, Search, Wish, WishKind};
use smol_str::SmolStr;

/// What a wish is about at fixed delays, where no dates are in its way: nodes of one phase, and one more.
pub(super) struct Fixed {
    pub asked: Asked,
    /// The phase's first place, and those of its places that are wished for.
    from: u32,
    kept: Vec<u32>,
    last: Last,
}

enum Last {
    Place(u32),
    Step(SmolStr, u32),
}

/// What a wish asks for at fixed delays.
pub(super) fn fixed(order: &Order, wish: &Wish) -> Option<Fixed> {
    let (first, second) = match wish.kind {
        WishKind::First => return None,
        WishKind::Reverse { first, second } => (first, second),
        WishKind::Instead { of, .. } => (of, of),
    };
    let phase = order.phase(second)?;
    let (from, to) = phase.places;
    // What follows the first because of it.
    let mut up = Set::new((to - from) as usize);
    up.add(first - from);
    for i in first + 1..to {
        if order.places[i as usize].before.iter().any(|&b| b >= from && up.has(b - from)) {
            up.add(i - from);
        }
    }
    // All others, also those that came after the second: a wish without them may be fulfilled by a run in which they
    // come otherwise, and then nothing asks for the runs in which they come like this.
    let kept: Vec<u32> = (from..to).filter(|&i| !up.has(i - from) && (i < second || alike(order, i, second))).collect();
    let names = [phase.before].into_iter().chain(kept.iter().map(|&i| order.places[i as usize].name)).collect();
    let (last, label) = match wish.kind {
        WishKind::Instead { process, .. } => {
            let mine = |i: &u32| order.places[*i as usize].step.is_some_and(|s| s.0 == process);
            let n = (0..from).chain(kept.iter().copied()).filter(mine).count() as u32 + 1;
            let key = order.keys[process as usize].clone();
            let label = step_label(&key, n);
            (Last::Step(key, n), label)
        }
        _ => (Last::Place(second), order.places[second as usize].label),
    };
    Some(Fixed { asked: Asked { names, last: Some(label ^ phase.before) }, from, kept, last })
}

impl Fixed {
    /// The run to make.
    pub fn plan(self, order: &Order, wish: &Wish) -> Plan {
        let mut script = Script::default();
        (0..self.from).chain(self.kept).for_each(|i| put_in(order, &mut script, i));
        match self.last {
            Last::Place(i) => put_in(order, &mut script, i),
            Last::Step(key, n) => script.steps.push((key, n)),
        }
        Plan { script, asked: self.asked, wish: *wish }
    }
}

/// Are both steps, or both timed things, so that the one can come before the other in one phase?
fn alike(order: &Order, a: u32, b: u32) -> bool {
    let (a, b) = (&order.places[a as usize], &order.places[b as usize]);
    (a.step.is_some() && b.step.is_some()) || (a.timed.is_some() && b.timed.is_some())
}

/// In how many ways a wish is made smaller at most.
const PARTS: usize = 64;

/// What became of a wish.
pub(super) enum Planned {
    Run(Plan),
    /// No dates allow it.
    Never,
    /// No dates allow all of it: there are smaller wishes instead.
    Split,
}

impl Search {
    /// What a wish asks for with loose delays, if some dates allow it.
    pub(super) fn plan(&mut self, wish: &Wish, order: &Order) -> Planned {
        match wish.kind {
            WishKind::First => Planned::Never,
            WishKind::Instead { of, process } => {
                let set = without(order, of, of);
                let n = set.iter().filter(|&i| order.places[i as usize].step.is_some_and(|s| s.0 == process)).count();
                let mut plan = script(order, &set, wish);
                let key = order.keys[process as usize].clone();
                plan.asked.last = Some(step_label(&key, n as u32 + 1));
                plan.script.steps.push((key, n as u32 + 1));
                Planned::Run(plan)
            }
            WishKind::Reverse { first, second } => self.reversed(wish, order, first, second),
        }
    }

    /// The plan for a reversal. Where no dates allow all of what is wished for, each way to leave out something of what is
    /// in the way is a wish of its own.
    fn reversed(&mut self, wish: &Wish, order: &Order, first: u32, second: u32) -> Planned {
        let mut set = without(order, first, second);
        if self.shared {
            let past = past(order, second, first);
            return self.plan_shared(wish, order, first, second, &set, &past).map_or(Planned::Never, Planned::Run);
        }
        let past = needed(order, second, first);
        let out = &self.parts[wish.part as usize];
        for &x in out {
            above(order, x).iter().for_each(|y| set.remove(y));
        }
        let lesson = self.lessons.get(wish);
        // Whoever is due meanwhile should stay behind what it conflicted with; that is a wish of its own, and given up when
        // it cannot be had.
        let mut solved = Err(Impossible(vec![]));
        for polite in [true, false] {
            let mut dates = asked_dates(order, &set, first, second, polite);
            for &x in out.iter().filter(|&&x| order.places[second as usize].conflicts.has(x)) {
                dates.node(order, x);
                dates.before(order, second, x);
            }
            if let Some(l) = lesson {
                l.teach(&mut dates, &set, second);
            }
            solved = dates.solve().map(|()| dates);
            if solved.is_ok() {
                break;
            }
        }
        let in_the_way = match solved {
            Ok(dates) => {
                let mut plan = timed(order, &set, &|i| dates.date(i), second, wish);
                plan.script.delays = delays(order, &set, &dates, first, second, self.broken);
                if let Some(l) = lesson {
                    l.delays(&mut plan.script.delays);
                }
                return Planned::Run(plan);
            }
            Err(Impossible(nodes)) => nodes,
        };
        // Orders that the second node does not need may be what is in the way, its own ones among them: then it comes
        // before several others at one stroke.
        let spare: Vec<u32> = in_the_way.into_iter().filter(|&x| x != second && set.has(x) && !past.has(x)).collect();
        let mut needed = Set::new(order.places.len());
        set.iter().filter(|&i| past.has(i)).for_each(|i| needed.add(i));
        if spare.is_empty() || asked_dates(order, &needed, first, second, false).solve().is_err() {
            return Planned::Never;
        }
        self.split(wish, order, first, second, &spare);
        Planned::Split
    }

    /// Wishes for the same with one of these left out, and what comes after it.
    fn split(&mut self, wish: &Wish, order: &Order, first: u32, second: u32, spare: &[u32]) {
        let out = &self.parts[wish.part as usize];
        let lesson = self.lessons.get(wish).map(|l| l.sure());
        let mut parts: Vec<Vec<u32>> = Vec::new();
        for &x in spare {
            let up = above(order, x);
            // Without a later one more is left.
            if !spare.iter().any(|&y| y != x && up.has(y)) {
                let mut part: Vec<u32> = out.iter().copied().filter(|&y| !up.has(y)).chain([x]).collect();
                part.sort_unstable();
                parts.push(part);
            }
        }
        for part in parts {
            let known = self.split.entry((wish.base, first, second)).or_default();
            if known.contains(&part) {
                continue;
            }
            if known.len() >= PARTS {
                self.unsure += 1;
                return;
            }
            known.insert(part.clone());
            let wish = Wish { part: self.parts.len() as u32, ..*wish };
            self.parts.push(part);
            self.wishes.push_back(wish);
            if let Some(l) = &lesson {
                self.lessons.insert(wish, l.clone());
            }
            if let Some(b) = self.bases.get_mut(&wish.base) {
                b.wishes += 1;
            }
        }
    }

    /// The same where the delays of one wait are one choice. A linear program does not say what is in the way: nodes
    /// that the second one does not need are put in as far as it goes, many at a time.
    fn plan_shared(
        &mut self,
        wish: &Wish,
        order: &Order,
        first: u32,
        second: u32,
        all: &Set,
        past: &Set,
    ) -> Option<Plan> {
        let solve = |set: &Set, polite| shared::solve(order, &asked_dates(order, set, first, second, polite));
        // Whether something was given up that may be possible: then nobody knows what it hides.
        let mut unsure = false;
        let mut plainly = |set: &Set| match solve(set, false) {
            Ok(f) => Some(f),
            Err(no) => {
                unsure |= no == shared::No::Unsure;
                None
            }
        };
        let mut set = all.clone();
        let mut found = solve(&set, true).ok().or_else(|| plainly(&set));
        if found.is_none() {
            set = Set::new(order.places.len());
            all.iter().filter(|&i| past.has(i)).for_each(|i| set.add(i));
            found = plainly(&set);
            let mut parts: Vec<Vec<u32>> = vec![all.iter().filter(|&i| !past.has(i)).collect()];
            while let Some(part) = parts.pop().filter(|_| found.is_some()) {
                let mut more = set.clone();
                for &i in &part {
                    if order.places[i as usize].before.iter().all(|&b| more.has(b)) {
                        more.add(i);
                    }
                }
                if more == set {
                    continue;
                }
                match plainly(&more) {
                    Some(f) => (set, found) = (more, Some(f)),
                    None if part.len() > 1 => {
                        let (a, b) = part.split_at(part.len() / 2);
                        parts.extend([b.to_vec(), a.to_vec()]);
                    }
                    None => {}
                }
            }
            found = solve(&set, true).ok().or(found);
        }
        self.unsure += unsure as u64;
        let found = found?;
        let date = |i: u32| found.dates.get(&i).copied().unwrap_or(i64::MAX);
        let mut plan = timed(order, &set, &date, second, wish);
        plan.script.scales = found.scales;
        Some(plan)
    }
}

/// The dates of what is wished for: all of a set, then the second before the first. If `polite`, whoever is due meanwhile
/// stays behind what it conflicted with.
fn asked_dates(order: &Order, set: &Set, first: u32, second: u32, polite: bool) -> Dates {
    let mut dates = Dates::new(order, set);
    dates.node(order, second);
    for c in order.places[second as usize].conflicts.iter().filter(|&c| set.has(c)) {
        dates.keep(order, c, second);
    }
    // What came later must come before it to be of use.
    for i in set.iter().filter(|&i| i > second) {
        dates.keep(order, i, second);
    }
    dates.node(order, first);
    dates.before(order, second, first);
    for (x, p) in order.places.iter().enumerate().filter(|_| polite) {
        let x = x as u32;
        let due = p.cause.is_some_and(|c| set.has(c) || c == second);
        if !due || set.has(x) || x == second {
            continue;
        }
        if x != first {
            dates.node(order, x);
        }
        for c in p.conflicts.iter().filter(|&c| set.has(c) || c == second) {
            dates.keep(order, c, x);
        }
    }
    dates
}

/// Does a node need another to come about: as its cause, or as an earlier step of its process?
pub(super) fn needs(order: &Order, of: u32, other: u32) -> bool {
    let (p, b) = (&order.places[of as usize], &order.places[other as usize]);
    p.cause == Some(other) || (p.step.is_some() && p.step.map(|s| s.0) == b.step.map(|s| s.0))
}

/// Could the two come in the other order at all? Without loose delays only steps of one phase can, and
/// timed things due at one date.
pub(super) fn possible(order: &Order, first: u32, second: u32) -> bool {
    let (a, b) = (&order.places[first as usize], &order.places[second as usize]);
    if order.loose {
        may_precede(order, second, first)
    } else {
        alike(order, first, second) && a.time == b.time && a.phase == b.phase
    }
}

/// All nodes that are not after `first` and that may come before `second`: those that did, those of its own phase, and
/// those that some delays bring before it. (A wish without the latter may be fulfilled by a run in which they come
/// otherwise, and then nothing asks for the runs in which they come like this.)
fn without(order: &Order, first: u32, second: u32) -> Set {
    let up = above(order, first);
    let b = &order.places[second as usize];
    let mut set = Set::new(order.places.len());
    for (i, p) in order.places.iter().enumerate() {
        let i = i as u32;
        let with = || alike(order, i, second) && p.time == b.time && p.phase == b.phase;
        let sooner = || p.node.is_some() && p.before.iter().all(|&b| set.has(b)) && may_precede(order, i, second);
        if !up.has(i) && (i < second || with() || (first != second && sooner())) {
            set.add(i);
        }
    }
    set
}

/// A node and all that come after it because of it.
pub(super) fn above(order: &Order, from: u32) -> Set {
    let mut up = Set::new(order.places.len());
    up.add(from);
    for i in from + 1..order.places.len() as u32 {
        if order.places[i as usize].before.iter().any(|&b| up.has(b)) {
            up.add(i);
        }
    }
    up
}

/// What a node needs to come about, and what `but` needed: its wake-up does not come from nowhere.
fn needed(order: &Order, of: u32, but: u32) -> Set {
    let mut set = Set::new(order.places.len());
    let mut todo: Vec<u32> = order.places[of as usize].before.to_vec();
    todo.extend(order.places[of as usize].cause);
    todo.retain(|&b| needs(order, of, b));
    todo.extend(&order.places[but as usize].before);
    while let Some(b) = todo.pop() {
        if !set.has(b) {
            set.add(b);
            todo.extend(&order.places[b as usize].before);
        }
    }
    set
}

/// The past of a node, not counting what it has only through `but`.
fn past(order: &Order, of: u32, but: u32) -> Set {
    let mut set = Set::new(order.places.len());
    let mut todo = vec![of];
    while let Some(i) = todo.pop() {
        for &b in order.places[i as usize].before.iter().filter(|&&b| !(i == of && b == but)) {
            if !set.has(b) {
                set.add(b);
                todo.push(b);
            }
        }
    }
    // What the first needed the second may have needed, too: its wake-up does not come from nowhere.
    let mut todo = order.places[but as usize].before.to_vec();
    while let Some(b) = todo.pop() {
        if !set.has(b) {
            set.add(b);
            todo.extend(&order.places[b as usize].before);
        }
    }
    set
}

fn script(order: &Order, set: &Set, wish: &Wish) -> Plan {
    let mut plan = Plan { script: Script::default(), asked: Asked::default(), wish: *wish };
    for i in set.iter() {
        let p = &order.places[i as usize];
        plan.asked.names.push(p.name);
        put_in(order, &mut plan.script, i);
    }
    plan
}

/// Asks for a node: a step, or something timed before others of its date.
fn put_in(order: &Order, script: &mut Script, i: u32) {
    let p = &order.places[i as usize];
    if let Some((process, n)) = p.step {
        script.steps.push((order.keys[process as usize].clone(), n));
    }
    script.due.extend(p.due(order));
}

fn push_step(order: &Order, plan: &mut Plan, i: u32) {
    let p = &order.places[i as usize];
    put_in(order, &mut plan.script, i);
    plan.asked.last = Some(p.wanted(order));
}

/// The plan for dates that were found: steps by date, and in one date as they were.
fn timed(order: &Order, set: &Set, date: &dyn Fn(u32) -> i64, second: u32, wish: &Wish) -> Plan {
    let mut plan = script(order, set, wish);
    push_step(order, &mut plan, second);
    let mut steps: Vec<u32> = set.iter().filter(|&i| order.places[i as usize].step.is_some()).collect();
    if order.places[second as usize].step.is_some() {
        steps.push(second);
    }
    steps.sort_by_key(|&i| (date(i), order.places[i as usize].phase));
    plan.script.steps = steps
        .iter()
        .filter_map(|&i| order.places[i as usize].step)
        .map(|(process, n)| (order.keys[process as usize].clone(), n))
        .collect();
    plan
}

/// The delays for dates that were found. What nothing wished for needs comes as late as it can, so as not to be in the way;
/// unless a run may break off before it comes.
fn delays(order: &Order, set: &Set, dates: &Dates, first: u32, second: u32, breaks: bool) -> Vec<(SmolStr, u32, u64)> {
    let mut used = Set::new(order.places.len());
    for i in set.iter().chain([second]) {
        let p = &order.places[i as usize];
        p.before.iter().chain(&p.cause).for_each(|&b| used.add(b));
    }
    let mut out = Vec::new();
    for (i, p) in order.places.iter().enumerate() {
        let i = i as u32;
        let (Some((process, number)), Some(cause)) = (p.delay, p.cause) else { continue };
        let value = if (set.has(i) && (used.has(i) || i > second || breaks)) || i == second {
            dates.date(i) - dates.date(cause)
        } else if i == first || set.has(cause) || cause == second {
            // Whatever is not asked for should not come in the way.
            p.after.1 as i64
        } else {
            continue;
        };
        out.push((order.keys[process as usize].clone(), number, value as u64));
    }
    out
}
