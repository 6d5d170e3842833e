// gray pointer, cleared by its own reset and by the synchronised reset of the reader; steps on a rare match
module gray_two_clears_unreached(input logic ca, cb, rst_a, rst_b, input logic [31:0] key, output logic hit);
  logic [3:0] b = 0, g = 0, g1 = 0, g2 = 0; logic x0 = 0, x1 = 0, x2 = 0;
  wire [3:0] n = b + 4'd1;
  always_ff @(posedge cb) x0 <= rst_b;
  always_ff @(posedge ca) begin
    {x2, x1} <= {x1, x0};
    if (key == 32'h12345678) begin b <= n; g <= n ^ (n >> 1); end
    if (x2) begin b <= 0; g <= 0; end
    if (rst_a) begin b <= 0; g <= 0; end
  end
  always_ff @(posedge cb) begin g1 <= g; g2 <= g1; if (rst_b) begin g1 <= 0; g2 <= 0; end hit <= ^g2; end
endmodule
