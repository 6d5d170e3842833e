//! What arrives at captures as nets of their own, for waveforms.

use super::Place;
use super::writer::Writer;
use crate::cdc::crossing::End;
use crate::net::{Gate, Lit, Net, UNSTABLE};
use crate::source::Span;
use std::collections::BTreeMap;

impl Writer<'_> {
    /// Adds for each net that captures what arrives at it and which bits of that are undecided.
    pub(super) fn show(&mut self, places: &[Place]) {
        let mut of: BTreeMap<u32, Vec<(u32, &Place)>> = BTreeMap::new();
        for p in places.iter().filter(|p| p.control.is_none()) {
            let at = match p.end {
                End::Register(r) => self.s.net.registers[r as usize].net,
                End::Latch(l) => self.s.net.latches[l as usize].net,
                End::Write(..) => continue,
            };
            of.entry(at.0).or_default().push((at.1, p));
        }
        for (net, bits) in of {
            let (name, wide) = (&self.s.net.nets[net as usize].name, self.s.net.nets[net as usize].bits.len());
            let (arriving, mask) = (format!("{name}~arriving"), format!("{name}~unstable"));
            let (mut seen, mut unstable) = (self.s.net.nets[net as usize].bits.clone(), vec![Lit::FALSE; wide]);
            for (i, p) in bits {
                if let (Some(s), Some(u)) = (seen.get_mut(i as usize), unstable.get_mut(i as usize)) {
                    (*s, *u) = (p.seen.xor(s.complement()), p.unstable);
                }
            }
            let range = self.s.net.nets[net as usize].range;
            let new = |name: &str, bits, attrs| Net { name: name.into(), range, bits, span: Span::NONE, attrs };
            let attrs = vec![(UNSTABLE.into(), mask.as_str().into())];
            self.b.net.nets.push(new(&arriving, seen, attrs));
            self.b.net.nets.push(new(&mask, unstable, vec![]));
        }
        self.show_undecided(places);
    }

    /// Marks nets whose registers may be undecided.
    fn show_undecided(&mut self, places: &[Place]) {
        let mut of: BTreeMap<u32, Vec<(u32, Lit)>> = BTreeMap::new();
        for p in places {
            if let (End::Register(r), Some(flag)) = (p.end, p.undecided)
                && let Gate::Register(_) = self.b.net.gates[flag.gate().0 as usize]
            {
                let (net, bit) = self.s.net.registers[r as usize].net;
                of.entry(net).or_default().push((bit, flag));
            }
        }
        for (net, bits) in of {
            let old = &self.b.net.nets[net as usize];
            let mask = format!("{}~undecided", old.name);
            let mut flags = vec![Lit::FALSE; old.bits.len()];
            for (i, flag) in bits {
                if let Some(f) = flags.get_mut(i as usize) {
                    *f = flag;
                }
            }
            let (name, range) = (mask.as_str().into(), old.range);
            self.b.net.nets.push(Net { name, range, bits: flags, span: Span::NONE, attrs: vec![] });
            self.b.net.nets[net as usize].attrs.push((UNSTABLE.into(), mask.into()));
        }
    }
}
