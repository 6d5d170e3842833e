//! Proofs in the store: a specification that was proved of a circuit is not proved again while both, and the
//! program, are the same. Files do not count: a comment in the design leaves the circuit as it was.
//!
//! With what was said goes the certificate, as `--json` writes it, in an answer of its own: it can be large, and only
//! `entail run --replay` reads it. It is then checked as `entail replay` does, and compared with the specification at
//! hand. Certificates show what holds, and nothing else: where something does not, or is not confirmed, all is proved
//! again.

use super::super::ExitCode;
use super::super::record;
use super::decide::says_nothing;
use super::tell;
use crate::cache::Store;
use crate::proof::file::{FORMAT, ProofFile};
use crate::proof::replay::{Said, replay};
use crate::proof::script::load::Loaded;
use crate::proof::second::Effort;
use crate::proof::tie;
use crate::report::record::{Item, ProofNode, Verdict};
use crate::ste::Control;
use serde::{Deserialize, Serialize};

/// Most bytes of a certificate in the store. A larger one takes longer to read and check than most proofs take.
const MOST: usize = 64 << 20;

/// What is stored.
#[derive(Serialize, Deserialize)]
struct Stored {
    items: Vec<Item>,
    proof: Option<ProofNode>,
    code: i32,
}

impl Stored {
    /// Whether a certificate can show all of it.
    fn is_shown(&self) -> bool {
        self.code == ExitCode::Ok as i32 && self.items.iter().all(|i| i.verdict == Verdict::Holds)
    }
}

/// A proof with what it depends on.
pub struct Asked {
    store: Store,
    key: String,
}

/// What a specification asks for, of which some is chosen.
pub struct Wanted<'l> {
    /// The specification.
    pub l: &'l Loaded,
    /// Positions of assertions.
    pub assertions: &'l [usize],
    /// Names of theorems.
    pub theorems: Vec<&'l str>,
    /// For questions about the specification itself.
    pub ctl: Control<'l>,
}

impl Asked {
    /// Nothing if there is no store.
    pub fn new(l: &Loaded, spec: &str, options: &str) -> Option<Asked> {
        let store = record::store()?;
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

    /// What the certificate is stored under.
    fn certificate(&self) -> String {
        format!("{} certificate", self.key)
    }

    /// Tells what is known; if the store is not to be trusted, only what its evidence shows.
    pub fn find(&self, wanted: &Wanted, colour: bool) -> Option<ExitCode> {
        let bytes = self.store.answer(&self.key).ok()??;
        let mut s: Stored = serde_json::from_slice(&bytes).ok()?;
        if record::trust().retry_unknown && s.code == ExitCode::Unknown as i32 {
            return None;
        }
        let mut code =
            [ExitCode::Ok, ExitCode::Unexpected, ExitCode::Unknown].into_iter().find(|c| *c as i32 == s.code)?;
        let mut how = "known from before";
        if record::trust().recheck {
            how = "known from before, checked again";
            if let Err((name, why)) = self.recheck(&s, wanted)? {
                let why = format!("stored evidence of `{name}` does not check: {why}");
                s.items.retain(|i| i.name != name);
                s.items.push(broken(name, why));
                code = ExitCode::Internal;
            }
        }
        let items: Vec<Item> = s.items.into_iter().map(|i| Item { cached: true, ..i }).collect();
        for i in &items {
            let paint = match i.verdict {
                Verdict::Holds => "32",
                Verdict::Fails | Verdict::Broken => "31",
                _ => "33",
            };
            let how = if i.verdict == Verdict::Broken { String::new() } else { format!(", {how}") };
            println!("{} {}  ({}{how})", tell::word(i.verdict.word(), paint, colour), i.name, i.detail);
        }
        record::add(|r| {
            r.items = items;
            r.proof = s.proof;
        });
        Some(code)
    }

    /// Checks the evidence for everything that is wanted with other code than made it. `Err` is the first thing it does
    /// not show, with the reason. Nothing if there is no evidence for all of it: it must be proved again.
    fn recheck(&self, s: &Stored, w: &Wanted) -> Option<Result<(), (String, String)>> {
        let expected = |i: &usize| w.l.assertions[*i].expect.as_deref().is_none_or(|e| e == "holds");
        let goal = w.l.spec.goal.as_ref().map(|g| g.text.as_str());
        let assertions = w.assertions.iter().map(|i| w.l.assertions[*i].assertion.name.as_str());
        let names: Vec<&str> = assertions.chain(w.theorems.iter().copied()).collect();
        if !s.is_shown() || !w.assertions.iter().all(expected) || goal.is_some_and(|g| !names.contains(&g)) {
            return None;
        }
        let bytes = self.store.answer(&self.certificate()).ok()??;
        let refused = |name: &str, why: &str| Some(Err((name.to_string(), why.to_string())));
        let file: ProofFile = match serde_json::from_slice(&bytes) {
            Ok(f) => f,
            Err(e) => return refused(names.first().unwrap_or(&""), &e.to_string()),
        };
        let all = file.steps.len();
        let mut done = |k: usize, _: &Said| record::progress(&format!("{} of {all} steps checked again", k + 1));
        let checked = if file.format == FORMAT { replay(&file, &Effort::default(), &mut done) } else { return None };
        let (mut rebuilt, said) = match checked {
            Ok(r) => r,
            Err(why) => return refused(names.first().unwrap_or(&""), &why),
        };
        for (step, said) in file.steps.iter().zip(&said) {
            match said {
                Said::Confirmed(_) => {}
                // It took more than this to confirm it.
                Said::Unchecked(_) => return None,
                Said::Refuted(why) => return refused(&step.name, why),
            }
        }
        if let Some(d) = tie::differences(&file, &mut rebuilt, w.l).first() {
            return refused(names.first().unwrap_or(&""), d);
        }
        for name in names {
            if !s.items.iter().any(|i| i.name == name) || !file.steps.iter().any(|s| s.name == name) {
                return refused(name, "it is not in the certificate");
            }
        }
        let silent = w.assertions.iter().find(|i| says_nothing(w.l, **i, &w.ctl));
        match silent {
            Some(i) => refused(&w.l.assertions[*i].assertion.name, "a sentence that should follow never says anything"),
            None => Some(Ok(())),
        }
    }

    /// Keeps what was found just now, with the certificate that shows it if it does.
    pub fn keep(&self, code: ExitCode, certificate: impl FnOnce() -> ProofFile) {
        if !matches!(code, ExitCode::Ok | ExitCode::Unexpected | ExitCode::Unknown) {
            return;
        }
        let mut stored = Stored { items: Vec::new(), proof: None, code: code as i32 };
        record::add(|r| {
            stored.items = r.items.iter().map(|i| Item { key: Some(self.key.clone()), ..i.clone() }).collect();
            stored.proof = r.proof.clone();
        });
        let certificate = stored.is_shown().then(certificate);
        if let Err(e) = self.put(&stored, certificate.as_ref()) {
            eprintln!("warning: {e}");
        }
    }

    fn put(&self, stored: &Stored, certificate: Option<&ProofFile>) -> Result<(), String> {
        let json = |e: serde_json::Error| e.to_string();
        let bytes = serde_json::to_vec(stored).map_err(json)?;
        // The certificate first: without it, what was said is not checked but proved again.
        let shown = certificate.map(serde_json::to_vec).transpose().map_err(json)?;
        if let Some(shown) = shown.filter(|b| b.len() <= MOST) {
            self.store.keep_answer(&self.certificate(), &shown, record::now())?;
        }
        Ok(self.store.keep_answer(&self.key, &bytes, record::now())?)
    }
}

/// Something that the store says and does not show.
fn broken(name: String, detail: String) -> Item {
    Item {
        name,
        verdict: Verdict::Broken,
        detail,
        engine: "store".into(),
        place: None,
        source: None,
        expect: None,
        seconds: 0.0,
        cached: true,
        key: None,
        wave: None,
        text: None,
    }
}
