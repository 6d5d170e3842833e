//! A netlist as a transition system: one next-state function per bit.
//!
//! See [`super::steps`] for what a step is. On top of that, a primary input that is nothing but a
//! clock, and of which only one edge is used, needs no level: under [`Clocks::Ticks`] its model input
//! says whether it ticks in this step, and nothing about it is state. Where a design has one such clock
//! and nothing moves without it, a step is its edge and the clock disappears.

use super::steps::{self, Leaves, Machine, Root, Shape};
use super::{Aig, Goal, Origin, Question, Role, Symbol, System};
use crate::net::{Gate, GateId, Lit, Netlist, STEP};
use crate::source::{Diagnostic, Span, codes};
use crate::word::AssertKind;
use rustc_hash::{FxHashMap, FxHashSet};

/// How clocks that are primary inputs become inputs of the model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Clocks {
    /// As levels: what each was before is state. One step is one `Sim::settle`.
    Levels,
    /// As ticks where that is exact, as levels elsewhere.
    Ticks,
}

/// A model and what each gate of the netlist is in it.
pub struct Modelled {
    /// The system.
    pub sys: System,
    /// The value of each gate at the moment at which assertions without a clock look.
    pub gates: Vec<Lit>,
}

/// The model of a netlist without memories.
pub fn of_net(net: &Netlist, clocks: Clocks) -> Result<System, Diagnostic> {
    Ok(model(net, clocks)?.sys)
}

/// The model of a netlist without memories, with the way from its gates to the model's.
pub fn model(net: &Netlist, clocks: Clocks) -> Result<Modelled, Diagnostic> {
    if let Some(m) = net.memories.first() {
        let text = format!("a model has no memories, and `{}` was not turned into registers", m.name);
        return Err(Diagnostic::error(codes::E0901, text)
            .at(m.span, format!("{} words of {} bits", m.size, m.width))
            .help("raise the memory limit"));
    }
    match single_clock(net) {
        Some(clock) => Ok(active_edges(net, clock)),
        None => any_moment(net, clocks),
    }
}

fn is_input(net: &Netlist, l: Lit) -> bool {
    matches!(net.gates[l.gate().0 as usize], Gate::Input(..))
}

/// Gates that something reads as a value, not as a clock.
fn read_as_data(net: &Netlist) -> FxHashSet<GateId> {
    let mut read = FxHashSet::default();
    (0..net.gates.len() as u32).for_each(|g| {
        net.fanin(GateId(g), |l| {
            read.insert(l.gate());
        })
    });
    let registers = net.registers.iter().flat_map(|r| r.asyncs.iter().flat_map(|a| [a.0, a.1]).chain([r.next]));
    let latches = net.latches.iter().flat_map(|l| [l.enable, l.data]);
    let outputs = net.outputs.iter().flat_map(|o| o.bits.iter().copied());
    let asserts = net.asserts.iter().flat_map(|a| [a.enable, a.condition, a.trigger]);
    read.extend(registers.chain(latches).chain(outputs).chain(asserts).map(Lit::gate));
    read
}

/// The one clock of a design whose steps are its edges: `Some(None)` if nothing has a clock.
fn single_clock(net: &Netlist) -> Option<Option<Lit>> {
    if !net.latches.is_empty() || net.registers.iter().any(|r| !r.asyncs.is_empty()) {
        return None;
    }
    let registers = net.registers.iter().map(|r| r.clock);
    let mut clocks = registers.chain(net.asserts.iter().filter_map(|a| a.clock)).filter(|c| c.as_const().is_none());
    let Some(clock) = clocks.next() else { return Some(None) };
    if !is_input(net, clock) || clocks.any(|c| c != clock) {
        return None;
    }
    // Nothing else may read the clock: its level is not part of a step.
    (!read_as_data(net).contains(&clock.gate())).then_some(Some(clock))
}

/// Makes the inputs; `Some` of a gate in `ticks` is a clock's active literal.
fn inputs(
    net: &Netlist,
    sys: &mut System,
    without: Option<GateId>,
    ticks: &FxHashMap<GateId, Lit>,
) -> FxHashMap<GateId, Lit> {
    let mut lits = FxHashMap::default();
    for (p, port) in net.inputs.iter().enumerate() {
        for (i, l) in port.bits.iter().enumerate().filter(|(_, l)| Some(l.gate()) != without) {
            let symbol = Symbol { name: port.bit_name(i as u32), span: port.span };
            let (p, i) = (p as u32, i as u32);
            let lit = match ticks.get(&l.gate()) {
                Some(c) if port.name == STEP => Lit::TRUE.xor(c.complement()),
                // The clock's literal is 1 if it ticks, and was 0 before.
                Some(c) => {
                    sys.input(symbol, Role::Tick { port: p, bit: i, falling: c.complement() }).xor(c.complement())
                }
                None => sys.input(symbol, Role::Port(p, i)),
            };
            lits.insert(l.gate(), lit);
        }
    }
    for (i, f) in net.frees.iter().enumerate() {
        let symbol = Symbol { name: format!("entail:free:{i}"), span: f.span };
        lits.insert(f.gate, sys.input(symbol, Role::Free(i as u32)));
    }
    lits
}

/// All gates of the netlist as literals of the model, given its leaves.
fn evaluate(net: &Netlist, aig: &mut Aig, leaf: impl Fn(GateId) -> Lit) -> Vec<Lit> {
    let mut made: Vec<Lit> = Vec::with_capacity(net.gates.len());
    for (i, g) in net.gates.iter().enumerate() {
        let at = |l: Lit| made[l.gate().0 as usize].xor(l.complement());
        let l = match *g {
            Gate::False => Lit::FALSE,
            Gate::And(x, y) => and(aig, at(x), at(y)),
            Gate::Xor(x, y) => aig.xor(at(x), at(y)),
            Gate::Mux(s, t, e) => aig.mux(at(s), at(t), at(e)),
            _ => leaf(GateId(i as u32)),
        };
        made.push(l);
    }
    made
}

/// And, where a multiplexer that the other operand decides is seen through. This shows that a
/// clock gate's latch cannot disturb the gated clock: `clk & (clk ? held : …)` is `clk & held`.
fn and(aig: &mut Aig, x: Lit, y: Lit) -> Lit {
    for (x, y) in [(x, y), (y, x)] {
        if let Some((s, t, e)) = aig.as_mux(y)
            && s.gate() == x.gate()
        {
            return and(aig, x, if s == x { t } else { e });
        }
    }
    aig.and(x, y)
}

fn of_register(net: &Netlist, bit: (u32, u32), span: Span) -> Symbol {
    Symbol { name: net.nets[bit.0 as usize].bit_name(bit.1), span }
}

/// What an assertion says in a step.
#[derive(Clone, Copy)]
struct Said {
    failed: Lit,
    hit: Lit,
    triggered: Lit,
}

/// Goals and constraints.
fn properties(net: &Netlist, sys: &mut System, said: &[Said]) {
    for (a, s) in net.asserts.iter().zip(said) {
        let symbol = Symbol { name: a.name.to_string(), span: a.span };
        match a.kind {
            AssertKind::Assume => sys.constraints.push((symbol, !s.failed)),
            AssertKind::Assert => {
                sys.goals.push(Goal { symbol, question: Question::Never(s.failed), trigger: Some(s.triggered) })
            }
            AssertKind::Cover => sys.goals.push(Goal { symbol, question: Question::Reach(s.hit), trigger: None }),
        }
    }
}

fn outputs(net: &Netlist, sys: &mut System, at: impl Fn(Lit) -> Lit) {
    let bits = net.outputs.iter().flat_map(|o| o.bits.iter().enumerate().map(move |(i, l)| (o, i as u32, *l)));
    sys.outputs = bits.map(|(o, i, l)| (Symbol { name: o.bit_name(i), span: o.span }, at(l))).collect();
}

fn active_edges(net: &Netlist, clock: Option<Lit>) -> Modelled {
    let mut sys = System { name: net.name.to_string(), ..System::default() };
    let lits = inputs(net, &mut sys, clock.map(|c| c.gate()), &FxHashMap::default());
    let origin = |r: usize| Origin::Register(r as u32);
    let states = net.registers.iter().enumerate();
    let registers: Vec<Lit> =
        states.map(|(i, r)| sys.state(of_register(net, r.net, r.span), r.init, origin(i))).collect();
    let made = evaluate(net, &mut sys.aig, |g| match net.gates[g.0 as usize] {
        Gate::Register(r) => registers[r as usize],
        // The clock itself, which nothing reads.
        _ => lits.get(&g).copied().unwrap_or(Lit::FALSE),
    });
    let at = |l: Lit| made[l.gate().0 as usize].xor(l.complement());
    for (i, r) in net.registers.iter().enumerate().filter(|(_, r)| r.clock.as_const().is_none()) {
        sys.set_next(registers[i], at(r.next));
    }
    let mut said = Vec::new();
    for a in &net.asserts {
        // An assertion whose clock never moves is never reached.
        let reached = if a.clock.and_then(Lit::as_const).is_some() { Lit::FALSE } else { at(a.enable) };
        let condition = at(a.condition);
        let failed = and(&mut sys.aig, reached, !condition);
        let triggered = if reached == Lit::FALSE { Lit::FALSE } else { at(a.trigger) };
        said.push(Said { failed, hit: and(&mut sys.aig, reached, condition), triggered });
    }
    sys.step = match clock {
        Some(c) => {
            let edge = if c.complement() { "falling" } else { "rising" };
            let name = net.names().or_number(c.xor(c.complement()));
            format!("one {edge} edge of {name}, inputs as just before it")
        }
        None => "any moment (there is no clock)".to_string(),
    };
    outputs(net, &mut sys, at);
    properties(net, &mut sys, &said);
    Modelled { sys, gates: made }
}

/// The gates of a netlist, for [`steps::unroll`].
struct Gates<'a> {
    net: &'a Netlist,
    sys: System,
    inputs: FxHashMap<GateId, Lit>,
    clocks: Vec<Lit>,
    /// What was last computed, and for which leaves.
    made: (u64, Vec<Lit>),
    most: usize,
}

impl Gates<'_> {
    fn at(&mut self, l: Lit, leaves: &Leaves<Lit>) -> Lit {
        if self.made.0 != leaves.version {
            let net = self.net;
            let inputs = &self.inputs;
            let made = evaluate(net, &mut self.sys.aig, |g| match net.gates[g.0 as usize] {
                Gate::Register(r) => leaves.registers[r as usize],
                Gate::Latch(r) => leaves.latches[r as usize],
                _ => inputs[&g],
            });
            self.made = (leaves.version, made);
        }
        self.made.1[l.gate().0 as usize].xor(l.complement())
    }
}

impl Machine for Gates<'_> {
    type Value = Lit;
    fn no(&mut self) -> Lit {
        Lit::FALSE
    }
    fn not(&mut self, a: Lit) -> Lit {
        !a
    }
    fn and(&mut self, a: Lit, b: Lit) -> Lit {
        and(&mut self.sys.aig, a, b)
    }
    fn mux(&mut self, s: Lit, t: Lit, e: Lit) -> Lit {
        self.sys.aig.mux(s, t, e)
    }
    fn value(&mut self, root: Root, leaves: &Leaves<Lit>) -> Lit {
        let net = self.net;
        let l = match root {
            Root::Clock(c) => self.clocks[c],
            Root::Next(r) => net.registers[r].next,
            Root::Control(r, k) => net.registers[r].asyncs[k].0,
            Root::ControlValue(r, k) => net.registers[r].asyncs[k].1,
            Root::Enable(l) => net.latches[l].enable,
            Root::Data(l) => net.latches[l].data,
            Root::Reached(a) => net.asserts[a].enable,
            Root::Condition(a) => net.asserts[a].condition,
            Root::Trigger(a) => net.asserts[a].trigger,
        };
        self.at(l, leaves)
    }
    fn write(&mut self, _: usize, _: Lit, _: Lit, _: &Leaves<Lit>) -> Lit {
        unreachable!("netlists with memories are refused before")
    }
    fn is_too_large(&self) -> bool {
        self.sys.aig.len() > self.most
    }
}

/// Latches whose enable depends on no latch. Gates are in topological order.
fn steady_enables(net: &Netlist) -> Vec<bool> {
    let depends = depending(net, |g| matches!(g, Gate::Latch(_)));
    net.latches.iter().map(|l| !depends[l.enable.gate().0 as usize]).collect()
}

/// For each gate whether it is such a leaf or depends on one in the same step.
fn depending(net: &Netlist, is: impl Fn(&Gate) -> bool) -> Vec<bool> {
    let mut depends = vec![false; net.gates.len()];
    for (i, g) in net.gates.iter().enumerate() {
        let mut d = is(g);
        net.fanin(GateId(i as u32), |l| d |= depends[l.gate().0 as usize]);
        depends[i] = d;
    }
    depends
}

/// Inputs that are clocks and nothing else, of which one edge is used: their active literals.
fn pure_clocks(net: &Netlist, clocks: &[Lit]) -> FxHashMap<GateId, Lit> {
    let read = read_as_data(net);
    let one_edge = |c: &Lit| !clocks.contains(&!*c);
    let pure = clocks.iter().filter(|c| is_input(net, **c) && !read.contains(&c.gate()) && one_edge(c));
    pure.map(|c| (c.gate(), *c)).collect()
}

fn any_moment(net: &Netlist, how: Clocks) -> Result<Modelled, Diagnostic> {
    let mut clocks: Vec<Lit> = Vec::new();
    let mut clock = |l: Lit| {
        l.as_const().is_none().then(|| {
            clocks.iter().position(|c| *c == l).unwrap_or_else(|| {
                clocks.push(l);
                clocks.len() - 1
            })
        })
    };
    let registers = net.registers.iter().map(|r| (clock(r.clock), r.asyncs.len())).collect();
    let asserts = net.asserts.iter().map(|a| a.clock.and_then(&mut clock)).collect();
    let shape = Shape { clocks: clocks.len(), registers, latches: steady_enables(net), writes: Vec::new(), asserts };

    let mut sys = System { name: net.name.to_string(), ..System::default() };
    let ticks = if how == Clocks::Ticks { pure_clocks(net, &clocks) } else { FxHashMap::default() };
    let lits = inputs(net, &mut sys, None, &ticks);
    // In a model of levels, outputs are seen at rest, so a register's latch is not the output of the same name.
    let before = |at, span| {
        let Symbol { name, span } = of_register(net, at, span);
        let name = if how == Clocks::Ticks { name } else { format!("entail:before:{name}") };
        Symbol { name, span }
    };
    let all = net.registers.iter().enumerate();
    let reg = all.map(|(i, r)| sys.state(before(r.net, r.span), r.init, Origin::Register(i as u32))).collect();
    let all = net.latches.iter().enumerate();
    let lat = all.map(|(i, r)| sys.state(before(r.net, r.span), r.init, Origin::Latch(i as u32))).collect();
    let start = Leaves { registers: reg, latches: lat, memories: Vec::new(), version: 0 };
    // Generous for real designs, and small enough to end soon where nothing ends.
    let most = 64 * net.gates.len() + 1_000_000;
    let mut m = Gates { net, sys, inputs: lits, clocks, made: (u64::MAX, Vec::new()), most };

    // A clock made of state alone was at rest what it is now; only levels of inputs are remembered.
    let of_inputs = depending(net, |g| matches!(g, Gate::Input(..) | Gate::Free(_)));
    let names = net.names();
    let mut remembered = Vec::new();
    let mut previous = Vec::new();
    for c in m.clocks.clone() {
        let level = if ticks.contains_key(&c.gate()) {
            Lit::FALSE
        } else if how == Clocks::Ticks && !of_inputs[c.gate().0 as usize] {
            m.at(c, &start)
        } else {
            let name = format!("entail:clock:{}", names.or_number(c));
            let symbol = Symbol { name, span: net.spans[c.gate().0 as usize] };
            let l = m.sys.state(symbol, Some(false), Origin::Model);
            remembered.push((previous.len(), l));
            l
        };
        previous.push(level);
    }
    let needs_first = how == Clocks::Levels || !remembered.is_empty();
    let first = match needs_first {
        true => m.sys.state(Symbol::new("entail:first"), Some(true), Origin::Model),
        false => Lit::FALSE,
    };
    let rest = steps::unroll(&mut m, &shape, start.clone(), &previous, first).map_err(|s| never_rests(net, &s))?;

    let old = start.registers.iter().chain(&start.latches);
    for (s, n) in old.zip(rest.leaves.registers.iter().chain(&rest.leaves.latches)) {
        m.sys.set_next(*s, *n);
    }
    for (c, l) in remembered {
        m.sys.set_next(l, rest.clocks[c]);
    }
    if needs_first {
        m.sys.set_next(first, Lit::FALSE);
    }
    let mut said = Vec::new();
    for (i, a) in net.asserts.iter().enumerate() {
        said.push(match a.clock {
            Some(_) => Said { failed: rest.failed[i], hit: rest.hit[i], triggered: rest.triggered[i] },
            None => {
                let (reached, condition) = (m.at(a.enable, &rest.leaves), m.at(a.condition, &rest.leaves));
                let (failed, hit) = (m.and(reached, !condition), m.and(reached, condition));
                Said { failed, hit, triggered: m.at(a.trigger, &rest.leaves) }
            }
        });
    }
    m.at(Lit::FALSE, &rest.leaves);
    let made = std::mem::take(&mut m.made.1);
    let mut sys = m.sys;
    sys.step = match ticks.is_empty() {
        true => "any moment: inputs change, then the design comes to rest".to_string(),
        false => "any moment: inputs change, any clocks tick, then the design comes to rest".to_string(),
    };
    outputs(net, &mut sys, |l| made[l.gate().0 as usize].xor(l.complement()));
    properties(net, &mut sys, &said);
    if how == Clocks::Ticks {
        // Every clock ticks for ever; one that is a level is high and low again and again.
        let clocks: FxHashSet<GateId> =
            m.clocks.iter().map(|c| c.gate()).filter(|g| is_input(net, Lit::new(*g, false))).collect();
        let mut clocks: Vec<GateId> = clocks.into_iter().collect();
        clocks.sort_unstable();
        for g in clocks {
            let l = m.inputs[&g];
            match ticks.get(&g) {
                Some(c) => sys.fairness.push(l.xor(c.complement())),
                None => sys.fairness.extend([l, !l]),
            }
        }
    }
    Ok(Modelled { sys, gates: made })
}

fn never_rests(net: &Netlist, stuck: &steps::Stuck) -> Diagnostic {
    let registers = stuck.registers.iter().filter_map(|r| net.registers.get(*r)).map(|r| (r.net, r.span));
    let latches = stuck.latches.iter().map(|l| (net.latches[*l].net, net.latches[*l].span));
    let all: Vec<_> = registers.chain(latches).take(8).collect();
    let names: Vec<String> = all.iter().map(|(n, span)| of_register(net, *n, *span).name).collect();
    let why = format!("a step may not come to rest, because {} may keep changing", names.join(", "));
    let mut diag = Diagnostic::error(codes::E0901, format!("this design has no model of steps: {why}"));
    if let Some((_, span)) = all.first() {
        diag = diag.at(*span, "its clock, asynchronous control or open latch depends on itself");
    }
    diag.help("break the loop through clocks, asynchronous controls or latches with a clocked register")
}
