// `rdy` of cb sets q raw and may change at any time; the synchronised answer only clears q, with less priority
module set_raw_clear_synced(input logic ca, cb, start, nxt, output logic irq);
  logic rdy = 0, q = 0, p1 = 0, p2 = 0, a1 = 0, a2 = 0;
  always_ff @(posedge cb) begin rdy <= nxt; {p2, p1} <= {p1, q}; irq <= p2; end
  always_ff @(posedge ca) begin
    {a2, a1} <= {a1, p2};
    if (start & ~rdy) q <= 1; else if (a2) q <= 0;
  end
endmodule
