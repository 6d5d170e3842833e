//! The schema of a report: JSON Schema, draft 2020-12.
//!
//! It is strict: what it does not name is refused, as the readers of this crate refuse it.

use serde_json::{Map, Value, json};

use super::record::{RECORD, REPORT};
use crate::project::keys::EXPECTED;

/// The schema of [`Report`](super::record::Report).
pub fn report() -> Value {
    let places = json!({ "type": "object", "additionalProperties": refer("place") });
    let places = described("Where the jobs stand in the project's files, by their names.", places);
    let mut root = object(
        "A run of a project.",
        &[
            ("format", described("What kind of file this is.", json!({ "const": REPORT }))),
            ("tool", text("The program.")),
            ("project", text("Name of the project.")),
            ("selection", list("What was asked for: suites and jobs.", json!({ "type": "string" }))),
            ("at", moment("When.")),
            ("seconds", duration("How long it took.")),
            ("jobs", list("The jobs, in the order of the project file.", refer("job"))),
        ],
        &[
            ("commit", text("The commit that was checked out, if there was one.")),
            ("folder", text("The project's folder in its git repository, with a slash at its end.")),
            ("places", places),
            ("trend", list("Earlier runs, oldest first.", refer("trend"))),
        ],
    );
    root["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    root["$id"] = json!(format!("urn:entail:{REPORT}"));
    root["title"] = json!("entail report");
    root["$defs"] = json!({
        "job": job(),
        "past": past(),
        "trend": trend(),
        "record": record(),
        "item": item(),
        "place": place(),
        "finding": finding(),
        "excerpt": excerpt(),
        "read": read(),
        "picture": picture(),
        "wave": wave(),
        "signal": signal(),
        "proof": proof(),
        "coverage": coverage(),
        "race": race(),
        "access": access(),
        "status": words("What became of a job.", &["pass", "fail", "unknown", "error", "skipped"]),
        "verdict": words("What is said of an item.", &[
            "holds", "holds-unchecked", "vacuous", "bounded", "fails", "covered", "unreachable", "unknown", "broken",
        ]),
    });
    root
}

fn job() -> Value {
    object(
        "A job of a run.",
        &[
            ("name", text("Its name.")),
            ("kind", kind()),
            ("design", text("The design of the project file.")),
            ("status", refer("status")),
            ("verdict", words("What was found.", &["holds", "fails", "unknown", "error"])),
            ("expect", expect()),
            ("why", text("Why it was run, or that it was not.")),
            ("cached", flag("Whether nothing had to be run.")),
            ("at", moment("When it was run.")),
            ("seconds", duration("How long it took when it was run.")),
            ("memory_kb", number("Most memory, in kilobytes; 0 where it is not known.")),
            ("command", list("The command line that does the same.", json!({ "type": "string" }))),
        ],
        &[
            ("message", text("A sentence about what went wrong, if something did.")),
            ("log", text("The end of what a worker that died had printed.")),
            ("record", refer("record")),
            ("history", list("Its runs before this one, newest first.", refer("past"))),
        ],
    )
}

/// A word for the job as a whole, or words for properties.
fn expect() -> Value {
    let each = format!("^.+: ({0})(, .+: ({0}))*$", EXPECTED.join("|"));
    let either = json!({ "anyOf": [{ "enum": EXPECTED }, { "type": "string", "pattern": each }] });
    described("What was expected: of the job as a whole, or of properties as `NAME: WORD, NAME: WORD`.", either)
}

fn past() -> Value {
    object(
        "An earlier run of a job.",
        &[("at", moment("When.")), ("status", refer("status")), ("seconds", duration("How long it took."))],
        &[
            ("commit", text("The commit that was checked out, if there was one.")),
            ("cached", flag("Whether nothing had to be run.")),
            ("why", text("Why it was run, or was not, where that is known.")),
        ],
    )
}

fn trend() -> Value {
    let mut counts = list("Jobs by status: pass, fail, unknown, error, skipped.", small());
    counts["minItems"] = json!(5);
    counts["maxItems"] = json!(5);
    object(
        "An earlier run of the project.",
        &[("at", moment("When.")), ("counts", counts), ("seconds", duration("How long it took in all."))],
        &[("commit", text("The commit that was checked out, if there was one."))],
    )
}

fn record() -> Value {
    object(
        "What one command found.",
        &[
            ("format", described("What kind of record this is.", json!({ "const": RECORD }))),
            ("tool", text("The program that made it.")),
            ("kind", kind()),
            ("design", text("The top, the specification or the model.")),
            ("exit", described("Exit code of the command.", json!({ "type": "integer" }))),
        ],
        &[
            ("memory_kb", number("Most memory that it had, in kilobytes; 0 where the system does not tell.")),
            ("items", list("Properties, assertions, theorems, outcomes.", refer("item"))),
            ("findings", list("Messages with a place.", refer("finding"))),
            ("notes", list("What was taken for granted, and other remarks.", json!({ "type": "string" }))),
            ("read", list("Files and folders that were read.", refer("read"))),
            ("pictures", list("Pictures.", refer("picture"))),
            ("proof", refer("proof")),
            ("coverage", refer("coverage")),
            ("races", list("What processes share in an order that only the scheduler chooses.", refer("race"))),
        ],
    )
}

fn item() -> Value {
    object(
        "One thing that was asked.",
        &[
            ("name", text("Its name.")),
            ("verdict", refer("verdict")),
            ("seconds", duration("Effort, when it was found.")),
        ],
        &[
            ("place", refer("place")),
            ("source", refer("excerpt")),
            ("expect", text("What was expected of it, where that was said of each.")),
            ("detail", text("More about it.")),
            ("engine", text("Who found it.")),
            ("cached", flag("Taken from the store.")),
            ("key", text("What it is stored under.")),
            ("wave", refer("wave")),
            ("text", text("Text that explains it.")),
        ],
    )
}

fn place() -> Value {
    object(
        "A place in a file, counted from 1.",
        &[("file", text("The file, as the command named it.")), ("line", described("Line.", small()))],
        &[
            ("column", described("Column; 0 where it is not known.", small())),
            ("end", described("Last column on that line, 0 where it is not known.", small())),
        ],
    )
}

fn finding() -> Value {
    object(
        "A message with a place.",
        &[
            ("code", text("Code of the catalogue.")),
            ("severity", words("How bad it is.", &["error", "warning", "note"])),
            ("message", text("What is wrong.")),
        ],
        &[
            ("place", refer("place")),
            ("also", list("Other places, each with what it is.", pair(refer("place"), json!({ "type": "string" })))),
            ("notes", list("More about it.", json!({ "type": "string" }))),
            ("help", text("What to do.")),
            ("source", refer("excerpt")),
        ],
    )
}

fn excerpt() -> Value {
    object(
        "Some lines of a file.",
        &[
            ("from", described("Number of the first line.", small())),
            ("lines", list("The lines.", json!({ "type": "string" }))),
        ],
        &[],
    )
}

fn read() -> Value {
    let hash = json!({ "type": "string", "pattern": "^([0-9a-f]*|unknown)$" });
    object(
        "Something that was read.",
        &[
            ("path", text("The path, as the command named it.")),
            (
                "hash",
                described(
                    "BLAKE3, in hexadecimal; empty for what was looked for and was not there; unknown for what never counts as the same.",
                    hash,
                ),
            ),
        ],
        &[("folder", flag("Whether it is a folder."))],
    )
}

fn picture() -> Value {
    object("A picture.", &[("title", text("What it shows.")), ("svg", text("A whole SVG document."))], &[])
}

fn wave() -> Value {
    object(
        "A waveform, sampled.",
        &[
            ("title", text("What it shows, in words.")),
            (
                "times",
                list("Moments at which something changes, in time units.", json!({ "type": "integer", "minimum": 0 })),
            ),
            ("step", number("Time units of one step; step n begins at n times this.")),
            ("steps", number("Number of steps.")),
            ("signals", list("The signals, those that matter first.", refer("signal"))),
        ],
        &[("back_to", number("Where the loop goes back to, for endless ones."))],
    )
}

fn signal() -> Value {
    let value = json!({ "type": "string", "pattern": "^[0-9a-fA-FxX]+$" });
    object(
        "A signal of a waveform.",
        &[
            ("name", text("Its name with its range.")),
            ("kind", words("What it is.", &["clock", "input", "state", "logic"])),
            ("width", described("Bits.", small())),
            (
                "values",
                list("Where each value begins, as an index into the times, and the value.", pair(small(), value)),
            ),
        ],
        &[("matters", flag("Whether the failure depends on it."))],
    )
}

fn proof() -> Value {
    object(
        "A step of a proof and what it rests on.",
        &[
            ("name", text("Name of the theorem.")),
            ("how", text("The rule, in words.")),
            ("seconds", duration("Effort.")),
        ],
        &[("of", list("What it rests on.", refer("proof")))],
    )
}

fn coverage() -> Value {
    object(
        "How much of a model was explored.",
        &[
            ("words", text("In words.")),
            ("complete", flag("Whether it was everything.")),
            ("runs", number("Runs that were made.")),
            ("classes", number("Different classes among them.")),
            ("left", number("Choices that were not looked at.")),
        ],
        &[],
    )
}

fn race() -> Value {
    object(
        "Two accesses of different processes in one evaluation phase.",
        &[
            ("processes", list("The processes.", json!({ "type": "string" }))),
            ("classes", number("In how many classes.")),
            ("first", refer("access")),
            ("second", refer("access")),
        ],
        &[],
    )
}

fn access() -> Value {
    object(
        "An access to memory.",
        &[("write", flag("Whether it writes."))],
        &[("place", refer("place")), ("source", refer("excerpt"))],
    )
}

/// An object with these properties and no other; the first of them are required.
fn object(what: &str, required: &[(&str, Value)], optional: &[(&str, Value)]) -> Value {
    let properties: Map<String, Value> =
        required.iter().chain(optional).map(|(name, schema)| ((*name).to_owned(), schema.clone())).collect();
    let names: Vec<&str> = required.iter().map(|(name, _)| *name).collect();
    json!({
        "description": what,
        "type": "object",
        "additionalProperties": false,
        "required": names,
        "properties": properties,
    })
}

fn described(what: &str, mut schema: Value) -> Value {
    schema["description"] = json!(what);
    schema
}

fn text(what: &str) -> Value {
    described(what, json!({ "type": "string" }))
}

fn flag(what: &str) -> Value {
    described(what, json!({ "type": "boolean" }))
}

fn number(what: &str) -> Value {
    described(what, json!({ "type": "integer", "minimum": 0 }))
}

fn moment(what: &str) -> Value {
    number(&format!("{what} Seconds since 1970."))
}

/// Seconds.
fn duration(what: &str) -> Value {
    described(what, json!({ "type": "number", "minimum": 0 }))
}

/// A number of 32 bits.
fn small() -> Value {
    json!({ "type": "integer", "minimum": 0, "maximum": u32::MAX })
}

fn list(what: &str, of: Value) -> Value {
    described(what, json!({ "type": "array", "items": of }))
}

/// Two values, written as a list.
fn pair(first: Value, second: Value) -> Value {
    json!({ "type": "array", "prefixItems": [first, second], "items": false, "minItems": 2 })
}

fn words(what: &str, allowed: &[&str]) -> Value {
    described(what, json!({ "enum": allowed }))
}

fn kind() -> Value {
    words("What kind of job it is.", &["check", "cdc", "prove", "explore"])
}

fn refer(name: &str) -> Value {
    json!({ "$ref": format!("#/$defs/{name}") })
}

#[cfg(test)]
mod tests {
    use super::super::record::{Report, Status, Verdict};
    use super::super::sample;
    use super::*;
    use std::collections::{BTreeMap, BTreeSet};

    /// Follows the schema along the value, and notes which keys were seen at each object of the schema.
    fn walk<'a>(root: &'a Value, schema: &'a Value, value: &Value, seen: &mut BTreeMap<String, BTreeSet<String>>) {
        let (name, schema) = match schema["$ref"].as_str() {
            Some(name) => (name, root.pointer(&name[1..]).unwrap_or_else(|| panic!("{name} is not defined"))),
            None => (schema["description"].as_str().unwrap_or(""), schema),
        };
        match value {
            Value::Object(map) => {
                if schema["properties"].is_null() {
                    // Any keys, one kind of value.
                    return map.values().for_each(|value| walk(root, &schema["additionalProperties"], value, seen));
                }
                seen.entry(name.to_owned()).or_default().extend(map.keys().cloned());
                for (key, value) in map {
                    let inner = &schema["properties"][key];
                    assert!(!inner.is_null(), "{name} has no {key}");
                    walk(root, inner, value, seen);
                }
                for key in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
                    assert!(map.contains_key(key), "{name} lacks {key}");
                }
            }
            Value::Array(list) => {
                for (index, value) in list.iter().enumerate() {
                    let prefix = schema["prefixItems"].as_array().and_then(|items| items.get(index));
                    walk(root, prefix.unwrap_or(&schema["items"]), value, seen);
                }
            }
            Value::String(text) => {
                assert!(schema["const"].is_null() || schema["const"] == *value, "{name} cannot be {text}");
                let allowed = schema["enum"].as_array();
                assert!(allowed.is_none_or(|words| words.contains(value)), "{name} cannot be {text}");
            }
            _ => {}
        }
    }

    #[test]
    fn every_field_is_in_the_schema_and_the_other_way_round() {
        let schema = report();
        let value = serde_json::to_value(sample::full()).expect("JSON");
        let mut seen = BTreeMap::new();
        walk(&schema, &schema, &value, &mut seen);
        let mut objects = vec![("A run of a project.".to_owned(), &schema)];
        for (name, schema) in schema["$defs"].as_object().into_iter().flatten() {
            objects.push((format!("#/$defs/{name}"), schema));
        }
        for (name, schema) in objects.into_iter().filter(|(_, schema)| schema["type"] == "object") {
            let named: BTreeSet<String> =
                schema["properties"].as_object().into_iter().flatten().map(|(key, _)| key.clone()).collect();
            assert_eq!(seen.get(&name), Some(&named), "{name}");
            assert_eq!(schema["additionalProperties"], false, "{name}");
        }
    }

    #[test]
    fn words_are_those_of_the_files() {
        let schema = report();
        let statuses = [Status::Pass, Status::Fail, Status::Unknown, Status::Error, Status::Skipped];
        assert_eq!(schema["$defs"]["status"]["enum"], json!(statuses.map(Status::word)));
        assert_eq!(json!(statuses), json!(statuses.map(Status::word)));
        let verdicts = [
            Verdict::Holds,
            Verdict::HoldsUnchecked,
            Verdict::Vacuous,
            Verdict::Bounded,
            Verdict::Fails,
            Verdict::Covered,
            Verdict::Unreachable,
            Verdict::Unknown,
            Verdict::Broken,
        ];
        assert_eq!(schema["$defs"]["verdict"]["enum"], json!(verdicts.map(Verdict::word)));
        assert_eq!(json!(verdicts), json!(verdicts.map(Verdict::word)));
    }

    #[test]
    fn what_is_required_is_what_readers_demand() {
        let schema = report();
        let full = serde_json::to_value(sample::full()).expect("JSON");
        let read = |value: &Value| serde_json::from_value::<Report>(value.clone()).is_ok();
        assert!(read(&full));
        for (at, schema) in
            [("", &schema), ("/jobs/0", &schema["$defs"]["job"]), ("/jobs/0/record", &schema["$defs"]["record"])]
        {
            for key in schema["properties"].as_object().into_iter().flatten().map(|(key, _)| key) {
                let mut less = full.clone();
                less.pointer_mut(at).and_then(Value::as_object_mut).expect("an object").remove(key);
                let required = schema["required"].as_array().is_some_and(|names| names.contains(&json!(key)));
                assert_eq!(read(&less), !required, "{at}/{key}");
            }
        }
    }
}
