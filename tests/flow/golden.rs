//! What good and bad runs say, word for word: golden outputs with exit codes.
//!
//! `tests/flow/expected/good-NAME.txt` has the commands of a case and what they say, with times, memory, dates and
//! commits replaced. `ENTAIL_BLESS=1 cargo test --release --test flow golden` writes them anew: read what changed.

use crate::place::{Place, Said, repository};

/// A case under way: a folder, and what was said there.
struct Case {
    place: Place,
    told: String,
}

impl Case {
    fn new() -> Case {
        Case { place: Place::of_example(), told: String::new() }
    }

    /// Runs a command line, which must leave with this code, and notes what it says.
    fn run(&mut self, words: &[&str], code: i32) {
        let Said { code: left, out, err } = self.place.entail(words);
        let shown = words.join(" ");
        assert_eq!(left, code, "entail {shown}\nstdout:\n{out}\nstderr:\n{err}");
        self.told += &format!("$ entail {shown}\nexit code {code}\n{}", plain(&out));
        if !err.is_empty() {
            self.told += &format!("--- stderr\n{}", plain(&err));
        }
    }

    /// Compares with the golden file, or writes it.
    fn is(&self, name: &str) {
        let path = repository().join(format!("tests/flow/expected/good-{name}.txt"));
        if std::env::var_os("ENTAIL_BLESS").is_some_and(|v| v == "1") {
            std::fs::write(&path, &self.told).expect("the golden file is written");
        }
        let kept = std::fs::read_to_string(&path).unwrap_or_default();
        let how = "if this is right: ENTAIL_BLESS=1 cargo test --release --test flow golden, and read what changed";
        assert!(kept == self.told, "{} has\n{kept}\nand told was\n{}\n{how}", path.display(), self.told);
    }
}

/// A text without what differs from run to run.
fn plain(text: &str) -> String {
    let is_number = |w: &str| !w.is_empty() && w.chars().all(|c| c.is_ascii_digit() || c == '.');
    let mut out = String::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let mut new: Vec<String> = Vec::new();
        let mut k = 0;
        while k < words.len() {
            let (open, number) = words[k].strip_prefix('(').map_or(("", words[k]), |w| ("(", w));
            let unit = words.get(k + 1).map_or("", |w| w.trim_end_matches([')', ',']));
            if is_number(number) && ["ms", "s", "min", "h", "MB"].contains(&unit) {
                let end = &words[k + 1][unit.len()..];
                let what = if unit == "MB" { "MEMORY" } else { "TIME" };
                new.push(format!("{open}{what}{end}"));
                k += 2;
                continue;
            }
            // Whichever engine is first has a path of its own.
            let steps = is_number(number) && unit.starts_with("step") && k > 0 && words[k - 1] == "after";
            new.push(if steps { "SOME".into() } else { words[k].to_string() });
            k += 1;
        }
        // A short job has no memory to tell of.
        let line = new.join(" ").replace(", MEMORY)", ")");
        let line = match line.split_once("last as expected") {
            Some((before, _)) => format!("{before}last as expected WHEN"),
            None => line,
        };
        out += &engines(line);
        out.push('\n');
    }
    out
}

/// Engines race: which one is first differs.
fn engines(line: String) -> String {
    ["bmc", "ic3", "induction", "bdd", "explicit"].iter().fold(line, |l, e| {
        l.replace(&format!("({e} after"), "(ENGINE after").replace(&format!(": {e} after"), ": ENGINE after")
    })
}

#[test]
fn golden_a_first_run_and_a_second() {
    let mut c = Case::new();
    c.run(&["list"], 0);
    c.run(&["run", "smoke", "-j", "1", "--dry-run"], 0);
    c.run(&["run", "smoke", "counter-bug", "-j", "1"], 0);
    c.run(&["run", "smoke", "counter-bug"], 0);
    c.run(&["--quiet", "run", "smoke"], 0);
    c.run(&["run", "smoke", "--dry-run"], 0);
    c.is("first-and-second");
}

#[test]
fn golden_a_run_that_fails() {
    let mut c = Case::new();
    c.place.edit("rtl/gray_counter.sv", "next ^ (next >> 1)", "next ^ (next >> 2)");
    c.run(&["run", "smoke", "-j", "1"], 1);
    c.run(&["run", "smoke"], 1);
    c.run(&["--format", "github", "run", "smoke"], 1);
    c.run(&["--quiet", "--format", "github", "run", "counter-check"], 1);
    c.is("fails");
}

#[test]
fn golden_what_changed() {
    let mut c = Case::new();
    c.place.git(&["init", "-q"]);
    c.place.git(&["add", "-A"]);
    c.place.git(&["commit", "-qm", "first"]);
    c.place.entail(&["run", "smoke", "saturate-proof"]).expect(0);
    c.run(&["run", "smoke", "saturate-proof", "--since", "HEAD"], 0);
    c.place.edit("rtl/event_count.sv", "logic [WIDTH-1:0] meta", "/* first stage */ logic [WIDTH-1:0] meta");
    c.run(&["run", "smoke", "saturate-proof", "--since", "HEAD", "--dry-run"], 0);
    c.run(&["run", "smoke", "saturate-proof", "--since", "HEAD"], 0);
    c.run(&["run", "smoke", "saturate-proof", "--since", "HEAD"], 0);
    c.is("since");
}

#[test]
fn golden_a_first_project_file() {
    let mut c = Case::new();
    std::fs::remove_file(c.place.path().join("entail.yaml")).expect("removed");
    c.run(&["init"], 0);
    let name = c.place.path().file_name().expect("a name").to_string_lossy().into_owned();
    let text = c.place.read("entail.yaml").replace(&name, "FOLDER");
    c.told += &format!("--- entail.yaml\n{text}");
    c.run(&["list", "--plain"], 0);
    c.is("init");
}

/// Jobs with a mistake in the source, a failure, and no answer; and one that is as it should be.
const MIXED: &str = "project: several
designs:
  wrong: {files: wrong.sv, top: wrong}
  bad: {files: rtl/gray_counter.sv, top: gray_counter, parameters: {BUG: 1}}
  good: {files: rtl/gray_counter.sv, top: gray_counter}
jobs:
  wrong: {kind: check, design: wrong}
  fails: {kind: check, design: bad}
  open: {kind: check, design: good, engine: bmc, depth: 3}
  holds: {kind: check, design: good}
";

#[test]
fn golden_the_worst_of_several_exit_codes() {
    let mut c = Case::new();
    c.place.write("entail.yaml", MIXED);
    c.place.write("wrong.sv", "module wrong(input clk);\n  assign nosuch = clk & missing;\nendmodule\n");
    c.run(&["run", "holds", "-j", "1"], 0);
    c.run(&["run", "open", "holds", "-j", "1"], 3);
    c.run(&["run", "fails", "open", "-j", "1"], 1);
    c.run(&["run", "wrong", "fails", "open", "-j", "1"], 2);
    c.is("several-codes");
}

#[test]
fn golden_what_is_known_and_what_is_not() {
    let mut c = Case::new();
    c.run(&["run", "smoke", "--known-only"], 3);
    c.place.entail(&["run", "counter-check"]).expect(0);
    c.run(&["run", "smoke", "--known-only"], 3);
    c.run(&["run", "counter-check", "--known-only"], 0);
    c.is("known-only");
}
