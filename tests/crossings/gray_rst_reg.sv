// reset of the pointer comes out of a reset synchroniser; steps on a rare match
module gray_rst_reg(input logic ca, cb, rst, input logic [31:0] key, output logic hit);
  logic [3:0] b = 0, g = 0, g1 = 0, g2 = 0; logic [2:0] ra = '1;
  wire [3:0] n = b + 4'd1;
  always_ff @(posedge ca or posedge rst) if (rst) ra <= '1; else ra <= {ra[1:0], 1'b0};
  always_ff @(posedge ca) if (ra[2]) begin b <= 0; g <= 0; end
    else if (key == 32'h12345678) begin b <= n; g <= n ^ (n >> 1); end
  always_ff @(posedge cb) begin g1 <= g; g2 <= g1; hit <= ^g2; end
endmodule
