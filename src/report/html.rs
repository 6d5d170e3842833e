//! A run as one HTML file: for people, on screen and on paper.
//!
//! The file needs nothing but itself: styles and scripts are in it, and the policy it declares forbids every
//! request. The run is in it as JSON; `html/*.js` draws it, and makes only what is looked at, so that a run of
//! thousands of jobs opens as fast as a small one. What jobs share (findings of a package, the files of a
//! design) is written once.
//!
//! **Invariant:** no text of a run becomes markup. The scripts only make text nodes and attributes of it,
//! pictures are shown as images, which run nothing, and `json` leaves no way out of the data element.

use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::fmt::Write;

use super::expect::unexpected;
use super::record::{JobReport, Report, Status};
use super::time::utc;

const PAGE: &str = include_str!("html/page.html");
const STYLE: &str = include_str!("html/style.css");
/// In this order: each uses what is above it.
const SCRIPTS: [&str; 8] = [
    include_str!("html/dom.js"),
    include_str!("html/model.js"),
    include_str!("html/charts.js"),
    include_str!("html/source.js"),
    include_str!("html/wave.js"),
    include_str!("html/detail.js"),
    include_str!("html/table.js"),
    include_str!("html/app.js"),
];
/// Most jobs that are named where scripts do not run.
const NAMED: usize = 200;

/// The run as an HTML file.
pub fn write(report: &Report) -> String {
    let data = json(&pack(report));
    let mut out = String::with_capacity(data.len() + 150_000);
    // The template is taken apart, not replaced in: what is put in is not looked at again.
    let mut rest = PAGE;
    while let Some((before, after)) = rest.split_once("{{") {
        out.push_str(before);
        let Some((name, after)) = after.split_once("}}") else { break };
        match name {
            "title" => escape(&mut out, &format!("{} – {}", report.project, headline(report))),
            "style" => out.push_str(STYLE),
            "plain" => plain(&mut out, report),
            "data" => out.push_str(&data),
            "script" => SCRIPTS.iter().for_each(|script| out.push_str(script)),
            _ => {}
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

/// What came out, in a few words.
fn headline(report: &Report) -> String {
    let all = report.jobs.len();
    match report.jobs.iter().filter(|job| job.status != Status::Pass).count() {
        0 if all == 0 => "no jobs".to_owned(),
        0 if all == 1 => "as expected".to_owned(),
        0 => format!("all {all} jobs as expected"),
        bad => format!("{bad} of {all} not as expected"),
    }
}

/// What is shown where scripts do not run, as in the previews of some servers: the jobs not as expected.
fn plain(out: &mut String, report: &Report) {
    let mut line = |tag: &str, text: &str| {
        let _ = write!(out, "<{tag}>");
        escape(out, text);
        let _ = writeln!(out, "</{tag}>");
    };
    line("h1", &report.project);
    line("p", &format!("{}; {}", headline(report), utc(report.at)));
    let bad: Vec<&JobReport> = report.jobs.iter().filter(|job| job.status != Status::Pass).collect();
    for job in bad.iter().take(NAMED) {
        let said = format!("{}: {} (found {}, expected {})", job.name, job.status.word(), job.verdict, job.expect);
        line("li", &said);
    }
    if bad.len() > NAMED {
        line("p", &format!("and {} more", bad.len() - NAMED));
    }
    line("p", "This report needs JavaScript to show more.");
}

/// The run with everything that jobs share moved into tables, and numbers of rows in its stead.
fn pack(report: &Report) -> Value {
    let mut data = serde_json::to_value(report).unwrap_or_else(|error| json!({ "error": error.to_string() }));
    let [mut findings, mut pictures, mut read, mut lists] = [(); 4].map(|()| Table::default());
    for (job, said) in data["jobs"].as_array_mut().into_iter().flatten().zip(&report.jobs) {
        mark(job, said);
        let Some(record) = job.get_mut("record").and_then(Value::as_object_mut) else { continue };
        replace(record, "findings", |list| findings.rows(list));
        replace(record, "pictures", |list| pictures.rows(list));
        replace(record, "read", |list| {
            let rows = read.rows(list);
            lists.row(rows)
        });
    }
    data["tables"] = json!({
        "findings": findings.rows, "pictures": pictures.rows, "read": read.rows, "lists": lists.rows,
    });
    data
}

/// Says of each item how it is not as expected, if it is not.
fn mark(job: &mut Value, said: &JobReport) {
    let items = job.pointer_mut("/record/items").and_then(Value::as_array_mut);
    let of = said.record.iter().flat_map(|record| &record.items);
    for (item, of) in items.into_iter().flatten().zip(of) {
        if let Some(off) = unexpected(said, of) {
            item["off"] = json!({ "open": off.open, "words": off.words });
        }
    }
}

fn replace(record: &mut Map<String, Value>, key: &str, with: impl FnOnce(Value) -> Value) {
    if let Some(value) = record.get_mut(key) {
        *value = with(value.take());
    }
}

/// Different values, in the order in which they were met.
#[derive(Default)]
struct Table {
    rows: Vec<Value>,
    known: HashMap<String, usize>,
}

impl Table {
    fn row(&mut self, value: Value) -> Value {
        let row = *self.known.entry(value.to_string()).or_insert(self.rows.len());
        if row == self.rows.len() {
            self.rows.push(value);
        }
        row.into()
    }

    fn rows(&mut self, list: Value) -> Value {
        match list {
            Value::Array(list) => list.into_iter().map(|value| self.row(value)).collect(),
            other => other,
        }
    }
}

/// JSON that can stand in a `script` element: neither its end nor a comment can begin in it. In JSON, `<`
/// occurs in strings only, where it may be written as an escape.
fn json(value: &Value) -> String {
    value.to_string().replace("</", "\\u003c/").replace("<!", "\\u003c!")
}

/// The text, for use between tags.
fn escape(out: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\0' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::record::{Item, Record, Status, Verdict};
    use super::super::sample;
    use super::*;

    /// What the scripts read.
    fn data(page: &str) -> &str {
        let start = page.find("id=\"data\">").expect("the data element") + "id=\"data\">".len();
        &page[start..start + page[start..].find("</script").expect("its end")]
    }

    #[test]
    fn no_text_becomes_markup() {
        let report = sample::full();
        let page = write(&report);
        let inside = data(&page);
        assert!(!inside.contains("<!") && !inside.contains("</"));
        let outside = page.replace(inside, "");
        assert!(!outside.contains("<img"), "a name is markup outside of the data");
        let value: Value = serde_json::from_str(inside).expect("valid JSON");
        assert_eq!(value["jobs"][0]["name"], sample::HOSTILE);
    }

    #[test]
    fn marks_in_the_data_stay() {
        let mut report = sample::full();
        report.project = "{{script}} {{data}}".into();
        let page = write(&report);
        assert!(page.contains("<title>{{script}} {{data}} – 1 of 1 not as expected</title>"));
        assert_eq!(page.matches("id=\"data\"").count(), 1);
    }

    #[test]
    fn nothing_is_asked_of_the_network() {
        let page = write(&sample::run(Vec::new()));
        for word in ["src=\"http", "href=\"http", "@import", "fetch(", "XMLHttpRequest", "url(http"] {
            assert!(!page.contains(word), "{word}");
        }
        assert!(page.contains("default-src 'none'"));
    }

    #[test]
    fn what_jobs_share_is_written_once() {
        let one = sample::full().jobs.remove(0);
        let mut two = one.clone();
        two.name = "other".into();
        let value = pack(&sample::run(vec![one, two]));
        assert_eq!(value["tables"]["findings"].as_array().map(Vec::len), Some(1));
        assert_eq!(value["tables"]["lists"], json!([[0]]));
        assert_eq!(value["jobs"][1]["record"]["findings"], json!([0]));
        assert_eq!(value["jobs"][1]["record"]["read"], json!(0));
    }

    #[test]
    fn items_say_whether_they_are_as_expected() {
        let each = |item: Item| Item { expect: Some("fails".into()), ..item };
        let items = vec![each(sample::item("a", Verdict::Fails)), each(sample::item("b", Verdict::Holds))];
        let record = Some(Record { items, ..Record::default() });
        let job = JobReport { record, ..sample::job("j", Status::Fail, "fails", "a: fails, b: fails") };
        let value = pack(&sample::run(vec![job]));
        let items = &value["jobs"][0]["record"]["items"];
        assert!(items[0]["off"].is_null());
        assert_eq!(items[1]["off"], json!({ "open": false, "words": "was expected to fail, and holds" }));
    }

    #[test]
    fn headlines_count() {
        let job = |status| sample::job("a", status, "holds", "holds");
        assert_eq!(headline(&sample::run(Vec::new())), "no jobs");
        assert_eq!(headline(&sample::run(vec![job(Status::Pass)])), "as expected");
        assert_eq!(headline(&sample::run(vec![job(Status::Pass), job(Status::Pass)])), "all 2 jobs as expected");
        let mixed = vec![job(Status::Pass), job(Status::Skipped), job(Status::Unknown)];
        assert_eq!(headline(&sample::run(mixed)), "2 of 3 not as expected");
    }
}
