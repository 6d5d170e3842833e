//! Traces of counterexamples: what they hold, and that every writer says the same.
//!
//! Snapshots lie in `tests/snapshots/trace`. After a wanted change run with `UPDATE_SNAPSHOTS=1`, and read
//! the difference.

mod support_trace;

use entail::model::Clocks;
use entail::trace::{Ending, STEP, Trace, bench, fst, gtkw, svg, text, vcd};
use fst_reader::{FstFilter, FstHierarchyEntry, FstReader, FstSignalValue};
use std::collections::HashMap;
use std::convert::Infallible;
use std::path::Path;
use support_trace::designs::{CASES, case};
use support_trace::{build, vcd as dump};

fn check(name: &str, actual: &str) {
    // The version of the tool must not change the snapshots.
    let actual = actual.replace(concat!("entail ", env!("CARGO_PKG_VERSION")), "entail VERSION");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots/trace").join(name);
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some_and(|value| value == "1") {
        std::fs::write(&path, &actual).expect("the snapshot can be written");
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(actual == expected, "{} differs.\n--- expected\n{expected}\n--- actual\n{actual}", path.display());
}

fn all() -> impl Iterator<Item = (String, support_trace::Built, Trace)> {
    let ways = [("", Clocks::Ticks), (" as levels", Clocks::Levels)];
    CASES.iter().flat_map(move |c| {
        ways.into_iter().map(move |(how, clocks)| {
            let b = build(c.text, clocks);
            let t = b.trace_of(0);
            (format!("{}{how}", c.name), b, t)
        })
    })
}

#[test]
fn every_path_plays_in_the_simulator() {
    for (name, b, t) in all() {
        let moments: Vec<u64> = t.moments.iter().map(|m| m.time).collect();
        assert!(moments.is_sorted_by(|a, b| a < b), "{name}: {moments:?}");
        assert_eq!(moments.last(), Some(&(t.steps.len() as u64 * STEP)), "{name}");
        let plain = t.steps.iter().filter(|s| !s.joint).count();
        println!(
            "{name}: {} steps, {plain} in halves\n{}",
            t.steps.len(),
            text::write(&t, &b.sources, &Default::default())
        );
    }
}

#[test]
fn a_dump_holds_every_value() {
    for (name, b, t) in all() {
        let text = vcd::write(&t, &b.sources);
        let d = dump::read(&text);
        assert_eq!(d.vars.len(), t.signals.len() + 2, "{name}: {text}");
        for (m, moment) in t.moments.iter().enumerate() {
            for (s, signal) in t.signals.iter().enumerate() {
                let full = format!("{}.{}", t.top, signal.name);
                let want = t.value(m, s).to_binary();
                assert_eq!(d.at(&full, moment.time), Some(want.as_str()), "{name}: {full} at {}", moment.time);
            }
        }
        for s in t.signals.iter().filter(|s| s.range.is_some()) {
            let (l, r) = s.range.expect("filtered");
            let full = format!("{}.{}", t.top, s.name);
            let var = d.vars.iter().find(|v| v.0 == full).expect("a variable");
            assert_eq!((var.1.as_str(), var.2), (format!("[{l}:{r}]").as_str(), s.width as usize), "{name}");
        }
    }
}

/// A trace of a hand-made path, so that no solver's choice is recorded.
fn recorded(name: &str) -> (support_trace::Built, Trace) {
    let b = build(case(name).text, Clocks::Ticks);
    let t = match name {
        "counter" => {
            let steps: &[&[(&str, u64)]] =
                &[&[("rst", 1), ("en", 1)], &[("en", 1), ("inc", 99)], &[("en", 1), ("inc", 120)], &[], &[], &[]];
            b.scripted(&[("u.key", 0b0011), ("count", 17)], steps)
        }
        "async_reset" => {
            let on = ("rst_n", 1);
            let tick = ("clk", 1);
            let steps: &[&[(&str, u64)]] = &[
                &[],
                &[on, tick, ("d", 1)],
                &[on, tick],
                &[on],
                &[on, tick, ("d", 1)],
                &[on, tick, ("d", 1)],
                &[on, tick],
            ];
            b.scripted(&[("q", 9)], steps)
        }
        "two_clocks" => {
            let (w, r) = (("wclk", 1), ("rclk", 1));
            let steps: &[&[(&str, u64)]] =
                &[&[w, ("d", 1)], &[r], &[r, w], &[r, ("go", 1)], &[w, r, ("d", 1)], &[r], &[r], &[r, ("go", 1)], &[r]];
            b.scripted(&[], steps)
        }
        _ => {
            assert_eq!(name, "joint");
            let (c, r) = (("clk", 1), ("rst", 1));
            b.scripted(&[], &[&[c], &[c, r], &[c]])
        }
    };
    (b, t)
}

const RECORDED: &[&str] = &["counter", "async_reset", "two_clocks", "joint"];

#[test]
fn tables_are_as_recorded() {
    for name in RECORDED {
        let (b, t) = recorded(name);
        check(&format!("{name}.txt"), &text::write(&t, &b.sources, &Default::default()));
    }
}

#[test]
fn a_reset_that_comes_with_the_edge_is_shown_with_it() {
    let (_, t) = recorded("joint");
    assert_eq!(t.steps.iter().map(|s| s.joint).collect::<Vec<_>>(), [false, true, false]);
    let rst = t.signal("rst").expect("a signal");
    let changes: Vec<(u64, bool)> =
        t.moments.iter().enumerate().map(|(m, x)| (x.time, t.value(m, rst).bit(0))).collect();
    assert_eq!(changes, [(0, false), (5, false), (10, false), (15, true), (20, false), (25, false), (30, false)]);
}

#[test]
fn a_path_that_does_not_fail_is_refused() {
    let b = build(case("counter").text, Clocks::Ticks);
    let path = b.script(&[], &[&[], &[]]);
    assert!(Trace::new(&b.net, &b.sys, &b.sys.goals[0], &path).is_err());
    // A netlist that does something else is noticed, though the model is content.
    let other = build(&case("counter").text.replace("key[3]}", "!key[3]}"), Clocks::Ticks);
    let path = b.path(&b.sys.goals[0]);
    let said = Trace::new(&other.net, &b.sys, &b.sys.goals[0], &path).err().unwrap_or_default();
    assert!(said.contains("in the simulator and"), "{said}");
}

#[test]
fn a_long_trace_is_shown_without_its_middle() {
    let long = case("counter").text.replace("key == 4'b0110", "key == 0");
    let b = build(&long, Clocks::Ticks);
    let mut steps: Vec<&[(&str, u64)]> = vec![&[("en", 1), ("inc", 2)]; 60];
    steps[0] = &[("rst", 1)];
    steps[48] = &[("en", 1), ("inc", 150)];
    steps.truncate(50);
    let t = b.scripted(&[], &steps);
    for width in [40, 79, 120] {
        let table = text::write(&t, &b.sources, &text::Options { width, ..Default::default() });
        let longest = table.lines().skip(1).take(6).map(|l| l.chars().count()).max();
        assert!(longest <= Some(width), "{longest:?} of {width}:\n{table}");
        check(&format!("long_{width}.txt"), &table);
    }
    let coloured = text::Options { width: 60, colours: true, rows: 3 };
    check("colours.txt", &text::write(&t, &b.sources, &coloured));
}

#[test]
fn pictures_are_as_recorded() {
    for name in RECORDED {
        let (b, t) = recorded(name);
        check(&format!("{name}.svg"), &svg::write(&t, &b.sources, &Default::default()));
    }
}

#[test]
fn every_picture_is_well_formed() {
    for (name, b, t) in all() {
        for steps in [3, 40] {
            let text = svg::write(&t, &b.sources, &svg::Options { steps, rows: 5 });
            let mut open: Vec<String> = vec![];
            for tag in text.split('<').skip(1) {
                let (tag, _) = tag.split_once('>').expect("tags are closed");
                let word: String = tag.chars().take_while(|c| *c != ' ').collect();
                match word.strip_prefix('/') {
                    Some(end) => assert_eq!(open.pop().as_deref(), Some(end), "{name}"),
                    None if tag.ends_with('/') => {}
                    None => open.push(word),
                }
            }
            assert!(open.is_empty(), "{name}: {open:?}");
        }
    }
}

#[test]
fn save_files_and_benches_are_as_recorded() {
    let (b, t) = recorded("counter");
    check("counter.gtkw", &gtkw::write(&t, &b.sources, "counter.fst", 24));
    check("counter.vcd", &vcd::write(&t, &b.sources));
    let o = bench::Options { params: vec![("W".into(), "8".into())], files: vec!["a.sv".into()], ..Default::default() };
    check("counter_bench.sv", &bench::verilog(&t, &b.sources, &o));
    check("counter_bench.vhd", &bench::vhdl(&t, &b.sources, &o));
    let (b, t) = recorded("joint");
    check("joint_bench.sv", &bench::verilog(&t, &b.sources, &Default::default()));
}

/// A reader that shares nothing with the writer or with the reader of these tests.
#[test]
fn others_read_our_dumps() {
    for (name, b, t) in all() {
        let text = vcd::write(&t, &b.sources);
        let mut parser = ::vcd::Parser::new(text.as_bytes());
        let header = parser.parse_header().unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(header.timescale, Some((1, ::vcd::TimescaleUnit::NS)));
        for s in &t.signals {
            let path: Vec<&str> = [t.top.as_str()].into_iter().chain(s.name.split('.')).collect();
            let var = header.find_var(&path).unwrap_or_else(|| panic!("{name}: no {path:?}"));
            assert_eq!(var.size, s.width, "{name}: {}", s.name);
        }
        let times = parser.filter_map(|c| match c.unwrap_or_else(|e| panic!("{name}: {e}")) {
            ::vcd::Command::Timestamp(t) => Some(t),
            _ => None,
        });
        assert!(times.eq(t.moments.iter().map(|m| m.time)), "{name}");
    }
}

#[test]
fn a_compressed_waveform_holds_every_value() {
    for (name, _, t) in all() {
        let bytes = fst::write(&t).unwrap_or_else(|e| panic!("{name}: {e}"));
        let mut reader = FstReader::open(std::io::Cursor::new(bytes)).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(reader.get_header().timescale_exponent, -9);
        let (mut scopes, mut handles) = (Vec::<String>::new(), HashMap::new());
        let each = |e: FstHierarchyEntry| match e {
            FstHierarchyEntry::Scope { name, .. } => scopes.push(name),
            FstHierarchyEntry::UpScope => drop(scopes.pop()),
            FstHierarchyEntry::Var { name, handle, .. } => {
                let last = name.split(' ').next().unwrap_or("").to_string();
                handles.insert(scopes.iter().cloned().chain([last]).collect::<Vec<_>>().join("."), handle);
            }
            _ => {}
        };
        reader.read_hierarchy(each).expect("a hierarchy");
        let mut changes = HashMap::<usize, Vec<(u64, String)>>::new();
        let note = |time, handle: fst_reader::FstSignalHandle, value: FstSignalValue| {
            if let FstSignalValue::String(v) = value {
                changes.entry(handle.get_index()).or_default().push((time, String::from_utf8_lossy(v).into()));
            }
            Ok::<(), Infallible>(())
        };
        reader.read_signals(&FstFilter::all(), note).unwrap_or_else(|e| panic!("{name}: {e:?}"));
        for (s, signal) in t.signals.iter().enumerate() {
            let handle = &handles[&format!("{}.{}", t.top, signal.name)];
            for (m, moment) in t.moments.iter().enumerate() {
                let at = changes[&handle.get_index()].iter().rev().find(|c| c.0 <= moment.time);
                let want = t.value(m, s).to_binary();
                assert_eq!(at.map(|c| &c.1), Some(&want), "{name}: {} at {}", signal.name, moment.time);
            }
        }
    }
}

/// A loop: the model never grants, again and again.
#[test]
fn a_loop_is_marked() {
    let text = "module arbiter(input clk, input req, output logic [1:0] turn, output logic gnt);
  initial begin turn = 0; gnt = 0; end
  always_ff @(posedge clk) begin turn <= turn == 2 ? 1 : turn + 1; gnt <= req && turn == 3; end
  always_ff @(posedge clk) cover (gnt);
endmodule
";
    let mut b = build(text, Clocks::Ticks);
    let req = b.sys.inputs[0].lit;
    b.sys.goals[0].question = entail::model::Question::NotForever(vec![req]);
    let mut path = b.script(&[], &[&[("req", 1)], &[("req", 1)], &[]]);
    path.back_to = Some(1);
    let t = Trace::new(&b.net, &b.sys, &b.sys.goals[0], &path).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(t.ending, Ending::Repeats(1));
    check("loop.txt", &text::write(&t, &b.sources, &Default::default()));
    check("loop.svg", &svg::write(&t, &b.sources, &Default::default()));
    check("loop.gtkw", &gtkw::write(&t, &b.sources, "loop.vcd", 24));
    let d = dump::read(&vcd::write(&t, &b.sources));
    assert_eq!((0..3).map(|k| d.at("entail.repeats", k * STEP)).collect::<Vec<_>>(), [Some("0"), Some("1"), Some("1")]);
}

#[test]
fn a_cover_is_reached() {
    let text = case("falling").text.replace("assert (!(q == 4'hc && a == 4'h3))", "cover (q == 4'hc && a == 4'h3)");
    let b = build(&text, Clocks::Ticks);
    let t = b.trace_of(0);
    assert_eq!((t.ending, t.steps.len()), (Ending::Reached, 2));
}
