// `ab` of cb is taken raw whenever the synchronised answer is 0: the answer says nothing about `ab`
module clear_synced_set_raw(input logic ca, cb, nxt, output logic irq);
  logic ab = 0, q = 0, p1 = 0, p2 = 0, a1 = 0, a2 = 0;
  always_ff @(posedge cb) begin ab <= nxt; {p2, p1} <= {p1, q}; irq <= p2; end
  always_ff @(posedge ca) begin
    {a2, a1} <= {a1, p2};
    if (a2) q <= 0; else if (ab) q <= 1;
  end
endmodule
