//! The flow with real tools: git, make, pre-commit, Slurm; results that are kept, and what happens when they are not.

#[path = "flow/golden.rs"]
mod golden;
#[path = "flow/place.rs"]
mod place;

use place::{Place, job, program, repository, said};
use serde_json::Value;
use std::process::Stdio;
use std::time::{Duration, Instant};

fn statuses(r: &Value) -> Vec<(String, String, bool)> {
    let text = |v: &Value| v.as_str().unwrap_or("").to_string();
    let jobs = r["jobs"].as_array().expect("jobs");
    jobs.iter().map(|j| (text(&j["name"]), text(&j["status"]), j["cached"] == true)).collect()
}

/// Whether every property of a job came from the store.
fn known_items(j: &Value) -> bool {
    j["record"]["items"].as_array().is_some_and(|l| !l.is_empty() && l.iter().all(|i| i["cached"] == true))
}

#[test]
fn the_example_is_as_it_should_be_and_then_known() {
    let p = Place::of_example();
    let first = p.report(&["nightly"], 0);
    assert!(statuses(&first).iter().all(|(_, s, cached)| s == "pass" && !cached), "{:?}", statuses(&first));
    assert_eq!(job(&first, "counter-bug")["verdict"], "fails");
    let items = job(&first, "counter-bug")["record"]["items"].as_array().expect("items");
    assert!(items.iter().any(|i| i["wave"]["signals"].as_array().is_some_and(|s| s.len() > 2)), "a failure has waves");
    assert!(p.path().join(".entail/out/counter-bug/one_bit_at_a_time.vcd").is_file(), "and a file of them");
    let second = p.report(&["nightly"], 0);
    assert!(statuses(&second).iter().all(|(_, s, cached)| s == "pass" && *cached), "{:?}", statuses(&second));
    assert_eq!(job(&second, "counter-check")["history"][0]["status"], "pass");
}

#[test]
fn what_does_not_matter_to_a_property_does_not_ask_it_again() {
    let p = Place::of_example();
    p.report(&["counter-check", "counter-bug"], 0);
    // A comment: the files differ, the cones do not.
    p.edit("rtl/gray_counter.sv", "    assign next", "    // the sum\n\n    assign next");
    let r = p.report(&["counter-check", "counter-bug"], 0);
    for name in ["counter-check", "counter-bug"] {
        assert_eq!(job(&r, name)["cached"], false, "the file was read again");
        assert_eq!(job(&r, name)["why"], "rtl/gray_counter.sv has changed");
        assert!(known_items(job(&r, name)), "{name}: {r:#}");
    }
    // The failure has its waves, and the place where it stands now.
    let items = job(&r, "counter-bug")["record"]["items"].as_array().expect("items");
    let bad = items.iter().find(|i| i["name"] == "one_bit_at_a_time").expect("it");
    assert!(bad["wave"].is_object() && bad["verdict"] == "fails");
    let line = p.read("rtl/gray_counter.sv").lines().position(|l| l.contains("one_bit_at_a_time:")).expect("it") + 1;
    assert_eq!(bad["place"]["line"], line);
    // Something else in the module.
    p.edit(
        "rtl/gray_counter.sv",
        "    logic [WIDTH-1:0] last;",
        "    logic [3:0] idle;\n    always_ff @(posedge clk) idle <= idle + 1;\n    logic [WIDTH-1:0] last;",
    );
    assert!(known_items(job(&p.report(&["counter-check"], 0), "counter-check")));
    // And what matters.
    p.edit("rtl/gray_counter.sv", "next ^ (next >> 1)", "next ^ (next >> 2)");
    let r = p.report(&["counter-check"], 1);
    assert_eq!(job(&r, "counter-check")["status"], "fail");
    // Back again: known as it was, whatever came between.
    p.edit("rtl/gray_counter.sv", "next ^ (next >> 2)", "next ^ (next >> 1)");
    assert_eq!(job(&p.report(&["counter-check"], 0), "counter-check")["cached"], true);
}

#[test]
fn stored_evidence_is_checked_again_on_demand_and_forged_evidence_is_refused() {
    let p = Place::of_example();
    p.report(&["counter-check"], 0);
    let r = p.report(&["counter-check", "--replay"], 0);
    assert!(known_items(job(&r, "counter-check")), "{r:#}");
    // A store that claims what nobody proved: the answer of a failing property is made to hold.
    p.edit("rtl/gray_counter.sv", "next ^ (next >> 1)", "next ^ (next >> 2)");
    p.report(&["counter-check"], 1);
    {
        let db = rusqlite::Connection::open(p.path().join(".entail/store.db")).expect("the store");
        let mut q = db.prepare("SELECT key, value FROM answers").expect("a query");
        let rows: Vec<(String, Vec<u8>)> =
            q.query_map([], |r| Ok((r.get(0)?, r.get(1)?))).expect("rows").flatten().collect();
        let mut forged = 0;
        for (key, value) in rows {
            let text = String::from_utf8(value).expect("text");
            if text.contains("\"said\":\"fails\"") {
                let new = text.replace("\"fails\"", "\"holds\"");
                db.execute("UPDATE answers SET value = ? WHERE key = ?", (new.into_bytes(), key)).expect("forged");
                forged += 1;
            }
        }
        assert!(forged > 0);
    }
    let r = p.report(&["counter-check", "--replay"], 4);
    assert_eq!(job(&r, "counter-check")["status"], "error");
}

/// The store's rows of answers that have a text in their key or their value.
fn answers(p: &Place, key: &str, value: &str) -> Vec<(String, String)> {
    let db = rusqlite::Connection::open(p.path().join(".entail/store.db")).expect("the store");
    let mut q = db.prepare("SELECT key, value FROM answers").expect("a query");
    let row = |r: &rusqlite::Row| Ok((r.get(0)?, String::from_utf8(r.get(1)?).expect("text")));
    let all: Vec<(String, String)> = q.query_map([], row).expect("rows").flatten().collect();
    all.into_iter().filter(|(k, v)| k.contains(key) && v.contains(value)).collect()
}

fn forge(p: &Place, key: &str, value: Option<&str>) {
    let db = rusqlite::Connection::open(p.path().join(".entail/store.db")).expect("the store");
    let done = match value {
        Some(v) => db.execute("UPDATE answers SET value = ? WHERE key = ?", (v.as_bytes(), key)),
        None => db.execute("DELETE FROM answers WHERE key = ?", [key]),
    };
    assert_eq!(done.expect("forged"), 1);
}

#[test]
fn stored_proofs_are_checked_again_on_demand_and_forged_ones_are_refused() {
    let p = Place::of_example();
    p.report(&["saturate-proof"], 0);
    let r = p.report(&["saturate-proof", "--replay"], 0);
    assert!(known_items(job(&r, "saturate-proof")), "not proved, but checked: {r:#}");
    let (key, whole) = answers(&p, " certificate", "entail-proof-1").pop().expect("a certificate");
    let refused = |text: &str, said: &str| {
        forge(&p, &key, Some(text));
        let r = p.report(&["saturate-proof", "--replay"], 4);
        let j = job(&r, "saturate-proof");
        assert_eq!(j["status"], "error", "{j:#}");
        assert!(j.to_string().contains("does not check") && j.to_string().contains(said), "{said}: {j:#}");
    };
    // A certificate with a step that is not so: a gate of its formulas is another.
    let mut file: Value = serde_json::from_str(&whole).expect("a proof");
    let gates = file["gates"].as_array_mut().expect("gates");
    let last = gates.last_mut().and_then(Value::as_array_mut).expect("a gate");
    last[1] = Value::from(last[1].as_u64().expect("an operand") ^ 1);
    refused(&file.to_string(), "");
    // One that says nothing of an assertion.
    let mut file: Value = serde_json::from_str(&whole).expect("a proof");
    file["steps"] = Value::Array(Vec::new());
    file["goal"] = Value::Null;
    refused(&file.to_string(), "");
    // Half of one.
    refused(&whole[..whole.len() / 2], "");
    // None, as in a store that had no room for it: it is proved again.
    forge(&p, &key, None);
    let r = p.report(&["saturate-proof", "--replay"], 0);
    assert!(!known_items(job(&r, "saturate-proof")), "{r:#}");
    assert_eq!(answers(&p, " certificate", &whole[..200]).len(), 1, "and has one now");
    // A proof of another circuit says nothing of this one.
    p.edit("rtl/saturate.sv", "module saturate", "module  saturate");
    p.report(&["saturate-proof"], 0);
    let r = p.report(&["saturate-proof", "--replay"], 0);
    assert!(known_items(job(&r, "saturate-proof")), "{r:#}");
}

#[test]
fn proofs_of_all_kinds_are_checked_from_the_store() {
    let p = Place::new();
    let specs = std::fs::read_dir(repository().join("proofs")).expect("proofs").flatten().map(|e| e.path());
    let mut names = Vec::new();
    let mut text = "jobs:\n".to_string();
    for spec in specs.filter(|s| s.extension().is_some_and(|x| x == "yaml")) {
        let name = spec.file_stem().expect("a name").to_string_lossy().into_owned();
        text += &format!("  {name}: {{kind: prove, spec: {}}}\n", spec.display());
        names.push(name);
    }
    p.write("entail.yaml", &text);
    assert!(names.len() > 5, "{names:?}");
    p.report(&[], 0);
    let r = p.report(&["--replay"], 0);
    for name in names {
        assert!(known_items(job(&r, &name)), "{name}: {:#}", job(&r, &name));
        assert!(job(&r, &name)["record"]["proof"].is_object(), "{name}");
    }
}

#[test]
fn what_does_not_hold_is_decided_again_when_the_store_is_not_trusted() {
    let p = Place::of_example();
    // Claimed to hold by the store alone: the verdict of a failing assertion is turned round.
    p.edit("rtl/saturate.sv", "? '1 :", "? '0 :");
    p.report(&["saturate-proof"], 1);
    for (key, value) in answers(&p, "", "\"fails\"") {
        forge(&p, &key, Some(&value.replace("\"fails\"", "\"holds\"").replace("\"code\":1", "\"code\":0")));
    }
    let r = p.report(&["saturate-proof", "--replay"], 1);
    assert_eq!(job(&r, "saturate-proof")["status"], "fail", "{r:#}");
}

#[test]
fn make_does_what_changed_and_no_more() {
    let p = Place::of_example();
    let mk = format!("include {}", repository().join("share/entail.mk").display());
    p.edit("Makefile", "include ../../share/entail.mk", &mk);
    let run = || said(p.command("make").args(["-j2", "ENTAIL=entail"]).output().expect("make"));
    run().expect(0);
    let second = run().expect(0);
    assert!(!second.out.contains("entail run"), "nothing is left to do:\n{}", second.out);
    // Only what reads this file.
    std::thread::sleep(Duration::from_millis(1100));
    p.edit("rtl/saturate.sv", "module saturate", "// sums\nmodule saturate");
    let third = run().expect(0);
    assert!(third.out.contains("run saturate-proof") && !third.out.contains("run counter"), "{}", third.out);
    // A file that is gone is no riddle for make.
    let deps = p.read(".entail/make/counter-check.d");
    assert!(deps.contains("rtl/gray_counter.sv:"), "{deps}");
    // A failure stops make, and is done again next time.
    p.edit("rtl/gray_counter.sv", "next ^ (next >> 1)", "next ^ (next >> 2)");
    for _ in 0..2 {
        let bad = said(p.command("make").args(["entail-counter-check", "ENTAIL=entail"]).output().expect("make"));
        assert_ne!(bad.code, 0);
        assert!(bad.out.contains("one_bit_at_a_time"), "{}", bad.out);
    }
}

/// A project of one design with make's rules for it.
fn with_make(files: &str, jobs: &str) -> Place {
    let p = Place::new();
    p.write("entail.yaml", &format!("designs:\n  t: {{files: {files}, top: t}}\njobs:\n{jobs}"));
    p.write("Makefile", &format!("all: entail\ninclude {}\n", repository().join("share/entail.mk").display()));
    p
}

/// A module that toggles.
fn toggle(name: &str) -> String {
    format!(
        "module {name}(input clk); reg t = 0; always @(posedge clk) t <= ~t; \
         a: assert property (@(posedge clk) t == 0 || t == 1); endmodule\n"
    )
}

#[test]
fn make_sees_files_that_come_and_go() {
    for folder in ["rtl/", ""] {
        let p = with_make(&format!("'{folder}*.sv'"), "  j: {kind: check, design: t}\n");
        p.write(&format!("{folder}t.sv"), &toggle("t"));
        let asks = || p.run("make", &[]).expect(0).out.contains("run j");
        assert!(asks() && !asks(), "once is enough");
        // A name of make's own that is a folder's, too.
        p.edit("Makefile", "all: entail", ".PHONY: rtl\nall: entail\nrtl:\n\tfalse");
        assert!(!asks());
        p.write(&format!("{folder}more.sv"), &toggle("more"));
        assert!(asks() && !asks(), "a new file fits the pattern in `{folder}`");
        std::fs::remove_file(p.path().join(format!("{folder}more.sv"))).expect("removed");
        assert!(asks() && !asks(), "one is gone from `{folder}`");
    }
    // A folder that had no file for the pattern, and one that is gone.
    let p = with_make("'rtl/**/*.sv'", "  j: {kind: check, design: t}\n");
    p.write("rtl/t.sv", &toggle("t"));
    p.write("rtl/empty/notes.txt", "");
    let asks = || p.run("make", &[]).expect(0).out.contains("run j");
    assert!(asks() && !asks());
    p.write("rtl/empty/more.sv", &toggle("more"));
    assert!(asks() && !asks());
    std::fs::remove_dir_all(p.path().join("rtl/empty")).expect("removed");
    assert!(asks() && !asks());
}

#[test]
fn make_asks_each_time_where_it_cannot_know() {
    let p = with_make("'*.sv'", "  j: {kind: check, design: t}\n");
    p.write("t.sv", &toggle("t"));
    p.write("t.f", "$SOURCES/t.sv\n");
    p.edit("entail.yaml", "files: '*.sv'", "filelists: t.f");
    let make = |sources: &str| said(p.command("make").env("SOURCES", sources).output().expect("make"));
    make(".").expect(0);
    assert!(make(".").expect(0).out.contains("1 known"), "it is asked, and known");
    p.write("other/t.sv", "module t; broken\n");
    assert_ne!(make("other").code, 0, "a variable of the file list leads to another file");
    // A model that the user builds: nobody knows what from.
    let p = with_make("", "  j: {kind: explore, design: m}\n");
    let model = "{language: systemc, build: '$CXX -o sim m.cpp -lsystemc', program: sim}";
    p.edit("entail.yaml", "  t: {files: , top: t}", &format!("  m: {model}"));
    p.write("m.cpp", "// a model\n#include <systemc.h>\nint sc_main(int, char **) { sc_start(1, SC_NS); return 0; }\n");
    p.run("make", &[]).expect(0);
    let again = p.run("make", &[]).expect(0);
    assert!(again.out.contains("run j"), "{}", again.out);
}

#[test]
fn what_is_edited_while_a_job_runs_is_newer_than_its_stamp() {
    let p = with_make("t.sv", "  j: {kind: check, design: t}\n");
    p.write("t.sv", &toggle("t"));
    // A program that is slow enough to be overtaken: when it ends, the source is another.
    p.write("slow", &format!("#!/bin/sh\n{} \"$@\" && touch t.sv\n", program().display()));
    p.run("chmod", &["+x", "slow"]).expect(0);
    p.run("make", &["ENTAIL=./slow"]).expect(0);
    let again = p.run("make", &[]).expect(0);
    assert!(again.out.contains("run j"), "{}", again.out);
    assert!(!p.run("make", &[]).expect(0).out.contains("run j"));
}

#[test]
fn a_run_under_make_goes_on_with_the_one_token_it_has() {
    let p = Place::new();
    let mut designs = String::from("designs:\n");
    let mut jobs = String::from("jobs:\n");
    for k in 0..3 {
        p.write(&format!("t{k}.sv"), &toggle(&format!("t{k}")));
        designs += &format!("  t{k}: {{files: t{k}.sv, top: t{k}}}\n");
        jobs += &format!("  j{k}: {{kind: check, design: t{k}}}\n");
    }
    p.write("entail.yaml", &(designs + &jobs));
    // The other recipe holds the other token until the run is over, or for half a minute.
    let wait = "for i in $$(seq 300); do test -e done && exit 0; sleep 0.1; done; exit 1";
    p.write("Makefile", &format!("all: run hold\nrun:\n\t+entail run\n\ttouch done\nhold:\n\t@{wait}\n"));
    let fifo = p.run("make", &["--help"]).out.contains("--jobserver-style");
    for style in if fifo { &["pipe", "fifo"][..] } else { &[""] } {
        let style: Vec<String> = if style.is_empty() { Vec::new() } else { vec![format!("--jobserver-style={style}")] };
        let made = said(p.command("make").arg("-j2").args(&style).output().expect("make")).expect(0);
        assert!(!made.err.contains("jobserver tokens"), "tokens are given back: {}", made.err);
        std::fs::remove_file(p.path().join("done")).expect("it was made");
        p.entail(&["clean"]).expect(0);
    }
}

#[test]
fn a_run_under_make_ends_when_it_is_told_to() {
    let p = Place::new();
    p.write("hard.sv", HARD);
    p.write("entail.yaml", "designs:\n  hard: {files: hard.sv, top: hard}\njobs:\n  a: {kind: check, design: hard, timeout: 1h}\n  b: {kind: check, design: hard, timeout: 1h, depth: 5}\n");
    // The run's process number comes by a file, and the other token is held.
    p.write(
        "Makefile",
        "all: run hold\nrun:\n\t+echo $$$$ > pid; exec entail run --events e.jsonl\nhold:\n\t@sleep 20\n",
    );
    let mut make = p.command("make").arg("-j2").stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("make");
    let began = Instant::now();
    let started = || p.path().join("e.jsonl").exists() && p.read("e.jsonl").contains("\"start\"");
    while !started() {
        assert!(began.elapsed() < Duration::from_secs(20), "it does not start");
        std::thread::sleep(Duration::from_millis(50));
    }
    let pid: i32 = p.read("pid").trim().parse().expect("a number");
    let pid = rustix::process::Pid::from_raw(pid).expect("a process");
    let told = Instant::now();
    rustix::process::kill_process(pid, rustix::process::Signal::INT).expect("a signal");
    while rustix::process::test_kill_process(pid).is_ok() {
        assert!(told.elapsed() < Duration::from_secs(5), "it does not end");
        std::thread::sleep(Duration::from_millis(20));
    }
    rustix::process::kill_process(
        rustix::process::Pid::from_raw(make.id() as i32).expect("a process"),
        rustix::process::Signal::TERM,
    )
    .expect("a signal");
    make.wait().expect("make ends");
}

#[test]
fn the_jobserver_of_make_is_honoured() {
    let p = Place::new();
    // Each job notes when it begins and ends; with -j2 no more than two are under way.
    let mut yaml = String::from("designs:\n");
    let mut jobs = String::from("jobs:\n");
    for k in 0..6 {
        p.write(&format!("t{k}.sv"), &format!("module t{k}(input clk); reg [20:0] n = {k}; always @(posedge clk) n <= n + 1; a: assert property (@(posedge clk) n != 21'h1fffff); endmodule\n"));
        yaml += &format!("  t{k}: {{files: t{k}.sv, top: t{k}}}\n");
        jobs += &format!(
            "  j{k}: {{kind: check, design: t{k}, engine: bmc, timeout: 1s, depth: 100000, expect: unknown}}\n"
        );
    }
    p.write("entail.yaml", &(yaml + &jobs));
    p.write("Makefile", "all:\n\t+entail run --events e.jsonl --retry-unknown\n");
    for (flag, most) in [("-j1", 1), ("-j2", 2), ("-j4", 4)] {
        said(p.command("make").arg(flag).output().expect("make")).expect(0);
        let mut now = 0i32;
        let mut seen = 0;
        for line in p.read("e.jsonl").lines() {
            let e: Value = serde_json::from_str(line).expect("JSON");
            match e["event"].as_str() {
                Some("start") => now += 1,
                Some("done") => now -= 1,
                _ => {}
            }
            seen = seen.max(now);
        }
        assert!(seen <= most && seen >= 1, "{flag}: {seen} at once");
        assert!(most < 2 || seen >= 2, "{flag}: {seen} at once");
    }
}

#[test]
fn a_change_in_git_runs_what_it_can_affect() {
    let p = Place::of_example();
    p.git(&["init", "-q"]);
    p.git(&["add", "-A"]);
    p.git(&["commit", "-qm", "first"]);
    p.entail(&["run", "smoke", "saturate-proof"]).expect(0);
    let said = p.entail(&["run", "smoke", "saturate-proof", "--since", "HEAD", "--dry-run"]).expect(0);
    assert!(said.out.lines().all(|l| l.starts_with("skip")), "{}", said.out);
    p.edit("rtl/event_count.sv", "logic [WIDTH-1:0] meta", "/* first stage */ logic [WIDTH-1:0] meta");
    let said = p.entail(&["run", "smoke", "saturate-proof", "--since", "HEAD", "--dry-run"]).expect(0);
    assert!(said.out.contains("run    events-cdc  (rtl/event_count.sv differs from HEAD)"), "{}", said.out);
    assert!(said.out.contains("skip   counter-check") && said.out.contains("skip   saturate-proof"), "{}", said.out);
    // A new file that an include could find instead.
    p.write("rtl/extra.svh", "// nothing\n");
    let said = p.entail(&["run", "smoke", "--since", "HEAD", "--dry-run"]).expect(0);
    assert!(said.out.contains("run    counter-check") || said.out.contains("known  counter-check"), "{}", said.out);
}

#[test]
fn before_the_first_commit_everything_is_a_change() {
    let p = Place::of_example();
    p.git(&["init", "-q"]);
    p.git(&["add", "-A"]);
    p.entail(&["run", "smoke", "--since", "HEAD"]).expect(0);
    let said = p.entail(&["run", "smoke", "--since", "HEAD", "--dry-run"]).expect(0);
    assert!(said.out.lines().all(|l| l.starts_with("known")), "{}", said.out);
    p.entail(&["run", "--since", "HEAD~1"]).expect(2);
}

#[test]
fn what_is_not_known_is_told_when_nothing_may_be_run() {
    let p = Place::of_example();
    let none = p.entail(&["run", "smoke", "--known-only"]).expect(3);
    assert!(none.err.contains("nothing is known of 2 jobs") && none.err.contains("help:"), "{}", none.err);
    p.entail(&["run", "counter-check"]).expect(0);
    let some = p.entail(&["run", "smoke", "--known-only"]).expect(3);
    assert!(some.err.contains("nothing is known of 1 of 2 jobs"), "{}", some.err);
    p.entail(&["run", "counter-check", "--known-only"]).expect(0);
    p.entail(&["view", "--no-open"]).expect(0);
}

#[test]
fn a_damaged_store_is_told_with_what_to_do_about_it() {
    let p = Place::of_example();
    p.entail(&["run", "counter-check"]).expect(0);
    let whole = std::fs::read(p.path().join(".entail/store.db")).expect("the store");
    // No store at all, and one whose tables are damaged further down.
    let mut torn = whole.clone();
    torn[200..].fill(0xff);
    for bytes in [b"this is no store".repeat(200), torn] {
        std::fs::write(p.path().join(".entail/store.db"), bytes).expect("written");
        for words in [&["run", "counter-check"][..], &["list"], &["clean", "--older", "3"]] {
            let bad = p.entail(words).expect(2);
            assert!(bad.err.contains("help: ") && bad.err.contains("`entail clean`"), "{words:?}: {}", bad.err);
        }
    }
    p.entail(&["clean"]).expect(0);
    p.entail(&["run", "counter-check"]).expect(0);
}

#[test]
fn the_hook_checks_what_is_staged() {
    let words = ["-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-qm", "next"];
    let (good, bad) = ("next ^ (next >> 1)", "next ^ (next >> 2)");
    // At the top of a repository, and further down.
    for below in ["", "hw/flow/"] {
        let p = Place::new();
        place::copy(&repository().join("designs/flow"), &p.path().join(below));
        let rtl = format!("{below}rtl/gray_counter.sv");
        p.git(&["init", "-q"]);
        let install = ["-C", if below.is_empty() { "." } else { "hw/flow/rtl" }, "hook", "install"];
        p.entail(&install).expect(0);
        p.git(&["add", "-A"]);
        p.git(&["commit", "-qm", "first"]);
        // Bad is staged, the folder is good.
        p.edit(&rtl, good, bad);
        p.git(&["add", "-A"]);
        p.edit(&rtl, bad, good);
        let refused = p.run("git", &words);
        assert_ne!(refused.code, 0, "{}{}", refused.out, refused.err);
        let told = format!("{}{}", refused.out, refused.err);
        assert!(told.contains("one_bit_at_a_time") && told.contains("about what is staged"), "{told}");
        assert!(!p.path().join(format!("{below}.entail/staged")).exists(), "nothing stays behind");
        // Good is staged with a remark, the folder is bad.
        p.edit(&rtl, "module", "// one more\nmodule");
        p.git(&["add", "-A"]);
        p.edit(&rtl, good, bad);
        p.run("git", &words).expect(0);
        // What the project names and nobody has added is not in the commit.
        p.edit(&rtl, bad, good);
        p.edit(&format!("{below}entail.yaml"), "[rtl/gray_counter.sv,", "[rtl/new.sv, rtl/gray_counter.sv,");
        p.write(&format!("{below}rtl/new.sv"), "module unused; endmodule\n");
        p.git(&["add", "-u"]);
        assert_ne!(p.run("git", &words).code, 0);
        p.git(&["add", "-A"]);
        p.run("git", &words).expect(0);
        // Made by a generator, and ignored: there all the same.
        p.write(".gitignore", "new.sv\nreport*\n");
        p.git(&["rm", "-q", "--cached", &format!("{below}rtl/new.sv")]);
        p.git(&["add", "-A"]);
        p.write("notes.txt", "not added\n");
        p.run("git", &words).expect(0);
    }
}

#[test]
fn a_hook_with_nothing_to_do_takes_no_time() {
    let p = Place::of_example();
    p.git(&["init", "-q"]);
    p.entail(&["hook", "install"]).expect(0);
    p.git(&["add", "-A"]);
    p.git(&["commit", "-qm", "first"]);
    let quickest = |p: &Place| {
        let took = (0..5).map(|_| {
            let began = Instant::now();
            p.entail(&["hook", "check", "smoke"]).expect(0);
            began.elapsed()
        });
        took.min().expect("five")
    };
    assert!(quickest(&p) < Duration::from_millis(300), "{:?}", quickest(&p));
    // The same if the folder differs in something else: nothing is checked out for it.
    p.write("notes.txt", "nothing\n");
    p.edit("rtl/saturate.sv", "module", "// not staged\nmodule");
    assert!(quickest(&p) < Duration::from_millis(300), "{:?}", quickest(&p));
    let log = p.path().join(".git/asked");
    let check =
        || said(p.command("entail").args(["hook", "check", "smoke"]).env("GIT_TRACE", &log).output().expect("it"));
    check().expect(0);
    let asked = std::fs::read_to_string(&log).expect("git was asked");
    assert!(!asked.contains("checkout-index --all"), "{asked}");
    // In what matters: the known failure is that of the files that are staged.
    p.edit("rtl/gray_counter.sv", "next ^ (next >> 1)", "next ^ (next >> 2)");
    p.git(&["add", "rtl/gray_counter.sv"]);
    check().expect(1);
    p.edit("rtl/gray_counter.sv", "next ^ (next >> 2)", "next ^ (next >> 1)");
    std::fs::remove_file(&log).expect("it was there");
    let bad = check().expect(1);
    assert!(bad.err.contains("about what is staged"), "{}{}", bad.out, bad.err);
    let asked = std::fs::read_to_string(&log).expect("git was asked");
    assert!(!asked.contains("checkout-index --all"), "{asked}");
}

#[test]
fn hooks_stop_a_commit_that_breaks_something() {
    let p = Place::of_example();
    p.git(&["init", "-q"]);
    p.entail(&["hook", "install"]).expect(0);
    p.git(&["add", "-A"]);
    p.git(&["commit", "-qm", "first"]);
    p.edit("rtl/gray_counter.sv", "next ^ (next >> 1)", "next ^ (next >> 2)");
    let words = ["-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-qam", "worse"];
    let bad = p.run("git", &words);
    assert_ne!(bad.code, 0);
    assert!(bad.out.contains("one_bit_at_a_time") || bad.err.contains("one_bit_at_a_time"), "{}{}", bad.out, bad.err);
    p.entail(&["hook", "uninstall"]).expect(0);
    p.run("git", &words).expect(0);
}

/// The real pre-commit program, if the makefile has installed it.
fn pre_commit() -> Option<String> {
    let own = std::env::var("ENTAIL_PRE_COMMIT").ok().filter(|p| std::path::Path::new(p).is_file());
    if own.is_none() {
        assert!(std::env::var_os("ENTAIL_REQUIRE_TOOLS").is_none(), "pre-commit is required and missing");
        eprintln!("SKIPPED: ENTAIL_PRE_COMMIT names no program (`make test` installs one)");
    }
    own
}

#[test]
fn pre_commit_runs_the_hooks_of_this_repository() {
    let Some(program) = pre_commit() else { return };
    // The repository that has the hooks: a copy with a commit of its own.
    let hooks = Place::new();
    std::fs::copy(repository().join(".pre-commit-hooks.yaml"), hooks.path().join(".pre-commit-hooks.yaml"))
        .expect("hooks");
    hooks.git(&["init", "-q"]);
    hooks.git(&["add", "-A"]);
    hooks.git(&["commit", "-qm", "hooks"]);
    let rev = hooks.run("git", &["rev-parse", "HEAD"]).expect(0).out.trim().to_string();
    let p = Place::of_example();
    p.write(
        ".pre-commit-config.yaml",
        &format!(
            "repos:\n  - repo: {}\n    rev: {rev}\n    hooks: [{{id: entail}}, {{id: entail-since}}]\n",
            hooks.path().display()
        ),
    );
    p.git(&["init", "-q"]);
    p.git(&["add", "-A"]);
    p.git(&["commit", "-qm", "first"]);
    let cache = p.path().join("pre-commit-cache");
    let run = || {
        let mut c = p.command(&program);
        c.args(["run", "--all-files", "--verbose"]).env("PRE_COMMIT_HOME", &cache);
        said(c.output().expect("pre-commit"))
    };
    let good = run().expect(0);
    assert!(good.out.matches("Passed").count() == 2, "{}", good.out);
    p.edit("rtl/gray_counter.sv", "next ^ (next >> 1)", "next ^ (next >> 2)");
    let bad = run().expect(1);
    assert!(bad.out.contains("one_bit_at_a_time"), "{}", bad.out);
}

/// A law of arithmetic that no engine of `check` proves soon.
const HARD: &str = "module hard(input clk, input [31:0] a, b, c);
  reg [63:0] p, q;
  always @(posedge clk) begin p <= a * (64'(b) + 64'(c)); q <= 64'(a) * b + 64'(a) * c; end
  law: assert property (@(posedge clk) 1 |=> p == q);
endmodule
";

#[test]
fn limits_stop_one_job_and_no_other() {
    let p = Place::new();
    p.write("hard.sv", HARD);
    p.write("easy.sv", "module easy(input clk); reg t = 0; always @(posedge clk) t <= ~t; a: assert property (@(posedge clk) t == 0 || t == 1); endmodule\n");
    p.write(
        "entail.yaml",
        "designs:\n  hard: {files: hard.sv, top: hard}\n  easy: {files: easy.sv, top: easy}\njobs:\n  \
         slow: {kind: check, design: hard, timeout: 1h, time: 1s}\n  \
         big: {kind: check, design: hard, engine: bdd, timeout: 1h, time: 1min, memory: 60MB}\n  \
         easy: {kind: check, design: easy}\n",
    );
    let r = p.report(&[], 3);
    assert_eq!(job(&r, "easy")["status"], "pass");
    assert_eq!(job(&r, "slow")["status"], "unknown");
    assert_eq!(job(&r, "slow")["message"], "it ran out of time");
    assert_eq!(job(&r, "big")["message"], "it ran out of memory");
    // What has no answer is run again; what has one is not.
    let r = p.report(&[], 3);
    assert_eq!(job(&r, "slow")["why"], "its last run found no answer, or its options have changed");
    assert_eq!(job(&r, "easy")["cached"], true);
    assert_eq!(job(&r, "slow")["cached"], false);
}

/// The processes that a process started, with how each is.
fn started(pid: u32) -> Vec<(u32, char)> {
    let list = std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default();
    let threads = std::fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let all = threads.map(|t| std::fs::read_to_string(t.path().join("children")).unwrap_or_default());
    let all: Vec<String> = all.chain([list]).collect();
    let mut pids: Vec<u32> = all.iter().flat_map(|l| l.split_whitespace()).flat_map(str::parse).collect();
    pids.sort();
    pids.dedup();
    pids.into_iter().map(|p| (p, state(p))).collect()
}

/// How a process is: `R` for running, `Z` for dead, `-` for gone.
fn state(pid: u32) -> char {
    let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    text.rsplit_once(") ").and_then(|(_, s)| s.chars().next()).unwrap_or('-')
}

fn signal(pid: u32, name: &str) {
    let done = std::process::Command::new("kill").args([name, &pid.to_string()]).status().expect("kill");
    assert!(done.success(), "{name} {pid}");
}

#[test]
fn the_system_keeps_the_time_of_a_worker_that_nobody_watches() {
    let p = Place::new();
    p.write("hard.sv", HARD);
    p.write(
        "entail.yaml",
        "designs: {hard: {files: hard.sv, top: hard}}\njobs: {slow: {kind: check, design: hard, timeout: 1h, time: 2s}}\n",
    );
    let begin = || {
        let mut c = p.command(program().to_str().expect("a path"));
        c.args(["run", "--json", "r.json"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("run")
    };
    // The worker of a run, once it is there. Git was asked before, and is gone.
    let worker_of = |run: u32, began: Instant| loop {
        let is_worker = |(p, _): &&(u32, char)| {
            std::fs::read_to_string(format!("/proc/{p}/cmdline")).is_ok_and(|c| c.contains("--limit-time"))
        };
        if let Some((worker, _)) = started(run).iter().find(is_worker) {
            return *worker;
        }
        assert!(began.elapsed() < Duration::from_secs(20), "a worker starts");
        std::thread::sleep(Duration::from_millis(5));
    };
    // The run is stopped: the worker ends a little after its time, and the run says so when it goes on.
    let (mut run, began) = (begin(), Instant::now());
    let worker = worker_of(run.id(), began);
    signal(run.id(), "-STOP");
    while !matches!(state(worker), 'Z' | '-') {
        assert!(began.elapsed() < Duration::from_secs(15), "it goes on and on: {}", state(worker));
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(began.elapsed() > Duration::from_secs(2), "not before its time: {:?}", began.elapsed());
    signal(run.id(), "-CONT");
    assert_eq!(run.wait().expect("it ends").code(), Some(3));
    let r: Value = serde_json::from_str(&p.read("r.json")).expect("a report");
    assert_eq!(job(&r, "slow")["message"], "it ran out of time");
    // The run is killed: the worker goes with it.
    let mut run = begin();
    let worker = worker_of(run.id(), Instant::now());
    signal(run.id(), "-KILL");
    run.wait().expect("it ends");
    let began = Instant::now();
    while !matches!(state(worker), 'Z' | '-') {
        assert!(began.elapsed() < Duration::from_secs(2), "it goes on: {}", state(worker));
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn ctrl_c_keeps_what_was_found() {
    let p = Place::new();
    p.write("easy.sv", "module easy(input clk); reg t = 0; always @(posedge clk) t <= ~t; a: assert property (@(posedge clk) t == 0 || t == 1); endmodule\n");
    p.write("hard.sv", HARD);
    p.write("entail.yaml", "designs:\n  easy: {files: easy.sv, top: easy}\n  hard: {files: hard.sv, top: hard}\njobs:\n  easy: {kind: check, design: easy}\n  hard: {kind: check, design: hard, timeout: 1h, engine: bdd, nodes: 100000000}\n");
    let words = ["run", "-j", "2", "--json", "r.json"];
    let child = p.command(program().to_str().expect("a path")).args(words).stdout(Stdio::piped()).spawn().expect("run");
    let began = Instant::now();
    // Until the easy one is told.
    while began.elapsed() < Duration::from_secs(60) {
        let list = p.entail(&["list", "--json"]).expect(0).out;
        if list.lines().any(|l| l.contains("\"job\":\"easy\"") && l.contains("\"state\":\"pass\"")) {
            break;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    rustix::process::kill_process(
        rustix::process::Pid::from_raw(child.id() as i32).expect("a process"),
        rustix::process::Signal::INT,
    )
    .expect("a signal");
    let said = said(child.wait_with_output().expect("it ends"));
    assert_eq!(said.code, 130, "{}", said.out);
    let r: Value = serde_json::from_str(&p.read("r.json")).expect("a report");
    assert_eq!(job(&r, "easy")["status"], "pass");
    assert_eq!(job(&r, "hard")["status"], "skipped");
    // Nothing stays behind.
    let left = p.run("pgrep", &["-f", &format!("{}/.entail/work", p.path().display())]);
    assert_ne!(left.code, 0, "still running: {}", left.out);
}

#[test]
fn a_first_project_file_is_one_that_can_be_run() {
    let p = Place::of_example();
    std::fs::remove_file(p.path().join("entail.yaml")).expect("removed");
    p.entail(&["init"]).expect(0);
    p.entail(&["list"]).expect(0);
    let text = p.read("entail.yaml");
    for want in ["event_count-cdc", "event_count-check", "producer-explore", "top: event_count"] {
        assert!(text.contains(want), "{want}: {text}");
    }
    let r = p.report(&["event_count-*"], 0);
    assert_eq!(r["jobs"].as_array().map(Vec::len), Some(2));
}

#[test]
fn pages_made_from_the_program_are_current() {
    let p = Place::new();
    for page in ["project", "rules", "properties"] {
        let made = p.entail(&["docs", page]).expect(0).out;
        let path = repository().join(format!("docs/{page}.md"));
        if std::env::var_os("ENTAIL_BLESS").is_some() {
            std::fs::write(&path, &made).expect("written");
        }
        let kept = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(kept == made, "docs/{page}.md is not what `entail docs {page}` says; ENTAIL_BLESS=1 writes it");
    }
    let schema: Value = serde_json::from_str(&p.entail(&["init", "--schema"]).expect(0).out).expect("JSON");
    assert_eq!(schema["$id"], "entail-project-1");
    for shell in ["bash", "zsh", "fish"] {
        assert!(p.entail(&["completions", shell]).expect(0).out.contains("entail"));
    }
    p.entail(&["man", "--into", "man"]).expect(0);
    assert!(p.read("man/entail-run.1").contains("JOB|SUITE"));
}

#[test]
fn a_suite_runs_on_a_real_slurm() {
    let script = repository().join("tests/flow/slurm.sh");
    if !std::path::Path::new("/usr/sbin/slurmctld").exists() {
        assert!(std::env::var_os("ENTAIL_REQUIRE_SLURM").is_none(), "Slurm is required and missing");
        eprintln!("SKIPPED: there is no Slurm on this machine (`make test` installs it)");
        return;
    }
    let p = Place::of_example();
    let dir = Place::new();
    let at = dir.path().join("slurm").display().to_string();
    let started = p.run(script.to_str().expect("a path"), &["start", &at]).expect(0);
    let mut c = p.command(program().to_str().expect("a path"));
    for line in started.out.lines() {
        if let Some((k, v)) = line.trim_start_matches("export ").split_once('=') {
            c.env(k, v.trim_matches(['\'', '"']));
        }
    }
    let words = ["run", "nightly", "--runner", "slurm", "--json", "r.json"];
    let result = said(c.args(words).output().expect("run"));
    p.run(script.to_str().expect("a path"), &["stop", &at]);
    let result = result.expect(0);
    let r: Value = serde_json::from_str(&p.read("r.json")).expect("a report");
    assert!(statuses(&r).iter().all(|s| s.1 == "pass"), "{}", result.out);
    // Gathered here: nothing is left to run.
    assert!(statuses(&p.report(&["nightly"], 0)).iter().all(|s| s.2));
    // And through a command, as for other queues.
    p.entail(&["clean"]).expect(0);
    p.entail(&["run", "smoke", "--runner", "env {command}"]).expect(0);
}

/// Two laws of a counter: the first is broken, the second is kept.
const LAWS: &str = "module laws(input clk);
  reg [3:0] n = 0;
  always @(posedge clk) n <= n + 1;
  a: assert property (@(posedge clk) n != 5);
  b: assert property (@(posedge clk) n < 16);
endmodule
";

#[test]
fn reports_blame_what_is_not_as_expected_and_nothing_else() {
    let p = Place::new();
    p.git(&["init", "-q"]);
    p.write("hw/rtl/laws.sv", LAWS);
    p.write(
        "hw/entail.yaml",
        "designs: {laws: {files: rtl/laws.sv, top: laws}}\njobs:\n  \
         both: {kind: check, design: laws, expect: {a: fails, b: fails}}\n  \
         late: {kind: check, design: laws, only: b, expect: fails}\n",
    );
    let files = ["--json", "r.json", "--junit", "r.xml", "--sarif", "r.sarif"];
    let words = ["-C", "hw", "run", "--format", "github"];
    let said = p.entail(&[&words[..], &files[..]].concat()).expect(1);
    let b = "b was expected to fail, and holds";
    assert!(said.out.contains(&format!("::error file=hw/rtl/laws.sv,line=5,title=both::{b}\n")), "{}", said.out);
    let late = "it was expected to fail, and holds";
    assert!(said.out.contains(&format!("::error file=hw/entail.yaml,line=4,title=late::{late}\n")), "{}", said.out);
    assert_eq!(said.out.matches("::error").count(), 2, "{}", said.out);
    assert!(said.out.contains("holds       b rtl/laws.sv:5") && !said.out.contains("fails       a"), "{}", said.out);
    let xml = p.read("hw/r.xml");
    let case = |name: &str| {
        let from = xml.find(&format!("classname=\"laws.both\" name=\"{name}\"")).expect("a case");
        xml[from..from + xml[from..].find("</testcase>").expect("its end")].to_string()
    };
    assert!(!case("a").contains("<failure") && case("b").contains("<failure"), "{xml}");
    let log: Value = serde_json::from_str(&p.read("hw/r.sarif")).expect("JSON");
    let results = log["runs"][0]["results"].as_array().expect("results");
    let text = |r: &Value| r["message"]["text"].as_str().unwrap_or("").to_string();
    let places: Vec<(String, &Value)> =
        results.iter().map(|r| (text(r), &r["locations"][0]["physicalLocation"])).collect();
    assert_eq!(places.len(), 2, "{results:?}");
    assert_eq!(places[0].0, format!("{b} (job both)"));
    assert_eq!(places[0].1["artifactLocation"]["uri"], "hw/rtl/laws.sv");
    assert_eq!(places[1].1["artifactLocation"]["uri"], "hw/entail.yaml");
    assert_eq!(places[1].1["region"]["startLine"], 4);
    // Nothing is run again, and it is told all the same.
    let quiet = p.entail(&["-C", "hw", "run", "-q"]).expect(1);
    assert!(quiet.out.contains(b) && quiet.out.contains(late) && quiet.out.contains("(known)"), "{}", quiet.out);
    let r: Value = serde_json::from_str(&p.read("hw/r.json")).expect("a report");
    let items = job(&r, "both")["record"]["items"].as_array().expect("items");
    assert!(items.iter().all(|i| i["expect"] == "fails" && i["source"]["lines"][0].is_string()), "{items:?}");
    assert!(job(&r, "both")["memory_kb"].as_u64().is_some_and(|kb| kb > 1_000), "however short it is: {r}");
}

#[test]
fn a_mistake_in_an_option_is_told_with_its_reason() {
    let p = Place::new();
    p.write("laws.sv", LAWS);
    p.write(
        "entail.yaml",
        "designs:\n  laws: {files: laws.sv, top: laws}\n  odd: {files: laws.sv, top: laws, clocks: 'clk ?? 3'}\njobs:\n  \
         only: {kind: check, design: laws, only: zzz}\n  ltl: {kind: check, design: laws, ltl: 'G ('}\n  \
         invariant: {kind: check, design: laws, invariants: 'zz < 3'}\n  clocks: {kind: check, design: odd}\n",
    );
    let said = p.entail(&["run", "--json", "r.json"]).expect(2);
    let r: Value = serde_json::from_str(&p.read("r.json")).expect("a report");
    for (name, reason) in [
        ("only", "no property has `zzz` in its name"),
        ("ltl", "--ltl 'G (': at the end"),
        ("invariant", "not `zz`"),
        ("clocks", "clk ?? 3"),
    ] {
        let message = job(&r, name)["message"].as_str().expect("a message");
        assert!(message.contains(reason), "{name}: {message}");
        assert!(said.out.contains(reason), "{name}: {}", said.out);
    }
}

/// Checks a value against a schema; says where it does not fit.
const VALID: &str = r#"
import json, sys, jsonschema
schema = json.load(open(sys.argv[1]))
jsonschema.Draft202012Validator.check_schema(schema)
for e in list(jsonschema.Draft202012Validator(schema).iter_errors(json.load(open(sys.argv[2]))))[:10]:
    print(e.json_path, e.message[:300])
"#;

#[test]
fn what_a_run_writes_is_valid_under_its_own_schema() {
    let p = Place::of_example();
    // `make test` has one with the package.
    let python = std::env::var("ENTAIL_PYTHON").unwrap_or_else(|_| "python3".into());
    if p.run(&python, &["-c", "import jsonschema"]).code != 0 {
        assert!(std::env::var_os("ENTAIL_REQUIRE_TOOLS").is_none(), "jsonschema is required and missing");
        println!("SKIPPED: python3 with jsonschema is not here");
        return;
    }
    p.write("schema.json", &p.entail(&["docs", "report-schema"]).expect(0).out);
    let valid = |code: i32| {
        let r = p.report(&["nightly"], code);
        assert_eq!(job(&r, "saturate-proof")["design"], "saturate");
        assert_eq!(p.run(&python, &["-c", VALID, "schema.json", ".entail.json"]).expect(0).out, "");
    };
    valid(0);
    // What is not as expected, what is known, and a history.
    p.edit("rtl/gray_counter.sv", "next ^ (next >> 1)", "next ^ (next >> 2)");
    valid(1);
}

#[test]
fn outcomes_of_a_model_that_differ_are_told_with_the_accesses_that_race() {
    let p = Place::new();
    p.write(
        "race.cpp",
        "#include <systemc>\nusing namespace sc_core;\nSC_MODULE(Race) {\n    int x = 0;\n    void one() { x = 1; }\n    \
         void two() { x = 2; }\n    SC_CTOR(Race) { SC_THREAD(one); SC_THREAD(two); }\n};\n\
         int sc_main(int, char*[]) {\n    Race race(\"race\");\n    sc_start();\n    \
         std::cout << \"x is \" << race.x << \"\\n\";\n    return 0;\n}\n",
    );
    p.write(
        "entail.yaml",
        "designs: {race: {language: systemc, files: race.cpp}}\njobs: {all: {kind: explore, design: race}}\n",
    );
    let said = p.entail(&["run", "--json", "r.json", "--junit", "r.xml", "--sarif", "r.sarif"]).expect(1);
    let words = "2 different outcomes: x is 1 (1 class); x is 2 (1 class)";
    let other = "2 different outcomes: x is 2 (1 class); x is 1 (1 class)";
    let words = if said.out.contains(other) { other } else { words };
    assert!(said.out.contains(words), "{}", said.out);
    assert!(p.read("r.xml").contains(&format!("message=\"{words}\"")), "{}", p.read("r.xml"));
    assert!(p.read("r.sarif").contains(words));
    let r: Value = serde_json::from_str(&p.read("r.json")).expect("a report");
    let race = &job(&r, "all")["record"]["races"][0];
    let mut lines: Vec<u64> = ["first", "second"].iter().filter_map(|a| race[a]["place"]["line"].as_u64()).collect();
    lines.sort_unstable();
    assert_eq!(lines, [5, 6], "{race}");
    assert!(race["first"]["source"]["lines"].to_string().contains("x = 1;"), "{race}");
}

#[test]
fn the_history_says_why_each_run_was_made() {
    let p = Place::of_example();
    p.report(&["counter-check"], 0);
    p.report(&["counter-check"], 0);
    p.edit("rtl/gray_counter.sv", "next ^ (next >> 1)", "next ^ (next >> 2)");
    p.report(&["counter-check"], 1);
    let r = p.report(&["counter-check"], 1);
    let history = job(&r, "counter-check")["history"].as_array().expect("a history");
    let why: Vec<&str> = history.iter().filter_map(|h| h["why"].as_str()).collect();
    let changed = "rtl/gray_counter.sv has changed";
    assert_eq!(why, [changed, "nothing that it reads has changed", "it was never run"]);
    let said = p.entail(&["list", "-v", "counter-check"]).expect(0).out;
    assert!(said.contains(&format!("    fail just now: {changed}\n")), "{said}");
    assert!(!said.contains("nothing that it reads"), "what was not run has no reason:\n{said}");
    assert!(
        said.lines().chain(p.entail(&["list"]).expect(0).out.lines()).all(|l| l.trim_end() == l),
        "no blanks at ends"
    );
}
