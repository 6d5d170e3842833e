// cb sends a held word by a toggle handshake, `id` (held with it) tells an answer from an update;
// ca loads the word on an answer while busy, or on an update while not
module two_ways_to_load(input logic ca, cb, req, hw, input logic [3:0] nw, w, output logic [3:0] q);
  logic busy = 0, t = 0, t1 = 0, t2 = 0, t3 = 0, i1 = 0, i2 = 0, id = 0, b1 = 0, b2 = 0; logic [3:0] held = 0; initial q = 0;
  always_ff @(posedge cb) begin {i2, i1} <= {i1, t3}; {b2, b1} <= {b1, busy};
    if (i2 == t && (hw | b2)) begin held <= nw; id <= b2; t <= ~t; end end
  wire ack = (t2 ^ t3) & id, upd = (t2 ^ t3) & ~id;
  always_ff @(posedge ca) begin {t3, t2, t1} <= {t2, t1, t};
    if (req) busy <= 1; else if (ack) busy <= 0;
    if (req) q <= w; else if (busy & ack | upd & ~(busy & ~ack)) q <= held; end
endmodule
