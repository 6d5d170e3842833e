// dual-clock router stage; top: router
../sync/sync_pkg.vhd
../sync/sync_bit.vhd
../sync/sync_bits.vhd
../sync/handshake.vhd
../async_fifo/gray_pkg.vhd
../async_fifo/fifo_ram.vhd
../async_fifo/async_fifo.vhd
router_pkg.vhd
router_link.vhd
router.vhd
