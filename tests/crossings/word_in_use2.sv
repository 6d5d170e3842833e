// one-word handshake; the receiver works with the held word and acknowledges at the end
module word_in_use2(input logic ca, cb, put, input logic [3:0] d, output logic done);
  logic [3:0] word = 0, cnt = 0; logic t = 0, t1 = 0, t2 = 0, r = 0, r1 = 0, r2 = 0, busy = 0;
  always_ff @(posedge ca) begin
    {r2, r1} <= {r1, r};
    if (put && r2 == t) begin word <= d; t <= ~t; end
  end
  always_ff @(posedge cb) begin
    {t2, t1} <= {t1, t}; done <= 0;
    if (!busy) begin if (t2 != r) begin busy <= 1; cnt <= 0; end end
    else begin cnt <= cnt + 1'b1; if (t2 != r && cnt == word) begin busy <= 0; r <= ~r; done <= 1; end end
  end
endmodule
