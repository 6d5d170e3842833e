//! Reading BTOR2 into a system of bits, from files of any origin: nothing in them is trusted.
//!
//! Every line is turned into gates when it is read; operands are defined in lines before, so there are no
//! loops. Words become bits `name[0]`, `name[1]`, …, arrays `name[address][bit]`, all of them at once, which
//! is why large arrays are refused. How much a file may grow is limited ([`Limits`]): a line of twenty bytes
//! can ask for a multiplier of a million bits.
//!
//! `bad` is a goal that is never to be 1, `justice` a set that is not to happen again and again. A state
//! without `next` is chosen anew in each step. Division by zero gives all ones and the dividend. Outputs are
//! the `output` lines, then the other lines with a symbol that no input, state or output has.

mod operators;
mod parse;
mod start;
mod words;

use crate::model::{Goal, Origin, Question, Role, Symbol, System};
use crate::net::{Builder, Gate, GateId, Lit};
use operators::{Sort, Value, apply, arity, cost, result};
use parse::{Line, Outlook, lines, outlook, shorten};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use words::{Words, bit_name, constant, word_of};

/// How large a model may become.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Bits of one array.
    pub array_bits: u64,
    /// Bits of inputs and states.
    pub leaves: u64,
    /// Bits of all lines together.
    pub bits: u64,
    /// Gates.
    pub gates: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { array_bits: 1 << 16, leaves: 1 << 20, bits: 1 << 25, gates: 1 << 24 }
    }
}

/// Reads a file. The error says what is wrong and in which line, and ends the matter.
pub fn read(text: &[u8]) -> Result<System, String> {
    read_within(text, Limits::default())
}

/// Reads a file that may become so large.
pub fn read_within(text: &[u8], limits: Limits) -> Result<System, String> {
    let lines = lines(text)?;
    let mut r = Reader::new(&lines, limits);
    for line in &lines {
        r.line(line)?;
    }
    Ok(r.finish())
}

/// An input bit.
struct Input {
    name: String,
    /// The state whose initial value is all that depends on it.
    start_of: Option<u64>,
}

/// A state bit.
struct Bit {
    name: String,
    init: Option<bool>,
    next: Lit,
}

struct Reader<'t> {
    lines: &'t [Line<'t>],
    limits: Limits,
    outlook: Outlook,
    /// Leaves are [`Gate::Input`] and [`Gate::Register`], by position.
    g: Builder,
    bits: u64,
    sorts: FxHashMap<u64, Sort>,
    values: FxHashMap<u64, Value>,
    /// All lines, also those that are no value.
    used: FxHashSet<u64>,
    inputs: Vec<Input>,
    states: Vec<Bit>,
    /// Of each state with a next value the position of its first bit.
    rows: FxHashMap<u64, usize>,
    /// States without a next value.
    still: FxHashSet<u64>,
    /// States whose `init` or `next` line has been read.
    linked: FxHashSet<(u64, bool)>,
    first: Option<Lit>,
    /// See [`Reader::at_start`].
    started: FxHashMap<GateId, Lit>,
    constraints: Vec<(String, Lit)>,
    fairness: Vec<Lit>,
    bad: Vec<(String, Lit)>,
    justice: Vec<(String, Vec<Lit>)>,
    outputs: Vec<(String, Value)>,
    named: Vec<(String, Value)>,
}

impl<'t> Reader<'t> {
    fn new(lines: &'t [Line<'t>], limits: Limits) -> Reader<'t> {
        Reader {
            lines,
            limits,
            outlook: outlook(lines),
            g: Builder::new(""),
            bits: 0,
            sorts: FxHashMap::default(),
            values: FxHashMap::default(),
            used: FxHashSet::default(),
            inputs: Vec::new(),
            states: Vec::new(),
            rows: FxHashMap::default(),
            still: FxHashSet::default(),
            linked: FxHashSet::default(),
            first: None,
            started: FxHashMap::default(),
            constraints: Vec::new(),
            fairness: Vec::new(),
            bad: Vec::new(),
            justice: Vec::new(),
            outputs: Vec::new(),
            named: Vec::new(),
        }
    }

    fn line(&mut self, line: &'t Line<'t>) -> Result<(), String> {
        if !self.used.insert(line.id) {
            return line.wrong(format_args!("{} is defined twice", line.id));
        }
        let mut words = Words::of(line);
        match line.word {
            "sort" => self.sort(&mut words)?,
            "input" => {
                let sort = self.sort_of(&mut words)?;
                let name = words.symbol()?.map_or_else(|| format!("n{}", line.id), str::to_string);
                self.account(line, sort, 0)?;
                let count = sort.bits() as usize;
                let bits: Rc<[Lit]> = (0..count).map(|i| self.input(bit_name(&name, sort, i), None)).collect();
                self.values.insert(line.id, Value { sort, bits });
            }
            "state" => self.state(&mut words)?,
            "init" | "next" => self.link(&mut words)?,
            "const" | "constd" | "consth" | "zero" | "one" | "ones" => {
                let sort = self.sort_of(&mut words)?;
                let Sort::Bits(width) = sort else { return line.wrong("a constant is a word, not an array") };
                self.account(line, sort, 0)?;
                let bits = constant(&mut words, width)?;
                self.define(&mut words, Value::word(bits))?;
            }
            "bad" | "constraint" | "fair" => {
                let l = self.bit(&mut words)?;
                let name = words.symbol()?;
                let named = |letter: char, n: usize| name.map_or_else(|| format!("{letter}{n}"), str::to_string);
                match line.word {
                    "bad" => self.bad.push((named('b', self.bad.len()), l)),
                    "constraint" => self.constraints.push((named('c', self.constraints.len()), l)),
                    _ => self.fairness.push(l),
                }
            }
            "justice" => {
                let count = words.number("the number of conditions")?;
                let mut list = Vec::new();
                for _ in 0..count {
                    list.push(self.bit(&mut words)?);
                }
                let name = words.symbol()?.map_or_else(|| format!("j{}", self.justice.len()), str::to_string);
                self.justice.push((name, list));
            }
            "output" => {
                let value = self.operand(&mut words)?;
                let name = words.symbol()?.map_or_else(|| format!("o{}", self.outputs.len()), str::to_string);
                self.outputs.push((name, value));
            }
            op => self.operator(op, &mut words)?,
        }
        Ok(())
    }

    fn sort(&mut self, words: &mut Words<'t>) -> Result<(), String> {
        let line = words.line;
        let sort = match words.next("`bitvec` or `array`")? {
            "bitvec" => match words.number("a width")? {
                0 => return line.wrong("a word has at least one bit"),
                w if w as u64 > self.limits.bits => {
                    return line.wrong(format_args!("a word of {w} bits; the limit is {}", self.limits.bits));
                }
                w => Sort::Bits(w),
            },
            "array" => match (self.sort_of(words)?, self.sort_of(words)?) {
                (Sort::Bits(index), Sort::Bits(word)) => Sort::Array(index, word),
                _ => return line.wrong("index and words of an array are words, not arrays"),
            },
            other => return line.wrong(format_args!("`{}` is neither `bitvec` nor `array`", shorten(other))),
        };
        words.symbol()?;
        self.sorts.insert(line.id, sort);
        Ok(())
    }

    fn sort_of(&self, words: &mut Words) -> Result<Sort, String> {
        let text = words.next("a sort")?;
        match text.parse::<u64>().ok().and_then(|id| self.sorts.get(&id)) {
            Some(s) => Ok(*s),
            None => words.line.wrong(format_args!("`{}` is no sort of a line before", shorten(text))),
        }
    }

    /// The value of an operand; a negative number is its complement.
    fn operand(&mut self, words: &mut Words) -> Result<Value, String> {
        let text = words.next("an operand")?;
        self.value(words.line, text)
    }

    fn value(&mut self, line: &Line, text: &str) -> Result<Value, String> {
        let (plain, complement) = match text.strip_prefix('-') {
            Some(t) => (t, true),
            None => (text, false),
        };
        let Some(value) = plain.parse::<u64>().ok().and_then(|id| self.values.get(&id)) else {
            return line.wrong(format_args!("`{}` is no value of a line before", shorten(text)));
        };
        match (complement, value.sort) {
            (false, _) => Ok(value.clone()),
            (true, Sort::Bits(_)) => Ok(Value { sort: value.sort, bits: value.bits.iter().map(|l| !*l).collect() }),
            (true, Sort::Array(..)) => line.wrong("an array has no complement"),
        }
    }

    fn bit(&mut self, words: &mut Words) -> Result<Lit, String> {
        let value = self.operand(words)?;
        match value.sort {
            Sort::Bits(1) => Ok(value.bits[0]),
            s => words.line.wrong(format_args!("`{}` of {s}; a single bit belongs here", words.line.word)),
        }
    }

    /// Checks that a value of this sort, made of so many gates, may be added.
    fn account(&mut self, line: &Line, sort: Sort, gates: u64) -> Result<(), String> {
        let bits = sort.bits();
        if matches!(sort, Sort::Array(..)) && bits > self.limits.array_bits {
            let limit = self.limits.array_bits;
            return line.wrong(format_args!("{sort}; arrays become bits, and the limit is {limit} of them"));
        }
        self.bits = self.bits.saturating_add(bits);
        if self.bits > self.limits.bits {
            return line.wrong(format_args!("the values up to here have more than {} bits", self.limits.bits));
        }
        let leaves = (self.inputs.len() + self.states.len()) as u64;
        if matches!(line.word, "input" | "state") && leaves.saturating_add(bits) > self.limits.leaves {
            let limit = self.limits.leaves;
            return line.wrong(format_args!("inputs and states up to here have more than {limit} bits"));
        }
        if gates.saturating_add(self.g.net.gates.len() as u64).saturating_add(bits) > self.limits.gates {
            let word = line.word;
            return line.wrong(format_args!("`{word}` for {sort} may take more than {} gates", self.limits.gates));
        }
        Ok(())
    }

    fn input(&mut self, name: String, start_of: Option<u64>) -> Lit {
        let l = self.g.leaf(Gate::Input(self.inputs.len() as u32, 0));
        self.inputs.push(Input { name, start_of });
        l
    }

    fn state(&mut self, words: &mut Words<'t>) -> Result<(), String> {
        let line = words.line;
        let sort = self.sort_of(words)?;
        let name = words.symbol()?.map_or_else(|| format!("n{}", line.id), str::to_string);
        self.account(line, sort, 0)?;
        let init = match self.outlook.init.get(&line.id) {
            None => None,
            Some(at) => {
                let init = &self.lines[*at];
                let text = init.words().nth(2).unwrap_or("");
                let Ok(value) = self.value(init, text) else {
                    return init
                        .wrong(format_args!("the initial value of state {} is not defined before the state", line.id));
                };
                if value.sort != sort && !matches!(sort, Sort::Array(_, w) if value.sort == Sort::Bits(w)) {
                    return init.wrong(format_args!("the initial value is {}, the state {sort}", value.sort));
                }
                Some(value)
            }
        };
        let moving = self.outlook.moving.contains(&line.id);
        if !moving {
            self.still.insert(line.id);
        }
        let value = self.make_state(line.id, &name, sort, init, moving);
        self.values.insert(line.id, value);
        Ok(())
    }

    /// `init` was looked at where the state is; only its form is checked here. `next` is linked.
    fn link(&mut self, words: &mut Words<'t>) -> Result<(), String> {
        let line = words.line;
        let sort = self.sort_of(words)?;
        let text = words.next("a state")?;
        let id = text.parse::<u64>().unwrap_or(0);
        if !self.rows.contains_key(&id) && !self.still.contains(&id) {
            return line.wrong(format_args!("`{}` is no state of a line before", shorten(text)));
        }
        let value = self.operand(words)?;
        words.symbol()?;
        let own = self.values[&id].sort;
        if sort != own {
            return line.wrong(format_args!("the state is {own}, the line says {sort}"));
        }
        if !self.linked.insert((id, line.word == "next")) {
            return line.wrong(format_args!("a second `{}` of state {id}", line.word));
        }
        if line.word == "init" {
            return Ok(());
        }
        if value.sort != own {
            return line.wrong(format_args!("the next value is {}, the state {own}", value.sort));
        }
        let Some(&from) = self.rows.get(&id) else { return line.wrong("the state has no bits") };
        for (bit, l) in self.states[from..].iter_mut().zip(value.bits.iter()) {
            bit.next = *l;
        }
        Ok(())
    }

    fn define(&mut self, words: &mut Words<'t>, value: Value) -> Result<(), String> {
        if let Some(name) = words.symbol()? {
            self.named.push((name.to_string(), value.clone()));
        }
        self.values.insert(words.line.id, value);
        Ok(())
    }

    fn operator(&mut self, op: &str, words: &mut Words<'t>) -> Result<(), String> {
        let line = words.line;
        let Some((operands, count)) = arity(op) else {
            return line.wrong(format_args!("`{}` is no keyword of BTOR2", shorten(op)));
        };
        let sort = self.sort_of(words)?;
        let mut args = Vec::with_capacity(operands);
        for _ in 0..operands {
            args.push(self.operand(words)?);
        }
        let mut numbers = Vec::new();
        for _ in 0..count {
            numbers.push(words.number("a number of bits")?);
        }
        let sorts: Vec<Sort> = args.iter().map(|a| a.sort).collect();
        let made = result(op, &sorts, &numbers).or_else(|e| line.wrong(e))?;
        if made != sort {
            return line.wrong(format_args!("the result is {made}, the line says {sort}"));
        }
        self.account(line, sort, cost(op, &sorts))?;
        let value = apply(&mut self.g, op, &args, &numbers);
        self.define(words, value)
    }

    /// The system: only what something needs, but for inputs, which all are part of the interface unless they
    /// stand for initial values alone.
    fn finish(mut self) -> System {
        let mut taken: FxHashSet<String> = self.outputs.iter().map(|o| o.0.clone()).collect();
        taken.extend(self.inputs.iter().map(|i| word_of(&i.name)).chain(self.states.iter().map(|s| word_of(&s.name))));
        let new: Vec<_> = self.named.drain(..).filter(|n| taken.insert(n.0.clone())).collect();
        self.outputs.extend(new);
        let roots = self.states.iter().map(|s| s.next).chain(self.fairness.iter().copied());
        let roots = roots.chain(self.bad.iter().chain(&self.constraints).map(|b| b.1));
        let roots = roots.chain(self.justice.iter().flat_map(|j| j.1.iter().copied()));
        let roots = roots.chain(self.outputs.iter().flat_map(|o| o.1.bits.iter().copied()));
        let mut used = vec![false; self.g.net.gates.len()];
        roots.for_each(|l| used[l.gate().0 as usize] = true);
        for g in (0..used.len()).rev() {
            if used[g] {
                self.g.net.fanin(GateId(g as u32), |l| used[l.gate().0 as usize] = true);
            }
        }

        let mut sys = System { step: "one step of the file".into(), ..System::default() };
        let mut made = vec![Lit::FALSE; self.g.net.gates.len()];
        let mut inputs = FxHashMap::default();
        for (i, g) in self.g.net.gates.iter().enumerate() {
            if let Gate::Input(k, _) = g {
                let input = &self.inputs[*k as usize];
                if used[i] || input.start_of.is_none() {
                    inputs.insert(*k, sys.input(Symbol::new(&input.name), Role::Choice));
                }
            }
        }
        let states: Vec<Lit> =
            self.states.iter().map(|s| sys.state(Symbol::new(&s.name), s.init, Origin::Model)).collect();
        for (i, g) in self.g.net.gates.iter().enumerate().filter(|(i, _)| used[*i]) {
            let at = |l: Lit| made[l.gate().0 as usize].xor(l.complement());
            made[i] = match *g {
                Gate::And(a, b) => sys.aig.and(at(a), at(b)),
                Gate::Xor(a, b) => sys.aig.xor(at(a), at(b)),
                Gate::Mux(s, t, e) => sys.aig.mux(at(s), at(t), at(e)),
                Gate::Input(k, _) => inputs[&k],
                Gate::Register(k) => states[k as usize],
                _ => Lit::FALSE,
            };
        }
        let at = |l: &Lit| made[l.gate().0 as usize].xor(l.complement());
        for (bit, own) in self.states.iter().zip(&states) {
            sys.set_next(*own, at(&bit.next));
        }
        sys.constraints = self.constraints.iter().map(|(n, l)| (Symbol::new(n), at(l))).collect();
        sys.fairness = self.fairness.iter().map(at).collect();
        let goal = |name: &String, question| Goal { symbol: Symbol::new(name), question, trigger: None };
        sys.goals = self.bad.iter().map(|(n, l)| goal(n, Question::Never(at(l)))).collect();
        let live = self.justice.iter().map(|(n, all)| goal(n, Question::NotForever(all.iter().map(at).collect())));
        sys.goals.extend(live);
        for (name, value) in &self.outputs {
            let bits = value.bits.iter().enumerate();
            sys.outputs.extend(bits.map(|(i, l)| (Symbol::new(bit_name(name, value.sort, i)), at(l))));
        }
        sys
    }
}
