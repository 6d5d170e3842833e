//! The store of syntax trees: what a file parsed to, keyed by what it was parsed from.
//!
//! A key is the hash of the tool's own parser sources, the file's text, the macros defined before
//! it, the include path, and every file the text may include, as it is found now: a header that changed is noticed, and
//! so is one that has come to lie in front of another. The store never fails a run: an unreadable or damaged entry is a
//! miss, and a write that fails is forgotten.

use super::ast::Unit;
use crate::source::FileId;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::path::{Path, PathBuf};

/// The sources that decide what a tree looks like; part of every key.
const FINGERPRINT: &[&str] = &[
    env!("CARGO_PKG_VERSION"),
    include_str!("ast.rs"),
    include_str!("ast/property.rs"),
    include_str!("cache.rs"),
    include_str!("lexer.rs"),
    include_str!("read.rs"),
    include_str!("parse/mod.rs"),
    include_str!("parse/expr.rs"),
    include_str!("parse/items.rs"),
    include_str!("parse/number.rs"),
    include_str!("parse/ports.rs"),
    include_str!("parse/property.rs"),
    include_str!("parse/stmt.rs"),
    include_str!("parse/types.rs"),
    include_str!("../../word/bits.rs"),
];

/// A macro definition that can be stored.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Macro {
    pub name: String,
    pub args: Vec<(String, Option<String>)>,
    pub text: Option<String>,
    /// Defined without a body record (from the command line).
    pub bare: bool,
}

/// One stored parse.
#[derive(Serialize, Deserialize)]
pub struct Entry {
    /// Files the spans refer to, by local number.
    pub files: Vec<PathBuf>,
    /// Macros in force after the file.
    pub macros: Vec<Macro>,
    /// The tree, postcard-encoded with local file numbers.
    pub unit: Vec<u8>,
}

/// Files that a text may include, each with the hash of its contents.
pub type Includes = Vec<(PathBuf, [u8; 32])>;

/// Hash of everything a parse depends on.
pub fn key(path: &Path, text: &str, macros: &[Macro], incdirs: &[PathBuf], includes: &Includes) -> String {
    let mut h = blake3::Hasher::new();
    for f in FINGERPRINT {
        h.update(blake3::hash(f.as_bytes()).as_bytes());
    }
    let mut field = |b: &[u8]| {
        h.update(&(b.len() as u64).to_le_bytes());
        h.update(b);
    };
    field(path.as_os_str().as_encoded_bytes());
    field(text.as_bytes());
    for m in macros {
        field(format!("{m:?}").as_bytes());
    }
    for d in incdirs {
        field(d.as_os_str().as_encoded_bytes());
    }
    field(b"includes");
    for (p, hash) in includes {
        field(p.as_os_str().as_encoded_bytes());
        field(hash);
    }
    h.finalize().to_hex().to_string()
}

/// The entry under `key`, if it is there.
pub fn load(dir: &Path, key: &str) -> Option<Entry> {
    postcard::from_bytes(&std::fs::read(dir.join(key)).ok()?).ok()
}

/// Writes an entry so that a reader sees all of it or nothing.
pub fn store(dir: &Path, key: &str, entry: &Entry) {
    let Ok(bytes) = postcard::to_stdvec(entry) else { return };
    let tmp = dir.join(format!("{key}.{}.tmp", std::process::id()));
    if std::fs::create_dir_all(dir).is_ok() && std::fs::write(&tmp, bytes).is_ok() {
        let _ = std::fs::rename(&tmp, dir.join(key));
    }
}

thread_local! {
    /// Global file numbers by local number while a tree is read or written on this thread.
    static FILES: RefCell<Vec<FileId>> = const { RefCell::new(Vec::new()) };
}

/// Encodes a tree; `files` gives local numbers by position.
pub fn encode(unit: &Unit, files: Vec<FileId>) -> Option<Vec<u8>> {
    FILES.set(files);
    postcard::to_stdvec(unit).ok()
}

/// Decodes a tree, turning local file numbers into those of `files`.
pub fn decode(bytes: &[u8], files: Vec<FileId>) -> Option<Unit> {
    FILES.set(files);
    postcard::from_bytes(bytes).ok()
}

/// `#[serde(with)]` for spans: the file number is local to the stored tree.
pub mod span {
    use super::FILES;
    use crate::source::{FileId, Span};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(s: &Span, ser: S) -> Result<S::Ok, S::Error> {
        let local = FILES.with_borrow(|f| f.iter().position(|id| *id == s.file));
        (local.map_or(u32::MAX, |i| i as u32), s.lo, s.hi.saturating_sub(s.lo)).serialize(ser)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(de: D) -> Result<Span, D::Error> {
        let (file, lo, len) = <(u32, u32, u32)>::deserialize(de)?;
        let file = FILES.with_borrow(|f| f.get(file as usize).copied());
        Ok(file.map_or(Span::NONE, |file: FileId| Span { file, lo, hi: lo.saturating_add(len) }))
    }
}
