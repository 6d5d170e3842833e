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
