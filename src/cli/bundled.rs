//! The bundled designs, inside the binary so that `entail demo` runs anywhere.

/// Path in the repository and text of every bundled source.
pub const FILES: &[(&str, &str)] = &[
    ("designs/alu/alu.sv", include_str!("../../designs/alu/alu.sv")),
    ("designs/alu/alu_pkg.sv", include_str!("../../designs/alu/alu_pkg.sv")),
    ("designs/arbiter/arbiter.sv", include_str!("../../designs/arbiter/arbiter.sv")),
    ("designs/async_fifo/async_fifo.sv", include_str!("../../designs/async_fifo/async_fifo.sv")),
    ("designs/bus/bus_decoder.sv", include_str!("../../designs/bus/bus_decoder.sv")),
    ("designs/bus/bus_if.sv", include_str!("../../designs/bus/bus_if.sv")),
    ("designs/bus/bus_master.sv", include_str!("../../designs/bus/bus_master.sv")),
    ("designs/bus/bus_ram.sv", include_str!("../../designs/bus/bus_ram.sv")),
    ("designs/bus/bus_regs.sv", include_str!("../../designs/bus/bus_regs.sv")),
    ("designs/bus/bus_top.sv", include_str!("../../designs/bus/bus_top.sv")),
    ("designs/div/div.sv", include_str!("../../designs/div/div.sv")),
    ("designs/mult/adder_brent_kung.sv", include_str!("../../designs/mult/adder_brent_kung.sv")),
    ("designs/mult/adder_kogge_stone.sv", include_str!("../../designs/mult/adder_kogge_stone.sv")),
    ("designs/mult/adder_ripple.sv", include_str!("../../designs/mult/adder_ripple.sv")),
    ("designs/mult/mult.sv", include_str!("../../designs/mult/mult.sv")),
    ("designs/mult/mult_check.sv", include_str!("../../designs/mult/mult_check.sv")),
    ("designs/mult/mult_columns.sv", include_str!("../../designs/mult/mult_columns.sv")),
    ("designs/mult/mult_pkg.sv", include_str!("../../designs/mult/mult_pkg.sv")),
    ("designs/mult/mult_pp_booth.sv", include_str!("../../designs/mult/mult_pp_booth.sv")),
    ("designs/mult/mult_pp_simple.sv", include_str!("../../designs/mult/mult_pp_simple.sv")),
    ("designs/mult/mult_tree_array.sv", include_str!("../../designs/mult/mult_tree_array.sv")),
    ("designs/mult/mult_tree_dadda.sv", include_str!("../../designs/mult/mult_tree_dadda.sv")),
    ("designs/mult/mult_tree_wallace.sv", include_str!("../../designs/mult/mult_tree_wallace.sv")),
    ("designs/sync/handshake.sv", include_str!("../../designs/sync/handshake.sv")),
    ("designs/sync/mux_enable.sv", include_str!("../../designs/sync/mux_enable.sv")),
    ("designs/sync/pulse_sync.sv", include_str!("../../designs/sync/pulse_sync.sv")),
    ("designs/sync/reset_sync.sv", include_str!("../../designs/sync/reset_sync.sv")),
    ("designs/sync/two_flop.sv", include_str!("../../designs/sync/two_flop.sv")),
    ("designs/uart/uart.sv", include_str!("../../designs/uart/uart.sv")),
    ("designs/uart/uart_rx.sv", include_str!("../../designs/uart/uart_rx.sv")),
    ("designs/uart/uart_tx.sv", include_str!("../../designs/uart/uart_tx.sv")),
];

/// A design of the demo: title, folder, top, parameters.
pub type Shown = (&'static str, &'static str, &'static str, &'static [(&'static str, &'static str)]);

/// What the demo shows.
pub const TOPS: &[Shown] = &[
    ("dual-clock FIFO, gray pointers", "async_fifo", "async_fifo", &[("LOG_DEPTH", "4")]),
    ("two-flop synchroniser", "sync", "two_flop", &[]),
    ("pulse synchroniser", "sync", "pulse_sync", &[]),
    ("request/acknowledge transfer", "sync", "handshake", &[]),
    ("mux-enable transfer", "sync", "mux_enable", &[]),
    ("reset synchroniser", "sync", "reset_sync", &[]),
    ("round-robin arbiter", "arbiter", "arbiter", &[("N", "8")]),
    ("pipelined ALU", "alu", "alu", &[]),
    ("UART with loopback", "uart", "uart", &[]),
    ("Booth multiplier, Wallace tree", "mult", "mult", &[("WIDTH", "32")]),
    (
        "Baugh-Wooley multiplier, Dadda tree",
        "mult",
        "mult",
        &[("WIDTH", "32"), ("SIGNED", "1"), ("PP", "0"), ("TREE", "2")],
    ),
    ("restoring divider", "div", "div", &[("WIDTH", "32")]),
    ("bus with an interface", "bus", "bus_top", &[]),
];
