//! What jobs depend on, as rules for make.
//!
//! Make compares dates of files. Of what it can date, everything is named: files that were read, folders in which
//! others could have been found, and this program, since another version may answer otherwise. What it cannot
//! date (environment variables, the day, a job that does not say what it reads) makes it ask each time: `entail run`
//! looks at contents and is quick where nothing has changed.

use crate::cache::{TODAY, UNKNOWN, pattern_of};
use crate::project::file::Project;
use crate::project::filelist::pattern::search;
use crate::report::record::{Read, Report};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

/// The usual name of a prerequisite that is always newer.
const ALWAYS: &str = "FORCE";

/// Rules for a target that stands for the jobs of a report. Each file has an empty rule of its own, so that one that
/// is gone is no error, but a reason to run again.
pub fn rules(p: &Project, report: &Report, target: &str) -> String {
    let mut all: BTreeSet<String> = p.files.iter().map(|f| plain(f)).collect();
    all.extend(p.looked.iter().filter_map(|f| folder(f)));
    all.extend(std::env::current_exe().ok().map(|f| plain(&f)));
    let mut always = false;
    for j in &report.jobs {
        let read = j.record.as_ref().map_or(&[][..], |r| &r.read);
        always |= read.is_empty() || read.iter().any(cannot_be_dated);
        for pattern in read.iter().filter_map(|r| pattern_of(&r.path)) {
            all.extend(search(&p.tree, &p.folder, pattern).1.iter().filter_map(|f| folder(f)));
        }
        let plain_file = |r: &&Read| !cannot_be_dated(r) && !r.path.starts_with('$') && pattern_of(&r.path).is_none();
        all.extend(read.iter().filter(plain_file).filter_map(|r| {
            let path = p.folder.join(&r.path);
            // A file that is not there shows when it comes by the date of the folder it comes to.
            if r.folder || r.hash.is_empty() { folder(&path) } else { Some(plain(&path)) }
        }));
    }
    let escape = |s: &str| s.replace('$', "$$").replace(' ', "\\ ").replace('#', "\\#");
    let mut out = format!("{}:", escape(target));
    for f in &all {
        let _ = write!(out, " \\\n  {}", escape(f));
    }
    if always {
        let _ = write!(out, " \\\n  {ALWAYS}");
    }
    out.push('\n');
    for f in &all {
        let _ = writeln!(out, "{}:", escape(f));
    }
    if always {
        let _ = writeln!(out, ".PHONY: {ALWAYS}\n{ALWAYS}:");
    }
    out
}

fn cannot_be_dated(r: &Read) -> bool {
    // A variable that was not set is one of the many that a library looks for: make sees none of them anyway.
    (r.path.starts_with('$') && !r.hash.is_empty()) || r.path == TODAY || r.hash == UNKNOWN
}

/// A folder, or the nearest one above that is there. It is named by its own entry, for `sim` could be a target of
/// somebody's that is no folder.
fn folder(path: &Path) -> Option<String> {
    let here = path.ancestors().find(|f| f.is_dir() || f.as_os_str().is_empty())?;
    Some(format!("{}/.", plain(if here.as_os_str().is_empty() { Path::new(".") } else { here })))
}

/// A path as make knows it.
fn plain(path: &Path) -> String {
    let short: std::path::PathBuf = path.components().filter(|c| *c != std::path::Component::CurDir).collect();
    if short.as_os_str().is_empty() { ".".into() } else { short.display().to_string() }
}
