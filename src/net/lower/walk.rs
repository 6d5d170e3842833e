//! The work stack of the lowering: a depth-first walk over single bits, without recursion, so that
//! deep designs need no deep stack. A bit met again while it is being made is a combinational loop.

use super::memory::Store;
use super::*;
use crate::source::codes;
use crate::word::{Op, SignalId};
use rustc_hash::{FxHashMap, FxHashSet};

/// One bit of a node (`item` below the number of nodes) or of a signal (above).
///
/// `float` is 0 but below a tri-state driver: nodes are shared between nets, yet "not driving" is
/// a different free value on each net bit, so such nodes are lowered anew for each net bit.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub item: u32,
    pub bit: u32,
    pub float: u32,
}

/// Quotient and remainder.
type Divided = (Vec<Lit>, Vec<Lit>);

struct Frame {
    key: Key,
    /// Dependencies already seen to.
    cursor: u32,
}

/// Marks in the table of made bits; no gate has these numbers.
const UNMADE: u32 = u32::MAX;
const BUSY: u32 = u32::MAX - 1;

/// Labels shown of one loop; more do not help the reader.
const LOOP_LABELS: usize = 12;

/// The bits made so far.
pub(super) struct Table {
    made: Vec<Box<[u32]>>,
    floating: FxHashMap<Key, u32>,
    /// See [`Table::can_float`].
    floating_nodes: Vec<bool>,
    /// A loop was cut. Only then may a bit be read that was not made; an error is reported, so its
    /// value is of no consequence.
    looped: bool,
}

impl Table {
    fn new(d: &Design) -> Table {
        // Operands come before the nodes that use them, so one pass is enough.
        let mut floating_nodes: Vec<bool> = Vec::with_capacity(d.nodes.len());
        for n in &d.nodes {
            let mut f = matches!(n.op, Op::HighZ);
            n.op.operands(|a| f |= floating_nodes[a.index()]);
            floating_nodes.push(f);
        }
        let made = vec![Box::default(); d.nodes.len() + d.signals.len()];
        Table { made, floating: FxHashMap::default(), floating_nodes, looped: false }
    }

    /// Whether a node reaches a [`Op::HighZ`] without passing a signal.
    pub fn can_float(&self, n: NodeId) -> bool {
        self.floating_nodes[n.index()]
    }

    /// The key of an operand below the same net bit.
    pub fn below(&self, n: NodeId, bit: u32, float: u32) -> Key {
        Key { item: n.0, bit, float: if self.can_float(n) { float } else { 0 } }
    }

    /// A bit that is made already.
    pub fn get(&self, k: Key) -> Lit {
        let v = if k.float != 0 {
            self.floating.get(&k).copied()
        } else {
            self.made[k.item as usize].get(k.bit as usize).copied()
        };
        match v {
            Some(v) if v < BUSY => Lit(v),
            _ => self.unmade(),
        }
    }

    /// Stands for a bit that a cut loop left unmade.
    pub fn unmade(&self) -> Lit {
        assert!(self.looped, "a bit is read before it is made");
        Lit::FALSE
    }

    /// An operand's bit that is made already.
    pub fn operand(&self, n: NodeId, bit: u32, float: u32) -> Lit {
        self.get(self.below(n, bit, float))
    }

    fn slot(&mut self, d: &Design, k: Key) -> &mut u32 {
        if k.float != 0 {
            return self.floating.entry(k).or_insert(UNMADE);
        }
        let made = &mut self.made[k.item as usize];
        if made.is_empty() {
            *made = vec![UNMADE; slots(d, k.item)].into();
        }
        &mut made[k.bit as usize]
    }
}

/// A design being lowered.
pub(super) struct Lowering<'a> {
    pub d: &'a Design,
    pub g: Builder,
    /// Input port of each signal that has one.
    pub ports: FxHashMap<u32, u32>,
    /// First bit of each word-level register in the netlist's table.
    pub register_base: Vec<u32>,
    /// The same for latches.
    pub latch_base: Vec<u32>,
    /// What became of each memory.
    pub stores: Vec<Store>,
    /// Read ports of kept memories by address.
    pub read_ports: FxHashMap<(u32, Vec<Lit>), u32>,
    /// Carry into the next bit of each adder, which is made from bit 0 up.
    pub carries: FxHashMap<(u32, u32), Lit>,
    /// Multipliers in the making.
    pub multipliers: FxHashMap<(u32, u32), arith::Multiplier>,
    /// Shifters in the making.
    pub barrels: FxHashMap<(u32, u32), arith::Barrel>,
    /// Quotient and remainder by operands and signedness.
    pub dividers: FxHashMap<(NodeId, NodeId, bool, u32), Divided>,
    /// Low bit of each part of a concatenation, most significant part first.
    pub offsets: FxHashMap<NodeId, Vec<u32>>,
    /// The bits made so far.
    pub table: Table,
    diags: &'a mut Vec<Diagnostic>,
    /// Number of each floating net bit, and the free value it takes.
    floats: FxHashMap<(u32, u32), u32>,
    float_values: Vec<Option<Lit>>,
    stack: Vec<Frame>,
    loops_seen: FxHashSet<Vec<u32>>,
}

impl<'a> Lowering<'a> {
    pub fn new(d: &'a Design, diags: &'a mut Vec<Diagnostic>) -> Lowering<'a> {
        Lowering {
            d,
            g: Builder::new(d.name.clone()),
            ports: FxHashMap::default(),
            register_base: Vec::new(),
            latch_base: Vec::new(),
            stores: Vec::new(),
            read_ports: FxHashMap::default(),
            carries: FxHashMap::default(),
            multipliers: FxHashMap::default(),
            barrels: FxHashMap::default(),
            dividers: FxHashMap::default(),
            offsets: FxHashMap::default(),
            table: Table::new(d),
            diags,
            floats: FxHashMap::default(),
            float_values: vec![None],
            stack: Vec::new(),
            loops_seen: FxHashSet::default(),
        }
    }

    /// Bit `i` of a node that is not below a signal.
    pub fn root(&mut self, n: NodeId, i: u32) -> Lit {
        let float = if self.table.can_float(n) { self.new_float() } else { 0 };
        self.demand(Key { item: n.0, bit: i, float })
    }

    /// Bit `i` of a signal.
    pub fn signal_bit(&mut self, s: u32, i: u32) -> Lit {
        self.demand(self.signal_key(SignalId(s), i))
    }

    pub fn signal_key(&self, s: SignalId, bit: u32) -> Key {
        Key { item: self.d.nodes.len() as u32 + s.0, bit, float: 0 }
    }

    /// The key of the node that drives bit `bit` of signal `s`.
    pub fn driver_key(&mut self, s: SignalId, bit: u32, n: NodeId, node_bit: u32) -> Key {
        if !self.table.can_float(n) {
            return Key { item: n.0, bit: node_bit, float: 0 };
        }
        let float = match self.floats.get(&(s.0, bit)) {
            Some(&f) => f,
            None => {
                let f = self.new_float();
                self.floats.insert((s.0, bit), f);
                f
            }
        };
        Key { item: n.0, bit: node_bit, float }
    }

    fn new_float(&mut self) -> u32 {
        self.float_values.push(None);
        self.float_values.len() as u32 - 1
    }

    /// The value of a net bit that nobody drives at the moment.
    pub fn float_value(&mut self, float: u32) -> Lit {
        if let Some(l) = self.float_values[float as usize] {
            return l;
        }
        let l = self.g.free();
        self.float_values[float as usize] = Some(l);
        l
    }

    fn demand(&mut self, root: Key) -> Lit {
        self.enter(root);
        while let Some(top) = self.stack.last() {
            let (key, cursor) = (top.key, top.cursor);
            match self.dependency(key, cursor) {
                Some(dep) => {
                    self.stack.last_mut().expect("checked").cursor += 1;
                    self.enter(dep);
                }
                None => {
                    let l = self.make(key);
                    let slot = self.table.slot(self.d, key);
                    // A bit that closed a loop already has its free value.
                    if *slot == BUSY {
                        *slot = l.0;
                    }
                    self.stack.pop();
                }
            }
        }
        self.table.get(root)
    }

    fn enter(&mut self, key: Key) {
        match *self.table.slot(self.d, key) {
            UNMADE => {
                *self.table.slot(self.d, key) = BUSY;
                self.stack.push(Frame { key, cursor: 0 });
            }
            BUSY => {
                self.report_loop(key);
                self.table.looped = true;
                let l = self.g.free();
                *self.table.slot(self.d, key) = l.0;
            }
            _ => {}
        }
    }

    /// The stack from `key` to its top is the loop: each entry reads the next.
    fn report_loop(&mut self, key: Key) {
        let d = self.d;
        let start = self.stack.iter().position(|f| f.key == key).expect("a busy bit is on the stack");
        let first_signal = d.nodes.len() as u32;
        let signals = self.stack[start..].iter().map(|f| f.key).filter(|k| k.item >= first_signal);
        let mut path: Vec<(u32, u32)> = signals.map(|k| (k.item - first_signal, k.bit)).collect();
        let mut set: Vec<u32> = path.iter().map(|p| p.0).collect();
        set.sort_unstable();
        set.dedup();
        // Start at the signal declared first, so that the text does not depend on the walk.
        let least = (0..path.len()).min_by_key(|&i| path[i]).expect("nodes alone cannot form a loop");
        path.rotate_left(least);
        let (s, b) = path[0];
        self.g.here = drive_span(&d.signals[s as usize], b);
        if !self.loops_seen.insert(set) {
            return;
        }
        let names: Vec<String> = path.iter().map(|&(s, b)| signal_bit_name(&d.signals[s as usize], b)).collect();
        let count = names.len();
        let mut diag = Diagnostic::error(codes::E0502, format!("combinational loop through `{}`", names[0]));
        for (i, &(s, b)) in path.iter().enumerate().take(LOOP_LABELS) {
            let span = drive_span(&d.signals[s as usize], b);
            let text = format!("`{}` depends on `{}`", names[i], names[(i + 1) % count]);
            diag = if i == 0 { diag.at(span, text) } else { diag.also(span, text) };
        }
        if count > LOOP_LABELS {
            diag = diag.note(format!("{} more signal bits are on the loop", count - LOOP_LABELS));
        }
        self.diags.push(diag.help("break the loop with a register"));
    }
}

/// The driver of bit `i`; drives are sorted and do not overlap.
pub(super) fn drive_of(s: &word::Signal, i: u32) -> Option<&word::Drive> {
    let k = s.drives.partition_point(|x| x.lo <= i);
    s.drives[..k].last().filter(|x| i - x.lo < x.width)
}

fn drive_span(s: &word::Signal, i: u32) -> Span {
    drive_of(s, i).map_or(s.span, |x| x.span)
}

fn signal_bit_name(s: &word::Signal, i: u32) -> String {
    bit_name(&s.name, s.range, s.width, i)
}

/// Bits of an item, and the hidden ones that stand for "operands are made" (see `bit`).
fn slots(d: &Design, item: u32) -> usize {
    let Some(node) = d.nodes.get(item as usize) else {
        return d.signals[item as usize - d.nodes.len()].width as usize;
    };
    let w = node.width as usize;
    match node.op {
        Op::Shl(..) | Op::Lshr(..) | Op::Ashr(..) => 2 * w,
        Op::Udiv(..) | Op::Urem(..) | Op::Sdiv(..) | Op::Srem(..) => w + 1,
        _ => w,
    }
}
