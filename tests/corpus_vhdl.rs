//! Public VHDL that is not ours: the parts of the Microwatt processor elaborate, and their netlists do what
//! GHDL makes of the same text: its synthesis where it can, its simulator where it cannot.
//!
//! Runs only when `ENTAIL_CORPUS` names the folder that `scripts/corpus.sh` fills (`make corpus` sets
//! it); otherwise each test says that it does nothing.

mod support_bundled;
mod support_corpus;
mod support_equiv;

use entail::net::sim::{Fill, Sim, SimOptions};
use entail::word::Bits;
use fastrand::Rng;
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use support_bundled::{Top, random_bits};
use support_corpus::corpus_folder;
use support_corpus::flat::{Bench, Leaf, Port};
use support_equiv::miter::pair;
use support_equiv::prove::{Verdict, prove};
use support_equiv::reference::gold;
use support_equiv::simulate::simulate;

/// What the core is made of, in an order in which GHDL can read it.
const CORE: &str = "utils helpers decode_types common wishbone_types insn_helpers crhelpers ppc_fx_insns cache_ram \
                    plrufn nonrandom predecode multiply multiply-32s countbits rotator logical divider pmu cr_file \
                    register_file control fetch1 icache decode1 decode2 mmu dcache loadstore1 execute1 fpu writeback \
                    core_debug core";

/// The files of the core, and a list of them in a folder of ours.
fn files(corpus: &Path, lists: &Path) -> (Vec<PathBuf>, String) {
    let wheel = "pythondata_cpu_microwatt";
    let folder = corpus.join(wheel).join(wheel).join("vhdl");
    let files: Vec<PathBuf> = CORE.split_whitespace().map(|f| folder.join(format!("{f}.vhdl"))).collect();
    let list = lists.join("core.f");
    let lines: Vec<String> = files.iter().map(|f| f.display().to_string()).collect();
    std::fs::write(&list, lines.join("\n") + "\n").expect("written");
    (files, list.display().to_string())
}

fn top(list: &str, name: &str) -> Top {
    Top { list: list.to_string(), name: name.to_string(), generics: vec![] }
}

#[test]
fn every_part_of_microwatt_elaborates() {
    let Some(corpus) = corpus_folder() else { return };
    let lists = tempfile::tempdir().expect("a temporary folder");
    let (_, list) = files(&corpus, lists.path());
    let parts = "cache_ram plrufn random predecoder multiply short_multiply multiply_32s bit_counter rotator logical \
                 divider pmu cr_file register_file control fetch1 icache decode1 decode2 mmu dcache loadstore1 execute1 \
                 fpu writeback core_debug core";
    parts.split_whitespace().for_each(|name| {
        let (net, _) = top(&list, name).netlist();
        println!("{name}: {} inputs, {} outputs", net.inputs.len(), net.outputs.len());
        assert!(!net.outputs.is_empty(), "{name} has outputs");
    });
}

/// How far a comparison with GHDL's synthesis goes.
#[derive(Clone, Copy, PartialEq)]
enum How {
    Proof,
    /// 10,000 cycles, of which GHDL knows this share of the output bits.
    Cycles(f64),
}

/// Parts that GHDL synthesises. No proof: where an output is open (the log of a core without one),
/// or there is a multiplier.
const PARTS: [(&str, How); 8] = [
    ("bit_counter", How::Proof),
    ("rotator", How::Proof),
    ("logical", How::Proof),
    ("divider", How::Proof),
    ("control", How::Proof),
    ("short_multiply", How::Cycles(0.9)),
    ("multiply_32s", How::Cycles(0.9)),
    ("cr_file", How::Cycles(0.7)),
];

#[test]
fn parts_of_microwatt_are_equivalent_to_ghdls_netlists() {
    let Some(corpus) = corpus_folder() else { return };
    let lists = tempfile::tempdir().expect("a temporary folder");
    let (_, list) = files(&corpus, lists.path());
    let compare = |(name, how): &(&str, How)| {
        let top = top(&list, name);
        let (net, sources) = top.netlist();
        let scratch = tempfile::tempdir().expect("a temporary folder");
        let gold = gold(scratch.path(), &top).map_err(|e| format!("{name}: {e}"))?;
        let pair = pair(&top, &gold, &net, &sources).map_err(|e| format!("{name}: {e}"))?;
        match how {
            How::Proof => match prove(&pair, 120) {
                Verdict::Equal => Ok(format!("{name}: proved")),
                other => Err(format!("{name}: {other:?}")),
            },
            How::Cycles(least) => match simulate(&pair, &net, 1) {
                Ok(known) if known >= *least => Ok(format!("{name}: {:.1}% of output bits known", known * 100.0)),
                other => Err(format!("{name}: {other:?}")),
            },
        }
    };
    let results: Vec<Result<String, String>> = PARTS.par_iter().map(compare).collect();
    for line in results.iter().flatten() {
        println!("{line}");
    }
    let wrong: Vec<String> = results.into_iter().filter_map(Result::err).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The ports of the multiplier, with widths. As gates it is too much for Icarus.
const MULTIPLY: &[&str] = &[
    "clk : std_ulogic",
    "m_in : MultiplyInputType = valid data1:64 data2:64 addend:128 is_signed subtract",
    "m_out : MultiplyOutputType = valid result:128 overflow",
];

/// The ports of the floating-point unit. GHDL 2.0 does not synthesise it.
const FPU: &[&str] = &[
    "clk : std_ulogic",
    "rst : std_ulogic",
    "flush_in : std_ulogic",
    "e_in : Execute1ToFPUType = valid op:6:insn_type_t nia:64 itag.tag:2 itag.valid insn:32 single is_signed fe_mode:2 \
     fra:64 frb:64 frc:64 valid_a valid_b valid_c frt:6 rc m32b out_cr oe xerc.ca xerc.ca32 xerc.ov xerc.ov32 xerc.so stall",
    "e_out : FPUToExecute1Type = busy f2stall exception",
    "w_out : FPUToWritebackType = valid interrupt instr_tag.tag:2 instr_tag.valid write_enable write_reg:6 write_data:64 \
     write_cr_enable write_cr_mask:8 write_cr_data:32 write_xerc xerc.ca xerc.ca32 xerc.ov xerc.ov32 xerc.so intr_vec:12 \
     srr1:16",
];

const CYCLES: usize = 10_000;
/// So many of them are a reset.
const RESET: usize = 8;
/// What the floating-point unit can do.
const OPERATIONS: [&str; 7] = ["OP_FP_ARITH", "OP_FP_CMP", "OP_FP_MISC", "OP_FP_MOVE", "OP_DIV", "OP_DIVE", "OP_MOD"];

/// Position of a literal of an enumeration, read off its declaration.
fn position(text: &str, mark: &str, literal: &str) -> usize {
    let body = &text[text.find(&format!("type {mark} is")).expect("the type")..];
    let body = &body[body.find('(').expect("literals") + 1..body.find(");").expect("an end")];
    let lines: Vec<&str> = body.lines().map(|l| l.split("--").next().expect("a part")).collect();
    let joined = lines.concat();
    joined.split(',').position(|l| l.trim() == literal).unwrap_or_else(|| panic!("{literal} in {mark}"))
}

/// A double: the interesting ones more often than chance has them.
fn double(rng: &mut Rng) -> u64 {
    let exponents = [0, 1, 2046, 2047, 1023, 1022, 1023 + 52, 1023 - 149, 1023 - 126, 1023 + 127];
    let exponent = if rng.bool() { exponents[rng.usize(..exponents.len())] } else { rng.u64(950..1100) };
    let mantissa = [0, 1, (1 << 52) - 1, 1 << 51, rng.u64(..1 << 52), rng.u64(..1 << 24) << 28, rng.u64(..8) << 49];
    rng.u64(..2) << 63 | exponent << 52 | mantissa[rng.usize(..mantissa.len())]
}

fn binary(value: u64, width: usize) -> String {
    let text = format!("{value:0width$b}");
    text[text.len() - width..].to_string()
}

/// What an element of a unit's input becomes before a cycle; `None` leaves it as it was.
fn drive(leaf: &Leaf, operations: &[usize], rng: &mut Rng) -> Option<String> {
    let name = leaf.path.rsplit('.').next().expect("a name");
    let sometimes = |one_in: u32, rng: &mut Rng| Some(binary(u64::from(rng.u32(..one_in) == 0), 1));
    match name {
        _ if leaf.path == "e_in.valid" => sometimes(6, rng),
        "flush_in" => sometimes(200, rng),
        "stall" => sometimes(8, rng),
        "op" => Some(binary(operations[rng.usize(..operations.len())] as u64, leaf.width)),
        "fra" | "frb" | "frc" if rng.u32(..4) == 0 => Some(random_bits(64, rng)),
        "fra" | "frb" | "frc" => Some(binary(double(rng), 64)),
        _ => Some(random_bits(leaf.width, rng)).filter(|_| rng.u32(..3) > 0),
    }
}

/// Runs a unit beside GHDL's simulator; the steps in which a bit of the outputs, by its place, was 1.
fn beside_ghdl(corpus: &Path, name: &str, ports: &[&str], valid: usize) -> usize {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let (files, list) = files(corpus, dir.path());
    let (net, _) = top(&list, name).netlist();
    let types = std::fs::read_to_string(&files[2]).expect("decode_types");
    let operations: Vec<usize> = OPERATIONS.iter().map(|n| position(&types, "insn_type_t", n)).collect();
    let ports: Vec<Port> = ports.iter().map(|l| Port::parse(l)).collect();
    let bench = Bench { files: &files, top: name, packages: &["common", "decode_types"], ports: &ports };
    let leaves: Vec<&Leaf> = bench.sorted(&net, true).into_iter().flat_map(|p| &p.leaves).collect();
    let mut rng = Rng::with_seed(1);
    let mut now: Vec<String> = leaves.iter().map(|l| "0".repeat(l.width)).collect();
    let clock = leaves.iter().position(|l| l.path == "clk").expect("a clock");
    let mut lines = vec![];
    for cycle in 0..CYCLES {
        // Data or the clock change, never both, so that no race decides.
        for (leaf, value) in leaves.iter().zip(&mut now) {
            let new = match leaf.path.as_str() {
                "clk" => None,
                "rst" => Some(binary(u64::from(cycle < RESET || rng.u32(..2000) == 0), 1)),
                _ => drive(leaf, &operations, &mut rng),
            };
            *value = new.unwrap_or_else(|| value.clone());
        }
        for level in ["0", "1", "0"] {
            now[clock] = level.to_string();
            lines.push(now.concat());
        }
    }
    let expect = bench.run(&net, &lines, dir.path());

    // What depends on how registers start is not compared: GHDL takes the unknown for false in conditions.
    let start = |seed| SimOptions { init: Fill::Random(seed), frees: Fill::Random(seed), ..SimOptions::default() };
    let mut sims = [1, 2, 3].map(|seed| Sim::<u64>::new(&net, start(seed)));
    let (mut known, mut all, mut results) = (0, 0, 0);
    for (step, (line, want)) in lines.iter().zip(&expect).enumerate() {
        let outputs = sims.each_mut().map(|sim| {
            let mut from = 0;
            for (k, port) in net.inputs.iter().enumerate() {
                let value = &line[from..from + port.bits.len()];
                sim.set_input_bits(k, 0, &Bits::from_bits(value.bytes().rev().map(|c| c == b'1')));
                from += port.bits.len();
            }
            if step == 0 {
                sim.prime();
            }
            sim.settle().expect("settles");
            (0..net.outputs.len()).map(|o| sim.output_bits(o, 0).to_binary()).collect::<String>()
        });
        let [got, others @ ..] = &outputs;
        assert_eq!(got.len(), want.len(), "{name}: bits of all outputs");
        if step < 3 * RESET {
            continue;
        }
        let bit = |text: &str, b: usize| text.as_bytes()[b];
        let sure = |b: &usize| bit(want, *b) != b'x' && others.iter().all(|o| bit(o, *b) == bit(got, *b));
        let compared: Vec<usize> = (0..got.len()).filter(sure).collect();
        let wrong: Vec<usize> = compared.iter().copied().filter(|&b| bit(got, b) != bit(want, b)).collect();
        assert!(wrong.is_empty(), "{name}, step {step}, bits {wrong:?}:\nghdl   {want}\nentail {got}");
        all += got.len();
        known += compared.len();
        results += usize::from(step % 3 == 1 && bit(want, valid) == b'1');
    }
    println!("{name}: {:.1}% of output bits compared, {results} results", 100.0 * known as f64 / all as f64);
    assert!(known * 10 >= all * 9, "{name}: the comparison says little");
    results
}

#[test]
fn the_multiplier_of_microwatt_does_what_ghdl_simulates() {
    let Some(corpus) = corpus_folder() else { return };
    assert!(beside_ghdl(&corpus, "multiply", MULTIPLY, 0) > 1000, "few results");
}

#[test]
fn the_floating_point_unit_of_microwatt_does_what_ghdl_simulates() {
    let Some(corpus) = corpus_folder() else { return };
    assert!(beside_ghdl(&corpus, "fpu", FPU, 3) > 200, "few results");
}
