//! Damaged source text never makes entail panic, hang, or give up without an error.
//!
//! `ENTAIL_MUTATIONS` sets how many texts, `ENTAIL_SEED` repeats a run. A failure is shrunk and saved in
//! `tests/failures`.

mod support;

use std::path::Path;
use std::time::Duration;
use support::expr::Dialect;
use support::expr_batch::Batch;
use support::gen_module::Design;
use support::mutate::{LIMIT, SYSTEM_VERILOG, bounded, campaign, corpus, verdict};
use support::mutate_vhdl::{VHDL, texts as vhdl_texts};
use support::seed;

/// The designs of the project and some generated ones, which have more of the language in them.
fn texts(seed: u64) -> Vec<String> {
    let mut texts = corpus(&Path::new(env!("CARGO_MANIFEST_DIR")).join("designs"));
    assert!(!texts.is_empty(), "no designs found");
    // A long text takes long to parse and its damage is easily overlooked.
    texts.retain(|t| t.len() < 25_000);
    let dialect = Dialect { icarus: false, verilator: true, wild: false };
    for k in 0..20 {
        texts.push(Design::random(seed.wrapping_add(k), "m", dialect).text());
        let batch = Batch::random(seed.wrapping_add(k), 10, dialect);
        let items: Vec<_> = batch.items.iter().cloned().enumerate().collect();
        texts.push(batch.dut("dut", &items, 0, 1).text);
    }
    texts
}

#[test]
fn damaged_text_gets_an_answer() {
    let seed = seed();
    campaign(&SYSTEM_VERILOG, &texts(seed), seed, 500);
}

#[test]
fn damaged_vhdl_gets_an_answer() {
    let seed = seed();
    campaign(&VHDL, &vhdl_texts(), seed, 300);
}

/// Or the tests above would pass whatever entail does.
#[test]
fn the_harness_notices_panics_and_hangs() {
    let panics = bounded(LIMIT, || panic!("seen in line 12"));
    assert_eq!(panics.as_deref(), Some("panicked: seen in line ##"));
    let hangs = bounded(Duration::from_millis(200), || {
        std::thread::sleep(Duration::from_secs(5));
        None
    });
    assert_eq!(hangs.as_deref(), Some("no answer in time"));
    let inverter = "module top(input logic a, output logic y);\n  assign y = ~a;\nendmodule\n";
    assert_eq!(verdict(&SYSTEM_VERILOG, inverter, LIMIT), None);
    let inverter = "entity top is port (a : in bit; y : out bit); end;\n\
                    architecture rtl of top is begin y <= not a; end;\n";
    assert_eq!(verdict(&VHDL, inverter, LIMIT), None);
    // Without an entity, and with an error in it.
    assert_eq!(verdict(&VHDL, "", LIMIT), None);
    assert_eq!(verdict(&VHDL, &inverter.replace("not a", "not b"), LIMIT), None);
}
