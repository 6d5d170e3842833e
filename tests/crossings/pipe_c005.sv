// an ordinary two-deep pipeline of cb whose logic also reads one bit of ca: no synchroniser at all
module pipe_c005(input logic ca, cb, cfg, x, y, output logic q);
  logic c, xr, yr, p;
  always_ff @(posedge ca) c <= cfg;
  always_ff @(posedge cb) begin xr <= x; yr <= y; p <= c ? xr : yr; q <= p; end
endmodule
