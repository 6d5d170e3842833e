//! Kept memories: an array, asynchronous reads, clocked masked writes.

use super::super::can_exceed;
use super::*;
use crate::net::{Memory, MemoryWrite};

impl Writer<'_> {
    pub(super) fn name_memories(&mut self) {
        for m in &self.net.memories {
            let array = self.fresh(&m.name);
            let words = (0..m.reads.len()).map(|p| self.fresh(&format!("{}$word{p}", m.name))).collect();
            self.arrays.push((array, words));
        }
    }

    /// One bit of a word, free if the address is beyond the memory.
    pub(super) fn read(&self, m: u32, p: u32, b: u32) -> String {
        let mem = &self.net.memories[m as usize];
        let addr = &mem.reads[p as usize];
        let word = &self.arrays[m as usize].1[p as usize];
        let bit = if mem.width == 1 { word.clone() } else { format!("{word}[{b}]") };
        match self.beyond.binary_search(&(m, p, b)) {
            Ok(k) => {
                let free = self.free.as_ref().map_or(String::new(), |v| v.bit(self.net.frees.len() + k));
                format!("{} ? {bit} : {free}", self.within(addr, mem.size))
            }
            Err(_) => bit,
        }
    }

    /// `(addr < size)`
    fn within(&self, addr: &[Lit], size: u64) -> String {
        // One bit more than both sides need, so that the comparison is exact.
        let width = addr.len().max(64 - size.leading_zeros() as usize) + 1;
        format!("({{{}'b0, {}}} < {width}'d{size})", width - addr.len(), self.bits(addr))
    }

    pub(super) fn memories(&mut self) {
        let net = self.net;
        for (k, m) in net.memories.iter().enumerate() {
            let (name, words) = self.arrays[k].clone();
            let src = self.src(m.span);
            let range = if m.width > 1 { format!("[{}:0] ", m.width - 1) } else { String::new() };
            self.declared.push(format!("{src}reg {range}{name} [0:{}];", m.size.max(1) - 1));
            for (word, addr) in words.iter().zip(&m.reads) {
                self.declared.push(format!("wire {range}{word};"));
                let addr = self.bits(addr);
                self.line(format!("assign {word} = {name}[{addr}];"));
            }
            if !m.init.is_empty() {
                self.line("initial begin");
                for (a, v) in m.init.iter().filter(|(a, _)| *a < m.size) {
                    self.line(format!("  {name}[{a}] = {}'b{};", m.width, v.to_binary().replace('z', "x")));
                }
                self.line("end");
            }
            self.writes(m, &name);
        }
    }

    /// Ports of one clock share a process, in which the later assignment wins.
    fn writes(&mut self, m: &Memory, name: &str) {
        let mut clocks: Vec<Lit> = Vec::new();
        for w in m.writes.iter().filter(|w| w.clock.as_const().is_none() && w.enable != Lit::FALSE) {
            if !clocks.contains(&w.clock) {
                clocks.push(w.clock);
            }
        }
        for clock in clocks {
            let event = self.event(clock, true);
            let src = self.src(m.span);
            self.line(format!("{src}always @({event}) begin"));
            for w in m.writes.iter().filter(|w| w.clock == clock) {
                self.write_port(m, name, w);
            }
            self.line("end");
        }
    }

    fn write_port(&mut self, m: &Memory, name: &str, w: &MemoryWrite) {
        let enable = self.lit(w.enable);
        let within =
            if can_exceed(&w.addr, m.size) { format!(" && {}", self.within(&w.addr, m.size)) } else { String::new() };
        let addr = self.bits(&w.addr);
        self.line(format!("  if ({enable}{within}) begin"));
        if m.width == 1 || w.mask.iter().all(|l| *l == Lit::TRUE) {
            let (mask, data) = (self.lit(w.mask[0]), self.bits(&w.data));
            self.line(format!("    if ({mask}) {name}[{addr}] <= {data};"));
        } else {
            for i in (0..m.width as usize).filter(|i| w.mask[*i] != Lit::FALSE) {
                let (mask, data) = (self.lit(w.mask[i]), self.lit(w.data[i]));
                self.line(format!("    if ({mask}) {name}[{addr}][{i}] <= {data};"));
            }
        }
        self.line("  end");
    }
}
