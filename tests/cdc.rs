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
    let out = entail(&all);
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    let value: serde_json::Value = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{args:?}: {e}: {text}"));
    let list = value.as_array().or(value["diagnostics"].as_array()).expect("a list").clone();
    let word = |d: &serde_json::Value, k: &str| d[k].as_str().unwrap_or_default().to_string();
    list.iter().map(|d| (word(d, "code"), word(d, "severity"))).filter(|d| d.0.starts_with('C')).collect()
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
                    assert!(code >= "C030".to_string(), "{} is missing", path.display());
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

/// A small design with two clocks: random logic between its registers, asserts about random sets of their values.
fn random_design(rng: &mut fastrand::Rng) -> String {
    let (a, b) = (rng.usize(1..3), rng.usize(1..4));
    let names: Vec<String> = (0..a).map(|i| format!("a{i}")).chain((0..b).map(|i| format!("b{i}"))).collect();
    fn expr(rng: &mut fastrand::Rng, leaves: &[String], depth: u32) -> String {
        if depth == 0 || rng.u8(..4) == 0 {
            let l = &leaves[rng.usize(..leaves.len())];
            return if rng.bool() { l.clone() } else { format!("!{l}") };
        }
        let (x, y) = (expr(rng, leaves, depth - 1), expr(rng, leaves, depth - 1));
        match rng.u8(..4) {
            0 => format!("({x} & {y})"),
            1 => format!("({x} | {y})"),
            2 => format!("({x} ^ {y})"),
            _ => format!("({} ? {x} : {y})", leaves[rng.usize(..leaves.len())]),
        }
    }
    let mut text = String::from("module top(input logic ca, cb, da, db, output logic o);\n");
    text += &format!("  logic {};\n", names.iter().map(|n| format!("{n} = 0")).collect::<Vec<_>>().join(", "));
    for n in &names {
        let own = if n.starts_with('a') { "a" } else { "b" };
        let mut leaves = names.clone();
        leaves.push(format!("d{own}"));
        text += &format!("  always_ff @(posedge c{own}) {n} <= {};\n", expr(rng, &leaves, 2));
    }
    text += &format!("  assign o = ^{{{}}};\n", names.join(", "));
    for _ in 0..6 {
        text += &format!(
            "  always @(posedge c{}) assert (!({} & {} & {}));\n",
            if rng.bool() { "a" } else { "b" },
            expr(rng, &names, 1),
            expr(rng, &names, 1),
            expr(rng, &names, 0)
        );
    }
    text + "endmodule\n"
}

/// Which asserts hold, in their order in the file.
fn verdicts(path: &Path, options: &[&str]) -> std::collections::BTreeMap<String, bool> {
    let mut args = vec!["check", "-q", "--timeout", "60", "--top", "top"];
    let place = path.display().to_string();
    args.push(&place);
    args.extend(options);
    let out = entail(&args);
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    let mut all = std::collections::BTreeMap::new();
    for l in text.lines() {
        let mut words = l.split_whitespace();
        if let (Some(verdict), Some(name)) = (words.next(), words.next()) {
            match verdict {
                "holds" | "vacuous" => drop(all.insert(name.to_string(), true)),
                "fails" => drop(all.insert(name.to_string(), false)),
                _ => panic!("{options:?}: {l}\n{}", std::fs::read_to_string(path).unwrap_or_default()),
            }
        }
    }
    assert!(!all.is_empty(), "{options:?}: {text}{}", String::from_utf8_lossy(&out.stderr));
    all
}

/// What can happen at once can happen with late gates, and what can happen with late gates can happen with
/// destabilizers; refined, these say what late gates say.
#[test]
fn models_contain_each_other() {
    let number = |name: &str, or: u64| std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(or);
    let (seed, count) = (number("ENTAIL_SEED", 1), number("ENTAIL_CROSSINGS", 60));
    let folder = tempfile::tempdir().expect("a folder");
    let mut differ = [0; 2];
    for n in 0..count {
        let mut rng = fastrand::Rng::with_seed(seed.wrapping_mul(999_983).wrapping_add(n));
        let text = random_design(&mut rng);
        let path = folder.path().join(format!("d{n}.sv"));
        std::fs::write(&path, &text).expect("written");
        // The judge of small ones is the search state by state.
        let engine = if n % 3 == 0 { "explicit" } else { "portfolio" };
        let run = |how: &str| verdicts(&path, &["--crossings", how, "--engine", engine]);
        let (zero, late, unstable, auto) = (run("none"), run("delayed"), run("destabilize"), run("auto"));
        for (name, holds) in &zero {
            let place = format!("seed {seed}, design {n}, {name}\n{text}");
            assert!(*holds || !late[name], "late gates hide a failure: {place}");
            assert!(late[name] || !unstable[name], "destabilizers hide a failure: {place}");
            assert_eq!(auto[name], late[name], "refined destabilizers differ from late gates: {place}");
            differ[0] += (*holds != late[name]) as u32;
            differ[1] += (late[name] != unstable[name]) as u32;
        }
    }
    println!("{count} designs: {} answers differ with late gates, {} more with destabilizers", differ[0], differ[1]);
    assert!(differ[0] > 0 && differ[1] > 0, "the models are too much alike to tell: {differ:?}");
}
