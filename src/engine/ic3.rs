//! IC3, or property-directed reachability: clauses about what is reachable in so many steps, learned from
//! states that lead to a bad one, until they stop changing.
//!
//! Frame `i` over-approximates what `i` steps can reach; it is the set of clauses learned at level `i` or
//! later. A state that leads to a bad one is widened by three-valued simulation (`ternary`), an
//! unreachable one is generalised by dropping literals, where a counterexample to that is itself blocked
//! if it can be (Hassan, Bradley, Somenzi 2013). Each frame has a solver of its own; a question is put to it
//! within the gates that it is about, since that is what its cost depends on.

use super::bmc::target;
use super::encode::Encoder;
use super::ternary::Lifter;
use super::{Control, Engine, Evidence, Outcome, Reason, Stats, Verdict};
use crate::model::{Goal, Path, System};
use crate::net::Lit;
use crate::sat::Answer;
use crate::sat::cdcl::{self, Cdcl, Domain};
use std::collections::BTreeSet;

/// A literal of a cube: a state bit and its value.
type Lite = (u32, bool);
/// Sorted literals that all hold.
type Cube = Vec<Lite>;

/// The engine.
#[derive(Default)]
pub struct Ic3 {
    known: Vec<Vec<Lite>>,
}

impl Engine for Ic3 {
    fn name(&self) -> &'static str {
        "ic3"
    }

    fn accepts(&self, _: &System, goal: &Goal) -> bool {
        target(goal).is_some()
    }

    fn learn(&mut self, known: &[Vec<Lite>]) {
        self.known = known.to_vec();
    }

    fn check(&mut self, sys: &System, goal: &Goal, ctl: &Control) -> Outcome {
        let Some(bad) = target(goal) else {
            let why = Reason::Unfit("ic3 knows no liveness".into());
            return Outcome::of(Verdict::Unknown(why), Stats::default());
        };
        let mut run = Run::new(sys, bad, &self.known, ctl);
        let verdict = run.check();
        let mut stats = run.stats.clone();
        stats.depth = run.frames.len() as u32;
        match verdict {
            Ok(Some(path)) => Outcome::of(Verdict::Fails(path), stats),
            Ok(None) => Outcome::holds(Evidence::Clauses(run.invariant()), stats),
            Err(Halt) => Outcome::of(Verdict::Unknown(ctl.reason()), stats),
        }
    }
}

/// Asked to stop.
struct Halt;

/// How many levels of counterexamples to generalisation are followed, and how many of them at each.
const CTG_DEPTH: u32 = 1;
const CTG_COUNT: u32 = 3;
/// Following one costs a question and pays in large systems only: fewer are followed where less than this
/// part of them, in percent, could be blocked. Then it is one in so many.
const CTG_WORTH: u64 = 8;
const CTG_RARELY: u64 = 16;

/// A cube that is known to be unreachable in so many steps.
struct Lemma {
    cube: Cube,
    /// One bit for each literal, shared by some: what lacks one of them is no part of it.
    sign: u64,
    /// Why it is not known for one step more: a state of its frame with a step into the cube, and the number
    /// of lemmas that it was known to satisfy.
    witness: Option<(Vec<bool>, usize)>,
}

impl Lemma {
    fn new(cube: Cube, witness: Option<(Vec<bool>, usize)>) -> Lemma {
        Lemma { sign: sign(&cube), cube, witness }
    }
}

struct Frame {
    /// Cubes known to be unreachable in this many steps, and not known for more.
    blocked: Vec<Lemma>,
    solver: Cdcl,
    /// State bits that the solver's clauses about states mention.
    mentioned: Domain,
    /// Clauses about states that the solver was given, with those that others have made superfluous.
    given: usize,
}

/// The step as clauses, which all frames share.
struct Step {
    solver: Cdcl,
    /// State bits before the step and after it.
    now: Vec<cdcl::Lit>,
    next: Vec<cdcl::Lit>,
    inputs: Vec<Option<cdcl::Lit>>,
    bad: cdcl::Lit,
    /// For each variable those that define it.
    fanin: Vec<Vec<u32>>,
    /// Variables that the constraints are about.
    always: Vec<u32>,
}

impl Step {
    fn new(sys: &System, bad: Lit) -> Step {
        let (mut solver, mut encoder) = (Cdcl::new(), Encoder::default());
        let aig = &sys.aig;
        let mut lit = |l: Lit| cdcl::Lit::from(encoder.lit(aig, l, &mut solver));
        let now = sys.states.iter().map(|s| lit(s.lit)).collect();
        let next = sys.states.iter().map(|s| lit(s.next)).collect();
        let bad = lit(bad);
        let constraints: Vec<cdcl::Lit> = sys.constraints.iter().map(|c| lit(c.1)).collect();
        let inputs = sys.inputs.iter().map(|i| encoder.known(i.lit).map(Into::into)).collect();
        let fanin = encoder.fanin(aig, solver.vars());
        let mut cone = Domain::default();
        for c in constraints {
            mark(&mut cone, &fanin, c.var());
            solver.clause(&[c]);
        }
        Step { solver, now, next, inputs, bad, fanin, always: cone.vars().to_vec() }
    }
}

/// Adds a variable and all that define it.
fn mark(set: &mut Domain, fanin: &[Vec<u32>], var: u32) {
    // The set is the list of what is to be done as well.
    let mut at = set.vars().len();
    set.insert(var);
    while let Some(v) = set.vars().get(at) {
        fanin[*v as usize].iter().for_each(|f| {
            set.insert(*f);
        });
        at += 1;
    }
}

/// A cube from which a bad step is reached.
struct Obligation {
    cube: Cube,
    /// The obligation it leads to, and the inputs of that step.
    next: Option<usize>,
    inputs: Vec<bool>,
    depth: u32,
}

struct Run<'a> {
    sys: &'a System,
    bad: Lit,
    /// Clauses that every reachable state satisfies.
    known: &'a [Vec<Lite>],
    ctl: &'a Control<'a>,
    step: Step,
    /// What the question at hand is about.
    domain: Domain,
    frames: Vec<Frame>,
    obligations: Vec<Obligation>,
    /// Lemmas in the order in which they were found, with the frame; the oldest are forgotten.
    log: Vec<(usize, Cube)>,
    forgotten: usize,
    /// Counterexamples to generalisation that were followed, how many of them could be blocked, and how many
    /// there were.
    followed: (u64, u64),
    passed: u64,
    /// How useful each state bit was.
    activity: Vec<f64>,
    lifter: Lifter,
    leaves: Vec<Lit>,
    stats: Stats,
}

/// The answer to "can this cube be reached from the frame before?"
enum Blocked {
    /// No; this part of it is enough.
    By(Cube),
    /// Yes, from this cube with these inputs.
    From(Cube, Vec<bool>),
}

impl<'a> Run<'a> {
    fn new(sys: &'a System, bad: Lit, known: &'a [Vec<Lite>], ctl: &'a Control<'a>) -> Run<'a> {
        Run {
            sys,
            bad,
            known,
            ctl,
            step: Step::new(sys, bad),
            domain: Domain::default(),
            frames: Vec::new(),
            obligations: Vec::new(),
            log: Vec::new(),
            forgotten: 0,
            followed: (0, 0),
            passed: 0,
            activity: vec![0.0; sys.states.len()],
            lifter: Lifter::new(&sys.aig),
            leaves: sys.states.iter().map(|s| s.lit).collect(),
            stats: Stats::default(),
        }
    }

    fn frame(&self, level: usize) -> Frame {
        let solver = self.step.solver.clone();
        let mut f = Frame { blocked: Vec::new(), solver, mentioned: Domain::default(), given: 0 };
        if level == 0 {
            for (s, l) in self.sys.states.iter().zip(&self.step.now) {
                if let Some(v) = s.init {
                    f.solver.clause(&[l.xor(!v)]);
                }
            }
        }
        for c in self.known {
            let cube: Cube = c.iter().map(|(s, v)| (*s, !*v)).collect();
            f.exclude(&self.step, &cube);
        }
        f.given = 0;
        for g in self.frames.iter().skip(level.max(1)) {
            for c in &g.blocked {
                f.exclude(&self.step, &c.cube);
            }
        }
        f
    }

    /// Asks a frame for a step from outside of `cube` that makes all `roots` true.
    fn solve(&mut self, level: usize, roots: &[cdcl::Lit], cube: &[Lite]) -> Result<bool, Halt> {
        self.stats.work += 1;
        if self.stats.work.is_multiple_of(64) && self.ctl.stop() {
            return Err(Halt);
        }
        let f = &mut self.frames[level];
        self.domain.clear();
        self.step.always.iter().chain(f.mentioned.vars()).for_each(|v| {
            self.domain.insert(*v);
        });
        let without: Vec<cdcl::Lit> = cube.iter().map(|(s, v)| self.step.now[*s as usize].xor(*v)).collect();
        for l in roots.iter().chain(&without) {
            mark(&mut self.domain, &self.step.fanin, l.var());
        }
        let ctl = self.ctl;
        match f.solver.solve(roots, &without, Some(&self.domain), &|| ctl.stop()) {
            Answer::Sat => Ok(true),
            Answer::Unsat => Ok(false),
            Answer::Stopped => Err(Halt),
        }
    }

    fn check(&mut self) -> Result<Option<Path>, Halt> {
        let first = self.frame(0);
        self.frames.push(first);
        // Bad in the first step?
        if self.solve(0, &[self.step.bad], &[])? {
            let (state, inputs) = self.model(0);
            return Ok(Some(Path { init: state, inputs: vec![inputs], back_to: None }));
        }
        loop {
            let level = self.frames.len();
            let frame = self.frame(level);
            self.frames.push(frame);
            (self.ctl.progress)("ic3", level as u32);
            if let Some(path) = self.strengthen(level)? {
                return Ok(Some(path));
            }
            if self.propagate(level)? {
                return Ok(None);
            }
        }
    }

    /// Blocks every state of the last frame that allows a bad step.
    fn strengthen(&mut self, level: usize) -> Result<Option<Path>, Halt> {
        loop {
            if !self.solve(level, &[self.step.bad], &[])? {
                return Ok(None);
            }
            let (state, inputs) = self.model(level);
            let cube = self.lift(&state, &inputs, &[self.bad]);
            self.obligations.clear();
            self.obligations.push(Obligation { cube, next: None, inputs, depth: 0 });
            if let Some(path) = self.block_all(level)? {
                return Ok(Some(path));
            }
        }
    }

    /// Blocks obligations, the earliest frames first.
    fn block_all(&mut self, level: usize) -> Result<Option<Path>, Halt> {
        // (frame, depth, number): the smallest is next.
        let mut queue: BTreeSet<(usize, u32, usize)> = BTreeSet::from([(level, 0, self.obligations.len() - 1)]);
        while let Some((frame, depth, number)) = queue.pop_first() {
            self.refresh();
            let cube = self.obligations[number].cube.clone();
            if self.meets_initial(&cube) || frame == 0 {
                return Ok(Some(self.path(number)));
            }
            if self.is_blocked(frame, &cube) {
                if frame < level {
                    queue.insert((frame + 1, depth, number));
                }
                continue;
            }
            match self.reach(frame, &cube)? {
                Blocked::By(core) => {
                    let core = self.generalise(frame, core, 0)?;
                    let (at, witness) = self.push_up(frame, &core, level)?;
                    self.add(at, core, witness);
                    if at < level {
                        queue.insert((at + 1, depth, number));
                    }
                }
                Blocked::From(before, inputs) => {
                    self.obligations.push(Obligation { cube: before, next: Some(number), inputs, depth: depth + 1 });
                    queue.insert((frame - 1, depth + 1, self.obligations.len() - 1));
                    queue.insert((frame, depth, number));
                }
            }
        }
        Ok(None)
    }

    /// The highest frame at which a cube that is blocked at `frame` is blocked, too, and why no higher.
    fn push_up(&mut self, frame: usize, cube: &Cube, level: usize) -> Result<(usize, Option<Vec<bool>>), Halt> {
        for at in frame..level {
            if self.relative(at + 1, cube)? {
                return Ok((at, Some(self.model(at).0)));
            }
        }
        Ok((level, None))
    }

    fn path(&self, number: usize) -> Path {
        let mut init: Vec<bool> = self.sys.states.iter().map(|s| s.init.unwrap_or(false)).collect();
        for (s, v) in &self.obligations[number].cube {
            init[*s as usize] = *v;
        }
        let mut inputs = vec![self.obligations[number].inputs.clone()];
        let mut at = self.obligations[number].next;
        while let Some(n) = at {
            inputs.push(self.obligations[n].inputs.clone());
            at = self.obligations[n].next;
        }
        debug_assert_eq!(inputs.len() as u32, self.obligations[number].depth + 1);
        Path { init, inputs, back_to: None }
    }

    /// State and inputs of the last model.
    fn model(&self, level: usize) -> (Vec<bool>, Vec<bool>) {
        // What the question was not about may have any value.
        let value = |l: cdcl::Lit| self.frames[level].solver.value(l).unwrap_or(false);
        let state = self.step.now.iter().map(|l| value(*l)).collect();
        (state, self.step.inputs.iter().map(|l| l.is_some_and(value)).collect())
    }

    /// The part of a state that makes `roots` and the constraints true with these inputs.
    fn lift(&mut self, state: &[bool], inputs: &[bool], roots: &[Lit]) -> Cube {
        let mut all: Vec<Lit> = roots.to_vec();
        all.extend(self.sys.constraints.iter().map(|c| c.1));
        let mut order: Vec<usize> = (0..state.len()).collect();
        order.sort_by(|a, b| self.activity[*a].total_cmp(&self.activity[*b]));
        let kept = self.lifter.lift(&self.sys.aig, state, inputs, &all, &order, &self.leaves);
        let mut cube: Cube = kept.into_iter().map(|s| (s as u32, state[s])).collect();
        cube.sort_unstable();
        cube
    }

    fn meets_initial(&self, cube: &[Lite]) -> bool {
        cube.iter().all(|(s, v)| self.sys.states[*s as usize].init.is_none_or(|i| i == *v))
    }

    fn is_blocked(&self, frame: usize, cube: &Cube) -> bool {
        let sign = sign(cube);
        let is_part = |b: &Lemma| b.sign & !sign == 0 && subsumes(&b.cube, cube);
        self.frames[frame..].iter().any(|f| f.blocked.iter().any(is_part))
    }

    /// Whether `cube` can be reached in one step from frame `frame - 1` outside itself.
    fn reach(&mut self, frame: usize, cube: &Cube) -> Result<Blocked, Halt> {
        if self.relative(frame, cube)? {
            let (state, inputs) = self.model(frame - 1);
            let roots: Vec<Lit> = cube.iter().map(|(s, v)| self.sys.states[*s as usize].next.xor(!v)).collect();
            let before = self.lift(&state, &inputs, &roots);
            return Ok(Blocked::From(before, inputs));
        }
        Ok(Blocked::By(self.core(frame, cube)))
    }

    /// Asks for a step from `frame - 1` and not `cube` into `cube`.
    fn relative(&mut self, frame: usize, cube: &Cube) -> Result<bool, Halt> {
        let level = frame - 1;
        let roots: Vec<cdcl::Lit> = cube.iter().map(|(s, v)| self.step.next[*s as usize].xor(!v)).collect();
        // In the first frame the cube is known to be absent.
        self.solve(level, &roots, if level > 0 { cube } else { &[] })
    }

    /// The part of a cube that the last answer, no, needs; it must stay away from the initial states.
    fn core(&mut self, frame: usize, cube: &Cube) -> Cube {
        let core = self.frames[frame - 1].solver.core();
        let is_needed = |(s, v): &Lite| core.contains(&self.step.next[*s as usize].xor(!v));
        let mut part: Cube = cube.iter().copied().filter(is_needed).collect();
        if self.meets_initial(&part) {
            let away = cube.iter().find(|(s, v)| self.sys.states[*s as usize].init == Some(!*v));
            part.extend(away);
            part.sort_unstable();
        }
        part
    }

    /// Drops literals while the rest stays unreachable from the frame before.
    fn generalise(&mut self, frame: usize, mut cube: Cube, depth: u32) -> Result<Cube, Halt> {
        let mut order: Cube = cube.clone();
        order.sort_by(|a, b| self.activity[a.0 as usize].total_cmp(&self.activity[b.0 as usize]));
        for l in order {
            if cube.len() == 1 || !cube.contains(&l) {
                continue;
            }
            let smaller: Cube = cube.iter().copied().filter(|x| *x != l).collect();
            if let Some(better) = self.down(frame, &smaller, depth)? {
                cube = better;
            }
        }
        for (s, _) in &cube {
            self.activity[*s as usize] += 1.0;
        }
        self.activity.iter_mut().for_each(|a| *a *= 0.99);
        Ok(cube)
    }

    /// Whether a cube, or a part of it, is unreachable from the frame before.
    fn down(&mut self, frame: usize, cube: &Cube, depth: u32) -> Result<Option<Cube>, Halt> {
        if self.meets_initial(cube) {
            return Ok(None);
        }
        for followed in 0..=CTG_COUNT {
            if !self.relative(frame, cube)? {
                return Ok(Some(self.core(frame, cube)));
            }
            if depth >= CTG_DEPTH || frame == 1 || followed == CTG_COUNT || !self.is_worth_it() {
                break;
            }
            let (state, inputs) = self.model(frame - 1);
            let roots: Vec<Lit> = cube.iter().map(|(s, v)| self.sys.states[*s as usize].next.xor(!v)).collect();
            let before = self.lift(&state, &inputs, &roots);
            self.followed.0 += 1;
            if self.meets_initial(&before) || self.relative(frame - 1, &before)? {
                break;
            }
            self.followed.1 += 1;
            let core = self.core(frame - 1, &before);
            let core = self.generalise(frame - 1, core, depth + 1)?;
            let (at, witness) = self.push_up(frame - 1, &core, self.frames.len() - 1)?;
            self.add(at, core, witness);
        }
        Ok(None)
    }

    /// Whether to follow a counterexample to generalisation.
    fn is_worth_it(&mut self) -> bool {
        let (tried, blocked) = self.followed;
        self.passed += 1;
        blocked * 100 >= tried * CTG_WORTH || self.passed.is_multiple_of(CTG_RARELY)
    }

    /// Notes that a cube is unreachable within `frame` steps; `witness` is a state of that frame with a step
    /// into it.
    fn add(&mut self, frame: usize, cube: Cube, witness: Option<Vec<bool>>) {
        let sign = sign(&cube);
        for f in &mut self.frames[1..=frame] {
            f.blocked.retain(|b| sign & !b.sign != 0 || !subsumes(&cube, &b.cube));
        }
        for f in &mut self.frames[1..=frame] {
            f.exclude(&self.step, &cube);
        }
        self.log.push((frame, cube.clone()));
        let known = self.forgotten + self.log.len();
        self.frames[frame].blocked.push(Lemma::new(cube, witness.map(|w| (w, known))));
    }

    /// Makes solvers anew that have many superfluous clauses.
    fn refresh(&mut self) {
        let mut live = 0;
        for level in (1..self.frames.len()).rev() {
            live += self.frames[level].blocked.len();
            if self.frames[level].given > live + live / 2 + 100 {
                let fresh = self.frame(level);
                let blocked = std::mem::take(&mut self.frames[level].blocked);
                self.frames[level] = Frame { blocked, ..fresh };
            }
        }
    }

    /// Whether a witness that was in frame `k` still is.
    fn is_alive(&self, k: usize, (state, known): &(Vec<bool>, usize)) -> bool {
        let covers = |c: &Cube| c.iter().all(|(s, v)| state[*s as usize] == *v);
        !self.log[known - self.forgotten..].iter().any(|(frame, c)| *frame >= k && covers(c))
    }

    /// Moves clauses to later frames where they hold; whether a frame has become equal to the next.
    fn propagate(&mut self, level: usize) -> Result<bool, Halt> {
        let start = self.forgotten + self.log.len();
        for k in 1..level {
            let mut lemmas = std::mem::take(&mut self.frames[k].blocked);
            lemmas.sort_by_key(|l| l.cube.len());
            for mut l in lemmas {
                // One that was moved may cover this one.
                let above = &self.frames[k + 1].blocked;
                if above.iter().any(|b| b.sign & !l.sign == 0 && subsumes(&b.cube, &l.cube)) {
                    continue;
                }
                let known = self.forgotten + self.log.len();
                match l.witness.take().filter(|w| self.is_alive(k, w)) {
                    Some((state, _)) => l.witness = Some((state, known)),
                    None if self.relative(k + 1, &l.cube)? => l.witness = Some((self.model(k).0, known)),
                    None => {
                        let core = self.core(k + 1, &l.cube);
                        self.add(k + 1, core, None);
                        continue;
                    }
                }
                self.frames[k].blocked.push(l);
            }
            if self.frames[k].blocked.is_empty() {
                return Ok(true);
            }
        }
        // All witnesses but those of the last frame were looked at since.
        for l in &mut self.frames[level].blocked {
            l.witness = l.witness.take().filter(|w| w.1 >= start);
        }
        self.log.drain(..start - self.forgotten);
        self.forgotten = start;
        Ok(false)
    }

    /// The clauses of the first frame that is equal to the next.
    fn invariant(&self) -> Vec<Vec<Lite>> {
        let from = (1..self.frames.len()).find(|k| self.frames[*k].blocked.is_empty()).unwrap_or(1);
        let cubes = self.frames[from..].iter().flat_map(|f| &f.blocked);
        cubes.map(|c| c.cube.iter().map(|(s, v)| (*s, !*v)).collect()).collect()
    }
}

impl Frame {
    /// Tells the solver that a cube is not reached.
    fn exclude(&mut self, step: &Step, cube: &[Lite]) {
        let clause: Vec<cdcl::Lit> = cube.iter().map(|(s, v)| step.now[*s as usize].xor(*v)).collect();
        clause.iter().for_each(|l| {
            self.mentioned.insert(l.var());
        });
        self.solver.clause(&clause);
        self.given += 1;
    }
}

fn sign(cube: &[Lite]) -> u64 {
    cube.iter().fold(0, |sign, (s, v)| sign | 1 << ((s * 2 + *v as u32) % 64))
}

/// Whether all literals of `a` are in `b`; both are sorted.
fn subsumes(a: &[Lite], b: &[Lite]) -> bool {
    let mut b = b.iter();
    a.len() <= b.len() && a.iter().all(|x| b.by_ref().any(|y| y == x))
}
