//! What the tests on public code share: where it is.

#![allow(dead_code, reason = "each test file that includes this uses a part of it")]

pub mod flat;

use std::path::PathBuf;

/// The folder with the unpacked wheels, or `None` (and a word about it) if the corpus is not asked for.
pub fn corpus_folder() -> Option<PathBuf> {
    let Some(folder) = std::env::var_os("ENTAIL_CORPUS") else {
        eprintln!("ENTAIL_CORPUS is not set: nothing of the corpus is tested; `make corpus` does");
        return None;
    };
    let folder = PathBuf::from(folder);
    assert!(folder.is_dir(), "ENTAIL_CORPUS is {}, which is no folder; run scripts/corpus.sh", folder.display());
    Some(folder)
}
