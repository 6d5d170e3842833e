//! Design constraints: clocks, how they stand to each other, and which clock inputs belong to.
//!
//! What a constraint file says about timing is not our business; what it says about clocks is. A command that is not
//! known is a warning, a known one that cannot be understood is an error.

use super::tcl::{self, Command, Mistake, Word};
use crate::net::{GateId, Net, Netlist};
use crate::source::{Diagnostic, FileId, Severity, Span, codes};

/// How two clocks stand to each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relation {
    /// What one sends is stable when the other looks.
    Synchronous,
    /// Nothing is known about their edges.
    Asynchronous,
    /// They never tick in the same mode.
    Exclusive,
}

/// A declared clock.
#[derive(Clone, Debug)]
pub struct Clock {
    /// Its name.
    pub name: String,
    /// Patterns of the ports or nets it is on.
    pub targets: Vec<String>,
    /// The pattern of its master, if it is generated.
    pub master: Option<String>,
    /// Its period.
    pub period: Option<f64>,
    /// Where it is declared.
    pub at: Span,
}

/// Names of clocks, and where they stand.
type Names = (Vec<String>, Span);

/// What was declared.
#[derive(Clone, Debug, Default)]
pub struct Sdc {
    /// Clocks.
    pub clocks: Vec<Clock>,
    groups: Vec<(Relation, Vec<Names>)>,
    /// Pairs of patterns that timing does not look at.
    cuts: Vec<(Names, Names)>,
    /// Input ports and the clock they belong to.
    inputs: Vec<(Vec<String>, Names)>,
    /// Output ports and the clock they belong to.
    outputs: Vec<(Vec<String>, Names)>,
}

/// Declarations with the gates that they are about.
pub struct Placed<'a> {
    sdc: &'a Sdc,
    /// The gates of each clock.
    on: Vec<Vec<GateId>>,
}

/// Whether a text fits a pattern with `*` and `?`.
pub fn fits(pattern: &str, text: &str) -> bool {
    let (p, t): (Vec<char>, Vec<char>) = (pattern.chars().collect(), text.chars().collect());
    let (mut i, mut j, mut star) = (0, 0, None);
    while j < t.len() {
        if i < p.len() && (p[i] == '?' || p[i] == t[j]) && p[i] != '*' {
            i += 1;
            j += 1;
        } else if i < p.len() && p[i] == '*' {
            star = Some((i, j));
            i += 1;
        } else if let Some((si, sj)) = star {
            i = si + 1;
            j = sj + 1;
            star = Some((si, sj + 1));
        } else {
            return false;
        }
    }
    p[i..].iter().all(|c| *c == '*')
}

/// Commands that say nothing about clocks and their relations.
const SILENT: &[&str] = &[
    "set_units",
    "set_load",
    "set_driving_cell",
    "set_max_fanout",
    "set_max_transition",
    "set_max_capacitance",
    "set_clock_uncertainty",
    "set_clock_latency",
    "set_clock_transition",
    "set_max_delay",
    "set_min_delay",
    "set_multicycle_path",
    "set_timing_derate",
    "set_propagated_clock",
    "current_design",
    "set_operating_conditions",
    "set_wire_load_model",
    "set_input_transition",
    "set_property",
    "set_drive",
    "group_path",
    "set_ideal_network",
    "set_dont_touch",
    "puts",
    "derive_pll_clocks",
    "derive_clock_uncertainty",
];

impl Sdc {
    /// Adds what a file declares. Returns what is wrong with it.
    pub fn read(&mut self, text: &str, file: FileId) -> Vec<Diagnostic> {
        let (commands, mistakes) = tcl::read(text);
        let mut found = Vec::new();
        let span = |at: (usize, usize)| Span::new(file, at.0 as u32, at.1.max(at.0 + 1) as u32);
        let bad = |m: Mistake| Diagnostic::error(codes::E1001, m.what).at(span(m.at), "");
        for c in &commands {
            let Some(Word::Text(name)) = c.words.first() else {
                found.push(Diagnostic::error(codes::E1001, "this is no command").at(span(c.range), ""));
                continue;
            };
            match self.command(name, c, span(c.range)) {
                Ok(true) => {}
                Ok(false) => found.push(
                    Diagnostic::new(
                        codes::W1002,
                        Severity::Warning,
                        format!("`{name}` is not known and has no effect"),
                    )
                    .at(span(c.range), ""),
                ),
                Err(what) => found.push(bad(Mistake { what, at: c.range })),
            }
        }
        found.extend(mistakes.into_iter().map(bad));
        found
    }

    fn command(&mut self, name: &str, c: &Command, at: Span) -> Result<bool, String> {
        match name {
            "create_clock" | "create_generated_clock" => {
                let flags = ["-add", "-invert", "-combinational"];
                let o = Options::read(
                    c,
                    &flags,
                    &[
                        "-period",
                        "-name",
                        "-waveform",
                        "-source",
                        "-divide_by",
                        "-multiply_by",
                        "-master_clock",
                        "-comment",
                        "-edges",
                        "-duty_cycle",
                    ],
                )?;
                let period = o
                    .one("-period")?
                    .map(|p| p.parse::<f64>().map_err(|_| format!("`{p}` is no period")))
                    .transpose()?;
                if name == "create_clock" && period.is_none_or(|p| p <= 0.0) {
                    return Err("a clock needs -period with a number above 0".into());
                }
                let targets = o.rest.clone();
                let clock_name = match (o.one("-name")?, targets.first()) {
                    (Some(n), _) => n,
                    (None, Some(t)) => t.clone(),
                    (None, None) => return Err("a clock needs a port or a -name".into()),
                };
                let master = if name == "create_clock" {
                    None
                } else {
                    let m = o.one("-master_clock")?.or(o.one("-source")?);
                    Some(m.ok_or("a generated clock needs -source or -master_clock")?)
                };
                if name != "create_clock" && targets.is_empty() {
                    return Err("a generated clock needs the pin, net or port it is on".into());
                }
                self.clocks.push(Clock { name: clock_name, targets, master, period, at });
            }
            "set_clock_groups" => {
                let flags = [
                    "-asynchronous",
                    "-async",
                    "-exclusive",
                    "-logically_exclusive",
                    "-physically_exclusive",
                    "-allow_paths",
                ];
                let o = Options::read(c, &flags, &["-group", "-name", "-comment"])?;
                let relation = if o.flags.iter().any(|f| f.starts_with("-async")) {
                    Relation::Asynchronous
                } else if o.flags.iter().any(|f| f.ends_with("exclusive")) {
                    Relation::Exclusive
                } else {
                    return Err("say how the groups stand: -asynchronous or -exclusive".into());
                };
                let groups: Vec<Names> =
                    o.values.iter().filter(|v| v.0 == "-group").map(|v| (v.1.clone(), at)).collect();
                if groups.is_empty() {
                    return Err("there is no -group".into());
                }
                self.groups.push((relation, groups));
            }
            "set_false_path" => {
                let o = Options::read(
                    c,
                    &["-setup", "-hold", "-rise", "-fall"],
                    &["-from", "-to", "-through", "-rise_from", "-rise_to", "-fall_from", "-fall_to", "-comment"],
                )?;
                // Only what is about clocks cuts whole domains; the rest is timing.
                let clocks = |key: &str| {
                    let all = o.values.iter().filter(|v| v.0 == key && v.2);
                    all.flat_map(|v| v.1.clone()).collect::<Vec<_>>()
                };
                let (from, to) = (clocks("-from"), clocks("-to"));
                if !from.is_empty() && !to.is_empty() {
                    self.cuts.push(((from, at), (to, at)));
                }
            }
            "set_input_delay" | "set_output_delay" => {
                let flags = [
                    "-min",
                    "-max",
                    "-rise",
                    "-fall",
                    "-add_delay",
                    "-clock_fall",
                    "-network_latency_included",
                    "-source_latency_included",
                ];
                let o = Options::read(c, &flags, &["-clock", "-reference_pin"])?;
                if let Some(clock) = o.one("-clock")? {
                    let ports = o.rest.iter().filter(|r| r.parse::<f64>().is_err()).cloned().collect();
                    let list = if name == "set_input_delay" { &mut self.inputs } else { &mut self.outputs };
                    list.push((ports, (vec![clock], at)));
                }
            }
            _ => return Ok(SILENT.contains(&name)),
        }
        Ok(true)
    }

    /// Whether relations were declared at all.
    pub fn has_relations(&self) -> bool {
        !self.clocks.is_empty()
    }

    /// Whether any clocks were said to be asynchronous or exclusive.
    pub fn has_groups(&self) -> bool {
        !self.groups.is_empty() || !self.cuts.is_empty()
    }

    /// Finds what the declarations are about.
    pub fn place(&self, net: &Netlist) -> Placed<'_> {
        Placed { sdc: self, on: self.clocks.iter().map(|c| gates(net, &c.targets)).collect() }
    }

    /// Declarations that are about nothing: clocks on nothing of the design, and names of clocks that nobody declared.
    pub fn lost(&self, net: &Netlist) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        for (c, on) in self.clocks.iter().zip(self.place(net).on) {
            if on.is_empty() && !c.targets.is_empty() {
                let text = format!("the clock `{}` is on nothing of the design", c.name);
                let help = "ports, nets and registers are found by their names, with `.` or `/` between instances";
                found.push(Diagnostic::warning(codes::W1004, text).at(c.at, "").help(help));
            }
        }
        let groups = self.groups.iter().flat_map(|g| &g.1);
        let cuts = self.cuts.iter().flat_map(|c| [&c.0, &c.1]);
        let delays = self.inputs.iter().chain(&self.outputs).map(|d| &d.1);
        for (names, at) in groups.chain(cuts).chain(delays) {
            for n in names.iter().filter(|n| !self.clocks.iter().any(|c| fits(n, &c.name))) {
                let text = format!("`{n}` is no clock that was declared, so this has no effect on it");
                found.push(Diagnostic::warning(codes::W1004, text).at(*at, ""));
            }
        }
        found
    }
}

/// The gates that patterns name: input bits, or else nets, or else registers by the names that synthesis gives them.
fn gates(net: &Netlist, patterns: &[String]) -> Vec<GateId> {
    let mut all = Vec::new();
    for pattern in patterns {
        let dotted = pattern.replace('/', ".");
        let of = |list: &[Net], pattern: &str| {
            let mut found: Vec<GateId> = Vec::new();
            for n in list {
                if fits(pattern, &n.name) {
                    found.extend(n.bits.iter().map(|l| l.gate()));
                } else if pattern.contains('[') || pattern.contains('*') {
                    let bit = |i: &usize| fits(pattern, &n.bit_name(*i as u32));
                    found.extend((0..n.bits.len()).filter(bit).map(|i| n.bits[i].gate()));
                }
            }
            found
        };
        let mut found = of(&net.inputs, pattern);
        if found.is_empty() {
            found = of(&net.nets, &dotted);
        }
        if found.is_empty() {
            // `u_div/q_reg/Q` is the output of the register `u_div.q`, `u_div/q_reg[1]/Q` of its bit 1.
            let cell = dotted.rsplit_once('.').map_or(dotted.as_str(), |(cell, _)| cell);
            let register = match cell.rsplit_once("_reg") {
                Some((name, index)) if index.is_empty() || index.starts_with('[') => format!("{name}{index}"),
                _ => cell.to_string(),
            };
            found = of(&net.nets, &register);
        }
        all.extend(found.into_iter().filter(|g| g.0 != 0));
    }
    all.sort_unstable();
    all.dedup();
    all
}

impl Placed<'_> {
    /// Gates that are declared clocks.
    pub fn clock_gates(&self) -> impl Iterator<Item = GateId> + '_ {
        self.on.iter().flatten().copied()
    }

    /// The name of the clock that is declared on a gate.
    pub fn name(&self, g: GateId) -> Option<&str> {
        self.names_of(g).next()
    }

    /// Names of the declared clocks on a root.
    fn names_of(&self, root: GateId) -> impl Iterator<Item = &str> {
        let on = self.sdc.clocks.iter().zip(&self.on).filter(move |(_, on)| on.contains(&root));
        on.map(|(c, _)| c.name.as_str())
    }

    /// How two domains stand to each other by what was declared.
    pub fn relation(&self, a: &[GateId], b: &[GateId]) -> Relation {
        let names = |roots: &[GateId]| roots.iter().flat_map(|r| self.names_of(*r)).collect::<Vec<_>>();
        let (a, b) = (names(a), names(b));
        // A clock that was not declared stands on its own.
        if a.is_empty() || b.is_empty() {
            return Relation::Asynchronous;
        }
        let any = |patterns: &Names, names: &[&str]| names.iter().any(|n| patterns.0.iter().any(|p| fits(p, n)));
        let mut said = Relation::Synchronous;
        for (relation, groups) in &self.sdc.groups {
            let of = |names: &[&str]| groups.iter().position(|g| any(g, names));
            let differ = match (of(&a), of(&b)) {
                (Some(x), Some(y)) => x != y,
                // One group alone is apart from everything else.
                (Some(_), None) | (None, Some(_)) => groups.len() == 1,
                _ => false,
            };
            if differ && said != Relation::Asynchronous {
                said = *relation;
            }
        }
        if self.sdc.cuts.iter().any(|(f, t)| any(f, &a) && any(t, &b)) {
            said = Relation::Asynchronous;
        }
        said
    }

    /// The root of the clock that a bit of a port was declared to belong to.
    pub fn port_clock(&self, port: &Net, bit: u32, input: bool) -> Option<GateId> {
        let name = port.bit_name(bit);
        let list = if input { &self.sdc.inputs } else { &self.sdc.outputs };
        let said = list.iter().rev().find(|(p, _)| p.iter().any(|w| fits(w, &port.name) || fits(w, &name)))?;
        let clock = self.sdc.clocks.iter().position(|c| said.1.0.iter().any(|n| fits(n, &c.name)))?;
        self.on[clock].first().copied()
    }
}

/// Options of a command, sorted out.
struct Options {
    flags: Vec<String>,
    /// Option, its words, and whether they came from `get_clocks`.
    values: Vec<(String, Vec<String>, bool)>,
    rest: Vec<String>,
}

impl Options {
    fn read(c: &Command, flags: &[&str], valued: &[&str]) -> Result<Options, String> {
        let mut o = Options { flags: Vec::new(), values: Vec::new(), rest: Vec::new() };
        let mut words = c.words[1..].iter();
        while let Some(w) = words.next() {
            match w {
                Word::Text(t) if flags.contains(&t.as_str()) => o.flags.push(t.clone()),
                Word::Text(t) if valued.contains(&t.as_str()) => {
                    let value = words.next().ok_or_else(|| format!("`{t}` needs a value"))?;
                    let mut clocks = false;
                    let list = names(value, &mut clocks)?;
                    o.values.push((t.clone(), list, clocks));
                }
                Word::Text(t) if t.starts_with('-') && t.parse::<f64>().is_err() => {
                    return Err(format!("`{t}` is no option of this command"));
                }
                w => o.rest.extend(names(w, &mut false)?),
            }
        }
        Ok(o)
    }

    fn one(&self, key: &str) -> Result<Option<String>, String> {
        match self.values.iter().find(|v| v.0 == key) {
            None => Ok(None),
            Some((_, list, _)) => match list.as_slice() {
                [] => Err(format!("`{key}` needs a value")),
                [first, ..] => Ok(Some(first.clone())),
            },
        }
    }
}

/// The names a word stands for.
fn names(w: &Word, clocks: &mut bool) -> Result<Vec<String>, String> {
    match w {
        Word::Text(t) => Ok(vec![t.clone()]),
        Word::List(l) => {
            let mut all = Vec::new();
            for w in l {
                all.extend(names(w, clocks)?);
            }
            Ok(all)
        }
        Word::Call(c) => {
            let Some(Word::Text(name)) = c.words.first() else { return Err("this is no command".into()) };
            match name.as_str() {
                "get_clocks" | "get_ports" | "get_nets" | "get_pins" | "get_cells" | "list" => {
                    *clocks |= name == "get_clocks";
                    let mut all = Vec::new();
                    for w in &c.words[1..] {
                        if !matches!(w, Word::Text(t) if t.starts_with('-')) {
                            all.extend(names(w, clocks)?);
                        }
                    }
                    Ok(all)
                }
                "all_clocks" => {
                    *clocks = true;
                    Ok(vec!["*".into()])
                }
                "all_inputs" | "all_outputs" | "all_registers" => Ok(vec!["*".into()]),
                _ => Err(format!("`{name}` is not known inside of `[…]`")),
            }
        }
    }
}
