module t #(parameter int WIDTH = 4) (input logic clk, input logic [WIDTH-1:0] d, output logic [WIDTH-1:0] q);
  always_ff @(posedge clk) q <= d;
  initial q = '0;
  never_high: assert property (@(posedge clk) q == q);
endmodule
