// ca asks with `run`, cb answers with `ran` and counts meanwhile; ca takes the count when the answer falls
module clockmon_answer(input logic ca, cb, stop, output logic [3:0] q);
  logic run = 0, a1 = 0, a2 = 0, a3 = 0, b1 = 0, b2 = 0, ran = 0; logic [3:0] k = 0; initial q = 0;
  always_ff @(posedge cb) begin {ran, b2, b1} <= {b2, b1, run}; if (b2 & ~ran) k <= 0; else if (ran) k <= k + 1; end
  always_ff @(posedge ca) begin {a3, a2, a1} <= {a2, a1, ran};
    if (!a3) run <= 1; else if (stop) run <= 0;
    if (a3 & ~a2) q <= k; end
endmodule
