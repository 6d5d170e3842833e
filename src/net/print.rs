//! Stable text of a netlist, for people and for snapshot tests.
//!
//! Leaves are called by their names, other gates `%` and their number; vectors are written most
//! significant bit first.

use super::*;
use std::fmt::{self, Display, Formatter};

impl Display for Netlist {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let p = Printer { net: self };
        writeln!(f, "netlist {}", self.name)?;
        for n in &self.inputs {
            writeln!(f, "  input {} : {}", n.name, n.bits.len())?;
        }
        for n in &self.outputs {
            writeln!(f, "  output {} = {}", n.name, p.vector(&n.bits))?;
        }
        for (i, g) in self.gates.iter().enumerate() {
            let text = match g {
                Gate::And(a, b) => format!("and({}, {})", p.lit(*a), p.lit(*b)),
                Gate::Xor(a, b) => format!("xor({}, {})", p.lit(*a), p.lit(*b)),
                Gate::Mux(s, t, e) => format!("mux({}, {}, {})", p.lit(*s), p.lit(*t), p.lit(*e)),
                Gate::Read(m, r, b) => format!("{}.read{r}[{b}]", self.memories[*m as usize].name),
                _ => continue,
            };
            writeln!(f, "  %{i} = {text}")?;
        }
        for r in &self.registers {
            let name = p.leaf(r.gate);
            write!(f, "  register {name} at {} next {}", p.lit(r.clock), p.lit(r.next))?;
            for (c, v) in &r.asyncs {
                write!(f, " async {} -> {}", p.lit(*c), p.lit(*v))?;
            }
            writeln!(f, " init {}", initial(r.init))?;
        }
        for r in &self.latches {
            let (name, enable, data) = (p.leaf(r.gate), p.lit(r.enable), p.lit(r.data));
            writeln!(f, "  latch {name} enable {enable} data {data} init {}", initial(r.init))?;
        }
        for m in &self.memories {
            p.memory(f, m)?;
        }
        for a in &self.asserts {
            let kind = match a.kind {
                crate::word::AssertKind::Assert => "assert",
                crate::word::AssertKind::Assume => "assume",
                crate::word::AssertKind::Cover => "cover",
            };
            let clock = a.clock.map_or(String::new(), |c| format!(" at {}", p.lit(c)));
            let (enable, condition) = (p.lit(a.enable), p.lit(a.condition));
            let trigger = if a.trigger == a.enable { String::new() } else { format!(" trigger {}", p.lit(a.trigger)) };
            writeln!(f, "  {kind} {}{clock} if {enable} then {condition}{trigger}", a.name)?;
        }
        for n in &self.nets {
            let (text, own) = (p.vector(&n.bits), (0..n.bits.len() as u32).rev().map(|i| n.bit_name(i)));
            // A net that is just its own registers or inputs needs no line.
            if text != own.collect::<Vec<_>>().join(" ") {
                writeln!(f, "  net {} = {text}", n.name)?;
            }
        }
        Ok(())
    }
}

struct Printer<'a> {
    net: &'a Netlist,
}

impl Printer<'_> {
    fn lit(&self, l: Lit) -> String {
        if let Some(c) = l.as_const() {
            return (c as u32).to_string();
        }
        format!("{}{}", if l.complement() { "!" } else { "" }, self.leaf(l.gate()))
    }

    /// The name of a leaf, or the number of a gate.
    fn leaf(&self, g: GateId) -> String {
        let (net, bit) = match self.net.gates[g.0 as usize] {
            Gate::Input(p, b) => (&self.net.inputs[p as usize], b),
            Gate::Register(r) => {
                let (n, b) = self.net.registers[r as usize].net;
                (&self.net.nets[n as usize], b)
            }
            Gate::Latch(r) => {
                let (n, b) = self.net.latches[r as usize].net;
                (&self.net.nets[n as usize], b)
            }
            Gate::Free(n) => return format!("free{n}"),
            _ => return format!("%{}", g.0),
        };
        net.bit_name(bit)
    }

    fn vector(&self, bits: &[Lit]) -> String {
        bits.iter().rev().map(|l| self.lit(*l)).collect::<Vec<_>>().join(" ")
    }

    fn memory(&self, f: &mut Formatter<'_>, m: &Memory) -> fmt::Result {
        write!(f, "  memory {} : {} words of {}", m.name, m.size, m.width)?;
        for (i, (addr, value)) in m.init.iter().enumerate() {
            write!(f, "{} {addr}: {value}", if i == 0 { " init" } else { "," })?;
        }
        writeln!(f)?;
        for (i, r) in m.reads.iter().enumerate() {
            writeln!(f, "    read{i} [{}]", self.vector(r))?;
        }
        for w in &m.writes {
            let (clock, enable) = (self.lit(w.clock), self.lit(w.enable));
            let [addr, data, mask] = [&w.addr, &w.data, &w.mask].map(|v| self.vector(v));
            writeln!(f, "    write at {clock} if {enable} [{addr}] = {data} mask {mask}")?;
        }
        Ok(())
    }
}

fn initial(init: Option<bool>) -> &'static str {
    match init {
        Some(false) => "0",
        Some(true) => "1",
        None => "x",
    }
}
