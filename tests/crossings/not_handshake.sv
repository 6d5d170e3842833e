// the source sends a new word every 8 cycles and never waits; it merely also counts a level of cb
module not_handshake(input logic ca, cb, lvl, output logic [3:0] o);
  logic lb = 0, l1 = 0, l2 = 0, tog = 0, t1 = 0, t2 = 0, t3 = 0; logic [2:0] c = 0; logic [3:0] acc = 0, w = 0;
  always_ff @(posedge cb) begin lb <= lvl ^ o[0]; {t3, t2, t1} <= {t2, t1, tog}; if (t2 ^ t3) o <= w; end
  always_ff @(posedge ca) begin
    {l2, l1} <= {l1, lb}; c <= c + 1'b1; acc <= acc + l2;
    if (c == 0) begin w <= acc; tog <= ~tog; end
  end
endmodule
