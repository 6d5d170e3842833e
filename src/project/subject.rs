//! What a job is about, in one name: for lists and reports, which sort by it.

use super::file::{Job, Project, Value};
use super::yaml::{self, Kind, Yaml};
use crate::source::{SourceMap, Tree};
use std::path::Path;

impl Project {
    /// The design of a job. A prove job names none: its specification does, by the top, which may be one of the
    /// project's designs. Where that cannot be read, the specification's own name stands for it.
    pub fn subject(&self, job: &Job) -> String {
        if !job.design.is_empty() {
            return job.design.clone();
        }
        let spec = job.entries.iter().find_map(|e| match (e.key.name, &e.value) {
            ("spec", Value::Text(t)) => Some(Path::new(t)),
            _ => None,
        });
        let Some(spec) = spec else { return String::new() };
        let Some(top) = top(&self.tree, &self.folder.join(spec)) else {
            return spec.file_stem().map_or(String::new(), |n| n.to_string_lossy().into_owned());
        };
        let has = |value: &Value| matches!(value, Value::Text(t) if *t == top);
        let own = self.designs.iter().find(|d| d.entries.iter().any(|e| e.key.name == "top" && has(&e.value)));
        own.map_or(top, |d| d.name.clone())
    }
}

/// The top that a specification names.
fn top(tree: &Tree, spec: &Path) -> Option<String> {
    let mut map = SourceMap::new();
    let id = map.read_from(tree, spec).ok()?;
    let all = yaml::read(&map, id).ok()?;
    match &value(value(&all, "design")?, "top")?.kind {
        Kind::Scalar(t) => Some(t.text.clone()),
        _ => None,
    }
}

fn value<'y>(y: &'y Yaml, key: &str) -> Option<&'y Yaml> {
    match &y.kind {
        Kind::Map(list) => list.iter().find(|e| e.0.text == key).map(|e| &e.1),
        _ => None,
    }
}
