//! The public RTL the corpus holds: which folders of which wheel are RTL, how they are read, and
//! which modules entail refuses on purpose.
//!
//! Skipped, by folder or name, because it is not RTL: everything in folders that are not named in
//! a group below (`dv/`, `formal/`, `fpv/`, `pre_dv/`, `bench/`, `tb/`, `testbench/`, `bhv/`, `sva/`,
//! `example_tb/`, `firmware/`, `scripts/smtbmc/` …, and the vendored `google_riscv-dv` generator),
//! files whose stem ends in `_tb` or starts with `testbench`, modules named `tb` (a test bench under
//! `ifdef` at the end of an RTL file), and templates with placeholders (`lambdalib/ramlib/templates`).

/// RTL that is read in one way.
pub struct Group {
    /// Package on PyPI, with underscores: the folder it is unpacked to.
    pub wheel: &'static str,
    /// Folder the paths below are relative to.
    pub root: &'static str,
    /// Folders whose modules are tried as tops. `*` stands for any one name.
    pub tops: &'static [&'static str],
    pub defines: &'static [&'static str],
    pub incdirs: &'static [&'static str],
    /// Folders in which missing modules are found, besides those of the tops.
    pub libdirs: &'static [&'static str],
    /// Files from which missing modules are taken whose name is not the file's.
    pub libfiles: &'static [&'static str],
    /// Packages and what else must come first, in order.
    pub first: &'static [&'static str],
}

const BOARD: Group = Group {
    wheel: "pythondata_cpu_picorv32",
    root: "pythondata_cpu_picorv32/verilog",
    tops: &[],
    defines: &[],
    incdirs: &[],
    libdirs: &["."],
    libfiles: &["picorv32.v"],
    first: &[],
};

pub const GROUPS: &[Group] = &[
    Group {
        wheel: "pythondata_cpu_picorv32",
        root: "pythondata_cpu_picorv32/verilog",
        tops: &[".", "picosoc"],
        defines: &[],
        incdirs: &[],
        libdirs: &[],
        libfiles: &[],
        first: &[],
    },
    // Board tops around the core: they share names, so each folder is read by itself.
    Group { tops: &["scripts/vivado"], ..BOARD },
    Group { tops: &["scripts/quartus"], ..BOARD },
    Group { tops: &["scripts/icestorm"], ..BOARD },
    Group { tops: &["scripts/yosys"], ..BOARD },
    Group {
        wheel: "pythondata_cpu_serv",
        root: "pythondata_cpu_serv/verilog",
        tops: &["rtl", "serving", "servant"],
        defines: &[],
        incdirs: &[],
        libdirs: &[],
        libfiles: &[],
        first: &[],
    },
    Group {
        wheel: "pythondata_cpu_ibex",
        root: "pythondata_cpu_ibex/system_verilog",
        tops: &[
            "rtl",
            "shared/rtl",
            "shared/rtl/fpga/xilinx",
            "vendor/lowrisc_ip/ip/prim/rtl",
            "vendor/lowrisc_ip/ip/prim_generic/rtl",
            "vendor/lowrisc_ip/ip/prim_xilinx/rtl",
        ],
        defines: &["SYNTHESIS"],
        incdirs: &["vendor/lowrisc_ip/ip/prim/rtl", "vendor/lowrisc_ip/dv/sv/dv_utils"],
        libdirs: &["dv/uvm/core_ibex/common/prim"],
        libfiles: &[],
        first: &[
            "rtl/ibex_pkg.sv",
            "rtl/ibex_tracer_pkg.sv",
            "vendor/lowrisc_ip/ip/prim/rtl/prim_util_pkg.sv",
            "vendor/lowrisc_ip/ip/prim/rtl/prim_secded_pkg.sv",
            "vendor/lowrisc_ip/ip/prim/rtl/prim_ram_1p_pkg.sv",
            "vendor/lowrisc_ip/ip/prim/rtl/prim_ram_2p_pkg.sv",
            "vendor/lowrisc_ip/ip/prim/rtl/prim_rom_pkg.sv",
            "vendor/lowrisc_ip/ip/prim/rtl/prim_mubi_pkg.sv",
            "vendor/lowrisc_ip/ip/prim/rtl/prim_cipher_pkg.sv",
            "vendor/lowrisc_ip/ip/prim/rtl/prim_count_pkg.sv",
            "vendor/lowrisc_ip/ip/prim/rtl/prim_alert_pkg.sv",
            "vendor/lowrisc_ip/ip/prim/rtl/prim_esc_pkg.sv",
            "vendor/lowrisc_ip/ip/prim/rtl/prim_otp_pkg.sv",
            "vendor/lowrisc_ip/ip/prim/rtl/prim_pad_wrapper_pkg.sv",
            "vendor/lowrisc_ip/ip/prim/rtl/prim_sha2_pkg.sv",
            "vendor/lowrisc_ip/ip/prim/rtl/prim_subreg_pkg.sv",
            "vendor/lowrisc_ip/ip/prim/rtl/prim_trivium_pkg.sv",
            "dv/uvm/core_ibex/common/prim/prim_pkg.sv",
        ],
    },
    Group {
        wheel: "pythondata_cpu_cv32e40p",
        root: "pythondata_cpu_cv32e40p/system_verilog/rtl",
        tops: &[
            ".",
            "vendor/pulp_platform_common_cells/src",
            "vendor/pulp_platform_common_cells/src/deprecated",
            "vendor/pulp_platform_fpnew/src",
            "vendor/pulp_platform_fpnew/vendor/opene906/E906_RTL_FACTORY/gen_rtl/*/rtl",
        ],
        defines: &["SYNTHESIS"],
        incdirs: &["include", "vendor/pulp_platform_common_cells/include"],
        libdirs: &[],
        // As in the manifest.
        libfiles: &["cv32e40p_register_file_ff.sv", "../bhv/cv32e40p_sim_clock_gate.sv"],
        first: &[
            "include/cv32e40p_apu_core_pkg.sv",
            "include/cv32e40p_fpu_pkg.sv",
            "include/cv32e40p_pkg.sv",
            "vendor/pulp_platform_common_cells/src/cf_math_pkg.sv",
            "vendor/pulp_platform_common_cells/src/ecc_pkg.sv",
            "vendor/pulp_platform_common_cells/src/cb_filter_pkg.sv",
            "vendor/pulp_platform_fpnew/src/fpnew_pkg.sv",
        ],
    },
    // An older copy of the floating-point unit, beside the vendored one.
    Group {
        wheel: "pythondata_cpu_cv32e40p",
        root: "pythondata_cpu_cv32e40p/system_verilog/rtl",
        tops: &["fpnew/src"],
        defines: &["SYNTHESIS"],
        incdirs: &[
            "vendor/pulp_platform_common_cells/include",
            "vendor/pulp_platform_common_cells/include/common_cells",
        ],
        libdirs: &["vendor/pulp_platform_common_cells/src"],
        libfiles: &[],
        first: &["vendor/pulp_platform_common_cells/src/cf_math_pkg.sv", "fpnew/src/fpnew_pkg.sv"],
    },
    Group {
        wheel: "pythondata_cpu_cv32e40p",
        root: "pythondata_cpu_cv32e40p/system_verilog/rtl",
        tops: &["riscv-dbg/src", "riscv-dbg/debug_rom"],
        defines: &["SYNTHESIS"],
        incdirs: &["vendor/pulp_platform_common_cells/include"],
        libdirs: &["vendor/pulp_platform_common_cells/src", "vendor/pulp_platform_common_cells/src/deprecated"],
        libfiles: &[],
        first: &["riscv-dbg/src/dm_pkg.sv"],
    },
    Group {
        wheel: "pythondata_cpu_cv32e40p",
        root: "pythondata_cpu_cv32e40p/system_verilog/rtl",
        tops: &["trace_debugger/rtl"],
        defines: &["SYNTHESIS"],
        incdirs: &["trace_debugger/include"],
        libdirs: &["vendor/pulp_platform_common_cells/src", "vendor/pulp_platform_common_cells/src/deprecated"],
        libfiles: &[],
        first: &["trace_debugger/include/trdb_pkg.sv"],
    },
    Group {
        wheel: "lambdalib",
        root: "lambdalib",
        tops: &["*/*/rtl"],
        defines: &[],
        incdirs: &["padring/la_padring/rtl"],
        libdirs: &[],
        libfiles: &[],
        first: &[],
    },
];

/// Modules that Verilator takes and entail refuses with an error other than "not supported", and
/// why that is right: name, code, reason.
pub const REFUSED: &[(&str, &str, &str)] = &[
    ("spiflash", "E0101", NO_IMAGE),
    ("system", "E0101", NO_IMAGE),
    ("top", "E0101", NO_IMAGE),
    ("servant", "E0101", NO_IMAGE),
    ("service_go_board", "E0101", NO_IMAGE),
    ("stream_fork", "E0311", ZERO),
    ("stream_fork_dynamic", "E0311", ZERO),
    ("stream_join", "E0311", ZERO),
    ("stream_omega_net", "E0311", ZERO),
    ("stream_xbar", "E0311", ZERO),
    ("fpnew_opgroup_block", "E0311", ZERO),
    ("ibex_tracer", "E0301", "writes a log file: simulation only"),
    ("la_ring", "E0502", "a ring oscillator: the loop is real"),
];

const NO_IMAGE: &str = "$readmemh of a firmware image that the wheel does not hold; Verilator looks when it runs";
const ZERO: &str = "the default of a parameter `int unsigned N = 0` makes a range [N-1:0] of 2^32 bits (IEEE 1800 \
                    11.8.1: an unsigned operand makes the difference unsigned); it is meant to be overridden";
