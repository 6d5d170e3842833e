//! Values of nodes and signals as terms, with signals followed to their drivers.
//!
//! Words that depend on themselves at word level are made bit by bit; all others as wholes. The
//! walk keeps its own stack, so that deep designs need no deep one.

use super::super::refused;
use super::term::{Id, Sort, Terms};
use crate::model::steps::Leaves;
use crate::net::bit_name;
use crate::source::{Diagnostic, Span};
use crate::word::{Design, NodeId, Op, SignalId, Source};
use rustc_hash::{FxHashMap, FxHashSet};

/// An input of the model.
pub(super) struct Input {
    pub name: String,
    pub span: Span,
    pub width: u32,
}

/// What an input stands for, so that it is made once.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Open {
    /// An input port.
    Port(SignalId),
    /// A node whose value is free, or the part of it read beyond a memory.
    Node(NodeId),
    /// An undriven part of a signal, by drive.
    Undriven(SignalId, u32),
    /// "Not driving" at a node, below a driver (signal and drive) or a root of its own.
    Floating(NodeId, u32),
}

/// A node (below the number of nodes) or a signal, and the bits wanted of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Key {
    pub item: u32,
    pub lo: u32,
    pub width: u32,
    /// The driver below which "not driving" has its own value; 0 if it cannot occur.
    pub float: u32,
}

/// Terms of a design.
pub(super) struct Exprs<'a> {
    pub d: &'a Design,
    pub t: Terms,
    pub inputs: Vec<Input>,
    open: FxHashMap<Open, Id>,
    /// Nodes and signals that depend on themselves as words.
    cyclic: Vec<bool>,
    /// Nodes that reach a "not driving" without passing a signal.
    floating: Vec<bool>,
    /// Number of each driver that can float.
    drivers: FxHashMap<(SignalId, u32), u32>,
    pub made: FxHashMap<Key, Id>,
    version: u64,
    busy: FxHashSet<Key>,
}

impl<'a> Exprs<'a> {
    pub fn new(d: &'a Design) -> Exprs<'a> {
        let mut floating: Vec<bool> = Vec::with_capacity(d.nodes.len());
        for n in &d.nodes {
            let mut f = matches!(n.op, Op::HighZ);
            n.op.operands(|a| f |= floating[a.index()]);
            floating.push(f);
        }
        Exprs {
            d,
            t: Terms::default(),
            inputs: Vec::new(),
            open: FxHashMap::default(),
            cyclic: cyclic_items(d),
            floating,
            drivers: FxHashMap::default(),
            made: FxHashMap::default(),
            version: u64::MAX,
            busy: FxHashSet::default(),
        }
    }

    /// A node that is not below a signal. `root` tells one such place from another.
    pub fn node(&mut self, n: NodeId, root: u32, leaves: &Leaves<Id>) -> Result<Id, Diagnostic> {
        let float = if self.floating[n.index()] { 1 << 31 | root } else { 0 };
        self.demand(Key { item: n.0, lo: 0, width: self.d.width(n), float }, leaves)
    }

    /// A whole signal.
    pub fn signal(&mut self, s: SignalId, leaves: &Leaves<Id>) -> Result<Id, Diagnostic> {
        let width = self.d.signals[s.index()].width;
        self.demand(self.signal_key(s, 0, width), leaves)
    }

    pub(super) fn signal_key(&self, s: SignalId, lo: u32, width: u32) -> Key {
        Key { item: self.d.nodes.len() as u32 + s.0, lo, width, float: 0 }
    }

    pub(super) fn below(&self, n: NodeId, lo: u32, width: u32, float: u32) -> Key {
        Key { item: n.0, lo, width, float: if self.floating[n.index()] { float } else { 0 } }
    }

    fn demand(&mut self, root: Key, leaves: &Leaves<Id>) -> Result<Id, Diagnostic> {
        if self.version != leaves.version {
            self.made.clear();
            self.version = leaves.version;
        }
        let mut stack = vec![root];
        let mut missing = Vec::new();
        while let Some(&key) = stack.last() {
            if self.made.contains_key(&key) {
                stack.pop();
                continue;
            }
            self.busy.insert(key);
            missing.clear();
            self.needs(key, &mut missing);
            missing.retain(|k| !self.made.contains_key(k));
            if let Some(k) = missing.iter().find(|k| self.busy.contains(k)) {
                return Err(self.report_loop(*k, &stack));
            }
            if missing.is_empty() {
                let id = self.make(key, leaves);
                self.made.insert(key, id);
                self.busy.remove(&key);
                stack.pop();
            } else {
                stack.append(&mut missing);
            }
        }
        Ok(self.made[&root])
    }

    fn whole_width(&self, item: u32) -> u32 {
        match self.d.nodes.get(item as usize) {
            Some(n) => n.width,
            None => self.d.signals[item as usize - self.d.nodes.len()].width,
        }
    }

    /// How a part of an item is made: from its single bits, from the whole, or itself.
    pub(super) fn detour(&self, key: Key) -> Option<Vec<Key>> {
        let whole = self.whole_width(key.item);
        if self.cyclic[key.item as usize] {
            let bit = |i| Key { lo: key.lo + i, width: 1, ..key };
            return (key.width > 1).then(|| (0..key.width).map(bit).collect());
        }
        (key.width < whole).then(|| vec![Key { lo: 0, width: whole, ..key }])
    }

    /// The pieces of a signal's drivers that make up a range: (drive, first bit in it, width).
    pub(super) fn pieces(&self, s: SignalId, lo: u32, width: u32) -> Vec<(u32, u32, u32)> {
        let drives = &self.d.signals[s.index()].drives;
        let first = drives.partition_point(|x| x.lo + x.width <= lo);
        let mut list = Vec::new();
        for (i, x) in drives.iter().enumerate().skip(first).take_while(|(_, x)| x.lo < lo + width) {
            let (from, to) = (lo.max(x.lo), (lo + width).min(x.lo + x.width));
            list.push((i as u32, from - x.lo, to - from));
        }
        list
    }

    /// What must be made before `key`; asked again when that is made.
    fn needs(&mut self, key: Key, out: &mut Vec<Key>) {
        if let Some(parts) = self.detour(key) {
            out.extend(parts);
            return;
        }
        let d = self.d;
        let Some(node) = d.nodes.get(key.item as usize) else {
            let s = SignalId(key.item - d.nodes.len() as u32);
            for (drive, lo, width) in self.pieces(s, key.lo, key.width) {
                if let Source::Node(n) = d.signals[s.index()].drives[drive as usize].source {
                    let float = self.driver(s, drive);
                    out.push(self.below(n, lo, width, float));
                }
            }
            return;
        };
        // Either the whole node, or one bit of it.
        let one = key.width < node.width;
        let i = key.lo;
        let (all, float) = (|s: &Self, n: NodeId| s.below(n, 0, d.width(n), key.float), key.float);
        match &node.op {
            Op::Const(_) | Op::Undef(_) | Op::HighZ => {}
            Op::Signal(s) => out.push(self.signal_key(*s, key.lo, key.width)),
            Op::Mux(c, t, e) => {
                let select = all(self, *c);
                match self.made.get(&select).map(|s| self.t.as_bool(*s)) {
                    None => out.push(select),
                    Some(known) => {
                        let arms = [(*t, known != Some(false)), (*e, known != Some(true))];
                        let arms = arms.iter().filter(|a| a.1);
                        out.extend(arms.map(|a| self.below(a.0, key.lo, key.width, float)));
                    }
                }
            }
            Op::And(a, b) | Op::Or(a, b) if one => {
                let absorbing = matches!(node.op, Op::Or(..));
                let (a, b) = if d.as_const(*b).is_some() { (*b, *a) } else { (*a, *b) };
                let decided = d.as_const(a).is_some_and(|c| !c.is_unknown(i) && c.bit(i) == absorbing);
                out.push(self.below(a, i, 1, float));
                if !decided {
                    out.push(self.below(b, i, 1, float));
                }
            }
            Op::Not(a) if one => out.push(self.below(*a, i, 1, float)),
            Op::Xor(a, b) if one => out.extend([self.below(*a, i, 1, float), self.below(*b, i, 1, float)]),
            // Bits above do not matter to these.
            Op::Neg(a) if one => out.push(self.below(*a, 0, i + 1, float)),
            Op::Add(a, b) | Op::Sub(a, b) | Op::Mul(a, b) if one => {
                out.extend([self.below(*a, 0, i + 1, float), self.below(*b, 0, i + 1, float)]);
            }
            Op::Shl(a, n) if one => out.extend([self.below(*a, 0, i + 1, float), all(self, *n)]),
            Op::Lshr(a, n) | Op::Ashr(a, n) if one => {
                out.extend([self.below(*a, i, node.width - i, float), all(self, *n)]);
            }
            Op::Slice(a, lo) => out.push(self.below(*a, lo + key.lo, key.width, float)),
            Op::Zext(a) if one && i >= d.width(*a) => {}
            Op::Zext(a) | Op::Sext(a) if one => out.push(self.below(*a, i.min(d.width(*a) - 1), 1, float)),
            Op::Concat(parts) if one => {
                let (part, bit) = self.concat_part(parts, node.width, i);
                out.push(self.below(part, bit, 1, float));
            }
            op => op.operands(|a| out.push(all(self, a))),
        }
    }

    pub(super) fn concat_part(&self, parts: &[NodeId], width: u32, i: u32) -> (NodeId, u32) {
        let mut top = width;
        for &p in parts {
            top -= self.d.width(p);
            if top <= i {
                return (p, i - top);
            }
        }
        unreachable!("a bit of a concatenation is in one of its parts")
    }

    /// The input for something open.
    pub(super) fn input(&mut self, what: Open, name: &str, width: u32, span: Span) -> Id {
        if let Some(&id) = self.open.get(&what) {
            return id;
        }
        let id = self.t.intern(super::term::Op::Input(self.inputs.len() as u32), Sort::Bits(width));
        self.inputs.push(Input { name: name.to_string(), span, width });
        self.open.insert(what, id);
        id
    }

    /// The port of a signal, made if nothing read it yet.
    pub fn port(&mut self, s: SignalId) -> Id {
        let sig = &self.d.signals[s.index()];
        self.input(Open::Port(s), &sig.name, sig.width, sig.span)
    }

    pub(super) fn driver(&mut self, s: SignalId, drive: u32) -> u32 {
        let next = self.drivers.len() as u32 + 1;
        *self.drivers.entry((s, drive)).or_insert(next)
    }

    /// The items of the loop that closes at `key`, in the words of the source.
    fn report_loop(&self, key: Key, stack: &[Key]) -> Diagnostic {
        let start = stack.iter().position(|k| *k == key).unwrap_or(0);
        let nodes = self.d.nodes.len() as u32;
        let path = stack[start..].iter().filter(|k| self.busy.contains(k) && k.item >= nodes);
        let names: Vec<String> = path
            .map(|k| {
                let s = &self.d.signals[(k.item - nodes) as usize];
                if k.width == s.width { s.name.to_string() } else { bit_name(&s.name, s.range, s.width, k.lo) }
            })
            .collect();
        let span =
            stack[start..].iter().find(|k| k.item >= nodes).map(|k| self.d.signals[(k.item - nodes) as usize].span);
        let mut shown: Vec<&str> = names.iter().take(8).map(String::as_str).collect();
        shown.dedup();
        let diag = refused("BTOR2", format!("there is a combinational loop through {}", shown.join(", ")));
        let diag = match span {
            Some(s) => diag.at(s, "depends on itself"),
            None => diag,
        };
        diag.help("break the loop with a register")
    }
}

/// Nodes and signals that depend on themselves when words are not told from their bits: members of
/// a strongly connected component of more than one item (Tarjan's algorithm, with its own stack).
fn cyclic_items(d: &Design) -> Vec<bool> {
    let nodes = d.nodes.len();
    let count = nodes + d.signals.len();
    let successors = |item: usize, out: &mut Vec<u32>| match d.nodes.get(item) {
        Some(n) => match n.op {
            Op::Signal(s) => out.push((nodes + s.index()) as u32),
            ref op => op.operands(|a| out.push(a.0)),
        },
        None => out.extend(d.signals[item - nodes].drives.iter().filter_map(|x| match x.source {
            Source::Node(n) => Some(n.0),
            _ => None,
        })),
    };
    const NEW: u32 = u32::MAX;
    let mut index = vec![NEW; count];
    let mut low = vec![0u32; count];
    let mut on_stack = vec![false; count];
    let mut cyclic = vec![false; count];
    let (mut stack, mut work, mut next) = (Vec::new(), Vec::new(), 0);
    for root in 0..count {
        if index[root] == NEW {
            work.push((root, Vec::new(), 0usize));
        }
        while let Some((item, list, cursor)) = work.last_mut() {
            let v = *item;
            if index[v] == NEW {
                (index[v], low[v], on_stack[v]) = (next, next, true);
                next += 1;
                stack.push(v);
                successors(v, list);
            }
            if let Some(&w) = list.get(*cursor) {
                let w = w as usize;
                *cursor += 1;
                if index[w] == NEW {
                    work.push((w, Vec::new(), 0));
                } else if on_stack[w] {
                    low[v] = low[v].min(index[w]);
                }
                continue;
            }
            if low[v] == index[v] {
                let at = stack.iter().rposition(|x| *x == v).expect("its own component");
                let members = stack.split_off(at);
                for &m in &members {
                    on_stack[m] = false;
                    cyclic[m] = members.len() > 1;
                }
            }
            work.pop();
            if let Some((parent, ..)) = work.last() {
                low[*parent] = low[*parent].min(low[v]);
            }
        }
    }
    cyclic
}
