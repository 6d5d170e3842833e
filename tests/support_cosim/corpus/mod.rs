//! Elaborates every module of public RTL as a top and sorts the results.
//!
//! Whether a module is a legal top is for Verilator to say (`--lint-only`, all warnings off): if it
//! accepts one that entail refuses, the reason must be a construct that entail does not claim to
//! support (codes E04xx), or stand in [`wheels::REFUSED`] with its reason; else the error is wrong.

pub mod modules;
pub mod wheels;

use super::command::{self, Ran};
use modules::Module;
use rayon::prelude::*;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(60);

/// What became of a module.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    Elaborated,
    ClearError,
    WrongError,
    Crashed,
}

/// A module with its verdicts.
pub struct Row {
    pub wheel: &'static str,
    pub module: Module,
    /// Verilator takes it as a top.
    pub legal: bool,
    pub class: Class,
    /// The first error of entail, or how it ended.
    pub said: String,
    /// Verilator's first error.
    pub verilator: String,
}

/// Tries every module of every group. File lists are written to `lists`.
pub fn survey(corpus: &Path, lists: &Path) -> Vec<Row> {
    let mut all: Vec<(&'static str, Module, PathBuf)> = Vec::new();
    for (i, group) in wheels::GROUPS.iter().enumerate() {
        for module in modules::modules(corpus, group) {
            // Two files of a group may define one name.
            let stem = Path::new(&module.file).file_stem().expect("a file").display();
            let list = lists.join(format!("{}.{i}.{stem}.{}.f", group.wheel, module.name));
            std::fs::write(&list, module.words.join("\n") + "\n").expect("a file in a folder of ours");
            all.push((group.wheel, module, list));
        }
    }
    all.into_par_iter().map(|(wheel, module, list)| examine(wheel, module, list)).collect()
}

fn examine(wheel: &'static str, module: Module, list: PathBuf) -> Row {
    let mut verilator = Command::new("verilator");
    verilator.args(["--lint-only", "--no-timing", "-Wno-fatal", "-Wno-lint", "-Wno-style", "-Wfuture-WIDTHTRUNC"]);
    verilator.arg("--top-module");
    let lint = command::run(verilator.arg(&module.name).arg("-f").arg(&list), LIMIT);
    let mut entail = Command::new(env!("CARGO_BIN_EXE_entail"));
    entail.args(["lint", "--format", "concise", "--quiet", "--top", &module.name]);
    let ran = command::run(entail.arg("-f").arg(&list), LIMIT);
    let (class, said) = classify(&module, &ran);
    let verilator = lint.text.lines().find(|l| l.starts_with("%Error")).unwrap_or("").to_string();
    Row { wheel, legal: lint.ok(), class, said, verilator, module }
}

fn classify(module: &Module, ran: &Ran) -> (Class, String) {
    match ran.code() {
        Some(0) => (Class::Elaborated, String::new()),
        Some(2) => {
            let first = ran.text.lines().find(|l| l.contains("error[")).unwrap_or(&ran.text).to_string();
            let refused = wheels::REFUSED.iter().any(|(name, code, _)| *name == module.name && first.contains(code));
            let class = if refused || first.contains("error[E04") { Class::ClearError } else { Class::WrongError };
            (class, first)
        }
        Some(code) => (Class::Crashed, format!("exit code {code}: {}", tail(&ran.text))),
        None if ran.status.is_none() => (Class::Crashed, format!("still running after {LIMIT:?}")),
        None => (Class::Crashed, format!("signal {:?}: {}", ran.signal(), tail(&ran.text))),
    }
}

fn tail(text: &str) -> &str {
    text.lines().find(|l| l.contains("panicked")).or(text.lines().last()).unwrap_or("")
}

/// Counts of one wheel, or of all: modules, legal tops, and of these the classes.
pub struct Counts {
    pub modules: usize,
    pub legal: usize,
    pub elaborated: usize,
    pub clear: usize,
    pub wrong: usize,
    pub crashed: usize,
}

/// Counts the rows that `keep` says.
pub fn count(rows: &[Row], keep: impl Fn(&Row) -> bool) -> Counts {
    let kept: Vec<&Row> = rows.iter().filter(|r| keep(r)).collect();
    let of = |class| kept.iter().filter(|r| r.legal && r.class == class).count();
    Counts {
        modules: kept.len(),
        legal: kept.iter().filter(|r| r.legal).count(),
        elaborated: of(Class::Elaborated),
        clear: of(Class::ClearError),
        wrong: of(Class::WrongError),
        // A crash is one whether or not the module is legal.
        crashed: kept.iter().filter(|r| r.class == Class::Crashed).count(),
    }
}

/// The table, and every module that was not elaborated, as Markdown.
pub fn markdown(rows: &[Row], corpus: &Path) -> String {
    let mut out = String::from(
        "| wheel | modules | legal tops | elaborated | clear error | wrong error | panic or timeout |\n\
         |---|---|---|---|---|---|---|\n",
    );
    let mut wheels: Vec<&str> = rows.iter().map(|r| r.wheel).collect();
    wheels.dedup();
    let mut line = |name: &str, c: Counts| {
        let share = 100.0 * c.elaborated as f64 / c.legal.max(1) as f64;
        let Counts { modules, legal, elaborated, clear, wrong, crashed } = c;
        writeln!(out, "| {name} | {modules} | {legal} | {elaborated} ({share:.1}%) | {clear} | {wrong} | {crashed} |")
            .expect("a string");
    };
    for wheel in &wheels {
        line(wheel, count(rows, |r| r.wheel == *wheel));
    }
    line("all", count(rows, |_| true));
    let short = |s: &str| s.replace(&format!("{}/", corpus.display()), "");
    let mut section = |title: &str, keep: &dyn Fn(&Row) -> bool, said: &dyn Fn(&Row) -> String| {
        let kept: Vec<&Row> = rows.iter().filter(|r| keep(r)).collect();
        if !kept.is_empty() {
            writeln!(out, "\n### {title}\n").expect("a string");
        }
        for r in kept {
            writeln!(out, "- `{}` ({}): {}", r.module.name, r.module.file, short(&said(r))).expect("a string");
        }
    };
    let class = |class| move |r: &Row| r.legal && r.class == class;
    section("Wrong errors", &class(Class::WrongError), &|r| r.said.clone());
    section("Panics and timeouts", &|r| r.class == Class::Crashed, &|r| r.said.clone());
    section("Clear errors", &class(Class::ClearError), &|r| r.said.clone());
    let only_us = |r: &Row| !r.legal && r.class == Class::Elaborated;
    section("Elaborated although Verilator refuses", &only_us, &|r| r.verilator.clone());
    let neither = |r: &Row| !r.legal && matches!(r.class, Class::ClearError | Class::WrongError);
    section("Refused by both", &neither, &|r| format!("{}; Verilator: {}", r.said, r.verilator));
    out
}
