//! Kept memories as `$mem_v2` cells: asynchronous read ports and clocked write ports.

use super::super::can_exceed;
use super::*;
use crate::net::{Memory, MemoryWrite};

impl Writer<'_> {
    pub(super) fn memories(&mut self) {
        for (k, m) in self.net.memories.iter().enumerate().filter(|(_, m)| !m.reads.is_empty()) {
            self.memory(k as u32, m);
        }
    }

    fn memory(&mut self, k: u32, m: &Memory) {
        let longest = m.reads.iter().chain(m.writes.iter().map(|w| &w.addr)).map(Vec::len).max();
        let address_bits = longest.unwrap_or(1).max(1);
        let (reads, width) = (m.reads.len(), m.width as usize);
        let writes: Vec<&MemoryWrite> = m.writes.iter().filter(|w| w.clock.as_const().is_none()).collect();
        let mut read_addr = Vec::new();
        let mut read_data = Vec::new();
        for (p, addr) in m.reads.iter().enumerate() {
            read_addr.extend(self.padded(addr, address_bits));
            read_data.extend(self.read_bits(k, p as u32, m, addr));
        }
        let (mut clocks, mut enables, mut write_addr, mut data) = (vec![], vec![], vec![], vec![]);
        let mut polarity = String::new();
        for w in &writes {
            let (clock, letter) = self.active(w.clock);
            clocks.push(clock);
            polarity.insert(0, if letter == 'P' { '1' } else { '0' });
            let within = can_exceed(&w.addr, m.size).then(|| self.within(&w.addr, m.size));
            for (l, on) in w.data.iter().zip(&w.mask) {
                data.push(self.lit(*l));
                let on = self.lit(*on);
                let enable = self.lit(w.enable);
                let on = self.both(on, enable);
                enables.push(within.clone().map_or(on.clone(), |w| self.both(on, w)));
            }
            write_addr.extend(self.padded(&w.addr, address_bits));
        }
        // Port i wins over every earlier port j: bit i * count + j.
        let count = writes.len();
        let priority: String =
            (0..count * count).rev().map(|b| if b % count < b / count { '1' } else { '0' }).collect();
        let fill = |c: char, n: usize| c.to_string().repeat(n.max(1));
        let parameters = json!({
            "MEMID": format!("\\{}", m.name),
            "WIDTH": number(width),
            "OFFSET": number(0),
            "SIZE": number(m.size as usize),
            "ABITS": number(address_bits),
            "INIT": init(m),
            "RD_PORTS": number(reads),
            "RD_CLK_ENABLE": fill('0', reads),
            "RD_CLK_POLARITY": fill('1', reads),
            "RD_TRANSPARENCY_MASK": fill('0', reads * count),
            "RD_COLLISION_X_MASK": fill('0', reads * count),
            "RD_WIDE_CONTINUATION": fill('0', reads),
            "RD_CE_OVER_SRST": fill('0', reads),
            "RD_ARST_VALUE": fill('x', reads * width),
            "RD_SRST_VALUE": fill('x', reads * width),
            "RD_INIT_VALUE": fill('x', reads * width),
            "WR_PORTS": number(count),
            "WR_CLK_ENABLE": fill('1', count),
            "WR_CLK_POLARITY": if count == 0 { fill('1', 1) } else { polarity },
            "WR_PRIORITY_MASK": if count == 0 { fill('0', 1) } else { priority },
            "WR_WIDE_CONTINUATION": fill('0', count),
        });
        let each = |bit: &str| json!(vec![bit; reads]);
        let inputs = [
            ("RD_CLK", each("x")),
            ("RD_EN", each("1")),
            ("RD_ARST", each("0")),
            ("RD_SRST", each("0")),
            ("RD_ADDR", json!(read_addr)),
            ("WR_CLK", json!(clocks)),
            ("WR_EN", json!(enables)),
            ("WR_ADDR", json!(write_addr)),
            ("WR_DATA", json!(data)),
        ];
        let name = self.cell_names.fresh(&m.name);
        self.named_cell(name, "$mem_v2", parameters, &inputs, ("RD_DATA", json!(read_data)), m.span);
    }

    /// An address with zeros above.
    fn padded(&mut self, addr: &[Lit], bits: usize) -> Vec<Value> {
        let mut list: Vec<Value> = addr.iter().map(|l| self.lit(*l)).collect();
        list.resize(bits, json!("0"));
        list
    }

    /// The bits a read port of the cell delivers. Where the address can be beyond the memory the
    /// gate's own bit is chosen between that and a free value.
    fn read_bits(&mut self, k: u32, p: u32, m: &Memory, addr: &[Lit]) -> Vec<Value> {
        let net = self.net;
        let within = can_exceed(addr, m.size).then(|| self.within(addr, m.size));
        let mut bits: Vec<Value> = (0..m.width).map(|_| self.fresh()).collect();
        for (i, g) in net.gates.iter().enumerate() {
            let Gate::Read(gk, gp, b) = *g else { continue };
            if (gk, gp) != (k, p) {
                continue;
            }
            let own = self.bits[i].clone();
            match (&within, self.beyond.binary_search(&(k, p, b))) {
                (Some(within), Ok(at)) => {
                    let inputs =
                        [("A", self.beyond_bits[at].clone()), ("B", bits[b as usize].clone()), ("S", within.clone())];
                    self.cell("$_MUX_", &inputs, ("Y", own), net.spans[i]);
                }
                _ => bits[b as usize] = own,
            }
        }
        bits
    }

    fn both(&mut self, a: Value, b: Value) -> Value {
        let out = self.fresh();
        self.cell("$_AND_", &[("A", a), ("B", b)], ("Y", out.clone()), Span::NONE);
        out
    }

    /// Whether an address is in the memory, by a comparison cell.
    fn within(&mut self, addr: &[Lit], size: u64) -> Value {
        let width = addr.len().max(64 - size.leading_zeros() as usize);
        let a = self.padded(addr, width);
        let limit: Vec<&str> = (0..width).map(|i| if i < 64 && size >> i & 1 == 1 { "1" } else { "0" }).collect();
        let out = self.fresh();
        let parameters = json!({
            "A_SIGNED": number(0), "B_SIGNED": number(0),
            "A_WIDTH": number(width), "B_WIDTH": number(width), "Y_WIDTH": number(1),
        });
        let name = self.cell_names.fresh(&format!("$entail${}", self.cells.len()));
        let inputs = [("A", json!(a)), ("B", json!(limit))];
        self.named_cell(name, "$lt", parameters, &inputs, ("Y", json!([out])), Span::NONE);
        out
    }
}

/// Initial words, the last that has one first; Yosys takes those beyond for unknown.
fn init(m: &Memory) -> String {
    let Some(last) = m.init.iter().map(|(a, _)| *a).filter(|a| *a < m.size).max() else { return "x".into() };
    let mut words = vec!["x".repeat(m.width as usize); last as usize + 1];
    for (a, v) in m.init.iter().filter(|(a, _)| *a < m.size) {
        words[*a as usize] = v.to_binary().replace('z', "x");
    }
    words.reverse();
    words.concat()
}
