//! Traces of counterexamples: what they hold, and that every writer says the same.
//!
//! Snapshots lie in `tests/snapshots/trace`. After a wanted change run with `UPDATE_SNAPSHOTS=1`, and read
//! the difference.

mod support_trace;

use entail::model::Clocks;
use entail::trace::{STEP, Trace, text, vcd};
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
