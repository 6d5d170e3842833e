//! File lists in folders of their own.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;
use crate::source::{Format, Severity, render};

/// A folder of files that goes away with the test.
struct Folder {
    root: PathBuf,
}

impl Folder {
    /// Writes files given as path and text; an empty text makes an empty file.
    fn new(files: &[(&str, &str)]) -> Folder {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let root = std::env::temp_dir().join(format!("entail-filelist-{}-{number}", std::process::id()));
        for (path, text) in files {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        Folder { root }
    }

    /// Parses words with the folder as working directory, and the variables `IP` and `SPACE`.
    fn parse(&self, words: &str) -> (Result<SourceList, Vec<Diagnostic>>, SourceMap) {
        let env = |name: &str| match name {
            "IP" => Some("ip".to_owned()),
            "SPACE" => Some("two words".to_owned()),
            _ => None,
        };
        let words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
        let mut map = SourceMap::new();
        (parse_args(&words, &self.root, &env, &mut map), map)
    }

    fn list(&self, words: &str) -> SourceList {
        let (result, map) = self.parse(words);
        result.unwrap_or_else(|diags| panic!("{}", render(&diags, &map, Format::Full, false)))
    }

    /// The mistakes as full text, with paths relative to the folder.
    fn mistakes(&self, words: &str) -> String {
        let (result, map) = self.parse(words);
        let diags = result.expect_err("a mistake was expected");
        self.relative(&render(&diags, &map, Format::Full, false))
    }

    fn files(&self, words: &str) -> String {
        self.paths(&self.list(words).files)
    }

    fn paths(&self, paths: &[PathBuf]) -> String {
        let paths: Vec<String> = paths.iter().map(|path| self.relative(&path.display().to_string())).collect();
        paths.join(" ")
    }

    fn relative(&self, text: &str) -> String {
        text.replace(&format!("{}/", self.root.display()), "")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A folder left behind in the temporary directory harms nobody.
        let _ = fs::remove_dir_all(&self.root);
    }
}

fn pairs(items: &[(String, String)]) -> Vec<(&str, &str)> {
    items.iter().map(|(a, b)| (&**a, &**b)).collect()
}

#[test]
fn no_option_hides_another() {
    for option in OPTIONS {
        let first = OPTIONS.iter().find(|other| spells(other, option.0));
        assert_eq!(first.map(|first| first.0), Some(option.0));
    }
}

#[test]
fn bare_words_are_files_kept_once_and_in_order() {
    let folder = Folder::new(&[("b.sv", ""), ("a.sv", ""), ("sub/c.sv", "")]);
    assert_eq!(folder.files("b.sv a.sv ./b.sv sub/../a.sv sub/c.sv"), "b.sv a.sv sub/c.sv");
}

#[test]
fn the_options_of_a_command_line() {
    let folder = Folder::new(&[("lib.v", "")]);
    let list = folder.list(
        "+incdir+inc+gen -I x -Iy -incdir x +define+A=1+B -D C=2 -DD -y cells -v lib.v +libext+.vlib+.v \
             -P W=8 -GN=4'hF -PQ=1 -pvalue+R=2 --blackbox pll --blackbox=ram --top t",
    );
    assert_eq!(folder.paths(&list.incdirs), "inc gen x y");
    let defines: Vec<_> = list.defines.iter().map(|(name, body)| (&**name, body.as_deref())).collect();
    assert_eq!(defines, [("A", Some("1")), ("B", None), ("C", Some("2")), ("D", None)]);
    assert_eq!(folder.paths(&list.libdirs), "cells");
    assert_eq!(folder.paths(&list.libfiles), "lib.v");
    assert_eq!(list.libexts, [".vlib", ".v"]);
    assert_eq!(pairs(&list.params), [("W", "8"), ("N", "4'hF"), ("Q", "1"), ("R", "2")]);
    assert_eq!(list.blackboxes, ["pll", "ram"]);
    assert_eq!(list.top.as_deref(), Some("t"));
    assert!(list.warnings.is_empty() && list.files.is_empty());
}

#[test]
fn vhdl_files_belong_to_the_library_named_before_them() {
    let files =
        [("a.vhd", ""), ("b.vhdl", ""), ("c.vhd", ""), ("d.sv", ""), ("e.vhd", ""), ("x1.vhd", ""), ("x2.vhd", "")];
    let lists = [("one.f", "--work=Two c.vhd e.vhd"), ("bad.f", "--work 2x a.vhd")];
    let folder = Folder::new(&[files.as_slice(), lists.as_slice()].concat());
    let list = folder.list("a.vhd --work lib b.vhdl d.sv -f one.f --work x=x1.vhd,x2.vhd c.vhd --work work e.vhd");
    // A library set in a list ends with it; other languages have none; one file may be in two.
    assert_eq!(folder.paths(&list.files), "a.vhd d.sv e.vhd");
    let named: Vec<String> =
        list.libraries.iter().map(|(l, p)| format!("{l}:{}", folder.relative(&p.display().to_string()))).collect();
    assert_eq!(named.join(" "), "lib:b.vhdl two:c.vhd two:e.vhd x:x1.vhd x:x2.vhd lib:c.vhd");
    assert!(folder.mistakes("-f bad.f").contains("bad.f:1:8"), "{}", folder.mistakes("-f bad.f"));
    assert!(folder.mistakes("--work ieee=a.vhd").contains("built in"));
}

#[test]
fn the_top_has_many_spellings_and_the_last_counts() {
    let folder = Folder::new(&[]);
    for words in ["--top t", "-top t", "--top-module t", "-s t", "--top=t", "--top-module=t", "--top u -s t"] {
        assert_eq!(folder.list(words).top.as_deref(), Some("t"), "{words}");
    }
}

#[test]
fn harmless_flags_are_silent_and_defaults_are_filled_in() {
    let list = Folder::new(&[]).list("-sv -g2012 -sverilog +v2k -full64 -Wall -timescale=1ns/1ps -timescale 1ns/1ps");
    let expect = SourceList { libexts: vec![".v".into(), ".sv".into()], ..SourceList::default() };
    assert_eq!(list, expect);
}

#[test]
fn an_empty_working_directory_keeps_paths_relative() {
    assert_eq!(join(Path::new(""), "rtl/./a.sv"), Path::new("rtl/a.sv"));
    assert_eq!(join(Path::new("."), "./a.sv"), Path::new("a.sv"));
    assert_eq!(join(Path::new(""), "."), Path::new("."));
    assert_eq!(join(Path::new("x"), "/abs/a.sv"), Path::new("/abs/a.sv"));
}

#[test]
fn lists_have_comments_quotes_joined_lines_and_variables() {
    let text = "// a comment -y nowhere\n# another\n/* and\n -bad */ a.sv /* x */ \"two words/b.sv\"\n\
                    \"$SPACE\"/b.sv 'two words/$c.sv' two\\ words/d.sv \\\n  $IP/e.sv ${IP}/f#1.sv \\\r\n $(IP)//g.sv\n\
                    +define+MSG=\"\\\"hi you\\\"\"+COST=\\$5+W=4'b1010";
    let files = ["a.sv", "two words/b.sv", "two words/$c.sv", "two words/d.sv", "ip/e.sv", "ip/f#1.sv", "ip/g.sv"];
    let mut all: Vec<(&str, &str)> = files.iter().map(|file| (*file, "")).collect();
    all.push(("top.f", text));
    let folder = Folder::new(&all);
    let list = folder.list("-f top.f");
    assert_eq!(folder.paths(&list.files), files.join(" "));
    let defines: Vec<_> = list.defines.iter().map(|(name, body)| (&**name, body.as_deref().unwrap())).collect();
    assert_eq!(defines, [("MSG", "\"hi you\""), ("COST", "$5"), ("W", "4'b1010")]);
    assert_eq!(folder.paths(&list.lists), "top.f");
}

#[test]
fn a_small_f_list_prefers_its_own_folder_and_falls_back_to_the_working_directory() {
    let folder = Folder::new(&[
        ("a.sv", ""),
        ("only_top.sv", ""),
        ("ip/a.sv", ""),
        ("ip/inc/x.svh", ""),
        ("ip/ip.f", "a.sv only_top.sv +incdir+inc+other"),
    ]);
    let list = folder.list("-f ip/ip.f");
    assert_eq!(folder.paths(&list.files), "ip/a.sv only_top.sv");
    assert_eq!(folder.paths(&list.incdirs), "ip/inc other");
    assert_eq!(folder.files("-file ip/ip.f"), "ip/a.sv only_top.sv");
}

#[test]
fn a_capital_f_list_looks_in_its_own_folder_only() {
    let folder = Folder::new(&[("only_top.sv", ""), ("ip/ip.f", "+incdir+inc only_top.sv")]);
    let expect = "\
error[E0101]: cannot read file `ip/only_top.sv`: it does not exist
 --> ip/ip.f:1:13
  |
1 | +incdir+inc only_top.sv
  |             ^^^^^^^^^^^ named here
";
    assert_eq!(folder.mistakes("-F ip/ip.f"), expect);
}

#[test]
fn a_nested_list_falls_back_to_the_folder_of_the_capital_f_list_around_it() {
    let folder = Folder::new(&[
        ("ip/rtl/a.sv", ""),
        ("ip/ip.f", "-f lists/core.f"),
        ("ip/lists/core.f", "rtl/a.sv"),
        ("rtl/a.sv", ""),
    ]);
    let list = folder.list("-F ip/ip.f");
    assert_eq!(folder.paths(&list.files), "ip/rtl/a.sv");
    assert_eq!(folder.paths(&list.lists), "ip/ip.f ip/lists/core.f");
}

#[test]
fn a_list_may_be_named_twice_but_not_by_itself() {
    let folder = Folder::new(&[("a.sv", ""), ("one.f", "a.sv"), ("two.f", "-f one.f -f one.f")]);
    assert_eq!(folder.files("-f two.f -f one.f"), "a.sv");

    let folder = Folder::new(&[("a.f", "-f b.f"), ("b.f", "\n-f ./a.f")]);
    let expect = "\
error[E0102]: file list `a.f` includes itself
 --> b.f:2:4
  |
2 | -f ./a.f
  |    ^^^^^ this closes the circle
  |
 ::: a.f:1:4
  |
1 | -f b.f
  |    --- by way of this list
  |
  = note: it was first named on the command line
";
    assert_eq!(folder.mistakes("-f a.f"), expect);
}

#[test]
fn lists_that_multiply_are_stopped() {
    let names: Vec<String> = (0..20).map(|i| format!("{i}.f")).collect();
    let texts: Vec<String> = (1..20).map(|i| format!("-f {i}.f -f {i}.f")).chain([String::new()]).collect();
    let files: Vec<(&str, &str)> = names.iter().map(|n| &**n).zip(texts.iter().map(|t| &**t)).collect();
    let text = Folder::new(&files).mistakes("-f 0.f");
    assert_eq!(text.matches("too many file lists (10000)").count(), 1, "{text}");
}

#[test]
fn missing_files_are_reported_where_they_are_named_and_all_of_them() {
    let folder = Folder::new(&[("ip/ip.f", "x.sv\n-v y.v\n-f z.f\nno*.sv\n.")]);
    let expect = "\
error[E0101]: cannot read file `x.sv`: it does not exist
 --> ip/ip.f:1:1
  |
1 | x.sv
  | ^^^^ named here
  |
  = note: `ip/x.sv` does not exist either
";
    let text = folder.mistakes("-f ip/ip.f w.sv");
    assert!(text.starts_with(expect), "{text}");
    for message in [
        "cannot read file `y.v`: it does not exist",
        "cannot read file `z.f`: it does not exist",
        "no file matches `no*.sv`",
        "cannot read file `ip`: it is a directory",
        "cannot read file `w.sv`: it does not exist\n  = note: on the command line",
    ] {
        assert!(text.contains(message), "{message} is not in:\n{text}");
    }
    assert_eq!(text.matches("error[E0101]").count(), 6);
}

#[test]
fn unknown_options_are_errors_and_unknown_plusargs_are_warnings() {
    let folder = Folder::new(&[("a.f", "+UVM_TEST=x"), ("b.f", "+UVM_TEST=x -makelib")]);
    let warnings = folder.list("-f a.f").warnings;
    assert_eq!((warnings.len(), warnings[0].severity), (1, Severity::Warning));
    assert_eq!(warnings[0].message, "unknown plusarg `+UVM_TEST=x` is ignored");
    assert!(!warnings[0].labels[0].span.is_none());

    let expect = "\
warning[E0103]: unknown plusarg `+UVM_TEST=x` is ignored
 --> b.f:1:1
  |
1 | +UVM_TEST=x -makelib
  | ^^^^^^^^^^^ not an option of entail

error[E0103]: unknown option `-makelib`
 --> b.f:1:13
  |
1 | +UVM_TEST=x -makelib
  |             ^^^^^^^^ not an option of entail
  |
  = help: keep options of another tool in a list of their own
";
    assert_eq!(folder.mistakes("-f b.f"), expect);
}

/// The message and the marked text of every mistake in one list.
fn malformed(text: &str) -> Vec<(String, String)> {
    let (result, map) = Folder::new(&[("a.sv", ""), ("top.f", text)]).parse("-f top.f");
    let diags = result.expect_err("a mistake was expected");
    assert!(diags.iter().all(|diag| diag.code == codes::E0102 && diag.is_error()));
    diags.into_iter().map(|diag| (map.snippet(diag.labels[0].span).to_owned(), diag.message)).collect()
}

#[test]
fn malformed_lists_are_errors_at_the_word() {
    for (text, marked, message) in [
        ("a.sv $NOPE/b.sv", "$NOPE", "environment variable `NOPE` is not set"),
        ("-y ${NOPE}/b a.sv", "${NOPE}", "environment variable `NOPE` is not set"),
        ("${IP/b.sv", "${IP", "malformed environment variable"),
        ("a.sv \"b.sv\n", "\"", "quote is not closed"),
        ("a.sv 'b.sv\n", "'", "quote is not closed"),
        ("a.sv /* b.sv", "/*", "comment is not closed"),
        ("-y", "-y", "option `-y` needs a value"),
        ("--top= a.sv", "--top=", "option `--top` needs a value"),
        ("-y +define+A", "-y", "option `-y` needs a value"),
        ("+incdir+", "+incdir+", "option `+incdir+` needs a value"),
        ("+define+=1", "+define+=1", "malformed value `=1`: a macro needs a name before `=`"),
        ("-P W", "W", "malformed value `W`: a parameter is written NAME=VALUE"),
    ] {
        assert_eq!(malformed(text), [(marked.to_owned(), message.to_owned())], "{text}");
    }
}

#[test]
fn patterns_find_sorted_files() {
    let folder = Folder::new(&[
        ("rtl/b.sv", ""),
        ("rtl/a.sv", ""),
        ("rtl/a.v", ""),
        ("rtl/.#a.sv", ""),
        ("rtl/sub/c.sv", ""),
        ("rtl/sub/deep/d.sv", ""),
        ("rtl/dir.sv/e.txt", ""),
        ("ip/ip.f", "../rtl/s*/?.sv rtl/*.v"),
    ]);
    assert_eq!(folder.files("rtl/*.sv"), "rtl/a.sv rtl/b.sv");
    assert_eq!(folder.files("rtl/b.sv rtl/*.sv"), "rtl/b.sv rtl/a.sv");
    assert_eq!(folder.files("*/**/*.sv"), "rtl/a.sv rtl/b.sv rtl/sub/c.sv rtl/sub/deep/d.sv");
    assert_eq!(folder.files("-f ip/ip.f"), "ip/../rtl/sub/c.sv rtl/a.v");
}
