// pipelined ALU; top: alu
alu_pkg.sv
alu.sv
