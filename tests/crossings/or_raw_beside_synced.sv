// a one-bit flag set raw by cb and cleared by an unrelated synchronised level
module or_raw_beside_synced(input logic ca, cb, u, v, output logic q);
  logic ur = 0, w = 0, s1 = 0, s2 = 0;
  always_ff @(posedge cb) begin ur <= u; w <= v; end
  always_ff @(posedge ca) begin
    {s2, s1} <= {s1, w};
    if (ur) q <= 1; else if (s2) q <= 0;
  end
  initial q = 0;
endmodule
