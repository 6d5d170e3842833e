// clock and reset crossings; five independent tops:
// two_flop, pulse_sync, handshake, mux_enable, reset_sync
two_flop.sv
pulse_sync.sv
handshake.sv
mux_enable.sv
reset_sync.sv
