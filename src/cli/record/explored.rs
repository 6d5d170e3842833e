//! What an exploration found, for the record: made of its own file and of the pictures that it drew.

use super::{add, is_on};
use crate::report::record::{Access, Coverage, Excerpt, Item, Picture, Place, Race, Verdict};
use crate::report::words::count;
use serde_json::Value;
use std::path::Path;

/// Schedules that a report draws.
const PICTURES: usize = 4;
/// Races that a report shows.
const RACES: usize = 40;
/// Letters of an outcome that tell it from others.
const LETTERS: usize = 100;

fn text(v: &Value) -> String {
    v.as_str().unwrap_or("").to_string()
}

fn number(v: &Value) -> u64 {
    v.as_u64().unwrap_or(0)
}

fn list(v: &Value) -> impl Iterator<Item = &Value> {
    v.as_array().into_iter().flatten()
}

/// Adds what an exploration found.
pub fn explored(json: &Value, folder: Option<&Path>) {
    if !is_on() {
        return;
    }
    let mut pictures = Vec::new();
    for k in 1..=PICTURES {
        let svg = folder.and_then(|f| std::fs::read_to_string(f.join(format!("outcome-{k}.svg"))).ok());
        pictures.extend(svg.map(|svg| Picture { title: format!("outcome {k}"), svg }));
    }
    let complete = json["complete"].as_bool().unwrap_or(false);
    let outcomes: Vec<&Value> = list(&json["outcomes"]).collect();
    let items: Vec<Item> =
        outcomes.iter().zip(apart(&outcomes)).enumerate().map(|(k, (o, own))| item(k, o, &own, complete)).collect();
    let races: Vec<Race> = list(&json["races"]).take(RACES).map(race).collect();
    let coverage = Coverage {
        words: text(&json["coverage"]),
        complete,
        runs: number(&json["runs"]),
        classes: number(&json["classes"]),
        left: number(&json["left"]),
    };
    add(|r| {
        r.items.extend(items);
        r.coverage = Some(coverage);
        r.pictures.extend(pictures);
        r.races = races;
    });
}

fn item(k: usize, o: &Value, own: &str, complete: bool) -> Item {
    let problems: Vec<String> = list(&o["problems"]).map(text).collect();
    let mut lines: Vec<String> = Vec::new();
    for p in list(&o["printed"]) {
        lines.push(printed(p, text(&p["text"]).trim_end()));
    }
    for p in list(&o["observed"]) {
        lines.push(format!("{} = {}", text(&p["name"]), text(&p["value"])));
    }
    for s in list(&o["schedule"]) {
        lines.push(format!("  {} ps  {}  step {}", s["time"], text(&s["process"]), s["step"]));
    }
    Item {
        name: format!("outcome {}", k + 1),
        place: None,
        source: None,
        verdict: match (problems.is_empty(), complete) {
            (false, _) => Verdict::Fails,
            // The runs are what they are; no second program has looked at them.
            (true, true) => Verdict::HoldsUnchecked,
            (true, false) => Verdict::Unknown,
        },
        expect: None,
        detail: match problems.is_empty() {
            true => format!("{own} ({})", count(number(&o["classes"]), "class", "classes")),
            false => problems.join("; "),
        },
        engine: "explore".into(),
        seconds: 0.0,
        cached: false,
        key: None,
        wave: None,
        text: Some(lines.join("\n")),
    }
}

/// What a process printed; outside of all processes, nobody is named.
fn printed(p: &Value, said: &str) -> String {
    let who = text(&p["process"]);
    if who.is_empty() { said.to_string() } else { format!("{who}: {said}") }
}

/// What tells each outcome from the others: those parts of it that not all have.
fn apart(outcomes: &[&Value]) -> Vec<String> {
    let parts = |o: &&Value| -> Vec<String> {
        let mut all = Vec::new();
        for p in list(&o["printed"]) {
            let said = text(&p["text"]);
            all.extend(said.lines().map(str::trim).filter(|l| !l.is_empty()).map(|l| printed(p, l)));
        }
        all.extend(list(&o["observed"]).map(|p| format!("{} = {}", text(&p["name"]), text(&p["value"]))));
        all.extend(list(&o["waiting"]).map(|p| format!("{} waits for ever", text(p))));
        all.push(text(&o["end"]));
        all
    };
    let all: Vec<Vec<String>> = outcomes.iter().map(parts).collect();
    let words = |own: &Vec<String>| {
        let differs = |p: &&String| all.iter().any(|other| !other.contains(p));
        let mut some: Vec<&str> = own.iter().filter(differs).map(String::as_str).collect();
        if some.is_empty() {
            // The same parts in another order, or nothing that the others do not have.
            some = own.iter().map(String::as_str).collect();
        }
        let joined = some.join(", ");
        let cut: String = joined.chars().take(LETTERS).collect();
        if cut.len() < joined.len() { format!("{cut}…") } else { cut }
    };
    all.iter().map(words).collect()
}

fn race(v: &Value) -> Race {
    let mut accesses = list(&v["accesses"]).map(access);
    let mut next = || accesses.next().unwrap_or(Access { write: false, place: None, source: None });
    Race {
        processes: list(&v["processes"]).map(text).collect(),
        classes: number(&v["classes"]),
        first: next(),
        second: next(),
    }
}

fn access(v: &Value) -> Access {
    let line = number(&v["line"]) as u32;
    let path = text(&v["file"]);
    let here = std::env::current_dir().unwrap_or_default();
    let file = Path::new(&path).strip_prefix(&here).map_or(path.clone(), |p| p.display().to_string());
    let source = std::fs::read_to_string(&path).ok().filter(|_| line > 0).map(|all| {
        let from = line.saturating_sub(super::AROUND).max(1);
        let lines = all.lines().skip(from as usize - 1).take((line - from + super::AROUND) as usize + 1);
        Excerpt { from, lines: lines.map(|l| l.trim_end().to_string()).collect() }
    });
    let place = (line > 0).then_some(Place { file, line, column: 0, end: 0 });
    Access { write: v["write"] == true, place, source }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn outcomes_are_told_by_what_not_all_of_them_have() {
        let outcome = |sum: &str| {
            json!({"end": "ends", "printed": [{"process": "top.p", "text": format!("begin\nsum {sum}\n")}],
                   "observed": [{"name": "n", "value": "7"}]})
        };
        let (a, b) = (outcome("3"), outcome("5"));
        assert_eq!(apart(&[&a, &b]), ["top.p: sum 3", "top.p: sum 5"]);
        let (printed, silent) =
            (json!({"end": "ends", "observed": [{"name": "n", "value": "7"}]}), json!({"end": "ends"}));
        assert_eq!(apart(&[&printed, &silent]), ["n = 7", "ends"]);
        let long = outcome(&"9".repeat(300));
        assert!(apart(&[&a, &long])[1].ends_with("99…"));
    }
}
