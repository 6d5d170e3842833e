//! A run as JUnit XML, as CI servers read it.
//!
//! A suite for each design, a case for each item of a job; a job without items is one case. What a case says
//! follows what was expected of it: a counterexample that the project wants is a pass. Where no item carries the status of its job (it should have failed and did not, or its worker died),
//! a case named after the job does.
//!
//! No answer is written as `skipped`. Jenkins and GitLab count such cases apart from those that pass and those
//! that fail and show their message; as a `failure` they would claim a counterexample, as an `error` a broken
//! tool, and both turn the build red for a search that was merely too short. Who wants that has the exit code.

use std::fmt::Write;

use super::expect::unexpected;
use super::record::{Item, JobReport, Report, Status, Verdict, Wave};
use super::time::utc;
use super::words::count;

/// Most signals that are named in the text of a failure.
const SIGNALS: usize = 32;

/// The run as JUnit XML.
pub fn write(report: &Report) -> String {
    let mut designs: Vec<(&str, Vec<Case>)> = Vec::new();
    for job in &report.jobs {
        let at = designs.iter().position(|(design, _)| *design == job.design).unwrap_or_else(|| {
            designs.push((&job.design, Vec::new()));
            designs.len() - 1
        });
        designs[at].1.extend(cases(job));
    }
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites");
    attribute(&mut out, "name", &report.project);
    tally(&mut out, designs.iter().flat_map(|(_, cases)| cases), report.seconds);
    attribute(&mut out, "timestamp", &utc(report.at));
    out.push_str(">\n");
    for (design, cases) in &designs {
        suite(&mut out, report, design, cases);
    }
    out.push_str("</testsuites>\n");
    out
}

/// What a CI server makes of a case.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Result {
    Pass,
    Failure,
    Error,
    Skipped,
}

/// A case: an item of a job, or the job.
struct Case<'a> {
    job: &'a JobReport,
    item: Option<&'a Item>,
    result: Result,
}

fn cases(job: &JobReport) -> Vec<Case<'_>> {
    let items = job.record.as_ref().map_or(&[][..], |record| &record.items);
    let mut cases: Vec<Case> =
        items.iter().map(|item| Case { job, item: Some(item), result: of_item(job, item) }).collect();
    let whole = match job.status {
        Status::Pass => Result::Pass,
        Status::Fail => Result::Failure,
        Status::Error => Result::Error,
        Status::Unknown | Status::Skipped => Result::Skipped,
    };
    // A suite is as good as its worst case, which has to be as bad as the job.
    if cases.is_empty() || (whole != Result::Pass && cases.iter().all(|case| case.result != whole)) {
        cases.push(Case { job, item: None, result: whole });
    }
    cases
}

fn of_item(job: &JobReport, item: &Item) -> Result {
    match unexpected(job, item) {
        None => Result::Pass,
        Some(_) if item.verdict == Verdict::Broken => Result::Error,
        Some(u) if u.open => Result::Skipped,
        Some(_) => Result::Failure,
    }
}

fn suite(out: &mut String, report: &Report, design: &str, cases: &[Case]) {
    out.push_str("  <testsuite");
    attribute(out, "name", design);
    let mut seen: Vec<&JobReport> = cases.iter().map(|case| case.job).collect();
    seen.dedup_by(|a, b| std::ptr::eq(*a, *b));
    tally(out, cases.iter(), seen.iter().map(|job| number(job.seconds)).sum());
    attribute(out, "timestamp", &utc(report.at));
    out.push_str(">\n    <properties>\n");
    property(out, 6, "tool", &report.tool);
    property(out, 6, "selection", &report.selection.join(" "));
    if let Some(commit) = &report.commit {
        property(out, 6, "commit", commit);
    }
    out.push_str("    </properties>\n");
    cases.iter().for_each(|case| case.write(out));
    out.push_str("  </testsuite>\n");
}

/// The numbers of a suite.
fn tally<'a, 'b: 'a>(out: &mut String, cases: impl Iterator<Item = &'a Case<'b>> + Clone, seconds: f64) {
    let count = |result| cases.clone().filter(|case| case.result == result).count();
    attribute(out, "tests", &cases.clone().count().to_string());
    attribute(out, "failures", &count(Result::Failure).to_string());
    attribute(out, "errors", &count(Result::Error).to_string());
    attribute(out, "skipped", &count(Result::Skipped).to_string());
    attribute(out, "time", &format!("{:.3}", number(seconds)));
}

impl Case<'_> {
    fn write(&self, out: &mut String) {
        let job = self.job;
        out.push_str("    <testcase");
        attribute(out, "classname", &class(job));
        attribute(out, "name", self.item.map_or(&job.name, |item| &item.name));
        let seconds = number(self.item.map_or(job.seconds, |item| item.seconds));
        attribute(out, "time", &format!("{seconds:.3}"));
        if let Some(place) = self.item.and_then(|item| item.place.as_ref()) {
            attribute(out, "file", &place.file);
            attribute(out, "line", &place.line.to_string());
        }
        out.push_str(">\n      <properties>\n");
        property(out, 8, "seconds", &seconds.to_string());
        property(out, 8, "kind", &job.kind);
        property(out, 8, "verdict", self.item.map_or(&job.verdict, |item| item.verdict.word()));
        property(out, 8, "expected", self.item.and_then(|item| item.expect.as_ref()).unwrap_or(&job.expect));
        if let Some(item) = self.item.filter(|item| !item.engine.is_empty()) {
            property(out, 8, "engine", &item.engine);
        }
        let cached = job.cached || self.item.is_some_and(|item| item.cached);
        property(out, 8, "cached", if cached { "true" } else { "false" });
        if job.memory_kb > 0 && self.item.is_none() {
            property(out, 8, "memory_kb", &job.memory_kb.to_string());
        }
        out.push_str("      </properties>\n");
        let tag = match self.result {
            Result::Pass => "",
            Result::Failure => "failure",
            Result::Error => "error",
            Result::Skipped => "skipped",
        };
        if tag.is_empty() {
            // A verdict that is not plain *holds* is worth a line even where it is wanted.
            if let Some(item) = self.item.filter(|item| !matches!(item.verdict, Verdict::Holds | Verdict::Covered)) {
                element(out, "system-out", &said(item));
            }
        } else {
            let _ = write!(out, "      <{tag}");
            attribute(out, "message", &self.message());
            if self.result != Result::Skipped {
                attribute(out, "type", self.item.map_or(job.status.word(), |item| item.verdict.word()));
            }
            out.push('>');
            escape(out, &self.text(), false);
            let _ = writeln!(out, "</{tag}>");
            if let Some(log) = job.log.as_ref().filter(|_| self.item.is_none()) {
                element(out, "system-err", log);
            }
        }
        out.push_str("    </testcase>\n");
    }

    /// One sentence.
    fn message(&self) -> String {
        let job = self.job;
        match (self.item, &job.message) {
            (Some(item), _) => match unexpected(job, item).filter(|_| item.expect.is_some()) {
                Some(u) => u.words,
                None => said(item),
            },
            (None, Some(message)) => message.clone(),
            (None, None) if job.status == Status::Skipped => job.why.clone(),
            (None, None) => format!("found {}, expected {}", job.verdict, job.expect),
        }
    }

    /// All there is to say in text.
    fn text(&self) -> String {
        let mut lines = vec![self.message()];
        if let Some(item) = self.item {
            if let Some(place) = &item.place {
                lines.push(format!("at {}:{}:{}", place.file, place.line, place.column));
            }
            lines.extend(item.text.clone());
            lines.extend(item.wave.iter().flat_map(last_step));
        } else {
            let findings = job_findings(self.job);
            lines.extend(findings.filter(|finding| finding.severity == "error").map(|finding| {
                let place = finding.place.as_ref().map(|place| format!("{}:{}: ", place.file, place.line));
                format!("{}{}: {}", place.unwrap_or_default(), finding.code, finding.message)
            }));
        }
        if !self.job.command.is_empty() {
            lines.push(format!("repeat with: {}", shell(&self.job.command)));
        }
        lines.join("\n")
    }
}

fn job_findings(job: &JobReport) -> impl Iterator<Item = &super::record::Finding> {
    job.record.iter().flat_map(|record| &record.findings)
}

/// The verdict on an item, with what is known about it.
fn said(item: &Item) -> String {
    let word = item.verdict.word();
    if item.detail.is_empty() { word.to_owned() } else { format!("{word}: {}", item.detail) }
}

/// The end of a counterexample: the values of what matters.
fn last_step(wave: &Wave) -> Vec<String> {
    let mut lines = vec![format!("{} ({}), at the end:", wave.title, count(wave.steps, "step", "steps"))];
    let any = wave.signals.iter().any(|signal| signal.matters);
    for signal in wave.signals.iter().filter(|signal| signal.matters || !any).take(SIGNALS) {
        let value = signal.values.last().map_or("x", |(_, value)| value);
        lines.push(format!("  {} = {value}", signal.name));
    }
    lines
}

/// The design and the job, once where the job begins with its design.
fn class(job: &JobReport) -> String {
    match job.name.strip_prefix(&job.design) {
        Some(rest) if rest.starts_with('.') => job.name.clone(),
        _ => format!("{}.{}", job.design, job.name),
    }
}

/// A command line that a shell reads back as the same words.
fn shell(words: &[String]) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_@%+=:,./-".contains(c);
    let quoted = words.iter().map(|word| {
        if !word.is_empty() && word.chars().all(plain) {
            word.clone()
        } else {
            format!("'{}'", word.replace('\'', r"'\''"))
        }
    });
    quoted.collect::<Vec<_>>().join(" ")
}

/// Seconds that a server can add.
fn number(seconds: f64) -> f64 {
    if seconds.is_finite() && seconds > 0.0 { seconds } else { 0.0 }
}

fn property(out: &mut String, indent: usize, name: &str, value: &str) {
    let _ = write!(out, "{:indent$}<property", "");
    attribute(out, "name", name);
    attribute(out, "value", value);
    out.push_str("/>\n");
}

fn element(out: &mut String, tag: &str, text: &str) {
    let _ = write!(out, "      <{tag}>");
    escape(out, text, false);
    let _ = writeln!(out, "</{tag}>");
}

fn attribute(out: &mut String, name: &str, value: &str) {
    let _ = write!(out, " {name}=\"");
    escape(out, value, true);
    out.push('"');
}

/// The text as XML 1.0 may hold it. Control characters are not allowed in it in any form; they are written as
/// their pictures, so that the colours of a terminal can still be told from text.
fn escape(out: &mut String, text: &str, attribute: bool) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' if attribute => out.push_str("&quot;"),
            '\n' | '\t' if !attribute => out.push(c),
            // Kept as they are, they would be read as spaces or joined.
            '\n' | '\t' | '\r' => {
                let _ = write!(out, "&#{};", u32::from(c));
            }
            '\0'..='\x1f' => out.push(char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{fffd}')),
            '\x7f' => out.push('\u{2421}'),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::record::Record;
    use super::super::sample;
    use super::*;

    fn with(job: JobReport, items: Vec<Item>) -> JobReport {
        JobReport { record: Some(Record { items, ..Record::default() }), ..job }
    }

    /// The cases as `name result`.
    fn results(job: &JobReport) -> Vec<String> {
        let word = |result| match result {
            Result::Pass => "pass",
            Result::Failure => "failure",
            Result::Error => "error",
            Result::Skipped => "skipped",
        };
        let name = |case: &Case| case.item.map_or_else(|| case.job.name.clone(), |item| item.name.clone());
        cases(job).iter().map(|case| format!("{} {}", name(case), word(case.result))).collect()
    }

    #[test]
    fn cases_are_as_good_as_their_job() {
        let items = || vec![sample::item("a", Verdict::Holds), sample::item("b", Verdict::Fails)];
        let job = |status, verdict, expect| sample::job("j", status, verdict, expect);
        assert_eq!(results(&with(job(Status::Fail, "fails", "holds"), items())), ["a pass", "b failure"]);
        assert_eq!(results(&with(job(Status::Pass, "fails", "fails"), items())), ["a pass", "b pass"]);
        let holds = vec![sample::item("a", Verdict::Holds)];
        assert_eq!(results(&with(job(Status::Fail, "holds", "fails"), holds)), ["a pass", "j failure"]);
        let unknown = vec![sample::item("a", Verdict::Holds), sample::item("b", Verdict::Bounded)];
        assert_eq!(results(&with(job(Status::Unknown, "unknown", "holds"), unknown)), ["a pass", "b skipped"]);
        assert_eq!(results(&with(job(Status::Error, "error", "holds"), items())), ["a pass", "b failure", "j error"]);
        let broken = vec![sample::item("a", Verdict::Broken)];
        assert_eq!(results(&with(job(Status::Error, "error", "holds"), broken)), ["a error"]);
        // Both should fail, and one of them does.
        let each = |item: Item| Item { expect: Some("fails".into()), ..item };
        let both = vec![each(sample::item("a", Verdict::Fails)), each(sample::item("b", Verdict::Holds))];
        let report = with(job(Status::Fail, "fails", "a: fails, b: fails"), both);
        assert_eq!(results(&report), ["a pass", "b failure"]);
        assert!(write(&sample::run(vec![report])).contains("message=\"was expected to fail, and holds\""));
        assert_eq!(results(&job(Status::Skipped, "unknown", "holds")), ["j skipped"]);
        assert_eq!(results(&job(Status::Pass, "holds", "holds")), ["j pass"]);
    }

    #[test]
    fn nothing_hostile_gets_through() {
        let text = write(&sample::full());
        assert!(!text.contains("<img") && !text.contains("<!--") && !text.contains('\u{1b}'));
        assert!(text.contains("&lt;img src=x onerror=alert(1)&gt;&amp;&quot;'&lt;/script&gt;"));
        assert!(text.contains('\u{241b}'));
        assert!(text.chars().all(|c| c == '\n' || c >= ' '));
    }

    #[test]
    fn suites_add_up() {
        let mut report = sample::run(vec![
            sample::job("axi_fifo.a", Status::Pass, "holds", "holds"),
            sample::job("b", Status::Fail, "fails", "holds"),
        ]);
        report.jobs[1].seconds = f64::NAN;
        let text = write(&report);
        assert!(text.contains(
            "<testsuite name=\"axi_fifo\" tests=\"2\" failures=\"1\" errors=\"0\" skipped=\"0\" time=\"1.250\" \
             timestamp=\"2026-11-18T08:13:10Z\">"
        ));
        assert!(text.contains("<testcase classname=\"axi_fifo.a\" name=\"axi_fifo.a\""));
        assert!(text.contains("<testcase classname=\"axi_fifo.b\" name=\"b\" time=\"0.000\""));
        assert!(text.contains("<failure message=\"found fails, expected holds\" type=\"fail\">"));
        assert!(text.contains("repeat with: entail check 'a b.sv'"));
    }
}
