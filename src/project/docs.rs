//! The project file's documentation, made from the table of keys.

use super::keys::{DEFAULTS, KEYS, Kind, SUITE, Shape, TOP};
use super::schema::of;
use std::fmt::Write;

fn says(s: Shape) -> String {
    match s {
        Shape::Text => "text".into(),
        Shape::Count => "number".into(),
        Shape::Yes => "true or false (false)".into(),
        Shape::No => "true or false (true)".into(),
        Shape::Choice(words) => words.join(", "),
        Shape::Texts => "text or list".into(),
        Shape::Values => "map of names to values".into(),
        Shape::Rules => "map of codes to off, note, warning, error".into(),
        Shape::Part => "part: 20%, 0.2".into(),
        Shape::Libraries => "map of names to files".into(),
        Shape::File => "file".into(),
        Shape::Files => "files, patterns".into(),
        Shape::Folders => "folders".into(),
        Shape::Time => "time: 90, 90s, 5min, 2h".into(),
        Shape::Memory => "memory: 512MB, 4GB".into(),
        Shape::Expect => "holds, fails, unknown, or a map of names to these".into(),
    }
}

/// A page about the project file.
pub fn project() -> String {
    let mut out = String::from(HEAD);
    let row = |out: &mut String, cells: &[&str]| {
        let _ = writeln!(out, "| {} |", cells.join(" | "));
    };
    out.push_str("\n## The file\n\n| key | for |\n|---|---|\n");
    TOP.iter().for_each(|(n, about)| row(&mut out, &[&format!("`{n}`"), about]));
    out.push_str("\n`defaults`:\n\n| key | says | for |\n|---|---|---|\n");
    DEFAULTS.iter().for_each(|(n, s, about)| row(&mut out, &[&format!("`{n}`"), &says(*s), about]));
    out.push_str("\n## Designs\n\n| key | of | says | for |\n|---|---|---|---|\n");
    for k in KEYS.iter().filter(|k| k.of_design(true) || k.of_design(false)) {
        row(&mut out, &[&format!("`{}`", k.name), &of(k), &says(k.shape), k.about]);
    }
    out.push_str("\n## Jobs\n\n| key | of | says | for |\n|---|---|---|---|\n");
    for k in KEYS.iter().filter(|k| Kind::ALL.iter().any(|j| k.of_job(*j))) {
        row(&mut out, &[&format!("`{}`", k.name), &of(k), &says(k.shape), k.about]);
    }
    out.push_str("\n## Suites\n\nA list of names and patterns, or a map:\n\n| key | says | for |\n|---|---|---|\n");
    SUITE.iter().for_each(|(n, s, about)| row(&mut out, &[&format!("`{n}`"), &says(*s), about]));
    out
}

const HEAD: &str = "\
<!-- Made by `entail docs project`; a test compares. -->
# The project file

`entail.yaml` names designs, jobs and suites. `entail run` does the jobs; `entail list` shows them;
`entail init` writes a first file; `entail init --schema` prints the JSON Schema for editors:

```yaml
# yaml-language-server: $schema=entail.schema.json
```

Paths are relative to the file they stand in. Duplicate and unknown keys, files that are not there and
includes that go in a circle are errors.

```yaml
project: fifos
designs:
  fifo:
    files: [rtl/*.sv]
    top: fifo
    parameters: {DEPTH: 8}
jobs:
  fifo-safe:  {kind: check, design: fifo, tags: [smoke]}
  fifo-deep:  {kind: check, design: fifo, parameters: {DEPTH: 64}, timeout: 10min, time: 1h, memory: 8GB}
  fifo-bug:   {kind: check, design: fifo, parameters: {BUG: 1}, expect: {no_overflow: fails}}
  fifo-cdc:   {kind: cdc, design: fifo}
suites:
  smoke:   {tags: [smoke]}
  nightly: [\"*\"]
```

`expect` says which verdict is right. A word is about the job: `holds` if all properties hold, `fails` if at least
one fails, `unknown` if none fails and one has no answer. A map is about properties, by name or pattern, the first
that fits; others are expected to hold. `time` and `memory` bound the process of a job: one that exceeds them is
stopped, and its verdict is unknown.
";
