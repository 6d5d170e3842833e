// Two words: the writer writes the one the reader is not at, and the synchronised level is the read address.
module two_slots(input logic ca, cb, input logic [2:0] d, output logic [2:0] q);
  logic [2:0] mem[2] = '{0, 0}; logic i1 = 0, i2 = 0, ip = 0, o1 = 0, o2 = 0, op = 0;
  always_ff @(posedge ca) begin
    if (i2 == ip) mem[~i2] <= d;
    ip <= ~i2; i2 <= i1; i1 <= op;
  end
  always_ff @(posedge cb) begin op <= o2; o2 <= o1; o1 <= ip; q <= mem[o2]; end
endmodule
