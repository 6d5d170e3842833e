//! One JSON array with an object per diagnostic.
//!
//! Lines and columns count from 1 and columns count characters; `end_col` is just past the
//! last character. Every key is always present, and what is missing is `null`, so a reader
//! needs no defaults.

use serde::Serialize;

use super::{Diagnostic, SourceMap, place};
use crate::source::{Location, Severity};

#[derive(Serialize)]
struct Item<'a> {
    #[serde(flatten)]
    place: Place,
    code: &'static str,
    severity: Severity,
    message: &'a str,
    labels: Vec<ItemLabel<'a>>,
    notes: &'a [String],
    help: Option<&'a str>,
}

#[derive(Serialize)]
struct ItemLabel<'a> {
    #[serde(flatten)]
    place: Place,
    message: &'a str,
    primary: bool,
}

#[derive(Default, Serialize)]
struct Place {
    path: Option<String>,
    line: Option<u32>,
    col: Option<u32>,
    end_line: Option<u32>,
    end_col: Option<u32>,
}

pub(super) fn render(diags: &[Diagnostic], map: &SourceMap) -> String {
    let items: Vec<Item> = diags.iter().map(|diag| item(diag, map)).collect();
    let text = serde_json::to_string_pretty(&items).expect("strings and numbers always serialize");
    text + "\n"
}

fn item<'a>(diag: &'a Diagnostic, map: &SourceMap) -> Item<'a> {
    let labels = diag.labels.iter().map(|label| ItemLabel {
        place: Place::new(map.location(label.span)),
        message: &label.message,
        primary: label.primary,
    });
    Item {
        place: Place::new(place(diag, map)),
        code: diag.code.as_str(),
        severity: diag.severity,
        message: &diag.message,
        labels: labels.collect(),
        notes: &diag.notes,
        help: diag.help.as_deref(),
    }
}

impl Place {
    fn new(at: Option<Location<'_>>) -> Place {
        at.map_or_else(Place::default, |at| Place {
            path: Some(at.path.display().to_string()),
            line: Some(at.line),
            col: Some(at.col),
            end_line: Some(at.end_line),
            end_col: Some(at.end_col),
        })
    }
}
