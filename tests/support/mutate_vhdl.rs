//! VHDL for the damage of [`super::mutate`]: the bundled designs, whole and with files missing.

use super::mutate::{Language, judge};
use entail::front::vhdl;
use entail::project::filelist::parse_args;
use entail::source::SourceMap;
use std::path::Path;

pub static VHDL: Language = Language { extension: "vhd", spice: &SPICE, answer };

const SPICE: [&str; 56] = [
    "entity",
    "architecture",
    "package",
    "body",
    "component",
    "configuration",
    "is",
    "of",
    "begin",
    "end",
    "process",
    "if",
    "then",
    "elsif",
    "else",
    "case",
    "when",
    "others",
    "loop",
    "for",
    "while",
    "generate",
    "function",
    "procedure",
    "return",
    "signal",
    "variable",
    "constant",
    "type",
    "subtype",
    "record",
    "array",
    "range",
    "downto",
    "generic",
    "port",
    "map",
    "all",
    "use",
    "library",
    "open",
    "null",
    "wait",
    "after",
    "<>",
    "<=",
    "=>",
    "'",
    "\"",
    "/*",
    "\\x\\",
    "16#FFFF_FFFF_FFFF_FFFF_F#",
    "99999999999999999999",
    "1.0e400",
    "-1",
    "'high",
];

/// Every file alone (most of them miss something then), every list of files as one text, and every list
/// without one of its files.
pub fn texts() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("designs/vhdl");
    let mut out = vec![];
    for entry in std::fs::read_dir(&folder).expect("designs/vhdl").flatten() {
        let list = entry.path().join(format!("{}.f", entry.file_name().display()));
        if !list.is_file() {
            continue;
        }
        let words = ["-f".to_string(), list.display().to_string()];
        let list = parse_args(&words, Path::new(""), &|_| None, &mut SourceMap::new()).expect("the list is good");
        let files: Vec<String> = list
            .files
            .iter()
            .map(|f| std::fs::read_to_string(f).expect("a design"))
            .map(|t| without_head(&t))
            .collect();
        for missing in 0..files.len() {
            out.push(files.iter().enumerate().filter(|(k, _)| *k != missing).map(|f| f.1.as_str()).collect());
        }
        out.push(files.concat());
        out.extend(files);
    }
    // Folders come in any order, and the seed is to mean the same everywhere.
    out.sort();
    out.dedup();
    out
}

/// A file without the comment at its head: it is long, and damage to it is no damage.
fn without_head(text: &str) -> String {
    let lines = text.lines().skip_while(|l| l.starts_with("--") || l.trim().is_empty());
    lines.map(|l| format!("{l}\n")).collect()
}

/// The last entity of a text, which uses the ones before it.
fn last_entity(text: &str) -> Option<String> {
    let mut names = text.lines().filter_map(|l| l.strip_prefix("entity ")?.strip_suffix(" is"));
    names.next_back().map(str::to_string)
}

fn answer(text: &str) -> Option<String> {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let path = dir.path().join("design.vhd");
    std::fs::write(&path, text).expect("write the design");
    let options = vhdl::elab::Options { top: last_entity(text), ..Default::default() };
    let request = vhdl::Request { files: vec![(None, path)], cache_dir: None, options };
    let out = vhdl::elaborate(&request, SourceMap::new());
    let mut errors = out.diagnostics.iter().filter(|d| d.is_error()).peekable();
    let first = errors.peek().map_or(String::new(), |d| d.message.clone());
    // A text without its top has no place that could be blamed.
    let excused = first.starts_with("no top entity") || first.starts_with("no entity");
    if !first.is_empty() && !excused && errors.all(|d| d.labels.is_empty()) {
        return Some(format!("an error without a place: {first}"));
    }
    judge(out)
}
