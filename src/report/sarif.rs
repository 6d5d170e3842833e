//! A run as SARIF 2.1.0 (OASIS): one result for each finding, and one for each item that is not as it should be.
//!
//! Jobs of one design repeat the findings of its sources; each is written once. An item that fails in a job
//! that is as expected is not written: servers show every result as something to mend. The same item in two
//! jobs is two results, since they may differ in what is assumed.

use serde::Serialize;
use std::collections::HashSet;

use super::expect::unexpected;
use super::record::{self, Finding, Item, JobReport, Report, Status, Verdict};
use super::root::from_root;
use super::time::utc;
use crate::source::codes;

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// The rules that are not in the catalogue: what is said of items and jobs.
const RULES: [(&str, &str); 8] = [
    ("entail/broken", "the tool contradicts itself"),
    ("entail/error", "a job could not be run"),
    ("entail/fails", "a property fails"),
    ("entail/holds", "a property holds that was expected to fail"),
    ("entail/unknown", "no answer was found"),
    ("entail/unreachable", "a cover cannot be reached"),
    ("entail/vacuous", "a property says nothing"),
    (record::MISTAKE, "a mistake in what was asked for"),
];

/// The run as SARIF.
pub fn write(report: &Report) -> String {
    let mut results: Vec<Answer> = Vec::new();
    let mut seen = HashSet::new();
    for job in &report.jobs {
        let about = About { folder: &report.folder, job, place: report.places.get(&job.name) };
        let findings = job.record.iter().flat_map(|record| &record.findings);
        let mut wrong = false;
        for finding in findings {
            wrong |= finding.severity == "error";
            let answer = Answer::finding(&about, finding);
            if seen.insert(answer.identity()) {
                results.push(answer);
            }
        }
        if job.status == Status::Pass {
            continue;
        }
        let items = job.record.iter().flat_map(|record| &record.items);
        let mut answers: Vec<Answer> = items.filter_map(|item| Answer::item(&about, item)).collect();
        // A job that is not as expected is in the file in one way or the other.
        if answers.is_empty() && !(wrong && job.status == Status::Error) && job.status != Status::Skipped {
            answers.push(Answer::job(&about));
        }
        results.extend(answers.into_iter().filter(|answer| seen.insert(answer.identity())));
    }
    let mut ids: Vec<String> = results.iter().map(|answer| answer.rule_id.clone()).collect();
    ids.sort_unstable();
    ids.dedup();
    for answer in &mut results {
        answer.rule_index = ids.partition_point(|id| *id < answer.rule_id);
    }
    let driver = Driver {
        name: "entail",
        full_name: report.tool.clone(),
        version: version(&report.tool),
        rules: ids.iter().map(|id| Rule::new(id)).collect(),
    };
    let run = Run {
        tool: Tool { driver },
        invocations: [Invocation {
            execution_successful: report.jobs.iter().all(|job| job.status != Status::Error),
            end_time_utc: utc(report.at),
        }],
        column_kind: "unicodeCodePoints",
        properties: Properties {
            project: &report.project,
            selection: &report.selection,
            commit: report.commit.as_deref(),
        },
        results,
    };
    let log = Log { schema: SCHEMA, version: "2.1.0", runs: [run] };
    let text = serde_json::to_string_pretty(&log).expect("strings and numbers always serialize");
    text + "\n"
}

/// The version in the name of a program, or ours.
fn version(tool: &str) -> String {
    let last = tool.split_whitespace().next_back().filter(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    last.unwrap_or(env!("CARGO_PKG_VERSION")).to_owned()
}

#[derive(Serialize)]
struct Log<'a> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<'a> {
    tool: Tool,
    invocations: [Invocation; 1],
    column_kind: &'static str,
    properties: Properties<'a>,
    results: Vec<Answer>,
}

#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: &'static str,
    full_name: String,
    version: String,
    rules: Vec<Rule>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    execution_successful: bool,
    end_time_utc: String,
}

#[derive(Serialize)]
struct Properties<'a> {
    project: &'a str,
    selection: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    commit: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    short_description: Option<Message>,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<Help>,
}

/// The standard demands a plain text beside the Markdown; ours reads well as both.
#[derive(Serialize)]
struct Help {
    text: &'static str,
    markdown: &'static str,
}

#[derive(Clone, PartialEq, Eq, Hash, Serialize)]
struct Message {
    text: String,
}

/// What the standard calls a result.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Answer {
    rule_id: String,
    rule_index: usize,
    kind: &'static str,
    level: &'static str,
    message: Message,
    locations: Vec<Place>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Place>,
    #[serde(skip_serializing_if = "Option::is_none")]
    partial_fingerprints: Option<Fingerprints>,
}

/// What makes it the same result after lines have moved.
#[derive(Clone, PartialEq, Eq, Hash, Serialize)]
struct Fingerprints {
    #[serde(rename = "entailName/v1")]
    name: String,
}

#[derive(Clone, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
struct Place {
    #[serde(skip_serializing_if = "Option::is_none")]
    physical_location: Option<PhysicalLocation>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    logical_locations: Vec<LogicalLocation>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Message>,
}

#[derive(Clone, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<Region>,
}

#[derive(Clone, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
struct LogicalLocation {
    fully_qualified_name: String,
}

#[derive(Clone, PartialEq, Eq, Hash, Serialize)]
struct ArtifactLocation {
    uri: String,
}

#[derive(Clone, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_column: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_column: Option<u32>,
}

impl Rule {
    fn new(id: &str) -> Rule {
        let ours = RULES.iter().find(|(rule, _)| *rule == id).map(|&(_, text)| text);
        let entry = codes::lookup(id);
        Rule {
            id: id.to_owned(),
            short_description: ours.or(entry.map(|entry| entry.title)).map(|text| Message { text: text.to_owned() }),
            help: entry.map(|entry| Help { text: entry.explanation, markdown: entry.explanation }),
        }
    }
}

/// What a result is about.
struct About<'a> {
    /// Where the project lies in its repository.
    folder: &'a str,
    job: &'a JobReport,
    /// Where the job stands: the place of what has none in a source.
    place: Option<&'a record::Place>,
}

impl Answer {
    fn finding(about: &About, finding: &Finding) -> Answer {
        let notes = finding.notes.iter().map(|note| format!("note: {note}"));
        let help = finding.help.iter().map(|help| format!("help: {help}"));
        let mut lines = vec![finding.message.clone()];
        lines.extend(notes.chain(help));
        // The standard makes related locations a set.
        let mut related = Vec::new();
        for (place, text) in &finding.also {
            let place = Place::new(about.folder, place, text);
            if !related.contains(&place) {
                related.push(place);
            }
        }
        Answer {
            rule_id: finding.code.clone(),
            rule_index: 0,
            kind: "fail",
            level: match finding.severity.as_str() {
                "error" => "error",
                "warning" => "warning",
                _ => "note",
            },
            message: Message { text: lines.join("\n") },
            locations: finding
                .place
                .as_ref()
                .or(about.place)
                .map(|p| Place::new(about.folder, p, ""))
                .into_iter()
                .collect(),
            related_locations: related,
            partial_fingerprints: None,
        }
    }

    /// What is wrong with an item, if something is.
    fn item(about: &About, item: &Item) -> Option<Answer> {
        let off = unexpected(about.job, item)?;
        let rule = match item.verdict {
            Verdict::Broken => "entail/broken",
            Verdict::Unknown | Verdict::Bounded => "entail/unknown",
            Verdict::Fails => "entail/fails",
            Verdict::Unreachable => "entail/unreachable",
            Verdict::Vacuous => "entail/vacuous",
            Verdict::Holds | Verdict::HoldsUnchecked | Verdict::Covered => "entail/holds",
        };
        Some(Answer::new(about, rule, format!("{} {}", item.name, off.words), Some(item)))
    }

    /// That a job is not as expected.
    fn job(about: &About) -> Answer {
        let job = about.job;
        let rule = match job.status {
            Status::Error => "entail/error",
            Status::Unknown => "entail/unknown",
            _ if job.verdict == "holds" => "entail/holds",
            _ => "entail/fails",
        };
        let text = format!("found {}, expected {}", job.verdict, job.expect);
        Answer::new(about, rule, job.message.clone().unwrap_or(text), None)
    }

    fn new(about: &About, rule: &str, text: String, item: Option<&Item>) -> Answer {
        let job = about.job;
        let name = item.map_or_else(|| job.name.clone(), |item| format!("{}/{}", job.name, item.name));
        let place = item.and_then(|item| item.place.as_ref()).or(about.place);
        let physical_location = place.and_then(|place| physical(about.folder, place));
        let logical = LogicalLocation { fully_qualified_name: name.clone() };
        // What made outcomes differ.
        let races = job.record.iter().flat_map(|record| &record.races).flat_map(|race| [&race.first, &race.second]);
        let mut related: Vec<Place> = Vec::new();
        for access in races {
            let text = if access.write { "writes what processes share" } else { "reads what processes share" };
            let place = access.place.as_ref().map(|place| Place::new(about.folder, place, text));
            related.extend(place.filter(|place| !related.contains(place)));
        }
        // A result of any other kind than `fail` has no level.
        let (kind, level) = match rule {
            "entail/unknown" => ("open", "none"),
            "entail/vacuous" => ("fail", "warning"),
            _ => ("fail", "error"),
        };
        Answer {
            rule_id: rule.to_owned(),
            rule_index: 0,
            kind,
            level,
            message: Message { text: format!("{text} (job {})", job.name) },
            locations: vec![Place { physical_location, logical_locations: vec![logical], message: None }],
            related_locations: related,
            partial_fingerprints: Some(Fingerprints { name }),
        }
    }

    /// Two results with the same are one.
    fn identity(&self) -> (String, String, Vec<Place>) {
        (self.rule_id.clone(), self.message.text.clone(), self.locations.clone())
    }
}

impl Place {
    fn new(folder: &str, place: &record::Place, text: &str) -> Place {
        Place {
            physical_location: physical(folder, place),
            logical_locations: Vec::new(),
            message: (!text.is_empty()).then(|| Message { text: text.to_owned() }),
        }
    }
}

/// The place in its file; the whole file where no line is known.
fn physical(folder: &str, place: &record::Place) -> Option<PhysicalLocation> {
    if place.file.is_empty() {
        return None;
    }
    let start_column = (place.column > 0).then_some(place.column);
    // Ours is the last column, theirs the one after it.
    let end_column = (place.column > 0 && place.end >= place.column).then(|| place.end.saturating_add(1));
    let region = (place.line > 0).then_some(Region { start_line: place.line, start_column, end_column });
    Some(PhysicalLocation { artifact_location: ArtifactLocation { uri: uri(&from_root(folder, &place.file)) }, region })
}

/// The path as a URI reference (RFC 3986), relative where the path is: everything but unreserved characters
/// and slashes is percent-encoded, so that a colon cannot look like a scheme.
fn uri(path: &str) -> String {
    let mut uri = String::from(if path.starts_with('/') { "file://" } else { "" });
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => uri.push(char::from(byte)),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::super::record::Record;
    use super::super::sample;
    use super::*;
    use serde_json::{Value, json};

    fn results(report: &Report) -> Vec<Value> {
        let log: Value = serde_json::from_str(&write(report)).expect("JSON");
        let run = &log["runs"][0];
        let list = run["results"].as_array().cloned().expect("results");
        for one in &list {
            let index = one["ruleIndex"].as_u64().expect("an index") as usize;
            assert_eq!(run["tool"]["driver"]["rules"][index]["id"], one["ruleId"]);
        }
        list
    }

    #[test]
    fn findings_of_many_jobs_are_written_once() {
        let one = sample::full().jobs.remove(0);
        let mut two = one.clone();
        two.name = "other".into();
        let list = results(&sample::run(vec![one, two]));
        let ids: Vec<_> = list.iter().map(|result| result["ruleId"].as_str().unwrap_or("")).collect();
        assert_eq!(ids, ["E0204", "entail/fails", "entail/fails"]);
        let place = &list[0]["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "hw/rtl/axi%20fifo.sv");
        assert_eq!(place["region"], json!({ "startLine": 3, "startColumn": 5, "endColumn": 10 }));
    }

    #[test]
    fn what_is_expected_is_nothing_to_mend() {
        let job = |status, verdict: &str, expect: &str, items| JobReport {
            record: Some(Record { items, ..Record::default() }),
            ..sample::job("j", status, verdict, expect)
        };
        let fails = || vec![sample::item("a", Verdict::Fails)];
        assert!(results(&sample::run(vec![job(Status::Pass, "fails", "fails", fails())])).is_empty());
        let holds = vec![sample::item("a", Verdict::Holds)];
        let list = results(&sample::run(vec![job(Status::Fail, "holds", "fails", holds)]));
        assert_eq!(list[0]["ruleId"], "entail/holds");
        let place = &list[0]["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "hw/entail.yaml", "a job stands in the project's file");
        assert_eq!(place["region"]["startLine"], 6);
        // Both should fail, and one of them does.
        let each = |item: Item| Item { expect: Some("fails".into()), ..item };
        let both = vec![each(sample::item("a", Verdict::Fails)), each(sample::item("b", Verdict::Holds))];
        let list = results(&sample::run(vec![job(Status::Fail, "fails", "a: fails, b: fails", both)]));
        assert_eq!((list.len(), &list[0]["ruleId"]), (1, &json!("entail/holds")));
        assert_eq!(list[0]["message"]["text"], "b was expected to fail, and holds (job j)");
        let bounded = vec![sample::item("a", Verdict::Bounded)];
        let list = results(&sample::run(vec![job(Status::Unknown, "unknown", "holds", bounded)]));
        assert_eq!((&list[0]["kind"], &list[0]["level"]), (&json!("open"), &json!("none")));
        let list = results(&sample::run(vec![sample::job("j", Status::Error, "error", "holds")]));
        assert_eq!(list[0]["ruleId"], "entail/error");
        assert!(results(&sample::run(vec![sample::job("j", Status::Skipped, "unknown", "holds")])).is_empty());
    }

    #[test]
    fn paths_are_references() {
        assert_eq!(uri("rtl/a:b.sv"), "rtl/a%3Ab.sv");
        assert_eq!(uri("/rtl/é.sv"), "file:///rtl/%C3%A9.sv");
    }

    #[test]
    fn versions_come_from_the_tool() {
        assert_eq!(version("entail 3.1.4"), "3.1.4");
        assert_eq!(version("entail"), env!("CARGO_PKG_VERSION"));
    }
}
