//! A specification, loaded: the circuit, formulas and assertions that its sentences mean.

use super::expr::{Elaborations, ExprId, Expressions, Name, Use, undefined};
use super::nodes::{Found, Nodes};
use super::sentence::{Sentence, When, number};
use super::spec::{Said, Spec, spec, wrong};
use super::steps::{self, Plan};
use crate::front::mixed::{self, Request};
use crate::net::{GateId, Lit, LowerOptions, Netlist, lower};
use crate::project::filelist::parse_args;
use crate::project::yaml::{self, Text, nearest};
use crate::proof::kernel::Engine;
use crate::source::{Diagnostic, SourceMap, codes};
use crate::ste::Assertion;
use crate::ste::circuit::{Circuit, Clocking, Start};
use crate::ste::order::{CONTROL, Hint};
use crate::ste::terms::{Atom, Claim, Leaf, Place, Terms, Vector};
use crate::word::Design;
use rustc_hash::{FxHashMap, FxHashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// An assertion, ready to be decided.
pub struct Ready {
    /// The assertion.
    pub assertion: Assertion,
    /// Its name with its place.
    pub name: Text,
    /// The engine it asks for.
    pub engine: Option<Engine>,
    /// What is expected.
    pub expect: Option<String>,
    /// Automatic weakening.
    pub weaken_above: Option<usize>,
    /// Sentences, by [`Claim::origin`].
    pub sentences: Vec<Text>,
}

/// A loaded specification.
pub struct Loaded {
    /// As written.
    pub spec: Spec,
    /// The circuit.
    pub circuit: Circuit,
    /// Its names.
    pub nodes: Nodes,
    /// Formulas.
    pub terms: Terms,
    /// Assertions in order.
    pub assertions: Vec<Ready>,
    /// Steps of the proof.
    pub steps: Vec<(Text, Plan)>,
    /// Words of the specification, for algebra.
    pub words: Arc<Design>,
    /// Everything read, with its hash.
    pub files: Vec<(PathBuf, blake3::Hash)>,
    /// Sources of the design, for benches.
    pub sources: Vec<String>,
    /// Whether the top is VHDL.
    pub vhdl: bool,
    /// Folders in which files of the design were looked for.
    pub folders: Vec<PathBuf>,
}

/// Reads a specification and everything it names. What is wrong is in `diags`.
pub fn load(
    path: &Path,
    parameters: &[String],
    cache: Option<PathBuf>,
    map: &mut SourceMap,
    diags: &mut Vec<Diagnostic>,
) -> Option<Loaded> {
    match try_load(path, parameters, cache, map, diags) {
        Ok(l) => Some(l),
        Err(list) => {
            diags.extend(list);
            None
        }
    }
}

type Wrong = Vec<Diagnostic>;

fn one(d: Diagnostic) -> Wrong {
    vec![d]
}

fn try_load(
    path: &Path,
    parameters: &[String],
    cache: Option<PathBuf>,
    map: &mut SourceMap,
    diags: &mut Vec<Diagnostic>,
) -> Result<Loaded, Wrong> {
    let file = map.read(path).map_err(|e| {
        one(Diagnostic::error(codes::E1101, format!("cannot read {}: {e}", path.display())).help("check the path"))
    })?;
    let tree = yaml::read(map, file).map_err(one)?;
    let mut spec = spec(&tree).map_err(one)?;
    for p in parameters {
        let Some((name, value)) = p.split_once('=') else {
            return Err(one(Diagnostic::error(codes::E1102, format!("-P {p} has no `=`")).help("write -P NAME=VALUE")));
        };
        spec.parameters.retain(|x| x.0.text != name);
        let at = crate::source::Span::NONE;
        spec.parameters.push((Text::at(name, at), Text::at(value, at)));
    }
    let folder = path.parent().unwrap_or(Path::new("")).to_path_buf();
    let (design, vhdl, folders) = read_design(&spec, &folder, cache.clone(), map, diags)?;
    let options = LowerOptions { memory_limit_bits: spec.memory_bits.unwrap_or(1 << 15) };
    let net = lower(&design, &options, diags);
    if diags.iter().any(Diagnostic::is_error) {
        return Err(Vec::new());
    }
    let nodes = Nodes::new(&net, &design);
    let clocking = clocking(&spec, &net)?;
    let start = if spec.initial { Start::Initial } else { Start::Any };
    let circuit = Circuit::new(net, clocking, start);
    let plain = circuit.net.registers.is_empty() && circuit.net.latches.is_empty() && circuit.net.memories.is_empty();
    let mut g = Gather { spec: &spec, nodes: &nodes, exprs: Expressions::default(), timeless: plain };
    let mut wrongs = Vec::new();
    let mut reads = Vec::new();
    for (name, s) in &spec.reads {
        match g.read(s) {
            Ok(r) => reads.push((name.clone(), r)),
            Err(d) => wrongs.push(d),
        }
    }
    let mut sketches = Vec::new();
    for a in &spec.assertions {
        match g.assertion(a) {
            Ok(s) => sketches.push(s),
            Err(d) => wrongs.push(d),
        }
    }
    let mut plans = Vec::new();
    let theorems = super::rules::expand(&spec.theorems).map_err(one)?;
    for (name, y) in &theorems {
        match steps::plan(y, &mut g) {
            Ok(p) => plans.push((name.clone(), p)),
            Err(d) => wrongs.push(d),
        }
    }
    wrongs.extend(unknown_theorems(&spec, &plans));
    if !wrongs.is_empty() {
        return Err(wrongs);
    }
    let exprs = g.exprs;
    let mut names: Vec<Name> = Vec::new();
    for (n, width, signed) in &spec.vectors {
        names.push(Name { name: n.text.clone(), width: *width, signed: *signed });
    }
    for (n, (found, _)) in &reads {
        if names.iter().any(|m| m.name == n.text) {
            return Err(one(wrong(n.whole(), format!("`{}` is already a vector", n.text))));
        }
        names.push(Name { name: n.text.clone(), width: found.width(), signed: false });
    }
    let library: Vec<PathBuf> = spec.library.iter().map(|t| folder.join(&t.text)).collect();
    for (p, t) in library.iter().zip(&spec.library) {
        if !p.is_file() {
            return Err(one(wrong(t.whole(), format!("there is no file {}", p.display()))));
        }
    }
    let mut found = Vec::new();
    let elab = exprs.elaborate(&names, &library, cache, map, &mut found).ok_or(found)?;
    let vectors = spec.vectors.iter().map(|(n, width, _)| Vector { name: n.text.as_str().into(), width: *width });
    let mut b = Build {
        terms: Terms::new(vectors.collect()),
        elab,
        reads: reads.into_iter().map(|(n, (f, t))| (n.text, (f, t))).collect(),
        made: FxHashMap::default(),
        vectors: spec.vectors.iter().enumerate().map(|(i, v)| (v.0.text.clone(), i as u32)).collect(),
    };
    let mut assertions = Vec::new();
    for (a, s) in spec.assertions.iter().zip(sketches) {
        assertions.push(b.ready(a, s, &spec, &nodes).map_err(one)?);
    }
    for (_, p) in &mut plans {
        p.build(&mut b).map_err(one)?;
    }
    let Build { terms, elab, .. } = b;
    let files = map.files().filter(|(_, f)| f.path.is_file());
    let files = files.map(|(_, f)| (f.path.clone(), blake3::hash(f.text.as_bytes()))).collect();
    let design_files = design_files(&spec, &folder);
    Ok(Loaded {
        circuit,
        nodes,
        terms,
        assertions,
        steps: plans,
        words: Arc::new(elab.design),
        files,
        sources: design_files,
        vhdl,
        folders,
        spec,
    })
}

/// Names of theorems that steps or the goal speak of, and that there are not.
fn unknown_theorems(spec: &Spec, plans: &[(Text, Plan)]) -> Vec<Diagnostic> {
    let names: Vec<&str> =
        spec.assertions.iter().map(|a| a.name.text.as_str()).chain(plans.iter().map(|p| p.0.text.as_str())).collect();
    let mut list = Vec::new();
    let mut look = |t: &Text, before: &[&str]| {
        if !before.iter().any(|n| crate::cdc::sdc::fits(&t.text, n)) {
            let d = wrong(t.whole(), format!("there is no theorem `{}` before this", t.text));
            list.push(match nearest(&t.text, before.iter().copied()) {
                Some(n) => d.help(format!("did you mean `{n}`?")),
                None => d.help("theorems are assertions and earlier steps"),
            });
        }
    };
    for (i, (_, plan)) in plans.iter().enumerate() {
        let before = &names[..spec.assertions.len() + i];
        plan.of.iter().chain(&plan.using).for_each(|t| look(t, before));
    }
    if let Some(g) = &spec.goal {
        look(g, &names);
    }
    list
}

fn design_files(spec: &Spec, folder: &Path) -> Vec<String> {
    let lists = spec.lists.iter().map(|l| format!("-f {}", folder.join(&l.text).display()));
    lists.chain(spec.files.iter().map(|f| folder.join(&f.text).display().to_string())).collect()
}

fn read_design(
    spec: &Spec,
    folder: &Path,
    cache: Option<PathBuf>,
    map: &mut SourceMap,
    diags: &mut Vec<Diagnostic>,
) -> Result<(Design, bool, Vec<PathBuf>), Wrong> {
    // What is not there is said where it is named.
    for t in spec.lists.iter().chain(&spec.files).filter(|t| !t.text.starts_with(['+', '-'])) {
        let path = folder.join(&t.text);
        if !path.exists() {
            return Err(one(wrong(t.whole(), format!("there is no file {}", path.display()))
                .help("paths are relative to the specification")));
        }
    }
    let mut words = Vec::new();
    for l in &spec.lists {
        words.extend(["-f".to_string(), folder.join(&l.text).display().to_string()]);
    }
    for f in &spec.files {
        // `+define+` and the like stay as they are.
        let plain = !f.text.starts_with(['+', '-']);
        words.push(if plain { folder.join(&f.text).display().to_string() } else { f.text.clone() });
    }
    if let Some(t) = &spec.top {
        words.extend(["--top".to_string(), t.text.clone()]);
    }
    for (n, v) in &spec.parameters {
        words.extend(["-P".to_string(), format!("{}={}", n.text, v.text)]);
    }
    let list = parse_args(&words, Path::new(""), &|_| None, map)?;
    let vhdl =
        list.files.iter().chain(list.libraries.iter().map(|l| &l.1)).any(|f| crate::project::filelist::is_vhdl(f));
    let folders = list.incdirs.iter().chain(&list.libdirs).cloned().collect();
    let request = Request::new(list, cache);
    let e = mixed::elaborate(&request, std::mem::take(map));
    *map = e.sources;
    let bad = e.diagnostics.iter().any(Diagnostic::is_error);
    diags.extend(e.diagnostics);
    match e.design {
        Some(d) if !bad => Ok((d, vhdl && request.verilog.files.is_empty(), folders)),
        _ => Err(Vec::new()),
    }
}

fn clocking(spec: &Spec, net: &Netlist) -> Result<Clocking, Wrong> {
    if spec.clocks.is_empty() {
        return Ok(Clocking::Phases);
    }
    let mut list: Vec<GateId> = Vec::new();
    for t in &spec.clocks {
        let input = net.inputs.iter().find(|n| n.name == t.text);
        match input.map(|n| n.bits.as_slice()) {
            Some([l]) => list.push(l.gate()),
            Some(_) => return Err(one(wrong(t.whole(), format!("`{}` has more than one bit", t.text)))),
            None => {
                let d = wrong(t.whole(), format!("the design has no input `{}`", t.text));
                let near = nearest(&t.text, net.inputs.iter().map(|n| n.name.as_str()));
                let help = near
                    .map_or("a clock is an input of the top; without one, times are phases".to_string(), |n| {
                        format!("did you mean `{n}`?")
                    });
                return Err(one(d.help(help)));
            }
        }
    }
    Ok(Clocking::Cycles(list))
}

/// A sentence whose expressions have numbers.
pub struct Sketch {
    node: Option<Found>,
    value: ExprId,
    guard: Option<ExprId>,
    index: Option<ExprId>,
    times: Option<(u32, u32)>,
    text: Text,
}

/// An assertion whose expressions have numbers.
pub struct AssertionSketch {
    constraint: Vec<ExprId>,
    given: Vec<Sketch>,
    then: Vec<Sketch>,
}

/// Gathers expressions while names and times are looked up.
pub struct Gather<'s> {
    spec: &'s Spec,
    nodes: &'s Nodes,
    /// All expressions so far.
    pub exprs: Expressions,
    timeless: bool,
}

impl Gather<'_> {
    /// A time.
    pub fn time(&self, t: &Text) -> Result<u32, Diagnostic> {
        let n = number(t, &|n| self.spec.times.iter().find(|x| x.0 == n).map(|x| x.1))?;
        let fits = u32::try_from(n).ok().filter(|n| *n <= 100_000);
        fits.ok_or_else(|| Diagnostic::error(codes::E1103, format!("{n} is no time")).at(t.whole(), ""))
    }

    fn times(&self, s: &Sentence) -> Result<Option<(u32, u32)>, Diagnostic> {
        match &s.when {
            When::At(t) => {
                let t = self.time(t)?;
                Ok(Some((t, t)))
            }
            When::Range(a, b) => {
                let (from, to) = (self.time(a)?, self.time(b)?);
                if from > to {
                    let d = Diagnostic::error(codes::E1103, format!("from {from} to {to} is no time at all"));
                    return Err(d.at(a.whole().join(b.whole()), ""));
                }
                Ok(Some((from, to)))
            }
            When::Always => Ok(None),
            When::Unsaid if s.node.is_none() => Ok(Some((0, 0))),
            When::Unsaid if self.timeless && self.spec.clocks.is_empty() => Ok(Some((0, 0))),
            When::Unsaid => Err(Diagnostic::error(codes::E1103, "when is not said")
                .at(s.whole.whole(), "the design has state, so values differ from time to time")
                .help("add `at TIME`, `from TIME to TIME` or `always`")),
        }
    }

    fn read(&mut self, s: &Sentence) -> Result<(Found, u32), Diagnostic> {
        let found = self.nodes.find(&s.value)?;
        if found.index.is_some() {
            return Err(wrong(s.value.whole(), "a read has no symbolic index"));
        }
        match (&s.when, self.timeless) {
            (When::At(t), _) => Ok((found, self.time(t)?)),
            (When::Unsaid, true) => Ok((found, 0)),
            _ => Err(wrong(s.whole.whole(), "a read is `NODE at TIME`")),
        }
    }

    /// A sentence.
    pub fn sentence(&mut self, s: &Sentence) -> Result<Sketch, Diagnostic> {
        let node = s.node.as_ref().map(|n| self.nodes.find(n)).transpose()?;
        let times = self.times(s)?;
        let width = node.as_ref().map_or(Use::Truth, |n| Use::Value(n.width()));
        // A vector that stands for a node by itself must fit it; expressions follow the rules of assignments.
        if let (Some(n), Some(v)) = (&node, self.spec.vectors.iter().find(|v| v.0.text == s.value.text))
            && v.1 != n.width()
        {
            let what = format!("`{}` has {} bits, and the node has {}", v.0.text, v.1, n.width());
            return Err(Diagnostic::error(codes::E1103, what)
                .at(s.whole.whole(), "")
                .help("name a slice of the node, or write the value as an expression such as `N'(vector)`"));
        }
        let value = self.exprs.add(&s.value, width);
        let guard = s.guard.as_ref().map(|g| self.exprs.add(g, Use::Truth));
        let index = node.as_ref().and_then(|n| n.index.as_ref()).map(|(t, _)| self.exprs.add(t, Use::Value(64)));
        if node.is_none() && !matches!(s.when, When::Unsaid) {
            return Err(Diagnostic::error(codes::E1103, "a formula has no time of its own")
                .at(s.whole.whole(), "")
                .help("times stand in `reads:`, or write NODE is VALUE at TIME"));
        }
        Ok(Sketch { node, value, guard, index, times, text: s.whole.clone() })
    }

    fn assertion(&mut self, a: &Said) -> Result<AssertionSketch, Diagnostic> {
        for s in &a.given {
            if s.node.is_none() {
                return Err(Diagnostic::error(codes::E1103, "what is given must say what a node is")
                    .at(s.whole.whole(), "")
                    .help("formulas over vectors belong into `where:`"));
            }
        }
        Ok(AssertionSketch {
            constraint: a.constraint.iter().map(|t| self.exprs.add(t, Use::Truth)).collect(),
            given: a.given.iter().map(|s| self.sentence(s)).collect::<Result<_, _>>()?,
            then: a.then.iter().map(|s| self.sentence(s)).collect::<Result<_, _>>()?,
        })
    }

    /// A vector by name, with its width.
    pub fn vector(&self, t: &Text) -> Result<(u32, u32), Diagnostic> {
        let found = self.spec.vectors.iter().position(|v| v.0.text == t.text);
        found.map(|i| (i as u32, self.spec.vectors[i].1)).ok_or_else(|| {
            let d = wrong(t.whole(), format!("there is no vector `{}`", t.text));
            match nearest(&t.text, self.spec.vectors.iter().map(|v| v.0.text.as_str())) {
                Some(n) => d.help(format!("did you mean `{n}`?")),
                None => d,
            }
        })
    }
}

/// Makes formulas from elaborated expressions.
pub struct Build {
    /// The formulas.
    pub terms: Terms,
    elab: Elaborations,
    reads: FxHashMap<String, (Found, u32)>,
    made: FxHashMap<ExprId, Vec<Lit>>,
    vectors: FxHashMap<String, u32>,
}

impl Build {
    /// The bits of an expression.
    pub fn bits(&mut self, e: ExprId, text: &Text) -> Result<Vec<Lit>, Diagnostic> {
        if let Some(b) = self.made.get(&e) {
            return Ok(b.clone());
        }
        let roots = self.elab.bits(e).to_vec();
        let (net, reads, vectors) = (&self.elab.net, &self.reads, &self.vectors);
        let made = self.terms.import(net, &roots, &mut |terms, port, bit| {
            let name = net.inputs[port as usize].name.as_str();
            match (vectors.get(name), reads.get(name)) {
                (Some(v), _) => terms.var(*v, bit),
                (None, Some((found, time))) => {
                    terms.leaf(Leaf::Atom(Atom { place: found.choices[0].1[bit as usize], time: *time }))
                }
                (None, None) => Lit::FALSE,
            }
        });
        let made = made.ok_or_else(|| undefined(text))?;
        self.made.insert(e, made.clone());
        Ok(made)
    }

    /// A truth.
    pub fn truth(&mut self, e: ExprId, text: &Text) -> Result<Lit, Diagnostic> {
        Ok(self.bits(e, text)?.first().copied().unwrap_or(Lit::FALSE))
    }

    /// The two sides of an equality, as words.
    pub fn sides(&self, e: ExprId) -> Option<(crate::word::NodeId, crate::word::NodeId)> {
        self.elab.sides(e)
    }

    /// The claims of a sentence; `last` is what `always` ends with.
    pub fn claims(&mut self, s: &Sketch, last: u32, origin: u32) -> Result<Vec<Claim>, Diagnostic> {
        let value = self.bits(s.value, &s.text)?;
        let guard = match s.guard {
            Some(g) => self.truth(g, &s.text)?,
            None => Lit::TRUE,
        };
        let Some(node) = &s.node else {
            let value = value.first().copied().unwrap_or(Lit::FALSE);
            return Ok(vec![Claim { atom: None, guard, value, origin }]);
        };
        let index = s.index.map(|i| self.bits(i, &s.text)).transpose()?;
        let (from, to) = s.times.unwrap_or((0, last));
        let mut list = Vec::new();
        for time in from..=to {
            for (k, places) in &node.choices {
                let here = match &index {
                    Some(bits) => {
                        let same: Vec<Lit> =
                            bits.iter().enumerate().map(|(i, b)| b.xor(i >= 64 || k >> i & 1 == 0)).collect();
                        let hit = self.terms.all(&same);
                        self.terms.and(guard, hit)
                    }
                    None => guard,
                };
                for (place, value) in places.iter().zip(&value) {
                    list.push(Claim { atom: Some(Atom { place: *place, time }), guard: here, value: *value, origin });
                }
            }
        }
        Ok(list)
    }

    fn ready(&mut self, a: &Said, s: AssertionSketch, spec: &Spec, nodes: &Nodes) -> Result<Ready, Diagnostic> {
        let mut constraint = Lit::TRUE;
        for (e, t) in s.constraint.iter().zip(&a.constraint) {
            let c = self.truth(*e, t)?;
            constraint = self.terms.and(constraint, c);
        }
        let said = s.given.iter().chain(&s.then).filter_map(|s| s.times).map(|t| t.1);
        let read = self.reads.values().map(|r| r.1);
        let last = said.chain(read).max().unwrap_or(0);
        let mut sentences = Vec::new();
        let (mut antecedent, mut consequent) = (Vec::new(), Vec::new());
        for (list, out) in [(&s.given, &mut antecedent), (&s.then, &mut consequent)] {
            for sketch in list {
                let claims = self.claims(sketch, last, sentences.len() as u32)?;
                out.extend(claims);
                sentences.push(sketch.text.clone());
            }
        }
        for c in &antecedent {
            if self.terms.support(&[c.guard, c.value]).iter().any(|l| matches!(l, Leaf::Atom(_))) {
                let t = &sentences[c.origin as usize];
                return Err(wrong(t.whole(), "what is given may depend on vectors only, not on reads"));
            }
        }
        let mut weakened = FxHashSet::default();
        for w in &a.weaken {
            let pattern = w.node.as_ref().unwrap_or(&w.value);
            let places: Vec<Place> = if pattern.text.contains('*') {
                nodes.matching(&pattern.text).into_iter().flat_map(|m| m.1.iter().copied()).collect()
            } else {
                nodes.find(pattern)?.choices.into_iter().flat_map(|c| c.1).collect()
            };
            if places.is_empty() {
                return Err(
                    Diagnostic::error(codes::E1104, format!("no node fits `{}`", pattern.text)).at(pattern.whole(), "")
                );
            }
            let g = Gather { spec, nodes, exprs: Expressions::default(), timeless: false };
            let (from, to) = match &w.when {
                When::Unsaid => (0, last),
                _ => g.times(w)?.unwrap_or((0, last)),
            };
            for p in places {
                if let Place::Node(l) = p {
                    weakened.extend((from..=to).filter(|_| l > 1).map(|t| (l >> 1, t)));
                }
            }
        }
        let hints = if a.order.is_empty() { &spec.order } else { &a.order };
        let hints = hints.iter().map(|t| self.hint(t)).collect::<Result<Vec<Hint>, _>>()?;
        let engine = match a.engine.as_ref().map(|t| (t.text.as_str(), t)) {
            None => None,
            Some(("bdd", _)) => Some(Engine::Bdd),
            Some(("sat", _)) => Some(Engine::Sat),
            Some((_, t)) => return Err(wrong(t.whole(), "the engines are `bdd` and `sat`")),
        };
        let answers = ["holds", "fails", "unknown", "over-constrained", "vacuous"];
        if let Some(t) = a.expect.as_ref().filter(|t| !answers.contains(&t.text.as_str())) {
            return Err(wrong(t.whole(), format!("what is expected is one of {}", answers.join(", "))));
        }
        let name = a.name.text.clone();
        Ok(Ready {
            assertion: Assertion { name, constraint, antecedent, consequent, weakened, hints },
            name: a.name.clone(),
            engine,
            expect: a.expect.as_ref().map(|t| t.text.clone()),
            weaken_above: a.weaken_above.map(|n| n as usize),
            sentences,
        })
    }

    fn hint(&self, t: &Text) -> Result<Hint, Diagnostic> {
        let find = |name: Text| {
            self.vectors.get(&name.text).copied().ok_or_else(|| {
                wrong(name.whole(), format!("there is no vector `{}`", name.text))
                    .help("an order is `control first`, `interleave(a, b)`, `down(a, b)` or a vector")
            })
        };
        if t.text == "control first" {
            return Ok(Hint::Narrow(CONTROL));
        }
        let Some(open) = t.text.find('(').filter(|_| t.text.ends_with(')')) else {
            return Ok(Hint::Interleave(vec![find(t.clone())?]));
        };
        let mut list = Vec::new();
        let mut from = open + 1;
        for (i, _) in t.text.match_indices([',', ')']).filter(|(i, _)| *i > open) {
            list.push(find(t.part(from, i))?);
            from = i + 1;
        }
        match t.text[..open].trim() {
            "interleave" => Ok(Hint::Interleave(list)),
            "down" => Ok(Hint::Down(list)),
            other => Err(wrong(t.whole(), format!("`{other}` is no order"))
                .help("an order is `control first`, `interleave(a, b)`, `down(a, b)` or a vector")),
        }
    }
}
