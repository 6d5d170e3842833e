//! Stable text of a design, for people and for snapshot tests.
//!
//! One line per thing, in the order of the tables. An expression that is used more than once, or
//! that would nest too deeply, has a line of its own above and is called `%1`, `%2` and so on; the
//! numbers depend only on what is reachable.

use super::*;
use std::fmt::{self, Display, Formatter};

/// Deeper nesting than this is hard to read.
const DEEPEST: u32 = 8;

impl Display for Design {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let p = Printer::new(self);
        writeln!(f, "design {}", self.name)?;
        for s in &self.signals {
            p.signal(f, s)?;
        }
        for (n, number) in p.numbers.iter().enumerate().filter(|(_, k)| **k != 0) {
            writeln!(f, "  %{number} = {} : {}", p.inner(NodeId(n as u32)), self.nodes[n].width)?;
        }
        for (i, r) in self.registers.iter().enumerate() {
            p.register(f, i, r)?;
        }
        for (i, r) in self.latches.iter().enumerate() {
            let (place, enable, data) = (p.place(r.signal, r.lo, r.width), p.text(r.enable), p.text(r.data));
            writeln!(f, "  latch {i} {place} enable {enable} data {data} init {}", r.init)?;
        }
        for m in &self.memories {
            p.memory(f, m)?;
        }
        for a in &self.asserts {
            let kind = match a.kind {
                AssertKind::Assert => "assert",
                AssertKind::Assume => "assume",
                AssertKind::Cover => "cover",
            };
            let clock = a.clock.map_or(String::new(), |(c, e)| format!(" at {}", p.edge(c, e)));
            let (enable, condition) = (p.text(a.enable), p.text(a.condition));
            // Said only where it is not plain that the statement is reached.
            let trigger = if a.trigger == a.enable { String::new() } else { format!(" trigger {}", p.text(a.trigger)) };
            writeln!(f, "  {kind} {}{clock} if {enable} then {condition}{trigger}", a.name)?;
        }
        Ok(())
    }
}

struct Printer<'a> {
    d: &'a Design,
    /// Number of each node that has a line of its own, else 0.
    numbers: Vec<u32>,
}

impl<'a> Printer<'a> {
    fn new(d: &'a Design) -> Printer<'a> {
        let mut uses = vec![0u32; d.nodes.len()];
        d.roots(|n| uses[n.index()] += 1);
        // Operands come before the nodes that use them.
        for i in (0..d.nodes.len()).rev().filter(|&i| !is_leaf(&d.nodes[i].op)) {
            if uses[i] > 0 {
                d.nodes[i].op.operands(|a| uses[a.index()] += 1);
            }
        }
        let mut numbers = vec![0; d.nodes.len()];
        let mut depth = vec![0; d.nodes.len()];
        let mut last = 0;
        for (i, n) in d.nodes.iter().enumerate().filter(|(i, n)| uses[*i] > 0 && !is_leaf(&n.op)) {
            let mut below = 0;
            n.op.operands(|a| below = below.max(depth[a.index()]));
            if uses[i] > 1 || below + 1 > DEEPEST {
                last += 1;
                numbers[i] = last;
            } else {
                depth[i] = below + 1;
            }
        }
        Printer { d, numbers }
    }

    /// A node where it is used: its number if it has a line of its own.
    fn text(&self, n: NodeId) -> String {
        match self.numbers[n.index()] {
            0 => self.inner(n),
            k => format!("%{k}"),
        }
    }

    fn list(&self, nodes: &[NodeId]) -> String {
        nodes.iter().map(|n| self.text(*n)).collect::<Vec<_>>().join(", ")
    }

    /// The operator with its operands.
    fn inner(&self, n: NodeId) -> String {
        use Op::*;
        let w = self.d.width(n);
        let call = |name: &str, args: &[NodeId]| format!("{name}({})", self.list(args));
        match self.d.op(n) {
            Const(b) => b.to_string(),
            Signal(s) => self.d.signals[s.index()].name.to_string(),
            Undef(k) => format!("undef{k}:{w}"),
            HighZ => format!("z:{w}"),
            Not(a) => call("not", &[*a]),
            Neg(a) => call("neg", &[*a]),
            RedAnd(a) => call("redand", &[*a]),
            RedOr(a) => call("redor", &[*a]),
            RedXor(a) => call("redxor", &[*a]),
            And(a, b) => call("and", &[*a, *b]),
            Or(a, b) => call("or", &[*a, *b]),
            Xor(a, b) => call("xor", &[*a, *b]),
            Add(a, b) => call("add", &[*a, *b]),
            Sub(a, b) => call("sub", &[*a, *b]),
            Mul(a, b) => call("mul", &[*a, *b]),
            Udiv(a, b) => call("udiv", &[*a, *b]),
            Urem(a, b) => call("urem", &[*a, *b]),
            Sdiv(a, b) => call("sdiv", &[*a, *b]),
            Srem(a, b) => call("srem", &[*a, *b]),
            Shl(a, b) => call("shl", &[*a, *b]),
            Lshr(a, b) => call("lshr", &[*a, *b]),
            Ashr(a, b) => call("ashr", &[*a, *b]),
            Eq(a, b) => call("eq", &[*a, *b]),
            Ult(a, b) => call("ult", &[*a, *b]),
            Slt(a, b) => call("slt", &[*a, *b]),
            Mux(c, t, e) => call("mux", &[*c, *t, *e]),
            Concat(parts) => format!("{{{}}}", self.list(parts)),
            Slice(a, lo) if w == 1 => format!("slice({},{lo})", self.text(*a)),
            Slice(a, lo) => format!("slice({},{}:{lo})", self.text(*a), lo + w - 1),
            Zext(a) => format!("zext({},{w})", self.text(*a)),
            Sext(a) => format!("sext({},{w})", self.text(*a)),
            MemRead(m, a) => format!("{}[{}]", self.d.memories[m.index()].name, self.text(*a)),
        }
    }

    fn signal(&self, f: &mut Formatter<'_>, s: &Signal) -> fmt::Result {
        let role = match s.role {
            Role::Input => "input",
            Role::Output => "output",
            Role::Internal => "signal",
        };
        write!(f, "  {role} {} : {}", s.name, s.width)?;
        if let Some((left, right)) = s.range.filter(|r| *r != (s.width as i64 - 1, 0)) {
            write!(f, " [{left}:{right}]")?;
        }
        for (name, value) in &s.attrs {
            write!(f, " (* {name} = {value} *)")?;
        }
        for (i, x) in s.drives.iter().enumerate() {
            let source = match x.source {
                Source::Node(n) => self.text(n),
                Source::Register(r) => format!("register {r}"),
                Source::Latch(r) => format!("latch {r}"),
                Source::Input => continue,
                Source::Undriven => "undriven".into(),
            };
            f.write_str(if i == 0 { " = " } else { ", " })?;
            if x.width != s.width {
                write!(f, "{}: ", bits(x.lo, x.width))?;
            }
            f.write_str(&source)?;
        }
        writeln!(f)
    }

    fn register(&self, f: &mut Formatter<'_>, i: usize, r: &Register) -> fmt::Result {
        let place = self.place(r.signal, r.lo, r.width);
        write!(f, "  register {i} {place} at {} next {}", self.edge(r.clock, r.edge), self.text(r.next))?;
        for a in &r.asyncs {
            write!(f, " async {} -> {}", self.text(a.condition), self.text(a.value))?;
        }
        writeln!(f, " init {}", r.init)
    }

    fn memory(&self, f: &mut Formatter<'_>, m: &Memory) -> fmt::Result {
        write!(f, "  memory {} : {} words of {}", m.name, m.size, m.width)?;
        for (i, (addr, value)) in m.init.iter().enumerate() {
            write!(f, "{} {addr}: {value}", if i == 0 { " init" } else { "," })?;
        }
        writeln!(f)?;
        for w in &m.writes {
            let [enable, addr, data, mask] = [w.enable, w.addr, w.data, w.mask].map(|n| self.text(n));
            let clock = self.edge(w.clock, w.edge);
            writeln!(f, "    write at {clock} if {enable} [{addr}] = {data} mask {mask}")?;
        }
        Ok(())
    }

    fn edge(&self, clock: NodeId, edge: Edge) -> String {
        let edge = if edge == Edge::Pos { "posedge" } else { "negedge" };
        format!("{edge} {}", self.text(clock))
    }

    fn place(&self, s: SignalId, lo: u32, width: u32) -> String {
        let s = &self.d.signals[s.index()];
        if width == s.width { s.name.to_string() } else { format!("{}{}", s.name, bits(lo, width)) }
    }
}

impl Design {
    /// Calls `f` on every node that is used outside the expression graph.
    fn roots(&self, mut f: impl FnMut(NodeId)) {
        for x in self.signals.iter().flat_map(|s| &s.drives) {
            if let Source::Node(n) = x.source {
                f(n);
            }
        }
        for r in &self.registers {
            f(r.clock);
            f(r.next);
            for a in &r.asyncs {
                f(a.condition);
                f(a.value);
            }
        }
        for r in &self.latches {
            f(r.enable);
            f(r.data);
        }
        for w in self.memories.iter().flat_map(|m| &m.writes) {
            [w.clock, w.enable, w.addr, w.data, w.mask].into_iter().for_each(&mut f);
        }
        for a in &self.asserts {
            f(a.enable);
            f(a.condition);
            // An equal trigger is not written.
            if a.trigger != a.enable {
                f(a.trigger);
            }
            a.clock.iter().for_each(|c| f(c.0));
        }
    }
}

fn bits(lo: u32, width: u32) -> String {
    if width == 1 { format!("[{lo}]") } else { format!("[{}:{lo}]", lo + width - 1) }
}

/// Leaves are short and always written out.
fn is_leaf(op: &Op) -> bool {
    matches!(op, Op::Const(_) | Op::Signal(_) | Op::Undef(_) | Op::HighZ)
}
