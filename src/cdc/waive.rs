//! Waivers: findings that somebody has looked at and takes responsibility for.

use super::findings::Finding;
use super::rules;
use super::sdc::fits;
use crate::source::{Diagnostic, FileId, Span, codes};
use serde::Deserialize;

/// An entry of a waiver file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Waiver {
    /// Code or name of a rule.
    pub rule: String,
    /// Pattern with `*` and `?` for the path of the finding.
    pub path: String,
    /// Why it is no mistake.
    pub reason: String,
    /// Who says so.
    pub owner: String,
    /// Last day on which it counts, as `2027-06-30`.
    #[serde(default)]
    pub expires: Option<String>,
}

/// Reads a waiver file: a list of entries.
pub fn read(text: &str, file: FileId) -> (Vec<Waiver>, Vec<Diagnostic>) {
    let whole = Span::new(file, 0, text.len().min(1) as u32);
    let bad = |at: Span, what: String| Diagnostic::error(codes::E1003, what).at(at, "");
    let list: Vec<Waiver> = match serde_yaml::from_str(text) {
        Ok(list) => list,
        Err(e) => {
            let at = e.location().map_or(whole, |l| {
                let lo = l.index().min(text.len()) as u32;
                Span::new(file, lo, (lo + 1).min(text.len() as u32))
            });
            return (Vec::new(), vec![bad(at, e.to_string())]);
        }
    };
    let mut found = Vec::new();
    for w in &list {
        let at = text.find(&w.path).map_or(whole, |i| Span::new(file, i as u32, (i + w.path.len()) as u32));
        if rules::rule(&w.rule).is_none() {
            found.push(bad(at, format!("there is no rule `{}`", w.rule)).help("`entail explain` lists them"));
        }
        if w.reason.trim().is_empty() || w.owner.trim().is_empty() {
            found.push(bad(at, "a waiver needs a reason and an owner".into()));
        }
        if let Some(d) = &w.expires
            && !is_date(d)
        {
            found.push(bad(at, format!("`{d}` is no date like 2027-06-30")));
        }
    }
    (list, found)
}

/// Whether a text is a date of the calendar as `YYYY-MM-DD`.
fn is_date(d: &str) -> bool {
    let parts: Vec<&str> = d.split('-').collect();
    let [y, m, day] = parts.as_slice() else { return false };
    let number = |s: &str, len: usize| (s.len() == len).then(|| s.parse::<u32>().ok()).flatten();
    let (Some(y), Some(m), Some(day)) = (number(y, 4), number(m, 2), number(day, 2)) else { return false };
    let leap = y.is_multiple_of(4) && !y.is_multiple_of(100) || y.is_multiple_of(400);
    let days = [31, 28 + leap as u32, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    (1..=12).contains(&m) && (1..=days[m as usize - 1]).contains(&day)
}

/// Takes out what is waived. `today` is a date as `YYYY-MM-DD`. Returns how many were taken out.
pub fn apply(findings: &mut Vec<Finding>, waivers: &[Waiver], today: &str, file: FileId, text: &str) -> usize {
    let before = findings.len();
    let mut used = vec![false; waivers.len()];
    let fit =
        |w: &Waiver, f: &Finding| rules::rule(&w.rule).is_some_and(|r| r.code == f.rule) && fits(&w.path, &f.path);
    findings.retain(|f| {
        let mut waived = false;
        for (w, used) in waivers.iter().zip(&mut used) {
            if fit(w, f) {
                *used = true;
                // Dates in this form are ordered as texts are.
                waived |= w.expires.as_deref().is_none_or(|d| d >= today);
            }
        }
        !waived
    });
    let gone = before - findings.len();
    for (w, used) in waivers.iter().zip(used) {
        let at = text.find(&w.path).map_or(Span::NONE, |i| Span::new(file, i as u32, (i + w.path.len()) as u32));
        let expired = w.expires.as_deref().is_some_and(|d| d < today);
        let (rule, message) = match (used, expired) {
            (true, true) => (
                "C030",
                format!("the waiver of {} for `{}` expired on {}", w.rule, w.path, w.expires.as_deref().unwrap_or("")),
            ),
            (false, _) => ("C031", format!("the waiver of {} for `{}` waives nothing", w.rule, w.path)),
            _ => continue,
        };
        let severity = rules::rule(rule).map_or(crate::source::Severity::Warning, |r| r.severity());
        let diagnostic = Diagnostic::new(rules::code(rule), severity, message)
            .at(at, format!("owner: {}, reason: {}", w.owner, w.reason));
        let (from, to) = (String::new(), String::new());
        findings.push(Finding { rule: if used { "C030" } else { "C031" }, path: w.path.clone(), from, to, diagnostic });
    }
    gone
}
