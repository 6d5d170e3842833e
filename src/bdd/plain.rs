//! Diagrams as plain data, to be kept, moved and checked without the library that made them.

/// Functions as decisions: node `n + 2` tests a variable and goes to one of two earlier nodes; 0 is no and 1
/// is yes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Decisions {
    /// Variable, node if 0, node if 1.
    pub nodes: Vec<(u32, u32, u32)>,
    /// Where each function begins.
    pub roots: Vec<u32>,
}

impl Decisions {
    /// The value of a function.
    pub fn value(&self, root: usize, of: impl Fn(u32) -> bool) -> bool {
        let mut at = self.roots[root];
        while at > 1 {
            let (v, low, high) = self.nodes[at as usize - 2];
            at = if of(v) { high } else { low };
        }
        at == 1
    }
}
