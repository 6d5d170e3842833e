//! The modules of a group: found by reading the texts, each with a file list that both entail and
//! Verilator take.

use super::wheels::Group;
use std::path::{Path, PathBuf};

/// A module that may be a top.
#[derive(Clone, Debug)]
pub struct Module {
    pub name: String,
    /// Where it is defined, relative to the wheel.
    pub file: String,
    /// The words of its file list.
    pub words: Vec<String>,
}

/// Every module of the group, in the order of folders and file names.
pub fn modules(corpus: &Path, group: &Group) -> Vec<Module> {
    let wheel = corpus.join(group.wheel);
    let root = wheel.join(group.root);
    let folders: Vec<PathBuf> = group.tops.iter().flat_map(|pattern| expand(&root, pattern)).collect();
    assert!(!folders.is_empty(), "{}: none of {:?} is there; run scripts/corpus.sh", root.display(), group.tops);
    let mut out: Vec<Module> = Vec::new();
    for file in folders.iter().flat_map(|folder| sources(folder)) {
        let relative = file.strip_prefix(&wheel).expect("a file of the wheel").display().to_string();
        let stem = file.file_stem().expect("a file").to_string_lossy().into_owned();
        if stem.ends_with("_tb") || stem.starts_with("testbench") {
            continue;
        }
        let text = String::from_utf8_lossy(&std::fs::read(&file).expect("a readable file")).into_owned();
        for name in module_names(&text).into_iter().filter(|n| n != "tb") {
            let words = list(&root, group, &folders, &file);
            out.push(Module { name, file: relative.clone(), words });
        }
    }
    out
}

/// The file list for the modules of `file`.
fn list(root: &Path, group: &Group, folders: &[PathBuf], file: &Path) -> Vec<String> {
    let path = |p: &str| root.join(p).display().to_string();
    let mut words: Vec<String> = Vec::new();
    words.extend(group.defines.iter().map(|d| format!("+define+{d}")));
    words.extend(group.incdirs.iter().map(|d| format!("+incdir+{}", path(d))));
    words.push("+libext+.sv+.v".to_string());
    let library = folders.iter().map(|d| d.display().to_string()).chain(group.libdirs.iter().map(|d| path(d)));
    words.extend(library.flat_map(|d| ["-y".to_string(), d]));
    words.extend(group.libfiles.iter().flat_map(|f| ["-v".to_string(), path(f)]));
    words.extend(group.first.iter().map(|p| path(p)).filter(|p| Path::new(p) != file));
    words.push(file.display().to_string());
    words
}

/// The folders a pattern names; `*` is any one name.
fn expand(root: &Path, pattern: &str) -> Vec<PathBuf> {
    let mut found = vec![root.to_path_buf()];
    for part in pattern.split('/').filter(|p| *p != ".") {
        found = found
            .into_iter()
            .flat_map(|d| if part == "*" { entries(&d) } else { vec![d.join(part)] })
            .filter(|d| d.is_dir())
            .collect();
    }
    found
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> =
        std::fs::read_dir(folder).map(|d| d.flatten().map(|e| e.path()).collect()).unwrap_or_default();
    found.sort();
    found
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let is_source = |p: &PathBuf| p.is_file() && p.extension().is_some_and(|e| e == "v" || e == "sv");
    entries(folder).into_iter().filter(is_source).collect()
}

/// The names after the keyword `module`, comments and strings left out.
fn module_names(text: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let words = words(text);
    for (i, w) in words.iter().enumerate() {
        if w == "module" || w == "macromodule" {
            let name = words[i + 1..].iter().find(|w| *w != "automatic" && *w != "static");
            if let Some(name) = name.filter(|n| !names.contains(n)) {
                names.push(name.clone());
            }
        }
    }
    names
}

fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
        let skip = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |i| i + 2)
        } else if c == '"' {
            rest[1..].find('"').map_or(rest.len(), |i| i + 2)
        } else if is_word(c) || c == '`' {
            let end = rest[1..].find(|c| !is_word(c)).map_or(rest.len(), |i| i + 1);
            words.push(rest[..end].to_string());
            end
        } else {
            c.len_utf8()
        };
        rest = &rest[skip..];
    }
    words
}
