//! A design as states with next values, for either kind of step.

use super::super::refused;
use super::expr::{Exprs, Input};
use super::term::{Id, Op, Terms};
use crate::model::steps::{self, Leaves, Machine, Root, Shape, Stuck};
use crate::source::{Diagnostic, Span};
use crate::word::{AssertKind, Bits, Design, Edge, NodeId, Role, Source, WritePort};

/// A state.
pub(super) struct State {
    pub name: String,
    pub span: Span,
    pub id: Id,
    pub init: Option<Id>,
    /// None: any value in the first step, of no interest later.
    pub next: Option<Id>,
}

/// A named term.
pub(super) struct Named {
    pub name: String,
    pub span: Span,
    pub id: Id,
}

/// What is written.
pub(super) struct Model {
    pub title: String,
    pub step: String,
    pub terms: Terms,
    pub inputs: Vec<Input>,
    /// Inputs that are not written: the clock of a step that is its edge.
    pub hidden: Option<Id>,
    /// Each after those its initial value depends on.
    pub states: Vec<State>,
    pub outputs: Vec<Named>,
    pub bad: Vec<Named>,
    pub constraints: Vec<Named>,
}

pub(super) fn of(d: &Design) -> Result<Model, Diagnostic> {
    let mut w = Words::new(d);
    for (s, sig) in d.signals.iter().enumerate() {
        if sig.drives.iter().any(|x| x.source == Source::Input) {
            w.x.port(crate::word::SignalId(s as u32));
        }
    }
    let start = w.make_states();
    w.find_clocks(&start)?;
    w.find_controls(&start)?;
    if let Some(clock) = w.single_clock()
        && let Some(model) = w.active_edges(clock, &start)?
    {
        return Ok(model);
    }
    w.any_moment(start)
}

/// The words of a design, for [`steps::unroll`].
pub(super) struct Words<'a> {
    pub d: &'a Design,
    pub x: Exprs<'a>,
    pub states: Vec<State>,
    /// Different clocks: a node, an edge, and what it is at the start of a step.
    pub clocks: Vec<(NodeId, Edge, Id)>,
    pub shape: Shape,
    /// The controls of each register that can act.
    pub controls: Vec<Vec<usize>>,
    /// All write ports, memory by memory.
    pub writes: Vec<&'a WritePort>,
    /// A mistake met where no error can be returned.
    pub error: Option<Diagnostic>,
}

/// Numbers that tell apart the places where an expression begins.
pub(super) fn place(kind: u32, index: usize) -> u32 {
    (index as u32).wrapping_mul(16).wrapping_add(kind) & 0x7fff_ffff
}

impl<'a> Words<'a> {
    fn new(d: &'a Design) -> Words<'a> {
        let writes = d.memories.iter().flat_map(|m| &m.writes).collect();
        let shape = Shape { clocks: 0, registers: vec![], latches: vec![], writes: vec![], asserts: vec![] };
        Words { d, x: Exprs::new(d), states: vec![], clocks: vec![], shape, controls: vec![], writes, error: None }
    }

    /// The clock whose edges may be the steps: `Some(None)` if there is none at all.
    fn single_clock(&self) -> Option<Option<usize>> {
        let free_running = self.d.latches.is_empty() && self.shape.registers.iter().all(|r| r.1 == 0);
        match self.clocks.as_slice() {
            _ if !free_running => None,
            [] => Some(None),
            [(.., id)] => self.clock_input(*id).map(|_| Some(0)),
            _ => None,
        }
    }

    /// The input that a clock is, or is the complement of.
    fn clock_input(&self, id: Id) -> Option<Id> {
        match self.x.t.op(id) {
            Op::Input(_) => Some(id),
            Op::Apply("not", a) => self.clock_input(a[0]),
            _ => None,
        }
    }

    fn active_edges(&mut self, clock: Option<usize>, start: &Leaves<Id>) -> Result<Option<Model>, Diagnostic> {
        let d = self.d;
        let yes = self.x.t.bool(true);
        let mut next = start.clone();
        for (i, r) in d.registers.iter().enumerate() {
            if self.shape.registers[i].0.is_some() {
                next.registers[i] = self.x.node(r.next, place(3, i), start)?;
            }
        }
        for w in 0..self.writes.len() {
            let (clock, m) = self.shape.writes[w];
            if clock.is_some() {
                next.memories[m] = self.written(w, yes, next.memories[m], start)?;
            }
        }
        let no = self.x.t.bool(false);
        let (mut failed, mut hit) = (vec![no; d.asserts.len()], vec![no; d.asserts.len()]);
        for a in 0..d.asserts.len() {
            // An assertion whose clock never moves is never reached.
            if d.asserts[a].clock.is_none() || self.shape.asserts[a].is_some() {
                (failed[a], hit[a]) = self.seen(a, start)?;
            }
        }
        let outputs = self.outputs(start)?;
        let hidden = clock.and_then(|c| self.clock_input(self.clocks[c].2));
        if let Some(clock) = hidden {
            let mut roots: Vec<Id> =
                next.registers.iter().chain(&next.memories).chain(&failed).chain(&hit).copied().collect();
            roots.extend(outputs.iter().map(|o| o.id));
            if self.reads(&roots, |id| id == clock) {
                return Ok(None);
            }
        }
        let step = match clock {
            Some(c) => {
                let rising = matches!(self.x.t.op(self.clocks[c].2), Op::Input(_));
                let word = if rising { "rising" } else { "falling" };
                format!("one {word} edge of {}, inputs as just before it", self.clock_name(c))
            }
            None => "any moment (there is no clock)".into(),
        };
        self.link(start, &next);
        let mut model = self.finish(step, outputs, &failed, &hit);
        model.hidden = hidden;
        Ok(Some(model))
    }

    fn clock_name(&self, c: usize) -> String {
        let (n, _, id) = self.clocks[c];
        match (self.d.op(n), self.clock_input(id).map(|i| self.x.t.op(i))) {
            (crate::word::Op::Signal(s), _) => self.d.signals[s.index()].name.to_string(),
            (_, Some(Op::Input(i))) => self.x.inputs[*i as usize].name.clone(),
            _ => format!("clock_{c}"),
        }
    }

    fn any_moment(&mut self, start: Leaves<Id>) -> Result<Model, Diagnostic> {
        let d = self.d;
        let bit = Bits::zero(1);
        let mut before = Vec::new();
        for c in 0..self.clocks.len() {
            let edge = if self.clocks[c].1 == Edge::Pos { "" } else { "not_" };
            let name = format!("entail_before_{edge}{}", self.clock_name(c));
            before.push(self.word_state(name, d.spans[self.clocks[c].0.index()], &bit));
        }
        let first = self.word_state("entail_first".into(), Span::NONE, &Bits::ones(1));
        let shape = std::mem::replace(
            &mut self.shape,
            Shape { clocks: 0, registers: vec![], latches: vec![], writes: vec![], asserts: vec![] },
        );
        let rest = steps::unroll(self, &shape, start.clone(), &before, first);
        if let Some(e) = self.error.take() {
            return Err(e);
        }
        let rest = rest.map_err(|s| never_rests(d, &s))?;
        let (mut failed, mut hit) = (rest.failed, rest.hit);
        for a in (0..d.asserts.len()).filter(|a| d.asserts[*a].clock.is_none()) {
            (failed[a], hit[a]) = self.seen(a, &rest.leaves)?;
        }
        let outputs = self.outputs(&rest.leaves)?;
        self.link(&start, &rest.leaves);
        let no = self.x.t.bool(false);
        for (id, next) in before.iter().zip(&rest.clocks).chain([(&first, &no)]) {
            self.set_next(*id, *next);
        }
        let step = "any moment: inputs change, then the design comes to rest".into();
        Ok(self.finish(step, outputs, &failed, &hit))
    }

    fn set_next(&mut self, state: Id, next: Id) {
        if let Op::State(k) = self.x.t.op(state) {
            self.states[*k as usize].next = Some(next);
        }
    }

    fn link(&mut self, start: &Leaves<Id>, next: &Leaves<Id>) {
        let all = |l: &Leaves<Id>| l.registers.iter().chain(&l.latches).chain(&l.memories).copied().collect::<Vec<_>>();
        for (s, n) in all(start).into_iter().zip(all(next)) {
            self.set_next(s, n);
        }
    }

    /// Whether an assertion fails, and whether it is reached and holds.
    fn seen(&mut self, a: usize, leaves: &Leaves<Id>) -> Result<(Id, Id), Diagnostic> {
        let x = &self.d.asserts[a];
        let reached = self.x.node(x.enable, place(4, a), leaves)?;
        let condition = self.x.node(x.condition, place(5, a), leaves)?;
        let wrong = self.x.t.not(condition);
        Ok((self.x.t.and(reached, wrong), self.x.t.and(reached, condition)))
    }

    fn outputs(&mut self, leaves: &Leaves<Id>) -> Result<Vec<Named>, Diagnostic> {
        let d = self.d;
        let mut list = Vec::new();
        for s in d.outputs() {
            let sig = &d.signals[s.index()];
            debug_assert_eq!(sig.role, Role::Output);
            if sig.width > 0 {
                list.push(Named { name: sig.name.to_string(), span: sig.span, id: self.x.signal(s, leaves)? });
            }
        }
        Ok(list)
    }

    fn written(&mut self, w: usize, rise: Id, memory: Id, leaves: &Leaves<Id>) -> Result<Id, Diagnostic> {
        let (port, m) = (self.writes[w], self.shape_memory(w));
        let enable = self.x.node(port.enable, place(6, w), leaves)?;
        let addr = self.x.node(port.addr, place(7, w), leaves)?;
        let data = self.x.node(port.data, place(8, w), leaves)?;
        let mask = self.x.node(port.mask, place(9, w), leaves)?;
        let mut enable = self.x.t.and(rise, enable);
        if let Some(within) = self.x.within(addr, self.d.memories[m].size) {
            enable = self.x.t.and(enable, within);
        }
        let addr = self.x.array_address(memory, addr);
        let t = &mut self.x.t;
        let word = if t.as_const(mask).is_some_and(Bits::is_ones) {
            data
        } else {
            let old = t.read(memory, addr);
            let keep = t.not(mask);
            let (old, new) = (t.and(old, keep), t.and(data, mask));
            t.or(old, new)
        };
        let after = t.write(memory, addr, word);
        Ok(t.ite(enable, after, memory))
    }

    /// The memory of a write port.
    fn shape_memory(&self, w: usize) -> usize {
        let mut rest = w;
        for (i, m) in self.d.memories.iter().enumerate() {
            if rest < m.writes.len() {
                return i;
            }
            rest -= m.writes.len();
        }
        unreachable!("a write port belongs to a memory")
    }

    fn finish(&mut self, step: String, mut outputs: Vec<Named>, failed: &[Id], hit: &[Id]) -> Model {
        let (mut bad, mut constraints) = (Vec::new(), Vec::new());
        for (i, a) in self.d.asserts.iter().enumerate() {
            let named = |name: String, id: Id| Named { name, span: a.span, id };
            match a.kind {
                AssertKind::Assert => bad.push(named(a.name.to_string(), failed[i])),
                AssertKind::Assume => {
                    let holds = self.x.t.not(failed[i]);
                    constraints.push(named(a.name.to_string(), holds));
                }
                AssertKind::Cover => outputs.push(named(format!("cover_{}", a.name), hit[i])),
            }
        }
        Model {
            title: self.d.name.to_string(),
            step,
            terms: std::mem::take(&mut self.x.t),
            inputs: std::mem::take(&mut self.x.inputs),
            hidden: None,
            states: std::mem::take(&mut self.states),
            outputs,
            bad,
            constraints,
        }
    }
}

impl Machine for Words<'_> {
    type Value = Id;
    fn no(&mut self) -> Id {
        self.x.t.bool(false)
    }
    fn not(&mut self, a: Id) -> Id {
        self.x.t.not(a)
    }
    fn and(&mut self, a: Id, b: Id) -> Id {
        self.x.t.and(a, b)
    }
    fn mux(&mut self, s: Id, t: Id, e: Id) -> Id {
        self.x.t.ite(s, t, e)
    }
    fn value(&mut self, root: Root, leaves: &Leaves<Id>) -> Id {
        let d = self.d;
        let (n, at) = match root {
            Root::Clock(c) => (self.clocks[c].0, place(0, self.clocks[c].0.index())),
            Root::Next(r) => (d.registers[r].next, place(3, r)),
            Root::Control(r, k) => (d.registers[r].asyncs[self.controls[r][k]].condition, place(1, r)),
            Root::ControlValue(r, k) => (d.registers[r].asyncs[self.controls[r][k]].value, place(10, r)),
            Root::Enable(l) => (d.latches[l].enable, place(2, l)),
            Root::Data(l) => (d.latches[l].data, place(11, l)),
            Root::Reached(a) => (d.asserts[a].enable, place(4, a)),
            Root::Condition(a) => (d.asserts[a].condition, place(5, a)),
            // The format has no place for it.
            Root::Trigger(_) => return self.no(),
        };
        let id = match self.x.node(n, at, leaves) {
            Ok(id) => id,
            Err(e) => {
                self.error = Some(e);
                let zero = Bits::zero(d.width(n));
                self.x.t.constant(zero)
            }
        };
        match root {
            Root::Clock(c) if self.clocks[c].1 == Edge::Neg => self.x.t.not(id),
            _ => id,
        }
    }
    fn write(&mut self, port: usize, rise: Id, memory: Id, leaves: &Leaves<Id>) -> Id {
        match self.written(port, rise, memory, leaves) {
            Ok(id) => id,
            Err(e) => {
                self.error = Some(e);
                memory
            }
        }
    }
    fn is_too_large(&self) -> bool {
        // As for gates: generous for real designs, an end for those without one.
        self.error.is_some() || self.x.t.list.len() > 64 * self.d.nodes.len() + 1_000_000
    }
}

fn never_rests(d: &Design, stuck: &Stuck) -> Diagnostic {
    let registers = stuck.registers.iter().filter_map(|r| d.registers.get(*r)).map(|r| (r.signal, r.span));
    let latches = stuck.latches.iter().map(|l| (d.latches[*l].signal, d.latches[*l].span));
    let all: Vec<_> = registers.chain(latches).take(8).collect();
    let names: Vec<&str> = all.iter().map(|(s, _)| d.signals[s.index()].name.as_str()).collect();
    let why = format!("a step of it may not come to rest, because {} may keep changing", names.join(", "));
    let mut diag = refused("BTOR2", why);
    if let Some((_, span)) = all.first() {
        diag = diag.at(*span, "its clock, asynchronous control or open latch depends on itself");
    }
    diag.help("break the loop through clocks, asynchronous controls or latches with a clocked register")
}
