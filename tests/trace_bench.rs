//! The benches written for traces make the designs' own assertions fail in Icarus and in GHDL, and do not
//! once the bug is mended.

mod support_trace;

use entail::model::Clocks;
use entail::trace::bench;
use std::path::Path;
use std::process::Command;
use support_trace::designs::{CASES, Case};
use support_trace::{Language, build};

/// What a simulator says of a design under a bench, and whether it ended well.
fn simulate(dir: &Path, language: Language, design: &str, bench: &str) -> (String, bool) {
    let script = match language {
        Language::Verilog => {
            std::fs::write(dir.join("d.sv"), design).expect("write the design");
            std::fs::write(dir.join("b.sv"), bench).expect("write the bench");
            "iverilog -g2012 -s entail_bench -o b.vvp d.sv b.sv && timeout 20 vvp -n b.vvp"
        }
        Language::Vhdl => {
            std::fs::write(dir.join("d.vhd"), design).expect("write the design");
            std::fs::write(dir.join("b.vhd"), bench).expect("write the bench");
            "timeout 20 ghdl -c --std=08 d.vhd b.vhd -r entail_bench --assert-level=error"
        }
    };
    let run = Command::new("sh").args(["-c", script]).current_dir(dir).output().expect("a shell");
    let said = String::from_utf8_lossy(&run.stdout).into_owned() + &String::from_utf8_lossy(&run.stderr);
    (said, run.status.success())
}

fn fails(language: Language, said: &str) -> bool {
    match language {
        Language::Verilog => said.contains("ERROR: d.sv:"),
        Language::Vhdl => said.contains("(assertion error)"),
    }
}

fn run(c: &Case, clocks: Clocks) {
    let b = build(c.text, clocks);
    let t = b.trace_of(0);
    let dir = tempfile::tempdir().expect("a temporary directory");
    let language = Language::of(c.text);
    let text = match language {
        Language::Verilog => bench::verilog(&t, &b.sources, &Default::default()),
        Language::Vhdl => bench::vhdl(&t, &b.sources, &Default::default()),
    };
    let (said, _) = simulate(dir.path(), language, c.text, &text);
    assert!(fails(language, &said), "{}: the bug is not seen:\n{said}\n{text}", c.name);
    // It fails where the model says, and not before.
    let last = (t.steps.len() as u64 - 1) * entail::trace::STEP;
    let times: Vec<u64> = match language {
        Language::Verilog => {
            said.lines().filter_map(|l| l.trim().strip_prefix("Time: ")?.split(' ').next()?.parse().ok()).collect()
        }
        Language::Vhdl => said
            .lines()
            .filter_map(|l| l.split_once(":@")?.1.split_once("ns:(assertion error)")?.0.parse().ok())
            .collect(),
    };
    assert!(times.first().is_some_and(|t| *t >= last), "{}: {times:?}, not {last}:\n{said}\n{text}", c.name);
    let (said, well) = simulate(dir.path(), language, &c.fixed(), &text);
    assert!(well && !fails(language, &said), "{}: the mended design fails:\n{said}\n{text}", c.name);
    assert!(said.contains("entail: end of the trace"), "{}: {said}", c.name);
}

#[test]
fn a_seeded_bug_is_seen_in_other_simulators_too() {
    for c in CASES {
        run(c, Clocks::Ticks);
    }
}

#[test]
fn so_it_is_where_clocks_are_levels() {
    for c in CASES {
        run(c, Clocks::Levels);
    }
}
