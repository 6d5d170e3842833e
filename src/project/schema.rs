//! The project file's schema, for editors that complete and check while one types (JSON Schema, draft 2020-12).

use super::keys::{DEFAULTS, EXPECTED, KEYS, Key, Kind, Of, SEVERITIES, SUITE, Shape, TOP};
use serde_json::{Map, Value, json};

/// The schema.
pub fn project() -> Value {
    let about = |name: &str| TOP.iter().find(|t| t.0 == name).map_or("", |t| t.1);
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "entail-project-1",
        "title": "entail project file",
        "type": "object",
        "additionalProperties": false,
        "properties": {
            "project": {"type": "string", "description": about("project")},
            "include": with(texts(), about("include")),
            "defaults": {
                "description": about("defaults"), "type": "object", "additionalProperties": false,
                "properties": plain(DEFAULTS),
            },
            "designs": {
                "description": about("designs"), "type": "object", "propertyNames": name(),
                "additionalProperties": {"$ref": "#/$defs/design"},
            },
            "jobs": {
                "description": about("jobs"), "type": "object", "propertyNames": name(),
                "additionalProperties": {"$ref": "#/$defs/job"},
            },
            "suites": {
                "description": about("suites"), "type": "object", "propertyNames": name(),
                "additionalProperties": {"oneOf": [
                    {"type": "array", "items": {"type": "string"}},
                    {"type": "object", "additionalProperties": false, "properties": plain(SUITE)},
                ]},
            },
        },
        "$defs": {
            "design": {
                "type": "object",
                "if": systemc(),
                "then": {
                    "additionalProperties": false,
                    "properties": keys(|k| k.of_design(true)),
                    "anyOf": [{"required": ["files"]}, {"required": ["program"]}],
                },
                "else": {
                    "additionalProperties": false,
                    "required": ["top"],
                    "properties": keys(|k| k.of_design(false)),
                    "anyOf": [{"required": ["files"]}, {"required": ["filelists"]}, {"required": ["libraries"]}],
                },
            },
            "job": {
                "type": "object",
                "required": ["kind"],
                "properties": {"kind": {"enum": Kind::ALL.map(Kind::word), "description": "What is done."}},
                "allOf": Kind::ALL.map(|kind| json!({
                    "if": {"properties": {"kind": {"const": kind.word()}}},
                    "then": {
                        "additionalProperties": false,
                        "required": [if kind == Kind::Prove { "spec" } else { "design" }],
                        "properties": keys(|k| k.of_job(kind) && !(kind == Kind::Prove && k.name == "design")),
                    },
                })),
            },
        },
    })
}

/// Whether a design is a SystemC model, told as the reader tells it.
fn systemc() -> Value {
    let cpp = json!({"type": "string", "pattern": "\\.(cpp|cc|cxx|C)$"});
    json!({"anyOf": [
        {"required": ["language"], "properties": {"language": {"const": "systemc"}}},
        {"not": {"required": ["language"]}, "anyOf": [
            {"required": ["program"]},
            {"required": ["files"], "properties": {"files": {"anyOf": [cpp, {"type": "array", "contains": cpp}]}}},
        ]},
    ]})
}

fn name() -> Value {
    json!({"pattern": "^[A-Za-z0-9_][A-Za-z0-9_.-]*$"})
}

fn texts() -> Value {
    json!({"oneOf": [{"type": "string"}, {"type": "array", "items": scalar()}]})
}

/// A value that is written without quotes may look like a number.
fn scalar() -> Value {
    json!({"type": ["string", "number", "boolean"]})
}

fn with(mut v: Value, about: &str) -> Value {
    v["description"] = about.into();
    v
}

fn shape(s: Shape) -> Value {
    match s {
        Shape::Text => scalar(),
        Shape::Count => json!({"type": "integer", "minimum": 0}),
        Shape::Yes | Shape::No => json!({"type": "boolean"}),
        Shape::Choice(words) => json!({"enum": words}),
        Shape::Texts | Shape::Files | Shape::Folders => texts(),
        Shape::File => json!({"type": "string"}),
        Shape::Values => {
            json!({"type": "object", "additionalProperties": {"type": ["string", "number", "boolean", "null"]}})
        }
        // Some readers of YAML take a bare `off` for false.
        Shape::Rules => json!({
            "type": "object",
            "additionalProperties": {"anyOf": [{"enum": SEVERITIES}, {"const": false}]},
        }),
        Shape::Part => {
            json!({"type": ["number", "string"], "minimum": 0, "exclusiveMaximum": 1, "pattern": "^[0-9.]+ ?%?$"})
        }
        Shape::Libraries => json!({"type": "object", "additionalProperties": texts()}),
        Shape::Time => {
            json!({"type": ["number", "string"], "exclusiveMinimum": 0, "pattern": "^[0-9.]+ ?(ms|s|min|h)?$"})
        }
        Shape::Memory => json!({
            "type": ["number", "string"], "exclusiveMinimum": 0, "pattern": "^[0-9.]+ ?(M|MB|MiB|G|GB|GiB)?$",
        }),
        Shape::Expect => json!({"oneOf": [
            {"enum": EXPECTED},
            {"type": "object", "additionalProperties": {"enum": EXPECTED}},
        ]}),
    }
}

fn keys(has: impl Fn(&Key) -> bool) -> Value {
    let entry = |k: &Key| (k.name.to_string(), with(shape(k.shape), k.about));
    Value::Object(KEYS.iter().filter(|k| has(k)).map(entry).collect::<Map<_, _>>())
}

fn plain(list: &[(&str, Shape, &str)]) -> Value {
    Value::Object(list.iter().map(|(n, s, about)| (n.to_string(), with(shape(*s), about))).collect())
}

/// Who has a key, in words.
pub fn of(key: &Key) -> String {
    match key.of {
        Of::Designs => "all designs".into(),
        Of::Rtl => "Verilog and VHDL".into(),
        Of::SystemC => "SystemC".into(),
        Of::Jobs => "all jobs".into(),
        Of::Kinds(list) => list.iter().map(|k| k.word()).collect::<Vec<_>>().join(", "),
    }
}
