//! `entail check` and `entail replay` as users run them: verdicts of the bundled designs, the property library,
//! result files and their tampering, mistakes on the command line.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn designs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("designs")
}

fn entail(args: &[&str]) -> Output {
    let mut c = Command::new(env!("CARGO_BIN_EXE_entail"));
    c.arg("-C").arg(designs()).args(args).output().expect("entail runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A line of `designs/verdicts.txt`.
struct Row {
    line: String,
    args: Vec<String>,
    /// The assert that fails.
    fails: Option<String>,
}

fn rows() -> Vec<Row> {
    let text = std::fs::read_to_string(designs().join("verdicts.txt")).expect("readable");
    let mut rows = Vec::new();
    for line in text.lines().filter(|l| !l.is_empty() && !l.starts_with('#')) {
        let (what, verdict) = line.split_once(" : ").expect("a verdict");
        let words: Vec<&str> = what.split(' ').collect();
        let mut args: Vec<String> = ["check", "-f", words[0], "--top", words[1]].map(str::to_string).to_vec();
        let mut options = words[2..].iter();
        for w in options.by_ref().take_while(|w| !w.starts_with("--")) {
            args.extend(["-P".into(), w.to_string()]);
        }
        if let Some(at) = words.iter().position(|w| w.starts_with("--")) {
            args.truncate(5 + 2 * (at - 2));
            args.extend(words[at..].iter().map(|w| w.to_string()));
        }
        let fails = verdict.strip_prefix("fails ").map(str::to_string);
        assert!(fails.is_some() || verdict == "holds", "{line}");
        rows.push(Row { line: line.to_string(), args, fails });
    }
    assert!(rows.len() > 50);
    rows
}

/// Correct designs hold with evidence; each seeded bug that an assert guards is found.
#[test]
fn bundled_designs_have_their_verdicts() {
    for row in rows() {
        let mut args: Vec<&str> = row.args.iter().map(String::as_str).collect();
        // Failures are shallow; proofs end by themselves, long before this limit.
        match &row.fails {
            Some(name) => args.extend(["--only", name, "--engine", "bmc", "--depth", "60", "--timeout", "600"]),
            None => args.extend(["--timeout", "600"]),
        }
        let out = entail(&args);
        let said = text(&out.stdout);
        let code = out.status.code();
        if let Some(name) = &row.fails {
            let found = said.lines().any(|l| l.starts_with(&format!("fails       {name} ")));
            assert!(found, "{}\n{said}{}", row.line, text(&out.stderr));
            assert_eq!(code, Some(1), "{}", row.line);
        } else {
            assert_eq!(code, Some(0), "{}\n{said}{}", row.line, text(&out.stderr));
            assert!(said.lines().any(|l| l.starts_with("holds ") && l.contains("evidence checked")), "{said}");
        }
    }
}

/// The files of a list, which in the bundled designs are plain names.
fn files(list: &str) -> Vec<PathBuf> {
    let folder = designs().join(list).parent().expect("a folder").to_path_buf();
    let text = std::fs::read_to_string(designs().join(list)).expect("readable");
    let lines = text.lines().map(|l| l.split("//").next().unwrap_or("").split('#').next().unwrap_or("").trim());
    lines.filter(|l| !l.is_empty() && !l.starts_with(['+', '-'])).map(|l| folder.join(l)).collect()
}

/// The bench that comes with each failure fails in a simulator that shares nothing with us, at the same assert.
#[test]
fn every_seeded_bug_fails_in_a_simulator() {
    let mut slow = 0;
    for row in rows() {
        let Some(name) = &row.fails else { continue };
        let folder = tempfile::tempdir().expect("a folder");
        let place = folder.path().display().to_string();
        let mut args: Vec<&str> = row.args.iter().map(String::as_str).collect();
        args.extend(["--only", name, "--engine", "bmc", "--depth", "60", "--timeout", "600", "--trace", &place]);
        entail(&args);
        let bench = std::fs::read_dir(folder.path()).expect("written").map(|f| f.expect("an entry").path());
        let bench = bench.into_iter().find(|p| p.to_string_lossy().ends_with("_tb.sv")).expect("a bench");
        let list = &row.args[2];
        // Icarus 11 reads no interfaces. Building with Verilator takes its time: one of these is enough here.
        let said = if list.starts_with("bus/") {
            slow += 1;
            if slow > 1 && std::env::var_os("ENTAIL_TRACE_FULL").is_none() {
                continue;
            }
            let mut c = Command::new("verilator");
            c.args(["--binary", "--assert", "-Wno-fatal", "-Wno-BLKANDNBLK", "-Wno-ENUMVALUE", "-CFLAGS", "-O0"]);
            c.args(["--top-module", "entail_bench", "--Mdir"]).arg(folder.path().join("obj"));
            let built = c.arg(&bench).args(files(list)).output().expect("verilator runs");
            assert!(built.status.success(), "{}\n{}", row.line, text(&built.stderr));
            let out = Command::new(folder.path().join("obj/Ventail_bench")).arg("+verilator+error+limit+99").output();
            text(&out.expect("it runs").stdout)
        } else {
            let program = folder.path().join("bench.vvp");
            let mut c = Command::new("iverilog");
            c.args(["-g2012", "-s", "entail_bench", "-o"]).arg(&program).arg(&bench).args(files(list));
            let built = c.output().expect("iverilog runs");
            assert!(built.status.success(), "{}\n{}", row.line, text(&built.stderr));
            text(&Command::new("vvp").arg("-n").arg(&program).output().expect("it runs").stdout)
        };
        assert!(said.contains("end of the trace"), "{}\n{said}", row.line);
        // The message stands in the line of the assert or in the next.
        let line: u32 = name.rsplit('_').next().and_then(|n| n.parse().ok()).expect("a line");
        let at = |l: &str, n: u32| l.to_ascii_lowercase().contains("error") && l.contains(&format!(":{n}:"));
        assert!(said.lines().any(|l| at(l, line) || at(l, line + 1)), "{}\n{said}", row.line);
    }
    assert!(slow > 0);
}

/// The rows of the multi-clock FIFO experiment; `ENTAIL_SLOW=1` has those, too, that take longer.
#[test]
fn crossing_models_have_their_verdicts() {
    let slow = ["Ad7p", "Agatesp", "B4zero", "B4gates"];
    let fails = ["Ad7", "Agates", "Agatesp", "Cgates", "Dgates"];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models");
    let mut count = 0;
    for entry in std::fs::read_dir(&folder).expect("tests/models") {
        let path = entry.expect("an entry").path();
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        if path.extension().is_none_or(|x| x != "aig")
            || slow.contains(&name.as_str()) && std::env::var_os("ENTAIL_SLOW").is_none()
        {
            continue;
        }
        let out = entail(&["check", &path.display().to_string(), "--timeout", "600"]);
        let code = if fails.contains(&name.as_str()) { 1 } else { 0 };
        assert_eq!(out.status.code(), Some(code), "{name}: {}", text(&out.stdout));
        count += 1;
    }
    assert!(count >= 10);
}

const FIFO: &[&str] =
    &["check", "-f", "async_fifo/async_fifo.f", "--top", "async_fifo", "-P", "WIDTH=1", "-P", "LOG_DEPTH=1"];
const PULSE: &[&str] = &["check", "-f", "sync/sync.f", "--top", "pulse_sync"];
const HANDSHAKE: &[&str] = &["check", "-f", "sync/sync.f", "--top", "handshake", "-P", "WIDTH=2"];

/// Each property of the library holds on a design that is right and fails on one that is not.
#[test]
fn the_property_library_tells_right_from_wrong() {
    let gray = "gray_one_bit(clk=wclk, rst=!wrst_n, value=wcross)";
    let over = "fifo_overflow(clk=wclk, rst=!wrst_n, push=winc, full=wfull)";
    let under = "fifo_underflow(clk=rclk, rst=!rrst_n, pop=pop, empty=rempty)";
    let order =
        "fifo_data_order #(DEPTH=2) (wclk=wclk, rclk=rclk, rst=!wrst_n, push=push, data=wdata, pop=pop, value=rdata)";
    let status = "fifo_status #(DEPTH=2) (wclk=wclk, rclk=rclk, rst=!wrst_n, push=push, pop=pop, value=wcount)";
    let pulse = "pulse_not_lost(src_clk=src_clk, dst_clk=dst_clk, rst=!src_rst_n, sent=src_take, seen=dst_pulse)";
    let stable = "handshake_stable(clk=src_clk, rst=!src_rst_n, req=req, ack=ack_src, data=bus)";
    let cases: &[(&[&str], &str, &str, bool)] = &[
        (FIFO, gray, "", true),
        (FIFO, gray, "BUG=2", false),
        // The caller pushes whenever it likes: the design must ignore that, and the property says so.
        (FIFO, over, "", false),
        (FIFO, under, "", true),
        (FIFO, order, "", true),
        (FIFO, order, "BUG=7", false),
        (FIFO, status, "", true),
        (FIFO, status, "BUG=4", false),
        (PULSE, pulse, "", true),
        (PULSE, pulse, "BUG=4", false),
        (HANDSHAKE, stable, "", true),
        (HANDSHAKE, stable, "BUG=2", false),
    ];
    for (design, attach, bug, holds) in cases {
        let name = attach.split(['(', ' ']).next().unwrap_or_default();
        let mut args = design.to_vec();
        args.extend(["--attach", attach, "--only", name]);
        if !bug.is_empty() {
            args.extend(["-P", bug]);
        }
        if !holds {
            args.extend(["--engine", "bmc", "--depth", "30"]);
        }
        let out = entail(&args);
        let said = text(&out.stdout);
        let ok = if *holds { out.status.code() == Some(0) } else { said.contains("\nfails ") };
        assert!(ok, "{attach} {bug}\n{said}{}", text(&out.stderr));
    }
}

/// A result file confirms itself, and each way of changing it is noticed.
#[test]
fn results_replay_and_tampering_is_noticed() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = |n: &str| dir.path().join(n).to_string_lossy().into_owned();
    let file = path("result.json");
    // One engine, so that the kind of evidence does not depend on which is faster.
    let mut args = vec!["check", "-f", "arbiter/arbiter.f", "--top", "arbiter", "--engine", "ic3", "--json", &file];
    args.extend(["--ltl", "G F (gnt == 0)", "--invariant", "gnt != 3", "--ltl", "G (gnt[0] -> req[0])"]);
    assert_eq!(entail(&args).status.code(), Some(1));
    let out = entail(&["replay", &file]);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stdout));
    assert!(!text(&out.stdout).contains("REFUTED"));
    let good = std::fs::read_to_string(&file).expect("readable");
    let json: serde_json::Value = serde_json::from_str(&good).expect("json");
    let all = json["properties"].as_array().expect("a list").clone();
    let at = |verdict: &str, evidence: bool| {
        let is = |p: &serde_json::Value| {
            p["verdict"] == verdict
                && (!evidence || p["evidence"]["evidence"]["Clauses"].as_array().is_some_and(|c| !c.is_empty()))
        };
        all.iter().position(is).expect("there is one")
    };
    let (holds, fails) = (at("holds", true), at("fails", false));
    type Change<'c> = Box<dyn Fn(&mut serde_json::Value) + 'c>;
    let tampered: Vec<(&str, Change)> = vec![
        (
            "a lemma is gone",
            Box::new(|j| j["properties"][holds]["evidence"]["evidence"]["Clauses"] = serde_json::json!([])),
        ),
        (
            "a lemma is wrong",
            Box::new(|j| j["properties"][holds]["evidence"]["evidence"]["Clauses"][0][0][1] = true.into()),
        ),
        (
            "a lemma is about nothing",
            Box::new(|j| j["properties"][holds]["evidence"]["states"] = serde_json::json!([9999])),
        ),
        ("a verdict is turned", Box::new(|j| j["properties"][fails]["verdict"] = "holds".into())),
        (
            "a path is cut",
            Box::new(|j| {
                j["properties"][fails]["path"]["inputs"].as_array_mut().expect("steps").pop();
            }),
        ),
        ("a model is missing", Box::new(|j| j["models"] = serde_json::json!([]))),
    ];
    for (what, change) in tampered {
        let mut j = json.clone();
        change(&mut j);
        // Some clauses may be true as they stand; a turned literal must at least change the file.
        assert_ne!(j, json, "{what}");
        let bad = path("bad.json");
        std::fs::write(&bad, j.to_string()).expect("written");
        let out = entail(&["replay", &bad]);
        if what != "a lemma is wrong" || text(&out.stdout).contains("REFUTED") {
            assert_eq!(out.status.code(), Some(4), "{what}: {}{}", text(&out.stdout), text(&out.stderr));
        }
    }
    for damaged in [&good[..good.len() / 2], "{}", "", "[1,2", &good.replace("entail-result-1", "entail-result-9")] {
        let bad = path("bad.json");
        std::fs::write(&bad, damaged).expect("written");
        assert_eq!(entail(&["replay", &bad]).status.code(), Some(2));
    }
}

#[test]
fn mistakes_are_told_with_a_remedy() {
    let base = ["check", "-f", "arbiter/arbiter.f", "--top", "arbiter"];
    for (more, message) in [
        (vec!["--ltl", "G (nothing)"], "a net of the design belongs here"),
        (vec!["--ltl", "G (gnt"], "`)` is missing"),
        (vec!["--reset", "nothing"], "`nothing` is no input bit"),
        (vec!["--reset", "rst_n=2"], "the level is 0 or 1"),
        (vec!["--clock", "x>=3"], "`x` is no clock"),
        (vec!["--clock", "clk"], "CLK>=STEPS"),
        (vec!["--attach", "no_such(clk=clk)"], "there is no property `no_such`"),
        (vec!["--attach", "gray_one_bit(clk=clk, rst=0, value=nothing)"], "`nothing` is no net"),
        (vec!["--attach", "gray_one_bit(clk=gnt, rst=0, value=gnt)"], "port `clk` has 1 bits"),
        (vec!["--attach", "gray_one_bit(tick=clk)"], "there is no port `tick`"),
        (vec!["--attach", "gray_one_bit"], "the ports are missing"),
    ] {
        let args: Vec<&str> = base.iter().copied().chain(more).collect();
        let out = entail(&args);
        assert_eq!(out.status.code(), Some(2), "{args:?}");
        assert!(text(&out.stderr).contains(message), "{args:?}: {}", text(&out.stderr));
    }
    let out = entail(&["check", "-f", "mult/mult.f", "--top", "mult"]);
    assert_eq!(out.status.code(), Some(2));
    assert!(text(&out.stderr).contains("there is nothing to check"));
}

/// Assertions that never speak are not called proved; what is assumed is said.
#[test]
fn vacuous_is_not_proved() {
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("t.sv");
    let body = "module t(input logic clk, input logic a, b, output logic q);
        logic never = 1'b0;
        always_ff @(posedge clk) begin q <= a; never <= never; end
        silent: assert property (@(posedge clk) never && a |-> b);
        speaks: assert property (@(posedge clk) a |=> q);
        seen: cover property (@(posedge clk) a ##1 b);
        unseen: cover property (@(posedge clk) never);
    endmodule";
    std::fs::write(&file, body).expect("written");
    let out = entail(&["check", &file.to_string_lossy(), "--top", "t"]);
    let said = text(&out.stdout);
    for line in ["vacuous     silent", "holds       speaks", "covered     seen", "unreachable unseen"] {
        assert!(said.contains(line), "{line} in {said}{}", text(&out.stderr));
    }
    assert_eq!(out.status.code(), Some(1));
}
