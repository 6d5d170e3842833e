// 4 bits take ca and cb at once, the other 4 take ca only: two findings about bits of their own.
module word_two_pairs(input logic ca, cb, cc, input logic [1:0] sel, input logic [7:0] da, input logic [3:0] db, output logic [7:0] q);
  logic [7:0] a; logic [3:0] b;
  always_ff @(posedge ca) a <= da;
  always_ff @(posedge cb) b <= db;
  always_ff @(posedge cc) case (sel) 0: q <= a; 1: q <= {4'b0, b}; default: q <= 8'h5a; endcase
endmodule
