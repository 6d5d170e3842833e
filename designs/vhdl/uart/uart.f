// UART with a clock of its own; top: uart (parts: uart_tx, uart_rx)
../sync/sync_pkg.vhd
../sync/sync_bit.vhd
../sync/sync_bits.vhd
../sync/pulse_sync.vhd
../sync/handshake.vhd
uart_pkg.vhd
uart_tx.vhd
uart_rx.vhd
uart.vhd
