//! Reports of runs of all sizes: read by a browser, by a parser of XML, and against what SARIF demands.
//!
//! The files stay in the folder `report` of Cargo's folder for tests, to be looked at.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use entail::report::record::{Report, Status};
use entail::report::{html, junit, sarif, schema};
use serde_json::Value;

#[path = "report/sample.rs"]
mod sample;

/// A folder for what the tests write.
fn folder() -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("report");
    fs::create_dir_all(&path).expect("a folder for the reports");
    path
}

/// The command's output; fails if the command does.
fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{command:?} failed:\n{out}{err}");
    out.into_owned()
}

/// Opens a report of so many jobs in a browser, and uses it.
fn browse(jobs: usize) {
    let report = sample::report(jobs, 1);
    let path = folder().join(format!("{jobs}.html"));
    let text = html::write(&report);
    fs::write(&path, &text).expect("the report is written");
    fs::write(folder().join(format!("{jobs}.json")), serde_json::to_string(&report).expect("JSON"))
        .expect("the data is written");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/report/browser.py");
    let out = run(Command::new("python3").arg(script).arg(&path).args(["--jobs", &jobs.to_string()]));
    println!("{jobs} jobs, {} kB\n{out}", text.len() / 1000);
}

#[test]
fn a_browser_reads_one_job() {
    browse(1);
}

#[test]
fn a_browser_reads_a_small_run() {
    browse(60);
}

#[test]
fn a_browser_reads_thousands_of_jobs() {
    browse(5_000);
}

/// Reads JUnit XML from its input and says what is in it.
const READ_JUNIT: &str = r#"
import sys, xml.etree.ElementTree as tree
root = tree.fromstring(sys.stdin.buffer.read())
assert root.tag == "testsuites", root.tag
total = [0, 0, 0, 0]
for suite in root:
    assert suite.tag == "testsuite", suite.tag
    cases = suite.findall("testcase")
    found = [len(cases)] + [sum(case.find(tag) is not None for case in cases) for tag in ("failure", "error", "skipped")]
    said = [int(suite.get(name)) for name in ("tests", "failures", "errors", "skipped")]
    assert found == said, (suite.get("name"), found, said)
    total = [a + b for a, b in zip(total, found)]
    for case in cases:
        assert case.get("classname") and case.get("name") and float(case.get("time")) >= 0
        names = [one.get("name") for one in case.find("properties")]
        assert "seconds" in names and len(names) == len(set(names))
        for bad in case.findall("failure") + case.findall("error") + case.findall("skipped"):
            assert bad.get("message"), case.get("name")
assert total == [int(root.get(name)) for name in ("tests", "failures", "errors", "skipped")]
print(*total)
print(*sorted({case.get("classname") for case in root.iter("testcase")}), sep="\n")
"#;

#[test]
fn junit_is_read_by_a_parser() {
    for jobs in [0, 1, 60, 5_000] {
        let report = sample::report(jobs, 2);
        let path = folder().join(format!("{jobs}.xml"));
        fs::write(&path, junit::write(&report)).expect("the report is written");
        let input = fs::File::open(&path).expect("the report is read");
        let out = run(Command::new("python3").args(["-c", READ_JUNIT]).stdin(input));
        let mut lines = out.lines();
        let totals: Vec<usize> = lines.next().unwrap_or("").split(' ').filter_map(|word| word.parse().ok()).collect();
        let any = |status| usize::from(report.jobs.iter().any(|job| job.status == status));
        assert!(totals[0] >= jobs, "a job is not in the file");
        assert!(totals[1] >= any(Status::Fail) && totals[2] >= any(Status::Error));
        assert!(totals[3] >= any(Status::Unknown).max(any(Status::Skipped)));
        let clean = report.jobs.iter().all(|job| job.status == Status::Pass);
        assert_eq!(clean, totals[1..].iter().all(|&n| n == 0), "the suite is not as good as its jobs");
    }
}

/// What SARIF 2.1.0 demands of a place.
fn check_place(place: &Value) {
    if let Some(physical) = place.get("physicalLocation") {
        let uri = physical["artifactLocation"]["uri"].as_str().expect("a URI");
        assert!(!uri.is_empty() && !uri.starts_with('/') && !uri.contains([' ', '<', '\\']), "{uri}");
        let region = &physical["region"];
        if !region.is_null() {
            assert!(region["startLine"].as_u64().expect("a line") >= 1);
            if let Some(end) = region["endColumn"].as_u64() {
                assert!(region["startColumn"].as_u64().expect("a column") < end);
            }
        }
    } else {
        assert!(place["logicalLocations"][0]["fullyQualifiedName"].is_string());
    }
}

#[test]
fn sarif_is_as_the_standard_demands() {
    for jobs in [0, 1, 60, 5_000] {
        let report = sample::report(jobs, 3);
        let log: Value = serde_json::from_str(&sarif::write(&report)).expect("JSON");
        assert_eq!(log["version"], "2.1.0");
        let run = &log["runs"][0];
        let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
        let ids: HashSet<&str> = rules.iter().filter_map(|rule| rule["id"].as_str()).collect();
        assert_eq!(ids.len(), rules.len(), "rules are unique");
        let mut seen = HashSet::new();
        for result in run["results"].as_array().expect("results") {
            let index = result["ruleIndex"].as_u64().expect("an index") as usize;
            assert_eq!(rules[index]["id"], result["ruleId"]);
            assert!(!result["message"]["text"].as_str().expect("a message").is_empty());
            let (kind, level) = (result["kind"].as_str().expect("a kind"), result["level"].as_str().expect("a level"));
            assert!(["fail", "open"].contains(&kind) && ["error", "warning", "note", "none"].contains(&level));
            assert_eq!(kind == "fail", level != "none", "only failures have a level");
            let places = result["locations"].as_array().into_iter().flatten();
            places.chain(result["relatedLocations"].as_array().into_iter().flatten()).for_each(check_place);
            assert!(seen.insert(result.to_string()), "written twice: {result}");
        }
        let failing = report.jobs.iter().any(|job| job.status == Status::Fail);
        assert!(!failing || ids.contains("entail/fails"));
    }
}

#[test]
fn reports_are_read_back() {
    let report = sample::report(60, 4);
    let text = serde_json::to_string(&report).expect("JSON");
    let again: Report = serde_json::from_str(&text).expect("a report");
    assert!(report == again, "a report is not what was written");
    // The keys of the outermost object; the rest is compared where the schema is made.
    let value: Value = serde_json::from_str(&text).expect("JSON");
    let schema = schema::report();
    for key in value.as_object().expect("an object").keys() {
        assert!(schema["properties"].get(key).is_some(), "{key}");
    }
}
