//! Which jobs are meant, which of them must be run, and why.

use crate::cache::{Files, Kept, Store, is_watched, pattern_of};
use crate::project::changed::{self, Change};
use crate::project::file::{Job, Project, Suite};
use crate::project::filelist::pattern::{self, is_pattern};
use crate::project::yaml::nearest;
use crate::report::record::{JobReport, Past, Read, Record, Status};
use std::path::{Path, PathBuf};

/// What the command line asks for.
pub struct Choice<'c> {
    /// Jobs, suites, patterns.
    pub names: &'c [String],
    /// A git revision.
    pub since: Option<&'c str>,
    /// Whether nothing is taken as known.
    pub again: bool,
    /// Whether jobs without an answer are run again.
    pub retry_unknown: bool,
    /// The program.
    pub tool: String,
}

/// A job of this run.
pub struct Planned<'p> {
    /// The job.
    pub job: &'p Job,
    /// Its command line, without the program.
    pub words: Vec<String>,
    /// Most seconds and megabytes.
    pub limits: (u64, u64),
    /// What its records are stored under.
    pub spec: String,
    /// Why it is run, or is not.
    pub why: String,
    /// What is known, if nothing has changed.
    pub cached: Option<(Record, Kept)>,
    /// It is not run, since the change that was asked about cannot affect it.
    pub skipped: bool,
    /// How long it took last time; endless if that is not known.
    pub expected: f64,
    /// Its earlier runs.
    pub history: Vec<Past>,
}

impl Planned<'_> {
    /// A report of it.
    #[allow(clippy::too_many_arguments)]
    pub fn report(
        &self,
        status: Status,
        verdict: &str,
        record: Option<Record>,
        at: u64,
        seconds: f64,
        memory_kb: u64,
        cached: bool,
    ) -> JobReport {
        let expect = match &self.job.expect {
            crate::project::file::Expect::Job(w) => w.clone(),
            crate::project::file::Expect::Each(list) => {
                list.iter().map(|(p, w)| format!("{p}: {w}")).collect::<Vec<_>>().join(", ")
            }
        };
        JobReport {
            name: self.job.name.clone(),
            kind: self.job.kind.word().into(),
            design: self.job.design.clone(),
            status,
            verdict: verdict.into(),
            expect,
            why: self.why.clone(),
            cached,
            at,
            seconds,
            memory_kb,
            command: std::iter::once("entail".to_string()).chain(self.words.iter().cloned()).collect(),
            message: None,
            log: None,
            record,
            history: Vec::new(),
        }
    }
}

/// Positions of the jobs that names stand for, in the order of the project, each with the suite that bounds it.
pub fn select<'p>(p: &'p Project, names: &[String]) -> Result<Vec<(usize, Option<&'p Suite>)>, String> {
    let mut chosen: Vec<(usize, Option<&Suite>)> = Vec::new();
    let mut take = |i: usize, s: Option<&'p Suite>| {
        if !chosen.iter().any(|c| c.0 == i) {
            chosen.push((i, s));
        }
    };
    if names.is_empty() {
        match p.suites.iter().find(|s| s.name == "default") {
            Some(s) => s.jobs.iter().for_each(|i| take(*i, Some(s))),
            None => (0..p.jobs.len()).for_each(|i| take(i, None)),
        }
    }
    for n in names {
        if let Some(s) = p.suites.iter().find(|s| s.name == *n) {
            s.jobs.iter().for_each(|i| take(*i, Some(s)));
            continue;
        }
        let fits: Vec<usize> = (0..p.jobs.len()).filter(|i| pattern::matches(n, &p.jobs[*i].name)).collect();
        if fits.is_empty() {
            let all = p.jobs.iter().map(|j| j.name.as_str()).chain(p.suites.iter().map(|s| s.name.as_str()));
            let help = match nearest(n, all) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "`entail list` shows them".into(),
            };
            return Err(format!("there is no job or suite `{n}`\n  help: {help}"));
        }
        fits.into_iter().for_each(|i| take(i, None));
    }
    if chosen.is_empty() {
        let file = p.files.first().map_or("the project".into(), |f| f.display().to_string());
        return Err(format!("{file} has no jobs\n  help: write some under `jobs`"));
    }
    chosen.sort_by_key(|c| c.0);
    Ok(chosen)
}

/// What a job's records are stored under: its command line and the program.
pub fn spec(words: &[String], tool: &str) -> String {
    let mut h = blake3::Hasher::new();
    h.update(tool.as_bytes());
    for w in words {
        h.update(&(w.len() as u64).to_le_bytes());
        h.update(w.as_bytes());
    }
    h.finalize().to_hex().to_string()
}

/// Plans a run.
pub fn plan<'p>(p: &'p Project, store: &Store, c: &Choice) -> Result<Vec<Planned<'p>>, String> {
    let changes = c.since.map(|rev| changed::since(&p.folder, rev)).transpose()?;
    let mut files = Files::new(&p.tree, &p.folder);
    let mut all = Vec::new();
    store.together(|store| -> Result<(), String> {
        for (i, suite) in select(p, c.names)? {
            let job = &p.jobs[i];
            let words = p.words(job);
            let spec = spec(&words, &c.tool);
            let kept = store.records(&spec)?;
            let history = store.pasts(&job.name)?;
            let mut x = Planned {
                job,
                words,
                limits: p.limits(job, suite),
                spec,
                why: String::new(),
                cached: None,
                skipped: false,
                expected: kept.first().map_or(f64::INFINITY, |k| k.seconds),
                history,
            };
            let mut first = None;
            let mut fresh = None;
            for k in kept {
                match files.changed(&k.read) {
                    None => {
                        fresh = Some(k);
                        break;
                    }
                    Some(why) => {
                        first.get_or_insert((why, k.read));
                    }
                }
            }
            if let (Some(changes), Some(rev)) = (&changes, c.since) {
                // Only if what it reads now is known can it be said that the change is not about it.
                let read = fresh.as_ref().map(|k| &k.read).or(first.as_ref().map(|f| &f.1));
                match read.map(|r| touched(p, r, changes)) {
                    Some(None) if fresh.is_some() => {
                        x.skipped = true;
                        x.why = format!("nothing that it reads differs from {rev}");
                        all.push(x);
                        continue;
                    }
                    Some(Some(file)) => x.why = format!("{file} differs from {rev}"),
                    Some(None) | None => {}
                }
            }
            let known = fresh.map(|k| store.record(&k).map(|r| (r, k))).transpose()?;
            match known {
                Some(_) if c.again => x.why = "everything is run again".into(),
                Some((r, _)) if c.retry_unknown && r.exit == 3 => x.why = "it had no answer".into(),
                Some((r, k)) => {
                    x.why = "nothing that it reads has changed".into();
                    x.cached = Some((r, k));
                }
                None if !x.why.is_empty() => {}
                None => {
                    let last = x.history.first().map(|h| h.status);
                    x.why = match (first, last) {
                        (Some((why, _)), _) => why,
                        (None, None) => "it was never run".into(),
                        (None, Some(Status::Error)) => "its last run ended in an error".into(),
                        (None, Some(Status::Skipped)) => "its last run did not end".into(),
                        // A record of then is under another name, or there is none: it ran out of time or memory.
                        (None, Some(Status::Unknown)) => {
                            "its last run found no answer, or its options have changed".into()
                        }
                        (None, Some(_)) => "its options or the program have changed".into(),
                    }
                }
            }
            all.push(x);
        }
        Ok(())
    })?;
    Ok(all)
}

/// The first file of those that changed which a job reads, or a folder it looks into that has one more or one
/// fewer.
fn touched(p: &Project, read: &[Read], changes: &[Change]) -> Option<String> {
    let real = |path: &str| {
        let full = p.folder.join(path);
        // A file that was removed has no real path, its folder has.
        std::fs::canonicalize(&full).ok().or_else(|| {
            let folder = std::fs::canonicalize(full.parent()?).ok()?;
            Some(folder.join(full.file_name()?))
        })
    };
    // What is asked, and what is expected, stands in the project's own files.
    for f in &p.files {
        let path = f.display().to_string();
        if real(&path).is_some_and(|full| changes.iter().any(|c| c.path == full)) {
            return Some(path);
        }
    }
    for r in read {
        if let Some(pattern) = pattern_of(&r.path) {
            // A file more or fewer below the last folder that is named in full.
            let plain = Path::new(pattern).iter().take_while(|part| !is_pattern(&part.to_string_lossy()));
            let above = real(&plain.collect::<PathBuf>().display().to_string());
            if above.is_none_or(|above| changes.iter().any(|c| c.whole && c.path.starts_with(&above))) {
                return Some(pattern.to_string());
            }
            continue;
        }
        let Some(full) = real(&r.path) else { continue };
        let hit = |c: &Change| match r.folder {
            true => c.whole && c.path.parent() == Some(&full) && is_watched(&c.path),
            false => c.path == full,
        };
        if changes.iter().any(hit) {
            return Some(r.path.clone());
        }
    }
    None
}
