# A SystemVerilog top around a VHDL queue.
-f ../vhdl/async_fifo/async_fifo.f
loopback.sv
