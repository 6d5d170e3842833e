//! Proofs in the store: a specification that was proved of a circuit is not proved again while both, and the
//! program, are the same. Files do not count: a comment in the design leaves the circuit as it was.

use super::super::ExitCode;
use super::super::record;
use super::tell;
use crate::cache::Store;
use crate::proof::script::load::Loaded;
use crate::report::record::{Item, ProofNode, Verdict};
use serde::{Deserialize, Serialize};

/// What is stored.
#[derive(Serialize, Deserialize)]
struct Stored {
    items: Vec<Item>,
    proof: Option<ProofNode>,
    code: i32,
}

/// A proof with what it depends on.
pub struct Asked {
    store: Store,
    key: String,
}

impl Asked {
    /// Nothing if there is no store, or if stored answers are not to be trusted: then all is proved again.
    pub fn new(l: &Loaded, spec: &str, options: &str) -> Option<Asked> {
        let store = record::store().filter(|_| !record::trust().recheck)?;
        let mut h = blake3::Hasher::new();
        // Everything that is decided comes from these: the specification's text, the words it was elaborated into
        // with the functions of libraries, the circuit, and what names of the design stand for.
        let circuit = l.circuit.hash().to_hex().to_string();
        let words = l.words.to_string();
        for text in [&super::super::fingerprint(), options, spec, &words, &circuit, &l.nodes.text()] {
            h.update(&(text.len() as u64).to_le_bytes());
            h.update(text.as_bytes());
        }
        Some(Asked { store, key: h.finalize().to_hex().to_string() })
    }

    /// Tells what is known.
    pub fn find(&self, colour: bool) -> Option<ExitCode> {
        let bytes = self.store.answer(&self.key).ok()??;
        let s: Stored = serde_json::from_slice(&bytes).ok()?;
        if record::trust().retry_unknown && s.code == ExitCode::Unknown as i32 {
            return None;
        }
        let code = [ExitCode::Ok, ExitCode::Unexpected, ExitCode::Unknown].into_iter().find(|c| *c as i32 == s.code)?;
        let items: Vec<Item> = s.items.into_iter().map(|i| Item { cached: true, ..i }).collect();
        for i in &items {
            let paint = match i.verdict {
                Verdict::Holds => "32",
                Verdict::Fails | Verdict::Broken => "31",
                _ => "33",
            };
            println!("{} {}  ({}, known from before)", tell::word(i.verdict.word(), paint, colour), i.name, i.detail);
        }
        record::add(|r| {
            r.items = items;
            r.proof = s.proof;
        });
        Some(code)
    }

    /// Keeps what was found just now.
    pub fn keep(&self, code: ExitCode) {
        if !matches!(code, ExitCode::Ok | ExitCode::Unexpected | ExitCode::Unknown) {
            return;
        }
        let mut stored = Stored { items: Vec::new(), proof: None, code: code as i32 };
        record::add(|r| {
            stored.items = r.items.iter().map(|i| Item { key: Some(self.key.clone()), ..i.clone() }).collect();
            stored.proof = r.proof.clone();
        });
        let bytes = serde_json::to_vec(&stored).map_err(|e| e.to_string());
        if let Err(e) = bytes.and_then(|b| Ok(self.store.keep_answer(&self.key, &b, record::now())?)) {
            eprintln!("warning: {e}");
        }
    }
}
