//! Patterns of file names.

use super::join;
use crate::source::Tree;
use std::path::{Path, PathBuf};

pub fn is_pattern(text: &str) -> bool {
    text.contains(['*', '?'])
}

/// The files that a pattern finds from `folder`, sorted.
pub fn expand(folder: &Path, pattern: &str) -> Vec<PathBuf> {
    search(&Tree::default(), folder, pattern).0
}

/// The files that a pattern finds in a tree from `folder`, sorted, and the folders whose names decide that: when one of
/// them has a name more or fewer, it may find others.
pub fn search(tree: &Tree, folder: &Path, pattern: &str) -> (Vec<PathBuf>, Vec<PathBuf>) {
    let mut found = vec![folder.to_owned()];
    let mut looked = Vec::new();
    for part in Path::new(pattern).components() {
        let name = part.as_os_str().to_string_lossy();
        if is_pattern(&name) {
            looked.extend(found.iter().filter(|path| tree.is_dir(path)).cloned());
        }
        found = match &*name {
            "." => continue,
            "**" => found.into_iter().flat_map(|folder| folders_below(tree, folder)).collect(),
            pattern if is_pattern(pattern) => found
                .iter()
                .flat_map(|folder| entries(tree, folder))
                .filter(|path| path.file_name().is_some_and(|name| matches(pattern, &name.to_string_lossy())))
                .collect(),
            plain => found.iter().map(|folder| join(folder, plain)).filter(|path| tree.exists(path)).collect(),
        };
    }
    found.retain(|path| tree.is_file(path));
    found.sort();
    (found, looked)
}

/// What is in a folder; a folder that cannot be read has nothing to offer to a pattern.
fn entries(tree: &Tree, folder: &Path) -> Vec<PathBuf> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let names = tree.names(folder).unwrap_or_default();
    names.into_iter().map(|name| join(folder, &name.to_string_lossy())).collect()
}

/// A folder and every folder below it. Symbolic links are not followed, as they may lead back.
fn folders_below(tree: &Tree, folder: PathBuf) -> Vec<PathBuf> {
    let mut all = vec![folder];
    let mut next = 0;
    while next < all.len() {
        let inner = entries(tree, &all[next]);
        all.extend(inner.into_iter().filter(|path| tree.is_dir(path) && !tree.is_link(path) && !is_hidden(path)));
        next += 1;
    }
    all
}

fn is_hidden(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
}

/// Whether a name fits a pattern of `*` and `?`. As in a shell, a leading dot must be written.
pub fn matches(pattern: &str, name: &str) -> bool {
    if name.starts_with('.') && !pattern.starts_with('.') {
        return false;
    }
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    let (mut p, mut n) = (0, 0);
    // Where to resume when the latest `*` has to take one more character.
    let mut retry = None;
    while n < name.len() {
        match pattern.get(p) {
            Some('*') => {
                retry = Some((p + 1, n + 1));
                p += 1;
            }
            Some(&c) if c == '?' || c == name[n] => (p, n) = (p + 1, n + 1),
            _ => match retry {
                Some((after_star, resume)) => {
                    (p, n) = (after_star, resume);
                    retry = Some((after_star, resume + 1));
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|&c| c == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_matcher_agrees_with_a_slow_one() {
        /// The definition, by trying everything.
        fn slow(pattern: &[u8], name: &[u8]) -> bool {
            match (pattern.split_first(), name.split_first()) {
                (None, None) => true,
                (Some((b'*', rest)), _) if slow(rest, name) => true,
                (Some((b'*', _)), Some((_, tail))) => slow(pattern, tail),
                (Some((&c, rest)), Some((&d, tail))) => (c == b'?' || c == d) && slow(rest, tail),
                _ => false,
            }
        }
        /// All words of up to five letters.
        fn all(letters: &[char]) -> Vec<String> {
            let mut words = vec![String::new()];
            let mut last = words.clone();
            for _ in 0..5 {
                last = last.iter().flat_map(|word| letters.iter().map(move |c| format!("{word}{c}"))).collect();
                words.extend_from_slice(&last);
            }
            words
        }
        for pattern in all(&['a', 'b', '*', '?']) {
            for name in all(&['a', 'b']) {
                let expect = slow(pattern.as_bytes(), name.as_bytes());
                assert_eq!(matches(&pattern, &name), expect, "{pattern} on {name}");
            }
        }
    }
}
