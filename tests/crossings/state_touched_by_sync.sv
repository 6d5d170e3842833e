// the local state is merely delayed by a synchronised pause; `word` of cb changes every cycle and is compared raw
module state_touched_by_sync(input logic ca, cb, go, ps, input logic [3:0] d, output logic q);
  logic [3:0] word = 0; logic pz = 0, s1 = 0, s2 = 0, p1 = 0, p2 = 0, run = 0; logic [3:0] k = 0; initial q = 0;
  always_ff @(posedge cb) begin word <= d; {p2, p1} <= {p1, run}; pz <= ps ^ p2; end
  always_ff @(posedge ca) begin
    {s2, s1} <= {s1, pz};
    run <= go & ~s2; if (run) k <= k + 1; q <= run & (k == word);
  end
endmodule
