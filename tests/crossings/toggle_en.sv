// request toggle over, acknowledge toggle back; the word is ANDed with the one-cycle load pulse
module toggle_en(input logic ca, cb, input logic [3:0] ev, output logic [3:0] oe);
  logic req = 0; logic [3:0] hold = 0;
  logic s1 = 0, s2 = 0, s3 = 0;          // in cb
  logic a1 = 0, a2 = 0;                  // acknowledge, in ca
  wire ready = a2 == req;
  always_ff @(posedge ca) begin
    {a2, a1} <= {a1, s3};
    if (ready) begin hold <= ev; if (|ev) req <= ~req; end
  end
  always_ff @(posedge cb) begin
    {s3, s2, s1} <= {s2, s1, req};
    if (s2 ^ s3) oe <= hold;
  end
endmodule
