// the pointer's asynchronous reset is the synchronised child of the reset that holds the receiver
module soft_reset_gray_derived(input logic ca, cb, ab, go, output logic hit);
  logic abort = 1; logic [1:0] ch = '1; logic [2:0] b = 0, g = 0, g1 = 0, g2 = 0;
  wire [2:0] n = b + 3'd1;
  always_ff @(posedge cb) abort <= ab;
  always_ff @(posedge ca or posedge abort) if (abort) ch <= '1; else ch <= {ch[0], 1'b0};
  always_ff @(posedge ca or posedge ch[1]) if (ch[1]) begin b <= 0; g <= 0; end
    else if (go) begin b <= n; g <= n ^ (n >> 1); end
  always_ff @(posedge cb or posedge abort) if (abort) begin g1 <= 0; g2 <= 0; end else begin g1 <= g; g2 <= g1; end
  always_ff @(posedge cb) hit <= ^g2;
endmodule
