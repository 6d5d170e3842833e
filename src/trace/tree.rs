//! The hierarchy that dotted names spell.

use super::Signal;
use std::collections::BTreeMap;

/// A scope: its signals by position with their last name, and the scopes in it.
#[derive(Default)]
pub(super) struct Tree {
    pub signals: Vec<(String, usize)>,
    pub scopes: BTreeMap<String, Tree>,
}

impl Tree {
    pub fn new(signals: &[Signal]) -> Tree {
        let mut root = Tree::default();
        for (i, s) in signals.iter().enumerate() {
            let path = clean(&s.name);
            let mut parts = path.split('.').filter(|p| !p.is_empty()).peekable();
            let mut at = &mut root;
            while let Some(part) = parts.next() {
                if parts.peek().is_none() {
                    at.signals.push((part.to_string(), i));
                } else {
                    at = at.scopes.entry(part.to_string()).or_default();
                }
            }
        }
        root
    }
}

/// Names in waveform files end at a blank.
pub(super) fn clean(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_graphic() { c } else { '_' }).collect()
}
