//! Public RTL that is not ours: every module elaborates, and processors behave as in Verilator.
//!
//! Runs only when `ENTAIL_CORPUS` names the folder that `scripts/corpus.sh` fills (`make corpus`
//! sets it); otherwise each test says that it does nothing.

mod support_corpus;
mod support_cosim;

use std::path::{Path, PathBuf};
use support_corpus::corpus_folder;
use support_cosim::design::{Design, Hint};
use support_cosim::{Run, corpus};

const SEED: u64 = 1;

#[test]
fn every_module_of_the_corpus_elaborates_or_is_refused_for_a_good_reason() {
    let Some(folder) = corpus_folder() else { return };
    let temporary = tempfile::tempdir().expect("a temporary folder");
    let lists = std::env::var_os("ENTAIL_CORPUS_LISTS").map_or(temporary.path().to_path_buf(), PathBuf::from);
    let rows = corpus::survey(&folder, &lists);
    let table = corpus::markdown(&rows, &folder);
    println!("{table}");
    if let Some(path) = std::env::var_os("ENTAIL_CORPUS_TABLE") {
        std::fs::write(&path, &table).unwrap_or_else(|e| panic!("cannot write {}: {e}", path.display()));
    }
    let all = corpus::count(&rows, |_| true);
    assert!(all.legal >= 400, "only {} legal tops: the corpus is not complete", all.legal);
    assert_eq!((all.wrong, all.crashed), (0, 0), "wrong errors, panics and timeouts; see the table above");
    assert!(all.elaborated * 100 >= all.legal * 95, "{} of {} legal tops elaborated", all.elaborated, all.legal);
}

/// Words for the files of a wheel.
fn words(folder: &Path, wheel: &str, words: &[&str]) -> Vec<String> {
    let root = folder.join(wheel).join(wheel);
    let absolute = |w: &str| match w.strip_prefix("+incdir+") {
        Some(path) => format!("+incdir+{}", root.join(path).display()),
        None if w.starts_with(['+', '-']) => w.to_string(),
        None => root.join(w).display().to_string(),
    };
    words.iter().map(|w| absolute(w)).collect()
}

/// One design for each list of parameters, written `A=1 B=2`.
fn variants(base: &Design, params: &[&str]) -> Vec<Design> {
    let pair = |w: &str| w.split_once('=').map(|(n, v)| (n.to_string(), v.to_string())).expect("A=B");
    let variant = |p: &&str| Design { params: p.split_whitespace().map(pair).collect(), ..base.clone() };
    params.iter().map(variant).collect()
}

#[test]
fn picorv32_as_gates_does_what_verilator_says() {
    let Some(folder) = corpus_folder() else { return };
    let base = Design {
        words: words(&folder, "pythondata_cpu_picorv32", &["verilog/picorv32.v"]),
        top: "picorv32".to_string(),
        clocks: vec!["clk"],
        resets: vec![("resetn", false)],
        // A random program soon traps, and only a reset helps.
        reset_every: 60,
        hints: vec![("mem_rdata", Hint::Instruction), ("pcpi_wait", Hint::Often(16)), ("pcpi_ready", Hint::Often(16))],
        // Registers that are not in use are assigned x, and three-valued simulation never loses it.
        x_is_zero: true,
        least: [15, 15, 100],
        ..Design::default()
    };
    let mut designs = variants(
        &base,
        &[
            "",
            "ENABLE_MUL=1 ENABLE_DIV=1 BARREL_SHIFTER=1",
            "COMPRESSED_ISA=1 ENABLE_REGS_DUALPORT=0 TWO_STAGE_SHIFT=0",
            "ENABLE_IRQ=1 ENABLE_TRACE=1 ENABLE_FAST_MUL=1 TWO_CYCLE_ALU=1",
            "CATCH_MISALIGN=0 ENABLE_COUNTERS=0 LATCHED_MEM_RDATA=1",
            "CATCH_ILLINSN=0",
            "ENABLE_REGS_16_31=0 ENABLE_REGS_DUALPORT=0",
            "ENABLE_PCPI=1 TWO_CYCLE_COMPARE=1 ENABLE_COUNTERS64=0 REGS_INIT_ZERO=1",
        ],
    );
    let axi =
        Design { top: "picorv32_axi".to_string(), hints: vec![("mem_axi_rdata", Hint::Instruction)], ..base.clone() };
    designs.push(axi);
    // The second read port has a 5-bit address for 16 words. Beyond them IEEE 1800 (7.4.6) reads x,
    // which is a free value here; Verilator 5.006 drops the upper bit instead.
    let wraps = Design { x_is_zero: false, least: [20; 3], ..base };
    designs.extend(variants(&wraps, &["ENABLE_REGS_16_31=0"]));
    Run::new(designs, SEED).check();
}

#[test]
fn serv_as_gates_does_what_verilator_says() {
    let Some(folder) = corpus_folder() else { return };
    let base = Design {
        words: words(&folder, "pythondata_cpu_serv", &["+libext+.v", "-y", "verilog/rtl", "verilog/rtl/serv_rf_top.v"]),
        top: "serv_rf_top".to_string(),
        clocks: vec!["clk"],
        resets: vec![("i_rst", true)],
        reset_every: 2000,
        hints: vec![("i_ibus_rdt", Hint::Instruction)],
        least: [25, 100, 100],
        ..Design::default()
    };
    let mut designs =
        variants(&base, &["", "WITH_CSR=0", "COMPRESSED=1 ALIGN=1", "RF_WIDTH=8 MDU=1", "RESET_STRATEGY=\"NONE\""]);
    designs.push(Design { top: "serv_top".to_string(), ..base.clone() });
    Run::new(designs, SEED).check();
}

#[test]
fn ibex_as_gates_does_what_verilator_says() {
    let Some(folder) = corpus_folder() else { return };
    let list = [
        "+define+SYNTHESIS",
        "+incdir+system_verilog/vendor/lowrisc_ip/ip/prim/rtl",
        "+incdir+system_verilog/vendor/lowrisc_ip/dv/sv/dv_utils",
        "+libext+.sv",
        "-y",
        "system_verilog/rtl",
        "-y",
        "system_verilog/vendor/lowrisc_ip/ip/prim/rtl",
        "-y",
        "system_verilog/vendor/lowrisc_ip/ip/prim_generic/rtl",
        "-y",
        "system_verilog/dv/uvm/core_ibex/common/prim",
        "system_verilog/rtl/ibex_pkg.sv",
        "system_verilog/vendor/lowrisc_ip/ip/prim/rtl/prim_secded_pkg.sv",
        "system_verilog/vendor/lowrisc_ip/ip/prim/rtl/prim_ram_1p_pkg.sv",
        "system_verilog/vendor/lowrisc_ip/ip/prim/rtl/prim_mubi_pkg.sv",
        "system_verilog/vendor/lowrisc_ip/ip/prim/rtl/prim_cipher_pkg.sv",
        "system_verilog/vendor/lowrisc_ip/ip/prim/rtl/prim_util_pkg.sv",
        "system_verilog/vendor/lowrisc_ip/ip/prim/rtl/prim_count_pkg.sv",
        "system_verilog/dv/uvm/core_ibex/common/prim/prim_pkg.sv",
        "system_verilog/rtl/ibex_core.sv",
        "system_verilog/rtl/ibex_top.sv",
    ];
    let core = Design {
        words: words(&folder, "pythondata_cpu_ibex", &list),
        top: "ibex_core".to_string(),
        clocks: vec!["clk_i"],
        resets: vec![("rst_ni", false)],
        reset_every: 500,
        hints: vec![
            ("instr_rdata_i", Hint::Instruction),
            ("fetch_enable_i", Hint::Constant(0b0101)),
            ("debug_req_i", Hint::Often(4)),
            ("irq_nm_i", Hint::Often(4)),
            ("instr_err_i", Hint::Often(8)),
            ("data_err_i", Hint::Often(8)),
        ],
        unpacked: vec![("ic_tag_rdata_i", 22), ("ic_data_rdata_i", 64)],
        least: [95, 100, 100],
        ..Design::default()
    };
    let mut designs = variants(
        &core,
        &[
            "",
            "RV32E=1 RV32M=ibex_pkg::RV32MSingleCycle BranchTargetALU=1 WritebackStage=1",
            "RV32B=ibex_pkg::RV32BFull PMPEnable=1 DbgTriggerEn=1 BranchPredictor=1",
        ],
    );
    let mut hints = core.hints.clone();
    hints.extend([("scan_rst_ni", Hint::Constant(1)), ("test_en_i", Hint::Often(4))]);
    let top = Design { top: "ibex_top".to_string(), hints, unpacked: Vec::new(), ..core };
    designs.extend(variants(&top, &["", "ICache=1", "SecureIbex=1 PMPEnable=1"]));
    Run::new(designs, SEED).check();
}
