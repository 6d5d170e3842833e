//! The netlists of the bundled VHDL designs are equivalent to those that GHDL's own synthesis makes
//! of the same text: proved by SAT from reset on for all inputs and clocks, or, where no proof is found in
//! time, for 10,000 random cycles.
//!
//! Of the designs in `designs/vhdl/tops.txt` a selection is compared; `ENTAIL_EQUIV_FULL=1` compares
//! all, `ENTAIL_EQUIV_ONLY` those whose line contains a text. The tools are installed by `make test`; a
//! missing one fails the test.

mod support_bundled;
mod support_equiv;

use rayon::prelude::*;
use std::time::Instant;
use support_bundled::{Top, tops};
use support_equiv::Pair;
use support_equiv::miter::pair;
use support_equiv::prove::{Verdict, prove};
use support_equiv::reference::gold;
use support_equiv::simulate::simulate;

/// Proofs that are found at all are found in a few seconds.
const SECONDS: u32 = 30;

/// Both sides of a design; `Err` if GHDL cannot synthesise it.
fn both(reference: &Top, ours: &Top) -> Result<(Pair, entail::net::Netlist), String> {
    let (net, sources) = ours.netlist();
    let scratch = tempfile::tempdir().expect("a temporary folder");
    let gold = gold(scratch.path(), reference)?;
    // Other ports are a difference, not a reason to leave a design out.
    let pair = pair(ours, &gold, &net, &sources).unwrap_or_else(|e| panic!("{}: {e}", ours.label()));
    Ok((pair, net))
}

/// How a design was compared.
enum Row {
    Proved,
    Simulated(f64),
    NotSynthesised(String),
    Differs(String),
}

fn compare(top: &Top) -> Row {
    let (pair, net) = match both(top, top) {
        Ok(both) => both,
        Err(e) => return Row::NotSynthesised(e),
    };
    match prove(&pair, SECONDS) {
        Verdict::Equal => Row::Proved,
        Verdict::Differs(how) => Row::Differs(format!("{how}; the files are in {}", pair.dir.keep().display())),
        Verdict::Open(_) => match simulate(&pair, &net, 1) {
            Ok(known) => Row::Simulated(known),
            Err(how) => Row::Differs(format!("{how}; the files are in {}", pair.dir.keep().display())),
        },
    }
}

#[test]
fn every_vhdl_netlist_is_equivalent_to_ghdls() {
    let full = std::env::var("ENTAIL_EQUIV_FULL").is_ok();
    let only = std::env::var("ENTAIL_EQUIV_ONLY").unwrap_or_default();
    // Every third, as in the test beside GHDL's simulator, but not the same ones; and not the widest
    // multipliers, with which Yosys takes longest.
    let chosen = |n: usize, t: &Top| full || n % 3 == 1 && !t.label().contains("WIDTH=32");
    let all = tops();
    let some = all.iter().enumerate().filter(|(n, t)| chosen(*n, t) && t.label().contains(&only));
    let tops: Vec<&Top> = some.map(|(_, t)| t).collect();
    let timed = |top: &&Top| {
        let start = Instant::now();
        (top.label(), compare(top), start.elapsed().as_secs_f64())
    };
    let rows: Vec<(String, Row, f64)> = tops.par_iter().map(timed).collect();
    for (label, row, seconds) in &rows {
        let how = match row {
            Row::Proved => "SAT".to_string(),
            Row::Simulated(known) => format!("10,000 cycles, {:.1}% of output bits known", known * 100.0),
            Row::NotSynthesised(why) => format!("not synthesised by GHDL: {}", why.lines().next().unwrap_or("")),
            Row::Differs(how) => format!("DIFFERENT: {how}"),
        };
        println!("{label:54} {seconds:5.1} s  {how}");
    }
    let count = |f: fn(&Row) -> bool| rows.iter().filter(|r| f(&r.1)).count();
    println!(
        "{} designs: {} by SAT, {} by 10,000 cycles, {} that GHDL cannot synthesise",
        rows.len(),
        count(|r| matches!(r, Row::Proved)),
        count(|r| matches!(r, Row::Simulated(_))),
        count(|r| matches!(r, Row::NotSynthesised(_)))
    );
    let wrong: Vec<&String> = rows.iter().filter(|r| matches!(r.1, Row::Differs(_))).map(|r| &r.0).collect();
    assert!(wrong.is_empty(), "netlists that differ from GHDL's; see above: {wrong:#?}");
    for (label, row, _) in &rows {
        assert!(!matches!(row, Row::Simulated(known) if *known < 0.9), "{label}: the simulation says little");
    }
    // Or a change of GHDL could make this test about nothing.
    assert!(count(|r| matches!(r, Row::Proved)) * 10 >= rows.len() * 8, "few designs are proved");
}

/// Designs and seeded bugs that change what they do: a clock, a reset, a data path, arithmetic; and whether
/// random runs see it. They reset everything at once, so they do not see which reset a register has.
const DIFFERENT: [(&str, &str, bool); 5] = [
    ("async_fifo/async_fifo.f async_fifo WIDTH=4 DEPTH_LOG2=2", "BUG=4", true),
    ("async_fifo/async_fifo.f async_fifo WIDTH=4 DEPTH_LOG2=2", "BUG=5", false),
    ("router/router.f router WIDTH=4 FIFO=true", "BUG=7", true),
    ("mult/mult.f mult WIDTH=8 SIGN=true TREE=true", "BUG=1", true),
    ("div/div.f div WIDTH=4", "BUG=1", true),
];

/// Or the test above would pass whatever entail does.
#[test]
fn a_wrong_netlist_is_found_by_proof_and_by_simulation() {
    for (line, bug, runs) in DIFFERENT {
        let (right, wrong) = (Top::parse(line), Top::parse(&format!("{line} {bug}")));
        let (pair, net) = both(&right, &wrong).expect("GHDL synthesises it");
        let verdict = prove(&pair, 60);
        assert!(matches!(verdict, Verdict::Differs(_)), "{line}: the proof misses {bug}: {verdict:?}");
        let found = simulate(&pair, &net, 1);
        let step = found.as_ref().is_err_and(|e| e.contains("step "));
        assert_eq!(step, runs, "{line}: what simulation says about {bug}: {found:?}");
    }
}

/// One gate of ours, inverted in the text that the tools read.
#[test]
fn an_inverted_gate_is_found() {
    let top = Top::parse("uart/uart.f uart_tx DIVISOR=4");
    let (pair, net) = both(&top, &top).expect("GHDL synthesises it");
    assert_eq!(prove(&pair, 60), Verdict::Equal);
    assert!(simulate(&pair, &net, 1).is_ok_and(|known| known > 0.9));
    let file = pair.dir.path().join("gate.v");
    let text = std::fs::read_to_string(&file).expect("written");
    let gates: Vec<usize> = text.match_indices(" ? ").map(|(at, _)| at).collect();
    let at = gates[gates.len() / 2];
    std::fs::write(&file, format!("{} == 0{}", &text[..at], &text[at..])).expect("written");
    let verdict = prove(&pair, 60);
    assert!(matches!(verdict, Verdict::Differs(_)), "the proof misses it: {verdict:?}");
    assert!(simulate(&pair, &net, 1).is_err(), "simulation misses it");
}
