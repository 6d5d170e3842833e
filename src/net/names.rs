//! Names of bits, as users know them.

use super::*;
use rustc_hash::FxHashMap;

/// The name of bit `i` of a vector, with its declared index: `bus[3]`, or `wire` if it is one bit.
pub fn bit_name(name: &str, range: Option<(i64, i64)>, width: u32, i: u32) -> String {
    match range {
        Some((left, right)) => {
            let index = if left >= right { right + i as i64 } else { right - i as i64 };
            format!("{name}[{index}]")
        }
        None if width == 1 => name.to_string(),
        None => format!("{name}[{i}]"),
    }
}

impl Net {
    /// The name of bit `i`.
    pub fn bit_name(&self, i: u32) -> String {
        bit_name(&self.name, self.range, self.bits.len() as u32, i)
    }
}

/// For each gate the net bit that names it best.
pub struct Names<'a> {
    net: &'a Netlist,
    best: FxHashMap<GateId, (u32, u32)>,
}

impl Names<'_> {
    /// A name of the literal, `!` before it if it is the complement of the named bit. The
    /// shallowest in the hierarchy is preferred, then the plain one, then the one declared first.
    pub fn of(&self, l: Lit) -> Option<String> {
        let &(n, i) = self.best.get(&l.gate())?;
        let net = &self.net.nets[n as usize];
        let mark = if net.bits[i as usize] == l { "" } else { "!" };
        Some(format!("{mark}{}", net.bit_name(i)))
    }

    /// The name, or the gate's number if it has none.
    pub fn or_number(&self, l: Lit) -> String {
        match l.as_const() {
            Some(c) => (c as u32).to_string(),
            None => self.of(l).unwrap_or_else(|| format!("{l:?}")),
        }
    }
}

impl Netlist {
    /// An index of names, for many questions.
    pub fn names(&self) -> Names<'_> {
        let mut best: FxHashMap<GateId, (u32, u32)> = FxHashMap::default();
        let rank = |n: u32, i: u32| {
            let net = &self.nets[n as usize];
            let depth = net.name.bytes().filter(|&b| b == b'.').count();
            (depth, net.bits[i as usize].complement(), n, i)
        };
        for (n, net) in self.nets.iter().enumerate() {
            for (i, l) in net.bits.iter().enumerate().filter(|(_, l)| l.as_const().is_none()) {
                let new = (n as u32, i as u32);
                let old = best.entry(l.gate()).or_insert(new);
                if rank(new.0, new.1) < rank(old.0, old.1) {
                    *old = new;
                }
            }
        }
        Names { net: self, best }
    }

    /// A name of one literal. For many, ask [`Netlist::names`] once.
    pub fn name_of(&self, l: Lit) -> Option<String> {
        self.names().of(l)
    }

    /// The net of that name.
    pub fn net_named(&self, name: &str) -> Option<&Net> {
        self.nets.iter().find(|n| n.name == name)
    }
}

impl Names<'_> {
    /// All names, apart from the netlist: of the plain gate, whichever way the named bit stands.
    pub fn owned(&self, net: &Netlist) -> FxHashMap<GateId, String> {
        self.best.iter().map(|(g, (n, i))| (*g, net.nets[*n as usize].bit_name(*i))).collect()
    }
}
