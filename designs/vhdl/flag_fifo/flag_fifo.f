// dual-clock FIFO whose flags compare raw pointers; top: flag_fifo
../async_fifo/gray_pkg.vhd
../async_fifo/fifo_ram.vhd
flag_fifo.vhd
