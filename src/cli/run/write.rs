//! The files that a run leaves for other programs and for people.

use super::{Run, deps};
use crate::project::file::Project;
use crate::report::expect::unexpected;
use crate::report::record::{Place, Report, Status};
use crate::report::root::from_root;
use crate::report::{html, junit, sarif};
use crate::runner::put;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

fn file(path: &Path, text: &str) -> Result<(), String> {
    put(path, text.as_bytes()).map_err(|e| format!("cannot write {}: {e}", path.display()))
}

/// Writes what was asked for.
pub fn write(run: &Run, p: &Project, report: &Report) -> Result<(), String> {
    if let Some(path) = &run.json {
        file(path, &serde_json::to_string(report).map_err(|e| e.to_string())?)?;
    }
    for (path, text) in
        [(&run.junit, junit::write as fn(&Report) -> String), (&run.sarif, sarif::write), (&run.report, html::write)]
    {
        if let Some(path) = path {
            file(path, &text(report))?;
        }
    }
    if let Some(path) = &run.deps {
        let target = run.deps_target.clone().unwrap_or_else(|| path.with_extension("").display().to_string());
        file(path, &deps::rules(p, report, &target))?;
    }
    Ok(())
}

/// Annotations for GitHub's log.
pub fn annotations(r: &Report) -> String {
    let mut out = String::new();
    let clean = |s: &str| s.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    let field = |s: &str| clean(s).replace(':', "%3A").replace(',', "%2C");
    let path = |p: &Place| format!("file={},line={},", field(&from_root(&r.folder, &p.file)), p.line);
    let mut seen = BTreeSet::new();
    for j in r.jobs.iter().filter(|j| !matches!(j.status, Status::Pass | Status::Skipped)) {
        let mut said = false;
        // Where what has no place in a source is shown.
        let home = r.places.get(&j.name).map_or(String::new(), path);
        if let Some(rec) = &j.record {
            for f in rec.findings.iter().filter(|f| f.severity != "note") {
                let kind = if f.severity == "error" { "error" } else { "warning" };
                let at = match &f.place {
                    Some(p) => format!("{}col={},", path(p), p.column),
                    None => home.clone(),
                };
                let line =
                    format!("::{kind} {at}title={}::{}", field(&format!("{} ({})", f.code, j.name)), clean(&f.message));
                said = true;
                if seen.insert(line.clone()) {
                    let _ = writeln!(out, "{line}");
                }
            }
            for i in &rec.items {
                let Some(off) = unexpected(j, i) else { continue };
                let kind = if off.open { "warning" } else { "error" };
                let at = i.place.as_ref().map_or(home.clone(), path);
                said = true;
                let text = format!("{} {}", i.name, off.words);
                let _ = writeln!(out, "::{kind} {at}title={}::{}", field(&j.name), clean(&text));
            }
        }
        if !said {
            let text = j.message.as_deref().unwrap_or(j.status.word());
            let _ = writeln!(out, "::error {home}title={}::{}", field(&j.name), clean(text));
        }
    }
    out
}
