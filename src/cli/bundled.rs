//! The bundled designs, inside the binary so that `entail demo` runs anywhere.

macro_rules! files {
    ($($file:literal)*) => {
        &[$(($file, include_str!(concat!("../../designs/", $file)))),*]
    };
}

/// Path under `designs/` and text of every bundled source and file list.
pub const FILES: &[(&str, &str)] = files! {
    "alu/alu.f" "alu/alu.sv" "alu/alu_pkg.sv" "arbiter/arbiter.f" "arbiter/arbiter.sv" "async_fifo/async_fifo.f"
    "async_fifo/async_fifo.sv" "bus/bus.f" "bus/bus_decoder.sv" "bus/bus_if.sv" "bus/bus_master.sv"
    "bus/bus_ram.sv" "bus/bus_regs.sv" "bus/bus_top.sv" "div/div.f" "div/div.sv" "mixed/loopback.f"
    "mixed/loopback.sv" "mixed/merge.f" "mixed/merge.vhd" "mult/adder_brent_kung.sv" "mult/adder_kogge_stone.sv"
    "mult/adder_ripple.sv" "mult/mult.f" "mult/mult.sv" "mult/mult_check.sv" "mult/mult_columns.sv"
    "mult/mult_pkg.sv" "mult/mult_pp_booth.sv" "mult/mult_pp_simple.sv" "mult/mult_tree_array.sv"
    "mult/mult_tree_dadda.sv" "mult/mult_tree_wallace.sv" "sync/handshake.sv" "sync/mux_enable.sv"
    "sync/pulse_sync.sv" "sync/reset_sync.sv" "sync/sync.f" "sync/two_flop.sv" "uart/uart.f" "uart/uart.sv"
    "uart/uart_rx.sv" "uart/uart_tx.sv" "vhdl/async_fifo/async_fifo.f" "vhdl/async_fifo/async_fifo.vhd"
    "vhdl/async_fifo/fifo_ram.vhd" "vhdl/async_fifo/gray_pkg.vhd" "vhdl/div/div.f" "vhdl/div/div.vhd"
    "vhdl/div/div_pkg.vhd" "vhdl/mult/booth_pkg.vhd" "vhdl/mult/booth_sum.vhd" "vhdl/mult/mult.f"
    "vhdl/mult/mult.vhd" "vhdl/mult/mult_check.vhd" "vhdl/router/router.f" "vhdl/router/router.vhd"
    "vhdl/router/router_link.vhd" "vhdl/router/router_pkg.vhd" "vhdl/sync/handshake.vhd" "vhdl/sync/pulse_sync.vhd"
    "vhdl/sync/sync.f" "vhdl/sync/sync_bit.vhd" "vhdl/sync/sync_bits.vhd" "vhdl/sync/sync_pkg.vhd"
    "vhdl/sync/two_flop.vhd" "vhdl/uart/uart.f" "vhdl/uart/uart.vhd" "vhdl/uart/uart_pkg.vhd"
    "vhdl/uart/uart_rx.vhd" "vhdl/uart/uart_tx.vhd"
};

/// A design of the demo: title, file list, top, parameters.
pub type Shown = (&'static str, &'static str, &'static str, &'static [(&'static str, &'static str)]);

/// What the demo shows.
pub const TOPS: &[Shown] = &[
    ("dual-clock FIFO, gray pointers", "async_fifo/async_fifo.f", "async_fifo", &[("LOG_DEPTH", "4")]),
    ("two-flop synchroniser", "sync/sync.f", "two_flop", &[]),
    ("pulse synchroniser", "sync/sync.f", "pulse_sync", &[]),
    ("request/acknowledge transfer", "sync/sync.f", "handshake", &[]),
    ("mux-enable transfer", "sync/sync.f", "mux_enable", &[]),
    ("reset synchroniser", "sync/sync.f", "reset_sync", &[]),
    ("round-robin arbiter", "arbiter/arbiter.f", "arbiter", &[("N", "8")]),
    ("pipelined ALU", "alu/alu.f", "alu", &[]),
    ("UART with loopback", "uart/uart.f", "uart", &[]),
    ("Booth multiplier, Wallace tree", "mult/mult.f", "mult", &[("WIDTH", "32")]),
    (
        "Baugh-Wooley multiplier, Dadda tree",
        "mult/mult.f",
        "mult",
        &[("WIDTH", "32"), ("SIGNED", "1"), ("PP", "0"), ("TREE", "2")],
    ),
    ("restoring divider", "div/div.f", "div", &[("WIDTH", "32")]),
    ("bus with an interface", "bus/bus.f", "bus_top", &[]),
    ("VHDL: dual-clock FIFO, block RAM", "vhdl/async_fifo/async_fifo.f", "async_fifo", &[("DEPTH_LOG2", "4")]),
    ("VHDL: UART with its own clock", "vhdl/uart/uart.f", "uart", &[]),
    ("VHDL: dual-clock router stage", "vhdl/router/router.f", "router", &[]),
    ("VHDL: Booth multiplier", "vhdl/mult/mult.f", "mult", &[]),
    ("VHDL: restoring divider", "vhdl/div/div.f", "div", &[]),
    ("VHDL top, SystemVerilog arbiter", "mixed/merge.f", "merge", &[]),
    ("SystemVerilog top, VHDL FIFO", "mixed/loopback.f", "loopback", &[]),
];
