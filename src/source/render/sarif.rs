//! SARIF 2.1.0 (OASIS): one run, with the rules that occur in it taken from the catalogue.
//!
//! The primary label is the result's location; every other label is a related location. Notes
//! and help are part of the message, since SARIF has no place for them.

use std::path::Path;

use serde::Serialize;

use super::{Diagnostic, SourceMap};
use crate::source::{Code, Label, Severity};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

pub(super) fn render(diags: &[Diagnostic], map: &SourceMap) -> String {
    let mut codes: Vec<Code> = diags.iter().map(|diag| diag.code).collect();
    codes.sort_unstable();
    codes.dedup();
    let driver = Driver {
        name: "entail",
        version: env!("CARGO_PKG_VERSION"),
        rules: codes.iter().map(|&code| Rule::new(code)).collect(),
    };
    let run = Run {
        tool: Tool { driver },
        column_kind: "unicodeCodePoints",
        results: diags.iter().map(|diag| Answer::new(diag, &codes, map)).collect(),
    };
    let log = Log { schema: SCHEMA, version: "2.1.0", runs: [run] };
    let text = serde_json::to_string_pretty(&log).expect("strings and numbers always serialize");
    text + "\n"
}

#[derive(Serialize)]
struct Log {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run {
    tool: Tool,
    column_kind: &'static str,
    results: Vec<Answer>,
}

#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
struct Driver {
    name: &'static str,
    version: &'static str,
    rules: Vec<Rule>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    id: Code,
    #[serde(skip_serializing_if = "Option::is_none")]
    short_description: Option<Message>,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<Help>,
    default_configuration: Configuration,
}

#[derive(Serialize)]
struct Configuration {
    level: Severity,
}

/// The standard demands a plain text beside the Markdown; ours reads well as both.
#[derive(Serialize)]
struct Help {
    text: &'static str,
    markdown: &'static str,
}

#[derive(PartialEq, Serialize)]
struct Message {
    text: String,
}

/// What the standard calls a result.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Answer {
    rule_id: Code,
    rule_index: usize,
    level: Severity,
    message: Message,
    locations: Vec<Place>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Place>,
}

#[derive(PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
struct Place {
    physical_location: PhysicalLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Message>,
}

#[derive(PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    region: Region,
}

#[derive(PartialEq, Serialize)]
struct ArtifactLocation {
    uri: String,
}

#[derive(PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
    start_column: u32,
    end_line: u32,
    end_column: u32,
}

impl Rule {
    fn new(code: Code) -> Rule {
        let entry = code.entry();
        Rule {
            id: code,
            short_description: entry.map(|entry| Message { text: entry.title.to_owned() }),
            help: entry.map(|entry| Help { text: entry.explanation, markdown: entry.explanation }),
            default_configuration: Configuration { level: code.severity() },
        }
    }
}

impl Answer {
    /// `codes` are the codes of the run's rules, in order.
    fn new(diag: &Diagnostic, codes: &[Code], map: &SourceMap) -> Answer {
        let mut labels: Vec<&Label> = diag.labels.iter().collect();
        // Stable, so the first primary label comes first and the others keep their order.
        labels.sort_by_key(|label| !label.primary);
        let mut locations = labels.into_iter().filter_map(|label| Place::new(label, map));
        let first = locations.next();
        // The standard makes related locations a set.
        let mut related = Vec::new();
        for place in locations {
            if !related.contains(&place) {
                related.push(place);
            }
        }
        Answer {
            rule_id: diag.code,
            rule_index: codes.partition_point(|&code| code < diag.code),
            level: diag.severity,
            message: Message { text: text(diag) },
            locations: first.into_iter().collect(),
            related_locations: related,
        }
    }
}

impl Place {
    fn new(label: &Label, map: &SourceMap) -> Option<Place> {
        let at = map.location(label.span)?;
        let message = Some(&label.message).filter(|text| !text.is_empty());
        Some(Place {
            physical_location: PhysicalLocation {
                artifact_location: ArtifactLocation { uri: uri(at.path) },
                region: Region {
                    start_line: at.line,
                    start_column: at.col,
                    end_line: at.end_line,
                    end_column: at.end_col,
                },
            },
            message: message.map(|text| Message { text: text.clone() }),
        })
    }
}

fn text(diag: &Diagnostic) -> String {
    let notes = diag.notes.iter().map(|note| format!("note: {note}"));
    let help = diag.help.iter().map(|help| format!("help: {help}"));
    let mut lines = vec![diag.message.clone()];
    lines.extend(notes.chain(help));
    lines.join("\n")
}

/// The path as a URI reference (RFC 3986): everything but unreserved characters and slashes
/// is percent-encoded, so that a colon cannot look like a scheme.
fn uri(path: &Path) -> String {
    let mut uri = String::from(if path.is_absolute() { "file://" } else { "" });
    for byte in path.to_string_lossy().bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte));
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}
