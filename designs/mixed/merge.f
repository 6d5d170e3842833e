# A VHDL top with a SystemVerilog arbiter.
-f ../vhdl/async_fifo/async_fifo.f
../arbiter/arbiter.sv
merge.vhd
