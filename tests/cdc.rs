//! The crossing rules on their own good and bad sources, the bundled designs, constraints and waivers.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf()
}

fn entail(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_entail")).arg("-C").arg(root()).args(args).output().expect("entail runs")
}

/// Codes and severities of the findings of a run.
fn findings(args: &[&str]) -> Vec<(String, String)> {
    let mut all = vec!["cdc", "--format", "json", "--all"];
    all.extend(args);
    let all = codes(Command::new(env!("CARGO_BIN_EXE_entail")).arg("-C").arg(root()).args(&all));
    all.into_iter().filter(|d| d.0.starts_with('C')).collect()
}

/// Codes and severities that a command prints as JSON, what lint finds left out.
fn codes(command: &mut Command) -> Vec<(String, String)> {
    let out = command.output().expect("entail runs");
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    let list: Vec<serde_json::Value> = serde_json::from_str(&text)
        .unwrap_or_else(|e| panic!("{command:?}: {e}: {text}{}", String::from_utf8_lossy(&out.stderr)));
    let word = |d: &serde_json::Value, k: &str| d[k].as_str().unwrap_or_default().to_string();
    let all: Vec<(String, String)> = list.iter().map(|d| (word(d, "code"), word(d, "severity"))).collect();
    // A source that is not even read says nothing about crossings.
    assert!(!all.iter().any(|d| d.0.starts_with("E0")), "{command:?}: {text}");
    all.into_iter().filter(|d| !d.0.starts_with("W0")).collect()
}

/// Each rule sees its bad sources, and nothing but remarks in its good ones.
#[test]
fn rules_tell_good_from_bad() {
    let mut wrong = Vec::new();
    let mut folders: Vec<PathBuf> =
        std::fs::read_dir(root().join("rules/cdc")).expect("rules").map(|e| e.expect("an entry").path()).collect();
    folders.sort();
    assert!(folders.len() > 20);
    for folder in folders {
        let code = folder.file_name().expect("a name").to_string_lossy().into_owned();
        for language in ["sv", "vhd"] {
            for kind in ["bad", "good"] {
                let path = folder.join(format!("{kind}.{language}"));
                // Rules about waivers have no sources.
                if !path.exists() {
                    assert!(code.as_str() >= "C030", "{} is missing", path.display());
                    continue;
                }
                let found = findings(&[&path.display().to_string(), "--top", "top"]);
                let has = found.iter().any(|f| f.0 == code);
                let others: Vec<_> = found.iter().filter(|f| f.0 != code && f.1 != "note").collect();
                if has != (kind == "bad") || !others.is_empty() {
                    wrong.push(format!("{code}/{kind}.{language}: {found:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Of each capturing net and pair of clocks there is at most one finding about how it captures, in all sources here.
#[test]
fn a_crossing_has_one_finding() {
    use entail::cdc::crossing::Structure;
    use entail::cdc::{Demands, Domains, Sdc, findings};
    use entail::net::{LowerOptions, lower};
    let mut files: Vec<PathBuf> = Vec::new();
    for folder in ["tests/crossings", "rules/cdc"] {
        for e in std::fs::read_dir(root().join(folder)).expect("a folder") {
            let path = e.expect("an entry").path();
            files.extend(["bad.sv", "good.sv"].map(|f| path.join(f)));
            files.push(path);
        }
    }
    let (mut seen, mut several) = (0, Vec::new());
    for path in files.iter().filter(|p| p.extension().is_some_and(|x| x == "sv") && p.exists()) {
        let text = std::fs::read_to_string(path).expect("readable");
        let stem = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let top = if stem == "bad" || stem == "good" { "top" } else { stem.as_str() };
        let e = entail::front::verilog::elaborate_text(&text, Some(top));
        let net = lower(
            e.design.as_ref().unwrap_or_else(|| panic!("{}: {:?}", path.display(), e.diagnostics)),
            &LowerOptions::default(),
            &mut Vec::new(),
        );
        let domains = Domains::new(&net, &Sdc::default());
        let found = findings::find(&Structure::new(&net, &domains), &Demands::default());
        let mut at: Vec<(String, String, String)> = Vec::new();
        // C007 and C009 are about senders, C008 about bits of a net that the others are not about.
        let about = |f: &&entail::cdc::Finding| f.rule < "C017" && !["C007", "C008", "C009"].contains(&f.rule);
        for f in found.findings.iter().filter(about) {
            let place = (f.path.clone(), f.from.clone(), f.to.clone());
            seen += 1;
            if at.contains(&place) {
                several.push(format!("{}: {} {place:?}", path.display(), f.rule));
            }
            at.push(place);
        }
    }
    assert!(several.is_empty() && seen > 60, "{seen}: {several:?}");
}

/// Small designs, each with what a person who knows crossings would say of it.
#[test]
fn shapes_are_told_apart() {
    let folder = root().join("tests/crossings");
    let text = std::fs::read_to_string(folder.join("expected.txt")).expect("readable");
    let mut wrong = Vec::new();
    let mut seen = 0;
    for line in text.lines().filter(|l| !l.is_empty() && !l.starts_with('#')) {
        let (what, expected) = line.split_once(" :").expect("an expectation");
        let mut words = what.split(' ');
        let file = words.next().expect("a file");
        let path = folder.join(file).display().to_string();
        let top = file.split('.').next().expect("a name");
        let mut args = vec![path.as_str(), "--top", top];
        args.extend(words);
        let mut found: Vec<String> = findings(&args).into_iter().map(|f| f.0).filter(|c| c != "C004").collect();
        found.sort();
        let expected: Vec<&str> = expected.split_whitespace().collect();
        seen += 1;
        if found != expected {
            wrong.push(format!("{line}: {found:?}"));
        }
    }
    assert!(wrong.is_empty() && seen > 40, "{}", wrong.join("\n"));
}

/// The bundled designs are clean, and what is wrong in their structure is found.
#[test]
fn bundled_designs_are_judged() {
    let text = std::fs::read_to_string(root().join("designs/crossings.txt")).expect("readable");
    let mut wrong = Vec::new();
    for line in text.lines().filter(|l| !l.is_empty() && !l.starts_with('#')) {
        let (what, expected) = line.split_once(" : ").expect("an expectation");
        let words: Vec<&str> = what.split(' ').collect();
        let mut args: Vec<String> = ["-C", "designs", "-f", words[0], "--top", words[1]].map(str::to_string).to_vec();
        let options = words.iter().position(|w| w.starts_with("--")).unwrap_or(words.len());
        for w in &words[2..options] {
            args.extend(["-P".to_string(), w.to_string()]);
        }
        args.extend(words[options..].iter().map(|w| w.to_string()));
        let mut all = vec!["cdc", "--format", "json"];
        all.extend(args.iter().map(String::as_str));
        let found = codes(Command::new(env!("CARGO_BIN_EXE_entail")).current_dir(root()).args(&all));
        let ok = match expected {
            "clean" => found.is_empty(),
            list => list.split(' ').all(|c| found.iter().any(|f| f.0 == c)),
        };
        if !ok {
            wrong.push(format!("{line}: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Constraints say which clocks belong together, waivers what was looked at; mistakes in either are told.
#[test]
fn constraints_and_waivers_are_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("written");
        path.display().to_string()
    };
    let bad = root().join("rules/cdc/C001/bad.sv").display().to_string();
    let run = |more: &[&str]| {
        let mut args = vec!["cdc", "--format", "json", "--today", "2026-06-01", bad.as_str(), "--top", "top"];
        args.extend(more);
        let list = codes(Command::new(env!("CARGO_BIN_EXE_entail")).args(&args));
        list.into_iter().map(|c| c.0).collect::<Vec<_>>()
    };
    let clocks = "set p 10 ;# ns\ncreate_clock -name A -period $p [get_ports clk_a]\n\
                  create_clock -name B -period 7.5 \\\n  [get_ports {clk_b}]\n";
    let none: Vec<String> = Vec::new();
    assert_eq!(run(&[]), ["C001"]);
    let together = write("a.sdc", clocks);
    assert_eq!(run(&["--sdc", &together]), none);
    let apart = write("b.sdc", &format!("{clocks}set_clock_groups -asynchronous -group A -group [get_clocks {{B}}]\n"));
    assert_eq!(run(&["--sdc", &apart]), ["C001"]);
    let cut = write("c.sdc", &format!("{clocks}set_false_path -from [get_clocks A] -to [get_clocks *]\n"));
    assert_eq!(run(&["--sdc", &cut]), ["C001"]);
    let odd = write("d.sdc", &format!("{clocks}set_moon_phase full\n"));
    assert_eq!(run(&["--sdc", &odd]), ["W1002"]);
    for text in [
        "create_clock [get_ports clk_a]\n",
        "create_clock -period 1 [get_ports clk_a\n",
        "set_clock_groups -group A\n",
        "create_clock -period $q [get_ports clk_a]\n",
        "create_clock -period 0 clk_a\n",
        "create_clock -perriod 1 clk_a\n",
    ] {
        let path = write("e.sdc", text);
        assert_eq!(run(&["--sdc", &path]), ["E1001"], "{text}");
    }
    let lost = write("f.sdc", "create_clock -period 1 [get_ports nothing]\n");
    assert!(run(&["--sdc", &lost]).contains(&"W1004".to_string()));

    let waiver = |rule: &str, path: &str, rest: &str| {
        write("w.yaml", &format!("- rule: {rule}\n  path: {path}\n  reason: looked at\n  owner: us\n{rest}"))
    };
    assert_eq!(run(&["--waivers", &waiver("C001", "seen", "")]), none);
    assert_eq!(run(&["--waivers", &waiver("missing-synchroniser-bit", "s*n", "  expires: 2026-06-01\n")]), none);
    assert_eq!(run(&["--waivers", &waiver("C001", "seen", "  expires: 2026-05-31\n")]), ["C001", "C030"]);
    assert_eq!(run(&["--waivers", &waiver("C001", "other", "")]), ["C001", "C031"]);
    assert_eq!(run(&["--waivers", &waiver("C999", "seen", "")]), ["E1003"]);
    assert_eq!(run(&["--waivers", &waiver("C001", "seen", "  expires: soon\n")]), ["E1003"]);
    assert_eq!(run(&["--waivers", &waiver("C001", "seen", "  because: I say so\n")]), ["E1003"]);
    let twice = write("x.yaml", "- rule: C001\n  rule: C002\n  path: a\n  reason: b\n  owner: c\n");
    assert_eq!(run(&["--waivers", &twice]), ["E1003"]);
}

/// A clock that is made inside is its master's, unless constraints say that it stands on its own; by pin, by net, and by
/// patterns.
#[test]
fn generated_clocks_have_domains_of_their_own() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("written");
        path.display().to_string()
    };
    let design = write(
        "d.sv",
        "module divide (input logic clk, output logic q = 0);\n  always_ff @(posedge clk) q <= ~q;\nendmodule\n\
         module top (input logic clk, d, output logic o = 0);\n  logic slow, a = 0;\n  divide u_div (.clk(clk), .q(slow));\n\
         always_ff @(posedge clk) a <= d;\n  always_ff @(posedge slow) o <= a;\nendmodule\n",
    );
    let run = |sdc: &str| {
        let path = write("x.sdc", sdc);
        let args = ["cdc", "--format", "json", &design, "--top", "top", "--sdc", &path];
        let list = codes(Command::new(env!("CARGO_BIN_EXE_entail")).args(args));
        list.into_iter().map(|c| c.0).collect::<Vec<_>>()
    };
    let master = "create_clock -name C -period 10 [get_ports clk]\n";
    let none: Vec<String> = Vec::new();
    assert_eq!(run(master), none);
    for target in ["[get_pins u_div/q_reg/Q]", "[get_nets slow]", "[get_nets u_div/q]", "[get_pins u_*/q_reg/Q]"] {
        let generated =
            format!("{master}create_generated_clock -name S -source [get_ports clk] -divide_by 2 {target}\n");
        assert_eq!(run(&generated), none, "{target}");
        let apart = format!("{generated}set_clock_groups -asynchronous -group C -group S\n");
        assert_eq!(run(&apart), ["C001"], "{target}");
    }
    // What is about nothing is said at its line.
    assert_eq!(run(&format!("{master}create_generated_clock -name S -source clk [get_pins nothing/Q]\n")), ["W1004"]);
    assert_eq!(run(&format!("{master}set_clock_groups -asynchronous -group C -group T\n")), ["W1004"]);
    assert_eq!(run(&format!("{master}set_input_delay 1 -clock T [get_ports d]\n")), ["W1004"]);
    assert_eq!(run(&format!("{master}create_generated_clock -name S [get_nets slow]\n")), ["E1001"]);
    assert_eq!(run(&format!("{master}set_case_analysis 0 [get_ports d]\n")), ["W1002"]);
}

/// The census counts every register, latch and port once, and names what it could not place; paths are listed.
#[test]
fn the_census_tells_what_is_where() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let text = "module top (input logic ca, cb, arst, en, x, input logic [1:0] da, output logic [1:0] q, output logic m, l);\n\
        logic [1:0] a, s1, s2; logic b;\n\
        always_ff @(posedge ca or posedge arst) if (arst) a <= 0; else a <= da;\n\
        always_ff @(posedge cb) begin s1 <= a; s2 <= s1; b <= x; end\n\
        always_latch if (en) l = x;\n  assign q = s2;\n  assign m = b ^ a[0];\nendmodule\n";
    std::fs::write(path("d.sv"), text).expect("written");
    let (svg, dot) = (path("g.svg"), path("g.dot"));
    let out = entail(&["cdc", &path("d.sv"), "--top", "top", "--clocks", "--paths", "--svg", &svg, "--dot", &dot]);
    let said = String::from_utf8_lossy(&out.stdout).into_owned();
    let row = |name: &str| -> Vec<String> {
        let line = said.lines().find(|l| l.starts_with(name)).unwrap_or_else(|| panic!("{name}: {said}"));
        line.split_whitespace().map(str::to_string).collect()
    };
    // Two registers of ca, two bits of data and its reset; five of cb. The latch has no clock; x goes to cb and to the latch, which nothing places.
    assert_eq!(row("ca "), ["ca", "2", "0", "0", "3", "0"]);
    assert_eq!(row("cb ")[..4], ["cb", "5", "0", "0"]);
    assert_eq!(row("arst"), ["arst", "2", "ca"]);
    assert_eq!(row("none"), ["none", "5"]);
    assert!(said.contains("ca -> cb: 2 paths from 2 senders to 2 captures, the longest has 1 gate"), "{said}");
    assert!(said.contains("latches that no clock opens: l"), "{said}");
    assert!(said.contains("outputs that several clocks drive: m"), "{said}");
    // And the input of no clock into b.
    assert!(said.contains("3 critical gates, 3 critical paths"), "{said}");
    assert!(said.contains("ca -> cb, length 2: a[0] -> s1[0]"), "{said}");
    let (svg, dot) = (std::fs::read_to_string(svg).expect("a picture"), std::fs::read_to_string(dot).expect("a graph"));
    assert!(svg.starts_with("<svg") && svg.contains("a → s1"));
    assert!(dot.starts_with("digraph") && dot.contains("\"a\" -> \"s1\""));
}

/// Who reads only the beginning of the output is no reason to call for help.
#[test]
fn a_reader_may_leave_early() {
    let out = Command::new("bash")
        .arg("-c")
        .arg("set -o pipefail; \"$0\" cdc --all -f designs/vhdl/uart/uart.f --top uart --clocks --paths | true")
        .arg(env!("CARGO_BIN_EXE_entail"))
        .current_dir(root())
        .output()
        .expect("bash runs");
    let said = String::from_utf8_lossy(&out.stderr).into_owned();
    assert!(!said.contains("internal error") && !said.contains("panicked"), "{said}");
}

/// Options that would have no effect are refused, and a baseline shows only what is new.
#[test]
fn nothing_is_passed_over_in_silence() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (bad, model) = ("rules/cdc/C001/bad.sv", "tests/models/Azero.aig");
    std::fs::write(path("x.sdc"), "create_clock -period 1 [get_ports clk_a]\n").expect("written");
    std::fs::write(path("old.json"), "not findings").expect("written");
    for args in [
        vec!["check", model, "--crossings", "auto"],
        vec!["check", bad, "--top", "top", "--sdc", &path("x.sdc")],
        vec!["check", bad, "--top", "top", "--crossings", "auto", "--matrix"],
        vec!["check", bad, "--top", "top", "--metastable", "2"],
        vec!["check", bad, "--top", "top", "--inputs", "free"],
        vec!["check", bad, "--top", "top", "--no-obligations"],
        vec!["check", bad, "--top", "top", "--crossings", "auto", "--assume", "F seen"],
        vec!["check", bad, "--top", "top", "--crossings", "auto", "--clock", "clk_a<=0"],
        vec!["cdc", bad, "--top", "top", "--baseline", &path("old.json")],
        vec!["cdc", bad, "--top", "top", "--baseline", &path("none.json")],
    ] {
        let out = entail(&args);
        assert_eq!(out.status.code(), Some(2), "{args:?}");
        assert!(String::from_utf8_lossy(&out.stderr).starts_with("error: "), "{args:?}");
    }
    let run = |more: &[&str]| entail(&[&["cdc", "--format", "json", bad, "--top", "top"], more].concat());
    let first = run(&[]);
    assert_eq!(first.status.code(), Some(1));
    std::fs::write(path("old.json"), &first.stdout).expect("written");
    assert_eq!(run(&["--baseline", &path("old.json")]).status.code(), Some(0));
    std::fs::write(path("old.json"), "[]").expect("written");
    assert_eq!(run(&["--baseline", &path("old.json")]).status.code(), Some(1));
}
