//! One step of a model for tools that know steps but no clocks.
//!
//! **Active edges.** If every register, write port and clocked assertion works on the same edge of
//! one clock, which is a primary input that nothing else reads, and there are neither asynchronous
//! controls nor latches, then a step is one such edge: the clock is gone, the inputs of a step are
//! those just before the edge, outputs and assertions are seen at the same moment, and the state of
//! the next step is that after the edge.
//!
//! **Any moment.** Every other design uses this: in each step the inputs take any new values, clocks
//! among them, and the design comes to rest as in [`crate::net::sim`]; outputs and unclocked
//! assertions are seen at rest, clocked assertions at each edge on the way. So one step is exactly
//! one `Sim::settle`, with derived clocks, asynchronous controls and latches in the simulator's
//! order. What the clocks were before is state. The first step has no edges of input clocks
//! (`Sim::prime` with the inputs of that step).
//!
//! [`unroll`] writes the second kind as one expression per state bit: it runs the simulator's two
//! loops, latches inside and clock edges outside, on expressions instead of values. It ends when
//! the expressions no longer change. A design whose clocks or controls depend on what they clock in
//! a way that never ends so (a counter that clears itself asynchronously, say) is refused.

/// The values of all state elements at one moment of a step.
#[derive(Clone)]
pub struct Leaves<V> {
    /// Registers.
    pub registers: Vec<V>,
    /// Latches.
    pub latches: Vec<V>,
    /// Memories.
    pub memories: Vec<V>,
    /// Different for different contents, so that a machine can keep what it computed.
    pub version: u64,
}

/// Something a machine computes from the inputs and the [`Leaves`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Root {
    /// A clock, rising edge.
    Clock(usize),
    /// What a register loads.
    Next(usize),
    /// Condition of an asynchronous control: register, position.
    Control(usize, usize),
    /// Its value.
    ControlValue(usize, usize),
    /// When a latch is open.
    Enable(usize),
    /// What it lets through.
    Data(usize),
    /// When an assertion is reached.
    Reached(usize),
    /// Its condition.
    Condition(usize),
    /// When it says something.
    Trigger(usize),
}

/// Clocked things, by position of their clock; `None` is a clock that never moves, or no clock.
pub struct Shape {
    /// Number of different clocks.
    pub clocks: usize,
    /// Clock and number of asynchronous controls of each register.
    pub registers: Vec<(Option<usize>, usize)>,
    /// For each latch whether its enable depends on no latch.
    pub latches: Vec<bool>,
    /// Clock and memory of each write port, in the order of writing.
    pub writes: Vec<(Option<usize>, usize)>,
    /// Clock of each assertion.
    pub asserts: Vec<Option<usize>>,
}

/// Expressions of a design: gates for AIGER, words for BTOR2.
pub trait Machine {
    /// An expression; equal ones are equal in value.
    type Value: Copy + PartialEq;
    /// Constant 0, one bit.
    fn no(&mut self) -> Self::Value;
    /// Complement.
    fn not(&mut self, a: Self::Value) -> Self::Value;
    /// And of single bits.
    fn and(&mut self, a: Self::Value, b: Self::Value) -> Self::Value;
    /// `s ? t : e`, of bits, words or memories.
    fn mux(&mut self, s: Self::Value, t: Self::Value, e: Self::Value) -> Self::Value;
    /// A root of the design when state has the given values.
    fn value(&mut self, root: Root, leaves: &Leaves<Self::Value>) -> Self::Value;
    /// `memory` after write port `port` wrote, if `rise`.
    fn write(
        &mut self,
        port: usize,
        rise: Self::Value,
        memory: Self::Value,
        leaves: &Leaves<Self::Value>,
    ) -> Self::Value;
    /// Whether the expressions have grown beyond reason.
    fn is_too_large(&self) -> bool;
}

/// A design at rest.
pub struct Rest<V> {
    /// State.
    pub leaves: Leaves<V>,
    /// Levels of the clocks.
    pub clocks: Vec<V>,
    /// For each clocked assertion whether it failed on the way.
    pub failed: Vec<V>,
    /// For each clocked assertion whether it was reached and held on the way.
    pub hit: Vec<V>,
    /// For each clocked assertion whether it said something on the way.
    pub triggered: Vec<V>,
}

/// State that may keep changing.
#[derive(Debug, PartialEq, Eq)]
pub struct Stuck {
    /// Registers, by position.
    pub registers: Vec<usize>,
    /// Latches, by position.
    pub latches: Vec<usize>,
}

/// One step from `start`. `previous` are the levels of the clocks before; while `first` is 1 they
/// are what the clocks are with the present inputs and `start`.
pub fn unroll<M: Machine>(
    m: &mut M,
    shape: &Shape,
    start: Leaves<M::Value>,
    previous: &[M::Value],
    first: M::Value,
) -> Result<Rest<M::Value>, Stuck> {
    let no = m.no();
    let mut u = Unroll {
        shape,
        version: start.version,
        leaves: start,
        controls: vec![None; shape.registers.len()],
        clocks: Vec::new(),
        failed: vec![no; shape.asserts.len()],
        hit: vec![no; shape.asserts.len()],
        triggered: vec![no; shape.asserts.len()],
    };
    let primed: Vec<_> = (0..shape.clocks).map(|c| m.value(Root::Clock(c), &u.leaves)).collect();
    u.clocks = primed.iter().zip(previous).map(|(&now, &prev)| m.mux(first, now, prev)).collect();
    // Each round settles one level of derived clocks and controls; there are no more levels than
    // clocks and controlled registers, unless they depend on each other.
    let controlled = shape.registers.iter().filter(|r| r.1 > 0).count();
    let limit = shape.clocks + controlled + shape.latches.len() + 4;
    let mut changed = Vec::new();
    for round in 0..limit {
        u.relax(m)?;
        changed = u.edges(m, (round == 0).then_some((&primed, previous, first)));
        if changed.is_empty() {
            let Unroll { leaves, clocks, failed, hit, triggered, .. } = u;
            return Ok(Rest { leaves, clocks, failed, hit, triggered });
        }
        if m.is_too_large() {
            break;
        }
    }
    Err(Stuck { registers: changed, latches: Vec::new() })
}

/// Condition and value of each control of a register.
type Controls<V> = Vec<(V, V)>;

struct Unroll<'s, V> {
    shape: &'s Shape,
    version: u64,
    leaves: Leaves<V>,
    /// The controls that each register obeyed last.
    controls: Vec<Option<Controls<V>>>,
    clocks: Vec<V>,
    failed: Vec<V>,
    hit: Vec<V>,
    triggered: Vec<V>,
}

impl<V: Copy + PartialEq> Unroll<'_, V> {
    fn touch(&mut self) -> u64 {
        self.version += 1;
        self.version
    }

    /// Lets latches follow their data until nothing changes. All take values of the same moment.
    fn relax<M: Machine<Value = V>>(&mut self, m: &mut M) -> Result<(), Stuck> {
        let count = self.shape.latches.len();
        let base = self.leaves.latches.clone();
        let mut last: Vec<Option<(V, V)>> = vec![None; count];
        let mut changed = Vec::new();
        // An acyclic chain of latches is at most as long as there are latches.
        for _ in 0..count + 2 {
            let enables: Vec<V> = (0..count).map(|l| m.value(Root::Enable(l), &self.leaves)).collect();
            let data = self.latch_data(m, &enables, &base);
            changed.clear();
            for l in 0..count {
                let seen = Some((enables[l], data[l]));
                // Following the same data once more changes nothing.
                if last[l] != seen {
                    last[l] = seen;
                    let new = m.mux(enables[l], data[l], self.leaves.latches[l]);
                    if new != self.leaves.latches[l] {
                        changed.push((l, new));
                    }
                }
            }
            if changed.is_empty() {
                return Ok(());
            }
            for &(l, new) in &changed {
                self.leaves.latches[l] = new;
            }
            self.leaves.version = self.touch();
            if m.is_too_large() {
                break;
            }
        }
        Err(Stuck { registers: Vec::new(), latches: changed.iter().map(|c| c.0).collect() })
    }

    /// What each latch sees. A latch that is shut whenever this one is open has not moved since
    /// the latches began to follow (both enables depend on no latch, so they stand still): its old
    /// value is read. This is what makes a pair of master and slave no loop.
    fn latch_data<M: Machine<Value = V>>(&mut self, m: &mut M, enables: &[V], base: &[V]) -> Vec<V> {
        let count = enables.len();
        let no = m.no();
        let mut views: Vec<(V, Leaves<V>)> = Vec::new();
        let mut data = Vec::with_capacity(count);
        for l in 0..count {
            if !self.shape.latches[l] {
                data.push(m.value(Root::Data(l), &self.leaves));
                continue;
            }
            let known = views.iter().position(|v| v.0 == enables[l]);
            let at = known.unwrap_or_else(|| {
                let mut view = self.leaves.clone();
                let mut differs = false;
                for other in (0..count).filter(|o| self.shape.latches[*o]) {
                    if view.latches[other] != base[other] && m.and(enables[l], enables[other]) == no {
                        view.latches[other] = base[other];
                        differs = true;
                    }
                }
                if differs {
                    view.version = self.touch();
                }
                views.push((enables[l], view));
                views.len() - 1
            });
            data.push(m.value(Root::Data(l), &views[at].1));
        }
        data
    }

    /// One round of clock edges: everything samples the present values, then all changes at once.
    /// Returns the registers that changed; memories that changed count as one more number.
    fn edges<M: Machine<Value = V>>(&mut self, m: &mut M, start: Option<(&Vec<V>, &[V], V)>) -> Vec<usize> {
        let no = m.no();
        let mut rises = Vec::with_capacity(self.shape.clocks);
        for c in 0..self.shape.clocks {
            let now = m.value(Root::Clock(c), &self.leaves);
            let rise = match start {
                // In the first step the level before is the present one.
                Some((primed, previous, first)) if primed[c] == now => {
                    let (low, later) = (m.not(previous[c]), m.not(first));
                    let rose = m.and(low, now);
                    m.and(later, rose)
                }
                _ if self.clocks[c] == now => no,
                _ => {
                    let low = m.not(self.clocks[c]);
                    m.and(low, now)
                }
            };
            self.clocks[c] = now;
            rises.push(rise);
        }
        self.sample_asserts(m, &rises);
        let mut next = self.leaves.clone();
        let mut changed = Vec::new();
        for r in 0..self.shape.registers.len() {
            next.registers[r] = self.register(m, r, &rises);
            if next.registers[r] != self.leaves.registers[r] {
                changed.push(r);
            }
        }
        for (w, &(clock, memory)) in self.shape.writes.iter().enumerate() {
            if let Some(rise) = clock.map(|c| rises[c]).filter(|r| *r != no) {
                next.memories[memory] = m.write(w, rise, next.memories[memory], &self.leaves);
            }
        }
        if next.memories.iter().zip(&self.leaves.memories).any(|(a, b)| a != b) {
            changed.push(usize::MAX);
        }
        if !changed.is_empty() {
            next.version = self.touch();
            self.leaves = next;
        }
        changed
    }

    fn register<M: Machine<Value = V>>(&mut self, m: &mut M, r: usize, rises: &[V]) -> V {
        let (clock, count) = self.shape.registers[r];
        let old = self.leaves.registers[r];
        let rise = clock.map(|c| rises[c]).filter(|v| *v != m.no());
        let controls: Controls<V> = (0..count)
            .map(|k| (m.value(Root::Control(r, k), &self.leaves), m.value(Root::ControlValue(r, k), &self.leaves)))
            .collect();
        // A register that obeys these controls already stays as it is.
        let obeyed = self.controls[r].as_ref().is_some_and(|c| *c == controls) || count == 0;
        let mut new = old;
        if let Some(rise) = rise {
            let loaded = m.value(Root::Next(r), &self.leaves);
            new = m.mux(rise, loaded, old);
        } else if obeyed {
            return old;
        }
        for &(condition, value) in controls.iter().rev() {
            new = m.mux(condition, value, new);
        }
        self.controls[r] = Some(controls);
        new
    }

    fn sample_asserts<M: Machine<Value = V>>(&mut self, m: &mut M, rises: &[V]) {
        let no = m.no();
        for a in 0..self.shape.asserts.len() {
            let Some(rise) = self.shape.asserts[a].map(|c| rises[c]).filter(|r| *r != no) else { continue };
            let enable = m.value(Root::Reached(a), &self.leaves);
            let condition = m.value(Root::Condition(a), &self.leaves);
            let reached = m.and(rise, enable);
            let wrong = m.not(condition);
            let (failed, hit) = (m.and(reached, wrong), m.and(reached, condition));
            self.failed[a] = or(m, self.failed[a], failed);
            self.hit[a] = or(m, self.hit[a], hit);
            let trigger = m.value(Root::Trigger(a), &self.leaves);
            let trigger = m.and(rise, trigger);
            self.triggered[a] = or(m, self.triggered[a], trigger);
        }
    }
}

/// Or of single bits.
pub fn or<M: Machine>(m: &mut M, a: M::Value, b: M::Value) -> M::Value {
    let (a, b) = (m.not(a), m.not(b));
    let neither = m.and(a, b);
    m.not(neither)
}
