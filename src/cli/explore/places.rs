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
        .args(["-C", "-f", "-e"])
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
    let text = String::from_utf8_lossy(&result.stdout).into_owned();
    let mut text = text.lines();
    for &a in addresses {
        let (Some(function), Some(place)) = (text.next(), text.next()) else { break };
        let place = place.split(" (").next().unwrap_or(place);
        if let Some((file, line)) = place.rsplit_once(':')
            && let Ok(line) = line.parse()
            && file != "??"
        {
            out.insert(a, Line { file: file.to_string(), line, function: function.to_string() });
        }
    }
    out
}
