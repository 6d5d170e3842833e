//! Every design of `designs/tops.txt`, with and without its seeded bugs, behaves as gates exactly as
//! Verilator says the text does: 10,000 random cycles after reset.
//!
//! Of the many multipliers a selection is run that has every pair of neighbouring choices;
//! `ENTAIL_COSIM_FULL=1` runs all. `ENTAIL_COSIM_SEED` sets another seed than the fixed one.

mod support_cosim;

use fastrand::Rng;
use rayon::prelude::*;
use std::collections::HashSet;
use std::path::Path;
use std::sync::LazyLock;
use support_cosim::design::Design;
use support_cosim::{Run, mutate};

/// Clocks and resets by top; all resets of our designs are active low. Tops not named have none.
const DRIVE: &[(&str, &[&str], &[&str])] = &[
    ("async_fifo", &["wclk", "rclk"], &["wrst_n", "rrst_n"]),
    ("two_flop", &["src_clk", "dst_clk"], &["src_rst_n", "dst_rst_n"]),
    ("pulse_sync", &["src_clk", "dst_clk"], &["src_rst_n", "dst_rst_n"]),
    ("handshake", &["src_clk", "dst_clk"], &["src_rst_n", "dst_rst_n"]),
    ("mux_enable", &["src_clk", "dst_clk"], &["src_rst_n", "dst_rst_n"]),
    ("reset_sync", &["clk"], &["arst_n"]),
    ("arbiter", &["clk"], &["rst_n"]),
    ("alu", &["clk"], &["rst_n"]),
    ("uart", &["clk"], &["rst_n"]),
    ("uart_tx", &["clk"], &["rst_n"]),
    ("uart_rx", &["clk"], &["rst_n"]),
    ("mult_check", &["clk"], &[]),
    ("cam", &["clk"], &[]),
    ("stall_pipe", &["clk"], &[]),
    ("mem_unit", &["clk"], &[]),
    ("div", &["clk"], &["rst_n"]),
    ("bus_top", &["clk"], &["rst_n"]),
];

/// The lines of `tops.txt`.
fn tops() -> Vec<Design> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("designs");
    let text = std::fs::read_to_string(folder.join("tops.txt")).expect("designs/tops.txt");
    let lines = text.lines().map(|l| l.split('#').next().unwrap_or("").trim()).filter(|l| !l.is_empty());
    lines
        .map(|line| {
            let mut words = line.split_whitespace();
            let list = words.next().expect("a list");
            let top = words.next().expect("a top").to_string();
            let pair = |w: &str| w.split_once('=').map(|(n, v)| (n.to_string(), v.to_string()));
            let params = words.map(|w| pair(w).expect("PARAM=VALUE")).collect();
            let none: (&str, &[&str], &[&str]) = ("", &[], &[]);
            let (_, clocks, resets) = DRIVE.iter().find(|(t, ..)| *t == top).unwrap_or(&none);
            Design {
                words: vec!["-f".to_string(), folder.join(list).display().to_string()],
                top,
                params,
                clocks: clocks.to_vec(),
                resets: resets.iter().map(|r| (*r, false)).collect(),
                reset_every: 400,
                least: [95, 100, 100],
                ..Design::default()
            }
        })
        .collect()
}

/// Leaves out a multiplier when every pair of neighbouring choices it has was seen before.
fn selection(designs: Vec<Design>) -> Vec<Design> {
    let mut seen = HashSet::new();
    let mut keep = |d: &Design| {
        if d.top != "mult" {
            return true;
        }
        let value = |name: &str| d.params.iter().find(|(n, _)| n == name).map(|(_, v)| v.clone());
        let pairs = [("SIGNED", "PP"), ("PP", "TREE"), ("TREE", "ADDER"), ("WIDTH", "WIDTH")];
        pairs.map(|(a, b)| seen.insert((a, value(a), value(b)))).contains(&true)
    };
    designs.into_iter().filter(|d| keep(d)).collect()
}

/// One model serves all tests here: building it takes most of the time.
static RUN: LazyLock<Run> = LazyLock::new(|| {
    let mut designs = tops();
    assert!(designs.len() > 150, "only {} lines of tops.txt were understood", designs.len());
    if std::env::var_os("ENTAIL_COSIM_FULL").is_none() {
        designs = selection(designs);
    }
    let seed = std::env::var("ENTAIL_COSIM_SEED").ok().map_or(1, |s| s.parse().expect("a number"));
    Run::new(designs, seed)
});

#[test]
fn the_gates_of_every_design_do_what_verilator_says() {
    RUN.check();
}

/// A comparison that cannot fail shows nothing. Some mistakes cannot be seen (redundant logic, the
/// needle of a seeded bug), so not all must be.
#[test]
fn a_mistake_in_one_gate_is_noticed() {
    let tried: Vec<Option<(String, bool)>> = RUN
        .designs
        .par_iter()
        .enumerate()
        .map(|(i, (design, net))| {
            let mut rng = Rng::with_seed(RUN.seed.wrapping_add(i as u64));
            let (gate, mutant) = mutate::mutant(net, &mut rng)?;
            let noticed = RUN.compare(i, &mutant).mismatch.is_some();
            Some((format!("{} gate {}", design.name(), gate.0), noticed))
        })
        .collect();
    let tried: Vec<(String, bool)> = tried.into_iter().flatten().collect();
    let missed: Vec<&str> = tried.iter().filter(|(_, noticed)| !noticed).map(|(name, _)| name.as_str()).collect();
    println!("{} of {} mistakes were noticed; not: {missed:#?}", tried.len() - missed.len(), tried.len());
    assert!(
        tried.len() > 100 && missed.len() * 10 <= tried.len(),
        "{} of {} mistakes were missed",
        missed.len(),
        tried.len()
    );
}
