//! Every output format, compared byte for byte with the files in `tests/snapshots/render`.
//!
//! After a wanted change run with `UPDATE_SNAPSHOTS=1`, and read the difference.

use std::path::Path;

use entail::source::{Code, Diagnostic, Format, Severity, SourceMap, Span, codes, render};

const FIFO: &str = "\
module fifo #(parameter DEPTH = 16) (
  input  logic       clk, rst,
  input  logic       push,
  input  logic [7:0] data,
  output logic [7:0] head
);
\tlogic [7:0] memory [DEPTH]; // 記憶 memory
\tlogic [3:0] tail;

\talways_ff @(posedge clk) begin
\t\tif (push) memory[tail] <= dat;
\t\tif (rst) tail <= 0;
\t\telse begin
\t\t\ttail <= tail + push;
\t\tend
\tend

\tassign head = memory[0];
\tassign head = rst ? '0 : memory[tail];
endmodule
";

const PACKAGE: &str = "\
package bus_pkg;
  typedef logic [7:0] data_t;
  typedef enum logic [1:0] {IDLE, RUN} state_t;
endpackage
";

/// A source map with the two files above, and spans found by the text they cover.
struct Sources {
    map: SourceMap,
}

impl Sources {
    fn new() -> Sources {
        let mut map = SourceMap::new();
        map.add("rtl/fifo.sv", FIFO);
        map.add("rtl/bus_pkg.sv", PACKAGE);
        Sources { map }
    }

    /// From the first occurrence of `from` to the end of the first `to` after its start.
    fn range(&self, path: &str, from: &str, to: &str) -> Span {
        let file = self.map.by_path(Path::new(path)).expect("a known path");
        let text = &self.map.file(file).text;
        let lo = text.find(from).expect("text that starts the span");
        let hi = lo + text[lo..].find(to).expect("text that ends the span") + to.len();
        Span::new(file, lo as u32, hi as u32)
    }

    fn fifo(&self, text: &str) -> Span {
        self.range("rtl/fifo.sv", text, text)
    }

    /// The part `inner` of the first occurrence of `outer`.
    fn within(&self, outer: &str, inner: &str) -> Span {
        let outer_span = self.fifo(outer);
        let lo = outer_span.lo + outer.find(inner).expect("a part of the text") as u32;
        Span::new(outer_span.file, lo, lo + inner.len() as u32)
    }

    fn package(&self, text: &str) -> Span {
        self.range("rtl/bus_pkg.sv", text, text)
    }

    fn check(&self, name: &str, diags: &[Diagnostic], format: Format) {
        check(name, &render(diags, &self.map, format, false));
    }
}

fn check(name: &str, actual: &str) {
    // SARIF names the version of the tool; a release must not change the snapshots.
    let version = concat!("\"version\": \"", env!("CARGO_PKG_VERSION"), "\"");
    let actual = actual.replace(version, "\"version\": \"VERSION\"");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots/render").join(name).with_extension("txt");
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some_and(|value| value == "1") {
        std::fs::write(&path, &actual).expect("the snapshot can be written");
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(actual == expected, "{} differs.\n--- expected\n{expected}\n--- actual\n{actual}", path.display());
}

/// One diagnostic of each severity, and one without a place: what every format must cope with.
fn mixture(sources: &Sources) -> Vec<Diagnostic> {
    vec![
        Diagnostic::error(codes::E0204, "unknown name `dat`")
            .at(sources.within("<= dat;", "dat"), "not declared in `fifo`")
            .also(sources.fifo("data"), "a similar name is declared here")
            .help("did you mean `data`?"),
        Diagnostic::warning(codes::W0305, "index 5 is outside [3:0]")
            .at(sources.fifo("tail + push"), "the carry is lost, 100%")
            .note("the sum of a 4-bit and a 1-bit value has 5 bits\nunless the carry is never set"),
        Diagnostic::new(codes::W0510, Severity::Note, "register `memory` has no reset")
            .at(sources.range("rtl/fifo.sv", "always_ff", "end\n\tend"), ""),
        Diagnostic::error(codes::E0201, "top module `fifo_top` not found")
            .note("these modules are instantiated by no other: `fifo`")
            .help("name the top module with `--top fifo`"),
    ]
}

#[test]
fn full_shows_excerpts_notes_and_help() {
    let sources = Sources::new();
    sources.check("full", &mixture(&sources), Format::Full);
}

#[test]
fn full_in_colour() {
    let sources = Sources::new();
    let text = render(&mixture(&sources), &sources.map, Format::Full, true);
    check("full_colour", &text.replace('\x1b', "␛"));
}

#[test]
fn full_shows_two_places_in_one_file_and_elides_what_lies_between() {
    let sources = Sources::new();
    let diag = Diagnostic::error(codes::E0501, "`head` has multiple drivers")
        .at(sources.within("assign head = rst", "head"), "driven again here")
        .also(sources.within("assign head = memory", "head"), "first driven here")
        .also(sources.within("[7:0] head", "head"), "declared here");
    sources.check("full_two_places", &[diag], Format::Full);
}

#[test]
fn full_shows_two_files_with_the_primary_one_first() {
    let sources = Sources::new();
    let diag = Diagnostic::error(codes::E0310, "cannot assign `data_t` to `state_t`")
        .also(sources.package("data_t"), "the type of the value")
        .also(sources.package("state_t"), "the type of the target")
        .at(sources.fifo("rst ? '0 : memory[tail]"), "8 bits, not an enum")
        .help("cast on purpose: `state_t'(…)`");
    sources.check("full_two_files", &[diag], Format::Full);
}

#[test]
fn full_hangs_messages_that_would_run_into_another_label() {
    let sources = Sources::new();
    let line = "if (push) memory[tail] <= dat;";
    let several = Diagnostic::error(codes::E0310, "several labels on one line")
        .also(sources.within(line, "push"), "the condition")
        .also(sources.within(line, "memory"), "the memory")
        .at(sources.within(line, "dat"), "the value");
    let nested = Diagnostic::error(codes::E0310, "labels inside one another")
        .at(sources.within(line, "tail"), "the index")
        .also(sources.within(line, "memory[tail]"), "the target")
        .also(sources.within(line, line), "the statement");
    let silent = Diagnostic::error(codes::E0310, "labels without messages")
        .at(sources.within(line, "dat"), "")
        .also(sources.within(line, "memory"), "");
    sources.check("full_one_line", &[several, nested, silent], Format::Full);
}

#[test]
fn full_brackets_spans_over_several_lines() {
    let sources = Sources::new();
    let range = |from, to| sources.range("rtl/fifo.sv", from, to);
    let short = Diagnostic::error(codes::E0412, "a branch of four lines")
        .at(range("if (rst)", "end"), "from `if` to `end`")
        .also(range("begin\n\t\t\t", "end"), "this block");
    let long = Diagnostic::error(codes::E0203, "module `fifo` is defined twice")
        .at(range("module fifo", "endmodule"), "defined again here")
        .also(sources.package("package bus_pkg"), "first defined here");
    let inner = Diagnostic::error(codes::E0407, "starts within a line")
        .at(range("@(posedge clk)", "end\n\tend"), "this process")
        .also(sources.within("<= dat;", "dat"), "reads this");
    sources.check("full_lines", &[short, long, inner], Format::Full);
}

#[test]
fn full_aligns_tabs_and_wide_characters() {
    let sources = Sources::new();
    let diag = Diagnostic::warning(codes::W0504, "tabs and wide characters")
        .at(sources.within("// 記憶 memory", "memory"), "after 記憶")
        .also(sources.within("memory [DEPTH]", "DEPTH"), "after a tab");
    sources.check("full_wide", &[diag], Format::Full);
}

#[test]
fn full_clips_long_lines_around_the_labels() {
    let mut map = SourceMap::new();
    let terms: Vec<String> = (0..400).map(|i| format!("term_{i:03}")).collect();
    let text = format!("assign sum = {};\n", terms.join(" + "));
    let at = |map: &mut SourceMap, name: &str, length: u32| {
        let lo = text.find(name).expect("a term") as u32;
        Span::new(map.add("wide.sv", text.as_str()), lo, lo + length)
    };
    let one = at(&mut map, "term_200", 8);
    let other = at(&mut map, "term_300", 8);
    let long = at(&mut map, "term_001", 4000);
    let diags = [
        Diagnostic::error(codes::E0204, "one place").at(one, "unknown"),
        Diagnostic::error(codes::E0204, "two places").at(other, "unknown").also(one, "as is this"),
        Diagnostic::error(codes::E0107, "a long place").at(long, "too long"),
    ];
    check("full_clipped", &render(&diags, &map, Format::Full, false));
}

#[test]
fn full_survives_spans_that_do_not_exist() {
    let mut map = SourceMap::new();
    let crlf = map.add("crlf.sv", "module m;\r\n  wire \x1b[31mé;\r\nendmodule\r\n");
    let empty = map.add("empty.sv", "");
    let foreign = Span::new(entail::source::FileId(77), 0, 1);
    let diags = [
        Diagnostic::error(codes::E0106, "unexpected end of file").at(Span::new(crlf, u32::MAX, 0), "expected `;`"),
        Diagnostic::error(codes::E0106, "an escape and half a character").at(Span::new(crlf, 23, 24), "here"),
        Diagnostic::error(codes::E0106, "an empty file").at(Span::new(empty, 5, 9), ""),
        Diagnostic::error(codes::E0106, "no place at all")
            .at(Span::NONE, "the reason lives on as a note")
            .also(foreign, ""),
    ];
    check("full_odd", &render(&diags, &map, Format::Full, false));
}

#[test]
fn concise_is_one_line_each() {
    let sources = Sources::new();
    sources.check("concise", &mixture(&sources), Format::Concise);
}

#[test]
fn json_is_one_array() {
    let sources = Sources::new();
    sources.check("json", &mixture(&sources), Format::Json);
    assert_eq!(render(&[], &sources.map, Format::Json, false), "[]\n");
}

#[test]
fn sarif_has_rules_regions_and_related_locations() {
    let sources = Sources::new();
    sources.check("sarif", &mixture(&sources), Format::Sarif);
}

#[test]
fn sarif_encodes_paths_and_accepts_foreign_codes() {
    let mut map = SourceMap::new();
    let file = map.add("/ip cores/a:b%.sv", "module m;");
    let diag = Diagnostic::warning(Code::new("CDC-01"), "unsynchronized crossing").at(Span::new(file, 0, 6), "");
    check("sarif_paths", &render(&[diag], &map, Format::Sarif, false));
}

#[test]
fn sarif_names_a_related_location_once() {
    let sources = Sources::new();
    let (here, there) = (sources.fifo("data"), sources.fifo("tail"));
    let diag = Diagnostic::error(codes::E0501, "driven twice").at(here, "").also(there, "x").also(there, "x");
    let text = render(&[diag], &sources.map, Format::Sarif, false);
    let log: serde_json::Value = serde_json::from_str(&text).expect("valid JSON");
    assert_eq!(log["runs"][0]["results"][0]["relatedLocations"].as_array().map(Vec::len), Some(1));
}

#[test]
fn github_escapes_properties_and_messages() {
    let sources = Sources::new();
    sources.check("github", &mixture(&sources), Format::Github);

    let mut map = SourceMap::new();
    let file = map.add("a,b:c%.sv", "module m;");
    let diag = Diagnostic::error(codes::E0106, "50% of a, b: c\r\nsecond line").at(Span::new(file, 0, 6), "");
    check("github_escapes", &render(&[diag], &map, Format::Github, false));
}

#[test]
fn formats_are_named_as_on_the_command_line() {
    for format in Format::ALL {
        assert_eq!(format.to_string().parse(), Ok(format));
    }
    let error = "xml".parse::<Format>().expect_err("no such format");
    assert_eq!(error.to_string(), "unknown format `xml`; choose one of full, concise, json, sarif, github");
}
