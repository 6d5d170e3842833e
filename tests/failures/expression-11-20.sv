// ENTAIL_SEED=11 ENTAIL_RANDOM_EXPRS=100: expression y20, judged by Verilator
// output y20 in cycle 1:
//   simulator 0000000001
//   entail    0000000000 (two-valued)
//             0000000000 (three-valued)
// cycle 1: d=6'b111111 l=2'b01
module dut(input logic signed [5:0] d, input logic [1:0] l, output logic signed [9:0] y20);
always_comb case (26'b00000000000000000000000000)
  l: y20 = 1'b0;
  1'b1, d inside {[6'sb111010:6'sb000001]}: y20 = 1'b1;
  default: y20 = 1'b0;
endcase
endmodule
