//! Access to arrays that stay memories.

use super::place::{Step, index_bits};
use super::process::MemWrite;
use super::*;
use crate::word::MemoryId;

impl Machine {
    /// Address and range check of the first select of a memory.
    fn memory_address(&mut self, m: MemoryId, step: &Step) -> Option<(NodeId, NodeId)> {
        let (size, width) = (self.d.memories[m.index()].size, self.d.memories[m.index()].width);
        match *step {
            Step::Index { index, in_range, .. } => Some((index, in_range)),
            Step::Fixed { lo, .. } => {
                let a = self.d.uint((lo / width.max(1)) as u64, index_bits(size));
                let t = self.d.bool(true);
                Some((a, t))
            }
            _ => None,
        }
    }

    pub fn read_memory(&mut self, v: VarId, m: MemoryId, step: &Step) -> NodeId {
        let four_state = self.vars[v.index()].four_state;
        let width = self.d.memories[m.index()].width;
        let beyond = |e: &mut Self| if four_state { e.x_value(width) } else { e.d.uint(0, width) };
        let Some((addr, in_range)) = self.memory_address(m, step) else { return beyond(self) };
        let mut value = self.d.mem_read(m, addr);
        // Blocking writes of this process are seen at once.
        let writes: Vec<(NodeId, NodeId, NodeId, NodeId)> = match &self.proc {
            Some(p) => p
                .mem_writes
                .iter()
                .filter(|w| w.memory == m && w.blocking)
                .map(|w| (w.enable, w.addr, w.data, w.mask))
                .collect(),
            None => Vec::new(),
        };
        for (enable, at, data, mask) in writes {
            let same = self.d.eq(at, addr);
            let hit = self.d.and(enable, same);
            let keep = self.d.not(mask);
            let (new, old) = (self.d.and(data, mask), self.d.and(value, keep));
            let merged = self.d.or(new, old);
            value = self.d.mux(hit, merged, value);
        }
        if self.d.as_bool(in_range) == Some(true) {
            return value;
        }
        let x = beyond(self);
        self.d.mux(in_range, value, x)
    }

    pub fn write_memory(
        &mut self,
        m: MemoryId,
        steps: &[Step],
        value: NodeId,
        nonblocking: bool,
        span: Span,
    ) -> Res<()> {
        let Some((first, rest)) = steps.split_first() else {
            return error(codes::E0405, "a large memory is assigned as a whole", span, "assign its elements");
        };
        let Some((addr, in_range)) = self.memory_address(m, first) else { return Ok(()) };
        let width = self.d.memories[m.index()].width;
        let zero = self.d.uint(0, width);
        let data = self.update(zero, rest, value);
        let vw = self.d.width(value);
        let ones = self.d.constant(Bits::ones(vw));
        let mask = self.update(zero, rest, ones);
        let path = self.path();
        let enable = self.d.and(path, in_range);
        if let Some(p) = &mut self.proc
            && !p.quiet
        {
            p.mem_writes.push(MemWrite { memory: m, enable, addr, data, mask, blocking: !nonblocking, span });
        }
        Ok(())
    }
}
