//! Headers that come to lie in front of others.
//!
//! The compiler tells which files it read. That a name would lead to another file by now shows in none of them: a file of
//! that name has come to a folder that is searched earlier. So these places are looked at, too.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Names in an include have few folders in them.
const DEEPEST: usize = 4;

/// Folders that the words of a compilation name for includes.
pub fn named(words: &[String]) -> Vec<PathBuf> {
    let mut all = Vec::new();
    let mut next = false;
    for w in words {
        let short = w.strip_prefix("-I").filter(|d| !d.is_empty());
        if next || short.is_some() {
            all.push(PathBuf::from(short.filter(|_| !next).unwrap_or(w)));
            next = false;
        } else {
            next = ["-I", "-isystem", "-iquote", "-idirafter"].contains(&w.as_str());
        }
    }
    all
}

/// Folders in which includes are looked for, those of the system apart: what is named, and where the files lie that
/// were read.
fn searched(read: &[PathBuf], named: &[PathBuf]) -> BTreeSet<PathBuf> {
    let own = read.iter().filter(|f| !is_of_system(f)).filter_map(|f| f.parent()).map(Path::to_path_buf);
    own.chain(named.iter().cloned()).collect()
}

fn is_of_system(file: &Path) -> bool {
    file.starts_with("/usr")
}

/// The last names of a path, one to a few of them: what an include may have said.
fn endings(file: &Path) -> impl Iterator<Item = PathBuf> {
    let names: Vec<_> = file.iter().rev().take(DEEPEST).collect();
    (1..=names.len()).map(move |n| names[..n].iter().rev().collect())
}

/// Files that were not read, and lie where a name that was included is looked for.
pub fn rivals(read: &[PathBuf], named: &[PathBuf]) -> BTreeSet<PathBuf> {
    let names: BTreeSet<PathBuf> = read.iter().flat_map(|f| endings(f)).collect();
    let places = searched(read, named);
    let read: BTreeSet<&PathBuf> = read.iter().collect();
    let all = places.iter().flat_map(|folder| names.iter().map(move |n| folder.join(n)));
    all.filter(|f| !read.contains(f) && f.is_file()).collect()
}

/// Folders to which a rival could come, there or not.
pub fn watched(read: &[PathBuf], named: &[PathBuf]) -> BTreeSet<PathBuf> {
    let mut all = searched(read, named);
    let inner: BTreeSet<PathBuf> = read
        .iter()
        .filter(|f| !is_of_system(f))
        .flat_map(|f| endings(f))
        .filter_map(|n| n.parent().filter(|p| !p.as_os_str().is_empty() && !p.is_absolute()).map(Path::to_path_buf))
        .collect();
    let below: Vec<PathBuf> = all.iter().flat_map(|folder| inner.iter().map(move |n| folder.join(n))).collect();
    all.extend(below);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(names: &[&str]) -> Vec<PathBuf> {
        names.iter().map(PathBuf::from).collect()
    }

    #[test]
    fn words_of_a_compilation_name_folders() {
        let words = ["-Ia", "-DX", "-I", "b", "-isystem", "-Ic", "-O2"].map(String::from);
        assert_eq!(named(&words), paths(&["a", "b", "-Ic"]));
    }

    #[test]
    fn a_file_of_the_same_name_in_a_folder_that_is_searched_is_a_rival() {
        let dir = tempfile::tempdir().expect("a folder");
        let at = |name: &str| dir.path().join(name);
        for name in ["src/m.cpp", "b/x.h", "b/deep/y.h"] {
            std::fs::create_dir_all(at(name).parent().expect("a folder")).expect("made");
            std::fs::write(at(name), "").expect("written");
        }
        let read = [at("src/m.cpp"), at("b/x.h"), at("b/deep/y.h"), PathBuf::from("/usr/include/systemc")];
        let named = [at("a"), at("b")];
        assert!(rivals(&read, &named).is_empty());
        for name in ["a/x.h", "src/x.h", "a/deep/y.h", "a/systemc"] {
            std::fs::create_dir_all(at(name).parent().expect("a folder")).expect("made");
            std::fs::write(at(name), "").expect("written");
            assert_eq!(rivals(&read, &named), BTreeSet::from([at(name)]));
            std::fs::remove_file(at(name)).expect("it was there");
        }
        std::fs::write(at("a/other.h"), "").expect("written");
        assert!(rivals(&read, &named).is_empty(), "nobody includes it");
        let folders = watched(&read, &named);
        assert!(folders.contains(&at("a")) && folders.contains(&at("a/deep")) && folders.contains(&at("src")));
    }
}
