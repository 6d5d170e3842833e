// ready is reset by a synchronised copy of rst_n (asserted with it, released later): it can only
// fall while rst_n itself holds q in reset
module rst_derived(input logic ca, cb, rst_n, d, output logic q);
  logic b0, brst_n, a0, ready;
  always_ff @(posedge cb or negedge rst_n)  if (!rst_n)  {brst_n, b0} <= '0; else {brst_n, b0} <= {b0, 1'b1};
  always_ff @(posedge ca or negedge brst_n) if (!brst_n) {ready, a0} <= '0; else {ready, a0} <= {a0, 1'b1};
  always_ff @(posedge ca or negedge rst_n)  if (!rst_n)  q <= 0; else q <= d & ready;
endmodule
