//! Public RTL that is not ours: every module elaborates, and processors behave as in Verilator.
//!
//! Runs only when `ENTAIL_CORPUS` names the folder that `scripts/corpus.sh` fills (`make corpus`
//! sets it); otherwise each test says that it does nothing.

mod support_cosim;

use std::path::PathBuf;
use support_cosim::corpus;

/// The folder with the unpacked wheels, or `None` (and a word about it) if the corpus is not asked for.
fn corpus_folder() -> Option<PathBuf> {
    let Some(folder) = std::env::var_os("ENTAIL_CORPUS") else {
        eprintln!("ENTAIL_CORPUS is not set: nothing of the corpus is tested; `make corpus` does");
        return None;
    };
    let folder = PathBuf::from(folder);
    assert!(folder.is_dir(), "ENTAIL_CORPUS is {}, which is no folder; run scripts/corpus.sh", folder.display());
    Some(folder)
}

#[test]
fn every_module_of_the_corpus_elaborates_or_is_refused_for_a_good_reason() {
    let Some(folder) = corpus_folder() else { return };
    let temporary = tempfile::tempdir().expect("a temporary folder");
    let lists = std::env::var_os("ENTAIL_CORPUS_LISTS").map_or(temporary.path().to_path_buf(), PathBuf::from);
    let rows = corpus::survey(&folder, &lists);
    let table = corpus::markdown(&rows, &folder);
    println!("{table}");
    if let Some(path) = std::env::var_os("ENTAIL_CORPUS_TABLE") {
        std::fs::write(&path, &table).unwrap_or_else(|e| panic!("cannot write {}: {e}", path.display()));
    }
    let all = corpus::count(&rows, |_| true);
    assert!(all.legal >= 400, "only {} legal tops: the corpus is not complete", all.legal);
    assert_eq!((all.wrong, all.crashed), (0, 0), "wrong errors, panics and timeouts; see the table above");
    assert!(all.elaborated * 100 >= all.legal * 95, "{} of {} legal tops elaborated", all.elaborated, all.legal);
}
