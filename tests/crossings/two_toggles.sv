// two status toggles; both flip together on one rare event, so this is no gray code
module two_toggles(input logic ca, cb, input logic ev, input logic [31:0] crc, output logic p0, p1);
  logic [1:0] t = 0, s1 = 0, s2 = 0, s3 = 0;
  wire bad = crc == 32'hc704dd7b;
  always_ff @(posedge ca) t <= t ^ {bad, bad | ev};
  always_ff @(posedge cb) begin s1 <= t; s2 <= s1; s3 <= s2; end
  assign p0 = s2[0] ^ s3[0];
  assign p1 = s2[1] ^ s3[1];
endmodule
