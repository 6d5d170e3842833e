//! Our declarations of `std` and `ieee` have every subprogram that GHDL's copies have, with the same
//! types: a design that analyses there finds the same overloads here.
//!
//! The comparison is of texts: name, parameter types and result of each function and procedure.

use std::collections::BTreeSet;
use std::path::Path;

/// Our file, GHDL's file, and the names we leave out on purpose.
const PACKAGES: &[(&str, &str, &[&str])] = &[
    ("std_logic_1164", "ieee2008/std_logic_1164", &TEXT),
    ("numeric_std", "ieee2008/numeric_std", &TEXT),
    ("numeric_std_unsigned", "ieee2008/numeric_std_unsigned", &[]),
    ("numeric_bit", "ieee2008/numeric_bit", &TEXT),
    ("numeric_bit_unsigned", "ieee2008/numeric_bit_unsigned", &[]),
    ("std_logic_arith", "synopsys/std_logic_arith", &[]),
    ("std_logic_unsigned", "synopsys/std_logic_unsigned", &[]),
    ("std_logic_signed", "synopsys/std_logic_signed", &[]),
    ("std_logic_misc", "synopsys/std_logic_misc", &[]),
    ("math_real", "ieee2008/math_real", &[]),
];

/// Reading and writing text is no hardware; calls are passed over by name where they stand.
const TEXT: [&str; 8] = ["read", "write", "oread", "owrite", "hread", "hwrite", "bread", "bwrite"];

/// Words and symbols in lower case, without comments.
fn tokens(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    for line in text.lines() {
        let line = line.split("--").next().unwrap_or("").to_lowercase();
        let mut word = String::new();
        let mut quoted = false;
        for c in line.chars() {
            if c == '"' {
                quoted = !quoted;
                word.push(c);
            } else if quoted || c.is_alphanumeric() || c == '_' {
                word.push(c);
            } else {
                out.extend((!word.is_empty()).then(|| std::mem::take(&mut word)));
                out.extend((!c.is_whitespace()).then(|| c.to_string()));
            }
        }
        out.extend((!word.is_empty()).then_some(word));
    }
    out
}

/// Names that stand for one and the same type.
fn plain(mark: &str) -> &str {
    match mark {
        "unresolved_unsigned" | "u_unsigned" => "unsigned",
        "unresolved_signed" | "u_signed" => "signed",
        "std_ulogic_vector" => "std_logic_vector",
        "std_ulogic" => "std_logic",
        other => other,
    }
}

/// `name(type,type)->type` of every subprogram that a package declares.
fn signatures(text: &str) -> BTreeSet<String> {
    let all = tokens(text);
    let mut out = BTreeSet::new();
    let mut i = 0;
    while i < all.len() {
        // The package declaration only.
        if all[i] == "package" && all.get(i + 1).is_some_and(|t| t == "body") {
            break;
        }
        if all[i] != "function" && all[i] != "procedure" {
            i += 1;
            continue;
        }
        let Some(name) = all.get(i + 1).cloned() else { break };
        i += 2;
        let mut types = Vec::new();
        if all.get(i).is_some_and(|t| t == "(") {
            let mut depth = 0;
            let mut names = 1;
            let mut mark: Option<String> = None;
            let mut in_type = false;
            loop {
                let t = all[i].as_str();
                match t {
                    "(" => depth += 1,
                    ")" => depth -= 1,
                    "," if depth == 1 && !in_type => names += 1,
                    ":" if depth == 1 && !in_type => in_type = true,
                    "in" | "out" | "inout" | "signal" | "constant" | "variable" | "file" => {}
                    _ if in_type && mark.is_none() => mark = Some(plain(t).to_string()),
                    _ => {}
                }
                if (t == ";" && depth == 1) || depth == 0 {
                    let mark = mark.take().unwrap_or_default();
                    types.extend(std::iter::repeat_n(mark, names));
                    (names, in_type) = (1, false);
                }
                i += 1;
                if depth == 0 {
                    break;
                }
            }
        }
        let result = if all.get(i).is_some_and(|t| t == "return") { plain(&all[i + 1]) } else { "" };
        out.insert(format!("{name}({})->{result}", types.join(",")));
    }
    out
}

#[test]
fn every_subprogram_of_ghdls_packages_is_declared_here() {
    let theirs = Path::new("/usr/lib/ghdl/src");
    assert!(theirs.is_dir(), "GHDL's sources are missing; `make test` installs the package ghdl");
    let ours = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/front/vhdl/lib");
    let read = |p: &Path| std::fs::read(p).unwrap_or_else(|e| panic!("{}: {e}", p.display()));
    let text = |p: &Path| read(p).iter().map(|b| char::from(*b)).collect::<String>();
    let mut missing = Vec::new();
    let mut count = 0;
    for (own, other, skipped) in PACKAGES {
        let mine = signatures(&text(&ours.join(format!("{own}.vhd"))));
        let all = signatures(&text(&theirs.join(format!("{other}.vhdl"))));
        assert!(all.len() > 10, "{other}: only {} subprograms were found", all.len());
        count += all.len();
        for s in all.difference(&mine) {
            let name = s.split('(').next().unwrap_or("");
            if !skipped.contains(&name) {
                missing.push(format!("{own}: {s}"));
            }
        }
    }
    println!("{count} subprograms compared");
    assert!(missing.is_empty(), "declared by GHDL and not here:\n{}", missing.join("\n"));
}
