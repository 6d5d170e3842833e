// A word is not pushed while the queue is full.
// clk, rst (1 resets), push: a word is taken at this edge, full: as the design shows it.
module fifo_overflow (input logic clk, rst, push, full);
    overflow: assert property (@(posedge clk) disable iff (rst) push |-> !full);
endmodule
