// a reset made in ca sets s0 of cb asynchronously; two plain stages follow before anything uses it
module rst_catch2(input logic ca, cb, go, d, output logic q);
  logic t = 1, ra = 1, s0 = 1, s1 = 1, s2 = 1;
  always_ff @(posedge ca) ra <= go;
  always_ff @(posedge cb or posedge ra) if (ra) s0 <= 1'b1; else s0 <= t;
  always_ff @(posedge cb) {s2, s1} <= {s1, s0};
  always_ff @(posedge cb) if (s2) q <= 0; else q <= d;
  always_ff @(posedge cb or posedge ra) if (ra) t <= 1; else t <= 0;
endmodule
