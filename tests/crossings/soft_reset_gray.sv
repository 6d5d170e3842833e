// pointer and its synchroniser are both reset asynchronously by one register ("abort"):
// the destination is in reset whenever the reset clears several bits of the pointer
module soft_reset_gray(input logic ca, cb, rst, kill, step, input logic [3:0] lim, output logic hit);
  logic abort = 1, ab0 = 1; logic rb = 1, rb0 = 1;
  logic [3:0] b = 0, g = 0, s1 = 0, s2 = 0;
  wire [3:0] n = b + 4'd1;
  always_ff @(posedge ca) if (rst | kill) {abort, ab0} <= '1; else {abort, ab0} <= {ab0, 1'b0};
  always_ff @(posedge cb or posedge abort) if (abort) {rb, rb0} <= '1; else {rb, rb0} <= {rb0, 1'b0};
  always_ff @(posedge ca or posedge abort)
    if (abort) begin b <= 0; g <= 0; end else if (step) begin b <= n; g <= n ^ (n >> 1); end
  always_ff @(posedge cb or posedge rb) if (rb) {s2, s1} <= '0; else {s2, s1} <= {s1, g};
  always_ff @(posedge cb) hit <= s2 == lim;
endmodule
