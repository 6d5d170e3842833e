//! A netlist as a synchronous model: one next-state function per bit.

use super::super::steps::{self, Leaves, Machine, Root, Shape};
use super::super::{is_input, refused};
use crate::net::{Builder, Gate, GateId, Lit, Netlist};
use crate::source::{Diagnostic, Span};
use crate::word::AssertKind;
use rustc_hash::FxHashMap;

/// Something with a name and a place.
pub(super) struct Symbol {
    pub name: String,
    pub span: Span,
}

/// One state bit; its present value is the gate `Register(position)`.
pub(super) struct State {
    pub symbol: Symbol,
    pub next: Lit,
    pub init: Option<bool>,
}

/// A synchronous model. Input `i` is the gate `Input(0, i)`.
pub(super) struct Model {
    /// And, exclusive-or and multiplexer gates in topological order; some may be unused.
    pub gates: Vec<Gate>,
    pub inputs: Vec<Symbol>,
    pub states: Vec<State>,
    pub outputs: Vec<(Symbol, Lit)>,
    pub bad: Vec<(Symbol, Lit)>,
    pub constraints: Vec<(Symbol, Lit)>,
    /// What a step is, for the comment section.
    pub step: String,
}

pub(super) fn of(net: &Netlist) -> Result<Model, Diagnostic> {
    match single_clock(net) {
        Some(clock) => Ok(active_edges(net, clock)),
        None => any_moment(net),
    }
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
    let reads = |l: Lit| l.gate() == clock.gate();
    let mut read = false;
    (0..net.gates.len() as u32).for_each(|g| net.fanin(GateId(g), |l| read |= reads(l)));
    read |= net.registers.iter().any(|r| reads(r.next));
    read |= net.outputs.iter().flat_map(|o| &o.bits).any(|l| reads(*l));
    read |= net.asserts.iter().any(|a| reads(a.enable) || reads(a.condition));
    (!read).then_some(Some(clock))
}

/// The names of inputs and the gates they have in the model.
struct Inputs {
    symbols: Vec<Symbol>,
    lits: FxHashMap<GateId, Lit>,
}

fn inputs(net: &Netlist, b: &mut Builder, without: Option<GateId>) -> Inputs {
    let mut all = Inputs { symbols: Vec::new(), lits: FxHashMap::default() };
    let mut add = |gate: GateId, name: String, span: Span| {
        let l = b.leaf(Gate::Input(0, all.symbols.len() as u32));
        all.symbols.push(Symbol { name, span });
        all.lits.insert(gate, l);
    };
    for port in &net.inputs {
        for (i, l) in port.bits.iter().enumerate().filter(|(_, l)| Some(l.gate()) != without) {
            add(l.gate(), port.bit_name(i as u32), port.span);
        }
    }
    for (i, f) in net.frees.iter().enumerate() {
        add(f.gate, format!("entail:free:{i}"), f.span);
    }
    all
}

/// All gates of the netlist as literals of the model, given its leaves.
fn evaluate(net: &Netlist, b: &mut Builder, leaf: impl Fn(GateId) -> Lit) -> Vec<Lit> {
    let mut made: Vec<Lit> = Vec::with_capacity(net.gates.len());
    for (i, g) in net.gates.iter().enumerate() {
        let at = |l: Lit| made[l.gate().0 as usize].xor(l.complement());
        let l = match *g {
            Gate::False => Lit::FALSE,
            Gate::And(x, y) => and(b, at(x), at(y)),
            Gate::Xor(x, y) => b.xor(at(x), at(y)),
            Gate::Mux(s, t, e) => b.mux(at(s), at(t), at(e)),
            _ => leaf(GateId(i as u32)),
        };
        made.push(l);
    }
    made
}

/// And, where a multiplexer that the other operand decides is seen through. This shows that a
/// clock gate's latch cannot disturb the gated clock: `clk & (clk ? held : …)` is `clk & held`.
fn and(b: &mut Builder, x: Lit, y: Lit) -> Lit {
    for (x, y) in [(x, y), (y, x)] {
        if let Gate::Mux(s, t, e) = b.net.gates[y.gate().0 as usize]
            && s.gate() == x.gate()
        {
            let arm = if s == x { t } else { e };
            return and(b, x, arm.xor(y.complement()));
        }
    }
    b.and(x, y)
}

fn of_register(net: &Netlist, bit: (u32, u32), span: Span) -> Symbol {
    Symbol { name: net.nets[bit.0 as usize].bit_name(bit.1), span }
}

/// Bad states, constraints and covers from "failed" and "hit" of each assertion.
fn properties(net: &Netlist, model: &mut Model, failed: impl Fn(usize) -> Lit, hit: impl Fn(usize) -> Lit) {
    for (i, a) in net.asserts.iter().enumerate() {
        let symbol = |name: String| Symbol { name, span: a.span };
        match a.kind {
            AssertKind::Assert => model.bad.push((symbol(a.name.to_string()), failed(i))),
            AssertKind::Assume => model.constraints.push((symbol(a.name.to_string()), !failed(i))),
            AssertKind::Cover => model.outputs.push((symbol(format!("cover:{}", a.name)), hit(i))),
        }
    }
}

fn outputs(net: &Netlist, at: impl Fn(Lit) -> Lit) -> Vec<(Symbol, Lit)> {
    let bits = net.outputs.iter().flat_map(|o| o.bits.iter().enumerate().map(move |(i, l)| (o, i as u32, *l)));
    bits.map(|(o, i, l)| (Symbol { name: o.bit_name(i), span: o.span }, at(l))).collect()
}

fn active_edges(net: &Netlist, clock: Option<Lit>) -> Model {
    let mut b = Builder::new("model");
    let Inputs { symbols, lits } = inputs(net, &mut b, clock.map(|c| c.gate()));
    let registers: Vec<Lit> = (0..net.registers.len() as u32).map(|r| b.leaf(Gate::Register(r))).collect();
    let made = evaluate(net, &mut b, |g| match net.gates[g.0 as usize] {
        Gate::Register(r) => registers[r as usize],
        // The clock itself, which nothing reads.
        _ => lits.get(&g).copied().unwrap_or(Lit::FALSE),
    });
    let at = |l: Lit| made[l.gate().0 as usize].xor(l.complement());
    let state = |(i, r): (usize, &crate::net::Register)| {
        let next = if r.clock.as_const().is_some() { registers[i] } else { at(r.next) };
        State { symbol: of_register(net, r.net, r.span), next, init: r.init }
    };
    let states = net.registers.iter().enumerate().map(state).collect();
    // An assertion whose clock never moves is never reached.
    let reached = |i: usize| match net.asserts[i].clock.and_then(Lit::as_const) {
        Some(_) => Lit::FALSE,
        None => at(net.asserts[i].enable),
    };
    let count = net.asserts.len();
    let condition = |i: usize| at(net.asserts[i].condition);
    let failed: Vec<Lit> = (0..count).map(|i| and(&mut b, reached(i), !condition(i))).collect();
    let hit: Vec<Lit> = (0..count).map(|i| and(&mut b, reached(i), condition(i))).collect();
    let step = match clock {
        Some(c) => {
            let edge = if c.complement() { "falling" } else { "rising" };
            let name = net.names().or_number(c.xor(c.complement()));
            format!("one {edge} edge of {name}, inputs as just before it")
        }
        None => "any moment (there is no clock)".to_string(),
    };
    let outputs = outputs(net, at);
    let (bad, constraints, inputs) = (Vec::new(), Vec::new(), symbols);
    let mut model = Model { gates: Vec::new(), inputs, states, outputs, bad, constraints, step };
    properties(net, &mut model, |i| failed[i], |i| hit[i]);
    model.gates = b.finish().gates;
    model
}

/// The gates of a netlist, for [`steps::unroll`].
struct Gates<'a> {
    net: &'a Netlist,
    b: Builder,
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
            let made = evaluate(net, &mut self.b, |g| match net.gates[g.0 as usize] {
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
        and(&mut self.b, a, b)
    }
    fn mux(&mut self, s: Lit, t: Lit, e: Lit) -> Lit {
        self.b.mux(s, t, e)
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
        };
        self.at(l, leaves)
    }
    fn write(&mut self, _: usize, _: Lit, _: Lit, _: &Leaves<Lit>) -> Lit {
        unreachable!("netlists with memories are refused before")
    }
    fn is_too_large(&self) -> bool {
        self.b.net.gates.len() > self.most
    }
}

/// Latches whose enable depends on no latch. Gates are in topological order.
fn steady_enables(net: &Netlist) -> Vec<bool> {
    let mut depends = vec![false; net.gates.len()];
    for (i, g) in net.gates.iter().enumerate() {
        let mut d = matches!(g, Gate::Latch(_));
        net.fanin(GateId(i as u32), |l| d |= depends[l.gate().0 as usize]);
        depends[i] = d;
    }
    net.latches.iter().map(|l| !depends[l.enable.gate().0 as usize]).collect()
}

fn any_moment(net: &Netlist) -> Result<Model, Diagnostic> {
    let mut b = Builder::new("model");
    let Inputs { symbols, lits } = inputs(net, &mut b, None);
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

    let mut states: Vec<State> = Vec::new();
    let mut state = |b: &mut Builder, symbol: Symbol, init: Option<bool>| {
        let l = b.leaf(Gate::Register(states.len() as u32));
        states.push(State { symbol, next: l, init });
        l
    };
    // Outputs are seen at rest, so a register's latch is not the output of the same name.
    let before = |at, span| {
        let Symbol { name, span } = of_register(net, at, span);
        Symbol { name: format!("entail:before:{name}"), span }
    };
    let reg = net.registers.iter().map(|r| state(&mut b, before(r.net, r.span), r.init)).collect();
    let lat = net.latches.iter().map(|r| state(&mut b, before(r.net, r.span), r.init)).collect();
    let names = net.names();
    let previous: Vec<Lit> = clocks
        .iter()
        .map(|c| {
            let name = format!("entail:clock:{}", names.or_number(*c));
            state(&mut b, Symbol { name, span: net.spans[c.gate().0 as usize] }, Some(false))
        })
        .collect();
    let first = state(&mut b, Symbol { name: "entail:first".into(), span: Span::NONE }, Some(true));

    let start = Leaves { registers: reg, latches: lat, memories: Vec::new(), version: 0 };
    // Generous for real designs, and small enough to end soon where nothing ends.
    let most = 64 * net.gates.len() + 1_000_000;
    let mut m = Gates { net, b, inputs: lits, clocks, made: (u64::MAX, Vec::new()), most };
    let rest = steps::unroll(&mut m, &shape, start, &previous, first).map_err(|s| never_rests(net, &s))?;

    let next = rest.leaves.registers.iter().chain(&rest.leaves.latches).chain(&rest.clocks);
    states.iter_mut().zip(next).for_each(|(s, n)| s.next = *n);
    if let Some(s) = states.last_mut() {
        s.next = Lit::FALSE;
    }
    let mut failed = rest.failed;
    let mut hit = rest.hit;
    for (i, a) in net.asserts.iter().enumerate().filter(|(_, a)| a.clock.is_none()) {
        let (reached, condition) = (m.at(a.enable, &rest.leaves), m.at(a.condition, &rest.leaves));
        failed[i] = m.and(reached, !condition);
        hit[i] = m.and(reached, condition);
    }
    m.at(Lit::FALSE, &rest.leaves);
    let made = &m.made.1;
    let outputs = outputs(net, |l| made[l.gate().0 as usize].xor(l.complement()));
    let (bad, constraints, inputs) = (Vec::new(), Vec::new(), symbols);
    let step = "any moment: inputs change, then the design comes to rest".to_string();
    let mut model = Model { gates: Vec::new(), inputs, states, outputs, bad, constraints, step };
    properties(net, &mut model, |i| failed[i], |i| hit[i]);
    model.gates = m.b.finish().gates;
    Ok(model)
}

fn never_rests(net: &Netlist, stuck: &steps::Stuck) -> Diagnostic {
    let registers = stuck.registers.iter().filter_map(|r| net.registers.get(*r)).map(|r| (r.net, r.span));
    let latches = stuck.latches.iter().map(|l| (net.latches[*l].net, net.latches[*l].span));
    let all: Vec<_> = registers.chain(latches).take(8).collect();
    let names: Vec<String> = all.iter().map(|(n, span)| of_register(net, *n, *span).name).collect();
    let why = format!("a step of it may not come to rest, because {} may keep changing", names.join(", "));
    let mut diag = refused("AIGER", why);
    if let Some((_, span)) = all.first() {
        diag = diag.at(*span, "its clock, asynchronous control or open latch depends on itself");
    }
    diag.help("break the loop through clocks, asynchronous controls or latches with a clocked register")
}
