// A FIFO whose memory is read on every free edge, whatever `empty` says; the write pointer comes over by a handshake.
module fifo_prefetch_hs_ptr(input logic ca, cb, we, commit, rdy, input logic [7:0] d, output logic [7:0] q, output logic v);
  logic [7:0] mem[16]; logic [4:0] wp = 0, hold = 0, rp = 0, wq = 0, rg = 0, rg1 = 0, rg2 = 0;
  logic t = 0, t1 = 0, t2 = 0, t3 = 0, a1 = 0, a2 = 0;
  wire [4:0] rb = {rg2[4], rg2[4]^rg2[3], rg2[4]^rg2[3]^rg2[2], rg2[4]^rg2[3]^rg2[2]^rg2[1], ^rg2};
  always_ff @(posedge ca) begin
    {rg2, rg1} <= {rg1, rg}; {a2, a1} <= {a1, t3};
    if (we && (wp - rb) < 16) begin mem[wp[3:0]] <= d; wp <= wp + 1; end
    if (commit && a2 == t) begin hold <= wp; t <= ~t; end
  end
  wire [4:0] rn = rp + 1;
  initial v = 0;
  always_ff @(posedge cb) begin
    {t3, t2, t1} <= {t2, t1, t};
    if (t2 ^ t3) wq <= hold;
    if (rdy || !v) begin
      v <= 0; q <= mem[rp[3:0]];
      if (rp != wq) begin v <= 1; rp <= rn; rg <= rn ^ (rn >> 1); end
    end
  end
endmodule
