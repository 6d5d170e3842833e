// plain gray FIFO; the reset of each side also goes to the other side through a synchroniser
module fifo_big_reg(input logic wc, rc, wrst, rrst, push, pop, input logic [1:0] wd, output logic [1:0] rdo, output logic full, empty);
  logic [1:0] rd; always_ff @(posedge rc) rdo <= rd;
  logic [12:0] wb = 0, wg = 0, rb = 0, rg = 0, wg1 = 0, wg2 = 0, rg1 = 0, rg2 = 0; logic [1:0] mem [4096];
  wire [12:0] wn = wb + 13'd1, rn = rb + 13'd1;
  assign full = wg == (rg2 ^ {2'b11, 11'b0}), empty = rg == wg2;
  always_ff @(posedge wc) begin
    {rg2, rg1} <= {rg1, rg};
    if (push && !full) begin mem[wb[11:0]] <= wd; wb <= wn; wg <= wn ^ (wn >> 1); end
    if (wrst) begin wb <= 0; wg <= 0; {rg2, rg1} <= 0; end
  end
  always_ff @(posedge rc) begin
    {wg2, wg1} <= {wg1, wg};
    if (pop || empty) rd <= mem[rb[11:0]];
    if (pop && !empty) begin rb <= rn; rg <= rn ^ (rn >> 1); end
    if (rrst) begin rb <= 0; rg <= 0; end
    if (rrst) {wg2, wg1} <= 0;
  end
endmodule
