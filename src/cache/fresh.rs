//! Whether what a command read is still the same.

use crate::project::filelist::pattern::search;
use crate::report::record::Read;
use crate::source::Tree;
use rustc_hash::FxHashMap;
use std::path::{Path, PathBuf};

/// Files that matter in a folder whose names are watched, beside those that were read.
const ENDINGS: &[&str] =
    &["v", "sv", "svh", "vh", "vhd", "vhdl", "h", "hh", "hpp", "hxx", "inc", "def", "f", "cpp", "cc", "cxx", "sdc"];

/// Hashes of files and folders, each looked at once in a run.
pub struct Files<'t> {
    tree: &'t Tree,
    base: PathBuf,
    known: FxHashMap<(String, bool), String>,
}

impl Files<'_> {
    /// Files of a tree; paths are relative to this folder.
    pub fn new<'t>(tree: &'t Tree, base: &Path) -> Files<'t> {
        Files { tree, base: base.to_path_buf(), known: FxHashMap::default() }
    }

    /// The first thing that is not as it was.
    pub fn changed(&mut self, read: &[Read]) -> Option<String> {
        // A command that says nothing of what it read is never known to be the same.
        if read.is_empty() {
            return Some("what it reads is not known".into());
        }
        let changed = read.iter().find(|r| self.hash(r) != r.hash)?;
        Some(match changed.path.strip_prefix('$') {
            Some(name) => format!("the variable {name} has changed"),
            None if changed.path == TODAY => "it depends on the date".into(),
            None if pattern_of(&changed.path).is_some() => {
                format!("other files fit {}", pattern_of(&changed.path).unwrap_or_default())
            }
            None if changed.folder => format!("files were added to or removed from {}", changed.path),
            None if changed.hash.is_empty() => format!("{} is there now", changed.path),
            None if !self.tree.exists(&self.base.join(&changed.path)) => format!("{} is gone", changed.path),
            None => format!("{} has changed", changed.path),
        })
    }

    fn hash(&mut self, r: &Read) -> String {
        let key = (r.path.clone(), r.folder);
        if let Some(h) = self.known.get(&key) {
            return h.clone();
        }
        let h = hash(self.tree, &self.base, &r.path, r.folder);
        self.known.insert(key, h.clone());
        h
    }
}

/// No file has this hash: what depends on such a thing is never known to be the same.
pub const UNKNOWN: &str = "unknown";

/// Stands for the date.
pub const TODAY: &str = "today";

/// Stands before a pattern of file names: what is read is which files it finds.
const PATTERN: char = '*';
/// The hash of a folder where a file was looked for: something is there, and nothing to be read.
const FOLDER: &str = "folder";

/// A pattern as something that is read.
pub fn pattern(of: &Path) -> PathBuf {
    PathBuf::from(format!("{PATTERN}{}", of.display()))
}

/// The pattern, if that is what is read.
pub fn pattern_of(path: &str) -> Option<&str> {
    path.strip_prefix(PATTERN)
}

/// The hash of what a pattern finds, by names from a folder.
pub fn found(base: &Path, files: &[PathBuf]) -> String {
    let mut h = blake3::Hasher::new();
    for f in files {
        h.update(f.strip_prefix(base).unwrap_or(f).as_os_str().as_encoded_bytes());
        h.update(&[0]);
    }
    h.finalize().to_hex().to_string()
}

/// Whether a file of this name matters in a folder in which sources are looked for.
pub fn is_watched(path: &Path) -> bool {
    path.extension().is_some_and(|e| ENDINGS.iter().any(|x| e.eq_ignore_ascii_case(x)))
}

/// What the hash of a thing on the disk is now: a file, a folder's names, `$NAME` for a variable, a
/// [`pattern`], [`TODAY`].
pub fn now(base: &Path, path: &str, folder: bool) -> String {
    hash(&Tree::default(), base, path, folder)
}

fn hash(tree: &Tree, base: &Path, path: &str, folder: bool) -> String {
    if let Some(name) = path.strip_prefix('$') {
        return std::env::var_os(name)
            .map_or(String::new(), |v| blake3::hash(v.as_encoded_bytes()).to_hex().to_string());
    }
    if path == TODAY {
        let day =
            std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |d| d.as_secs() / 86_400);
        return day.to_string();
    }
    if let Some(pattern) = pattern_of(path) {
        return found(base, &search(tree, base, pattern).0);
    }
    let full = base.join(path);
    if !folder {
        return match tree.read(&full) {
            Ok(bytes) => blake3::hash(&bytes).to_hex().to_string(),
            Err(_) if tree.is_dir(&full) => FOLDER.into(),
            Err(_) => String::new(),
        };
    }
    let Ok(list) = tree.names(&full) else { return String::new() };
    let watched = list.iter().filter(|name| is_watched(Path::new(name)));
    let mut names: Vec<String> = watched.map(|name| name.to_string_lossy().into_owned()).collect();
    names.sort();
    blake3::hash(names.join("\n").as_bytes()).to_hex().to_string()
}
