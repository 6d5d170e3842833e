// FIFO whose output register loads also while empty (the word is marked invalid then)
module prefetch(input logic wc, rc, rst, push, pop, input logic wd, output logic rd, v);
  logic [1:0] wb, wg, rb, rg, wg1, wg2, rg1, rg2; logic [1:0] mem;
  wire [1:0] wn = wb + 2'd1, rn = rb + 2'd1;
  wire full = wg == ~rg2, empty = rg == wg2, ld = pop | ~v;
  always_ff @(posedge wc) if (push && !full) mem[wb[0]] <= wd;
  always_ff @(posedge wc or posedge rst) if (rst) {wb, wg, rg1, rg2} <= '0; else begin
    {rg2, rg1} <= {rg1, rg}; if (push && !full) begin wb <= wn; wg <= wn ^ (wn >> 1); end end
  always_ff @(posedge rc or posedge rst) if (rst) {rb, rg, wg1, wg2, v} <= '0; else begin
    {wg2, wg1} <= {wg1, wg};
    if (ld) v <= !empty;
    if (ld && !empty) begin rb <= rn; rg <= rn ^ (rn >> 1); end end
  always_ff @(posedge rc) if (ld) rd <= mem[rb[0]];
endmodule
