//! Names of nodes that are the same in every run.

use smallvec::SmallVec;

/// A hash of which nobody expects to see two words meet: what is taken for known is not run.
pub(super) fn hash(words: impl Iterator<Item = u64>) -> u128 {
    let mut bytes: SmallVec<[u8; 256]> = SmallVec::new();
    words.for_each(|w| bytes.extend_from_slice(&w.to_le_bytes()));
    blake3::hash(&bytes).as_bytes()[..16].iter().fold(0, |sum, &b| sum << 8 | b as u128)
}

/// A text as words.
pub(super) fn text_words(s: &str) -> impl Iterator<Item = u64> + '_ {
    s.as_bytes().chunks(8).map(|c| {
        let mut b = [0; 8];
        b[..c.len()].copy_from_slice(c);
        u64::from_le_bytes(b)
    })
}

/// The label of a process's `n`-th step.
pub fn step_label(key: &str, n: u32) -> u128 {
    hash([0, n as u64].into_iter().chain(text_words(key)))
}

/// The beginning of a time-out's label.
pub(super) const TIMEOUT: [u64; 2] = [2, u64::MAX];
