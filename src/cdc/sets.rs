//! Sets of small numbers, each kept once, so that a gate holds one word and a union is looked up.

use rustc_hash::FxHashMap;

/// A set, by number; 0 is the empty one.
pub type SetId = u32;

/// All sets that came up.
#[derive(Clone, Debug)]
pub struct Sets {
    list: Vec<Vec<u32>>,
    index: FxHashMap<Vec<u32>, SetId>,
    unions: FxHashMap<(SetId, SetId), SetId>,
}

impl Default for Sets {
    fn default() -> Sets {
        let index = std::iter::once((Vec::new(), 0)).collect();
        Sets { list: vec![Vec::new()], index, unions: FxHashMap::default() }
    }
}

impl Sets {
    /// The set of these members.
    pub fn of(&mut self, members: &[u32]) -> SetId {
        let mut m = members.to_vec();
        m.sort_unstable();
        m.dedup();
        if let Some(id) = self.index.get(&m) {
            return *id;
        }
        let id = self.list.len() as SetId;
        self.list.push(m.clone());
        self.index.insert(m, id);
        id
    }

    /// Its members, in order.
    pub fn get(&self, id: SetId) -> &[u32] {
        &self.list[id as usize]
    }

    /// The members of both.
    pub fn union(&mut self, a: SetId, b: SetId) -> SetId {
        if a == b || b == 0 {
            return a;
        }
        if a == 0 {
            return b;
        }
        let key = (a.min(b), a.max(b));
        if let Some(id) = self.unions.get(&key) {
            return *id;
        }
        let all: Vec<u32> = self.list[a as usize].iter().chain(&self.list[b as usize]).copied().collect();
        let id = self.of(&all);
        self.unions.insert(key, id);
        id
    }
}
