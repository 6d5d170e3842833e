// the word and a held select bit cross together; both are taken only under the synchronised request
module held_bit_in_enable(input logic ca, cb, put, s, input logic [3:0] d, output logic [3:0] o);
  logic [3:0] word = 0; logic sel = 0, t = 0, t1 = 0, t2 = 0, t3 = 0, r1 = 0, r2 = 0;
  always_ff @(posedge ca) begin
    {r2, r1} <= {r1, t3};
    if (put && r2 == t) begin word <= d; sel <= s; t <= ~t; end
  end
  always_ff @(posedge cb) begin
    {t3, t2, t1} <= {t2, t1, t};
    if ((t2 ^ t3) && sel) o <= word;
  end
endmodule
