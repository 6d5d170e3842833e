// gray register stepped by b2g(g2b(id)+1) behind a handshake that random inputs seldom complete
module gray_func(input logic ca, cb, input logic [15:0] k, input logic [2:0] lim, output logic hit);
  logic [2:0] id = 0, s1 = 0, s2 = 0; logic [15:0] c = 0;
  wire [2:0] b = {id[2], id[2] ^ id[1], ^id}, n = b + 3'd1;
  always_ff @(posedge ca) begin if (k == c) c <= c + 1'b1; if (c == 16'd300) begin id <= n ^ (n >> 1); c <= 0; end end
  always_ff @(posedge cb) begin {s2, s1} <= {s1, id}; hit <= s2 == lim; end
endmodule
