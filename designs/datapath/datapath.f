// datapath units without asserts, to be proved against proofs/lib
// tops: adder_unit, alu_comb, barrel, cam, stall_pipe, mem_unit
carry_net.sv
adder_unit.sv
barrel.sv
alu_comb.sv
cam.sv
stall_pipe.sv
mem_unit.sv
