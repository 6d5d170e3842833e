//! Damaged source text never makes entail panic, hang, or give up without an error.
//!
//! `ENTAIL_MUTATIONS` sets how many texts, `ENTAIL_SEED` repeats a run. A failure is shrunk and saved in
//! `tests/failures`.

mod support;

use fastrand::Rng;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use support::expr::Dialect;
use support::expr_batch::Batch;
use support::gen_module::Design;
use support::mutate::{LIMIT, bounded, corpus, mutate, reduce, verdict};
use support::{save, seed, setting};

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
    let count = setting("ENTAIL_MUTATIONS", 500) as usize;
    let texts = texts(seed);
    // A stack overflow ends the process; then the text that did it is in one of these files.
    let folder = std::env::temp_dir().join(format!("entail-mutations-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    println!("texts under test are kept in {}", folder.display());
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(vec![]);
    std::thread::scope(|s| {
        for worker in 0..2 {
            let (next, failures, texts, folder) = (&next, &failures, &texts, &folder);
            s.spawn(move || {
                loop {
                    let k = next.fetch_add(1, Ordering::Relaxed);
                    if k >= count || failures.lock().expect("no worker panics").len() >= 4 {
                        break;
                    }
                    let mut rng = Rng::with_seed(seed.wrapping_add(k as u64));
                    let (a, b) = (rng.usize(0..texts.len()), rng.usize(0..texts.len()));
                    let text = mutate(&mut rng, &texts[a], &texts[b]);
                    std::fs::write(folder.join(format!("{worker}.sv")), &text).expect("keep the text");
                    let Some(wrong) = verdict(&text, LIMIT) else { continue };
                    let small = reduce(text, &wrong);
                    let path = save(&format!("mutation-{seed}-{k}.sv"), &small);
                    failures
                        .lock()
                        .expect("no worker panics")
                        .push(format!("{wrong}\nsaved as {}\n{small}", path.display()));
                }
            });
        }
    });
    let _ = std::fs::remove_dir_all(&folder);
    let failures = failures.into_inner().expect("no worker panics");
    assert!(
        failures.is_empty(),
        "{} texts fail; repeat with ENTAIL_SEED={seed}\n{}",
        failures.len(),
        failures.join("\n\n")
    );
}

/// Or the test above would pass whatever entail does.
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
    assert_eq!(verdict(inverter, LIMIT), None);
}
