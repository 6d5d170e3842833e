// clock crossings; three independent tops: two_flop, pulse_sync, handshake
// (sync_bit and sync_bits are their parts)
sync_pkg.vhd
sync_bit.vhd
sync_bits.vhd
two_flop.vhd
pulse_sync.vhd
handshake.vhd
