//! Addresses of the program into files and lines, with the `addr2line` that every compiler brings.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// A line of a source file.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Line {
    /// File, as the compiler was given it.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Function.
    pub function: String,
}

impl Line {
    /// `file.cpp:12`, the file without its folders.
    pub fn short(&self) -> String {
        let name = Path::new(&self.file).file_name().map_or(self.file.clone(), |n| n.to_string_lossy().into_owned());
        format!("{name}:{}", self.line)
    }

    /// Not in a header of SystemC's or of the system's.
    pub fn own(&self) -> bool {
        !self.file.contains("/sysc/") && !self.file.starts_with("/usr/")
    }

    /// The text of the line, if the file can be read.
    pub fn text(&self) -> Option<String> {
        let all = std::fs::read_to_string(&self.file).ok()?;
        all.lines().nth(self.line.checked_sub(1)? as usize).map(|l| l.trim().to_string())
    }
}

/// Looks up addresses of a program. Those without a line are left out.
pub fn lines(program: &Path, addresses: &BTreeSet<u64>) -> BTreeMap<u64, Line> {
    let mut out = BTreeMap::new();
    let child = Command::new("addr2line")
        .args(["-a", "-i", "-C", "-f", "-e"])
        .arg(program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut child) = child else { return out };
    let words: String = addresses.iter().map(|a| format!("{a:x}\n")).collect();
    let Some(mut stdin) = child.stdin.take() else { return out };
    let feeder = std::thread::spawn(move || {
        let _ = stdin.write_all(words.as_bytes());
    });
    let Ok(result) = child.wait_with_output() else { return out };
    let _ = feeder.join();
    // Each address, then a function and a place for it and for whatever it was inlined into.
    let text = String::from_utf8_lossy(&result.stdout).into_owned();
    let mut address = None;
    let mut function = None;
    for l in text.lines() {
        if let Some(a) = l.strip_prefix("0x").and_then(|a| u64::from_str_radix(a, 16).ok()) {
            (address, function) = (Some(a), None);
            continue;
        }
        let Some(f) = function.take() else {
            function = Some(l.to_string());
            continue;
        };
        let place = l.split(" (").next().unwrap_or(l);
        if let (Some(a), Some((file, line))) = (address, place.rsplit_once(':'))
            && let Ok(line) = line.parse()
            && file != "??"
        {
            let new = Line { file: file.to_string(), line, function: f };
            // The innermost place, unless only a farther one is the user's own.
            out.entry(a)
                .and_modify(|l: &mut Line| {
                    if !l.own() && new.own() {
                        *l = new.clone();
                    }
                })
                .or_insert(new);
        }
    }
    out
}
