//! Mistakes of users, and what they are told: golden outputs of bad project files and bad command lines.
//!
//! `tests/flow/bad` has a folder for each mistake in a project file, `tests/flow/commands.txt` a line for each
//! mistake on a command line, `tests/flow/expected` what the program says of each. Every one of them must leave
//! with code 2, say what is wrong, where that is (if it is in a file), and what to do about it.
//!
//! `ENTAIL_BLESS=1 cargo test --release --test mistakes` writes the golden files anew: read what changed.
//! `ENTAIL_BIN` names another program to test.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Bad project files that the schema cannot know to be bad: it sees neither files nor other parts of the project,
/// and a reader of YAML has taken out what is only spelling.
const BEYOND_THE_SCHEMA: &[&str] = &[
    // Keys that stand twice, aliases, merged maps and comments are gone when a schema looks.
    "duplicate-key",
    "alias",
    "merge-key",
    // Files, folders, includes.
    "missing-file",
    "missing-file-far",
    "missing-folder",
    "missing-include",
    "missing-spec",
    "include-folder",
    "pattern-fits-nothing",
    "cyclic-include",
    "self-include",
    "mistake-in-include",
    // Names of other things.
    "unknown-design",
    "unknown-tag",
    "unknown-rule",
    "check-of-systemc",
    "explore-of-rtl",
    "suite-fits-nothing",
    "suite-mistyped-job",
    "suite-without-jobs",
    "suite-and-job",
    "two-designs",
    "two-jobs",
    "two-suites",
    // A file of parts for others to include may have no jobs.
    "no-jobs",
    // YAML 1.1, which most readers still are, takes `yes` for true.
    "bad-boolean",
];

/// Bad project files that are no single YAML document, so that there is nothing for a schema to look at.
const NOT_YAML: &[&str] = &["not-yaml", "tab", "bad-indent", "second-document", "key-no-text"];

fn checkout() -> PathBuf {
    match option_env!("CARGO_MANIFEST_DIR") {
        Some(folder) => folder.into(),
        None => std::env::current_dir().expect("a current folder"),
    }
}

fn program() -> PathBuf {
    let given = std::env::var_os("ENTAIL_BIN").map(PathBuf::from);
    given.or(option_env!("CARGO_BIN_EXE_entail").map(PathBuf::from)).expect("cargo or ENTAIL_BIN names the program")
}

/// A folder of this test, removed when it is dropped. It lies outside of the checkout: git and the search for a
/// project file look into the folders above.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("entail-mistakes-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a temporary folder");
        Scratch(path)
    }

    fn fresh(&self, name: &str) -> PathBuf {
        let path = self.0.join(name);
        fs::create_dir_all(&path).expect("a temporary folder");
        path
    }

    /// A command that knows nothing of the user's settings, nor of a make or git that started this test.
    fn command(&self, program: impl AsRef<std::ffi::OsStr>, folder: &Path) -> Command {
        let mut c = Command::new(program);
        c.current_dir(folder).stdin(Stdio::null());
        for name in
            ["MAKEFLAGS", "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "COLUMNS", "CLICOLOR_FORCE"]
        {
            c.env_remove(name);
        }
        c.env("ENTAIL_CACHE", self.0.join("cache")).env("NO_COLOR", "1").env("LC_ALL", "C");
        c.env("GIT_CEILING_DIRECTORIES", &self.0).env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
        c
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed stays in the temporary folder.
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder to copy to");
    for entry in fs::read_dir(from).unwrap_or_else(|e| panic!("{}: {e}", from.display())) {
        let entry = entry.expect("an entry of a folder");
        let (path, new) = (entry.path(), to.join(entry.file_name()));
        // What somebody's own runs have left in the checkout is no part of it.
        if entry.file_name() == ".entail" || entry.file_name() == "build" {
            continue;
        }
        if path.is_dir() {
            copy(&path, &new);
        } else {
            fs::copy(&path, &new).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        }
    }
}

/// Words of a line; single quotes keep blanks.
fn split(line: &str) -> Vec<String> {
    let (mut words, mut word, mut open, mut quoted) = (Vec::new(), String::new(), false, false);
    for c in line.chars() {
        match c {
            '\'' => (quoted, open) = (!quoted, true),
            c if c.is_whitespace() && !quoted => {
                if std::mem::take(&mut open) {
                    words.push(std::mem::take(&mut word));
                }
            }
            c => {
                word.push(c);
                open = true;
            }
        }
    }
    assert!(!quoted, "a quote is open in: {line}");
    if open {
        words.push(word);
    }
    words
}

/// What a command line says, as golden files have it.
fn told(scratch: &Scratch, folder: &Path, words: &[String]) -> String {
    let out = scratch.command(program(), folder).args(words).output().expect("the program runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace(&format!("{}/", scratch.0.display()), "");
    let code = out.status.code().map_or("none".into(), |c| c.to_string());
    let shown: Vec<String> =
        words.iter().map(|w| if w.contains([' ', '*', '{']) { format!("'{w}'") } else { w.clone() }).collect();
    let mut all = format!("$ entail {}\nexit code {code}\n", shown.join(" "));
    for (name, bytes) in [("stdout", &out.stdout), ("stderr", &out.stderr)] {
        let text = text(bytes);
        if !text.is_empty() {
            let end = if text.ends_with('\n') { "" } else { "\n" };
            let _ = write!(all, "--- {name}\n{text}{end}");
        }
    }
    all
}

/// What is wrong with an answer, whatever the golden file has.
fn faults(told: &str, place: bool) -> Vec<&'static str> {
    let mut all = Vec::new();
    if !told.contains("\nexit code 2\n") {
        all.push("the exit code is not 2");
    }
    if told.contains("panicked") || told.contains("internal error") {
        all.push("the program panicked");
    }
    if told.contains("--- stdout") {
        all.push("mistakes are told on standard error, and before anything is done");
    }
    if !told.contains("\nerror") {
        all.push("no error is told");
    }
    if place && !told.contains("\n --> ") {
        all.push("the place is missing");
    }
    // Each message has its own remedy; those about the words point to the manual.
    let (errors, remedies) = (told.matches("\nerror").count(), told.matches(" help: ").count());
    if remedies < errors && !told.contains("try '--help'") {
        all.push("the remedy is missing");
    }
    all
}

/// Lines that differ, with those around them that do not.
fn difference(old: &str, new: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let head = old.iter().zip(&new).take_while(|(x, y)| x == y).count();
    let tail = old[head..].iter().rev().zip(new[head..].iter().rev()).take_while(|(x, y)| x == y).count();
    let mut out = String::new();
    for l in &old[head.saturating_sub(2)..head] {
        let _ = writeln!(out, "    {l}");
    }
    for l in &old[head..old.len() - tail] {
        let _ = writeln!(out, "  - {l}");
    }
    for l in &new[head..new.len() - tail] {
        let _ = writeln!(out, "  + {l}");
    }
    for l in old[old.len() - tail..].iter().take(2) {
        let _ = writeln!(out, "    {l}");
    }
    out
}

/// Compares answers with golden files whose names begin with `kind`, or writes these.
fn compare(kind: &str, answers: &[(String, String, bool)]) {
    let folder = checkout().join("tests/flow/expected");
    let bless = std::env::var_os("ENTAIL_BLESS").is_some_and(|v| v == "1");
    fs::create_dir_all(&folder).expect("the folder of golden files");
    let mut wrong = String::new();
    let mut names = BTreeSet::new();
    for (name, told, place) in answers {
        let file = format!("{kind}-{name}.txt");
        for fault in faults(told, *place) {
            let _ = writeln!(wrong, "{file}: {fault}:\n{told}");
        }
        let path = folder.join(&file);
        assert!(names.insert(file.clone()), "two cases are named {name}");
        let old = fs::read_to_string(&path).unwrap_or_default();
        if old == *told {
            continue;
        }
        if bless {
            fs::write(&path, told).expect("the golden file is written");
        } else {
            let _ = writeln!(wrong, "{file} differs (- expected, + told):\n{}", difference(&old, told));
        }
    }
    for entry in fs::read_dir(&folder).expect("the golden files").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with(&format!("{kind}-")) && !names.contains(&name) {
            match bless {
                true => fs::remove_file(entry.path()).expect("an old golden file is removed"),
                false => drop(writeln!(wrong, "{name}: there is no such case any more")),
            }
        }
    }
    let how = "if this is as it should be: ENTAIL_BLESS=1 cargo test --release --test mistakes, and read what changed";
    assert!(wrong.is_empty(), "\n{wrong}\n{how}");
    println!("{} answers", answers.len());
}

/// Names of the folders of bad projects, in order.
fn bad() -> Vec<String> {
    let list = fs::read_dir(checkout().join("tests/flow/bad")).expect("the bad projects");
    let names = list.flatten().map(|e| e.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter(|n| n.starts_with(|c: char| c.is_ascii_digit())).collect();
    names.sort();
    assert!(names.len() >= 24, "{} bad projects", names.len());
    names
}

/// The name of a bad project without its number.
fn plain(name: &str) -> &str {
    name.split_once('-').map_or(name, |n| n.1)
}

/// Lines of the list of bad command lines: name, folder, words.
fn commands() -> Vec<(String, String, Vec<String>)> {
    let text = fs::read_to_string(checkout().join("tests/flow/commands.txt")).expect("the list of command lines");
    let lines = text.lines().filter(|l| !l.is_empty() && !l.starts_with('#'));
    let all: Vec<_> = lines
        .map(|l| match split(l).as_slice() {
            [name, folder, words @ ..] => (name.clone(), folder.clone(), words.to_vec()),
            _ => panic!("a line has a name, a folder and words: {l}"),
        })
        .collect();
    assert!(all.len() >= 24, "{} command lines", all.len());
    all
}

#[test]
fn bad_projects_are_told_what_is_wrong() {
    let scratch = Scratch::new("projects");
    let from = checkout().join("tests/flow/bad");
    let mut answers = Vec::new();
    for name in bad() {
        let folder = scratch.fresh(&name);
        copy(&from.join("shared"), &folder);
        copy(&from.join(&name), &folder);
        let told = told(&scratch, &folder, &["list".into()]);
        // Only a project without jobs is wrong as a whole.
        let place = plain(&name) != "no-jobs";
        assert!(!folder.join(".entail").exists() || !place, "{name}: a bad project leaves nothing behind");
        answers.push((name, told, place));
    }
    compare("bad", &answers);
}

#[test]
fn bad_command_lines_are_told_what_is_wrong() {
    let scratch = Scratch::new("commands");
    let flow = checkout().join("designs/flow");
    let mut answers = Vec::new();
    for (name, place, words) in commands() {
        let folder = scratch.fresh(&name);
        match place.as_str() {
            "empty" => {}
            "flow" => copy(&flow, &folder),
            "git" => {
                copy(&flow, &folder);
                let who = ["-c", "user.name=t", "-c", "user.email=t@example.org"];
                for words in [&["init", "-q"][..], &["add", "."], &["commit", "-q", "-m", "All"]] {
                    let done = scratch.command("git", &folder).args(who).args(words).status();
                    assert!(done.is_ok_and(|s| s.success()), "git {words:?}");
                }
            }
            other => panic!("{name}: there is no folder `{other}`"),
        }
        answers.push((name, told(&scratch, &folder, &words), false));
    }
    compare("command", &answers);
}

/// Reads a schema and folders; says of each what the schema thinks of the project file in it.
const VALIDATOR: &str = r#"
import json, sys, yaml, jsonschema
schema = json.load(open(sys.argv[1]))
jsonschema.Draft202012Validator.check_schema(schema)
check = jsonschema.Draft202012Validator(schema)
for path in sys.argv[2:]:
    try:
        value = yaml.safe_load(open(path))
    except (yaml.YAMLError, TypeError):
        print(path, "unreadable")
        continue
    print(path, "accepted" if check.is_valid(value) else "refused")
"#;

#[test]
fn the_schema_refuses_what_it_can_know() {
    let scratch = Scratch::new("schema");
    let python = |code: &str| {
        let mut c = Command::new("python3");
        c.args(["-c", code]);
        c
    };
    if !python("import yaml, jsonschema").output().is_ok_and(|o| o.status.success()) {
        println!("skipped: python3 with jsonschema and yaml is not here");
        return;
    }
    let out = scratch.command(program(), &scratch.0).args(["init", "--schema"]).output().expect("the program runs");
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let schema = scratch.0.join("schema.json");
    fs::write(&schema, out.stdout).expect("the schema is written");
    let names = bad();
    for listed in BEYOND_THE_SCHEMA.iter().chain(NOT_YAML) {
        assert!(names.iter().any(|n| plain(n) == *listed), "there is no bad project {listed}");
    }
    let file = |n: &str| checkout().join("tests/flow/bad").join(n).join("entail.yaml");
    let good = checkout().join("designs/flow/entail.yaml");
    let out = python(VALIDATOR).arg(&schema).arg(&good).args(names.iter().map(|n| file(n))).output();
    let out = out.expect("python runs");
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let said = String::from_utf8_lossy(&out.stdout).into_owned();
    let mut said = said.lines().map(|l| l.rsplit_once(' ').map_or(l, |w| w.1));
    assert_eq!(said.next(), Some("accepted"), "the schema accepts designs/flow");
    let mut wrong = String::new();
    for name in &names {
        let expected = match plain(name) {
            n if NOT_YAML.contains(&n) => "unreadable",
            n if BEYOND_THE_SCHEMA.contains(&n) => "accepted",
            _ => "refused",
        };
        let word = said.next().unwrap_or("missing");
        if word != expected {
            let _ = writeln!(wrong, "{name}: {word} by the schema, not {expected}");
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}
