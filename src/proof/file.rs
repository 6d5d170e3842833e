//! What was proved, as a file: the circuit, the formulas, every step with what is needed to check it again.
//!
//! The file stands alone. Literals of formulas are numbers into its own list of gates; nothing in it is believed by
//! [`super::replay`], which checks each step anew.

use super::kernel::{Kernel, Rule, Statement};
use super::words::{IdentityFile, identity_file};
use crate::net::{Gate, Lit, Memory, MemoryWrite, Net, Netlist, Register};
use crate::source::Span;
use crate::ste::Assertion;
use crate::ste::circuit::{Circuit, Clocking, Start};
use crate::ste::order::Hint;
use crate::ste::realise::Run;
use crate::ste::set::Assignment;
use crate::ste::terms::{Atom, Claim, Leaf, Terms, Vector};
use crate::word::Bits;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// What the file says first.
pub const FORMAT: &str = "entail-proof-1";

/// A file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProofFile {
    /// [`FORMAT`].
    pub format: String,
    /// The program that wrote it.
    pub tool: String,
    /// The specification.
    pub spec: String,
    /// Parameters that were set beside it.
    pub parameters: Vec<String>,
    /// Everything that was read, with its hash.
    pub files: Vec<(String, String)>,
    /// The circuit.
    pub circuit: CircuitFile,
    /// Symbolic vectors.
    pub vectors: Vec<Vector>,
    /// Leaves of formulas.
    pub leaves: Vec<Leaf>,
    /// Gates of formulas: kind and operands; see [`gate_words`].
    pub gates: Vec<[u32; 4]>,
    /// Steps in order.
    pub steps: Vec<StepFile>,
    /// Words that algebra is about.
    pub identities: Vec<IdentityFile>,
    /// The step that the file is about, if it has a goal.
    pub goal: Option<usize>,
}

/// A circuit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CircuitFile {
    /// Name of the top.
    pub name: String,
    /// Inputs with their widths.
    pub inputs: Vec<(String, u32)>,
    /// Gates: kind and operands.
    pub gates: Vec<[u32; 4]>,
    /// Registers: gate, next, clock, controls, initial value.
    pub registers: Vec<RegisterFile>,
    /// Latches: gate, enable, data, initial value.
    pub latches: Vec<(u32, u32, u32, Option<bool>)>,
    /// Memories.
    pub memories: Vec<MemoryFile>,
    /// Names of nodes that statements speak of.
    pub nets: Vec<NetFile>,
    /// Inputs that tick in every cycle, by gate; `None`: times are phases.
    pub clocks: Option<Vec<u32>>,
    /// Runs start in the initial state.
    pub initial: bool,
}

/// A net: name, range, bits.
pub type NetFile = (String, Option<(i64, i64)>, Vec<u32>);

/// A write: clock, enable, address, data, mask.
pub type WriteFile = (u32, u32, Vec<u32>, Vec<u32>, Vec<u32>);

/// An earlier step, and what its vectors are replaced by: vector, bit, formula.
pub type PremiseFile = (usize, Vec<(u32, u32, u32)>);

/// A register: gate, next, clock, controls, initial value.
pub type RegisterFile = (u32, u32, u32, Vec<(u32, u32)>, Option<bool>);

/// A memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MemoryFile {
    /// Its name.
    pub name: String,
    /// Bits of a word.
    pub width: u32,
    /// Number of words.
    pub size: u64,
    /// Initial words.
    pub init: Vec<(u64, Bits)>,
    /// Addresses that are read.
    pub reads: Vec<Vec<u32>>,
    /// Writes: clock, enable, address, data, mask.
    pub writes: Vec<WriteFile>,
}

/// What a step says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StatementFile {
    /// Whether it is about the circuit.
    pub circuit: bool,
    /// The constraint.
    pub constraint: u32,
    /// What is given.
    pub antecedent: Vec<ClaimFile>,
    /// What follows.
    pub consequent: Vec<ClaimFile>,
}

/// A claim: atom, guard, value.
pub type ClaimFile = (Option<Atom>, u32, u32);

/// A step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StepFile {
    /// A name for people.
    pub name: String,
    /// What it says.
    pub statement: StatementFile,
    /// How it is shown.
    pub rule: RuleFile,
}

/// How a step is shown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum RuleFile {
    /// By trajectory evaluation.
    Run {
        /// Gates that are X at a time.
        weakened: Vec<(u32, u32)>,
        /// Wishes about the order of variables.
        hints: Vec<HintFile>,
        /// A run that fits.
        witness: RunFile,
        /// The engine that found it, for people.
        engine: String,
        /// Whether other code confirmed it, for people.
        checked: bool,
    },
    /// By algebra.
    Algebra(usize),
    /// It follows from earlier steps, some with vectors replaced, by propositional logic alone. The name of the rule is
    /// for people.
    Follows(String, Vec<PremiseFile>),
    /// An earlier step at later times.
    Shift(usize, u32),
}

/// A wish about the order: kind, vectors or width.
pub type HintFile = (String, Vec<u32>);

/// A run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunFile {
    /// Values of the vectors.
    pub assignment: Vec<Bits>,
    /// State at the start.
    pub start: Vec<(u32, bool)>,
    /// Words at the start.
    pub words: Vec<(u32, u64, u32, bool)>,
    /// Inputs before the first phase.
    pub before: Vec<(u32, bool)>,
    /// Inputs of each phase.
    pub phases: Vec<Vec<(u32, bool)>>,
}

/// A gate as four numbers.
pub fn gate_words(g: Gate) -> [u32; 4] {
    match g {
        Gate::False => [0, 0, 0, 0],
        Gate::Input(p, b) => [1, p, b, 0],
        Gate::Free(n) => [2, n, 0, 0],
        Gate::Register(n) => [3, n, 0, 0],
        Gate::Latch(n) => [4, n, 0, 0],
        Gate::Read(m, p, b) => [5, m, p, b],
        Gate::And(a, b) => [6, a.0, b.0, 0],
        Gate::Xor(a, b) => [7, a.0, b.0, 0],
        Gate::Mux(s, t, e) => [8, s.0, t.0, e.0],
    }
}

/// A gate from four numbers, whose operands come before it.
pub fn gate_of(w: [u32; 4], at: usize) -> Option<Gate> {
    let lit = |l: u32| ((l >> 1) < at as u32).then_some(Lit(l));
    Some(match w {
        [0, 0, 0, 0] if at == 0 => Gate::False,
        [1, p, b, 0] => Gate::Input(p, b),
        [2, n, 0, 0] => Gate::Free(n),
        [3, n, 0, 0] => Gate::Register(n),
        [4, n, 0, 0] => Gate::Latch(n),
        [5, m, p, b] => Gate::Read(m, p, b),
        [6, a, b, 0] => Gate::And(lit(a)?, lit(b)?),
        [7, a, b, 0] => Gate::Xor(lit(a)?, lit(b)?),
        [8, s, t, e] => Gate::Mux(lit(s)?, lit(t)?, lit(e)?),
        _ => return None,
    })
}

/// Writes a kernel's steps.
pub fn write(
    kernel: &Kernel,
    c: &Circuit,
    tool: &str,
    spec: &str,
    parameters: &[String],
    files: &[(String, String)],
    goal: Option<usize>,
) -> ProofFile {
    let terms = &kernel.terms;
    let mut leaves = Vec::new();
    let gates = terms.gates().iter().map(|g| {
        if let Some(leaf) = terms.leaf_of(*g) {
            leaves.push(leaf);
            return [1, 0, leaves.len() as u32 - 1, 0];
        }
        gate_words(*g)
    });
    let gates = gates.collect();
    let with = |list: &[((u32, u32), Lit)]| list.iter().map(|((v, b), l)| (*v, *b, l.0)).collect::<Vec<_>>();
    let many = |list: &[usize]| list.iter().map(|s| (*s, Vec::new())).collect::<Vec<_>>();
    let steps = kernel.steps().iter().map(|s| StepFile {
        name: s.name.clone(),
        statement: statement_file(&s.statement),
        rule: match &s.rule {
            Rule::Run { assertion, witness, engine, checked } => {
                let mut weakened: Vec<(u32, u32)> = assertion.weakened.iter().copied().collect();
                weakened.sort_unstable();
                RuleFile::Run {
                    weakened,
                    hints: assertion.hints.iter().map(hint_file).collect(),
                    witness: run_file(witness),
                    engine: engine.to_string(),
                    checked: checked.is_some(),
                }
            }
            Rule::Algebra { identity } => RuleFile::Algebra(*identity),
            Rule::Valid => RuleFile::Follows("fact".into(), Vec::new()),
            Rule::Strengthen { of } => RuleFile::Follows("strengthening".into(), many(&[*of])),
            Rule::Weaken { of, using } => {
                let all: Vec<usize> = std::iter::once(*of).chain(using.iter().copied()).collect();
                RuleFile::Follows("weakening".into(), many(&all))
            }
            Rule::Conjoin { of } => RuleFile::Follows("conjunction".into(), many(of)),
            Rule::Compose { first, second, with: w } => {
                RuleFile::Follows("composition".into(), vec![(*first, Vec::new()), (*second, with(w))])
            }
            Rule::Split { of } => RuleFile::Follows("case split".into(), many(of)),
            Rule::Instantiate { of, with: w } => RuleFile::Follows("instantiation".into(), vec![(*of, with(w))]),
            Rule::Shift { of, by } => RuleFile::Shift(*of, *by),
            Rule::Model { of } => RuleFile::Follows("model equality".into(), many(&[*of])),
        },
    });
    ProofFile {
        format: FORMAT.into(),
        tool: tool.into(),
        spec: spec.into(),
        parameters: parameters.to_vec(),
        files: files.to_vec(),
        circuit: circuit_file(c, terms, kernel),
        vectors: terms.vectors.clone(),
        leaves,
        gates,
        steps: steps.collect(),
        identities: kernel.identities().iter().map(identity_file).collect(),
        goal,
    }
}

fn statement_file(s: &Statement) -> StatementFile {
    let claims = |list: &[Claim]| list.iter().map(|c| (c.atom, c.guard.0, c.value.0)).collect();
    StatementFile {
        circuit: s.circuit.is_some(),
        constraint: s.constraint.0,
        antecedent: claims(&s.antecedent),
        consequent: claims(&s.consequent),
    }
}

fn hint_file(h: &Hint) -> HintFile {
    match h {
        Hint::Interleave(v) => ("interleave".into(), v.clone()),
        Hint::Down(v) => ("down".into(), v.clone()),
        Hint::Narrow(w) => ("narrow".into(), vec![*w]),
    }
}

/// A wish from a file.
pub fn hint_of((kind, list): &HintFile, vectors: usize) -> Option<Hint> {
    let known = list.iter().all(|v| (*v as usize) < vectors);
    match (kind.as_str(), list.as_slice()) {
        ("interleave", _) if known => Some(Hint::Interleave(list.clone())),
        ("down", _) if known => Some(Hint::Down(list.clone())),
        ("narrow", [w]) => Some(Hint::Narrow(*w)),
        _ => None,
    }
}

fn run_file(r: &Run) -> RunFile {
    RunFile {
        assignment: r.assignment.0.clone(),
        start: r.start.clone(),
        words: r.words.clone(),
        before: r.before.clone(),
        phases: r.phases.clone(),
    }
}

/// A run from a file.
pub fn run_of(r: &RunFile) -> Run {
    Run {
        assignment: Assignment(r.assignment.clone()),
        start: r.start.clone(),
        words: r.words.clone(),
        before: r.before.clone(),
        phases: r.phases.clone(),
    }
}

/// The assertion that a step by evaluation is about.
pub fn assertion_of(name: &str, s: &Statement, weakened: &[(u32, u32)], hints: Vec<Hint>) -> Assertion {
    Assertion {
        name: name.into(),
        constraint: s.constraint,
        antecedent: s.antecedent.clone(),
        consequent: s.consequent.clone(),
        weakened: weakened.iter().copied().collect(),
        hints,
    }
}

fn circuit_file(c: &Circuit, terms: &Terms, kernel: &Kernel) -> CircuitFile {
    let net = &c.net;
    let all = |list: &[Lit]| list.iter().map(|l| l.0).collect::<Vec<u32>>();
    // Names only of what statements speak of.
    let claims = kernel.steps().iter().flat_map(|s| s.statement.antecedent.iter().chain(&s.statement.consequent));
    let mut spoken: rustc_hash::FxHashSet<u32> = claims.filter_map(|c| c.atom).filter_map(node).collect();
    spoken.extend(terms.gates().iter().filter_map(|g| match terms.leaf_of(*g) {
        Some(Leaf::Atom(a)) => node(a),
        _ => None,
    }));
    let named = net.nets.iter().filter(|n| n.bits.iter().any(|l| spoken.contains(&l.gate().0)));
    CircuitFile {
        name: net.name.to_string(),
        inputs: net.inputs.iter().map(|n| (n.name.to_string(), n.bits.len() as u32)).collect(),
        gates: net.gates.iter().map(|g| gate_words(*g)).collect(),
        registers: net
            .registers
            .iter()
            .map(|r| {
                let asyncs = r.asyncs.iter().map(|(c, v)| (c.0, v.0)).collect();
                (r.gate.0, r.next.0, r.clock.0, asyncs, r.init)
            })
            .collect(),
        latches: net.latches.iter().map(|l| (l.gate.0, l.enable.0, l.data.0, l.init)).collect(),
        memories: net
            .memories
            .iter()
            .map(|m| MemoryFile {
                name: m.name.to_string(),
                width: m.width,
                size: m.size,
                // Of two words for one address the last counts.
                init: m.init.iter().cloned().collect::<std::collections::BTreeMap<_, _>>().into_iter().collect(),
                reads: m.reads.iter().map(|r| all(r)).collect(),
                writes: m
                    .writes
                    .iter()
                    .map(|w| (w.clock.0, w.enable.0, all(&w.addr), all(&w.data), all(&w.mask)))
                    .collect(),
            })
            .collect(),
        nets: named.map(|n| (n.name.to_string(), n.range, all(&n.bits))).collect(),
        clocks: match &c.clocking {
            Clocking::Phases => None,
            Clocking::Cycles(list) => Some(list.iter().map(|g| g.0).collect()),
        },
        initial: c.start == Start::Initial,
    }
}

fn node(a: Atom) -> Option<u32> {
    match a.place {
        crate::ste::Place::Node(l) => Some(l >> 1),
        crate::ste::Place::Word(..) => None,
    }
}

/// A circuit from a file; `Err` says what is wrong with it.
pub fn circuit_of(f: &CircuitFile) -> Result<Circuit, String> {
    let n = f.gates.len();
    let lit = |l: u32| if ((l >> 1) as usize) < n { Ok(Lit(l)) } else { Err("a literal beyond the gates") };
    let lits = |list: &[u32]| list.iter().map(|l| lit(*l)).collect::<Result<Vec<Lit>, _>>();
    let gate = |g: u32| if (g as usize) < n { Ok(crate::net::GateId(g)) } else { Err("a gate beyond the gates") };
    let mut net = Netlist { name: f.name.as_str().into(), ..Netlist::default() };
    for (i, w) in f.gates.iter().enumerate() {
        let g = gate_of(*w, i).ok_or("a gate that cannot be")?;
        net.gates.push(g);
        net.spans.push(Span::NONE);
        if let Gate::Free(k) = g {
            if k as usize != net.frees.len() {
                return Err("free values out of order".into());
            }
            net.frees.push(crate::net::Free { gate: crate::net::GateId(i as u32), span: Span::NONE });
        }
    }
    if net.gates.first() != Some(&Gate::False) {
        return Err("the first gate is not 0".into());
    }
    let mut places: FxHashMap<Gate, u32> = FxHashMap::default();
    for (i, g) in net.gates.iter().enumerate() {
        let leaf = matches!(g, Gate::Input(..) | Gate::Register(_) | Gate::Latch(_));
        if leaf && places.insert(*g, i as u32).is_some() {
            return Err("a leaf stands twice".into());
        }
    }
    for (p, (name, width)) in f.inputs.iter().enumerate() {
        if *width > 1 << 20 {
            return Err("an input is too wide".into());
        }
        let bits = (0..*width).map(|b| places.get(&Gate::Input(p as u32, b)).map(|g| Lit(g << 1)));
        let bits = bits.collect::<Option<Vec<Lit>>>().ok_or("an input without gates")?;
        net.inputs.push(named(name, None, bits));
    }
    let inputs = places.keys().filter(|g| matches!(g, Gate::Input(..))).count();
    if inputs != net.inputs.iter().map(|i| i.bits.len()).sum::<usize>() {
        return Err("a gate of an input that there is not".into());
    }
    for (i, (g, next, clock, asyncs, init)) in f.registers.iter().enumerate() {
        if places.get(&Gate::Register(i as u32)) != Some(g) {
            return Err("a register without its gate".into());
        }
        let asyncs = asyncs.iter().map(|(c, v)| Ok((lit(*c)?, lit(*v)?))).collect::<Result<Vec<_>, &str>>()?;
        let (next, clock) = (lit(*next)?, lit(*clock)?);
        net.registers.push(Register {
            gate: gate(*g)?,
            next,
            clock,
            asyncs,
            init: *init,
            net: (0, 0),
            span: Span::NONE,
        });
    }
    for (i, (g, enable, data, init)) in f.latches.iter().enumerate() {
        if places.get(&Gate::Latch(i as u32)) != Some(g) {
            return Err("a latch without its gate".into());
        }
        let (enable, data) = (lit(*enable)?, lit(*data)?);
        let (gate, init) = (gate(*g)?, *init);
        net.latches.push(crate::net::Latch { gate, enable, data, init, net: (0, 0), span: Span::NONE });
    }
    for m in &f.memories {
        let mut writes = Vec::new();
        for (clock, enable, addr, data, mask) in &m.writes {
            let (data, mask) = (lits(data)?, lits(mask)?);
            if data.len() != m.width as usize || mask.len() != m.width as usize {
                return Err("a write of another width".into());
            }
            writes.push(MemoryWrite { clock: lit(*clock)?, enable: lit(*enable)?, addr: lits(addr)?, data, mask });
        }
        let reads = m.reads.iter().map(|r| lits(r)).collect::<Result<Vec<_>, _>>()?;
        let mut addresses = rustc_hash::FxHashSet::default();
        if m.init.iter().any(|(a, b)| *a >= m.size || b.width() != m.width || !addresses.insert(*a)) {
            return Err("an initial word that cannot be".into());
        }
        let (name, init) = (m.name.as_str().into(), m.init.clone());
        net.memories.push(Memory { name, width: m.width, size: m.size, init, reads, writes, span: Span::NONE });
    }
    for (i, g) in net.gates.iter().enumerate() {
        let fits = match *g {
            Gate::Register(k) => (k as usize) < net.registers.len(),
            Gate::Latch(k) => (k as usize) < net.latches.len(),
            Gate::Read(m, p, b) => net.memories.get(m as usize).is_some_and(|x| {
                let port = x.reads.get(p as usize);
                b < x.width && port.is_some_and(|r| r.iter().all(|l| (l.gate().0 as usize) < i))
            }),
            _ => true,
        };
        if !fits {
            return Err("a gate of something that there is not".into());
        }
    }
    for (name, range, bits) in &f.nets {
        net.nets.push(named(name, *range, lits(bits)?));
    }
    let clocking = match &f.clocks {
        None => Clocking::Phases,
        Some(list) => {
            let known = |g: &u32| matches!(net.gates.get(*g as usize), Some(Gate::Input(..)));
            if !list.iter().all(known) {
                return Err("a clock that is no input".into());
            }
            Clocking::Cycles(list.iter().map(|g| crate::net::GateId(*g)).collect())
        }
    };
    Ok(Circuit::new(net, clocking, if f.initial { Start::Initial } else { Start::Any }))
}

fn named(name: &str, range: Option<(i64, i64)>, bits: Vec<Lit>) -> Net {
    Net { name: name.into(), range, bits, span: Span::NONE, attrs: Vec::new() }
}
