// plain gray FIFO; the reset of each side also goes to the other side through a synchroniser
module fifo_rst(input logic wc, rc, wrst, rrst, push, pop, input logic [1:0] wd, output logic [1:0] rd, output logic full, empty);
  logic [2:0] wb = 0, wg = 0, rb = 0, rg = 0, wg1 = 0, wg2 = 0, rg1 = 0, rg2 = 0; logic [1:0] mem [4];
  logic wx0 = 1, wx1 = 1, wx2 = 1;
  wire [2:0] wn = wb + 3'd1, rn = rb + 3'd1;
  assign full = wg == (rg2 ^ 3'b110), empty = rg == wg2;
  always_ff @(posedge wc or posedge wrst) if (wrst) wx0 <= 1; else wx0 <= 0;   // write reset, to rc
  always_ff @(posedge rc) {wx2, wx1} <= {wx1, wx0};
  always_ff @(posedge wc) begin
    {rg2, rg1} <= {rg1, rg};
    if (push && !full) begin mem[wb[1:0]] <= wd; wb <= wn; wg <= wn ^ (wn >> 1); end
    if (wrst) begin wb <= 0; wg <= 0; {rg2, rg1} <= 0; end
  end
  always_ff @(posedge rc) begin
    {wg2, wg1} <= {wg1, wg};
    if (pop || empty) rd <= mem[rb[1:0]];
    if (pop && !empty && !wx2) begin rb <= rn; rg <= rn ^ (rn >> 1); end
    if (wx2 || rrst) begin rb <= 0; rg <= 0; end
    if (rrst) {wg2, wg1} <= 0;
  end
endmodule
