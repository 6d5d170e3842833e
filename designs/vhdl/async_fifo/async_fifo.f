// dual-clock FIFO with Gray pointers; top: async_fifo
../sync/sync_pkg.vhd
../sync/sync_bit.vhd
../sync/sync_bits.vhd
gray_pkg.vhd
fifo_ram.vhd
async_fifo.vhd
