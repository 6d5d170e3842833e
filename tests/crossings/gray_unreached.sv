// textbook gray counter; the step needs a 32-bit match that random simulation never finds
module gray_unreached(input logic ca, cb, input logic [31:0] key, input logic [3:0] lim, output logic hit);
  logic [3:0] b = 0, g = 0, g1 = 0, g2 = 0;
  wire [3:0] n = b + 4'd1;
  always_ff @(posedge ca) if (key == 32'hdeadbeef) begin b <= n; g <= n ^ (n >> 1); end
  always_ff @(posedge cb) begin {g2, g1} <= {g1, g}; hit <= g2 == lim; end
endmodule
